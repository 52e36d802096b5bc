"""Where the keys of requests that create something are stored."""

from __future__ import annotations

KEYS = "keys/"
"""Before the name of a person in the name of the stream that holds the keys of what they made."""
