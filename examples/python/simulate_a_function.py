"""What a strategy costs: a strategy is a function of the situation, played a few million times.

python examples/python/simulate_a_function.py [ROUNDS]
"""

import sys

from pontoon import Action, Situation, simulate


def like_the_dealer(situation: Situation) -> Action:
    """Draw to 17, never double, split, surrender or forfeit."""
    if "keep" in situation.may:  # an offer: surrender, or to take a double back
        return "keep"
    stands = situation.points >= 17 and "stand" in situation.may
    return "stand" if stands else "hit"


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    result = simulate("star", like_the_dealer, rounds=rounds, packs=8, seed=1)
    print(f"house edge {-result.ev:.2%} ± {result.standard_error:.2%}, {result.rounds:,} rounds")


if __name__ == "__main__":
    main()
