"""What is counted at each end of a hand: money, its square, or 1 for one kind of end.

A mean is linear in the probabilities of the ends, so the same sweep values a strategy under any measure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from pontoon.analysis import kernels as k
from pontoon.analysis.game import ROWS, Game

Number = Any
"""A float or a fraction."""


@dataclass(frozen=True)
class Measure:
    """What each end of a hand counts. Fields without `doubled` are for a single wager."""

    rows: dict[str, Number]
    """A win, by row of the payout table."""
    prize: dict[str, Number]
    """A win including the Super Bonus, by row and suit: `sevens_spades s`."""
    lose: Number = 0
    tie: Number = 0
    pontoon: Number = 0
    """Undecided, and the dealer has a pontoon."""
    bust: Number = 0
    doubled_win: Number = 0
    doubled_lose: Number = 0
    doubled_tie: Number = 0
    doubled_pontoon: Number = 0
    doubled_bust: Number = 0
    doubled_paid: Number = 0
    forfeit: Number = 0
    surrender: Number = 0
    surrender_pontoon: Number = 0
    natural_pontoon: Number = 0
    """Both player and dealer have a pontoon, where the player does not simply win."""

    def map(self, change: Callable[[Number], Number]) -> Measure:
        """The measure with a function applied to every number."""
        plain = {
            number.name: change(getattr(self, number.name))
            for number in fields(self)
            if number.name not in ("rows", "prize")
        }
        rows = {name: change(value) for name, value in self.rows.items()}
        return replace(self, rows=rows, prize={name: change(value) for name, value in self.prize.items()}, **plain)


def money(game: Game) -> Measure:
    """Units of the first wager won or lost. A dealer who peeks takes the wager before the hand is played."""
    double = 2 * game.doubled
    undecided = {"all": (-1, -2), "busts_plus_one": (-1, -1), "original_tracked": (-1, -1), "peek": (0, 0)}
    pontoon, doubled_pontoon = undecided[game.collects]
    return Measure(
        rows=dict(game.odds),
        prize=_prizes(game, lambda row, prize: game.odds[row] + prize),
        lose=Fraction(-1),
        tie=Fraction(0),
        pontoon=Fraction(pontoon),
        bust=Fraction(-1),
        doubled_win=double,
        doubled_lose=Fraction(-2),
        doubled_pontoon=Fraction(doubled_pontoon),
        doubled_bust=Fraction(-2),
        doubled_paid=double,
        forfeit=Fraction(-1),
        surrender=Fraction(-1, 2),
        surrender_pontoon=Fraction(0 if game.collects == "peek" else -1),
    )


def super_bonus(game: Game) -> Measure:
    """Only the Super Bonus, in units of the first wager."""
    return replace(nothing(), prize=_prizes(game, lambda _, prize: prize))


def nothing() -> Measure:
    """A measure that is zero everywhere."""
    return Measure(rows=dict.fromkeys(ROWS, Fraction(0)), prize={})


def _prizes(game: Game, count: Callable[[str, Fraction], Number]) -> dict[str, Number]:
    return {
        f"{row} {suit}": count(row, prize)
        for suit, prize in game.prize.items()
        for row in ("sevens_suited", "sevens_spades")
        if prize
    }


def ends(game: Game) -> dict[str, Measure]:
    """For each way a wager can end, a measure whose mean is its frequency per round."""
    one = Fraction(1)
    found = {
        row: replace(
            nothing(),
            rows={name: Fraction(name == row) for name in ROWS},
            prize=_prizes(game, lambda name, _, row=row: Fraction(name == row)),  # type: ignore[misc]
        )
        for row in ROWS
    }
    found["doubled"] = replace(nothing(), doubled_win=one, doubled_paid=one)
    found["stand_off"] = replace(nothing(), tie=one, doubled_tie=one, natural_pontoon=one)
    # A dealer's pontoon that spares the double takes one wager from a doubled hand: it counts as one loss.
    both = Fraction(game.collects == "all")
    found["lose"] = replace(nothing(), lose=one, pontoon=one, surrender_pontoon=one, bust=one, doubled_pontoon=1 - both)
    found["doubled_lose"] = replace(nothing(), doubled_lose=one, doubled_pontoon=both, doubled_bust=one)
    found["surrender"] = replace(nothing(), surrender=one)
    found["forfeit"] = replace(nothing(), forfeit=one)
    found["super_bonus"] = replace(nothing(), prize=_prizes(game, lambda *_: one))
    return found


def decided() -> Measure:
    """Whether a hand is decided before the dealer plays."""
    one = Fraction(1)
    rows = dict.fromkeys(ROWS, one)
    return Measure(rows, {}, bust=one, doubled_bust=one, doubled_paid=one, forfeit=one)


def won() -> Measure:
    """Whether a hand is won before the dealer plays."""
    one = Fraction(1)
    return Measure(dict.fromkeys(ROWS, one), {}, doubled_paid=one)


def payoffs(measure: Measure, *, spoilt: int = 0, shared: Number = 0) -> list[Number]:
    """A measure in the order of the kernels.

    `spoilt`: a dealer's pontoon reverses what was decided before. `shared`: what a win then costs another hand.
    """
    row: list[Number] = [Fraction(0)] * k.PAYOFFS
    row[k.LOSE], row[k.TIE], row[k.PONTOON], row[k.BUST] = measure.lose, measure.tie, measure.pontoon, measure.bust
    row[k.DOUBLED_WIN], row[k.DOUBLED_LOSE] = measure.doubled_win, measure.doubled_lose
    row[k.DOUBLED_TIE], row[k.DOUBLED_PONTOON] = measure.doubled_tie, measure.doubled_pontoon
    row[k.DOUBLED_BUST], row[k.DOUBLED_PAID] = measure.doubled_bust, measure.doubled_paid
    row[k.FORFEIT], row[k.SPOILT], row[k.SHARED] = measure.forfeit, spoilt, shared
    return row
