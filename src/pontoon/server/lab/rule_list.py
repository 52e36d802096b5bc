"""The rules of a rulebook as the lab shows them: groups, labels, values to choose from, sentences and clauses."""

from __future__ import annotations

from msgspec import Struct

from pontoon.rulebook import Clauses, Rulebook, plain_value
from pontoon.rulebook.explain import explain
from pontoon.rulebook.labels import Label, Option, groups


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


def rule_list(book: Rulebook) -> RuleList:
    """The rules of a rulebook, as its document has them."""
    sentences = {one.key: one for chapter in explain(book) for one in chapter.sentences}

    def row(label: Label) -> RuleRow:
        said = sentences[label.key]
        value = plain_value(book, label.key)
        return RuleRow(label.key, label.label, label.main, value, label.options, said.text, said.clauses)

    found = (RuleGroup(group.name, group.title, tuple(map(row, group.labels))) for group in groups(book))
    return RuleList(book.about.name, book.about.title, book.about.place, tuple(found))
