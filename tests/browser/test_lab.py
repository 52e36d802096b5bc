"""The rules lab in a browser: every figure checked against the solver, links, files, a practice table, keys, axe."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.async_api import expect

from pontoon.analysis import Solver
from pontoon.rulebook import load, play_digest
from tests.browser.hall import MINUS, Hall, People, Person

pytestmark = pytest.mark.asyncio(loop_scope="session")

SUMS = 120_000
"""Milliseconds for sums on a machine that has other things to do."""
SOFT_17 = {"dealer.stands_soft": 17}
BOTH = {**SOFT_17, "double.two_cards_only": True}
LINK = "/lab?rules=canberra&dealer.stands_soft=17&double.two_cards_only=yes"


def percent(part: float) -> str:
    shown = f"{abs(part):.2%}"
    return f"{MINUS}{shown}" if part < 0 and shown != "0.00%" else shown


def edge(overrides: Mapping[str, object], packs: int = 8, book: str = "canberra") -> float:
    return -float(Solver(load(book, overrides), packs, stake="10").value())


async def at(person: Person, house: Hall, path: str = "/lab?rules=canberra") -> Person:
    await person.page.goto(house.address + path)
    await expect(person.see("#lab-chart-title")).to_contain_text(
        re.compile("chart (change|differ)|No square|same chart"), timeout=SUMS
    )
    return person


async def shows(person: Person, figure: float) -> None:
    await expect(person.see("#lab-edge")).to_have_text(percent(figure), timeout=SUMS)


def rule(key: str) -> str:
    return f"#lab-rule-{key.replace('.', '-')}"


async def test_a_change_shows_its_edge_its_worth_and_its_squares(people: People):
    ann = await people.stranger(theme="light")
    await ann.lobby()
    await ann.click("#book-canberra")
    await ann.click("#to-lab")
    await expect(ann.see("#lab-book")).to_have_value("canberra")
    base, soft, both = edge({}), edge(SOFT_17), edge(BOTH)
    await shows(ann, base)
    row = rule("dealer.stands_soft")
    await ann.see(row).get_by_role("radio", name="17", exact=True).check()
    await shows(ann, soft)
    await expect(ann.see(f"{row} .lab-worth")).to_have_text(f"{percent(base - soft)} better for you")
    await expect(ann.see("#lab-chart-title")).to_have_text("9 squares of the strategy chart change", timeout=SUMS)
    await ann.see(rule("double.two_cards_only")).get_by_role("radio", name="two cards", exact=True).check()
    await shows(ann, both)
    await expect(ann.see("#lab-chart-title")).to_have_text("23 squares of the strategy chart change", timeout=SUMS)
    await expect(ann.see(".lab-table td.changed")).to_have_count(23)
    worse = f"{percent(abs(soft - both))} worse for you"
    await expect(ann.see(f"{rule('double.two_cards_only')} .lab-worth")).to_have_text(worse, timeout=SUMS)
    await expect(ann.see("#lab-about")).to_have_text("Starting from Canberra rules, two rules changed")
    await expect(ann.see("#lab-hour")).to_have_text(f"${both * 600:.2f} an hour")
    await ann.see("#lab-pace").fill("100")
    await ann.keys("Tab")
    await expect(ann.see("#lab-hour")).to_have_text(f"${both * 1000:.2f} an hour".replace(".00", ""))
    await ann.click("#lab-back")
    await shows(ann, base)
    await expect(ann.see(".lab-rule.changed")).to_have_count(0)


async def test_two_casinos_side_by_side(house: Hall, people: People):
    ann = await at(await people.stranger(), house)
    await ann.see("#lab-against").select_option("adelaide")
    table = ann.see(".lab-sides-table")
    await expect(table).to_contain_text(percent(edge({})), timeout=SUMS)
    await expect(table).to_contain_text(percent(edge({}, book="adelaide")))
    row = table.get_by_role("row", name="Hands after splitting")
    await expect(row).to_contain_text("4")
    await expect(row).to_contain_text("3")
    await expect(ann.see("#lab-chart-title")).to_contain_text("differ from Adelaide", timeout=SUMS)
    await ann.see(".lab-compare .link").click()
    await expect(table.get_by_role("row", name="Others may insure your bet")).to_be_visible()


async def test_a_link_reopens_exactly_this_state(house: Hall, people: People):
    ann, ben = await people.stranger(), await people.stranger()
    await ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await at(ann, house, "/lab?rules=canberra")
    await ann.see(rule("dealer.stands_soft")).get_by_role("radio", name="17", exact=True).check()
    await ann.see(rule("surrender.first_cards")).get_by_role("radio", name="never", exact=True).check()
    await ann.see(rule("decks.default")).get_by_role("radio", name="6", exact=True).check()
    await ann.see("#lab-stake").fill("25")
    await ann.keys("Tab")
    await ann.see("#lab-against").select_option("star")
    await expect(ann.see("#lab-hour-was")).to_contain_text("Star", timeout=SUMS)
    await ann.click("#lab-share")
    await expect(ann.see(".lab-actions [role=status]")).to_have_text("Link copied")
    link = await ann.page.evaluate("navigator.clipboard.readText()")
    await ben.page.goto(link)
    changed = {"dealer.stands_soft": 17, "surrender.first_cards": []}
    rules = Solver(load("canberra", changed), 6, stake="25")
    await shows(ben, -float(rules.value()))
    await expect(ben.see(".lab-rule.changed")).to_have_count(3)
    await expect(ben.see("#lab-stake")).to_have_value("25")
    await expect(ben.see("#lab-against")).to_have_value("star")
    assert await ben.page.evaluate("location.href") == link


async def test_the_book_is_a_file_that_plays_alike(house: Hall, people: People):
    ann = await people.stranger()
    await ann.page.goto(house.address + LINK)
    await expect(ann.see(".lab-rule.changed")).to_have_count(2)
    async with ann.page.expect_download() as saving:
        await ann.click("#lab-download")
    saved = await saving.value
    assert saved.suggested_filename == "canberra-changed.toml"
    book = load(Path(await saved.path()))
    assert play_digest(book) == play_digest(load("canberra", BOTH))


async def test_a_practice_table_opens_with_these_rules(house: Hall, people: People):
    ann = await people.stranger()
    await ann.page.goto(house.address + LINK + "&surrender.first_cards=")
    await expect(ann.see(".lab-rule.changed")).to_have_count(3)
    await ann.click("#lab-play")
    await ann.see("#lab-name").fill("Ann of the lab")
    await ann.button("Play as guest")
    await expect(ann.see("pontoon-table .sign h2")).to_be_visible()
    table = ann.page.url.rpartition("/")[2]
    room = (await house.seen(table))["room"]
    assert room["practice"]
    assert room["overrides"] == {**BOTH, "surrender.first_cards": []}


async def test_a_change_that_does_not_fit_is_taken_back_with_the_reason(house: Hall, people: People):
    ann = await at(await people.stranger(), house)
    ann.forgiven.append("400")
    await ann.click("#lab-all")
    await ann.see("#lab-search").fill("co-bettor may surrender alone")
    await ann.see(rule("surrender.co_bettor_alone")).get_by_role("radio", name="yes", exact=True).click()
    await expect(ann.see("#lab-says")).to_contain_text("contradicts", timeout=SUMS)
    await expect(ann.see(".lab-rule.changed")).to_have_count(0)


async def test_every_rule_can_be_found_with_its_sentence_and_clause(house: Hall, people: People):
    ann = await at(await people.stranger(), house)
    await expect(ann.see(rule("shoe.wash"))).to_be_hidden()
    await ann.click("#lab-all")
    await ann.see("#lab-search").fill("forced")
    await expect(ann.see(".lab-rules > [role=status]")).to_contain_text("0 of")
    await ann.see("#lab-search").fill("washed")
    row = ann.see(rule("shoe.wash"))
    await expect(row).to_contain_text("No wash of new cards is asked for.")
    await expect(row.locator(".lab-clause")).to_have_text("Rule 2.3(b)")


async def test_the_keyboard_is_enough(house: Hall, people: People):
    ann = await at(await people.stranger(), house)
    await ann.see("#lab-against").focus()
    await ann.keys("Tab")  # packs
    assert await ann.page.evaluate("document.activeElement.name") == "lab-rule-decks-default"
    await ann.keys("ArrowLeft")
    await shows(ann, edge({}, 7))
    assert await ann.page.evaluate("document.activeElement.name") == "lab-rule-decks-default"
    await ann.keys("ArrowRight")
    await shows(ann, edge({}))


@pytest.mark.parametrize("phone", [pytest.param(False, id="desktop"), pytest.param(True, id="phone")])
async def test_nothing_for_axe_to_complain_about(house: Hall, people: People, phone: bool):
    ann = await at(await people.stranger(phone=phone), house, f"{LINK}&against=adelaide")
    await expect(ann.see("#lab-swing")).not_to_be_empty(timeout=SUMS)
    await ann.clean()
    await ann.click("#lab-all")
    await ann.clean()


async def test_a_phone_has_the_edge_in_sight_while_rules_change(house: Hall, people: People):
    ann = await at(await people.stranger(phone=True), house)
    row = ann.see(rule("payout.five_cards"))
    await row.scroll_into_view_if_needed()
    await row.get_by_role("radio", name="2 to 1", exact=True).check()
    await shows(ann, edge({"payout.five_cards": "2:1"}))
    await expect(ann.see("#lab-edge")).to_be_in_viewport()
    assert await ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
        "nothing is wider than the page"
    )
