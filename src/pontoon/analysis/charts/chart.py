"""The best printable chart, its cost compared with optimal play, and how much each square matters.

Each square gets the code with the best mean over all hands that fall into it, when play continues by the chart. The
chart decides which hands occur, so it is computed again from its own play until it no longer changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct, to_builtins

from pontoon.analysis import kernels
from pontoon.analysis.board import Array
from pontoon.analysis.charts import squares
from pontoon.analysis.charts.play import (
    FORFEIT,
    FORFEITED,
    HARD,
    KEPT,
    MARKED,
    PAIRS,
    SOFT,
    ChartSolver,
    Sheet,
    marked,
    pair_place,
    place_of,
    plain_act,
)
from pontoon.analysis.charts.squares import CHANCE, OFFERED, PAIR_PLACE, SOFT_PLACE, WEIGHT, Column
from pontoon.analysis.free_aces import split_aces_free
from pontoon.analysis.hands import ACE, VALUES, points_of
from pontoon.analysis.solver import Solver, Start
from pontoon.analysis.splits.split_hand import SEVENS
from pontoon.cards import LIMIT
from pontoon.cards.hand import SOFT_ACE
from pontoon.frames import Row, Tabular, flat
from pontoon.money import cents, dollars
from pontoon.rulebook import Rulebook, canonical, digest
from pontoon.strategy import ChartStrategy, read_chart
from pontoon.strategy.chart import CHART_UPCARDS, DRAWN_ACE, Code, read_code

HARD_TOTALS = range(4, LIMIT)
SOFT_TOTALS = range(12, LIMIT)
LIMITS = (3, 4, 5, 6, 7)
PRICE = 1e-8
"""A digit or a mark is written only if it gains at least this much per round, in units of the first wager."""
Form = Literal["total", "cards", "full"]
"""Signs a chart may use: plain letters; also numbers of cards; also suits and drawn aces."""
ROUNDS = 4
"""Maximum number of times a chart is computed again from its own play."""
ACTIONS = {"S": squares.STAND, "H": squares.HIT, "D": squares.DOUBLE, "P": squares.SPLIT}
WORDS = {"S": "stand", "H": "hit", "D": "double", "P": "split"}
ACTS = ("stand", "hit", "double")


class Square(Struct, frozen=True):
    """One square of a chart."""

    code: str
    margin: float
    """Advantage of the code over the second-best plain decision when the square occurs, in first wagers."""
    ev: dict[str, float]
    """The value of each decision: the mean over the hands of the square."""
    chance: float
    """Probability of the square per round."""


Rows = dict[str, dict[str, Square]]


class Chart(Struct, Tabular, frozen=True, kw_only=True):
    """A chart with its figures; as JSON, `strategy.read_chart` reads it."""

    rulebook: str
    digest: str
    book: str
    """The canonical text of the rulebook."""
    overrides: dict[str, str] = {}
    """Values that replace the document's, by key."""
    decks: int
    stake: str
    upcards: tuple[str, ...] = CHART_UPCARDS
    ev_optimal: float
    ev_chart: float
    form: Form = "full"
    cost: float
    """Loss compared with optimal play, in first wagers per round."""
    insurance: str = "never"
    split_aces_free: bool = False
    """Whether the sign ^ applies to every soft hand of a split."""
    hard: Rows
    soft: Rows
    pairs: Rows
    forfeit: Rows

    def blocks(self) -> dict[str, Rows]:
        """The blocks of the chart in order."""
        return {HARD: self.hard, SOFT: self.soft, PAIRS: self.pairs, FORFEIT: self.forfeit}

    def rows(self) -> list[Row]:
        """One row for every square: block, hand, upcard, code, margin, chance, and the value of each decision."""
        return [
            {"block": block, "hand": hand, "upcard": upcard, **flat(to_builtins(square))}
            for block, rows in self.blocks().items()
            for hand, row in rows.items()
            for upcard, square in row.items()
        ]

    def strategy(self) -> ChartStrategy:
        """This chart as a strategy."""
        return ChartStrategy(read_chart(msgspec.json.encode(self)))


def chart_of(
    solver: Solver, rules: Rulebook, progress: Callable[[float], None] | None = None, form: Form = "full"
) -> Chart:
    """The best chart of a form for a solver's game and shoe."""
    step = 0

    def show(part: float) -> None:
        if progress:
            progress((step + part) / (ROUNDS + 1))

    found = squares.columns_of(solver, lambda _: lambda start: start.best, show)
    optimal = sum(column.value for column in found)
    sheet = _choose(found, form)
    best: tuple[float, Sheet, tuple[Column, ...]] | None = None
    for _ in range(ROUNDS):
        step += 1
        playing = ChartSolver(solver, sheet.with_every_split())
        found = squares.columns_of(playing, partial(_by_chart, sheet), show)
        value = sum(column.value for column in found)
        if best is None or value > best[0]:
            best = (value, sheet, found)
        again = _choose(found, form)
        if again == sheet or value < best[0]:
            break
        sheet = again
    assert best is not None
    return msgspec.structs.replace(_written(solver, rules, optimal, best), form=form)


def _by_chart(sheet: Sheet, first: int) -> squares.Decision:
    """A chart's decision on the two cards dealt."""
    codes = sheet.read[first]

    def decide(start: Start) -> str:
        low, high = start.pair
        soft = low == ACE
        total = points_of(low) + points_of(high) + SOFT_ACE * soft
        code = codes[pair_place(low)] if low == high else codes[place_of(total, soft=soft)]
        if code.surrender and "surrender" in start.values:
            return "surrender"
        if code.letter == "P":
            if code.mark == "$" and start.pair == SEVENS and start.suit and first == SEVENS[0]:
                return "hit"
            if "split" in start.values:
                return "split"
            code = codes[place_of(total, soft=soft)]
        if code.mark and VALUES[low] + VALUES[high] in MARKED and marked(code, start.suit):
            return "hit"
        flags = kernels.MAY_STAND * ("stand" in start.values) | kernels.MAY_DOUBLE * ("double" in start.values)
        return ACTS[plain_act(code, flags, total, soft=soft)]

    return decide


# --- choosing ------------------------------------------------------------------------------------------


def _choose(columns: tuple[Column, ...], form: Form) -> Sheet:
    """The best code for every square."""
    sheets = []
    for first, column in enumerate(columns):
        codes = {}
        for place in _places():
            options = dict(_options(column.groups[place], place, first, form))
            codes[squares.name_of(place)] = max(options, key=lambda code: options[code] - PRICE * _exceptions(code))
        for total in range(LIMIT):
            weight, _, keep, forfeit = column.forfeits[total][:4]
            if total in HARD_TOTALS:
                codes[f"{FORFEIT} {total}"] = FORFEITED if weight and forfeit > keep else KEPT
        sheets.append(codes)
    return Sheet(tuple(sheets))


def _places() -> Iterator[int]:
    yield from HARD_TOTALS
    yield from (SOFT_PLACE + total for total in SOFT_TOTALS)
    yield from (PAIR_PLACE + value for value in range(len(VALUES)))


def _exceptions(code: str) -> int:
    read = read_code(code)
    return (read.limit > 0) + (read.mark != "")


def _options(groups: Array, place: int, first: int, form: Form) -> Iterator[tuple[str, float]]:
    """Every code allowed in a square, with its value there times the probability of the square."""
    for surrender in ("", "R") if groups[OFFERED, ..., WEIGHT].any() else ("",):
        for code in _codes(groups, place, first):
            if _beyond(read_code(code), form):
                continue
            name = surrender + code
            yield ("R" if name == "RH" else name), _worth(groups, read_code(name))


def _beyond(code: Code, form: Form) -> bool:
    """Whether a code has a sign that the form of the chart does without."""
    return (form == "total" and bool(code.limit or code.mark)) or (form == "cards" and code.mark not in ("", "$"))


def _codes(groups: Array, place: int, first: int) -> Iterator[str]:
    yield from "HSD"  # where standing is not allowed S equals H, and H comes first
    if place >= PAIR_PLACE:
        if groups[..., squares.SPLIT].any():
            yield "P"
            if place == PAIR_PLACE + SEVENS[0] and first == SEVENS[0]:
                yield "P$"
        return
    marks: tuple[str, ...] = ("", "*", "'", '"') if place in MARKED.values() else ("",)
    if place >= SOFT_PLACE and groups[..., squares.DRAWN, WEIGHT].any():
        marks = ("", DRAWN_ACE)
        yield "H^"
    for letter in "SD":
        for limit in ("", *map(str, LIMITS)):
            yield from (letter + limit + mark for mark in marks if limit or mark)


def _worth(groups: Array, code: Code) -> float:
    """The value of a code: the sum over the groups of a square."""
    value = groups[..., ACTIONS[code.letter]].copy()
    hit = groups[..., squares.HIT]
    if code.limit:
        value[:, code.limit - 2 :] = hit[:, code.limit - 2 :]
    if code.mark == DRAWN_ACE:
        value[..., squares.DRAWN] = groups[..., squares.DRAWN, squares.DOUBLE]
    elif code.mark:
        lowest = {"*": squares.MIXED, "'": squares.SUITED, "$": squares.SUITED, '"': squares.SPADES}[code.mark]
        value[:, 0, lowest:] = hit[:, 0, lowest:]
    if code.surrender:
        value[OFFERED, 0] = groups[OFFERED, 0, :, squares.SURRENDER]
    return float(value.sum())


# --- writing -------------------------------------------------------------------------------------------


def _written(solver: Solver, rules: Rulebook, optimal: float, best: tuple[float, Sheet, tuple[Column, ...]]) -> Chart:
    value, sheet, columns = best
    blocks: dict[str, Rows] = {block: {} for block in (HARD, SOFT, PAIRS, FORFEIT)}
    for block, rows in blocks.items():
        for hand, row in sheet.rows(block).items():
            rows[hand] = {
                first: _square(columns[VALUES.index(first)], block, hand, code) for first, code in row.items()
            }
    return Chart(
        rulebook=rules.about.name,
        digest=digest(rules),
        book=canonical(rules),
        overrides={changed.key: changed.value for changed in rules.overrides},
        decks=solver.packs,
        stake=dollars(int(solver.game.stake * cents("1"))).removesuffix(".00"),
        split_aces_free=split_aces_free(solver.game),
        ev_optimal=optimal,
        ev_chart=value,
        cost=optimal - value,
        hard=blocks[HARD],
        soft=blocks[SOFT],
        pairs=blocks[PAIRS],
        forfeit=blocks[FORFEIT],
    )


def _square(column: Column, block: str, hand: str, code: str) -> Square:
    if block == FORFEIT:
        return _forfeit_square(column.forfeits[int(hand)], code)
    place = {HARD: 0, SOFT: SOFT_PLACE, PAIRS: PAIR_PLACE}[block]
    place += VALUES.index(hand[0]) if block == PAIRS else int(hand)
    groups = column.groups[place]
    weight = float(groups[..., WEIGHT].sum())
    plain = {letter: _worth(groups, read_code(letter)) / weight for letter in _lawful(groups)}
    ev = {WORDS[letter]: value for letter, value in plain.items()}
    offered = groups[OFFERED, 0, :, WEIGHT].sum()
    if offered:
        ev["surrender"] = float(groups[OFFERED, 0, :, squares.SURRENDER].sum() / offered)
        plain["R"] = max(_worth(groups, read_code("R" + letter)) for letter in plain) / weight
    read = read_code(code)
    own = "R" if read.surrender else read.letter
    worth = _worth(groups, read) / weight
    second = max((value for letter, value in plain.items() if letter != own), default=worth)
    margin = worth - second
    return Square(code, margin, ev, float(groups[..., CHANCE].sum()))


def _lawful(groups: Array) -> Iterator[str]:
    """The decisions allowed anywhere in a square; any other has the values of its fallback."""
    stand, hit, double, split = (groups[..., ACTIONS[letter]] for letter in "SHDP")
    if not np.array_equal(stand, hit):
        yield "S"
    yield "H"
    if not (np.array_equal(double, hit) or np.array_equal(double, stand)):
        yield "D"
    if split.any():
        yield "P"


def _forfeit_square(row: Array, code: str) -> Square:
    weight, chance, keep, forfeit = map(float, row[:4])
    if not weight:
        return Square(code, 0.0, {}, 0.0)
    ev = {"keep": keep / weight, "forfeit": forfeit / weight}
    return Square(code, abs(ev["keep"] - ev["forfeit"]), ev, chance)
