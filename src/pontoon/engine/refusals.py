"""Three kinds of no. Refused is a value: a code, the clauses, the facts. It changes nothing.

Malformed input never reaches the engine; broken is an assertion. The words of a refusal are made in `view`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from msgspec import Struct

from pontoon.rulebook import Clauses


class Refusal(Struct, frozen=True):
    """Why not: a code for programs, clauses for the inspector, facts for the words."""

    code: str
    clauses: Clauses
    facts: Mapping[str, object] = {}


Asked = TypeVar("Asked")


def sifted(
    commands: Iterable[Asked], question: Callable[[Asked], Refusal | None]
) -> tuple[tuple[Asked, ...], tuple[tuple[Asked, Refusal], ...]]:
    """Commands that may be done, and the others with the reason: what `options` is made of, at every layer.

    >>> sifted((1, 2), lambda number: refuse("odd", ()) if number % 2 else None)
    ((2,), ((1, Refusal(code='odd', clauses=(), facts={})),))
    """
    answered = [(command, question(command)) for command in commands]
    allowed = tuple(command for command, no in answered if no is None)
    return allowed, tuple((command, no) for command, no in answered if no is not None)


def refuse(code: str, clauses: Clauses, **facts: object) -> Refusal:
    """Make a refusal.

    >>> refuse("forced_draw", ("14.1(d)",), total=11, least=12).facts
    {'total': 11, 'least': 12}
    """
    return Refusal(code, clauses, facts)
