"""What one eye is told of an event: which of its facts leave, and one sentence for a person.

A row for each kind of event names the facts that leave; a fact without a row stays inside. So orders of cards, seeds
before their reveal and faces in the rack never leave: they are counted where a number helps. Of burned cards only
those leave that were seen as they were burned; one that was burned unseen is shown to the player who asks for it
(division-15 8.1), and nobody else. Why somebody was restricted or excluded stays in the record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast, get_args

from msgspec import Struct

from pontoon.engine import Event
from pontoon.engine import events as e
from pontoon.engine.state import Hand, find_box
from pontoon.money import dollars
from pontoon.rulebook import Clauses
from pontoon.table import Table
from pontoon.table import events as t
from pontoon.table.commands import Role
from pontoon.table.state import seat_of
from pontoon.view.events import cited, said
from pontoon.view.eye import FACE_DOWN, HELD, Eye, is_hidden, seen_cards
from pontoon.view.words import dealer_words, hand_words, kind_words, place_words, total_words

UNSEEN = "in_error"
"""Why a card was burned that nobody saw."""


class EventView(Struct, frozen=True, omit_defaults=True):
    """One event as it is told."""

    type: str
    facts: dict[str, Any] = {}
    clauses: Clauses = ()
    words: str = ""
    """Empty where the events around it say it already."""


def event_view(event: t.TableEvent, before: Table, after: Table, eye: Eye) -> EventView | None:
    """What this eye is told of an event between two tables; None where it is told nothing.

    >>> from pontoon.rulebook import load
    >>> table = Table(load("star"), 8)
    >>> event_view(t.PlayerSat(("1.1",), "Ann", 3), table, table, Eye()).words
    'Ann takes the seat at box 3'
    """
    if isinstance(event, t.InRound):
        return _in_round(event.event, after, eye)
    if isinstance(event, t.CardLeftShoe):  # where it went is told next, and that may be face down
        return None
    if isinstance(event, t.Reported) or (isinstance(event, t.Announced) and event.to not in ("", eye.player)):
        return None  # for the authority, or for one player alone
    name = type(event)
    facts = {key: getattr(event, key) for key in TABLE_FACTS[name]}
    more = MORE_FACTS.get(name)
    if more is not None:
        facts |= more(event, before, after)
    words = TABLE_WORDS[name](event, facts)
    if isinstance(event, t.BurnShown) and eye.player == event.player and before.shoe.burned:
        facts["card"] = before.shoe.burned
        words = f"The burned card is {before.shoe.burned}"
    return EventView(name.__name__, facts, event.clauses, words)


# --- around the rounds ---------------------------------------------------------------------------------

TABLE_FACTS: dict[type[t.TableEvent], tuple[str, ...]] = {
    t.TableOpened: (),
    t.CardsChecked: ("by",),
    t.CardsShown: ("player",),
    t.SealBroken: ("whole",),
    t.CardsShuffled: ("count", "washed"),
    t.ShoeCommitted: ("seed_hash", "root"),
    t.ShoeRevealed: ("seed",),
    t.CutOffered: ("to",),
    t.CutDeclined: ("player",),
    t.CardsCut: ("by", "depth"),
    t.CuttingCardPlaced: ("behind",),
    t.DeviceLoaded: ("count",),
    t.CardsBurned: ("count",),
    t.BurnShown: ("player",),
    t.PlayerSat: ("player", "box"),
    t.PlayerLeft: ("player",),
    t.LimitsSet: ("box_maximum",),
    t.LimitsAnnounced: ("box_maximum",),
    t.SideBetsOffered: ("bets",),
    t.LateEntryHeld: ("hold", "player", "by"),
    t.BoxesAllowed: ("boxes", "player", "by"),
    t.ControlTaken: ("box", "player", "by"),
    t.HoursSet: ("open",),
    t.PersonalLimitAllowed: ("player", "box", "maximum"),
    t.PlayerRestricted: ("player", "by"),
    t.PlayerExcluded: ("player", "by"),
    t.RoundBegan: ("number",),
    t.ControlDeclined: ("box", "player"),
    t.Announced: ("words",),
    t.Ruled: ("what", "by", "approver", "reason"),
    t.PartnersDeclared: ("players", "by"),
    t.RoundReconstructed: ("way", "returns"),
    t.ExtraHandRemoved: (),
    t.DisputeDecided: ("player", "matter", "decision", "by", "amount", "house"),
    t.CuttingCardCame: ("place",),
    t.ShuffleFellDue: ("why",),
    t.DiscardsShuffled: (),
    t.CardsCollected: (),
    t.DiscardsReturned: (),
    t.CardsChanged: ("reason",),
    t.CardReplaced: (),
    t.DeviceJammed: (),
    t.DeviceFailed: (),
    t.ClosingNoticed: ("kind", "rounds"),
    t.TableClosed: (),
    t.EarlierRoundVoided: ("number", "returns"),
    t.AmountOwed: ("player", "amount"),
}
"""The fields of each event that leave. `InRound` has rows of its own below; of `CardLeftShoe` and `Reported` nothing
leaves."""


def _discards(_: t.TableEvent, before: Table, __: Table) -> dict[str, int]:
    return {"count": len(before.shoe.discards) + before.shoe.hidden_discards}


def _left(_: t.TableEvent, __: Table, after: Table) -> dict[str, int]:
    return {"count": after.shoe.left}


def _cards(event: Any, _: Table, __: Table) -> dict[str, int]:  # noqa: ANN401 several events have cards
    return {"count": len(event.cards)}


def _limits(event: t.LimitsSet | t.LimitsAnnounced, _: Table, __: Table) -> dict[str, int]:
    limits = event.limits
    return {"minimum": limits.minimum, "maximum": limits.maximum, "smallest_chip": limits.smallest_chip}


def _seat(event: t.PlayerLeft, before: Table, _: Table) -> dict[str, int]:
    seat = seat_of(before, event.player)
    return {"box": seat.box} if seat else {}


MORE_FACTS = cast(
    "dict[type[t.TableEvent], Callable[[Any, Table, Table], dict[str, int]]]",
    {
        t.PlayerLeft: _seat,
        t.LimitsSet: _limits,
        t.LimitsAnnounced: _limits,
        t.RoundReconstructed: _cards,
        t.ExtraHandRemoved: _cards,
        t.DiscardsShuffled: _discards,
        t.CardsCollected: _cards,
        t.DiscardsReturned: _discards,
        t.DeviceJammed: _left,
        t.DeviceFailed: _left,
    },
)
"""Numbers that stand for cards, and facts from around the event."""

REASONS = {
    "": "",
    "start": "play begins",
    "first": "the cutting card came first",
    "during": "the cutting card has come",
    "ordered": "it was ordered",
    "missing": "no cutting card was put in",
    "passed": "the cutting card was passed over",
    "changed": "the cards are new",
    "failed": "the device failed",
}
NOTICES = {"minutes": "by the clock", "rounds": "after the last rounds", "notice": "soon"}
RULINGS = {
    "BurnCard": "a card is burned",
    "ExposeCard": "a card was seen in error",
    "OfferLate": "an offer forgotten is made now",
    "SkipHand": "a hand was passed over",
    "NoticeSkip": "a hand passed over is finished",
    "SkipDealer": "the dealer got no first card",
    "NoticeNoFirstCard": "the dealer's first card is missing",
    "VoidBox": "a box is void",
    "VoidRound": "the round is void",
    "Reconstruct": "the round is put right",
    "RemoveExtraHand": "a hand too many is removed",
    "VoidEarlier": "an earlier round is void",
}
"""What was ruled on, in words."""


ROLES = get_args(Role)


def _role(by: str) -> str:
    """Say who: a role, or a player by name.

    >>> _role("pit_boss"), _role("Ann")
    ('the pit boss', 'Ann')
    """
    return f"the {by.replace('_', ' ')}" if by in ROLES else by


def _begun(words: str) -> str:
    """A sentence begins with a capital; the rest, names above all, stays as it is."""
    return words[:1].upper() + words[1:]


def _shown(event: t.CardsShown, _: object) -> str:
    return f"The cards are spread for {event.player}" if event.player else "The cards were spread; nobody came in time"


def _seal(event: t.SealBroken, _: object) -> str:
    return "The sealed cards are opened" if event.whole else "The seal was broken: these cards are not used"


def _shuffled(event: t.CardsShuffled, _: object) -> str:
    return f"{event.count} cards are {'washed and ' if event.washed else ''}shuffled"


def _offered(event: t.CutOffered, _: object) -> str:
    return f"The cut is offered to {event.to[0]}" if event.to else "The dealer has the cards cut"


def _placed(event: t.CuttingCardPlaced, _: object) -> str:
    if event.behind < 0:
        return "The cards go into the shoe without the cutting card"
    return f"The cutting card goes in, {event.behind} cards behind it"


def _amounts(event: t.LimitsSet | t.LimitsAnnounced) -> str:
    limits = event.limits
    most = f", maximum {dollars(limits.maximum)}" if limits.maximum else ""
    box = f", {dollars(event.box_maximum)} a box" if event.box_maximum else ""
    return f"minimum {dollars(limits.minimum)}{most}{box}"


def _late_held(event: t.LateEntryHeld, _: object) -> str:
    if event.player:
        return f"{event.player} {'is held' if event.hold else 'is not held'} to the minimum for coming late"
    held = "are held to the minimum" if event.hold else "play without restriction"
    return f"Players who come late or sit out {held}"


def _boxes_allowed(event: t.BoxesAllowed, _: object) -> str:
    who = event.player or "Each player"
    boxes = "1 box" if event.boxes == 1 else f"{event.boxes} boxes"
    return f"{who} may play {boxes if event.boxes else 'any number of boxes'}"


def _side_bets(event: t.SideBetsOffered, _: object) -> str:
    bets = ", ".join(kind_words(None, name) for name in event.bets)
    return f"Side bets at this table: {bets}" if bets else "This table offers no side bets"


def _ruled(event: t.Ruled, _: object) -> str:
    approved = f", approved by {_role(event.approver)}" if event.approver else ""
    reason = f": {event.reason}" if event.reason else ""
    return f"Ruling of {_role(event.by)}{approved}: {RULINGS.get(event.what, event.what)}{reason}"


def _came(event: t.CuttingCardCame, _: object) -> str:
    where = {"first": "as the first card", "dealer": "at the dealer's hand"}.get(event.place, f"at box {event.place}")
    return f"The cutting card comes {where}"


def _noticed(event: t.ClosingNoticed, _: object) -> str:
    return f"Notice: this table closes {NOTICES.get(event.kind, '')}".rstrip()


def _reconstructed(event: t.RoundReconstructed, facts: dict[str, Any]) -> str:
    how = "dealt again" if event.way == "dealt_again" else "laid again"
    return f"The round is put right: its {facts['count']} cards are {how} in their order"


def _dispute(event: t.DisputeDecided, _: object) -> str:
    own = " as the house's own decision" if event.house else ""
    paid = f"; {event.player} {'receives' if event.amount > 0 else 'pays'} {dollars(abs(event.amount))}"
    money = paid if event.amount else ""
    return f"Dispute of {event.player} ({event.matter}), decided by {_role(event.by)}{own}: {event.decision}{money}"


TABLE_WORDS = cast(
    "dict[type[t.TableEvent], Callable[[Any, dict[str, Any]], str]]",
    {
        t.TableOpened: lambda _, __: "The table is open",
        t.CardsChecked: lambda event, _: f"The cards are checked by {_role(event.by)}",
        t.CardsShown: _shown,
        t.SealBroken: _seal,
        t.CardsShuffled: _shuffled,
        t.ShoeCommitted: lambda _, __: "The house has committed to this shoe",
        t.ShoeRevealed: lambda _, __: "The last shoe is revealed; it can be checked now",
        t.CutOffered: _offered,
        t.CutDeclined: lambda event, _: f"{event.player} passes the cut on",
        t.CardsCut: lambda event, _: f"{_begun(_role(event.by))} cuts {event.depth} cards",
        t.CuttingCardPlaced: _placed,
        t.DeviceLoaded: lambda event, _: f"The device is loaded with {event.count} cards",
        t.CardsBurned: lambda event, _: f"{_number(event.count)} burned face down",
        t.BurnShown: lambda event, _: f"{event.player} sees the burned card",
        t.PlayerSat: lambda event, _: f"{event.player} takes the seat at box {event.box}",
        t.PlayerLeft: lambda event, _: f"{event.player} leaves the table",
        t.LimitsSet: lambda event, _: f"The limits are now: {_amounts(event)}",
        t.LimitsAnnounced: lambda event, _: f"Notice: the limits will be {_amounts(event)}",
        t.SideBetsOffered: _side_bets,
        t.LateEntryHeld: _late_held,
        t.BoxesAllowed: _boxes_allowed,
        t.ControlTaken: lambda event, _: f"{event.player} gives up control of box {event.box}",
        t.HoursSet: lambda event, _: "The hours of gaming begin" if event.open else "The hours of gaming are over",
        t.PersonalLimitAllowed: lambda event, _: (
            f"{event.player} may stake up to {dollars(event.maximum)} on box {event.box}"
        ),
        t.PlayerRestricted: lambda event, _: f"{event.player} is held to few boxes at the minimum",
        t.PlayerExcluded: lambda event, _: f"{event.player} is excluded from the game",
        t.RoundBegan: lambda event, _: f"Round {event.number}: place your wagers",
        t.ControlDeclined: lambda event, _: f"{event.player} will not call the decisions for box {event.box}",
        t.Announced: lambda event, _: event.words,
        t.Ruled: _ruled,
        t.PartnersDeclared: lambda event, _: f"{' and '.join(event.players)} count as one player",
        t.RoundReconstructed: _reconstructed,
        t.ExtraHandRemoved: lambda _, facts: f"A hand too many is void, {_number(facts['count'])} burned",
        t.DisputeDecided: _dispute,
        t.CuttingCardCame: _came,
        t.ShuffleFellDue: lambda event, _: f"The cards are to be shuffled: {REASONS[event.why]}",
        t.DiscardsShuffled: lambda _, facts: f"The shoe is empty: {facts['count']} discards are shuffled and dealt",
        t.CardsCollected: lambda _, facts: f"{_number(facts['count'])} collected",
        t.DiscardsReturned: lambda _, facts: f"{facts['count']} discards go back into the device",
        t.CardsChanged: lambda event, _: f"The cards are changed: {event.reason}",
        t.CardReplaced: lambda _, __: "A damaged card is replaced by a fresh one of its kind",
        t.DeviceJammed: lambda _, __: "The device jammed and is loaded again",
        t.DeviceFailed: lambda _, __: "The device failed: an ordinary shoe takes its place",
        t.ClosingNoticed: _noticed,
        t.TableClosed: lambda _, __: "The table is closed",
        t.EarlierRoundVoided: lambda event, _: f"Round {event.number} is void: everything moved goes back",
        t.AmountOwed: lambda event, _: f"{event.player} owes {dollars(event.amount)}",
    },
)
"""One sentence for each."""


def _number(count: int) -> str:
    """Count cards.

    >>> _number(1), _number(5)
    ('One card is', '5 cards are')
    """
    return "One card is" if count == 1 else f"{count} cards are"


# --- in the round --------------------------------------------------------------------------------------

PLACE = ("box", "hand")
WHO = ("box", "player")
SETTLED = ("player", "box", "hand", "kind", "stake", "result", "odds", "net", "moment", "owner")
ROUND_FACTS: dict[type[Event], tuple[str, ...]] = {
    e.WagerPlaced: (*WHO, "stake", "offered", "warning"),
    e.SideWagerPlaced: (*WHO, "kind", "stake"),
    e.WagerTakenBack: (*WHO, "stake", "side"),
    e.NoMoreBetsCalled: (),
    e.CardDealt: ("card", *PLACE, "total", "soft"),
    e.OfferOpened: ("offer", "late"),
    e.OfferClosed: ("offer",),
    e.InsuranceMade: (*WHO, "owner_box", "owner", "amount"),
    e.InsuranceReduced: (*WHO, "owner_box", "owner", "amount", "returned"),
    e.Surrendered: WHO,
    e.SurrenderDeclined: WHO,
    e.ControlPassed: WHO,
    e.TurnCame: PLACE,
    e.CardCalled: PLACE,
    e.Stood: (*PLACE, "by"),
    e.PlayerWasAbsent: (*PLACE, "by"),
    e.Doubled: (*PLACE, "player", "amount", "fixed_aces", "joined"),
    e.SplitMade: (*PLACE, "player", "amount"),
    e.SplitCovered: (*PLACE, "player", "amount"),
    e.WagerRode: (*PLACE, "player", "on"),
    e.SplitBarred: ("box",),
    e.Kept: (*PLACE, "player"),
    e.DealersTurnCame: (),
    e.DealerStopped: (),
    e.Settled: SETTLED,
    e.Reversed: ("player", "box", "hand", "kind", "stake", "net", "owner"),
    e.CardBurned: ("card", "reason"),
    e.JokerDealt: (),
    e.CardExposed: ("card",),
    e.CardRefused: PLACE,
    e.HandSkipped: PLACE,
    e.SkipNoticed: PLACE,
    e.DealerSkipped: (),
    e.NoFirstCardNoticed: (),
    e.WagerWithdrawn: (*PLACE, "player"),
    e.BoxVoided: ("box",),
    e.RoundVoided: (),
    e.RoundEnded: (),
}
"""The fields of each event of a round that leave; where a hand lies face down, without what would show it."""


def _in_round(event: Event, table: Table, eye: Eye) -> EventView | None:
    """An event of the round, `table` being the one after it."""
    kind = type(event)
    facts = {key: getattr(event, key) for key in ROUND_FACTS[kind]}
    hidden = _is_of_hidden_hand(facts, table, eye)
    if hidden and isinstance(event, e.SplitBarred):  # that it was a pair is for its bettors
        return None
    if isinstance(event, e.CardDealt) and hidden:
        shown = event.card if len(_hand(table, facts).cards) > HELD else FACE_DOWN
        facts |= {"card": shown, "total": 0, "soft": False}
    if isinstance(event, e.CardBurned) and event.reason == UNSEEN:
        del facts["card"]
    sentence = ROUND_WORDS.get(kind)
    words = sentence(event, table, hidden) if sentence else _said(event, table)
    return EventView(kind.__name__, facts, e.clauses_of(event), _begun(words))


def _said(event: Event, table: Table) -> str:
    """The sentence of `view.events`, whose clauses a client gets apart."""
    assert table.round is not None
    return said(table.round, event).removesuffix(cited("", e.clauses_of(event)))


def _hand(table: Table, facts: dict[str, Any]) -> Hand:
    box = find_box(table.round, facts["box"]) if table.round is not None else None
    assert box is not None
    hands: tuple[Hand, ...] = box.hands
    return hands[int(facts["hand"]) - 1]


def _is_of_hidden_hand(facts: dict[str, Any], table: Table, eye: Eye) -> bool:
    if not table.face_down or table.round is None or not facts.get("box"):
        return False
    box = find_box(table.round, facts["box"])
    return box is not None and bool(box.hands) and is_hidden(table, box, box.hands[(facts.get("hand") or 1) - 1], eye)


def _place(table: Table, box: int, hand: int) -> str:
    assert table.round is not None
    return place_words(table.round, box, hand)


def _wager(event: e.WagerPlaced, table: Table, _: object) -> str:
    return _said(event, table) or f"{event.player} stakes {dollars(event.stake)} on box {event.box}"


def _side_wager(event: e.SideWagerPlaced, table: Table, _: object) -> str:
    return f"{event.player} stakes {dollars(event.stake)} on {kind_words(table.rules, event.kind)}, box {event.box}"


def _taken_back(event: e.WagerTakenBack, _: Table, __: object) -> str:
    return f"{event.player} takes {dollars(event.stake + event.side)} back from box {event.box}"


def _card(event: e.CardDealt, table: Table, hidden: object) -> str:
    """Everybody at the table hears it, so a place is named where somebody alone would hear "You"."""
    state = table.round
    assert state is not None
    if not event.box:
        total = f" = {dealer_words(state)}" if len(state.dealer) > 1 else ""
        return f"Dealer: {' '.join(state.dealer)}{total}"
    hand = _hand(table, {"box": event.box, "hand": event.hand})
    cards = " ".join(seen_cards(hand, hidden=bool(hidden)))
    total = f" = {hand_words(state, hand)}" if len(hand.cards) > 1 and not hidden else ""
    return f"{_place(table, event.box, event.hand)}: {cards}{total}"


def _stood(event: e.Stood, table: Table, hidden: object) -> str:
    hand = _hand(table, {"box": event.box, "hand": event.hand})
    rule = " by rule" if event.by == "rule" and not hand.doubled else ""
    total = "" if hidden else f" on {total_words(hand.total, soft=hand.soft)}"
    return f"{_place(table, event.box, event.hand)} stands{total}{rule}"


def _burned(event: e.CardBurned, _: Table, __: object) -> str:
    return "A card is burned unseen" if event.reason == UNSEEN else f"{event.card} is burned"


ROUND_WORDS = cast(
    "dict[type[Event], Callable[[Any, Table, bool], str]]",
    {
        e.WagerPlaced: _wager,
        e.SideWagerPlaced: _side_wager,
        e.WagerTakenBack: _taken_back,
        e.CardDealt: _card,
        e.OfferClosed: lambda event, _, __: f"No more {event.offer}",
        e.SurrenderDeclined: lambda event, _, __: f"{event.player} plays on, box {event.box}",
        e.TurnCame: lambda event, table, _: f"{_place(table, event.box, event.hand)} is in turn",
        e.CardCalled: lambda event, table, _: f"{_place(table, event.box, event.hand)} asks for a card",
        e.Stood: _stood,
        e.Kept: lambda event, table, _: f"{_place(table, event.box, event.hand)}: {event.player} keeps the double",
        e.DealersTurnCame: lambda _, __, ___: "The dealer's hand",
        e.CardBurned: _burned,
        e.DealerSkipped: lambda _, __, ___: "The initial deal went on without a card for the dealer",
        e.RoundEnded: lambda _, __, ___: "The round is settled",
    },
)
"""Sentences for a table with many people; for the rest those of `view.events` serve."""
