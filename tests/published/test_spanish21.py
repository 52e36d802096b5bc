"""Spanish 21, the game Pontoon comes from: its edges, rules and effects of removal as published."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest

from pontoon.analysis.game import Game, is_natural
from pontoon.analysis.shoe import Shoe
from pontoon.analysis.side import row_chances
from pontoon.cards import Card
from pontoon.rulebook import load
from tests.published.figures import ACE, FIGURES
from tests.published.games import solved, spanish21, value

SPANISH = FIGURES["spanish21"]
REMOVAL = SPANISH["SP11"]


def percent(game: Game, packs: int = 6) -> float:
    return 100 * value(game, Shoe.of_packs(packs))


def fits(name: str, ours: float) -> bool:
    return bool(abs(ours - SPANISH[name]["value"]) <= SPANISH[name]["tolerance"])


@pytest.mark.parametrize("name", ["SP1", "SP2", "SP3", "SP4"])
def test_edge(name):
    packs, soft17, published = SPANISH["edges"][name]
    edge = -percent(spanish21(soft17), packs)
    assert published - SPANISH["better"] <= edge <= published + SPANISH["worse"]


@pytest.mark.parametrize(("name", "soft17"), [("SP6", "H17"), ("SP7", "S17")])
def test_surrender_is_worth(name, soft17):
    assert fits(name, percent(spanish21(soft17)) - percent(spanish21(soft17, surrender=False)))


@pytest.mark.parametrize("soft17", ["S17", "H17"])
def test_drawing_to_split_aces_is_worth(soft17):
    assert fits("SP8", percent(spanish21(soft17)) - percent(spanish21(soft17, draw_to_aces=False)))


def test_standing_on_soft_17_is_worth():
    assert fits("SP9", percent(spanish21("S17")) - percent(spanish21("H17")))


def test_super_bonus_is_worth():
    game = spanish21("S17", stake="5")
    assert game.prize == spanish21("S17", stake="25").prize
    assert fits("SP13", percent(game) - percent(spanish21("S17", bonus=False)))


@pytest.mark.parametrize("rank", REMOVAL["value"])
def test_effect_of_removal(rank):
    game, shoe = spanish21("S17", bonus=False), Shoe.of_packs(6)
    letter = "K" if rank == "X" else rank
    suits = "sddd" if rank in "678" else "d"  # spades pay more
    left = [100 * value(game, shoe.without([Card(letter + suit)])) for suit in suits]
    effect = (sum(left) / len(left) - percent(game)) * (shoe.cards - 1) / (shoe.cards / 6 - 1)
    known = REMOVAL["departures"].get(rank)
    if known is None:
        assert effect == pytest.approx(REMOVAL["value"][rank], abs=REMOVAL["tolerance"])
    else:
        assert effect == pytest.approx(known["ours"], abs=0.0005)
        assert abs(effect - REMOVAL["value"][rank]) > REMOVAL["tolerance"], "it fits: no departure any more"


def test_insurance():
    solver = solved(spanish21("S17"), Shoe.of_packs(6))
    chances = {start.pair: 0.0 for start in solver.starts(ACE)}
    for start in solver.starts(ACE):
        chances[start.pair] += float(start.chance)
    mean = sum(chance * float(solver.insurance(ACE, pair)) for pair, chance in chances.items())
    assert fits("SP15", -100 * mean / float(solver.game.insurance_most))


def test_chance_of_a_natural():
    solver = solved(spanish21("S17"), Shoe.of_packs(8))
    chance = sum(
        count / solver.shoe.cards * float(start.chance)
        for rank, first, count in solver.upcards()
        for start in solver.starts(first, rank)
        if is_natural(*start.pair)
    )
    assert fits("SP16", 100 * chance)


@pytest.mark.parametrize("name", ["MD1", "MD2"])
def test_match_the_dealer(name):
    """Two cards against the dealer's first, from the chances of pairs that the side wagers use."""
    row = SPANISH["match_the_dealer"][name]
    packs = row["packs"]
    chances = row_chances(load("canberra").side[0], packs)
    suited, rank = chances["perfect"], chances["coloured"] + chances["mixed"]
    left = packs * 48 - 1
    neither = (1 - suited - rank) * (1 - (suited + rank) * left / (left - 1))
    edge = neither - 2 * (9 * suited + 4 * rank)
    assert float(100 * edge) == pytest.approx(row["house_edge"], abs=row["tolerance"])
    if "won" in row:
        assert float(100 * (1 - neither)) == pytest.approx(row["won"], abs=row["tolerance"])
        assert _sd(packs, suited * left, rank * left, neither, edge) == pytest.approx(row["sd"], abs=row["tolerance"])
        assert float(1 / (suited + rank)) == pytest.approx(row["cards_a_pair"], abs=0.005)


def _sd(packs: int, suited: Fraction, rank: Fraction, neither: Fraction, edge: Fraction) -> float:
    """From the number of cards that match in suit, that match in rank, and those that do not."""
    left = packs * 48 - 1
    kinds = {9: suited, 4: rank, 0: left - suited - rank}
    square = neither
    for one, many in kinds.items():
        for two, more in kinds.items():
            square += many * (more - (one == two)) / (left * (left - 1)) * (one + two) ** 2
    return sqrt(square - edge**2)
