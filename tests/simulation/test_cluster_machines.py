"""A cluster on separate networks over TLS: a worker joins late, another is killed, the counts are those of one core."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.simulation.machines import ADDRESS, PATIENCE, Machines, available

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not available(), reason="network namespaces need root on Linux")]
ASKED = ("-m", "pontoon", "simulate", "star", "--decks", "6", "--rounds", "6e8", "--seed", "23", "--json")
TIMES = ("seconds", "rounds_per_second", "device", "threads")


def counted(text: str) -> dict[str, Any]:
    """The result of a run without what differs between machines."""
    found: dict[str, Any] = json.loads(text)
    return {key: value for key, value in found.items() if key not in TIMES}


def test_a_killed_worker_and_a_late_one_change_nothing(tmp_path: Path) -> None:
    checkpoint, result = tmp_path / "run.json", tmp_path / "result.json"
    with Machines(tmp_path, workers=2) as machines:
        machines.scheduler()
        first = machines.worker(1)
        script = f'"$0" "$@" --cluster {ADDRESS} --checkpoint {checkpoint} > {result}'
        client = machines.start(0, "sh", "-c", script, sys.executable, *ASKED)
        until = time.monotonic() + PATIENCE
        while not checkpoint.exists():  # the first counts have arrived
            assert client.popen.poll() is None, client.log.read_text()
            assert time.monotonic() < until
            time.sleep(0.05)
        machines.worker(2)
        first.kill()
        assert client.popen.poll() is None, "it ended before the late worker had to play"
        assert client.popen.wait(timeout=10 * PATIENCE) == 0, client.log.read_text()
    alone = subprocess.run([sys.executable, *ASKED], check=True, capture_output=True, text=True)
    assert counted(result.read_text()) == counted(alone.stdout)
