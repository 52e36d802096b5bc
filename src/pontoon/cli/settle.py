"""`pontoon settle`: settle transcripts, check what was paid, compare rulebooks."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pontoon.cli.common.parser import Commands, Parser, add_formats, add_settings, fail, rulebook_name
from pontoon.cli.common.tables import print_json, show_data, wants_data
from pontoon.quoting import quoted
from pontoon.rulebook import RulebookError, load
from pontoon.transcript import (
    RefusedLine,
    Replay,
    Transcript,
    TranscriptError,
    differences,
    nets,
    read_bytes,
    result,
    rules_of,
)
from pontoon.transcript import replay as replay_transcript
from pontoon.transcript.compare import Comparison, compare
from pontoon.transcript.read import LARGEST
from pontoon.view.picture import picture
from pontoon.view.settlement import columns, headline, settled_round
from pontoon.view.words import money_words, why

SETTLED, REFUSED, UNREADABLE, PAID_WRONG = 0, 1, 2, 3


class Answer(Struct, frozen=True):
    """The result of settling one file: exit status, JSON object, and lines of text."""

    status: int
    data: dict[str, object]
    lines: list[str]
    error: str = ""
    picture: str = ""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "settle", help="settle rounds recorded as transcripts", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    command.add_argument("files", metavar="FILE", nargs="+", help="transcripts (.prt); - is standard input")
    add_formats(command, "one JSON object; with several files one per line")
    command.add_argument(
        "--as",
        dest="other",
        metavar="RULEBOOK",
        type=rulebook_name,
        default=None,
        help="settle under another rulebook and show the difference",
    )
    command.add_argument("--picture", metavar="FILE.svg", default=None, help="draw the settled round (one transcript)")
    add_settings(command)
    command.set_defaults(run=_settle)


_DESCRIPTION = """Settle rounds recorded as transcripts: the cards, each payment in order with its odds and clauses,
and the net result of each player."""

_EXAMPLES = """Examples:
  pontoon settle round.prt
  pontoon settle --json rounds/*.prt
  pontoon settle --as star round.prt
  pontoon settle --picture round.svg round.prt
  pontoon settle --set dealer.pontoon_collects=busts_plus_one round.prt

Exit status: 0 settled; 1 an action was refused; 2 a file cannot be read or is incomplete;
3 settled, but [paid] differs from what is due. With several files, the highest of these."""


def _settle(args: Namespace) -> int:
    overrides = dict(args.settings)
    if args.other:
        try:
            load(args.other, overrides)
        except RulebookError as error:
            return fail(str(error))
    several = len(args.files) > 1
    if args.picture and several:
        return fail("--picture takes one transcript at a time")
    if args.picture and not args.picture.lower().endswith(".svg"):
        return fail(f"--picture {args.picture}: the picture is SVG, name it with the extension .svg")
    status = SETTLED
    rows: list[dict[str, object]] = []
    as_table = args.format in ("csv", "parquet")
    for index, file in enumerate(args.files):
        answer = _answer(file, args.other, overrides)
        status = max(status, answer.status)
        if as_table and not answer.error:
            rows.append({"file": file, **answer.data})
        else:
            _print(answer, file, as_json=wants_data(args), several=several, first=index == 0)
        if args.picture and answer.picture:
            status = max(status, _draw(args.picture, answer.picture))
    return max(status, show_data(args, "settle", rows)) if as_table else status


def _draw(path: str, picture: str) -> int:
    try:
        Path(path).write_text(picture, encoding="utf-8")
    except OSError as error:
        return fail(f"{path}: {error.strerror}")
    return SETTLED


def _print(answer: Answer, file: str, *, as_json: bool, several: bool, first: bool) -> None:
    if as_json:
        data = {"file": file, **answer.data} if several else answer.data
        if not answer.error or several:
            print_json("settle", data, indent=None if several else 2)
    elif not answer.error:
        if several:
            print(("" if first else "\n") + f"== {file}")
        print("\n".join(answer.lines))
    if answer.error and not (as_json and several):
        print(answer.error, file=sys.stderr)


def _answer(file: str, as_rulebook: str | None, overrides: dict[str, object]) -> Answer:
    try:
        transcript = read_bytes(read_file(file), folder_of(file))
        transcript = replace(transcript, overrides={**transcript.overrides, **overrides})
        if as_rulebook:
            return _compared(compare(transcript, as_rulebook, overrides))
        return _settled(transcript, replay_transcript(transcript, rules_of(transcript)))
    except TranscriptError as error:
        words = f"{file if file.isprintable() else quoted(file)}: {error}"
        return Answer(UNREADABLE, {"error": str(error)}, [], words)


def read_file(file: str) -> bytes:
    """The bytes of a file or of standard input, up to the size limit of a transcript."""
    try:
        if file == "-":
            return sys.stdin.buffer.read(LARGEST + 1)
        with Path(file).open("rb") as stream:
            return stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        raise TranscriptError("file", getattr(error, "strerror", None) or "cannot be read") from None


def folder_of(file: str) -> str:
    """The base folder for paths in a transcript: its own folder, or the current one for standard input."""
    return "" if file == "-" else str(Path(file).parent)


def _settled(transcript: Transcript, played: Replay | RefusedLine) -> Answer:
    if isinstance(played, RefusedLine):
        return _refused(played)
    due = nets(transcript.players, played.state.settlements)
    lines = [headline(played.rules, transcript.decks or played.rules.decks.default), ""]
    lines += settled_round(played.state, due)
    wrong = differences(transcript, due)
    if wrong:
        lines += ["", "The payments differ from what is due"]
        rows = [(row["player"], f"due {row['due']}", f"paid {row['paid']}", _owed(str(row["owed"]))) for row in wrong]
        lines += [f"  {row}" for row in columns(rows)]
    drawn = picture(played.state, due, lines[0])
    return Answer(PAID_WRONG if wrong else SETTLED, result(played), lines, picture=drawn)


def _refused(played: RefusedLine) -> Answer:
    refusal = played.refusal
    data: dict[str, object] = {
        "refused": {
            "action": played.line.text,
            "code": refusal.code,
            "clauses": list(refusal.clauses),
            "why": why(refusal),
        }
    }
    lines = [f"refused: {played.line.text}", f"  {why(refusal)} [{', '.join(refusal.clauses)}]"]
    return Answer(REFUSED, data, lines)


def _compared(comparison: Comparison | RefusedLine) -> Answer:
    """The round under another rulebook, with each player's difference."""
    if isinstance(comparison, RefusedLine):
        return _refused(comparison)
    notes = list(comparison.notes)
    if isinstance(comparison.other, RefusedLine):
        answer = _refused(comparison.other)
        return Answer(answer.status, {**answer.data, "notes": notes}, [*answer.lines, *_noted(notes)])
    answer = _settled(comparison.other.transcript, comparison.other)
    before, change = comparison.nets_before, comparison.difference
    data = {
        **answer.data,
        "compared_with": {
            "rulebook": comparison.original.rules.about.name,
            "players": {player: _dollars(net) for player, net in before.items()},
        },
        "difference": {player: _dollars(net) for player, net in change.items()},
        "notes": notes,
    }
    name, other = comparison.original.rules.about.name, comparison.other.rules.about.name
    rows: Sequence[Sequence[str]] = [
        ("", name, other, "difference"),
        *(
            (player, money_words(net), money_words(net + change[player]), money_words(change[player]))
            for player, net in before.items()
        ),
    ]
    lines = [*answer.lines, *_noted(notes), "", f"Compared with {name}"]
    lines += [f"  {row}" for row in columns(rows, right={1, 2, 3})]
    return Answer(answer.status, data, lines, picture=answer.picture)


def _noted(notes: Sequence[str]) -> list[str]:
    return ["", *(f"note: {note}" for note in notes)] if notes else []


def _owed(amount: str) -> str:
    return f"take back {amount[1:]}" if amount.startswith("-") else f"owed {amount}"


def _dollars(net: int) -> str:
    return money_words(net).removeprefix("+")
