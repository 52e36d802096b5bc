"""The files of the pages: compressed once, not sent again to a browser that has them, and from the folder alone."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import httpx
import pytest

from pontoon import web
from pontoon.server.app import make_app
from pontoon.server.house import House
from pontoon.store import MemoryStore
from pontoon.web.files import Files

pytestmark = pytest.mark.asyncio


@pytest.fixture
def client():
    app = make_app(House(MemoryStore()))
    web.add_to(app)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here")


@pytest.mark.parametrize("path", ["/", "/tables", "/floor", "/sw.js", "/static/style.css", "/static/app.js"])
async def test_a_file_is_sent_whole_compressed_or_not_at_all(client, path):
    plain = await client.get(path, headers={"Accept-Encoding": "identity"})
    assert plain.status_code == 200
    assert "content-encoding" not in plain.headers
    small = await client.get(path)
    assert small.headers["content-encoding"] == "gzip"
    assert small.content == plain.content
    assert int(small.headers["content-length"]) < len(plain.content)
    for answer in (plain, small):
        assert answer.headers["vary"] == "accept-encoding"
        assert answer.headers["cache-control"] == "no-cache"
        assert "script-src 'self'" in answer.headers["content-security-policy"]
    known = await client.get(path, headers={"If-None-Match": small.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    head = await client.head(path)
    assert (head.status_code, head.content) == (200, b"")


async def test_a_file_is_compressed_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    compressed: list[bytes] = []

    def compress(content: bytes, **_: int) -> bytes:
        compressed.append(content)
        return b"small"

    monkeypatch.setattr(gzip, "compress", compress)
    (tmp_path / "a.js").write_bytes(b"1" * 600)
    folder = Files(tmp_path, {})
    first = folder.find("a.js")
    assert folder.find("a.js") is first
    (tmp_path / "a.js").write_bytes(b"2" * 600)
    os.utime(tmp_path / "a.js", ns=(1, 1))
    assert folder.find("a.js").headers["etag"] != first.headers["etag"]
    assert compressed == [b"1" * 600, b"2" * 600]


@pytest.mark.parametrize(
    "path", ["nothing.js", "", "icons", "../__init__.py", "%2e%2e/__init__.py", "//etc/passwd", "a%00b", "x" * 5000]
)
async def test_what_is_not_a_file_of_the_folder_is_not_found(client, path):
    answer = await client.get(f"/static/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_files_are_only_read(client):
    assert (await client.post("/static/style.css")).status_code == 405


async def test_the_description_of_the_interface_is_compressed_for_those_who_can_read_it(client):
    plain = await client.get("/openapi.json", headers={"Accept-Encoding": "identity"})
    small = await client.get("/openapi.json")
    assert plain.json() == small.json()
    assert int(small.headers["content-length"]) == len(gzip.compress(plain.content, mtime=0))
