"""A tournament table: betting order, positions, chips. Clauses of canberra in the names of the cases."""

from __future__ import annotations

import hashlib
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pontoon.cards import Card
from pontoon.engine import (
    CallNoMoreBets,
    Double,
    Insure,
    PlaceSideWager,
    PlaceWager,
    Refusal,
    Settled,
    Split,
    TakeBack,
    refusal,
)
from pontoon.engine.state import box_in_turn
from pontoon.ledger import HOUSE, Posting, table_postings
from pontoon.money import Cents
from pontoon.table import commands as c
from pontoon.table.bots import chart_bot, random_bot
from pontoon.table.events import InRound
from pontoon.tournament.conditions.round_rulebook import overrides_of, rules_of
from pontoon.tournament.conditions.values import Game
from pontoon.tournament.marker import MARKER, next_box, wager_order
from pontoon.tournament.session_table import (
    Places,
    TournamentTable,
    chip_postings,
    refuse_chips,
    refuse_command,
    refuse_wager,
    table_of,
)

GAME = Game(minimum=Cents(1000), maximum=Cents(50_000))
PLACES = Places(((1, "Ann"), (3, "Ben"), (6, "Cleo")), marker=3, minimum=1000, maximum=50_000)


def table(chips: int = 100_000, seed: int = 1, game: Game = GAME, marker: int = 3) -> TournamentTable:
    seats = {1: "Ann", 3: "Ben", 6: "Cleo"}
    chance = lambda number: hashlib.sha256(f"{seed} {number}".encode()).digest()  # noqa: E731 a row of the case
    return TournamentTable(game, seats, dict.fromkeys(seats.values(), chips), marker, chance)


def answer(at: TournamentTable, chance: Random, bot=chart_bot):
    def decide(state):
        command = bot(state, chance)
        return command if command is not None and at.may(c.Play(command)) else None

    return decide


def said(refused: Refusal | None) -> tuple[str, str]:
    return (refused.code, " ".join(refused.clauses)) if refused else ("", "")


# --- the starting marker -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("boxes", "marker", "order", "after"),
    [
        pytest.param((1, 2, 3), 1, (1, 2, 3), 2, id='A "Starting Marker": from the first box'),
        pytest.param((1, 2, 3), 3, (3, 1, 2), 1, id='A "Starting Marker": clockwise around the end of the table'),
        pytest.param((2, 5, 7), 5, (5, 7, 2), 7, id='A "Starting Marker": over empty boxes'),
        pytest.param((2, 7), 5, (7, 2), 7, id="20.14: the marker's player is out, the next one begins"),
        pytest.param((4,), 4, (4,), 4, id='A "Starting Marker": one player is always first'),
    ],
)
def test_starting_marker(boxes, marker, order, after):
    assert wager_order(boxes, marker) == order
    assert next_box(boxes, marker) == after


def test_starting_marker_goes_around_the_table_as_rounds_are_played():
    at, seen = table(), []
    for _ in range(4):
        seen.append(at.places.marker)
        order = wager_order(at.places.boxes, at.places.marker)
        seats = dict(at.places.seats)
        assert at.play_round([PlaceWager(box, seats[box], 1000) for box in order], lambda _: None) is not None
        at.end_round()
    assert seen == [3, 6, 1, 3]


# --- refusals ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wagered", "wager", "chips", "code", "clause"),
    [
        pytest.param((), (3, "Ben", 1000), 9000, "", "", id="the marker's player wagers first"),
        pytest.param((3,), (6, "Cleo", 1000), 9000, "", "", id="then the next"),
        pytest.param((), (6, "Cleo", 1000), 9000, "wager_out_of_turn", MARKER[0], id='A "Starting Marker"'),
        pytest.param((3,), (1, "Ann", 1000), 9000, "wager_out_of_turn", MARKER[0], id="one too early"),
        pytest.param((), (6, "Ben", 1000), 9000, "not_the_assigned_box", "20.7", id="20.7: another's box"),
        pytest.param((), (2, "Ben", 1000), 9000, "not_the_assigned_box", "20.7", id="20.7: an empty box"),
        pytest.param((), (3, "Zoe", 1000), 9000, "not_the_assigned_box", "20.7", id="20.7: somebody without a seat"),
        pytest.param((), (3, "Ben", 9002), 9000, "not_enough_chips", "20.13", id="20.13: more than the chips"),
        pytest.param((), (3, "Ben", 9000), 9000, "", "", id="20.13: all of the chips"),
        pytest.param((), (3, "Ben", 998), 9000, "wager_below_minimum", "20.14", id="20.14: below the minimum"),
        pytest.param((), (3, "Ben", 1000), 1000, "", "", id="20.14: the minimum"),
        pytest.param((), (3, "Ben", 50_002), 99_000, "wager_above_maximum", "20.3(a)(vii)", id="20.3(a)(vii)"),
        pytest.param((), (3, "Ben", 50_000), 99_000, "", "", id="the maximum"),
    ],
)
def test_wagers(wagered, wager, chips, code, clause):
    refused = refuse_wager(PLACES, wagered, PlaceWager(*wager), chips)
    assert said(refused) == (code, clause)


@pytest.mark.parametrize(
    ("command", "code", "clause"),
    [
        pytest.param(c.Play(CallNoMoreBets()), "wagers_missing", "20.14", id="20.14: a player has not wagered"),
        pytest.param(c.Play(TakeBack(3, "Ben")), "wager_stays", "20.14", id="20.14: a wager is not taken back"),
        pytest.param(c.Sit("Ben", 2), "not_the_assigned_box", "20.7", id="20.7: another seat"),
        pytest.param(
            c.Play(PlaceSideWager(3, "Ann", "perfect_pairs", 500)), "not_the_assigned_box", "20.7", id="20.7: side"
        ),
        pytest.param(
            c.Play(Insure(3, "Ben", 500, for_box=1, for_player="Ann")),
            "not_the_assigned_box",
            "20.7",
            id="20.7: another's insurance",
        ),
        pytest.param(
            c.CallOut(PlaceWager(6, "Cleo", 1000), chips=True),
            "wager_out_of_turn",
            MARKER[0],
            id='A "Starting Marker": called out',
        ),
        pytest.param(c.Play(Insure(3, "Ben", 500)), "", "", id="one's own insurance is the table's matter"),
        pytest.param(c.Deal(), "", "", id="a card is the table's matter"),
    ],
)
def test_commands(command, code, clause):
    refused = refuse_command(PLACES, table_of(GAME), {"Ann": 9000, "Ben": 9000, "Cleo": 9000}, command)
    assert said(refused) == (code, clause)


def test_20_13_a_double_and_a_split_need_the_chips_as_well():
    """Everyone has wagered all their chips: whatever the cards, no wager can be raised."""
    tried = 0
    for seed in range(30):
        at = table(chips=1000, seed=seed)
        for box, player in ((3, "Ben"), (6, "Cleo"), (1, "Ann")):
            at.must(c.Play(PlaceWager(box, player, 1000)))

        def decide(state, at=at):
            nonlocal tried
            if state.phase == "decision":
                for command in (Double(box_in_turn(state).number), Split(box_in_turn(state).number)):
                    if refusal(state, command) is None:
                        refused = at.do(c.Play(command))
                        assert refused is not None
                        assert (refused.code, refused.clauses) == ("not_enough_chips", ("20.13",))
                        tried += 1
            return chart_bot(state, Random(1)) if not isinstance(chart_bot(state, Random(1)), Double | Split) else None

        assert at.play_round((), decide) is not None
        assert min(at.chips.values()) >= 0
    assert tried > 10


def test_20_13_postings_in_their_order():
    moved = [Posting("wallet/Ann", -600), Posting("wallet/Ann", 900), Posting("wallet/Ann", -600)]
    assert refuse_chips({"Ann": 600}, moved) is None
    refused = refuse_chips({"Ann": 500}, moved)
    assert isinstance(refused, Refusal)
    assert refused.facts == {"player": "Ann", "chips": 500, "needed": 600}


def test_20_14_who_is_missing_is_named_and_the_minimum_itself_is_enough():
    at = table(chips=1000)
    at.must(c.Play(PlaceWager(3, "Ben", 1000)))
    refused = refuse_command(at.places, at.table, at.chips, c.Play(CallNoMoreBets()))
    assert refused is not None
    assert refused.facts["players"] == ("Ann", "Cleo")
    rested = table(chips=1000)
    assert rested.end_round() == (), "who holds just the minimum stays"


def test_20_14_who_cannot_make_the_least_wager_leaves():
    at = table(chips=1000)
    for box, player in ((3, "Ben"), (6, "Cleo"), (1, "Ann")):
        at.must(c.Play(PlaceWager(box, player, 1000)))
    at.play_round((), answer(at, Random(1)))
    losers = {player for player, chips in at.chips.items() if chips < 1000}
    assert losers  # with this seed
    assert set(at.end_round()) == losers
    assert {player for _, player in at.places.seats} == {"Ann", "Ben", "Cleo"} - losers
    assert {seat.player for seat in at.table.seats} == {"Ann", "Ben", "Cleo"} - losers
    assert sum(at.chips.values()) + sum(at.others.values()) == 0


def test_20_3_a_ii_f_a_player_who_bought_back_sits_in_the_same_place():
    at = table()
    at.leave("Ben")
    at.come_back("Ben", 3, 5000)
    assert at.places.seats == PLACES.seats
    assert at.chips["Ben"] == 5000
    assert sum(at.chips.values()) + sum(at.others.values()) == 0


# --- the game ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "paid"), [("chips", [500_000, 5000, 5000]), ("off", [])])
def test_a69_super_bonus_in_chips_or_off(mode, paid):
    """Three sevens of spades against a seven; the others at the table get theirs too."""
    at = table(game=Game(minimum=Cents(1000), maximum=Cents(50_000), super_bonus=mode))
    seats = dict(at.places.seats)
    deal = [Card(name) for name in ("7s", "Kd", "Kh", "7d", "7s", "8c", "9h", "7s")]
    stack = at.table.shoe.stack
    rest = Counter(stack)
    rest.subtract(deal)
    at.table = replace(at.table, shoe=replace(at.table.shoe, stack=(*deal, *rest.elements())))
    at.program.keeper.record = at.program.keeper.tree = None  # this shoe is arranged, not proved
    before = sum(at.chips.values())
    wagers = [PlaceWager(box, seats[box], 2500) for box in wager_order(at.places.boxes, 3)]
    at.play_round(wagers, answer(at, Random(1)))
    settled = [event.event for event in at.events if isinstance(event, InRound) and isinstance(event.event, Settled)]
    bonuses = [settlement.net for settlement in settled if settlement.kind in ("super_bonus", "envy_bonus")]
    assert bonuses == paid
    assert sum(at.chips.values()) - before == sum(settlement.net for settlement in settled)


@pytest.mark.parametrize(("offered", "code"), [(False, "side_wager_not_offered"), (True, "")])
def test_a69_side_wagers_as_the_conditions_say(offered, code):
    at = table(game=Game(minimum=Cents(1000), maximum=Cents(50_000), side_wagers=offered))
    at.must(c.Play(PlaceWager(3, "Ben", 1000)))
    refused = at.do(c.Play(PlaceSideWager(3, "Ben", "perfect_pairs", 500)))
    assert (refused.code if refused else "") == code


def test_20_1_the_rulebook_is_canberra_and_nothing_else_is_changed():
    assert [override.key for override in rules_of(GAME).overrides] == [
        "side.perfect_pairs.offered",
        "side.pairs_play.offered",
    ]
    assert rules_of(GAME).about.name == "canberra"
    assert overrides_of(GAME) == {"side.perfect_pairs.offered": False, "side.pairs_play.offered": False}


# --- chips are conserved -------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(10, 60), st.booleans())
def test_20_13_chips_are_conserved_by_every_event_and_nobody_is_below_zero(seed, hundreds, wild):
    chance = Random(seed)
    at = table(chips=hundreds * 100, seed=seed)
    accounts: Counter[str] = Counter({f"chips/7/{player}": chips for player, chips in at.chips.items()})
    accounts["chip_bank/7"] = -sum(accounts.values())
    done = 0
    for _ in range(6):
        seats = dict(at.places.seats)
        wagers = []
        for box in wager_order(at.places.boxes, at.places.marker):
            most = min(at.chips[seats[box]], at.places.maximum) // 2 * 2
            wagers.append(PlaceWager(box, seats[box], chance.randrange(1000, most + 2, 2)))
        if not wagers:
            break
        at.play_round(wagers, answer(at, chance, random_bot if wild else chart_bot))
        for event in at.events[done:]:
            for posting in chip_postings("7", table_postings(event)):
                accounts[posting.account] += posting.amount
            assert sum(accounts.values()) == 0
            assert all(amount >= 0 for account, amount in accounts.items() if account != "chip_bank/7")
        done = len(at.events)
        assert {player: accounts[f"chips/7/{player}"] for player in at.chips} == at.chips
        assert not any(amount for account, amount in at.others.items() if account != HOUSE)
        for player in at.end_round():
            accounts["chip_bank/7"] += accounts.pop(f"chips/7/{player}")
