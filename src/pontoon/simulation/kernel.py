"""The round as a walk through tables. One source: interpreted, compiled by numba, and called from a CUDA kernel.

There is no rule of the game here: where a card leads and what an end is worth is in the tables (tables.py).

There are two ways to deal, and either gives the same counts for any number of threads or devices.

One box from a fresh shoe (fresh_rounds.py) needs no shoe: an index below the number of cards is drawn, and drawn again
if that card was dealt in this round. The random numbers belong to the round: number k of round r is taken from the
splitmix64 mix of key + (r * 2**13 + k) * gamma, where the key is derived from the seed. An index below n is the upper
half of the product of n and the mixed word, so the relative error of its probability is below n / 2**64.

A shoe that is dealt to a cutting card, and several boxes, are played in streams: a fixed number of rounds with their
own shoe. Number k of stream j is the mix of key + (j * 2**26 + k) * gamma, and an index below n is the upper part of
the product of n and the upper 55 bits, with a relative error below 1e-14. The shoe is shuffled as it is dealt: each
card is swapped with a random one of those not yet dealt, which is uniform whatever their order was. `play_stream` plays
one stream, a card at a time.

`play_streams` interleaves several rounds, so that one computes while another waits for memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pontoon.simulation.jit import count, inlined, jit, upper_half
from pontoon.simulation.tables import Ints, Numbers, Tables

Words = NDArray[np.uint64]
Counts = NDArray[np.int64]

KERNEL_VERSION = 2
"""Raise it when a seed would play other rounds: checkpoints and cluster workers of another version are then refused."""
BY_STREAM, BY_ROUND = 1, 2
"""Whether random numbers belong to a stream or to a round. In version 1 of the kernel they always belonged to
streams; checkpoints of such runs are continued that way."""
LANES = 4
"""Streams played side by side; affects speed only."""
MOST_BOXES = 7
STREAM_ROUNDS = 8192
"""Rounds in a stream. Results depend on it: it is part of what a seed means."""
STREAM_BITS = np.uint64(26)
"""A stream has 2**26 random numbers of its own: 8,192 for each of its rounds."""
ROUND_BITS = np.uint64(13)
"""A round has 2**13 random numbers of its own."""
SHORTEST = 3
"""Minimum number of cards in a round: the player's two and the upcard."""
MANY = 8
"""The other threads of a warp wait once this many have a split to play."""
FEW = 32
"""With fewer rounds left than this, streams are finished one by one."""

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S30, S27, S31 = np.uint64(30), np.uint64(27), np.uint64(31)
DROPPED, KEPT = np.uint64(9), np.uint64(55)
ROW = np.uint64(5)
"""A row of `steps` has 2**5 entries."""
ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
GIVEN, SHUFFLED, FRESH, AHEAD = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
"""How cards are drawn: in the given order, from a shoe shuffled as it is dealt, by index from a fresh shoe, or from one
shuffled as it is dealt after the first cards, as many as the lane's mark, which were shuffled before."""
ROUND_STEP = np.uint64(0x9E3779B97F4A7C15 << 13 & 0xFFFFFFFFFFFFFFFF)
"""From the counter of one round to that of the next: 2**13 steps of gamma."""
MARK, CLASS = np.uint64(8), np.uint64(0xFF)
"""In a fresh shoe a card's class is in the lower 8 bits; the mark of the round that dealt it last is above them."""

WAITING, UNDECIDED = 1, 2
COUNT, INSURED, SPOILED, STACK, NET, NOTES = 4, 5, 6, 7, 11, 12
"""Offsets in the notes on a box: the outcomes of up to four hands, their number, whether the box is insured, whether it
is excluded from the Super Bonus, the first cards of up to four split hands still to be played, and its net."""


class Game(NamedTuple):
    """The compiled game as the kernel reads it."""

    tables: Tables
    numbers: Numbers


class Shoes(NamedTuple):
    """The shoes of the streams played side by side, and the state of each stream."""

    order: NDArray[np.uint8]
    """The cards of a shoe in the order every stream starts with, each as the number of its class."""
    cards: NDArray[Any]
    """All shoes, one after another; for fresh shoes, in 32 bits, with the mark of the round that dealt a card last."""
    size: np.uint64
    cut: np.uint64
    """The round after which this many cards have been dealt is the last of its shoe; 0: a fresh shoe every round."""
    fresh: np.uint64
    """Initial state of a fresh shoe: 0, or the state that burns a card."""
    dealing: np.uint64
    """How cards are drawn: `GIVEN`, `SHUFFLED` or `FRESH`."""
    places: Words
    """For each lane: cards dealt; the next four are the generator's counter, the round's state, rounds left in the
    stream, and the mark of the round."""
    counters: Words
    states: Words
    left: Counts
    marks: Words
    notes: Counts


class Sums(NamedTuple):
    """The counts: integers only, so that the order of addition does not matter."""

    visits: Counts
    """For each end among the states of `steps`, the number of rounds that ended there. `play_streams` also counts the
    other states: counting every step is cheaper than testing whether it was the last."""
    nets: Counts
    """For boxes played outside `steps`: upcard * nets + (net - least) / unit -> number of boxes."""
    labels: Counts
    """For the same boxes, how often each label occurred."""
    totals: Counts
    """For rounds played outside `steps`: their number, the sum of their nets and of the squares, in units. For one box
    they follow from `nets` (batch.py)."""


@inlined
def mix(counter: np.uint64) -> np.uint64:
    """The random word for a counter: the finaliser of splitmix64."""
    mixed = (counter ^ (counter >> S30)) * MIX_1
    mixed = (mixed ^ (mixed >> S27)) * MIX_2
    return mixed ^ (mixed >> S31)


@inlined
def index_below(counter: np.uint64, size: np.uint64) -> np.uint64:
    """The random index below a size that belongs to a counter.

    The last step of the mix is left out: it changes only the lower 33 bits of the word.
    """
    mixed = (counter ^ (counter >> S30)) * MIX_1
    return upper_half((mixed ^ (mixed >> S27)) * MIX_2, size)  # type: ignore[no-any-return]


@inlined
def key_of(seed: np.uint64) -> np.uint64:
    """The start of the sequence of a seed."""
    return mix(mix(seed + GAMMA) + GAMMA)


@inlined
def first_counter(seed: np.uint64, stream: np.uint64) -> np.uint64:
    """The counter at which a stream begins in the sequence of a seed."""
    return key_of(seed) + (stream << STREAM_BITS) * GAMMA


@inlined
def draw_by_index(shoes: Shoes, lane: np.uint64) -> int:
    """Deal a card of a fresh shoe: draw indices until one is of a card that was not dealt in this round."""
    size, mark, counter = shoes.size, shoes.marks[lane], shoes.counters[lane]
    if shoes.places[lane] >= size:
        return_cards(shoes, lane)
    while True:
        counter += GAMMA
        place = lane * size + index_below(counter, size)
        entry = np.uint64(shoes.cards[place])
        card = entry & CLASS
        dealt = (mark << MARK) | card
        if entry != dealt:
            break
    shoes.cards[place] = dealt
    shoes.counters[lane] = counter
    shoes.places[lane] += ONE
    return np.int64(card)  # type: ignore[return-value] # a machine integer


@jit
def return_cards(shoes: Shoes, lane: np.uint64) -> None:
    """Remove all marks from a fresh shoe: every card can be dealt again."""
    first = np.int64(lane) * np.int64(shoes.size)
    for place in range(len(shoes.order)):
        shoes.cards[first + place] = shoes.order[place]
    shoes.places[lane] = ZERO


@inlined
def draw(shoes: Shoes, lane: np.uint64) -> int:
    """Deal a card. A shoe that runs out during a round is refilled with all its cards."""
    if shoes.dealing == FRESH:
        return draw_by_index(shoes, lane)
    place = shoes.places[lane]
    if place >= shoes.size:
        place = ZERO
        if shoes.dealing == AHEAD:
            shoes.marks[lane] = ZERO
    counter = shoes.counters[lane] + GAMMA
    shoes.counters[lane] = counter
    shuffled = shoes.dealing == SHUFFLED or (shoes.dealing == AHEAD and place >= shoes.marks[lane])
    behind = shoes.size - place if shuffled else ONE
    here = lane * shoes.size + place
    there = here + (((mix(counter) >> DROPPED) * behind) >> KEPT)
    card = shoes.cards[there]
    shoes.cards[there] = shoes.cards[here]
    shoes.cards[here] = card
    shoes.places[lane] = place + ONE
    return np.int64(card)  # type: ignore[return-value] # a machine integer


@inlined
def walk(steps: Ints, classes: int, node: int, shoes: Shoes, lane: np.uint64) -> int:
    """Deal until an end is reached and return its number."""
    while node >= 0:
        node = steps[node * classes + draw(shoes, lane)]
    return -1 - node


@inlined
def note_hand(game: Game, shoes: Shoes, lane: np.uint64, box: int, end: int) -> None:
    """Note how the hand of a box ended; if it is split, play the hands of the split."""
    base = (np.int64(lane) * MOST_BOXES + box) * NOTES
    shoes.notes[base + INSURED] = game.tables.end_insured[end]
    shoes.notes[base + SPOILED] = 0
    shoes.notes[base + COUNT] = 0
    if game.tables.end_outcome[end] >= 0:
        shoes.notes[base] = game.tables.end_outcome[end]
        shoes.notes[base + COUNT] = 1
    else:
        play_split(game, shoes, lane, base, end)


@inlined
def play_split(game: Game, shoes: Shoes, lane: np.uint64, base: np.int64, end: int) -> None:
    """Play the hands of a split in order: each is finished before the next receives its second card."""
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


@inlined
def play_dealer(game: Game, shoes: Shoes, lane: np.uint64, boxes: int, up: int) -> int:
    """Play the dealer's hand against the noted boxes and return its result."""
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


@inlined
def count_label(tables: Tables, sums: Sums, place: int) -> None:
    """Count the label of a hand; `place` is its place in `Tables.label`."""
    count(sums.labels, tables.label[place], 1)


@inlined
def count_end(_: Numbers, sums: Sums, state: np.uint64) -> None:
    """Count the end of a round in `steps`."""
    count(sums.visits, state, 1)


@inlined
def count_net(numbers: Numbers, sums: Sums, up: int, net: int) -> None:
    """Count the net of a box."""
    count(sums.nets, up * numbers.nets + (net - numbers.least) // numbers.unit, 1)


@inlined
def settle_box(game: Game, shoes: Shoes, lane: np.uint64, box: int, result: int, sums: Sums) -> int:
    """Note the net of a box and count its labels; return the Super Bonus it won."""
    tables, numbers, notes = game.tables, game.numbers, shoes.notes
    base = (np.int64(lane) * MOST_BOXES + box) * NOTES
    hands = notes[base + COUNT]
    net, bonus, statuses = 0, 0, 0
    for hand in range(hands):
        outcome = notes[base + hand]
        place = outcome * numbers.results + result
        count_label(tables, sums, place)
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


@inlined
def pay_others(game: Game, shoes: Shoes, lane: np.uint64, boxes: int, winners: int) -> None:
    """Pay the boxes that did not win the Super Bonus their share; bit b of `winners` is box b."""
    tables, notes = game.tables, shoes.notes
    for box in range(boxes):
        if not (winners >> box) & 1:
            base = (np.int64(lane) * MOST_BOXES + box) * NOTES
            stacks = 0
            for hand in range(notes[base + COUNT]):
                stacks += tables.stacks[notes[base + hand]]
            notes[base + NET] += tables.others[0] + stacks * tables.others[1]


@inlined
def finish(game: Game, shoes: Shoes, lane: np.uint64, boxes: int, up: int, sums: Sums) -> int:
    """Play the dealer's hand, settle all boxes and return the net of the round."""
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
        count_net(numbers, sums, up, net)
        total += net
    units = total // numbers.unit
    count(sums.totals, 0, 1)
    count(sums.totals, 1, units)
    count(sums.totals, 2, units * units)
    return total


@inlined
def finish_split(game: Game, shoes: Shoes, lane: np.uint64, state: np.uint64, sums: Sums) -> None:
    """Finish the round of one box from the split at which it left `steps`."""
    end = game.tables.split_end[np.int64(state) - game.numbers.first_split]
    up = game.tables.end_up[end]
    note_hand(game, shoes, lane, 0, end)
    settle_box(game, shoes, lane, 0, play_dealer(game, shoes, lane, 1, up), sums)
    count_net(game.numbers, sums, up, shoes.notes[np.int64(lane) * MOST_BOXES * NOTES + NET])


@inlined
def end_round(shoes: Shoes, lane: np.uint64) -> None:
    """After a round: continue with the shoe, or shuffle it if the cutting card has been reached."""
    shoes.states[lane] = ZERO
    if shoes.places[lane] >= shoes.cut:
        shoes.places[lane] = ZERO
        shoes.states[lane] = shoes.fresh


@inlined
def play_round(game: Game, shoes: Shoes, lane: np.uint64, sums: Sums) -> np.uint64:
    """Play the round of one box and return the state of `steps` in which it ended."""
    first_end, first_split = np.uint64(game.numbers.first_end), np.uint64(game.numbers.first_split)
    state = shoes.states[lane]
    while state < first_end:
        state = np.uint64(game.tables.steps[(state << ROW) + np.uint64(draw(shoes, lane))])
    count_end(game.numbers, sums, state)
    if state >= first_split:
        finish_split(game, shoes, lane, state, sums)
    return np.uint64(state)


@inlined
def play_table(game: Game, shoes: Shoes, lane: np.uint64, boxes: int, sums: Sums) -> int:
    """Play a round of several boxes, in the order of a table, and return its net."""
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
    """Play the rounds left in one stream, with one box."""
    while shoes.left[lane] > 0:
        play_round(game, shoes, lane, sums)
        end_round(shoes, lane)
        shoes.left[lane] -= 1


@jit
def play_table_stream(game: Game, shoes: Shoes, lane: np.uint64, boxes: int, sums: Sums) -> None:
    """The same with several boxes, for a GPU; on a core table_rounds.py does it faster."""
    while shoes.left[lane] > 0:
        play_table(game, shoes, lane, boxes, sums)
        end_round(shoes, lane)
        shoes.left[lane] -= 1


@jit
def votes(flag: bool) -> int:  # noqa: FBT001 the vote of one thread
    """Number of threads in the warp whose flag is set; on a CPU there is one thread. cuda.py replaces this."""
    return 1 if flag else 0


@jit
def play_in_step(
    game: Game, shoes: Shoes, lane: np.uint64, steps: NDArray[np.uint16], ends: Counts, sums: Sums
) -> None:
    """Play the rounds left in one stream of one box, one card per step, for threads that run in lockstep.

    Threads of a warp that take different branches wait for each other. Every thread that can therefore takes a card in
    every step, whatever the state of its round, and splits are played by several threads at once (`MANY`). `steps` is
    the table without its unused columns, `ends` holds the visits of the ends only: both fit into shared memory.
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
    """Play streams of one box side by side, one card each per step, while all have enough rounds left."""
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


@inlined
def begin_round(shoes: Shoes, lane: np.uint64, key: np.uint64, number: np.uint64, mark: np.uint64) -> None:
    """Start a round from a fresh shoe; its mark is unique among the rounds played with this memory."""
    shoes.counters[lane] = key + number * ROUND_STEP
    shoes.states[lane] = ZERO
    shoes.places[lane] = ZERO
    shoes.marks[lane] = mark


@jit
def begin_stream(shoes: Shoes, lane: np.uint64, seed: np.uint64, stream: int, rounds: int) -> None:
    """Start a stream: its part of the sequence, its cards in order, its share of all `rounds`."""
    shoes.counters[lane] = first_counter(seed, np.uint64(stream))
    shoes.places[lane] = ZERO
    shoes.states[lane] = shoes.fresh
    for place in range(len(shoes.order)):
        shoes.cards[np.int64(lane) * len(shoes.order) + place] = shoes.order[place]
    shoes.left[lane] = min(STREAM_ROUNDS, max(0, rounds - stream * STREAM_ROUNDS))


@jit
def play_group(game: Game, shoes: Shoes, seed: np.uint64, first: int, rounds: int, sums: Sums) -> None:
    """Play as many streams of one box as there are lanes, from stream `first` on; `rounds` is that of the whole run."""
    for number in range(LANES):
        begin_stream(shoes, np.uint64(number), seed, first + number, rounds)
    play_streams(game, shoes, sums)
    for number in range(LANES):
        play_stream(game, shoes, np.uint64(number), sums)
