"""Composition-dependent strategy files: the play of every exact hand against every upcard.

A file is JSON. Each row has one letter for each upcard, in the order of "upcards".

    {"format": "pontoon-strategy-1",    which format this is
     "rulebook": "star",                the rulebook it was made for
     "digest": "eb6ac0fd7792",          that rulebook's digest, overrides included
     "book": "{...}",                   that rulebook itself, which must have this digest (both are optional)
     "overrides": {},                   values that replace the document's, by key (optional)
     "decks": 8,                        packs in the shoe
     "stake": "10",                     the stake in dollars it was made for (the Super Bonus depends on it)
     "upcards": "A23456789K",           the upcards, K for every picture
     "insurance": "never",              "never" or "always"
     "first": {"A7": "HSSDDDSSHH"},     S stand, H hit, D double, P split, "." never reached
     "surrender": {"8K": "Y........Y"}, Y: surrender these two cards (rows are optional)
     "doubled": {"A59:15": "FKKKK..."}, after the double's card, ranks : counted total; K keep, F forfeit
     "splits": {"8": {                  the pair that may be split; an omitted rank is never split
        "resplit": "YYYYYYYYYY",        Y: a further pair is split again if the rulebook allows it
        "original": {"88": "SS..."},    the first hand of the box, as in "first"
        "additional": {"8A": "..."},    the hands that were added, as in "first"
        "doubled": {"A28:11": "..."},   as above, for hands of this split
        "doubled_original": {}}}}       the same for the first hand of the box; omitted rows are as in "doubled"

A hand's key is its ranks in the order A23456789K. With more than two cards "/1" or "/2" is the number of aces among the
first two; where that makes no difference the plain key is used. Two-card hands of 6, 7 and 8 may have separate rows by
suit: "67" for mixed suits and as the default, "67+" for one suit other than spades, "67s" for spades.

If an action is not allowed, P, D and S become a hit (S because of a forced draw), and K and F become keep.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from pontoon.cards import Card, total
from pontoon.strategy.header import check_book
from pontoon.strategy.situation import (
    UPCARDS,
    Action,
    Situation,
    StrategyError,
    column,
    hand_key,
    ranks_key,
    suits_mark,
)

Rows = dict[str, str]
_ACTIONS: dict[str, Action] = {"S": "stand", "H": "hit", "D": "double", "P": "split"}


class SplitTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The play of the hands of one split pair."""

    resplit: str = "NNNNNNNNNN"
    original: Rows = {}
    additional: Rows = {}
    doubled: Rows = {}
    doubled_original: Rows = {}
    """The same for the first hand of the box, if different."""


class Composition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The contents of a strategy file."""

    format: Literal["pontoon-strategy-1"] = "pontoon-strategy-1"
    rulebook: str
    digest: str = ""
    book: str = ""
    overrides: dict[str, str] = {}
    """Values that replace the document's, by key; for people: `book` has them."""
    decks: int
    stake: str = "10"
    upcards: Literal["A23456789K"] = "A23456789K"
    insurance: Literal["never", "always"] = "never"
    first: Rows
    surrender: Rows = {}
    doubled: Rows = {}
    splits: dict[str, SplitTable] = {}


def read_composition(text: str | bytes, file: str = "strategy") -> Composition:
    """Read a strategy file; errors are one line that names `file`.

    >>> read_composition("{}", "mine.json")
    Traceback (most recent call last):
    pontoon.strategy.situation.StrategyError: mine.json: Object missing required field `rulebook`
    """
    try:
        read = msgspec.json.decode(text, type=Composition)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StrategyError(f"{file}: {error}") from None
    check_book(read, file)
    for where, rows, letters in _tables(read):
        for key, row in rows.items():
            if len(row) != len(UPCARDS) or not set(row) <= set(letters):
                raise StrategyError(f"{file}: {where}.{key} is {row!r}, not {len(UPCARDS)} of the letters {letters}")
    return read


def _tables(read: Composition) -> list[tuple[str, Mapping[str, str], str]]:
    """Every table of a file with its path and its letters."""
    tables: list[tuple[str, Mapping[str, str], str]] = [
        ("first", read.first, "SHDP."),
        ("surrender", read.surrender, "YN."),
        ("doubled", read.doubled, "KF."),
    ]
    for pair, split in read.splits.items():
        tables += [
            (f"splits.{pair}", {"resplit": split.resplit}, "YN."),
            (f"splits.{pair}.original", split.original, "SHDP."),
            (f"splits.{pair}.additional", split.additional, "SHDP."),
            (f"splits.{pair}.doubled", split.doubled, "KF."),
            (f"splits.{pair}.doubled_original", split.doubled_original, "KF."),
        ]
    return tables


def write_composition(strategy: Composition) -> str:
    """The text of a strategy file: rows sorted by key, one per line."""
    return msgspec.json.format(msgspec.json.encode(strategy, order="sorted"), indent=1).decode() + "\n"


class CompositionStrategy:
    """A strategy that follows a composition-dependent file.

    >>> table = Composition(rulebook="star", decks=8, first={"8K": "SSSSSSSSSS"}, surrender={"8K": "YNNNNNNNNN"})
    >>> may = frozenset({"hit", "stand", "surrender"})
    >>> [CompositionStrategy(table).choose(Situation(("8c", "Kd"), dealer, may=may)) for dealer in ("As", "2s")]
    ['surrender', 'stand']
    """

    def __init__(self, table: Composition) -> None:
        """Follow this table."""
        self.table = table

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:  # noqa: ARG002 the file knows only two answers
        return self.table.insurance == "always"

    def choose(self, situation: Situation) -> Action:
        if situation.doubled:
            return "forfeit" if self._letter_doubled(situation) == "F" and "forfeit" in situation.may else "keep"
        if "surrender" in situation.may and self._letter(self.table.surrender, situation) == "Y":
            return "surrender"
        if "hit" not in situation.may:
            return "keep"
        if situation.split:
            return self._choose_split(situation)
        return self._lawful(situation, self._needed(self.table.first, situation))

    def _choose_split(self, situation: Situation) -> Action:
        split = self.table.splits.get(situation.split, SplitTable())
        if "split" in situation.may and split.resplit[column(situation.dealer)] == "Y":
            return "split"
        rows = split.original if situation.original else split.additional
        return self._lawful(situation, self._needed(rows, situation))

    def _lawful(self, situation: Situation, letter: str) -> Action:
        action = _ACTIONS[letter]
        if action == "split" and ranks_key(situation.cards)[0] not in self.table.splits:
            return "hit"
        return action if action in situation.may else "hit"

    def _needed(self, rows: Mapping[str, str], situation: Situation) -> str:
        letter = self._letter(rows, situation)
        if letter not in _ACTIONS:
            where = f"of a split {situation.split}" if situation.split else ""
            hand = f"{hand_key(situation.cards)} {where}".strip()
            raise StrategyError(f"the strategy has no entry for {hand} against {situation.dealer}")
        return letter

    def _letter(self, rows: Mapping[str, str], situation: Situation) -> str:
        """The letter from the first key that has a row; "" if none has."""
        place = column(situation.dealer)
        for key in _keys(situation.cards):
            if key in rows:
                return rows[key][place]
        return ""

    def _letter_doubled(self, situation: Situation) -> str:
        split = self.table.splits.get(situation.split, SplitTable())
        key = f"{ranks_key(situation.cards)}:{total(situation.cards, situation.fixed_aces).points}"
        place = column(situation.dealer)
        row = (split.doubled if situation.split else self.table.doubled).get(key, "")
        if situation.split and situation.original:
            own = split.doubled_original.get(key, "")
            row = own if own and own[place] != "." else row
        return row[place] if row else ""


def _keys(cards: tuple[Card, ...]) -> tuple[str, ...]:
    """The keys of a hand, most specific first."""
    if len(cards) == 2:
        plain = ranks_key(cards)
        return (plain + suits_mark(cards), plain)
    return (hand_key(cards), ranks_key(cards))
