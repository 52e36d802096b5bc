"""Who may give which command, from permits.toml.

>>> verdict("PlaceWager", "player", "own", "automatic", "ready")
'allowed'
>>> verdict("PlaceWager", "player", "other", "automatic", "ready")
'not_yours'
>>> verdict("VoidRound", "dealer", "table", "floor", "round")
'forbidden'
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from pontoon.table.state import TablePhase

Role = Literal[
    "player", "dealer", "game_supervisor", "casino_supervisor", "inspector", "tournament_director", "administrator"
]
"""The role in which a user acts; every user may also act as a player."""
Whose = Literal["own", "other", "table"]
"""Who a command concerns: its sender, another player, or the table."""
Verdict = Literal["allowed", "not_yours", "wrong_mode", "forbidden", "not_now"]
Mode = Literal["automatic", "floor"]

ROLES: tuple[Role, ...] = get_args(Role)
PHASES: tuple[TablePhase, ...] = get_args(TablePhase)
OFFICIALS: tuple[Role, ...] = ROLES[1:]


class Permit(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the table."""

    commands: Annotated[tuple[str, ...], Meta(min_length=1)]
    phases: tuple[TablePhase, ...]
    own: tuple[Role, ...] = ()
    any: tuple[Role, ...] = ()
    floor: tuple[Role, ...] = ()


Row = TypeVar("Row", bound=Struct)


def read_permits(package: str, kind: type[Row]) -> dict[str, Row]:
    """The rows of a package's permits.toml, each by the names of its commands."""
    text = (resources.files(package) / "permits.toml").read_text("utf-8")
    rows: list[Any] = msgspec.convert(tomllib.loads(text)["permit"], list[kind])  # type: ignore[valid-type] # the caller's
    table = {name: row for row in rows for name in row.commands}
    assert len(table) == sum(len(row.commands) for row in rows), "a command is listed in two permits"
    return table


@cache
def permits() -> dict[str, Permit]:
    """The permit of each command, by name."""
    return read_permits("pontoon.server.rooms", Permit)


def verdict(command: str, role: Role, whose: Whose, mode: Mode, phase: TablePhase) -> Verdict:
    """Whether this role may give this command; for `not_now` the table gives the reason."""
    row = permits()[command]
    if not _permitted(row, role, whose, mode):
        if role in row.own:
            return "not_yours"
        return "wrong_mode" if role in row.floor else "forbidden"
    return "allowed" if phase in row.phases else "not_now"


def _permitted(row: Permit, role: Role, whose: Whose, mode: Mode) -> bool:
    return role in row.any or (mode == "floor" and role in row.floor) or (whose == "own" and role in row.own)
