"""Strategies for tests: a published chart, one that mimics the dealer, and wild ones that reach every corner."""

from __future__ import annotations

import hashlib

from pontoon.cards import Card, total
from pontoon.strategy import Action, Chart, ChartStrategy, Situation, hand_key, rank_class
from pontoon.strategy.chart import Cell

UPCARDS = ("2", "3", "4", "5", "6", "7", "8", "9", "K", "A")

# Spanish 21 with six packs, dealer draws to soft 17, as published (source S25 of the project's list of numbers).
PUBLISHED = {
    "9": "H H H H D H H H H H",
    "10": "D5 D5 D D D D4 D3 H H H",
    "11": "D4 D5 D5 D5 D5 D4 D4 D4 D3 D3",
    "12": "H H H H H H H H H H",
    "13": "H H H H S4* H H H H H",
    "14": "H H S4* S5' S6\" H H H H H",
    "15": "S4* S5' S6 S6 S H H H H H",
    "16": "S6 S6 S6 S S H H H H RH",
    "17": "S S S S S S S6 S6 S6 RH",
    "s15": "H H H H D4 H H H H H",
    "s16": "H H H D3 D4 H H H H H",
    "s17": "H H D3 D4 D5 H H H H H",
    "s18": "S4 S4 D4 D5 D6 S6 S4 H H H",
    "s19": "S S S S S S S S S6 S6",
    "22": "P P P P P P P H H H",
    "33": "P P P P P P P H H H",
    "66": "H H P P P H H H H H",
    "77": "P P P P P P$ H H H H",
    "88": "P P P P P P P P P R",
    "99": "S P P P P S P P S S",
    "AA": "P P P P P P P P P P",
}


def _row(codes: str) -> dict[str, Cell]:
    return dict(zip(UPCARDS, map(Cell, codes.split()), strict=True))


def published_chart() -> ChartStrategy:
    """The published chart; hard 4 to 8 and soft 12 to 14 hit, hard 18 and soft 20 stand; doubles are rescued."""
    always_hit, always_stand = " ".join("H" * 10), " ".join("S" * 10)
    hard = {str(points): always_hit for points in range(4, 9)} | {str(points): always_stand for points in range(18, 21)}
    soft = {str(points): always_hit for points in range(12, 15)} | {"20": always_stand}
    pairs: dict[str, str] = {}
    for key, codes in PUBLISHED.items():
        if key.startswith("s"):
            soft[key[1:]] = codes
        elif key in ("22", "33", "66", "77", "88", "99", "AA"):
            pairs[key] = codes
        else:
            hard[key] = codes
    forfeit = {str(points): {up: Cell("F") for up in ("8", "9", "K", "A")} for points in range(12, 17)}
    forfeit["17"] = {"A": Cell("F")}
    tables = ({key: _row(codes) for key, codes in table.items()} for table in (hard, soft, pairs))
    first, second, third = tables
    return ChartStrategy(
        Chart(rulebook="any", decks=6, upcards=UPCARDS, hard=first, soft=second, pairs=third, forfeit=forfeit)
    )


class Mimic:
    """Plays like the dealer, splits aces and eights, doubles ten and eleven."""

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:  # noqa: ARG002 never
        return False

    def choose(self, situation: Situation) -> Action:
        counted = total(situation.cards, situation.fixed_aces)
        if "hit" not in situation.may:
            return "keep"
        if "split" in situation.may and situation.cards[0][0] in "A8":
            return "split"
        if "double" in situation.may and counted.points in (10, 11):
            return "double"
        return "hit" if counted.points < (18 if counted.soft else 17) else "stand"


class Wild:
    """Takes any allowed action, always the same one in the same situation; `eager` is the preferred one.

    From `calm` cards on it stands if allowed, which keeps the number of hands small.
    """

    def __init__(self, seed: int = 0, eager: Action | None = None, calm: int = 99) -> None:
        self.seed, self.eager, self.calm = seed, eager, calm

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:
        return self._number("insure", hand_key(cards), dealer[0]) % 2 == 0

    def choose(self, situation: Situation) -> Action:
        if self.eager in situation.may:
            return self.eager
        if len(situation.cards) >= self.calm and "stand" in situation.may:
            return "stand"
        flags = f"{situation.split}{situation.original}{situation.doubled}{situation.fixed_aces}"
        number = self._number(hand_key(situation.cards), rank_class(situation.dealer), flags)
        may = sorted(situation.may)
        return may[number % len(may)]

    def _number(self, *parts: object) -> int:
        return int.from_bytes(hashlib.blake2b(repr((self.seed, *parts)).encode(), digest_size=8).digest(), "big")
