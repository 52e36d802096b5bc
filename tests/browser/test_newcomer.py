"""A stranger learns and plays: start page, lesson, one-tap play, drills, rules, without a form and on a phone too."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from playwright.async_api import Browser, expect

from tests.browser.hall import Hall, People
from tests.browser.lesson import LESSON

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_stranger_has_cards_after_one_press_and_bets_again_with_one_key(house: Hall, people: People):
    ann = await people.stranger()
    await ann.page.goto(house.address)
    await ann.click("#try-double")
    await expect(ann.see(".choices [role=status]")).to_contain_text(re.compile("You (win|lose)|A tie"))
    await ann.clean()
    await ann.click("#play-now")
    await expect(ann.box(4).locator(".card")).to_have_count(2)
    await expect(ann.box(4).locator(".wager.own")).to_contain_text("$5")
    await expect(ann.see(".ring")).to_be_hidden()  # nobody else waits
    await expect(ann.see("#prompt")).to_contain_text(re.compile("Your turn|Insurance|Surrender|You win"))
    for _ in range(8):  # until the round is over, whatever the cards
        await ann.see("#do-Hit, #do-No, #do-Keep, #done").and_(ann.page.locator(":visible")).first.wait_for()
        if await ann.see("#done").is_visible():
            break
        for key in ("n", "k", "s", "h"):
            await ann.keys(key)
    await expect(ann.see("#prompt b")).to_have_text(re.compile(r"You (win|lose) \$|A tie: your bet comes back"))
    await expect(ann.see("#done")).to_have_text("Rebet $5")
    await ann.keys("Enter")
    await expect(ann.box(4).locator(".card")).to_have_count(2)
    await ann.click("#home")
    await expect(ann.see("#back")).to_be_visible()  # the way back to the hand


@pytest.mark.parametrize("phone", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["desktop", "phone"])
async def test_the_lesson_is_played_from_the_first_hand_to_the_last(house: Hall, people: People, phone: bool):
    ann = await people.stranger(phone=phone)
    await ann.page.goto(f"{house.address}/learn")
    for number, actions in enumerate(LESSON, 1):
        await expect(ann.see(".dots")).to_have_text(f"Hand {number} of {len(LESSON)}")
        for action in actions:
            asked = ann.see(f"#do-{action}.asked-for")
            await (asked.tap() if phone else asked.click())
        if number == 1:
            await ann.clean()
        await ann.click("#next")
    await expect(ann.see("h1")).to_have_text("You know the game")


async def test_a_drill_says_what_each_choice_is_worth_and_why(house: Hall, people: People):
    ann = await people.stranger()
    await ann.page.goto(f"{house.address}/train?position=canberra%7C8%7CKs6h%7C6d")
    await ann.see("#choose-hit").click(timeout=90_000)
    await expect(ann.see(".drill-side h2")).to_have_text("Stand was better", timeout=90_000)
    await expect(ann.see(".why-box")).to_contain_text("let the dealer take the risk")
    await expect(ann.see(".worths tr")).to_have_count(3)
    await ann.clean()
    await ann.click("#show-progress")
    await expect(ann.see(".drill-side")).to_contain_text("1 hand answered")
    await ann.button("Delete my progress")
    await expect(ann.see(".drill-side")).to_contain_text("Answer a few hands first")


async def test_a_rulebook_has_a_readable_page(house: Hall, people: People):
    ann = await people.stranger()
    await ann.page.goto(f"{house.address}/rules/adelaide")
    await expect(ann.see(".payouts tr").first).to_contain_text("3 to 2")
    await expect(ann.see(".payouts tr", has_text="Perfect Pairs").first.locator("svg").first).to_be_visible()
    await expect(ann.see("#chapter-wagers")).to_be_visible()
    await expect(ann.see("#differs + details")).to_be_attached()
    await ann.see("#show-clauses").check()
    await expect(ann.see(".says-list .clause").first).to_be_visible()
    await ann.clean()


def titled(name: str) -> str:
    return name.replace("-", " ").title()


async def test_trainer_rules_and_school_list_the_rulebooks_of_the_server(house: Hall, people: People):
    listed = await house.ask("/api/rulebooks")
    names = [book["name"] for book in listed["rulebooks"]]
    ann = await people.come("Ann")
    await ann.page.goto(f"{house.address}/train")
    await expect(ann.see("#drill-book option")).to_have_text([titled(name) for name in names])
    await expect(ann.see("#drill-book")).to_have_value(listed["usual"])
    await expect(ann.see(".drill-choices .action").first).to_be_visible()
    await ann.page.goto(f"{house.address}/rules")
    usual = ann.see(".rules-page nav [aria-current=page]")
    await expect(usual).to_have_attribute("href", f"/rules/{listed['usual']}")
    await ann.page.goto(f"{house.address}/school")
    await expect(ann.see(".choice[aria-label=Rulebook] button")).to_have_text(
        [name.replace("-", " ").title() for name in listed["shipped"]]
    )
    await expect(ann.see(".choice[aria-label=Rulebook] [aria-pressed=true]")).to_have_text(
        listed["usual"].replace("-", " ").title()
    )
    await expect(ann.see(".question")).to_be_visible()
    await ann.clean()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)], ids=["upright", "lying"])
async def test_a_phone_shows_dealer_hand_and_actions_at_once(house: Hall, people: People, width: int, height: int):
    table = await house.table("canberra", "8s 6d 8h Kc 9h Qh 9c")
    ann = await people.come("Ann", phone=True)
    await ann.page.set_viewport_size({"width": width, "height": height})
    await ann.at(table)
    await ann.box(4).locator(".spot").tap()
    await ann.see("#done[aria-disabled=false]").wait_for()
    bar = await ann.see("#rail").bounding_box()
    await ann.see("#done").tap()
    await ann.asked("Your turn: box 4, 16")
    for selector in ("#do-Hit", "#do-Stand", "#do-Double", "#do-Split", ".dealer .card", ".stage .cards"):
        place = await ann.see(selector).first.bounding_box()
        assert place is not None
        assert place["y"] >= 0, selector
        assert place["y"] + place["height"] <= height, selector
        assert place["x"] + place["width"] <= width, selector
    assert await ann.see("#rail").bounding_box() == bar  # the bar keeps its size, so nothing moves
    await ann.see("#do-Split").tap()
    for hand in (1, 2):
        await expect(ann.box(4).locator(f"[data-hand='{hand}'].playing")).to_be_visible()
        await ann.see("#do-Stand").tap()
    await ann.asked("You win $10")
    await expect(ann.see("#done")).to_have_text("Rebet $5")
    assert await ann.see("#rail").bounding_box() == bar


async def test_the_page_can_be_installed_and_says_when_it_is_offline(house: Hall, people: People):
    ann = await people.stranger()
    await ann.page.goto(house.address)
    manifest = await ann.page.evaluate("fetch('/static/manifest.webmanifest').then((told) => told.json())")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert manifest["display"] == "standalone"
    await ann.page.goto(f"{house.address}/static/offline.html")
    await expect(ann.see("h1")).to_have_text("You are offline")
    await ann.clean()


async def test_a_page_that_loses_its_server_says_that_it_is_offline(house: Hall, browser: Browser):
    context = await browser.new_context()
    page = await context.new_page()
    async with wire_to(house.port) as port:
        await page.goto(f"http://127.0.0.1:{port}/")
        await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        await expect(page.locator("#play-now")).to_be_visible()
        stored = await page.evaluate("caches.keys().then((names) => names.length)")
        assert stored == 1
    await page.goto(f"http://127.0.0.1:{port}/tables")
    await expect(page.locator("h1")).to_have_text("You are offline")
    await expect(page.get_by_role("link", name="Try again")).to_have_css("background-color", "rgb(242, 200, 100)")
    await context.close()


@asynccontextmanager
async def wire_to(port: int) -> AsyncIterator[int]:
    """Another port of the same server, which is cut off at the end."""
    open_wires: set[asyncio.StreamWriter] = set()

    async def carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        open_wires.add(sink)
        with suppress(OSError):
            while data := await source.read(65536):
                sink.write(data)
                await sink.drain()
        sink.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(carry(reader, back), carry(there, writer))

    server = await asyncio.start_server(connect, "127.0.0.1")
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for wire in open_wires:
            wire.close()


async def test_a_table_is_found_by_its_name(house: Hall, people: People):
    """With many tables open a keyboard or a screen reader needs no walk through all of them."""
    for number in range(6):
        await house.table("star", name=f"One of many {number}")
    wanted = await house.table("adelaide", name="The needle")
    ann = await people.come("Ann")
    await ann.lobby()
    await ann.see("#find-table").fill("needle")
    await expect(ann.see("#tables li")).to_have_count(1)
    await expect(ann.see("#tables h3")).to_have_text("The needle")
    await ann.page.get_by_role("searchbox").press("Tab")
    await expect(ann.see(f"#table-{wanted}")).to_be_focused()
    await ann.clean()
    await ann.see("#find-table").fill("Adelaide")
    await expect(ann.see("#tables")).to_contain_text("The needle")
    await ann.see("#find-table").fill("nothing like it")
    await expect(ann.see("#tables li")).to_have_count(0)
    await expect(ann.see("#tables-title ~ [role=status]")).to_contain_text("0 of ")
