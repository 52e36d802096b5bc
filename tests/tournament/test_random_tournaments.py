"""2,000 random tournaments, 10,000 with `-m slow`: books exact after every event, prizes the pool to the cent."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, Union

import msgspec
import pytest

from pontoon.tournament import Tournament, evolve
from pontoon.tournament import events as e
from tests.tournament.chance import Chance

LOG: Any = list[Union[tuple(e.TournamentEvent.__subclasses__())]]  # type: ignore[misc] # noqa: UP007 made at run time
LOTS, QUICK, EACH = 20, 4, 500
SIZES = (*range(1, 9), 2, 3, 4, 5, 6, 9, 14, 21)


def played(seed: int) -> Chance:
    """Mostly small ones; one in 250 is large, up to 500 players, and the first of all has 500."""
    chance = Random(seed)
    players = chance.randint(100, 500) if seed % 250 == 0 else chance.choice(SIZES)
    players = players if seed else 500
    one = Chance(chance, players, 2).play()
    one.check()
    return one


def again(one: Chance) -> Tournament:
    """The same tournament from its log, as a file would have it."""
    state = one.first
    for event in msgspec.json.decode(msgspec.json.encode(one.events), type=LOG):
        state = evolve(state, event)
    return state


@pytest.mark.parametrize(
    "lot", [*range(QUICK), *(pytest.param(lot, marks=pytest.mark.slow) for lot in range(QUICK, LOTS))]
)
def test_the_books_are_exact_to_the_cent(lot):
    said: Counter[str] = Counter()
    for seed in range(lot * EACH, (lot + 1) * EACH):
        one = played(seed)
        said.update(type(event).__name__ for event in one.events)
        if seed % 25 == 0:
            assert again(one) == one.state
    never = {event.__name__ for event in e.TournamentEvent.__subclasses__()} - set(said)
    # Records what actually happens: many tournaments without a single tie would prove little.
    assert never <= {"TieDropped"}
