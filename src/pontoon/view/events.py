"""Events in sentences: one line for each that a person at the table wants to hear, nothing for the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from pontoon.engine import Event, Refusal, Round, evolve
from pontoon.engine import events as e
from pontoon.engine.state import Hand, find_box
from pontoon.money import dollars
from pontoon.view.words import (
    KINDS,
    dealer_words,
    hand_words,
    money_words,
    place_words,
    row_words,
    settlement_words,
    total_words,
    wager_words,
    why,
)

TWO = 2
BONUSES = ("super_bonus", "envy_bonus")


def narrated(state: Round, events: Iterable[Event]) -> Iterator[str]:
    """The lines of these events, each said of the table as it was right after it."""
    for event in events:
        state = evolve(state, event)
        line = said(state, event)
        if line:
            yield line


def said(state: Round, event: Event) -> str:
    """Say one event with its clauses; empty where another line says it already. `state` is the table after it."""
    sentence = _SENTENCES.get(type(event))
    words = sentence(state, event) if sentence else ""
    if words and getattr(event, "by_house", False):
        words = f"{words}, by the house's own decision"
    # Cards come too often to be followed by a clause each; everything else names what it rests on.
    return words if not words or isinstance(event, e.CardDealt) else cited(words, e.clauses_of(event))


def refused(refusal: Refusal) -> str:
    """Say a refusal with its clauses."""
    return cited(f"Not allowed: {why(refusal)}", refusal.clauses)


def cited(words: str, clauses: tuple[str, ...]) -> str:
    """Put the clauses behind a sentence.

    >>> cited("box 1: wager 25.00 wins 3:1, +75.00", ("5.1(d)", "9.2"))
    'box 1: wager 25.00 wins 3:1, +75.00  [5.1(d) 9.2]'
    """
    return f"{words}  [{' '.join(clauses)}]" if clauses else words


def hand_line(state: Round, box: int, number: int) -> str:
    """A hand with its cards and total; for somebody with the only hand on the table simply "You"."""
    hand = _hand(state, box, number)
    place = place_words(state, box, number)
    who = "You" if _only_hand(state) else place.capitalize()
    return f"{who}: {' '.join(hand.cards)} = {hand_words(state, hand)}"


def _only_hand(state: Round) -> bool:
    return [len(box.hands) for box in state.boxes] == [1]


def _hand(state: Round, box: int, number: int) -> Hand:
    seat = find_box(state, box)
    assert seat is not None
    return seat.hands[number - 1]


def _who(state: Round, box: int, hand: int, player: str) -> str:
    """The place; with several bettors on the box the name too."""
    seat = find_box(state, box)
    place = place_words(state, box, hand)
    return f"{place}, {player}" if seat is not None and len(seat.bettors) > 1 else place


def _wager(state: Round, event: e.WagerPlaced) -> str:
    """Only a wager that the limits touched needs a word."""
    place, limits = f"box {event.box}", state.limits
    match event.warning:
        case "below_minimum":
            return f"{place}: {dollars(event.stake)} is below the minimum of {dollars(limits.minimum)}; it plays"
        case "above_maximum":
            return f"{place}: {dollars(event.offered)} is above the maximum; {dollars(event.stake)} plays"
        case "":
            return ""


def _card(state: Round, event: e.CardDealt) -> str:
    """The first card of a hand waits for the second, which says both."""
    if event.box:
        cards = _hand(state, event.box, event.hand).cards
        return hand_line(state, event.box, event.hand) if len(cards) >= TWO else ""
    cards = state.dealer
    return f"Dealer: {' '.join(cards)}" + (f" = {dealer_words(state)}" if len(cards) >= TWO else "")


def _offer(state: Round, event: e.OfferOpened) -> str:
    match event.offer:
        case "insurance":
            odds = state.rules.insurance.odds
            return f"The dealer shows an ace: insurance against pontoon is offered at {odds}"
        case "surrender":
            return "Surrender is offered: half the wager is given up, all of it if the dealer makes pontoon"
        case "forfeit":
            return "Forfeit is offered: the double comes back, the first wager is lost"
        case "withdraw" if event.decided:
            decided = "draws" if event.decided == "draw" else "stands"
            return f"The controller {decided}: the others on this hand may withdraw, before any card"
        case "withdraw":
            return "The dealer had no first card: everybody may withdraw the wager or play on"


def _insured(state: Round, event: e.InsuranceMade) -> str:
    return f"{_who(state, event.owner_box, 0, event.player)}: insured for {dollars(event.amount)}"


def _insurance_declined(state: Round, event: e.InsuranceDeclined) -> str:
    return f"{_who(state, event.box, 0, event.player)}: no insurance"


def _insurance_reduced(state: Round, event: e.InsuranceReduced) -> str:
    who = _who(state, event.owner_box, 0, event.player)
    return f"{who}: insurance cut to {dollars(event.amount)}, {dollars(event.returned)} comes back"


def _surrendered(state: Round, event: e.Surrendered) -> str:
    return f"{_who(state, event.box, 0, event.player)}: surrendered"


def _control(state: Round, event: e.ControlPassed) -> str:  # noqa: ARG001 one shape for all sentences
    return f"box {event.box}: {event.player} now calls the decisions"


def _stood(state: Round, event: e.Stood) -> str:
    hand = _hand(state, event.box, event.hand)
    rule = " by rule" if event.by == "rule" and not hand.doubled else ""
    who = "You stand" if _only_hand(state) else f"{place_words(state, event.box, event.hand).capitalize()} stands"
    return f"{who} on {total_words(hand.total, soft=hand.soft)}{rule}"


def _absent(state: Round, event: e.PlayerWasAbsent) -> str:
    place = place_words(state, event.box, event.hand)
    if event.left:
        return f"{place}: nobody is there, the hand is left as it is"
    return f"{place}: nobody is there, the {event.by} plays the hand"


def _bettor_absent(state: Round, event: e.BettorWasAbsent) -> str:  # noqa: ARG001 one shape for all sentences
    return f"box {event.box}: {event.player} is not there"


def _doubled(state: Round, event: e.Doubled) -> str:
    who = _who(state, event.box, event.hand, event.player)
    aces = ", the ace counts 1" if event.fixed_aces == 1 else ", the aces count 1" if event.fixed_aces else ""
    return f"{who}: doubled with {dollars(event.amount)}{aces}"


def _split(state: Round, event: e.SplitMade) -> str:  # noqa: ARG001 one shape for all sentences
    return f"box {event.box}: split, {dollars(event.amount)} on the second hand"


def _covered(state: Round, event: e.SplitCovered) -> str:
    return f"{_who(state, event.box, 0, event.player)}: covers the split with {dollars(event.amount)}"


def _rode(state: Round, event: e.WagerRode) -> str:
    return f"{_who(state, event.box, 0, event.player)}: rides hand {event.on} of the split"


def _barred(state: Round, event: e.SplitBarred) -> str:  # noqa: ARG001 one shape for all sentences
    return f"box {event.box}: the pair was not split, so no further split on this box"


def _stopped(state: Round, event: e.DealerStopped) -> str:  # noqa: ARG001 one shape for all sentences
    return "The dealer takes no more cards: they would change nothing"


def _settled(state: Round, event: e.Settled) -> str:
    who = _who(state, event.box, event.hand, event.player)
    if event.kind in BONUSES:
        return f"{who}: {KINDS[event.kind]}, {money_words(event.net)}"
    words = f"{settlement_words(event)}{row_words(state, event)}"
    return f"{who}: {wager_words(state.rules, event)} {words}, {money_words(event.net)}"


def _reversed(state: Round, event: e.Reversed) -> str:
    who = _who(state, event.box, event.hand, event.player)
    return f"{who}: {wager_words(state.rules, event)} is undone, {money_words(event.net)}"


def _burned(state: Round, event: e.CardBurned) -> str:  # noqa: ARG001 one shape for all sentences
    return f"{event.card} is burned"


def _joker(state: Round, event: e.JokerDealt) -> str:  # noqa: ARG001 one shape for all sentences
    return "The joker: the next card takes its place"


def _exposed(state: Round, event: e.CardExposed) -> str:  # noqa: ARG001 one shape for all sentences
    return f"{event.card} was drawn in error and seen; it is the next card"


def _refused_card(state: Round, event: e.CardRefused) -> str:
    return f"{place_words(state, event.box, event.hand)}: refuses the card and gets no more this round"


def _skipped(state: Round, event: e.HandSkipped) -> str:
    return f"{place_words(state, event.box, event.hand)}: passed over by mistake"


def _missed(state: Round, event: e.CardMissed) -> str:
    return f"{place_words(state, event.box, event.hand)}: its card was not dealt"


def _put_right(state: Round, event: e.MissPutRight) -> str:
    return f"{place_words(state, event.box, event.hand)}: a card was missing; the cards lie as they should have"


def _double_back(state: Round, event: e.DoubleTakenBack) -> str:
    return f"{place_words(state, event.box, event.hand)}: draws rather than doubles, the double comes back"


def _noticed(state: Round, event: e.SkipNoticed) -> str:
    return f"{place_words(state, event.box, event.hand)}: will be finished before the dealer's second card"


def _no_first_card(state: Round, event: e.NoFirstCardNoticed) -> str:  # noqa: ARG001 one shape for all sentences
    return "The dealer has no first card: the next card is it"


def _withdrawn(state: Round, event: e.WagerWithdrawn) -> str:
    return f"{_who(state, event.box, 0, event.player)}: withdraws"


def _box_voided(state: Round, event: e.BoxVoided) -> str:  # noqa: ARG001 one shape for all sentences
    return f"box {event.box} is declared void"


def _hand_voided(state: Round, event: e.HandVoided) -> str:
    return f"{place_words(state, event.box, event.hand)} is declared void"


def _wager_voided(state: Round, event: e.WagerVoided) -> str:  # noqa: ARG001 one shape for all sentences
    return f"box {event.box}: the wagers of {event.player} are declared void"


def _round_voided(state: Round, event: e.RoundVoided) -> str:  # noqa: ARG001 one shape for all sentences
    return "The round is declared void"


_SENTENCES = cast(
    "dict[type[Event], Callable[[Round, Any], str]]",
    {
        e.WagerPlaced: _wager,
        e.CardDealt: _card,
        e.OfferOpened: _offer,
        e.InsuranceMade: _insured,
        e.InsuranceDeclined: _insurance_declined,
        e.InsuranceReduced: _insurance_reduced,
        e.Surrendered: _surrendered,
        e.ControlPassed: _control,
        e.Stood: _stood,
        e.PlayerWasAbsent: _absent,
        e.BettorWasAbsent: _bettor_absent,
        e.Doubled: _doubled,
        e.SplitMade: _split,
        e.SplitCovered: _covered,
        e.WagerRode: _rode,
        e.SplitBarred: _barred,
        e.DealerStopped: _stopped,
        e.Settled: _settled,
        e.Reversed: _reversed,
        e.CardBurned: _burned,
        e.JokerDealt: _joker,
        e.CardExposed: _exposed,
        e.CardRefused: _refused_card,
        e.HandSkipped: _skipped,
        e.CardMissed: _missed,
        e.MissPutRight: _put_right,
        e.DoubleTakenBack: _double_back,
        e.SkipNoticed: _noticed,
        e.NoFirstCardNoticed: _no_first_card,
        e.WagerWithdrawn: _withdrawn,
        e.BoxVoided: _box_voided,
        e.HandVoided: _hand_voided,
        e.WagerVoided: _wager_voided,
        e.RoundVoided: _round_voided,
    },
)
"""Each kind of event that is said, with its sentence; what is not here is clear from the lines around it."""
