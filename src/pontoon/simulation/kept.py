"""Compiled games kept in the user's cache: asking the engine about every hand takes seconds, reading a file does not.

A file is a hash of all that follows and an archive of arrays. One that is missing, damaged or of another build is made
anew; nothing in it is run.
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
from pontoon.simulation.classes import Classes
from pontoon.simulation.compile import Compiled, Numbers, Tables, compile_game, lined_up
from pontoon.strategy import ChartStrategy, CompositionStrategy, Strategy

ROOT = Path(pontoon.engine.__file__).parent.parent
SOURCES = ("cards", "money.py", "rulebook", "engine", "strategy", "simulation")
"""Whatever has a say in the tables."""
ABOUT = "about"
TABLE = "table-"
ENDS = ("end_net", "end_label", "end_up", "end_bonus")
HASH = 32


class About(msgspec.Struct):
    """What a file holds beside arrays."""

    numbers: Numbers
    classes: Classes
    labels: tuple[str, ...]
    stake: int


def kept_game(rules: Rulebook, strategy: Strategy, stake: int) -> Compiled:
    """The same as `compile_game`, from an earlier time where there was one."""
    name = strategy_digest(strategy)
    if name is None:
        return compile_game(rules, strategy, stake)
    folder = cache.folder("games", *(ROOT / source for source in SOURCES))
    file = folder / f"{rules.about.name}-{digest(rules)}-{stake}-{name}.tables"
    found = read(file)
    if found is None:
        found = compile_game(rules, strategy, stake)
        cache.put(file, written(found))
    return found


def strategy_digest(strategy: Strategy) -> str | None:
    """A name for all that a strategy says; None for one that is not data."""
    if isinstance(strategy, CompositionStrategy):
        content = msgspec.json.encode(strategy.table)
    elif isinstance(strategy, ChartStrategy):
        content = msgspec.json.encode(strategy.chart)
    else:
        return None
    return hashlib.sha256(content).hexdigest()[:24]


def written(game: Compiled) -> bytes:
    """A compiled game as the content of a file."""
    about = msgspec.json.encode(About(game.numbers, game.classes, game.labels, game.stake))
    arrays = {TABLE + name: array for name, array in game.tables._asdict().items()}
    arrays |= {name: getattr(game, name) for name in ENDS}
    out = io.BytesIO()
    np.savez(out, allow_pickle=False, **{ABOUT: np.frombuffer(about, np.uint8)}, **arrays)
    content = out.getvalue()
    return hashlib.sha256(content).digest() + content


def read(file: Path) -> Compiled | None:
    """The game in a file; None when there is none to be had."""
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
    tables = tables._replace(steps=lined_up(tables.steps))
    return Compiled(tables, about.numbers, about.classes, about.labels, stake=about.stake, **ends)
