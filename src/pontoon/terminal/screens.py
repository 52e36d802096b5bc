"""Screens over the table: help, log, coach, settings, command line, questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from pontoon.terminal.actions import ACTIONS, LETTERS, offered
from pontoon.terminal.draw import draw_log
from pontoon.terminal.model import Model
from pontoon.terminal.table import PACES, Pace
from pontoon.view.events import cited

if TYPE_CHECKING:
    from pontoon.terminal.app import TableApp

BOX = """
{name} {{ align: center middle; background: #000000 40%; }}
{name} .box {{ width: 80; max-width: 100%; height: auto; max-height: 100%; background: #10241a; color: #e8efe9;
  border: round #ffd75f; padding: 0 1; }}
"""
LONG = 2000


class Over(ModalScreen[None]):
    """Something to read; any of these keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, "dismiss_it", "Close") for key in ("escape", "q", "enter", "question_mark", "l", "a", "o")
    ]

    def action_dismiss_it(self) -> None:
        self.dismiss(None)


class Help(Over):
    """All keys, and why some are not possible now."""

    CSS = BOX.format(name="Help")

    def __init__(self, app: TableApp) -> None:
        super().__init__()
        self._table_app = app

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(self.words(), markup=False)

    def words(self) -> str:
        app = self._table_app
        rows = ["Keys                                                        Esc closes", ""]
        for action in ACTIONS[:9]:
            now = offered(app.model, action, app.focus_box)
            why = cited(f"not now: {now.words}", now.clauses) if now.refused else ""
            rows.append(f"{action.letter}  {action.word.ljust(10)} {why or action.meaning}")
        rows += [
            "",
            "Enter  place and deal, or the same bet as last time; cut the cards",
            "1-7 a chip on that box; in an offer the box meant",
            "+ - another chip   t chips go on a side wager   r repeat   z undo   c clear",
            "/  type a bet (10 +5, 1:10 2:20) or an action (d 7.50)",
            "a coach   l log   o settings   q leave   Ctrl-C saves the round and leaves",
        ]
        return "\n".join(app.style_of_cards.words(row) for row in rows)


class Logged(Over):
    """The whole log, or the coach's advice."""

    CSS = BOX.format(name="Logged")

    def __init__(self, app: TableApp, *, coach: bool = False) -> None:
        super().__init__()
        self._table_app, self._coach = app, coach

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(id="said", markup=False)

    def on_mount(self) -> None:
        self.refill()

    def refill(self) -> None:
        """Show the current advice."""
        app = self._table_app
        if self._coach:
            head = Text("Coach                    Esc closes; h s d p and the other keys play on\n\n")
            drawn = head.append_text(app.coach_text(70))
        else:
            drawn = draw_log(app.model, 70, LONG, app.style_of_cards)
        self.query_one("#said", Static).update(drawn)
        if not self._coach:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    async def on_key(self, event: events.Key) -> None:
        """A key of the game closes the coach and acts."""
        if self._coach and event.character in LETTERS:
            event.stop()
            self.dismiss(None)
            await self._table_app.press(LETTERS[event.character])
            self._table_app.redraw()


class Settings(Over):
    """Settings for dealing and display."""

    CSS = BOX.format(name="Settings")

    def __init__(self, app: TableApp) -> None:
        super().__init__()
        self._table_app = app

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static(id="rows", markup=False)

    def on_mount(self) -> None:
        self.refill()

    def refill(self) -> None:
        """Show the current settings."""
        app = self._table_app
        style = app.style_of_cards
        rows = [
            "Settings                                                    Esc closes",
            "",
            f"p  pace         {app.pace}",
            f"u  cards        {'Unicode' if style.unicode else 'ASCII'}",
            f"4  colours      {'four' if style.four_colours else 'two'}",
        ]
        self.query_one("#rows", Static).update("\n".join(rows))

    async def on_key(self, event: events.Key) -> None:
        app = self._table_app
        style = app.style_of_cards
        match event.key:
            case "p":
                paces: list[Pace] = list(PACES)
                await app.set_pace(paces[(paces.index(app.pace) + 1) % len(paces)])
            case "u":
                app.style_of_cards = replace(style, unicode=not style.unicode)
            case "4":
                app.style_of_cards = replace(style, four_colours=not style.four_colours)
            case _:
                return
        event.stop()
        self.refill()
        app.redraw()


class Ask(ModalScreen[str]):
    """One line to type."""

    CSS = BOX.format(name="Ask")
    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss_it", "Close")]

    def __init__(self, model: Model) -> None:
        super().__init__()
        self._model = model

    def compose(self) -> ComposeResult:
        words = "A bet: 10, 10 +5, 1:10 2:20" if self._model.betting else "An action: d 7.50, i 2.50, hit"
        with VerticalScroll(classes="box"):
            yield Static(words, markup=False)
            yield Input()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())

    def action_dismiss_it(self) -> None:
        self.dismiss("")


class Sure(ModalScreen[bool]):
    """Whether to leave in the middle of a round."""

    CSS = BOX.format(name="Sure")

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="box"):
            yield Static("The round is on. Leave all the same? It does not count.   y yes   n no")

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss(event.key == "y")
