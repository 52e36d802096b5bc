"""The figures of a whole game: the value of a round, its standard deviation, and the frequency of each payout.

>>> from pontoon.analysis import Solver
>>> from pontoon.rulebook import load
>>> edge = edge_of(Solver(load("adelaide"), 6))
>>> f"{edge.house_edge:.6f}", f"{edge.frequencies['pontoon']:.6f}"
('0.005928', '0.041812')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import sqrt

from pontoon.analysis import measures
from pontoon.analysis.answers import Edge
from pontoon.analysis.board import Board
from pontoon.analysis.measures import Measure, Number
from pontoon.analysis.solver import Solver, Start
from pontoon.analysis.splits import resplit
from pontoon.analysis.splits.joint_chances import RELIEF
from pontoon.analysis.splits.resplit import FROM_ONE, FROM_PAIR
from pontoon.analysis.splits.second_moment import mean_square
from pontoon.analysis.splits.split import SplitBox
from pontoon.cards import RANKS


def edge_of(solver: Solver, progress: Callable[[float], None] | None = None) -> Edge:
    """All figures of a game under the solver's play."""
    by_upcard = {}
    ev = squares = 0.0
    named = {**measures.ends(solver.game), "": measures.super_bonus(solver.game)}
    named = {name: measure.map(solver.arithmetic.number) for name, measure in named.items()}
    sums = dict.fromkeys(named, 0.0)
    done = 0.0
    for rank, first, count in solver.upcards():
        chance = count / solver.shoe.cards
        starts = [start for start in solver.starts(first, rank) if start.chance]
        here = float(sum(start.chance * start.value for start in starts))
        here += float(solver.insurance_against(first))
        by_upcard[rank] = here
        ev += chance * here
        squares += chance * _second_moment(solver, first, starts)
        for name, total in _counts(solver, first, starts, named).items():
            sums[name] += chance * total
        done += chance
        if progress:
            progress(done)
    super_bonus = sums.pop("")
    for rank in RANKS:
        by_upcard.setdefault(rank, by_upcard.get("K", 0.0))
    return Edge(
        ev=ev,
        house_edge=-ev,
        sd=sqrt(max(squares - ev * ev, 0.0)),
        ev_by_upcard={rank: by_upcard[rank] for rank in RANKS},
        frequencies=sums,
        super_bonus_value=super_bonus,
        hands=sum(value for name, value in sums.items() if name != "super_bonus"),
    )


def standard_deviation(solver: Solver) -> float:
    """The standard deviation of a round, without the other figures."""
    ev = squares = 0.0
    for rank, first, count in solver.upcards():
        chance = count / solver.shoe.cards
        starts = [start for start in solver.starts(first, rank) if start.chance]
        ev += chance * float(sum(start.chance * start.value for start in starts))
        squares += chance * _second_moment(solver, first, starts)
    return sqrt(max(squares - ev * ev, 0.0))


def _counts(solver: Solver, first: int, starts: list[Start], named: dict[str, Measure]) -> dict[str, float]:
    """The means of several measures against one upcard, under the best decisions."""
    board = solver.board(first)
    splits = _splits(starts)
    found = {}
    for name, measure in named.items():
        other = board.under(measure, spoilt=solver.spoilt)
        total = sum(
            (start.chance * play_value(solver, other, start, measure) for start in starts if start.best != "split"), 0.0
        )
        for (pair, of_pair), chance in splits.items():
            total += chance * _split(solver, first, pair, of_pair, measure)
        found[name] = float(total)
    return found


def _splits(starts: list[Start]) -> dict[tuple[int, int], float]:
    """The pairs that are split, with their probabilities; the suits of the pair are averaged."""
    found: dict[tuple[int, int], float] = {}
    for start in starts:
        if start.best == "split":
            key = (start.pair[0], start.of_pair)
            found[key] = found.get(key, 0.0) + float(start.chance)
    return found


def play_value(solver: Solver, board: Board, start: Start, measure: Measure) -> Number:
    """The mean of a measure over one start that is not split."""
    hand = solver.table.hands.two(*start.pair)
    natural = board.chance_of_natural(hand)
    best = start.best
    lost = natural * measure.lose * solver.spoilt
    if best == "paid":
        return (
            measure.rows["pontoon"]
            if solver.game.twenty_one_wins
            else (measure.rows["pontoon"] * (1 - natural) + measure.natural_pontoon * natural)
        )
    if best == "surrender":
        return measure.surrender * (1 - natural) + measure.surrender_pontoon * natural + lost
    value = board.quality[hand, board.aces(hand), {"stand": 0, "hit": 1, "double": 2}[best]]
    if best == "hit" and start.suit:
        value = value + solver.suited_hit(board, start.pair, start.suit, start.first_suit, measure)
    return value + lost


def _split(solver: Solver, first: int, pair: int, of_pair: int, measure: Measure) -> float:
    """The mean of a measure over all hands of a split."""
    box = solver.split_box(first, pair)
    _, taken, most = solver.split_total(first, pair, of_pair)
    relieved = box.game.collects in RELIEF and box.natural >= 0
    free = replace(measure, pontoon=0.0, doubled_pontoon=0.0) if relieved else measure
    total = box.total((free, free), of_pair, most)
    value = total.mean(solver.suits_without(first, ""))
    if relieved:
        undecided = replace(measures.nothing(), pontoon=1, doubled_pontoon=1).map(float)
        nothing = measures.nothing().map(float)
        every = float(box.total((undecided, undecided), of_pair, most).base)
        if box.game.collects == "original_tracked":
            taken = taken + box.total((undecided, nothing), of_pair, most).base
        value += measure.pontoon * taken + measure.tie * (every - taken)
    return float(value)


def _second_moment(solver: Solver, first: int, starts: list[Start]) -> float:
    """The mean square of a round against one upcard."""
    squared = solver.money.map(lambda value: value * value)
    if solver.spoilt:
        squared = replace(squared, lose=1.0)
    board = solver.board(first).under(squared, spoilt=solver.spoilt)
    total = sum(
        (start.chance * play_value(solver, board, start, squared) for start in starts if start.best != "split"), 0.0
    )
    for (pair, of_pair), chance in _splits(starts).items():
        box, (_, _, most) = solver.split_box(first, pair), solver.split_total(first, pair, of_pair)
        total += chance * mean_square(box, of_pair, most, solver.money, solver.suits_without(first, ""))
    return float(total)


def hands_formed(box: SplitBox, of_pair: int, most: int) -> dict[int, float]:
    """The probability that a split ends with two, three or four hands.

    >>> from pontoon.rulebook import load
    >>> box = Solver(load("federal"), 8).split_box(6, 7)
    >>> {number: round(chance, 3) for number, chance in hands_formed(box, 30, 3).items()}
    {2: 0.849, 3: 0.151}
    """
    weights = resplit.weights(of_pair, box.cards, most)
    mean = float(weights[:, FROM_ONE].sum() + weights[:, FROM_PAIR].sum())
    found = {2: 1.0}
    if most > 2:
        at_three = resplit.weights(of_pair, box.cards, 3)
        more = float(at_three[:, FROM_ONE].sum() + at_three[:, FROM_PAIR].sum()) - 2
        found = {2: 1 - more, 3: more - (mean - 2 - more), 4: mean - 2 - more}
    return {number: chance for number, chance in found.items() if chance > 0}
