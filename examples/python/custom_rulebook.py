"""A casino of your own: a rulebook file is loaded, compared with another, and worth something.

my-casino.toml was written by

    pontoon rules new my-casino.toml --like star --set split.max_hands=3 --set double.for_less=true

python examples/python/custom_rulebook.py
"""

from pathlib import Path

from pontoon import Solver, load
from pontoon.rulebook.diff import differences

FILE = Path(__file__).with_name("my-casino.toml")


def main() -> None:
    mine, star = load(FILE), load("star")
    for rule in differences(star, mine):
        print(f"{rule.key}: {rule.first.value} in {star.about.name}, {rule.second.value} here")
    print(f"house edge {-float(Solver(mine, packs=8).value()):.4%} of the first wager")


if __name__ == "__main__":
    main()
