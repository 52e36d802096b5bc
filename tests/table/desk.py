"""A table for tests: commands that must be allowed, with their events, and commands that must be refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

from msgspec.structs import replace

from pontoon.cards import JOKER, Card
from pontoon.engine import CallNoMoreBets, CloseOffer, Command, Hit, Limits, PlaceWager, Refusal, Stand
from pontoon.engine.dealing import next_place
from pontoon.rulebook import load
from pontoon.table import Table, decide, evolve, play, refusal
from pontoon.table import commands as c
from pontoon.table.cutting import cutting_card_range
from pontoon.table.events import InRound, TableEvent
from pontoon.table.opening import checkers, to_be_shown
from pontoon.table.shuffle import new_stack
from pontoon.view.words import why

LIMITS = Limits(1000, 20000, 0)
QUIET = "9s 8h 9d 8c 9h 8d 9c 8s"
"""Cards that make stiff hands and no offers, for rounds whose cards do not matter."""


class Desk:
    """A table under test and its events."""

    def __init__(self, book: str, **options: Any) -> None:
        rules = load(book, options.pop("overrides", None))
        options.setdefault("packs", min(rules.decks.allowed))
        options.setdefault("limits", LIMITS)
        self.table = Table(rules, **options)
        self.events: list[TableEvent] = []
        self.first = self.table
        self.seen: set[str] = set()
        self.cited: set[str] = set()
        """Clauses that the case asked for, in events and refusals."""
        self.own = self.table.rules == load(book)
        """Whether the table has the document's own values."""
        self.faces: Iterator[str] = cycle(QUIET.split())

    # --- asking --------------------------------------------------------------------------------------

    def do(self, *commands: c.TableCommand) -> tuple[TableEvent, ...]:
        """All of these must be allowed."""
        events: list[TableEvent] = []
        for command in commands:
            played = play(self.table, command)
            assert not isinstance(played, Refusal), (command, played)
            self.seen.add(type(command).__name__)
            self.table = played.state
            events += played.events
        self.events += events
        return tuple(events)

    def then(self, command: c.TableCommand, names: str, *clauses: str) -> tuple[TableEvent, ...]:
        """Give a command that must be allowed, with exactly these events and clauses."""
        events = self.do(command)
        assert " ".join(name_of(event) for event in events) == names, events
        cited = {clause for event in events for clause in event.clauses}
        assert set(clauses) <= cited, (clauses, cited)
        self.cited.update(clauses)
        return events

    def no(self, command: c.TableCommand, code: str, *clauses: str) -> Refusal:
        """Give a command that must be refused with this code, these clauses and a sentence, and change nothing."""
        refused = refusal(self.table, command)
        assert refused is not None, command
        assert refused.code == code, refused
        assert set(clauses) <= set(refused.clauses), refused
        self.cited.update(clauses)
        assert play(self.table, command) == refused == decide(self.table, command)
        assert why(refused)
        self.seen |= {type(command).__name__, code}
        return refused

    def replayed(self) -> Table:
        """The table rebuilt from its events."""
        table = self.first
        for event in self.events:
            table = evolve(table, event)
        return table

    # --- the way to a round --------------------------------------------------------------------------

    def open(self, *seats: str) -> Desk:
        """Open, seat players ("Ann 1"), check and show the cards: ready for the shuffle."""
        self.do(c.Open())
        self.sit(*seats)
        return self.prepared()

    def prepared(self) -> Desk:
        """Check and show the cards."""
        for role in checkers(self.table):
            self.do(c.CheckCards(role))  # type: ignore[arg-type] # the rulebook names roles
        if to_be_shown(self.table):
            self.do(c.ShowCards(self.table.first_player or "Ann"))
        return self

    def sit(self, *seats: str) -> Desk:
        for seat in seats:
            player, box = seat.split()
            self.do(c.Sit(player, int(box)))
        return self

    def stack(self, cards: str = "") -> tuple[Card, ...]:
        """The full set with these cards on top, and at the bottom cards that make stiff hands and no offers."""
        wanted = [Card(card) for card in cards.split()]
        rest = [*new_stack(self.table.packs), *((JOKER,) if self.table.joker else ())]
        for card in wanted:
            rest.remove(card)
        piles = [[card for card in rest if card[0] == rank] for rank in "9876"]
        quiet = [card for four in zip(*piles, strict=False) for card in four]
        others = sorted((Counter(rest) - Counter(quiet)).elements(), key=_late)
        return (*wanted, *others, *quiet)

    def shuffled(self, cards: str = "") -> Desk:
        """Shuffle so that these cards are on top after a cut in the middle (or after loading a device)."""
        stack = self.stack(cards)
        depth = len(stack) // 2 if self.table.by_hand else 0
        order = (*stack[len(stack) - depth :], *stack[: len(stack) - depth])
        self.do(c.Shuffle(order if self.table.mode == "automatic" else ()))
        return self

    def cut(self, behind: int | None = None) -> Desk:
        """The selected player cuts in the middle, and the cutting card is inserted."""
        if self.table.by_hand:
            by = self.table.offered[0] if self.table.offered else self.table.rules.cut.nobody
            self.do(c.Cut(by, self.table.shoe.left // 2))
            low, high = cutting_card_range(self.table)
            self.do(c.PlaceCuttingCard((low + high) // 2 if behind is None else behind))
        return self

    def ready(self, *seats: str, cards: str = "", behind: int | None = None) -> Desk:
        """Open with these players and these cards on top."""
        return self.open(*seats).shuffled(cards).cut(behind)

    # --- a round -------------------------------------------------------------------------------------

    def bet(self, *wagers: str) -> Desk:
        """Wagers such as "1 Ann 10", and the call."""
        for wager in wagers:
            self.do(c.Play(wager_of(wager)))
        self.do(c.Play(CallNoMoreBets()))
        return self

    def deal(self, cards: int | str = 1) -> tuple[TableEvent, ...]:
        """Deal the next cards; on the floor, these cards."""
        if isinstance(cards, str):
            return self.do(*(c.Deal(card) for card in cards.split()))
        return self.do(*(c.Deal() for _ in range(cards)))

    def play(self, *commands: Command) -> tuple[TableEvent, ...]:
        return self.do(*(c.Play(command) for command in commands))

    def finish(self, *, collect: bool = True) -> Desk:
        """Everyone stands if allowed, and the cards are collected."""
        while self.table.phase == "round" and self.table.due != "first":
            state = self.table.round
            assert state is not None
            if next_place(state) is not None:
                self.do(c.Deal(next(self.faces) if self.table.mode == "floor" else ""))
            elif state.phase == "decision":
                stand = c.Play(Stand(state.turn[0]))
                refused = refusal(self.table, stand) is not None
                self.do(c.Play(Hit(state.turn[0])) if refused else stand)
            else:
                self.do(c.Play(CloseOffer()))
        if self.table.phase == "collect" and collect:
            self.do(c.Collect())
        return self

    def round(self, *wagers: str) -> Desk:
        """A whole round."""
        return self.bet(*wagers).finish()

    def move(self, **shoe: Any) -> Desk:
        """Jump on in the shoe: the cards before go to the discards. Only for a table whose shoe is short of cards."""
        left = shoe.pop("left")
        old = self.table.shoe
        gone = old.stack[: old.left - left]
        hidden = old.hidden_discards + old.left - left - len(gone)
        new = replace(
            old, stack=old.stack[old.left - left :], left=left, discards=(*old.discards, *gone), hidden_discards=hidden
        )
        self.table = replace(self.table, shoe=replace(new, **shoe))
        self.first, self.events = self.table, []
        return self

    @property
    def offered(self) -> str:
        return " ".join(self.table.offered)


def _late(card: Card) -> int:
    return "*AKQJ23498765".index(card[0])


def name_of(event: TableEvent) -> str:
    """The name of an event; for a wrapped event, the name of the round's event."""
    return type(event.event if isinstance(event, InRound) else event).__name__


def wager_of(text: str) -> PlaceWager:
    """Ten dollars of Ann on box 1 are "1 Ann 10"."""
    box, player, stake = text.split()
    return PlaceWager(int(box), player, int(float(stake) * 100))


def bet(text: str) -> c.Play:
    """A wager as a command at the table."""
    return c.Play(wager_of(text))


Script = Callable[[Callable[..., Desk]], None]
CASES: dict[str, Script] = {}


def case(name: str) -> Callable[[Script], Script]:
    """A script under a name that begins with its rulebook and clauses."""
    assert name not in CASES, name

    def keep(script: Script) -> Script:
        CASES[name] = script
        return script

    return keep
