"""A session with a bankroll: the distribution of its result, its low point, and the probability of ruin.

A round is a step of a random walk: its net has the same distribution every time. A session ends when its rounds are
played or when the player is ruined, that is, has less than one stake left. Doubles and splits are made whatever is
left, so a lost one may take the bankroll below zero.

Three dollars staked one at a time on a fair coin are lost after three tosses with probability 1/8:

>>> coin = steps_of({-100: 1, 100: 1})
>>> found = outlook(coin, Session(bankroll=300, stake=100, rounds=4))
>>> round(found.ruin, 6), round(found.ahead, 6)
(0.125, 0.3125)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Results = NDArray[np.signedinteger[Any]]
PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)
MOMENTS = 60
"""Maximum number of points at which the session is described."""
FAR = 10.0
"""Standard deviations beyond which results are ignored: a probability below 1e-22."""
MOST_WORK = 4e9
"""Maximum number of additions in an exact calculation: a few seconds."""
CELLS = 1 << 22
"""Steps drawn at a time."""
TILT_ROUNDS = 50


class Steps(Struct, frozen=True):
    """The distribution of a round's net: nets in cents, ascending, and their probabilities."""

    nets: tuple[int, ...]
    chances: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Mean net of a round, in cents."""
        return math.fsum(net * chance for net, chance in zip(self.nets, self.chances, strict=True))

    @property
    def sd(self) -> float:
        """Standard deviation of a round's net, in cents."""
        squares = math.fsum(net * net * chance for net, chance in zip(self.nets, self.chances, strict=True))
        return math.sqrt(max(squares - self.mean**2, 0.0))


class Session(Struct, frozen=True):
    """A session: bankroll and stake in cents, and the number of rounds to play."""

    bankroll: int
    stake: int
    rounds: int


class Moment(Struct, frozen=True):
    """A session after some rounds: results in cents by percentile, and the probability of ruin so far."""

    rounds: int
    percentiles: dict[int, int]
    ruin: float


class Outlook(Struct, frozen=True):
    """How a session may end. Results are cents won or lost; a ruined player keeps what is left."""

    mean: float
    sd: float
    percentiles: dict[int, int]
    ahead: float
    even: float
    ruin: float
    low_point: float
    """Mean of the session's lowest result."""
    ends: tuple[tuple[int, float], ...]
    """Every result with its probability."""
    moments: tuple[Moment, ...]
    sessions: int = 0
    """Number of sessions drawn; 0: the probabilities are exact for the given steps."""

    @property
    def ruin_error(self) -> float:
        """Standard error of `ruin`; 0 if no sessions were drawn."""
        return math.sqrt(self.ruin * (1 - self.ruin) / self.sessions) if self.sessions else 0.0


def steps_of(distribution: Mapping[int, int], mean: float | None = None) -> Steps:
    """The distribution of a round's net from counted nets.

    If the exact mean net is known, the counted probabilities are tilted towards it, each by a factor exponential in the
    net: of all distributions with this mean it is the one nearest to the counts (in relative entropy).

    >>> tilted = steps_of({-100: 500, 100: 500}, mean=-2.0)
    >>> tilted.nets, [round(chance, 6) for chance in tilted.chances]
    ((-100, 100), [0.51, 0.49])
    """
    nets = sorted(net for net, count in distribution.items() if count)
    counts = np.array([distribution[net] for net in nets], np.float64)
    chances = counts / counts.sum()
    if mean is not None and len(nets) > 1:
        chances = _tilted(np.array(nets, np.float64), chances, mean)
    return Steps(tuple(nets), tuple(chances.tolist()))


def _tilted(nets: Floats, chances: Floats, mean: float) -> Floats:
    tilt = 0.0
    weights = chances
    for _ in range(TILT_ROUNDS):
        here = float(weights @ nets)
        spread = float(weights @ (nets - here) ** 2)
        move = (mean - here) / spread
        tilt += move
        weights = chances * np.exp(tilt * nets)
        weights /= weights.sum()
        if abs(move) * math.sqrt(spread) < 1e-14:
            break
    return weights


class _Walk:
    """The session on a grid: results and steps in units, and where ruin begins."""

    def __init__(self, steps: Steps, session: Session) -> None:
        self.session = session
        self.unit = reduce(math.gcd, (abs(net) for net in steps.nets)) or 1
        self.moves = [net // self.unit for net in steps.nets]
        self.chances = steps.chances
        self.down, self.up = min(*self.moves, 0, 0), max(*self.moves, 0, 0)
        self.alive = -((session.bankroll - session.stake) // self.unit)
        """Lowest result, in units, with which a player can still cover a stake."""
        stray = (abs(steps.mean) * session.rounds + FAR * steps.sd * math.sqrt(session.rounds)) / self.unit
        far = math.ceil(stray) + 1
        self.deep = max(-far, self.down * session.rounds)
        self.floor = max(self.alive, self.deep)
        self.top = min(far + 2 * self.up, self.up * session.rounds)

    @property
    def work(self) -> float:
        """Number of additions in an exact calculation."""
        return 2.0 * self.session.rounds * len(self.moves) * (self.top - self.floor + self.up - self.down)

    def moments(self) -> list[int]:
        """The numbers of rounds after which the session is described."""
        times = min(MOMENTS, self.session.rounds)
        return sorted({round(self.session.rounds * time / times) for time in range(times + 1)})

    def added(self, alive: Floats) -> Floats:
        """After one more round: the probabilities of results from `floor + down` to `top + up`."""
        grown = np.zeros(len(alive) + self.up - self.down)
        for move, chance in zip(self.moves, self.chances, strict=True):
            place = move - self.down
            grown[place : place + len(alive)] += chance * alive
        return grown


def outlook(steps: Steps, session: Session, *, sessions: int = 0, seed: int = 1) -> Outlook:
    """How a session may end: exact for these steps, or estimated from `sessions` drawn sessions.

    Exact: the probability of every amount is carried from round to round, and stays where the player is ruined.
    """
    walk = _Walk(steps, session)
    return _drawn(walk, sessions, seed) if sessions else _exact(walk)


def work_of(steps: Steps, session: Session) -> float:
    """Number of additions in an exact calculation, to compare with `MOST_WORK`."""
    return _Walk(steps, session).work


def _exact(walk: _Walk) -> Outlook:
    below = -walk.down
    """Number of results below `floor`, at which a session is over."""
    held = np.zeros(below + walk.top - walk.floor + 1)
    held[below - walk.floor] = 1.0
    results = np.arange(walk.floor + walk.down, walk.top + 1)
    ruined = results < walk.alive
    looks = set(walk.moments())
    moments = []
    for played in range(walk.session.rounds + 1):
        if played:
            grown = walk.added(held[below:])
            grown[len(held) - 1] += grown[len(held) :].sum()
            grown[:below] += held[:below]
            held = grown[: len(held)]
        if played in looks:
            moments.append(Moment(played, _percentiles(walk, results, held), float(held[ruined].sum())))
    low = _low_point(walk, results[ruined], held[ruined])
    return _figures(walk, results, held, moments, low)


def _low_point(walk: _Walk, ruined: Results, chances: Floats) -> float:
    """Mean of the lowest result, in units.

    The minimum over n steps is distributed like min(0, step + minimum over n - 1 steps): the walk read backwards. That
    holds for a walk that is not stopped; a ruined one has its lowest point where it ended.
    """
    lowest = np.zeros(1 - walk.deep)
    lowest[-1] = 1.0
    for _ in range(walk.session.rounds):
        grown = walk.added(lowest)
        lowest = grown[-walk.down : len(lowest) - walk.down]
        lowest[0] += grown[: -walk.down].sum()
        lowest[-1] += grown[len(grown) - walk.up :].sum()
    results = np.arange(walk.deep, 1)
    solvent = results >= walk.alive
    return float(results[solvent] @ lowest[solvent] + ruined @ chances)


def _drawn(walk: _Walk, sessions: int, seed: int) -> Outlook:
    """Estimate from drawn sessions: for sessions too large for the exact calculation, and to check it."""
    generator = np.random.Generator(np.random.PCG64(seed))
    bounds = np.cumsum(walk.chances)[:-1]
    moves = np.array(walk.moves, np.int32)
    looks = np.array(walk.moments())
    rounds = walk.session.rounds
    at_once = max(1, CELLS // rounds)
    seen = np.zeros((len(looks), sessions), np.int32)
    lows = np.zeros(sessions, np.int32)
    for first in range(0, sessions, at_once):
        some = min(at_once, sessions - first)
        path = np.zeros((some, rounds + 1), np.int32)
        np.cumsum(
            moves[np.searchsorted(bounds, generator.random((some, rounds)), side="right")], axis=1, out=path[:, 1:]
        )
        over = path < walk.alive
        end = np.where(over.any(axis=1), over.argmax(axis=1), rounds)
        places = np.minimum(looks[:, None], end[None, :])
        seen[:, first : first + some] = path[np.arange(some)[None, :], places]
        path[np.arange(rounds + 1)[None, :] > end[:, None]] = 0
        lows[first : first + some] = path.min(axis=1)
    moments = []
    for played, row in zip(looks.tolist(), seen, strict=True):
        results, counts = np.unique(row, return_counts=True)
        share = counts / sessions
        ruin = float(share[results < walk.alive].sum())
        moments.append(Moment(played, _percentiles(walk, results, share), ruin))
    results, counts = np.unique(seen[-1], return_counts=True)
    return _figures(walk, results, counts / sessions, moments, float(lows.mean()), sessions)


def _percentiles(walk: _Walk, results: Results, chances: Floats) -> dict[int, int]:
    sums = np.cumsum(chances)
    places = np.searchsorted(sums, np.array(PERCENTILES) / 100 - 1e-12)
    return {
        percent: int(results[min(place, len(results) - 1)]) * walk.unit
        for percent, place in zip(PERCENTILES, places, strict=True)
    }


def _figures(
    walk: _Walk, results: Results, chances: Floats, moments: list[Moment], low: float, sessions: int = 0
) -> Outlook:
    mean = float(results @ chances)
    squares = float((results.astype(np.float64) - mean) ** 2 @ chances)
    there = np.flatnonzero(chances > 0)
    return Outlook(
        mean=mean * walk.unit,
        sd=math.sqrt(squares) * walk.unit,
        percentiles=_percentiles(walk, results, chances),
        ahead=float(chances[results > 0].sum()),
        even=float(chances[results == 0].sum()),
        ruin=float(chances[results < walk.alive].sum()),
        low_point=low * walk.unit,
        ends=tuple((int(results[place]) * walk.unit, float(chances[place])) for place in there),
        moments=tuple(moments),
        sessions=sessions,
    )


class Bar(Struct, frozen=True):
    """A bar of a histogram: results from `low` up to but not `high`, in cents."""

    low: int
    high: int
    chance: float


def bars(ends: Sequence[tuple[int, float]], width: int, *, low: int, high: int) -> list[Bar]:
    """Results in bars of one width, aligned to 0; the outermost bars include everything beyond.

    >>> [(bar.low, bar.chance) for bar in bars([(-100, 0.25), (0, 0.25), (900, 0.5)], 100, low=-100, high=150)]
    [(-100, 0.25), (0, 0.25), (100, 0.5)]
    """
    first, last = low // width, (high - 1) // width
    held = [0.0] * (last - first + 1)
    for result, chance in ends:
        held[min(max(result // width, first), last) - first] += chance
    return [Bar((first + place) * width, (first + place + 1) * width, chance) for place, chance in enumerate(held)]
