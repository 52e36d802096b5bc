"""Reconstruction of rounds, extra hands, and announcements at the table."""

from __future__ import annotations

import hashlib
from random import Random

import pytest

from pontoon.cards import Card
from pontoon.engine import (
    CallNoMoreBets,
    CloseOffer,
    Command,
    Double,
    Hit,
    Insure,
    Limits,
    PlaceWager,
    Refusal,
    Ride,
    Split,
    Stand,
)
from pontoon.ledger import table_balances, table_postings
from pontoon.rulebook import load
from pontoon.table import Table, options, play, refusal
from pontoon.table import commands as c
from pontoon.table.automatic import AutomaticTable
from pontoon.table.bots import chart_bot, random_bot
from pontoon.table.events import Announced, DisputeDecided, InRound, RoundBegan, RoundReconstructed, TableEvent
from pontoon.table.fairness import reveal, verify
from pontoon.table.reconstruction import initial_deal_complete
from pontoon.table.state import Shoe

ANN, BEN, CALL = PlaceWager(1, "Ann", 1000), PlaceWager(1, "Ben", 500), CallNoMoreBets()


def floor(name: str, **fields: object) -> Table:
    """A table on the floor with a full shoe, ready for wagers."""
    rules = load(name)
    table = Table(rules, packs=8, limits=Limits(500), mode="floor", phase="ready", due="", new_cards=False)
    shoe = Shoe(left=table.size, behind=40)
    return c_replace(table, shoe=shoe, **fields)


def c_replace(table: Table, **fields: object) -> Table:
    from msgspec.structs import replace

    return replace(table, **fields)


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


def test_canberra_15_4_swapped_cards_are_dealt_again_in_their_order():
    table = after(floor("canberra"), ANN, PlaceWager(2, "Cal", 1000), CALL, "9s 5h 9d 7h 8c")
    table = after(table, c.Reconstruct(cards("9s 5h 9d 8c 7h"), "dealt_again", "casino_supervisor", reason="swapped"))
    assert table.round is not None
    assert (table.round.phase, table.round.cards_used, table.shoe.left) == ("initial_deal", 0, 384)
    table = after(table, "9s 5h 9d 8c 7h")
    assert table.round is not None
    assert [box.hands[0].cards for box in table.round.boxes] == [cards("9s 8c"), cards("5h 7h")]


def test_division_15_16_5_what_moved_since_the_call_is_undone():
    begun = (ANN, BEN, PlaceWager(2, "Cal", 1000), CALL, "5s As Ad 6h Kd")
    table = after(floor("division-15"), *begun, Insure(1, "Ben", 200), CloseOffer(), CloseOffer(), Double(1), "Kc")
    played = play(table, c.Reconstruct(cards("5s As Ad 6h Kc Kd"), "laid_again", "operator"))
    assert not isinstance(played, Refusal)
    event = next(one for one in played.events if isinstance(one, RoundReconstructed))
    # Ann added 10 and was paid 20 on 20; Ben insured for 2 and was paid 5 on 5; Cal was paid 15 on 10.
    assert event.returns == (
        ("Ann", 1, 1000 - 4000, 2000 - 1000),
        ("Ben", 1, 200 - 1000, 500 - 200),
        ("Cal", 2, -2500, 1000),
    )
    assert sum(posting.amount for posting in table_postings(event)) == 0
    assert event.clauses[0] == "16.5"


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
    assert code(silent, c.Reconstruct(cards("9s 9d 7h"), "dealt_again", "operator")) == "document_silent"
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
    table = after(floor("adelaide"), ANN, CALL, "9s 9d 7h")
    extra = c.RemoveExtraHand(cards("2c 3c"), "dealer", "pit_boss")
    assert after(table, extra).shoe.left == table.shoe.left - 2
    assert after(table, extra).shoe.discards == cards("2c 3c")
    assert code(table, c.RemoveExtraHand(cards("2c 3c"), "dealer")) == "needs_second_person"
    assert code(table, c.RemoveExtraHand((), "dealer", "pit_boss")) == "wrong_cards"
    early = after(floor("adelaide"), ANN, CALL, "9s")
    assert code(early, extra) == "put_right"
    assert code(after(floor("canberra"), ANN, CALL), extra) == "put_right"
    assert code(after(floor("star"), ANN, CALL), extra) == "document_silent"


def test_adelaide_109_in_an_automatic_table_the_cards_are_the_next_of_the_shoe():
    table = AutomaticTable(
        Table(load("adelaide"), packs=8), lambda number: hashlib.sha256(f"extra {number}".encode()).digest()
    )
    table.open([("Ann", 1)])
    for command in (ANN, CALL):
        assert table.do(c.Play(command)) is None
    for _ in range(3):
        table.must(c.Deal())
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
    free = after(floor("canberra"), c.Restrict("Ben", "operator"), ANN, BEN, CALL, "8s 9d 8h", Split(1))
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
