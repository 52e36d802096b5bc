"""Rulings about people, limits, cards and earlier rounds, made at the desk; a second person approves where one must."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.floor import FloorTable, at_console
from tests.browser.hall import Hall, People
from tests.browser.test_floor_office import played

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

PERSON, TABLE = "Rule broken by a person", "Dealer, limits, closing"
Case = tuple[str, str, dict[str, str]]
IN_A_ROUND: tuple[Case, ...] = (
    (PERSON, "Exclude Seat 2", {"Reason": "marks cards"}),
    (PERSON, "Hold Seat 2 to the minimum", {"Reason": "counts"}),
    (PERSON, "Hold Seat 2 to the minimum until the next shoe", {}),
    (TABLE, "Hold late players to the minimum", {}),
    (TABLE, "Set the boxes a player may play", {"Boxes for each player": "2"}),
    (TABLE, "Give Seat 2 a higher limit", {"Highest wager": "1000"}),
    ("Cards or shoe not in order", "Shuffle the cards", {}),
    ("Card on the wrong box", "Void an earlier round", {"Number": "1", "Reason": "a card was found under the tray"}),
    ("Wrong payment or dispute", "Decide Seat 2's dispute", {"What is disputed": "the total", "Decision": "it stands"}),
)
BETWEEN: tuple[Case, ...] = (
    (TABLE, "Change the limits", {"minimum": "10", "maximum": "400"}),
    (TABLE, "Offer Pairs Play from now on", {}),
    ("Cards or shoe not in order", "Replace a damaged card", {"Card, as in 7s": "4c"}),
)


async def next_round(table: FloorTable) -> None:
    """Two bettors have two cards each, and the dealer has called."""
    for box in (1, 2):
        await table.give("Dan", {"type": "PlaceWager", "box": box, "player": f"Seat {box}", "stake": 2500})
    await table.give("Dan", {"type": "CallNoMoreBets"})
    for card in ("Ks", "9d", "6d", "7h", "4c"):
        await table.give("Dan", {"type": "Deal", "card": card})
    await table.give("Dan", {"type": "CallSupervisor", "reason": "as follows"})


@pytest.mark.parametrize(
    ("about", "deed", "fields", "playing"),
    [(*case, True) for case in IN_A_ROUND] + [(*case, False) for case in BETWEEN],
    ids=[deed for _, deed, _ in IN_A_ROUND + BETWEEN],
)
async def test_a_ruling_is_offered_and_made(
    house: Hall, people: People, about: str, deed: str, fields: dict[str, str], *, playing: bool
):
    table = await played(house)
    if playing:
        await next_round(table)
    page = (await at_console(people, table, "Grace", "desk")).page
    await page.get_by_role("button", name=about).click()
    await page.locator(".remedy", has_text=deed).first.click()
    for label, value in fields.items():
        await page.locator("dialog[open]").get_by_label(label).first.fill(value)
    if await page.locator("dialog[open]").count():
        await page.get_by_role("button", name="Preview", exact=True).click()
    await expect(page.locator("#confirm-ruling")).to_be_visible()
    second = "approval" in await page.locator("#confirm-ruling").inner_text()
    await page.keyboard.press("Control+Enter")
    if second:
        carl = await at_console(people, table, "Carl", "desk")
        await carl.page.click("#approve")
    await expect(page.locator(".good")).to_be_visible()
