"""`pontoon compare`: where to play, with rulebooks ranked by what they cost per hour."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from typing import NamedTuple

from pontoon.analysis.answers import Edge
from pontoon.analysis.side import SideValue, side_values
from pontoon.cli.common.analysis import AnalysisError, add_common, note, ready, rules_of
from pontoon.cli.common.numbers import penetration, positive
from pontoon.cli.common.output import deliver, format_of
from pontoon.cli.common.parser import Commands, Parser, fail, rulebook_name
from pontoon.cli.common.tables import show_data, wants_data
from pontoon.cli.edge import edge_for
from pontoon.library import cached_text
from pontoon.money import cents
from pontoon.rulebook import NAMES, Rulebook, digest
from pontoon.view.settlement import columns

PACE, CSM_PACE = 60.0, 72.0
"""Rounds an hour with a shoe, and with a continuous shuffler, which never stops to shuffle."""
CUT, CSM = "cutting card", "CSM"
USUAL = "ordinary blackjack strategy"


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "compare", help="where to play: rulebooks ranked", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    command.add_argument(
        "rulebooks", metavar="RULEBOOK", nargs="*", type=rulebook_name, help="names or TOML files (default: all five)"
    )
    add_common(command, rulebook=False)
    option = command.add_argument
    option("--every-packs", action="store_true", help="every number of packs a document allows, not only its default")
    option("--penetration", type=penetration, default=0.75, metavar="P", help="depth of the cutting card (75%%)")
    option("--rounds-per-hour", type=positive("a pace", "60"), default=PACE, metavar="N", help=f"at a shoe ({PACE:g})")
    option(
        "--csm",
        type=positive("a pace", "72"),
        metavar="N",
        nargs="?",
        const=CSM_PACE,
        help=f"also with a continuous shuffler (CSM), at N rounds an hour ({CSM_PACE:g})",
    )
    option("--out", metavar="FILE.png", help="draw the comparison")
    command.set_defaults(run=_run)


_DESCRIPTION = """Rulebooks ranked by what an hour costs with best play: the exact house edge, the standard deviation,
the cost of an hour by best play and by ordinary blackjack strategy, and one line of advice for each. A continuous
shuffler (CSM) deals every round from nearly a full shoe and more rounds an hour, and cannot be counted; with a cutting
card the edge by position in the shoe differs by about 0.01 points (`pontoon shoe`), and a counter can win."""

_EXAMPLES = """Examples:
  pontoon compare
  pontoon compare star canberra ./my-casino.toml --stake 25 --csm
  pontoon compare --every-packs --json
  pontoon compare --out where.png"""


class _Place(NamedTuple):
    """A rulebook with a number of packs and a way to shuffle."""

    rules: Rulebook
    packs: int
    shuffle: str
    pace: float
    edge: Edge
    usual: float
    """Value of a round by ordinary blackjack strategy."""
    sides: tuple[SideValue, ...]

    @property
    def name(self) -> str:
        return self.rules.about.name

    def cost(self, stake: str, ev: float | None = None) -> float:
        """Dollars an hour."""
        return -(self.edge.ev if ev is None else ev) * float(stake) * self.pace


def _run(args: Namespace) -> int:
    begun = time.perf_counter()
    try:
        format_of(args.out, None, ("png",), "png")
        places = sorted(_places(args), key=lambda place: (place.cost(args.stake), place.edge.house_edge))
        if wants_data(args):
            data = {"stake": args.stake, "places": [_data(place, args) for place in places]}
            show_data(args, "compare", {**data, "seconds": round(time.perf_counter() - begun, 3)})
        else:
            print("\n".join(_lines(places, args)))
        if args.out:
            deliver(args.out, _picture(places, args))
    except AnalysisError as error:
        return fail(str(error))
    except ImportError:
        return fail("a picture needs matplotlib: pip install 'pontoon21[report]'")
    return 0


def _places(args: Namespace) -> list[_Place]:
    found = []
    for name in dict.fromkeys(args.rulebooks or NAMES):
        rules = rules_of(Namespace(**{**vars(args), "rulebook": name}))
        allowed = rules.decks.allowed if args.every_packs else (args.decks or rules.decks.default,)
        for packs in allowed:
            edge = edge_for(rules, packs, args.stake, f"{rules.about.name}, {packs} packs")
            usual, sides = usual_value(rules, packs, args.stake), side_values(rules, packs)
            found.append(_Place(rules, packs, CUT, args.rounds_per_hour, edge, usual, sides))
            if args.csm:
                found.append(_Place(rules, packs, CSM, args.csm, edge, usual, sides))
    return found


def usual_value(rules: Rulebook, packs: int, stake: str) -> float:
    """The exact value of ordinary blackjack strategy."""

    def make() -> str:
        solver_class = ready()
        from pontoon.strategy.habits import ordinary_blackjack

        with note(f"{rules.about.name}, {packs} packs: {USUAL}"):
            strategy = ordinary_blackjack(rules.about.name, packs)
            return json.dumps({"ev": float(solver_class(rules, packs, stake=stake, strategy=strategy).value())})

    return float(json.loads(cached_text("usual.json", rules, packs, cents(stake), make))["ev"])


def _advice(place: _Place, args: Namespace) -> str:
    """What to do there in one line, most valuable first."""
    good = [side for side in place.sides if side.value > 0]
    if good:
        best = max(good, key=lambda side: side.value)
        return f"bet {best.name}: it pays the player {float(best.value):+.2%}"
    saved = place.cost(args.stake, place.usual) - place.cost(args.stake)
    words = f"learn the chart: it saves ${saved:,.2f} an hour against {USUAL}"
    worst = min(place.sides, key=lambda side: side.value, default=None)
    named = [side for side in place.sides if not side.name.startswith("Insurance")]
    if named and worst is not None:
        return f"{words}; leave {min(named, key=lambda side: side.value).name} alone"
    return f"{words}; never insure"


def _data(place: _Place, args: Namespace) -> dict[str, object]:
    return {
        "rulebook": place.name,
        "digest": digest(place.rules),
        "overrides": {changed.key: changed.value for changed in place.rules.overrides},
        "packs": place.packs,
        "shuffle": place.shuffle,
        "penetration": args.penetration if place.shuffle == CUT else None,
        "rounds_per_hour": place.pace,
        "house_edge": place.edge.house_edge,
        "sd": place.edge.sd,
        "cost_per_hour": place.cost(args.stake),
        "sd_per_hour": place.edge.sd * float(args.stake) * place.pace**0.5,
        "usual_house_edge": -place.usual,
        "usual_cost_per_hour": place.cost(args.stake, place.usual),
        "advice": _advice(place, args),
    }


def _lines(places: list[_Place], args: Namespace) -> list[str]:
    rows = [("", "where", "packs", "shuffle", "house edge", "sd", "an hour costs", "played as blackjack", "")]
    for number, place in enumerate(places, 1):
        usual = place.cost(args.stake, place.usual)
        edge = (f"{place.edge.house_edge:.4%}", f"{place.edge.sd:.3f}", f"${place.cost(args.stake):,.2f}")
        where = (f"{number}.", place.name, str(place.packs), place.shuffle)
        rows.append((*where, *edge, f"{-place.usual:.3%}", f"${usual:,.2f}"))
    changed = "".join(f", {override.key}={override.value}" for override in places[0].rules.overrides)
    lines = [
        f"${args.stake} a round{changed}, best play; {args.rounds_per_hour:g} rounds an hour with a cutting card"
        + (f", {args.csm:g} with a continuous shuffler (CSM)" if args.csm else ""),
        "",
        *columns(rows, right={0, 2, 4, 5, 6, 7, 8}),
        "",
    ]
    shown = set()
    for number, place in enumerate(places, 1):
        if (place.name, place.packs) not in shown:
            shown.add((place.name, place.packs))
            lines.append(f"{number:>2}. {place.name}: {_advice(place, args)}")
    return lines


def _picture(places: list[_Place], args: Namespace) -> bytes:
    from pontoon.view.reports import figures
    from pontoon.view.reports.parts import Bar

    rows = [
        Bar(
            f"{place.name}, {place.packs} packs, {place.shuffle}: {place.edge.house_edge:.3%}",
            place.cost(args.stake),
            f"${place.cost(args.stake):,.2f}",
        )
        for place in places
    ]
    about = f"dollars, best play, first wager ${args.stake}; house edge beside the name"
    return figures.bars(rows, "What an hour costs", about)
