# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # A counted shoe
#
# Cards that have gone change what is left. How much each card changes the value of a round (its effect of removal) is
# exact here; a count adds up whole numbers that follow these effects.

# %%
import os

import matplotlib.pyplot as plt
import polars as pl

import pontoon
from pontoon.analysis import Solver
from pontoon.analysis.counting.count import Asked, count_of, effects_of_removal
from pontoon.analysis.counting.side_count import side_counts
from pontoon.analysis.counting.tags import count_named

QUICK = "PONTOON_QUICK" in os.environ
book = pontoon.load("adelaide")
packs = 3 if QUICK else book.decks.default

# %% [markdown]
# ## Effects of removal
#
# What the player gains when one card of a rank has left the shoe, in per cent of the first wager, scaled to one pack.
# Fives and fours are the dealer's friends, aces and pictures the player's.

# %%
removals = effects_of_removal(Solver(book, packs), None)
effects = pl.DataFrame([{"rank": row.rank, "effect %": 100 * row.per_pack} for row in removals])
print(effects.sort("effect %"))

# %%
figure, axes = plt.subplots(figsize=(6, 3))
axes.bar(effects["rank"].to_list(), effects["effect %"].to_list())
axes.set(ylabel="% of a wager, one pack", title=f"Effect of removal, {book.about.name}")
plt.close(figure)
figure

# %% [markdown]
# ## A count against them
#
# Hi-Lo counts 2 to 6 as +1 and pictures and aces as -1. This pack has no tens, so the running count starts at -4 a
# pack. The betting correlation says how well it follows the effects; the indices are the decisions that change with it.

# %%
hi_lo = count_named("hi-lo")
print(f"{hi_lo.name} starts at {hi_lo.neutral:+d} a pack")
if not QUICK:
    count = count_of(book, packs, asked=Asked(tags=hi_lo))
    print(f"betting correlation {count.betting_correlation:.3f}, insurance {count.insurance_correlation:.3f}")
    print(count.to_frame().select("hand", "dealer", "basic", "deviation", "at", "worth").head(12))
    for true_count, ev in count.ev_by_count:
        print(f"true count {true_count:+5.1f}: a round is worth {ev:+.2%}")

# %% [markdown]
# ## Side bets
#
# A pair bet depends on how unevenly the cards have gone, which no count of ranks shows. Knowing every card, a player
# who bets only with an advantage wins so much a shoe:

# %%
for side in side_counts(pontoon.load("canberra"), 8):
    print(f"{side.name}: {float(side.value):+.4f} a unit off the top, {side.perfect_gain:+.3f} units a shoe at best")
