"""Random rounds for exercises: the engine deals them, players draw to a fixed total, and every step is recorded."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from pontoon.cards import PACK, Card
from pontoon.engine import (
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    Double,
    Event,
    Hit,
    Insure,
    Limits,
    PlaceWager,
    Refusal,
    Round,
    Split,
    Stand,
    play,
)
from pontoon.engine.options import Options, options
from pontoon.rulebook import Rulebook

DRAWS_BELOW = 15
NAMES = ("Ann", "Ben", "Cho", "Dev", "Eli", "Fay", "Gus")
STAKES = ((1000, 2000, 5000), (1500, 2500, 4000, 7500), (1250, 3750, 6250, 11_250))
"""By level: round amounts first."""
LEVELS = len(STAKES)


class Moment(Struct, frozen=True):
    """The round before a command, the command, and what it led to."""

    state: Round
    command: Command
    events: tuple[Event, ...]


class Played(Struct, frozen=True):
    """A round from the call to its end."""

    moments: tuple[Moment, ...]
    end: Round


def played_round(rules: Rulebook, level: int, chance: Random) -> Played:
    """A round of one to four boxes; from level 2 on with a second bettor on a box."""
    state, moments = Round(rules, Limits(500, 100_000)), []
    cards = [card for card in PACK for _ in range(rules.decks.default)]
    chance.shuffle(cards)
    for number in sorted(chance.sample(range(1, rules.boxes.count + 1), min(1 + level, 4))):
        state = _must(state, PlaceWager(number, NAMES[number % 7], chance.choice(STAKES[level - 1])))[0]
        if level > 1 and chance.random() < 0.5 and rules.boxes.bettors > 1:
            state = _must(state, PlaceWager(number, "Lin", chance.choice(STAKES[level - 1])))[0]
    command: Command = CallNoMoreBets()
    while state.phase != "ended":
        after, events = _must(state, command)
        moments.append(Moment(state, command, events))
        state = after
        if state.phase != "ended":
            command = _next(state, cards, chance)
    return Played(tuple(moments), state)


def _must(state: Round, command: Command) -> tuple[Round, tuple[Event, ...]]:
    done = play(state, command)
    assert not isinstance(done, Refusal), (command, done)
    return done.state, done.events


def _next(state: Round, cards: list[Card], chance: Random) -> Command:
    """What happens next: a card, a decision, or the end of an offer."""
    now = options(state)
    if now.card_to is not None:
        return DealCard(cards.pop())
    if state.phase != "decision":
        insured = [
            command for command in now.allowed if isinstance(command, Insure) and command.player == command.for_player
        ]
        return chance.choice(insured) if insured and chance.random() < 0.3 else CloseOffer()
    return _decision(state, now, chance)


def _decision(state: Round, now: Options, chance: Random) -> Command:
    box, hand = state.turn
    cards = next(place for place in state.boxes if place.number == box).hands[hand - 1]
    bold = [
        command for command in now.allowed if isinstance(command, Double | Split) and getattr(command, "box", 0) == box
    ]
    if bold and chance.random() < 0.25:
        return bold[0]
    wanted: Command = Hit(box) if cards.total < DRAWS_BELOW else Stand(box)
    return wanted if any(type(command) is type(wanted) for command in now.allowed) else Hit(box)
