"""The register lists every clause of the five documents and the code for it."""

import json
from pathlib import Path

import pytest

from pontoon.rulebook import NAMES, RulebookError
from pontoon.rulebook.register import CLASSES, STATUSES, coverage, find, read, register, total
from tests.cases import load_shown

ROOT = Path(__file__).resolve().parent.parent
BY_HAND = ("tests/table/", "tests/tournament/", "tests/view/")
"""Where evidence is that is not a round in a file."""
CLAUSES = {"division-15": 168, "star": 90, "adelaide": 219, "canberra": 279, "federal": 49}
ALL = [(name, clause) for name in NAMES for clause in register(name)]


def test_every_clause_of_the_documents_is_there():
    assert {name: len(register(name)) for name in NAMES} == CLAUSES
    assert len(ALL) == 805


@pytest.mark.parametrize("name", NAMES)
def test_the_counts_add_up(name):
    counts = coverage(name)
    assert list(counts) == ["clauses", *STATUSES]
    assert counts["clauses"] == CLAUSES[name] == sum(counts[status] for status in STATUSES)


def test_the_total_adds_documents_up():
    assert total(coverage(name) for name in NAMES)["clauses"] == 805
    assert total([{"table": 1}, {"table": 2, "tournament": 3}]) == {"table": 3, "tournament": 3}


def test_status_and_class_agree():
    assert [
        (name, clause.number)
        for name, clause in ALL
        if (clause.kind in {"conduct", "information"}) != (clause.status in {"conduct", "information"})
    ] == []
    assert [(name, clause.number) for name, clause in ALL if clause.kind in clause.also] == []


def test_where_names_a_file():
    places = {clause.where for _, clause in ALL if clause.where}
    assert [where for where in sorted(places) if not (ROOT / "src" / "pontoon" / where).is_file()] == []


def test_test_names_a_test():
    """Written `tests/FILE: NAME` or `tests/FILE::NAME`; the name must be in the file."""
    for name, clause in ALL:
        if clause.test:
            file, _, what = clause.test.replace("::", ": ").partition(": ")
            assert file.startswith("tests/"), (name, clause.number, clause.test)
            written = (ROOT / file).read_text("utf-8").replace('\\"', '"')
            assert what in written, (name, clause.number, clause.test)


def test_every_implemented_clause_names_a_test():
    done = ("implemented", "equipment")
    assert [(name, clause.number) for name, clause in ALL if clause.status in done and not clause.test] == []


def test_the_register_names_the_cases_that_show_its_clauses():
    """`python tools/register_tests.py` writes them; a case renamed or removed shows here."""
    shown = load_shown()
    for name, clause in ALL:
        if clause.status == "implemented" and not clause.test.startswith(BY_HAND):
            assert clause.test == shown[name][clause.number], (name, clause.number)


def test_a_clause_is_found_by_its_number():
    clause = find("canberra", "7.2")
    assert clause is not None
    assert clause.number == "7.2"
    assert find("canberra", "7.999") is None


def test_an_unknown_document_is_answered_with_those_there_are():
    with pytest.raises(RulebookError, match="no rulebook 'paris'; there are division-15, star"):
        register("paris")


# --- bad registers -------------------------------------------------------------------------------------

GOOD: dict[str, object] = {
    "number": "1",
    "class": "engine",
    "also": ["table"],
    "text": "A hand over 21 loses.",
    "status": "implemented",
    "where": "engine/decisions.py",
    "test": "tests/test_engine.py::test_bust",
}


def written(*clauses: dict[str, object]) -> str:
    """A register as TOML; strings, lists of strings and numbers look the same in JSON."""
    return "\n".join(
        "[[clause]]\n" + "\n".join(f"{key} = {json.dumps(value)}" for key, value in clause.items())
        for clause in clauses
    )


def without(key: str) -> dict[str, object]:
    return {name: value for name, value in GOOD.items() if name != key}


def test_a_good_register_reads():
    (clause,) = read(written(GOOD), "mine.toml")
    assert (clause.number, clause.kind, clause.also) == ("1", "engine", ("table",))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[[clause", ["not TOML: "]),
        ("", ["a list of [[clause]] tables"]),
        ("clause = 3", ["a list of [[clause]] tables"]),
        (written(GOOD) + "\n[other]", ["a list of [[clause]] tables"]),
        ("clause = [3]", ["clause at place 1", "got `int`"]),
        (written(GOOD, {**GOOD, "number": "2", "wings": 1}), ["clause at place 2", "unknown field `wings`"]),
        *((written(without(key)), ["clause at place 1", f"missing required field `{key}`"]) for key in GOOD),
        (written({**GOOD, "text": 3}), ["clause at place 1", "got `int`", "text"]),
        (written({**GOOD, "also": "table"}), ["clause at place 1", "got `str`", "also"]),
        (written({**GOOD, "number": ""}), ["clause at place 1: number is empty", 'as in "13.4(a)"']),
        (written({**GOOD, "text": ""}), ["clause 1: text is empty"]),
        (written({**GOOD, "class": "house"}), ["clause 1: class is 'house'; one of engine, table, operator"]),
        (written({**GOOD, "also": ["house"]}), ["clause 1: also is ['house']; only engine, table"]),
        (written({**GOOD, "status": "done"}), ["clause 1: status is 'done'; one of implemented, equipment"]),
        (written({**GOOD, "status": "conduct"}), ["clause 1: status is 'conduct' but class is 'engine'"]),
        (written({**GOOD, "where": ""}), ["clause 1: implemented, but where is empty", "engine/splitting.py"]),
        (written({**GOOD, "test": ""}), ["clause 1: implemented, but test is empty", "a test that shows it"]),
        (written(GOOD, GOOD), ["clause 1 is there 2 times"]),
    ],
)
def test_a_bad_register_is_refused_in_one_line(text, parts):
    with pytest.raises(RulebookError) as caught:
        read(text, "mine.toml")
    message = str(caught.value)
    assert message.startswith("mine.toml: ")
    assert "\n" not in message
    assert [part for part in parts if part not in message] == []


def test_the_classes_are_those_of_the_registers():
    assert {clause.kind for _, clause in ALL} == set(CLASSES)
