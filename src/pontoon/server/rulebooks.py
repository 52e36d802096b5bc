"""Rulebooks that a server is given: a folder of its own beside the five, and the text of one with a new table."""

from __future__ import annotations

from pathlib import Path

from pontoon.rulebook import NAMES, Fault, Rulebook, RulebookError, check, digest, load, override, read
from pontoon.rulebook.library import read_file
from pontoon.server.problems import Problem, problem
from pontoon.server.settings import Settings

HOUSE = frozenset({"game_supervisor", "casino_supervisor", "administrator"})
"""Roles that may open a table for everybody by a rulebook that is not the server's."""


class FolderError(Exception):
    """A folder of rulebooks that cannot be used: one line for a person, or every fault of a file."""

    def __init__(self, words: str, file: str = "", faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(words)
        self.file = file
        self.faults = faults


def read_folder(folder: Path) -> dict[str, Rulebook]:
    """Every *.toml of a folder as a rulebook, by its name; each name once, and none of the five."""
    try:
        files = sorted(one for one in folder.iterdir() if one.suffix == ".toml")
    except OSError as error:
        raise FolderError(f"{folder}: {error.strerror}") from None
    found: dict[str, Rulebook] = {}
    places: dict[str, Path] = {}
    for file in files:
        book = _read(file)
        name = book.about.name
        if name in NAMES:
            raise FolderError(f"{file}: about.name is {name!r}, the name of a shipped rulebook; give it another")
        if name in found:
            raise FolderError(f"{file}: about.name is {name!r}, as in {places[name].name}; each needs its own")
        found[name], places[name] = book, file
    return found


def _read(file: Path) -> Rulebook:
    try:
        text = read_file(file)
    except RulebookError as error:
        raise FolderError(str(error)) from None
    except OSError as error:
        raise FolderError(f"{file}: {error.strerror}") from None
    except ValueError:
        raise FolderError(f"{file}: not UTF-8 text") from None
    faults = check(text, str(file))
    if faults:
        raise FolderError(f"{file}: {faults[0]}", str(file), faults)
    return read(text, str(file))


def given_rules(text: str, settings: Settings, role: str) -> Rulebook | Problem:
    """The rulebook whose text comes with a new table; anybody may practise by one, the house may open a table by it."""
    if not settings.practice and role not in HOUSE:
        return problem("practice_only")
    try:
        book = read(text, "book")
        rules = override(book, settings.overrides) if settings.overrides else book
    except RulebookError as error:
        return problem("malformed", detail=str(error))
    name = book.about.name
    if name in NAMES and digest(book) != digest(load(name)):
        words = f"book: about.name is {name!r}, the name of a shipped rulebook; give it another"
        return problem("malformed", detail=words)
    return rules
