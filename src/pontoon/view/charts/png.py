"""A chart as a picture for printing; matplotlib is imported when one is drawn."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from pontoon.rulebook import Rulebook
from pontoon.view.charts.text import INK, figures, hand_words, heading, legend, shade, shown_rows
from pontoon.view.settlement import headline

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pontoon.analysis.charts.chart import Chart, Rows

COLUMN = 11.6
"""From one column of blocks to the next, in squares."""
LEFT = ("hard", "forfeit")
"""The blocks of the left column."""
QUIET, PAPER = "#5a5a64", "#fbfaf6"
INCH = 0.42
"""Size of a square in inches."""
GAP = 0.06
TOP = 4.2
"""Top of the blocks."""

UNDATED: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""Metadata without the time of drawing: the same chart gives the same file."""
NOTES = (
    "Columns are the dealer's upcard, 10 for every picture.",
    "Deeper colour: a larger gain over the second best decision.",
    "Thin letters: a square that never comes up by this chart.",
)


def picture(chart: Chart, rules: Rulebook, form: str = "png") -> bytes:
    """The chart as PNG, SVG or PDF."""
    from matplotlib.figure import Figure  # noqa: PLC0415 only a drawn chart needs it

    blocks = list(shown_rows(chart))
    heights = [sum(len(rows) + 2.6 for block, _, rows in blocks if (block in LEFT) == left) for left in (True, False)]
    signs = legend(chart)
    height = max(heights[0], heights[1] + len(signs) * 0.8 + 3.2) + TOP
    width = COLUMN + 12
    figure = Figure(figsize=(width * INCH, height * INCH), dpi=160, facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.axis("off")
    axes.text(
        0.5, 1.1, f"Pontoon: {rules.about.name}, {chart.decks} packs", size=19, weight="bold", color=INK, va="center"
    )
    about = (rules.about.place, f"{headline(rules, chart.decks)}; first wager ${chart.stake}", figures(chart))
    for line, words in enumerate(about):
        axes.text(0.5, 2.1 + 0.7 * line, words, size=8.5, color=QUIET, va="center")
    down = {True: TOP, False: TOP}
    for block, title, rows in blocks:
        left = block in LEFT
        _block(axes, (0.5 if left else 0.5 + COLUMN, down[left]), title, (block, rows), chart.upcards)
        down[left] += len(rows) + 2.6
    _legend(axes, (0.5 + COLUMN, down[False]), signs)
    out = io.BytesIO()
    figure.savefig(out, format=form, metadata=UNDATED[form])
    return out.getvalue()


def _block(
    axes: Axes,
    corner: tuple[float, float],
    title: str,
    what: tuple[str, Rows],
    upcards: tuple[str, ...],
) -> None:
    from matplotlib.patches import FancyBboxPatch  # noqa: PLC0415

    across, down = corner
    block, rows = what
    axes.text(across, down + 0.45, title, size=11.5, weight="bold", color=INK, va="center")
    for column, upcard in enumerate(upcards):
        centre = across + 1.5 + column
        axes.text(centre, down + 1.35, heading(upcard), size=9.5, weight="bold", color=QUIET, ha="center", va="center")
    for line, (hand, row) in enumerate(rows.items()):
        top = down + 1.8 + line
        axes.text(
            across + 0.85,
            top + 0.5,
            hand_words(block, hand),
            size=9.5,
            weight="bold",
            color=INK,
            ha="right",
            va="center",
        )
        for column, square in enumerate(row.values()):
            ground = shade(square.code, square.margin if square.chance else 0.0)
            side = across + 1 + column
            box = FancyBboxPatch(
                (side + GAP + 0.08, top + GAP + 0.08),
                0.84 - 2 * GAP,
                0.84 - 2 * GAP,
                boxstyle="round,pad=0.08",
                linewidth=0,
                facecolor=ground,
            )
            axes.add_patch(box)
            look: dict[str, Any] = {"weight": "bold"} if square.chance else {"style": "italic"}
            axes.text(side + 0.5, top + 0.52, square.code, size=9.5, color=INK, ha="center", va="center", **look)


def _legend(axes: Axes, corner: tuple[float, float], signs: list[tuple[str, str]]) -> None:
    across, down = corner
    for line, (shown, words) in enumerate(signs):
        level = down + 0.5 + line * 0.8
        axes.text(across, level, shown, size=9, weight="bold", color=INK, va="center")
        axes.text(across + 1.9, level, words, size=9, color=INK, va="center")
    below = down + 0.8 + len(signs) * 0.8
    for line, words in enumerate(NOTES):
        axes.text(across, below + 0.7 * line, words, size=8, color=QUIET, va="center", style="italic")
