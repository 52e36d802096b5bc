"""Distinctive rules of the documents, played in a browser with chosen first cards. Each name has its clause."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.hall import MINUS, Hall, People

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_division_15_13_2_a_split_with_a_co_bettor_who_covers_it(house: Hall, people: People):
    table = await house.table("division-15", "8s 6d 8h Kc Kd Qh 9h")
    ann, ben = await people.come("Ann"), await people.come("Ben")
    await ann.at(table)
    await ann.sit(1)
    await ben.at(table)
    await ann.stake(1, "10")
    await ben.stake(1, "30")
    await expect(ann.box(1).locator(".wager")).to_have_count(2)
    await ann.done()
    await ben.done()
    await ann.press("Split")
    await ben.asked("Join the split?")
    await expect(ben.see("#do-Split .label")).to_have_text("Cover")
    await ben.press("Split")
    await ann.cards(1, "8s", "Kc", hand=1)
    await ann.press("Stand")
    await ann.cards(1, "8h", "Kd", hand=2)
    await ann.press("Stand")
    await ann.result(1, "+$10")
    await ben.result(1, "+$30")
    await ben.cards(0, "6d", "Qh", "9h")
    await ann.wallet("$1,020")
    await ben.wallet("$1,060")


@pytest.mark.slow
async def test_canberra_11_2b_a_co_bettor_who_does_not_cover_rides_the_first_hand(house: Hall, people: People):
    table = await house.table("canberra", "8s 6d 8h Kc Kd Qh 9h")
    ann, ben = await people.come("Ann"), await people.come("Ben")
    for person, amount in ((ann, "10"), (ben, "20")):
        await person.at(table)
        await person.stake(1, amount)
    await ann.done()
    await ben.done()
    await ann.press("Split")
    await ben.asked("Join the split?")
    await ben.press("No")
    await ann.cards(1, "8s", "Kc", hand=1)
    await expect(ann.box(1).locator("[data-hand='1'] .wager")).to_have_count(2)
    await expect(ann.box(1).locator("[data-hand='2'] .wager")).to_have_count(1)
    await ann.press("Stand")
    await ann.cards(1, "8h", "Kd", hand=2)
    await ann.press("Stand")
    await ann.wallet("$1,020")
    await ben.wallet("$1,020")


async def test_federal_ins_1_insurance_with_a_typed_amount_up_to_half(house: Hall, people: People):
    table = await house.table("federal", "9h Ad 9c Kh")
    ann = await people.come("Ann")
    await ann.at(table)
    await ann.wager(1, "20")
    await ann.asked("Insurance for $10?")
    await ann.click("#for-less")
    await expect(ann.see("#less")).to_have_attribute("placeholder", "$10")
    await ann.see("#less").fill("12")
    await ann.press("Insure")
    await expect(ann.see("#notice")).to_contain_text("insure up to $10")
    await expect(ann.see("#notice .cite")).to_have_text("Clause FED-INS-1")
    await ann.see("#less").fill("4")
    await ann.press("Insure")
    await expect(ann.box(1).locator(".insurance")).to_contain_text(f"{ann.name} insures $4")
    await ann.asked("Surrender half your bet?")
    await ann.press("No")
    await ann.press("Stand")
    await ann.result(1, f"{MINUS}$20")
    await ann.result(1, "+$8")
    await ann.wallet("$988")


@pytest.mark.slow
async def test_canberra_7_2_a_wager_left_bare_is_insured_by_somebody_else(house: Hall, people: People):
    table = await house.table("canberra", "9h 9s Ad 9c 8c Kh")
    ann, ben = await people.come("Ann"), await people.come("Ben")
    for box, person in ((1, ann), (2, ben)):
        await person.at(table)
        await person.stake(box, "20")
    await ann.done()
    await ben.done()
    await ann.asked("Insurance for $10?")
    await ann.press("No")
    await ben.button(f"Insure {ann.name}'s wager, box 1")
    await expect(ann.box(1).locator(".insurance")).to_contain_text(f"{ben.name} insures {ann.name} $10")


async def test_star_surr_1_surrender_gives_half_back(house: Hall, people: People):
    table = await house.table("star", "9h Kd 7c 5s")
    ann = await people.come("Ann", settings={"guard": True})
    await ann.at(table)
    await ann.wager(1, "15")
    await ann.asked("Surrender half your bet?")
    await ann.press("Surrender")
    await expect(ann.see("#do-Surrender")).to_contain_text("Really surrender half your bet?")
    await ann.press("Surrender")
    await expect(ann.box(1).locator(".given")).to_have_text("surrender")
    await ann.cards(0, "Kd", "5s")
    await ann.wallet("$992.50")


@pytest.mark.slow
async def test_adelaide_73_each_bettor_surrenders_alone(house: Hall, people: People):
    table = await house.table("adelaide", "9h Kd 7c 5s 8d")
    ann, ben = await people.come("Ann"), await people.come("Ben")
    for person in (ann, ben):
        await person.at(table)
        await person.stake(1, "20")
    await ann.done()
    await ben.done()
    await ben.press("Surrender")
    await ann.press("No")
    await ann.press("Stand")
    await ben.wallet("$990")
    await ann.wallet("$1,020")


async def test_adelaide_64a_a_double_is_saved_by_a_forfeit(house: Hall, people: People):
    table = await house.table("adelaide", "6h 9d 5c 2s 8h Kc")
    ann = await people.come("Ann")
    await ann.at(table)
    await ann.wager(1, "10")
    await ann.press("Double")
    await ann.cards(1, "6h", "5c", "2s")
    await expect(ann.box(1).locator(".card.across")).to_have_count(1)
    await expect(ann.box(1)).to_contain_text("2 × $10")
    await ann.press("Forfeit")
    await ann.result(1, f"{MINUS}$10")
    await ann.wallet("$990")


@pytest.mark.slow
async def test_canberra_a_double_for_less_with_a_typed_amount(house: Hall, people: People):
    """Dictionary A "Double/double down"."""
    table = await house.table("canberra", "6h 9d 5c Ks 8h Kc")
    ann = await people.come("Ann")
    await ann.at(table)
    await ann.wager(1, "20")
    await ann.asked("Your turn")
    await ann.click("#for-less")
    await ann.see("#less").fill("nonsense")
    await ann.press("Double")
    await expect(ann.see("#reason")).to_have_text("Enter an amount such as 12.50")
    await ann.see("#less").fill("8")
    await ann.press("Double")
    await ann.cards(1, "6h", "5c", "Ks")
    await expect(ann.box(1).locator(".card.across")).to_have_count(1)
    await ann.wallet("$1,028")


@pytest.mark.slow
async def test_star_double_3_a_double_for_less_is_refused_with_its_clause(house: Hall, people: People):
    table = await house.table("star", "6h 9d 5c Ks 8h Kc")
    ann = await people.come("Ann")
    await ann.at(table)
    await ann.wager(1, "20")
    await ann.asked("Your turn")
    await expect(ann.see("#for-less")).to_be_hidden()
    await ann.say("double 8")
    await expect(ann.see("#notice .cite")).to_contain_text("STAR-DOUBLE-3")
    await ann.cards(1, "6h", "5c")


async def test_canberra_14_3_super_bonus_and_fifty_for_the_others(house: Hall, people: People):
    table = await house.table("canberra", "7s 9h 7d 7s 9s 7s Kd 2c")
    ann, ben = await people.come("Ann"), await people.come("Ben")
    for box, person in ((1, ann), (2, ben)):
        await person.at(table)
        await person.stake(box, "25")
    await ann.done()
    await ben.done()
    await ann.press("Hit")
    await ben.press("Stand")
    await ann.result(1, "Super Bonus")
    await ann.result(1, "+$5,075")
    await ben.result(2, re.compile(r"Ben.*bonus"))
    await ann.wallet("$6,075")
    await ann.box(1).locator("button.result").first.click()
    await expect(ann.see("pontoon-why")).to_contain_text("Clause 14.3")
    await expect(ann.see("pontoon-why dd").first).not_to_be_empty()


@pytest.mark.slow
async def test_canberra_18_12_perfect_pairs_beside_the_wager(house: Hall, people: People):
    table = await house.table("canberra", "9c 6d 9c Kd 5h", packs=8)
    ann = await people.come("Ann")
    await ann.at(table)
    await ann.chip(2500)
    await ann.tap(1)
    await ann.click("#on-perfect_pairs")
    await ann.chip(500)
    await ann.tap(1)
    await expect(ann.see("#prompt")).to_contain_text("Your bets: $25 on box 1 and $5 on Perfect Pairs")
    await ann.done()
    await ann.result(1, "Perfect Pairs $5")
    await ann.result(1, "+$125")
    await ann.press("Stand")
    await ann.result(1, f"{MINUS}$25")
    await ann.wallet("$1,100")


@pytest.mark.slow
async def test_division_15_13_1_a_refused_press_says_why_with_its_clause(house: Hall, people: People):
    table = await house.table("division-15", "8s 6d 7h Kc")
    ann = await people.come("Ann")
    await ann.at(table)
    await ann.sit(1)
    await ann.wager(1)
    await ann.asked("Your turn: box 1, 15")
    await expect(ann.see("#do-Split")).to_be_hidden()  # only what is allowed is shown
    await ann.keys("p")  # its key says why not
    await expect(ann.see("#reason")).to_contain_text("13.1")
    await expect(ann.see("pontoon-why")).to_contain_text("Clause 13.1")
    await ann.keys("Escape")
    await expect(ann.see("#panel")).to_be_hidden()


async def test_adelaide_112_a_round_is_void_when_a_second_person_approves(house: Hall, people: People):
    table = await house.table("adelaide", "9h 6d 7c 5s 8d")
    ann = await people.come("Ann")
    grace, iris = await people.come("Grace"), await people.come("Iris")
    await ann.at(table)
    await ann.wager(1, "40")
    await ann.asked("Your turn")
    await grace.at(table)
    desk = await grace.panel("desk")
    await desk.get_by_role("button", name=re.compile("^Preview: Void the round")).click()
    trial = desk.locator(".trial")
    if await trial.locator("form").count():
        await trial.locator("input").first.fill("a card was exposed")
        await trial.get_by_role("button", name="Preview").click()
    await expect(trial).to_contain_text("A second person must approve")
    await expect(trial.locator("table")).to_contain_text("$40 → $0")
    await trial.get_by_role("button", name="Propose ruling").click()
    await ann.asked("Game paused: ruling awaiting approval")
    await expect(desk.locator(".proposal")).to_contain_text("proposed by Grace (game supervisor)")
    await iris.at(table)
    waiting = (await iris.panel("desk")).locator(".proposal")
    await waiting.get_by_role("button", name="Preview").click()
    await expect(iris.see("pontoon-desk .trial table")).to_contain_text("$40 → $0")
    await waiting.get_by_role("button", name="Approve", exact=True).click()
    await ann.wallet("$1,000")
    await ann.told(re.compile("Iris approves"))
    await ann.asked("Place your bets")


@pytest.mark.slow
async def test_adelaide_112_a_proposal_is_rejected_and_play_goes_on(house: Hall, people: People):
    table = await house.table("adelaide", "9h 6d 7c Ks 8d")
    ann, grace, carl = await people.come("Ann"), await people.come("Grace"), await people.come("Carl")
    await ann.at(table)
    await ann.wager(1, "40")
    await ann.asked("Your turn")
    await grace.at(table)
    desk = await grace.panel("desk")
    await desk.get_by_role("button", name=re.compile("^Preview: Void the round")).click()
    trial = desk.locator(".trial")
    await trial.get_by_role("button", name="Propose ruling").click()
    await ann.asked("Game paused")
    await carl.at(table)
    waiting = (await carl.panel("desk")).locator(".proposal")
    await waiting.get_by_label("Reason for rejecting").fill("nothing was wrong")
    await waiting.get_by_role("button", name="Reject").click()
    await ann.asked("Your turn")
    await expect(desk.locator(".proposal")).to_have_count(0)
    await ann.press("Stand")
    await ann.result(1, "$40")


async def test_the_layout_is_the_rulebooks_with_its_overrides(house: Hall, people: People):
    overrides = {
        "boxes.count": 5,
        "payout.pontoon": "6:5",
        "dealer.stands_soft": 17,
        "side.perfect_pairs.pays.mixed": "7:1",
    }
    table = await house.table("star", overrides=overrides)
    ann = await people.come("Ann")
    await ann.at(table)
    await expect(ann.see("pontoon-table .box")).to_have_count(5)
    lines = ["Pontoon pays 6 to 5", "Dealer must stand on hard 17 or soft 17", "Insurance pays 2 to 1"]
    await expect(ann.see("pontoon-table .printed li")).to_have_text(lines)
    await expect(ann.see("pontoon-table textPath")).to_have_text(lines)
    await ann.keys("6", "5")
    await expect(ann.see("#prompt")).to_contain_text("Your bets: $5 on box 5")
    await ann.click("#on-perfect_pairs")
    await expect(ann.see("pontoon-bets .odds")).to_have_text(
        "perfect pair 25 to 1, coloured pair 10 to 1, mixed pair 7 to 1; from $0.50, up to $500"
    )
    await ann.keys("?")
    await expect(ann.see("dialog .keys").last).to_contain_text("1 to 5")
