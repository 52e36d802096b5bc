"""Learning: the coach of practice tables, a round under other rulebooks, rulings tried before they are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response
from fastapi import Query as Asked
from msgspec import Struct
from msgspec.structs import replace

from pontoon.cards import Card
from pontoon.engine import Event, Limits, Round
from pontoon.engine import commands as e
from pontoon.engine.events import CardDealt
from pontoon.rulebook import Clauses, Rulebook
from pontoon.server import coach, history
from pontoon.server import commands as r
from pontoon.server.accounts import actor_for, eye_of
from pontoon.server.api.dependencies import (
    Caller,
    HouseHere,
    Number,
    Signed,
    Somebody,
    TableId,
    answer,
    body_of,
    in_role,
)
from pontoon.server.api.describe import JSON, ref, route
from pontoon.server.api.problems import good
from pontoon.server.aside import Aside
from pontoon.server.asif import AsIfAll, as_if
from pontoon.server.capacity import APPROVES, Actor, for_table, signed
from pontoon.server.coach import Decision, Figures, Sight, Solved, Square, Worker
from pontoon.server.decide import Decided, Step, ask, postings_of
from pontoon.server.history import RoundRow
from pontoon.server.house import WALLET, House
from pontoon.server.live import Live
from pontoon.server.log import LogEvent, RulingProposed, read_body
from pontoon.server.permits import OFFICIALS, permits
from pontoon.server.problems import FORBIDDEN, REFUSED, Problem, ProblemError, problem
from pontoon.server.room import stream_of
from pontoon.server.state import RoomState
from pontoon.server.wire import ON_THE_WIRE
from pontoon.store.model import Entry
from pontoon.table import commands as c
from pontoon.table import table_refusal
from pontoon.table.events import TableEvent
from pontoon.transcript import TranscriptError, nets, read, write
from pontoon.transcript.remedies import KINDS, listing
from pontoon.transcript.ruling import rule
from pontoon.view.ruling import APPROVERS, ERRORS, ruling_data

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


async def _live(house: House, table: str) -> Live:
    live = await house.live(table)
    return good(live if live is not None else problem("no_such_table"))


async def _entries(house: House, table: str, first: int, last: int) -> list[Entry]:
    count = min(last - first + 1, MOST_ENTRIES)
    return await house.read(lambda: house.store.read(stream_of(table), first - 1, count)) if count > 0 else []


def _events(entries: Iterable[Entry]) -> Iterator[LogEvent]:
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
        raise ProblemError(Problem(FORBIDDEN, "no_coach", "the coach speaks only at practice tables"))
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
    live = await _live(house, table)
    state = _practice(live)
    player = caller.account.name
    sight = _sight(live, caller)
    asked = coach.now_asked(sight, player, box)
    made = await _decisions_now(house, live, sight, player)
    questions = tuple(one.question for one in (*made, *((asked,) if asked else ())))
    bet = stake or (asked.stake if asked else 0) or _staked_now(sight.table.round, player) or state.table.limits.minimum
    bet = bet or coach_minimum(state)
    edge = await WORKER.ask(coach.figures, coach.game_of(state.settings, state.table.packs, bet))
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
    earlier = coach.seen_before(live.room.keeper, cards, now.cards_used if now else 0)
    return Sight(state.settings, state.table, eye_of(caller.account), earlier)


def _staked_now(state: Round | None, player: str) -> int:
    boxes = state.boxes if state is not None else ()
    return next((one.stake for box in boxes for one in box.bettors if one.player == player), 0)


async def _decisions_now(house: House, live: Live, sight: Sight, player: str) -> list[Decision]:
    state = live.room.state
    if state.table.round is None or state.table.phase not in ("round", "collect"):
        return []
    events = _events(await _entries(house, state.id, state.first, state.version))
    return coach.decisions(sight, coach.round_events(events, state.table.number), player)


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
            _allows(rules, one.action, split=asked.question.split),
        )
        for one in solved.values
    )
    return replace(
        found, actions=rows, box=asked.box, hand=asked.hand, cards=asked.question.hand, dealer=asked.question.dealer,
        stake=asked.stake, square=solved.square,
    )  # fmt: skip


def _allows(rules: Rulebook, action: str, *, split: bool) -> Clauses:
    """The clauses that allow a decision."""
    cites = rules.cites
    return {
        "stand": cites.stood,
        "hit": cites.card_drawn,
        "double": cites.double_split if split else cites.doubled,
        "split": cites.resplit if split else cites.split,
        "surrender": cites.surrendered,
        "keep": cites.forfeited,
        "forfeit": cites.forfeited,
        coach.INSURE: cites.insurance_made,
    }.get(action, ())


async def _pace(house: House, table: str) -> float:
    """Rounds an hour."""
    stream = stream_of(table)
    rounds = await house.read(lambda: house.store.marked("round", stream=stream, limit=MEASURED))
    span = rounds[0].at - rounds[-1].at if rounds else 0
    return round((len(rounds) - 1) * HOUR / span, 1) if span and len(rounds) > MEASURED // 4 else float(USUAL_PACE)


@router.get("/tables/{table}/coach/last", **_prepared(CoachRound))
async def coach_last(house: HouseHere, caller: Signed, table: TableId) -> Response:
    """The last round that is over: what you decided and what it gave away."""
    live = await _live(house, table)
    state = _practice(live)
    player, finished = caller.account.name, state.table.finished
    if not finished:
        raise ProblemError(problem("no_such_round"))
    row = good(await history.find_round(house, table, finished[-1].number))
    made, staked = await _decided_in(house, live, row, caller)
    solved = await WORKER.ask(coach.solve_all, tuple(one.question for one in made)) if made else ()
    bet = max((one for one in staked), default=0) or coach_minimum(state)
    edge: Figures | None = await WORKER.ask(coach.figures, coach.game_of(state.settings, state.table.packs, bet))
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
    entries = await _entries(house, row.table, row.first, row.version)
    events = coach.round_events(_events(entries), row.number)
    cards = [event.card for event in events if isinstance(event, CardDealt)]
    now = room.state.table.round
    earlier = coach.seen_before(room.keeper, cards, len(cards), now.cards_used if now else 0)
    sight = Sight(room.state.settings, room.state.table, eye_of(caller.account), earlier)
    return coach.decisions(sight, events, player), _first_wagers(events, player)


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
        raise ProblemError(Problem(REFUSED, "not_replayable", str(error))) from None


# --- rulings, for the desk -----------------------------------------------------------------------------


class RulingRow(Struct, frozen=True, omit_defaults=True):
    """Something an official might do now: whether it is lawful, and by which clauses."""

    what: str
    command: ON_THE_WIRE
    lawful: bool
    second: bool = False
    """A second person must approve."""
    clauses: Clauses = ()
    code: str = ""
    why: str = ""
    needs: tuple[str, ...] = ()
    """What is still to be filled in."""


class ErrorRow(Struct, frozen=True):
    """A kind of error and what the document does about it."""

    kind: str
    words: str
    silent: bool
    says: str
    clauses: Clauses
    approval: tuple[str, ...]


class Rulings(Struct, frozen=True):
    """What an official of this role could do at this table."""

    version: int
    rulings: tuple[RulingRow, ...]
    errors: tuple[ErrorRow, ...]


class Tried(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling to be tried."""

    command: ON_THE_WIRE


class MoneyRow(Struct, frozen=True):
    """A player's money before and after, in cents."""

    player: str
    layout_before: int
    layout_after: int
    net_before: int
    """Decided in this round so far."""
    net_after: int
    wallet: int
    """What comes into the wallet."""


class RulingPreview(Struct, frozen=True, omit_defaults=True):
    """What a ruling would do; nothing has happened."""

    version: int
    lawful: bool
    second: bool = False
    clauses: Clauses = ()
    code: str = ""
    why: str = ""
    players: tuple[MoneyRow, ...] = ()


class Remedies(Struct, frozen=True):
    """What may be done about an error in the round in progress: as `pontoon rule --json` says it."""

    ruling: dict[str, Any]


Official = Annotated[Caller, Depends(in_role(*OFFICIALS))]
NOT_FOR_THEM = ("forbidden", "not_yours", "wrong_mode")


@router.get("/tables/{table}/rulings", **route(gives=Rulings, signed="must", no=(403, 404, 429)))
async def rulings(house: HouseHere, caller: Official, table: TableId) -> Response:
    """Which rulings are lawful now, and every kind of error with what the document does about it."""
    state = (await _live(house, table)).room.state
    actor = good(actor_for(caller.account))
    return answer(await ASIDE.do(lambda: _rulings(state, actor)))


def _rulings(state: RoomState, actor: Actor) -> Rulings:
    tried = (_ruling(state, actor, command, needs) for command, needs in _candidates(state))
    entries = listing(state.table.rules)
    errors = tuple(
        ErrorRow(
            entry.kind,
            ERRORS[entry.kind],
            entry.silent,
            entry.says.text,
            entry.says.clauses,
            tuple(APPROVERS[one.who] for one in entry.approvals),
        )
        for entry in entries
    )
    return Rulings(state.version, tuple(one for one in tried if one is not None), errors)


def _candidates(state: RoomState) -> Iterator[tuple[r.Asked, tuple[str, ...]]]:
    """What is worth asking about; fields in the second part are filled in by whoever rules."""
    table, now = state.table, state.table.round
    role: c.Role = "game_supervisor"
    yield (r.Resume() if state.held else r.Pause()), ()
    if now is not None and table.phase in ("round", "collect"):
        yield e.VoidRound(), ()
        yield from ((e.VoidBox(box.number), ()) for box in now.boxes)
        yield from ((e.OfferLate(offer), ()) for offer in ("insurance", "surrender"))
        yield from ((e.NoticeSkip(box.number), ()) for box in now.boxes)
        yield e.SkipHand(now.turn[0]), ()
        yield from ((one, ()) for one in (e.SkipDealer(), e.NoticeNoFirstCard()))
        if table.mode == "floor":
            yield from ((one, ("card",)) for one in (e.BurnCard(Card("As")), e.ExposeCard(Card("As"))))
    if table.finished:
        yield c.VoidEarlier(table.finished[-1].number, role), ("number",)
    yield c.OrderShuffle(role, "discretion"), ()
    yield c.ChangeCards("worn"), ("reason",)
    names = dict.fromkeys(seat.player for seat in table.seats)
    names |= dict.fromkeys(wager.player for box in (now.boxes if now else ()) for wager in box.bettors)
    for player in names:
        yield c.Restrict(player, role, consulted=True), ("reason",)
        yield c.Exclude(player, role, ""), ("reason",)
        yield c.TakeSeat(player, role), ()
    yield (
        c.SetLimits(Limits(table.limits.minimum, table.limits.maximum, table.limits.smallest_chip), told=True),
        ("limits",),
    )
    yield from ((c.GiveNotice(kind), ()) for kind in ("minutes", "rounds", "notice"))
    yield c.Close(), ("minutes",)


def _ruling(state: RoomState, actor: Actor, command: r.Asked, needs: tuple[str, ...]) -> RulingRow | None:
    """One candidate; None where it is nothing for this role."""
    decided = ask(state, actor, command, "", None)
    what = type(command).__name__
    if isinstance(decided, Problem):
        if decided.code in NOT_FOR_THEM:
            return None
        no = decided
        return RulingRow(what, command, lawful=False, clauses=no.clauses, code=no.code, why=no.words, needs=needs)
    second = _waits(decided)
    return RulingRow(what, command, lawful=True, second=second, clauses=_clauses(decided.events), needs=needs)


def _waits(decided: Decided) -> bool:
    return any(isinstance(one, RulingProposed) for one in decided.events)


def _clauses(events: Iterable[LogEvent]) -> Clauses:
    found = (one.clauses for one in events if isinstance(one, TableEvent | RulingProposed))
    return tuple(dict.fromkeys(clause for clauses in found for clause in clauses))


@router.post(
    "/tables/{table}/rulings/preview",
    **route(takes=Tried, gives=RulingPreview, signed="must", no=(403, 404, 429)),
)
async def preview(
    house: HouseHere, caller: Official, table: TableId, tried: Annotated[Tried, body_of(Tried)]
) -> Response:
    """What a ruling would do to everybody's money; nothing happens."""
    state = (await _live(house, table)).room.state
    actor = good(actor_for(caller.account))
    row = permits()[type(tried.command).__name__]
    if not {*row.any, *row.floor} - {"dealer"}:  # what players ask for is no ruling
        raise ProblemError(Problem(FORBIDDEN, "forbidden", "only rulings are tried here"))
    return answer(await ASIDE.do(lambda: _preview(state, actor, tried.command)))


def _preview(state: RoomState, actor: Actor, command: r.Asked) -> RulingPreview:
    if state.table.shoe.stack and any(hasattr(command, name) for name in ("card", "order", "cards")):
        why = "the cards in the shoe are nobody's: a ruling that names cards cannot be tried here"
        return RulingPreview(state.version, lawful=False, code="names_cards", why=why)
    decided = ask(state, actor, command, "", None)
    if isinstance(decided, Problem):
        if decided.code in NOT_FOR_THEM:
            raise ProblemError(decided)
        return RulingPreview(
            state.version, lawful=False, clauses=decided.clauses, code=decided.code, why=decided.words
        )  # fmt: skip
    second = _waits(decided)
    events, after = (decided.events, decided.state) if not second else _approved(state, actor, command)
    clauses = _clauses((*decided.events, *events))
    return RulingPreview(
        state.version, lawful=True, second=second, clauses=clauses, players=_money(state, after, events)
    )  # fmt: skip


def _approved(state: RoomState, actor: Actor, command: r.Asked) -> tuple[tuple[LogEvent, ...], RoomState]:
    """What follows once the second person agrees."""
    given = signed(command, actor)
    assert not isinstance(given, r.RoomCommand), "the room's own commands need nobody's approval"
    ruling: Any = for_table(given, actor)
    for capacity in (one for many in APPROVES.values() for one in many):
        if table_refusal(state.table, replace(ruling, approver=capacity)) is None:
            step = Step(state)
            step.do(replace(ruling, approver=capacity))
            return tuple(step.events), step.state
    raise AssertionError("a ruling was proposed that nobody can approve")


def _money(before: RoomState, after: RoomState, events: tuple[LogEvent, ...]) -> tuple[MoneyRow, ...]:
    moved = {
        one.account.removeprefix(WALLET): one.amount
        for one in postings_of(before.id, events)
        if one.account.startswith(WALLET)
    }
    one, two = before.table.round, after.table.round
    names = [wager.player for state in (one, two) if state for box in state.boxes for wager in box.bettors]
    names += [settled.player for state in (one, two) if state for settled in state.settlements]
    players = dict.fromkeys((*names, *moved))
    chips = [_chips(players, state) for state in (one, two)]
    net = [nets(players, state.settlements if state else ()) for state in (one, two)]
    return tuple(
        MoneyRow(name, chips[0][name], chips[1][name], net[0][name], net[1][name], moved.get(name, 0))
        for name in players
    )


def _chips(players: Iterable[str], state: Round | None) -> dict[str, int]:
    """What each player has on the layout that is not decided."""
    chips = dict.fromkeys(players, 0)
    if state is None:
        return chips
    for box in state.boxes:
        hands = [hand.wagers for hand in box.hands] or [box.bettors]
        for wager in (wager for wagers in hands for wager in wagers if not wager.result):
            chips[wager.player] += wager.stake + wager.double
    for side in (side for side in state.side if not side.settled):
        chips[side.player] += side.stake
    for made in (made for made in state.insurance if not made.settled):
        chips[made.player] += made.amount
    return chips


@router.get("/tables/{table}/irregularities/{kind}", **route(gives=Remedies, signed="must", no=(403, 404, 409, 429)))
async def remedies(
    house: HouseHere,
    _: Official,
    table: TableId,
    kind: str,
    box: Annotated[int, Asked(ge=0, le=7, description="the box it is about; 0 is none")] = 0,
) -> Response:
    """What may be done about an error in the round in progress, with cards and money before and after each remedy."""
    live = await _live(house, table)
    state = live.room.state
    if kind not in KINDS:
        raise ProblemError(problem("not_found"))
    if state.table.face_down:
        raise ProblemError(Problem(REFUSED, "face_down", "cards lie face down: ask when the round is over"))
    if state.table.round is None or state.table.phase not in ("round", "collect"):
        raise ProblemError(problem("no_such_round"))
    events = coach.round_events(_events(await _entries(house, table, state.first, state.version)), state.table.number)
    text = write(state.table.rules, events, decks=state.table.packs, limits=state.table.limits)
    try:
        found = await ASIDE.do(lambda: ruling_data(rule(read(text), kind, box)))
    except TranscriptError as error:
        raise ProblemError(Problem(REFUSED, "no_ruling", str(error))) from None
    return answer(Remedies(found))
