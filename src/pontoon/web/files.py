"""The files of the pages: read and compressed once, and kept in memory until they change on disk."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

TYPES = {
    ".webmanifest": "application/manifest+json",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".html": "text/html",
}
"""Set here because the machine's own list of types may differ, and browsers refuse modules of a wrong type."""
WORTHWHILE = 500
"""Bytes below which a file is not compressed."""


class File(Struct, frozen=True):
    """One file as it was read."""

    written: int
    """When the file was last changed, in nanoseconds."""
    content: bytes
    compressed: bytes
    """The content with gzip; empty where that saves nothing."""
    headers: dict[str, str]

    def answer(self, request: Request, more: Mapping[str, str]) -> Response:
        """The file, or 304 if the browser has it."""
        headers = self.headers | dict(more)
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(None, 304, headers)
        if self.compressed and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.compressed, 200, headers | {"content-encoding": "gzip"})
        return Response(self.content, 200, headers)


class Files:
    """The files of a folder, by their paths in it; an application that serves them."""

    def __init__(self, folder: Path, headers: Mapping[str, str]) -> None:
        """`headers` are added to every answer."""
        self._folder = folder.resolve()
        self._headers = headers
        self._kept: dict[str, File] = {}

    def find(self, path: str) -> File:
        """The file at a path; HTTPException (404) if there is none."""
        try:
            kept = self._kept.get(path)
            if kept is not None and (self._folder / path).stat().st_mtime_ns == kept.written:
                return kept
            place = (self._folder / path).resolve()
            if place.is_relative_to(self._folder) and place.is_file():
                found = self._kept[place.relative_to(self._folder).as_posix()] = _read(place)
                return found
        except (OSError, ValueError):  # a name that no file can have
            pass
        raise HTTPException(404)

    def answer(self, request: Request, path: str) -> Response:
        """The answer to a request for a file."""
        return self.find(path).answer(request, self._headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the file at the rest of the address."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        path = scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/")
        await self.answer(Request(scope), path)(scope, receive, send)


def media_type(name: str) -> str:
    """The type of a file by the ending of its name."""
    known = TYPES.get(Path(name).suffix)
    return known or mimetypes.guess_type(name)[0] or "application/octet-stream"


def _read(place: Path) -> File:
    written, content = place.stat().st_mtime_ns, place.read_bytes()
    kind = media_type(place.name)
    small = gzip.compress(content, mtime=0) if place.suffix in TYPES and len(content) >= WORTHWHILE else b""
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    tag = hashlib.sha256(content).hexdigest()[:32]
    headers = {"content-type": kind, "etag": f'W/"{tag}"', "vary": "accept-encoding"}
    return File(written, content, small, headers)
