"""The coach, a round under other rulebooks, and rulings tried before they are made."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from hashlib import sha256
from random import Random
from typing import Any

import pytest
import pytest_asyncio
from msgspec.structs import replace

from pontoon.analysis import Solver
from pontoon.cards import PACK, Card
from pontoon.rulebook import NAMES, load
from pontoon.server import house
from pontoon.server.api import learning
from pontoon.server.coach import worker as coach
from pontoon.trainer.values import Game, Kind, Question, Solved, game_of, solve, square
from tests.server.api.visitors import Server, Visitor, running

PATIENT = {"card": 0, "wagers": 0, "decision": 600_000, "offer": 600_000}
"""Deals at once and waits for every decision."""


@pytest.fixture(scope="module", autouse=True)
def _worker():
    yield
    coach.close()


@pytest_asyncio.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    """The same cards every time: a shuffle comes of the shoe's name, and so of the table's, and of a key."""
    names = (f"t{number}" for number in range(2, 10))
    monkeypatch.setattr(house, "new_id", lambda _: next(names))
    async with running() as one:
        paths = {getattr(route, "path", "") for route in one.app.routes}
        if "/api/tables/{table}/coach" not in paths:
            one.app.include_router(learning.router)
        one.house._chance = lambda number: sha256(f"learning {number}".encode()).digest()
        yield one


async def coached(visitor: Visitor, path: str) -> Any:
    """Poll until the computations are done, as a page does; the coach's answer with chart and edge."""
    until = time.monotonic() + 180
    while time.monotonic() < until:
        answer = await visitor.ask("GET", path)
        assert answer.status_code in (200, 202), answer.text
        if answer.status_code == 200:
            told = answer.json()
            if not path.endswith("/coach") or (told["edge"] and (told["square"] or not told["actions"])):
                return told  # the chart and the edge come later than the values
        else:
            assert answer.json() == {"status": "preparing"}
        await asyncio.sleep(0.05)
    raise AssertionError("the coach never answers")


async def seen(visitor: Visitor, table: str) -> dict[str, Any]:
    found: dict[str, Any] = await visitor.get(f"/api/tables/{table}")
    return found


async def act(visitor: Visitor, table: str, chance: Random, *wanted: str) -> dict[str, Any] | None:
    """Send an allowed command, of one of the wanted kinds if possible; None if nothing is allowed."""
    choices = (await seen(visitor, table))["view"].get("round", {}).get("choices", [])
    allowed = [
        command for choice in choices for command in choice.get("allowed", []) if choice["player"] == visitor.name
    ]
    if not allowed:
        return None
    command: dict[str, Any] = chance.choice([command for command in allowed if command["type"] in wanted] or allowed)
    answer = await visitor.do(table, command.pop("type"), **command)
    assert answer.status_code == 200, answer.text
    return command


async def begin(visitor: Visitor, table: str, chance: Random, stake: int = 1000) -> dict[str, Any]:
    """Play rounds until one waits for the visitor's first decision."""
    for _ in range(60):
        view: dict[str, Any] = (await seen(visitor, table))["view"]
        waits = view.get("round", {})
        if waits.get("stage") == "decision" and len(waits["boxes"][0]["hands"]) == 1:
            return view
        if view["phase"] in ("ready", "collect") and not waits.get("boxes"):
            await visitor.do(table, "PlaceWager", box=1, player="", stake=stake)
        elif view["phase"] == "preparing":  # some documents show the cards to the first player
            await visitor.do(table, "Sit", box=1, player="")
        elif not await act(visitor, table, chance, "Stand", "Keep"):
            await visitor.do(table, "Pass")
    raise AssertionError(f"nothing is to be decided: {await seen(visitor, table)}")


# --- the coach -----------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_coach_speaks_only_at_practice_tables(server: Server):
    ann = await server.guest("Ann")
    table = await ann.make_table()
    for path in ("coach", "coach/last"):
        assert await ann.refused("GET", f"/api/tables/{table}/{path}") == (403, "no_coach")
    assert await server.nobody.refused("GET", f"/api/tables/{table}/coach") == (401, "unknown_token")
    assert await ann.refused("GET", "/api/tables/2222/coach") == (404, "no_such_table")
    practice = await ann.make_table(practice=True, clocks=PATIENT)
    assert await ann.refused("GET", f"/api/tables/{practice}/coach/last") == (404, "no_such_round")
    assert (await coached(ann, f"/api/tables/{practice}/coach"))["actions"] == []


@pytest.mark.asyncio
async def test_coach_gives_the_exact_values_and_says_what_a_decision_cost(server: Server):
    ann, chance = await server.guest("Ann"), Random(1)
    table = await ann.make_table("star", practice=True, clocks=PATIENT)
    view = await begin(ann, table, chance)
    hand, dealer = view["round"]["boxes"][0]["hands"][0]["cards"], view["round"]["dealer"]["cards"]
    said = await coached(ann, f"/api/tables/{table}/coach")
    live = server.house.lives[table]
    record = live.room.keeper.record
    assert record is not None
    out = [drawn.card for drawn in record.dealt]
    for card in (*hand, *dealer):
        out.remove(card)
    solver = Solver(load("star"), 8, stake="10")
    expected = {value.action: value.value for value in solver.action_values(hand, dealer[0], out=out)}
    assert {action["action"]: action["value"] for action in said["actions"]} == pytest.approx(
        {action["action"]: expected[action["action"]] for action in said["actions"]}
    )
    assert said["actions"][0]["best"]
    assert said["actions"][0]["cents"] == pytest.approx(said["actions"][0]["value"] * 1000)
    assert all(action["clauses"] for action in said["actions"])
    assert said["basis"] == ("shoe" if len(record.dealt) > 3 else "round")
    assert said["square"]["code"]
    assert said["edge"]["house_edge"] == pytest.approx(0.0042203, abs=1e-6)
    assert said["edge"]["hour"] == pytest.approx(said["edge"]["house_edge"] * 1000 * said["edge"]["pace"])
    worst = said["actions"][-1]
    answer = await ann.do(table, worst["action"].capitalize(), box=1)
    assert answer.status_code == 200, answer.text
    while await act(ann, table, chance, "Stand", "Keep"):
        pass
    last = await coached(ann, f"/api/tables/{table}/coach/last")
    assert last["decisions"][0]["chosen"] == worst["action"]
    assert last["decisions"][0]["best"] == said["actions"][0]["action"]
    assert last["decisions"][0]["cents"] == pytest.approx(said["actions"][0]["cents"] - worst["cents"])
    assert last["cost"] >= last["decisions"][0]["cents"] > 0
    assert last["expected"] == pytest.approx(-said["edge"]["house_edge"] * 1000)
    assert last["number"] == view["number"]


@pytest.mark.asyncio
@pytest.mark.parametrize("book", ["star", pytest.param("canberra", marks=pytest.mark.slow), "adelaide"])
async def test_coach_never_uses_undealt_cards(server: Server, book: str):
    ann, chance = await server.guest("Ann"), Random(2)
    table = await ann.make_table(book, practice=True, clocks=PATIENT)
    live = server.house.lives[table]
    compared = 0
    for _ in range(2):
        await begin(ann, table, chance)
        room, path = live.room, f"/api/tables/{table}/coach"
        first = await coached(ann, path)
        state = room.state
        stack = state.table.shoe.stack
        mixed = replace(state.table.shoe, stack=tuple(chance.sample(stack, len(stack))), burned="As")
        room._state = replace(state, table=replace(state.table, shoe=mixed))
        assert await coached(ann, path) == first
        room._state = state
        compared += len(first["actions"])
        while await act(ann, table, chance):
            pass
        for decision in (await coached(ann, f"{path}/last"))["decisions"]:
            assert decision["cost"] >= 0
    assert compared >= 2


@pytest.mark.asyncio
async def test_coach_of_a_box_of_somebody_else(server: Server):
    ann, ben, chance = await server.guest("Ann"), await server.guest("Ben"), Random(3)
    table = await ann.make_table("canberra", practice=True, clocks=PATIENT)
    await begin(ann, table, chance)
    said = await coached(ben, f"/api/tables/{table}/coach?box=1")
    assert said["actions"]
    assert said["decisions"] == []
    assert (await coached(ben, f"/api/tables/{table}/coach?box=2"))["actions"] == []
    assert await ben.refused("GET", f"/api/tables/{table}/coach?box=99") == (400, "malformed")


GAME = game_of(load("star"), 8, 1000)


async def solved(kind: Kind, hand: str, dealer: str, game: Game = GAME, **more: Any) -> Solved:
    """Ask the worker, whose process has already started."""
    facts = {"layout": (), "earlier": (), **more}
    question = Question(game, kind, tuple(map(Card, hand.split())), Card(dealer), **facts)
    found = await coach.VALUES.ask(solve, question, patience=60)
    assert found is not None
    return found


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("kind", "hand", "dealer", "more", "actions"),
    [
        ("insurance", "9c 8d", "Ah", {}, ("decline", "insure")),
        ("doubled", "6s 5c 2h", "9h", {"may": ("keep", "forfeit")}, ("forfeit", "keep")),
        ("decision", "As Kc", "6h", {}, ()),
        ("decision", "9s 7c", "6h", {"split": True, "may": ("hit", "stand")}, ("stand", "hit")),
    ],
)
async def test_each_kind_of_question(kind: Kind, hand: str, dealer: str, more: dict[str, Any], actions: Any):
    found = await solved(kind, hand, dealer, **more)
    assert tuple(value.action for value in found.values) == actions
    may = more.get("may", ())
    by_chart = square(Question(GAME, kind, tuple(map(Card, hand.split())), Card(dealer), (), (), may=may))
    assert (by_chart is not None) == (bool(actions) and kind != "insurance")


@pytest.mark.asyncio
async def test_surrender_is_weighed_against_the_best_other_decision():
    found = await solved("surrender", "9c 7d", "Ah", game_of(load("canberra"), 8, 1000))
    assert {value.action for value in found.values} <= {"surrender", "play on"}


@pytest.mark.asyncio
async def test_a_shoe_that_is_nearly_empty_is_counted_by_the_round_alone():
    cards = tuple(card for card in PACK for _ in range(8))[:370]
    found = await solved("decision", "Ks 6s", "Kd", earlier=cards)
    assert found.basis == "round"
    assert found.values


# --- the same round elsewhere --------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize("book", NAMES)
async def test_a_round_under_every_rulebook(server: Server, book: str):
    ann, chance = await server.guest("Ann"), Random(4)
    table = await ann.make_table(book, clocks=PATIENT)
    statuses = set()
    for _ in range(12):
        view = await begin(ann, table, chance)
        while await act(ann, table, chance):
            pass
        row = await ann.get(f"/api/rounds/{table}/{view['number']}")
        found = await ann.get(f"/api/rounds/{table}/{view['number']}/as-if")
        assert [rulebook["rulebook"] for rulebook in found["rulebooks"]] == list(NAMES)
        net = {player["player"]: player["net"] for player in row["players"]}
        assert found["played"]["players"] == net
        own = next(rulebook for rulebook in found["rulebooks"] if rulebook["rulebook"] == book)
        assert (own["status"], own["players"], own["differences"]) == ("settled", net, {"Ann": 0})
        for rulebook in found["rulebooks"]:
            statuses.add(rulebook["status"])
            if rulebook["status"] == "settled":
                assert rulebook["differences"]["Ann"] == rulebook["players"]["Ann"] - net["Ann"]
                assert sum(wager["net"] for wager in rulebook["wagers"]) == rulebook["players"]["Ann"]
            else:
                assert rulebook["why"]
            if rulebook["status"] == "refused":
                assert rulebook["line"]
                assert rulebook["code"]
    assert "settled" in statuses
    assert await ann.refused("GET", f"/api/rounds/{table}/999/as-if") == (404, "no_such_round")


# --- rulings -------------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_rulings_are_for_officials(server: Server):
    ann = await server.guest("Ann")
    table = await ann.make_table()
    tried = {"command": {"type": "VoidRound"}}
    assert await ann.refused("GET", f"/api/tables/{table}/rulings") == (403, "forbidden")
    assert await ann.refused("GET", f"/api/tables/{table}/irregularities/misplaced") == (403, "forbidden")
    assert await ann.refused("POST", f"/api/tables/{table}/rulings/preview", tried) == (403, "forbidden")


@pytest.mark.asyncio
@pytest.mark.parametrize("book", NAMES)
async def test_a_ruling_does_what_its_preview_said(server: Server, book: str):
    ann, sue, chance = await server.guest("Ann"), await server.account("Sue", "game_supervisor"), Random(5)
    max_ = await server.account("Max", "casino_supervisor")
    table = await ann.make_table(book, clocks=PATIENT)
    await begin(ann, table, chance)
    before = server.standing()
    listed = await sue.get(f"/api/tables/{table}/rulings")
    rows = {ruling["what"]: ruling for ruling in listed["rulings"]}
    assert {"Pause", "VoidRound", "VoidBox", "Exclude", "GiveNotice"} <= rows.keys()
    assert "BurnCard" not in rows, "the program deals here"
    assert all(ruling["lawful"] or ruling["why"] for ruling in listed["rulings"])
    assert {error["kind"] for error in listed["errors"]} >= {"misplaced", "face_up"}
    ruling = rows["VoidRound"] if rows["VoidRound"]["lawful"] else rows["VoidBox"]
    told = (await sue.ask("POST", f"/api/tables/{table}/rulings/preview", {"command": ruling["command"]})).json()
    assert server.standing() == before, "nothing has happened"
    assert told["lawful"] == ruling["lawful"]
    if not told["lawful"]:
        assert told["why"]
        return
    assert ruling.get("clauses") or ruling["command"]["by_house"], "where the document is silent the house decides"
    assert told.get("second", False) == (book == "adelaide") == ruling.get("second", False)
    money = told["players"][0]
    assert (money["player"], money["layout_before"], money["layout_after"], money["wallet"]) == ("Ann", 1000, 0, 1000)
    wallet = (await ann.get("/api/me"))["wallet"]
    command = dict(ruling["command"])
    assert (await sue.do(table, command.pop("type"), **command)).status_code == 200
    if told.get("second"):
        assert (await ann.get("/api/me"))["wallet"] == wallet
        pending = {"command": {"type": "Approve", "number": 1}}
        again = (await max_.ask("POST", f"/api/tables/{table}/rulings/preview", pending)).json()
        assert again["players"] == told["players"]
        assert (await max_.do(table, "Approve", number=1)).status_code == 200
    assert (await ann.get("/api/me"))["wallet"] == wallet + money["wallet"]


@pytest.mark.asyncio
async def test_a_preview_tells_nothing_of_the_shoe(server: Server):
    ann, sue, chance = await server.guest("Ann"), await server.account("Sue", "game_supervisor"), Random(6)
    table = await ann.make_table("canberra", clocks=PATIENT)
    await begin(ann, table, chance)
    right = server.house.lives[table].room.state.table.shoe.stack[0]
    answers = []
    for card in (right, "Ks" if right != "Ks" else "Kd"):
        tried = {"command": {"type": "RemoveExtraHand", "cards": [card], "by": "game_supervisor"}}
        answers.append((await sue.ask("POST", f"/api/tables/{table}/rulings/preview", tried)).json())
    assert answers[0] == answers[1]
    assert answers[0]["code"] == "names_cards"
    path = f"/api/tables/{table}/rulings/preview"
    assert await sue.refused("POST", path, {"command": {"type": "Hit", "box": 1}}) == (403, "forbidden")
    assert await sue.refused("POST", path, {"command": {"type": "Approve", "number": 1}}) == (403, "forbidden")
    assert await sue.refused("POST", path, {"command": {"type": "VoidRound"}, "more": 1}) == (400, "malformed")


@pytest.mark.asyncio
async def test_remedies_of_an_error_in_the_round(server: Server):
    ann, sue, chance = await server.guest("Ann"), await server.account("Sue", "game_supervisor"), Random(7)
    table = await ann.make_table("division-15", clocks=PATIENT)
    assert await sue.refused("GET", f"/api/tables/{table}/irregularities/misplaced") == (404, "no_such_round")
    await begin(ann, table, chance)
    assert await sue.refused("GET", f"/api/tables/{table}/irregularities/nothing") == (404, "not_found")
    found = (await sue.get(f"/api/tables/{table}/irregularities/misplaced?box=1"))["ruling"]
    assert found["before"]["chips"] == {"Ann": "10.00"}
    assert {remedy["name"] for remedy in found["remedies"]} >= {"put right"}
    assert await sue.refused("GET", f"/api/tables/{table}/irregularities/misplaced?box=5") == (409, "no_ruling")
