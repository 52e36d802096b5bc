"""Administration, inspection, operation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pontoon.server.mailbox import Mailbox
from pontoon.server.rooms.permits import ROLES
from pontoon.store import SqliteStore
from tests.server.api.visitors import PASSWORD, Server, running

pytestmark = pytest.mark.asyncio

RIVER, SEA = "a long walk by the river", "another walk by the sea"
READING = (
    "accounts",
    "audit",
    "balance",
    "overview",
    "reports",
    "roots",
    "verify",
    "log/people",
    "tables",
    "wallets",
    "rulebooks",
)


async def test_who_may_look_and_who_may_change(server: Server):
    table = await (await server.guest()).make_table()
    for role in ROLES:
        visitor = await server.account(f"Person {role.replace('_', ' ')}", role)
        reads = role in ("administrator", "inspector", "casino_supervisor")
        for path in (*READING, f"log/table/{table}"):
            assert (await visitor.ask("GET", f"/api/admin/{path}")).status_code == (200 if reads else 403)
        changes = role == "administrator"
        for method, path, body in (
            ("PUT", "accounts/Nobody/role", {"role": "dealer"}),
            ("DELETE", "accounts/Nobody/sessions", None),
            ("POST", "accounts/Nobody/link", None),
            ("GET", "backups/pontoon-x.db", None),
            ("POST", "backups/pontoon-x.db/verification", None),
            ("DELETE", "accounts/Nobody/lock", None),
            ("POST", "wallets/Nobody/chips", {"amount": 100}),
            ("PUT", "tables/nosuch/closing", None),
            ("PUT", "tables/nosuch/archive", None),
            ("DELETE", "tables/nosuch/archive", None),
        ):
            assert (await visitor.ask(method, f"/api/admin/{path}", body)).status_code == (404 if changes else 403)
        assert (await visitor.ask("POST", "/api/admin/backup")).status_code == (201 if changes else 403)
    for path in READING:
        assert await server.nobody.refused("GET", f"/api/admin/{path}") == (401, "unknown_token")


async def test_people_and_roles(server: Server):
    boss, ann = await server.account("Boss", "administrator"), await server.account("Ann")
    await server.guest("Gus")
    first = await boss.get("/api/admin/accounts?limit=2")
    rest = await boss.get("/api/admin/accounts", params={"cursor": first["next"]})
    assert [account["name"] for account in (*first["accounts"], *rest["accounts"])] == ["Ann", "Boss", "Gus"]
    given = await boss.ask("PUT", "/api/admin/accounts/ann/role", {"role": "dealer"})
    told = given.json()
    assert told.pop("seen") > 0
    assert told == {"name": "Ann", "role": "dealer", "guest": False, "sessions": 1, "suspended": False, "locked": 0}
    assert (await ann.get("/api/me"))["role"] == "dealer"
    assert await boss.refused("PUT", "/api/admin/accounts/Gus/role", {"role": "dealer"}) == (409, "needs_password")
    assert await boss.refused("PUT", "/api/admin/accounts/Ann/role", {"role": "king"}) == (400, "malformed")


async def test_a_new_person_sets_a_password_with_a_link_that_works_once(server: Server):
    boss = await server.account("Boss", "administrator")
    made = (await boss.ask("POST", "/api/admin/accounts", {"name": "Dora", "role": "dealer"})).json()
    assert (made["name"], made["role"]) == ("Dora", "dealer")
    assert await boss.refused("POST", "/api/admin/accounts", {"name": "dora"}) == (409, "name_taken")
    using = {"link": made["link"], "password": "weak"}
    assert await server.nobody.refused("POST", "/api/links", using) == (400, "malformed")
    assert await server.nobody.refused("POST", "/api/links", using | {"password": "password123"}) == (
        422,
        "weak_password",
    )
    using["password"] = RIVER
    signed = (await server.nobody.ask("POST", "/api/links", using)).json()
    assert (signed["name"], signed["role"], signed["guest"]) == ("Dora", "dealer", False)
    assert await server.nobody.refused("POST", "/api/links", using) == (404, "link_used")
    again = {"name": "Dora", "password": using["password"]}
    assert (await server.nobody.ask("POST", "/api/sessions", again)).status_code == 201
    bodies = b"".join(entry.body for entry in server.house.store.read("people"))
    assert made["link"].encode() not in bodies, "only its hash is recorded"


async def test_a_lost_password_is_replaced_and_every_session_ends(server: Server):
    boss, ann = await server.account("Boss", "administrator"), await server.account("Ann")
    old, new = [(await boss.ask("POST", "/api/admin/accounts/ann/link")).json()["link"] for _ in range(2)]
    assert await server.nobody.refused("POST", "/api/links", {"link": old, "password": SEA}) == (404, "link_used")
    assert (await ann.get("/api/me"))["name"] == "Ann", "a link alone ends nothing"
    assert (await server.nobody.ask("POST", "/api/links", {"link": new, "password": SEA})).status_code == 201
    assert await ann.refused("GET", "/api/me") == (401, "unknown_token")
    refused = {"name": "Ann", "password": PASSWORD}
    assert await server.nobody.refused("POST", "/api/sessions", refused) == (401, "wrong_password")


async def test_a_link_of_yesterday_and_one_of_a_suspended_person_do_not_work(server: Server):
    boss = await server.account("Boss", "administrator")
    link = (await boss.ask("POST", "/api/admin/accounts", {"name": "Dora"})).json()["link"]
    late = (await boss.ask("POST", "/api/admin/accounts/Dora/link")).json()
    account = server.house.people.find("Dora")
    assert account is not None
    assert account.link is not None
    account.link = (account.link[0], server.house.clock.wall() - 1)
    for old in (link, late["link"]):
        assert await server.nobody.refused("POST", "/api/links", {"link": old, "password": RIVER}) == (
            404,
            "link_used",
        )
    fresh = (await boss.ask("POST", "/api/admin/accounts/Dora/link")).json()["link"]
    await boss.ask("PUT", "/api/admin/accounts/Dora/suspension", {"reason": "left"})
    assert await server.nobody.refused("POST", "/api/links", {"link": fresh, "password": RIVER}) == (403, "suspended")


async def test_the_server_at_a_glance_and_what_happened_to_people(server: Server):
    boss = await server.account("Boss", "administrator")
    await server.guest("Gus")
    await boss.ask("POST", "/api/admin/accounts", {"name": "Dora", "role": "dealer"})
    await boss.ask("PUT", "/api/admin/accounts/Dora/role", {"role": "inspector"})
    await boss.ask("PUT", "/api/admin/accounts/Dora/suspension", {"reason": "left us"})
    seen = await boss.get("/api/admin/overview")
    assert (seen["people"], seen["guests"], seen["suspended"]) == (2, 1, 1)
    assert seen["entries"] == server.house.people.version
    events = (await boss.get("/api/admin/audit"))["events"]
    assert [(row["what"], row["name"], row["by"], row["detail"]) for row in events[:3]] == [
        ("AccountSuspended", "Dora", "Boss", "left us"),
        ("RoleGiven", "Dora", "Boss", "inspector"),
        ("LinkGiven", "Dora", "Boss", ""),
    ]
    paged: list[dict[str, Any]] = []
    cursor: int | None = 0
    while cursor is not None:
        page = await boss.get(f"/api/admin/audit?limit=2&before={cursor}")
        paged, cursor = paged + page["events"], page["next"]
    assert paged == events


async def test_revoking_ends_every_session(server: Server):
    boss, ann = await server.account("Boss", "administrator"), await server.account("Ann")
    await server.nobody.ask("POST", "/api/sessions", {"name": "Ann", "password": PASSWORD})
    revoked = server.house.revoked = Mailbox()
    for _ in range(2):  # the second time there is nothing left to end
        assert (await boss.ask("DELETE", "/api/admin/accounts/Ann/sessions")).status_code == 204
    assert len(await revoked.take()) == 2
    assert await ann.refused("GET", "/api/me") == (401, "unknown_token")


async def test_the_books(server: Server, tmp_path: Path):
    boss, ann = await server.account("Boss", "administrator"), await server.guest()
    await ann.play(await ann.make_table(), 3)
    balance = await boss.get("/api/admin/balance")
    assert balance["zero"]
    assert balance["total"] == sum(balance["kinds"].values()) == 0
    verified = await boss.get("/api/admin/verify")
    assert (verified["whole"], verified["faults"]) == (True, [])
    made = (await boss.ask("POST", "/api/admin/backup")).json()
    file = tmp_path / "backups" / made["file"]
    assert file.stat().st_size == made["size"]
    assert [row["file"] for row in (await boss.get("/api/admin/backups"))["backups"]] == [made["file"]]
    loaded = await boss.ask("GET", f"/api/admin/backups/{made['file']}")
    assert loaded.content == file.read_bytes()
    assert await boss.refused("GET", "/api/admin/backups/pontoon-..db") == (404, "no_such_backup")
    assert await boss.refused("GET", "/api/admin/backups/..%2fpontoon.db") == (404, "not_found")
    copy = SqliteStore(file, read_only=True)
    assert copy.heads() == server.house.store.heads()
    copy.close()
    server.house.store.seal(server.house.clock.wall())
    root = (await boss.get("/api/admin/roots"))["roots"][-1]
    assert root["streams"] == 2
    assert root["hash"] == server.house.store.roots()[-1].hash


async def test_the_same_on_a_file(tmp_path: Path):
    store = SqliteStore(tmp_path / "pontoon.db")
    async with running(tmp_path, store) as server:
        boss, ann = await server.account("Boss", "administrator"), await server.guest()
        table = await ann.make_table()
        await ann.play(table, 3)
        assert len((await ann.get("/api/me/last"))["steps"]) > 3
        assert (await boss.get("/api/admin/balance"))["zero"]
        assert (await boss.get("/api/admin/verify"))["whole"]
        assert (await boss.ask("POST", "/api/admin/backup")).status_code == 201
        assert (await boss.get("/ready"))["status"] == "ready"
    store.close()


async def test_without_a_folder_there_is_no_backup():
    async with running() as server:
        boss = await server.account("Boss", "administrator")
        assert await boss.refused("POST", "/api/admin/backup") == (503, "no_backup_folder")


async def test_a_failed_backup_is_reported(server: Server, tmp_path: Path):
    boss = await server.account("Boss", "administrator")
    (tmp_path / "backups").write_text("in the way")
    assert await boss.refused("POST", "/api/admin/backup") == (503, "backup_failed")


# --- the raw log ---------------------------------------------------------------------------------------


async def _log(visitor: Any, stream: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    after = 0
    while after is not None:
        page = await visitor.get(f"/api/admin/log/{stream}", params={"after": after, "limit": 100})
        entries += page["entries"]
        after = page["next"]
    return entries


async def test_the_log_of_a_shoe_in_play_keeps_its_secrets(server: Server):
    boss, ann = await server.account("Boss", "inspector"), await server.guest()
    table = await ann.make_table("division-15")
    await ann.sit(table)
    await ann.play(table, 3)
    keeper = server.house.lives[table].room.keeper
    assert keeper.tree is not None
    entries = await _log(boss, f"table/{table}")
    text = json.dumps(entries)
    assert keeper.seed.hex() not in text
    assert json.dumps(list(keeper.tree.stack[:3]))[1:-1] not in text
    raw = server.house.store.read(f"table/{table}")
    shuffled = next(entry.version for entry in raw if b'"CardsShuffled"' in entry.body)
    assert [entry["hash"] for entry in entries] == [entry.hash if entry.version < shuffled else "" for entry in raw]
    by_kind = {event["type"]: event for entry in entries for event in entry["body"]["events"]}
    assert by_kind["SeedKept"]["seed"] == by_kind["CardsShuffled"]["order"] == "(secret)"
    assert by_kind["CardLeftShoe"]["card"] == "(secret)"
    assert "(secret)" not in by_kind["InRound"].values()


async def test_the_log_of_a_shoe_that_is_over_is_whole(server: Server):
    boss, ann = await server.account("Boss", "inspector"), await server.guest()
    table = await ann.make_table("star", packs=6)
    while server.house.lives[table].room.state.table.shoe_number < 2:
        await ann.play(table, stake=500)
    raw = server.house.store.read(f"table/{table}", 0, 10_000)
    last = max(entry.version for entry in raw if b'"CardsShuffled"' in entry.body)
    for shown, kept in zip(await _log(boss, f"table/{table}"), raw, strict=True):
        assert (shown["body"] == json.loads(kept.body)) or kept.version >= last
        assert shown["hash"] == ("" if kept.version >= last else kept.hash)


async def test_the_people_s_log_shows_no_hash(server: Server):
    boss = await server.account("Boss", "administrator")
    text = json.dumps(await _log(boss, "people"))
    account = server.house.people.find("Boss")
    assert account is not None
    assert account.password not in text
    assert not any(token in text for token in account.tokens)
    assert await boss.refused("GET", "/api/admin/log/table/zzzzzz") == (404, "no_such_table")
    assert await boss.refused("GET", "/api/admin/log/ledger") == (400, "malformed")


# --- operation -----------------------------------------------------------------------------------------


async def test_alive_ready_and_counted(server: Server):
    ann = await server.guest()
    await ann.play(await ann.make_table())
    assert await server.nobody.get("/health") == {"status": "ok"}
    assert (await server.nobody.get("/ready"))["status"] == "ready"
    text = (await server.nobody.ask("GET", "/metrics")).text
    assert "pontoon_rounds_total" in text
    assert "Ann" not in text


async def test_not_ready_before_and_after(server: Server, monkeypatch: pytest.MonkeyPatch):
    server.app.state.ready = False
    assert await server.nobody.refused("GET", "/ready") == (503, "starting")
    server.app.state.ready = True

    def broken(_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(server.house.store, "write", broken)
        assert await server.nobody.refused("GET", "/ready") == (503, "store_away")
    server.house.closing = True
    assert await server.nobody.refused("GET", "/ready") == (503, "closing")
    assert await server.nobody.get("/health") == {"status": "ok"}
