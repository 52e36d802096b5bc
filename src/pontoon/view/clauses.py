"""Paraphrases of clauses, for viewers who ask for the rule behind an announcement."""

from __future__ import annotations

from pontoon.rulebook import NAMES, Clauses, Rulebook
from pontoon.rulebook.explain import explain
from pontoon.rulebook.register import register


def clause_words(rules: Rulebook, clause: str) -> str:
    """Our paraphrase of a clause, or of its parent if only that is registered; otherwise empty.

    >>> from pontoon.rulebook import load
    >>> clause_words(load("adelaide"), "48")
    'In VIP rooms, if players wish, their first two cards are dealt face down and they may hold them.'
    >>> clause_words(load("adelaide"), "999")
    ''
    """
    words = _all(rules)
    while clause and clause not in words:
        clause = clause.rpartition("(")[0]
    return words.get(clause, "")


def decision_clauses(rules: Rulebook, action: str, *, after_split: bool = False) -> Clauses:
    """The clauses that allow a decision; none for something that is no decision.

    >>> from pontoon.rulebook import load
    >>> decision_clauses(load("star"), "stand")
    ('STAR-PLAY-8', 'STAR-PLAY-10')
    """
    cites = rules.cites
    allowing: dict[str, Clauses] = {
        "stand": cites.stood,
        "hit": cites.card_drawn,
        "double": cites.double_split if after_split else cites.doubled,
        "split": cites.resplit if after_split else cites.split,
        "surrender": cites.surrendered,
        "keep": cites.forfeited,
        "forfeit": tuple(dict.fromkeys((*cites.forfeited, *rules.clauses("double.forfeit_highest")))),
        "insure": cites.insurance_made,
    }
    return allowing.get(action, ())


def _all(rules: Rulebook) -> dict[str, str]:
    """Every clause with its paraphrase: from the register, or the sentences of the values that cite it."""
    words: dict[str, str] = {}
    for chapter in explain(rules):
        for sentence in chapter.sentences:
            for clause in sentence.clauses:
                words[clause] = f"{words[clause]} {sentence.text}" if clause in words else sentence.text
    name = rules.about.name
    return words | {clause.number: clause.text for clause in (register(name) if name in NAMES else ())}
