"""A real server with the web table, a real browser, and people who look at one through the other."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import httpx
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    async_playwright,
    expect,
)

from pontoon.server.people.offline_accounts import OfflineAccounts
from pontoon.store import open_store
from tests.server.crash import Nursery, free_port, up

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--autoplay-policy=no-user-gesture-required",
]
OFFICIALS = {
    "Grace": "game_supervisor",
    "Carl": "casino_supervisor",
    "Iris": "inspector",
    "Dora": "tournament_director",
    "Otto": "administrator",
    "Dan": "dealer",
    "Don": "dealer",
}
MINUS = "\N{MINUS SIGN}"
"""As the page writes it."""
PATIENT = {"card": 5, "wagers": 600_000, "decision": 600_000, "offer": 600_000}
"""Cards are dealt quickly, and the table waits for everyone."""
QUICK: dict[str, Any] = {
    "speed": "instant",
    "guard": False,
    "realityCheck": 0,
    "log": True,
    "cut": True,
    "sound": False,
}
"""Settings of a page that stands still, with the log open and the cut offered."""
DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
SECURE = ssl.create_default_context()
"""Made once: it reads every certificate of the machine."""
PATIENCE = 30_000
"""Milliseconds in which everything must have happened, on a machine with other things to do."""


# --- the browser ---------------------------------------------------------------------------------------


def browser_path() -> str | None:
    """A browser installed here; None if Playwright's own is to be used."""
    return next((path for path in map(shutil.which, BROWSERS) if path), None)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A headless Chromium that asks nobody for anything."""
    async with async_playwright() as play:
        browser = await play.chromium.launch(executable_path=browser_path(), args=ARGUMENTS)
        expect.set_options(timeout=PATIENCE)
        try:
            yield browser
        finally:
            await browser.close()


# --- the server ----------------------------------------------------------------------------------------


@dataclass
class Hall:
    """A server with the web table, officials who can sign in, and tables made for a purpose."""

    nursery: Nursery
    port: int
    passwords: dict[str, str] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)
    """Additional server options."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.nursery.start(self.port, pages=True, limited=False, **self.more)

    def another(self, folder: Path) -> Hall:
        """A separate server that may be killed; without officials."""
        return Hall(self.nursery, free_port(), more={"data": str(folder)})

    def kill(self) -> None:
        self.nursery.kill(self.port)

    async def ask(self, path: str, body: object = None, token: str = "") -> Any:
        """POST if there is a body, GET if there is none."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx.AsyncClient(base_url=self.address, headers=headers, timeout=20, verify=SECURE) as web:
            answer = await (web.get(path) if body is None else web.post(path, json=body))
        assert answer.is_success, answer.text
        return answer.json()

    async def guest(self, name: str) -> tuple[str, str]:
        """A guest's name, which gets a number where it is taken, and token."""
        told = await self.ask("/api/guests", {"name": name})
        return told["name"], told["token"]

    async def official(self, name: str) -> tuple[str, str]:
        told = await self.ask("/api/sessions", {"name": name, "password": self.passwords[name]})
        return told["name"], told["token"]

    async def table(self, rulebook: str, cards: str = "", *, host: str = "Host", **settings: Any) -> str:
        """A table made by someone who is not there; with `cards` they come first."""
        _, token = await self.guest(host)
        lesson = {"practice": True, "first_cards": cards} if cards else {}
        told = await self.ask("/api/tables", {"rulebook": rulebook, "clocks": PATIENT, **lesson, **settings}, token)
        return str(told["id"])

    async def seen(self, table: str) -> Any:
        return await self.ask(f"/api/tables/{table}")

    async def until(self, table: str, phase: str) -> None:
        """Wait until a table is in this phase, for what a page does not show."""
        for _ in range(PATIENCE // 20):
            if (await self.seen(table))["view"]["phase"] == phase:
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"table {table} never comes to {phase}")


@contextmanager
def nursery(folder: Path) -> Iterator[Hall]:
    """A server that is not started yet, with its officials."""
    store = open_store(str(folder / "pontoon.db"))
    try:
        accounts = OfflineAccounts(store)
        passwords = {name: accounts.add(name, role) for name, role in OFFICIALS.items()}
    finally:
        store.close()
    with Nursery(folder) as nurse:
        yield Hall(nurse, free_port(), passwords)


@asynccontextmanager
async def hall(folder: Path) -> AsyncIterator[Hall]:
    """A server that runs."""
    with nursery(folder) as one:
        one.start()
        await up(one.port)
        yield one


# --- people --------------------------------------------------------------------------------------------


class Person:
    """A person with a page: their actions and what they see. Every check waits until it is true."""

    def __init__(self, hall: Hall, context: BrowserContext, page: Page, name: str) -> None:
        self.hall = hall
        self.context = context
        self.page = page
        self.name = name
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.forgiven: list[str] = []
        """Patterns of errors that a test causes on purpose."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith((self.hall.address, "data:", "blob:")):
            self.faults.append(f"a request outside the server: {request.url}")

    def unforgiven(self) -> list[str]:
        return [fault for fault in self.faults if not any(re.search(pattern, fault) for pattern in self.forgiven)]

    # --- at a table ---

    async def at(self, table: str) -> Self:
        """Go to a table and wait until it is drawn."""
        await self.page.goto(f"{self.hall.address}/t/{table}")
        await expect(self.page.locator("pontoon-table .sign h2")).to_be_visible()
        return self

    async def lobby(self) -> Self:
        await self.page.goto(f"{self.hall.address}/tables")
        await expect(self.page.locator("#tables-title")).to_be_visible()
        return self

    # --- what they see ---

    def see(self, selector: str, **more: Any) -> Locator:
        return self.page.locator(selector, **more)

    def box(self, number: int) -> Locator:
        return self.see(f"#table-page li.box[data-box='{number}']")

    async def asked(self, words: str | re.Pattern[str]) -> None:
        """Wait for this prompt."""
        await expect(self.see("#prompt")).to_contain_text(words)

    async def cards(self, number: int, *cards: str, hand: int = 1) -> None:
        """Wait until these cards lie on a box (0 is the dealer's)."""
        where = self.see("#table-page .dealer") if not number else self.box(number).locator(f"[data-hand='{hand}']")
        pattern = "".join(f"[data-card='{card}']" for card in cards[-1:])
        await expect(where.locator(".card")).to_have_count(len(cards))
        await expect(where.locator(f".card:last-child{pattern}")).to_be_visible()

    async def result(self, number: int, words: str | re.Pattern[str]) -> None:
        """Wait until a box shows its result."""
        await expect(self.box(number)).to_contain_text(words)

    async def told(self, words: str | re.Pattern[str]) -> None:
        """Wait until the dealer has said something."""
        await expect(self.see("pontoon-spoken .log li", has_text=words).first).to_be_attached()

    async def wallet(self, dollars: str) -> None:
        await expect(self.see("#wallet")).to_have_text(dollars)

    async def clean(self) -> None:
        """Check that axe finds no violation in either theme."""
        found = await Axe().run(self.page)
        assert not found.violations_count, found.generate_report()
        theme = await self.see("html").get_attribute("data-theme")
        await self.page.evaluate("document.documentElement.dataset.theme = 'light'")
        light = await self.page.evaluate("axe.run({ runOnly: ['color-contrast'] }).then((told) => told.violations)")
        assert not light, [node["html"] for found in light for node in found["nodes"]]
        await self.page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)

    # --- what they do, by mouse ---

    async def click(self, selector: str) -> None:
        await self.see(selector).click()

    async def button(self, name: str) -> None:
        await self.page.get_by_role("button", name=name, exact=True).first.click()

    async def chip(self, cents: int) -> None:
        await self.click(f"#chip-{cents}")

    async def tap(self, number: int) -> None:
        spot = self.box(number).locator(".spot")
        size = await spot.bounding_box()
        assert size is not None
        await spot.click(position={"x": size["width"] / 2, "y": 7})  # a box is round, and names lie in its middle

    async def sit(self, number: int) -> None:
        """Take a seat; decline the cut, so that the chosen cards stay in place."""
        await self.tap(number)
        await expect(self.box(number)).to_have_class(re.compile("mine"))
        await expect(self.see("#prompt")).to_contain_text(re.compile("may cut|Place your bets"))
        if "may cut" in (await self.see("#prompt").inner_text()):
            await self.press("No")
        await self.asked("Place your bets")

    async def stake(self, number: int, amount: str = "10") -> None:
        """Type an amount and tap a box: the chips count at once."""
        await self.see("#typed").fill(amount)
        await self.tap(number)
        await expect(self.box(number).locator(".wager.own")).to_be_visible()

    async def done(self) -> None:
        await self.click("#done[aria-disabled=false]")

    async def wager(self, number: int, amount: str = "10") -> None:
        """A wager, and nothing more before the deal."""
        await self.stake(number, amount)
        await self.done()

    async def press(self, action: str) -> None:
        """An action, as soon as it is allowed."""
        await self.click(f"#do-{action}[aria-disabled=false]")

    async def panel(self, name: str) -> Locator:
        if not await self.see(f"#panels [data-panel={name}]").is_visible():
            await self.click("#menu")
        await self.click(f"#panels [data-panel={name}]")
        found = self.see(f"#panel pontoon-{name}")
        await expect(found).to_be_visible()
        return found

    async def say(self, words: str) -> None:
        """On the command line."""
        await self.see("#line").fill(words)
        await self.see("#line").press("Enter")

    # --- and by keyboard ---

    async def keys(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)


class People:
    """The people in a test; at the end every page must be free of errors."""

    def __init__(self, hall: Hall, browser: Browser) -> None:
        self.hall = hall
        self.browser = browser
        self.here: list[Person] = []
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def come(
        self, name: str = "", *, phone: bool = False, theme: str = "dark", settings: dict[str, Any] | None = None
    ) -> Person:
        """Someone with a name, or a spectator without one; officials come with their role."""
        token = ""
        if name:
            name, token = await (self.hall.official(name) if name in OFFICIALS else self.hall.guest(name))
        person = await self.stranger(phone=phone, theme=theme, settings=settings, token=token)
        person.name = name
        return person

    async def stranger(
        self, *, phone: bool = False, theme: str = "dark", settings: dict[str, Any] | None = None, token: str = ""
    ) -> Person:
        """A browser in which nobody has signed in yet."""
        context = await self.browser.new_context(
            viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
            device_scale_factor=2 if phone else 1,
            has_touch=phone,
            is_mobile=phone,
            color_scheme=theme,  # type: ignore[arg-type]
            reduced_motion="reduce",
            locale="en-AU",
            service_workers="block",
        )
        self._stack.push_async_callback(context.close)
        context.set_default_timeout(PATIENCE)
        chosen = QUICK | {"log": not phone} | (settings or {})  # on a phone the log lies over the felt
        kept = {"pontoon.settings": json.dumps(chosen), "pontoon.token": token}
        await context.add_init_script(
            f"for (const [name, value] of Object.entries({json.dumps(kept)}))"
            " if (value && !sessionStorage.getItem('test ' + name))"
            " (sessionStorage.setItem('test ' + name, 1), localStorage.setItem(name, value));"
        )
        person = Person(self.hall, context, await context.new_page(), "")
        self.here.append(person)
        return person

    def check(self) -> None:
        """No error in the console, nothing refused by the policy, no request to anyone else."""
        found = {visitor.name or "a stranger": visitor.unforgiven() for visitor in self.here if visitor.unforgiven()}
        assert not found, found


def is_ci() -> bool:
    """Whether a missing browser is a failure."""
    return bool(os.environ.get("CI"))
