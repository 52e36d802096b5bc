"""Engine behaviour that transcripts do not reach: wrong timing, wrong arguments, the list of options."""

from __future__ import annotations

from typing import Any, cast

import pytest

from pontoon.cards import JOKER, Card, name
from pontoon.engine import (
    BurnCard,
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    DeclineInsurance,
    Double,
    ExposeCard,
    Forfeit,
    Hit,
    Insure,
    Limits,
    NoticeNoFirstCard,
    NoticeSkip,
    OfferLate,
    PlaceSideWager,
    PlaceWager,
    Refusal,
    RefuseCard,
    Ride,
    Round,
    SkipDealer,
    SkipHand,
    Split,
    Stand,
    Surrender,
    TakeBack,
    VoidBox,
    VoidRound,
    Withdraw,
    decide,
    must_play,
    options,
    play,
    refusal,
)
from pontoon.engine.options import stake_in_turn
from pontoon.money import MoneyError, Odds, cents
from pontoon.rulebook import load
from pontoon.view.words import why


def after(rulebook: str, *commands: Command | str, **overrides: object) -> Round:
    """A round after these commands; a word is a row of cards."""
    rules = load(rulebook, {key.replace("__", "."): value for key, value in overrides.items()})
    state = Round(rules, Limits(500, 50000, 0))
    for command in commands:
        steps = [DealCard(Card(card)) for card in command.split()] if isinstance(command, str) else [command]
        state = must_play(state, *steps)
    return state


PAIRS = PlaceSideWager(1, "Ann", "perfect_pairs", 500)
NO_PAIRS = PlaceSideWager(1, "Ann", "perfect_pairs", 0)
SEEN = "5s 9d 6h"
ANN = PlaceWager(1, "Ann", 1000)
BEN = PlaceWager(1, "Ben", 2000)
CALL = CallNoMoreBets()

REFUSED = {
    "5.5 no wager after the call": (("division-15", ANN, CALL), ANN, "wagers_closed"),
    "5.5 no side wager after the call": (
        ("star", ANN, CALL),
        PlaceSideWager(1, "Ann", "perfect_pairs", 500),
        "wagers_closed",
    ),
    "5.5 nothing is taken back after the call": (("division-15", ANN, CALL), TakeBack(1, "Ann"), "wagers_closed"),
    "5.1 nothing to take back": (("division-15", ANN), TakeBack(1, "Ben"), "no_wager_there"),
    "5.1 nothing to take back on an empty box": (("division-15", ANN), TakeBack(2, "Ann"), "no_wager_there"),
    "8.2 called twice": (("division-15", ANN, CALL), CALL, "wagers_closed"),
    "5.1 no wager, no round": (("division-15",), CALL, "no_wager"),
    "3.1 there is no box 8": (("division-15",), PlaceWager(8, "Ann", 1000), "no_such_box"),
    "STAR-PP-5 there is no box 0": (("star",), PlaceSideWager(0, "Ann", "perfect_pairs", 500), "no_such_box"),
    "STAR-PP-3 a side wager of nothing": (
        ("star",),
        PlaceSideWager(1, "Ann", "perfect_pairs", 0),
        "side_stake_not_positive",
    ),
    "5.1 a stake of nothing": (("division-15",), PlaceWager(1, "Ann", 0), "stake_not_even"),
    "5.1 odd cents": (("division-15",), PlaceWager(1, "Ann", 1001), "stake_not_even"),
    "STAR-PP-10 one side wager each": (
        ("star", PlaceSideWager(1, "Ann", "perfect_pairs", 500)),
        PlaceSideWager(1, "Ann", "perfect_pairs", 500),
        "one_side_wager_each",
    ),
    "18.1 one kind of side wager at a table": (
        ("canberra", PlaceSideWager(1, "Ann", "perfect_pairs", 500)),
        PlaceSideWager(2, "Ben", "pairs_play", 500),
        "one_kind_of_side_wager",
    ),
    "19 alone on two boxes": (("adelaide", ANN, PlaceWager(2, "Ann", 1000)), CALL, "alone_on_boxes"),
    "15.1 three on a box": (
        ("division-15", ANN, BEN, PlaceWager(1, "Cal", 1000)),
        PlaceWager(1, "Dee", 1000),
        "box_full",
    ),
    "8.3 a decision before the deal": (("division-15", ANN), Hit(1), "too_early"),
    "8.3 a decision on an empty box": (("division-15", ANN, CALL), Hit(2), "no_wager_there"),
    "8.3 a decision in the initial deal": (("division-15", ANN, CALL, "5s"), Hit(1), "too_early"),
    "10.3 a decision while insurance is open": (("division-15", ANN, CALL, "5s Ad 6h"), Hit(1), "too_early"),
    "9.3 a decision while surrender is open": (("division-15", ANN, CALL, "5s Kd 6h"), Hit(1), "too_early"),
    "105(d)(ii) a decision while withdrawal is open": (
        ("adelaide", ANN, CALL, SkipDealer(), "5s 6h", Hit(1), "2c", NoticeNoFirstCard(), "9d"),
        Hit(1),
        "too_early",
    ),
    "105(d)(i) a decision while the dealer's first card is due": (
        ("adelaide", ANN, CALL, SkipDealer(), "5s 6h", Hit(1), "2c", NoticeNoFirstCard()),
        Hit(1),
        "card_due",
    ),
    "106 a hand passed over waits for the dealer": (
        ("adelaide", ANN, PlaceWager(2, "Ben", 1000), CALL, "5s Ks 6d 4h 9c", SkipHand(1), Stand(2)),
        Hit(1),
        "hand_finished",
    ),
    "8.4 a decision while a card is due": (("division-15", ANN, CALL, "5s 9d 6h", Hit(1)), Stand(1), "card_due"),
    "12.4 a decision while forfeit is open": (
        ("division-15", ANN, CALL, "5s 9d 6h", Double(1), "2c"),
        Hit(1),
        "double_takes_one_card",
    ),
    "12.4 the controller doubles twice": (
        ("division-15", ANN, BEN, CALL, "5s 9d 6h", Double(1)),
        Double(1),
        "double_takes_one_card",
    ),
    "13.3 the controller answers their own split": (
        ("division-15", ANN, BEN, CALL, "8s 9d 8h", Split(1)),
        Split(1),
        "card_due",
    ),
    "15.3(d) a split has two hands": (
        ("division-15", ANN, BEN, CALL, "8s 9d 8h", Split(1)),
        Ride(1, "Ben", 3),
        "ride_one_or_two",
    ),
    "15.3(d) somebody without a wager cannot ride": (
        ("division-15", ANN, BEN, CALL, "8s 9d 8h", Split(1)),
        Ride(1, "Eve", 1),
        "no_wager_there",
    ),
    "10.1 insurance of somebody who is not there": (
        ("division-15", ANN, CALL, "9s Ad 7h"),
        Insure(1, "Eve", 100),
        "no_wager_there",
    ),
    "10.1 insurance before the deal": (("division-15", ANN, CALL), Insure(1, "Ann", 100), "insurance_not_open"),
    "9.3 surrender of a stranger": (("division-15", ANN, CALL, "9s Kd 7h"), Surrender(1, "Eve"), "no_wager_there"),
    "9.3 surrender on an empty box": (("division-15", ANN, CALL, "9s Kd 7h"), Surrender(4), "no_wager_there"),
    "12.8 forfeit by a stranger": (
        ("division-15", ANN, CALL, "5s 9d 6h", Double(1), "2c"),
        Forfeit(1, "Eve"),
        "no_wager_there",
    ),
    "16.11 no forgotten offer before the deal": (("division-15", ANN, CALL), OfferLate("insurance"), "no_offer_open"),
    "8.2 no card before the call": (("division-15", ANN), DealCard(Card("7s")), "no_card_due"),
    "8.3 no offer to close": (("division-15", ANN, CALL), CloseOffer(), "no_offer_open"),
    "5 no joker but in adelaide": (("division-15", ANN, CALL), DealCard(JOKER), "no_joker"),
    "16.4 the exposed card comes first": (
        ("division-15", ANN, CALL, "5s 9d 6h", ExposeCard(Card("Kc")), Hit(1)),
        DealCard(Card("2c")),
        "exposed_card_is_next",
    ),
    "16.4 nothing else is burned before it": (
        ("division-15", ANN, CALL, "5s 9d 6h", ExposeCard(Card("Kc"))),
        BurnCard(Card("2c")),
        "exposed_card_is_next",
    ),
    "16.4 one exposed card at a time": (
        ("division-15", ANN, CALL, "5s 9d 6h", ExposeCard(Card("Kc"))),
        ExposeCard(Card("2c")),
        "no_card_due",
    ),
    "16.4 a box out of turn refuses nothing": (
        ("division-15", ANN, PlaceWager(2, "Cal", 1000), CALL, "5s 4s 9d 6h 7h", ExposeCard(Card("Kc"))),
        RefuseCard(2),
        "out_of_turn",
    ),
    "16.4 the controller refuses": (
        ("division-15", ANN, BEN, CALL, "5s 9d 6h", ExposeCard(Card("Kc"))),
        RefuseCard(1, "Ben"),
        "not_controller",
    ),
    "16.2 a card burned in error is the next card": (
        ("division-15", ANN, CALL, "5s 9d 6h"),
        BurnCard(Card("Kc"), "in_error"),
        "is_the_next_card",
    ),
    "16.3 no card too many before the end": (
        ("division-15", ANN, CALL, "5s 9d 6h"),
        BurnCard(Card("Kc"), "dealer_excess"),
        "no_card_due",
    ),
    "16.3 no card is left over in the deal": (
        ("division-15", ANN, CALL, "5s 9d"),
        BurnCard(Card("Kc"), "left_over"),
        "no_card_due",
    ),
    "15.2 a card left over is the next card": (
        ("canberra", ANN, CALL, "5s 9d 9h"),
        BurnCard(Card("Kc"), "left_over"),
        "exposed_card_is_next",
    ),
    "STAR-INTRO-4 the leaflet is silent on a card face up": (
        ("star", ANN, CALL, "5s 9d 6h"),
        BurnCard(Card("Kc")),
        "document_silent",
    ),
    "105 a hand is passed over in its turn": (
        ("adelaide", ANN, PlaceWager(2, "Cal", 1000), CALL, "5s 4s 9d 6h 7h"),
        SkipHand(2),
        "out_of_turn",
    ),
    "16.5 division-15 puts it right": (("division-15", ANN, CALL, "5s 9d 6h"), SkipHand(1), "put_right"),
    "16.5 a missing first card is put right": (("division-15", ANN, CALL), SkipDealer(), "put_right"),
    "105(d) the first card is missed in the initial deal": (
        ("adelaide", ANN, CALL, "5s 9d 6h"),
        SkipDealer(),
        "no_card_due",
    ),
    "105(d) it cannot be missed twice": (("adelaide", ANN, CALL, SkipDealer()), SkipDealer(), "no_card_due"),
    "105(d) the dealer has a first card": (("adelaide", ANN, CALL, "5s 9d 6h"), NoticeNoFirstCard(), "no_card_due"),
    "105(c) nothing was passed over": (("adelaide", ANN, CALL, "5s 9d 6h"), NoticeSkip(1), "nothing_passed_over"),
    "105(c) nobody is there to be passed over": (
        ("adelaide", ANN, CALL, "5s 9d 6h"),
        NoticeSkip(4),
        "nothing_passed_over",
    ),
    "105(b) no right to withdraw": (("adelaide", ANN, CALL, "5s 9d 6h"), Withdraw(1), "may_not_withdraw"),
    "105(b) nobody there to withdraw": (("adelaide", ANN, CALL, "5s 9d 6h"), Withdraw(4), "may_not_withdraw"),
    "16.5(a) a void before the call": (("division-15", ANN), VoidBox(1), "no_wager_there"),
    "16.5(a) a void of an empty box": (("division-15", ANN, CALL), VoidBox(4), "no_wager_there"),
    "17.3 a void round before the call": (("canberra", ANN), VoidRound(), "too_early"),
}


@pytest.mark.parametrize(("before", "command", "code"), REFUSED.values(), ids=REFUSED)
def test_refused(before, command, code):
    state = after(before[0], *before[1:])
    refused = refusal(state, command)
    assert refused is not None
    assert refused.code == code
    assert why(refused)
    assert play(state, command) == refused


WORDS = {
    "8.3 a decision before the deal": "not while wagers are open: decisions begin after the deal and the offers",
    "8.3 a decision on an empty box": "no one has a wager on box 2",
    "8.4 a decision while a card is due": "box 1 is waiting for a card",
    "12.4 a decision while forfeit is open": "a doubled hand takes one card and no further decision",
    "106 a hand passed over waits for the dealer": "box 1 has no hand left to decide",
    "16.4 the controller refuses": "Ann makes the decisions on this box, not Ben",
    "16.4 a box out of turn refuses nothing": "it is box 1's turn, not box 2's",
}


@pytest.mark.parametrize("row", WORDS)
def test_a_refusal_says_its_facts(row):
    before, command, _ = cast("tuple[tuple[Any, ...], Command, str]", REFUSED[row])
    refused = refusal(after(before[0], *before[1:]), command)
    assert refused is not None
    assert why(refused) == WORDS[row]


def test_a_stand_below_twelve_says_the_total_and_whether_it_is_soft():
    hard = refusal(after("division-15", ANN, CALL, SEEN), Stand(1))
    soft = refusal(after("division-15", ANN, CALL, "As 9d 2h", draw__forced_below=14), Stand(1))
    assert hard is not None
    assert soft is not None
    assert why(hard) == "you hold 11; a hand below 12 must draw"
    assert why(soft) == "you hold soft 13; a hand below 14 must draw"
    waiting = ("division-15", ANN, PlaceWager(2, "Cal", 1000), CALL, "5s 4s 9d 6h 7h")
    refused = refusal(after(*waiting), Stand(2))
    assert refused is not None
    assert why(refused) == "it is box 1's turn, not box 2's"


def test_limits_that_refuse():
    state = Round(
        load("division-15", {"wagers.below_minimum": "refused", "wagers.above_maximum": "refused"}), Limits(500, 1000)
    )
    low, high = refusal(state, PlaceWager(1, "Ann", 400)), refusal(state, PlaceWager(1, "Ann", 1200))
    assert low is not None
    assert high is not None
    assert (low.code, high.code) == ("below_minimum", "above_maximum")


def test_a_compulsory_side_wager():
    rules = {"side__compulsory": True}
    state = after("adelaide", ANN, PlaceWager(2, "Ben", 1000), PlaceSideWager(1, "Ann", "perfect_pairs", 500), **rules)
    refused = refusal(state, CALL)
    assert refused is not None
    assert (refused.code, refused.facts["player"]) == ("side_wager_compulsory", "Ben")
    assert refusal(play(state, PlaceSideWager(2, "Ben", "perfect_pairs", 500)).state, CALL) is None  # type: ignore[union-attr]


def test_a_wager_is_taken_back_with_its_side_wager_while_wagers_are_open():
    state = after("star", ANN, BEN, PlaceSideWager(1, "Ann", "perfect_pairs", 500), TakeBack(1, "Ann"))
    assert [wager.player for wager in state.boxes[0].bettors] == ["Ben"]
    assert (state.boxes[0].controller, state.side) == ("Ben", ())
    assert after("star", ANN, TakeBack(1, "Ann")).boxes == ()
    state = after("star", ANN, BEN, TakeBack(1, "Ben"), PlaceWager(2, "Cal", 1000))
    assert [(box.number, box.controller) for box in state.boxes] == [(1, "Ann"), (2, "Cal")]
    guest = after("star", ANN, PlaceSideWager(1, "Eve", "perfect_pairs", 500), TakeBack(1, "Eve"))
    assert guest.side == ()


def test_options_say_who_must_act_and_why_not():
    moment = options(after("division-15", ANN, CALL, "5s 9d 6h"))
    assert (moment.actor, moment.box, moment.hand, moment.card_to) == ("controller", 1, 1, None)
    assert moment.may(Hit)
    assert moment.may(Double)
    assert moment.why_not(Hit) is None
    stand = moment.why_not(Stand)
    assert stand is not None
    assert (stand.code, stand.clauses) == ("forced_draw", ("14.1(d)",))
    assert moment.why_not(DealCard) is None


def test_the_stake_of_a_bettor_on_the_hand_in_turn():
    state = after("division-15", ANN, BEN, CALL, "5s 9d 6h")
    assert [stake_in_turn(state, player) for player in ("Ann", "Ben", "Eve")] == [1000, 2000, 0]


def test_the_dealer_notices_the_missing_first_card_at_the_latest_before_the_own_hand():
    state = after("adelaide", ANN, CALL, SkipDealer(), "9s 9h", Stand(1))
    assert state.phase == "first_card"
    state = after("adelaide", ANN, CALL, SkipDealer(), "9s 9h", Stand(1), "Ah", CloseOffer(), "Kd")
    assert (state.phase, state.dealer_total, state.dealer_pontoon) == ("ended", 21, False)
    assert [settlement.net for settlement in state.settlements] == [-1000]


def test_a_hand_withdrawn_when_the_dealer_had_no_first_card():
    dealt = (SkipDealer(), "9s 7h", Hit(1), "2c")
    state = after("adelaide", ANN, BEN, CALL, *dealt, NoticeNoFirstCard(), "Ah", Withdraw(1, "Ben"))
    refused = refusal(state, Withdraw(1, "Ben"))
    assert refused is not None
    assert refused.code == "no_wager_there"
    state = play(state, CloseOffer()).state  # type: ignore[union-attr]
    assert (state.phase, state.turn) == ("decision", (1, 1))


def test_odds_read_back_and_refuse_nonsense():
    assert repr(Odds("3:2")) == 'Odds("3:2")'
    for text in ("3:0", "three", 1.5):
        with pytest.raises(MoneyError):
            Odds(text)
    with pytest.raises(MoneyError):
        cents("1e3")


def test_a_card_in_words():
    assert name(Card("As")) == "ace of spades"


def test_a_dealer_without_a_first_card_needs_none_when_nothing_is_left_to_decide():
    state = after("adelaide", ANN, CALL, SkipDealer(), "9s 6h", Hit(1), "Kd")
    assert (state.phase, state.dealer, state.settlements[0].net) == ("ended", (), -1000)


def test_adelaide_107_the_controller_withdraws_after_a_co_bettor_did():
    begun = ("adelaide", ANN, BEN, PlaceWager(2, "Cal", 1000), CALL, "5s Ks 6d 4h 9c", SkipHand(1), Stand(2), "Kh 4s")
    state = after(*begun, Withdraw(1, "Ben"), Withdraw(1), irregular__short_others="any_time")
    assert sorted((settlement.player, settlement.result) for settlement in state.settlements) == [
        ("Ann", "void"),
        ("Ben", "void"),
        ("Cal", "lose"),
    ]


def test_a_void_round_burns_the_card_that_was_seen_in_error():
    state = after("division-15", ANN, CALL, SEEN, ExposeCard(Card("Kc")), VoidRound())
    assert (state.phase, state.exposed, state.cards_used) == ("ended", "", 4)


def test_a_box_void_in_the_initial_deal_returns_its_side_wager():
    state = after("canberra", ANN, PAIRS, PlaceWager(2, "Ben", 1000), CALL, "9s", VoidBox(1))
    assert [(settlement.kind, settlement.result, settlement.net) for settlement in state.settlements] == [
        ("main", "void", 0),
        ("perfect_pairs", "void", 0),
    ]


def test_a_void_super_bonus_takes_the_bonus_for_others_with_it():
    sevens = ("division-15", ANN, PlaceWager(2, "Ben", 1000), CALL, "7s 9c 7d 7s 9h", Hit(1), "7s", Stand(2), "8c Kc")
    ended = after(*sevens)
    assert {
        settlement.player: settlement.net for settlement in ended.settlements if settlement.kind == "envy_bonus"
    } == {"Ben": 5000}
    state = after(*sevens, VoidBox(1))
    nets = {
        player: sum(settlement.net for settlement in state.settlements if settlement.player == player)
        for player in ("Ann", "Ben")
    }
    assert nets == {"Ann": 0, "Ben": 1000}


def test_canberra_7_4_a_player_who_gives_way_keeps_only_what_chips_can_pay():
    state = Round(load("canberra", {"wagers.in_chips": False}), Limits(0, 0, 500))
    wagers = (PlaceWager(1, "Ann", 1200), PlaceWager(2, "Ben", 1000), PlaceWager(3, "Cal", 1000))
    deal = (DealCard(Card(card)) for card in ["9s", "Ks", "9h", "Ad", "7h", "8d", "7c"])
    asked = (DeclineInsurance(1, "Ann"), Insure(3, "Cal", 250, 1, "Ann"), Insure(2, "Ben", 500, 1, "Ann"))
    state = must_play(state, *wagers, CALL, *deal, *asked)
    assert [(wager.player, wager.amount) for wager in state.insurance] == [("Ben", 500)]


@pytest.mark.parametrize("command", [Double(1), Split(1)], ids=["double", "split"])
def test_a_controller_who_surrendered_alone_neither_doubles_nor_splits(command):
    rules = {"surrender__mode": "individual"}
    state = after("adelaide", ANN, BEN, CALL, "5s Kd 5h", Surrender(1, "Ann"), CloseOffer(), **rules)
    refused = refusal(state, command)
    assert refused is not None
    assert refused.code == "already_surrendered"
    assert refusal(state, Hit(1)) is None


def test_a_hand_frozen_in_its_turn_ends_the_turn():
    rules = {"surrender__timing": "both"}
    state = after("federal", ANN, BEN, CALL, "9s Kd 7h", CloseOffer(), Surrender(1), **rules)
    assert (state.phase, state.boxes[0].hands[0].stood) == ("dealer", True)


def test_decide_gives_the_events_or_the_refusal():
    state = Round(load("star"))
    placed = decide(state, PlaceWager(1, "Ann", 1000))
    assert not isinstance(placed, Refusal)
    assert [type(event).__name__ for event in placed] == ["WagerPlaced"]
    assert decide(state, CallNoMoreBets()) == refusal(state, CallNoMoreBets())
