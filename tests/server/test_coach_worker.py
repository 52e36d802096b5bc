"""The coach's queue: optional requests are skipped while it is full."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest

from pontoon.server.coach.worker import Worker
from pontoon.server.problems import ProblemError


class Stuck(Worker):
    """A worker whose calculations never end."""

    MOST_WAITING = 2

    def _started(self) -> Any:
        return self

    def submit(self, *_: object) -> Future[Any]:
        return Future()


def square(number: int) -> int:
    return number * number


@pytest.mark.asyncio
async def test_a_full_queue_refuses_a_question_and_omits_what_can_be_missing():
    worker = Stuck()
    assert await worker.ask(square, 1, 0) is None
    assert await worker.ask(square, 2, 0.01) is None
    assert await worker.ask(square, 3, 0) is None  # without an error: the answer is complete enough without it
    assert await worker.ask(square, 1, 0.01) is None  # it waits already
    with pytest.raises(ProblemError):
        await worker.ask(square, 3, 0.01)
