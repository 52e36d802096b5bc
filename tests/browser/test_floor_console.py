"""The dealer's console: a seven-box round by touch, by mouse and by keys, an impossible card, chips, undo."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.floor import FloorTable, at_console, floor_table, tabbed
from tests.browser.hall import Hall, People, Person

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOST_ACTIONS = 1.5
"""Actions for each card of a round."""
REST = ["3h", "4c", "5d", "6d", "4h", "3c", "2s", "5s", "6s", "9s", "Kh", "Qd", "Js", "7d", "8h", "4s", "5c"]
LOW = 15
"""A player below this draws."""
INITIAL = ["8c", "As", "8s", "9d", "5h", "Qh", "6h", "Kc", "9h", "Kd", "2d", "8d", "6c", "9c", "7s"]
"""Seven boxes and the dealer's king; box 2 has a pontoon."""


async def bets(dan: Person, *boxes: int) -> None:
    for box in boxes:
        await dan.page.click(f"#box-{box}")
        await dan.page.click("#chip-2500")


async def big(dan: Person, words: str) -> None:
    await expect(dan.page.locator(".band .big")).to_have_text(words)


class Dealer:
    """Deals a round at the console with a mouse or with keys, and counts what it takes."""

    def __init__(self, dan: Person, table: FloorTable, *, keys: bool) -> None:
        self.page, self.table, self.keys = dan.page, table, keys
        self.rest = iter(REST)
        self.actions = self.cards = 0

    async def press(self, selector: str, key: str) -> None:
        self.actions += 1
        await (self.page.keyboard.press(key) if self.keys else self.page.click(selector))

    async def deal(self, card: str) -> None:
        self.cards += 1
        self.actions += 1
        await (self.page.keyboard.type(card.lower()) if self.keys else self.page.click(f'[data-card="{card}"]'))

    async def round(self) -> None:
        await self.press("#confirm", " ")
        await expect(self.page.locator(".band .big")).to_have_text("Card to box 1")
        for card in INITIAL:
            await self.deal(card)
        while (view := await self.settled())["phase"] == "round":
            await self.act(view)

    async def settled(self) -> Any:
        """The table when the console has sent everything."""
        await expect(self.page.locator(".console")).to_have_attribute("data-busy", "0")
        return await self.table.view()

    async def act(self, view: Any) -> None:
        """The next card or decision; a card is also the decision to draw."""
        now = view["round"]
        box, hand = now.get("turn") or (0, 0)
        row: Any = next((place for place in now["boxes"] if place["number"] == box), None)
        if view["waits"].get("card_to") or (now["stage"] == "decision" and row["hands"][hand - 1]["total"] < LOW):
            await self.deal(next(self.rest))
        elif now["stage"] == "decision":
            await self.press("#decide-Stand", "s")
        else:
            await self.press("#confirm", " ")


async def test_a_seven_box_round_takes_at_most_one_and_a_half_actions_a_card(house: Hall, people: People):
    table = await floor_table(house)
    dan = await at_console(people, table)
    await bets(dan, *range(1, 8))
    mouse = Dealer(dan, table, keys=False)
    await mouse.round()
    assert mouse.cards > len(INITIAL)
    assert mouse.actions <= MOST_ACTIONS * mouse.cards, (mouse.actions, mouse.cards)
    await expect(dan.page.locator(".pay-line")).to_have_count(7)
    await expect(dan.page.locator(".band .verb")).to_contain_text("2 of 7")  # the pontoon was paid in its place
    await dan.clean()
    await dan.page.keyboard.press("Shift+Space")
    await big(dan, "Clear the table")
    await dan.page.keyboard.press(" ")
    await big(dan, "Place your bets")
    await dan.page.click("#again-bets")
    typed = Dealer(dan, table, keys=True)
    await typed.round()
    assert typed.actions <= MOST_ACTIONS * typed.cards, (typed.actions, typed.cards)


async def test_the_float_a_walk_up_and_another_payment_than_was_due(house: Hall, people: People):
    table = await floor_table(house)
    dan = await at_console(people, table)
    page = dan.page
    await page.click("text=Menu")
    await page.click("text=Chips and float")
    await page.get_by_label("The slip says").fill("500")
    await page.get_by_label("$100 chips", exact=True).fill("5")
    await dan.clean()
    await page.click("text=Count agrees, open the float")
    await expect(page.locator("header")).to_contain_text("Tray $500")
    await bets(dan, 3)
    await page.keyboard.press(" ")
    for card in ("As", "9d", "Ks"):
        await page.click(f'[data-card="{card}"]')
    await big(dan, "$37.50 to Seat 3, box 3")
    await page.keyboard.press(" ")
    await page.keyboard.press("e")
    await page.get_by_label("Amount paid or taken").fill("50")
    await page.click("text=Record it")
    await expect(page.locator(".foot .last")).to_contain_text("due +$37.50, paid +$50")
    await expect(page.locator("header")).to_contain_text("Tray $450")


async def test_a_mistyped_card_is_undone_and_a_round_paid_by_touch(house: Hall, people: People):
    table = await floor_table(house)
    dan = await at_console(people, table, touch=True)
    page = dan.page
    await page.tap("#box-2")
    await page.tap("#chip-2500")
    await page.tap("#confirm")
    await page.tap('[data-card="9s"]')
    await big(dan, "Card to the dealer")
    await page.tap("#undo")
    await big(dan, "Card to box 2")
    for card in ("As", "9d", "Ks"):
        await page.tap(f'[data-card="{card}"]')
    await big(dan, "$37.50 to Seat 2, box 2")
    await page.tap("#confirm")
    await big(dan, "Clear the table")
    await page.tap("#confirm")
    await big(dan, "Place your bets")


async def test_a_round_from_wager_to_payment_by_keys_alone(house: Hall, people: People):
    """Tab leads to a box and its chips; everything else has a key."""
    table = await floor_table(house)
    dan = await at_console(people, table)
    page = dan.page
    await tabbed(page, "2Seat 2No wager")
    await page.keyboard.press("Enter")
    await tabbed(page, "25$25")
    await page.keyboard.press("Enter")
    await big(dan, "Call no more bets")
    await dan.clean()
    await page.keyboard.press(" ")
    await big(dan, "Card to box 2")
    await page.keyboard.type("8s9d8h")
    await big(dan, "Seat 2 decides")
    await dan.clean()
    await page.keyboard.type("p2ckss")
    await big(dan, "Card to box 2, hand 2")
    await page.keyboard.type("kds")
    await big(dan, "Card to the dealer")
    await page.keyboard.type("9c")
    await big(dan, "$25 to Seat 2, box 2")
    await page.keyboard.press("Shift+Space")
    await big(dan, "Clear the table")
    await page.keyboard.press("Space")
    await big(dan, "Place your bets")


async def test_what_is_typed_ahead_stops_at_a_refused_card(house: Hall, people: People):
    table = await floor_table(house, packs=4)
    dan = await at_console(people, table)
    await bets(dan, 1, 2, 3, 4, 5, 6)
    await dan.page.keyboard.type(" 8s8s8s8s8s9d")
    await expect(dan.page.locator(".band .big")).to_have_text(re.compile("There is no 8.* left in this shoe"))
    await expect(dan.page.locator(".band .sub")).to_contain_text("after it was not recorded either")
    await dan.page.keyboard.type("9h")
    await big(dan, "Card to box 6")
    assert [hand["cards"] for box in (await table.view())["round"]["boxes"] for hand in box["hands"]] == [
        ["8s"], ["8s"], ["8s"], ["8s"], ["9h"], [],
    ]  # fmt: skip


async def test_nothing_is_dealt_while_play_is_held(house: Hall, people: People):
    table = await floor_table(house)
    dan = await at_console(people, table)
    await bets(dan, 1)
    await dan.page.keyboard.type(" 8s9d")
    await dan.page.keyboard.press("F9")
    await expect(dan.page.locator(".band .verb")).to_have_text("Held")
    await dan.page.keyboard.type("8h")
    await big(dan, "Play is held until a supervisor resumes it: The dealer calls a supervisor")
    await dan.page.keyboard.press("Escape")
    await expect(dan.page.locator(".band .verb")).to_have_text("Held")
    await table.give("Grace", {"type": "Resume"})
    await big(dan, "Card to box 1")


async def test_a_supervisor_opens_a_table_with_a_rule_of_the_house(house: Hall, people: People):
    grace = await people.come("Grace")
    page = grace.page
    await page.goto(f"{house.address}/floor")
    await page.get_by_role("button", name="Open a new table").click()
    await page.locator('[data-value="canberra"]').click()
    await page.get_by_label("Name").fill("High limits")
    await page.get_by_label("Perfect Pairs", exact=True).check()
    await page.get_by_label("Perfect Pairs, maximum").fill("50")
    await page.locator("summary", has_text="Other rules").click()
    selects = page.locator("details select")
    await selects.nth(0).select_option("draw.absent_by")
    await selects.nth(1).select_option(index=1)
    await page.click("#change-rule")
    await grace.clean()
    await page.get_by_role("button", name="Make the table").click()
    await expect(page.locator("header")).to_contain_text("High limits")
    made = next(row for row in (await house.ask("/api/tables"))["tables"] if row["name"] == "High limits")
    assert made["mode"] == "floor"


async def test_the_second_bettor_stands_behind_the_first(house: Hall, people: People):
    """Who wagered first controls the box."""
    table = await floor_table(house)
    dan = await at_console(people, table)
    await bets(dan, 4)
    await dan.page.click("#another")
    await dan.page.get_by_label("Name").fill("Lin")
    await dan.page.get_by_role("button", name="Bets here").click()
    await dan.page.click("#chip-500")
    await dan.page.keyboard.press(" ")
    await big(dan, "Card to box 4")
    (box,) = (await table.view())["round"]["boxes"]
    assert [bettor["player"] for bettor in box["bettors"]] == ["Seat 4", "Seat 4 Lin"]


async def test_a_payment_comes_before_the_next_offer_and_is_marked_on_its_box(house: Hall, people: People):
    table = await floor_table(house)
    dan = await at_console(people, table)
    await bets(dan, 1, 2)
    await dan.page.keyboard.type(" as9skdkh7h")
    await big(dan, "$37.50 to Seat 1, box 1")
    answers = dan.page.locator(".box .answers")
    await expect(answers).to_have_count(0)
    first = dan.page.get_by_role("region", name="Box 1", exact=True)
    await expect(first).to_contain_text("pay $37.50")
    await dan.page.keyboard.press(" ")
    await expect(answers).to_have_count(1)
    await expect(first).to_contain_text("paid $37.50")
    await expect(dan.page.get_by_role("region", name="Dealer's hand")).to_contain_text("Dealer must stand on hard 17")
    await dan.clean()


async def test_a_dealer_at_the_desk_is_not_offered_to_hold_play(house: Hall, people: People):
    table = await floor_table(house)
    dan = await at_console(people, table, path="desk")
    await expect(dan.page.locator(".steps")).to_be_visible()
    await expect(dan.page.locator(".desk-felt")).to_be_visible()
    await expect(dan.page.locator("#hold")).to_have_count(0)
    grace = await at_console(people, table, "Grace", "desk")
    await expect(grace.page.locator("#hold")).to_have_text("Hold play")


async def test_the_menu_offers_what_else_a_dealer_may_do(house: Hall, people: People):
    """A jam of the shuffler is entered from the menu, and the console goes on."""
    table = await floor_table(house, "adelaide", device="continuous")
    left = (await table.view())["shoe"]["left"]
    dan = await at_console(people, table)
    await dan.page.get_by_role("button", name="Menu").click()
    await dan.clean()
    await dan.page.get_by_role("button", name="The shuffler jammed: clear it").click()
    await expect(dan.page.locator("header")).to_contain_text(f"{left - 5} left")


async def test_a_split_box_keeps_its_stakes_and_answers_in_view(house: Hall, people: People):
    """Two hands, a payment, a double and its answers fit the strip; nobody's amount is cut off."""
    table = await floor_table(house)
    for player in ("Seat 3 Marco", "Seat 3 Wilhelmina"):
        await table.give("Dan", {"type": "PlaceWager", "box": 3, "player": player, "stake": 4000})
    await table.give("Dan", {"type": "CallNoMoreBets"})
    dan = await at_console(people, table)
    page = dan.page
    for keys in ("8s", "9c", "8h", "p", "7d", "6c", " ", "3h", "d", "7h"):
        await (page.keyboard.press(keys) if len(keys) == 1 else page.keyboard.type(keys))
        await expect(page.locator(".console")).to_have_attribute("data-busy", "0")
    await expect(page.locator('[data-box="3"]')).to_contain_text("Keep")
    await expect(page.locator('[data-box="3"] .hd')).to_contain_text("Marco, Wil")
    clipped = """() => [...document.querySelectorAll('.boxes .stakes b, .boxes .answers .btn')].filter((one) => {
        const [own, strip] = [one.getBoundingClientRect(), one.closest('.boxes').getBoundingClientRect()];
        return own.right > one.closest('.box').getBoundingClientRect().right || own.bottom > strip.bottom;
    }).map((one) => one.textContent)"""
    assert await page.evaluate(clipped) == []
