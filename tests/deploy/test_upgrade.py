"""A server of version 0.1.0 hands over to this one under load: a gap of at most two seconds, nothing lost."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from tests.postgresql import postgresql_server
from tests.server.crash import ROOT, Player, Report, check_evening, free_port, make_tables, people, rounds_end, up

pytestmark = pytest.mark.slow
PREVIOUS = "d43c260"
"""The last commit of version 0.1.0."""
GAP = 2.0
"""Seconds."""


@pytest.fixture(scope="module")
def previous(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source of the previous release."""
    folder: Path = tmp_path_factory.mktemp("previous")
    packed = subprocess.run(
        ["git", "archive", PREVIOUS, "src", "pyproject.toml"], cwd=ROOT, capture_output=True, check=False
    )
    if packed.returncode:
        pytest.skip(f"this copy of the project does not reach back to version 0.1.0: {packed.stderr.decode().strip()}")
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed.stdout, check=True)
    assert '"0.1.0"' in (folder / "pyproject.toml").read_text("utf-8")
    return folder / "src"


def start(source: Path, folder: Path, port: int, *words: str) -> subprocess.Popen[bytes]:
    """A server with this source."""
    command = [sys.executable, "-m", "pontoon", "serve", "--port", str(port), "--data", str(folder), "--unlimited"]
    with (folder / "server.log").open("ab") as log:
        environment = os.environ | {"PYTHONPATH": str(source)}
        return subprocess.Popen([*command, *words], stdout=log, stderr=log, env=environment)


def gap(folder: Path, source: Path, database: str) -> float:
    """Play, hand over, play on; the longest time without an answer at any table."""
    port, words = free_port(), ["--database", database] if database else []
    old = start(source, folder, port, *words)
    new: subprocess.Popen[bytes] | None = None

    async def evening() -> float:
        nonlocal new
        await up(port)
        names = [f"Player {letter}" for letter in "ABCD"]
        tokens = await people(port, names)
        tables = await make_tables(port, tokens[0], ("star", "canberra"))
        players = [
            Player([port], name, token, tables[place % 2], 1 + place // 2, random.Random(place))
            for place, (name, token) in enumerate(zip(names, tokens, strict=True))
        ]
        tasks = [asyncio.create_task(player.run()) for player in players]
        new = start(ROOT / "src", folder, port, *words, "--take-over")
        until = time.monotonic() + 120
        while "ready to take over" not in (folder / "server.log").read_text("utf-8"):
            assert time.monotonic() < until, (folder / "server.log").read_text("utf-8")
            await asyncio.sleep(0.1)
        await asyncio.sleep(3)
        handed = time.monotonic()
        old.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(old.wait, 15) == 0
        await up(port)
        while not all(player.answered_at[-1] > handed + GAP for player in players):
            assert time.monotonic() < handed + 60
            await asyncio.sleep(0.1)
        for player in players:
            player.stop = True
        await asyncio.gather(*tasks)
        await rounds_end(port, tables)
        assert await asyncio.to_thread(_stopped, new) == 0
        report = Report()
        check_evening(folder, database, players, report, (folder / "server.log").read_text("utf-8"))
        assert report.gaps == 0
        gaps = [max(b - a for a, b in pairwise(player.answered_at)) for player in players]
        print(f"\n{report.acknowledged} commands acknowledged, {report.rounds} rounds, gaps {gaps}")  # noqa: T201
        return max(gaps)

    try:
        return asyncio.run(evening())
    finally:
        for process in (old, new):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()


def _stopped(process: subprocess.Popen[bytes]) -> int:
    process.send_signal(signal.SIGTERM)
    return process.wait(15)


def test_a_file_changes_hands(previous: Path, tmp_path: Path):
    assert gap(tmp_path, previous, "") <= GAP


def test_a_database_changes_hands(previous: Path, tmp_path: Path):
    with postgresql_server() as server:
        assert gap(tmp_path, previous, server.new_database()) <= GAP


def test_without_a_word_a_second_server_does_not_wait(tmp_path: Path):
    port = free_port()
    first = start(ROOT / "src", tmp_path, port)
    try:
        asyncio.run(up(port))
        assert start(ROOT / "src", tmp_path, port).wait(60) == 1
        assert "Address already in use" in (tmp_path / "server.log").read_text("utf-8")
    finally:
        assert _stopped(first) == 0
