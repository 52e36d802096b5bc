"""The documentation site under /docs."""

import zipfile

import httpx
import pytest
from fastapi import FastAPI

from pontoon import web
from tools import site_archive

PAGE = '<html><script>one()</script><img src="pictures/shown.png"><script src="assets/bundle.js"></script></html>'
SITE = {
    "index.html": PAGE,
    "tutorials/bot.html": "<html><script>two()</script></html>",
    "assets/bundle.js": "three()",
    "assets/bundle.js.map": "{}",
    "assets/lunr/wordcut.js": "four()",
    "pictures/shown.png": "picture",
    "pictures/readme.png": "another",
    "search/search_index.json": "{}",
}


@pytest.fixture
def archive(tmp_path, monkeypatch):
    for name, text in SITE.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(web, "ARCHIVE", tmp_path / "docs.zip")
    site_archive.pack(tmp_path / "site", tmp_path / "docs.zip")
    return tmp_path / "docs.zip"


@pytest.fixture
def client():
    app = FastAPI()
    web.add_to(app)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here", follow_redirects=True)


def test_the_archive_holds_what_its_pages_need(archive):
    unused = {"assets/bundle.js.map", "assets/lunr/wordcut.js", "pictures/readme.png"}
    assert set(zipfile.ZipFile(archive).namelist()) == set(SITE) - unused | {"scripts.json"}


@pytest.mark.asyncio
async def test_a_page_is_served_with_the_scripts_it_contains(archive, client):
    assert archive.exists()
    answer = await client.get("/docs")
    assert (answer.url.path, answer.text) == ("/docs/", PAGE)
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self' 'sha256-" in policy
    assert policy.count("'sha256-") == 2
    script = await client.get("/docs/assets/bundle.js")
    assert (script.text, script.headers["content-type"].split(";")[0]) == ("three()", "text/javascript")


@pytest.mark.asyncio
async def test_a_page_that_the_browser_has_is_not_sent_again(archive, client):
    assert archive.exists()
    tag = (await client.get("/docs/tutorials/bot.html")).headers["etag"]
    again = await client.get("/docs/tutorials/bot.html", headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.asyncio
async def test_a_page_that_is_not_there_is_one_line(archive, client):
    for path in ("nothing.html", "../__init__.py", "%2e%2e/__init__.py"):
        answer = await client.get(f"/docs/{path}")
        assert answer.status_code == 404, path
    archive.unlink()
    answer = await client.get("/docs/")
    assert (answer.status_code, answer.text.count("\n")) == (404, 1)
    assert "python3 dev.py docs" in answer.text
