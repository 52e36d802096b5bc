"""The REST API: accounts, lobby and tables, tournaments, history, administration, operation."""

from __future__ import annotations

from fastapi import APIRouter

from pontoon.server.api import (
    accounts,
    admin,
    admin_tables,
    conditions,
    floor,
    hands,
    history,
    house_policy,
    lab,
    learning,
    operation,
    practice,
    progress,
    review,
    rulings,
    school,
    tables,
    tournament_sheets,
    tournaments,
)

routers: list[APIRouter] = [
    accounts.router,
    tables.router,
    tournaments.router,
    tournament_sheets.router,
    conditions.router,
    history.router,
    hands.router,
    learning.router,
    practice.router,
    review.router,
    progress.router,
    lab.router,
    rulings.router,
    floor.router,
    school.router,
    admin.router,
    admin_tables.router,
    house_policy.router,
    operation.router,
]
"""The routers under /api, and /health, /ready, /metrics."""
