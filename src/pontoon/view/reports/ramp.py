"""A bet ramp as a picture: how often each true count comes, the advantage at it, and the bet."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from pontoon.view.charts.png import UNDATED
from pontoon.view.reports.parts import GRID, INK, PAPER, QUIET

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pontoon.analysis.counting.bets import Plan, Spot

SHOWN = 5e-4


def picture(spots: Sequence[Spot], plan: Plan, title: str, form: str) -> bytes:
    """Bars of the shares, a line of the advantage and steps of the bets, over the true count."""
    from matplotlib.figure import Figure  # noqa: PLC0415 only a picture needs it

    shown = [(spot, bet) for spot, (_, bet) in zip(spots, plan.ramp, strict=True) if spot.share > SHOWN]
    counts = [spot.true_count for spot, _ in shown]
    figure = Figure(figsize=(7.6, 4.6), dpi=160, facecolor=PAPER)
    upper, lower = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": (3, 2), "hspace": 0.12})
    upper.set_title(title, loc="left", size=12, weight="bold", color=INK)
    upper.step(counts, [bet for _, bet in shown], where="mid", color="#1f5f8b", linewidth=2)
    upper.fill_between(counts, [bet for _, bet in shown], step="mid", color="#1f5f8b", alpha=0.15)
    upper.set_ylabel("bet, in minimum bets", color=INK)
    lower.bar(counts, [spot.share * 100 for spot, _ in shown], color="#b9b4a7", width=0.8)
    lower.set_ylabel("% of rounds", color=INK)
    lower.set_xlabel("true count", color=INK)
    lower.set_xticks([count for count in counts if count % 2 == 0])
    beside = lower.twinx()
    beside.plot(counts, [spot.ev * 100 for spot, _ in shown], color="#a33a2a", linewidth=1.6)
    beside.axhline(0, color="#a33a2a", linewidth=0.6, linestyle=":")
    beside.set_ylabel("advantage, %", color="#a33a2a")
    for axes in (upper, lower, beside):
        axes.set_facecolor(PAPER)
        axes.tick_params(colors=QUIET)
        if axes is not beside:
            axes.grid(color=GRID, linewidth=0.6)
        for side in axes.spines.values():
            side.set_visible(False)
    out = io.BytesIO()
    figure.savefig(out, format=form, metadata=UNDATED[form], bbox_inches="tight")
    return out.getvalue()
