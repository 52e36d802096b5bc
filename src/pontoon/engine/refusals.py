"""Three kinds of no. Refused is a value: a code, the clauses, the facts. It changes nothing.

Malformed input never reaches the engine; broken is an assertion. The words of a refusal are made in `view`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from msgspec import Struct

from pontoon.rulebook import Clauses


@final
class Refusal(Struct, frozen=True, gc=False):
    """Why a command is not allowed: a code for programs, clauses for the inspector, facts for the sentence."""

    code: str
    clauses: Clauses
    facts: Mapping[str, object] = {}


def refuse(code: str, clauses: Clauses, **facts: object) -> Refusal:
    """Make a refusal.

    >>> refuse("forced_draw", ("14.1(d)",), total=11, least=12).facts
    {'total': 11, 'least': 12}
    """
    return Refusal(code, clauses, facts)
