"""Every decision of a box as a table: what is seen, and where each action and each card leads.

The engine is asked once about every hand (`simulation.exploration.Hands`, with every allowed action in place of a
strategy's). A hand is explored without its upcard, its split pair and its insurance as far as they change nothing but
what is seen or paid: those are kept while a round is played (stepping.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from pontoon.cards import Card, points
from pontoon.engine import DealCard, Round, must_play
from pontoon.environment.box import (
    ACTIONS,
    KEEP,
    PLAYING,
    RESPLITTING,
    SPLIT,
    Seen,
    act,
    allowed,
    paid,
    seen,
    settle_offers,
    suits_of,
)
from pontoon.environment.observation import mask_of
from pontoon.rulebook import Rulebook
from pontoon.simulation.automaton import needs
from pontoon.simulation.card_classes import Classes, classes_of, hand_name
from pontoon.simulation.exploration import Dealers, Hands, dealt
from pontoon.simulation.settlements import (
    hand_settlements,
    insurance_settlements,
    other_bonus,
    pontoon_settlements,
)
from pontoon.simulation.tables import Ints, Numbers, Tables, spoils_of
from pontoon.strategy import rank_class

DECISION = 1 << 24
"""Targets from here on are decisions; below it nodes that wait for a card; below 0 ends."""
NOT_ALLOWED = -(1 << 24)
COLUMNS = (
    "phase",
    *(f"hand {rank}" for rank in "A23456789K"),
    "total",
    "soft",
    "upcard",
    "suits",
    "first aces",
    "split",
    "first hand",
    *(f"may {name}" for name in ACTIONS),
)
"""Columns of an observation of the vector environment."""
UPCARD, SPLIT_PAIR, FIRST_HAND, MASK = 13, 16, 17, 18
WIDTH = 32
"""Columns with padding: four words."""


class Choices(Hands):
    """Every hand that any play can reach."""

    def __init__(self, rules: Rulebook, stake: int, classes: Classes) -> None:
        super().__init__(rules, None, stake, classes)  # type: ignore[arg-type] # no strategy: every action is tried
        self.seen: list[Seen] = []
        self.acts: list[list[int]] = []
        self._decisions: dict[tuple[object, ...], int] = {}
        self._reached: dict[tuple[object, ...], int] = {}
        """Targets by what can matter when any action is tried, which is the same against most upcards."""

    def group(self, card: Card) -> tuple[bool, ...]:
        """What the upcard changes for a hand: insurance, surrender, the Super Bonus."""
        return card[0] == "A", card[0] in self.rules.surrender.first_cards, card[0] == "7"

    def _after(self, state: Round, card: Card) -> int:
        hand = state.boxes[0].hands[0]
        name = (self._name(hand, card), hand.doubled, hand.fixed_aces, *self._place(state, (*hand.cards, card)))
        if name not in self._reached:
            self._reached[name] = self._target(settle_offers(must_play(state, DealCard(card))))
        return self._reached[name]

    def _place(self, state: Round, cards: tuple[Card, ...]) -> tuple[object, ...]:
        """What can matter to a hand of these cards besides them: offers are made on two cards, and 7-7-7 wins more."""
        box = state.boxes[0]
        hand = box.hands[0]
        aces = hand.split and rank_class(hand.cards[0]) == "A"
        offered = len(cards) < 3 and not hand.split
        upcard = self.group(state.dealer[0]) if offered or all(card[0] == "7" for card in cards) else None
        hands = len(box.hands) if len(cards) < 3 else 0  # a pair may be split again, or not
        return upcard, hand.split, aces, box.split_barred, hands

    def _target(self, state: Round, *, kept: bool = False) -> int:
        if state.phase == "card" and state.turn == (1, 1):
            return self._node(state)
        if state.turn == (1, 1) or state.phase in ("insurance", "surrender"):
            return self._decision(state, kept=kept) if allowed(state) else -1 - self._end(state)
        return -1 - self._end(state)

    def _decision(self, state: Round, *, kept: bool) -> int:
        hand = state.boxes[0].hands[0]
        view = seen(state, kept=kept)
        if (
            view.phase == PLAYING
        ):  # against some upcards the suits of a split hand are not shown: stepping.py hides them
            view = replace(view, suits=suits_of(hand.cards))
        held = hand_name(hand.cards, self.classes.number)
        name = (view.phase, held, hand.doubled, hand.fixed_aces, hand.total, view.may, *self._place(state, hand.cards))
        if name not in self._decisions:
            place = self._decisions[name] = len(self.seen)
            self.seen.append(view)
            self.acts.append([])
            self.acts[place] = [
                self._acted(state, view, action) if action in view.may else NOT_ALLOWED
                for action in range(len(ACTIONS))
            ]
        return DECISION + self._decisions[name]

    def _acted(self, state: Round, view: Seen, action: int) -> int:
        if action == SPLIT:
            return -1 - self._end(state)
        if view.phase == RESPLITTING and action == KEEP:
            return self._decision(state, kept=True)
        return self._target(settle_offers(act(state, action)))


class ChoiceTables(NamedTuple):
    """What the step kernel reads besides the tables of the simulation."""

    rows: Ints
    """Node * classes + card -> target."""
    acts: Ints
    """Decision * actions + action -> target."""
    views: NDArray[np.int8]
    """Decision -> observation; its upcard, split pair and first hand are filled in while a round is played."""
    words: NDArray[np.uint64]
    """The same, eight columns to a word."""
    starts: Ints
    """Class of the first card * upcards + upcard -> node."""
    slots: Ints
    """(Class of the first card * upcards + upcard) * 2 + may split again -> node of a hand of a split."""
    points: Ints
    """Class -> points of its cards, 1 for an ace."""
    up_points: Ints
    """Upcard -> its points."""
    paid: int
    """The decision of a round that the deal has settled."""
    tracked: int
    """1 if the first hand of a split matters against an ace or a picture."""


class Chosen(NamedTuple):
    """A game compiled for agents."""

    choices: ChoiceTables
    tables: Tables
    numbers: Numbers
    classes: Classes


def compile_choices(rules: Rulebook, stake: int) -> Chosen:
    """Ask the engine about every hand and every action."""
    rules = rules.without_side_bets()
    classes = classes_of(rules)
    hands = Choices(rules, stake, classes)
    upcards = [classes.cards[classes.up.index(up)] for up in range(len(classes.upcards))]
    groups = {hands.group(card): classes.number[card] for card in upcards}
    kinds = [groups[hands.group(card)] for card in upcards]
    nodes = {(card, up): hands.deal(card, up) for card in range(len(classes.cards)) for up in groups.values()}
    slots: dict[tuple[int, int, bool], int] = {}
    for card in range(len(classes.cards)):
        for up in groups.values():
            for again in (True, False) if rules.split.max_hands > 2 else (False,):
                slots[card, up, again] = hands.slot(card, up, original=False, splits=again)
    dealers = Dealers(rules, stake, classes)
    tables, numbers = _settling(rules, stake, hands, dealers)
    seen_in = [*hands.seen, _paid(hands)]
    views = np.zeros((len(seen_in), WIDTH), np.int8)
    views[:, : len(COLUMNS)] = [view_of(view) for view in seen_in]
    count = len(classes.cards)
    choices = ChoiceTables(
        rows=np.array(hands.rows, np.int32).ravel(),
        acts=np.array([*hands.acts, [NOT_ALLOWED] * len(ACTIONS)], np.int32).ravel(),
        views=views,
        words=views.view(np.uint64),
        starts=np.array([nodes[card, up] for card in range(count) for up in kinds], np.int32),
        slots=np.array(
            [slots.get((card, up, again), 0) for card in range(count) for up in kinds for again in (False, True)],
            np.int32,
        ),
        points=np.array([points(card) for card in classes.cards], np.int32),
        up_points=np.array([points(card) for card in upcards], np.int32),
        paid=len(views) - 1,
        tracked=int(rules.dealer.pontoon_collects == "original_tracked"),
    )
    return Chosen(choices, tables, numbers, classes)


def _paid(hands: Choices) -> Seen:
    """What is seen of a pontoon."""
    state = dealt(hands._placed, (Card("As"), Card("2d"), Card("Ks")))  # noqa: SLF001 the same round
    return paid(state)


def view_of(view: Seen) -> list[int]:
    """What is seen as the columns of an observation."""
    fields = (view.total, view.soft, view.upcard, view.suits, view.first_aces, view.split, view.first_hand)
    return [view.phase, *view.ranks, *map(int, fields), *mask_of(view.may).tolist()]


def _settling(rules: Rulebook, stake: int, hands: Choices, dealers: Dealers) -> tuple[Tables, Numbers]:
    """The tables of the simulation that settle a round; the others stay empty."""
    ends, outcomes = list(hands.ends), list(hands.outcomes)
    settled = hand_settlements(hands, dealers)

    def ints(values: Iterable[int]) -> Ints:
        return np.array(list(values) or [0], np.int32)

    none = ints(())
    tables = Tables(
        steps=np.zeros(1, np.uint16),
        split_end=none,
        up=ints(hands.classes.up),
        hand_start=none,
        hand_steps=none,
        end_outcome=ints(end.outcome for end in ends),
        end_first=ints(end.first for end in ends),
        end_second=ints(end.second for end in ends),
        end_up=none,
        end_insured=none,
        end_bars=ints(end.bars for end in ends),
        slot_start=none,
        spoils=spoils_of(hands, len(hands.classes.cards)),
        dealer_start=ints(target for row in dealers.starts for target in row),
        dealer_steps=ints(target for row in dealers.rows for target in row),
        net=ints(net for row in settled for net, _ in row),
        label=np.zeros(len(outcomes) * len(dealers.results), np.int32),
        status=ints(outcome.status for outcome in outcomes),
        needs=ints(needs(outcome) for outcome in outcomes),
        bonus=ints(outcome.bonus for outcome in outcomes),
        stacks=ints(outcome.stacks for outcome in outcomes),
        pontoon=ints(pontoon_settlements(rules, stake, dealers)),
        insurance=ints(insurance_settlements(rules, stake, dealers)),
        others=ints(other_bonus(rules, stake)),
    )
    sizes = dict.fromkeys(Numbers._fields, 0) | {
        "classes": len(hands.classes.cards),
        "upcards": len(hands.classes.upcards),
        "results": len(dealers.results),
        "pontoon": dealers.results["pontoon"],
        "max_hands": rules.split.max_hands,
        "labels": 1,
    }
    return tables, Numbers(**sizes)
