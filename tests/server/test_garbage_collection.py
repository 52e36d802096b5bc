"""When garbage collection runs, and when it does not."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from pontoon.server.operation.garbage_collection import EVERYTHING, MANY, GarbageCollection


class Cycle:
    def __init__(self) -> None:
        self.self = self


def left_behind() -> "weakref.ref[Cycle]":
    return weakref.ref(Cycle())


@pytest.fixture
def collection() -> Iterator[GarbageCollection]:
    collection = GarbageCollection()
    collection.begin()
    yield collection
    gc.unfreeze()
    gc.enable()


def test_play_alone_is_not_collected(collection):
    cycle = left_behind()
    for _ in range(MANY - 1):
        collection.arrival()
    collection.tick()
    assert cycle() is not None


def test_cycles_of_many_requests_are_collected_within_a_second(collection):
    cycle = left_behind()
    for _ in range(MANY):
        collection.arrival()
    collection.tick()
    assert cycle() is None


def test_everything_is_collected_now_and_then(collection):
    cycle = left_behind()
    for _ in range(EVERYTHING - 1):
        collection.tick()
    assert cycle() is not None
    collection.tick()
    assert cycle() is None
    kept = left_behind()
    collection.tick()
    assert kept() is not None
