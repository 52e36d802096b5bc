"""200 evenings under all rulebooks: the ledger balances at every entry, replay equals live.

An evening has 200 commands, 1,000 with `-m slow`.
"""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from pontoon.server.rooms.commands import RoomCommand
from pontoon.server.wire import family
from tests.server.simulation import COMMANDS, KNOWN, Simulation
from tests.server.virtual_time import ForgottenError, VirtualClock, run_virtually

SEEDS, CHUNK = 200, 100
SHORT = 200
FAULTS = ("restarts", "put_away", "outages", "failed_syncs", "rollbacks", "over_quota")
STEWARDS = {"OpenRound", "MissWager", "EndHeat"}
"""Only at tables of tournaments: tests/server/tournaments."""


@pytest.mark.parametrize("commands", [SHORT, pytest.param(COMMANDS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_every_seed_balances_and_replays(first, commands):
    absent = rounds = 0
    faults: Counter[str] = Counter()
    kinds: set[str] = set()
    for seed in range(first, first + CHUNK):
        report = Simulation(seed, commands).run()
        assert report.commands >= commands
        assert set(report.known) <= set(KNOWN)
        absent, rounds = absent + report.absent, rounds + report.rounds
        kinds |= {kind for kind, _ in report.done}
        faults.update({fault: getattr(report, fault) for fault in FAULTS})
    assert absent > 0, "the clock never played for somebody absent"
    assert all(faults[fault] for fault in FAULTS), faults
    assert rounds > CHUNK * commands / 100
    assert len(kinds) > 40, kinds
    assert {kind.__name__ for kind in family(RoomCommand)} - STEWARDS <= kinds


def test_at_full_tables_seats_and_control_are_taken():
    """Adelaide: bots fill the table, and the supervisor holds late players to the minimum."""
    kinds: set[str] = set()
    for seed in range(7, 47, 10):
        simulation = Simulation(seed, 300)
        simulation.crowd.fills = True
        kinds |= {kind for kind, _ in simulation.run().done}
    assert {"HoldLate", "TakeControl", "TakeSeat"} <= kinds


def test_a_shoe_dealt_to_its_end_goes_on_with_the_discards():
    """Adelaide 54(a), 110: without a cutting card the shoe runs out in mid-round, and its discards are shuffled."""
    for seed in (12, 27):
        simulation = Simulation(seed, 1500)
        simulation.crowd.deals_out = True
        report = simulation.run()
        assert report.done["ShuffleDiscards", "people"]
        assert set(report.known) <= set(KNOWN)


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
