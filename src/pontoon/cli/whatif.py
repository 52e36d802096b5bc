"""`pontoon whatif`: what each rule is worth, and the price of every ambiguity."""

from __future__ import annotations

import time
from argparse import Namespace
from textwrap import wrap
from typing import TYPE_CHECKING

from pontoon.cli.common.analysis import WIDE, AnalysisError, about, add_common, decks_of, progress, ready, rules_of
from pontoon.cli.common.parser import Commands, Parser, fail
from pontoon.cli.common.tables import show_data, wants_data
from pontoon.view.settlement import columns, headline

if TYPE_CHECKING:
    from pontoon.analysis.whatif import Ambiguity, Change

NOTHING = 5e-9
"""Changes smaller than this count as zero."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "whatif", help="what each rule is worth, and each ambiguity", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    command.set_defaults(run=_run)


_DESCRIPTION = """What each rule is worth: every value that can affect money is changed on its own and the game solved
again; the figure is the change in the player's expectation, in percent of the first wager. Then the price of every
ambiguity: the house edge under each reading of the document."""

_EXAMPLES = """Examples:
  pontoon whatif star
  pontoon whatif adelaide --packs 6 --json
  pontoon whatif canberra --set split.max_hands=3"""


def _run(args: Namespace) -> int:
    try:
        rules = rules_of(args)
        decks = decks_of(args, rules)
        ready()
    except AnalysisError as error:
        return fail(str(error))
    from pontoon.analysis.whatif import ambiguities, expectation, what_if

    start = time.perf_counter()
    with progress(f"rules of {rules.about.name}") as show:
        changes = what_if(rules, decks, args.stake, show)
    with progress("ambiguities") as show:
        open_points = ambiguities(rules, decks, args.stake, show)
    ev = expectation(rules, decks, args.stake)
    if wants_data(args):
        found = {
            "ev": ev,
            "house_edge": -ev,
            "changes": [_change(change) for change in changes],
            **_points(open_points),
        }
        seconds = round(time.perf_counter() - start, 3)
        return show_data(args, "whatif", {**about(rules, decks, args), **found, "seconds": seconds})
    print(headline(rules, decks))
    print(f"house edge {-ev:.4%} at a first wager of ${args.stake}")
    print("\n".join(["", *_change_lines(changes), "", *_ambiguity_lines(open_points)]))
    return 0


def _change(change: Change) -> dict[str, object]:
    return {
        "key": change.key,
        "was": change.was,
        "value": change.value,
        "worth": change.worth,
        "clauses": list(change.clauses),
        "sentence": change.sentence,
        "was_sentence": change.was_sentence,
    }


def _points(found: tuple[Ambiguity, ...]) -> dict[str, object]:
    priced = [
        {
            "number": row.number,
            "says": row.says,
            "readings": [
                {
                    "reading": reading.reading,
                    "set": dict(reading.settings),
                    "ev": reading.ev,
                    "house_edge": -reading.ev,
                    "difference": reading.difference,
                    "ours": reading.ours,
                }
                for reading in row.readings
            ],
        }
        for row in found
        if row.readings
    ]
    no_effect = [{"number": row.number, "says": row.says, "because": row.none} for row in found if row.none]
    no_option = [{"number": row.number, "says": row.says, "ours": row.no_option} for row in found if row.no_option]
    return {"ambiguities": priced, "no_effect": no_effect, "no_option": no_option}


def _change_lines(changes: tuple[Change, ...]) -> list[str]:
    lines = ["What each rule is worth to the player, changed on its own"]
    idle = []
    for change in changes:
        if abs(change.worth) < NOTHING:
            idle.append(f"{change.key} = {change.value}")
        else:
            gains = f"{change.worth:+.4%}"
            lines += _wrapped(f"{gains:>10}  ", f"{change.sentence} [{' '.join(change.clauses)}]")
            lines.append(f"{'':12}{change.key} = {change.value}, not {change.was}")
    if idle:
        title = "No effect at this stake with best play"
        lines += ["", title, *_wrapped("  ", ", ".join(idle), 2)]
    return lines


def _wrapped(first: str, words: str, indent: int | None = None) -> list[str]:
    """Text after a label, wrapped to fit; continuation lines are indented below the text."""
    below = " " * (len(first) if indent is None else indent)
    return wrap(words, WIDE, initial_indent=first, subsequent_indent=below, break_on_hyphens=False)


def _ambiguity_lines(found: tuple[Ambiguity, ...]) -> list[str]:
    lines = ["The price of every ambiguity: house edge under each reading (* ours)"]
    for ambiguity in found:
        if ambiguity.readings:
            lines.append(f"  {ambiguity.number}  {ambiguity.says}")
            rows = [
                (f"{-reading.ev:.4%}", f"{reading.difference:+.4%}", "*" if reading.ours else "", reading.reading)
                for reading in ambiguity.readings
            ]
            lines += [
                line
                for number, row in enumerate(columns([row[:3] for row in rows], right={0, 1}))
                for line in _wrapped(f"    {row:<21}", rows[number][3])
            ]
    titles = (
        ("no_option", "Could affect money, but only one reading is available as an option"),
        ("none", "No effect on one bettor"),
    )
    for name, title in titles:
        others = [(row.number, f"{row.says}: {getattr(row, name)}") for row in found if getattr(row, name)]
        if others:
            lines += ["", title, *(line for number, words in others for line in _wrapped(f"  {number:<4} ", words))]
    return lines
