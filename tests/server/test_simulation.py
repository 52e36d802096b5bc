"""200 evenings of 1,000 commands each, under all rulebooks: the ledger balances at every entry, replay equals live."""

from __future__ import annotations

import asyncio

import pytest

from pontoon.server.commands import RoomCommand
from pontoon.server.wire import family
from tests.server.simulation import COMMANDS, KNOWN, Simulation
from tests.server.virtual_time import ForgottenError, VirtualClock, run_virtually

SEEDS, CHUNK = 200, 10
STEWARDS = {"OpenRound", "MissWager", "EndHeat"}
"""Only at tables of tournaments: tests/server/tournaments."""


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_every_seed_balances_and_replays(first):
    absent = rounds = 0
    kinds: set[str] = set()
    for seed in range(first, first + CHUNK):
        report = Simulation(seed).run()
        assert report.commands >= COMMANDS
        assert set(report.known) <= set(KNOWN)
        absent, rounds = absent + report.absent, rounds + report.rounds
        kinds |= {kind for kind, _ in report.done}
    assert absent > 0, "the clock never played for somebody absent"
    assert rounds > CHUNK * 10
    assert len(kinds) > 40, kinds
    assert {kind.__name__ for kind in family(RoomCommand)} - STEWARDS <= kinds


def test_a_seed_repeats_exactly():
    first, again = Simulation(7, 400).run(), Simulation(7, 400).run()
    assert first == again
    assert first.heads != Simulation(8, 400).run().heads


def test_a_follower_sees_every_step():
    report = Simulation(3, watched=True).run()
    assert report.frames["_Step"] > 100
    assert report.frames["_Snapshot"] > 3


def test_virtual_time_passes_only_while_nobody_works():
    async def wait():
        clock = VirtualClock(asyncio.get_running_loop())
        before = clock.wall()
        await asyncio.sleep(1000)
        clock.set_by -= 5000
        return clock.steady(), clock.wall() - before

    assert run_virtually(wait()) == (1000, 995_000)


def test_a_loop_in_which_everybody_waits_says_so():
    async def forever():
        await asyncio.get_running_loop().create_future()

    with pytest.raises(ForgottenError):
        run_virtually(forever())
