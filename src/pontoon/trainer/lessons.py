"""The lesson that is played, not read: a few fixed hands, one short sentence at a time (lessons.toml).

>>> lesson = load_lesson()
>>> len(lesson.hands), lesson.hands[0].plan
(6, ('hit', 'stand'))
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

RULEBOOK = "canberra"


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence, and the action it asks for."""

    say: str
    tap: str


class LessonHand(Struct, frozen=True, forbid_unknown_fields=True, rename={"steps": "step"}):
    """One hand of the lesson."""

    title: str
    cards: str
    """In the order they are dealt."""
    end: str
    """Said when the hand is over."""
    steps: tuple[Step, ...]

    @property
    def plan(self) -> tuple[str, ...]:
        """The actions the hand asks for."""
        return tuple(step.tap for step in self.steps)


class Lesson(Struct, frozen=True):
    """All hands, under one rulebook."""

    rulebook: str
    hands: tuple[LessonHand, ...]


@cache
def load_lesson() -> Lesson:
    """The lesson as it is written."""
    text = files("pontoon.trainer").joinpath("lessons.toml").read_text(encoding="utf-8")
    return Lesson(RULEBOOK, msgspec.convert(tomllib.loads(text)["hand"], tuple[LessonHand, ...]))
