"""Before the tournament: conditions, director, entries, reserves; and substitutes (20.2, 20.4-20.6, 20.10, 20.11)."""

from __future__ import annotations

from pontoon.engine import Refusal
from pontoon.engine.refusals import refuse
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament.ballot import group_refusal, upcoming
from pontoon.tournament.conditions.check import faults
from pontoon.tournament.conditions.load import digest
from pontoon.tournament.flow import Flow
from pontoon.tournament.state import (
    Player,
    Tournament,
    find,
    is_last,
    known,
    plain_name,
    same_name,
    table_of,
    those,
)

READERS = {"patrons": "20.2(b)", "commission": "20.2(c)"}
"""Recipients of the conditions before the first entry."""
LONGEST_NAME = 64
LEAST_NOTICE = 15
"""Minutes of reasonable notice for a new starting time; our choice, as 20.7 gives no number."""
RUNNING = frozenset({"entries", "closed", "balloted", "session", "between"})
"""Phases in which a tournament is in progress."""


# --- before entries open --------------------------------------------------------------------------------------------


def refuse_publish(state: Tournament, command: c.PublishConditions) -> Refusal | None:
    """Allowed once each for patrons and the commission, and only for conditions without faults."""
    if command.to not in READERS:
        return refuse("no_such_reader", ("20.2",), to=command.to)
    if state.phase == "cancelled":
        return refuse("tournament_over", ("20.2",), phase=state.phase)
    if command.to in state.published:
        return refuse("already_published", (READERS[command.to],), to=command.to)
    wrong = faults(state.conditions)
    if wrong:
        return refuse("conditions_incomplete", ("20.2(a)", wrong[0].clause), words=wrong[0].words, faults=len(wrong))
    return None


def publish(flow: Flow, command: c.PublishConditions) -> None:
    """Publish the conditions and record their digest."""
    clauses = ("20.2(a)", READERS[command.to])
    flow.put(e.ConditionsPublished(clauses, command.to, digest(flow.state.conditions)))


def refuse_nominate(state: Tournament, command: c.NominateDirector) -> Refusal | None:
    """Allowed for the shift manager; the director may change while the tournament runs."""
    if state.phase in {"over", "cancelled"}:
        return refuse("tournament_over", ("20.4",), phase=state.phase)
    if not command.by.strip() or not command.director.strip():
        return refuse("name_missing", ("20.4",))
    return None


def nominate(flow: Flow, command: c.NominateDirector) -> None:
    """Nominate the director."""
    flow.put(e.DirectorNominated(("20.4",), command.by, command.director))


def _not_open(state: Tournament) -> Refusal:
    """Refuse if something required for entries is missing, or if they are closed."""
    if state.phase != "draft":
        return refuse("entries_closed", ("20.3(a)(i)",), phase=state.phase)
    for reader, clause in READERS.items():
        if reader not in state.published:
            return refuse("conditions_not_published", ("20.2", clause), to=reader)
    if not state.director:
        return refuse("no_director", ("20.4",))
    return refuse("ballot_not_committed", ("20.7",))


# --- entering -----------------------------------------------------------------------------------------------------


def refuse_name(state: Tournament, name: str) -> Refusal | None:
    """Refuse a name that is not in canonical spelling or has already entered."""
    plain = name.isprintable() and "/" not in name and same_name(name)
    if not plain or len(name) > LONGEST_NAME:
        return refuse("name_unusable", ("20.6",), name=name[:LONGEST_NAME])
    if same_name(name) in state.index:
        return refuse("entered_already", ("20.6",), player=name)
    if name != plain_name(name):  # the ballot is drawn from names, so a name must have a single spelling
        return refuse("name_unusable", ("20.6",), name=name)
    return None


def refuse_agreement(state: Tournament, name: str, *, agreed: bool) -> Refusal | None:
    """Refuse a player who has not agreed in writing, if the conditions require it."""
    if state.conditions.start.agreement and not agreed:
        return refuse("agreement_missing", ("20.5",), player=name)
    return None


def refuse_group(state: Tournament, group: str) -> Refusal | None:
    """Refuse a member of a group of which no more may enter."""
    most = state.conditions.players.most_of_group
    here = {"in", "reserve"}
    mine = same_name(group)
    if (
        most
        and mine
        and sum(same_name(player.group) == mine for player in state.players if player.status in here) >= most
    ):
        return refuse("group_full", ("20.3(a)(vi)",), group=group, most=most)
    return None


def refuse_enter(state: Tournament, command: c.Enter) -> Refusal | None:
    """Allowed once for each eligible player, while there is a place."""
    if state.phase != "entries":
        return _not_open(state)
    if _next_reserve(state) != command.player:
        refused = refuse_name(state, command.player) or _refuse_place(state, command)
        if refused is not None:
            return refused
    if not command.eligible:
        return refuse("not_eligible", ("20.3(a)(i)",), player=command.player)
    return refuse_agreement(state, command.player, agreed=command.agreed)


def _next_reserve(state: Tournament) -> str | None:
    """The next reserve if a place is free before entries close; None if no place is free."""
    free = len(those(state, "in")) < state.conditions.players.most
    return next((player.name for player in those(state, "reserve") if free), None)


def _admits(state: Tournament) -> bool:
    """Whether there is a place for a new player; reserves, who applied earlier, go first."""
    return len(those(state, "in")) + len(those(state, "reserve")) < state.conditions.players.most


def _refuse_place(state: Tournament, command: c.Enter) -> Refusal | None:
    players = state.conditions.players
    if not _admits(state) and len(those(state, "reserve")) >= players.reserves:
        return refuse("tournament_full", ("20.3(a)(v)",), most=players.most, reserves=players.reserves)
    return refuse_group(state, command.group)


def enter(flow: Flow, command: c.Enter) -> None:
    """Admit the player for the fee, or add them to the reserves without a fee if the tournament is full.

    A reserve who enters again once a place is free is admitted.
    """
    conditions = flow.state.conditions
    waited = _next_reserve(flow.state) == command.player
    if not waited and not _admits(flow.state):
        flow.put(e.Reserved(("20.10",), command.player, command.group))
        return
    group = known(flow.state, command.player).group if waited else command.group
    money = conditions.money
    flow.put(e.Entered(("20.3(a)(iii)", "20.6", "20.20"), command.player, group, money.fee, money.commission))
    if len(those(flow.state, "in")) == conditions.structure.sit_and_go:
        _close(flow, ("20.3(a)(ii)(B)",))


def refuse_close(state: Tournament, _: c.CloseEntries) -> Refusal | None:
    """Refuse if there are fewer players than the conditions require."""
    if state.phase != "entries":
        return _not_open(state)
    entered = len(those(state, "in"))
    least = max(state.conditions.players.least, state.conditions.structure.sit_and_go, 1)
    if entered < least:
        return refuse("too_few_players", ("20.3(a)(v)",), least=least, entered=entered)
    return None


def close(flow: Flow, _: c.CloseEntries) -> None:
    """Close entries; the casino's contribution goes into the pool."""
    _close(flow, ("20.3(a)(v)",))


def _close(flow: Flow, clauses: tuple[str, ...]) -> None:
    added = flow.state.conditions.money.added
    flow.put(e.EntriesClosed((*clauses, "20.20") if added else clauses, len(those(flow.state, "in")), added))


def refuse_move(state: Tournament, command: c.MoveStart) -> Refusal | None:
    """Allowed for any session that has not started, with notice."""
    waiting = state.phase in {"entries", "closed", "balloted"} or (state.phase == "between" and upcoming(state))
    if not waiting:
        return refuse("no_session_to_move", ("20.7",), phase=state.phase)
    if command.notice < LEAST_NOTICE:
        return refuse("notice_too_short", ("20.7",), least=LEAST_NOTICE, notice=command.notice)
    if command.at <= 0:
        return refuse("no_such_time", ("20.7",))
    if command.now and command.at - command.now < command.notice * 60_000:
        return refuse("notice_too_short", ("20.7",), least=command.notice, notice=(command.at - command.now) // 60_000)
    return None


def move(flow: Flow, command: c.MoveStart) -> None:
    """Record the new time."""
    flow.put(e.StartMoved(("20.7",), command.at, command.notice))


# --- reserves and substitutes -------------------------------------------------------------------------------------


def refuse_offer(state: Tournament, command: c.OfferSeat) -> Refusal | None:
    """Allowed before the first session: the seat of an absent or disqualified player, for a listed reserve."""
    if state.phase != "balloted" or state.session != 1:
        return refuse("first_session_begun", ("20.10",), session=state.session)
    reserve = find(state, command.reserve)
    given = [seat for seat in state.seats if seat.player == command.absent]
    if not given:
        return refuse("no_seat", ("20.10",), player=command.absent)
    if given[0].taken and known(state, command.absent).seat >= 0:
        return refuse("sits_already", ("20.10",), player=command.absent)
    if reserve is None or reserve.status != "reserve":
        return refuse("not_a_reserve", ("20.10",), player=command.reserve)
    if command.until_start > 0 and known(state, command.absent).seat >= 0:  # not ruled out: may still come
        minutes = -(-command.until_start // 60_000)
        return refuse("may_still_come", ("20.9", "20.10"), player=command.absent, minutes=minutes)
    return group_refusal(state, reserve.group, command.absent)


def offer(flow: Flow, command: c.OfferSeat) -> None:
    """The reserve pays and sits down; the absent player's fee stays in the pool."""
    money = flow.state.conditions.money
    flow.put(e.SeatOffered(("20.9", "20.10"), command.absent, command.reserve, money.fee, money.commission))


def refuse_substitute(state: Tournament, command: c.Substitute) -> Refusal | None:
    """Allowed at the director's discretion, but nobody plays twice and something must be left to play."""
    player = find(state, command.player)
    if player is None or player.status != "in":
        return refuse("not_in", ("20.11",), player=command.player)
    playing = state.phase in RUNNING and not state.ties and (state.phase != "between" or upcoming(state))
    if not playing or (state.tables and all(table.ended for table in state.tables)) or _has_played(state, player):
        return refuse("nothing_left_to_play", ("20.11",), phase=state.phase)
    refused = refuse_name(state, command.substitute)
    if refused is not None:
        return refused
    return (
        refuse_agreement(state, command.substitute, agreed=command.agreed)
        or (refuse_group(state, command.group) if same_name(command.group) != same_name(player.group) else None)
        or group_refusal(state, command.group, command.player)
    )


def _has_played(state: Tournament, player: Player) -> bool:
    """Whether the player's table in the last session has ended, so that only the prize is left."""
    table = table_of(state, player.table) if is_last(state) and player.session == state.session else None
    return state.phase == "session" and table is not None and table.ended


def substitute(flow: Flow, command: c.Substitute) -> None:
    """The substitute takes over chips, points, seat and future winnings."""
    chips = known(flow.state, command.player).chips
    flow.put(e.Substituted(("20.11",), command.player, command.substitute, command.reason, command.group, chips))
