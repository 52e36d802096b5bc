"""`pontoon bet`: bets that follow a count, for a bankroll: the best ramp, what it wins and what it risks."""

from __future__ import annotations

import json
import math
import time
from argparse import ArgumentTypeError, Namespace
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from pontoon.analysis.counting.bets import Limits, Plan, Spot, at_counts, best_ramp, kelly_ramp, measured
from pontoon.cli.common.analysis import AnalysisError, about, add_common, decks_of, note, progress, ready, rules_of
from pontoon.cli.common.numbers import cents_of, number, penetration, positive, rounds, share, whole
from pontoon.cli.common.output import deliver, format_of
from pontoon.cli.common.parser import Commands, Parser, fail
from pontoon.cli.common.simulation import seed
from pontoon.cli.common.tables import show_data, wants_data
from pontoon.cli.count import add_tags, count_data
from pontoon.library import cached_text
from pontoon.money import cents
from pontoon.rulebook import Rulebook
from pontoon.view.settlement import columns, headline

if TYPE_CHECKING:
    from pontoon.simulation.counted_play import AtCount
    from pontoon.simulation.ruin import Ruin

PENETRATION, PACE, BANKROLL = 0.75, 60.0, 1_000_000
RISK = 0.135
"""The risk of ruin of full Kelly betting, exp(-2)."""
SHOWN = 1e-4
"""True counts that occur less often than this are not printed."""
AWAY = (-4.0, -2.0, 0.0, 2.0, 4.0, 7.0)
"""True counts above neutral for which a strategy is compiled to simulate play by the count."""
HUNDRED = 100
MEASURED = 4_000_000
"""Rounds of two boxes simulated to measure their correlation."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "bet", help="bets that follow a count: ramp, win rate, risk", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    add_tags(command)
    option = command.add_argument
    option("--bankroll", type=_bankroll, default=BANKROLL, metavar="D", help="the bankroll in dollars (10000)")
    option("--spread", type=_spread, default=(1.0, 12.0), metavar="A-B", help="bets in units of --stake (1-12)")
    option("--penetration", type=penetration, default=PENETRATION, metavar="P", help="depth of the cutting card (75%%)")
    option(
        "--kelly", type=share, metavar="F", help="bet this fraction of Kelly instead of the ramp with the best SCORE"
    )
    option("--risk", type=share, default=RISK, metavar="R", help="risk of ruin to find a bankroll for (13.5%%)")
    option("--wong", type=_count, metavar="T", help="play only from this true count on")
    option("--boxes", type=whole("a number of boxes", "1 to 7", 1, 7), default=1, help="boxes played at once (1)")
    option(
        "--cover", type=positive("a factor", "2"), metavar="F", help="a bet is at most F times that of the next count"
    )
    option("--chips", type=positive("a unit", "1 or 0.5"), metavar="U", help="bets are multiples of U times --stake")
    option("--rounds-per-hour", type=positive("a pace", "60"), default=PACE, metavar="N", help=f"({PACE:g})")
    option("--simulate", type=rounds, metavar="N", help="also play N rounds by the count, and bankrolls to their ruin")
    option("--seed", type=seed, default=1, metavar="N", help="the seed of the simulation (1)")
    option(
        "--device",
        choices=("auto", "cpu", "gpu"),
        default="auto",
        help="where the simulation plays (auto: a GPU if there is one)",
    )
    option("--out", metavar="FILE", help="draw the ramp, as png, svg or pdf")
    command.set_defaults(run=_run)


_DESCRIPTION = """The bets with the best SCORE between two limits for any count (`pontoon count`), or a fraction of
Kelly: win rate, standard deviation, N0, SCORE, risk of ruin, and the bankroll for a given risk. The value of a round at
each true count is exact for the mean shoe at that count, played by the count's indices; true counts are normal at each
depth of the shoe; the Super Bonus, a fixed amount, is valued at the bet that is made."""

_EXAMPLES = """Examples:
  pontoon bet star --bankroll 10000 --spread 1-12 --penetration 75% --count hi-lo
  pontoon bet canberra --stake 25 --spread 1-8 --boxes 2 --json
  pontoon bet star --wong -3 --spread 1-6 --cover 2 --chips 1
  pontoon bet star --count hi-lo --simulate 1e8
  pontoon bet star --kelly 50% --bankroll 20k --out ramp.png"""


class _Found(NamedTuple):
    rules: Rulebook
    counted: dict[str, Any]
    spots: list[Spot]
    limits: Limits
    plan: Plan
    flat: Plan
    unit: int
    """The minimum bet in cents."""
    ruin: float
    """Risk of ruin of the bankroll, as a diffusion."""


def _bankroll(text: str) -> int:
    amount = cents_of(text)
    if amount is None:
        raise ArgumentTypeError(f"{text!r} is not a bankroll; write dollars above 0, as in 10000 or 10k")
    return amount


def _spread(text: str) -> tuple[float, float]:
    low, dash, high = text.replace("to", "-").replace(":", "-").partition("-")
    ends = (number(low), number(high)) if dash else (number("1"), number(low))
    if None in ends or not 0 < ends[0] <= ends[1]:  # type: ignore[operator] # None is excluded
        raise ArgumentTypeError(f"{text!r} is not a spread; write the lowest and the highest bet, as in 1-12")
    return float(ends[0] or 0), float(ends[1] or 0)


def _count(text: str) -> float:
    found = number(text)
    if found is None:
        raise ArgumentTypeError(f"{text!r} is not a true count; write a number, as in -3 or 2")
    return float(found)


def _run(args: Namespace) -> int:
    begun = time.perf_counter()
    try:
        form = format_of(args.out, None, ("png", "svg", "pdf"), "png")
        found = _found(args)
        if wants_data(args):
            data = _data(found, args)
            if args.simulate:
                simulated = _simulated(found, args)
                data["simulated"] = [structs.asdict(part) for part in simulated.parts]
                if simulated.ruin:
                    data["ruin_simulated"] = structs.asdict(simulated.ruin)
            show_data(args, "bet", {**data, "seconds": round(time.perf_counter() - begun, 3)})
        else:
            print("\n".join(_lines(found, args)))
        if args.simulate and not wants_data(args):
            print("\n".join(["", *_simulated_lines(found, _simulated(found, args))]))
        if args.out:
            from pontoon.view.reports.ramp import picture

            title = f"{found.rules.about.name}: {found.counted['name']}, spread {_spread_words(found)}"
            deliver(args.out, picture(found.spots, found.plan, title, form))
    except AnalysisError as error:
        return fail(str(error))
    except ImportError:
        return fail("a picture needs matplotlib: pip install 'pontoon21[report]'")
    return 0


def _found(args: Namespace) -> _Found:
    rules = rules_of(args)
    count = count_data(args, rules, args.tags, (), args.penetration)
    unit = int(cents(args.stake))
    limits = Limits(
        lowest=args.spread[0],
        highest=args.spread[1],
        play_from=-math.inf if args.wong is None else args.wong,
        factor=args.cover or math.inf,
        whole=args.chips or 0.0,
        boxes=args.boxes,
        correlation=_correlation(args, rules) if args.boxes > 1 else 0.0,
    )
    spots = spots_of(count)
    bankroll = args.bankroll / unit
    plan = best_ramp(spots, limits) if args.kelly is None else kelly_ramp(spots, limits, bankroll, args.kelly)
    bonus = _bonus(args, rules, plan, unit)
    spots = [spot._replace(ev=spot.ev + more) for spot, more in zip(spots, bonus, strict=True)]
    plan = measured(spots, [bet for _, bet in plan.ramp], limits)
    flat = measured(spots_of(count), [1.0] * len(spots), Limits(1, 1))
    return _Found(rules, count, spots, limits, plan, flat, unit, plan.ruin(bankroll))


def _correlation(args: Namespace, rules: Rulebook) -> float:
    """The correlation of two boxes in one round, measured by simulation once for a rulebook and cached."""
    from pontoon.cli.common.simulation import game_of, stake_of
    from pontoon.cli.strategy import OPTIMAL, strategy_text
    from pontoon.strategy import read_strategy

    def measure() -> str:
        game = game_of(rules, read_strategy(strategy_text(OPTIMAL, args, rules)), stake_of(args))
        from pontoon.simulation import Settings, make_plan, run

        settings = Settings(packs=decks_of(args, rules), rounds=MEASURED, seed=1, boxes=2)
        with note("measuring the correlation of two boxes"):
            result = run(make_plan(game, rules, settings))
        together = result.standard_error * math.sqrt(MEASURED) * 2
        return json.dumps({"correlation": together**2 / result.sd**2 / 2 - 1})

    made = cached_text("boxes.json", rules, decks_of(args, rules), cents(args.stake), measure)
    return float(json.loads(made)["correlation"])


def spots_of(count: dict[str, Any]) -> list[Spot]:
    """The true counts of a count with their value and variance."""
    values = [(true_count, ev) for true_count, ev in count["ev_by_count"]]
    swings = [(true_count, sd) for true_count, sd in count["sd_by_count"]]
    return [
        Spot(seen["true_count"], seen["share"], at_counts(values, seen["mean"]), at_counts(swings, seen["mean"]) ** 2)
        for seen in count["frequencies"]
    ]


def _bonus(args: Namespace, rules: Rulebook, plan: Plan, unit: int) -> list[float]:
    """What the Super Bonus adds at each bet to its value at the minimum bet, in units of the bet."""
    from pontoon.analysis.answers import Edge
    from pontoon.analysis.super_bonus import super_bonus_at
    from pontoon.cli.edge import edge_for

    edge: Edge = edge_for(rules, decks_of(args, rules), args.stake)
    base = super_bonus_at(rules, unit)
    if not edge.super_bonus_value or not base:
        return [0.0] * len(plan.ramp)
    per_round = edge.super_bonus_value * unit / base  # how often it is won
    added = []
    for _, bet in plan.ramp:
        amount = round(bet * unit)
        worth = per_round * super_bonus_at(rules, amount) / amount if amount else edge.super_bonus_value
        added.append(worth - edge.super_bonus_value)
    return added


# --- simulated -----------------------------------------------------------------------------------------


class _Simulated(NamedTuple):
    parts: tuple[AtCount, ...]
    ruin: Ruin | None
    """None if the bets do not win, or with several boxes: one is simulated."""


def _simulated(found: _Found, args: Namespace) -> _Simulated:
    """Rounds played by the count: the best strategy for every second true count, chosen as a round begins."""
    from pontoon.analysis.counting.tags import Tags
    from pontoon.analysis.counting.true_count import shoe_at
    from pontoon.analysis.policies.export import strategy_of
    from pontoon.cli.common.simulation import game_of, stake_of
    from pontoon.simulation import SimulationError
    from pontoon.simulation.counted_play import play_by_count
    from pontoon.simulation.device import on_gpu
    from pontoon.strategy import CompositionStrategy

    rules, packs = found.rules, decks_of(args, found.rules)
    count = Tags(found.counted["name"], found.counted["tags"])
    solver = ready()(rules, packs, stake=args.stake)
    games = []
    with progress("strategies") as show:
        for number_done, away in enumerate(AWAY, 1):
            shoe = shoe_at(solver.shoe, count, count.neutral + away)
            strategy = CompositionStrategy(strategy_of(solver.with_shoe(shoe), rules))
            games.append((count.neutral + away, game_of(rules, strategy, stake_of(args))))
            show(number_done / len(AWAY))
    try:
        on_gpu(args.device)
    except SimulationError as error:
        raise AnalysisError(str(error)) from None
    with progress("rounds") as show:
        parts = play_by_count(
            games,
            rules,
            packs,
            tags=count.tags,
            penetration=args.penetration,
            rounds=args.simulate,
            seed=args.seed,
            device=args.device,
            progress=show,
        )
    if found.plan.win <= 0 or found.limits.boxes > 1:
        return _Simulated(parts, None)
    from pontoon.simulation.ruin import play_shoes, walk

    plan, bets = found.plan, dict(found.plan.ramp)
    with note("playing shoes by the count"):
        played = play_shoes(
            games,
            rules,
            packs,
            tags=count.tags,
            bets=lambda at: bets.get(at, found.limits.lowest),
            penetration=args.penetration,
            seed=args.seed,
        )
    with progress("bankrolls") as show:
        ruin = walk(
            played,
            bankroll=args.bankroll / found.unit,
            win=plan.win * played.rounds / len(played.net),
            decay=2 * plan.win / plan.sd**2,
            seed=args.seed,
            progress=show,
        )
    return _Simulated(parts, ruin)


def _simulated_lines(found: _Found, simulated: _Simulated) -> list[str]:
    bets, parts = dict(found.plan.ramp), simulated.parts
    played = sum(part.rounds for part in parts)
    win = sum(part.share * bets.get(part.true_count, found.limits.lowest) * part.ev for part in parts)
    error = math.sqrt(
        sum((part.share * bets.get(part.true_count, found.limits.lowest) * part.error) ** 2 for part in parts)
    )
    exact = {spot.true_count: spot for spot in found.spots}
    rows = [("true count", "share", "simulated", "", "computed", "standard deviation", "computed")]
    for part in parts:
        if part.share >= SHOWN and part.true_count in exact:
            spot = exact[part.true_count]
            values = (f"{part.ev:+.2%}", f"± {part.error:.2%}", f"{spot.ev:+.2%}")
            spreads = (f"{part.sd:.4f}", f"{math.sqrt(spot.variance):.4f}")
            shown = f"{part.true_count:+d}" if part.true_count else "0"
            rows.append((shown, f"{part.share:.2%}", *values, *spreads))
    won = f"{_signed(_money(win, found) * HUNDRED)} ± ${_money(error, found) * HUNDRED:,.2f} (standard error)"
    computed = _signed(_money(found.plan.win / found.limits.boxes, found) * HUNDRED)
    ruin = simulated.ruin
    return [
        f"{played:,} rounds of one box simulated by the count: {won} in 100 rounds, computed {computed}",
        *columns(rows, right=set(range(7))),
        *([] if ruin is None else [f"risk of ruin {_ruin_words(ruin)}, computed {found.ruin:.1%}"]),
    ]


def _ruin_words(ruin: Ruin) -> str:
    return f"{ruin.ruin:.1%} ± {ruin.error:.1%} (standard error) in {ruin.trials:,} simulated bankrolls"


# --- output --------------------------------------------------------------------------------------------


def _spread_words(found: _Found) -> str:
    return f"{found.limits.lowest:g}-{found.limits.highest:g}"


def _money(units: float, found: _Found) -> float:
    return units * found.unit / 100


def _signed(amount: float) -> str:
    """Dollars won or lost.

    >>> _signed(9.04), _signed(-2.2)
    ('+$9.04', '-$2.20')
    """
    return f"{'-' if amount < 0 else '+'}${abs(amount):,.2f}"


def _data(found: _Found, args: Namespace) -> dict[str, object]:
    plan = found.plan
    needed, kelly = plan.bankroll_for(args.risk), plan.kelly()
    return {
        **about(found.rules, decks_of(args, found.rules), args),
        "count": {"name": found.counted["name"], "tags": found.counted["tags"], "neutral": found.counted["neutral"]},
        "penetration": args.penetration,
        "spread": [found.limits.lowest, found.limits.highest],
        "boxes": found.limits.boxes,
        "box_correlation": found.limits.correlation,
        "bankroll": args.bankroll / 100,
        "ramp": [
            {
                "true_count": spot.true_count,
                "share": spot.share,
                "ev": spot.ev,
                "sd": math.sqrt(spot.variance),
                "bet": _money(bet, found),
            }
            for spot, (_, bet) in zip(found.spots, plan.ramp, strict=True)
        ],
        "played": plan.played,
        "mean_bet": _money(plan.mean_bet, found),
        "win_per_round": _money(plan.win, found),
        "win_per_hour": _money(plan.win, found) * args.rounds_per_hour,
        "sd_per_round": _money(plan.sd, found),
        "sd_per_hour": _money(plan.sd, found) * math.sqrt(args.rounds_per_hour),
        "n0": plan.n0,
        "score": plan.score,
        "ruin": found.ruin,
        "risk": args.risk,
        "bankroll_for_risk": None if needed is None else _money(needed, found),
        "kelly_bankroll": None if kelly is None else _money(kelly, found),
        "flat_win_per_hour": _money(found.flat.win, found) * args.rounds_per_hour,
    }


def _lines(found: _Found, args: Namespace) -> list[str]:
    plan, hour = found.plan, args.rounds_per_hour
    needed, kelly = plan.bankroll_for(args.risk), plan.kelly()
    facts = [
        (
            "win rate",
            f"{_signed(_money(plan.win, found) * hour)} an hour",
            f"{hour:g} rounds dealt, {plan.played:.0%} played",
        ),
        ("standard deviation", f"${_money(plan.sd, found) * math.sqrt(hour):,.0f} an hour", ""),
        ("mean bet", f"${_money(plan.mean_bet, found):,.2f}", "per round dealt, all boxes"),
        (
            "N0",
            "never" if plan.n0 is None else f"{plan.n0:,.0f} rounds",
            "until the mean win is one standard deviation",
        ),
        ("SCORE", f"{plan.score:.2f}", "dollars per 100 rounds, $10,000 at full Kelly"),
        ("risk of ruin", f"{found.ruin:.1%}", f"of ${args.bankroll / 100:,.0f}, never resizing the bets"),
    ]
    if needed is not None and kelly is not None:
        facts.append((f"bankroll for {args.risk:.1%}", f"${_money(needed, found):,.0f}", "risk of ruin"))
        facts.append(("full Kelly with", f"${_money(kelly, found):,.0f}", "of bankroll"))
    facts.append(
        ("always the minimum", f"{_signed(_money(found.flat.win, found) * hour)} an hour", "played by the count")
    )
    rows = [("true count", "share", "advantage", "bet")]
    for spot, (_, bet) in zip(found.spots, plan.ramp, strict=True):
        if spot.share >= SHOWN:
            amount = f"${_money(bet, found):,.2f}" if bet else "-"
            shown = f"{spot.true_count:+d}" if spot.true_count else "0"
            rows.append((shown, f"{spot.share:.2%}", f"{spot.ev:+.2%}", amount))
    boxes = "" if found.limits.boxes == 1 else f", {found.limits.boxes} boxes"
    neutral = found.counted["neutral"]
    start = f" (starts at {neutral:+d} a pack)" if neutral else ""
    bets = f"bets {_spread_words(found)} times ${args.stake}{boxes}"
    return [
        headline(found.rules, decks_of(args, found.rules)),
        f"{found.counted['name']}{start}, cutting card at {args.penetration:.0%}, {bets}",
        "",
        *columns(facts, right={1}),
        "",
        *columns(rows, right={0, 1, 2, 3}),
    ]
