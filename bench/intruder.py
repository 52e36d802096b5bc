"""What an outsider can do to a running server: one line for each promise, held or not.

    python bench/intruder.py

Starts `pontoon serve` on an empty folder and attacks it from outside: over sockets and HTTP, in its data folder, and by
starting it again on files that were changed. Takes about a minute, most of it waiting for the server's own deadlines.
Exit status: 1 if a promise was not held.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.attack import HANDSHAKE, rss  # noqa: E402 beside this file
from bench.load import free_port  # noqa: E402 beside this file

SMALL_BUFFER = 4096
HELD: list[tuple[str, bool, object]] = []


def promise(words: str, held: object, seen: object = "") -> None:
    """Print and remember whether a promise was held."""
    HELD.append((words, bool(held), seen))
    print(f"{'held    ' if held else 'NOT HELD'}  {words}  {seen}", flush=True)


# --- the server ---------------------------------------------------------------------------------------------------


class Server:
    """A server in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.errors = (folder.parent / f"log-{self.port}").open("w+")
        self.printed = folder.parent / f"printed-{self.port}"
        command = [sys.executable, "-m", "pontoon", "serve", "--port", str(self.port), "--data", str(folder)]
        with self.printed.open("w") as printed:
            self.process = subprocess.Popen([*command, "--admin", "Ruth"], stdout=printed, stderr=self.errors)

    @property
    def log(self) -> str:
        self.errors.seek(0)
        return self.errors.read()

    def up(self) -> Server:
        """Wait until it is ready; SystemExit if it ends."""
        while self.process.poll() is None:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"http://127.0.0.1:{self.port}/ready").status_code == 200:
                    return self
            time.sleep(0.05)
        raise SystemExit(f"the server ended: {self.log[-500:]}")

    def end(self, kind: int = signal.SIGTERM) -> int:
        """Stop it; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(kind)
        return self.process.wait(30)

    def refuses(self) -> str:
        """The line with which it refuses to start; empty if it starts."""
        with contextlib.suppress(SystemExit):
            self.up().end()
            return ""
        return (self.log + self.printed.read_text()).strip().splitlines()[-1]

    def web(self, address: str, token: str = "") -> httpx.Client:
        headers = {"X-Forwarded-For": address} | ({"Authorization": f"Bearer {token}"} if token else {})
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers=headers, timeout=20)

    def guest(self, name: str, address: str) -> httpx.Client:
        answer = self.web(address).post("/api/guests", json={"name": name})
        return self.web(address, answer.raise_for_status().json()["token"])

    def plain(self) -> socket.socket:
        link = socket.socket()
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        link.connect(("127.0.0.1", self.port))
        link.settimeout(15)
        return link


def answered(link: socket.socket, content: bytes) -> tuple[str, float]:
    """The status with which the server answers, or `closed`, and the seconds that took."""
    began = time.monotonic()
    try:
        for place in range(0, len(content), 8192):
            link.sendall(content[place : place + 8192])
        got = link.recv(200)
    except TimeoutError:
        return "still open", time.monotonic() - began
    except OSError:
        return "closed", time.monotonic() - began
    return got[9:12].decode("latin1") or "closed", time.monotonic() - began


# --- connections --------------------------------------------------------------------------------------------------


def connections(server: Server) -> None:
    """Sockets that do not read, heads and bodies without end or never complete."""
    before = rss(server.process.pid)
    link = server.plain()
    link.sendall(HANDSHAKE.format(guest="10.0.0.1").encode())
    began, burst = time.monotonic(), (bytes([0x89, 0x80 | 100]) + bytes(104)) * 500
    link.settimeout(1)
    seconds = 0.0
    while not seconds and time.monotonic() < began + 20:
        with contextlib.suppress(TimeoutError):
            try:
                link.send(burst)
            except OSError as error:
                if not isinstance(error, TimeoutError):
                    seconds = time.monotonic() - began
    grown = rss(server.process.pid) - before
    promise("H1 pings without reading are cut off within 10 s", 0 < seconds < 10, f"{seconds:.1f} s, +{grown} MB")
    link = server.plain()
    with contextlib.suppress(OSError):
        link.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 400)
    began = time.monotonic()
    while link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != errno.ECONNRESET and time.monotonic() < began + 15:
        time.sleep(0.1)
    seconds = time.monotonic() - began
    promise("H1 answers that are not read end the connection, and leave memory", seconds < 11, f"{seconds:.1f} s")
    head = b"GET / HTTP/1.1\r\nHost: x\r\n"
    status, _ = answered(server.plain(), head + b"X: " + b"a" * 1_000_000)
    promise("M4 a head without end is refused", status in ("431", "closed"), status)
    post = b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    half = {
        "an idle connection": b"",
        "half a head": head,
        "half a body": post + b"Content-Length: 50\r\n\r\n{",
    }
    with ThreadPoolExecutor(3) as pool:
        for name, (status, seconds) in zip(
            half, pool.map(lambda part: _waited(server, part), half.values()), strict=True
        ):
            promise(f"M4 {name} does not stay open", status in ("408", "closed"), f"{status} after {seconds:.0f} s")
    large = post + b"Content-Length: 100000\r\n\r\n" + b"a" * 100_000
    promise("a large body is refused", (status := answered(server.plain(), large)[0]) in ("413", "closed"), status)
    chunks = post + b"Transfer-Encoding: chunked\r\n\r\n" + (b"2000\r\n" + b"a" * 0x2000 + b"\r\n") * 20 + b"0\r\n\r\n"
    status, _ = answered(server.plain(), chunks)
    promise("a large body without its length is refused", status in ("400", "413", "closed"), status)


def _waited(server: Server, part: bytes) -> tuple[str, float]:
    link = server.plain()
    link.settimeout(25)
    return answered(link, part)


def sockets(server: Server) -> None:
    """As many sockets as one address can open."""
    told: Counter[str] = Counter()
    links = []
    for _ in range(300):
        links.append(server.plain())
        told[answered(links[-1], HANDSHAKE.format(guest="10.0.0.2").encode())[0]] += 1
    promise("M4 sockets of an address have a limit", told["101"] <= 256 and told["429"] > 0, dict(told))
    link = server.plain()
    status, _ = answered(link, HANDSHAKE.format(guest="10.0.0.3").encode())
    promise("M4 another address is not affected", status == "101", status)
    link.sendall(bytes([0x81, 0x82]) + bytes(4) + b"\xff\xfe")
    link.settimeout(3)
    with contextlib.suppress(OSError):
        link.recv(100)
    for link in links:
        link.close()


# --- guests -------------------------------------------------------------------------------------------------------


def quotas(server: Server) -> None:
    """Tables, bots, commands, keys, names and passwords."""
    with server.guest("Mallory", "10.0.1.1") as web:
        made = [web.post("/api/tables", json={"rulebook": "star", "bots_alone": True}) for _ in range(12)]
        rooms = [answer.json()["id"] for answer in made if answer.status_code == 201]
        promise("H2 tables of a guest are limited", len(rooms) == 8, Counter(answer.status_code for answer in made))
        told = Counter(
            _do(web, room, {"type": "SeatBot", "box": box, "bot": "chart"}).status_code
            for room in rooms
            for box in range(1, 8)
        )
        promise("H2 bots of a guest are limited", told[200] <= 21 and told[429], dict(told))
        told = Counter(_do(web, rooms[0], {"type": "Pass"}).status_code for _ in range(200))
        promise("M3 commands have a rate", told[429] > 0, dict(told))
    with server.guest("Trudy", "10.0.1.2") as web:
        key = {"rulebook": "star", "key": "k"}
        with ThreadPoolExecutor(20) as pool:
            ids = {
                answer.json().get("id") for answer in pool.map(lambda _: web.post("/api/tables", json=key), range(20))
            }
        promise("M1 one key makes one table", len(ids) == 1, ids)
        again = web.post("/api/tables", json=key | {"rulebook": "canberra"})
        promise("M5 a key with another payload is refused", again.status_code == 422, again.json()["code"])
        room = next(iter(ids))
        promise(
            "M5 a command, too",
            [_do(web, room, {"type": "Sit", "player": "", "box": box}, "c").status_code for box in (1, 2)]
            == [200, 422],
        )
    with server.web("10.0.1.3") as web:
        names = ["demo", "administrator", "Dealer", "system", "ADMIN", "supervisor", "bot 1", "server demo", "operator"]
        statuses = {name: web.post("/api/guests", json={"name": name}).status_code for name in names}
        promise("M2 names of the house are reserved", 201 not in statuses.values(), statuses)
    with server.web("10.0.1.4") as web:
        passwords = ["password", "12345678", " " * 8, "qwerty123", "iloveyou", "letmein1"]
        signing = [web.post("/api/accounts", json={"name": "Ann", "password": word}) for word in passwords]
        codes = {answer.json()["code"] for answer in signing}
        promise("M7 common passwords are refused", codes == {"weak_password"}, codes)
    word = secrets.token_hex(8)
    server.web("10.0.1.5").post("/api/accounts", json={"name": "Ann", "password": word}).raise_for_status()
    tries = [
        server.web(f"10.0.2.{place}").post("/api/sessions", json={"name": "Ann", "password": "wrong one"}).status_code
        for place in range(8)
    ]
    promise("M7 an account has a back-off, from any address", tries[:5] == [401] * 5 and tries[-1] == 429, tries)
    promise("M7 failed sign-ins are logged", server.log.count('"sign_in_failed"') >= 5)


def _do(web: httpx.Client, room: str, command: dict[str, Any], key: str = "") -> httpx.Response:
    body = {"command": command, "key": key or secrets.token_hex(6)}
    return web.post(f"/api/tables/{room}/commands", json=body)


def requests(server: Server) -> None:
    """Floods of requests that need no sign-in, odd requests, and what is logged of them."""
    with server.web("10.0.3.1") as web:
        for path in ("/api/tables", "/openapi.json"):
            with ThreadPoolExecutor(8) as pool:
                told = Counter(pool.map(lambda _, path=path: web.get(path).status_code, range(1200)))
            promise(f"a flood of {path} is refused", told[429] > 0, dict(told))
    with server.web("10.0.3.2") as web:
        promise("HEAD /health", (status := web.head("/health").status_code) == 200, status)
        wrong = web.post("/api/guests", content=b"{}", headers={"Content-Type": "text/plain"})
        promise("another content type is 415", wrong.status_code == 415, wrong.status_code)
        bad = [
            web.request(method, path).status_code
            for method in ("GET", "DELETE", "PATCH")
            for path in ("/api/%ff", "/t/..%2f..", "/play?token=s3cret-token", "/static/../../etc/passwd")
        ]
        promise("odd requests are no fault of ours", max(bad) < 500, bad)
    token = secrets.token_hex(16)
    with contextlib.suppress(Exception), connect(f"ws://127.0.0.1:{server.port}/play?token={token}") as link:
        link.send(json.dumps({"type": "hello", "token": token}))
        link.recv(timeout=3)
    promise("tokens are not logged", token not in server.log and "s3cret-token" not in server.log)
    promise("no traceback was logged", "Traceback" not in server.log, server.log.count('"level": "error"'))


def staff(server: Server, password: str) -> None:
    """A supervisor stops a table and a person with one command each."""
    with server.guest("Oscar", "10.0.4.1") as oscar:
        room = oscar.post("/api/tables", json={"rulebook": "star", "key": "x"}).json()["id"]
        signed = server.web("10.0.4.2").post("/api/sessions", json={"name": "Ruth", "password": password})
        ruth = server.web("10.0.4.2", signed.raise_for_status().json()["token"])
        stopped = ruth.put(f"/api/admin/tables/{room}/stop", json={"reason": "test"}).status_code
        promise(
            "a table is stopped with one command",
            stopped == 204 and _do(oscar, room, {"type": "Resume"}).status_code == 403,
        )
        ended = ruth.put("/api/admin/accounts/Oscar/suspension", json={"reason": "test"}).status_code
        promise("a person is stopped with one command", ended == 204 and oscar.get("/api/me").status_code == 401)
        promise("both are logged with names", '"table_stopped"' in server.log and "Oscar" in server.log)


# --- the data folder ----------------------------------------------------------------------------------------------


def files(server: Server) -> None:
    """Modes, and the file removed under the server."""
    open_to_others = [path.name for path in server.folder.rglob("*") if path.is_file() and path.stat().st_mode & 0o077]
    promise("files belong to their user alone", not open_to_others, open_to_others)


def removed(folder: Path) -> None:
    """The database is removed while the server runs."""
    server = Server(folder).up()
    with server.guest("Peggy", "10.0.5.1") as web:
        room = web.post("/api/tables", json={"rulebook": "star"}).json()["id"]
        (folder / "pontoon.db").rename(folder / "elsewhere.db")
        answer = _do(web, room, {"type": "Sit", "player": "", "box": 1})
        ready = "gone"
        with contextlib.suppress(httpx.HTTPError):
            ready = str(web.get("/ready").status_code)
    again = answer.headers.get("retry-after", "")
    promise(
        "a removed database is noticed",
        answer.status_code == 503 and again and ready != "200",
        f"{answer.status_code}, /ready {ready}",
    )
    server.end(signal.SIGKILL)
    (folder / "elsewhere.db").rename(folder / "pontoon.db")


def rollbacks(folder: Path, work: Path) -> None:
    """Older, missing, shorter and damaged files."""
    server = Server(folder).up()
    old = work / "old"
    server.end()
    shutil.copytree(folder, old)
    server = Server(folder).up()
    with server.guest("Victor", "10.0.6.1") as web:
        for _ in range(5):
            web.post("/api/tables", json={"rulebook": "star"}).raise_for_status()
    server.end(signal.SIGKILL)  # so that the write-ahead log stays
    good = work / "good"
    shutil.copytree(folder, good)
    for name, harm in HARMS.items():
        shutil.rmtree(folder)
        shutil.copytree(good, folder)
        harm(folder, old)
        words = Server(folder).refuses()
        promise(f"H4 {name} is refused with one line", "--accept-rollback" in words, words[-160:])
    shutil.rmtree(folder)
    shutil.copytree(good, folder)
    server = Server(folder).up()
    promise("H4 the good files are served", server.end() == 0)


def _older(folder: Path, old: Path) -> None:
    for name in ("pontoon.db", "pontoon.db-wal", "pontoon.db-shm"):
        (folder / name).unlink(missing_ok=True)
        if (old / name).exists():
            shutil.copy(old / name, folder / name)


def _missing(folder: Path, _: Path) -> None:
    for path in folder.glob("pontoon.db*"):
        if not path.name.endswith(".entries"):
            path.unlink()


def _no_database(folder: Path, _: Path) -> None:
    for path in folder.glob("pontoon.db*"):
        path.unlink()


def _no_wal(folder: Path, _: Path) -> None:
    (folder / "pontoon.db-wal").unlink()


def _torn_wal(folder: Path, _: Path) -> None:
    path = folder / "pontoon.db-wal"
    os.truncate(path, path.stat().st_size // 2)


def _flipped_wal(folder: Path, _: Path) -> None:
    path = folder / "pontoon.db-wal"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


HARMS: dict[str, Callable[[Path, Path], None]] = {
    "an older database": _older,
    "a missing database": _missing,
    "a missing database with its count": _no_database,
    "a lost write-ahead log": _no_wal,
    "a cut write-ahead log": _torn_wal,
    "a flipped bit in the write-ahead log": _flipped_wal,
}


@contextlib.contextmanager
def fresh() -> Iterator[tuple[Path, Path]]:
    with tempfile.TemporaryDirectory() as place:
        yield Path(place), Path(place) / "data"


def main() -> int:
    """Attack, and say what was held."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    with fresh() as (work, folder):
        server = Server(folder).up()
        found = re.search(r"password (\S+)", server.printed.read_text() + server.log)
        assert found is not None, server.printed.read_text()
        for part in (quotas, requests, sockets, connections, files):
            part(server)
        staff(server, found[1])
        promise("SIGTERM ends it", server.end() == 0)
        removed(folder)
        rollbacks(folder, work)
    broken = [words for words, held, _ in HELD if not held]
    print(f"{len(HELD) - len(broken)} of {len(HELD)} held")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
