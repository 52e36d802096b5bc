"""Side bets as data: who may place one, its limits, and a pay table over the first cards of a box.

A row of a pay table names the cards it looks at and what must be true of them, in a small vocabulary:
`same rank`, `same value`, `same colour`, `same suit`, `run`, `suited run`, `total 20`, `total 19 to 21`, `cards Qh Qh`
(a rank alone is any suit). Rows are tried in order; the first that matches pays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import Annotated, Literal

from msgspec import Struct

from pontoon.cards import PACK, RANKS, SUITS, Card, points, total
from pontoon.cards.card import is_red
from pontoon.money import Cents, Odds
from pontoon.rulebook.section import Clauses, Says, Section

Look = Literal["hand", "hand_and_upcard", "either_with_upcard", "both_with_upcard"]

LOOKS: dict[str, str] = {
    "hand": "the first two cards of the box",
    "hand_and_upcard": "the first two cards of the box and the dealer's upcard together",
    "either_with_upcard": "one of the first two cards of the box together with the dealer's upcard",
    "both_with_upcard": "each of the first two cards of the box together with the dealer's upcard",
}
"""The cards that a row considers."""

KEPT_NAMES = frozenset({"main", "double", "insurance", "super_bonus", "envy_bonus"})
"""Names of other wagers in settlements, which no side bet may have."""


class SideBet(Section, frozen=True):
    """A wager on the first cards of a box, in addition to the Pontoon wager."""

    name: str
    title: str
    offered: Annotated[bool, Says("{title} may be offered.", no="{title} is not offered.")]
    decks: Annotated[tuple[int, ...], Says("{title} may be offered with {} packs.", example="[6, 7, 8]")]
    who: Annotated[
        Literal["bettor", "anyone"],
        Says(
            {
                "bettor": "{title} needs the bettor's own Pontoon wager on that box, else it is void.",
                "anyone": "{title} may be made on any box that carries a Pontoon wager.",
            }
        ),
    ]
    most_per_box: Annotated[int, Says("At most {} {title} wagers stand on one box.", example="3", least=1, most=7)]
    minimum: Annotated[
        Cents,
        Says("The minimum for {title} is ${}.", no="The table's sign sets the minimum for {title}.", example='"5"'),
    ]
    maximum: Annotated[
        Cents,
        Says("The maximum for {title} is ${}.", no="The table's sign sets the maximum for {title}.", example='"100"'),
    ]
    multiple: Annotated[
        Cents,
        Says(
            "{title} is wagered in multiples of ${}.",
            no="{title} need not be a multiple of any amount.",
            example='"5"',
        ),
    ]
    compulsory: Annotated[
        bool,
        Says(
            "Every Pontoon wager must come with a {title} wager.",
            no="Nobody has to make a {title} wager.",
        ),
    ]
    settled: Annotated[
        Literal["initial_deal", "final"],
        Says(
            {
                "initial_deal": "{title} is settled after the initial deal.",
                "final": "{title} is settled with the hand at the end of the round.",
            }
        ),
    ]
    instead_of: Annotated[
        tuple[str, ...],
        Says(
            "{title} is offered instead of {}, never alongside it.",
            no="{title} may be offered with any other side bet.",
            example='["perfect_pairs"]',
        ),
    ]
    placed: Annotated[Clauses, Says("A {title} wager stands before the first card is dealt.")]
    once: Annotated[Clauses, Says("One person has one {title} wager on a box.")]
    void: Annotated[Clauses, Says("{title} without the Pontoon wager it needs is void.")]
    places: Annotated[Clauses, Says("{title} beyond the places of a box is returned.")]
    won: Annotated[Clauses, Says("{title} wins when a row of its pay table fits.")]
    lost: Annotated[Clauses, Says("{title} loses when no row of its pay table fits.")]
    pays: tuple[PayRow, ...]


class PayRow(Struct, frozen=True):
    """One row of a pay table: the condition on the cards, and the odds."""

    name: str
    title: str
    cards: Look
    when: tuple[Condition, ...]
    odds: Odds


class Condition(Struct, frozen=True):
    """One condition on the cards of a row, as written in the file."""

    text: str
    test: str
    """The condition's word in the vocabulary."""
    low: int = 0
    high: int = 0
    faces: tuple[str, ...] = ()


VALUE_FIELDS = (
    "offered",
    "decks",
    "who",
    "most_per_box",
    "minimum",
    "maximum",
    "multiple",
    "compulsory",
    "settled",
    "instead_of",
)
CITE_FIELDS = ("placed", "once", "void", "places", "won", "lost")

OPTIONAL: dict[str, object] = {
    "offered": True,
    "who": "bettor",
    "most_per_box": 3,
    "minimum": "0",
    "maximum": "0",
    "multiple": "0",
    "compulsory": False,
    "settled": "initial_deal",
    "instead_of": [],
}
"""Defaults of a side bet; an omitted `decks` means every number of packs that the rulebook allows."""


# --- conditions ----------------------------------------------------------------------------------------

VOCABULARY = (
    "same rank",
    "same value",
    "same colour",
    "same suit",
    "run",
    "suited run",
    "total N",
    "total N to M",
    "cards Qh Qh",
)
_TOTAL = re.compile(r"total (\d{1,2})(?: to (\d{1,2}))?")
_FACE = re.compile(rf"[{''.join(RANKS)}][{''.join(SUITS)}]?")
_RUN_ORDER = {
    rank: place for place, rank in enumerate(("A", "2", "3", "4", "5", "6", "7", "8", "9", "", "J", "Q", "K"))
}
"""Positions in a run. The missing ten leaves a gap: 9 and J are not consecutive."""
_ACE_HIGH = 13


def read_condition(text: object) -> Condition | None:
    """Parse one condition; None if it is not in the vocabulary.

    >>> read_condition("total 19 to 21").low, read_condition("cards Qh Q").faces, read_condition("same sex")
    (19, ('Qh', 'Q'), None)
    """
    if not isinstance(text, str) or not text.strip():
        return None
    if text in VOCABULARY[:6]:
        return Condition(text, text)
    if match := _TOTAL.fullmatch(text):
        low = int(match[1])
        return Condition(text, "total", low, int(match[2] or low))
    word, *faces = text.split()
    if word == "cards" and faces and all(map(_FACE.fullmatch, faces)):
        return Condition(text, "cards", faces=tuple(faces))
    return None


def holds(condition: Condition, cards: Sequence[Card]) -> bool:
    """Whether these cards satisfy a condition.

    >>> holds(read_condition("suited run"), [Card("Qs"), Card("As"), Card("Ks")])
    True
    >>> holds(read_condition("cards Q Qh"), [Card("Qh"), Card("Qs")])
    True
    """
    match condition.test:
        case "same rank":
            return len({card[0] for card in cards}) == 1
        case "same value":
            return len({points(card) for card in cards}) == 1
        case "same colour":
            return len({is_red(card) for card in cards}) == 1
        case "same suit":
            return len({card[1] for card in cards}) == 1
        case "run":
            return _is_run(cards)
        case "suited run":
            return len({card[1] for card in cards}) == 1 and _is_run(cards)
        case "total":
            return condition.low <= total(tuple(cards)).points <= condition.high
        case _:
            return _are(condition.faces, cards)


def _is_run(cards: Sequence[Card]) -> bool:
    places = [_RUN_ORDER[card[0]] for card in cards]
    high = [_ACE_HIGH if place == 0 else place for place in places]
    return _consecutive(places) or _consecutive(high)


def _consecutive(places: Sequence[int]) -> bool:
    return len(set(places)) == len(places) and max(places) - min(places) == len(places) - 1


def _are(faces: tuple[str, ...], cards: Sequence[Card]) -> bool:
    """Whether the cards are the named ones in any order; a rank alone matches any suit."""
    if len(faces) != len(cards):
        return False
    if all(len(face) > 1 for face in faces):
        return Counter(faces) == Counter(map(str, cards))
    return any(all(map(str.startswith, order, faces)) for order in permutations(map(str, cards)))


def fits(row: PayRow, hand: Sequence[Card], upcard: Card) -> bool:
    """Whether the first two cards of a box and the upcard satisfy a row of a pay table."""
    match row.cards:
        case "hand":
            return all(holds(condition, hand) for condition in row.when)
        case "hand_and_upcard":
            return all(holds(condition, (*hand, upcard)) for condition in row.when)
        case "either_with_upcard":
            return any(all(holds(condition, (card, upcard)) for condition in row.when) for card in hand)
        case _:
            return all(holds(condition, (card, upcard)) for card in hand for condition in row.when)


def row_paid(bet: SideBet, hand: Sequence[Card], upcard: Card) -> PayRow | None:
    """The first row of the pay table that fits; None loses."""
    return next((row for row in bet.pays if fits(row, hand, upcard)), None)


def uses_upcard(bet: SideBet) -> bool:
    """Whether the pay table uses the dealer's upcard."""
    return any(row.cards != "hand" for row in bet.pays)


@cache
def reachable(bet: SideBet, row: PayRow) -> bool:
    """Whether any cards are paid by this row and not by an earlier one."""
    upcards = PACK if uses_upcard(bet) else PACK[:1]
    return any(
        row_paid(bet, (first, second), upcard) == row
        for first, second in combinations_with_replacement(PACK, 2)
        for upcard in upcards
    )
