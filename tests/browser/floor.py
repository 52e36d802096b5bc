"""A floor table in a real browser: opened through the API, dealt at the console."""

from __future__ import annotations

import secrets
from typing import Any

from playwright.async_api import Page, expect

from tests.browser.hall import Hall, People, Person

TABLET = {"width": 1180, "height": 820}
BY = {"game_supervisor": "Grace", "casino_supervisor": "Carl", "inspector": "Iris"}


class FloorTable:
    """A table dealt by a person, and the tokens of those who work at it."""

    def __init__(self, house: Hall, table: str, tokens: dict[str, str]) -> None:
        self.house = house
        self.id = table
        self.tokens = tokens

    async def give(self, who: str, command: dict[str, Any]) -> None:
        """A command of one of the officials."""
        body = {"key": secrets.token_hex(8), "command": command}
        await self.house.ask(f"/api/tables/{self.id}/commands", body, self.tokens[who])

    async def console(self) -> Any:
        return await self.house.ask(f"/api/tables/{self.id}/console", token=self.tokens["Dan"])

    async def view(self) -> Any:
        seen = (await self.house.seen(self.id))["view"]
        return {"number": 0, "round": None, **seen}


async def floor_table(house: Hall, rulebook: str = "canberra", **settings: Any) -> FloorTable:
    """A floor table that is open, with a shoe ready for wagers."""
    tokens = {name: (await house.official(name))[1] for name in ("Dan", "Grace", "Carl", "Iris")}
    limits = {"minimum": 500, "maximum": 50_000, "smallest_chip": 250}
    wanted = {"rulebook": rulebook, "mode": "floor", "name": "Table 4", **limits, **settings}
    told = await house.ask("/api/tables", wanted, tokens["Grace"])
    table = FloorTable(house, told["id"], tokens)
    for _ in range(12):
        act = (await table.console())["act"]
        if act["kind"] == "ask":
            return table
        if act["command"] is None:  # new cards are shown to the first player
            await table.give("Dan", {"type": "Sit", "player": "Seat 1", "box": 1})
            await table.give("Dan", {"type": "ShowCards", "player": "Seat 1"})
            continue
        who = "Grace" if act["command"]["type"] == "Open" else BY.get(act["by"], "Dan")
        await table.give(who, act["command"])
    raise AssertionError("the table never opens")


async def at_console(
    people: People, table: FloorTable, name: str = "Dan", path: str = "floor", *, touch: bool = False
) -> Person:
    """Someone with a tablet at this table."""
    person = await people.come(name, phone=touch)
    await person.page.set_viewport_size(TABLET)  # type: ignore[arg-type]
    await person.page.goto(f"{table.house.address}/{path}/{table.id}")
    if path == "floor":
        await expect(person.page.locator(".band .big")).not_to_be_empty()
    return person


async def tabbed(page: Page, words: str, most: int = 60) -> None:
    """Press Tab until what has the focus reads like this."""
    for _ in range(most):
        await page.keyboard.press("Tab")
        if words == await page.evaluate("document.activeElement.textContent.trim()"):
            return
    raise AssertionError(f"{words} cannot be reached by Tab")
