"""A whole evening at a floor table: a dealer at the console, a supervisor and a second person at the desk.

The shoe, the chips and the list of what went wrong are kept here, apart from the server, and compared with it at
the end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from playwright.async_api import Page, expect

from pontoon.cards import PACK
from tests.browser.floor import FloorTable, at_console
from tests.browser.hall import People, Person

LOW = 15
"""A player below this draws."""
FLOAT = 1_000_000
WORTHS = (50_000, 10_000, 2500, 500, 250, 100)
"""Chips in the tray, in cents."""
AMOUNT = re.compile(r"\$([\d,]+(?:\.\d\d)?)")
SIGNS = {"pay": 1, "give_back": 1, "take": -1, "take_back": -1, "leave": 0}


def cents(words: str) -> int:
    """The first amount in some words."""
    found = AMOUNT.search(words)
    assert found is not None, words
    return round(float(found[1].replace(",", "")) * 100)


def typed(amount: int) -> str:
    return f"{amount / 100:.2f}"


@dataclass
class Wrong:
    """Something that went wrong, as it happened at the table."""

    round: int
    said: str
    """As the dealer reported it."""
    ruled: str
    """The ruling in words."""
    second: str
    """Who approved it; empty for one person's ruling."""
    people: tuple[str, ...]
    shoe: int
    """The number of the shoe."""


Trouble = Callable[["Evening"], Awaitable[None]]
Moment = Callable[[Any], bool]


@dataclass
class Evening:
    """The people, the shoe, the chips, and what went wrong so far."""

    people: People
    table: FloorTable
    desk: dict[str, Page]
    dealer: Person
    boxes: tuple[int, ...] = (1, 3, 5)
    chance: Random = field(default_factory=lambda: Random(7))
    shoe: list[str] = field(default_factory=list)
    tray: int = 0
    chips: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)
    troubles: dict[int, tuple[Moment, Trouble]] = field(default_factory=dict)
    forced: dict[int, list[str]] = field(default_factory=dict)
    """Cards that come first in a round."""
    on_duty: str = "Dan"
    cards: int = 0
    """Cards entered."""

    @property
    def page(self) -> Page:
        return self.dealer.page

    # --- the dealer ---

    async def settled(self) -> Any:
        """The table when the console has sent everything."""
        await expect(self.page.locator(".console")).to_have_attribute("data-busy", "0")
        return await self.table.view()

    async def key(self, key: str) -> None:
        await self.page.keyboard.press(key)

    async def deal(self, card: str = "") -> str:
        card = card or self.next_card()
        await self.page.keyboard.type(card.lower())
        self.cards += 1
        return card

    def next_card(self) -> str:
        return self.shoe.pop()

    def bring(self, cards: list[str]) -> None:
        """Let these cards come next: chance is data."""
        for card in cards:
            self.shoe.remove(card)
        self.shoe += cards[::-1]

    def shuffled(self, packs: int) -> None:
        self.shoe = [str(card) for card in PACK] * packs
        self.chance.shuffle(self.shoe)

    async def play(self, rounds: int) -> None:
        """Rounds in a row, each from the wagers to the cleared table."""
        for _ in range(rounds):
            await self.one_round()

    async def one_round(self) -> None:
        view = await self.prepared()
        number = view["number"] + 1
        self.bring(self.forced.get(number, []))
        again = self.page.locator("#again-bets")
        if await again.count():
            await again.click()
        else:
            for box in self.boxes:
                await self.page.click(f"#box-{box}")
                await self.page.click("#chip-2500")
        await self.key(" ")
        moment, trouble = self.troubles.get(number, (lambda _: False, None))
        while (view := await self.settled())["phase"] == "round":
            if trouble is not None and moment(view):
                await trouble(self)
                trouble = None
                continue
            await self.act(view)
        await self.settle(None if trouble is None or not moment(view) else trouble)

    async def prepared(self) -> Any:
        """Until wagers are open: the console leads through shuffle, cut and cutting card."""
        for _ in range(30):
            view = await self.settled()
            act = (await self.table.console())["act"]
            if act["kind"] == "ask":
                return view
            if act["command"]["type"] == "Shuffle":
                self.shuffled(view["packs"])
            await self.key(" ")
            await expect(self.page.locator(".console")).to_have_attribute("data-busy", "0")
        raise AssertionError("wagers never open")

    async def act(self, view: Any) -> None:
        """The next card or decision; a card is also the decision to draw."""
        now = view["round"]
        box, hand = now.get("turn") or (0, 0)
        row: Any = next((place for place in now["boxes"] if place["number"] == box), None)
        if view["waits"].get("card_to") or (now["stage"] == "decision" and row["hands"][hand - 1]["total"] < LOW):
            await self.deal()
        elif now["stage"] == "decision":
            await self.key("s")
        else:
            await self.key(" ")

    async def settle(self, trouble: Trouble | None) -> None:
        """Move the chips exactly as the list says."""
        if trouble is not None:
            await trouble(self)
        await self.settled()
        for act, player, words in await self.lines():
            if SIGNS[act]:
                amount = SIGNS[act] * cents(words)
                self.chips[player] += amount
                self.tray -= amount
        await self.key("Shift+Space")
        await expect(self.page.locator(".band .big")).to_have_text("Clear the table")
        await self.key(" ")
        await self.settled()

    async def lines(self) -> list[tuple[str, str, str]]:
        """Act, player and words of each line of the settlement."""
        script = """lines => lines.map(line => [line.dataset.act,
            line.querySelector('.nm').firstChild.textContent, line.querySelector('b').textContent])"""
        return [tuple(line) for line in await self.page.locator(".pay-line").evaluate_all(script)]

    # --- chips ---

    async def cashier(self, what: str) -> None:
        await self.page.click("text=Menu")
        await self.page.click("text=Chips and float")
        if what:
            await self.page.get_by_role("button", name=what, exact=True).click()

    async def record(self, words: str = "Record it") -> None:
        await self.page.get_by_role("button", name=words, exact=True).click()
        await expect(self.page.locator("dialog")).to_have_count(0)

    async def count(self, amount: int) -> None:
        """Enter chips worth an amount, as they lie in the tray."""
        for worth in WORTHS:
            pieces, amount = divmod(amount, worth)
            await self.page.get_by_label(f"${typed(worth).removesuffix('.00')} chips", exact=True).fill(str(pieces))
        assert not amount, "the tray holds no smaller chips"

    async def open_float(self) -> None:
        await self.cashier("")
        await self.page.get_by_label("Float slip").fill("88213")
        await self.page.get_by_label("The slip says").fill(typed(FLOAT))
        await self.count(FLOAT)
        await self.record("Count agrees, open the float")
        self.tray = FLOAT

    async def exchange(self, what: str, player: str, amount: int) -> None:
        """A buy-in, or a cash-out."""
        await self.cashier(what)
        await self.page.locator(f'dialog [data-value="{player}"]').click()
        await self.page.get_by_label("Amount", exact=True).fill(typed(amount))
        await self.record()
        sign = 1 if what == "Buy-in" else -1
        self.chips[player] += sign * amount
        if what == "Buy-in":
            self.tray -= amount

    async def slip(self, what: str, amount: int, slip: str) -> None:
        """A fill, or a credit."""
        await self.cashier(what)
        await self.page.get_by_label("Amount", exact=True).fill(typed(amount))
        await self.page.get_by_label("Slip number").fill(slip)
        await self.record()
        self.tray += amount if what == "Fill" else -amount

    # --- what goes wrong ---

    async def report(self, what: str, details: str) -> str:
        """The dealer reports it, and play is held."""
        await self.key("F8")
        await self.page.locator("dialog").get_by_role("button", name=what, exact=True).click()
        await self.page.get_by_label("Details").fill(details)
        await self.page.get_by_role("button", name="Report", exact=True).click()
        await expect(self.page.locator(".band .verb")).to_have_text("Held")
        return f"{what}: {details}"

    async def rule(self, said: str, ruling: str, fields: dict[str, str], second: str = "Iris") -> None:
        """Grace rules, a second person sees the same and approves, and play goes on."""
        desk = self.desk["Grace"]
        await desk.locator(".remedy", has_text=ruling).first.click()
        if fields:
            for label, value in fields.items():
                await desk.get_by_label(label).fill(value)
            await desk.get_by_role("button", name="Preview", exact=True).click()
        await self.confirm(said, second)

    async def swap(self, said: str, ruling: str, places: tuple[str, str], second: str) -> None:
        """Grace lets two cards change places, each the second or only one with this label."""
        desk = self.desk["Grace"]
        await desk.locator(".remedy", has_text=ruling).first.click()
        for place in places:
            cards = desk.locator(".order-card", has=desk.get_by_text(place, exact=True))
            await cards.nth(min(1, await cards.count() - 1)).click()
        await desk.get_by_role("button", name="Preview", exact=True).click()
        await self.confirm(said, second)

    async def confirm(self, said: str, second: str) -> None:
        """Confirm what the preview shows, have it approved, and go on."""
        view, desk = await self.table.view(), self.desk["Grace"]
        await expect(desk.locator("#confirm-ruling")).to_be_visible()
        words = str(await desk.locator(".deed").evaluate("deed => deed.firstChild.textContent"))
        shown = await desk.locator(".desk-preview .two-pictures, .desk-preview table").all_inner_texts()
        code = await desk.locator(".desk-preview .quiet b").inner_text()
        await desk.keyboard.press("Control+Enter")
        if second:
            await self.approve(second, code, shown)
        await expect(desk.locator(".good")).to_be_visible()
        await desk.click("#hold")
        await expect(self.page.locator(".band .verb")).not_to_have_text("Held")
        people = tuple(filter(None, (self.on_duty, "Grace", second)))
        self.wrong.append(Wrong(view["number"], said, words.strip(), second, people, view["shoe"]["number"]))

    async def paid_otherwise(self, player: str, more: int) -> None:
        """The dealer enters that a player got more than was due, or that less was taken."""
        view = await self.settled()
        act, _, words = next(line for line in await self.lines() if line[1] == player)
        due = SIGNS[act] * cents(words)
        await self.key("e")
        await self.page.locator("dialog .choice .btn", has_text=player).first.click()
        paid = due + more
        await self.page.get_by_label("Amount paid or taken").fill(typed(abs(paid)))
        await self.record()
        self.chips[player] += more
        self.tray -= more
        said = f"Wrong payment, box {player[-1]}, {player}"
        self.wrong.append(Wrong(view["number"], said, "", "", (self.on_duty,), view["shoe"]["number"]))

    async def approve(self, second: str, code: str, shown: list[str]) -> None:
        desk = self.desk[second]
        await expect(desk.locator(".desk-preview .quiet b")).to_have_text(code)
        assert await desk.locator(".desk-preview .two-pictures, .desk-preview table").all_inner_texts() == shown
        await desk.click("#approve")
        await expect(desk.locator(".good")).to_be_visible()


async def evening(people: People, table: FloorTable, **more: Any) -> Evening:
    """Everyone is at work; the float is not counted yet."""
    dealer = await at_console(people, table)
    desk = {name: (await at_console(people, table, name, "desk")).page for name in ("Grace", "Iris", "Carl")}
    made = Evening(people, table, desk, dealer, **more)
    made.shuffled(8)
    return made
