"""The exact value and regret of simple policies: the baselines of docs/environment.md.

python examples/agents/baselines.py [--rulebook star]
"""

from __future__ import annotations

import argparse

from pontoon.environment import Seen, evaluate
from pontoon.rulebook import load
from pontoon.strategy.habits import ordinary_blackjack


def at_random(seen: Seen) -> dict[int, float]:
    """Every allowed action equally often."""
    return dict.fromkeys(seen.may, 1 / len(seen.may))


def mimic(seen: Seen) -> str:
    """Play as the dealer does: hit below 17 and on soft 17, never double or split, decline every offer."""
    if "keep" in seen.names:
        return "keep"
    hit = seen.total < 17 or (seen.soft and seen.total == 17) or "stand" not in seen.names
    return "hit" if hit else "stand"


def never_bust(seen: Seen) -> str:
    """Stand as soon as a card could bust the hand, decline every offer."""
    if "keep" in seen.names:
        return "keep"
    return "stand" if seen.total > 11 and not seen.soft and "stand" in seen.names else "hit"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rulebook", default="star")
    rulebook = parser.parse_args().rulebook
    decks = load(rulebook).decks.default
    policies = {
        "at random": at_random,
        "never bust": never_bust,
        "mimic the dealer": mimic,
        "blackjack's strategy": ordinary_blackjack(rulebook, decks),
        "our chart": "chart",
        "best play": "optimal",
    }
    for name, policy in policies.items():
        found = evaluate(policy, rulebook, decks)
        print(f"| {name} | {found.value:+.4%} | {found.regret:.4%} |", flush=True)


if __name__ == "__main__":
    main()
