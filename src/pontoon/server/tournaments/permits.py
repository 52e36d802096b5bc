"""Who may give which tournament command, from permits.toml.

>>> verdict("CountChips", Actor("Dora", "tournament_director"), "Dora", "")
'forbidden'
>>> verdict("CallBreak", Actor("Dora", "tournament_director"), "Dora", "")
'allowed'
>>> verdict("Enter", Actor("Ann"), "Dora", "Ben")
'not_yours'
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.permits import Role, read_permits
from pontoon.server.tournaments.heat import STEWARD

Verdict = Literal["allowed", "not_yours", "not_the_director", "forbidden"]
MAKERS: tuple[Role, ...] = ("tournament_director", "administrator")
"""Roles that may create a tournament."""


class Permit(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the table."""

    commands: Annotated[tuple[str, ...], Meta(min_length=1)]
    own: bool = False
    director: bool = False
    any: tuple[Role, ...] = ()
    steward: bool = False


@cache
def permits() -> dict[str, Permit]:
    """The permit of each command, by name."""
    return read_permits("pontoon.server.tournaments", Permit)


def verdict(command: str, actor: Actor, director: str, about: str) -> Verdict:
    """Whether the actor may give this command; `about` is the player concerned, empty for the actor or none."""
    row = permits()[command]
    if actor.name == STEWARD:
        return "allowed" if row.steward else "forbidden"
    if row.own and about in ("", actor.name):
        return "allowed"
    if actor.role in row.any:
        return "allowed"
    if row.director and actor.role == "tournament_director":
        return "allowed" if actor.name == director else "not_the_director"
    return "not_yours" if row.own else "forbidden"
