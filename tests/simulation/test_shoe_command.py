"""`pontoon shoe` and `pontoon habits`: shoes dealt on, counts, bets, and what habits cost."""

from __future__ import annotations

import json
import math

import pytest

from pontoon.cards import PACK, RANKS, Card
from pontoon.cli import habits, shoe
from pontoon.cli.common.parser import Parser
from pontoon.rulebook import load
from pontoon.simulation import Settings, compile_game, make_plan, run
from pontoon.simulation.shoe_depth import SHOES, STREAMS, deal_shoes, ramp
from pontoon.strategy import Situation
from pontoon.strategy.habits import DoublesOnTwo, Without, ordinary_blackjack

TAGS = dict.fromkeys(RANKS, 0) | dict.fromkeys("3456", 1) | dict.fromkeys("AJQK", -1)
EFFECTS = {card: TAGS[card[0]] / 1000 for card in PACK}


@pytest.fixture(scope="module")
def rules():
    return load("adelaide")


@pytest.fixture(scope="module")
def game(rules):
    return compile_game(rules, ordinary_blackjack("adelaide", 8), 1000)


@pytest.fixture(scope="module")
def depths(rules, game):
    return deal_shoes(game, rules, 8, rounds=600_000, tags=TAGS, effects=EFFECTS, seed=5)


def test_whole_shoes(depths):
    assert depths.shoes % (SHOES * STREAMS) == 0
    parts = [depths.part(low / 20, (low + 1) / 20) for low in range(17)]
    assert sum(part.rounds for part in parts) == depths.rounds == depths.part(0, 0.85).rounds
    assert all(part.rounds > depths.shoes for part in parts)
    assert depths.part(0.9, 1.0).rounds == 0


@pytest.mark.parametrize(("rounds", "shoes"), [(1, 2), (10, 2), (1_000, 32), (50_000, 848)])
def test_a_short_run_plays_only_the_shoes_it_needs(rules, game, rounds, shoes):
    short = deal_shoes(game, rules, 8, rounds=rounds, tags=TAGS, effects=EFFECTS, seed=5)
    assert short.shoes == shoes
    assert rounds <= short.rounds < max(2 * rounds, 200)
    assert short.sums.shape[0] == min(shoes, 16)


def test_results_are_those_of_the_kernel_from_a_fresh_shoe(depths, rules, game):
    fresh = run(make_plan(game, rules, Settings(packs=8, rounds=1_000_000, seed=1)))
    part = depths.part(0, 0.5)
    assert abs(part.measured.mean - fresh.ev) < 4 * math.hypot(part.measured.error, fresh.standard_error)
    flat = depths.betting(lambda _: 1.0, 0.5, 0.0)
    assert flat.sd == pytest.approx(fresh.sd, rel=0.01)
    assert flat.measured.mean == pytest.approx(part.measured.mean)
    assert flat.valued == pytest.approx(part.valued.mean)


def test_every_count_holds_its_rounds(depths):
    counts = [depths.at_count(count, 0.75) for count in range(-20, 21)]
    assert sum(count.rounds for count in counts) == depths.part(0, 0.75).rounds
    # With effects in proportion to the tags, the value by the cards left is the true count times what a tag does.
    for count in (-2, 1, 3):
        value = depths.at_count(count, 0.75).valued.mean
        assert value == pytest.approx(count * (8 * 48 - 1) / 48 / 1000, abs=0.51 * 383 / 48 / 1000)


def test_the_seed_alone_decides(depths, rules, game):
    def again(seed, threads):
        return deal_shoes(game, rules, 8, rounds=600_000, tags=TAGS, effects=EFFECTS, seed=seed, threads=threads)

    assert (again(5, 1).sums == depths.sums).all()
    assert again(6, 2).sums.sum() != depths.sums.sum()


def test_bets_follow_the_count():
    bets = [ramp(8, 1.1, 5.1)(count) for count in range(-5, 10)]
    assert bets == sorted(bets)
    assert (bets[0], bets[-1]) == (1, 8)


# --- habits as strategies ------------------------------------------------------------------------------


def chosen(strategy, cards, dealer, *may):
    return strategy.choose(Situation(tuple(cards.split()), dealer, may=frozenset({"hit", "stand", "double", *may})))


def test_habits_change_one_thing():
    usual = ordinary_blackjack("star", 8)
    assert chosen(usual, "6c 5d", "6h") == "double"
    assert chosen(Without(usual, "double"), "6c 5d", "6h") == "hit"
    assert chosen(usual, "Ac 7d", "6h") == "double"
    assert chosen(usual, "Ac 3d 4h", "6h") == "stand"
    assert chosen(usual, "8c 8d", "Ah", "split") == "split"
    for strategy in (usual, Without(usual, "double"), DoublesOnTwo(usual)):
        assert not strategy.insures((Card("6c"), Card("5d")), Card("Ah"))


# --- the commands --------------------------------------------------------------------------------------


def command(module, capsys, *arguments):
    top = Parser(prog="pontoon")
    module.add_to(top.add_subparsers())
    try:
        args = top.parse_args([module.__name__.rpartition(".")[2], *arguments])
        status = args.run(args)
    except SystemExit as ended:
        status = ended.code
    out, err = capsys.readouterr()
    return status, out, err


def once(monkeypatch, module):
    """Compute a command's answer once, and print it twice."""
    find = module._found
    kept: dict[str, object] = {}

    def found(args):
        if not kept:
            kept["answer"] = find(args)
        return kept["answer"]

    monkeypatch.setattr(module, "_found", found)


@pytest.mark.slow
def test_shoe_in_json_and_in_words(capsys, monkeypatch, game):
    monkeypatch.setattr(shoe, "game_of", lambda *_: game)
    once(monkeypatch, shoe)
    asked = ("adelaide", "--decks", "8", "--rounds", "3e5", "--spread", "20")
    status, out, _ = command(shoe, capsys, *asked, "--json")
    assert status == 0
    found = json.loads(out)
    assert [depth["penetration"] for depth in found["depths"]] == [0.5, 0.65, 0.75, 0.85]
    assert all(depth["rounds_per_shoe"] > 20 for depth in found["depths"])
    assert {row["spread"] for row in found["betting"]} == {1, 4, 8, 12, 20}
    assert sum(row["share"] for row in found["by_count"]) <= 1
    wins = [row["win_per_100_by_cards_left"] for row in found["betting"] if row["penetration"] == 0.85]
    assert wins == sorted(wins)
    assert found["positions"][0]["from"] == 0
    assert found["positions"][-1]["to"] == 0.85
    status, words, _ = command(shoe, capsys, *asked)
    assert status == 0
    assert "cutting card" in words
    assert "1 to 20" in words


@pytest.mark.slow
def test_habits_in_json_and_in_words(capsys, monkeypatch, game):
    monkeypatch.setattr(habits, "game_of", lambda *_: game)
    once(monkeypatch, habits)
    asked = ("adelaide", "--decks", "8", "--rounds", "1e5", "--error-rate", "5%")
    status, out, _ = command(habits, capsys, *asked, "--json")
    assert status == 0
    found = json.loads(out)
    costs = {name: one["cost"] for name, one in found["habits"].items()}
    assert costs["optimal"] == 0
    assert 0 <= costs["chart"] < 0.001
    assert costs["errors_close"] < costs["errors_next_best"] < costs["errors_any"]
    assert costs["ordinary_blackjack"] > 0.005
    assert costs["insures"] > 0.005
    assert 1 < found["decisions_per_round"] < 3
    assert [box["boxes"] for box in found["boxes"]] == [1, 2, 3]
    assert all(0 < box["correlation"] <= 1 for box in found["boxes"])
    status, words, _ = command(habits, capsys, *asked)
    assert status == 0
    assert "ordinary blackjack strategy" in words


@pytest.mark.slow
def test_no_more_boxes_than_the_table_has(monkeypatch, game):
    monkeypatch.setattr(habits, "game_of", lambda *_: game)
    monkeypatch.setattr(habits, "_boxes", lambda *given: given[-1])
    args = Parser(prog="pontoon")
    habits.add_to(args.add_subparsers())
    asked = args.parse_args(["habits", "adelaide", "--decks", "8", "--set", "boxes.count=2"])
    assert len(habits._found(asked).boxes) == 2


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        (shoe, ("--spread", "1")),
        (shoe, ("--spread", "wide")),
        (shoe, ("--rounds", "none")),
        (shoe, ("--rounds", "1.5")),
        (shoe, ("--seed", "-1")),
        (shoe, ("--decks", "3")),
        (shoe, ("--stake", "0.05")),
        (habits, ("--error-rate", "0")),
        (habits, ("--error-rate", "x%")),
        (habits, ("--error-rate", "200%")),
        (habits, ("--rounds", "0")),
        (habits, ("--decks", "5")),
    ],
)
def test_bad_input_is_one_line(capsys, module, arguments):
    status, out, err = command(module, capsys, "star", *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
