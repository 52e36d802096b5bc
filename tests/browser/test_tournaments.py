"""A tournament in the browser: both desks, entering, a table of it, the result; with nothing for axe to find."""

from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.cup import DIRECTOR, TWO, Cup, conditions, opened
from tests.browser.hall import Hall, People, Person
from tests.browser.test_page import MOST_BYTES, MOST_REQUESTS, counted

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def looking(people: People, cup: Cup, who: str, *, phone: bool = False) -> Person:
    """Someone before the page of a tournament."""
    person = await people.stranger(phone=phone, token=await cup.token(who))
    person.name = await cup.called(who)
    await person.page.goto(cup.link)
    await expect(person.see("#tournament h1")).to_be_visible()
    return person


async def printed(person: Person, title: str) -> Page:
    """A sheet that the server makes, in a window of its own."""
    await person.click("#prints summary")
    async with person.page.expect_popup() as opening:
        await person.page.get_by_role("link", name=title, exact=True).click()
    return await opening.value


async def test_20_2_20_4_from_the_conditions_to_the_first_entry(people: People):
    dora, otto = await people.come("Dora"), await people.come("Otto")
    await dora.lobby()
    await dora.click("#make-tournament")
    await expect(dora.see(".conditions-says h2")).to_have_text("In order")  # a template to begin with
    await dora.clean()
    await dora.see("#form-name").fill("")
    await dora.see("#form-money-chips").fill("5")
    await dora.see("#form-players-least").fill("x")
    await expect(dora.see(".conditions-says h2")).to_have_text("3 things must be corrected")
    await expect(dora.see(".faults")).to_contain_text("players receive $5.00 in chips, less than one wager of $10.00")
    await expect(dora.see(".faulty #form-players-least")).to_have_count(1)
    await expect(dora.see("#make")).to_be_disabled()
    await dora.clean()
    await dora.click("#conditions-raw summary")
    await dora.see("#conditions").fill(conditions("River Cup").replace("packs = 4", "packs = 2"))
    await expect(dora.see(".faults")).to_contain_text("2 packs are not allowed")
    async with dora.page.expect_download() as saving:
        await dora.click("#export")
    assert (await saving.value).suggested_filename == "river-cup.toml"
    await dora.see("#conditions").fill(conditions("River Cup"))
    await expect(dora.see(".conditions-says h2")).to_have_text("In order")
    await expect(dora.see("#form-name")).to_have_value("River Cup")
    await dora.button("Make the tournament")
    await expect(dora.see("#tournament h1")).to_have_text("River Cup")
    await expect(dora.see("#tournament .phase")).to_have_text("Being prepared")
    await expect(dora.see("pontoon-director")).to_be_hidden()
    await otto.page.goto(dora.page.url)
    await expect(otto.see("pontoon-director h2")).to_have_text("House desk")
    await otto.clean()
    for step in ("patrons", "commission", "CommitBallot"):
        await otto.click(f"#step-{step}")
        await expect(otto.see(f"#step-{step}")).to_have_count(0)
    await otto.click("#fold-NominateDirector summary")
    await otto.see("#desk-director").fill("Iris")
    otto.forgiven.append("409")
    await otto.button("Nominate")
    await expect(otto.see("#notice")).to_contain_text("is not a tournament director")
    await otto.see("#desk-director").fill("Dora")
    await otto.button("Nominate")
    await expect(otto.see("#tournament .phase")).to_have_text("Open for entries")
    await expect(dora.see("pontoon-director h2")).to_have_text("Director's desk")
    await dora.click("#fold-Direct summary")
    await dora.clean()
    await dora.lobby()
    await expect(dora.see("#tournaments li", has_text="River Cup").first).to_contain_text("open for entries")
    await dora.clean()


@pytest.mark.parametrize(
    "phone", [pytest.param(False, id="desktop"), pytest.param(True, id="phone", marks=pytest.mark.slow)]
)
async def test_20_5_who_enters_agrees_and_reads_what_to(house: Hall, people: People, phone: bool):
    cup = await opened(house, conditions())
    ann = await looking(people, cup, "Ann", phone=phone)
    await ann.click("#enter")
    await expect(ann.see("#agreed:invalid")).to_be_visible()  # the browser asks for the tick
    assert (await cup.see())["players"] == []
    await ann.click("#read-paper")
    await expect(ann.see("#paper section").first).to_be_visible()
    await ann.clean()
    await ann.see("#agreed").check()
    await ann.click("#enter")
    await expect(ann.see("#own")).to_contain_text("You are in.")
    await ann.wallet("$900")
    await expect(ann.see(".names .own")).to_have_text(ann.name)
    wide = await ann.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "the page is wider than the screen"
    await ann.see(".news .cite").first.click()
    await expect(ann.see("pontoon-why dd").first).to_be_visible()


async def test_20_7_20_14_a_wager_in_its_turn_and_the_result(house: Hall, people: People):
    cup = await opened(house, conditions(players=2))
    await cup.enter("Ann", "Ben")
    await cup.drawn()
    ann, dora = await looking(people, cup, "Ann"), await looking(people, cup, DIRECTOR)
    await expect(dora.see("pontoon-director [role=status]")).to_contain_text("Not seated yet")
    await ann.click("#take-seat")
    await expect(ann.see("#own")).to_contain_text("You are seated")
    await expect(dora.see("pontoon-director [role=status]")).to_have_text(f"Not seated yet: {await cup.called('Ben')}")
    await dora.click("#step-StartSession")
    await expect(dora.see("dialog")).to_contain_text("nobody loses a seat without notice (clauses 20.7, 20.9)")
    await dora.button("Wait")
    await cup.seated("Ben")
    await expect(dora.see("pontoon-director [role=status]")).to_have_text("All players are seated.")
    await dora.click("#step-StartSession")
    await ann.click("#my-table")
    await expect(ann.see("pontoon-table .sign h2")).to_have_text("Final")
    await expect(ann.see(".sign .facts")).to_contain_text("round 1 of 2")
    await expect(ann.see(".box .first")).to_have_count(1)
    await expect(ann.see(".box .front")).to_have_text([re.compile(r"\$500"), re.compile(r"\$500")])
    await expect(ann.see("#purse")).to_have_text("Chips here$500")
    own = await ann.see(".box.mine").get_attribute("data-box")
    first = await ann.see(".box:has(.first)").get_attribute("data-box")
    await ann.see("#typed").fill("20")
    if own != first:  # a wager may be planned before the player's turn, but not placed
        await ann.tap(int(own or 0))
        await expect(ann.see("#place")).to_have_attribute("aria-disabled", "true")
        await ann.asked("you are next")
        assert await cup.act("Ben")
    else:
        await ann.tap(int(own or 0))
    await ann.asked("Your wager")
    await ann.clean()
    await ann.click("#place[aria-disabled=false]")
    await expect(ann.box(int(own or 0)).locator(".wager.own")).to_contain_text("$20")
    await expect(ann.see("#purse")).to_have_text("Chips here$480")
    await expect(ann.see("pontoon-bets")).to_be_hidden()
    await expect(ann.see("#sit, #leave, #chips")).to_have_count(0)
    await cup.play("Ann", "Ben")
    await expect(ann.see("#prompt")).to_contain_text("This table has finished its session")
    await ann.click("#to-tournament")
    await expect(ann.see("pontoon-chip-graph .line.own")).to_have_count(1)
    await dora.click("#step-AwardPlaces")
    await dora.click("#pay-all")
    await dora.click("#step-RevealBallot")
    await expect(ann.see("#own .place")).to_have_text(re.compile("1st|2nd"))
    await expect(ann.see("#tournament .good")).to_contain_text("it is the seed whose hash was published")
    await expect(ann.see("#tournament .phase")).to_have_text("Over")
    await expect((await printed(ann, "Payout sheet")).locator("table")).to_contain_text("Ann")
    await ann.clean()


@pytest.mark.parametrize(
    "phone", [pytest.param(False, id="desktop"), pytest.param(True, id="phone", marks=pytest.mark.slow)]
)
async def test_20_16_a_break_and_somebody_who_only_watches(house: Hall, people: People, phone: bool):
    cup = await opened(house, conditions(sessions=TWO.format(rounds=3), players=4))
    names = ("Ann", "Ben", "Cas", "Dan")
    await cup.enter(*names)
    await cup.drawn()
    await cup.seated(*names)
    await cup.do(DIRECTOR, "StartSession")
    await cup.play(*names, rounds=1)
    nobody = await people.stranger(phone=phone)
    await nobody.page.goto(cup.link)
    await expect(nobody.see("#tournament .phase")).to_have_text("Playing Heats")
    await expect(nobody.see("pontoon-chip-graph .leader-1.line")).to_have_count(1)
    await nobody.clean()
    await nobody.click("#watch-1")
    await expect(nobody.see("pontoon-table .sign h2")).to_have_text("Heats")
    await expect(nobody.see("pontoon-bets")).to_be_hidden()
    await expect(nobody.see("pontoon-controls")).to_be_hidden()
    await expect(nobody.see("#play-here")).to_have_count(0)
    await nobody.clean()
    dora = await looking(people, cup, DIRECTOR, phone=phone)
    await dora.click("#fold-CallBreak summary")
    await dora.see("#desk-minutes").fill("5")
    await dora.button("Call the break")
    await expect(dora.see(".countdown")).to_contain_text("play resumes in 4 min")
    await dora.clean()
    playing = asyncio.create_task(cup.play(*names))  # only the rounds in progress, if there are any
    await expect(nobody.see("#prompt")).to_contain_text("a break of 5 minutes", timeout=60_000)
    playing.cancel()
    await dora.click("#step-EndBreak")
    await expect(dora.see("#tournament .phase")).to_have_text("Playing Heats")


@pytest.mark.slow
async def test_what_a_director_types_is_kept_while_people_enter(house: Hall, people: People):
    cup = await opened(house, conditions())
    dora = await looking(people, cup, DIRECTOR)
    await dora.click("#fold-Direct summary")
    await dora.see("#desk-words").fill("Welcome, eve")
    await cup.enter("Ann")
    await expect(dora.see(".names li")).to_have_count(1)
    await expect(dora.see("#desk-words")).to_have_value("Welcome, eve")
    await expect(dora.see("#desk-words")).to_be_focused()
    await dora.page.keyboard.type("rybody")
    await dora.keys("Enter")
    await expect(dora.see(".news li").first).to_contain_text("The director to all: Welcome, everybody")


async def test_first_paint_of_a_tournament_takes_at_most_100_kb_and_15_requests(house: Hall, people: People):
    cup = await opened(house, conditions())
    ann = await people.stranger(token=await cup.token("Ann"))
    size, asked = await counted(ann.page, cup.link, "#enter")
    assert size <= MOST_BYTES, size
    assert len(asked) <= MOST_REQUESTS, asked


@pytest.mark.slow
async def test_17_4_20_18_late_entry_appeal_decision_and_corrected_chips(house: Hall, people: People):
    cup = await opened(house, conditions())
    await cup.enter("Ann", "Ben", "Cas", "Eve")
    await cup.drawn()
    dora = await looking(people, cup, DIRECTOR)
    await expect(dora.see("#step-not-yet")).to_contain_text("possible from")  # the published time is to come
    await expect(dora.see("#step-StartSession")).to_have_count(0)
    await dora.click("#fold-EnterLate summary")
    await dora.see("#desk-late").fill(await cup.called("Fay"))
    await dora.see("#desk-late-why").fill("the train was late")
    await dora.see("#desk-late-agreed").check()
    await dora.clean()
    await dora.button("Admit")
    await expect(dora.see(".news")).to_contain_text("is admitted after entries closed, as the house's own decision")
    names = ("Ann", "Ben", "Cas")
    cup = await opened(house, conditions(sessions=TWO.format(rounds=4), players=3))
    await cup.enter(*names)
    await cup.drawn()
    await cup.seated(*names)
    await cup.do(DIRECTOR, "StartSession")
    await cup.play(*names, rounds=1)
    ben = await looking(people, cup, "Ben")
    await ben.click("#appeal summary")
    await ben.see("#appeal-reason").fill("My double was not paid")
    await ben.page.get_by_role("button", name="Appeal", exact=True).click()
    otto = await looking(people, cup, "Otto")
    await expect(otto.see(".duty-cards")).to_contain_text("Decide the appeal of")
    await otto.click("#fold-DecideAppeal summary")
    await otto.see("#desk-decision-1").fill("The camera shows that it was not")
    await otto.clean()
    await otto.click("#uphold-1")
    await expect(ben.see("#own")).to_contain_text("Your appeal: upheld (The camera shows that it was not)")
    await ben.clean()
    await dora.page.goto(cup.link)
    await dora.click("#fold-CorrectChips summary")
    await dora.see("#desk-chips-of").select_option(await cup.called("Ben"))
    await dora.see("#desk-chips-now").fill("$600")
    await dora.see("#desk-chips-why").fill("the double is paid")
    await dora.clean()
    await dora.button("Correct the chips")
    playing = asyncio.create_task(cup.play(*names, rounds=3))  # a correction waits for the end of the round
    await expect(dora.see(".news")).to_contain_text("to $600, as the house's own decision: the double is paid")
    await playing
