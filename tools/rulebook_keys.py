"""Write the tables of docs/rulebook.md, every key of a rulebook file, from the schema: `--check` only compares."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, get_args, get_origin

from pontoon.money import Cents, Odds
from pontoon.rulebook.explain import HEADINGS
from pontoon.rulebook.remedies import ASKS, KINDS, LINES, MOMENTS, values_of
from pontoon.rulebook.schema import CITES, SECTIONS, RemedyRow, Says, Section, SideBet
from pontoon.rulebook.side_bets import OPTIONAL, VALUE_FIELDS
from pontoon.rulebook.values import field, fields

PAGE = Path(__file__).resolve().parent.parent / "docs" / "rulebook.md"
BEGIN, END = "<!-- keys: written by tools/rulebook_keys.py -->", "<!-- end of keys -->"


def kind_words(kind: object, says: Says) -> str:
    """The permitted values, in words."""
    if get_origin(kind) is Literal:
        return ", ".join(f'`"{choice}"`' for choice in get_args(kind))
    if get_origin(kind) is tuple:
        return "a list of " + {int: "whole numbers", str: "words"}[get_args(kind)[0]]
    if kind is int and says.least is not None:
        return f"{says.least} to {says.most}"
    return {bool: "true or false", int: "a whole number", Cents: "dollars", Odds: "odds"}[kind]  # type: ignore[index]


def sentence(says: Says) -> str:
    """The meaning of a value; each choice has its own sentence."""
    if isinstance(says.text, Mapping):
        return "<br>".join(f"`{choice}`: {words}" for choice, words in says.text.items())
    text = says.text.replace("{}", "N").replace("(s)", "s")
    return f"{text}<br>else: {says.no}" if says.no else text


def section_table(name: str, kind: type[Section]) -> Iterator[str]:
    """The keys of one section."""
    yield from ("", f"### `[{name}]` {HEADINGS[name]}", "", "| key | values | what it says |", "| --- | --- | --- |")
    for key, (says, wanted) in fields(kind).items():
        yield f"| `{key}` | {kind_words(wanted, says)} | {sentence(says)} |"


def side_table() -> Iterator[str]:
    """The keys of a side bet."""
    yield from ("", "### `[[side]]` Side bets", "", "| key | values | left out | what it says |")
    yield "| --- | --- | --- | --- |"
    for key in VALUE_FIELDS:
        says, wanted = field(SideBet, key)
        default = "every number of packs" if key == "decks" else f"`{OPTIONAL[key]}`"
        words = sentence(says).replace("{title}", "Perfect Pairs")
        yield f"| `{key}` | {kind_words(wanted, says)} | {default} | {words} |"


REMEDY_KEYS = {
    "kind": (", ".join(f"`{kind}`" for kind in KINDS), "the kind of error"),
    "value": ("a value of the rule that decides the kind", "the value under which the row holds"),
    "name": ("text", "what the remedy is called; `{box}` is the box of the error"),
    "words": ("text", "what is done; `{box}` and `{card}` are those of the error"),
    "lines": (", ".join(f"`{line}`" for line in LINES), "what is entered in the transcript now"),
    "later": ("the same lines, `+` between those entered together", "what is entered when the box has its turn"),
    "moments": (", ".join(f"`{moment}`" for moment in MOMENTS), "when it is open; left out: always"),
    "asks": ("<br>".join(f"`{name}`: {words}" for name, words in ASKS.items()), "who approves; left out: `always`"),
    "clauses": ("a list of clauses", "left out: those beside the value of the kind"),
}


def remedy_table() -> Iterator[str]:
    """The keys of a remedy."""
    yield from ("", "### `[[remedy]]` Remedies", "", "| key | values | what it says |", "| --- | --- | --- |")
    for key in RemedyRow.__struct_fields__:
        values, words = REMEDY_KEYS[key]
        yield f"| `{key}` | {values} | {words} |"
    yield from ("", "| kind | decided by | values |", "| --- | --- | --- |")
    for kind, key in KINDS.items():
        yield f"| `{kind}` | `{key}` | {', '.join(f'`{value}`' for value in values_of(kind))} |"


def cites_table(name: str, kind: type[Section]) -> Iterator[str]:
    """The keys that hold clauses only."""
    yield from ("", f"### `[{name}]` {HEADINGS[name]}", "", "| key | clauses for |", "| --- | --- |")
    for key, (says, _) in fields(kind).items():
        yield f"| `{key}` | {says.text} |"


def keys() -> str:
    """All tables."""
    lines: list[str] = []
    for name, kind in SECTIONS.items():
        lines += section_table(name, kind)
    lines += side_table()
    lines += remedy_table()
    for name, kind in CITES.items():
        lines += cites_table(name, kind)
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """The page with its tables replaced."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{keys()}\n{END}{rest.partition(END)[2]}"


def main() -> int:
    """Write the page, or report whether it is up to date."""
    text = PAGE.read_text("utf-8")
    if "--check" in sys.argv[1:]:
        return 0 if page(text) == text else 1
    PAGE.write_text(page(text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
