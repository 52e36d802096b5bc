"""The rules of a rulebook as shown in the lab: groups, labels, possible values, sentences and clauses."""

from __future__ import annotations

from msgspec import Struct

from pontoon.rulebook import Clauses, Rulebook, plain_value
from pontoon.rulebook.explain import explain
from pontoon.rulebook.labels import Label, Option, groups


class RuleRow(Struct, frozen=True):
    """A rule that can be changed."""

    key: str
    label: str
    main: bool
    """Whether it is shown by default or only on request."""
    value: object
    """The rulebook's value."""
    options: tuple[Option, ...]
    sentence: str
    clauses: Clauses


class RuleGroup(Struct, frozen=True):
    """A group of related rules."""

    name: str
    title: str
    rules: tuple[RuleRow, ...]


class RuleList(Struct, frozen=True):
    """All rules of a rulebook that can be changed."""

    rulebook: str
    title: str
    place: str
    groups: tuple[RuleGroup, ...]


def rule_list(book: Rulebook) -> RuleList:
    """The rules of a rulebook with its values."""
    sentences = {sentence.key: sentence for chapter in explain(book) for sentence in chapter.sentences}

    def row(label: Label) -> RuleRow:
        said = sentences[label.key]
        value = plain_value(book, label.key)
        return RuleRow(label.key, label.label, label.main, value, label.options, said.text, said.clauses)

    found = (RuleGroup(group.name, group.title, tuple(map(row, group.labels))) for group in groups(book))
    return RuleList(book.about.name, book.about.title, book.about.place, tuple(found))
