"""A director's evening in the browser: walk-ups, a substitute, a reinstatement, buy-backs, points, ties."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from tests.browser.cup import DIRECTOR, ONE, TWO, Cup, conditions, opened
from tests.browser.hall import Hall, People, Person
from tests.browser.test_tournaments import looking, printed

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="session")]
BUY_BACK = """[buy_back]
times = 1
fee = "20.00"
chips = "500.00"
when = "at_once"
until = "Heats"
method = "on the page of the tournament"

[ties]"""
SHEETS = ("Seating cards", "Standings", "Agreements to sign", "Full record", "Payout sheet")


async def fold(person: Person, name: str, fields: dict[str, str], label: str, *, agreed: str = "") -> None:
    """Fill a folded form of the desk and send it."""
    if not await person.see(f"#fold-{name}[open]").count():
        await person.click(f"#fold-{name} summary")
    for field, value in fields.items():
        place = person.see(f"#desk-{field}")
        if await place.evaluate("input => input.tagName") == "SELECT":
            await place.select_option(value)
        else:
            await place.fill(value)
    if agreed:
        await person.see(f"#desk-{agreed}").check()
    await person.button(label)


async def started(cup: Cup, *names: str) -> None:
    await cup.drawn()
    await cup.seated(*names)
    await cup.do(DIRECTOR, "StartSession")


async def test_20_4_walk_ups_a_substitute_and_a_player_back_in(house: Hall, people: People):
    cup = await opened(house, conditions(sessions=ONE.replace("rounds = 2", "rounds = 8"), players=3))
    dora = await looking(people, cup, DIRECTOR)
    await expect(dora.see("#enter")).to_have_count(0)  # a director may not enter their own tournament
    dora.forgiven.append("403")
    await fold(dora, "Enter", {"entrant": DIRECTOR}, "Enter", agreed="entrant-agreed")
    await expect(dora.see("#notice")).to_contain_text("director")
    for name in ("Ann", "Ben", "Cas"):
        await fold(dora, "Enter", {"entrant": await cup.called(name)}, "Enter", agreed="entrant-agreed")
        await expect(dora.see(".names")).to_contain_text(await cup.called(name))
    await cup.drawn()
    await cup.seated("Ann", "Ben", "Cas")
    await expect(dora.see("#step-StartSession")).to_be_visible()
    await dora.click("#step-StartSession")
    await cup.play("Ann", "Ben", "Cas", rounds=1)
    pat = await cup.called("Pat")
    facts = {"leaves": await cup.called("Cas"), "substitute": pat, "substitute-why": "taken ill"}
    await fold(dora, "Substitute", facts, "Substitute", agreed="substitute-agreed")
    playing = asyncio.create_task(cup.play("Ann", "Ben", "Cas", "Pat", rounds=2))
    await expect(dora.see(".news")).to_contain_text(f"{pat}")
    await playing
    await fold(dora, "Disqualify", {"out": pat, "out-why": "advice from the rail"}, "Disqualify")
    await cup.play("Ann", "Ben", "Pat", rounds=4)
    await fold(dora, "Reinstate", {"back": pat, "back-chips": "500", "back-why": "it was another guest"}, "Reinstate")
    playing = asyncio.create_task(cup.play("Ann", "Ben", "Pat", rounds=6))  # a ruling waits for the end of the round
    await expect(dora.see(".news")).to_contain_text("it was another guest")
    await playing
    await dora.clean()
    await cup.play("Ann", "Ben", "Pat")
    await dora.click("#step-AwardPlaces")
    await expect(dora.see("#pay-1")).to_be_visible()
    for title in SHEETS:
        sheet = await printed(dora, title)
        await expect(sheet.locator("h1").first).to_be_visible()
        await sheet.close()
        await dora.click("#prints summary")


async def test_20_3_a_ii_f_a_player_buys_back_on_the_page(house: Hall, people: People):
    text = conditions(sessions=TWO.format(rounds=30), players=4).replace("[ties]", BUY_BACK)
    cup = await opened(house, text)
    names = ("Ann", "Ben", "Cas", "Dan")
    await cup.enter(*names)
    await started(cup, *names)
    out = ""
    for _ in range(4000):
        players = (await cup.see())["players"]
        gone = [one["name"] for one in players if one["status"] == "eliminated"]
        if gone:
            out = gone[0]
            break
        held = {one["name"]: one["chips"] for one in players}
        for name in names:
            await cup.act(name, min(30000, held[await cup.called(name)]))
    who = {await cup.called(name): name for name in names}[out]
    player = await looking(people, cup, who)
    await expect(player.see("#buy-back")).to_have_text("Buy back for $20")
    await player.click("#buy-back")
    await expect(player.see("#buy-back")).to_have_count(0)
    await expect(player.see(".news")).to_contain_text("buys back")
    await player.clean()


async def test_20_3_a_ii_d_points_of_another_game_count(house: Hall, people: People):
    text = conditions(sessions=ONE + "points = [3, 2, 1]\n", players=3)
    text = text.replace('format = "knock_out"', 'format = "points"\nother_games = "Blackjack"')
    text = text.replace('session = "extra_rounds"', 'points = "combine"')
    cup = await opened(house, text)
    names = ("Ann", "Ben", "Cas")
    await cup.enter(*names)
    await started(cup, *names)
    await cup.play(*names)
    dora = await looking(people, cup, DIRECTOR)
    await fold(dora, "RecordPoints", {"game": "Blackjack", "points": f"{await cup.called('Ben')} 50"}, "Record")
    await expect(dora.see(".news")).to_contain_text("Blackjack")
    await dora.clean()
    await dora.click("#step-AwardPlaces")
    await expect(dora.see("#pay-1")).to_contain_text(await cup.called("Ben"))


async def test_20_3_a_xi_equal_players_play_extra_rounds(house: Hall, people: People):
    text = conditions(sessions=ONE.replace("rounds = 2", "rounds = 1"), players=3)
    text = text.replace('final = "divide"', 'final = "extra_rounds"\nrounds = 1\nmost = 3')
    names = ("Ann", "Ben", "Cas")
    for _ in range(12):
        cup = await opened(house, text)
        await cup.enter(*names)
        await started(cup, *names)
        await cup.play(*names)
        if (await cup.see())["ties"]:
            break
    dora = await looking(people, cup, DIRECTOR)
    await expect(dora.see("#tournament")).to_contain_text("extra round")
    for _ in range(400):
        view = await cup.see()
        if not view["ties"] and view["phase"] != "session":
            break
        for name in names:
            await cup.act(name)
        await asyncio.sleep(0.05)
    await dora.click("#step-AwardPlaces")
    await expect(dora.see("#pay-1")).to_be_visible()
