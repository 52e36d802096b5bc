"""Anything a client could send, made from /openapi.json: no answer is our bug, every answer is as described.

For longer runs: PONTOON_FUZZ=2000 pytest tests/server/api/test_schemathesis.py
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from itertools import count
from threading import Thread
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error

from pontoon.server.people import TokenGiven, new_token, token_hash
from tests.server.api.visitors import Server, running

EXAMPLES = int(os.environ.get("PONTOON_FUZZ", "12"))
TABLE = re.compile(r"[2-9a-z]{1,24}")


class Bridge:
    """The application on a loop and thread of its own: every request of a test comes from another loop."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.stack = AsyncExitStack()
        self.server: Server | None = None
        self.tables: list[str] = []
        self.names = ("Pla", "Dea", "Sup", "Adm")
        self.turn = count()

    def wait(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    def start(self, backups: Any) -> None:
        self.thread.start()
        self.wait(self._start(backups))

    async def _start(self, backups: Any) -> None:
        self.server = await self.stack.enter_async_context(running(backups))
        player = await self.server.account("Pla")
        await self.server.account("Dea", "dealer")
        await self.server.account("Sup", "casino_supervisor")
        await self.server.account("Adm", "administrator")
        self.tables.append(await player.make_table("canberra"))
        self.tables.append(await player.make_table("star", mode="floor"))
        await player.play(self.tables[0], 3)

    def stop(self) -> None:
        self.wait(self.stack.aclose())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def token(self) -> str:
        """Somebody else's turn, with a new token: the one before may be signed out."""
        assert self.server is not None
        name, token = self.names[next(self.turn) % len(self.names)], new_token()
        house = self.server.house
        self.wait(house.say_of(name, TokenGiven(name, token_hash(token), house.clock.wall() + 10**9)))
        return token

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        assert self.server is not None
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        said: list[Any] = []

        async def given() -> dict[str, object]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def heard(message: Any) -> None:
            said.append(message)

        work = asyncio.run_coroutine_threadsafe(self.server.app(scope, given, heard), self.loop)
        await asyncio.wrap_future(work)
        for message in said:
            await send(message)


BRIDGE = Bridge()


@pytest.fixture(scope="module", autouse=True)
def bridge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bridge]:
    BRIDGE.start(tmp_path_factory.mktemp("backups"))
    yield BRIDGE
    BRIDGE.stop()


def _described() -> Any:
    from pontoon.server.app import make_app
    from pontoon.server.house import House, Options
    from pontoon.store import MemoryStore

    schema = schemathesis.openapi.from_dict(make_app(House(MemoryStore(), Options(inline=True))).openapi())
    schema.app = BRIDGE
    return schema


schema = _described()


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate),
)
def test_every_answer_is_as_described(case):
    if TABLE.fullmatch(str(case.path_parameters.get("table", ""))):
        case.path_parameters["table"] = BRIDGE.tables[next(BRIDGE.turn) % len(BRIDGE.tables)]
    case.call_and_validate(headers={"Authorization": f"Bearer {BRIDGE.token()}"})
