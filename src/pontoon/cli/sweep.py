"""`pontoon sweep`: a table of figures over every combination of rules, packs and stakes."""

from __future__ import annotations

import csv
import os
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, ProcessPoolExecutor, wait
from itertools import product
from pathlib import Path
from typing import Any

from pontoon.cli.common.analysis import AnalysisError, add_common, progress
from pontoon.cli.common.numbers import dollars_of, number, whole
from pontoon.cli.common.output import STANDARD_OUTPUT, deliver, format_of
from pontoon.cli.common.parser import Commands, Parser, fail, near
from pontoon.cli.common.tables import json_text, table
from pontoon.quoting import quoted
from pontoon.rulebook import RulebookError, load, parse_setting

FORMATS = ("csv", "json", "parquet")
MEASURES = ("edge", "ev", "sd", "super_bonus", "hands", "usual", "frequencies")
PACKS, STAKE, RULEBOOK = "packs", "stake", "rulebook"
MOST = 100_000
"""Combinations in one sweep."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "sweep", help="figures over every combination of rules", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    option = command.add_argument
    option(
        "--vary",
        metavar="KEY=VALUES",
        action="append",
        type=_vary,
        default=[],
        help="packs, stake, rulebook or an option, with values as in 4..8 or 2,3,4; may be repeated",
    )
    option("--measure", metavar="NAMES", type=_measures, default=("edge", "sd"), help=f"of {', '.join(MEASURES)}")
    option("--out", metavar="FILE", help="FILE.csv, .json or .parquet (standard output, as CSV); continues a file")
    option("--jobs", type=whole("a number of processes", "1 to 256", 1, 256), default=0, help="processes (every core)")
    option("--cluster", metavar="ADDRESS", help="a Dask scheduler, as in tcp://host:8786")
    command.set_defaults(run=_run)


_DESCRIPTION = """Exact figures of best play for every combination of the values given: one row each, with a column for
each value and each measure. A CSV file that exists is continued: rows that it has are not computed again, so that a
sweep can be interrupted. Rules that contradict each other give a row without figures; a number of packs that a
document does not allow has figures and a note."""

_EXAMPLES = """Examples:
  pontoon sweep star --vary packs=6,8 --vary split.max_hands=2..4 --measure edge,sd
  pontoon sweep canberra --vary packs=3..8 --vary stake=5,10,25,100 --out canberra.csv
  pontoon sweep star --vary rulebook=star,federal --vary dealer.stands_soft=17,18 --out soft.parquet"""


def _vary(text: str) -> tuple[str, tuple[str, ...]]:
    key, sign, values = text.partition("=")
    found = [part for value in values.split(",") for part in _range(value.strip())]
    if not sign or not key or not found or not all(found):
        raise ArgumentTypeError(f"{quoted(text)}: write a key and its values, as in packs=4..8 or split.max_hands=2,3")
    return key.strip(), tuple(dict.fromkeys(found))


def _range(text: str) -> list[str]:
    low, dots, high = text.partition("..")
    if not dots:
        return [text]
    ends = number(low), number(high)
    if None in ends or ends[0] != int(ends[0]) or ends[1] != int(ends[1]):  # type: ignore[arg-type] # None is excluded
        raise ArgumentTypeError(f"{quoted(text)} is not a range; write whole numbers, as in 4..8")
    return [str(value) for value in range(int(ends[0]), int(ends[1]) + 1)]


def _measures(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    unknown = [name for name in names if name not in MEASURES]
    if unknown or not names:
        meant = near(unknown[0], list(MEASURES)) if unknown else ""
        raise ArgumentTypeError(f"{quoted(text)}: measures are {', '.join(MEASURES)}{meant}")
    return names


def _run(args: Namespace) -> int:
    try:
        form = format_of(args.out, _asked(args), FORMATS, "csv")
        if form == "parquet":
            table(form, [], args.out)  # fail now, not after the work
        keys = [key for key, _ in args.vary]
        rows = _rows(args, keys)
        done = _finished(args, keys, form)
        todo = [row for row in rows if _name(row, keys) not in done]
        found = dict(done)
        writer = _Writer(args, form, [*keys, *_columns(args.measure)], done)
        with progress("sweep") as show:
            for number_done, row in enumerate(_computed(args, todo), 1):
                found[_name(row, keys)] = row
                writer.add(row)
                show(number_done / max(1, len(todo)))
        writer.close([found[_name(row, keys)] for row in rows])
    except AnalysisError as error:
        return fail(str(error))
    return 0


# --- what to compute -----------------------------------------------------------------------------------


def _rows(args: Namespace, keys: list[str]) -> list[dict[str, Any]]:
    """Every combination, checked before anything slow begins."""
    if len(set(keys)) < len(keys):
        raise AnalysisError("--vary names a key twice; list all its values once, as in packs=4,6,8")
    values = [values for _, values in args.vary]
    size = 1
    for options in values:
        size *= len(options)
    if size > MOST:
        raise AnalysisError(f"{size:,} combinations are too many; vary less than {MOST:,}")
    rows = [dict(zip(keys, chosen, strict=True)) for chosen in product(*values)]
    for row in rows[:1]:
        known = {PACKS, STAKE, RULEBOOK}
        for key in (key for key in row if key not in known):
            _checked(args, key)
    return [{**row, "_of": _job(args, row)} for row in rows]


def _checked(args: Namespace, key: str) -> None:
    from pontoon.rulebook.overrides import options_of

    book = load(args.rulebook, dict(args.settings))
    names = [name for name, _, _ in options_of(book)]
    if key not in names:
        from pontoon.cli.common.parser import near

        raise AnalysisError(f"--vary {key}: no such option{near(key, [PACKS, STAKE, RULEBOOK, *names])}")


def _job(args: Namespace, row: Mapping[str, str]) -> dict[str, Any]:
    settings = {**dict(args.settings)}
    for key, value in row.items():
        if key not in (PACKS, STAKE, RULEBOOK):
            settings[key] = parse_setting(f"{key}={value}")[1]
    try:
        stake = dollars_of(row.get(STAKE, args.stake))
    except ArgumentTypeError as error:
        raise AnalysisError(str(error)) from None
    return {
        "rulebook": row.get(RULEBOOK, args.rulebook),
        "settings": settings,
        "packs": int(row.get(PACKS, args.decks or 0)),
        "stake": stake,
        "measures": args.measure,
    }


def _name(row: Mapping[str, Any], keys: list[str]) -> tuple[str, ...]:
    return tuple(str(row[key]) for key in keys)


# --- computing -----------------------------------------------------------------------------------------


def measure(job: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of one combination; runs in another process, perhaps on another machine."""
    from pontoon.cli.compare import usual_value
    from pontoon.cli.edge import edge_for
    from pontoon.view.words import ENDS

    try:
        rules = load(job["rulebook"], job["settings"])
    except RulebookError as error:
        return {"note": str(error)}
    packs = job["packs"] or rules.decks.default
    edge = edge_for(rules, packs, job["stake"])
    found: dict[str, Any] = {"edge": edge.house_edge, "ev": edge.ev, "sd": edge.sd, "hands": edge.hands}
    found["super_bonus"] = edge.super_bonus_value
    if packs not in rules.decks.allowed:
        found["note"] = f"this document does not allow {packs} packs"
    if "usual" in job["measures"]:
        found["usual"] = -usual_value(rules, packs, job["stake"])
    found |= {f"frequency_{name}": edge.frequencies.get(name, 0.0) for name in ENDS}
    return {name: found[name] for name in _columns(job["measures"]) if name in found}


def _columns(measures: Iterable[str]) -> list[str]:
    from pontoon.view.words import ENDS

    names = []
    for name in measures:
        names += [f"frequency_{end}" for end in ENDS] if name == "frequencies" else [name]
    return [*names, "note"]


def _computed(args: Namespace, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    if args.cluster:
        yield from _on_cluster(args.cluster, rows)
        return
    jobs = min(args.jobs or os.cpu_count() or 1, max(1, len(rows)))
    if jobs == 1:
        yield from ({**row, **measure(row["_of"])} for row in rows)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from _in_pool(pool, rows)


def _in_pool(pool: Executor, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    waiting = {pool.submit(measure, row["_of"]): row for row in rows}
    while waiting:
        ready, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in ready:
            yield {**waiting.pop(future), **future.result()}


def _on_cluster(address: str, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    try:
        from dask.distributed import Client, as_completed
    except ImportError:
        raise AnalysisError("--cluster needs Dask: pip install 'pontoon21[cluster]'") from None
    with Client(address) as client:  # type: ignore[no-untyped-call]
        futures = {client.submit(measure, row["_of"]): row for row in rows}
        for future in as_completed(futures):  # type: ignore[no-untyped-call]
            yield {**futures[future], **future.result()}


# --- writing -------------------------------------------------------------------------------------------


class _Writer:
    """Writes rows to a CSV file as they arrive, and the whole table in order at the end."""

    def __init__(self, args: Namespace, form: str, names: list[str], done: Mapping[tuple[str, ...], object]) -> None:
        self.args, self.form, self.names = args, form, names
        self.out = args.out if args.out != STANDARD_OUTPUT else None
        self.stream: Any = None
        if self.out and form == "csv":
            try:
                self.stream = Path(self.out).open("a", encoding="utf-8", newline="")  # noqa: SIM115 closed at the end
            except OSError as error:
                raise AnalysisError(f"cannot write {quoted(self.out)}: {error.strerror}") from None
            if not done:
                csv.writer(self.stream, lineterminator="\n").writerow(names)

    def add(self, row: Mapping[str, Any]) -> None:
        if self.stream is not None:
            csv.writer(self.stream, lineterminator="\n").writerow([row.get(name, "") for name in self.names])
            self.stream.flush()

    def close(self, rows: list[dict[str, Any]]) -> None:
        found = [{name: row.get(name) for name in self.names} for row in rows]
        if self.stream is not None:
            self.stream.close()
        if self.form == "json":
            content = (json_text("sweep", {"rulebook": self.args.rulebook, "rows": found}) + "\n").encode()
        else:
            content = table(self.form, found, self.out)
        deliver(self.out, content)


def _asked(args: Namespace) -> str | None:
    """The format asked for; None: that of the file, or CSV."""
    if args.json:
        return None if args.out else "json"
    return None if args.format == "text" else args.format


def _finished(args: Namespace, keys: list[str], form: str) -> dict[tuple[str, ...], dict[str, Any]]:
    """The rows that a CSV file already has, if it is of this sweep."""
    if form != "csv" or not args.out or args.out == STANDARD_OUTPUT or not Path(args.out).exists():
        return {}
    with Path(args.out).open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        wanted = [*keys, *_columns(args.measure)]
        if reader.fieldnames is None:
            return {}
        if list(reader.fieldnames) != wanted:
            raise AnalysisError(f"{args.out} is of another sweep: name another file, or remove it")
        rows = [dict(row) for row in reader if all(row.get(name) is not None for name in wanted)]
    return {_name(row, keys): row for row in rows}
