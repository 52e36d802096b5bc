"""Fill in the actor of a command; clients cannot claim a name or a role."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import Command
from pontoon.server.rooms.commands import Asked, RoomCommand
from pontoon.server.rooms.permits import Role, Whose
from pontoon.table import commands as c

BY: dict[Role, str] = {
    "player": "operator",  # the creator of a table acts for the house there
    "dealer": "dealer",
    "game_supervisor": "game_supervisor",
    "casino_supervisor": "casino_supervisor",
    "inspector": "inspector",
    "tournament_director": "casino_employee",
    "administrator": "operator",
}
"""The rulebooks' name for each role."""
APPROVES: dict[Role, tuple[str, ...]] = {
    "inspector": ("inspector",),
    "casino_supervisor": ("pit_boss", "casino_supervisor"),
}
"""Capacities in which a second person may approve a ruling; the first one the rulebook accepts (adelaide 112)."""

_OF_THE_HOUSE = (
    c.CheckCards, c.Restrict, c.TakeSeat, c.Exclude, c.DeclarePartners, c.Reconstruct, c.RemoveExtraHand,
    c.DecideDispute, c.ShuffleDiscards, c.OrderShuffle, c.VoidEarlier, c.HoldLate, c.AllowBoxes, c.TakeControl,
)  # fmt: skip
"""Commands that name the role of their sender."""
_OF_THE_MAKER = (c.Open, c.GiveNotice, c.Close)
_ABOUT_SOMEBODY = (
    c.Restrict, c.TakeSeat, c.Exclude, c.AllowPersonalLimit, c.DecideDispute, c.HoldLate, c.AllowBoxes, c.TakeControl,
)  # fmt: skip
"""Commands of officials about a player."""


_TIMED = (c.Open, c.ShowCards, c.GiveNotice, c.Close)
"""Commands that start or end a waiting time."""


class Actor(Struct, frozen=True):
    """The sender of a command and the role in which they act."""

    name: str
    role: Role = "player"


def subject(command: Asked) -> str | None:
    """The player a command concerns; empty if the server must fill it in, None if there is none."""
    match command:
        case c.Cut(by=by):
            return by
        case c.CallOut(wager=wager):
            return wager.player
        case RoomCommand():
            return None
        case _:
            name: str | None = getattr(command, "player", None)
            return name


def whose(command: Asked, actor: Actor, made_by: str) -> Whose:
    """Whether a command concerns its sender, another player, or the table."""
    if isinstance(command, (RoomCommand, *_OF_THE_MAKER)):
        passing = type(command).__name__ == "Pass"
        return "own" if passing or actor.name == made_by else "other"
    if actor.role != "player" and isinstance(command, _ABOUT_SOMEBODY):
        return "table"
    about = subject(command)
    if about is None:
        return "table"
    return "own" if about in ("", actor.name) else "other"


def signed(command: Asked, actor: Actor) -> Asked:
    """The command with its sender's real name and role."""
    own = actor.role == "player" and subject(command) is not None
    if isinstance(command, c.CallOut):
        return replace(command, wager=replace(command.wager, player=actor.name)) if own else command
    if isinstance(command, c.Cut):
        return replace(command, by=actor.name) if own else command
    if isinstance(command, _OF_THE_HOUSE):
        command = replace(command, by=BY[actor.role])
    if isinstance(command, c.ChangeDealer) and actor.role == "dealer":
        command = replace(command, dealer=actor.name)
    if hasattr(command, "approver"):
        command = replace(command, approver="")
    return replace(command, player=actor.name) if own and hasattr(command, "player") else command


def stamped(command: Asked, now: int) -> Asked:
    """The command with the moment the server received it, where a waiting time depends on that.

    >>> stamped(c.Close(minutes=15, at=1), 1_700_000_000_000).at
    1700000000000
    """
    return replace(command, at=now) if isinstance(command, _TIMED) else command


def for_table(command: Command | c.TableCommand, actor: Actor, reason: str = "") -> c.TableCommand:
    """Wrap a command of the round in `Play`; other commands are returned unchanged."""
    if isinstance(command, Command):
        return c.Play(command, by=BY[actor.role] if actor.role != "player" else actor.name, reason=reason)
    return command
