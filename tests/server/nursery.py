"""A process with all modules imported that forks servers on request, so that a restart is fast.

A line in is the configuration of a server as JSON; a line out is the number of the new process. The servers are real
processes that can be killed; only their imports were done before. With `"pages": true` the web table is served too.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from pathlib import Path


def say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def main() -> None:
    from pontoon import web
    from pontoon.server import run

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the dead
    say("ready")
    for line in sys.stdin:
        told = json.loads(line)
        pid = os.fork()
        if pid:
            say(str(pid))
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        with Path(told.pop("log")).open("a") as log:
            os.dup2(log.fileno(), 2)
            os.dup2(log.fileno(), 1)
        try:
            pages = web.add_to if told.pop("pages", False) else None
            config = run.Config(**{**told, "data": Path(told["data"])})
            listener = run.listening(config)
            store = run.store_of(config)
            run.checked(store, lambda _: None)
            run.serve(config, listener, store, pages=pages)
        except BaseException:  # noqa: BLE001 the parent process reads the log
            traceback.print_exc()
            os._exit(1)
        os._exit(0)


if __name__ == "__main__":
    main()
