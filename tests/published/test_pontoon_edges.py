"""The house edges of Pontoon that others published."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from pontoon.analysis import measures
from pontoon.analysis.game import Game, game_of
from pontoon.analysis.shoe import Shoe
from pontoon.analysis.solver import Solver
from pontoon.money import cents
from pontoon.rulebook import load
from tests.published.figures import FIGURES
from tests.published.games import blackjack, packs_of_52

PONTOON = FIGURES["pontoon"]


def fits(name: str, value: float) -> bool:
    published = PONTOON[name]["value"]
    return bool(published - PONTOON["better"] <= -100 * value <= published + PONTOON["worse"])


def test_one_bet_from_each_hand_of_eight_packs(monkeypatch):
    """No document collects like this, and no rulebook can express it: everything except what doubling added."""
    plain = measures.money

    def money(game: Game) -> measures.Measure:
        return replace(plain(game), doubled_pontoon=Fraction(-1))

    monkeypatch.setattr(measures, "money", money)
    rules = load("division-15", {"double.fixed_aces": "all_held", "dealer.pontoon_collects": "all"})
    game = replace(game_of(rules, cents("10")), split_aces_again=True)
    assert fits("P1", Solver(game, shoe=Shoe.of_packs(8)).value())


def test_the_other_readings_of_that_game_do_not_fit():
    for again in (True, False):
        rules = load("division-15", {"double.fixed_aces": "all_held"})
        game = replace(game_of(rules, cents("10")), split_aces_again=again)
        assert not fits("P1", Solver(game, shoe=Shoe.of_packs(8)).value())


@pytest.mark.parametrize(
    ("name", "rulebook", "packs", "overrides"),
    [("P2", "canberra", 4, {}), ("P2", "canberra", 4, {"double.fixed_aces": "all_held"}), ("P3", "star", 6, {})],
)
def test_one_bet_from_a_box(name, rulebook, packs, overrides):
    assert fits(name, Solver(load(rulebook, overrides), packs).value())


def test_one_bet_from_a_box_of_ordinary_packs():
    game = blackjack(collects="busts_plus_one", most=2, double=(9, 11))
    assert fits("P8", Solver(game, shoe=packs_of_52(8)).value())
