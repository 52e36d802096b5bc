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
from pontoon.engine.decisions import TOO_EARLY
from pontoon.engine.insurance import cap, refuse_insurance, refuse_now
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
    for command, check, like, closed in _rows(state):
        if closed:
            refused += closed
        elif (no := check(state, command)) is None:
            allowed.append(command)
        else:
            refused.append((command, no))
            for other in like:
                refused.append((other, no))
    box, hand = state.turn
    phase = state.phase
    return Options(phase, ACTORS[phase], box, hand, next_place(state), tuple(allowed), tuple(refused))


def candidates(state: Round) -> Iterator[c.Command]:
    """Every command a person at the table could give, except those with cards or free amounts."""
    for command, _, like, closed in _rows(state):
        yield from (no[0] for no in closed) if closed else (command, *like)


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

REGULAR: dict[type[c.Command], frozenset[Phase]] = {
    **OPEN,
    **dict.fromkeys((c.Hit, c.Stand, c.Absent, c.Double, c.Split), frozenset(ACTORS) - TOO_EARLY),
    c.RefuseCard: frozenset(),
    c.Withdraw: frozenset({"withdraw"}),
}
"""Likewise in a round without irregularity so far, which rules out more."""

Check = Callable[[Round, Any], Refusal | None]
LIKE: dict[type[c.Command], frozenset[Phase]] = {
    c.Stand: frozenset({"decision"}),
    c.Absent: frozenset({"decision"}),
    c.DeclineSurrender: frozenset({"surrender", "decision"}),
}
"""Commands that are refused for the same reason as the one listed before them, except in these phases."""

Moment = tuple[Phase, bool]
"""The phase, and whether the round is without irregularity so far."""
Row = tuple[c.Command, Check, tuple[c.Command, ...], tuple[tuple[c.Command, Refusal], ...]]
"""A candidate with its check and the candidates refused for the same reason, or candidates in succession that are ruled
out, with their refusals."""


class _Candidates:
    """The candidates under one rulebook; those of the latest boxes and bettors are remembered."""

    def __init__(self, rules: Rulebook) -> None:
        self._rules = rules
        self._like = dict(LIKE)
        if rules.surrender.timing == "offer":
            self._like[c.DeclineSurrender] = frozenset({"surrender"})
        self.at_table = lru_cache(16)(self._at_table)
        self.on_box = lru_cache(128)(self._on_box)
        self.of_bettor = lru_cache(1024)(self._of_bettor)

    def _at_table(self, phase: Phase) -> list[Row]:
        return self._checked((phase, True), 0, "", (c.CallNoMoreBets(), c.CloseOffer()))

    def _on_box(self, moment: Moment, box: int) -> list[Row]:
        return self._checked(moment, box, "", (c.Hit(box), c.Stand(box), c.Absent(box), c.RefuseCard(box)))

    def _of_bettor(self, moment: Moment, box: int, player: str) -> list[Row]:
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
        return self._checked(moment, box, player, commands)

    def _checked(self, moment: Moment, box: int, player: str, commands: tuple[c.Command, ...]) -> list[Row]:
        """Each command with its check, and the refusal of those that this moment rules out for any bettor."""
        phase, regular = moment
        possible = REGULAR if regular else OPEN
        bettor = (Wager(player, 0),)
        state = Round(self._rules, phase=phase, boxes=(Box(box, bettor, (Hand((), bettor),), player),))
        rows: list[Row] = []
        for command in commands:
            check = RULES[type(command)][0]
            if phase in possible.get(type(command), (phase,)):
                if phase in self._like.get(type(command), (phase,)):
                    rows.append((command, check, (), ()))
                else:
                    first, same, like, _ = rows.pop()
                    rows.append((first, same, (*like, command), ()))
                continue
            no = check(state, command)
            assert no is not None, command
            before = rows.pop()[3] if rows and rows[-1][3] else ()
            rows.append((command, check, (), (*before, (command, no))))
        return rows


def _rows(state: Round) -> list[Row]:
    rules, phase = state.rules, state.phase
    known: _Candidates | None = rules.computed.get("candidates")
    if known is None:
        known = rules.computed["candidates"] = _Candidates(rules)
    rows = [*known.at_table(phase)]
    insurable = _insurable(state)
    moment = (phase, _is_regular(state))
    for box in state.boxes:
        number = box.number
        rows += known.on_box(moment, number)
        for bettor in box.bettors:
            player = bettor.player
            rows += known.of_bettor(moment, number, player)
            for owner_box, owner, amount, no in insurable:
                command = c.Insure(number, player, amount, owner_box, owner)
                rows.append((command, refuse_insurance, (), () if no is None else ((command, no),)))
    return rows


def _is_regular(state: Round) -> bool:
    """Whether no card is exposed, no offer is late, the dealer has the first card and the hand in play all of its."""
    if state.exposed or state.answering or state.late_offer or state.dealer_skipped:
        return False
    if not state.turn[0]:
        return True
    hand = hand_in_turn(state)
    return not hand.skipped and not hand.missed


def _insurable(state: Round) -> list[tuple[int, str, int, Refusal | None]]:
    """Every wager with the most that may insure it; outside the offer it is refused to everyone alike."""
    found: list[tuple[int, str, int, Refusal | None]] = []
    offered = state.phase == "insurance"
    for box in state.boxes:
        number = box.number
        for wager in box.bettors:
            no = None if offered else refuse_now(state, box.hands[0].cards if box.hands else (), wager.player)
            found.append((number, wager.player, cap(state, wager.stake), no))
    return found


def stake_in_turn(state: Round, player: str) -> int:
    """A bettor's wager on the current hand; 0 if there is none."""
    wager = wager_of(hand_in_turn(state), player)
    return wager.stake if wager is not None else 0
