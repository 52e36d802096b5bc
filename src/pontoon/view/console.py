"""The dealer's console: what a person who deals does next, with its clause, and what to pay and to whom, in order.

`next_act` asks the table what it would accept now; it holds no rule. Where an act needs nothing but a word from the
dealer, its command is there, ready to send.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from msgspec import Struct

from pontoon.engine import CallNoMoreBets, CloseOffer, Reversed, Round, Settled
from pontoon.engine.dealing import next_place
from pontoon.engine.state import Hand, Phase, box_in_turn, find_box, hand_in_turn
from pontoon.rulebook import Clauses
from pontoon.table import Table, refusal
from pontoon.table import commands as c
from pontoon.table.control import controller_of
from pontoon.table.cutting import cutting_card_range, seen_before_shoe
from pontoon.table.state import TablePhase
from pontoon.view.catalogue import ENGLISH, say
from pontoon.view.command_words import command_words
from pontoon.view.words import hand_words, kind_words, paid_title, settlement_words, total_words

ActKind = Literal["deal", "ask", "announce", "prepare", "wait"]
"""deal: a card is due; ask: a player decides; announce: a word of the dealer; prepare: cards; wait: another player."""
PayKind = Literal["pay", "take", "leave", "give_back", "take_back"]


class ActView(Struct, frozen=True):
    """What comes next: an act in a few words, what it is about, what follows, and its clauses."""

    kind: ActKind
    words: str
    detail: str = ""
    then: tuple[str, ...] = ()
    clauses: Clauses = ()
    by: str = "dealer"
    """The role that does it."""
    box: int = 0
    hand: int = 0
    command: Any = None
    """Ready to send; where `least` and `most` are given, with a number between them in `field`."""
    other: Any = None
    """What may be done instead, such as declining the cut."""
    field: str = ""
    least: int = 0
    most: int = 0


class OtherAct(Struct, frozen=True):
    """Something a dealer may do now apart from what comes next: a jam, a request of a player."""

    words: str
    command: c.TableCommand


class PaymentView(Struct, frozen=True):
    """One line of the settlement: what to do with the chips of one wager."""

    box: int
    hand: int
    player: str
    act: PayKind
    amount: int
    """Cents that change hands."""
    stake: int
    net: int
    words: str
    clauses: Clauses
    kind: str = "main"
    at_once: bool = False
    """Due in the course of the round, before the next card."""


# --- the next act --------------------------------------------------------------------------------------


def next_act(table: Table, language: str = ENGLISH) -> ActView:
    """What the table asks for now."""
    return _PHASES[table.phase](table, language)


def other_acts(table: Table, language: str = ENGLISH) -> tuple[OtherAct, ...]:
    """What else the table would accept from its dealer: the device, the seal, requests of players, control."""
    allowed = (command for command in _others(table) if refusal(table, command) is None)
    return tuple(OtherAct(command_words(command, language), command) for command in allowed)


def _others(table: Table) -> Iterator[c.TableCommand]:
    yield from (c.ClearJam(), c.FailDevice(), c.BreakSeal(whole=False))
    yield from (c.OrderShuffle("dealer", "exposed"), c.OrderShuffle("dealer", "vacant"))
    boxes = table.round.boxes if table.round is not None and table.phase == "ready" else ()
    yield from (c.DeclineControl(controller_of(table, box.number), box.number) for box in boxes)
    players = [seat.player for seat in table.seats]
    yield from (ask(player) for ask in (c.AskShuffle, c.ShowBurn) for player in players)
    yield from (c.AskCards(player) for player in players[:1])  # everybody hears it


def _act(kind: ActKind, key: str, language: str, clauses: Clauses, facts: dict[str, Any], **more: Any) -> ActView:  # noqa: ANN401 fields of an act
    words, detail = say(f"console.{key}", facts, language), say(f"console.{key}_detail", facts, language)
    return ActView(kind, words, detail, clauses=clauses, **more)


def _closed(table: Table, language: str) -> ActView:
    return _act("wait", "open", language, table.rules.table.opened, {}, by="game_supervisor", command=c.Open())


def _preparing(table: Table, language: str) -> ActView:
    """What the table still wants before the shuffle, in its own words: the seal, a check, a look at the cards."""
    rules = table.rules
    if table.sealed and "seal" not in table.checked:
        return _act("prepare", "seal", language, rules.table.seal, {}, command=c.BreakSeal(whole=True))
    no = refusal(table, c.Shuffle())
    if no is not None and no.code == "not_checked":
        role = str(no.facts["by"])
        kind: ActKind = "prepare" if role == "dealer" else "wait"
        facts = {"role": role, "count": table.size}
        command = c.CheckCards(role)  # type: ignore[arg-type] # the rulebook names roles
        return _act(kind, "check", language, no.clauses, facts, by=role, command=command)
    if no is not None and no.code == "nobody_saw_the_cards":
        facts = {"player": table.first_player, "minutes": rules.shoe.spread_minutes}
        show = c.ShowCards(table.first_player)
        ready = refusal(table, show) is None
        return _act("prepare", "show", language, no.clauses, facts, command=show if ready else None)
    return _shuffle(table, language)


def _shuffle(table: Table, language: str) -> ActView:
    rules = table.rules
    washed = table.new_cards and rules.shoe.wash
    clauses = (washed and rules.table.washed) or rules.table.shuffled
    facts = {"count": table.size, "new": washed}
    return _act("prepare", "shuffle", language, clauses, facts, command=c.Shuffle())


def _shuffled(table: Table, language: str) -> ActView:
    if seen_before_shoe(table):
        return _shuffle(table, language)
    by = table.offered[0] if table.offered else table.rules.cut.nobody
    no = refusal(table, c.Cut(by, -1))
    low, high = (int(str(no.facts["low"])), int(str(no.facts["high"]))) if no and no.code == "cut_depth" else (0, 0)
    other = c.DeclineCut(by) if table.offered else None
    command = c.Cut(by, (low + high) // 2)
    facts = {"by": by, "least": low, "most": high}
    return _act(
        "prepare", "cut", language, table.rules.table.cut_offered, facts,
        command=command, other=other, field="depth", least=low, most=high,
    )  # fmt: skip


def _cut(table: Table, language: str) -> ActView:
    if seen_before_shoe(table):
        return _shuffle(table, language)
    low, high = cutting_card_range(table)
    command = c.PlaceCuttingCard(min(max(low, table.shoe.left // 4), high))
    return _act(
        "prepare", "cutting_card", language, table.rules.table.cutting_card, {"least": low, "most": high},
        command=command, field="behind", least=low, most=high,
    )  # fmt: skip


def _ready(table: Table, language: str) -> ActView:
    wagered = table.round is not None and bool(table.round.boxes)
    rules = table.rules
    if not wagered and table.due:
        return _preparing(table, language)
    if not wagered and refusal(table, c.BurnFirst()) is None:
        return _act("prepare", "burn", language, rules.clauses("shoe.burn_first"), {}, command=c.BurnFirst())
    if not wagered and not table.by_hand and refusal(table, c.ReturnDiscards(())) is None:
        facts = {"count": len(table.shoe.discards)}
        command = c.ReturnDiscards(())
        return _act("prepare", "return_discards", language, rules.table.discards_returned, facts, command=command)
    if not wagered:
        return _act("ask", "wagers", language, rules.cites.wager_placed, {"number": table.number + 1})
    assert table.round is not None
    boxes = tuple(str(box.number) for box in table.round.boxes)
    return _act(
        "announce", "no_more_bets", language, rules.cites.no_more_bets, {"boxes": boxes},
        command=CallNoMoreBets(),
    )  # fmt: skip


def _collect(table: Table, language: str) -> ActView:
    clauses = table.rules.table.collected or table.rules.cites.turn
    return _act("announce", "collect", language, clauses, {"number": table.number}, command=c.Collect())


def _in_round(table: Table, language: str) -> ActView:
    state = table.round
    assert state is not None
    if table.due == "first":
        return _shuffle(table, language)
    place = next_place(state)
    if place is not None and not table.shoe.left:
        command = c.ShuffleDiscards((), "dealer", 0)
        no = refusal(table, command)
        may = no is None or no.code == "needs_second_person"  # then it is proposed
        clauses = table.rules.clauses("irregular.too_few")
        return _act("prepare", "shuffle_discards", language, clauses, {}, command=command if may else None)
    if place is not None:
        return _card(table, state, place, language)
    if state.phase == "decision":
        return _decision(state, language)
    return _offer(state, language)


_PHASES: dict[TablePhase, Callable[[Table, str], ActView]] = {
    "closed": _closed,
    "preparing": _preparing,
    "shuffled": _shuffled,
    "cut": _cut,
    "ready": _ready,
    "round": _in_round,
    "collect": _collect,
}


def _initial_clauses(state: Round) -> Clauses:
    place, cites = next_place(state), state.rules.cites
    if place is not None and place[0] == 0:
        return cites.deal_dealer
    return cites.deal_second if state.dealer else cites.deal_first


def _drawn_clauses(state: Round) -> Clauses:
    hand, cites = hand_in_turn(state), state.rules.cites
    if hand.doubled:
        return cites.double_card
    return cites.split_order if hand.split and len(hand.cards) == 1 else cites.card_drawn


_CARD_CLAUSES: dict[Phase, Callable[[Round], Clauses]] = {
    "initial_deal": _initial_clauses,
    "card": _drawn_clauses,
    "first_card": lambda state: state.rules.clauses("irregular.missing_first"),
    "dealer": lambda state: state.rules.cites.dealer_second,
}


def _card(table: Table, state: Round, place: tuple[int, int], language: str) -> ActView:
    box, number = place
    seat = find_box(state, box)
    several = seat is not None and len(seat.hands) > 1
    total = total_words(state.dealer_total, soft=state.dealer_soft, language=language)
    facts = {
        "box": box,
        "hand": number if several else 0,
        "player": seat.controller if seat is not None else "",
        "known": state.exposed,
        "first": state.phase == "initial_deal" and state.cards_used == 0,
        "total": total if box == 0 and state.dealer else "",
    }
    clauses = _CARD_CLAUSES[state.phase](state) if state.phase in _CARD_CLAUSES else state.rules.cites.card_drawn
    act = _act("deal", "card", language, clauses, facts, box=box, hand=number)
    return _then(act, _after_card(table, state, place, language))


def _then(act: ActView, lines: Iterator[str]) -> ActView:
    first = tuple(line for line, _ in zip(lines, range(2), strict=False))
    return ActView(act.kind, act.words, act.detail, first, act.clauses, act.by, act.box, act.hand)


def _after_card(_: Table, state: Round, place: tuple[int, int], language: str) -> Iterator[str]:
    if state.phase == "initial_deal":
        boxes = [box.number for box in state.boxes if box.number > place[0] > 0]
        yield from (say("console.then_card", {"box": box}, language) for box in boxes)
        if place[0] and not state.dealer:
            yield say("console.then_card", {"box": 0}, language)
        yield say("console.then_second" if not state.dealer else "console.then_offers", {}, language)
        return
    if place[0] == 0:
        yield say("console.then_settle", {}, language)
        return
    seat = find_box(state, place[0])
    player = seat.controller if seat is not None else ""
    yield say("console.then_decides", {"player": player, "box": place[0]}, language)
    yield from _coming(state, language)


def _coming(state: Round, language: str) -> Iterator[str]:
    """Who comes after the current hand."""
    for box in state.boxes:
        if box.number > state.turn[0] and any(hand.live and not hand.stood for hand in box.hands):
            yield say("console.then_decides", {"player": box.controller, "box": box.number}, language)
    yield say("console.then_dealer", {}, language)


def _decision(state: Round, language: str) -> ActView:
    box, hand = box_in_turn(state), hand_in_turn(state)
    facts = {
        "player": box.controller,
        "box": box.number,
        "hand": state.turn[1] if len(box.hands) > 1 else 0,
        "total": total_words(hand.total, soft=hand.soft, language=language),
        "known": state.exposed,
    }
    act = _act("ask", "decision", language, state.rules.cites.turn, facts, box=box.number, hand=state.turn[1])
    return _then(act, _coming(state, language))


def _offer(state: Round, language: str) -> ActView:
    cites = state.rules.cites
    clauses: dict[Phase, Clauses] = {
        "insurance": cites.insurance_offered,
        "surrender": cites.surrender_offered,
        "forfeit": cites.forfeited,
        "withdraw": state.rules.clauses("irregular.missing_card"),
    }
    facts = {"offer": state.phase, "box": state.turn[0], "player": state.offer_to[1]}
    found = clauses.get(state.phase, cites.turn)
    return _act("announce", "offer", language, found, facts, box=state.turn[0], command=CloseOffer())


# --- payments ------------------------------------------------------------------------------------------


def payments(table: Table, language: str = ENGLISH) -> tuple[PaymentView, ...]:
    """What every wager that is decided asks for, in the order of the settlement."""
    state = table.round
    if state is None:
        return ()
    return tuple(_payment(state, settlement, language) for settlement in state.settlements)


def _payment(state: Round, one: Settled | Reversed, language: str) -> PaymentView:
    act: PayKind = "pay" if one.net > 0 else "take" if one.net < 0 else "leave"
    if isinstance(one, Reversed):
        act = "take_back" if one.net < 0 else "give_back"
    words = _reason(state, one, language)
    at_once = isinstance(one, Settled) and one.moment != "final"
    return PaymentView(
        one.box, one.hand, one.player, act, abs(one.net), one.stake, one.net, words, one.clauses, one.kind, at_once
    )  # fmt: skip


def _reason(state: Round, one: Settled | Reversed, language: str) -> str:
    """Why: the hand and the result of the wager, or the wager and the row that paid it."""
    outcome = settlement_words(one, language)
    hand = _hand(state, one)
    if one.kind == "main" and hand is not None:
        return f"{hand_words(state, hand, language)}: {outcome}"
    row = paid_title(state, one)
    return f"{kind_words(state.rules, one.kind, language)}{f', {row}' if row else ''}: {outcome}"


def _hand(state: Round, one: Settled | Reversed) -> Hand | None:
    box = find_box(state, one.box)
    return box.hands[one.hand - 1] if box is not None and 0 < one.hand <= len(box.hands) else None
