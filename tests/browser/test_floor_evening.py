"""A floor evening in Chromium: rounds, errors ruled by two persons, a shift change, cash-outs, the closing count."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.evening import Evening, evening, typed
from tests.browser.floor import floor_table
from tests.browser.hall import Hall, People
from tests.browser.troubles import TROUBLES, exposed, void_box

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def opened(house: Hall, people: People, rounds: int, boxes: tuple[int, ...], *names: object) -> Evening:
    """A table with a float, walk-ups with chips, and what will go wrong in which round."""
    table = await floor_table(house, "adelaide", packs=8)
    tonight = await evening(people, table, boxes=boxes)
    await tonight.open_float()
    for box in tonight.boxes:
        await tonight.exchange("Buy-in", f"Seat {box}", 200_000)
    wanted = [row for row in TROUBLES if not names or row[1] in names]
    for place, (moment, trouble, cards) in enumerate(wanted):
        number = 2 + place * max(1, (rounds - 2) // len(wanted))
        tonight.troubles[number] = (moment, trouble)
        tonight.forced[number] = cards
    return tonight


async def changed_dealer(tonight: Evening) -> None:
    """Don signs in at Dan's tablet and takes over."""
    page = tonight.page
    await page.click("text=Menu")
    await page.click("text=Next dealer")
    await page.get_by_label("Name").fill("Don")
    await page.get_by_label("Password").fill(tonight.table.house.passwords["Don"])
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await page.click("#take-over")
    await expect(page.locator("header")).to_contain_text("Dealer Don")
    await expect(page.locator("#take-over")).to_have_count(0)
    tonight.on_duty = "Don"


async def closed(tonight: Evening) -> None:
    """Everyone cashes out, the count agrees with the record, and the supervisor closes the table."""
    page = tonight.page
    for box in tonight.boxes:
        player = f"Seat {box}"
        await tonight.exchange("Cash-out", player, tonight.chips[player])
    told = await tonight.table.console()
    assert {row["player"]: row["chips"] for row in told["patrons"]} == {f"Seat {box}": 0 for box in tonight.boxes}
    await tonight.cashier("Closing count")
    await tonight.count(tonight.tray)
    await expect(page.locator(".big-sum")).to_contain_text("agrees")
    await tonight.record()
    told = await tonight.table.console()
    assert (told["tray"], told["off"]) == (tonight.tray, 0)


async def reports(tonight: Evening) -> None:
    """The printed report of each incident says what happened here."""
    page, table = tonight.desk["Carl"], tonight.table
    await page.goto(f"{table.house.address}/incidents")
    await page.get_by_label("Table").fill(table.id)
    await page.get_by_role("button", name="Search", exact=True).click()
    await expect(page.locator("tbody tr")).to_have_count(len(tonight.wrong))
    for number, wrong in enumerate(tonight.wrong, 1):
        await page.goto(f"{table.house.address}/incidents/{table.id}/{number}")
        await page.emulate_media(media="print")
        report = page.locator(".report")
        await expect(report).to_contain_text(f"Incident report {table.id}-{number}")
        words: Any = await report.inner_text()
        for part in (wrong.said, wrong.ruled, *wrong.people, f"{wrong.round}, {wrong.shoe}"):
            assert part in words, (part, words)
        state = "approved" if wrong.second else "closed"
        await expect(report.locator(".tag")).to_have_text(state)
    await page.emulate_media(media="screen")


def replayed(house: Hall) -> str:
    """What `pontoon verify log --replay` says."""
    command = [sys.executable, "-m", "pontoon", "verify", "log", "--data", str(house.nursery.folder), "--replay"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


async def test_a_short_evening_balances_and_is_replayed(house: Hall, people: People):
    tonight = await opened(house, people, 4, (1, 3), exposed, void_box)
    await tonight.play(2)
    await changed_dealer(tonight)
    await tonight.play(2)
    assert [wrong.ruled for wrong in tonight.wrong][1:] == ["Void box 3"]
    await closed(tonight)
    await reports(tonight)
    assert "trial balance 0" in replayed(house)


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_an_evening_of_forty_rounds(house: Hall, people: People):
    tonight = await opened(house, people, 40, (1, 3, 5))
    await tonight.play(13)
    await tonight.slip("Fill", 100_000, "88214")
    await tonight.play(7)
    await changed_dealer(tonight)
    await tonight.play(13)
    await tonight.slip("Credit", 50_000, "88215")
    await tonight.play(7)
    assert (await tonight.table.view())["number"] == 40
    approved = [wrong for wrong in tonight.wrong if wrong.second]
    assert len({wrong.ruled for wrong in approved}) >= 12
    await closed(tonight)
    await reports(tonight)
    said = replayed(house)
    assert "trial balance 0" in said
    figures = f"{tonight.cards} cards, {len(approved)} of {len(tonight.wrong)} incidents approved by a second person"
    sys.stdout.write(f"{figures}, tray {typed(tonight.tray)}\n{said}")  # seen with -s
