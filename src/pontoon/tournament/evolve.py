"""Apply an event to a tournament: total, no rules, no chance."""

from __future__ import annotations

from msgspec.structs import replace

from pontoon.decider import Steps
from pontoon.tournament import events as e
from pontoon.tournament import evolve_results as results
from pontoon.tournament.changes import (
    added_player,
    changed,
    changed_appeal,
    paid_in,
    seat_of,
    vacated,
    with_chips,
    with_table,
)
from pontoon.tournament.state import Count, Player, Seat, Tournament, same_name

# --- before the first session -------------------------------------------------------------------------------------


def _ready(state: Tournament) -> Tournament:
    """Open entries as soon as everything they require is present."""
    ready = {"patrons", "commission"} <= set(state.published) and state.director and state.seed_hash
    return replace(state, phase="entries") if state.phase == "draft" and ready else state


def _published(state: Tournament, event: e.ConditionsPublished) -> Tournament:
    return _ready(replace(state, published=(*state.published, event.to)))


def _nominated(state: Tournament, event: e.DirectorNominated) -> Tournament:
    return _ready(replace(state, director=event.director))


def _committed(state: Tournament, event: e.BallotCommitted) -> Tournament:
    return _ready(replace(state, seed_hash=event.seed_hash))


def _entered(state: Tournament, event: e.Entered) -> Tournament:
    """Add a new player, or admit a reserve for whom a place became free."""
    if same_name(event.player) in state.index:
        fee = {"paid": event.fee, "commission": event.commission}
        state = changed(state, event.player, status="in", entered=True, **fee)
    else:
        state = added_player(state, Player(event.player, event.group, event.fee, event.commission, entered=True))
    return paid_in(state, event.fee, event.commission)


def _reserved(state: Tournament, event: e.Reserved) -> Tournament:
    return added_player(state, Player(event.player, event.group, status="reserve"))


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
        late_seats=0,
        session=event.session,
        players=tuple(players),
        seats=tuple(Seat(*seat) for seat in event.seats),
        tables=tuple(Count(table, marker=box, last_marker=box - 1) for table, box in enumerate(event.markers, 1)),
    )


def _seat_drawn(state: Tournament, event: e.SeatDrawn) -> Tournament:
    seats = (*state.seats, Seat(event.player, event.table, event.box))
    state = changed(state, event.player, seat=len(seats) - 1, table=event.table, box=event.box)
    return replace(state, seats=seats, late_seats=event.number)


def _seated(state: Tournament, number: int, player: str) -> Tournament:
    seats = list(state.seats)
    seats[number] = replace(seats[number], player=player, taken=True)
    return replace(state, seats=tuple(seats))


def _seat_taken(state: Tournament, event: e.SeatTaken) -> Tournament:
    return _seated(state, state.players[state.index[same_name(event.player)]].seat, event.player)


def _seat_offered(state: Tournament, event: e.SeatOffered) -> Tournament:
    """Disqualified players stay disqualified; any other absent player has forfeited."""
    absent = state.players[state.index[same_name(event.absent)]]
    number = seat_of(state, event.absent)
    if absent.seat >= 0:
        state = changed(state, event.absent, status="forfeited", seat=-1, out_by="forfeited", was=absent.status)
    state = changed(
        state,
        event.player,
        status="in",
        paid=event.fee,
        commission=event.commission,
        entered=True,
        seat=number,
        table=state.seats[number].table,
        box=state.seats[number].box,
    )
    return paid_in(_seated(state, number, event.player), event.fee, event.commission)


def _substituted(state: Tournament, event: e.Substituted) -> Tournament:
    """The substitute takes over everything except the fee, which is refunded to its payer on cancellation."""
    old = state.players[state.index[same_name(event.player)]]
    new = replace(old, name=event.substitute, group=event.group, paid=0, commission=0, entered=False)
    state = changed(state, event.player, status="substituted", chips=0, seat=-1)
    state = added_player(state, new)
    if new.seat >= 0:
        seats = list(state.seats)
        seats[new.seat] = replace(seats[new.seat], player=new.name)
        state = replace(state, seats=tuple(seats))
    if 0 < old.table <= len(state.tables):
        seated = state.tables[old.table - 1].seated
        instead = tuple((box, new.name if name == old.name else name) for box, name in seated)
        state = with_table(state, old.table, seated=instead)
    return state


def _forfeited(state: Tournament, event: e.PositionForfeited) -> Tournament:
    was = state.players[state.index[same_name(event.player)]].status
    return changed(state, event.player, status="forfeited", seat=-1, chips=0, out_by="forfeited", was=was)


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
            out_between=False,
            chips_before=0,
            last_chips=0,
            place=0,
            returned=False,
            out_by="",
            was="",
        )
        seated.setdefault(old.table, []).append((old.box, name))
    tables = tuple(replace(table, seated=tuple(sorted(seated.get(table.table, ())))) for table in state.tables)
    return replace(state, phase="session", players=tuple(players), tables=tables, start=0)


def _counted(state: Tournament, event: e.ChipsCounted) -> Tournament:
    return with_table(
        with_chips(state, event.chips),
        event.table,
        rounds=event.round,
        shoe=event.shoe,
        counted_in_break=bool(state.pause),
        reinstated=(),
        last_marker=state.tables[event.table - 1].marker,
    )


def _marker_moved(state: Tournament, event: e.MarkerMoved) -> Tournament:
    return with_table(state, event.table, marker=event.box)


def _eliminated(state: Tournament, event: e.Eliminated) -> Tournament:
    """A tie involving the player is determined again without the player."""
    old = state.players[state.index[same_name(event.player)]]
    out = {
        "chips": 0,
        "seat": -1,
        "status": "disqualified" if event.reason == "ruling" else "eliminated",
        "out_by": event.reason,
        "was": old.status if event.reason == "ruling" else "",
    }
    if event.reason != "session" and (state.phase, state.session) == ("session", old.session):
        between = event.reason in {"absent", "criterion"}
        out |= {"out_round": event.round, "out_between": between}
        out |= {"chips_before": event.before, "last_chips": event.chips}
    state = vacated(changed(state, event.player, **out), old)
    return replace(state, ties=tuple(tie for tie in state.ties if event.player not in tie.players))


_NOT_OUT = {"out_round": 0, "out_between": False, "chips_before": 0, "last_chips": 0, "out_by": ""}


def _chips_corrected(state: Tournament, event: e.ChipsCorrected) -> Tournament:
    return changed(state, event.player, chips=event.chips)


def _reinstated(state: Tournament, event: e.Reinstated) -> Tournament:
    old = state.players[state.index[same_name(event.player)]]
    state = changed_appeal(state, event.appeal, carried_out=True)
    status = old.was if old.was and event.to in ("status", "seat") else "in"
    back: dict[str, object] = {"status": status, "was": "", "out_by": "", "chips": event.chips}
    if event.to == "status":
        return changed(state, event.player, **back)
    if event.to == "ballot" or all(seat.player != event.player for seat in state.seats):  # a seat is drawn next
        return changed(state, event.player, **back)
    number = seat_of(state, event.player)
    if event.to == "seat":
        return changed(state, event.player, seat=number, **back)
    back |= {**_NOT_OUT, "session": state.session, "place": 0, "seat": number}
    state = changed(_seated(state, number, event.player), event.player, **back)
    table = state.tables[old.table - 1]
    seated = tuple(sorted((*table.seated, (old.box, old.name))))
    return with_table(state, old.table, seated=seated, reinstated=(*table.reinstated, old.name))


def _bought_back(state: Tournament, event: e.BoughtBack) -> Tournament:
    old = state.players[state.index[same_name(event.player)]]
    state = changed(
        state,
        event.player,
        status="in",
        chips=event.chips,
        paid=old.paid + event.fee,
        commission=old.commission + event.commission,
        bought_back=old.bought_back + 1,
        returned=state.phase == "between",
        **_NOT_OUT,
    )
    if state.phase == "session":
        table = state.tables[old.table - 1]
        seated = tuple(sorted((*table.seated, (old.box, old.name))))
        state = with_table(state, old.table, seated=seated, bought_back=table.rounds)
        state = changed(state, event.player, seat=seat_of(state, event.player))
    return paid_in(state, event.fee, event.commission)


def _break_called(state: Tournament, event: e.BreakCalled) -> Tournament:
    tables = tuple(replace(table, counted_in_break=False) for table in state.tables)
    return replace(state, pause=event.minutes, tables=tables)


def _break_ended(state: Tournament, _: e.BreakEnded) -> Tournament:
    return replace(state, pause=0)


def _pace_set(state: Tournament, event: e.PaceSet) -> Tournament:
    return replace(state, pace=event.seconds)


def _same(state: Tournament, _: e.TournamentEvent) -> Tournament:
    """Recorded only; the state does not change."""
    return state


def _table_ended(state: Tournament, event: e.TableEnded) -> Tournament:
    for name, chips in event.restored:
        old = state.players[state.index[same_name(name)]]
        seated = (*state.tables[event.table - 1].seated, (old.box, name))
        state = with_table(state, event.table, seated=tuple(sorted(seated)))
        state = changed(state, name, status="in", chips=chips, seat=seat_of(state, name), **_NOT_OUT)
    return with_table(state, event.table, ended=True)


STEPS: Steps[e.TournamentEvent, Tournament] = {
    e.ConditionsPublished: _published,
    e.DirectorNominated: _nominated,
    e.BallotCommitted: _committed,
    e.Entered: _entered,
    e.Reserved: _reserved,
    e.EntriesClosed: _closed,
    e.LateEntryAllowed: _same,
    e.SeatDrawn: _seat_drawn,
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
    e.ChipsCorrected: _chips_corrected,
    e.Reinstated: _reinstated,
    e.AppealMade: results.appeal_made,
    e.AppealDecided: results.appeal_decided,
    e.BreakCalled: _break_called,
    e.BreakEnded: _break_ended,
    e.PaceSet: _pace_set,
    e.Directed: _same,
    e.TableEnded: _table_ended,
    e.TieFound: results.tie_found,
    e.TieLeft: results.tie_left,
    e.TieDropped: results.tie_dropped,
    e.ExtraCounted: results.extra_counted,
    e.LotsDrawn: results.lots_drawn,
    e.SessionEnded: results.session_ended,
    e.PointsRecorded: results.points_recorded,
    e.SessionPrizesAwarded: results.session_prizes_awarded,
    e.PlacesAwarded: results.awarded,
    e.PrizePaid: results.prize_paid,
    e.BallotRevealed: results.revealed,
    e.Cancelled: results.cancelled,
    e.Completed: results.completed,
}

"""Every event with the change it makes."""
