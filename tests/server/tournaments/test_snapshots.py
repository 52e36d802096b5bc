"""Snapshots of tournaments: the state from a snapshot is that of the log, and those that are over leave memory."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from pontoon.server.tournaments.hosted import Hosted
from pontoon.server.tournaments.log import stream_of
from pontoon.server.tournaments.snapshots import encoded, open_tournament
from pontoon.store.memory import MemoryStore
from pontoon.store.model import Entry, Snapshot, entries_after
from pontoon.tournament import commands as c
from tests.server.tournaments.cup import DORA, RUTH, SIX, Cup, conditions, played
from tests.server.tournaments.test_whole_tournament import whole


def everything(hosted: Hosted) -> dict[str, object]:
    return vars(hosted)


@pytest.fixture(scope="module")
def cup() -> Cup:
    """A tournament from its conditions to its last prize, with a break and a ruling that waits."""

    async def work() -> Cup:
        cup = await Cup().opened(*SIX)
        await (await (await cup.made(conditions())).balloted(*SIX)).started()
        await cup.run(lambda: cup.state.tables[0].rounds >= 1)
        await cup.opens(cup.state.tables[0].rounds + 1)
        await cup.do(DORA, c.CallBreak(5))
        await cup.do(DORA, c.Disqualify(cup.heat().places[0][1], "late", "20.13"))
        await asyncio.sleep(400)
        await cup.do(DORA, c.EndBreak())
        await cup.session()
        await cup.do(DORA, c.DrawBallot(""))
        await cup.started()
        await cup.session()
        await cup.finished()
        return cup

    return played(work)


def test_a_tournament_from_a_snapshot_is_the_tournament_of_its_log(cup):
    hosted = Hosted(cup.id)
    log = list(entries_after(cup.store, stream_of(cup.id)))
    phases = set()
    for entry in log:
        hosted.apply(entry)
        phases.add(hosted.state.phase)
        if entry.version % 3 and entry is not log[-1]:
            continue
        again = Hosted(cup.id)
        assert open_tournament(Truncated(log[: entry.version], encoded(hosted, over=False)), again) == entry.version
        assert everything(again) == everything(hosted)
        for later in log[entry.version : entry.version + 2]:
            again.apply(later)
    assert phases >= {"entries", "balloted", "session", "between", "awarded", "over"}
    assert everything(again) == everything(hosted)


class Truncated(MemoryStore):
    """A store that ends with the entry of a snapshot."""

    def __init__(self, log: list[Entry], snapshot: Snapshot) -> None:
        super().__init__()
        self._entries[snapshot.stream] = log
        self.keep_snapshots([snapshot])


@pytest.mark.parametrize("harm", [{"hash": "f" * 64}, {"about": b"{}"}, {"body": b"x"}], ids=str)
def test_a_snapshot_of_a_tournament_that_does_not_fit_is_discarded(cup, harm):
    log = list(entries_after(cup.store, stream_of(cup.id)))
    hosted = Hosted(cup.id)
    for entry in log:
        hosted.apply(entry)
    again = Hosted(cup.id)
    assert open_tournament(Truncated(log, replace(encoded(hosted, over=True), **harm)), again) == 0
    assert everything(again) == everything(hosted)


def test_a_tournament_that_is_over_leaves_memory_with_its_tables_and_comes_back():
    async def work() -> None:
        cup = await Cup().opened(*SIX)
        await whole(cup)
        before, rooms = everything(cup.hosted), set(cup.hosted.rooms.values())
        tournaments = cup.house.tournaments
        await asyncio.sleep(700)
        assert cup.id not in tournaments._hosted
        assert not rooms & set(cup.house.lives), "its tables have been unloaded, too"
        await cup.restart()
        tournaments = cup.house.tournaments
        await asyncio.sleep(5)
        assert tournaments.get(cup.id) is None
        assert not cup.house.lives
        shown, more = await tournaments.page("", 5)
        assert (everything(shown[0]), more) == (before, False)
        assert cup.id not in tournaments._hosted, "looking does not keep it in memory"
        no = await tournaments.command(RUTH, cup.id, c.Cancel("x"), "late")
        assert not isinstance(no, int)
        await cup.house.close()

    played(work)


def test_a_killed_tournament_goes_on_from_its_last_snapshot():
    async def work() -> None:
        cup = await Cup().opened(*SIX)
        await (await (await cup.made(conditions())).balloted(*SIX)).started()
        await cup.run(lambda: cup.state.tables[0].rounds >= 2)
        await cup.house.tournaments.write_snapshots(closing=True)
        assert cup.store.snapshot_before(stream_of(cup.id), 2**62) is not None
        await cup.run(lambda: cup.state.tables[0].rounds >= 3)
        before = everything(cup.hosted)
        await cup.restart()
        assert {name: value for name, value in everything(cup.hosted).items() if name in before} == before
        await cup.session()
        assert cup.state.session == 1

    played(work)
