"""Games that several tests play, compiled once for all of them and all their processes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pontoon import cache as files
from pontoon.rulebook import digest, load
from pontoon.simulation import Compiled, compile_game
from pontoon.simulation.table_cache import ROOT, SOURCES, decode, encode
from tests.simulation import strategies


@cache
def wild_game(rulebook: str, number: int, calm: int) -> Compiled:
    """`compile_game` for a strategy that is not data, which the library's own cache does not keep."""
    sources = [*(ROOT / source for source in SOURCES), Path(strategies.__file__)]
    rules = load(rulebook)
    file = files.folder("tested-games", *sources) / f"{digest(rules)}-{number}-{calm}.tables"
    game = decode(file)
    if game is None:
        game = compile_game(rules, strategies.Wild(number, calm=calm), 1000)
        files.put(file, encode(game))
    return game
