"""`pontoon count`: the effect of removing each card, and a count based on it."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from typing import TYPE_CHECKING

from pontoon.cli.analysis_common import AnalysisError, about, add_common, decks_of, progress, ready, rules_of
from pontoon.cli.parser import Commands, Parser, fail
from pontoon.view.settlement import columns, headline

if TYPE_CHECKING:
    from pontoon.analysis.count import Count


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "count", help="effects of removal and a card count", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    command.set_defaults(run=_run)


_DESCRIPTION = """The effect of removing a card of each rank on the player's expectation, the best balanced counts based
on it with their correlation, the true counts at which a round is even and insurance is worth taking, and the decisions
that change with the count. A true count is the running count divided by the number of 48-card packs left."""

_EXAMPLES = """Examples:
  pontoon count star
  pontoon count canberra --packs 4 --json"""


def _run(args: Namespace) -> int:
    try:
        rules = rules_of(args)
        decks = decks_of(args, rules)
        ready()
    except AnalysisError as error:
        return fail(str(error))
    from pontoon.analysis.count import count_of

    start = time.perf_counter()
    with progress(f"count for {rules.about.name}") as show:
        found = count_of(rules, decks, args.stake, show)
    if args.json:
        print(
            json.dumps(
                {**about(rules, decks, args), **_data(found), "seconds": round(time.perf_counter() - start, 3)},
                indent=2,
            )
        )
        return 0
    print(headline(rules, decks))
    print("\n".join(["", *_lines(found)]))
    return 0


def _data(found: Count) -> dict[str, object]:
    return {
        "ev": found.ev,
        "effects": {
            one.rank: {"effect": one.effect, "per_pack": one.per_pack, "spade": one.spade} for one in found.removals
        },
        "tags": found.tags,
        "level": found.level,
        "betting_correlation": found.betting_correlation,
        "insurance_correlation": found.insurance_correlation,
        "insurance_index": found.insurance_index,
        "ev_by_count": [{"true_count": true_count, "ev": ev} for true_count, ev in found.ev_by_count],
        "ev_per_count": found.ev_per_count,
        "even_at": found.even_at,
        "indices": [
            {
                "hand": one.hand,
                "dealer": one.dealer,
                "basic": one.basic,
                "deviation": one.deviation,
                "at": one.at,
                "above": one.above,
                "worth": one.worth,
            }
            for one in found.indices
        ],
        "systems": [
            {"level": one.level, "tags": one.tags, "betting_correlation": one.betting_correlation}
            for one in found.systems
        ],
    }


def _lines(found: Count) -> list[str]:
    names = (f"{'*' if one.level == found.level else ''}level {one.level}" for one in found.systems)
    table: list[tuple[str, ...]] = [("card removed", "player gains", "in one pack", *names)]
    for card in found.removals:
        tags = (f"{tag:+d}" if (tag := system.tags[card.rank]) else "0" for system in found.systems)
        table.append((card.rank, f"{card.effect:+.3%}", f"{card.per_pack:+.2%}", *tags))
    fits = ", ".join(f"level {one.level} {one.betting_correlation:.3f}" for one in found.systems)
    index = "never" if found.insurance_index is None else f"from a true count of {found.insurance_index:+.1f}"
    even = "out of reach" if found.even_at is None else f"at a true count of {found.even_at:+.1f}"
    facts = [
        ("betting correlation", fits),
        ("per point of true count *", f"{found.ev_per_count:+.3%}"),
        ("a round is even", even),
        ("insurance", f"{index}, correlation {found.insurance_correlation:.3f}"),
    ]
    rows = [("hand", "against", "usually", "but", "true count", "gain per round")]
    for one in found.indices:
        at = f"{one.at:+.1f} and {'above' if one.above else 'below'}"
        rows.append((one.hand, one.dealer, one.basic, one.deviation, at, f"{one.worth:.4%}"))
    return [
        *columns(table, right=set(range(1, len(table[0])))),
        "",
        *columns(facts),
        "",
        "Decisions on two cards that change with the count *, worth most first, in a shoe half dealt",
        *(f"  {row}" for row in columns(rows, right={5})),
    ]
