"""The store interface with access to raw rows, which all our stores provide."""

from __future__ import annotations

from typing import Protocol

from pontoon.store.model import Store
from pontoon.store.rows import Snapshots


class AuditableStore(Store, Snapshots, Protocol):
    """A store that `verify` and `backup` can read row by row."""
