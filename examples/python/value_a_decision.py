"""What every allowed decision on a hand is worth, by exact chances from the cards that are left.

python examples/python/value_a_decision.py [RULEBOOK]
"""

import sys

from pontoon import Solver, dollars

STAKE = 2500


def main() -> None:
    rulebook = sys.argv[1] if len(sys.argv) > 1 else "canberra"
    solver = Solver(rulebook, packs=8, stake=STAKE)
    hand, dealer = ("7s", "7s"), "7d"
    print(f"{rulebook}: {' '.join(hand)} against {dealer}, first wager {dollars(STAKE)}")
    for decision in solver.action_values(hand, dealer):
        print(f"{decision.action:10} {float(decision.value):+.4f} of the wager")


if __name__ == "__main__":
    main()
