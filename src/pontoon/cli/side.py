"""`pontoon side`: the exact value of side wagers and insurance."""

from __future__ import annotations

import json
from argparse import Namespace
from fractions import Fraction

from pontoon.analysis.side import SideValue, side_values
from pontoon.cli.parser import Commands, Parser, add_packs, add_rulebook, add_settings, fail
from pontoon.rulebook import RulebookError, digest, load
from pontoon.view.settlement import columns, headline


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "side", help="the exact value of side wagers and insurance", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_rulebook(command)
    add_packs(command)
    command.add_argument("--json", action="store_true", help="one JSON object with exact fractions")
    add_settings(command)
    command.set_defaults(run=_run)


_DESCRIPTION = """Side wagers and insurance of a rulebook in closed form, from a fresh shoe: the chance of each
outcome and the expected value of a unit staked, as exact fractions."""

_EXAMPLES = """Examples:
  pontoon side canberra
  pontoon side adelaide --packs 6 --json"""


def _run(args: Namespace) -> int:
    try:
        rules = load(args.rulebook, dict(args.settings))
    except RulebookError as error:
        return fail(str(error))
    decks = args.decks or rules.decks.default
    if decks not in rules.decks.allowed:
        return fail(f"--packs {decks}: this document allows {', '.join(map(str, rules.decks.allowed))}")
    values = side_values(rules, decks)
    if args.json:
        wagers = [_data(one) for one in values]
        about = {"rulebook": rules.about.name, "digest": digest(rules), "decks": decks}
        overrides = {one.key: one.value for one in rules.overrides}
        print(json.dumps({**about, "overrides": overrides, "wagers": wagers}, indent=2))
        return 0
    print(headline(rules, decks))
    for value in values:
        print("\n".join(["", *_lines(value)]))
    return 0


def _data(value: SideValue) -> dict[str, object]:
    return {
        "name": value.name,
        "value": str(value.value),
        "value_decimal": float(value.value),
        "favours": value.favours,
        "outcomes": [{"name": one.name, "chance": str(one.chance), "pays": str(one.pays)} for one in value.outcomes],
        "clauses": list(value.clauses),
    }


FAVOURS = {"player": "IN THE PLAYER'S FAVOUR", "house": "in the house's favour", "nobody": "even"}


def _lines(value: SideValue) -> list[str]:
    cited = f"  [{' '.join(value.clauses)}]" if value.clauses else ""
    title = f"{value.name}: {_percent(value.value)} a unit, {FAVOURS[value.favours]}{cited}"
    rows = [(one.name, str(one.chance), f"{float(one.chance):.4%}", f"pays {one.pays}") for one in value.outcomes]
    exact = f"exactly {value.value}"
    return [title, *(f"  {row}" for row in columns(rows, right={1, 2})), f"  {exact}"]


def _percent(value: Fraction) -> str:
    return f"{float(value):+.4%}"
