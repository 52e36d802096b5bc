"""The house policy: what is in force, for everyone; changes by an administrator."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Response
from msgspec import Meta, Struct

from pontoon.rulebook import NAMES
from pontoon.server.api.dependencies import Administrator, HouseHere, answer, body_of
from pontoon.server.api.describe import route
from pontoon.server.api.problems import good
from pontoon.server.house import House
from pontoon.server.operation.logs import event
from pontoon.server.operation.policy import SAYS, Policy, PolicyError, changes, checked, policy_text, read_policy
from pontoon.server.people.people import PolicySet
from pontoon.server.problems import Problem, ProblemError, problem

router = APIRouter(prefix="/api")


class PolicyView(Struct, frozen=True):
    """The house policy, as values and as a file."""

    policy: Policy
    text: str
    """The file that sets the same policy."""
    says: dict[str, str]
    """What each value means."""
    at: int
    """When it was changed last; 0 if it never was."""
    by: str


class PolicyChange(Struct, frozen=True, forbid_unknown_fields=True):
    """New values of some keys (amounts in cents), or a whole file."""

    values: Annotated[dict[str, Any], Meta(max_length=32)] = {}
    text: Annotated[str, Meta(max_length=8000)] = ""


def policy_view(house: House) -> PolicyView:
    """The policy in force."""
    record = house.people.record
    return PolicyView(record.policy, policy_text(record.policy), SAYS, record.at, record.by)


@router.get("/policy", **route(gives=PolicyView))
async def policy(house: HouseHere) -> Response:
    """The house policy."""
    return answer(policy_view(house))


@router.put("/admin/policy", **route(takes=PolicyChange, gives=PolicyView, signed="must", no=(403, 503)))
async def change_policy(
    house: HouseHere, caller: Administrator, change: Annotated[PolicyChange, body_of(PolicyChange, "text")]
) -> Response:
    """Change the house policy; it takes effect immediately, in every process."""
    known = (*NAMES, *house.options.rulebooks)
    try:
        wanted = read_policy(change.text, known) if change.text else _merged(house, change.values, known)
    except PolicyError as error:
        raise ProblemError(problem("policy_faults", faults=list(error.faults))) from None
    good(await put_in_force(house, caller.account.name, wanted))
    return answer(policy_view(house))


def _merged(house: House, values: dict[str, Any], known: tuple[str, ...]) -> Policy:
    return checked(msgspec.to_builtins(house.people.policy) | values, known)


async def put_in_force(house: House, by: str, wanted: Policy) -> Problem | None:
    """Record a policy, unless it is in force already."""
    changed = changes(house.people.policy, wanted)
    if not changed:
        return None
    entry = await house.say_of(by, PolicySet(wanted, changed))
    if isinstance(entry, Problem):
        return entry
    event("policy_changed", by=by, changed=list(changed))
    return None
