"""The panels beside the table: fairness, coach, history, as if, why, and the desk."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.hall import PATIENT, Hall, People

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_every_card_is_checked_here_against_what_the_house_bound_itself_to(house: Hall, people: People):
    """The fairness check runs in the page and detects a record changed in transit."""
    table = await house.table("star", clocks=PATIENT | {"decision": 0, "offer": 0})
    ann = await people.come("Ann")
    await ann.at(table)
    await expect(ann.see("#panels [data-panel=coach]")).to_have_count(0)  # for practice tables only
    panel = await ann.panel("fairness")
    await expect(panel.locator(".hashes dd")).to_have_count(2)
    await ann.wager(1)
    await expect(panel.locator(".verdict").first).to_have_text(re.compile(r"^✓ \d+ cards of this shoe checked"))
    await expect(panel.locator(".proofs .bad")).to_have_count(0)
    await panel.get_by_role("button", name="Check").first.click()
    await expect(panel.locator(".checks")).to_contain_text("✓ proofs")
    await expect(panel.locator(".checks")).to_contain_text("✓ order")

    async def tampered(route):
        answer = await route.fetch()
        told = await answer.json()
        told["dealt"][0]["card"] = "Ah" if told["dealt"][0]["card"] != "Ah" else "Kh"
        await route.fulfill(response=answer, json=told)

    await ann.page.route(f"**/api/tables/{table}/shoes/1", tampered)
    await panel.get_by_role("button", name="Check").first.click()
    await expect(panel.locator(".checks .bad")).to_contain_text("✗ proofs")


@pytest.mark.slow  # the server does its sums for a while
async def test_the_coach_knows_what_each_decision_is_worth(house: Hall, people: People):
    table = await house.table("canberra", "Kh 6d 9c 2s Kd 5c")
    ann = await people.come("Ann", settings={"coach": True})
    await ann.at(table)
    await ann.wager(1)
    await ann.asked("Your turn: box 1, 19")
    await expect(ann.see("#do-Stand.best")).to_contain_text("Best", timeout=60_000)
    await expect(ann.see("#do-Hit")).to_contain_text("costs $")
    coach = await ann.panel("coach")
    await expect(coach.locator("[role=status]").first).to_have_text("Kh 9c against 6d: stand", timeout=60_000)
    await expect(coach.locator("table").first).to_contain_text("hit")
    await ann.clean()
    await ann.press("Hit")
    await expect(coach).to_contain_text(re.compile(r"Mistakes cost \$[1-9]"), timeout=60_000)


@pytest.mark.slow
async def test_a_round_is_watched_again_and_played_under_the_other_rulebooks(house: Hall, people: People):
    """adelaide, and as if at canberra, star, federal and under division 15."""
    table = await house.table("adelaide", "8s 6d 8h Kc Kd Qh 9h")
    ann = await people.come("Ann")
    await ann.at(table)
    await ann.wager(1)
    await ann.press("Split")
    await ann.cards(1, "8s", "Kc", hand=1)
    await ann.press("Stand")
    await ann.cards(1, "8h", "Kd", hand=2)
    await ann.press("Stand")
    await ann.wallet("$1,020")
    panel = await ann.panel("history")
    await panel.get_by_role("button", name="Replay round 1").click()
    words = panel.locator("section [role=status]").first
    await expect(words).to_contain_text("1 of ")
    await ann.keys("ArrowRight", "ArrowRight")
    await expect(words).to_contain_text("3 of ")
    await panel.get_by_label("Step of the round").focus()
    await ann.keys("End")
    await expect(panel.locator("pontoon-table .dealer .card")).to_have_count(3)
    await panel.get_by_role("button", name="Other casinos", exact=True).click()
    elsewhere = panel.locator("pontoon-asif table").first
    for book in ("division-15", "star", "adelaide", "canberra", "federal"):
        await expect(elsewhere).to_contain_text(book)
    await expect(elsewhere).to_contain_text("+$20")
    async with ann.page.expect_download() as saved:
        await panel.get_by_role("button", name="Save transcript").click()
    assert (await saved.value).suggested_filename.endswith(".prt")
    panel = await ann.panel("asif")
    await expect(panel.locator("table").first).to_contain_text("played to the end")


@pytest.mark.slow
async def test_the_desk_changes_limits_and_reads_remedies(house: Hall, people: People):
    table = await house.table("canberra", "9h 6d 9c Kd")
    ann, grace = await people.come("Ann"), await people.come("Grace")
    await grace.at(table)
    desk = await grace.panel("desk")
    await desk.get_by_label("Minimum", exact=True).fill("10")
    await desk.locator("h3:has-text('Limits') + div").get_by_role("button", name="Preview").click()
    await desk.locator(".trial").get_by_role("button", name="Confirm ruling").click()
    await expect(grace.see(".sign .limits")).to_have_text("Wagers $10 to $500 a box")
    await ann.at(table)
    await ann.wager(1)
    await ann.asked("Your turn")
    await desk.get_by_label("What went wrong").select_option(label="a card burned in error")
    await desk.get_by_role("button", name="Show remedies").click()
    await expect(desk).to_contain_text(re.compile("Remedies, and each|No remedy is available"))


@pytest.mark.slow
async def test_the_creator_of_a_table_may_pause_it(people: People):
    ann = await people.come("Ann")
    await ann.lobby()
    await ann.click("#make-table")
    await ann.button("Make the table")
    await ann.asked(re.compile("Place your bets|Tap a box"))
    desk = await ann.panel("desk")
    await desk.get_by_role("button", name="Pause the game").click()
    await ann.asked("Game paused")
    await desk.get_by_role("button", name="Resume").click()
    await expect(ann.see("#prompt")).not_to_contain_text("paused")
