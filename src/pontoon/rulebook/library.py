"""Find rulebooks: the five shipped ones, files, texts, and those that older records refer to."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import tomllib
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pontoon.money import Cents, MoneyError, Odds, cents, dollars
from pontoon.quoting import quoted
from pontoon.rulebook.canonical import DIGITS, digest, of_the_round, pinned
from pontoon.rulebook.faults import RulebookError
from pontoon.rulebook.overrides import options_of, override, plain_value, value_of
from pontoon.rulebook.reader import read
from pontoon.rulebook.schema import SECTIONS, Rulebook
from pontoon.rulebook.upgrade import SINCE_1, former
from pontoon.rulebook.values import fields

NAMES = ("division-15", "star", "adelaide", "canberra", "federal")
"""The five documents, in the order they were given."""

MOST_BYTES = 1 << 20


def load(
    source: str | os.PathLike[str] = "",
    overrides: Mapping[str, object] | None = None,
    *,
    text: str | None = None,
    folder: str | os.PathLike[str] = "",
) -> Rulebook:
    """Load a rulebook by its name, from a TOML file, or from the text of one, with the operator's overrides.

    A relative path is looked up in `folder` first, if given.

    >>> load("division-15", {"split.max_hands": 4}).split.max_hands
    4
    """
    if text is not None:
        book = read(text, os.fspath(source) or "rulebook")
    elif not isinstance(source, str | os.PathLike):
        raise TypeError(f"{quoted(source)} is not a rulebook; give its name or the path of its file")
    elif source in NAMES:
        book = _shipped(os.fspath(source))
    else:
        book = read(*_file(source, folder))
    return override(book, overrides) if overrides else book


@cache
def _shipped(name: str) -> Rulebook:
    file = f"{name}.toml"
    return read((resources.files("pontoon.rulebook") / "books" / file).read_text("utf-8"), file)


def is_path(source: str) -> bool:
    """Whether a rulebook is given as a file path.

    >>> is_path("./mine.toml"), is_path("mine.TOML"), is_path("star")
    (True, True, False)
    """
    return source.lower().endswith(".toml") or "/" in source or os.sep in source


def _file(source: str | os.PathLike[str], folder: str | os.PathLike[str]) -> tuple[str, str]:
    """The text of a rulebook file, and its name for error messages."""
    named = os.fspath(source)
    if isinstance(source, str) and not is_path(source):
        raise RulebookError(unknown(source))
    beside = Path(folder) / named
    try:
        return read_file(beside if beside.exists() else Path(named)), named
    except RulebookError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise RulebookError(f"{named}: no rulebook can be read there: {reason}") from None


def read_file(path: Path) -> str:
    """The text of a file, up to a size limit."""
    content = path.read_bytes()
    if len(content) > MOST_BYTES:
        raise RulebookError(f"{path}: too large for a rulebook")
    return content.decode("utf-8")


def unknown(name: str) -> str:
    """The message for an unknown name: the known names and a suggestion.

    >>> unknown("Star")
    "no rulebook 'Star'; there are division-15, star, adelaide, canberra, federal, or a path to a TOML file (star?)"
    """
    near = difflib.get_close_matches(name.lower(), NAMES, 1)
    meant = f" ({near[0]}?)" if near else ""
    return f"no rulebook {name!r}; there are {', '.join(NAMES)}, or a path to a TOML file{meant}"


# --- records of version 0.1.0 ----------------------------------------------------------------------------

ARCHIVE = "archive/0.1.0"
_GONE: dict[str, object] = {
    "decks.with_perfect_pairs": list,
    "side.perfect_pairs": bool,
    "side.pairs_play": bool,
    "side.perfect_pairs_mixed": Odds,
    "side.perfect_pairs_coloured": Odds,
    "side.perfect_pairs_perfect": Odds,
    "side.pairs_play_any": Odds,
    "side.most_per_box": int,
    "side.own_wager_needed": bool,
    "side.compulsory": bool,
}
"""Keys of format 1 that format 2 no longer has."""


def recorded(name: str, overrides: Mapping[str, object], digest_was: str, text: str = "") -> Rulebook:
    """The rulebook of a record.

    Records have contained it since version 0.2.0 (`text`, a canonical text). Those of 0.1.0 give a name, overrides and
    a digest; it is then looked up among the rulebooks shipped with that version.
    """
    if text:
        return pinned(text, digest_was)
    if name in NAMES:
        if archived_digest(name, overrides) == digest_was:
            return override(_archived(name), overrides) if overrides else _archived(name)
        with suppress(RulebookError):
            book = load(name, overrides)
            if digest(book) == digest_was:
                return book
    raise RulebookError(f"rules {digest_was} of rulebook {name!r} are not known to this version")


def is_recorded(rules: Rulebook, name: str, digest_was: str, also: Collection[str] = ()) -> bool:
    """Whether a record with only a name and a digest was made under rules that play like these.

    Keys that are not about the round must agree only if they are in `also`.

    Strategy files and checkpoints of version 0.1.0 are such records. They do not say which overrides the digest
    includes, so the digest that version 0.1.0 would have given to these rules is computed.

    >>> is_recorded(load("star", {"split.max_hands": 3}), "star", "939a80e100f1")
    True
    >>> is_recorded(load("star"), "my-casino", "939a80e100f1")
    False
    """
    if digest(rules) == digest_was:
        return True
    if name not in NAMES:
        return False
    book = _archived(name)
    theirs = {key for key, _, _ in options_of(rules)} - {
        f"{name}.{key}" for name, keys in SINCE_1.items() for key in keys
    }
    ours = (key for key, _, _ in options_of(book) if (of_the_round(key) or key in also) and key in theirs)
    changed = {key: plain_value(rules, key) for key in ours if value_of(book, key) != value_of(rules, key)}
    was = archived_digest(name, dict(former(key, value) for key, value in changed.items()))
    return was == digest_was and {bet.name for bet in rules.side} <= {bet.name for bet in book.side}


@cache
def _archive_text(name: str) -> str:
    return (resources.files("pontoon.rulebook") / ARCHIVE / f"{name}.toml").read_text("utf-8")


@cache
def _archived(name: str) -> Rulebook:
    """A rulebook of version 0.1.0, with today's remedy rows, because that version had remedies in its code."""
    return replace(read(_archive_text(name), f"{ARCHIVE}/{name}.toml"), remedies=_shipped(name).remedies)


def archived_digest(name: str, overrides: Mapping[str, object] | None = None) -> str:
    """The digest that version 0.1.0 gave to one of its rulebooks.

    >>> archived_digest("star"), archived_digest("star", {"split.max_hands": 3})
    ('d261c65ea9ce', '939a80e100f1')
    """
    kinds = {f"{section}.{key}": kind for section, sort in SECTIONS.items() for key, (_, kind) in fields(sort).items()}
    kinds |= _GONE
    values: dict[str, Any] = {}
    cites: dict[str, list[str]] = {}
    for section, table in tomllib.loads(_archive_text(name)).items():
        for key, entry in table.items() if section != "about" else ():
            cites[f"{section}.{key}"] = entry["clauses"]
            if "value" in entry:
                values[f"{section}.{key}"] = entry["value"]
    values.update(overrides or {})
    try:
        plain = {key: _plain_1(value, kinds.get(key)) for key, value in values.items()}
    except MoneyError:
        return ""
    return hashlib.sha256(json.dumps([name, plain, cites], sort_keys=True).encode()).hexdigest()[:DIGITS]


def _plain_1(value: object, kind: object) -> object:
    if kind is Odds:
        return str(Odds(value))
    return dollars(cents(value)) if kind is Cents else value
