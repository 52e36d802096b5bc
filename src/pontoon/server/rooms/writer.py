"""Group commit: one task writes all pending drafts in one transaction, and nothing is published before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from pontoon.server.operation.metrics import BATCHES, COMMIT_SECONDS, QUEUED
from pontoon.store.model import Append, Outcome, Store

MOST_APPENDS = 256


class WriterClosedError(Exception):
    """The writer is closed."""


def _nothing() -> None: ...


class Writer:
    """The only task of a process that writes to the store."""

    def __init__(self, store: Store, *, inline: bool = False, failed: Callable[[], None] | None = None) -> None:
        """`inline` writes in the task itself, for a store in memory and a simulation that must repeat.

        `failed` is called after a transaction that the store did not write.
        """
        self._failed = failed or _nothing
        self._store = store
        self._inline = inline
        self._waiting: asyncio.Queue[tuple[Append, asyncio.Future[Outcome]] | None] = asyncio.Queue()
        self._thread = ThreadPoolExecutor(1, "writer")
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run(), name="writer")

    async def append(self, append: Append) -> Outcome:
        """Write this in the next transaction; returns when it is on disk."""
        if self._closed:
            raise WriterClosedError
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((append, answer))
        return await answer

    async def close(self) -> None:
        """Write pending drafts, then stop."""
        self._closed = True
        self._waiting.put_nowait(None)
        if self._task is not None:
            await self._task
        self._thread.shutdown()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        going = True
        while going:
            batch = [await self._waiting.get()]
            while len(batch) < MOST_APPENDS and not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            QUEUED.set(self._waiting.qsize())
            work = [work_item for work_item in batch if work_item is not None]
            going = len(work) == len(batch)
            if work:
                await self._write(loop, work)

    async def _write(self, loop: asyncio.AbstractEventLoop, work: list[tuple[Append, asyncio.Future[Outcome]]]) -> None:
        try:
            with COMMIT_SECONDS.time():
                appends = [append for append, _ in work]
                if self._inline:
                    outcomes = self._store.write(appends)
                else:
                    outcomes = await loop.run_in_executor(self._thread, self._store.write, appends)
        except Exception as error:  # noqa: BLE001 those who wait must get an answer
            self._failed()
            for _, answer in work:
                if not answer.done():
                    answer.set_exception(error)
            return
        BATCHES.observe(len(work))
        for (_, answer), outcome in zip(work, outcomes, strict=True):
            if not answer.done():
                answer.set_result(outcome)
