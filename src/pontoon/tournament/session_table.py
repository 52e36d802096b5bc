"""A table of a tournament: the rulebook's table, with tournament chips, seats by ballot and wagers in order.

What is dealt and paid is the table's and the engine's. Here is only what rule 20 adds, as questions with a clause:
anybody who drives a table (bots, a server) asks `refuse_command` before the table decides and `refuse_chips` after.

>>> places = Places(((1, "Ann"), (3, "Ben"), (6, "Cleo")), marker=3, minimum=1000, maximum=5000)
>>> wager_order(places.boxes, places.marker)
(3, 6, 1)
>>> refuse_wager(places, (), PlaceWager(6, "Cleo", 1000), chips=9000).code
'wager_out_of_turn'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from pontoon.decider import Played
from pontoon.engine import CallNoMoreBets, Insure, Limits, PlaceSideWager, PlaceWager, Refusal, TakeBack
from pontoon.engine.refusals import refuse
from pontoon.ledger import HOUSE, Posting, table_postings, wallet_of
from pontoon.table import commands as c
from pontoon.table import play
from pontoon.table.automatic import AutomaticTable
from pontoon.table.events import TableEvent
from pontoon.table.program import Chance
from pontoon.table.state import Table
from pontoon.tournament.conditions import Game
from pontoon.tournament.dealt_by import rules_of
from pontoon.tournament.marker import MARKER, next_box, wager_order
from pontoon.tournament.money import bank, chips

SEATS = ("20.7",)
CHIPS = ("20.13",)
EVERYBODY = ("20.14",)
LIMITS = ("20.3(a)(vii)",)


class Places(Struct, frozen=True):
    """Who sits where at a table, and whose wager comes first."""

    seats: tuple[tuple[int, str], ...]
    """Box and player, in the order of the boxes: clockwise, as the cards are dealt."""
    marker: int
    """The box that has the starting marker."""
    minimum: int
    maximum: int

    @property
    def boxes(self) -> tuple[int, ...]:
        """The boxes somebody sits at."""
        return tuple(box for box, _ in self.seats)


# --- the rulebook's table ------------------------------------------------------------------------------


def table_of(game: Game) -> Table:
    """The closed table, one box for each player."""
    return Table(
        rules_of(game), packs=game.packs, limits=Limits(minimum=game.minimum, maximum=game.maximum), boxes_each=1
    )


# --- what rule 20 asks of a command --------------------------------------------------------------------


def refuse_wager(places: Places, wagered: Collection[int], wager: PlaceWager, chips: int) -> Refusal | None:
    """Whether this player may make this wager now; `wagered` are the boxes that have theirs."""
    refused = _refuse_place(places, wager.box, wager.player)
    if refused is not None:
        return refused
    waiting = next((box for box in wager_order(places.boxes, places.marker) if box not in wagered), 0)
    if waiting and wager.box not in wagered and waiting != wager.box:
        return refuse("wager_out_of_turn", MARKER, box=wager.box, first=waiting)
    if wager.stake > chips:
        return refuse("not_enough_chips", CHIPS, player=wager.player, chips=chips, needed=wager.stake)
    if wager.stake < places.minimum:
        return refuse("wager_below_minimum", EVERYBODY, minimum=places.minimum)
    if wager.stake > places.maximum:
        return refuse("wager_above_maximum", LIMITS, maximum=places.maximum)
    return None


def _refuse_place(places: Places, box: int, player: str) -> Refusal | None:
    """A player plays in the position the ballot gave, and nowhere else."""
    if (box, player) in places.seats:
        return None
    return refuse("not_the_assigned_box", SEATS, player=player, box=box)


def refuse_chips(chips: Mapping[str, int], moved: Iterable[Posting]) -> Refusal | None:
    """Whether these postings would take more than a player has: for a wager, a double, a split, insurance.

    >>> refuse_chips({"Ann": 400}, [Posting("wallet/Ann", -500), Posting("escrow/1/Ann", 500)]).facts
    {'player': 'Ann', 'chips': 400, 'needed': 500}
    """
    taken: Counter[str] = Counter()
    for one in moved:
        player = wallet_of(one.account)
        if player:
            taken[player] -= one.amount
            if taken[player] > chips.get(player, 0):
                had = chips.get(player, 0)
                return refuse("not_enough_chips", CHIPS, player=player, chips=had, needed=taken[player])
    return None


def wagered(table: Table) -> tuple[int, ...]:
    """The boxes that have their wager."""
    return () if table.round is None else tuple(box.number for box in table.round.boxes)


def refuse_command(places: Places, table: Table, chips: Mapping[str, int], command: c.TableCommand) -> Refusal | None:
    """What rule 20 has against a command, before the table is asked; None where it has nothing."""
    match command:
        case c.Play(command=inner):
            pass
        case c.CallOut(wager=inner):
            pass
        case c.Sit(box=box, player=player):
            return _refuse_place(places, box, player)
        case _:
            return None
    done = wagered(table)
    match inner:
        case PlaceWager():
            return refuse_wager(places, done, inner, chips.get(inner.player, 0))
        case PlaceSideWager(box=box, player=player) | Insure(box=box, player=player, for_box=0):
            return _refuse_place(places, box, player)
        case Insure(for_box=box, player=player):  # another's wager is another's position
            return _refuse_place(places, box, player)
        case TakeBack(player=player):
            return refuse("wager_stays", EVERYBODY, player=player)
        case CallNoMoreBets() if set(places.boxes) - set(done):
            waiting = [player for box, player in places.seats if box not in done]
            return refuse("wagers_missing", EVERYBODY, players=tuple(waiting))
        case _:
            return None


# --- chips ---------------------------------------------------------------------------------------------


def chips_account(tournament: str, account: str) -> str:
    """The same account in tournament chips: a player's, the dealer's side, chips on a box.

    >>> [chips_account("7", one) for one in ("wallet/Ann", "house", "escrow/1/Ann")]
    ['chips/7/Ann', 'chip_bank/7', 'chips_on/7/1/Ann']
    """
    if account == HOUSE:
        return bank(tournament)
    player = wallet_of(account)
    return chips(tournament, player) if player else f"chips_on/{tournament}/{account.removeprefix('escrow/')}"


def chip_postings(tournament: str, moved: Iterable[Posting]) -> tuple[Posting, ...]:
    """The postings of table events in tournament chips; they sum to zero."""
    return tuple(Posting(chips_account(tournament, one.account), one.amount) for one in moved)


class TournamentTable(AutomaticTable):
    """The program as dealer, refusing what rule 20 refuses; chips are accounted event by event."""

    def __init__(
        self, game: Game, seats: Mapping[int, str], chips: Mapping[str, int], marker: int, chance: Chance
    ) -> None:
        """Open a table for these players with these chips in front of them."""
        super().__init__(table_of(game), chance)
        self.chips = {player: chips[player] for _, player in sorted(seats.items())}
        """What lies in front of each player, in the order of the boxes."""
        self.others: Counter[str] = Counter({HOUSE: -sum(self.chips.values())})
        """The dealer's side, and chips on boxes; with those in front of the players nothing is left over."""
        self.places = Places(tuple(sorted(seats.items())), marker, game.minimum, game.maximum)
        self.open((player, box) for box, player in self.places.seats)

    def may(self, command: c.TableCommand) -> bool:
        """Whether this would be done now; changes nothing."""
        return not isinstance(self._decide(command), Refusal)

    def _decide(self, command: c.TableCommand) -> tuple[Played[Table, TableEvent], list[Posting]] | Refusal:
        refused = refuse_command(self.places, self.table, self.chips, command)
        played = refused or play(self.table, command)
        if isinstance(played, Refusal):
            return played
        moved = [one for event in played.events for one in table_postings(event)]
        return (refuse_chips(self.chips, moved) if moved else None) or (played, moved)

    def do(self, command: c.TableCommand) -> Refusal | None:
        """Do something at the table; a refusal changes nothing."""
        decided = self._decide(command)
        if isinstance(decided, Refusal):
            return decided
        played, moved = decided
        self.follow(played)
        for one in moved:
            player = wallet_of(one.account)
            if player:
                self.chips[player] += one.amount
            else:
                self.others[one.account] += one.amount
        return None

    def end_round(self) -> tuple[str, ...]:
        """Who cannot make the least wager leaves (20.14), and the marker moves on; who left."""
        out = tuple(player for _, player in self.places.seats if self.chips[player] < self.places.minimum)
        for player in out:
            self.leave(player)
        if self.places.seats:
            self.move_marker(next_box(self.places.boxes, self.places.marker))
        return out

    def move_marker(self, box: int) -> None:
        """Put the starting marker by a box."""
        self._seated(self.places.seats, box)

    def leave(self, player: str) -> None:
        """A player vacates the seat; the chips still held cannot be wagered any more."""
        self.must(c.Leave(player))
        self.others[HOUSE] += self.chips.pop(player)
        self._seated(tuple(one for one in self.places.seats if one[1] != player), self.places.marker)

    def come_back(self, player: str, box: int, chips: int) -> None:
        """A player who bought back sits down in the same place with these chips."""
        self._seated(tuple(sorted((*self.places.seats, (box, player)))), self.places.marker)
        self.must(c.Sit(player, box))
        self.others[HOUSE] -= chips
        self.chips[player] = chips

    def _seated(self, seats: tuple[tuple[int, str], ...], marker: int) -> None:
        self.places = Places(seats, marker, self.places.minimum, self.places.maximum)
