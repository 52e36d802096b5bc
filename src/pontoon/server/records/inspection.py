"""The raw log for an inspector, with everything blanked that is still secret.

Password and token hashes of users are always blanked. At a table, from the last full shuffle until its shoe is
revealed, the seed, all card orders and the faces of unseen cards are blanked. The hashes of these entries are omitted
too, because anyone could try the 48 possible faces of a burned card. If cards are dealt face down, the round in
progress is omitted altogether.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from pontoon.server.rooms.live import Live
from pontoon.store.model import Entry, Store

BLANK = "(secret)"
PAGE = 1000
_FULL_SHUFFLE = (b'"type":"CardsShuffled"', b'"type":"DeviceLoaded"')
_REVEALED = b'"type":"ShoeRevealed"'
_UNSEEN: dict[str, tuple[str, ...]] = {
    "SeedKept": ("seed",),
    "CardsShuffled": ("order",),
    "DeviceLoaded": ("order",),
    "DiscardsShuffled": ("order",),
    "DiscardsReturned": ("order",),
    "DeviceJammed": ("order",),
    "DeviceFailed": ("order",),
    "CardsBurned": ("cards",),
    "CardBurned": ("card",),
    "CardLeftShoe": ("card",),
    "CardReplaced": ("card",),
    "ExtraHandRemoved": ("cards",),
    "LeftOverRemoved": ("cards",),
    # commands
    "Shuffle": ("order",),
    "ShuffleDiscards": ("order",),
    "ReturnDiscards": ("order",),
    "ClearJam": ("order",),
    "FailDevice": ("order",),
    "BurnFirst": ("card",),
    "BurnCard": ("card",),
    "ReplaceCard": ("card",),
    "RemoveExtraHand": ("cards",),
}
"""The fields of each event or command that could reveal unseen cards."""
_PERSONAL: dict[str, tuple[str, ...]] = {
    "AccountOpened": ("password",),
    "PasswordSet": ("password",),
    "TokenGiven": ("token",),
    "TokensRevoked": ("tokens",),
}


class RawPosting(Struct, frozen=True):
    """A posting of an entry."""

    account: str
    amount: int


class RawEntry(Struct, frozen=True):
    """One stored entry, with `(secret)` in place of what is not public yet."""

    version: int
    at: int
    by: str
    body: Any
    postings: tuple[RawPosting, ...]
    marks: tuple[str, ...]
    hash: str
    """Hash of the entry; empty while it could reveal a secret."""


def secret_since(store: Store, stream: str) -> int:
    """The version of the last full shuffle whose shoe is not revealed; beyond any version if there is none."""
    last = store.head(stream).version
    while last > 0:
        first = max(last - PAGE, 0)
        for entry in reversed(store.read(stream, first, last - first)):
            if _REVEALED in entry.body and not any(kind in entry.body for kind in _FULL_SHUFFLE):
                return 2**63
            if any(kind in entry.body for kind in _FULL_SHUFFLE):
                return entry.version
        last = first
    return 2**63


def held_from(live: Live) -> int:
    """The first version not shown: the start of the round in progress if cards are dealt face down."""
    state = live.room.state
    hidden = state.table.face_down and state.table.round is not None
    return state.first if hidden else 2**63


def inspection_row(entry: Entry, since: int) -> RawEntry:
    """An entry as an inspector sees it; secrets begin at version `since`, which is 0 for the users' stream."""
    secret = entry.version >= since
    body = msgspec.json.decode(entry.body)
    shown = _blanked(body, _UNSEEN if since else _PERSONAL) if secret else body
    postings = tuple(RawPosting(posting.account, posting.amount) for posting in entry.postings)
    return RawEntry(entry.version, entry.at, entry.by, shown, postings, entry.marks, "" if secret else entry.hash)


def _blanked(value: Any, secrets: dict[str, tuple[str, ...]]) -> Any:  # noqa: ANN401 any JSON
    if isinstance(value, list):
        return [_blanked(item, secrets) for item in value]
    if not isinstance(value, dict):
        return value
    names = secrets.get(str(value.get("type")), ())
    return {key: BLANK if key in names and one else _blanked(one, secrets) for key, one in value.items()}
