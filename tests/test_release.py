"""What a release needs: one version, a changelog, a citation, types for those outside, an installed wheel."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import pontoon
from tests.test_readme import checked
from tools import release

ROOT = Path(__file__).resolve().parent.parent


def test_the_version_is_in_one_place():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" in project["dynamic"]
    assert release.version() == pontoon.__version__
    assert "version:" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8").replace("cff-version:", "")


def test_a_tag_of_another_version_is_refused():
    with pytest.raises(release.FailedError, match="is not v"):
        release.check_tag("v9.9.9")
    assert release.main(["9.9.9"]) == 2


def test_every_command_is_there_in_the_smallest_install():
    """Nothing but msgspec: the command line imports numpy, numba and the rest only when a command needs them."""
    blocked = ["numpy", "numba", "polars", "pandas", "matplotlib", "gymnasium", "fastapi", "textual", "websockets"]
    code = f"import sys; sys.modules |= dict.fromkeys({blocked!r}); from pontoon.cli import parser; parser()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_a_program_outside_passes_mypy():
    assert checked(ROOT / "tests" / "outside" / "program.py") == ""


@pytest.mark.timeout(900)
def test_the_wheel_and_the_sdist_are_built_and_the_smallest_install_works():
    """In a new environment, with the one dependency; it needs uv and a package index."""
    try:
        assert release.check_files("").startswith("pontoon21-")
        assert release.check_smallest("").startswith("works with msgspec")
    except (release.FailedError, FileNotFoundError) as error:
        if re.search("Failed to fetch|error sending request|No such file or directory: 'uv'", str(error)):
            pytest.skip("there is no uv or no package index here")
        raise


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_everything_that_a_release_needs():
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "tools/release.py", release.UNTAGGED],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
