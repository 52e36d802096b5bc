"""`pontoon play` as a process: scripts, seeds, transcripts, Ctrl-C, a pipe that closes, a server."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pontoon.cli import main
from pontoon.client import Client, Problem
from pontoon.engine import PlaceWager
from pontoon.money import cents
from pontoon.server.rooms.commands import Pass
from pontoon.server.rooms.frames import NoticeFrame
from pontoon.server.rooms.settings import Clocks
from pontoon.table.commands import Sit
from pontoon.terminal.console import Console
from pontoon.terminal.keep import Keep
from pontoon.terminal.line import LineGame, Playing
from pontoon.terminal.model import Model
from pontoon.terminal.remote import Remote
from pontoon.terminal.table import TableError
from pontoon.view.catalogue.formats import net
from tests.server.crash import Nursery, up
from tests.terminal.seat import near

PLAY = [sys.executable, "-m", "pontoon", "play"]
SCRIPT = "10\n" + "n\ns\nh\n" * 8 + "q\nq\n"
ESCAPE = "\x1b"


def run(*arguments: str, typed: str = SCRIPT, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PLAY, *arguments], input=typed, capture_output=True, text=True, check=False, cwd=folder, timeout=60
    )


def settled(file: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pontoon", "settle", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_script_a_seed_and_a_transcript(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text(f"# what I type\n{SCRIPT}")
    told = []
    for name in ("one.prt", "two.prt"):
        done = run("federal", "--line", "--seed", "5", "--script", str(script), "--rounds", "1",
                   "--transcript", str(tmp_path / name))  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        told.append(done.stdout)
    assert told[0] == told[1]
    assert ESCAPE not in told[0]
    assert (tmp_path / "one.prt").read_text() == (tmp_path / "two.prt").read_text()
    done = settled(tmp_path / "one.prt")
    assert (done.returncode, done.stderr) == (0, "")
    due = re.search(r"Net\n  Player +([+-]?)(\S+)\n", done.stdout)
    assert due is not None
    assert f"Round 1: {net(int(f'{due[1]}{cents(due[2])}'))}," in told[0]


def test_several_rounds_have_a_number(tmp_path: Path) -> None:
    done = run("federal", "--seed", "5", "--rounds", "2", "--transcript", "r.prt", typed=("10\n" + "n\ns\nh\n" * 9) * 3,
               folder=tmp_path)  # fmt: skip
    assert done.returncode == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["r-2.prt", "r.prt"]
    assert all(settled(file).returncode == 0 for file in tmp_path.iterdir())


@pytest.fixture
def interruptible():
    """A shell starts background processes with Ctrl-C ignored, and so are their children: restore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("bots", [0, 2])
def test_control_c_saves_the_round_and_says_so(bots: int, tmp_path: Path) -> None:
    with subprocess.Popen(
        [*PLAY, "star", "--seed", "7", "--bots", str(bots)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("10\n")
        process.stdin.flush()
        shown = ""
        while "Box 1: " not in shown:
            shown += process.stdout.readline()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        rest, error = process.communicate(timeout=20)
    assert (process.returncode, error) == (130, "")
    assert "The round as far as it went is saved in pontoon-unfinished.prt\n" in rest
    assert (tmp_path / "pontoon-unfinished.prt").read_text().startswith("# round 1, unfinished")
    done = settled(tmp_path / "pontoon-unfinished.prt")
    assert done.returncode == 2
    assert "still needs a decision when the lines run out" in done.stderr


def test_a_second_unfinished_round_overwrites_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Keep().write("one", 1, finished=False) == ["The round as far as it went is saved in pontoon-unfinished.prt"]
    assert Keep().write("two", 1, finished=False) == [
        "The round as far as it went is saved in pontoon-unfinished-2.prt"
    ]
    assert Keep().write("three", 1) == []


def test_a_reader_that_goes_away_is_no_reason_to_complain() -> None:
    with subprocess.Popen(
        [*PLAY, "star", "--seed", "7"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stdin is not None
        process.stdin.write(SCRIPT.encode() * 20)
        process.stdin.close()
        assert process.wait(20) == 141
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_play_starts_without_the_screen_and_the_sums() -> None:
    code = "import sys, pontoon.cli; print([name for name in ('textual', 'numba', 'fastapi') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["star", "--bots", "7"], "--bots 7: only 6 boxes are left for bots"),
        (["star", "--table", "abc"], "--table names a table on a server; give --server URL"),
        (["--server", "http://127.0.0.1:1", "--seed", "1"], "--seed is for a local table"),
        (["star", "--transcript", "/no/such/folder/r.prt"], "there is no such folder"),
    ],
)
def test_bad_arguments(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["play", "--line", *arguments])
    error = capsys.readouterr().err
    assert left.value.code in (1, 2)
    assert words in error
    assert error.count("\n") == 1


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "pontoon.terminal.embedded", None)
    with pytest.raises(SystemExit) as left:
        main(["play", "star"])
    assert left.value.code == 2
    assert "pip install 'pontoon21[server]'" in capsys.readouterr().err


# --- a patient table ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("practice", "nudge", "stands"),
    [(True, 60.0, True), (False, 0.05, True), (False, 60.0, False)],
    ids=["no clock in practice", "nudged", "left alone"],
)
def test_at_a_table_of_ones_own_time_does_not_run_out(
    practice: bool, nudge: float, stands: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slowly() -> tuple[bool, int]:
        monkeypatch.setattr("pontoon.terminal.embedded.NUDGE", nudge)
        cards = "9s 9d 8c Kd" if practice else ""  # no other table has known cards: seed 8 deals 18 there
        table, model = near("star", cards, seed=8, clocks=Clocks(1, 60_000, 300, 60_000), practice=practice)
        await table.start()
        for moment, commands in (("wagers", (PlaceWager(1, "", 1000), Pass())), ("decision", ())):
            while model.asked != moment:
                model.take(await table.next())
            for command in commands:
                assert isinstance(await table.do(command), int)
        assert model.room is not None
        clock = model.room.clock
        await asyncio.sleep(0.8)
        asked = table.live.room.state.moment.kind == "decision"
        await table.close()
        return asked, clock

    assert asyncio.run(asyncio.wait_for(slowly(), 20)) == (stands, 0 if practice else 300)


# --- a server ----------------------------------------------------------------------------------------------------


def test_a_server_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["play", "star", "--line", "--server", "http://127.0.0.1:1"])
    assert left.value.code == 1
    assert "http://127.0.0.1:1 does not answer: " in capsys.readouterr().err
    with pytest.raises(TableError, match=r"^--server ftp://nobody: the address must begin with http:// or https://$"):
        Client("ftp://nobody")


def test_a_game_on_a_server_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    with Nursery(tmp_path) as nursery:
        port = nursery.ports[0]
        nursery.start(port)
        asyncio.run(up(port))
        client = Client(f"127.0.0.1:{port}")
        name = client.sign_in("Ann")
        fast = {"card": 1, "wagers": 60_000, "decision": 60_000, "offer": 60_000}
        table = client.make_table(rulebook="division-15", clocks=fast, practice=True, first_cards="9s 9d 8c Kd")
        assert [row.id for row in client.tables()] == [table]

        async def play() -> tuple[Model, str]:
            shown = io.StringIO()
            remote, model = Remote(client, table), Model(name, local=False)
            keep = Keep(tmp_path / "round.prt")
            game = LineGame(remote, model, Console(iter(["10"]), shown), Playing(rounds=1, keep=keep))
            await game.run()  # the input ends in the middle of the round
            assert model.asked == "decision"
            assert model.seconds_left == -1  # nobody is timed alone at a practice table
            await asyncio.to_thread(_sit, port, table)
            while model.seconds_left < 0:
                model.take(await remote.next())
            assert model.asked == "decision"
            assert 50 < model.seconds_left <= 60
            nursery.kill(port)
            while not isinstance(frame := await remote.next(), NoticeFrame):
                model.take(frame)
            waiting = asyncio.create_task(remote.do(Pass()))
            nursery.start(port)
            assert isinstance(await waiting, Problem)  # asked during the disconnection, and answered anyway
            game = LineGame(_Again(remote), model, Console(iter(["s"]), shown), Playing(rounds=1, keep=keep))
            await game.run()
            await remote.close()
            return model, shown.getvalue()

        model, shown = asyncio.run(play())
        assert "Box 1: wager $10 loses, −$10  [" in shown
        assert (model.rounds, model.net) == (1, -1000)
        assert settled(tmp_path / "round.prt").returncode == 0


def _sit(port: int, table: str) -> None:
    """A second person takes box 2."""
    other = Client(f"127.0.0.1:{port}")
    other.sign_in("Ben")
    with other.watch(table) as live:
        live.must(Sit("", 2))


class _Again:
    """The same chair for a second game."""

    def __init__(self, table: Remote) -> None:
        self._table = table
        self._first = True

    def __getattr__(self, name: str):
        return getattr(self._table, name)

    async def start(self) -> None:
        """The round has already begun."""


def test_no_color_is_plain_in_lines() -> None:
    done = subprocess.run(
        [*PLAY, "star", "--seed", "7"], input="q\n", capture_output=True, text=True, check=True,
        env=os.environ | {"NO_COLOR": "1", "FORCE_COLOR": "1"},
    )  # fmt: skip
    assert ESCAPE not in done.stdout


def test_mistakes_are_listed_at_the_end_the_worst_first() -> None:
    hits = "10\nn\n" + "h\n" * 5
    done = run("canberra", "--line", "--seed", "3", "--rounds", "2", "--mistakes", typed=hits * 2)
    head, _, rows = done.stdout.partition("3 mistakes cost $9.96 on average:\n")
    assert "Session: 2 rounds" in head, done.stdout
    assert rows.splitlines()[0].startswith("  $7.24  18 against a 5: hit, better stand. A card busts 18")
    costs = [float(row.split()[0].removeprefix("$")) for row in rows.splitlines()]
    assert costs == sorted(costs, reverse=True)
    assert "mistake" not in run("canberra", "--line", "--seed", "3", "--rounds", "2", typed=hits * 2).stdout
