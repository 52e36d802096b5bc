"""The simulated risk of ruin of bets that follow a count."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pontoon.cards import RANKS
from pontoon.rulebook import load
from pontoon.simulation import compile_game
from pontoon.simulation.counted_play import play_by_count
from pontoon.simulation.ruin import PlayedShoes, play_shoes, walk
from pontoon.strategy.habits import ordinary_blackjack

TAGS = dict.fromkeys(RANKS, 0) | dict.fromkeys("3456", 1) | dict.fromkeys("AJQK", -1)


@pytest.fixture(scope="module")
def games():
    rules = load("canberra")
    return rules, [(0.0, compile_game(rules, ordinary_blackjack("canberra", 6), 1000))]


def test_shoes_played_with_bets_add_up_to_rounds_played_by_the_count(games):
    rules, strategies = games
    played = play_shoes(strategies, rules, 6, tags=TAGS, bets=lambda at: 1.0 if at < 1 else 5.0, penetration=0.75)
    parts = play_by_count(strategies, rules, 6, tags=TAGS, penetration=0.75, rounds=2_000_000, seed=2)
    mean = sum(part.share * part.ev * (1 if part.true_count < 1 else 5) for part in parts)
    error = math.sqrt(sum((part.share * part.error * (1 if part.true_count < 1 else 5)) ** 2 for part in parts))
    shoe_error = played.net.std() / math.sqrt(len(played.net)) * len(played.net) / played.rounds
    assert abs(played.net.sum() / played.rounds - mean) < 4 * math.hypot(error, shoe_error)
    assert (played.low <= np.minimum(played.net, 0)).all()


def test_the_seed_decides_the_shoes(games):
    rules, strategies = games

    def nets(seed):
        shoes = play_shoes(strategies, rules, 6, tags=TAGS, bets=float, penetration=0.5, seed=seed, shoes=50)
        return shoes.net.tolist()

    assert nets(1) == nets(1) != nets(2)


@pytest.mark.parametrize(("bankroll", "ruin"), [(1, 2 / 3), (5, (2 / 3) ** 5)])
def test_a_coin_ruins_a_bankroll_as_often_as_the_formula_says(bankroll, ruin):
    """An unfair coin, 6 : 4: the risk of ruin of n units is (4/6)^n."""
    tosses = np.array([1.0] * 6 + [-1.0] * 4)
    coin = PlayedShoes(tosses, np.minimum(tosses, 0.0))
    found = walk(coin, bankroll=bankroll, win=0.2, decay=math.log(1.5), seed=3)
    assert abs(found.ruin - ruin) < 4 * found.error


def test_the_mean_of_the_shoes_is_adjusted_and_low_points_ruin():
    """Shoes that won by luck are taken for what they are worth; a shoe that dips below nothing ends the walk."""
    shoes = PlayedShoes(np.array([3.0, -1.0]), np.array([0.0, -1.0]))
    lucky = walk(shoes, bankroll=20, win=0.1, decay=0.05, seed=1)
    plain = walk(shoes, bankroll=20, win=1.0, decay=0.5, seed=1)
    assert lucky.ruin > 0.3 > plain.ruin
    assert walk(PlayedShoes(np.array([1.0]), np.array([-9.0])), bankroll=9, win=1, decay=1, seed=1).ruin == 1
