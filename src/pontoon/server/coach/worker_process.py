"""Setup of a worker process: it ignores Ctrl-C, runs at lower priority, and ends with the server."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from threading import Thread


def begin(niceness: int = 0) -> None:
    """Set up this process; with `niceness` the tables have priority when the processors are busy."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if niceness and hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(0)


def end(pool: ProcessPoolExecutor) -> None:
    """Stop the processes of a pool immediately: a server that stops waits for no calculation."""
    for process in (pool._processes or {}).values():  # noqa: SLF001 `kill_workers` came with Python 3.14
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)
