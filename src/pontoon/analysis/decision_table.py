"""The value of every decision against one upcard, as a table that answers any hand without the solver.

The solver fills it once for a rulebook, a number of packs and a stake (`decision_table_of`); kept in the cache, it then
answers in milliseconds and without numpy or numba (`decisions`). Hands of a split are not in it: they depend on the
pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from pontoon.analysis.answers import ActionValue, HandError, ShoeError, best_first, check_hand
from pontoon.cards import LIMIT, RANKS, Card, aces_in, is_pontoon, total

if TYPE_CHECKING:
    from pontoon.analysis.solver import Solver

Fixed = Literal["none", "first_two", "all"]
Plays = tuple[float | None, float, float | None]
"""Values of stand, hit and double; None if it is not allowed."""
PICTURES = "JQK"
SUITED = "678"
"""Ranks whose suits can decide a payout."""
SUITS = "cdhs"


class DecisionTable(Struct, frozen=True):
    """Every decision against one upcard, from a fresh shoe, in units of the first wager."""

    packs: int
    two: dict[str, dict[str, float]]
    """The two cards dealt, by ranks, with suits where they matter."""
    longer: dict[str, Plays]
    """Hands of three cards and more by ranks, and by aces among the first two where a double fixes those."""
    kept: dict[str, float]
    """Doubled hands that are kept, by ranks and counted total."""
    insurance: dict[str, float]
    """What the maximum insurance adds per unit staked, by the two cards dealt; empty unless the upcard is an ace."""
    insurance_most: float
    forfeit: float
    forfeit_highest: int
    fixed: Fixed
    """Which aces a double fixes at 1."""


# --- reading -------------------------------------------------------------------------------------------


def decisions(
    table: DecisionTable, hand: Sequence[Card], dealer: Card, *, doubled: bool = False
) -> tuple[ActionValue, ...]:
    """Every allowed decision on a hand that was not split, best first."""
    _check_shoe(table, (*hand, dealer))
    check_hand(hand, doubled=doubled)
    if doubled:
        return best_first(_doubled(table, hand))
    if len(hand) == 2:
        return best_first(table.two[two_key(hand, dealer)])
    key = ranks_of(hand)
    if table.fixed == "first_two" and (aces := aces_in(hand[:2])):
        key += f"/{aces}"
    named = zip(("stand", "hit", "double"), table.longer[key], strict=True)
    return best_first({action: value for action, value in named if value is not None})


def insurance_value(table: DecisionTable, hand: Sequence[Card]) -> float:
    """What the maximum insurance adds per unit staked, with these two cards against an ace."""
    return table.insurance[ranks_of(hand)]


def _check_shoe(table: DecisionTable, cards: Sequence[Card]) -> None:
    for card, count in Counter(cards).items():
        if count > table.packs:
            raise ShoeError(f"{card}: no more of them in the shoe")


def _doubled(table: DecisionTable, hand: Sequence[Card]) -> dict[str, float]:
    held = hand[:-1]
    fixed = {"none": 0, "first_two": aces_in(held[:2]), "all": aces_in(held)}[table.fixed]
    points = total(tuple(hand), fixed).points
    if points >= LIMIT:
        raise HandError(f"{' '.join(hand)} counts {points} when doubled: settled at once, nothing is left to decide")
    values = {"keep": table.kept[f"{ranks_of(hand)}:{points}"]}
    if points <= table.forfeit_highest:
        values["forfeit"] = table.forfeit
    return values


def ranks_of(hand: Sequence[Card]) -> str:
    """The ranks of a hand in order, pictures alike.

    >>> ranks_of(("7s", "Jd", "Ah"))
    'A7K'
    """
    return "".join(sorted(("K" if card[0] in PICTURES else card[0] for card in hand), key=RANKS.index))


def two_key(hand: Sequence[Card], dealer: Card) -> str:
    """Two cards as the table names them: pairs of pictures by rank, 6, 7 and 8 by suit.

    >>> two_key(("Jd", "7s"), "6h"), two_key(("Kd", "Js"), "6h"), two_key(("8d", "7d"), "6h")
    ('7K', 'JK', '78dd h')
    """
    first, second = sorted(hand, key=lambda card: RANKS.index(card[0]))
    if first[0] in PICTURES and second[0] in PICTURES:
        return first[0] + second[0]
    key = ranks_of(hand)
    if first[0] in SUITED and second[0] in SUITED:
        key += first[1] + second[1] + (f" {dealer[1]}" if dealer[0] in SUITED else "")
    return key


# --- filling -------------------------------------------------------------------------------------------


def decision_table_of(solver: Solver, dealer: str) -> DecisionTable:
    """The table against an upcard of this rank; the solver's shoe is fresh."""
    from pontoon.analysis import kernels  # noqa: PLC0415 reading a table needs neither numpy nor numba
    from pontoon.analysis.hands import VALUES, value_of  # noqa: PLC0415

    board = solver.board(value_of(Card(dealer + "h")))
    fixed = int(board.switches[kernels.FIXED])
    names: dict[int, Fixed] = {kernels.FIXED_NONE: "none", kernels.FIXED_FIRST_TWO: "first_two"}
    insured = dealer == "A"
    return DecisionTable(
        packs=solver.packs,
        two=dict(_two_cards(solver, dealer)),
        longer=dict(_longer(solver, dealer)),
        kept=dict(_kept(solver, dealer)),
        insurance={
            VALUES[low] + VALUES[high]: float(solver.insurance(0, (low, high)))
            for low, high in combinations_with_replacement(range(10), 2)
            if insured
        },
        insurance_most=float(solver.game.insurance_most),
        forfeit=float(solver.money.forfeit),
        forfeit_highest=solver.game.forfeit_highest,
        fixed=names.get(fixed, "all"),
    )


def _two_cards(solver: Solver, dealer: str) -> Iterator[tuple[str, dict[str, float]]]:
    """Every two cards that the table distinguishes, in suits that need to be distinguished."""
    for first, second in combinations_with_replacement(RANKS, 2):
        pictures = first in PICTURES, second in PICTURES
        if any(pictures) and not all(pictures) and "K" not in (first, second):
            continue
        suited = first in SUITED and second in SUITED
        own = list(product(SUITS, repeat=2)) if suited else [("c", "d")]
        for suits in own:
            for shown in SUITS if suited and dealer in SUITED else "h":
                hand, upcard = (Card(first + suits[0]), Card(second + suits[1])), Card(dealer + shown)
                if not is_pontoon(hand) and max(Counter((*hand, upcard)).values()) <= solver.packs:
                    values = solver.action_values(hand, upcard)
                    yield two_key(hand, upcard), {value.action: value.value for value in values}


def _longer(solver: Solver, dealer: str) -> Iterator[tuple[str, Plays]]:
    from pontoon.analysis import kernels  # noqa: PLC0415 as above
    from pontoon.analysis.hands import value_of  # noqa: PLC0415

    board = solver.board(value_of(Card(dealer + "h")))
    hands, first_two = board.table.hands, board.switches[kernels.FIXED] == kernels.FIXED_FIRST_TWO
    size, flags, aces_held = hands.size.tolist(), board.flags.tolist(), hands.counts[:, 0].tolist()
    for place in board.picks.tolist():
        if size[place] == 2 or flags[place] & kernels.PAID:
            continue
        for aces in range(min(2, aces_held[place]) + 1 if first_two else 1):
            stand, hit, double = board.quality[place, aces].tolist()
            may_stand, may_double = flags[place] & kernels.MAY_STAND, flags[place] & kernels.MAY_DOUBLE
            mark = f"/{aces}" if aces else ""
            yield hands.letters(place) + mark, (stand if may_stand else None, hit, double if may_double else None)


def _kept(solver: Solver, dealer: str) -> Iterator[tuple[str, float]]:
    """Doubled hands that are kept: counted hard, and soft if an ace may count 11."""
    from pontoon.analysis.hands import value_of  # noqa: PLC0415 as above

    board, money = solver.board(value_of(Card(dealer + "h"))), solver.money
    hands, against = board.table.hands, board.arithmetic.kernel["against"]
    pays = (money.doubled_win, money.doubled_lose, money.doubled_tie, money.doubled_pontoon)
    for place in board.picks.tolist():
        letters, hard = hands.letters(place), int(hands.hard[place])
        for points in {hard, hard + 10} if "A" in letters else {hard}:
            if points < LIMIT and len(letters) > 2:
                yield f"{letters}:{points}", float(against(board.results[place], points, *pays))
