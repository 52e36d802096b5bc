"""What it costs to decide re-splits once for each pair and upcard, and not by the cards of the hands already played.

A further pair on the first hand of a split comes when nothing else has been seen: there, deciding once is deciding by
composition. Later hands know the cards of those before them. The gain of splitting again is found for the shoe without
those cards, to first order in them; where it has the other sign than the decision made, its size is what the fixed
decision loses. The sum over all splits, weighted by how often such a pair comes, bounds the cost for a whole round.
"""

from __future__ import annotations

import numpy as np

from pontoon.analysis import measures
from pontoon.analysis.solver import Solver
from pontoon.analysis.splits import resplit
from pontoon.analysis.splits.joint_chances import over_shoes, without
from pontoon.analysis.splits.resplit import FROM_ONE, FROM_PAIR
from pontoon.analysis.splits.second_moment import Floats, HandEnds
from pontoon.analysis.splits.split import SplitBox
from pontoon.analysis.splits.split_hand import SplitHand

VALUES = 10
FAR = 0.1
"""No cards that a hand can take change the gain of a re-split by this much: one is worth 0.013 with three packs."""


def resplit_cost(solver: Solver) -> float:
    """An upper bound of what re-splitting by composition would add to the value of a round, in first wagers."""
    chances: dict[tuple[int, int, int], float] = {}
    for rank, first, count in solver.upcards():
        for start in solver.starts(first, rank):
            if start.best == "split" and solver.split_box(first, start.pair[0]).most > 2:
                key = (first, start.pair[0], start.of_pair)
                chances[key] = chances.get(key, 0.0) + float(count / solver.shoe.cards * start.chance)
    return sum(
        chance * cost_of(solver, solver.split_box(first, pair), of_pair)
        for (first, pair, of_pair), chance in chances.items()
    )


def cost_of(solver: Solver, box: SplitBox, of_pair: int) -> float:
    """The same for one split, given that it is made."""
    _, _, most = solver.split_total(box.first, box.pair, of_pair)
    again = most > 2
    measure = box.additive(solver.money)[1]
    base = gain(box, of_pair, ())
    if abs(base) > FAR:
        return 0.0
    effects = np.array(
        [gain(box, of_pair, (value,)) - base if box.values[value] > 0 else 0.0 for value in range(VALUES)]
    )
    suits = solver.suits_without(box.first, "")
    ends = HandEnds(box.additional, measure, of_pair, suits).ends(0, whole=not again)
    gains = base + ends.cards @ effects
    costs: Floats = np.zeros(len(gains))
    for more in (0.0, _spared(box)):
        costs = np.maximum(costs, np.maximum(-(gains + more) if again else gains + more, 0.0))
    pairs = of_pair / float(box.cards)
    decisions = sum(number * pairs**number for number in range(1, box.most - 1))
    return decisions * float(ends.chance.sum(axis=1) @ costs)


def gain(box: SplitBox, of_pair: int, removed: tuple[int, ...]) -> float:
    """What splitting a further pair gains over playing it, if these cards are gone, hands counted one by one."""
    hand = box.additional
    other = hand
    if removed:
        other = SplitHand(hand.table, hand.arithmetic, box.first, box.pair, without(hand.values, *removed))
        other.play_by(hand.act, hand.drop, hand.suited_act)
    measure = box.additive(measures.money(box.game).map(box.arithmetic.number))[1]
    left = of_pair - removed.count(box.pair) - 1
    weights = resplit.weights(left, float(box.cards) - len(removed) - 1, box.most - 1)
    split = 0.0
    for gone in range(weights.shape[2]):
        weight = weights[:, :, gone].sum(axis=0)
        if weight.any():
            means = other.means(measure, gone + 1, spoilt=box.spoilt)
            split += float(weight[FROM_ONE] * means.start + weight[FROM_PAIR] * means.pair)
    return split - float(other.means(measure, 0, spoilt=box.spoilt).pair)


def _spared(box: SplitBox) -> float:
    """What a dealer's pontoon that takes one wager adds to that gain if the hands before were all decided."""
    if not box.relieved:
        return 0.0
    one, pair = over_shoes(box.additional, measures.decided(), [without(box.additional.values, box.natural)])[0]
    return float(box.values[box.natural]) / float(box.cards) * (float(one) ** 2 - float(pair))
