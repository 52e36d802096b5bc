"""Events of a table, in the past tense, each with its clauses; the events of a round are wrapped one by one."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.cards import Card
from pontoon.engine import Command, Event
from pontoon.engine.state import Limits
from pontoon.rulebook import Clauses

Reshuffle = Literal["", "start", "first", "during", "ordered", "missing", "passed", "changed", "failed"]


class TableEvent(Struct, frozen=True, tag=True, omit_defaults=True):
    """Anything that happened at a table."""

    clauses: Clauses


class TableOpened(TableEvent, frozen=True):
    """The cards are at the table."""

    at: int = 0
    """When, in milliseconds since 1970; 0 if nobody keeps time."""


class CardsChecked(TableEvent, frozen=True):
    """The cards were sorted and inspected."""

    by: str


class CardsShown(TableEvent, frozen=True):
    """The first player saw the cards spread, or the time for it passed."""

    player: str


class SealBroken(TableEvent, frozen=True):
    """Sealed cards were opened; with a broken seal they are not used."""

    whole: bool


class CardsShuffled(TableEvent, frozen=True):
    """The cards are randomly mixed; the order is known only to a program that deals."""

    order: tuple[Card, ...]
    count: int
    washed: bool


class ShoeCommitted(TableEvent, frozen=True):
    """The house committed to this shoe: each card can be checked as it is dealt."""

    seed_hash: str
    root: str


class ShoeRevealed(TableEvent, frozen=True):
    """The shoe is over; everything about it can be computed again."""

    seed: str


class CutOffered(TableEvent, frozen=True):
    """The cut is offered to these players in order."""

    to: tuple[str, ...]


class CutDeclined(TableEvent, frozen=True):
    """A player let the offer pass."""

    player: str


class CardsCut(TableEvent, frozen=True):
    """The front went to the back."""

    by: str
    depth: int


class CuttingCardPlaced(TableEvent, frozen=True):
    """The cutting card is in the stack, the stack in the shoe."""

    behind: int


class DeviceLoaded(TableEvent, frozen=True):
    """The cards are in the shuffling device."""

    order: tuple[Card, ...]
    count: int


class CardsBurned(TableEvent, frozen=True):
    """Cards left the shoe face down."""

    cards: tuple[str, ...]
    count: int


class BurnShown(TableEvent, frozen=True):
    """A player saw the burned card."""

    player: str


class PlayerSat(TableEvent, frozen=True):
    """A player took a seat."""

    player: str
    box: int


class PlayerLeft(TableEvent, frozen=True):
    """A player left the table or lost the seat."""

    player: str


class LimitsSet(TableEvent, frozen=True):
    """The sign changed."""

    limits: Limits
    box_maximum: int


class LimitsAnnounced(TableEvent, frozen=True):
    """The players were given notice of new limits."""

    limits: Limits
    box_maximum: int


class SideBetsOffered(TableEvent, frozen=True):
    """The table offers these side bets and no others."""

    bets: tuple[str, ...]


class PersonalLimitAllowed(TableEvent, frozen=True):
    """A personal limit marker was placed by the box."""

    player: str
    box: int
    maximum: int


class PlayerRestricted(TableEvent, frozen=True):
    """A player is limited to a few boxes at the minimum."""

    player: str
    by: str
    reason: str


class PlayerExcluded(TableEvent, frozen=True):
    """A player was excluded from the game."""

    player: str
    by: str
    reason: str


class LateEntryHeld(TableEvent, frozen=True):
    """Late and returning players are held to the minimum, or no longer: one player, or everyone."""

    hold: bool
    by: str
    player: str = ""


class BoxesAllowed(TableEvent, frozen=True):
    """One person may play this many boxes; 0 is no limit. Empty `player` is everyone."""

    boxes: int
    by: str
    player: str = ""


class ControlTaken(TableEvent, frozen=True):
    """A standing player no longer controls this box, until the next shoe."""

    box: int
    player: str
    by: str


class Reported(TableEvent, frozen=True):
    """A record of something the document requires to be reported to an authority."""

    to: Literal["commission", "inspectorate"]
    matter: str
    player: str
    by: str
    reason: str


class RoundBegan(TableEvent, frozen=True):
    """Wagers may be placed."""

    number: int


class ControlDeclined(TableEvent, frozen=True):
    """A bettor will not call the decisions for a box."""

    box: int
    player: str


class Announced(TableEvent, frozen=True):
    """The dealer made an announcement required by the document, to the table or to one player."""

    words: str
    to: str = ""


class Ruled(TableEvent, frozen=True):
    """An official ruled on an irregularity, with reason and approval."""

    what: str
    by: str
    approver: str
    reason: str


class PartnersDeclared(TableEvent, frozen=True):
    """These players count as one."""

    players: tuple[str, ...]
    by: str


class RoundReconstructed(TableEvent, frozen=True):
    """The round goes back to the call with these cards on top of the shoe; what stands of it follows as events.

    `returns` undo what moved since the call: player, box, into the wallet, into the escrow of the box.
    """

    way: str
    cards: tuple[Card, ...]
    returns: tuple[tuple[str, int, int, int], ...]
    drawn: int = 0
    """How many of the cards were out of the shoe without being part of the round, as those of a hand too many."""


class LeftOverRemoved(TableEvent, frozen=True):
    """Cards left exposed after a reconstruction went to the discard rack."""

    cards: tuple[Card, ...]


class ExtraHandRemoved(TableEvent, frozen=True):
    """A hand too many is void and its cards are burned."""

    cards: tuple[Card, ...]


class DisputeDecided(TableEvent, frozen=True):
    """A dispute was decided; `house` marks the house's own decision, if the document is silent."""

    player: str
    matter: str
    decision: str
    by: str
    amount: int = 0
    """Cents from the house to the player."""
    house: bool = False


class InRound(TableEvent, frozen=True):
    """An event of the round in progress."""

    event: Event
    command: Command | None = None
    """With the first event of a decision: the decision, so that a reconstruction can let it stand."""


class CardLeftShoe(TableEvent, frozen=True):
    """A card left the shoe; the round's event says where it went."""

    card: Card


class CuttingCardCame(TableEvent, frozen=True):
    """The cutting card was reached: as the first card of the round, on a box or on the dealer's hand."""

    place: str
    player: str = ""
    """The controller of the box."""


class ShuffleFellDue(TableEvent, frozen=True):
    """The cards will be shuffled: now, or after the round."""

    why: Reshuffle


class DiscardsShuffled(TableEvent, frozen=True):
    """The discards are the shoe now; where the cut is offered, they are cut next."""

    order: tuple[Card, ...]


class HandCollected(TableEvent, frozen=True):
    """The cards of a settled hand went to the discard rack before the next card was dealt."""

    box: int
    hand: int
    cards: tuple[Card, ...]


class AuthorityNotified(TableEvent, frozen=True):
    """An outside authority was notified of something, and why: a record for its inspectors."""

    authority: str
    matter: str
    reason: str


class DealerChanged(TableEvent, frozen=True):
    """Another dealer took over."""

    dealer: str
    reason: str


class CardsCollected(TableEvent, frozen=True):
    """The cards of the round are in the rack, in the order they were picked up."""

    cards: tuple[Card, ...]


class DiscardsReturned(TableEvent, frozen=True):
    """The discards went back into the device."""

    order: tuple[Card, ...]


class CardsChanged(TableEvent, frozen=True):
    """New cards take the place of the old."""

    reason: str


class CardReplaced(TableEvent, frozen=True):
    """A damaged card was replaced by an identical new one."""

    card: Card
    checked: tuple[str, ...] = ()
    """Who checked the fresh card."""


class DeviceJammed(TableEvent, frozen=True):
    """The jam is cleared and the cards are loaded again."""

    order: tuple[Card, ...]


class DeviceFailed(TableEvent, frozen=True):
    """The device is out of use; an ordinary shoe takes its place."""

    order: tuple[Card, ...]


class ClosingNoticed(TableEvent, frozen=True):
    """The players know that the table closes."""

    kind: str
    rounds: int
    at: int = 0
    """When, in milliseconds since 1970; 0 if nobody keeps time."""


class HoursSet(TableEvent, frozen=True):
    """The hours of gaming began or ended."""

    open: bool


class TableClosed(TableEvent, frozen=True):
    """Gaming at this table has ended."""


class EarlierRoundVoided(TableEvent, frozen=True):
    """A finished round is void; `returns` are the mirror amounts by player."""

    number: int
    returns: tuple[tuple[str, int], ...]


class AmountOwed(TableEvent, frozen=True):
    """An amount owed because of a void by a player who has left the table."""

    player: str
    amount: int
