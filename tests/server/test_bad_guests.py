"""One guest against the rest: memory, tables, bots, commands, names, keys, pauses and passwords have bounds."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from fastapi import WebSocket
from msgspec.structs import replace
from uvicorn.server import ServerState

from pontoon.engine import PlaceWager
from pontoon.server import app, connections
from pontoon.server.api.limits import Limits
from pontoon.server.app import AppOptions, make_app
from pontoon.server.connections import BoundedHttp, BoundedSocket
from pontoon.server.house import House, Options
from pontoon.server.operation.logs import without_queries
from pontoon.server.people import accounts
from pontoon.server.people.people import clean_name
from pontoon.server.people.quotas import Bucket, QuotaLimits, Quotas
from pontoon.server.problems import Problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Pause, Resume, SeatBot
from pontoon.server.rooms.pauses import relief
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.sockets import Hub
from pontoon.store import MemoryStore
from pontoon.store.model import Draft
from pontoon.table.commands import Sit
from pontoon.view.viewer import Viewer
from tests.server.api.test_tournaments import SMALL
from tests.server.api.visitors import AT_ONCE, PASSWORD, running
from tests.server.hall import STIFF, Hall

pytestmark = pytest.mark.asyncio

HANDSHAKE = (
    "GET /play HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
)
BOTS = Clocks(1, 1, 1, 1)


@asynccontextmanager
async def listening(options: Options | None = None) -> AsyncIterator[tuple[str, int]]:
    """A server on a real port of this process; its address."""
    made = make_app(House(MemoryStore(), options or Options(inline=True)), AppOptions(limited=False))
    config = uvicorn.Config(made, http=BoundedHttp, ws=BoundedSocket, log_config=None, ws_max_size=16384)
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    make: Any = lambda: BoundedHttp(config=config, server_state=state, app_state={})  # noqa: E731
    server = await loop.create_server(make, "127.0.0.1", 0)
    async with made.router.lifespan_context(made):
        yield server.sockets[0].getsockname()
    server.close()
    for connection in tuple(state.connections):
        connection.transport.abort()


async def opened(address: tuple[str, int]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(*address)


def frame(opcode: int, content: bytes, *, last: bool = True) -> bytes:
    """A short masked WebSocket frame."""
    return bytes([(0x80 if last else 0) | opcode, 0x80 | len(content)]) + bytes(4) + content


async def closed(reader: asyncio.StreamReader, seconds: float = 5) -> bytes:
    """Everything until the other side closes."""
    found = b""
    async with asyncio.timeout(seconds):
        with contextlib.suppress(ConnectionError):
            while part := await reader.read(65536):
                found += part
    return found


# --- connections (H1, M4) --------------------------------------------------------------------------------


async def test_h1_pings_without_reading_end_the_connection():
    async with listening() as address:
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.connect(address)
        plain.sendall(HANDSHAKE.format(host=address[0]).encode())
        await asyncio.sleep(0.1)
        plain.setblocking(False)
        burst = frame(9, b"x" * 100) * 500
        cut_off = False
        for _ in range(200):
            try:
                plain.send(burst)
            except BlockingIOError:
                pass
            except ConnectionError:
                cut_off = True
                break
            await asyncio.sleep(0.01)
        plain.close()
        assert cut_off


async def test_h1_what_is_not_read_is_dropped_in_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "READ_SECONDS", 0.05)

    class Full:
        aborted = reading_paused = False

        def abort(self) -> None:
            self.aborted = True

        def pause_reading(self) -> None:
            self.reading_paused = True

        def get_extra_info(self, _: str) -> None: ...

    config = uvicorn.Config(lambda: None, log_config=None)
    config.load()
    for kind in (BoundedSocket, BoundedHttp):
        protocol, transport = kind(config=config, server_state=ServerState(), app_state={}), Full()
        protocol.transport = transport
        protocol.flow = type("Flow", (), {"pause_writing": lambda _: None})()  # type: ignore[union-attr]
        protocol.pause_writing()
        await asyncio.sleep(0.1)
        assert transport.aborted
        assert transport.reading_paused or kind is BoundedHttp


async def test_h1_what_is_not_read_does_not_stay_in_the_kernel(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "READ_SECONDS", 0.1)
    async with listening() as address:
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.connect(address)
        plain.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 100)
        async with asyncio.timeout(30):
            while plain.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != errno.ECONNRESET:  # noqa: ASYNC110 no event for it
                await asyncio.sleep(0.02)
        plain.close()


async def test_empty_fragments_without_end_are_refused():
    async with listening() as address:
        reader, writer = await opened(address)
        writer.write(HANDSHAKE.format(host=address[0]).encode())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(1, b"", last=False) + frame(0, b"", last=False) * 1000)
        assert struct.pack("!H", 1009) in await closed(reader)
        writer.close()


async def test_text_that_is_not_utf_8_closes_without_a_traceback(caplog: pytest.LogCaptureFixture):
    async with listening() as address:
        reader, writer = await opened(address)
        writer.write(HANDSHAKE.format(host=address[0]).encode())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(frame(1, b"\xff\xfe"))
        assert struct.pack("!H", 1007) in await closed(reader)
        writer.close()
    assert "Traceback" not in caplog.text
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("head", [b"X-Long: " + b"a" * 200_000, b"\r\n".join(b"X%d: y" % n for n in range(20_000))])
async def test_m4_a_head_without_end_is_refused(head):
    async with listening() as address:
        reader, writer = await opened(address)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
        with contextlib.suppress(ConnectionError):
            for place in range(0, len(head), 16384):
                writer.write(head[place : place + 16384])
                await writer.drain()
        assert b" 431 " in await closed(reader)
        writer.close()


@pytest.mark.parametrize(
    "part", [b"", b"GET / HTTP/1.1\r\nHo", b"POST /api/guests HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"]
)
async def test_m4_half_a_request_does_not_stay_open(part, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.1)
    async with listening() as address:
        reader, writer = await opened(address)
        writer.write(part)
        assert b" 408 " in await closed(reader)
        writer.close()


async def test_m4_connections_and_sockets_are_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 4)
    quotas = replace(QuotaLimits(), sockets=1, shared=2)
    async with listening(Options(inline=True, quotas=quotas)) as address:
        answers, kept = [], []
        for _ in range(3):
            reader, writer = await opened(address)
            kept.append((reader, writer))
            writer.write(HANDSHAKE.format(host=address[0]).encode())
            answers.append((await reader.readuntil(b"\r\n"))[9:12])
        assert answers == [b"101", b"101", b"429"]
        kept += [await opened(address) for _ in range(4)]
        assert b" 503 " in await closed(kept[-1][0])
        for _, writer in kept:
            writer.close()
        await asyncio.sleep(0.1)


async def test_m4_handshakes_are_refused_before_the_application(monkeypatch: pytest.MonkeyPatch):
    served: list[str] = []
    serve = Hub.serve

    async def counted(hub: Hub, connection: WebSocket) -> None:
        served.append(accounts.address_of(connection))
        await serve(hub, connection)

    monkeypatch.setattr(Hub, "serve", counted)
    quotas = replace(QuotaLimits(), sockets=1, shared=2, handshakes=1e-6)
    async with listening(Options(inline=True, quotas=quotas)) as address:

        async def told(forwarded: str) -> bytes:
            reader, writer = await opened(address)
            writer.write(HANDSHAKE.format(host=address[0]).replace("Upgrade:", f"{forwarded}Upgrade:", 1).encode())
            status = (await reader.readuntil(b"\r\n"))[9:12]
            writer.close()
            await reader.read()  # until the other side has closed, too
            return status

        mallory = "X-Forwarded-For: 10.6.6.6\r\n"
        assert [await told(mallory) for _ in range(5)] == [b"101", b"101", b"429", b"429", b"429"]
        assert served == ["10.6.6.6"] * 2, "nothing is done for those that are refused"
        assert await told("X-Forwarded-For: 10.7.7.7\r\n") == b"101", "nobody else is refused"
        assert await told("") == b"101"


async def test_names_that_callers_make_up_leave_nothing_behind():
    async with running() as server:
        for number in range(300):
            name = "".join("23456789ab"[int(digit)] for digit in f"{number:06}")
            assert (await server.nobody.ask("GET", f"/api/tables/{name}")).status_code == 404
        assert len(server.house._locks) < 5
        assert not server.house.store.leased()


async def test_m3_who_floods_waits_for_the_refusals(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(app, "HOLD", 0.3)
    monkeypatch.setattr(app, "MOST_HELD", 5)
    async with running() as server:
        server.app.state.limits = Limits()
        server.app.state.limits.from_address = Bucket(1, 60, lambda: 0.0)
        assert (await server.nobody.ask("GET", "/api/tables")).status_code == 200
        asked = [asyncio.create_task(server.nobody.ask("GET", "/api/tables")) for _ in range(20)]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        held = [task for task in asked if not task.done()]
        assert len(held) >= 5, "some are held back"
        assert {answer.status_code for answer in await asyncio.gather(*asked)} == {429}
        gate = server.app.middleware_stack
        while gate is not None and not isinstance(gate, app.Gate):
            gate = getattr(gate, "app", None)
        assert isinstance(gate, app.Gate)
        assert gate._held == 0


async def test_pages_are_limited_and_what_costs_more_counts_more():
    async with running() as server:
        limits = server.app.state.limits = Limits()
        limits.pages = Bucket(20, 60, lambda: 0.0)

        async def told(path: str, times: int) -> list[int]:
            return [(await server.nobody.ask("GET", path)).status_code for _ in range(times)]

        assert await told("/openapi.json", 3) == [200, 200, 429]
        limits.pages = Bucket(20, 60, lambda: 0.0)
        assert await told("/", 21) == [200] * 20 + [429]
        assert await told("/health", 3) == [200] * 3, "the health of the process is always told"


async def test_a_token_in_an_address_is_not_logged():
    record = logging.LogRecord(
        "uvicorn.error", 20, "", 1, '%s - "WebSocket %s" [accepted]', ("1.2.3.4", "/play?token=s3cret"), None
    )
    assert without_queries(record)
    assert record.getMessage() == '1.2.3.4 - "WebSocket /play?…" [accepted]'


# --- tables and bots (H2) --------------------------------------------------------------------------------


async def test_h2_a_guest_has_so_many_tables_and_bots():
    async with running() as server:
        server.house.quotas = Quotas(replace(QuotaLimits(), tables=3, bots=4), server.house.clock.steady)
        ann, ben = await server.guest("Ann"), await server.guest("Ben")
        tables = [await ann.make_table() for _ in range(3)]
        assert await ann.refused("POST", "/api/tables", {"rulebook": "star"}) == (429, "quota_used")
        seated = [await ann.do(tables[0], "SeatBot", box=box) for box in range(1, 6)]
        assert [answer.status_code for answer in seated] == [200, 200, 200, 200, 429]
        assert (await ann.do(tables[2], "Close")).status_code == 200
        await ann.make_table()
        await ben.make_table()


async def test_h2_an_address_with_many_guests_has_so_many_tables():
    async with running() as server:
        server.house.quotas = Quotas(replace(QuotaLimits(), tables=1, shared=3), server.house.clock.steady)
        guests = [await server.guest(name) for name in ("Ann", "Ben", "Cat", "Dan")]
        for guest in guests[:3]:
            await guest.make_table()
        assert await guests[3].refused("POST", "/api/tables", {"rulebook": "star"}) == (429, "quota_used")


async def test_h2_an_address_with_many_guests_has_so_many_bots():
    async with running() as server:
        server.house.quotas = Quotas(replace(QuotaLimits(), bots=2, shared=2), server.house.clock.steady)
        seated = []
        for name in ("Ann", "Ben", "Cat"):
            guest = await server.guest(name)
            table = await guest.make_table()
            seated += [(await guest.do(table, "SeatBot", box=box)).status_code for box in (1, 2)]
        assert seated == [200] * 4 + [429] * 2


async def bots_table(house: House) -> Any:
    room = await house.make_table(Actor("Ann"), Settings("canberra", bots_alone=True, clocks=BOTS), "")
    assert isinstance(room, str)
    await house.command(Actor("Ann"), room, SeatBot(2, "chart"), "", None)
    return await house.live(room)


async def advances(live: Any, seconds: float = 0.4) -> bool:
    before = live.room.version
    await asyncio.sleep(seconds)
    return bool(live.room.version > before)


async def until_it(live: Any, *, rests: bool) -> None:
    """Wait until the table goes on, or no longer does; a slow machine takes longer."""
    async with asyncio.timeout(60):
        while await advances(live) is rests:
            pass


class Looking:
    viewer = Viewer()

    def send(self, _: str) -> None: ...

    def show(self, _: object) -> None: ...


async def test_h2_bots_rest_while_nobody_watches_and_after_a_restart():
    store = MemoryStore()
    house = House(store, Options(inline=True, bots_unwatched=0.2))
    await house.start()
    live = await bots_table(house)
    await until_it(live, rests=False)
    await until_it(live, rests=True)
    live.join(Looking())
    await until_it(live, rests=False)
    await house.close()
    again = House(store, Options(inline=True, bots_unwatched=0.2))
    await again.start()
    assert not await advances(await again.live(live.room.id))
    await again.close()


async def test_h2_entries_of_bots_count_for_their_table_s_maker():
    house = House(MemoryStore(), Options(inline=True, quotas=replace(QuotaLimits(), entries=40)))
    await house.start()
    await house.write_people(lambda people: people.opened("Ann"))
    live = await bots_table(house)
    live.join(Looking())
    await until_it(live, rests=True)
    assert 20 < live.room.version < 90
    no = house.allowed(Actor("Ann"))
    assert no is not None
    assert no.code == "quota_used"
    await house.close()


# --- keys (M1, M5) -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["table", "tournament"])
async def test_m1_one_key_makes_one_thing(what):
    async with running() as server:
        who = await server.account("Dora", "tournament_director")
        if what == "table":
            path, body = "/api/tables", {"rulebook": "star", "key": "k"}
        else:
            path, body = "/api/tournaments", {"conditions": SMALL, "key": "k"}
        answers = await asyncio.gather(*(who.ask("POST", path, body) for _ in range(20)))
        assert {answer.status_code for answer in answers} == {201}, [answer.text for answer in answers][:2]
        assert len({answer.json()["id"] for answer in answers}) == 1
        assert len(server.house.store.heads(f"{what}/")) == 1
        other = body | ({"rulebook": "canberra"} if what == "table" else {"conditions": SMALL + "\n"})
        assert await who.refused("POST", path, other) == (422, "key_reused")


async def test_m1_copies_of_a_request_do_not_each_prepare_the_table(monkeypatch):
    opened: list[str] = []

    def opening(self: House, room: str, first: Draft) -> list[Draft]:
        opened.append(room)
        return plain(self, room, first)

    plain = House._opening
    monkeypatch.setattr(House, "_opening", opening)
    async with running() as server:
        who = await server.account("Dora", "tournament_director")
        await asyncio.gather(*(who.ask("POST", "/api/tables", {"rulebook": "star", "key": "k"}) for _ in range(20)))
        assert len(opened) == 1


async def test_the_description_of_the_interface_is_encoded_once():
    async with running() as server:
        first = (await server.nobody.ask("GET", "/openapi.json")).json()
        assert first["paths"].keys() == server.app.openapi()["paths"].keys()
        server.app.openapi_schema = {"paths": {}}  # what is sent does not come from here any more
        assert (await server.nobody.ask("GET", "/openapi.json")).json() == first


async def test_m5_a_key_with_another_command_is_refused():
    async with running() as server:
        ann = await server.guest()
        table = await ann.make_table(clocks={"card": 0, "wagers": 60_000, "decision": 60_000, "offer": 0})
        await ann.sit(table)
        path = f"/api/tables/{table}/commands"
        wager = {"type": "PlaceWager", "box": 1, "player": "", "stake": 1000}
        first = await ann.ask("POST", path, {"key": "k", "command": wager})
        again = await ann.ask("POST", path, {"key": "k", "command": wager})
        assert (first.status_code, again.status_code) == (200, 200)
        assert first.json() == again.json()
        before = server.standing()
        assert await ann.refused("POST", path, {"key": "k", "command": wager | {"stake": 2000}}) == (422, "key_reused")
        stand = {"type": "Stand", "box": 1}
        assert await ann.refused("POST", path, {"key": "k", "command": stand}) == (422, "key_reused")
        assert server.standing() == before


async def test_a_repeat_that_would_be_refused_now_gets_its_version():
    async with running() as server:
        ann = await server.guest()
        table = await ann.make_table()
        await ann.sit(table)
        path = f"/api/tables/{table}/commands"
        given = {"key": "k", "command": {"type": "Sit", "player": "", "box": 3}}
        first = await ann.ask("POST", path, given)
        again = await ann.ask("POST", path, given)
        assert first.json() == again.json()


# --- names, commands, passwords (M2, M3, M7) -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["demo", "Administrator", "admin Ann", "Supervisor", "casino", "System"])
async def test_m2_names_of_the_house_are_reserved(name):
    no = clean_name(name)
    assert isinstance(no, Problem)
    assert no.code == "name_taken"


@pytest.mark.parametrize("name", ["R\N{CYRILLIC SMALL LETTER U}th", "Ann B\N{GREEK SMALL LETTER OMICRON}b"])
async def test_m2_a_name_that_mixes_alphabets_to_look_like_another_is_refused(name):
    no = clean_name(name)
    assert isinstance(no, Problem)
    assert no.code == "malformed"


@pytest.mark.parametrize("name", ["Жанна", "Νίκος", "Ann Иванова", "田中 Ken", "Zoë 2"])
async def test_m2_names_in_any_one_alphabet_are_fine(name):
    assert clean_name(name) == name


async def test_m3_commands_are_limited_over_rest_and_sockets_alike():
    async with running() as server:
        server.house.quotas = Quotas(replace(QuotaLimits(), commands=1, burst=5), server.house.clock.steady)
        ann = await server.guest()
        table = await ann.make_table()
        answers = [await ann.do(table, "Pass") for _ in range(7)]
        assert [answer.status_code == 429 for answer in answers][-3:] == [True, True, True]
        assert answers[-1].headers["retry-after"] == "1"
        before = server.standing()
        assert server.house.allowed(Actor(ann.name), "10.0.0.1") is not None
        assert server.standing() == before


async def test_m3_requests_of_any_kind_are_limited(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(app, "HOLD", 0.0)
    async with running() as server:
        ann, ben = await server.guest("Ann"), await server.guest("Ben")
        server.app.state.limits = Limits()
        server.app.state.limits.requests = Bucket(120, 1 / 30, lambda: 0.0)  # however slow the machine is
        told = [(await ann.ask("GET", "/api/rounds")).status_code for _ in range(200)]
        assert told == [200] * 120 + [429] * 80
        no = await ann.ask("GET", "/api/tables")
        assert (no.status_code, no.json()["code"], int(no.headers["retry-after"]) > 0) == (429, "too_many", True)
        assert no.headers["x-content-type-options"] == "nosniff"
        assert (await ben.ask("GET", "/api/rounds")).status_code == 200, "nobody else is refused"
        server.app.state.limits.from_address = Bucket(5, 60, time.monotonic)
        crowd = [(await server.nobody.ask("GET", "/api/tables")).status_code for _ in range(6)]
        assert crowd == [200] * 5 + [429], "an address has a limit, too"
        assert (await server.nobody.ask("GET", "/health")).status_code == 200


@pytest.mark.parametrize("password", ["password", "12345678", " " * 8, "Passw0rd!", "qwertyuiop", "Ann Boleyn"])
async def test_m7_easy_passwords_are_refused(password):
    async with running() as server:
        body = {"name": "Ann Boleyn", "password": password}
        assert await server.nobody.refused("POST", "/api/accounts", body) == (422, "weak_password")


async def test_m7_failed_sign_ins_are_logged_and_slowed_down(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO, "pontoon.server")
    logging.getLogger("pontoon.server").propagate = True
    async with running() as server:
        await server.account("Ann")
        wrong = {"name": "Ann", "password": "wrong horse"}
        codes = [await server.nobody.refused("POST", "/api/sessions", wrong) for _ in range(6)]
        assert codes == [(401, "wrong_password")] * 5 + [(429, "try_later")]
        answer = await server.nobody.ask("POST", "/api/sessions", {"name": "Ann", "password": PASSWORD})
        assert answer.status_code == 429, "the right password has to wait, too"
        assert int(answer.headers["retry-after"]) >= 1
        unknown = [await server.nobody.refused("POST", "/api/sessions", wrong | {"name": "Zoe"}) for _ in range(6)]
        assert unknown == codes, "a name that is not known is no different"
    lines = [record for record in caplog.records if record.message == "sign_in_failed"]
    assert len(lines) == 10
    assert all(PASSWORD not in str(record.__dict__) and "wrong horse" not in str(record.__dict__) for record in lines)


# --- pauses and officials (M6) ---------------------------------------------------------------------------------


async def test_m6_a_paused_table_gives_stakes_back():
    house = House(MemoryStore(), Options(inline=True, paused=0.2))
    await house.start()
    for name in ("Max", "Ann"):
        await house.write_people(lambda people, name=name: people.opened(name))  # type: ignore[misc]
    had = await house.balance("Ann")
    slow = Clocks(card=0, wagers=60_000, decision=60_000, offer=60_000)
    room = await house.make_table(Actor("Max"), Settings("star", clocks=slow), "")
    assert isinstance(room, str)
    for command in (Sit("Ann", 1), PlaceWager(1, "Ann", 5000)):
        done = await house.command(Actor("Ann"), room, command, "", None)
        assert isinstance(done, int), done
    assert await house.balance("Ann") == had - 5000
    assert isinstance(await house.command(Actor("Max"), room, Pause("for ever"), "", None), int)
    assert await house.balance("Ann") == had - 5000
    async with asyncio.timeout(60):
        while await house.balance("Ann") != had:  # noqa: ASYNC110 nothing announces it
            await asyncio.sleep(0.1)
    await house.close()


@pytest.mark.parametrize("book", ["star", "canberra", "adelaide", "federal", "division-15"])
async def test_m6_a_round_in_progress_is_void_or_goes_on(book):
    hall = Hall(book).ready("Ann 1").dealt(STIFF, "1 Ann 10")
    assert relief(hall.state) is None, "not while the game goes on"
    hall.do("Max", Pause())
    step = relief(hall.state)
    assert step is not None
    if isinstance(step, Resume):
        return
    from pontoon.server.rooms.decide import Decided, program_step

    done = program_step(hall.state, step, "clock")
    assert isinstance(done, Decided), done
    assert sum(posting.amount for posting in done.draft.postings if posting.account == "wallet/Ann") == 1000
    assert relief(done.state) is None


async def test_a_supervisor_stops_a_table_and_a_person():
    async with running() as server:
        max_, ann = await server.guest("Max"), await server.guest("Ann")
        sue = await server.account("Sue", "game_supervisor")
        table = await max_.make_table(clocks=AT_ONCE | {"wagers": 60_000})
        await ann.sit(table)
        had = (await ann.get("/api/me"))["wallet"]
        assert (await ann.do(table, "PlaceWager", box=1, player="", stake=1000)).status_code == 200
        stop = await sue.ask("PUT", f"/api/admin/tables/{table}/stop", {"reason": "a complaint"})
        assert stop.status_code == 204, stop.text
        await asyncio.sleep(0.05)
        assert (await ann.get("/api/me"))["wallet"] == had
        assert (await max_.do(table, "Resume")).status_code == 403
        assert (await sue.do(table, "Resume")).status_code == 200
        other = await max_.make_table()
        assert await max_.refused("PUT", "/api/admin/accounts/Ann/suspension", {}) == (403, "forbidden")
        assert (await sue.ask("PUT", "/api/admin/accounts/Max/suspension", {"reason": "bots"})).status_code == 204
        assert await max_.refused("GET", "/api/me") == (401, "unknown_token")
        live = await server.house.live(other)
        assert live is not None
        assert live.room.state.held.startswith("stopped:")


async def test_a_suspended_account_cannot_sign_in_and_the_last_administrator_stays():
    async with running() as server:
        await server.account("Ann")
        root = await server.account("Ruth", "administrator")
        assert (await root.ask("PUT", "/api/admin/accounts/Ann/suspension", {})).status_code == 204
        body = {"name": "Ann", "password": PASSWORD}
        assert await server.nobody.refused("POST", "/api/sessions", body) == (403, "suspended")
        assert (await root.ask("DELETE", "/api/admin/accounts/Ann/suspension")).status_code == 204
        assert (await server.nobody.ask("POST", "/api/sessions", body)).status_code == 201
        role = await root.refused("PUT", "/api/admin/accounts/Ruth/role", {"role": "player"})
        assert role == (409, "last_administrator")
