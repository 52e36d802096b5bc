"""A round at the table: wagers, the call, cards from the shoe, the cutting card, collecting."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from pontoon.cards import Card, is_pontoon
from pontoon.engine import (
    Absent,
    BurnCard,
    CallNoMoreBets,
    Command,
    DealCard,
    ExposeCard,
    MissCard,
    NoticeNoFirstCard,
    NoticeSkip,
    OfferLate,
    PlaceSideWager,
    PlaceWager,
    PutRight,
    Refusal,
    Ride,
    Round,
    SkipDealer,
    SkipHand,
    VoidBox,
    VoidHand,
    VoidRound,
    VoidWager,
    refusal,
)
from pontoon.engine.commands import TakeBack
from pontoon.engine.dealing import next_place
from pontoon.engine.decide import perform
from pontoon.engine.events import ControlPassed, OfferOpened, Settled
from pontoon.engine.flow import cite
from pontoon.engine.refusals import refuse
from pontoon.engine.state import find_box
from pontoon.rulebook import Clauses
from pontoon.table.commands import Collect, Deal, Play, ShuffleDiscards
from pontoon.table.control import controller_of, cover_for_restricted
from pontoon.table.cutting import cutters
from pontoon.table.equipment import new_cards_after_failure
from pontoon.table.events import (
    Announced,
    CardLeftShoe,
    CardsCollected,
    CutOffered,
    CuttingCardCame,
    DiscardsReturned,
    DiscardsShuffled,
    InRound,
    LeftOverRemoved,
    RoundBegan,
    Ruled,
    ShuffleFellDue,
)
from pontoon.table.flow import Flow, play_in_round, put_in_round
from pontoon.table.limits import maximum_for, refuse_call, refuse_side, refuse_wager
from pontoon.table.opening import checkers, to_be_shown
from pontoon.table.reconstruction import recorded
from pontoon.table.state import NOT_INSERTED, Table, belongs, box_of, for_device, in_shuffling_shoe, person, possible

WAGERS = (PlaceWager, PlaceSideWager, TakeBack)
VOIDS = (VoidBox, VoidHand, VoidWager, VoidRound)
MISSES = (SkipHand, NoticeSkip, MissCard, PutRight, SkipDealer, NoticeNoFirstCard)
IRREGULAR = (BurnCard, ExposeCard, OfferLate, *MISSES, *VOIDS)
"""Commands that are recorded as a ruling, with an approver if the document requires one."""

APPROVERS = ("inspector", "pit_boss")
"""Who approves if the document requires approval."""

SUPERVISORS = ("game_supervisor", "casino_supervisor", "operator")
"""Who decides for the house if the document is silent, and directs cards for someone who is absent."""

WORDS = {"insurance": "Insurance", "surrender": "Surrender"}


def refuse_play(table: Table, command: Play) -> Refusal | None:
    """Whether this may be done in the round now: the table's own reasons first, then the engine's."""
    inner = command.command
    refused = _refuse_moment(table, inner) or refuse_approval(table, command) or _refuse_face(table, inner)
    if refused is None and isinstance(inner, PlaceWager):
        refused = refuse_wager(table, inner)
    if refused is None and isinstance(inner, PlaceSideWager):
        refused = refuse_side(table, inner)
    if refused is None and isinstance(inner, CallNoMoreBets):
        refused = refuse_call(table)
    if refused is None and isinstance(inner, Ride) and person(table, inner.player).restricted:
        refused = _refuse_ride(table, inner)
    return refused or refusal(_round_for(table, inner), inner)


def _refuse_ride(table: Table, inner: Ride) -> Refusal | None:
    """A restricted co-bettor may be made to cover each hand of a split (adelaide 81(a))."""
    if not table.rules.people.restricted_cover:
        return None
    return refuse("must_cover", table.rules.clauses("people.restricted_cover"), player=inner.player)


def _refuse_moment(table: Table, inner: Command) -> Refusal | None:
    rules = table.rules
    betting = isinstance(inner, (*WAGERS, CallNoMoreBets))
    if isinstance(inner, DealCard):
        return refuse("deal_from_the_shoe", rules.cites.card_drawn)
    if isinstance(inner, WAGERS) and _waits_for_first_player(table):
        return None
    if betting and table.phase != "ready":
        return refuse("not_betting", rules.cites.wager_frozen, phase=table.phase)
    wagered = table.round is not None and bool(table.round.boxes)  # then the shuffle waits until the round is over
    if betting and table.due and table.mode == "automatic" and not wagered:
        return refuse("shuffle_first", rules.table.shuffled, why=table.due)
    begun = table.round is not None and bool(table.round.boxes)
    if betting and table.hours_over and not begun:
        return refuse("hours_over", rules.table.hours)
    if betting and table.closing == "rounds" and not table.rounds_left:
        return refuse("last_round_played", rules.table.closing)
    before_wagers = isinstance(inner, BurnCard) and table.phase == "ready"  # a card is burned while nobody has wagered
    if not betting and table.round is None and not before_wagers:
        return refuse("no_round", rules.cites.turn)
    if table.phase in ("shuffled", "cut"):
        return refuse("not_cut_yet", rules.table.cut_offered, phase=table.phase)
    return None


def _waits_for_first_player(table: Table) -> bool:
    """Whether new cards are ready for the first player, who has a seat or a wager."""
    ready = table.phase == "preparing" and table.mode == "automatic" and not table.hours_over
    return ready and to_be_shown(table) and not checkers(table)


def _refuse_face(table: Table, inner: Command) -> Refusal | None:
    """A card burned or exposed is the next card of the shoe; on the floor at least a card of this table."""
    if not isinstance(inner, BurnCard | ExposeCard):
        return None
    clauses = table.rules.cites.card_drawn
    if isinstance(inner, BurnCard) and inner.reason == "left_over":  # a reconstruction of the table removes it itself
        return refuse("put_right", table.rules.clauses("irregular.left_over"), remedy="reconstruct")
    if not table.shoe.left:
        return refuse("shoe_is_empty", clauses)
    return _refuse_unruled(table, inner.card, clauses)


def _refuse_unruled(table: Table, card: str, clauses: Clauses) -> Refusal | None:
    """The next card is the one on top of the shoe, the one a reconstruction put there, or one the packs can hold."""
    known = table.shoe.stack or table.ruled
    if table.ruled and card != known[0]:
        return refuse("not_the_ruled_card", table.rules.clauses("irregular.reconstruction"), card=table.ruled[0])
    if (known and card != known[0]) or not belongs(table, card):
        return refuse("wrong_cards", clauses, count=1, size=table.size)
    if not table.ruled and not possible(table, card):
        return refuse("no_such_card_left", table.rules.clauses("shoe.counted"), card=card, packs=table.packs)
    return None


def refuse_approval(table: Table, command: Play) -> Refusal | None:
    """Where play waits for approval, one person alone cannot rule (adelaide 112)."""
    if _is_own_decision(command.command) and command.by not in SUPERVISORS:
        return refuse("not_a_supervisor", table.rules.cites.turn, by=command.by)
    return _refuse_alone(table, command) if isinstance(command.command, IRREGULAR) else None


def _refuse_alone(table: Table, command: Play | ShuffleDiscards) -> Refusal | None:
    rules = table.rules
    if rules.irregular.approval != "inspector":
        return None
    if command.approver not in APPROVERS or command.approver == command.by:
        return refuse("needs_second_person", rules.clauses("irregular.approval"), by=command.by)
    return None


def _is_own_decision(inner: Command) -> bool:
    """Whether the house decides here by itself, because the document is silent."""
    return bool(getattr(inner, "by_house", False))


def _round_for(table: Table, inner: Command) -> Round:
    """The round in progress, or a fresh one; a personal limit raises the maximum for its owner's wager."""
    state = table.round or Round(table.rules, table.limits)
    if isinstance(inner, PlaceWager):
        maximum = maximum_for(table, inner.player, inner.box)
        if maximum != state.limits.maximum:
            return replace(state, limits=replace(state.limits, maximum=maximum))
    return state


def play_round(flow: Flow, command: Play) -> None:
    """Carry out a command with what the table adds: a new round, a recorded ruling, the call, announcements."""
    inner = _directed(flow.state, command)
    if flow.state.round is None:
        rules = flow.state.rules
        flow.put(RoundBegan(cite(rules.cites.wager_placed, rules.table.wager_chips), flow.state.number + 1))
    if isinstance(inner, IRREGULAR):
        clauses = flow.state.rules.clauses("irregular.approval") or flow.state.rules.cites.turn
        clauses = () if _is_own_decision(inner) else clauses
        what = type(inner).__name__
        flow.put(Ruled(clauses, what, command.by, command.approver, command.reason))
    if isinstance(inner, CallNoMoreBets):
        _call(flow)
        return
    before = len(flow.events)
    put_in_round(flow, perform(_round_for(flow.state, inner), inner), recorded(flow.state, inner))
    announce(flow, before)


def _directed(table: Table, command: Play) -> Command:
    """The command as the round takes it: cards for an absent player are the supervisor's only if one directed them."""
    inner = command.command
    if isinstance(inner, Absent) and table.rules.draw.absent_next == "passes":
        return replace(inner, by="supervisor" if command.by in SUPERVISORS else "dealer")
    return inner


def _call(flow: Flow) -> None:
    """Control is settled, then the dealer calls; a box nobody will control gets its wagers back."""
    table, rules = flow.state, flow.state.rules
    assert table.round is not None
    if table.due and table.due != "ordered":  # only a person on the floor can continue past the cutting card
        flow.put(ShuffleFellDue(rules.clauses("cut.passed"), "passed"))
    for box in table.round.boxes:
        controller = controller_of(flow.state, box.number)
        if not controller:
            for wager in box.bettors:
                play_in_round(flow, TakeBack(box.number, wager.player))
        elif controller != box.controller:
            clauses = cite(rules.clauses("people.control"), rules.clauses("people.full_table") if table.full else ())
            passed = ControlPassed(box.number, controller, clauses)
            flow.put(InRound(passed.clauses, passed))
    assert flow.state.round is not None
    if refusal(flow.state.round, CallNoMoreBets()) is None:  # with nobody left who takes control, betting continues
        flow.put(Announced(rules.cites.no_more_bets, "No more bets"))
        play_in_round(flow, CallNoMoreBets())


def announce(flow: Flow, since: int) -> None:
    """Make the announcements that the document requires for the events just put."""
    pontoons: set[int] = set()
    for event in flow.events[since:]:
        inner = event.event if isinstance(event, InRound) else None
        if isinstance(inner, OfferOpened) and inner.offer in WORDS:
            flow.put(Announced(inner.clauses, WORDS[inner.offer]))
        if isinstance(inner, Settled) and inner.box not in pontoons and _pays_pontoon(flow.state, inner):
            pontoons.add(inner.box)
            flow.put(Announced(flow.state.rules.cites.pontoon_paid, "Pontoon"))


def _pays_pontoon(table: Table, settled: Settled) -> bool:
    """Whether a wager was paid for a pontoon: an ace and a picture after a split are only 21."""
    if settled.kind != "main" or settled.result != "win":
        return False
    assert table.round is not None
    box = find_box(table.round, settled.box)
    assert box is not None
    hand = box.hands[settled.hand - 1]
    return is_pontoon(hand.cards) and not hand.split


# --- cards ---------------------------------------------------------------------------------------------


def refuse_deal(table: Table, command: Deal) -> Refusal | None:
    """Whether a card is due, one is left, and its face comes from the right source."""
    rules = table.rules
    if table.phase != "round" or table.round is None:
        return refuse("no_round", rules.cites.card_drawn)
    if table.due == "first":
        return refuse("shuffle_first", rules.table.reshuffle_first or rules.table.shuffled, why=table.due)
    if not table.shoe.left:
        return refuse("shoe_is_empty", rules.clauses("irregular.too_few"))
    if (table.mode == "automatic") == bool(command.card):
        return refuse("order_unknown" if command.card else "face_needed", rules.cites.card_drawn)
    refused = _refuse_unruled(table, command.card, rules.cites.card_drawn) if command.card else None
    return refused or refusal(table.round, DealCard(_next_card(table, command)))


def _next_card(table: Table, command: Deal) -> Card:
    return Card(command.card) if command.card else table.shoe.stack[0]


def deal(flow: Flow, command: Deal) -> None:
    """The cutting card if it is next, then the card."""
    if _cutting_card_first(flow):
        return
    cover_for_restricted(flow, command.unable)
    card = _next_card(flow.state, command)
    flow.put(CardLeftShoe(flow.state.rules.cites.card_drawn, card))
    before = len(flow.events)
    play_in_round(flow, DealCard(card))
    announce(flow, before)


def _cutting_card_first(flow: Flow) -> bool:
    """The cutting card comes out when only the cards behind it are left; as first card of a round it ends the shoe."""
    table, rules = flow.state, flow.state.rules
    if table.shoe.behind == NOT_INSERTED or table.shoe.left > table.shoe.behind:
        return False
    assert table.round is not None
    first = table.round.cards_used == 0
    place = next_place(table.round)
    where = "first" if first else "dealer" if place and place[0] == 0 else str(place[0] if place else 0)
    last = table.closing == "rounds" and 0 < table.rounds_left <= rules.cut.last_rounds
    clauses = rules.table.reshuffle_first if first else rules.table.reshuffle_during
    box = box_of(table, int(where)) if where.isdigit() and rules.cut.box == "player" else None
    player = box.controller if box is not None else ""
    flow.put(CuttingCardCame(rules.clauses("cut.last_rounds") if last else clauses, where, player))
    if last:
        return False
    flow.put(ShuffleFellDue(clauses, "first" if first else "during"))
    return first


def refuse_discards(table: Table, command: ShuffleDiscards) -> Refusal | None:
    """Whether the shoe ran out in mid-round; if the document does not continue with the discards, the house decides."""
    rules = table.rules
    clauses = rules.clauses("irregular.too_few")
    if _silent_on_discards(table) and command.by != "operator":
        return refuse("document_silent", clauses, matter="empty_shoe")
    if table.phase != "round" or table.shoe.left:
        return refuse("shoe_not_empty", clauses, left=table.shoe.left)
    if not table.shoe.discards and not table.shoe.hidden_discards:
        return refuse("no_discards", clauses)
    if table.mode == "floor" and command.order:
        return refuse("order_unknown", clauses)
    if table.mode == "automatic" and Counter(command.order) != Counter(table.shoe.discards):
        return refuse("wrong_cards", clauses, count=len(command.order), size=len(table.shoe.discards))
    high = len(table.shoe.discards) + table.shoe.hidden_discards if rules.cut.discards == "at_once" else 0
    if not 0 <= command.depth <= high:  # elsewhere the cut is offered afterwards
        return refuse("cut_depth", cite(clauses, rules.clauses("cut.discards")), depth=command.depth, low=0, high=high)
    return None if rules.cut.discards == "at_once" else _refuse_alone(table, command)


def _silent_on_discards(table: Table) -> bool:
    return table.rules.irregular.too_few == "silent" or in_shuffling_shoe(table)


def shuffle_discards(flow: Flow, command: ShuffleDiscards) -> None:
    """Shuffle the discards; the cut is offered like any other, and the round continues with them."""
    rules = flow.state.rules
    if _silent_on_discards(flow.state):
        clauses = rules.table.shuffled
        flow.put(Ruled(clauses, "ShuffleDiscards", command.by, "", "the document is silent on a shoe that runs out"))
    elif command.approver:
        flow.put(Ruled(rules.clauses("irregular.approval"), "ShuffleDiscards", command.by, command.approver, ""))
    order = (*command.order[command.depth :], *command.order[: command.depth])
    offered = cutters(flow.state)
    flow.put(DiscardsShuffled(rules.clauses("irregular.too_few") or rules.table.shuffled, order))
    if rules.cut.discards == "offered":
        flow.put(CutOffered(cite(rules.table.cut_offered, rules.clauses("cut.discards")), offered))


def refuse_collect(table: Table, _: Collect) -> Refusal | None:
    """Whether a settled round lies on the layout."""
    if table.phase != "collect":
        return refuse("nothing_to_collect", table.rules.table.collected or table.rules.cites.turn, phase=table.phase)
    return None


def collect(flow: Flow, _: Collect) -> None:
    """The dealer's hand first, then from the far right counter-clockwise, so that hands can be put together again."""
    table, state = flow.state, flow.state.round
    assert state is not None
    if table.ruled:  # the round is over, and nobody may bet on a card that was seen
        flow.put(LeftOverRemoved(table.rules.clauses("irregular.left_over"), table.ruled))
    rest = [
        card
        for box in state.boxes[::-1]
        for number, hand in [*enumerate(box.hands, 1)][::-1]
        if (box.number, number) not in table.in_rack
        for card in hand.cards
    ]
    clauses = table.rules.table.collected or table.rules.cites.turn
    flow.put(CardsCollected(clauses, (*state.dealer, *rest)))
    _after_collecting(flow)


def _after_collecting(flow: Flow) -> None:
    """New cards follow a failure; a missing cutting card or an empty shoe is dealt with after the round."""
    new_cards_after_failure(flow)
    table, rules = flow.state, flow.state.rules
    floor_device = table.mode == "floor" and not table.by_hand and rules.shoe.round_returns
    if floor_device and for_device(table)[0]:  # the dealer puts them back while collecting
        flow.put(DiscardsReturned(cite(rules.table.discards_returned, rules.clauses("shoe.round_returns")), ()))
    if table.due or not table.by_hand:
        return
    missing = table.shoe.behind == NOT_INSERTED and not table.shoe.came
    if missing and rules.cut.missing == "reshuffle_after_round":
        flow.put(ShuffleFellDue(rules.clauses("cut.missing"), "missing"))
    elif not table.shoe.left:
        flow.put(ShuffleFellDue(rules.table.shuffled, "during"))
