"""Quote an unchecked value in an error message, in one short line; write a number with its unit.

Quoting must not fail on numbers of ten thousand digits, on endless nesting or on a screenful of text.
"""

from __future__ import annotations

MOST = 64
_TIMES = {1: "once", 2: "twice"}


def quoted(value: object) -> str:
    """The value as Python writes it, shortened.

    >>> quoted("star"), quoted(10**5000), len(quoted("a" * 1000))
    ("'star'", 'a value of type int', 67)
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= MOST else text[:MOST] + "..."


def counted(number: int, unit: str) -> str:
    """A number with its unit.

    >>> counted(1, "round/rounds"), counted(30, "round/rounds"), counted(1, "time/times")
    ('1 round', '30 rounds', 'once')
    """
    singular, plural = unit.split("/")
    if singular == "time" and number in _TIMES:
        return _TIMES[number]
    return f"{number:,} {singular if number == 1 else plural}"
