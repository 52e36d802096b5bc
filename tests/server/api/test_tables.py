"""Rulebooks, the lobby, making tables, looking at them, and commands over REST."""

from __future__ import annotations

import pytest

from pontoon.rulebook import NAMES, digest, load, to_toml
from tests.server.api.visitors import AT_ONCE, Server, running

pytestmark = pytest.mark.asyncio


async def test_rulebooks(server: Server):
    listed = await server.nobody.get("/api/rulebooks")
    found = listed["rulebooks"]
    assert [book["name"] for book in found] == listed["shipped"] == list(NAMES)
    assert listed["usual"] == (await server.nobody.get("/api/lesson"))["rulebook"]
    assert [book["digest"] for book in found] == [digest(load(name)) for name in NAMES]
    text = await server.nobody.get("/api/rulebooks/canberra")
    assert text["chapters"][0]["sentences"][0]["key"] == "decks.allowed"
    clause = await server.nobody.get("/api/rulebooks/adelaide/clauses/48")
    assert clause["words"].startswith("In VIP rooms")
    for path in ("/api/rulebooks/poker", "/api/rulebooks/poker/clauses/1", "/api/rulebooks/star/clauses/999"):
        assert await server.nobody.refused("GET", path) == (404, "not_found")


async def test_the_lobby_shows_public_tables_page_by_page(server: Server):
    ann = await server.guest()
    public = sorted([await ann.make_table(name=f"Table {number}") for number in range(3)])
    private = await ann.make_table(private=True)
    first = await server.nobody.get("/api/tables?limit=2")
    rest = await server.nobody.get("/api/tables", params={"cursor": first["next"]})
    assert [table["id"] for table in (*first["tables"], *rest["tables"])] == public
    assert rest["next"] is None
    row = first["tables"][0]
    assert (row["rulebook"], row["boxes"], row["seated"], row["here"]) == ("star", 7, 0, True)
    assert len(private) == 24
    assert (await server.nobody.get(f"/api/tables/{private}"))["room"]["private"]


async def test_a_table_is_made_once_for_a_key(server: Server):
    ann = await server.guest()
    body = {"rulebook": "star", "clocks": AT_ONCE, "key": "mine"}
    first = await ann.ask("POST", "/api/tables", body)
    again = await ann.ask("POST", "/api/tables", body)
    assert first.json() == again.json()
    assert first.json()["link"] == f"/t/{first.json()['id']}"
    assert first.headers["location"] == f"/api/tables/{first.json()['id']}"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"rulebook": "poker"}, (400, "malformed")),
        ({"rulebook": "star", "packs": 1}, (409, "packs_not_allowed")),
        ({"rulebook": "star", "overrides": {"split.hands": 9}}, (400, "malformed")),
        ({"rulebook": "star", "minimum": 1000, "maximum": 500}, (400, "malformed")),
        ({"rulebook": "star", "mode": "floor", "practice": True}, (400, "malformed")),
        ({"rulebook": "star", "minimum": "5"}, (400, "malformed")),
        ({"rulebook": "star", "minimum": -1}, (400, "malformed")),
        ({"rulebook": "star", "color": "green"}, (400, "malformed")),
        ({}, (400, "malformed")),
    ],
)
async def test_a_table_that_cannot_be_made(server: Server, body: object, code: tuple[int, str]):
    ann = await server.guest()
    before = server.standing()
    assert await ann.refused("POST", "/api/tables", body) == code
    assert await server.nobody.refused("POST", "/api/tables", {"rulebook": "star"}) == (401, "unknown_token")
    assert server.standing() == before


async def test_a_command_over_rest(server: Server):
    ann = await server.guest()
    table = await ann.make_table()
    seen = await ann.get(f"/api/tables/{table}")
    assert seen["type"] == "snapshot"
    body = {
        "key": "one",
        "version": seen["version"],
        "command": {"type": "PlaceWager", "box": 1, "player": "Ann", "stake": 1000},
    }
    first = await ann.ask("POST", f"/api/tables/{table}/commands", body)
    again = await ann.ask("POST", f"/api/tables/{table}/commands", body)
    assert first.json() == again.json() == {"version": seen["version"] + 1}
    assert (await ann.get(f"/api/tables/{table}"))["view"]["number"] == 1


async def test_a_refusal_has_its_clause(server: Server):
    ann = await server.guest()
    table = await ann.make_table("canberra")
    answer = await ann.do(table, "PlaceWager", box=1, player="", stake=100)
    said = answer.json()
    assert (answer.status_code, said["code"]) == (409, "below_minimum")
    assert said["clauses"]
    assert "minimum" in said["detail"]


async def test_refused_commands_change_nothing(server: Server):
    ann, ben = await server.guest("Ann"), await server.guest("Ben")
    table = await ann.make_table()
    await ann.play(table)
    before = server.standing()
    for visitor, kind, facts, status in (
        (ben, "PlaceWager", {"box": 1, "player": "Ann", "stake": 1000}, 403),
        (ben, "Pause", {}, 403),
        (ben, "VoidRound", {}, 403),
        (ann, "Hit", {"box": 1}, 409),
        (ann, "PlaceWager", {"box": 1, "player": "", "stake": 40_000_000}, 409),
        (ann, "PlaceWager", {"box": 99, "player": "", "stake": 1000}, 409),
        (ann, "PlaceWager", {"box": 1, "player": "", "stake": True}, 400),
        (ann, "Fly", {}, 400),
        (ann, "Shuffle", {}, 403),
        (ann, "MakeTable", {}, 403),
    ):
        assert (await visitor.do(table, kind, **facts)).status_code == status, kind
    assert (await ann.do("zzzzzz", "Pause")).status_code == 404
    assert server.standing() == before


def _my_casino() -> str:
    return to_toml(load("star", {"split.max_hands": 3}), name="my-casino")


async def test_rulebooks_of_the_server_are_offered_beside_the_five():
    own = load(text=_my_casino())
    async with running(rulebooks={"my-casino": own}) as server:
        listed = await server.nobody.get("/api/rulebooks")
        found = listed["rulebooks"]
        assert [book["name"] for book in found] == [*NAMES, "my-casino"]
        assert listed["shipped"] == list(NAMES)
        assert found[-1]["digest"] == digest(own)
        chapters = (await server.nobody.get("/api/rulebooks/my-casino"))["chapters"]
        sentences = {sentence["key"]: sentence for chapter in chapters for sentence in chapter["sentences"]}
        assert "3 hands" in sentences["split.max_hands"]["text"]
        assert (await server.nobody.get("/api/rulebooks/my-casino/clauses/STAR-PLAY-8"))["words"]
        ann = await server.guest("Ann")
        table = await ann.make_table(rulebook="my-casino", overrides={"split.max_hands": 2})
        (row,) = (await server.nobody.get("/api/tables"))["tables"]
        assert (row["rulebook"], row["title"]) == ("my-casino", own.about.title)
        rules = await server.nobody.get(f"/api/tables/{table}/rules")
        assert rules["rulebook"]["name"] == "my-casino"
        assert rules["overrides"] == [{"key": "split.max_hands", "value": "2", "was": "3"}]
        assert (await server.nobody.get(f"/api/tables/{table}/rules/clauses/STAR-PLAY-8"))["words"]
        assert await server.nobody.refused("GET", f"/api/tables/{table}/rules/clauses/999") == (404, "not_found")
        assert await server.nobody.refused("GET", "/api/tables/2222/rules") == (404, "no_such_table")


async def test_a_whole_rulebook_comes_with_a_practice_table(server: Server):
    ann = await server.guest("Ann")
    table = await ann.make_table(book=_my_casino(), practice=True)
    await ann.sit(table)
    await ann.play(table)
    assert (await server.nobody.get(f"/api/tables/{table}"))["view"]["rulebook"] == "my-casino"
    row = (await ann.get(f"/api/rounds?table={table}"))["rounds"][0]
    assert row["rulebook"] == "my-casino"
    text = (await ann.ask("GET", f"/api/rounds/{table}/{row['number']}/transcript")).text
    assert f'digest = "{digest(load(text=_my_casino()))}"' in text
    elsewhere = await ann.get(f"/api/rounds/{table}/{row['number']}/as-if")
    assert elsewhere["played"]["rulebook"] == "my-casino"
    assert [rulebook["rulebook"] for rulebook in elsewhere["rulebooks"]] == list(NAMES)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"book": _my_casino()}, (403, "practice_only")),
        ({"book": "[split", "practice": True}, (400, "malformed")),
        ({"book": "x" * 48_001, "practice": True}, (400, "malformed")),
        ({"book": _my_casino().replace("my-casino", "star"), "practice": True}, (400, "malformed")),
        ({"book": _my_casino(), "practice": True, "overrides": {"split.hands": 3}}, (400, "malformed")),
        ({"rulebook": "./my-casino.toml"}, (400, "malformed")),
    ],
)
async def test_a_rulebook_that_cannot_be_used_is_one_clear_line(server: Server, body: object, code: tuple[int, str]):
    ann = await server.guest()
    answer = await ann.ask("POST", "/api/tables", body)
    assert (answer.status_code, answer.json()["code"]) == code
    assert "\n" not in answer.json()["detail"]
