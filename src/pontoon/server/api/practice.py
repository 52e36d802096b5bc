"""Practising without a table, a seat or chips: the lesson, single hands, drills with reasons, strategy charts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from msgspec import Struct
from msgspec.structs import replace

from pontoon.cards import Card, UnknownCardError, read_cards
from pontoon.rulebook import Rulebook, canonical, pinned
from pontoon.server.api.dependencies import answer
from pontoon.server.api.describe import JSON, ref, route
from pontoon.server.api.learning import Preparing
from pontoon.server.api.limits import limited
from pontoon.server.coach.worker import CHARTS, USUAL_STAKE, VALUES
from pontoon.server.lab.chart_rows import ChartRows, chart_rows
from pontoon.server.lab.evaluation import Asked as LabAsked
from pontoon.server.lab.evaluation import Choice, book_of
from pontoon.server.lab.lanes import Lab
from pontoon.server.lab.sums import chart_sum
from pontoon.server.problems import ProblemError, problem
from pontoon.server.rooms.frames import RoomView
from pontoon.table.events import InRound
from pontoon.table.program import moment
from pontoon.trainer import drills as drilling
from pontoon.trainer.counting import CountPlays, CountTags, count_plays, count_tags
from pontoon.trainer.counting import Wanted as WantedPlays
from pontoon.trainer.drills import DAILY, TITLES, Drill, Wanted, drill_of, question_of
from pontoon.trainer.lessons import Lesson, load_lesson
from pontoon.trainer.position import PositionError, read_position
from pontoon.trainer.practice import PLAYER, Deal, PracticeError, Practised, practise
from pontoon.trainer.values import Question, Solved, Square, game_of, solve, square
from pontoon.trainer.why import why
from pontoon.view.clauses import decision_clauses
from pontoon.view.table import table_view
from pontoon.view.table_events import EventView, event_view
from pontoon.view.table_parts import TableView
from pontoon.view.viewer import Viewer

router = APIRouter(prefix="/api", dependencies=[limited("practice")])

ACCEPTED = 202
FEWEST_CARDS = 3
MOST_DRILLS = 50
MOST_PLAYS = 20
RulebookName = Annotated[str, Query(pattern=r"^[a-z0-9-]{1,32}$")]
BookPath = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,32}$")]
CardList = Annotated[str, Query(max_length=200, description="the cards that come first, in the order dealt: 5h 9d 6c")]
Actions = Annotated[str, Query(max_length=400, description="what was done so far: hit,stand")]
PositionText = Annotated[str, Query(max_length=400, description="a position: star|8|7s 7h|Kd")]


class PracticeHand(Struct, frozen=True):
    """A practice hand as a table shows it; its room waits for `You` or for no one."""

    room: RoomView
    view: TableView
    events: tuple[EventView, ...]
    """What the last action led to; everything, if there was none."""
    over: bool
    net: int
    """The result so far, in cents."""


class DrillList(Struct, frozen=True):
    """Situations to decide on, each with its name in words."""

    drills: tuple[DrillRow, ...]


class DrillRow(Struct, frozen=True):
    """A situation to decide on."""

    position: str
    area: str
    cell: str
    hand: tuple[Card, ...]
    dealer: Card
    may: tuple[str, ...]
    words: str
    title: str
    """The area in words."""


class ChoiceWorth(Struct, frozen=True):
    """An action and what it is worth."""

    action: str
    value: float
    """In first wagers."""
    cents: float
    """For the stake of the drill."""
    clauses: tuple[str, ...]


class DrillAnswer(Struct, frozen=True):
    """What every choice was worth, and why the best one is best."""

    status: str
    drill: DrillRow
    stake: int
    choices: tuple[ChoiceWorth, ...]
    why: str
    square: Square | None
    """The square of the chart; None while the chart is being calculated."""


def _may_prepare(gives: type[Struct]) -> dict[str, Any]:
    described = route(gives=gives, no=(404, 429, 503))
    content = {JSON: {"schema": ref(Preparing)}}
    described["responses"][ACCEPTED] = {"description": "The sums are being done", "content": content}
    return described


def _lab(request: Request) -> Lab:
    lab: Lab = request.app.state.lab
    return lab


def _rules(request: Request, name: str) -> Rulebook:
    rules = _lab(request).written(name)
    if rules is None:
        raise ProblemError(problem("not_found"))
    return rules


def _malformed(words: object) -> ProblemError:
    return ProblemError(problem("malformed", detail=str(words)))


# --- hands ---------------------------------------------------------------------------------------------


@router.get("/lesson", **route(gives=Lesson, no=(429,)))
async def lesson() -> Response:
    """The lesson: fixed hands with a sentence for every action."""
    return answer(load_lesson())


@router.get("/practice", **route(gives=PracticeHand, no=(404, 429)))
async def hand(
    request: Request,
    rulebook: RulebookName,
    cards: CardList = "",
    actions: Actions = "",
    stake: Annotated[int, Query(ge=100, le=10**8, description="cents")] = USUAL_STAKE,
    seed: Annotated[int, Query(ge=0, le=2**53, description="chooses the cards after the given ones")] = 0,
) -> Response:
    """A hand as it stands after these actions: no chips are at stake, and the cards are the same every time."""
    rules = _rules(request, rulebook)
    done = tuple(word for word in actions.split(",") if word)
    try:
        deal = Deal(read_cards(cards), stake, seed=seed)
        now = practise(rules, deal, done)
        before = len(practise(rules, deal, done[:-1]).steps) if done else 0
    except (PracticeError, UnknownCardError) as error:
        raise _malformed(error) from None
    return answer(shown_hand(now, before))


def shown_hand(now: Practised, before: int) -> PracticeHand:
    """A practice hand for the page, with the events after the first `before`."""
    viewer, table = Viewer(PLAYER), now.table
    waits = moment(table)
    room = RoomView("practice", "", "", PLAYER, waits.kind, waits.players, practice=True, private=True)
    events = (
        event_view(InRound((), event), table, replace(table, round=state), viewer)
        for event, state in now.steps[before:]
    )
    return PracticeHand(room, table_view(table, viewer), tuple(event for event in events if event), now.over, now.net)


# --- drills --------------------------------------------------------------------------------------------


def _row(drill: Drill) -> DrillRow:
    return DrillRow(
        drill.position,
        drill.area,
        drill.cell,
        drill.hand,
        drill.dealer,
        drill.may,
        drilling.words(drill),
        TITLES[drill.area],
    )


@router.get("/drills", **_may_prepare(DrillList))
async def drill_list(
    request: Request,
    rulebook: RulebookName,
    area: Annotated[str, Query(pattern=r"^(hard|soft|pairs|doubled|split|close|daily)?$")] = "",
    weak: Annotated[str, Query(max_length=400, description="squares to come back to, with commas: hard 16 K")] = "",
    seed: Annotated[int, Query(ge=0, le=2**53)] = 0,
    count: Annotated[int, Query(ge=1, le=MOST_DRILLS)] = DAILY,
) -> Response:
    """Situations to decide on; `area=daily` gives the twenty of today, the same for everyone."""
    rules = _rules(request, rulebook)
    if area == "daily":
        return answer(DrillList(tuple(map(_row, drilling.daily(rules, datetime.now(UTC).date())))))
    wanted = Wanted(area, tuple(filter(_is_cell, weak.split(","))), seed)
    if area != "close":
        return answer(DrillList(tuple(map(_row, drilling.drills(rules, wanted, count)))))
    found = await VALUES.ask(close_drills, (canonical(rules), wanted, count), 1.0)
    return answer(Preparing(), ACCEPTED) if found is None else answer(DrillList(tuple(map(_row, found))))


def close_drills(asked: tuple[str, Wanted, int]) -> tuple[Drill, ...]:
    """Close calls, found in the worker's process: they need values."""
    text, wanted, count = asked
    return drilling.drills(pinned(text), wanted, count)


def _is_cell(text: str) -> bool:
    area, _, rest = text.strip().partition(" ")
    row, _, column = rest.partition(" ")
    digits = row.isdigit() or (area == "pairs" and len(row) == len("88") and row[0] == row[1])
    return area in drilling.AREAS and digits and column in set(drilling.RANKS)


@router.get("/drills/answer", **_may_prepare(DrillAnswer))
async def drill_answer(request: Request, position: PositionText) -> Response:
    """What every choice in a position is worth, best first, and why the best one is best."""
    asked = drill_asked(request, position)
    drill, question, rules = asked.drill, asked.question, _rules(request, asked.rulebook)
    solved: Solved | None = await VALUES.ask(solve, question)
    reason = await VALUES.ask(why, question)
    if solved is None or reason is None:
        return answer(Preparing(), ACCEPTED)
    by_chart = await CHARTS.ask(square, question, 0)
    found = DrillAnswer("ready", _row(drill), USUAL_STAKE, _choices(rules, question, solved), reason, by_chart)
    return answer(found)


class DrillAsked(Struct, frozen=True):
    """A position with its drill and its question."""

    rulebook: str
    drill: Drill
    question: Question


def drill_asked(request: Request, position: str) -> DrillAsked:
    """A position as a drill; raises a problem if it is not one."""
    try:
        asked = read_position(position)
    except PositionError as error:
        raise _malformed(error) from None
    rules = _rules(request, asked.rulebook)
    drill = drill_of(rules, asked)
    if drill is None:
        raise _malformed(f"there is nothing to decide on {position}")
    return DrillAsked(asked.rulebook, drill, question_of(rules, asked, drill.may))


def _choices(rules: Rulebook, question: Question, solved: Solved) -> tuple[ChoiceWorth, ...]:
    return tuple(
        ChoiceWorth(
            value.action,
            value.value,
            value.value * USUAL_STAKE,
            decision_clauses(rules, value.action, after_split=question.split),
        )
        for value in solved.values
    )


# --- charts --------------------------------------------------------------------------------------------


@router.get("/charts/{name}", **route(gives=ChartRows, no=(404, 429, 503)))
async def chart(request: Request, name: BookPath) -> Response:
    """The strategy chart of a rulebook; the first one after a start takes a few seconds."""
    _rules(request, name)
    lab = _lab(request)
    found = await lab.rest.do(chart_sum, book_of(lab, Choice(name)).game(LabAsked(name).stake))
    return answer(chart_rows(found, found))


@router.get("/counts/{name}", **_may_prepare(CountTags))
async def count(request: Request, name: BookPath) -> Response:
    """The tags of a balanced count to practise; the first one after a start takes a while."""
    rules = _rules(request, name)
    found = await CHARTS.ask(count_tags, game_of(rules, rules.decks.default, USUAL_STAKE))
    return answer(Preparing(), ACCEPTED) if found is None else answer(found)


@router.get("/counts/{name}/plays", **_may_prepare(CountPlays))
async def plays_by_count(
    request: Request,
    name: BookPath,
    seed: Annotated[int, Query(ge=0, le=2**53)] = 0,
    count: Annotated[int, Query(ge=1, le=MOST_PLAYS)] = 10,
) -> Response:
    """Hands on which the true count asks for another play; the first ones of a rulebook take about a minute."""
    rules = _rules(request, name)
    wanted = WantedPlays(game_of(rules, rules.decks.default, USUAL_STAKE), seed, count)
    found = await CHARTS.ask(count_plays, wanted)
    return answer(Preparing(), ACCEPTED) if found is None else answer(found)
