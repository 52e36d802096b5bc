"""Bodies as they are stored: compressed with a dictionary of common bodies, about a seventh of their size.

Hashes are over the body itself. A stored body begins with a byte that says how it is coded; anything else is a body as
version 0.1.0 stored it, which is JSON. A dictionary must never change: another one gets another number. The second is
the first, fragments of all kinds of entries, followed by the most frequent bodies of tables with seven bots under each
rulebook, the most frequent last.
"""

from __future__ import annotations

import zlib
from importlib import resources

_PLAIN, _FIRST, _SECOND = b"\x00", b"\x01", b"\x02"
_KINDS = (_PLAIN, _FIRST, _SECOND)
_DICTIONARIES = {
    kind: (resources.files("pontoon.store") / f"body_dictionary_{kind[0]}.txt").read_bytes()
    for kind in (_FIRST, _SECOND)
}
_FRESH = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS, 8, zlib.Z_DEFAULT_STRATEGY, _DICTIONARIES[_SECOND])


class BodyError(Exception):
    """A stored body cannot be read."""


def stored(body: bytes) -> bytes:
    """A body as it goes into a row.

    >>> text = b'{"role":"program","did":{"type":"Deal"},"events":[]}'
    >>> len(stored(text)) < len(text) // 2, body_of(stored(text)) == text
    (True, True)
    """
    coder = _FRESH.copy()
    short = coder.compress(body) + coder.flush()
    if len(short) + 1 < len(body):
        return _SECOND + short
    return _PLAIN + body if body[:1] in _KINDS else body


def body_of(row: bytes) -> bytes:
    r"""The body in a row; BodyError if it cannot be read.

    >>> body_of(b"{}"), body_of(stored(b"")), body_of(stored(bytes([1, 2])))
    (b'{}', b'', b'\x01\x02')
    """
    kind = bytes(row[:1])
    if kind in _DICTIONARIES:
        try:
            reader = zlib.decompressobj(-zlib.MAX_WBITS, _DICTIONARIES[kind])
            body = reader.decompress(row[1:]) + reader.flush()
        except zlib.error as error:
            raise BodyError(str(error)) from None
        if not reader.eof or reader.unused_data:
            raise BodyError("a compressed body is incomplete, or something follows it")
        return body
    if kind == _PLAIN and row[1:2] not in _KINDS:
        raise BodyError("a body is marked as plain without need")
    return bytes(row[1:]) if kind == _PLAIN else bytes(row)
