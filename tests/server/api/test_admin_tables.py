"""Tables, wallets and rulebooks as administrators see them."""

from __future__ import annotations

import pytest

from pontoon.server.people.sign_ins import SignIns
from tests.server.api.visitors import Server

pytestmark = pytest.mark.asyncio


async def test_a_table_is_listed_closed_and_archived(server: Server):
    boss, ann = await server.account("Boss", "administrator"), await server.account("Ann")
    made, private = await ann.make_table(name="Main"), await ann.make_table("canberra", private=True)
    rows = {row["id"]: row for row in (await boss.get("/api/admin/tables"))["tables"]}
    assert rows.keys() == {made, private}
    assert (rows[made]["name"], rows[made]["made_by"], rows[made]["minimum"]) == ("Main", "Ann", 500)
    assert rows[private]["private"]
    first = await boss.get("/api/admin/tables?limit=1")
    assert [row["id"] for row in first["tables"]] == [min(made, private)]
    assert first["next"] == min(made, private)
    for _ in range(2):
        assert (await boss.ask("PUT", f"/api/admin/tables/{made}/archive")).status_code == 204
    assert (await server.nobody.get("/api/tables"))["tables"] == []
    assert (await boss.ask("DELETE", f"/api/admin/tables/{made}/archive")).status_code == 204
    assert [row["id"] for row in (await server.nobody.get("/api/tables"))["tables"]] == [made]
    assert await boss.refused("PUT", "/api/admin/tables/nosuch/archive") == (404, "no_such_table")
    trail = (await boss.get("/api/admin/audit?what=TableArchived"))["events"]
    assert [row["detail"] for row in trail] == ["in the lobby again", "archived"]
    assert (await boss.ask("PUT", f"/api/admin/tables/{made}/closing")).json() == {"state": "closed"}
    assert await boss.refused("PUT", f"/api/admin/tables/{made}/closing") == (409, "table_is_closed")
    await ann.sit(private)
    assert (await boss.ask("PUT", f"/api/admin/tables/{private}/closing")).json() == {"state": "noticed"}


async def test_the_postings_of_a_wallet_add_up_to_it(server: Server):
    boss, ann = await server.account("Boss", "administrator"), await server.account("Ann")
    made, other = await ann.make_table(), await ann.make_table("canberra")
    await ann.play(made, 3)
    await ann.sit(other)
    await ann.play(other, 2)
    await ann.play(made)
    given = await boss.ask("POST", "/api/admin/wallets/ann/chips", {"amount": 12_300})
    wallet = (await ann.get("/api/me"))["wallet"]
    assert given.json()["wallet"] == wallet
    page = await boss.get("/api/admin/wallets/Ann?limit=100")
    lines = page["postings"]
    assert page["wallet"]["wallet"] == wallet == lines[0]["balance"] == sum(line["amount"] for line in lines)
    assert [line["balance"] - line["amount"] for line in lines[:-1]] == [line["balance"] for line in lines[1:]]
    assert [line["at"] for line in lines] == sorted((line["at"] for line in lines), reverse=True)
    assert (lines[0]["amount"], lines[0]["by"], lines[-1]["amount"]) == (12_300, "Boss", 100_000)
    pages = [await boss.get(f"/api/admin/wallets/Ann?limit=3&skip={skip}") for skip in (0, 3)]
    assert pages[0]["postings"] + pages[1]["postings"] == lines[:6]
    assert [page["next"] for page in pages] == [3, 6]
    rows = (await boss.get("/api/admin/wallets?find=an"))["wallets"]
    assert [row["name"] for row in rows] == ["Ann"]
    assert await boss.refused("GET", "/api/admin/wallets/Nobody") == (404, "no_such_person")


async def test_rulebooks_in_use(server: Server):
    boss = await server.account("Boss", "administrator")
    await boss.make_table("star")
    await boss.ask("PUT", "/api/admin/policy", {"values": {"rulebooks": ["star"]}})
    rows = {row["name"]: row for row in (await boss.get("/api/admin/rulebooks"))["rulebooks"]}
    assert (rows["star"]["tables"], rows["star"]["offered"], rows["canberra"]["offered"]) == (1, True, False)


async def test_too_many_wrong_passwords_lock_an_account_until_an_administrator_unlocks_it(
    server: Server, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(server.house, "sign_ins", SignIns(lambda: 0.0))  # the first wait is only a second
    boss, ann = await server.account("Boss", "administrator"), await server.account("Ann")
    for _ in range(8):
        await server.nobody.ask("POST", "/api/sessions", {"name": ann.name, "password": "wrong"})
    row = next(row for row in (await boss.get("/api/admin/accounts"))["accounts"] if row["name"] == "Ann")
    assert row["locked"] > 0
    seen = await boss.get("/api/admin/overview")
    assert (seen["failed_sign_ins"], seen["most_failed"]) == (5, "Ann")
    assert (await boss.ask("DELETE", "/api/admin/accounts/Ann/lock")).status_code == 204
    assert await boss.refused("DELETE", "/api/admin/accounts/Nobody/lock") == (404, "no_such_person")
    assert (
        await server.nobody.ask("POST", "/api/sessions", {"name": "Ann", "password": "correct horse"})
    ).status_code == 201
