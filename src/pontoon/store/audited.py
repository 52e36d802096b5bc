"""A store that can also be looked at row by row, as every one of ours can."""

from __future__ import annotations

from typing import Protocol

from pontoon.store.model import Store
from pontoon.store.rows import Snapshots


class AuditedStore(Store, Snapshots, Protocol):
    """What the server and the auditor open."""
