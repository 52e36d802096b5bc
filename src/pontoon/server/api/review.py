"""The review of a session: one finished round after the other, with every mistake and its cost."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from msgspec import Struct

from pontoon.server.api.dependencies import HouseHere, Number, Signed, TableId, answer
from pontoon.server.api.describe import JSON, ref, route
from pontoon.server.api.learning import ACCEPTED, Preparing
from pontoon.server.api.problems import good
from pontoon.server.coach.round_review import Mistake, cost_of, first_wagers, made_in, mistake
from pontoon.server.coach.worker import CHARTS, USUAL_STAKE, VALUES
from pontoon.server.problems import ProblemError, problem
from pontoon.server.records import history
from pontoon.trainer.values import Figures, Solved, figures, game_of, solve_all
from pontoon.trainer.why import why

router = APIRouter(prefix="/api")
PATIENCE = 2.0
"""Seconds a caller waits for the calculations of a round before it asks again."""


class RoundReview(Struct, frozen=True):
    """One of your finished rounds: its result, what was to be expected, and your mistakes."""

    status: str
    table: str
    number: int
    at: int
    rulebook: str
    staked: int
    net: int
    expected: float
    """The house edge on your first wagers in cents: below 0."""
    cost: float
    """What your mistakes cost on average, in cents."""
    decisions: int
    mistakes: tuple[Mistake, ...]


def _may_prepare() -> dict[str, Any]:
    described = route(gives=RoundReview, signed="must", no=(403, 404, 429, 503))
    described["responses"][ACCEPTED] = {
        "description": "The calculation is still running",
        "content": {JSON: {"schema": ref(Preparing)}},
    }
    return described


@router.get("/rounds/{table}/{number}/review", **_may_prepare())
async def round_review(house: HouseHere, caller: Signed, table: TableId, number: Number) -> Response:
    """Your decisions in a finished round: how many, and what each mistake cost."""
    row = good(await history.find_round(house, table, number))
    player = caller.account.name
    mine = next((line for line in row.players if line.player == player), None)
    if mine is None:
        raise ProblemError(problem("not_your_round"))
    past = await history.past_round(house, row)
    made = [] if row.void else made_in(past, player)
    questions = tuple(decision.question for decision in made)
    solved: tuple[Solved, ...] | None = await VALUES.ask(solve_all, questions, PATIENCE) if questions else ()
    edge: Figures | None = await CHARTS.ask(figures, game_of(past.table.rules, past.table.packs, USUAL_STAKE), PATIENCE)
    if solved is None or edge is None:
        return answer(Preparing(), ACCEPTED)
    mistakes: list[Mistake] = []
    for decision, values in zip(made, solved, strict=True):
        if cost_of(decision, values):
            reason = await VALUES.ask(why, decision.question, PATIENCE)
            if reason is None:
                return answer(Preparing(), ACCEPTED)
            mistakes.append(mistake(past, decision, values, reason))
    expected = 0.0 if row.void else -edge.house_edge * first_wagers(past, player)
    cost = sum(row.cents for row in mistakes)
    review = RoundReview(
        "ready", row.table, row.number, row.at, row.rulebook, mine.staked, mine.net, expected, cost,
        len(made), tuple(mistakes),
    )  # fmt: skip
    return answer(review)
