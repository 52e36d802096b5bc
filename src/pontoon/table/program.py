"""The program as dealer: what it does next by the book, and whom it waits for.

>>> from pontoon.rulebook import load
>>> table = Table(load("star"), packs=6)
>>> Program(lambda number: bytes(32)).next_command(table)
Open(at=0)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from pontoon.cards import JOKER, Card
from pontoon.engine import Absent, CallNoMoreBets, CloseOffer, Round, refusal
from pontoon.engine import commands as e
from pontoon.engine.dealing import next_place
from pontoon.engine.options import candidates
from pontoon.engine.state import box_in_turn
from pontoon.table import commands as c
from pontoon.table.cutting import cutting_card_range, seen_before_shoe
from pontoon.table.opening import checkers, to_be_shown
from pontoon.table.proof import refuse_reveal
from pontoon.table.shoe_keeper import ShoeKeeper
from pontoon.table.shuffle import new_stack, permutation
from pontoon.table.state import PACK_SIZE, Table, for_device, in_shuffling_shoe

Chance = Callable[[int], bytes]
"""A 32-byte key for the number of a shuffle: from a seed, or from the operating system."""

HOUSE = "operator"
"""Who decides if the document is silent."""


class Moment(Struct, frozen=True):
    """The players the dealer waits for; if there are none, the dealer continues immediately."""

    kind: Literal["", "cut", "wagers", "offer", "decision", "join"] = ""
    players: tuple[str, ...] = ()


ANSWERS: dict[str, tuple[type[e.Command], ...]] = {
    "insurance": (e.Insure,),
    "surrender": (e.Surrender, e.DeclineSurrender),
    "forfeit": (e.Forfeit, e.Keep),
    "withdraw": (e.Withdraw,),
}
"""A bettor's possible answers to an open offer."""
JOINS = (e.Double, e.Split, e.Ride)


def moment(table: Table) -> Moment:
    """Who the dealer is waiting for at this table, and for what."""
    state = table.round
    if table.phase == "shuffled" and table.offered and not seen_before_shoe(table):
        return Moment("cut", table.offered[:1])
    wagered = state is not None and bool(state.boxes)
    if table.phase == "ready" and (wagered or not table.due):
        return Moment("wagers", tuple(seat.player for seat in table.seats))
    if table.phase != "round" or state is None or table.due == "first":
        return Moment()
    if state.phase == "decision":
        return Moment("decision", (box_in_turn(state).controller,))
    if state.phase in ANSWERS:
        return _waiting("offer", state, ANSWERS[state.phase])
    return _waiting("join", state, JOINS) if state.joining else Moment()


def _waiting(kind: Literal["offer", "join"], state: Round, answers: tuple[type[e.Command], ...]) -> Moment:
    asked = (command for command in candidates(state) if isinstance(command, answers))
    able = (command for command in asked if refusal(state, command) is None)
    players = tuple(dict.fromkeys(command.player for command in able))  # type: ignore[attr-defined]
    return Moment(kind, players) if players else Moment()


class Program:
    """The dealer's program: it knows only the table state it is given and the shoe it shuffled itself."""

    def __init__(self, chance: Chance, name: str = "shoe", first: tuple[Card, ...] = ()) -> None:
        """Shoes are called `name` and their number; `first` are dealt first, for lessons; such a shoe is not proved."""
        self.chance = chance
        self.name = name
        self.first = first
        self.shuffles = 0
        self.keeper = ShoeKeeper()

    def next_command(self, table: Table) -> c.TableCommand | None:
        """What the dealer does now if no player has to act; None if only another player can continue."""
        match table.phase:
            case "closed":
                return self._reveal(table) or c.Open()
            case "preparing":
                return self._shuffled(table)
            case "shuffled" | "cut":
                return self._cut(table)
            case "collect":
                return c.Collect()
            case "ready":
                return self._between_rounds(table)
            case "round":
                return self._in_round(table)

    def _prepared(self, table: Table) -> c.TableCommand | None:
        """What new cards need before the shuffle."""
        if not table.new_cards or seen_before_shoe(table):
            return None
        if table.sealed and "seal" not in table.checked:
            return c.BreakSeal(whole=True)
        unchecked = checkers(table)
        if unchecked:
            return c.CheckCards(unchecked[0])  # type: ignore[arg-type] # the rulebook names roles
        if to_be_shown(table):
            return c.ShowCards(table.first_player, table.rules.shoe.spread_minutes)
        return None

    def _shuffled(self, table: Table) -> c.TableCommand:
        """By hand the shuffle can be proved: the last shoe revealed, the next committed before its cut."""
        first = self._reveal(table) or self._prepared(table)
        if first is not None:
            return first
        if not table.by_hand or table.joker or self.first:
            cards = self.mixed((*new_stack(table.packs), *((JOKER,) if table.joker else ())))
            return c.Shuffle(self._arranged(table, cards))
        self.shuffles += 1
        name = f"{self.name} {table.shoe_number + 1}"
        return c.Shuffle(self.keeper.begin(name, table.packs, self.chance(self.shuffles)).stack)

    def _reveal(self, table: Table) -> c.TableCommand | None:
        """The seed of a shoe that is over."""
        reveal = c.RevealShoe(self.keeper.seed.hex())
        return reveal if refuse_reveal(table, reveal) is None else None

    def _arranged(self, table: Table, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards of a lesson, placed so that the program's own cut or a device's burn brings them to the front."""
        rest = list(cards)
        for card in self.first:
            rest.remove(card)
        place = len(cards) // 2 if table.by_hand else table.rules.shoe.burn_after_loading
        return (*rest[:place], *self.first, *rest[place:])

    def _cut(self, table: Table) -> c.TableCommand:
        """The person asked cuts near the middle; the cutting card goes a quarter in from the back."""
        record = self.keeper.record
        if seen_before_shoe(table):
            return self._shuffled(table)
        if table.phase == "cut":
            low, high = cutting_card_range(table)
            return c.PlaceCuttingCard(min(max(low, table.shoe.left // 4), high))
        if record is not None and record.root and not table.shoe.root and table.shoe.left == record.size:
            return c.CommitShoe(record.seed_hash, record.root)
        return c.Cut(table.offered[0] if table.offered else table.rules.cut.nobody, table.shoe.left // 2)

    def _between_rounds(self, table: Table) -> c.TableCommand | None:
        """Discards go back into a device; a shuffle that is due comes before the next wager."""
        if table.round is not None and table.round.boxes:
            return c.Play(CallNoMoreBets())
        shoe, (discards, _) = table.rules.shoe, for_device(table)
        wanted = 1 if shoe.round_returns else max(shoe.return_discards_at, PACK_SIZE)
        if not table.by_hand and len(discards) >= wanted:
            return c.ReturnDiscards(self.mixed((*table.shoe.stack, *discards)))
        return self._shuffled(table) if table.due else None

    def _in_round(self, table: Table) -> c.TableCommand:
        """The next card, or for someone who does not answer what the document asks for."""
        state = table.round
        assert state is not None
        if table.due == "first":
            return self._shuffled(table)
        if state.phase == "decision":
            return c.Play(Absent(state.turn[0]))
        if next_place(state) is None:
            return c.Play(CloseOffer())
        if not table.shoe.left:
            return self._discards(table)
        return c.Deal()

    def _discards(self, table: Table) -> c.ShuffleDiscards:
        """The shoe ran out in mid-round; if the document is silent the house decides to continue the same way."""
        silent = table.rules.irregular.too_few == "silent" or in_shuffling_shoe(table)
        order = self.mixed(table.shoe.discards)
        if table.rules.cut.discards == "at_once":
            return c.ShuffleDiscards(order, HOUSE if silent else table.rules.cut.nobody, len(order) // 2)
        approver = "inspector" if table.rules.irregular.approval == "inspector" and not silent else ""
        return c.ShuffleDiscards(order, HOUSE if silent else "dealer", approver=approver)

    def mixed(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """These cards in a uniformly random order."""
        self.shuffles += 1
        return tuple(cards[place] for place in permutation(self.chance(self.shuffles), len(cards)))
