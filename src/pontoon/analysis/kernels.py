"""The inner loops of the analysis, compiled for floats and run uncompiled for fractions.

There is no rule of the game here. What a hand may do, what it pays and what a dealer's pontoon takes is passed in as
tables made from the rulebook (game.py); the loops draw cards without replacement, take means and compare. Every number
is derived from the numbers passed in, so that fractions stay fractions. A kernel knows no objects, so some take more
arguments than other functions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pontoon.analysis.jit import compiled

Numbers = Any
"""An array of floats or of fractions."""

LANES = 64
RESULTS = 12
STAND, HIT, DOUBLE = 0, 1, 2
MAY_STAND, MAY_DOUBLE, PAID = 1, 2, 4

# Indices in a list of payoffs, one for each way a hand can end.
LOSE, TIE, PONTOON, BUST = 0, 1, 2, 3
DOUBLED_WIN, DOUBLED_LOSE, DOUBLED_TIE, DOUBLED_PONTOON, DOUBLED_BUST, DOUBLED_PAID, FORFEIT = 4, 5, 6, 7, 8, 9, 10
SPOILT, SHARED = 11, 12
PAYOFFS = 13

# Indices in a list of switches.
FIXED, FORFEIT_HIGHEST, FOLLOW, NATURAL, SOFT, LIMIT, WINS = 0, 1, 2, 3, 4, 5, 6
FIXED_NONE, FIXED_FIRST_TWO, FIXED_ALL = 0, 1, 2


class HandList(NamedTuple):
    """The hands to value, and what the rules allow on them."""

    columns: Any
    """The columns of `hands.Hands`: counts, hard, size, best, more."""
    flags: Any
    """What each hand may do: MAY_STAND, MAY_DOUBLE, PAID."""
    switches: Any
    picks: Any
    """The hands to value, longest first."""


class Payout(NamedTuple):
    """What is counted at each end of a hand."""

    win: Numbers
    """By hand."""
    pay: Numbers
    """By the indices above, LOSE to SHARED."""


class Work(NamedTuple):
    """What `sweep` reads and writes, by hand."""

    results: Numbers
    """Probabilities of the dealer's results."""
    kept: Numbers
    """Value of a doubled hand, hard and soft."""
    use: Any
    """Decisions to value, as marks."""
    act: Any
    """The decision taken."""
    quality: Numbers
    """Value of each decision."""
    value: Numbers
    """Value of the decision taken."""


class Ends(NamedTuple):
    """What `ends` reads and writes."""

    chance: Numbers
    """Probability of holding each hand."""
    chances: Numbers
    """Probability of each end."""
    removed: Any
    """Cards of the hand at each end."""


@compiled
def dealer_results(tree: Any, shoe: Numbers, cards: Any, counts: Any, size: Any, picks: Any, out: Numbers) -> None:
    """The probability of every result of the dealer, for each picked hand of the player.

    64 hands walk the tree side by side; a branch costs one product for each.
    """
    depth = 0
    for branch in range(tree.shape[0]):
        depth = max(depth, tree[branch, 2])
    zero = shoe[0] * 0
    left = np.empty((10, LANES), shoe.dtype)
    weight = np.empty((depth + 1, LANES), shoe.dtype)
    inverse = np.empty((depth + 1, LANES), shoe.dtype)
    result = np.empty((RESULTS, LANES), shoe.dtype)
    for start in range(0, len(picks), LANES):
        width = min(LANES, len(picks) - start)
        left[:] = zero
        weight[:] = zero
        inverse[:] = zero
        result[:] = zero
        for lane in range(width):
            hand = picks[start + lane]
            for value in range(10):
                left[value, lane] = shoe[value] - counts[hand, value]
            weight[0, lane] = zero + 1
            inverse[0, lane] = zero + 1
            for drawn in range(1, depth + 1):
                rest = cards - size[hand] - drawn + 1
                if rest > 0:
                    inverse[drawn, lane] = inverse[drawn - 1, lane] / rest
        for branch in range(tree.shape[0]):
            above, drawn, end, orders = tree[branch, 1], tree[branch, 2], tree[branch, 3], tree[branch, 4]
            here, there, cards_left = weight[drawn], weight[drawn - 1], left[tree[branch, 0]]
            for lane in range(LANES):
                here[lane] = there[lane] * (cards_left[lane] - above)
            if end >= 0:
                ended, factor = result[end], inverse[drawn]
                for lane in range(LANES):
                    ended[lane] += here[lane] * factor[lane] * orders
        for lane in range(width):
            for end in range(RESULTS):
                out[picks[start + lane], end] = result[end, lane]


@compiled
def against(results: Numbers, total: Any, win: Numbers, lose: Numbers, tie: Numbers, pontoon: Numbers) -> Numbers:
    """The value of a hand with this total against the dealer's results."""
    lower = results[0]
    higher = results[0] * 0
    same = results[0] * 0
    for end in range(2, RESULTS):
        if end + 10 < total:
            lower += results[end]
        elif end + 10 > total:
            higher += results[end]
        else:
            same = results[end]
    return win * lower + lose * higher + tie * same + pontoon * results[1]


@compiled
def keep_doubles(
    hands: Any, switches: Any, pay: Numbers, picks: Any, results: Numbers, kept: Numbers, drop: Any
) -> None:
    """The value of a doubled hand after its card, counted hard (0) or soft (1), with the better of keep and forfeit.

    `drop` marks where the double is forfeited; when a strategy is followed it is read, not written.
    """
    hard = hands[1]
    for place in range(len(picks)):
        hand = picks[place]
        for soft in range(2):
            total = hard[hand] + soft * switches[SOFT]
            if total > switches[LIMIT]:
                continue
            value = against(
                results[hand], total, pay[DOUBLED_WIN], pay[DOUBLED_LOSE], pay[DOUBLED_TIE], pay[DOUBLED_PONTOON]
            )
            if switches[FOLLOW] == 0:
                drop[hand, soft] = 1 if total <= switches[FORFEIT_HIGHEST] and value < pay[FORFEIT] else 0
            kept[hand, soft] = pay[FORFEIT] if drop[hand, soft] == 1 else value


@compiled
def natural_chance(shoe: Numbers, cards: Any, hands: Any, hand: Any, switches: Any) -> Numbers:
    """The probability that the dealer's next card makes a pontoon, given the player's hand."""
    natural = switches[NATURAL]
    if natural < 0:
        return shoe[0] * 0
    return (shoe[natural] - hands[0][hand, natural]) / (cards - hands[2][hand])


@compiled
def after_natural(shoe: Numbers, cards: Any, hands: Any, hand: Any, value: Any, switches: Any) -> Numbers:
    """The same, with one more card of this value drawn."""
    natural = switches[NATURAL]
    if natural < 0:
        return shoe[0] * 0
    left = shoe[natural] - hands[0][hand, natural]
    if natural == value:
        left = left - 1
    return left / (cards - hands[2][hand] - 1)


@compiled
def fixed_aces(switches: Any, held: Any, first_two: Any) -> Any:
    """Number of aces a double fixes at 1, of those held and of those among the first two cards."""
    if switches[FIXED] == FIXED_FIRST_TWO:
        return first_two
    return held if switches[FIXED] == FIXED_ALL else 0


@compiled
def soft_when_doubled(switches: Any, held: Any, fixed: Any, hard: Any) -> Any:
    """1 if an ace is not fixed and can count 11 without going over 21."""
    return 1 if held > fixed and hard + switches[SOFT] <= switches[LIMIT] else 0


@compiled
def hit_value(
    shoe: Numbers, cards: Any, hands: Any, pay: Numbers, switches: Any, hand: Any, aces: Any, value: Numbers
) -> Numbers:
    """The value of drawing a card; every longer hand has been valued."""
    counts, more = hands[0], hands[4]
    rest = cards - hands[2][hand]
    mean = shoe[0] * 0
    for drawn in range(10):
        left = shoe[drawn] - counts[hand, drawn]
        if left > 0:
            next_hand = more[hand, drawn]
            if next_hand < 0:
                spoilt = pay[SPOILT] * after_natural(shoe, cards, hands, hand, drawn, switches)
                mean += left * pay[BUST] * (1 - spoilt)
            else:
                mean += left * value[next_hand, aces]
    return mean / rest


@compiled
def double_value(
    shoe: Numbers, cards: Any, hands: Any, pay: Numbers, switches: Any, hand: Any, aces: Any, kept: Numbers
) -> Numbers:
    """The value of doubling: one card, with `aces` of the first two cards fixed at 1 where the rules say so."""
    counts, hard, more = hands[0], hands[1], hands[4]
    rest = cards - hands[2][hand]
    fixed = fixed_aces(switches, counts[hand, 0], aces)
    mean = shoe[0] * 0
    for drawn in range(10):
        left = shoe[drawn] - counts[hand, drawn]
        if left > 0:
            spoilt = pay[SPOILT] * after_natural(shoe, cards, hands, hand, drawn, switches)
            shared = pay[SHARED] * after_natural(shoe, cards, hands, hand, drawn, switches)
            next_hand = more[hand, drawn]
            if next_hand < 0:
                mean += left * pay[DOUBLED_BUST] * (1 - spoilt)
                continue
            soft = soft_when_doubled(switches, counts[next_hand, 0], fixed, hard[next_hand])
            if switches[WINS] == 1 and hard[next_hand] + soft * switches[SOFT] == switches[LIMIT]:
                mean += left * (pay[DOUBLED_PAID] * (1 - spoilt) - shared)
            else:
                mean += left * kept[next_hand, soft]
    return mean / rest


@compiled
def sweep(hands: HandList, payout: Payout, shoe: Numbers, cards: Any, work: Work) -> None:
    """Value every picked hand, longest first.

    Without FOLLOW the best decision is found and written to `act`; with it `act` is obeyed, and only the decisions
    marked in `use` are valued.
    """
    columns, flags, switches, picks = hands
    win, pay = payout
    results, kept, use, act, quality, value = work
    counts, size, best = columns[0], columns[2], columns[3]
    for place in range(len(picks)):
        hand = picks[place]
        most = 0
        if switches[FIXED] == FIXED_FIRST_TWO:
            most = min(2, counts[hand, 0])
        for aces in range(most + 1):
            if flags[hand] & PAID:
                natural = natural_chance(shoe, cards, columns, hand, switches)
                value[hand, aces] = win[hand] * (1 - pay[SPOILT] * natural) - pay[SHARED] * natural
                continue
            wanted = use[hand, aces] if switches[FOLLOW] == 1 else 7
            if wanted == 0:
                continue
            chosen = -1
            if wanted & 1 and flags[hand] & MAY_STAND:
                quality[hand, aces, STAND] = against(
                    results[hand], best[hand], win[hand], pay[LOSE], pay[TIE], pay[PONTOON]
                )
                chosen = STAND
            if wanted & 2 and cards > size[hand]:
                quality[hand, aces, HIT] = hit_value(shoe, cards, columns, pay, switches, hand, aces, value)
                if chosen < 0 or quality[hand, aces, HIT] > quality[hand, aces, chosen]:
                    chosen = HIT
            if wanted & 4 and flags[hand] & MAY_DOUBLE and cards > size[hand]:
                quality[hand, aces, DOUBLE] = double_value(shoe, cards, columns, pay, switches, hand, aces, kept)
                if chosen < 0 or quality[hand, aces, DOUBLE] > quality[hand, aces, chosen]:
                    chosen = DOUBLE
            if switches[FOLLOW] == 0:
                act[hand, aces] = chosen
            value[hand, aces] = quality[hand, aces, act[hand, aces]]


@compiled
def mark(hands: Any, flags: Any, picks: Any, act: Any, use: Any, need: Any) -> None:
    """Mark the decisions a strategy can reach (`use`) and the hands that then face the dealer (`need`).

    The starting hands must be marked in `use`. Picks are read backwards: shortest hands first.
    """
    more = hands[4]
    for place in range(len(picks) - 1, -1, -1):
        hand = picks[place]
        for aces in range(3):
            wanted = use[hand, aces]
            if wanted & 1:
                need[hand] = 1
            if wanted & 6:
                for drawn in range(10):
                    next_hand = more[hand, drawn]
                    if next_hand < 0:
                        continue
                    if wanted & 4:
                        need[next_hand] = 1
                    if wanted & 2 and not flags[next_hand] & PAID:
                        use[next_hand, aces] |= 1 << act[next_hand, aces]


@compiled
def reach(hands: Any, flags: Any, shoe: Numbers, cards: Any, picks: Any, act: Any, chance: Numbers) -> None:
    """The probability of holding each hand under a strategy; `chance` holds those of the starting hands."""
    counts, size, more = hands[0], hands[2], hands[4]
    for place in range(len(picks) - 1, -1, -1):
        hand = picks[place]
        if flags[hand] & PAID:
            continue
        for aces in range(3):
            here = chance[hand, aces]
            if here == 0 or act[hand, aces] != HIT:
                continue
            for drawn in range(10):
                left = shoe[drawn] - counts[hand, drawn]
                next_hand = more[hand, drawn]
                if left > 0 and next_hand >= 0:
                    chance[next_hand, aces] += here * left / (cards - size[hand])


@compiled
def first_two(hands: Any, switches: Any, shoe: Numbers, cards: Any, single: Any, value: Numbers) -> Numbers:
    """The mean over the second card of a hand that has only its first."""
    counts, more = hands[0], hands[4]
    mean = shoe[0] * 0
    for drawn in range(10):
        left = shoe[drawn] - counts[single, drawn]
        if left > 0:
            hand = more[single, drawn]
            aces = counts[hand, 0] if switches[FIXED] == FIXED_FIRST_TWO else 0
            mean += left * value[hand, aces]
    return mean / (cards - 1)


@compiled
def over_shoes(
    hands: HandList, payout: Payout, shoes: Numbers, cards: Any, work: Work, start: tuple[Any, Any]
) -> Numbers:
    """The means of a split hand under one strategy for several shoes, where the dealer's results do not matter.

    `start` is the hand of one card of the pair and the hand of two, -1 if there is none. Columns of the answer: the
    mean from one card, and from two that are not split.
    """
    single, pair = start
    counts = hands.columns[0]
    means = shoes[:, :2] * 0
    for number in range(shoes.shape[0]):
        sweep(hands, payout, shoes[number], cards[number], work)
        means[number, 0] = first_two(hands.columns, hands.switches, shoes[number], cards[number], single, work.value)
        if pair >= 0:
            aces = counts[pair, 0] if hands.switches[FIXED] == FIXED_FIRST_TWO else 0
            means[number, 1] = work.value[pair, aces]
    return means


@compiled
def ends(hands: HandList, shoe: Numbers, cards: Any, play: tuple[Any, Any], won: Any, out: Ends) -> Any:
    """Every way a hand is decided before the dealer plays: its probability and its cards; return their number.

    `play` is the strategy (`act` and `drop`); `won` leaves out hands that were lost.
    """
    columns, flags, switches, picks = hands
    act, drop = play
    chance, chances, removed = out
    counts, hard, size, more = columns[0], columns[1], columns[2], columns[4]
    found = 0
    for place in range(len(picks)):
        hand = picks[place]
        for aces in range(3):
            here = chance[hand, aces]
            if here == 0:
                continue
            if flags[hand] & PAID:
                chances[found] = here
                removed[found] = counts[hand]
                found += 1
                continue
            if act[hand, aces] == STAND:
                continue
            fixed = fixed_aces(switches, counts[hand, 0], aces)
            for drawn in range(10):
                left = shoe[drawn] - counts[hand, drawn]
                next_hand = more[hand, drawn]
                if left <= 0:
                    continue
                decided = next_hand < 0 and won == 0
                if next_hand >= 0 and act[hand, aces] == DOUBLE:
                    soft = soft_when_doubled(switches, counts[next_hand, 0], fixed, hard[next_hand])
                    if (switches[WINS] == 1 and hard[next_hand] + soft * switches[SOFT] == switches[LIMIT]) or (
                        won == 0 and drop[next_hand, soft] == 1
                    ):
                        decided = True
                if decided:
                    chances[found] = here * left / (cards - size[hand])
                    removed[found] = counts[hand]
                    removed[found, drawn] += 1
                    found += 1
    return found
