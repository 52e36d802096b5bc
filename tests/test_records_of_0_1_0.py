"""Data written by version 0.1.0 keeps working: logs, tournaments, strategies, checkpoints, games."""

from __future__ import annotations

import gzip
import json
from itertools import count
from pathlib import Path

import pytest

from pontoon.cli import main
from pontoon.rulebook import is_recorded, load
from pontoon.server.run import checked
from pontoon.store.sqlite import SqliteStore
from pontoon.strategy import find, made_for
from pontoon.table import Table
from pontoon.tournament import commands as c
from tests.server.tournaments.cup import DORA, Cup, played

DATA = Path(__file__).with_name("data") / "0.1.0"
SMALL = Path(__file__).with_name("tournament") / "small.toml"
CHOSEN = {"split.max_hands": 3}


def unpacked(name: str, folder: Path) -> Path:
    """A writable copy of a file of version 0.1.0."""
    path = folder / name
    path.write_bytes(gzip.decompress((DATA / f"{name}.gz").read_bytes()))
    return path


def status_of(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    assert isinstance(ended.value.code, int)
    return ended.value.code


# --- a server ------------------------------------------------------------------------------------------


def test_a_log_is_verified_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = unpacked("pontoon.db", tmp_path)
    assert status_of("verify", "log", "--file", str(file), "--replay") == 0
    assert "as written" in capsys.readouterr().out
    store = SqliteStore(file)
    said: list[str] = []
    checked(store, said.append)
    store.close()
    assert "chains whole" in said[0]


def test_its_tables_have_their_rules_and_its_tournament_goes_on(tmp_path: Path):
    file = unpacked("pontoon.db", tmp_path)

    async def work() -> None:
        store = SqliteStore(file)
        cup = Cup(store)
        await cup.house.start()
        rules = {name: cup.house.lives[name].room.state.table.rules for name in ("plain2", "chosen", "sides2")}
        digests = {name: cup.house.lives[name].room.state.digest for name in rules}
        assert digests["plain2"] == "d261c65ea9ce"
        assert len(set(digests.values())) == len(rules)
        assert rules["plain2"].overrides == ()
        assert rules["chosen"].split.max_hands == 3
        assert [bet.offered for bet in rules["chosen"].side] == [False]
        assert (rules["sides2"].about.name, rules["sides2"].side[0].offered) == ("canberra", True)
        assert all(len(finished(cup, name)) == 3 for name in rules)
        cup.id, cup._keys = "cup234", count(1000)  # the first process used the first keys
        assert (cup.state.phase, cup.state.session) == ("between", 1)
        await cup.do(DORA, c.DrawBallot(""))
        await cup.started()
        await cup.session()
        await cup.finished()
        assert cup.state.phase == "over"
        cup.books()
        await cup.house.close()
        store.close()

    played(work)
    assert status_of("verify", "log", "--file", str(file), "--replay") == 0


def finished(cup: Cup, name: str) -> tuple[object, ...]:
    table: Table = cup.house.lives[name].room.state.table
    return table.finished


# --- strategies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["strategy.json", "chart.json"])
def test_a_strategy_fits_the_rules_it_was_made_for_and_no_others(name: str, tmp_path: Path):
    strategy = find(unpacked(name, tmp_path))
    assert made_for(strategy, load("star", CHOSEN), 8) == ""
    assert made_for(strategy, load("star", CHOSEN), 6) == "star, 8 packs"
    assert made_for(strategy, load("star"), 8) == "star, 8 packs with other overrides"
    assert made_for(strategy, load("federal"), 8) == "star, 8 packs"


@pytest.mark.parametrize(
    ("name", "overrides"),
    [
        ("star", {}),
        ("star", {"side.perfect_pairs": False, "split.max_hands": 3}),
        ("canberra", {"side.perfect_pairs_mixed": "6:1", "side.pairs_play_any": "10:1"}),
        ("canberra", {"side.own_wager_needed": False, "side.most_per_box": 2, "side.compulsory": True}),
        ("adelaide", {"decks.with_perfect_pairs": [6]}),
    ],
)
def test_the_digest_of_version_0_1_0_is_known_again(name: str, overrides: dict[str, object]):
    from pontoon.rulebook.library import archived_digest

    was = archived_digest(name, overrides)
    assert is_recorded(load(name, overrides), name, was)
    assert not is_recorded(load(name, {**overrides, "payout.pontoon": "6:5"}), name, was)
    assert not is_recorded(load("federal"), name, was)
    assert not is_recorded(load(name, overrides), "my-casino", was)


# --- games ---------------------------------------------------------------------------------------------


def test_a_saved_round_is_settled_as_it_was(capsys: pytest.CaptureFixture[str]):
    assert status_of("settle", str(DATA / "round.prt"), "--json") == 0
    found, was = json.loads(capsys.readouterr().out), json.loads((DATA / "settled.json").read_text())
    assert {**found, "digest": "", "file": ""} == {**was, "digest": "", "file": ""}


def test_an_unfinished_round_is_read_as_far_as_it_went(capsys: pytest.CaptureFixture[str]):
    assert status_of("settle", str(DATA / "pontoon-unfinished.prt")) == 2
    assert "still needs a decision" in capsys.readouterr().err


# --- a run of a tournament -----------------------------------------------------------------------------


def test_a_tournament_run_goes_on_to_the_same_prizes(tmp_path: Path):
    unpacked("run.db", tmp_path)
    words = ("tournament", "run", str(SMALL), "--seed", "monday", "--out", str(tmp_path), "--resume")
    assert status_of(*words) == 0
    for name in ("standings.json", "payouts.json"):
        assert (tmp_path / name).read_text() == (DATA / name).read_text()
