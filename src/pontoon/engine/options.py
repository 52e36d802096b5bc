"""Who must act, and what they may do: the same question as `refusal`, asked for everything that can be asked.

>>> from pontoon.engine import Limits, Round
>>> from pontoon.rulebook import load
>>> options(Round(load("star"))).waits_for
'wagers'
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from pontoon.engine import commands as c
from pontoon.engine.dealing import next_place
from pontoon.engine.decide import DECIDER
from pontoon.engine.insurance import cap
from pontoon.engine.refusals import Refusal
from pontoon.engine.state import Box, Phase, Round, check_round, hand_in_turn, wager_of

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
"""Who is waited for in each phase; while bettors answer an offer the dealer may close it."""


class Options(Struct, frozen=True):
    """The moment: who must act, where a card would go, what may be done and what not, with the reasons."""

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
        """The first reason against this kind of command, if it is refused to everybody."""
        if self.may(kind):
            return None
        return next((refused for command, refused in self.refused if isinstance(command, kind)), None)


def options(state: Round) -> Options:
    """Ask `refusal` for every command of this moment; amounts are the largest lawful ones."""
    check_round(state)
    allowed, refused = DECIDER.sift(state, candidates(state))
    box, hand = state.turn
    return Options(state.phase, ACTORS[state.phase], box, hand, next_place(state), allowed, refused)


def candidates(state: Round) -> Iterator[c.Command]:
    """Every command somebody at the table could give, without chance and without free amounts."""
    yield c.CallNoMoreBets()
    yield c.CloseOffer()
    for box in state.boxes:
        yield from (c.Hit(box.number), c.Stand(box.number), c.Absent(box.number), c.RefuseCard(box.number))
        for wager in box.bettors:
            yield from _bettor_candidates(state, box, wager.player)


def _bettor_candidates(state: Round, box: Box, player: str) -> Iterator[c.Command]:
    number = box.number
    yield c.TakeBack(number, player)
    yield c.Double(number, 0, player)
    yield c.Split(number, player)
    yield c.Ride(number, player, 1)
    yield c.Ride(number, player, 2)
    yield c.Forfeit(number, player)
    yield c.DeclineInsurance(number, player)
    yield c.Keep(number, player)
    yield c.Surrender(number, player)
    yield c.DeclineSurrender(number, player)
    yield c.Withdraw(number, player)
    for other in state.boxes:
        for wager in other.bettors:
            yield c.Insure(number, player, cap(state, wager.stake), other.number, wager.player)


def stake_in_turn(state: Round, player: str) -> int:
    """What a bettor has on the hand in turn; 0 without a wager there."""
    wager = wager_of(hand_in_turn(state), player)
    return wager.stake if wager is not None else 0
