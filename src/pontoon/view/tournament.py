"""A tournament as somebody sees it: everything is public but the seed of the ballots before it is revealed.

The seed is never in the state before that, and what is here is made of the state alone: one door out.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pontoon.tournament import events as e
from pontoon.tournament.conditions import RULEBOOK, Session
from pontoon.tournament.load import digest
from pontoon.tournament.places import session_standings
from pontoon.tournament.state import Player, Tie, Tournament, entrants, find, points_of, table_of, those
from pontoon.view.catalogue import ENGLISH, say
from pontoon.view.tournament_events import QUIET, tournament_facts, tournament_words
from pontoon.view.tournament_parts import (
    ChipLine,
    Mine,
    PaymentRow,
    PlayerRow,
    SeatRow,
    SessionResult,
    SessionRow,
    StandingRow,
    TieRow,
    Told,
    TournamentRow,
    TournamentTable,
    TournamentView,
    WaitingRow,
)

TOLD = 50
LINES = 24
"""Players in the graph, the asker's own beside them: more lines nobody can tell apart."""
MINUTE = 60_000

Room = Mapping[tuple[int, int], str]
"""The room of a session's table."""


class Hosting(Struct, frozen=True):
    """What a server knows beside the tournament itself."""

    id: str
    version: int = 0
    rooms: Room = {}
    history: Mapping[str, Sequence[tuple[int, int]]] = {}
    """Of each player: rounds counted over all sessions, and the chips after each."""
    happened: Sequence[tuple[int, e.TournamentEvent]] = ()
    """The last events, with the time in milliseconds since 1970."""
    extra: Mapping[str, str] = {}
    """The room of the extra rounds that are played now, of each player in them."""
    waiting: Sequence[tuple[str, str]] = ()
    """Rulings that take effect when no round is on: who gave which command."""


# --- the parts -----------------------------------------------------------------------------------------


def tournament_row(state: Tournament, name: str, language: str = ENGLISH) -> TournamentRow:
    """A tournament in one line; `name` is its id."""
    conditions = state.conditions
    return TournamentRow(
        id=name,
        name=conditions.name,
        phase=state.phase,
        words=stands(state, language),
        start=next_start(state),
        fee=conditions.money.fee,
        chips=conditions.money.chips,
        players=entrants(state),
        most=conditions.players.most,
        session=state.session,
        sessions=len(conditions.sessions),
        pool=state.pool,
        director=state.director,
    )


def stands(state: Tournament, language: str = ENGLISH) -> str:
    """How far it is, in a few words."""
    if state.phase not in {"session", "between", "balloted"}:
        return say(f"tournament_phase.{state.phase}", {}, language)
    ended = bool(state.tables) and all(table.ended for table in state.tables)
    facts = {
        "session": state.conditions.sessions[state.session - 1].name,
        "pause": state.pause,
        "ties": ended and bool(state.ties),
        "ended": ended,
    }
    return say(f"stands.{state.phase}", facts, language)


def next_start(state: Tournament) -> int:
    """When the next session starts, as far as a clock knows; 0 where the director calls it."""
    if state.phase in {"session", "awarded", "over", "cancelled"}:
        return 0
    if state.start:
        return state.start
    first = state.phase in {"draft", "entries", "closed"} or (state.phase == "balloted" and state.session == 1)
    return _milliseconds(state.conditions.start.at) if first else 0


def _milliseconds(moment: dt.datetime) -> int:
    """A time of the conditions without a zone is one of the place where the server stands."""
    return round(moment.timestamp() * 1000)


def _session(number: int, session: Session, before: str) -> SessionRow:
    unit, count = next(
        (unit, count)
        for unit in ("rounds", "shoes", "minutes")
        if (count := getattr(session, unit)) or unit == "minutes"
    )
    length = f"{count} {unit if count != 1 else unit[:-1]}"
    if number == 1:
        starts = "at the start"
    elif session.after:
        starts = f"{session.after} minutes after {before}"
    else:
        starts = f"after {before}, when the director calls it"
    return SessionRow(number, session.name, session.kind, length, starts)


def _sessions(state: Tournament) -> tuple[SessionRow, ...]:
    sessions = state.conditions.sessions
    names = ["", *(session.name for session in sessions)]
    return tuple(_session(number, session, names[number - 1]) for number, session in enumerate(sessions, 1))


def _points(state: Tournament, points: tuple[int, int]) -> str:
    return str(points_of(points)) if state.conditions.structure.format == "points" else ""


def _is_seated(state: Tournament, player: Player) -> bool:
    if state.phase == "balloted":
        return player.seat >= 0 and state.seats[player.seat].taken
    table = table_of(state, player.table)
    return table is not None and (player.box, player.name) in table.seated


def _player(state: Tournament, player: Player) -> PlayerRow:
    has_seat = player.seat >= 0
    return PlayerRow(
        name=player.name,
        group=player.group,
        status=player.status,
        seated=_is_seated(state, player),
        chips=player.chips,
        table=player.table if has_seat else 0,
        box=player.box if has_seat else 0,
        points=_points(state, player.points),
        place=player.place,
        bought_back=player.bought_back,
    )


def _tables(state: Tournament, rooms: Room) -> tuple[TournamentTable, ...]:
    if state.phase not in {"balloted", "session"}:
        return ()
    chips = {player.name: player.chips for player in state.players}
    seats: dict[int, list[SeatRow]] = {table.table: [] for table in state.tables}
    playing = {table.table: set(table.seated) for table in state.tables}
    for seat in state.seats:
        here = (seat.box, seat.player) in playing[seat.table] if state.phase == "session" else seat.taken
        seats[seat.table].append(SeatRow(seat.box, seat.player, chips.get(seat.player, 0), here))
    length = state.conditions.sessions[state.session - 1].rounds
    return tuple(
        TournamentTable(
            table=table.table,
            room=rooms.get((state.session, table.table), ""),
            rounds=table.rounds,
            length=length,
            marker=table.marker,
            seats=tuple(seats[table.table]),
            ended=table.ended,
        )
        for table in state.tables
    )


def _lines(state: Tournament, standings: Sequence[e.Standing], prizes: Mapping[str, int]) -> tuple[StandingRow, ...]:
    return tuple(
        StandingRow(one.place, one.player, one.chips, one.table, _points(state, one.points), prizes.get(one.player, 0))
        for one in standings
    )


def _standings(state: Tournament) -> tuple[StandingRow, ...]:
    """The final places; while a session runs, how it stands; between sessions the last result."""
    if state.standings:
        prizes: dict[str, int] = {}
        for payment in state.payments:
            prizes[payment.player] = prizes.get(payment.player, 0) + payment.amount
        return _lines(state, state.standings, prizes)
    if state.phase == "session":
        return _lines(state, session_standings(state), {})
    return _lines(state, state.results[-1].standings, {}) if state.results else ()


def _results(state: Tournament) -> tuple[SessionResult, ...]:
    sessions = state.conditions.sessions
    return tuple(
        SessionResult(one.session, sessions[one.session - 1].name, _lines(state, one.standings, {}), one.advanced)
        for one in state.results
    )


def _payment(state: Tournament, one: e.Payment) -> PaymentRow:
    return PaymentRow(one.number, one.player, one.amount, one.place, one.session, one.number in state.paid)


def _tie(tie: Tie, hosting: Hosting) -> TieRow:
    rooms = dict.fromkeys(hosting.extra[name] for name in tie.players if name in hosting.extra)
    return TieRow(tie.players, tie.by, tuple(rooms))


def _history(hosting: Hosting, standings: Sequence[StandingRow], asker: str) -> tuple[ChipLine, ...]:
    """The best so far, and the asker."""
    order = [row.player for row in standings] + list(hosting.history)
    names = list(dict.fromkeys(order))[:LINES]
    if asker and asker not in names:
        names.append(asker)
    return tuple(ChipLine(name, tuple(hosting.history[name])) for name in names if hosting.history.get(name))


def _told(hosting: Hosting, language: str) -> tuple[Told, ...]:
    news = [(at, event) for at, event in hosting.happened if not isinstance(event, QUIET)]
    return tuple(
        Told(at, tournament_words(event, language), event.clauses, type(event).__name__, tournament_facts(event))
        for at, event in news[-TOLD:]
    )


def _pause_ends(state: Tournament, hosting: Hosting) -> int:
    called = [at for at, event in hosting.happened if isinstance(event, e.BreakCalled)]
    return called[-1] + state.pause * MINUTE if state.pause and called else 0


def _mine(state: Tournament, hosting: Hosting, asker: str) -> Mine | None:
    player = find(state, asker) if asker else None
    if player is None:
        return None
    row = _player(state, player)
    playing = state.phase in {"balloted", "session"} and row.table
    room = hosting.extra.get(asker) or (hosting.rooms.get((state.session, row.table), "") if playing else "")
    return Mine(row.status, row.chips, row.table, row.box, row.seated, room, row.bought_back)


# --- the whole -----------------------------------------------------------------------------------------


def tournament_view(state: Tournament, hosting: Hosting, asker: str = "", may: tuple[str, ...] = ()) -> TournamentView:
    """A tournament for one asker; `may` is what the server lets them ask for now."""
    return view_for(public_view(state, hosting), state, hosting, asker, may)


def view_for(
    view: TournamentView, state: Tournament, hosting: Hosting, asker: str, may: tuple[str, ...]
) -> TournamentView:
    """The view that everybody has, with what is the asker's own."""
    if not asker:
        return view
    return replace(view, may=may, mine=_mine(state, hosting, asker), history=_history(hosting, view.standings, asker))


def public_view(state: Tournament, hosting: Hosting, language: str = ENGLISH) -> TournamentView:
    """A tournament for somebody without a name: all but a few lines of what anybody sees."""
    conditions = state.conditions
    money, players = conditions.money, conditions.players
    standings = _standings(state)
    return TournamentView(
        id=hosting.id,
        version=hosting.version,
        name=conditions.name,
        phase=state.phase,
        words=stands(state, language),
        director=state.director,
        digest=digest(conditions),
        published=state.published,
        format=conditions.structure.format,
        agreement=conditions.start.agreement,
        groups=players.groups,
        fee=money.fee,
        commission=state.commission,
        buy_back=conditions.buy_back.fee if conditions.buy_back.times else 0,
        chips=money.chips,
        minimum=conditions.game.minimum,
        maximum=conditions.game.maximum,
        least=players.least,
        most=players.most,
        reserves=len(those(state, "reserve")),
        pool=state.pool,
        start=next_start(state),
        seed_hash=state.seed_hash,
        seed=state.seed,
        session=state.session,
        sessions=_sessions(state),
        players=tuple(_player(state, one) for one in state.players),
        tables=_tables(state, hosting.rooms),
        standings=standings,
        results=_results(state),
        payments=tuple(_payment(state, one) for one in state.payments),
        ties=tuple(_tie(one, hosting) for one in state.ties),
        waiting=tuple(WaitingRow(by, what) for by, what in hosting.waiting),
        pause=state.pause,
        pause_ends=_pause_ends(state, hosting),
        pace=state.pace,
        may=(),
        mine=None,
        history=_history(hosting, standings, ""),
        told=_told(hosting, language),
        rulebook=RULEBOOK,
    )
