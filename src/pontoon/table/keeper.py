"""The house's side of the shoe in use: its public record, its secret tree and seed, in step with the events."""

from __future__ import annotations

from pontoon.table import fairness
from pontoon.table.commitment import Proof, Tree
from pontoon.table.events import (
    CardLeftShoe,
    CardsBurned,
    CardsCut,
    CuttingCardPlaced,
    DiscardsShuffled,
    ExtraHandRemoved,
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
        RoundReconstructed,
        ShoeRevealed,
    )
)
"""The events that concern the record: one event in four."""


class ShoeKeeper:
    """Keeps the record of a shoe: the cut, burned cards, each dealt card with its proof, the reveal."""

    def __init__(self) -> None:
        self.record: ShoeRecord | None = None
        """The shoe in use as anybody may check it; None for a device or a joker, which the proof does not cover."""
        self.tree: Tree | None = None
        self.seed = b""
        self.records: list[ShoeRecord] = []
        """Shoes that are over, revealed."""
        self._depth = 0
        self._again = 0

    def begin(self, name: str, packs: int, seed: bytes) -> Tree:
        """A shoe with this name is shuffled from this seed; its stack is in the tree."""
        self.record, self.tree = fairness.shuffle(fairness.announce(name, packs, seed), seed)
        self.seed = seed
        return self.tree

    def follow(self, event: TableEvent) -> tuple[Proof, ...]:
        """Keep the record in step with one event; the proofs of the cards it dealt."""
        if type(event) not in OF_THE_SHOE:
            return ()
        match event:
            case CardsCut(depth=depth):
                self._depth = depth
            case RoundReconstructed(cards=cards):
                self._again = len(cards)
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
        """No card of this shoe will be proved any more."""
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
            assert isinstance(event, ExtraHandRemoved)
            for _ in event.cards:  # burned, and their faces told to nobody
                record = fairness.burn(record)
            return record
