"""The program as dealer: what it does next by the book, and whom it waits for.

>>> from pontoon.rulebook import load
>>> table = Table(load("star"), packs=6)
>>> Program(lambda number: bytes(32)).next_command(table)
Open()
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
from pontoon.table.keeper import ShoeKeeper
from pontoon.table.proof import refuse_reveal
from pontoon.table.shuffle import new_stack, permutation
from pontoon.table.state import PACK_SIZE, Table, in_shuffling_shoe

Chance = Callable[[int], bytes]
"""A 32-byte key for the number of a shuffle: from a seed, or from the operating system."""

HOUSE = "operator"
"""Who decides where the document is silent."""


class Moment(Struct, frozen=True):
    """Whom the dealer waits for; nobody, and the dealer goes on at once."""

    kind: Literal["", "cut", "wagers", "offer", "decision", "join"] = ""
    players: tuple[str, ...] = ()


ANSWERS: dict[str, tuple[type[e.Command], ...]] = {
    "insurance": (e.Insure,),
    "surrender": (e.Surrender, e.DeclineSurrender),
    "forfeit": (e.Forfeit, e.Keep),
    "withdraw": (e.Withdraw,),
}
"""What a bettor can say to an open offer."""
JOINS = (e.Double, e.Split, e.Ride)


def moment(table: Table) -> Moment:
    """Whom the dealer waits for at this table now."""
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
    """The dealer's program: it knows the table only by what it is shown, and the shoe it shuffled itself."""

    def __init__(self, chance: Chance, name: str = "shoe", first: tuple[Card, ...] = ()) -> None:
        """Shoes are called `name` and their number; `first` come first, for lessons, and then nothing is proved."""
        self.chance = chance
        self.name = name
        self.first = first
        self.shuffles = 0
        self.keeper = ShoeKeeper()

    def next_command(self, table: Table) -> c.TableCommand | None:
        """What the dealer does now if nobody is waited for; None where only somebody else can go on."""
        match table.phase:
            case "closed":
                return self._reveal(table) or c.Open()
            case "preparing":
                return self._prepared(table) or self._shuffled(table)
            case "shuffled" | "cut":
                return self._cut(table)
            case "collect":
                return c.Collect()
            case "ready":
                return self._between_rounds(table)
            case "round":
                return self._in_round(table)

    def _prepared(self, table: Table) -> c.TableCommand | None:
        """The checks before the shuffle."""
        shoe = table.rules.shoe
        if table.sealed and "seal" not in table.checked:
            return c.BreakSeal(whole=True)
        unchecked = () if "seal" in table.checked else [role for role in shoe.checked_by if role not in table.checked]
        if unchecked:
            return c.CheckCards(unchecked[0])  # type: ignore[arg-type] # the rulebook names roles
        if shoe.spread != "none" and not table.shown:
            return c.ShowCards(table.first_player, shoe.spread_minutes)
        return None

    def _shuffled(self, table: Table) -> c.TableCommand:
        """By hand the shuffle can be proved: the last shoe revealed, the next committed before its cut."""
        reveal = self._reveal(table)
        if reveal is not None:
            return reveal
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
        """The cards of a lesson where the program's own cut, or the burn of a device, brings them to the front."""
        rest = list(cards)
        for card in self.first:
            rest.remove(card)
        place = len(cards) // 2 if table.by_hand else table.rules.shoe.burn_after_loading
        return (*rest[:place], *self.first, *rest[place:])

    def _cut(self, table: Table) -> c.TableCommand:
        """Whoever is asked cuts near the middle; the cutting card goes a quarter in from the back."""
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
        wanted = max(table.rules.shoe.return_discards_at, PACK_SIZE)
        if not table.by_hand and len(table.shoe.discards) >= wanted:
            return c.ReturnDiscards(self.mixed((*table.shoe.stack, *table.shoe.discards)))
        return self._shuffled(table) if table.due else None

    def _in_round(self, table: Table) -> c.TableCommand:
        """The next card, or for somebody who does not answer what the document asks for."""
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
        """The shoe ran out in mid-round; where the document is silent the house decides to go on the same way."""
        silent = table.rules.irregular.too_few == "silent" or in_shuffling_shoe(table)
        order = self.mixed(table.shoe.discards)
        return c.ShuffleDiscards(order, HOUSE if silent else table.rules.cut.nobody, len(order) // 2)

    def mixed(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """These cards in a uniformly random order."""
        self.shuffles += 1
        return tuple(cards[place] for place in permutation(self.chance(self.shuffles), len(cards)))
