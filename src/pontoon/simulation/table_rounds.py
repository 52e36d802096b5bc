"""Rounds of several boxes on a core, with the same counts as `kernel.play_table`.

How many cards a hand takes cannot be predicted, and a processor that guesses wrong starts again with the next card. So
the hands of all boxes are one walk, in which the end of a hand is no branch, and the random word of the next card is
computed before that card is due. Boxes that split are played by kernel.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pontoon.simulation.jit import count, inlined, jit
from pontoon.simulation.kernel import (
    COUNT,
    DROPPED,
    GAMMA,
    INSURED,
    KEPT,
    MOST_BOXES,
    NET,
    NOTES,
    ONE,
    SPOILED,
    WAITING,
    ZERO,
    Counts,
    Game,
    Shoes,
    Sums,
    Words,
    begin_stream,
    end_round,
    mix,
    note_hand,
    pay_others,
    settle_box,
)


class Layout(NamedTuple):
    """A shoe and memory for the boxes of one round."""

    shoes: Shoes
    word: Words
    """The random word of the next card."""
    ends: Counts
    """The end of the hand of each box."""
    queue: Counts
    """The boxes that take more cards than their first two."""


def new_layout(shoes: Shoes) -> Layout:
    """Memory for rounds dealt from the first of these shoes."""
    return Layout(shoes, np.zeros(1, np.uint64), np.zeros(MOST_BOXES, np.int64), np.zeros(MOST_BOXES + 1, np.int64))


def in_units(game: Game) -> Game:
    """The game with every amount in units, so that a net is counted without a division."""
    tables, numbers = game
    unit = numbers.unit
    amounts = {name: getattr(tables, name) // unit for name in ("net", "pontoon", "insurance", "bonus", "others")}
    return Game(tables._replace(**amounts), numbers._replace(least=numbers.least // unit, unit=1))


@inlined
def look_ahead(layout: Layout) -> None:
    """Compute the random word of the next card."""
    layout.word[ZERO] = mix(layout.shoes.counters[ZERO] + GAMMA)


@inlined
def take(layout: Layout) -> np.int64:
    """Deal a card, as `kernel.draw` does."""
    shoes, word = layout.shoes, layout.word[ZERO]
    here = shoes.places[ZERO]
    if here >= shoes.size:
        here = ZERO
    shoes.counters[ZERO] += GAMMA
    look_ahead(layout)
    there = here + (((word >> DROPPED) * (shoes.size - here)) >> KEPT)
    card = shoes.cards[there]
    shoes.cards[there] = shoes.cards[here]
    shoes.cards[here] = card
    shoes.places[ZERO] = here + ONE
    return np.int64(card)


@jit
def play_tables(
    game: Game, layout: Layout, boxes: int, seed: np.uint64, streams: tuple[int, int, int], sums: Sums
) -> None:
    """Play streams; given are the first, the first after them, and the number of rounds of the whole run."""
    shoes = layout.shoes
    first, end, rounds = streams
    for stream in range(first, end):
        begin_stream(shoes, ZERO, seed, stream, rounds)
        look_ahead(layout)
        while shoes.left[ZERO] > 0:
            play_table(game, layout, boxes, sums)
            end_round(shoes, ZERO)
            shoes.left[ZERO] -= 1


@inlined
def play_table(game: Game, layout: Layout, boxes: int, sums: Sums) -> None:
    """Play a round of several boxes, in the order of a table."""
    tables, numbers, notes = game.tables, game.numbers, layout.shoes.notes
    if layout.shoes.states[ZERO] != ZERO:
        take(layout)  # burned
    for box in range(boxes):
        notes[box * NOTES] = take(layout)
    up = tables.up[take(layout)]
    for box in range(boxes):
        start = tables.hand_start[notes[box * NOTES] * numbers.upcards + up]
        notes[box * NOTES] = tables.hand_steps[start * numbers.classes + take(layout)]
    play_hands(game, layout, queue_hands(game, layout, boxes))
    node = tables.dealer_start[note_hands(game, layout, boxes) * numbers.upcards + up]
    while node >= 0:
        node = tables.dealer_steps[node * numbers.classes + take(layout)]
    settle(game, layout.shoes, boxes, -1 - node, sums)
    count_nets(game, layout.shoes, boxes, up, sums)


@inlined
def queue_hands(game: Game, layout: Layout, boxes: int) -> int:
    """Queue the boxes whose hands take more cards; return their number."""
    queued = 0
    for box in range(boxes):
        node = layout.shoes.notes[box * NOTES]
        layout.ends[box] = -1 - node
        layout.queue[queued] = box
        queued += int((node >= 0) | (game.tables.end_outcome[max(-1 - node, 0)] < 0))
    layout.queue[queued] = 0
    return queued


@inlined
def play_hands(game: Game, layout: Layout, queued: int) -> None:
    """Play the hands of the queued boxes to their ends, one after another."""
    tables, classes, notes = game.tables, game.numbers.classes, layout.shoes.notes
    place, box = 0, layout.queue[0]
    node = notes[box * NOTES]
    while place < queued:
        if node >= 0:
            node = np.int64(tables.hand_steps[node * classes + take(layout)])
            layout.ends[box] = -1 - node
        over = node < 0
        if over and tables.end_outcome[max(-1 - node, 0)] < 0:
            note_hand(game, layout.shoes, ZERO, box, -1 - node)
            look_ahead(layout)
        place += int(over)
        box = layout.queue[place]
        first = notes[box * NOTES]
        node = first if over else node


@inlined
def note_hands(game: Game, layout: Layout, boxes: int) -> int:
    """Note how the hands ended that did not split; return what the boxes need of the dealer."""
    tables, notes, needed = game.tables, layout.shoes.notes, 0
    for box in range(boxes):
        end, base = layout.ends[box], box * NOTES
        outcome = tables.end_outcome[end]
        if outcome >= 0:
            notes[base] = outcome
            notes[base + COUNT] = 1
            notes[base + INSURED] = tables.end_insured[end]
            notes[base + SPOILED] = 0
            needed = max(needed, tables.needs[outcome])
        else:
            for hand in range(notes[base + COUNT]):
                needed = max(needed, tables.needs[notes[base + hand]])
        if notes[base + INSURED]:
            needed = max(needed, WAITING)
    return needed


@inlined
def settle(game: Game, shoes: Shoes, boxes: int, result: int, sums: Sums) -> None:
    """Settle every box, and pay the others if one won the Super Bonus."""
    winners = 0
    for box in range(boxes):
        alone = shoes.notes[box * NOTES + COUNT] == 1
        won = settle_hand(game, shoes, box, result, sums) if alone else settle_box(game, shoes, ZERO, box, result, sums)
        if won > 0:
            winners |= 1 << box
    if winners:
        pay_others(game, shoes, ZERO, boxes, winners)


@inlined
def settle_hand(game: Game, shoes: Shoes, box: int, result: int, sums: Sums) -> int:
    """The same as `settle_box`, for a box that did not split."""
    tables, numbers, base = game.tables, game.numbers, box * NOTES
    outcome = shoes.notes[base]
    place = outcome * numbers.results + result
    count(sums.labels, tables.label[place], 1)
    bonus = tables.bonus[outcome]
    if bonus > 0:
        count(sums.labels, numbers.label_bonus, 1)
    insured = tables.insurance[result] if shoes.notes[base + INSURED] else 0
    shoes.notes[base + NET] = tables.net[place] + bonus + insured
    return int(bonus)


@inlined
def count_nets(game: Game, shoes: Shoes, boxes: int, up: int, sums: Sums) -> None:
    """Count the net of every box, and of the round; the game is in units."""
    first = up * game.numbers.nets - game.numbers.least
    units = 0
    for box in range(boxes):
        net = shoes.notes[box * NOTES + NET]
        count(sums.nets, first + net, 1)
        units += net
    count(sums.totals, 0, 1)
    count(sums.totals, 1, units)
    count(sums.totals, 2, units * units)
