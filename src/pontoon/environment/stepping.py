"""Steps of many boxes at once, compiled: actions in, observations and rewards out.

There is no rule of the game here: where an action or a card leads is in the tables (choices.py), and rounds are
dealt and settled by the kernel of the simulation. Like a kernel, it passes arrays one by one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple, cast

import numba
import numpy as np
from numpy.typing import NDArray

import pontoon.simulation
from pontoon import cache
from pontoon.environment.box import ACTIONS as NAMES
from pontoon.environment.box import INSURE as INSURE_ACTION
from pontoon.environment.choices import DECISION as FIRST_DECISION
from pontoon.environment.choices import FIRST_HAND as FIRST_HAND_COLUMN
from pontoon.environment.choices import MASK as MASK_COLUMN
from pontoon.environment.choices import SPLIT_PAIR as SPLIT_COLUMN
from pontoon.environment.choices import UPCARD as UPCARD_COLUMN
from pontoon.environment.choices import ChoiceTables
from pontoon.simulation.kernel import (
    COUNT,
    INSURED,
    MOST_BOXES,
    NET,
    NOTES,
    SPOILED,
    STACK,
    Game,
    Shoes,
    Sums,
    draw,
    first_counter,
    play_dealer,
    settle_box,
)

FOLDER = cache.folder("environment", Path(__file__), Path(pontoon.simulation.__file__).parent)
ACTIONS, DECISION, INSURE = len(NAMES), FIRST_DECISION, INSURE_ACTION
UPCARD, SUITS, SPLIT, FIRST_HAND, MASK = UPCARD_COLUMN, UPCARD_COLUMN + 1, SPLIT_COLUMN, FIRST_HAND_COLUMN, MASK_COLUMN
WORDS = 4
ZERO = np.uint64(0)


class Boxes(NamedTuple):
    """The current state of each box."""

    node: NDArray[np.int32]
    """The decision that is due."""
    upcard: NDArray[np.int32]
    split: NDArray[np.int8]
    """Points of the pair that was split, 0 if none was."""
    hands: NDArray[np.int32]
    waiting: NDArray[np.int32]
    barred: NDArray[np.int32]


def _compiled(function: Any, **options: bool) -> Any:
    with cache.numba_keeps_in(FOLDER):
        return cast("Any", numba.njit)(cache=True, nogil=True, _nrt=False, **options)(function)


def _inlined(function: Any) -> Any:
    return _compiled(function, forceinline=True)


@_inlined
def _show(choices: ChoiceTables, boxes: Boxes, shoes: Shoes, lane: Any, out: Any) -> None:
    """Write the observation of a box: four words of eight columns, and what the round remembers."""
    words, node = out[1], boxes.node[lane]
    for word in range(WORDS):
        words[lane, word] = choices.words[node, word]
    row = out[0][lane]
    up = choices.up_points[boxes.upcard[lane]]
    row[UPCARD] = up
    split = boxes.split[lane]
    row[SPLIT] = split
    if split > 0 and (up == 1 or up == 10):
        row[SUITS] = 0
        base = np.int64(lane) * MOST_BOXES * NOTES
        first = choices.tracked == 1 and shoes.notes[base + COUNT] == 0 and row[0] != 3
        row[FIRST_HAND] = 1 if first else 0


@_inlined
def _advance(game: Game, choices: ChoiceTables, shoes: Shoes, boxes: Boxes, lane: Any, target: Any, sums: Sums) -> bool:
    """Deal until a decision is due (True) or the round is settled (False)."""
    tables, numbers, notes = game.tables, game.numbers, shoes.notes
    spot = np.uint64(lane)
    base = np.int64(lane) * MOST_BOXES * NOTES
    up = boxes.upcard[lane]
    while True:
        while target >= 0 and target < DECISION:
            target = choices.rows[target * numbers.classes + draw(shoes, spot)]
        if target >= DECISION:
            boxes.node[lane] = target - DECISION
            return True
        end = -1 - target
        boxes.barred[lane] |= tables.end_bars[end]
        if tables.end_outcome[end] < 0:
            first, second = tables.end_first[end], tables.end_second[end]
            boxes.hands[lane] += 1
            boxes.split[lane] = choices.points[first]
            notes[base + SPOILED] |= tables.spoils[first * numbers.classes + second]
            notes[base + STACK + boxes.waiting[lane]] = second
            notes[base + STACK + boxes.waiting[lane] + 1] = first
            boxes.waiting[lane] += 2
        else:
            notes[base + notes[base + COUNT]] = tables.end_outcome[end]
            notes[base + COUNT] += 1
        if boxes.waiting[lane] == 0:
            break
        boxes.waiting[lane] -= 1
        again = 1 if boxes.hands[lane] < numbers.max_hands and not boxes.barred[lane] else 0
        slot = (notes[base + STACK + boxes.waiting[lane]] * numbers.upcards + up) * 2 + again
        target = choices.slots[slot]
    result = play_dealer(game, shoes, spot, 1, up)
    settle_box(game, shoes, spot, 0, result, sums)
    return False


@_inlined
def _begin(game: Game, choices: ChoiceTables, shoes: Shoes, boxes: Boxes, lane: Any, sums: Sums) -> None:
    """Deal a new round; a round settled by the deal waits in the node `paid`."""
    spot = np.uint64(lane)
    base = np.int64(lane) * MOST_BOXES * NOTES
    if shoes.places[lane] >= shoes.cut:
        shoes.places[lane] = ZERO
    shoes.notes[base + COUNT] = 0
    shoes.notes[base + INSURED] = 0
    shoes.notes[base + SPOILED] = 0
    boxes.split[lane] = 0
    boxes.hands[lane] = 1
    boxes.waiting[lane] = 0
    boxes.barred[lane] = 0
    first = draw(shoes, spot)
    up = game.tables.up[draw(shoes, spot)]
    boxes.upcard[lane] = up
    if not _advance(game, choices, shoes, boxes, lane, choices.starts[first * game.numbers.upcards + up], sums):
        boxes.node[lane] = choices.paid


@_compiled
def begin_all(game: Game, choices: ChoiceTables, shoes: Shoes, boxes: Boxes, seed: Any, sums: Sums, out: Any) -> None:
    """Begin a round on every box, from a new shoe."""
    for lane in range(len(boxes.node)):
        shoes.counters[lane] = first_counter(np.uint64(seed), np.uint64(lane))
        shoes.places[lane] = ZERO
        _begin(game, choices, shoes, boxes, lane, sums)
        _show(choices, boxes, shoes, lane, out)


@_compiled
def step_all(game: Game, choices: ChoiceTables, shoes: Shoes, boxes: Boxes, actions: Any, sums: Sums, out: Any) -> None:
    """Play one action on every box; a box whose round ends gets the next round immediately.

    `out`: observations, the same as words, cents won, ends.
    """
    for lane in range(len(boxes.node)):
        node, action = boxes.node[lane], np.int64(actions[lane])
        base = np.int64(lane) * MOST_BOXES * NOTES
        due = False
        if node != choices.paid:
            if action < 0 or action >= ACTIONS or choices.views[node, MASK + action] == 0:
                action = np.int64(0)
                while choices.views[node, MASK + action] == 0:
                    action += 1
            if action == INSURE:
                shoes.notes[base + INSURED] = 1
            due = _advance(game, choices, shoes, boxes, lane, choices.acts[node * ACTIONS + action], sums)
        out[2][lane] = 0
        out[3][lane] = not due
        if not due:
            out[2][lane] = shoes.notes[base + NET]
            _begin(game, choices, shoes, boxes, lane, sums)
        _show(choices, boxes, shoes, lane, out)
