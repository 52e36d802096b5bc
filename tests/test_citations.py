"""Citations never decide: replacing every clause, note and name of a rulebook changes nothing.

All rounds, clause cases, table cases, rulings and tournament cases of the suite are played under the rulebook as it is
and under the same one in disguise. Events, money, refusals and remedies must be the same, citations apart.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pontoon.engine import Refusal
from pontoon.rulebook import NAMES, Rulebook, digest, load, pinned, play_digest, read, to_toml
from pontoon.rulebook.explain import explain
from pontoon.table import play as play_at_table
from pontoon.table.state import Table
from pontoon.tournament import evolve as evolve_tournament
from pontoon.tournament import play as play_tournament
from pontoon.tournament.bots import read_bots
from pontoon.tournament.conditions.load import read as read_conditions
from pontoon.tournament.running import Plan, run
from pontoon.transcript import RefusedLine, Replay, Transcript, replay
from pontoon.transcript import read as read_transcript
from pontoon.transcript.remedies import listing
from pontoon.transcript.ruling import rule
from pontoon.view.ruling import list_data, ruling_data, ruling_lines
from tests.cases import load_cases
from tests.disguise import DISGUISES, disguised, disguised_text, hidden, uncited
from tests.table import desk as table_desk
from tests.table import test_table_cases  # noqa: F401 puts its cases on the list
from tests.table.desk import CASES as TABLE_CASES
from tests.test_rounds import ROUNDS
from tests.test_rule_command import RULED, written
from tests.tournament import desk as tournament_desk
from tests.tournament import test_rule_20  # noqa: F401 the same
from tests.tournament.desk import CASES as TOURNAMENT_CASES


@pytest.fixture(autouse=True)
def _read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rulebook of a transcript is read once, not for every round."""
    monkeypatch.setattr(sys.modules["pontoon.transcript.replay"], "pinned", _pinned)


_pinned = cache(pinned)
both = pytest.mark.parametrize("how", DISGUISES)
books = pytest.mark.parametrize("name", NAMES)


# --- the rulebook itself --------------------------------------------------------------------------------


@books
@both
def test_a_rulebook_in_disguise_plays_alike(name: str, how: str) -> None:
    book = load(name)
    other = disguised(book, how)
    assert digest(other) != digest(book)
    assert play_digest(other) == play_digest(book)
    assert pinned(disguised_text(name, how)) == other
    assert read(to_toml(other), "disguised.toml") == other


@books
def test_a_book_made_like_another_keeps_its_silence(name: str) -> None:
    book = load(name)
    made = read(to_toml(book, clauses=False), "made.toml")
    silent = {key for key, source in book.sources.items() if source.silent}
    assert {key for key, source in made.sources.items() if source.silent} == silent
    assert not any(source.clauses or source.note for source in made.sources.values())
    assert [row.name for row in made.remedies] == [row.name for row in book.remedies]


@books
@both
def test_what_a_rulebook_says_of_its_values_needs_no_clause(name: str, how: str) -> None:
    book = load(name)
    assert list(_said(disguised(book, how))) == list(_said(book))


def _said(book: Rulebook) -> Iterator[tuple[str, str, bool]]:
    for chapter in explain(book):
        yield from (
            (sentence.key, sentence.text, sentence.applies)
            for sentence in chapter.sentences
            if sentence.value is not None
        )


# --- rounds ---------------------------------------------------------------------------------------------


def _told(played: Replay | RefusedLine) -> Any:
    if isinstance(played, RefusedLine):
        return [played.line.text, played.refusal.code, uncited(played.refusal.facts), uncited(played.events)]
    return uncited(played.events)


def _in_disguise(transcript: Transcript, how: str) -> Transcript:
    return replace(transcript, book=disguised_text(transcript.rulebook, how), rulebook="nobody")


def _same_round(text: str, how: str) -> None:
    transcript = read_transcript(text)
    assert _told(replay(_in_disguise(transcript, how))) == _told(replay(transcript))


@both
@pytest.mark.parametrize("file", ROUNDS, ids=lambda file: file.stem)
def test_rounds(file: Path, how: str) -> None:
    _same_round(file.read_text("utf-8"), how)


@both
@books
def test_clause_cases(name: str, how: str) -> None:
    cases = [case for case in load_cases() if case.rulebook == name]
    assert cases
    for case in cases:
        _same_round(case.transcript(), how)


# --- rulings --------------------------------------------------------------------------------------------


@both
@books
def test_rulings(name: str, how: str) -> None:
    for ruling in RULED["rulings"]:
        if ruling["book"] == name:
            case = RULED["cases"][ruling["case"]]
            transcript = read_transcript(written(name, case["cards"], case["actions"]))
            box = int(case.get("box", 0))
            found = rule(_in_disguise(transcript, how), ruling["kind"], box)
            assert _ruled(found) == _ruled(rule(transcript, ruling["kind"], box)), ruling
            assert ruling_lines(found), "it can be read, too"


def _ruled(ruling: Any) -> Any:
    return _without_brackets(uncited(ruling_data(ruling)))


def _without_brackets(value: Any) -> Any:
    """The reason of a refusal has its clauses in brackets at the end."""
    if isinstance(value, dict):
        return {key: _without_brackets(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_without_brackets(item) for item in value]
    return re.sub(r" \[[^\]]*\]$", "", value) if isinstance(value, str) else value


@both
@books
def test_lists_of_errors(name: str, how: str) -> None:
    book = load(name)
    assert [_row(row) for row in list_data(listing(disguised(book, how)))] == [
        _row(row) for row in list_data(listing(book))
    ]


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """Approvals that differ only in their clauses are counted once."""
    plain: dict[str, Any] = uncited(row)
    return plain | {"approvals": list(dict.fromkeys(approval["who"] for approval in row["approvals"]))}


# --- tables ---------------------------------------------------------------------------------------------

Asked = tuple[str, Any]


class TableDesk(table_desk.Desk):
    """Records its calls."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.start = self.table
        self.asked: list[Asked] = []

    def do(self, *commands: Any) -> Any:
        self.asked += [("command", command) for command in commands]
        return super().do(*commands)

    def no(self, command: Any, code: str, *clauses: str) -> Refusal:
        self.asked.append(("command", command))
        return super().no(command, code, *clauses)

    def move(self, **shoe: Any) -> Any:
        self.asked.append(("move", dict(shoe)))
        return super().move(**shoe)


def _at_table(table: Table, asked: list[Asked]) -> list[Any]:
    """The results of all commands given at a table."""
    desk = table_desk.Desk.__new__(table_desk.Desk)
    desk.table, found = table, list[Any]()
    for what, content in asked:
        if what == "move":
            desk.move(**content)
            continue
        played = play_at_table(desk.table, content)
        if isinstance(played, Refusal):
            found.append(uncited(played))
        else:
            desk.table = played.state
            found.append(uncited(played.events))
    return found


def _recorded(cases: dict[str, Any], name: str, make: Callable[..., Any]) -> list[Any]:
    desks: list[Any] = []

    def at(*arguments: Any, **options: Any) -> Any:
        desks.append(make(*arguments, **options))
        return desks[-1]

    cases[name](at)
    return desks


@pytest.mark.parametrize("name", TABLE_CASES)
def test_tables(name: str) -> None:
    book = name.split(maxsplit=1)[0]
    for desk in _recorded(TABLE_CASES, name, lambda other="", **options: TableDesk(other or book, **options)):
        expected = _at_table(desk.start, desk.asked)
        for how in DISGUISES:
            table = replace(desk.start, rules=disguised(desk.start.rules, how))
            assert _at_table(table, desk.asked) == expected, how


# --- tournaments ----------------------------------------------------------------------------------------


class TournamentDesk(tournament_desk.Desk):
    """Records its calls."""

    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        self.asked: list[Any] = []

    def do(self, *commands: Any) -> Any:
        self.asked += commands
        return super().do(*commands)

    def no(self, command: Any, code: str, *clauses: str) -> Refusal:
        self.asked.append(command)
        return super().no(command, code, *clauses)


@pytest.mark.parametrize("name", TOURNAMENT_CASES)
def test_tournaments(name: str) -> None:
    """The clauses of rule 20 are in the code: here those of every event are replaced before it is applied."""
    for desk in _recorded(TOURNAMENT_CASES, name, TournamentDesk):
        for how in DISGUISES:
            hide, state, events = hidden(how, name), desk.first, list[Any]()
            for command in desk.asked:
                played = play_tournament(state, command)
                for event in () if isinstance(played, Refusal) else played.events:
                    events.append(event)
                    state = evolve_tournament(state, replace(event, clauses=hide(event.clauses)))
            assert uncited(events) == uncited(desk.events), how
            assert uncited(state) == uncited(desk.state), how


SMALL = Path(__file__).parent / "tournament" / "small.toml"
BOTS = b'no_shows = "10%"\nbuy_backs = "70%"\n[[bots]]\nwagers = "random"\n[[bots]]\nwagers = "chase"'


def _whole_tournament() -> list[Any]:
    wanted = Plan(read_conditions(SMALL.read_text("utf-8"), "conditions"), read_bots(BOTS), "1", SMALL.parent)
    return [uncited(entry.events) for step in run(wanted) for entry in step.entries]


@both
def test_a_whole_tournament_with_cards(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pontoon.tournament.conditions import round_rulebook

    expected = _whole_tournament()
    asked: list[object] = []

    def load_disguised(name: str) -> Rulebook:
        asked.append(name)
        return disguised(load(name), how)

    monkeypatch.setattr(round_rulebook, "load", load_disguised)
    assert _whole_tournament() == expected
    assert asked, "the tournament took its rulebook from elsewhere"
