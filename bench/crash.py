"""kill -9 at random moments under load: a longer version of the campaign in the tests.

    python bench/crash.py                       # 300 kills per backend, about ten minutes
    python bench/crash.py --kills 50 --backends sqlite
    python bench/crash.py --backends postgresql --processes 3

Checked after every hundred kills: no acknowledged command is lost or applied twice, every chain is intact, the trial
balance is zero, every command in the log follows from the rules, and every open round was finished.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.postgresql import postgresql_server  # noqa: E402 the tests' own campaign
from tests.server.crash import Report, campaign  # noqa: E402

EACH = 100


def main(arguments: list[str] | None = None) -> int:
    """Run the campaigns; a violated guarantee raises an assertion and ends them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--backends", default="sqlite,postgresql")
    parser.add_argument("--processes", type=int, default=1, help="servers on one database (PostgreSQL only)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    for backend in args.backends.split(","):
        with ExitStack() as stack:
            server = stack.enter_context(postgresql_server()) if backend == "postgresql" else None
            left, seed = args.kills, args.seed
            while left > 0:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                database = server.new_database() if server is not None else ""
                processes = args.processes if server is not None else 1
                report = asyncio.run(campaign(folder, database, min(left, EACH), seed, processes))
                print(said(backend, seed, report), flush=True)
                left -= EACH
                seed += 1
    return 0


def said(backend: str, seed: int, report: Report) -> str:
    """The result of a campaign as one line."""
    return (
        f"{backend}, seed {seed}: {report.kills} kills in {report.seconds:.0f} s; {report.commands} commands, "
        f"{report.acknowledged} acknowledged, {report.refused} refused, {report.entries} entries, "
        f"{report.rounds} rounds; lost 0, twice 0, gaps seen by clients {report.gaps}, "
        f"longest without an answer {report.longest_down:.1f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
