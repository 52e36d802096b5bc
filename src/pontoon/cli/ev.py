"""`pontoon ev`: the value of every allowed decision on a hand, and the clause that allows it."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, NamedTuple

from pontoon.analysis.answers import ActionValue, HandError, ShoeError
from pontoon.analysis.decision_table import DecisionTable, decision_table_of, decisions, insurance_value
from pontoon.cards import Card, UnknownCardError
from pontoon.cards.card import ACE
from pontoon.cli.common.analysis import AnalysisError, about, add_common, decks_of, rules_of, solver_of
from pontoon.cli.common.cards import MIXED, Typed, hand_of
from pontoon.cli.common.parser import Commands, Parser, fail
from pontoon.cli.common.tables import show_data, wants_data
from pontoon.library import cached_value
from pontoon.money import cents
from pontoon.rulebook import Rulebook
from pontoon.view.clauses import decision_clauses
from pontoon.view.settlement import columns, headline

if TYPE_CHECKING:
    from pontoon.analysis import Solver

Cards = tuple[Card, ...]


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "ev", help="what each decision on a hand is worth", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    command.add_argument(
        "--hand", required=True, metavar="CARDS", help='the hand in the order of its cards, "7s 7h" or 77'
    )
    command.add_argument("--dealer", required=True, metavar="CARD", help="the dealer's upcard, 7d, 7 or 10")
    command.add_argument("--out", default="", metavar="CARDS", help="other cards seen since the shuffle")
    command.add_argument(
        "--after-split", action="store_true", help="the hand results from a split; its pair card first"
    )
    command.add_argument(
        "--doubled", action="store_true", help="the hand was doubled and has received its card: keep or forfeit"
    )
    command.set_defaults(run=_run)


_DESCRIPTION = """The value of every lawful decision on a hand, best first, in units of the first wager, with its cost
compared with the best one and the clause that allows it. After a split the value is that of the hand's own wager."""

_EXAMPLES = """Examples:
  pontoon ev star --hand 88 --dealer 10
  pontoon ev star --hand "8s 8h" --dealer Kd
  pontoon ev canberra --hand "7s 7s" --dealer 7d --packs 4 --stake 25
  pontoon ev federal --hand "As 3c" --dealer 6h --after-split
  pontoon ev division-15 --hand "6s 5c 2h" --dealer 9h --doubled
  pontoon ev star --hand "9c 6d" --dealer Ah --out "2c 3d 5h 6s 4c" --json"""


class _Answer(NamedTuple):
    """The decisions on a hand, and what the maximum insurance adds and covers."""

    values: tuple[ActionValue, ...]
    insurance: tuple[float, float] | None


def _run(args: Namespace) -> int:
    try:
        hand, dealer, out = _cards("--hand", args.hand), _upcard(args.dealer), _cards("--out", args.out)
        rules = rules_of(args)
        found = _answer(args, rules, hand.cards, dealer.cards[0], out.cards)
    except (AnalysisError, HandError, ShoeError) as error:
        return fail(str(error))
    rows = [_action(rules, value, found.values[0].value, args) for value in found.values]
    insurance = None if found.insurance is None else _insurance(rules, *found.insurance)
    decks = decks_of(args, rules)
    if wants_data(args):
        asked: dict[str, object] = {"hand": list(hand.cards), "dealer": dealer.cards[0], "out": list(out.cards)}
        asked |= {"suits_assumed": hand.assumed or dealer.assumed}
        asked |= {"after_split": args.after_split, "doubled": args.doubled}
        answer = {"actions": rows, "best": found.values[0].action, "insurance": insurance}
        return show_data(args, "ev", {**about(rules, decks, args), **asked, **answer})
    print(headline(rules, decks))
    print("\n".join([_title(args, hand, dealer, len(out.cards)), "", *_lines(rows, insurance)]))
    return 0


def _cards(option: str, text: str, suits: str = MIXED) -> Typed:
    try:
        return hand_of(text, suits)
    except UnknownCardError as error:
        raise AnalysisError(f"{option}: {error}") from None


def _upcard(text: str) -> Typed:
    typed = _cards("--dealer", text, "h")
    if len(typed.cards) != 1:
        raise AnalysisError("--dealer needs exactly one card, the upcard, as in --dealer 7d or --dealer 10")
    return typed


def _answer(args: Namespace, rules: Rulebook, hand: Cards, dealer: Card, out: Cards) -> _Answer:
    """From the table of this upcard, which is cached; other cards seen or a split need the solver."""
    insured = len(hand) == 2 and dealer[0] == ACE and not (args.after_split or args.doubled)
    if out or args.after_split:
        solver = solver_of(args, rules)
        solver = solver.with_shoe(solver.shoe.without(out))
        values = solver.action_values(hand, dealer, after_split=args.after_split, doubled=args.doubled)
        return _Answer(values, _insured(solver, hand) if insured else None)

    def fill() -> DecisionTable:
        return decision_table_of(solver_of(args, rules), dealer[0])

    made = (rules, decks_of(args, rules), cents(args.stake))
    table = cached_value(f"against-{dealer[0]}.json", made, DecisionTable, fill)
    values = decisions(table, hand, dealer, doubled=args.doubled)
    return _Answer(values, (insurance_value(table, hand), table.insurance_most) if insured else None)


def _insured(solver: Solver, hand: Cards) -> tuple[float, float]:
    from pontoon.analysis.hands import ACE as ACE_VALUE
    from pontoon.analysis.hands import value_of

    low, high = sorted(value_of(card) for card in hand)
    return float(solver.insurance(ACE_VALUE, (low, high))), float(solver.game.insurance_most)


def _title(args: Namespace, hand: Typed, dealer: Typed, others: int) -> str:
    kind = " of a split" * args.after_split + ", doubled" * args.doubled
    seen = f", {others} other card{'s' * (others != 1)} removed" if others else ""
    assumed = " (suits not given: mixed)" if hand.assumed and {card[0] for card in hand.cards} <= set("678") else ""
    where = f"{' '.join(hand.cards)}{kind} against {dealer.cards[0]}{assumed}"
    return f"{where}{seen}, first wager ${args.stake}"


def _action(rules: Rulebook, one: ActionValue, best: float, args: Namespace) -> dict[str, object]:
    clauses = decision_clauses(rules, one.action, after_split=args.after_split)
    return {"action": one.action, "value": one.value, "cost": best - one.value, "clauses": list(clauses)}


def _insurance(rules: Rulebook, adds: float, most: float) -> dict[str, object]:
    """The value of a unit of insurance, and what maximum insurance adds per unit of the wager."""
    return {
        "value": adds / most,
        "adds": adds,
        "take": adds > 0,
        "clauses": list(dict.fromkeys((*rules.cites.insurance_offered, *rules.cites.insurance_made))),
    }


def _lines(rows: list[dict[str, object]], insurance: dict[str, object] | None) -> list[str]:
    table = [("decision", "value", "costs", "allowed by")]
    for row in rows:
        cost = "best" if row is rows[0] else f"{row['cost']:.4f}"
        clauses = row["clauses"]
        assert isinstance(clauses, list)
        table.append((str(row["action"]), f"{row['value']:+.6f}", cost, " ".join(clauses)))
    lines = columns(table, right={1, 2})
    if insurance is not None:
        clauses = insurance["clauses"]
        assert isinstance(clauses, list)
        advice = "TAKE IT: it favours the player" if insurance["take"] else "do not take it"
        lines += ["", f"insurance  {insurance['value']:+.6f} per unit insured: {advice}  [{' '.join(clauses)}]"]
    return lines
