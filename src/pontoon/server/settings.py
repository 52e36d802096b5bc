"""A table as it was made: everything chosen then, pinned with the rulebook itself in its first event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from pontoon.cards import Card, UnknownCardError, read_card
from pontoon.engine import Limits, Refusal
from pontoon.rulebook import NAMES, Rulebook, RulebookError, load, override
from pontoon.server.problems import Problem, problem, refused
from pontoon.table import Table, refusal
from pontoon.table.commands import Open

Cents = Annotated[int, Meta(ge=0, le=10**12)]
OverrideValue = str | int | bool | Annotated[list[str | int], Meta(max_length=16)]
MOST_OVERRIDES = 64
"""As many as the rules lab lets a person change."""
Milliseconds = Annotated[int, Meta(ge=0, le=600_000)]


class Clocks(Struct, frozen=True, forbid_unknown_fields=True):
    """How fast the program deals and how long it waits, in milliseconds."""

    card: Annotated[int, Meta(ge=0, le=10_000)] = 400
    """Between one card and the next; 0 deals at once."""
    wagers: Milliseconds = 15_000
    """From the first wager to "no more bets"."""
    decision: Milliseconds = 30_000
    offer: Milliseconds = 10_000
    """For insurance, surrender, forfeit, the cut, and joining a double or a split."""


class HeatSettings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a tournament: whose it is, and what rule 20 adds to it."""

    tournament: Annotated[str, Meta(max_length=32)]
    session: Annotated[int, Meta(ge=1)]
    table: Annotated[int, Meta(ge=1)]
    name: Annotated[str, Meta(max_length=200)] = ""
    """Of the session."""
    rounds: Annotated[int, Meta(ge=0)] = 0
    """How many the session lasts; 0 where it lasts shoes or minutes."""
    absent: Literal["minimum", "eliminated"] = "minimum"
    """What becomes of somebody who makes no wager in time (20.14)."""
    extra: Annotated[int, Meta(ge=0)] = 0
    """Which lot of extra rounds between equal players this is; 0 for none. Their chips count for nothing else."""

    @property
    def purse(self) -> str:
        """What the accounts of the chips are called by: those of extra rounds are not mixed with the others."""
        return f"{self.tournament}.{self.session}.{self.extra}.{self.table}" if self.extra else self.tournament


class Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is chosen when a table is made."""

    rulebook: Annotated[str, Meta(max_length=32)]
    name: Annotated[str, Meta(max_length=60)] = ""
    overrides: Annotated[dict[str, OverrideValue], Meta(max_length=MOST_OVERRIDES)] = {}
    packs: Annotated[int, Meta(ge=0, le=8)] = 0
    """0 is what the rulebook uses where nobody chooses."""
    minimum: Cents = 500
    maximum: Cents = 50_000
    """0 is no maximum."""
    smallest_chip: Cents = 50
    mode: Literal["automatic", "floor"] = "automatic"
    device: Literal["manual", "batch", "continuous", "shuffling_shoe"] = "manual"
    hold_late: bool = False
    boxes_each: Annotated[int, Meta(ge=0, le=7)] = 0
    box_maximum: Cents = 0
    cutting_cards: Annotated[int, Meta(ge=1, le=2)] = 1
    joker: bool = False
    sealed: bool = False
    face_down: bool = False
    clocks: Clocks = Clocks()
    private: bool = False
    """Not in the lobby: whoever has the link may come."""
    practice: bool = False
    """The coach may speak here."""
    first_cards: Annotated[str, Meta(max_length=400)] = ""
    """At a practice table for lessons: the cards that come first after every shuffle, as in "7s 9d 7s". Such a shoe
    proves nothing, and the table says so."""
    bots_alone: bool = False
    """Bots play on while no person bets, as for a demonstration."""
    heat: HeatSettings | None = None
    """For a table of a tournament; only the tournament's steward makes one."""


def rules_of(settings: Settings, own: Mapping[str, Rulebook] | None = None) -> Rulebook | Problem:
    """The rules for a new table by their name: one of the five, or of the server's own; with the overrides."""
    own = own or {}
    if settings.rulebook not in (*NAMES, *own):  # never a path: a client names no files of the server
        return problem("malformed", detail=f"no rulebook {settings.rulebook!r}; there are {', '.join((*NAMES, *own))}")
    try:
        book = own.get(settings.rulebook) or load(settings.rulebook)
        return override(book, settings.overrides) if settings.overrides else book
    except RulebookError as error:
        return problem("malformed", detail=str(error))


def table_of(settings: Settings, rules: Rulebook) -> Table | Problem:
    """The table these settings make under these rules, or why they make none."""
    if settings.maximum and settings.minimum > settings.maximum:
        return problem("malformed", detail="the minimum is above the maximum")
    wrong = _wrong_lesson(settings, settings.packs or rules.decks.default)
    if wrong:
        return problem("malformed", detail=wrong)
    table = Table(
        rules,
        settings.packs or rules.decks.default,
        Limits(settings.minimum, settings.maximum, settings.smallest_chip),
        mode=settings.mode,
        device=settings.device,
        hold_late=settings.hold_late,
        boxes_each=settings.boxes_each,
        box_maximum=settings.box_maximum,
        cutting_cards=settings.cutting_cards,
        joker=settings.joker,
        sealed=settings.sealed,
        face_down=settings.face_down,
    )
    no: Refusal | None = refusal(table, Open())
    return refused(no) if no is not None else table


def first_cards(settings: Settings) -> tuple[Card, ...]:
    """The cards of a lesson."""
    return tuple(read_card(text) for text in settings.first_cards.split())


def _wrong_lesson(settings: Settings, packs: int) -> str:
    """Why the cards of a lesson cannot be: empty where they can."""
    if settings.first_cards and (not settings.practice or settings.mode == "floor"):
        return "first_cards are for practice tables dealt by the program"
    try:
        counted = Counter(first_cards(settings))
    except UnknownCardError as error:
        return f"first_cards: {error}"
    many = next((card for card, times in counted.items() if times > packs), "")
    return f"first_cards: {many} is in {packs} packs only so often" if many else ""
