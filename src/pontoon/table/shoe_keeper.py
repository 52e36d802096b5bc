"""The house's side of the shoe in use: its public record, its secret tree and seed, in step with the events."""

from __future__ import annotations

from msgspec.structs import replace

from pontoon.table import fairness
from pontoon.table.commitment import Proof, Tree
from pontoon.table.events import (
    CardLeftShoe,
    CardsBurned,
    CardsCut,
    CuttingCardPlaced,
    DiscardsShuffled,
    ExtraHandRemoved,
    LeftOverRemoved,
    RoundReconstructed,
    ShoeRevealed,
    TableEvent,
)
from pontoon.table.fairness import ShoeRecord

OF_THE_SHOE = frozenset(
    (
        CardLeftShoe,
        CardsBurned,
        CardsCut,
        CuttingCardPlaced,
        DiscardsShuffled,
        ExtraHandRemoved,
        LeftOverRemoved,
        RoundReconstructed,
        ShoeRevealed,
    )
)
"""The events that concern the record: one event in four."""


class ShoeKeeper:
    """Keeps the record of a shoe: the cut, burned cards, each dealt card with its proof, the reveal."""

    def __init__(self) -> None:
        self.record: ShoeRecord | None = None
        """The public record of the shoe in use; None for a device or a joker, which the proof does not cover."""
        self.tree: Tree | None = None
        self.seed = b""
        self.records: list[ShoeRecord] = []
        """Finished shoes, revealed."""
        self._depth = 0
        self._again = 0

    def begin(self, name: str, packs: int, seed: bytes) -> Tree:
        """A shoe with this name is shuffled from this seed; its stack is in the tree."""
        self.record, self.tree = fairness.shuffle(fairness.announce(name, packs, seed), seed)
        self.seed = seed
        return self.tree

    @property
    def position(self) -> tuple[int, int]:
        """The depth of the cut, and how many cards will be dealt again after a reconstruction."""
        return self._depth, self._again

    def resume(self, record: ShoeRecord | None, seed: bytes, position: tuple[int, int]) -> None:
        """Go on with a shoe whose record was stored; its tree is made again from the seed."""
        if record is not None:
            self.begin(record.shoe, record.packs, seed)
        self.record = record
        self._depth, self._again = position

    def apply(self, event: TableEvent) -> tuple[Proof, ...]:
        """Update the record with one event; returns the proofs of the dealt cards."""
        if type(event) not in OF_THE_SHOE:
            return ()
        match event:
            case CardsCut(depth=depth):
                self._depth = depth
            case RoundReconstructed(cards=cards, drawn=drawn):
                self._again = len(cards) - drawn
            case LeftOverRemoved(cards=cards) if self._again:
                first, self._again = cards[self._again :], max(self._again - len(cards), 0)
                return self.apply(replace(event, cards=first)) if first else ()
            case CardLeftShoe() if self._again:  # dealt again after a reconstruction, and proved the first time
                self._again -= 1
            case DiscardsShuffled() | ShoeRevealed():
                self._end()
            case _ if self.record is not None and self.tree is not None:
                before = len(self.record.dealt)
                self.record = _proved(self.record, self.tree, event, self._depth)
                return self.record.dealt[before:]
            case _:
                pass
        return ()

    def _end(self) -> None:
        """Stop proving cards of this shoe."""
        if self.record is not None:
            self.records.append(fairness.reveal(self.record, self.seed))
        self.record = self.tree = None


def _proved(record: ShoeRecord, tree: Tree, event: TableEvent, depth: int) -> ShoeRecord:
    """The record of a shoe after one event."""
    match event:
        case CuttingCardPlaced(behind=behind):
            return fairness.cut(record, depth, behind)
        case CardsBurned():
            return fairness.burn(record)
        case CardLeftShoe():
            return fairness.deal(record, tree)
        case _:
            assert isinstance(event, ExtraHandRemoved | LeftOverRemoved)
            for _ in event.cards:  # burned, and their faces were not shown to anyone
                record = fairness.burn(record)
            return record
