"""The register: every clause of every document, with its class, the code that implements it, and its test."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from pontoon.rulebook.faults import RulebookError
from pontoon.rulebook.library import NAMES

CLASSES = ("engine", "table", "operator", "conduct", "information")
"""The classes of clauses; the last two require nothing of a program."""

STATUSES = ("implemented", "equipment", "conduct", "information")
"""`equipment`: something at the table that the program records or draws, but that decides nothing."""


class Clause(Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "class"}):
    """One clause of a document, paraphrased; `kind` is written `class` in files, a reserved word in Python."""

    number: str
    kind: str
    also: tuple[str, ...]
    text: str
    status: str
    where: str
    test: str


@cache
def register(name: str) -> tuple[Clause, ...]:
    """The clauses of a document, in order.

    >>> len(register("federal")), register("federal")[3].where
    (49, 'transcript/replay.py')
    """
    if name not in NAMES:
        message = f"no rulebook {name!r}; there are {', '.join(NAMES)}"
        raise RulebookError(message)
    file = resources.files("pontoon.rulebook") / "clauses" / f"{name}.toml"
    return read(file.read_text("utf-8"), f"clauses/{name}.toml")


def read(text: str, file: str) -> tuple[Clause, ...]:
    """Read the text of a register; error messages name `file`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = f"{file}: not TOML: {error}"
        raise RulebookError(message) from None
    if set(data) != {"clause"} or not isinstance(data["clause"], list):
        message = f"{file}: a register is a list of [[clause]] tables and nothing else"
        raise RulebookError(message)
    clauses = tuple(_clause(file, place, entry) for place, entry in enumerate(data["clause"], 1))
    for number, times in Counter(clause.number for clause in clauses).items():
        if times > 1:
            message = f"{file}: clause {number} is there {times} times"
            raise RulebookError(message)
    return clauses


def _clause(file: str, place: int, entry: object) -> Clause:
    try:
        clause = msgspec.convert(entry, Clause)
    except msgspec.ValidationError as error:
        message = f"{file}: clause at place {place}: {error}"
        raise RulebookError(message) from None
    fault = next(_faults(clause), None)
    if fault:
        message = f"{file}: clause {clause.number or f'at place {place}'}: {fault}"
        raise RulebookError(message)
    return clause


def _faults(clause: Clause) -> Iterator[str]:
    """The checks of a clause, each with its message."""
    kinds, statuses = ", ".join(CLASSES), ", ".join(STATUSES)
    rows = (
        (not clause.number, 'number is empty; it is written as in the document, as in "13.4(a)"'),
        (not clause.text, "text is empty; a sentence in our own words is needed"),
        (clause.kind not in CLASSES, f"class is {clause.kind!r}; one of {kinds} is needed"),
        (not set(clause.also) <= set(CLASSES), f"also is {list(clause.also)!r}; only {kinds} may be named"),
        (clause.status not in STATUSES, f"status is {clause.status!r}; one of {statuses} is needed"),
        (
            clause.status in {"conduct", "information"} and clause.status != clause.kind,
            f"status is {clause.status!r} but class is {clause.kind!r}",
        ),
        (
            clause.status in {"implemented", "equipment"} and not clause.where,
            f'{clause.status}, but where is empty; a file is needed, as in "engine/splitting.py"',
        ),
        (
            clause.status in {"implemented", "equipment"} and not clause.test,
            f'{clause.status}, but test is empty; a test that shows it is needed, as in "tests/test_engine.py::test_x"',
        ),
    )
    return (words for wrong, words in rows if wrong)


def find(name: str, number: str) -> Clause | None:
    """One clause by its number.

    >>> find("federal", "FED-INTRO-3").text
    'Each deck has 48 cards, its tens being taken out.'
    """
    return next((clause for clause in register(name) if clause.number == number), None)


def coverage(name: str) -> dict[str, int]:
    """The number of clauses in a document, in total and by status.

    Every clause that is implemented or equipment names the test that shows it: a register without it does not load.

    >>> coverage("federal")["clauses"]
    49
    """
    counts = Counter(clause.status for clause in register(name))
    return {"clauses": counts.total()} | {status: counts[status] for status in STATUSES}


def total(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The sum of the counts of several documents.

    >>> total([{"clauses": 2, "conduct": 1}, {"clauses": 3, "conduct": 0}])
    {'clauses': 5, 'conduct': 1}
    """
    added: dict[str, int] = {}
    for row in counts:
        for key, count in row.items():
            added[key] = added.get(key, 0) + count
    return added
