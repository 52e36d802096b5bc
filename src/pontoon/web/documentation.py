"""The documentation site at /docs, served from the archive that tools/site_archive.py makes for the wheel."""

from __future__ import annotations

import json
import zipfile
from functools import lru_cache
from pathlib import Path

from fastapi import Request
from fastapi.responses import PlainTextResponse, Response

from pontoon.web.files import media_type

ARCHIVE = Path(__file__).parent / "docs.zip"
SCRIPTS = "scripts.json"
"""Member of the archive: the hashes of the scripts inside its pages, for the content security policy."""
MISSING = (
    "This installation has no documentation site: a release has it, and in a checkout `python3 dev.py docs` makes it.\n"
)


class Documentation:
    """The pages of an archive, each read when it is requested."""

    def __init__(self, archive: Path, policy: str) -> None:
        self.files = zipfile.ZipFile(archive)
        hashes = " ".join(f"'{found}'" for found in json.loads(self.files.read(SCRIPTS)))
        policy = policy.replace("script-src 'self'", f"script-src 'self' {hashes}")
        self.policy = policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

    def answer(self, path: str, known: str) -> Response:
        """The file at a path below /docs/; `known` is the ETag that the browser has."""
        try:
            member = self.files.getinfo(path or "index.html")
        except KeyError:
            return PlainTextResponse(f"The documentation has no page {path}; it begins at /docs/.\n", 404)
        tag = f'"{member.CRC:08x}"'
        headers = {"content-security-policy": self.policy, "cache-control": "no-cache", "etag": tag}
        if tag in known:
            return Response(None, 304, headers)
        return Response(self.files.read(member), 200, headers, media_type(member.filename))


@lru_cache(maxsize=4)
def opened(archive: Path, policy: str, _written: int) -> Documentation:
    """The documentation in an archive, opened again after it was written again."""
    return Documentation(archive, policy)


def documentation(request: Request, path: str, policy: str, archive: Path) -> Response:
    """The answer to a request for a file of the documentation."""
    try:
        written = archive.stat().st_mtime_ns
    except OSError:
        return PlainTextResponse(MISSING, 404)
    return opened(archive, policy, written).answer(path, request.headers.get("if-none-match", ""))
