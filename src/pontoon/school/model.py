"""An exercise: a question or several in a row, what is shown with it, and how an answer is graded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from msgspec import Struct

from pontoon.engine import Round
from pontoon.engine.state import Box
from pontoon.rulebook import Clauses
from pontoon.view.words import dealer_words, hand_words

CHOICES = 4
"""Number of wrong answers offered with the right one."""


class ExerciseHand(Struct, frozen=True):
    """Cards to look at."""

    title: str
    cards: tuple[str, ...]
    words: str = ""


class Question(Struct, frozen=True):
    """A question, what is shown with it, and the answers to choose from; none if an amount is typed."""

    question: str
    hands: tuple[ExerciseHand, ...]
    choices: tuple[str, ...]
    answers: tuple[str, ...]
    """Every right answer; an amount is in cents."""
    why: str
    clauses: Clauses
    seconds: int
    """The time a good dealer takes."""
    said: str = ""
    """What has just happened at the table."""
    stake: int = 0
    """The wager in question, in cents."""


class Exercise(Question, frozen=True, kw_only=True):
    """A question with the name of its exercise: kind, rulebook, level and seed make it again."""

    kind: str
    rulebook: str
    level: int
    seed: int
    step: int = 0
    """Which question of the exercise, from 0."""
    steps: int = 1


class Graded(Struct, frozen=True):
    """Whether an answer is right, what would have been, and by which clause."""

    right: bool
    answer: str
    why: str
    clauses: Clauses


def among(right: Sequence[str], others: Iterable[str], chance: Random) -> tuple[str, ...]:
    """The right answers among a few others, in alphabetical order."""
    wrong = sorted(set(others) - set(right))
    return tuple(sorted((*right, *chance.sample(wrong, min(CHOICES, len(wrong))))))


def hands_of(state: Round, *, named: bool = False) -> tuple[ExerciseHand, ...]:
    """Every hand on the table, the dealer's last."""
    hands = [
        ExerciseHand(_title(box, number, named=named), hand.cards, hand_words(state, hand) if hand.cards else "")
        for box in state.boxes
        for number, hand in enumerate(box.hands, 1)
    ]
    if state.dealer:
        hands.append(ExerciseHand("Dealer", state.dealer, dealer_words(state)))
    return tuple(hands)


def _title(box: Box, number: int, *, named: bool) -> str:
    name = f", {box.controller}" if named else ""
    return f"Box {box.number}{name}" + (f", hand {number}" if len(box.hands) > 1 else "")
