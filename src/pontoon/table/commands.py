"""Commands of a table. Chance is data: a shuffle comes with its order, a card on the floor with its face.

`by` is a role or a player's name; `approver` is the second person if the document wants one. `at` is the moment of
a command in milliseconds since 1970, filled in by the server; 0 if nobody keeps time.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.cards import Card
from pontoon.engine import Command, PlaceWager
from pontoon.engine.state import Limits

Role = Literal["dealer", "game_supervisor", "inspector", "pit_boss", "casino_supervisor", "casino_employee", "operator"]


class TableCommand(Struct, frozen=True, tag=True, omit_defaults=True):
    """Any command of a table."""


class Open(TableCommand, frozen=True):
    """Bring the cards to the table."""

    at: int = 0


class CheckCards(TableCommand, frozen=True):
    """Sort and inspect the cards, one by one."""

    by: Role


class ShowCards(TableCommand, frozen=True):
    """Spread the cards face up for the first player, or record that the waiting time has passed.

    `minutes` counts only if nobody keeps time.
    """

    player: str = ""
    minutes: int = 0
    at: int = 0


class BreakSeal(TableCommand, frozen=True):
    """Open a container of pre-shuffled cards; `whole`: its seal was intact and matched the slip."""

    whole: bool


class Shuffle(TableCommand, frozen=True):
    """Shuffle the cards (washed first if they are new); on the floor nobody knows the order."""

    order: tuple[Card, ...] = ()


class CommitShoe(TableCommand, frozen=True):
    """Publish the commitment to this shoe: the hash of its seed and the root over its salted cards."""

    seed_hash: str
    root: str


class RevealShoe(TableCommand, frozen=True):
    """Publish the seed of a finished or void shoe."""

    seed: str


class Cut(TableCommand, frozen=True):
    """Cut `depth` cards from the front to the back."""

    by: str
    depth: int


class DeclineCut(TableCommand, frozen=True):
    """Let the offer pass to the next seated player."""

    player: str


class PlaceCuttingCard(TableCommand, frozen=True):
    """Put the cutting card in with this many cards behind it; -1 on the floor: it was forgotten."""

    behind: int


class BurnFirst(TableCommand, frozen=True):
    """Burn the first card of the shoe, face down."""

    card: str = ""


class ShowBurn(TableCommand, frozen=True):
    """A player asks to see the burned card."""

    player: str


class Sit(TableCommand, frozen=True):
    """Take a seat at a box."""

    player: str
    box: int


class Leave(TableCommand, frozen=True):
    """Leave the table."""

    player: str


class SetLimits(TableCommand, frozen=True):
    """Change the sign; the players must have been told, or the change announced before.

    Limits without side bets leave those of the side bets as they are; a box maximum of 0 is none.
    """

    limits: Limits
    told: bool = False
    box_maximum: int = 0


class AnnounceLimits(TableCommand, frozen=True):
    """Give the players notice of new limits; `SetLimits` with the same limits puts them on the sign."""

    limits: Limits
    box_maximum: int = 0


class OfferSideBets(TableCommand, frozen=True):
    """Choose which side bets this table offers, by their names in the rulebook."""

    bets: tuple[str, ...]


class AllowPersonalLimit(TableCommand, frozen=True):
    """Place a personal limit marker for a player at a box."""

    player: str
    box: int
    maximum: int


class Restrict(TableCommand, frozen=True):
    """Hold a player to few boxes at the minimum."""

    player: str
    by: Role
    consulted: bool = False
    reason: str = ""


class HoldLate(TableCommand, frozen=True):
    """Hold late and returning players to the minimum, or stop doing so: one player, or everyone."""

    hold: bool
    by: Role
    player: str = ""
    """Empty for everyone."""


class AllowBoxes(TableCommand, frozen=True):
    """Set how many boxes a person may play: for one player, or for everyone; 0 for no limit."""

    boxes: int
    by: Role
    player: str = ""
    """Empty for everyone."""


class TakeControl(TableCommand, frozen=True):
    """Take control of a box from a standing player who was held to the minimum and keeps declining to wager."""

    player: str
    box: int
    by: Role


class TakeSeat(TableCommand, frozen=True):
    """Take an idle seat from a player while all seats are in use."""

    player: str
    by: Role


class Exclude(TableCommand, frozen=True):
    """Exclude a player who broke the rules, or refuse further wagers."""

    player: str
    by: Role
    reason: str


class DeclineControl(TableCommand, frozen=True):
    """A bettor will not call the decisions for a box nobody is seated at."""

    player: str
    box: int


class CallOut(TableCommand, frozen=True):
    """Call a wager out instead of placing it; `chips` came with it in time."""

    wager: PlaceWager
    chips: bool


class DeclarePartners(TableCommand, frozen=True):
    """Treat these players as one."""

    players: tuple[str, ...]
    by: Role


class AskCards(TableCommand, frozen=True):
    """A player asks how many packs there are and how they are shuffled."""

    player: str


class Reconstruct(TableCommand, frozen=True):
    """Put a round right with all cards that are out.

    `dealt_again`: `cards` are in the order they should have been dealt. `laid_again`: the complete hands as they
    should lie, box by box and hand by hand, the dealer's last; each hand keeps its number of cards.
    """

    cards: tuple[Card, ...]
    way: Literal["dealt_again", "laid_again"]
    by: Role
    approver: str = ""
    reason: str = ""


class RemoveExtraHand(TableCommand, frozen=True):
    """A hand was dealt to a box without a wager: these cards."""

    cards: tuple[Card, ...]
    by: Role
    approver: str = ""


class DecideDispute(TableCommand, frozen=True):
    """Decide what a player disputes; the decision may move money between the house and the player."""

    player: str
    matter: str
    decision: str
    by: Role
    amount: int = 0
    """Cents from the house to the player; below zero from the player to the house."""
    unresolved: bool = False
    """The player does not accept the decision."""


class Play(TableCommand, frozen=True):
    """Anything inside the round: wagers, decisions, and (with an approver if needed) irregularities."""

    command: Command
    by: str = "dealer"
    approver: str = ""
    reason: str = ""


class Deal(TableCommand, frozen=True):
    """Deal the next card from the shoe; on the floor its face is entered."""

    card: str = ""
    unable: tuple[str, ...] = ()
    """Restricted co-bettors without enough chips to cover a split."""


class ShuffleDiscards(TableCommand, frozen=True):
    """The shoe ran out in mid-round: shuffle the discards, have them cut and continue.

    `depth` is only for rulebooks that have the discards cut immediately.
    """

    order: tuple[Card, ...]
    by: str
    depth: int = 0
    approver: str = ""


class Collect(TableCommand, frozen=True):
    """Collect the cards of the settled round in order."""


class ReturnDiscards(TableCommand, frozen=True):
    """Put the discards back into a continuous device, which mixes them into this order."""

    order: tuple[Card, ...]


class ChangeCards(TableCommand, frozen=True):
    """Replace all the cards after a round."""

    reason: str


class ReplaceCard(TableCommand, frozen=True):
    """Replace a damaged card by a fresh one of its kind, after the round; `checked` by those the document names."""

    card: Card
    checked: tuple[str, ...] = ()


class OrderShuffle(TableCommand, frozen=True):
    """Order a shuffle; a card seen before the stack is in the shoe needs no order, the dealer just reports it."""

    by: Role
    reason: Literal["vacant", "suspect", "exposed", "discretion"]
    why: str = ""
    """What is suspected, or why it is ordered."""


class AskShuffle(TableCommand, frozen=True):
    """A player asks for another shuffle of cards that were shuffled while nobody was there."""

    player: str


class ChangeDealer(TableCommand, frozen=True):
    """Another dealer takes over; in mid-round only for a reason beyond the house's control."""

    dealer: str
    reason: str = ""


class ClearJam(TableCommand, frozen=True):
    """The device jammed: the cards were taken out, riffled once and loaded again in this order."""

    order: tuple[Card, ...] = ()


class FailDevice(TableCommand, frozen=True):
    """The device failed: what is left was shuffled into this order and goes into an ordinary shoe."""

    order: tuple[Card, ...] = ()


class GiveNotice(TableCommand, frozen=True):
    """Announce that the table closes: by time or after the last rounds."""

    kind: Literal["minutes", "rounds", "notice"]
    at: int = 0


class SetHours(TableCommand, frozen=True):
    """The hours of gaming begin or end; the server's clock gives this command."""

    open: bool


class Close(TableCommand, frozen=True):
    """Close the table; `minutes` have passed since the notice, if nobody keeps time."""

    minutes: int = 0
    at: int = 0


class VoidEarlier(TableCommand, frozen=True):
    """A misplaced card is found after the next round began: the earlier round is void."""

    number: int
    by: Role
    approver: str = ""
    reason: str = ""
