"""The web table in Debian's Firefox: the lesson, one-tap play, a drill and a shared hand."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.browser.firefox import Firefox, firefox, firefox_path
from tests.browser.hall import QUICK, Hall
from tests.browser.lesson import LESSON

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.slow,
    pytest.mark.skipif(firefox_path() is None, reason="no Firefox here: apt install firefox-esr"),
]

SAYS = "document.querySelector('#lesson-says').textContent"


@pytest_asyncio.fixture(loop_scope="session")
async def page(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Firefox]:
    async with firefox(tmp_path_factory.mktemp("firefox")) as one:
        yield one


async def test_a_stranger_plays_with_keys_and_bets_again_with_one_tap(house: Hall, page: Firefox):
    await page.go(house.address)
    await page.until("document.querySelector('.try .face')")  # the page stands still
    await page.click("#play-now")
    dealt = "document.querySelectorAll('.box.stage .card').length >= 2"
    await page.until(dealt)
    over = "/^Rebet/.test(document.querySelector('#done')?.textContent)"
    asked = "['Hit', 'No', 'Keep'].some((name) => document.querySelector(`#do-${name}`)?.checkVisibility())"
    for _ in range(8):
        await page.until(f"{over} || {asked}")
        if await page.value(over):
            break
        for key in ("n", "k", "s", "h"):
            await page.key(key)
    await page.until(over)
    await page.click("#done")
    await page.until(f"{dealt} && !({over})")


async def test_the_lesson_is_played_from_the_first_hand_to_the_last(house: Hall, page: Firefox):
    await page.go(house.address)
    await page.value(f"localStorage.setItem('pontoon.settings', {json.dumps(json.dumps(QUICK))})")
    await page.go(f"{house.address}/learn")
    for number, actions in enumerate(LESSON, 1):
        await page.shows(f"Hand {number} of {len(LESSON)}")
        for action in actions:
            said = await page.value(SAYS)
            await page.click(f"#do-{action}.asked-for")
            await page.until(f"{SAYS} !== {json.dumps(said)}")
        await page.click("#next")
    await page.until("document.querySelector('h1').textContent === 'You know the game'")


async def test_a_drill_says_what_was_best_and_why(house: Hall, page: Firefox):
    await page.go(f"{house.address}/train?position=canberra%7C8%7CKs%206h%7C6d")
    await page.click('.drill-choices [data-do="hit"], .drill-choices .action')
    await page.until("document.querySelectorAll('.worths tr').length >= 2")
    await page.until("document.querySelector('.why-box')?.textContent.endsWith('.')")


async def test_a_shared_hand_opens_without_names(house: Hall, page: Firefox):
    table = await house.table("canberra", "Ks 6d 9h 5c 7h", clocks={"card": 0, "wagers": 0, "decision": 0, "offer": 0})
    name, token = await house.guest("Zenobia")
    bet = {"key": "bet", "command": {"type": "PlaceWager", "box": 1, "player": "", "stake": 2500}}
    await house.ask(f"/api/tables/{table}/commands", bet, token)
    await house.until(table, "ready")
    link = (await house.ask(f"/api/rounds/{table}/1/share", {}, token))["id"]
    await page.go(f"{house.address}/hand/{link}")
    await page.until("document.querySelector('h1')?.textContent.includes('against')")
    assert name not in await page.value("document.body.innerText")
