"""Whole sittings: by mouse, by keyboard alone, on a phone, with company, and over a line that breaks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from pontoon.server.rooms.room import IDLE_ROUNDS
from tests.browser.hall import Hall, People
from tests.server.crash import up

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_full_session_by_mouse(people: People):
    ann = await people.stranger()
    await ann.lobby()
    await ann.see("#guest-name").fill("Ann")
    await ann.button("Play as guest")
    await expect(ann.see("#wallet")).to_have_text("$1,000")
    await ann.click("#book-star")
    await expect(ann.see("#telling")).to_contain_text("At most 2 hands")
    await ann.click("#make-table")
    await ann.see("#new-name").fill("The mouse's table")
    await expect(ann.see("#new-rulebook")).to_have_value("star")
    await ann.see("#new-pace").select_option("at once")
    await ann.see("#new-bots").select_option("1")
    await ann.see("#new-cards").fill("Kh 8c 6d 9c 9s 9h 3c")
    await ann.button("Make the table")
    await expect(ann.box(7)).to_contain_text("Bot")
    await expect(ann.see(".sign .lesson")).to_contain_text("cards set up by Ann")
    await ann.chip(2500)
    await ann.tap(1)
    await ann.tap(1)
    await ann.click("#undo")
    await expect(ann.box(1).locator(".wager.own")).to_contain_text("$25")
    await expect(ann.see("#done")).to_have_text("Deal")
    await ann.done()
    await ann.cards(1, "Kh", "9c")
    await ann.press("Stand")
    await ann.result(1, "wins 1:1")
    await expect(ann.see("#net")).to_have_text("+$25")
    await expect(ann.see("#done")).to_have_text("Rebet $25")
    await ann.click("#twice")
    await expect(ann.box(1).locator(".wager.own")).to_contain_text("$50")
    await ann.click("#clear")
    await expect(ann.box(1).locator(".wager.own")).to_have_count(0)
    await expect(ann.see("#repeat")).to_have_count(0)  # the main button offers it
    await ann.keys("r")
    await expect(ann.box(1).locator(".wager.own")).to_contain_text("$25")
    await ann.click("#clear")
    await expect(ann.box(1).locator(".wager.own")).to_have_count(0)
    await ann.click("#leave")
    await expect(ann.see("#leave")).to_have_count(0)
    await ann.click("#home")
    await ann.see("#nav a", has_text="Tables").click()
    await expect(ann.see("#tables")).to_contain_text("The mouse's table")
    await ann.click("#sign-out")
    await expect(ann.see("#guest-name")).to_be_visible()


async def test_a_full_session_by_keyboard_alone(house: Hall, people: People):
    table = await house.table("canberra", "Kh 6d 6c 5h Kd 8s", name="A table for keys")
    ann = await people.stranger(settings={"guard": True})
    await ann.lobby()
    await ann.page.keyboard.press("Tab")
    await expect(ann.see(".skip")).to_be_focused()
    await tab_to(ann, "#guest-name")
    await ann.page.keyboard.type("Ann")
    await ann.keys("Enter")
    await expect(ann.see("#name")).to_have_text(re.compile("Ann"))
    await tab_to(ann, f"#table-{table}")
    await ann.keys("Enter")
    await ann.asked("Place your bets")
    await ann.keys("1", "1", "1")
    await expect(ann.box(1)).to_contain_text("$15")
    await ann.keys("z")
    await expect(ann.box(1).locator(".wager.own")).to_contain_text("$10")
    await ann.keys("Enter")
    await ann.asked("Your turn: box 1, 16")
    await ann.keys("?")
    await expect(ann.see("dialog")).to_contain_text("Double")
    await ann.keys("Escape")
    await expect(ann.see("dialog")).to_have_count(0)
    await ann.keys("/")
    await expect(ann.see("#line")).to_be_focused()
    for words, answer in {
        "hand": "Box 1: Kh 6c, 16",
        "dealer": "Dealer: 6d",
        "legal": "You may: Hit, Stand",
        "why split": "Split: ",
        "wallet": "$990 in practice chips; this session",
        "table": "Rulebook canberra, round 1",
        "sing": "is not a command",
    }.items():
        await ann.page.keyboard.type(words)
        await ann.keys("Enter")
        await ann.told(answer)
    await ann.page.keyboard.type("hit")
    await ann.keys("Enter")
    await ann.result(1, "21")
    await ann.asked("Place your bets")
    await ann.page.keyboard.type("bet 12.50 on 2")
    await ann.keys("Enter")
    await expect(ann.box(2)).to_contain_text("$12.50")
    await ann.page.keyboard.type("clear")
    await ann.keys("Enter")
    await expect(ann.box(2)).not_to_contain_text("$12.50")
    assert not await ann.page.evaluate("document.querySelector(':hover:not(html, body, main, #main *)')?.id ?? ''")


async def tab_to(person, selector: str) -> None:
    """Press Tab until something has the focus, once around the page at most, like a user without a mouse."""
    await expect(person.see(selector)).to_be_visible()
    stops = await person.see("a[href], button, input, select, textarea, summary, [tabindex]").count()
    for _ in range(stops + 1):
        if await person.see(selector).evaluate("one => one === document.activeElement"):
            return
        await person.page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not on the way of the Tab key")


async def test_star_two_people_and_a_spectator_at_one_table(house: Hall, people: People):
    table = await house.table("star", "9h 8c 6d 7c Kh 5s 9c Kd 2h")
    ann, ben, nobody = await people.come("Ann"), await people.come("Ben"), await people.stranger()
    for person in (ann, ben, nobody):
        await person.at(table)
    await expect(nobody.see("#guest")).to_contain_text("You are watching.")
    await expect(nobody.see("#panels [data-panel=desk]")).to_have_count(0)
    await ann.stake(1, "10")
    await ben.stake(3, "20")
    await expect(nobody.box(3).locator(".wager")).to_contain_text("$20")
    await ann.done()
    await expect(ann.see("#done")).to_have_text("Waiting for others")
    await ben.done()
    for person in (ann, ben, nobody):
        await person.cards(1, "9h", "7c")
        await person.cards(3, "8c", "Kh")
        await person.cards(0, "6d")
    await ann.asked("Your turn: box 1")
    await ben.asked(f"{ann.name}'s turn: box 1")
    await expect(ben.see("#do-Hit")).to_have_attribute("aria-disabled", "true")
    await expect(nobody.see("pontoon-controls")).to_be_hidden()
    await ann.press("Hit")
    await ann.result(1, "+$10")
    await ben.press("Stand")
    for person in (ann, ben, nobody):
        await person.cards(0, "6d", "9c", "Kd")
        await person.result(3, "+$20")
    await nobody.click("#play-here")
    await nobody.stake(5, "5")
    await expect(ann.box(5).locator(".wager")).to_contain_text("$5")


async def test_a_phone_in_portrait_plays_a_round(house: Hall, people: People):
    table = await house.table("canberra", "9h 6d 9c Kd 5h 8s Kh")
    ann = await people.come("Ann", phone=True, theme="light")
    await ann.at(table)
    await ann.see("#chip-500").tap()
    await ann.box(4).locator(".spot").tap()
    await ann.see("#done[aria-disabled=false]").tap()
    await ann.asked("Your turn: box 4, 18")
    wide = await ann.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{wide} pixels too wide"
    for action in ("Hit", "Stand", "Split"):
        place = await ann.see(f"#do-{action}").bounding_box()
        assert place is not None
        assert place["height"] >= 44
        assert place["y"] + place["height"] <= 844
    box = await ann.box(4).locator(".cards").bounding_box()
    rail = await ann.see("#rail").bounding_box()
    assert box is not None
    assert rail is not None
    assert 0 <= box["y"] < box["y"] + box["height"] <= rail["y"], "the player's cards lie under the controls"
    await ann.see("#do-Stand").tap()
    await ann.result(4, re.compile("wins|loses|stand"))
    await ann.panel("coach")
    await expect(ann.see("pontoon-coach")).to_be_visible()


async def test_a_server_that_is_killed_in_mid_hand_and_comes_back(house: Hall, browser: Browser, tmp_path: Path):
    """The hand continues with the cards of its shoe."""
    own = house.another(tmp_path)
    own.start()
    await up(own.port)
    async with People(own, browser) as people:
        table = await own.table("canberra", "5h 6d 6c 4s Kd 5c Kh")
        ann = await people.come("Ann")
        ann.forgiven = ["WebSocket", "ERR_CONNECTION"]
        await ann.at(table)
        await ann.wager(1)
        await ann.asked("Your turn: box 1, 11")
        own.kill()
        await expect(ann.see("#status")).to_contain_text("Connection lost")
        own.start()
        await up(own.port)
        await expect(ann.see("#status")).to_contain_text("Reconnected")
        await ann.cards(1, "5h", "6c")
        await ann.press("Hit")
        await ann.cards(1, "5h", "6c", "4s")
        await ann.press("Stand")
        await ann.result(1, "$10")
        people.check()
    own.kill()


async def test_a_line_that_is_cut_in_mid_hand_and_nothing_is_missed(house: Hall, people: People):
    table = await house.table("federal", "5h 9s 6d 6c 8d Kd 5c Kh")
    ann, ben = await people.come("Ann"), await people.come("Ben")
    for box, person in ((1, ann), (2, ben)):
        await person.at(table)
        await person.stake(box)
    await ann.done()
    await ben.done()
    await ann.asked("Your turn: box 1, 11")
    ben.forgiven = ["WebSocket", "ERR_INTERNET_DISCONNECTED"]
    await ben.context.set_offline(True)
    await expect(ben.see("#status")).to_contain_text("Connection lost")
    await ann.press("Hit")
    await ann.cards(1, "5h", "6c", "Kd")
    await ben.context.set_offline(False)
    await expect(ben.see("#status")).to_contain_text("Reconnected; nothing was missed")
    await ben.asked("Your turn: box 2, 17")
    await ben.press("Stand")
    await ben.result(2, "$10")


async def test_a_player_who_sits_out_is_told_that_the_seat_is_free(house: Hall, people: People):
    table = await house.table("canberra", clocks={"card": 0, "wagers": 0, "decision": 0, "offer": 0})
    ben = await people.come("Ben")
    await ben.at(table)
    await ben.sit(2)
    _, token = await house.guest("Ann")
    for number in range(1, IDLE_ROUNDS + 1):
        bet = {"key": f"bet {number}", "command": {"type": "PlaceWager", "box": 1, "player": "", "stake": 1000}}
        await house.ask(f"/api/tables/{table}/commands", bet, token)
        await ben.told(f"Round {number}: ")
        await house.until(table, "ready")
    await expect(ben.see("#notice")).to_contain_text("your seat is free")
    await expect(ben.box(2)).not_to_have_class(re.compile("mine"))
