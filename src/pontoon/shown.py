"""Show a value nobody has checked yet, in one short line.

Bad input ends in a message that quotes it; the quoting itself must not fail on numbers of ten thousand digits, on
nesting without end or on a screenful of text.
"""

from __future__ import annotations

MOST = 64


def shown(value: object) -> str:
    """Quote a value, shortened.

    >>> shown("star"), shown(10**5000), len(shown("a" * 1000))
    ("'star'", 'a value of type int', 67)
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= MOST else text[:MOST] + "..."
