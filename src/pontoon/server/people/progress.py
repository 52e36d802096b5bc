"""Progress of accounts: the drills they answered, judged by the server, in a stream of their own.

The log is append-only: deleting progress writes that everything before is deleted, and from then on nothing reads it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Struct

from pontoon.server.house import House
from pontoon.server.people.people import folded
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms.writer import WriterClosedError
from pontoon.store.model import Append, Appended, Draft, Entry

STREAM = "progress/"
TRIES = 20
MOST = 2000
"""Answers that are read; older ones no longer count."""
REPEATED = MOST // 2
"""Entries after which the choice to publish statistics is written again, so that the entries read always include it."""
DAY = 86_400_000
SPAN = 30 * DAY
"""The leaderboard counts the answers of this many milliseconds."""
FEWEST = 50
"""Answers in that time that a place on the leaderboard needs."""
PLACES = 50
HUNDRED = 100


class ProgressEvent(Struct, frozen=True, tag=True, omit_defaults=True):
    """Anything written in a person's stream."""


class DrillAnswered(ProgressEvent, frozen=True):
    """A drill was answered; `cost` is in cents for the stake of drills."""

    book: str
    area: str
    cell: str
    position: str
    chosen: str
    best: str
    cost: float


class ProgressDeleted(ProgressEvent, frozen=True):
    """Everything before is deleted."""


class ProfileShown(ProgressEvent, frozen=True):
    """The owner made the statistics public, or private again."""

    public: bool


_EVENTS = msgspec.json.Decoder(DrillAnswered | ProgressDeleted | ProfileShown)


class KeptAnswer(Struct, frozen=True):
    """A drill that was answered, and when."""

    at: int
    book: str
    area: str
    cell: str
    position: str
    chosen: str
    best: str
    cost: float


class Kept(Struct, frozen=True):
    """What is stored of a person."""

    answers: tuple[KeptAnswer, ...] = ()
    public: bool = False


class AreaFigures(Struct, frozen=True):
    """How well someone decides in one area."""

    area: str
    decisions: int
    right: int
    cost: float
    """Cents that mistakes cost in 100 decisions."""


class Place(Struct, frozen=True):
    """A place on the leaderboard."""

    name: str
    decisions: int
    right: int
    cost: float
    """Cents that mistakes cost in 100 decisions."""


# --- writing and reading -------------------------------------------------------------------------------


def stream_of(name: str) -> str:
    """The stream of a person."""
    return f"{STREAM}{folded(name)}"


async def write(house: House, name: str, event: ProgressEvent) -> Problem | None:
    """One entry in a person's stream; another process may write to it at the same time."""
    stream = stream_of(name)
    for _ in range(TRIES):
        version, again = await house.read(lambda: _before(house, stream))
        drafts = tuple(Draft(name, msgspec.json.encode(made)) for made in (*again, event))
        try:
            outcome = await house.writer.append(Append(stream, version, house.clock.wall(), drafts))
        except WriterClosedError:
            return problem("closing")
        if isinstance(outcome, Appended):
            _CHANGED.setdefault(house, set()).add(stream)
            return None
    return problem("not_here")


def _before(house: House, stream: str) -> tuple[int, tuple[ProgressEvent, ...]]:
    """The version of a stream, and what is to be written again before the next entry."""
    version = house.store.head(stream).version
    if not version or version % REPEATED:
        return version, ()
    version, kept = read_stream(house, stream)
    return version, (ProfileShown(public=True),) if kept.public else ()


async def kept_of(house: House, name: str) -> Kept:
    """What is stored of a person."""
    _, kept = await house.read(lambda: read_stream(house, stream_of(name)))
    return kept


def read_stream(house: House, stream: str) -> tuple[int, Kept]:
    """The version of a person's stream, and what it holds."""
    head = house.store.head(stream)
    return head.version, kept_in(house.store.read(stream, max(0, head.version - MOST), MOST))


_CHANGED: WeakKeyDictionary[House, set[str]] = WeakKeyDictionary()


def take_changed(house: House) -> set[str]:
    """The streams that this process has written since the last call."""
    return _CHANGED.pop(house, set())


def kept_in(entries: Iterable[Entry]) -> Kept:
    """The progress that these entries add up to."""
    answers: list[KeptAnswer] = []
    public = False
    for entry in entries:
        event: DrillAnswered | ProgressDeleted | ProfileShown = _EVENTS.decode(entry.body)
        match event:
            case DrillAnswered() as drill:
                answers.append(KeptAnswer(entry.at, **msgspec.structs.asdict(drill)))
            case ProgressDeleted():
                answers = []
                public = False
            case ProfileShown(public=shown):
                public = shown
    return Kept(tuple(answers), public)


# --- figures -------------------------------------------------------------------------------------------


def figures_of(area: str, answers: Sequence[KeptAnswer]) -> AreaFigures:
    """The figures of some answers."""
    right = sum(not answer.cost for answer in answers)
    cost = sum(answer.cost for answer in answers) * HUNDRED / len(answers) if answers else 0.0
    return AreaFigures(area, len(answers), right, cost)


def by_area(answers: Iterable[KeptAnswer]) -> tuple[AreaFigures, ...]:
    """The figures of each area, the costliest first."""
    rows: dict[str, list[KeptAnswer]] = defaultdict(list)
    for answer in answers:
        rows[answer.area].append(answer)
    found = (figures_of(area, held) for area, held in rows.items())
    return tuple(sorted(found, key=lambda one: -one.cost))
