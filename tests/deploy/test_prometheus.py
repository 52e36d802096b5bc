"""A real Prometheus with the lines of docs/operating.md scrapes a real server and answers what the dashboard asks."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from textwrap import dedent

import httpx
import pytest

from tests.server.crash import ROOT, free_port

PATIENCE = 90.0
DEPLOY = ROOT / "deploy"


def queries() -> list[str]:
    """Every query of the dashboard."""
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))
    return [
        target["expr"].replace("$__rate_interval", "1m") for panel in board["panels"] for target in panel["targets"]
    ]


def answer(port: int, query: str) -> list[object] | None:
    """What Prometheus answers: None if it refuses the query, nothing before it is ready."""
    try:
        response = httpx.get(f"http://127.0.0.1:{port}/api/v1/query", params={"query": query})
    except httpx.TransportError:
        return []
    if response.status_code == httpx.codes.SERVICE_UNAVAILABLE:  # it listens, and still loads
        return []
    said = response.json()
    found: list[object] | None = said["data"]["result"] if said["status"] == "success" else None
    return found


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("prometheus"), reason="prometheus is not installed")
def test_every_query_of_the_dashboard_is_answered(tmp_path: Path):
    port, own = free_port(), free_port()
    lines = re.search(r"```yaml\n(.*?)```", (ROOT / "docs" / "operating.md").read_text("utf-8"), re.DOTALL)
    assert lines is not None
    config = dedent(lines[1]).replace("127.0.0.1:8048", f"127.0.0.1:{port}")
    (tmp_path / "prometheus.yml").write_text(f"global: {{ scrape_interval: 1s }}\n{config}", "utf-8")
    shutil.copy(DEPLOY / "alerts.yml", tmp_path / "pontoon-alerts.yml")
    serve = [sys.executable, "-m", "pontoon", "serve", "--port", str(port), "--data", "data"]
    scrape = ["prometheus", "--config.file=prometheus.yml", f"--web.listen-address=127.0.0.1:{own}"]
    with ExitStack() as stack, (tmp_path / "log").open("wb") as log:
        for command in (serve, [*scrape, "--storage.tsdb.path=db"]):
            process = stack.enter_context(subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log))
            stack.callback(process.terminate)
        until = time.monotonic() + PATIENCE
        while not (answer(own, 'up{job="pontoon"} == 1') and answer(own, "rate(pontoon_rounds_total[1m])")):
            assert time.monotonic() < until, (tmp_path / "log").read_text("utf-8")[-2000:]
            time.sleep(0.2)
        found = {query: answer(own, query) for query in queries()}
    assert None not in found.values(), found
    assert sum(map(bool, found.values())) >= len(found) - 2, "commands and refusals have no series before the first"
