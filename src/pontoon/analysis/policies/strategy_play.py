"""Play by a given strategy instead of optimal play: its decisions are written into the kernels' tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pontoon.analysis import kernels
from pontoon.analysis.board import Board
from pontoon.analysis.hands import ACE, SUITS, VALUES
from pontoon.analysis.splits.split_hand import Pair, SplitHand
from pontoon.cards import LIMIT, Card
from pontoon.cards.hand import SOFT_ACE
from pontoon.strategy import Situation, Strategy, StrategyError

_ACTS = {"stand": kernels.STAND, "hit": kernels.HIT, "double": kernels.DOUBLE}
_KEEP = frozenset({"keep", "forfeit"})


def cards_of(counts: Sequence[int], aces_first: int, suit: str = "") -> tuple[Card, ...]:
    """Cards of these values with `aces_first` aces among the first two, in mixed suits or in one suit.

    >>> cards_of((2, 1, 0, 0, 1, 0, 0, 0, 0, 0), 1)
    ('Ac', '2d', '5c', 'Ad')
    """
    others = [letter for letter, count in zip(VALUES[1:], counts[1:], strict=True) for _ in range(count)]
    letters = ["A"] * aces_first + others + ["A"] * (counts[ACE] - aces_first)
    return tuple(Card(letter + (suit or "cd"[place % 2])) for place, letter in enumerate(letters))


def dealer_card(first: int, suit: str = "h") -> Card:
    """An upcard of this value."""
    return Card(VALUES[first] + (suit or "h"))


def fill(strategy: Strategy, board: Board, *, split: str = "", original: bool = True) -> None:
    """Write a strategy's decisions into every hand of a board."""
    table, dealer = board.table, dealer_card(board.first)
    counts, hard = table.hands.counts.tolist(), table.hands.hard.tolist()
    first_two = board.switches[kernels.FIXED] == kernels.FIXED_FIRST_TWO
    for hand in board.picks.tolist():
        held = counts[hand]
        for aces in range(min(2, held[ACE]) + 1 if first_two else 1):
            may = _may(int(board.flags[hand]))
            if not may:
                continue
            first_aces = aces if first_two else min(held[ACE], 2) if sum(held) == 2 else 0
            if sum(held) - held[ACE] + first_aces < 2:  # a hand has at least two first cards
                first_aces = min(held[ACE], 2)
            cards = cards_of(held, first_aces)
            try:
                action = strategy.choose(Situation(cards, dealer, split, original, may=may))  # type: ignore[arg-type]
            except StrategyError:
                continue  # a file need not cover hands that its own play never holds
            board.act[hand, aces] = _ACTS[action]
        _fill_forfeits(strategy, board, hand, (held, hard[hand]), dealer, (split, original))


def _fill_forfeits(
    strategy: Strategy, board: Board, hand: int, held: tuple[Any, int], dealer: Card, whose: tuple[str, bool]
) -> None:
    counts, hard = held
    soft_fits = counts[ACE] > 0 and hard + SOFT_ACE <= LIMIT
    for soft in range(1 + soft_fits):
        total = hard + soft * SOFT_ACE
        board.drop[hand, soft] = 0
        if total <= min(board.table.game.forfeit_highest, LIMIT - 1):
            fixed = counts[ACE] if soft_fits and not soft else 0
            situation = Situation(cards_of(counts, 0), dealer, *whose, doubled=True, fixed_aces=fixed, may=_KEEP)  # type: ignore[arg-type]
            board.drop[hand, soft] = int(strategy.choose(situation) == "forfeit")


def _may(flags: int) -> frozenset[str]:
    if flags & kernels.PAID:
        return frozenset()
    allowed = {"hit"}
    if flags & kernels.MAY_STAND:
        allowed.add("stand")
    if flags & kernels.MAY_DOUBLE:
        allowed.add("double")
    return frozenset(allowed)


def follow_split(strategy: Strategy, hand: SplitHand, *, original: bool) -> None:
    """Write a strategy's decisions into a hand of a split."""
    board = hand.boards[0]
    if hand.one_card:
        hand.play_by(np.zeros_like(board.act), board.drop.copy(), {})
        return
    split = VALUES[hand.pair]
    fill(strategy, board, split=split, original=original)
    suited = {}
    for pair in hand.table.bonuses:
        if hand.pair in pair:
            place = hand.table.hands.two(*pair)
            for suit in SUITS:
                cards = tuple(Card(VALUES[value] + suit) for value in pair)
                situation = Situation(
                    cards,
                    dealer_card(hand.first),
                    split,
                    original,
                    may=_may(int(board.flags[place])),  # type: ignore[arg-type]
                )
                suited[pair, suit] = _ACTS[strategy.choose(situation)]
    hand.play_by(board.act.copy(), board.drop.copy(), suited)


def splits_again(strategy: Strategy, first: int, pair: int) -> bool:
    """Whether a strategy splits again when a split hand receives another card of the pair."""
    cards = (Card(VALUES[pair] + "c"), Card(VALUES[pair] + "d"))
    may = frozenset({"split", "hit", "stand", "double"})
    return strategy.choose(Situation(cards, dealer_card(first), VALUES[pair], may=may)) == "split"  # type: ignore[arg-type]


def chosen(strategy: Strategy, first: Card, pair: Pair, ranks: str, suits: tuple[str, str], actions: set[str]) -> str:
    """A strategy's decision on the first two cards."""
    letters = ranks[:2] or VALUES[pair[0]] + VALUES[pair[1]]
    if "A" in letters:
        letters = letters[::-1] if letters[0] != "A" else letters
    marks = suits if suits[0] else ("c", "d")
    cards = (Card(letters[0] + marks[0]), Card(letters[1] + marks[1]))
    if "surrender" in actions:
        give = frozenset({"surrender", "keep"})
        if strategy.choose(Situation(cards, first, may=give)) == "surrender":  # type: ignore[arg-type]
            return "surrender"
    may = frozenset(actions - {"surrender"})
    return strategy.choose(Situation(cards, first, may=may))  # type: ignore[arg-type]
