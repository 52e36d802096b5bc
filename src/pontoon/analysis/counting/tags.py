"""Counts as tags on ranks: well-known ones, any others, how well they fit, and the best of each level.

The true count is the running count divided by the 48-card packs left. The running count starts at minus the sum of the
tags of a pack, times the packs in the shoe: then the mean of the true count is the same at every depth, and a count
that is not balanced works like the balanced one whose tags have their mean subtracted. Hi-Lo, with a sum of 4 in a pack
without tens, starts at -4 a pack. A true count here is always counted that way; `neutral` is its mean.

>>> hi_lo = count_named("hi-lo")
>>> hi_lo.tags["5"], hi_lo.tags["Q"], hi_lo.imbalance, hi_lo.neutral
(1, -1, 4, -4)
>>> count_named("A=-1,2-6=1,T=-1").tags == hi_lo.tags
True
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import combinations_with_replacement
from math import sqrt

from msgspec import Struct

from pontoon.cards import RANKS

COPIES = 4
"""Number of cards of one rank in a pack."""
PACK_CARDS = COPIES * len(RANKS)
PICTURES = ("J", "Q", "K")
HIGHEST_TAG = 99
_ENTRY = re.compile(r"([A2-9TXJQK]|10)(?:-([A2-9TXJQK]|10))?[=:]([+-]?\d+)", re.IGNORECASE)
_ORDER = (*RANKS[:9], "T")
Effects = Mapping[str, float]


class TagsError(ValueError):
    """The text names no count and is not a list of tags."""


class Tags(Struct, frozen=True):
    """A count: the tag of each rank."""

    name: str
    tags: dict[str, int]

    @property
    def imbalance(self) -> int:
        """Sum of the tags of a pack; 0 if the count is balanced."""
        return COPIES * sum(self.tags.values())

    @property
    def neutral(self) -> int:
        """The true count of a fresh shoe, where the running count starts at this times the packs."""
        return -self.imbalance

    @property
    def level(self) -> int:
        """The largest tag."""
        return max(map(abs, self.tags.values()))

    @property
    def centred(self) -> dict[str, float]:
        """The tags with their mean subtracted."""
        mean = sum(self.tags.values()) / len(RANKS)
        return {rank: tag - mean for rank, tag in self.tags.items()}

    @property
    def squares(self) -> float:
        """Sum of the squares of the centred tags of a pack."""
        return COPIES * sum(tag * tag for tag in self.centred.values())


@cache
def known_counts() -> dict[str, Tags]:
    """The well-known counts by the name to type."""
    text = (resources.files("pontoon.analysis.counting") / "counts.toml").read_text("utf-8")
    return {key: Tags(entry["name"], _of_ten(entry["tags"])) for key, entry in tomllib.loads(text).items()}


def _of_ten(tags: Sequence[int]) -> dict[str, int]:
    return {rank: tags[min(place, len(tags) - 1)] for place, rank in enumerate(RANKS)}


def count_named(text: str) -> Tags:
    """A well-known count, or one written as tags: `A=-1,2-6=1,T=-1`; ranks left out have 0.

    >>> count_named("hi-low")
    Traceback (most recent call last):
    pontoon.analysis.counting.tags.TagsError: 'hi-low' is no known count; did you mean hi-lo? Or write tags, as in \
A=-1,2-6=1,T=-1
    """
    key = re.sub(r"[\s_]+", "-", text.strip().lower())
    if key in known_counts():
        return known_counts()[key]
    tags = dict.fromkeys(RANKS, 0)
    entries = [part for part in re.split(r"[,;\s]+", text.strip()) if part]
    for entry in entries:
        found = _ENTRY.fullmatch(entry)
        if found is None or abs(int(found[3])) > HIGHEST_TAG:
            raise TagsError(_unreadable(entry) if "=" in entry else _unknown(text, key))
        for rank in _ranks(found[1], found[2]):
            tags[rank] = int(found[3])
    if len(set(tags.values())) < 2:
        raise TagsError(f"{text!r}: at least two ranks need different tags, as in A=-1,2-6=1,T=-1")
    return Tags(written(tags), tags)


def _unreadable(entry: str) -> str:
    return f"{entry!r} is not a tag; write ranks A 2-9 T and a whole number up to {HIGHEST_TAG}, as in A=-1,2-6=1,T=-1"


def _unknown(text: str, key: str) -> str:
    near = difflib.get_close_matches(key, known_counts(), n=1)
    meant = f"did you mean {near[0]}?" if near else f"known are {', '.join(known_counts())}."
    return f"{text!r} is no known count; {meant} Or write tags, as in A=-1,2-6=1,T=-1"


def _ranks(first: str, last: str | None) -> list[str]:
    """The ranks of an entry: one, or those from one to another; T stands for the pictures."""

    def place(rank: str) -> int:
        upper = rank.upper()
        return _ORDER.index("T" if upper in ("10", "X") or upper in PICTURES else upper)

    if last is None and first.upper() in PICTURES:
        return [first.upper()]
    names = _ORDER[place(first) : place(last or first) + 1]
    return [rank for name in names for rank in (PICTURES if name == "T" else (name,))]


def written(tags: Mapping[str, int]) -> str:
    """Tags in one line, as `count_named` reads them.

    >>> written(count_named("hi-lo").tags)
    'A=-1,2=+1,3=+1,4=+1,5=+1,6=+1,T=-1'
    """
    alike = len({tags[rank] for rank in PICTURES}) == 1
    shown = {rank: tag for rank, tag in tags.items() if not (alike and rank in PICTURES)}
    if alike:
        shown["T"] = tags[PICTURES[0]]
    return ",".join(f"{rank}={tag:+d}" for rank, tag in shown.items() if tag)


# --- how well it fits ----------------------------------------------------------------------------------


def correlation(tags: Mapping[str, float], effects: Effects) -> float:
    """The correlation of tags with effects of removal over the cards of a pack, whatever their means.

    >>> f"{correlation(count_named('hi-lo').tags, {rank: -3 if rank in 'JQK' else 1 for rank in RANKS}):.3f}"
    '0.726'
    """
    return multiple_correlation((tags,), effects)


def multiple_correlation(counts: Sequence[Mapping[str, float]], effects: Effects) -> float:
    """The correlation of effects with the best combination of several counts; negative only for a single one.

    A side count of one rank is a count with a tag of 1 on it.
    """
    wanted = _centred(effects)
    whole = sum(value * value for value in wanted)
    if not whole:
        return 0.0
    basis: list[list[float]] = []
    explained, sign = 0.0, 1.0
    for count in counts:
        column = _centred(count)
        for other in basis:
            share = _dot(column, other)
            column = [value - share * part for value, part in zip(column, other, strict=True)]
        size = sqrt(_dot(column, column))
        if size > 1e-9:  # not a combination of the others
            basis.append([value / size for value in column])
            part = _dot(wanted, basis[-1])
            explained += part * part
            sign = 1.0 if part >= 0 or len(counts) > 1 else -1.0
    return sign * sqrt(min(explained / whole, 1.0))


def _centred(numbers: Mapping[str, float]) -> list[float]:
    mean = sum(numbers.values()) / len(RANKS)
    return [numbers[rank] - mean for rank in RANKS]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def side_count(rank: str) -> dict[str, float]:
    """A side count of one rank; T counts the pictures."""
    return {name: float(name == rank or (rank == "T" and name in PICTURES)) for name in RANKS}


def insurance_effects() -> dict[str, float]:
    """Effects of removal on insurance, up to scale: a picture removes a winning card.

    >>> insurance_effects()["K"], insurance_effects()["5"]
    (-3.0, 1.0)
    """
    return {rank: -3.0 if rank in PICTURES else 1.0 for rank in RANKS}


def best_tags(effects: Effects, level: int, *, balanced: bool = False) -> Tags:
    """The tags up to this level with the highest correlation; cards better removed have higher tags.

    >>> correlation(best_tags(insurance_effects(), 3).tags, insurance_effects()) > 0.999999
    True
    >>> best_tags(insurance_effects(), 3, balanced=True).imbalance
    0
    """
    picture = sum(effects[rank] for rank in PICTURES) / len(PICTURES)
    plain = {rank: effect for rank, effect in effects.items() if rank not in PICTURES}
    order = sorted((effect, rank) for rank, effect in ({**plain, PICTURES[0]: picture}).items())
    ranks = [rank for _, rank in order]
    best: dict[str, int] = dict.fromkeys(RANKS, 0)
    fit = -2.0
    for rising in combinations_with_replacement(range(-level, level + 1), len(ranks)):
        tags: dict[str, int] = dict(zip(ranks, rising, strict=True))
        tags |= dict.fromkeys(PICTURES, tags[PICTURES[0]])
        if rising[0] == rising[-1] or (balanced and sum(tags.values()) != 0):
            continue
        found = correlation(tags, effects)
        # Of counts that fit alike, the one nearest to balanced is the easiest to keep.
        if found > fit + 1e-12 or (found > fit - 1e-12 and abs(sum(tags.values())) < abs(sum(best.values()))):
            best, fit = {rank: tags[rank] for rank in RANKS}, found
    kind = "balanced level" if balanced else "level"
    return Tags(f"best {kind} {level}", best)
