"""The school: exercises, their grading, a record for each person, and the class for a trainer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Depends, Response
from fastapi import Query as Asked
from msgspec import Meta, Struct

from pontoon.rulebook import NAMES
from pontoon.school import KINDS, Exercise, Graded, LevelAnswer, Standing, exercise, grade, standing
from pontoon.server.api.dependencies import Caller, HouseHere, Signed, answer, body_of, in_role
from pontoon.server.api.describe import route
from pontoon.server.house import House
from pontoon.server.records.history import REPLAYING
from pontoon.server.rooms.permits import Role
from pontoon.store.model import Append, Appended, Draft

router = APIRouter(prefix="/api")

STREAM = "school/"
TRAINERS: tuple[Role, ...] = ("game_supervisor", "casino_supervisor", "inspector", "administrator")
MOST = 1000
"""Maximum number of one person's answers that are considered."""
TRIES = 5
Kind = Literal["payouts", "procedure", "spot", "rulings", "document"]
assert set(KINDS) == {"payouts", "procedure", "spot", "rulings", "document"}
Level = Annotated[int, Meta(ge=1, le=3)]
Seed = Annotated[int, Meta(ge=0, le=2**31)]


class Question(Struct, frozen=True):
    """An exercise without its answer."""

    kind: str
    rulebook: str
    level: int
    seed: int
    question: str
    hands: tuple[dict[str, object], ...]
    choices: tuple[str, ...]
    seconds: int
    step: int
    """Which question of the exercise, from 0."""
    steps: int
    said: str
    """What has just happened at the table."""
    stake: int


class GivenAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to an exercise, with the milliseconds it took."""

    kind: Kind
    rulebook: Annotated[str, Meta(max_length=32)]
    level: Level
    seed: Seed
    answer: Annotated[str, Meta(max_length=400)]
    took: Annotated[int, Meta(ge=0, le=3_600_000)] = 0
    step: Annotated[int, Meta(ge=0, le=200)] = 0


class Answered(Struct, frozen=True):
    """One answer in someone's record."""

    kind: str
    rulebook: str
    level: int
    seed: int
    right: bool
    took: int
    clauses: tuple[str, ...]
    late: bool = False
    """Whether it took longer than a good dealer takes."""


class Topic(Struct, frozen=True):
    """The share of right answers in one kind of exercise, or for one clause."""

    name: str
    right: int
    done: int


class SchoolRecord(Struct, frozen=True):
    """The record of one person."""

    person: str
    done: int
    right: int
    streak: int
    best: int
    seconds: float
    """The average time for a payout."""
    kinds: tuple[Topic, ...]
    weak: tuple[Topic, ...]
    """Clauses with most mistakes, each after its rulebook: "canberra 14.1(a)"."""
    levels: tuple[Standing, ...]
    """The level reached in each kind of exercise, and what leads to the next one."""


class SchoolClass(Struct, frozen=True):
    """Everyone's record, for a trainer."""

    people: tuple[SchoolRecord, ...]


Trainer = Annotated[Caller, Depends(in_role(*TRAINERS))]


@router.get("/school/exercise", **route(gives=Question, signed="must", no=(429,)))
async def ask_exercise(
    _: Signed,
    kind: Kind = "payouts",
    rulebook: Annotated[Literal["division-15", "star", "adelaide", "canberra", "federal"], Asked()] = "canberra",
    level: Annotated[int, Asked(ge=1, le=3)] = 1,
    seed: Annotated[int, Asked(ge=0, le=2**31)] = 0,
    step: Annotated[int, Asked(ge=0, le=200, description="which question of the exercise")] = 0,
) -> Response:
    """A question of an exercise; the same seed gives the same one."""
    one = await REPLAYING.do(lambda: exercise(kind, rulebook, level, seed, step))
    return answer(_question(one))


def _question(one: Exercise) -> Question:
    hands = tuple(msgspec.to_builtins(one.hands))
    return Question(
        one.kind,
        one.rulebook,
        one.level,
        one.seed,
        one.question,
        hands,
        one.choices,
        one.seconds,
        one.step,
        one.steps,
        one.said,
        one.stake,
    )


@router.post("/school/answers", **route(takes=GivenAnswer, gives=Graded, signed="must", no=(429,)))
async def answer_exercise(
    house: HouseHere, caller: Signed, given: Annotated[GivenAnswer, body_of(GivenAnswer)]
) -> Response:
    """Grade an answer and put it on the record."""
    book = given.rulebook if given.rulebook in NAMES else "canberra"
    one = await REPLAYING.do(lambda: exercise(given.kind, book, given.level, given.seed, given.step))
    reply = grade(one, given.answer)
    late = given.took > one.seconds * 1000
    answered = Answered(one.kind, one.rulebook, one.level, one.seed, reply.right, given.took, reply.clauses, late)
    await _keep(house, caller.account.name, answered)
    return answer(reply)


async def _keep(house: House, person: str, answered: Answered) -> None:
    """One entry in the person's stream; another process may write to it at the same time."""
    stream = f"{STREAM}{person}"
    for _ in range(TRIES):
        head = await house.read(lambda: house.store.head(stream))
        draft = Draft(person, msgspec.json.encode(answered))
        outcome = await house.writer.append(Append(stream, head.version, house.clock.wall(), (draft,)))
        if isinstance(outcome, Appended):
            return


@router.get("/school/record", **route(gives=SchoolRecord, signed="must"))
async def my_record(house: HouseHere, caller: Signed) -> Response:
    """Your own record."""
    return answer(await house.read(lambda: _record(house, caller.account.name)))


@router.get("/school/class", **route(gives=SchoolClass, signed="must", no=(403,)))
async def school_class(house: HouseHere, _: Trainer) -> Response:
    """Everyone's record, weakest clauses first."""

    def read() -> tuple[SchoolRecord, ...]:
        heads = house.store.heads(STREAM)
        return tuple(_record(house, head.stream.removeprefix(STREAM)) for head in heads)

    return answer(SchoolClass(await house.read(read)))


def _record(house: House, person: str) -> SchoolRecord:
    stream = f"{STREAM}{person}"
    after = max(0, house.store.head(stream).version - MOST)
    entries = house.store.read(stream, after, MOST)
    return record_of(person, [msgspec.json.decode(entry.body, type=Answered) for entry in entries])


def record_of(person: str, answers: list[Answered]) -> SchoolRecord:
    """The record that these answers make, oldest first."""
    streak = best = 0
    for one in answers:
        streak = streak + 1 if one.right else 0
        best = max(best, streak)
    payouts = [one.took for one in answers if one.kind == "payouts" and one.took]
    clauses = _topics((f"{one.rulebook} {clause}", one.right) for one in answers for clause in one.clauses[:1])
    weak = sorted(
        (clause for clause in clauses if clause.right < clause.done), key=lambda clause: clause.right / clause.done
    )
    return SchoolRecord(
        person,
        len(answers),
        sum(one.right for one in answers),
        streak,
        best,
        round(sum(payouts) / len(payouts) / 1000, 1) if payouts else 0.0,
        tuple(_topics((one.kind, one.right) for one in answers)),
        tuple(weak[:5]),
        tuple(_level(kind, answers) for kind in KINDS),
    )


def _level(kind: str, answers: list[Answered]) -> Standing:
    return standing(kind, (LevelAnswer(one.level, one.right, one.late) for one in answers if one.kind == kind))


def _topics(rows: Iterable[tuple[str, bool]]) -> list[Topic]:
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, right in rows:
        sums[name][0] += right
        sums[name][1] += 1
    return [Topic(name, right, done) for name, (right, done) in sums.items()]
