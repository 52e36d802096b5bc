"""Committing to a shoe and revealing it: once, in their places, and with the seed that was committed."""

from __future__ import annotations

import hashlib

import pytest

from pontoon.engine import Limits, PlaceWager
from pontoon.rulebook import load
from pontoon.table import Table, refusal
from pontoon.table.automatic import AutomaticTable
from pontoon.table.bots import chart_bot
from pontoon.table.commands import BurnFirst, CommitShoe, OrderShuffle, RevealShoe
from pontoon.table.events import CardsCut, InRound, ShoeCommitted, ShoeRevealed
from pontoon.table.fairness import reveal, verify


def key(number: int) -> bytes:
    return hashlib.sha256(f"proof {number}".encode()).digest()


@pytest.fixture
def table():
    automatic = AutomaticTable(Table(load("division-15"), packs=4, limits=Limits(500)), key)
    automatic.open([("Ann", 1)])
    return automatic


def answer(state):
    return chart_bot(state, None)  # type: ignore[arg-type] # the chart needs no chance


def test_the_house_is_bound_before_the_cut_and_the_first_wager(table):
    kinds = [type(event) for event in table.events]
    assert kinds.index(ShoeCommitted) < kinds.index(CardsCut)
    assert InRound not in kinds
    assert table.table.shoe.root == table.record.root


def test_a_shoe_is_committed_once_and_not_after_the_cut(table):
    refused = refusal(table.table, CommitShoe("", ""))
    assert refused is not None
    assert refused.code == "not_to_commit"


def test_a_seed_is_revealed_when_the_shoe_is_over(table):
    early = refusal(table.table, RevealShoe(key(1).hex()))
    assert early is not None
    assert early.code == "not_to_reveal"
    assert table.do(OrderShuffle("game_supervisor", "suspect", "a marked card")) is None
    for wrong in ("00" * 32, "seed"):
        refused = refusal(table.table, RevealShoe(wrong))
        assert refused is not None
        assert refused.code == "wrong_seed"
    assert refusal(table.table, RevealShoe(key(1).hex())) is None


def test_every_shoe_is_revealed_before_the_next_is_shuffled(table):
    for _ in range(40):
        table.play_round([PlaceWager(1, "Ann", 1000)], answer)
    kinds = [type(event) for event in table.events if isinstance(event, ShoeCommitted | ShoeRevealed)]
    assert len(kinds) > 2
    assert all(kind is (ShoeRevealed if place % 2 else ShoeCommitted) for place, kind in enumerate(kinds))
    assert len(table.records) == kinds.count(ShoeRevealed)


def test_a_burned_first_card_keeps_its_place_in_the_proof(table):
    assert table.do(BurnFirst()) is None
    table.play_round([PlaceWager(1, "Ann", 1000)], answer)
    assert table.record is not None
    assert table.record.burned == (0,)
    assert all(one.ok for one in verify(reveal(table.record, table.seed)))
