"""The flow of a round, and the clauses an event cites."""

from __future__ import annotations

from functools import lru_cache

from pontoon import decider
from pontoon.engine.events import Event
from pontoon.engine.state import Round
from pontoon.rulebook import Clauses

Flow = decider.Flow[Round, Event]
"""A round, and the events that led to it."""
Trace = decider.Trace[Round, Event]
"""A flow with the round after each event."""


@lru_cache(maxsize=4096)
def cite(*sources: Clauses) -> Clauses:
    """Join clauses in order, each once.

    >>> cite(("5.1(d)", "9.2"), ("11.1", "9.2"))
    ('5.1(d)', '9.2', '11.1')
    """
    return tuple(dict.fromkeys(clause for source in sources for clause in source))
