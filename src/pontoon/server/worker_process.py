"""How a process for sums begins: it leaves Ctrl-C to the server, gives way to it, and ends with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
from threading import Thread


def begin(niceness: int = 0) -> None:
    """Set up this process; with `niceness` the tables come first where the processors are busy."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if niceness and hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)
    Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(0)
