"""Published figures of Pontoon and Spanish 21, each with the calculation of ours: for docs/results.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from pontoon.analysis import measures
from pontoon.analysis.game import game_of
from pontoon.analysis.shoe import Shoe
from pontoon.analysis.side import row_chances
from pontoon.analysis.solver import Solver
from pontoon.cards import Card
from pontoon.money import cents
from pontoon.rulebook import load
from tests.published.figures import FIGURES
from tests.published.games import blackjack, packs_of_52, spanish21, value

SPANISH = FIGURES["spanish21"]
WALKER = "Walker, 10 billion rounds"
WIKIPEDIA = "Spanish 21, Wikipedia"


class Figure(NamedTuple):
    """A published figure in percent, and how ours is computed."""

    what: str
    source: str
    value: float
    ours: Callable[[], float]


def published() -> Iterator[Figure]:
    """Every figure, in the order of the page."""
    pontoon = FIGURES["pontoon"]
    yield Figure(
        "house edge of Pontoon, 8 packs, one bet from each hand, three hands",
        WALKER,
        pontoon["P1"]["value"],
        _one_bet_from_each_hand,
    )
    yield Figure(
        "house edge of Pontoon, 4 packs, busts plus one, four hands (canberra)",
        WALKER,
        pontoon["P2"]["value"],
        lambda: -100 * float(Solver("canberra", 4).value()),
    )
    yield Figure(
        "house edge of Pontoon, 6 packs, busts plus one, two hands (star)",
        WALKER,
        pontoon["P3"]["value"],
        lambda: -100 * float(Solver("star", 6).value()),
    )
    yield Figure(
        "house edge of Australian blackjack, 8 packs of 52, busts plus one",
        "Wizard of Odds",
        pontoon["P8"]["value"],
        lambda: (
            -100
            * float(Solver(blackjack(collects="busts_plus_one", most=2, double=(9, 11)), shoe=packs_of_52(8)).value())
        ),
    )
    for name in ("SP1", "SP2", "SP3", "SP4"):
        packs, soft17, edge = SPANISH["edges"][name]
        what = f"house edge of Spanish 21, {packs} packs, {soft17}"
        yield Figure(what, WIKIPEDIA, edge, partial(_edge, soft17, packs))
    yield Figure("Spanish 21, H17: surrender", WIKIPEDIA, SPANISH["SP6"]["value"], partial(_surrender, "H17"))
    yield Figure("Spanish 21, S17: surrender", WIKIPEDIA, SPANISH["SP7"]["value"], partial(_surrender, "S17"))
    yield Figure("Spanish 21: drawing to split aces", WIKIPEDIA, SPANISH["SP8"]["value"], _aces)
    yield Figure(
        "Spanish 21: dealer stands on soft 17",
        WIKIPEDIA,
        SPANISH["SP9"]["value"],
        lambda: _edge("H17", 6) - _edge("S17", 6),
    )
    yield Figure("Spanish 21, S17: the Super Bonus at $5 or $25", WIKIPEDIA, SPANISH["SP13"]["value"], _bonus)
    yield Figure("house edge of insurance, 6 packs", WIKIPEDIA, SPANISH["SP15"]["value"], partial(_insurance, 6))
    yield Figure("pontoons in eight packs", "a guide to Spanish 21", SPANISH["SP16"]["value"], partial(_pontoons, 8))
    for rank, effect in SPANISH["SP11"]["value"].items():
        what = f"Spanish 21, S17: effect of removing {'a picture' if rank == 'X' else rank}, a pack"
        yield Figure(what, "liveblackjack.co", effect, partial(_removal, rank))
    for name in ("MD1", "MD2"):
        row = SPANISH["match_the_dealer"][name]
        what = f"house edge of Match the Dealer, {row['packs']} packs"
        yield Figure(what, "Jacobson; Wizard of Odds", row["house_edge"], partial(_match, row["packs"]))


def _one_bet_from_each_hand() -> float:
    """No rulebook can say it: a dealer's pontoon takes everything but what doubling added."""
    plain = measures.money
    rules = load("division-15", {"double.fixed_aces": "all_held", "dealer.pontoon_collects": "all"})
    game = replace(game_of(rules, cents("10")), split_aces_again=True)
    try:
        measures.money = lambda game: replace(plain(game), doubled_pontoon=Fraction(-1))
        return -100 * float(Solver(game, shoe=Shoe.of_packs(8)).value())
    finally:
        measures.money = plain


def _bonus() -> float:
    shoe = Shoe.of_packs(6)
    return 100 * (value(spanish21("S17", stake="5"), shoe) - value(spanish21("S17", bonus=False), shoe))


def _insurance(packs: int) -> float:
    pictures, left = 12 * packs, 48 * packs - 1
    return 100 * (1 - 3 * pictures / left)


def _pontoons(packs: int) -> float:
    return 100 * 2 * 4 * 12 * packs**2 / (48 * packs * (48 * packs - 1))


def _edge(soft17: str, packs: int) -> float:
    return -100 * value(spanish21(soft17), Shoe.of_packs(packs))


def _surrender(soft17: str) -> float:
    without = 100 * value(spanish21(soft17, surrender=False), Shoe.of_packs(6))
    return -_edge(soft17, 6) - without


def _aces() -> float:
    return -_edge("H17", 6) - 100 * value(spanish21("H17", draw_to_aces=False), Shoe.of_packs(6))


def _removal(rank: str) -> float:
    game, shoe = spanish21("S17", bonus=False), Shoe.of_packs(6)
    letter = "K" if rank == "X" else rank
    suits = "sddd" if rank in "678" else "d"  # spades pay more
    left = [100 * value(game, shoe.without([Card(letter + suit)])) for suit in suits]
    fresh = 100 * value(game, shoe)
    return float((sum(left) / len(left) - fresh) * (shoe.cards - 1) / (shoe.cards / 6 - 1))


def _match(packs: int) -> float:
    chances = row_chances(load("canberra").side[0], packs)
    suited, rank = chances["perfect"], chances["coloured"] + chances["mixed"]
    left = packs * 48 - 1
    neither = (1 - suited - rank) * (1 - (suited + rank) * left / (left - 1))
    return float(100 * (neither - 2 * (9 * suited + 4 * rank)))
