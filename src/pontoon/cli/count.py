"""`pontoon count`: the effect of removing each card, and what a count of the cards is worth."""

from __future__ import annotations

import json
import time
from argparse import ArgumentTypeError, Namespace
from hashlib import sha256

import msgspec

from pontoon.analysis.counting.tags import PICTURES, Tags, TagsError, count_named
from pontoon.cli.common.analysis import AnalysisError, about, add_common, decks_of, progress, ready, rules_of
from pontoon.cli.common.numbers import penetration
from pontoon.cli.common.parser import Commands, Parser, fail
from pontoon.cli.common.tables import show_data, wants_data
from pontoon.library import cached_text
from pontoon.money import cents
from pontoon.rulebook import Rulebook
from pontoon.view.settlement import columns, headline

SHOWN = 25
"""Number of indices printed unless all are requested."""
DEPTH = 0.75
NOTHING = 5e-9
"""A gain this small is printed as zero, in first wagers per round."""
RARE = 1e-5
"""A true count that occurs less often than this is never reached."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "count", help="effects of removal, any card count, all its indices", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    add_tags(command)
    command.add_argument(
        "--side-count", metavar="RANKS", type=_sides, default=(), help="ranks counted on the side, as in A or A,7"
    )
    command.add_argument(
        "--penetration", type=penetration, default=DEPTH, metavar="P", help=f"depth of the cutting card ({DEPTH:.0%}%)"
    )
    command.add_argument("--all", action="store_true", help=f"print every index, not the {SHOWN} worth most")
    command.set_defaults(run=_run)


def add_tags(command: Parser) -> None:
    """Add --tags, the count to use."""
    command.add_argument(
        "--tags",
        "--count",
        dest="tags",
        metavar="COUNT",
        type=tags,
        default=None,
        help="hi-lo, ko, zen, halves, ... or tags as in A=-1,2-6=1,T=-1 (default: the simplest count that fits well)",
    )


_DESCRIPTION = """The effect of removing a card of each rank (EOR), exactly; the counts that fit these effects best,
balanced or not, and the well-known ones; and for one count its betting correlation, playing efficiency and insurance
correlation, the value of a round by true count, and every decision that changes with it. The true count is the running
count divided by the 48-card packs left. An unbalanced count starts at minus the sum of its tags for every pack: Hi-Lo
at -4 a pack."""

_EXAMPLES = """Examples:
  pontoon count star
  pontoon count star --tags hi-lo --side-count A --all
  pontoon count canberra --packs 4 --tags A=-2,2-3=1,4-5=2,6=1,T=-1 --json"""


def tags(text: str) -> Tags:
    """Read a count, for `type=`."""
    try:
        return count_named(text)
    except TagsError as error:
        raise ArgumentTypeError(str(error)) from None


def _sides(text: str) -> tuple[str, ...]:
    ranks = tuple(part.upper() for part in text.replace(",", " ").split())
    ranks = tuple("T" if rank in ("10", "X", *PICTURES) else rank for rank in ranks)
    if not ranks or not all(rank in "A23456789T" and len(rank) == 1 for rank in ranks):
        raise ArgumentTypeError(f"{text!r} is not a list of ranks; write them as in A or A,7,T")
    return tuple(dict.fromkeys(ranks))


def _run(args: Namespace) -> int:
    start = time.perf_counter()
    try:
        rules = rules_of(args)
        found = count_data(args, rules, args.tags, args.side_count, args.penetration)
    except AnalysisError as error:
        return fail(str(error))
    decks = decks_of(args, rules)
    if wants_data(args):
        seconds = round(time.perf_counter() - start, 3)
        return show_data(args, "count", {**about(rules, decks, args), **found, "seconds": seconds})
    print(headline(rules, decks))
    print("\n".join(["", *_lines(found, every=args.all)]))
    return 0


def count_data(
    args: Namespace, rules: Rulebook, count: Tags | None, sides: tuple[str, ...] = (), depth: float = DEPTH
) -> dict:  # type: ignore[type-arg]
    """The answer as JSON, from the cache if it was found before."""

    def make() -> str:
        ready()
        from pontoon.analysis.counting.count import Asked, count_of

        with progress(f"count for {rules.about.name}") as show:
            asked = Asked(count, sides, depth)
            return msgspec.json.encode(count_of(rules, decks_of(args, rules), args.stake, show, asked)).decode()

    which = "" if count is None else json.dumps(sorted(count.tags.items())) + count.name
    name = f"count-{sha256(f'{which}{sides}{depth}'.encode()).hexdigest()[:16]}.json"
    found: dict[str, object] = json.loads(cached_text(name, rules, decks_of(args, rules), cents(args.stake), make))
    return found


# --- output --------------------------------------------------------------------------------------------


def _lines(found: dict, *, every: bool) -> list[str]:  # type: ignore[type-arg]
    return [
        *_removals(found),
        "",
        *_systems(found),
        "",
        *_facts(found),
        "",
        *_values(found),
        "",
        *_indices(found, every=every),
    ]


def _tag(tag: int) -> str:
    return f"{tag:+d}" if tag else "0"


def _removals(found: dict) -> list[str]:  # type: ignore[type-arg]
    systems = [system for system in found["systems"] if not system["name"].startswith("best balanced")]
    names = (f"level {system['level']}" for system in systems)
    table: list[tuple[str, ...]] = [("card removed", "player gains", "in one pack", *names, found["name"])]
    for card in found["removals"]:
        rank = card["rank"]
        each = (_tag(system["tags"][rank]) for system in systems)
        row = (rank, f"{card['effect']:+.3%}", f"{card['per_pack']:+.2%}", *each, _tag(found["tags"][rank]))
        table.append(row)
    return columns(table, right=set(range(1, len(table[0]))))


def _systems(found: dict) -> list[str]:  # type: ignore[type-arg]
    rows = [("count", "betting", "insurance", "starts at, a pack")]
    for system in (*found["systems"], *found["known"]):
        fits = (f"{system['betting_correlation']:.3f}", f"{system['insurance_correlation']:.3f}")
        rows.append((system["name"], *fits, _tag(-system["imbalance"])))
    return ["correlation of counts with the effects of removal", *columns(rows, right={1, 2, 3})]


def _facts(found: dict) -> list[str]:  # type: ignore[type-arg]
    fit, more = found["fit"], found["with_side_counts"]
    start = f"the running count starts at {_tag(found['neutral'])} a pack" if found["neutral"] else "balanced"
    facts = [(found["name"], start), ("betting correlation", f"{fit['betting_correlation']:.3f}")]
    facts += [
        ("playing efficiency", f"{fit['playing_efficiency']:.2f}"),
        ("insurance correlation", f"{fit['insurance_correlation']:.3f}"),
    ]
    if more is not None:
        fits = f"{more['betting_correlation']:.3f}, {more['playing_efficiency']:.2f}"
        ranks = ", ".join("pictures" if rank == "T" else rank for rank in more["side_counts"])
        facts.append((f"with a side count of {ranks}", f"{fits}, {more['insurance_correlation']:.3f}"))
    index = found["insurance_index"]
    insurance = "never" if index is None else f"from a true count of {index:+.1f}"
    if index is not None and not found["insurance_reached"]:
        insurance += ", which never comes"
    even = found["even_at"]
    facts += [
        ("per point of true count", f"{found['ev_per_count']:+.3%}, played by the count"),
        ("a round is even", "out of reach" if even is None else f"at a true count of {even:+.1f}"),
        ("insurance", insurance),
        ("all indices together", f"{found['index_gain']:.4%} a round, at one flat bet"),
    ]
    return columns(facts)


def _values(found: dict) -> list[str]:  # type: ignore[type-arg]
    counts = tuple(f"{true_count:+.1f}" for true_count, _ in found["ev_by_count"])
    values = tuple(f"{ev:+.2%}" for _, ev in found["ev_by_count"])
    rows = [("true count", *counts), ("value of a round", *values)]
    return columns(rows, right=set(range(1, len(counts) + 1)))


def _indices(found: dict, *, every: bool) -> list[str]:  # type: ignore[type-arg]
    indices = found["indices"]
    shown = indices if every else indices[:SHOWN]
    counts = [seen["true_count"] for seen in found["frequencies"] if seen["share"] > RARE]
    rows = [("hand", "cards", "against", "usually", "but", "true count", "gain per round")]
    for index in shown:
        hand = " ".join(part for part in (index["hand"], index["suits"]) if part)
        at = f"{index['at']:+.1f} and {'above' if index['above'] else 'below'}"
        reached = counts[0] <= index["at"] <= counts[-1]
        gain = f"{index['worth']:.4%}" if index["worth"] > NOTHING else "nothing" if reached else "never reached"
        rows.append((hand, index["cards"], index["dealer"], index["basic"], index["deviation"], at, gain))
    depth = f"{found['penetration']:.0%}"
    title = f"Decisions that change with the count, most valuable first, in a shoe dealt to {depth}"
    lines = [title, *(f"  {row}" for row in columns(rows, right={6}))]
    if len(shown) < len(indices):
        lines.append(f"  and {len(indices) - len(shown)} more: --all")
    return lines
