"""A balanced count to practise: the tags of each rank, and hands on which the true count asks for another play.

Tags and indices are those of `pontoon count` for the best balanced count of level 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from msgspec import Struct

from pontoon import cache
from pontoon.cards import PACK, Card
from pontoon.rulebook import Rulebook, digest, pinned
from pontoon.trainer.drills import drill_of, words
from pontoon.trainer.position import Position
from pontoon.trainer.values import Game, solver_of

if TYPE_CHECKING:
    from pontoon.analysis.counting.indices import Index

LEVEL = 1
PICTURES = "JQK"
RANKS = "A23456789JQK"
SUITS = "shdc"
MOST_INDICES = 40
"""The indices worth most that are practised."""
FARTHEST = 8.0
"""Indices at a true count beyond this hardly ever come up."""
MARGIN = 0.4
"""Distance of a question from its index, in points of the true count: closer calls depend on rounding."""
TRIES = 50
SHOWN = 8
"""Cards shown before the hand."""


class CountTags(Struct, frozen=True):
    """The tags of a balanced count of level 1, and how well it fits."""

    status: str
    packs: int
    tags: tuple[tuple[str, int], ...]
    """Rank and tag; the pictures are one row."""
    words: str
    pack: tuple[Card, ...] = PACK
    """The cards of one pack, to deal from."""


class Deviation(Struct, frozen=True):
    """A decision that changes with the true count."""

    hand: str
    dealer: str
    basic: str
    deviation: str
    at: float
    above: bool
    """Whether the deviation is best from `at` upwards, or from there downwards."""


class CountPlay(Struct, frozen=True):
    """A hand to decide by the count: the running count before, the cards that come out, then hand and upcard."""

    position: str
    words: str
    before: int
    """The running count before the cards shown."""
    cards: tuple[Card, ...]
    hand: tuple[Card, ...]
    dealer: Card
    may: tuple[str, ...]
    running: int
    """The running count with hand and upcard."""
    packs_left: float
    true_count: float
    best: str
    basic: str
    rule: str
    """The index in words: stand from a true count of +1.2, else hit."""


class CountPlays(Struct, frozen=True):
    """Hands to decide by the count."""

    status: str
    plays: tuple[CountPlay, ...]


class Wanted(Struct, frozen=True):
    """How many hands, and the seed that chooses them."""

    game: Game
    seed: int
    count: int


@lru_cache(maxsize=16)
def count_tags(game: Game) -> CountTags:
    """The best level 1 count of a game; takes some seconds."""
    from pontoon.analysis.counting.count import effects_of_removal  # noqa: PLC0415 numpy only when it is asked for
    from pontoon.analysis.counting.tags import best_tags, correlation  # noqa: PLC0415 the same

    effects = {removal.rank: removal.effect for removal in effects_of_removal(solver_of(game), None)}
    tags = best_tags(effects, LEVEL, balanced=True).tags
    rows = [(rank, tag) for rank, tag in tags.items() if rank not in PICTURES]
    fit = f"It follows your advantage closely: correlation {correlation(tags, effects):.2f}, where 1 would be perfect."
    return CountTags("ready", game.packs, (*rows, (PICTURES, tags["K"])), fit)


def tag_of(tags: CountTags, card: Card) -> int:
    """The tag of a card."""
    return dict(tags.tags)[PICTURES if card[0] in PICTURES else card[0]]


# --- indices -------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def deviations(game: Game) -> tuple[Deviation, ...]:
    """The decisions that change with the count, most valuable first; about a minute, then from the user's cache."""
    folder = cache.folder("count-practice", Path(__file__), Path(__file__).parents[1] / "analysis")
    file = folder / f"{digest(pinned(game.book))}-{game.packs}-{game.stake}.json"
    return cache.kept(file, tuple[Deviation, ...], lambda: _calculated(game))


def _calculated(game: Game) -> tuple[Deviation, ...]:
    from pontoon.analysis.counting.count import Asked, count_of  # noqa: PLC0415 numpy only when it is asked for
    from pontoon.analysis.counting.tags import Tags  # noqa: PLC0415 the same

    tags = count_tags(game)
    count = Tags("practice", {rank: tag_of(tags, Card(f"{rank}s")) for rank in RANKS})
    found = count_of(pinned(game.book), game.packs, game.stake, asked=Asked(count))
    return tuple(_simple(found.indices))


def _simple(indices: Iterable[Index]) -> list[Deviation]:
    """Two-card hands whose play changes once: what a person can remember."""
    plain = [index for index in indices if index.cards == "2" and not index.suits]
    times = Counter((index.hand, index.dealer) for index in plain)
    return [
        Deviation(index.hand, index.dealer, index.basic, index.deviation, index.at, index.above)
        for index in plain
        if times[index.hand, index.dealer] == 1 and abs(index.at) <= FARTHEST and index.worth > 0
    ][:MOST_INDICES]


# --- questions -----------------------------------------------------------------------------------------


def count_plays(wanted: Wanted) -> CountPlays:
    """Hands on which the play depends on the count: half of them to be played otherwise than by basic strategy."""
    game = wanted.game
    rules, rows, tags = pinned(game.book), deviations(game), count_tags(game)
    dice = Random(wanted.seed)  # noqa: S311 exercises, not a game
    found: list[CountPlay] = []
    for _ in range(wanted.count * TRIES):
        play = _play(rules, tags, dice.choice(rows), dice) if rows else None
        if play is not None:
            found.append(play)
        if len(found) == wanted.count:
            break
    return CountPlays("ready", tuple(found))


def _play(rules: Rulebook, tags: CountTags, row: Deviation, dice: Random) -> CountPlay | None:
    """A question on one index; None where the rules do not offer both plays."""
    hand = _hand(row.hand, dice)
    if hand is None:
        return None
    dealer = _card(dice.choice(PICTURES) if row.dealer == "10" else row.dealer, dice)
    position = Position(rules.about.name, tags.packs, hand, dealer)
    drill = drill_of(rules, position)
    if drill is None or not {row.basic, row.deviation} <= {*drill.may}:
        return None
    packs_left = max(2, dice.randrange(2, 2 * tags.packs)) / 2
    deviates = dice.random() < 0.5
    away = dice.uniform(MARGIN, 3.0) * (1 if row.above == deviates else -1)
    running = round((row.at + away) * packs_left)
    true_count = running / packs_left
    if abs(true_count - row.at) < MARGIN or (true_count > row.at) != (away > 0):
        return None
    cards = tuple(_card(dice.choice(RANKS), dice) for _ in range(SHOWN))
    before = running - sum(tag_of(tags, card) for card in (*cards, *hand, dealer))
    return CountPlay(
        position=str(position),
        words=words(drill),
        before=before,
        cards=cards,
        hand=hand,
        dealer=dealer,
        may=drill.may,
        running=running,
        packs_left=packs_left,
        true_count=true_count,
        best=row.deviation if deviates else row.basic,
        basic=row.basic,
        rule=rule_words(row),
    )


def rule_words(row: Deviation) -> str:
    """An index in words.

    >>> rule_words(Deviation("hard 14", "3", "hit", "stand", 0.72, above=True))
    'Stand from a true count of +0.7, else hit.'
    >>> rule_words(Deviation("hard 9", "6", "double", "hit", -0.04, above=False))
    'Hit at a true count of 0 or less, else double.'
    """
    at = f"{row.at:+.1f}".replace("-", "−")
    at = "0" if at[1:] == "0.0" else at
    where = f"from a true count of {at}" if row.above else f"at a true count of {at} or less"
    return f"{row.deviation.capitalize()} {where}, else {row.basic}."


def _card(rank: str, dice: Random) -> Card:
    return Card(rank + dice.choice(SUITS))


def _hand(name: str, dice: Random) -> tuple[Card, Card] | None:
    """Two cards of a square of the index: `hard 14`, `soft 18`, `8-8`; None for a hand of another kind."""
    ranks = _RANKS_OF.get(name)
    if ranks is None:
        return None
    first, second = dice.choice(ranks)
    one, other = dice.sample(SUITS, 2)
    return Card(first + one), Card(second + other)


def _ranks_of() -> dict[str, list[tuple[str, str]]]:
    """Two ranks for each square; without 6-7, 6-8 and 7-8, which have indices of their own."""
    special = {("6", "7"), ("6", "8"), ("7", "8")}
    found: dict[str, list[tuple[str, str]]] = {}
    numbers = {rank: int(rank) for rank in "23456789"} | dict.fromkeys(PICTURES, 10)
    for first in numbers:
        found.setdefault(f"soft {numbers[first] + 11}", []).append(("A", first))
        found.setdefault(f"{numbers[first]}-{numbers[first]}", []).append((first, first))
        for second in numbers:
            if first < second and (first, second) not in special:
                found.setdefault(f"hard {numbers[first] + numbers[second]}", []).append((first, second))
    found["A-A"] = [("A", "A")]
    return found


_RANKS_OF = _ranks_of()
