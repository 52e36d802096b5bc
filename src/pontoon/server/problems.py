"""Why not, as it goes back to the sender: a code, the clauses behind it, and words (RFC 9457, problem+json)."""

from __future__ import annotations

from msgspec import Struct

from pontoon.engine import Refusal
from pontoon.rulebook import Clauses
from pontoon.view.words import why

MALFORMED, UNKNOWN, FORBIDDEN, NOT_FOUND, REFUSED, TOO_MANY, BUSY = 400, 401, 403, 404, 409, 429, 503

WORDS = {
    "malformed": (MALFORMED, "{detail}"),
    "unknown_token": (UNKNOWN, "please sign in: this token is not known or no longer valid"),
    "wrong_password": (UNKNOWN, "name or password is wrong"),
    "forbidden": (FORBIDDEN, "a {role} may not do that ({command})"),
    "not_yours": (FORBIDDEN, "a {role} may do that only for {whom} ({command})"),
    "wrong_mode": (FORBIDDEN, "at a table dealt by {dealt} this is not done ({command})"),
    "wrong_origin": (FORBIDDEN, "this page may not talk to this server"),
    "no_such_table": (NOT_FOUND, "there is no such table"),
    "no_such_round": (NOT_FOUND, "there is no such round"),
    "no_such_person": (NOT_FOUND, "nobody here is called {name}"),
    "no_such_proposal": (NOT_FOUND, "there is no ruling {number} to decide"),
    "no_such_tournament": (NOT_FOUND, "there is no such tournament"),
    "not_found": (NOT_FOUND, "there is nothing here"),
    "name_taken": (REFUSED, "the name {name} is taken"),
    "not_enough_chips": (REFUSED, "there are not enough chips for that"),
    "chips_enough": (REFUSED, "chips are given out below {least}"),
    "stale": (REFUSED, "the table has moved on since version {version}; it is at {current}"),
    "paused": (REFUSED, "the table is paused: {reason}"),
    "not_paused": (REFUSED, "the table is not paused"),
    "nothing_to_pass": (REFUSED, "nothing is asked of {player} now"),
    "seat_of_a_bot": (REFUSED, "{player} is not a bot at this table"),
    "run_by_steward": (REFUSED, "the tournament runs this table, from the first round to the last ({command})"),
    "not_a_heat": (REFUSED, "this is no table of a tournament"),
    "heat_ended": (REFUSED, "this table has played its session"),
    "round_is_on": (REFUSED, "a round is on at this table"),
    "not_ready": (REFUSED, "the cards are being prepared"),
    "nobody_missed": (REFUSED, "nobody has missed a wager here"),
    "not_the_director": (FORBIDDEN, "only the director who was nominated for this tournament may do that ({command})"),
    "not_a_director": (REFUSED, "{name} has not the role of a tournament director"),
    "practice_only": (FORBIDDEN, "a rulebook of your own is for practice tables"),
    "own_proposal": (FORBIDDEN, "a ruling is approved by a second person"),
    "too_many": (TOO_MANY, "too many messages; wait a moment"),
    "not_here": (BUSY, "the table is moving to another process; try again"),
    "closing": (BUSY, "the server is closing; come back in a moment"),
    "broken": (500, "something went wrong on our side; nothing was changed"),
}
"""Status and sentence of each code of the server's own; the others are refusals of table and engine."""


class Problem(Struct, frozen=True, omit_defaults=True):
    """Something was not done, and why."""

    status: int
    code: str
    words: str
    clauses: Clauses = ()


class ProblemError(Exception):
    """A problem on its way to the edge."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.words)
        self.problem = problem


def problem(code: str, **facts: object) -> Problem:
    """A problem of the server's own.

    >>> problem("name_taken", name="Ann")
    Problem(status=409, code='name_taken', words='the name Ann is taken', clauses=())
    """
    status, words = WORDS[code]
    return Problem(status, code, words.format(**facts))


def refused(refusal: Refusal) -> Problem:
    """A refusal of the table or the engine, with its clauses."""
    return Problem(REFUSED, refusal.code, why(refusal), refusal.clauses)
