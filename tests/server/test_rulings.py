"""Rulings in a room: two people if the document requires it, otherwise one; and tables dealt by a person."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pontoon.cards import PACK, Card
from pontoon.engine import Hit, PlaceWager, Stand, VoidBox, VoidRound
from pontoon.engine import commands as e
from pontoon.ledger import wallet
from pontoon.rulebook import NAMES, load
from pontoon.server.rooms import commands as r
from pontoon.server.rooms import log
from pontoon.server.rooms.decide import Decided
from pontoon.server.rooms.log import read_body
from pontoon.table import commands as c
from pontoon.table.events import Ruled
from tests.server.hall import MAKER, STIFF, Hall, kept, name_of

# --- rulings -------------------------------------------------------------------------------------------

RITA, ROSS = "Rita, game supervisor", "Ross, casino supervisor"
IAN, IDA = "Ian, inspector", "Ida, inspector"


def test_adelaide_112_a_ruling_waits_for_a_second_person_and_play_with_it():
    hall = Hall("adelaide").ready("Ann 1").dealt(STIFF, "1 Ann 10")
    hall.no(IAN, VoidRound(), "forbidden")
    hall.no("Ann", VoidRound(), "forbidden")
    (proposed,) = hall.then(RITA, VoidRound(), "RulingProposed", "112")
    assert isinstance(proposed, log.RulingProposed)
    assert (proposed.number, proposed.by, proposed.role, proposed.what) == (1, "Rita", "game_supervisor", "VoidRound")
    assert "VoidRound" in hall.state.paused
    assert hall.room.plan() is None
    hall.no("Ann", Stand(1), "paused")
    hall.no(IAN, r.Approve(2), "no_such_proposal")
    hall.no(RITA, r.Approve(1), "forbidden")
    hall.no("Rita, casino supervisor", r.Approve(1), "own_proposal")
    hall.no("Rita, inspector", r.Approve(1), "own_proposal")
    hall.no(MAKER, r.Resume(), "paused")
    events = hall.do(IAN, r.Approve(1))
    assert [name_of(event) for event in events][:2] == ["RulingApproved", "Ruled"]
    ruled = next(event for event in events if isinstance(event, Ruled))
    assert (ruled.what, ruled.by, ruled.approver) == ("VoidRound", "game_supervisor", "inspector")
    assert hall.state.paused == ""
    assert hall.table.phase == "collect"
    hall.phase("ready")
    assert kept(hall)[0].void
    assert kept(hall)[0].players == (("Ann", 1000, 0),)


def test_adelaide_112_a_ruling_not_approved_is_not_made_and_play_goes_on():
    hall = Hall("adelaide").ready("Ann 1").dealt(STIFF, "1 Ann 10")
    hall.do(RITA, VoidRound())
    hall.no("Ann", r.Reject(1), "forbidden")
    hall.no(IDA, r.Reject(2), "no_such_proposal")
    hall.then(IDA, r.Reject(1, "all is well"), "RulingRejected")
    assert (hall.state.paused, hall.state.proposals) == ("", ())
    hall.do(RITA, VoidBox(1))
    assert hall.state.proposals[0].number == 2, "numbers are not used twice"
    hall.then(RITA, r.Reject(2, "withdrawn"), "RulingRejected")
    hall.do("Ann", Stand(1))


def test_a_pause_outlasts_a_ruling_made_in_it():
    hall = Hall("adelaide").ready("Ann 1").dealt(STIFF, "1 Ann 10")
    hall.do(MAKER, r.Pause("an incident"))
    hall.do(RITA, VoidRound())
    assert hall.state.paused == "an incident"
    hall.do(IAN, r.Approve(1))
    assert hall.state.paused == "an incident"
    assert hall.room.plan() is None
    hall.do(MAKER, r.Resume())
    assert hall.room.plan() is not None


def test_a_ruling_no_longer_lawful_when_approved_is_refused_and_waits_to_be_rejected():
    hall = Hall("adelaide").ready("Ann 1", "Ben 2").dealt("9c 8d 7s 9h 8s", "1 Ann 10", "2 Ben 10")
    hall.do(RITA, VoidBox(1), VoidRound())
    assert [proposal.number for proposal in hall.state.proposals] == [1, 2]
    hall.do(IAN, r.Approve(2))
    assert hall.table.phase == "collect"
    hall.no(IAN, r.Approve(1), "already_void")
    assert [proposal.number for proposal in hall.state.proposals] == [1]
    assert hall.room.plan() is None
    hall.do(IAN, r.Reject(1, "the round is void"))
    assert hall.room.plan() is not None


def test_a_ruling_that_could_never_be_made_is_not_proposed():
    hall = Hall("adelaide").ready("Ann 1").dealt(STIFF, "1 Ann 10")
    hall.no(RITA, VoidBox(5), "no_wager_there")
    hall.no(RITA, c.Reconstruct((Card("Ks"),), "laid_again", "dealer"), "wrong_cards")
    assert hall.state.proposals == ()


def test_adelaide_112_after_the_initial_deal_only_the_management_approves_a_reconstruction():
    hall = Hall("adelaide").ready("Ann 1").dealt("2c 7d 3s 4h", "1 Ann 10")
    hall.do("Ann", Hit(1))
    hall.to("decision")
    cards = hall.table.on_layout
    hall.no(RITA, c.Reconstruct(cards[1:], "laid_again", "dealer"), "wrong_cards")
    hall.no(ROSS, c.Reconstruct(cards, "laid_again", "dealer"), "needs_second_person", "112")
    hall.do(RITA, c.Reconstruct(cards, "laid_again", "dealer"))
    hall.no(IAN, r.Approve(1), "needs_second_person", "112")
    events = hall.do(ROSS, r.Approve(1))
    assert [name_of(event) for event in events[:3]] == ["RulingApproved", "Ruled", "RoundReconstructed"]
    assert hall.table.on_layout == cards, "laid again as they lay, and the draw stands"
    ruled = events[1]
    assert isinstance(ruled, Ruled)
    assert (ruled.by, ruled.approver) == ("game_supervisor", "casino_supervisor")


def test_adelaide_112_in_the_initial_deal_an_inspector_is_enough():
    hall = Hall("adelaide").ready("Ann 1").dealt(STIFF, "1 Ann 10")
    hall.do(RITA, c.Reconstruct(hall.table.on_layout, "laid_again", "dealer"))
    events = hall.do(IAN, r.Approve(1))
    assert [name_of(event) for event in events[:3]] == ["RulingApproved", "Ruled", "RoundReconstructed"]


@pytest.mark.parametrize("book", [book for book in NAMES if book != "adelaide"])
def test_elsewhere_one_person_rules(book):
    hall = Hall(book).ready("Ann 1").dealt(STIFF, "1 Ann 10")
    answer = hall.ask(RITA, VoidRound())
    if load(book).irregular.void_round == "silent":
        hall.no(RITA, VoidRound(), "document_silent")
        return
    assert isinstance(answer, Decided)
    names = [name_of(event) for event in answer.events]
    assert names[0] == "Ruled"
    assert "RulingProposed" not in names


def test_a_round_voided_later_is_not_counted_in_the_round_it_is_found_in():
    hall = Hall("canberra").ready("Ann 1").bet("1 Ann 10").run(lambda hall: len(kept(hall)) == 1)
    hall.bet("1 Ann 10").phase("round").run(lambda hall: hall.state.moment.kind == "decision" or len(kept(hall)) == 2)
    hall.do(ROSS, c.VoidEarlier(1, "dealer", reason="a card was misplaced"))
    assert "voided:1" in hall.entries[-1].marks
    hall.run(lambda hall: len(kept(hall)) == 2)
    second = kept(hall)[1]
    played = [posting for entry in hall.entries if "voided:1" not in entry.marks for posting in entry.postings]
    nets = sum(posting.amount for posting in played if posting.account == wallet("Ann"))
    assert kept(hall)[0].players[0][2] + second.players[0][2] == nets


# --- on the floor --------------------------------------------------------------------------------------

DON = "Don, dealer"


def floor(book: str) -> Hall:
    """Opened, prepared and loaded by people."""
    hall = Hall(book, mode="floor")
    assert hall.room.plan() is None, "no program deals here"
    hall.do(MAKER, c.Open())
    hall.do("Ann", c.Sit("", 1))
    hall.do(DON, c.Sit("Ben", 2))
    for role in hall.table.rules.shoe.checked_by:
        hall.do(f"Olive, {role}", c.CheckCards("operator"))
        assert hall.table.checked[-1] == role, "whatever the command said"
    if hall.table.rules.shoe.spread != "none":
        hall.do(DON, c.ShowCards("Ann"))
    hall.do(DON, c.Shuffle())
    hall.no(DON, c.Shuffle(PACK), "no_shuffle_due")
    hall.do("Ann", c.Cut("", hall.table.shoe.left // 2))
    hall.do(DON, c.PlaceCuttingCard(60))
    return hall


@pytest.mark.parametrize("book", NAMES)
def test_on_the_floor_a_dealer_enters_wagers_cards_and_decisions(book):
    hall = floor(book)
    hall.do("Ann", PlaceWager(1, "", 1000))
    hall.do(DON, PlaceWager(2, "Ben", 1000))
    hall.no("Ann", PlaceWager(3, "Ben", 1000), "not_yours")
    hall.no("Ann", e.CallNoMoreBets(), "forbidden")
    hall.do(DON, e.CallNoMoreBets())
    hall.no(DON, c.Deal(), "face_needed")
    for card in ("9c", "8d", "7s", "9h", "8s"):
        hall.do(DON, c.Deal(card))
    assert hall.state.moment.kind == "decision"
    assert hall.room.plan() is None
    hall.no("Ben", Stand(1), "not_controller")
    hall.do("Ann", Stand(1))
    hall.do(DON, Stand(2, "Ben"))
    while hall.table.phase == "round":
        hall.do(DON, c.Deal("9d"))
    hall.do(DON, c.Collect())
    (one,) = kept(hall)
    assert [player for player, _, _ in one.players] == ["Ann", "Ben"]
    body = read_body(hall.entries[-1].body)
    assert (hall.entries[-1].by, body.role) == ("Don", "dealer")


def test_on_the_floor_officials_rule():
    hall = floor("adelaide")
    hall.do(DON, PlaceWager(1, "Ann", 1000), e.CallNoMoreBets())
    for card in STIFF.split():
        hall.do(DON, c.Deal(card))
    (proposed,) = hall.do(DON, e.BurnCard(Card("Kd"), "in_error"))
    assert isinstance(proposed, log.RulingProposed)
    events = hall.do(IAN, r.Approve(1))
    assert "CardBurned" in {name_of(event) for event in events}
    hall.no(DON, VoidRound(), "forbidden")
    hall.do(RITA, VoidRound())
    hall.do(ROSS, r.Approve(2))
    assert hall.table.phase == "collect"


def test_on_the_floor_only_the_operator_goes_on_where_the_document_is_silent():
    hall = floor("star")
    hall.do(DON, PlaceWager(1, "Ann", 1000), e.CallNoMoreBets())
    shoe = replace(hall.table.shoe, left=0, hidden_discards=hall.table.size)
    hall.room._state = replace(hall.state, table=replace(hall.table, shoe=shoe))
    hall.no(DON, c.ShuffleDiscards((), "operator"), "document_silent")
    hall.then("Adam, administrator", c.ShuffleDiscards((), "dealer"), "Ruled DiscardsShuffled CutOffered")
