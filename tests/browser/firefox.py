"""Debian's Firefox, driven over WebDriver BiDi: Playwright can only drive its own build of it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import websockets

PATIENCE = 60.0
"""Seconds that a test waits for what it wants to see."""
_LISTENS = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")


def firefox_path() -> str | None:
    """Where Firefox is; None if there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One tab."""

    def __init__(self, line: Any) -> None:
        self._line = line
        self._numbers = count(1)
        self._tab = ""

    async def ask(self, method: str, **params: object) -> Any:
        """Send a command and wait for its answer."""
        number = next(self._numbers)
        await self._line.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            told = json.loads(await asyncio.wait_for(self._line.recv(), PATIENCE))
            if told.get("id") == number:
                assert told["type"] == "success", told
                return told["result"]

    async def begin(self) -> None:
        await self.ask("session.new", capabilities={})
        self._tab = (await self.ask("browsingContext.getTree"))["contexts"][0]["context"]

    async def go(self, address: str) -> None:
        await self.ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    async def value(self, expression: str) -> Any:
        """The value of an expression on the page; plain values only."""
        target = {"context": self._tab}
        told = await self.ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert told["type"] == "success", told
        return told["result"].get("value")

    async def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        for _ in range(int(PATIENCE / 0.1)):
            if await self.value(f"Boolean({expression})"):
                return
            await asyncio.sleep(0.1)
        words = await self.value("document.body.innerText.slice(0, 600)")
        raise AssertionError(f"never true: {expression}; the page says: {words}")

    async def shows(self, words: str) -> None:
        """Wait until the page shows a text."""
        await self.until(f"document.body.innerText.includes({json.dumps(words)})")

    async def click(self, selector: str) -> None:
        """Click in the middle of an element, when it is there and enabled."""
        found = f"document.querySelector({json.dumps(selector)})"
        await self.until(f"{found}?.checkVisibility() && {found}.ariaDisabled !== 'true' && !{found}.disabled")
        place = (
            f"(() => {{ const e = {found}; e.scrollIntoView({{block: 'nearest'}}); const r = e.getBoundingClientRect();"
        )
        x, y = json.loads(
            await self.value(f"{place} return JSON.stringify([r.x + r.width / 2, r.y + r.height / 2]) }})()")
        )
        move = {"type": "pointerMove", "x": round(x), "y": round(y)}
        press = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        await self.ask(
            "input.performActions", context=self._tab, actions=[{"type": "pointer", "id": "m", "actions": press}]
        )

    async def key(self, key: str) -> None:
        """Press a key."""
        press = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        await self.ask(
            "input.performActions", context=self._tab, actions=[{"type": "key", "id": "k", "actions": press}]
        )


@asynccontextmanager
async def firefox(folder: Path) -> AsyncIterator[Firefox]:
    """A headless Firefox with an empty profile."""
    path = firefox_path()
    assert path is not None
    process = await asyncio.create_subprocess_exec(
        path,
        *("--headless", "--remote-debugging-port=0", "--profile", str(folder), "--new-instance", "about:blank"),
        env=os.environ | {"HOME": str(folder), "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "800"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        address = ""
        while not address:
            line = await asyncio.wait_for(process.stderr.readline(), PATIENCE)
            assert line, "Firefox has ended"
            heard = _LISTENS.search(line)
            address = heard.group(1).decode() if heard else ""
        async with websockets.connect(f"{address}/session", max_size=None) as line_:
            page = Firefox(line_)
            await page.begin()
            yield page
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
