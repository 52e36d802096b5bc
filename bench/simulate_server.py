"""A longer run of the server's deterministic simulation than in the tests (tests/server/simulation.py).

    python bench/simulate_server.py [--seeds 200] [--first 0] [--commands 1000] [--processes N] [--kinds] [--json]

Prints seeds and commands a second, the outcomes of the commands by code, and with --kinds the outcomes of each kind of
command. The exit status is 1 if a seed failed; it is printed with its error. Repeat it with --first SEED --seeds 1.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from pontoon.engine.commands import Command
from pontoon.server.rooms.commands import RoomCommand
from pontoon.server.wire import family
from pontoon.table.commands import TableCommand
from tests.server.simulation import COMMANDS, Report, Simulation

KINDS = [kind.__name__ for base in (Command, TableCommand, RoomCommand) for kind in family(base)]
FAULTS = ("put_away", "outages", "failed_syncs", "rollbacks", "over_quota")
NEVER = ("DealCard", "Play")
"""Kinds that are never sent: a card is dealt by Deal, and a played command is counted under its own name."""


def evening(seed: int, commands: int) -> Report | str:
    """Run one seed; return its result or the error."""
    try:
        return Simulation(seed, commands).run()
    except Exception:  # noqa: BLE001 any failure is reported with its seed
        return "".join(traceback.format_exc().splitlines(keepends=True)[-8:])


def totals(reports: list[Report]) -> dict[str, Any]:
    """The totals over all seeds."""
    outcomes: Counter[tuple[str, str]] = Counter()
    done: Counter[tuple[str, str]] = Counter()
    known: Counter[str] = Counter()
    for report in reports:
        outcomes.update(report.outcomes)
        done.update(report.done)
        known.update(report.known)
    accepted = {kind for kind, _ in done}
    codes: Counter[str] = Counter()
    kinds: dict[str, Counter[str]] = {}
    for (kind, code), count in outcomes.items():
        codes[code] += count
        kinds.setdefault(kind, Counter())["accepted" if code == "done" else "refused"] += count
    for (kind, by), count in done.items():
        if by != "people":
            kinds.setdefault(kind, Counter())[by] += count
    return {
        "commands": sum(report.commands for report in reports),
        "messages": sum(report.messages for report in reports),
        "entries": sum(report.entries for report in reports),
        "rounds": sum(report.rounds for report in reports),
        "restarts": sum(report.restarts for report in reports),
        "put_away": sum(report.put_away for report in reports),
        "outages": sum(report.outages for report in reports),
        "failed_syncs": sum(report.failed_syncs for report in reports),
        "rollbacks": sum(report.rollbacks for report in reports),
        "over_quota": sum(report.over_quota for report in reports),
        "absent": sum(report.absent for report in reports),
        "codes": dict(codes.most_common()),
        "kinds": {kind: dict(kinds[kind]) for kind in KINDS if kind in kinds},
        "never": [kind for kind in KINDS if kind not in accepted and kind not in NEVER],
        "known": dict(known),
    }


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--commands", type=int, default=COMMANDS)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kinds", action="store_true")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.seeds)
    began = time.perf_counter()
    with ProcessPoolExecutor(asked.processes) as pool:
        results = list(pool.map(partial(evening, commands=asked.commands), seeds))
    seconds = time.perf_counter() - began
    failed = {seed: result for seed, result in zip(seeds, results, strict=True) if isinstance(result, str)}
    found = totals([result for result in results if isinstance(result, Report)])
    found |= {"seeds": len(seeds), "seconds": round(seconds, 1), "processes": asked.processes, "failed": failed}
    if asked.json:
        print(json.dumps(found))
        return 1 if failed else 0
    print(f"{len(seeds)} seeds, {found['commands']} commands in {seconds:.1f} s on {asked.processes} processes:")
    print(f"{len(seeds) / seconds:.2f} seeds/s, {found['commands'] / seconds:.0f} commands/s")
    for name in ("messages", "entries", "rounds", "restarts", *FAULTS, "absent", "known", "never", "codes"):
        print(f"  {name}: {found[name]}")
    if asked.kinds:
        for kind, counts in found["kinds"].items():
            print(f"  {kind}: {', '.join(f'{count} {name}' for name, count in counts.items())}")
    for seed, error in failed.items():
        print(f"seed {seed} failed:\n{error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
