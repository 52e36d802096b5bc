"""A uniform order of the cards from 256-bit seeds: unbiased, repeatable, and the same in any language.

No generator of Python, no clock and no process number stands on this path: a seed comes from the operating system
or is given, and everything else is HMAC-SHA-256. The exact bytes are written down in docs/fairness.md.

>>> order = permutation(bytes(32), 48)
>>> sorted(order) == list(range(48)), order[:6]
(True, [18, 24, 30, 31, 15, 4])
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from struct import Struct

from pontoon.cards import PACK, Card

SEED_BYTES = 32
"""A house seed has 256 bits."""

PLAYER_SEED_BYTES = 64
"""A player's seed is anything up to this long."""

MOST_PACKS = 8
"""The index mapper is proved exactly for every stack up to eight packs of 48."""

WORD_BITS = 16
"""The stream is read in words of this size."""

_SHOE, _SEAL, _SHUFFLE = b"pontoon shoe 1", b"pontoon seal 1", b"shuffle"
_WORDS = Struct(">16H")


def new_seed() -> bytes:
    """A fresh house seed from the operating system; nothing is stored, so a forked worker cannot repeat one."""
    return secrets.token_bytes(SEED_BYTES)


def seed_hash(server_seed: bytes) -> str:
    """What the house publishes first: plain SHA-256 of its seed."""
    return hashlib.sha256(server_seed).hexdigest()


def player_seed(given: str | bytes) -> bytes:
    """A player's seed as bytes, or why it cannot be one.

    >>> player_seed("lucky 7")
    b'lucky 7'
    """
    seed = given.encode() if isinstance(given, str) else given
    if not 1 <= len(seed) <= PLAYER_SEED_BYTES:
        raise ValueError(f"a player's seed has 1 to {PLAYER_SEED_BYTES} bytes, not {len(seed)}")
    return seed


def seal(seed: str | bytes) -> str:
    """What a player hands in before any seed is opened. It reveals nothing about what goes into the shuffle."""
    return hashlib.sha256(_SEAL + player_seed(seed)).hexdigest()


def shoe_key(server_seed: bytes, shoe: str, packs: int, seeds: Sequence[tuple[str, bytes]]) -> bytes:
    """The key of one shoe: the house seed over the shoe's name, its packs, and each player's name and seed in order."""
    if len(server_seed) != SEED_BYTES:
        raise ValueError(f"a house seed has {SEED_BYTES} bytes, not {len(server_seed)}")
    message = _SHOE + _sha(shoe.encode()) + packs.to_bytes(1, "big") + len(seeds).to_bytes(2, "big")
    message += b"".join(_sha(name.encode()) + _sha(seed) for name, seed in seeds)
    return hmac.digest(server_seed, message, "sha256")


def _sha(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def stream(key: bytes) -> Iterator[int]:
    """Endless 16-bit words: block 0, 1, 2, ... is HMAC(key, "shuffle" + number in 8 bytes), read from its front."""
    block = 0
    while True:
        yield from _WORDS.unpack(hmac.digest(key, _SHUFFLE + block.to_bytes(8, "big"), "sha256"))
        block += 1


def index_below(size: int, word: int, bits: int = WORD_BITS) -> int | None:
    """The index below `size` that a word stands for, or None if the word is rejected.

    Of all words the last few, too few for one more word an index, are rejected, so every index has equally many.

    >>> [index_below(3, word, bits=3) for word in range(8)]
    [0, 1, 2, 0, 1, 2, None, None]
    """
    words = 1 << bits
    return word % size if word < words - words % size else None


def permutation(key: bytes, size: int) -> list[int]:
    """Fisher-Yates from the back: each order of 0 .. size-1 equally likely over the words of the stream."""
    if size > 1 << WORD_BITS:
        raise ValueError(f"a word of {WORD_BITS} bits cannot choose among {size}")
    order = list(range(size))
    words = stream(key)
    for last in range(size - 1, 0, -1):
        other = index_below(last + 1, next(words))
        while other is None:
            other = index_below(last + 1, next(words))
        order[last], order[other] = order[other], order[last]
    return order


def new_stack(packs: int) -> tuple[Card, ...]:
    """The cards as they come from their boxes: pack after pack, clubs, diamonds, hearts, spades, ace to king."""
    if not 1 <= packs <= MOST_PACKS:
        raise ValueError(f"a shoe holds 1 to {MOST_PACKS} packs, not {packs}")
    return PACK * packs


def shuffled(packs: int, key: bytes) -> tuple[Card, ...]:
    """The stack of a shoe in the order its key gives, front first, before the cut."""
    stack = new_stack(packs)
    return tuple(stack[index] for index in permutation(key, len(stack)))
