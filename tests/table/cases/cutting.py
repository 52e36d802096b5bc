"""The cut: who, how deep, the cutting card, and the burned first card."""

from __future__ import annotations

from pontoon.cards import Card
from pontoon.engine import BurnCard, CallNoMoreBets
from pontoon.engine.events import CardBurned
from pontoon.table import commands as c
from pontoon.table.events import InRound
from tests.table.desk import bet, case

CALL = CallNoMoreBets()
BURN_7D = BurnCard(Card("7d"))


@case("division-15 7.3(a) the first player at the table cuts first")
def _(at):
    desk = at().open("Ben 5", "Ann 1", "Cal 6")
    offered = desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.2", "7.3", "7.3(a)")
    assert offered[1].to == ("Ben", "Cal", "Ann")
    desk.no(c.Cut("Ann", 96), "not_the_cutter", "7.3(a)")
    desk.then(c.Cut("Ben", 96), "CardsCut", "7.5")
    desk.no(c.Cut("Ben", 96), "no_cut_offered", "7.2")


@case("division-15 7.3(b) M17 the box of the cutting card cuts next")
def _(at):
    desk = at().ready("Ann 1", "Ben 5", "Cal 6", "Dee 7")
    desk.move(left=51, behind=48).bet("5 Ben 10", "6 Cal 10").deal(3)
    came, *_ = desk.then(c.Deal(), "CuttingCardCame ShuffleFellDue CardLeftShoe CardDealt", "7.1(c)", "8.7")
    assert came.place == "5"
    desk.finish()
    desk.no(bet("1 Ann 10"), "shuffle_first", "7.1")
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.3(b)")
    assert desk.offered == "Ben Cal Dee Ann"


@case("division-15 7.3(b) the player whose box the cutting card came to cuts, also from another seat")
def _(at):
    desk = at().ready("Ann 1", "Ben 5", "Cal 6")
    desk.move(left=49, behind=48).bet("2 Cal 10", "5 Ben 10").deal(1)
    came, *_ = desk.then(c.Deal(), "CuttingCardCame ShuffleFellDue CardLeftShoe CardDealt", "7.1(c)")
    assert (came.place, came.player) == ("5", "Ben")
    desk = at().ready("Ann 1", "Ben 5", "Cal 6")
    desk.move(left=48, behind=47).bet("1 Ann 10", "2 Cal 10").deal(1)
    came, *_ = desk.then(c.Deal(), "CuttingCardCame ShuffleFellDue CardLeftShoe CardDealt", "7.1(c)")
    assert (came.place, came.player) == ("2", "Cal")
    desk.finish().then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.3(b)")
    assert desk.offered == "Cal Ann Ben", "Cal sits at box 6"
    desk = at().ready("Ann 1", "Ben 5")
    desk.move(left=48, behind=47).bet("1 Ann 10", "2 Dee 10").deal(2)
    desk.finish().do(c.Shuffle(desk.stack()))
    assert desk.offered == "Ben Ann", "Dee stands: the cut begins at the box"


@case("division-15 7.3(c) 8.7 farthest right cuts when the cutting card came to the dealer's hand")
def _(at):
    desk = at().ready("Ann 1", "Ben 5")
    desk.move(left=49, behind=48).bet("1 Ann 10").deal(1)
    came, due, *_ = desk.then(c.Deal(), "CuttingCardCame ShuffleFellDue CardLeftShoe CardDealt", "7.1(c)", "8.7")
    assert (came.place, due.why) == ("dealer", "during")
    desk.finish().then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.3(c)")
    assert desk.offered == "Ben Ann"


@case("division-15 7.3(d) new cards are cut by the player farthest left")
def _(at):
    desk = at().ready("Ben 5", "Ann 1").round("5 Ben 10")
    desk.then(c.ChangeCards("worn"), "CardsChanged", "7.7")
    desk.no(c.Shuffle(desk.stack()), "not_checked", "6.1")
    desk.do(c.CheckCards("dealer"), c.CheckCards("game_supervisor"))
    desk.no(c.Shuffle(desk.stack()), "nobody_saw_the_cards", "7.7", "6.2")
    desk.prepared().then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.3(d)", "6.3(a)")
    assert desk.offered == "Ann Ben"


@case("division-15 7.4 M17 a refused cut passes clockwise and wraps, at last to a casino employee")
def _(at):
    desk = at().open("Ben 5", "Ann 1", "Eve 4", "Cal 7").shuffled()
    desk.no(c.DeclineCut("Ann"), "not_the_cutter", "7.4")
    for player in ("Ben", "Cal", "Ann", "Eve"):
        assert desk.table.offered[0] == player
        desk.then(c.DeclineCut(player), "CutDeclined", "7.4")
    desk.no(c.DeclineCut("Eve"), "not_the_cutter", "7.4")
    desk.no(c.Cut("dealer", 96), "not_the_cutter", "7.4")
    desk.then(c.Cut("casino_employee", 96), "CardsCut", "7.4", "7.5")


@case("division-15 7.4 somebody who leaves is not asked any more")
def _(at):
    desk = at().open("Ben 5", "Ann 1").shuffled()
    desk.do(c.Leave("Ben"))
    assert desk.offered == "Ann"


@case("division-15 7.5 M17 the cut leaves a pack on either side")
def _(at):
    desk = at().open("Ann 1").shuffled()
    for depth in (47, 145):
        refused = desk.no(c.Cut("Ann", depth), "cut_depth", "7.5")
        assert (refused.facts["low"], refused.facts["high"]) == (48, 144)
    front = desk.table.shoe.stack[144:]
    desk.then(c.Cut("Ann", 144), "CardsCut", "7.5")
    assert desk.table.shoe.stack[:48] == front


@case("division-15 7.6 M17 the cutting card goes no more than half way from the back")
def _(at):
    desk = at().open("Ann 1").shuffled()
    desk.no(c.PlaceCuttingCard(0), "not_cut_yet", "7.6")
    desk.do(c.Cut("Ann", 48))
    desk.no(c.PlaceCuttingCard(97), "cutting_card_depth", "7.6")
    desk.no(c.PlaceCuttingCard(-1), "cutting_card_depth", "7.6")
    desk.then(c.PlaceCuttingCard(96), "CuttingCardPlaced", "7.6")
    at().open("Ann 1").shuffled().cut(behind=0)


@case("division-15 8.1 the first card may be burned, and players may see it")
def _(at):
    desk = at().ready("Ann 1", cards="7d")
    desk.no(c.ShowBurn("Ann"), "nothing_burned", "8.1")
    desk.no(c.BurnFirst("7d"), "order_unknown", "8.1")
    burned = desk.then(c.BurnFirst(), "CardsBurned", "8.1")
    assert burned[0].cards == ("7d",)
    assert (desk.table.shoe.left, desk.table.shoe.discards) == (191, ("7d",))
    desk.then(c.ShowBurn("Ann"), "BurnShown", "8.1")
    desk.no(c.BurnFirst(), "not_a_fresh_shoe", "8.1")


@case("division-15 8.1 on the floor the burned card may stay unknown")
def _(at):
    desk = at(mode="floor").ready("Ann 1")
    desk.no(c.BurnFirst("Xx"), "wrong_cards", "8.1")
    desk.then(c.BurnFirst(), "CardsBurned", "8.1")
    assert (desk.table.shoe.left, desk.table.shoe.hidden_discards) == (191, 1)
    desk.then(c.ShowBurn("Ann"), "BurnShown", "8.1")
    desk = at(mode="floor").ready("Ann 1")
    desk.do(c.BurnFirst("7d"))
    assert desk.table.shoe.discards == ("7d",)


@case("division-15 7.1(b) 8.8 a cutting card as first card of the round: reshuffle at once")
def _(at):
    desk = at(hold_late=True).ready("Ann 1", "Ben 2")
    desk.move(left=48, behind=48).bet("1 Ann 10")
    came, due = desk.then(c.Deal(), "CuttingCardCame ShuffleFellDue", "7.1(b)", "8.8")
    assert (came.place, due.why) == ("first", "first")
    desk.no(c.Deal(), "shuffle_first", "8.8")
    desk.no(c.OrderShuffle("game_supervisor", "suspect"), "shuffle_first", "7.1(e)")
    desk.shuffled().cut()
    assert (desk.table.phase, desk.table.shoe_round) == ("round", 1)
    desk.finish()
    desk.do(bet("1 Ann 50"))
    desk.no(bet("2 Ben 50"), "held_to_minimum", "5.8(a)")


@case("division-15 16.10 no cutting card inserted: reshuffle after the round")
def _(at):
    desk = at(mode="floor").open("Ann 1").shuffled()
    desk.do(c.Cut("Ann", 96))
    desk.then(c.PlaceCuttingCard(-1), "CuttingCardPlaced", "16.10")
    desk.bet("1 Ann 10").finish(collect=False)
    _, due = desk.then(c.Collect(), "CardsCollected ShuffleFellDue", "16.10", "8.6")
    assert due.why == "missing"


@case("canberra 5.3 A54 no cutting card inserted: silent, read as division-15 16.10")
def _(at):
    desk = at(mode="floor").open("Ann 1").shuffled().cut(behind=-1)
    desk.bet("1 Ann 10").finish(collect=False)
    desk.then(c.Collect(), "CardsCollected ShuffleFellDue", 'A "Round of play"')


@case("adelaide 54(a) no cutting card inserted: the shoe is dealt to its end")
def _(at):
    desk = at(mode="floor").open("Ann 1").shuffled()
    desk.do(c.Cut("Ann", 72))
    desk.then(c.PlaceCuttingCard(-1), "CuttingCardPlaced", "54(a)")
    desk.bet("1 Ann 10").finish(collect=False)
    desk.then(c.Collect(), "CardsCollected", "53(a)")
    desk.move(left=4).bet("1 Ann 10").finish(collect=False)
    desk.then(c.Collect(), "CardsCollected ShuffleFellDue", "35(b)", "53")


@case("division-15 16.9 on the floor a cutting card was passed over: shuffle after the round")
def _(at):
    desk = at(mode="floor").ready("Ann 1")
    desk.move(left=49, behind=48).round("1 Ann 10")
    assert desk.table.due == "during"
    desk.do(bet("1 Ann 10"))
    due, *_ = desk.then(c.Play(CALL), "ShuffleFellDue Announced NoMoreBetsCalled", "16.9", "8.2")
    assert due.why == "passed"
    desk.finish()
    desk.then(c.Shuffle(), "CardsShuffled CutOffered", "7.1")


@case("canberra 15.8 on the floor rounds dealt past the cutting card stand")
def _(at):
    desk = at(mode="floor").ready("Ann 1")
    desk.move(left=49, behind=48).round("1 Ann 10")
    desk.do(bet("1 Ann 10"))
    desk.then(c.Play(CALL), "ShuffleFellDue Announced NoMoreBetsCalled", "15.8")
    desk.finish()
    assert [finished_round.void for finished_round in desk.table.finished] == [False, False]


@case("adelaide 36(a) the player farthest left cuts at the start")
def _(at):
    desk = at().open("Ben 5", "Ann 2")
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "36", "36(a)")
    assert desk.offered == "Ann Ben"
    desk.no(c.Cut("Ann", 47), "cut_depth", "37")
    desk.then(c.Cut("Ann", 72), "CardsCut", "37", "38")
    desk.no(c.PlaceCuttingCard(73), "cutting_card_depth", "38(a)")
    desk.then(c.PlaceCuttingCard(72), "CuttingCardPlaced", "38", "38(a)")


@case("adelaide 39 if nobody accepts, the dealer cuts")
def _(at):
    desk = at().open("Ann 1").shuffled()
    desk.then(c.DeclineCut("Ann"), "CutDeclined", "39")
    desk.no(c.Cut("casino_employee", 72), "not_the_cutter", "39")
    desk.then(c.Cut("dealer", 72), "CardsCut", "39", "37")
    at().open().shuffled().then(c.Cut("dealer", 72), "CardsCut", "39")


@case("adelaide 36(b) 36(c) 54 the box of the cutting card cuts; farthest right when it came to the dealer")
def _(at):
    desk = at().ready("Ann 1", "Ben 5")
    desk.move(left=49, behind=48).bet("1 Ann 10", "5 Ben 10").deal(1)
    came, *_ = desk.then(c.Deal(), "CuttingCardCame ShuffleFellDue CardLeftShoe CardDealt", "54")
    assert came.place == "5"
    desk.finish().then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "36(b)", "35(b)")
    assert desk.offered == "Ben Ann"
    desk.cut().move(left=50, behind=48).bet("1 Ann 10", "5 Ben 10").deal(2)
    came, *_ = desk.deal(1)
    assert came.place == "dealer"
    desk.finish().then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "36(c)")
    assert desk.offered == "Ben Ann"


@case("adelaide 55 a cutting card at the start of a round means a shuffle")
def _(at):
    desk = at().ready("Ann 1")
    desk.move(left=48, behind=48).bet("1 Ann 10")
    desk.then(c.Deal(), "CuttingCardCame ShuffleFellDue", "55")
    desk.no(c.Deal(), "shuffle_first", "55")


@case("adelaide 54 in the last three rounds the dealer may go on past the cutting card")
def _(at):
    desk = at().ready("Ann 1")
    desk.do(c.GiveNotice("rounds"))
    desk.move(left=60, behind=60).bet("1 Ann 10")
    desk.then(c.Deal(), "CuttingCardCame CardLeftShoe CardDealt", "54")
    desk.finish()
    assert not desk.table.due
    desk.round("1 Ann 10")


@case("canberra 5.5 in the last three rounds the cutting card is laid aside")
def _(at):
    desk = at().ready("Ann 1")
    desk.do(c.GiveNotice("rounds"))
    assert desk.table.rounds_left == 3
    desk.move(left=59, behind=58).bet("1 Ann 10").deal(1)
    desk.then(c.Deal(), "CuttingCardCame CardLeftShoe CardDealt", "5.5")
    desk.finish()
    assert not desk.table.due


@case("division-15 8.7 in the last rounds the cutting card counts as ever")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(c.GiveNotice("rounds"), "no_such_notice")
    desk.do(c.GiveNotice("notice"))
    desk.move(left=49, behind=48).bet("1 Ann 10").deal(1)
    desk.then(c.Deal(), "CuttingCardCame ShuffleFellDue CardLeftShoe CardDealt", "8.7")


@case("canberra 5.2(a) 5.2(b) 5.2(c) first player, box of the cutting card, farthest right")
def _(at):
    desk = at().open("Ben 5", "Ann 1")
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "5.2(a)")
    assert desk.offered == "Ben Ann"
    desk.cut().move(left=49, behind=48).bet("1 Ann 10").deal(1)
    came, *_ = desk.then(c.Deal(), "CuttingCardCame ShuffleFellDue CardLeftShoe CardDealt", "5.4", "5.4(b)")
    assert came.place == "dealer"
    desk.finish().then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "5.2(c)")
    assert desk.offered == "Ben Ann"
    desk.cut().move(left=51, behind=49).bet("1 Ann 10").deal(2)
    came, *_ = desk.deal(1)
    assert came.place == "1"
    desk.finish().then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "5.2(b)")
    assert desk.offered == "Ann Ben"


@case("canberra 5.4(a) a cutting card as first card means a shuffle at once")
def _(at):
    desk = at().ready("Ann 1")
    desk.move(left=48, behind=48).bet("1 Ann 10")
    desk.then(c.Deal(), "CuttingCardCame ShuffleFellDue", "5.4", "5.4(a)")
    desk.no(c.Deal(), "shuffle_first", "5.4(a)")


@case("canberra 5.2(d) a refused cut passes clockwise, at last to a casino supervisor")
def _(at):
    desk = at().open("Ann 1").shuffled()
    desk.then(c.DeclineCut("Ann"), "CutDeclined", "5.2(d)")
    desk.no(c.Cut("dealer", 72), "not_the_cutter", "5.2")
    desk.then(c.Cut("casino_supervisor", 72), "CardsCut", "5.2", "5.3")


@case("canberra 5.3 M17 the cutting card goes one pack to half the packs from the back")
def _(at):
    desk = at(packs=4).open("Ann 1").shuffled()
    desk.no(c.Cut("Ann", 47), "cut_depth", "5.3")
    desk.do(c.Cut("Ann", 48))
    desk.no(c.PlaceCuttingCard(47), "cutting_card_depth", "5.3")
    desk.no(c.PlaceCuttingCard(97), "cutting_card_depth", "5.3")
    desk.then(c.PlaceCuttingCard(48), "CuttingCardPlaced", "5.3", 'A "New shoe"')
    desk.no(c.BurnFirst(), "no_burn_here", "6.1")
    desk.no(c.ShowBurn("Ann"), "nothing_burned")


@case("federal FED-INTRO-3 the cut is silent, read as division-15")
def _(at):
    desk = at().open("Ben 5", "Ann 1").shuffled()
    assert desk.offered == "Ben Ann"
    desk.no(c.Cut("Ben", 10), "cut_depth")
    desk.cut().no(c.BurnFirst(), "no_burn_here")


@case("adelaide 42 101 104 cards are burned after loading and when out of place, never at the start")
def _(at):
    desk = at().ready("Ann 1", cards="7d")
    desk.no(c.BurnFirst(), "no_burn_here", "42")
    desk.bet("1 Ann 10")
    events = desk.then(
        c.Play(BURN_7D, approver="inspector", reason="face up"), "Ruled CardBurned CardLeftShoe", "112", "101"
    )
    assert isinstance(events[1], InRound)
    assert isinstance(events[1].event, CardBurned)
