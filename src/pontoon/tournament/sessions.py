"""A session in play: seats, counts, eliminations, breaks, pace, rulings, and its end (20.9, 20.12-20.18)."""

from __future__ import annotations

from functools import cache
from typing import Literal

from pontoon.engine import Refusal
from pontoon.engine.refusals import refuse
from pontoon.rulebook.register import register
from pontoon.tournament import awarding, marker, ties
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament.entries import RUNNING
from pontoon.tournament.flow import Flow
from pontoon.tournament.places import going_on, session_standings
from pontoon.tournament.state import Count, Player, Seat, Tournament, find, known, settings, table_of

LENGTH = ("20.3(a)(ii)(A)",)


@cache
def rule_20() -> frozenset[str]:
    """The clauses a director's ruling may cite: rule 20, and the exclusion of 17.2, which 20.1 retains."""
    numbers = (clause.number for clause in register("canberra"))
    return frozenset(number for number in numbers if number.startswith(("20.", "17.2")))


# --- sitting down and starting ------------------------------------------------------------------------------------


def refuse_take_seat(state: Tournament, command: c.TakeSeat) -> Refusal | None:
    """Allowed in the assigned seat only, before the session starts."""
    if state.phase != "balloted":
        return refuse("no_seats_given", ("20.7",), phase=state.phase)
    player = find(state, command.player)
    if player is None or player.seat < 0:
        return refuse("no_seat", ("20.7",), player=command.player)
    if state.seats[player.seat].taken:
        return refuse("sits_already", ("20.7",), player=command.player)
    return refuse("seat_forfeited", ("20.9",), player=command.player) if command.until_start < 0 else None


def take_seat(flow: Flow, command: c.TakeSeat) -> None:
    """Seat the player."""
    flow.put(e.SeatTaken(("20.7", "20.9"), command.player))


def refuse_start(state: Tournament, command: c.StartSession) -> Refusal | None:
    """Allowed at the specified time; without one, only if everyone is seated: nobody forfeits without notice."""
    if state.phase != "balloted":
        return refuse("no_seats_given", ("20.7",), phase=state.phase)
    if state.pause:
        return refuse("break_lasts", ("20.16",), minutes=state.pause)
    if command.until_start > 0:
        return refuse("before_start", ("20.7", "20.9"), minutes=-(-command.until_start // 60_000))
    empty = [seat.player for number, seat in enumerate(state.seats) if not seat.taken and _holds(state, seat, number)]
    if empty and command.unannounced:
        return refuse("start_not_announced", ("20.7", "20.9"), player=empty[0])
    return None


def _holds(state: Tournament, seat: Seat, number: int) -> bool:
    """Whether the player still holds the seat drawn in this ballot."""
    return known(state, seat.player).seat == number


def _begins_with(state: Tournament, player: Player) -> int:
    """The starting chips: the initial amount, chips carried over, or chips from a buy-back."""
    carried = state.conditions.money.carried and player.session and player.status == "in"
    return player.chips if carried or player.returned else state.conditions.money.chips


def start(flow: Flow, _: c.StartSession) -> None:
    """Start the session: absent players forfeit, the others receive their chips."""
    state = flow.state
    there: list[Player] = []
    for number, seat in enumerate(state.seats):
        player = known(state, seat.player)
        if not _holds(state, seat, number):
            continue
        if seat.taken:
            there.append(player)
            continue
        flow.put(e.PositionForfeited(("20.9",), seat.player, player.chips))
    chips = tuple((player.name, _begins_with(state, player)) for player in there)
    issued = tuple((player.name, amount - player.chips) for player, (_, amount) in zip(there, chips, strict=True))
    flow.put(e.SessionStarted(("20.3(a)(iv)",), state.session, chips, issued))
    for name, amount in chips:  # too few chips carried over from the last session
        if amount < state.conditions.game.minimum:
            flow.put(e.Eliminated(("20.14",), name, state.session, "minimum", amount, before=amount))
    for table in flow.state.tables:
        marker.settle(flow, table.table)


# --- rounds -------------------------------------------------------------------------------------------------------


def _refuse_table(state: Tournament, number: int) -> Refusal | None:
    if state.phase != "session":
        return refuse("no_session", LENGTH, phase=state.phase)
    table = table_of(state, number)
    if table is None:
        return refuse("no_such_table", ("20.3(a)(ii)(B)",), table=number)
    return refuse("table_ended", LENGTH, table=number) if table.ended else None


def length_reached(state: Tournament, table: Count) -> bool:
    """Whether a table has played all rounds of a session measured in rounds."""
    return 0 < settings(state).rounds <= table.rounds


def refuse_count(state: Tournament, command: c.CountChips) -> Refusal | None:
    """Allowed for the table's next round, with exactly the players at the table."""
    refused = _refuse_table(state, command.table)
    if refused is not None:
        return refused
    table = state.tables[command.table - 1]
    if length_reached(state, table):
        return refuse("rounds_played", LENGTH, rounds=table.rounds)
    if state.pause and table.counted_in_break:
        return refuse("break_lasts", ("20.16",), minutes=state.pause)
    if command.round != table.rounds + 1:
        return refuse("round_out_of_order", LENGTH, expected=table.rounds + 1, round=command.round)
    shoes = settings(state).shoes
    if command.shoe < table.shoe or (shoes and command.shoe > shoes):
        return refuse("shoe_out_of_order", LENGTH, shoe=command.shoe, last=table.shoe)
    seated, counted = [name for _, name in table.seated], [name for name, _ in command.chips]
    if not seated or seated != counted:
        return refuse("players_differ", ("20.7", "20.13"), seated=tuple(seated), counted=tuple(counted))
    if any(chips < 0 for _, chips in command.chips):
        return refuse("chips_below_zero", ("20.13",))
    return None


def count(flow: Flow, command: c.CountChips) -> None:
    """Record the chips, eliminate players who cannot make the minimum wager for another round, and move the marker.

    In a session by shoes or time the last round is not known in advance; `end_table` corrects this.
    """
    state = flow.state
    before = {name: known(state, name).chips for name, _ in command.chips}
    changes = tuple((name, chips - before[name]) for name, chips in command.chips)
    flow.put(
        e.ChipsCounted(("20.13",), state.session, command.table, command.round, command.shoe, command.chips, changes)
    )
    last = length_reached(flow.state, flow.state.tables[command.table - 1])
    for name, chips in command.chips:
        if chips < state.conditions.game.minimum and not last:
            out = e.Eliminated(
                ("20.14",), name, state.session, "minimum", chips, round=command.round, before=before[name]
            )
            flow.put(out)
    marker.move_on(flow, command.table)


# --- rulings ------------------------------------------------------------------------------------------------------


def refuse_disqualify(state: Tournament, command: c.Disqualify) -> Refusal | None:
    """A ruling must cite a clause; 20.14 only if the conditions eliminate players who make no wager in time."""
    if state.phase not in RUNNING:
        return refuse("not_under_way", ("20.18",), phase=state.phase)
    player = find(state, command.player)
    if player is None or not (player.status in {"in", "eliminated", "reserve"} or _has_won(state, player)):
        return refuse("not_in", ("20.18",), player=command.player)
    if command.clause not in rule_20():
        return refuse("no_such_clause", ("20.1",), clause=command.clause)
    if command.clause == "20.14":
        table = at_table(state, player)
        wagers = table is not None and not table.ended and not length_reached(state, table)
        if state.conditions.structure.absent != "eliminated" or not wagers:
            return refuse("not_for_absence", ("20.14",), player=command.player)
    if command.clause in CRITERIA:
        if not state.conditions.structure.elimination:
            return refuse("no_such_criterion", (command.clause,))
        if player.status != "in":
            return refuse("not_in", (command.clause,), player=command.player)
    return None


CRITERIA = ("20.3(a)(viii)(A)", "20.3(a)(ix)(A)")
"""Whether the clause is one of the operator's elimination criteria, which eliminate without disqualifying."""


def _has_won(state: Tournament, player: Player) -> bool:
    """Whether a player who gave up the seat is to be awarded a prize of a finished session."""
    if state.conditions.prizes.sessions_paid == "session":  # awarded already
        return False
    won = (result.standings for result in state.results if state.conditions.sessions[result.session - 1].prizes)
    return any(standing.player == player.name for standings in won for standing in standings)


def at_table(state: Tournament, player: Player) -> Count | None:
    """The player's current table."""
    table = table_of(state, player.table)
    return table if table is not None and (player.box, player.name) in table.seated else None


def _out_by(clause: str) -> Literal["absent", "criterion", "ruling"]:
    if clause == "20.14":
        return "absent"
    return "criterion" if clause in CRITERIA else "ruling"


def disqualify(flow: Flow, command: c.Disqualify) -> None:
    """Remove a player: with a place under 20.14 or an elimination criterion, otherwise without one."""
    state = flow.state
    player = known(state, command.player)
    table = at_table(state, player)
    flow.put(
        e.Eliminated(
            (command.clause,),
            player.name,
            state.session,
            _out_by(command.clause),
            player.chips,
            command.reason,
            round=table.rounds if table else player.out_round,
            before=player.chips if table else player.chips_before,
        )
    )
    if table:
        marker.settle(flow, player.table)
    ties.look(flow)


def refuse_direct(state: Tournament, command: c.Direct) -> Refusal | None:
    """Allowed to a player still in, or to all, with a clause."""
    if state.phase not in RUNNING:
        return refuse("not_under_way", ("20.17",), phase=state.phase)
    if command.clause not in rule_20():
        return refuse("no_such_clause", ("20.1",), clause=command.clause)
    if not command.words.strip():
        return refuse("words_missing", (command.clause,))
    if command.player and find(state, command.player) is None:
        return refuse("not_in", (command.clause,), player=command.player)
    return None


def direct(flow: Flow, command: c.Direct) -> None:
    """Record the announcement."""
    flow.put(e.Directed((command.clause,), command.words, command.player))


# --- breaks and pace ----------------------------------------------------------------------------------------------


def refuse_break(state: Tournament, command: c.CallBreak) -> Refusal | None:
    """Allowed one at a time, with a stated length."""
    if state.phase not in RUNNING - {"entries"}:
        return refuse("not_under_way", ("20.16",), phase=state.phase)
    if state.pause:
        return refuse("break_lasts", ("20.16",), minutes=state.pause)
    return refuse("minutes_missing", ("20.16",)) if command.minutes < 1 else None


def call_break(flow: Flow, command: c.CallBreak) -> None:
    """Start the break; rounds in progress are finished and counted."""
    flow.put(e.BreakCalled(("20.16",), command.minutes))


def refuse_end_break(state: Tournament, _: c.EndBreak) -> Refusal | None:
    """Refuse if there is no break."""
    return None if state.pause else refuse("no_break", ("20.16",))


def end_break(flow: Flow, _: c.EndBreak) -> None:
    """Play continues."""
    flow.put(e.BreakEnded(("20.16",)))


def refuse_pace(state: Tournament, command: c.SetPace) -> Refusal | None:
    """Refuse an invalid number of seconds; 0 means no limit."""
    if state.phase not in RUNNING:
        return refuse("not_under_way", ("20.17",), phase=state.phase)
    return refuse("seconds_below_zero", ("20.17",)) if command.seconds < 0 else None


def set_pace(flow: Flow, command: c.SetPace) -> None:
    """Set the pace."""
    flow.put(e.PaceSet(("20.17",), command.seconds))


# --- the end ------------------------------------------------------------------------------------------------------


def refuse_end_table(state: Tournament, command: c.EndTable) -> Refusal | None:
    """Refuse before the rounds, shoes or minutes are over, unless no opponents are left at any table."""
    refused = _refuse_table(state, command.table)
    if refused is not None:
        return refused
    table = state.tables[command.table - 1]
    if not table.seated or _won(state, table):
        return None
    refused = _refuse_length(state, table, command.minutes)
    if refused is None and owes_round(table):
        return refuse("round_owed", ("20.3(a)(ii)(F)",), table=command.table)
    return refused


def is_won(state: Tournament, seated: int, began: int) -> bool:
    """Whether no opponents are left: the last player at the only table has won."""
    return seated < min(1 if len(state.tables) > 1 else 2, began)


def _won(state: Tournament, table: Count) -> bool:
    """Whether one player is left at the only table of a session."""
    return len(state.tables) == 1 == len(table.seated)


def owes_round(table: Count) -> bool:
    """Whether a player bought back after the last round and must still play."""
    return table.bought_back == table.rounds


def _refuse_length(state: Tournament, table: Count, minutes: int) -> Refusal | None:
    session = settings(state)
    if table.rounds < session.rounds:
        return refuse("session_lasts", LENGTH, unit="rounds", wanted=session.rounds, had=table.rounds)
    if session.shoes and (table.shoe < session.shoes or not table.rounds):
        return refuse("session_lasts", LENGTH, unit="shoes", wanted=session.shoes, had=table.shoe - 1)
    if minutes < session.minutes:
        return refuse("session_lasts", LENGTH, unit="minutes", wanted=session.minutes, had=minutes)
    return None


def end_table(flow: Flow, command: c.EndTable) -> None:
    """End a table; after the last one, look for ties.

    If the session has reached its full length, no round would have followed, so nobody left with too few chips by the
    last round is eliminated under 20.14. A table by shoes that ends because one player or none is left ends early.
    """
    state = flow.state
    table = state.tables[command.table - 1]
    short = settings(state).shoes and (not table.seated or _won(state, table))
    restored: tuple[tuple[str, int], ...] = ()
    if not short and _refuse_length(state, table, command.minutes) is None:
        out = [player for player in state.players if _out_last(state, table, player)]
        restored = tuple((player.name, player.last_chips) for player in out)
    flow.put(e.TableEnded(LENGTH, state.session, command.table, restored))
    ties.look(flow)


def _out_last(state: Tournament, table: Count, player: Player) -> bool:
    """Whether a player was eliminated by the last round of a table."""
    here = player.status == "eliminated" and (player.session, player.table) == (state.session, table.table)
    return here and player.out_round == table.rounds > 0 and not player.out_between


def refuse_end(state: Tournament, _: c.EndSession) -> Refusal | None:
    """Allowed once all tables have ended and all relevant ties are broken."""
    if state.phase != "session":
        return refuse("no_session", ("20.18",), phase=state.phase)
    open_tables = [table.table for table in state.tables if not table.ended]
    if open_tables:
        return refuse("table_plays", LENGTH, table=open_tables[0])
    if state.ties:
        return refuse("tie_open", ("20.3(a)(viii)(B)",), players=state.ties[0].players)
    return None


def end(flow: Flow, _: c.EndSession) -> None:
    """Record places, points and who advances; then look for ties in the whole tournament."""
    state = flow.state
    on = going_on(state)
    returned: tuple[tuple[str, int], ...] = ()
    competing = [player for player in state.players if player.session == state.session and player.status == "in"]
    if not state.conditions.money.carried:
        returned = tuple((player.name, player.chips) for player in competing if player.chips)
    clauses = ("20.18", "20.3(a)(ii)(C)")
    flow.put(e.SessionEnded(clauses, state.session, session_standings(state), tuple(on), returned))
    if settings(state).advance is not None and state.session < len(state.conditions.sessions):
        stay = set(on)
        for player in competing:
            if player.name not in stay:
                held = known(flow.state, player.name).chips
                flow.put(e.Eliminated(("20.3(a)(viii)(A)",), player.name, state.session, "session", held))
    awarding.award_session(flow)
    ties.look(flow)
