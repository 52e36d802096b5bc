"""Levels: how many right answers in a row lead from one level of a kind of exercise to the next."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from pontoon.school.rounds import LEVELS


class LevelRule(Struct, frozen=True):
    """What leads to the next level."""

    streak: int
    """Right answers in a row at this level."""
    in_time: bool
    """Whether only those count that took no longer than a good dealer takes."""


class LevelAnswer(Struct, frozen=True):
    """An answer, as far as levels go."""

    level: int
    right: bool
    late: bool


class Standing(Struct, frozen=True):
    """How far a person is with one kind of exercise."""

    kind: str
    level: int
    run: int
    """Right answers in a row that count towards the next level."""
    streak: int
    """How many lead to the next level; 0 at the highest."""
    in_time: bool


@cache
def level_rules() -> dict[str, tuple[LevelRule, ...]]:
    """The rules of levels.toml; the first leads from level 1 to level 2."""
    kinds = tomllib.loads(resources.files(__package__).joinpath("levels.toml").read_text("utf-8"))
    return {kind: msgspec.convert(rows["level"], tuple[LevelRule, ...]) for kind, rows in kinds.items()}


def standing(kind: str, answers: Iterable[LevelAnswer], start: int = 1) -> Standing:
    """The level that these answers lead to, oldest first; levels only rise.

    Answers below the level reached so far do not count.

    >>> standing("payouts", [LevelAnswer(1, True, False)] * 9)
    Standing(kind='payouts', level=2, run=0, streak=12, in_time=True)
    """
    rules, level, run = level_rules()[kind], start, 0
    for answer in answers:
        if level == LEVELS or answer.level < level:
            continue
        rule = rules[level - 1]
        if not answer.right:
            run = 0
        elif not (rule.in_time and answer.late):
            run += 1
        if run == rule.streak:
            level, run = level + 1, 0
    next_rule = rules[level - 1] if level < LEVELS else LevelRule(0, in_time=False)
    return Standing(kind, level, run, next_rule.streak, next_rule.in_time)
