"""Control of a box: seated and standing bettors, full tables, control declined or taken, and covering a split."""

from __future__ import annotations

from pontoon.engine import CallNoMoreBets, Ride, Split
from pontoon.engine.events import SplitCovered
from pontoon.table import commands as c
from pontoon.table.control import controller_of
from pontoon.table.events import InRound
from tests.table.desk import Desk, bet, case

CALL = c.Play(CallNoMoreBets())
SEVEN = ("Ann 1", "Ben 2", "Cal 3", "Dee 4", "Eve 5", "Fay 6", "Gus 7")


def order(desk: Desk, number: int = 1) -> str:
    """The bettors of a box from the dealer outwards, the controller marked."""
    assert desk.table.round is not None
    box = next(box for box in desk.table.round.boxes if box.number == number)
    return " ".join(wager.player + ("*" if wager.player == box.controller else "") for wager in box.bettors)


@case("division-15 15.3(b) the seated player's wager goes nearest the dealer, no matter who placed first")
def _(at):
    desk = at().ready("Ann 2")
    desk.do(bet("2 Dan 50"), bet("2 Ann 20"))
    desk.then(CALL, "ControlPassed Announced NoMoreBetsCalled", "15.3(a)", "15.3(b)")
    assert order(desk, 2) == "Ann* Dan"


@case("division-15 15.3(b) A59 a bettor seated elsewhere goes before one who stands")
def _(at):
    desk = at().ready("Ann 2")
    desk.do(bet("1 Dan 50"), bet("1 Eve 50"), bet("1 Ann 20"))
    assert controller_of(desk.table, 1) == "Ann"
    desk.do(CALL)
    assert order(desk) == "Ann* Dan Eve"
    standing = at().ready("Ann 2")
    standing.do(bet("1 Dan 50"), bet("1 Eve 60"))
    assert controller_of(standing.table, 1) == "Dan"


@case("adelaide 79 the wager of the player in control lies nearest the dealer")
def _(at):
    desk = at().ready()
    desk.do(bet("4 Ann 20"), bet("4 Bob 50"), bet("4 Cat 20"))
    desk.then(CALL, "ControlPassed Announced NoMoreBetsCalled", "79")
    assert order(desk, 4) == "Bob* Ann Cat"


@case("canberra 4.5 wagers lie as they were placed, no matter who decides")
def _(at):
    desk = at().ready("Bob 4")
    desk.do(bet("4 Ann 20"), bet("4 Bob 50"), CALL)
    assert order(desk, 4) == "Ann Bob*"


@case("division-15 15.5 A73 at a full table everyone decides at their own seat; alone on another box the bettor does")
def _(at):
    desk = at().ready(*SEVEN)
    desk.do(bet("2 Ann 20"), bet("2 Ben 20"), bet("3 Ann 20"), bet("4 Ann 20"), bet("4 Zoe 20"))
    assert [controller_of(desk.table, box) for box in (2, 3, 4)] == ["Ben", "Ann", "Zoe"]
    returned = at(overrides={"people.full_table_alone": "returned"}).ready(*SEVEN)
    returned.do(bet("1 Ann 20"), bet("3 Ann 20"), CALL)
    assert returned.table.round is not None
    assert [box.number for box in returned.table.round.boxes] == [1]


@case("adelaide 78 control that is declined is offered in order from the dealer; then the wagers are void")
def _(at):
    desk = at().ready()
    desk.do(bet("2 Ann 20"), bet("2 Bob 50"), bet("2 Cat 30"))
    assert controller_of(desk.table, 2) == "Bob"
    desk.then(c.DeclineControl("Bob", 2), "ControlDeclined", "78")
    assert controller_of(desk.table, 2) == "Ann"
    desk.no(c.DeclineControl("Cat", 2), "not_asked_to_control", "78")
    desk.do(c.DeclineControl("Ann", 2), c.DeclineControl("Cat", 2))
    assert controller_of(desk.table, 2) == ""
    older = at(overrides={"people.control_declined": "void"}).ready()
    older.do(bet("2 Ann 20"), bet("2 Bob 50"), bet("2 Cat 30"), c.DeclineControl("Bob", 2))
    assert controller_of(older.table, 2) == "Cat"


def at_a_split(desk: Desk) -> Desk:
    """Cat is restricted and bets behind Ann, who splits."""
    desk.do(c.Restrict("Cat", "operator", consulted=True), bet("1 Ann 10"), bet("1 Cat 10"), bet("2 Ben 10"), CALL)
    desk.deal(5)
    desk.play(Split(1))
    return desk


@case("adelaide 81(a) a restricted co-bettor who says nothing covers every hand of a split")
def _(at):
    desk = at_a_split(at().ready("Ann 1", cards="8c 9s 5h 8d 9h 2h 3h"))
    desk.no(c.Play(Ride(1, "Cat", 1)), "must_cover", "81(a)")
    events = desk.deal()
    covered = [event.event for event in events if isinstance(event, InRound) and isinstance(event.event, SplitCovered)]
    assert [event.player for event in covered] == ["Cat"]
    unable = at_a_split(at().ready("Ann 1", cards="8c 9s 5h 8d 9h 2h 3h"))
    assert not any("Covered" in repr(event) for event in unable.do(c.Deal(unable=("Cat",))))
    partner = at().ready("Ann 1", cards="8c 9s 5h 8d 9h 2h 3h")
    partner.do(c.DeclarePartners(("Cat", "Dan"), "operator"), c.Restrict("Dan", "operator", consulted=True))
    partner.do(bet("1 Ann 10"), bet("1 Cat 10"), bet("2 Ben 10"), CALL)
    partner.deal(5)
    partner.play(Split(1))
    assert any("SplitCovered" in repr(event) for event in partner.deal())
    free = at(overrides={"people.restricted_silent": False}).ready("Ann 1", cards="8c 9s 5h 8d 9h 2h 3h")
    assert not any("Covered" in repr(event) for event in at_a_split(free).deal())
    said = at_a_split(at().ready("Ann 1", cards="8c 9s 5h 8d 9h 2h 3h"))
    said.play(Split(1, "Cat"))
    assert not any("Covered" in repr(event) for event in said.deal())


@case("adelaide 22 (second) a standing player held to the minimum gives up control of a box")
def _(at):
    desk = at(hold_late=True).ready(*SEVEN[:6], "Ida 7")
    bets = [f"{box} {name.split()[0]} 10" for box, name in enumerate(SEVEN[:6], 1)]
    take = c.TakeControl("Sam", 7, "operator")
    desk.round(*bets)
    desk.round(*bets)
    desk.no(c.TakeControl("Ann", 1, "operator"), "player_is_seated", "22 (second)")
    desk.no(c.TakeControl("Sam", 8, "operator"), "no_such_box", "3")
    desk.round(*bets, "7 Sam 10")
    refused = desk.no(take, "seat_not_idle", "22 (second)")
    assert refused.facts["idle"] == 0
    desk.round(*bets)
    desk.round(*bets)
    desk.then(take, "ControlTaken", "22 (second)")
    desk.do(bet("7 Sam 10"), bet("7 Zoe 10"))
    assert controller_of(desk.table, 7) == "Zoe"
    at("canberra").ready().no(take, "document_silent")
