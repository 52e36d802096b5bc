"""The client for the server's protocol, against a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from pontoon.client import Client, ClientError, Connection, LiveTable, Problem
from pontoon.client.frames import command_data
from pontoon.engine import Hit, PlaceWager, Stand
from pontoon.table.commands import Sit
from tests.server.crash import Nursery, up

FAST = {"card": 1, "wagers": 60_000, "decision": 60_000, "offer": 60_000}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("server")
    with Nursery(folder) as nursery:
        port = nursery.ports[0]
        nursery.start(port)
        asyncio.run(up(port))
        yield f"http://127.0.0.1:{port}/#table"


@pytest.fixture
def ann(url: str) -> Client:
    client = Client(url)
    client.sign_in("Ann")
    return client


def test_an_address_that_is_none_or_does_not_answer():
    with pytest.raises(ClientError, match="the address must begin with http"):
        Client("ftp://nobody")
    with pytest.raises(ClientError, match=r"http://127.0.0.1:1 does not answer: ") as error:
        Client("127.0.0.1:1").sign_in("Ann")
    assert error.value.problem is None
    assert Client("https://somewhere/").socket_url == "wss://somewhere/play"


def test_what_the_server_refuses_comes_with_its_problem(ann: Client):
    with pytest.raises(ClientError) as error:
        ann.make_table(rulebook="nowhere")
    assert error.value.problem is not None
    assert error.value.problem.status == 400
    assert error.value.problem.code == "malformed"
    with pytest.raises(ClientError, match="the name or the password is wrong") as wrong:
        Client(ann.url).sign_in("Ann", "a guess of mine")
    assert wrong.value.problem is not None
    assert wrong.value.problem.status == 401
    with pytest.raises(ClientError, match="there is no such") as missing:
        ann.transcript("zzzz", 1)
    assert missing.value.problem is not None


def test_something_else_than_a_pontoon_server(ann: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Client, "request", lambda *_: (200, "<html>"))
    with pytest.raises(ClientError, match="is not a Pontoon server"):
        ann.sign_in("Ann")
    monkeypatch.setattr(Client, "request", lambda *_: (502, "<html>"))
    with pytest.raises(ClientError, match="answers 502"):
        ann.tables()


def until_wagers(seat: LiveTable) -> None:
    """Read frames until wagers are open; the cut is left to the dealer."""
    while seat.asked != "wagers":
        if seat.asked == "cut":
            seat.must("Pass")
        seat.next(20)


def drained(seat: LiveTable) -> None:
    """Read frames until no more arrive."""
    while True:
        seat.next(0.5)


def test_a_round_without_asyncio(ann: Client):
    table = ann.make_table(rulebook="division-15", name="Blue", clocks=FAST, practice=True, first_cards="9s 9d 8c Kd")
    assert table in [row.id for row in ann.tables()]
    with ann.watch(table) as seat:
        assert seat.asked == ""
        while seat.room is None:
            seat.next(20)
        assert seat.room.name == "Blue"
        refused = seat.do(Hit(1))
        assert isinstance(refused, Problem)
        with pytest.raises(ClientError, match=refused.words):
            seat.must(Hit(1))
        seat.must(Sit("", 1))
        until_wagers(seat)
        seat.must(PlaceWager(1, "", 1000))
        seat.must({"type": "Pass"})
        kept: list[str] = []
        while not kept:
            frame = seat.next(20)
            kept = [event.words for event in frame.events if event.type == "RoundKept"]
            if seat.asked == "decision":
                assert Stand(1, ann.name) in seat.allowed or Stand(1) in seat.allowed
                assert isinstance(seat.do(Stand(1), seen=True), int)
        assert kept == [f"Round 1: {ann.name} −$10"]
        until_wagers(seat)
        with pytest.raises(TimeoutError):
            drained(seat)
    assert ann.transcript(table, 1).startswith("#")


def test_frames_are_iterated(ann: Client):
    with ann.watch(ann.make_table(rulebook="star", clocks=FAST)) as seat:
        kinds = []
        for frame in seat:
            kinds.append(frame.type)
            if frame.type == "snapshot":
                break
    assert kinds[0] == "welcome"


def test_nobody_needs_a_name_to_watch(ann: Client):
    table = ann.make_table(rulebook="star", clocks=FAST)

    async def watch() -> str:
        connection = Connection(Client(ann.url), table)
        await connection.start()
        assert not connection.waiting()
        frame = await connection.next()
        await connection.close()
        return frame.type

    assert asyncio.run(watch()) == "snapshot"


def test_a_command_is_a_struct_a_dictionary_or_a_name():
    assert command_data(Hit(2)) == command_data({"type": "Hit", "box": 2})
    for nonsense in (5, {"box": 2}, ["Hit"]):
        with pytest.raises(TypeError, match="is not a command"):
            command_data(nonsense)
