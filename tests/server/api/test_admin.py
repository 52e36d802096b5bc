"""Administration, inspection, operation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pontoon.server.mailbox import Mailbox
from pontoon.server.permits import ROLES
from pontoon.store import SqliteStore
from tests.server.api.visitors import PASSWORD, Server, running

pytestmark = pytest.mark.asyncio

READING = ("accounts", "balance", "reports", "roots", "verify", "log/people")


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
    assert [one["name"] for one in (*first["accounts"], *rest["accounts"])] == ["Ann", "Boss", "Gus"]
    given = await boss.ask("PUT", "/api/admin/accounts/ann/role", {"role": "dealer"})
    assert given.json() == {"name": "Ann", "role": "dealer", "guest": False, "sessions": 1}
    assert (await ann.get("/api/me"))["role"] == "dealer"
    assert await boss.refused("PUT", "/api/admin/accounts/Gus/role", {"role": "dealer"}) == (409, "needs_password")
    assert await boss.refused("PUT", "/api/admin/accounts/Ann/role", {"role": "king"}) == (400, "malformed")


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
        assert await boss.get("/ready") == {"status": "ready"}
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
    shuffled = next(one.version for one in raw if b'"CardsShuffled"' in one.body)
    assert [one["hash"] for one in entries] == [one.hash if one.version < shuffled else "" for one in raw]
    by_kind = {event["type"]: event for one in entries for event in one["body"]["events"]}
    assert by_kind["SeedKept"]["seed"] == by_kind["CardsShuffled"]["order"] == "(secret)"
    assert by_kind["CardLeftShoe"]["card"] == "(secret)"
    assert "(secret)" not in by_kind["InRound"].values()


async def test_the_log_of_a_shoe_that_is_over_is_whole(server: Server):
    boss, ann = await server.account("Boss", "inspector"), await server.guest()
    table = await ann.make_table("star", packs=6)
    while server.house.lives[table].room.state.table.shoe_number < 2:
        await ann.play(table, stake=500)
    raw = server.house.store.read(f"table/{table}", 0, 10_000)
    last = max(one.version for one in raw if b'"CardsShuffled"' in one.body)
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
    assert await server.nobody.get("/ready") == {"status": "ready"}
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
