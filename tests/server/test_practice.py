"""Practising over HTTP: the lesson, hands, drills and positions, for anyone and without chips."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import pytest
import pytest_asyncio

from pontoon.server.coach import worker as coach
from tests.server.api.visitors import Server, running


@pytest.fixture(scope="module", autouse=True)
def _worker():
    yield
    coach.close()


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with running() as one:
        yield one


async def prepared(server: Server, path: str) -> Any:
    until = time.monotonic() + 180
    while time.monotonic() < until:
        answer = await server.nobody.ask("GET", path)
        if answer.status_code == 200:
            return answer.json()
        assert answer.status_code == 202, answer.text
    raise AssertionError("never ready")


@pytest.mark.asyncio
async def test_the_lesson_is_played_by_nobody_in_particular(server: Server):
    lesson = await server.nobody.get("/api/lesson")
    for hand in lesson["hands"]:
        actions: list[str] = []
        for step in hand["step"]:
            path = (
                f"/api/practice?rulebook={lesson['rulebook']}&cards={quote(hand['cards'])}&actions={','.join(actions)}"
            )
            told = await server.nobody.get(path)
            assert not told["over"]
            assert told["room"]["players"] == ["You"]
            actions.append(step["tap"])
        path = f"/api/practice?rulebook={lesson['rulebook']}&cards={quote(hand['cards'])}&actions={','.join(actions)}"
        assert (await server.nobody.get(path))["over"]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/practice?rulebook=star&cards=10h", 400),
        ("/api/practice?rulebook=star&cards=5h&actions=sing", 400),
        ("/api/practice?rulebook=nowhere", 404),
        ("/api/drills?rulebook=star&area=sideways", 400),
        ("/api/drills/answer?position=star", 400),
        ("/api/drills/answer?position=nowhere|8|7s7h|Kd", 404),
        ("/api/drills/answer?position=star|8|7s7h7d|6d", 400),
    ],
)
async def test_what_cannot_be_practised_is_refused(server: Server, path: str, status: int):
    assert (await server.nobody.ask("GET", path)).status_code == status


@pytest.mark.asyncio
async def test_a_drill_is_answered_with_values_and_a_reason(server: Server):
    drill = (await server.nobody.get("/api/drills?rulebook=canberra&area=daily"))["drills"][0]
    told = await prepared(server, f"/api/drills/answer?position={quote(drill['position'])}")
    assert {choice["action"] for choice in told["choices"]} == set(drill["may"])
    assert told["choices"] == sorted(told["choices"], key=lambda choice: -choice["value"])
    assert told["why"].endswith(".")
    assert all(choice["clauses"] for choice in told["choices"])
