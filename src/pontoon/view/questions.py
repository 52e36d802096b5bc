"""Offers as questions with their amounts, and unusual plays.

A client shows the question and asks again before an unusual play. Neither is a rule: the engine decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pontoon.cards import LIMIT
from pontoon.engine import Box, Hand, Round
from pontoon.engine.insurance import cap
from pontoon.engine.state import Phase, hand_in_turn
from pontoon.rulebook import Rulebook
from pontoon.view.catalogue import ENGLISH, say
from pontoon.view.table_parts import Pressed

HIGHEST_CARD = 10
"""No card can bust a hand this far below the limit."""


# --- offers --------------------------------------------------------------------------------------------


QUESTIONS: frozenset[Phase] = frozenset({"insurance", "surrender", "forfeit", "withdraw"})
"""The moments at which something is offered."""


def question_for(state: Round, box: Box, player: str, language: str = ENGLISH) -> str:
    """The open offer as a question to this bettor; empty if there is none."""
    wager = next((bettor for bettor in box.bettors if bettor.player == player), None)
    if wager is None or state.phase not in QUESTIONS:
        return ""
    return say(f"question.{state.phase}", {"stake": wager.stake, "amount": cap(state, wager.stake)}, language)


# --- unusual plays -------------------------------------------------------------------------------------


def _is_good(rules: Rulebook, hand: Hand) -> bool:
    """Whether the dealer would stand on this total; a soft one, which cannot bust, must be above that."""
    dealer = rules.dealer
    return hand.total > dealer.stands_soft if hand.soft else hand.total >= dealer.stands_hard


UNUSUAL: dict[str, Callable[[Rulebook, Hand], bool]] = {
    "Hit": _is_good,
    "Stand": lambda _, hand: hand.total <= LIMIT - HIGHEST_CARD,
    "Split": lambda _, hand: not hand.soft and hand.total == LIMIT - 1,
    "Surrender": lambda _, __: True,
    "Forfeit": lambda _, __: True,
}
"""For each command, when it is unusual."""

NO_HAND = Hand((), ())
"""It is no hand's turn while an offer is open to all boxes."""


def unusual_plays(state: Round, allowed: Sequence[Pressed], language: str = ENGLISH) -> dict[str, str]:
    """The allowed commands that are unusual now, each in words for `Really ...?`."""
    hand = hand_in_turn(state) if state.turn[0] else NO_HAND
    facts = {"total": hand.total, "soft": hand.soft}
    return {
        name: say(f"unusual.{name}", facts, language)
        for name in (type(command).__name__ for command in allowed)
        if name in UNUSUAL and UNUSUAL[name](state.rules, hand)
    }
