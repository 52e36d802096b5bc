"""A tournament with a custom rulebook: read next to the conditions, stored with them, and played."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pontoon.cli import main
from pontoon.rulebook import digest, library, load, to_toml
from pontoon.store.body_coding import body_of, stored
from pontoon.tournament.conditions.load import ConditionsError, plain, read, write
from pontoon.tournament.conditions.load import digest as digest_of
from pontoon.tournament.conditions.round_rulebook import book_of, rules_of

SMALL = Path(__file__).with_name("small.toml").read_text()
NAMED = SMALL.replace("[game]\n", '[game]\nrulebook = "./my-casino.toml"\n')


def own_book(folder: Path, **overrides: object) -> None:
    """A rulebook beside the conditions: canberra with the changes."""
    changes = {key.replace("__", "."): value for key, value in overrides.items()}
    text = to_toml(load("canberra", changes), name="my-casino")
    (folder / "my-casino.toml").write_text(text, encoding="utf-8")


def status_of(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture
def file(tmp_path: Path) -> str:
    own_book(tmp_path, split__max_hands=3)
    path = tmp_path / "cup.toml"
    path.write_text(NAMED)
    return str(path)


def test_conditions_name_a_rulebook_beside_them(file: str, capsys: pytest.CaptureFixture[str]):
    assert status_of("tournament", "check", file) == 0
    assert "in order" in capsys.readouterr().out
    assert status_of("tournament", "conditions", file) == 0
    assert "Rounds are dealt by the rulebook my-casino." in capsys.readouterr().out
    assert status_of("tournament", "conditions", file, "--json") == 0
    assert json.loads(capsys.readouterr().out)["conditions"]["game"]["rulebook"] == "my-casino"


def test_the_digest_names_the_rulebook_by_its_rules_and_not_by_its_place(tmp_path: Path):
    def conditions(**overrides: object) -> str:
        own_book(tmp_path, **overrides)
        return digest_of(read(NAMED, "cup.toml", lambda name: load(name, folder=tmp_path)))

    first = conditions(split__max_hands=3)
    assert first == conditions(split__max_hands=3)
    assert first != conditions(split__max_hands=2)
    shipped = read(SMALL.replace("[game]\n", '[game]\nrulebook = "star"\n').replace("packs = 4", "packs = 8"), "")
    assert shipped.game.rulebook == "star"
    assert digest_of(shipped) != digest_of(read(SMALL.replace("packs = 4", "packs = 8"), ""))
    named = SMALL.replace("[game]\n", '[game]\nrulebook = "canberra"\n')
    assert digest_of(read(named, "")) == digest_of(read(SMALL, ""))


def test_conditions_that_were_read_carry_their_rulebook(tmp_path: Path):
    own_book(tmp_path, split__max_hands=3)
    conditions = read(NAMED, "cup.toml", lambda name: load(name, folder=tmp_path))
    (tmp_path / "my-casino.toml").unlink()
    again = read(write(conditions), "again.toml")
    assert again == conditions
    assert book_of(again.game).split.max_hands == 3
    assert not any(bet.offered for bet in rules_of(again.game).side)
    assert "book" not in plain(read(SMALL, "small.toml"))["game"]


BAD = dict(
    enumerate(
        (
            (NAMED.replace("my-casino", "nowhere"), "nowhere.toml: no rulebook can be read there"),
            (SMALL.replace("[game]\n", '[game]\nrulebook = "poker"\n'), "no rulebook 'poker'"),
            (SMALL.replace("[game]\n", '[game]\nbook = "{}"\n'), "cannot be read"),
            (SMALL.replace("[game]\n", "[game]\nrulebook = 7\n"), "game.rulebook is 7; a text is needed"),
            (NAMED.replace("packs = 4", "packs = 2"), "2 packs are not allowed by the rulebook my-casino, only 3 to 8"),
            (SMALL.replace("[game]\n", '[game]\nrulebook = "star"\n'), "not allowed by the rulebook star, only 6, 8"),
            (SMALL.replace("packs = 4", "packs = 1"), "1 packs are not allowed by rule 2.1, only 3 to 8"),
        )
    )
)


@pytest.mark.parametrize("number", BAD)
def test_a_rulebook_that_cannot_be_used_is_a_fault_of_the_conditions(tmp_path: Path, number: int):
    changed, words = BAD[number]
    own_book(tmp_path)
    with pytest.raises(ConditionsError) as error:
        read(changed, "cup.toml", lambda name: load(name, folder=tmp_path))
    assert words in str(error.value)
    assert "[20.1]" in str(error.value)


def test_a_changed_rulebook_under_a_shipped_name_is_refused(tmp_path: Path):
    text = to_toml(load("star", {"split.max_hands": 3}), name="star")
    (tmp_path / "my-casino.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConditionsError, match="the name of a shipped rulebook"):
        read(NAMED, "cup.toml", lambda name: load(name, folder=tmp_path))


def test_a_run_is_played_and_resumed_by_the_rulebook_it_was_begun_with(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    words = ("tournament", "run", file, "--seed", "1", "--out", str(tmp_path / "run"))
    assert status_of(*words) == 0
    transcript = next((tmp_path / "run").glob("transcripts/**/round-001.prt")).read_text()
    assert 'rulebook = "my-casino"' in transcript
    capsys.readouterr()
    assert status_of(*words, "--resume") == 0
    assert "already over" in capsys.readouterr().out
    own_book(tmp_path, split__max_hands=2)
    assert status_of(*words, "--resume") == 2
    assert "other conditions" in capsys.readouterr().err


def test_a_run_goes_on_whatever_ships_later_and_a_tampered_one_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    file = tmp_path / "cup.toml"
    file.write_text(SMALL)
    words = ("tournament", "run", str(file), "--seed", "1", "--out", str(tmp_path / "run"))
    assert status_of(*words) == 0
    before = (tmp_path / "run" / "standings.json").read_bytes()
    other = load("canberra", {"split.max_hands": 2})
    monkeypatch.setattr(library, "_shipped", lambda _: other)
    assert digest(load("canberra")) == digest(other)
    (tmp_path / "run" / "standings.json").unlink()
    assert status_of(*words, "--resume") == 0
    assert (tmp_path / "run" / "standings.json").read_bytes() == before
    with closing(sqlite3.connect(tmp_path / "run" / "run.db")) as store, store:
        (body,) = store.execute("select body from entries where version = 1").fetchone()
        for (name,) in store.execute("select name from sqlite_schema where type = 'trigger'").fetchall():
            store.execute(f"drop trigger {name}")
        tampered = stored(body_of(body).replace(b"max_hands", b"max_hand"))
        store.execute("update entries set body = ? where version = 1", (tampered,))
    capsys.readouterr()
    assert status_of(*words, "--resume") == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
