"""A whole tournament over three real processes on one PostgreSQL; in every session the one that runs it is killed."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from pontoon.server.people.offline_accounts import OfflineAccounts
from pontoon.server.records.replay import replay_faults
from pontoon.store import open_store
from pontoon.store.auditable import AuditableStore
from pontoon.store.verify import faults
from tests.postgresql import Server
from tests.server.crash import up
from tests.server.test_sockets import Servers, World
from tests.server.tournaments.cup import BUY_BACK, SIX, conditions

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")]
LEASE = 1.5
LISTENING = "0A"
"""As /proc/net/tcp writes it."""
LIMIT = 240.0
"""Seconds in which a session ends, whatever else the machine does."""
OFFICIALS = {"Ruth": "administrator", "Dora": "tournament_director"}
TEXT = conditions(buy_back=BUY_BACK, length="rounds = 3", final="extra_rounds")
TEXT = TEXT.replace("pace = 20", "pace = 20\nsit_and_go = 6").replace("2027-01-02", "2025-01-02")


def is_listening(pid: int, address: str) -> bool:
    """Whether a process listens at the address of a lease (Linux)."""
    port = int(address.partition("/")[0].rpartition(":")[2])
    lines = [
        line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
    ]
    sockets = {f"socket:[{line[9]}]" for line in lines if line[1].endswith(f":{port:04X}") and line[3] == LISTENING}
    return any(str(file.readlink()) in sockets for file in Path(f"/proc/{pid}/fd").iterdir())


class Cup:
    """The tournament, its people, and the processes that are alive."""

    def __init__(self, nursery: Servers, store: AuditableStore, passwords: dict[str, str]) -> None:
        self.nursery, self.store, self.passwords = nursery, store, passwords
        self.tokens: dict[str, str] = {}
        self.alive = list(nursery.ports)
        self.id = ""
        self._keys = count()
        self.killed: list[int] = []

    async def ask(self, method: str, path: str, who: str = "", body: Any = None) -> httpx.Response:
        """Ask one process after the other until one answers."""
        for number in count():
            port = self.alive[number % len(self.alive)]
            try:
                answer = await World(port).ask(method, path, self.tokens.get(who, ""), body)
            except httpx.HTTPError:
                assert number < 100, "no process answers"
                await asyncio.sleep(0.1)
                continue
            if answer.status_code != 503:
                return answer
            await asyncio.sleep(0.1)
        raise AssertionError

    async def come(self) -> None:
        for name, password in self.passwords.items():
            told = await self.ask("POST", "/api/sessions", body={"name": name, "password": password})
            self.tokens[name] = told.json()["token"]
        for name in SIX:
            self.tokens[name] = (await self.ask("POST", "/api/guests", body={"name": name})).json()["token"]

    async def do(self, who: str, kind: str, **facts: Any) -> None:
        """Give a command; a key makes it safe to give it again to another process."""
        body = {"key": f"k{next(self._keys)}", "command": {"type": kind, **facts}}
        told = await self.ask("POST", f"/api/tournaments/{self.id}/commands", who, body)
        assert told.is_success, (kind, told.text)

    async def see(self, who: str = "") -> Any:
        return (await self.ask("GET", f"/api/tournaments/{self.id}", who)).json()

    async def opened(self) -> None:
        made = await self.ask("POST", "/api/tournaments", "Ruth", {"conditions": TEXT, "key": "cup"})
        assert made.status_code == 201, made.text
        self.id = made.json()["id"]
        for to in ("patrons", "commission"):
            await self.do("Ruth", "PublishConditions", to=to)
        await self.do("Ruth", "NominateDirector", by="", director="Dora")
        await self.do("Ruth", "CommitBallot", seed_hash="")
        for name in SIX:
            await self.do(name, "Enter", player="", agreed=True)

    async def act(self, who: str) -> bool:
        """Wager half of the chips, stand or draw, decline."""
        mine = (await self.see(who))["mine"]
        if mine["status"] == "eliminated":
            back = {"key": f"back {who}", "command": {"type": "BuyBack", "player": ""}}
            return (await self.ask("POST", f"/api/tournaments/{self.id}/commands", who, back)).is_success
        found = await self.ask("GET", f"/api/tables/{mine['room']}", who) if mine["room"] else None
        if found is None or not found.is_success:
            return False
        around, view = found.json()["room"], found.json()["view"]
        if who not in around.get("players", []) or who in around.get("passed", []):
            return False
        command: dict[str, Any] = {"type": "Pass"}
        if around["waits"] == "wagers":
            stake = max(1000, mine["chips"] // 400 * 200)
            command = {"type": "PlaceWager", "box": around["heat"]["order"][0], "player": "", "stake": stake}
        elif around["waits"] == "decision":
            own = [row for row in view["round"]["choices"] if row["player"] == who]
            allowed = {one["type"]: one for row in own for one in row.get("allowed", [])}
            command = allowed.get("Stand") or allowed["Hit"]
        body = {"key": f"t{next(self._keys)}", "command": command}
        return (await self.ask("POST", f"/api/tables/{mine['room']}/commands", who, body)).is_success

    async def until(self, so: Callable[[Any], bool], between: Callable[[], Awaitable[None]] | None = None) -> None:
        end = time.monotonic() + LIMIT
        while not so(await self.see()):
            assert time.monotonic() < end, await self.see()
            if between is not None:
                await between()
            if not any([await self.act(name) for name in SIX]):
                await asyncio.sleep(0.05)

    async def session(self) -> None:
        """Seat everyone, start, kill the process that runs the tables after the first round, and play to the end."""
        await self.do("Dora", "DrawBallot", seed="")
        for seat in [seat for table in (await self.see())["tables"] for seat in table["seats"]]:
            await self.do(seat["player"], "TakeSeat", player="")
        await self.do("Dora", "StartSession")
        await self.until(lambda view: view["phase"] != "session" or any(table["rounds"] for table in view["tables"]))
        await self.kill()
        await self.until(lambda view: view["phase"] == "between" and not view["ties"])

    async def kill(self) -> None:
        """Kill the process with the lease of the steward, and start another in its place a little later."""
        lease = self.store.lease(f"steward/{self.id}")
        assert lease is not None
        port = next(port for port in self.alive if is_listening(self.nursery.pids[port], lease.address))
        self.alive.remove(port)
        self.nursery.kill(port)
        self.killed.append(port)
        self.nursery.start(port)
        await up(port)
        self.alive.append(port)


def test_20_18_a_tournament_survives_a_kill_in_every_session(tmp_path: Path, postgresql: Server):
    database = postgresql.new_database()
    store = open_store(database)
    try:
        passwords = {name: OfflineAccounts(store).add(name, role) for name, role in OFFICIALS.items()}
        with Servers(tmp_path, database, 3, lease_seconds=LEASE) as nursery:
            for port in nursery.ports:
                nursery.start(port)
            cup = Cup(nursery, store, passwords)

            async def work() -> None:
                for port in nursery.ports:
                    await up(port)
                await cup.come()
                await cup.opened()
                await cup.session()
                await cup.session()
                await cup.do("Dora", "AwardPlaces")
                for payment in (await cup.see())["payments"]:
                    await cup.do("Dora", "PayPrize", place=payment["number"])
                assert (await cup.see())["phase"] == "over"

            asyncio.run(work())
            assert len(cup.killed) == 2
            assert "trace" not in nursery.log()
        assert list(faults(store)) == []
        assert list(replay_faults(store)) == []
        left = {name: amount for name, amount in store.balances().items() if amount}
        assert sum(left.values()) == 0
        assert not [name for name in left if name.startswith(("pool/", "chips/", "chips_on/", "chip_bank/"))]
    finally:
        store.close()
