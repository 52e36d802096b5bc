"""Outputs of the analysis commands. Values are in units of the first wager unless a key says otherwise."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from pontoon.analysis.charts.chart import Chart
from pontoon.analysis.counting.count import Fit, Removal, System
from pontoon.analysis.counting.indices import Index
from pontoon.analysis.counting.true_count import Frequency
from pontoon.analysis.policies.mistakes import Mistake
from pontoon.cli.outputs.common import About, Part
from pontoon.simulation.counted_play import AtCount
from pontoon.strategy.composition import Composition

ChartOutput = Chart
StrategyOutput = Composition


class EdgeOutput(About, frozen=True, kw_only=True):
    """The exact figures of best play."""

    ev: float
    house_edge: float
    sd: float
    """Standard deviation of a round."""
    ev_by_upcard: dict[str, float]
    frequencies: dict[str, float]
    """How often a wager ends each way, per round."""
    super_bonus_value: float
    method: str
    seconds: float


class EdgesOutput(Part, frozen=True, kw_only=True):
    """Every rulebook with every number of packs."""

    edges: list[EdgeOutput]
    seconds: float


class EdgeOfStrategyOutput(EdgeOutput, frozen=True, kw_only=True):
    """The exact figures of a strategy, and what its mistakes cost."""

    strategy: str
    ev_optimal: float
    cost: float
    mistakes: list[Mistake]


class ActionRow(Part, frozen=True, kw_only=True):
    """A decision."""

    action: str
    value: float
    cost: float
    """Loss compared with the best decision."""
    clauses: list[str]


class InsuranceValue(Part, frozen=True, kw_only=True):
    """What insurance is worth."""

    value: float
    """Per unit insured."""
    adds: float
    """By the maximum insurance, per unit of the wager."""
    take: bool
    clauses: list[str]


class EvOutput(About, frozen=True, kw_only=True):
    """The exact value of each decision on a hand, best first."""

    hand: list[str]
    dealer: str
    out: list[str]
    suits_assumed: bool
    after_split: bool
    doubled: bool
    actions: list[ActionRow]
    best: str
    insurance: InsuranceValue | None


class SideOutcome(Part, frozen=True, kw_only=True):
    """One way a side bet can end, in exact fractions."""

    name: str
    chance: str
    pays: str


class SideWager(Part, frozen=True, kw_only=True):
    """A side bet or insurance; `value` is an exact fraction of a unit staked."""

    name: str
    value: str
    value_decimal: float
    favours: Literal["player", "house", "nobody"]
    outcomes: list[SideOutcome]
    clauses: list[str]


class SideCounted(Part, frozen=True, kw_only=True):
    """A side bet, counted; gains are in units a shoe."""

    name: str
    value: str
    effects: dict[str, float]
    by_suit: float
    tags: dict[str, int]
    correlation: float
    penetration: float
    rounds: int
    perfect_gain: float
    perfect_error: float
    counted_gain: float
    flat_gain: float


class SideOutput(Part, frozen=True, kw_only=True):
    """Side bets and insurance in closed form."""

    rulebook: str
    digest: str
    decks: int
    overrides: dict[str, Any]
    wagers: list[SideWager]
    counted: list[SideCounted] | UnsetType = UNSET


class RuleChange(Part, frozen=True, kw_only=True):
    """A rule changed on its own, and what that is worth to the player."""

    key: str
    was: Any
    value: Any
    worth: float
    clauses: list[str]
    sentence: str
    was_sentence: str


class ReadingRow(Part, frozen=True, kw_only=True, rename={"settings": "set"}):
    """One reading of an unclear clause."""

    reading: str
    settings: dict[str, Any]
    ev: float
    house_edge: float
    difference: float
    ours: bool


class AmbiguityRow(Part, frozen=True, kw_only=True):
    """An unclear clause, priced."""

    number: str
    says: str
    readings: list[ReadingRow]


class NoEffect(Part, frozen=True, kw_only=True):
    """An unclear clause that does not affect one bettor."""

    number: str
    says: str
    because: str


class NoOption(Part, frozen=True, kw_only=True):
    """An unclear clause of which only our reading can be played."""

    number: str
    says: str
    ours: str


class WhatIfOutput(About, frozen=True, kw_only=True):
    """What each rule is worth, and the price of every ambiguity."""

    ev: float
    house_edge: float
    changes: list[RuleChange]
    ambiguities: list[AmbiguityRow]
    no_effect: list[NoEffect]
    no_option: list[NoOption]
    seconds: float


class CountOutput(About, frozen=True, kw_only=True):
    """Effects of removal, counts, and the indices of one count."""

    ev: float
    removals: list[Removal]
    systems: list[System]
    known: list[System]
    name: str
    tags: dict[str, int]
    level: int
    neutral: int
    penetration: float
    fit: Fit
    with_side_counts: Fit | None
    insurance_index: float | None
    insurance_reached: bool
    ev_by_count: list[tuple[float, float]]
    sd_by_count: list[tuple[float, float]]
    ev_per_count: float
    even_at: float | None
    frequencies: list[Frequency]
    indices: list[Index]
    index_gain: float
    seconds: float


class CountNamed(Part, frozen=True, kw_only=True):
    """The count that is played."""

    name: str
    tags: dict[str, int]
    neutral: int


class RampRow(Part, frozen=True, kw_only=True):
    """The bet at one true count, in dollars."""

    true_count: int
    share: float
    ev: float
    sd: float
    bet: float


class RuinSimulated(Part, frozen=True, kw_only=True):
    """The risk of ruin of simulated bankrolls, with its standard error."""

    ruin: float
    error: float
    trials: int
    shoes: int


class BetOutput(About, frozen=True, kw_only=True):
    """The best bets for a count; amounts are in dollars."""

    count: CountNamed
    penetration: float
    spread: tuple[float, float]
    boxes: int
    box_correlation: float
    bankroll: float
    ramp: list[RampRow]
    played: float
    mean_bet: float
    win_per_round: float
    win_per_hour: float
    sd_per_round: float
    sd_per_hour: float
    n0: float | None
    score: float
    ruin: float
    risk: float
    bankroll_for_risk: float | None
    kelly_bankroll: float | None
    flat_win_per_hour: float
    simulated: list[AtCount] | UnsetType = UNSET
    ruin_simulated: RuinSimulated | UnsetType = UNSET
    seconds: float


class PlaceRow(Part, frozen=True, kw_only=True):
    """A place to play; costs are in dollars."""

    rulebook: str
    digest: str
    overrides: dict[str, Any]
    packs: int
    shuffle: str
    penetration: float | None
    rounds_per_hour: float
    house_edge: float
    sd: float
    cost_per_hour: float
    sd_per_hour: float
    usual_house_edge: float
    usual_cost_per_hour: float
    advice: str


class CompareOutput(Part, frozen=True, kw_only=True):
    """Places to play, the cheapest first."""

    stake: str
    places: list[PlaceRow]
    seconds: float


class SweepOutput(Part, frozen=True, kw_only=True):
    """One row for every combination: the values that vary as text, then the measures."""

    rulebook: str
    rows: list[dict[str, str | float | None]]


class ChartFigures(Struct, frozen=True, kw_only=True):
    """What a chart loses."""

    ev_optimal: float
    ev_chart: float
    cost: float


class ReportChange(Part, frozen=True, kw_only=True):
    """A rule changed on its own."""

    key: str
    value: Any
    was: Any
    worth: float
    clauses: list[str]


class ReportReading(Part, frozen=True, kw_only=True):
    """A reading of an unclear clause."""

    number: str
    reading: str
    ours: bool
    difference: float


class ReportSide(Part, frozen=True, kw_only=True):
    """A side bet."""

    name: str
    value: str
    value_decimal: float


class ReportedBook(About, frozen=True, kw_only=True):
    """The figures of one rulebook."""

    ev: float
    house_edge: float
    sd: float
    house_edge_by_decks: dict[str, float]
    ev_by_upcard: dict[str, float]
    frequencies: dict[str, float]
    super_bonus_value: float
    chart: ChartFigures
    whatif: list[ReportChange]
    ambiguities: list[ReportReading]
    side: list[ReportSide]


class ReportOutput(Part, frozen=True, kw_only=True):
    """The files of a report, and its figures."""

    folder: str
    files: list[str]
    stake: str
    rulebooks: list[ReportedBook]
    seconds: float
