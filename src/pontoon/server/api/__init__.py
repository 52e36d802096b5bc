"""REST: accounts, lobby and tables, history, administration, operation."""

from __future__ import annotations

from fastapi import APIRouter

from pontoon.server.api import accounts, admin, history, operation, tables

routers: list[APIRouter] = [
    accounts.router,
    tables.router,
    history.router,
    admin.router,
    operation.router,
]
"""Everything under /api, and /health, /ready, /metrics."""
