"""The files of deploy/ name what exists, and their own tools accept them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from pontoon.cli import parser
from pontoon.server.operation.metrics import REGISTRY

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
METRIC = re.compile(r"\bpontoon_[a-z_]+")


def metrics() -> set[str]:
    """Every series that /metrics can show."""
    suffixes = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
    return {metric.name + suffix for metric in REGISTRY.collect() for suffix in suffixes[metric.type]}


@pytest.mark.parametrize("name", ["alerts.yml", "grafana-dashboard.json"])
def test_every_metric_named_is_one_of_ours(name):
    named = set(METRIC.findall((DEPLOY / name).read_text("utf-8")))
    assert len(named) > 3
    assert named <= metrics()


def test_every_panel_of_the_dashboard_asks_for_something():
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))
    assert all(METRIC.search(target["expr"]) for panel in board["panels"] for target in panel["targets"])
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


def lines(name: str, key: str) -> list[str]:
    """The arguments of a line of the Containerfile that holds a JSON list."""
    found = re.search(rf"{key} (\[.*\])", (DEPLOY / name).read_text("utf-8"))
    assert found is not None
    listed: list[str] = json.loads(found[1])
    return listed


def test_the_options_of_container_compose_and_unit_exist():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    start = re.search(r"ExecStart=\S+/(pontoon .*)", (DEPLOY / "pontoon.service").read_text("utf-8"))
    assert start is not None
    entry = lines("Containerfile", "ENTRYPOINT")
    for line in (entry, entry + compose["services"]["server"]["command"], start[1].split()):
        assert line[0] == "pontoon"
        assert parser("serve").parse_args(line[1:]).data is not None


def test_the_server_of_compose_cannot_change_its_own_system():
    server = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]["server"]
    assert server["read_only"]
    assert server["cap_drop"] == ["ALL"]
    assert "USER 10048" in (DEPLOY / "Containerfile").read_text("utf-8")


def test_both_proxies_are_the_same_but_for_the_servers_name():
    one, other = ((DEPLOY / name).read_text("utf-8").splitlines() for name in ("nginx.conf", "nginx-compose.conf"))
    rules = [[line for line in text if not line.startswith("#")] for text in (one, other)]
    assert [line.replace("127.0.0.1:8048", "server:8048") for line in rules[0]] == rules[1]


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.mark.slow
def test_systemd_rates_the_unit_below_three():
    command = [tool("systemd-analyze"), "security", "--offline=true", "--threshold=30", str(DEPLOY / "pontoon.service")]
    rated = subprocess.run(command, capture_output=True, text=True, check=False)
    assert rated.returncode == 0, rated.stdout[-300:]


@pytest.mark.slow
def test_prometheus_accepts_the_alert_rules():
    checked = subprocess.run(
        [tool("promtool"), "check", "rules", str(DEPLOY / "alerts.yml")], capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
