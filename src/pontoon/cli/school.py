"""`pontoon school`: exercises for dealers and supervisors at the terminal, graded with the clause."""

from __future__ import annotations

import secrets
import sys
import time
from argparse import Namespace
from collections.abc import Iterator

import msgspec

from pontoon.cli.common.parser import Commands, Parser, fail, rulebook_name
from pontoon.cli.common.tables import print_json
from pontoon.money import cents
from pontoon.school import KINDS, Exercise, LevelAnswer, Standing, exercise_steps, grade, standing

LEVELS = (1, 2, 3)


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "school",
        help="exercises for dealers and supervisors, graded with the clause",
        description="Payouts, procedure, a planted error, rulings, and the documents: exercises made by the engine.",
        epilog="Examples:\n  pontoon school payouts canberra\n  pontoon school rulings adelaide --count 5\n"
        "  pontoon school procedure canberra --count 1\n  pontoon school spot star --level 3 --seed 7 --json\n\n"
        "Answer with an amount such as 37.50, or with the number of a choice; an empty line ends the lesson.",
    )
    command.add_argument("kind", metavar="KIND", choices=KINDS, help=", ".join(KINDS))
    command.add_argument("rulebook", metavar="RULEBOOK", type=rulebook_name, help="the rules you deal by")
    command.add_argument("--level", type=int, choices=LEVELS, help="1 to 3; without it the level rises with you")
    command.add_argument("--count", type=int, default=10, help="how many exercises or rounds (default 10)")
    command.add_argument("--seed", type=int, default=None, help="the first exercise, to practise the same ones again")
    command.add_argument("--json", action="store_true", help="print the exercises with their answers and stop")
    command.set_defaults(run=_school)


def _school(args: Namespace) -> int:
    if args.count < 1:
        return fail("--count is 1 or more")
    first = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    seeds = range(first, first + args.count)
    if args.json:
        made = (
            exercise for seed in seeds for exercise in exercise_steps(args.kind, args.rulebook, args.level or 1, seed)
        )
        print_json("school", [msgspec.to_builtins(exercise) for exercise in made])
        return 0
    answers = list(_lesson(args, seeds))
    right = sum(answer.right for answer in answers)
    print(f"{right} of {len(answers)} right" if answers else "No exercise was answered")
    return 0


def _lesson(args: Namespace, seeds: range) -> Iterator[LevelAnswer]:
    """Ask exercise by exercise; without a fixed level it rises after right answers in a row."""
    answers: list[LevelAnswer] = []
    reached = standing(args.kind, ())
    if not args.level:
        print(_level_words(reached))
    for seed in seeds:
        named: list[str] = []
        steps = exercise_steps(args.kind, args.rulebook, args.level or reached.level, seed)
        for exercise in steps:
            answer = _ask(exercise, named)
            if answer is None:
                return
            answers.append(answer)
            yield answer
        if len(steps) > 1:
            print(_summary(named, len(steps)))
        before, reached = reached, standing(args.kind, answers)
        if not args.level and reached.level > before.level:
            print(f"\nWell done. {_level_words(reached)}")


def _level_words(now: Standing) -> str:
    """The level, and what leads to the next exercise."""
    if not now.streak:
        return f"Level {now.level}, the highest."
    pace = " in good time" if now.in_time else ""
    return f"Level {now.level}. Level {now.level + 1} comes after {now.streak} right answers in a row{pace}."


def _summary(named: list[str], steps: int) -> str:
    """Each wrong or late step of an exercise by name."""
    faults = "\n".join(f"  {fault}" for fault in named)
    return f"\nEnd of the exercise: {steps} steps, " + (f"of which\n{faults}" if named else "all correct and in time.")


def _ask(exercise: Exercise, named: list[str]) -> LevelAnswer | None:
    """Ask one question and note if it was answered wrongly or late; None if the lesson ends."""
    place = f"{exercise.step + 1} of {exercise.steps}. " if exercise.steps > 1 else ""
    print(f"\n{place}{exercise.said + '. ' if exercise.said else ''}{exercise.question}")
    for hand in exercise.hands:
        print(f"  {hand.title}: {' '.join(hand.cards)}  {hand.words}".rstrip())
    for number, choice in enumerate(exercise.choices, 1):
        print(f"  {number}. {choice}")
    print("> ", end="", flush=True)
    began = time.monotonic()
    given = sys.stdin.readline().strip()
    if not given:
        print()
        return None
    graded = grade(exercise, _read(exercise, given))
    took = time.monotonic() - began
    late = f", {took:.0f} s where {exercise.seconds} s is good" if took > exercise.seconds else ""
    cited = f" [{', '.join(graded.clauses)}]" if graded.clauses else ""
    print(f"{'Right' if graded.right else 'Wrong'}{late}. {graded.why}{cited}")
    if late or not graded.right:
        named.append(f"step {exercise.step + 1}, {'late' if graded.right else 'wrong'}: {graded.answer}{cited}")
    return LevelAnswer(exercise.level, graded.right, bool(late))


def _read(exercise: Exercise, given: str) -> str:
    """An amount in cents, or the words of a choice."""
    if exercise.choices:
        number = int(given) if given.isascii() and given.isdigit() else 0
        return exercise.choices[number - 1] if 0 < number <= len(exercise.choices) else given
    try:
        return str(cents(given.removeprefix("$")))
    except ValueError:
        return given
