"""The value of a rulebook with changed rules: the edge, then each change, the chart and the standard deviation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Annotated

from msgspec import Meta, Struct

from pontoon.rulebook import Clauses, Rulebook, RulebookError, canonical, digest, override, plain_value
from pontoon.rulebook.diff import differences
from pontoon.rulebook.labels import labels_of, words_of
from pontoon.server.lab.chart_rows import ChartRows, chart_rows
from pontoon.server.lab.lanes import Lab
from pontoon.server.lab.sums import EdgeSum, Game, SideBet, chart_sum, deviation_sum, edge_sum
from pontoon.server.problems import ProblemError, problem

Text = Annotated[str, Meta(max_length=64)]
Whole = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Value = bool | Whole | Text | Annotated[list[Whole | Text], Meta(max_length=16)]
FIRST = 3
"""Number of changes valued before the chart is computed."""
MOST_CHANGES = 64


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """A rulebook and the changes to it."""

    rulebook: Annotated[str, Meta(min_length=1, max_length=32)]
    overrides: Annotated[dict[Text, Value], Meta(max_length=MOST_CHANGES)] = {}


class Asked(Choice, frozen=True, forbid_unknown_fields=True):
    """What to evaluate, at which stake, compared with what."""

    stake: Annotated[int, Meta(ge=100, le=10**7, multiple_of=50)] = 1000
    """Stake in cents; the smallest chip is 50 cents."""
    against: Choice | None = None
    """The rulebook to compare with; by default the same one without changes."""


class ChangeRow(Struct, frozen=True):
    """A changed rule."""

    key: str
    label: str
    words: str
    was: str
    worth: float | None
    """The player's gain from this change alone, in first wagers per round; null while being computed."""


class DifferenceRow(Struct, frozen=True):
    """A rule that differs between two casinos."""

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
    """The first part of an evaluation."""

    now: Side
    was: Side
    stake: int
    changes: tuple[ChangeRow, ...]
    differences: tuple[DifferenceRow, ...]
    """For a comparison of two casinos: every relevant rule that differs."""


class WorthPart(Struct, frozen=True, tag_field="part", tag="worth"):
    """The value of one change."""

    key: str
    worth: float | None


class DeviationPart(Struct, frozen=True, tag_field="part", tag="deviation"):
    """The standard deviation of one round, in first wagers."""

    now: float


class BusyPart(Struct, frozen=True, tag_field="part", tag="busy"):
    """The server is busy; ask again in a moment for the rest."""

    words: str


Part = EdgePart | WorthPart | ChartRows | DeviationPart | BusyPart


class Book(Struct, frozen=True):
    """A choice whose changes are consistent."""

    rules: Rulebook
    written: Rulebook
    """The rulebook without changes."""

    @property
    def packs(self) -> int:
        """The number of packs."""
        return self.rules.decks.default

    @property
    def changes(self) -> dict[str, object]:
        """The changed values, in the order of the changes."""
        keys = dict.fromkeys(change.key for change in self.rules.overrides)
        return {key: plain_value(self.rules, key) for key in keys}

    def game(self, stake: int) -> Game:
        """The inputs of its calculations."""
        return Game(canonical(self.rules), self.packs, stake)

    def without(self, key: str) -> Book | None:
        """The same without one change; None if the other changes are then inconsistent."""
        try:
            rules = override(self.written, {name: value for name, value in self.changes.items() if name != key})
        except RulebookError:
            return None
        return Book(rules, self.written)


def book_of(lab: Lab, choice: Choice) -> Book:
    """The rulebook of a choice; raises ProblemError with one line about the first fault."""
    written = lab.written(choice.rulebook)
    if written is None:
        raise ProblemError(problem("malformed", detail=f"there is no rulebook {choice.rulebook!r}"))
    try:
        return Book(override(written, choice.overrides), written)
    except RulebookError as error:
        words = _in_words(str(error), written)
        raise ProblemError(problem("malformed", detail=words)) from None


def _in_words(complaint: str, rules: Rulebook) -> str:
    """An error message about a rulebook, with labels instead of keys."""
    _, mark, rest = complaint.partition(": ")
    if not (mark and complaint.startswith("override of ")):
        return complaint
    for key, label in sorted(labels_of(rules).items(), key=lambda item: -len(item[0])):
        rest = rest.replace(key, f"“{label.label}”")
    return rest


def against(lab: Lab, asked: Asked) -> Book:
    """The rulebook to compare with: the other casino, or the rulebook without changes."""
    return book_of(lab, asked.against or Choice(asked.rulebook))


async def first_part(lab: Lab, asked: Asked) -> EdgePart:
    """The new and old edge, and the changes."""
    now, was = book_of(lab, asked), against(lab, asked)
    edge, old = [await lab.edges.do(edge_sum, book.game(asked.stake)) for book in (now, was)]
    return EdgePart(
        _side(now, edge),
        _side(was, old),
        asked.stake,
        tuple(_change(now, key, _worth(lab, asked, now, key, edge)) for key in now.changes),
        tuple(_differences(now, was)) if asked.against else (),
    )


async def other_parts(lab: Lab, asked: Asked, first: EdgePart) -> AsyncIterator[Part]:
    """The parts after the edge, each as soon as it is ready."""
    now, was = book_of(lab, asked), against(lab, asked)
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
    """The edge without a change minus the edge with it, if the former is known."""
    without = now.without(key)
    known = lab.cache.get(edge_sum, without.game(asked.stake)) if without is not None else None
    return known.house_edge - edge.house_edge if known is not None else None


def _change(book: Book, key: str, worth: float | None) -> ChangeRow:
    label = labels_of(book.written, key)[key].label
    return ChangeRow(key, label, words_of(book.rules, key), words_of(book.written, key), worth)


def _side(book: Book, edge: EdgeSum) -> Side:
    return Side(book.rules.about.name, digest(book.rules), book.packs, edge.house_edge, edge.sides)


def _differences(first: Book, second: Book) -> Iterator[DifferenceRow]:
    """The differences a single player notices; a missing side bet counts as not offered."""
    ours, theirs = labels_of(first.rules), labels_of(second.rules)
    for difference in differences(first.rules, second.rules):
        label = ours.get(difference.key) or theirs.get(difference.key)
        if difference.matters and label is not None:
            yield DifferenceRow(
                difference.key,
                label.label,
                label.main,
                words_of(first.rules, difference.key) if difference.key in ours else "no",
                words_of(second.rules, difference.key) if difference.key in theirs else "no",
                difference.first.clauses,
                difference.second.clauses,
            )
