"""The same rulebook under a false name, without notes and with meaningless clauses."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from pontoon.rulebook import Clauses, Rulebook, SideBet, Source, canonical
from pontoon.rulebook.schema import CITES
from pontoon.rulebook.side_bets import CITE_FIELDS

DISGUISES = ("tokens", "nothing")
"""Replace every clause by a unique token, even if the same clause is cited twice; or remove all clauses."""
Hide = Callable[[Clauses], Clauses]


def hidden(how: str, seed: str) -> Hide:
    """Clauses in disguise."""
    chance = Random(seed)

    def hide(clauses: Clauses) -> Clauses:
        return () if how == "nothing" else tuple(f"{chance.getrandbits(64):x}" for _ in clauses)

    return hide


def disguised(book: Rulebook, how: str) -> Rulebook:
    """The rulebook in disguise."""
    hide = hidden(how, book.about.name)
    sources = {key: Source(hide(source.clauses), "", source.silent) for key, source in book.sources.items()}
    cites = {
        name: kind(**{key: sources[f"{name}.{key}"].clauses for key in kind.__struct_fields__})
        for name, kind in CITES.items()
    }
    side = tuple(_bet(bet, sources) for bet in book.side)
    remedies = tuple(replace(row, clauses=hide(row.clauses)) for row in book.remedies)
    about = replace(book.about, name=f"x{Random(how).getrandbits(64):x}", title="-", place="-", nature="-")
    return replace(book, about=about, sources=sources, side=side, remedies=remedies, **cites)


def _bet(bet: SideBet, sources: dict[str, Source]) -> SideBet:
    return replace(bet, **{key: sources[f"side.{bet.name}.{key}"].clauses for key in CITE_FIELDS})


@cache
def disguised_text(name: str, how: str) -> str:
    """The canonical text of a shipped rulebook in disguise."""
    from pontoon.rulebook import load

    return canonical(disguised(load(name), how))


def uncited(value: Any) -> Any:
    """A value as plain data, citations apart."""
    if isinstance(value, msgspec.Struct):
        return {"": type(value).__name__, **uncited(asdict(value))}
    if isinstance(value, dict):
        return {key: uncited(one) for key, one in value.items() if key not in CITATIONS}
    if isinstance(value, list | tuple):
        return [uncited(item) for item in value]
    return value


CITATIONS = ("clauses", "note", "rulebook", "disputes")
