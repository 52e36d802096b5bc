"""What a simulation plays: the caller's settings, checked against the rulebook and joined with the compiled game."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from pontoon.money import MoneyError, cents
from pontoon.rulebook import Rulebook, canonical, digest
from pontoon.simulation.kernel import BY_ROUND, BY_STREAM, MOST_BOXES, STREAM_BITS, STREAM_ROUNDS
from pontoon.simulation.tables import Compiled

ROUNDS = 10_000_000
"""Rounds played by default."""
MAX_ROUNDS = (1 << 64 - int(STREAM_BITS)) * STREAM_ROUNDS
"""2.25e15: after this many rounds the generator has no unused streams left and would repeat itself."""
MAX_PENETRATION = 0.9
SEEDS = 1 << 64
MAX_NETS = 1 << 19
"""Number of different nets that can be counted; every thread holds one counter per net and upcard."""


class SimulationError(ValueError):
    """A simulation that cannot be run or continued; the message is one line for a person."""


class Settings(Struct, frozen=True, kw_only=True):
    """What to play. The counts depend only on these, the rulebook, the strategy and the stake."""

    packs: int = 0
    """Packs in the shoe; 0: the rulebook's default."""
    rounds: int = ROUNDS
    boxes: int = 1
    """Boxes in every round, all played by the same strategy."""
    penetration: float = 0.0
    """Depth of the cutting card as a fraction of the shoe; 0: a fresh shoe for every round."""
    seed: int = 1


class Plan(NamedTuple):
    """A compiled game and the checked settings: everything a machine needs to play any stream of the run."""

    compiled: Compiled
    packs: int
    boxes: int
    seed: int
    cut: int
    """The shoe is shuffled after the round in which this many cards have been dealt; 0: after every round."""
    burn: bool
    rounds: int
    rulebook: str
    """Name of the rulebook."""
    digest: str
    """Digest of the rulebook."""
    book: str
    """Its canonical text."""
    kernel: int = BY_STREAM
    """What random numbers belong to: rounds if one box is played from fresh shoes, streams otherwise."""


def check(rulebook: Rulebook, settings: Settings) -> None:
    """Raise TypeError or SimulationError, with one line, for settings that cannot be played."""
    if not isinstance(rulebook, Rulebook):
        raise TypeError(f"rulebook must be a Rulebook (see pontoon.load), not {type(rulebook).__name__}")
    for name in ("packs", "rounds", "boxes", "seed"):
        check_int(name, getattr(settings, name))
    if not isinstance(settings.penetration, int | float):
        raise TypeError(f"penetration must be a float, not {type(settings.penetration).__name__}")
    name, packs = rulebook.about.name, packs_of(rulebook, settings)
    if packs not in rulebook.decks.allowed:
        allowed = ", ".join(map(str, rulebook.decks.allowed))
        raise SimulationError(f"{name} is dealt from {allowed} packs, not {packs}")
    if not 1 <= settings.rounds <= MAX_ROUNDS:
        raise SimulationError(f"rounds must be 1 or more and at most {MAX_ROUNDS}, not {settings.rounds}")
    if not 0 <= settings.seed < SEEDS:
        raise SimulationError(f"a seed is a whole number from 0 to 2**64 - 1, not {settings.seed}")
    if not 1 <= settings.boxes <= min(rulebook.boxes.count, MOST_BOXES):
        raise SimulationError(f"{name} has boxes 1 to {rulebook.boxes.count}, not {settings.boxes}")
    if not 0 <= settings.penetration <= MAX_PENETRATION:
        raise SimulationError(f"penetration is between 0 and {MAX_PENETRATION}, not {settings.penetration}")


def check_int(name: str, value: object) -> None:
    """Raise TypeError if a setting is not an int."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")


def packs_of(rulebook: Rulebook, settings: Settings) -> int:
    """The number of packs in the shoe."""
    return settings.packs or rulebook.decks.default


def make_plan(compiled: Compiled, rulebook: Rulebook, settings: Settings) -> Plan:
    """Check the settings and join them with the game that was compiled from the same rulebook."""
    check(rulebook, settings)
    if compiled.numbers.nets > MAX_NETS:
        raise SimulationError(f"a stake of {compiled.stake} cents has too many different results; take a rounder one")
    packs = packs_of(rulebook, settings)
    cut = int(settings.penetration * len(compiled.classes.shoe(packs)))
    return Plan(
        compiled,
        packs,
        settings.boxes,
        settings.seed,
        cut,
        rulebook.shoe.burn_first and cut > 0,
        settings.rounds,
        rulebook.about.name,
        digest(rulebook),
        canonical(rulebook),
        BY_ROUND if settings.boxes == 1 and not cut else BY_STREAM,
    )


def stake_cents(stake: str) -> int:
    """A stake in dollars as cents; surrender must be able to halve it.

    >>> stake_cents("7.50")
    750
    """
    if not isinstance(stake, str):
        raise TypeError(f'stake must be dollars as a string, as in "10" or "7.50", not {type(stake).__name__}')
    try:
        amount = int(cents(stake))
    except MoneyError as error:
        raise SimulationError(f"stake {error}") from None
    if amount <= 0 or amount % 2:
        raise SimulationError(f"a stake is an even number of cents above 0, not {stake}")
    return amount
