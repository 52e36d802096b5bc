"""Make the pictures of the web table in docs/pictures: the main states, on shoes with chosen first cards.

    python tools/pictures.py            # all of them
    python tools/pictures.py phone      # those with this word in their names

It starts a server and a browser; nothing else is needed. The cards, names and amounts are the same each time.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402
from playwright.async_api import expect  # noqa: E402

from tests.browser.cup import DIRECTOR, TWO, Cup, conditions, opened  # noqa: E402
from tests.browser.hall import Hall, People, Person, chromium, hall  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
LARGEST = 250_000
COLOURS = 256
"""Size of the palette: a picture is mostly shades of the felt, and a small file loads faster in the README."""
PACE = {"card": 5, "wagers": 600_000, "decision": 600_000, "offer": 600_000}
SLOW_SUMS = 240_000
"""Timeout in milliseconds for computations on a busy machine."""

Scene = Callable[[Hall, People], Awaitable[None]]
SCENES: dict[str, Scene] = {}


def scene(function: Scene) -> Scene:
    """Register a function that takes one or more pictures."""
    SCENES[function.__name__] = function
    return function


async def keep(person: Person, name: str, *, whole: bool = False, of: str = "web") -> None:
    """Save a screenshot with a reduced palette; animations are off, so fonts and layout have settled."""
    await person.page.mouse.move(2, 2)
    await person.page.evaluate("document.activeElement?.blur?.(); scrollTo(0, 0)")
    path = PICTURES / f"{of}-{name}.png"
    shot = await person.page.screenshot(full_page=whole)
    few = Image.open(BytesIO(shot)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    size = path.stat().st_size
    print(f"{path.relative_to(ROOT)}: {size / 1000:.0f} kB")
    if size > LARGEST:
        raise SystemExit(f"{path.name} is too large")


async def made(house: Hall, rulebook: str, cards: str = "", **settings: object) -> str:
    """Create a table hosted by Ruth and return its name."""
    return await house.table(rulebook, cards, host="Ruth", **settings)


async def company(people: People, table: str, bets: dict[str, tuple[int, str]], theme: str = "dark") -> list[Person]:
    """Seat people, place their bets and press Ready for each."""
    chosen = {"theme": theme, "log": False}
    here = [await people.come(name, theme=theme, settings=chosen) for name in bets]
    for person, (box, amount) in zip(here, bets.values(), strict=True):
        await person.at(table)
        await person.stake(box, amount)
    for person in here:
        await person.done()
    return here


@scene
async def lobby(house: Hall, people: People) -> None:
    """The lobby with a few tables."""
    await made(house, "canberra", name="Under the lake lights")
    await made(house, "star", name="The quiet corner", minimum=1000)
    await made(house, "adelaide", name="North Terrace", clocks=PACE | {"card": 400}, practice=True)
    for theme in ("dark", "light"):
        ann = await people.come("Ann" if theme == "dark" else "", theme=theme)
        await ann.lobby()
        await expect(ann.see("#tables li")).to_have_count(3)
        await ann.click("#book-canberra")
        await expect(ann.see("#telling li").first).to_be_visible()
        await keep(ann, f"lobby-{theme}")


@scene
async def start(house: Hall, people: People) -> None:
    """The start page, as a stranger sees it."""
    await made(house, "canberra", name="Under the lake lights")
    await made(house, "adelaide", name="North Terrace")
    await made(house, "star", name="The quiet corner", minimum=1000)
    stranger = await people.stranger()
    await stranger.page.goto(house.address)
    await expect(stranger.see("#try-double")).to_be_visible()
    await expect(stranger.see(".home-tables li")).to_have_count(3)
    await keep(stranger, "start")


@scene
async def lesson(house: Hall, people: People) -> None:
    """The first hand of the lesson."""
    stranger = await people.stranger()
    await stranger.page.goto(f"{house.address}/learn")
    await stranger.click("#do-Hit.asked-for")
    await expect(stranger.see("#do-Stand.asked-for")).to_be_visible()
    await keep(stranger, "lesson")


@scene
async def trainer(house: Hall, people: People) -> None:
    """A drill with the value of each choice, the reason and the square of the chart."""
    stranger = await people.stranger()
    await stranger.page.goto(f"{house.address}/train?position=canberra%7C8%7C6s8h%7C4d")
    await stranger.see("#choose-stand").click(timeout=SLOW_SUMS)
    await expect(stranger.see(".drill-side .marked")).to_be_visible(timeout=SLOW_SUMS)
    await keep(stranger, "trainer")


@scene
async def after_play(house: Hall, people: People) -> None:
    """Two mistakes looked over, and one of them as a shared hand."""
    table = await made(house, "canberra", "Ks 6d 9h 5c 7h 6h 9d Kh 8s", name="Under the lake lights")
    ann = await people.come("Ann", theme="light")
    await ann.at(table)
    for number in (1, 2):
        await ann.wager(1, "25")
        await ann.press("Hit")
        await ann.told(f"Round {number}: ")
    await ann.page.goto(f"{house.address}/review")
    await expect(ann.see(".review-list tbody tr")).to_have_count(2, timeout=SLOW_SUMS)
    await keep(ann, "review")
    token = await ann.page.evaluate("localStorage.getItem('pontoon.token')")
    link = (await house.ask(f"/api/rounds/{table}/1/share", {}, token))["id"]
    await ann.page.goto(f"{house.address}/hand/{link}")
    await ann.see(".hand-step.mistake").click()
    await expect(ann.see(".hand-side")).to_contain_text("was better", timeout=SLOW_SUMS)
    await expect(ann.see(".hand-side")).to_contain_text("Other casinos")
    await keep(ann, "shared-hand")


async def in_mid_round(house: Hall, people: People, theme: str) -> None:
    """A split on one box with a co-bettor, others waiting."""
    cards = "8s 9h Kd Ac 6d 8h 7d Qs 5c Kc 3h"
    table = await made(house, "canberra", cards, name="Under the lake lights")
    bets = {"Ann": (1, "25"), "Ben": (2, "50"), "Cal": (3, "10"), "Dee": (5, "100"), "Eve": (1, "15")}
    ann, *_, eve = await company(people, table, bets, theme=theme)
    await ann.press("Split")
    await eve.press("Split")
    await ann.cards(1, "8s", "Kc", hand=1)
    await keep(ann, f"table-{theme}")


@scene
async def table_dark(house: Hall, people: People) -> None:
    """A round in progress, dark theme."""
    await in_mid_round(house, people, "dark")


@scene
async def table_light(house: Hall, people: People) -> None:
    """A round in progress, light theme."""
    await in_mid_round(house, people, "light")


@scene
async def phone(house: Hall, people: People) -> None:
    """A phone in portrait: betting, and a decision with the coach."""
    table = await made(house, "star", "9h 8c 6d 2c Kh Qs Kd 5h", name="The quiet corner")
    ben = await people.come("Ben")
    await ben.at(table)
    await ben.stake(3, "50")
    ann = await people.come("Ann", phone=True, settings={"coach": True})
    await ann.at(table)
    await ann.chip(2500)
    await ann.tap(1)
    await keep(ann, "phone-wagers")
    await ann.done()
    await ben.done()
    await ann.asked("Your turn")
    await expect(ann.see(".action.best")).to_be_visible(timeout=SLOW_SUMS)
    await keep(ann, "phone-decision")


@scene
async def bonus(house: Hall, people: People) -> None:
    """The Super Bonus, and fifty for the others."""
    table = await made(house, "canberra", "7s 9h 6c 7d 7s 9s Kc 7s Kd", name="Under the lake lights")
    ann, ben, cal = await company(people, table, {"Ann": (1, "25"), "Ben": (2, "20"), "Cal": (4, "50")})
    await ann.press("Hit")
    await ben.press("Stand")
    await cal.press("Stand")
    await ann.result(1, "Super Bonus")
    await ann.asked("Place your bets")
    await keep(ann, "bonus")


@scene
async def insurance(house: Hall, people: People) -> None:
    """The dealer shows an ace."""
    table = await made(house, "federal", "9h Kc Ad 9c 6s", name="Federal Square")
    ann, _ = await company(people, table, {"Ann": (1, "20"), "Ben": (3, "40")})
    await ann.asked("Insurance for $10?")
    await keep(ann, "insurance")


@scene
async def coach(house: Hall, people: People) -> None:
    """The coach's advice on a hand."""
    table = await made(house, "canberra", "6h 4d 5c Kd 9s", name="A lesson")
    ann = await people.come("Ann", settings={"coach": True})
    await ann.at(table)
    await ann.wager(2, "20")
    await expect(ann.see(".action.best")).to_be_visible(timeout=SLOW_SUMS)
    panel = await ann.panel("coach")
    await expect(panel).to_contain_text("against 4d", timeout=SLOW_SUMS)
    await keep(ann, "coach")


@scene
async def fairness(house: Hall, people: People) -> None:
    """Cards checked by the page as they are dealt."""
    table = await made(house, "star", clocks=PACE | {"decision": 0, "offer": 0}, name="The quiet corner")
    ann = await people.come("Ann", theme="light")
    await ann.at(table)
    panel = await ann.panel("fairness")
    await ann.wager(4, "20")
    await ann.told("Round 1: ")
    await panel.get_by_role("button", name="Check").first.click()
    await expect(panel.locator(".checks")).to_contain_text("proofs")
    await keep(ann, "fairness")


@scene
async def desk(house: Hall, people: People) -> None:
    """A proposed ruling that a second person must approve."""
    table = await made(house, "adelaide", "9h 8s 6d 7c Kc 5s 8d", name="North Terrace")
    ann, _ = await company(people, table, {"Ann": (1, "40"), "Ben": (3, "15")})
    await ann.asked("Your turn")
    grace, iris = await people.come("Grace"), await people.come("Iris")
    await grace.at(table)
    await grace.panel("desk")
    await grace.see("pontoon-desk").get_by_role("button", name="Preview: Void the round").click()
    await grace.button("Propose ruling")
    await ann.asked("Game paused")
    await iris.at(table)
    await iris.panel("desk")
    await iris.button("Preview")
    await expect(iris.see("pontoon-desk .trial table")).to_be_visible()
    await expect(iris.see("pontoon-desk table").nth(1)).to_be_visible()
    await keep(iris, "desk")


@scene
async def history(house: Hall, people: People) -> None:
    """A replayed round, and its result under other rulebooks."""
    table = await made(house, "adelaide", "8s Kd 8h Kc 9d Ah", name="North Terrace")
    ann = await people.come("Ann", theme="light")
    await ann.at(table)
    await ann.wager(1, "20")
    await ann.asked("Surrender half your bet?")
    await ann.press("No")
    await ann.press("Split")
    await ann.cards(1, "8s", "Kc", hand=1)
    await ann.press("Stand")
    await ann.cards(1, "8h", "9d", hand=2)
    await ann.press("Stand")
    await ann.told("Round 1: ")
    panel = await ann.panel("history")
    await panel.get_by_role("button", name="Replay round 1").click()
    await panel.get_by_label("Step of the round").focus()
    await ann.keys("End")
    await panel.get_by_role("button", name="Other casinos", exact=True).click()
    await expect(panel.locator("pontoon-asif table").first).to_contain_text("Federal")
    await keep(ann, "history", whole=True)


@scene
async def lab(house: Hall, people: People) -> None:
    """The rules lab with two rules changed."""
    ann = await people.come("Ann", theme="light")
    await ann.page.set_viewport_size({"width": 1280, "height": 1000})
    await ann.page.goto(f"{house.address}/lab?rules=canberra&dealer.stands_soft=17&double.two_cards_only=yes")
    await expect(ann.see("#lab-chart-title")).to_contain_text("squares of the strategy chart change", timeout=SLOW_SUMS)
    await expect(ann.see("#lab-swing")).not_to_be_empty(timeout=SLOW_SUMS)
    await expect(ann.see(".lab-worth.good")).to_be_visible()
    await keep(ann, "lab")


CAST = ("Ann", "Ben", "Cas", "Deb", "Eve", "Fay")


async def before(people: People, cup: Cup, who: str, *, phone: bool = False, theme: str = "dark") -> Person:
    """Open the page of a tournament as one person."""
    person = await people.stranger(phone=phone, theme=theme, token=await cup.token(who))
    await person.page.goto(cup.link)
    await expect(person.see("#tournament h1")).to_be_visible()
    return person


@scene
async def tournament(house: Hall, people: People) -> None:
    """A tournament: the director's desk, a table, and a player's page during and after play."""
    text = conditions("Under the lake lights", TWO.format(rounds=6), at_table=3, players=len(CAST))
    cup = await opened(house, text)
    await cup.enter(*CAST)
    phone = await before(people, cup, "Fay", phone=True)
    await expect(phone.see(".names li")).to_have_count(len(CAST))
    await keep(phone, "tournament-phone")
    await cup.drawn()
    await cup.seated(*CAST[:-1])
    dora = await before(people, cup, DIRECTOR)
    await dora.page.set_viewport_size({"width": 1440, "height": 900})
    await expect(dora.see("pontoon-director [role=status]")).to_contain_text("Not seated yet: Fay")
    await keep(dora, "tournament-desk")
    await cup.seated("Fay")
    await cup.do(DIRECTOR, "StartSession")
    ann = await before(people, cup, "Ann", theme="light")
    stakes = {name: 1000 + 2000 * number for number, name in enumerate(CAST)}
    await cup.play(*CAST, stakes=stakes, rounds=5)
    await cup.play(*CAST[1:], stakes=stakes, until=("Ann", "wagers"))
    await ann.click("#my-table")
    await ann.asked("Your wager")
    await ann.see("#typed").fill("75")
    await ann.tap(int(await ann.see(".box.mine").get_attribute("data-box") or 0))
    await keep(ann, "tournament-table")
    await cup.play(*CAST, stakes=stakes)
    await cup.do(DIRECTOR, "DrawBallot", seed="")
    going = [name for name in CAST if (await cup.see(name))["mine"]["status"] == "in"]
    await cup.seated(*going)
    await cup.do(DIRECTOR, "StartSession")
    await cup.play(*going, stakes=stakes, rounds=4)
    for theme in ("dark", "light"):
        one = await before(people, cup, going[0], theme=theme)
        await expect(one.see("pontoon-chip-graph .line.own")).to_have_count(1)
        await keep(one, "tournament" if theme == "dark" else "tournament-light", whole=True)
    await cup.play(*going, stakes=stakes)
    await cup.do(DIRECTOR, "AwardPlaces")
    for payment in (await cup.see())["payments"]:
        await cup.do(DIRECTOR, "PayPrize", place=payment["number"])
    await cup.do(DIRECTOR, "RevealBallot", seed="")
    last = await before(people, cup, going[0])
    await expect(last.see("#tournament .good")).to_be_visible()
    await keep(last, "tournament-over", whole=True)


async def main(wanted: str) -> None:
    """Run every scene on its own server, so that names and tables are the same each time."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    async with chromium() as browser:
        for name, play in SCENES.items():
            if wanted in name:
                with tempfile.TemporaryDirectory() as folder:
                    async with hall(Path(folder)) as house, People(house, browser) as people:
                        await play(house, people)
                        people.check()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else ""))
