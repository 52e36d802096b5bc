"""Write the conditions of a tournament in a form: its keys, templates, and a check of what is written so far."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response
from msgspec import Meta, Struct

from pontoon.server.api.dependencies import HouseHere, Signed, Speaks, answer, body_of
from pontoon.server.api.describe import route
from pontoon.server.api.tournaments import LONGEST_CONDITIONS, FaultRow
from pontoon.server.tournaments.registry import FILE, rulebook_finder
from pontoon.tournament.conditions.check import warnings
from pontoon.tournament.conditions.load import ConditionsError, digest, examine, text_of, values_of
from pontoon.tournament.conditions.numbers import numbers, tables_of
from pontoon.tournament.conditions.values import Conditions
from pontoon.tournament.templates import NAMES, template
from pontoon.view.catalogue import say
from pontoon.view.tournaments.conditions_form import FormPart, form

router = APIRouter(prefix="/api")


class TemplateRow(Struct, frozen=True):
    """Conditions to begin with."""

    name: str
    title: str
    text: str


class ConditionsForm(Struct, frozen=True):
    """The keys of the conditions, templates, and the rulebooks that rounds can be dealt by."""

    parts: tuple[FormPart, ...]
    templates: tuple[TemplateRow, ...]
    rulebooks: tuple[str, ...]


class Written(Struct, frozen=True, forbid_unknown_fields=True):
    """Conditions as the text of a file, or as the values of the form."""

    conditions: Annotated[str, Meta(max_length=LONGEST_CONDITIONS)] = ""
    values: dict[str, Any] | None = None


class ExpectedSession(Struct, frozen=True):
    """How many players a session may have, and at how many tables they play."""

    name: str
    fewest: int
    most: int
    """With the maximum of entries and all buy-backs."""
    tables: int


class CheckedConditions(Struct, frozen=True):
    """Conditions with everything that must be corrected, what may surprise, and what follows from them."""

    text: str
    """The file."""
    values: dict[str, Any]
    """The values in it, as they are written."""
    unreadable: str
    """Why the text is not TOML; then there is nothing else."""
    faults: tuple[FaultRow, ...]
    warnings: tuple[FaultRow, ...]
    sessions: tuple[ExpectedSession, ...]
    digest: str
    """Empty while something must be corrected."""


@router.get("/conditions", **route(gives=ConditionsForm))
async def conditions_form(house: HouseHere, speaks: Speaks) -> Response:
    """The form for the conditions of a tournament, with templates."""
    templates = tuple(TemplateRow(name, say(f"template.{name}", {}, speaks), template(name)) for name in NAMES)
    return answer(ConditionsForm(form(speaks), templates, rulebook_finder(house.options.rulebooks).names))


@router.post("/conditions", **route(takes=Written, gives=CheckedConditions, signed="must", no=(413, 415, 422, 429)))
async def check_conditions(
    house: HouseHere, _: Signed, written: Annotated[Written, body_of(Written, page="conditions")]
) -> Response:
    """Check conditions while they are written; nothing is stored."""
    text = written.conditions if written.values is None else text_of(written.values)
    try:
        conditions, found = examine(text, FILE, rulebook_finder(house.options.rulebooks))
        values = values_of(text)
    except ConditionsError as error:
        return answer(CheckedConditions(text, {}, str(error), (), (), (), ""))
    faults = tuple(FaultRow(fault.clause, fault.words) for fault in found)
    return answer(_checked(text, values, faults, conditions))


def _checked(
    text: str, values: dict[str, Any], faults: tuple[FaultRow, ...], conditions: Conditions | None
) -> CheckedConditions:
    if conditions is None or faults:
        return CheckedConditions(text, values, "", faults, (), (), "")
    noted = tuple(FaultRow(warning.clause, warning.words) for warning in warnings(conditions))
    fewest = numbers(conditions, conditions.players.least)
    most = numbers(conditions, conditions.players.most, all_buy_back=True)
    at_table = conditions.players.at_table
    sessions = tuple(
        ExpectedSession(session.name, low, high, tables_of(session, high, at_table))
        for session, low, high in zip(conditions.sessions, fewest, most, strict=True)
    )
    return CheckedConditions(text, values, "", (), noted, sessions, digest(conditions))
