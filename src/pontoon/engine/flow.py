"""Events on their way up: each is put once, and the state follows at once, so that a rule reads the table as it is.

The only thing that moves inside the engine, and it never leaves it.
"""

from __future__ import annotations

from functools import lru_cache

from pontoon.engine.events import Event
from pontoon.engine.evolve import STEPS
from pontoon.engine.state import Round
from pontoon.rulebook import Clauses


class Flow:
    """A state and the events that led from where we began to it."""

    __slots__ = ("events", "state")

    def __init__(self, state: Round) -> None:
        """Begin at a state, without events."""
        self.state = state
        self.events: list[Event] = []

    def put(self, event: Event) -> None:
        """It happened."""
        self.events.append(event)
        self.state = STEPS[type(event)](self.state, event)  # `evolve` without the call: nothing is done more often


@lru_cache(maxsize=4096)
def cite(*sources: Clauses) -> Clauses:
    """Join clauses in order, each once.

    >>> cite(("5.1(d)", "9.2"), ("11.1", "9.2"))
    ('5.1(d)', '9.2', '11.1')
    """
    return tuple(dict.fromkeys(clause for source in sources for clause in source))
