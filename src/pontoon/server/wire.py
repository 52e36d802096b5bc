"""Strict parsing of input from clients, and of commands in the log."""

from __future__ import annotations

import json
from typing import Any, NoReturn, TypeVar, Union
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from pontoon.engine import commands as e
from pontoon.server.rooms.commands import Asked, RoomCommand
from pontoon.table import commands as c

LARGEST = 2**53
"""Maximum of any amount, box or version; the largest integer that is exact in JavaScript."""
DEEPEST = 16
LONGEST = 500
"""Maximum characters of any text from a client; names in the store may be twice as long."""

T = TypeVar("T")


def family(base: type[Struct]) -> tuple[type[Struct], ...]:
    """All subclasses of a base class, in definition order."""
    return tuple(base.__subclasses__())


def one_of(kinds: tuple[type[Struct], ...]) -> Any:
    """The union of these types, for decoding."""
    return Union[kinds]  # noqa: UP007 made at run time


PLAYED = one_of(family(e.Command))
Reading = msgspec.defstruct(
    "Reading",
    [("command", PLAYED), ("by", str, "dealer"), ("approver", str, ""), ("reason", str, "")],
    tag="Play",
    frozen=True,
)
"""`Play` for decoding, with any kind of command."""
_TABLE = tuple(kind for kind in family(c.TableCommand) if kind is not c.Play)
KEPT = one_of((Reading, *_TABLE, *family(RoomCommand)))
"""A command as written in the log."""
ON_THE_WIRE = one_of((*family(e.Command), *_TABLE, *family(RoomCommand)))
_COMMANDS: Any = msgspec.json.Decoder(ON_THE_WIRE)
"""Created once, because building a decoder for so many types takes longer than decoding."""


def kept(command: Any) -> c.TableCommand | RoomCommand:
    """Convert a command decoded from the log to its normal type."""
    if isinstance(command, Reading):
        return c.Play(command.command, command.by, command.approver, command.reason)  # type: ignore[attr-defined]
    assert isinstance(command, c.TableCommand | RoomCommand)
    return command


class MalformedError(ValueError):
    """The input cannot be read; the message is one line for the sender."""


def strict_json(text: str | bytes, page: str = "") -> Any:
    """Parse JSON without duplicate keys, infinite or huge numbers, unprintable text or deep nesting.

    `page` names one top-level key whose text may have several lines; its reader limits its length.
    """
    try:
        data = json.loads(
            text,
            object_pairs_hook=_once,
            parse_constant=_no_constant,
            parse_int=_small_int,
            parse_float=_small_float,
        )
    except MalformedError:
        raise
    except (ValueError, UnicodeError, RecursionError) as error:
        raise MalformedError(f"this is not JSON: {error}") from None
    if page and isinstance(data, dict) and isinstance(data.get(page), str):
        if not data[page].replace("\t", " ").replace("\r\n", " ").replace("\n", " ").isprintable():
            raise MalformedError(f"{page} has characters that cannot be printed")
        _not_deep({**data, page: ""}, 0)
    else:
        _not_deep(data, 0)
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise MalformedError("a key is given twice")
    return found


def _no_constant(_: str) -> NoReturn:
    raise MalformedError("a number must be finite")


def _small_int(text: str) -> int:
    if len(text) > len(str(LARGEST)) or abs(int(text)) > LARGEST:
        raise MalformedError("a number is too large")
    return int(text)


def _small_float(text: str) -> float:
    number = float(text)
    if abs(number) > LARGEST:
        raise MalformedError("a number is too large")
    return number


def _not_deep(data: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise MalformedError("this is nested too deeply")
    if isinstance(data, str) and not _is_text(data):
        raise MalformedError(f"a text has at most {LONGEST} characters, all of them printable")
    inner = (*data, *data.values()) if isinstance(data, dict) else data if isinstance(data, list) else ()
    for part in inner:
        _not_deep(part, depth + 1)


def _is_text(data: str) -> bool:
    """Whether text is short and printable, without control or direction characters."""
    return len(data) <= LONGEST and data.isprintable()


def same_host(origin: str, host: str | None) -> bool:
    """Whether an origin belongs to this host; an unreadable origin does not.

    >>> same_host("http://localhost:8048", "localhost:8048"), same_host("http://[", "localhost:8048")
    (True, False)
    """
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        return False


def read_as(data: Any, kind: type[T]) -> T:
    """Convert plain data to a struct; raises MalformedError."""
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.MsgspecError as error:
        raise MalformedError(str(error)) from None


def read_command(data: Any) -> Asked:
    """Read a command from a client.

    >>> read_command({"type": "Hit", "box": 3})
    Hit(box=3, player='')
    """
    try:
        command: Asked = _COMMANDS.decode(msgspec.json.encode(data))
    except msgspec.MsgspecError as error:
        raise MalformedError(str(error)) from None
    return command
