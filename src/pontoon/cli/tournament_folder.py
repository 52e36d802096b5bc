"""The folder of a tournament run: its log with the ledger, transcripts, and files that are written whole or not at all.

A step goes into the log in one transaction. Transcripts are written before it, everything else is made from the log
afterwards; so whenever the program is killed, what is missing can be made again, the same to the byte.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pontoon.rulebook import Rulebook, RulebookError, canonical, digest, pinned
from pontoon.rulebook import load as load_rulebook
from pontoon.shown import shown

if TYPE_CHECKING:
    from pontoon.store import Draft
    from pontoon.store.sqlite import SqliteStore
    from pontoon.tournament.events import TournamentEvent
    from pontoon.tournament.running import Plan, PlayedRound, Step
    from pontoon.tournament.state import Tournament

DATABASE, TRANSCRIPTS = "run.db", "transcripts"


def find_beside(file: str) -> Callable[[str], Rulebook]:
    """How to find a rulebook that conditions name: a path begins beside their file."""
    return partial(load_rulebook, folder=Path(file).parent)


class RunError(Exception):
    """One line for whoever asked."""


class RunFolder:
    """The folder of a run: its log, and how far it is."""

    def __init__(self, path: Path, plan: Plan, identity: dict[str, str], *, resume: bool) -> None:
        from pontoon.store.sqlite import SqliteStore

        self.path, self.plan, self.identity = path, plan, identity
        self.id = _slug(plan.conditions.name)
        self.stream = f"run/{self.id}"  # `tournament/` is the server's, which keeps other bodies
        self.at = _milliseconds(plan.conditions.start.at)
        self.rounds = self.writes = 0
        """Played and written by this process."""
        self._allow(resume=resume)
        path.mkdir(parents=True, exist_ok=True)
        self.store: SqliteStore = SqliteStore(path / DATABASE)
        try:
            self.state = self._read(resume=resume)
        except BaseException:
            self.store.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def _allow(self, *, resume: bool) -> None:
        """Never write into a folder that is not a run, nor over a run."""
        name = shown(str(self.path))
        if self.path.exists() and not self.path.is_dir():
            raise RunError(f"{name} is no folder; name another")
        there = {one.name for one in self.path.iterdir()} if self.path.is_dir() else set()
        ours = DATABASE in there
        if there and not ours and there - {f"{DATABASE}.lock"}:
            raise RunError(f"{name} holds other files; name a new folder")
        if ours and not resume:
            raise RunError(f"{name} holds a run: go on with --resume, or name another folder")

    def _read(self, *, resume: bool) -> Tournament:
        """The tournament as far as it was written down; a new one is begun."""
        from pontoon.store.model import entries_after
        from pontoon.tournament import evolve
        from pontoon.tournament.running import read_logged
        from pontoon.tournament.state import begin

        entries = entries_after(self.store, self.stream) if self.store.heads() else iter(())
        first = next(entries, None)
        if first is None:
            others = [head.stream for head in self.store.heads()]
            if others:
                raise RunError(f"{shown(str(self.path))} holds the run of another tournament: {others[0]}")
            self._begin()
            return begin(self.plan.conditions)
        assert resume
        self._compare(json.loads(first.body))
        state = begin(self.plan.conditions)
        for entry in entries:
            for event in read_logged(entry.body).events:
                state = evolve(state, event)
        return state

    def _compare(self, before: dict[str, str]) -> None:
        for key, words in (("conditions", "other conditions"), ("bots", "other bots"), ("seed", "another seed")):
            if before.get(key) != self.identity[key]:
                was = f" ({shown(before.get(key))})" if key == "seed" else ""
                raise RunError(f"{shown(str(self.path))} holds a run with {words}{was}; it cannot go on with these")
        self._pin(before)

    def _pin(self, before: dict[str, str]) -> None:
        """A run goes on by the rulebook it was begun with; version 0.1.0 wrote none down and had its own canberra."""
        from pontoon.tournament.dealt_by import recorded_canberra, with_book

        try:
            book = pinned(before["book"], before.get("rules", "")) if before.get("book") else recorded_canberra()
        except RulebookError as error:
            raise RunError(f"{shown(str(self.path))}: {error}") from None
        self.plan.conditions = with_book(self.plan.conditions, book)

    def _begin(self) -> None:
        """The first entry says what is run, and gives everybody the money to enter and to buy back with."""
        from pontoon.ledger import BANK, Posting, wallet
        from pontoon.store import Draft
        from pontoon.tournament.dealt_by import book_of
        from pontoon.tournament.running import player_name

        conditions = self.plan.conditions
        each = conditions.money.fee + conditions.buy_back.times * conditions.buy_back.fee
        names = [player_name(number) for number in range(self.plan.entries)]
        given = [Posting(wallet(name), each) for name in names] if each else []
        postings = (Posting(BANK, -each * len(names)), *given) if given else ()
        book = book_of(conditions.game)
        first = {**self.identity, "rules": digest(book), "book": canonical(book)}
        self._append((Draft("run", json.dumps(first).encode(), postings=postings),))

    def write(self, step: Step) -> None:
        """The transcripts first: what the log knows of can then be read there."""
        from pontoon.store import Draft
        from pontoon.tournament.money import postings
        from pontoon.tournament.running import write_logged

        for one in step.rounds:
            self._transcript(one)
        drafts = []
        for entry in step.entries:
            moved = tuple(one for event in entry.events for one in postings(self.id, event))
            drafts.append(Draft("director", write_logged(entry), postings=moved))
        self._append(tuple(drafts))
        self.state = step.after
        self.rounds += len(step.rounds)
        self.writes += 1

    def _append(self, drafts: tuple[Draft, ...]) -> None:
        from pontoon.store import Append, Appended

        version = self.store.head(self.stream).version
        (outcome,) = self.store.write([Append(self.stream, version, self.at, drafts)])
        assert isinstance(outcome, Appended), outcome

    def _transcript(self, one: PlayedRound) -> None:
        from pontoon.tournament.session_table import table_of
        from pontoon.transcript import write

        table = table_of(self.plan.conditions.game)
        folder = self.path / TRANSCRIPTS / f"session-{one.session}" / one.place
        if one.number == 1:
            folder.mkdir(parents=True, exist_ok=True)
        title = f"{self.plan.conditions.name}, session {one.session}, {one.place}, round {one.number}"
        text = write(table.rules, one.events, decks=table.packs, limits=table.limits, title=title)
        (folder / f"round-{one.number:03d}.prt").write_text(text, encoding="utf-8")

    def replace(self, name: str, content: bytes) -> None:
        """Write a file whole or not at all."""
        self.writes += 1
        new = self.path / f".{name}.new"
        new.write_bytes(content)
        os.replace(new, self.path / name)  # noqa: PTH105 one step, also over an old file

    def events(self) -> Iterator[TournamentEvent]:
        """Everything that happened, from the log."""
        from pontoon.store.model import entries_after
        from pontoon.tournament.running import read_logged

        for entry in entries_after(self.store, self.stream, 1):
            yield from read_logged(entry.body).events

    def pool(self) -> int:
        """What is left in the prize pool; nothing, in the end."""
        from pontoon.tournament.money import pool

        return self.store.balance(pool(self.id))


def _milliseconds(at: dt.datetime) -> int:
    """The start of the tournament for every entry: a run of bots has no clock, and comes out the same anywhere."""
    return int((at if at.tzinfo else at.replace(tzinfo=dt.UTC)).timestamp() * 1000)


def _slug(name: str) -> str:
    """A name for streams and accounts.

    >>> _slug("Spring Pontoon 2026!")
    'spring-pontoon-2026'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "tournament"
