"""What the layout and the questions say comes from the rulebook, an operator's override included."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pontoon.engine import CloseOffer, Double, Forfeit, Hit, Split, Stand, Surrender
from pontoon.engine.state import Limits, SideLimits
from pontoon.rulebook import NAMES, load
from pontoon.table import Table, refusal
from pontoon.view.cloth import cloth, inscriptions
from pontoon.view.table import table_view
from pontoon.view.table_parts import ChoiceView, ClothView
from pontoon.view.viewer import Viewer
from tests.table.desk import Desk, bet


def layout(rulebook: str, packs: int = 8, **overrides: object) -> ClothView:
    return cloth(Table(load(rulebook, {key.replace("__", "."): value for key, value in overrides.items()}), packs))


def texts(rulebook: str, **overrides: object) -> dict[str, str]:
    return {inscription.name: inscription.text for inscription in layout(rulebook, 8, **overrides).inscriptions}


@pytest.mark.parametrize("name", NAMES)
def test_the_inscriptions_say_the_values_of_the_book(name: str):
    rules = load(name)
    assert texts(name) == {
        "pontoon": f"Pontoon pays {rules.payout.pontoon}".replace(":", " to "),
        "dealer": f"Dealer must stand on hard {rules.dealer.stands_hard} or soft {rules.dealer.stands_soft}",
        "insurance": f"Insurance pays {rules.insurance.odds}".replace(":", " to "),
    }


def test_adelaide_4_and_division_15_3_2_b_the_inscriptions_of_the_documents():
    assert [inscription.text for inscription in inscriptions(load("adelaide"))] == [
        "Pontoon pays 3 to 2",
        "Dealer must stand on hard 17 or soft 18",
        "Insurance pays 2 to 1",
    ]
    assert [one.title for one in layout("adelaide").side] == ["Perfect Pairs"]


def test_an_override_is_printed():
    printed = texts("star", payout__pontoon="6:5", dealer__stands_soft=17, insurance__odds="5:2")
    assert printed == {
        "pontoon": "Pontoon pays 6 to 5",
        "dealer": "Dealer must stand on hard 17 or soft 17",
        "insurance": "Insurance pays 5 to 2",
    }
    assert layout("star", boxes__count=5).boxes == 5
    assert layout("star", packs=6).cards == 6 * 48
    (side,) = layout("star", side__perfect_pairs__pays__mixed="6:1").side
    assert [odd.odds for odd in side.odds] == ["25 to 1", "10 to 1", "6 to 1"]
    assert layout("star", side__perfect_pairs__offered=False).side == ()


@pytest.mark.parametrize("name", NAMES)
def test_the_side_wagers_are_those_the_table_takes(name: str):
    found = table_view(Table(load(name), 8), Viewer())
    assert tuple(one.name for one in found.cloth.side) == found.side_wagers


def test_canberra_has_two_side_wagers_with_their_odds():
    pairs, play = layout("canberra").side
    assert (pairs.title, [odd.odds for odd in pairs.odds]) == ("Perfect Pairs", ["25 to 1", "12 to 1", "6 to 1"])
    assert (play.title, [(odd.title, odd.odds) for odd in play.odds]) == ("Pairs Play", [("pair", "11 to 1")])


def test_a_wager_that_is_no_multiple_is_refused():
    desk = Desk("star", limits=Limits()).ready("Ann 1")
    multiple = table_view(desk.table, Viewer()).cloth.multiple
    for stake in (multiple, 5 * multiple, 501 * multiple):
        assert refusal(desk.table, bet(f"1 Ann {stake / 100:.2f}")) is None
    for stake in (multiple + 1, 501 * multiple - 1):
        refused = refusal(desk.table, bet(f"1 Ann {stake / 100:.2f}"))
        assert refused is not None
        assert refused.code == "stake_not_even"


# --- questions and unusual plays -----------------------------------------------------------------------


def choice(desk: Desk, player: str = "Ann") -> ChoiceView:
    found = table_view(desk.table, Viewer()).round
    assert found is not None
    return next(one for one in found.choices if one.player == player)


def dealt(rulebook: str, cards: str, wager: str = "1 Ann 15", count: int = 3) -> Desk:
    desk = Desk(rulebook, limits=Limits()).ready("Ann 1", cards=cards).bet(wager)
    desk.deal(count)
    return desk


def test_an_offer_is_a_question_with_its_amount():
    desk = dealt("division-15", "8s Ad 8h")
    assert choice(desk).question == "Insurance for $7.50?"
    desk.play(CloseOffer())
    assert choice(desk).question == "Surrender half your bet?"
    assert choice(desk).unusual == {"Surrender": "surrender half your bet"}
    desk.play(CloseOffer())
    assert choice(desk).question == ""


def test_a_double_that_may_be_forfeited_is_a_question_with_the_loss():
    desk = dealt("division-15", "5s 9d 6h 9s", wager="1 Ann 2000")
    desk.play(Double(1))
    desk.deal()
    found = choice(desk)
    assert found.question == "Take back the double and lose $2,000?"
    assert found.unusual == {"Forfeit": "lose your original bet"}
    assert Forfeit(1, "Ann") in found.allowed


@pytest.mark.parametrize(
    ("cards", "unusual"),
    [
        ("9s 9d 8h", {"Hit": "hit hard 17"}),
        ("9s 9d 7h", {}),
        ("As 9d 8h", {"Hit": "hit soft 19"}),
        ("As 9d 7h", {}),
        ("5s 9d 6h", {"Stand": "stand on 11"}),
        ("6s 9d 6h", {}),
        ("Ks 9d Kh", {"Hit": "hit hard 20", "Split": "split a total of 20"}),
        ("9s 9d 9h", {"Hit": "hit hard 18"}),
    ],
)
def test_a_play_that_is_rarely_meant_is_named(cards: str, unusual: dict[str, str]):
    found = choice(dealt("star", cards))
    assert found.unusual == unusual
    assert {type(command) for command in found.allowed} >= {Hit, Stand}


def test_what_is_refused_is_not_called_unusual():
    found = choice(dealt("division-15", "5s 9d 6h"))
    assert {type(one.command) for one in found.refused} >= {Stand, Split, Surrender}
    assert found.unusual == {}


def test_the_guard_follows_the_book():
    desk = Desk("star")
    desk.table = replace(desk.table, rules=load("star", {"dealer.stands_hard": 18}))
    desk.ready("Ann 1", cards="9s 9d 8h").bet("1 Ann 15")
    desk.deal(3)
    assert choice(desk).unusual == {}


def test_a_side_bet_has_the_limits_of_the_book_and_of_the_sign():
    rules = load("star", {"side.perfect_pairs.minimum": "2", "side.perfect_pairs.multiple": "1"})
    (book,) = cloth(Table(rules, 8)).side
    assert (book.minimum, book.maximum, book.multiple) == (200, 0, 100)
    limits = Limits(side=(SideLimits("perfect_pairs", maximum=5000),))
    (signed,) = cloth(Table(rules, 8, limits=limits)).side
    assert (signed.minimum, signed.maximum, signed.multiple) == (200, 5000, 100)


def test_a_side_bet_is_offered_with_the_packs_it_asks_for():
    assert layout("adelaide", packs=5).side == ()
    assert [one.name for one in layout("adelaide", packs=6).side] == ["perfect_pairs"]


def test_a_card_to_a_split_ace_lies_across():
    desk = dealt("division-15", "As 9d Ah 5c 6c")
    desk.play(Split(1))
    desk.deal(2)
    found = table_view(desk.table, Viewer()).round
    assert found is not None
    assert [hand.sideways for hand in found.boxes[0].hands] == [2, 2]


def test_a_bonus_row_is_named_beside_the_words():
    desk = dealt("star", "6s 9d 7s 8s")
    desk.play(Hit(1))
    desk.deal()
    found = table_view(desk.table, Viewer()).round
    assert found is not None
    (hand,) = found.boxes[0].hands
    assert (hand.row, hand.words) == ("6-7-8 spades", "21, 6-7-8 spades")


def test_the_layout_says_whether_a_double_is_for_the_whole_wager():
    assert {name: layout(name).full_double for name in NAMES} == {
        name: not load(name).double.for_less for name in NAMES
    }
    assert layout("star").full_double != layout("canberra").full_double
