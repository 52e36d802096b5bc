"""Counting cards: exact effects of removal, what any count is worth against them, and every index.

>>> from pontoon.rulebook import load
>>> found = effects_of_removal(Solver(load("adelaide"), 3), None)
>>> min(found, key=lambda removal: removal.effect).rank, max(found, key=lambda removal: removal.effect).rank
('A', '5')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from pontoon.analysis.counting.indices import (
    Index,
    Line,
    Point,
    crossing,
    indices_of,
    lines_of,
    playing_efficiency,
    solve,
)
from pontoon.analysis.counting.tags import (
    PICTURES,
    Tags,
    best_tags,
    correlation,
    insurance_effects,
    known_counts,
    multiple_correlation,
    side_count,
)
from pontoon.analysis.counting.true_count import Frequency, farthest, frequencies, shoe_at, spread_at
from pontoon.analysis.edge import standard_deviation
from pontoon.analysis.hands import SUITS, VALUES
from pontoon.analysis.shoe import Shoe
from pontoon.analysis.solver import Solver
from pontoon.cards import PACK, RANKS, Card
from pontoon.frames import Row, Tabular
from pontoon.rulebook import Rulebook

Progress = Callable[[float], None]
STAKE = "10"
COPIES = len(SUITS)
LEVELS = (1, 2, 3)
"""Maximum absolute tags tried."""
GOOD_ENOUGH = 0.95
"""A correlation above which larger tags are not worth the effort."""
PENETRATION = 0.75
STEPS = (0.75, 1.5, 2.5, 4.0)
"""True counts whose shoes are solved on either side of neutral, in standard deviations at the cutting card."""
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


class System(Struct, frozen=True):
    """A count and how well it fits."""

    name: str
    tags: dict[str, int]
    level: int
    imbalance: int
    """Sum of the tags of a pack; the running count starts at minus this, times the packs."""
    betting_correlation: float
    insurance_correlation: float


class Fit(Struct, frozen=True):
    """How well the count fits, alone or with side counts."""

    side_counts: tuple[str, ...]
    betting_correlation: float
    insurance_correlation: float
    playing_efficiency: float


class Count(Struct, Tabular, frozen=True):
    """Everything about counting a game."""

    ev: float
    removals: tuple[Removal, ...]
    systems: tuple[System, ...]
    """The best count of each level, balanced or not, then the best balanced one of each level."""
    known: tuple[System, ...]
    """The well-known counts."""
    name: str
    tags: dict[str, int]
    """The tags of the count used below."""
    level: int
    neutral: int
    """The true count of a fresh shoe: the running count starts at this times the packs."""
    penetration: float
    fit: Fit
    with_side_counts: Fit | None
    insurance_index: float | None
    """The true count from which insurance favours the player; None if the count says nothing about it."""
    insurance_reached: bool
    """Whether that count occurs before the cutting card at least once in a million rounds."""
    ev_by_count: tuple[tuple[float, float], ...]
    """True counts with the value of a round, played by the count."""
    sd_by_count: tuple[tuple[float, float], ...]
    """Some true counts with the standard deviation of a round."""
    ev_per_count: float
    """Value of one step of the true count, near neutral."""
    even_at: float | None
    """The true count at which a round is even; None if it is out of range."""
    frequencies: tuple[Frequency, ...]
    """How often each true count occurs."""
    indices: tuple[Index, ...]
    """Every decision that changes with the count, most valuable first."""
    index_gain: float
    """What all of them together are worth per round, in first wagers: each at its best, not added twice."""

    def rows(self) -> list[Row]:
        """One row for every decision that changes with the count, most valuable first."""
        return [asdict(index) for index in self.indices]

    @property
    def betting_correlation(self) -> float:
        """The betting correlation of the count alone."""
        return self.fit.betting_correlation

    @property
    def insurance_correlation(self) -> float:
        """The insurance correlation of the count alone."""
        return self.fit.insurance_correlation


class Asked(NamedTuple):
    """What to find out about a count."""

    tags: Tags | None = None
    """None: the count of the lowest level that fits well."""
    sides: tuple[str, ...] = ()
    """Ranks counted on the side; T for the pictures."""
    penetration: float = PENETRATION
    balanced: bool = False
    """Whether a count that is chosen must be balanced."""
    indices: bool = True
    """Whether decisions are examined; without them it is much faster."""


def count_of(
    rules: Rulebook, decks: int = 0, stake: str = STAKE, progress: Progress | None = None, asked: Asked | None = None
) -> Count:
    """Effects of removal, the count asked for or the simplest good one, and its indices."""
    asked = asked or Asked()
    packs = decks or rules.decks.default
    solver = Solver(rules, packs, stake=stake)
    work = _Work(progress, len(VALUES) + len(SUITED) + 2 * len(STEPS) + 1)
    squares = _Squares(solver, work, asked)
    removals = effects_of_removal(solver, squares)
    effects = {removal.rank: removal.effect for removal in removals}
    systems = _best(effects)
    chosen = asked.tags or _chosen([system for system in systems if not (asked.balanced and system.imbalance)])
    points = squares.at_counts(chosen, packs)
    often = frequencies(chosen, packs, asked.penetration)
    by_count = [(point.true_count, point.ev) for point in points]
    middle = len(points) // 2
    (below, low), (above, high) = by_count[middle - 1], by_count[middle + 1]
    lines = list(lines_of([*points, *squares.without], middle)) if asked.indices else []
    indices = indices_of(lines, [point.true_count for point in points], chosen, packs, often, len(squares.without))
    insurance = _insurance_index(solver, chosen)
    spread = spread_at(chosen, packs, asked.penetration)
    return Count(
        ev=by_count[middle][1],
        removals=removals,
        systems=systems,
        known=tuple(_system(known, effects) for known in known_counts().values()),
        name=chosen.name,
        tags=chosen.tags,
        level=chosen.level,
        neutral=chosen.neutral,
        penetration=asked.penetration,
        fit=_fit((), chosen, effects, lines, (middle, len(points), packs, asked.penetration)),
        with_side_counts=(
            _fit(asked.sides, chosen, effects, lines, (middle, len(points), packs, asked.penetration))
            if asked.sides
            else None
        ),
        insurance_index=insurance,
        insurance_reached=insurance is not None and insurance - chosen.neutral < RARE * spread,
        ev_by_count=tuple(by_count),
        sd_by_count=tuple(squares.swings),
        ev_per_count=(high - low) / (above - below),
        even_at=crossing(by_count, chosen.neutral),
        frequencies=often,
        indices=indices,
        index_gain=_together(indices),
    )


RARE = 4.75
"""Standard deviations beyond which a true count occurs less than once in a million rounds."""


class _Work:
    """Progress of the calculation."""

    def __init__(self, progress: Progress | None, whole: int) -> None:
        self.progress, self.whole, self.so_far = progress, whole, 0

    def done(self) -> None:
        self.so_far += 1
        if self.progress:
            self.progress(min(self.so_far / self.whole, 1.0))


class _Squares:
    """Shoes solved square by square, or only valued if no decision is asked for."""

    def __init__(self, solver: Solver, work: _Work, asked: Asked) -> None:
        self.solver, self.work, self.asked = solver, work, asked
        self.without: list[Point] = []
        """The shoes without a card of each value."""
        self.swings: list[tuple[float, float]] = []
        """True counts with the standard deviation of a round."""

    def point(
        self, shoe: Shoe, true_count: float, tags: Sequence[int], *, squares: bool, swings: bool = False
    ) -> Point:
        solver = self.solver.with_shoe(shoe)
        if squares and self.asked.indices:
            found = solve(solver, true_count, tags)
        else:
            found = Point(true_count, float(solver.value()), None, None)
        if swings:
            self.swings.append((true_count, standard_deviation(solver)))
        self.work.done()
        return found

    def removal(self, card: Card, *, squares: bool) -> float:
        """The value of a shoe without a card."""
        point = self.point(self.solver.shoe.without((card,)), 0.0, [0] * len(VALUES), squares=squares)
        if squares and self.asked.indices:
            self.without.append(point)
        return point.ev

    def at_counts(self, count: Tags, packs: int) -> list[Point]:
        """The mean shoes at true counts from low to high, with the fresh shoe in the middle."""
        spread, most = spread_at(count, packs, PENETRATION), farthest(count)
        steps = [step * spread for step in STEPS if step * spread <= most] or [most]
        tags = [count.tags["K" if value == "K" else value] for value in VALUES]
        offsets = [-step for step in reversed(steps)] + [0.0] + steps
        found = []
        for number, away in enumerate(offsets):
            shoe = shoe_at(self.solver.shoe, count, count.neutral + away)
            swings = abs(number - len(steps)) in (0, min(2, len(steps)))
            found.append(self.point(shoe, count.neutral + away, tags, squares=True, swings=swings))
        return found


# --- effects of removal --------------------------------------------------------------------------------


def effects_of_removal(solver: Solver, squares: _Squares | None) -> tuple[Removal, ...]:
    """The effect of removing one card of each rank; the suits of 6, 7 and 8 are averaged."""
    squares = squares or _Squares(solver, _Work(None, 1), Asked(indices=False))
    ev = float(solver.value())
    alike = len(solver.game.surrender & {*PICTURES}) in (0, len(PICTURES))
    found: dict[str, Removal] = {}
    for rank in RANKS:
        if rank in PICTURES[1:] and alike:
            first = found[PICTURES[0]]
            found[rank] = Removal(rank, first.effect, first.per_pack, first.spade)
            continue
        plain = spade = squares.removal(Card(rank + "h"), squares=rank not in PICTURES[1:]) - ev
        if rank in SUITED:
            spade = squares.removal(Card(rank + "s"), squares=False) - ev
        effect = (plain * (COPIES - 1) + spade) / COPIES
        scale = (solver.shoe.cards - 1) / (len(PACK) - 1)
        found[rank] = Removal(rank, effect, effect * scale, spade)
    return tuple(found.values())


# --- counts --------------------------------------------------------------------------------------------


def _best(effects: dict[str, float]) -> tuple[System, ...]:
    free = (_system(best_tags(effects, level), effects) for level in LEVELS)
    return (*free, *(_system(best_tags(effects, level, balanced=True), effects) for level in LEVELS))


def _system(count: Tags, effects: dict[str, float]) -> System:
    fits = correlation(count.tags, effects), correlation(count.tags, insurance_effects())
    return System(count.name, count.tags, count.level, count.imbalance, *fits)


def _chosen(systems: Sequence[System]) -> Tags:
    """The count of the lowest level that fits well; under its usual name if it has one."""
    good = (system for system in systems if system.betting_correlation >= GOOD_ENOUGH)
    system = next(good, systems[len(LEVELS) - 1])
    known = (count for count in known_counts().values() if count.tags == system.tags)
    return next(known, Tags(system.name, system.tags))


def _fit(
    sides: tuple[str, ...],
    count: Tags,
    effects: dict[str, float],
    lines: Sequence[Line],
    where: tuple[int, int, int, float],
) -> Fit:
    middle, number, packs, penetration = where
    knows: list[Mapping[str, float]] = [count.tags, *(side_count(rank) for rank in sides)]
    return Fit(
        sides,
        multiple_correlation(knows, effects),
        multiple_correlation(knows, insurance_effects()),
        playing_efficiency(lines, middle, number, count, sides, (packs, penetration)) if lines else 0.0,
    )


def _insurance_index(solver: Solver, count: Tags) -> float | None:
    """The true count at which the share of pictures makes insurance even."""
    tag = sum(count.centred[rank] for rank in PICTURES) / len(PICTURES)
    if abs(tag) < 1e-9:
        return None
    share = len(PICTURES) / len(RANKS)
    wanted = float(1 / (1 + solver.game.insurance))
    return count.neutral + (1 - wanted / share) * count.squares / tag


def _together(indices: Sequence[Index]) -> float:
    """The sum over squares of the most that one deviation gains there."""
    best: dict[tuple[str, str, str, str], float] = {}
    for index in indices:
        key = (index.hand, index.dealer, index.cards, index.suits)
        best[key] = max(best.get(key, 0.0), index.worth)
    return sum(best.values())
