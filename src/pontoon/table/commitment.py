"""A Merkle root over salted cards: one published hash binds the whole stack, and each card is proved alone.

leaf = SHA-256(0x00, index in 2 bytes, card, salt of 32 bytes); node = SHA-256(0x01, left, right); the last node of an
odd row goes up as it is. The first byte keeps a node from passing for a leaf, the index a card from changing place,
the salt an undealt card from being guessed.

>>> tree = commit((Card("7s"), Card("Ah"), Card("Kc")), bytes(32))
>>> shown = tree.proof(1)
>>> shown.card, len(shown.path), check(tree.commitment.root, shown)
('Ah', 2, True)
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from pontoon.cards import Card
from pontoon.table.shuffle import seed_hash

Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""32 bytes as 64 lower-case hexadecimal digits: one way to write each value."""

Number = Annotated[int, Meta(ge=0, le=0xFFFF)]
"""A place or a number of cards; two bytes hold it."""

_LEAF, _NODE, _SALT = b"\x00", b"\x01", b"salt"

Row = tuple[bytes, ...]


class Commitment(Struct, frozen=True):
    """The commitment published before the first wager."""

    root: Hash
    seed_hash: Hash
    size: Number


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """The proof of one card, checked against the root; it reveals nothing about other cards."""

    index: Number
    """Its place in the shuffled stack before the cut, from 0 at the front."""
    size: Number
    """How many cards the stack has."""
    card: Annotated[Card, Meta(min_length=1, max_length=64)]
    salt: Hash
    path: tuple[Hash, ...]
    """The neighbours on the way from the leaf to the root."""


class Tree:
    """The house's secret side of a commitment. Not a Struct, so that nothing serialises it by accident."""

    def __init__(self, stack: Sequence[Card], salts: Row, commitment: Commitment, rows: tuple[Row, ...]) -> None:
        self._stack = tuple(stack)
        self._salts = salts
        self._rows = rows
        self.commitment = commitment

    def __repr__(self) -> str:
        return f"Tree({self.commitment.root})"

    @property
    def stack(self) -> tuple[Card, ...]:
        """The cards in order, the house's secret."""
        return self._stack

    def proof(self, index: int) -> Proof:
        """The proof of one card."""
        if not 0 <= index < len(self._stack):
            raise IndexError(f"no card {index} in a stack of {len(self._stack)}")
        path: list[str] = []
        place = index
        for row in self._rows[:-1]:
            if place ^ 1 < len(row):
                path.append(row[place ^ 1].hex())
            place //= 2
        return Proof(index, len(self._stack), self._stack[index], self._salts[index].hex(), tuple(path))


def salt(key: bytes, index: int) -> bytes:
    """The salt of one card; salts reveal nothing about each other."""
    return hmac.digest(key, _SALT + index.to_bytes(2, "big"), "sha256")


def commit(stack: Sequence[Card], server_seed: bytes, key: bytes | None = None) -> Tree:
    """Commit to a stack. The salts come from the shoe's key (without one, the seed), so the seeds reveal all."""
    if not stack:
        raise ValueError("there are no cards to commit to")
    salts = tuple(salt(key or server_seed, index) for index in range(len(stack)))
    rows = [tuple(_leaf(index, card, salts[index]) for index, card in enumerate(stack))]
    while len(rows[-1]) > 1:
        rows.append(_above(rows[-1]))
    commitment = Commitment(rows[-1][0].hex(), seed_hash(server_seed), len(stack))
    return Tree(stack, salts, commitment, tuple(rows))


def check(root: str, proof: Proof) -> bool:
    """Whether the root binds this card to this place."""
    place, width = proof.index, proof.size
    if place >= width:
        return False
    node = _leaf(place, proof.card, bytes.fromhex(proof.salt))
    path = iter(proof.path)
    while width > 1:
        if place ^ 1 < width:
            neighbour = next(path, None)
            if neighbour is None:
                return False
            pair = (bytes.fromhex(neighbour), node) if place % 2 else (node, bytes.fromhex(neighbour))
            node = _node(*pair)
        place, width = place // 2, (width + 1) // 2
    return next(path, None) is None and node.hex() == root


def _leaf(index: int, card: Card, card_salt: bytes) -> bytes:
    return hashlib.sha256(_LEAF + index.to_bytes(2, "big") + card.encode() + card_salt).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(_NODE + left + right).digest()


def _above(row: Row) -> Row:
    pairs = tuple(_node(row[place], row[place + 1]) for place in range(0, len(row) - 1, 2))
    return pairs + row[len(pairs) * 2 :]
