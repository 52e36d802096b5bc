"""The visible facts of a round event, and its sentence.

For each kind of event a row names the fields that are sent; anything else the sentence needs is added from the round.
The
words are made from these facts and nothing else, so they reveal no more than the facts do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from pontoon.engine import Event, Refusal, Round
from pontoon.engine import events as e
from pontoon.engine.state import Hand, find_box
from pontoon.view.catalogue import ENGLISH, event_words
from pontoon.view.words import hand_facts, kind_words, paid_title, total_facts, why

Facts: TypeAlias = dict[str, Any]

PLACE = ("box", "hand")
WHO = ("box", "player")
SETTLED = ("player", "box", "hand", "kind", "stake", "result", "odds", "net", "moment", "owner")
ROUND_FACTS: dict[type[Event], tuple[str, ...]] = {
    e.WagerPlaced: (*WHO, "stake", "offered", "warning"),
    e.SideWagerPlaced: (*WHO, "kind", "stake"),
    e.WagerTakenBack: (*WHO, "stake", "side"),
    e.NoMoreBetsCalled: (),
    e.CardDealt: ("card", *PLACE, "total", "soft"),
    e.OfferOpened: ("offer", "late", "decided", "by_house"),
    e.OfferClosed: ("offer",),
    e.InsuranceMade: (*WHO, "owner_box", "owner", "amount"),
    e.InsuranceDeclined: WHO,
    e.InsuranceReduced: (*WHO, "owner_box", "owner", "amount", "returned"),
    e.Surrendered: WHO,
    e.SurrenderDeclined: WHO,
    e.ControlPassed: WHO,
    e.TurnCame: PLACE,
    e.CardCalled: PLACE,
    e.Stood: (*PLACE, "by"),
    e.PlayerWasAbsent: (*PLACE, "by", "left"),
    e.BettorWasAbsent: WHO,
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
    e.CardBurned: ("card", "reason", "by_house"),
    e.JokerDealt: (),
    e.CardExposed: ("card", "by_house"),
    e.CardRefused: PLACE,
    e.HandSkipped: (*PLACE, "by_house"),
    e.CardMissed: (*PLACE, "by_house"),
    e.MissPutRight: (*PLACE, "by_house"),
    e.DoubleTakenBack: PLACE,
    e.SkipNoticed: PLACE,
    e.DealerSkipped: ("by_house",),
    e.NoFirstCardNoticed: (),
    e.WagerWithdrawn: (*PLACE, "player"),
    e.BoxVoided: ("box", "by_house"),
    e.HandVoided: (*PLACE, "by_house"),
    e.WagerVoided: (*WHO, "by_house"),
    e.RoundVoided: ("by_house",),
    e.RoundEnded: (),
}
"""The fields of each round event that are sent."""


# --- facts from around the event -----------------------------------------------------------------------


def _wager(state: Round, event: e.WagerPlaced) -> Facts:
    return {"minimum": state.limits.minimum} if event.warning == "below_minimum" else {}


def _side_wager(state: Round, event: e.SideWagerPlaced) -> Facts:
    return {"title": kind_words(state.rules, event.kind)}


def _taken_back(_: Round, event: e.WagerTakenBack) -> Facts:
    return {"amount": event.stake + event.side}


def _card(state: Round, event: e.CardDealt) -> Facts:
    """The cards of the hand and, from the second on, its total."""
    if event.box:
        hand = hand_of(state, event.box, event.hand)
        return {"cards": hand.cards, **({"counted": True, **hand_facts(state, hand)} if len(hand.cards) > 1 else {})}
    marks = {"counted": len(state.dealer) > 1, "pontoon": state.dealer_pontoon}
    facts = {"cards": state.dealer, **total_facts(event.total, soft=event.soft)}
    return facts | {key: True for key, is_so in marks.items() if is_so}


def _offer(state: Round, event: e.OfferOpened) -> Facts:
    return {"odds": str(state.rules.insurance.odds)} if event.offer == "insurance" else {}


def _insured(_: Round, event: e.InsuranceMade) -> Facts:
    return {"other": True} if (event.owner, event.owner_box) != (event.player, event.box) else {}


def _turn(state: Round, event: e.TurnCame) -> Facts:
    box = find_box(state, event.box)
    assert box is not None
    return {"player": box.controller}


def _stood(state: Round, event: e.Stood) -> Facts:
    hand = hand_of(state, event.box, event.hand)
    return total_facts(hand.total, soft=hand.soft) | ({"doubled": True} if hand.doubled else {})


def _settled(state: Round, event: e.Settled | e.Reversed) -> Facts:
    more = {"paid": paid_title(state, event)}
    if state.rules.side_bet(event.kind) is not None:
        more["title"] = kind_words(state.rules, event.kind)
    return {key: value for key, value in more.items() if value}


MORE_ROUND_FACTS = cast(
    "dict[type[Event], Callable[[Round, Any], Facts]]",
    {
        e.WagerPlaced: _wager,
        e.SideWagerPlaced: _side_wager,
        e.WagerTakenBack: _taken_back,
        e.CardDealt: _card,
        e.OfferOpened: _offer,
        e.InsuranceMade: _insured,
        e.TurnCame: _turn,
        e.Stood: _stood,
        e.Settled: _settled,
        e.Reversed: _settled,
    },
)
"""Facts a sentence needs besides the fields of its event; only those that apply."""


def hand_of(state: Round, box: int, number: int) -> Hand:
    """A hand by its place."""
    seat = find_box(state, box)
    assert seat is not None
    return seat.hands[number - 1]


def round_facts(state: Round, event: Event) -> Facts:
    """The visible facts of an event when cards are face up; `state` is the round after it."""
    kind = type(event)
    facts = {key: getattr(event, key) for key in ROUND_FACTS[kind]}
    more = MORE_ROUND_FACTS.get(kind)
    if more is not None:
        facts |= more(state, event)
    box = find_box(state, facts["box"]) if facts.get("box") else None
    if box is not None and facts.get("hand") and len(box.hands) > 1:
        facts["hands"] = len(box.hands)
    if box is not None and "player" in facts and len(box.bettors) > 1:
        facts["shared"] = True
    return facts


# --- for someone alone at a table ---------------------------------------------------------------------

QUIET = frozenset(
    {
        e.SideWagerPlaced,
        e.WagerTakenBack,
        e.OfferClosed,
        e.SurrenderDeclined,
        e.TurnCame,
        e.CardCalled,
        e.Kept,
        e.DealersTurnCame,
        e.DealerSkipped,
        e.RoundEnded,
    }
)
"""Events that are clear from the surrounding lines to a player on the only box."""


def said(state: Round, event: Event, language: str = ENGLISH) -> str:
    """One event as a sentence with its clauses; empty if another line already says it. `state` follows it."""
    facts = round_facts(state, event)
    waits = isinstance(event, e.CardDealt) and event.box and not facts.get("counted")
    plain = isinstance(event, e.WagerPlaced) and not event.warning
    if type(event) in QUIET or waits or plain:  # the first card of a hand waits for the second, which says both
        return ""
    if [len(box.hands) for box in state.boxes] == [1]:
        facts["you"] = True
    words = event_words(type(event).__name__, facts, language)
    # Cards are too frequent to cite clauses; everything else cites them.
    return words if not words or isinstance(event, e.CardDealt) else cited(words, e.clauses_of(event))


def refused(refusal: Refusal) -> str:
    """Say a refusal with its clauses."""
    return cited(f"Not allowed: {why(refusal)}", refusal.clauses)


def cited(words: str, clauses: tuple[str, ...]) -> str:
    """Append the clauses to a sentence, for plain text.

    >>> cited("Box 1: wager $25 wins 3:1, +$75", ("5.1(d)", "9.2"))
    'Box 1: wager $25 wins 3:1, +$75  [5.1(d) 9.2]'
    """
    return f"{words}  [{' '.join(clauses)}]" if clauses else words
