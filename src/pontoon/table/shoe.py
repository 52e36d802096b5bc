"""A seeded shoe that deals into rounds, for programs that want cards without a whole table around them.

>>> from pontoon.engine import CallNoMoreBets, PlaceWager, Round, must_play
>>> from pontoon.rulebook import load
>>> shoe = Shoe(packs=8, seed=1)
>>> shoe.deal(must_play(Round(load("star")), PlaceWager(1, "Ann", 1000), CallNoMoreBets()))
<Round star: decision, dealer 5c, box 1 Ann 10.00 (5d 8c)>
>>> shoe
<Shoe of 8 packs, 381 cards left>
"""

from __future__ import annotations

from pontoon.cards import Card
from pontoon.engine import DealCard, Round, must_play
from pontoon.engine.dealing import CARD_DUE
from pontoon.quoting import quoted
from pontoon.table.shuffle import SEED_BYTES, new_seed, shoe_key, shuffled


class Shoe:
    """Packs in a uniformly random order, dealt from the front.

    The same packs and the same seed give the same cards, shuffle after shuffle: the order is the provable shuffle of
    docs/fairness.md with the shuffle's number as the name of the shoe.
    """

    def __init__(self, packs: int = 8, seed: int | bytes | None = None) -> None:
        """`seed` is a whole number from 0 to 2**256 - 1 or 32 bytes; without one the operating system supplies it."""
        if not isinstance(packs, int):
            raise TypeError(f"{quoted(packs)}: packs are a whole number, as in 8")
        self.packs = packs
        self.seed = _seed_bytes(seed)
        self.shuffles = 0
        """How often the cards have been shuffled."""
        self._cards: tuple[Card, ...] = ()
        self._next = 0
        self.shuffle()

    def __len__(self) -> int:
        """How many cards are left."""
        return len(self._cards) - self._next

    def __repr__(self) -> str:
        """One line, without the order of the cards."""
        return f"<Shoe of {self.packs} packs, {len(self)} cards left>"

    @property
    def dealt(self) -> tuple[Card, ...]:
        """The cards that have left the shoe since it was shuffled, in order."""
        return self._cards[: self._next]

    def shuffle(self) -> None:
        """Put every card back and shuffle."""
        key = shoe_key(self.seed, str(self.shuffles + 1), self.packs, ())
        self._cards = shuffled(self.packs, key)
        self._next = 0
        self.shuffles += 1

    def draw(self) -> Card:
        """Take the next card out of the shoe."""
        if not len(self):
            raise ValueError("the shoe is empty: shuffle() brings its cards back")
        self._next += 1
        return self._cards[self._next - 1]

    def next_command(self, state: Round) -> DealCard | None:
        """The command that deals the card a round waits for; None while it waits for a person.

        A card that was exposed has left the shoe already, and is the next one.
        """
        if state.phase not in CARD_DUE:
            return None
        return DealCard(Card(state.exposed) if state.exposed else self.draw())

    def deal(self, state: Round) -> Round:
        """Deal every card that is due; the round waits for a decision then, or has ended.

        Co-bettors who want to join a double or a split do so before.
        """
        while (command := self.next_command(state)) is not None:
            state = must_play(state, command)
        return state


def _seed_bytes(seed: int | bytes | None) -> bytes:
    if seed is None:
        return new_seed()
    if isinstance(seed, bytes) and len(seed) == SEED_BYTES:
        return seed
    if type(seed) is int and 0 <= seed < 1 << 8 * SEED_BYTES:
        return seed.to_bytes(SEED_BYTES, "big")
    raise ValueError(f"{quoted(seed)}: a seed is a whole number from 0 to 2**256 - 1, or {SEED_BYTES} bytes")
