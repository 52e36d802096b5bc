"""Three hosts on one PostgreSQL of a fourth: a killed host, partitions, a slow link, a wrong clock, under load.

Nothing acknowledged is lost or applied twice, no client misses a step, every chip is accounted for, and every table is
played again within ten seconds.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from tests.deploy.network import Network, obstacle
from tests.postgresql import Elsewhere, Server, postgresql_on
from tests.server.crash import ROOT, Player, Report, check_evening, make_tables, people, rounds_end

pytestmark = pytest.mark.slow
HOSTS, DATABASE = (1, 2, 3), 4
WEB, PEERS = 8048, 7048
MOVED = 10.0
"""Seconds within which a table is played again."""
PATIENCE = 90.0


class HostPlayer(Player):
    """A client that tries the hosts in turn, as one behind a load balancer does."""

    patience = 3.0

    def url(self) -> str:
        return f"ws://{Network.address(self.chance.choice(self.ports))}:{WEB}/play"


class Hosts:
    """The servers of three hosts."""

    def __init__(self, network: Network, folder: Path, server: Server) -> None:
        self.network, self.folder, self.server = network, folder, server
        self.socket = server.new_database()
        """The database as seen from here."""
        self.running: dict[int, subprocess.Popen[bytes]] = {}

    @property
    def url(self) -> str:
        """The database as seen from the hosts."""
        name = self.socket.partition("?")[0].rpartition("/")[2]
        port = self.socket.partition("?")[0].rpartition("/")[0].rpartition(":")[2]
        return f"postgresql://pontoon@{Network.address(DATABASE)}:{port}/{name}?sslmode=require"

    def start(self, number: int, *before: str) -> None:
        """Start the server of a host; `before` are words before its command."""
        address = Network.address(number)
        command = [*self.network.inside(number), *before, sys.executable, "-m", "pontoon", "serve"]
        command += ["--host", address, "--port", str(WEB), "--database", self.url, "--unlimited"]
        command += ["--data", str(self.folder / f"host{number}"), "--advertise", f"{address}:{PEERS}"]
        with (self.folder / f"host{number}.log").open("ab") as log:
            environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
            self.running[number] = subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    def stop(self, number: int) -> None:
        """Kill a host: its processes end without a word."""
        pids = subprocess.run(
            ["ip", "netns", "pids", Network.name(number)], capture_output=True, text=True, check=True
        ).stdout.split()
        for pid in pids:
            subprocess.run(["kill", "-9", pid], check=False)
        self.running.pop(number).wait(10)

    def log(self) -> str:
        return "\n".join(path.read_text() for path in self.folder.glob("host*.log"))

    async def ready(self, number: int, patience: float = PATIENCE) -> None:
        until = time.monotonic() + patience
        async with httpx.AsyncClient(base_url=f"http://{Network.address(number)}:{WEB}") as web:
            while True:
                try:
                    if (await web.get("/ready", timeout=3)).status_code == 200:
                        return
                except httpx.HTTPError:
                    pass
                assert time.monotonic() < until, f"host {number} does not come up: {self.log()[-3000:]}"
                await asyncio.sleep(0.1)

    async def owner(self, table: str) -> int:
        """The host that owns a table; 0 if none says so."""
        async with httpx.AsyncClient(timeout=5) as web:
            for number in self.running:
                lobby = (await web.get(f"http://{Network.address(number)}:{WEB}/api/tables?limit=100")).json()
                if any(row["id"] == table and row["here"] for row in lobby["tables"]):
                    return number
        return 0


@pytest.fixture(scope="module")
def hosts() -> Iterator[Hosts]:
    wrong = obstacle()
    if wrong:
        pytest.skip(wrong)
    with tempfile.TemporaryDirectory(prefix="pontoon-hosts-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)  # the database has another user
        yield from _hosts(Path(name))


def _hosts(folder: Path) -> Iterator[Hosts]:
    data = folder / "database"
    data.mkdir()
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    asked = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=database"]
    subprocess.run([*asked, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    user = pwd.getpwnam("postgres" if _exists("postgres") else "nobody")
    os.chown(key, user.pw_uid, -1)
    key.chmod(0o600)
    with Network(4) as network:
        as_user = ("setpriv", "--reuid", str(user.pw_uid), "--regid", str(user.pw_gid), "--clear-groups")
        options = ("-c", "ssl=on", "-c", f"ssl_key_file={key}", "-c", f"ssl_cert_file={certificate}")
        place = Elsewhere(
            (*network.inside(DATABASE), *as_user),
            Network.address(DATABASE),
            f"host all all {Network.address(0)}/24 trust",
            options,
        )
        with postgresql_on(data, place) as server:
            made = Hosts(network, folder, server)
            for number in HOSTS:
                made.start(number)
            try:
                yield made
            finally:
                for number in tuple(made.running):
                    made.stop(number)


def _exists(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


Fault = Callable[[], None]


async def evening(hosts: Hosts, fault: Fault, heal: Fault, seconds: float, seed: int) -> str:
    """Play at a table of each host; a fault for some seconds; then everything is compared. The figures, in a line."""
    for number in HOSTS:
        await hosts.ready(number)
    names = [f"Guest{seed} {letter}" for letter in "ABCDEF"]
    tokens = await people(WEB, names, Network.address(1))
    tables = []
    for number in HOSTS:
        tables += await make_tables(WEB, tokens[number], ("star",), Network.address(number))
    owners = [await hosts.owner(table) for table in tables]
    players: list[Player] = [
        HostPlayer(list(HOSTS), name, token, tables[place % 3], 1 + place // 3, random.Random(seed * 100 + place))
        for place, (name, token) in enumerate(zip(names, tokens, strict=True))
    ]
    tasks = [asyncio.create_task(player.run()) for player in players]
    await asyncio.sleep(4)
    began = time.monotonic()
    fault()
    await asyncio.sleep(seconds)
    heal()
    healed = time.monotonic()
    for number in HOSTS:
        await hosts.ready(number)
    recovered = time.monotonic() - healed
    await asyncio.sleep(4)
    for player in players:
        player.stop = True
    await asyncio.gather(*tasks)
    await rounds_end(WEB, tables, Network.address(1))
    pauses = [_pause(players, table, began) for table in tables]
    report = Report()
    check_evening(hosts.folder, hosts.socket, players, report, hosts.log())
    assert report.gaps == 0
    assert not any(player.problems["broken"] for player in players), hosts.log()[-3000:]
    assert max(pauses) <= MOVED, (pauses, owners)
    problems = {
        code: sum(player.problems[code] for player in players) for player in players for code in player.problems
    }
    return (
        f"{report.commands} commands, {report.acknowledged} acknowledged, {report.rounds} rounds, owners {owners}; "
        f"longest time without an answer {', '.join(f'{pause:.1f}' for pause in pauses)} s; "
        f"all hosts ready {recovered:.1f} s after the end; {problems}"
    )


def _pause(players: list[Player], table: str, since: float) -> float:
    """The longest time between two answers at a table, from a moment on."""
    moments = sorted(at for player in players if player.table == table for at in player.answered_at)
    before = [at for at in moments if at < since]
    after = [at for at in moments if at >= since]
    assert before, "the table was not played before the fault"
    assert after, "the table was not played after the fault"
    ends = [before[-1], *after]
    return max(later - earlier for earlier, later in pairwise(ends))


def run(hosts: Hosts, fault: Fault, heal: Fault, seconds: float, seed: int) -> None:
    print("\n" + asyncio.run(evening(hosts, fault, heal, seconds, seed)))  # noqa: T201 the figures of the run


def test_a_host_is_killed(hosts: Hosts):
    hosts.network.needle = b"Guest1 "
    run(hosts, lambda: hosts.stop(2), lambda: hosts.start(2), 8.0, 1)
    assert hosts.network.frames > 1000
    assert not hosts.network.overheard, "a name travelled in clear between two hosts"


def test_two_hosts_cannot_reach_each_other(hosts: Hosts):
    hosts.network.needle = b""
    cut = {frozenset((1, 2))}
    run(hosts, lambda: hosts.network.cuts.update(cut), hosts.network.cuts.clear, 15.0, 2)


def test_a_host_cannot_reach_any_other(hosts: Hosts):
    cut = {frozenset((1, 2)), frozenset((2, 3))}
    run(hosts, lambda: hosts.network.cuts.update(cut), hosts.network.cuts.clear, 15.0, 3)


def test_a_host_cannot_reach_the_database(hosts: Hosts):
    cut = {frozenset((2, DATABASE))}
    run(hosts, lambda: hosts.network.cuts.update(cut), hosts.network.cuts.clear, 15.0, 4)


def test_a_slow_link(hosts: Hosts):
    """200 ms each way between one host and all else."""
    run(hosts, lambda: hosts.network.delays.update({2: 0.2}), hosts.network.delays.clear, 15.0, 5)


@pytest.mark.skipif(not shutil.which("faketime"), reason="faketime is not installed")
@pytest.mark.parametrize("skew", [5, -5])
def test_a_host_whose_clock_is_wrong(hosts: Hosts, skew: int):
    """From a restart on, one host is five seconds ahead, or behind."""
    asyncio.run(hosts.ready(3))
    hosts.stop(3)
    hosts.start(3, "faketime", "-f", f"{skew:+d}s")
    run(hosts, lambda: None, lambda: None, 8.0, 6 + (skew > 0))
    hosts.stop(3)
    hosts.start(3)


def test_a_database_in_clear_is_refused(hosts: Hosts):
    command = [*hosts.network.inside(1), sys.executable, "-m", "pontoon", "serve", "--port", "0"]
    command += ["--database", hosts.url.replace("require", "allow"), "--data", str(hosts.folder / "clear")]
    command += ["--advertise", Network.address(1)]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    assert tried.returncode == 1
    assert "the connection to the database is not encrypted" in tried.stderr
    assert "Traceback" not in tried.stderr
