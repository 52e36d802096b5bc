"""A moved log equals its source row by row, in both directions, also after an interruption."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from pontoon.cli import main
from pontoon.store import SqliteStore, StoreError, open_store
from pontoon.store import move as moving
from pontoon.store.move import move
from pontoon.store.rows import TABLES
from pontoon.store.verify import faults
from tests.store.appends import furnish, put


def quiet(_: str, __: int) -> None:
    pass


def rows_of(place: str):
    with closing(open_store(place, read_only=True)) as store, store.snapshot() as rows:
        return {table: list(rows(table)) for table in TABLES}


@pytest.fixture
def log(tmp_path: Path) -> str:
    """A log on a file."""
    place = str(tmp_path / "old.db")
    with closing(SqliteStore(place)) as store:
        furnish(store, Random(5))
    return place


def places(tmp_path: Path, postgresql) -> list[str]:
    return [str(tmp_path / "new.db"), postgresql.new_database(), str(tmp_path / "back" / "pontoon.db")]


def test_a_log_moves_to_another_file_to_a_database_and_back(log, tmp_path: Path, postgresql):
    whole = rows_of(log)
    assert all(whole.values())
    source = log
    for target in places(tmp_path, postgresql):
        assert move(source, target, quiet) == sum(row[1] for row in whole["heads"])
        assert rows_of(target) == whole
        source = target
    with closing(open_store(source)) as store:
        put(store, "table/1")
        assert list(faults(store)) == []


def test_an_interrupted_move_goes_on(log, tmp_path: Path, postgresql, monkeypatch: pytest.MonkeyPatch):
    whole = rows_of(log)
    monkeypatch.setattr(moving, "STEP", 7)
    for target in places(tmp_path, postgresql)[:2]:
        attempts = 0
        while True:
            done = 0

            def fail_after_three(doing: str, _: int) -> None:
                nonlocal done
                done += doing.startswith("copying")
                if done == 3:
                    raise KeyboardInterrupt

            attempts += 1
            try:
                move(log, target, fail_after_three)
            except KeyboardInterrupt:
                with closing(open_store(target, read_only=True)) as half:
                    assert half.heads() == [], "nobody takes half a log for the whole"
                continue
            break
        assert attempts > 3
        assert rows_of(target) == whole


def test_a_finished_move_is_only_compared_again(log, tmp_path: Path):
    target = str(tmp_path / "new.db")
    assert move(log, target, quiet) == move(log, target, quiet)


def test_another_log_in_the_target_is_not_touched(log, tmp_path: Path):
    target = str(tmp_path / "other.db")
    with closing(SqliteStore(target)) as store:
        put(store, "table/other")
    before = rows_of(target)
    with pytest.raises(StoreError, match="it holds another log; move into an empty target"):
        move(log, target, quiet)
    assert rows_of(target) == before


def test_a_server_that_runs_is_not_moved(log, tmp_path: Path, postgresql):
    with closing(SqliteStore(log)), pytest.raises(StoreError, match="in use by another server"):
        move(log, str(tmp_path / "new.db"), quiet)
    database = postgresql.new_database()
    move(log, database, quiet)
    with closing(open_store(database)) as store:
        store.take_lease("table/1", "A", "a", 600)
        with pytest.raises(StoreError, match="stop it first"):
            move(database, str(tmp_path / "new.db"), quiet)
        with pytest.raises(StoreError, match="stop it first"):
            move(log, database, quiet)


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("none.db", "new.db", "there is no file"),
        ("old.db", "old.db", "the same place"),
        ("old.db", "text.txt", "not a database"),
    ],
)
@pytest.mark.usefixtures("log")
def test_bad_places_are_one_clear_line(tmp_path: Path, capsys, source, target, words):
    (tmp_path / "text.txt").write_text("nothing of ours, and longer than a page header of SQLite " * 20)
    with pytest.raises(SystemExit) as ended:
        main(["migrate", "--from", str(tmp_path / source), "--to", str(tmp_path / target)])
    out, err = capsys.readouterr()
    assert (ended.value.code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_folders_have_their_file_and_the_result_is_json(log, tmp_path: Path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["migrate", "--from", log, "--to", str(tmp_path / "club"), "--json"])
    assert ended.value.code == 0
    assert json.loads(capsys.readouterr().out)["entries"] > 10
    assert rows_of(str(tmp_path / "club" / "pontoon.db")) == rows_of(log)
