"""Rulings and documents: the remedy for an error, and which rulebook says what."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

from pontoon.rulebook import NAMES, RemedyRow, Rulebook, load
from pontoon.rulebook.explain import Sentence, explain
from pontoon.rulebook.remedies import KINDS
from pontoon.school.model import Question, among
from pontoon.transcript.remedies import rows_of, says, silent
from pontoon.view.ruling import ERRORS

BOX, CARD = 3, "7d"
SILENT = "The document has no rule for this: the house decides."
NOTICED = {
    "initial_deal": "It is noticed in the initial deal.",
    "in_turn": f"It is noticed during the turn of box {BOX}.",
    "passed": f"Box {BOX} was passed over, and all others have played.",
    "dealer_stands": "It is noticed after the dealer stood.",
    "dealer_breaks": "It is noticed after the dealer broke.",
    "dealer_pontoon": "It is noticed when the dealer has pontoon.",
}


def rulings(rules: Rulebook, _: int, chance: Random) -> tuple[Question, ...]:
    """A situation, and the remedies the document allows in it among those of other errors."""
    kind = chance.choice(sorted(KINDS))
    rows = () if silent(rules, kind) else rows_of(rules, kind)
    moments = sorted({moment for row in rows for moment in row.moments})
    moment = chance.choice(moments) if moments else ""
    right = tuple(dict.fromkeys(_words(row) for row in rows if not row.moments or moment in row.moments)) or (SILENT,)
    others = [_words(row) for other in KINDS if other != kind for row in rows_of(rules, other)]
    said = says(rules, kind)
    allowed = f"; the document allows: {' / '.join(right)}" if len(right) > 1 else ""
    return (
        Question(
            f"{ERRORS[kind].capitalize()}. {NOTICED.get(moment, '')} What do you rule?".replace("  ", " "),
            (),
            among(right, (*others, *OTHER_WAYS, SILENT), chance),
            right,
            f"{said.text.rstrip('.')}{allowed}",
            said.clauses,
            20,
        ),
    )


OTHER_WAYS = (
    "The round is void and all wagers go back.",
    "Play goes on as if nothing had happened.",
    f"{CARD} is put back into the shoe.",
    "The dealer decides alone.",
)
"""What people suggest who have not read the document."""


def _words(row: RemedyRow) -> str:
    text = row.words.replace(" (below: in the order they left the shoe)", "").replace(" (below: all of them do)", "")
    return text.format(box=BOX, card=CARD)


def document(rules: Rulebook, _: int, chance: Random) -> tuple[Question, ...]:
    """Which rulebook says this: questions about values in which the documents differ."""
    texts = {name: _sentences(name) for name in NAMES}
    mine = texts[rules.about.name]
    differ = sorted(key for key, one in mine.items() if one.value is not None and one.clauses and _differs(texts, key))
    sentence = mine[chance.choice(differ)]
    right = tuple(name for name in NAMES if _text(texts[name], sentence.key) == sentence.text)
    others = {_text(texts[name], sentence.key) for name in NAMES if name not in right} - {""}
    elsewhere = f"; elsewhere: {' / '.join(sorted(others))}" if others else ""
    why = f"So say {', '.join(right)}{elsewhere}"
    return (Question(f"Which rulebook says: {sentence.text}", (), NAMES, right, why, sentence.clauses, 15),)


@cache
def _sentences(name: str) -> dict[str, Sentence]:
    return {sentence.key: sentence for chapter in explain(load(name)) for sentence in chapter.sentences}


def _text(sentences: Mapping[str, Sentence], key: str) -> str:
    return sentences[key].text if key in sentences else ""


def _differs(texts: Mapping[str, Mapping[str, Sentence]], key: str) -> bool:
    return len({_text(sentences, key) for sentences in texts.values()}) > 1
