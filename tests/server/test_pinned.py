"""A table uses the rulebook in its log, whatever ships later; a changed rulebook is detected."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pontoon.cli import main
from pontoon.engine import PlaceWager
from pontoon.rulebook import Rulebook, canonical, digest, library, load, override, to_toml
from pontoon.server.house import House, Options
from pontoon.server.problems import Problem
from pontoon.server.records.pinned import book_faults
from pontoon.server.records.replay import replay_faults
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.log import TableMade, read_body, write_body
from pontoon.server.rooms.room import make_draft, stream_of
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.rulebooks import FolderError, given_rules, read_folder
from pontoon.server.run import ServeError, opened
from pontoon.store import MemoryStore
from pontoon.store.model import Append, Draft
from pontoon.store.sqlite import SqliteStore
from pontoon.table import commands as c
from tests.server.hall import key

AT_ONCE = Clocks(card=0, wagers=0, decision=0, offer=0)
ANN = Actor("Ann", "administrator")


def bought(name: str = "my-casino") -> Rulebook:
    """A custom rulebook: star with three hands."""
    return load(text=to_toml(load("star", {"split.max_hands": 3}), name=name))


def house_of(store: MemoryStore | SqliteStore, **options: object) -> House:
    return House(store, Options(inline=True, **options), chance=key)  # type: ignore[arg-type]


async def played(house: House, table: str, rounds: int = 2) -> None:
    """Ann plays rounds, and lets the clock decide."""
    from pontoon.server.people.people import AccountOpened, ChipsGiven

    if house.people.find("Ann") is None:
        await house.say_of("Ann", AccountOpened("Ann"), ChipsGiven("Ann", 100_000))
    live = await house.live(table)
    assert live is not None
    if not live.room.state.table.seats:
        assert isinstance(await house.command(Actor("Ann"), table, c.Sit("", 1), "sit", None), int)
    for number in range(rounds):
        asked = PlaceWager(1, "", 1000)
        assert isinstance(await house.command(Actor("Ann"), table, asked, f"{live.room.version} {number}", None), int)


def shipped_star(monkeypatch: pytest.MonkeyPatch, book: Rulebook) -> None:
    """From now on the package ships this as star."""
    was = library._shipped
    monkeypatch.setattr(library, "_shipped", lambda name: book if name == "star" else was(name))


@pytest.mark.asyncio
async def test_a_shipped_rulebook_that_changes_later_changes_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "pontoon.db"
    store = SqliteStore(file)
    house = house_of(store)
    await house.start()
    table = await house.make_table(ANN, Settings("star", clocks=AT_ONCE), "")
    assert isinstance(table, str)
    await played(house, table)
    await house.close()
    was = load("star")
    shipped_star(monkeypatch, replace(override(was, {"split.max_hands": 4, "payout.pontoon": "2:1"}), overrides=()))
    assert digest(load("star")) != digest(was)
    house = house_of(store)
    await house.start()
    await played(house, table)
    state = house.lives[table].room.state
    assert state.digest == digest(was) == digest(state.table.rules)
    assert (state.table.rules.split.max_hands, state.table.finished[-1].number) == (was.split.max_hands, 4)
    new = await house.make_table(ANN, Settings("star", clocks=AT_ONCE), "")
    assert isinstance(new, str)
    assert house.lives[new].room.state.table.rules.split.max_hands == 4
    await house.close()
    store.close()
    with pytest.raises(SystemExit) as ended:
        main(["verify", "log", "--file", str(file), "--replay"])
    assert ended.value.code == 0
    assert "as written" in capsys.readouterr().out


def with_first_entry(store: MemoryStore | SqliteStore, name: str, **changed: object) -> None:
    """A table with a changed first entry and a recomputed hash chain."""
    draft = make_draft(Settings("star", clocks=AT_ONCE), name, "Ann", "player", "")
    assert isinstance(draft, Draft)
    body = read_body(draft.body)
    (event,) = body.events
    assert isinstance(event, TableMade)
    changed_body = write_body(replace(body, events=(replace(event, **changed),)))
    store.write([Append(stream_of(name), 0, 1, (replace(draft, body=changed_body),))])


OTHER = canonical(load("star", {"split.max_hands": 4}))
FAULTS = {
    "another rulebook": ({"book": OTHER}, "was recorded"),
    "no rulebook at all": ({"book": '{"book": 7}'}, "cannot be read"),
    "a digest nobody knows": ({"book": "", "digest": "0123456789ab"}, "are not known to this version"),
}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.asyncio
async def test_a_table_whose_rulebook_is_not_the_recorded_one_is_named(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    changed, words = FAULTS[name]
    store = SqliteStore(tmp_path / "pontoon.db")
    with_first_entry(store, "badone", **changed)
    with_first_entry(store, "good22")
    for found in (list(book_faults(store)), list(replay_faults(store))):
        assert [(fault.stream, fault.version) for fault in found] == [("table/badone", 1)]
        assert found[0].words.startswith("table badone: ")
        assert words in found[0].words
    with pytest.raises(ServeError, match="table badone: "):
        opened(store)
    house = house_of(store)  # a process that finds such a table later skips it and plays the others
    await house.start()
    assert set(house.lives) == {"good22"}
    assert await house.live("badone") is None
    await played(house, "good22")
    await house.close()
    store.close()
    capsys.readouterr()
    for words_too in ([], ["--replay"]):
        with pytest.raises(SystemExit) as ended:
            main(["verify", "log", "--data", str(tmp_path), *words_too])
        assert ended.value.code == 1
        assert "table badone: " in capsys.readouterr().out


def test_serving_such_a_log_is_one_line_and_a_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    store = SqliteStore(tmp_path / "pontoon.db")
    with_first_entry(store, "badone", book="", digest="0123456789ab")
    store.close()
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--port", "0", "--data", str(tmp_path)])
    assert ended.value.code == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("pontoon: table badone: rules 0123456789ab of rulebook 'star' are not known")


# --- rulebooks of the server's own ---------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_table_outlives_the_folder_its_rulebook_came_from(tmp_path: Path):
    (tmp_path / "mine.toml").write_text(to_toml(bought()), encoding="utf-8")
    store = MemoryStore()
    house = house_of(store, rulebooks=read_folder(tmp_path))
    await house.start()
    table = await house.make_table(ANN, Settings("my-casino", overrides={"split.max_hands": 2}, clocks=AT_ONCE), "")
    assert isinstance(table, str)
    await played(house, table)
    await house.close()
    house = house_of(store)
    await house.start()
    await played(house, table)
    rules = house.lives[table].room.state.table.rules
    assert (rules.about.name, rules.split.max_hands) == ("my-casino", 2)
    assert [change.was for change in rules.overrides] == ["3"]
    no = await house.make_table(ANN, Settings("my-casino"), "")
    assert isinstance(no, Problem)
    assert "my-casino" in no.words
    assert list(replay_faults(store)) == []
    await house.close()


def test_a_folder_of_rulebooks_is_read_whole_or_not_at_all(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("not a rulebook")
    assert read_folder(tmp_path) == {}
    for file in ("b.toml", "a.toml"):
        (tmp_path / file).write_text(to_toml(bought(file[0])), encoding="utf-8")
    assert list(read_folder(tmp_path)) == ["a", "b"]
    (tmp_path / "c.toml").write_text(to_toml(bought("a")), encoding="utf-8")
    with pytest.raises(FolderError, match=r"c\.toml: about\.name is 'a', as in a\.toml"):
        read_folder(tmp_path)
    (tmp_path / "c.toml").write_text(to_toml(load("star")), encoding="utf-8")
    with pytest.raises(FolderError, match=r"about\.name is 'star', the name of a shipped rulebook"):
        read_folder(tmp_path)
    (tmp_path / "c.toml").write_bytes(b"\xff")
    with pytest.raises(FolderError, match="not UTF-8"):
        read_folder(tmp_path)
    with pytest.raises(FolderError, match="No such file"):
        read_folder(tmp_path / "nowhere")


def test_a_bad_file_stops_the_start_with_every_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = to_toml(bought()).replace("max_hands = { value = 3", "max_hands = { value = 99").replace('"3:2"', '"3-2"')
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--port", "0", "--data", str(tmp_path / "data"), "--rulebooks", str(tmp_path)])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "split.max_hands is 99" in said
    assert said.count("line ") >= 2
    assert not (tmp_path / "data").exists()
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--rulebooks", str(tmp_path / "nowhere")])
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_a_rulebook_that_comes_with_a_table_is_for_practice_or_for_the_house():
    text, practice = to_toml(bought()), Settings("", practice=True, overrides={"split.max_hands": 2})
    rules = given_rules(text, practice, "player")
    assert isinstance(rules, Rulebook)
    assert (rules.about.name, rules.split.max_hands) == ("my-casino", 2)
    no = given_rules(text, Settings(""), "player")
    assert isinstance(no, Problem)
    assert (no.status, no.code) == (403, "practice_only")
    assert isinstance(given_rules(text, Settings(""), "casino_supervisor"), Rulebook)
    assert isinstance(given_rules(to_toml(load("star")), practice, "player"), Rulebook)
    for bad in ("[split", text.replace('name = "my-casino"', 'name = "star"'), "a = 1"):
        no = given_rules(bad, practice, "player")
        assert isinstance(no, Problem)
        assert (no.status, "\n" in no.words) == (400, False)
