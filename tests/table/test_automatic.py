"""The program as dealer: whole evenings at every kind of table, played by the book."""

from __future__ import annotations

import doctest
import hashlib
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pontoon.engine import CallNoMoreBets, Hit, Limits, PlaceWager, Stand
from pontoon.engine.state import hand_in_turn
from pontoon.rulebook import NAMES, load
from pontoon.table import Table, evolve
from pontoon.table import commands as c
from pontoon.table.automatic import AutomaticTable
from pontoon.table.bots import BOTS, trouble
from pontoon.table.events import CuttingCardCame, DiscardsReturned, DiscardsShuffled, SealBroken, ShuffleFellDue
from pontoon.table.opening import full_set

CHANCE = Random(7)
DOCS = Path(__file__).resolve().parents[2] / "docs"
TABLES = [(name, device) for name in NAMES for device in load(name).shoe.devices]


def key(number: int) -> bytes:
    return hashlib.sha256(number.to_bytes(8, "big")).digest()


def automatic(book: str, **options: Any) -> AutomaticTable:
    rules = load(book)
    return AutomaticTable(Table(rules, min(rules.decks.allowed), Limits(1000), **options), key)


def draw_to_15(state):
    """Draw below 15, decline every offer; the player of box 3 is always absent."""
    if state.phase != "decision" or state.turn[0] == 3:
        return None
    return Hit(state.turn[0]) if hand_in_turn(state).total < 15 else Stand(state.turn[0])


def wagers(*boxes: int) -> list[PlaceWager]:
    return [PlaceWager(box, f"P{box}", 1000) for box in boxes]


def seen(dealer: AutomaticTable, kind: type) -> list[Any]:
    return [event for event in dealer.events if isinstance(event, kind)]


@pytest.mark.parametrize(("book", "device"), TABLES)
def test_an_evening_loses_no_card_and_can_be_replayed(book, device):
    dealer = automatic(book, device=device)
    first = dealer.table
    dealer.open([("P1", 1), ("P2", 2), ("P3", 3)])
    for _ in range(30):
        assert dealer.play_round(wagers(1, 2, 3), draw_to_15) is not None
        shoe = dealer.table.shoe
        assert Counter((*shoe.stack, *shoe.discards)) == full_set(dealer.table)
    for event in dealer.events:
        first = evolve(first, event)
    assert first == dealer.table
    returned = device in ("continuous", "shuffling_shoe")
    assert bool(seen(dealer, DiscardsReturned)) == returned
    assert bool(seen(dealer, ShuffleFellDue)) != returned


def test_nobody_bets():
    dealer = automatic("star")
    dealer.open([("P1", 1)])
    dealer.prepare()
    assert dealer.play_round([], draw_to_15) is None
    assert dealer.play_round([PlaceWager(1, "P1", 500)], draw_to_15) is None


def test_sealed_cards_are_opened_and_not_checked():
    dealer = automatic("adelaide", sealed=True, joker=True)
    dealer.open([])
    assert len(seen(dealer, SealBroken)) == 1
    assert dealer.table.checked == ("seal",)
    assert dealer.table.phase == "ready"


def test_a_check_made_before_is_not_made_again():
    dealer = automatic("canberra")
    dealer.must(c.Open())
    dealer.must(c.CheckCards("dealer"))
    dealer.prepare()
    assert dealer.table.checked == ("dealer",)


def test_a_cutting_card_in_first_place_is_reshuffled_before_the_round_goes_on():
    dealer = automatic("division-15")
    dealer.open([("P1", 1)])
    while "first" not in {event.place for event in seen(dealer, CuttingCardCame)}:
        assert dealer.play_round(wagers(1), draw_to_15) is not None
        assert dealer.table.shoe_number < 60
    assert dealer.table.shoe_round == 1


def test_a_shoe_that_runs_out_goes_on_with_the_discards():
    dealer = automatic("adelaide")
    dealer.must(c.Open())
    dealer.must(c.CheckCards("dealer"))
    dealer.must(c.ShowCards("P1"))
    dealer.must(c.Shuffle(dealer.mixed(tuple(full_set(dealer.table).elements()))))
    dealer.must(c.Cut("dealer", 72))
    dealer.must(c.PlaceCuttingCard(0))
    while not seen(dealer, DiscardsShuffled):
        assert dealer.play_round(wagers(1, 2, 4, 5, 6, 7), draw_to_15) is not None
        assert dealer.table.number < 30
    assert dealer.table.phase == "ready"


@pytest.mark.parametrize("bot", BOTS)
def test_bots_play_every_kind_of_table(bot):
    for book in NAMES:
        dealer = automatic(book)
        dealer.open([("P1", 1), ("P2", 2)])
        for _ in range(10):
            assert dealer.play_round(wagers(1, 2), lambda state: BOTS[bot](state, CHANCE))


def test_the_example_in_the_documentation_runs():
    assert doctest.testfile(str(DOCS / "table.md"), module_relative=False).failed == 0


@pytest.mark.parametrize(
    ("seed", "kind"), [(0, None), (5, "VoidRound"), (1, "ExposeCard"), (19, "SkipHand"), (4, "VoidHand")]
)
def test_trouble_is_what_the_document_knows(seed, kind):
    dealer = automatic("adelaide")
    dealer.open([("P1", 1)])
    dealer.do(c.Play(wagers(1)[0]))
    dealer.do(c.Play(CallNoMoreBets()))
    while dealer.table.round is not None and dealer.table.round.phase == "initial_deal":
        dealer.must(c.Deal())
    assert dealer.table.round is not None
    found = trouble(dealer.table.round, dealer.table.shoe.stack[0], Random(seed))
    assert (type(found).__name__ if found else None) == kind
