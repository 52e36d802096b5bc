"""Passwords that anyone would try first."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

_ROWS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "1qaz2wsx3edc4rfv",
)
_SIMILAR = str.maketrans("@4301$57!|", "aaeoissTil".lower())
_LEAST_LETTERS = 4
"""Different characters in a password."""
_RUN = 5
"""Characters of a keyboard row or the alphabet that count as one."""


@cache
def _common() -> frozenset[str]:
    text = (resources.files("pontoon.server.people") / "common_passwords.txt").read_text("utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


def weak(password: str, name: str = "") -> bool:
    """Whether a password is common, a row of keys, a repetition, or the person's own name.

    >>> [weak(text) for text in ("password", "12345678", " " * 8, "P4ssw0rd!", "qwertyuiop1", "aaaabbbb")]
    [True, True, True, True, True, True]
    >>> weak("correct horse"), weak("annabella1", "Annabella")
    (False, True)
    """
    plain = password.casefold().strip()
    base = re.sub(r"[\W\d_]+$", "", plain)
    spellings = {plain, base, plain.translate(_SIMILAR), base.translate(_SIMILAR)}
    person = name.casefold().strip()
    return (
        len(set(plain)) < _LEAST_LETTERS
        or bool(spellings & _common())
        or bool(person and person in spellings)
        or not _outside_rows(plain)
        or _repeats(plain)
    )


def _outside_rows(plain: str) -> bool:
    """Whether anything is left after removing runs along a keyboard row, in either direction."""
    rows = [*_ROWS, *(row[::-1] for row in _ROWS)]
    place, left = 0, 0
    while place < len(plain):
        run = next(
            (size for size in range(len(plain) - place, _RUN - 2, -1) if _in_row(plain[place : place + size], rows)), 1
        )
        left += run == 1
        place += run
    return left > len(plain) // 3


def _in_row(part: str, rows: list[str]) -> bool:
    return any(part in row for row in rows)


def _repeats(plain: str) -> bool:
    """One short part, several times: `abcabcabc`."""
    return any(plain == (plain[:size] * len(plain))[: len(plain)] for size in range(1, len(plain) // 2 + 1))
