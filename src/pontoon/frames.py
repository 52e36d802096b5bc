"""Results as tables: rows of plain values, written as CSV or Parquet or handed to polars or pandas.

A row is a dictionary of numbers, texts, yes or no, and None. polars (`pip install 'pontoon21[data]'`) and pandas are
imported only when a frame or a Parquet file is asked for.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, Literal

Library = Literal["polars", "pandas"]
NO_FRAME = "a data frame needs polars: pip install 'pontoon21[data]' (or pandas: pip install pandas)"
NO_PARQUET = "Parquet needs polars: pip install 'pontoon21[data]', or write CSV"
Row = dict[str, Any]


class NoFrameError(ImportError):
    """The library for frames is not installed; the message is one line for the user."""


def frame(rows: Iterable[Row], library: Library | None = None) -> Any:  # noqa: ANN401 neither library need be installed
    """The rows as a data frame: of polars if it is installed, else of pandas, unless one is named."""
    table = columns(list(rows))
    for name in (library,) if library else ("polars", "pandas"):
        try:
            module = import_module(name)
        except ImportError:
            continue
        return module.DataFrame(table, strict=False) if name == "polars" else module.DataFrame(table)
    raise NoFrameError(NO_FRAME)


def parquet(rows: Iterable[Row]) -> bytes:
    """The rows as a Parquet file."""
    try:
        found = frame(rows, "polars")
    except NoFrameError:
        raise NoFrameError(NO_PARQUET) from None
    out = io.BytesIO()
    found.write_parquet(out)
    return out.getvalue()


def comma_separated(rows: Iterable[Row]) -> str:
    """The rows as CSV with a header; None is an empty field.

    >>> comma_separated([{"hand": "hard 16", "at": 1.5}, {"hand": "8-8", "at": None}]).splitlines()
    ['hand,at', 'hard 16,1.5', '8-8,']
    """
    found = list(rows)
    names = list(columns(found))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(["" if row.get(name) is None else row[name] for name in names] for row in found)
    return out.getvalue()


def columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """The columns of rows, in the order in which they first appear; what a row does not have is None."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


# --- rows from nested data ------------------------------------------------------------------------------


def flat(data: Mapping[str, Any], prefix: str = "") -> Row:
    """Nested values as one row: `{"a": {"b": 1}}` has the column `a_b`; lists of texts are joined, others left out.

    >>> flat({"rulebook": "star", "fit": {"betting": 0.97}, "clauses": ["5.2", "5.3"], "rows": [{"a": 1}]})
    {'rulebook': 'star', 'fit_betting': 0.97, 'clauses': '5.2 5.3'}
    """
    row: Row = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            row |= flat(value, f"{prefix}{key}_")
        elif not isinstance(value, list | tuple):
            row[f"{prefix}{key}"] = value
        elif all(isinstance(part, str | int) for part in value):
            row[f"{prefix}{key}"] = " ".join(map(str, value))
    return row


def figures(**found: Any) -> list[Row]:  # noqa: ANN401 numbers and dictionaries of numbers
    """Figures as rows of three columns: a number has one row, a dictionary one for each key.

    >>> figures(ev=-0.004, frequencies={"win": 0.4})
    [{'figure': 'ev', 'key': '', 'value': -0.004}, {'figure': 'frequencies', 'key': 'win', 'value': 0.4}]
    """
    rows: list[Row] = []
    for name, value in found.items():
        parts = value.items() if isinstance(value, Mapping) else [("", value)]
        rows += [{"figure": name, "key": str(key), "value": float(part)} for key, part in parts]
    return rows


class Tabular:
    """A result that is also a table."""

    __slots__ = ()

    def rows(self) -> list[Row]:
        """The result as rows of plain values."""
        raise NotImplementedError

    def to_frame(self, library: Library | None = None) -> Any:  # noqa: ANN401 neither library need be installed
        """The rows as a data frame: of polars if it is installed, else of pandas, unless one is named."""
        return frame(self.rows(), library)
