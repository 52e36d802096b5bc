"""The differences between two rulebooks, value by value, ignoring clauses."""

from __future__ import annotations

from msgspec import Struct

from pontoon.rulebook.explain import Sentence, explain
from pontoon.rulebook.schema import Rulebook


class Difference(Struct, frozen=True):
    """One value that differs between two rulebooks."""

    key: str
    first: Sentence
    second: Sentence

    @property
    def matters(self) -> bool:
        """Whether both rulebooks offer what the value is about; if not, another difference already says so."""
        return self.first.applies and self.second.applies


def differences(first: Rulebook, second: Rulebook) -> tuple[Difference, ...]:
    """The values that differ, in the order of play.

    >>> from pontoon.rulebook import load
    >>> [one.key for one in differences(load("star"), load("federal"))][:2]
    ['side.perfect_pairs.offered', 'surrender.mode']
    """
    ours, theirs = _sentences(first), _sentences(second)
    keys = dict.fromkeys((*ours, *theirs))
    pairs = ((key, ours.get(key) or _absent(theirs[key]), theirs.get(key) or _absent(ours[key])) for key in keys)
    return tuple(Difference(key, one, other) for key, one, other in pairs if one.value != other.value)


def _sentences(book: Rulebook) -> dict[str, Sentence]:
    return {sentence.key: sentence for chapter in explain(book) for sentence in chapter.sentences}


def _absent(there: Sentence) -> Sentence:
    """The sentence for a side bet that a rulebook does not have: it is not offered."""
    if there.key.endswith(".offered"):
        title = there.text.removesuffix(" may be offered.").removesuffix(" is not offered.")
        return Sentence(there.key, False, f"{title} is not offered.", (), "", "", applies=True)  # noqa: FBT003 its value
    return Sentence(there.key, there.value, "", (), "", "", applies=False)
