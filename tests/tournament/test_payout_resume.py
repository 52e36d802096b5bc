"""A kill at any point of the payouts, and on from the log: each place is paid exactly once."""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
import pytest

from pontoon.engine import Refusal
from pontoon.tournament import Tournament, decide, evolve, options, postings
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from tests.tournament.chance import ID, Chance

EVENTS = tuple[e.PlacesAwarded | e.PrizePaid | e.Completed, ...]


def awarded(seed: int) -> Chance:
    """A tournament just before its places are awarded; several prizes."""
    number = seed
    while True:
        one = Chance(Random(number), 9)
        one.cancels = False
        one.enter()
        while one.state.phase not in ("awarded", "over", "cancelled"):
            one.step()
        if len(one.state.payments) > 3:
            return one
        number += 1000


def folded(start: Tournament, log: list[bytes]) -> Tournament:
    """The state read from disk."""
    for line in log:
        for event in msgspec.json.decode(line, type=EVENTS):
            start = evolve(start, event)
    return start


@pytest.mark.parametrize("seed", range(40))
def test_each_place_is_paid_once_whatever_is_lost(seed):
    chance = Random(seed)
    one = awarded(seed)
    before = one.state
    log: list[bytes] = []
    kills = 0
    while True:
        state = folded(before, log)  # a new process knows only the log
        while state.phase == "awarded":
            # An impatient cashier asks for payments at random, paid or not.
            events = decide(state, c.PayPrize(chance.randint(0, len(state.payments) + 1)))
            if isinstance(events, Refusal):
                continue
            if chance.random() < 0.4:  # killed after deciding, before writing: it has not happened
                kills += 1
                break
            log.append(msgspec.json.encode(events))
            if chance.random() < 0.4:  # killed after writing, before replying
                kills += 1
                break
            for event in events:
                state = evolve(state, event)
        else:
            break
    assert kills > 0
    assert state.phase == "over"
    paid = [event for line in log for event in msgspec.json.decode(line, type=EVENTS)]
    numbers = [event.payment.number for event in paid if isinstance(event, e.PrizePaid)]
    due = [payment for payment in before.payments if payment.number not in before.paid]
    assert sorted(numbers) == [payment.number for payment in due]
    totals = Counter(one.books)
    for event in paid:
        for posting in postings(ID, event):
            totals[posting.account] += posting.amount
    assert totals[f"pool/{ID}"] == 0
    won: Counter[str] = Counter()
    for payment in due:
        won[f"wallet/{payment.player}"] += payment.amount
    assert {name: totals[name] - one.books[name] for name in won} == dict(won)
    assert [command for command in options(state).allowed if isinstance(command, c.PayPrize)] == []
