"""`pontoon chart`: the best strategy chart, and its cost."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

import msgspec

from pontoon.cli.analysis_common import AnalysisError, add_common, progress, rules_of, solver_of, write_file
from pontoon.cli.parser import Commands, Parser, fail
from pontoon.rulebook import Rulebook

if TYPE_CHECKING:
    from pontoon.analysis.chart import Chart

FORMATS = ("text", "json", "csv", "html", "png")
FILES = ("html", "png")
"""Formats that are always written to a file."""
NO_DRAWING = "a picture needs matplotlib: pip install 'pontoon21[report]'"


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "chart", help="the best strategy chart, and its cost", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    command.add_argument("--format", choices=FORMATS, help="output format (text); html and png go to a file")
    command.add_argument("--out", metavar="FILE", help="the file to write")
    command.set_defaults(run=_run)


_DESCRIPTION = """The best decision for each total, soft total and pair against each upcard, computed exactly from a
fresh shoe: the best chart of this form, the gain of each square, and the chart's cost compared with perfect play."""

_EXAMPLES = """Examples:
  pontoon chart star
  pontoon chart canberra --packs 4 --format png --out wall.png
  pontoon chart adelaide --set split.max_hands=4 --json"""


def _run(args: Namespace) -> int:
    if args.json and args.format not in (None, "json"):
        return fail(f"--json and --format {args.format} cannot be combined")
    form = "json" if args.json else args.format or "text"
    try:
        rules = rules_of(args)
        solver = solver_of(args, rules)
        from pontoon.analysis.chart import chart_of

        with progress("chart") as show:
            chart = chart_of(solver, rules, show)
        content = _content(chart, rules, form)
        name = args.out or (f"{rules.about.name}-{chart.decks}-chart.{form}" if form in FILES else None)
        if name is not None:
            write_file(name, content)
    except AnalysisError as error:
        return fail(str(error))
    print(content.decode() if name is None else f"{name}\n", end="")
    return 0


def _content(chart: Chart, rules: Rulebook, form: str) -> bytes:
    from pontoon.view import chart as view

    match form:
        case "json":
            return msgspec.json.format(msgspec.json.encode(chart), indent=2) + b"\n"
        case "csv":
            return view.comma_separated(chart).encode()
        case "html":
            from pontoon.view.chart_html import page

            return page(chart, rules).encode()
        case "png":
            try:
                from pontoon.view.chart_png import picture

                return picture(chart, rules)
            except ImportError:
                raise AnalysisError(NO_DRAWING) from None
        case _:
            return ("\n".join(view.text(chart, rules)) + "\n").encode()
