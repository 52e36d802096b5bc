"""Functions of `import pontoon` that accept rulebooks, strategies and transcripts in several forms.

Every amount is in cents; a stake may also be a string of dollars.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar, Unpack

import msgspec
from msgspec import Struct

from pontoon import cache
from pontoon.analysis.answers import Edge
from pontoon.engine import Event, Reversed, Round, Settled, evolve
from pontoon.engine.state import check_round
from pontoon.money import as_cents, dollars
from pontoon.quoting import quoted
from pontoon.rulebook import Rulebook, digest
from pontoon.rulebook.resolve import RulebookLike, as_rulebook
from pontoon.strategy import Strategy, StrategyLike, as_strategy, find, read_strategy, write_composition
from pontoon.transcript import RefusedLine, TranscriptError, nets, read_bytes, replay
from pontoon.transcript.read import LARGEST
from pontoon.view.events import said
from pontoon.view.words import why

if TYPE_CHECKING:
    from pontoon.analysis import Solver
    from pontoon.simulation import Result

OPTIMAL, CHART = "optimal", "chart"
Kept = TypeVar("Kept", bound=Struct)
FAST = "needs numpy and numba: pip install 'pontoon21[fast]'"


# --- words and transcripts -----------------------------------------------------------------------------


def narrate(state: Round, events: Iterable[Event]) -> list[str]:
    """Events as sentences, each with its clauses; `state` is the round before them.

    >>> from pontoon.engine import CallNoMoreBets, DealCard, PlaceWager, decide, must_play
    >>> state = must_play(Round(as_rulebook("star")), PlaceWager(1, "Ann", 1000), CallNoMoreBets(), DealCard("8s"))
    >>> state = must_play(state, DealCard("7d"))
    >>> narrate(state, decide(state, DealCard("8h")))
    ['You: 8s 8h = 16']
    """
    check_round(state)
    lines: list[str] = []
    for event in events:
        state = evolve(state, event)
        lines.append(said(state, event))
    return [line for line in lines if line]


class Settlement(Struct, frozen=True):
    """A transcript settled. Amounts are in cents."""

    rules: Rulebook
    events: tuple[Event, ...]
    state: Round
    """The round at its end."""
    net: Mapping[str, int]
    """Each player's win or loss."""
    owed: Mapping[str, int]
    """The difference between what is due and what was paid, by player; negative if too much was paid."""

    @property
    def payments(self) -> tuple[Settled | Reversed, ...]:
        """Every payment in order."""
        return self.state.settlements

    @property
    def house(self) -> int:
        """The house's win or loss."""
        return -sum(self.net.values())


def settle(transcript: str | bytes | os.PathLike[str]) -> Settlement:
    """Settle a transcript: its text, or the path of a file. A string with a line break in it is text.

    Raises TranscriptError, a ValueError, if it cannot be read, is incomplete, or breaks the rules.
    """
    read = read_bytes(_content(transcript))
    played = replay(read)
    if isinstance(played, RefusedLine):
        raise TranscriptError(played.line.text, f"{why(played.refusal)} [{' '.join(played.refusal.clauses)}]")
    net = nets(read.players, played.state.settlements)
    owed = {player: net[player] - paid for player, paid in read.paid.items() if paid != net[player]}
    return Settlement(played.rules, played.events, played.state, net, owed)


def _content(transcript: str | bytes | os.PathLike[str]) -> bytes:
    if isinstance(transcript, bytes):
        return transcript
    if not isinstance(transcript, str | os.PathLike):
        raise TypeError(f"{quoted(transcript)} is not a transcript; give its text or the path of its file")
    if isinstance(transcript, str) and "\n" in transcript:
        return transcript.encode()
    try:
        with Path(transcript).open("rb") as stream:
            return stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        raise TranscriptError(os.fspath(transcript), getattr(error, "strerror", None) or "cannot be read") from None


# --- simulation ----------------------------------------------------------------------------------------


class Choices(TypedDict, total=False):
    """Further choices of `simulate`, as in `pontoon.simulation.simulate`."""

    rounds: int
    """10 million by default."""
    until_error: float
    """Stop when the standard error of `ev` is this small."""
    boxes: int
    penetration: float
    """Depth of the cutting card as a fraction of the shoe; 0: a fresh shoe for every round."""
    seed: int
    device: str
    threads: int
    cluster: str
    checkpoint: str | os.PathLike[str]


def simulate(
    rules: RulebookLike,
    strategy: StrategyLike | str | os.PathLike[str] = OPTIMAL,
    *,
    packs: int = 0,
    stake: int | str = 1000,
    decks: int = 0,
    **choices: Unpack[Choices],
) -> Result:
    """Play rounds and count the results; the same arguments give the same counts on every machine.

    `rules` is a rulebook, its name or a path. `strategy` is "optimal" or "chart" (by the analysis, cached), a strategy
    file, a `Strategy`, or a function of a situation. `packs` 0 is the rulebook's default; `stake` is cents, or a string
    of dollars. `decks` is the name that `packs` had before 0.2.
    """
    try:
        from pontoon import simulation  # noqa: PLC0415 numpy and numba are imported by those who need them
    except ImportError:
        raise ImportError(f"simulate {FAST}") from None
    book, cents = as_rulebook(rules), as_cents(stake)
    number = packs or decks or book.decks.default
    chosen = named_strategy(strategy, book, number, cents)
    return simulation.simulate(book, chosen, packs=number, stake=dollars(cents), **choices)


def edge(rules: RulebookLike, packs: int = 0, *, stake: int | str = 1000) -> Edge:
    """The exact figures of best play from a fresh shoe, solved once and then read from the user's cache.

    `packs` 0 is the rulebook's default; `stake` is cents, or a string of dollars.
    """
    book, amount = as_rulebook(rules), as_cents(stake)
    number = packs or book.decks.default

    def solve() -> Edge:
        from pontoon.analysis.edge import edge_of  # noqa: PLC0415 numpy and numba are imported by those who need them
        from pontoon.analysis.solver import Solver  # noqa: PLC0415 the same

        return edge_of(Solver(book, number, stake=amount))

    return cached_value("edge.json", (book, number, amount), Edge, solve)


def named_strategy(
    strategy: StrategyLike | str | os.PathLike[str], rules: Rulebook, packs: int, stake: int
) -> Strategy:
    """The strategy given by name, file, object or function."""
    if not isinstance(strategy, str | os.PathLike):
        return as_strategy(strategy)
    name = os.fspath(strategy)
    if name not in (OPTIMAL, CHART):
        return find(name)

    def make() -> str:
        from pontoon.analysis import Solver  # noqa: PLC0415 as above

        return strategy_text(name, Solver(rules, packs, stake=stake), rules)

    return read_strategy(cached_text(f"{name}.json", rules, packs, stake, make), name)


def strategy_text(name: str, solver: Solver, rules: Rulebook, progress: Callable[[float], None] | None = None) -> str:
    """The best play or the best chart as the text of a strategy file."""
    if name == CHART:
        from pontoon.analysis.charts.chart import chart_of  # noqa: PLC0415 as above

        return msgspec.json.encode(chart_of(solver, rules, progress)).decode()
    from pontoon.analysis.policies.export import strategy_of  # noqa: PLC0415 as above

    return write_composition(strategy_of(solver, rules))


def cached_text(name: str, rules: Rulebook, packs: int, stake: int, make: Callable[[], str]) -> str:
    """JSON from the cache for this analysis and these rules, computed and cached if missing."""
    file = _cache_folder() / f"{rules.about.name}-{digest(rules)}-{packs}-{dollars(stake)}-{name}"
    try:
        text = file.read_text(encoding="utf-8")
        json.loads(text)
    except (OSError, ValueError):
        text = make()
        cache.put(file, text.encode())
    return text


def cached_value(name: str, made: tuple[Rulebook, int, int], kind: type[Kept], make: Callable[[], Kept]) -> Kept:
    """A struct from the cache, or made now and cached if possible; `made` is rulebook, packs and stake in cents."""
    rules, packs, stake = made
    file = _cache_folder() / f"{rules.about.name}-{digest(rules)}-{packs}-{dollars(stake)}-{name}"
    return cache.kept(file, kind, make)


def _cache_folder() -> Path:
    """The cache folder for this version of the analysis."""
    spec = importlib.util.find_spec("pontoon.analysis")
    assert spec is not None
    assert spec.origin is not None
    return cache.folder("strategies", Path(spec.origin).parent)
