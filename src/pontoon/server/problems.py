"""Problems returned to the sender: a code, facts, clauses and words (RFC 9457, problem+json).

The text is formatted from code and facts at the edge, in the client's language.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from pontoon.engine import Refusal
from pontoon.rulebook import Clauses
from pontoon.view.catalogue import ENGLISH, refusal_words

MALFORMED, UNKNOWN, FORBIDDEN, NOT_FOUND, NOT_ALLOWED = 400, 401, 403, 404, 405
REFUSED, GONE, TOO_LARGE, UNSUPPORTED, UNPROCESSABLE, TOO_MANY, BUSY = 409, 410, 413, 415, 422, 429, 503

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
    "no_such_backup": NOT_FOUND,
    "link_used": NOT_FOUND,
    "no_such_tournament": NOT_FOUND,
    "not_found": NOT_FOUND,
    "no_such_link": NOT_FOUND,
    "emote_needs_seat": FORBIDDEN,
    "no_profile": NOT_FOUND,
    "accounts_only": FORBIDDEN,
    "link_revoked": GONE,
    "not_your_round": FORBIDDEN,
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
    "own_tournament": FORBIDDEN,
    "practice_only": FORBIDDEN,
    "old_practice_table": REFUSED,
    "own_proposal": FORBIDDEN,
    "nothing_to_undo": REFUSED,
    "no_float": REFUSED,
    "float_differs": REFUSED,
    "nothing_settled": REFUSED,
    "paid_as_due": REFUSED,
    "too_many": TOO_MANY,
    "quota_used": TOO_MANY,
    "try_later": TOO_MANY,
    "key_reused": UNPROCESSABLE,
    "weak_password": UNPROCESSABLE,
    "suspended": FORBIDDEN,
    "policy": FORBIDDEN,
    "policy_faults": MALFORMED,
    "last_administrator": REFUSED,
    "wrong_media": UNSUPPORTED,
    "not_here": BUSY,
    "closing": BUSY,
    "broken": 500,
    "needs_password": REFUSED,
    "no_backup_folder": BUSY,
    "backup_failed": BUSY,
    "no_coach": FORBIDDEN,
    "not_replayable": REFUSED,
    "lab_busy": BUSY,
    "no_lab": BUSY,
    "starting": BUSY,
    "store_away": BUSY,
    "unsure": BUSY,
    "disk_full": BUSY,
    "log_damaged": BUSY,
    "wrong_method": NOT_ALLOWED,
    "face_down": REFUSED,
    "no_ruling": REFUSED,
    "names_cards": REFUSED,
    "shoe_in_play": REFUSED,
    "conditions_unreadable": MALFORMED,
    "conditions_incomplete": MALFORMED,
}
"""The HTTP status of each of the server's codes; all other codes are refusals of table, engine and tournament."""


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why a request was refused."""

    status: int
    code: str
    facts: dict[str, Any] = {}
    clauses: Clauses = ()

    @property
    def words(self) -> str:
        """The reason in English."""
        return self.said()

    def said(self, language: str = ENGLISH) -> str:
        """The reason as one sentence in a language."""
        return refusal_words(self.code, self.facts, language)


class ProblemError(Exception):
    """Carries a problem to the edge."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.words)
        self.problem = problem


def problem(code: str, **facts: object) -> Problem:
    """A problem with one of the server's codes.

    >>> problem("name_taken", name="Ann"), problem("name_taken", name="Ann").words
    (Problem(status=409, code='name_taken', facts={'name': 'Ann'}, clauses=()), 'the name Ann is taken')
    """
    return Problem(STATUS[code], code, facts)


def refused(refusal: Refusal) -> Problem:
    """A refusal by the table or the engine as a problem."""
    return Problem(REFUSED, refusal.code, dict(refusal.facts), refusal.clauses)
