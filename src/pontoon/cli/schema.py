"""`pontoon schema`: the JSON Schema of what a command prints with --json."""

from __future__ import annotations

import json
from argparse import Namespace
from importlib.resources import files

from pontoon.cli.common.parser import Commands, Parser, fail, near

FOLDER = "schemas"
INDEX = "index.json"


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "schema", help="the JSON Schema of any --json output", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    command.add_argument(
        "name", metavar="NAME", nargs="?", help="a schema, as in edge or rules-diff (default: list them)"
    )
    command.set_defaults(run=_run)


_DESCRIPTION = """Print the JSON Schema (draft 2020-12) of what a command prints with --json, or list them all, each
with its version and an example. A version stays while keys are only added."""

_EXAMPLES = """Examples:
  pontoon schema
  pontoon schema edge
  pontoon schema settle > settle.schema.json"""


def _run(args: Namespace) -> int:
    folder = files("pontoon.cli") / FOLDER
    index: dict[str, dict[str, object]] = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    if args.name is None:
        wide = max(map(len, index))
        for name, entry in index.items():
            print(f"{name:{wide}}  version {entry['version']}  {entry['example']} --json")
        return 0
    if args.name not in index:
        return fail(f"no schema {args.name}{near(args.name, list(index))} (`pontoon schema` lists them)")
    print((folder / f"{args.name}.json").read_text(encoding="utf-8"), end="")
    return 0
