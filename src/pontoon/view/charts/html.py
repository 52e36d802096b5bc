"""A chart as a self-contained page: squares coloured by action, deeper where the margin is larger."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pontoon.rulebook import Rulebook
from pontoon.view.charts.text import INK, figures, hand_words, heading, legend, shade, shown_rows, square_words
from pontoon.view.settlement import headline

if TYPE_CHECKING:
    from pontoon.analysis.charts.chart import Chart, Rows

_STYLE = """
:root { font-family: system-ui, "Segoe UI", Roboto, sans-serif; color: INK; background: #f4f2ec; }
body { max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin: 0; }
p { margin: .35rem 0; }
.about { color: #55555f; }
.blocks { columns: 2 24rem; column-gap: 2.5rem; }
.blocks > * { break-inside: avoid; margin-bottom: 1.4rem; }
table { border-collapse: separate; border-spacing: 2px; width: 100%; table-layout: fixed; }
caption { text-align: left; font-weight: 650; padding: .3rem 0; }
th { font-weight: 600; font-size: .9rem; padding: .15rem; }
th[scope=row] { text-align: right; padding-right: .5rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
td { text-align: center; padding: .28rem 0; border-radius: 4px; font-size: .9rem; font-weight: 600; cursor: help; }
td.never { font-weight: 400; font-style: italic; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem .9rem; margin: 1rem 0; }
dt { font-weight: 700; } dd { margin: 0; }
@media print {
  :root { background: #fff; } body { margin: 0; }
  td { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def page(chart: Chart, rules: Rulebook) -> str:
    """The whole page.

    Every square has a title with its figures; the page holds no script and fetches nothing.
    """
    name = escape(f"Pontoon chart: {rules.about.name}, {chart.decks} packs")
    blocks = "\n".join(_table(block, title, rows, chart.upcards) for block, title, rows in shown_rows(chart))
    signs = "".join(f"<dt>{escape(shown)}</dt><dd>{escape(words)}</dd>" for shown, words in legend(chart))
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title>
<style>{_STYLE.replace("INK", INK)}</style>
<h1>{name}</h1>
<p class="about">{escape(rules.about.place)}<br>
{escape(headline(rules, chart.decks))}; first wager ${escape(chart.stake)}</p>
<p>{escape(figures(chart))}.</p>
<div class="blocks">
{blocks}
<section><dl>{signs}</dl>
<p class="about">Columns are the dealer's upcard, 10 for every picture. The deeper the colour, the more the square
is worth over the second best decision; pale squares are close,
those in italics never come up by this chart. Point at one for its figures.</p></section>
</div>
</html>
"""


def _table(block: str, title: str, rows: Rows, upcards: tuple[str, ...]) -> str:
    head = "".join(f'<th scope="col">{heading(upcard)}</th>' for upcard in upcards)
    lines = "\n".join(_row(block, hand, rows) for hand in rows)
    return f"<table><caption>{escape(title)}</caption>\n<tr><td></td>{head}</tr>\n{lines}\n</table>"


def _row(block: str, hand: str, rows: Rows) -> str:
    cells = []
    for upcard, square in rows[hand].items():
        ground = shade(square.code, square.margin if square.chance else 0.0)
        never = "" if square.chance else ' class="never"'
        tip = escape(square_words(block, hand, upcard, square))
        cells.append(f'<td{never} style="background:{ground}" title="{tip}">{escape(square.code)}</td>')
    return f'<tr><th scope="row">{hand_words(block, hand)}</th>{"".join(cells)}</tr>'
