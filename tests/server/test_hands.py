"""Hands to share: anyone opens the link, nobody learns a name, a table, or a card that was not dealt."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from pontoon.server.coach import worker as coach
from pontoon.table.commitment import Proof, check
from tests.server.api.visitors import AT_ONCE, Server, Visitor, running

ANN, BEN = "Annabel Quux", "Benedikt Zorro"
"""Names that no word of the game contains."""
PATIENT = AT_ONCE | {"decision": 600_000, "offer": 600_000}


@pytest.fixture(scope="module", autouse=True)
def _worker():
    yield
    coach.close()


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with running() as one:
        yield one


async def played(server: Server, book: str = "star") -> tuple[Visitor, Visitor, str]:
    """A private table at which Ann and Ben have played the first round."""
    ann, ben = await server.guest(ANN), await server.guest(BEN)
    table = await ann.make_table(book, private=True, clocks=AT_ONCE | {"wagers": 600_000})
    for box, person in ((1, ann), (2, ben)):
        assert (await person.do(table, "Sit", player="", box=box)).status_code == 200
    for box, person in ((1, ann), (2, ben)):
        done = await person.do(table, "PlaceWager", box=box, player="", stake=1000)
        assert done.status_code == 200, done.text
    for person in (ann, ben):
        await person.do(table, "Pass")
    for _ in range(200):
        if (await ann.get(f"/api/tables/{table}/rounds"))["rounds"]:
            return ann, ben, table
        await asyncio.sleep(0.01)
    raise AssertionError(await ann.get(f"/api/tables/{table}"))


async def link_of(visitor: Visitor, table: str, number: int = 1, **body: Any) -> dict[str, Any]:
    answer = await visitor.ask("POST", f"/api/rounds/{table}/{number}/share", body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


PARTS = ("", "/as-if", "/proof", "/picture.svg")


async def everything(server: Server, link: str) -> str:
    """All that a link gives, as text."""
    parts = [(await server.nobody.ask("GET", f"/api/hands/{link}{part}")).text for part in PARTS]
    until = time.monotonic() + 120
    while time.monotonic() < until:
        verdicts = await server.nobody.ask("GET", f"/api/hands/{link}/verdicts")
        if verdicts.status_code == 200:
            return "\n".join((*parts, verdicts.text))
        await asyncio.sleep(0.05)
    raise AssertionError("the coach never answers")


@pytest.mark.asyncio
async def test_a_link_shows_no_name_and_no_table(server: Server):
    ann, _, table = await played(server)
    link = await link_of(ann, table)
    text = await everything(server, link["id"])
    for secret in (ANN, BEN, "Quux", "Zorro", table):
        assert secret not in text
    hand = await server.nobody.get(f"/api/hands/{link['id']}")
    assert hand["player"] == "Player 1"
    assert {bettor["player"] for box in hand["steps"][-1]["round"]["boxes"] for bettor in box["bettors"]} == {
        "Player 1",
        "Player 2",
    }
    assert hand["steps"][0]["label"] == "Deal"
    assert hand["steps"][-1]["round"]["stage"] == "ended"


@pytest.mark.asyncio
async def test_only_the_sharers_own_name_can_be_shown(server: Server):
    ann, ben, table = await played(server)
    link = await link_of(ann, table)
    named = await link_of(ann, table, named=True)
    assert named == link | {"named": True}  # the same link
    assert await link_of(ben, table) == named  # and it stays Ann's
    text = await everything(server, link["id"])
    assert ANN in text
    assert BEN not in text


@pytest.mark.asyncio
async def test_a_round_is_shared_only_when_it_is_settled_and_only_by_its_players(server: Server):
    ann, cat = await server.guest(ANN), await server.guest("Cat")
    table = await ann.make_table("canberra", clocks=AT_ONCE | {"wagers": 600_000})
    assert (await ann.do(table, "Sit", player="", box=1)).status_code == 200
    assert (await ann.do(table, "PlaceWager", box=1, player="", stake=1000)).status_code == 200
    share = f"/api/rounds/{table}/1/share"
    assert await ann.refused("POST", share, {}) == (404, "no_such_round")
    await ann.do(table, "Pass")
    for _ in range(200):
        if (await ann.get(f"/api/tables/{table}/rounds"))["rounds"]:
            break
        await asyncio.sleep(0.01)
    assert await cat.refused("POST", share, {}) == (403, "not_your_round")
    assert await server.nobody.refused("POST", share, {}) == (401, "unknown_token")
    assert await ann.refused("DELETE", share) == (404, "no_such_link")
    link = await link_of(ann, table)
    assert await cat.refused("DELETE", share) == (403, "not_your_round")
    assert (await server.nobody.get(f"/api/hands/{link['id']}"))["player"] == "Player 1"


@pytest.mark.asyncio
async def test_any_player_of_the_round_revokes_the_link(server: Server):
    ann, ben, table = await played(server)
    link = await link_of(ann, table)
    assert (await server.nobody.ask("GET", f"/api/hands/{link['id']}")).status_code == 200
    assert (await ben.ask("DELETE", f"/api/rounds/{table}/1/share")).status_code == 204
    for part in (*PARTS, "/verdicts", "/picture.png"):
        assert await server.nobody.refused("GET", f"/api/hands/{link['id']}{part}") == (410, "link_revoked")
    again = await link_of(ann, table)
    assert again["id"] != link["id"]
    assert await server.nobody.refused("GET", "/api/hands/2222222222222222") == (404, "no_such_link")
    assert await server.nobody.refused("GET", "/api/hands/Oops") == (400, "malformed")


@pytest.mark.asyncio
async def test_the_proof_holds_the_cards_of_this_round_and_no_others(server: Server):
    ann, ben, table = await played(server)
    link = await link_of(ann, table)
    for box, person in ((1, ann), (2, ben)):
        await person.do(table, "PlaceWager", box=box, player="", stake=1000)
    proof = await server.nobody.get(f"/api/hands/{link['id']}/proof")
    assert not proof["revealed"]
    hand = await server.nobody.get(f"/api/hands/{link['id']}")
    final = hand["steps"][-1]["round"]
    shown = [card for box in final["boxes"] for one in box["hands"] for card in one["cards"]]
    assert sorted(card["card"] for card in proof["cards"]) == sorted([*shown, *final["dealer"]["cards"]])
    for card in proof["cards"]:
        one = Proof(card["index"], card["size"], card["card"], card["salt"], tuple(card["path"]))
        assert check(proof["root"], one)


@pytest.mark.asyncio
async def test_every_decision_has_a_verdict_with_its_price_and_reason(server: Server):
    ann = await server.guest(ANN)
    table = await ann.make_table("star", clocks=PATIENT)
    await ann.do(table, "PlaceWager", box=1, player="", stake=1000)
    chosen = []
    for _ in range(20):
        view = (await ann.get(f"/api/tables/{table}"))["view"]
        choices = view.get("round", {}).get("choices", [])
        allowed = [one["type"] for choice in choices for one in choice.get("allowed", [])]
        wanted = next((kind for kind in ("Stand", "DeclineSurrender", "Keep", "Hit") if kind in allowed), "Pass")
        if (await ann.get(f"/api/tables/{table}/rounds"))["rounds"]:
            break
        chosen.append(wanted)
        facts: dict[str, Any] = {"box": 1} if wanted != "Pass" else {}
        await ann.do(table, wanted, **facts)
    link = await link_of(ann, table)
    await everything(server, link["id"])
    told = await server.nobody.get(f"/api/hands/{link['id']}/verdicts")
    made = [one for one in told["verdicts"] if one["chosen"] in ("stand", "hit")]
    assert len(made) == sum(kind in ("Stand", "Hit") for kind in chosen)
    for verdict in told["verdicts"]:
        worth = {choice["action"]: choice["cents"] for choice in verdict["choices"]}
        assert verdict["best"] == max(worth, key=lambda action: worth[action])
        assert verdict["cost"] == pytest.approx(worth[verdict["best"]] - worth[verdict["chosen"]], abs=0.51)
        assert verdict["why"].endswith(".")
        assert verdict["player"] == "Player 1"
    steps = (await server.nobody.get(f"/api/hands/{link['id']}"))["steps"]
    assert sorted(step["decision"] for step in steps if "decision" in step) == list(range(len(told["verdicts"])))


@pytest.mark.asyncio
async def test_the_picture_is_drawn_as_svg_and_as_png(server: Server):
    ann, _, table = await played(server)
    link = await link_of(ann, table)
    svg = await server.nobody.ask("GET", f"/api/hands/{link['id']}/picture.svg")
    assert svg.headers["content-type"] == "image/svg+xml"
    assert "Player" in svg.text
    png = await server.nobody.ask("GET", f"/api/hands/{link['id']}/picture.png")
    assert png.headers["content-type"] == "image/png"
    assert png.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png.content[16:20], "big") == 1200
