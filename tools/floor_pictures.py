"""Make the pictures of the floor in docs/pictures: console, desk, pit, incident, school and administration.

python tools/floor_pictures.py            # all of them
python tools/floor_pictures.py desk       # those with this word in their names
"""

from __future__ import annotations

import asyncio
import sys
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.async_api import expect

from pontoon.cards import PACK
from pontoon.school import KINDS, exercise, exercise_steps
from tests.browser.floor import FloorTable, at_console, floor_table
from tests.browser.hall import Hall, People
from tools.pictures import SCENES, keep, main, scene

SCENES.clear()
WIDE, PIT, PAPER = {"width": 1366, "height": 900}, {"width": 1440, "height": 900}, {"width": 860, "height": 1180}
ROUNDS = 5
ANSWERS, MISTAKE = 7, 5
"""Payouts in the school, and which answer is wrong there and in the procedure."""
DEALERS = ("Ines", "Tom", "Rua", "Priya", "Hugo", "Lee")
STAKES = {1: 5000, 2: 10_000, 3: 2500, 5: 2500, 6: 7500}


async def dealt(table: FloorTable, cards: str, stakes: dict[int, int]) -> None:
    """Wagers, the call and these cards."""
    for box, stake in stakes.items():
        await table.give("Dan", {"type": "PlaceWager", "box": box, "player": f"Seat {box}", "stake": stake})
    await table.give("Dan", {"type": "CallNoMoreBets"})
    for card in cards.split():
        await table.give("Dan", {"type": "Deal", "card": card})


@scene
async def console(house: Hall, people: People) -> None:
    """A card is due; then the settlement."""
    table = await floor_table(house)
    await table.give("Dan", {"type": "ChangeDealer", "dealer": "Dan"})
    await table.give("Dan", {"type": "MoveChips", "kind": "opening", "amount": 1_000_000, "slip": "88213"})
    await dealt(table, "Ks 9d 8s Jh 6c 6d 7h 4c 8c Ac 5h", STAKES)
    dan = await at_console(people, table)
    while (await table.view())["round"]["stage"] != "decision":
        await dan.page.keyboard.press(" ")
        await expect(dan.page.locator(".console")).to_have_attribute("data-busy", "0")
    await dan.page.keyboard.press("Shift+Space")
    await dan.page.keyboard.press("s")
    await expect(dan.page.locator(".band .big")).to_have_text("Seat 2 decides")
    await keep(dan, "console", of="floor")
    while (await table.view())["phase"] == "round":
        act = (await table.console())["act"]
        await table.give("Dan", await decision(table) if act["kind"] == "ask" else {"type": "Deal", "card": "7s"})
    await expect(dan.page.locator(".pay-line").nth(3)).to_be_visible()
    await dan.page.keyboard.press(" ")
    await keep(dan, "settlement", of="floor")


@scene
async def desk(house: Hall, people: People) -> None:
    """A ruling from kind to preview, and the second person with the same."""
    table = await floor_table(house, "adelaide", name="Table 2")
    await dealt(table, "Ks 9d Jh 6d 7h 4c 2s", {1: 5000, 2: 10_000, 3: 2500})
    await table.give("Dan", {"type": "CallSupervisor", "reason": "Card on the wrong box: 4 of clubs"})
    grace = await at_console(people, table, "Grace", "desk")
    await grace.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    await grace.page.locator(".remedy", has_text="Lay the hands").click()
    await grace.page.locator(".order-card").nth(3).click()
    await grace.page.locator(".order-card").nth(5).click()
    await grace.page.get_by_role("button", name="Preview", exact=True).click()
    await expect(grace.page.locator("#confirm-ruling")).to_be_visible()
    await keep(grace, "desk", of="floor")
    await grace.page.keyboard.press("Control+Enter")
    iris = await at_console(people, table, "Iris", "desk")
    await expect(iris.page.locator("#approve")).to_be_visible()
    await keep(iris, "second-person", of="floor")
    await iris.page.click("#approve")
    await expect(iris.page.locator(".good")).to_be_visible()
    await table.give("Grace", {"type": "Resume"})
    await iris.page.set_viewport_size(PAPER)  # type: ignore[arg-type]
    await iris.page.goto(f"{house.address}/incidents/{table.id}/1")
    await expect(iris.page.locator(".report")).to_be_visible()
    await iris.page.emulate_media(media="print")
    await keep(iris, "incident", of="floor")


@scene
async def pit(house: Hall, people: People) -> None:
    """Six tables, of which two need somebody."""
    books = ("canberra", "adelaide", "division-15", "star", "federal", "canberra")
    tables = [await floor_table(house, book, name=f"Table {place}") for place, book in enumerate(books, 1)]
    for place, table in enumerate(tables):
        await table.give("Dan", {"type": "MoveChips", "kind": "opening", "amount": 1_000_000})
        await table.give("Grace", {"type": "ChangeDealer", "dealer": DEALERS[place]})
        await rounds(table, Random(place))  # noqa: S311 for pictures
        stakes = {box: 2500 * (1 + (box + place) % 4) for box in range(1, 8) if (box + place) % 4 or box == 1}
        for box, stake in stakes.items():
            await table.give("Dan", {"type": "PlaceWager", "box": box, "player": f"Seat {box}", "stake": stake})
    await tables[1].give("Dan", {"type": "CallNoMoreBets"})
    for card in ["Ks", "9d", "Jh", "6d", "7h", "4c", "2s", "8c", "5d"]:
        if (await tables[1].console())["act"]["kind"] == "deal":
            await tables[1].give("Dan", {"type": "Deal", "card": card})
    await tables[1].give("Grace", {"type": "VoidBox", "box": next(iter(sorted(await boxes(tables[1]))))})
    await tables[3].give("Dan", {"type": "CallSupervisor", "reason": "Wrong payment or dispute: Seat 4"})
    carl = await people.come("Carl")
    await carl.page.set_viewport_size(PIT)  # type: ignore[arg-type]
    await carl.page.goto(f"{house.address}/pit")
    await expect(carl.page.locator(".alert").nth(1)).to_be_visible()
    await keep(carl, "pit", of="floor")


async def rounds(table: FloorTable, chance: Random) -> None:
    """A few rounds on two boxes."""
    while True:
        act = (await table.console())["act"]
        if act["words"] == "Place your bets":
            if (await table.view())["number"] == ROUNDS:
                return
            await dealt(table, "", {box: 2500 * chance.randint(1, 4) for box in (2, 3)})
        elif act["kind"] == "deal":
            await table.give("Dan", {"type": "Deal", "card": str(chance.choice(PACK))})
        elif act["kind"] == "ask":
            await table.give("Dan", await decision(table))
        else:
            await table.give("Dan", act["command"])


async def decision(table: FloorTable) -> dict[str, Any]:
    """Stand where that is allowed, else hit."""
    rows = (await table.view())["round"]["choices"]
    allowed = {command["type"]: command for row in rows for command in row.get("allowed", ())}
    found: dict[str, Any] = allowed.get("Stand") or allowed["Hit"]
    return found


async def boxes(table: FloorTable) -> list[int]:
    """The boxes with a wager."""
    return [box["number"] for box in (await table.view())["round"]["boxes"]]


@scene
async def school(house: Hall, people: People) -> None:
    """A payout after a few answers; a step of a round; the class."""
    dan = await people.come("Dan")
    page = dan.page
    await page.set_viewport_size({"width": 1180, "height": 820})
    await page.goto(f"{house.address}/school?kind=payouts&seed=1&rulebook=canberra")
    for seed in range(1, ANSWERS + 1):
        await expect(page.locator("#amount")).to_be_visible()
        more = 500 if seed == MISTAKE else 0
        await page.keyboard.type(f"{(int(exercise('payouts', 'canberra', 1, seed).answers[0]) + more) / 100:g}")
        if seed < ANSWERS:
            await page.keyboard.press("Enter")
            await page.click("#next")
    await keep(dan, "school", of="floor")
    await page.goto(f"{house.address}/school?kind=procedure&seed=4&level=2&rulebook=canberra")
    for one in exercise_steps("procedure", "canberra", 2, 4)[:11]:
        await expect(page.locator(".lesson")).to_contain_text(f"Step {one.step + 1} of")
        place = one.choices.index(one.answers[0]) if one.step != MISTAKE else 0
        await page.keyboard.press(str(place + 1))
        if one.step == MISTAKE:
            await page.click("#next")
    await expect(page.locator(".lesson")).to_contain_text("Step 12 of")
    await keep(dan, "school-round", of="floor")
    await learned(house)
    grace = await people.come("Grace")
    await grace.page.set_viewport_size({"width": 1440, "height": 720})
    await grace.page.goto(f"{house.address}/school/class")
    await expect(grace.page.locator("tbody tr").nth(3)).to_be_visible()
    await keep(grace, "class", of="floor")


@scene
async def administration(house: Hall, people: People) -> None:
    """The overview of the administration."""
    await floor_table(house, name="Table 4")
    await floor_table(house, "adelaide", name="Table 5")
    otto = await people.come("Otto")
    await otto.page.set_viewport_size(PIT)  # type: ignore[arg-type]
    await otto.page.goto(f"{house.address}/admin")
    await otto.page.get_by_role("button", name="Back up now").click()
    await expect(otto.page.get_by_role("button", name="Verify pontoon-")).to_have_count(1)
    await otto.page.get_by_role("button", name="Trial balance").click()
    await expect(otto.page.get_by_role("status")).to_contain_text("Balanced")
    await otto.page.locator("#notice").evaluate("line => (line.hidden = true)")
    await keep(otto, "administration", of="floor")


async def learned(house: Hall) -> None:
    """Three dealers answer a few exercises of each kind, some of them wrongly."""
    for skill, name in enumerate(("Don", "Dora", "Otto")):
        _, token = await house.official(name)
        for kind, seed in product(KINDS, range(4)):
            one = exercise(kind, "canberra", 1, seed)
            given = one.answers[0] if (seed + len(kind)) % (skill + 2) else "0"
            asked = {"kind": kind, "rulebook": "canberra", "level": 1, "seed": seed, "answer": given}
            await house.ask("/api/school/answers", asked | {"took": 3000 + 700 * skill + 150 * seed}, token)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else ""))
