"""Paging: an opaque cursor marks the end of a page and is sent back to get the next one."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query

from pontoon.server.records.history import Place, RoundRow, place_of
from pontoon.server.rooms.room import STREAM, stream_of

CURSOR = r"^[0-9]{1,15}-[0-9]{1,15}-[2-9a-z]{1,24}$"


def cursor_of(row: RoundRow) -> str:
    """The cursor after a round."""
    at, stream, version = place_of(row)
    return f"{at}-{version}-{stream.removeprefix(STREAM)}"


def _before(
    cursor: Annotated[str | None, Query(pattern=CURSOR, description="the cursor from the previous page")] = None,
) -> Place | None:
    if cursor is None:
        return None
    at, version, table = cursor.split("-")
    return int(at), stream_of(table), int(version)


Before = Annotated[Place | None, Depends(_before)]
