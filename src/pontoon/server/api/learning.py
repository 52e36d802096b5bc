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
from pontoon.server import coach, coached, history
from pontoon.server.accounts import eye_of
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
from pontoon.server.aside import Aside
from pontoon.server.asif import AsIfAll, as_if
from pontoon.server.coach import Figures, Solved, Square, Worker
from pontoon.server.coached import Decision, Sight
from pontoon.server.history import RoundRow
from pontoon.server.house import House
from pontoon.server.live import Live
from pontoon.server.log import LogEvent, read_body
from pontoon.server.problems import ProblemError, problem
from pontoon.server.room import stream_of
from pontoon.server.state import RoomState
from pontoon.store.model import Entry
from pontoon.transcript import TranscriptError
from pontoon.view.clauses import decision_clauses

router = APIRouter(prefix="/api")

ASIDE = Aside("learning", 32)
WORKER = Worker()
ACCEPTED = 202
MOST_ENTRIES = 2000
"""No round has so many."""
USUAL_PACE = 60
"""Rounds an hour, while a table has not played enough of them to tell."""
MEASURED = 20
"""How many rounds tell the pace of a table."""
HOUR = 3_600_000


async def live_of(house: House, table: str) -> Live:
    """A table that is there."""
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
    """A lawful decision and its expected value, best play following."""

    action: str
    value: float
    """A unit of the first wager."""
    cents: float
    """Of this wager."""
    best: bool
    chart: bool
    """Whether the chart says so."""
    clauses: Clauses


class DecisionRow(Struct, frozen=True):
    """A decision of this round and what it gave away."""

    box: int
    hand: int
    cards: tuple[Card, ...]
    dealer: Card
    chosen: str
    best: str
    cost: float
    cents: float


class EdgeRow(Struct, frozen=True):
    """What the house keeps of a first wager under best play from a fresh shoe, and what that costs an hour."""

    house_edge: float
    deviation: float
    stake: int
    pace: float
    """Rounds an hour: measured at this table, else the usual number."""
    hour: float
    """Cents an hour at this stake on one box."""


class CoachAnswer(Struct, frozen=True):
    """What the coach says now; no actions where nothing is to be decided."""

    status: str
    version: int
    basis: str
    """`shoe`: every card dealt since the shuffle is counted; `round`: those of this round alone."""
    actions: tuple[ActionRow, ...]
    decisions: tuple[DecisionRow, ...]
    edge: EdgeRow
    box: int = 0
    hand: int = 0
    cards: tuple[Card, ...] = ()
    dealer: str = ""
    stake: int = 0
    square: Square | None = None


class CoachRound(Struct, frozen=True):
    """A round that is over: what one decided, what that gave away, and what was to be expected."""

    status: str
    number: int
    staked: int
    net: int
    expected: float
    """Cents: the house edge on the first wagers."""
    cost: float
    """Cents given away by decisions."""
    decisions: tuple[DecisionRow, ...]


class Preparing(Struct, frozen=True):
    """The sums are being done: ask again in a moment."""

    status: str = "preparing"


def _prepared(gives: type[Struct]) -> dict[str, Any]:
    described = route(gives=gives, signed="must", no=(403, 404, 429, 503))
    content = {JSON: {"schema": ref(Preparing)}}
    described["responses"][ACCEPTED] = {"description": "The sums are being done", "content": content}
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
    box: Annotated[int, Asked(ge=0, le=7, description="a box; 0 is your own")] = 0,
    stake: Annotated[int, Asked(ge=0, le=10**9, description="cents; 0 is what you have on the box")] = 0,
) -> Response:
    """What each decision is worth, from the cards you have seen; what you decided this round and what it cost."""
    live = await live_of(house, table)
    state = _practice(live)
    player = caller.account.name
    sight = _sight(live, caller)
    asked = coached.now_asked(sight, player, box)
    made = await _decisions_now(house, live, sight, player)
    questions = tuple(one.question for one in (*made, *((asked,) if asked else ())))
    bet = stake or (asked.stake if asked else 0) or _staked_now(sight.table.round, player) or state.table.limits.minimum
    bet = bet or coach_minimum(state)
    edge = await WORKER.ask(coach.figures, coach.game_of(state.table.rules, state.table.packs, bet))
    solved = await WORKER.ask(coach.solve_all, questions) if questions else ()
    if edge is None or solved is None:
        return answer(Preparing(), ACCEPTED)
    pace = await _pace(house, table)
    edge_row = EdgeRow(edge.house_edge, edge.deviation, bet, pace, edge.house_edge * bet * pace)
    rows = tuple(_decision_row(one, result) for one, result in zip(made, solved, strict=False) if result.values)
    here = solved[-1] if asked else Solved()
    found = CoachAnswer("ready", state.version, here.basis, (), rows, edge_row)
    return answer(_with_actions(found, state.table.rules, asked, here) if asked else found)


def coach_minimum(state: RoomState) -> int:
    """The smallest wager that means something here."""
    return max(state.table.limits.smallest_chip, 100)


def _sight(live: Live, caller: Caller) -> Sight:
    state = live.room.state
    now = state.table.round
    cards = () if state.table.face_down else state.table.on_layout
    earlier = coached.seen_before(live.room.keeper, cards, now.cards_used if now else 0)
    return Sight(state.table, eye_of(caller.account), earlier)


def _staked_now(state: Round | None, player: str) -> int:
    boxes = state.boxes if state is not None else ()
    return next((one.stake for box in boxes for one in box.bettors if one.player == player), 0)


async def _decisions_now(house: House, live: Live, sight: Sight, player: str) -> list[Decision]:
    state = live.room.state
    if state.table.round is None or state.table.phase not in ("round", "collect"):
        return []
    events = events_of(await entries_between(house, state.id, state.first, state.version))
    return coached.decisions(sight, coached.round_events(events, state.table.number), player)


def _decision_row(one: Decision, solved: Solved) -> DecisionRow:
    best = solved.values[0]
    chosen = next((worth for worth in solved.values if worth.action == one.chosen), best)
    cost = best.value - chosen.value
    asked = one.question
    return DecisionRow(
        one.box, one.hand, asked.hand, asked.dealer, one.chosen, best.action, cost, cost * one.stake
    )  # fmt: skip


def _with_actions(found: CoachAnswer, rules: Rulebook, asked: Decision, solved: Solved) -> CoachAnswer:
    chart = solved.square.action if solved.square else ""
    rows = tuple(
        ActionRow(
            one.action,
            one.value,
            one.value * asked.stake,
            one is solved.values[0],
            one.action == chart,
            decision_clauses(rules, one.action, after_split=asked.question.split),
        )
        for one in solved.values
    )
    return replace(
        found, actions=rows, box=asked.box, hand=asked.hand, cards=asked.question.hand, dealer=asked.question.dealer,
        stake=asked.stake, square=solved.square,
    )  # fmt: skip


async def _pace(house: House, table: str) -> float:
    """Rounds an hour."""
    stream = stream_of(table)
    rounds = await house.read(lambda: house.store.marked("round", stream=stream, limit=MEASURED))
    span = rounds[0].at - rounds[-1].at if rounds else 0
    return round((len(rounds) - 1) * HOUR / span, 1) if span and len(rounds) > MEASURED // 4 else float(USUAL_PACE)


@router.get("/tables/{table}/coach/last", **_prepared(CoachRound))
async def coach_last(house: HouseHere, caller: Signed, table: TableId) -> Response:
    """The last round that is over: what you decided and what it gave away."""
    live = await live_of(house, table)
    state = _practice(live)
    player, finished = caller.account.name, state.table.finished
    if not finished:
        raise ProblemError(problem("no_such_round"))
    row = good(await history.find_round(house, table, finished[-1].number))
    made, staked = await _decided_in(house, live, row, caller)
    solved = await WORKER.ask(coach.solve_all, tuple(one.question for one in made)) if made else ()
    bet = max((one for one in staked), default=0) or coach_minimum(state)
    edge: Figures | None = await WORKER.ask(coach.figures, coach.game_of(state.table.rules, state.table.packs, bet))
    if solved is None or edge is None:
        return answer(Preparing(), ACCEPTED)
    rows = tuple(_decision_row(one, result) for one, result in zip(made, solved, strict=True) if result.values)
    mine = next((one for one in row.players if one.player == player), None)
    total, net = (mine.staked, mine.net) if mine is not None else (0, 0)
    expected, cost = -edge.house_edge * sum(staked), sum(one.cents for one in rows)
    return answer(CoachRound("ready", row.number, total, net, expected, cost, rows))


async def _decided_in(house: House, live: Live, row: RoundRow, caller: Caller) -> tuple[list[Decision], list[int]]:
    """What somebody decided in a round that is over, and the first wagers."""
    room, player = live.room, caller.account.name
    entries = await entries_between(house, row.table, row.first, row.version)
    events = coached.round_events(events_of(entries), row.number)
    cards = [event.card for event in events if isinstance(event, CardDealt)]
    now = room.state.table.round
    earlier = coached.seen_before(room.keeper, cards, len(cards), now.cards_used if now else 0)
    sight = Sight(room.state.table, eye_of(caller.account), earlier)
    return coached.decisions(sight, events, player), _first_wagers(events, player)


def _first_wagers(events: Iterable[Event], player: str) -> list[int]:
    return [one.stake for one in events if type(one).__name__ == "WagerPlaced" and one.player == player]  # type: ignore[attr-defined]


# --- the same round elsewhere --------------------------------------------------------------------------


@router.get("/rounds/{table}/{number}/as-if", **route(gives=AsIfAll, signed="may", no=(404, 409, 429)))
async def round_as_if(house: HouseHere, _: Somebody, table: TableId, number: Number) -> Response:
    """The same cards and decisions under each of the rulebooks."""
    row = good(await history.find_round(house, table, number))
    text = good(await history.transcript(house, row))
    try:
        return answer(await ASIDE.do(lambda: as_if(text)))
    except TranscriptError as error:
        raise ProblemError(problem("not_replayable", detail=str(error))) from None
