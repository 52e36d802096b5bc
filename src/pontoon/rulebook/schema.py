"""A rulebook as a whole: one frozen structure of sections, a sentence for every value.

The sentence is used three ways: in the code for the reader, by `pontoon rules NAME` to explain a rulebook in plain
words, and in the message that refuses a bad value. Every value has a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from pontoon.rulebook.citations import Cites, TableCites
from pontoon.rulebook.remedies import RemedyRow
from pontoon.rulebook.round_rules import (
    About,
    Boxes,
    Deal,
    DealerRules,
    Decks,
    Double,
    Draw,
    Insurance,
    PayoutRows,
    Settle,
    SplitRules,
    SuperBonus,
    SurrenderRules,
    Wagers,
)
from pontoon.rulebook.section import Clauses, Says, Section, Source
from pontoon.rulebook.side_bets import SideBet
from pontoon.rulebook.table_rules import Closing, CutRules, Irregular, People, ShoeRules

__all__ = [
    "CITES",
    "SECTIONS",
    "About",
    "Cites",
    "Clauses",
    "Override",
    "RemedyRow",
    "Rulebook",
    "Says",
    "Section",
    "SideBet",
    "Source",
    "TableCites",
]


class Override(Struct, frozen=True):
    """An operator's choice that replaces a value of the document."""

    key: str
    value: str
    was: str


class Joined(dict[tuple[str, ...], Clauses]):
    """The clauses of several values, each clause once, in order; joined when first asked for."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        """Join clauses of these sources."""
        self._sources = sources

    def __missing__(self, keys: tuple[str, ...]) -> Clauses:
        self[keys] = joined = tuple(dict.fromkeys(clause for key in keys for clause in self._sources[key].clauses))
        return joined


class Rulebook(Struct, frozen=True, dict=True):
    """One document as data: sections in the order of play, and where each value comes from."""

    about: About
    decks: Decks
    boxes: Boxes
    wagers: Wagers
    side: tuple[SideBet, ...]
    deal: Deal
    payout: PayoutRows
    insurance: Insurance
    surrender: SurrenderRules
    draw: Draw
    double: Double
    split: SplitRules
    dealer: DealerRules
    settle: Settle
    super_bonus: SuperBonus
    shoe: ShoeRules
    cut: CutRules
    people: People
    closing: Closing
    irregular: Irregular
    cites: Cites
    table: TableCites
    sources: Mapping[str, Source]
    overrides: tuple[Override, ...] = ()
    remedies: tuple[RemedyRow, ...] = ()
    """Remedies for errors: advice only, no effect on play."""

    def clauses(self, key: str) -> Clauses:
        """The clauses of a value: `rules.clauses("split.max_hands")`."""
        return self.sources[key].clauses

    @cached_property
    def joined(self) -> Joined:
        """The clauses of several values together: `rules.joined["cites.surrendered", "surrender.mode"]`."""
        return Joined(self.sources)

    @cached_property
    def computed(self) -> dict[str, Any]:
        """What other layers work out from this rulebook once and keep with it, by name."""
        return {}

    def side_bet(self, name: str) -> SideBet | None:
        """The side bet with this name, offered or not."""
        return next((bet for bet in self.side if bet.name == name), None)

    def without_side_bets(self) -> Rulebook:
        """The same game without side bets, so that none is compulsory: for questions about the Pontoon wager alone."""
        return msgspec.structs.replace(self, side=())

    def __repr__(self) -> str:
        """A one-line summary."""
        changed = f", {len(self.overrides)} overridden" if self.overrides else ""
        return f"<Rulebook {self.about.name}: {self.about.title}{changed}>"


SECTIONS: dict[str, type[Section]] = {
    "decks": Decks,
    "boxes": Boxes,
    "wagers": Wagers,
    "deal": Deal,
    "payout": PayoutRows,
    "insurance": Insurance,
    "surrender": SurrenderRules,
    "draw": Draw,
    "double": Double,
    "split": SplitRules,
    "dealer": DealerRules,
    "settle": Settle,
    "super_bonus": SuperBonus,
    "shoe": ShoeRules,
    "cut": CutRules,
    "people": People,
    "closing": Closing,
    "irregular": Irregular,
}
"""The sections whose values an operator may override, in the order of play."""

CITES: dict[str, type[Section]] = {"cites": Cites, "table": TableCites}
"""The sections that hold only clauses, with nothing to override."""
