"""What a client gets of a table: each part as it stands, choices as the engine answers, face-down cards covered."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from pontoon.cards import Card
from pontoon.engine import CallNoMoreBets, CloseOffer, Hit, Insure, PlaceSideWager, Stand, Surrender, options
from pontoon.engine import commands as e
from pontoon.engine.options import ACTORS
from pontoon.engine.state import Phase
from pontoon.rulebook import NAMES, load
from pontoon.table import Table, refusal
from pontoon.table import commands as c
from pontoon.table.state import TablePhase
from pontoon.view.choices import CANDIDATES, TABLE_ACTORS
from pontoon.view.table import encoded, table_view, view
from pontoon.view.table_parts import (
    ChoiceView,
    CutView,
    HandView,
    Pressed,
    RoundView,
    SeatView,
    ShoeView,
    TableView,
    WaitsView,
)
from pontoon.view.viewer import FACE_DOWN, Viewer, viewer_class
from tests.table.desk import Desk, bet
from tests.view.twins import Twins

SPECTATOR, ANN, BEN, OFFICIAL = Viewer(), Viewer("Ann"), Viewer("Ben"), Viewer("Dan", official=True)


def seen(desk: Desk, viewer: Viewer = SPECTATOR) -> TableView:
    return table_view(desk.table, viewer)


def the_round(desk: Desk, viewer: Viewer = SPECTATOR) -> RoundView:
    found = seen(desk, viewer).round
    assert found is not None
    return found


def hand_of(desk: Desk, box: int, viewer: Viewer = SPECTATOR, number: int = 1) -> HandView:
    return next(one for one in the_round(desk, viewer).boxes if one.number == box).hands[number - 1]


def test_view_is_the_name_of_the_door():
    assert view is table_view


def test_a_closed_table():
    data = encoded(view(Table(load("star"), 8), SPECTATOR))
    assert msgspec.json.decode(data) == {
        "rulebook": "star",
        "packs": 8,
        "device": "manual",
        "mode": "automatic",
        "phase": "closed",
        "limits": {},
        "cloth": {
            "title": "star",
            "boxes": 7,
            "cards": 384,
            "multiple": 2,
            "inscriptions": [
                {"name": "pontoon", "text": "Pontoon pays 3 to 2"},
                {"name": "dealer", "text": "Dealer must stand on hard 17 or soft 18"},
                {"name": "insurance", "text": "Insurance pays 2 to 1"},
            ],
            "side": [
                {
                    "name": "perfect_pairs",
                    "title": "Perfect Pairs",
                    "odds": [
                        {"title": "perfect pair", "odds": "25 to 1"},
                        {"title": "coloured pair", "odds": "10 to 1"},
                        {"title": "mixed pair", "odds": "5 to 1"},
                    ],
                }
            ],
            "bonus": [
                {"title": "Five-card 21", "odds": "3 to 2, up to 3 to 1"},
                {"title": "6-7-8", "odds": "3 to 2, up to 3 to 1"},
                {"title": "7-7-7", "odds": "3 to 2, up to 3 to 1"},
                {"title": "Super Bonus", "odds": "up to $5,000"},
            ],
            "full_double": True,
        },
        "shoe": {},
        "waits": {"actor": "nobody"},
        "due": "start",
        "side_wagers": ["perfect_pairs"],
    }


def test_every_phase_has_an_actor_and_its_buttons():
    assert set(ACTORS) == set(CANDIDATES) == set(get_args(Phase))
    assert set(TABLE_ACTORS) | {"round"} == set(get_args(TablePhase))


# --- before a round ------------------------------------------------------------------------------------


def test_the_cut_says_who_and_how_deep():
    desk = Desk("division-15").open("Ann 1", "Ben 3").shuffled()
    found = seen(desk)
    assert found.waits == WaitsView("players", ("Ann",))
    assert found.cut is not None
    assert (found.cut.by, found.cut.offered) == ("Ann", ("Ann", "Ben"))
    for depth in (found.cut.least, found.cut.most):
        assert refusal(desk.table, c.Cut("Ann", depth)) is None
    for depth in (found.cut.least - 1, found.cut.most + 1):
        assert refusal(desk.table, c.Cut("Ann", depth)) is not None


def test_with_nobody_seated_the_dealer_cuts():
    desk = Desk("division-15").open().shuffled()
    assert seen(desk).waits == WaitsView("dealer")
    by = desk.table.rules.cut.nobody
    assert seen(desk).cut is not None
    desk.do(c.Cut(by, desk.table.shoe.left // 2))
    found = seen(desk)
    assert found.waits == WaitsView("dealer")
    assert isinstance(found.cut, CutView)
    assert found.cut.by == "dealer"


def test_a_stack_seen_before_the_shoe_is_not_cut():
    desk = Desk("division-15").open("Ann 1").shuffled()
    desk.do(c.OrderShuffle("pit_boss", "exposed"))
    assert seen(desk).cut is None


def test_the_shoe_is_counted_from_outside():
    desk = Desk("division-15").ready("Ann 1", behind=50).round("1 Ann 10")
    shoe = desk.table.shoe
    found = seen(desk).shoe
    assert found == ShoeView(1, shoe.left, desk.table.size - shoe.left, len(shoe.discards), "in", 50)
    desk.table = replace(desk.table, shoe=replace(shoe, behind=-1, came="3"))
    assert (seen(desk).shoe.cutting_card, seen(desk).shoe.came) == ("came", "3")


def test_a_commitment_is_in_the_view_and_the_seed_is_not():
    desk = Desk("division-15").open("Ann 1").shuffled()
    desk.do(c.CommitShoe("aa" * 32, "bb" * 32))
    assert (seen(desk).shoe.seed_hash, seen(desk).shoe.root) == ("aa" * 32, "bb" * 32)


def test_seats_with_markers():
    desk = Desk("canberra").ready("Ann 1", "Ben 2")
    desk.do(c.AllowPersonalLimit("Ann", 1, 50000), c.Restrict("Ben", "pit_boss", consulted=True, reason="counting"))
    assert seen(desk).seats == (SeatView(1, "Ann", maximum=50000), SeatView(2, "Ben", restricted=True))


def test_notice_and_what_is_owed():
    desk = Desk("adelaide").ready("Ann 1")
    desk.table = replace(desk.table, closing="rounds", rounds_left=3, owed=(("Cal", 500),))
    assert (seen(desk).closing, seen(desk).rounds_left, seen(desk).owed) == ("rounds", 3, (("Cal", 500),))


# --- a round -------------------------------------------------------------------------------------------


def test_wagers_may_be_taken_back_until_the_call():
    desk = Desk("star").ready("Ann 1")
    desk.do(bet("1 Ann 10"))
    assert the_round(desk).choices == (ChoiceView(1, "Ann", (e.TakeBack(1, "Ann"),)),)
    assert seen(desk).waits == WaitsView("players")


def test_a_hand_in_turn():
    desk = Desk("division-15").ready("Ann 1", cards="7s 2h 9d 8h 3c").bet("1 Ann 10", "2 Ben 10")
    desk.deal(5)
    found = the_round(desk)
    assert (found.stage, found.turn) == ("decision", (1, 1))
    assert seen(desk).waits == WaitsView("controller", ("Ann",))
    assert found.dealer is not None
    assert (found.dealer.cards, found.dealer.words) == (("9d",), "upcard")
    hand = hand_of(desk, 1)
    assert (hand.cards, hand.total, hand.words) == (("7s", "8h"), 15, "15")
    (choice,) = found.choices
    assert (choice.box, choice.player) == (1, "Ann")
    assert choice.allowed == (Hit(1), Stand(1), e.Double(1, 0, "Ann"))
    split = next(one for one in choice.refused if isinstance(one.command, e.Split))
    assert (split.code, split.words) == ("not_a_pair", "7s 8h is not a pair that may be split")
    assert split.clauses


def test_a_double_lies_across_when_its_card_is_there():
    desk = Desk("division-15").ready("Ann 1", cards="5s 9d 6h 9s").bet("1 Ann 10", "1 Ben 10")
    desk.deal(3)
    desk.play(e.Double(1))
    hand = hand_of(desk, 1)
    assert (hand.doubled, hand.sideways) == (True, 0)
    assert the_round(desk).joining == "double"
    assert the_round(desk).choices == (ChoiceView(1, "Ben", (e.Double(1, 0, "Ben"),)),)
    assert seen(desk).waits == WaitsView("dealer", (), (1, 1))
    desk.deal()
    hand = hand_of(desk, 1)
    assert (hand.sideways, hand.words) == (3, "20, doubled")
    assert hand.wagers[0].double == 1000
    found = the_round(desk)
    assert found.offer == "forfeit"
    assert [(choice.player, len(choice.allowed), len(choice.refused)) for choice in found.choices] == [
        ("Ann", 2, 0),
        ("Ben", 0, 2),
    ]
    assert seen(desk).waits == WaitsView("bettors", ("Ann",))


def test_a_split_may_be_covered_or_ridden():
    desk = Desk("division-15").ready("Ann 1", cards="8s 9d 8h").bet("1 Ann 10", "1 Ben 10")
    desk.deal(3)
    desk.play(e.Split(1))
    (choice,) = the_round(desk).choices
    assert choice.player == "Ben"
    assert {type(command) for command in choice.allowed} == {e.Split, e.Ride}
    assert hand_of(desk, 1, number=2).split


def test_settlements_stand_on_their_wagers():
    desk = Desk("division-15").ready("Ann 1", cards="As 9d Kc").bet("1 Ann 10")
    desk.deal(3)
    (wager,) = hand_of(desk, 1).wagers
    (settled,) = wager.settled
    assert (wager.result, settled.result, settled.odds, settled.net) == ("win", "win", "3:2", 1500)
    assert (settled.words, settled.clauses) == ("wins 3:2", ("5.1(c)", "9.1", "11.1"))
    assert hand_of(desk, 1).words == "pontoon"
    assert (seen(desk).phase, seen(desk).waits) == ("collect", WaitsView("dealer"))


def test_side_wagers_and_insurance_with_their_settlements():
    desk = Desk("star").ready("Ann 1", cards="8s Ad 8h 9c")
    desk.do(bet("1 Ann 10"), c.Play(PlaceSideWager(1, "Ann", "perfect_pairs", 500)), c.Play(CallNoMoreBets()))
    desk.deal(3)
    found = the_round(desk)
    assert found.side[0].settled[0].result == "win"
    assert found.offer == "insurance"
    own = Insure(1, "Ann", 500, 1, "Ann")
    both = (own, e.DeclineInsurance(1, "Ann"))
    assert found.choices == (ChoiceView(1, "Ann", both, question="Insurance for $5?"),)
    assert found.insurable == ()
    desk.play(own, CloseOffer())
    assert the_round(desk).insurance[0].settled == ()
    desk.finish(collect=False)
    assert the_round(desk).insurance[0].settled[0].result == "lose"


def test_others_may_insure_a_bare_wager_where_the_document_says_so():
    desk = Desk("canberra").ready("Ann 1", cards="8s 7h Ad 9h 6c").bet("1 Ann 10", "2 Ben 20")
    desk.deal(5)
    assert the_round(desk).insurable == ()  # nobody has declined yet
    desk.play(e.DeclineInsurance(1, "Ann"))
    assert [(one.box, one.player, one.most) for one in the_round(desk).insurable] == [(1, "Ann", 500)]
    desk.play(Insure(2, "Ben", 1000, 2, "Ben"))
    assert [one.player for one in the_round(desk).insurable] == ["Ann"]
    desk.play(Insure(2, "Ben", 300, 1, "Ann"))
    assert [one.player for one in the_round(desk).insurable] == ["Ann"]


def test_a_bonus_for_others_stands_by_itself():
    desk = Desk("division-15").ready("Ann 1", cards="7s 9h 7d 7s 8h 7s").bet("1 Ann 10", "2 Ben 10")
    desk.deal(5)
    desk.play(Hit(1))
    desk.deal()
    desk.finish(collect=False)
    found = the_round(desk)
    kinds = [one.kind for one in hand_of(desk, 1).wagers[0].settled]
    assert kinds == ["main", "super_bonus"]
    assert [(bonus.player, bonus.settled[0].kind) for bonus in found.bonuses] == [("Ben", "envy_bonus")]


def test_a_shoe_that_ran_out_waits_for_the_dealer():
    desk = Desk("adelaide").ready("Ann 1").bet("1 Ann 10")
    desk.table = replace(desk.table, shoe=replace(desk.table.shoe, stack=(), left=0))
    assert seen(desk).waits == WaitsView("dealer")


def test_a_seen_card_is_in_the_view():
    desk = Desk("division-15").ready("Ann 1", cards="7s 9d 8h 3c").bet("1 Ann 10")
    desk.deal(3)
    desk.play(e.ExposeCard(Card("3c")))
    assert the_round(desk).exposed == "3c"
    assert e.RefuseCard(1) in the_round(desk).choices[0].allowed


def test_a_hand_passed_over_may_be_withdrawn_by_its_controller_then_by_the_others():
    desk = Desk("adelaide").ready("Ann 1", cards="7s 9d 8h").bet("1 Ann 10", "1 Ben 10")
    desk.deal(3)
    desk.do(c.Play(e.SkipHand(1), approver="inspector"))
    while desk.table.round is not None and desk.table.round.phase == "dealer":
        desk.deal()
    rows = {choice.player: choice.allowed for choice in the_round(desk).choices}
    assert e.Withdraw(1, "Ann") in rows["Ann"]
    assert "Ben" not in rows
    desk.play(e.Stand(1))
    rows = {choice.player: choice.allowed for choice in the_round(desk).choices}
    assert rows["Ben"] == (e.Withdraw(1, "Ben"),)


def asked(table: Table) -> tuple[set[Pressed], set[tuple[int, str]]]:
    """The button commands that the engine and the table allow, and the wagers that others may insure."""
    assert table.round is not None
    kinds = get_args(Pressed)
    every = [command for command in options(table.round).allowed if isinstance(command, kinds)]
    lawful = {one for one in every if refusal(table, c.Play(one)) is None}
    insured = [one for one in lawful if isinstance(one, Insure)]
    own = {one for one in insured if (one.box, one.player) == (one.for_box, one.for_player)}
    others = {(one.for_box, one.for_player) for one in insured if one.player != one.for_player}
    return {one for one in lawful if not isinstance(one, Insure)} | own, others


@pytest.mark.parametrize("book", NAMES)
def test_choices_are_what_the_engine_allows(book):
    """Only playing on after a surrender not offered in its own phase is left out: a player who plays on just plays."""
    stages: set[str] = set()
    for seed in range(2):
        twins = Twins(book, "manual", seed)
        for _ in range(150):
            twins.step(trouble=0.1)
            table = twins.first
            found = view(table, SPECTATOR).round
            if found is None or table.phase not in ("ready", "round"):
                continue
            stages.add(found.stage)
            lawful, others = asked(table)
            if found.stage == "decision":
                lawful = {one for one in lawful if not isinstance(one, e.DeclineSurrender)}
            shown = {command for choice in found.choices for command in choice.allowed}
            assert shown == lawful, (found.stage, shown ^ lawful)
            assert others <= {(one.box, one.player) for one in found.insurable}
            for choice in found.choices:
                for no in choice.refused:
                    refused = refusal(table, c.Play(no.command, choice.player))
                    assert refused is not None
                    assert (refused.code, refused.clauses) == (no.code, no.clauses)
            if table.phase == "round" and not table.due and table.shoe.left:
                moment = options(table.round)  # type: ignore[arg-type]
                waits = view(table, SPECTATOR).waits
                assert (waits.actor, waits.card_to) == (moment.actor, moment.card_to)
    assert {"wagers", "initial_deal", "decision", "card", "dealer"} <= stages


# --- cards face down -----------------------------------------------------------------------------------


def private(cards: str) -> Desk:
    desk = Desk("adelaide", face_down=True).ready("Ann 1", "Ben 2", cards=cards).bet("1 Ann 10", "2 Ben 10", "2 Cal 10")
    desk.deal(5)
    return desk


def test_cards_face_down_are_seen_by_those_who_bet_on_them():
    desk = private("7s 5h 9d 8h 6c")
    assert hand_of(desk, 1, ANN).cards == ("7s", "8h")
    hidden = hand_of(desk, 1, BEN)
    assert (hidden.cards, hidden.total, hidden.words) == ((FACE_DOWN, FACE_DOWN), 0, "")
    assert hand_of(desk, 2, BEN).cards == hand_of(desk, 2, Viewer("Cal")).cards == ("5h", "6c")
    for viewer in (SPECTATOR, OFFICIAL, Viewer("Zoe")):
        assert {card for box in the_round(desk, viewer).boxes for card in box.hands[0].cards} == {FACE_DOWN}
        assert the_round(desk, viewer).choices == ()
    assert the_round(desk, ANN).choices[0].player == "Ann"
    assert seen(desk, BEN).waits == seen(desk, ANN).waits == WaitsView("controller", ("Ann",))


def test_classes_of_viewers_at_a_private_table():
    desk = private("7s 5h 9d 8h 6c")
    keys = [viewer_class(desk.table, viewer) for viewer in (SPECTATOR, OFFICIAL, ANN, BEN, Viewer("Cal"))]
    assert keys == ["", "", "1", "2", "2"]


def test_a_double_and_the_end_of_the_round_turn_cards_up():
    desk = private("7s 5h 9d 8h 6c 2d 9s")
    desk.play(Hit(1))
    desk.deal()
    assert hand_of(desk, 1, BEN).cards == (FACE_DOWN, FACE_DOWN, "2d")
    desk.play(Stand(1), e.Double(2))
    assert hand_of(desk, 2).cards == ("5h", "6c")
    desk.deal()
    assert hand_of(desk, 1).cards[0] == FACE_DOWN
    desk.finish(collect=False)
    assert hand_of(desk, 1).cards == ("7s", "8h", "2d")


def test_a_settled_hand_is_turned_up():
    desk = private("7s 5h 9d 8h 6c Ks")
    desk.play(Hit(1))
    desk.deal()
    assert hand_of(desk, 1, BEN).cards == ("7s", "8h", "Ks")
    assert hand_of(desk, 1, BEN).words == "bust 25"


def test_a_player_who_might_insure_face_down_is_waited_for_until_they_answer():
    desk = private("7s 5h Ad 8h 6c")
    assert the_round(desk, BEN).offer == "insurance"
    assert [choice.player for choice in the_round(desk, BEN).choices] == ["Ben", "Cal"]
    assert set(seen(desk, BEN).waits.players) == {"Ann", "Ben", "Cal"}
    assert set(seen(desk).waits.players) == {"Ann", "Ben", "Cal"}
    desk.play(Insure(1, "Ann", 500))
    assert seen(desk, BEN).waits.players == ("Ben", "Cal")


@pytest.mark.parametrize("other", ["2s 5h 9d 3h 6c", "8s 5h 9d 8d 6c", "9s 5h 9d Kd 6c", "As 5h 9d 2c 6c"])
def test_what_others_get_does_not_depend_on_cards_face_down(other):
    """A hand to draw to, a pair, a hand to stand on, an ace: until something is done, anyway."""
    one, two = private("7s 5h 9d 8h 6c"), private(other)
    for viewer in (SPECTATOR, OFFICIAL, BEN, Viewer("Cal")):
        assert encoded(view(one.table, viewer)) == encoded(view(two.table, viewer))
    assert encoded(view(one.table, ANN)) != encoded(view(two.table, ANN))


def test_a_surrendered_hand_stays_down():
    desk = private("9s 5h Kd 7h 6c")
    assert the_round(desk).offer == "surrender"
    desk.play(Surrender(1, "Ann"))
    assert hand_of(desk, 1).cards == (FACE_DOWN, FACE_DOWN)
    assert hand_of(desk, 1).wagers[0].surrendered
