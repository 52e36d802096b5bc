"""A strategy chart: one code for each total and upcard, as `pontoon chart --format json` prints it.

    {"rulebook": "star", "decks": 8, "upcards": ["2", ..., "9", "K", "A"],
     "hard":    {"16": {"2": {"code": "S5"}, ...}, ...},    totals 4 to 20
     "soft":    {"17": {"2": {"code": "H"}, ...}, ...},     totals 12 to 20
     "pairs":   {"88": {"2": {"code": "P"}, ...}, ...},     "22" to "99", "AA", "KK"; omitted pairs play by their total
     "forfeit": {"16": {"A": {"code": "F"}, ...}, ...},     totals after a double's card; F forfeit, anything else keep
     "insurance": "never",                                  or "always"; optional
     "digest": "eb6ac0fd7792", "book": "{...}"}             the rules it was made for; optional

Codes: S stand, H hit, D double, P split, R surrender, else hit; RS, RP, RD: surrender, else stand, split, double.
A digit after S or D (S5, D4): hit with that many cards or more. A mark after that applies to 6-7, 6-8 and 7-8 only:
* hit whatever the suits, ' hit if suited, " hit if both are spades. P$: split, but hit suited 7-7 against a 7.
^ after the code of a soft total: but double if the hand has an ace that it drew, beyond its first two cards (a double
fixes those at 1); where "split_aces_free" is true, a hand of a split may double with any ace. If a code is not allowed,
S becomes a hit, P the code of the total, and D a hit below hard 17 or soft 18 and otherwise a stand.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec
from msgspec import Struct

from pontoon.cards import Card, aces_in, total
from pontoon.strategy.header import check_book
from pontoon.strategy.situation import Action, Situation, StrategyError, rank_class, ranks_key, suits_mark

_CODE = re.compile(r"(R?)([SHDP]?)(\d?)([*'\"$^]?)")
SIX_SEVEN_EIGHT_PAIRS = frozenset({"67", "68", "78"})
SEVENS = "77"
DRAWN_ACE = "^"
"""The mark of a double with an ace that was drawn."""
CHART_UPCARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "K", "A")
"""The upcards in the order in which a chart prints them; tables have the order of `UPCARDS`."""
STANDS_HARD, STANDS_SOFT = 17, 18
"""From these totals a double that is not allowed becomes a stand."""


class Cell(Struct, frozen=True):
    """One cell of a chart; other keys in the file are ignored."""

    code: str


Rows = dict[str, dict[str, Cell]]


class Chart(Struct, frozen=True, kw_only=True):
    """The contents of a chart file."""

    rulebook: str
    digest: str = ""
    book: str = ""
    """The canonical text of the rulebook it was made for; `digest` is the digest of its rules. Both are optional."""
    decks: int
    upcards: tuple[str, ...]
    hard: Rows
    soft: Rows
    pairs: Rows = {}
    forfeit: Rows = {}
    insurance: Literal["never", "always"] = "never"
    split_aces_free: bool = False
    """Whether the sign ^ applies to every soft hand of a split, not only to those with a drawn ace."""


class Code(Struct, frozen=True):
    """The parts of a code."""

    surrender: bool
    letter: str
    limit: int
    """Hit with this many cards or more; 0 for no limit."""
    mark: str


def read_code(text: str) -> Code:
    """Parse a code.

    >>> read_code("S4*")
    Code(surrender=False, letter='S', limit=4, mark='*')
    >>> read_code("R").letter, read_code("RS").letter
    ('H', 'S')
    """
    match = _CODE.fullmatch(text)
    if match is None or not text:
        raise StrategyError(f"{text!r} is not a chart code; codes look like S, H, D4, P$, RS, S5*, H^")
    surrender, letter, limit, mark = match.groups()
    return Code(bool(surrender), letter or "H", int(limit or 0), mark)


def read_chart(text: str | bytes, file: str = "chart") -> Chart:
    """Read a chart; errors are one line that names `file`."""
    try:
        chart = msgspec.json.decode(text, type=Chart)
        for rows in (chart.hard, chart.soft, chart.pairs):
            for row in rows.values():
                for cell in row.values():
                    read_code(cell.code)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, StrategyError) as error:
        raise StrategyError(f"{file}: {error}") from None
    check_book(chart, file)
    return chart


class ChartStrategy:
    """A strategy that follows a chart.

    >>> cells = {"6": Cell("S4*")}
    >>> chart = Chart(rulebook="star", decks=8, upcards=("6",), hard={"13": cells}, soft={})
    >>> may = frozenset({"hit", "stand"})
    >>> hands = ("6c", "7d"), ("5c", "8d"), ("2c", "3d", "8h"), ("2c", "2d", "2h", "7s")
    >>> [ChartStrategy(chart).choose(Situation(hand, "6h", may=may)) for hand in hands]
    ['hit', 'stand', 'stand', 'hit']
    """

    def __init__(self, chart: Chart) -> None:
        """Follow this chart."""
        self.chart = chart
        tables = {"hard": chart.hard, "soft": chart.soft, "pairs": chart.pairs}
        self._codes = {
            (table, key, "K" if upcard in ("10", "J", "Q") else upcard): read_code(cell.code)
            for table, rows in tables.items()
            for key, row in rows.items()
            for upcard, cell in row.items()
        }

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:  # noqa: ARG002 the chart knows only two answers
        return self.chart.insurance == "always"

    def choose(self, situation: Situation) -> Action:
        upcard = rank_class(situation.dealer)
        counted = total(situation.cards, situation.fixed_aces)
        if situation.doubled:
            row = self.chart.forfeit.get(str(counted.points), {})
            cell = row.get(upcard) or (row.get("10") if upcard == "K" else None)
            return "forfeit" if cell and cell.code == "F" and "forfeit" in situation.may else "keep"
        ranks = ranks_key(situation.cards)
        pair = self._codes.get(("pairs", ranks, upcard)) if len(situation.cards) == 2 else None
        code = pair or self._total_code(counted.points, counted.soft, upcard)
        if code.surrender and "surrender" in situation.may:
            return "surrender"
        if "hit" not in situation.may:  # surrender is offered before it is known whether the pair may be split
            return "keep"
        if code.letter == "P" and "split" not in situation.may:
            code = self._total_code(counted.points, counted.soft, upcard)
        action = _action(code, situation, ranks, free_after_split=self.chart.split_aces_free)
        return action if action in situation.may else "hit"

    def _total_code(self, points: int, soft: bool, upcard: str) -> Code:  # noqa: FBT001 two fields of a total
        table = "soft" if soft else "hard"
        code = self._codes.get((table, str(points), upcard))
        if code is None:
            raise StrategyError(f"the chart has no code for {table} {points} against {upcard}")
        return code


def _action(code: Code, situation: Situation, ranks: str, *, free_after_split: bool) -> Action:
    """The action of a code for these cards, before a forced draw is considered."""
    count = len(situation.cards)
    if code.mark == DRAWN_ACE and "double" in situation.may and _has_free_ace(situation, free_after_split):
        return "double"
    if code.limit and count >= code.limit:
        return "hit"
    if _marked(code.mark, situation, ranks):
        return "hit"
    if code.letter == "D" and "double" not in situation.may:
        counted = total(situation.cards)
        return "hit" if counted.points < (STANDS_SOFT if counted.soft else STANDS_HARD) else "stand"
    match code.letter:
        case "S":
            return "stand"
        case "D":
            return "double"
        case "P":
            return "split"
        case _:
            return "hit"


def _has_free_ace(situation: Situation, free_after_split: bool) -> bool:  # noqa: FBT001 a field of the chart
    """Whether a double leaves an ace free: one that was drawn, or where the chart says so any ace of a split hand."""
    first_two = 0 if situation.split and free_after_split else aces_in(situation.cards[:2])
    return aces_in(situation.cards) > first_two


def _marked(mark: str, situation: Situation, ranks: str) -> bool:
    """Whether the mark of a code makes this hand hit for a bonus."""
    if len(situation.cards) != 2:
        return False
    suits = suits_mark(situation.cards)
    if mark == "$":
        dealt = not situation.split  # the Super Bonus requires sevens that were not split
        return dealt and ranks == SEVENS and suits != "" and situation.dealer[0] == SEVENS[0]
    if ranks not in SIX_SEVEN_EIGHT_PAIRS:
        return False
    return mark == "*" or (mark == "'" and suits != "") or (mark == '"' and suits == "s")
