"""The ballot of tables and seats: provable and repeatable (20.7, 20.8).

The hash of one seed is published before the first entry. The key of a draw is HMAC-SHA-256 of that seed over a word for
its purpose, the session in 2 bytes, the number of the draw in 4, and the digest of the players' names. The house
commits to its seed before it knows who enters, and nobody else knows the seed: the players only need to trust that the
house entered nobody in order to influence the draw, and the list of names is public. The order is Fisher-Yates from
that key, as for a shoe (docs/fairness.md). The seed is published when the places are awarded.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from pontoon.engine import Refusal
from pontoon.engine.refusals import refuse
from pontoon.table.shuffle import permutation, seed_hash
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament.flow import Flow
from pontoon.tournament.places import reached
from pontoon.tournament.state import Player, Tournament, known, same_name, those

BALLOT = ("20.7",)
PLAIN_DRAWS = 100
"""Maximum number of draws to satisfy a restriction on groups; after that, seats are assigned group by group."""

_SEATS, _MARKER, _LOTS = b"pontoon ballot 1", b"pontoon marker 1", b"pontoon lots 1"
_LATE = b"pontoon late seat 1"
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)

Seats = tuple[tuple[str, int, int], ...]


# --- the draw -----------------------------------------------------------------------------------------------------


def names_digest(players: Sequence[str]) -> bytes:
    """The digest of the players in a draw: SHA-256 over the SHA-256 of each name, names sorted."""
    return hashlib.sha256(b"".join(hashlib.sha256(name.encode()).digest() for name in sorted(players))).digest()


def draw_key(seed: bytes, purpose: bytes, session: int, number: int, names: bytes) -> bytes:
    """The key of one draw; `names` is the digest of its players."""
    return hmac.digest(seed, purpose + session.to_bytes(2, "big") + number.to_bytes(4, "big") + names, "sha256")


def drawn_order(seed: bytes, session: int, draw: int, players: Sequence[str]) -> list[str]:
    """The players in the order of a draw."""
    names = sorted(players)
    key = draw_key(seed, _SEATS, session, draw, names_digest(names))
    return [names[place] for place in permutation(key, len(names))]


def lots(seed: bytes, session: int, number: int, players: Sequence[str]) -> tuple[str, ...]:
    """Tied players in the order of a draw.

    >>> lots(bytes(32), 1, 1, ("Ann", "Ben", "Cas")) == lots(bytes(32), 1, 1, ("Cas", "Ann", "Ben"))
    True
    """
    names = sorted(players)
    key = draw_key(seed, _LOTS, session, number, names_digest(names))
    return tuple(names[place] for place in permutation(key, len(names)))


def sizes(players: int, tables: int) -> list[int]:
    """The number of players at each table, as even as possible.

    >>> sizes(16, 3)
    [6, 5, 5]
    """
    return [players // tables + (table < players % tables) for table in range(tables)]


def arranged(order: Sequence[str], tables: int) -> Seats:
    """Seats in the order of a draw, table after table.

    >>> arranged(("Cas", "Ann", "Ben"), 2)
    (('Cas', 1, 1), ('Ann', 1, 2), ('Ben', 2, 1))
    """
    names = iter(order)
    return tuple(
        (next(names), table, box)
        for table, size in enumerate(sizes(len(order), tables), 1)
        for box in range(1, size + 1)
    )


def kept_apart(seats: Seats, groups: Mapping[str, str], most: int) -> bool:
    """Whether no more of any group than allowed sit at one table; 0 allows any number."""
    if not most:
        return True
    met = Counter((table, groups[name]) for name, table, _ in seats if groups.get(name))
    size = Counter(groups[name] for name, _, _ in seats if groups.get(name))
    tables = len({table for _, table, _ in seats})
    return all(count <= at_one_table(size[group], tables, most) for (_, group), count in met.items())


def at_one_table(size: int, tables: int, most: int) -> int:
    """How many of a group may sit at one table; more than the conditions say if there are too few tables.

    Groups are independent: a large one does not affect the others.

    >>> at_one_table(3, 1, 2), at_one_table(3, 2, 1), at_one_table(2, 2, 1)
    (3, 2, 1)
    """
    return max(most, -(-size // tables))


def dealt_out(order: Sequence[str], tables: int, groups: Mapping[str, str]) -> Seats:
    """Seats assigned group by group, table by table, where a plain draw would rarely keep groups apart.

    Groups come in the order of the draw, and so do the boxes at a table.

    >>> dealt_out(("Ann", "Ben", "Cas", "Dan"), 2, {"Ann": "Lions", "Cas": "Lions"})
    (('Ann', 1, 1), ('Ben', 1, 2), ('Cas', 2, 1), ('Dan', 2, 2))
    """
    place = {name: number for number, name in enumerate(order)}
    first: dict[str, int] = {}
    for name in order:
        first.setdefault(groups.get(name, ""), place[name])
    together = sorted(order, key=lambda name: (first[groups[name]] if groups.get(name) else place[name], place[name]))
    rows = [sorted(together[table::tables], key=place.__getitem__) for table in range(tables)]
    return tuple((name, table, box) for table, row in enumerate(rows, 1) for box, name in enumerate(row, 1))


def drawn(
    seed: bytes, session: int, players: Sequence[str], tables: int, restriction: tuple[Mapping[str, str], int]
) -> tuple[int, Seats]:
    """The first draw that satisfies the restriction on groups, with its number; the last one is assigned by group."""
    groups, most = restriction
    for draw in range(1, PLAIN_DRAWS + 1):
        seats = arranged(drawn_order(seed, session, draw, players), tables)
        if kept_apart(seats, groups, most):
            return draw, seats
    return PLAIN_DRAWS + 1, dealt_out(drawn_order(seed, session, PLAIN_DRAWS + 1, players), tables, groups)


def drawn_markers(seed: bytes, session: int, seats: Seats) -> tuple[int, ...]:
    """The box with the first starting marker at each table, from a separate draw."""
    names = names_digest([name for name, _, _ in seats])
    count = Counter(table for _, table, _ in seats)
    return tuple(
        permutation(draw_key(seed, _MARKER, session, table, names), count[table])[0] + 1 for table in sorted(count)
    )


def check_ballot(
    seed: str, published: str, drawn_once: e.BallotDrawn, groups: Mapping[str, str] | None = None, most: int = 0
) -> bool:
    """Whether a ballot follows from the published hash; anyone can check it once the seed is revealed.

    `groups` and `most` are needed if the conditions restrict groups: earlier draws must then have violated the limit.
    """
    if not _is_seed(seed, published):
        return False
    key = bytes.fromhex(seed)
    names = [name for name, _, _ in drawn_once.seats]
    tables = len(drawn_once.markers)
    again = drawn(key, drawn_once.session, names, tables, (groups or {}, most))
    if again != (drawn_once.draw, drawn_once.seats):
        return False
    return drawn_markers(key, drawn_once.session, drawn_once.seats) == drawn_once.markers


def check_lots(seed: str, published: str, drawn_once: e.LotsDrawn) -> bool:
    """Whether lots between tied players follow from the published hash; anyone can check it with the revealed seed."""
    if not _is_seed(seed, published):
        return False
    return lots(bytes.fromhex(seed), drawn_once.session, drawn_once.number, drawn_once.order) == drawn_once.order


def check_seat(seed: str, published: str, drawn_once: e.SeatDrawn) -> bool:
    """Whether a seat drawn after a ballot follows from the published hash and the free seats."""
    if not _is_seed(seed, published):
        return False
    again = _late_seat(bytes.fromhex(seed), drawn_once.session, drawn_once.number, drawn_once.player, drawn_once.free)
    return again == (drawn_once.table, drawn_once.box)


def _is_seed(seed: str, published: str) -> bool:
    return _HEX.fullmatch(seed) is not None and seed_hash(bytes.fromhex(seed)) == published


# --- players and number of tables ---------------------------------------------------------------------------------


def field(state: Tournament, session: int) -> list[Player]:
    """The players to be balloted for a session: all still in, or for a repechage those its session eliminated."""
    wanted = state.conditions.sessions[session - 1]
    if wanted.kind == "session":
        return those(state, "in")
    origin, _ = reached(state.conditions, session)
    out = [player for player in those(state, "eliminated") if player.session]
    return [player for player in out if reached(state.conditions, player.session)[0] == origin]


def upcoming(state: Tournament) -> int:
    """The number of the next session; 0 if there is nothing left to play.

    A repechage without players is skipped. A knock-out continues while two players are in, a points tournament while
    one is.
    """
    least = 2 if state.session and state.conditions.structure.format == "knock_out" else 1
    for number in range(state.session + 1, len(state.conditions.sessions) + 1):
        kind = state.conditions.sessions[number - 1].kind
        if len(field(state, number)) >= (1 if kind == "repechage" else least):
            return number
        if kind == "session":
            return 0
    return 0


def tables_for(state: Tournament, session: int, players: int, at_table: int) -> int:
    """The number of tables in the conditions, but never more than players nor fewer than needed."""
    most = min(at_table or state.conditions.players.at_table, state.conditions.players.at_table)
    wanted = state.conditions.sessions[session - 1].tables
    return max(min(wanted, players), -(-players // most))


def refuse_seed(state: Tournament, seed: str) -> Refusal | None:
    """Refuse a seed that does not match the published hash."""
    if not _is_seed(seed, state.seed_hash):
        return refuse("seed_differs", BALLOT, published=state.seed_hash)
    return None


def restriction(state: Tournament) -> tuple[Mapping[str, str], int]:
    """The players' groups, and how many of each may sit at a table."""
    return {player.name: same_name(player.group) for player in state.players}, state.conditions.players.group_at_table


# --- one more seat after the ballot ---------------------------------------------------------------------------------

Places = tuple[tuple[int, int], ...]
"""Free seats, as table and box."""


def free_seats(state: Tournament, group: str) -> Places:
    """The free seats at the tables with the fewest players, as far as the restriction on groups leaves any."""
    groups, most = restriction(state)
    sitting = [seat for number, seat in enumerate(state.seats) if known(state, seat.player).seat == number]
    mine = [seat.table for seat in sitting if most and same_name(group) and groups[seat.player] == same_name(group)]
    allowed = at_one_table(len(mine) + 1, len(state.tables), most)
    taken: dict[int, set[int]] = {table.table: set() for table in state.tables}
    for seat in state.seats:
        taken[seat.table].add(seat.box)
    seats = range(1, state.conditions.players.at_table + 1)
    room = {
        table: [box for box in seats if box not in boxes]
        for table, boxes in taken.items()
        if len(boxes) < len(seats) and (not mine or mine.count(table) < allowed)
    }
    fewest = min((len(taken[table]) for table in room), default=0)
    return tuple((table, box) for table, boxes in room.items() for box in boxes if len(taken[table]) == fewest)


def _late_seat(seed: bytes, session: int, number: int, player: str, free: Places) -> tuple[int, int]:
    key = draw_key(seed, _LATE, session, number, names_digest([player]))
    return free[permutation(key, len(free))[0]]


def refuse_seat(state: Tournament, group: str, seed: str) -> Refusal | None:
    """Refuse if no seat is free for a member of this group, or if the seed is not the published one."""
    if not free_seats(state, group):
        return refuse("no_free_seat", ("20.7", "20.8"), most=state.conditions.players.at_table)
    return refuse_seed(state, seed)


def draw_seat(flow: Flow, player: str, group: str, seed: str) -> None:
    """Draw one of the free seats of this ballot."""
    state = flow.state
    free, number = free_seats(state, group), state.late_seats + 1
    table, box = _late_seat(bytes.fromhex(seed), state.session, number, player, free)
    flow.put(e.SeatDrawn(("20.7", "20.8"), state.session, number, player, table, box, free))


# --- commands -----------------------------------------------------------------------------------------------------


def refuse_commit(state: Tournament, command: c.CommitBallot) -> Refusal | None:
    """Allowed once, before the first entry."""
    if state.seed_hash:
        return refuse("ballot_committed", BALLOT)
    if state.phase != "draft":
        return refuse("tournament_over", BALLOT, phase=state.phase)
    if not _HEX.fullmatch(command.seed_hash):
        return refuse("not_a_hash", BALLOT)
    return None


def commit(flow: Flow, command: c.CommitBallot) -> None:
    """Publish the hash of the seed."""
    flow.put(e.BallotCommitted(BALLOT, command.seed_hash))


def refuse_draw(state: Tournament, command: c.DrawBallot) -> Refusal | None:
    """Allowed before each session, once its players are known."""
    if state.phase not in {"closed", "between"}:
        return refuse("no_ballot_due", BALLOT, phase=state.phase)
    session = upcoming(state)
    if not session:
        return refuse("no_session_left", ("20.3(a)(ii)(A)",), session=state.session)
    most = state.conditions.players.at_table
    if not 0 <= command.at_table <= most:
        return refuse("table_size", ("20.8",), most=most)
    return _refuse_size(state, session, command.at_table) or refuse_seed(state, command.seed)


def _refuse_size(state: Tournament, session: int, at_table: int) -> Refusal | None:
    """The director's table size may change neither a stated number of tables nor the elimination of players."""
    wanted, players = state.conditions.sessions[session - 1], len(field(state, session))
    if at_table and wanted.tables:
        return refuse("tables_stated", ("20.3(a)(ii)(B)", "20.8"), tables=wanted.tables)
    usual, asked = (min(sizes(players, tables_for(state, session, players, size))) for size in (0, at_table))
    best = wanted.advance.from_table if wanted.advance else 0
    if asked <= best < usual:
        return refuse("tables_too_small", ("20.3(a)(ii)(C)", "20.8"), best=best)
    return None


def draw(flow: Flow, command: c.DrawBallot) -> None:
    """Draw tables, seats and markers for the next session."""
    state = flow.state
    session = upcoming(state)
    seed = bytes.fromhex(command.seed)
    players = [player.name for player in field(state, session)]
    tables = tables_for(state, session, len(players), command.at_table)
    number, seats = drawn(seed, session, players, tables, restriction(state))
    flow.put(e.BallotDrawn(("20.7", "20.8"), session, number, seats, drawn_markers(seed, session, seats)))


def refuse_reveal(state: Tournament, command: c.RevealBallot) -> Refusal | None:
    """Allowed once, when no more draws are due."""
    if state.phase not in {"awarded", "over", "cancelled"} or not state.seed_hash:
        return refuse("ballots_to_come", BALLOT, phase=state.phase)
    if state.seed:
        return refuse("ballot_revealed", BALLOT)
    return refuse_seed(state, command.seed)


def reveal(flow: Flow, command: c.RevealBallot) -> None:
    """Reveal the seed, so that anyone can check every ballot."""
    flow.put(e.BallotRevealed(BALLOT, command.seed))


def group_refusal(state: Tournament, group: str, leaving: str) -> Refusal | None:
    """Whether a member of a group may take a vacated seat; departed players are not counted."""
    groups, most = restriction(state)
    mine = same_name(group)
    where = next((seat.table for seat in state.seats if seat.player == leaving), 0)
    if not most or not mine or not where or groups[leaving] == mine:
        return None
    sitting = [seat for number, seat in enumerate(state.seats) if known(state, seat.player).seat == number]
    together = [seat.table for seat in sitting if groups[seat.player] == mine]
    most = at_one_table(len(together) + 1, len(state.tables), most)
    return refuse("groups_meet", ("20.3(a)(vi)",), group=group, most=most) if together.count(where) >= most else None
