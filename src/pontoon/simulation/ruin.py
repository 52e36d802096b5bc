"""The risk of ruin of bets that follow a count, by simulation.

Shoes are independent of each other, but the rounds of one shoe are not: good counts, and so large bets, come together.
Whole shoes are therefore played by the count, each recorded by its net and its low point, and a bankroll walks over
shoes drawn from these. The mean of a shoe is adjusted to the exact one: a small error of the mean would move the risk
of ruin more than everything that is simulated here.

A coin that wins 60 % of its tosses ruins a bankroll of 10 with probability (2/3)^10 = 1.7 %:

>>> tosses = np.array([1.0] * 6 + [-1.0] * 4)
>>> coin = PlayedShoes(tosses, np.minimum(tosses, 0.0))
>>> f"{walk(coin, bankroll=10, win=0.2, decay=0.405, seed=1).ruin:.3f}"
'0.018'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pontoon.rulebook import Rulebook
from pontoon.simulation.counted_play import COUNTS, Book, book_of, near_count, unread_sums
from pontoon.simulation.jit import jit
from pontoon.simulation.kernel import NET, ROW, ZERO, Game, Shoes, Sums, begin_stream, draw, finish_split
from pontoon.simulation.kernel_memory import game_of, new_shoes
from pontoon.simulation.tables import Compiled

Floats = NDArray[np.float64]
SHOES = 40_000
"""Shoes played; the variance of a shoe is known within about one percent."""
TRIALS = 8_000
LONGEST = 20_000
"""Shoes after which a walk ends; what risk is left then is that of the diffusion."""
SAFE = math.log(1e4)
"""A walk ends when the risk left is below exp(-SAFE)."""
PARTS = 50
"""How often progress is reported."""


class PlayedShoes(NamedTuple):
    """Whole shoes, in minimum bets: what each won, and its low point, at most 0."""

    net: Floats
    low: Floats
    rounds: int = 0
    """Rounds in all of them."""


class Ruin(Struct, frozen=True):
    """A simulated risk of ruin."""

    ruin: float
    error: float
    """Its standard error."""
    trials: int
    shoes: int


class Betting(NamedTuple):
    """What the loop reads about bets, and where it writes."""

    bets: Floats
    """The bet at each true count, from the lowest, over the stake in cents."""
    net: Floats
    low: Floats


@jit
def play_bets(
    games: tuple[Game, ...],
    shoes: Shoes,
    book: Book,
    betting: Betting,
    sums: Sums,
    seed: np.uint64,
) -> int:
    """Play one stream of shoes, write the net and the low point of each, and return the number of rounds."""
    begin_stream(shoes, ZERO, seed, 0, 1)
    size, steps = np.int64(shoes.size), book.walk.steps
    first_end, first_split, splits = np.uint64(book.walk.bounds[0]), book.walk.bounds[1], book.walk.bounds[2]
    burned = 1 if book.burns else 0
    rounds = 0
    for shoe in range(len(betting.net)):
        running, total, low = book.start, 0.0, 0.0
        if burned:
            draw(shoes, ZERO)
        while True:
            before = np.int64(shoes.places[ZERO])
            near = near_count(running, size - before + burned)
            number = book.which[near]
            state = np.uint64(book.walk.starts[number])
            while state < first_end:
                state = np.uint64(steps[(state << ROW) + np.uint64(draw(shoes, ZERO))])
            end = np.int64(state)
            if end < first_split:
                won = book.walk.nets[end - np.int64(first_end)]
            else:
                own = np.uint64(book.walk.splits[number * splits + end - first_split])
                finish_split(games[number], shoes, ZERO, own, sums)
                won = np.int64(shoes.notes[NET])
            total += betting.bets[near] * won
            low = min(low, total)
            rounds += 1
            after = np.int64(shoes.places[ZERO])
            if after < before or after >= np.int64(shoes.cut):  # the shoe ran out and was refilled, or it is over
                shoes.places[ZERO] = ZERO
                break
            for dealt in range(before, after):
                running += book.tags[shoes.cards[dealt]]
        betting.net[shoe] = total
        betting.low[shoe] = low
    return rounds


def play_shoes(  # noqa: PLR0913 the strategies, and keyword choices of the caller
    strategies: Sequence[tuple[float, Compiled]],
    rules: Rulebook,
    packs: int,
    *,
    tags: Mapping[str, int],
    bets: Callable[[int], float],
    penetration: float,
    seed: int = 1,
    shoes: int = SHOES,
) -> PlayedShoes:
    """Play whole shoes by a count on one box; `bets` gives the bet at a true count, in minimum bets.

    `strategies` are as for `play_by_count`.
    """
    games = [game for _, game in strategies]
    cards = np.array(games[0].classes.shoe(packs), np.uint8)
    book = book_of(strategies, tags, packs, burns=rules.shoe.burn_first)
    box = new_shoes(cards, cut=int(penetration * len(cards)))
    sizes = np.array([bets(count) for count in COUNTS.tolist()], np.float64) / games[0].stake
    betting = Betting(sizes, np.zeros(shoes), np.zeros(shoes))
    with np.errstate(over="ignore"):  # the generator's words wrap around; numpy would warn
        rounds = play_bets(tuple(map(game_of, games)), box, book, betting, unread_sums(games), np.uint64(seed))
    return PlayedShoes(betting.net, betting.low, rounds)


def walk(  # noqa: PLR0913 keyword choices of the caller
    played: PlayedShoes,
    *,
    bankroll: float,
    win: float,
    decay: float,
    seed: int,
    trials: int = TRIALS,
    progress: Callable[[float], None] = lambda _: None,
) -> Ruin:
    """The probability that a bankroll in minimum bets is ever lost.

    `win` is the exact mean of a shoe. `decay` is that of the diffusion, 2 win / variance: the risk left to a bankroll b
    is exp(-decay b), which decides when a walk may end and what is added for the risk left at its end.
    """
    generator = np.random.default_rng(seed)
    shift = win - float(played.net.mean())
    left = np.full(trials, float(bankroll))
    walking = np.arange(trials)
    safe = bankroll + SAFE / decay
    for shoe in range(LONGEST):
        drawn = generator.integers(len(played.net), size=len(walking))
        now = left[walking]
        ruined = now + played.low[drawn] <= 0
        left[walking] = np.where(ruined, 0.0, now + played.net[drawn] + shift)
        walking = walking[~ruined & (left[walking] < safe)]
        if not len(walking):
            break
        if shoe % (LONGEST // PARTS) == 0:
            progress(1 - len(walking) / trials)
    risks = np.where(left > 0, np.exp(-decay * np.maximum(left, 0.0)), 1.0)
    return Ruin(float(risks.mean()), float(risks.std()) / math.sqrt(trials), trials, len(played.net))
