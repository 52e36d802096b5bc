"""Permissions of a tournament, its secrets, and idempotency keys."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import product

import msgspec
import pytest

from pontoon.server.api.tournaments import hosting
from pontoon.server.people.people import RESERVED, clean_name
from pontoon.server.problems import Problem
from pontoon.server.records.replay import replay_faults
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.frames import encoded, snapshot
from pontoon.server.rooms.permits import ROLES
from pontoon.server.tournaments.heat import STEWARD
from pontoon.server.tournaments.permits import permits, verdict
from pontoon.server.tournaments.registry import ConditionsProblem
from pontoon.server.wire import family
from pontoon.store.memory import MemoryStore
from pontoon.store.model import entries_after
from pontoon.tournament import commands as c
from pontoon.view.tournaments.view import tournament_view
from pontoon.view.viewer import Viewer
from tests.server.tournaments.cup import DORA, RUTH, SIX, Cup, conditions, played

KINDS = [kind.__name__ for kind in family(c.TournamentCommand)]
OWN = {"Enter", "BuyBack", "TakeSeat", "Appeal"}
STEWARDS = {"CountChips", "EndTable", "CountExtra", "EndSession", "DrawLots", "Disqualify"}
OPERATORS = {"PublishConditions", "CommitBallot", "Cancel", "DecideAppeal"}
TABLES_ONLY = {"CountChips", "EndTable", "CountExtra"}


def test_every_command_stands_in_exactly_one_permit():
    written = Counter(name for row in dict.fromkeys(permits().values()) for name in row.commands)
    assert written == Counter(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_20_4_who_may_ask_for_what(name: str):
    """All combinations of command, role, nomination and player concerned."""
    for role, me, about in product(ROLES, ("Dora", "Olga"), ("", "Dora", "Olga")):
        actor = Actor(me, role)
        director = role == "tournament_director" and me == "Dora"
        directs = director and name not in OPERATORS | TABLES_ONLY | {"NominateDirector", "BuyBack"}
        manager = name == "NominateDirector" and role in ("casino_supervisor", "administrator")
        operator = name in OPERATORS and role == "administrator"
        own = name in OWN and about in ("", me)
        wanted = directs or manager or operator or own
        assert (verdict(name, actor, "Dora", about) == "allowed") == wanted, (role, me, about)
    assert (verdict(name, Actor(STEWARD), "Dora", "") == "allowed") == (name in STEWARDS)


def test_nobody_is_called_steward():
    assert STEWARD in RESERVED
    assert isinstance(clean_name("Steward"), Problem)


def test_20_7_the_seed_of_the_ballots_is_in_nothing_that_leaves_before_it_is_revealed():
    async def work() -> None:
        cup = await Cup().opened(*SIX)
        await cup.made(conditions(ties="ballot", length="rounds = 1", maximum="10.00"))
        seed = cup.hosted.seed
        assert len(seed) == 64

        def shown() -> str:
            state = cup.state
            views = [tournament_view(state, hosting(cup.hosted), who, KINDS) for who in ("", "Ann", "Dora", "Ruth")]  # type: ignore[arg-type]
            told = [msgspec.json.encode(view).decode() for view in (*views, *cup.hosted.recent)]
            return "".join((*told, *(encoded(snapshot(live.room.state, Viewer())) for live in cup.heats())))

        seen = [shown()]
        for step in (cup.balloted(*SIX), cup.started(), cup.session(), cup.do(DORA, c.DrawBallot("")), cup.started()):
            await step
            seen.append(shown())
        no = await cup.no(DORA, c.RevealBallot(""), "ballots_to_come", "20.7")
        await cup.session()
        await cup.do(DORA, c.AwardPlaces())
        seen.append(shown() + no.words)
        assert not any(seed in text for text in seen)
        await cup.do(DORA, c.RevealBallot(""))
        assert seed in shown()

    played(work)


def test_a_seed_or_a_hash_of_the_senders_own_is_worth_nothing():
    async def work() -> None:
        cup = await Cup().opened(*SIX)
        cup.id = str(await cup.house.tournaments.make(RUTH, conditions(), "k"))
        await cup.do(RUTH, c.CommitBallot("00" * 32))
        assert cup.state.seed_hash not in ("", "00" * 32)
        for to in ("patrons", "commission"):
            await cup.do(RUTH, c.PublishConditions(to))
        await cup.do(RUTH, c.NominateDirector("Somebody", "dora"))
        assert cup.state.director == "Dora"
        for name in SIX:
            await cup.do(name, c.Enter("", agreed=True, eligible=False))
        await cup.do(DORA, c.CloseEntries())
        await cup.do(DORA, c.DrawBallot("11" * 32))
        assert cup.state.phase == "balloted"

    played(work)


def test_a_key_is_used_once_and_entering_twice_costs_once():
    async def work() -> None:
        cup = await (await Cup().opened(*SIX)).made(conditions())
        first = await cup.ask("Ann", c.Enter("", agreed=True), "mine")
        again = await cup.ask("Ann", c.Enter("", agreed=True), "mine")
        assert first == again == cup.hosted.version
        await cup.no("Ann", c.Enter("", agreed=True), "entered_already", "20.6")
        assert cup.wallet("Ann") == 100_000 - 3333
        assert await cup.house.tournaments.make(RUTH, conditions(), "cup") == cup.id

    played(work)


def test_20_2_faulty_conditions_come_back_with_every_fault_and_its_clause():
    async def work() -> None:
        cup = await Cup().opened("Ann")
        text = conditions().replace('chips = "100.00"', "").replace("least = 2", "least = 20")
        no = await cup.house.tournaments.make(RUTH, text, "k")
        assert isinstance(no, ConditionsProblem)
        assert "20.3(a)(iv)" in no.clauses
        assert all(clause.startswith("20.") and words for clause, words in no.faults)
        garbled = await cup.house.tournaments.make(DORA, "[[[", "k")
        assert isinstance(garbled, ConditionsProblem)
        assert garbled.words
        forbidden = await cup.house.tournaments.make(Actor("Ann"), conditions(), "k")
        assert isinstance(forbidden, Problem)
        assert (forbidden.status, await cup.house.tournaments.page("", 9)) == (403, ([], False))
        missing = await cup.house.tournaments.command(RUTH, "nobody", c.Cancel("x"), "k")
        assert isinstance(missing, Problem)
        assert missing.status == 404

    played(work)


def test_20_4_another_director_is_nobody_here_until_nominated():
    async def work() -> None:
        cup = await (await Cup().opened(*SIX)).made(conditions())
        other = Actor("Olga", "tournament_director")
        await cup.no(other, c.CloseEntries(), "not_the_director")
        await cup.no(RUTH, c.CloseEntries(), "forbidden")
        await cup.no("Ann", c.CloseEntries(), "forbidden")
        await cup.no(RUTH, c.NominateDirector("", "Ann"), "not_a_director")
        assert "CloseEntries" not in cup.house.tournaments.may(other, cup.id)
        assert "Enter" in cup.house.tournaments.may(Actor("Ann"), cup.id)
        await cup.do("Ann", c.Enter("", agreed=True))
        assert "Enter" not in cup.house.tournaments.may(Actor("Ann"), cup.id)

    played(work)


def test_the_replay_finds_a_prize_that_was_changed():
    """Not a test of the chain: if every hash is recomputed, replaying the rules finds the change."""

    async def work() -> None:
        cup = await (await Cup().opened(*SIX)).made(conditions())
        await cup.do("Ann", c.Enter("", agreed=True))
        cup.books()
        entries = list(entries_after(cup.store, f"tournament/{cup.id}"))
        last = entries[-1]
        body = last.body.replace(b'"fee":3333', b'"fee":3')
        assert body != last.body
        store = cup.store
        assert isinstance(store, MemoryStore)
        store._entries[last.stream][-1] = msgspec.structs.replace(last, body=body)
        with pytest.raises(AssertionError):
            cup.books()
        assert [fault.version for fault in replay_faults(cup.store)] == [last.version]

    played(work)


def test_m5_a_key_with_another_command_is_refused_by_a_tournament():
    async def work() -> None:
        cup = await (await Cup().opened("Ann", "Ben")).made(conditions())
        first = await cup.ask("Ann", c.Enter("", agreed=True), "k")
        assert isinstance(first, int)
        assert await cup.ask("Ann", c.Enter("", agreed=True), "k") == first
        version = cup.hosted.version
        for other in (c.Enter("", group="blue", agreed=True), c.BuyBack("")):
            no = await cup.ask("Ann", other, "k")
            assert isinstance(no, Problem)
            assert (no.status, no.code, cup.hosted.version) == (422, "key_reused", version)
        assert isinstance(await cup.ask("Ben", c.Enter("", agreed=True), "k"), int), "another person's key"
        moved = c.MoveStart(int(cup.state.conditions.start.at.timestamp() * 1000) + 60_000, 60)
        done = await cup.ask(DORA, moved, "m")
        assert isinstance(done, int), done
        await asyncio.sleep(5)  # the time of the server is not the sender's
        assert await cup.ask(DORA, moved, "m") == done

    played(work)
