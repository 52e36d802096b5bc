"""Progress in the trainer for accounts, profiles that their owners make public, and a leaderboard by decisions."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from msgspec import Struct

from pontoon.server.api.dependencies import Caller, HouseHere, PersonName, Signed, Somebody, answer, body_of
from pontoon.server.api.describe import JSON, ref, route
from pontoon.server.api.learning import ACCEPTED, Preparing
from pontoon.server.api.limits import limited
from pontoon.server.api.practice import drill_asked
from pontoon.server.coach.round_review import NEARLY
from pontoon.server.coach.worker import USUAL_STAKE, VALUES
from pontoon.server.people import progress
from pontoon.server.people.leaderboard import ranking_of
from pontoon.server.people.progress import AreaFigures, DrillAnswered, Kept, Place, ProfileShown, ProgressDeleted
from pontoon.server.problems import Problem, ProblemError, problem
from pontoon.trainer.values import Solved, solve

router = APIRouter(prefix="/api", dependencies=[limited("practice")])


class AnswerDrill(Struct, frozen=True, forbid_unknown_fields=True):
    """What you chose in a position."""

    position: str
    chosen: str


class ShowProfile(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether everyone may see your statistics."""

    public: bool


class Profile(Struct, frozen=True):
    """How well someone decides, in the trainer."""

    name: str
    public: bool
    total: AreaFigures
    areas: tuple[AreaFigures, ...]


class Leaderboard(Struct, frozen=True):
    """Those who lose least to mistakes, of those who show their statistics."""

    fewest: int
    """Answers in the last 30 days that a place needs."""
    places: tuple[Place, ...]


async def _account(caller: Signed) -> Caller:
    if caller.account.guest:
        raise ProblemError(problem("accounts_only"))
    return caller


Owner = Annotated[Caller, Depends(_account)]


def _done(no: Problem | None) -> Response:
    if no is not None:
        raise ProblemError(no)
    return Response(status_code=204)


def _may_prepare() -> dict[str, Any]:
    described = route(takes=AnswerDrill, status=204, signed="must", no=(403, 404, 413, 429, 503))
    described["responses"][ACCEPTED] = {
        "description": "The calculation is still running",
        "content": {JSON: {"schema": ref(Preparing)}},
    }
    return described


@router.post("/progress", **_may_prepare())
async def answer_drill(
    request: Request, house: HouseHere, caller: Owner, given: Annotated[AnswerDrill, body_of(AnswerDrill)]
) -> Response:
    """Put an answer on your record; the server works out what it costs."""
    asked = drill_asked(request, given.position)
    if given.chosen not in asked.drill.may:
        detail = f"choose one of {', '.join(asked.drill.may)}"
        raise ProblemError(problem("malformed", detail=detail))
    solved: Solved | None = await VALUES.ask(solve, asked.question)
    if solved is None:
        return answer(Preparing(), ACCEPTED)
    worth = {value.action: value.value for value in solved.values}
    best = solved.values[0]
    lost = best.value - worth.get(given.chosen, best.value)
    drill, cost = asked.drill, round(lost * USUAL_STAKE, 1) if lost >= NEARLY else 0.0
    made = DrillAnswered(asked.rulebook, drill.area, drill.cell, drill.position, given.chosen, best.action, cost)
    return _done(await progress.write(house, caller.account.name, made))


@router.get("/progress", **route(gives=Kept, signed="must", no=(403, 429)))
async def my_progress(house: HouseHere, caller: Owner) -> Response:
    """Your answers, oldest first, and whether your statistics are public."""
    return answer(await progress.kept_of(house, caller.account.name))


@router.delete("/progress", **route(status=204, signed="must", no=(403, 429, 503)))
async def delete_progress(house: HouseHere, caller: Owner) -> Response:
    """Delete your progress; your statistics are private again."""
    return _done(await progress.write(house, caller.account.name, ProgressDeleted()))


@router.post("/me/profile", **route(takes=ShowProfile, status=204, signed="must", no=(403, 413, 429, 503)))
async def show_profile(
    house: HouseHere, caller: Owner, wanted: Annotated[ShowProfile, body_of(ShowProfile)]
) -> Response:
    """Make your statistics public, or private again."""
    return _done(await progress.write(house, caller.account.name, ProfileShown(wanted.public)))


@router.get("/profiles/{name}", **route(gives=Profile, signed="may", no=(404, 429)))
async def profile(house: HouseHere, caller: Somebody, name: PersonName) -> Response:
    """The statistics of a person who shares them, or your own."""
    account = house.people.find(name)
    own = caller is not None and account is not None and caller.account.name == account.name
    kept = await progress.kept_of(house, account.name) if account is not None else Kept()
    if account is None or not (own or (kept.public and not account.suspended)):
        raise ProblemError(problem("no_profile"))
    total = progress.figures_of("", kept.answers)
    return answer(Profile(account.name, kept.public, total, progress.by_area(kept.answers)))


@router.get("/leaderboard", **route(gives=Leaderboard, no=(429,)))
async def leaderboard(house: HouseHere) -> Response:
    """Practice by the quality of decisions: what mistakes cost in 100 decisions of the last 30 days."""
    return answer(Leaderboard(progress.FEWEST, await ranking_of(house).places()))
