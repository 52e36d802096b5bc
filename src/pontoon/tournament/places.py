"""Places and points: rankings at a table, in a session, and in the tournament (20.18).

Players still in are ranked by their chips. Eliminated players rank below them, by how long they lasted, then as the
conditions say for players eliminated in the same round. Tied players share a place; a tie is broken only if it matters
(ties.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby

from pontoon.tournament.conditions.values import Conditions
from pontoon.tournament.events import Standing
from pontoon.tournament.state import Order, Player, Tournament, is_last, orders, points_of, settings

Key = tuple[int | Fraction, ...]
Group = tuple[Player, ...]
"""A group of tied players."""


def refined(names: tuple[str, ...], orders: Sequence[Order]) -> list[tuple[str, ...]]:
    """Tied players split by the orders from extra rounds or lots; an order applies if it includes all of them.

    >>> refined(("Ann", "Ben", "Cas"), [(("Cas",), ("Ann", "Ben")), (("Ben",), ("Ann",))])
    [('Cas',), ('Ben',), ('Ann',)]
    """
    if len(names) < 2:
        return [names]
    for number, order in enumerate(orders):
        if set(names) <= {name for group in order for name in group}:
            parts = [tuple(name for name in group if name in names) for group in order]
            if sum(1 for part in parts if part) > 1:
                return [group for part in parts if part for group in refined(part, orders[number + 1 :])]
    return [names]


def ranked(players: Iterable[Player], key: Callable[[Player], Key], orders: Sequence[Order] = ()) -> list[Group]:
    """Groups of tied players, best first; within a group in the given order."""
    groups: list[Group] = []
    for _, equal in groupby(sorted(players, key=key), key=key):
        members = {player.name: player for player in equal}
        groups += [tuple(members[name] for name in part) for part in refined(tuple(members), orders)]
    return groups


def session_key(state: Tournament) -> Callable[[Player], Key]:
    """The sort key for players of the running session."""
    by_chips = state.conditions.ties.eliminated_together == "chips_before"

    def key(player: Player) -> Key:
        if player.status == "in":
            return (0, -player.chips)
        return (1, -player.out_round, not player.out_between, -player.chips_before if by_chips else 0)

    return key


def competing(state: Tournament) -> list[Player]:
    """The players ranked in the running session: all who were seated, except disqualified ones."""
    return [player for player in state.players if player.session == state.session and _places(player)]


def _places(player: Player) -> bool:
    return player.status in {"in", "eliminated"}


def at_tables(state: Tournament, tie_orders: Sequence[Order]) -> list[list[Group]]:
    """The ranking of each table of the running session, with ties broken by these orders."""
    tables: list[list[Player]] = [[] for _ in state.tables]
    for player in competing(state):
        tables[player.table - 1].append(player)
    key = session_key(state)
    return [ranked(players, key, tie_orders) for players in tables]


def for_points(state: Tournament) -> list[list[Group]]:
    """The ranking of each table for points; orders from ties about advancing do not count."""
    return at_tables(state, orders(state, "points"))


def over_all(state: Tournament) -> list[Group]:
    """The ranking of the running session over all tables; with points, only ties about points are broken."""
    points = state.conditions.structure.format == "points"
    return ranked(competing(state), session_key(state), orders(state, "points") if points else state.tie_orders)


def points_at(points: Sequence[int], groups: Iterable[Group]) -> dict[str, Fraction]:
    """Points by place at a table; tied players combine theirs and divide them.

    >>> Ann, Ben, Cas = (Player(name) for name in ("Ann", "Ben", "Cas"))
    >>> {name: str(amount) for name, amount in points_at((5, 2), [(Ann, Ben), (Cas,)]).items()}
    {'Ann': '7/2', 'Ben': '7/2', 'Cas': '0'}
    """
    given: dict[str, Fraction] = {}
    place = 0
    for group in groups:
        together = sum(points[place : place + len(group)])
        given |= {player.name: Fraction(together, len(group)) for player in group}
        place += len(group)
    return given


def session_points(state: Tournament) -> dict[str, Fraction]:
    """Everyone's points for the running session so far."""
    points = settings(state).points
    return {name: amount for groups in for_points(state) for name, amount in points_at(points, groups).items()}


def numbered(groups: Iterable[Group], line: Callable[[int, Player], Standing]) -> tuple[Standing, ...]:
    """Standings: tied players share a place, and the following places are skipped."""
    lines: list[Standing] = []
    for group in groups:
        place = len(lines) + 1
        lines += [line(place, player) for player in group]
    return tuple(lines)


def session_standings(state: Tournament) -> tuple[Standing, ...]:
    """The result of the running session."""
    points = session_points(state)

    def line(place: int, player: Player) -> Standing:
        amount = points[player.name]
        chips = player.chips if player.status == "in" else player.last_chips
        return Standing(place, player.name, chips, player.table, (amount.numerator, amount.denominator))

    return numbered(over_all(state), line)


def reached(conditions: Conditions, session: int) -> tuple[int, int]:
    """The rank of a session: a repechage ranks just above the session whose eliminated players it is for."""
    wanted = conditions.sessions[session - 1]
    if wanted.kind == "session":
        return session, 0
    return next(number for number, one in enumerate(conditions.sessions, 1) if one.name == wanted.qualifies), session


def final_groups(state: Tournament) -> list[Group]:
    """The ranking of the whole tournament after its last session.

    By total points, or otherwise by the last session reached and then by its result.
    """
    total = state.conditions.structure.format == "points"

    def key(player: Player) -> Key:
        if total:
            return (-points_of(player.points),)
        origin, back = reached(state.conditions, player.session)
        return (player.status != "in", -origin, -back, player.place)

    return ranked((player for player in state.players if _places(player) and player.session), key, state.tie_orders)


def final_standings(state: Tournament) -> tuple[Standing, ...]:
    """The places of the tournament."""
    return numbered(
        final_groups(state),
        lambda place, player: Standing(place, player.name, player.last_chips, player.table, player.points),
    )


def going_on(state: Tournament) -> list[str]:
    """The players who advance from the running session, once relevant ties are broken; none from the last one."""
    if is_last(state):
        return []
    advance = settings(state).advance
    left = [player for player in competing(state) if player.status == "in"]
    if advance is None:
        return [player.name for player in left]
    chosen = [name for part, places in cuts(state) for name in best(part, places)]
    return [player.name for player in left if player.name in set(chosen)]


def best(groups: Iterable[Group], places: int) -> list[str]:
    """The first players of a ranking."""
    return [player.name for group in groups for player in group][:places]


def surviving(groups: Iterable[Group]) -> list[Group]:
    """The ranking without eliminated players, who do not advance (20.14)."""
    return [group for group in groups if group[0].status == "in"]


def cuts(state: Tournament) -> list[tuple[list[Group], int]]:
    """Every ranking that decides who advances, with the number who do, in order."""
    advance = settings(state).advance
    assert advance is not None
    made: list[tuple[list[Group], int]] = []
    if advance.from_table:
        made += [(surviving(groups), advance.from_table) for groups in at_tables(state, state.tie_orders)]
    through = {name for groups, places in made for name in best(groups, places)}
    rest = [player for player in competing(state) if player.status == "in" and player.name not in through]
    if advance.best_of_rest:
        made.append((ranked(rest, session_key(state), state.tie_orders), advance.best_of_rest))
    if advance.of_all:
        points = state.conditions.structure.format == "points"
        tie_orders = orders(state, "place") if points else state.tie_orders
        made.append((ranked(rest, of_all_key(state), tie_orders), advance.of_all))
    return made


def all_go_on(state: Tournament, group: Group) -> bool:
    """Whether a tie at a table does not matter, because the others are certain to advance as best of the rest."""
    advance = settings(state).advance
    assert advance is not None
    key = session_key(state)
    tables = [surviving(groups) for groups in at_tables(state, state.tie_orders)]
    through = {name for groups in tables for name in best(groups, advance.from_table)}
    left = [player for player in competing(state) if player.status == "in" and player.name not in through]
    return sum(key(player) <= key(group[0]) for player in left) <= advance.best_of_rest


def of_all_key(state: Tournament) -> Callable[[Player], Key]:
    """The sort key over all tables: chips, or in a points tournament the points so far."""
    if state.conditions.structure.format != "points":
        return session_key(state)
    points = session_points(state)
    return lambda player: (-points_of(player.points) - points[player.name],)
