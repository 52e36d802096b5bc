# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Auditing a night of rounds
#
# A table leaves transcripts: one short text for every round, and the record of every shoe. The audit settles each
# round again by the rulebook, compares what was paid, and checks that the shoe was dealt as it was published.

# %%
import os
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

import matplotlib.pyplot as plt
import polars as pl

from pontoon import TranscriptError, dollars, settle
from pontoon.table.fairness import read, verify

ROUNDS = 12 if "PONTOON_QUICK" in os.environ else 300

# %% [markdown]
# ## A night
#
# Rounds of canberra dealt to bots on four boxes.

# %%
folder = Path(mkdtemp()) / "night"
deal = [sys.executable, "-m", "pontoon", "deal", "canberra", "--boxes", "4", "--seed", "friday", "--out", str(folder)]
print(subprocess.run([*deal, "--rounds", str(ROUNDS)], check=True, capture_output=True, text=True).stdout)

# %% [markdown]
# Two of the records say what the dealer paid, and one payment is wrong.

# %%
rounds = sorted(folder.glob("*.prt"))
right = {player: dollars(net) for player, net in settle(rounds[0]).net.items()}
wrong = {player: dollars(net + 500) for player, net in settle(rounds[1]).net.items()}
for file, paid in ((rounds[0], right), (rounds[1], wrong)):
    lines = "".join(f'{player} = "{amount}"\n' for player, amount in paid.items())
    file.write_text(f"{file.read_text(encoding='utf-8')}\n[paid]\n{lines}", encoding="utf-8")

# %% [markdown]
# ## Settled again

# %%
rows, unreadable = [], []
for number, file in enumerate(rounds, 1):
    try:
        settled = settle(file)
    except TranscriptError as error:
        unreadable.append((file.name, str(error)))
        continue
    rows += [
        {"round": number, "player": player, "net": net / 100, "owed": settled.owed.get(player, 0) / 100}
        for player, net in settled.net.items()
    ]
night = pl.DataFrame(rows)
print(night.group_by("player").agg(pl.col("net").sum(), pl.len().alias("rounds")).sort("player"))
print(night.filter(pl.col("owed") != 0))
assert not unreadable

# %% [markdown]
# ## The house over the night

# %%
house = -night.group_by("round").agg(pl.col("net").sum()).sort("round")["net"]
figure, axes = plt.subplots(figsize=(6, 3))
axes.step(range(1, len(house) + 1), house.cum_sum().to_list(), where="post")
axes.set(xlabel="round", ylabel="dollars", title="The house's result so far")
plt.close(figure)
figure

# %% [markdown]
# ## The shoe
#
# Each shoe was committed to before the first wager. The record proves cards, order, cut and burn; a shoe that is still
# in play is checked as far as possible.

# %%
for shoe in sorted(folder.glob("*.shoe.json")):
    for check in verify(read(shoe.read_bytes())):
        print(f"{shoe.name}: {check.name}: {'yes' if check.ok else 'not yet' if check.ok is None else 'NO'}")
