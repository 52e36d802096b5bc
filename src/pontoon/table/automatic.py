"""A table that runs itself: the dealer's program, and one function that answers for the players.

Bots, scripts and people can sit at the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pontoon.cards import Card
from pontoon.decider import Played
from pontoon.engine import CallNoMoreBets, Command, Refusal, Round
from pontoon.table import commands as c
from pontoon.table.commitment import Tree
from pontoon.table.decide import play
from pontoon.table.events import TableEvent
from pontoon.table.fairness import ShoeRecord
from pontoon.table.program import Chance, Program
from pontoon.table.state import Table

Answer = Callable[[Round], Command | None]
"""What the players do now; None, or something refused, lets the dealer continue as if the player were absent."""


class AutomaticTable:
    """A table's current state and all its events."""

    def __init__(self, table: Table, chance: Chance) -> None:
        """Begin with a closed table."""
        self.table = table
        self.program = Program(chance)
        self.events: list[TableEvent] = []

    @property
    def record(self) -> ShoeRecord | None:
        """The public record of the shoe in use."""
        return self.program.keeper.record

    @property
    def records(self) -> list[ShoeRecord]:
        """Finished shoes, revealed."""
        return self.program.keeper.records

    @property
    def tree(self) -> Tree | None:
        """The house's secret side of the shoe in use."""
        return self.program.keeper.tree

    @property
    def seed(self) -> bytes:
        """The seed of the last shoe that can be proved."""
        return self.program.keeper.seed

    def do(self, command: c.TableCommand) -> Refusal | None:
        """Do something at the table; a refusal changes nothing."""
        played = play(self.table, command)
        if isinstance(played, Refusal):
            return played
        self.apply(played)
        return None

    def apply(self, played: Played[Table, TableEvent]) -> None:
        """Append the decided events and adopt the state."""
        self.table = played.state
        self.events.extend(played.events)
        for event in played.events:
            self.program.keeper.apply(event)

    def must(self, command: c.TableCommand | None) -> None:
        """Give a command that the rulebook requires now; it cannot be refused."""
        assert command is not None
        refused = self.do(command)
        assert refused is None, (command, refused)

    def mixed(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """These cards in a uniformly random order."""
        return self.program.mixed(cards)

    def open(self, players: Iterable[tuple[str, int]]) -> None:
        """Open the table, seat the players, and prepare the first shoe."""
        self.must(c.Open())
        for player, box in players:
            self.must(c.Sit(player, box))
        self.prepare()

    def prepare(self) -> None:
        """Check, show, shuffle, cut and load whatever the document asks for before the next card or wager."""
        while self.table.due or self.table.phase in ("shuffled", "cut"):
            self.must(self.program.next_command(self.table))

    def play_round(self, wagers: Iterable[Command], answer: Answer) -> Round | None:
        """One round: wagers, the call, cards and decisions, collecting; None when nobody could bet."""
        for wager in wagers:
            self.do(c.Play(wager))
        if self.do(c.Play(CallNoMoreBets())) is not None:
            return None
        while self.table.phase in ("round", "shuffled", "cut"):
            self._step(answer)
        state = self.table.round
        assert state is not None
        while (command := self.program.next_command(self.table)) is not None:
            self.must(command)
        return state

    def _step(self, answer: Answer) -> None:
        state = self.table.round
        assert state is not None
        if self.table.due == "first":
            self.prepare()
            return
        if self.table.phase != "round":  # the discards are cut
            self.must(self.program.next_command(self.table))
            return
        command = answer(state)
        if command is None or self.do(c.Play(command, approver="pit_boss")) is not None:
            self.must(self.program.next_command(self.table))
