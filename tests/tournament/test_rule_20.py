"""Scripted cases of rule 20, named by clause; every command, event and refusal is among them."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pontoon.rulebook.register import register
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament import postings
from pontoon.tournament.decide import RULES
from pontoon.tournament.places import refined
from pontoon.tournament.running import Logged, read_logged, write_logged
from tests.tournament.cases import ballot, corrections, entries, money, places, sessions
from tests.tournament.desk import CASES, Desk

MODULES = (entries, ballot, corrections, sessions, places, money)
TOURNAMENT = Path(__file__).resolve().parents[2] / "src" / "pontoon" / "tournament"
ELSEWHERE = ("session_table.py", "bots.py", "running.py")
"""What is refused at a table with cards is shown where cards are dealt."""
DEFINED = ("Session", "Starting Marker", "Tournament Commission", "Tournament Chips", "Tournament Director/Assistant")
OF_CONDITIONS = "20.3"
"""Clauses about the written conditions, most of which are tested in test_conditions.py."""


def play(name: str) -> list[Desk]:
    """Run a case; the desks it used."""
    desks: list[Desk] = []

    def at(**options: Any) -> Desk:
        desks.append(Desk(**options))
        return desks[-1]

    CASES[name](at)
    return desks


@pytest.mark.parametrize("name", CASES)
def test_case(name):
    for desk in play(name):
        assert desk.replayed() == desk.state
        assert sum(desk.books.values()) == 0
        held = {f"chips/spring/{player.name}": player.chips for player in desk.state.players}
        assert {name: desk.books[name] for name in held} == held


def test_every_command_event_and_refusal_is_shown():
    desks = [desk for name in CASES for desk in play(name)]
    seen = {word for desk in desks for word in desk.seen}
    seen |= {type(event).__name__ for desk in desks for event in desk.events}
    source = "".join(file.read_text("utf-8") for file in TOURNAMENT.glob("*.py") if file.name not in ELSEWHERE)
    codes = set(re.findall(r'refuse\(\s*"(\w+)"', source))
    assert len(codes) > 50
    commands = {command.__name__ for command in RULES}
    events = {event.__name__ for event in e.TournamentEvent.__subclasses__()}
    assert sorted((codes | commands | events) - seen) == []


def test_every_clause_has_a_case():
    wanted = {f'A "{word}"' for word in DEFINED}
    wanted |= {
        clause.number
        for clause in register("canberra")
        if clause.number.startswith("20.") and not clause.number.startswith(OF_CONDITIONS)
    }
    assert len(wanted) == len(DEFINED) + 23
    shown = {number for name in CASES for number in clauses_of(name)}
    assert sorted(wanted - shown) == []


def test_names_begin_with_clauses_that_exist():
    numbers = {clause.number for clause in register("canberra")}
    for name in CASES:
        assert clauses_of(name) <= numbers, name
        assert clauses_of(name), name


def test_an_order_that_leaves_players_equal_is_passed_over_for_the_next():
    orders = [(("Ann", "Ben"), ("Cas",)), (("Ben",), ("Ann",))]
    assert refined(("Ann", "Ben"), orders) == [("Ben",), ("Ann",)]
    assert refined(("Ann", "Ben"), orders[:1]) == [("Ann", "Ben")]


def test_20_13_chips_that_tables_have_moved_are_not_moved_again():
    counted = e.ChipsCounted(("20.13",), 1, 1, 1, 1, (("Ann", 900),), (("Ann", -100),))
    assert [posting.amount for posting in postings("7", counted)] == [-100, 100]
    assert postings("7", counted, counts=False) == ()


def test_events_of_version_0_1_0_are_read_with_their_purpose():
    """Events of version 0.1.0 had no purpose; it follows from the clause they cite."""
    kinds: Counter[str] = Counter()
    for desk in (desk for name in CASES for desk in play(name)):
        told = json.loads(write_logged(Logged(c.AwardPlaces(), tuple(desk.events))))
        for event in told["events"]:
            if event.pop("purpose", None):
                kinds[event["type"]] += 1
        assert read_logged(json.dumps(told).encode()).events == tuple(desk.events)
    assert set(kinds) == {"TieFound", "ExtraCounted", "LotsDrawn"}


def clauses_of(name: str) -> set[str]:
    """The clauses at the front of a case's name."""
    defined = re.match(r'A "[^"]+"', name)
    if defined:
        return {defined[0]}
    words = name.split()
    last = next(place for place, word in enumerate(words) if not word.startswith("20."))
    return set(words[:last])


def test_every_command_and_every_event_has_its_rule():
    from pontoon.tournament import commands as c
    from pontoon.tournament.evolve import STEPS

    assert set(RULES) == set(c.TournamentCommand.__subclasses__())
    assert set(STEPS) == set(e.TournamentEvent.__subclasses__())
