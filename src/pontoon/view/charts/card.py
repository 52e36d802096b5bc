"""A chart as a card for the wallet, the size of a bank card, readable in black and white.

Decisions differ in lightness and in their letters, not in hue alone. matplotlib is imported when a card is drawn.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from pontoon.rulebook import Rulebook
from pontoon.view.charts.png import UNDATED
from pontoon.view.charts.text import INK, heading, legend, merged_rows, shown_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pontoon.analysis.charts.chart import Chart

MILLIMETRES = 25.4
WIDTH, HEIGHT = 85.6, 54.0
"""A bank card, in millimetres."""
EDGE = 2.2
GROUNDS = {
    "H": "#ffffff",
    "S": "#c9c9c9",
    "D": "#9fd0f5",
    "P": "#f6dc8a",
    "R": "#e6c3ee",
    "F": "#e6c3ee",
    "K": "#ffffff",
}
"""The background for each decision: white, and tints that print as different greys."""
QUIET = "#444444"


def card(chart: Chart, rules: Rulebook, form: str) -> bytes:
    """The chart on a card, as SVG, PDF or PNG."""
    from matplotlib.figure import Figure  # noqa: PLC0415 only a drawn card needs it

    figure = Figure(figsize=(WIDTH / MILLIMETRES, HEIGHT / MILLIMETRES), dpi=600, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(HEIGHT, 0)
    axes.axis("off")
    changed = "".join(f", {key}={value}" for key, value in chart.overrides.items())
    title = f"Pontoon {rules.about.name}, {chart.decks} packs{changed}"
    axes.text(EDGE, 2.6, title, size=4.6, weight="bold", color=INK, va="center")
    worth = f"${chart.stake}: house edge {-chart.ev_chart:.4%}, best play {-chart.ev_optimal:.4%}"
    axes.text(WIDTH - EDGE, 2.6, worth, size=3.4, color=QUIET, va="center", ha="right")
    blocks = {block: list(merged_rows(block, rows)) for block, _, rows in shown_rows(chart)}
    columns = (("hard", "forfeit"), ("soft", "pairs"))
    most = max(sum(len(blocks.get(block, ())) + 1.15 for block in column if block in blocks) for column in columns)
    signs = [f"{shown} {words}" for shown, words in legend(chart)]
    lines = _wrapped(signs)
    top, below = 4.4, 1.75 * len(lines) + 0.8
    pitch = (HEIGHT - top - below - EDGE * 0.5) / most
    half = (WIDTH - 2 * EDGE - 2) / 2
    for side, column in enumerate(columns):
        down = top
        for block in column:
            if block in blocks:
                _block(axes, (EDGE + side * (half + 2), down), (half, pitch), block, blocks[block], chart.upcards)
                down += pitch * (len(blocks[block]) + 1.15)
    for number, line in enumerate(lines):
        level = HEIGHT - EDGE * 0.6 - 1.75 * (len(lines) - 1 - number)
        axes.text(EDGE, level, line, size=3.1, color=INK, va="center")
    out = io.BytesIO()
    figure.savefig(out, format=form, metadata=UNDATED[form])
    return out.getvalue()


def _wrapped(signs: list[str], most: int = 118) -> list[str]:
    lines = [""]
    for sign in signs:
        if lines[-1] and len(lines[-1]) + len(sign) + 3 > most:
            lines.append("")
        lines[-1] += ("; " if lines[-1] else "") + sign
    return lines


def _block(
    axes: Axes,
    corner: tuple[float, float],
    size: tuple[float, float],
    block: str,
    rows: list[tuple[str, list[str]]],
    upcards: tuple[str, ...],
) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    across, down = corner
    width, pitch = size
    label = 6.6
    cell = (width - label) / len(upcards)
    name = {"hard": "hard", "soft": "soft", "pairs": "pairs", "forfeit": "doubled"}[block]
    points = min(4.0, pitch * 2.2)
    axes.text(across, down + pitch * 0.5, name, size=points * 0.9, color=QUIET, va="center", style="italic")
    for column, upcard in enumerate(upcards):
        centre = across + label + (column + 0.5) * cell
        axes.text(centre, down + pitch * 0.5, heading(upcard), size=points, color=QUIET, ha="center", va="center")
    for line, (hand, codes) in enumerate(rows, 1):
        level = down + pitch * line
        axes.text(across, level + pitch * 0.5, hand, size=points, weight="bold", color=INK, va="center")
        for column, code in enumerate(codes):
            left = across + label + column * cell
            ground = GROUNDS[code[0]]
            axes.add_patch(Rectangle((left, level), cell, pitch, facecolor=ground, edgecolor="#888888", linewidth=0.15))
            axes.text(left + cell / 2, level + pitch * 0.54, code, size=points, color=INK, ha="center", va="center")
