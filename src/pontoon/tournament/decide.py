"""The rules of a tournament, and the decider functions based on them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pontoon.decider import Decider, Rules
from pontoon.engine import Refusal
from pontoon.tournament import (
    appeals,
    awarding,
    ballot,
    buy_backs,
    cancelling,
    corrections,
    entries,
    late_entries,
    sessions,
    ties,
)
from pontoon.tournament import commands as c
from pontoon.tournament.events import TournamentEvent
from pontoon.tournament.evolve import STEPS
from pontoon.tournament.state import Phase, Tournament, known, settings, those

RULES: Rules[c.TournamentCommand, Tournament, Refusal] = {
    c.PublishConditions: (entries.refuse_publish, entries.publish),
    c.NominateDirector: (entries.refuse_nominate, entries.nominate),
    c.CommitBallot: (ballot.refuse_commit, ballot.commit),
    c.Enter: (entries.refuse_enter, entries.enter),
    c.CloseEntries: (entries.refuse_close, entries.close),
    c.EnterLate: (late_entries.refuse_late, late_entries.enter_late),
    c.MoveStart: (entries.refuse_move, entries.move),
    c.DrawBallot: (ballot.refuse_draw, ballot.draw),
    c.TakeSeat: (sessions.refuse_take_seat, sessions.take_seat),
    c.OfferSeat: (entries.refuse_offer, entries.offer),
    c.Substitute: (entries.refuse_substitute, entries.substitute),
    c.StartSession: (sessions.refuse_start, sessions.start),
    c.CountChips: (sessions.refuse_count, sessions.count),
    c.BuyBack: (buy_backs.refuse_buy_back, buy_backs.buy_back),
    c.Disqualify: (sessions.refuse_disqualify, sessions.disqualify),
    c.CorrectChips: (corrections.refuse_correct, corrections.correct),
    c.Reinstate: (corrections.refuse_reinstate, corrections.reinstate),
    c.Appeal: (appeals.refuse_appeal, appeals.appeal),
    c.DecideAppeal: (appeals.refuse_decide, appeals.decide_appeal),
    c.CallBreak: (sessions.refuse_break, sessions.call_break),
    c.EndBreak: (sessions.refuse_end_break, sessions.end_break),
    c.SetPace: (sessions.refuse_pace, sessions.set_pace),
    c.Direct: (sessions.refuse_direct, sessions.direct),
    c.EndTable: (sessions.refuse_end_table, sessions.end_table),
    c.CountExtra: (ties.refuse_extra, ties.count_extra),
    c.DrawLots: (ties.refuse_lots, ties.draw_lots),
    c.EndSession: (sessions.refuse_end, sessions.end),
    c.RecordPoints: (awarding.refuse_record, awarding.record),
    c.AwardPlaces: (awarding.refuse_award, awarding.award),
    c.PayPrize: (awarding.refuse_pay, awarding.pay),
    c.RevealBallot: (ballot.refuse_reveal, ballot.reveal),
    c.Cancel: (cancelling.refuse_cancel, cancelling.cancel),
}
"""Each command with its check and its action."""

DECIDER = Decider[Tournament, c.TournamentCommand, TournamentEvent, Refusal](RULES, STEPS)
refusal = DECIDER.refusal
decide = DECIDER.decide
evolve = DECIDER.evolve
play = DECIDER.play


class Options(Struct, frozen=True):
    """The commands allowed now, for the director's desk."""

    phase: Phase
    allowed: tuple[c.TournamentCommand, ...]
    """Complete commands that can be given as they are."""
    needs: tuple[str, ...]
    """Kinds of commands that are due but need a value: a name, a seed, chips, words."""
    refused: tuple[tuple[c.TournamentCommand, Refusal], ...]


VALUE = frozenset(
    {
        *("seed_differs", "name_unusable", "points_unusable", "reason_missing", "chips_unusable"),
        *("reinstatement_chips", "reserves_first"),
    }
)
"""Refusals that concern only the value, not the timing."""


def options(state: Tournament) -> Options:
    """Check `refusal` for every command without a free value, and for one sample of each kind with one."""
    allowed, refused = DECIDER.sift(state, candidates(state))
    due = (probe for probe in probes(state) if (no := refusal(state, probe)) is None or no.code in VALUE)
    needs = tuple(dict.fromkeys(type(probe).__name__ for probe in due))
    return Options(state.phase, allowed, needs, refused)


def candidates(state: Tournament) -> Iterator[c.TournamentCommand]:
    """Every command without chance and without free values."""
    yield from (c.PublishConditions("patrons"), c.PublishConditions("commission"))
    yield from (c.CloseEntries(), c.StartSession(), c.EndBreak(), c.EndSession(), c.AwardPlaces())
    reserve = next((player.name for player in those(state, "reserve")), "")
    for seat in state.seats:
        yield c.TakeSeat(seat.player)
        if reserve and (not seat.taken or known(state, seat.player).seat < 0):
            yield c.OfferSeat(seat.player, reserve)
    yield from (c.BuyBack(player.name) for player in those(state, "eliminated"))
    yield from (c.EndTable(table.table) for table in state.tables)
    yield from (c.PayPrize(payment.number) for payment in state.payments)


def probes(state: Tournament) -> Iterator[c.TournamentCommand]:
    """One sample of each kind that needs a value; the value is the smallest valid one, or empty."""
    player = next((entry.name for entry in those(state, "in")), "")
    yield from (c.NominateDirector("shift manager", "director"), c.CommitBallot("0" * 64))
    yield from (c.Enter("", agreed=True), c.MoveStart(1, entries.LEAST_NOTICE), c.DrawBallot(""))
    yield from (c.Substitute(player, "", "", agreed=True), c.Disqualify(player, "", "20.18"))
    yield c.EnterLate("", "", agreed=True)
    for entry in state.players:
        yield from (c.CorrectChips(entry.name, -1, ""), c.Reinstate(entry.name, ""), c.Appeal(entry.name, ""))
    yield from (c.DecideAppeal(appeal.number, upheld=True, decision="") for appeal in appeals.open_appeals(state))
    yield from (c.CallBreak(1), c.SetPace(0), c.Direct("words", "20.17"))
    for table in state.tables:
        held = tuple((name, known(state, name).chips) for _, name in table.seated)
        yield c.CountChips(table.table, table.rounds + 1, held, table.shoe)
        if settings(state).minutes:
            yield c.EndTable(table.table, settings(state).minutes)
    for tie in state.ties:
        if tie.by == "ballot":
            yield c.DrawLots(tie.players, "")
        else:
            yield c.CountExtra(tie.players, tuple((name, 0) for name in tie.players))
    yield from (c.RecordPoints("", ()), c.RevealBallot(""), c.Cancel(""))
