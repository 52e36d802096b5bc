"""What a rulebook with changed rules is worth: the edge first, then what each change is worth, the chart, the swing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from pontoon.rulebook import Clauses, Rulebook, RulebookError, digest, load, plain_value
from pontoon.rulebook.diff import differences
from pontoon.rulebook.labels import labels, words_of
from pontoon.server.lab.chart_rows import ChartRows, chart_rows
from pontoon.server.lab.lanes import Lab
from pontoon.server.lab.sums import EdgeSum, Game, SideBet, chart_sum, deviation_sum, edge_sum
from pontoon.server.problems import ProblemError, problem

Text = Annotated[str, Meta(max_length=64)]
Whole = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Value = bool | Whole | Text | Annotated[list[Whole | Text], Meta(max_length=16)]
PACKS = "packs"
"""The number of packs is chosen like a rule, though it is none of the rulebook's."""
FIRST = 3
"""So many changes are priced before the chart is drawn."""
MOST_CHANGES = 64


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """A rulebook, and what is changed in it."""

    rulebook: Annotated[str, Meta(min_length=1, max_length=32)]
    overrides: Annotated[dict[Text, Value], Meta(max_length=MOST_CHANGES)] = {}
    packs: Annotated[int, Meta(ge=0, le=8)] = 0
    """0 is what the rulebook uses where nobody chooses."""


class Asked(Choice, frozen=True, forbid_unknown_fields=True):
    """What to evaluate, at which stake, beside what."""

    stake: Annotated[int, Meta(ge=1, le=10**8)] = 1000
    """Cents."""
    against: Choice | None = None
    """Another casino; without one the rulebook as it is written."""


class ChangeRow(Struct, frozen=True):
    """A rule that was changed."""

    key: str
    label: str
    words: str
    was: str
    worth: float | None
    """What the player gains by this change alone, in first wagers a round; null while it is being computed."""


class DifferenceRow(Struct, frozen=True):
    """A rule that the two casinos have differently."""

    key: str
    label: str
    main: bool
    first: str
    second: str
    first_clauses: Clauses
    second_clauses: Clauses


class Side(Struct, frozen=True):
    """One of two casinos."""

    rulebook: str
    digest: str
    packs: int
    house_edge: float
    side_bets: tuple[SideBet, ...]


class EdgePart(Struct, frozen=True, tag_field="part", tag="edge"):
    """The first part of an answer."""

    now: Side
    was: Side
    stake: int
    changes: tuple[ChangeRow, ...]
    differences: tuple[DifferenceRow, ...]
    """Where two casinos are compared: every rule that matters and differs."""


class WorthPart(Struct, frozen=True, tag_field="part", tag="worth"):
    """What one change is worth."""

    key: str
    worth: float | None


class DeviationPart(Struct, frozen=True, tag_field="part", tag="deviation"):
    """The standard deviation of one round, in first wagers."""

    now: float


class BusyPart(Struct, frozen=True, tag_field="part", tag="busy"):
    """The rest has to wait: ask again in a moment."""

    words: str


Part = EdgePart | WorthPart | ChartRows | DeviationPart | BusyPart


class Book(Struct, frozen=True):
    """A choice that holds together."""

    rules: Rulebook
    choice: Choice
    packs: int

    def game(self, stake: int) -> Game:
        """What its sums depend on; changes that change nothing are left out."""
        kept = {key: plain_value(self.rules, key) for key in sorted(self.changed())}
        return Game(self.choice.rulebook, msgspec.json.encode(kept).decode(), self.packs, stake)

    def changed(self) -> list[str]:
        """The keys whose values are not the document's, in the order they were changed."""
        written = load(self.choice.rulebook)
        return [key for key in self.choice.overrides if plain_value(self.rules, key) != plain_value(written, key)]

    def without(self, key: str) -> Book | None:
        """The same with one change less; None where the rest does not hold together."""
        overrides = {one: value for one, value in self.choice.overrides.items() if one != key}
        packs = 0 if key == PACKS else self.choice.packs
        try:
            return book_of(Choice(self.choice.rulebook, overrides, packs))
        except ProblemError:
            return None


def book_of(choice: Choice) -> Book:
    """The rulebook of a choice; ProblemError says in one line what is wrong with it."""
    try:
        rules = load(choice.rulebook, choice.overrides)
    except RulebookError as error:
        raise ProblemError(problem("malformed", detail=_in_words(str(error)))) from None
    packs = choice.packs or rules.decks.default
    if packs not in rules.decks.allowed:
        allowed = ", ".join(map(str, rules.decks.allowed))
        detail = f"{packs} packs are not allowed by {choice.rulebook}, which has {allowed}"
        raise ProblemError(problem("malformed", detail=detail))
    return Book(rules, choice, packs)


def _in_words(complaint: str) -> str:
    """A complaint about a rulebook with labels in place of keys."""
    _, mark, rest = complaint.partition(": ")
    if not (mark and complaint.startswith("override of ")):
        return complaint
    for key, label in sorted(labels().items(), key=lambda one: -len(one[0])):
        rest = rest.replace(key, f"“{label.label}”")
    return rest


def against(asked: Asked) -> Book:
    """What an answer is compared with: the other casino, or the document as it is written."""
    return book_of(asked.against or Choice(asked.rulebook))


async def first_part(lab: Lab, asked: Asked) -> EdgePart:
    """The edge, what it was, and what was changed."""
    now, was = book_of(asked), against(asked)
    edge, old = [await lab.edges.do(edge_sum, book.game(asked.stake)) for book in (now, was)]
    priced = {key: _worth(lab, asked, now, key, edge) for key in _changed(now)}
    return EdgePart(
        _side(now, edge),
        _side(was, old),
        asked.stake,
        tuple(_change(now, key, priced[key]) for key in _changed(now)),
        tuple(_differences(now, was)) if asked.against else (),
    )


async def other_parts(lab: Lab, asked: Asked, first: EdgePart) -> AsyncIterator[Part]:
    """Everything that follows the edge, each part as soon as it is there."""
    now, was = book_of(asked), against(asked)
    waiting = [change.key for change in first.changes if change.worth is None]
    try:
        for key in waiting[:FIRST]:
            yield await _priced(lab, asked, now, key)
        old = await lab.rest.do(chart_sum, was.game(asked.stake))
        yield chart_rows(await lab.rest.do(chart_sum, now.game(asked.stake)), old)
        for key in waiting[FIRST:]:
            yield await _priced(lab, asked, now, key)
        yield DeviationPart(await lab.rest.do(deviation_sum, now.game(asked.stake)))
    except ProblemError as error:
        yield BusyPart(error.problem.words)


async def _priced(lab: Lab, asked: Asked, now: Book, key: str) -> WorthPart:
    without = now.without(key)
    if without is not None:
        await lab.rest.do(edge_sum, without.game(asked.stake))
    edge = await lab.rest.do(edge_sum, now.game(asked.stake))
    return WorthPart(key, _worth(lab, asked, now, key, edge))


def _worth(lab: Lab, asked: Asked, now: Book, key: str, edge: EdgeSum) -> float | None:
    """The edge without a change less the edge with it, where the former is known."""
    without = now.without(key)
    known = lab.cache.get(edge_sum, without.game(asked.stake)) if without is not None else None
    return known.house_edge - edge.house_edge if known is not None else None


def _changed(book: Book) -> list[str]:
    usual = load(book.choice.rulebook).decks.default
    return [*book.changed(), *((PACKS,) if book.choice.packs and book.packs != usual else ())]


def _change(book: Book, key: str, worth: float | None) -> ChangeRow:
    written = load(book.choice.rulebook)
    if key == PACKS:
        return ChangeRow(key, "Packs", str(book.packs), str(written.decks.default), worth)
    return ChangeRow(key, labels()[key].label, words_of(book.rules, key), words_of(written, key), worth)


def _side(book: Book, edge: EdgeSum) -> Side:
    return Side(book.rules.about.name, digest(book.rules), book.packs, edge.house_edge, edge.sides)


def _differences(first: Book, second: Book) -> Iterator[DifferenceRow]:
    for one in differences(first.rules, second.rules):
        if one.matters and one.key in labels():
            yield DifferenceRow(
                one.key,
                labels()[one.key].label,
                labels()[one.key].main,
                words_of(first.rules, one.key),
                words_of(second.rules, one.key),
                one.first.clauses,
                one.second.clauses,
            )
