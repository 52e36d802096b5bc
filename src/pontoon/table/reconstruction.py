"""Reconstruction of a round after a card was dealt or placed wrongly, and removal of a hand too many.

The round goes back to the call, and its cards are dealt again where they should have gone. A decision stands if it was
made on the same hand against the same upcard, so nobody decides twice. Play continues where a decision
is open. Complete hands that are laid again instead keep every decision that is still allowed.

Cards that were seen and have no place go to the discard rack, or are the next cards if the document says so and
nobody has to decide again in view of them, nor a hand that was passed over for the first time.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Protocol

from pontoon.cards import Card
from pontoon.engine import (
    Absent,
    CloseOffer,
    Command,
    DealCard,
    DeclineInsurance,
    DeclineSurrender,
    Double,
    ExposeCard,
    Forfeit,
    Hit,
    Insure,
    Keep,
    RefuseCard,
    Reversed,
    Ride,
    Round,
    Split,
    Stand,
    Surrender,
    VoidBox,
    VoidHand,
    VoidRound,
    VoidWager,
    Withdraw,
    refusal,
)
from pontoon.engine.dealing import next_place
from pontoon.engine.flow import cite
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.state import INITIAL_CARDS, Box, find_box
from pontoon.rulebook import Clauses
from pontoon.table.commands import Reconstruct, RemoveExtraHand
from pontoon.table.events import CardLeftShoe, ExtraHandRemoved, LeftOverRemoved, RoundReconstructed, Ruled
from pontoon.table.evolve import act
from pontoon.table.flow import Flow, play_in_round
from pontoon.table.state import Act, Table, belongs, possible

INITIAL_APPROVERS = ("inspector", "pit_boss", "casino_supervisor", "operator")
FULL_APPROVERS = ("casino_supervisor", "operator")
HOUSE = "operator"
"""Who decides if the document is silent."""
AFTER_TURNS = ("dealer", "ended")
BEFORE_TURNS = ("initial_deal", "insurance", "surrender")
BONUSES = ("super_bonus", "envy_bonus")
VOIDS = (VoidBox, VoidHand, VoidWager, VoidRound)
DECISIONS = (
    Insure, DeclineInsurance, Surrender, DeclineSurrender, CloseOffer, Hit, Stand, Double, Split, Ride, Forfeit, Keep,
    Absent, RefuseCard, Withdraw, ExposeCard, *VOIDS,
)  # fmt: skip
"""What is recorded in the course of a round, so that a reconstruction can let it stand."""


def initial_deal_complete(state: Round) -> bool:
    """Whether a decision or a payment has ended the initial deal (adelaide 47(d))."""
    hands = [hand for box in state.boxes for hand in box.hands]
    return (
        any(hand.stood or len(hand.cards) > INITIAL_CARDS for hand in hands)
        or any(hand.split and len(hand.cards) == INITIAL_CARDS for hand in hands)
        or any(settlement.kind == "main" for settlement in state.settlements)
    )


def in_initial_deal(table: Table) -> bool:
    """Whether the initial deal is still in progress, as the document defines its end."""
    state = table.round
    if state is None or state.phase == "initial_deal":
        return state is not None
    return table.rules.deal.complete == "first_decision" and not initial_deal_complete(state)


# --- whether -------------------------------------------------------------------------------------------


def refuse_reconstruct(table: Table, command: Reconstruct) -> Refusal | None:
    """Whether the document reconstructs rounds in this way, with this approval, and these are the cards."""
    rules = table.rules
    clauses = rules.clauses("irregular.misplaced")
    if rules.irregular.misplaced == "silent" and command.by != HOUSE:
        return refuse("document_silent", clauses, matter="misplaced_cards")
    if table.phase not in ("round", "collect") or table.round is None:
        return refuse("no_round", clauses)
    if table.at_call is None:
        return refuse("cannot_be_put_right", clauses)
    if all(wager.result == "void" for box in table.at_call.boxes for hand in box.hands for wager in hand.wagers):
        return refuse("no_round", clauses)  # everything was void before a card came: there is nothing to deal again
    if command.way == "laid_again" and rules.irregular.reconstruction == "sequence":
        return refuse("hands_not_laid_again", rules.clauses("irregular.reconstruction"))
    return _refuse_supervision(table, command) or _refuse_cards(table, command)


def _refuse_supervision(table: Table, command: Reconstruct) -> Refusal | None:
    """In the initial deal an inspector supervises, later only the management (adelaide 112)."""
    rules, state = table.rules, table.round
    if rules.irregular.approval != "inspector":
        return None
    assert state is not None
    wanted = FULL_APPROVERS if initial_deal_complete(state) else INITIAL_APPROVERS
    if command.approver not in wanted or command.approver == command.by:
        return refuse("needs_second_person", rules.clauses("irregular.approval"), by=command.by)
    return None


def _refuse_cards(table: Table, command: Reconstruct) -> Refusal | None:
    """All cards of the round, and with them those of a hand too many, which came from the shoe as well."""
    clauses, dealt = table.rules.clauses("irregular.misplaced"), table.of_round
    missing = Counter(dealt) - Counter(command.cards)
    more = _more(table, command)
    spare = more and (command.way == "laid_again" or table.rules.irregular.reconstruction == "from_call")
    if missing or spare or not _came_from_shoe(table, more):
        return refuse("wrong_cards", clauses, count=len(command.cards), size=len(dealt))
    if more and table.rules.irregular.superfluous == "void" and not in_initial_deal(table):
        return refuse("extra_hand_is_void", table.rules.clauses("irregular.superfluous"))
    return None


def _more(table: Table, command: Reconstruct) -> tuple[Card, ...]:
    """Cards that are out of the shoe without being part of the round."""
    return tuple((Counter(command.cards) - Counter(table.of_round)).elements())


def _came_from_shoe(table: Table, more: tuple[Card, ...]) -> bool:
    if len(more) > table.shoe.left:
        return False
    if table.mode == "automatic":
        return Counter(more) == Counter(table.shoe.stack[: len(more)])
    return all(belongs(table, card) and possible(table, card, known=more[:place]) for place, card in enumerate(more))


# --- doing it ------------------------------------------------------------------------------------------


def reconstruct(flow: Flow, command: Reconstruct) -> None:
    """Undo what moved since the call, then deal and decide again whatever stands."""
    table, rules = flow.state, flow.state.rules
    assert table.round is not None
    clauses = rules.clauses("irregular.misplaced")
    flow.put(Ruled(clauses, "Reconstruct", command.by, command.approver, command.reason))
    more = len(_more(table, command))
    if rules.irregular.reconstruction == "from_call":
        flow.put(RoundReconstructed(clauses, command.way, command.cards, _moved_since_call(table)))
        return
    cards = command.cards
    if table.round.exposed and not more:
        cards, more = (*cards, Card(table.round.exposed)), 1
    clauses = cite(clauses, rules.clauses("irregular.reconstruction"))
    source: _Source = _Hands(table, cards) if command.way == "laid_again" else _Sequence(cards)
    acts = table.acts
    flow.put(RoundReconstructed(clauses, command.way, cards, _moved_since_call(table), more))
    open_acts = _Replay(flow, source, acts, clauses).run()
    _remove_left_over(flow, source, decides=_decides_in_view(table, flow.state.round, open_acts))


class _Source(Protocol):
    """Where the cards of a reconstruction come from."""

    def take(self, place: tuple[int, int]) -> Card | None:
        """The card for this place; None if the next one comes from the shoe."""

    def rest(self) -> tuple[Card, ...]:
        """The cards that have found no place."""

    decisions_stay: bool
    """Whether decisions stay with their box, whatever the cards."""


class _Sequence:
    """The cards in the order they should have been dealt (adelaide 1(i)(i))."""

    decisions_stay = False

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self._cards = deque(cards)

    def take(self, _: tuple[int, int]) -> Card | None:
        return self._cards.popleft() if self._cards else None

    def rest(self) -> tuple[Card, ...]:
        return tuple(self._cards)


class _Hands:
    """Complete hands, each as it should lie (adelaide 1(i)(ii)); a box gets its cards in the order it got them."""

    decisions_stay = True

    def __init__(self, table: Table, cards: tuple[Card, ...]) -> None:
        state = table.round
        assert state is not None
        laid = list(cards)
        self._boxes: dict[int, deque[Card]] = {}
        for box in state.boxes:
            splits = [one.turn[1] for one in table.acts if _splits(one, box.number)]
            count = sum(len(hand.cards) for hand in box.hands)
            self._boxes[box.number] = deque(laid[place] for place in deal_order(box, splits))
            del laid[:count]
        self._boxes[0] = deque(laid)

    def take(self, place: tuple[int, int]) -> Card | None:
        cards = self._boxes[place[0]]
        return cards.popleft() if cards else None

    def rest(self) -> tuple[Card, ...]:
        return tuple(card for cards in self._boxes.values() for card in cards)


def _splits(one: Act, box: int) -> bool:
    return isinstance(one.command, Split) and one.turn[0] == box and not one.joining


def deal_order(box: Box, splits: list[int]) -> list[int]:
    """The cards of a box in the order they were dealt, as places in its hands laid end to end.

    `splits` are the numbers of the hands that were split, in order. Each hand is completed before the next.
    """
    lengths = [len(hand.cards) for hand in box.hands]
    hands: list[list[int]] = [[]]
    count = 0

    def deal(number: int, most: int) -> None:
        nonlocal count
        while len(hands[number]) < most:
            hands[number].append(count)
            count += 1

    deal(0, min(INITIAL_CARDS, sum(lengths)))
    for split in splits:
        for number in range(split - 1):
            deal(number, lengths[number])
        deal(split - 1, INITIAL_CARDS)
        first, second = hands[split - 1]
        hands[split - 1 : split] = [[first], [second]]
    for number, length in enumerate(lengths):
        deal(number, length)
    laid = [turn for hand in hands for turn in hand]
    return sorted(range(len(laid)), key=laid.__getitem__)


class _Replay:
    """Deals the cards and repeats the decisions that stand, until something is open."""

    def __init__(self, flow: Flow, source: _Source, acts: tuple[Act, ...], clauses: Clauses) -> None:
        self.flow, self.source, self.acts, self.clauses = flow, source, list(acts), clauses

    @property
    def state(self) -> Round:
        state = self.flow.state.round
        assert state is not None
        return state

    def run(self) -> list[Act]:
        """Go as far as possible; the decisions that do not stand."""
        while self.state.phase != "ended" and (self._decide() or self._deal() or self._compulsory_draw()):
            pass
        voids = [act for act in self.acts if isinstance(act.command, VOIDS)]  # a void stands whatever the cards
        for void in (void for void in voids if refusal(self.state, void.command) is None):
            self._repeat(void)
        return self.acts

    def _decide(self) -> bool:
        """Repeat the next decision of this moment that stands."""
        standing = next((one for one in self.acts if self._stands(one)), None)
        if standing is None:
            return False
        self._repeat(standing)
        return True

    def _repeat(self, one: Act) -> None:
        self.acts.remove(one)
        play_in_round(self.flow, one.command, one.command)

    def _stands(self, one: Act) -> bool:
        state = self.state
        if not of_this_moment(one, state):
            return False
        now = act(state, one.command)
        same = (one.cards, one.dealer) == (now.cards, now.dealer)
        if isinstance(one.command, ExposeCard):
            return same and self.source.rest() == (one.command.card,) and refusal(state, one.command) is None
        stays = same or self.source.decisions_stay or isinstance(one.command, VOIDS)
        return stays and refusal(state, one.command) is None

    def _deal(self) -> bool:
        place = next_place(self.state)
        card = self.source.take(place) if place is not None else None
        if card is None:
            return False
        self.flow.put(CardLeftShoe(self.clauses, card))
        play_in_round(self.flow, DealCard(card))
        return True

    def _compulsory_draw(self) -> bool:
        """A hand that must draw and was not asked gets its card: the order is certain."""
        state = self.state
        if state.phase != "decision" or not self.source.rest() or any(of_this_moment(one, state) for one in self.acts):
            return False
        refused = refusal(state, Stand(state.turn[0]))
        if refused is None or refused.code != "forced_draw":
            return False
        play_in_round(self.flow, Hit(state.turn[0]), Hit(state.turn[0]))
        return True


def of_this_moment(one: Act, state: Round) -> bool:
    """Whether a decision was made in this phase of the round, on the hand whose turn it is now."""
    return (one.phase, one.turn, one.joining) == (state.phase, state.turn, state.joining)


def _remove_left_over(flow: Flow, source: _Source, *, decides: bool) -> None:
    """Send cards left over to the rack, or deal them next if that lets nobody decide in view of a card."""
    cards, rules, state = source.rest(), flow.state.rules, flow.state.round
    assert state is not None
    if not cards or state.exposed:  # seen before the reconstruction, and still the next card
        return
    removed = source.decisions_stay or decides or state.phase == "ended" or rules.irregular.left_over == "burned"
    if removed or refusal(state, ExposeCard(cards[0])) is not None:
        flow.put(LeftOverRemoved(rules.clauses("irregular.left_over"), cards))
    else:
        play_in_round(flow, ExposeCard(cards[0]), ExposeCard(cards[0]))


def _decides_in_view(before: Table, state: Round | None, open_acts: list[Act]) -> bool:
    """Whether someone would decide again, or a hand that was passed over for the first time, knowing a card (A83)."""
    assert state is not None
    return _passed_over(before, state) or any(_decides_again(one, state) for one in open_acts)


def _passed_over(before: Table, state: Round) -> bool:
    """Whether play had gone past the hand now in turn without asking it."""
    old = before.round
    assert old is not None
    beyond = old.phase in AFTER_TURNS or (old.phase not in BEFORE_TURNS and old.turn > state.turn)
    asked = any(one.turn == state.turn for one in before.acts if one.phase == "decision")
    return state.phase == "decision" and beyond and not asked


def _decides_again(one: Act, state: Round) -> bool:
    """Whether a decision that does not stand can still be made otherwise, now or later in the round."""
    box = find_box(state, getattr(one.command, "box", 0))
    if box is None:  # an offer that was closed for everyone
        return state.phase in BEFORE_TURNS or of_this_moment(one, state)
    return any(hand.live and not hand.stood for hand in box.hands)


def _moved_since_call(table: Table) -> tuple[tuple[str, int, int, int], ...]:
    """By player and box, what undoes every chip moved since the call: additional wagers, insurance and payments."""
    state = table.round
    assert state is not None
    added: Counter[tuple[str, int]] = Counter()
    for box in state.boxes:
        for wager in box.bettors:
            added[wager.player, box.number] -= wager.stake
        for hand in box.hands:
            for wager in hand.wagers:
                added[wager.player, box.number] += wager.stake + wager.double
    for insurance in state.insurance:
        added[insurance.player, insurance.owner_box] += insurance.amount
    released: Counter[tuple[str, int]] = Counter()
    paid: Counter[tuple[str, int]] = Counter()
    before = len(table.at_call.settlements) if table.at_call is not None else 0
    for settled in state.settlements[before:]:
        stake = 0 if settled.kind in BONUSES or isinstance(settled, Reversed) else settled.stake
        released[settled.player, settled.box] += stake
        paid[settled.player, settled.box] += stake + settled.net
    return tuple(
        (player, box, added[player, box] - paid[player, box], released[player, box] - added[player, box])
        for player, box in sorted({*added, *paid})
        if added[player, box] or paid[player, box] or released[player, box]
    )


# --- a hand too many -----------------------------------------------------------------------------------


def refuse_extra_hand(table: Table, command: RemoveExtraHand) -> Refusal | None:
    """Whether the document has an extra hand burned at this point, and these are its cards."""
    rules = table.rules
    clauses = rules.clauses("irregular.superfluous")
    if rules.irregular.superfluous == "silent" and command.by != HOUSE:
        return refuse("document_silent", clauses, matter="extra_hand")
    if rules.irregular.superfluous == "reconstruct":
        return refuse("put_right", clauses, remedy="reconstruct")
    if rules.irregular.approval == "inspector" and command.approver not in INITIAL_APPROVERS:
        return refuse("needs_second_person", rules.clauses("irregular.approval"), by=command.by)
    if table.phase != "round" or table.round is None or in_initial_deal(table):
        why = cite(clauses, rules.clauses("irregular.misplaced"), rules.clauses("deal.complete"))
        return refuse("put_right", why, remedy="reconstruct")
    if table.round.exposed:
        return refuse("exposed_card_is_next", rules.clauses("irregular.exposed"), card=table.round.exposed)
    if not command.cards or not _are_next(table, command.cards):
        return refuse("wrong_cards", clauses, count=len(command.cards), size=table.shoe.left)
    return None


def _are_next(table: Table, cards: tuple[Card, ...]) -> bool:
    """Whether these can be the next cards of the shoe, in this order."""
    known = table.shoe.stack if table.mode == "automatic" else table.ruled
    return cards[: len(known)] == known[: len(cards)] and _came_from_shoe(table, cards)


def remove_extra_hand(flow: Flow, command: RemoveExtraHand) -> None:
    """The hand is void and its cards are burned."""
    clauses = flow.state.rules.clauses("irregular.superfluous")
    flow.put(Ruled(clauses, "RemoveExtraHand", command.by, command.approver, ""))
    flow.put(ExtraHandRemoved(clauses, command.cards))


def recorded(table: Table, command: Command) -> Command | None:
    """The command, if it is a decision that a reconstruction under this document lets stand."""
    keeps = table.rules.irregular.reconstruction != "from_call"
    return command if keeps and isinstance(command, DECISIONS) else None
