"""A tournament of 500 bots over three sessions, on one core; the limit is 60 seconds.

    python bench/tournament.py [--players 500] [--rounds 30] [--seed 1] [--out FOLDER] [--profile]

Every player plays all three sessions (points), the maximum work for that many players. It measures the tournament by
itself, the whole command with log, ledger, transcripts and report, and in the same run a plain automatic table with as
many boxes and the same chart: the ratio shows the overhead of the tournament over its rounds. Both are in CPU seconds;
the whole command is timed by the wall clock.
"""

from __future__ import annotations

import argparse
import cProfile
import hashlib
import os
import pstats
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from pontoon.cli import main as pontoon
from pontoon.engine import PlaceWager
from pontoon.table.automatic import AutomaticTable
from pontoon.table.bots import chart_bot
from pontoon.tournament.bots import read_bots
from pontoon.tournament.commands import CountChips
from pontoon.tournament.conditions.load import read
from pontoon.tournament.conditions.values import Conditions
from pontoon.tournament.running import Plan, run
from pontoon.tournament.session_table import table_of

BAR = 60.0
BOTS = Path(__file__).parents[1] / "examples/tournaments/bots.toml"
SESSION = '[[session]]\nname = "{}"\nrounds = {}\npoints = [10, 7, 5, 3, 2, 1]\n'


def conditions(players: int, rounds: int) -> str:
    """The conditions of a points tournament for this many players."""
    sessions = "\n".join(SESSION.format(name, rounds) for name in ("Morning", "Afternoon", "Evening"))
    return f"""name = "Bench"
statement = "standard"
[start]
at = 2027-01-02T10:00:00
entry = "at the desk"
eligibility = "bots"
[game]
minimum = "10.00"
maximum = "500.00"
super_bonus = "chips"
[players]
least = 2
most = {players}
at_table = 7
[money]
fee = "100.00"
commission = "10.00"
chips = "1000.00"
[structure]
format = "points"
pace = 30
{sessions}
[ties]
points = "combine"
final = "extra_rounds"
rounds = 1
[prizes]
shares = ["40%", "20%", "15%", "10%", "6%", "4%", "3%", "2%"]
odd_cents = "first"
"""


def tournament(wanted: Conditions, seed: str) -> tuple[int, int, float]:
    """Play the tournament without writing files; return rounds, boxes and seconds."""
    plan = Plan(wanted, read_bots(BOTS.read_bytes(), str(BOTS)), seed)
    start, rounds, boxes = time.process_time(), 0, 0
    for step in run(plan):
        rounds += len(step.rounds)
        boxes += sum(len(entry.did.chips) for entry in step.entries if isinstance(entry.did, CountChips))
    return rounds, boxes, time.process_time() - start


def plain(wanted: Conditions, rounds: int, boxes: int) -> float:
    """Seconds for the same number of rounds at a plain automatic table."""

    def key(number: int) -> bytes:
        return hashlib.sha256(f"bench {number}".encode()).digest()

    start, chance = time.process_time(), Random(1)
    for first in range(0, rounds, 30):  # a new table as often as in a session
        table = AutomaticTable(table_of(wanted.game), key)
        table.open((f"Player {box}", box) for box in range(1, boxes + 1))
        for _ in range(min(30, rounds - first)):
            wagers = [PlaceWager(box, f"Player {box}", 1000) for box in range(1, boxes + 1)]
            table.play_round(wagers, lambda state: chart_bot(state, chance))
    return time.process_time() - start


def main(arguments: list[str] | None = None) -> int:
    """Print the figures; return 1 if the limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=30, help="rounds per session")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--out", default="", help="write the command's output to this new folder")
    parser.add_argument("--profile", action="store_true", help="print a profile only")
    args = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # one core
    text = conditions(args.players, args.rounds)
    wanted = read(text, "bench.toml")
    if args.profile:
        with cProfile.Profile() as profile:
            tournament(wanted, args.seed)
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
        return 0
    rounds, boxes, seconds = tournament(wanted, args.seed)
    each = round(boxes / rounds)
    sample = min(rounds, 1500)
    alone = plain(wanted, sample, each) * rounds / sample
    print(f"tournament   {rounds:,} rounds of {boxes / rounds:.2f} boxes: {seconds:.1f} s, {rounds / seconds:.0f}/s")
    print(f"plain table  as many, {each} boxes (from {sample:,}): {alone:.1f} s, {rounds / alone:.0f}/s")
    print(f"ratio        {seconds / alone:.2f}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "bench.toml")
        file.write_text(text)
        start = time.perf_counter()
        out = args.out or str(Path(folder, "out"))
        with suppress(SystemExit):
            pontoon(["tournament", "run", str(file), "--bots", str(BOTS), "--seed", args.seed, "--out", out])
        assert Path(out, "report.html").exists()
        whole = time.perf_counter() - start
    print(f"whole command, with log, transcripts and report: {whole:.1f} s (limit {BAR:.0f} s)")
    return int(whole > BAR)


if __name__ == "__main__":
    sys.exit(main())
