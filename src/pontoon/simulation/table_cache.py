"""Compiled games in the user's cache: asking the engine about every hand takes seconds, reading a file does not.

A file is a hash of its content followed by an archive of arrays. One that is missing, damaged or from another build is
compiled again; nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path

import msgspec
import numpy as np

import pontoon.engine
from pontoon import cache
from pontoon.rulebook import Rulebook, digest
from pontoon.simulation.card_classes import Classes
from pontoon.simulation.tables import Compiled, Numbers, Tables, aligned, compile_game
from pontoon.strategy import ChartStrategy, CompositionStrategy, Strategy

ROOT = Path(pontoon.engine.__file__).parent.parent
SOURCES = ("cards", "money.py", "rulebook", "engine", "strategy", "simulation")
"""The sources that the tables depend on."""
ABOUT = "about"
TABLE = "table-"
ENDS = ("end_net", "end_label", "end_up", "end_bonus")
HASH = 32


class About(msgspec.Struct):
    """What a file holds besides the arrays."""

    numbers: Numbers
    classes: Classes
    labels: tuple[str, ...]
    stake: int


def cached_game(rules: Rulebook, strategy: Strategy, stake: int) -> Compiled:
    """The same as `compile_game`, from the cache if it was compiled before."""
    name = strategy_digest(strategy)
    if name is None:
        return compile_game(rules, strategy, stake)
    folder = cache.folder("games", *(ROOT / source for source in SOURCES))
    file = folder / f"{rules.about.name}-{digest(rules)}-{stake}-{name}.tables"
    game = decode(file)
    if game is None:
        game = compile_game(rules, strategy, stake)
        cache.put(file, encode(game))
    return game


def strategy_digest(strategy: Strategy) -> str | None:
    """A digest of everything a strategy decides; None for a strategy that is not data."""
    if isinstance(strategy, CompositionStrategy):
        content = msgspec.json.encode(strategy.table)
    elif isinstance(strategy, ChartStrategy):
        content = msgspec.json.encode(strategy.chart)
    else:
        return None
    return hashlib.sha256(content).hexdigest()[:24]


def encode(game: Compiled) -> bytes:
    """A compiled game as the content of a file."""
    about = msgspec.json.encode(About(game.numbers, game.classes, game.labels, game.stake))
    arrays = {TABLE + name: array for name, array in game.tables._asdict().items()}
    arrays |= {name: getattr(game, name) for name in ENDS}
    out = io.BytesIO()
    np.savez(out, allow_pickle=False, **{ABOUT: np.frombuffer(about, np.uint8)}, **arrays)
    content = out.getvalue()
    return hashlib.sha256(content).digest() + content


def decode(file: Path) -> Compiled | None:
    """The game in a file; None if the file is missing or damaged."""
    try:
        content = file.read_bytes()
        if hashlib.sha256(content[HASH:]).digest() != content[:HASH]:
            return None
        with np.load(io.BytesIO(content[HASH:]), allow_pickle=False) as arrays:
            about = msgspec.json.decode(arrays[ABOUT].tobytes(), type=About)
            tables = Tables(**{name: arrays[TABLE + name] for name in Tables._fields})
            ends = {name: arrays[name] for name in ENDS}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return None
    tables = tables._replace(steps=aligned(tables.steps))
    return Compiled(tables, about.numbers, about.classes, about.labels, stake=about.stake, **ends)
