"""Reports to a commission and disputes that move money, from the command to the page of those who may read it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.api.visitors import Server, Visitor

pytestmark = pytest.mark.asyncio


async def chips(who: Visitor) -> int:
    held: int = (await who.get("/api/me"))["wallet"]
    return held


async def test_canberra_4_8_a_restriction_is_a_report_to_the_commission(server: Server):
    ann, olive = await server.account("Ann"), await server.account("Olive", "casino_supervisor")
    table = await ann.make_table("canberra")
    await ann.sit(table)
    restrict: dict[str, Any] = {"player": "Ann", "by": "casino_supervisor"}
    refused = await olive.do(table, "Restrict", "casino_supervisor", **restrict)
    assert (refused.status_code, refused.json()["code"]) == (409, "reason_needed")
    assert (await olive.get("/api/admin/reports"))["reports"] == []
    assert (await ann.do(table, "Restrict", **restrict, reason="a grudge")).status_code == 403
    done = await olive.do(table, "Restrict", "casino_supervisor", **restrict, reason="counts cards")
    assert done.status_code == 200, done.text
    (row,) = (await olive.get("/api/admin/reports"))["reports"]
    assert (row["to"], row["matter"], row["player"], row["reason"]) == (
        "commission", "restriction", "Ann", "counts cards",
    )  # fmt: skip
    assert (row["table"], row["by"], row["clauses"]) == (table, "casino_supervisor", ["4.8"])
    assert await ann.refused("GET", "/api/admin/reports") == (403, "forbidden")
    over = await ann.do(table, "PlaceWager", box=1, player="", stake=5000)
    assert (over.status_code, over.json()["code"]) == (409, "held_to_minimum"), "and the restriction holds"


@pytest.mark.parametrize(("book", "clauses"), [("canberra", ["17.4"]), ("division-15", [])])
async def test_a_dispute_moves_money_between_the_house_and_the_player(server: Server, book: str, clauses: list[str]):
    ann, olive = await server.account("Ann"), await server.account("Olive", "casino_supervisor")
    table = await ann.make_table(book)
    await ann.sit(table)
    before, house = await chips(ann), f"house/{table}"
    dispute: dict[str, Any] = {"player": "Ann", "by": "casino_supervisor", "matter": "the last payment"}
    paid = await olive.do(table, "DecideDispute", "casino_supervisor", **dispute, decision="paid", amount=2500)
    assert paid.status_code == 200, paid.text
    assert (await chips(ann), server.house.store.balance(house)) == (before + 2500, -2500)
    taken = await olive.do(table, "DecideDispute", "casino_supervisor", **dispute, decision="too much", amount=-1000)
    assert taken.status_code == 200, taken.text
    assert (await chips(ann), server.house.store.balance(house)) == (before + 1500, -1500)
    own = await ann.do(table, "DecideDispute", **dispute, decision="mine", amount=100_000)
    assert (own.status_code, await chips(ann)) == (403, before + 1500)
    log = (await olive.get(f"/api/admin/log/table/{table}"))["entries"]
    decided = log[-1]["body"]["events"][0]
    assert (decided["type"], decided["clauses"], decided["amount"]) == ("DisputeDecided", clauses, -1000)
    assert (await olive.get("/api/admin/verify"))["whole"]
