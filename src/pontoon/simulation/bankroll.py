"""A session with a bankroll: how it may end, how low it may sink, how likely it is to be ruined.

A round is a step of a random walk: its net has the same chances every time, whatever came before. A session ends when
its rounds are played or when the player is ruined, that is, has less than one stake left. Doubles and splits are made
whatever is left, so a lost one may take the money below nothing.

Three dollars on a fair coin, one a toss, are gone after the third with one chance in eight:

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
"""How many times the session is looked at on its way, at most."""
FAR = 10.0
"""Standard deviations beyond which nobody strays: a chance below 1e-22."""
MOST_WORK = 4e9
"""Additions that an exact calculation may take: some seconds."""
CELLS = 1 << 22
"""Steps drawn at a time."""
LEAN_ROUNDS = 50


class Steps(Struct, frozen=True):
    """What a round may come to: nets in cents, rising, each with its chance."""

    nets: tuple[int, ...]
    chances: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean net of a round, in cents."""
        return math.fsum(net * chance for net, chance in zip(self.nets, self.chances, strict=True))

    @property
    def sd(self) -> float:
        """The standard deviation of the net of a round, in cents."""
        squares = math.fsum(net * net * chance for net, chance in zip(self.nets, self.chances, strict=True))
        return math.sqrt(max(squares - self.mean**2, 0.0))


class Session(Struct, frozen=True):
    """What is risked: money in cents, and the rounds that are to be played."""

    bankroll: int
    stake: int
    rounds: int


class Moment(Struct, frozen=True):
    """A session on its way: results so far in cents by percentile, the chance to have been ruined by then."""

    rounds: int
    percentiles: dict[int, int]
    ruin: float


class Outlook(Struct, frozen=True):
    """How a session may end. Results are cents won or lost; a ruined player keeps what was left."""

    mean: float
    sd: float
    percentiles: dict[int, int]
    ahead: float
    even: float
    ruin: float
    low_point: float
    """The mean of the lowest the result ever was."""
    ends: tuple[tuple[int, float], ...]
    """Every result with its chance."""
    moments: tuple[Moment, ...]
    sessions: int = 0
    """Sessions drawn; 0: the chances are exact for the steps given."""

    @property
    def ruin_error(self) -> float:
        """The standard error of `ruin`: 0 where nothing was drawn."""
        return math.sqrt(self.ruin * (1 - self.ruin) / self.sessions) if self.sessions else 0.0


def steps_of(distribution: Mapping[int, int], mean: float | None = None) -> Steps:
    """Counted nets of rounds as steps.

    Where the mean net is known exactly, the counted chances are leaned to it, each by a factor that grows with the
    net: among all that have this mean they are the nearest to what was counted.

    >>> leaned = steps_of({-100: 500, 100: 500}, mean=-2.0)
    >>> leaned.nets, [round(chance, 6) for chance in leaned.chances]
    ((-100, 100), [0.51, 0.49])
    """
    nets = sorted(net for net, count in distribution.items() if count)
    counts = np.array([distribution[net] for net in nets], np.float64)
    chances = counts / counts.sum()
    if mean is not None and len(nets) > 1:
        chances = _leaned(np.array(nets, np.float64), chances, mean)
    return Steps(tuple(nets), tuple(chances.tolist()))


def _leaned(nets: Floats, chances: Floats, mean: float) -> Floats:
    lean = 0.0
    weights = chances
    for _ in range(LEAN_ROUNDS):
        here = float(weights @ nets)
        spread = float(weights @ (nets - here) ** 2)
        move = (mean - here) / spread
        lean += move
        weights = chances * np.exp(lean * nets)
        weights /= weights.sum()
        if abs(move) * math.sqrt(spread) < 1e-14:  # noqa: PLR2004 as near as numbers go
            break
    return weights


class _Walk:
    """The session on a grid: results in units, the steps as places on it, and where ruin begins."""

    def __init__(self, steps: Steps, session: Session) -> None:
        self.session = session
        self.unit = reduce(math.gcd, (abs(net) for net in steps.nets)) or 1
        self.moves = [net // self.unit for net in steps.nets]
        self.chances = steps.chances
        self.down, self.up = min(*self.moves, 0, 0), max(*self.moves, 0, 0)
        self.alive = -((session.bankroll - session.stake) // self.unit)
        """The lowest result, in units, of a player who can still cover a stake."""
        stray = (abs(steps.mean) * session.rounds + FAR * steps.sd * math.sqrt(session.rounds)) / self.unit
        far = math.ceil(stray) + 1
        self.deep = max(-far, self.down * session.rounds)
        self.floor = max(self.alive, self.deep)
        self.top = min(far + 2 * self.up, self.up * session.rounds)

    @property
    def work(self) -> float:
        """Additions an exact calculation takes."""
        return 2.0 * self.session.rounds * len(self.moves) * (self.top - self.floor + self.up - self.down)

    def moments(self) -> list[int]:
        """The rounds after which the session is looked at."""
        times = min(MOMENTS, self.session.rounds)
        return sorted({round(self.session.rounds * time / times) for time in range(times + 1)})

    def added(self, alive: Floats) -> Floats:
        """One more round: chances of results from `floor + down` to `top + up`."""
        grown = np.zeros(len(alive) + self.up - self.down)
        for move, chance in zip(self.moves, self.chances, strict=True):
            place = move - self.down
            grown[place : place + len(alive)] += chance * alive
        return grown


def outlook(steps: Steps, session: Session, *, sessions: int = 0, seed: int = 1) -> Outlook:
    """How a session may end: exact for these steps, or drawn so many times.

    Exact: the chance of every amount of money is carried from round to round, and stays where ruin has come.
    """
    walk = _Walk(steps, session)
    return _drawn(walk, sessions, seed) if sessions else _exact(walk)


def work_of(steps: Steps, session: Session) -> float:
    """How much an exact calculation would take, to be held against `MOST_WORK`."""
    return _Walk(steps, session).work


def _exact(walk: _Walk) -> Outlook:
    below = -walk.down
    """Results below `floor`: a session that came there is over."""
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
    """The mean lowest result, in units.

    The lowest of n steps has the chances of min(0, step + lowest of n - 1): the walk read backwards. That is for a walk
    that nobody stops; a ruined one has its lowest point where it ended.
    """
    lowest = np.zeros(1 - walk.deep)
    lowest[-1] = 1.0
    for _ in range(walk.session.rounds):
        grown = walk.added(lowest)
        lowest = grown[-walk.down : len(lowest) - walk.down]
        lowest[0] += grown[: -walk.down].sum()
        lowest[-1] += grown[len(grown) - walk.up :].sum()
    results = np.arange(walk.deep, 1)
    kept = results >= walk.alive
    return float(results[kept] @ lowest[kept] + ruined @ chances)


def _drawn(walk: _Walk, sessions: int, seed: int) -> Outlook:
    """Sessions drawn one by one: for what is too large to carry, and to check what is not."""
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
    """Results in bars of one width, one of them beginning at nothing; the outermost hold all beyond.

    >>> [(bar.low, bar.chance) for bar in bars([(-100, 0.25), (0, 0.25), (900, 0.5)], 100, low=-100, high=150)]
    [(-100, 0.25), (0, 0.25), (100, 0.5)]
    """
    first, last = low // width, (high - 1) // width
    held = [0.0] * (last - first + 1)
    for result, chance in ends:
        held[min(max(result // width, first), last) - first] += chance
    return [Bar((first + place) * width, (first + place + 1) * width, chance) for place, chance in enumerate(held)]
