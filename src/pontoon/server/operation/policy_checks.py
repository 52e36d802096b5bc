"""What the house policy refuses."""

from __future__ import annotations

from pontoon.engine import PlaceWager
from pontoon.server.operation.operator_access import OPERATOR
from pontoon.server.operation.policy import Policy
from pontoon.server.people.people import Account, People
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked, SeatBot
from pontoon.server.rooms.settings import Settings, gaming_open
from pontoon.table.commands import AnnounceLimits, SetLimits

HOUR = 3_600_000
MINUTE = 60_000


def table_refused(people: People, actor: Actor, settings: Settings) -> Problem | None:
    """Why a person may not make this table; tables of the server itself and practice tables are outside the policy."""
    policy, account = people.policy, people.find(actor.name)
    of_the_server = account is None and actor.name != OPERATOR.name
    if of_the_server or settings.practice or settings.heat is not None:
        return None
    kind = "guest" if account is not None and account.guest else actor.role
    if kind not in policy.makers and actor.role != "administrator":
        return problem("policy", rule="makers")
    if policy.rulebooks and settings.rulebook not in policy.rulebooks:
        return problem("policy", rule="rulebooks", rulebooks=list(policy.rulebooks))
    if settings.bots_alone and not policy.bots:
        return problem("policy", rule="bots")
    return _limits_refused(policy, settings.minimum, settings.maximum)


def _limits_refused(policy: Policy, minimum: int, maximum: int) -> Problem | None:
    if minimum < policy.minimum:
        return problem("policy", rule="minimum", least=policy.minimum)
    if policy.maximum and not 0 < maximum <= policy.maximum:
        return problem("policy", rule="maximum", most=policy.maximum)
    return None


def command_refused(people: People, actor: Actor, settings: Settings, asked: Asked, wall: int) -> Problem | None:
    """Why a command is refused at a table that is not for practice."""
    policy, account = people.policy, people.find(actor.name)
    if settings.practice or (account is None and actor.name != OPERATOR.name):
        return None
    if account is not None and account.guest and policy.guests != "play":
        return problem("policy", rule="guests")
    match asked:
        case PlaceWager():
            return _closed(policy, wall) if settings.heat is None else None
        case SeatBot() if not policy.bots:
            return problem("policy", rule="bots")
        case SetLimits(limits=limits) | AnnounceLimits(limits=limits):
            return _limits_refused(policy, limits.minimum, limits.maximum)
        case _:
            return None


def _closed(policy: Policy, wall: int) -> Problem | None:
    hours = Settings("", opens=policy.opens, closes=policy.closes, utc_offset=policy.utc_offset)
    is_open, _ = gaming_open(hours, wall)
    return None if is_open else problem("policy", rule="hours", opens=policy.opens)


def guest_refused(policy: Policy) -> Problem | None:
    """Why nobody may sign in as a guest."""
    return problem("policy", rule="no_guests") if policy.guests == "closed" else None


def watching_refused(policy: Policy, account: Account | None, settings: Settings) -> Problem | None:
    """Why someone may not look at a table."""
    hidden = policy.spectators == "people" and account is None and not settings.practice
    return problem("policy", rule="spectators") if hidden else None


def top_up_refused(policy: Policy, account: Account, wall: int) -> Problem | None:
    """Why a player is not given new chips now."""
    if not policy.top_ups:
        return problem("policy", rule="top_ups")
    again = account.topped_up + policy.top_up_hours * HOUR
    return problem("policy", rule="top_up_hours", minutes=-(-(again - wall) // MINUTE)) if wall < again else None
