"""Commands of a round: imperative, frozen, including the cards. A command changes nothing until it is decided.

`player` may be left empty for the controller of the box. Amounts are cents; 0 is the full amount. A command of the
wrong types, or with a card that is in no pack, cannot be made. `by_house` marks what the house decides by itself where
the document is silent; it is recorded without a clause.

>>> PlaceWager(1, "Ann", 10.0)
Traceback (most recent call last):
TypeError: PlaceWager.stake is 10.0; whole cents are needed, as cents("10.00") makes them
>>> DealCard("10s")
Traceback (most recent call last):
pontoon.cards.card.UnknownCardError: '10s': a pontoon pack has no tens
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.cards import JOKER, PACK, Card, read_card
from pontoon.quoting import quoted

SideKind = str
"""The name of a side bet of the rulebook."""

_CARDS = frozenset({*PACK, JOKER})
_CENTS = 'whole cents are needed, as cents("10.00") makes them'
_NAME = 'a name is needed, as in "Ann"'
_NUMBER = "a whole number is needed"
_FIELDS: dict[str, tuple[type, str]] = {
    "stake": (int, _CENTS),
    "amount": (int, _CENTS),
    "player": (str, _NAME),
    "for_player": (str, _NAME),
    "kind": (str, 'the name of a side wager is needed, as in "perfect_pairs"'),
    "card": (str, 'a card is needed, as in "7s"'),
    "offer": (str, "a word is needed"),
    "reason": (str, "a word is needed"),
    "by": (str, "a word is needed"),
    "by_house": (bool, "true or false is needed"),
    "noticed": (bool, "true or false is needed"),
    "deal": (bool, "true or false is needed"),
}
"""The type of a field and the message for a wrong type; all other fields are numbers."""


class Command(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """Any command of a round."""


def check_types(command: Command) -> None:
    """Raise TypeError if a field of a command has the wrong type; messages from outside are checked when decoded.

    >>> check_types(Double(1, 7.5))
    Traceback (most recent call last):
    TypeError: Double.amount is 7.5; whole cents are needed, as cents("10.00") makes them
    """
    for name in command.__struct_fields__:
        value = getattr(command, name)
        kind, wanted = _FIELDS.get(name, (int, _NUMBER))
        if type(value) is not kind:
            raise TypeError(f"{type(command).__name__}.{name} is {quoted(value)}; {wanted}")


def _check_card(command: DealCard | BurnCard | ExposeCard) -> None:
    check_types(command)
    read_card(command.card)  # raises with the reason


# Only wagers and cards are checked as they are made. `options` makes the others by the dozen: they are checked when
# they are played.


class PlaceWager(Command, frozen=True):
    """Put a stake on a box; the first on a box controls it."""

    box: int
    player: str
    stake: int

    def __post_init__(self) -> None:
        if type(self.box) is not int or type(self.player) is not str or type(self.stake) is not int:
            check_types(self)


class PlaceSideWager(Command, frozen=True):
    """Put a side wager on the first two cards of a box."""

    box: int
    player: str
    kind: SideKind
    stake: int

    def __post_init__(self) -> None:
        if (
            type(self.box) is not int
            or type(self.player) is not str
            or type(self.kind) is not str
            or type(self.stake) is not int
        ):
            check_types(self)


class TakeBack(Command, frozen=True):
    """Take a wager back, with its side wager, while wagers are open."""

    box: int
    player: str


class CallNoMoreBets(Command, frozen=True):
    """End the wagers; the deal begins."""


class DealCard(Command, frozen=True):
    """Deal this card from the shoe to where it is due. Chance is data: the card is in the command."""

    card: Card

    def __post_init__(self) -> None:
        if self.card not in _CARDS:
            _check_card(self)


class Insure(Command, frozen=True):
    """Insure the player's own wager on a box, or another player's (`for_box`, `for_player`)."""

    box: int
    player: str
    amount: int
    for_box: int = 0
    for_player: str = ""


class DeclineInsurance(Command, frozen=True):
    """Decline to insure the player's own wager, so that others may insure it if the rulebook allows."""

    box: int
    player: str


class Surrender(Command, frozen=True):
    """Give up half the wager on the first two cards."""

    box: int
    player: str = ""


class DeclineSurrender(Command, frozen=True):
    """Decline to surrender."""

    box: int
    player: str = ""


class CloseOffer(Command, frozen=True):
    """The dealer moves on: players who have not answered have declined."""


class Hit(Command, frozen=True):
    """Ask for a card."""

    box: int
    player: str = ""


class Stand(Command, frozen=True):
    """Take no more cards."""

    box: int
    player: str = ""


class Double(Command, frozen=True):
    """Double the hand, or as a co-bettor join the controller's double."""

    box: int
    amount: int = 0
    player: str = ""


class Split(Command, frozen=True):
    """Split a pair, or as a co-bettor cover the controller's split."""

    box: int
    player: str = ""


class Ride(Command, frozen=True):
    """Leave the wager on one of the two hands of a split."""

    box: int
    player: str
    on: int


class Forfeit(Command, frozen=True):
    """Take back the double and lose the original wager."""

    box: int
    player: str = ""


class Keep(Command, frozen=True):
    """Let the doubled hand stand."""

    box: int
    player: str = ""


class Absent(Command, frozen=True):
    """Nobody, or this `player`, is present to decide: deal the cards the document requires."""

    box: int
    player: str = ""
    deal: bool = True
    """False if the document lets the house decide on cards and the hand is left unchanged."""
    by: Literal["", "supervisor", "dealer"] = ""
    """Who directed the cards; empty for the role named in the rulebook."""


BurnReason = Literal["face_up", "in_error", "dealer_excess", "dealer_early", "left_over"]


class BurnCard(Command, frozen=True):
    """Take this card out of the shoe and out of play."""

    card: Card
    reason: BurnReason = "face_up"
    by_house: bool = False

    def __post_init__(self) -> None:
        if self.card not in _CARDS:
            _check_card(self)


class ExposeCard(Command, frozen=True):
    """This card was drawn in error and seen; it is still the next card."""

    card: Card
    by_house: bool = False

    def __post_init__(self) -> None:
        if self.card not in _CARDS:
            _check_card(self)


class RefuseCard(Command, frozen=True):
    """The current hand refuses the exposed card."""

    box: int
    player: str = ""


class OfferLate(Command, frozen=True):
    """The dealer notices now that insurance or surrender was not offered, to one player (`box`, `player`) or at all."""

    offer: Literal["insurance", "surrender"]
    box: int = 0
    player: str = ""
    by_house: bool = False


class SkipHand(Command, frozen=True):
    """The dealer passed over the current hand by mistake."""

    box: int
    by_house: bool = False


class MissCard(Command, frozen=True):
    """The dealer does not deal the card that is due to this hand: its second card, or the card of a double."""

    box: int
    hand: int = 1
    by_house: bool = False
    noticed: bool = False
    """Noticed in the turn of the hand, which then draws or withdraws at once; otherwise it is passed over."""


class PutRight(Command, frozen=True):
    """A card this hand was not dealt is noticed, and the cards lie again as they should have been dealt."""

    box: int
    """0 for the dealer, whose first card was missing."""
    hand: int = 1
    by_house: bool = False


class NoticeSkip(Command, frozen=True):
    """The dealer notices, before the dealer's second card, that a hand was passed over."""

    box: int


class SkipDealer(Command, frozen=True):
    """The dealer dealt the initial cards without one for the dealer's hand."""

    by_house: bool = False


class NoticeNoFirstCard(Command, frozen=True):
    """The dealer notices that the dealer's first card is missing: the next card becomes it."""


class Withdraw(Command, frozen=True):
    """Withdraw a wager when an irregularity gives the right to."""

    box: int
    player: str = ""


class VoidBox(Command, frozen=True):
    """Declare everything on a box void."""

    box: int
    by_house: bool = False


class VoidHand(Command, frozen=True):
    """Declare one hand of a box void, and nothing else."""

    box: int
    hand: int
    by_house: bool = False


class VoidWager(Command, frozen=True):
    """Declare all wagers of one player on a box void; those of others remain."""

    box: int
    player: str
    by_house: bool = False


class VoidRound(Command, frozen=True):
    """Declare the whole round void, as if it had not been played."""

    by_house: bool = False
