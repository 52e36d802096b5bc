"""Rulebooks and registers for a person: the lines `pontoon rules` prints, at most 110 columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from textwrap import wrap

from pontoon.rulebook import Clauses, Rulebook, digest
from pontoon.rulebook.diff import Difference
from pontoon.rulebook.explain import HEADINGS, Sentence, Summary, explain
from pontoon.rulebook.overrides import options_of
from pontoon.rulebook.register import Clause
from pontoon.rulebook.schema import CITES
from pontoon.view.settlement import columns

WIDTH = 110
A_RANGE = 3
"""Number of consecutive values that are written as a range."""


def listing(rows: Sequence[Summary]) -> list[str]:
    """All rulebooks: a table of the main differences, then the document of each."""
    table = [
        ("rulebook", "packs", "hands", "double on", "dealer pontoon collects", "Super Bonus", "digest"),
        *(
            (
                row.name,
                numbers(row.packs),
                str(row.max_hands),
                row.double_on,
                row.pontoon_collects,
                row.super_bonus,
                row.digest,
            )
            for row in rows
        ),
    ]
    width = max(len(row.name) for row in rows) + 2
    lines = [*columns(table, right={2}), ""]
    for row in rows:
        lines += _hanging(row.name, width, f"{row.title}; {row.place}")
        lines += _hanging("", width, row.nature)
    return [*lines, "", "`pontoon rules NAME` explains one, `pontoon rules NAME --diff OTHER` compares two."]


def numbers(values: Sequence[int]) -> str:
    """Write a few numbers in short form.

    >>> numbers((6, 8)), numbers((3, 4, 5, 6))
    ('6, 8', '3-6')
    """
    if len(values) >= A_RANGE and all(after - before == 1 for before, after in pairwise(values)):
        return f"{values[0]}-{values[-1]}"
    return ", ".join(str(value) for value in values)


def explained(book: Rulebook) -> list[str]:
    """One rulebook in plain words, section by section in the order of play."""
    about = book.about
    lines = [f"{about.name}: {about.title}", about.place, about.nature, f"rules {digest(book)}"]
    for chapter in explain(book):
        said = [sentence for sentence in chapter.sentences if sentence.applies or sentence.was]
        if chapter.section == "side" and not book.side:
            lines += ["", chapter.heading, f"  There are no side bets.{bracketed(book.cites.side_bets)}"]
        if not said:
            continue
        choices = chapter.section not in CITES
        names = [sentence.key.partition(".")[2] if choices else "" for sentence in said]
        width = max(len(name) for name in names) + 4 if choices else 2
        lines += ["", f"{chapter.heading} ({chapter.section})" if choices else chapter.heading]
        for name, sentence in zip(names, said, strict=True):
            lines += _hanging(f"  {name}", width, _said(sentence))
            lines += [line for aside in _asides(sentence) for line in _hanging("", width + 2, aside)]
    return lines


def _said(sentence: Sentence) -> str:
    """A sentence with its clauses; an override has none."""
    return sentence.text if sentence.was else sentence.text + bracketed(sentence.clauses)


def _asides(sentence: Sentence) -> Iterator[str]:
    if sentence.was:
        yield f"operator's override, the document says {sentence.was}{bracketed(sentence.clauses)}"
    if sentence.note:
        yield sentence.note


def bracketed(clauses: Clauses) -> str:
    """Clauses as they follow a sentence.

    >>> bracketed(("7.1", "7.2")), bracketed(())
    (' [7.1, 7.2]', '')
    """
    return f" [{', '.join(clauses)}]" if clauses else ""


def compared(first: Rulebook, second: Rulebook, found: Sequence[Difference]) -> list[str]:
    """The differences between two rulebooks, section by section."""
    names = (_label(first), second.about.name)
    if not found:
        return [f"{names[0]} and {names[1]} say the same about every value."]
    shown = [result for result in found if result.matters]
    lines = [f"{names[0]} and {names[1]} differ in {len(found)} of {_values(first)} values."]
    section = ""
    for difference in shown:
        if difference.key.partition(".")[0] != section:
            section = difference.key.partition(".")[0]
            lines += ["", HEADINGS[section]]
        lines += [f"  {difference.key}", *_sides(names, difference)]
    silent = [result.key for result in found if not result.matters]
    if silent:
        lines += ["", "Without meaning in the one that does not offer it"]
        lines += wrap(", ".join(silent), WIDTH, initial_indent="  ", subsequent_indent="  ")
    return lines


def _label(book: Rulebook) -> str:
    return f"{book.about.name} with overrides" if book.overrides else book.about.name


def _values(book: Rulebook) -> int:
    return sum(1 for _ in options_of(book))


def _sides(names: tuple[str, str], one: Difference) -> list[str]:
    """Both values below each other: name, value, sentence, clauses."""
    values = [_value(sentence.value) for sentence in (one.first, one.second)]
    heads = columns([(name, value, "|") for name, value in zip(names, values, strict=True)])
    lines = []
    for head, sentence in zip(heads, (one.first, one.second), strict=True):
        lead = f"    {head.removesuffix('|')}"
        was = f" (operator's override, the document says {sentence.was})" if sentence.was else ""
        lines += _hanging(lead, len(lead), sentence.text + was + bracketed(sentence.clauses))
    return lines


def _value(value: object) -> str:
    """A value in a narrow column.

    >>> _value([6, 8]), _value(True), _value(["side_wagers", "pontoons", "insurance", "surrender"])
    ('6, 8', 'yes', '')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):  # a list of words is long, and the sentence has it in full
        return ", ".join(str(part) for part in value) if all(len(str(part)) == 1 for part in value) else ""
    return str(value)


def clause_lines(name: str, clauses: Sequence[Clause], of: int) -> list[str]:
    """The register of a document, two or three lines per clause."""
    count = f"{len(clauses)} clauses" if len(clauses) == of else f"{len(clauses)} of {of} clauses"
    lines = [f"{name}: {count}"]
    for clause in clauses:
        lines += ["", f"{clause.number}  {_state(clause)}"]
        lines += _hanging("", 4, clause.text)
        lines += _hanging("", 4, clause.test) if clause.test else []
    return lines


def _state(clause: Clause) -> str:
    """Class, status and file of a clause in one line.

    >>> _state(Clause("7.2", "table", ("engine",), "Burn.", "implemented", "engine/dealing.py", ""))
    'table and engine, implemented: engine/dealing.py'
    """
    kinds = " and ".join((clause.kind, *clause.also))
    if clause.status == clause.kind:
        return kinds
    return f"{kinds}, {clause.status}: {clause.where}"


def one_clause(name: str, clause: Clause, cited: Sequence[Sentence]) -> list[str]:
    """One clause: what it says, where it lives, which values stand on it."""
    facts = (
        ("class", " and ".join((clause.kind, *clause.also))),
        ("status", clause.status),
        ("where", clause.where and f"src/pontoon/{clause.where}"),
        ("test", clause.test),
    )
    lines = [f"{name} {clause.number}", *_hanging("", 2, clause.text), ""]
    for title, words in facts:
        lines += _hanging(f"  {title}", 10, words) if words else []
    if not cited:
        return [*lines, "", "No value of the rulebook cites it."]
    width = max(len(sentence.key) for sentence in cited) + 4
    lines += ["", "Cited by"]
    for sentence in cited:
        lines += _hanging(f"  {sentence.key}", width, sentence.text)
    return lines


def coverage_lines(counts: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Clauses by status, a row for each document and the total, and what the statuses mean."""
    heads = list(counts["total"])
    rows = [(name, *(str(row[head]) for head in heads)) for name, row in counts.items()]
    table = columns([("document", *heads), *rows], right=set(range(1, len(heads) + 1)))
    return [*table, "", *MEANINGS]


MEANINGS = (
    "implemented  a test under the document's own values shows it (pontoon rules canberra --clause 7.2)",
    "equipment    a thing at the table that is drawn or recorded and decides nothing; a test shows it",
    "conduct      how people behave; a program cannot do it for them",
    "information  requires nothing",
)


def _hanging(lead: str, width: int, words: str) -> list[str]:
    """Text after a lead, wrapped with a hanging indent.

    >>> _hanging("a", 3, "b")
    ['a  b']
    """
    indent = " " * width
    return wrap(
        words,
        WIDTH,
        initial_indent=lead.ljust(width),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
