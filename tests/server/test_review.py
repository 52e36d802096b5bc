"""The review of a session: every mistake of a round with its cost, for its player alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from pontoon.server.coach import worker as coach
from tests.server.api.visitors import AT_ONCE, Server, Visitor, running

PATIENT = AT_ONCE | {"decision": 600_000, "offer": 600_000}


@pytest.fixture(scope="module", autouse=True)
def _worker():
    yield
    coach.close()


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with running() as one:
        yield one


async def looked_over(visitor: Visitor, table: str, number: int) -> dict[str, Any]:
    until = time.monotonic() + 180
    while time.monotonic() < until:
        answer = await visitor.ask("GET", f"/api/rounds/{table}/{number}/review")
        if answer.status_code == 200:
            found: dict[str, Any] = answer.json()
            return found
        assert answer.status_code == 202, answer.text
        await asyncio.sleep(0.05)
    raise AssertionError("never ready")


@pytest.mark.asyncio
async def test_a_mistake_has_its_cost_and_its_reason_and_is_for_its_player_alone(server: Server):
    ann, ben = await server.guest("Ann"), await server.guest("Ben")
    table = await ann.make_table("canberra", practice=True, first_cards="Ks 6d 9h 5c 7h", clocks=PATIENT)
    assert (await ann.do(table, "PlaceWager", box=1, player="", stake=2500)).status_code == 200
    assert (await ann.do(table, "Hit", box=1)).status_code == 200  # 19 against a 6
    told = await looked_over(ann, table, 1)
    (slip,) = told["mistakes"]
    assert (slip["chosen"], slip["best"], slip["words"], slip["area"]) == (
        "hit",
        "stand",
        "19 against a 6",
        "Hard totals",
    )
    assert slip["position"] == "canberra|8|Ks 9h|6d"
    assert slip["cents"] == pytest.approx(told["cost"])
    assert slip["cents"] > 1000
    assert slip["why"].endswith(".")
    assert (told["staked"], told["net"], told["decisions"]) == (2500, -2500, 1)
    assert told["expected"] == pytest.approx(-2500 * 0.0034, abs=2)
    link = (await ann.ask("POST", f"/api/rounds/{table}/1/share", {})).json()["id"]
    assert (await server.nobody.get(f"/api/hands/{link}"))["title"] == "A bust on 24 against a 6"
    assert await ben.refused("GET", f"/api/rounds/{table}/1/review") == (403, "not_your_round")
    assert await server.nobody.refused("GET", f"/api/rounds/{table}/1/review") == (401, "unknown_token")
    assert await ann.refused("GET", f"/api/rounds/{table}/2/review") == (404, "no_such_round")
