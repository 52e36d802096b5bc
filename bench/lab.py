"""The rules lab: how soon a change shows its edge, and how much twenty people in the lab slow down the tables.

    python bench/lab.py                                # 20 people in the lab, 40 at tables, about three minutes
    python bench/lab.py --people 20 --clients 100 --seconds 30 --json

First one person alone, with caches filled: each change gives rules that were not requested before, and the time from
the request to the line with the edge is measured. Then people play (bench/load.py: one command a second each),
alternately with and without others in the lab; each of those changes a random rule every few seconds and drops the
pending answer, as the page does. "Busy" answers are counted, and the request is repeated after a second.
Exit status: 0 no errors, 1 errors.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.load import Player, Ready, Times, free_port, prepare, running, up  # noqa: E402

BOOKS = ("division-15", "star", "adelaide", "canberra", "federal")
TURNS = 4
"""How many times tables alone and tables with people in the lab alternate."""
THINK = (3.0, 7.0)
"""Minimum and maximum seconds between two changes by one person."""
PATIENCE = 240.0
OK, REFUSED, BUSY = 200, 400, 503


class Person:
    """A person in the lab, who changes more and more rules of one rulebook."""

    def __init__(self, port: int, book: str, chance: random.Random) -> None:
        self.chance = chance
        self.web = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE)
        self.asked: dict[str, Any] = {"rulebook": book, "overrides": {}}
        self.rules: list[dict[str, Any]] = []

    async def come(self) -> None:
        """Read the rules, as the page does first."""
        told = (await self.web.get(f"/api/lab/rules/{self.asked['rulebook']}")).json()
        self.rules = [rule for group in told["groups"] for rule in group["rules"] if rule["main"]]

    def change(self) -> None:
        """Change a random rule, and occasionally reset to the rulebook."""
        rule = self.chance.choice(self.rules)
        value = self.chance.choice(rule["options"])["value"]
        kept = self.asked["overrides"] if self.chance.random() > 0.2 else {}
        self.asked = {**self.asked, "overrides": {**kept, rule["key"]: value}}

    async def ask(self, times: Times, until: float = 0.0) -> None:
        """Send the change and wait for the edge; read the rest until it is dropped."""
        began = time.monotonic()
        async with self.web.stream("POST", "/api/lab/evaluation", json=self.asked) as answer:
            if answer.status_code != OK:
                times.outcomes[f"{answer.status_code}"] += 1
                if answer.status_code not in (REFUSED, BUSY):
                    times.errors[f"{answer.status_code}"] += 1
                self.asked["overrides"] = {}
                return
            lines = answer.aiter_lines()
            assert json.loads(await anext(lines))["part"] == "edge"
            times.took(began, "edge")
            try:
                async with asyncio.timeout(max(0.0, until - time.monotonic())):
                    async for line in lines:
                        times.outcomes[json.loads(line)["part"]] += 1
            except TimeoutError:
                times.outcomes["dropped"] += 1

    async def stay(self, times: Times, until: float) -> None:
        """Change one rule after another."""
        await asyncio.sleep(self.chance.random() * THINK[1])
        while time.monotonic() < until:
            again = time.monotonic() + self.chance.uniform(*THINK)
            self.change()
            await self.ask(times, min(again, until))
            await asyncio.sleep(max(0.0, min(again, until) - time.monotonic()))


async def alone(port: int, changes: int, chance: random.Random) -> Times:
    """Measure one person alone, with rules that were not requested before."""
    times = Times()
    times.since = 0.0
    for book in BOOKS:
        person = Person(port, book, chance)
        await person.come()
        person.asked["stake"] = chance.randrange(500, 50_000, 50)  # at a stake that nobody else computes
        await person.ask(Times())  # warm up with the unchanged rulebook
        known = {json.dumps(person.asked, sort_keys=True)}
        for _ in range(changes // len(BOOKS)):
            while (asked := json.dumps(person.asked, sort_keys=True)) in known:
                person.change()
            known.add(asked)
            await person.ask(times)
        await person.web.aclose()
    return times


async def at_tables(
    port: int, ready: Ready, seconds: float, people: list[Person], chance: random.Random
) -> list[Times]:
    """Measure people at tables while others are in the lab."""
    places, tables = ready
    playing, changing = Times(), Times()
    until = playing.since + seconds
    players = [
        Player(name, token, tables[place // 2], place % 2 + 1, random.Random(chance.random()))
        for place, (name, token) in enumerate(places)
    ]
    found = await asyncio.gather(
        *(player.run(port, playing, until) for player in players),
        *(person.stay(changing, until) for person in people),
        return_exceptions=True,
    )
    playing.errors += Counter(type(result).__name__ for result in found if isinstance(result, BaseException))
    return [playing, changing]


async def bench(args: argparse.Namespace) -> dict[str, Any]:
    """Measure one person alone, then tables alternately with and without the lab."""
    chance = random.Random(args.seed)
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        port = free_port()
        serve = ["-m", "pontoon", "serve", "--port", str(port), "--data", folder, "--log-level", "error", "--unlimited"]
        with running([sys.executable, *serve]):
            await up(port)
            first = await alone(port, args.changes, chance)
            ready = await prepare(port, args.clients, "Lab")
            people = [Person(port, BOOKS[number % len(BOOKS)], random.Random(number)) for number in range(args.people)]
            for person in people:
                await person.come()
            quiet, busy, changing = Times(), Times(), Times()
            for turn in range(TURNS):
                for lab in (False, True) if turn % 2 == 0 else (True, False):
                    played, changed = await at_tables(port, ready, args.seconds / TURNS, people if lab else [], chance)
                    (busy if lab else quiet).add(played)
                    changing.add(changed)
    rows = {"a change, alone": first, f"a change, {args.people} people": changing}
    rows |= {"tables": quiet, f"tables, {args.people} in the lab": busy}
    return {
        "clients": args.clients,
        "people": args.people,
        "rows": {name: _row(times) for name, times in rows.items()},
        "lab_outcomes": dict(changing.outcomes.most_common()),
        "errors": dict(first.errors + changing.errors + quiet.errors + busy.errors),
    }


def _row(times: Times) -> dict[str, float]:
    parts = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99}
    return {"answers": len(times.seconds), **{name: times.percentile(part) for name, part in parts.items()}}


def said(found: dict[str, Any]) -> str:
    """The figures as text."""
    lines = [f"{found['clients']} at tables, one command a second each; {found['people']} in the lab"]
    lines.append(f"{'':<28}{'answers':>9}{'p50':>10}{'p95':>10}{'p99':>10}")
    for name, row in found["rows"].items():
        figures = "".join(f"{row[key]:>8.1f}ms" for key in ("p50_ms", "p95_ms", "p99_ms"))
        lines.append(f"{name:<28}{row['answers']:>9}{figures}")
    lines.append(f"in the lab: {found['lab_outcomes']}; errors: {found['errors'] or 'none'}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=40, help="people at tables (40)")
    parser.add_argument("--people", type=int, default=20, help="people in the lab (20)")
    parser.add_argument("--changes", type=int, default=100, help="changes of one person alone (100)")
    parser.add_argument("--seconds", type=float, default=40, help="for tables with and without the lab, each (40)")
    parser.add_argument("--folder", default=None, help="where the files go; a real disk, please")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    found = asyncio.run(bench(args))
    print(json.dumps(found, indent=2) if args.json else said(found))
    return 1 if found["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
