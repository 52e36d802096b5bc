"""Events of a round: past tense, frozen, with their clauses. A round is the fold of its events.

Box 0 is the dealer. Hands count from 1 in the order they are played.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.cards import Card
from pontoon.engine.commands import SideKind

Offer = Literal["insurance", "surrender", "forfeit", "withdraw"]
Kind = str
"""`main`, `double`, `insurance`, `super_bonus`, `envy_bonus`, or the name of a side bet."""
Result = Literal["win", "lose", "stand_off", "surrender", "forfeit", "void"]
Moment = Literal["interim", "final"]
Clauses = tuple[str, ...]


class Event(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """Anything that happened in a round."""


def clauses_of(event: Event) -> Clauses:
    """The clauses behind an event; every kind has them, though not at the same position.

    >>> clauses_of(RoundEnded(("8.6",)))
    ('8.6',)
    """
    clauses: Clauses = event.clauses  # type: ignore[attr-defined]
    return clauses


class WagerPlaced(Event, frozen=True, gc=False):
    """A wager was placed; `offered` is the amount put up, `warning` why it differs or is tolerated a last time."""

    box: int
    player: str
    stake: int
    clauses: Clauses
    offered: int
    warning: Literal["", "below_minimum", "above_maximum"] = ""


class SideWagerPlaced(Event, frozen=True, gc=False):
    """A side wager is on the layout; whether it has a place is decided at the call."""

    box: int
    player: str
    kind: SideKind
    stake: int
    clauses: Clauses


class WagerTakenBack(Event, frozen=True, gc=False):
    """A wager was taken back before the call; `side` is the side wager that went with it."""

    box: int
    player: str
    stake: int
    side: int
    clauses: Clauses


class NoMoreBetsCalled(Event, frozen=True, gc=False):
    """The wagers are frozen."""

    clauses: Clauses


class CardDealt(Event, frozen=True, gc=False):
    """A card went to a hand (or, box 0, to the dealer), and the total was announced."""

    card: Card
    box: int
    hand: int
    total: int
    soft: bool
    clauses: Clauses


class OfferOpened(Event, frozen=True, gc=False):
    """The dealer offers insurance, surrender, forfeit or a withdrawal; `late` when it was forgotten in its place."""

    offer: Offer
    clauses: Clauses
    late: bool = False
    box: int = 0
    player: str = ""
    """The only player it is open to; empty for all."""
    decided: Literal["", "draw", "stand"] = ""
    """The decision of a short hand's controller, if the others on it may now withdraw."""
    by_house: bool = False
    """The document is silent; the house decided. The same on every event that has it."""


class OfferClosed(Event, frozen=True, gc=False):
    """The dealer closed an offer and continued."""

    offer: Offer
    clauses: Clauses


class InsuranceMade(Event, frozen=True, gc=False):
    """`player` with a wager on `box` insured the wager of `owner` on `owner_box`."""

    box: int
    player: str
    owner_box: int
    owner: str
    amount: int
    clauses: Clauses


class InsuranceDeclined(Event, frozen=True, gc=False):
    """The owner declined insurance; others may insure the wager if the rulebook allows."""

    box: int
    player: str
    clauses: Clauses


class InsuranceReduced(Event, frozen=True, gc=False):
    """A player with preference took precedence; `amount` is the insurance left."""

    box: int
    player: str
    owner_box: int
    owner: str
    amount: int
    returned: int
    clauses: Clauses


class Surrendered(Event, frozen=True, gc=False):
    """A bettor gave up half the wager, subject to the dealer's pontoon."""

    box: int
    player: str
    clauses: Clauses


class SurrenderDeclined(Event, frozen=True, gc=False):
    """A bettor said to play on."""

    box: int
    player: str
    clauses: Clauses


class ControlPassed(Event, frozen=True, gc=False):
    """The next bettor in line calls the decisions."""

    box: int
    player: str
    clauses: Clauses


class TurnCame(Event, frozen=True, gc=False):
    """It is this hand's turn."""

    box: int
    hand: int
    clauses: Clauses


class CardCalled(Event, frozen=True, gc=False):
    """The current hand asked for a card."""

    box: int
    hand: int
    clauses: Clauses


class Stood(Event, frozen=True, gc=False):
    """The hand takes no more cards, by decision or by rule."""

    box: int
    hand: int
    clauses: Clauses
    by: Literal["player", "rule"] = "player"


class PlayerWasAbsent(Event, frozen=True, gc=False):
    """The hand is played by the absent-player clause."""

    box: int
    hand: int
    by: Literal["supervisor", "dealer"]
    clauses: Clauses
    left: bool = False
    """No cards were directed; the hand stays unchanged."""


class BettorWasAbsent(Event, frozen=True, gc=False):
    """The controller is absent; the next bettor present on the box decides."""

    box: int
    player: str
    clauses: Clauses


class Doubled(Event, frozen=True, gc=False):
    """A bettor added a double; `fixed_aces` aces of the hand now count 1."""

    box: int
    hand: int
    player: str
    amount: int
    fixed_aces: int
    clauses: Clauses
    joined: bool = False


class SplitMade(Event, frozen=True, gc=False):
    """The hand became two; the controller's additional wager stands on the second."""

    box: int
    hand: int
    player: str
    amount: int
    clauses: Clauses


class SplitCovered(Event, frozen=True, gc=False):
    """A co-bettor covered the second hand too."""

    box: int
    hand: int
    player: str
    amount: int
    clauses: Clauses


class WagerRode(Event, frozen=True, gc=False):
    """A co-bettor's wager stays on hand `on` (1 or 2) of the split."""

    box: int
    hand: int
    player: str
    on: int
    clauses: Clauses


class SplitBarred(Event, frozen=True, gc=False):
    """A pair was not split: no further split on this box in the round."""

    box: int
    clauses: Clauses


class Kept(Event, frozen=True, gc=False):
    """A bettor lets the doubled hand stand."""

    box: int
    hand: int
    player: str
    clauses: Clauses


class DealersTurnCame(Event, frozen=True, gc=False):
    """All decisions are made and something is left to decide."""

    clauses: Clauses


class DealerStopped(Event, frozen=True, gc=False):
    """The dealer draws no further card, because it would change nothing."""

    clauses: Clauses


class Settled(Event, frozen=True, gc=False):
    """A wager was paid, collected or returned. `net` is the player's profit or loss on it."""

    player: str
    box: int
    hand: int
    kind: Kind
    stake: int
    result: Result
    odds: str
    net: int
    moment: Moment
    clauses: Clauses
    owner: str = ""
    """The owner of the wager, for insurance on another player's wager."""


class Reversed(Event, frozen=True, gc=False):
    """A settlement was undone by a void: `net` is its exact mirror."""

    player: str
    box: int
    hand: int
    kind: Kind
    stake: int
    net: int
    clauses: Clauses
    owner: str = ""

    @property
    def result(self) -> Result:
        """What is left of the wager."""
        return "void"

    @property
    def odds(self) -> str:
        """A void has none."""
        return ""

    @property
    def moment(self) -> Moment:
        """A void comes after the fact."""
        return "final"


class CardBurned(Event, frozen=True, gc=False):
    """A card left the shoe and went out of play."""

    card: Card
    reason: Literal["face_up", "in_error", "dealer_excess", "dealer_early", "left_over", "exposed"]
    clauses: Clauses
    by_house: bool = False


class JokerDealt(Event, frozen=True, gc=False):
    """The promotional joker was drawn; the next card takes its place."""

    clauses: Clauses


class CardExposed(Event, frozen=True, gc=False):
    """A card drawn in error was seen; it is the next card."""

    card: Card
    clauses: Clauses
    by_house: bool = False


class CardRefused(Event, frozen=True, gc=False):
    """The hand refused the exposed card and gets no more cards this round."""

    box: int
    hand: int
    clauses: Clauses


class HandSkipped(Event, frozen=True, gc=False):
    """The hand was passed over with too few cards."""

    box: int
    hand: int
    clauses: Clauses
    by_house: bool = False


class CardMissed(Event, frozen=True, gc=False):
    """The card due to the hand was not dealt; the deal went on without it."""

    box: int
    hand: int
    clauses: Clauses
    by_house: bool = False
    noticed: bool = False
    """Noticed in the turn of the hand, which was not passed over."""


class MissPutRight(Event, frozen=True, gc=False):
    """A card not dealt to the hand was noticed, and the cards lie as they should have been dealt."""

    box: int
    hand: int
    clauses: Clauses
    by_house: bool = False


class DoubleTakenBack(Event, frozen=True, gc=False):
    """A hand whose double got no card draws instead; the doubles on it are returned."""

    box: int
    hand: int
    clauses: Clauses


class SkipNoticed(Event, frozen=True, gc=False):
    """The passed hand will be finished before the dealer's second card."""

    box: int
    hand: int
    clauses: Clauses


class DealerSkipped(Event, frozen=True, gc=False):
    """The initial deal continued without a card for the dealer."""

    clauses: Clauses
    by_house: bool = False


class NoFirstCardNoticed(Event, frozen=True, gc=False):
    """The dealer says that the next card is the first of the dealer's hand."""

    clauses: Clauses


class WagerWithdrawn(Event, frozen=True, gc=False):
    """A bettor used the right to withdraw; events for returned wagers follow."""

    box: int
    hand: int
    player: str
    clauses: Clauses


class BoxVoided(Event, frozen=True, gc=False):
    """Everything on the box was declared void; events for returned and undone wagers follow."""

    box: int
    clauses: Clauses
    by_house: bool = False


class HandVoided(Event, frozen=True, gc=False):
    """One hand was declared void; events for returned and undone wagers follow."""

    box: int
    hand: int
    clauses: Clauses
    by_house: bool = False


class WagerVoided(Event, frozen=True, gc=False):
    """One player's wagers on the box were declared void; events for returned and undone wagers follow."""

    box: int
    player: str
    clauses: Clauses
    by_house: bool = False


class RoundVoided(Event, frozen=True, gc=False):
    """The whole round was declared void; events for returned and undone wagers follow."""

    clauses: Clauses
    by_house: bool = False


class RoundEnded(Event, frozen=True, gc=False):
    """Everything is settled."""

    clauses: Clauses
