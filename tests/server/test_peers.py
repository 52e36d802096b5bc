"""Processes of different hosts: TLS with the certificate named in the lease, and no answer for strangers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from msgspec.structs import replace

from pontoon.cli import main
from pontoon.server import peers
from pontoon.server.house import House, Options
from pontoon.server.peer_tls import Identity, caller_context
from pontoon.server.peers import LONGEST_LINE, PeerNetwork, Place
from pontoon.server.problems import Problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.store import MemoryStore
from pontoon.table.commands import Leave, Sit
from tests.server.test_bad_guests import Looking, bots_table, until_it

ANN = Actor("Ann")
HERE = "127.0.0.1"


@asynccontextmanager
async def two_hosts(lease: float = 5.0, **more: Any) -> AsyncIterator[tuple[list[House], list[PeerNetwork], str]]:
    """Two houses that advertise addresses, on one store; and a table of the first."""
    store, networks = MemoryStore(), [PeerNetwork(HERE), PeerNetwork(HERE)]
    houses = []
    for network in networks:
        options = Options(leased=True, lease_seconds=lease, address=await network.listen(), inline=True, **more)
        house = House(store, options)
        network.serve(house)
        await house.start()
        houses.append(house)
    table = await houses[0].make_table(ANN, Settings("star", clocks=Clocks(0, 0, 0, 0)), "")
    assert isinstance(table, str)
    yield houses, networks, table
    for house, network in zip(houses, networks, strict=True):
        await house.close()
        await network.close()


def test_a_command_reaches_the_owner_on_another_host():
    async def work() -> None:
        async with two_hosts() as (houses, networks, table):
            place = Place.read(houses[0].options.address)
            assert len(place.fingerprint) == 64
            for number in range(6):
                command = Leave("Ann") if number % 2 else Sit("Ann", 1)
                answer = await houses[1].command(ANN, table, command, f"{number}", None)
                assert isinstance(answer, int), answer
            (page,) = await networks[1].measure([houses[0].options.address])
            assert "pontoon_tables_loaded" in page

    asyncio.run(work())


def test_a_process_with_another_certificate_is_told_nothing():
    """Someone took over the address of a host: the connection ends before the first line."""

    async def work() -> None:
        async with two_hosts() as (houses, networks, _):
            received: list[bytes] = []

            async def record(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                received.append(await reader.read())
                writer.close()

            server = await asyncio.start_server(record, HERE, 0, ssl=Identity().context)
            port = server.sockets[0].getsockname()[1]
            address = replace(Place.read(houses[0].options.address), port=port).address
            assert await networks[1].measure([address]) == []
            async with asyncio.timeout(10):
                while not received:  # noqa: ASYNC110 a test may look often
                    await asyncio.sleep(0.01)
            assert received == [b""]
            server.close()

    asyncio.run(work())


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"hello","secret":"wrong"}\n',
        b'{"type":"measure","secret":"","id":1}\n',
        b"GET / HTTP/1.1\r\n\r\n",
        b"\xff\xfe\n",
        b"[" * 200_000 + b"\n",
    ],
    ids=["wrong secret", "no secret", "http", "not text", "too long"],
)
def test_a_stranger_gets_no_answer_and_the_others_do(line: bytes, monkeypatch):
    monkeypatch.setattr(peers, "HANDSHAKE", 0.5)

    async def work() -> None:
        async with two_hosts() as (houses, networks, _):
            place = Place.read(houses[0].options.address)
            for tls in (caller_context(), None):
                reader, writer = await asyncio.open_connection(place.host, place.port, ssl=tls)
                writer.write(line)
                async with asyncio.timeout(30):
                    with suppress(ConnectionError):
                        assert await reader.read() == b""
                writer.transport.abort()
            assert len(await networks[1].measure([houses[0].options.address])) == 1

    asyncio.run(work())


def test_h2_bots_rest_while_nobody_watches_in_any_process():
    async def work() -> None:
        async with two_hosts(lease=0.6, bots_unwatched=0.5) as (houses, _, _):
            live = await bots_table(houses[0])
            await until_it(live, rests=True)
            shown = await houses[1].live(live.room.id)
            assert shown is not None
            assert not shown.owned
            watcher = Looking()
            shown.join(watcher)
            await until_it(live, rests=False)
            shown.leave(watcher, houses[1].clock.steady())
            await until_it(live, rests=True)

    asyncio.run(work())


def test_a_page_of_metrics_may_be_longer_than_a_message(monkeypatch):
    page = "x" * (2 * LONGEST_LINE)
    monkeypatch.setattr(House, "measured", lambda _: page)

    async def work() -> None:
        async with two_hosts() as (houses, networks, _):
            assert await networks[0].measure([houses[1].options.address]) == [page]

    asyncio.run(work())


def test_names_of_watched_tables_fit_the_line(monkeypatch):
    async def work() -> None:
        async with two_hosts() as (houses, networks, _):
            there = houses[1].options.address
            assert await networks[0].measure([there])  # connected
            heard: list[tuple[str, ...]] = []
            monkeypatch.setattr(houses[1], "watched", heard.append)
            rooms = [f"{number:024}" for number in range(2500)]
            networks[0].watch([there, "127.0.0.1:1/nobody"], rooms)
            async with asyncio.timeout(10):
                while len(heard) < 3:  # noqa: ASYNC110 there is no event to wait for
                    await asyncio.sleep(0.01)
            assert [room for some in heard for room in some] == rooms

    asyncio.run(work())


def test_a_host_that_is_gone_is_not_here():
    async def work() -> None:
        async with two_hosts() as (houses, networks, table):
            gone = PeerNetwork(HERE)
            address = await gone.listen()
            await gone.close()
            live = await houses[1].live(table)
            assert live is not None
            houses[1]._shared._owners[table] = address  # it was the owner once
            answer = await houses[1].command(ANN, table, Sit("Ann", 1), "sit", None)
            assert not isinstance(answer, Problem), "the new owner was looked up"
            assert await networks[1].measure([address]) == []

    asyncio.run(work())


def test_a_command_is_acknowledged_although_the_other_process_died_at_that_moment(monkeypatch):
    """The transport is closed before the reading task notices: uvloop raises RuntimeError from `write`."""

    def closed(_self: object, _line: bytes) -> None:
        raise RuntimeError("unable to perform operation on <TCPTransport closed=True>")

    async def work() -> None:
        async with two_hosts() as (houses, networks, table):
            assert await networks[0].measure([houses[1].options.address])  # connected, so it is told
            houses[0]._shared.others = {houses[1].options.address}
            with monkeypatch.context() as patch:
                patch.setattr(asyncio.StreamWriter, "write", closed)
                answer = await houses[0].command(ANN, table, Sit("Ann", 1), "1", None)
            assert isinstance(answer, int), answer

    asyncio.run(work())


def test_a_fault_while_publishing_does_not_undo_a_done_command(monkeypatch):
    async def work() -> None:
        async with two_hosts() as (houses, _networks, table):
            with monkeypatch.context() as patch:
                patch.setattr(House, "moved_on", lambda *_: 1 / 0)
                answer = await houses[0].command(ANN, table, Sit("Ann", 1), "1", None)
            assert isinstance(answer, int), answer

    asyncio.run(work())


def test_places_are_read_as_they_are_written():
    for place in (Place(HERE, 7048, "s"), Place("fd00::1", 7048, "s", "f" * 64)):
        assert Place.read(place.address) == place


@pytest.mark.parametrize(("address", "said"), [(":7048", "not an address"), ("10.0.0.1:seven", "not a port")])
def test_a_bad_address_is_one_line(address: str, said: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["serve", "--advertise", address, "--database", "postgresql://x"])
    assert said in capsys.readouterr().err


def test_several_hosts_need_a_database(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--advertise", "10.0.0.1"])
    assert ended.value.code == 2
    assert "give --database" in capsys.readouterr().err


def test_an_address_of_another_machine_is_refused(postgresql, tmp_path, capsys):
    words = ["--database", postgresql.new_database(), "--data", str(tmp_path), "--port", "0"]
    with pytest.raises(SystemExit) as ended:
        main(["serve", *words, "--advertise", "192.0.2.1:7048"])
    assert ended.value.code == 1
    assert "--advertise 192.0.2.1:7048: Cannot assign requested address" in capsys.readouterr().err
