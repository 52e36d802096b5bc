"""Outputs of the simulating commands. Values are in units of the first wager unless a key says otherwise."""

from __future__ import annotations

from pontoon.cli.outputs.common import About, Part


class SimulateOutput(About, frozen=True, kw_only=True):
    """The figures of a simulation."""

    boxes: int
    strategy: str
    penetration: float
    rounds: int
    ev: float
    standard_error: float
    sd: float
    rounds_per_second: int
    device: str
    threads: int
    seed: int
    frequencies: dict[str, float]
    ev_by_upcard: dict[str, float]


class RoundFigures(Part, frozen=True, kw_only=True):
    """Mean and standard deviation of one round."""

    ev: float
    sd: float


class HistogramBar(Part, frozen=True, kw_only=True, rename={"low": "from", "high": "to"}):
    """The chance of a result between two amounts, in dollars."""

    low: float
    high: float
    chance: float


class Moment(Part, frozen=True, kw_only=True):
    """The session after some hours."""

    hours: float
    ruin: float
    percentiles: dict[str, float]


class RiskOutput(About, frozen=True, kw_only=True):
    """How a session may end; amounts are in dollars."""

    seed: int
    strategy: str
    bankroll: str
    hours: float
    rounds_per_hour: float
    rounds: int
    round: RoundFigures
    mean: float
    sd: float
    percentiles: dict[str, float]
    ahead: float
    even: float
    ruin: float
    ruin_error: float
    low_point: float
    histogram: list[HistogramBar]
    path: list[Moment]
    sessions: int
    simulated_rounds: int
    rule: str
    method: str
    seconds: float


class PartFigures(Part, frozen=True, kw_only=True):
    """The rounds of a part of the shoe."""

    rounds: int
    ev: float
    standard_error: float
    ev_by_cards_left: float
    ev_by_cards_left_error: float


class DepthRow(PartFigures, frozen=True, kw_only=True):
    """A depth of the cutting card."""

    penetration: float
    rounds_per_shoe: float
    cut_card_effect: float


class PositionRow(PartFigures, frozen=True, kw_only=True, rename={"low": "from", "high": "to"}):
    """Rounds that begin in a part of the shoe."""

    low: float
    high: float


class AtTrueCount(PartFigures, frozen=True, kw_only=True):
    """Rounds at a true count."""

    true_count: int
    share: float


class BettingRow(Part, frozen=True, kw_only=True):
    """The result of bets that follow the count, in minimum bets."""

    penetration: float
    spread: int
    mean_bet: float
    win_per_100: float
    standard_error: float
    win_per_100_by_cards_left: float
    sd_per_100: float


class CountUsed(Part, frozen=True, kw_only=True):
    """The count that the bets follow."""

    tags: dict[str, int]
    even_at: float | None
    ev_per_count: float


class ShoeOutput(About, frozen=True, kw_only=True):
    """The value of a round by depth, position and true count."""

    seed: int
    rounds: int
    shoes: int
    ev_fresh: float
    depths: list[DepthRow]
    positions: list[PositionRow]
    count: CountUsed
    advantage_from: int | None
    by_count: list[AtTrueCount]
    betting: list[BettingRow]
    method: str
    seconds: float


class HabitFigures(Part, frozen=True, kw_only=True):
    """A way to play; the cost of an hour is in dollars."""

    ev: float
    house_edge: float
    cost: float
    cost_per_hour: float


class BoxesRow(Part, frozen=True, kw_only=True):
    """One player on several boxes."""

    boxes: int
    ev: float
    standard_error: float
    sd: float
    correlation: float


class HabitsOutput(About, frozen=True, kw_only=True):
    """The cost of habits compared with best play."""

    seed: int
    error_rate: float
    rounds_per_hour: float
    habits: dict[str, HabitFigures]
    decisions_per_round: float
    boxes: list[BoxesRow]
    rounds: int
    co_bettor: str
    method: str
    seconds: float
