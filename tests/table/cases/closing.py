"""Notices, closing, and a round voided after the next began."""

from __future__ import annotations

from collections.abc import Callable

from pontoon.cards import Card
from pontoon.engine import CallNoMoreBets, PlaceSideWager, VoidRound
from pontoon.table import commands as c
from pontoon.table.events import AmountOwed, EarlierRoundVoided, Ruled
from tests.table.desk import Desk, bet, case


@case("adelaide 121 fifteen minutes' notice with a sign")
def _(at):
    desk = at()
    desk.no(c.Close(), "table_is_closed", "121")
    desk.no(c.GiveNotice("minutes"), "table_is_closed", "121")
    desk.ready("Ann 1")
    desk.no(c.Close(), "notice_first", "121")
    desk.no(c.GiveNotice("notice"), "no_such_notice", "121")
    said, _ = desk.then(c.GiveNotice("minutes"), "Announced ClosingNoticed", "121")
    assert said.words == "This table closes in 15 minutes"
    desk.no(c.GiveNotice("rounds"), "notice_given", "121")
    desk.no(c.Close(minutes=14), "notice_runs", "121")
    desk.bet("1 Ann 10").no(c.Close(minutes=15), "round_in_progress", "121")
    desk.finish().then(c.Close(minutes=15), "TableClosed", "121")
    assert (desk.table.phase, desk.table.seats) == ("closed", ())


@case("adelaide 121 or three last rounds")
def _(at):
    desk = at().ready("Ann 1")
    said, _ = desk.then(c.GiveNotice("rounds"), "Announced ClosingNoticed", "121")
    assert said.words == "The last 3 rounds"
    desk.round("1 Ann 10")
    refused = desk.no(c.Close(), "notice_runs", "121")
    assert refused.facts["left"] == 2


@case("adelaide 121 an empty table closes without notice, and opens again with a fresh start")
def _(at):
    desk = at().ready("Ben 5", "Ann 1")
    desk.do(bet("5 Ben 10"))
    desk.no(c.Close(), "round_in_progress", "121")
    desk.move(left=49, behind=48).do(c.Play(CallNoMoreBets()))
    desk.finish().do(c.Leave("Ann"), c.Leave("Ben"))
    desk.then(c.Close(), "TableClosed", "121")
    desk.open("Ann 1", "Ben 5").shuffled()
    assert desk.offered == "Ann Ben"


@case("canberra 16.1 16.2 a table closes with notice, however long")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(c.GiveNotice("minutes"), "no_such_notice", "16.2")
    desk.no(c.Close(), "notice_first", "16.1", "16.2")
    said, _ = desk.then(c.GiveNotice("notice"), "Announced ClosingNoticed", "16.2")
    assert said.words == "This table is about to close"
    desk.then(c.Close(), "TableClosed", "16.1", "16.2")


@case("division-15 2.0 closing is left to the general rules, so in star and federal")
def _(at):
    for name in ("division-15", "star", "federal"):
        desk = at(name).ready("Ann 1")
        desk.no(c.GiveNotice("minutes"), "no_such_notice")
        desk.then(c.Close(), "TableClosed")


def round_twelve(at: Callable[..., Desk]) -> Desk:
    """M05: Ann loses 10, Ben wins 15 with a pontoon and loses 5 on Perfect Pairs."""
    desk = at().ready("Ann 1", "Ben 2", cards="9s As 9d 8h Kc Qd 9c 8s")
    desk.do(bet("1 Ann 10"), bet("2 Ben 10"), c.Play(PlaceSideWager(2, "Ben", "perfect_pairs", 500)))
    desk.do(c.Play(CallNoMoreBets()))
    return desk.finish()


VOID = c.VoidEarlier(1, "casino_supervisor", reason="second cards of boxes 1 and 2 were changed over")


@case("canberra 15.5 M05 an error found in the next round voids the round before, with exact mirror amounts")
def _(at):
    desk = round_twelve(at)
    assert {
        settlement.player: settlement.net
        for settlement in desk.table.finished[0].settlements
        if settlement.kind == "main"
    } == {
        "Ann": -1000,
        "Ben": 1500,
    }
    desk.no(VOID, "next_round_not_begun", "15.5")
    desk.do(bet("1 Ann 10"))
    desk.no(VOID, "next_round_not_begun", "15.5")
    desk.do(c.Play(CallNoMoreBets()), c.Deal())
    desk.no(c.VoidEarlier(2, "casino_supervisor", reason="x"), "next_round_not_begun", "15.5")
    desk.no(c.VoidEarlier(1, "casino_supervisor"), "reason_needed", "15.5")
    ruled, voided = desk.then(VOID, "Ruled EarlierRoundVoided", "15.5", 'A "Void"')
    assert isinstance(ruled, Ruled)
    assert isinstance(voided, EarlierRoundVoided)
    assert ruled.by == "casino_supervisor"
    assert voided.returns == (("Ann", 1000), ("Ben", -1000))
    desk.no(VOID, "already_void", "15.5")
    desk.finish()
    assert [finished_round.void for finished_round in desk.table.finished] == [True, False]


@case("canberra 15.5 A62 what a departed player would have to give back is recorded as owed")
def _(at):
    desk = round_twelve(at)
    desk.do(c.Leave("Ben"))
    desk.round("1 Ann 10").round("1 Ann 10")
    owed = desk.then(VOID, "Ruled EarlierRoundVoided AmountOwed", "15.5")[-1]
    assert owed == AmountOwed(owed.clauses, "Ben", 1000)
    assert desk.table.owed == (("Ben", 1000),)


@case("canberra 15.5 a round that was void already is not voided again")
def _(at):
    desk = at().ready("Ann 1").bet("1 Ann 10").finish(collect=False)
    desk.do(c.Play(VoidRound()), c.Collect())
    desk.round("1 Ann 10").no(VOID, "already_void", "15.5")


@case("adelaide 113 A62 an error found after the next round began: silent; so in division-15, star and federal")
def _(at):
    for name in ("adelaide", "division-15", "star", "federal"):
        at(name).ready("Ann 1").round("1 Ann 10").round("1 Ann 10").no(VOID, "document_silent")


@case("adelaide 113(a) 113(b) an outcome is invalidated with approval")
def _(at):
    desk = at().ready("Ann 1").bet("1 Ann 10")
    desk.no(c.Play(VoidRound(), "casino_supervisor", reason="fire"), "needs_second_person", "112")
    desk.then(
        c.Play(VoidRound(), "casino_supervisor", "inspector", "fire"),
        "Ruled RoundVoided Settled RoundEnded",
        *("112", "113", "113(a)", "113(b)"),
    )
    assert Card("9s") in desk.table.shoe.stack
