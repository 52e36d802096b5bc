"""What someone proposes to do, in words: "Void box 2", with box, person, card and amount."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs

from pontoon.view.catalogue import ENGLISH, say


def command_words(command: Struct, language: str = ENGLISH, without: tuple[str, ...] = ()) -> str:
    """A command in words; `without` names fields still to be filled in.

    >>> from pontoon.engine import VoidBox, VoidWager
    >>> command_words(VoidBox(2))
    'Void box 2'
    >>> command_words(VoidWager(2, ""))
    'Void wager'
    """
    name, facts = _named(command, without)
    try:
        return say(f"command.{name}", facts, language)
    except KeyError:  # no such entry, or a field it names is still empty
        return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip().capitalize()


def meaning(command: Struct, language: str = ENGLISH) -> str:
    """What a command does to cards and chips when carried out; empty if its name is clear enough.

    >>> from pontoon.engine import Hit, VoidRound
    >>> meaning(VoidRound()), meaning(Hit(2))
    ('All wagers and payments of the round go back.', '')
    """
    name, facts = _named(command, ())
    try:
        return say(f"means.{name}", facts, language)
    except KeyError:
        return ""


def _named(command: Struct, without: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
    """The name of a command and the fields that are filled in."""
    inner = getattr(command, "command", None)
    named = inner if isinstance(inner, Struct) else command
    known = {key: value for key, value in structs.asdict(named).items() if key not in without}
    return type(named).__name__, {key: value for key, value in known.items() if value not in ("", (), None)}
