"""Random names for tables and tournaments that are easy to read aloud."""

from __future__ import annotations

import secrets

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and digits without those that are easily confused."""


def new_id(length: int) -> str:
    """A random name; a collision is very unlikely."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))
