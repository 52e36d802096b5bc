"""The raw log for an inspector, with everything blanked that nobody may know yet.

Of people: password and token hashes, always. Of a table, from the last full shuffle on and until its shoe is revealed:
the seed, every order of cards, and the face of a card that left the shoe unseen. The hashes of these entries are left
out too: a burned card has 48 faces, so whoever knew the hash could try them. Where cards lie face down, the round in
progress is left out altogether.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from pontoon.server.live import Live
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
"""What of each kind of event or command could say something of cards that nobody has seen."""
_PERSONAL: dict[str, tuple[str, ...]] = {
    "AccountOpened": ("password",),
    "PasswordSet": ("password",),
    "TokenGiven": ("token",),
    "TokensRevoked": ("tokens",),
}


class RawPosting(Struct, frozen=True):
    """What an entry moved."""

    account: str
    amount: int


class RawEntry(Struct, frozen=True):
    """One entry as it is kept; `(secret)` stands for what nobody may know yet."""

    version: int
    at: int
    by: str
    body: Any
    postings: tuple[RawPosting, ...]
    marks: tuple[str, ...]
    hash: str
    """Empty while it could give a secret away."""


def secret_since(store: Store, stream: str) -> int:
    """The version of the last full shuffle whose shoe is not revealed; far away where there is none."""
    last = store.head(stream).version
    while last > 0:
        first = max(last - PAGE, 0)
        for entry in reversed(store.read(stream, first, last - first)):
            if _REVEALED in entry.body and not any(one in entry.body for one in _FULL_SHUFFLE):
                return 2**63
            if any(one in entry.body for one in _FULL_SHUFFLE):
                return entry.version
        last = first
    return 2**63


def held_from(live: Live) -> int:
    """From which version nothing is shown: the round in progress where cards lie face down."""
    state = live.room.state
    hidden = state.table.face_down and state.table.round is not None
    return state.first if hidden else 2**63


def inspected(entry: Entry, since: int) -> RawEntry:
    """An entry as an inspector sees it, where secrets begin with version `since`; 0 for the people's stream."""
    secret = entry.version >= since
    body = msgspec.json.decode(entry.body)
    shown = _blanked(body, _UNSEEN if since else _PERSONAL) if secret else body
    postings = tuple(RawPosting(one.account, one.amount) for one in entry.postings)
    return RawEntry(entry.version, entry.at, entry.by, shown, postings, entry.marks, "" if secret else entry.hash)


def _blanked(value: Any, secrets: dict[str, tuple[str, ...]]) -> Any:  # noqa: ANN401 any JSON
    if isinstance(value, list):
        return [_blanked(one, secrets) for one in value]
    if not isinstance(value, dict):
        return value
    names = secrets.get(str(value.get("type")), ())
    return {key: BLANK if key in names and one else _blanked(one, secrets) for key, one in value.items()}
