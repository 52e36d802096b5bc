"""What a case does not compare: the exact clauses of an event, the facts of a refusal, values no document has."""

from __future__ import annotations

from collections.abc import Iterable

from pontoon.cards import Card
from pontoon.engine import (
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    Double,
    Event,
    Hit,
    Insure,
    MissCard,
    OfferLate,
    PlaceWager,
    PutRight,
    Refusal,
    Round,
    Split,
    Stand,
    Surrender,
    VoidBox,
    play,
    refusal,
)
from pontoon.engine.events import CardDealt, MissPutRight, Settled, SplitBarred, TurnCame
from pontoon.rulebook import load

ANN, BEN, CALL = PlaceWager(1, "Ann", 1000), PlaceWager(1, "Ben", 1000), CallNoMoreBets()


def played(book: str, *steps: Command | str, **overrides: str) -> tuple[Round, list[Event]]:
    """A round after these commands and cards, and its events."""
    options = {key.replace("__", "."): value for key, value in overrides.items()}
    state = Round(load(book, options))
    events: list[Event] = []
    for command in commands(steps):
        done = play(state, command)
        assert not isinstance(done, Refusal), (command, done)
        state = done.state
        events += done.events
    return state, events


def commands(steps: Iterable[Command | str]) -> Iterable[Command]:
    for step in steps:
        if isinstance(step, str):
            yield from (DealCard(Card(card)) for card in step.split())
        else:
            yield step


def test_a_card_cites_why_it_is_dealt():
    _, events = played("division-15", ANN, CALL, "8s 9d 8h", Split(1), "3c", Hit(1), "2c", Stand(1), "Kc")
    cites = load("division-15").cites
    dealt = [event.clauses for event in events if isinstance(event, CardDealt)]
    assert dealt[3:] == [cites.split_order, cites.card_drawn, cites.split_order]
    _, events = played("division-15", ANN, CALL, "6s 9d 5h", Double(1), "2c")
    assert [event for event in events if isinstance(event, CardDealt)][-1].clauses == cites.double_card


def test_a65_an_ace_and_a_ten_after_a_split_cite_the_rule_on_split_hands():
    cites = load("division-15").cites
    _, events = played("division-15", ANN, CALL, "Ks 9d Kh", Split(1), "Ac")
    (paid,) = [event for event in events if isinstance(event, Settled)]
    assert set(cites.split_21) <= set(paid.clauses)
    _, events = played("division-15", ANN, CALL, "Ks 9d 5h", Hit(1), "6c")
    (paid,) = [event for event in events if isinstance(event, Settled)]
    assert not set(cites.split_21) - set(cites.twenty_one_paid) & set(paid.clauses)


def test_11_1_12_6_the_clause_on_a_doubled_hand_is_cited_for_one_only():
    sevens = (ANN, CALL, "7s 7d 7s", Hit(1), "7s")
    _, events = played("division-15", *sevens)
    (bonus,) = [event for event in events if isinstance(event, Settled) and event.kind == "super_bonus"]
    assert "12.6" not in bonus.clauses


def test_who_has_no_wager_to_insure_is_named():
    state, _ = played("canberra", ANN, PlaceWager(2, "Cal", 1000), CALL, "9s 8s Ad 7h 6h")
    unknown = (
        (Insure(1, "Zoe", 500), "Zoe", 1),
        (Insure(1, "Ann", 500, 2, "Zoe"), "Zoe", 2),
        (Insure(3, "Ann", 500), "Ann", 3),
        (Insure(2, "Ann", 500, 2, "Cal"), "Ann", 2),
    )
    for command, player, box in unknown:
        refused = refusal(state, command)
        assert refused is not None
        assert (refused.code, refused.facts) == ("no_wager_there", {"player": player, "box": box})


def test_16_5_how_many_hands_there_are_is_said():
    state, _ = played("division-15", ANN, CALL, "9s 8d 7h")
    for box, count in ((1, 1), (2, 0)):
        refused = refusal(state, PutRight(box, 3))
        assert refused is not None
        assert (refused.code, refused.facts["count"]) == ("no_such_hand", count)


def test_105_a_single_card_draws_or_is_withdrawn_and_does_not_stand():
    state, _ = played("adelaide", ANN, PlaceWager(2, "Cal", 1000), CALL, "9s 8s 7d", MissCard(1, 1), "6h")
    refused = refusal(state, Stand(1))
    assert refused is not None
    assert refused.code == "draw_or_withdraw"


def test_option_pairs_by_rank():
    for by, code in (("value", None), ("rank", "not_a_pair")):
        state, _ = played("star", ANN, CALL, "Ks 9d Qh", split__by=by)
        refused = refusal(state, Split(1))
        assert (refused.code if refused else None) == code


def test_68_a_double_declines_to_split_and_joining_it_declines_nothing():
    _, events = played("adelaide", ANN, BEN, CALL, "5s 9d 5h", Double(1), Double(1, 0, "Ben"))
    assert [type(event) for event in events].count(SplitBarred) == 1


def test_a70_option_a_bettor_who_did_not_double_keeps_the_free_ace():
    steps = (ANN, BEN, CALL, "As 9d 5h", Double(1), "5c", CloseOffer())
    for whom, total in (("hand", 11), ("doublers", 21)):
        state, events = played("star", *steps, double__fixed_aces_for=whom)
        paid = [event.player for event in events if isinstance(event, Settled)]
        assert paid == (["Ben"] if total == 21 else []), (whom, state.boxes)


def test_a_dealer_without_a_first_card_is_put_right_only_in_the_initial_deal() -> None:
    state, _ = played("adelaide", ANN, CALL, "9s 7h")
    step = play(state, PutRight(0))
    assert not isinstance(step, Refusal)
    assert [event.clauses[0] for event in step.events if isinstance(event, MissPutRight)] == ["105(a)"]
    state, _ = played("adelaide", ANN, CALL, "9s 7h 4d", Hit(1), "2c")
    refused = refusal(state, PutRight(0))
    assert refused is not None
    assert (refused.code, refused.clauses[0]) == ("not_put_right", "105(d)")
    silent = refusal(played("star", ANN, CALL, "9s")[0], PutRight(0))
    assert silent is not None
    assert silent.code == "document_silent"


def test_the_turn_of_a_split_hand_cites_the_order_of_split_hands() -> None:
    _, events = played("division-15", ANN, CALL, "8s 9d 8h", Split(1), "9c", Stand(1))
    assert [event.clauses for event in events if isinstance(event, TurnCame)] == [("8.3",), ("13.3", "13.4")]


def test_only_a_box_with_a_wager_is_void_and_only_once() -> None:
    before, _ = played("division-15", ANN)
    assert code(before, VoidBox(1)) == "no_wager_there"
    state, _ = played("division-15", ANN, PlaceWager(2, "Cat", 1000), CALL, "9s 8s 7d 9h 8h", VoidBox(1))
    assert code(state, VoidBox(5)) == "no_wager_there"
    assert code(state, VoidBox(1)) == "already_void"
    assert code(state, VoidBox(2)) == ""


def test_a_late_offer_of_surrender_that_a_hand_cannot_take_says_why() -> None:
    state, _ = played("division-15", ANN, CALL, "5s Kd 4h", CloseOffer(), Hit(1), "2c", OfferLate("surrender"))
    refused = refusal(state, Surrender(1))
    assert refused is not None
    assert (refused.code, "16.12" in refused.clauses) == ("surrender_not_open", True)


def code(state: Round, command: Command) -> str:
    refused = refusal(state, command)
    return refused.code if refused else ""
