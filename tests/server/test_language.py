"""A second language is one file: a made-up one is added to English and used in what clients receive."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Any, Self

import pytest

from pontoon.view import catalogue
from pontoon.view.words import group
from tests.server.api.visitors import Server, running

PATIENT = {"card": 0, "wagers": 600_000, "decision": 600_000, "offer": 600_000}
LETTERS = re.compile(r"(?<![{:@\w.])[A-Za-z]+(?!\w)")


def shouted(text: str) -> str:
    """English in another alphabet: words outside placeholders in brackets."""
    return LETTERS.sub(lambda found: f"<{found[0]}>", text)


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A language `xx` next to English; one sentence is not translated."""
    english = (Path(str(catalogue.FOLDER)) / "en.toml").read_text("utf-8")
    rows = []
    for line in english.replace("\\\n  ", "").splitlines():
        key, is_entry, words = line.partition(" = ")
        if key == "no_round":
            continue
        rows.append(f"{key} = {shouted(words)}" if is_entry and not key.startswith("#") else line)
    (tmp_path / "en.toml").write_text(english, "utf-8")
    (tmp_path / "xx.toml").write_text("\n".join(rows), "utf-8")
    forget()
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    yield
    monkeypatch.undo()
    forget()


def forget() -> None:
    for function in (catalogue.languages, catalogue.catalogue, group):
        function.cache_clear()


class Socket:
    """A client of the application in this process."""

    def __init__(self, server: Server, query: str, token: str) -> None:
        self.app = server.app
        self.scope = {
            "type": "websocket",
            "path": "/play",
            "query_string": query.encode(),
            "headers": [(b"authorization", f"Bearer {token}".encode())],
        }
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def __aenter__(self) -> Self:
        self.sent.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.create_task(self.app(self.scope, self.sent.get, self._hear))
        return self

    async def _hear(self, message: MutableMapping[str, Any]) -> None:
        await self.heard.put(dict(message))

    async def __aexit__(self, *_: object) -> None:
        self.sent.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self.task

    def say(self, **message: Any) -> None:
        self.sent.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def until(self, kind: str) -> dict[str, Any]:
        """The next frame of this kind."""
        async with asyncio.timeout(10):
            while True:
                frame: dict[str, Any] = json.loads((await self.heard.get()).get("text", "{}"))
                if frame.get("type") == kind:
                    return frame


@pytest.mark.parametrize(
    ("address", "headers", "words"),
    [
        ("/api/tables/zzzz", {}, "there is no such table"),
        ("/api/tables/zzzz?lang=xx", {}, "<there> <is> <no> <such> <table>"),
        ("/api/tables/zzzz", {"Accept-Language": "de, xx;q=0.8, en;q=0.3"}, "<there> <is> <no> <such> <table>"),
        ("/api/tables/zzzz?lang=de", {"Accept-Language": "xx"}, "there is no such table"),
    ],
)
@pytest.mark.usefixtures("made_up")
@pytest.mark.asyncio
async def test_a_problem_over_http_is_in_the_language_asked_for(address: str, headers: dict[str, str], words: str):
    async with running() as server:
        answer = (await server.nobody.ask("GET", address, headers=headers)).json()
    assert (answer["code"], answer["facts"], answer["detail"]) == ("no_such_table", {}, words)


@pytest.mark.usefixtures("made_up")
@pytest.mark.asyncio
async def test_a_socket_speaks_its_own_language():
    async with running() as server:
        ann = await server.guest("Ann")
        table = await ann.make_table(clocks=PATIENT)
        async with Socket(server, "lang=xx", ann.token) as other, Socket(server, "", ann.token) as english:
            for socket in (other, english):
                socket.say(type="watch", table=table)
                await socket.until("snapshot")
            other.say(type="do", table=table, key="1", command={"type": "Sit", "player": "", "box": 3})
            told = {socket: (await socket.until("step"))["events"][0] for socket in (other, english)}
            assert told[other]["words"] == "Ann <sits> <down> <at> <box> 3"
            assert told[english]["words"] == "Ann sits down at box 3"
            assert told[other]["facts"] == told[english]["facts"] == {"player": "Ann", "box": 3}
            bet = {"type": "PlaceWager", "box": 9, "player": "Ann", "stake": 1000}
            other.say(type="do", table=table, key="2", command=bet)
            no = await other.until("problem")
            assert (no["code"], no["facts"]) == ("no_such_box", {"box": 9, "count": 7})
            assert no["words"] == "<there> <is> <no> <box> 9; <boxes> <are> <numbered> 1 <to> 7"


@pytest.mark.usefixtures("made_up")
def test_what_a_language_lacks_is_said_in_english():
    assert catalogue.languages() == ("en", "xx")
    assert catalogue.say("refusal.no_round", {}, "xx") == "no round is in progress"
    assert catalogue.say("refusal.shoe_not_empty", {"left": 2}, "xx") == "2 <cards> <are> <left> <in> <the> <shoe>"
