"""The notebooks in examples/notebooks run: in their quick form, and in full with `-m slow`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jupytext
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.py"))
QUICK = ("audited_night",)
"""Run by default; the others need compiled games or several solved rulebooks, and run with `-m slow`."""


def run(notebook: Path, **more: str) -> str:
    """What the notebook prints, run from top to bottom as Jupyter would."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "MPLBACKEND": "Agg", "PYTHONUTF8": "1"} | more
    done = subprocess.run(
        [sys.executable, str(notebook)], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_there_are_five_and_they_are_notebooks():
    assert len(NOTEBOOKS) == 5
    for notebook in NOTEBOOKS:
        read = jupytext.read(notebook)
        kinds = [cell.cell_type for cell in read.cells]
        assert kinds[0] == "markdown"
        assert kinds.count("code") >= 4
        assert read.metadata["kernelspec"]["name"] == "python3"


@pytest.mark.parametrize("name", QUICK)
def test_a_notebook_runs(name):
    assert len(run(ROOT / "examples" / "notebooks" / f"{name}.py", PONTOON_QUICK="1")) < 10_000


@pytest.mark.slow
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_in_its_quick_form(notebook):
    assert len(run(notebook, PONTOON_QUICK="1")) < 10_000


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_in_full(notebook):
    run(notebook)
