"""The viewer of a table, and the cards face down for them.

No viewer sees the stack, the order of a shuffle, the discards in the rack or a burned card, and an official sees no
more of them than a player does. So all viewers nearly always see the same.

Where the table deals face down (adelaide 48: the first two cards, which their players may hold) we interpret the
document, which says no more than that, as follows:

- every bettor on a box sees its cards, the controller and the co-bettors alike: it is their hand too;
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
"""A card whose face the viewer cannot see."""
HELD = 2
"""How many cards are dealt face down."""


class Viewer(Struct, frozen=True):
    """A viewer: a player by name, a spectator without one, or an official (dealer, supervisor, inspector)."""

    player: str = ""
    official: bool = False
    language: str = "en"
    """The viewer's language; see `view.catalogue`."""


def bets_on(box: Box, viewer: Viewer) -> bool:
    """Whether the viewer has a wager on the box."""
    return bool(viewer.player) and any(wager.player == viewer.player for wager in box.bettors)


def is_hidden(table: Table, box: Box, hand: Hand, viewer: Viewer) -> bool:
    """Whether the first two cards of a hand are face down for the viewer."""
    if not table.face_down or table.round is None or table.round.phase == "ended":
        return False
    turned = hand.split or hand.doubled or (hand.wagers and all(wager.result for wager in hand.wagers))
    return not turned and not bets_on(box, viewer)


def seen_cards(hand: Hand, *, hidden: bool) -> tuple[Card, ...]:
    """The cards of a hand as they are seen.

    >>> seen_cards(Hand((Card("7s"), Card("8h"), Card("2c")), ()), hidden=True)
    ('??', '??', '2c')
    """
    if not hidden:
        return hand.cards
    return (*(FACE_DOWN,) * min(len(hand.cards), HELD), *hand.cards[HELD:])


def viewer_class(table: Table, viewer: Viewer, events: Iterable[TableEvent] = ()) -> str:
    """A key: viewers with equal keys get equal bytes of this table, and of these events that led to it.

    Empty for everyone who reads English at a table dealt face up, so that one encoding serves all. Else the language,
    the boxes this viewer bets on, and the name of a player to whom one of the events shows the burned card or an
    announcement to that player alone.

    >>> from pontoon.rulebook import load
    >>> viewer_class(Table(load("star"), 8), Viewer("Ann"))
    ''
    """
    language = "" if viewer.language == "en" else f"{viewer.language} "
    boxes = table.round.boxes if table.face_down and table.round is not None else ()
    held = ",".join(str(box.number) for box in boxes if bets_on(box, viewer))
    alone = bool(viewer.player) and any(viewer.player == _alone(event) for event in events)
    return language + (f"{held} {viewer.player}" if alone else held)


def _alone(event: TableEvent) -> str:
    """The player who sees more of an event than others; empty for most events."""
    match event:
        case BurnShown(player=player) | Announced(to=player):
            return player
        case _:
            return ""
