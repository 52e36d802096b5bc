"""A report: one page with edges by packs, charts with margins, payouts, and what each rule and reading is worth.

The page is self-contained: no script, no font, nothing fetched. It can be read on a phone and printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct

from pontoon.analysis.side import SideValue
from pontoon.rulebook import Rulebook, digest
from pontoon.version import __version__
from pontoon.view.charts.text import figures, hand_words, heading, legend, shade, shown_rows, square_words
from pontoon.view.reports.parts import GAIN, LOSS, PLAIN, QUIET, Bar, bars, edge_lines, log_bars, signed, table, tiles
from pontoon.view.reports.style import STYLE
from pontoon.view.settlement import headline
from pontoon.view.words import ENDS

if TYPE_CHECKING:
    from pontoon.analysis.answers import Edge
    from pontoon.analysis.charts.chart import Chart, Rows
    from pontoon.analysis.whatif import Ambiguity, Change

TOP = 15
"""Number of rules in the picture of rule values."""
NOUGHT = 5e-8
"""Less than this is no change of the edge: the bar on the solver's own error."""
RARE = 0.001
"""Probabilities below this are written as "1 in N"."""

LOST = {"lose", "doubled_lose", "forfeit", "surrender"}


class Findings(Struct, frozen=True, kw_only=True):
    """All results for one rulebook."""

    rules: Rulebook
    decks: int
    stake: str
    edge: Edge
    by_decks: dict[int, float]
    """House edges."""
    chart: Chart
    changes: tuple[Change, ...]
    ambiguities: tuple[Ambiguity, ...]
    sides: tuple[SideValue, ...]

    @property
    def name(self) -> str:
        """Digest of the rulebook."""
        return self.rules.about.name

    @property
    def wager(self) -> str:
        """The first wager in words."""
        return "$" + self.stake.removesuffix(".00")


# --- what is shown -------------------------------------------------------------------------------------


def chance_words(chance: float) -> str:
    """A probability in readable form.

    >>> chance_words(0.0418), chance_words(1.82e-6), chance_words(0.0)
    ('4.180%', '1 in 549,451', 'never')
    """
    if chance <= 0:
        return "never"
    return f"{chance:.3%}" if chance >= RARE else f"1 in {1 / chance:,.0f}"


def frequency_bars(edge: Edge) -> list[Bar]:
    """The frequency of each outcome of a wager, most frequent first."""
    order = sorted(edge.frequencies.items(), key=lambda item: -item[1])
    return [Bar(ENDS[name], chance, chance_words(chance), colour=_colour(name)) for name, chance in order]


def _colour(end: str) -> str:
    return LOSS if end in LOST else QUIET if end == "stand_off" else PLAIN if end == "super_bonus" else GAIN


def upcard_bars(edge: Edge) -> list[Bar]:
    """The value of a round by the dealer's upcard; pictures share a bar if they are equal."""
    values = dict(edge.ev_by_upcard)
    pictures = {rank: values.pop(rank) for rank in "JQK"}
    if len({round(picture, 12) for picture in pictures.values()}) == 1:
        pictures = {"J, Q, K": pictures["K"]}
    ace = values.pop("A")
    return [signed(rank, value, digits=3) for rank, value in {**values, **pictures, "A": ace}.items()]


def change_bars(changes: Sequence[Change], most: int = 0) -> list[Bar]:
    """Changes of a rule that move the edge, the largest first."""
    moved = sorted((change for change in changes if abs(change.worth) > NOUGHT), key=lambda change: -abs(change.worth))
    return [
        signed(
            posting.sentence.removesuffix("."),
            posting.worth,
            f"{posting.key} = {posting.value}, instead of {posting.was}",
        )
        for posting in moved[: most or None]
    ]


def reading_bars(ambiguities: Sequence[Ambiguity]) -> list[Bar]:
    """Other readings of unclear words that move the edge, the largest first."""
    found = [
        signed(f"{ambiguity.number}: {reading.reading}", reading.difference, ambiguity.says)
        for ambiguity in ambiguities
        for reading in ambiguity.readings
        if not reading.ours and abs(reading.difference) > NOUGHT
    ]
    return sorted(found, key=lambda result: -abs(result.value))


def data(one: Findings) -> dict[str, object]:
    """The figures of one rulebook for `--json`."""
    return {
        "rulebook": one.name,
        "digest": digest(one.rules),
        "overrides": {change.key: change.value for change in one.rules.overrides},
        "decks": one.decks,
        "stake": one.stake,
        "ev": one.edge.ev,
        "house_edge": one.edge.house_edge,
        "sd": one.edge.sd,
        "house_edge_by_decks": {str(decks): edge for decks, edge in one.by_decks.items()},
        "ev_by_upcard": one.edge.ev_by_upcard,
        "frequencies": one.edge.frequencies,
        "super_bonus_value": one.edge.super_bonus_value,
        "chart": {"ev_optimal": one.chart.ev_optimal, "ev_chart": one.chart.ev_chart, "cost": one.chart.cost},
        "whatif": [
            {"key": row.key, "value": row.value, "was": row.was, "worth": row.worth, "clauses": list(row.clauses)}
            for row in one.changes
        ],
        "ambiguities": [
            {"number": row.number, "reading": reading.reading, "ours": reading.ours, "difference": reading.difference}
            for row in one.ambiguities
            for reading in row.readings
        ],
        "side": [{"name": row.name, "value": str(row.value), "value_decimal": float(row.value)} for row in one.sides],
    }


# --- the page ------------------------------------------------------------------------------------------


def page(found: Sequence[Findings], command: str) -> str:
    """The whole page; `command` is the command that produced it."""
    links = "".join(f'<a href="#{escape(result.name)}">{escape(result.name)}</a>' for result in found)
    books = "\n".join(_book(result) for result in found)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pontoon: what the rules are worth</title>
<style>{STYLE}</style>
</head>
<body>
<header>
<h1>Pontoon: what the rules are worth</h1>
<p class=about>Exact chances by drawing without replacement, best play of one box with one wager of
{escape(found[0].wager)} from a fresh shoe. Figures are parts of the first wager; a minus is the bettor's loss.</p>
<nav>{links}</nav>
</header>
<main>
{_overview(found)}
{books}
</main>
<footer><p class=about>Made by <code>{escape(command)}</code>, pontoon {escape(__version__)}.</p></footer>
</body>
</html>
"""


def _overview(found: Sequence[Findings]) -> str:
    packs = sorted({decks for result in found for decks in result.by_decks})
    head = ["packs", *(result.name for result in found)]
    rows = [
        [str(decks), *(f"{result.by_decks[decks]:.4%}" if decks in result.by_decks else "" for result in found)]
        for decks in packs
    ]
    series: Mapping[str, Mapping[int, float]] = {result.name: result.by_decks for result in found}
    return f"""<section id="edges">
<h2>House edge by packs</h2>
<p class=about>What the house keeps of the first wager against best play. An empty place: the document does not allow
that many packs.</p>
<div class=pair>
{edge_lines(series)}
{table(head, rows)}
</div>
</section>"""


def _book(one: Findings) -> str:
    about = one.rules.about
    parts = "\n".join(
        f"<section>\n<h3>{escape(title)}</h3>\n{_words(words)}{body}\n</section>" for title, words, body in _parts(one)
    )
    first = tiles(
        (
            (f"{one.edge.house_edge:.4%}", "house edge, best play"),
            (f"{one.chart.cost:.4%}", "more by the chart below"),
            (f"{one.edge.sd:.4f}", "standard deviation of a round"),
            (f"{one.edge.hands:.4f}", "hands a round, splits counted"),
            (f"{one.edge.super_bonus_value:.4%}", "worth of the Super Bonus"),
        )
    )
    return f"""<article id="{escape(one.name)}">
<h2>{escape(one.name)}</h2>
<p class=about>{escape(about.title)} ({escape(about.place)}).<br>
{escape(headline(one.rules, one.decks))}; first wager {escape(one.wager)}</p>
{first}
{parts}
</article>"""


def _words(words: str) -> str:
    return f"<p class=about>{escape(words)}</p>\n" if words else ""


def _parts(one: Findings) -> Iterator[tuple[str, str, str]]:
    """The sections for a rulebook: title, sentence, content."""
    yield "Best chart", f"{figures(one.chart)}.", _chart(one.chart)
    yield (
        "Value by the dealer's first card",
        "What a round is worth to the bettor once the first card lies.",
        bars(upcard_bars(one.edge)),
    )
    yield (
        "How a wager ends",
        "How often, per round; each step of the scale is ten times as rare. Each hand of a split counts.",
        log_bars(frequency_bars(one.edge)),
    )
    yield _changes_part(one.changes)
    yield _readings_part(one.ambiguities)
    yield "Side wagers and insurance", "From a fresh shoe, a unit staked; exact fractions.", _sides(one.sides)


def _changes_part(changes: Sequence[Change]) -> tuple[str, str, str]:
    shown, moved = change_bars(changes, TOP), len(change_bars(changes))
    words = (
        "One rule changed alone and best play found anew: what the bettor gains or loses. "
        f"The {len(shown)} largest of {len(changes)} changes tried; {len(changes) - moved} of them move nothing."
    )
    return "What each rule is worth", words, bars(shown)


def _readings_part(ambiguities: Sequence[Ambiguity]) -> tuple[str, str, str]:
    shown = reading_bars(ambiguities)
    words = "Words that can be read in several ways: what the bettor gains or loses under a reading that is not ours."
    if not shown:
        words = "No other reading of unclear words moves the edge here."
    return "The price of ambiguities", words, bars(shown)


def _favours(side: SideValue) -> str:
    return f"the {side.favours}" if side.value else side.favours


def _sides(sides: Sequence[SideValue]) -> str:
    rows = [(side.name, _favours(side), str(side.value), f"{float(side.value):+.4%}") for side in sides]
    return table(("wager", "favours", "exactly", "value"), rows, left=2)


# --- the chart -----------------------------------------------------------------------------------------


def _chart(chart: Chart) -> str:
    blocks = "\n".join(_block(block, title, rows, chart.upcards) for block, title, rows in shown_rows(chart))
    signs = "".join(f"<dt>{escape(sign)}</dt><dd>{escape(words)}</dd>" for sign, words in legend(chart))
    return f"""<div class=blocks>
{blocks}
<div><dl class=signs>{signs}</dl>
<p class=about>Columns: the dealer's first card, 10 for every picture. The small number is the margin: what the decision
gains over the second best when the square comes up, in hundredths of the first wager. Deeper colour, larger margin;
hatched squares never come up.</p></div>
</div>"""


def _block(block: str, title: str, rows: Rows, upcards: tuple[str, ...]) -> str:
    head = "".join(f"<th scope=col>{heading(upcard)}</th>" for upcard in upcards)
    lines = []
    for hand, row in rows.items():
        cells = []
        for upcard, square in row.items():
            tip = escape(square_words(block, hand, upcard, square))
            never = "" if square.chance else " class=never"
            margin = _margin(square.margin) if square.chance else ""
            cells.append(
                f'<td{never} style="background-color:{shade(square.code, square.margin)}" title="{tip}">'
                f"{escape(square.code)}<small>{margin}</small></td>"
            )
        lines.append(f"<tr><th scope=row>{hand_words(block, hand)}</th>{''.join(cells)}</tr>")
    body = "\n".join(lines)
    return f"<table class=chart><caption>{escape(title)}</caption>\n<tr><td></td>{head}</tr>\n{body}\n</table>"


def _margin(margin: float) -> str:
    """Hundredths of the wager in at most four characters.

    >>> _margin(0.0123), _margin(0.347), _margin(0.0002)
    ('1.2', '35', '.02')
    """
    value = 100 * margin
    if value < 0.1:
        return f"{value:.2f}".removeprefix("0")
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"
