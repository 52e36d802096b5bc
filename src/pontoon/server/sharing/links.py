"""Links to finished rounds: one stream for all of them, found by the link and by the round.

A link reveals nothing about its table: the name of a private table is the key to it. Any player of the round can revoke
the link, and the round can be shared again under a new one.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from pontoon.server.house import House
from pontoon.server.names import new_id
from pontoon.server.problems import Problem, problem
from pontoon.server.records.history import RoundRow
from pontoon.server.rooms.writer import WriterClosedError
from pontoon.store.model import Append, Appended, Draft

STREAM = "shares"
LENGTH = 16
TRIES = 20


class Link(Struct, frozen=True, omit_defaults=True):
    """A round that was shared, or is no longer shared."""

    id: str
    table: str
    number: int
    by: str
    named: bool = False
    """Whether the sharer's own name is shown; other names never are."""
    revoked: bool = False


async def find(house: House, link: str) -> Link | Problem:
    """The link with this name: a problem if there is none, or if it was revoked."""
    found = await _last(house, f"share:{link}")
    if found is None:
        return problem("no_such_link")
    return problem("link_revoked") if found.revoked else found


async def of_round(house: House, row: RoundRow) -> Link | None:
    """The link of a round, if it is shared."""
    found = await _last(house, _mark(row.table, row.number))
    return found if found is not None and not found.revoked else None


async def share(house: House, row: RoundRow, by: str, *, named: bool) -> Link | Problem:
    """Share a round, or change whether the sharer's name is shown; the same round keeps its link."""
    if by not in {line.player for line in row.players}:
        return problem("not_your_round")
    if row.void:
        return problem("not_replayable", detail="the round is void")
    found = await of_round(house, row)
    if found is not None and (found.by != by or found.named == named):
        return found
    link = Link(found.id if found is not None else new_id(LENGTH), row.table, row.number, by, named)
    return await _write(house, link)


async def revoke(house: House, row: RoundRow, by: str) -> Problem | None:
    """Revoke the link of a round; any of its players may."""
    if by not in {line.player for line in row.players}:
        return problem("not_your_round")
    found = await of_round(house, row)
    if found is None:
        return problem("no_such_link")
    written = await _write(house, Link(found.id, found.table, found.number, by, revoked=True))
    return written if isinstance(written, Problem) else None


def _mark(table: str, number: int) -> str:
    return f"shared:{table}/{number}"


async def _last(house: House, mark: str) -> Link | None:
    """The last entry about a link; two entries in the same millisecond are ordered by version."""
    entries = await house.read(lambda: house.store.marked(mark, stream=STREAM, limit=1))
    return msgspec.json.decode(entries[0].body, type=Link) if entries else None


async def _write(house: House, link: Link) -> Link | Problem:
    """One entry; another process may write to the stream at the same time."""
    draft = Draft(link.by, msgspec.json.encode(link), marks=(f"share:{link.id}", _mark(link.table, link.number)))
    for _ in range(TRIES):
        head = await house.read(lambda: house.store.head(STREAM))
        try:
            outcome = await house.writer.append(Append(STREAM, head.version, house.clock.wall(), (draft,)))
        except WriterClosedError:
            return problem("closing")
        if isinstance(outcome, Appended):
            return link
    return problem("not_here")
