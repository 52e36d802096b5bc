"""The two commands of this project; they work in a fresh checkout with only Python 3.11 or later.

    python3 dev.py serve              set up .venv and serve tables; further arguments go to `pontoon serve`
    python3 dev.py test               set up .venv and run every check

    python3 dev.py test tests/test_package.py -k heavy     run only pytest, with these arguments
    python3 dev.py test -m slow                            run the slow tests
    python3 dev.py docs                                    build the documentation site and serve it on port 8049
    python3 dev.py setup                                   only set up .venv, with all the tools

A stamp file in .venv records what is installed; nothing is installed twice.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
EXE = ".exe" if os.name == "nt" else ""
PYTHON = BIN / f"python{EXE}"
PONTOON = BIN / f"pontoon{EXE}"
STAMP = VENV / "installed.txt"
PATH = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
ENVIRONMENT = os.environ | {"VIRTUAL_ENV": str(VENV), "PATH": PATH, "NO_MKDOCS_2_WARNING": "1"}
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)  # the tests start hundreds of programs: each would compile everything

HEAVY = [
    *(
        f"src/pontoon/{name}"
        for name in ("analysis", "environment", "simulation", "strategy", "store", "server", "terminal", "trainer")
    ),
    *(f"tests/{name}" for name in ("agreement", "analysis", "environment", "published", "simulation", "strategy")),
    *(
        f"tests/{name}"
        for name in ("store", "server", "view", "terminal", "browser", "properties", "client", "trainer", "school")
    ),
    *(f"tests/table/test_{name}.py" for name in ("planted_errors", "reconstruction_twins", "table_machine")),
    *(f"tests/tournament/test_{name}.py" for name in ("any_command", "random_tournaments", "run_command")),
    *(
        f"tests/test_{name}.py"
        for name in ("bench", "citations", "deal_command", "examples", "json_outputs", "play", "readme", "release")
    ),
]
"""Millions of rounds, thousands of crashes, whole programs: run without coverage, which would make them several times
slower. The other tests provide the required coverage."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
"""Browsers that tests/browser can drive, by their command names."""
OWN_BROWSER = """
import os, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as play:
    sys.exit(not os.path.exists(play.chromium.executable_path))
"""
TYPESCRIPT = "7.0.2"
"""Version of the web client's type checker; installed with npm, which comes with the Node.js wheel in the dev extra."""
TSC = VENV / "typescript"
TSC_SCRIPT = TSC / "node_modules" / "typescript" / "bin" / "tsc"
WEB = "src/pontoon/web/static"
DOCS = [str(PYTHON), "tools/site_archive.py"]
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"  # no `-m` for it
MOST_WORKERS = 8
Gate = tuple[str, list[list[str]]]
"""The title of a check, and its commands."""
USAGE_ERROR = 2
INTERRUPTED = 130


# --- setting up ----------------------------------------------------------------------------------------


def fingerprint(extras: str) -> str:
    """A text that identifies what .venv should hold: the two files, the location and the extras."""
    parts = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    digest = hashlib.sha256(b"\0".join([*parts, os.fsencode(ROOT)])).hexdigest()
    return f"pontoon21[{extras}] {digest}"


def is_ready(extras: str) -> bool:
    """Whether .venv has these extras; `dev` includes all the others."""
    if not (STAMP.is_file() and PYTHON.exists() and PONTOON.exists()):
        return False
    return STAMP.read_text(encoding="utf-8") in {fingerprint(extras), fingerprint("dev")}


def setup(extras: str) -> None:
    """Install the project with these extras into .venv, unless that has been done already."""
    if is_ready(extras):
        return
    STAMP.unlink(missing_ok=True)
    with step("make .venv"):
        make_venv()
    with step("get uv"):
        uv = find_uv()
    project = f".[{extras}]" if extras else "."
    arguments = ["-e", project, "-c", "constraints.txt"]
    installed = False
    if uv:
        with step(f"install {project} with uv"):
            installed = quietly([uv, "pip", "install", "--python", str(PYTHON), *arguments]) is None
            print("" if installed else " failed,", end="")
    if not installed:
        with step(f"install {project} with pip"):
            complaint = quietly([str(PYTHON), "-m", "pip", "install", *arguments])
            if complaint is not None:
                raise SystemExit(f"\n{complaint}\ndev.py: could not install the project")
    STAMP.write_text(fingerprint(extras), encoding="utf-8")


def make_venv() -> None:
    """Create .venv, or recreate it if its Python no longer runs or it has no pip."""
    if PYTHON.exists() and quietly([str(PYTHON), "-m", "pip", "--version"]) is None:
        return
    complaint = quietly([sys.executable, "-m", "venv", "--clear", str(VENV)])
    if complaint is not None:
        hint = "on Debian and Ubuntu: apt-get install python3-venv"
        raise SystemExit(f"\n{complaint}\ndev.py: this Python cannot make a virtual environment ({hint})")


def find_uv() -> str | None:
    """The path of uv, or None if it cannot be installed; pip is the slower fallback."""
    own = BIN / f"uv{EXE}"
    if not own.exists() and (found := shutil.which("uv")):
        return found
    if not own.exists():
        quietly([str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "uv"])
    return str(own) if own.exists() else None


def find_browser() -> None:
    """Make sure there is a browser for tests/browser: one already here, the system's package, or Playwright's own."""
    if any(map(shutil.which, BROWSERS)) or has_own_browser():
        return
    apt = shutil.which("apt-get")
    if apt and hasattr(os, "geteuid") and os.geteuid() == 0:
        with step("install chromium with apt-get"):
            install = [apt, "install", "-y", "--no-install-recommends", "chromium"]
            failed = quietly(install) and (quietly([apt, "update"]) or quietly(install))
            print(" failed," if failed else "", end="")
        if not failed:
            return
    with step("install chromium with playwright"):
        complaint = quietly(tool("playwright", "install", "chromium"))
        print(" failed," if complaint else "", end="")
    if complaint:
        print(f"dev.py: no browser available ({', '.join(BROWSERS)}): tests/browser will be skipped (in CI they fail)")


def find_typescript() -> None:
    """Install the type checker for the web client into .venv with npm."""
    if has_typescript():
        return
    complaint: str | None = "npm not found"
    with step(f"install typescript {TYPESCRIPT} with npm"):
        if npm := shutil.which("npm", path=PATH):
            options = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund"]
            complaint = quietly([npm, "install", "--prefix", str(TSC), *options, f"typescript@{TYPESCRIPT}"])
        print(" failed," if complaint else "", end="")
    if complaint:
        print(f"{complaint}\ndev.py: no TypeScript: the web client's types will not be checked (in CI the gate fails)")


def has_typescript() -> bool:
    """Whether .venv holds the required version of TypeScript and there is a Node.js to run it."""
    package = TSC / "node_modules" / "typescript" / "package.json"
    if not package.is_file() or not shutil.which("node", path=PATH):
        return False
    return bool(json.loads(package.read_text(encoding="utf-8"))["version"] == TYPESCRIPT)


def has_own_browser() -> bool:
    """Whether Playwright has installed its own browser."""
    return quietly([str(PYTHON), "-c", OWN_BROWSER]) is None


def quietly(command: list[str]) -> str | None:
    """Run a command without showing its output; return None on success, otherwise the output."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return None if done.returncode == 0 else done.stdout.rstrip() or f"exit {done.returncode}"


@contextlib.contextmanager
def step(title: str) -> Iterator[None]:
    """Print one line for a setup step, with the time it took."""
    print(f"dev.py: {title} ...", end="", flush=True)
    start = time.monotonic()
    yield
    print(f" {time.monotonic() - start:.1f} s", flush=True)


# --- running -------------------------------------------------------------------------------------------


def loudly(command: list[str]) -> int:
    """Run a command on this terminal and return its exit status; on Ctrl-C wait for it to finish."""
    with subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.wait()
            raise


def serve(arguments: list[str]) -> int:
    """Run the table server; without arguments, with a demonstration table played by bots."""
    setup("all")
    return loudly([str(PONTOON), "serve", *(arguments or ["--demo"])])


def test(arguments: list[str]) -> int:
    """Run every gate, even after one has failed; with arguments, run only pytest with them."""
    setup("dev")
    find_browser()
    if arguments:
        return loudly([*tool("pytest"), *arguments])
    find_typescript()
    with ThreadPoolExecutor(1) as background:  # the quiet gates need one core; the tests have the others
        found = [(title, background.submit(passes, title, gate)) for title, gate in quiet_gates()]
        failed = [title for title, gate in loud_gates() if not passes(title, gate)]
    failed += [title for title, passed in found if not passed.result()]
    print(f"dev.py: failed: {', '.join(failed)}" if failed else "dev.py: all gates ok", flush=True)
    return 1 if failed else 0


def docs(arguments: list[str]) -> int:
    """Build the documentation site, with every link checked, and serve it; pages change as their files do."""
    setup("dev")
    if loudly(DOCS):
        return 1
    return loudly(tool("mkdocs", "serve", "--dev-addr", "127.0.0.1:8049", *arguments))


def tool(module: str, *arguments: str) -> list[str]:
    """The command line for a tool in .venv."""
    return [str(PYTHON), "-m", module, *arguments]


def quiet_gates() -> list[Gate]:
    """The checks that print only errors, in order; their settings are in pyproject.toml."""
    typed = [name for name in ("src", "tests", "bench", "tools", "dev.py") if has_python(ROOT / name)]
    return [
        ("ruff check", [tool("ruff", "check")]),
        ("ruff format", [tool("ruff", "format", "--check")]),
        ("mypy", [tool("mypy", *typed)]),
        ("lint-imports", [[str(PYTHON), "-c", LINT_IMPORTS, "--no-cache"]]),
        ("javascript", javascript()),
        ("documentation site", [DOCS]),
    ]


def loud_gates() -> list[Gate]:
    """The tests in order, with all their output."""
    workers = str(min(os.cpu_count() or 1, MOST_WORKERS))
    more = str(min((os.cpu_count() or 1) + 2, MOST_WORKERS))  # many of these tests wait for a process or a timer
    light = [f"--ignore={path}" for path in HEAVY]
    return [
        ("pytest", [tool("coverage", "erase"), tool("coverage", "run", "-m", "pytest", "-n", workers, *light)]),
        ("pytest, the heavy part", [tool("pytest", "-n", more, "--dist=worksteal", "--durations=20", *HEAVY)]),
        ("coverage", [tool("coverage", "combine", "--quiet"), tool("coverage", "report")]),
    ]


def javascript() -> list[list[str]]:
    """The commands that check the web client: format, lint, types. Without TypeScript the last fails in CI only."""
    oxfmt, oxlint = (str(BIN / f"{name}{EXE}") for name in ("oxfmt", "oxlint"))
    commands = [[oxfmt, "--check", WEB], [oxlint, "--deny-warnings", WEB]]
    if has_typescript():
        commands.append([shutil.which("node", path=PATH) or "node", str(TSC_SCRIPT), "-p", "jsconfig.json"])
    elif os.environ.get("CI"):
        commands.append([str(PYTHON), "-c", "raise SystemExit('dev.py: no TypeScript, so no types were checked')"])
    return commands


def has_python(path: Path) -> bool:
    """Whether there is Python code at this path."""
    return path.is_file() or any(path.rglob("*.py"))


def passes(title: str, commands: list[list[str]]) -> bool:
    """Run one gate and print the result. pytest and coverage show all output, the others only errors."""
    start = time.monotonic()
    passed = True
    said = ""
    for command in commands:
        if title.startswith("pytest") or title == "coverage":
            passed = passed and loudly(command) == 0
        elif (complaint := quietly(command)) is not None:
            said += f"\n{complaint}\n"
            passed = False
    result = "ok" if passed else "FAILED"
    print(f"{said}dev.py: {title}: {result}, {time.monotonic() - start:.1f} s", flush=True)
    return passed


def main(arguments: list[str]) -> int:
    """Run the command and return the exit status."""
    if sys.version_info < (3, 11):  # noqa: UP036  an older Python gets a clear message
        print("dev.py: this project needs Python 3.11 or later", file=sys.stderr)
        return USAGE_ERROR
    command, *rest = arguments or ["help"]
    if command in {"help", "-h", "--help"}:
        print((__doc__ or "").rstrip())
        return 0
    if command == "serve":
        return serve(rest)
    if command == "test":
        return test(rest)
    if command == "docs":
        return docs(rest)
    if command == "setup" and not rest:
        setup("dev")
        find_typescript()
        print("dev.py: .venv is ready")
        return 0
    print(f"dev.py: no such command: {' '.join(arguments)} (choose from serve, test, docs, setup)", file=sys.stderr)
    return USAGE_ERROR


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("\ndev.py: stopped")
        sys.exit(INTERRUPTED)
