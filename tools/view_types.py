"""Write the types of the server's messages as TypeScript: `python tools/view_types.py [--check]`.

The page is plain JavaScript; these declarations let `tsc` check it against the server's own structures. With --check
nothing is written; the exit status is 1 if the file is out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from msgspec import inspect

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src")]

from pontoon.server.api import floor, hands, history, learning, practice, progress, review, rulings, tables, tournaments  # noqa: E402
from pontoon.server.coach.other_rulebooks import AsIfAll  # noqa: E402
from pontoon.server.floor.console import Console  # noqa: E402
from pontoon.server.floor.incidents import Incident  # noqa: E402
from pontoon.server.lab.chart_rows import ChartRows  # noqa: E402
from pontoon.server.people.accounts import SignedIn  # noqa: E402
from pontoon.server.rooms import frames  # noqa: E402
from pontoon.server.sharing.hands import SharedHand, SharedProof  # noqa: E402
from pontoon.table.fairness import ShoeRecord  # noqa: E402
from pontoon.trainer.counting import CountPlays, CountTags  # noqa: E402
from pontoon.trainer.lessons import Lesson  # noqa: E402
from pontoon.view.tournaments.parts import TournamentView  # noqa: E402

FILE = ROOT / "src" / "pontoon" / "web" / "types" / "view.d.ts"
HEAD = """\
// Written by tools/view_types.py from the server's structures; do not edit.
// A field with a question mark is left out where it has its default. Commands are declared in page.d.ts.
"""
ROOTS: tuple[Any, ...] = (
    frames.Frame,
    SignedIn,
    Console,
    floor.Pit,
    floor.IncidentList,
    Incident,
    floor.FoundRounds,
    tables.RulebookList,
    tables.RulebookText,
    tables.ClauseText,
    tables.TableList,
    tables.MadeTable,
    practice.PracticeHand,
    practice.DrillList,
    practice.DrillAnswer,
    CountTags,
    CountPlays,
    Lesson,
    ChartRows,
    history.RoundPage,
    history.RoundSteps,
    history.RoundHands,
    history.ShoeList,
    ShoeRecord,
    learning.CoachAnswer,
    learning.CoachRound,
    learning.Preparing,
    AsIfAll,
    review.RoundReview,
    progress.Profile,
    progress.Leaderboard,
    hands.SharedLink,
    hands.Verdicts,
    SharedHand,
    SharedProof,
    rulings.Rulings,
    rulings.RulingPreview,
    rulings.Remedies,
    tournaments.TournamentList,
    TournamentView,
    tournaments.MadeTournament,
    tournaments.ConditionsPaper,
)
"""What the page reads: the frames of the socket, and the answers to its requests."""
FRAMES = get_args(frames.Frame)
WIDTH = 120
SIMPLE = {
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "any",
    inspect.CustomType: "string",  # a card, which is its notation
}


class Declared:
    """The declarations found so far, by name."""

    def __init__(self) -> None:
        self.interfaces: dict[str, str] = {}

    def name(self, found: inspect.Type) -> str:
        """The TypeScript name of a type; declares structures as needed."""
        match found:
            case inspect.Metadata(type=inner):
                return self.name(inner)
            case inspect.UnionType(types=types):
                return " | ".join(dict.fromkeys(map(self.name, types)))
            case inspect.LiteralType(values=values):
                return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in values)
            case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
                words = self.name(item)
                return f"({words})[]" if "|" in words else f"{words}[]"
            case inspect.TupleType(item_types=items):
                return f"[{', '.join(map(self.name, items))}]"
            case inspect.DictType(value_type=value):
                return f"Record<string, {self.name(value)}>"
            case inspect.StructType(tag_field=tag, cls=cls):
                return "Command" if tag and cls not in FRAMES else self.declare(found)
            case _:
                return SIMPLE[type(found)]

    def declare(self, found: inspect.StructType) -> str:
        """Declare a structure once."""
        name = found.cls.__name__
        if name not in self.interfaces:
            self.interfaces[name] = ""
            lines = "".join(f"  {line};\n" for line in self.fields(found))
            self.interfaces[name] = f"interface {name} {{\n{lines}}}\n"
        return name

    def fields(self, found: inspect.StructType) -> Iterator[str]:
        """The fields of a structure as they are sent."""
        if found.tag_field:
            yield f'{found.tag_field}: "{found.tag}"'
        omits = found.cls.__struct_config__.omit_defaults
        for field in found.fields:
            optional = "?" if omits and not field.required else ""
            line = f"{field.encode_name}{optional}: {self.name(field.type)}"
            yield line if len(line) < WIDTH - 2 else line.replace(" | ", "\n    | ").replace(": ", ":\n    | ", 1)


def declarations() -> str:
    """The whole file."""
    found = Declared()
    for root in ROOTS:
        found.name(inspect.type_info(root))
    union = "".join(f"\n  | {kind.__name__}" for kind in FRAMES)
    return "\n".join([HEAD, *found.interfaces.values(), f"type Frame ={union};\n"])


def main(arguments: list[str]) -> int:
    """Write the file, or report whether it is up to date."""
    text = declarations()
    if arguments == ["--check"]:
        current = FILE.is_file() and FILE.read_text(encoding="utf-8") == text
        print("" if current else f"{FILE.relative_to(ROOT)} is out of date: python tools/view_types.py", end="")
        return not current
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
