"""Exercises and their grading. An exercise is named by kind, rulebook, level and seed, and can be made again from them.

>>> one = exercise("payouts", "canberra", 1, 7)
>>> grade(one, exercise("payouts", "canberra", 1, 7).answers[0]).right
True
>>> len(exercise_steps("procedure", "canberra", 1, 7)) > 8
True
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

from msgspec.structs import asdict

from pontoon.rulebook import Rulebook, load
from pontoon.school.documents import document, rulings
from pontoon.school.model import Exercise, Graded, Question
from pontoon.school.payouts import payouts
from pontoon.school.procedure import procedure
from pontoon.school.rounds import LEVELS
from pontoon.school.spotting import spot
from pontoon.view.catalogue.formats import money

_MAKERS: dict[str, Callable[[Rulebook, int, Random], tuple[Question, ...]]] = {
    "payouts": payouts,
    "procedure": procedure,
    "spot": spot,
    "rulings": rulings,
    "document": document,
}
KINDS = tuple(_MAKERS)
"""What can be practised."""


@lru_cache(maxsize=256)
def exercise_steps(kind: str, rulebook: str, level: int, seed: int) -> tuple[Exercise, ...]:
    """Make an exercise, question by question; the same four arguments always make the same one."""
    level = min(max(level, 1), LEVELS)
    chance = Random(f"{kind} {rulebook} {level} {seed}")  # noqa: S311 an exercise, no game
    asked = _MAKERS[kind](load(rulebook), level, chance)
    return tuple(
        Exercise(**asdict(question), kind=kind, rulebook=rulebook, level=level, seed=seed, step=step, steps=len(asked))
        for step, question in enumerate(asked)
    )


def exercise(kind: str, rulebook: str, level: int, seed: int, step: int = 0) -> Exercise:
    """One question of an exercise; the last one where there are fewer."""
    asked = exercise_steps(kind, rulebook, level, seed)
    return asked[min(max(step, 0), len(asked) - 1)]


def grade(one: Exercise, given: str) -> Graded:
    """Grade an answer."""
    right = given.strip() in one.answers
    shown = money(int(one.answers[0])) if not one.choices else one.answers[0]
    return Graded(right, shown, one.why, one.clauses)
