"""The results of a round with the same cards and decisions under every rulebook."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import Refusal, Reversed, Round, Settled
from pontoon.rulebook import NAMES, Clauses, load
from pontoon.transcript import RefusedLine, Transcript, TranscriptError, nets, read, rules_of
from pontoon.transcript.compare import compare
from pontoon.transcript.replay import play_on
from pontoon.view.words import dealer_words, settlement_words, why

Status = Literal["settled", "refused", "open", "impossible"]
"""Completed; stopped at a line; ran out of dealt cards; or the wagers are not allowed."""


class WagerResult(Struct, frozen=True, omit_defaults=True):
    """The result of one wager."""

    player: str
    box: int
    hand: int
    kind: str
    stake: int
    result: str
    odds: str
    net: int
    words: str
    clauses: Clauses


class AsIf(Struct, frozen=True, omit_defaults=True):
    """A round under one rulebook; amounts in cents."""

    rulebook: str
    status: Status
    players: dict[str, int]
    """Each player's win or loss, as far as decided if the round did not finish."""
    differences: dict[str, int]
    """The difference from the actual round; empty if it did not finish."""
    wagers: tuple[WagerResult, ...]
    dealer: tuple[str, ...] = ()
    dealer_words: str = ""
    line: str = ""
    """The decision at which it stopped."""
    code: str = ""
    why: str = ""
    clauses: Clauses = ()
    notes: tuple[str, ...] = ()


class AsIfAll(Struct, frozen=True):
    """A round as played, and under the five unchanged rulebooks."""

    played: AsIf
    rulebooks: tuple[AsIf, ...]


def as_if(text: str) -> AsIfAll:
    """Settle the transcript of a played round under every rulebook."""
    transcript = read(text)
    played = play_on(transcript, rules_of(transcript))
    own = _result(transcript.rulebook, "settled", transcript, played.state, {})
    return AsIfAll(own, tuple(_under(transcript, name, own.players) for name in NAMES))


def _under(transcript: Transcript, name: str, before: dict[str, int]) -> AsIf:
    """The round under one rulebook; if it cannot finish, the reason and the results so far."""
    try:
        compared = compare(transcript, name, {})
    except TranscriptError as error:
        return _unfinished(transcript, name, str(error))
    assert not isinstance(compared, RefusedLine), "a played round is allowed under its own rulebook"
    other = compared.other
    if isinstance(other, RefusedLine):
        stopped = _result(name, "refused", transcript, other.state, {}, compared.notes)
        return _refused(stopped, other.line.text, other.refusal)
    return _result(name, "settled", transcript, other.state, before, compared.notes)


def _refused(stopped: AsIf, line: str, refusal: Refusal) -> AsIf:
    return replace(stopped, line=line, code=refusal.code, why=why(refusal), clauses=refusal.clauses)


def _unfinished(transcript: Transcript, name: str, reason: str) -> AsIf:
    """Play as far as cards and decisions allow; without an accepted wager there is nothing to play."""
    rules = load(name)
    there = replace(transcript, rulebook=name, overrides={}, paid={})
    try:
        paused = play_on(there, rules)
    except TranscriptError:
        nothing = Round(rules, transcript.limits)
        return replace(_result(name, "impossible", transcript, nothing, {}), why=reason)
    return replace(_result(name, "open", transcript, paused.state, {}), why=reason)


def _result(
    name: str,
    status: Status,
    transcript: Transcript,
    state: Round,
    before: dict[str, int],
    notes: Iterable[str] = (),
) -> AsIf:
    due = nets(transcript.players, state.settlements)
    return AsIf(
        rulebook=name,
        status=status,
        players=due,
        differences={player: due[player] - net for player, net in before.items()},
        wagers=tuple(_wager(settlement) for settlement in state.settlements),
        dealer=state.dealer,
        dealer_words=dealer_words(state) if state.dealer else "",
        notes=tuple(notes),
    )


def _wager(payment: Settled | Reversed) -> WagerResult:
    return WagerResult(
        payment.player,
        payment.box,
        payment.hand,
        payment.kind,
        payment.stake,
        payment.result,
        payment.odds,
        payment.net,
        settlement_words(payment),
        payment.clauses,
    )
