"""Guests, accounts, sessions, roles and chips."""

from __future__ import annotations

import asyncio
from threading import Event
from typing import Any

import pytest

from pontoon.ledger import BANK, Posting, wallet
from pontoon.server.api.limits import Limits
from pontoon.server.coach.work_queue import WorkQueue
from pontoon.server.mailbox import Mailbox
from pontoon.server.people import accounts
from pontoon.server.people.accounts import HASHER, actor_for, viewer_of
from pontoon.server.people.people import FIRST_CHIPS, Account, token_hash
from pontoon.server.problems import Problem, ProblemError
from pontoon.server.rooms.permits import OFFICIALS
from pontoon.store.model import Append, Draft
from pontoon.view.viewer import Viewer
from tests.server.api.visitors import AT_ONCE, PASSWORD, Server, Visitor

pytestmark = pytest.mark.asyncio


async def test_a_guest_needs_only_a_name(server: Server):
    answer = await server.nobody.ask("POST", "/api/guests", {"name": "  Ann  Lee "})
    said = answer.json()
    assert {key: said[key] for key in ("name", "role", "guest", "wallet")} == {
        "name": "Ann Lee",
        "role": "player",
        "guest": True,
        "wallet": FIRST_CHIPS,
    }
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("pontoon=", "HttpOnly", "SameSite=strict", "Path=/"))
    assert "Secure" not in cookie
    assert (await server.guest("Ann Lee")).name == "Ann Lee 2"


async def test_over_https_the_cookie_is_secure(server: Server):
    answer = await server.client.post("https://pontoon.test/api/guests", json={"name": "Ann"})
    assert "Secure" in answer.headers["set-cookie"]


async def test_an_account_comes_back(server: Server):
    ann = await server.account("Ann")
    body = {"name": "aNN", "password": PASSWORD}
    again = await server.nobody.ask("POST", "/api/sessions", body)
    assert again.status_code == 201
    assert again.json()["token"] != ann.token
    assert (await ann.get("/api/me")) == {
        "name": "Ann",
        "role": "player",
        "guest": False,
        "wallet": FIRST_CHIPS,
        "owed": 0,
    }


async def test_nothing_secret_is_kept(server: Server):
    ann = await server.account("Ann")
    kept = b"".join(entry.body for entry in server.house.store.read("people"))
    assert PASSWORD.encode() not in kept
    assert ann.token.encode() not in kept
    assert token_hash(ann.token).encode() in kept
    assert b"$argon2id$" in kept


@pytest.mark.parametrize(
    ("path", "body", "no"),
    [
        ("/api/accounts", {"name": "Ann", "password": PASSWORD}, (409, "name_taken")),
        ("/api/accounts", {"name": "dealer", "password": PASSWORD}, (409, "name_taken")),
        ("/api/accounts", {"name": "Ben", "password": "short"}, (400, "malformed")),
        ("/api/accounts", {"name": "<b>", "password": PASSWORD}, (400, "malformed")),
        ("/api/sessions", {"name": "Ann", "password": "wrong horse"}, (401, "wrong_password")),
        ("/api/sessions", {"name": "Nobody", "password": PASSWORD}, (401, "wrong_password")),
        ("/api/sessions", {"name": "Guest", "password": ""}, (401, "wrong_password")),
        ("/api/guests", {"name": ""}, (400, "malformed")),
        ("/api/guests", {"name": "Ann", "role": "administrator"}, (400, "malformed")),
        ("/api/guests", ["Ann"], (400, "malformed")),
    ],
)
async def test_who_is_not_let_in(server: Server, path: str, body: object, no: tuple[int, str]):
    await server.account("Ann")
    await server.guest("Guest")
    before = server.standing()
    assert await server.nobody.refused("POST", path, body) == no
    assert server.standing() == before


async def test_an_unknown_name_takes_as_long_as_a_wrong_password():
    ann = Account("Ann", "player", HASHER.hash(PASSWORD))
    assert await accounts.fits(ann, PASSWORD)
    assert not await accounts.fits(None, "nobody has this password")
    assert not await accounts.fits(Account("Gus", "player"), "nobody has this password")


async def test_an_old_hash_is_made_anew(server: Server):
    from argon2 import PasswordHasher

    old = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
    await server.house.write_people(lambda people: people.opened("Old", password=old))
    answer = await server.nobody.ask("POST", "/api/sessions", {"name": "Old", "password": PASSWORD})
    assert answer.status_code == 201
    found = server.house.people.find("Old")
    assert found is not None
    assert not HASHER.check_needs_rehash(found.password)


async def test_too_many_who_wait_are_sent_away():
    queue, gate = WorkQueue("test", 2), Event()
    some = [asyncio.create_task(queue.do(gate.wait)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(ProblemError, match="too many"):
        await queue.do(gate.wait)
    gate.set()
    assert await asyncio.gather(*some) == [True, True]
    assert queue.waiting == 0


async def test_signing_out_ends_one_session(server: Server):
    ann = await server.account("Ann")
    revoked = server.house.revoked = Mailbox()
    other = await server.nobody.ask("POST", "/api/sessions", {"name": "Ann", "password": PASSWORD})
    assert (await ann.ask("DELETE", "/api/sessions/current")).status_code == 204
    assert await revoked.take() == {token_hash(ann.token)}
    assert await ann.refused("GET", "/api/me") == (401, "unknown_token")
    assert await Visitor(server.client, "Ann", other.json()["token"]).get("/api/me")


async def test_a_new_password_ends_the_other_sessions(server: Server):
    ann = await server.account("Ann")
    other = await server.nobody.ask("POST", "/api/sessions", {"name": "Ann", "password": PASSWORD})
    wrong = {"old": "wrong horse", "new": "battery staple"}
    assert await ann.refused("POST", "/api/me/password", wrong) == (401, "wrong_password")
    right = {"old": PASSWORD, "new": "battery staple"}
    assert (await ann.ask("POST", "/api/me/password", right)).status_code == 204
    assert await ann.get("/api/me")
    assert await Visitor(server.client, "Ann", other.json()["token"]).refused("GET", "/api/me") == (
        401,
        "unknown_token",
    )
    assert await server.nobody.refused("POST", "/api/sessions", {"name": "Ann", "password": PASSWORD}) == (
        401,
        "wrong_password",
    )


async def test_a_guest_who_sets_a_password_can_come_back(server: Server):
    guest = await server.guest("Gus")
    assert (await guest.ask("POST", "/api/me/password", {"new": PASSWORD})).status_code == 204
    assert not (await guest.get("/api/me"))["guest"]
    assert (await server.nobody.ask("POST", "/api/sessions", {"name": "Gus", "password": PASSWORD})).status_code == 201


async def test_a_cookie_serves_but_not_for_another_page(server: Server):
    ann = await server.guest()
    cookie = {"Cookie": f"pontoon={ann.token}"}
    assert (await server.nobody.ask("GET", "/api/me", headers=cookie)).status_code == 200
    other = cookie | {"Origin": "https://elsewhere.test"}
    assert await server.nobody.refused("POST", "/api/me/chips", headers=other) == (403, "wrong_origin")
    own = cookie | {"Origin": "http://pontoon.test"}
    assert await server.nobody.refused("POST", "/api/me/chips", headers=own) == (409, "chips_enough")


async def test_an_old_cookie_is_anonymous_and_an_old_token_is_refused(server: Server):
    assert await server.nobody.get("/api/tables", headers={"Cookie": "pontoon=old"})
    assert await Visitor(server.client, token="old").refused("GET", "/api/tables") == (401, "unknown_token")  # noqa: S106
    assert await server.nobody.refused("GET", "/api/me", headers={"Authorization": "Basic eDp5"}) == (
        401,
        "unknown_token",
    )


# --- chips ---------------------------------------------------------------------------------------------


async def _spent(server: Server, name: str, left: int) -> None:
    has = server.house.store.balance(wallet(name))
    moved = (Posting(wallet(name), left - has), Posting(BANK, has - left))
    head = server.house.store.head("spent").version
    server.house.store.write([Append("spent", head, 1, (Draft("test", b"[]", postings=moved),))])


async def test_chips_for_players_who_have_almost_none(server: Server):
    ann = await server.guest()
    assert await ann.refused("POST", "/api/me/chips") == (409, "chips_enough")
    await _spent(server, "Ann", 999)
    both = await asyncio.gather(ann.ask("POST", "/api/me/chips"), ann.ask("POST", "/api/me/chips"))
    assert sorted(answer.status_code for answer in both) == [200, 409]
    assert (await ann.get("/api/me"))["wallet"] == FIRST_CHIPS


async def test_no_chips_while_some_are_on_a_table(server: Server):
    ann = await server.guest()
    table = await ann.make_table(clocks=AT_ONCE | {"wagers": 600_000})
    assert (await ann.do(table, "PlaceWager", box=1, player="", stake=1000)).status_code == 200
    await _spent(server, "Ann", 0)
    assert await ann.refused("POST", "/api/me/chips") == (409, "chips_enough")


# --- roles ---------------------------------------------------------------------------------------------


async def test_everyone_acts_in_their_own_role_or_as_a_player():
    for role in OFFICIALS:
        account = Account("Ann", role)
        for wanted in (None, "", role):
            actor = actor_for(account, wanted)
            assert not isinstance(actor, Problem)
            assert (actor.name, actor.role) == ("Ann", role)
        player = actor_for(account, "player")
        assert not isinstance(player, Problem)
        assert player.role == "player"
        claimed = actor_for(Account("Ben", "player"), role)
        assert isinstance(claimed, Problem)
        assert (claimed.status, claimed.code) == (403, "forbidden")
    assert viewer_of(None) == Viewer()
    assert viewer_of(Account("Ann", "inspector")) == Viewer("Ann", official=True)


async def test_an_official_may_play_too(server: Server):
    official = await server.account("Off", "inspector")
    table = await official.make_table()
    wager: dict[str, Any] = {"box": 1, "player": "", "stake": 1000}
    assert (await official.do(table, "PlaceWager", **wager)).status_code == 403
    assert (await official.do(table, "PlaceWager", "player", **wager)).status_code == 200
    assert (await official.do(table, "Pause", "administrator")).status_code == 403


# --- the door ------------------------------------------------------------------------------------------


async def test_an_address_that_comes_too_often_waits(server: Server):
    server.app.state.limits = Limits()
    for number in range(10):
        body = {"name": f"Ann {number}", "password": "x"}
        assert (await server.nobody.refused("POST", "/api/sessions", body))[0] == 401
    answer = await server.nobody.ask("POST", "/api/sessions", {"name": "Ann", "password": "x"})
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
    assert 1 <= int(answer.headers["retry-after"]) <= 6
