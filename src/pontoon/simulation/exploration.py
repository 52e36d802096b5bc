"""Ask the engine what every card does to a hand: all hands a strategy can reach, and all hands of the dealer.

A node is a point at which a card is due. Its row has a target for each class of card: 0 or more is the next node, a
negative number -1 - n is end n. Between two cards the strategy makes its decisions in real rounds of the engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from pontoon.cards import LIMIT, Card, is_pontoon, total
from pontoon.engine import (
    Box,
    CallNoMoreBets,
    DealCard,
    Hand,
    InsuranceWager,
    PlaceWager,
    Round,
    Settled,
    Split,
    Wager,
    must_play,
)
from pontoon.engine.dealer import begin_dealer
from pontoon.engine.evolve import STEPS
from pontoon.engine.flow import Flow
from pontoon.engine.insurance import cap
from pontoon.engine.odds import hand_row, row, total_for
from pontoon.engine.state import hand_in_turn
from pontoon.rulebook import Rulebook
from pontoon.simulation.card_classes import Classes, hand_name
from pontoon.strategy import Strategy, answer, rank_class

PLAYER = "player"
Row = list[int]
Name = tuple[object, ...]
"""States with the same name have the same future."""


class Outcome(NamedTuple):
    """How a hand ended for its wager, as far as that is known before the dealer's hand."""

    split: bool
    status: int
    """0 decided and not won, 1 won, 2 undecided, 3 undecided and doubled: what matters against a dealer's pontoon."""
    net: int
    """Amount won or lost, in cents; 0 while undecided."""
    label: str
    """Payout row of a win, or how the hand was lost; for an undecided hand the row it would be paid by."""
    points: int
    """Total of an undecided hand."""
    surrendered: bool
    bonus: int
    """The Super Bonus won as well, in cents."""
    stacks: int
    """Stacks of chips on the hand: two after a double."""


class End(NamedTuple):
    """The end of a hand: an outcome, or a split of its two cards."""

    outcome: int
    """Number of the outcome; -1 if the hand is split."""
    first: int
    """Classes of the cards that are split."""
    second: int
    up: int
    """Index of the upcard; used only for a split."""
    insured: bool
    bars: bool
    """A split was declined, and under this rulebook that bars further splits."""


DECIDED, WON, UNDECIDED, DOUBLED = range(4)


def dealt(state: Round, cards: Iterable[Card]) -> Round:
    """Deal these cards for as long as the round takes any."""
    for card in cards:
        if state.phase not in ("initial_deal", "card", "dealer"):
            break
        state = must_play(state, DealCard(card))
    return state


def settled_net(state: Round) -> int:
    """The net of the first hand's wager and its double."""
    return sum(
        entry.net
        for entry in state.settlements
        if isinstance(entry, Settled) and entry.hand == 1 and entry.kind in ("main", "double")
    )


def decided_round(rules: Rulebook, hands: tuple[Hand, ...], dealer: Card) -> Round:
    """A round in which the dealer plays next: these hands on one box, this upcard."""
    points = total((dealer,))
    stake = hands[0].wagers[0].stake
    box = Box(1, (Wager(PLAYER, stake),), hands, PLAYER)
    return Round(
        rules,
        phase="dealer",
        boxes=(box,),
        dealer=(dealer,),
        dealer_total=points.points,
        dealer_soft=points.soft,
    )


def finished_hand(stake: int, *, result: str = "", doubled: bool = False, original: bool = False) -> Hand:
    """A hand with no decisions left, of which only the status matters."""
    cards = (Card("Kd"), Card("9d"))
    wager = Wager(PLAYER, stake, double=stake if doubled else 0, original=original, result=result)
    return Hand(cards, (wager,), *total(cards), stood=True, doubled=doubled, split=not original)


class Hands:
    """Every hand the strategy can reach under a rulebook; it is always the first hand of the only box."""

    def __init__(self, rules: Rulebook, strategy: Strategy, stake: int, classes: Classes) -> None:
        """Start with nothing explored."""
        self.rules, self.strategy, self.stake, self.classes = rules, strategy, stake, classes
        self.rows: list[Row] = []
        self.ends: dict[End, int] = {}
        self.outcomes: dict[Outcome, int] = {}
        self.examples: list[Round] = []
        """For each outcome, a round that led to it."""
        self._known: dict[Name, dict[Name, int]] = {}
        """The target of a card by everything that can matter: first what the node has, then the hand with the card."""
        self._names: dict[Name, list[Name]] = {}
        self._splits: dict[tuple[int, int], Round] = {}
        self._placed = must_play(Round(rules), PlaceWager(1, PLAYER, stake), CallNoMoreBets())

    def deal(self, first: int, dealer: int) -> int:
        """The node that waits for the second card of a box."""
        cards = (self.classes.cards[first], self.classes.cards[dealer])
        return self._node(dealt(self._placed, cards))

    def slot(self, card: int, dealer: int, *, original: bool, splits: bool) -> int:
        """The node of a split hand that waits for its second card; `splits`: it may be split again."""
        first = self.classes.cards[card]
        wager = Wager(PLAYER, self.stake, original=original)
        hand = Hand((first,), (wager,), *total((first,)), split=True)
        others = 1 if splits else self.rules.split.max_hands - 1
        fillers = [
            finished_hand(self.stake, result="stand_off", original=not original and not i) for i in range(others)
        ]
        state = decided_round(self.rules, (hand, *fillers), self.classes.cards[dealer])
        return self._node(replace(state, phase="card", turn=(1, 1)))

    def split_examples(self) -> list[tuple[int, int, Round]]:
        """For each pair that is split: the classes of its cards, and a round about to split them."""
        return [(*cards, state) for cards, state in self._splits.items()]

    def _node(self, state: Round) -> int:
        """Explore everything that can follow this state and return its node."""
        place = len(self.rows)
        self.rows.append([])
        box = state.boxes[0]
        hand = box.hands[0]
        common = (
            self.classes.up[self.classes.number[state.dealer[0]]],
            rank_class(hand.cards[0]) if hand.split else "",
            (hand.doubled, hand.fixed_aces, hand.wagers[0].original, box.split_barred, bool(state.insurance)),
            len(box.hands) if len(hand.cards) == 1 else 0,  # the number of hands matters only for a pair
        )
        known = self._known.setdefault(common, {})
        targets = self.rows[place]
        for card, name in zip(self.classes.cards, self._names_after(hand), strict=True):
            target = known.get(name)
            if target is None:
                target = known[name] = self._after(state, card)
            targets.append(target)
        return place

    def _after(self, state: Round, card: Card) -> int:
        """The target of a card from a state."""
        after = self._decided(must_play(state, DealCard(card)))
        return self._node(after) if after.phase == "card" else -1 - self._end(after)

    def _names_after(self, hand: Hand) -> list[Name]:
        """For each card, the part of the hand with it that can matter."""
        key = (hand.cards, hand.fixed_aces, hand.doubled)
        if key not in self._names:
            self._names[key] = [self._name(hand, card) for card in self.classes.cards]
        return self._names[key]

    def _name(self, hand: Hand, card: Card) -> Name:
        """Nothing of a bust, only the payout row of a 21, otherwise what `hand_name` says."""
        cards = (*hand.cards, card)
        points = total(cards, hand.fixed_aces).points
        if points > LIMIT:
            return ("bust",)
        if points == LIMIT and len(cards) > 2 and not hand.doubled:
            return (LIMIT, row(cards, points, count_requires_21=self.rules.payout.count_requires_21))
        return hand_name(cards, self.classes.number)

    def _decided(self, state: Round) -> Round:
        """Let the strategy decide until a card is due, the hand is over, or it splits (the phase stays `decision`)."""
        while (command := answer(state, self.strategy)) is not None and not isinstance(command, Split):
            state = must_play(state, command)
        return state

    def _end(self, state: Round) -> int:
        box = state.boxes[0]
        insured, bars = bool(state.insurance), box.split_barred
        if state.phase == "decision":
            first, second = (self.classes.number[card] for card in hand_in_turn(state).cards)
            up = self.classes.up[self.classes.number[state.dealer[0]]]
            end = End(-1, first, second, up, insured, bars)
            self._splits.setdefault((first, second), state)
        else:
            end = End(self._outcome(state), 0, 0, 0, insured, bars)
        return self.ends.setdefault(end, len(self.ends))

    def _outcome(self, state: Round) -> int:
        hand = state.boxes[0].hands[0]
        wager = hand.wagers[0]
        if wager.result:
            status, net, label, points = int(wager.result == "win"), settled_net(state), self._row(hand), 0
            label = label if status else "bust" if hand.total > LIMIT else wager.result
        else:
            status, net, label = (DOUBLED if wager.double else UNDECIDED), 0, self._row(hand)
            points = total_for(self.rules, hand, wager)
        bonus, stacks = self._bonus(state), 1 + bool(wager.double)
        outcome = Outcome(hand.split, status, net, label, points, wager.surrendered, bonus, stacks)
        if outcome not in self.outcomes:
            self.outcomes[outcome] = len(self.outcomes)
            self.examples.append(state)
        return self.outcomes[outcome]

    def _row(self, hand: Hand) -> str:
        """The payout row by which a hand is paid."""
        wager = hand.wagers[0]
        if wager.double:
            return "doubled"
        if is_pontoon(hand.cards) and not hand.split:
            return "pontoon"
        return hand_row(self.rules, hand, total_for(self.rules, hand, wager))

    def _bonus(self, state: Round) -> int:
        """The Super Bonus of a hand that won; it is paid at the end of the round whatever the dealer draws."""
        if not self.rules.super_bonus.offered or state.boxes[0].hands[0].wagers[0].result != "win":
            return 0
        over = dealt(state, (Card("9d"),) * 3)
        return sum(
            entry.net for entry in over.settlements if isinstance(entry, Settled) and entry.kind == "super_bonus"
        )


IDLE, WAITING, CONTESTED = range(3)
"""What the dealer draws for: nothing, only a surrender or insurance, an undecided hand."""


class Dealers:
    """Every hand of the dealer, by what the dealer draws for."""

    def __init__(self, rules: Rulebook, stake: int, classes: Classes) -> None:
        """Explore every hand; there are few."""
        self.rules, self.classes = rules, classes
        self.rows: list[Row] = []
        self.results: dict[str, int] = {}
        self.witness: list[tuple[Card, ...]] = []
        """For each result, cards of the dealer that lead to it."""
        self._known: dict[tuple[object, ...], int] = {}
        undecided = finished_hand(stake, original=True)
        self._hands = {
            IDLE: finished_hand(stake, result="lose", original=True),
            WAITING: replace(undecided, wagers=(replace(undecided.wagers[0], surrendered=True),)),
            CONTESTED: undecided,
        }
        self.insured = InsuranceWager(1, PLAYER, 1, PLAYER, cap(Round(rules), stake))
        ranks = [classes.up.index(up) for up in range(len(classes.upcards))]
        self.starts = [[self.start(mode, classes.cards[card]) for card in ranks] for mode in self._hands]
        insured = [self.start(IDLE, classes.cards[card], insured=True) for card in ranks]
        assert insured == self.starts[WAITING], "insurance and surrender wait for different cards"

    def start(self, mode: int, card: Card, *, insured: bool = False) -> int:
        """The target for this upcard: a node, or an end if the dealer draws no card."""
        state = decided_round(self.rules, (self._hands[mode],), card)
        if insured:
            state, mode = replace(state, insurance=(self.insured,)), WAITING
        flow = Flow(state, STEPS)
        begin_dealer(flow)
        return self._target(flow.state, mode)

    def _target(self, state: Round, mode: int) -> int:
        if state.phase == "ended":
            return -1 - self._result(state, mode)
        first = self.classes.up[self.classes.number[state.dealer[0]]] if len(state.dealer) == 1 else -1
        name = (mode, first, state.dealer_total, state.dealer_soft)
        if name not in self._known:
            place = self._known[name] = len(self.rows)
            self.rows.append([])
            self.rows[place] = [self._target(must_play(state, DealCard(card)), mode) for card in self.classes.cards]
        return self._known[name]

    def _result(self, state: Round, mode: int) -> int:
        if state.dealer_pontoon:
            name = "pontoon"
        elif mode != CONTESTED:
            name = "stopped" if len(state.dealer) > 1 else "none"
        else:
            name = "bust" if state.dealer_total > LIMIT else str(state.dealer_total)
        if name not in self.results:
            self.results[name] = len(self.results)
            self.witness.append(state.dealer)
        return self.results[name]
