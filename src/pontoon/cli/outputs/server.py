"""Outputs of the commands about servers and tournaments."""

from __future__ import annotations

from typing import Any

from pontoon.cli.outputs.common import Part
from pontoon.store.model import Fault as StoreFault
from pontoon.tournament.conditions.check import Fault as ConditionsFault


class VerifyLogOutput(Part, frozen=True, kw_only=True):
    """The faults of a server's log; balances are in cents."""

    ok: bool
    streams: int
    entries: int
    trial_balance: int
    accounts: dict[str, int]
    faults: list[StoreFault]


class AccountListed(Part, frozen=True, kw_only=True):
    """An account."""

    name: str
    role: str
    guest: bool


class BackupOutput(Part, frozen=True, kw_only=True):
    """A copy of the database."""

    file: str
    bytes: int
    entries: int


class MigrateOutput(Part, frozen=True, kw_only=True):
    """A move to another database."""

    entries: int
    seconds: float


class TournamentCheckOutput(Part, frozen=True, kw_only=True):
    """The faults of a tournament's conditions."""

    file: str
    in_order: bool
    digest: str | None
    faults: list[ConditionsFault]
    warnings: list[ConditionsFault]


class TournamentConditionsOutput(Part, frozen=True, kw_only=True):
    """The conditions as data and as the printed paper."""

    digest: str
    conditions: dict[str, Any]
    paper: Any


class StandingRow(Part, frozen=True, kw_only=True):
    """A player's place at the end; amounts are in dollars."""

    place: int
    player: str
    chips: str
    points: str
    session: int
    prize: str


class PayoutRow(Part, frozen=True, kw_only=True, rename={"session": "for"}):
    """A payment."""

    number: int
    player: str
    session: str
    place: int
    amount: str
    paid: str


class TournamentRunOutput(Part, frozen=True, kw_only=True):
    """A tournament that was played."""

    tournament: str
    conditions: str
    seed: str
    phase: str
    entries: int
    sessions: int
    paid: str
    commission: str
    ballot_seed: str
    log: str
    folder: str
    files: list[str]
    standings: list[StandingRow]
    payouts: list[PayoutRow]
