"""Names that can be read out, for tables and tournaments."""

from __future__ import annotations

import secrets

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Nothing that is taken for something else."""


def new_id(length: int) -> str:
    """A name nobody has, as far as chance goes."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))
