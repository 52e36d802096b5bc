"""Learning: the coach of practice tables, and a round under other rulebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Response
from fastapi import Query as Asked
from msgspec import Struct
from msgspec.structs import replace

from pontoon.cards import Card
from pontoon.engine import Event, Round
from pontoon.engine.events import CardDealt
from pontoon.rulebook import Clauses, Rulebook
from pontoon.server.api.dependencies import (
    Caller,
    HouseHere,
    Number,
    Signed,
    Somebody,
    TableId,
    answer,
)
from pontoon.server.api.describe import JSON, ref, route
from pontoon.server.api.problems import good
from pontoon.server.coach import decisions as coach_decisions
from pontoon.server.coach.decisions import Decision, Sight
from pontoon.server.coach.other_rulebooks import AsIfAll, as_if
from pontoon.server.coach.work_queue import WorkQueue
from pontoon.server.coach.worker import CHARTS, VALUES
from pontoon.server.house import House
from pontoon.server.people.accounts import viewer_of
from pontoon.server.problems import ProblemError, problem
from pontoon.server.records import history
from pontoon.server.records.history import RoundRow
from pontoon.server.rooms.live import Live
from pontoon.server.rooms.log import LogEvent, read_body
from pontoon.server.rooms.room import stream_of
from pontoon.server.rooms.state import RoomState
from pontoon.store.model import Entry
from pontoon.trainer.values import Figures, Solved, Square, figures, game_of, solve_all, square
from pontoon.trainer.why import why
from pontoon.transcript import TranscriptError
from pontoon.view.clauses import decision_clauses

router = APIRouter(prefix="/api")

QUEUE = WorkQueue("learning", 32)
ACCEPTED = 202
MOST_ENTRIES = 2000
"""More than any round has."""
USUAL_PACE = 60
"""Rounds per hour assumed until a table has played enough rounds to measure."""
MEASURED = 20
"""Number of rounds over which a table's pace is measured."""
HOUR = 3_600_000


async def live_of(house: House, table: str) -> Live:
    """An existing table."""
    live = await house.live(table)
    return good(live if live is not None else problem("no_such_table"))


async def entries_between(house: House, table: str, first: int, last: int) -> list[Entry]:
    """The entries of a table from one version to another."""
    count = min(last - first + 1, MOST_ENTRIES)
    return await house.read(lambda: house.store.read(stream_of(table), first - 1, count)) if count > 0 else []


def events_of(entries: Iterable[Entry]) -> Iterator[LogEvent]:
    """The events of entries, in order."""
    return (event for entry in entries for event in read_body(entry.body).events)


# --- the coach -----------------------------------------------------------------------------------------


class ActionRow(Struct, frozen=True):
    """An allowed decision and its expected value with best play afterwards."""

    action: str
    value: float
    """Expected value per unit of the first wager."""
    cents: float
    """Expected value for this wager."""
    best: bool
    chart: bool
    """Whether this is the chart's choice."""
    clauses: Clauses


class DecisionRow(Struct, frozen=True):
    """A decision of this round and its cost."""

    box: int
    hand: int
    cards: tuple[Card, ...]
    dealer: Card
    chosen: str
    best: str
    cost: float
    cents: float


class EdgeRow(Struct, frozen=True):
    """The house edge under best play from a fresh shoe, and its cost per hour."""

    house_edge: float
    deviation: float
    stake: int
    pace: float
    """Rounds per hour, measured at this table or assumed."""
    hour: float
    """Cents per hour at this stake on one box."""


class CoachAnswer(Struct, frozen=True):
    """The coach's current advice; no actions if there is no decision."""

    status: str
    version: int
    basis: str
    """`shoe`: all cards dealt since the shuffle are counted; `round`: only those of this round."""
    actions: tuple[ActionRow, ...]
    decisions: tuple[DecisionRow, ...]
    edge: EdgeRow | None = None
    """None while it is being calculated."""
    box: int = 0
    hand: int = 0
    cards: tuple[Card, ...] = ()
    dealer: str = ""
    stake: int = 0
    square: Square | None = None
    """None if the chart says nothing, or is being calculated."""
    why: str = ""
    """Why the best decision is best, in one sentence."""


class CoachRound(Struct, frozen=True):
    """A finished round: the player's decisions, their cost, and the expected result."""

    status: str
    number: int
    staked: int
    net: int
    expected: float
    """Expected loss in cents: the house edge on the first wagers."""
    cost: float
    """Cost of mistakes in cents."""
    decisions: tuple[DecisionRow, ...]


class Preparing(Struct, frozen=True):
    """The calculation is still running; ask again in a moment."""

    status: str = "preparing"


def _prepared(gives: type[Struct]) -> dict[str, Any]:
    described = route(gives=gives, signed="must", no=(403, 404, 429, 503))
    content = {JSON: {"schema": ref(Preparing)}}
    described["responses"][ACCEPTED] = {"description": "The calculation is still running", "content": content}
    return described


def _practice(live: Live) -> RoomState:
    state = live.room.state
    if not state.settings.practice:
        raise ProblemError(problem("no_coach"))
    return state


@router.get("/tables/{table}/coach", **_prepared(CoachAnswer))
async def coach_now(
    house: HouseHere,
    caller: Signed,
    table: TableId,
    box: Annotated[int, Asked(ge=0, le=7, description="box number; 0 for your own")] = 0,
    stake: Annotated[int, Asked(ge=0, le=10**9, description="stake in cents; 0 for your wager on the box")] = 0,
) -> Response:
    """The value of each decision given the cards you have seen, and the cost of your decisions this round."""
    live = await live_of(house, table)
    state = _practice(live)
    player = caller.account.name
    sight = _sight(live, caller)
    asked = coach_decisions.now_asked(sight, player, box)
    made = await _decisions_now(house, live, sight, player)
    questions = tuple(decision.question for decision in (*made, *((asked,) if asked else ())))
    bet = stake or (asked.stake if asked else 0) or _staked_now(sight.table.round, player) or state.table.limits.minimum
    bet = bet or coach_minimum(state)
    solved = await VALUES.ask(solve_all, questions) if questions else ()
    if solved is None:
        return answer(Preparing(), ACCEPTED)
    rows = tuple(_decision_row(one, result) for one, result in zip(made, solved, strict=False) if result.values)
    here = solved[-1] if asked else Solved()
    edge = await _edge_row(house, state, bet)
    found = CoachAnswer("ready", state.version, here.basis, (), rows, edge)
    if asked is None:
        return answer(found)
    by_chart = await CHARTS.ask(square, asked.question, 0)
    reason = await VALUES.ask(why, asked.question) or ""
    return answer(_with_actions(replace(found, square=by_chart, why=reason), state.table.rules, asked, here))


async def _edge_row(house: House, state: RoomState, stake: int) -> EdgeRow | None:
    """The house edge at this stake; None while it is being calculated."""
    edge: Figures | None = await CHARTS.ask(figures, game_of(state.table.rules, state.table.packs, stake), 0)
    if edge is None:
        return None
    pace = await _pace(house, state.id)
    return EdgeRow(edge.house_edge, edge.deviation, stake, pace, edge.house_edge * stake * pace)


def coach_minimum(state: RoomState) -> int:
    """The smallest wager for which advice is useful."""
    return max(state.table.limits.smallest_chip, 100)


def _sight(live: Live, caller: Caller) -> Sight:
    state = live.room.state
    now = state.table.round
    cards = () if state.table.face_down else state.table.on_layout
    earlier = coach_decisions.seen_before(live.room.keeper, cards, now.cards_used if now else 0)
    return Sight(state.table, viewer_of(caller.account), earlier)


def _staked_now(state: Round | None, player: str) -> int:
    boxes = state.boxes if state is not None else ()
    return next((bettor.stake for box in boxes for bettor in box.bettors if bettor.player == player), 0)


async def _decisions_now(house: House, live: Live, sight: Sight, player: str) -> list[Decision]:
    state = live.room.state
    if state.table.round is None or state.table.phase not in ("round", "collect"):
        return []
    events = events_of(await entries_between(house, state.id, state.first, state.version))
    return coach_decisions.decisions(sight, coach_decisions.round_events(events, state.table.number), player)


def _decision_row(decision: Decision, solved: Solved) -> DecisionRow:
    best = solved.values[0]
    chosen = next((worth for worth in solved.values if worth.action == decision.chosen), best)
    cost = best.value - chosen.value
    asked = decision.question
    return DecisionRow(
        decision.box, decision.hand, asked.hand, asked.dealer, decision.chosen, best.action, cost, cost * decision.stake
    )  # fmt: skip


def _with_actions(found: CoachAnswer, rules: Rulebook, asked: Decision, solved: Solved) -> CoachAnswer:
    chart = found.square.action if found.square else ""
    rows = tuple(
        ActionRow(
            value.action,
            value.value,
            value.value * asked.stake,
            value is solved.values[0],
            value.action == chart,
            decision_clauses(rules, value.action, after_split=asked.question.split),
        )
        for value in solved.values
    )
    return replace(
        found, actions=rows, box=asked.box, hand=asked.hand, cards=asked.question.hand, dealer=asked.question.dealer,
        stake=asked.stake,
    )  # fmt: skip


async def _pace(house: House, table: str) -> float:
    """Rounds per hour."""
    stream = stream_of(table)
    rounds = await house.read(lambda: house.store.marked("round", stream=stream, limit=MEASURED))
    span = rounds[0].at - rounds[-1].at if rounds else 0
    return round((len(rounds) - 1) * HOUR / span, 1) if span and len(rounds) > MEASURED // 4 else float(USUAL_PACE)


@router.get("/tables/{table}/coach/last", **_prepared(CoachRound))
async def coach_last(house: HouseHere, caller: Signed, table: TableId) -> Response:
    """The last finished round: your decisions and their cost."""
    live = await live_of(house, table)
    state = _practice(live)
    player, finished = caller.account.name, state.table.finished
    if not finished:
        raise ProblemError(problem("no_such_round"))
    row = good(await history.find_round(house, table, finished[-1].number))
    made, staked = await _decided_in(house, live, row, caller)
    solved = await VALUES.ask(solve_all, tuple(one.question for one in made)) if made else ()
    bet = max(staked, default=0) or coach_minimum(state)
    edge: Figures | None = await CHARTS.ask(figures, game_of(state.table.rules, state.table.packs, bet))
    if solved is None or edge is None:
        return answer(Preparing(), ACCEPTED)
    rows = tuple(
        _decision_row(decision, result) for decision, result in zip(made, solved, strict=True) if result.values
    )
    mine = next((result for result in row.players if result.player == player), None)
    total, net = (mine.staked, mine.net) if mine is not None else (0, 0)
    expected, cost = -edge.house_edge * sum(staked), sum(row.cents for row in rows)
    return answer(CoachRound("ready", row.number, total, net, expected, cost, rows))


async def _decided_in(house: House, live: Live, row: RoundRow, caller: Caller) -> tuple[list[Decision], list[int]]:
    """A player's decisions and first wagers in a finished round."""
    room, player = live.room, caller.account.name
    entries = await entries_between(house, row.table, row.first, row.version)
    events = coach_decisions.round_events(events_of(entries), row.number)
    cards = [event.card for event in events if isinstance(event, CardDealt)]
    now = room.state.table.round
    earlier = coach_decisions.seen_before(room.keeper, cards, len(cards), now.cards_used if now else 0)
    sight = Sight(room.state.table, viewer_of(caller.account), earlier)
    return coach_decisions.decisions(sight, events, player), _first_wagers(events, player)


def _first_wagers(events: Iterable[Event], player: str) -> list[int]:
    return [event.stake for event in events if type(event).__name__ == "WagerPlaced" and event.player == player]  # type: ignore[attr-defined]


# --- other rulebooks -----------------------------------------------------------------------------------


@router.get("/rounds/{table}/{number}/as-if", **route(gives=AsIfAll, signed="may", no=(404, 409, 429)))
async def round_as_if(house: HouseHere, caller: Somebody, table: TableId, number: Number) -> Response:
    """The same cards and decisions under each rulebook."""
    account = caller.account if caller is not None else None
    row = good(await history.open_round(house, table, number, account))
    text = good(await history.transcript(house, row, account))
    try:
        return answer(await QUEUE.do(lambda: as_if(text)))
    except TranscriptError as error:
        raise ProblemError(problem("not_replayable", detail=str(error))) from None
