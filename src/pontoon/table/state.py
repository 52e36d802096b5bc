"""The state of a table: shoe, people, the round in progress and finished rounds."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.cards import JOKER, PACK, Card
from pontoon.engine import Box, Command, Limits, Reversed, Round, Settled
from pontoon.engine.state import find_box
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
    """Warned that a wager below the minimum will be returned next time."""
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
    came_to: str = ""
    """The player who controlled the box the cutting card came to."""
    discards: tuple[Card, ...] = ()
    hidden_discards: int = 0
    """Burned cards whose faces nobody entered."""
    root: str = ""
    """What the house published of this shoe; empty when it published nothing, or has revealed it."""
    seed_hash: str = ""
    burned: str = ""
    """The first card of the shoe, burned face down."""
    set_aside: tuple[Card, ...] = ()
    """Those of the discards that were burned when a device was loaded or a jam cleared (adelaide 42, 43)."""


class Act(Struct, frozen=True):
    """Something that was decided in the round, and the moment in which it was."""

    command: Command
    phase: str
    turn: tuple[int, int]
    joining: str
    cards: tuple[tuple[Card, ...], ...]
    """The hands it was decided on."""
    dealer: tuple[Card, ...]


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
    """The players still to be offered the cut."""
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
    """The round as it stood at the call, where a reconstruction begins; None once its cards are mixed with others."""
    acts: tuple[Act, ...] = ()
    """What was decided since the call, in order."""
    in_rack: tuple[tuple[int, int], ...] = ()
    """Settled hands (box and hand) whose cards are in the discard rack already."""
    ruled: tuple[Card, ...] = ()
    """Cards that are known to come next, because a reconstruction put them back."""
    vacant: Literal["", "left", "shuffled"] = ""
    """All players have left since the last shuffle; or the cards were shuffled after that, and no round was played."""
    sets_begun: int = 0
    """How many sets of cards have been in the shoe."""
    seal_broken: bool = False
    """The cards came with a broken seal and are not used."""
    opened_at: int = 0
    """When the table was opened, in milliseconds since 1970; 0 if nobody keeps time."""
    noticed_at: int = 0
    """When notice of closing was given."""
    dealer_name: str = ""
    """Who deals, where a person does and was named."""
    number: int = 0
    shoe_number: int = 0
    shoe_round: int = 0
    """Rounds begun from this shoe."""
    finished: tuple[Finished, ...] = ()
    closing: Literal["", "minutes", "rounds", "notice"] = ""
    rounds_left: int = 0
    owed: tuple[tuple[str, int], ...] = ()
    side_bets: tuple[str, ...] | None = None
    """The side bets the operator offers here. None offers all: among those that exclude each other, the first one
    wagered in a round then decides, as at tables of version 0.1.0."""
    coming: tuple[Limits, int] | None = None
    """Limits and box maximum that were announced and are not on the sign yet."""
    taken: tuple[tuple[int, str], ...] = ()
    """Boxes whose control was taken from a standing player, until the next shoe."""
    hours_over: bool = False
    """The hours of gaming have ended."""
    opens_again: bool = False
    """The table closed at the end of the hours of gaming, and opens when they begin."""

    @property
    def size(self) -> int:
        """How many cards the table has."""
        return self.packs * PACK_SIZE + (1 if self.joker else 0)

    @property
    def on_layout(self) -> tuple[Card, ...]:
        """The cards now on the layout, in the order of boxes and hands."""
        return self._dealt(self.in_rack)

    @property
    def of_round(self) -> tuple[Card, ...]:
        """All cards dealt in the round, with those of settled hands that were collected already."""
        return self._dealt(())

    def _dealt(self, without: tuple[tuple[int, int], ...]) -> tuple[Card, ...]:
        if self.round is None:
            return ()
        cards = [
            card
            for box in self.round.boxes
            for number, hand in enumerate(box.hands, 1)
            if (box.number, number) not in without
            for card in hand.cards
        ]
        return (*cards, *self.round.dealer)

    @property
    def full(self) -> bool:
        """Every box has someone seated."""
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
    """What the table remembers of a player; a new player has defaults."""
    return next((other for other in table.people if other.player == player), Person(player))


def seat_of(table: Table, player: str) -> Seat | None:
    """The seat of a player."""
    return next((seat for seat in table.seats if seat.player == player), None)


def seated_at(table: Table, box: int) -> str:
    """Who sits at a box; empty when nobody does."""
    return next((seat.player for seat in table.seats if seat.box == box), "")


def box_of(table: Table, number: int) -> Box | None:
    """A box of the round in progress."""
    if table.round is None:
        return None
    return find_box(table.round, number)


def collected_hands(table: Table) -> tuple[Card, ...]:
    """The cards of settled hands that are in the discard rack, in the order they went there."""
    assert table.round is not None
    hands = {box.number: box.hands for box in table.round.boxes}
    return tuple(card for box, hand in table.in_rack for card in hands[box][hand - 1].cards)


def possible(table: Table, card: str, *, known: tuple[Card, ...] = ()) -> bool:
    """Whether the packs can still hold a face entered on the floor, in addition to the cards already seen."""
    if not table.rules.shoe.counted or table.mode == "automatic":
        return True
    seen = (*table.on_layout, *table.shoe.discards, *known)
    return seen.count(Card(card)) < (1 if card == JOKER else table.packs)


def for_device(table: Table) -> tuple[tuple[Card, ...], int]:
    """The discards that go back into a continuous device: those that are known, and how many others.

    If the cards of a round go back at its end, those burned after loading stay in the rack until enough have gathered
    there (adelaide 42, 53(b)).
    """
    shoe, rules = table.shoe, table.rules.shoe
    aside = len(shoe.set_aside) + shoe.hidden_discards
    if not rules.round_returns or aside >= rules.return_discards_at:
        return shoe.discards, shoe.hidden_discards
    return minus(shoe.discards, shoe.set_aside), 0


def minus(cards: tuple[Card, ...], fewer: tuple[Card, ...]) -> tuple[Card, ...]:
    """These cards without those, which are taken from the back; the order stays.

    >>> minus(("2c", "3c", "2c", "4c"), ("2c",))
    ('2c', '3c', '4c')
    """
    rest = list(cards[::-1])
    for card in fewer:
        rest.remove(card)
    return tuple(rest[::-1])
