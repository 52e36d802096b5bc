"""What two rulebooks say differently, value by value; clauses always differ and are no difference."""

from __future__ import annotations

from msgspec import Struct

from pontoon.rulebook.explain import Sentence, explain
from pontoon.rulebook.schema import Rulebook


class Difference(Struct, frozen=True):
    """One value that two rulebooks have differently."""

    key: str
    first: Sentence
    second: Sentence

    @property
    def matters(self) -> bool:
        """Whether both offer what the value speaks of; where one does not, another value already says so."""
        return self.first.applies and self.second.applies


def differences(first: Rulebook, second: Rulebook) -> tuple[Difference, ...]:
    """The values that differ, in the order of play.

    >>> from pontoon.rulebook.load import load
    >>> [one.key for one in differences(load("star"), load("federal"))][:2]
    ['decks.with_perfect_pairs', 'side.perfect_pairs']
    """
    return tuple(
        Difference(one.key, one, other)
        for chapter, others in zip(explain(first), explain(second), strict=True)
        for one, other in zip(chapter.sentences, others.sentences, strict=True)
        if one.value != other.value
    )
