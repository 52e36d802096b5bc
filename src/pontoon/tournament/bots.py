r"""The bots of a tournament, defined in a file: how they play, how they wager, who turns up.

>>> field = read_bots(b'[[bots]]\nwagers = "chase"\npart = "5%"\nlast = 3')
>>> field.bots[0].part, field.bots[0].plays
(Fraction(1, 20), 'chart')
>>> moment = Moment(chips=20_000, best=50_000, left=2, minimum=1_000, maximum=40_000)
>>> wager_of(field.bots[0], moment, Random(1))
20000
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from pontoon.engine import Box, Command, Double, Hit, Insure, Round, Split, Stand, Surrender, refusal
from pontoon.engine.insurance import cap
from pontoon.engine.state import box_in_turn, hand_in_turn
from pontoon.quoting import quoted
from pontoon.strategy import Situation, Strategy, StrategyError, answer, find
from pontoon.table.bots import chart_bot

PLAIN = "chart"
"""The plain chart of table/bots.py; any other name is a strategy file."""
HIT_BELOW, HIT_SOFT_BELOW = 17, 18
"""Totals on which a bot without chips for a double or a split draws."""

Part = Annotated[Fraction, "a fraction, written as 5% or 1/20"]


class BotsError(ValueError):
    """The bots file cannot be used; the message is one line for the user."""


class Bot(Struct, frozen=True, forbid_unknown_fields=True):
    """One playing style, and its share of the field."""

    wagers: Literal["minimum", "share", "chase", "random"] = "minimum"
    """The minimum; a constant share of the chips; the same, but near the end enough to catch the leader; random."""
    share: Annotated[int, Meta(ge=0)] = 1
    """Relative share of the field."""
    part: Part = Fraction(1, 20)
    """Fraction of the chips, for `share`."""
    last: Annotated[int, Meta(ge=0)] = 5
    """Number of final rounds of a session in which to chase."""
    plays: str = PLAIN
    """`chart`, or the name of a strategy file in the same folder."""


class Field(Struct, frozen=True, forbid_unknown_fields=True):
    """The field of bots."""

    bots: Annotated[tuple[Bot, ...], Meta(min_length=1)] = (Bot(),)
    entries: Annotated[int, Meta(ge=0)] = 0
    """Number of applicants; 0: as many as the conditions admit, and all reserves."""
    groups: Annotated[int, Meta(ge=0)] = 0
    """Size of the groups they arrive in; 0: no groups."""
    no_shows: Part = Fraction(0)
    """Fraction of balloted players who are absent when a session starts."""
    buy_backs: Part = Fraction(0)
    """Fraction of eliminated players who buy back if allowed."""
    seconds: Annotated[int, Meta(ge=1)] = 5
    """Seconds a bot takes for a wager or a decision, at most the permitted pace."""
    dealing: Annotated[int, Meta(ge=1)] = 20
    """Seconds the dealer takes for a round, excluding wagers and decisions."""


def read_bots(content: bytes, file: str = "bots") -> Field:
    """Read the bots file; errors are one line that names it."""
    try:
        data = tomllib.loads(content.decode())
        field = msgspec.convert(data, Field, dec_hook=_fraction)
    except UnicodeDecodeError:
        raise BotsError(f"{file}: this is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise BotsError(f"{file}: {error}") from None
    except msgspec.ValidationError as error:
        raise BotsError(f"{file}: {_in_words(error)}") from None
    if not any(bot.share for bot in field.bots):
        raise BotsError(f"{file}: every share is 0; give at least one kind of bot a share")
    return field


def _fraction(kind: type, value: object) -> object:
    """A fraction, from "5%" or "1/20"."""
    assert kind is Fraction, kind
    try:
        text = str(value)
        part = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        part = Fraction(-1)
    if not isinstance(value, str) or not 0 <= part <= 1:
        raise ValueError(f'{quoted(value)} is not a fraction; write it as in "5%" or "1/20"')
    return part


def _in_words(error: msgspec.ValidationError) -> str:
    """The error with its path first, as in `bots[0].part: …`."""
    words, _, place = str(error).partition(" - at `$")
    return f"{place.rstrip('`').lstrip('.') or 'the file'}: {words}"


# --- wagers --------------------------------------------------------------------------------------------


class Moment(Struct, frozen=True):
    """What a bot considers before it wagers."""

    chips: int
    best: int
    """The largest stack of any other player at the table, including chips on a box."""
    left: int
    """Estimated number of rounds left, including this one."""
    minimum: int
    maximum: int


def _share(bot: Bot, moment: Moment, _: Random) -> int:
    return int(moment.chips * bot.part)


def _chase(bot: Bot, moment: Moment, chance: Random) -> int:
    behind = moment.best - moment.chips
    if moment.left > bot.last:
        return _share(bot, moment, chance)
    return behind + moment.minimum if behind >= 0 else moment.minimum


MANNERS: dict[str, Callable[[Bot, Moment, Random], int]] = {
    "minimum": lambda _, moment, __: moment.minimum,
    "share": _share,
    "chase": _chase,
    "random": lambda _, moment, chance: chance.randint(moment.minimum, min(moment.maximum, moment.chips)),
}


def wager_of(bot: Bot, moment: Moment, chance: Random) -> int:
    """A bot's wager: a multiple of the minimum, or all its chips; never above the maximum, always even cents."""
    wanted = MANNERS[bot.wagers](bot, moment, chance)
    most = min(moment.maximum, moment.chips)
    whole = max(wanted // moment.minimum, 1) * moment.minimum
    return min(whole, most) // 2 * 2


# --- decisions -----------------------------------------------------------------------------------------


class Players:
    """The bots at the tables: each player's style and decisions."""

    def __init__(self, field: Field, seed: str, folder: Path = Path()) -> None:
        """Strategy files are looked up in the folder of the bots file."""
        self.field = field
        self.seed = seed
        self._strategies = {bot.plays: _strategy(bot.plays, folder) for bot in field.bots}
        self._bots: dict[str, Bot] = {}

    def bot(self, player: str) -> Bot:
        """The style of a player, drawn from the seed according to the shares."""
        if player not in self._bots:
            shares = [bot.share for bot in self.field.bots]
            self._bots[player] = self.chance("manner", player).choices(self.field.bots, shares)[0]
        return self._bots[player]

    def chance(self, *about: object) -> Random:
        """A separate random generator for each purpose."""
        return Random(" ".join(map(str, (self.seed, *about))))  # noqa: S311 bots may be predictable

    def happens(self, part: Fraction, *about: object) -> bool:
        """Whether a player does something that a fraction of the field does."""
        return bool(part) and self.chance(*about).random() < part

    def decide(self, state: Round, may: Callable[[Command], bool]) -> Command | None:
        """The players' next commands, each by its own strategy; `may` says whether they have the chips."""
        if state.phase in ("insurance", "surrender"):
            return next((offer for offer in self._offers(state) if may(offer)), None)
        if state.phase not in ("decision", "forfeit"):
            return None
        strategy = self._strategies[self.bot(box_in_turn(state).controller).plays]
        command = chart_bot(state, Random(0)) if strategy is None else answer(state, strategy)  # noqa: S311 unused
        if isinstance(command, Double | Split) and not may(command):
            return _without_chips(state)
        return command

    def _offers(self, state: Round) -> Iterable[Command]:
        """Commands for insurance and surrender, for bots that want them and have not asked yet."""
        for box in state.boxes:
            strategy = self._strategies[self.bot(box.controller).plays]
            if strategy is None:
                continue
            offer = Insure(box.number, box.controller, cap(state, box.bettors[0].stake))
            surrender = Surrender(box.number)
            if state.phase == "insurance" and refusal(state, offer) is None:
                if not _insured(state, box) and strategy.insures(box.hands[0].cards, state.dealer[0]):
                    yield offer
            elif state.phase == "surrender" and refusal(state, surrender) is None:
                situation = Situation(box.hands[0].cards, state.dealer[0], may=frozenset({"surrender", "keep"}))
                if strategy.choose(situation) == "surrender":
                    yield surrender


def _insured(state: Round, box: Box) -> bool:
    return any(wager.owner_box == box.number for wager in state.insurance)


def _without_chips(state: Round) -> Command:
    """Draw or stand by the total, without chips to double or split."""
    box, hand = box_in_turn(state), hand_in_turn(state)
    draw = hand.total < (HIT_SOFT_BELOW if hand.soft else HIT_BELOW) or refusal(state, Stand(box.number)) is not None
    return Hit(box.number) if draw else Stand(box.number)


def _strategy(name: str, folder: Path) -> Strategy | None:
    """The strategy in a file; None for the plain chart."""
    if name == PLAIN:
        return None
    try:
        return find(folder / name)
    except StrategyError as error:
        raise BotsError(str(error)) from None
