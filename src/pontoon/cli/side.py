"""`pontoon side`: the exact value of side wagers and insurance."""

from __future__ import annotations

from argparse import Namespace
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import structs

from pontoon.analysis.counting.tags import written
from pontoon.analysis.side import SideValue, side_values
from pontoon.cli.common.analysis import MISSING
from pontoon.cli.common.numbers import penetration
from pontoon.cli.common.parser import Commands, Parser, add_formats, add_packs, add_rulebook, add_settings, fail
from pontoon.cli.common.tables import show_data, wants_data
from pontoon.rulebook import Rulebook, RulebookError, digest, load
from pontoon.view.settlement import columns, headline

if TYPE_CHECKING:
    from pontoon.analysis.counting.side_count import SideCount


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "side", help="the exact value of side wagers and insurance", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_rulebook(command)
    add_packs(command)
    command.add_argument("--count", action="store_true", help="also: effects of removal, counts, the gain in a shoe")
    command.add_argument(
        "--penetration", type=penetration, default=0.75, metavar="P", help="depth of the cutting card (75%%)"
    )
    add_formats(command, "one JSON object with exact fractions")
    add_settings(command)
    command.set_defaults(run=_run)


_DESCRIPTION = """Side wagers and insurance of a rulebook in closed form, from a fresh shoe: the chance of each
outcome and the expected value of a unit staked, as exact fractions."""

_EXAMPLES = """Examples:
  pontoon side canberra
  pontoon side canberra --count --penetration 80%
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
    try:
        counted = _counted(rules, decks, args.penetration) if args.count else ()
    except ImportError:
        return fail(MISSING)
    if wants_data(args):
        wagers = [_data(value) for value in values]
        about = {"rulebook": rules.about.name, "digest": digest(rules), "decks": decks}
        overrides = {override.key: override.value for override in rules.overrides}
        more = {"counted": [_counted_data(count) for count in counted]} if args.count else {}
        return show_data(args, "side", {**about, "overrides": overrides, "wagers": wagers, **more})
    print(headline(rules, decks))
    for value in values:
        print("\n".join(["", *_lines(value)]))
    for count in counted:
        print("\n".join(["", *_counted_lines(count)]))
    return 0


def _counted(rules: Rulebook, decks: int, depth: float) -> tuple[SideCount, ...]:
    from pontoon.analysis.counting.side_count import side_counts  # it needs numpy

    return side_counts(rules, decks, depth)


def _counted_data(count: SideCount) -> dict[str, object]:
    return {**structs.asdict(count), "value": str(count.value)}


def _counted_lines(side: SideCount) -> list[str]:
    title = f"{side.name}, counted: {side.rounds} rounds of one unit in a shoe dealt to {side.penetration:.0%}"
    if side.tags:
        effects = columns([tuple(side.effects), tuple(f"{effect:+.3%}" for effect in side.effects.values())])
        count = f"count {written(side.tags)}, correlation {side.correlation:.3f}"
    else:
        effects = ["no single card changes its value: only how unevenly the cards have gone"]
        count = "no count of ranks helps"
    error = f" ± {side.perfect_error:.3f} (standard error)" if side.perfect_error else ""
    gains = [
        ("betting every round", f"{side.flat_gain:+.3f} units a shoe"),
        ("by the count", f"{side.counted_gain:+.3f} units a shoe"),
        ("knowing every card", f"{side.perfect_gain:+.3f} units a shoe{error}"),
    ]
    return [title, *(f"  {line}" for line in (*effects, count, *columns(gains)))]


def _data(value: SideValue) -> dict[str, object]:
    return {
        "name": value.name,
        "value": str(value.value),
        "value_decimal": float(value.value),
        "favours": value.favours,
        "outcomes": [
            {"name": outcome.name, "chance": str(outcome.chance), "pays": str(outcome.pays)}
            for outcome in value.outcomes
        ],
        "clauses": list(value.clauses),
    }


FAVOURS = {"player": "IN THE PLAYER'S FAVOUR", "house": "in the house's favour", "nobody": "even"}


def _lines(value: SideValue) -> list[str]:
    cited = f"  [{' '.join(value.clauses)}]" if value.clauses else ""
    title = f"{value.name}: {_percent(value.value)} a unit, {FAVOURS[value.favours]}{cited}"
    rows = [
        (outcome.name, str(outcome.chance), f"{float(outcome.chance):.4%}", f"pays {outcome.pays}")
        for outcome in value.outcomes
    ]
    exact = f"exactly {value.value}"
    return [title, *(f"  {row}" for row in columns(rows, right={1, 2})), f"  {exact}"]


def _percent(value: Fraction) -> str:
    return f"{float(value):+.4%}"
