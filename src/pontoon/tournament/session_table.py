"""A session table: an ordinary table with tournament chips, balloted seats and a fixed wagering order.

The table and the engine decide what is dealt and paid. This module only adds rule 20, as checks with a clause: the
program that runs a table (bots, a server) calls `refuse_command` before the table decides and `refuse_chips` after.

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
from pontoon.tournament.conditions.round_rulebook import rules_of
from pontoon.tournament.conditions.values import Game
from pontoon.tournament.marker import MARKER, next_box, wager_order
from pontoon.tournament.money import bank, chips

SEATS = ("20.7",)
CHIPS = ("20.13",)
EVERYBODY = ("20.14",)
LIMITS = ("20.3(a)(vii)",)


class Places(Struct, frozen=True):
    """The seats at a table, and who wagers first."""

    seats: tuple[tuple[int, str], ...]
    """Box and player, in box order: clockwise, as the cards are dealt."""
    marker: int
    """The box with the starting marker."""
    minimum: int
    maximum: int

    @property
    def boxes(self) -> tuple[int, ...]:
        """The occupied boxes."""
        return tuple(box for box, _ in self.seats)


# --- the table -----------------------------------------------------------------------------------------


def table_of(game: Game) -> Table:
    """A closed table with one box for each player."""
    return Table(
        rules_of(game), packs=game.packs, limits=Limits(minimum=game.minimum, maximum=game.maximum), boxes_each=1
    )


# --- checks of rule 20 -------------------------------------------------------------------------------


def refuse_wager(places: Places, wagered: Collection[int], wager: PlaceWager, chips: int) -> Refusal | None:
    """Why this player may not make this wager now, or None; `wagered` are the boxes with a wager."""
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
    """Refuse a position other than the one assigned by ballot."""
    if (box, player) in places.seats:
        return None
    return refuse("not_the_assigned_box", SEATS, player=player, box=box)


def refuse_chips(chips: Mapping[str, int], moved: Iterable[Posting]) -> Refusal | None:
    """Refuse postings that exceed a player's chips: for a wager, a double, a split, insurance.

    >>> refuse_chips({"Ann": 400}, [Posting("wallet/Ann", -500), Posting("escrow/1/Ann", 500)]).facts
    {'player': 'Ann', 'chips': 400, 'needed': 500}
    """
    taken: Counter[str] = Counter()
    for posting in moved:
        player = wallet_of(posting.account)
        if player:
            taken[player] -= posting.amount
            if taken[player] > chips.get(player, 0):
                had = chips.get(player, 0)
                return refuse("not_enough_chips", CHIPS, player=player, chips=had, needed=taken[player])
    return None


def wagered(table: Table) -> tuple[int, ...]:
    """The boxes with a wager."""
    return () if table.round is None else tuple(box.number for box in table.round.boxes)


def refuse_command(places: Places, table: Table, chips: Mapping[str, int], command: c.TableCommand) -> Refusal | None:
    """Why rule 20 refuses a command, before the table decides; None if it does not."""
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
        case Insure(for_box=box, player=player):  # a wager on another box is another position
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
    """The corresponding account in tournament chips: a player's, the dealer's float, chips on a box.

    >>> [chips_account("7", account) for account in ("wallet/Ann", "house", "escrow/1/Ann")]
    ['chips/7/Ann', 'chip_bank/7', 'chips_on/7/1/Ann']
    """
    if account == HOUSE:
        return bank(tournament)
    player = wallet_of(account)
    return chips(tournament, player) if player else f"chips_on/{tournament}/{account.removeprefix('escrow/')}"


def chip_postings(tournament: str, moved: Iterable[Posting]) -> tuple[Posting, ...]:
    """The postings of table events in tournament chips; they sum to zero."""
    return tuple(Posting(chips_account(tournament, posting.account), posting.amount) for posting in moved)


class TournamentTable(AutomaticTable):
    """The program as dealer, applying rule 20; chips are accounted for event by event."""

    def __init__(
        self, game: Game, seats: Mapping[int, str], chips: Mapping[str, int], marker: int, chance: Chance
    ) -> None:
        """Open a table for these players with these chips in front of them."""
        super().__init__(table_of(game), chance)
        self.chips = {player: chips[player] for _, player in sorted(seats.items())}
        """The chips in front of each player, in box order."""
        self.others: Counter[str] = Counter({HOUSE: -sum(self.chips.values())})
        """The dealer's float and the chips on boxes; together with the players' chips they sum to zero."""
        self.places = Places(tuple(sorted(seats.items())), marker, game.minimum, game.maximum)
        self.open((player, box) for box, player in self.places.seats)

    def may(self, command: c.TableCommand) -> bool:
        """Why this command would be refused now, or None; changes nothing."""
        return not isinstance(self._decide(command), Refusal)

    def _decide(self, command: c.TableCommand) -> tuple[Played[Table, TableEvent], list[Posting]] | Refusal:
        refused = refuse_command(self.places, self.table, self.chips, command)
        played = refused or play(self.table, command)
        if isinstance(played, Refusal):
            return played
        moved = [posting for event in played.events for posting in table_postings(event)]
        return (refuse_chips(self.chips, moved) if moved else None) or (played, moved)

    def do(self, command: c.TableCommand) -> Refusal | None:
        """Give a command at the table; a refusal changes nothing."""
        decided = self._decide(command)
        if isinstance(decided, Refusal):
            return decided
        played, moved = decided
        self.apply(played)
        for posting in moved:
            player = wallet_of(posting.account)
            if player:
                self.chips[player] += posting.amount
            else:
                self.others[posting.account] += posting.amount
        return None

    def end_round(self) -> tuple[str, ...]:
        """Remove players who cannot make the minimum wager (20.14), move the marker, and return who left."""
        out = tuple(player for _, player in self.places.seats if self.chips[player] < self.places.minimum)
        for player in out:
            self.leave(player)
        if self.places.seats:
            self.move_marker(next_box(self.places.boxes, self.places.marker))
        return out

    def move_marker(self, box: int) -> None:
        """Put the starting marker at a box."""
        self._seated(self.places.seats, box)

    def leave(self, player: str) -> None:
        """A player vacates the seat; any chips left can no longer be wagered."""
        self.must(c.Leave(player))
        self.others[HOUSE] += self.chips.pop(player)
        self._seated(tuple(seat for seat in self.places.seats if seat[1] != player), self.places.marker)

    def come_back(self, player: str, box: int, chips: int) -> None:
        """Seat a player who bought back in the same place with these chips."""
        self._seated(tuple(sorted((*self.places.seats, (box, player)))), self.places.marker)
        self.must(c.Sit(player, box))
        self.others[HOUSE] -= chips
        self.chips[player] = chips

    def _seated(self, seats: tuple[tuple[int, str], ...], marker: int) -> None:
        self.places = Places(seats, marker, self.places.minimum, self.places.maximum)
