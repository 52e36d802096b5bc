"""A ruling at the desk by mouse, touch and keys: its preview, a second person who sees the same, the incident."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.browser.floor import FloorTable, at_console, floor_table, tabbed
from tests.browser.hall import Hall, People

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def reported(table: FloorTable) -> None:
    """Two boxes have their cards, and the dealer has called."""
    for box in (1, 2):
        await table.give("Dan", {"type": "PlaceWager", "box": box, "player": f"Seat {box}", "stake": 2500})
    await table.give("Dan", {"type": "CallNoMoreBets"})
    for card in ("Ks", "9d", "6d", "7h", "4c"):
        await table.give("Dan", {"type": "Deal", "card": card})
    await table.give("Dan", {"type": "CallSupervisor", "reason": "Card on the wrong box"})


async def test_two_persons_rule_and_the_incident_is_printed(house: Hall, people: People):
    table = await floor_table(house, "adelaide")
    await reported(table)
    grace = await at_console(people, table, "Grace", "desk")
    await grace.page.click("text=Void box 2")
    await expect(grace.page.locator(".deed")).to_contain_text("Void box 2")
    await grace.clean()
    code = await grace.page.locator(".desk-preview .quiet b").inner_text()
    await grace.page.keyboard.press("Control+Enter")
    carl = await at_console(people, table, "Carl", "desk")
    await expect(carl.page.locator(".desk-preview .quiet b")).to_have_text(code)
    await carl.page.click("#approve")
    await expect(carl.page.locator(".good")).to_be_visible()
    await carl.page.goto(f"{house.address}/incidents/{table.id}/1")
    await expect(carl.page.locator(".report")).to_contain_text("Void box 2")
    await carl.clean()


async def test_a_supervisor_rules_by_touch_after_marking_a_box(house: Hall, people: People):
    table = await floor_table(house, "adelaide")
    await reported(table)
    grace = await at_console(people, table, "Grace", "desk", touch=True)
    page = grace.page
    await page.get_by_role("button", name="Mark box 1").tap()
    await expect(page.get_by_role("heading", name="Remedies for box 1")).to_be_visible()
    await expect(page.locator(".remedy", has_text="Void box 2")).to_have_count(0)
    await page.get_by_role("button", name="Late or changed wager").tap()
    await page.locator(".remedy", has_text="Void Seat 1's wager on box 1").tap()
    await expect(page.locator(".deed")).to_contain_text("Void Seat 1's wager on box 1")
    await grace.clean()
    await page.tap("#confirm-ruling")
    iris = await at_console(people, table, "Iris", "desk", touch=True)
    await iris.page.tap("#send-back")
    await iris.page.get_by_label("Reason, which the proposer reads").fill("the camera shows it was in time")
    await iris.page.get_by_role("button", name="Send back", exact=True).tap()
    await expect(page.locator(".desk-preview .alarm")).to_contain_text("the camera shows it was in time")
    await page.tap("#hold")
    await expect(page.locator("#hold")).to_have_text("Hold play")


async def test_a_ruling_is_made_and_approved_by_keys_alone(house: Hall, people: People):
    table = await floor_table(house, "adelaide")
    await reported(table)
    grace, carl = [await at_console(people, table, name, "desk") for name in ("Grace", "Carl")]
    await tabbed(grace.page, "Card or hand left out")
    await grace.page.keyboard.press("Enter")
    await expect(grace.page.locator(".remedy").first).to_contain_text("passed over")
    await grace.page.keyboard.press("1")
    await expect(grace.page.locator("#confirm-ruling")).to_be_focused()
    await grace.page.keyboard.press("Escape")
    await expect(grace.page.locator("#confirm-ruling")).to_have_count(0)
    await grace.page.keyboard.press("1")
    await expect(grace.page.locator("#confirm-ruling")).to_be_focused()
    await grace.page.keyboard.press("Control+Enter")
    await expect(carl.page.locator("#approve")).to_be_focused()
    await carl.page.keyboard.press("Enter")
    await expect(carl.page.locator(".good")).to_be_visible()
    await expect(grace.page.locator(".good")).to_be_visible()
