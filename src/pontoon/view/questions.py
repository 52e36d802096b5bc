"""Offers as questions with their amounts, and plays that are rarely meant.

A client shows the question and asks again before an unusual play. Neither is a rule: the engine decides what is lawful.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pontoon.cards import LIMIT
from pontoon.engine import Box, Hand, Round
from pontoon.engine.insurance import cap
from pontoon.engine.state import Phase, Wager, hand_in_turn
from pontoon.rulebook import Rulebook
from pontoon.view.table_parts import Pressed
from pontoon.view.words import sum_words, total_words

HIGHEST_CARD = 10
"""No card can bust a hand that is this far below the limit."""


# --- offers --------------------------------------------------------------------------------------------


def _insure(state: Round, wager: Wager) -> str:
    return f"Insurance for {sum_words(cap(state, wager.stake))}?"


def _surrender(_: Round, __: Wager) -> str:
    return "Surrender half your bet?"


def _forfeit(_: Round, wager: Wager) -> str:
    return f"Take back the double and lose {sum_words(wager.stake)}?"


def _withdraw(_: Round, wager: Wager) -> str:
    return f"Withdraw your wager of {sum_words(wager.stake)}?"


QUESTIONS: dict[Phase, Callable[[Round, Wager], str]] = {
    "insurance": _insure,
    "surrender": _surrender,
    "forfeit": _forfeit,
    "withdraw": _withdraw,
}


def question_for(state: Round, box: Box, player: str) -> str:
    """The open offer as a question to this bettor; empty where nothing is offered."""
    wager = next((one for one in box.bettors if one.player == player), None)
    ask = QUESTIONS.get(state.phase)
    return ask(state, wager) if ask and wager else ""


# --- unusual plays -------------------------------------------------------------------------------------


def _is_good(rules: Rulebook, hand: Hand) -> bool:
    """A total the dealer would stand on; a soft one counts only above that, for it cannot bust."""
    dealer = rules.dealer
    return hand.total > dealer.stands_soft if hand.soft else hand.total >= dealer.stands_hard


UNUSUAL: dict[str, tuple[Callable[[Rulebook, Hand], bool], str]] = {
    "Hit": (_is_good, "hit {hand}"),
    "Stand": (lambda _, hand: hand.total <= LIMIT - HIGHEST_CARD, "stand on {total}"),
    "Split": (lambda _, hand: not hand.soft and hand.total == LIMIT - 1, "split a total of {total}"),
    "Surrender": (lambda _, __: True, "surrender half your bet"),
    "Forfeit": (lambda _, __: True, "lose your original bet"),
}
"""By command: when it is rarely meant, and how to say it."""

NO_HAND = Hand((), ())
"""While an offer is open to all boxes no hand is in turn."""


def unusual_plays(state: Round, allowed: Sequence[Pressed]) -> dict[str, str]:
    """The allowed commands that are rarely meant now, each in words for `Really ...?`."""
    hand = hand_in_turn(state) if state.turn[0] else NO_HAND
    facts = {"hand": _hand_words(hand), "total": hand.total}
    return {
        name: UNUSUAL[name][1].format(**facts)
        for name in (type(command).__name__ for command in allowed)
        if name in UNUSUAL and UNUSUAL[name][0](state.rules, hand)
    }


def _hand_words(hand: Hand) -> str:
    return total_words(hand.total, soft=True) if hand.soft else f"hard {hand.total}"
