"""Why not, as it goes back to the sender: a code, facts, the clauses behind it, and words (RFC 9457, problem+json).

The words are made of code and facts at the edge, in the language of whoever asked.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from pontoon.engine import Refusal
from pontoon.rulebook import Clauses
from pontoon.view.catalogue import ENGLISH, refusal_words

MALFORMED, UNKNOWN, FORBIDDEN, NOT_FOUND, NOT_ALLOWED = 400, 401, 403, 404, 405
REFUSED, TOO_MANY, BUSY = 409, 429, 503

STATUS = {
    "malformed": MALFORMED,
    "unknown_token": UNKNOWN,
    "wrong_password": UNKNOWN,
    "forbidden": FORBIDDEN,
    "not_yours": FORBIDDEN,
    "wrong_mode": FORBIDDEN,
    "wrong_origin": FORBIDDEN,
    "no_such_table": NOT_FOUND,
    "no_such_round": NOT_FOUND,
    "no_such_person": NOT_FOUND,
    "no_such_proposal": NOT_FOUND,
    "no_such_tournament": NOT_FOUND,
    "not_found": NOT_FOUND,
    "name_taken": REFUSED,
    "not_enough_chips": REFUSED,
    "chips_enough": REFUSED,
    "stale": REFUSED,
    "paused": REFUSED,
    "not_paused": REFUSED,
    "nothing_to_pass": REFUSED,
    "seat_of_a_bot": REFUSED,
    "run_by_steward": REFUSED,
    "not_a_heat": REFUSED,
    "heat_ended": REFUSED,
    "round_is_on": REFUSED,
    "not_ready": REFUSED,
    "nobody_missed": REFUSED,
    "not_the_director": FORBIDDEN,
    "not_a_director": REFUSED,
    "practice_only": FORBIDDEN,
    "own_proposal": FORBIDDEN,
    "too_many": TOO_MANY,
    "not_here": BUSY,
    "closing": BUSY,
    "broken": 500,
    "needs_password": REFUSED,
    "no_backup_folder": BUSY,
    "backup_failed": BUSY,
    "no_coach": FORBIDDEN,
    "not_replayable": REFUSED,
    "starting": BUSY,
    "store_away": BUSY,
    "wrong_method": NOT_ALLOWED,
    "face_down": REFUSED,
    "no_ruling": REFUSED,
    "names_cards": REFUSED,
    "shoe_in_play": REFUSED,
    "conditions_unreadable": MALFORMED,
    "conditions_incomplete": MALFORMED,
}
"""The status of each code of the server's own; the others are refusals of table, engine and tournament."""


class Problem(Struct, frozen=True, omit_defaults=True):
    """Something was not done, and why."""

    status: int
    code: str
    facts: dict[str, Any] = {}
    clauses: Clauses = ()

    @property
    def words(self) -> str:
        """Why not, in English."""
        return self.said()

    def said(self, language: str = ENGLISH) -> str:
        """Why not, in one sentence."""
        return refusal_words(self.code, self.facts, language)


class ProblemError(Exception):
    """A problem on its way to the edge."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.words)
        self.problem = problem


def problem(code: str, **facts: object) -> Problem:
    """A problem of the server's own.

    >>> problem("name_taken", name="Ann"), problem("name_taken", name="Ann").words
    (Problem(status=409, code='name_taken', facts={'name': 'Ann'}, clauses=()), 'the name Ann is taken')
    """
    return Problem(STATUS[code], code, facts)


def refused(refusal: Refusal) -> Problem:
    """A refusal of the table or the engine, with its clauses."""
    return Problem(REFUSED, refusal.code, dict(refusal.facts), refusal.clauses)
