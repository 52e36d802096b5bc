"""Any request generated from /openapi.json: no answer is an internal error, every answer is as described.

For longer runs: PONTOON_FUZZ=200 pytest --timeout=0 tests/server/api/test_schemathesis.py
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import Counter
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar, TypeVar

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import (
    allow_header_conformance,
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from pontoon.server.api import routers
from pontoon.server.app import make_app
from pontoon.server.house import House, Options
from pontoon.server.lab.lanes import Lab
from pontoon.server.lab.sums import ChartSum, EdgeSum
from pontoon.server.people.people import TokenGiven, new_token, token_hash
from pontoon.store import MemoryStore
from tests.server.api.test_tournaments import SMALL, Cup
from tests.server.api.visitors import Server, running

USUAL = 3
EXAMPLES = int(os.environ.get("PONTOON_FUZZ", USUAL))
TABLE = re.compile(r"[2-9a-z]{1,24}")
NAMES = ("Pla", "Dea", "Sup", "Adm")
TOURNAMENT_NAMES = ("Pla", "Dir", "Sup", "Adm", "Dir", "Ope")
CONDITIONS = (SMALL, SMALL.replace("packs = 4", "packs = 2"), SMALL.replace("Lake", "River"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
    allow_header_conformance,
]
T = TypeVar("T")


class NoSums(Lab):
    """A lab with instant computations; their results are tested elsewhere."""

    RESULTS: ClassVar[dict[str, Any]] = {
        "edge_sum": EdgeSum(0.0, ()),
        "chart_sum": ChartSum(("2",), {"hard": {"16": ("S",)}}, 0.0),
        "deviation_sum": 1.0,
    }

    def __init__(self) -> None:
        super().__init__()
        self.edges = self.rest = self  # type: ignore[assignment]

    async def do(self, work: Any, _: Any) -> Any:
        return self.RESULTS[work.__name__]

    def close(self) -> None:
        """Nothing to close."""


class Door:
    """A server on its own event loop, called in process from synchronous tests."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.stack = AsyncExitStack()
        self.tables: list[str] = []
        self.tournaments: list[str] = []
        self.turns: Counter[str] = Counter()
        self.server: Server

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    async def open(self, backups: Path) -> None:
        self.server = await self.stack.enter_async_context(running(backups))
        self.server.app.state.lab = NoSums()
        player = await self.server.account("Pla")
        await self.server.account("Dea", "dealer")
        await self.server.account("Sup", "casino_supervisor")
        await self.server.account("Adm", "administrator")
        self.tables = [await player.make_table("canberra"), await player.make_table("star", mode="floor")]
        await player.play(self.tables[0], 3)
        director = await self.server.account("Dir", "tournament_director")
        operator = await self.server.account("Ope", "administrator")
        for _ in range(2):  # one tournament in preparation, one open for entries
            made = await director.ask("POST", "/api/tournaments", {"conditions": SMALL})
            self.tournaments.append(made.json()["id"])
        await Cup(self.server, director, operator, self.tournaments[1]).open()

    async def token(self, name: str) -> str:
        """Get a new token, because the previous one may be signed out."""
        token = new_token()
        house = self.server.house
        await house.say_of(name, TokenGiven(name, token_hash(token), house.clock.wall() + 10**9))
        return token

    def known(self, case: Any, turn: int) -> bool:
        """Where a name is given that nobody has, sometimes one that someone has; whether anything was changed."""
        path, body = case.path_parameters, case.body
        before = repr((path, body))
        if TABLE.fullmatch(str(path.get("table", ""))):
            path["table"] = self.tables[turn % len(self.tables)]
        if TABLE.fullmatch(str(path.get("tournament", ""))) and turn % 4:
            path["tournament"] = self.tournaments[turn % len(self.tournaments)]
        if isinstance(body, dict) and isinstance(body.get("conditions"), str) and turn % 4:
            body["conditions"] = CONDITIONS[turn % len(CONDITIONS)]
        if "{number}" in case.path and str(path.get("number", "")).isdigit() and turn % 2:
            path["number"] = 1 + turn % 3
        if "{name}" in case.path and "rulebooks" in case.path and turn % 2:
            path["name"] = RULEBOOKS[turn % len(RULEBOOKS)]
        if isinstance(body, dict) and isinstance(body.get("key"), str) and 0 < len(body["key"]) < 60:
            body["key"] = f"{body['key']}{turn}"[:64]  # otherwise it counts as the same command
        if isinstance(body, dict) and isinstance(body.get("rulebook"), str) and turn % 4:
            body["rulebook"] = RULEBOOKS[turn % len(RULEBOOKS)]
        return repr((path, body)) != before

    def checked(self, case: Any) -> None:
        turn = self.turns[
            case.operation.label
        ]  # seeded by operation: the same cases whatever else this process has run
        self.turns[case.operation.label] += 1
        ours = self.known(case, turn) or "Authorization" in (case.headers or {})
        names = TOURNAMENT_NAMES if "tournaments" in case.path else NAMES
        name = "Adm" if "admin" in case.path and turn % 4 else names[turn % len(names)]
        answer = self.wait(self.send(case, name))
        checks = [
            check for check in CHECKS if not (ours and check is negative_data_rejection)
        ]  # it may have been fixed since
        case.validate_response(answer, checks=checks)

    async def send(self, case: Any, name: str) -> Any:
        headers = {"Authorization": f"Bearer {await self.token(name)}"}
        wanted = case.as_transport_kwargs(base_url="http://pontoon.test", headers=headers)
        raw: Any = requests.Request(**wanted).prepare()
        content = raw.body.encode() if isinstance(raw.body, str) else raw.body
        self.server.client.cookies.clear()
        before = self.standing()
        answer = await self.server.client.request(raw.method, raw.url, content=content, headers=dict(raw.headers))
        assert answer.is_success or self.standing() == before, "what is refused changes nothing"
        return answer

    def standing(self) -> object:
        """State that changes only on request: people, the table dealt by a person, the number of tables."""
        store = self.server.house.store
        return store.head("people"), store.head(f"table/{self.tables[1]}"), len(store.heads())


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    one = Door()
    one.thread.start()
    one.wait(one.open(tmp_path_factory.mktemp("backups")))
    yield one
    one.wait(one.stack.aclose())
    one.loop.call_soon_threadsafe(one.loop.stop)
    one.thread.join()
    one.loop.close()


TABLES = "/api/tables"
COMMANDS = "/api/tables/{table}/commands"
TOURNAMENTS = "/api/tournaments"
TOURNAMENT_COMMANDS = "/api/tournaments/{tournament}/commands"
RULINGS = "/api/tables/{table}/rulings/preview"
MANY = [COMMANDS, TABLES, TOURNAMENTS, TOURNAMENT_COMMANDS, RULINGS]
"""Where a POST has dozens of kinds of bodies."""
THOROUGHLY = settings(
    deadline=None, suppress_health_check=list(HealthCheck), phases=(Phase.explicit, Phase.generate), derandomize=True
)
LONG = EXAMPLES > USUAL
RULEBOOKS = ("canberra", "star", "adelaide", "federal", "division-15")


def _schema(*, corners: bool) -> Any:
    """`corners`: also every corner of every parameter, before the random cases."""
    schema = schemathesis.openapi.from_dict(make_app(House(MemoryStore(), Options(inline=True))).openapi())
    schema.config.phases.coverage.enabled = corners
    return schema


described = _schema(corners=True)
many = _schema(corners=LONG)  # 80 kinds of commands have 1,400 combinations


@described.exclude(path=MANY, method="POST").parametrize()
@settings(THOROUGHLY, max_examples=EXAMPLES)
def test_every_answer_is_as_described(case, door):
    door.checked(case)


@many.include(path=MANY, method="POST").parametrize()
@settings(THOROUGHLY, max_examples=EXAMPLES * 12)
def test_every_command_and_every_setting_is_answered_as_described(case, door):
    door.checked(case)


def test_everything_is_described():
    paths = {path for router in routers for path in (route.path for route in router.routes)}  # type: ignore[attr-defined]
    assert {path.replace(":path", "") for path in paths} == set(described.raw_schema["paths"])
