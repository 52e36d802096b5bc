"""Filling in who acts: a client's command never says for itself whose it is or in which capacity."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import Command
from pontoon.server.commands import Asked, RoomCommand
from pontoon.server.permits import Role, Whose
from pontoon.table import commands as c

BY: dict[Role, str] = {
    "player": "operator",  # whoever made a table acts for the house there
    "dealer": "dealer",
    "game_supervisor": "game_supervisor",
    "casino_supervisor": "casino_supervisor",
    "inspector": "inspector",
    "tournament_director": "casino_employee",
    "administrator": "operator",
}
"""What the documents call the people of each role."""
APPROVES: dict[Role, tuple[str, ...]] = {
    "inspector": ("inspector",),
    "casino_supervisor": ("pit_boss", "casino_supervisor"),
}
"""As whom the second person approves a ruling: the first of these that the document takes (adelaide 112)."""

_OF_THE_HOUSE = (
    c.CheckCards, c.Restrict, c.TakeSeat, c.Exclude, c.DeclarePartners, c.Reconstruct, c.RemoveExtraHand,
    c.DecideDispute, c.ShuffleDiscards, c.OrderShuffle, c.VoidEarlier, c.HoldLate, c.AllowBoxes, c.TakeControl,
)  # fmt: skip
"""Commands that name the role of whoever gives them."""
_OF_THE_MAKER = (c.Open, c.GiveNotice, c.Close)
_ABOUT_SOMEBODY = (
    c.Restrict, c.TakeSeat, c.Exclude, c.AllowPersonalLimit, c.DecideDispute, c.HoldLate, c.AllowBoxes, c.TakeControl,
)  # fmt: skip
"""Commands of officials about a player."""


class Actor(Struct, frozen=True):
    """Who asks, and in which capacity."""

    name: str
    role: Role = "player"


def subject(command: Asked) -> str | None:
    """The person a command is about; empty where it is left to us, None where it is about nobody."""
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
    """Whom a command is about, seen from whoever gives it."""
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
    """The command with its giver's name and capacity, whatever it said itself."""
    own = actor.role == "player" and subject(command) is not None
    if isinstance(command, c.CallOut):
        return replace(command, wager=replace(command.wager, player=actor.name)) if own else command
    if isinstance(command, c.Cut):
        return replace(command, by=actor.name) if own else command
    if isinstance(command, _OF_THE_HOUSE):
        command = replace(command, by=BY[actor.role])
    if hasattr(command, "approver"):
        command = replace(command, approver="")
    return replace(command, player=actor.name) if own and hasattr(command, "player") else command


def for_table(command: Command | c.TableCommand, actor: Actor, reason: str = "") -> c.TableCommand:
    """A command of the round goes to the table inside `Play`."""
    if isinstance(command, Command):
        return c.Play(command, by=BY[actor.role] if actor.role != "player" else actor.name, reason=reason)
    return command
