"""Limits: the sign and its announcement, markers, boxes a person may play, side bets, hours, reports, disputes."""

from __future__ import annotations

from typing import cast

from pontoon.engine import Absent, CallNoMoreBets, Limits, PlaceSideWager, Stand, VoidBox
from pontoon.engine.commands import TakeBack
from pontoon.engine.events import PlayerWasAbsent
from pontoon.engine.state import SideLimits
from pontoon.ledger import table_postings
from pontoon.table import commands as c
from pontoon.table.events import AmountOwed, Announced, DisputeDecided, InRound, Reported, Ruled
from pontoon.table.opening import checkers
from pontoon.table.people import held_back
from tests.table.desk import bet, case

CALL = c.Play(CallNoMoreBets())
SEVEN = ("Ann 1", "Ben 2", "Cal 3", "Dee 4", "Eve 5", "Fay 6", "Gus 7")


def side(kind: str, stake: int, player: str = "Ann") -> c.Play:
    return c.Play(PlaceSideWager(1, player, kind, stake))


@case("canberra 3.1 notice of new limits is given first, and shown until the sign changes")
def _(at):
    desk = at().ready("Ann 1")
    new = Limits(2500, 50000)
    desk.no(c.SetLimits(new), "players_not_told", "3.1")
    desk.no(c.AnnounceLimits(Limits(2500, 1000)), "limits_wrong", "3.1")
    desk.then(c.AnnounceLimits(new, 60000), "LimitsAnnounced Announced", "3.1")
    desk.do(bet("1 Ann 10"))
    desk.do(c.Play(TakeBack(1, "Ann")))
    desk.no(c.SetLimits(new), "players_not_told", "3.1")
    desk.then(c.SetLimits(new, box_maximum=60000), "LimitsSet", "3.1")
    assert desk.table.coming is None
    assert desk.table.box_maximum == 60000
    at().no(c.AnnounceLimits(new), "table_is_closed", "3.1")


@case("canberra 18.7 18.19 the sign has the limits of the side bets, and a change of the others leaves them")
def _(at):
    pairs = SideLimits("perfect_pairs", 500, 10000)
    desk = at(limits=Limits(1000, 20000, 0, (pairs,))).ready("Ann 1")
    desk.do(bet("1 Ann 10"))
    desk.no(side("perfect_pairs", 1), "side_below_minimum")
    desk.no(side("perfect_pairs", 100_000_000), "side_above_maximum")
    desk.do(side("perfect_pairs", 500))
    desk.do(c.Play(TakeBack(1, "Ann")))
    desk.then(c.SetLimits(Limits(1000, 30000), told=True), "LimitsSet", "18.7", "18.19")
    assert desk.table.limits.side == (pairs,)
    for wrong in (SideLimits("perfect_pairs", -1), SideLimits("perfect_pairs", 500, 100)):
        desk.no(c.SetLimits(Limits(1000, 30000, 0, (wrong,)), told=True), "limits_wrong", "18.7")
    unknown = Limits(1000, 30000, 0, (SideLimits("royal_match", 100),))
    desk.no(c.SetLimits(unknown, told=True), "side_wager_not_offered", "18.1")


@case("canberra 4.6 whether two wagers fit does not depend on which was placed first")
def _(at):
    for first, second in (("1 Ann 150", "1 Ben 100"), ("1 Ben 100", "1 Ann 150")):
        desk = at().ready("Ann 1", "Ben 2")
        desk.do(c.AllowPersonalLimit("Ann", 1, 50000), bet(first))
        desk.no(bet(second), "box_maximum", "4.6")
    for first, second in (("1 Ann 100", "1 Ben 100"), ("1 Ben 100", "1 Ann 100")):
        desk = at().ready("Ann 1", "Ben 2")
        desk.do(c.AllowPersonalLimit("Ann", 1, 50000), bet(first), bet(second))


@case("canberra 3.2 a marker exceeds the box maximum; without one the sign's maximum holds for the box")
def _(at):
    desk = at(box_maximum=20000).ready("Ann 1", "Ben 2")
    desk.do(c.AllowPersonalLimit("Ann", 1, 50000))
    desk.do(bet("1 Ann 500"))
    desk.no(bet("1 Ben 10"), "box_maximum", "4.6")
    desk.do(bet("2 Ann 120"))
    desk.no(bet("2 Ben 100"), "box_maximum", "3.1", "3.2")
    floor = at(mode="floor").ready("Cat 5")
    assert floor.do(bet("5 Cat 700"))
    at(limits=Limits(1000)).ready("Cat 5").do(bet("5 Cat 900"), bet("5 Dan 900"))


@case("canberra 3.2 4.6 a table of version 0.1.0 keeps its reading of markers")
def _(at):
    old = {"people.maximum_for": "bettor"}
    desk = at(overrides=old).ready("Ann 1", "Ben 2")
    desk.do(c.AllowPersonalLimit("Ann", 1, 50000), bet("1 Ben 50"))
    desk.no(bet("1 Cal 160"), "box_maximum", "4.6")
    desk.do(bet("1 Ann 500"))
    desk.no(bet("1 Cal 10"), "box_maximum", "4.6")
    boxed = at(overrides=old, box_maximum=20000).ready()
    boxed.do(bet("1 Ben 150"))
    boxed.no(bet("1 Cal 60"), "box_maximum", "3.1")


@case("canberra 18.1 which side bet a table offers is the operator's choice")
def _(at):
    desk = at(side_bets=("perfect_pairs",)).ready("Ann 1")
    desk.do(bet("1 Ann 10"))
    desk.no(side("pairs_play", 500), "side_wager_not_offered", "18.1")
    desk.no(c.OfferSideBets(("pairs_play",)), "round_in_progress", "18.1")
    desk.do(side("perfect_pairs", 500), c.Play(TakeBack(1, "Ann")))
    desk.no(c.OfferSideBets(("perfect_pairs", "pairs_play")), "one_kind_of_side_wager", "18.1(b)")
    desk.no(c.OfferSideBets(("royal_match",)), "side_wager_not_offered", "18.1")
    desk.then(c.OfferSideBets(("pairs_play",)), "SideBetsOffered", "18.1")
    desk.do(bet("1 Ann 10"))
    desk.no(side("perfect_pairs", 500), "side_wager_not_offered", "18.1")
    desk.do(side("pairs_play", 500))
    desk.do(c.Exclude("Ben", "operator", "past posting"))
    desk.no(side("pairs_play", 500, "Ben"), "player_excluded", "17.2(b)")
    guest = at(side_bets=("perfect_pairs",)).ready("Ann 1")
    guest.do(side("perfect_pairs", 500))
    guest.no(c.OfferSideBets(()), "round_in_progress", "18.1")


@case("division-15 5.8 5.8(a) 5.8(b) late entry is held for one person, or switched on an open table")
def _(at):
    desk = at().ready("Ann 1", "Ben 2")
    desk.round("1 Ann 10")
    desk.then(c.HoldLate(hold=True, by="operator", player="Ben"), "LateEntryHeld", "5.8", "5.8(a)")
    assert [held_back(desk.table, name) for name in ("Ann", "Ben", "Cat")] == ["", "people.late", ""]
    desk.no(bet("2 Ben 50"), "held_to_minimum", "5.8")
    desk.then(c.HoldLate(hold=True, by="operator"), "LateEntryHeld", "5.8")
    assert held_back(desk.table, "Cat") == "people.late"
    desk.do(c.HoldLate(hold=False, by="operator", player="Cat"))
    assert held_back(desk.table, "Cat") == ""
    desk.do(c.HoldLate(hold=False, by="operator"), bet("2 Ben 50"))
    at("star").ready().no(c.HoldLate(hold=True, by="operator"), "document_silent")


@case("canberra 4.7 19.1 nobody is held for coming late to a shuffling shoe")
def _(at):
    desk = at(device="shuffling_shoe").ready("Ann 1")
    desk.no(c.HoldLate(hold=True, by="operator"), "document_silent", "4.7", "19.1")
    desk.do(c.HoldLate(hold=False, by="operator"))
    at().ready("Ann 1").then(c.HoldLate(hold=True, by="operator"), "LateEntryHeld", "4.7")


@case("division-15 15.4 the boxes one person may play are changed on an open table")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(c.AllowBoxes(8, "operator"), "no_such_box", "3.1")
    desk.no(c.AllowBoxes(-1, "operator"), "no_such_box", "3.1")
    desk.then(c.AllowBoxes(2, "operator"), "BoxesAllowed", "15.4")
    desk.do(bet("1 Ann 10"), bet("2 Ann 10"))
    desk.no(bet("3 Ann 10"), "too_many_boxes", "15.4")


@case("adelaide 84 a player who disrupts the game is held to one box")
def _(at):
    desk = at().ready("Ann 1", "Ben 2")
    desk.then(c.AllowBoxes(1, "operator", "Ann"), "BoxesAllowed", "84")
    desk.do(bet("1 Ann 10"), bet("2 Ben 10"), bet("3 Ben 10"))
    desk.no(bet("4 Ann 10"), "too_many_boxes", "84")
    desk.do(c.AllowBoxes(0, "operator"), bet("4 Ann 10"))


@case("adelaide 12 19 declared partners are one player: alone at the table they have one box")
def _(at):
    desk = at().ready("Ann 1", "Ben 2")
    desk.do(c.DeclarePartners(("Ann", "Ben"), "operator"), bet("1 Ann 10"), bet("2 Ben 10"))
    desk.no(CALL, "alone_on_boxes", "12", "19")
    desk.do(bet("3 Cat 10"), CALL)
    few = at(boxes_each=1).ready("Ann 1", "Ben 2")
    few.do(c.DeclarePartners(("Ann", "Ben"), "operator"), bet("1 Ann 10"))
    few.no(bet("2 Ben 10"), "too_many_boxes", "84")
    older = at(overrides={"people.partners": "as_one"}).ready("Ann 1", "Ben 2")
    older.do(c.DeclarePartners(("Ann", "Ben"), "operator"), bet("1 Ann 10"), bet("2 Ben 10"), CALL)


@case("canberra 17.6 only consecutive rounds at a full table count against a seat")
def _(at):
    desk = at().ready(*SEVEN)
    for _ in range(2):
        desk.round("1 Ann 10")
    desk.do(c.Leave("Ben"))
    desk.round("1 Ann 10")
    desk.sit("Hal 2").round("1 Ann 10")
    refused = desk.no(c.TakeSeat("Gus", "operator"), "seat_not_idle", "17.6")
    assert refused.facts["idle"] == 1
    older = at(overrides={"people.idle_consecutive": False}).ready(*SEVEN)
    for _ in range(2):
        older.round("1 Ann 10")
    older.do(c.Leave("Ben"))
    older.round("1 Ann 10").sit("Hal 2").round("1 Ann 10")
    older.then(c.TakeSeat("Gus", "operator"), "PlayerLeft", "17.6")


@case("canberra 4.8 a restriction is reported to the commission")
def _(at):
    desk = at().ready("Ann 1")
    report = desk.do(c.Restrict("Ann", "casino_supervisor", reason="tracked"))[-1]
    assert report == Reported(("4.8",), "commission", "restriction", "Ann", "casino_supervisor", "tracked")


@case("adelaide 1(g) a recognised player is told whom to consult")
def _(at):
    desk = at().ready("Ann 1")
    told = desk.do(c.Restrict("Ann", "operator", consulted=True))[-1]
    assert isinstance(told, Announced)
    assert (told.clauses, told.to) == (("1(g)",), "Ann")


@case("canberra 16.1 the hours of gaming end wagers and close the table without notice")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(c.SetHours(open=True), "hours_unchanged", "16.1")
    desk.do(bet("1 Ann 10"))
    desk.then(c.SetHours(open=False), "HoursSet Announced", "16.1")
    desk.do(bet("2 Ann 10"), CALL)
    desk.finish()
    desk.no(bet("1 Ann 10"), "hours_over", "16.1")
    desk.then(c.Close(), "TableClosed", "16.1")
    desk.no(c.Open(), "hours_over", "16.1")
    assert desk.table.opens_again
    desk.do(c.SetHours(open=True), c.Open())
    assert not desk.table.opens_again
    desk.do(c.Close())
    assert not desk.table.opens_again, "closed by hand"


@case("division-15 15.2 where the document is silent a dispute is the house's own decision, and may move money")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(c.DecideDispute("Ann", "a payment", "", "casino_supervisor"), "reason_needed")
    (decided,) = desk.do(c.DecideDispute("Ann", "a payment", "paid in full", "casino_supervisor", 2500))
    assert isinstance(decided, DisputeDecided)
    assert (decided.clauses, decided.house, decided.amount) == ((), True, 2500)
    assert [(posting.account, posting.amount) for posting in table_postings(decided)] == [
        ("house", -2500),
        ("wallet/Ann", 2500),
    ]


@case("federal FED-INTRO-5 a dispute is the house's own decision")
def _(at):
    (decided,) = at().ready("Ann 1").do(c.DecideDispute("Ann", "a payment", "stands", "operator", unresolved=True))
    assert isinstance(decided, DisputeDecided)
    assert (decided.house, decided.clauses, table_postings(decided)) == (True, (), ())


@case("adelaide 124 a player who does not accept a decision is referred to the inspector")
def _(at):
    desk = at().ready("Ann 1")
    command = c.DecideDispute("Ann", "a payment", "stands", "operator", unresolved=True)
    told = desk.then(command, "DisputeDecided Announced Announced", "122", "123", "124")[-1]
    assert isinstance(told, Announced)
    assert (told.clauses, told.to) == (("124",), "Ann")


@case("star STAR-INTRO-3 a table with more cutting cards than the document has does not open")
def _(at):
    at(cutting_cards=3).no(c.Open(), "too_many_cutting_cards")


@case("division-15 16.6 cards for an absent player are the dealer's unless a supervisor directed them")
def _(at):
    for by, recorded in (("dealer", "dealer"), ("casino_supervisor", "supervisor")):
        desk = at().ready("Ann 1", cards="9c 8d 7s").bet("1 Ann 10")
        desk.do(c.Deal(), c.Deal(), c.Deal())
        events = desk.do(c.Play(Absent(1), by=by))
        absent = next(event.event for event in events if isinstance(event, InRound))
        assert isinstance(absent, PlayerWasAbsent)
        assert absent.by == recorded


@case("division-15 9.1 a pontoon is announced, once for a box with two bettors")
def _(at):
    desk = at().ready("Ann 1", cards="As 9d Kh").bet("1 Ann 10", "1 Ben 10")
    events = [*desk.do(c.Deal()), *desk.do(c.Deal()), *desk.do(c.Deal())]
    assert [event.words for event in events if isinstance(event, Announced)] == ["Pontoon"]


@case("division-15 7.7 a damaged card is replaced without a check by name, and new cards are shown first")
def _(at):
    desk = at().ready("Ann 1")
    (replaced,) = desk.do(c.ReplaceCard(desk.table.shoe.stack[-1]))
    assert replaced.clauses == ("16.8",)
    shown = at()
    shown.do(c.Open())
    shown.sit("Ann 1").do(*(c.CheckCards(cast("c.Role", role)) for role in checkers(shown.table)))
    assert shown.no(c.Shuffle(shown.stack()), "nobody_saw_the_cards").clauses == shown.table.rules.table.shown


@case("canberra 15.5 a player who left owes nothing for a stand-off in a round that is void later")
def _(at):
    for cards, owes in (("Kc 9d 9c Kd", False), ("Kc 9d 9c 7d Kd", True)):
        desk = at().ready("Ann 1", "Ben 2", cards=cards).bet("1 Ann 10")
        desk.do(c.Deal(), c.Deal(), c.Deal(), c.Play(Stand(1)), c.Deal())
        if owes:
            desk.do(c.Deal())
        desk.do(c.Collect(), c.Leave("Ann"))
        desk.bet("2 Ben 10").do(c.Deal())
        events = desk.do(c.VoidEarlier(1, "operator", reason="a card was misplaced"))
        assert any(isinstance(event, AmountOwed) for event in events) == owes


@case("star STAR-INTRO-4 the house's own decision is on record without a clause")
def _(at):
    desk = at().ready("Ann 1", cards="9c 8d 7s").bet("1 Ann 10")
    desk.do(c.Deal(), c.Deal(), c.Deal())
    ruled = desk.do(c.Play(VoidBox(1, by_house=True), by="operator"))[0]
    assert isinstance(ruled, Ruled)
    assert ruled.clauses == ()


@case("adelaide 77 a fourth player finds the box full")
def _(at):
    desk = at().ready("Ann 1")
    desk.do(bet("1 Ann 10"), bet("1 Ben 20"), bet("1 Cal 30"))
    desk.no(bet("1 Dee 10"), "box_full", "77")


@case("division-15 15.1 a fourth player finds the box full")
def _(at):
    desk = at().ready("Ann 1")
    desk.do(bet("1 Ann 10"), bet("1 Ben 20"), bet("1 Cal 30"))
    desk.no(bet("1 Dee 10"), "box_full", "15.1")


@case("canberra 4.5 a fourth player finds the box full")
def _(at):
    desk = at().ready("Ann 1")
    desk.do(bet("1 Ann 10"), bet("1 Ben 20"), bet("1 Cal 30"))
    desk.no(bet("1 Dee 10"), "box_full", "4.5")
