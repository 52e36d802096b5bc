"""The rules of a rulebook as the lab shows them: groups, labels, values to choose from, sentences and clauses."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from pontoon.rulebook import Clauses, load, plain_value
from pontoon.rulebook.explain import Sentence, explain
from pontoon.rulebook.labels import Label, Option, groups, options_of
from pontoon.server.lab.evaluation import PACKS


class RuleRow(Struct, frozen=True):
    """A rule that may be changed."""

    key: str
    label: str
    main: bool
    """Shown at once; the others on request."""
    value: object
    """What the document says."""
    options: tuple[Option, ...]
    sentence: str
    clauses: Clauses


class RuleGroup(Struct, frozen=True):
    """Rules that belong together."""

    name: str
    title: str
    rules: tuple[RuleRow, ...]


class RuleList(Struct, frozen=True):
    """Everything that may be changed in a rulebook."""

    rulebook: str
    title: str
    place: str
    groups: tuple[RuleGroup, ...]


@cache
def rule_list(name: str) -> RuleList:
    """The rules of a rulebook; the number of packs comes first."""
    book = load(name)
    sentences = {one.key: one for chapter in explain(book) for one in chapter.sentences}

    def row(label: Label) -> RuleRow:
        said = sentences[label.key]
        value = plain_value(book, label.key)
        return RuleRow(label.key, label.label, label.main, value, options_of(book, label), said.text, said.clauses)

    packs = _packs(book.decks.allowed, book.decks.default, sentences["decks.allowed"])
    found = [RuleGroup(group.name, group.title, tuple(row(label) for label in group.labels)) for group in groups()]
    found[0] = RuleGroup(found[0].name, found[0].title, (packs, *found[0].rules))
    return RuleList(name, book.about.title, book.about.place, tuple(found))


def _packs(allowed: tuple[int, ...], usual: int, said: Sentence) -> RuleRow:
    options = tuple(Option(count, str(count)) for count in allowed)
    return RuleRow(PACKS, "Packs", main=True, value=usual, options=options, sentence=said.text, clauses=said.clauses)
