"""`pontoon tournament run`: what it writes, what it refuses, and that kill -9 at any moment changes nothing."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from pontoon.cli import main
from pontoon.money import cents
from pontoon.store import open_store
from pontoon.store.verify import faults
from pontoon.table.shuffle import seed_hash
from pontoon.transcript import RefusedLine, read, replay

HERE = Path(__file__).parent
SMALL = HERE / "small.toml"
BOTS = 'no_shows = "10%"\nbuy_backs = "70%"\n[[bots]]\nwagers = "random"\n[[bots]]\nwagers = "share"\npart = "20%"'
SHEETS = ("standings.csv", "standings.json", "payouts.csv", "payouts.json")


@pytest.fixture(scope="module")
def bots(tmp_path_factory) -> Path:
    file: Path = tmp_path_factory.mktemp("bots") / "bots.toml"
    file.write_text(BOTS)
    return file


def arguments(bots: Path, out: Path, *more: str) -> list[str]:
    return ["tournament", "run", str(SMALL), "--bots", str(bots), "--seed", "9", "--out", str(out), *more]


@pytest.fixture(scope="module")
def whole(tmp_path_factory, bots) -> Path:
    """An uninterrupted run."""
    out: Path = tmp_path_factory.mktemp("whole") / "run"
    done = subprocess.run(
        [sys.executable, "-m", "pontoon", *arguments(bots, out)], capture_output=True, text=True, check=True
    )
    assert not done.stderr  # nobody looks: no progress
    assert "pool 0.00" in done.stdout
    return out


def run(capsys, *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    out, err = capsys.readouterr()
    return int(ended.value.code or 0), out, err


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def tree(folder: Path) -> dict[str, bytes]:
    """All files except the database, whose pages may be in a different order."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.name.startswith("run.db")
    }


def log(folder: Path) -> list[tuple[object, ...]]:
    store = open_store(folder / "run.db", read_only=True)
    try:
        assert not list(faults(store))
        return [(entry.version, entry.hash) for head in store.heads() for entry in store.read(head.stream, 0, 10**6)]
    finally:
        store.close()


# --- what it writes ------------------------------------------------------------------------------------


def test_20_19_payouts_are_the_pool_to_the_cent(whole):
    store = open_store(whole / "run.db", read_only=True)
    try:
        accounts = store.balances()
    finally:
        store.close()
    assert accounts["pool/small-cup"] == 0
    paid = sum(cents(row["amount"]) for row in rows(whole / "payouts.csv"))
    left = sum(amount for name, amount in accounts.items() if name.startswith("wallet/"))
    fees = -accounts["bank"] - (left - paid)  # the initial total, less what was left before the prizes
    assert paid == fees - accounts["commission/small-cup"] + 701 > 0
    assert accounts["house"] == -701
    assert paid == sum(cents(row["prize"]) for row in rows(whole / "standings.csv"))
    assert {row["paid"] for row in rows(whole / "payouts.csv")} == {"yes"}
    assert not sum(amount for name, amount in accounts.items() if name.startswith("chips/"))
    assert accounts["chip_bank/small-cup"] == 0


def test_20_18_standings_are_in_order_and_of_everybody_who_holds_a_place(whole):
    found = rows(whole / "standings.csv")
    places = [int(row["place"]) for row in found]
    assert places == sorted(places)
    assert places[0] == 1
    assert 10 <= len(found) == len({row["player"] for row in found}) <= 14
    assert json.loads((whole / "standings.json").read_text())[0]["player"] == found[0]["player"]


def test_every_transcript_settles(whole):
    files = sorted((whole / "transcripts").rglob("*.prt"))
    assert len(files) >= 12
    for file in files:
        played = replay(read(file.read_text("utf-8")))
        assert not isinstance(played, RefusedLine), file
        assert played.state.phase == "ended"


def test_the_log_is_as_written(whole, capsys):
    status, out, _ = run(capsys, "verify", "log", "--file", str(whole / "run.db"), "--replay")
    assert status == 0
    assert "as written" in out


def test_the_page_fetches_nothing_and_shows_the_seed_of_the_ballot(whole):
    page = (whole / "report.html").read_text()
    assert not re.search(r"https?:|src=|href=|url\(|@import|<script|<link|<iframe|<img", page)
    codes = re.findall(r"<code>([0-9a-f]{64})</code>", page)
    assert seed_hash(bytes.fromhex(codes[1])) == codes[0]
    assert page.count("<svg") == 1
    for row in rows(whole / "payouts.csv"):
        assert row["amount"] in page


def test_the_picture_is_a_picture(whole):
    content = (whole / "chips.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n")
    width, height = (int.from_bytes(content[place : place + 4], "big") for place in (16, 20))
    assert (width, height) == (1680, 960)


def test_20_21_a_cancelled_tournament_says_so(tmp_path, capsys):
    few = tmp_path / "few.toml"
    few.write_text("entries = 1\n[[bots]]")
    status, out, _ = run(capsys, *arguments(few, tmp_path / "run"))
    assert status == 0
    assert "all entry fees and commissions were refunded (20.21)" in out
    store = open_store(tmp_path / "run/run.db", read_only=True)
    assert (store.balance("wallet/Player 001"), store.balance("pool/small-cup")) == (3333 + 2000, 0)
    store.close()
    assert (tmp_path / "run/payouts.csv").exists()


# --- kill -9 -------------------------------------------------------------------------------------------


def killed(words: list[str], come: Callable[[], bool], pause: float) -> bool:
    """Start the program and kill it this long after the moment is reached; False if it finished first."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pontoon", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    limit = time.monotonic() + 60
    while process.poll() is None and not come():
        assert time.monotonic() < limit
        time.sleep(0.0005)
    time.sleep(pause)
    over = process.poll() is not None
    if not over:
        os.kill(process.pid, signal.SIGKILL)
    process.wait()
    return not over


def written(out: Path, count: int) -> bool:
    """Whether this many transcripts exist."""
    return len(list((out / "transcripts").rglob("*.prt"))) >= count


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_at_random_moments_it_ends_the_same(whole, bots, tmp_path):
    chance = Random(20)
    out = tmp_path / "run"
    total = len(list((whole / "transcripts").rglob("*.prt")))
    counts = sorted(chance.sample(range(1, total), 3))
    moments = [out.exists, *(partial(written, out, count) for count in counts), (out / "standings.csv").exists]
    kills = 0
    for moment in moments:
        words = arguments(bots, out, *(["--resume"] if out.exists() else []))
        kills += killed(words, moment, chance.random() * 0.02)
    assert kills >= 4  # the last one may come too late if no picture is drawn
    subprocess.run(
        [sys.executable, "-m", "pontoon", *arguments(bots, out, "--resume")], check=True, capture_output=True
    )
    for name in SHEETS:
        assert (out / name).read_bytes() == (whole / name).read_bytes()
    assert log(out) == log(whole)
    assert tree(out) == tree(whole)


# --- going on, and what is refused ---------------------------------------------------------------------


def test_a_finished_run_says_so_and_changes_nothing(whole, bots, capsys):
    before, entries = tree(whole), log(whole)
    times = {file: file.stat().st_mtime_ns for file in whole.rglob("*.*") if not file.name.startswith("run.db")}
    status, out, err = run(capsys, *arguments(bots, whole, "--resume"))
    assert (status, err) == (0, "")
    assert "it was already over; nothing was changed" in out
    assert (tree(whole), log(whole)) == (before, entries)
    assert {file: file.stat().st_mtime_ns for file in times} == times


def test_json(whole, bots, capsys):
    status, out, _ = run(capsys, *arguments(bots, whole, "--resume", "--json"))
    data = json.loads(out)
    assert status == 0
    assert data["log"] == log(whole)[-1][1]
    assert [row["amount"] for row in data["payouts"]] == [row["amount"] for row in rows(whole / "payouts.csv")]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"--seed": "10"}, "another seed ('9')"),
        ({"--bots": "other"}, "other bots"),
        ({"file": "other"}, "other conditions"),
        ({"--resume": ""}, "continue it with --resume"),
    ],
    ids=["seed", "bots", "conditions", "without --resume"],
)
def test_what_does_not_fit_the_folder_is_refused_in_one_line(whole, bots, tmp_path, capsys, change, words):
    other = tmp_path / "other.toml"
    line = arguments(bots, whole, "--resume")
    if "--seed" in change:
        line[line.index("--seed") + 1] = change["--seed"]
    if "--bots" in change:
        other.write_text(BOTS.replace("70%", "71%"))
        line[line.index("--bots") + 1] = str(other)
    if "file" in change:
        other.write_text(SMALL.read_text().replace('"33.33"', '"33.34"'))
        line[2] = str(other)
    if "--resume" in change:
        line.remove("--resume")
    before = tree(whole)
    status, out, err = run(capsys, *line)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert tree(whole) == before


def test_never_into_a_folder_that_is_not_a_run(bots, tmp_path, capsys):
    (tmp_path / "letter.txt").write_text("dear")
    for more in ((), ("--resume",)):
        status, _, err = run(capsys, *arguments(bots, tmp_path, *more))
        assert (status, err.count("\n")) == (2, 1)
        assert "contains other files" in err
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]
    status, _, err = run(capsys, *arguments(bots, tmp_path / "letter.txt"))
    assert (status, err.count("\n")) == (2, 1)
    assert "is not a folder; choose another" in err
    assert (tmp_path / "letter.txt").read_text() == "dear"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["gone.toml", "--out", "x"], "'gone.toml': No such file"),
        ([str(SMALL), "--bots", "gone.toml", "--out", "x"], "'gone.toml': No such file"),
        ([str(SMALL), "--seed", "a\nb", "--out", "x"], "--seed: use printable characters only"),
        ([str(SMALL), "--seed", "", "--out", "x"], "--seed: use printable characters only"),
        ([str(HERE / "test_run_command.py"), "--out", "x"], "not TOML"),
        ([str(SMALL)], "--out"),
        ([str(SMALL), "--out", "/proc/nowhere/x"], "No such file"),
    ],
)
def test_bad_usage_is_one_line(tmp_path, monkeypatch, capsys, line, words):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "tournament", "run", *line)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())
