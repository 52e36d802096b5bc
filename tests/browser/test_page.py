"""The page around the game: size, settings, self-imposed limits, chat."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.async_api import CDPSession, Page, expect

from tests.browser.hall import MINUS, Hall, People

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOST_BYTES, MOST_REQUESTS = 120_000, 25
MINUTE = 60_000


# --- what it costs -------------------------------------------------------------------------------------


async def counted(page: Page, address: str, drawn: str) -> tuple[int, list[str]]:
    """Bytes transferred, including headers and socket frames, and requests until the first drawing."""
    line: CDPSession = await page.context.new_cdp_session(page)
    asked: list[str] = []
    sizes: list[int] = []
    line.on("Network.requestWillBeSent", lambda told: asked.append(told["request"]["url"]))
    line.on("Network.webSocketCreated", lambda told: asked.append(told["url"]))
    line.on("Network.loadingFinished", lambda told: sizes.append(int(told["encodedDataLength"])))
    line.on("Network.webSocketFrameReceived", lambda told: sizes.append(len(told["response"]["payloadData"])))
    await line.send("Network.enable")
    await page.goto(address, wait_until="networkidle")
    await expect(page.locator(drawn).first).to_be_visible()
    await line.detach()
    return sum(sizes), [side_bet for side_bet in asked if not side_bet.startswith("data:")]


@pytest.mark.parametrize(("path", "drawn"), [("/", "#try-hit"), ("/t/{table}", "pontoon-table .sign h2")])
async def test_first_paint_takes_at_most_120_kb_and_25_requests(house: Hall, people: People, path: str, drawn: str):
    table = await house.table("canberra")
    ann = await people.come("Ann")
    size, asked = await counted(ann.page, house.address + path.format(table=table), drawn)
    assert size <= MOST_BYTES, size
    assert len(asked) <= MOST_REQUESTS, asked


# --- settings ------------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_settings_are_kept_and_shown(house: Hall, people: People):
    table = await house.table("star")
    ann = await people.come("Ann")
    await ann.at(table)
    await ann.click("#settings")
    await ann.see("#set-theme").select_option("light")
    await ann.see("#set-fourColours").check()
    await ann.button("Close")
    await ann.page.reload()
    await expect(ann.see("html")).to_have_attribute("data-theme", "light")
    await expect(ann.see("html")).to_have_attribute("data-colours", "four")


@pytest.mark.slow
async def test_keys_can_be_changed_and_switched_off(house: Hall, people: People):
    table = await house.table("canberra", "5h 6d 6c 4s 2d 5c Kh Kc")
    ann = await people.come("Ann")
    await ann.at(table)
    await ann.wager(1)
    await ann.asked("Your turn")
    await ann.click("#settings")
    await ann.see("dialog summary", has_text="Keys").click()
    await ann.see("#key-Hit").press("s")
    await expect(ann.see("dialog [role=status]")).to_have_text("s is taken by Stand")
    await ann.see("#key-Hit").press("x")
    await expect(ann.see("#key-Hit")).to_have_value("x")
    await ann.button("Close")
    await expect(ann.see("#do-Hit kbd")).to_have_text("x")
    await ann.keys("x")
    await ann.cards(1, "5h", "6c", "4s")
    await ann.click("#settings")
    await ann.see("dialog summary", has_text="Keys").click()
    await ann.see("#set-keysOn").uncheck()
    await ann.button("Close")
    await expect(ann.see("#do-Hit kbd")).to_be_hidden()
    await ann.keys("x")
    await ann.press("Hit")
    await ann.cards(1, "5h", "6c", "4s", "2d")  # a fifth card would be the key's


@pytest.mark.slow
async def test_the_guard_wants_a_second_press_for_a_play_that_is_rarely_meant(house: Hall, people: People):
    table = await house.table("star", "Kh 6d 9c 2c Kd 5h")
    ann = await people.come("Ann", settings={"guard": True})
    await ann.at(table)
    await ann.wager(1)
    await ann.press("Hit")
    await expect(ann.see("#do-Hit")).to_contain_text("Really hit hard 19?")
    await ann.cards(1, "Kh", "9c")
    await ann.press("Hit")
    await ann.cards(1, "Kh", "9c", "2c")


@pytest.mark.slow
async def test_sound_is_made_here_when_it_is_switched_on(house: Hall, people: People):
    table = await house.table("star", "Kh 6d 9c Kd 5h")
    ann = await people.come("Ann", settings={"sound": True})
    await ann.page.add_init_script(
        "const real = AudioContext.prototype.createOscillator; window.heard = 0;"
        "AudioContext.prototype.createOscillator = function () { window.heard += 1; return real.call(this); };"
    )
    await ann.at(table)
    await ann.wager(1)
    await ann.asked("Your turn")
    assert await ann.page.evaluate("window.heard") > 0


# --- self-imposed limits ---------------------------------------------------------------------------


async def sat_for(minutes: int, person: Any) -> None:
    """Make the session look this old."""
    now = int(time.time() * 1000)
    kept = {"began": now - minutes * MINUTE, "seen": now, "checked": now - minutes * MINUTE}
    await person.page.add_init_script(
        f"sessionStorage.sat ??= (localStorage.setItem('pontoon.session', JSON.stringify({kept})), 1)"
    )


@pytest.mark.slow
async def test_the_time_one_has_set_closes_betting_and_a_pause_opens_it(house: Hall, people: People):
    table = await house.table("star")
    ann = await people.come("Ann", settings={"timeLimit": 30})
    await sat_for(31, ann)
    await ann.page.clock.install()
    await ann.at(table)
    await ann.page.clock.run_for(3000)
    await expect(ann.see("dialog h2")).to_have_text("You have reached your limit")
    await expect(ann.see("dialog")).to_contain_text("You wanted to stop after 30 minutes")
    await expect(ann.page.get_by_role("button", name=re.compile(r"^Resume betting \(in"))).to_be_disabled()
    await expect(ann.see("#prompt")).to_contain_text("Betting is closed: you have reached your time limit")
    await ann.keys("Escape")
    await expect(ann.see("dialog")).to_be_visible()
    await ann.page.clock.run_for(61_000)
    await ann.button("Resume betting")
    await expect(ann.see("dialog")).to_have_count(0)
    await ann.stake(1)


@pytest.mark.slow
async def test_the_loss_one_has_set_closes_betting_and_new_chips_are_no_gain(house: Hall, people: People):
    table = await house.table("star", "9h Kd 9c Ks", maximum=0)
    ann = await people.come("Ann", settings={"lossLimit": 50_000})
    await ann.at(table)
    await ann.wager(1, "995")
    await ann.press("No")
    await ann.press("Stand")
    await expect(ann.see("dialog")).to_contain_text("at a loss of $500")
    await ann.button("Leave the table")
    await ann.lobby()
    await expect(ann.see("#net")).to_have_text(f"{MINUS}$995")
    await ann.click("#chips")
    await ann.wallet("$1,000")
    await expect(ann.see("#net")).to_have_text(f"{MINUS}$995")
    await ann.see(f"#table-{table}").click()
    await expect(ann.see("#prompt")).to_contain_text("Betting is closed: you have reached your loss limit")


@pytest.mark.slow
async def test_a_reality_check_says_how_long_and_how_much(house: Hall, people: People):
    ann = await people.come("Ann", settings={"realityCheck": 15})
    await sat_for(16, ann)
    await ann.at(await house.table("star"))
    await expect(ann.see("dialog h2")).to_have_text("Reality check")
    await expect(ann.see("dialog")).to_contain_text("16 minutes")
    await ann.button("Keep playing")
    await expect(ann.see("dialog")).to_have_count(0)


# --- other people's words ------------------------------------------------------------------------------


@pytest.mark.slow
async def test_names_and_reasons_of_others_are_text_and_nothing_else(house: Hall, people: People):
    bad = "<img src=x onerror=alert(1)>"
    table = await house.table("star", name=bad)
    ann, iris = await people.come("Ann-Mae O'Neil"), await people.come("Iris")
    await ann.lobby()
    await expect(ann.see("#tables")).to_contain_text(bad)
    await ann.at(table)
    await ann.stake(1)
    await iris.at(table)
    await expect(iris.box(1)).to_contain_text("O'Neil")
    desk = await iris.panel("desk")
    await desk.get_by_label("Reason for the pause").fill(bad)
    await desk.get_by_role("button", name="Pause the game").click()
    await ann.asked(f"Game paused: {bad}")
    assert not await ann.see("img").count()
    await desk.get_by_role("button", name="Resume").click()
    await ann.asked("Place your bets")


@pytest.mark.slow
async def test_an_account_signs_in_and_a_wrong_password_is_said_at_the_form(house: Hall, people: People):
    ann = await people.stranger()
    ann.forgiven = ["status of 401"]
    await ann.lobby()
    await ann.see("#door summary").click()
    await ann.see("#account-name").fill("Iris")
    await ann.see("#password").fill("not the one")
    await ann.button("Sign in")
    await expect(ann.see("#door [role=alert]").filter(has_text=re.compile(r"\w"))).to_be_visible()
    await ann.see("#password").fill(house.passwords["Iris"])
    await ann.button("Sign in")
    await expect(ann.see("#name")).to_have_text("Iris")


@pytest.mark.slow
async def test_a_private_table_is_reached_by_its_link_alone(people: People):
    ann, ben = await people.come("Ann"), await people.come("Ben")
    await ann.lobby()
    await ann.click("#make-table")
    await ann.see("#new-private").check()
    await ann.button("Make the table")
    link = await ann.see("#made-link").input_value()
    await ben.lobby()
    await expect(ben.see("#tables")).not_to_contain_text(link.rsplit("/", 1)[-1])
    await ben.see("#by-link summary").click()
    await ben.see("#link").fill(link)
    await ben.button("Join")
    await expect(ben.see("pontoon-table .sign h2")).to_be_visible()


@pytest.mark.slow
async def test_a_settled_round_can_be_read_until_somebody_bets(house: Hall, people: People):
    table = await house.table("star", "Kh 6d 9c Kd 5h")
    ann = await people.come("Ann")
    await ann.at(table)
    await ann.wager(1)
    await ann.press("Stand")
    await house.until(table, "ready")
    await ann.asked("Place your bets")
    await ann.cards(1, "Kh", "9c")
    await ann.result(1, "loses")
    await ann.cards(0, "6d", "Kd", "5h")
    await ann.tap(1)
    await expect(ann.box(1).locator(".card")).to_have_count(0)


async def test_a_hand_is_drawn_to_a_total_that_was_decided_ahead(house: Hall, people: People):
    table = await house.table("canberra", "9h 5c 6d 8s 4d 3h 7c")
    ben, ann = await people.come("Ben"), await people.come("Ann")
    for person, box in ((ben, 1), (ann, 2)):
        await person.at(table)
        await person.stake(box)
    for person in (ben, ann):
        await person.done()
    await ann.asked("Ben's turn")
    await ann.see("#ahead-from").fill("17")
    await ann.click("#ahead-Until")
    await expect(ann.see("#ahead-Until")).to_have_attribute("aria-pressed", "true")
    await ben.press("Stand")
    await ann.cards(2, "5c", "4d", "3h", "7c")
    await ann.told("Round 1: ")


async def test_insurance_is_declined_for_a_player_whose_settings_say_so(house: Hall, people: People):
    table = await house.table("federal", "9h Ad 9c 6s")
    ann = await people.come("Ann", settings={"insurance": False})
    await ann.at(table)
    await ann.wager(1)
    await ann.asked("Surrender half your bet?")  # which comes after insurance
