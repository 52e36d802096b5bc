"""Scripted cases of the table, named by rulebook and clause; every command and every refusal is among them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pontoon.rulebook import NAMES
from pontoon.rulebook.register import register
from pontoon.table.decide import RULES
from tests.table.cases import closing, control, cutting, limits, opening, people, rounds, shoe
from tests.table.desk import CASES, Desk

MODULES = (opening, cutting, shoe, people, limits, control, rounds, closing)
BESIDE = ("test_reconstruction.py", "test_proof.py")
"""Cases that need more than a desk."""
TABLE = Path(__file__).resolve().parents[2] / "src" / "pontoon" / "table"


def play(name: str) -> list[Desk]:
    """Run a case; the tables it used."""
    desks: list[Desk] = []

    def at(book: str = "", **options: Any) -> Desk:
        desks.append(Desk(book or name.split(maxsplit=1)[0], **options))
        return desks[-1]

    CASES[name](at)
    return desks


@pytest.mark.parametrize("name", CASES)
def test_case(name):
    for desk in play(name):
        assert desk.replayed() == desk.table


def test_every_command_and_every_refusal_is_shown():
    seen = {word for name in CASES for desk in play(name) for word in desk.seen}
    source = "".join(file.read_text("utf-8") for file in TABLE.glob("*.py"))
    codes = set(re.findall(r'refuse\(\s*"(\w+)"', source)) | {"order_unknown", "face_needed"}
    commands = {command.__name__ for command in RULES}
    beside = "".join((Path(__file__).parent / name).read_text("utf-8") for name in BESIDE)
    seen |= {word for word in codes | commands if re.search(rf"\b{word}\b", beside)}
    assert sorted((codes | commands) - seen) == []


def test_the_evidence_of_a_clause_asserts_it_under_the_documents_own_values():
    played = {name: play(name) for name in CASES}
    for book in NAMES:
        for clause in register(book):
            file, _, name = clause.test.partition(": ")
            if clause.status == "implemented" and file.startswith("tests/table/cases/"):
                own = [desk for desk in played[name] if desk.own and desk.table.rules.about.name == book]
                assert any(clause.number in desk.cited for desk in own), (book, clause.number, name)


def test_names_begin_with_a_rulebook_and_a_clause_of_it():
    for name in CASES:
        book, rest = name.split(" ", 1)
        assert book in NAMES
        numbers = {clause.number for clause in register(book)}
        assert any(rest.startswith(number + " ") for number in numbers), name
