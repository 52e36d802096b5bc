"""Any request gets problem+json, never an internal error; and our bugs are reported without a traceback."""

from __future__ import annotations

import logging
import re

import pytest

from tests.server.api.visitors import Server, Visitor

pytestmark = pytest.mark.asyncio

JSON = {"Content-Type": "application/json"}
BODIES = {
    "nothing": b"",
    "no json": b"{",
    "not utf-8": b'{"name": "\xff"}',
    "nan": b'{"name": NaN}',
    "infinite": b'{"name": -Infinity}',
    "huge": b'{"name": ' + b"9" * 5000 + b"}",
    "large": b'{"name": 1e999}',
    "twice": b'{"name": "Ann", "name": "Ben"}',
    "nul": b'{"name": "A\\u0000"}',
    "surrogate": b'{"name": "\\ud800"}',
    "surrogate key": b'{"\\udfff": "Ann"}',
    "deep": b"[" * 10_000 + b"]" * 10_000,
    "long": b'{"name": "' + b"a" * 5000 + b'"}',
    "a number": b"7",
    "null": b"null",
}
PATHS = (
    "/api/guests",
    "/api/accounts",
    "/api/sessions",
    "/api/me/password",
    "/api/tables",
    "/api/tables/{table}/commands",
)
PARTS = {"name": "Ann", "stream": "people", "kind": "x", "table": "abcdef", "tournament": "abcdef"}
"""The values used in an address; a clause or a number is 1."""


@pytest.mark.parametrize("body", BODIES)
async def test_a_body_that_cannot_be_read(server: Server, body: str):
    ann = await server.guest()
    table = await ann.make_table()
    before = server.standing()
    headers = JSON | {"Authorization": f"Bearer {ann.token}"}
    for path in PATHS:
        answer = await server.client.post(path.format(table=table), content=BODIES[body], headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), path
    assert server.standing() == before


@pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_another_content_type(server: Server, media: str):
    answer = await server.client.post("/api/guests", content=b'{"name": "Ann"}', headers={"Content-Type": media})
    assert (answer.status_code, answer.json()["code"]) == (415, "wrong_media")


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/%00",
        "/api/tables/UPPER",
        "/api/tables/%ED%A0%80",
        "/api/rounds/abcdef/0",
        "/api/rounds/abcdef/" + "9" * 5000,
        "/api/rounds/abcdef/NaN",
        "/api/tables?limit=0",
        "/api/tables?limit=1e9",
        "/api/tables?cursor=%00",
        "/api/rulebooks/%00/clauses/1",
        "/api/rulebooks/star/clauses/%F0%9F%83%8F",
    ],
)
async def test_a_path_or_query_that_cannot_be(server: Server, path: str):
    assert await server.nobody.refused("GET", path) == (400, "malformed")


@pytest.mark.parametrize(
    "query", ["since=-1", f"until={2**60}", "cursor=x", "player=%00", "player=", "table=A", "limit=201"]
)
async def test_a_question_about_rounds_that_cannot_be(server: Server, query: str):
    ann = await server.guest()
    assert await ann.refused("GET", f"/api/rounds?{query}") == (400, "malformed")


async def test_unknown_paths_and_wrong_methods(server: Server):
    assert await server.nobody.refused("GET", "/api/nothing") == (404, "not_found")
    assert await server.nobody.refused("GET", "/docs") == (404, "not_found")
    assert await server.nobody.refused("GET", "/redoc") == (404, "not_found")
    answer = await server.nobody.ask("DELETE", "/api/tables")
    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (405, "wrong_method", "GET, POST")


async def test_a_token_in_any_letters(server: Server):
    ann = await server.guest()
    for header in (f"bearer {ann.token}", f"BEARER  {ann.token} "):
        assert await server.nobody.get("/api/me", headers={"Authorization": header})
    for token in ("", "\xff\xfe", "x" * 5000):
        answer = await server.client.get("/api/me", headers=[(b"authorization", b"Bearer " + token.encode("latin-1"))])
        assert answer.status_code == 401


async def test_our_bug_is_logged_once_and_reported_without_its_traceback(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async def bug(_: object) -> None:
        raise RuntimeError("the card is 7s")

    ann = await server.guest()
    monkeypatch.setattr(server.house, "chips_of", bug)
    with caplog.at_level(logging.ERROR):
        answer = await ann.ask("GET", "/api/me")
    assert (answer.status_code, answer.json()["code"]) == (500, "broken")
    assert "7s" not in answer.text
    assert [record.message for record in caplog.records] == ["request_failed"]


async def test_who_must_sign_in_is_asked(server: Server):
    """As /openapi.json says, also with an unknown token."""
    for path, operations in server.app.openapi()["paths"].items():
        for method, operation in operations.items():
            if operation["security"] and {} not in operation["security"]:
                asked = re.sub(r"{(\w+)}", lambda part: PARTS.get(part[1], "1"), path)
                for visitor in (server.nobody, Visitor(server.client, token="nobody's")):  # noqa: S106
                    assert await visitor.refused(method.upper(), asked) == (401, "unknown_token"), path
