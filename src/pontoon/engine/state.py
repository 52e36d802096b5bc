"""The state of a round: box > hand > wager, all frozen, with parts shared between states."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.cards import Card, is_pontoon
from pontoon.engine.commands import SideKind
from pontoon.engine.events import Reversed, Settled
from pontoon.money import dollars
from pontoon.quoting import quoted
from pontoon.rulebook import Rulebook

Phase = Literal[
    "wagers",
    "initial_deal",
    "insurance",
    "surrender",
    "decision",
    "card",
    "forfeit",
    "first_card",
    "withdraw",
    "dealer",
    "ended",
]
"""The phases of a round; `options` says who must act in each."""

INITIAL_CARDS = 2
"""How many cards the initial deal gives a hand."""


class SideLimits(Struct, frozen=True, gc=False):
    """The sign's limits for one side bet, in cents; 0 for the rulebook's."""

    bet: str
    minimum: int = 0
    maximum: int = 0


class Limits(Struct, frozen=True, gc=False):
    """The limits on the table's sign, in cents; 0 for none."""

    minimum: int = 0
    maximum: int = 0
    smallest_chip: int = 0
    side: tuple[SideLimits, ...] = ()
    """Limits of side bets, if the sign has separate ones."""
    box_maximum: int = 0
    """Maximum of all wagers on a box together."""
    player_maximum: int = 0
    """Maximum of one player's wager on a box; more is refused, whereas `maximum` caps it."""


class Wager(Struct, frozen=True, gc=False):
    """A bettor's wager on one hand."""

    player: str
    stake: int
    double: int = 0
    original: bool = True
    """Whether this is the wager made before the deal, rather than one added by a split."""
    surrendered: bool = False
    kept: bool = False
    """The double was offered for forfeit and kept."""
    rides: bool = False
    """The owner chose to ride this hand of the split just made."""
    result: str = ""
    """Empty while undecided."""

    @property
    def live(self) -> bool:
        """Still played for: neither decided nor surrendered."""
        return not self.result and not self.surrendered


class Hand(Struct, frozen=True, gc=False):
    """A hand on a box, with one total for all its bettors."""

    cards: tuple[Card, ...]
    wagers: tuple[Wager, ...]
    total: int = 0
    soft: bool = False
    stood: bool = False
    doubled: bool = False
    fixed_aces: int = 0
    split: bool = False
    """Formed by a split."""
    absent: bool = False
    refused: bool = False
    """Refused an exposed card, and gets no more this round."""
    missed: bool = False
    """Not dealt a card it should have been (adelaide 105, 106)."""
    skipped: bool = False
    """Passed over with too few cards (adelaide 105, 106)."""
    noticed: bool = False
    """Passed over, and noticed before the dealer's second card."""
    went_on: bool = False
    """Passed over, and the controller chose to continue with it."""

    @property
    def short(self) -> bool:
        """Whether it has, or had, too few cards because of a dealer's mistake."""
        return self.skipped or self.missed

    @property
    def live(self) -> bool:
        """Whether any wager on this hand is undecided."""
        for wager in self.wagers:  # noqa: SIM110 a loop, because nothing is asked more often
            if not wager.result and not wager.surrendered:
                return True
        return False


class Box(Struct, frozen=True, gc=False):
    """A box on the layout: its bettors from front to back, and its hands."""

    number: int
    bettors: tuple[Wager, ...]
    """The original wagers, front to back."""
    hands: tuple[Hand, ...] = ()
    controller: str = ""
    absent: tuple[str, ...] = ()
    """Absent bettors."""
    split_barred: bool = False
    suited_sevens_split: bool = False
    split_pair: tuple[Card, ...] = ()
    """The first two cards, once they have been split."""


class SideWager(Struct, frozen=True, gc=False):
    """A side wager on the first two cards of a box."""

    box: int
    player: str
    kind: SideKind
    stake: int
    settled: bool = False


class InsuranceWager(Struct, frozen=True, gc=False):
    """`player`, sitting at `box`, insured the wager of `owner` on `owner_box`."""

    box: int
    player: str
    owner_box: int
    owner: str
    amount: int
    settled: bool = False

    @property
    def third_party(self) -> bool:
        """Whether it insures another player's wager."""
        return self.player != self.owner


class Round(Struct, frozen=True, gc=False):
    """One round of Pontoon under one rulebook."""

    rules: Rulebook
    limits: Limits = Limits()
    phase: Phase = "wagers"
    boxes: tuple[Box, ...] = ()
    side: tuple[SideWager, ...] = ()
    insurance: tuple[InsuranceWager, ...] = ()
    dealer: tuple[Card, ...] = ()
    dealer_total: int = 0
    dealer_soft: bool = False
    turn: tuple[int, int] = (0, 0)
    """Box number and hand number now in play."""
    joining: Literal["", "double", "split"] = ""
    """The double or split that co-bettors may join until the next card."""
    exposed: str = ""
    """A card drawn in error and seen: it is the next card."""
    late_offer: bool = False
    """The open offer was forgotten in its place and is made now."""
    offer_to: tuple[int, str] = (0, "")
    """Box and player of the late offer; (0, "") for everyone."""
    declined: tuple[tuple[str, int, str], ...] = ()
    """Offer, box and player of everyone who declined explicitly."""
    answering: Literal["", "draw", "stand"] = ""
    """The decision of a short hand's controller, while the others on it may withdraw."""
    dealer_skipped: bool = False
    """The dealer missed the first card; ace and ten are then only 21."""
    settlements: tuple[Settled | Reversed, ...] = ()
    cards_used: int = 0

    @property
    def dealer_pontoon(self) -> bool:
        """Whether the dealer's two cards are a pontoon."""
        return len(self.dealer) == INITIAL_CARDS and is_pontoon(self.dealer) and not self.dealer_skipped

    def __repr__(self) -> str:
        """One line: the rulebook, the phase and the cards; a round is not written back from it."""
        dealer = f", dealer {' '.join(self.dealer)}" if self.dealer else ""
        boxes = "".join(f", box {box.number} {_box_words(box)}" for box in self.boxes)
        rules = self.rules.about.name if type(self.rules) is Rulebook else quoted(self.rules)
        return f"<Round {rules}: {self.phase}{dealer}{boxes}>"


def _box_words(box: Box) -> str:
    """The bettors of a box and its cards.

    >>> _box_words(Box(1, (Wager("Ann", 1000),), (Hand(("8s", "8h"), ()),)))
    'Ann 10.00 (8s 8h)'
    """
    bettors = " ".join(f"{wager.player} {dollars(wager.stake)}" for wager in box.bettors)
    return bettors + "".join(f" ({' '.join(hand.cards)})" for hand in box.hands if hand.cards)


def check_round(state: Round) -> None:
    """Raise TypeError if it is not a round, or one without a rulebook: `Round("star")`, not `Round(load("star"))`."""
    if type(state) is not Round:
        raise TypeError(f"{quoted(state)} is not a round; a round begins as Round(load('star'))")
    if type(state.rules) is not Rulebook:
        raise TypeError(f"{quoted(state.rules)} is not a rulebook; a round begins as Round(load('star'))")


def find_box(state: Round, number: int) -> Box | None:
    """The box with this number, if it has a wager."""
    for box in state.boxes:
        if box.number == number:
            return box
    return None


def box_in_turn(state: Round) -> Box:
    """The box whose hand is in play."""
    number = state.turn[0]
    for box in state.boxes:
        if box.number == number:
            return box
    raise AssertionError(number)  # pragma: no cover - there is a turn only at a box with wagers


def hand_in_turn(state: Round) -> Hand:
    """The hand in play."""
    number, place = state.turn
    for box in state.boxes:
        if box.number == number:
            return box.hands[place - 1]
    raise AssertionError(number)  # pragma: no cover - there is a turn only at a box with wagers


def wager_of(hand: Hand, player: str) -> Wager | None:
    """This player's wager on this hand."""
    for wager in hand.wagers:
        if wager.player == player:
            return wager
    return None
