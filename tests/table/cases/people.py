"""Seats, limits, late entry, restrictions, idle seats, exclusion, control."""

from __future__ import annotations

from pontoon.engine import CallNoMoreBets, Limits, PlaceWager, TakeBack
from pontoon.engine.events import ControlPassed, WagerPlaced
from pontoon.table import commands as c
from pontoon.table.control import controller_of
from pontoon.table.events import InRound
from pontoon.table.people import held_back
from tests.table.desk import Desk, bet, case

CALL = c.Play(CallNoMoreBets())
SEVEN = ("Ann 1", "Ben 2", "Cal 3", "Dee 4", "Eve 5", "Fay 6", "Gus 7")


def controllers(desk: Desk) -> dict[int, str]:
    assert desk.table.round is not None
    return {box.number: box.controller for box in desk.table.round.boxes}


@case("division-15 3.1 15.3(a) seven boxes, one seat each")
def _(at):
    desk = at()
    desk.no(c.Sit("Ann", 1), "table_is_closed", "15.3(a)")
    desk.do(c.Open())
    desk.no(c.Sit("Ann", 8), "no_such_box", "3.1")
    desk.then(c.Sit("Ann", 7), "PlayerSat", "15.3(a)")
    desk.no(c.Sit("Ben", 7), "seat_taken", "15.3(a)")
    desk.no(c.Sit("Ann", 6), "seat_taken", "15.3(a)")
    desk.no(c.Leave("Ben"), "not_seated", "15.3(a)")
    desk.then(c.Leave("Ann"), "PlayerLeft", "15.3(a)")
    assert desk.table.first_player == "Ann"


@case("adelaide 78 114 seats are taken and given up")
def _(at):
    desk = at().open()
    desk.then(c.Sit("Ann", 7), "PlayerSat", "78")
    desk.then(c.Leave("Ann"), "PlayerLeft", "114")
    desk.no(c.Sit("Ann", 0), "no_such_box", "3")


@case("canberra 3.1 limits stand on a sign and change between rounds, after notice to the players")
def _(at):
    desk = at().ready("Ann 1")
    new = Limits(2000, 50000)
    desk.no(c.SetLimits(new), "players_not_told", "3.1")
    for low, high in ((-2, 0), (0, -10), (2000, 1000), (1000, 2001)):
        desk.no(c.SetLimits(Limits(low, high), told=True), "limits_wrong", "3.1")
    desk.do(bet("1 Ann 10"))
    desk.no(c.SetLimits(new, told=True), "round_in_progress", "3.1")
    desk.do(c.Play(TakeBack(1, "Ann")))
    desk.then(c.SetLimits(new, told=True), "LimitsSet", "3.1", "3.3", "18.7", "18.19")
    desk.no(bet("1 Ann 10"), "below_minimum", "3.4")
    desk.do(bet("1 Ann 300"))
    assert desk.table.round is not None
    assert desk.table.round.limits == new
    desk.do(CALL)
    desk.no(c.SetLimits(new, told=True), "round_in_progress", "3.1")
    at().ready().then(c.SetLimits(new), "LimitsSet", "3.1")


@case("adelaide 13 94 28 limits and odds stand on a notice")
def _(at):
    at().ready().then(c.SetLimits(Limits(2000, 50000)), "LimitsSet", "13", "94", "28")


@case("division-15 15.6 15.2 A58 a program refuses wagers outside the limits")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(bet("1 Ann 9"), "below_minimum", "15.6")
    desk.no(bet("1 Ann 201"), "above_maximum", "15.2")
    desk.do(bet("1 Ann 10"), bet("2 Ann 200"))


@case("adelaide 118 119 on the floor a small wager plays once with a warning, a large one counts to the maximum")
def _(at):
    desk = at(mode="floor").ready("Ann 1", "Ben 2")
    small, large = desk.do(bet("1 Ann 5"), bet("2 Ben 500"))[1:]
    assert isinstance(small, InRound)
    assert isinstance(large, InRound)
    assert isinstance(small.event, WagerPlaced)
    assert isinstance(large.event, WagerPlaced)
    assert (small.event.warning, large.event.stake) == ("below_minimum", 20000)
    assert "118" in small.clauses
    assert "119" in large.clauses
    desk.do(bet("3 Ann 50"), CALL)
    desk.finish().no(bet("1 Ann 5"), "below_minimum", "118")
    desk.do(bet("2 Ben 5"))


@case("canberra 3.4 3.5 on the floor a small wager plays once, then it is returned")
def _(at):
    desk = at(mode="floor").ready("Ann 1").round("1 Ann 5")
    desk.no(bet("1 Ann 5"), "below_minimum", "3.4")
    desk.do(bet("1 Ann 500"))


@case("star STAR-INTRO-1 A58 limits are silent, a program refuses wagers outside of them")
def _(at):
    at().ready("Ann 1").no(bet("1 Ann 9"), "below_minimum", "STAR-INTRO-1")
    at("federal").ready("Ann 1").no(bet("1 Ann 201"), "above_maximum", "FED-INTRO-5")


@case("division-15 15.2 a maximum for all wagers on a box")
def _(at):
    desk = at().ready("Ann 1")
    desk.then(c.SetLimits(Limits(1000, 20000), told=True, box_maximum=25000), "LimitsSet", "15.2")
    desk.do(bet("1 Ann 200"))
    refused = desk.no(bet("1 Ben 60"), "box_maximum", "15.2")
    assert refused.facts == {"box": 1, "maximum": 25000}
    desk.do(bet("1 Ben 50"))


@case("canberra 3.2 4.6 a personal limit marker raises a player's maximum at one box, others stay within the sign")
def _(at):
    desk = at().ready("Ann 1", "Ben 2")
    desk.no(c.AllowPersonalLimit("Ann", 1, 20000), "no_higher_limit", "3.2")
    desk.then(c.AllowPersonalLimit("Ann", 1, 50000), "PersonalLimitAllowed", "3.2", "4.6")
    desk.do(bet("1 Ben 50"))
    desk.no(bet("1 Cal 160"), "box_maximum", "4.6")
    desk.do(c.Play(TakeBack(1, "Ben")), bet("1 Ann 500"))
    desk.no(bet("1 Cal 10"), "box_maximum", "4.6")
    desk.no(bet("2 Ann 500"), "above_maximum", "3.5")
    at("adelaide").ready().no(c.AllowPersonalLimit("Ann", 1, 50000), "document_silent", "13")


@case("division-15 15.4 the operator sets how many boxes one person may have")
def _(at):
    desk = at(boxes_each=2).ready("Ann 1")
    desk.do(bet("1 Ann 10"), bet("2 Ann 10"))
    desk.no(bet("3 Ann 10"), "too_many_boxes", "15.4")
    at().ready("Ann 1").bet("1 Ann 10", "2 Ann 10", "3 Ann 10")


@case("adelaide 83 84 several boxes while the house permits; 19 A45 a single player has one")
def _(at):
    desk = at(boxes_each=2).ready("Ann 1")
    desk.do(bet("1 Ann 10"), bet("2 Ann 10"))
    desk.no(bet("3 Ann 10"), "too_many_boxes", "83", "84")
    desk.no(CALL, "alone_on_boxes", "19")
    desk.do(bet("3 Ben 10"), CALL)


@case("canberra 4.4 several boxes may be permitted")
def _(at):
    desk = at(boxes_each=1).ready("Ann 1")
    desk.do(bet("1 Ann 10"))
    desk.no(bet("2 Ann 10"), "too_many_boxes", "4.4")


@case("division-15 5.8(a) 5.8(b) M10 who misses the first round or sits one out is held to the minimum")
def _(at):
    desk = at(hold_late=True).ready("Ann 1", "Dee 2", "Eli 3").round("1 Ann 20", "3 Eli 20")
    desk.no(bet("2 Dee 20"), "held_to_minimum", "5.8", "5.8(a)")
    desk.round("2 Dee 10", "3 Eli 20").round("1 Ann 10")
    desk.no(bet("3 Eli 20"), "held_to_minimum", "5.8(b)")
    desk.do(c.OrderShuffle("game_supervisor", "suspect", "a marked card"))
    desk.shuffled().cut().do(bet("3 Eli 20"))
    assert held_back(at().ready("Ann 1").round("1 Ann 10").table, "Dee") == ""


@case("adelaide 21 22 (first) M10 the first two rounds are free; then two boxes at the minimum")
def _(at):
    desk = at(hold_late=True).ready("Ann 1", "Dee 2", "Eli 3").round("1 Ann 20", "3 Eli 20")
    desk.round("2 Dee 20", "3 Eli 20").round("1 Ann 10", "2 Dee 20")
    desk.no(bet("3 Eli 20"), "held_to_minimum", "22 (first)")
    desk.no(bet("4 Fay 20"), "held_to_minimum", "21")
    desk.do(bet("4 Fay 10"), bet("5 Fay 10"))
    desk.no(bet("6 Fay 10"), "too_many_boxes", "21")
    few = at(hold_late=True, boxes_each=1).ready("Ann 1").round("1 Ann 20").round("1 Ann 20")
    few.do(bet("4 Fay 10"))
    few.no(bet("5 Fay 10"), "too_many_boxes", "21")


@case("canberra 4.7(a) 4.7(b) M10 late and returning players are held to the minimum")
def _(at):
    desk = at(hold_late=True).ready("Ann 1", "Dee 2", "Eli 3").round("1 Ann 20", "3 Eli 20")
    desk.no(bet("2 Dee 20"), "held_to_minimum", "4.7", "4.7(a)")
    desk.round("3 Eli 20").round("2 Dee 10")
    desk.no(bet("3 Eli 20"), "held_to_minimum", "4.7(b)")


@case("star STAR-INTRO-1 players come and go as they like; so in federal")
def _(at):
    for name in ("star", "federal"):
        desk = at(name, hold_late=True).ready("Ann 1").round("1 Ann 20")
        desk.do(bet("2 Dee 20"))
        desk.no(c.Restrict("Ann", "operator", consulted=True), "document_silent")
        desk.no(c.TakeSeat("Ann", "operator"), "document_silent")
        desk.no(c.Exclude("Ann", "operator", "cheating"), "document_silent")
        desk.no(c.AllowPersonalLimit("Ann", 1, 50000), "document_silent")


@case("adelaide 13(a) 13(b) 1(g) recognised players: one box at the minimum, after consultation (13 note)")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(c.Restrict("Ann", "operator", reason="counts cards"), "consult_first", "13(a)", "13 note")
    desk.then(
        c.Restrict("Ann", "operator", consulted=True, reason="counts cards"),
        "PlayerRestricted Announced",
        *("13(a)", "13(b)", "13 note", "1(g)"),
    )
    desk.no(bet("1 Ann 20"), "held_to_minimum", "13(a)")
    desk.do(bet("1 Ann 10"))
    desk.no(bet("2 Ann 10"), "too_many_boxes", "13(a)")


@case("canberra 4.8 4.9 a player may be held to one box at the minimum")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(c.Restrict("Ann", "dealer", reason="tracked"), "not_a_supervisor", "4.8")
    desk.no(c.Restrict("Ann", "casino_supervisor"), "reason_needed", "4.8", "4.9")
    desk.then(c.Restrict("Ann", "casino_supervisor", reason="tracked"), "PlayerRestricted Reported", "4.8", "4.9")
    desk.then(c.Restrict("Ann", "casino_supervisor"), "PlayerRestricted Reported", "4.8", "4.9")
    desk.no(bet("1 Ann 20"), "held_to_minimum", "4.8")
    desk.do(bet("1 Ann 10"))
    desk.no(bet("2 Ann 10"), "too_many_boxes", "4.8")
    at("division-15").ready("Ann 1").no(c.Restrict("Ann", "operator"), "document_silent")


@case("adelaide 114 a seat idle for three rounds at a full table may be taken")
def _(at):
    desk = at().ready(*SEVEN)
    bets = [f"{box} {name.split()[0]} 10" for box, name in enumerate(SEVEN[:6], 1)]
    for _ in range(2):
        desk.round(*bets)
    refused = desk.no(c.TakeSeat("Gus", "operator"), "seat_not_idle", "114")
    assert refused.facts["idle"] == 2
    desk.round(*bets)
    desk.no(c.TakeSeat("Ann", "operator"), "seat_not_idle", "114")
    desk.no(c.TakeSeat("Zoe", "operator"), "seat_not_idle", "114")
    desk.then(c.TakeSeat("Gus", "operator"), "PlayerLeft", "114")


@case("canberra 17.6 a seat idle for three rounds may be taken, not while another is free")
def _(at):
    desk = at().ready(*SEVEN)
    for _ in range(3):
        desk.round("1 Ann 10")
    desk.do(c.Leave("Ben"))
    desk.no(c.TakeSeat("Gus", "operator"), "seat_not_idle", "17.6")
    desk.sit("Hal 2").then(c.TakeSeat("Gus", "operator"), "PlayerLeft", "17.6")


@case("canberra 17.2(b) who breaks the rules is excluded, for a reason")
def _(at):
    desk = at().open("Ann 1", "Ben 2").shuffled()
    desk.no(c.Exclude("Ann", "operator", ""), "reason_needed", "17.2")
    desk.then(c.Exclude("Ann", "operator", "past posting"), "PlayerExcluded", "17.2", "17.2(b)")
    assert desk.offered == "Ben"
    desk.cut().no(c.Sit("Ann", 3), "player_excluded", "17.2")
    desk.no(bet("1 Ann 10"), "player_excluded", "17.2(b)")


@case("adelaide 117 who keeps touching wagers may have later wagers refused")
def _(at):
    desk = at().ready("Ann 1")
    desk.then(c.Exclude("Ann", "inspector", "touched wagers"), "PlayerExcluded", "117")
    desk.no(bet("1 Ann 10"), "player_excluded", "117")
    at("division-15").ready("Ann 1").no(c.Exclude("Ann", "operator", "x"), "document_silent")


@case("division-15 15.3(a) A59 A67 the seated bettor controls a box, else the wager nearest the dealer")
def _(at):
    desk = at().ready("Ann 1", "Ben 2")
    desk.do(bet("1 Cal 20"), bet("1 Ann 10"), bet("2 Dee 10"), bet("2 Cal 50"))
    passed = desk.do(CALL)[0]
    assert isinstance(passed, InRound)
    assert isinstance(passed.event, ControlPassed)
    assert "15.3(a)" in passed.clauses
    assert controllers(desk) == {1: "Ann", 2: "Dee"}


@case("canberra 4.5(a) 4.5(b) seated, else nearest the dealer")
def _(at):
    desk = at().ready("Ann 1").bet("1 Cal 20", "1 Ann 10", "2 Dee 10", "2 Cal 50")
    assert controllers(desk) == {1: "Ann", 2: "Dee"}
    seated = at().ready("Ann 1")
    seated.do(bet("1 Cal 20"), bet("1 Ann 10"))
    seated.then(CALL, "ControlPassed Announced NoMoreBetsCalled", "4.5(a)")


@case("adelaide 78 seated, else the highest wager, of equals the nearest")
def _(at):
    desk = at().ready("Ann 1").bet("1 Cal 20", "1 Ann 10", "2 Dee 10", "2 Cal 50", "3 Eve 20", "3 Fay 20")
    assert controllers(desk) == {1: "Ann", 2: "Cal", 3: "Eve"}


@case("adelaide 78 control passes along when declined; declined by all, the wagers are void")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(c.DeclineControl("Dee", 2), "not_asked_to_control", "78")
    desk.do(bet("1 Ann 10"), bet("2 Dee 10"), bet("2 Cal 50"))
    desk.no(c.DeclineControl("Dee", 2), "not_asked_to_control", "78")
    desk.then(c.DeclineControl("Cal", 2), "ControlDeclined", "78")
    assert controller_of(desk.table, 2) == "Dee"
    desk.do(c.DeclineControl("Dee", 2))
    desk.then(CALL, "WagerTakenBack WagerTakenBack Announced NoMoreBetsCalled", "46")
    assert controllers(desk) == {1: "Ann"}
    alone = at().ready()
    alone.do(bet("2 Dee 10"), c.DeclineControl("Dee", 2))
    alone.then(CALL, "WagerTakenBack", "8")
    assert alone.table.phase == "ready"
    at("canberra").ready().no(c.DeclineControl("Dee", 2), "document_silent", "4.5")


@case("division-15 15.5 at full patronage a seated player decides only at their own seat")
def _(at):
    desk = at().ready(*SEVEN)
    desk.do(bet("1 Ann 10"), bet("2 Ann 10"), bet("2 Zoe 10"))
    desk.then(CALL, "ControlPassed Announced NoMoreBetsCalled", "15.5", "15.3(a)")
    assert controllers(desk) == {1: "Ann", 2: "Zoe"}
    desk = at().ready(*SEVEN).bet("2 Ann 10", "2 Cal 10")
    assert controllers(desk) == {2: "Ann"}


@case("canberra 4.4 when boxes run short control of further boxes is given up; adelaide 83 alike, star is free")
def _(at):
    for name, controller in (("canberra", "Zoe"), ("adelaide", "Zoe"), ("star", "Ann")):
        desk = at(name).ready(*SEVEN)
        desk.do(bet("2 Ann 20"), bet("2 Zoe 10"))
        cited = {clause for event in desk.do(CALL) for clause in event.clauses}
        assert ({"canberra": "4.4", "adelaide": "83"}.get(name, "") in cited) == (controller == "Zoe")
        assert controllers(desk) == {2: controller}


@case("canberra 4.1 wagers are placed before the first card, on a table that is ready")
def _(at):
    desk = at().open("Ann 1")
    desk.no(bet("1 Ann 10"), "not_betting")
    desk.shuffled().cut()
    began, placed = desk.then(c.Play(PlaceWager(1, "Ann", 1000)), "RoundBegan WagerPlaced", "4.1", "4.2")
    assert began.number == 1
    assert placed.clauses
    desk.do(CALL)
    desk.no(bet("1 Ben 10"), "not_betting", "4.3")
