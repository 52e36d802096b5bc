"""Games of the published figures that no rulebook of ours has: ordinary blackjack and Spanish 21.

Each starts from a rulebook of ours with overrides; what no rulebook can say is set on the analysis's `Game` afterwards.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from pontoon.analysis.game import ROWS, Collects, Game, game_of
from pontoon.analysis.kernels import MAY_DOUBLE
from pontoon.analysis.shoe import Shoe
from pontoon.analysis.solver import Solver
from pontoon.cards import PACK, RANKS
from pontoon.money import cents
from pontoon.rulebook import load

_BONUSES = tuple(row for row in ROWS if row not in ("pontoon", "other"))


@lru_cache
def blackjack(
    soft17: str = "S17",
    *,
    collects: Collects = "peek",
    das: bool = True,
    most: int = 4,
    any_cards: bool = False,
    double: tuple[int, int] = (2, 20),
) -> Game:
    """Ordinary blackjack: 3:2, aces split once and take one card, no surrender, equal totals stand off.

    `soft17`: the dealer stands (S17) or hits (H17); `das`: doubling after a split; `any_cards`: doubling on any number
    of cards; `double`: the lowest and highest total doubled.
    """
    overrides: dict[str, object] = {
        **{f"payout.{row}": "1:1" for row in _BONUSES},
        "double.two_cards_only": not any_cards,
        "double.fixed_aces": "none",
        "double.forfeit_highest": 0,
        "double.lowest_total": double[0],
        "double.highest_total": double[1],
        "split.max_hands": most,
        "super_bonus.offered": False,
        "surrender.first_cards": [],
        "dealer.stands_soft": _stands_soft(soft17),
        "draw.forced_below": 0,
    }
    game = game_of(load("star", overrides), cents("10"))
    allowed = {key: may if das or not key[3] else may & ~MAY_DOUBLE for key, may in game.allowed.items()}
    return replace(game, collects=collects, twenty_one_wins=False, allowed=allowed)


@lru_cache
def spanish21(
    soft17: str, *, surrender: bool = True, draw_to_aces: bool = True, bonus: bool = True, stake: str = "10"
) -> Game:
    """Spanish 21: a hole card, 21 always wins, surrender against any card, split aces like any other pair.

    A stake of 10 makes the Super Bonus 100:1.
    """
    overrides: dict[str, object] = {
        "double.fixed_aces": "none",
        "split.max_hands": 4,
        "super_bonus.offered": bonus,
        "surrender.first_cards": list(RANKS) if surrender else [],
        "dealer.stands_soft": _stands_soft(soft17),
    }
    game = game_of(load("star", overrides), cents(stake))
    return replace(game, collects="peek", split_aces_one_card=not draw_to_aces, split_aces_again=True)


def _stands_soft(soft17: str) -> int:
    return {"S17": 17, "H17": 18}[soft17]


def packs_of_52(packs: int) -> Shoe:
    """Packs with their tens, which are counted among the kings."""
    return Shoe(tuple(2 * packs if card[0] == "K" else packs for card in PACK))


@lru_cache(maxsize=2)  # a solver with all hands cached is large
def solved(game: Game, shoe: Shoe) -> Solver:
    """Optimal play, computed once. Do not modify it."""
    return Solver(game, shoe=shoe)


@lru_cache
def value(game: Game, shoe: Shoe) -> float:
    """The value of a round."""
    return float(Solver(game, shoe=shoe).value())


# --- single hands --------------------------------------------------------------------------------------


def without_natural(solver: Solver, first: int, pair: tuple[int, int], worth: float) -> float:
    """The value of two cards given that a dealer who peeks has no natural; with a natural the bet is lost."""
    natural = float(solver.board(first).chance_of_natural(solver.table.hands.two(*pair)))
    return (worth + natural) / (1 - natural)


def split_worth(solver: Solver, first: int, pair: int, most: int) -> float:
    """What splitting is worth when every further pair is split until there are this many hands.

    Where the dealer peeks, a natural counts as nothing here.
    """
    box, of_pair = solver.split_box(first, pair), solver._of_pair(first, (pair, pair), "")
    return float(box.total(box.additive(solver.money), of_pair, most).base - box.taken(of_pair, most))
