# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Training an agent to a known optimum
#
# Learning curves usually show a mean of noisy episodes. Here the value of a policy is exact, and so is the optimum: the
# curve below is the true regret.

# %%
import os
import sys
from pathlib import Path

import matplotlib.pyplot as plt

from pontoon.environment import evaluate

AGENTS = next(folder / "agents" for folder in (Path.cwd() / "examples", Path("..")) if (folder / "agents").is_dir())
sys.path.insert(0, str(AGENTS.resolve()))
from learners import learn, policy_of

QUICK = "PONTOON_QUICK" in os.environ
SMALL = ("Ac", "As", "9c", "9s", "5d", *("Kc",) * 8)
steps = (2e5, 1e6) if QUICK else (1e6, 3e6, 1e7, 3e7, 1e8)
shoe = SMALL if QUICK else None

# %% [markdown]
# ## Two learners
#
# Both keep a table of action values and play thousands of boxes at once (`PontoonVectorEnv`). Monte Carlo control
# learns from the result of the round, Q-learning from the next situation. They train on eight packs of star.

# %%
curves: dict[str, list[float]] = {}
for name in ("q-learning", "monte-carlo"):
    curves[name] = []
    for number in steps:
        values = learn(name, "star", number, seed=1)
        found = evaluate(policy_of(values), "star", shoe=shoe)
        curves[name].append(found.regret)
        print(f"{name:12} {number:10,.0f} steps: regret {found.regret:.4%}")

# %%
figure, axes = plt.subplots(figsize=(6, 3))
for name, regrets in curves.items():
    axes.plot(steps, [100 * regret for regret in regrets], marker="o", label=name)
axes.set(xscale="log", yscale="log", xlabel="steps of training", ylabel="regret, % of a stake", title="True regret")
axes.legend()
plt.close(figure)
figure

# %% [markdown]
# ## What is left
#
# The regret by situation says what the agent has not learned: rare situations, or ones whose decisions are nearly even.

# %%
print(found.worst(8))
