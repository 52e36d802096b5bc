"""Lines in, lines out: a terminal, a pipe or a script, all alike to the game."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

_CARD = re.compile(r"\b([A2-9JQK])([cdhs])\b")
_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
COMMENT = "#"


class Console:
    """Where the game speaks and listens."""

    def __init__(
        self, typed: Iterable[str] | None = None, shown: TextIO | None = None, *, symbols: bool = False
    ) -> None:
        """Listen to the lines of `typed`, or to the keyboard without it; with `symbols` show 7♠ for 7s."""
        self._typed = None if typed is None else iter(typed)
        self._shown = shown or sys.stdout
        self._symbols = symbols

    def say(self, line: str = "") -> None:
        """One line."""
        print(self._dressed(line), file=self._shown, flush=True)

    def ask(self, prompt: str) -> str:
        """One line typed by the person, without blanks around it; EOFError at the end of the input."""
        prompt = f"{self._dressed(prompt)} "
        if self._typed is None:
            return input(prompt).strip()
        # Nobody sees what comes from a pipe or a script, so it is shown behind the prompt.
        line = self._next_line(self._typed)
        print(f"{prompt}{line}", file=self._shown, flush=True)
        return line

    @staticmethod
    def _next_line(typed: Iterator[str]) -> str:
        for line in typed:
            if not line.startswith(COMMENT):
                return line.strip()
        raise EOFError

    def _dressed(self, line: str) -> str:
        """A card is its notation wherever it stands, so one place can give it its symbol; clauses stay as they are."""
        if not self._symbols:
            return line
        words, bracket, clauses = line.partition("  [")
        return _CARD.sub(lambda card: card[1] + _SUITS[card[2]], words) + bracket + clauses
