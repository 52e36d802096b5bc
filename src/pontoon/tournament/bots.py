r"""The bots of a tournament, as a file of the director's: how they play hands, how they wager, who turns up.

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
"""The plain chart of table/bots.py; every other name is a strategy file."""
HIT_BELOW, HIT_SOFT_BELOW = 17, 18
"""Where a bot that lacks the chips for a double or a split draws."""

Part = Annotated[Fraction, "a part of the whole, written as in 5% or 1/20"]


class BotsError(ValueError):
    """The file of the bots cannot be used; one line for a person."""


class Bot(Struct, frozen=True, forbid_unknown_fields=True):
    """One manner of playing, and how many of the field have it."""

    wagers: Literal["minimum", "share", "chase", "random"] = "minimum"
    """The least wager; a steady share of the chips; that, and near the end whatever it takes to catch the leader;
    anything."""
    share: Annotated[int, Meta(ge=0)] = 1
    """So many parts of the field."""
    part: Part = Fraction(1, 20)
    """Of the chips, for a steady share."""
    last: Annotated[int, Meta(ge=0)] = 5
    """Chase in so many last rounds of a session."""
    plays: str = PLAIN
    """`chart`, or the name of a strategy file beside this one."""


class Field(Struct, frozen=True, forbid_unknown_fields=True):
    """Everybody who comes."""

    bots: Annotated[tuple[Bot, ...], Meta(min_length=1)] = (Bot(),)
    entries: Annotated[int, Meta(ge=0)] = 0
    """How many ask to be admitted; 0: as many as the conditions admit, and all the reserves."""
    groups: Annotated[int, Meta(ge=0)] = 0
    """They come in groups of so many; 0: each alone."""
    no_shows: Part = Fraction(0)
    """The part of those balloted who are not there when a session starts."""
    buy_backs: Part = Fraction(0)
    """The part of those eliminated who buy back where they may."""
    seconds: Annotated[int, Meta(ge=1)] = 5
    """How long a bot takes for a wager or a decision, though never longer than the pace allows."""
    dealing: Annotated[int, Meta(ge=1)] = 20
    """How long the dealer takes for a round, all wagers and decisions apart."""


def read_bots(content: bytes, file: str = "bots") -> Field:
    """Read the file; what is wrong is said in one line that names it."""
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
        raise BotsError(f"{file}: every share is 0; at least one kind of bot has to come")
    return field


def _fraction(kind: type, value: object) -> object:
    """A part, from "5%" or "1/20"."""
    assert kind is Fraction, kind
    try:
        text = str(value)
        part = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        part = Fraction(-1)
    if not isinstance(value, str) or not 0 <= part <= 1:
        raise ValueError(f'{quoted(value)} is no part of a whole; write it as in "5%" or "1/20"')
    return part


def _in_words(error: msgspec.ValidationError) -> str:
    """The place first, as in `bots[0].part: …`."""
    words, _, place = str(error).partition(" - at `$")
    return f"{place.rstrip('`').lstrip('.') or 'the file'}: {words}"


# --- wagers --------------------------------------------------------------------------------------------


class Moment(Struct, frozen=True):
    """What a bot looks at before it wagers."""

    chips: int
    best: int
    """The most anybody else at the table has, what lies on a box included."""
    left: int
    """Rounds to come, this one included, as far as that can be told."""
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
    """What a bot wagers: in whole minimums, or everything; never above the maximum, always even cents."""
    wanted = MANNERS[bot.wagers](bot, moment, chance)
    most = min(moment.maximum, moment.chips)
    whole = max(wanted // moment.minimum, 1) * moment.minimum
    return min(whole, most) // 2 * 2


# --- decisions -----------------------------------------------------------------------------------------


class Players:
    """The bots at the tables: which of them a player is, and what it decides."""

    def __init__(self, field: Field, seed: str, folder: Path = Path()) -> None:
        """Strategy files are looked for beside the file of the bots."""
        self.field = field
        self.seed = seed
        self._strategies = {bot.plays: _strategy(bot.plays, folder) for bot in field.bots}
        self._bots: dict[str, Bot] = {}

    def bot(self, player: str) -> Bot:
        """The manner of a player: drawn from the seed, by shares."""
        if player not in self._bots:
            shares = [bot.share for bot in self.field.bots]
            self._bots[player] = self.chance("manner", player).choices(self.field.bots, shares)[0]
        return self._bots[player]

    def chance(self, *about: object) -> Random:
        """A generator of its own for each question."""
        return Random(" ".join(map(str, (self.seed, *about))))  # noqa: S311 bots may be predictable

    def happens(self, part: Fraction, *about: object) -> bool:
        """Whether something happens that a part of the field does."""
        return bool(part) and self.chance(*about).random() < part

    def decide(self, state: Round, may: Callable[[Command], bool]) -> Command | None:
        """What the players do now, each by its own strategy; `may` says whether the chips are there."""
        if state.phase in ("insurance", "surrender"):
            return next((one for one in self._offers(state) if may(one)), None)
        if state.phase not in ("decision", "forfeit"):
            return None
        strategy = self._strategies[self.bot(box_in_turn(state).controller).plays]
        command = chart_bot(state, Random(0)) if strategy is None else answer(state, strategy)  # noqa: S311 unused
        if isinstance(command, Double | Split) and not may(command):
            return _without_chips(state)
        return command

    def _offers(self, state: Round) -> Iterable[Command]:
        """Insurance and surrender, for those who want it and have not got it."""
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
    return any(one.owner_box == box.number for one in state.insurance)


def _without_chips(state: Round) -> Command:
    """Draw or stand by the total, for want of the chips to double or split."""
    box, hand = box_in_turn(state), hand_in_turn(state)
    draw = hand.total < (HIT_SOFT_BELOW if hand.soft else HIT_BELOW) or refusal(state, Stand(box.number)) is not None
    return Hit(box.number) if draw else Stand(box.number)


def _strategy(name: str, folder: Path) -> Strategy | None:
    """The strategy of a file; None for the plain chart."""
    if name == PLAIN:
        return None
    try:
        return find(folder / name)
    except StrategyError as error:
        raise BotsError(str(error)) from None
