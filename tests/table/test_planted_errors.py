"""A thousand rounds of each document with irregularities, with deliberate errors: all end in a lawful state."""

from __future__ import annotations

import hashlib
from collections import Counter
from random import Random

import pytest

from pontoon.engine import Limits, PlaceWager
from pontoon.ledger import balances
from pontoon.rulebook import load
from pontoon.table import evolve
from pontoon.table.automatic import AutomaticTable
from pontoon.table.bots import random_bot, trouble
from pontoon.table.events import InRound
from pontoon.table.opening import full_set
from pontoon.table.state import Table

WAGERS = [PlaceWager(1, "Ann", 1000), PlaceWager(2, "Ben", 2000), PlaceWager(2, "Cal", 500)]


@pytest.mark.parametrize("name", ["division-15", "adelaide", "canberra"])
def test_rounds_with_planted_errors_end_in_a_lawful_state(name):
    chance = Random(name)
    start = Table(load(name), packs=8, limits=Limits(500))
    table = AutomaticTable(start, lambda number: hashlib.sha256(f"{name} {number}".encode()).digest())
    table.open([("Ann", 1), ("Ben", 2)])
    planted: Counter[str] = Counter()

    def answer(state):
        stack = table.table.shoe.stack
        if state.phase == "decision" and stack and chance.random() < 0.2:
            command = trouble(state, stack[0], chance)
            if command is not None:
                planted[type(command).__name__] += 1
                return command
        return random_bot(state, chance)

    for number in range(1, 1001):
        before = len(table.events)
        state = table.play_round(WAGERS, answer)
        assert state is not None
        assert state.phase == "ended"
        shoe = table.table.shoe
        assert Counter(shoe.stack) + Counter(shoe.discards) == full_set(table.table)
        assert shoe.left == len(shoe.stack)
        totals = balances([one.event for one in table.events[before:] if isinstance(one, InRound)])
        assert sum(totals.values()) == 0
        assert not [account for account, amount in totals.items() if account.startswith("escrow/") and amount]
        assert table.table.number == number
    again = start
    for event in table.events:
        again = evolve(again, event)
    assert again == table.table
    assert sum(planted.values()) > 100
