"""A tournament on a real server: its officials, and players who act over REST while a page is open."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

import httpx

from tests.browser.hall import SECURE, Hall

CUP = """
name = "{name}"
statement = "standard"

[start]
at = {at}
entry = "on this page, until the director closes the entries"
eligibility = "everybody with a name at this server"

[game]
packs = 4
minimum = "10.00"
maximum = "300.00"

[players]
least = 2
most = {most}
reserves = {reserves}
at_table = {at_table}

[money]
fee = "100.00"
commission = "10.00"
added = "50.00"
chips = "500.00"

[structure]
format = "knock_out"
pace = 600
sit_and_go = {sit_and_go}

{sessions}
[ties]
session = "extra_rounds"
final = "divide"

[prizes]
shares = ["60%", "40%"]
"""
ONE = '[[session]]\nname = "Final"\nrounds = 2\n'
TWO = """[[session]]
name = "Heats"
rounds = {rounds}
advance = {{ of_all = 3 }}

[[session]]
name = "Final"
rounds = {rounds}
"""
OPERATOR, DIRECTOR = "Otto", "Dora"
_KEYS = count()
NOT_FOUND = 404


def conditions(name: str = "Lake Cup", sessions: str = ONE, most: int = 6, at_table: int = 3, players: int = 0) -> str:
    """Conditions of a small tournament without time pressure.

    With `players` it is a sit-and-go, which starts when they are seated; otherwise it starts at its published time.
    """
    reserves = 0 if players else 2
    at = "2025-06-05T19:00:00" if players else "2037-06-05T19:00:00"
    facts = {"at": at, "most": most, "at_table": at_table, "sit_and_go": players, "reserves": reserves}
    return CUP.format(name=name, sessions=sessions, **facts)


class Cup:
    """One tournament and the people involved."""

    def __init__(self, hall: Hall, name: str) -> None:
        self.hall = hall
        self.name = name
        self.people: dict[str, tuple[str, str]] = {}

    @property
    def link(self) -> str:
        return f"{self.hall.address}/tournament/{self.name}"

    async def person(self, who: str) -> tuple[str, str]:
        """The name and token of an official, or of a guest, who may have a number behind the name."""
        if who not in self.people:
            come = self.hall.official if who in self.hall.passwords else self.hall.guest
            self.people[who] = await come(who)
        return self.people[who]

    async def token(self, who: str) -> str:
        return (await self.person(who))[1]

    async def called(self, who: str) -> str:
        return (await self.person(who))[0]

    async def do(self, who: str, kind: str, **facts: Any) -> Any:
        body = {"key": f"cup {next(_KEYS)}", "command": {"type": kind, **facts}}
        return await self.hall.ask(f"/api/tournaments/{self.name}/commands", body, await self.token(who))

    async def see(self, who: str = "") -> Any:
        return await self.hall.ask(f"/api/tournaments/{self.name}", token=await self.token(who) if who else "")

    async def enter(self, *names: str) -> None:
        for name in names:
            await self.do(name, "Enter", player="", agreed=True)

    async def seated(self, *names: str) -> None:
        for name in names:
            await self.do(name, "TakeSeat", player="")

    async def drawn(self) -> None:
        """Entries are closed and the seats are given."""
        if (await self.see())["phase"] == "entries":
            await self.do(DIRECTOR, "CloseEntries")
        await self.do(DIRECTOR, "DrawBallot", seed="")

    # --- at the tables ---

    async def act(self, who: str, stake: int = 1000) -> bool:
        """What the table asks of this player: a wager, to stand, or nothing more."""
        mine = (await self.see(who))["mine"]
        if not mine or not mine["room"]:
            return False
        headers = {"Authorization": f"Bearer {await self.token(who)}"}
        asking: dict[str, Any] = {"base_url": self.hall.address, "headers": headers, "timeout": 20, "verify": SECURE}
        async with httpx.AsyncClient(**asking) as web:
            found = await web.get(f"/api/tables/{mine['room']}")
        if found.status_code == NOT_FOUND:  # it is drawn up a moment after the session has started
            return False
        around, view = found.json()["room"], found.json()["view"]
        name = await self.called(who)
        if name not in around.get("players", []) or name in around.get("passed", []):
            return False
        command: dict[str, Any] = {"type": "Pass"}
        if around["waits"] == "wagers":
            command = {"type": "PlaceWager", "box": around["heat"]["order"][0], "player": "", "stake": stake}
        elif around["waits"] == "decision":
            own = [row for row in view["round"]["choices"] if row["player"] == name]
            allowed = {command["type"]: command for row in own for command in row.get("allowed", [])}
            command = allowed.get("Stand") or allowed["Hit"]
        async with httpx.AsyncClient(**asking) as web:
            body = {"key": f"cup {next(_KEYS)}", "command": command, "as": "player"}  # also a dealer who has entered
            answer = await web.post(f"/api/tables/{mine['room']}/commands", json=body)
        return answer.is_success  # the table may have moved on since it was looked at

    async def play(
        self, *names: str, stakes: dict[str, int] | None = None, rounds: int = 0, until: tuple[str, str] = ("", "")
    ) -> None:
        """Play until the session is over, `rounds` are counted at the first table, or someone is asked for `until`."""
        for _ in range(4000):
            view = await self.see()
            if view["phase"] != "session" or (rounds and view["tables"][0]["rounds"] >= rounds):
                return
            if until[0] and await self.asks(*until):
                return
            acted = [await self.act(name, (stakes or {}).get(name, 1000)) for name in names]
            if not any(acted):
                await asyncio.sleep(0.05)
        raise AssertionError("the session never ends")

    async def asks(self, who: str, what: str) -> bool:
        """Whether the table is waiting for this player to do this."""
        room = (await self.see(who))["mine"]["room"]
        around = (await self.hall.ask(f"/api/tables/{room}"))["room"] if room else {}
        return around.get("waits") == what and await self.called(who) in around.get("players", [])


async def made(hall: Hall, text: str) -> Cup:
    """A tournament that is being prepared."""
    cup = Cup(hall, "")
    told = await hall.ask("/api/tournaments", {"conditions": text}, await cup.token(OPERATOR))
    cup.name = told["id"]
    return cup


async def opened(hall: Hall, text: str) -> Cup:
    """A tournament that takes entries."""
    cup = await made(hall, text)
    for to in ("patrons", "commission"):
        await cup.do(OPERATOR, "PublishConditions", to=to)
    await cup.do(OPERATOR, "NominateDirector", by="", director=DIRECTOR)
    await cup.do(OPERATOR, "CommitBallot", seed_hash="")
    return cup
