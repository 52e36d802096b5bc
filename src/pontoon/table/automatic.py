"""The program as dealer: everything a dealer does by the book, driven by whoever decides for the players.

The dealer shuffles with the provable shuffle, offers the cut, deals what is due and closes offers; players answer
through one function, so that bots, scripts and people can sit at the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pontoon.cards import JOKER, Card
from pontoon.engine import Absent, CallNoMoreBets, CloseOffer, Command, Refusal, Round
from pontoon.engine.dealing import next_place
from pontoon.table import commands as c
from pontoon.table import fairness
from pontoon.table.commitment import Tree
from pontoon.table.cutting import cutting_card_range
from pontoon.table.decide import act
from pontoon.table.events import (
    CardLeftShoe,
    CardsBurned,
    CardsCut,
    CuttingCardPlaced,
    DiscardsShuffled,
    ExtraHandRemoved,
    RoundReconstructed,
    TableEvent,
)
from pontoon.table.fairness import ShoeRecord
from pontoon.table.shuffle import new_stack, permutation
from pontoon.table.state import PACK_SIZE, Table

Chance = Callable[[int], bytes]
"""A 32-byte key for the number of a shuffle: from a seed, or from the operating system."""
Answer = Callable[[Round], Command | None]
"""What the players do now; None, or something refused, lets the dealer go on: who must decide is absent."""


class AutomaticTable:
    """A table that runs itself: one state that moves on, every event kept in order."""

    def __init__(self, table: Table, chance: Chance) -> None:
        """Begin with a closed table."""
        self.table = table
        self.chance = chance
        self.shuffles = 0
        self.events: list[TableEvent] = []
        self.record: ShoeRecord | None = None
        """The shoe in use as anybody may check it; None for a device or a joker, which the proof does not cover."""
        self.tree: Tree | None = None
        self.seed = b""
        self.depth = 0
        self.again = 0
        self.records: list[ShoeRecord] = []
        """Shoes that are over, revealed."""

    def do(self, command: c.TableCommand) -> Refusal | None:
        """Do something at the table; a refusal changes nothing."""
        acted = act(self.table, command)
        if isinstance(acted, Refusal):
            return acted
        self.table = acted.table
        self.events.extend(acted.events)
        self._prove(acted.events)
        return None

    def _prove(self, events: Iterable[TableEvent]) -> None:
        """Keep the record of the shoe in step: the cut, burned cards, each card dealt with its proof."""
        for event in events:
            match event:
                case CardsCut(depth=depth):
                    self.depth = depth
                case RoundReconstructed(cards=cards):
                    self.again = len(cards)
                case CardLeftShoe() if self.again:  # dealt again after a reconstruction, and proved the first time
                    self.again -= 1
                case DiscardsShuffled():
                    self._reveal()
                case _ if self.record is not None and self.tree is not None:
                    self.record = _proved(self.record, self.tree, event, self.depth)
                case _:
                    pass

    def _reveal(self) -> None:
        """The shoe is over: publish its seed."""
        if self.record is not None:
            self.records.append(fairness.reveal(self.record, self.seed))
            self.do(c.RevealShoe(self.seed.hex()))
        self.record = self.tree = None

    def must(self, command: c.TableCommand) -> None:
        """Do something the book asks for now; it cannot be refused."""
        refused = self.do(command)
        assert refused is None, (command, refused)

    def mixed(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """These cards in a uniformly random order."""
        self.shuffles += 1
        return tuple(cards[place] for place in permutation(self.chance(self.shuffles), len(cards)))

    def open(self, players: Iterable[tuple[str, int]]) -> None:
        """Open the table, seat the players, and prepare the first shoe."""
        self.must(c.Open())
        for player, box in players:
            self.must(c.Sit(player, box))
        self.prepare()

    def prepare(self) -> None:
        """Check, show, shuffle, cut and load whatever the document asks for before the next round."""
        table = self.table
        if table.phase == "preparing":
            if table.sealed and "seal" not in table.checked:
                self.must(c.BreakSeal(whole=True))
            for role in table.rules.shoe.checked_by:
                if "seal" not in self.table.checked and role not in self.table.checked:
                    self.must(c.CheckCards(role))  # type: ignore[arg-type] # the rulebook names roles
            if table.rules.shoe.spread != "none" and not self.table.shown:
                self.must(c.ShowCards(table.first_player, table.rules.shoe.spread_minutes))
        if self.table.due:
            self._reveal()
            self._shuffle()
        self.cut()

    def _shuffle(self) -> None:
        """By hand the shuffle can be proved: committed before the cut, checked card by card, revealed at the end."""
        table = self.table
        if not table.by_hand or table.joker:
            self.must(c.Shuffle(self.mixed(_all_cards(table))))
            return
        self.shuffles += 1
        self.seed = self.chance(self.shuffles)
        announced = fairness.announce(f"shoe {table.shoe_number + 1}", table.packs, self.seed)
        self.record, self.tree = fairness.shuffle(announced, self.seed)
        self.must(c.Shuffle(self.tree.stack))
        assert self.record.root is not None
        self.must(c.CommitShoe(self.record.seed_hash, self.record.root))

    def cut(self) -> None:
        """Whoever is asked cuts near the middle; the cutting card goes a quarter in from the back."""
        if self.table.phase == "shuffled":
            by = self.table.offered[0] if self.table.offered else self.table.rules.cut.nobody
            self.must(c.Cut(by, self.table.shoe.left // 2))
        if self.table.phase == "cut":
            low, high = cutting_card_range(self.table)
            self.must(c.PlaceCuttingCard(min(max(low, self.table.shoe.left // 4), high)))

    def play_round(self, wagers: Iterable[Command], answer: Answer) -> Round | None:
        """One round: wagers, the call, cards and decisions, collecting; None when nobody could bet."""
        for wager in wagers:
            self.do(c.Play(wager))
        if self.do(c.Play(CallNoMoreBets())) is not None:
            return None
        while self.table.phase == "round":
            self._step(answer)
        state = self.table.round
        assert state is not None
        self.must(c.Collect())
        self._between_rounds()
        return state

    def _step(self, answer: Answer) -> None:
        table = self.table
        state = table.round
        assert state is not None
        if table.due == "first":
            self.prepare()
            return
        command = answer(state)
        if command is not None and self.do(c.Play(command, approver="pit_boss")) is None:
            return
        if state.phase == "decision":
            self.must(c.Play(Absent(state.turn[0])))
        elif next_place(state) is None:
            self.must(c.Play(CloseOffer()))
        elif not table.shoe.left:
            order = self.mixed(table.shoe.discards)
            self.must(c.ShuffleDiscards(order, table.rules.cut.nobody, len(order) // 2))
        else:
            self.must(c.Deal())

    def _between_rounds(self) -> None:
        table = self.table
        wanted = max(table.rules.shoe.return_discards_at, PACK_SIZE)
        if not table.by_hand and len(table.shoe.discards) >= wanted:
            self.must(c.ReturnDiscards(self.mixed((*table.shoe.stack, *table.shoe.discards))))
        if self.table.due:
            self.prepare()


def _proved(record: ShoeRecord, tree: Tree, event: TableEvent, depth: int) -> ShoeRecord:
    """The record of a shoe after one event."""
    match event:
        case CuttingCardPlaced(behind=behind):
            return fairness.cut(record, depth, behind)
        case CardsBurned():
            return fairness.burn(record)
        case CardLeftShoe():
            return fairness.deal(record, tree)
        case ExtraHandRemoved(cards=cards):
            for _ in cards:
                record = fairness.deal(record, tree)
            return record
        case _:
            return record


def _all_cards(table: Table) -> tuple[Card, ...]:
    """The full set in the order of the packs."""
    return (*new_stack(table.packs), *((JOKER,) if table.joker else ()))
