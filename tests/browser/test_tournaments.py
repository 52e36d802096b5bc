"""A tournament in the browser: both desks, entering, a table of it, the result; with nothing for axe to find."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.cup import DIRECTOR, TWO, Cup, conditions, opened
from tests.browser.hall import Hall, People, Person
from tests.browser.test_page import MOST_BYTES, MOST_REQUESTS, counted

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def looking(people: People, cup: Cup, who: str, *, phone: bool = False) -> Person:
    """Somebody before the page of a tournament."""
    person = await people.stranger(phone=phone, token=await cup.token(who))
    person.name = await cup.called(who)
    await person.page.goto(cup.link)
    await expect(person.see("#tournament h1")).to_be_visible()
    return person


async def test_20_2_20_4_from_the_conditions_to_the_first_entry(people: People):
    dora, otto = await people.come("Dora"), await people.come("Otto")
    await dora.lobby()
    await dora.click("#make-tournament")
    await expect(dora.see("dialog")).to_be_visible()
    await dora.clean()
    await dora.see("#conditions").fill(conditions("River Cup").replace("packs = 4", "packs = 2"))
    dora.forgiven.append("400")
    await dora.button("Make the tournament")
    await expect(dora.see("dialog li")).to_contain_text("20.1 2 packs are not allowed")
    await dora.see("#conditions").fill(conditions("River Cup"))
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
    await expect(otto.see("#notice")).to_contain_text("has not the role of a tournament director")
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
    cup = await opened(house, conditions())
    await cup.enter("Ann", "Ben")
    await cup.drawn()
    ann, dora = await looking(people, cup, "Ann"), await looking(people, cup, DIRECTOR)
    await expect(dora.see("pontoon-director [role=status]")).to_contain_text("Not seated yet")
    await ann.click("#take-seat")
    await expect(ann.see("#own")).to_contain_text("You are seated")
    await expect(dora.see("pontoon-director [role=status]")).to_have_text(f"Not seated yet: {await cup.called('Ben')}")
    await dora.click("#step-StartSession")
    await expect(dora.see("dialog")).to_contain_text("they lose their seats (clause 20.9)")
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
    if own != first:  # a plan may be made before one's turn, but not placed
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
    await ann.clean()


@pytest.mark.parametrize(
    "phone", [pytest.param(False, id="desktop"), pytest.param(True, id="phone", marks=pytest.mark.slow)]
)
async def test_20_16_a_break_and_somebody_who_only_watches(house: Hall, people: People, phone: bool):
    cup = await opened(house, conditions(sessions=TWO.format(rounds=3)))
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
    await expect(nobody.see("#newcomer")).to_have_count(0)
    await nobody.clean()
    dora = await looking(people, cup, DIRECTOR, phone=phone)
    await dora.click("#fold-CallBreak summary")
    await dora.see("#desk-minutes").fill("5")
    await dora.button("Call the break")
    await expect(dora.see(".countdown")).to_contain_text("play resumes in 4 min")
    await dora.clean()
    await cup.play(*names, rounds=2)
    await expect(nobody.see("#prompt")).to_contain_text("a break of 5 minutes")
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
