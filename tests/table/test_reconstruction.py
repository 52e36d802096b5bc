"""Reconstruction of rounds, extra hands, and announcements at the table."""

from __future__ import annotations

import hashlib
from random import Random

import pytest
from msgspec.structs import replace

from pontoon.cards import Card
from pontoon.engine import (
    BurnCard,
    CallNoMoreBets,
    CloseOffer,
    Command,
    Double,
    ExposeCard,
    Hit,
    Insure,
    Limits,
    MissCard,
    PlaceWager,
    Refusal,
    RefuseCard,
    Ride,
    SkipDealer,
    Split,
    Stand,
    VoidBox,
    VoidRound,
)
from pontoon.ledger import table_balances, table_postings
from pontoon.rulebook import load
from pontoon.table import Table, options, play, refusal
from pontoon.table import commands as c
from pontoon.table.automatic import AutomaticTable
from pontoon.table.bots import chart_bot, random_bot
from pontoon.table.events import (
    Announced,
    DisputeDecided,
    InRound,
    LeftOverRemoved,
    RoundBegan,
    RoundReconstructed,
    TableEvent,
)
from pontoon.table.fairness import reveal, verify
from pontoon.table.reconstruction import initial_deal_complete
from pontoon.table.state import Shoe

ANN, BEN, CALL = PlaceWager(1, "Ann", 1000), PlaceWager(1, "Ben", 500), CallNoMoreBets()


def floor(name: str, overrides: dict[str, object] | None = None, packs: int = 8) -> Table:
    """A table on the floor with a full shoe, ready for wagers."""
    rules = load(name, overrides)
    table = Table(rules, packs=packs, limits=Limits(500), mode="floor", phase="ready", due="", new_cards=False)
    return replace(table, shoe=Shoe(left=table.size, behind=40))


def after(table: Table, *steps: Command | c.TableCommand | str) -> Table:
    """The table after these steps; a word is a row of cards."""
    for step in steps:
        commands: list[c.TableCommand]
        if isinstance(step, str):
            commands = [c.Deal(card) for card in step.split()]
        else:
            commands = [step if isinstance(step, c.TableCommand) else c.Play(step, approver="pit_boss")]
        for command in commands:
            played = play(table, command)
            assert not isinstance(played, Refusal), (command, played)
            table = played.state
    return table


def cards(row: str) -> tuple[Card, ...]:
    return tuple(Card(card) for card in row.split())


def code(table: Table, command: c.TableCommand) -> str:
    refused = refusal(table, command)
    return refused.code if refused else ""


def hands(table: Table) -> list[str]:
    """The hands of the round, box by box, then the dealer's."""
    assert table.round is not None
    rows = [hand.cards for box in table.round.boxes for hand in box.hands]
    return [" ".join(row) for row in (*rows, table.round.dealer)]


def again(row: str, by: c.Role = "casino_supervisor", approver: str = "") -> c.Reconstruct:
    """These cards dealt again in this order."""
    return c.Reconstruct(cards(row), "dealt_again", by, approver, "misplaced")


CAL, DEE = PlaceWager(2, "Cal", 1000), PlaceWager(3, "Dee", 1000)


def test_canberra_15_4_swapped_cards_lie_where_they_should_have_gone():
    table = after(floor("canberra"), ANN, CAL, CALL, "9s 5h 9d 7h 8c")
    table = after(table, again("9s 5h 9d 8c 7h"))
    assert table.round is not None
    assert (table.round.phase, table.round.cards_used, table.shoe.left) == ("decision", 5, 379)
    assert hands(table) == ["9s 8c", "5h 7h", "9d"]


@pytest.mark.parametrize("name", ["division-15", "canberra"])
def test_16_5_15_4_decisions_on_the_same_cards_stand_and_only_the_others_are_open(name):
    """Ann stood, Cal drew and stood; the cards of Cal and Dee were swapped before that."""
    table = after(floor(name), ANN, CAL, DEE, CALL, "Kc 6c 9s 8h 8s 5d 4h", Stand(1), Hit(2), "9d", Stand(2))
    played = play(table, again("Kc 6c 9s 8h 8s 4h 5d 9d", "operator"))
    assert not isinstance(played, Refusal)
    table = played.state
    assert hands(table)[:3] == ["Kc 8s", "6c 4h", "9s 5d"]
    assert [one.command for one in table.acts] == [Stand(1)]
    assert table.round is not None
    assert table.round.turn == (2, 1), "Cal decides on other cards"
    # nobody decides again in view of a card that was seen
    assert (table.shoe.discards, table.ruled) == (cards("9d"), ())
    removed = next(event for event in played.events if isinstance(event, LeftOverRemoved))
    assert removed.clauses == (("16.3",) if name == "division-15" else ("15.2",))


def test_division_15_16_5_a_card_that_was_not_dealt_moves_every_later_card():
    """Ann stands on 15 and is dealt 6d anyway; Cal, who draws, gets 9c and is bust (situation C17)."""
    table = after(floor("division-15"), ANN, CAL, CALL, "Kc 8s 7h 5d 5h", Stand(1), Hit(2), "9c")
    assert table.phase == "collect" or table.in_rack == ((2, 1),)
    table = after(table, again("Kc 8s 7h 5d 5h 6d 9c", "operator"))
    assert hands(table) == ["Kc 5d", "8s 5h 6d", "7h"]
    assert [one.command for one in table.acts] == [Stand(1), Hit(2)]
    assert (table.in_rack, table.shoe.discards, table.shoe.left) == ((), cards("9c"), 384 - 7), "16.3: to the rack"
    table = after(table, Stand(2), "9h 5s")
    assert table.phase == "collect"


def test_canberra_15_2_the_card_left_over_is_the_next_card_and_no_other_may_be_entered():
    table = after(floor("canberra"), ANN, CAL, CALL, "Kc 8s 7h 5d 5h", Stand(1), Hit(2), "9c")
    table = after(table, again("Kc 8s 7h 5d 5h 6d 9c"))
    assert hands(table) == ["Kc 5d", "8s 5h 6d", "7h"]
    assert table.round is not None
    assert (table.ruled, table.round.exposed) == (cards("9c"), "9c")
    table = after(table, Stand(2))
    assert code(table, c.Deal("2c")) == "not_the_ruled_card"
    assert code(table, c.Play(BurnCard(Card("2c"), "in_error"))) == "not_the_ruled_card"
    table = after(table, "9c 5s")
    assert (table.phase, hands(table)[-1]) == ("collect", "7h 9c 5s")


def test_canberra_15_4_15_2_a_hand_too_many_found_after_the_deal():
    """Situation C16: Kd and 4d lay on a box without a wager."""
    table = after(floor("canberra"), ANN, PlaceWager(3, "Dee", 1000), CALL, "5c 8h 9s 7c 6s")
    table = after(table, again("5c Kd 8h 9s 7c 4d 6s"))
    assert hands(table) == ["5c 9s", "Kd 7c", "8h"]
    assert (table.ruled, table.shoe.left) == (cards("4d 6s"), 384 - 5)
    table = after(table, Hit(1), "4d", Stand(1), Stand(3), "6s 9h")
    assert hands(table) == ["5c 9s 4d", "Kd 7c", "8h 6s 9h"]
    assert table.ruled == ()


def test_canberra_15_2_what_nobody_took_goes_to_the_rack_with_the_round():
    table = after(floor("canberra"), ANN, CALL, "Kc 7h 9d")
    table = after(table, again("Kc 7h 9d 2c 3c"))
    assert table.ruled == cards("2c 3c")
    void = after(table, VoidRound())
    assert void.shoe.discards == cards("Kc 9d 2c"), "the exposed card is burned with the round"
    played = play(void, c.Collect())
    assert not isinstance(played, Refusal)
    assert isinstance(played.events[0], LeftOverRemoved)
    assert played.state.shoe.left == 384 - 5
    assert played.state.shoe.discards == cards("Kc 9d 2c 3c 7h")


def test_adelaide_109_112_a_hand_too_many_is_put_right_until_the_initial_deal_is_complete():
    """Situations A23 and A24."""
    table = after(floor("adelaide"), ANN, PlaceWager(3, "Dee", 1000), CALL, "4c 7h Kc")
    right = again("4c 9d 7h Kc", "dealer", "inspector")
    table = after(table, right, "8s")
    assert hands(table) == ["4c Kc", "9d 8s", "7h"]
    late = after(floor("adelaide"), ANN, PlaceWager(3, "Dee", 1000), CALL, "Kc 9h 6s 8h 4d")
    extra = c.RemoveExtraHand(cards("8d Kd"), "dealer", "inspector")
    assert code(late, extra) == "put_right"
    late = after(late, Stand(1))
    assert code(late, again("Kc 8d 9h 6s 8h Kd 4d", "dealer", "operator")) == "extra_hand_is_void"
    late = after(late, extra)
    assert (hands(late), late.shoe.discards) == (["Kc 8h", "9h 4d", "6s"], cards("8d Kd"))


def test_division_15_16_5_a_compulsory_draw_is_carried_out():
    """Cal has 11 and was passed over; the king that made Dee bust is Cal's (situation D12)."""
    table = after(floor("division-15"), ANN, CAL, DEE, CALL, "Kc 6c 9s 8h 8s 5d 4h", Stand(1))
    table = after(table, again("Kc 6c 9s 8h 8s 5d 4h Kd", "operator"))
    assert hands(table)[1:3] == ["6c 5d Kd", "9s 4h"]
    assert [one.command for one in table.acts] == [Stand(1), Hit(2)]
    assert table.round is not None
    assert table.round.turn == (3, 1)


def test_adelaide_1_i_i_and_1_i_ii_are_different_operations():
    """Ann and Cal have each other's hands; Ann stood on 19, Cal drew on 12."""
    table = after(floor("adelaide"), ANN, CAL, CALL, "Kc 7c 6d 9s 5d", Stand(1), Hit(2), "8h")
    dealt = again("7c Kc 6d 5d 9s 8h", "dealer", "operator")
    laid = c.Reconstruct(cards("7c 5d Kc 9s 8h 6d"), "laid_again", "dealer", "operator", "wrong boxes")
    assert code(after(floor("division-15"), ANN, CALL, "9s"), c.Reconstruct(cards("9s"), "laid_again", "operator")) == (
        "hands_not_laid_again"
    )
    again_table = after(table, dealt)
    assert hands(again_table) == ["7c 5d", "Kc 9s", "6d"]
    assert again_table.acts == (), "both decide again, and 8h is burned"
    assert again_table.shoe.discards == cards("8h")
    laid_table = after(table, laid)
    assert hands(laid_table) == ["7c 5d", "Kc 9s 8h", "6d"]
    assert [one.command for one in laid_table.acts] == [Stand(1), Hit(2)], "complete hands keep every decision"
    assert code(table, replace(laid, cards=cards("7c 5d Kc 9s 8h 6d 2c"))) == "wrong_cards"


def test_adelaide_1_i_ii_split_hands_are_laid_again_in_order():
    table = after(floor("adelaide"), ANN, CALL, "8c 6d 8d", Split(1), "8h", Split(1), "9d", Stand(1), "Kc", Stand(1))
    table = after(table, "5s", Stand(1), "Kd 2c")
    assert hands(table) == ["8c 9d", "8h Kc", "8d 5s", "6d Kd 2c"]
    laid = c.Reconstruct(cards("8c 9d 8h 5s 8d Kc 6d Kd 2c"), "laid_again", "dealer", "operator")
    table = after(table, laid)
    assert hands(table) == ["8c 9d", "8h 5s", "8d Kc", "6d Kd 2c"]
    assert table.phase == "collect"


def test_adelaide_105_a_hand_without_any_card_has_not_missed_its_second():
    table = after(floor("adelaide"), ANN, CAL, CALL, SkipDealer())
    assert code(table, c.Play(MissCard(1), approver="pit_boss")) == "no_card_due"
    table = after(table, "3c 9d", MissCard(1), "8h")
    assert hands(table) == ["3c", "9d 8h", ""]


def test_a_void_stands_when_the_round_is_put_right():
    table = after(floor("division-15"), ANN, CAL, CALL, "Kc 6c 8h 8s 5d", VoidBox(1), Hit(2), "2c")
    table = after(table, again("Kc 6c 8h 8s 2c 5d", "operator"))
    assert table.round is not None
    assert {one.box for one in table.round.settlements} == {1}
    assert [one.command for one in table.acts] == [VoidBox(1)]


def test_division_15_16_4_a_card_seen_in_error_stays_the_next_one():
    table = after(floor("division-15"), ANN, CAL, CALL, "Kc 6c 8h 3s 8d", ExposeCard(Card("4h")), RefuseCard(1))
    table = after(table, again("Kc 6c 8h 3s 8d", "operator"))
    assert [type(one.command) for one in table.acts] == [ExposeCard, RefuseCard]
    assert table.round is not None
    assert (table.round.exposed, table.round.turn) == ("4h", (2, 1))
    swapped = after(table, again("Kc 6c 8h 8d 3s", "operator"))
    assert swapped.shoe.discards == cards("4h"), "Ann decides on other cards, and nobody knows the next"
    assert swapped.acts == ()


def test_faces_the_packs_cannot_hold_are_refused_on_the_floor():
    table = after(floor("star", packs=6), ANN, CAL, CALL, "2c 2c 2c 2c 2c", Hit(1), "2c", Hit(1))
    assert code(table, c.Deal("2c")) == "no_such_card_left"
    assert code(table, c.Deal("2d")) == ""
    lax = floor("star", {"shoe.counted": False}, packs=6)
    lax = after(lax, ANN, CAL, CALL, "2c 2c 2c 2c 2c", Hit(1), "2c", Hit(1))
    assert code(lax, c.Deal("2c")) == ""


def test_division_15_16_5_what_moved_since_the_call_is_undone():
    begun = (ANN, BEN, PlaceWager(2, "Cal", 1000), CALL, "5s As Ad 6h Kd")
    table = after(floor("division-15"), *begun, Insure(1, "Ben", 200), CloseOffer(), CloseOffer(), Double(1), "Kc")
    played = play(table, again("5s As Ad 6h Kc Kd", "operator"))
    assert not isinstance(played, Refusal)
    event = next(event for event in played.events if isinstance(event, RoundReconstructed))
    # Ann added 10 and was paid 20 on 20; Ben insured for 2 and was paid 5 on 5; Cal was paid 15 on 10.
    assert event.returns == (
        ("Ann", 1, 1000 - 4000, 2000 - 1000),
        ("Ben", 1, 200 - 1000, 500 - 200),
        ("Cal", 2, -2500, 1000),
    )
    assert sum(posting.amount for posting in table_postings(event)) == 0
    assert event.clauses[0] == "16.5"


def test_as_version_0_1_0_had_it_a_round_is_dealt_again_from_the_call():
    table = floor("canberra", {"irregular.reconstruction": "from_call"})
    table = after(table, ANN, CAL, CALL, "9s 5h 9d 7h 8c", Stand(1))
    assert table.acts == ()
    assert code(table, again("9s 5h 9d 8c 7h 2c")) == "wrong_cards"
    table = after(table, again("9s 5h 9d 8c 7h"))
    assert table.round is not None
    assert (table.round.phase, table.round.cards_used, table.shoe.left) == ("initial_deal", 0, 384)
    assert table.ruled == ()
    assert hands(after(table, "9s 5h 9d 8c 7h")) == ["9s 8c", "5h 7h", "9d"]


@pytest.mark.parametrize(
    ("steps", "complete"),
    [
        (("9s 9d 7h",), False),
        (("9s 9d 7h", Stand(1)), True),
        (("5s 9d 4h", Hit(1), "2c"), True),
        (("8s 9d 8h", Split(1), "2c"), True),
        (("As 9d Kh",), True),
    ],
    ids=[
        "47(d) two cards each",
        "47(d)(i) a stand",
        "47(d)(ii) a third card",
        "47(d)(iii) a split",
        "47(d)(iv) a pontoon",
    ],
)
def test_adelaide_47_d_when_the_initial_deal_is_complete(steps, complete):
    table = after(floor("adelaide"), ANN, CALL, *steps)
    assert table.round is not None
    assert initial_deal_complete(table.round) is complete


def test_adelaide_112_an_inspector_supervises_the_initial_deal_the_management_the_rest():
    table = after(floor("adelaide"), ANN, CALL, "9s 9d 7h")
    right = cards("9s 9d 7h")
    assert code(table, c.Reconstruct(right, "dealt_again", "dealer")) == "needs_second_person"
    assert code(table, c.Reconstruct(right, "dealt_again", "dealer", "inspector")) == ""
    table = after(table, Hit(1), "2c")
    right = cards("9s 9d 7h 2c")
    assert code(table, c.Reconstruct(right, "dealt_again", "dealer", "inspector")) == "needs_second_person"
    assert code(table, c.Reconstruct(right, "dealt_again", "dealer", "operator")) == ""
    assert code(table, c.Reconstruct(right, "dealt_again", "operator", "operator")) == "needs_second_person"


def test_a_round_is_put_right_with_its_own_cards_where_the_document_says_so():
    silent = after(floor("star"), ANN, CALL, "9s 9d 7h")
    assert code(silent, c.Reconstruct(cards("9s 9d 7h"), "dealt_again", "game_supervisor")) == "document_silent"
    assert code(silent, c.Reconstruct(cards("9s 9d 7h"), "dealt_again", "operator")) == "", "the house decides"
    assert code(floor("canberra"), c.Reconstruct((), "dealt_again", "operator")) == "no_round"
    table = after(floor("canberra"), ANN, CALL, "9s 9d 7h")
    assert code(table, c.Reconstruct(cards("9s 9d 2c"), "dealt_again", "operator")) == "wrong_cards"


def test_a_reconstruction_in_an_automatic_table_keeps_the_proof():
    table = AutomaticTable(
        Table(load("canberra"), packs=8), lambda number: hashlib.sha256(f"again {number}".encode()).digest()
    )
    table.open([("Ann", 1)])
    for command in (ANN, CALL):
        assert table.do(c.Play(command)) is None
    for _ in range(3):
        table.must(c.Deal())
    first, second, third = table.table.on_layout[0], table.table.on_layout[2], table.table.on_layout[1]
    assert table.do(c.Reconstruct((first, second, third), "dealt_again", "operator")) is None
    while table.table.phase == "round":
        table._step(lambda state: chart_bot(state, None))  # type: ignore[arg-type]
    assert table.record is not None
    assert all(one.ok for one in verify(reveal(table.record, table.seed)))


def test_adelaide_109_a_hand_too_many_is_void_and_burned():
    table = after(floor("adelaide"), ANN, CAL, CALL, "9s 9c 9d 7h 7d", Stand(1))
    extra = c.RemoveExtraHand(cards("2c 3c"), "dealer", "pit_boss")
    assert after(table, extra).shoe.left == table.shoe.left - 2
    assert after(table, extra).shoe.discards == cards("2c 3c")
    assert code(table, c.RemoveExtraHand(cards("2c 3c"), "dealer")) == "needs_second_person"
    assert code(table, c.RemoveExtraHand((), "dealer", "pit_boss")) == "wrong_cards"
    early = after(floor("adelaide"), ANN, CALL, "9s")
    assert code(early, extra) == "put_right"
    assert code(after(floor("canberra"), ANN, CALL), extra) == "put_right"
    star = after(floor("star"), ANN, CALL, "9s 9d 7h")
    assert code(star, extra) == "document_silent"
    assert code(star, replace(extra, by="operator")) == "", "the house decides"


def test_adelaide_109_in_an_automatic_table_the_cards_are_the_next_of_the_shoe():
    table = AutomaticTable(
        Table(load("adelaide"), packs=8), lambda number: hashlib.sha256(f"extra {number}".encode()).digest()
    )
    table.open([("Ann", 1)])
    for command in (ANN, CAL, CALL):
        assert table.do(c.Play(command)) is None
    while table.table.round is not None and not initial_deal_complete(table.table.round):
        table.must(table.program.next_command(table.table))
    extra = table.table.shoe.stack[:2]
    assert code(table.table, c.RemoveExtraHand(extra[::-1], "dealer", "pit_boss")) == "wrong_cards"
    assert table.do(c.RemoveExtraHand(extra, "dealer", "pit_boss")) is None
    assert table.record is not None
    assert all(one.ok for one in verify(reveal(table.record, table.seed)))


def test_division_15_5_3_a_wager_called_out_needs_its_chips():
    table = floor("division-15")
    assert code(table, c.CallOut(ANN, chips=False)) == "chips_needed"
    played = play(table, c.CallOut(ANN, chips=True))
    assert not isinstance(played, Refusal)
    assert [type(event) for event in played.events] == [RoundBegan, InRound]
    assert "5.2" in played.events[0].clauses
    assert code(floor("adelaide"), c.CallOut(ANN, chips=True)) == "no_oral_wagers"
    assert code(floor("star"), c.CallOut(ANN, chips=True)) == "document_silent"


def test_adelaide_20_85_partners_count_as_one():
    table = after(floor("adelaide"), c.DeclarePartners(("Ann", "Ben"), "operator"), ANN)
    assert code(table, c.Play(BEN)) == "partner_on_box"
    assert code(table, c.Play(PlaceWager(2, "Ben", 500))) == ""
    assert code(table, c.DeclarePartners(("Ann",), "operator")) == "partners_needed"
    assert code(floor("canberra"), c.DeclarePartners(("Ann", "Ben"), "operator")) == "document_silent"


def test_adelaide_81_a_a_restricted_co_bettor_covers_the_split():
    restricted = c.Restrict("Ben", "operator", consulted=True)
    table = after(floor("adelaide"), restricted, ANN, BEN, CALL, "8s 9d 8h", Split(1))
    assert code(table, c.Play(Ride(1, "Ben", 1))) == "must_cover"
    assert code(table, c.Play(Split(1, "Ben"))) == ""
    free = after(
        floor("canberra"), c.Restrict("Ben", "operator", reason="tracked"), ANN, BEN, CALL, "8s 9d 8h", Split(1)
    )
    assert code(free, c.Play(Ride(1, "Ben", 1))) == ""


def test_adelaide_22_second_somebody_held_back_who_sits_out_loses_the_seat():
    table = floor("adelaide")
    for box in range(1, 8):
        table = after(table, c.Sit(f"P{box}", box))
    table = after(table, c.Restrict("P7", "operator", consulted=True))
    for _ in range(2):
        assert code(table, c.TakeSeat("P7", "operator")) == "seat_not_idle"
        table = after(table, PlaceWager(1, "P1", 1000), PlaceWager(2, "P2", 1000), CALL, "9s 9h 9d 9c 9d")
        table = after(table, Stand(1), Stand(2), "Kh", c.Collect())
    played = play(table, c.TakeSeat("P7", "operator"))
    assert not isinstance(played, Refusal)
    assert played.events[0].clauses == ("22 (second)",)


def test_canberra_2_3_the_dealer_tells_packs_and_shuffle():
    played = play(floor("canberra"), c.AskCards("Ann"))
    assert not isinstance(played, Refusal)
    said = played.events[0]
    assert isinstance(said, Announced)
    assert said.words == "8 packs, shuffled for a manual shoe"
    assert "2.3" in said.clauses
    assert code(floor("federal"), c.AskCards("Ann")) == "document_silent"


@pytest.mark.parametrize(("name", "clauses"), [("adelaide", {"122", "123", "124"}), ("canberra", {"17.4"})])
def test_disputes_are_decided_by_the_house_with_a_review(name, clauses):
    played = play(floor(name), c.DecideDispute("Ann", "the total of box 1", "it was 20", "operator"))
    assert not isinstance(played, Refusal)
    assert isinstance(played.events[0], DisputeDecided)
    assert clauses <= set(played.events[0].clauses)
    assert code(floor(name), c.DecideDispute("Ann", "", "", "operator")) == "reason_needed"
    silent = play(floor("federal"), c.DecideDispute("Ann", "x", "y", "operator"))
    assert not isinstance(silent, Refusal)
    assert isinstance(silent.events[0], DisputeDecided)
    assert silent.events[0].house
    assert not silent.events[0].clauses


def test_division_15_3_4_a_batch_shuffler_takes_turns_with_two_sets():
    rules = load("division-15")
    table = AutomaticTable(
        Table(rules, packs=4, device="batch", cutting_cards=2),
        lambda number: hashlib.sha256(f"sets {number}".encode()).digest(),
    )
    table.open([("Ann", 1)])
    sets = [table.table.set_in_use]
    while table.table.shoe_number < 3:
        shoe = table.table.shoe_number
        table.play_round([ANN], lambda state: chart_bot(state, None))  # type: ignore[arg-type]
        if table.table.shoe_number != shoe:
            sets.append(table.table.set_in_use)
    assert sets == [1, 2, 1]
    assert code(Table(load("canberra"), packs=4, cutting_cards=2), c.Open()) == "too_many_cutting_cards"
    assert code(Table(rules, packs=4, cutting_cards=2), c.Open()) == ""


def test_the_books_balance_over_a_reconstructed_round():
    table = AutomaticTable(
        Table(load("canberra"), packs=8), lambda number: hashlib.sha256(f"books {number}".encode()).digest()
    )
    table.open([("Ann", 1)])
    chance = Random(3)
    for number in range(60):
        for command in (ANN, BEN, CALL):
            table.do(c.Play(command))
        steps = 0
        while table.table.phase == "round":
            table._step(lambda state: random_bot(state, chance))
            steps += 1
            layout = table.table.on_layout
            if steps == 6 and table.table.phase in ("round", "collect") and number % 2 and layout:
                table.do(c.Reconstruct(tuple(sorted(layout)), "dealt_again", "operator"))
        table.must(c.Collect())
        if table.table.due:
            table.prepare()
        totals = table_balances(table.events)
        assert sum(totals.values()) == 0
        assert not [account for account, amount in totals.items() if account.startswith("escrow/") and amount]
    assert any(isinstance(event, RoundReconstructed) for event in table.events)


def test_canberra_15_5_a_void_round_is_mirrored_in_the_books_and_what_is_owed_is_a_receivable():
    table = after(floor("canberra"), c.Sit("Ann", 1), c.Sit("Cal", 2), ANN, PlaceWager(2, "Cal", 1000), CALL)
    events: list[TableEvent] = []
    steps = [*(c.Deal(card) for card in ["As", "5h", "9d", "Kh", "8c"]), c.Play(Hit(2)), c.Deal("Kc"), c.Collect()]
    later = [c.Leave("Ann"), c.Play(PlaceWager(2, "Cal", 1000)), c.Play(CALL), c.Deal("9s")]
    for command in (*steps, *later, c.VoidEarlier(1, "casino_supervisor", reason="cards swapped")):
        played = play(table, command)
        assert not isinstance(played, Refusal), (command, played)
        table = played.state
        events += played.events
    owed = table_balances(event for event in events if not isinstance(event, InRound))
    assert owed == {"house": 500, "wallet/Ann": 0, "wallet/Cal": 1000, "receivable/Ann": -1500}
    assert table.owed == (("Ann", 1500),)


def test_the_list_of_options_holds_what_the_round_allows():
    table = after(floor("division-15"), c.Sit("Ann", 1), ANN, CALL, "9s 9d 7h")
    moment = options(table)
    assert c.Play(Hit(1)) in moment.allowed
    assert c.Collect() in [command for command, _ in moment.refused]
    assert floor("division-15").on_layout == ()


def test_canberra_15_3_a_hand_never_asked_does_not_decide_knowing_the_dealers_card():
    """A83: Ann was paid a pontoon, so play went to the dealer; the cards were mixed up, and she has a choice now."""
    table = after(floor("canberra"), ANN, CAL, CALL, "Ac 8s 7h Kc 5h", Stand(2), "9d")
    assert table.round is not None
    assert table.round.dealer == cards("7h 9d")
    swapped = after(table, again("Ac 8s 7h 5h Kc 9d"))
    assert hands(swapped) == ["Ac 5h", "8s Kc", "7h"]
    assert (swapped.shoe.discards, swapped.ruled) == (cards("9d"), ())


def test_16_3_the_table_removes_a_card_left_over_by_itself():
    table = after(floor("division-15"), ANN, CAL, CALL, "Kc 8s 7h 5d 5h")
    assert code(table, c.Play(BurnCard(Card("9c"), "left_over"), by="dealer")) == "put_right"
    table = after(table, Stand(1), again("Kc 8s 7h 5d 5h 9c", "operator"))
    assert (table.shoe.discards, table.ruled) == (cards("9c"), ())


def test_division_15_16_5_an_offer_closed_on_other_cards_is_open_again():
    """The offer was closed for everybody; box 1 is untouched, and still nobody's answer stands."""
    table = after(floor("division-15"), ANN, CAL, DEE, CALL, "9c 8c 7c Ad 8d 5d 6d", CloseOffer())
    assert table.round is not None
    assert table.round.phase != "insurance"
    table = after(table, again("9c 8c 7c Ad 8d 6d 5d", "operator"))
    assert hands(table)[:3] == ["9c 8d", "8c 6d", "7c 5d"]
    assert table.round is not None
    assert (table.round.phase, table.acts) == ("insurance", ())


def test_division_15_16_5_11_3_a_bonus_that_was_paid_is_undone_without_a_stake():
    begun = (ANN, CAL, CALL, "7s 9c 7d 7s 8c", Hit(1), "7s", Stand(2), "Kd")
    played = play(after(floor("division-15"), *begun), again("7s 9c 7d 8c 7s 7s Kd", "operator"))
    assert not isinstance(played, Refusal)
    event = next(event for event in played.events if isinstance(event, RoundReconstructed))
    settled = after(floor("division-15"), *begun).round
    assert settled is not None
    assert "super_bonus" in {one.kind for one in settled.settlements}
    net = sum(one.net for one in settled.settlements if one.player == "Ann")
    stake = sum(one.stake for one in settled.settlements if one.player == "Ann" and one.kind == "main")
    assert {row[0]: row[2:] for row in event.returns}["Ann"] == (-stake - net, stake)
