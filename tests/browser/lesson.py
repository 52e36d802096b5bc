"""The plays of the lesson, for every browser."""

from __future__ import annotations

LESSON = (
    ("Hit", "Stand"),
    ("Hit", "Stand"),
    ("Hit",),
    ("Hit", "Double", "Forfeit"),
    ("Split", "Stand", "Stand"),
    ("Hit",),
)
"""What the sentences of each hand ask for."""
