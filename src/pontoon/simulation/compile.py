"""Rulebook and strategy become arrays: what the engine answered in `explore` and `settle`, numbered for the kernel.

`steps` is the whole round of one box as one automaton that takes a card a step, equal states merged; a round that
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

from pontoon.engine import Split
from pontoon.engine.state import box_in_turn
from pontoon.rulebook import Rulebook
from pontoon.simulation.classes import Classes, classes_of
from pontoon.simulation.compose import Automaton, Parts, compose, merged, needs
from pontoon.simulation.explore import Dealers, Hands, Row, must
from pontoon.simulation.settle import (
    SUPER_BONUS,
    hand_settlements,
    insurance_settlements,
    other_bonus,
    pontoon_settlements,
)
from pontoon.strategy import Strategy

Ints = NDArray[np.int32]
WIDTH = 32
"""Places in a row of `steps`: a power of two, so that a state and a card make an index by a shift."""
LINE = 32
"""Places in a line of the processor's cache: a row begins where a line does."""
SPLIT = "split"


class Numbers(NamedTuple):
    """The sizes and bounds of the tables."""

    burn: int
    """The state that burns a card."""
    first_end: int
    first_split: int
    classes: int
    upcards: int
    results: int
    pontoon: int
    """Which result of the dealer is the pontoon."""
    max_hands: int
    least: int
    """The smallest net of a box, in cents."""
    unit: int
    """Every net is `least` and a multiple of this, in cents."""
    nets: int
    """How many such nets there are."""
    label_split: int
    """The labels that count rounds with a split and Super Bonuses."""
    label_bonus: int
    labels: int


class Tables(NamedTuple):
    """All the kernel reads. Targets below 0 are ends: -1 - n is end or result n; nets are cents."""

    steps: NDArray[np.uint16]
    """State * WIDTH + card -> state; states from `first_end` are ends, from `first_split` rounds that split."""
    split_end: Ints
    """State - first_split -> end of the hand."""
    up: Ints
    """Class -> place of its rank among the dealer's first cards."""
    hand_start: Ints
    """Class of the first card * upcards + dealer's first card -> node that waits for the second card."""
    hand_steps: Ints
    """Node * classes + card -> target."""
    end_outcome: Ints
    """End -> outcome, -1 for a split; then the other fields of an end."""
    end_first: Ints
    end_second: Ints
    end_up: Ints
    end_insured: Ints
    end_bars: Ints
    slot_start: Ints
    """((class * upcards + dealer's first card) * 2 + original) * 2 + may split again -> node."""
    spoils: Ints
    """First class * classes + second class -> 1 when splitting these takes the box out of the Super Bonus."""
    dealer_start: Ints
    """What the dealer draws for * upcards + first card -> target."""
    dealer_steps: Ints
    net: Ints
    """Outcome * results + result of the dealer -> net of the hand, Super Bonus apart."""
    label: Ints
    """Outcome * results + result of the dealer -> label of the hand."""
    status: Ints
    """Outcome -> status."""
    needs: Ints
    """Outcome -> what it needs of the dealer."""
    bonus: Ints
    """Outcome -> Super Bonus."""
    stacks: Ints
    """Outcome -> stacks of chips on the hand."""
    pontoon: Ints
    """Statuses of the hands of a split box, two bits each, the first hand lowest -> net against a dealer's pontoon."""
    insurance: Ints
    """Result of the dealer -> net of insurance."""
    others: Ints
    """What every other box receives when somebody wins the Super Bonus: once, and for each stack of chips on it."""


class Compiled(NamedTuple):
    """A game ready to be played: the kernel's tables, and what their numbers mean."""

    tables: Tables
    numbers: Numbers
    classes: Classes
    labels: tuple[str, ...]
    end_net: NDArray[np.int64]
    """For each end of `steps`: net of the round in cents, label of the hand, dealer's first card, Super Bonus won."""
    end_label: NDArray[np.int64]
    end_up: NDArray[np.int64]
    end_bonus: NDArray[np.int64]
    stake: int


def compile_game(rules: Rulebook, strategy: Strategy, stake: int) -> Compiled:
    """Ask the engine for everything, and number it. It takes a few seconds."""
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
    """Explore every split hand that can come up; a resplit may bring more of them."""
    slots: dict[tuple[int, int, bool, bool], int] = {}
    again = (True, False) if hands.rules.split.max_hands > 2 else (False,)  # noqa: PLR2004 two hands are one split
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
    """What was explored, on its way to arrays."""

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
        spoils=_spoils(hands, len(classes.cards)),
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
    """Rows for all states, and a last one that burns a card: whatever comes, the round begins after it."""
    states = len(joined.rows) + 1
    most = states + len(joined.terminals) + len(joined.splits)
    assert most <= np.iinfo(np.uint16).max, f"{most} states"
    steps = np.zeros((states, WIDTH), np.uint16)
    for state, row in enumerate(joined.rows):
        steps[state, : len(row)] = [target if target >= 0 else states - 1 - target for target in row]
    return lined_up(steps.ravel())


def lined_up(steps: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """The same numbers, beginning where a line of the processor's cache does."""
    memory = np.zeros(len(steps) + LINE, np.uint16)
    skipped = -memory.ctypes.data % (LINE * memory.itemsize) // memory.itemsize
    memory[skipped : skipped + len(steps)] = steps
    return memory[skipped : skipped + len(steps)]


def _spoils(hands: Hands, count: int) -> Ints:
    """Ask the engine which splits take the box out of the Super Bonus."""
    spoils = np.zeros((count, count), np.int32)
    for first, second, state in hands.split_examples():
        spoils[first, second] = box_in_turn(must(state, Split(1))).suited_sevens_split
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
    net, label, up, bonus = (np.array([one[place] for one in joined.terminals], np.int64) for place in range(4))
    return Compiled(tables, numbers, classes, tuple(labels), net, label, up, bonus, hands.stake)


def _net_range(tables: Tables) -> tuple[int, int, int]:
    """The smallest net of a box, the unit of all nets, and how many nets there can be."""
    hands = 4
    parts = (tables.net, tables.bonus, tables.pontoon, tables.insurance, tables.others)
    unit = reduce(gcd, (int(value) for part in parts for value in part), 0) or 1
    least = hands * int(tables.net.min()) + int(tables.insurance.min())
    most = hands * int(tables.net.max()) + hands * int(tables.bonus.max()) + int(tables.insurance.max())
    most += int(tables.others[0]) + 2 * hands * int(tables.others[1])
    return least, unit, (most - least) // unit + 1
