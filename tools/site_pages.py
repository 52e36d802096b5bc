"""Write the page of each rulebook on the site (docs/rulebooks): `python tools/site_pages.py`.

The edges and charts take some minutes the first time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pontoon.analysis.answers import Edge
from pontoon.analysis.charts.chart import Chart, Rows, chart_of
from pontoon.analysis.side import side_values
from pontoon.analysis.solver import Solver
from pontoon.library import cached_value, edge
from pontoon.rulebook import NAMES, Rulebook, digest, load
from pontoon.rulebook.explain import explain
from pontoon.view.charts.text import TITLES, legend
from pontoon.view.words import ENDS

ROOT = Path(__file__).resolve().parent.parent
BOOKS = ROOT / "docs" / "rulebooks"
STAKE = 1000
OFFICE = ("shoe", "cut", "people", "closing", "irregular", "cites", "table")
"""Sections about the table and its staff, which the page leaves to `pontoon rules`."""


def book_page(name: str) -> str:
    """The page of a rulebook: its figures, its chart and its rules, in Markdown."""
    rules = load(name)
    figures = (_figures(rules), _by_packs(rules), _chart(chart_for(rules)), _ends(edge(rules)))
    parts = (*figures, _sides(rules), _rules(rules))
    return "\n".join(line for part in parts for line in part).rstrip() + "\n"


def chart_for(rules: Rulebook) -> Chart:
    """The best chart with the document's default number of packs, from the cache."""
    packs = rules.decks.default

    def solve() -> Chart:
        return chart_of(Solver(rules, packs, stake=STAKE), rules)

    return cached_value("site-chart.json", (rules, packs, STAKE), Chart, solve)


def _figures(rules: Rulebook) -> Iterator[str]:
    packs, name = rules.decks.default, rules.about.name
    found = edge(rules)
    yield f"# {name}"
    yield ""
    yield f"{rules.about.title}: {rules.about.place}, {rules.about.nature}. Rules `{digest(rules)}`."
    yield ""
    yield f"**House edge {found.house_edge:.4%}** of the first wager: best play, {packs} packs, a first wager of $10;"
    yield f"standard deviation {found.sd:.4f} wagers a round. Exact, from every order of the cards"
    yield f"([how](../method.md)): `pontoon edge {name}`."
    yield ""
    yield from _upcards(found)


def _upcards(found: Edge) -> Iterator[str]:
    values = {rank: value for rank, value in found.ev_by_upcard.items() if rank not in "JQ"}
    yield "| dealer's upcard | " + " | ".join("J Q K" if rank == "K" else rank for rank in values) + " |"
    yield "| --- |" + " ---: |" * len(values)
    yield "| value of a round | " + " | ".join(f"{value:+.1%}" for value in values.values()) + " |"
    yield ""


def _ends(found: Edge) -> Iterator[str]:
    yield "## How a wager ends"
    yield ""
    yield "| payout | per round |"
    yield "| --- | ---: |"
    for name, chance in found.frequencies.items():
        if chance > 0:
            yield f"| {ENDS[name]} | {chance:.4%} |"
    yield ""


def _by_packs(rules: Rulebook) -> Iterator[str]:
    yield "## Edge by packs"
    yield ""
    yield "| packs | house edge | standard deviation |"
    yield "| ---: | ---: | ---: |"
    for packs in rules.decks.allowed:
        found = edge(rules, packs)
        yield f"| {packs} | {found.house_edge:.6%} | {found.sd:.4f} |"
    yield ""


def _chart(chart: Chart) -> Iterator[str]:
    yield "## Chart"
    yield ""
    yield f"The best chart of its form: it costs {chart.cost:.4%} of the first wager a round compared with perfect play"
    yield f"(`pontoon chart {chart.rulebook}`; a card for the wallet: `--card`)."
    yield ""
    for block, rows in chart.blocks().items():
        if rows:
            yield from _block(TITLES[block], rows, chart)
    yield from (f"- `{sign}` {words}" for sign, words in legend(chart))
    yield ""


def _block(title: str, rows: Rows, chart: Chart) -> Iterator[str]:
    upcards = chart.upcards
    yield f"| {title} | " + " | ".join("10" if rank == "K" else rank for rank in upcards) + " |"
    yield "| --- |" + " :---: |" * len(upcards)
    for hand, row in rows.items():
        yield f"| {hand} | " + " | ".join(row[rank].code if rank in row else "" for rank in upcards) + " |"
    yield ""


def _sides(rules: Rulebook) -> Iterator[str]:
    yield "## Side bets and insurance"
    yield ""
    yield "| wager | value of a unit | favours |"
    yield "| --- | ---: | --- |"
    for side in side_values(rules, rules.decks.default):
        yield f"| {side.name} | {float(side.value):+.4%} | the {side.favours} |"
    yield ""


def _rules(rules: Rulebook) -> Iterator[str]:
    yield "## Rules"
    yield ""
    yield f"In our own words, each with its clause; all of them: `pontoon rules {rules.about.name}`."
    yield ""
    for chapter in explain(rules):
        if chapter.section.split(".")[0] not in OFFICE:
            lines = [sentence for sentence in chapter.sentences if sentence.applies and sentence.clauses]
            if lines:
                yield f"**{chapter.heading}**"
                yield ""
                yield from (f"- {sentence.text} [{', '.join(sentence.clauses)}]" for sentence in lines)
                yield ""


def main() -> None:
    """Write the pages."""
    BOOKS.mkdir(exist_ok=True)
    for name in NAMES:
        print(name, flush=True)
        (BOOKS / f"{name}.md").write_text(book_page(name), encoding="utf-8")


if __name__ == "__main__":
    main()
