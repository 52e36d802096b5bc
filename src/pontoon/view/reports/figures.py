"""The pictures of a report as PNG; matplotlib is imported when one is drawn."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from math import floor, log10
from textwrap import fill
from typing import Any

from pontoon.view.reports.parts import GRID, INK, LINES, PAPER, QUIET, Bar, spread, steps

WIDE = 8.6
ROW = 0.36
"""Width of a picture and height of a bar, in inches."""
DOTS = 160
LONGEST = 44
"""Maximum number of letters in one line of a name."""
FIGURE = 0.8
"""Inches that a figure beside a bar needs."""


def edges(series: Mapping[str, Mapping[int, float]], title: str, about: str) -> bytes:
    """House edges by packs, one line per rulebook, labelled at its end."""
    figure, axes = _figure(5.2, title, about, left=0.09, right=0.76)
    values = [edge for line in series.values() for edge in line.values()]
    packs = sorted({pack for line in series.values() for pack in line})
    ticks = steps(min(values), max(values))
    axes.set_ylim(ticks[0], ticks[-1])
    axes.set_yticks(ticks, [f"{tick:.2%}" for tick in ticks])
    axes.set_xlim(packs[0] - 0.15, packs[-1] + 0.15)
    axes.set_xticks(packs, [str(pack) for pack in packs])
    axes.set_xlabel("packs in the shoe", color=QUIET)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    apart = (ticks[-1] - ticks[0]) * 0.05
    ends = spread([line[max(line)] for line in series.values()], apart)
    for index, ((name, line), end) in enumerate(zip(series.items(), ends, strict=True)):
        colour = LINES[index % len(LINES)]
        points = sorted(line.items())
        axes.plot(*zip(*points, strict=True), color=colour, linewidth=2, marker="o", markersize=5)
        axes.annotate(
            f"{name}  {points[-1][1]:.3%}",
            xy=points[-1],
            xytext=(packs[-1] + (packs[-1] - packs[0] + 0.3) * 0.045, end),
            color=colour,
            weight="bold",
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 4},
        )
    return _png(figure)


def bars(rows: Sequence[Bar], title: str, about: str) -> bytes:
    """Bars on both sides of zero, each with its value."""
    lines = max(fill(row.label, LONGEST).count("\n") for row in rows)
    figure, axes = _figure(1.35 + (ROW + 0.15 * lines) * len(rows), title, about, left=_room(rows), right=0.97)
    values = [row.value for row in rows]
    low, high = min((0.0, *values)), max((0.0, *values))
    below, above = low < 0, high > 0 or low == 0
    share = FIGURE / (WIDE * (0.97 - _room(rows)))
    room = (high - low or 1.0) / (1 - share * (below + above)) * share
    axes.set_xlim(low - room * below, high + room * above)
    axes.barh(range(len(rows)), values, height=0.62 / (1 + 0.3 * lines), color=[row.colour for row in rows], zorder=2)
    axes.axvline(0, color=INK, linewidth=0.9, zorder=3)
    for index, one in enumerate(rows):
        side = -1 if one.value < 0 else 1
        axes.annotate(
            one.shown,
            (one.value, index),
            xytext=(4 * side, 0),
            textcoords="offset points",
            ha="right" if side < 0 else "left",
            va="center_baseline",
            size=9,
            color=INK,
        )
    axes.set_xticks([])
    _names(axes, rows)
    return _png(figure)


def log_bars(rows: Sequence[Bar], title: str, about: str) -> bytes:
    """Chances on a scale of powers of ten."""
    figure, axes = _figure(1.6 + ROW * len(rows), title, about, left=_room(rows), right=0.97)
    least = floor(min((log10(row.value) for row in rows if row.value > 0), default=-1.0))
    ticks = range(least, 1)
    lengths = [log10(row.value) - least if row.value > 0 else 0.0 for row in rows]
    axes.set_xlim(0, -least * 1.22)
    axes.set_xticks([tick - least for tick in ticks], [_chance(tick) for tick in ticks], size=8.5)
    axes.grid(axis="x", color=GRID, linewidth=0.8, zorder=0)
    axes.barh(range(len(rows)), lengths, height=0.62, color=[row.colour for row in rows], zorder=2)
    for index, (one, length) in enumerate(zip(rows, lengths, strict=True)):
        axes.annotate(
            one.shown,
            (length, index),
            xytext=(4, 0),
            textcoords="offset points",
            va="center_baseline",
            size=9,
            color=INK,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1},
        )
    _names(axes, rows)
    return _png(figure)


def _chance(power: int) -> str:
    return "always" if power == 0 else f"1 in {10**-power:,}" if power > -4 else f"1 in {_short(-power)}"


def _short(power: int) -> str:
    """A large power of ten in few characters.

    >>> _short(4), _short(6)
    ('10 k', '1 M')
    """
    return f"{10 ** (power - 3)} k" if power < 6 else f"{10 ** (power - 6)} M"  # thousands, millions


def _room(rows: Sequence[Bar]) -> float:
    """The part of a picture's width that the longest name needs."""
    return 0.03 + 0.0102 * max(len(line) for row in rows for line in fill(row.label, LONGEST).split("\n"))


def _names(axes: Any, rows: Sequence[Bar]) -> None:  # noqa: ANN401 matplotlib is typed when it is there
    axes.set_yticks(range(len(rows)), [fill(row.label, LONGEST) for row in rows])
    axes.set_ylim(len(rows) - 0.45, -0.55)


def _figure(height: float, title: str, about: str, *, left: float, right: float) -> tuple[Any, Any]:
    import matplotlib as mpl  # noqa: PLC0415 only a drawn picture needs it

    mpl.use("Agg")
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(WIDE, height), dpi=DOTS, facecolor=PAPER)
    axes = figure.add_axes((left, 0.5 / height, right - left, 1 - 1.25 / height), facecolor=PAPER)
    figure.text(0.025, 1 - 0.3 / height, title, size=14.5, weight="bold", color=INK, va="center")
    figure.text(0.025, 1 - 0.56 / height, about, size=8.8, color=QUIET, va="center")
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0, labelcolor=INK, labelsize=9.5)
    return figure, axes


def _png(figure: Any) -> bytes:  # noqa: ANN401 the same
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()
