"""`pontoon serve` from the operator's point of view: output, refusals and files."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import httpx
import pytest

from pontoon.cards import PACK
from pontoon.cli import main
from tests.server.crash import ROOT, free_port

AT_ONCE = {"card": 0, "wagers": 0, "decision": 0, "offer": 0}
"""One wager plays a whole round."""
TABLE_NAME = "The blue table"


class Command:
    """A `pontoon` process."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        browser = folder / "browser"
        browser.write_text(f"#!/bin/sh\ntouch {folder}/opened\n")
        browser.chmod(0o755)
        with (folder / "printed").open("wb") as printed, (folder / "errors").open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pontoon", *arguments],
                cwd=folder,
                stdout=printed,
                stderr=errors,
                env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "BROWSER": f"{browser} %s"},
            )

    @property
    def printed(self) -> str:
        return (self.folder / "printed").read_text()

    @property
    def errors(self) -> str:
        return (self.folder / "errors").read_text()

    def up(self) -> httpx.Client:
        """Wait until the server answers; return a client for it."""
        until = time.monotonic() + 30
        while not (found := re.search(r"http://\S+", self.printed)):
            assert self.process.poll() is None, self.errors
            assert time.monotonic() < until, self.errors
            time.sleep(0.02)
        web = httpx.Client(base_url=found.group(), timeout=20, verify=False)  # noqa: S501 no TLS here
        while time.monotonic() < until:
            try:
                if web.get("/ready").status_code == 200:
                    return web
            except httpx.HTTPError:
                time.sleep(0.05)
        raise AssertionError(self.errors)

    def end(self, how: int = 0) -> int:
        """Stop it, or wait until it ends; return the exit status."""
        if how:
            self.process.send_signal(how)
        status = self.process.wait(30)
        assert "Traceback" not in self.printed + self.errors, self.errors
        return status


def refused(folder: Path, *arguments: str) -> str:
    """The server does not start, with status 1 and one clear line."""
    folder.mkdir(exist_ok=True)
    command = Command(folder, "serve", *arguments)
    assert command.end() == 1, command.errors
    lines = [line for line in command.errors.splitlines() if not line.startswith("checked ")]
    assert len(lines) == 1, lines
    assert lines[0].startswith("pontoon: ")
    assert command.printed == ""
    return lines[0]


def played(web: httpx.Client) -> str:
    """Play two rounds; return the table."""
    token = web.post("/api/guests", json={"name": "Penelope"}).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    body = {"rulebook": "star", "clocks": AT_ONCE, "name": TABLE_NAME}
    table = str(web.post("/api/tables", json=body, headers=headers).json()["id"])
    for number in range(2):
        given = {"key": f"{number}", "command": {"type": "PlaceWager", "box": 1, "player": "", "stake": 1000}}
        until = time.monotonic() + 10
        while (answer := web.post(f"/api/tables/{table}/commands", json=given, headers=headers)).status_code == 409:
            assert time.monotonic() < until, answer.text
            time.sleep(0.1)
        assert answer.status_code == 200, answer.text
    return table


class Evening:
    """The files left by one server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.administered: dict[str, tuple[int, str, str]] = {}
        self.table = ""
        self.copy = folder / "copy.db"
        self.metrics = ""
        self.demo: list[dict[str, Any]] = []
        self.second = self.taken = ""
        self.status = -1
        self.printed = self.errors = ""
        self.backup: tuple[int, str, str] = (0, "", "")
        self.verified: tuple[int, str, str] = (0, "", "")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """A server with a demonstration, an administrator and a guest; stopped when the tests look at it."""
    folder = tmp_path_factory.mktemp("operation")
    one = Evening(folder)
    port = free_port()
    options = ("--demo", "--admin", "Ruth", "--verify-first")
    command = Command(folder, "serve", "--data", "data", "--port", str(port), *options)
    try:
        with closing(command.up()) as web:
            one.table = played(web)
            assert web.get("/health").json() == {"status": "ok"}
            assert web.get("/ready").json() == {
                "status": "ready",
                "entries": 1,
                "verified": 1,
                "verification": "complete",
            }
            one.second = refused(folder / "second", "--data", str(one.data), "--port", "0")
            one.taken = refused(folder / "taken", "--data", str(folder / "other"), "--port", str(port))
            one.backup = quiet("backup", "--data", str(one.data), str(one.copy))
            one.verified = quiet("verify", "log", "--data", str(one.data), "--replay")
            one.administered = administered(one)
            one.demo = demonstration(web)
            one.metrics = web.get("/metrics").text
    finally:
        one.status = command.end(signal.SIGTERM)
    one.printed, one.errors = command.printed, command.errors
    return one


DATA = (
    "status",
    "tables",
    "wallets",
    "wallet Iris",
    "chips Iris 1",
    "rulebooks",
    "backup",
    "backups",
    "verify",
    "balance",
)
"""Checked against their schemas as they are printed."""


def administered(one: Evening) -> dict[str, tuple[int, str, str]]:
    """What the operator's commands answer while the server runs, by their words."""
    policy, faulty = one.folder / "policy.toml", one.folder / "faulty.toml"
    policy.write_text('minimum = "5.00"\narchive_days = 3\n')
    faulty.write_text("minimum = 5\nhats = 1\n")
    lines = (
        "account add Iris --role inspector; account role Iris dealer; account link Iris;"
        "account suspend Iris --reason left;"
        "account restore Iris; account revoke Iris; account list; admin status; admin tables; admin wallet Iris;"
        f"admin make-table --rulebook canberra --name Main; admin limits {one.table} --minimum 10 --maximum 1000;"
        f"admin stop {one.table}; admin archive {one.table}; admin unarchive {one.table}; admin close nosuch;"
        "admin wallets; admin chips Iris 2.50; admin rulebooks; admin backup; admin backups; admin verify;"
        "admin balance;"
        f"admin audit --name Iris; admin policy --file {policy}; admin policy --file {faulty}; admin policy --json;"
        "admin make-table --rulebook star --minimum 2; admin tables --format csv;"
    )
    lines += ";".join(f"admin {what} --json" for what in DATA)
    return {line.strip(): quiet(*line.split(), "--data", str(one.data)) for line in lines.split(";")}


def quiet(*arguments: str) -> tuple[int, str, str]:
    """A command that ends by itself: status, output, errors."""
    printed, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(errors), pytest.raises(SystemExit) as end:
        main(arguments)
    assert "Traceback" not in printed.getvalue() + errors.getvalue()
    return int(end.value.code or 0), printed.getvalue(), errors.getvalue()


def demonstration(web: httpx.Client) -> list[dict[str, Any]]:
    """Let the demonstration run until cards are on the layout."""
    name = next(table["id"] for table in web.get("/api/tables").json()["tables"] if table["name"] == "Demonstration")
    seen: list[dict[str, Any]] = []
    until = time.monotonic() + 30
    while time.monotonic() < until:
        seen.append(web.get(f"/api/tables/{name}").json())
        cards = seen[-1]["view"]["phase"] == "round" and seen[-1]["view"]["round"]["boxes"][0].get("hands")
        if cards and seen[-1]["version"] > seen[0]["version"]:
            return seen
        time.sleep(0.3)
    raise AssertionError(seen[-1])


# --- a server that runs --------------------------------------------------------------------------------


def test_it_prints_where_it_is_and_opens_no_browser(evening):
    password, address = evening.printed.splitlines()
    assert re.fullmatch(r"administrator Ruth, password \S{16}", password)
    assert re.fullmatch(r"Pontoon is served at http://127\.0\.0\.1:\d+  \(Ctrl-C stops it\)", address)
    assert not (evening.folder / "opened").exists()


def test_sigterm_is_an_end_like_any_other(evening):
    assert evening.status == 0
    assert '"event": "stopped"' in evening.errors


def test_logs_are_json_one_line_an_entry(evening):
    first, *lines = evening.errors.splitlines()
    assert first.startswith("checked 0 entries")
    events = [json.loads(line) for line in lines]
    assert all({"at", "level", "event"} <= event.keys() for event in events)
    assert {event["level"] for event in events} == {"info"}
    assert {"listening", "table_made", "root", "stopped"} <= {event["event"] for event in events}
    secret_word = evening.printed.splitlines()[0].split()[-1]
    for secret in ("Penelope", TABLE_NAME, secret_word, "Bearer", "#link"):
        assert secret not in evening.errors


def test_metrics_name_no_card_no_person_and_no_table(evening):
    assert "pontoon_commands_total" in evening.metrics
    assert 'kind="PlaceWager",outcome="done"' in evening.metrics
    rounds = re.search(r"^pontoon_rounds_total (\S+)", evening.metrics, re.MULTILINE)
    assert rounds is not None
    assert float(rounds.group(1)) >= 1
    for name in ("Penelope", "Ruth", "bot", evening.table, TABLE_NAME, "Demonstration"):
        assert name not in evening.metrics
    labels = re.findall(r'="([^"]*)"', evening.metrics)
    assert not set(labels) & set(PACK)


def test_a_demonstration_plays_by_itself(evening):
    first, last = evening.demo[0], evening.demo[-1]
    assert last["version"] > first["version"]
    assert {seat["player"].split()[0] for seat in last["view"]["seats"]} == {"bot"}
    assert last["view"]["round"]["boxes"]


def test_a_second_server_on_the_same_data_is_refused(evening):
    assert "pontoon.db is in use by another server (process " in evening.second


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        (
            "account add Iris --role inspector",
            r"Iris: inspector; sets a password within 7 days at http://\S+/floor#link=\S+",
        ),
        ("account role Iris dealer", "Iris: dealer"),
        ("account link Iris", r"Iris: sets a new password within 30 minutes at http://\S+/floor#link=\S+"),
        ("account suspend Iris --reason left", "Iris: suspended, all sessions ended"),
        ("account restore Iris", "Iris: may sign in again"),
        ("account revoke Iris", "Iris: all sessions ended"),
        ("account list", r"(?s)Iris +dealer\nPenelope +guest\nRuth +administrator"),
        (
            "admin status",
            r"(?s)Pontoon \S+ at http://127.*processes: 1\n.*people 2, guests 1, .*log \d+ entries, verified.*",
        ),
        ("admin tables", r"(?s).*star +\$5 to \$500 .*"),
        ("admin make-table --rulebook canberra --name Main", r"http://127\.0\.0\.1:\d+/t/\w{6}"),
        ("admin limits {table} --minimum 10 --maximum 1000", r"{table}: \$10 to \$1,000"),
        ("admin stop {table}", r"{table}: stopped; only officials can resume it"),
        ("admin archive {table}", "{table}: no longer in the lobby"),
        ("admin unarchive {table}", "{table}: in the lobby again"),
        ("admin wallet Iris", r"(?s)Iris: \$1,000, on tables \$0, owed \$0\n.*\$1,000 +\$1,000 +people"),
        ("admin wallets", r"(?s)Iris +\$1,000 .*Penelope.*Ruth.*"),
        ("admin chips Iris 2.50", r"Iris: \$1,002\.50"),
        ("admin rulebooks", r"(?s).*canberra +2 tables.*"),
        ("admin backup", r"pontoon-\S+\.db: \d+\.\d MB, verified"),
        ("admin backups", r"20\S+ \S+ +\d+\.\d MB  pontoon-\S+\.db"),
        ("admin verify", r"as written \(\d+ ms\)"),
        ("admin balance", r"(?s)bank .*total +\$0"),
        (
            "admin audit --name Iris",
            r"(?s).*operator +ChipsGiven +Iris  \$2\.50\n.*operator +RoleGiven +Iris  dealer\n.*",
        ),
        ("admin policy --file {folder}/policy.toml", "in force; changed: minimum, archive_days"),
        ("admin tables --format csv", r"(?s)id,name,rulebook,mode,phase,.*"),
        *((f"admin {what} --json", r"(?s)[\[{].*[\]}]") for what in DATA),
        ("admin policy --json", r'(?s).*"archive_days": 3.*"by": "operator".*'),
    ],
)
def test_the_operator_administers_a_running_server_without_a_password(evening, line, printed):
    where = {"{table}": evening.table, "{folder}": str(evening.folder)}
    for name, value in where.items():
        line, printed = line.replace(name, value), printed.replace(name, re.escape(value))
    status, said, errors = evening.administered[line]
    assert (status, errors) == (0, "")
    assert re.fullmatch(printed, said.rstrip("\n")), said


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("admin close nosuch", "there is no such table"),
        ("admin policy --file {folder}/faulty.toml", "hats: there is no such key and minimum: 5: money is a decimal"),
        ("admin make-table --rulebook star --minimum 2", "the house policy has a lowest minimum of $5"),
    ],
)
def test_what_the_operator_is_refused_is_one_line(evening, line, refused):
    status, said, errors = evening.administered[line.replace("{folder}", str(evening.folder))]
    assert (status, said) == (2, "")
    assert refused in errors
    assert len(errors.splitlines()) == 1


def test_the_policy_of_a_server_that_is_stopped(evening, tmp_path):
    data = tmp_path / "data"
    shutil.copytree(evening.data, data)
    assert not (data / "operator.json").exists(), "a server that stops takes its secret away"
    place = ("--data", str(data))
    assert quiet("admin", "status", *place)[2].startswith(f"pontoon: no server runs on {data}; start one")
    assert quiet("account", "link", "Ruth", *place)[0] == 2
    text = quiet("admin", "policy", *place)[1]
    assert 'minimum = "5.00"' in text
    (tmp_path / "policy.toml").write_text(text.replace("bots = true", "bots = false"))
    put = ("admin", "policy", "--file", str(tmp_path / "policy.toml"), *place)
    assert quiet(*put)[1] == "in force; changed: bots\n"
    assert quiet(*put)[1] == "in force; nothing changed\n"
    assert quiet(*put[:3], str(tmp_path / "none.toml"), *place)[0] == 2


def test_a_port_that_is_taken_is_refused(evening):
    assert re.fullmatch(r"pontoon: 127\.0\.0\.1 port \d+: Address already in use", evening.taken)


# --- other details -----------------------------------------------------------------------------------------


def test_a_backup_while_it_runs(evening):
    status, printed, errors = evening.backup
    assert (status, errors) == (0, "")
    assert re.search(r"copy\.db: [\d,]+ entries, [\d,]+ bytes, verified", printed)
    assert evening.copy.stat().st_size > 10_000


def test_verifying_while_it_runs_and_after(evening):
    status, printed, _ = evening.verified
    assert status == 0
    assert printed.endswith("as written\n")
    status, printed, _ = quiet("verify", "log", "--data", str(evening.data), "--replay")
    assert status == 0
    assert re.search(r"\d+ streams, \d+ entries, trial balance 0, in", printed)
    status, printed, _ = quiet("verify", "log", "--file", str(evening.copy), "--json")
    found = json.loads(printed)
    assert (status, found["ok"], found["trial_balance"], found["faults"]) == (0, True, 0, [])
    assert found["entries"] > 10


def test_roots_kept_elsewhere(evening, tmp_path):
    kept = tmp_path / "roots.txt"
    shutil.copy(evening.data / "roots.txt", kept)
    assert kept.read_text().startswith("1 ")
    status, printed, _ = quiet("verify", "log", "--data", str(evening.data), "--roots", str(kept))
    assert (status, printed.splitlines()[-1]) == (0, "as written")
    # A log written anew with all its hashes is whole in itself; only what was kept elsewhere shows it.
    assert quiet("account", "add", "Forger", "--data", str(tmp_path / "forged"))[0] == 0
    status, printed, _ = quiet("verify", "log", "--data", str(tmp_path / "forged"))
    assert status == 0
    status, printed, _ = quiet("verify", "log", "--data", str(tmp_path / "forged"), "--roots", str(kept))
    assert status == 1
    assert "root 1 differs from the stored one" in printed
    kept.write_text("not a root\n")
    status, _, errors = quiet("verify", "log", "--data", str(evening.data), "--roots", str(kept))
    assert status == 2
    assert len(errors.splitlines()) == 1


def test_accounts_and_a_copy_that_is_served(evening, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    shutil.copy(evening.copy, data / "pontoon.db")
    place = ("--data", str(data))
    status, printed, _ = quiet("account", "add", "Iris", "--role", "inspector", *place)
    found = re.fullmatch(r"Iris: inspector, password (\S{16})\n", printed)
    assert status == 0
    assert found is not None
    assert quiet("account", "role", "Iris", "game_supervisor", *place)[0] == 0
    assert quiet("account", "revoke", "Penelope", *place)[0] == 0
    rows = {load["name"]: load for load in json.loads(quiet("account", "list", "--json", *place)[1])}
    assert rows["Iris"] == {"name": "Iris", "role": "game_supervisor", "guest": False}
    assert rows["Penelope"]["guest"] is True
    assert "administrator" in quiet("account", "list", *place)[1]
    command = Command(tmp_path, "serve", *place, "--port", "0")
    with closing(command.up()) as web:
        password = evening.printed.splitlines()[0].split()[-1]
        for name, word in (("Iris", found.group(1)), ("Ruth", password)):
            answer = web.post("/api/sessions", json={"name": name, "password": word})
            assert answer.status_code == 201, answer.text
        assert answer.json()["role"] == "administrator"
        assert web.post("/api/sessions", json={"name": "Iris", "password": password}).status_code == 401
        assert web.get(f"/api/tables/{evening.table}").json()["room"]["name"] == TABLE_NAME
    assert command.end(signal.SIGINT) in (0, 130)
    assert found.group(1) not in command.errors, "names are logged, passwords are not"
    assert quiet("verify", "log", *place, "--replay")[0] == 0


# --- what it refuses -----------------------------------------------------------------------------------


def test_a_newer_schema_is_refused(evening, tmp_path):
    (tmp_path / "data").mkdir()
    shutil.copy(evening.copy, tmp_path / "data" / "pontoon.db")
    with closing(sqlite3.connect(tmp_path / "data" / "pontoon.db")) as file:
        file.execute("INSERT INTO migrations VALUES (99, '0099_future.sql')")
        file.commit()
    line = refused(tmp_path, "--data", "data", "--port", "0")
    assert "was written by a newer pontoon (schema 99, this one supports " in line


def test_a_tampered_log_is_not_served_and_the_entry_is_named(evening, tmp_path):
    (tmp_path / "data").mkdir()
    shutil.copy(evening.copy, tmp_path / "data" / "pontoon.db")
    stream = f"table/{evening.table}"
    with closing(sqlite3.connect(tmp_path / "data" / "pontoon.db")) as file:
        with pytest.raises(sqlite3.DatabaseError):
            file.execute("UPDATE entries SET by = 'Mallory' WHERE stream = ? AND version = 3", (stream,))
        triggers = [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]
        for name in triggers:
            file.execute(f"DROP TRIGGER {name}")
        file.execute("UPDATE entries SET by = 'Mallory' WHERE stream = ? AND version = 3", (stream,))
        file.execute("UPDATE entries SET by = 'Mallory' WHERE stream = ? AND version = 5", (stream,))
        file.commit()
    line = refused(tmp_path, "--data", "data", "--port", "0", "--verify-first")
    assert f"the log is not what was written: {stream} entry 3: " in line
    status, printed, _ = quiet("verify", "log", "--data", str(tmp_path / "data"))
    assert status == 1
    assert f"✗ {stream} entry 3: " in printed
    assert "entry 5" not in printed
    assert printed.splitlines()[-1].startswith("NOT as written")
    status, printed, _ = quiet("verify", "log", "--data", str(tmp_path / "data"), "--json")
    fault = json.loads(printed)["faults"][0]
    assert (status, fault["stream"], fault["version"]) == (1, stream, 3)


@pytest.mark.parametrize(
    "line",
    [
        "serve --port 70000",
        "serve --port x",
        "serve --workers 0",
        "serve --workers 3",
        "serve --database mysql://localhost/x",
        "serve --lease-seconds 0",
        "serve --nothing",
        "account add",
        "account add Ann --role king --data {folder}",
        "account add <script> --data {folder}",
        "account role Nobody player --data {folder}",
        "account list --data {folder}/nowhere",
        "verify log --data {folder}/nowhere",
        "verify log --file {folder}/text",
        "backup --data {folder}/nowhere {folder}/copy.db",
        "backup --data {folder} {folder}/text",
    ],
)
def test_bad_usage_is_one_line_and_status_two(tmp_path, line):
    (tmp_path / "text").write_text("not a database\n" * 100)
    status, printed, errors = quiet(*line.replace("{folder}", str(tmp_path)).split())
    assert status == 2
    assert printed == ""
    assert len(errors.splitlines()) == 1, errors
    assert errors.startswith("pontoon")
