"""The settings of a table, stored with the rulebook itself in its first event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from pontoon.cards import Card, UnknownCardError, read_card
from pontoon.engine import Limits, Refusal
from pontoon.engine.state import SideLimits
from pontoon.rulebook import NAMES, Rulebook, RulebookError, load, override
from pontoon.server.problems import Problem, problem, refused
from pontoon.table import Table, refusal
from pontoon.table.commands import OfferSideBets, Open, SetLimits
from pontoon.table.limits import first_side_bets

Cents = Annotated[int, Meta(ge=0, le=10**12)]
OverrideValue = str | int | bool | Annotated[list[str | int], Meta(max_length=16)]
MOST_OVERRIDES = 64
"""Maximum number of overrides, the same as in the rules lab."""
Milliseconds = Annotated[int, Meta(ge=0, le=600_000)]
TimeOfDay = Annotated[str, Meta(pattern=r"^(([01][0-9]|2[0-3]):[0-5][0-9])?$")]
ONE_DOLLAR = 100
"""The minimum of a side bet if neither rulebook, sign nor smallest chip sets one."""
DAY = 24 * 3_600_000
"""Milliseconds."""


class Clocks(Struct, frozen=True, forbid_unknown_fields=True):
    """Dealing speed and time limits, in milliseconds."""

    card: Annotated[int, Meta(ge=0, le=10_000)] = 400
    """Time between cards; 0 deals immediately."""
    wagers: Milliseconds = 15_000
    """Time from the first wager to "no more bets"."""
    decision: Milliseconds = 30_000
    offer: Milliseconds = 10_000
    """Time for insurance, surrender, forfeit, the cut, and joining a double or a split."""


class HeatSettings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Settings of a tournament table."""

    tournament: Annotated[str, Meta(max_length=32)]
    session: Annotated[int, Meta(ge=1)]
    table: Annotated[int, Meta(ge=1)]
    name: Annotated[str, Meta(max_length=200)] = ""
    """Name of the session."""
    rounds: Annotated[int, Meta(ge=0)] = 0
    """Rounds in the session; 0 if it is measured in shoes or minutes."""
    absent: Literal["minimum", "eliminated"] = "minimum"
    """What happens to a player who makes no wager in time (20.14)."""
    extra: Annotated[int, Meta(ge=0)] = 0
    """Number of the set of extra rounds between tied players, whose chips are separate; 0 for none."""

    @property
    def purse(self) -> str:
        """The name of the chip accounts; extra rounds have separate ones."""
        return f"{self.tournament}.{self.session}.{self.extra}.{self.table}" if self.extra else self.tournament


class Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The settings of a new table."""

    rulebook: Annotated[str, Meta(max_length=32)]
    name: Annotated[str, Meta(max_length=60)] = ""
    overrides: Annotated[dict[str, OverrideValue], Meta(max_length=MOST_OVERRIDES)] = {}
    packs: Annotated[int, Meta(ge=0, le=8)] = 0
    """Number of packs; 0 for the rulebook's default."""
    minimum: Cents = 500
    maximum: Cents = 50_000
    """Maximum wager in cents; 0 for none."""
    smallest_chip: Cents = 50
    mode: Literal["automatic", "floor"] = "automatic"
    device: Literal["manual", "batch", "continuous", "shuffling_shoe"] = "manual"
    hold_late: bool = False
    boxes_each: Annotated[int, Meta(ge=0, le=7)] = 0
    box_maximum: Cents = 0
    side_bets: Annotated[tuple[str, ...], Meta(max_length=16)] | None = None
    """The side bets offered; by default all, or the first of those that exclude each other."""
    side_limits: Annotated[tuple[SideLimits, ...], Meta(max_length=16)] = ()
    """The limits of the side bets; missing ones are filled in when the table is created."""
    opens: TimeOfDay = ""
    closes: TimeOfDay = ""
    """Opening and closing time by the server's clock, as in `18:00` and `03:00`; empty for always open."""
    utc_offset: Annotated[int, Meta(ge=-840, le=840)] = 0
    """Offset of the opening hours from UTC in minutes."""
    cutting_cards: Annotated[int, Meta(ge=1, le=2)] = 1
    joker: bool = False
    sealed: bool = False
    face_down: bool = False
    clocks: Clocks = Clocks()
    private: bool = False
    """Not listed in the lobby; anyone with the link may join."""
    practice: bool = False
    """Whether this is a practice table, where the coach is available."""
    own_chips: bool = False
    """Whether the table uses practice chips; set when a practice table is created, but not by version 0.1.0."""
    first_cards: Annotated[str, Meta(max_length=400)] = ""
    """For lessons at a practice table: the first cards after every shuffle, for example "7s 9d 7s". Such a shoe is not
    provably fair, and the table says so."""
    bots_alone: bool = False
    """Whether bots play on while no person bets, as in a demonstration."""
    heat: HeatSettings | None = None
    """Set at tournament tables, which only the steward creates."""


def rules_of(settings: Settings, own: Mapping[str, Rulebook] | None = None) -> Rulebook | Problem:
    """The rules of a new table, from a shipped or custom rulebook, with the overrides."""
    own = own or {}
    if settings.rulebook not in (*NAMES, *own):  # never a path: clients cannot name files on the server
        return problem("malformed", detail=f"no rulebook {settings.rulebook!r}; available: {', '.join((*NAMES, *own))}")
    try:
        book = own.get(settings.rulebook) or load(settings.rulebook)
        return override(book, settings.overrides) if settings.overrides else book
    except RulebookError as error:
        return problem("malformed", detail=str(error))


def table_of(settings: Settings, rules: Rulebook) -> Table | Problem:
    """The table with these settings under these rules, or the problem with them."""
    if settings.maximum and settings.minimum > settings.maximum:
        return problem("malformed", detail="the minimum is above the maximum")
    wrong = _wrong_lesson(settings, settings.packs or rules.decks.default)
    if wrong:
        return problem("malformed", detail=wrong)
    table = Table(
        rules,
        settings.packs or rules.decks.default,
        Limits(settings.minimum, settings.maximum, settings.smallest_chip, settings.side_limits),
        mode=settings.mode,
        device=settings.device,
        hold_late=settings.hold_late,
        boxes_each=settings.boxes_each,
        box_maximum=settings.box_maximum,
        side_bets=settings.side_bets,
        cutting_cards=settings.cutting_cards,
        joker=settings.joker,
        sealed=settings.sealed,
        face_down=settings.face_down,
    )
    no: Refusal | None = refusal(table, Open())
    if no is None and settings.side_limits:
        no = refusal(table, SetLimits(table.limits, told=True, box_maximum=table.box_maximum))
    if no is None and settings.side_bets is not None:
        no = refusal(table, OfferSideBets(settings.side_bets))
    return refused(no) if no is not None else table


def completed(settings: Settings, rules: Rulebook) -> Settings:
    """The settings with kind of chips, side bets and their limits filled in; tournaments have their conditions instead.

    Tables created by version 0.1.0 have none of them and are not changed.
    """
    settings = replace(settings, own_chips=settings.practice)
    if settings.heat is not None or not rules.side:
        return settings
    bets = first_side_bets(rules) if settings.side_bets is None else settings.side_bets
    given = {limit.bet for limit in settings.side_limits}
    limits = (*settings.side_limits, *(_usual(settings, rules, name) for name in bets if name not in given))
    return replace(settings, side_bets=bets, side_limits=limits)


def _usual(settings: Settings, rules: Rulebook, name: str) -> SideLimits:
    """The usual limits of a side bet: from the smallest chip or a dollar up to the table's maximum."""
    bet = rules.side_bet(name)
    low, high = (bet.minimum, bet.maximum) if bet is not None else (0, 0)
    return SideLimits(name, low or settings.smallest_chip or ONE_DOLLAR, high or settings.maximum)


def gaming_open(settings: Settings, wall: int) -> tuple[bool, int]:
    """Whether gaming is open at this time (milliseconds since 1970), and in how many milliseconds that changes.

    >>> evening = Settings("canberra", opens="18:00", closes="03:00")
    >>> gaming_open(evening, 0), gaming_open(evening, 4 * 3_600_000)
    ((True, 10800000), (False, 50400000))
    """
    if not (settings.opens and settings.closes) or settings.opens == settings.closes:
        return True, 0
    now = (wall + settings.utc_offset * 60_000) % DAY
    ahead = {moment: (_of_day(moment) - now) % DAY or DAY for moment in (settings.opens, settings.closes)}
    is_open = ahead[settings.closes] < ahead[settings.opens]
    return is_open, ahead[settings.closes if is_open else settings.opens]


def _of_day(moment: str) -> int:
    """Milliseconds since midnight."""
    hours, minutes = moment.split(":")
    return (int(hours) * 60 + int(minutes)) * 60_000


def first_cards(settings: Settings) -> tuple[Card, ...]:
    """The first cards of a lesson table."""
    return tuple(read_card(text) for text in settings.first_cards.split())


def _wrong_lesson(settings: Settings, packs: int) -> str:
    """Why the first cards of a lesson are impossible; empty if they are possible."""
    if settings.first_cards and (not settings.practice or settings.mode == "floor"):
        return "first_cards are for practice tables dealt by the program"
    try:
        counted = Counter(first_cards(settings))
    except UnknownCardError as error:
        return f"first_cards: {error}"
    many = next((card for card, times in counted.items() if times > packs), "")
    return f"first_cards: {packs} packs do not have so many {many}" if many else ""
