"""The number of players in each session, from the conditions alone, without absences or early eliminations."""

from __future__ import annotations

from pontoon.tournament.conditions.values import Conditions, Session


def tables_of(session: Session, players: int, at_table: int) -> int:
    """The number of tables in play.

    >>> tables_of(Session(name="Heats", rounds=20), 15, 7)
    3
    """
    return session.tables or -(-players // at_table)


def goes_on(session: Session, players: int, at_table: int) -> int:
    """How many of this many players advance, without absences or early eliminations.

    >>> from pontoon.tournament.conditions.values import Advance
    >>> goes_on(Session(name="Heats", rounds=20, advance=Advance(from_table=2, best_of_rest=1)), 15, 7)
    7
    """
    advance = session.advance
    if advance is None or not players:
        return players
    if advance.of_all:
        return min(advance.of_all, players)
    tables = min(tables_of(session, players, at_table), players)
    fewest, more = divmod(players, tables)
    from_tables = more * min(advance.from_table, fewest + 1) + (tables - more) * min(advance.from_table, fewest)
    return min(from_tables + advance.best_of_rest, players)


def numbers(conditions: Conditions, players: int, *, all_buy_back: bool = False) -> tuple[int, ...]:
    """The number of players in each session for this many entries, and the maximum with all buy-backs."""
    buying = conditions.buy_back
    last = _index(conditions, buying.until) if buying.times and buying.when == "between_sessions" else -1
    waiting, found = players, []
    out: dict[str, int] = {}
    for index, session in enumerate(conditions.sessions):
        playing = out.get(session.qualifies, 0) if session.kind == "repechage" else waiting
        on = goes_on(session, playing, conditions.players.at_table)
        found.append(playing)
        if session.kind == "repechage":
            waiting = min(waiting + on, players)
            out[session.qualifies] = playing - on
        else:
            waiting = on
            out[session.name] = playing - on
        if all_buy_back and index <= last:
            waiting = players
    return tuple(found)


def _index(conditions: Conditions, name: str) -> int:
    names = [session.name for session in conditions.sessions]
    return names.index(name) if name in names else -1
