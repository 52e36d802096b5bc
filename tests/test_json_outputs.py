"""Every --json output has a schema and keeps it; tables come as CSV, Parquet and data frames.

Beside these, tests/conftest.py has every --json output of every test checked against its schema.
"""

from __future__ import annotations

import csv
import io
import json
import shlex
import sys
from pathlib import Path
from typing import Any, get_type_hints

import jsonschema_rs
import msgspec
import polars as pl
import pytest

from pontoon import frames
from pontoon.analysis.answers import Edge
from pontoon.cli import main, parser
from pontoon.cli.common.parser import Commands
from pontoon.cli.common.tables import TABLES, json_text, rows_of
from pontoon.cli.outputs import OUTPUTS
from tools import schemas

ROOT = Path(__file__).resolve().parent.parent
QUICK = (
    *("side", "settle", "deal", "rule", "rule-list", "rules", "rules-explain", "rules-diff", "rules-clauses"),
    *("rules-clause", "rules-no-register", "rules-coverage", "rules-check", "school"),
    *("tournament-check", "tournament-conditions"),
)
NEEDS_DATA = {
    "verify-shoe",
    "verify-log",
    "account-list",
    "backup",
    "migrate",
    "tournament-run",
    "rules-new",
    "report",
} | {name for name in OUTPUTS if name.startswith("admin-")}
"""Outputs whose example needs files or a server's data, or writes some: the tests of those commands check them."""
BUILT = sorted(set(OUTPUTS) - set(QUICK) - NEEDS_DATA)


def printed(capture: Any, arguments: str) -> Any:
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(arguments.removeprefix("pontoon ")))
    assert ended.value.code in (0, 1)
    return capture.readouterr().out


def check(name: str, text: str) -> None:
    found = json.loads(text)
    schema = json.loads((schemas.FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    jsonschema_rs.validator_for(schema).validate(found)
    msgspec.json.decode(text, type=OUTPUTS[name].type)


def test_the_schemas_and_their_page_are_up_to_date(capsys):
    assert schemas.main(["--check"]) == 0, f"run tools/schemas.py: {capsys.readouterr().out}"


def edge_with(**changes: Any) -> Any:
    """The struct of `pontoon edge --json` with other fields; None leaves a field out."""
    fields = get_type_hints(OUTPUTS["edge"].type) | changes
    return msgspec.defstruct("EdgeOutput", [(name, kind) for name, kind in fields.items() if kind is not None])


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({"one_more": int}, []),
        ({"house_edge": None}, ["edge 1 .house_edge: number"]),
        ({"house_edge": str}, ["edge 1 .house_edge: number"]),
        ({"house_edge": float | None}, ["edge 1 .house_edge: number"]),
    ],
)
def test_a_changed_schema_needs_a_new_version(changes, broken, monkeypatch):
    before = schemas.PROMISES.read_text(encoding="utf-8")
    changed = OUTPUTS["edge"]._replace(type=edge_with(**changes))
    monkeypatch.setitem(OUTPUTS, "edge", changed)
    assert schemas.promised(before)[1] == broken
    monkeypatch.setitem(OUTPUTS, "edge", changed._replace(version=2))
    after, none = schemas.promised(before)
    assert (none, "edge 1 ." in after, "edge 2 ." in after) == ([], False, True)


def commands_with_json() -> set[str]:
    """The commands, and commands of commands, that have --json."""
    found = set()

    def walk(name: str, command: Any) -> None:
        if "--json" in command._option_string_actions:
            found.add(name)
        for action in command._actions:
            if isinstance(action, Commands):
                for word, inner in action.choices.items():
                    walk(f"{name}-{word}".strip("-"), inner)

    walk("", parser())
    return found


def test_every_command_with_json_has_a_schema():
    missing = [name for name in commands_with_json() if not any(f"{key}-".startswith(f"{name}-") for key in OUTPUTS)]
    assert missing == []
    assert len(commands_with_json()) > 25


@pytest.mark.parametrize("name", QUICK)
def test_a_command_prints_what_its_schema_says(name, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    check(name, printed(capsys, f"{OUTPUTS[name].example} --json"))


@pytest.mark.slow
@pytest.mark.parametrize("name", BUILT)
def test_a_command_that_computes_prints_what_its_schema_says(name, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    check(name, printed(capsys, f"{OUTPUTS[name].example} --json"))


def test_an_output_with_another_key_fails(monkeypatch):
    monkeypatch.setenv("PONTOON_CHECK_JSON", "1")
    with pytest.raises(msgspec.ValidationError, match="unknown field `more`"):
        json_text("migrate", {"entries": 1, "seconds": 0.1, "more": 1})
    with pytest.raises(msgspec.ValidationError, match="missing required field `seconds`"):
        json_text("migrate", {"entries": 1})


def test_schema_command(capsys):
    listed = printed(capsys, "schema")
    assert [line.split()[0] for line in listed.splitlines()] == list(OUTPUTS)
    assert json.loads(printed(capsys, "schema settle"))["$id"] == "urn:pontoon21:settle:1"
    with pytest.raises(SystemExit):
        main(["schema", "settel"])
    assert capsys.readouterr().err == "pontoon: no schema settel; did you mean settle? (`pontoon schema` lists them)\n"


@pytest.mark.parametrize(
    ("command", "columns", "count"),
    [
        ("rules", ["name", "title", "place", "nature"], 5),
        ("rules --coverage", ["name", "clauses", "implemented", "equipment"], 6),
        ("rules star --diff federal", ["key", "first_key", "first_value", "first_text"], 9),
        ("side canberra", ["rulebook", "decks", "name", "value"], 4),
        ("settle examples/super-bonus.prt examples/dealer-pontoon.prt", ["file", "rulebook", "player", "box"], 5),
        ("rule --list adelaide", ["kind", "silent", "says", "clauses"], 10),
    ],
)
def test_a_table_as_csv_and_parquet(command, columns, count, capsysbinary, monkeypatch):
    monkeypatch.chdir(ROOT)
    rows = list(csv.DictReader(io.StringIO(printed(capsysbinary, f"{command} --format csv").decode())))
    assert list(rows[0])[:4] == columns
    assert len(rows) >= count
    found = pl.read_parquet(printed(capsysbinary, f"{command} --format parquet"))
    assert (found.columns, len(found)) == (list(rows[0]), len(rows))


def test_what_is_not_a_table_says_so(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    for command in ("rules star --format csv", "rule --error misplaced --box 1 examples/super-bonus.prt --format csv"):
        with pytest.raises(SystemExit) as ended:
            main(shlex.split(command))
        assert ended.value.code == 2
        assert "not a table; --json has all of it" in capsys.readouterr().err


def test_every_table_is_in_its_output():
    for name, key in TABLES.items():
        fields = getattr(OUTPUTS[name].type, "__struct_encode_fields__", ())
        assert not key or key in fields, name


def test_rows_begin_with_the_game():
    data = {"rulebook": "star", "digest": "d", "decks": 8, "stake": "10", "habits": {"riding": {"ev": -0.1}}}
    assert rows_of("habits", data) == [{"rulebook": "star", "decks": 8, "stake": "10", "name": "riding", "ev": -0.1}]


def test_a_result_is_a_frame_of_polars_or_pandas():
    edge = Edge(-0.004, 0.004, 1.1, {"A": -0.2}, {"win": 0.4}, 0.0, 1.02)
    assert edge.to_frame().filter(pl.col("key") == "A")["value"].to_list() == [-0.2]
    pytest.importorskip("pandas", exc_type=ImportError)
    assert edge.to_frame("pandas").shape == (7, 3)


def test_without_polars_a_frame_is_one_clear_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(frames.NoFrameError, match=r"pip install 'pontoon21\[data\]'"):
        frames.frame([{"a": 1}])
    with pytest.raises(frames.NoFrameError, match=r"Parquet needs polars"):
        frames.parquet([{"a": 1}])
