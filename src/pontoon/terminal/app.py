"""The full screen: the table in the middle, actions below it, the log beside or under it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from pontoon.client import Problem
from pontoon.server.rooms.commands import Asked, Pass, SetPace
from pontoon.table.commands import Cut, Sit
from pontoon.terminal import bets as b
from pontoon.terminal.actions import BAR, LETTERS, Action, TypedError, offered, read_action
from pontoon.terminal.draw import Style, draw_advice, draw_log, draw_table, draw_top
from pontoon.terminal.line import Playing, save_round
from pontoon.terminal.model import Model, Said
from pontoon.terminal.screens import Ask, Help, Logged, Settings, Sure
from pontoon.terminal.table import PACES, Advice, Pace, Table, TableError
from pontoon.view.catalogue.formats import money
from pontoon.view.words import kind_words

INTERRUPTED = 130
WIDE, HIGH = 110, 30
"""Minimum size for showing log and coach beside the table."""
CHIPS = (50, 100, 250, 500, 1000, 2500, 5000, 10_000, 50_000)
DECISION = 600_000


class Drawn(Widget):
    """A part of the screen, redrawn to fit the space it has."""

    def __init__(self, draw: Callable[[int, int], Text], *, id: str) -> None:  # noqa: A002 textual's name for it
        super().__init__(id=id)
        self._draw = draw

    def render(self) -> Text:
        return self._draw(self.content_size.width, self.content_size.height)


class TableApp(App[int]):
    """The app for one player at one table."""

    TITLE = "Pontoon"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { background: #08140f; color: #e8efe9; layout: vertical; }
    #top { height: 1; background: #123524; color: #ffe9a8; text-style: bold; }
    #middle { height: 1fr; }
    #cloth { width: 1fr; height: 1fr; background: #0b4f34; color: #f6f3e4; }
    #side { width: 42; height: 1fr; display: none; }
    #side Drawn { padding: 0 1; border-left: solid #2d6b4c; }
    #told { height: 1fr; }
    #coach { height: 14; border-top: solid #2d6b4c; }
    #status { height: 2; background: #123524; padding: 0 1; }
    #status.no { color: #ffb3a7; }
    #bar { height: 1; background: #1c2b24; }
    #keys { height: 1; background: #1c2b24; color: #a9b8b0; }
    #under { height: 5; padding: 0 1; color: #c9d6ce; }
    .wide #side { display: block; }
    .wide #under { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "Save and leave", priority=True),
        Binding("ctrl+q", "interrupt", "Save and leave", priority=True),
    ]

    def __init__(
        self, table: Table, model: Model, playing: Playing, style: Style | None = None, pace: Pace = "normal"
    ) -> None:
        plain = "NO_COLOR" in os.environ
        super().__init__(ansi_color=plain or None)
        self.table, self.model, self.playing = table, model, playing
        self.style_of_cards = style or Style()
        self.pace: Pace = pace
        self.meant: dict[int, b.Stake] = {}
        """Wagers not placed yet."""
        self.past: list[dict[int, b.Stake]] = []
        self.last: b.Bets = {}
        self.chip = 1000
        self.kind = ""
        """Where chips go: empty for the wager, or the kind of side wager."""
        self.focus_box = 0
        self.refused: Said | None = None
        self.advice: Advice | None = None
        self.coached = False
        """Whether the coach is asked at every decision."""
        self.failed = ""
        self.is_wide = False
        self._advised: object = None
        self._busy = False

    def compose(self) -> ComposeResult:
        yield Drawn(lambda width, _: draw_top(self.model, width), id="top")
        with Horizontal(id="middle"):
            yield Drawn(self._cloth, id="cloth")
            with Vertical(id="side"):
                yield Drawn(self._told, id="told")
                yield Drawn(lambda width, _: self.coach_text(width), id="coach")
        yield Drawn(lambda _, __: self._status(), id="status")
        yield Drawn(lambda _, __: self._bar(), id="bar")
        yield Drawn(lambda _, __: Text(self._keys()), id="keys")
        yield Drawn(self._told, id="under")

    # --- life ---

    def on_mount(self) -> None:
        self.follow()
        self.set_interval(1.0, self.tick)

    @work
    async def follow(self) -> None:
        """Process frames as they arrive."""
        try:
            await self.table.start()
            while True:
                await self._take(self.model.take(await self.table.next()))
        except TableError as error:
            self.failed = str(error)
            self.exit(1)

    async def _take(self, said: list[Said]) -> None:
        for line in said:
            if line.kind == "RoundKept":
                await self._keep(line)
        if self.model.view is not None and not self.table.waiting():
            self._moved()

    async def _keep(self, kept: Said) -> None:
        """A round is over: its transcript, the wagers to repeat, and whether this was the last."""
        playing, model = self.playing, self.model
        if not any(player == model.me for player, _, _ in kept.facts["players"]):
            return
        if playing.keep.places(1):
            text = await self.table.transcript(kept.facts["number"])
            for line in [text.words] if isinstance(text, Problem) else playing.keep.write(text, model.rounds):
                self.refused = Said(line)
        if playing.rounds and model.rounds >= playing.rounds:
            self.set_timer(0.01, self.leave)

    def _moved(self) -> None:
        """The table has moved on."""
        model = self.model
        if not self.last and model.view is not None:
            self.last = b.read_bets(self.playing.stake, model.boxes, b.side_bet(self.playing.side, model.view))
            self.chip = next((shoe_round.stake for shoe_round in self.last.values()), self.chip)
        if not model.betting:
            self.meant, self.past = {}, []
        if model.stuck is not None:
            self.refused = model.stuck
        if not model.asked:
            self.focus_box = 0
        self.redraw()
        if self.coached:
            self.consult()

    async def leave(self, status: int = 0) -> None:
        """Close the table and exit."""
        await self.table.close()
        self.exit(status)

    async def action_interrupt(self) -> None:
        """On Ctrl-C, write the round so far to a file."""
        self.said = await save_round(self.table, self.model, self.playing.keep)
        await self.leave(INTERRUPTED)

    said: list[str] = []  # noqa: RUF012 replaced, never changed
    """Text printed after the screen closes."""

    def tick(self) -> None:
        """The clock runs."""
        if self.model.seconds_left >= 0:
            self.screen_stack[0].query_one("#top").refresh()

    # --- drawing ---

    def on_resize(self, event: events.Resize) -> None:
        self.is_wide = event.size.width >= WIDE and event.size.height >= HIGH
        self.screen_stack[0].set_class(self.is_wide, "wide")

    def redraw(self) -> None:
        """Redraw everything; a screen holds little text."""
        base = self.screen_stack[0]
        base.query_one("#status").set_class(self.refused is not None, "no")
        for drawn in base.query(Drawn):
            drawn.refresh()

    def _cloth(self, width: int, height: int) -> Text:
        return draw_table(self.model, self.meant, width, height, self.style_of_cards, self.focus_box)

    def _told(self, width: int, height: int) -> Text:
        return draw_log(self.model, width, height, self.style_of_cards)

    def coach_text(self, width: int) -> Text:
        """The coach's advice, or how to get it."""
        if not self.coached:
            return Text("Coach: a asks what each decision is worth.")
        return draw_advice(self.advice, width, self.style_of_cards)

    def _status(self) -> Text:
        if self.refused is not None:
            return Text(self.style_of_cards.words(self.refused.text))
        return Text(f"{self.model.moment()}\n{self._hint()}")

    def _hint(self) -> str:
        model = self.model
        match model.asked:
            case "wagers":
                lie = b.placed(model.view, model.me) if model.view is not None else {}
                if self.meant:
                    return f"Meant: {b.bets_words(self.meant, model.boxes)}. Enter places it."
                if lie:
                    return f"Placed: {b.bets_words(lie, model.boxes)}. Enter deals."
                return f"Enter bets {b.bets_words(self.last, model.boxes)} and deals; a box's digit puts a chip there."
            case "cut":
                return "Enter cuts in the middle, n passes it on."
            case "offer" | "join":
                return "Digits choose a box; n declines for all."
            case "":
                return ""
            case _:
                return "/ types an action, with an amount where the rules allow less"

    def _bar(self) -> Text:
        parts: list[tuple[str, str]] = []
        for action in BAR:
            now = offered(self.model, action, self.focus_box)
            label = action.label if now.allowed else action.word.center(len(action.label))
            parts.append((label, "bold" if now.allowed else "dim"))
            parts.append((" ", ""))
        return Text.assemble(" ", *parts)

    def _keys(self) -> str:
        if self.model.betting:
            on = f" on {kind_words(None, self.kind)}" if self.kind else ""
            return f" 1-7 box  -+ chip {money(self.chip)}{on}  r same  z undo  c clear  / type  ? help  q leave"
        return " / type  a coach  l log  o settings  ? help  q leave"

    # --- keys ---

    async def on_key(self, event: events.Key) -> None:
        """Letters act on the table; whatever is open above it has its own keys."""
        if len(self.screen_stack) > 1:
            return
        key = event.character if event.character and event.character.isprintable() else event.key
        self.refused = None
        if key in LETTERS and not (self.model.betting and key in "nw"):
            await self.press(LETTERS[key])
        elif key.isdigit() and "1" <= key <= "7":
            self._digit(int(key))
        elif key in self._others:
            event.stop().prevent_default()
            await self._other(key)
        self.redraw()

    _others: ClassVar[dict[str, str]] = {
        "enter": "enter", "r": "repeat", "z": "undo", "c": "clear", "+": "more", "=": "more", "-": "less",
        "t": "side", "/": "type", "?": "help", "a": "coach", "l": "log", "o": "settings", "q": "quit",
    }  # fmt: skip

    async def _other(self, key: str) -> None:  # noqa: C901 one row a key
        opened = {"help": Help, "log": Logged, "settings": Settings}.get(self._others[key])
        if opened is not None:
            self.push_screen(opened(self))
            return
        match self._others[key]:
            case "enter":
                await self._enter()
            case "repeat":
                self._mean(dict(self.last))
            case "undo" if self.past:
                self.meant = self.past.pop()
            case "clear":
                await self._clear()
            case "more" | "less" as way:
                self._other_chip(1 if way == "more" else -1)
            case "side":
                self._other_side()
            case "type":
                self.push_screen(Ask(self.model), self._typed)
            case "coach":
                self._coach()
            case "quit":
                await self._quit()
            case _:
                pass

    async def press(self, action: Action, amount: int = 0) -> None:
        """Take an action on the selected box, or the current box; show why if it is not possible."""
        now = offered(self.model, action, self.focus_box, amount)
        if now.command is None:
            self.refused = Said(f"Not allowed: {now.words}", now.clauses)
            return
        await self.ask(now.command)

    async def ask(self, command: Asked) -> bool:
        """Send a command; returns whether it was carried out."""
        if self._busy:
            return False
        self._busy = True
        try:
            answer = await self.table.do(command, self.model.version)
        finally:
            self._busy = False
        if isinstance(answer, Problem):
            self.refused = Said(f"Not allowed: {answer.words}", answer.clauses)
            return False
        while self.model.version < answer:  # noqa: ASYNC110 `follow` takes what is there
            await asyncio.sleep(0)
        return True

    def _digit(self, box: int) -> None:
        """Put a chip on the box while wagers are open; during an offer, select the box."""
        if not self.model.betting:
            self.focus_box = box
            return
        if self.model.local and box not in self.model.boxes:
            self.refused = Said(f"You play box {', '.join(map(str, self.model.boxes))}; see --boxes")
            return
        lie = b.placed(self.model.view, self.model.me) if self.model.view is not None else {}
        meant = dict(self.meant or lie)
        one = meant.get(box, b.Stake())
        if self.kind:
            sides = dict(one.side)
            sides[self.kind] = sides.get(self.kind, 0) + self.chip
            meant[box] = b.Stake(one.stake, tuple(sides.items()))
        else:
            meant[box] = b.Stake(one.stake + self.chip, one.side)
        self._mean(meant)

    def _mean(self, wanted: dict[int, b.Stake]) -> None:
        if not self.model.betting:
            self.refused = Said("Wagers are not open now")
            return
        self.past.append(self.meant)
        self.meant = wanted

    def _other_chip(self, way: int) -> None:
        place = min(range(len(CHIPS)), key=lambda number: abs(CHIPS[number] - self.chip))
        self.chip = CHIPS[min(max(place + way, 0), len(CHIPS) - 1)]

    def _other_side(self) -> None:
        kinds = ("", *(self.model.view.side_wagers if self.model.view is not None else ()))
        if len(kinds) == 1:
            self.refused = Said("This rulebook offers no side wager")
        self.kind = kinds[(kinds.index(self.kind) + 1) % len(kinds)] if self.kind in kinds else ""

    async def _enter(self) -> None:
        """Place the planned wagers, or repeat the last ones if none are planned; or cut the cards."""
        model, view = self.model, self.model.view
        if view is None:
            return
        if model.asked == "cut" and view.cut is not None:
            await self.ask(Cut("", (view.cut.least + view.cut.most) // 2))
            return
        if model.asked != "wagers":
            self.refused = Said(f"Nothing to place. {model.moment()}")
            return
        lie = b.placed(view, model.me)
        meant = self.meant or ({} if lie else dict(self.last))
        if meant and not await self._place(lie, meant):
            return
        if meant and not model.local and not lie:
            return  # at a table with others the second Enter is "done"
        if model.asked == "wagers" and model.betting:
            await self.ask(Pass())

    async def _place(self, lie: b.Bets, meant: dict[int, b.Stake]) -> bool:
        commands: list[Asked] = list(b.changes(self.model.me, lie, meant))
        first = next(iter(meant))
        if not self.model.seat and first in self.model.free:
            commands.insert(0, Sit("", first))
        for command in commands:
            if not await self.ask(command):
                return False
        self.last = dict(meant)
        self.meant, self.past = {}, []
        return True

    async def _clear(self) -> None:
        """Clear the planned wagers and withdraw those on the table."""
        self._mean({})
        lie = b.placed(self.model.view, self.model.me) if self.model.view is not None else {}
        if self.model.betting:
            for command in b.changes(self.model.me, lie, {}):
                await self.ask(command)

    def _typed(self, text: str | None) -> None:
        if text:
            self.run_worker(self.typed(text))

    async def typed(self, text: str) -> None:
        """What is typed after / is read as in the line mode: a bet, or an action with an amount."""
        self.refused = None
        try:
            if self.model.betting and not text[:1].isalpha():
                known = self.model.boxes if self.model.local else range(1, b.MOST_BOXES + 1)
                self._mean(
                    dict(b.read_bets(text, self.model.boxes, b.side_bet(self.playing.side, self.model.view), known))
                )
            else:
                action, amount = read_action(text)
                await self.press(action, amount)
        except (b.BetError, TypedError) as error:
            self.refused = Said(f"{error}")
        self.redraw()

    async def _quit(self) -> None:
        if self.model.in_round:
            self.push_screen(Sure(), self._sure)
        else:
            await self.leave()

    def _sure(self, yes: bool | None) -> None:  # noqa: FBT001 the answer of a screen
        if yes:
            self.run_worker(self.leave())

    # --- coach and settings ---

    def _coach(self) -> None:
        if self.is_wide:
            self.coached = not self.coached
        else:
            self.coached = True
            self.push_screen(Logged(self, coach=True))
        if self.coached:
            self.consult()

    def consult(self) -> None:
        """Ask the coach once at every decision."""
        view = self.model.view
        state = view.round if view is not None else None
        now = (self.model.version,) if state is None else (state.stage, state.turn, view and view.number,
               tuple(len(hand.cards) for box in state.boxes for hand in box.hands))  # fmt: skip
        if now != self._advised:
            self._advised = now
            self.advise(now)

    @work
    async def advise(self, now: object) -> None:
        """Runs in the background."""
        self.advice = None
        self.redraw()
        advice = await self.table.advice()
        if self._advised == now:
            self.advice = advice
            self.redraw()
            for screen in self.screen_stack[1:]:
                if isinstance(screen, Logged):
                    screen.refill()

    async def set_pace(self, pace: Pace) -> None:
        """Deal faster or slower."""
        if await self.ask(SetPace(PACES[pace], DECISION)):
            self.pace = pace
