"""A chart compared with another: each square's code, the old code where it differs, and both in words."""

from __future__ import annotations

from msgspec import Struct

from pontoon.server.lab.sums import ChartSum
from pontoon.strategy.chart import read_code
from pontoon.view.charts.text import LEGEND, TITLES

PICTURES = "JQK"
"""Column headings; a Pontoon pack has no tens."""
SOFT_ACE = 11
ACTIONS = {"S": "stand", "H": "hit", "D": "double", "P": "split"}
MARKS = {
    "*": "hit 6-7, 6-8 and 7-8",
    "'": "hit 6-7, 6-8 and 7-8 of one suit",
    '"': "hit 6-7, 6-8 and 7-8 of spades",
    "$": "hit 7-7 of one suit against a 7",
    "^": "double with an ace drawn after the first two cards",
}
DOUBLED = {"F": "take the double back", "K": "keep the double"}


class Cell(Struct, frozen=True, omit_defaults=True):
    """A square of the chart."""

    code: str
    words: str
    """The square in one sentence."""
    was: str = ""
    """The old code, if different."""


class Row(Struct, frozen=True):
    """A hand against every upcard."""

    hand: str
    changed: int
    cells: tuple[Cell, ...]


class Block(Struct, frozen=True):
    """A part of the chart."""

    name: str
    title: str
    changed: int
    rows: tuple[Row, ...]


class Sign(Struct, frozen=True):
    """A sign of the chart and its meaning."""

    signs: str
    """The characters of a code that it explains."""
    sign: str
    words: str


class ChartRows(Struct, frozen=True, tag_field="part", tag="chart"):
    """The new chart, with the old codes."""

    changed: int
    upcards: tuple[str, ...]
    blocks: tuple[Block, ...]
    legend: tuple[Sign, ...]
    cost: float


def chart_rows(now: ChartSum, was: ChartSum) -> ChartRows:
    """The squares of both charts; a hand in only one of them has no code from the other."""
    upcards = tuple(PICTURES if card == "K" else card for card in now.upcards)
    blocks = tuple(
        _block(name, title, now.codes.get(name, {}), was.codes.get(name, {}), upcards)
        for name, title in TITLES.items()
        if name in now.codes
    )
    used = {
        sign
        for chart in (now, was)
        for rows in chart.codes.values()
        for row in rows.values()
        for code in row
        for sign in code
    }
    legend = tuple(Sign(signs, shown, words) for signs, shown, words in LEGEND if used & set(signs))
    return ChartRows(sum(block.changed for block in blocks), upcards, blocks, legend, now.cost)


def _block(
    name: str, title: str, now: dict[str, tuple[str, ...]], was: dict[str, tuple[str, ...]], upcards: tuple[str, ...]
) -> Block:
    rows = []
    for hand, codes in now.items():
        before = was.get(hand, codes)
        shown = hand_name(name, hand)
        cells = tuple(
            Cell(code, _sentence(name, shown, upcard, code, old), old if old != code else "")
            for code, old, upcard in zip(codes, before, upcards, strict=True)
        )
        rows.append(Row(shown, sum(bool(cell.was) for cell in cells), cells))
    return Block(name, title, sum(row.changed for row in rows), tuple(rows))


def hand_name(block: str, hand: str) -> str:
    """The row heading of a hand.

    >>> hand_name("soft", "18"), hand_name("pairs", "KK"), hand_name("hard", "16")
    ('A-7', 'JQK', '16')
    """
    if block == "soft":
        kicker = int(hand) - SOFT_ACE
        return f"A-{'A' if kicker == 1 else kicker}"
    if block == "pairs":
        return PICTURES if hand[0] == "K" else "-".join(hand)
    return hand


def _sentence(block: str, hand: str, upcard: str, code: str, was: str) -> str:
    what = {"hard": "Hard ", "soft": "", "pairs": "A pair of " if hand == PICTURES else "", "forfeit": "Doubled, "}[
        block
    ]
    before = f" (was: {code_words(was)})" if was != code else ""
    return f"{what}{hand} against {upcard}: {code_words(code)}{before}"


def code_words(code: str) -> str:
    """A chart code in words.

    >>> code_words("S5*")
    'stand; hit with 5 cards or more; hit 6-7, 6-8 and 7-8'
    >>> code_words("RS"), code_words("F")
    ('surrender, else stand', 'take the double back')
    """
    if code in DOUBLED:
        return DOUBLED[code]
    read = read_code(code)
    words = [ACTIONS[read.letter]]
    if read.surrender:
        words = [f"surrender, else {ACTIONS[read.letter]}"]
    if read.limit:
        words.append(f"hit with {read.limit} cards or more")
    if read.mark:
        words.append(MARKS[read.mark])
    return "; ".join(words)
