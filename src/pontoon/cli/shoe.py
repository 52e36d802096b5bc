"""`pontoon shoe`: the effect of dealing a shoe to the cutting card, and what counting gains."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from contextlib import suppress
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from pontoon.cards import PACK, Card
from pontoon.cli.common.analysis import WIDE, about, add_common, decks_of, progress, ready, rules_of
from pontoon.cli.common.parser import Commands, Parser
from pontoon.cli.common.player import add_rounds, add_seed, amount, answer
from pontoon.cli.common.simulation import game_of, stake_of
from pontoon.cli.strategy import OPTIMAL, strategy_text
from pontoon.rulebook import Rulebook
from pontoon.strategy import read_strategy
from pontoon.view.settlement import columns, headline

if TYPE_CHECKING:
    from pontoon.analysis.counting.count import Count
    from pontoon.simulation.shoe_depth import Betting, Depths, Part

ROUNDS = 50_000_000
DEPTHS = (0.5, 0.65, 0.75, 0.85)
COUNTED = 0.75
"""The depth for which true counts are listed."""
SPREADS = (4, 8, 12)
STEPS = 4.0
"""True counts from the even one to the one with the maximum bet."""
COUNTS = range(-5, 11)
MOST_SPREAD = 100
PART = 0.1
"""The shoe is divided into tenths."""
HUNDRED = 100
SPADES = "s"
METHOD = (
    "whole shoes simulated to the deepest cutting card, one box, best play of the fresh shoe throughout; "
    "'by the cards left' values every round by the exact effects of removal of the cards dealt before it"
)
NOTE = (
    "By the cards left: every round valued before it is dealt, in proportion to the effects of removal of the cards "
    "dealt. This has little random error and is right on average; at counts far from zero it is too steep, because "
    "decisions stay those of the fresh shoe. A fixed bonus is assumed to grow with the bet."
)


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "shoe", help="dealing to a cutting card: depth and counting", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    command.add_argument(
        "--spread", type=_spread, default=0, metavar="N", help="an additional bet spread to try, from 1 to N"
    )
    add_seed(command)
    add_rounds(command, ROUNDS)
    command.set_defaults(run=_run)


_DESCRIPTION = """The value of a round when the shoe is dealt to a cutting card: by the depth of the card, by the
position in the shoe, and by the true count of `pontoon count`; and the result of bets that follow the count. A cutting
card costs a little even without counting: a shoe that deals its high cards early has more rounds, and poorer ones.
Decisions stay those of the fresh shoe, so all gain comes from betting."""

_EXAMPLES = """Examples:
  pontoon shoe star
  pontoon shoe canberra --packs 4 --rounds 1e8
  pontoon shoe star --spread 20 --json"""


class _Found(NamedTuple):
    """The answer and the data behind it."""

    rules: Rulebook
    decks: int
    counting: Count
    depths: Depths
    spreads: tuple[int, ...]


def _spread(text: str) -> int:
    with suppress(ValueError):
        if 1 < (number := int(text)) <= MOST_SPREAD:
            return number
    raise ArgumentTypeError(f"{text!r} is not a spread; write the largest bet, from 2 to {MOST_SPREAD}")


def _run(args: Namespace) -> int:
    return answer(args, "shoe", _found, _data, _lines)


def _found(args: Namespace) -> _Found:
    rules = rules_of(args)
    decks, stake = decks_of(args, rules), stake_of(args)
    ready()
    from pontoon.analysis.counting.count import Asked, count_of

    game = game_of(rules, read_strategy(strategy_text(OPTIMAL, args, rules)), stake)
    with progress("effects of removal") as show:
        count = count_of(rules, decks, args.stake, show, Asked(balanced=True, indices=False))
    from pontoon.simulation.shoe_depth import deal_shoes

    with progress("shoes") as show:
        depths = deal_shoes(
            game,
            rules,
            decks,
            rounds=args.rounds,
            tags=count.tags,
            effects=_effects(count),
            seed=args.seed,
            progress=show,
        )
    spreads = tuple(sorted({*SPREADS, args.spread} - {0}))
    return _Found(rules, decks, count, depths, spreads)


def _effects(count: Count) -> dict[Card, float]:
    """The effect of removing each card; the effect of a rank is the mean of its four suits."""
    found = {}
    removals = {removal.rank: removal for removal in count.removals}
    for card in PACK:
        removal = removals[card[0]]
        found[card] = removal.spade if card[1] == SPADES else (4 * removal.effect - removal.spade) / 3
    return found


def _betting(found: _Found, most: int, depth: float) -> Betting:
    from pontoon.simulation.shoe_depth import ramp

    starts = found.counting.even_at
    bets = ramp(most if starts is not None else 1, starts or 0.0, (starts or 0.0) + STEPS)
    return found.depths.betting(bets, depth, found.counting.ev)


def _by_count(found: _Found) -> list[tuple[int, Part]]:
    return [(count, part) for count in COUNTS if (part := found.depths.at_count(count, COUNTED)).rounds]


def _from(found: _Found) -> int | None:
    """The true count at which the player's advantage begins, by the cards left."""
    from pontoon.simulation.shoe_depth import advantage_from

    return advantage_from([(count, found.counting.ev + part.valued.mean) for count, part in _by_count(found)])


# --- output --------------------------------------------------------------------------------------------


def _part_data(part: Part, fresh: float) -> dict[str, object]:
    return {
        "rounds": part.rounds,
        "ev": part.measured.mean,
        "standard_error": part.measured.error,
        "ev_by_cards_left": fresh + part.valued.mean,
        "ev_by_cards_left_error": part.valued.error,
    }


def _data(found: _Found, args: Namespace) -> dict[str, object]:
    count, depths = found.counting, found.depths
    return {
        **about(found.rules, found.decks, args),
        "seed": args.seed,
        "rounds": depths.rounds,
        "shoes": depths.shoes,
        "ev_fresh": count.ev,
        "depths": [
            {
                "penetration": depth,
                "rounds_per_shoe": (part := depths.part(0.0, depth)).rounds / depths.shoes,
                **_part_data(part, count.ev),
                "cut_card_effect": part.valued.mean,
            }
            for depth in DEPTHS
        ],
        "positions": [
            {"from": low, "to": high, **_part_data(part, count.ev)} for low, high, part in _positions(depths)
        ],
        "count": {"tags": count.tags, "even_at": count.even_at, "ev_per_count": count.ev_per_count},
        "advantage_from": _from(found),
        "by_count": [
            {"true_count": number, "share": part.rounds / _rounds_at(depths), **_part_data(part, count.ev)}
            for number, part in _by_count(found)
        ],
        "betting": [
            {
                "penetration": depth,
                "spread": most,
                "mean_bet": (result := _betting(found, most, depth)).mean_bet,
                "win_per_100": result.measured.mean * HUNDRED,
                "standard_error": result.measured.error * HUNDRED,
                "win_per_100_by_cards_left": result.valued * HUNDRED,
                "sd_per_100": result.sd * HUNDRED**0.5,
            }
            for depth in DEPTHS
            for most in (1, *found.spreads)
        ],
        "method": METHOD,
    }


def _positions(depths: Depths) -> list[tuple[float, float, Part]]:
    edges = [round(number * PART, 2) for number in range(round(DEPTHS[-1] / PART))] + [DEPTHS[-1]]
    return [(low, high, depths.part(low, high)) for low, high in pairwise(edges)]


def _rounds_at(depths: Depths) -> int:
    return depths.part(0.0, COUNTED).rounds


def _lines(found: _Found, args: Namespace) -> list[str]:
    count, depths = found.counting, found.depths
    return [
        headline(found.rules, found.decks),
        f"{depths.rounds:,} rounds in {depths.shoes:,} whole shoes, one box, ${amount(args.stake)}, seed {args.seed}",
        "± is one standard error",
        "",
        *columns(_depth_rows(found), right={1, 2, 3, 4, 5}),
        "",
        f"rounds by their position in the shoe, cutting card at {DEPTHS[-1]:.0%}",
        *columns(_position_rows(found), right={1, 2, 3}),
        "",
        f"rounds by true count, cutting card at {COUNTED:.0%}; tags {_tags(count)}",
        *columns(_count_rows(found), right=set(range(5 + len(found.spreads)))),
        *_advantage(found),
        "",
        "100 rounds with bets of 1 up to the even count, then rising to the maximum four counts later:",
        "won ± standard error, and the standard deviation, in minimum bets",
        *columns(_betting_rows(found), right=set(range(1, 2 + len(found.spreads)))),
        "",
        *wrap(NOTE, WIDE),
    ]


def _depth_rows(found: _Found) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("cutting card", "rounds", "house edge", "", "by the cards left", "it costs")]
    rows.append(("fresh shoe", "", f"{-found.counting.ev:.4%}", "exact", "", ""))
    for depth in DEPTHS:
        part = found.depths.part(0.0, depth)
        valued = f"{-(found.counting.ev + part.valued.mean):.4%}"
        costs = f"{-part.valued.mean:+.4%} ± {part.valued.error:.4%}"
        rounds = f"{part.rounds / found.depths.shoes:.1f}"
        rows.append((f"at {depth:.0%}", rounds, *_measured(part), valued, costs))
    return rows


def _measured(part: Part) -> tuple[str, str]:
    return f"{-part.measured.mean:.4%}", f"± {part.measured.error:.4%}"


def _position_rows(found: _Found) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("begins at", "house edge", "", "by the cards left")]
    for low, high, part in _positions(found.depths):
        valued = f"{-(found.counting.ev + part.valued.mean):.4%}"
        rows.append((f"{low:.0%} to {high:.0%}", *_measured(part), valued))
    return rows


def _tags(count: Count) -> str:
    """The tags in one line, ranks with the same tag together."""
    groups: dict[int, str] = {}
    for rank, tag in count.tags.items():
        groups[tag] = groups.get(tag, "") + rank
    return ", ".join(f"{ranks} {tag:+d}" for tag, ranks in sorted(groups.items()) if tag)


def _count_rows(found: _Found) -> list[tuple[str, ...]]:
    from pontoon.simulation.shoe_depth import ramp

    starts = found.counting.even_at
    bets = [ramp(most, starts, starts + STEPS) for most in found.spreads] if starts is not None else []
    whole = _rounds_at(found.depths)
    names = tuple(f"bet to {most}" for most in found.spreads) if bets else ()
    rows: list[tuple[str, ...]] = [("true count", "share", "advantage", "", "by the cards left", *names)]
    for number, part in _by_count(found):
        advantage = f"{part.measured.mean:+.2%}", f"± {part.measured.error:.2%}"
        valued = f"{found.counting.ev + part.valued.mean:+.2%}"
        sizes = tuple(f"{bet(number):.1f}" for bet in bets)
        rows.append((f"{number:+d}" if number else "0", f"{part.rounds / whole:.2%}", *advantage, valued, *sizes))
    return rows


def _advantage(found: _Found) -> list[str]:
    even, begins = found.counting.even_at, _from(found)
    if even is None or begins is None:
        return ["the count never reaches an advantage worth mentioning"]
    share = sum(part.rounds for number, part in _by_count(found) if number >= begins) / _rounds_at(found.depths)
    return [f"even at a true count of {even:+.1f}; an advantage from {begins:+d}, in {share:.0%} of the rounds"]


def _betting_rows(found: _Found) -> list[tuple[str, ...]]:
    spreads = (1, *found.spreads)
    rows: list[tuple[str, ...]] = [("cutting card", "always 1", *(f"1 to {most}" for most in found.spreads))]
    for depth in DEPTHS:
        each = [_betting(found, most, depth) for most in spreads]
        rows.append((f"at {depth:.0%}", *(_won(result) for result in each)))
    return rows


def _won(result: Betting) -> str:
    measured = f"{result.measured.mean * HUNDRED:+.2f} ± {result.measured.error * HUNDRED:.2f}"
    return f"{measured}, {result.sd * HUNDRED**0.5:.0f}"
