"""Counting for side bets and insurance: exact effects of removal, the best simple count, and the gain in a shoe.

A side bet is won or lost by two cards and perhaps the upcard, so its value in any shoe is a polynomial in the cards
left and its effects of removal are exact fractions. A bet is made only when the count says that it favours the player;
the gain in a shoe is the sum over the rounds of the mean of the positive part, the true value being nearly normal.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement
from math import erf, exp, pi, sqrt

from msgspec import Struct

from pontoon.analysis.counting.tags import COPIES, PACK_CARDS, PICTURES, best_tags, correlation
from pontoon.analysis.counting.true_count import CARDS_A_ROUND, depths
from pontoon.cards import PACK, RANKS, Card
from pontoon.rulebook import Rulebook, SideBet
from pontoon.rulebook.side_bets import row_paid, uses_upcard

SHOES, SEED = 60, 1
"""Shoes shuffled to find the gain of knowing every card."""
LEVEL = 2
"""Largest tag of the counts proposed."""


class SideCount(Struct, frozen=True):
    """A side bet, counted."""

    name: str
    value: Fraction
    """Value of a unit from a fresh shoe."""
    effects: dict[str, float]
    """Effect of removing one card of each rank, the mean over its suits, per unit staked."""
    by_suit: float
    """The largest difference between the suits of one rank."""
    tags: dict[str, int]
    """The best simple count of ranks; empty if no count of ranks gives any information."""
    correlation: float
    """Its correlation with the effects of removal of the 48 cards."""
    penetration: float
    rounds: int
    """Rounds of one box in a shoe."""
    perfect_gain: float
    """Units won per shoe by a bettor of one unit who knows every card and bets only with an advantage."""
    perfect_error: float
    """Its standard error, if it was simulated."""
    counted_gain: float
    """The same by the count."""
    flat_gain: float
    """The same by betting every round."""


def side_counts(rules: Rulebook, packs: int, penetration: float = 0.75) -> tuple[SideCount, ...]:
    """Every side bet that the rulebook offers with this many packs, counted.

    >>> from pontoon.rulebook import load
    >>> pairs = side_counts(load("star"), 6)[0]
    >>> pairs.name, str(pairs.value), pairs.tags
    ('Perfect Pairs', '-19/287', {})
    """
    offered = (bet for bet in rules.side if bet.offered and packs in bet.decks)
    return (*(_counted(bet, packs, penetration) for bet in offered), _insurance(rules, packs, penetration))


def _insurance(rules: Rulebook, packs: int, penetration: float) -> SideCount:
    """Insurance, offered when the upcard is an ace: a twelfth of the rounds. It is a count of the pictures alone."""
    cards, pictures = packs * PACK_CARDS - 1, packs * COPIES * len(PICTURES)
    odds = Fraction(rules.insurance.odds)
    fresh = (odds + 1) * Fraction(pictures, cards) - 1
    lost = float((odds + 1) * Fraction(pictures - 1, cards - 1) - 1 - fresh)
    other = float((odds + 1) * Fraction(pictures, cards - 1) - 1 - fresh)
    effects = {rank: lost if rank in PICTURES else other for rank in RANKS}
    spread = _spread(list(effects.values()))
    seen = depths(packs, penetration)
    rounds = max(1, round(penetration * packs * PACK_CARDS / CARDS_A_ROUND))
    sizes = [spread * sqrt((cards - 1) * depth / (1 - depth)) for depth in seen]
    gain = rounds / len(seen) * sum(_positive(float(fresh), sd) for sd in sizes) / len(RANKS)
    tags = best_tags(effects, LEVEL + 1).tags
    fit = abs(correlation(tags, effects))
    flat = rounds * float(fresh) / len(RANKS)
    return SideCount("Insurance", fresh, effects, 0.0, tags, fit, penetration, rounds, gain, 0.0, gain, flat)


def value_in(bet: SideBet, left: dict[Card, int]) -> Fraction:
    """The exact value of a unit on a side bet from these cards.

    >>> from pontoon.rulebook import load
    >>> str(value_in(load("canberra").side[0], dict.fromkeys(PACK, 8)))
    '15/383'
    """
    upcards = [card for card in PACK if left[card]] if uses_upcard(bet) else [Card("")]
    total, won = 0, Fraction(0)
    for first, second in combinations_with_replacement(PACK, 2):
        same = first == second
        pairs = (2 - same) * left[first] * (left[second] - same)
        if pairs <= 0:
            continue
        for upcard in upcards:
            ways = pairs * (left[upcard] - (upcard == first) - (upcard == second)) if upcard else pairs
            row = row_paid(bet, (first, second), upcard or first)
            total += ways
            won += ways * (Fraction(row.odds) if row is not None else Fraction(-1))
    return won / total


def _counted(bet: SideBet, packs: int, penetration: float) -> SideCount:
    left = dict.fromkeys(PACK, packs)
    fresh = value_in(bet, left)
    effects = {card: float(value_in(bet, {**left, card: packs - 1}) - fresh) for card in PACK}
    by_rank = {rank: sum(effects[card] for card in PACK if card[0] == rank) / 4 for rank in RANKS}
    spread_by_suit = max(
        max(effects[card] for card in PACK if card[0] == rank) - min(effects[card] for card in PACK if card[0] == rank)
        for rank in RANKS
    )
    differs = max(by_rank.values()) - min(by_rank.values()) > 1e-9
    tags = best_tags(by_rank, LEVEL).tags if differs else {}
    every, ranks = _spread(list(effects.values())), _spread(list(by_rank.values()))
    fit = abs(correlation(tags, by_rank)) * ranks / every if tags and every else 0.0
    seen = depths(packs, penetration)
    rounds = max(1, round(penetration * packs * PACK_CARDS / CARDS_A_ROUND))
    cards = packs * PACK_CARDS

    def gain(part: float) -> float:
        sizes = (part * every * sqrt((cards - 1) * depth / (1 - depth)) for depth in seen)
        return rounds / len(seen) * sum(_positive(float(fresh), sd) for sd in sizes)

    perfect = _perfect(bet, packs, rounds)
    return SideCount(
        name=bet.title,
        value=fresh,
        effects=by_rank,
        by_suit=spread_by_suit,
        tags=tags,
        correlation=fit,
        penetration=penetration,
        rounds=rounds,
        perfect_gain=perfect[0],
        perfect_error=perfect[1],
        counted_gain=max(gain(fit), rounds * float(fresh), 0.0),
        flat_gain=rounds * float(fresh),
    )


def _perfect(bet: SideBet, packs: int, rounds: int) -> tuple[float, float]:
    """The gain in a shoe of betting exactly when the cards left favour the player: mean and standard error."""
    generator = random.Random(SEED)  # noqa: S311 a sample, not a secret
    pays = _payoffs(bet)
    shoe = [place for place in range(len(PACK)) for _ in range(packs)]
    gains = []
    for _ in range(SHOES):
        generator.shuffle(shoe)
        left, gain, dealt = [packs] * len(PACK), 0.0, 0
        for number in range(rounds):
            while dealt < round(number * CARDS_A_ROUND):
                left[shoe[dealt]] -= 1
                dealt += 1
            gain += max(0.0, _value(pays, left))
        gains.append(gain)
    mean = sum(gains) / SHOES
    return mean, sqrt(sum((gain - mean) ** 2 for gain in gains) / (SHOES - 1) / SHOES)


def _payoffs(bet: SideBet) -> list[list[tuple[int, int, float]]]:
    """What two cards win, and the unit that is lost otherwise: for each upcard, or one list if it does not matter."""
    upcards = PACK if uses_upcard(bet) else PACK[:1]
    found = []
    for upcard in upcards:
        rows = []
        for first, second in combinations_with_replacement(range(len(PACK)), 2):
            row = row_paid(bet, (PACK[first], PACK[second]), upcard)
            if row is not None:
                rows.append((first, second, float(Fraction(row.odds)) + 1))
        found.append(rows)
    return found


def _value(pays: list[list[tuple[int, int, float]]], left: list[int]) -> float:
    """The value of a unit from these cards."""
    cards = sum(left)
    if len(pays) == 1:
        won = sum(
            (2 - (first == second)) * left[first] * (left[second] - (first == second)) * win
            for first, second, win in pays[0]
        )
        return won / (cards * (cards - 1)) - 1
    total = 0.0
    for upcard, rows in enumerate(pays):
        for first, second, win in rows:
            one, two = left[first] - (first == upcard), left[second] - (second == upcard) - (first == second)
            total += left[upcard] * (2 - (first == second)) * one * two * win
    return total / (cards * (cards - 1) * (cards - 2)) - 1


def _spread(numbers: list[float]) -> float:
    mean = sum(numbers) / len(numbers)
    return sqrt(sum((number - mean) ** 2 for number in numbers) / len(numbers))


def _positive(mean: float, sd: float) -> float:
    """The mean of the positive part of a normal variable."""
    if sd <= 0:
        return max(mean, 0.0)
    z = mean / sd
    return mean * 0.5 * (1 + erf(z / sqrt(2))) + sd * exp(-z * z / 2) / sqrt(2 * pi)
