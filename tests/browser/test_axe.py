"""Every page and state without a violation that axe can find, in the dark and in the light."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

import pontoon.web
from tests.browser.hall import PATIENT, PHONE, Hall, People

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGES_OF_A_PLAYER = {
    "/review": "19 against a 6",
    "/players": "Leaderboard",
    "/me": "Review my rounds",
    "/": "what would you do?",
}
"""Each with words that show that it is complete."""
PAGES_OF_ANYONE = {
    "/learn": "Get closer to 21",
    "/rules": "What a win pays",
    "/rules/adelaide": "What differs elsewhere",
    "/train": "What would you do?",
}
ELSEWHERE = {
    "t": "test_axe.py",
    "tables": "test_axe.py",
    "lab": "test_lab.py",
    "hand": "test_sharing.py",
    "tournament": "test_tournaments.py",
    "screen": "test_tournaments.py",
    "conditions": "test_tournaments.py",
}
"""Kinds of pages that are not opened by their address alone, and the tests that look at them."""


async def test_the_lobby_and_its_dialogs(house: Hall, people: People):
    await house.table("canberra", name="A table to look at")
    ann = await people.stranger()
    await ann.lobby()
    await expect(ann.see("#tables li").first).to_be_visible()
    await ann.see("#door summary").click()
    await ann.see("#by-link summary").click()
    await ann.clean()
    await ann.see("#guest-name").fill("Ann")
    await ann.button("Play as guest")
    await ann.see("#door summary").click()
    await ann.click("#book-adelaide")
    await expect(ann.see("#telling li").first).to_be_visible()
    await ann.clean()
    for opener in ("#make-table", "#settings", "#help"):
        await ann.click(opener)
        await expect(ann.see("dialog")).to_be_visible()
        for summary in await ann.see("dialog summary").all():
            await summary.click()
        await ann.clean()
        await ann.keys("Escape")


@pytest.mark.parametrize(
    "phone", [pytest.param(False, id="desktop"), pytest.param(True, id="phone", marks=pytest.mark.slow)]
)
async def test_a_table_from_the_first_wager_to_the_results(house: Hall, people: People, phone: bool):
    table = await house.table("federal", "8s Ad 8h Kc Kd Qh 9d")
    ann = await people.come("Ann", phone=phone)
    nobody = await people.stranger(phone=phone)
    await nobody.at(table)
    await nobody.clean()
    await ann.at(table)
    await ann.chip(500)
    await ann.tap(1)
    await ann.clean()
    await ann.done()
    await ann.asked("Insurance for $2.50?")
    await ann.clean()
    await ann.press("Insure")
    await ann.asked("Surrender half your bet?")
    await ann.press("No")
    await ann.press("Split")
    await ann.cards(1, "8s", "Kc", hand=1)
    await ann.clean()
    await ann.press("Stand")
    await ann.cards(1, "8h", "Kd", hand=2)
    await ann.press("Stand")
    await ann.cards(0, "Ad", "Qh")
    await ann.clean()


async def test_every_panel(house: Hall, people: People):
    table = await house.table("adelaide", practice=True, clocks=PATIENT | {"decision": 0, "offer": 0})
    ann, grace = await people.come("Ann"), await people.come("Grace")
    await ann.at(table)
    await ann.wager(1)
    await ann.told("Round 1: ")
    for panel in ("history", "fairness", "asif"):
        found = await ann.panel(panel)
        await expect(found.locator("h2")).to_be_visible()
        if panel == "history":
            await found.get_by_role("button", name="Replay round 1").click()
            await expect(found.locator("pontoon-table .cloth")).to_be_visible()
        await ann.clean()
    await grace.at(table)
    desk = await grace.panel("desk")
    await expect(desk.locator("table").first).to_be_visible()
    await grace.clean()
    await ann.see("pontoon-spoken .cite").last.click()
    await expect(ann.see("pontoon-why dd").first).to_be_visible()
    await ann.clean()


@pytest.mark.parametrize("theme", ["dark", pytest.param("light", marks=pytest.mark.slow)])
async def test_looking_back_and_the_leaderboard_on_a_phone(house: Hall, people: People, theme: str):
    table = await house.table("canberra", "Ks 6d 9h 5c 7h")
    ann = await people.come("Ann", phone=True, theme=theme)
    await ann.at(table)
    await ann.chip(2500)
    await ann.tap(1)
    await ann.done()
    await ann.press("Hit")
    await ann.told("Round 1: Ann")
    for path, words in PAGES_OF_A_PLAYER.items():
        await ann.page.goto(f"{house.address}{path}")
        await expect(ann.see("main")).to_contain_text(words, timeout=90_000)
        assert await ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert await ann.page.evaluate("innerWidth") == PHONE["width"], path
        await ann.clean()


async def test_the_pages_of_a_stranger(house: Hall, people: People):
    ann = await people.stranger()
    for path, words in PAGES_OF_ANYONE.items():
        await ann.page.goto(f"{house.address}{path}")
        await expect(ann.see("main")).to_contain_text(words)
        await ann.clean()
    await ann.click("#show-chart")
    await expect(ann.see("#print-chart")).to_be_visible(timeout=90_000)
    await ann.clean()
    await ann.click("#show-progress")
    await expect(ann.see(".drill-side")).to_contain_text("Answer a few hands first")
    await ann.clean()


async def test_every_kind_of_page_is_looked_at():
    """The router knows no page that these tests do not."""
    router = (Path(pontoon.web.__file__).parent / "static" / "app.js").read_text()
    listed = re.search(r"const PAGES = {(.+?)};", router, re.DOTALL)
    assert listed
    kinds = set(re.findall(r"(\w+): \"\./", listed[1]))
    here = {path.split("/")[1] for path in (*PAGES_OF_A_PLAYER, *PAGES_OF_ANYONE)} - {""}
    assert kinds == here | set(ELSEWHERE)
    for name in set(ELSEWHERE.values()):
        assert ".clean()" in (Path(__file__).parent / name).read_text()
