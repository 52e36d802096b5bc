"""Counting cards: what each rank is worth once it is gone, a count made of that, and what the count is good for.

>>> effects = dict.fromkeys("89JQK", -0.5) | dict.fromkeys("23456", 0.5) | {"A": -0.9, "7": 0.0}
>>> tags = best_tags({rank: effects[rank] for rank in RANKS}, 1).tags
>>> tags["K"], tags["5"], sum(tags.values())
(-1, 1, 0)

A true count of t means: in the cards left the tags sum to -t for each pack of 48. The likeliest such shoe holds of
each rank 4 (1 - t tag / S) cards a pack, S being the sum of the squared tags of a pack. Values at a count are those of
such a shoe, of as many cards as the fresh one; between whole cards they are taken to lie on a straight line.
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
"""Cards of one rank in a pack."""
PICTURES = ("J", "Q", "K")
LEVELS = (1, 2, 3)
"""The largest tags tried."""
GOOD_ENOUGH = 0.95
"""A correlation from which a larger tag is not worth its trouble."""
FARTHEST = 12
"""True counts up to here, either way, are looked at."""
STEPS = 6
"""Shoes solved on either side of nothing."""
MOST_INDICES = 12
FINE = 20
"""Parts of a step between shoes when a mean over counts is taken."""
SUITED = "678"
"""Ranks whose spades are not like the others."""


class Removal(Struct, frozen=True):
    """What one card of a rank does to the player's expectation when it is gone."""

    rank: str
    effect: float
    """In this shoe."""
    per_pack: float
    """The same scaled to a single pack of 48."""
    spade: float
    """The effect of the spade alone; that of any other where suits do not matter."""


class Index(Struct, frozen=True):
    """A decision on two cards that changes with the count."""

    hand: str
    dealer: str
    basic: str
    """The best decision at a count of nothing."""
    deviation: str
    at: float
    """The true count where the deviation takes over, all cards on the table counted."""
    above: bool
    """Whether it holds from there upwards."""
    worth: float
    """What it adds to a round on average over a shoe half dealt, in units of the first wager."""


class System(Struct, frozen=True):
    """A balanced count and how well it follows the effects of removal."""

    level: int
    tags: dict[str, int]
    betting_correlation: float


class Count(Struct, frozen=True):
    """Everything there is to counting a game."""

    ev: float
    removals: tuple[Removal, ...]
    systems: tuple[System, ...]
    """The best balanced count of each level."""
    tags: dict[str, int]
    """The count used for what follows: the lowest level that follows the effects well."""
    level: int
    betting_correlation: float
    insurance_correlation: float
    insurance_index: float | None
    """The true count from which insurance favours the player; None if the count does not tell."""
    ev_by_count: tuple[tuple[float, float], ...]
    """True counts, each with the value of a round."""
    ev_per_count: float
    """What a step of the true count is worth, around nothing."""
    even_at: float | None
    """The true count at which the round is even; None if not within reach."""
    indices: tuple[Index, ...]


def count_of(rules: Rulebook, decks: int = 0, stake: str = STAKE, progress: Progress | None = None) -> Count:
    """Effects of removal, a balanced count, and its indices."""
    packs = decks or rules.decks.default
    solver = Solver(rules, packs, stake=stake)
    work = _Work(progress, len(VALUES) + len(SUITED) + 2 * STEPS + 1)
    ev = float(solver.value())
    removals = effects_of_removal(solver, ev, work.done)
    effects = {one.rank: one.effect for one in removals}
    systems = tuple(best_tags(effects, level) for level in LEVELS)
    chosen = next((one for one in systems if one.betting_correlation >= GOOD_ENOUGH), systems[-1])
    shoes = list(_shoes(solver, chosen.tags, packs))
    points = [_at(solver.with_shoe(shoe), true_count, chosen.tags, work.done) for true_count, shoe in shoes]
    by_count = {one.true_count: one.ev for one in points}
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
    """How much of the work is done."""

    def __init__(self, progress: Progress | None, whole: int) -> None:
        self.progress, self.whole, self.so_far = progress, whole, 0

    def done(self) -> None:
        self.so_far += 1
        if self.progress:
            self.progress(min(self.so_far / self.whole, 1.0))


# --- effects of removal --------------------------------------------------------------------------------


def effects_of_removal(solver: Solver, ev: float, done: Callable[[], None] = lambda: None) -> tuple[Removal, ...]:
    """What each rank does when one card of it is gone; the suits of 6, 7 and 8 are averaged."""
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
    """How well tags follow effects of removal, over the cards of a pack.

    >>> f"{correlation(dict.fromkeys(RANKS, 0) | {'A': -1, '5': 1}, insurance_effects()):.3f}"
    '0.000'
    """
    mean = sum(effects.values()) / len(effects)
    parts = [(tags[rank], effect - mean) for rank, effect in effects.items()]
    whole = sqrt(sum(tag * tag for tag, _ in parts) * sum(effect * effect for _, effect in parts))
    return sum(tag * effect for tag, effect in parts) / whole if whole else 0.0


def insurance_effects() -> dict[str, float]:
    """What a card gone does to insurance, up to scale: a picture takes away a winner.

    >>> insurance_effects()["K"], insurance_effects()["5"]
    (-3.0, 1.0)
    """
    return {rank: -3.0 if rank in PICTURES else 1.0 for rank in RANKS}


def best_tags(effects: Mapping[str, float], level: int) -> System:
    """The balanced tags of at most this size that follow the effects best: a card worth removing has the higher tag.

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
    """The squared tags of a pack."""
    return COPIES * sum(tag * tag for tag in tags.values())


def _insurance_index(solver: Solver, tags: Tags) -> float | None:
    """Where the share of pictures reaches what the odds ask for."""
    tag = sum(tags[rank] for rank in PICTURES) / len(PICTURES)
    if not tag:
        return None
    share = len(PICTURES) / len(RANKS)
    wanted = float(1 / (1 + solver.game.insurance))
    return (1 - wanted / share) * _squares(tags) / tag


# --- shoes at a count ----------------------------------------------------------------------------------


def _shoes(solver: Solver, tags: Tags, packs: int) -> Iterator[tuple[float, Shoe]]:
    """Shoes at true counts from low to high, whole cards apart, the fresh shoe in the middle."""
    per_card = _squares(tags) / (COPIES * packs)
    step = max(1, round(FARTHEST / STEPS / per_card))
    fewest = COPIES * packs // 2
    for number in range(-STEPS, STEPS + 1):
        moved = number * step
        near = (abs(moved) - step) * per_card < FARTHEST
        if near and abs(moved) * max(abs(tag) for tag in tags.values()) <= fewest:
            yield moved * per_card, shoe_at(solver.shoe, tags, moved)


def shoe_at(shoe: Shoe, tags: Tags, moved: int) -> Shoe:
    """A shoe with `moved` cards of each rank gone for a tag of 1, as many added for a tag of -1; suits take turns.

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
    """All two-card hands of one kind against one first card: the chance of them, and of each decision the value."""

    chance: float = 0.0
    seen: float = 0.0
    """Tags of the three cards, times the chance."""
    values: dict[str, float] = {}
    """Times the chance; only decisions that all these hands may take."""


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
    for rank, first, number in solver.first_cards():
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
    """The decisions on two cards; the solver leaves out a split that cannot be best, an index may need it."""
    low, high = start.pair
    if low != high or low == PICTURE or "split" in start.values:
        return start.values
    whole = solver.start(start.first, start.pair, ranks=VALUES[low] + VALUES[high] + rank)
    return {**start.values, **{action: value for action, value in whole.values.items() if action == "split"}}


def _kind(start: Start) -> str:
    """What a player calls two cards: a pair, a soft or a hard total."""
    low, high = start.pair
    if low == high:
        return f"{VALUES[low]}-{VALUES[high]}"
    points = points_of(low) + points_of(high)
    return f"soft {points + SOFT_ACE}" if low == 0 else f"hard {points}"


# --- indices -------------------------------------------------------------------------------------------


def _indices(points: list[_Point], tags: Tags, packs: int) -> tuple[Index, ...]:
    """The deviations worth most, best first."""
    deviation = _deviation(tags, packs)
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
            at, worth = _crossing(line), _mean_gain(line, deviation)
            if at is not None and worth > 0:
                shown = (at * packs + square.seen / square.chance) / (packs - 3 / len(PACK))
                found.append(Index(hand, dealer, basic, action, shown, above=gains[-1] > gains[0], worth=worth))
    return tuple(sorted(found, key=lambda one: -one.worth)[:MOST_INDICES])


def _deviation(tags: Tags, packs: int) -> float:
    """How far the true count strays in a shoe half dealt.

    >>> f"{_deviation(dict.fromkeys(RANKS, 0) | dict.fromkeys('3456', 1) | dict.fromkeys('AJQK', -1), 8):.2f}"
    '2.00'
    """
    half = packs * len(PACK) / 2
    running = sqrt(_squares(tags) / len(PACK) * half * half / (2 * half - 1))
    return running / (packs / 2)


def _mean_gain(line: list[tuple[float, float]], deviation: float) -> float:
    """The mean of what is above nothing on a broken line, the true count being normal with this deviation."""
    total = whole = 0.0
    for (left, low), (right, high) in pairwise(line):
        for part in range(FINE):
            share = (part + 0.5) / FINE
            weight = exp(-(((left + (right - left) * share) / deviation) ** 2) / 2) * (right - left)
            total += weight * max(low + (high - low) * share, 0.0)
            whole += weight
    return total / whole


def _crossing(line: list[tuple[float, float]]) -> float | None:
    """Where a broken line through these points crosses nothing, nearest to a true count of nothing."""
    found = []
    for (left, low), (right, high) in pairwise(line):
        if low != high and (low <= 0 <= high or high <= 0 <= low):
            found.append(left + (right - left) * low / (low - high))
    return min(found, key=abs) if found else None
