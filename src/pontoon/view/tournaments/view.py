"""A tournament as one viewer sees it: everything is public except the ballot seed before it is revealed.

Until then the seed is not in the state, and the view is made from the state alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pontoon.tournament import events as e
from pontoon.tournament.conditions.load import digest
from pontoon.tournament.conditions.values import RULEBOOK, Session
from pontoon.tournament.places import going_on, session_standings
from pontoon.tournament.state import Player, Tie, Tournament, entrants, find, points_of, settings, those
from pontoon.tournament.times import MINUTE, specified_start
from pontoon.view.catalogue import ENGLISH, say
from pontoon.view.catalogue.formats import decimal
from pontoon.view.tournaments.duties import duties, is_seated
from pontoon.view.tournaments.events import QUIET, tournament_facts, tournament_words
from pontoon.view.tournaments.parts import (
    AppealRow,
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
"""Players in the graph besides the viewer: more lines could not be told apart."""

Room = Mapping[tuple[int, int], str]
"""The room of a session's table."""


class Hosting(Struct, frozen=True):
    """The server's data besides the tournament itself."""

    id: str
    version: int = 0
    rooms: Room = {}
    history: Mapping[str, Sequence[tuple[int, int]]] = {}
    """Of each player: rounds counted over all sessions, and the chips after each."""
    happened: Sequence[tuple[int, e.TournamentEvent]] = ()
    """The last events, with the time in milliseconds since 1970."""
    extra: Mapping[str, str] = {}
    """The room of the extra rounds that are played now, of each player in them."""
    ended: int = 0
    """When the last session ended, in milliseconds since 1970."""
    waiting: Sequence[tuple[str, str]] = ()
    """Rulings that take effect once no round is in progress: who gave which command."""


# --- the parts -----------------------------------------------------------------------------------------


def tournament_row(state: Tournament, name: str, language: str = ENGLISH, ended: int = 0) -> TournamentRow:
    """A tournament in one line; `name` is its id, `ended` when its last session ended."""
    conditions = state.conditions
    return TournamentRow(
        id=name,
        name=conditions.name,
        phase=state.phase,
        words=stands(state, language),
        start=specified_start(state, ended),
        fee=conditions.money.fee,
        chips=conditions.money.chips,
        players=entrants(state),
        most=conditions.players.most,
        session=state.session,
        sessions=len(conditions.sessions),
        pool=_pool(state),
        director=state.director,
    )


def _pool(state: Tournament) -> int:
    """The prize pool, with what the casino adds when entries close."""
    return state.pool + (state.conditions.money.added if state.phase in {"draft", "entries"} else 0)


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


def _session(number: int, session: Session, before: str, language: str) -> SessionRow:
    counts = {unit: getattr(session, unit) for unit in ("rounds", "shoes", "minutes")}
    length = say("session.length", counts, language)
    starts = say("session.starts", {"before": before, "after": session.after}, language)
    return SessionRow(number, session.name, session.kind, length, starts)


def _sessions(state: Tournament, language: str) -> tuple[SessionRow, ...]:
    sessions = state.conditions.sessions
    names = ["", *(session.name for session in sessions)]
    return tuple(_session(number, session, names[number - 1], language) for number, session in enumerate(sessions, 1))


def _points(state: Tournament, points: tuple[int, int]) -> str:
    return decimal(points_of(points)) if state.conditions.structure.format == "points" else ""


def _player(state: Tournament, player: Player) -> PlayerRow:
    has_seat = player.seat >= 0
    return PlayerRow(
        name=player.name,
        group=player.group,
        status=player.status,
        seated=is_seated(state, player),
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
        StandingRow(
            standing.place,
            standing.player,
            standing.chips,
            standing.table,
            _points(state, standing.points),
            prizes.get(standing.player, 0),
        )
        for standing in standings
    )


def _standings(state: Tournament) -> tuple[StandingRow, ...]:
    """The final places; during a session the current standings; between sessions the last result."""
    if state.standings:
        prizes: dict[str, int] = {}
        for payment in state.payments:
            prizes[payment.player] = prizes.get(payment.player, 0) + payment.amount
        return _lines(state, state.standings, prizes)
    if state.phase == "session":
        return _lines(state, session_standings(state), {})
    return _lines(state, state.results[-1].standings, {}) if state.results else ()


def _leading(state: Tournament) -> tuple[str, ...]:
    """Who would advance if the session ended now."""
    if state.phase != "session" or settings(state).advance is None:
        return ()
    return tuple(going_on(state))


def _results(state: Tournament) -> tuple[SessionResult, ...]:
    sessions = state.conditions.sessions
    return tuple(
        SessionResult(
            result.session, sessions[result.session - 1].name, _lines(state, result.standings, {}), result.advanced
        )
        for result in state.results
    )


def _payment(state: Tournament, one: e.Payment) -> PaymentRow:
    return PaymentRow(one.number, one.player, one.amount, one.place, one.session, one.number in state.paid)


def _tie(tie: Tie, hosting: Hosting) -> TieRow:
    rooms = dict.fromkeys(hosting.extra[name] for name in tie.players if name in hosting.extra)
    return TieRow(tie.players, tie.by, tuple(rooms))


def _history(hosting: Hosting, standings: Sequence[StandingRow], asker: str) -> tuple[ChipLine, ...]:
    """The leaders so far, and the viewer."""
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
    """The public view, with the viewer's own data added."""
    if not asker:
        return view
    return replace(view, may=may, mine=_mine(state, hosting, asker), history=_history(hosting, view.standings, asker))


def public_view(state: Tournament, hosting: Hosting, language: str = ENGLISH) -> TournamentView:
    """A tournament as an anonymous viewer sees it; most of it is the same for every viewer."""
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
        pool=_pool(state),
        prizes=tuple(int(_pool(state) * share) for share in conditions.prizes.shares),
        start=specified_start(state, hosting.ended),
        seed_hash=state.seed_hash,
        seed=state.seed,
        session=state.session,
        sessions=_sessions(state, language),
        players=tuple(_player(state, player) for player in state.players),
        tables=_tables(state, hosting.rooms),
        standings=standings,
        leading=_leading(state),
        results=_results(state),
        payments=tuple(_payment(state, payment) for payment in state.payments),
        ties=tuple(_tie(tie, hosting) for tie in state.ties),
        waiting=tuple(WaitingRow(by, what) for by, what in hosting.waiting),
        appeals=tuple(
            AppealRow(one.number, one.player, one.reason, one.outcome, one.decision) for one in state.appeals
        ),
        pause=state.pause,
        pause_ends=_pause_ends(state, hosting),
        pace=state.pace,
        may=(),
        mine=None,
        history=_history(hosting, standings, ""),
        told=_told(hosting, language),
        duties=duties(state, language, specified_start(state, hosting.ended)),
        rulebook=RULEBOOK,
    )
