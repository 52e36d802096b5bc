"""Compile a rulebook and a strategy into arrays: the engine's answers (exploration.py, settlements.py), numbered.

`steps` is the whole round of one box as one automaton that takes one card per step, equal states merged; a round that
splits leaves it. The other arrays are its parts (hands, split hands, the dealer, settlement), for splits and for
several boxes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pontoon.engine import Split, must_play
from pontoon.engine.state import box_in_turn
from pontoon.rulebook import Rulebook
from pontoon.simulation.automaton import Automaton, Parts, compose, merged, needs
from pontoon.simulation.card_classes import Classes, classes_of
from pontoon.simulation.exploration import Dealers, Hands, Row
from pontoon.simulation.settlements import (
    SUPER_BONUS,
    hand_settlements,
    insurance_settlements,
    other_bonus,
    pontoon_settlements,
)
from pontoon.strategy import Strategy

Ints = NDArray[np.int32]
WIDTH = 32
"""Entries in a row of `steps`: a power of two, so that state and card form an index by a shift."""
LINE = 32
"""Entries in a line of the processor's cache: rows are aligned to lines."""
SPLIT = "split"


class Numbers(NamedTuple):
    """Sizes and bounds of the tables.

    Checkpoints depend on the names of these fields (`checkpoint.tables_digest`).
    """

    burn: int
    """The state that burns a card."""
    first_end: int
    first_split: int
    classes: int
    upcards: int
    results: int
    pontoon: int
    """Number of the dealer's result that is a pontoon."""
    max_hands: int
    least: int
    """Minimum net of a box, in cents."""
    unit: int
    """Every net is `least` plus a multiple of this, in cents."""
    nets: int
    """Number of possible nets."""
    label_split: int
    """Numbers of the labels that count rounds with a split and Super Bonuses."""
    label_bonus: int
    labels: int


class Tables(NamedTuple):
    """Everything the kernel reads. A target below 0 is an end: -1 - n is end or result n. Nets are in cents."""

    steps: NDArray[np.uint16]
    """State * WIDTH + card -> state. States from `first_end` on are ends, from `first_split` on rounds that split."""
    split_end: Ints
    """State - first_split -> end of the hand."""
    up: Ints
    """Class -> index of its rank among the upcards."""
    hand_start: Ints
    """Class of the first card * upcards + upcard -> node that waits for the second card."""
    hand_steps: Ints
    """Node * classes + card -> target."""
    end_outcome: Ints
    """End -> outcome, -1 for a split; the next five are the other fields of an end."""
    end_first: Ints
    end_second: Ints
    end_up: Ints
    end_insured: Ints
    end_bars: Ints
    slot_start: Ints
    """((class * upcards + upcard) * 2 + original) * 2 + may split again -> node."""
    spoils: Ints
    """First class * classes + second class -> 1 if splitting these cards excludes the box from the Super Bonus."""
    dealer_start: Ints
    """What the dealer draws for * upcards + upcard -> target."""
    dealer_steps: Ints
    net: Ints
    """Outcome * results + dealer's result -> net of the hand without the Super Bonus."""
    label: Ints
    """Outcome * results + dealer's result -> label of the hand."""
    status: Ints
    """Outcome -> status."""
    needs: Ints
    """Outcome -> what the dealer draws for."""
    bonus: Ints
    """Outcome -> Super Bonus."""
    stacks: Ints
    """Outcome -> stacks of chips on the hand."""
    pontoon: Ints
    """Statuses of the hands of a split box, two bits each from the first hand up -> net against a dealer's pontoon."""
    insurance: Ints
    """Dealer's result -> net of insurance."""
    others: Ints
    """What every other box receives when a box wins the Super Bonus: an amount per box, and one per stack of chips."""


class Compiled(NamedTuple):
    """A compiled game: the kernel's tables and the meaning of their numbers."""

    tables: Tables
    numbers: Numbers
    classes: Classes
    labels: tuple[str, ...]
    end_net: NDArray[np.int64]
    """For each end of `steps`: net of the round in cents; the next three are label, upcard and Super Bonuses won."""
    end_label: NDArray[np.int64]
    end_up: NDArray[np.int64]
    end_bonus: NDArray[np.int64]
    stake: int


def compile_game(rules: Rulebook, strategy: Strategy, stake: int) -> Compiled:
    """Ask the engine about every hand and number the answers. This takes a few seconds.

    Side bets are left out: the simulation plays the Pontoon wager alone.
    """
    rules = rules.without_side_bets()
    classes = classes_of(rules)
    upcards = [classes.up.index(up) for up in range(len(classes.upcards))]
    hands = Hands(rules, strategy, stake, classes)
    starts = [[hands.deal(card, up) for up in upcards] for card in range(len(classes.cards))]
    slots = _slots(hands, upcards)
    rows, place = merged(hands.rows)
    starts = [[place[node] for node in row] for row in starts]
    slots = {name: place[node] for name, node in slots.items()}
    dealers = Dealers(rules, stake, classes)
    settled = hand_settlements(hands, dealers)
    labels = _labels(label for row in settled for _, label in row)
    joined = compose(
        Parts(
            classes,
            hands,
            dealers,
            rows,
            starts,
            [[(net, labels[label]) for net, label in row] for row in settled],
            insurance_settlements(rules, stake, dealers),
        )
    )
    tables = _tables(rules, stake, hands, dealers, _Numbered(rows, starts, slots, settled, labels, joined))
    return _compiled(hands, dealers, tables, joined, labels)


def _slots(hands: Hands, upcards: list[int]) -> dict[tuple[int, int, bool, bool], int]:
    """Explore every split hand that can occur; a further split may add more."""
    slots: dict[tuple[int, int, bool, bool], int] = {}
    again = (True, False) if hands.rules.split.max_hands > 2 else (False,)
    done = 0
    while done < len(hands.ends):
        end = list(hands.ends)[done]
        done += 1
        if end.outcome >= 0:
            continue
        for card, original in ((end.first, True), (end.first, False), (end.second, False)):
            for splits in again:
                name = (card, end.up, original, splits)
                if name not in slots:
                    slots[name] = -1
                    slots[name] = hands.slot(card, upcards[end.up], original=original, splits=splits)
    return slots


def _labels(found: Iterable[str]) -> dict[str, int]:
    names = sorted({*found, SPLIT, SUPER_BONUS})
    return {name: number for number, name in enumerate(names)}


class _Numbered(NamedTuple):
    """Numbered results of the exploration, before they become arrays."""

    rows: list[Row]
    starts: list[list[int]]
    slots: dict[tuple[int, int, bool, bool], int]
    settled: list[list[tuple[int, str]]]
    labels: dict[str, int]
    joined: Automaton


def _ints(values: Iterable[int]) -> Ints:
    return np.array(list(values) or [0], np.int32)


def _tables(rules: Rulebook, stake: int, hands: Hands, dealers: Dealers, found: _Numbered) -> Tables:
    classes, ends, outcomes = hands.classes, list(hands.ends), list(hands.outcomes)
    ups = len(classes.upcards)
    slots = np.zeros((len(classes.cards), ups, 2, 2), np.int32)
    for (card, up, original, splits), node in found.slots.items():
        slots[card, up, int(original), int(splits)] = node
    return Tables(
        steps=_steps(found.joined),
        split_end=_ints(found.joined.splits),
        up=_ints(classes.up),
        hand_start=_ints(node for row in found.starts for node in row),
        hand_steps=_ints(target for row in found.rows for target in row),
        end_outcome=_ints(end.outcome for end in ends),
        end_first=_ints(end.first for end in ends),
        end_second=_ints(end.second for end in ends),
        end_up=_ints(end.up for end in ends),
        end_insured=_ints(end.insured for end in ends),
        end_bars=_ints(end.bars for end in ends),
        slot_start=slots.ravel(),
        spoils=spoils_of(hands, len(classes.cards)),
        dealer_start=_ints(target for row in dealers.starts for target in row),
        dealer_steps=_ints(target for row in dealers.rows for target in row),
        net=_ints(net for row in found.settled for net, _ in row),
        label=_ints(found.labels[label] for row in found.settled for _, label in row),
        status=_ints(outcome.status for outcome in outcomes),
        needs=_ints(needs(outcome) for outcome in outcomes),
        bonus=_ints(outcome.bonus for outcome in outcomes),
        stacks=_ints(outcome.stacks for outcome in outcomes),
        pontoon=_ints(pontoon_settlements(rules, stake, dealers)),
        insurance=_ints(insurance_settlements(rules, stake, dealers)),
        others=_ints(other_bonus(rules, stake)),
    )


def _steps(joined: Automaton) -> NDArray[np.uint16]:
    """Rows for all states, and a last one that burns a card: any card leads to the start of the round."""
    states = len(joined.rows) + 1
    most = states + len(joined.terminals) + len(joined.splits)
    assert most <= np.iinfo(np.uint16).max, f"{most} states"
    steps = np.zeros((states, WIDTH), np.uint16)
    for state, row in enumerate(joined.rows):
        steps[state, : len(row)] = [target if target >= 0 else states - 1 - target for target in row]
    return aligned(steps.ravel())


def aligned(steps: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """The same numbers, aligned to a line of the processor's cache."""
    memory = np.zeros(len(steps) + LINE, np.uint16)
    skipped = -memory.ctypes.data % (LINE * memory.itemsize) // memory.itemsize
    memory[skipped : skipped + len(steps)] = steps
    return memory[skipped : skipped + len(steps)]


def spoils_of(hands: Hands, count: int) -> Ints:
    """Ask the engine which splits exclude the box from the Super Bonus."""
    spoils = np.zeros((count, count), np.int32)
    for first, second, state in hands.split_examples():
        spoils[first, second] = box_in_turn(must_play(state, Split(1))).suited_sevens_split
    return spoils.ravel()


def _compiled(hands: Hands, dealers: Dealers, tables: Tables, joined: Automaton, labels: dict[str, int]) -> Compiled:
    classes = hands.classes
    least, unit, nets = _net_range(tables)
    states = len(joined.rows) + 1
    numbers = Numbers(
        burn=states - 1,
        first_end=states,
        first_split=states + len(joined.terminals),
        classes=len(classes.cards),
        upcards=len(classes.upcards),
        results=len(dealers.results),
        pontoon=dealers.results["pontoon"],
        max_hands=hands.rules.split.max_hands,
        least=least,
        unit=unit,
        nets=nets,
        label_split=labels[SPLIT],
        label_bonus=labels[SUPER_BONUS],
        labels=len(labels),
    )
    net, label, up, bonus = (
        np.array([terminal[place] for terminal in joined.terminals], np.int64) for place in range(4)
    )
    return Compiled(tables, numbers, classes, tuple(labels), net, label, up, bonus, hands.stake)


def _net_range(tables: Tables) -> tuple[int, int, int]:
    """Minimum net of a box, unit of all nets, number of possible nets."""
    hands = 4
    parts = (tables.net, tables.bonus, tables.pontoon, tables.insurance, tables.others)
    unit = reduce(gcd, (int(value) for part in parts for value in part), 0) or 1
    least = hands * int(tables.net.min()) + int(tables.insurance.min())
    most = hands * int(tables.net.max()) + hands * int(tables.bonus.max()) + int(tables.insurance.max())
    most += int(tables.others[0]) + 2 * hands * int(tables.others[1])
    return least, unit, (most - least) // unit + 1
