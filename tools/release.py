"""Check a release from its tag to an installed wheel: `python tools/release.py v0.2.0`, or `--untagged` before tagging.

Each line is a check; the exit status is 1 if one fails. Built files are left in dist/. It needs uv and pyright (dev.py
installs both).

  the tag       on a clean checkout; its version is that of the package and of the newest entry of CHANGELOG.md
  the files     a wheel and an sdist; the wheel made from the sdist has the same files; rulebooks, schemas and the
                documentation are in it
  smallest      the wheel in a new environment with its one dependency: settles a round, and says what else is needed
  with extras   the wheel with `rl`: computes; a program outside the package passes mypy and pyright in strict mode
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
BIN = Path(sys.executable).parent
UNTAGGED = "--untagged"
UV = shutil.which("uv", path=os.pathsep.join([str(BIN), os.environ.get("PATH", "")])) or "uv"
NEEDED = (
    "pontoon/py.typed",
    "pontoon/rulebook/books/star.toml",
    "pontoon/cli/schemas/edge.json",
    "pontoon/web/static/index.html",
    "pontoon/web/docs.zip",
    "pontoon/view/catalogue/en.toml",
)
SETTLED = "Ann    -10.00"
MISSING = "pip install 'pontoon21[fast]'"


class FailedError(Exception):
    """A check failed; the message says how."""


def said(*command: str | Path, status: int = 0, folder: Path = ROOT) -> str:
    """What a command prints; FailedError if its exit status is another."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "PONTOON_"))}
    path = os.pathsep.join([str(BIN), clean.get("PATH", "")])
    done = subprocess.run(  # noqa: S603 our own commands
        [str(part) for part in command],
        cwd=folder,
        env=clean | {"PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != status:
        words = (done.stdout + done.stderr).strip().splitlines()[-8:]
        raise FailedError(f"{' '.join(map(str, command))}: exit {done.returncode}\n    " + "\n    ".join(words))
    return done.stdout + done.stderr


def version() -> str:
    """The version, from its one place."""
    found = re.search(r'__version__ = "([^"]+)"', (ROOT / "src/pontoon/version.py").read_text(encoding="utf-8"))
    assert found is not None
    return found[1]


def check_tag(tag: str) -> str:
    """The tag names this version, this commit and the newest entry of the changelog."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"(?m)^## (.+)$", changes)
    if tag == UNTAGGED:
        return f"version {version()}, not tagged; the newest entry of the changelog is {newest and newest[1]}"
    if tag != f"v{version()}":
        raise FailedError(f"{tag} is not v{version()}, the version in src/pontoon/version.py")
    if newest is None or newest[1].split()[0] != version():
        raise FailedError(f"the newest entry of CHANGELOG.md is {newest and newest[1]}, not {version()}")
    if said("git", "status", "--porcelain").strip():
        raise FailedError("the checkout has changes that are not committed")
    if said("git", "rev-parse", f"{tag}^{{commit}}") != said("git", "rev-parse", "HEAD"):
        raise FailedError(f"{tag} is not the commit that is checked out")
    return f"{tag} is checked out and in the changelog"


def check_files(_: str) -> str:
    """Build both files; the wheel from the sdist is the same."""
    shutil.rmtree(DIST, ignore_errors=True)
    said(sys.executable, "tools/site_archive.py")
    said(UV, "build", "--sdist", "--wheel", "--out-dir", DIST, ROOT)
    wheel, sdist = next(DIST.glob("*.whl")), next(DIST.glob("*.tar.gz"))
    with TemporaryDirectory() as folder:
        said(UV, "build", "--wheel", "--out-dir", folder, sdist)
        again = names_in(next(Path(folder).glob("*.whl")))
    found = names_in(wheel)
    if again != found:
        raise FailedError(f"the wheel of the sdist differs: {sorted(again ^ found)[:5]}")
    missing = [name for name in NEEDED if name not in found]
    if missing or any(name.startswith("tests/") for name in found):
        raise FailedError(f"missing from the wheel: {missing}, or tests are in it")
    return f"{wheel.name} has {len(found)} files and {wheel.stat().st_size / 1e6:.1f} MB"


def names_in(wheel: Path) -> set[str]:
    """The files of a wheel, without its own record."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.endswith("RECORD")}


def installed(folder: Path, extra: str = "") -> Path:
    """The `pontoon` command of a new environment with the wheel."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    said(UV, "venv", "--python", sys.executable, folder)
    wheel = next(DIST.glob("*.whl"))
    project = f"{wheel}[{extra}]" if extra else str(wheel)
    said(UV, "pip", "install", "--python", python, "-c", ROOT / "constraints.txt", project)
    return python.with_name("pontoon.exe" if os.name == "nt" else "pontoon")


def check_smallest(_: str) -> str:
    """The wheel alone settles a round, prints its schemas, and says in one line what a computation needs."""
    with TemporaryDirectory() as place:
        pontoon = installed(Path(place) / "env")
        if said(pontoon, "--version").strip() != f"pontoon {version()}":
            raise FailedError("the command prints another version")
        if SETTLED not in said(pontoon, "settle", ROOT / "examples" / "dealer-pontoon.prt"):
            raise FailedError("the round is settled otherwise")
        said(pontoon, "rules", "canberra", "--json")
        said(pontoon, "schema", "edge")
        shoe = ["simulate", "star", "--rounds", "1000"]
        lines = said(pontoon, *shoe, status=2).strip().splitlines()
        if len(lines) != 1 or MISSING not in lines[0]:
            raise FailedError(f"pontoon {' '.join(shoe)} without numpy prints {lines}")
        listed = said(UV, "pip", "list", "--format", "freeze", "--python", pontoon.with_name("python"))
    others = [line for line in listed.splitlines() if "==" in line and not line.startswith("pontoon21")]
    return f"works with {', '.join(others)} alone"


def check_extras(_: str) -> str:
    """With `rl` it computes, and a program outside the package passes mypy and pyright in strict mode."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        pontoon = installed(folder / "env", "rl")
        python = pontoon.with_name(f"python{pontoon.suffix}")
        first = said(pontoon, "ev", "star", "--hand", "88", "--dealer", "10", "--format", "csv").splitlines()
        if not any(line.startswith("star,8,10.00,split,-0.456") for line in first):
            raise FailedError(f"8-8 against a picture is valued otherwise: {first}")
        program = shutil.copy(ROOT / "tests" / "outside" / "program.py", folder / "program.py")
        said(BIN / "mypy", "--strict", "--python-executable", python, program, folder=folder)
        (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
        said(BIN / "pyright", "--pythonpath", python, program, folder=folder)
    return "computes the value of a decision; mypy and pyright find no fault in a program outside"


CHECKS: dict[str, Callable[[str], str]] = {
    "the tag": check_tag,
    "the files": check_files,
    "smallest": check_smallest,
    "with extras": check_extras,
}


def lines(tag: str) -> Iterator[tuple[bool, str]]:
    """Each check with its result."""
    for name, check in CHECKS.items():
        try:
            yield True, f"ok      {name}: {check(tag)}"
        except FailedError as error:
            yield False, f"FAILED  {name}: {error}"


def main(arguments: list[str]) -> int:
    """Run every check."""
    if len(arguments) != 1 or not (arguments[0] == UNTAGGED or arguments[0].startswith("v")):
        print("usage: python tools/release.py v0.2.0 | --untagged", file=sys.stderr)
        return 2
    failed = 0
    for passed, line in lines(arguments[0]):
        print(line, flush=True)
        failed += not passed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
