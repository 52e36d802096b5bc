"""Quote an unchecked value in an error message, in one short line.

Quoting must not fail on numbers of ten thousand digits, on endless nesting or on a screenful of text.
"""

from __future__ import annotations

MOST = 64


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
