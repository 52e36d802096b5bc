"""Custom rulebooks: those in the server's folder, and the text sent with a new table."""

from __future__ import annotations

from pathlib import Path

from pontoon.rulebook import NAMES, Fault, Rulebook, RulebookError, check, digest, load, override, read
from pontoon.rulebook.library import read_file
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms.settings import Settings

HOUSE = frozenset({"game_supervisor", "casino_supervisor", "administrator"})
"""Roles that may open a public table with a rulebook the server does not have."""


class FolderError(Exception):
    """A folder of rulebooks cannot be used; the message is one line, or all faults of a file."""

    def __init__(self, words: str, file: str = "", faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(words)
        self.file = file
        self.faults = faults


def read_folder(folder: Path) -> dict[str, Rulebook]:
    """All *.toml files in a folder as rulebooks, by name; names must be unique and not those of shipped rulebooks."""
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    except OSError as error:
        raise FolderError(f"{folder}: {error.strerror}") from None
    found: dict[str, Rulebook] = {}
    places: dict[str, Path] = {}
    for file in files:
        book = _read(file)
        name = book.about.name
        if name in NAMES:
            raise FolderError(f"{file}: about.name is {name!r}, the name of a shipped rulebook; choose another")
        if name in found:
            raise FolderError(f"{file}: about.name is {name!r}, as in {places[name].name}; names must be unique")
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
    """Read the rulebook text sent with a new table; anyone may use one for practice, only staff for other tables."""
    if not settings.practice and role not in HOUSE:
        return problem("practice_only")
    try:
        book = read(text, "book")
        rules = override(book, settings.overrides) if settings.overrides else book
    except RulebookError as error:
        return problem("malformed", detail=str(error))
    name = book.about.name
    if name in NAMES and digest(book) != digest(load(name)):
        words = f"book: about.name is {name!r}, the name of a shipped rulebook; choose another"
        return problem("malformed", detail=words)
    return rules
