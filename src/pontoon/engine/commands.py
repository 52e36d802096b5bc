"""What somebody wants: imperative, frozen, cards included. A command changes nothing until it is decided.

`player` may be left empty for whoever controls the box. Amounts are cents; 0 is the full amount. `by_house` marks what
the house decides by itself where the document is silent; it is recorded without a clause.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.cards import Card

SideKind = str
"""The name of a side bet of the rulebook."""


class Command(Struct, frozen=True, tag=True, omit_defaults=True):
    """Anything that can be asked of a round."""


class PlaceWager(Command, frozen=True):
    """Put a stake on a box; the first on a box controls it."""

    box: int
    player: str
    stake: int


class PlaceSideWager(Command, frozen=True):
    """Put a side wager on the first two cards of a box."""

    box: int
    player: str
    kind: SideKind
    stake: int


class TakeBack(Command, frozen=True):
    """Take a wager back, with its side wager, while wagers are open."""

    box: int
    player: str


class CallNoMoreBets(Command, frozen=True):
    """End the wagers; the deal begins."""


class DealCard(Command, frozen=True):
    """Take this card from the shoe to where the round needs it. Chance is data: the card is in the command."""

    card: Card


class Insure(Command, frozen=True):
    """Insure one's own wager on a box, or (`for_box`, `for_player`) somebody else's."""

    box: int
    player: str
    amount: int
    for_box: int = 0
    for_player: str = ""


class DeclineInsurance(Command, frozen=True):
    """Leave one's own wager uninsured, so that others may insure it where the rulebook lets them."""

    box: int
    player: str


class Surrender(Command, frozen=True):
    """Give up half the wager on the first two cards."""

    box: int
    player: str = ""


class DeclineSurrender(Command, frozen=True):
    """Say that one plays on."""

    box: int
    player: str = ""


class CloseOffer(Command, frozen=True):
    """The dealer goes on: whoever has not answered has declined."""


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
    """Nobody is there to decide, or (`player`) one bettor is not: deal the cards the document asks for."""

    box: int
    player: str = ""
    deal: bool = True
    """No where the document leaves the cards to the house's direction, and the hand is left as it is."""
    by: Literal["", "supervisor", "dealer"] = ""
    """Who directed the cards; empty for whom the rulebook names."""


BurnReason = Literal["face_up", "in_error", "dealer_excess", "dealer_early"]


class BurnCard(Command, frozen=True):
    """Take this card out of the shoe and out of play."""

    card: Card
    reason: BurnReason = "face_up"
    by_house: bool = False


class ExposeCard(Command, frozen=True):
    """This card was drawn in error and seen; it is still the next card."""

    card: Card
    by_house: bool = False


class RefuseCard(Command, frozen=True):
    """The hand in turn will not have the exposed card."""

    box: int
    player: str = ""


class OfferLate(Command, frozen=True):
    """The dealer notices now that insurance or surrender was not offered, to one player (`box`, `player`) or at all."""

    offer: Literal["insurance", "surrender"]
    box: int = 0
    player: str = ""
    by_house: bool = False


class SkipHand(Command, frozen=True):
    """The dealer passed over the hand in turn by mistake."""

    box: int
    by_house: bool = False


class MissCard(Command, frozen=True):
    """The dealer does not deal the card that is due to this hand: its second card, or the card of a double."""

    box: int
    hand: int = 1
    by_house: bool = False


class PutRight(Command, frozen=True):
    """A card this hand was not dealt is noticed, and the cards lie again as they should have been dealt."""

    box: int
    hand: int = 1
    by_house: bool = False


class NoticeSkip(Command, frozen=True):
    """It is noticed, before the dealer's second card, that a hand was passed over."""

    box: int


class SkipDealer(Command, frozen=True):
    """The dealer dealt the initial cards without one for the dealer's hand."""

    by_house: bool = False


class NoticeNoFirstCard(Command, frozen=True):
    """It is noticed that the dealer has no first card: the next card is it."""


class Withdraw(Command, frozen=True):
    """Take a wager back where an irregularity gives the right to."""

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
    """Declare all wagers of one player on a box void; the others on it stand."""

    box: int
    player: str
    by_house: bool = False


class VoidRound(Command, frozen=True):
    """Declare the whole round void, as if it had not been played."""

    by_house: bool = False
