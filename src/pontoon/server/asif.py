"""The same cards and the same decisions under every rulebook: what a round would have come to elsewhere."""

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
"""Played to its end; stopped at a line; the cards that were dealt do not reach to its end; the wagers do not stand."""


class WagerResult(Struct, frozen=True, omit_defaults=True):
    """How one wager came out."""

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
    """What each player won or lost; as far as it was decided where it did not come to an end."""
    differences: dict[str, int]
    """Against the round as it was played; empty where it did not come to an end."""
    wagers: tuple[WagerResult, ...]
    dealer: tuple[str, ...] = ()
    dealer_words: str = ""
    line: str = ""
    """The decision at which it stops."""
    code: str = ""
    why: str = ""
    clauses: Clauses = ()
    notes: tuple[str, ...] = ()


class AsIfAll(Struct, frozen=True):
    """A round as it was played, and under the five rulebooks as they are written."""

    played: AsIf
    rulebooks: tuple[AsIf, ...]


def as_if(text: str) -> AsIfAll:
    """Every rulebook's answer to the transcript of a round that was played."""
    transcript = read(text)
    played = play_on(transcript, rules_of(transcript))
    own = _result(transcript.rulebook, "settled", transcript, played.state, {})
    return AsIfAll(own, tuple(_under(transcript, name, own.players) for name in NAMES))


def _under(transcript: Transcript, name: str, before: dict[str, int]) -> AsIf:
    """One rulebook; what keeps the round from its end is said, and what was decided until then is shown."""
    try:
        compared = compare(transcript, name, {})
    except TranscriptError as error:
        return _unfinished(transcript, name, str(error))
    assert not isinstance(compared, RefusedLine), "a round that was played is lawful under its own rulebook"
    other = compared.other
    if isinstance(other, RefusedLine):
        stopped = _result(name, "refused", transcript, other.state, {}, compared.notes)
        return _refused(stopped, other.line.text, other.refusal)
    return _result(name, "settled", transcript, other.state, before, compared.notes)


def _refused(stopped: AsIf, line: str, refusal: Refusal) -> AsIf:
    return replace(stopped, line=line, code=refusal.code, why=why(refusal), clauses=refusal.clauses)


def _unfinished(transcript: Transcript, name: str, reason: str) -> AsIf:
    """Played as far as cards and decisions go; a wager that is not taken leaves nothing to play."""
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
        wagers=tuple(_wager(one) for one in state.settlements),
        dealer=state.dealer,
        dealer_words=dealer_words(state) if state.dealer else "",
        notes=tuple(notes),
    )


def _wager(one: Settled | Reversed) -> WagerResult:
    return WagerResult(
        one.player,
        one.box,
        one.hand,
        one.kind,
        one.stake,
        one.result,
        one.odds,
        one.net,
        settlement_words(one),
        one.clauses,
    )
