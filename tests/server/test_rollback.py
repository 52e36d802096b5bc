"""No silent rollback and no invisible fault: the store against its roots, a failed sync, a full disk, a lost file."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sqlite3
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pontoon.cli import main
from pontoon.ledger import Posting
from pontoon.server.house import House, Options
from pontoon.server.operation import readiness
from pontoon.server.operation.clock import SystemClock
from pontoon.server.operation.metrics import rendered
from pontoon.server.operation.readiness import Readiness
from pontoon.server.problems import Problem
from pontoon.server.records.verification import Verification
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.settings import Settings
from pontoon.server.run import Config, ServeError, checked, compared, preview, store_of
from pontoon.store import Append, Draft, MemoryStore, SqliteStore, StoreError
from pontoon.store.backup import backup
from pontoon.store.model import Appended, Head, Snapshot, UnsureError
from pontoon.table.commands import Sit
from tests.server.api.visitors import running
from tests.server.disk_faults import FaultyStore
from tests.server.test_store_away import AwayStore

FILES = ("pontoon.db", "pontoon.db-wal", "pontoon.db-shm", "pontoon.db.entries")


def write(store: SqliteStore, count: int) -> None:
    for _ in range(count):
        version = store.head("table/t").version
        (done,) = store.write([Append("table/t", version, 0, (Draft("Ann", b"x"),))])
        assert isinstance(done, Appended)


def sealed(store: SqliteStore, config: Config) -> None:
    assert store.seal(0) is not None
    compared(store, config, print)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A data folder with eight entries, two roots, and an older copy of the files in `old`."""
    config = Config(data=tmp_path / "data")
    store = store_of(config)
    assert isinstance(store, SqliteStore)
    write(store, 4)
    sealed(store, config)
    backup(store, tmp_path / "old.db")
    write(store, 4)
    sealed(store, config)
    store.close()
    return config


def start(config: Config, *, forget_count: bool = False) -> None:
    if forget_count:  # what a copy of the roots alone has to find
        (config.data / "pontoon.db.entries").unlink()
    store = store_of(config)
    try:
        compared(store, config, print)
    finally:
        store.close()


def older(config: Config) -> None:
    shutil.copy(config.data.parent / "old.db", config.data / "pontoon.db")


def missing(config: Config) -> None:
    (config.data / "pontoon.db").unlink()


def shorter(config: Config) -> None:
    """Truncated: the last entries and the last root are missing, without a trace in the file."""
    with sqlite3.connect(config.data / "pontoon.db") as file:
        for trigger in ("entries_last", "roots_last", "root_heads_last"):
            file.execute(f"DROP TRIGGER {trigger}")
        file.execute("DELETE FROM entries WHERE version > 5")
        file.execute("DELETE FROM root_heads WHERE number = 2")
        file.execute("DELETE FROM roots WHERE number = 2")
        file.execute("UPDATE heads SET version = 5, hash = (SELECT hash FROM entries WHERE version = 5)")
    file.close()


def cut_below_the_root(config: Config) -> None:
    with sqlite3.connect(config.data / "pontoon.db") as file:
        file.execute("DROP TRIGGER entries_last")
        file.execute("DELETE FROM entries WHERE version > 5")
        file.execute("UPDATE heads SET version = 5, hash = (SELECT hash FROM entries WHERE version = 5)")
    file.close()


def forked(config: Config) -> None:
    older(config)
    (config.data / "pontoon.db.entries").unlink()
    store = SqliteStore(config.data / "pontoon.db")
    write(store, 5)
    store.seal(1)
    store.close()


WAYS = {
    older: "older, or was cut",
    missing: "the database is missing",
    shorter: "older, or was cut",
    cut_below_the_root: "shorter than a root",
    forked: "another log was written",
}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_h4_a_store_that_does_not_fit_its_roots_is_refused(config, way):
    start(config)
    way(config)
    with pytest.raises(ServeError, match=WAYS[way]) as refused:
        start(config, forget_count=(config.data / "pontoon.db.entries").exists())
    assert "--accept-rollback" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_h4_a_server_that_would_take_over_refuses_it_first(config, way, capsys):
    """The server that runs is not told to stop: it would be missed."""
    way(config)
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--take-over", "--port", "0", "--data", str(config.data)])
    assert ended.value.code == 1
    said = capsys.readouterr().err
    assert WAYS[way] in said
    assert "ready to take over" not in said


def test_a_server_takes_over_from_nobody(tmp_path: Path, capsys):
    preview(Config(data=tmp_path / "new"))
    (tmp_path / "pontoon.db").touch()
    preview(Config(data=tmp_path))
    (tmp_path / "pontoon.db").write_bytes(b"something else" * 100)
    with pytest.raises(ServeError, match="not a database"):
        preview(Config(data=tmp_path))
    policy = tmp_path / "policy.toml"
    policy.write_text("guests = 7\n")
    words = ["serve", "--take-over", "--port", "0", "--data", str(tmp_path / "new"), "--policy", str(policy)]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 1
    assert "--policy" in capsys.readouterr().err


def test_a_table_that_this_version_cannot_open_is_named_before_the_other_server_stops(tmp_path: Path):
    config = Config(data=tmp_path)
    store = store_of(config)
    assert isinstance(store, SqliteStore)
    write(store, 1)
    with pytest.raises(ServeError, match="cannot be read"):
        preview(config)
    store.close()
    (tmp_path / "roots.txt").write_text(f"1 0 {'0' * 64}\n")
    with pytest.raises(ServeError, match="cannot be read"):
        preview(replace(config, accept_rollback=True))


@pytest.mark.parametrize("way", [older, missing, shorter], ids=lambda way: way.__name__)
def test_h4_the_number_of_entries_beside_the_file_finds_it_too(config, way):
    (config.data / "roots.txt").unlink()
    way(config)
    with pytest.raises(ServeError, match="were acknowledged"):
        start(config)


@pytest.mark.parametrize("harm", ["lost", "cut", "flipped"])
def test_h4_a_lost_write_ahead_log_is_noticed(tmp_path: Path, harm):
    store = SqliteStore(tmp_path / "pontoon.db")
    write(store, 8)
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for name in FILES:
        if not name.endswith("-shm"):
            shutil.copy(tmp_path / name, crashed / name)
    store.close()
    log = crashed / "pontoon.db-wal"
    content = bytearray(log.read_bytes())
    half = len(content) // 2
    content[half] ^= 1
    log.write_bytes(content[:half] if harm == "cut" else content)
    if harm == "lost":
        log.unlink()
    with pytest.raises(StoreError, match="were acknowledged"):
        SqliteStore(crashed / "pontoon.db")


def test_h4_accept_rollback_is_the_only_way_on(config, capsys: pytest.CaptureFixture[str]):
    older(config)
    accepted = Config(data=config.data, accept_rollback=True)
    start(accepted)
    assert "accepted" in capsys.readouterr().out
    assert len([path for path in config.data.iterdir() if path.name.startswith("roots.txt.")]) == 1
    start(config)  # and from now on without it
    assert (config.data / "roots.txt").read_text().count("\n") == 1


def test_roots_that_a_kill_kept_from_the_file_are_added(config):
    path = config.data / "roots.txt"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + lines[1][:10])  # torn
    start(config)
    assert path.read_text().endswith(lines[1])


def test_files_belong_to_their_user_alone(config):
    start(config)
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode) for path in (*config.data.iterdir(), config.data.parent / "old.db")
    }
    assert set(modes.values()) == {0o600}, modes


def test_a_file_of_version_0_1_0_is_closed_to_others(tmp_path: Path):
    SqliteStore(tmp_path / "pontoon.db").close()
    (tmp_path / "pontoon.db").chmod(0o644)
    store = SqliteStore(tmp_path / "pontoon.db")
    write(store, 1)
    assert {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in FILES} == {0o600}
    store.close()


# --- a store that fails (H5, M8) -----------------------------------------------------------------------------


class Failing:
    """A connection whose commits report an error although they are on disk, as after a failed sync."""

    def __init__(self, real: sqlite3.Connection) -> None:
        self.real = real

    def execute(self, sql: str, *rest: Any) -> Any:
        done = self.real.execute(sql, *rest)
        if sql == "COMMIT":
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorname = "SQLITE_IOERR_FSYNC"
            raise error
        return done

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


def test_m8_after_a_failed_sync_nothing_is_promised_and_nothing_more_is_written(tmp_path: Path):
    store = SqliteStore(tmp_path / "pontoon.db")
    write(store, 1)
    real = store._writer
    assert real is not None
    store._writer = Failing(real)  # type: ignore[assignment]
    with pytest.raises(UnsureError):
        write(store, 1)
    store._writer = real
    assert store.failed
    with pytest.raises(StoreError, match="must start again"):
        write(store, 1)
    store.close()
    again = SqliteStore(tmp_path / "pontoon.db")
    assert again.head("table/t").version == 2, "what was not promised may be there"
    write(again, 1)
    again.close()


def test_m8_the_client_is_told_to_ask_again_and_the_process_starts_again(tmp_path: Path):
    async def evening() -> None:
        store = SqliteStore(tmp_path / "pontoon.db")
        house = House(store, Options(inline=True))
        await house.start()
        room = await house.make_table(Actor("Ann"), Settings("star"), "")
        assert isinstance(room, str)
        store._writer = Failing(store._writer)  # type: ignore[arg-type, assignment]
        answer = await house.command(Actor("Ann"), room, Sit("Ann", 1), "k", None)
        assert isinstance(answer, Problem)
        assert (answer.status, answer.code) == (503, "unsure")
        assert house.fatal.is_set()
        await house.close()
        store.close()
        again = House(SqliteStore(tmp_path / "pontoon.db"), Options(inline=True))
        await again.start()
        version = await again.command(Actor("Ann"), room, Sit("Ann", 1), "k", None)
        live = await again.live(room)
        assert live is not None
        assert isinstance(version, int)
        assert [seat.player for seat in live.room.state.table.seats] == ["Ann"]
        await again.close()
        again.store.close()

    asyncio.run(evening())


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_removed_or_replaced_under_the_server_is_noticed(tmp_path: Path, *, replaced: bool):
    store = SqliteStore(tmp_path / "pontoon.db")
    write(store, 1)
    (tmp_path / "pontoon.db").rename(tmp_path / "elsewhere")
    if replaced:
        shutil.copy(tmp_path / "elsewhere", tmp_path / "pontoon.db")
    with pytest.raises(StoreError, match="removed or replaced"):
        write(store, 1)
    with pytest.raises(StoreError, match="removed or replaced"):
        store.probe("us")
    store.close()


@pytest.mark.asyncio
async def test_a_store_that_failed_is_not_ready_from_then_on(tmp_path: Path):
    store = SqliteStore(tmp_path / "pontoon.db")
    write(store, 1)
    readiness = Readiness(House(store))
    assert await readiness.problem() is None
    (tmp_path / "pontoon.db").rename(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="removed or replaced"):
        write(store, 1)
    no = await readiness.problem()
    assert no is not None, "not even for the second in which the last test write is fresh"
    assert no.code == "store_away"
    store.close()


def metric(name: str) -> float:
    lines = rendered().splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith(f"{name} "))


@pytest.mark.asyncio
async def test_h5_a_store_that_fails_is_seen_everywhere():
    store = AwayStore()
    async with running(store=store) as server:
        ann = await server.guest()
        table = await ann.make_table()
        assert (await server.nobody.ask("GET", "/ready")).json()["status"] == "ready"
        before = metric("pontoon_store_failures_total")
        store.away = True
        answers = [
            await ann.do(table, "Sit", player="", box=1),
            await ann.ask("POST", "/api/tables", {"rulebook": "star"}),
            await server.nobody.ask("POST", "/api/guests", {"name": "Ben"}),
        ]
        assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(503, "store_away")] * 3
        assert {answer.headers["retry-after"] for answer in answers} == {"1"}
        server.app.state.readiness._answered = -10.0
        assert await server.nobody.refused("GET", "/ready") == (503, "store_away")
        assert metric("pontoon_store_failures_total") >= before + 3
        store.away = False
        server.app.state.readiness._answered = -10.0
        assert (await server.nobody.ask("GET", "/ready")).status_code == 200


@pytest.mark.asyncio
@pytest.mark.parametrize("leased", [False, True])
async def test_a_server_whose_store_is_away_stops_in_order(caplog: pytest.LogCaptureFixture, *, leased: bool):
    store = AwayStore()
    house = House(store, Options(leased=leased, address="127.0.0.1:1"))
    await house.start()
    store.away = True
    before = metric("pontoon_store_failures_total")
    await house.close()
    logged = {record.getMessage() for record in caplog.records}
    assert ({"sealing_failed", "leases_not_released"} if leased else {"sealing_failed"}) <= logged
    assert metric("pontoon_store_failures_total") == before + 1


@pytest.mark.asyncio
async def test_m8_a_sync_that_fails_under_a_snapshot_or_a_root_starts_the_process_again():
    for work in (House._try_to_seal, lambda house: house.write_snapshot(lambda: Snapshot("table/x", 1, "", b"", b""))):
        store = FaultyStore()
        house = House(store, Options(inline=True))
        store.next_sync = False
        await work(house)
        assert house.fatal.is_set(), "without waiting for the next command"


@pytest.mark.asyncio
async def test_several_who_ask_at_once_wait_for_one_write():
    async with running() as server:
        written = 0
        probe = server.house.store.probe

        def counted(owner: str) -> None:
            nonlocal written
            written += 1
            probe(owner)

        server.house.store.probe = counted  # type: ignore[method-assign]
        readiness = Readiness(server.house)
        assert await asyncio.gather(*(readiness.problem() for _ in range(3))) == [None] * 3
        assert written == 1


@pytest.mark.asyncio
async def test_h5_a_full_disk_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with running() as server:
        server.app.state.readiness = Readiness(server.house, tmp_path)
        assert (await server.nobody.ask("GET", "/ready")).status_code == 200
        monkeypatch.setattr(readiness, "LEAST_BYTES", 2**62)
        assert await server.nobody.refused("GET", "/ready") == (503, "disk_full")
        monkeypatch.setattr(readiness, "LEAST_BYTES", 0)
        monkeypatch.setattr(os, "statvfs", _gone)
        assert await server.nobody.refused("GET", "/ready") == (503, "store_away")


def _gone(_: object) -> None:
    raise OSError("no such folder")


class Hanging(MemoryStore):
    def __init__(self) -> None:
        super().__init__()
        self.probes = 0

    def probe(self, owner: str) -> None:
        self.probes += 1
        time.sleep(4)
        super().probe(owner)


@pytest.mark.asyncio
async def test_a_store_that_hangs_makes_ready_say_no_in_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(readiness, "DEADLINE", 0.1)
    store = Hanging()
    async with running(store=store) as server:
        began = time.monotonic()
        for _ in range(3):
            assert await server.nobody.refused("GET", "/ready") == (503, "store_away")
        assert time.monotonic() - began < 3
        assert store.probes == 1, "however many ask"


class Jumping(SystemClock):
    def __init__(self) -> None:
        self.ahead = 0

    def wall(self) -> int:
        return super().wall() + self.ahead


def test_jumps_of_the_clock_are_logged(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    monkeypatch.setattr(readiness, "TICK", 0.02)
    caplog.set_level(logging.INFO, "pontoon.server")

    async def evening() -> None:
        clock = Jumping()
        house = House(MemoryStore(), Options(inline=True), clock)
        await house.start()
        await asyncio.sleep(0.1)
        clock.ahead = -3_600_000
        await asyncio.sleep(0.1)
        await house.close()

    logging.getLogger("pontoon.server").propagate = True
    asyncio.run(evening())
    (line,) = [record for record in caplog.records if record.message == "clock_jump"]
    assert line.facts["seconds"] == pytest.approx(-3600, abs=2)  # type: ignore[attr-defined]


# --- verification while tables are open ------------------------------------------------------------------------------


def test_the_log_is_verified_beside_the_game(config):
    store = store_of(config)
    assert isinstance(store, SqliteStore)
    sound = Verification(store, rate=1e9)
    sound.begin()
    write(store, 3)  # what is written meanwhile does not disturb it
    sound.run()
    assert (sound.fault, sound.complete, sound.verified, sound.entries) == ("", True, 8, 8)
    checked(store, print)
    store.close()


def test_another_process_that_writes_does_not_look_like_damage():
    paid = Draft("cashier", b"", postings=(Posting("house", -500), Posting("wallet/Ann", 500)))

    class Shared(MemoryStore):
        """A store that another process writes to whenever this one has listed the heads."""

        def pay(self) -> None:
            self.write([Append("people", self.head("people").version, 1, (paid,))])

        def heads(self, prefix: str = "") -> list[Head]:
            found = super().heads(prefix)
            self.pay()
            return found

    store = Shared()
    store.pay()
    verification = Verification(store, rate=1e9)
    verification.begin()
    verification.run()
    assert (verification.fault, verification.complete) == ("", True)


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        ("UPDATE entries SET body = x'79' WHERE version = 3", "table/t entry 3: the hash"),
        ("DELETE FROM entries WHERE version = 4", "table/t entry 5: missing"),
        ("UPDATE heads SET hash = 'f'", "the head of the stream"),
    ],
)
def test_damage_is_found_beside_the_game_and_ready_says_so(config, harm, words):
    with sqlite3.connect(config.data / "pontoon.db") as file:
        for trigger in ("entries_stay", "entries_last"):
            file.execute(f"DROP TRIGGER {trigger}")
        file.execute(harm)
    file.close()
    store = store_of(config)
    with pytest.raises(ServeError, match="not what was written"):
        checked(store, print)
    house = House(store)
    house.verification = Verification(store, rate=1e9)
    house.verification.begin()
    house.verification.run()
    assert words in house.verification.fault
    no = asyncio.run(Readiness(house).problem())
    assert no is not None
    assert (no.status, no.code) == (503, "log_damaged")
    store.close()
