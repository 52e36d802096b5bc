"""The whole round of one box as one automaton: player's and dealer's hands joined, equal states merged."""

from __future__ import annotations

from typing import NamedTuple

from pontoon.simulation.card_classes import Classes
from pontoon.simulation.exploration import CONTESTED, IDLE, UNDECIDED, WAITING, Dealers, End, Hands, Outcome, Row

Terminal = tuple[int, int, int, int]
"""Net of the round in cents, label of the hand, index of the upcard, Super Bonuses won."""


class Parts(NamedTuple):
    """The explored and settled hands from which the automaton is built."""

    classes: Classes
    hands: Hands
    dealers: Dealers
    rows: list[Row]
    """Rows of the player's hands, equal rows merged."""
    starts: list[list[int]]
    settled: list[list[tuple[int, int]]]
    """Outcome, dealer's result -> net without the Super Bonus, label."""
    insurance: list[int]


class Automaton(NamedTuple):
    """States, beginning with state 0; then the ends; then the ends in a split."""

    rows: list[tuple[int, ...]]
    """A target of 0 or more is a state; below 0 it is end -1 - n, where the ends in a split follow the others."""
    terminals: list[Terminal]
    splits: list[int]
    """For each split, the end of the hand."""


def merged(rows: list[Row]) -> tuple[list[Row], list[int]]:
    """Merge nodes with the same targets; return the remaining rows and the new index of each node.

    >>> merged([[1, 2], [-1, -2], [-1, -2]])
    ([[-1, -2], [0, 0]], [1, 0, 0])
    """
    known: dict[tuple[int, ...], int] = {}
    places = [-1] * len(rows)

    def place(node: int) -> int:
        if node < 0:
            return node
        if places[node] < 0:
            row = tuple([place(target) for target in rows[node]])
            places[node] = known.setdefault(row, len(known))
        return places[node]

    for node in range(len(rows)):
        place(node)
    return [list(row) for row in known], places


def needs(outcome: Outcome, *, insured: bool = False) -> int:
    """What the dealer draws for, given this outcome."""
    if outcome.status >= UNDECIDED and not outcome.surrendered:
        return CONTESTED
    return WAITING if outcome.surrendered or insured else IDLE


def compose(parts: Parts) -> Automaton:
    """Join the parts into one automaton, from the first card on."""
    return _Joined(parts).automaton()


class _Joined:
    """States by their rows: states with the same targets are one."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.ends: list[End] = list(parts.hands.ends)
        self.outcomes = list(parts.hands.outcomes)
        self.rows: dict[tuple[int, ...], int] = {}
        self.terminals: dict[Terminal, int] = {}
        self.splits: dict[int, int] = {}
        self._known: dict[tuple[int, ...], int] = {}

    def automaton(self) -> Automaton:
        up = self.parts.classes.up
        first = [
            self._state(tuple(self._hand(self.parts.starts[card][up[dealer]], up[dealer]) for dealer in range(len(up))))
            for card in range(len(up))
        ]
        start = self._state(tuple(first))
        return self._ordered(start)

    def _ordered(self, start: int) -> Automaton:
        """Number the states so that a round begins in state 0 and numbers rise along it; splits come last."""
        rows = list(self.rows)[::-1]
        last = len(rows) - 1
        assert start == last, "the initial state is added last"
        ends = len(self.terminals)

        def moved(target: int) -> int:
            if target >= 0:
                return last - target
            kind, number = divmod(-1 - target, 2)[::-1]
            return -1 - (ends + number if kind else number)

        return Automaton(
            [tuple(moved(target) for target in row) for row in rows], list(self.terminals), list(self.splits)
        )

    def _state(self, row: tuple[int, ...]) -> int:
        return self.rows.setdefault(row, len(self.rows))

    def _hand(self, target: int, up: int) -> int:
        """A node or an end of the player's hand."""
        name = (target, up)
        if name not in self._known:
            if target >= 0:
                row = tuple(self._hand(after, up) for after in self.parts.rows[target])
                self._known[name] = self._state(row)
            else:
                self._known[name] = self._end(-1 - target, up)
        return self._known[name]

    def _end(self, number: int, up: int) -> int:
        end = self.ends[number]
        if end.outcome < 0:
            return -1 - 2 * self.splits.setdefault(number, len(self.splits)) - 1
        mode = needs(self.outcomes[end.outcome], insured=end.insured)
        return self._dealer(self.parts.dealers.starts[mode][up], end.outcome, int(end.insured), up)

    def _dealer(self, target: int, outcome: int, insured: int, up: int) -> int:
        """A node or a result of the dealer's hand, given the player's outcome."""
        name = (target, outcome, insured, up)
        if name not in self._known:
            if target >= 0:
                rows = self.parts.dealers.rows[target]
                self._known[name] = self._state(tuple(self._dealer(after, outcome, insured, up) for after in rows))
            else:
                result = -1 - target
                net, label = self.parts.settled[outcome][result]
                bonus = self.outcomes[outcome].bonus
                terminal = (net + bonus + insured * self.parts.insurance[result], label, up, int(bonus > 0))
                self._known[name] = -1 - 2 * self.terminals.setdefault(terminal, len(self.terminals))
        return self._known[name]
