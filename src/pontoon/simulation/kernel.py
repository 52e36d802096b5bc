"""The round as a walk through tables. One source: interpreted, compiled by numba, and called from a CUDA kernel.

There is no rule of the game here: where a card leads and what an end is worth stand in the tables (compile.py).

A stream is a number of rounds with one shoe and a part of the generator's sequence of its own. Streams know nothing of
each other, so any number of threads or devices comes to the same counts. `play_stream` plays one, a card at a time;
`play_streams` plays several side by side, so that one counts while another waits for memory: the same rounds, sooner.

Chance: number k of stream j is the splitmix64 mix of key + (j * 2**26 + k) * gamma; the key comes of the seed. An index
below n is the upper part of the product of n and the upper 55 bits: with eight packs (n = 384) the chance of an index
is off by less than 384 / 2**55 of itself, about 1e-14. The shoe is shuffled as far as it is dealt: each card is
exchanged for one of those not yet dealt, which is uniform whatever their order was before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pontoon.simulation.compile import Ints, Numbers, Tables
from pontoon.simulation.jit import count, jit

Words = NDArray[np.uint64]
Counts = NDArray[np.int64]

LANES = 4
"""Streams played side by side: a matter of speed alone."""
MOST_BOXES = 7
STREAM_ROUNDS = 8192
"""Rounds in a stream. Results depend on it: it is part of what a seed means."""
STREAM_BITS = np.uint64(26)
"""A stream has 2**26 numbers of its own: over eight thousand for each of its rounds."""
SHORTEST = 3
"""No round takes fewer cards than the first two and the dealer's."""
MANY = 8
"""Threads with a split for which the others of their company wait."""
FEW = 32
"""Rounds left in a stream that are not worth playing side by side."""

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S30, S27, S31 = np.uint64(30), np.uint64(27), np.uint64(31)
DROPPED, KEPT = np.uint64(9), np.uint64(55)
ROW = np.uint64(5)
"""A row of `steps` has 2**5 places."""
ZERO, ONE = np.uint64(0), np.uint64(1)

WAITING, UNDECIDED = 1, 2
COUNT, INSURED, SPOILED, STACK, NET, NOTES = 4, 5, 6, 7, 11, 12
"""Places in the notes on a box: the outcomes of up to four hands, how many there are, whether it is insured and out of
the Super Bonus, up to four first cards of split hands yet to be played, its net."""


class Game(NamedTuple):
    """What is played."""

    tables: Tables
    numbers: Numbers


class Shoes(NamedTuple):
    """The shoes of the streams played side by side, and where each stream stands."""

    order: NDArray[np.uint8]
    """The cards of a shoe as every stream begins with them, each the number of its class."""
    cards: NDArray[np.uint8]
    """All shoes one after the other."""
    size: np.uint64
    cut: np.uint64
    """A round that ends with so many cards dealt is the last of its shoe; 0: every round has a fresh shoe."""
    fresh: np.uint64
    """The state a shoe begins in: 0, or the state that burns a card."""
    shuffled: np.uint64
    """1: cards come in random order; 0: as they lie."""
    places: Words
    """For each stream: cards dealt, the generator's counter, the state of the round, rounds left to play."""
    counters: Words
    states: Words
    left: Counts
    notes: Counts


class Sums(NamedTuple):
    """What was counted: integers alone, so that the order of adding does not matter."""

    visits: Counts
    """For the ends among the states of `steps` the number of rounds that ended so. The places of the other states are
    for `play_streams` to count in: to count every step is cheaper than to ask whether it was the last."""
    nets: Counts
    """For boxes played outside `steps`: dealer's first card * nets + (net - least) / unit -> how many."""
    labels: Counts
    """For the same boxes how often each label came up."""
    totals: Counts
    """For rounds played outside `steps`: how many, the sum of their nets and of the squares, in units."""


@jit
def mix(counter: np.uint64) -> np.uint64:
    """A random word for a number: the finaliser of splitmix64."""
    mixed = (counter ^ (counter >> S30)) * MIX_1
    mixed = (mixed ^ (mixed >> S27)) * MIX_2
    return mixed ^ (mixed >> S31)


@jit
def first_counter(seed: np.uint64, stream: np.uint64) -> np.uint64:
    """Where a stream begins in the sequence of a seed."""
    return mix(mix(seed + GAMMA) + GAMMA) + (stream << STREAM_BITS) * GAMMA


@jit
def draw(shoes: Shoes, lane: np.uint64) -> int:
    """Take a card. A shoe that runs out in the middle of a round is filled with all its cards again."""
    place = shoes.places[lane]
    if place >= shoes.size:
        place = ZERO
    counter = shoes.counters[lane] + GAMMA
    shoes.counters[lane] = counter
    behind = shoes.size - place if shoes.shuffled else ONE
    here = lane * shoes.size + place
    there = here + (((mix(counter) >> DROPPED) * behind) >> KEPT)
    card = shoes.cards[there]
    shoes.cards[there] = shoes.cards[here]
    shoes.cards[here] = card
    shoes.places[lane] = place + ONE
    return np.int64(card)  # type: ignore[return-value] # an int of the machine is an int


@jit
def walk(steps: Ints, classes: int, node: int, shoes: Shoes, lane: np.uint64) -> int:
    """Deal until an end is reached; which end."""
    while node >= 0:
        node = steps[node * classes + draw(shoes, lane)]
    return -1 - node


@jit
def note_hand(game: Game, shoes: Shoes, lane: np.uint64, box: int, end: int) -> None:
    """Write down how the hand of a box ended; where it is split, play the hands of the split."""
    base = (np.int64(lane) * MOST_BOXES + box) * NOTES
    shoes.notes[base + INSURED] = game.tables.end_insured[end]
    shoes.notes[base + SPOILED] = 0
    shoes.notes[base + COUNT] = 0
    if game.tables.end_outcome[end] >= 0:
        shoes.notes[base] = game.tables.end_outcome[end]
        shoes.notes[base + COUNT] = 1
    else:
        play_split(game, shoes, lane, base, end)


@jit
def play_split(game: Game, shoes: Shoes, lane: np.uint64, base: np.int64, end: int) -> None:
    """Play the hands of a split in order: each is over before the next gets its second card."""
    tables, numbers, notes = game.tables, game.numbers, shoes.notes
    up = tables.end_up[end]
    barred = tables.end_bars[end]
    hands = 1
    waiting = 0
    while True:
        if tables.end_outcome[end] < 0:
            hands += 1
            first, second = tables.end_first[end], tables.end_second[end]
            notes[base + SPOILED] |= tables.spoils[first * numbers.classes + second]
            notes[base + STACK + waiting] = second
            notes[base + STACK + waiting + 1] = first
            waiting += 2
        else:
            barred |= tables.end_bars[end]
            notes[base + notes[base + COUNT]] = tables.end_outcome[end]
            notes[base + COUNT] += 1
        if waiting == 0:
            break
        waiting -= 1
        original = 1 if notes[base + COUNT] == 0 else 0
        again = 1 if hands < numbers.max_hands and not barred else 0
        slot = ((notes[base + STACK + waiting] * numbers.upcards + up) * 2 + original) * 2 + again
        end = walk(tables.hand_steps, numbers.classes, tables.slot_start[slot], shoes, lane)


@jit
def play_dealer(game: Game, shoes: Shoes, lane: np.uint64, boxes: int, up: int) -> int:
    """Play the dealer's hand for as many boxes as were noted; its result."""
    tables, notes = game.tables, shoes.notes
    needed = 0
    for box in range(boxes):
        base = (np.int64(lane) * MOST_BOXES + box) * NOTES
        if notes[base + INSURED]:
            needed = max(needed, WAITING)
        for hand in range(notes[base + COUNT]):
            needed = max(needed, tables.needs[notes[base + hand]])
    start = tables.dealer_start[needed * game.numbers.upcards + up]
    return walk(tables.dealer_steps, game.numbers.classes, start, shoes, lane)


@jit
def settle_box(game: Game, shoes: Shoes, lane: np.uint64, box: int, result: int, sums: Sums) -> int:
    """Note what a box comes to, and count its labels; the Super Bonus it won."""
    tables, numbers, notes = game.tables, game.numbers, shoes.notes
    base = (np.int64(lane) * MOST_BOXES + box) * NOTES
    hands = notes[base + COUNT]
    net, bonus, statuses = 0, 0, 0
    for hand in range(hands):
        outcome = notes[base + hand]
        place = outcome * numbers.results + result
        count(sums.labels, tables.label[place], 1)
        if hands == 1 or result != numbers.pontoon or tables.status[outcome] < UNDECIDED:
            net += tables.net[place]
        statuses |= tables.status[outcome] << (2 * hand)
        if not notes[base + SPOILED]:
            bonus += tables.bonus[outcome]
    if hands > 1:
        count(sums.labels, numbers.label_split, 1)
        if result == numbers.pontoon:
            net += tables.pontoon[statuses]
    if bonus > 0:
        count(sums.labels, numbers.label_bonus, 1)
    if notes[base + INSURED]:
        net += tables.insurance[result]
    notes[base + NET] = net + bonus
    return bonus


@jit
def pay_others(game: Game, shoes: Shoes, lane: np.uint64, boxes: int, winners: int) -> None:
    """Somebody won the Super Bonus: what the boxes without it receive; bit b of `winners` is box b."""
    tables, notes = game.tables, shoes.notes
    for box in range(boxes):
        if not (winners >> box) & 1:
            base = (np.int64(lane) * MOST_BOXES + box) * NOTES
            stacks = 0
            for hand in range(notes[base + COUNT]):
                stacks += tables.stacks[notes[base + hand]]
            notes[base + NET] += tables.others[0] + stacks * tables.others[1]


@jit
def finish(game: Game, shoes: Shoes, lane: np.uint64, boxes: int, up: int, sums: Sums) -> int:
    """The dealer's hand, and the settlement of all boxes; the net of the round."""
    numbers = game.numbers
    result = play_dealer(game, shoes, lane, boxes, up)
    winners = 0
    for box in range(boxes):
        if settle_box(game, shoes, lane, box, result, sums) > 0:
            winners |= 1 << box
    if winners:
        pay_others(game, shoes, lane, boxes, winners)
    total = 0
    for box in range(boxes):
        net = shoes.notes[(np.int64(lane) * MOST_BOXES + box) * NOTES + NET]
        count(sums.nets, up * numbers.nets + (net - numbers.least) // numbers.unit, 1)
        total += net
    units = total // numbers.unit
    count(sums.totals, 0, 1)
    count(sums.totals, 1, units)
    count(sums.totals, 2, units * units)
    return total


@jit
def finish_split(game: Game, shoes: Shoes, lane: np.uint64, state: np.uint64, sums: Sums) -> None:
    """Go on with the round of one box from the split in which it left `steps`."""
    end = game.tables.split_end[np.int64(state) - game.numbers.first_split]
    note_hand(game, shoes, lane, 0, end)
    finish(game, shoes, lane, 1, game.tables.end_up[end], sums)


@jit
def end_round(shoes: Shoes, lane: np.uint64) -> None:
    """After a round: on with the shoe, or with a new one when the cutting card has come."""
    shoes.states[lane] = ZERO
    if shoes.places[lane] >= shoes.cut:
        shoes.places[lane] = ZERO
        shoes.states[lane] = shoes.fresh


@jit
def play_round(game: Game, shoes: Shoes, lane: np.uint64, sums: Sums) -> np.uint64:
    """Play the round of one box to its end; which state of `steps` that is."""
    first_end, first_split = np.uint64(game.numbers.first_end), np.uint64(game.numbers.first_split)
    state = shoes.states[lane]
    while state < first_end:
        state = np.uint64(game.tables.steps[(state << ROW) + np.uint64(draw(shoes, lane))])
    count(sums.visits, state, 1)
    if state >= first_split:
        finish_split(game, shoes, lane, state, sums)
    return np.uint64(state)


@jit
def play_table(game: Game, shoes: Shoes, lane: np.uint64, boxes: int, sums: Sums) -> int:
    """Play a round of several boxes, in the order a table plays it; its net."""
    tables, numbers, notes = game.tables, game.numbers, shoes.notes
    base = np.int64(lane) * MOST_BOXES * NOTES
    if shoes.states[lane] != ZERO:
        draw(shoes, lane)  # burned
    for box in range(boxes):
        notes[base + box * NOTES] = draw(shoes, lane)
    up = tables.up[draw(shoes, lane)]
    for box in range(boxes):
        start = tables.hand_start[notes[base + box * NOTES] * numbers.upcards + up]
        notes[base + box * NOTES] = tables.hand_steps[start * numbers.classes + draw(shoes, lane)]
    for box in range(boxes):
        end = walk(tables.hand_steps, numbers.classes, notes[base + box * NOTES], shoes, lane)
        note_hand(game, shoes, lane, box, end)
    return finish(game, shoes, lane, boxes, up, sums)


@jit
def play_stream(game: Game, shoes: Shoes, lane: np.uint64, sums: Sums) -> None:
    """Play the rounds of one box left in one stream."""
    while shoes.left[lane] > 0:
        play_round(game, shoes, lane, sums)
        end_round(shoes, lane)
        shoes.left[lane] -= 1


@jit
def play_table_stream(game: Game, shoes: Shoes, lane: np.uint64, boxes: int, sums: Sums) -> None:
    """The same with several boxes: apart, so that whoever plays one box need not compile it."""
    while shoes.left[lane] > 0:
        play_table(game, shoes, lane, boxes, sums)
        end_round(shoes, lane)
        shoes.left[lane] -= 1


@jit
def votes(flag: bool) -> int:  # noqa: FBT001 one thread's answer
    """How many of the threads that march together say so: here there is one. A device has its own (cuda.py)."""
    return 1 if flag else 0


@jit
def play_in_step(
    game: Game, shoes: Shoes, lane: np.uint64, steps: NDArray[np.uint16], ends: Counts, sums: Sums
) -> None:
    """Play the rounds left in one stream of one box, a card in each step, for threads that march together.

    Threads of a device that take different ways wait for each other. So every thread that can takes a card in every
    step, whatever its round is at, and the long way of a split is gone by several threads at once (`MANY`). `steps` is
    the table without its unused columns, `ends` the visits of the ends alone: both small enough for shared memory.
    """
    left, states = shoes.left, shoes.states
    first_end, first_split = np.uint64(game.numbers.first_end), np.uint64(game.numbers.first_split)
    width = np.uint64(game.numbers.classes)
    while True:
        state = states[lane]
        waits = state >= first_split
        plays = left[lane] > 0 and not waits
        waiting, playing = votes(waits), votes(plays)
        if waiting + playing == 0:
            break
        if plays:
            state = np.uint64(steps[state * width + np.uint64(draw(shoes, lane))])
            states[lane] = state
            if state >= first_end:
                count(ends, state - first_end, 1)
                if state < first_split:
                    end_round(shoes, lane)
                    left[lane] -= 1
        elif waits and (waiting >= MANY or playing == 0):
            finish_split(game, shoes, lane, state, sums)
            end_round(shoes, lane)
            left[lane] -= 1


@jit
def play_streams(game: Game, shoes: Shoes, sums: Sums) -> None:
    """Play streams of one box side by side, a card each in turn, as long as all have many rounds left."""
    steps = game.tables.steps
    cards, places, counters, states, left = shoes.cards, shoes.places, shoes.counters, shoes.states, shoes.left
    size, cut, fresh, visits = shoes.size, shoes.cut, shoes.fresh, sums.visits
    first_end, first_split = np.uint64(game.numbers.first_end), np.uint64(game.numbers.first_split)
    while True:
        least = left[0]
        for number in range(1, LANES):
            least = min(least, left[number])
        if least < FEW:
            break
        for _ in range(least * SHORTEST):
            for number in range(LANES):
                lane = np.uint64(number)
                place = places[lane]
                counter = counters[lane] + GAMMA
                counters[lane] = counter
                here = lane * size + place
                there = here + (((mix(counter) >> DROPPED) * (size - place)) >> KEPT)
                card = cards[there]
                cards[there] = cards[here]
                cards[here] = card
                state = np.uint64(steps[(states[lane] << ROW) | np.uint64(card)])
                visits[state] += 1
                place += ONE
                if state >= first_split:
                    places[lane] = place
                    finish_split(game, shoes, lane, state, sums)
                    place = places[lane]
                over = state >= first_end
                shuffle = over and place >= cut
                places[lane] = ZERO if shuffle else place
                states[lane] = fresh if shuffle else ZERO if over else state
                left[lane] -= np.int64(over)


@jit
def begin_stream(shoes: Shoes, lane: np.uint64, seed: np.uint64, stream: int, rounds: int) -> None:
    """A new stream: its own part of the sequence, its cards in order, its share of all `rounds`."""
    shoes.counters[lane] = first_counter(seed, np.uint64(stream))
    shoes.places[lane] = ZERO
    shoes.states[lane] = shoes.fresh
    for place in range(len(shoes.order)):
        shoes.cards[np.int64(lane) * len(shoes.order) + place] = shoes.order[place]
    shoes.left[lane] = min(STREAM_ROUNDS, max(0, rounds - stream * STREAM_ROUNDS))


@jit
def play_group(game: Game, shoes: Shoes, seed: np.uint64, first: int, rounds: int, sums: Sums) -> None:
    """Play as many streams of one box as there are lanes, from stream `first` on; all streams share `rounds`."""
    for number in range(LANES):
        begin_stream(shoes, np.uint64(number), seed, first + number, rounds)
    play_streams(game, shoes, sums)
    for number in range(LANES):
        play_stream(game, shoes, np.uint64(number), sums)


@jit
def play_table_group(
    game: Game, shoes: Shoes, boxes: int, seed: np.uint64, first: int, rounds: int, sums: Sums
) -> None:
    """The same with several boxes."""
    for number in range(LANES):
        begin_stream(shoes, np.uint64(number), seed, first + number, rounds)
        play_table_stream(game, shoes, np.uint64(number), boxes, sums)
