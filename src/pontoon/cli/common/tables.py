"""Data instead of text: `--json`, and `--format` for the commands that print a table.

PONTOON_CHECK_JSON=1 checks every output against its schema before it is printed; the tests set it.
"""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from pontoon import frames
from pontoon.cli.common.analysis import AnalysisError
from pontoon.cli.common.output import deliver
from pontoon.cli.common.parser import fail

CHECK = "PONTOON_CHECK_JSON"
TABLES = {
    "edge": "",
    "edge-all": "edges",
    "edge-strategy": "mistakes",
    "ev": "actions",
    "side": "wagers",
    "whatif": "changes",
    "count": "indices",
    "bet": "ramp",
    "compare": "places",
    "simulate": "",
    "risk": "histogram",
    "shoe": "depths",
    "habits": "habits",
    "settle": "settlements",
    "rule-list": "",
    "rules": "",
    "rules-diff": "differences",
    "rules-clauses": "",
    "rules-coverage": "",
    "account-list": "",
    "admin-tables": "",
    "admin-wallets": "",
    "admin-wallet": "postings",
    "admin-rulebooks": "",
    "admin-backups": "",
    "admin-audit": "",
    "tournament-run": "standings",
}
"""Outputs with a table: the key of its rows; empty if the output itself is a row or rows."""
GAME = ("rulebook", "decks", "stake")
"""Keys that begin every row, so that tables of several games can be put together."""


def wants_data(args: Namespace) -> bool:
    """Whether data is asked for instead of text."""
    return bool(args.json) or getattr(args, "format", None) not in (None, "text")


def show_data(args: Namespace, name: str, data: Any, *, unicode: bool = False) -> int:  # noqa: ANN401 any JSON
    """Print data in the format asked for, and return the exit status; `name` is that of its schema."""
    form = "json" if args.json else args.format
    if form == "json":
        print_json(name, data, unicode=unicode)
        return 0
    try:
        deliver(None, table(form, rows_of(name, data)))
    except AnalysisError as error:
        return fail(str(error))
    return 0


def print_json(name: str, data: Any, *, indent: int | None = 2, unicode: bool = False) -> None:  # noqa: ANN401 any JSON
    """Print one JSON value."""
    print(json_text(name, data, indent=indent, unicode=unicode))


def json_text(name: str, data: Any, *, indent: int | None = 2, unicode: bool = False) -> str:  # noqa: ANN401 any JSON
    """The JSON text of an output; in a test, check it against the schema of this name."""
    text = json.dumps(data, indent=indent, ensure_ascii=not unicode)
    if os.environ.get(CHECK):
        import msgspec

        from pontoon.cli.outputs import OUTPUTS

        msgspec.json.decode(text, type=OUTPUTS[name].type)
    return text


def table(form: str, rows: list[frames.Row], out: str | None = None) -> bytes:
    """Rows as CSV or Parquet, which is not for a terminal."""
    if form == "csv":
        return frames.comma_separated(rows).encode()
    if out is None and sys.stdout.isatty():
        raise AnalysisError("Parquet is binary: redirect it to a file, as in > table.parquet")
    try:
        return frames.parquet(rows)
    except frames.NoFrameError as error:
        raise AnalysisError(str(error)) from None


def rows_of(name: str, data: Any) -> list[frames.Row]:  # noqa: ANN401 an object or rows
    """The table of an output, as rows of plain values."""
    if isinstance(data, list) and not TABLES[name]:
        return [frames.flat(row) for row in data]
    if isinstance(data, list):  # several objects, such as settled files
        return [row for part in data for row in rows_of(name, part)]
    found = data.get(TABLES[name], []) if TABLES[name] else data
    rows = _named(found) if isinstance(found, Mapping) else [frames.flat(row) for row in found]
    game = {key: data[key] for key in ("file", *GAME) if key in data}
    return [{**game, **row} for row in rows]


def _named(found: Mapping[str, Any]) -> list[frames.Row]:
    """One row, or, if every value is an object, a row for each with its name."""
    if found and all(isinstance(value, Mapping) for value in found.values()):
        return [{"name": name, **frames.flat(row)} for name, row in found.items()]
    return [frames.flat(found)]
