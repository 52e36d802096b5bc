"""Accept a rulebook as an object, a name, or the path of a file."""

from __future__ import annotations

import os
from typing import TypeAlias

from pontoon.quoting import quoted
from pontoon.rulebook import Rulebook, load

RulebookLike: TypeAlias = Rulebook | str | os.PathLike[str]


def as_rulebook(given: RulebookLike) -> Rulebook:
    """The given rulebook, or the one with this name or path.

    >>> as_rulebook("star") is as_rulebook(load("star"))
    True
    >>> as_rulebook(5)
    Traceback (most recent call last):
    TypeError: 5 is not a rulebook; a rulebook is given by its name, by a path, or as load() returns it
    """
    if isinstance(given, Rulebook):
        return given
    if isinstance(given, str | os.PathLike):
        return load(os.fspath(given))
    wanted = "a rulebook is given by its name, by a path, or as load() returns it"
    raise TypeError(f"{quoted(given)} is not a rulebook; {wanted}")
