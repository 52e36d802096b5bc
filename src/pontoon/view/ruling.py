"""A ruling for a pit boss: the error, what may be done and who approves, then cards and money side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from pontoon.engine import Round
from pontoon.money import dollars
from pontoon.rulebook import NAMES, Rulebook
from pontoon.rulebook.register import find
from pontoon.transcript.remedies import Approval, Entry
from pontoon.transcript.ruling import Outcome, Position, Ruling
from pontoon.view.rules import bracketed
from pontoon.view.settlement import columns, headline
from pontoon.view.words import dealer_words, hand_words, money_words, place_words, wager_words

WIDTH = 110
HOUSE = "house"
OPEN = "open"
NET = "net if all stand now"
ERRORS = {
    "face_up": "a card face up in the shoe",
    "hidden": "a card drawn in error, not seen",
    "exposed": "a card drawn in error and seen",
    "burned": "a card burned in error",
    "dealer_excess": "a card too many to the dealer",
    "misplaced": "a card in the wrong place",
    "found_late": "a card in the wrong place, found after the next round began",
    "missing_card": "a hand passed over",
    "missing_first": "the dealer without a first card",
    "superfluous": "a hand too many",
    "too_few": "the shoe ran out",
    "damaged": "a damaged card",
    "missed_insurance": "insurance was not offered",
    "missed_surrender": "surrender was not offered",
    "absent": "nobody there to decide",
    "cutting_card_missing": "no cutting card in the shoe",
    "cutting_card_passed": "the cutting card passed over",
}
HOUSE_ERRORS = {
    "wrong_pay": "the amount paid was not the amount due",
    "late_bet": "a wager made or changed after the call",
    "card_found": "a card found outside the shoe",
}
"""Errors that no key of a rulebook decides."""
APPROVERS = {
    "nobody": "nobody; the document requires no approval",
    "inspector": "Table Inspector or Pit Boss, before play goes on",
    "management": "Table Games Management supervises, Inspector or Pit Boss approves",
    "operator": "casino operator",
}
WAITS = {
    "initial_deal": "the initial deal goes on",
    "insurance": "insurance is offered",
    "surrender": "surrender is offered",
    "forfeit": "box {box} may forfeit",
    "decision": "box {box} decides",
    "card": "box {box} gets a card",
    "first_card": "the dealer's first card",
    "withdraw": "wagers may be withdrawn",
    "dealer": "dealer's turn",
    "ended": "settled",
}


def approver(one: Approval) -> str:
    """Who must approve, with the clauses.

    >>> approver(Approval("operator", ("16.5(a)",)))
    'casino operator [16.5(a)]'
    """
    return APPROVERS[one.who] + bracketed(one.clauses)


def ruling_lines(ruling: Ruling) -> list[str]:
    """The whole answer."""
    return [*_head(ruling), "", *_remedies(ruling), *_side_by_side(ruling), *_returns(ruling)]


def _head(ruling: Ruling) -> Iterator[str]:
    transcript, rules = ruling.transcript, ruling.rules
    yield headline(rules, transcript.decks or rules.decks.default)
    where = ", ".join(([f"box {ruling.box}"] if ruling.box else []) + ([ruling.card] if ruling.card else []))
    yield f"Error: {(ERRORS | HOUSE_ERRORS)[ruling.kind]}" + (f" ({where})" if where else "")
    if ruling.silent:
        yield from decision(rules)
        return
    yield from _wrapped("", ruling.says.text)
    if ruling.says.note:
        yield from _wrapped("  note: ", ruling.says.note)


def decision(rules: Rulebook) -> Iterator[str]:
    """Who decides if the document has no rule."""
    yield f"NO RULE: {rules.about.name} says nothing about this. The house decides."
    source = rules.sources["table.dispute"]
    note = source.note.removeprefix("Silent").strip(" ;:.")
    if note:
        yield from _wrapped("  Disputes: ", note + bracketed(source.clauses))
        return
    for number in source.clauses:
        clause = find(rules.about.name, number) if rules.about.name in NAMES else None  # other books have no register
        words = clause.text if clause else "A clause of the document decides disputes."
        yield from _wrapped("  ", words + bracketed((number,)))
    if not source.clauses:
        yield "  The document names nobody for disputes."


def _remedies(ruling: Ruling) -> Iterator[str]:
    """The remedies; the approver is given once if it is the same for all."""
    approvals = {outcome.remedy.approval for outcome in ruling.outcomes}
    if ruling.silent and ruling.outcomes:
        yield from _wrapped("As this program plays it: ", ruling.says.note)
    elif len(approvals) == 1:
        yield f"APPROVES: {approver(*approvals)}"
    for number, outcome in enumerate(ruling.outcomes, 1):
        remedy = outcome.remedy
        yield from _wrapped(f"{number} {remedy.name.upper()}: ", remedy.words + bracketed(remedy.clauses))
        if len(approvals) > 1:
            yield f"    approves: {approver(remedy.approval)}"
        if outcome.strike:
            yield from _wrapped("    strike: ", ", ".join(outcome.strike))
        entered = [*outcome.enter, *(text for _, lines in remedy.later for text in lines)]
        if entered:
            yield from _wrapped("    enter: ", ", ".join(entered))
        if outcome.refused:
            yield from _wrapped("    NOT NOW: ", outcome.refused)
    if ruling.wants_box:
        yield "  (--box N shows a hand void)"
    if ruling.outcomes:
        yield ""


def _side_by_side(ruling: Ruling) -> Iterator[str]:
    """Cards and money: a column for the table as it is, one for each remedy."""
    tried = [(number, one) for number, one in enumerate(ruling.outcomes, 1) if one.after]
    places = [ruling.before, *(one.after for _, one in tried if one.after)]
    blank = ["" for _ in places]
    rows: list[Sequence[str]] = [("", "at the error", *(f"{number} {one.remedy.name}" for number, one in tried))]
    rows.append(("dealer", *(_dealer(place.state) for place in places)))
    rows += [(name, *(show(place.state) for place in places)) for name, show in _hands(ruling.before.state)]
    rows.append(("next", *(_waits(place.state) for place in places)))
    players = ruling.transcript.players
    if any(any(place.chips.values()) for place in places):
        rows.append(("chips on the layout", *blank))
        rows += [(f"  {name}", *(dollars(place.chips[name]) for place in places)) for name in players]
    rows.append((NET if any(place.state.phase != "ended" for place in places) else "net", *blank))
    if any(place.end is not None and place.end.dealer != place.state.dealer for place in places):
        rows.append(("  (dealer then)", *(_dealer(place.end) if place.end else OPEN for place in places)))
    rows += [(f"  {name}", *(_net(place, name) for place in places)) for name in (*players, HOUSE)]
    yield from columns(rows)
    if any(place.end is None for place in places):
        yield "open: the cards given do not reach to the end of the round"


def _hands(state: Round) -> list[tuple[str, Callable[[Round], str]]]:
    """Every hand on the layout with its name; no remedy makes more of them."""
    return [
        (place_words(state, box.number, number), _hand_at(place, number - 1))
        for place, box in enumerate(state.boxes)
        for number in range(1, len(box.hands) + 1)
    ]


def _hand_at(box: int, index: int) -> Callable[[Round], str]:
    def show(state: Round) -> str:
        hand = state.boxes[box].hands[index]
        void = bool(hand.wagers) and all(wager.result == "void" for wager in hand.wagers)
        words = "void" if void else f"= {hand_words(state, hand)}"
        return f"{' '.join(hand.cards)} {words}" if hand.cards else "no card"

    return show


def _dealer(state: Round) -> str:
    cards = " ".join(state.dealer) or "no card"
    return f"{cards} = {dealer_words(state)}" if len(state.dealer) > 1 else cards


def _waits(state: Round) -> str:
    return WAITS[state.phase].format(box=state.turn[0])


def _net(position: Position, name: str) -> str:
    amounts = position.net if position.if_stood is None else position.if_stood
    words = money_words(-sum(amounts.values()) if name == HOUSE else amounts[name])
    if position.if_stood is not None:
        return words
    return f"{words} so far" if any(amounts.values()) else OPEN


def _returns(ruling: Ruling) -> Iterator[str]:
    """Amounts returned when payments are undone."""
    for number, outcome in enumerate(ruling.outcomes, 1):
        if not outcome.mirror:
            continue
        yield from ("", f"What {number} {outcome.remedy.name} undoes")
        rows = [
            (
                f"  {settlement.player}",
                f"box {settlement.box}",
                wager_words(ruling.before.state.rules, settlement),
                "returns" if settlement.net < 0 else "gets back",
                dollars(abs(settlement.net)),
            )
            for settlement in outcome.mirror
            if settlement.net
        ]
        yield from columns(rows, right={4})
        for player in ruling.transcript.players:
            total = sum(settlement.net for settlement in outcome.mirror if settlement.player == player)
            if total:
                yield f"  In all {player} {'returns' if total < 0 else 'gets back'} {dollars(abs(total))}."


def _wrapped(lead: str, words: str) -> list[str]:
    return wrap(lead + words, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


# --- the list -------------------------------------------------------------------------------------------


def list_lines(rules: Rulebook, entries: Sequence[Entry]) -> list[str]:
    """Every kind of error under one rulebook."""
    lines = [f"{rules.about.name}: what the document does about each error"]
    if all(entry.silent for entry in entries if entry.kind in ERRORS):
        lines += decision(rules)
    for entry in entries:
        lines += ["", f"{entry.kind}: {(ERRORS | HOUSE_ERRORS)[entry.kind]}"]
        lines += _wrapped("  ", ("NO RULE. " if entry.silent else "") + entry.says.text + bracketed(entry.says.clauses))
        if not entry.silent:
            lines += _wrapped("  approves: ", "; ".join(approver(approval) for approval in entry.approvals))
    return lines


# --- for programs ---------------------------------------------------------------------------------------


def ruling_data(ruling: Ruling) -> dict[str, object]:
    """The answer as a JSON object."""
    return {
        "rulebook": ruling.rules.about.name,
        "error": {"kind": ruling.kind, "box": ruling.box or None, "card": ruling.card or None},
        "document": {
            "silent": ruling.silent,
            "says": ruling.says.text,
            "clauses": list(ruling.says.clauses),
            "note": ruling.says.note,
        },
        "disputes": list(ruling.rules.table.dispute),
        "before": _position_data(ruling.before),
        "remedies": [_outcome_data(outcome) for outcome in ruling.outcomes],
    }


def _outcome_data(outcome: Outcome) -> dict[str, object]:
    remedy = outcome.remedy
    return {
        "name": remedy.name,
        "words": remedy.words,
        "clauses": list(remedy.clauses),
        "approval": _approval_data(remedy.approval),
        "lines": list(remedy.lines),
        "strike": list(outcome.strike),
        "enter": list(outcome.enter),
        "later": [{"box": box, "lines": list(lines)} for box, lines in remedy.later],
        "after": _position_data(outcome.after) if outcome.after else None,
        "undone": [
            {
                "player": settlement.player,
                "box": settlement.box,
                "kind": settlement.kind,
                "net": dollars(settlement.net),
            }
            for settlement in outcome.mirror
        ],
        "refused": outcome.refused or None,
    }


def _approval_data(one: Approval) -> dict[str, object]:
    return {"who": one.who, "clauses": list(one.clauses)}


def _position_data(position: Position) -> dict[str, object]:
    state, end = position.state, position.if_stood
    return {
        "phase": state.phase,
        "turn": state.turn[0] or None,
        "dealer": list(state.dealer),
        "boxes": [
            {"box": box.number, "hands": [{"cards": list(hand.cards), "total": hand.total} for hand in box.hands]}
            for box in state.boxes
        ],
        "chips": _money(position.chips),
        "net": _money(position.net),
        "if_all_stand": None if end is None else {**_money(end), "house": dollars(-sum(end.values()))},
        "cards_used": state.cards_used,
    }


def _money(amounts: dict[str, int]) -> dict[str, str]:
    return {player: dollars(amount) for player, amount in amounts.items()}


def list_data(entries: Sequence[Entry]) -> list[dict[str, object]]:
    """The list as rows."""
    return [
        {
            "kind": entry.kind,
            "silent": entry.silent,
            "says": entry.says.text,
            "clauses": list(entry.says.clauses),
            "note": entry.says.note,
            "approvals": [_approval_data(approval) for approval in entry.approvals],
        }
        for entry in entries
    ]
