"""How quickly the coach answers: first right after the server's start, then hand after hand.

    python bench/coach.py                       # 300 decisions, five rulebooks in turn, about two minutes
    python bench/coach.py --decisions 1000 --json

A server is started. As soon as it is ready, a guest opens the "Play now" table, bets immediately, and asks the coach
when the first hand is dealt: the time runs from that request to the answer with values. Then one table of each rulebook
is
played by the coach's advice; for each decision the time from the request to the answer is measured, repeated requests
included.
Exit status: 0 within the limits, 1 not (`--most` and `--first`, milliseconds).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.load import free_port, running, up  # noqa: E402

BOOKS = ("canberra", "star", "adelaide", "division-15", "federal")
NOW = {"card": 350, "wagers": 600_000, "decision": 600_000, "offer": 600_000}
"""The clocks of "Play now" (web/static/app.js)."""
CLOCKS = {"card": 0, "wagers": 0, "decision": 600_000, "offer": 600_000}
OK, PREPARING = 200, 202
NAP = 0.02
PLAYS = {
    "hit": "Hit",
    "stand": "Stand",
    "double": "Double",
    "split": "Split",
    "surrender": "Surrender",
    "forfeit": "Forfeit",
    "keep": "Keep",
    "insure": "TakeInsurance",
}


class Guest:
    """A guest with a table of each rulebook."""

    def __init__(self, web: httpx.AsyncClient) -> None:
        self.web = web
        self.keys = 0
        self.tables: dict[str, str] = {}
        self.name = ""

    async def come(self) -> None:
        told = (await self.web.post("/api/guests", json={"name": "Learner"})).json()
        self.name = told["name"]
        self.web.headers["Authorization"] = f"Bearer {told['token']}"

    async def open(self, book: str, clocks: dict[str, int]) -> None:
        """Open a practice table and sit down."""
        wanted = {"rulebook": book, "practice": True, "clocks": clocks, "maximum": 0, "side_bets": []}
        answer = await self.web.post("/api/tables", json=wanted)
        answer.raise_for_status()
        self.tables[book] = answer.json()["id"]
        await self.do(book, "Sit", player="", box=1)

    async def do(self, book: str, kind: str, **facts: object) -> int:
        self.keys += 1
        body = {"key": f"k{self.keys}", "command": {"type": kind, **facts}}
        return (await self.web.post(f"/api/tables/{self.tables[book]}/commands", json=body)).status_code

    async def room(self, book: str) -> dict[str, Any]:
        told: dict[str, Any] = (await self.web.get(f"/api/tables/{self.tables[book]}")).json()
        return told

    async def until_asked(self, book: str) -> str:
        """Bet until the table waits for a decision or an answer; returns which."""
        for _ in range(200):
            room = (await self.room(book))["room"]
            waits = room.get("waits", "")
            mine = self.name in room.get("players", ()) and self.name not in room.get("passed", ())
            if mine and waits in ("decision", "offer"):
                return str(waits)
            if waits == "cut":
                await self.do(book, "DeclineCut", player="")
            elif waits == "wagers" and self.name not in room.get("passed", ()):
                done = await self.do(book, "PlaceWager", box=1, player="", stake=2500)
                if done == OK and room.get("card"):
                    await self.do(book, "Pass")  # ready; a table without pace deals immediately
            await asyncio.sleep(NAP)
        raise SystemExit(f"no hand was dealt at {book}: waits for {waits}")

    async def advice(self, book: str) -> tuple[float, dict[str, Any]]:
        """Milliseconds until the coach has answered, and the answer."""
        began = time.perf_counter()
        while True:
            answer = await self.web.get(f"/api/tables/{self.tables[book]}/coach")
            if answer.status_code == OK:
                return (time.perf_counter() - began) * 1000, answer.json()
            if answer.status_code != PREPARING:
                raise SystemExit(answer.text)
            await asyncio.sleep(NAP)

    async def follow(self, book: str, waits: str, told: dict[str, Any]) -> None:
        """Do what the coach says, or whatever ends the wait."""
        best = [PLAYS[row["action"]] for row in told.get("actions", ()) if row["action"] in PLAYS]
        for kind in (*best, "Stand", "Keep", "Hit"):
            amount = {"amount": 2500, "player": ""} if kind == "Double" else {}
            if waits == "decision" and await self.do(book, kind, box=told.get("box", 1) or 1, **amount) == OK:
                return
        await self.do(book, "Pass")


def figures(times: list[float]) -> dict[str, float]:
    """Percentiles in milliseconds."""
    ordered = sorted(times)
    parts = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    return {name: round(ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1) for name, part in parts.items()}


async def bench(args: argparse.Namespace) -> dict[str, Any]:
    """Start a server, ask once, then play."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command = [sys.executable, "-m", "pontoon", "serve", "--port", str(port), "--data", folder, "--unlimited"]
        began = time.perf_counter()
        with running([*command, "--log-level", "warning"]):
            await up(port)
            ready = (time.perf_counter() - began) * 1000
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as web:
                guest = Guest(web)
                await guest.come()
                await guest.open(BOOKS[0], NOW)
                waits = await guest.until_asked(BOOKS[0])
                first, told = await guest.advice(BOOKS[0])
                since = (time.perf_counter() - began) * 1000
                await guest.follow(BOOKS[0], waits, told)
                for book in BOOKS:
                    await guest.open(book, CLOCKS)
                times = [await one_decision(guest, BOOKS[turn % len(BOOKS)]) for turn in range(args.decisions)]
    found = figures(times)
    return {
        "server_ready": round(ready),
        "first": round(first, 1),
        "first_since_start": round(since),
        "decisions": len(times),
        **found,
        "worst": round(max(times), 1),
        "within": found["p95"] <= args.most and first <= args.first,
    }


async def one_decision(guest: Guest, book: str) -> float:
    """Ask the coach about the next decision and follow the advice."""
    waits = await guest.until_asked(book)
    took, told = await guest.advice(book)
    await guest.follow(book, waits, told)
    return took


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=300)
    parser.add_argument("--most", type=float, default=300.0, help="milliseconds at the 95th percentile")
    parser.add_argument("--first", type=float, default=1000.0, help="milliseconds for the first answer")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    found = asyncio.run(bench(args))
    if args.json:
        print(json.dumps(found))
    else:
        print("the coach's answers, milliseconds")
        print(f"  first after the start   {found['first']:8.1f}   (the server was ready after {found['server_ready']})")
        print(f"  {found['decisions']} decisions   p50 {found['p50']}   p95 {found['p95']}   p99 {found['p99']}")
    return 0 if found["within"] else 1


if __name__ == "__main__":
    sys.exit(main())
