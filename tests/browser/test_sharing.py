"""Sharing and looking back: a hand by link, framed and revoked; the review of a session; emotes."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.browser.hall import PATIENT, Hall, People

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_hand_is_shared_opened_by_a_stranger_and_revoked(house: Hall, people: People):
    table = await house.table("canberra", "2h 6d 4c 5d Ks 9h 4s")
    ann, stranger = await people.come("Ann"), await people.stranger()
    await ann.at(table)
    await ann.wager(1, "25")
    await ann.press("Hit")
    await ann.press("Double")
    await ann.told("Round 1: Ann")
    history = await ann.panel("history")
    await history.get_by_role("button", name="Replay round 1").click()
    await ann.click("#share-hand")
    await expect(ann.see("#share-link")).to_have_value(re.compile(r"/hand/[2-9a-z]{16}$"))
    await ann.clean()
    link = await ann.see("#share-link").input_value()

    await stranger.page.goto(link)
    await expect(stranger.see("h1")).to_have_text("A win with 21 against a 6")
    await expect(stranger.see(".hand-page")).not_to_contain_text("Ann")
    await stranger.see(".hand-step", has_text="Double").click()
    await expect(stranger.see(".hand-card h2").first).to_have_text("Best play", timeout=90_000)
    await expect(stranger.see(".hand-card .worths").nth(1).locator("tbody tr")).to_have_count(5)
    await expect(stranger.see(".hand-proof")).to_contain_text("not sealed")  # chosen cards
    await expect(stranger.see("#play-this")).to_have_attribute("href", re.compile("canberra"))
    picture = await stranger.see("meta[property='og:image']").get_attribute("content")
    assert picture is not None
    assert (await stranger.page.request.get(picture)).headers["content-type"] == "image/png"
    await stranger.clean()

    await ann.click("#stop-sharing")
    await expect(ann.see("dialog")).to_contain_text("no longer shared")
    gone = await stranger.page.goto(link)
    assert gone is not None
    assert gone.status == 410
    await expect(stranger.see("#main")).to_contain_text("This hand is no longer shared")
    stranger.forgiven.append("410")


async def test_another_site_frames_the_hand_and_nothing_else(house: Hall, people: People):
    table = await house.table("canberra", clocks=PATIENT | {"decision": 0, "offer": 0})
    ann, reader = await people.come("Ann"), await people.stranger()
    await ann.at(table)
    await ann.sit(1)
    await ann.wager(1)
    await ann.told("Round 1: Ann")
    token = await ann.page.evaluate("localStorage.getItem('pontoon.token')")
    share = f"{house.address}/api/rounds/{table}/1/share"
    told = await ann.page.request.post(share, data={}, headers={"authorization": f"Bearer {token}"})
    link = await told.json()
    framed = await reader.page.request.get(house.address + link["embed"])
    assert "frame-ancestors *" in framed.headers["content-security-policy"]
    assert "x-frame-options" not in framed.headers
    for path in (link["link"], "/", f"/api/hands/{link['id']}"):
        answer = await reader.page.request.get(house.address + path)
        assert answer.headers["x-frame-options"] == "DENY"
        assert "frame-ancestors *" not in answer.headers.get("content-security-policy", "")
    await reader.page.goto(house.address + link["embed"])
    await expect(reader.see("h1")).to_have_text(re.compile("^A (win|loss|tie) with"))
    await expect(reader.see(".hand-proof")).to_contain_text("The shuffle checks out.")
    await reader.clean()


async def test_the_review_lists_mistakes_with_their_cost_the_worst_first(house: Hall, people: People):
    table = await house.table("canberra", "Ks 6d 9h 5c 7h")
    ann = await people.come("Ann")
    await ann.at(table)
    await ann.wager(1, "25")
    await ann.press("Hit")
    await ann.told("Round 1: Ann")
    await ann.page.goto(f"{house.address}/review")
    await expect(ann.see("h1")).to_contain_text("1 mistake cost $", timeout=90_000)
    await expect(ann.see(".review-list tbody tr")).to_contain_text("19 against a 6")
    await expect(ann.see(".review-parts")).to_contain_text("Luck of the cards")
    await expect(ann.see("#practise")).to_have_attribute("href", re.compile("canberra"))
    await ann.clean()


async def test_an_emote_is_seen_and_a_muted_person_is_not(house: Hall, people: People):
    table = await house.table("canberra", clocks=PATIENT)
    ann, ben = await people.come("Ann"), await people.come("Ben")
    for person, box in ((ann, 1), (ben, 2)):
        await person.at(table)
        await person.tap(box)
        await expect(person.box(box)).to_have_class(re.compile("mine"))
    await ann.panel("together")
    await ben.panel("together")
    await ben.click("#emote-well_played")
    await expect(ann.see(".emote")).to_contain_text(f"{ben.name} Well played")
    await ann.clean()
    await expect(ann.see(".emote")).to_have_count(0)
    await ann.see("pontoon-together").get_by_role("button", name=f"Mute {ben.name}").click()
    await ben.click("#emote-ouch")
    await expect(ben.see(".emote")).to_contain_text("Ouch")
    await expect(ann.see(".emote")).to_have_count(0)
