"""All sentences about events and refusals, by language: `say(key, facts)` makes one.

A language is one file beside this one. Events and refusals leave the server as a code and facts; the key of an event
is `event.<type>`, of a refusal `refusal.<code>`. An entry may have variants, and the first whose condition holds is
taken: `event.OfferOpened.offer=insurance` where the fact has that value, `event.BurnShown.card` where it is there,
`a&b` where both hold. A sentence missing from a language file is given in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec

from pontoon.view.catalogue.formats import FORMATS, Writing, names
from pontoon.view.catalogue.template import Facts, Sentence, template

ENGLISH = "en"
FOLDER: Traversable = resources.files(__name__)
"""The folder of the language files."""


def say(key: str, facts: Facts, language: str = ENGLISH) -> str:
    """The sentence for these facts in a language, or in English if the language is unknown.

    >>> say("refusal.forced_draw", {"total": 11, "soft": False, "least": 12})
    'you hold 11; a hand below 12 must draw'
    """
    return catalogue(language).say(key, facts)


def event_words(kind: str, facts: Facts, language: str = ENGLISH) -> str:
    """An event in one sentence; empty if neighbouring events already say it.

    >>> event_words("PlayerSat", {"player": "Ann", "box": 3})
    'Ann sits down at box 3'
    """
    return say(f"event.{kind}", facts, language)


def refusal_words(code: str, facts: Facts, language: str = ENGLISH) -> str:
    """A refusal in one sentence.

    >>> refusal_words("stale", {"version": 3, "current": 5})
    'the table has moved on: you answered version 3, it is at version 5'
    """
    return say(f"refusal.{code}", facts, language)


# --- languages -----------------------------------------------------------------------------------------


@cache
def languages() -> tuple[str, ...]:
    """The languages there are."""
    return tuple(sorted(path.name.removesuffix(".toml") for path in FOLDER.iterdir() if path.name.endswith(".toml")))


def best_language(wanted: str) -> str:
    """The best available language for a preference such as `Accept-Language`.

    >>> best_language("de, en-AU;q=0.8"), best_language("xx"), best_language("")
    ('en', 'en', 'en')
    """
    asked = []
    for place, one in enumerate(wanted.split(",")):
        name, _, quality = one.partition(";q=")
        asked.append((-_quality(quality), place, name.strip().partition("-")[0].lower()))
    return next((name for _, __, name in sorted(asked) if name in languages()), ENGLISH)


def _quality(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0


@cache
def catalogue(language: str) -> Catalogue:
    """The sentences of a language, read once."""
    if language not in languages():
        return catalogue(ENGLISH)
    return Catalogue(entries(language), catalogue(ENGLISH) if language != ENGLISH else None)


def entries(language: str) -> dict[str, str]:
    """Every entry of a language file by its key."""
    text = FOLDER.joinpath(f"{language}.toml").read_text("utf-8")
    return {f"{group}.{key}": words for group, rows in tomllib.loads(text).items() for key, words in rows.items()}


def base_of(key: str) -> str:
    """The key of an entry without its variant.

    >>> base_of("event.Stood.hidden"), base_of("phase.wagers")
    ('event.Stood', 'phase.wagers')
    """
    return ".".join(key.split(".", 2)[:2])


class Catalogue:
    """The sentences of one language."""

    def __init__(self, rows: dict[str, str], fallback: Catalogue | None = None) -> None:
        self.writing = msgspec.convert(
            {key.removeprefix("format."): words for key, words in rows.items() if key.startswith("format.")}, Writing
        )
        self._fallback = fallback
        self._variants: dict[str, list[tuple[Condition, Sentence]]] = {}
        for key, words in rows.items():
            self._variants.setdefault(base_of(key), []).append((condition(key), template(words)))
        for found in self._variants.values():
            found.sort(key=lambda entry: not entry[0])  # entries without a condition come last, the others in order

    def __contains__(self, key: str) -> bool:
        """Whether this language has the entry."""
        return key in self._variants

    def say(self, key: str, facts: Facts) -> str:
        """Make a sentence."""
        for wanted, sentence in self._variants.get(key, ()):
            if not wanted or all(_holds(fact, value, facts) for fact, value in wanted):
                return sentence(facts, self)
        if self._fallback is None:
            raise KeyError(key)
        return self._fallback.say(key, facts)

    def written(self, value: object, how: str) -> str:
        """A fact in words."""
        if how in FORMATS:
            return FORMATS[how](value, self.writing)
        if how:
            key = f"{how}.{value}"
            if key in self or (self._fallback is not None and key in self._fallback):
                return self.say(key, {})
        return names(value, self.writing) if isinstance(value, tuple | list) else str(value)


Condition = tuple[tuple[str, str | None], ...]
"""Facts that must have this value or, for None, must be present."""


def condition(key: str) -> Condition:
    """When a variant is taken.

    >>> condition("event.CardDealt.box=0&total"), condition("event.RoundEnded")
    ((('box', '0'), ('total', None)), ())
    """
    variant = key[len(base_of(key)) + 1 :]
    return tuple(_conditions(variant)) if variant else ()


def _conditions(variant: str) -> Iterator[tuple[str, str | None]]:
    for part in variant.split("&"):
        fact, equals, value = part.partition("=")
        yield fact, value if equals else None


def _holds(fact: str, value: str | None, facts: Facts) -> bool:
    return bool(facts.get(fact)) if value is None else fact in facts and str(facts[fact]) == value
