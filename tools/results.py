"""Write docs/results.md, every figure with the command that produces it: `python tools/results.py [--check]`.

With --check nothing is written: the edges of the first table are recomputed, and the exit status is 1 if one differs
from the page by more than 1e-9 of the wager, beyond the rounding of the last digit. The section on the simulation is
written by hand and preserved.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from pontoon.analysis import SideValue, side_values  # noqa: E402 the path is set above
from pontoon.analysis.chart import chart_of  # noqa: E402
from pontoon.analysis.count import Count, count_of  # noqa: E402
from pontoon.analysis.edge import Edge, edge_of  # noqa: E402
from pontoon.analysis.solver import Solver  # noqa: E402
from pontoon.analysis.whatif import Ambiguity, Change, Reading, ambiguities, what_if  # noqa: E402
from pontoon.cards import RANKS  # noqa: E402
from pontoon.rulebook import NAMES, load  # noqa: E402
from pontoon.view import chart as chart_view  # noqa: E402
from pontoon.view.report import NOUGHT, TOP  # noqa: E402
from pontoon.view.words import ENDS  # noqa: E402

FILE = ROOT / "docs" / "results.md"
STAKES = ("5", "10", "24", "25", "100")
STAKE = "10"
DIGITS = 6
"""Decimal places of a percentage."""
LAST = 0.5 * 10.0 ** -(DIGITS + 2)
NEAR = 1e-9
SIMULATION = "## Agreement with the simulation"
MARKER = "<!-- simulation -->"
ROW = re.compile(r"(?m)^\| ([a-z0-9-]+) \| (\d) \| ([-\d. |]+) \|$")

Edges = dict[tuple[str, int, str], Edge]
Lines = Iterator[str]


def note(words: str) -> None:
    """Print a progress message with the time to standard error."""
    print(f"{time.strftime('%H:%M:%S')} {words}", file=sys.stderr, flush=True)


def found_edges() -> Edges:
    """The edge of every rulebook at every number of packs it allows and every stake."""
    found: Edges = {}
    for name in NAMES:
        rules = load(name)
        for decks in rules.decks.allowed:
            note(f"edges: {name}, {decks} packs")
            for stake in STAKES:
                solver = Solver(rules, decks, stake=stake)
                before = None if any(solver.game.prize.values()) else found.get((name, decks, STAKES[0]))
                found[name, decks, stake] = before or edge_of(solver)  # without a prize no stake matters
    return found


def table(head: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> Lines:
    """The lines of a Markdown table; all but the first `words` columns are numbers."""
    rule = ["---" if index < words else "---:" for index in range(len(head))]
    yield from ("| " + " | ".join(row) + " |" for row in (head, rule, *rows))
    yield ""


def code(text: str) -> str:
    """The text as Markdown code."""
    return f"`{text}`"


def percent(value: float, digits: int = 4) -> str:
    """A change in percent, with its sign."""
    return f"{100 * value:+.{digits}f}"


# --- sections ------------------------------------------------------------------------------------------


def edge_lines(found: Edges) -> Lines:
    """House edges and standard deviations."""
    places = [(name, decks) for name in NAMES for decks in load(name).decks.allowed]
    head = ["rulebook", "packs", *(f"${stake}" for stake in STAKES)]
    edges = [[f"{100 * found[*place, stake].house_edge:.{DIGITS}f}" for stake in STAKES] for place in places]
    deviations = [[f"{found[*place, stake].sd:.4f}" for stake in STAKES] for place in places]
    names = [[name, str(decks)] for name, decks in places]
    yield EDGES
    yield from table(head, [one + row for one, row in zip(names, edges, strict=True)], 2)
    yield DEVIATION
    yield from table(head, [one + row for one, row in zip(names, deviations, strict=True)], 2)


def upcard_lines(found: Edges) -> Lines:
    """Values by upcard and frequencies of payouts, at the default number of packs."""
    edges = {name: found[name, load(name).decks.default, STAKE] for name in NAMES}
    yield UPCARDS
    rows = [[rank, *(percent(edges[name].ev_by_upcard[rank]) for name in NAMES)] for rank in RANKS]
    yield from table(["upcard", *NAMES], rows)
    yield FREQUENCIES
    ends = [end for end in ENDS if end in edges[NAMES[0]].frequencies]
    rows = [[ENDS[end], *(f"{100 * edges[name].frequencies[end]:.5f}" for name in NAMES)] for end in ends]
    yield from table(["a wager ends", *NAMES], rows)


def chart_lines() -> Lines:
    """The chart of each rulebook, and what it costs."""
    charts = {}
    for name in NAMES:
        note(f"chart: {name}")
        rules = load(name)
        charts[name] = chart_of(Solver(rules, rules.decks.default, stake=STAKE), rules)
    yield CHARTS
    rows = [
        [name, str(one.decks), percent(one.ev_optimal, 6), percent(one.ev_chart, 6), f"{100 * one.cost:.6f}"]
        for name, one in charts.items()
    ]
    yield from table(["rulebook", "packs", "best play", "by the chart", "cost"], rows)
    for name, one in charts.items():
        text = chart_view.text(one, load(name))
        yield from [f"### {name}", "", "```", f"$ pontoon chart {name}", *text, "```", ""]


def what_if_lines() -> Lines:
    """What each rule is worth, and the price of ambiguities."""
    changes: dict[str, tuple[Change, ...]] = {}
    unclear: dict[str, tuple[Ambiguity, ...]] = {}
    for name in NAMES:
        note(f"what if: {name}")
        changes[name] = what_if(load(name), stake=STAKE)
        unclear[name] = ambiguities(load(name), stake=STAKE)
    yield WHAT_IF.format(top=TOP)
    for name in NAMES:
        moved = [one for one in changes[name] if abs(one.worth) > NOUGHT]
        rows = [
            [f"{code(one.key)} = {one.value}", one.was, one.sentence, percent(one.worth)]
            for one in sorted(moved, key=lambda one: -abs(one.worth))[:TOP]
        ]
        yield from [f"### {name}: `pontoon whatif {name}`", ""]
        yield from table(["change", "instead of", "the rule would be", "worth"], rows, 3)
    yield AMBIGUITIES
    for name in NAMES:
        rows = [
            [one.number, f"{one.says}: {reading.reading}", "*" if reading.ours else "", *reading_figures(reading)]
            for one in unclear[name]
            if any(abs(reading.difference) > NOUGHT for reading in one.readings)
            for reading in one.readings
        ]
        yield from [f"### {name}: `pontoon whatif {name}`", ""]
        yield from table(["", "reading", "ours", "house edge", "worth"], rows, 3) if rows else [STILL, ""]


def reading_figures(reading: Reading) -> tuple[str, str]:
    """The edge under a reading, and what the bettor gains by it."""
    return f"{-100 * reading.ev:.6f}", percent(reading.difference)


def count_lines() -> Lines:
    """Effects of removal and the counts based on them."""
    counts: dict[str, Count] = {}
    for name in NAMES:
        note(f"count: {name}")
        counts[name] = count_of(load(name), stake=STAKE)
    yield REMOVAL
    effects = {name: {row.rank: row.effect for row in one.removals} for name, one in counts.items()}
    rows = [[rank, *(percent(effects[name][rank], 5) for name in NAMES)] for rank in RANKS]
    yield from table(["card removed", *NAMES], rows)
    yield COUNTS
    rows = [
        [
            name,
            str(one.level),
            " ".join(f"{rank}{tag:+d}" for rank, tag in one.tags.items() if tag),
            f"{one.betting_correlation:.4f}",
            "never" if one.insurance_index is None else f"{one.insurance_index:+.2f}",
            percent(one.ev_per_count),
            "out of reach" if one.even_at is None else f"{one.even_at:+.2f}",
        ]
        for name, one in counts.items()
    ]
    yield from table(["rulebook", "level", "tags", "correlation", "insurance from", "per point", "even at"], rows, 3)


def side_lines() -> Lines:
    """Side wagers and insurance."""
    yield SIDES
    packs = sorted({decks for name in NAMES for decks in load(name).decks.allowed})
    found: dict[tuple[str, str], dict[int, SideValue]] = {}
    for name in NAMES:
        rules = load(name)
        for decks in rules.decks.allowed:
            for one in side_values(rules, decks):
                insurance = one.name.startswith("Insurance")
                row = found.setdefault(("every rulebook" if insurance else name, one.name), {})
                assert decks not in row or row[decks].value == one.value, f"insurance has a different value: {name}"
                row[decks] = one
    rows = [
        [name, wager, *(side_figure(row[decks]) if decks in row else "" for decks in packs)]
        for (name, wager), row in sorted(found.items(), key=lambda one: one[0][0] == "every rulebook")
    ]
    yield from table(["rulebook", "wager", *(f"{decks} packs" for decks in packs)], rows, 2)


def side_figure(one: SideValue) -> str:
    """A value as a fraction and in percent; bold if it favours the player."""
    words = f"{one.value} ({percent(float(one.value))})"
    return f"**{words}**" if one.favours == "player" else words


# --- the page ------------------------------------------------------------------------------------------

EDGES = """# Results

Written by `.venv/bin/python tools/results.py`; `--check` recomputes the first table. [method](method.md) says how the
figures are computed and how exact they are. One box, one wager, a fresh shoe, best play as defined there. Unless
stated otherwise the first wager is $10 and the number of packs is the rulebook's default.

## House edge

In percent of the first wager, to six decimal places: 0.422032 means that the house keeps $0.00422032 of each dollar.
There is a column for each first wager: the Super Bonus is a fixed amount, so its share of the edge depends on the
wager.

Each figure: `pontoon edge RULEBOOK --packs N --stake S`; a column: `pontoon edge --all --stake S`.
"""
DEVIATION = """## Standard deviation of a round

In first wagers, from the same commands. The Super Bonus makes it large at small stakes.
"""
UPCARDS = """## Value by upcard

The value of a round to the bettor once the dealer's upcard is known, in percent of the first wager:
`pontoon edge RULEBOOK`.
"""
FREQUENCIES = """## How wagers end

Percent of rounds; each hand of a split counts, so a column sums to more than 100 (not counting the Super Bonus, which
is paid in addition to its payout row): `pontoon edge RULEBOOK`.
"""
CHARTS = """## Charts

The best chart of its form for each rulebook, and what it costs compared with best play, in percent of the first wager
per round: `pontoon chart RULEBOOK`. The margin of every square: `pontoon chart RULEBOOK --json`.
"""
WHAT_IF = """## What each rule is worth

One rule changed on its own, with best play computed again: what the bettor gains, in percent of the first wager. These
are the {top} largest changes of each rulebook; the command lists all.
"""
AMBIGUITIES = """## The price of ambiguities

Wording that can be read in several ways: the house edge and the bettor's gain, in percent of the first wager, under
each reading, if any reading moves the edge by more than 0.000005. The numbers (A1, A2, ...) are those of the rules
matrix.
"""
STILL = "No reading of unclear wording moves the edge."
REMOVAL = """## Effects of removal

What the bettor gains when one card of a rank is removed from a fresh shoe, in percent of the first wager, averaged
over the suits of 6, 7 and 8: `pontoon count RULEBOOK`.
"""
COUNTS = """## Counts

The lowest-level balanced count that fits these effects well, per 48-card pack left: its tags, its correlation with the
effects, the true count from which insurance favours the bettor, the value of one point of true count in percent, and
the true count at which the house edge is zero: `pontoon count RULEBOOK`.
"""
SIDES = """## Side wagers and insurance

Value per unit staked on a fresh shoe, as an exact fraction and in percent: `pontoon side RULEBOOK --packs N`. Bold: it
favours the player. Insurance is valued for a bettor who sees the ace and two cards of their own, no aces.
"""


def page(simulation: Sequence[str]) -> Lines:
    """The lines of the page."""
    found = found_edges()
    yield from edge_lines(found)
    yield from upcard_lines(found)
    yield from chart_lines()
    yield from what_if_lines()
    yield from count_lines()
    yield from side_lines()
    yield from [SIMULATION, "", *simulation]


def kept() -> list[str]:
    """The lines of the existing section on the simulation."""
    old = FILE.read_text("utf-8") if FILE.exists() else ""
    _, _, after = old.partition(f"{SIMULATION}\n")
    return after.strip().splitlines() or [MARKER]


def check() -> int:
    """Recompute the first table, print the differences and return the exit status."""
    first = FILE.read_text("utf-8").partition("## Standard deviation")[0]
    rows = ROW.findall(first)
    expected = sum(len(load(name).decks.allowed) for name in NAMES)
    wrong = abs(len(rows) - expected)
    if wrong:
        print(f"the first table has {len(rows)} rows, not {expected}")
    for name, decks, edges in rows:
        for stake, edge in zip(STAKES, edges.split(" | "), strict=True):
            value = -100 * float(Solver(load(name), int(decks), stake=stake).value())
            if abs(value - float(edge)) > 100 * (LAST + NEAR):
                wrong += 1
                print(f"{name}, {decks} packs, ${stake}: the page has {edge}, computed {value:.9f}")
    print(f"{len(rows) * len(STAKES)} edges, {wrong} differ")
    return int(wrong > 0)


def main() -> int:
    """Write the page, or check its first table."""
    if "--check" in sys.argv:
        return check()
    text = "\n".join(page(kept())) + "\n"
    FILE.write_text(text, "utf-8")
    note(f"docs/{FILE.name}: {len(text)} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
