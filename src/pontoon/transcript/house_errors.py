"""Errors that no key of a rulebook decides: a wrong payment, a late wager, a card that is found.

The remedy follows from rules that every document has: what a wager is due, and that wagers are closed after the call.
Advice only, as in `ruling`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from pontoon.engine import Reversed, Settled
from pontoon.money import dollars
from pontoon.rulebook import Clauses, Rulebook
from pontoon.rulebook.explain import Sentence
from pontoon.transcript.model import Transcript, TranscriptError
from pontoon.transcript.remedies import Approval, Entry, Remedy
from pontoon.transcript.ruling import Outcome, Ruling, Trial

HouseKind = Literal["wrong_pay", "late_bet", "card_found"]
HOUSE_KINDS: tuple[HouseKind, ...] = ("wrong_pay", "late_bet", "card_found")
BOX = "the box is needed: --box N"


class Case(Struct, frozen=True):
    """What is known of such an error."""

    kind: HouseKind
    box: int = 0
    player: str = ""
    """Empty for the only player of the box, or the last one to bet on it."""
    paid: int | None = None
    """Cents a player got on top of the stake; below zero taken."""
    card: str = ""


def house_ruling(transcript: Transcript, case: Case) -> Ruling:
    """The remedies for one of these errors."""
    return _RULES[case.kind](Trial(transcript), case)


def house_listing(rules: Rulebook) -> tuple[Entry, ...]:
    """These errors as rows of the list, after those of `remedies.listing`.

    >>> from pontoon.rulebook import load
    >>> [(entry.kind, entry.says.clauses) for entry in house_listing(load("canberra"))]
    [('wrong_pay', ('14.1(b)', '14.1(f)')), ('late_bet', ('4.3',)), ('card_found', ())]
    """
    cites, approval = rules.cites, _approval(rules)
    due = tuple(dict.fromkeys((*cites.won_higher, *cites.lost_lower)))
    paid = "A wager gets what its own clause says; the difference is paid or taken back."
    return (
        Entry("wrong_pay", _sentence("wrong_pay", paid, due), silent=False, approvals=(approval,)),
        Entry("late_bet", _sentence("late_bet", CLOSED, cites.wager_frozen), silent=False, approvals=(approval,)),
        Entry("card_found", FOUND, silent=True, approvals=(_operator(rules),)),
    )


def _ruling(trial: Trial, case: Case, sentence: Sentence, *remedies: Remedy) -> Ruling:
    lines = trial.transcript.lines
    state = trial.must(lines).state
    outcomes = [_entered(trial, remedy) for remedy in remedies]
    return Ruling(
        transcript=trial.transcript,
        rules=trial.rules,
        kind=case.kind,
        box=case.box,
        card=case.card,
        says=sentence,
        silent=not sentence.clauses,
        before=trial.position(state, trial.run(lines, stands=True)),
        outcomes=tuple(outcomes),
        wants_box=False,
    )


def _entered(trial: Trial, remedy: Remedy) -> Outcome:
    """A remedy tried at the end of the lines; what it enters comes after them."""
    tried = trial.outcome(trial.transcript.lines, remedy)
    return Outcome(tried.remedy, tried.after, tried.mirror, tried.refused, (), remedy.lines)


def _approval(rules: Rulebook) -> Approval:
    """A second person where the document wants one for every error, else who decides disputes."""
    if rules.irregular.approval == "inspector":
        return Approval("inspector", rules.clauses("irregular.approval"))
    return _operator(rules)


def _operator(rules: Rulebook) -> Approval:
    return Approval("operator", rules.sources["table.dispute"].clauses)


def _sentence(key: str, text: str, clauses: Clauses, note: str = "") -> Sentence:
    return Sentence(key, None, text, clauses, note, "", applies=True)


CLOSED = "After the call no wager is made, changed or taken back."
FOUND = _sentence(
    "card_found",
    "Nothing is said about a card that is found.",
    (),
    "Count the cards after the round; if one is missing or too many, change them.",
)


def _player(trial: Trial, case: Case) -> str:
    """The player concerned; the last one to bet on the box if nobody is named."""
    if not case.box:
        raise TranscriptError("box", BOX)
    players = trial.seats.get(case.box, ())
    if not players:
        raise TranscriptError(f"box {case.box}", "nobody has a bet there")
    if case.player and case.player not in players:
        raise TranscriptError(f"box {case.box}", f"{case.player} has no bet there; {', '.join(players)} has")
    return case.player or players[-1]


# --- a wrong payment -----------------------------------------------------------------------------------


def _wrong_pay(trial: Trial, case: Case) -> Ruling:
    player = _player(trial, case)
    if case.paid is None:
        raise TranscriptError("paid", "what was paid is needed: --paid 25, or --paid=-25 for an amount taken")
    state = trial.must(trial.transcript.lines).state
    settled = [payment for payment in state.settlements if (payment.box, payment.player) == (case.box, player)]
    if not settled:
        raise TranscriptError(f"box {case.box}", f"nothing is paid to {player} there yet")
    due = sum(payment.net for payment in settled)
    if due == case.paid:
        raise TranscriptError(f"box {case.box}", f"{_words(due)} is what {player} was due")
    clauses = tuple(dict.fromkeys(clause for payment in settled for clause in payment.clauses))
    text = f"{player}, box {case.box}: {_reasons(settled)}; due {_words(due)}, done {_words(case.paid)}."
    remedy = Remedy(*_difference(player, due - case.paid), clauses, _approval(trial.rules))
    return _ruling(trial, case, _sentence("wrong_pay", text, clauses), remedy)


def _difference(player: str, missing: int) -> tuple[str, str]:
    """The name of the remedy, and its words."""
    amount = dollars(abs(missing))
    if missing > 0:
        return "pay the rest", f"{player} gets {amount} more. At the desk: dispute of {player}, amount {amount}."
    return "take back", f"{player} returns {amount}. At the desk: dispute of {player}, amount -{amount}."


def _reasons(settled: list[Settled | Reversed]) -> str:
    return ", ".join(f"{payment.kind.replace('_', ' ')} wager of {dollars(payment.stake)}" for payment in settled)


def _words(net: int) -> str:
    return f"{'take' if net < 0 else 'pay'} {dollars(abs(net))}"


# --- a late wager --------------------------------------------------------------------------------------


def _late_bet(trial: Trial, case: Case) -> Ruling:
    player = _player(trial, case)
    clauses = trial.rules.cites.wager_frozen
    words = f"{player}'s chips on box {case.box} go back; the box plays on for the others."
    if len(trial.seats[case.box]) == 1:
        words = f"{player}'s chips on box {case.box} go back, and its cards with them."
    who = "house" if trial.rules.irregular.void_wager == "silent" else "supervisor"
    line = f"{who} void b{case.box}/{player}"
    remedy = Remedy("give it back", words, clauses, _approval(trial.rules), (line,))
    return _ruling(trial, case, _sentence("late_bet", CLOSED, clauses), remedy)


# --- a card that is found ------------------------------------------------------------------------------


def _card_found(trial: Trial, case: Case) -> Ruling:
    """The documents say nothing about a card found outside the shoe: the round stands, or the house voids it."""
    name = case.card or "The card"
    approval = _operator(trial.rules)
    stands = Remedy(
        "let it stand", f"The round stands. {name} is kept out; the cards are counted after it.", (), approval
    )
    words = "All wagers and payments go back; the cards are counted and changed."
    who = "house" if trial.rules.irregular.void_round == "silent" else "supervisor"
    clauses = trial.rules.clauses("irregular.void_round")
    void = Remedy("void round", words, clauses, approval, (f"{who} void round",))
    return _ruling(trial, case, FOUND, stands, void)


_RULES: dict[HouseKind, Callable[[Trial, Case], Ruling]] = {
    "wrong_pay": _wrong_pay,
    "late_bet": _late_bet,
    "card_found": _card_found,
}
