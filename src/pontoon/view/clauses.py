"""What a clause says, in our words: for whoever asks what stands behind an announcement."""

from __future__ import annotations

from functools import cache

from pontoon.rulebook import load
from pontoon.rulebook.explain import explain
from pontoon.rulebook.register import register


def clause_words(rulebook: str, clause: str) -> str:
    """Our paraphrase of a clause; of the clause it is part of, where only that one is registered; else empty.

    >>> clause_words("adelaide", "48")
    'In VIP rooms, if players wish, their first two cards are dealt face down and they may hold them.'
    >>> clause_words("adelaide", "999")
    ''
    """
    words = _all(rulebook)
    while clause and clause not in words:
        clause = clause.rpartition("(")[0]
    return words.get(clause, "")


@cache
def _all(rulebook: str) -> dict[str, str]:
    """Every clause with its words: the register's, else the sentences of the values that cite it."""
    words: dict[str, str] = {}
    for chapter in explain(load(rulebook)):
        for sentence in chapter.sentences:
            for clause in sentence.clauses:
                words[clause] = f"{words[clause]} {sentence.text}" if clause in words else sentence.text
    return words | {one.number: one.text for one in register(rulebook)}
