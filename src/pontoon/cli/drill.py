"""`pontoon drill`: situations to decide on, with the value of every choice and the reason for the best one."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from datetime import UTC, datetime
from random import SystemRandom

from msgspec import Struct

from pontoon.cli.common.analysis import MISSING
from pontoon.cli.common.parser import Commands, Parser, add_rulebook, add_settings, fail
from pontoon.cli.common.tables import print_json
from pontoon.rulebook import Rulebook, load
from pontoon.trainer.drills import DAILY, STAKE, TITLES, Drill, Wanted, daily, drills, question_of, words
from pontoon.trainer.position import read_position
from pontoon.trainer.values import Worth, solve
from pontoon.trainer.why import why, with_article
from pontoon.view.catalogue.formats import money

LETTERS = {"h": "hit", "s": "stand", "d": "double", "p": "split", "u": "surrender", "f": "forfeit", "k": "keep"}
MOST = 500
EVEN = 0.0005
"""First wagers: choices this close are equally good."""


class Answer(Struct, frozen=True):
    """A drill, what was chosen, and what it cost in cents."""

    position: str
    words: str
    chosen: str
    best: str
    cost: float


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "drill", help="practise decisions: what each is worth, and why", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    add_rulebook(command)
    add_settings(command)
    areas = tuple(TITLES)
    command.add_argument("--area", choices=areas, default="", help=f"only these hands: {', '.join(areas)}")
    command.add_argument("--hands", type=_hands, default=DAILY, metavar="N", help=f"how many hands ({DAILY})")
    command.add_argument("--daily", action="store_true", help="the twenty hands of today, the same for everybody")
    command.add_argument("--seed", type=int, metavar="N", help="the same seed gives the same hands")
    command.add_argument("--json", action="store_true", help="print the hands and the answers as JSON, asking nothing")
    command.set_defaults(run=_run)


_DESCRIPTION = """A hand against an upcard: type h, s, d, p (split), f (forfeit) or k (keep), and see what every choice
is worth on a $25 bet, why the best one is best, and at the end your mistakes with their cost. q stops."""

_EXAMPLES = """Examples:
  pontoon drill star
  pontoon drill canberra --daily
  pontoon drill adelaide --area doubled --hands 10
  pontoon drill star --seed 7 --hands 3 --json"""


def _hands(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST}")
    return int(text)


def _run(args: Namespace) -> int:
    rules = load(args.rulebook, dict(args.settings))
    try:
        found = _found(args, rules)
        if args.json:
            print_json("drill", [_data(rules, drill) for drill in found])
            return 0
        _review(_asked(rules, found))
    except ImportError:
        return fail(MISSING)
    return 0


def _found(args: Namespace, rules: Rulebook) -> tuple[Drill, ...]:
    if args.daily:
        return daily(rules, datetime.now(UTC).date())
    seed = args.seed if args.seed is not None else SystemRandom().randrange(2**32)
    return drills(rules, Wanted(args.area, seed=seed), args.hands)


def _values(rules: Rulebook, drill: Drill) -> tuple[tuple[Worth, ...], str]:
    question = question_of(rules, read_position(drill.position), drill.may)
    return solve(question).values, why(question)


def _asked(rules: Rulebook, found: tuple[Drill, ...]) -> list[Answer]:
    """Ask one hand after the other; the answers so far when the input ends."""
    answers: list[Answer] = []
    for number, drill in enumerate(found, 1):
        print(
            f"\n{number} of {len(found)}  {' '.join(drill.hand)}: {words(drill)}, against {with_article(drill.dealer)}"
        )
        chosen = _choice(drill)
        if not chosen:
            break
        answers.append(_judged(rules, drill, chosen))
    return answers


def _choice(drill: Drill) -> str:
    """The action typed; empty to stop."""
    letters = {letter: action for letter, action in LETTERS.items() if action in drill.may}
    asked = "  ".join(f"{letter} {action}" for letter, action in letters.items())
    while True:
        print(f"  {asked}  q stop > ", end="", flush=True)
        line = sys.stdin.readline()
        word = line.strip().lower()
        if not line or word in ("q", "quit"):
            print()
            return ""
        if word in drill.may or word in letters:
            return letters.get(word, word)
        print(f"  type one of {', '.join((*letters, *drill.may))}, or q")


def _judged(rules: Rulebook, drill: Drill, chosen: str) -> Answer:
    values, reason = _values(rules, drill)
    best = values[0]
    mine = next((value for value in values if value.action == chosen), best)
    cost = 0.0 if best.value - mine.value < EVEN else (best.value - mine.value) * STAKE
    verdict = "Right." if not cost else f"{best.action.capitalize()} was better: {money(round(cost))} each time."
    print(f"  {verdict} {reason}")
    for value in values:
        print(f"    {value.action:<10} {value.value * STAKE / 100:+8.2f}{'  <' if value.action == chosen else ''}")
    return Answer(drill.position, words(drill), chosen, best.action, cost)


def _review(answers: list[Answer]) -> None:
    if not answers:
        return
    mistakes = sorted((answer for answer in answers if answer.cost), key=lambda answer: -answer.cost)
    right = len(answers) - len(mistakes)
    total = sum(mistake.cost for mistake in mistakes)
    hundred = money(round(total / len(answers) * 100))
    print(f"{right} of {len(answers)} right. Mistakes cost {money(round(total))}, {hundred} in 100 hands.")
    for mistake in mistakes:
        print(f"  {money(round(mistake.cost)):>8}  {mistake.position}: {mistake.chosen}, better {mistake.best}")


def _data(rules: Rulebook, drill: Drill) -> dict[str, object]:
    values, reason = _values(rules, drill)
    return {
        "position": drill.position,
        "area": drill.area,
        "square": drill.cell,
        "may": list(drill.may),
        "values": {value.action: value.value for value in values},
        "best": values[0].action if values else "",
        "why": reason,
    }
