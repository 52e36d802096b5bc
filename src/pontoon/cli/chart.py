"""`pontoon chart`: the best strategy chart, and its cost."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

import msgspec

from pontoon.cli.common.analysis import AnalysisError, add_common, progress, rules_of, solver_of
from pontoon.cli.common.output import deliver, format_of
from pontoon.cli.common.parser import Commands, Parser, fail
from pontoon.cli.common.tables import table
from pontoon.rulebook import Rulebook

if TYPE_CHECKING:
    from pontoon.analysis.charts.chart import Chart

FORMATS = ("text", "json", "csv", "parquet", "html", "png", "svg", "pdf")
FILES = ("parquet", "html", "png", "svg", "pdf")
"""Formats that are always written to a file."""
PICTURES = ("svg", "pdf", "png")
FORMS = ("total", "cards", "full")
NO_DRAWING = "a picture needs matplotlib: pip install 'pontoon21[report]'"


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "chart", help="the best strategy chart, and its cost", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command, formats=False)
    command.add_argument("--format", choices=FORMATS, help="output format (that of the extension of --out, or text)")
    command.add_argument("--out", metavar="FILE", help="the file to write; - is standard output")
    command.add_argument(
        "--form",
        choices=FORMS,
        default="full",
        help="total: plain letters; cards: also by number of cards; full: also suits and drawn aces (default)",
    )
    command.add_argument("--card", action="store_true", help="a card for the wallet, as svg (default), pdf or png")
    command.set_defaults(run=_run)


_DESCRIPTION = """The best decision for each total, soft total and pair against each upcard, computed exactly from a
fresh shoe: the best chart of this form, the gain of each square, and the chart's cost compared with perfect play."""

_EXAMPLES = """Examples:
  pontoon chart star
  pontoon chart canberra --packs 4 --out wall.png
  pontoon chart star --card --out wallet.pdf
  pontoon chart star --form total
  pontoon chart adelaide --set split.max_hands=4 --json"""


def _run(args: Namespace) -> int:
    if args.json and args.format not in (None, "json"):
        return fail(f"--json and --format {args.format} cannot be combined")
    try:
        form = _form(args)
        rules = rules_of(args)
        solver = solver_of(args, rules)
        from pontoon.analysis.charts.chart import chart_of

        with progress("chart") as show:
            chart = chart_of(solver, rules, show, args.form)
        content = _card(chart, rules, form) if args.card else _content(chart, rules, form)
        name = f"{rules.about.name}-{chart.decks}-{'card' if args.card else 'chart'}.{form}"
        deliver(args.out or (name if form in FILES else None), content)
    except AnalysisError as error:
        return fail(str(error))
    return 0


def _form(args: Namespace) -> str:
    """The format to write; a card is a picture."""
    known = PICTURES if args.card else FORMATS
    form = format_of(args.out, "json" if args.json else args.format, known, known[0])
    if form not in known:
        raise AnalysisError(f"a card is svg, pdf or png, not {form}")
    return form


def _card(chart: Chart, rules: Rulebook, form: str) -> bytes:
    try:
        from pontoon.view.charts.card import card

        return card(chart, rules, form)
    except ImportError:
        raise AnalysisError(NO_DRAWING) from None


def _content(chart: Chart, rules: Rulebook, form: str) -> bytes:
    from pontoon.view.charts import text as view

    match form:
        case "json":
            return msgspec.json.format(msgspec.json.encode(chart), indent=2) + b"\n"
        case "csv":
            return view.comma_separated(chart).encode()
        case "parquet":
            return table(form, chart.rows(), "file")
        case "html":
            from pontoon.view.charts.html import page

            return page(chart, rules).encode()
        case "png" | "svg" | "pdf":
            try:
                from pontoon.view.charts.png import picture

                return picture(chart, rules, form)
            except ImportError:
                raise AnalysisError(NO_DRAWING) from None
        case _:
            return ("\n".join(view.text(chart, rules)) + "\n").encode()
