"""Whole shoes dealt to the cutting card: the value of a round by its position in the shoe and by a count of the cards.

The kernel plays each round; this module counts the cards it used. A shoe dealt to 85 % contains the same shoe dealt to
50 %: the rounds that begin before half of the cards are dealt. One run to the deepest cutting card covers them all.

Every round is also valued by the cards left before it: the value of a fresh shoe plus the mean worth of the cards left,
which follows from the effects of removal. This value has a ten-thousandth of the variance of a round's net and shows
effects that would be lost in the noise of the results. It is right on average. Far from a fresh shoe it is too steep,
because it is linear, while a strategy made for the fresh shoe gains less and loses more.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pontoon.cards import PACK, Card
from pontoon.rulebook import Rulebook
from pontoon.simulation.jit import jit
from pontoon.simulation.kernel import NET, ZERO, Counts, Game, Shoes, Sums, begin_stream, end_round, play_round
from pontoon.simulation.kernel_memory import game_of, new_shoes, new_sums
from pontoon.simulation.tables import Compiled

ZONES = 20
"""Zones of a shoe: a round belongs to the zone in which it begins."""
DEEPEST = 0.85
SHOES = 200
"""Shoes in a stream of random numbers."""
STREAMS = 16
"""Streams in a batch: a thread plays one batch at a time, and errors are estimated between batches."""
FEW = 16
"""Batches of a run that is too short for two of these."""
CARDS_A_ROUND = 5.5
"""Approximate; used only to estimate how many shoes give the requested number of rounds."""
FARTHEST = 20
"""True counts are recorded from minus this to plus this; those beyond are recorded at the limit."""
FINE = 10**9
"""Values by the cards left are added as integers in units of 1 / FINE."""
ROUNDS, WON, SQUARED, VALUED, PLACES = range(5)
"""Sums for each zone and count: rounds, units won, their squares, values by the cards left."""
PACK_CARDS = len(PACK)


class Tally(NamedTuple):
    """Input of `play_shoes` for each class of card, and its output."""

    tags: Counts
    worth: Counts
    nets: Counts
    """Units won at each end of the kernel's `steps`."""
    zones: Counts
    """Number of cards dealt -> zone."""
    sums: Counts
    """The sums by zone, count and kind, flattened."""


@jit
def play_shoes(  # noqa: PLR0913, PLR0917 the game, the shoe, what is counted, the random numbers
    game: Game, shoes: Shoes, tally: Tally, sums: Sums, seed: np.uint64, stream: int, count: int
) -> None:
    """Play the first `count` shoes of one stream, burning the first card of each if the rulebook says so."""
    begin_stream(shoes, ZERO, seed, stream, 1)
    size = np.int64(shoes.size)
    burned = 1 if shoes.fresh else 0
    for _ in range(count):
        running, worth, before = 0, 0, np.int64(0)
        while True:
            unseen = size if before == 0 else size - before + burned
            true = (2 * PACK_CARDS * running + unseen) // (2 * unseen)
            state = np.int64(play_round(game, shoes, ZERO, sums))
            after = np.int64(shoes.places[ZERO])
            plain = state < game.numbers.first_split
            won = tally.nets[state - game.numbers.first_end] if plain else shoes.notes[NET] // game.numbers.unit
            near = min(max(true, -FARTHEST), FARTHEST)
            place = (tally.zones[before] * (2 * FARTHEST + 1) + near + FARTHEST) * PLACES
            tally.sums[place + ROUNDS] += 1
            tally.sums[place + WON] += won
            tally.sums[place + SQUARED] += won * won
            tally.sums[place + VALUED] += worth // unseen
            for dealt in range(burned if before == 0 else before, after):
                running += tally.tags[shoes.cards[dealt]]
                worth += tally.worth[shoes.cards[dealt]]
            end_round(shoes, ZERO)
            if after < before:  # the shoe ran out during the round and was refilled
                shoes.places[ZERO] = ZERO
                shoes.states[ZERO] = shoes.fresh
            if shoes.places[ZERO] == ZERO:
                break
            before = after


class Estimate(Struct, frozen=True):
    """A mean and its standard error, in units of the first wager."""

    mean: float
    error: float


class Part(Struct, frozen=True):
    """A subset of the rounds: their number, their mean net, and their value by the cards left."""

    rounds: int
    measured: Estimate
    valued: Estimate
    """What the cards already dealt add to the value of a fresh shoe."""


class Betting(Struct, frozen=True):
    """Bets that follow the count; amounts are per round dealt, in units of the minimum bet."""

    mean_bet: float
    measured: Estimate
    valued: float
    """Mean by the cards left, including the value of a fresh shoe."""
    sd: float
    """Standard deviation of one round."""


class Depths(NamedTuple):
    """The counts of a run over whole shoes."""

    sums: NDArray[np.int64]
    """By batch, zone, count and kind of sum."""
    shoes: int
    unit: float
    """Unit of the amounts won, in first wagers."""

    @property
    def rounds(self) -> int:
        """Number of rounds played."""
        return int(self.sums[..., ROUNDS].sum())

    def part(self, low: float, high: float, counts: slice = slice(None)) -> Part:
        """Rounds that begin between two depths of the shoe, at the given counts."""
        zones = slice(round(low * ZONES), round(high * ZONES))
        batches = self.sums[:, zones, counts].sum(axis=(1, 2)).astype(np.float64)
        rounds, won, squared, valued = batches.sum(axis=0).tolist()
        if not rounds:
            nothing = Estimate(0.0, 0.0)
            return Part(0, nothing, nothing)
        mean = won / rounds
        error = math.sqrt(max(squared / rounds - mean * mean, 0.0) / rounds)
        value = valued / rounds
        strayed = float(((batches[:, VALUED] - value * batches[:, ROUNDS]) ** 2).sum())
        between = math.sqrt(strayed * len(batches) / max(1, len(batches) - 1)) / rounds
        return Part(
            int(rounds),
            Estimate(mean * self.unit, error * self.unit),
            Estimate(value / FINE, between / FINE),
        )

    def at_count(self, count: int, depth: float) -> Part:
        """Rounds at one true count, with the cutting card at this depth."""
        return self.part(0.0, depth, slice(count + FARTHEST, count + FARTHEST + 1))

    def betting(self, bets: Callable[[int], float], depth: float, fresh: float) -> Betting:
        """Result of betting by the true count; `fresh` is the value of a round from a fresh shoe.

        A bonus that is a fixed amount of money is assumed to grow with the bet.
        """
        sums = self.sums[:, : round(depth * ZONES)].sum(axis=(0, 1)).astype(np.float64)
        bet = np.array([bets(count) for count in range(-FARTHEST, FARTHEST + 1)])
        rounds = float(sums[:, ROUNDS].sum())
        mean = float(bet @ sums[:, WON]) * self.unit / rounds
        squares = float(bet**2 @ sums[:, SQUARED]) * self.unit**2 / rounds
        sd = math.sqrt(max(squares - mean * mean, 0.0))
        valued = float(bet @ (sums[:, VALUED] / FINE + fresh * sums[:, ROUNDS])) / rounds
        return Betting(float(bet @ sums[:, ROUNDS]) / rounds, Estimate(mean, sd / math.sqrt(rounds)), valued, sd)


def deal_shoes(  # noqa: PLR0913 a game, and keyword choices of the caller
    compiled: Compiled,
    rules: Rulebook,
    decks: int,
    *,
    rounds: int,
    tags: Mapping[str, int],
    effects: Mapping[Card, float],
    seed: int = 1,
    threads: int = 0,
    progress: Callable[[float], None] = lambda _: None,
) -> Depths:
    """Deal about `rounds` rounds, in two or more whole shoes to the deepest cutting card; the seed decides the cards.

    `tags` are the count's tags by rank; `effects` are the effects of removal by card, in units of the first wager.
    """
    cards = np.array(compiled.classes.shoe(decks), np.uint8)
    cut = round(DEEPEST * ZONES) * len(cards) // ZONES
    wanted = rounds * CARDS_A_ROUND / cut
    batches, streams, shoes = round(wanted / (SHOES * STREAMS)), STREAMS, SHOES
    if batches < 2:
        batches, streams = min(max(2, math.ceil(wanted)), FEW), 1
        shoes = math.ceil(wanted / batches)
    fresh = compiled.numbers.burn if rules.shoe.burn_first else 0
    tags_and_worths = _tags(compiled, tags), _worths(compiled, effects, decks)
    shared = _Batches(compiled, cards, cut, fresh, *tags_and_worths, seed, streams, shoes)
    found = []
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for number, sums in enumerate(pool.map(shared.batch, range(batches)), 1):
            found.append(sums)
            progress(number / batches)
    return Depths(np.stack(found), batches * streams * shoes, compiled.numbers.unit / compiled.stake)


def _tags(compiled: Compiled, tags: Mapping[str, int]) -> Counts:
    return np.array([tags[card[0]] for card in compiled.classes.cards], np.int64)


def _worths(compiled: Compiled, effects: Mapping[Card, float], decks: int) -> Counts:
    """What a dealt card adds to the value of the cards left, which is divided among them; over a pack it sums to 0."""
    mean = math.fsum(effects.values()) / len(PACK)
    whole = decks * len(PACK) - 1
    return np.array([round((effects[card] - mean) * whole * FINE) for card in compiled.classes.cards], np.int64)


class _Batches(NamedTuple):
    """Everything that is the same for all batches."""

    compiled: Compiled
    cards: NDArray[np.uint8]
    cut: int
    fresh: int
    tags: Counts
    worths: Counts
    seed: int
    streams: int
    """Streams in a batch."""
    shoes: int
    """Shoes in a stream."""

    def batch(self, number: int) -> Counts:
        """Play the streams of a batch."""
        unit = self.compiled.numbers.unit
        sums = np.zeros(ZONES * (2 * FARTHEST + 1) * PLACES, np.int64)
        zones = np.arange(len(self.cards) + 1) * ZONES // len(self.cards)
        tally = Tally(self.tags, self.worths, self.compiled.end_net // unit, zones, sums)
        game, shoes = game_of(self.compiled), new_shoes(self.cards, 1, cut=self.cut, fresh=self.fresh)
        with np.errstate(over="ignore"):  # the generator's words wrap around; numpy would warn
            for stream in range(number * self.streams, (number + 1) * self.streams):
                play_shoes(game, shoes, tally, new_sums(self.compiled), np.uint64(self.seed), stream, self.shoes)
        return sums.reshape(ZONES, 2 * FARTHEST + 1, PLACES)


def ramp(most: float, starts: float, full: float) -> Callable[[int], float]:
    """A bet of 1 up to true count `starts`, then rising with every count to `most` from `full` on.

    >>> [ramp(8, 1.0, 5.0)(count) for count in (-2, 1, 2, 3, 5, 9)]
    [1.0, 1.0, 2.75, 4.5, 8.0, 8.0]
    """

    def bet(count: int) -> float:
        share = min(max((count - starts) / (full - starts), 0.0), 1.0)
        return 1.0 + share * (most - 1.0)

    return bet


def advantage_from(parts: Sequence[tuple[int, float]]) -> int | None:
    """The lowest true count from which every value is above 0.

    >>> advantage_from([(-1, -0.01), (0, -0.004), (1, 0.001), (2, 0.004)])
    1
    """
    found = None
    for count, value in sorted(parts, reverse=True):
        if value <= 0:
            break
        found = count
    return found
