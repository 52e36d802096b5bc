"""A chart for a person: as text of 80 columns, as rows of a table; words and colours that its pictures share."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from pontoon.rulebook import Rulebook
from pontoon.view.settlement import headline

if TYPE_CHECKING:
    from pontoon.analysis.charts.chart import Chart, Rows, Square

TITLES = {"hard": "Hard totals", "soft": "Soft totals", "pairs": "Pairs", "forfeit": "After doubling: give it up?"}
PICTURE = "10"
"""How a picture is headed: J, Q and K alike."""
CLOSE = 5
"""How many of the closest squares are named."""

LEGEND = (
    ("S", "S", "stand"),
    ("H", "H", "hit"),
    ("D", "D", "double"),
    ("P", "P", "split"),
    ("R", "R", "surrender, else hit (RS, RP, RD: else stand, split, double)"),
    ("3456789", "S4, D5", "stand, double; but hit with 4, with 5 cards or more"),
    ("*", "*", "but hit 6-7, 6-8, 7-8"),
    ("'", "'", "but hit 6-7, 6-8, 7-8 of one suit"),
    ('"', '"', "but hit 6-7, 6-8, 7-8 of spades"),
    ("^", "^", "but double if an ace was drawn after the first two cards"),
    ("$", "P$", "split, but hit 7-7 of one suit: the Super Bonus"),
    ("F", "F", "forfeit the double"),
    ("K", "K", "keep it"),
)
"""Signs that make a legend entry necessary, how it is shown, and what it means."""


def legend(chart: Chart) -> list[tuple[str, str]]:
    """The signs that this chart uses, each with its meaning."""
    used = {
        sign
        for rows in chart.blocks().values()
        for row in rows.values()
        for square in row.values()
        for sign in square.code
    }
    found = [(shown, words) for signs, shown, words in LEGEND if used & set(signs)]
    if chart.split_aces_free:
        found = [(shown, words + " (split: any ace)" * (shown == "^")) for shown, words in found]
    return found


def figures(chart: Chart) -> str:
    """The value of the chart in one sentence."""
    return (
        f"By this chart {chart.ev_chart:+.4%} of the first wager a round, at best {chart.ev_optimal:+.4%}: "
        f"it costs {chart.cost:.4%}"
    )


def shown_rows(chart: Chart) -> Iterator[tuple[str, str, Rows]]:
    """The blocks to show: name, title, rows. Of the forfeits, only totals that a double can reach."""
    for block, rows in chart.blocks().items():
        kept = rows
        if block == "forfeit":
            kept = {hand: row for hand, row in rows.items() if any(square.chance for square in row.values())}
        if kept:
            yield block, TITLES[block], kept


def heading(upcard: str) -> str:
    """The dealer's upcard as a column heading."""
    return PICTURE if upcard == "K" else upcard


def hand_words(block: str, hand: str) -> str:
    """The row heading of a hand.

    >>> hand_words("pairs", "KK"), hand_words("soft", "17")
    ('10-10', '17')
    """
    return "-".join(heading(card) for card in hand) if block == "pairs" else hand


def square_words(block: str, hand: str, upcard: str, square: Square) -> str:
    """A square in one sentence: what to do, its margin, and what the alternatives are worth."""
    values = ", ".join(f"{name} {value:+.4f}" for name, value in sorted(square.ev.items(), key=lambda item: -item[1]))
    often = f"{square.chance:.4%} of rounds" if square.chance else "never comes up by this chart"
    what = {"hard": "hard", "soft": "soft", "pairs": "pair", "forfeit": "doubled"}[block]
    where = f"{what} {hand_words(block, hand)} against {heading(upcard)}"
    return f"{where}: {square.code} by {square.margin:.4f} ({values}); {often}"


# --- text ----------------------------------------------------------------------------------------------


def text(chart: Chart, rules: Rulebook) -> list[str]:
    """The chart in lines of at most 80 columns."""
    lines = [headline(rules, chart.decks), f"best chart for a first wager of ${chart.stake}", ""]
    for block, title, rows in shown_rows(chart):
        lines += [title, _line("", [heading(upcard) for upcard in chart.upcards])]
        lines += [_line(name, codes) for name, codes in merged_rows(block, rows)]
        lines.append("")
    signs = legend(chart)
    width = max(len(shown) for shown, _ in signs)
    lines += [f"  {shown:<{width}}  {words}" for shown, words in signs]
    lines += ["", "Closest squares (gain over the second best decision when the square comes up)"]
    lines += [f"  {name:<16} {code:<4} {margin:.5f}" for name, code, margin in closest(chart)]
    return [*lines, "", *_folded(figures(chart))]


def _line(name: str, cells: list[str]) -> str:
    return f"  {name:<7}" + "".join(f"{cell:<6}" for cell in cells).rstrip()


def _folded(sentence: str) -> list[str]:
    first, _, rest = sentence.partition(": ")
    return [f"{first}:", f"  {rest}"]


def merged_rows(block: str, rows: Rows) -> Iterator[tuple[str, list[str]]]:
    """Rows in order, with identical neighbours merged."""
    listed = [(hand, [square.code for square in row.values()]) for hand, row in rows.items()]
    if block == "pairs":
        yield from ((hand_words(block, hand), codes) for hand, codes in listed)
        return
    for _, same in groupby(listed, key=lambda row: row[1]):
        group = list(same)
        low, high = group[0][0], group[-1][0]
        yield (low if low == high else f"{low}-{high}"), group[0][1]


def closest(chart: Chart) -> list[tuple[str, str, float]]:
    """The squares that come up and matter least: name, code, margin."""
    found = [
        (f"{block} {hand} v {heading(upcard)}", square.code, square.margin)
        for block, rows in chart.blocks().items()
        for hand, row in rows.items()
        for upcard, square in row.items()
        if square.chance and (block == "forfeit" or len(square.ev) > 1)
    ]
    return sorted(found, key=lambda result: result[2])[:CLOSE]


def comma_separated(chart: Chart) -> str:
    """One row a square: block, hand, upcard, code, margin, and the rules it is for."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("block", "hand", "upcard", "code", "margin", "rulebook", "packs", "overrides"))
    changed = " ".join(f"{key}={value}" for key, value in chart.overrides.items())
    for block, rows in chart.blocks().items():
        for hand, row in rows.items():
            for upcard, square in row.items():
                made_for = (chart.rulebook, chart.decks, changed)
                writer.writerow((block, hand, upcard, square.code, f"{square.margin:.8f}", *made_for))
    return out.getvalue()


# --- colours -------------------------------------------------------------------------------------------

COLOURS = {
    "S": (233, 122, 105),
    "H": (247, 196, 84),
    "D": (112, 170, 226),
    "P": (104, 190, 140),
    "R": (188, 148, 206),
    "F": (188, 148, 206),
    "K": (208, 217, 226),
}
"""One for each action, all light enough for dark ink."""
PALEST = 0.3
FULL_MARGIN = 0.25
"""From this margin a square has its full colour."""
INK = "#18181e"


def shade(code: str, margin: float) -> str:
    """The background of a square: the action's colour, deeper where the margin is larger.

    >>> shade("S", 1.0), shade("H", 0.0)
    ('#e97a69', '#fdedcc')
    """
    part = PALEST + (1 - PALEST) * min(max(margin, 0.0) / FULL_MARGIN, 1.0) ** 0.5
    return "#" + "".join(f"{round(255 + (colour - 255) * part):02x}" for colour in COLOURS[code[0]])
