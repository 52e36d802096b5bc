"""What each rule is worth and the price of every ambiguity: the game solved again with one value changed.

>>> from pontoon.rulebook import load
>>> pontoon = what_if(load("star"), 6, keys=["payout.pontoon"])
>>> [(change.value, f"{change.worth:+.4%}") for change in pontoon]
[('2:1', '+2.0906%'), ('1:1', '-2.0906%')]
"""

from __future__ import annotations

import json
import tomllib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields as game_fields
from functools import cache
from importlib import resources
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct

from pontoon.analysis.game import Game, game_of
from pontoon.analysis.solver import Solver
from pontoon.cards import RANKS
from pontoon.money import Odds, cents
from pontoon.rulebook import NAMES, Clauses, Rulebook, RulebookError, override, plain_value
from pontoon.rulebook.explain import Sentence, explain
from pontoon.rulebook.schema import SECTIONS
from pontoon.rulebook.values import fields

Progress = Callable[[float], None]
STAKE = "10"

KEYS = (
    *(f"payout.{name}" for name in fields(SECTIONS["payout"])),
    "insurance.odds",
    "insurance.most_percent",
    "surrender.first_cards",
    "draw.forced_below",
    "double.two_cards_only",
    "double.lowest_total",
    "double.highest_total",
    "double.hard_only",
    "double.soft_as_hard",
    "double.fixed_aces",
    "double.forfeit_highest",
    "split.by",
    "split.max_hands",
    "dealer.stands_hard",
    "dealer.stands_soft",
    "dealer.pontoon_collects",
    "super_bonus.offered",
    "super_bonus.lower",
    "super_bonus.upper",
    "super_bonus.split_excludes",
)
"""The rules that can affect the money of one bettor on one box."""

LADDER = ("1:1", "6:5", "3:2", "2:1", "3:1", "4:1", "5:1")
"""Odds that casinos pay; a row is tried one step up and at even money."""

OTHERS: dict[str, tuple[object, ...]] = {
    "insurance.most_percent": (50, 100),
    "surrender.first_cards": ([], ["A", "K", "Q", "J"], list(RANKS)),
    "draw.forced_below": (0, 12, 17),
    "double.lowest_total": (2, 9, 11),
    "double.highest_total": (11, 20),
    "double.forfeit_highest": (0, 16, 20),
    "split.max_hands": (1, 2, 3, 4),
    "dealer.stands_hard": (16, 17),
    "dealer.stands_soft": (17, 18),
    "super_bonus.lower": ("500", "1000", "2000", "5000"),
    "super_bonus.upper": ("1000", "5000", "10000"),
}
"""Values worth trying, for keys whose type does not list them."""


class Change(Struct, frozen=True):
    """One value changed, and the effect on the player's expectation."""

    key: str
    value: str
    was: str
    worth: float
    """Gain of the player in units of the first wager; negative if the house gains."""
    clauses: Clauses
    sentence: str
    """The changed rule as a sentence."""
    was_sentence: str
    """The rule of the document as a sentence."""


class Reading(Struct, frozen=True):
    """One reading of a document and its expectation."""

    reading: str
    settings: Mapping[str, object]
    ev: float
    difference: float
    """Gain of the player compared with the rulebook as it is."""
    ours: bool
    """Whether the rulebook as it is has this reading."""


class Ambiguity(Struct, frozen=True):
    """Wording of a document that can be read in several ways."""

    number: str
    says: str
    readings: tuple[Reading, ...] = ()
    none: str = ""
    """Why it cannot affect the money of one bettor on one box."""
    no_option: str = ""
    """The reading of the rulebook, if another would affect money but is not an option."""


_SOLVED: deque[tuple[Game, int, float]] = deque(maxlen=256)
"""Games already solved, with packs and value: many changes leave the game the same."""


class _Games:
    """Values of a game with changes; a game that is equal in all its fields is not solved again."""

    def __init__(self, rules: Rulebook, decks: int, stake: str) -> None:
        self.rules, self.decks, self.stake = rules, decks, stake
        self.ev = self._value(rules)

    def _value(self, rules: Rulebook) -> float:
        game = game_of(rules, cents(self.stake))
        for other, decks, value in _SOLVED:
            if decks == self.decks and _same(game, other):
                return value
        value = float(Solver(game, self.decks).value())
        _SOLVED.append((game, self.decks, value))
        return value

    def changed(self, settings: Mapping[str, object]) -> tuple[Rulebook, float] | None:
        """The rulebook and its value with these settings; None if they contradict the rest of it."""
        try:
            rules = override(self.rules, settings)
        except RulebookError:
            return None
        return rules, self._value(rules)


def expectation(rules: Rulebook, decks: int = 0, stake: str = STAKE) -> float:
    """The value of a round in units of the first wager, cached with the games of `what_if`."""
    return _Games(rules, decks or rules.decks.default, stake).ev


def _same(one: Game, other: Game) -> bool:
    return all(getattr(one, field.name) == getattr(other, field.name) for field in game_fields(Game))


def alternatives(rules: Rulebook, key: str) -> tuple[object, ...]:
    """Other values worth trying for a key, as a rulebook file would have them.

    >>> from pontoon.rulebook import load
    >>> alternatives(load("star"), "split.max_hands"), alternatives(load("star"), "payout.five_cards")
    ((1, 3, 4), ('1:1', '2:1'))
    """
    section, _, name = key.partition(".")
    _, kind = fields(SECTIONS[section])[name]
    now = plain_value(rules, key)
    tried: Iterable[object]
    if kind is bool:
        tried = (not now,)
    elif kind is Odds:
        tried = _steps(str(now))
    elif get_origin(kind) is Literal:
        tried = get_args(kind)
    else:
        tried = OTHERS[key]
    return tuple(value for value in tried if _plain(value) != _plain(now))


def _plain(value: object) -> object:
    """A form in which equal values are equal: ranks in any order, money with or without cents."""
    return (
        frozenset(value) if isinstance(value, list) else value.removesuffix(".00") if isinstance(value, str) else value
    )


def _steps(now: str) -> list[str]:
    odds = sorted({*LADDER, now}, key=Odds)
    return ["1:1", *odds[odds.index(now) + 1 :][:1]]


def what_if(
    rules: Rulebook,
    decks: int = 0,
    stake: str = STAKE,
    progress: Progress | None = None,
    *,
    keys: Iterable[str] = KEYS,
) -> tuple[Change, ...]:
    """Each rule changed on its own to each other value worth trying, best for the player first."""
    games = _Games(rules, decks or rules.decks.default, stake)
    now = _sentences(rules)
    trials = [(key, value) for key in keys if now[key].applies for value in alternatives(rules, key)]
    found = []
    for done, (key, value) in enumerate(trials, 1):
        changed = games.changed({key: value})
        if changed is not None:
            book, ev = changed
            after = _sentences(book)[key]
            was, text = now[key], str(_written(after.value))
            change = Change(key, text, str(_written(was.value)), ev - games.ev, was.clauses, after.text, was.text)
            found.append(change)
        if progress:
            progress(done / len(trials))
    return tuple(sorted(found, key=lambda change: -change.worth))


def _sentences(rules: Rulebook) -> dict[str, Sentence]:
    return {sentence.key: sentence for chapter in explain(rules) for sentence in chapter.sentences}


def _written(value: object) -> object:
    """A value as `--set` reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, separators=(",", ":")) if isinstance(value, list) else value


@cache
def _table() -> dict[str, Any]:
    text = (resources.files("pontoon.analysis") / "ambiguities.toml").read_text("utf-8")
    return tomllib.loads(text)


def ambiguities(
    rules: Rulebook, decks: int = 0, stake: str = STAKE, progress: Progress | None = None
) -> tuple[Ambiguity, ...]:
    """Every ambiguity of a document in order, with the expectation under each reading that is an option."""
    games = _Games(rules, decks or rules.decks.default, stake)
    name = rules.about.name
    entries = {number: entry for number, entry in _table().items() if name in _rulebooks(entry)}
    found = []
    for done, (number, entry) in enumerate(entries.items(), 1):
        table = entry.get("readings", {})
        priced = (_reading(games, row["reading"], row["set"]) for row in table.get(name, table.get("every", ())))
        readings = tuple(reading for reading in priced if reading is not None)
        found.append(
            Ambiguity(number, entry["says"], readings, entry.get("none", ""), entry.get("no_option", "")),
        )
        if progress:
            progress(done / len(entries))
    return tuple(found)


def _rulebooks(entry: Mapping[str, Any]) -> Iterable[str]:
    readings = entry.get("readings", {})
    return entry.get("rulebooks", readings or NAMES)  # type: ignore[no-any-return]


def _reading(games: _Games, words: str, settings: Mapping[str, object]) -> Reading | None:
    changed = games.changed(settings)
    if changed is None:
        return None
    rules, ev = changed
    ours = all(plain_value(rules, key) == plain_value(games.rules, key) for key in settings)
    return Reading(words, settings, ev, ev - games.ev, ours)
