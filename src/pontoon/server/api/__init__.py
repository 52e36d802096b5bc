"""REST: accounts, lobby and tables, tournaments, history, administration, operation."""

from __future__ import annotations

from fastapi import APIRouter

from pontoon.server.api import accounts, admin, history, lab, learning, operation, rulings, tables, tournaments

routers: list[APIRouter] = [
    accounts.router,
    tables.router,
    tournaments.router,
    history.router,
    learning.router,
    lab.router,
    rulings.router,
    admin.router,
    operation.router,
]
"""Everything under /api, and /health, /ready, /metrics."""
