"""The house policy: who may do what on this server, as one value, one TOML file and one event in the people's log.

The policy in force is the last one recorded, so that every process and every backup has it. Tables for practice chips
are outside it.
"""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Collection, Iterator
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from pontoon.money import MoneyError, cents, dollars
from pontoon.server.rooms.permits import Role

Maker = Literal["guest"] | Role
MAKERS: tuple[str, ...] = ("guest", *get_args(Role))
TimeOfDay = Annotated[str, Meta(pattern=r"^(([01][0-9]|2[0-3]):[0-5][0-9])?$")]
Amount = Annotated[int, Meta(ge=0, le=10**12)]
WIDTH = 110
"""Columns of the comments in a file."""
AMOUNTS = ("minimum", "maximum", "first_chips")
"""Cents in the value, dollars in the file."""


class Policy(Struct, frozen=True):
    """The house policy. The defaults are those of a server without a policy."""

    makers: Annotated[tuple[Maker, ...], Meta(max_length=8)] = MAKERS  # type: ignore[assignment] # literals
    minimum: Amount = 0
    maximum: Amount = 0
    rulebooks: Annotated[tuple[Annotated[str, Meta(max_length=32)], ...], Meta(max_length=64)] = ()
    bots: bool = True
    guests: Literal["play", "watch", "closed"] = "play"
    first_chips: Amount = 100_000
    top_ups: bool = True
    top_up_hours: Annotated[int, Meta(ge=0, le=24 * 366)] = 0
    spectators: Literal["anyone", "people"] = "anyone"
    spectator_delay: Annotated[int, Meta(ge=0, le=600)] = 0
    opens: TimeOfDay = ""
    closes: TimeOfDay = ""
    utc_offset: Annotated[int, Meta(ge=-840, le=840)] = 0
    archive_days: Annotated[int, Meta(ge=1, le=3660)] = 1
    backup_days: Annotated[int, Meta(ge=0, le=36600)] = 0


SAYS = {
    "makers": f"Who may make tables: any of {', '.join(MAKERS)}. Administrators always may.",
    "minimum": "The lowest minimum wager a table may have, in dollars.",
    "maximum": "The highest maximum wager a table may have, in dollars; 0.00 for no limit.",
    "rulebooks": "The rulebooks tables may be made with; an empty list for all that the server has.",
    "bots": "Whether bots may be seated.",
    "guests": 'What people without a password may do: "play", "watch" (and practise), or "closed" (no guests).',
    "first_chips": "Play chips given to a new player, in dollars.",
    "top_ups": "Whether a player who has almost no chips left is given new ones.",
    "top_up_hours": "Hours between two top-ups of a player; 0 for none.",
    "spectators": 'Who may watch without playing: "anyone", or "people" who are signed in.',
    "spectator_delay": "Seconds by which spectators see a table later than its players and officials.",
    "opens": 'When the house opens, as in "12:00"; empty for always open. Outside the hours no wagers are taken.',
    "closes": 'When it closes, as in "04:00". A round that has begun is finished.',
    "utc_offset": "Offset of these hours from UTC in minutes.",
    "archive_days": "Days after which a table that nobody uses leaves the lobby. Its log and its link stay.",
    "backup_days": "Days after which the server deletes its own backups; 0 for never. The newest is always kept.",
}
"""What each value means, for the file, the page and the documents."""


class PolicyError(Exception):
    """A policy with faults."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


def policy_text(policy: Policy) -> str:
    """The policy as a commented TOML file.

    >>> print(policy_text(Policy(minimum=500)).splitlines()[6:8])
    ['# The lowest minimum wager a table may have, in dollars.', 'minimum = "5.00"']
    """
    lines = ["# House policy of a Pontoon server: `pontoon admin policy --file FILE` applies it.\n"]
    for key, says in SAYS.items():
        value = getattr(policy, key)
        comment = textwrap.fill(says, WIDTH, initial_indent="# ", subsequent_indent="# ")
        lines.append(f"{comment}\n{key} = {_written(dollars(value) if key in AMOUNTS else value)}\n")
    return "\n".join(lines)


def _written(value: object) -> str:
    """A value in TOML, which writes these kinds of values as JSON does."""
    return msgspec.json.encode(value).decode().replace(",", ", ")


def read_policy(text: str, known: Collection[str] = ()) -> Policy:
    r"""Read a policy file; values that it leaves out have their defaults. `known` names the server's rulebooks.

    >>> read_policy('minimum = "5.00"').minimum
    500
    >>> read_policy('guest = "play"\nminimum = "6.00"\nmaximum = "5.00"')
    Traceback (most recent call last):
    pontoon.server.operation.policy.PolicyError: guest: there is no such key; minimum: it is above the maximum
    """
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError((f"not TOML: {error}",)) from None
    return checked(given, known, amounts=cents)


def checked(given: dict[str, Any], known: Collection[str] = (), amounts: Any = int) -> Policy:  # noqa: ANN401 a reader
    """A policy from its values, with all faults reported at once."""
    faults = [f"{key}: there is no such key" for key in sorted(given.keys() - SAYS.keys())]
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(Policy):
        if field.name not in given:
            continue
        try:
            value = amounts(given[field.name]) if field.name in AMOUNTS else given[field.name]
            values[field.name] = msgspec.convert(value, field.type)
        except (msgspec.ValidationError, MoneyError, TypeError, ValueError) as error:
            faults.append(f"{field.name}: {error}")
    policy = Policy(**values)
    faults += wrong(policy, known)
    if faults:
        raise PolicyError(tuple(faults))
    return policy


def wrong(policy: Policy, known: Collection[str] = ()) -> Iterator[str]:
    """What contradicts itself in a policy, or names a rulebook that the server does not have."""
    if policy.maximum and policy.minimum > policy.maximum:
        yield "minimum: it is above the maximum"
    if bool(policy.opens) != bool(policy.closes):
        yield "opens, closes: give both or neither"
    for name in policy.rulebooks if known else ():
        if name not in known:
            yield f"rulebooks: there is no {name!r}; available: {', '.join(known)}"


def changes(old: Policy, new: Policy) -> tuple[str, ...]:
    """The keys whose values differ."""
    return tuple(key for key in SAYS if getattr(old, key) != getattr(new, key))
