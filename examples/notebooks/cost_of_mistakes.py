# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Exact values and the cost of mistakes
#
# Every decision has an exact value. So has every way to play: a chart, a habit, a function. The difference to best play
# is made of single mistakes, and each has a price.

# %%
import os

import polars as pl

from pontoon import Solver
from pontoon.environment import Seen, evaluate

QUICK = "PONTOON_QUICK" in os.environ
SMALL = ("Ac", "As", "9c", "9s", "5d", *("Kc",) * 8)
"""A shoe of thirteen cards: every order of it is dealt in a moment."""
shoe = SMALL if QUICK else None

# %% [markdown]
# ## One decision
#
# Two eights against a king, under the rules of star with eight packs, in units of the first wager.

# %%
solver = Solver("star", packs=8)
values = solver.action_values(("8s", "8h"), "Kd")
for decision in values:
    print(f"{decision.action:10} {decision.value:+.6f}  costs {values[0].value - decision.value:.4f}")

# %% [markdown]
# ## A way to play
#
# Somebody who plays as the dealer does: draws to 17 and on soft 17, never doubles, never splits, declines every offer.


# %%
def mimic(seen: Seen) -> str:
    """Play as the dealer does."""
    if "keep" in seen.names:
        return "keep"
    hit = seen.total < 17 or (seen.soft and seen.total == 17) or "stand" not in seen.names
    return "hit" if hit else "stand"


found = evaluate(mimic, "star", shoe=shoe)
print(f"value {found.value:+.4%}, best play {found.optimum:+.4%}, regret {found.regret:.4%} of a stake a round")

# %% [markdown]
# ## Where it comes from
#
# The situations that make up the regret, the most expensive first. Their sum is the regret.

# %%
frame = found.to_frame()
print(frame.head(10))
assert abs(frame["cost"].sum() - found.regret) < 1e-9

# %% [markdown]
# By what should have been done instead:

# %%
print(frame.group_by("best").agg(pl.col("cost").sum(), pl.len().alias("situations")).sort("cost", descending=True))

# %% [markdown]
# ## Chances instead of decisions
#
# A policy may also be stochastic. Insurance taken half of the time changes the value by half as much.

# %%
for share in (0.0, 0.5, 1.0):

    def insures(seen: Seen, share: float = share) -> object:
        """Insure with a chance, and play as the dealer otherwise."""
        return {"insure": share, "keep": 1 - share} if "insure" in seen.names else mimic(seen)

    print(f"insures {share:.0%} of the time: {evaluate(insures, 'star', shoe=shoe).value:+.6f}")
