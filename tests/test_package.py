"""What is true of the package as a whole: light to import, typed, and clean of the machine it was made on."""

import re
import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {"matplotlib", "numba", "numpy", "rich", "typer"}

# Built from parts, so that this file does not find itself.
MACHINE_PATH = re.compile(rb"(?<![\w.~-])/(?:" + b"|".join([b"work", b"root", b"home", b"Users"]) + rb")/\w")


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [ROOT / name for name in listed.decode().split("\0") if name]


def test_importing_pontoon_imports_nothing_heavy():
    code = f"import sys, pontoon; print(sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_pontoon_takes_no_time():
    code = "from time import perf_counter as now; begun = now(); import pontoon; print(now() - begun)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(3)]
    assert min(float(done.stdout) for done in runs) < 0.2


def test_the_package_says_that_it_is_typed():
    assert resources.files("pontoon").joinpath("py.typed").is_file()


def test_the_command_is_installed():
    [command] = metadata.entry_points(group="console_scripts", name="pontoon")
    assert callable(command.load())


def test_the_constraints_name_no_address():
    assert "://" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")


def test_no_lock_file_is_tracked():
    assert [path for path in tracked() if path.name == "uv.lock"] == []


def test_no_tracked_file_names_a_path_of_some_machine():
    found = [
        f"{path.relative_to(ROOT)}: {match[0].decode()}..."
        for path in tracked()
        if path.is_file()
        for match in MACHINE_PATH.finditer(path.read_bytes())
    ]
    assert found == []
