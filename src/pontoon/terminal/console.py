"""Line input and output: a terminal, a pipe or a script, all the same to the game."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

_CARD = re.compile(r"\b([A2-9JQK])([cdhs])\b")
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
COMMENT = "#"
CHUNK = 4096


def dressed(line: str) -> str:
    """A card is its notation wherever it stands, so one place can give it its symbol; clauses stay as they are.

    >>> dressed("Dealer: 7d  [4s]")
    'Dealer: 7♦  [4s]'
    """
    words, bracket, clauses = line.partition("  [")
    return _CARD.sub(lambda card: card[1] + SUITS[card[2]], words) + bracket + clauses


class Console:
    """The input and output of the game."""

    def __init__(
        self, typed: Iterable[str] | None = None, shown: TextIO | None = None, *, symbols: bool = False
    ) -> None:
        """Listen to the lines of `typed`, or to standard input without it; with `symbols` show 7♠ for 7s."""
        self._typed = None if typed is None else iter(typed)
        self._shown = shown or sys.stdout
        self._symbols = symbols
        self._bytes = b""

    def say(self, line: str = "") -> None:
        """One line."""
        print(dressed(line) if self._symbols else line, file=self._shown, flush=True)

    async def ask(self, prompt: str) -> str:
        """One line typed by the player, stripped; EOFError at the end of the input."""
        prompt = f"{dressed(prompt) if self._symbols else prompt} "
        if self._typed is None and sys.stdin is not None and sys.stdin.isatty():
            print(prompt, end="", file=self._shown, flush=True)
            return await self._line()
        # Nobody sees what comes from a pipe or a script, so it is shown behind the prompt.
        line = await self._line() if self._typed is None else self._next_line(self._typed)
        print(f"{prompt}{line}", file=self._shown, flush=True)
        return line

    @staticmethod
    def _next_line(typed: Iterator[str]) -> str:
        for line in typed:
            if not line.startswith(COMMENT):
                return line.strip()
        raise EOFError

    async def _line(self) -> str:
        """The next line of standard input; while nothing comes the table continues."""
        while True:
            line, found, rest = self._bytes.partition(b"\n")
            if not found:
                more = await _more()
                if more:
                    self._bytes += more
                    continue
                if not line:
                    raise EOFError
            self._bytes = rest
            text = line.decode("utf-8", "replace").strip()
            if not text.startswith(COMMENT):
                return text


def _set(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)


async def _more() -> bytes:
    """The next line of standard input; empty at its end."""
    if sys.stdin is None:  # started without any input at all
        return b""
    try:
        number = sys.stdin.fileno()
    except (OSError, ValueError):  # a test's
        return sys.stdin.readline().encode()
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    try:
        loop.add_reader(number, _set, ready)
    except (OSError, NotImplementedError):  # a file is always ready; some systems cannot wait for a terminal
        return os.read(number, CHUNK)
    try:
        await ready
    finally:
        loop.remove_reader(number)
    return os.read(number, CHUNK)
