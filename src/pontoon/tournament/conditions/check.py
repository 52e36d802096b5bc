"""Checks for incomplete or contradictory conditions: one small function each, with its clause.

`faults(conditions)` is empty if the tournament can be published and played as written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, NoReturn

from msgspec import Struct

from pontoon.money import dollars
from pontoon.tournament.conditions.numbers import goes_on, numbers, tables_of
from pontoon.tournament.conditions.round_rulebook import book_of
from pontoon.tournament.conditions.values import RULEBOOK, Conditions

SOLE_SURVIVOR = 1
STATED = ("director", "conditions", "rules", "prevail")
"""What the statement of 20.3(b) must mention."""


class UnknownError(AttributeError):
    """A check needs a value that could not be read."""


class Unknown:
    """In place of a value that could not be read; whatever uses it raises UnknownError."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        raise UnknownError(name)


def _raise(*_: object) -> NoReturn:
    raise UnknownError


for _name in (
    *("bool", "eq", "ne", "lt", "le", "gt", "ge", "hash", "iter", "len", "contains", "getitem", "index", "neg"),
    *("add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "rfloordiv", "mod", "format", "str", "fspath"),
):
    setattr(Unknown, f"__{_name}__", _raise)

UNKNOWN: Any = Unknown()


class Fault(Struct, frozen=True):
    """Something the director must fix before the conditions can be published."""

    clause: str
    words: str


# --- 20.3(a)(ii): structure --------------------------------------------------------------------------------


def _no_session(conditions: Conditions) -> Iterator[str]:
    if not conditions.sessions:
        yield "there is no session; a tournament has one or more, each written as [[session]]"


def _lengths(conditions: Conditions) -> Iterator[str]:
    for session in conditions.sessions:
        given = [name for name in ("rounds", "shoes", "minutes") if getattr(session, name)]
        if not given:
            yield f"session {session.name} has no length; set rounds, shoes or minutes, as in rounds = 30"
        elif len(given) > 1:
            yield f"session {session.name} has two lengths, {' and '.join(given)}; keep only one"


def _names(conditions: Conditions) -> Iterator[str]:
    names = [session.name for session in conditions.sessions]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"two sessions are called {name}; give each a different name"


def _first_after(conditions: Conditions) -> Iterator[str]:
    if conditions.sessions and conditions.sessions[0].after:
        yield f"session {conditions.sessions[0].name} comes first and begins at start.at; remove its after"


def _tables(conditions: Conditions) -> Iterator[str]:
    at_table = conditions.players.at_table
    fewest = numbers(conditions, conditions.players.least)
    most = numbers(conditions, conditions.players.most, all_buy_back=True)
    for session, low, high in zip(conditions.sessions, fewest, most, strict=True):
        seats = session.tables * at_table
        if session.tables and seats < high:
            yield (
                f"session {session.name} may have {high} players, but {session.tables} tables of {at_table} "
                f"have only {seats} seats"
            )
        elif session.tables > low > 0:
            yield f"session {session.name} may have only {low} players for its {session.tables} tables"


def _sit_and_go(conditions: Conditions) -> Iterator[str]:
    number, players = conditions.structure.sit_and_go, conditions.players
    if number and not players.least <= number <= players.most:
        yield f"sit_and_go begins with {number} players; it must be from {players.least} to {players.most}"
    if number and players.reserves:
        words = "sit_and_go closes entries when the last place is taken"
        yield f"{words}; {players.reserves} reserve players could never enter"


def _progression(conditions: Conditions) -> Iterator[str]:
    *earlier, last = conditions.sessions
    if last.advance is not None:
        yield f"session {last.name} is the last, so nobody can advance from it; remove its advance"
    if conditions.structure.format == "knock_out":
        for session in earlier:
            if session.advance is None and session.kind == "session":
                yield f"session {session.name} does not say who advances, as in advance = {{ from_table = 2 }}"


def _advance(conditions: Conditions) -> Iterator[str]:
    for session in conditions.sessions:
        advance = session.advance
        if advance is None:
            continue
        if advance.of_all and (advance.from_table or advance.best_of_rest):
            yield f"session {session.name} says twice who advances; use either of_all, or from_table and best_of_rest"
        elif not (advance.of_all or advance.from_table):
            yield f"nobody advances from session {session.name}; set from_table or of_all, as in of_all = 7"


def _starving(conditions: Conditions) -> Iterator[str]:
    least = conditions.players.least
    found = numbers(conditions, least)
    ordinary = [
        (session, playing)
        for session, playing in zip(conditions.sessions, found, strict=True)
        if session.kind == "session"
    ]
    for (session, playing), (following, left) in pairwise(ordinary):
        if playing > SOLE_SURVIVOR >= left and session.advance is not None:
            yield f"with {least} players only {left} would advance from {session.name}, too few for {following.name}"


def _points(conditions: Conditions) -> Iterator[str]:
    structure, sessions = conditions.structure, conditions.sessions
    if structure.format == "points":
        if not any(session.points for session in sessions):
            yield "the format is points, but no session awards any, as in points = [7, 5, 3, 1]"
        for session in sessions:
            if not session.points and not session.prizes:
                yield f"session {session.name} awards neither points nor prizes"
    else:
        for session in sessions:
            if session.points:
                yield f"session {session.name} awards points, but the format is knock_out"
        if structure.other_games:
            yield "sessions of other games are scored by points, but the format is knock_out"


def _points_fall(conditions: Conditions) -> Iterator[str]:
    for session in conditions.sessions:
        if list(session.points) != sorted(session.points, reverse=True):
            yield f"in session {session.name} a lower place gets more points than a higher one"
        if len(session.points) > conditions.players.at_table:
            yield f"session {session.name} awards points to {len(session.points)} places, more than players at a table"


def _repechage(conditions: Conditions) -> Iterator[str]:
    sessions = conditions.sessions
    for index, session in enumerate(sessions):
        if session.kind == "session":
            if session.qualifies:
                yield f'session {session.name} has qualifies, which is only for kind = "repechage"'
            continue
        before = {session.name for session in sessions[:index] if session.kind == "session"}
        if not session.qualifies:
            yield f'the repechage {session.name} does not say who qualifies, as in qualifies = "Heats"'
        elif session.qualifies not in before:
            yield f"the repechage {session.name} is for {session.qualifies}, which is not an earlier session"
        if session.advance is None:
            yield f"the repechage {session.name} does not say who returns, as in advance = {{ of_all = 4 }}"
        if not any(session.kind == "session" for session in sessions[index + 1 :]):
            yield f"no session follows the repechage {session.name} for its winners to join"


def _buy_back(conditions: Conditions) -> Iterator[str]:
    buying, game = conditions.buy_back, conditions.game
    stated = (buying.fee, buying.commission, buying.chips, buying.until, buying.method)
    if not buying.times:
        if any(stated):
            yield "buy_back has settings, but times is 0; set times, as in times = 1, or remove the settings"
        return
    if not buying.method:
        yield 'buy_back does not say how it is done, as in method = "at the director\'s desk"'
    if not buying.fee and conditions.money.fee:
        yield 'buy_back has no fee although the entry has one, as in fee = "50.00"'
    if buying.commission > buying.fee:
        yield f"the commission of ${dollars(buying.commission)} is more than the buy-back of ${dollars(buying.fee)}"
    if buying.chips < game.minimum:
        yield f"a buy-back gives ${dollars(buying.chips)} in chips, less than one wager of ${dollars(game.minimum)}"


def _buy_back_until(conditions: Conditions) -> Iterator[str]:
    buying, sessions = conditions.buy_back, conditions.sessions
    if not buying.times:
        return
    found = [session for session in sessions if session.name == buying.until and session.kind == "session"]
    if not buying.until:
        yield f'buy_back does not say until when, as in until = "{sessions[0].name}"'
    elif not found:
        yield f"buy_back is open until {buying.until}, which is not an ordinary session"
    elif found[0] is sessions[-1] and buying.when == "between_sessions":
        yield f"buy_back is open until after {buying.until}, the last session, so there is none left to return to"


# --- 20.3(a)(iii) to (vii): money, chips, people, limits --------------------------------------------------


def _commission(conditions: Conditions) -> Iterator[str]:
    money = conditions.money
    if money.commission > money.fee:
        yield f"the commission of ${dollars(money.commission)} is more than the entry fee of ${dollars(money.fee)}"


def _chips(conditions: Conditions) -> Iterator[str]:
    chips, minimum = conditions.money.chips, conditions.game.minimum
    if chips < minimum:
        yield f"players receive ${dollars(chips)} in chips, less than one wager of ${dollars(minimum)}"


def _players(conditions: Conditions) -> Iterator[str]:
    players = conditions.players
    if players.least > players.most:
        yield f"at least {players.least} players are required, but at most {players.most} are admitted"


def _groups(conditions: Conditions) -> Iterator[str]:
    players = conditions.players
    numbered = players.group_at_table or players.most_of_group
    if players.groups and not numbered:
        yield "groups are restricted in words only; set group_at_table or most_of_group to a number"
    if numbered and not players.groups:
        yield 'groups are restricted, but nothing says what a group is, as in groups = "members of one club"'
    if players.group_at_table >= players.at_table:
        yield f"group_at_table {players.group_at_table} restricts nobody at tables of {players.at_table}"
    elif players.group_at_table and conditions.sessions:
        yield from _groups_seated(conditions)


def _groups_seated(conditions: Conditions) -> Iterator[str]:
    """Group restrictions that no ballot could satisfy."""
    players = conditions.players
    tables = tables_of(conditions.sessions[0], players.least, players.at_table)
    if not players.most_of_group:
        yield "group_at_table needs most_of_group too: a group too large to be spread over the tables cannot be seated"
    elif players.most_of_group > tables * players.group_at_table:
        yield (
            f"a group of {players.most_of_group} cannot be seated {players.group_at_table} at a table: "
            f"with {players.least} players there may be only {tables} tables"
        )


def _limits(conditions: Conditions) -> Iterator[str]:
    game = conditions.game
    if not game.minimum:
        yield "the minimum wager is zero; every player must risk something in each round"
    if game.minimum > game.maximum:
        yield f"the minimum wager of ${dollars(game.minimum)} is above the maximum of ${dollars(game.maximum)}"
    for name, amount in (("least", game.minimum), ("greatest", game.maximum)):
        if amount % 2:
            yield f"the {name} wager of ${dollars(amount)} cannot be halved for a surrender; use even cents"


def _packs(conditions: Conditions) -> Iterator[str]:
    game, allowed = conditions.game, book_of(conditions.game).decks.allowed
    by = "rule 2.1" if game.rulebook == RULEBOOK else f"the rulebook {game.rulebook}"
    if game.packs not in allowed:
        yield f"{game.packs} packs are not allowed by {by}, only {_numbers(allowed)}"


def _numbers(allowed: tuple[int, ...]) -> str:
    least, most = min(allowed), max(allowed)
    return f"{least} to {most}" if len(allowed) == most - least + 1 else ", ".join(map(str, allowed))


def _boxes(conditions: Conditions) -> Iterator[str]:
    at_table, boxes = conditions.players.at_table, book_of(conditions.game).boxes.count
    if at_table > boxes:
        yield f"{at_table} players cannot sit at a table with {boxes} boxes"


# --- 20.3(a)(viii) to (xi), (b): places and prizes --------------------------------------------------------


def _nobody_out(conditions: Conditions) -> Iterator[str]:
    at_table, most = conditions.players.at_table, conditions.players.most
    for session, playing in zip(conditions.sessions, numbers(conditions, most), strict=True):
        if session.advance and playing > SOLE_SURVIVOR and goes_on(session, playing, at_table) == playing:
            yield f"all {playing} players would advance from session {session.name}; nobody could be eliminated"


def _no_pool(conditions: Conditions) -> Iterator[str]:
    money = conditions.money
    if money.commission >= money.fee and not money.added:
        yield "the entry fees leave nothing for prizes, and the casino adds nothing"


def _shares_fall(conditions: Conditions) -> Iterator[str]:
    groups = [("prizes", conditions.prizes.shares)]
    groups += [(f"the session {session.name}", session.prizes) for session in conditions.sessions]
    for place, shares in groups:
        if list(shares) != sorted(shares, reverse=True):
            yield f"{place}: a lower place is paid more than a higher one"
        if any(share <= 0 for share in shares):
            yield f"{place}: a share is zero or negative; remove it"


def _too_many_prizes(conditions: Conditions) -> Iterator[str]:
    most = conditions.players.most
    if not conditions.prizes.shares:
        yield 'prizes.shares is empty; write it as in shares = ["50%", "30%", "20%"]'
    if len(conditions.prizes.shares) > most:
        yield f"there are {len(conditions.prizes.shares)} prizes but at most {most} players"
    for session, playing in zip(conditions.sessions, numbers(conditions, most, all_buy_back=True), strict=True):
        if len(session.prizes) > playing:
            yield f"session {session.name} has {len(session.prizes)} prizes but at most {playing} players"


def _whole_pool(conditions: Conditions) -> Iterator[str]:
    total = sum(conditions.prizes.shares) + sum(sum(session.prizes) for session in conditions.sessions)
    if total != 1:
        yield f"the shares of the pool, including those of sessions, add up to {total} instead of the whole pool"


def _statement(conditions: Conditions) -> Iterator[str]:
    statement = conditions.statement
    if not statement.strip():
        yield 'the statement is empty; write it as in statement = "standard"'
    elif statement != "standard":
        missing = [word for word in STATED if word not in statement.lower()]
        if missing:
            yield (
                "the statement must say that the director conducts the tournament by the conditions and the rules, "
                f"and that the rules prevail; it does not mention: {', '.join(missing)}"
            )


Check = Callable[[Conditions], Iterable[str]]

ALWAYS: tuple[tuple[str, Check], ...] = (
    ("20.3(a)(ii)(A)", _no_session),
    ("20.3(a)(iii)", _commission),
    ("20.3(a)(iv)", _chips),
    ("20.3(a)(v)", _players),
    ("20.3(a)(vi)", _groups),
    ("20.3(a)(vii)", _limits),
    ("20.1", _packs),
    ("20.8", _boxes),
    ("20.3(a)(x)", _no_pool),
    ("20.3(a)(x)", _shares_fall),
    ("20.3(b)", _statement),
)
"""Checks for any conditions."""

WITH_SESSIONS: tuple[tuple[str, Check], ...] = (
    ("20.3(a)(ii)(A)", _lengths),
    ("20.3(a)(ii)(A)", _names),
    ("20.3(a)(ii)(A)", _first_after),
    ("20.3(a)(ii)(B)", _tables),
    ("20.3(a)(ii)(B)", _sit_and_go),
    ("20.3(a)(ii)(C)", _progression),
    ("20.3(a)(ii)(C)", _advance),
    ("20.3(a)(ii)(C)", _starving),
    ("20.3(a)(ii)(D)", _points),
    ("20.3(a)(ii)(D)", _points_fall),
    ("20.3(a)(ii)(E)", _repechage),
    ("20.3(a)(ii)(F)", _buy_back),
    ("20.3(a)(ii)(F)", _buy_back_until),
    ("20.3(a)(viii)(A)", _nobody_out),
    ("20.3(a)(x)", _too_many_prizes),
    ("20.19", _whole_pool),
)
"""Checks that need at least one session."""


def faults(conditions: Conditions) -> tuple[Fault, ...]:
    """All faults, in the order of rule 20.3; empty if there are none.

    A check that needs an UNKNOWN value is left out.
    """
    readable = not isinstance(conditions.sessions, Unknown)
    rows = ALWAYS + WITH_SESSIONS if readable and conditions.sessions else ALWAYS
    found = [(clause, words) for clause, check in rows for words in _told(check, conditions)]
    return tuple(Fault(clause, words) for clause, words in sorted(found, key=lambda row: _ORDER.index(row[0])))


def _told(check: Check, conditions: Conditions) -> list[str]:
    found: list[str] = []
    with suppress(UnknownError):
        found.extend(check(conditions))
    return found


def warnings(conditions: Conditions) -> tuple[Fault, ...]:
    """What is allowed but may surprise: a final that may need more than one table."""
    if not conditions.sessions or conditions.structure.format != "knock_out":
        return ()
    final, at_table = conditions.sessions[-1], conditions.players.at_table
    usual = numbers(conditions, conditions.players.most)[-1]
    most = numbers(conditions, conditions.players.most, all_buy_back=True)[-1]
    tables = tables_of(final, most, at_table)
    if tables <= 1:
        return ()
    everyone = " if everyone who may buy back does" if most > usual else ""
    words = f"session {final.name}, the last, may have {most} players{everyone} and is then played at {tables} tables"
    return (Fault("20.3(a)(ii)(B)", words),)


_ORDER = (
    *("20.1", "20.3(a)(i)"),
    *(f"20.3(a)(ii)({letter})" for letter in "ABCDEF"),
    *(f"20.3(a)({number})" for number in ("iii", "iv", "v", "vi", "vii")),
    *("20.3(a)(viii)(A)", "20.3(a)(x)", "20.19", "20.3(b)", "20.8"),
)
