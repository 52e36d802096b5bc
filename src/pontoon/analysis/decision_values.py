"""The value of each allowed decision on one hand, for a player, a coach or an inspector."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pontoon.analysis import kernels
from pontoon.analysis.answers import ActionValue, HandError, ShoeError, best_first, check_hand
from pontoon.analysis.board import Board
from pontoon.analysis.game import representative
from pontoon.analysis.hands import ACE, value_of
from pontoon.analysis.measures import Number
from pontoon.analysis.splits.split_hand import SplitHand, extra
from pontoon.cards import LIMIT, Card, aces_in, total

if TYPE_CHECKING:
    from pontoon.analysis.solver import Solver


def action_values(
    solver: Solver,
    hand: Sequence[Card],
    dealer: Card,
    *,
    after_split: bool = False,
    doubled: bool = False,
) -> tuple[ActionValue, ...]:
    """Every allowed decision on a hand, best first; the solver's shoe still contains the hand."""
    check_hand(hand, doubled=doubled)
    first = value_of(dealer)
    if doubled:
        values = _doubled(solver, hand, first, after_split=after_split)
    elif after_split:
        values = _split_hand(solver, hand, dealer)
    elif len(hand) == 2:
        pair = _pair(hand)
        ranks = _in_order(hand, pair) + dealer[0]
        suits = (hand[0][1], hand[1][1])
        values = dict(solver.start(first, pair, ranks=ranks, suits=suits, suit=dealer[1]).values)
    else:
        board = solver.board(first)
        values = _plays(board, _place(board, hand), _aces(board, hand))
    return best_first(values)


def _pair(hand: Sequence[Card]) -> tuple[int, int]:
    low, high = sorted(value_of(card) for card in hand)
    return low, high


def _in_order(hand: Sequence[Card], pair: tuple[int, int]) -> str:
    """The ranks of two cards, in the order of their values."""
    one, two = hand
    return one[0] + two[0] if value_of(one) == pair[0] else two[0] + one[0]


def _counts(hand: Iterable[Card]) -> tuple[int, ...]:
    values = [value_of(card) for card in hand]
    return tuple(values.count(value) for value in range(10))


def _place(board: Board, hand: Sequence[Card]) -> int:
    counts = _counts(hand)
    if counts not in board.table.hands.number:
        raise ShoeError(f"{' '.join(hand)}: the shoe does not hold that many of these cards")
    return board.table.hands.index_of(counts)


def _aces(board: Board, hand: Sequence[Card]) -> int:
    first_two = board.switches[kernels.FIXED] == kernels.FIXED_FIRST_TWO
    return aces_in(hand[:2]) if first_two else 0


def _plays(board: Board, hand: int, aces: int) -> dict[str, Number]:
    quality, flags = board.quality[hand, aces], int(board.flags[hand])
    values = {"hit": quality[kernels.HIT]}
    if flags & kernels.MAY_STAND:
        values["stand"] = quality[kernels.STAND]
    if flags & kernels.MAY_DOUBLE:
        values["double"] = quality[kernels.DOUBLE]
    return values


def _split_hand(solver: Solver, hand: Sequence[Card], dealer: Card) -> dict[str, Number]:
    """The value of a split hand's own wager; what a dealer's pontoon takes is shared with the other hands."""
    first, pair = value_of(dealer), value_of(hand[0])
    if pair == ACE and solver.game.split_aces_one_card:
        raise HandError("a split ace takes one card and stands, nothing is left to decide")
    box = solver.split_box(first, pair)
    slot: SplitHand = box.additional
    board = slot.boards[0]
    place, aces = _place(board, hand), _aces(board, hand)
    slot.revalue()
    values = _plays(board, place, aces)
    if len(hand) == 2:
        values["hit"] = values["hit"] + _suited(solver, slot, hand, dealer)
    if len(hand) == 2 and value_of(hand[1]) == pair and box.most > 2:
        values["split"] = _again(solver, first, pair, box.most - 1)
    return values


def _suited(solver: Solver, slot: SplitHand, hand: Sequence[Card], dealer: Card) -> Number:
    """What two cards of one suit add to a hit on a split hand, without the Super Bonus."""
    pair, suit = _pair(hand), hand[0][1]
    if hand[1][1] != suit or pair not in slot.table.bonuses:
        return solver.arithmetic.number(0)
    third, rows = slot.table.bonuses[pair]
    left, own = solver.suits_without(value_of(dealer), dealer[1])[third], pair.count(third)
    share = solver.arithmetic.number(left[suit] - own) / max(sum(left.values()) - own, 1)
    more = extra(solver.game, solver.money, pair, rows[suit], suit, prize=False)
    return slot.chance_of_third(slot.boards[0], slot.table.hands.two(*pair), third) * share * more


def _again(solver: Solver, first: int, pair: int, most: int) -> Number:
    """The value of splitting again: two hands for this one, with one more card of the pair gone."""
    other = solver.with_shoe(solver.shoe.without(representative(tuple(int(v == pair) for v in range(10)))))
    box = other.split_box(first, pair)
    of_pair = box.values[pair]
    total = box.total(box.additive(other.money), of_pair, max(most, 2))
    return total.base - box.taken(of_pair, max(most, 2))


def _doubled(solver: Solver, hand: Sequence[Card], first: int, *, after_split: bool) -> dict[str, Number]:
    """The values of keep and forfeit; the last card is the double's."""
    board = solver.split_box(first, value_of(hand[0])).additional.boards[0] if after_split else solver.board(first)
    held = tuple(hand[:-1])
    fixed = kernels.fixed_aces(board.switches, aces_in(held), aces_in(held[:2]))
    points = total(tuple(hand), int(fixed)).points
    if points >= LIMIT:
        raise HandError(f"{' '.join(hand)} counts {points} when doubled: settled at once, nothing is left to decide")
    place = _place(board, hand)
    money = solver.money
    kept = board.arithmetic.kernel["against"](
        board.results[place], points, money.doubled_win, money.doubled_lose, money.doubled_tie, money.doubled_pontoon
    )
    values = {"keep": kept}
    if points <= solver.game.forfeit_highest:
        values["forfeit"] = money.forfeit
    return values
