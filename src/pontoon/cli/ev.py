"""`pontoon ev`: the value of every lawful decision on a hand, and the clause that allows it."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import TYPE_CHECKING

from pontoon.cards import Card, UnknownCardError, read_card
from pontoon.cards.card import ACE
from pontoon.cli.analysis_common import AnalysisError, about, add_common, decks_of, rules_of, solver_of
from pontoon.cli.parser import Commands, Parser, fail
from pontoon.rulebook import Rulebook
from pontoon.view.clauses import decision_clauses
from pontoon.view.settlement import columns, headline

if TYPE_CHECKING:
    from pontoon.analysis import Solver
    from pontoon.analysis.decision_values import ActionValue

Cards = tuple[Card, ...]


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "ev", help="what each decision on a hand is worth", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_common(command)
    command.add_argument("--hand", required=True, metavar="CARDS", help='the hand in the order of its cards, "7s 7h"')
    command.add_argument("--dealer", required=True, metavar="CARD", help="the dealer's upcard, 7d")
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
  pontoon ev star --hand "8s 8h" --dealer Kd
  pontoon ev canberra --hand "7s 7s" --dealer 7d --packs 4 --stake 25
  pontoon ev federal --hand "As 3c" --dealer 6h --after-split
  pontoon ev division-15 --hand "6s 5c 2h" --dealer 9h --doubled
  pontoon ev star --hand "9c 6d" --dealer Ah --out "2c 3d 5h 6s 4c" --json"""


def _run(args: Namespace) -> int:
    try:
        hand, dealer, out = _cards("--hand", args.hand), _first_card(args.dealer), _cards("--out", args.out)
        rules = rules_of(args)
        return _answer(args, rules, solver_of(args, rules), hand, dealer, out)
    except AnalysisError as error:
        return fail(str(error))


def _cards(option: str, text: str) -> Cards:
    try:
        return tuple(read_card(one) for one in text.replace(",", " ").split())
    except UnknownCardError as error:
        raise AnalysisError(f"{option}: {error}") from None


def _first_card(text: str) -> Card:
    cards = _cards("--dealer", text)
    if len(cards) != 1:
        raise AnalysisError("--dealer needs exactly one card, the upcard, as in --dealer 7d")
    return cards[0]


def _answer(args: Namespace, rules: Rulebook, solver: Solver, hand: Cards, dealer: Card, out: Cards) -> int:
    from pontoon.analysis import ShoeError
    from pontoon.analysis.decision_values import HandError

    try:
        if out:
            solver = solver.with_shoe(solver.shoe.without(out))
        values = solver.action_values(hand, dealer, after_split=args.after_split, doubled=args.doubled)
    except (HandError, ShoeError) as error:
        raise AnalysisError(str(error)) from None
    rows = [_action(rules, one, values[0].value, args) for one in values]
    first_two = len(hand) == 2 and dealer[0] == ACE and not (args.after_split or args.doubled)
    insurance = _insurance(rules, solver, hand) if first_two else None
    decks = decks_of(args, rules)
    if args.json:
        asked = {"hand": list(hand), "dealer": dealer, "out": list(out)}
        asked |= {"after_split": args.after_split, "doubled": args.doubled}
        found = {"actions": rows, "best": values[0].action, "insurance": insurance}
        print(json.dumps({**about(rules, decks, args), **asked, **found}, indent=2))
        return 0
    kind = " of a split" * args.after_split + ", doubled" * args.doubled
    seen = f", {len(out)} other cards removed" if out else ""
    print(headline(rules, decks))
    print(f"{' '.join(hand)}{kind} against {dealer}{seen}, first wager ${args.stake}\n")
    print("\n".join(_lines(rows, insurance)))
    return 0


def _action(rules: Rulebook, one: ActionValue, best: float, args: Namespace) -> dict[str, object]:
    clauses = decision_clauses(rules, one.action, after_split=args.after_split)
    return {"action": one.action, "value": one.value, "cost": best - one.value, "clauses": list(clauses)}


def _insurance(rules: Rulebook, solver: Solver, hand: Cards) -> dict[str, object]:
    """The value of a unit of insurance, and what maximum insurance adds per unit of the wager."""
    from pontoon.analysis.hands import ACE as ACE_VALUE
    from pontoon.analysis.hands import value_of

    low, high = sorted(value_of(card) for card in hand)
    adds = float(solver.insurance(ACE_VALUE, (low, high)))
    return {
        "value": adds / float(solver.game.insurance_most),
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
