"""Stored bodies: whatever was written is read, and the dictionaries are the ones that logs were written with."""

from __future__ import annotations

import hashlib
import zlib
from importlib import resources

import pytest

from pontoon.store.body_coding import BodyError, body_of, stored

DIGESTS = {
    1: "ad2f0ee8b325a08286a46a06d36482a657d2ce2540f45641f6052f7e544fc09e",
    2: "7c32367d11e5781c7a4e1993855c754a63b9458f17a14eb6882f078f144ef3d0",
}
DEAL = (
    b'{"role":"program","did":{"type":"Deal"},"events":[{"type":"CardLeftShoe","clauses":["STAR-PLAY-9","STAR-IMP-2"],'
    b'"card":"3s"},{"type":"InRound","clauses":["STAR-PLAY-9","STAR-IMP-2"],"event":{"type":"CardDealt","card":"3s",'
    b'"box":3,"hand":1,"total":18,"soft":false,"clauses":["STAR-PLAY-9","STAR-IMP-2"]}}]}'
)
BY_THE_FIRST = bytes.fromhex(
    "01a389a1b8d33a7c86c1b8186828b93906ea1a245782dc027229a83e42d8806592b924bf04e81f2b430b6038e7a7018d484b"
    "cc294e25d25e502c0000"
)


def dictionary(number: int) -> bytes:
    return (resources.files("pontoon.store") / f"body_dictionary_{number}.txt").read_bytes()


@pytest.mark.parametrize("number", DIGESTS)
def test_a_dictionary_never_changes(number):
    assert hashlib.sha256(dictionary(number)).hexdigest() == DIGESTS[number]


def test_a_body_stored_with_the_first_dictionary_is_read():
    assert body_of(BY_THE_FIRST) == DEAL


def test_a_card_that_is_dealt_takes_less_than_forty_bytes():
    assert len(stored(DEAL)) < 40 < len(BY_THE_FIRST)
    assert body_of(stored(DEAL)) == DEAL


@pytest.mark.parametrize("body", [b"", b"{}", b"\x00", b"\x01", b"\x02x", b"\x03", b"\x00\x01", bytes(range(256))])
def test_any_body_is_read_as_it_was_written(body):
    assert body_of(stored(body)) == body


@pytest.mark.parametrize("row", [b"\x01", b"\x02", b"\x02\xff", b"\x00{", stored(DEAL)[:-1], stored(DEAL) + b"x"])
def test_a_damaged_body_is_an_error(row):
    with pytest.raises(BodyError):
        body_of(row)


def test_dictionaries_fit_the_window_of_the_coder():
    assert all(len(dictionary(number)) < 1 << zlib.MAX_WBITS for number in DIGESTS)
