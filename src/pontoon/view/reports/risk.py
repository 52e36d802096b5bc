"""A session as a picture: how it may go over the hours, and how it may end; matplotlib only draws it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from pontoon.view.reports.parts import GAIN, GRID, INK, LOSS, PAPER, PLAIN, QUIET

if TYPE_CHECKING:
    from pontoon.simulation.bankroll import Outlook, Session

WIDE, HIGH = 11.0, 6.0
"""Inches."""
DOTS = 160
BANDS = ((1, 99, 0.13), (5, 95, 0.16), (25, 75, 0.26))
"""Percentiles between which a band is drawn, and how dark."""
NAMED = (1, 5, 25, 50, 75, 95, 99)
BARS = 46
TOO_FEW = 0.0005
"""Minimum risk of ruin for which a curve is drawn."""


def picture(outlook: Outlook, session: Session, hours: float, title: str, about: str) -> bytes:
    """The session as PNG."""
    import matplotlib as mpl  # noqa: PLC0415 only a drawn picture needs it

    mpl.use("Agg")
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(WIDE, HIGH), dpi=DOTS, facecolor=PAPER)
    figure.text(0.025, 0.955, title, size=15, weight="bold", color=INK, va="center", parse_math=False)
    figure.text(0.025, 0.914, about, size=8.8, color=QUIET, va="center", parse_math=False)
    fan = figure.add_axes((0.075, 0.30, 0.555, 0.525), facecolor=PAPER)
    ends = figure.add_axes((0.70, 0.30, 0.28, 0.525), facecolor=PAPER)
    below = figure.add_axes((0.075, 0.095, 0.555, 0.125), facecolor=PAPER)
    for axes in (fan, ends, below):
        for side in axes.spines.values():
            side.set_visible(False)
        axes.tick_params(length=0, labelcolor=INK, labelsize=9)
    low, high = _limits(outlook, session)
    _fan(fan, outlook, session, hours, (low, high))
    _ends(ends, outlook, session, (low, high))
    _ruin(below, outlook, session, hours)
    _words(figure, outlook)
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _limits(outlook: Outlook, session: Session) -> tuple[float, float]:
    """The results that are shown: all but one in a hundred at either end, and ruin where it is near."""
    low = min(moment.percentiles[1] for moment in outlook.moments) / 100
    high = max(moment.percentiles[99] for moment in outlook.moments) / 100
    ruin = (session.stake - session.bankroll) / 100
    reach = max(high - low, session.stake / 100)
    if outlook.ruin >= TOO_FEW:
        low = min(low, ruin)
    return low - 0.07 * reach, high + 0.07 * reach


def _fan(axes: Any, outlook: Outlook, session: Session, hours: float, limits: tuple[float, float]) -> None:  # noqa: ANN401
    times = [moment.rounds / session.rounds * hours for moment in outlook.moments]
    rows = {percent: [moment.percentiles[percent] / 100 for moment in outlook.moments] for percent in NAMED}
    for lower, upper, depth in BANDS:
        axes.fill_between(times, rows[lower], rows[upper], color=PLAIN, alpha=depth, linewidth=0)
    axes.plot(times, rows[50], color=PLAIN, linewidth=2)
    axes.axhline(0, color=INK, linewidth=0.9)
    axes.set_xlim(0, hours)
    axes.set_ylim(*limits)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.yaxis.set_major_formatter(lambda value, _: _dollars(value))
    axes.set_xticklabels([])
    _title(axes, "the result so far")
    apart = (limits[1] - limits[0]) * 0.042
    lowest = None
    for percent in NAMED:
        level = rows[percent][-1]
        if lowest is not None and level - lowest < apart:
            continue
        lowest = level
        words = "half" if percent == 50 else f"{percent}%"  # the median
        axes.annotate(
            words,
            (hours, level),
            xytext=(4, 0),
            textcoords="offset points",
            size=8,
            color=QUIET,
            va="center",
            annotation_clip=False,
        )
    _ruin_line(axes, session, limits, "below this line: ruined")


def _title(axes: Any, words: str) -> None:  # noqa: ANN401
    axes.set_title(words, size=10.5, weight="bold", color=INK, loc="left", pad=6, parse_math=False)


def _ruin_line(axes: Any, session: Session, limits: tuple[float, float], words: str) -> None:  # noqa: ANN401
    """The level at which one stake is just covered."""
    ruin = (session.stake - session.bankroll) / 100
    if limits[0] < ruin:
        axes.axhspan(limits[0], ruin, color=LOSS, alpha=0.10, linewidth=0)
        axes.axhline(ruin, color=LOSS, linewidth=1.3)
        if words:
            axes.annotate(words, (0, ruin), xytext=(5, -4), textcoords="offset points", size=8.5, color=LOSS, va="top")


def _ends(axes: Any, outlook: Outlook, session: Session, limits: tuple[float, float]) -> None:  # noqa: ANN401
    """The end results lying on their side, so that their scale is that of the fan."""
    ruin = session.stake - session.bankroll
    unit = max(1, round((limits[1] - limits[0]) * 100 / BARS / session.stake)) * session.stake
    held: dict[tuple[int, str], float] = {}
    for result, chance in outlook.ends:
        if limits[0] <= result / 100 <= limits[1]:
            place = (result + unit // 2) // unit
            colour = LOSS if result < ruin else GAIN if place > 0 else QUIET
            held[place, colour] = held.get((place, colour), 0.0) + chance
    under: dict[int, float] = {}
    for (place, colour), chance in sorted(held.items(), key=lambda item: (item[0][0], item[0][1] != LOSS)):
        left = under.get(place, 0.0)
        axes.barh(place * unit / 100, chance, left=left, height=unit / 100 * 0.84, color=colour, alpha=0.85, zorder=2)
        under[place] = left + chance
    axes.set_ylim(*limits)
    longest = max(chance for (_, colour), chance in held.items() if colour != LOSS or len(held) == 1)
    wide = min(max(under.values()), 1.8 * longest) * 1.08
    axes.set_xlim(0, wide)
    for (place, colour), chance in held.items():
        if colour == LOSS and chance > wide:
            words = f"{chance:.1%} →"
            level = (place - 1.35) * unit / 100
            axes.text(wide * 0.98, level, words, size=8.5, weight="bold", color=LOSS, ha="right", va="center")
    axes.axhline(0, color=INK, linewidth=0.9)
    axes.axhline(outlook.mean / 100, color=INK, linewidth=1.1, linestyle=(0, (3, 2)), zorder=3)
    axes.set_yticklabels([])
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    _percents(axes.xaxis)
    _title(axes, f"the result at the end, ${unit / 100:,.{2 if unit % 100 else 0}f} a bar")
    _ruin_line(axes, session, limits, "")


def _percents(axis: Any) -> None:  # noqa: ANN401
    """A few marks in percent, with as few digits as needed."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    axis.set_major_locator(MaxNLocator(4, steps=(1, 2, 5, 10)))
    axis.set_major_formatter(lambda value, _: f"{value * 100:.10g}%")


def _ruin(axes: Any, outlook: Outlook, session: Session, hours: float) -> None:  # noqa: ANN401
    times = [moment.rounds / session.rounds * hours for moment in outlook.moments]
    ruin = [moment.ruin for moment in outlook.moments]
    axes.fill_between(times, 0, ruin, color=LOSS, alpha=0.25, linewidth=0)
    axes.plot(times, ruin, color=LOSS, linewidth=1.6)
    axes.set_xlim(0, hours)
    axes.set_ylim(0, max(ruin[-1] * 1.25, 0.01))
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    _percents(axes.yaxis)
    _title(axes, "ruined so far")
    axes.set_xlabel("hours", color=QUIET)
    axes.annotate(
        f"{ruin[-1]:.1%}",
        (hours, ruin[-1]),
        xytext=(4, 0),
        textcoords="offset points",
        size=8.5,
        color=LOSS,
        weight="bold",
        va="center",
        annotation_clip=False,
    )


def _words(figure: Any, outlook: Outlook) -> None:  # noqa: ANN401
    """The figures that matter, beside the curve of ruin."""
    behind = 1 - outlook.ahead - outlook.even
    rows = (
        ("ahead at the end", f"{outlook.ahead:.1%}", GAIN),
        ("even", f"{outlook.even:.1%}", QUIET),
        ("behind", f"{behind:.1%}", QUIET),
        ("of these ruined", f"{outlook.ruin:.1%}", LOSS),
        ("mean (dashed)", _dollars(outlook.mean / 100), INK),
        ("low point on average", _dollars(outlook.low_point / 100), INK),
    )
    for line, (words, value, colour) in enumerate(rows):
        level = 0.222 - 0.031 * line
        figure.text(0.70, level, words, size=9.2, color=INK, va="center")
        figure.text(0.955, level, value, size=9.2, color=colour, weight="bold", va="center", ha="right")


def _dollars(value: float) -> str:
    """Whole dollars won or lost.

    >>> _dollars(-1250.4), _dollars(0.2)
    ('-$1,250', '$0')
    """
    whole = round(value)
    return f"{'-' if whole < 0 else '+' if whole else ''}${abs(whole):,}"
