"""Counting cards: effects of removal, a balanced count derived from them, and what the count is worth.

>>> effects = dict.fromkeys("89JQK", -0.5) | dict.fromkeys("23456", 0.5) | {"A": -0.9, "7": 0.0}
>>> tags = best_tags({rank: effects[rank] for rank in RANKS}, 1).tags
>>> tags["K"], tags["5"], sum(tags.values())
(-1, 1, 0)

A true count of t means that in the cards left the tags sum to -t per pack of 48. The most likely such shoe holds
4 (1 - t tag / S) cards of each rank per pack, where S is the sum of the squared tags of a pack. Values at a count are
those of such a shoe with as many cards as the fresh one, interpolated linearly between whole cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations_with_replacement, pairwise
from math import exp, sqrt

from msgspec import Struct

from pontoon.analysis.hands import PICTURE, SUITS, VALUES, points_of
from pontoon.analysis.shoe import Shoe
from pontoon.analysis.solver import Solver, Start
from pontoon.cards import PACK, RANKS, Card
from pontoon.cards.hand import SOFT_ACE
from pontoon.rulebook import Rulebook

Progress = Callable[[float], None]
Tags = Mapping[str, int]
STAKE = "10"
COPIES = len(SUITS)
"""Number of cards of one rank in a pack."""
PICTURES = ("J", "Q", "K")
LEVELS = (1, 2, 3)
"""Maximum absolute tags tried."""
GOOD_ENOUGH = 0.95
"""A correlation above which larger tags are not worth the effort."""
FARTHEST = 12
"""True counts from minus this to plus this are considered."""
STEPS = 6
"""Number of shoes solved on either side of a true count of 0."""
MOST_INDICES = 12
FINE = 20
"""Subdivisions between two shoes when averaging over counts."""
SUITED = "678"
"""Ranks whose spades have a different effect."""


class Removal(Struct, frozen=True):
    """The effect of removing one card of a rank on the player's expectation."""

    rank: str
    effect: float
    """Effect in this shoe."""
    per_pack: float
    """The same, scaled to a single pack of 48."""
    spade: float
    """Effect of the spade; the same as `effect` where suits do not matter."""


class Index(Struct, frozen=True):
    """A decision on two cards that changes with the count."""

    hand: str
    dealer: str
    basic: str
    """The best decision at a count of 0."""
    deviation: str
    at: float
    """The true count at which the deviation becomes better, counting all cards on the table."""
    above: bool
    """Whether it is better above that count; else below."""
    worth: float
    """Mean gain per round in a half-dealt shoe, in units of the first wager."""


class System(Struct, frozen=True):
    """A balanced count and its correlation with the effects of removal."""

    level: int
    tags: dict[str, int]
    betting_correlation: float


class Count(Struct, frozen=True):
    """Everything about counting a game."""

    ev: float
    removals: tuple[Removal, ...]
    systems: tuple[System, ...]
    """The best balanced count of each level."""
    tags: dict[str, int]
    """The tags of the count used below: the lowest level with a good correlation."""
    level: int
    betting_correlation: float
    insurance_correlation: float
    insurance_index: float | None
    """The true count from which insurance favours the player; None if the count says nothing about it."""
    ev_by_count: tuple[tuple[float, float], ...]
    """True counts with the value of a round."""
    ev_per_count: float
    """Value of one step of the true count, near 0."""
    even_at: float | None
    """The true count at which a round is even; None if it is out of range."""
    indices: tuple[Index, ...]


def count_of(rules: Rulebook, decks: int = 0, stake: str = STAKE, progress: Progress | None = None) -> Count:
    """Effects of removal, a balanced count, and its indices."""
    packs = decks or rules.decks.default
    solver = Solver(rules, packs, stake=stake)
    work = _Work(progress, len(VALUES) + len(SUITED) + 2 * STEPS + 1)
    ev = float(solver.value())
    removals = effects_of_removal(solver, ev, work.done)
    effects = {removal.rank: removal.effect for removal in removals}
    systems = tuple(best_tags(effects, level) for level in LEVELS)
    chosen = next((system for system in systems if system.betting_correlation >= GOOD_ENOUGH), systems[-1])
    shoes = list(_shoes(solver, chosen.tags, packs))
    points = [_at(solver.with_shoe(shoe), true_count, chosen.tags, work.done) for true_count, shoe in shoes]
    by_count = {point.true_count: point.ev for point in points}
    below, above = (max(t for t in by_count if t < 0), min(t for t in by_count if t > 0))
    return Count(
        ev=ev,
        removals=removals,
        systems=systems,
        tags=chosen.tags,
        level=chosen.level,
        betting_correlation=chosen.betting_correlation,
        insurance_correlation=correlation(chosen.tags, insurance_effects()),
        insurance_index=_insurance_index(solver, chosen.tags),
        ev_by_count=tuple(by_count.items()),
        ev_per_count=(by_count[above] - by_count[below]) / (above - below),
        even_at=_crossing(list(by_count.items())),
        indices=_indices(points, chosen.tags, packs),
    )


class _Work:
    """Progress of the calculation."""

    def __init__(self, progress: Progress | None, whole: int) -> None:
        self.progress, self.whole, self.so_far = progress, whole, 0

    def done(self) -> None:
        self.so_far += 1
        if self.progress:
            self.progress(min(self.so_far / self.whole, 1.0))


# --- effects of removal --------------------------------------------------------------------------------


def effects_of_removal(solver: Solver, ev: float, done: Callable[[], None] = lambda: None) -> tuple[Removal, ...]:
    """The effect of removing one card of each rank; the suits of 6, 7 and 8 are averaged."""
    alike = len(solver.game.surrender & {*PICTURES}) in (0, len(PICTURES))
    found: dict[str, Removal] = {}
    for rank in RANKS:
        if rank in PICTURES[1:] and alike:
            first = found[PICTURES[0]]
            found[rank] = Removal(rank, first.effect, first.per_pack, first.spade)
            continue
        plain = spade = _without(solver, Card(rank + "h"), done) - ev
        if rank in SUITED:
            spade = _without(solver, Card(rank + "s"), done) - ev
        effect = (plain * (COPIES - 1) + spade) / COPIES
        scale = (solver.shoe.cards - 1) / (len(PACK) - 1)
        found[rank] = Removal(rank, effect, effect * scale, spade)
    return tuple(found.values())


def _without(solver: Solver, card: Card, done: Callable[[], None]) -> float:
    value = float(solver.with_shoe(solver.shoe.without((card,))).value())
    done()
    return value


# --- a balanced count ----------------------------------------------------------------------------------


def correlation(tags: Tags, effects: Mapping[str, float]) -> float:
    """The correlation of tags with effects of removal over the cards of a pack.

    >>> f"{correlation(dict.fromkeys(RANKS, 0) | {'A': -1, '5': 1}, insurance_effects()):.3f}"
    '0.000'
    """
    mean = sum(effects.values()) / len(effects)
    parts = [(tags[rank], effect - mean) for rank, effect in effects.items()]
    whole = sqrt(sum(tag * tag for tag, _ in parts) * sum(effect * effect for _, effect in parts))
    return sum(tag * effect for tag, effect in parts) / whole if whole else 0.0


def insurance_effects() -> dict[str, float]:
    """Effects of removal on insurance, up to scale: a picture removes a winning card.

    >>> insurance_effects()["K"], insurance_effects()["5"]
    (-3.0, 1.0)
    """
    return {rank: -3.0 if rank in PICTURES else 1.0 for rank in RANKS}


def best_tags(effects: Mapping[str, float], level: int) -> System:
    """The balanced tags up to this level with the highest correlation; cards better removed have higher tags.

    >>> best_tags({rank: -3 if rank in "JQK" else 1 for rank in RANKS}, 3).betting_correlation
    1.0
    """
    picture = sum(effects[rank] for rank in PICTURES) / len(PICTURES)
    plain = {rank: effect for rank, effect in effects.items() if rank not in PICTURES}
    order = sorted((effect, rank) for rank, effect in ({**plain, PICTURES[0]: picture}).items())
    ranks = [rank for _, rank in order]
    best: System | None = None
    for rising in combinations_with_replacement(range(-level, level + 1), len(ranks)):
        tags = dict(zip(ranks, rising, strict=True))
        tags |= dict.fromkeys(PICTURES, tags[PICTURES[0]])
        if sum(tags.values()) or not any(rising):
            continue
        fit = correlation(tags, effects)
        if best is None or fit > best.betting_correlation + 1e-12:
            best = System(level, {rank: tags[rank] for rank in RANKS}, fit)
    assert best is not None
    return best


def _squares(tags: Tags) -> int:
    """Sum of the squared tags of a pack."""
    return COPIES * sum(tag * tag for tag in tags.values())


def _insurance_index(solver: Solver, tags: Tags) -> float | None:
    """The true count at which the share of pictures makes insurance even."""
    tag = sum(tags[rank] for rank in PICTURES) / len(PICTURES)
    if not tag:
        return None
    share = len(PICTURES) / len(RANKS)
    wanted = float(1 / (1 + solver.game.insurance))
    return (1 - wanted / share) * _squares(tags) / tag


# --- shoes at a count ----------------------------------------------------------------------------------


def _shoes(solver: Solver, tags: Tags, packs: int) -> Iterator[tuple[float, Shoe]]:
    """Shoes at true counts from low to high, whole cards apart, with the fresh shoe in the middle."""
    per_card = _squares(tags) / (COPIES * packs)
    step = max(1, round(FARTHEST / STEPS / per_card))
    fewest = COPIES * packs // 2
    for number in range(-STEPS, STEPS + 1):
        moved = number * step
        near = (abs(moved) - step) * per_card < FARTHEST
        if near and abs(moved) * max(abs(tag) for tag in tags.values()) <= fewest:
            yield moved * per_card, shoe_at(solver.shoe, tags, moved)


def shoe_at(shoe: Shoe, tags: Tags, moved: int) -> Shoe:
    """A shoe with `moved` cards removed per tag of 1 of each rank and added per tag of -1; suits alternate.

    >>> shoe_at(Shoe.of_packs(8), dict.fromkeys(RANKS, 0) | {"5": 1, "K": -1}, 3).values
    (32, 32, 32, 32, 29, 32, 32, 32, 32, 99)
    """
    left = dict(zip(PACK, shoe.left, strict=True))
    for rank, tag in tags.items():
        cards = moved * tag
        for turn in range(abs(cards)):
            left[Card(rank + SUITS[turn % COPIES])] -= 1 if cards > 0 else -1
    return Shoe(tuple(left.values()))


class _Square(Struct):
    """All two-card hands of one kind against one upcard: their probability, and the value of each decision."""

    chance: float = 0.0
    seen: float = 0.0
    """Tags of the three cards, times the probability."""
    values: dict[str, float] = {}
    """Values times the probability; only decisions allowed on all these hands."""


class _Point(Struct):
    """The game at one true count."""

    true_count: float
    ev: float
    squares: dict[tuple[str, str], _Square]


def _at(solver: Solver, true_count: float, tags: Tags, done: Callable[[], None]) -> _Point:
    """Solve a shoe, hand by hand."""
    tag = [tags[letter] for letter in VALUES]
    squares: dict[tuple[str, str], _Square] = {}
    ev = 0.0
    for rank, first, number in solver.upcards():
        shown = "K" if first == PICTURE else rank
        chance = number / solver.shoe.cards
        for start in solver.starts(first, rank):
            part = chance * float(start.chance)
            ev += part * float(start.value)
            if not part or "paid" in start.values:
                continue
            values = _with_split(solver, start, rank)
            square = squares.setdefault((_kind(start), shown), _Square(values=dict.fromkeys(values, 0.0)))
            square.chance += part
            square.seen += part * (tag[first] + tag[start.pair[0]] + tag[start.pair[1]])
            square.values = {
                action: value + part * float(values[action])
                for action, value in square.values.items()
                if action in values
            }
        ev += chance * float(solver.insurance_against(first))
    done()
    return _Point(true_count, ev, squares)


def _with_split(solver: Solver, start: Start, rank: str) -> dict[str, float]:
    """The decisions on two cards, including a split that the solver left out because it cannot be best."""
    low, high = start.pair
    if low != high or low == PICTURE or "split" in start.values:
        return start.values
    whole = solver.start(start.first, start.pair, ranks=VALUES[low] + VALUES[high] + rank)
    return {**start.values, **{action: value for action, value in whole.values.items() if action == "split"}}


def _kind(start: Start) -> str:
    """The name of two cards: a pair, a soft or a hard total."""
    low, high = start.pair
    if low == high:
        return f"{VALUES[low]}-{VALUES[high]}"
    points = points_of(low) + points_of(high)
    return f"soft {points + SOFT_ACE}" if low == 0 else f"hard {points}"


# --- indices -------------------------------------------------------------------------------------------


def _indices(points: list[_Point], tags: Tags, packs: int) -> tuple[Index, ...]:
    """The most valuable deviations, best first."""
    spread = _standard_deviation(tags, packs)
    fresh = next(one for one in points if not one.true_count)
    found = []
    for (hand, dealer), square in fresh.squares.items():
        column = [one.squares[hand, dealer] for one in points if (hand, dealer) in one.squares]
        if len(column) < len(points):
            continue
        basic = max(square.values, key=lambda action: square.values[action])
        for action in square.values:
            if action == basic or not all(action in one.values and basic in one.values for one in column):
                continue
            gains = [one.values[action] - one.values[basic] for one in column]
            line = [(one.true_count, gain) for one, gain in zip(points, gains, strict=True)]
            at, worth = _crossing(line), _mean_gain(line, spread)
            if at is not None and worth > 0:
                shown = (at * packs + square.seen / square.chance) / (packs - 3 / len(PACK))
                found.append(Index(hand, dealer, basic, action, shown, above=gains[-1] > gains[0], worth=worth))
    return tuple(sorted(found, key=lambda one: -one.worth)[:MOST_INDICES])


def _standard_deviation(tags: Tags, packs: int) -> float:
    """Standard deviation of the true count in a half-dealt shoe.

    >>> f"{_standard_deviation(dict.fromkeys(RANKS, 0) | dict.fromkeys('3456', 1) | dict.fromkeys('AJQK', -1), 8):.2f}"
    '2.00'
    """
    half = packs * len(PACK) / 2
    running = sqrt(_squares(tags) / len(PACK) * half * half / (2 * half - 1))
    return running / (packs / 2)


def _mean_gain(line: list[tuple[float, float]], spread: float) -> float:
    """The mean of the positive part of a piecewise linear gain; the true count is normal with this spread."""
    total = whole = 0.0
    for (left, low), (right, high) in pairwise(line):
        for part in range(FINE):
            share = (part + 0.5) / FINE
            weight = exp(-(((left + (right - left) * share) / spread) ** 2) / 2) * (right - left)
            total += weight * max(low + (high - low) * share, 0.0)
            whole += weight
    return total / whole


def _crossing(line: list[tuple[float, float]]) -> float | None:
    """Where a piecewise linear function through these points crosses 0, nearest to a true count of 0."""
    found = []
    for (left, low), (right, high) in pairwise(line):
        if low != high and (low <= 0 <= high or high <= 0 <= low):
            found.append(left + (right - left) * low / (low - high))
    return min(found, key=abs) if found else None
