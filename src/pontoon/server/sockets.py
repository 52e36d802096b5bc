"""One WebSocket per client: commands come in, steps go out. Clients that do not read are disconnected."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from typing import Annotated, Any

import msgspec
from fastapi import WebSocket, WebSocketDisconnect
from msgspec import Meta, Struct

from pontoon.server.api.problems import problem_response
from pontoon.server.house import House
from pontoon.server.language import language_of
from pontoon.server.operation.logs import broken
from pontoon.server.operation.metrics import CUT_OFF, SOCKETS
from pontoon.server.operation.policy_checks import watching_refused
from pontoon.server.people.accounts import actor_for, address_of, token_of, viewer_of
from pontoon.server.people.people import Account, token_hash
from pontoon.server.people.practice_chips import arrived, command
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms.frames import (
    Emote,
    EmoteFrame,
    Frame,
    PongFrame,
    ReplyFrame,
    TournamentFrame,
    WalletFrame,
    WelcomeFrame,
    encoded,
    problem_frame,
)
from pontoon.server.rooms.live import Make, plays_at
from pontoon.server.wire import MalformedError, read_command, same_host, strict_json
from pontoon.store.model import StoreError
from pontoon.view.viewer import Viewer

OUTBOX = 256
"""Frames that may wait for a client to read them."""
BEHIND = 4
"""Turns of the event loop that a frame waits if the client expects no answer: as many as an answer takes to be sent."""
RATE, BURST = 30.0, 90.0
"""Messages per second a client may send, and the burst size."""
MOST_WATCHED = 32
"""Tables one socket may watch."""
EMOTES_APART = 2.0
"""Seconds between two emotes of a person."""
PATIENCE = 1.0
"""Seconds a socket has to close."""

RESYNC, SIGNED_OUT, TOO_FAST, GOING = 4008, 4001, 4029, 1012
"""Close codes: the client did not read; invalid token; too many messages; the server is stopping."""

Key = Annotated[str, Meta(pattern=r"\A[ -~]{1,64}\Z")]
"""Printable, so that it can be read out of a log."""
Id = Annotated[str, Meta(pattern=r"\A[a-z0-9]{1,64}\Z")]


class Hello(Struct, frozen=True, tag="hello", forbid_unknown_fields=True):
    """Sign in on this socket; a browser may send its cookie instead."""

    token: Annotated[str, Meta(max_length=200)]


class Watch(Struct, frozen=True, tag="watch", forbid_unknown_fields=True):
    """Subscribe to a table, from after the last version seen."""

    table: Id
    after: int | None = None


class Unwatch(Struct, frozen=True, tag="unwatch", forbid_unknown_fields=True):
    """Unsubscribe from a table."""

    table: Id


class Do(Struct, frozen=True, tag="do", forbid_unknown_fields=True, rename={"role": "as"}):
    """A command, with its key and the version its sender saw."""

    table: Id
    key: Key
    command: dict[str, Any]
    version: int | None = None
    role: Annotated[str, Meta(max_length=32)] = ""


class React(Struct, frozen=True, tag="react", forbid_unknown_fields=True):
    """Show an emote to everyone at a table where the sender has a seat or a wager."""

    table: Id
    emote: Emote


class Follow(Struct, frozen=True, tag="follow", forbid_unknown_fields=True):
    """Be told whenever a tournament moves on; an empty name ends it."""

    tournament: Annotated[str, Meta(pattern=r"\A[a-z0-9]{0,64}\Z")]


class Ping(Struct, frozen=True, tag="ping", forbid_unknown_fields=True):
    """A ping from the client."""

    at: int = 0


Message = Hello | Watch | Unwatch | Do | React | Follow | Ping
_MESSAGES: Any = msgspec.json.Decoder(Message)


class Client:
    """One socket and its outbox."""

    def __init__(self, socket: WebSocket, hub: Hub) -> None:
        self.socket = socket
        self.hub = hub
        self.account: Account | None = None
        self.token = ""
        self.address = address_of(socket)
        self.language = language_of(socket)
        self.viewer = Viewer(language=self.language)
        self.watching: set[str] = set()
        self.following = ""
        """The tournament whose moves the client is told."""
        self.outbox: asyncio.Queue[str | Make] = asyncio.Queue(OUTBOX)
        self.asking = False
        """Whether the client is waiting for an answer."""
        self.closed = asyncio.Event()
        self.code = 1000
        self._allowance = BURST
        self._asked_at = 0.0

    # --- out ---

    def send(self, content: str) -> None:
        """Queue a frame; a client with a full outbox is disconnected and can resume from its last version."""
        self._put(content)

    def show(self, make: Make) -> None:
        """Queue a step, encoded when its turn comes, once for all viewers who see the same."""
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
        self.say(problem_frame(key, no, self.viewer.language))

    def cut_off(self, code: int) -> None:
        """Close the socket, even if frames are still queued."""
        if not self.closed.is_set():
            self.code = code
            self.closed.set()

    async def sending(self) -> None:
        """Send the queued frames in order; spectators give way to clients that wait for an answer."""
        while True:
            item = await self.outbox.get()
            for _ in range(0 if self.asking or isinstance(item, str) else BEHIND):
                await asyncio.sleep(0)
            await self.socket.send_text(self.made(item))

    def made(self, item: str | Make) -> str:
        """A queued item as this client sees it."""
        return item if isinstance(item, str) else item(self.viewer)

    # --- in ---

    async def reading(self) -> None:
        """Handle incoming messages in order."""
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
        return self._allowance > -BURST  # a client that continues after the warning is disconnected

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
        except StoreError as error:
            broken("message_not_written")
            self.refuse(key, problem("unsure" if error.unsure else "store_away"))
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
            case React(table=table, emote=emote):
                self._react(table, emote)
            case Follow(tournament=tournament):
                self.following = tournament
            case Ping(at=at):
                self.say(PongFrame(at))
            case Do():
                await self._command(message)

    async def sign_in(self, token: str) -> None:
        """Identify the user."""
        account = await self.hub.house.holder(token)
        if account is None:
            self.refuse("", problem("unknown_token"))
            return
        here = self.hub.sockets_of(account.name)
        no = self.hub.house.quotas.most("sockets", here, account.name) if account.role == "player" else None
        if no is not None:
            self.refuse("", no)
            self.cut_off(TOO_FAST)
            return
        self.hub.forget(self)
        self.account, self.token = account, token_hash(token)
        self.viewer = viewer_of(account, self.language)
        self.hub.remember(self)
        for table in self.watching:
            await arrived(self.hub.house, account.name, table)
        chips = (await self.hub.house.chips_of({account.name}))[account.name]
        self.say(WelcomeFrame(account.name, account.role, account.guest, chips.wallet, chips.practice, chips.given))

    async def _watch(self, table: str, after: int | None) -> None:
        live = await self.hub.house.live(table)
        if live is None:
            self.refuse("", problem("no_such_table"))
            return
        no = watching_refused(self.hub.house.people.policy, self.account, live.room.state.settings)
        if no is not None:
            self.refuse("", no)
            return
        if len(self.watching) >= MOST_WATCHED and table not in self.watching:
            self.refuse("", problem("too_many"))
            return
        if self.account is not None:
            await arrived(self.hub.house, self.account.name, table)
        live.catch_up(self, after, self.hub.house.clock.steady())
        live.join(self)
        self.watching.add(table)

    def unwatch(self, table: str) -> None:
        """Stop sending this table."""
        self.watching.discard(table)
        live = self.hub.house.lives.get(table)
        if live is not None:
            live.leave(self, self.hub.house.clock.steady())

    def _react(self, table: str, emote: Emote) -> None:
        """Pass an emote on to the watchers in this process; each person may send one in a few seconds."""
        live = self.hub.house.lives.get(table) if table in self.watching else None
        name = self.account.name if self.account is not None else ""
        if live is None or not plays_at(live.room.state.table, name):
            self.refuse("", problem("emote_needs_seat"))
            return
        now = self.hub.house.clock.steady()
        if now - self.hub.reacted.get(name, -EMOTES_APART) < EMOTES_APART:
            self.refuse("", problem("too_many"))
            return
        self.hub.reacted[name] = now
        frame = encoded(EmoteFrame(table, name, emote))
        for watcher in tuple(live.watchers):
            watcher.send(frame)

    async def _command(self, message: Do) -> None:
        if self.account is None:
            self.refuse(message.key, problem("unknown_token"))
            return
        asked = read_command(message.command)
        actor = actor_for(self.account, message.role)
        if isinstance(actor, Problem):
            answer: int | Problem = actor
        elif (no := self.hub.house.allowed(actor, self.address, asked)) is not None:
            answer = no
        else:
            self.asking = True
            try:
                answer = await command(self.hub.house, actor, message.table, asked, message.key, message.version)
            finally:
                self.asking = False
        if isinstance(answer, Problem):
            self.refuse(message.key, answer)
        else:
            self.say(ReplyFrame(message.key, answer, message.table))


class Hub:
    """All sockets of a process; the house reports which wallets changed and which tokens were revoked."""

    def __init__(self, house: House, origins: tuple[str, ...] = ()) -> None:
        self.house = house
        self.origins = origins
        self.clients: set[Client] = set()
        self._from: Counter[str] = Counter()
        """How many sockets each address has."""
        self._by_name: dict[str, set[Client]] = {}
        self.reacted: dict[str, float] = {}
        """When each person who is here sent an emote."""

    def remember(self, client: Client) -> None:
        """Register a socket under its user's name."""
        assert client.account is not None
        self._by_name.setdefault(client.account.name, set()).add(client)

    def forget(self, client: Client) -> None:
        """Unregister a socket."""
        if client.account is not None:
            same = self._by_name.get(client.account.name, set())
            same.discard(client)
            if not same:
                self._by_name.pop(client.account.name, None)
                self.reacted.pop(client.account.name, None)

    def sockets_of(self, name: str) -> int:
        """How many sockets a person has."""
        return len(self._by_name.get(name, ()))

    async def run(self) -> None:
        """Handle the house's notifications about wallets, tokens and tournaments, until cancelled."""
        await asyncio.gather(self._wallets(), self._revoked(), self._tournaments())

    async def _tournaments(self) -> None:
        """Tell the followers of a tournament that it has moved on; what they may see they ask for."""
        while True:
            for name in await self.house.tournaments.moved.take():
                hosted = self.house.tournaments.get(name)
                if hosted is None:
                    continue
                for client in tuple(self.clients):
                    if client.following == name:
                        client.say(TournamentFrame(name, hosted.version))

    async def _wallets(self) -> None:
        """Send connected people their wallets; changes during the reading are sent next."""
        while True:
            names = await self.house.wallets.take() & self._by_name.keys()
            try:
                held = await self.house.chips_of(names) if names else {}
            except Exception:  # noqa: BLE001 the store may be away for a moment; the next move tells again
                broken("wallet_not_told")
                continue
            for name, chips in held.items():
                for client in tuple(self._by_name.get(name, ())):
                    client.say(WalletFrame(chips.wallet, chips.practice, chips.given))

    async def _revoked(self) -> None:
        """Close the sockets of tokens that are no longer valid."""
        while True:
            tokens = await self.house.revoked.take()
            for client in tuple(self.clients):
                if client.token in tokens:
                    client.cut_off(SIGNED_OUT)

    def close(self) -> None:
        """Close all sockets; clients reconnect when the server is back."""
        for client in tuple(self.clients):
            client.cut_off(GOING)

    # --- one socket ---

    def welcome(self, socket: WebSocket) -> bool:
        """Whether a page of this origin may connect; programs send no origin."""
        origin = socket.headers.get("origin")
        if origin is None:
            return True
        return origin in self.origins or same_host(origin, socket.headers.get("host"))

    async def serve(self, socket: WebSocket) -> None:
        """A client from its first message to its last."""
        if not self.welcome(socket) or self.house.closing:
            await socket.close(1008 if not self.house.closing else GOING)
            return
        address = address_of(socket)
        no = self.house.quotas.most("sockets", self._from[address], address, shared=True)
        if no is not None:
            await socket.send_denial_response(problem_response(socket, no, {"Retry-After": "10"}))
            return
        await socket.accept()
        client = Client(socket, self)
        self.clients.add(client)
        self._from[client.address] += 1
        SOCKETS.set(len(self.clients))
        try:
            await self._session(client)
        finally:
            self._gone(client)

    def turns_away(self, address: str) -> bool:
        """Whether an address opens sockets too fast, or has as many as it may have; asked before the handshake."""
        return self.house.quotas.handshake(address, self._from.get(address, 0)) is not None

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
        """Close with the reason; a client that does not read it is dropped."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(PATIENCE):
                if client.code == GOING:
                    while not client.outbox.empty():
                        await client.socket.send_text(client.made(client.outbox.get_nowait()))
                await client.socket.close(client.code)

    def _gone(self, client: Client) -> None:
        client.closed.set()
        self.clients.discard(client)
        self._from[client.address] -= 1
        if not self._from[client.address]:
            del self._from[client.address]
        self.forget(client)
        for table in tuple(client.watching):
            client.unwatch(table)
        SOCKETS.set(len(self.clients))
