"""One hand to practise on: chosen cards first, then those of a seeded shoe, played by the engine without chips.

>>> from pontoon.rulebook import load
>>> hand = practise(load("canberra"), Deal(("5h", "9d", "6c", "9s", "Kd")), ("hit",))
>>> hand.state
<Round canberra: decision, dealer 9d, box 4 You 25.00 (5h 6c 9s)>
>>> practise(load("canberra"), Deal(("5h", "9d", "6c", "9s", "Kd")), ("hit", "stand")).net
2500
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pontoon.cards import Card
from pontoon.engine import (
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    Double,
    Event,
    Forfeit,
    Hit,
    Insure,
    Keep,
    Limits,
    PlaceWager,
    Refusal,
    Round,
    Split,
    Stand,
    Surrender,
    evolve,
    play,
)
from pontoon.engine.insurance import cap
from pontoon.engine.state import find_box
from pontoon.rulebook import Rulebook
from pontoon.table import Table
from pontoon.table.program import moment
from pontoon.table.shuffle import shoe_key, shuffled
from pontoon.table.state import Seat

PLAYER = "You"
BOX = 4
"""The middle of a table with seven boxes."""
STAKE = 2500
MOST_ACTIONS = 40
"""More than the longest round of four hands can take."""
OFFERS = ("insurance", "surrender", "forfeit", "withdraw")
CARD_DUE = ("initial_deal", "card", "first_card", "dealer")


class PracticeError(ValueError):
    """The cards or actions given do not make a hand."""


class Deal(Struct, frozen=True):
    """What is dealt: the first cards in their order, and what is staked."""

    cards: tuple[Card, ...]
    stake: int = STAKE
    packs: int = 0
    seed: int = 0
    """Chooses the cards that follow the given ones."""


class Practised(Struct, frozen=True):
    """A practice hand so far."""

    table: Table
    steps: tuple[tuple[Event, Round], ...]
    """Every event with the round after it."""

    @property
    def state(self) -> Round:
        """The round as it stands."""
        assert self.table.round is not None
        return self.table.round

    @property
    def over(self) -> bool:
        """Whether everything is settled."""
        return self.state.phase == "ended"

    @property
    def net(self) -> int:
        """The result so far, in cents."""
        return sum(entry.net for entry in self.state.settlements if entry.player == PLAYER)


def _insured(state: Round, box: int) -> Command:
    found = find_box(state, box)
    assert found is not None
    return Insure(box, PLAYER, cap(state, found.bettors[0].stake))


ACTIONS: dict[str, Callable[[Round, int], Command]] = {
    "hit": lambda _, box: Hit(box),
    "stand": lambda _, box: Stand(box),
    "double": lambda _, box: Double(box),
    "split": lambda _, box: Split(box),
    "surrender": lambda _, box: Surrender(box),
    "forfeit": lambda _, box: Forfeit(box),
    "keep": lambda _, box: Keep(box),
    "insure": _insured,
    "no": lambda *_: CloseOffer(),
}
"""Every action by its word; `no` declines an offer."""


def box_of(rules: Rulebook) -> int:
    """The box a practice hand is dealt on."""
    return min(BOX, rules.boxes.count)


def practise(rules: Rulebook, deal: Deal, actions: Sequence[str] = ()) -> Practised:
    """Play a hand up to the first decision that `actions` does not answer; PracticeError for what cannot be played."""
    packs = deal.packs or rules.decks.default
    player = _Player(rules, packs, deal)
    player.do(PlaceWager(player.box, PLAYER, deal.stake))
    player.do(CallNoMoreBets())
    player.deal()
    for action in actions[:MOST_ACTIONS]:
        if player.state.phase == "ended":
            raise PracticeError("the hand is over: take back the last action")
        if action not in ACTIONS:
            raise PracticeError(f"{action!r} is not an action; choose {', '.join(ACTIONS)}")
        player.do(ACTIONS[action](player.state, player.box))
        player.deal()
    return Practised(player.table(packs), tuple(player.steps))


class _Player:
    """A round in play; mutable, because every step leads to the next."""

    def __init__(self, rules: Rulebook, packs: int, deal: Deal) -> None:
        self.box = box_of(rules)
        self.state = Round(rules, Limits(minimum=min(deal.stake, 500), maximum=0))
        self.steps: list[tuple[Event, Round]] = []
        self._cards = _in_order(deal, packs)

    def do(self, command: Command) -> None:
        played = play(self.state, command)
        if isinstance(played, Refusal):
            raise PracticeError(f"{type(command).__name__} is not allowed here ({', '.join(played.clauses)})")
        for event in played.events:
            self.state = evolve(self.state, event)
            self.steps.append((event, self.state))

    def deal(self) -> None:
        """Deal until the player has a decision or the round is over; close offers that were answered."""
        while True:
            if self.state.phase in CARD_DUE:
                self.do(DealCard(next(self._cards)))
            elif self.state.phase in OFFERS and not moment(self.table(0)).players:
                self.do(CloseOffer())
            else:
                return

    def table(self, packs: int) -> Table:
        table = Table(self.state.rules, packs, self.state.limits, seats=(Seat(self.box, PLAYER),))
        phase = "collect" if self.state.phase == "ended" else "round"
        return replace(table, round=self.state, phase=phase, number=1)


def _in_order(deal: Deal, packs: int) -> Iterator[Card]:
    """The chosen cards, then the rest of the packs in the order of the seed."""
    rest = list(shuffled(packs, shoe_key(deal.seed.to_bytes(32, "big"), "practice", packs, ())))
    for card in deal.cards:
        if card not in rest:
            raise PracticeError(f"{card} is in {packs} packs only {packs} times")
        rest.remove(card)
    yield from deal.cards
    yield from rest
