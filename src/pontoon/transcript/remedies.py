"""What may be done about an error, as rows: kind of error, the document's way with it, the remedies.

A row rests on the clauses beside the value that the rulebook has for its kind; `ruling` tries it on the cards.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pontoon.rulebook import Clauses, Rulebook
from pontoon.rulebook.explain import Sentence, explain

Who = Literal["nobody", "inspector", "management", "operator"]
Asks = Literal["always", "reconstruct", "void", "directs", "never"]
Moment = Literal["", "initial_deal", "in_turn", "passed", "dealer_stands", "dealer_breaks", "dealer_pontoon"]

KINDS = {
    "face_up": "irregular.face_up",
    "hidden": "irregular.hidden",
    "exposed": "irregular.exposed",
    "burned": "irregular.burned",
    "dealer_excess": "irregular.dealer_excess",
    "misplaced": "irregular.misplaced",
    "found_late": "irregular.found_late",
    "missing_card": "irregular.missing_card",
    "missing_first": "irregular.missing_first",
    "superfluous": "irregular.superfluous",
    "too_few": "irregular.too_few",
    "damaged": "irregular.damaged",
    "missed_insurance": "irregular.missed_offer",
    "missed_surrender": "irregular.missed_offer",
    "absent": "draw.absent_by",
    "cutting_card_missing": "cut.missing",
    "cutting_card_passed": "cut.passed",
}
"""Every kind of error, with the key of the rulebook that decides it."""

WRONG_PLACE = ("misplaced", "missing_card", "missing_first", "superfluous")
"""Errors in dealing: without a rule of its own each is a card in the wrong place."""


class Approval(Struct, frozen=True):
    """Who must agree before the remedy is carried out."""

    who: Who
    clauses: Clauses = ()


class Remedy(Struct, frozen=True):
    """One thing the document lets the table do."""

    name: str
    words: str
    clauses: Clauses
    approval: Approval
    lines: tuple[str, ...] = ()
    """What is entered now."""
    later: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """What is entered when a box has its turn."""


class Row(Struct, frozen=True):
    """A remedy before it meets a table: `{box}` and `{card}` stand for those of the case."""

    name: str
    words: str
    lines: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    """Each entered when the box has its turn; `+` between lines that are entered together."""
    moments: tuple[Moment, ...] = ()
    """When it is open; empty is always."""
    pick: Clauses = ()
    """The clauses it rests on, of those beside the value; a document without any of them has no such remedy."""
    key: str = ""
    """Another value of the rulebook that it rests on."""
    asks: Asks = "always"


class Entry(Struct, frozen=True):
    """One row of the list: a kind of error under one rulebook."""

    kind: str
    says: Sentence
    silent: bool
    approvals: tuple[Approval, ...]


_USE = Row("use it", "{card} is dealt where the next card belongs.")
_PUT_RIGHT = Row(
    "put right",
    "The cards are laid as they should have come (below: in the order they left the shoe); play goes on from there.",
    asks="reconstruct",
)
_VOID_HAND = Row(
    "void box {box}",
    "Only if it cannot be put right: box {box} is void, its wagers go back, its cards to the discards.",
    lines=("supervisor void b{box}",),
    key="irregular.void_hand",
    pick=("16.5(a)", "16.5", "10.7"),
    asks="void",
)
_VOID_ALL = Row(
    "void round",
    "Only if all hands are touched and cannot be put right: every wager goes back.",
    lines=("supervisor void round",),
    key="irregular.void_round",
    pick=("16.5", "16.5(a)"),
    asks="void",
)
_IMPRACTICAL = Row(
    "void round",
    "Only if it is impractical to go on: every wager goes back.",
    lines=("supervisor void round",),
    key="irregular.void_round",
    pick=("17.3",),
    asks="void",
)
_PLAYING: tuple[Moment, ...] = ("in_turn",)
_RESHUFFLE = "The round is finished as it is; the cards are shuffled right after it."

ROWS: dict[tuple[str, str], tuple[Row, ...]] = {
    ("face_up", "burned"): (
        Row(
            "burn it",
            "{card} goes to the discards; the next card takes its place.",
            lines=("dealer burn {card}",),
        ),
    ),
    ("hidden", "next_card"): (_USE,),
    ("exposed", "refusable"): (
        Row(
            "accept",
            "Box {box} takes {card} as its next card.",
            lines=("dealer exposed", "b{box} hit"),
            moments=_PLAYING,
        ),
        Row(
            "refuse",
            "Box {box} gets no more cards this round; {card} goes to the next hand that draws, else to the dealer.",
            lines=("dealer exposed", "b{box} refuse"),
            moments=_PLAYING,
        ),
        Row("use it", "Before the end of the initial deal {card} goes to the next box.", moments=("initial_deal",)),
    ),
    ("exposed", "next_card"): (
        Row(
            "use it",
            "{card} goes to the next hand that draws, else to the dealer; nobody may refuse it.",
            lines=("dealer exposed",),
            moments=_PLAYING,
        ),
        Row("use it", "{card} is dealt where the next card belongs.", moments=("initial_deal",)),
    ),
    ("burned", "stays_burned"): (
        Row(
            "leave it",
            "{card} stays in the discards; the next card takes its place.",
            lines=("dealer burn {card}",),
        ),
    ),
    ("burned", "next_card"): (Row("use it", "{card} comes back unseen and is dealt as the next card."),),
    ("dealer_excess", "burned"): (
        Row(
            "burn it",
            "{card} goes to the discards; the dealer's hand stands without it.",
            lines=("dealer burn {card}",),
        ),
    ),
    ("misplaced", "reconstruct_or_void"): (_PUT_RIGHT, _VOID_HAND, _VOID_ALL),
    ("misplaced", "reconstruct"): (_PUT_RIGHT, _IMPRACTICAL),
    ("found_late", "round_void"): (
        Row(
            "void round",
            "This round is void: everything wagered or paid goes back. Later rounds stand.",
            lines=("supervisor void round",),
        ),
    ),
    ("missing_card", "withdraw_or_draw"): (
        Row(
            "put right",
            "The initial deal is laid again as it should have come.",
            moments=("initial_deal",),
            pick=("105(a)",),
            key="irregular.misplaced",
            asks="reconstruct",
        ),
        Row(
            "draw",
            "In its turn box {box} draws and plays on; co-bettors follow or withdraw.",
            later=("b{box} hit",),
            moments=("in_turn",),
            pick=("105(b)", "108"),
        ),
        Row(
            "withdraw",
            "In its turn box {box} takes its wager back; co-bettors' wagers are void.",
            later=("dealer skipped b{box}+dealer noticed b{box}", "b{box} withdraw"),
            moments=("in_turn",),
            pick=("105(b)", "107"),
        ),
        Row(
            "draw",
            "After the others, before the dealer's second card, box {box} draws; co-bettors follow or withdraw.",
            lines=("dealer noticed b{box}",),
            later=("b{box} hit",),
            moments=("passed",),
            pick=("105(c)", "108"),
        ),
        Row(
            "withdraw",
            "After the others, before the dealer's second card, box {box} takes its wager back; co-bettors' are void.",
            lines=("dealer noticed b{box}",),
            later=("b{box} withdraw",),
            moments=("passed",),
            pick=("105(c)", "107"),
        ),
        Row(
            "draw",
            "Box {box} draws or stands against the dealer's total; no double, no split. Co-bettors follow or withdraw.",
            later=("b{box} hit",),
            moments=("dealer_stands",),
            pick=("106", "106(b)", "106(d)", "108"),
        ),
        Row(
            "withdraw",
            "Box {box} takes its wager back; co-bettors' wagers are void.",
            later=("b{box} withdraw",),
            moments=("dealer_stands",),
            pick=("106", "106(b)", "107"),
        ),
        Row(
            "pay",
            "The dealer broke: box {box} is paid as a winner without a card.",
            moments=("dealer_breaks",),
            pick=("106", "106(a)"),
        ),
        Row(
            "stand-off",
            "The dealer has pontoon: box {box} stands off without a card.",
            moments=("dealer_pontoon",),
            pick=("106", "106(c)"),
        ),
    ),
    ("missing_first", "next_card"): (
        Row(
            "put right",
            "The initial deal is laid again as it should have come.",
            moments=("initial_deal",),
            pick=("105(a)",),
            key="irregular.misplaced",
            asks="reconstruct",
        ),
        Row(
            "play on",
            "The next card is the dealer's first; all play on. Ace and ten are then 21, not pontoon; no insurance.",
            lines=("dealer skipped dealer",),
            moments=_PLAYING,
        ),
        Row(
            "withdraw",
            "The next card is the dealer's first; whoever wishes takes the wager back (below: all of them).",
            lines=("dealer skipped dealer", "{withdrawers}"),
            moments=_PLAYING,
        ),
    ),
    ("superfluous", "void"): (
        Row("put right", "The initial deal is laid again as it should have come.", moments=("initial_deal",)),
        Row(
            "void hand",
            "The hand too many is void and its cards are burned; the other hands stand.",
            lines=("supervisor void b{box}",),
            moments=_PLAYING,
        ),
    ),
    ("too_few", "discards"): (
        Row("use discards", "The discards are shuffled, cut and put in the shoe; the round goes on. Cards dealt stay."),
    ),
    ("damaged", "after_round"): (
        Row("go on", "The round is finished with it; the card is replaced afterwards.", asks="never"),
    ),
    ("missed_insurance", "still_open"): (
        Row(
            "offered, taken",
            "The offer is made now, to everybody not yet paid (below: all insure for the most allowed).",
            lines=("dealer omitted insurance", "{insurers}"),
            pick=("16.11",),
        ),
        Row(
            "offered, declined",
            "The offer is made now and nobody insures.",
            ("dealer omitted insurance",),
            pick=("16.11",),
        ),
    ),
    ("missed_surrender", "still_open"): (
        Row(
            "offered, taken",
            "The offer is made now, to every hand without a further card (below: all of those surrender).",
            lines=("dealer omitted surrender", "{surrenderers}"),
            pick=("16.12",),
        ),
        Row(
            "offered, declined",
            "The offer is made now and nobody surrenders.",
            lines=("dealer omitted surrender",),
            pick=("16.12",),
        ),
    ),
    ("absent", "supervisor"): (
        Row(
            "deal to 12",
            "If nobody else may decide, cards are dealt to box {box} up to 12 or more by direction.",
            later=("b{box} absent",),
            asks="directs",
        ),
    ),
    ("absent", "dealer"): (
        Row(
            "deal to 12",
            "The dealer deals cards to box {box} up to 12 or more, unasked.",
            later=("b{box} absent",),
            asks="never",
        ),
    ),
    ("cutting_card_missing", "reshuffle_after_round"): (Row("reshuffle", _RESHUFFLE, asks="never"),),
    ("cutting_card_missing", "deal_to_end"): (
        Row("deal on", "Dealing goes on to the end of the shoe; then the cards are shuffled.", asks="never"),
    ),
    ("cutting_card_passed", "reshuffle_after_round"): (Row("reshuffle", _RESHUFFLE, asks="never"),),
    ("cutting_card_passed", "rounds_stand"): (
        Row("let it stand", "Rounds dealt since then stand; a round in progress is finished.", asks="never"),
    ),
}
"""Kind of error and the document's way with it (the value of the rulebook): what may be done."""


def says(rules: Rulebook, kind: str) -> Sentence:
    """What the document says about a kind of error."""
    key = KINDS[kind]
    return next(one for chapter in explain(rules) for one in chapter.sentences if one.key == key)


def silent(sentence: Sentence) -> bool:
    """No rule; outside the irregularities a note tells where a value is only how we read the silence."""
    return sentence.value == "silent" or (
        not sentence.key.startswith("irregular.") and "silent" in sentence.note.lower()
    )


def rows_of(rules: Rulebook, kind: str) -> tuple[Row, ...]:
    """The remedies of a kind under one rulebook, at any moment."""
    value = str(says(rules, kind).value)
    if kind in WRONG_PLACE and value == "reconstruct":
        kind, value = "misplaced", rules.irregular.misplaced
    rows = ROWS.get((kind, value), ())
    return tuple(row for row in rows if not row.pick or cited(rules, kind, row))


def cited(rules: Rulebook, kind: str, row: Row) -> Clauses:
    """The clauses a row rests on."""
    clauses = rules.clauses(row.key or KINDS[kind])
    return tuple(clause for clause in clauses if not row.pick or clause in row.pick)


def approval(rules: Rulebook, kind: str, row: Row, moment: str) -> Approval:
    """Who approves: an inspector every time, or the operator where hands are put right or void, or nobody."""
    asked, own = rules.irregular.approval, rules.clauses("irregular.approval")
    if row.asks == "never":
        return Approval("nobody")
    if row.asks == "directs":
        return Approval("operator", cited(rules, kind, row))
    if asked == "inspector":
        full = row.asks == "reconstruct" and moment != "initial_deal"
        return Approval("management" if full else "inspector", own)
    if asked == "operator" and row.asks in ("reconstruct", "void"):
        return Approval("operator", own)
    return Approval("operator", cited(rules, kind, row)) if row.asks == "void" else Approval("nobody")


def listing(rules: Rulebook) -> tuple[Entry, ...]:
    """Every kind of error: what the document does, and who approves.

    >>> from pontoon.rulebook import load
    >>> first = listing(load("adelaide"))[0]
    >>> first.kind, first.says.clauses, first.approvals[0].who
    ('face_up', ('101',), 'inspector')
    """
    entries = []
    for kind in KINDS:
        sentence = says(rules, kind)
        approvals = [
            approval(rules, kind, row, moment) for row in rows_of(rules, kind) for moment in row.moments or ("",)
        ]
        entries.append(Entry(kind, sentence, silent(sentence), tuple(dict.fromkeys(approvals))))
    return tuple(entries)
