"""Counted play: simulated rounds at each true count against the exact value of the same play at that count."""

from __future__ import annotations

import pytest

from pontoon.analysis import Shoe, Solver
from pontoon.analysis.counting.fresh_play import FreshPlay
from pontoon.analysis.counting.tags import best_tags, count_named
from pontoon.analysis.counting.true_count import frequencies, shoe_at
from pontoon.analysis.policies.export import strategy_of
from pontoon.cards import PACK
from pontoon.rulebook import load
from pontoon.simulation.counted_play import play_by_count
from pontoon.simulation.shoe_depth import deal_shoes
from pontoon.simulation.tables import compile_game
from pontoon.strategy import CompositionStrategy

ROUNDS = 40_000_000
BALANCED = count_named("A=-1,3-6=1,T=-1")


def test_the_play_of_a_fresh_shoe_on_a_fresh_shoe_is_best_play():
    best = Solver("canberra", 4)
    assert FreshPlay(best, Shoe.of_packs(4)).value() == pytest.approx(best.value(), abs=1e-12)


def test_fresh_play_loses_where_the_count_would_change_it():
    best = Solver("star", 6)
    shoe = shoe_at(best.shoe, count_named("hi-lo"), 2.0)
    ignoring, knowing = FreshPlay(best, shoe).value(), best.with_shoe(shoe).value()
    assert 0 < knowing - ignoring < 0.01


@pytest.mark.slow
def test_rounds_at_a_true_count_are_worth_what_the_mean_shoe_says():
    """Star, 6 packs, to 75 %: shares of the counts, and the mean of fresh play at each, within standard errors."""
    rules = load("star")
    best = Solver(rules, 6)
    game = compile_game(rules, CompositionStrategy(strategy_of(best, rules)), 1000)
    depths = deal_shoes(game, rules, 6, rounds=ROUNDS, tags=BALANCED.tags, effects=dict.fromkeys(PACK, 0.0))
    rounds = depths.part(0.0, 0.75).rounds
    often = {frequency.true_count: frequency for frequency in frequencies(BALANCED, 6, 0.75)}
    for count in range(-4, 5):
        part = depths.at_count(count, 0.75)
        assert part.rounds / rounds == pytest.approx(often[count].share, rel=0.06)
        exact = float(FreshPlay(best, shoe_at(best.shoe, BALANCED, often[count].mean)).value())
        assert abs(part.measured.mean - exact) < 4 * part.measured.error + 5e-4  # 5e-4: terms of second order


def test_best_tags_of_any_effects_are_monotone():
    effects = {card[0]: 0.1 * place for place, card in enumerate(PACK[:12])}
    tags = best_tags(effects, 2).tags
    ordered = [tags[rank] for rank in sorted(effects, key=lambda rank: effects[rank]) if rank not in "JQ"]
    assert ordered == sorted(ordered)


@pytest.mark.slow
def test_play_by_an_unbalanced_count_is_worth_what_the_mean_shoe_says():
    """Star, 6 packs, Hi-Lo from -4 a pack, a strategy for every third true count: by count, within standard errors."""
    rules, count = load("star"), count_named("hi-lo")
    best = Solver(rules, 6)
    games = []
    for true_count in (-7.0, -4.0, -1.0):
        solver = best.with_shoe(shoe_at(best.shoe, count, true_count))
        games.append((true_count, compile_game(rules, CompositionStrategy(strategy_of(solver, rules)), 1000)))
    parts = play_by_count(games, rules, 6, tags=count.tags, penetration=0.75, rounds=ROUNDS)
    often = {frequency.true_count: frequency for frequency in frequencies(count, 6, 0.75)}
    for part in parts:
        if -8 <= part.true_count <= 0:
            assert part.share == pytest.approx(often[part.true_count].share, rel=0.06)
            exact = float(best.with_shoe(shoe_at(best.shoe, count, often[part.true_count].mean)).value())
            # 8e-4: terms of second order, and decisions that follow the count of the round's beginning
            assert abs(part.ev - exact) < 4 * part.error + 8e-4
