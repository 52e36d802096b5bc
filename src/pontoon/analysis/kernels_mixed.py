"""The kernels that read decisions, for mixed play: `act` holds the chance of each action, `drop` that of a forfeit.

They have the names and arguments of those in kernels.py and take their place (mixed_play.py). Nothing is searched for
here: play is always followed.
"""

from __future__ import annotations

from typing import Any

from pontoon.analysis.jit import compiled
from pontoon.analysis.kernels import (
    DOUBLE,
    DOUBLED_LOSE,
    DOUBLED_PONTOON,
    DOUBLED_TIE,
    DOUBLED_WIN,
    FIXED,
    FIXED_FIRST_TWO,
    FORFEIT,
    HIT,
    LIMIT,
    LOSE,
    MAY_DOUBLE,
    MAY_STAND,
    PAID,
    PONTOON,
    SHARED,
    SOFT,
    SPOILT,
    STAND,
    TIE,
    WINS,
    Ends,
    HandList,
    Numbers,
    Payout,
    Work,
    against,
    double_value,
    first_two,
    fixed_aces,
    hit_value,
    natural_chance,
    soft_when_doubled,
)


@compiled
def keep_doubles(
    hands: Any, switches: Any, pay: Numbers, picks: Any, results: Numbers, kept: Numbers, drop: Numbers
) -> None:
    """The value of a doubled hand after its card, counted hard (0) or soft (1)."""
    hard = hands[1]
    for place in range(len(picks)):
        hand = picks[place]
        for soft in range(2):
            total = hard[hand] + soft * switches[SOFT]
            if total <= switches[LIMIT]:
                value = against(
                    results[hand], total, pay[DOUBLED_WIN], pay[DOUBLED_LOSE], pay[DOUBLED_TIE], pay[DOUBLED_PONTOON]
                )
                kept[hand, soft] = drop[hand, soft] * pay[FORFEIT] + (1 - drop[hand, soft]) * value


@compiled
def sweep(hands: HandList, payout: Payout, shoe: Numbers, cards: Any, work: Work) -> None:
    """Value every picked hand, longest first; only the decisions marked in `use` are valued."""
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
            wanted = use[hand, aces]
            mean = shoe[0] * 0
            if wanted & 1 and flags[hand] & MAY_STAND:
                quality[hand, aces, STAND] = against(
                    results[hand], best[hand], win[hand], pay[LOSE], pay[TIE], pay[PONTOON]
                )
                mean += act[hand, aces, STAND] * quality[hand, aces, STAND]
            if wanted & 2 and cards > size[hand]:
                quality[hand, aces, HIT] = hit_value(shoe, cards, columns, pay, switches, hand, aces, value)
                mean += act[hand, aces, HIT] * quality[hand, aces, HIT]
            if wanted & 4 and flags[hand] & MAY_DOUBLE and cards > size[hand]:
                quality[hand, aces, DOUBLE] = double_value(shoe, cards, columns, pay, switches, hand, aces, kept)
                mean += act[hand, aces, DOUBLE] * quality[hand, aces, DOUBLE]
            value[hand, aces] = mean


@compiled
def mark(hands: Any, flags: Any, picks: Any, act: Numbers, use: Any, need: Any) -> None:
    """Mark the decisions that play can reach (`use`) and the hands that then face the dealer (`need`)."""
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
                        for action in range(3):
                            if act[next_hand, aces, action] > 0:
                                use[next_hand, aces] |= 1 << action


@compiled
def reach(hands: Any, flags: Any, shoe: Numbers, cards: Any, picks: Any, act: Numbers, chance: Numbers) -> None:
    """The probability of holding each hand; `chance` holds those of the starting hands."""
    counts, size, more = hands[0], hands[2], hands[4]
    for place in range(len(picks) - 1, -1, -1):
        hand = picks[place]
        if flags[hand] & PAID:
            continue
        for aces in range(3):
            here = chance[hand, aces] * act[hand, aces, HIT]
            if here == 0:
                continue
            for drawn in range(10):
                left = shoe[drawn] - counts[hand, drawn]
                next_hand = more[hand, drawn]
                if left > 0 and next_hand >= 0:
                    chance[next_hand, aces] += here * left / (cards - size[hand])


@compiled
def over_shoes(
    hands: HandList, payout: Payout, shoes: Numbers, cards: Any, work: Work, start: tuple[Any, Any]
) -> Numbers:
    """The means of a split hand for several shoes, where the dealer's results do not matter."""
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
    """Every way a hand is decided before the dealer plays: its probability and its cards; return their number."""
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
            hits, doubles = act[hand, aces, HIT], act[hand, aces, DOUBLE]
            if hits + doubles == 0:
                continue
            fixed = fixed_aces(switches, counts[hand, 0], aces)
            for drawn in range(10):
                left = shoe[drawn] - counts[hand, drawn]
                next_hand = more[hand, drawn]
                if left <= 0:
                    continue
                decided = shoe[0] * 0
                if next_hand < 0:
                    if won == 0:
                        decided += hits + doubles
                elif doubles > 0:
                    soft = soft_when_doubled(switches, counts[next_hand, 0], fixed, hard[next_hand])
                    if switches[WINS] == 1 and hard[next_hand] + soft * switches[SOFT] == switches[LIMIT]:
                        decided += doubles
                    elif won == 0:
                        decided += doubles * drop[next_hand, soft]
                if decided > 0:
                    chances[found] = here * decided * left / (cards - size[hand])
                    removed[found] = counts[hand]
                    removed[found, drawn] += 1
                    found += 1
    return found
