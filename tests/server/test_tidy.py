"""When garbage collection runs, and when it does not."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from pontoon.server.tidy import EVERYTHING, MANY, Tidy


class Cycle:
    def __init__(self) -> None:
        self.self = self


def left_behind() -> "weakref.ref[Cycle]":
    return weakref.ref(Cycle())


@pytest.fixture
def tidy() -> Iterator[Tidy]:
    tidy = Tidy()
    tidy.begin()
    yield tidy
    gc.unfreeze()
    gc.enable()


def test_play_alone_is_not_looked_at(tidy):
    cycle = left_behind()
    for _ in range(MANY - 1):
        tidy.came()
    tidy.tick()
    assert cycle() is not None


def test_what_many_requests_leave_behind_goes_within_a_second(tidy):
    cycle = left_behind()
    for _ in range(MANY):
        tidy.came()
    tidy.tick()
    assert cycle() is None


def test_everything_is_looked_at_now_and_then(tidy):
    cycle = left_behind()
    for _ in range(EVERYTHING - 1):
        tidy.tick()
    assert cycle() is not None
    tidy.tick()
    assert cycle() is None
    kept = left_behind()
    tidy.tick()
    assert kept() is not None
