"""Answer times of 50 players while one guest attacks the server, in each of several ways.

    python bench/attack.py                          # every kind of attack, about twelve minutes
    python bench/attack.py --ways pings floods --pulses 8

The server runs with its usual limits. Every player has an address of their own (as behind a proxy), the guest another.
The guest attacks for some seconds, pauses for as many, and so on: the 99th percentile of the answers in the pulses is
compared with that of the pauses, so that other load on the machine affects both alike. The bar: at most twice. The
guest is a separate process of low priority. The way `elsewhere` is a control: the same flood against a trivial server
that is not ours, which shows what the guest costs by running on the same machine. Also printed: the share of a core
that the server took, its memory at the end, and what the guest was told. Exit status: 1 if an error was seen.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.load import CLOCKS, SEATS, Player, Times, free_port, running, up  # noqa: E402 beside this file

PLAYERS = 50
GUEST = "10.66.66.66"
"""The address of the attacker."""
HANDSHAKE = (
    "GET /play HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Forwarded-For: {guest}\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
SHORT = 0.002
"""Seconds between two blows, so that the guest's own process does not take the machine."""
PULSE = 4.0
"""Seconds of an attack, and of the pause after it."""


def forwarded(address: str, token: str = "") -> dict[str, str]:
    """The headers of a request from an address."""
    return {"X-Forwarded-For": address} | ({"Authorization": f"Bearer {token}"} if token else {})


# --- the guest ------------------------------------------------------------------------------------------------


class Guest:
    """One hostile guest, with what the server answered."""

    def __init__(self, port: int, until: float) -> None:
        self.port, self.until = port, until
        self.told: Counter[str] = Counter()
        self.room = ""
        self.web = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=20, headers=forwarded(GUEST))

    @property
    def going(self) -> bool:
        """Whether the attack continues."""
        return time.monotonic() < self.until

    async def ask(self, method: str, path: str, body: Mapping[str, object] | None = None) -> httpx.Response | None:
        """Send a request and count its status."""
        try:
            answer = await self.web.request(method, path, json=body)
        except httpx.HTTPError as error:
            self.told[type(error).__name__] += 1
            return None
        self.told[str(answer.status_code)] += 1
        await asyncio.sleep(SHORT)
        return answer

    async def sign_in(self) -> None:
        """Become a guest, if the server lets us."""
        while self.going and "Authorization" not in self.web.headers:
            answer = await self.ask("POST", "/api/guests", {"name": f"Mallory {random.randint(1, 10**6)}"})
            if answer is not None and answer.status_code == 201:
                self.web.headers["Authorization"] = f"Bearer {answer.json()['token']}"
                return
            await asyncio.sleep(0.5)

    async def table(self, **settings: object) -> str:
        """Make a table, if the server lets us."""
        answer = await self.ask("POST", "/api/tables", {"rulebook": "star", "clocks": CLOCKS, **settings})
        return str(answer.json()["id"]) if answer is not None and answer.status_code == 201 else ""

    async def own_table(self) -> str:
        """Sign in and make a table, once."""
        await self.sign_in()
        self.room = self.room or await self.table()
        return self.room

    def plain(self) -> socket.socket:
        """A connection that reads as little as possible."""
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.settimeout(2)
        link.connect(("127.0.0.1", self.port))
        return link


async def pings(guest: Guest) -> None:
    """H1: protocol pings on a socket that is never read."""
    burst = (bytes([0x89, 0x80 | 100]) + bytes(104)) * 500
    while guest.going:
        link = await asyncio.to_thread(guest.plain)
        link.sendall(HANDSHAKE.format(guest=GUEST).encode())
        link.settimeout(0)
        while guest.going:
            try:
                link.send(burst)
            except BlockingIOError:
                pass
            except OSError:
                guest.told["cut off"] += 1
                break
            await asyncio.sleep(0.01)
        link.close()
        await asyncio.sleep(0.05)


async def bots(guest: Guest) -> None:
    """H2: as many tables with seven bots each as the server allows, again and again."""
    await guest.sign_in()
    while guest.going:
        room = await guest.table(bots_alone=True)
        for box in range(1, 8) if room else ():
            command = {"command": {"type": "SeatBot", "box": box, "bot": "chart"}, "key": f"{room} {box}"}
            await guest.ask("POST", f"/api/tables/{room}/commands", command)


async def recalls(guest: Guest) -> None:
    """H3: lists and exports of rounds, again and again."""
    await guest.sign_in()
    while guest.going:
        await asyncio.gather(*(guest.ask("GET", path) for path in ("/api/rounds?limit=100", "/api/rounds.csv") * 4))


async def makes(guest: Guest) -> None:
    """M1: one key, twenty requests at once."""
    await guest.sign_in()
    while guest.going:
        key = f"key {random.random()}"
        await asyncio.gather(*(guest.table(key=key) for _ in range(20)))


async def names(guest: Guest) -> None:
    """M2: names of the house."""
    while guest.going:
        await guest.ask("POST", "/api/guests", {"name": random.choice(("demo", "administrator", "dealer"))})


async def floods(guest: Guest) -> None:
    """M3: commands over REST as fast as they are answered."""
    room = await guest.own_table()
    while guest.going:
        some: list[dict[str, object]] = [
            {"command": {"type": "Sit", "player": "", "box": box}, "key": str(random.random())} for box in range(1, 8)
        ]
        await asyncio.gather(*(guest.ask("POST", f"/api/tables/{room}/commands", command) for command in some))


async def heads(guest: Guest) -> None:
    """M4: headers without end, and half requests that stay open."""
    kept: list[socket.socket] = []
    while guest.going:
        link = await asyncio.to_thread(guest.plain)
        with contextlib.suppress(OSError):
            link.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: " + GUEST.encode() + b"\r\n")
            if len(kept) % 2:
                for _ in range(20):
                    link.sendall(b"X-Long: " + b"a" * 8000 + b"\r\n")
        kept.append(link)
        if len(kept) > 300:
            kept.pop(0).close()
        guest.told["connections"] += 1
        await asyncio.sleep(SHORT)
    for link in kept:
        link.close()


async def sockets(guest: Guest) -> None:
    """M4: idle sockets, as many as the server accepts."""
    kept: list[socket.socket] = []
    while guest.going:
        link = await asyncio.to_thread(guest.plain)
        with contextlib.suppress(OSError):
            link.sendall(HANDSHAKE.format(guest=GUEST).encode())
            guest.told[(await asyncio.to_thread(link.recv, 64))[9:12].decode("ascii", "replace") or "closed"] += 1
        kept.append(link)
        if len(kept) > 2000:
            kept.pop(0).close()
        await asyncio.sleep(SHORT)
    for link in kept:
        link.close()


async def keys(guest: Guest) -> None:
    """M5: one key, another payload each time."""
    room = await guest.own_table()
    while guest.going:
        command = {"command": {"type": "Sit", "player": "", "box": random.randint(1, 7)}, "key": "one"}
        await guest.ask("POST", f"/api/tables/{room}/commands", command)


async def pauses(guest: Guest) -> None:
    """M6: pause and resume, again and again."""
    room = await guest.own_table()
    while guest.going:
        for kind in ("Pause", "Resume"):
            await guest.ask(
                "POST", f"/api/tables/{room}/commands", {"command": {"type": kind}, "key": str(random.random())}
            )


async def guesses(guest: Guest) -> None:
    """M7: sign-ins with wrong passwords."""
    while guest.going:
        who = {"name": f"Attacked {random.randint(0, 9)}", "password": f"guess {random.random()}"}
        await asyncio.gather(*(guest.ask("POST", "/api/sessions", who) for _ in range(4)))


async def pages(guest: Guest) -> None:
    """Pages and descriptions as fast as they are answered."""
    paths = ("/openapi.json", "/metrics", "/static/style.css", "/")
    while guest.going:
        await asyncio.gather(*(guest.ask("GET", path) for path in paths))


async def elsewhere(guest: Guest) -> None:
    """A control: the flood of commands, against a trivial server in the guest's own process."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                await reader.readexactly(int(re.search(rb"(?i)content-length: (\d+)", head)[1]))  # type: ignore[index]
                writer.write(b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as trivial:
        ours = guest.web.base_url
        guest.web.base_url = httpx.URL(f"http://127.0.0.1:{trivial.sockets[0].getsockname()[1]}")
        while guest.going:
            some = [{"command": {"type": "Sit", "player": "", "box": box}} for box in range(1, 8)]
            await asyncio.gather(*(guest.ask("POST", "/api/tables/abc/commands", command) for command in some))
        guest.web.base_url = ours


WAYS: dict[str, Callable[[Guest], Awaitable[None]]] = {
    way.__name__: way
    for way in (
        elsewhere,
        pings,
        bots,
        recalls,
        makes,
        names,
        floods,
        heads,
        sockets,
        keys,
        pauses,
        guesses,
        pages,
    )
}


async def attack(way: str, port: int, begin: float, pulses: int) -> dict[str, int]:
    """One attack, in a process of its own: the first pause begins at a time of the machine's monotonic clock."""
    os.nice(10)
    guest = Guest(port, 0.0)
    async with guest.web:
        for pulse in range(pulses):
            first = begin + (2 * pulse + 1) * PULSE
            await asyncio.sleep(max(0.0, first - time.monotonic()))
            guest.until = first + PULSE
            await WAYS[way](guest)
    return dict(guest.told.most_common(6))


# --- the players ----------------------------------------------------------------------------------------------


class Behind(Player):
    """A player with an address of their own."""

    async def run(self, port: int, times: Times, until: float) -> None:
        await self.play(port, times, until, forwarded(address_of(self.name)))


def address_of(name: str) -> str:
    number = int(name.rpartition(" ")[2])
    return f"10.1.{number // 250}.{number % 250 + 1}"


async def prepare(port: int) -> list[Behind]:
    """Make the players and their tables."""
    players: list[Behind] = []
    table = ""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as web:
        for number in range(PLAYERS):
            name = f"Player {number}"
            headers = forwarded(address_of(name))
            told = (await web.post("/api/guests", json={"name": name}, headers=headers)).raise_for_status().json()
            headers = forwarded(address_of(name), told["token"])
            if number % SEATS == 0:
                wanted = {"rulebook": "star", "clocks": CLOCKS}
                made = await web.post("/api/tables", json=wanted, headers=headers)
                table = made.raise_for_status().json()["id"]
            players.append(Behind(told["name"], told["token"], table, number % SEATS + 1, random.Random(number)))
    return players


class Phases(Times):
    """Answer times, separately for the pauses (0) and the pulses (1) of an attack."""

    def __init__(self, pulses: int) -> None:
        super().__init__()
        self.until = self.since + 2 * PULSE * pulses
        self.parts = (Times(), Times())
        self.core = [0.0, 0.0]
        """Processor time of the server."""

    def phase(self, at: float) -> int:
        return int((at - self.since) / PULSE) % 2

    def took(self, began: float, outcome: str) -> None:
        super().took(began, outcome)
        if began >= self.since:
            self.parts[self.phase(began)].seconds.append(self.seconds[-1])

    async def measure(self, server: int) -> None:
        """Add up the processor time of each phase."""
        await asyncio.sleep(max(0.0, self.since - time.monotonic()))
        while (now := time.monotonic()) < self.until:
            before, phase = cpu(server), self.phase(now + PULSE / 2)
            await asyncio.sleep(PULSE)
            self.core[phase] += cpu(server) - before


async def part(players: list[Behind], server: int, port: int, pulses: int, way: str) -> tuple[Phases, dict[str, int]]:
    """The answer times of the players in the pulses and the pauses of an attack, and what the guest was told."""
    times = Phases(pulses)
    command = (str(Path(__file__)), "--attack", way, "--port", str(port), "--begin", str(times.since))
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, "--pulses", str(pulses), stdout=asyncio.subprocess.PIPE
    )
    results = await asyncio.gather(
        times.measure(server), *(player.run(port, times, times.until) for player in players), return_exceptions=True
    )
    times.errors.update(type(result).__name__ for result in results if isinstance(result, BaseException))
    told: dict[str, int] = json.loads((await process.communicate())[0] or b"{}")
    return times, told


def cpu(process: int) -> float:
    """Processor time of a process in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss(process: int) -> int:
    """Resident memory in MB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) // 1024 if found else 0


async def bench(ways: list[str], pulses: int) -> int:
    """All attacks, one after the other."""
    errors: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        serve = ["-m", "pontoon", "serve", "--port", str(port), "--data", folder, "--log-level", "error"]
        with running([sys.executable, *serve]) as server:
            await up(port)
            players = await prepare(port)
            for way in ways:
                times, told = await part(players, server.pid, port, pulses, way)
                quiet, attacked = times.parts
                row = {
                    "way": way,
                    "quiet_p99_ms": round(quiet.percentile(0.99), 1),
                    "attacked_p99_ms": round(attacked.percentile(0.99), 1),
                    "ratio": round(attacked.percentile(0.99) / quiet.percentile(0.99), 2),
                    "p50_ratio": round(attacked.percentile(0.5) / quiet.percentile(0.5), 2),
                    "quiet_core": round(times.core[0] / (PULSE * pulses), 3),
                    "attacked_core": round(times.core[1] / (PULSE * pulses), 3),
                    "answers": [len(quiet.seconds), len(attacked.seconds)],
                    "memory_mb": rss(server.pid),
                    "load": os.getloadavg()[0],
                    "told": told,
                    "errors": dict(times.errors),
                }
                print(json.dumps(row), flush=True)
                errors += times.errors
    return 1 if errors else 0


def main(arguments: list[str] | None = None) -> int:
    """Run the bench, or (started by it) one attack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ways", nargs="+", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--pulses", type=int, default=6, help="attacks in each way, and pauses (6)")
    parser.add_argument("--attack", choices=list(WAYS), help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--begin", type=float, default=0, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    if args.attack:
        print(json.dumps(asyncio.run(attack(args.attack, args.port, args.begin, args.pulses))))
        return 0
    return asyncio.run(bench(args.ways, args.pulses))


if __name__ == "__main__":
    sys.exit(main())
