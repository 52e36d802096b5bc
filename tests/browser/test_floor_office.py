"""Pit, incidents, search and school: by mouse, by touch and by keys alone, clean for axe, printed."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from pontoon.school import exercise, exercise_steps, level_rules
from tests.browser.floor import FloorTable, floor_table, tabbed
from tests.browser.hall import Hall, People

pytestmark = pytest.mark.asyncio(loop_scope="session")

ROUND = ("Ks", "9d", "Qh", "9c", "8d")
"""Boxes 1 and 2, the dealer, and the second cards: 19 and 17."""


async def played(house: Hall, **more: Any) -> FloorTable:
    """A table with one finished round in which box 1 was void."""
    table = await floor_table(house, **more)
    for box in (1, 2):
        await table.give("Dan", {"type": "PlaceWager", "box": box, "player": f"Seat {box}", "stake": 2500})
    await table.give("Dan", {"type": "CallNoMoreBets"})
    for card in ROUND:
        await table.give("Dan", {"type": "Deal", "card": card})
    await table.give("Dan", {"type": "CallSupervisor", "reason": "Card on the wrong box: box 1"})
    await table.give("Grace", {"type": "VoidBox", "box": 1})
    await table.give("Grace", {"type": "Resume"})
    while (console := await table.console())["act"]["words"] != "Clear the table":
        if console["act"]["kind"] == "deal":
            await table.give("Dan", {"type": "Deal", "card": "7s"})
        elif console["act"]["kind"] == "ask":
            await table.give("Dan", {"type": "Stand", "box": console["act"]["box"], "player": "Seat 2"})
        else:
            await table.give("Dan", console["act"]["command"])
    await table.give("Dan", {"type": "Collect"})
    return table


async def test_the_pit_shows_who_called_and_leads_there_by_keys(house: Hall, people: People):
    table = await floor_table(house, name="Pit test")
    await table.give("Dan", {"type": "CallSupervisor", "reason": "a chip fell"})
    grace = await people.come("Grace")
    await grace.page.goto(f"{house.address}/pit")
    tile = grace.page.get_by_role("region", name="Pit test")
    await expect(tile).to_contain_text("Play is held: a chip fell")
    await grace.clean()
    alert = grace.page.locator(".alert", has_text="Pit test")
    await expect(alert).to_contain_text("a chip fell")
    await alert.locator("a").focus()
    await grace.page.keyboard.press("Enter")
    await expect(grace.page).to_have_url(re.compile(f"/desk/{table.id}$"))
    await grace.page.locator("#hold").focus()
    await grace.page.keyboard.press("Enter")
    await expect(grace.page.locator("#hold")).to_have_text("Hold play")


async def test_an_incident_is_listed_found_saved_and_printed(house: Hall, people: People):
    table = await played(house)
    number = f"{table.id}-1"
    carl = await people.come("Carl")
    page = carl.page
    await page.goto(f"{house.address}/incidents")
    await page.get_by_label("Table").fill(table.id)
    await page.get_by_label("Words").fill("grace void")
    await page.keyboard.press("Enter")
    await expect(page.locator("tbody tr")).to_have_count(1)
    await carl.clean()
    async with page.expect_download() as waiting:
        await page.get_by_role("button", name="CSV", exact=True).click()
    rows = _rows(await (await waiting.value).path())
    (row,) = [row for row in rows if row["incident"] == number]
    assert (row["what"], row["decision"], row["people"]) == (
        "Card on the wrong box: box 1",
        "Void box 1",
        "Dan; Grace",
    )
    await page.click(f"text={number}")
    await expect(page.locator(".report")).to_contain_text(f"Incident report {number}")
    await carl.clean()
    content = await page.pdf(format="A4")
    assert content.startswith(b"%PDF-")
    title = f"Incident {number}"
    assert title.encode() in content or title.encode("utf-16-be").hex().upper().encode() in content


def _rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))


async def test_a_round_is_found_by_touch_and_its_void_box_nets_nothing(house: Hall, people: People):
    table = await played(house)
    iris = await people.come("Iris", phone=True)
    page = iris.page
    await page.goto(f"{house.address}/search?table={table.id}")
    await expect(page.locator("tbody tr").first).to_contain_text("1")
    await page.get_by_label("Incident").select_option("with")
    await page.get_by_role("button", name="Search", exact=True).tap()
    shown = page.get_by_role("region", name="Round", exact=True)
    await expect(shown).to_contain_text(f"Table {table.id}, round 1")
    await expect(shown.locator("tbody tr").first).to_contain_text("19, void")
    await expect(shown.locator("tbody tr").first).to_contain_text("$0")
    await expect(shown.locator(".rack .one")).to_have_count(6)
    await iris.clean()
    await page.get_by_label("Player or seat").fill("Seat 7")
    await page.get_by_role("button", name="Search", exact=True).tap()
    await expect(page.get_by_text("No round was found.")).to_be_visible()


async def test_the_school_grades_by_keys_alone_and_the_trainer_sees_it(house: Hall, people: People):
    dan = await people.come("Dan")
    page = dan.page
    await page.goto(f"{house.address}/school?kind=rulings&seed=3")
    await expect(page.locator(".answer").first).to_be_visible()
    await page.keyboard.press("1")
    await expect(page.locator(".verdict")).to_contain_text("clause")
    await dan.clean()
    await page.keyboard.press("Enter")
    await expect(page.locator(".verdict")).to_have_count(0)
    await tabbed(page, "Payouts")
    await page.keyboard.press("Enter")
    await expect(page.locator("#amount")).to_be_visible()
    await page.keyboard.type("37.50")
    await expect(page.locator("#amount")).to_have_text("$37.50")
    await dan.clean()
    await page.keyboard.press("Escape")
    await page.keyboard.press("Enter")
    await expect(page.locator(".verdict")).to_be_visible()
    grace = await people.come("Grace")
    await grace.page.goto(f"{house.address}/school/class")
    await expect(grace.page.get_by_role("row", name=re.compile("^Dan"))).to_contain_text("2 exercises")
    await grace.clean()


async def test_a_round_is_dealt_in_the_school_and_each_wrong_step_is_named(house: Hall, people: People):
    don = await people.come("Don")
    page = don.page
    await page.goto(f"{house.address}/school?kind=procedure&seed=2&rulebook=canberra")
    asked = exercise_steps("procedure", "canberra", 1, 2)
    for one in asked:
        await expect(page.locator(".lesson")).to_contain_text(f"Step {one.step + 1} of {len(asked)}")
        wrong = next(place for place, words in enumerate(one.choices, 1) if words not in one.answers)
        await page.keyboard.press(str(wrong if one.step == 1 else one.choices.index(one.answers[0]) + 1))
        if one.step == 1:
            await expect(page.locator(".verdict")).to_contain_text("Wrong")
            await page.keyboard.press("Enter")
    whole = page.get_by_role("region", name="The whole exercise")
    await expect(whole).to_contain_text(f"of {len(asked)} steps right and in time")
    await expect(whole).to_contain_text(f"Step 2, wrong: {asked[1].answers[0]}")
    await don.clean()


async def test_a_level_rises_after_right_answers_in_a_row_and_says_what_leads_on(house: Hall, people: People):
    don = await people.come("Don")
    page = don.page
    await page.goto(f"{house.address}/school?kind=document&seed=1&rulebook=star")
    first, second = level_rules()["document"]
    towards = page.locator(".towards")
    await expect(towards).to_have_text(f"Level 2 after {first.streak} right answers in a row: 0 so far")
    for seed in range(1, first.streak + 1):
        one = exercise("document", "star", 1, seed)
        await expect(page.locator(".question")).to_contain_text(one.question)
        await page.keyboard.press(str(one.choices.index(one.answers[0]) + 1))
        await expect(page.locator(".verdict")).to_contain_text("Right")
        await expect(page.locator(".raised")).to_have_count(int(seed == first.streak))
        await page.keyboard.press("Enter")
        await expect(page.locator(".verdict")).to_have_count(0)
    await expect(page.get_by_role("button", name="Level 2")).to_have_attribute("aria-pressed", "true")
    await expect(towards).to_have_text(f"Level 3 after {second.streak} right answers in a row: 0 so far")
    await don.clean()
    await page.goto(f"{house.address}/school?kind=document&level=1&seed=1")
    await expect(page.locator(".answer").first).to_be_visible()
    await expect(page.get_by_role("button", name="Level 1")).to_have_attribute("aria-pressed", "true")
    grace = await people.come("Grace")
    await grace.page.goto(f"{house.address}/school/class")
    await grace.page.get_by_role("button", name="Don", exact=True).click()
    shown = grace.page.get_by_role("complementary", name="Person")
    await expect(shown).to_contain_text("The document: level 2")
    async with grace.page.expect_download() as waiting:
        await grace.page.get_by_role("button", name="CSV", exact=True).click()
    rows = _rows(await (await waiting.value).path())
    assert next(row["document level"] for row in rows if row["person"] == "Don") == "2"
    await grace.clean()


async def test_a_person_chooses_dark_colours_for_the_office_and_keeps_them(house: Hall, people: People):
    carl = await people.come("Carl")
    page = carl.page
    await page.goto(f"{house.address}/incidents")
    await expect(page.locator("html")).to_have_attribute("data-theme", "light")
    await page.get_by_role("button", name="Light or dark colours").click()
    await page.goto(f"{house.address}/search")
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await page.goto(f"{house.address}/pit")
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
