"""One WebSocket a client: commands come in, steps go out. A client that does not read is cut off, never waited for."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any

import msgspec
from fastapi import WebSocket, WebSocketDisconnect
from msgspec import Meta, Struct

from pontoon.server.accounts import actor_for, eye_of, token_of
from pontoon.server.frames import (
    Frame,
    PongFrame,
    ReplyFrame,
    WalletFrame,
    WelcomeFrame,
    encoded,
    problem_frame,
)
from pontoon.server.house import House
from pontoon.server.language import language_of
from pontoon.server.live import Make
from pontoon.server.logs import broken
from pontoon.server.metrics import CUT_OFF, SOCKETS
from pontoon.server.people import Account, token_hash
from pontoon.server.problems import Problem, problem
from pontoon.server.wire import MalformedError, read_command, same_host, strict_json
from pontoon.view.eye import Eye

OUTBOX = 256
"""Frames that may wait for a client to read them."""
BEHIND = 4
"""Turns of the loop a frame waits where no answer is waited for: as many as an answer takes on its way out."""
RATE, BURST = 30.0, 90.0
"""Messages a second a client may send, and how many at once."""
MOST_WATCHED = 32
"""Tables one socket may watch."""
PATIENCE = 1.0
"""Seconds a socket has to say goodbye."""

RESYNC, SIGNED_OUT, TOO_FAST, GOING = 4008, 4001, 4029, 1012
"""Why we close a socket: it did not read; its token is worth nothing; it sends too much; the server stops."""

Key = Annotated[str, Meta(pattern=r"\A[ -~]{1,64}\Z")]
"""Printable, so that it can be read out of a log."""
Id = Annotated[str, Meta(pattern=r"\A[a-z0-9]{1,64}\Z")]


class Hello(Struct, frozen=True, tag="hello", forbid_unknown_fields=True):
    """Who is there; a browser may send its cookie instead."""

    token: Annotated[str, Meta(max_length=200)]


class Watch(Struct, frozen=True, tag="watch", forbid_unknown_fields=True):
    """Send what happens at this table, from after the last version seen."""

    table: Id
    after: int | None = None


class Unwatch(Struct, frozen=True, tag="unwatch", forbid_unknown_fields=True):
    """Enough of this table."""

    table: Id


class Do(Struct, frozen=True, tag="do", forbid_unknown_fields=True, rename={"role": "as"}):
    """A command, with its key and the version its sender saw."""

    table: Id
    key: Key
    command: dict[str, Any]
    version: int | None = None
    role: Annotated[str, Meta(max_length=32)] = ""


class Ping(Struct, frozen=True, tag="ping", forbid_unknown_fields=True):
    """A sign of life."""

    at: int = 0


Message = Hello | Watch | Unwatch | Do | Ping
_MESSAGES: Any = msgspec.json.Decoder(Message)


class Client:
    """One socket and what waits for it."""

    def __init__(self, socket: WebSocket, hub: Hub) -> None:
        self.socket = socket
        self.hub = hub
        self.account: Account | None = None
        self.token = ""
        self.language = language_of(socket)
        self.eye = Eye(language=self.language)
        self.watching: set[str] = set()
        self.outbox: asyncio.Queue[str | Make] = asyncio.Queue(OUTBOX)
        self.asking = False
        """Whether an answer is waited for."""
        self.closed = asyncio.Event()
        self.code = 1000
        self._allowance = BURST
        self._asked_at = 0.0

    # --- out ---

    def send(self, content: str) -> None:
        """Send this; a client whose outbox is full is cut off and comes back with what it saw last."""
        self._put(content)

    def show(self, make: Make) -> None:
        """Send a step; it is made when its turn comes, once for all who see the same."""
        self._put(make)

    def _put(self, item: str | Make) -> None:
        try:
            self.outbox.put_nowait(item)
        except asyncio.QueueFull:
            if not self.closed.is_set():
                CUT_OFF.inc()
            self.cut_off(RESYNC)

    def say(self, frame: Frame) -> None:
        """Send a frame."""
        self.send(encoded(frame))

    def refuse(self, key: str, no: Problem) -> None:
        """Answer with a problem, in the client's language."""
        self.say(problem_frame(key, no, self.eye.language))

    def cut_off(self, code: int) -> None:
        """Close the socket, whatever still waits."""
        if not self.closed.is_set():
            self.code = code
            self.closed.set()

    async def sending(self) -> None:
        """Send what waits, in order; whoever only looks on lets those go first who wait for an answer."""
        while True:
            item = await self.outbox.get()
            for _ in range(0 if self.asking or isinstance(item, str) else BEHIND):
                await asyncio.sleep(0)
            await self.socket.send_text(self.made(item))

    def made(self, item: str | Make) -> str:
        """What waited, as this client sees it."""
        return item if isinstance(item, str) else item(self.eye)

    # --- in ---

    async def reading(self) -> None:
        """Take what comes, one after the other."""
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not self._within_rate():
                self.refuse("", problem("too_many"))
                self.cut_off(TOO_FAST)
                return
            await self.take(message.get("text") or message.get("bytes") or "")

    def _within_rate(self) -> bool:
        now = self.hub.house.clock.steady()
        self._allowance = min(BURST, self._allowance + (now - self._asked_at) * RATE)
        self._asked_at = now
        self._allowance -= 1
        return self._allowance > -BURST  # a client that goes on after being told is cut off

    async def take(self, content: str | bytes) -> None:
        """One message."""
        key = ""
        try:
            data = strict_json(content)
            key = str(data.get("key", ""))[:64] if isinstance(data, dict) else ""
            if self._allowance < 0:
                self.refuse(key, problem("too_many"))
                return
            await self._do(_MESSAGES.decode(msgspec.json.encode(data)))
        except (MalformedError, msgspec.MsgspecError) as error:
            self.refuse(key, problem("malformed", detail=str(error)[:300]))
        except Exception:  # noqa: BLE001 our bug, and the client hears that nothing was done
            broken("message_failed")
            self.refuse(key, problem("broken"))

    async def _do(self, message: Message) -> None:
        match message:
            case Hello(token=token):
                await self.sign_in(token)
            case Watch(table=table, after=after):
                await self._watch(table, after)
            case Unwatch(table=table):
                self.unwatch(table)
            case Ping(at=at):
                self.say(PongFrame(at))
            case Do():
                await self._command(message)

    async def sign_in(self, token: str) -> None:
        """Find out who this is."""
        account = await self.hub.house.holder(token)
        if account is None:
            self.refuse("", problem("unknown_token"))
            return
        self.hub.forget(self)
        self.account, self.token = account, token_hash(token)
        self.eye = eye_of(account, self.language)
        self.hub.remember(self)
        self.say(WelcomeFrame(account.name, account.role, account.guest, await self.hub.house.balance(account.name)))

    async def _watch(self, table: str, after: int | None) -> None:
        live = await self.hub.house.live(table)
        if live is None:
            self.refuse("", problem("no_such_table"))
            return
        if len(self.watching) >= MOST_WATCHED and table not in self.watching:
            self.refuse("", problem("too_many"))
            return
        live.catch_up(self, after, self.hub.house.clock.steady())
        live.watchers.add(self)
        self.watching.add(table)

    def unwatch(self, table: str) -> None:
        """Nothing more of this table."""
        self.watching.discard(table)
        live = self.hub.house.lives.get(table)
        if live is not None:
            live.watchers.discard(self)

    async def _command(self, message: Do) -> None:
        if self.account is None:
            self.refuse(message.key, problem("unknown_token"))
            return
        asked = read_command(message.command)
        actor = actor_for(self.account, message.role)
        if isinstance(actor, Problem):
            answer: int | Problem = actor
        else:
            self.asking = True
            try:
                answer = await self.hub.house.command(actor, message.table, asked, message.key, message.version)
            finally:
                self.asking = False
        if isinstance(answer, Problem):
            self.refuse(message.key, answer)
        else:
            self.say(ReplyFrame(message.key, answer, message.table))


class Hub:
    """All sockets of a process; it takes from the house whose wallets moved and which tokens were revoked."""

    def __init__(self, house: House, origins: tuple[str, ...] = ()) -> None:
        self.house = house
        self.origins = origins
        self.clients: set[Client] = set()
        self._by_name: dict[str, set[Client]] = {}

    def remember(self, client: Client) -> None:
        """A socket has a name."""
        assert client.account is not None
        self._by_name.setdefault(client.account.name, set()).add(client)

    def forget(self, client: Client) -> None:
        """A socket has that name no longer."""
        if client.account is not None:
            same = self._by_name.get(client.account.name, set())
            same.discard(client)
            if not same:
                self._by_name.pop(client.account.name, None)

    async def run(self) -> None:
        """Take what the house has to say about wallets and tokens, until cancelled."""
        await asyncio.gather(self._wallets(), self._revoked())

    async def _wallets(self) -> None:
        """Send their wallets to those who are here; what moves while they are read is sent next."""
        while True:
            names = await self.house.wallets.take() & self._by_name.keys()
            try:
                held = await self.house.balances(names) if names else {}
            except Exception:  # noqa: BLE001 the store may be away for a moment; the next move tells again
                broken("wallet_not_told")
                continue
            for name, amount in held.items():
                for client in tuple(self._by_name.get(name, ())):
                    client.say(WalletFrame(amount))

    async def _revoked(self) -> None:
        """Close the sockets of tokens that are no longer valid."""
        while True:
            tokens = await self.house.revoked.take()
            for client in tuple(self.clients):
                if client.token in tokens:
                    client.cut_off(SIGNED_OUT)

    def close(self) -> None:
        """Everybody comes back when the server does."""
        for client in tuple(self.clients):
            client.cut_off(GOING)

    # --- one socket ---

    def welcome(self, socket: WebSocket) -> bool:
        """Whether a page of this origin may talk to us; programs send none."""
        origin = socket.headers.get("origin")
        if origin is None:
            return True
        return origin in self.origins or same_host(origin, socket.headers.get("host"))

    async def serve(self, socket: WebSocket) -> None:
        """A client from its first message to its last."""
        if not self.welcome(socket) or self.house.closing:
            await socket.close(1008 if not self.house.closing else GOING)
            return
        await socket.accept()
        client = Client(socket, self)
        self.clients.add(client)
        SOCKETS.set(len(self.clients))
        try:
            await self._session(client)
        finally:
            self._gone(client)

    async def _session(self, client: Client) -> None:
        token, _ = token_of(client.socket)
        if token:
            await client.sign_in(token)
        tasks = [
            asyncio.create_task(client.sending()),
            asyncio.create_task(client.reading()),
            asyncio.create_task(client.closed.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            for result in results:
                if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect | RuntimeError):
                    broken("socket_failed", kind=type(result).__name__)
        if client.closed.is_set():
            await self._goodbye(client)

    @staticmethod
    async def _goodbye(client: Client) -> None:
        """Close with the reason; a client that does not even read that is dropped."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(PATIENCE):
                if client.code == GOING:
                    while not client.outbox.empty():
                        await client.socket.send_text(client.made(client.outbox.get_nowait()))
                await client.socket.close(client.code)

    def _gone(self, client: Client) -> None:
        client.closed.set()
        self.clients.discard(client)
        self.forget(client)
        for table in tuple(client.watching):
            client.unwatch(table)
        SOCKETS.set(len(self.clients))
