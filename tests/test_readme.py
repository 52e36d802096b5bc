"""The examples of the README and of the library's reference are run, print what is shown, and pass our own mypy.

A line that is only `...` in shown output stands for any lines.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
WITH_PYTHON = (README, ROOT / "docs" / "library.md")
PROMPT = "$ "


class Block(NamedTuple):
    language: str
    line: int
    text: str


class Example(NamedTuple):
    line: int
    command: str
    shown: str


def blocks(markdown: str) -> list[Block]:
    """The fenced blocks of a document, each with the number of its first line."""
    fence = re.compile(r"^```(\w*)[^\n`]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
    return [
        Block(match[1], markdown.count("\n", 0, match.start(2)) + 1, match[2]) for match in fence.finditer(markdown)
    ]


def examples(block: Block) -> list[Example]:
    """The commands of a console block, each with the output shown under it."""
    found: list[Example] = []
    for number, line in enumerate(block.text.splitlines(), start=block.line):
        if line.startswith(PROMPT):
            found.append(Example(number, line.removeprefix(PROMPT).strip(), ""))
        elif found and found[-1].command.endswith("\\"):
            last = found[-1]
            found[-1] = last._replace(command=f"{last.command[:-1]}{line.removeprefix('>').strip()}")
        elif found:
            found[-1] = found[-1]._replace(shown=f"{found[-1].shown}{line}\n")
    return found


def tidy(output: str) -> str:
    return "\n".join(line.rstrip() for line in output.splitlines()).strip("\n")


def matches(shown: str, printed: str) -> bool:
    """Whether printed lines are the shown ones, where a line `...` stands for any lines, also none."""
    pattern = "".join(
        r"(?:[^\n]*\n)*" if line.strip() == "..." else f"{re.escape(line)}\n" for line in tidy(shown).splitlines()
    )
    return re.fullmatch(pattern, f"{tidy(printed)}\n" if tidy(printed) else "") is not None


def run(command: str, folder: Path = ROOT, typed: str = "") -> str:
    """What `pontoon ...` or `python ...` prints."""
    name, *arguments = shlex.split(command)
    assert name in ("pontoon", "python")
    suffix = ".exe" if os.name == "nt" else ""
    plain = {"COLUMNS": "80", "LINES": "24", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUTF8": "1"}
    colour = {"FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "GITHUB_ACTIONS"}
    done = subprocess.run(
        [Path(sys.executable).with_name(f"{name}{suffix}"), *arguments],
        cwd=folder,
        env={key: value for key, value in os.environ.items() if key not in colour} | plain,
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=540,
        check=False,
    )
    return done.stdout


BLOCKS = blocks(README.read_text(encoding="utf-8")) if README.exists() else []
EXAMPLES = [
    example
    for block in BLOCKS
    if block.language == "console"
    for example in examples(block)
    if example.command.split()[:1] == ["pontoon"]
]


def test_the_readme_shows_the_command():
    assert EXAMPLES, "README.md has no ```console block with a line `$ pontoon ...`"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"line {example.line}: {example.command}")
def test_the_command_prints_what_the_readme_shows(example: Example):
    printed = run(example.command)
    if not matches(example.shown, printed):
        assert tidy(printed) == tidy(example.shown), f"README.md line {example.line}: $ {example.command}"


def python_blocks(document: Path) -> list[Block]:
    found = blocks(document.read_text(encoding="utf-8"))
    return [block for block in found if block.language == "python" and ">>>" in block.text]


@pytest.mark.parametrize("document", WITH_PYTHON, ids=lambda path: path.name)
def test_the_python_in_a_document_gives_what_it_shows(document: Path):
    """Blocks run from top to bottom; a later block can use the names defined by earlier ones."""
    names: dict[str, object] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    report: list[str] = []
    found = python_blocks(document)
    assert found
    for block in found:
        parsed = doctest.DocTestParser().get_doctest(
            block.text, names, f"line {block.line}", str(document), block.line - 1
        )
        parsed.globs = names  # get_doctest copies; the blocks share
        runner.run(parsed, out=report.append, clear_globs=False)
    assert not runner.failures, "".join(report)


def checked(*files: Path) -> str:
    """The errors mypy reports for these files; empty if there are none."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", *files],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("document", WITH_PYTHON, ids=lambda path: path.name)
def test_the_python_in_a_document_passes_our_mypy(document: Path, tmp_path: Path):
    read = doctest.DocTestParser().get_examples
    lines = [example.source for block in python_blocks(document) for example in read(block.text)]
    file = tmp_path / "shown.py"
    file.write_text("".join(lines), encoding="utf-8")
    assert checked(file) == ""
    file.write_text("".join(lines) + "options(5)\n", encoding="utf-8")
    assert "incompatible type" in checked(file)


def test_dots_stand_for_any_lines():
    assert matches("one\n...\nfour", "one\ntwo\nthree\nfour\n")
    assert matches("one\n...", "one  \n\n")
    assert matches("", "")
    assert not matches("one\n...\nfour", "one\ntwo\n")
    assert not matches("", "one")


def test_a_console_block_is_read_as_commands_with_their_output():
    [block] = blocks("text\n\n```console\n$ pontoon a \\\n>   b\nsaid\n\n$ ls\n```\n")
    assert block.line == 4
    assert examples(block) == [Example(4, "pontoon a b", "said\n\n"), Example(8, "ls", "")]
