"""History: rounds by table, player and time; steps, transcripts, exports, shoes; and nothing still secret."""

from __future__ import annotations

import csv
import json

import pytest

from pontoon.server.operation.policy import Policy
from pontoon.server.people.people import PolicySet
from pontoon.server.records.history import shoes
from pontoon.table.fairness import read, verify
from pontoon.transcript.read import read as read_transcript
from pontoon.transcript.replay import Replay, replay
from pontoon.view.viewer import Viewer
from tests.server.api.visitors import AT_ONCE, Server

pytestmark = pytest.mark.asyncio


async def test_rounds_page_by_page(server: Server):
    ann, ben = await server.guest("Ann"), await server.guest("Ben")
    first, second = await ann.make_table(), await ben.make_table()
    await ann.play(first, 5)
    await ben.play(second, 2)
    await ben.play(first)
    numbers: list[int] = []
    cursor: dict[str, str] = {}
    while True:
        page = await ann.get("/api/me/rounds", params={"limit": 2} | cursor)
        numbers += [row["number"] for row in page["rounds"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert numbers == [5, 4, 3, 2, 1]
    of_table = await server.nobody.get(f"/api/tables/{first}/rounds")
    assert [row["number"] for row in of_table["rounds"]] == [6, 5, 4, 3, 2, 1]
    assert await ben.refused("GET", "/api/rounds", params={"table": first, "player": "Ann"}) == (403, "not_yours")
    assert len((await ben.get("/api/rounds", params={"table": first, "player": "Ben"}))["rounds"]) == 1
    assert len((await ben.get("/api/rounds"))["rounds"]) == 3
    assert await ben.refused("GET", "/api/rounds?player=Ann") == (403, "not_yours")
    inspector = await server.account("Ins", "inspector")
    assert len((await inspector.get("/api/rounds"))["rounds"]) == 8
    assert len((await inspector.get("/api/rounds?player=Ann"))["rounds"]) == 5
    at = of_table["rounds"][2]["at"]
    later = await inspector.get("/api/rounds", params={"table": first, "since": at})
    earlier = await inspector.get("/api/rounds", params={"table": first, "until": at})
    assert len(later["rounds"]) + len(earlier["rounds"]) >= 7  # the round at exactly that time is in both
    assert await server.nobody.refused("GET", "/api/tables/zzzzzz/rounds") == (404, "no_such_table")


async def test_spectators_learn_of_a_round_as_late_as_they_see_it(server: Server):
    ann, ben = await server.guest("Ann"), await server.guest("Ben")
    inspector = await server.account("Ins", "inspector")
    await server.house.say_of("Boss", PolicySet(Policy(spectator_delay=600)))
    table = await ann.make_table("canberra")
    await ann.play(table, 2)
    of_table, round_, shoe = f"/api/tables/{table}/rounds", f"/api/rounds/{table}/1", f"/api/tables/{table}/shoes"
    for visitor in (ben, server.nobody):
        assert (await visitor.get(of_table))["rounds"] == []
        for path in (round_, f"{round_}/transcript", f"{round_}/as-if"):
            assert await visitor.refused("GET", path) == (404, "no_such_round")
        assert [row["dealt"] for row in (await visitor.get(shoe))["shoes"]] in ([], [0])
    assert (await ben.get("/api/rounds.json", params={"table": table}))["rounds"] == []
    for visitor in (ann, inspector):
        assert len((await visitor.get(of_table))["rounds"]) == 2
        assert (await visitor.ask("GET", f"{round_}/transcript")).status_code == 200
    assert (await inspector.get(shoe))["shoes"][0]["dealt"] > 0
    assert (await ben.do(table, "Sit", player="", box=2)).status_code == 200
    assert (await ben.get(shoe))["shoes"][0]["dealt"] > 0
    assert len((await ben.get(of_table))["rounds"]) == 2, "who sits down sees the table as it is"
    await server.house.say_of("Boss", PolicySet(Policy()))
    assert len((await server.nobody.get(of_table))["rounds"]) == 2


async def test_a_round_shows_its_names_to_its_players_and_officials_only(server: Server):
    ann, ben = await server.guest("Ann"), await server.guest("Ben")
    table = await ann.make_table("canberra")
    await ann.play(table)
    inspector = await server.account("Ins", "inspector")
    round_, rows = f"/api/rounds/{table}/1", f"/api/tables/{table}/rounds"
    for visitor, name in ((ann, "Ann"), (inspector, "Ann"), (ben, "Player 1"), (server.nobody, "Player 1")):
        assert (await visitor.get(round_))["players"][0]["player"] == name
        assert (await visitor.get(rows))["rounds"][0]["players"][0]["player"] == name
        transcript = (await visitor.ask("GET", f"{round_}/transcript")).text
        assert ("Ann" in transcript) == (name == "Ann"), transcript
        assert list((await visitor.get(f"{round_}/as-if"))["played"]["players"]) == [name]
    for visitor in (ben, inspector):
        exported = (await visitor.ask("GET", f"/api/rounds.csv?table={table}")).text
        assert ("Ann" in exported) == (visitor is inspector)
        assert ("Ann" in (await visitor.ask("GET", f"/api/rounds.json?table={table}")).text) == (visitor is inspector)
    assert await ben.refused("GET", f"{round_}/steps") == (403, "not_your_round")
    assert await server.nobody.refused("GET", f"{round_}/steps") == (401, "unknown_token")
    assert len((await inspector.get(f"{round_}/steps"))["steps"]) > 1
    assert await ben.refused("GET", f"{round_}/hands") == (403, "not_your_round")
    hands = (await ann.get(f"{round_}/hands"))["hands"]
    assert hands[0]["players"] == ["Ann"]
    assert len(hands[0]["cards"]) >= 2
    assert hands[0]["results"]
    assert hands[-1]["box"] == 0
    assert hands == (await inspector.get(f"{round_}/hands"))["hands"]


async def test_the_last_game_step_by_step(server: Server):
    ann = await server.guest()
    assert await ann.refused("GET", "/api/me/last") == (404, "no_such_round")
    table = await ann.make_table("canberra")
    await ann.play(table, 2)
    last = await ann.get("/api/me/last")
    row = last["round"]
    assert (row["table"], row["number"]) == (table, 2)
    assert [step["version"] for step in last["steps"]] == list(range(row["first"], row["version"] + 1))
    kinds = [event["type"] for step in last["steps"] for event in step["events"]]
    assert kinds[:2] == ["RoundBegan", "WagerPlaced"]
    assert kinds[-1] == "RoundKept"
    assert "CardLeftShoe" not in kinds
    page = await ann.get(f"/api/rounds/{table}/2/steps", params={"limit": 3})
    assert page["steps"] == last["steps"][:3]
    rest = await ann.get(f"/api/rounds/{table}/2/steps", params={"after": page["next"]})
    assert page["steps"] + rest["steps"] == last["steps"]
    assert await ann.refused("GET", f"/api/rounds/{table}/3") == (404, "no_such_round")
    wallet = (await ann.get("/api/me"))["wallet"]
    nets = [(await ann.get(f"/api/rounds/{table}/{number}"))["players"][0]["net"] for number in (1, 2)]
    assert wallet == 100_000 + sum(nets)


@pytest.mark.parametrize("rulebook", ["star", "canberra", "adelaide", "federal", "division-15"])
async def test_a_transcript_settles_to_the_same(server: Server, rulebook: str):
    ann = await server.guest()
    table = await ann.make_table(rulebook)
    await ann.sit(table)
    await ann.play(table, 6)
    for number in range(1, 7):
        answer = await ann.ask("GET", f"/api/rounds/{table}/{number}/transcript")
        assert answer.headers["content-disposition"] == f'attachment; filename="{table}-{number:04d}.prt"'
        row = await ann.get(f"/api/rounds/{table}/{number}")
        settled = replay(read_transcript(answer.text))
        assert isinstance(settled, Replay)
        nets = sum(settlement.net for settlement in settled.state.settlements)
        assert nets == row["players"][0]["net"]


async def test_a_wager_taken_back_is_not_in_the_transcript(server: Server):
    ann = await server.guest()
    table = await ann.make_table(clocks=AT_ONCE | {"wagers": 600_000})
    await ann.do(table, "PlaceWager", box=1, player="", stake=2000)
    await ann.do(table, "PlaceWager", box=2, player="", stake=3000)
    assert (await ann.do(table, "TakeBack", box=1, player="")).status_code == 200
    assert (await ann.do(table, "Pass")).status_code == 200
    text = (await ann.ask("GET", f"/api/rounds/{table}/1/transcript")).text
    assert [bet.box for bet in read_transcript(text).bets] == [2]


async def test_exports(server: Server):
    ann = await server.guest()
    table = await ann.make_table()
    await ann.play(table, 5)
    answer = await ann.ask("GET", "/api/rounds.csv?limit=3")
    rows = list(csv.DictReader(answer.text.splitlines()))
    assert [row["round"] for row in rows] == ["5", "4", "3"]
    assert set(rows[0]) == {"table", "round", "at", "rulebook", "player", "staked", "net", "void"}
    rest = await ann.ask("GET", "/api/rounds.csv", params={"cursor": answer.headers["next-cursor"]})
    assert [row["round"] for row in csv.DictReader(rest.text.splitlines())] == ["2", "1"]
    assert "next-cursor" not in rest.headers
    exported = await ann.get("/api/rounds.json")
    listed = await ann.get("/api/me/rounds")
    assert exported["rounds"] == listed["rounds"]
    assert "next-cursor" not in (await ann.ask("GET", "/api/rounds.json?limit=5")).headers


# --- shoes ---------------------------------------------------------------------------------------------


async def test_a_shoe_in_play_is_checked_as_far_as_it_goes(server: Server):
    ann = await server.guest()
    table = await ann.make_table("star")
    await ann.play(table, 3)
    row = (await server.nobody.get(f"/api/tables/{table}/shoes"))["shoes"][0]
    assert row["revealed"] is False
    answer = await server.nobody.ask("GET", f"/api/tables/{table}/shoes/1")
    record = read(answer.content)
    assert record.seed is None
    assert len(record.dealt) == row["dealt"] > 0
    checks = {check.name: check.ok for check in verify(record)}
    assert checks["proofs"]
    assert checks["order"]
    assert None in checks.values()
    assert await server.nobody.refused("GET", f"/api/tables/{table}/shoes/2") == (404, "not_found")
    live = server.house.lives[table].room
    assert live.keeper.seed.hex() not in answer.text
    assert live.keeper.tree is not None
    undealt = live.keeper.tree.proof(record.size - 1)
    assert undealt.salt not in answer.text


async def test_a_shoe_that_is_over_is_complete(server: Server):
    ann = await server.guest()
    table = await ann.make_table("star", packs=6)
    for _ in range(80):
        await ann.play(table, stake=500)
        if len((await ann.get(f"/api/tables/{table}/shoes"))["shoes"]) > 1:
            break
    answer = await ann.ask("GET", f"/api/tables/{table}/shoes/1")
    assert all(check.ok for check in verify(read(answer.content)))
    assert (await ann.get(f"/api/tables/{table}/shoes"))["shoes"][1]["revealed"] is False


async def test_face_down_cards_have_no_proof_before_the_round_is_over(server: Server):
    ann, ben = await server.guest("Ann"), await server.guest("Ben")
    table = await ann.make_table(
        "adelaide", face_down=True, clocks={"card": 0, "wagers": 600_000, "decision": 600_000, "offer": 0}
    )
    await ann.do(table, "Sit", player="", box=1)
    for _ in range(20):
        assert (await ann.do(table, "PlaceWager", box=1, player="", stake=1000)).status_code == 200
        assert (await ann.do(table, "Pass")).status_code == 200
        seen = await ben.get(f"/api/tables/{table}")
        if seen["view"]["phase"] == "round":
            break
    assert seen["view"]["round"]["boxes"][0]["hands"][0]["cards"] == ["??", "??"]
    assert (await shoes(server.house, server.house.lives[table], Viewer()))[-1].dealt == ()
    inspector = await server.account("Ins", "inspector")
    log = await inspector.get(f"/api/admin/log/table/{table}", params={"limit": 200})
    assert log["held_from"] == server.house.lives[table].room.state.first
    assert all(entry["version"] < log["held_from"] for entry in log["entries"])
    number = seen["view"]["number"]
    assert await ben.refused("GET", f"/api/rounds/{table}/{number}") == (404, "no_such_round")
    while (await ben.get(f"/api/tables/{table}"))["view"]["phase"] == "round":
        if (await ann.do(table, "Stand", box=1)).status_code != 200:  # below 12 a card must be drawn (adelaide 71)
            await ann.do(table, "Hit", box=1)
    assert (await shoes(server.house, server.house.lives[table], Viewer()))[-1].dealt
    for visitor, hidden in ((ann, False), (inspector, True)):
        told = json.dumps((await visitor.get(f"/api/rounds/{table}/{number}/steps"))["steps"])
        assert ("??" in told) is hidden


async def test_a_device_has_no_shoes_to_prove(server: Server):
    ann = await server.guest()
    table = await ann.make_table("star", device="continuous")
    await ann.play(table)
    assert (await ann.get(f"/api/tables/{table}/shoes"))["shoes"] == []
