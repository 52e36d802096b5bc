"""People who visit a server that runs in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response

from pontoon.rulebook import Rulebook
from pontoon.server.api.limits import Limits
from pontoon.server.app import AppOptions, make_app
from pontoon.server.house import House, Options
from pontoon.server.people.accounts import give_role
from pontoon.server.people.people import Account
from pontoon.server.problems import Problem
from pontoon.server.rooms.permits import Role
from pontoon.store import MemoryStore, Store

AT_ONCE = {"card": 0, "wagers": 0, "decision": 0, "offer": 0}
"""One wager plays a whole round."""
PASSWORD = "correct horse"  # noqa: S105
OPERATOR = Account("operator", "administrator")
_KEYS = count()


class Visitor:
    """A visitor with a token, or an anonymous one without."""

    def __init__(self, client: AsyncClient, name: str = "", token: str = "") -> None:
        self.client = client
        self.name = name
        self.token = token

    async def ask(self, method: str, path: str, body: object = None, **options: Any) -> Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= options.pop("headers", {})
        answer = await self.client.request(method, path, json=body, headers=headers, **options)
        self.client.cookies.clear()  # a visitor is known by the token alone
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == "application/problem+json", answer.text
            said = answer.json()
            assert said.keys() == {"type", "title", "status", "detail", "code", "clauses", "facts"}
            assert said["status"] == answer.status_code
        return answer

    async def get(self, path: str, **options: Any) -> Any:
        answer = await self.ask("GET", path, **options)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def refused(self, method: str, path: str, body: object = None, **options: Any) -> tuple[int, str]:
        answer = await self.ask(method, path, body, **options)
        assert answer.status_code >= 400, answer.text
        return answer.status_code, answer.json()["code"]

    async def make_table(self, rulebook: str = "star", **settings: Any) -> str:
        body = {"rulebook": rulebook, "clocks": AT_ONCE, **settings}
        answer = await self.ask("POST", "/api/tables", body)
        assert answer.status_code == 201, answer.text
        name: str = answer.json()["id"]
        await self.ready(name)
        return name

    async def ready(self, table: str) -> None:
        """Wait until the cards are in the shoe."""
        for _ in range(100):
            if (await self.get(f"/api/tables/{table}"))["view"]["phase"] == "ready":
                break
            await asyncio.sleep(0)

    async def sit(self, table: str) -> None:
        """Some documents want the cards shown to the first player before the shuffle."""
        assert (await self.do(table, "Sit", player="", box=1)).status_code == 200
        await self.ready(table)

    async def do(self, table: str, kind: str, role: str = "", **facts: Any) -> Response:
        body: dict[str, Any] = {"key": f"k{next(_KEYS)}", "command": {"type": kind, **facts}}
        return await self.ask("POST", f"/api/tables/{table}/commands", body | ({"as": role} if role else {}))

    async def play(self, table: str, rounds: int = 1, stake: int = 1000) -> None:
        """At an instant table, one wager plays the whole round."""
        for _ in range(rounds):
            answer = await self.do(table, "PlaceWager", box=1, player="", stake=stake)
            assert answer.status_code == 200, answer.text


class Server:
    """An application, its house, and an HTTP client for it."""

    def __init__(self, app: FastAPI, house: House, client: AsyncClient) -> None:
        self.app = app
        self.house = house
        self.client = client
        self.nobody = Visitor(client)

    async def guest(self, name: str = "Ann") -> Visitor:
        answer = await self.nobody.ask("POST", "/api/guests", {"name": name})
        assert answer.status_code == 201, answer.text
        said = answer.json()
        return Visitor(self.client, said["name"], said["token"])

    async def account(self, name: str, role: Role = "player") -> Visitor:
        answer = await self.nobody.ask("POST", "/api/accounts", {"name": name, "password": PASSWORD})
        assert answer.status_code == 201, answer.text
        if role != "player":
            given = await give_role(self.house, OPERATOR, name, role)
            assert not isinstance(given, Problem)
        return Visitor(self.client, name, answer.json()["token"])

    def standing(self) -> object:
        """Everything that a refused request must not change."""
        store = self.house.store
        return store.heads(), store.balances()


@asynccontextmanager
async def running(
    backups: Path | None = None, store: Store | None = None, rulebooks: Mapping[str, Rulebook] | None = None
) -> AsyncIterator[Server]:
    house = House(store or MemoryStore(), Options(inline=True, proving=True, rulebooks=rulebooks or {}))
    app = make_app(house, AppOptions(backup_folder=backups))
    app.state.limits = Limits(loose=True)
    async with (
        app.router.lifespan_context(app),
        AsyncClient(transport=ASGITransport(app), base_url="http://pontoon.test") as client,
    ):
        yield Server(app, house, client)
