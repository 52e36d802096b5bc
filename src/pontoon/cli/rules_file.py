"""`pontoon rules new` and `pontoon rules check`: custom rulebook files."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from pathlib import Path

import msgspec

from pontoon.cli.common.parser import BAD_USAGE, fail
from pontoon.cli.common.tables import print_json
from pontoon.quoting import counted
from pontoon.rulebook import Fault, Rulebook, RulebookError, check, digest, load, read, to_toml
from pontoon.rulebook.library import read_file

VERBS = ("new", "check")
LIKE = "star"


def run(args: Namespace) -> int:
    """Write a new rulebook file, or check one."""
    if args.file is None:
        return fail(f"name a file, as in pontoon rules {args.rulebook} my-casino.toml")
    return _new(args) if args.rulebook == "new" else _check(args)


# --- new -----------------------------------------------------------------------------------------------


def _new(args: Namespace) -> int:
    path = Path(args.file)
    if path.suffix.lower() != ".toml":
        return fail(f"{args.file}: the name of a rulebook file must end in .toml, as in my-casino.toml")
    try:
        like = load(args.like or LIKE)
        book = load(args.like or LIKE, dict(args.settings))
    except RulebookError as error:
        return fail(str(error))
    name = _name(path)
    about = msgspec.structs.replace(
        book.about, title=f"Rules of Pontoon at {name}", place=name, nature=f"house rules, based on {like.about.name}"
    )
    book = msgspec.structs.replace(book, about=about, overrides=())
    try:
        with path.open("x" if not args.force else "w", encoding="utf-8") as file:
            file.write(to_toml(book, name=name, clauses=False))
    except FileExistsError:
        return fail(f"{args.file} already exists; --force overwrites it")
    except OSError as error:
        return fail(f"{args.file}: {error.strerror}")
    return _made(args, path, like)


def _name(path: Path) -> str:
    """The name of a rulebook derived from its file: lower-case letters, digits and hyphens.

    >>> _name(Path("My Casino (2).toml"))
    'my-casino-2'
    """
    return re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")[:32].strip("-") or "my-casino"


def _made(args: Namespace, path: Path, like: Rulebook) -> int:
    book = load(path)
    changed = [key for key, _ in args.settings]
    if args.json or args.format == "json":
        about = {"file": str(path), "name": book.about.name, "like": like.about.name, "digest": digest(book)}
        print_json("rules-new", {**about, "changed": changed})
        return 0
    said = f", with {', '.join(changed)} changed" if changed else ""
    print(f"{path}: rules {digest(book)}, based on {like.about.name}{said}")
    print(f"Edit it, then: pontoon rules check {path}")
    print(f"               pontoon rules {path} --diff {args.like or LIKE}")
    print(f"               pontoon edge {path}")
    return 0


# --- check ---------------------------------------------------------------------------------------------


def _check(args: Namespace) -> int:
    if args.settings or args.like:
        return fail("rules check takes a file and no --set")
    try:
        text = read_file(Path(args.file))
    except RulebookError as error:
        return fail(str(error))
    except OSError as error:
        return fail(f"{args.file}: {error.strerror}")
    except ValueError:
        return fail(f"{args.file}: not UTF-8 text")
    faults = check(text, args.file)
    book = None if faults else read(text, args.file)
    if args.json or args.format == "json":
        data = {"file": args.file, "faults": faults, "digest": digest(book) if book else None}
        print_json("rules-check", msgspec.to_builtins(data), unicode=True)
    elif book is not None:
        print(f"{args.file}: in order")
        sides = counted(len(book.side), "side bet/side bets")
        print(f"{book.about.name}: {book.about.title}, {sides}, rules {digest(book)}")
    else:
        print("\n".join(report(args.file, faults)), file=sys.stderr)
    return BAD_USAGE if faults else 0


def report(file: str, faults: tuple[Fault, ...]) -> list[str]:
    """Every fault of a file: its line, key and value, the reason, and a correct example."""
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    lines = [f"{file}: {count}"]
    for fault in sorted(faults, key=lambda found: found.line):
        place = f"line {fault.line}" if fault.line else "file"
        reason = fault.reason.removesuffix("; write it")
        stands = f"{fault.key} is {fault.value}; " if fault.value else f"{fault.key} " if fault.key else ""
        lines.append(f"  {place + ':':<9} {stands}{reason}")
        if fault.example:
            lines.append(f"            write it as in: {fault.example}")
    return lines
