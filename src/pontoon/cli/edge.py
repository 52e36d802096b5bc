"""`pontoon edge`: the value of a round, its standard deviation, and the frequency of each payout."""

from __future__ import annotations

import time
from argparse import Namespace
from typing import TYPE_CHECKING

from msgspec import to_builtins

from pontoon.analysis.answers import Edge
from pontoon.cli.common.analysis import AnalysisError, about, add_common, decks_of, note, progress, ready, rules_of
from pontoon.cli.common.parser import Commands, Parser, fail, rulebook_name
from pontoon.cli.common.tables import show_data, wants_data
from pontoon.library import cached_value
from pontoon.money import cents
from pontoon.rulebook import NAMES, Rulebook
from pontoon.strategy import StrategyError
from pontoon.view.settlement import columns, headline
from pontoon.view.words import ENDS

if TYPE_CHECKING:
    from pontoon.analysis.policies.mistakes import Valued

FOLLOWED = "exact drawing without replacement, decisions by the strategy; no simulation"
MISTAKES = 15
"""Mistakes that are printed one by one."""
LISTED = 5e-8
"""The lowest cost that is printed: a smaller one would read 0.00000%."""
METHOD = "exact drawing without replacement, best play for every set of cards seen on the box; no simulation"


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "edge", help="the exact house edge of a rulebook", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    command.add_argument(
        "rulebook", metavar="RULEBOOK", nargs="?", type=rulebook_name, help="star, canberra, ...; or --all"
    )
    command.add_argument("--all", action="store_true", help="a table of every rulebook and every number of packs")
    add_common(command, rulebook=False)
    command.add_argument(
        "--strategy",
        metavar="FILE",
        help="the exact value of a strategy or a chart in a file (or: chart), and what its mistakes cost",
    )
    command.set_defaults(run=_run)


_DESCRIPTION = """The value of a round from a fresh shoe with best play, per unit of the first wager: the house edge,
the standard deviation, the value against each upcard, and the frequency of each payout."""

_EXAMPLES = """Examples:
  pontoon edge star
  pontoon edge canberra --packs 4 --stake 25
  pontoon edge adelaide --set dealer.pontoon_collects=busts_plus_one --json
  pontoon edge --all
  pontoon edge star --strategy my-chart.json"""


def _run(args: Namespace) -> int:
    if args.all and args.rulebook is not None:
        return fail(f"--all covers every rulebook; omit --all or {args.rulebook}")
    if args.all and args.decks:
        return fail("--all covers every number of packs; omit --all or --packs")
    if args.all and args.strategy:
        return fail("--strategy is for one rulebook; omit --all or --strategy")
    if not args.all and args.rulebook is None:
        return fail("name a rulebook, as in `pontoon edge star`, or use --all")
    try:
        if args.strategy:
            return _followed(args)
        return _every(args) if args.all else _one(args)
    except (AnalysisError, StrategyError) as error:
        return fail(str(error))


def _one(args: Namespace) -> int:
    rules = rules_of(args)
    decks = decks_of(args, rules)
    edge, seconds = _solve(rules, decks, args.stake, f"edge of {rules.about.name}")
    if wants_data(args):
        return show_data(args, "edge", _data(rules, decks, args, edge, seconds))
    print("\n".join(_lines(rules, decks, args.stake, edge)))
    return 0


def _followed(args: Namespace) -> int:
    """The exact figures of a strategy, and the mistakes that its cost is made of."""
    start = time.perf_counter()
    rules = rules_of(args)
    decks = decks_of(args, rules)
    from pontoon.cli.common.player import play_of  # it imports more than an edge from the cache needs

    strategy = play_of(args, rules).strategy
    solver_class = ready()
    from pontoon.analysis.edge import edge_of
    from pontoon.analysis.policies.mistakes import mistakes_of

    playing = solver_class(rules, decks, stake=args.stake, strategy=strategy)
    with progress("edge of the strategy") as show:
        edge = edge_of(playing, show)
    with note("finding its mistakes"):
        valued = mistakes_of(solver_class(rules, decks, stake=args.stake), playing)
    if wants_data(args):
        data = _data(rules, decks, args, edge, round(time.perf_counter() - start, 3))
        data |= {"strategy": args.strategy, "method": FOLLOWED, **to_builtins(valued)}
        return show_data(args, "edge-strategy", data)
    print("\n".join([*_lines(rules, decks, args.stake, edge, f"by {args.strategy}"), "", *_mistake_lines(valued)]))
    return 0


def _mistake_lines(valued: Valued) -> list[str]:
    costs = f"the strategy costs {valued.cost:.4%} of the first wager a round; best play has {-valued.ev_optimal:.4%}"
    rows = [("mistake", "against", "plays", "better", "per round", "costs")]
    listed = [mistake for mistake in valued.mistakes[:MISTAKES] if mistake.cost >= LISTED]
    for mistake in listed:
        words = (mistake.hand, mistake.dealer, mistake.plays, mistake.best)
        rows.append((*words, f"{mistake.chance:.4%}", f"{mistake.cost:.5%}"))
    if rest := valued.mistakes[len(listed) :]:
        together = sum(mistake.cost for mistake in rest)
        cost = f"{together:.5%}" if together >= LISTED else "below 0.00001%"
        rows.append((_smaller(len(rest), others=bool(listed)), "", "", "", "", cost))
    return [costs, *([] if not valued.mistakes else ["", *columns(rows, right={4, 5})])]


def _smaller(count: int, *, others: bool) -> str:
    """The name of the last row, for mistakes that are not listed.

    >>> _smaller(2, others=True), _smaller(1, others=False)
    ('2 smaller ones', '1 mistake')
    """
    words = ("smaller one", "smaller ones") if others else ("mistake", "mistakes")
    return f"{count} {words[count != 1]}"


def _every(args: Namespace) -> int:
    """The table of all rulebooks and numbers of packs."""
    found = []
    for name in NAMES:
        args.rulebook = name
        rules = rules_of(args)
        found += [
            (rules, decks, *_solve(rules, decks, args.stake, f"{name}, {decks} packs")) for decks in rules.decks.allowed
        ]
    if wants_data(args):
        edges = [_data(rules, decks, args, edge, seconds) for rules, decks, edge, seconds in found]
        return show_data(args, "edge-all", {"edges": edges, "seconds": round(sum(row[3] for row in found), 3)})
    rows = [("rulebook", "packs", "house edge", "standard deviation", "Super Bonus")]
    for rules, decks, edge, _ in found:
        bonus = f"{edge.super_bonus_value:.4%}" if edge.super_bonus_value else "-"
        rows.append((rules.about.name, str(decks), f"{edge.house_edge:.4%}", f"{edge.sd:.4f}", bonus))
    print(f"Best play from a fresh shoe, first wager ${args.stake}{_changed(found[0][0])}")
    print("\n".join(["", *columns(rows, right={1, 2, 3, 4})]))
    return 0


def _changed(rules: Rulebook) -> str:
    return "".join(f", {override.key}={override.value}" for override in rules.overrides)


def _solve(rules: Rulebook, decks: int, stake: str, title: str) -> tuple[Edge, float]:
    start = time.perf_counter()
    edge = edge_for(rules, decks, stake, title)
    return edge, round(time.perf_counter() - start, 3)


def edge_for(rules: Rulebook, decks: int, stake: str, title: str = "edge") -> Edge:
    """The figures of best play, from the cache or solved now."""

    def solve() -> Edge:
        solver_class = ready()
        from pontoon.analysis.edge import edge_of

        with progress(title) as show:
            return edge_of(solver_class(rules, decks, stake=stake), show)

    return cached_value("edge.json", (rules, decks, cents(stake)), Edge, solve)


def _data(rules: Rulebook, decks: int, args: Namespace, edge: Edge, seconds: float) -> dict[str, object]:
    return {
        **about(rules, decks, args),
        "ev": edge.ev,
        "house_edge": edge.house_edge,
        "sd": edge.sd,
        "ev_by_upcard": edge.ev_by_upcard,
        "frequencies": edge.frequencies,
        "super_bonus_value": edge.super_bonus_value,
        "method": METHOD,
        "seconds": seconds,
    }


def _lines(rules: Rulebook, decks: int, stake: str, edge: Edge, play: str = "best play") -> list[str]:
    rows = [
        ("house edge", f"{edge.house_edge:.4%}", f"of the first wager, {play}"),
        ("standard deviation", f"{edge.sd:.4f}", "first wagers, per round"),
    ]
    if edge.super_bonus_value:
        rows.append(("Super Bonus", f"{edge.super_bonus_value:.4%}", f"of it, at a first wager of ${stake}"))
    upcards = _by_upcard(edge)
    frequencies = [("how a wager ends", "", "per round", "")]
    frequencies += [
        (ENDS[name], _pays(rules, name), f"{chance:.4%}", _one_in(chance))
        for name, chance in edge.frequencies.items()
        if chance > 0 or name in rules.payout.__struct_fields__
    ]
    return [
        headline(rules, decks),
        "",
        *columns(rows, right={1}),
        "",
        "value of a round by the dealer's upcard",
        *columns(upcards, right=set(range(len(upcards[0])))),
        "",
        *columns(frequencies, right={1, 2, 3}),
    ]


def _by_upcard(edge: Edge) -> list[tuple[str, ...]]:
    """Ranks and values side by side; pictures of equal value are combined, to fit a terminal."""
    values = {rank: f"{value:+.2%}" for rank, value in edge.ev_by_upcard.items()}
    if values["J"] == values["Q"] == values["K"]:
        values = {rank: value for rank, value in values.items() if rank not in "JQ"}
        values["J Q K"] = values.pop("K")
    return [tuple(values), tuple(values.values())]


def _pays(rules: Rulebook, name: str) -> str:
    return f"pays {getattr(rules.payout, name)}" if name in rules.payout.__struct_fields__ else ""


def _one_in(chance: float) -> str:
    if chance <= 0:
        return "never"
    rate = 1 / chance
    return f"1 in {rate:,.0f}" if rate >= 100 else f"1 in {rate:.1f}"
