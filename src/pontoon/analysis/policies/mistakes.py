"""The exact value of any strategy, and what each of its mistakes costs.

The loss of a strategy against best play is a sum over the decisions it faces: how often it faces each, times what its
choice there costs if play is best from then on. The sum is exact, not an estimate; only the hands of a
split, whose play is one decision here, are listed as one entry for each pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from msgspec import Struct

from pontoon.analysis import kernels
from pontoon.analysis.board import Array, Board
from pontoon.analysis.charts.squares import grown
from pontoon.analysis.hands import ACE, VALUES
from pontoon.analysis.solver import Solver, Start
from pontoon.cards import LIMIT
from pontoon.cards.hand import SOFT_ACE

NAMES = ("stand", "hit", "double")


class Mistake(Struct, frozen=True):
    """A decision that a strategy makes and best play would not."""

    hand: str
    """`hard 16`, `soft 18`, `8-8`, `doubled 17`, or `hands of split 8-8`."""
    dealer: str
    plays: str
    best: str
    chance: float
    """How often per round."""
    cost: float
    """Cost per round, in first wagers."""


class Valued(Struct, frozen=True):
    """A strategy against best play."""

    ev: float
    ev_optimal: float
    cost: float
    mistakes: tuple[Mistake, ...]
    """The mistakes that make up the cost, the most expensive first."""


def mistakes_of(best: Solver, playing: Solver) -> Valued:
    """The mistakes of a solver that follows a strategy, against one of the same game and shoe that plays best."""
    return valued(best, playing, lambda first, rank: _against(best, playing, first, rank))


def valued(best: Solver, playing: Solver, against: Callable[[int, str], Iterable[Mistake]]) -> Valued:
    """The value of a strategy compared with best play, and its mistakes; `against` gives those against one upcard."""
    found: dict[tuple[str, str, str, str], list[float]] = {}
    ev = optimal = 0.0
    for rank, first, count in best.upcards():
        upcard = count / best.shoe.cards
        ev += upcard * float(playing.value_against(first, rank))
        optimal += upcard * float(best.value_against(first, rank))
        for mistake in against(first, rank):
            key = (mistake.hand, mistake.dealer, mistake.plays, mistake.best)
            entry = found.setdefault(key, [0.0, 0.0])
            entry[0] += upcard * mistake.chance
            entry[1] += upcard * mistake.cost
    listed = (Mistake(*key, chance, cost) for key, (chance, cost) in found.items() if abs(cost) > 1e-12)
    return Valued(ev, optimal, optimal - ev, tuple(sorted(listed, key=lambda row: -row.cost)))


def _against(best: Solver, playing: Solver, first: int, rank: str) -> Iterator[Mistake]:
    """The mistakes against one upcard, with probabilities given the upcard."""
    board, followed = best.board(first), playing.board(first)
    count = len(board.table.hands.hard)
    hit, double = np.zeros((count, 3)), np.zeros((count, 3))
    dealer = "10" if VALUES[first] == "K" else VALUES[first]
    for found, start in zip(best.starts(first, rank), playing.starts(first, rank), strict=True):
        chance = float(start.chance)
        if not chance or "paid" in start.values:
            continue
        ideal = with_action(best, found, start.best, rank)
        two = board.table.hands.two(*start.pair)
        hit[two, board.aces(two)] += chance * (start.best == "hit")
        double[two, board.aces(two)] += chance * (start.best == "double")
        if start.best != ideal.best:
            lost = float(ideal.value - ideal.values[start.best])
            yield Mistake(start_name(start), dealer, start.best, ideal.best, chance, chance * lost)
        if start.best == "split":
            lost = float(ideal.values["split"] - start.values["split"])
            yield Mistake(f"hands of split {start_name(start)}", dealer, "", "", chance, chance * lost)
    insured = float(best.insurance_against(first)) - float(playing.insurance_against(first))
    if insured:
        yield Mistake("insurance", dealer, "taken", "declined", 1.0, insured)
    reached = grown(board, followed.act, hit)
    yield from _longer(board, followed, reached, dealer)
    yield from forfeits(best, followed, double + reached * (followed.act == kernels.DOUBLE), dealer)


def with_action(best: Solver, start: Start, action: str, rank: str) -> Start:
    """The same start with a value for this action: a split that cannot be best is left out at first."""
    if action in start.values:
        return start
    low, high = start.pair
    ranks = VALUES[low] + VALUES[high] + rank
    return best.start(start.first, start.pair, ranks=ranks, suits=(start.suit, start.suit), suit=start.first_suit)


def start_name(start: Start) -> str:
    """The two cards dealt, in the words of a chart."""
    low, high = start.pair
    if low == high:
        return "-".join("10" if VALUES[low] == "K" else VALUES[low] for _ in "12")
    points = low + high + 2
    return f"soft {points + SOFT_ACE}" if low == ACE else f"hard {points}"


def _longer(board: Board, followed: Board, reached: Array, dealer: str) -> Iterator[Mistake]:
    hands = board.table.hands
    rows, aces = np.nonzero((reached > 0) & ((board.flags & kernels.PAID) == 0)[:, None])
    for row, column in zip(rows.tolist(), aces.tolist(), strict=True):
        plays, ideal = int(followed.act[row, column]), int(board.act[row, column])
        if plays != ideal:
            quality = board.quality[row, column].tolist()
            chance = float(reached[row, column])
            total, soft = int(hands.best[row]), hands.best[row] != hands.hard[row]
            name = f"{'soft' if soft else 'hard'} {total}"
            yield Mistake(name, dealer, NAMES[plays], NAMES[ideal], chance, chance * (quality[ideal] - quality[plays]))


def forfeits(best: Solver, followed: Board, double: Array, dealer: str) -> Iterator[Mistake]:
    """Doubles kept or forfeited wrongly; `drop` of the play that is followed holds 0, 1 or the chance of a forfeit."""
    board, money = best.board(followed.first), best.money
    hands, against = board.table.hands, board.arithmetic.kernel["against"]
    pays = (money.doubled_win, money.doubled_lose, money.doubled_tie, money.doubled_pontoon)
    rows, aces = np.nonzero(double > 0)
    for row, column in zip(rows.tolist(), aces.tolist(), strict=True):
        fixed = kernels.fixed_aces(board.switches, hands.counts[row, ACE], column)
        for drawn in range(10):
            after = int(hands.more[row, drawn])
            left = board.values[drawn] - hands.counts[row, drawn]
            if after < 0 or left <= 0:
                continue
            soft = kernels.soft_when_doubled(board.switches, hands.counts[after, ACE], fixed, hands.hard[after])
            total, should = int(hands.hard[after] + soft * SOFT_ACE), bool(board.drop[after, soft])
            gives = float(followed.drop[after, soft])
            wrong = 1 - gives if should else gives
            if total < LIMIT and wrong:
                chance = wrong * float(double[row, column] * left / (board.cards - hands.size[row]))
                lost = abs(float(against(board.results[after], total, *pays)) - float(money.forfeit))
                names = ("keep", "forfeit") if should else ("forfeit", "keep")
                yield Mistake(f"doubled {total}", dealer, *names, chance, chance * lost)
