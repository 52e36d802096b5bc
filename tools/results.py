"""Write docs/results.md, every figure with the command that produces it: `python tools/results.py [--check]`.

With --check nothing is written: the edges of the first table are recomputed, and the exit status is 1 if one differs
from the page by more than 1e-9 of the wager, beyond the rounding of the last digit. The section on the simulation is
written by hand and preserved.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from pontoon.analysis import SideValue, side_values  # noqa: E402 the path is set above
from pontoon.analysis.charts.chart import chart_of  # noqa: E402
from pontoon.analysis.counting.bets import Limits, Spot, at_counts, best_ramp  # noqa: E402
from pontoon.analysis.counting.count import Asked, Count, count_of  # noqa: E402
from pontoon.analysis.counting.indices import Index  # noqa: E402
from pontoon.analysis.counting.tags import count_named, written  # noqa: E402
from pontoon.analysis.edge import edge_of, standard_deviation  # noqa: E402
from pontoon.analysis.solver import Solver  # noqa: E402
from pontoon.analysis.splits.resplit_cost import resplit_cost  # noqa: E402
from pontoon.analysis.whatif import Ambiguity, Change, Reading, ambiguities, what_if  # noqa: E402
from pontoon.cards import RANKS  # noqa: E402
from pontoon.rulebook import NAMES, load  # noqa: E402
from pontoon.view.charts import text as chart_view  # noqa: E402
from pontoon.view.reports.page import NOUGHT, TOP  # noqa: E402
from pontoon.view.words import ENDS  # noqa: E402
from tests.published.comparison import published  # noqa: E402

FILE = ROOT / "docs" / "results.md"
STAKES = ("5", "10", "24", "25", "100")
STAKE = "10"
FEW = 5
TOGETHER = (1.2e-9, 4.1e-10)
"""The error of split hands under a dealer's pontoon, measured (docs/method.md): up to FEW packs, and with more."""
DIGITS = 6
"""Decimal places of a percentage."""
LAST = 0.5 * 10.0 ** -(DIGITS + 2)
NEAR = 1e-9
SIMULATION = "## Agreement with the simulation"
MARKER = "<!-- simulation -->"
ROW = re.compile(r"(?m)^\| ([a-z0-9-]+) \| (\d) \| ([-\d. |]+) \|$")

Edges = dict[tuple[str, int, str], tuple[float, float]]
Lines = Iterator[str]


def note(words: str) -> None:
    """Print a progress message with the time to standard error."""
    print(f"{time.strftime('%H:%M:%S')} {words}", file=sys.stderr, flush=True)


def found_edges() -> Edges:
    """Edge and standard deviation of every rulebook at every number of packs it allows and every stake."""
    found: Edges = {}
    for name in NAMES:
        rules = load(name)
        for decks in rules.decks.allowed:
            note(f"edges: {name}, {decks} packs")
            alike: dict[tuple[object, ...], tuple[float, float]] = {}
            for stake in STAKES:
                solver = Solver(rules, decks, stake=stake)
                prize = tuple(solver.game.prize.values())  # only through it does the stake matter
                if prize not in alike:
                    alike[prize] = (-float(solver.value()), standard_deviation(solver))
                found[name, decks, stake] = alike[prize]
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
    edges = [[f"{100 * found[*place, stake][0]:.{DIGITS}f}" for stake in STAKES] for place in places]
    deviations = [[f"{found[*place, stake][1]:.6f}" for stake in STAKES] for place in places]
    names = [[name, str(decks)] for name, decks in places]
    yield EDGES
    yield from table(head, [one + row for one, row in zip(names, edges, strict=True)], 2)
    yield BOUNDS
    bounds = []
    for name, decks in places:
        note(f"re-splits: {name}, {decks} packs")
        bound = resplit_cost(Solver(load(name), decks, stake=STAKE))
        bounds.append([name, str(decks), f"{100 * TOGETHER[decks > FEW]:.8f}", f"{100 * bound:.7f}"])
    yield from table(["rulebook", "packs", "split hands together", "re-splits decided once"], bounds, 2)
    yield DEVIATION
    yield from table(head, [one + row for one, row in zip(names, deviations, strict=True)], 2)


def upcard_lines() -> Lines:
    """Values by upcard and frequencies of payouts, at the default number of packs."""
    edges = {name: edge_of(Solver(load(name), stake=STAKE)) for name in NAMES}
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
        moved = [change for change in changes[name] if abs(change.worth) > NOUGHT]
        rows = [
            [f"{code(change.key)} = {change.value}", change.was, change.sentence, percent(change.worth)]
            for change in sorted(moved, key=lambda one: -abs(one.worth))[:TOP]
        ]
        yield from [f"### {name}: `pontoon whatif {name}`", ""]
        yield from table(["change", "instead of", "the rule would be", "worth"], rows, 3)
    yield AMBIGUITIES
    for name in NAMES:
        rows = [
            [change.number, f"{change.says}: {reading.reading}", "*" if reading.ours else "", *reading_figures(reading)]
            for change in unclear[name]
            if any(abs(reading.difference) > NOUGHT for reading in change.readings)
            for reading in change.readings
        ]
        yield from [f"### {name}: `pontoon whatif {name}`", ""]
        yield from table(["", "reading", "ours", "house edge", "worth"], rows, 3) if rows else [STILL, ""]


def reading_figures(reading: Reading) -> tuple[str, str]:
    """The edge under a reading, and what the bettor gains by it."""
    return f"{-100 * reading.ev:.6f}", percent(reading.difference)


def count_lines() -> Lines:
    """Effects of removal, the best counts, and the literature's count: Hi-Lo started at -4 a pack."""
    counts: dict[str, Count] = {}
    for name in NAMES:
        note(f"count: {name}")
        counts[name] = count_of(load(name), stake=STAKE, asked=Asked(tags=count_named("hi-lo"), sides=("A",)))
    yield REMOVAL
    effects = {name: {row.rank: row.effect for row in one.removals} for name, one in counts.items()}
    rows = [[rank, *(percent(effects[name][rank], 5) for name in NAMES)] for rank in RANKS]
    yield from table(["card removed", *NAMES], rows)
    yield COUNTS
    named = {**{one.name: one for one in counts[NAMES[0]].systems}, **{one.name: one for one in counts[NAMES[0]].known}}
    fits = {
        name: {one.name: one.betting_correlation for one in (*count.systems, *count.known)}
        for name, count in counts.items()
    }
    rows = [
        [
            label,
            *(f"{fits[name][label]:.4f}" for name in NAMES),
            f"{one.insurance_correlation:.4f}",
            f"{-one.imbalance:+d}".replace("+0", "0"),
        ]
        for label, one in named.items()
    ]
    yield from table(["count", *NAMES, "insurance", "starts at"], rows)
    rows = [
        [f"level {level + 1}", *(tags_of(counts[name].systems[level].tags) for name in NAMES)] for level in range(3)
    ]
    yield from table(["best tags", *NAMES], rows, 6)
    yield WALKER
    rows = [[name, *walker_figures(one)] for name, one in counts.items()]
    yield from table(WALKER_HEAD, rows)
    yield INDICES
    rows = [
        [str(number + 1), *(index_words(counts[name].indices[number]) for name in NAMES)]
        for number in range(MOST_INDICES)
    ]
    yield from table(["", *NAMES], rows, 6)


MOST_INDICES = 12
WALKER_HEAD = [
    *("rulebook", "betting", "playing", "insurance", "with aces aside", "per point", "even at"),
    *("insurance from", "all indices", "SCORE 1-12"),
]


def tags_of(tags: Mapping[str, int]) -> str:
    """Tags in one cell."""
    return written(tags).replace(",", " ").replace("=", "")


def walker_figures(one: Count) -> list[str]:
    """The results of Hi-Lo under one rulebook."""
    spots = [
        Spot(
            seen.true_count,
            seen.share,
            at_counts(one.ev_by_count, seen.mean),
            at_counts(one.sd_by_count, seen.mean) ** 2,
        )
        for seen in one.frequencies
    ]
    assert one.with_side_counts is not None
    return [
        f"{one.fit.betting_correlation:.4f}",
        f"{one.fit.playing_efficiency:.2f}",
        f"{one.fit.insurance_correlation:.3f}",
        f"{one.with_side_counts.betting_correlation:.4f}",
        percent(one.ev_per_count),
        "out of reach" if one.even_at is None else f"{one.even_at:+.2f}",
        "never" if one.insurance_index is None else f"{one.insurance_index:+.2f}",
        f"{100 * one.index_gain:.4f}",
        f"{best_ramp(spots, Limits(1, 12)).score:.2f}",
    ]


def index_words(index: Index) -> str:
    """An index in a few words."""
    hand = f"{index.hand}{', ' + index.suits if index.suits else ''} v {index.dealer}"
    cards = f" ({index.cards} cards)" if index.cards not in ("", "2") else ""
    return f"{hand}{cards}: {index.deviation} {'from' if index.above else 'below'} {index.at:+.1f}"


def published_lines() -> Lines:
    """Every published figure that can be computed here, with ours."""
    yield PUBLISHED
    rows = []
    for figure in published():
        note(f"published: {figure.what}")
        ours = figure.ours()
        rows.append([figure.what, figure.source, f"{figure.value:g}", f"{ours:.4f}", f"{ours - figure.value:+.4f}"])
    yield from table(["figure", "source", "published", "ours", "difference"], rows, 2)
    yield NOT_COMPARED
    yield from table(["figure", "published", "why"], [list(row) for row in LEFT_OUT], 3)


def side_lines() -> Lines:
    """Side wagers and insurance."""
    yield SIDES
    packs = sorted({decks for name in NAMES for decks in load(name).decks.allowed})
    found: dict[tuple[str, str], dict[int, SideValue]] = {}
    for name in NAMES:
        rules = load(name)
        for decks in rules.decks.allowed:
            for value in side_values(rules, decks):
                insurance = value.name.startswith("Insurance")
                row = found.setdefault(("every rulebook" if insurance else name, value.name), {})
                assert decks not in row or row[decks].value == value.value, f"insurance has a different value: {name}"
                row[decks] = value
    rows = [
        [name, wager, *(side_figure(row[decks]) if decks in row else "" for decks in packs)]
        for (name, wager), row in sorted(found.items(), key=lambda item: item[0][0] == "every rulebook")
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
wager. Error bound: 0.0000002, for the play that is valued (below).

Each figure: `pontoon edge RULEBOOK --packs N --stake S`; a column: `pontoon edge --all --stake S`.
"""
BOUNDS = """## Error bounds of the house edge

In percent of the first wager, for every column above. Split hands together: the error of what a dealer's pontoon takes
from several hands, as measured with three packs (for up to five) and with eight ([method](method.md)). Re-splits
decided once: the edge would be lower by at most this if a further pair were split or kept by the cards of the hands
already played, instead of always or never for each pair and upcard; 0 where a pair is split once.
"""
DEVIATION = """## Standard deviation of a round

In first wagers, from the same commands. The Super Bonus makes it large at small stakes. Error bound: 0.000001, from the
cards that hands of one split take from each other ([method](method.md)).
"""
UPCARDS = """## Value by upcard

The value of a round to the bettor once the dealer's upcard is known, in percent of the first wager:
`pontoon edge RULEBOOK`. Error bound: 0.0001, the last digit.
"""
FREQUENCIES = """## How wagers end

Percent of rounds; each hand of a split counts, so a column sums to more than 100 (not counting the Super Bonus, which
is paid in addition to its payout row): `pontoon edge RULEBOOK`. Error bound: 0.00001.
"""
CHARTS = """## Charts

The best chart of its form for each rulebook, and what it costs compared with best play, in percent of the first wager
per round: `pontoon chart RULEBOOK`. The margin of every square: `pontoon chart RULEBOOK --json`. The cost is exact for
the chart, within the bound of the edges.
"""
WHAT_IF = """## What each rule is worth

One rule changed on its own, with best play computed again: what the bettor gains, in percent of the first wager. These
are the {top} largest changes of each rulebook; the command lists all. Error bound: 0.0001, the last digit; the value of
re-splits decided by composition would differ by less than 0.00001.
"""
AMBIGUITIES = """## The price of ambiguities

Wording that can be read in several ways: the house edge and the bettor's gain, in percent of the first wager, under
each reading, if any reading moves the edge by more than 0.000005. The numbers (A1, A2, ...) are those of the rules
matrix. Error bound: 0.0000002 for an edge, 0.0001 (the last digit) for a gain.
"""
STILL = "No reading of unclear wording moves the edge."
REMOVAL = """## Effects of removal

What the bettor gains when one card of a rank is removed from a fresh shoe, in percent of the first wager, averaged
over the suits of 6, 7 and 8: `pontoon count RULEBOOK`. Error bound: 0.00001, the last digit.
"""
COUNTS = """## Counts

Correlation of counts with these effects: the best of each level, balanced or not, the best balanced ones, and the
well-known counts, with the tag of a ten for pictures. An unbalanced count starts at minus the sum of its tags for each
pack, so that its true count keeps its mean: `pontoon count RULEBOOK --tags COUNT`. The last two columns of the best
counts are those of the tags for division-15. Error bound: 0.0001, the last digit.
"""
WALKER = """## The literature's count: Hi-Lo from -4 a pack

Katarina Walker's count for Spanish 21 is Hi-Lo with the running count starting at -4 for each pack: the true count of
a fresh shoe is -4. It is also the best count of level one in four of the five rulebooks; in adelaide the one without a
tag on pictures fits better. Betting correlation, playing efficiency and insurance correlation; the betting correlation
with a side count of aces; the value of one point of true count near neutral in percent of the first wager, played by
the count; the true counts at which a round is even and insurance favours the bettor; what all indices together gain at
one flat bet, in percent; and the SCORE of bets from 1 to 12. The shoe is dealt to 75 %: `pontoon count RULEBOOK --tags
hi-lo --side-count A`, `pontoon bet RULEBOOK --count hi-lo`. Correlations are exact to the last digit; the others are
those of mean shoes at a true count; tests/agreement compares rounds simulated at each count, with 0.08 points allowed
beyond four standard errors.
"""
INDICES = """## Indices worth most

The dozen indices of Hi-Lo (from -4 a pack) that gain most, in order; the true count includes every card on the table.
All of them, with what each gains: `pontoon count RULEBOOK --tags hi-lo --all`. Exact for the mean shoe at a count, to
the last digit.
"""
PUBLISHED = """## Compared with published figures

Every published figure for Pontoon and Spanish 21 that could be found and whose rules are stated, in percent of the
first wager. The sources give two decimals and mostly come from simulations of a fixed strategy from a shoe with a
cutting card; ours are best play from a fresh shoe, so ours may be lower by up to 0.1. Spanish 21 is computed by
changing the game in the few places where it differs (tests/published, which also compares ordinary blackjack).
"""
NOT_COMPARED = """Published figures that cannot be computed from what their sources say:
"""
LEFT_OUT = (
    ("Spanish 21 with redoubling, 6 packs, H17", "0.42", "no rulebook here lets a doubled hand be doubled again"),
    ("5-6 v 2 doubled, with up to three doubles", "+0.348048", "the same"),
    ("Spanish 21, S17", "0.34", "packs and Super Bonus not stated; with six packs and the bonus ours is 0.3683"),
    ("Spanish 21, H17, by ordinary blackjack strategy", "about 1.5", "the strategy is not stated"),
    ("Crown Melbourne, ordinary blackjack", "0.54", "the rules are not itemised, and it is another game"),
)
SIDES = """## Side wagers and insurance

Value per unit staked on a fresh shoe, as an exact fraction and in percent: `pontoon side RULEBOOK --packs N`. Bold: it
favours the player. Insurance is valued for a bettor who sees the ace and two cards of their own, no aces. The
fractions have no error.
"""


def page(simulation: Sequence[str]) -> Lines:
    """The lines of the page."""
    yield from found_lines()
    yield from chart_lines()
    yield from what_if_lines()
    yield from count_lines()
    yield from side_lines()
    yield from published_lines()
    yield from [SIMULATION, "", *simulation]


def found_lines() -> Lines:
    """Everything that follows from the edges."""
    yield from edge_lines(found_edges())
    yield from upcard_lines()


SECTIONS: dict[str, Callable[[], Lines]] = {
    "edges": found_lines,
    "charts": chart_lines,
    "counts": count_lines,
    "published": published_lines,
}
"""Sections that can be written alone, `--only NAME`; each replaces those of its headings."""


def replaced(text: str, lines: Sequence[str]) -> str:
    """The page with the sections of these headings replaced; new ones are added before the simulation."""
    parts = re.split(r"(?m)^(?=## )", text)
    new = [part for part in re.split(r"(?m)^(?=## )", "\n".join(lines) + "\n") if part.strip()]
    titles = {part.splitlines()[0] for part in new}
    kept_parts: list[str] = []
    put = False
    for part in parts:
        title = part.splitlines()[0] if part.strip() else ""
        if title in titles or title.startswith("## Agreement with the simulation"):
            kept_parts += [] if put else new
            put = True
        if title not in titles:
            kept_parts.append(part)
    return "".join(kept_parts)


def kept() -> list[str]:
    """The lines of the existing section on the simulation."""
    old = FILE.read_text("utf-8") if FILE.exists() else ""
    _, _, after = old.partition(f"{SIMULATION}\n")
    return after.strip().splitlines() or [MARKER]


def check() -> int:
    """Recompute the first table, print the differences and return the exit status."""
    first = FILE.read_text("utf-8").partition("## Error bounds")[0]
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
    if "--only" in sys.argv:
        lines = list(SECTIONS[sys.argv[sys.argv.index("--only") + 1]]())
        FILE.write_text(replaced(FILE.read_text("utf-8"), lines), "utf-8")
        return 0
    text = "\n".join(page(kept())) + "\n"
    FILE.write_text(text, "utf-8")
    note(f"docs/{FILE.name}: {len(text)} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
