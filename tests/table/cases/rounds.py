"""A round at the table: the call, cards, announcements, rulings, collecting."""

from __future__ import annotations

from pontoon.cards import Card
from pontoon.engine import (
    BurnCard,
    CallNoMoreBets,
    CloseOffer,
    DealCard,
    DeclineInsurance,
    Double,
    ExposeCard,
    Hit,
    Keep,
    Limits,
    MissCard,
    OfferLate,
    PlaceSideWager,
    PutRight,
    RefuseCard,
    SkipHand,
    Split,
    Stand,
    TakeBack,
    VoidBox,
    VoidHand,
    VoidRound,
    VoidWager,
    options,
)
from pontoon.engine.state import SideLimits
from pontoon.table import commands as c
from tests.table.desk import bet, case

CALL = c.Play(CallNoMoreBets())


@case("division-15 8.2 the dealer calls and deals from the shoe")
def _(at):
    desk = at().ready("Ann 1", cards="9s 9d 8h")
    desk.no(c.Deal(), "no_round", "8.4")
    desk.no(c.Play(Stand(1)), "no_round", "8.3")
    desk.no(CALL, "no_wager", "5.1")
    desk.do(bet("1 Ann 10"))
    call = desk.then(CALL, "Announced NoMoreBetsCalled", "8.2")
    assert call[0].words == "No more bets"
    desk.no(c.Play(DealCard(Card("9s"))), "deal_from_the_shoe", "8.4")
    desk.no(c.Deal("9s"), "order_unknown", "8.4")
    desk.then(c.Deal(), "CardLeftShoe CardDealt", "8.2(a)")
    desk.then(c.Deal(), "CardLeftShoe CardDealt", "8.2(b)")
    desk.deal()
    desk.no(c.Deal(), "no_card_due", "8.4")


@case("division-15 8.2 on the floor the face of each card is entered")
def _(at):
    desk = at(mode="floor").ready("Ann 1").bet("1 Ann 10")
    desk.no(c.Deal(), "face_needed", "8.4")
    desk.no(c.Deal("10s"), "wrong_cards", "8.4")
    desk.then(c.Deal("9s"), "CardLeftShoe CardDealt", "8.2(a)")
    assert desk.table.on_layout == ("9s",)


@case("division-15 8.6 cards are collected so that hands can be put together again: 1.0 Round")
def _(at):
    desk = at().ready("Ann 1", "Ben 2", cards="9s 9h 9d 8h 8c 8d")
    desk.no(c.Collect(), "nothing_to_collect", "8.6")
    desk.bet("1 Ann 10", "2 Ben 10").finish(collect=False)
    collected = desk.then(c.Collect(), "CardsCollected", "8.6", '1.0 "Round"')
    assert collected[0].cards == ("9d", "8d", "9h", "8c", "9s", "8h")
    assert desk.table.shoe.discards == collected[0].cards


@case("adelaide 53 A66 the dealer's hand first, then from the far right counter-clockwise, to the rack (53(a))")
def _(at):
    desk = at().ready("Ann 1", "Ben 2", cards="9s 9h 9d 8h 8c 8d").bet("1 Ann 10", "2 Ben 10").finish(collect=False)
    collected = desk.then(c.Collect(), "CardsCollected", "53", "53(a)", "53(b)")
    assert collected[0].cards == ("9d", "8d", "9h", "8c", "9s", "8h")


@case('canberra A "Round of play" a round ends when its cards are in the rack')
def _(at):
    desk = at().ready("Ann 1").bet("1 Ann 10").finish(collect=False)
    assert desk.table.phase == "collect"
    desk.then(c.Collect(), "CardsCollected", 'A "Round of play"')


@case("division-15 10.3(a) insurance and surrender are announced")
def _(at):
    desk = at().ready("Ann 1", cards="9s Ad 8h").bet("1 Ann 10")
    desk.deal(2)
    offered = desk.then(c.Deal(), "CardLeftShoe CardDealt OfferOpened Announced", "10.3(a)", "10.3")
    assert offered[-1].words == "Insurance"
    opened = desk.do(c.Play(CloseOffer()))
    assert opened[-1].words == "Surrender"


@case("adelaide 112 an irregularity needs an inspector or pit boss as well as the person who rules")
def _(at):
    desk = at().ready("Ann 1", cards="9s 9d 8h 7c").bet("1 Ann 10")
    desk.deal(3)
    burn = BurnCard(Card("7c"))
    desk.no(c.Play(burn), "needs_second_person", "112")
    desk.no(c.Play(burn, by="inspector", approver="inspector"), "needs_second_person", "112")
    desk.no(c.Play(burn, approver="Ann"), "needs_second_person", "112")
    ruled, *_ = desk.then(c.Play(burn, "dealer", "pit_boss", "face up"), "Ruled CardBurned CardLeftShoe", "112", "101")
    assert (ruled.what, ruled.by, ruled.approver, ruled.reason) == ("BurnCard", "dealer", "pit_boss", "face up")
    desk.no(c.Play(SkipHand(1)), "needs_second_person", "112")
    desk.no(c.Play(OfferLate("insurance"), approver="inspector"), "document_silent")


@case("division-15 16.5 the operator rules alone")
def _(at):
    desk = at().ready("Ann 1", cards="9s 9d 8h").bet("1 Ann 10")
    desk.deal(3)
    desk.then(
        c.Play(VoidBox(1), reason="misdealt"), "Ruled BoxVoided Settled HandCollected DealerStopped RoundEnded", "16.5"
    )


@case("canberra 15.2 M16 a card burned in error stays burned")
def _(at):
    desk = at().ready("Ann 1", "Ben 2", cards="9s 5h 9d 8h 6c 7d 8c").bet("1 Ann 10", "2 Ben 10")
    desk.deal(5)
    desk.play(Stand(1))
    desk.no(c.Play(BurnCard(Card("8c"), "in_error")), "wrong_cards")
    desk.then(c.Play(BurnCard(Card("7d"), "in_error")), "Ruled CardBurned CardLeftShoe", "15.2")
    assert desk.table.shoe.discards == ("7d",)
    desk.play(Hit(2))
    dealt = desk.deal()
    assert dealt[0].card == "8c"


@case("division-15 16.2 M16 an unseen card drawn in error is the next card")
def _(at):
    desk = at().ready("Ann 1", cards="9s 9d 8h 7d").bet("1 Ann 10")
    desk.deal(3)
    desk.no(c.Play(BurnCard(Card("7d"), "in_error")), "is_the_next_card", "16.2")


@case("division-15 16.4 an exposed card nobody takes is burned and has left the shoe")
def _(at):
    desk = at().ready("Ann 1", cards="Ks 9d Qh 7d").bet("1 Ann 10")
    desk.deal(3)
    desk.no(c.Play(ExposeCard(Card("2c"))), "wrong_cards")
    desk.then(c.Play(ExposeCard(Card("7d"))), "Ruled CardExposed", "16.4")
    left = desk.table.shoe.left
    desk.play(RefuseCard(1))
    desk.finish()
    assert "7d" in desk.table.shoe.discards
    assert desk.table.shoe.left + len(desk.table.shoe.discards) == desk.table.size
    assert desk.table.shoe.left < left


@case("adelaide 103 109 an exposed card is the next card and in no hand too many")
def _(at):
    desk = at().ready("Ann 1", "Ben 2", cards="9s 9c 9d 8h 8c 7d 6c").bet("1 Ann 10", "2 Ben 10")
    desk.deal(5)
    desk.play(Stand(1))
    desk.do(c.Play(ExposeCard(Card("7d")), by="dealer", approver="pit_boss"))
    extra = c.RemoveExtraHand((Card("7d"), Card("6c")), "dealer", "pit_boss")
    desk.no(extra, "exposed_card_is_next", "103")


@case("division-15 16.5 nobody joins the split or the double of a box that was voided")
def _(at):
    for pair, command in (("8s 9d 2h 8d 9c", Split(1)), ("6s 9d 2h 5d 9c", Double(1))):
        desk = at().ready("Ann 1", "Ben 2", cards=pair).bet("1 Ann 10", "1 Cat 10", "2 Ben 10")
        desk.deal(5)
        desk.play(command)
        assert desk.table.round.joining
        desk.do(c.Play(VoidBox(1), by="operator"))
        assert not desk.table.round.joining
        assert {getattr(command, "box", 2) for command in options(desk.table.round).allowed} == {2}


@case("division-15 16.5 a pontoon on a box that was voided in the initial deal is not paid")
def _(at):
    desk = at().ready("Ann 1", "Ben 2", cards="As Qs 9h Ks 7h 9c 9d").bet("1 Ann 10", "2 Ben 10")
    desk.deal(2)
    desk.do(c.Play(VoidBox(1), by="operator"))
    desk.finish()
    nets = [
        (settlement.box, settlement.result)
        for settlement in desk.table.finished[-1].settlements
        if settlement.kind == "main"
    ]
    assert nets[0] == (1, "void")
    assert 1 not in {box for box, _ in nets[1:]}


@case("canberra 5.5 a shuffle ordered while wagers lie on the layout waits until the round is over")
def _(at):
    desk = at().ready("Ann 1", cards="9s 9d 8h 7d 9c")
    desk.do(bet("1 Ann 10"), c.OrderShuffle("game_supervisor", "discretion"))
    desk.do(c.Play(TakeBack(1, "Ann")))
    desk.no(bet("1 Ann 10"), "shuffle_first")
    again = at().ready("Ann 1", cards="9s 9d 8h 7d 9c")
    again.do(bet("1 Ann 10"), c.OrderShuffle("game_supervisor", "discretion"), CALL)
    again.finish(collect=False)
    assert (again.table.phase, again.table.due) == ("collect", "ordered")


@case("adelaide 5 Perfect Pairs is offered with some numbers of packs only")
def _(at):
    side = c.Play(PlaceSideWager(1, "Ann", "perfect_pairs", 500))
    few, enough = at(packs=4).ready("Ann 1"), at(packs=8).ready("Ann 1")
    few.no(side, "packs_not_allowed", "5")
    enough.then(side, "RoundBegan SideWagerPlaced")


@case("canberra 18.1 a table with side wagers on it is not closed")
def _(at):
    desk = at().ready("Ann 1")
    desk.do(c.Play(PlaceSideWager(1, "Ann", "perfect_pairs", 500)), c.GiveNotice("rounds"))
    desk.no(c.Close(), "round_in_progress")


@case("canberra 15.4 18.4 a side wager void at the call stays void when the round is put right")
def _(at):
    desk = at().ready("Ann 1", cards="9s 9d 8h 7d 9c")
    desk.do(bet("1 Ann 10"), c.Play(PlaceSideWager(2, "Ann", "perfect_pairs", 500)), CALL)
    desk.deal(3)
    cards = desk.table.on_layout
    (put_right,) = (
        event for event in desk.do(c.Reconstruct(cards, "dealt_again", "game_supervisor")) if hasattr(event, "way")
    )
    assert put_right.returns == ()
    desk.finish()
    assert sum(settlement.kind == "perfect_pairs" for settlement in desk.table.finished[-1].settlements) == 1


@case("canberra 15.1 on the floor a burned card is a card of this table")
def _(at):
    desk = at(mode="floor").ready("Ann 1").bet("1 Ann 10")
    desk.no(c.Play(BurnCard(Card("**"))), "wrong_cards")
    desk.then(c.Play(BurnCard(Card("9s"))), "Ruled CardBurned CardLeftShoe", "15.1")


@case("canberra 17.1 17.3 a void round goes on record, and is void in the book of rounds")
def _(at):
    desk = at().ready("Ann 1", cards="9s 9d 8h").bet("1 Ann 10").finish(collect=False)
    desk.then(c.Play(VoidRound(), "casino_supervisor", reason="fire"), "Ruled RoundVoided Reversed", "17.1", "17.3")
    desk.do(c.Collect())
    assert [finished_round.void for finished_round in desk.table.finished] == [True]
    assert sum(settlement.net for settlement in desk.table.finished[0].settlements) == 0


@case("star STAR-INTRO-4 silent on cards that were missed and on void hands: only the house decides")
def _(at):
    desk = at().ready("Ann 1", cards="9s 9d 8h").bet("1 Ann 10")
    desk.deal(2)
    for command in (MissCard(1), PutRight(1), VoidHand(1, 1), VoidWager(1, "Ann")):
        desk.no(c.Play(command), "document_silent")
    desk.no(c.Play(VoidBox(1, by_house=True), "dealer"), "not_a_supervisor")


@case("division-15 16.5 a hand that was void stays void when the round is put right")
def _(at):
    desk = at().ready("Ann 1", "Ben 2", cards="9s 6s 9d 7h 4h").bet("1 Ann 10", "2 Ben 10")
    desk.deal(5)
    desk.play(Stand(1), VoidBox(2))
    cards = tuple(Card(card) for card in ["6s", "9s", "9d", "7h", "4h"])
    desk.do(c.Reconstruct(cards, "dealt_again", "operator", reason="the first two were exchanged"))
    state = desk.table.round
    assert state is not None
    assert state.turn == (1, 1)
    assert [wager.result for box in state.boxes for hand in box.hands for wager in hand.wagers] == ["", "void"]


@case("division-15 16.5(b) a round that was void before its first card is not dealt again")
def _(at):
    desk = at().ready("Ann 1").bet("1 Ann 10")
    desk.play(VoidBox(1))
    desk.no(c.Reconstruct((), "dealt_again", "operator"), "no_round", "16.5")
    desk.do(c.Collect())


@case("canberra 15.4 15.2 a card without a place is the next card, also while insurance is offered")
def _(at):
    desk = at().ready("Ann 1", cards="9s 9d 7h Ad").bet("1 Ann 10")
    desk.deal(3)
    cards = tuple(Card(card) for card in ["9s", "Ad", "7h", "9d"])
    desk.do(c.Reconstruct(cards, "dealt_again", "operator", reason="the ace was the dealer's"))
    state = desk.table.round
    assert state is not None
    assert (state.phase, state.exposed, desk.table.shoe.stack[0]) == ("insurance", "9d", "9d")
    desk.no(c.Reconstruct((*cards, *desk.table.shoe.stack, Card("2c")), "dealt_again", "operator"), "wrong_cards")


@case("canberra 17.2(a) 7.1 nobody loses or leaves uninsured a wager that is not there")
def _(at):
    desk = at().ready("Ann 1", cards="9s Ad 8h").bet("1 Ann 10")
    desk.deal(3)
    desk.no(c.Play(VoidWager(1, "Eve")), "no_wager_there", "17.2(a)")
    desk.no(c.Play(DeclineInsurance(1, "Eve")), "no_wager_there", "7.1")


@case("division-15 16.11 an offer forgotten for somebody without a wager")
def _(at):
    desk = at().ready("Ann 1", cards="9s Ad 8h").bet("1 Ann 10")
    desk.deal(3)
    desk.play(CloseOffer(), CloseOffer())
    desk.no(c.Play(OfferLate("insurance", 1, "Eve")), "no_wager_there", "16.11")


@case("canberra 4.2 18.7 side wagers in chips, and within limits of their own")
def _(at):
    desk = at(limits=Limits(1000, 50000, 100)).ready("Ann 1")
    sides = (SideLimits("perfect_pairs", 500, 5000), SideLimits("pairs_play", 500, 5000))
    desk.then(c.SetLimits(Limits(1000, 50000, 100, side=sides), told=True), "LimitsSet", "3.3")
    desk.do(bet("1 Ann 10"))
    desk.no(c.Play(PlaceSideWager(1, "Ann", "perfect_pairs", 550)), "not_in_chips", "4.2")


@case("adelaide 121 after the last round no wagers are taken")
def _(at):
    desk = at().ready("Ann 1")
    desk.do(c.GiveNotice("rounds"))
    desk.round("1 Ann 10").round("1 Ann 10").round("1 Ann 10")
    desk.no(bet("1 Ann 10"), "last_round_played", "121")
    desk.then(c.Close(), "TableClosed", "121")


@case("canberra 12.6 17.2(a) the last one asked to forfeit is void: the offer is over")
def _(at):
    desk = at().ready("Ann 1", "Dan 2", cards="6s 9d 9h 5s 8c 7d").bet("1 Ann 10", "1 Bob 10", "2 Dan 10")
    desk.deal(5)
    desk.play(Double(1), Double(1, player="Bob"))
    desk.deal()
    desk.play(Keep(1, "Ann"))
    assert desk.table.round is not None
    assert desk.table.round.phase == "forfeit"
    desk.do(c.Play(VoidWager(1, "Bob"), by="operator", reason="past posting"))
    assert (desk.table.round.phase, desk.table.round.turn[0]) == ("decision", 2)


@case("canberra 12.6 17.2(a) nobody is asked to forfeit if the only double is void before its card")
def _(at):
    desk = at().ready("Ann 1", "Dan 2", cards="6s 9d 9h 5s 8c 7d").bet("1 Ann 10", "1 Bob 10", "2 Dan 10")
    desk.deal(5)
    desk.play(Double(1))
    desk.do(c.Play(VoidWager(1, "Ann"), by="operator", reason="past posting"))
    desk.deal()
    assert desk.table.round is not None
    assert (desk.table.round.phase, desk.table.round.turn[0]) == ("decision", 2)
