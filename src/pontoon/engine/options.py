"""Who must act, and the commands allowed: `refusal` applied to every possible command.

>>> from pontoon.engine import Limits, Round
>>> from pontoon.rulebook import load
>>> options(Round(load("star"))).waits_for
'wagers'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct

from pontoon.engine import commands as c
from pontoon.engine.dealing import next_place
from pontoon.engine.decide import RULES
from pontoon.engine.insurance import cap, refuse_insurance
from pontoon.engine.refusals import Refusal
from pontoon.engine.state import Box, Hand, Phase, Round, Wager, check_round, hand_in_turn, wager_of
from pontoon.rulebook import Rulebook

Actor = Literal["players", "dealer", "controller", "bettors", "nobody"]

ACTORS: dict[Phase, Actor] = {
    "wagers": "players",
    "initial_deal": "dealer",
    "insurance": "bettors",
    "surrender": "bettors",
    "decision": "controller",
    "card": "dealer",
    "forfeit": "bettors",
    "first_card": "dealer",
    "withdraw": "bettors",
    "dealer": "dealer",
    "ended": "nobody",
}
"""Who must act in each phase; while bettors answer an offer, the dealer may close it."""


class Options(Struct, frozen=True):
    """Who must act, where a card would go, and the commands allowed and refused, with the reasons."""

    waits_for: Phase
    actor: Actor
    box: int
    hand: int
    card_to: tuple[int, int] | None
    allowed: tuple[c.Command, ...]
    refused: tuple[tuple[c.Command, Refusal], ...]

    def may(self, kind: type[c.Command]) -> bool:
        """Whether any command of this kind is allowed."""
        return any(isinstance(command, kind) for command in self.allowed)

    def why_not(self, kind: type[c.Command]) -> Refusal | None:
        """The first reason against this type of command, if it is refused to everyone."""
        if self.may(kind):
            return None
        return next((refused for command, refused in self.refused if isinstance(command, kind)), None)


def options(state: Round) -> Options:
    """Check `refusal` for every command of this phase, with the largest allowed amounts."""
    check_round(state)
    allowed: list[c.Command] = []
    refused: list[tuple[c.Command, Refusal]] = []
    for command, check, closed in _rows(state):
        if closed:
            refused += closed
        elif (no := check(state, command)) is None:
            allowed.append(command)
        else:
            refused.append((command, no))
    box, hand = state.turn
    phase = state.phase
    return Options(phase, ACTORS[phase], box, hand, next_place(state), tuple(allowed), tuple(refused))


def candidates(state: Round) -> Iterator[c.Command]:
    """Every command a person at the table could give, except those with cards or free amounts."""
    for command, _, closed in _rows(state):
        yield from (no[0] for no in closed) if closed else (command,)


OPEN: dict[type[c.Command], frozenset[Phase]] = {
    c.CallNoMoreBets: frozenset({"wagers"}),
    c.TakeBack: frozenset({"wagers"}),
    c.CloseOffer: frozenset({"insurance", "surrender", "forfeit", "withdraw"}),
    c.DeclineInsurance: frozenset({"insurance"}),
    c.Ride: frozenset({"card"}),
    c.Forfeit: frozenset({"forfeit"}),
    c.Keep: frozenset({"forfeit"}),
}
"""The phases in which a command can be allowed. In any other its refusal to a bettor depends on nothing else."""

Check = Callable[[Round, Any], Refusal | None]
Row = tuple[c.Command, Check, tuple[tuple[c.Command, Refusal], ...]]
"""A candidate with its check, or candidates in succession that are ruled out, with their refusals."""


class _Candidates:
    """The candidates under one rulebook; those of the latest boxes and bettors are remembered."""

    def __init__(self, rules: Rulebook) -> None:
        self._rules = rules
        self.at_table = lru_cache(16)(self._at_table)
        self.on_box = lru_cache(128)(self._on_box)
        self.of_bettor = lru_cache(1024)(self._of_bettor)

    def _at_table(self, phase: Phase) -> list[Row]:
        return self._checked(phase, 0, "", (c.CallNoMoreBets(), c.CloseOffer()))

    def _on_box(self, phase: Phase, box: int) -> list[Row]:
        return self._checked(phase, box, "", (c.Hit(box), c.Stand(box), c.Absent(box), c.RefuseCard(box)))

    def _of_bettor(self, phase: Phase, box: int, player: str) -> list[Row]:
        commands = (
            c.TakeBack(box, player),
            c.Double(box, 0, player),
            c.Split(box, player),
            c.Ride(box, player, 1),
            c.Ride(box, player, 2),
            c.Forfeit(box, player),
            c.DeclineInsurance(box, player),
            c.Keep(box, player),
            c.Surrender(box, player),
            c.DeclineSurrender(box, player),
            c.Withdraw(box, player),
        )
        return self._checked(phase, box, player, commands)

    def _checked(self, phase: Phase, box: int, player: str, commands: tuple[c.Command, ...]) -> list[Row]:
        """Each command with its check, and the refusal of those that this phase rules out for any bettor."""
        bettor = (Wager(player, 0),)
        state = Round(self._rules, phase=phase, boxes=(Box(box, bettor, (Hand((), bettor),), player),))
        rows: list[Row] = []
        for command in commands:
            check = RULES[type(command)][0]
            if phase in OPEN.get(type(command), (phase,)):
                rows.append((command, check, ()))
                continue
            no = check(state, command)
            assert no is not None, command
            before = rows.pop()[2] if rows and rows[-1][2] else ()
            rows.append((command, check, (*before, (command, no))))
        return rows


def _rows(state: Round) -> list[Row]:
    rules, phase = state.rules, state.phase
    known: _Candidates | None = rules.computed.get("candidates")
    if known is None:
        known = rules.computed["candidates"] = _Candidates(rules)
    rows = [*known.at_table(phase)]
    insurable = _insurable(state)
    for box in state.boxes:
        number = box.number
        rows += known.on_box(phase, number)
        for bettor in box.bettors:
            player = bettor.player
            rows += known.of_bettor(phase, number, player)
            for owner_box, owner, amount, no in insurable:
                command = c.Insure(number, player, amount, owner_box, owner)
                rows.append((command, refuse_insurance, () if no is None else ((command, no),)))
    return rows


def _insurable(state: Round) -> list[tuple[int, str, int, Refusal | None]]:
    """Every wager with the most that may insure it; outside the offer it is refused to everyone alike."""
    found: list[tuple[int, str, int, Refusal | None]] = []
    for box in state.boxes:
        number = box.number
        for wager in box.bettors:
            amount, owner = cap(state, wager.stake), wager.player
            own = c.Insure(number, owner, amount)
            no = None if state.phase == "insurance" else refuse_insurance(state, own)
            found.append((number, owner, amount, no))
    return found


def stake_in_turn(state: Round, player: str) -> int:
    """A bettor's wager on the current hand; 0 if there is none."""
    wager = wager_of(hand_in_turn(state), player)
    return wager.stake if wager is not None else 0
