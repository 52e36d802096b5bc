"""Cards and money before and after, for the desk, the second person and the incident."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec import Struct

from pontoon.engine import Round
from pontoon.server.floor.money import player_of
from pontoon.server.rooms.decide import postings_of
from pontoon.server.rooms.log import LogEvent
from pontoon.server.rooms.state import RoomState
from pontoon.transcript import nets
from pontoon.transcript.ruling import chips_on_layout
from pontoon.view.catalogue import ENGLISH
from pontoon.view.words import dealer_words, hand_words


class HandPicture(Struct, frozen=True):
    """One hand as it lies on the layout; box 0 is the dealer."""

    box: int
    hand: int
    players: tuple[str, ...]
    stake: int
    cards: tuple[str, ...]
    words: str
    results: tuple[str, ...] = ()


class MoneyRow(Struct, frozen=True):
    """A player's money before and after, in cents."""

    player: str
    layout_before: int
    layout_after: int
    net_before: int
    """Decided in this round so far."""
    net_after: int
    wallet: int
    """The amount that goes to the wallet."""


def picture(state: RoomState, language: str = ENGLISH) -> tuple[HandPicture, ...]:
    """Every hand of the round; nothing if players hold their cards face down."""
    now = state.table.round
    if now is None or state.table.face_down:
        return ()
    dealer = HandPicture(0, 1, ("Dealer",), 0, now.dealer, dealer_words(now, language)) if now.dealer else None
    return (*_hands(now, language), *((dealer,) if dealer is not None else ()))


def _hands(now: Round, language: str) -> tuple[HandPicture, ...]:
    return tuple(
        HandPicture(
            box.number,
            number,
            tuple(wager.player for wager in hand.wagers),
            sum(wager.stake + wager.double for wager in hand.wagers),
            hand.cards,
            hand_words(now, hand, language) if hand.cards else "",
            tuple(dict.fromkeys(wager.result for wager in hand.wagers if wager.result)),
        )
        for box in now.boxes
        for number, hand in enumerate(box.hands, 1)
    )


def money_rows(before: RoomState, after: RoomState, events: tuple[LogEvent, ...]) -> tuple[MoneyRow, ...]:
    """What these events do to everyone's money."""
    postings = postings_of(before.id, before.settings, events)
    moved = {player: posting.amount for posting in postings if (player := player_of(posting.account))}
    rounds = [state.table.round for state in (before, after)]
    names = [wager.player for now in rounds if now for box in now.boxes for wager in box.bettors]
    names += [settled.player for now in rounds if now for settled in now.settlements]
    players = dict.fromkeys((*names, *moved))
    chips = [chips_on_layout(players, now) if now else dict.fromkeys(players, 0) for now in rounds]
    net = [nets(players, now.settlements if now else ()) for now in rounds]
    return tuple(
        MoneyRow(name, chips[0][name], chips[1][name], net[0][name], net[1][name], moved.get(name, 0))
        for name in players
    )


def short_code(version: int, command: object) -> str:
    """A code that is the same on the screens of proposer and approver while the table has not changed.

    >>> short_code(7, {"type": "VoidBox", "box": 2}) == short_code(8, {"type": "VoidBox", "box": 2})
    False
    """
    text = hashlib.sha256(msgspec.json.encode((version, command))).hexdigest()[:8].upper()
    return f"{text[:4]} {text[4:]}"
