"""Who looks at a table, and what lies face down before them.

Undealt cards are nobody's: no eye sees the stack, the order of a shuffle, the rack of discards or a burned card, and
an official sees no more of them than a player does. So nearly always all eyes see the same.

Where the table deals face down (adelaide 48: the first two cards, which their players may hold) we read, for the
document says no more than that:

- whoever has a wager on the box sees its cards, controller and co-bettors alike, for it is their hand too;
- nobody else does, officials included, and with the cards their total, what the hand may do and why not are hidden;
- later cards lie face up (48 speaks of the first two);
- a pair to be split and a hand to be doubled are turned up, for the dealer must see that it is one (62, 65);
- a hand is turned up when every wager on it is settled, all are when the round ends. Payments are seen by all.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pontoon.cards import Card
from pontoon.engine import Box, Hand
from pontoon.table import Table
from pontoon.table.events import Announced, BurnShown, TableEvent

FACE_DOWN = Card("??")
"""A card whose face this eye does not see."""
HELD = 2
"""How many cards are dealt face down."""


class Eye(Struct, frozen=True):
    """Somebody who looks: a player by name, a spectator without one, an official (dealer, supervisor, inspector)."""

    player: str = ""
    official: bool = False
    language: str = "en"
    """Of the words this viewer gets; see `view.catalogue`."""


def bets_on(box: Box, eye: Eye) -> bool:
    """Whether this eye's player has a wager on the box."""
    return bool(eye.player) and any(wager.player == eye.player for wager in box.bettors)


def is_hidden(table: Table, box: Box, hand: Hand, eye: Eye) -> bool:
    """Whether the first two cards of a hand lie face down for this eye."""
    if not table.face_down or table.round is None or table.round.phase == "ended":
        return False
    turned = hand.split or hand.doubled or (hand.wagers and all(wager.result for wager in hand.wagers))
    return not turned and not bets_on(box, eye)


def seen_cards(hand: Hand, *, hidden: bool) -> tuple[Card, ...]:
    """The cards of a hand as they are seen.

    >>> seen_cards(Hand((Card("7s"), Card("8h"), Card("2c")), ()), hidden=True)
    ('??', '??', '2c')
    """
    if not hidden:
        return hand.cards
    return (*(FACE_DOWN,) * min(len(hand.cards), HELD), *hand.cards[HELD:])


def eye_class(table: Table, eye: Eye, events: Iterable[TableEvent] = ()) -> str:
    """A key: eyes with equal keys get equal bytes of this table, and of these events that led to it.

    Empty for everybody who reads English at a table dealt face up, so that one encoding serves all. Else the language,
    the boxes this eye bets on, and the name of a player to whom one of the events shows the burned card or
    says something alone.

    >>> from pontoon.rulebook import load
    >>> eye_class(Table(load("star"), 8), Eye("Ann"))
    ''
    """
    language = "" if eye.language == "en" else f"{eye.language} "
    boxes = table.round.boxes if table.face_down and table.round is not None else ()
    held = ",".join(str(box.number) for box in boxes if bets_on(box, eye))
    alone = bool(eye.player) and any(eye.player == _alone(event) for event in events)
    return language + (f"{held} {eye.player}" if alone else held)


def _alone(event: TableEvent) -> str:
    """The player who gets more of an event than others; empty for most events."""
    match event:
        case BurnShown(player=player) | Announced(to=player):
            return player
        case _:
            return ""
