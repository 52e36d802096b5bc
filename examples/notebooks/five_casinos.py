# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The five casinos compared
#
# Five casino documents describe Pontoon. They agree on most of it, and where they differ they differ in money. Here the
# exact house edge of each, how it depends on the number of packs, and which rules make the difference.

# %%
import os

import matplotlib.pyplot as plt
import polars as pl

import pontoon
from pontoon.library import edge
from pontoon.rulebook import NAMES
from pontoon.rulebook.diff import differences

QUICK = "PONTOON_QUICK" in os.environ
names = NAMES[:2] if QUICK else NAMES

# %% [markdown]
# ## The edge
#
# Best play from a fresh shoe with each document's default number of packs, first wager $10. Nothing is simulated: the
# figures are sums over every order of the cards.

# %%
edges = {name: edge(name) for name in names}
table = pl.DataFrame(
    [
        {
            "rulebook": name,
            "packs": pontoon.load(name).decks.default,
            "house edge %": 100 * found.house_edge,
            "sd": found.sd,
        }
        for name, found in edges.items()
    ]
).sort("house edge %")
print(table)

# %% [markdown]
# ## Against each upcard
#
# The player's expectation by the dealer's upcard, in per cent of the first wager. An ace costs a quarter of the wager
# everywhere; fives and sixes give some of it back.

# %%
by_upcard = pl.concat(
    found.to_frame().filter(pl.col("figure") == "ev_by_upcard").with_columns(rulebook=pl.lit(name))
    for name, found in edges.items()
)
print(by_upcard.pivot(on="rulebook", index="key", values="value"))

# %%
figure, axes = plt.subplots(figsize=(7, 3))
for name in edges:
    part = by_upcard.filter(pl.col("rulebook") == name)
    axes.plot(part["key"].to_list(), (100 * part["value"]).to_list(), marker="o", label=name)
axes.axhline(0, color="grey", linewidth=0.5)
axes.set(xlabel="upcard", ylabel="% of the first wager", title="Value of a round by the dealer's upcard")
axes.legend()
plt.close(figure)
figure

# %% [markdown]
# ## What differs
#
# Each difference of two rulebooks, with the sentence that the document amounts to.

# %%
first, second = pontoon.load("star"), pontoon.load("federal")
for difference in differences(first, second):
    if difference.matters:
        print(f"{difference.key}\n  star:    {difference.first.text}\n  federal: {difference.second.text}")

# %% [markdown]
# ## By packs
#
# As in blackjack, fewer packs are better for the player.

# %%
book = pontoon.load("canberra")
packs = book.decks.allowed[-1:] if QUICK else book.decks.allowed
for number in packs:
    print(f"canberra, {number} packs: {edge(book, number).house_edge:.4%}")
