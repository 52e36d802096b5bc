"""From one state of a tournament to the next: total, no rules, no chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, cast

from msgspec.structs import replace

from pontoon.tournament import events as e
from pontoon.tournament.state import Count, Phase, Player, Result, Seat, Tie, Tournament, points_of, same_name


def evolve(state: Tournament, event: e.TournamentEvent) -> Tournament:
    """Apply one event."""
    return STEPS[type(event)](state, event)


# --- one player, several players, one table -----------------------------------------------------------------------


def _changed(state: Tournament, name: str, **changes: Any) -> Tournament:  # noqa: ANN401 fields of a player
    place = state.index[same_name(name)]
    players = list(state.players)
    players[place] = replace(players[place], **changes)
    return replace(state, players=tuple(players))


def _added(state: Tournament, player: Player) -> Tournament:
    index = {**state.index, same_name(player.name): len(state.players)}
    return replace(state, players=(*state.players, player), index=index)


def _chips(state: Tournament, chips: Iterable[tuple[str, int]]) -> Tournament:
    """So many chips in front of each."""
    players = list(state.players)
    for name, amount in chips:
        place = state.index[same_name(name)]
        players[place] = replace(players[place], chips=amount)
    return replace(state, players=tuple(players))


def _given_back(state: Tournament, returned: Iterable[tuple[str, int]]) -> Tournament:
    return _chips(state, ((name, 0) for name, _ in returned))


def _table(state: Tournament, number: int, **changes: Any) -> Tournament:  # noqa: ANN401 fields of a table
    tables = list(state.tables)
    tables[number - 1] = replace(tables[number - 1], **changes)
    return replace(state, tables=tuple(tables))


def _vacated(state: Tournament, player: Player) -> Tournament:
    """Nobody plays in that seat any more."""
    if not 0 < player.table <= len(state.tables):
        return state
    seated = state.tables[player.table - 1].seated
    left = tuple(one for one in seated if one[1] != player.name)
    return state if left == seated else _table(state, player.table, seated=left)


def _paid(state: Tournament, fee: int, commission: int) -> Tournament:
    return replace(state, pool=state.pool + fee - commission, commission=state.commission + commission)


# --- before the first session -------------------------------------------------------------------------------------


def _ready(state: Tournament) -> Tournament:
    """Entries open as soon as everything they need is there."""
    ready = {"patrons", "commission"} <= set(state.published) and state.director and state.seed_hash
    return replace(state, phase="entries") if state.phase == "draft" and ready else state


def _published(state: Tournament, event: e.ConditionsPublished) -> Tournament:
    return _ready(replace(state, published=(*state.published, event.to)))


def _nominated(state: Tournament, event: e.DirectorNominated) -> Tournament:
    return _ready(replace(state, director=event.director))


def _committed(state: Tournament, event: e.BallotCommitted) -> Tournament:
    return _ready(replace(state, seed_hash=event.seed_hash))


def _entered(state: Tournament, event: e.Entered) -> Tournament:
    player = Player(event.player, event.group, event.fee, event.commission)
    return _paid(_added(state, player), event.fee, event.commission)


def _reserved(state: Tournament, event: e.Reserved) -> Tournament:
    return _added(state, Player(event.player, event.group, status="reserve"))


def _closed(state: Tournament, event: e.EntriesClosed) -> Tournament:
    return replace(state, phase="closed", pool=state.pool + event.added, added=event.added)


def _start_moved(state: Tournament, event: e.StartMoved) -> Tournament:
    return replace(state, start=event.at)


# --- seats --------------------------------------------------------------------------------------------------------


def _drawn(state: Tournament, event: e.BallotDrawn) -> Tournament:
    players = [replace(player, seat=-1) if player.seat >= 0 else player for player in state.players]
    for number, (name, table, box) in enumerate(event.seats):
        place = state.index[same_name(name)]
        players[place] = replace(players[place], seat=number, table=table, box=box)
    return replace(
        state,
        phase="balloted",
        session=event.session,
        players=tuple(players),
        seats=tuple(Seat(*seat) for seat in event.seats),
        tables=tuple(Count(table, marker=box) for table, box in enumerate(event.markers, 1)),
    )


def _seated(state: Tournament, number: int, player: str) -> Tournament:
    seats = list(state.seats)
    seats[number] = replace(seats[number], player=player, taken=True)
    return replace(state, seats=tuple(seats))


def _seat_taken(state: Tournament, event: e.SeatTaken) -> Tournament:
    return _seated(state, state.players[state.index[same_name(event.player)]].seat, event.player)


def _seat_offered(state: Tournament, event: e.SeatOffered) -> Tournament:
    absent = state.players[state.index[same_name(event.absent)]]
    state = _changed(state, event.absent, status="forfeited", seat=-1)
    state = _changed(
        state,
        event.player,
        status="in",
        paid=event.fee,
        commission=event.commission,
        seat=absent.seat,
        table=absent.table,
        box=absent.box,
    )
    return _paid(_seated(state, absent.seat, event.player), event.fee, event.commission)


def _substituted(state: Tournament, event: e.Substituted) -> Tournament:
    """The substitute has everything but the fee, which whoever paid it gets back if the tournament is cancelled."""
    old = state.players[state.index[same_name(event.player)]]
    new = replace(old, name=event.substitute, group=event.group, paid=0, commission=0)
    state = _changed(state, event.player, status="substituted", chips=0, seat=-1)
    state = _added(state, new)
    if new.seat >= 0:
        seats = list(state.seats)
        seats[new.seat] = replace(seats[new.seat], player=new.name)
        state = replace(state, seats=tuple(seats))
    if 0 < old.table <= len(state.tables):
        seated = state.tables[old.table - 1].seated
        instead = tuple((box, new.name if name == old.name else name) for box, name in seated)
        state = _table(state, old.table, seated=instead)
    return state


def _forfeited(state: Tournament, event: e.PositionForfeited) -> Tournament:
    return _changed(state, event.player, status="forfeited", seat=-1, chips=0)


# --- a session ----------------------------------------------------------------------------------------------------


def _started(state: Tournament, event: e.SessionStarted) -> Tournament:
    players = list(state.players)
    seated: dict[int, list[tuple[int, str]]] = {}
    for name, chips in event.chips:
        place = state.index[same_name(name)]
        old = players[place]
        players[place] = replace(
            old,
            chips=chips,
            status="in",
            session=event.session,
            out_round=0,
            chips_before=0,
            last_chips=0,
            place=0,
            returned=False,
        )
        seated.setdefault(old.table, []).append((old.box, name))
    tables = tuple(replace(table, seated=tuple(sorted(seated.get(table.table, ())))) for table in state.tables)
    return replace(state, phase="session", players=tuple(players), tables=tables, start=0)


def _counted(state: Tournament, event: e.ChipsCounted) -> Tournament:
    return _table(
        _chips(state, event.chips),
        event.table,
        rounds=event.round,
        shoe=event.shoe,
        counted_in_break=bool(state.pause),
    )


def _marker_moved(state: Tournament, event: e.MarkerMoved) -> Tournament:
    return _table(state, event.table, marker=event.box)


def _eliminated(state: Tournament, event: e.Eliminated) -> Tournament:
    """A tie in which the player stood is looked for again without the player."""
    old = state.players[state.index[same_name(event.player)]]
    out = {
        "chips": 0,
        "seat": -1,
        "status": "disqualified" if event.reason == "ruling" else "eliminated",
    }
    if event.reason != "session":
        out |= {"out_round": event.round, "chips_before": event.before, "last_chips": event.chips}
    state = _vacated(_changed(state, event.player, **out), old)
    return replace(state, ties=tuple(tie for tie in state.ties if event.player not in tie.players))


def _bought_back(state: Tournament, event: e.BoughtBack) -> Tournament:
    old = state.players[state.index[same_name(event.player)]]
    state = _changed(
        state,
        event.player,
        status="in",
        chips=event.chips,
        paid=old.paid + event.fee,
        commission=old.commission + event.commission,
        bought_back=old.bought_back + 1,
        out_round=0,
        chips_before=0,
        last_chips=0,
        returned=state.phase == "between",
    )
    if state.phase == "session":
        seated = (*state.tables[old.table - 1].seated, (old.box, old.name))
        state = _table(state, old.table, seated=tuple(sorted(seated)))
    return _paid(state, event.fee, event.commission)


def _break_called(state: Tournament, event: e.BreakCalled) -> Tournament:
    tables = tuple(replace(table, counted_in_break=False) for table in state.tables)
    return replace(state, pause=event.minutes, tables=tables)


def _break_ended(state: Tournament, _: e.BreakEnded) -> Tournament:
    return replace(state, pause=0)


def _pace_set(state: Tournament, event: e.PaceSet) -> Tournament:
    return replace(state, pace=event.seconds)


def _same(state: Tournament, _: e.TournamentEvent) -> Tournament:
    """Words on record; nothing else has changed."""
    return state


def _table_ended(state: Tournament, event: e.TableEnded) -> Tournament:
    return _table(state, event.table, ended=True)


# --- equal players ------------------------------------------------------------------------------------------------


def _without_tie(state: Tournament, players: tuple[str, ...]) -> tuple[Tie, ...]:
    return tuple(tie for tie in state.ties if set(tie.players) != set(players))


def _tie_found(state: Tournament, event: e.TieFound) -> Tournament:
    return replace(
        state, ties=(*_without_tie(state, event.players), Tie(event.players, event.by, clauses=event.clauses))
    )


def _tie_left(state: Tournament, event: e.TieLeft) -> Tournament:
    return replace(
        state, ties=_without_tie(state, event.players), left_equal=(*state.left_equal, tuple(sorted(event.players)))
    )


def _extra_counted(state: Tournament, event: e.ExtraCounted) -> Tournament:
    """A lot of extra rounds that parted nobody is counted; otherwise the tie is gone, and smaller ones may follow."""
    if len(event.order) > 1:
        return replace(state, ties=_without_tie(state, event.players), parted=(*state.parted, event.order))
    ties = tuple(
        replace(tie, lots=tie.lots + 1) if set(tie.players) == set(event.players) else tie for tie in state.ties
    )
    return replace(state, ties=ties)


def _lots_drawn(state: Tournament, event: e.LotsDrawn) -> Tournament:
    order = tuple((name,) for name in event.order)
    return replace(state, ties=_without_tie(state, event.order), parted=(*state.parted, order))


# --- results ------------------------------------------------------------------------------------------------------


def _session_ended(state: Tournament, event: e.SessionEnded) -> Tournament:
    players = list(state.players)
    for one in event.standings:
        place = state.index[same_name(one.player)]
        points: Fraction = points_of(players[place].points) + points_of(one.points)
        players[place] = replace(
            players[place],
            seat=-1,
            place=one.place,
            last_chips=one.chips,
            points=(points.numerator, points.denominator),
        )
    state = replace(
        state,
        phase="between",
        players=tuple(players),
        results=(*state.results, Result(event.session, event.standings, event.advanced)),
        tables=(),
        seats=(),
        ties=(),
        parted=(),
        left_equal=(),
    )
    return _given_back(state, event.returned)


def _awarded(state: Tournament, event: e.PlacesAwarded) -> Tournament:
    state = replace(state, phase="awarded", standings=event.standings, payments=event.payments)
    return _given_back(state, event.returned)


def _prize_paid(state: Tournament, event: e.PrizePaid) -> Tournament:
    return replace(state, paid=(*state.paid, event.payment.number), pool=state.pool - event.payment.amount)


def _revealed(state: Tournament, event: e.BallotRevealed) -> Tournament:
    return replace(state, seed=event.seed)


def _cancelled(state: Tournament, event: e.Cancelled) -> Tournament:
    state = replace(state, phase="cancelled", pool=0, commission=0, added=0, ties=(), pause=0)
    return _given_back(state, event.returned)


def _completed(state: Tournament, _: e.Completed) -> Tournament:
    over: Phase = "over"
    return replace(state, phase=over)


STEPS = cast(
    "dict[type[e.TournamentEvent], Callable[[Tournament, Any], Tournament]]",
    {
        e.ConditionsPublished: _published,
        e.DirectorNominated: _nominated,
        e.BallotCommitted: _committed,
        e.Entered: _entered,
        e.Reserved: _reserved,
        e.EntriesClosed: _closed,
        e.StartMoved: _start_moved,
        e.BallotDrawn: _drawn,
        e.SeatTaken: _seat_taken,
        e.SeatOffered: _seat_offered,
        e.Substituted: _substituted,
        e.PositionForfeited: _forfeited,
        e.SessionStarted: _started,
        e.ChipsCounted: _counted,
        e.MarkerMoved: _marker_moved,
        e.Eliminated: _eliminated,
        e.BoughtBack: _bought_back,
        e.BreakCalled: _break_called,
        e.BreakEnded: _break_ended,
        e.PaceSet: _pace_set,
        e.Directed: _same,
        e.TableEnded: _table_ended,
        e.TieFound: _tie_found,
        e.TieLeft: _tie_left,
        e.ExtraCounted: _extra_counted,
        e.LotsDrawn: _lots_drawn,
        e.SessionEnded: _session_ended,
        e.PlacesAwarded: _awarded,
        e.PrizePaid: _prize_paid,
        e.BallotRevealed: _revealed,
        e.Cancelled: _cancelled,
        e.Completed: _completed,
    },
)
"""Every event with what it changes."""
