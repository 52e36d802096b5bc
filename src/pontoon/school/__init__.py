"""A school for dealers and supervisors: the engine makes the exercises, so their answers are right."""

from pontoon.school.exercises import KINDS, exercise, exercise_steps, grade
from pontoon.school.levels import LevelAnswer, Standing, level_rules, standing
from pontoon.school.model import Exercise, Graded

__all__ = [
    "KINDS",
    "Exercise",
    "Graded",
    "LevelAnswer",
    "Standing",
    "exercise",
    "exercise_steps",
    "grade",
    "level_rules",
    "standing",
]
