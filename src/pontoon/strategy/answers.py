"""What a strategy answers when the engine waits for a decision: the bridge from tables to commands.

Every box may have another strategy; each sees its own hand and the dealer's upcard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from pontoon.engine import (
    Box,
    CloseOffer,
    Command,
    Double,
    Forfeit,
    Hand,
    Hit,
    Insure,
    Keep,
    Round,
    Split,
    Stand,
    Surrender,
    refusal,
)
from pontoon.engine.insurance import cap
from pontoon.engine.state import box_in_turn, hand_in_turn
from pontoon.quoting import quoted
from pontoon.strategy.function_strategy import as_strategy
from pontoon.strategy.situation import Action, Situation, Strategy, StrategyError, StrategyLike, rank_class

_COMMANDS: dict[Action, Callable[[int], Command]] = {
    "hit": Hit,
    "stand": Stand,
    "double": Double,
    "split": Split,
    "surrender": Surrender,
    "forfeit": Forfeit,
    "keep": Keep,
}
_IN_TURN: tuple[Action, ...] = ("hit", "stand", "double", "split", "surrender")


def answer(state: Round, strategy: StrategyLike) -> Command | None:
    """The command a strategy gives now; None if a card or nothing is due.

    >>> from pontoon.engine import CallNoMoreBets, DealCard, PlaceWager, must_play
    >>> from pontoon.rulebook import load
    >>> wager, call = PlaceWager(1, "Ann", 1000), CallNoMoreBets()
    >>> state = must_play(Round(load("star")), wager, call, *map(DealCard, ("8c", "6d", "8h")))
    >>> answer(state, lambda situation: "stand")
    Stand(box=1, player='')
    """
    strategy = as_strategy(strategy)
    match state.phase:
        case "insurance":
            return _insure(state, strategy)
        case "surrender":
            return _surrender(state, strategy)
        case "forfeit":
            box = box_in_turn(state)
            situation = _situation(state, box, hand_in_turn(state), frozenset({"keep", "forfeit"}))
            return _COMMANDS[_chosen(strategy, situation)](box.number)
        case "decision":
            box = box_in_turn(state)
            number = box.number
            may = frozenset(action for action in _IN_TURN if refusal(state, _COMMANDS[action](number)) is None)
            return _COMMANDS[_chosen(strategy, _situation(state, box, hand_in_turn(state), may))](number)
        case _:
            return None


def _situation(state: Round, box: Box, hand: Hand, may: frozenset[Action]) -> Situation:
    wager = next(wager for wager in hand.wagers if wager.player == box.controller)
    split = rank_class(hand.cards[0]) if hand.split else ""
    return Situation(hand.cards, state.dealer[0], split, wager.original, hand.doubled, hand.fixed_aces, may)


def _chosen(strategy: Strategy, situation: Situation) -> Action:
    chosen = strategy.choose(situation)
    if chosen not in situation.may:
        cards, may = " ".join(situation.cards), ", ".join(sorted(situation.may))
        where = f"{cards} against {situation.dealer}"
        raise StrategyError(f"the strategy returned {quoted(chosen)} for {where}; allowed: {may}")
    return chosen


def _insure(state: Round, strategy: Strategy) -> Command:
    for box in state.boxes:
        insure = Insure(box.number, box.controller, cap(state, box.bettors[0].stake))
        if refusal(state, insure) is None and strategy.insures(box.hands[0].cards, state.dealer[0]):
            return insure
    return CloseOffer()


def _surrender(state: Round, strategy: Strategy) -> Command:
    may = cast("frozenset[Action]", frozenset({"surrender", "keep"}))
    for box in state.boxes:
        surrender = Surrender(box.number)
        if refusal(state, surrender) is None and (
            _chosen(strategy, _situation(state, box, box.hands[0], may)) == "surrender"
        ):
            return surrender
    return CloseOffer()
