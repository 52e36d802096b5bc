"""`pontoon simulate` and `pontoon strategy`: what they print, how they are stopped, and one line for bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from pontoon import library
from pontoon.cli import simulate, strategy
from pontoon.cli.common import simulation as simulation_common
from pontoon.cli.common.parser import Parser
from pontoon.rulebook import load
from pontoon.simulation import Plan
from pontoon.simulation.device import Cpu, Range
from pontoon.simulation.kernel import Sums
from pontoon.strategy import CompositionStrategy, read_strategy

KEYS = {
    *(
        "rulebook",
        "digest",
        "overrides",
        "decks",
        "stake",
        "boxes",
        "strategy",
        "penetration",
        "rounds",
        "ev",
        "standard_error",
    ),
    *("sd", "rounds_per_second", "device", "threads", "seed", "frequencies", "ev_by_upcard"),
}
UPCARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "K", "A")


def row(code: str) -> dict[str, dict[str, str]]:
    return {upcard: {"code": code} for upcard in UPCARDS}


PLAIN = {
    "rulebook": "star",
    "decks": 6,
    "upcards": UPCARDS,
    "hard": {str(points): row("H" if points < 12 else "S") for points in range(4, 21)},
    "soft": {str(points): row("H" if points < 18 else "S") for points in range(12, 21)},
    "pairs": {"88": row("P")},
}
"""A chart with few hands, which compiles almost instantly."""


@pytest.fixture
def chart(tmp_path: Path) -> str:
    file = tmp_path / "plain.json"
    file.write_text(json.dumps(PLAIN))
    return str(file)


def command(*arguments: str) -> int:
    top = Parser(prog="pontoon")
    commands = top.add_subparsers(dest="command")
    simulate.add_to(commands)
    strategy.add_to(commands)
    args = top.parse_args(arguments)
    try:
        status = args.run(args)
    except SystemExit as ended:
        status = ended.code
    assert isinstance(status, int)
    return status


def run(capsys, *arguments: str):
    try:
        status = command("simulate", "star", "--decks", "6", *arguments)
    except SystemExit as ended:
        status = ended.code  # type: ignore[assignment]
    return status, capsys.readouterr()


def data_of(capsys, *arguments: str):
    status, shown = run(capsys, "--json", *arguments)
    assert status == 0, shown.err
    return json.loads(shown.out)


def test_json(capsys, chart: str):
    data = data_of(capsys, "--strategy", chart, "--rounds", "1e6", "--threads", "2")
    assert set(data) == KEYS
    assert (data["rulebook"], data["decks"], data["rounds"], data["seed"]) == ("star", 6, 1_000_000, 1)
    assert (data["device"], data["threads"], data["boxes"]) == ("cpu", 2, 1)
    assert data["ev"] == pytest.approx(-0.0918, abs=5 * data["standard_error"])
    assert data["standard_error"] == pytest.approx(data["sd"] / 1000, rel=1e-6)
    assert set(data["ev_by_upcard"]) == set(UPCARDS)
    one = data_of(capsys, "--strategy", chart, "--rounds", "1M", "--threads", "1")
    for way in (data, one):
        del way["rounds_per_second"], way["threads"]
    assert data == one


def test_text(capsys, chart: str):
    status, shown = run(
        capsys, "--strategy", chart, "--rounds", "300k", "--boxes", "2", "--penetration", "0.75", "--seed", "9"
    )
    assert status == 0
    lines = shown.out.splitlines()
    assert lines[0].startswith("star, 6 packs, rules ")
    assert lines[1].startswith("300,000 rounds of 2 boxes, $10.00 each, cutting card at 75%")
    assert lines[1].endswith("seed 9")
    assert any(line.startswith("house edge") and "± 0." in line for line in lines)
    assert any(line.startswith("pontoon ") and "1 in 2" in line for line in lines)
    assert any("J Q K" in line for line in lines)
    assert "rounds a second on cpu" in lines[-1]
    assert "exact" not in shown.out


def test_optimal_play_beside_its_exact_value(capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(library, "_cache_folder", lambda: tmp_path / "cache")
    status, shown = run(capsys, "--rounds", "4M")
    assert status == 0
    exact = next(line for line in shown.out.splitlines() if line.startswith("exact edge"))
    assert "0.3956%" in exact
    assert abs(float(exact.split("the simulated edge is")[1].split()[0])) < 4
    monkeypatch.setattr(strategy, "_solver", None)  # from here on everything is recorded
    file = tmp_path / "star.json"
    assert command("strategy", "star", "--decks", "6", "--out", str(file)) == 0
    assert capsys.readouterr().out == f"{file}\n"
    assert isinstance(read_strategy(file.read_text()), CompositionStrategy)
    assert command("strategy", "star", "--decks", "6") == 0
    assert capsys.readouterr().out == file.read_text()
    assert command("strategy", "star", "--decks", "6", "--out", str(tmp_path / "no" / "star.json")) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_cache_that_cannot_be_used_is_no_reason_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def kept(text: str) -> str:
        return library.cached_text("x.json", load("star"), 6, 1000, lambda: text)

    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file" / "below", tmp_path):
        monkeypatch.setattr(library, "_cache_folder", lambda folder=folder: folder)
        assert kept("[1]") == "[1]"
    file = next(tmp_path.glob("*x.json"))
    file.write_text("half of i")
    assert kept("[2]") == "[2]"
    assert kept("[3]") == "[2]"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--rounds 0", "is not a number of rounds"),
        ("--rounds many", "is not a number of rounds"),
        ("--rounds 1.5", "is not a number of rounds"),
        ("--rounds 1e16", "is not a number of rounds"),
        ("--rounds 1e999999999", "is not a number of rounds"),
        ("--rounds -5", "is not a number of rounds"),
        ("--rounds nan", "is not a number of rounds"),
        ("--seed x", "is not a seed"),
        ("--seed -1", "is not a seed"),
        ("--seed 18446744073709551616", "is not a seed"),
        ("--decks 5", "allows 6, 8"),
        ("--boxes 8", "has boxes 1 to 7"),
        ("--boxes 0", "has boxes 1 to 7"),
        ("--strategy nosuch", "neither optimal, chart nor a file"),
        ("--strategy .", "neither optimal, chart nor a file"),
        ("--strategy pyproject.toml", "neither a composition-dependent strategy nor a chart"),
        ("--penetration 0.95", "is not a penetration"),
        ("--penetration 0.5 --fresh-shoe", "not allowed with"),
        ("--until-error 0", "is not an error"),
        ("--until-error small", "is not an error"),
        ("--threads 0", "is not a number of threads"),
        ("--threads 2 --device gpu", "--threads is for the cores"),
        ("--device abacus", "invalid choice"),
        ("--stake 0.05", "half of it must be whole cents"),
        ("--stake 9999999999", "more than the simulation can count"),
        ("--stake 1234.58", "take a rounder one"),
        ("--resume", "name it with --checkpoint"),
        ("--resume --checkpoint nosuch.json", "cannot read 'nosuch.json'"),
        ("--checkpoint nosuch/run.json", "cannot write 'nosuch/run.json'"),
        ("--checkpoint pyproject.toml", "exists: continue from it with --resume"),
        ("--cluster nowhere", "no scheduler at nowhere"),
        ("--set dealer.wings=2", "no option"),
    ],
)
def test_bad_input_is_one_line(capsys, chart: str, arguments: str, words: str):
    asked = arguments if "--strategy" in arguments else f"--strategy {chart} {arguments}"
    status, shown = run(capsys, *asked.split())
    assert status == 2
    assert words in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_no_gpu_is_one_line(capsys, chart: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pontoon.simulation.device.gpu_present", lambda: False)
    status, shown = run(capsys, "--strategy", chart, "--device", "gpu")
    assert status == 2
    assert shown.err.startswith("pontoon: no GPU")
    assert shown.err.count("\n") == 1


def test_a_strategy_that_leaves_the_question_open_is_one_line(capsys, tmp_path: Path):
    file = tmp_path / "short.json"
    file.write_text(json.dumps({**PLAIN, "hard": {}}))
    status, shown = run(capsys, "--strategy", str(file))
    assert status == 2
    assert "the chart has no code for hard" in shown.err
    assert shown.err.count("\n") == 1


class Stopped(Cpu):
    """A machine that raises Ctrl-C after the third piece."""

    def play(self, plan: Plan, ranges: Iterable[Range]) -> Iterator[tuple[Range, Sums]]:
        for number, piece in enumerate(super().play(plan, ranges)):
            if number == 3:
                raise KeyboardInterrupt
            yield piece


def test_interrupted_resumed_and_uninterrupted(capsys, chart: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    asked = ("--strategy", chart, "--rounds", "8000001", "--threads", "2")
    whole = data_of(capsys, *asked)
    checkpoint = ("--checkpoint", str(tmp_path / "run.json"))
    monkeypatch.setattr("pontoon.simulation.checkpoint.SAVE_EVERY", 0.0)
    monkeypatch.setattr(simulate, "machine_of", lambda _: Stopped(2))
    status, shown = run(capsys, "--json", *asked, *checkpoint)
    assert status == 130
    assert 0 < json.loads(shown.out)["rounds"] < 8_000_000
    status, shown = run(capsys, *asked, *checkpoint, "--resume")
    assert status == 130
    assert "house edge" in shown.out
    monkeypatch.undo()
    for seed in ("--seed", "2"), ("--seed", "3"):
        status, shown = run(capsys, *asked, *checkpoint, "--resume", *seed)
        assert (status, shown.out) == (2, "")
        assert f"seed 1, not {seed[1]}" in shown.err
    resumed = data_of(capsys, *asked, *checkpoint, "--resume")
    for way in (whole, resumed):
        del way["rounds_per_second"]
    assert resumed == whole
    assert data_of(capsys, *asked, *checkpoint, "--resume")["ev"] == whole["ev"]


def test_interrupted_before_anything_is_known(capsys, chart: str, monkeypatch: pytest.MonkeyPatch):
    class AtOnce(Cpu):
        name = "nowhere"

        def play(self, plan: Plan, ranges: Iterable[Range]) -> Iterator[tuple[Range, Sums]]:  # noqa: ARG002 not asked
            raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "machine_of", lambda _: AtOnce(1))
    status, shown = run(capsys, "--strategy", chart)
    assert (status, shown.out, shown.err) == (130, "", "")


def test_until_an_error(capsys, chart: str):
    data = data_of(capsys, "--strategy", chart, "--until-error", "5e-4")
    assert 4.9e-4 < data["standard_error"] <= 5e-4
    capped = data_of(capsys, "--strategy", chart, "--until-error", "5e-4", "--rounds", "1M")
    assert capped["rounds"] == 1_000_000


def test_progress_on_a_terminal_and_in_a_file(capsys, chart: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(simulation_common, "SAY_EVERY", 0.0)
    status, shown = run(capsys, "--strategy", chart, "--rounds", "4M", "--json")
    assert status == 0
    assert shown.err.startswith("pontoon: [")
    assert "/s, error 0.00" in shown.err
    monkeypatch.setattr(simulation_common, "DRAW_EVERY", 0.0)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    _, shown = run(capsys, "--strategy", chart, "--until-error", "8e-4", "--json")
    assert "[############] 100%" in shown.err
    assert shown.err.endswith("\r")


def test_a_simulated_gpu_comes_to_the_same(capsys, chart: str):
    asked = ("star", "--decks", "6", "--strategy", chart, "--rounds", "300", "--json")
    code = "from tests.simulation.test_simulate_command import command; import sys; sys.exit(command(*sys.argv[1:]))"
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, "simulate", *asked, "--device", "gpu"],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": os.pathsep.join(("src", "."))},
    )
    gpu, cpu = json.loads(ended.stdout), data_of(capsys, *asked[3:-1])
    assert gpu.pop("device") == "gpu"
    assert {key: cpu[key] for key in gpu if key in ("ev", "sd", "frequencies", "ev_by_upcard")} == {
        key: gpu[key] for key in gpu if key in ("ev", "sd", "frequencies", "ev_by_upcard")
    }
