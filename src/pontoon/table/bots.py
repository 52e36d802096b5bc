"""Bots: a plain chart, random play, an absent player, and irregularities."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pontoon.cards import Card
from pontoon.engine import (
    Absent,
    BurnCard,
    CallNoMoreBets,
    Command,
    Double,
    ExposeCard,
    Hit,
    MissCard,
    NoticeNoFirstCard,
    NoticeSkip,
    OfferLate,
    RefuseCard,
    Round,
    SkipHand,
    Split,
    Stand,
    TakeBack,
    VoidBox,
    VoidHand,
    VoidRound,
    VoidWager,
    options,
    refusal,
)
from pontoon.engine.dealing import next_place
from pontoon.engine.state import box_in_turn, hand_in_turn

Bot = Callable[[Round, Random], Command | None]
"""What a player does now; None leaves it to the dealer."""

NEVER = (Absent, CallNoMoreBets, TakeBack, RefuseCard)
"""Commands a bot does not use at random."""


def chart_bot(state: Round, _: Random) -> Command | None:
    """A plain chart: split aces and eights, double 10 and 11, draw to hard 17 and soft 18; takes no offer."""
    if state.phase != "decision":
        return None
    box, hand = box_in_turn(state), hand_in_turn(state)
    wanted: list[Command] = []
    if len(hand.cards) == 2 and {card[0] for card in hand.cards} <= {"A"} | {"8"}:  # a pair
        wanted.append(Split(box.number))
    if len(hand.cards) == 2 and not hand.soft and hand.total in (10, 11):
        wanted.append(Double(box.number))
    wanted += [Hit(box.number), Stand(box.number)] if hand.total < (18 if hand.soft else 17) else [Stand(box.number)]
    return next(command for command in (*wanted, Hit(box.number)) if refusal(state, command) is None)


def random_bot(state: Round, chance: Random) -> Command | None:
    """Play randomly among the allowed commands, sometimes declining cards and offers."""
    moment = options(state)
    lawful = [command for command in moment.allowed if not isinstance(command, NEVER)]
    if not lawful or (moment.actor != "controller" and chance.random() < 0.6):
        return None
    return chance.choice(lawful)


def absent_bot(state: Round, _: Random) -> Command | None:
    """Never act."""
    return Absent(state.turn[0]) if state.phase == "decision" else None


BOTS: dict[str, Bot] = {"chart": chart_bot, "random": random_bot, "absent": absent_bot}


def trouble(state: Round, next_card: Card, chance: Random) -> Command | None:
    """A random error at this point, if the document provides for it; otherwise None."""
    where = chance.choice(state.boxes)
    box, player = where.number, chance.choice(where.bettors).player
    command = chance.choice(
        (
            BurnCard(next_card),
            ExposeCard(next_card),
            RefuseCard(state.turn[0]),
            OfferLate("insurance"),
            OfferLate("surrender"),
            OfferLate("insurance", box, player),
            SkipHand(state.turn[0]),
            NoticeSkip(box),
            NoticeNoFirstCard(),
            MissCard(*(next_place(state) or (0, 0))),
            VoidBox(box),
            VoidHand(box, chance.randint(1, max(len(where.hands), 1))),
            VoidWager(box, player),
            VoidRound(),
        )
    )
    return command if refusal(state, command) is None else None
