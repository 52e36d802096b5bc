"""A table as it stands: shoe, people, the round in progress and those before it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.cards import JOKER, PACK, Card
from pontoon.engine import Box, Limits, Reversed, Round, Settled
from pontoon.rulebook import Rulebook
from pontoon.table.events import Reshuffle

Device = Literal["manual", "batch", "continuous", "shuffling_shoe"]
TablePhase = Literal["closed", "preparing", "shuffled", "cut", "ready", "round", "collect"]
"""closed; preparing (cards to check, show, shuffle); shuffled (the cut is offered); cut (the cutting card is to be
placed); ready (wagers); round (cards are out); collect (settled, cards on the layout)."""

NOT_INSERTED = -1
PACK_SIZE = len(PACK)


class Seat(Struct, frozen=True):
    """A player at a box."""

    box: int
    player: str
    idle: int = 0
    """Rounds without a wager while all seats were in use."""


class Person(Struct, frozen=True):
    """What the table remembers of a player."""

    player: str
    rounds: tuple[int, ...] = ()
    """Rounds of this shoe the player wagered on."""
    restricted: bool = False
    excluded: bool = False
    partners: tuple[str, ...] = ()
    """Players who count as one with this one."""
    warned: bool = False
    """Told that a wager below the minimum will be returned next time."""
    personal: tuple[tuple[int, int], ...] = ()
    """Personal limit markers: box and maximum."""
    late: Literal["", "held", "free"] = ""
    """Whether this player is held to the minimum for coming late; empty is as at the table."""
    boxes: int = 0
    """How many boxes this player may have; 0 is as at the table."""


class Finished(Struct, frozen=True):
    """A round that is over."""

    number: int
    settlements: tuple[Settled | Reversed, ...]
    void: bool = False


class Shoe(Struct, frozen=True):
    """The cards that are not on the layout. On the floor the stack is unknown and only counted."""

    stack: tuple[Card, ...] = ()
    left: int = 0
    behind: int = NOT_INSERTED
    """Cards behind the cutting card."""
    came: str = ""
    """Where the cutting card came: first, dealer, or the number of a box."""
    discards: tuple[Card, ...] = ()
    hidden_discards: int = 0
    """Burned cards whose faces nobody entered."""
    root: str = ""
    """What the house published of this shoe; empty when it published nothing, or has revealed it."""
    seed_hash: str = ""
    burned: str = ""
    """The first card of the shoe, burned face down."""


class Table(Struct, frozen=True):
    """One table under one rulebook, dealt by a program (automatic) or by a person (floor)."""

    rules: Rulebook
    packs: int
    limits: Limits = Limits()
    mode: Literal["automatic", "floor"] = "automatic"
    device: Device = "manual"
    hold_late: bool = False
    """The operator's choice to hold late and returning players to the minimum."""
    boxes_each: int = 0
    """How many boxes one person may have; 0 is no limit."""
    box_maximum: int = 0
    cutting_cards: int = 1
    """A second cutting card lies at the very back of the stack."""
    set_in_use: int = 1
    """Which set of cards is in the shoe; a batch shuffler mixes the other one meanwhile."""
    joker: bool = False
    sealed: bool = False
    face_down: bool = False
    """Players' first two cards lie face down (adelaide 48)."""

    phase: TablePhase = "closed"
    due: Reshuffle = "start"
    """Why the cards have to be shuffled next."""
    new_cards: bool = True
    checked: tuple[str, ...] = ()
    shown: bool = False
    offered: tuple[str, ...] = ()
    """Who is still to be asked for the cut."""
    shoe: Shoe = Shoe()
    failed: bool = False
    """The shuffling device failed and an ordinary shoe is in use."""
    seats: tuple[Seat, ...] = ()
    people: tuple[Person, ...] = ()
    first_player: str = ""
    declined: tuple[tuple[int, str], ...] = ()
    """Who declined control of which box this round."""
    round: Round | None = None
    at_call: Round | None = None
    """The round as it stood at the call: where a reconstruction begins."""
    number: int = 0
    shoe_number: int = 0
    shoe_round: int = 0
    """Rounds begun from this shoe."""
    finished: tuple[Finished, ...] = ()
    closing: Literal["", "minutes", "rounds", "notice"] = ""
    rounds_left: int = 0
    owed: tuple[tuple[str, int], ...] = ()
    side_bets: tuple[str, ...] | None = None
    """The side bets the operator offers here. None offers all: of those that exclude each other the first wager of a
    round then decides, as at the tables of version 0.1.0."""
    coming: tuple[Limits, int] | None = None
    """Limits and box maximum that were announced and are not on the sign yet."""
    taken: tuple[tuple[int, str], ...] = ()
    """Boxes whose control was taken from a standing player, until the next shoe."""
    hours_over: bool = False
    """The hours of gaming have ended."""

    @property
    def size(self) -> int:
        """How many cards the table has."""
        return self.packs * PACK_SIZE + (1 if self.joker else 0)

    @property
    def on_layout(self) -> tuple[Card, ...]:
        """The cards now on the layout, in the order of boxes and hands."""
        if self.round is None:
            return ()
        cards = [card for box in self.round.boxes for hand in box.hands for card in hand.cards]
        return (*cards, *self.round.dealer)

    @property
    def full(self) -> bool:
        """Every box has somebody seated."""
        return len(self.seats) >= self.rules.boxes.count

    @property
    def by_hand(self) -> bool:
        """Dealt from an ordinary shoe, with a cut and a cutting card."""
        return self.failed or self.device in ("manual", "batch")


def belongs(table: Table, text: str) -> bool:
    """Whether a face entered on the floor is a card of this table."""
    return text in PACK or (table.joker and text == JOKER)


def in_shuffling_shoe(table: Table) -> bool:
    """Dealt from the automated shuffling shoe, which switches off clauses of its document (canberra 19.1)."""
    return table.device == "shuffling_shoe" and not table.failed


def person(table: Table, player: str) -> Person:
    """What the table remembers of a player; a stranger has a clean sheet."""
    return next((one for one in table.people if one.player == player), Person(player))


def seat_of(table: Table, player: str) -> Seat | None:
    """The seat of a player."""
    return next((one for one in table.seats if one.player == player), None)


def seated_at(table: Table, box: int) -> str:
    """Who sits at a box; empty when nobody does."""
    return next((one.player for one in table.seats if one.box == box), "")


def box_of(table: Table, number: int) -> Box | None:
    """A box of the round in progress."""
    if table.round is None:
        return None
    return next((box for box in table.round.boxes if box.number == number), None)
