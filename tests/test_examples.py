"""The programs in examples/python run and do what they claim."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.crash import Nursery, up
from tests.test_readme import checked

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "examples" / "python"


def run(name: str, *arguments: str, status: int = 0) -> list[str]:
    """The lines a program prints."""
    done = subprocess.run(
        [sys.executable, str(PROGRAMS / f"{name}.py"), *arguments],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"},
        timeout=200,
        check=False,
    )
    assert (done.returncode, done.stderr) == (status, "")
    return done.stdout.splitlines()


def test_there_are_six_and_they_pass_our_mypy():
    programs = sorted(PROGRAMS.glob("*.py"))
    assert len(programs) == 6
    assert checked(*programs) == ""


def test_play_a_round():
    lines = run("play_a_round", "4")
    assert lines[0] == "Dealer: Jh"
    assert lines[-1] == "Ann: -10.00"
    assert run("play_a_round", "3")[-1] == "Ann: 15.00"


def test_value_a_decision():
    assert run("value_a_decision")[:2] == [
        "canberra: 7s 7s against 7d, first wager 25.00",
        "hit        +2.9383 of the wager",
    ]


def test_simulate_a_function():
    [line] = run("simulate_a_function", "20000")
    assert line.startswith("house edge ")
    assert line.endswith(", 20,000 rounds")


def test_audit_a_folder(tmp_path: Path):
    assert run("audit_transcripts") == [
        "dealer-pontoon.prt: division-15, Ann -10.00, house 10.00",
        "super-bonus.prt: division-15, Ann 5075.00, Bob 40.00, Cat 40.00, house -5155.00",
    ]
    shutil.copy(ROOT / "examples" / "super-bonus.prt", tmp_path / "a.prt")
    with (tmp_path / "a.prt").open("a", encoding="utf-8") as file:
        file.write('\n[paid]\nAnn = "5000.00"\nBob = "40.00"\nCat = "40.00"\n')
    assert run("audit_transcripts", str(tmp_path), status=1)[-1] == "  Ann is still owed 75.00"
    (tmp_path / "b.prt").write_text("nonsense", encoding="utf-8")
    assert run("audit_transcripts", str(tmp_path), status=2)[-1].startswith("b.prt: file: not TOML")


def test_a_custom_rulebook():
    lines = run("custom_rulebook")
    assert lines[:2] == ["double.for_less: False in star, True here", "split.max_hands: 2 in star, 3 here"]
    assert lines[2:] == ["house edge 0.3793% of the first wager"]


@pytest.mark.parametrize("rounds", ["3"])
def test_a_bot_for_the_server(tmp_path: Path, rounds: str):
    with Nursery(tmp_path) as nursery:
        port = nursery.ports[0]
        nursery.start(port)
        asyncio.run(up(port))
        lines = run("server_bot", f"http://127.0.0.1:{port}", rounds)
    assert [line.split(":")[0] for line in lines] == ["Round 1", "Round 2", "Round 3", "Robot"]
    assert lines[-1].startswith("Robot: 3 rounds, ")
