"""What a view of a table is made of: plain frozen values, cards and amounts as the engine writes them."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from pontoon.cards import Card
from pontoon.engine import commands as c
from pontoon.engine.options import Actor
from pontoon.engine.state import Phase
from pontoon.rulebook import Clauses
from pontoon.table.state import Device, TablePhase

Pressed: TypeAlias = (
    c.Hit
    | c.Stand
    | c.Double
    | c.Split
    | c.Surrender
    | c.DeclineSurrender
    | c.DeclineInsurance
    | c.Forfeit
    | c.Keep
    | c.Insure
    | c.Ride
    | c.Withdraw
    | c.RefuseCard
    | c.TakeBack
)
"""The commands of a round that a person at the table could press a button for."""


class Part(Struct, frozen=True, omit_defaults=True, gc=False):
    """A part of a view; what has its usual value is left out."""


class InscriptionView(Part, frozen=True, gc=False):
    """A line printed across the layout."""

    name: str
    """What it is about: pontoon, dealer, insurance."""
    text: str


class OddsView(Part, frozen=True, gc=False):
    """A row of odds: of a side wager, or of a bonus hand."""

    title: str
    odds: str


class SideOfferView(Part, frozen=True, gc=False):
    """A side wager that may be made here; amounts are cents, 0 if the book sets none."""

    name: str
    title: str
    odds: tuple[OddsView, ...] = ()
    minimum: int = 0
    maximum: int = 0
    multiple: int = 0
    """Stakes are multiples of this amount."""


class ClothView(Part, frozen=True, gc=False):
    """The layout of a table, as its rulebook wants it."""

    title: str
    """Name of the rulebook, as the sign shows it."""
    boxes: int
    """Number of boxes."""
    cards: int
    """Number of cards in a full shoe."""
    multiple: int
    """Wagers are multiples of this many cents."""
    inscriptions: tuple[InscriptionView, ...]
    side: tuple[SideOfferView, ...] = ()
    bonus: tuple[OddsView, ...] = ()
    """Hands that pay more than even money."""
    full_double: bool = False
    """A double is for the whole wager, never for less."""


class LimitsView(Part, frozen=True, gc=False):
    """What the sign says, in cents; 0 is no limit."""

    minimum: int = 0
    maximum: int = 0
    smallest_chip: int = 0
    box_maximum: int = 0
    increment: int = 0
    """Wagers go up by this amount (division-15 12.3(b))."""
    for_box: bool = False
    """The maximum is for all wagers on a box together (canberra 3.1)."""


class ShoeView(Part, frozen=True, gc=False):
    """The shoe from outside."""

    number: int = 0
    left: int = 0
    gone: int = 0
    """Cards that are out: on the layout, in the rack, burned."""
    discards: int = 0
    """Number of cards in the rack, without their faces."""
    cutting_card: str = ""
    """`in` the shoe, `came`, or empty if there is none."""
    behind: int = 0
    """Cards behind the cutting card while it is in."""
    came: str = ""
    """Where the cutting card appeared: first, dealer, or the number of a box."""
    seed_hash: str = ""
    root: str = ""


class CutView(Part, frozen=True, gc=False):
    """A cut, or the cutting card, waits for someone: how deep it may go."""

    by: str
    least: int
    most: int
    offered: tuple[str, ...] = ()
    """The players asked, one after the other."""


class SeatView(Part, frozen=True, gc=False):
    """A player at a box."""

    box: int
    player: str
    idle: int = 0
    restricted: bool = False
    maximum: int = 0
    """The personal limit marker by this box."""


class SettlementView(Part, frozen=True, gc=False):
    """The result of a wager."""

    result: str
    net: int
    words: str
    clauses: Clauses
    odds: str = ""
    kind: str = "main"


class WagerView(Part, frozen=True, gc=False):
    """One bettor's chips on one hand."""

    player: str
    stake: int
    double: int = 0
    result: str = ""
    surrendered: bool = False
    kept: bool = False
    rides: bool = False
    settled: tuple[SettlementView, ...] = ()


class HandView(Part, frozen=True, gc=False):
    """The cards on a box; a card that lies face down is `??`, and the total is then left out."""

    cards: tuple[Card, ...]
    wagers: tuple[WagerView, ...]
    total: int = 0
    soft: bool = False
    words: str = ""
    row: str = ""
    """The row of the payout table it makes, such as 6-7-8 suited."""
    doubled: bool = False
    sideways: int = 0
    """Which card lies across, counted from 1: the one card of a double, or the one to a split ace."""
    split: bool = False
    stood: bool = False
    absent: bool = False
    skipped: bool = False


class BettorView(Part, frozen=True, gc=False):
    """A wager made before the deal."""

    player: str
    stake: int


class BoxView(Part, frozen=True, gc=False):
    """A box of the round: its wagers from front to back, and its hands."""

    number: int
    controller: str
    bettors: tuple[BettorView, ...]
    hands: tuple[HandView, ...] = ()


class SideView(Part, frozen=True, gc=False):
    """A side wager."""

    box: int
    player: str
    kind: str
    stake: int
    settled: tuple[SettlementView, ...] = ()


class InsuranceView(Part, frozen=True, gc=False):
    """Insurance that `player` made on the wager of `owner`."""

    box: int
    player: str
    owner_box: int
    owner: str
    amount: int
    settled: tuple[SettlementView, ...] = ()


class BonusView(Part, frozen=True, gc=False):
    """A bonus paid for another player's hand."""

    box: int
    player: str
    settled: tuple[SettlementView, ...]


class DealerView(Part, frozen=True, gc=False):
    """The dealer's hand."""

    cards: tuple[Card, ...]
    total: int
    words: str
    soft: bool = False


class RefusedView(Part, frozen=True, gc=False):
    """A button that cannot be pressed now, and why."""

    command: Pressed
    code: str
    clauses: Clauses
    words: str
    facts: dict[str, Any] = {}
    """What `words` is made of, with the code."""


class ChoiceView(Part, frozen=True, gc=False):
    """What one bettor on one box may do now, and what not."""

    box: int
    player: str
    allowed: tuple[Pressed, ...] = ()
    refused: tuple[RefusedView, ...] = ()
    question: str = ""
    """The open offer as a question: `Insurance for $7.50?`."""
    unusual: dict[str, str] = {}
    """Allowed plays that are rarely meant, by command: `{"Hit": "hit hard 19"}`. Advice for a client, no rule."""


class InsurableView(Part, frozen=True, gc=False):
    """A wager its owner did not insure, which others may insure (canberra 7.2); who comes first is decided later."""

    box: int
    player: str
    most: int


class WaitsView(Part, frozen=True, gc=False):
    """Who is waited for; players are named where it is known which."""

    actor: Actor
    players: tuple[str, ...] = ()
    card_to: tuple[int, int] | None = None
    """Box and hand of the card that is due; box 0 is the dealer."""


class RoundView(Part, frozen=True, gc=False):
    """The round in progress."""

    stage: Phase
    """What it waits for."""
    boxes: tuple[BoxView, ...] = ()
    dealer: DealerView | None = None
    turn: tuple[int, int] | None = None
    """Box and hand in play."""
    offer: str = ""
    """The offer that is open: insurance, surrender, forfeit, withdraw."""
    late: bool = False
    """It was forgotten at its usual point and is made now."""
    joining: str = ""
    """What co-bettors may join until the next card: double, split."""
    exposed: str = ""
    """A card drawn in error and seen: the next card."""
    choices: tuple[ChoiceView, ...] = ()
    insurable: tuple[InsurableView, ...] = ()
    side: tuple[SideView, ...] = ()
    insurance: tuple[InsuranceView, ...] = ()
    bonuses: tuple[BonusView, ...] = ()


class TableView(Part, frozen=True, gc=False):
    """A table as one viewer sees it."""

    rulebook: str
    packs: int
    device: Device
    mode: str
    phase: TablePhase
    limits: LimitsView
    cloth: ClothView
    shoe: ShoeView
    waits: WaitsView
    number: int = 0
    """Number of the round in progress, otherwise of the last round."""
    due: str = ""
    """Why the cards are to be shuffled next."""
    cut: CutView | None = None
    seats: tuple[SeatView, ...] = ()
    round: RoundView | None = None
    side_wagers: tuple[str, ...] = ()
    """The side wagers this rulebook offers."""
    face_down: bool = False
    joker: bool = False
    failed: bool = False
    """The shuffling device is out of use."""
    closing: str = ""
    rounds_left: int = 0
    owed: tuple[tuple[str, int], ...] = ()
    notices: tuple[str, ...] = ()
    """Signs for the players: the table closes, the limits will change, the hours are over."""
