"""`pontoon report`: one page with charts comparing the value of rulebooks."""

from __future__ import annotations

import json
import shlex
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from pontoon.cli.common.analysis import (
    AnalysisError,
    add_common,
    note,
    progress,
    ready,
    rules_of,
    unwritable,
    write_file,
)
from pontoon.cli.common.parser import Commands, Parser, fail, rulebook_name
from pontoon.cli.common.tables import print_json
from pontoon.rulebook import NAMES, Rulebook

if TYPE_CHECKING:
    from pontoon.view.reports.page import Findings

FOLDER = "pontoon-report"
PAGE = "report.html"
NO_DRAWING = "pontoon: no PNG pictures were written: they need matplotlib (pip install 'pontoon21[report]')"


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "report",
        help="one page: edges, charts, what each rule is worth",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
    )
    command.add_argument(
        "rulebooks", metavar="RULEBOOK", nargs="*", type=rulebook_name, help="star, canberra, ... (default: all)"
    )
    add_common(command, rulebook=False, formats=False)
    command.add_argument("--out", metavar="FOLDER", default=FOLDER, help=f"output folder ({FOLDER})")
    command.set_defaults(run=_run)


_DESCRIPTION = f"""One self-contained page ({PAGE}) and its pictures as PNG: house edges by packs, charts with the
margin of every square, how wagers end, what each rule is worth, the price of unclear clauses, side wagers. All five
rulebooks take a few minutes."""

_EXAMPLES = """Examples:
  pontoon report
  pontoon report star canberra --stake 25 --out report
  pontoon report adelaide --packs 6 --set split.max_hands=4 --json"""


def _run(args: Namespace) -> int:
    start = time.perf_counter()
    folder = Path(args.out)
    try:
        books = [_rules(args, name) for name in dict.fromkeys(args.rulebooks or NAMES)]
        _check(folder)
        found = [_findings(args, rules) for rules in books]
        files = list(_write(folder, found, _command(args)))
    except AnalysisError as error:
        return fail(str(error))
    if args.json:
        print_json("report", _data(args, found, files, time.perf_counter() - start))
        return 0
    for name in files:
        print(folder / name)
    return 0


def _rules(args: Namespace, name: str) -> Rulebook:
    try:
        return rules_of(Namespace(**{**vars(args), "rulebook": name}))
    except AnalysisError as error:
        raise AnalysisError(str(error) if str(error).startswith(name) else f"{name}: {error}") from None


def _check(folder: Path) -> None:
    """Fail immediately, not after minutes, if the folder cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page = folder / PAGE
        with page.open("r+b") if page.exists() else TemporaryFile(dir=folder):  # an interrupted report leaves no page
            pass
    except (OSError, ValueError) as error:
        raise unwritable(folder, error) from None


# --- finding -------------------------------------------------------------------------------------------


def _findings(args: Namespace, rules: Rulebook) -> Findings:
    """All results for one rulebook, with a progress bar for each part."""
    solver_class = ready()
    from pontoon.analysis.charts.chart import chart_of
    from pontoon.analysis.edge import edge_of
    from pontoon.analysis.side import side_values
    from pontoon.analysis.whatif import ambiguities, what_if
    from pontoon.view.reports.page import Findings

    name, stake = rules.about.name, args.stake
    decks = args.decks or rules.decks.default
    solver = solver_class(rules, decks, stake=stake)
    with progress(f"{name}: payouts") as show:
        edge = edge_of(solver, show)
    by_decks = {}
    with progress(f"{name}: edges by packs") as show:
        for number, packs in enumerate(rules.decks.allowed, 1):
            other = edge.ev if packs == decks else solver_class(rules, packs, stake=stake).value()
            by_decks[packs] = -float(other)
            show(number / len(rules.decks.allowed))
    with progress(f"{name}: chart") as show:
        chart = chart_of(solver, rules, show)
    with progress(f"{name}: what each rule is worth") as show:
        changes = what_if(rules, decks, stake, show)
    with progress(f"{name}: ambiguities") as show:
        unclear = ambiguities(rules, decks, stake, show)
    return Findings(
        rules=rules,
        decks=decks,
        stake=stake,
        edge=edge,
        by_decks=by_decks,
        chart=chart,
        changes=changes,
        ambiguities=unclear,
        sides=side_values(rules, decks),
    )


# --- writing -------------------------------------------------------------------------------------------


def _write(folder: Path, found: Sequence[Findings], command: str) -> Iterator[str]:
    """Write the page and the pictures; return their names."""
    from pontoon.view.reports.page import page

    write_file(folder / PAGE, page(found, command).encode())
    yield PAGE
    try:
        with note("drawing"):
            for name, content in _pictures(found):
                write_file(folder / name, content)
                yield name
    except ImportError:
        print(NO_DRAWING, file=sys.stderr)


def _pictures(found: Sequence[Findings]) -> Iterator[tuple[str, bytes]]:
    from pontoon.view.charts.png import picture
    from pontoon.view.reports import figures
    from pontoon.view.reports.page import TOP, change_bars, frequency_bars, reading_bars, upcard_bars

    series = {analysed.name: analysed.by_decks for analysed in found}
    wager = found[0].wager
    yield "edges.png", figures.edges(series, "House edge by packs", f"best play, first wager {wager}, fresh shoe")
    for analysed in found:
        about = f"{analysed.name}, {analysed.decks} packs, first wager {analysed.wager}, best play from a fresh shoe"
        yield f"{analysed.name}-chart.png", picture(analysed.chart, analysed.rules)
        yield (
            f"{analysed.name}-first-card.png",
            figures.bars(upcard_bars(analysed.edge), "Value of a round by the dealer's upcard", about),
        )
        yield f"{analysed.name}-payouts.png", figures.log_bars(frequency_bars(analysed.edge), "How a wager ends", about)
        for part, rows, title in (
            ("rules", change_bars(analysed.changes, TOP), "What each rule is worth to the bettor, changed on its own"),
            ("ambiguities", reading_bars(analysed.ambiguities), "The price of ambiguities, to the bettor"),
        ):
            if rows:
                yield f"{analysed.name}-{part}.png", figures.bars(rows, title, about)


def _command(args: Namespace) -> str:
    """The command line that repeats this report, without the output folder."""
    words = ["pontoon", "report", *args.rulebooks]
    words += ["--packs", str(args.decks)] if args.decks else []
    words += ["--stake", args.stake.removesuffix(".00")]
    for key, value in args.settings:
        words += ["--set", f"{key}={json.dumps(value) if not isinstance(value, str) else value}"]
    return shlex.join(words)


def _data(args: Namespace, found: Sequence[Findings], files: list[str], seconds: float) -> dict[str, object]:
    from pontoon.view.reports.page import data

    return {
        "folder": args.out,
        "files": files,
        "stake": args.stake,
        "rulebooks": [data(analysed) for analysed in found],
        "seconds": seconds,
    }
