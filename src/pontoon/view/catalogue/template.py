"""Sentences with placeholders for facts, as the language files write them.

- `{player}` is the fact as it is, `{stake:money}` in a format; `{phase:phase}` is the entry `phase.<value>` of the same
  language. A `^` behind the format begins it with a capital.
- `{count|1 card|{} cards}` agrees with a number, or with how many names there are; `{}` is the number or the names.
- `{fee? and pays {:money}}` is there only where the fact is; `{late?late|in time}` says one thing or the other.
- `{@place}` is the entry `part.place`, made of the same facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol, TypeAlias

Facts: TypeAlias = Mapping[str, object]


class Language(Protocol):
    """The parts of a language that a sentence needs."""

    def written(self, value: object, how: str) -> str:
        """A fact in words; `how` is a format, or a group of entries."""

    def say(self, key: str, facts: Facts) -> str:
        """Another entry, made of the same facts."""


Sentence: TypeAlias = Callable[[Facts, Language], str]
HEAD = re.compile(r"(@?)(\w*)((?::\w+\^?)?)")


class TemplateError(ValueError):
    """A sentence cannot be read."""


def template(text: str) -> Sentence:
    """Read a sentence once, to be made with many facts.

    >>> class Plain:
    ...     def written(self, value, how): return str(value)
    >>> template("{count|1 card is|{} cards are} burned{late?, late}")({"count": 2}, Plain())
    '2 cards are burned'
    """
    sentence, at = _sentence(text, 0, "", "")
    assert at == len(text)
    return sentence


def placeholders(text: str) -> Iterator[tuple[str, str]]:
    """The placeholders of a sentence: the fact each needs, with `?` if it is optional.

    >>> list(placeholders("{player} pays {fee?{:money}}, {@place}"))
    [('player', ''), ('fee', '?'), ('@place', '')]
    """
    for found in re.finditer(r"\{(@?\w+)(?::\w+\^?)?([?]?)", text):
        yield found[1], found[2]


def _sentence(text: str, at: int, fact: str, stops: str) -> tuple[Sentence, int]:
    """The sentence from here to one of the stops, or to the end; `fact` is what `{}` stands for."""
    pieces: list[str | Sentence] = []
    while at < len(text) and text[at] not in stops:
        if text[at] == "{":
            placeholder, at = _placeholder(text, at + 1, fact)
            pieces.append(placeholder)
        else:
            end = next((i for i in range(at, len(text)) if text[i] in "{" + stops), len(text))
            pieces.append(text[at:end])
            at = end
    if stops and at == len(text):
        raise TemplateError(f"{text}: a brace is not closed")
    return _joined(pieces), at


def _joined(pieces: list[str | Sentence]) -> Sentence:
    if all(isinstance(piece, str) for piece in pieces):
        words = "".join(str(piece) for piece in pieces)
        return lambda _, __: words
    if len(pieces) == 1 and not isinstance(pieces[0], str):
        return pieces[0]
    return lambda facts, language: "".join(
        [piece if type(piece) is str else piece(facts, language) for piece in pieces]  # type: ignore[operator]
    )


def _placeholder(text: str, at: int, outer: str) -> tuple[Sentence, int]:
    head = HEAD.match(text, at)
    assert head is not None
    at = head.end()
    include, fact, how = bool(head[1]), head[2] or outer, head[3][1:]
    if not fact or at == len(text) or text[at] not in "}?|" or (how and text[at] != "}"):
        raise TemplateError(f"{text}: the placeholder cannot be read at {text[head.start() - 1 :]!r}")
    if text[at] == "}":
        return (_included(f"part.{fact}") if include else _written(fact, how)), at + 1
    kind = text[at]
    first, at = _sentence(text, at + 1, fact, "|}")
    second: Sentence = _joined([])
    if text[at] == "|":
        second, at = _sentence(text, at + 1, fact, "}")
    return (_either if kind == "?" else _agreeing)(fact, first, second), at + 1


def _included(key: str) -> Sentence:
    return lambda facts, language: language.say(key, facts)


def _written(fact: str, how: str) -> Sentence:
    if how.endswith("^"):
        return lambda facts, language: _capital(language.written(facts[fact], how[:-1]))
    return lambda facts, language: language.written(facts[fact], how)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _either(fact: str, first: Sentence, second: Sentence) -> Sentence:
    return lambda facts, language: (first if facts.get(fact) else second)(facts, language)


def _agreeing(fact: str, one: Sentence, many: Sentence) -> Sentence:
    def agreeing(facts: Facts, language: Language) -> str:
        value = facts[fact]
        number = value if isinstance(value, int) else len(value)  # type: ignore[arg-type]
        return (one if number == 1 else many)(facts, language)

    return agreeing
