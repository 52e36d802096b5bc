"""The documentation site's own tools."""

import doctest
import re
import shlex
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from pontoon.cli import _spelled_out, parser
from pontoon.rulebook import NAMES, digest, load
from tests.test_readme import Example, blocks, examples, matches, run
from tools import site_commands, site_pages
from tools.site_links import on_page_markdown

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))


def test_a_link_that_leaves_the_site_becomes_plain_text(caplog):
    page = SimpleNamespace(file=SimpleNamespace(src_path="library.md"))
    text = "[six programs](../examples/python) and [the table](table.md)"
    assert on_page_markdown(text, page) == "six programs (`examples/python`) and [the table](table.md)"
    assert not caplog.records
    on_page_markdown("[nothing](../nowhere.md)", page)
    assert "no such file: ../nowhere.md" in caplog.text


def test_every_document_has_a_place_on_the_site():
    listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")]
    assert [page for page in pages if page not in listed] == []


# --- what the site shows runs ---------------------------------------------------------------------------


def console(page: Path) -> list[Example]:
    """The `$ pontoon` lines of a page, with the output shown below them."""
    found = blocks(page.read_text(encoding="utf-8"))
    lines = [example for block in found if block.language in ("", "console") for example in examples(block)]
    return [example for example in lines if example.command.startswith("pontoon ")]


MADE = {"my-chart.json", "spring", "round.prt", "table-1.shoe.json"}
"""Files that the reader of a page has made, or would make."""
SHOWN = [(page, example) for page in PAGES if page.parent.name != "tutorials" for example in console(page)]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("page", "example"),
    [
        pytest.param(page, example, id=f"{page.name}: {example.command}")
        for page, example in SHOWN
        if not MADE & set(example.command.split())
    ],
)
def test_every_command_of_the_site_prints_what_it_shows(page, example):
    """A page that shows no output only wants the command to succeed."""
    printed = run(example.command)
    assert not example.shown or matches(example.shown, printed), f"{page.name}: {example.command}\n{printed}"


TYPED = {"pontoon play star --line --seed 3 --rounds 1": "10\ns\n"}
"""What the reader of a tutorial types."""
QUICK = {"club.md", "dispute.md"}
"""Tutorials that need no computed values."""
FILE = re.compile(r'^```[{.\w]+ title="([^"]+)"}?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
COMPILING = re.compile(r"^pontoon: compiling .*\n", re.MULTILINE)
"""Printed only the first time."""
SNIPPET = re.compile(r'^--8<-- "([^"]+)"$', re.MULTILINE)


def follow(tutorial: Path, folder: Path) -> int:
    """Do what a tutorial says in an empty folder: save its files, then run its commands; how many there were."""
    text = tutorial.read_text(encoding="utf-8")
    for name, content in FILE.findall(text):
        whole = SNIPPET.sub(lambda found: (ROOT / found[1]).read_text(encoding="utf-8").rstrip(), content)
        (folder / name).write_text(whole, encoding="utf-8")
    shown = [example for block in blocks(text) if block.language == "console" for example in examples(block)]
    for example in shown:
        printed = COMPILING.sub("", run(example.command, folder, TYPED.get(example.command, "")))
        assert matches(example.shown, printed), f"{example.command}\n{printed}"
    return len(shown)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "tutorial",
    [
        pytest.param(page, id=page.stem, marks=() if page.name in QUICK else pytest.mark.slow)
        for page in PAGES
        if page.parent.name == "tutorials" and page.stem != "bot"
    ],
)
def test_a_tutorial_can_be_followed_in_an_empty_folder(tutorial, tmp_path):
    assert follow(tutorial, tmp_path) >= 2


def test_the_six_tutorials_are_there():
    assert {page.stem for page in (DOCS / "tutorials").glob("*.md")} == {
        *("agent", "bot", "club", "dispute", "play", "rule")
    }


ELSEWHERE = {"library.md", "environment.md"}
"""Their Python blocks have tests of their own."""
WITH_PYTHON = [page for page in PAGES if page.name not in ELSEWHERE and ">>> " in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page):
    found = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted
    assert not found.failed


def test_every_python_block_is_run_somewhere():
    plain = [
        (page.name, block.line)
        for page in PAGES
        for block in blocks(page.read_text(encoding="utf-8"))
        if block.language == "python" and ">>>" not in block.text and not block.text.startswith("import")
    ]
    assert plain == []


# --- generated pages ------------------------------------------------------------------------------------


def test_the_examples_in_the_help_of_every_command_are_valid(monkeypatch, tmp_path):
    """Every example is read by the parser; files that it names need not exist, except rulebooks."""
    for name in ("my-casino.toml", "mine.toml"):
        shutil.copy(ROOT / "examples" / "python" / "my-casino.toml", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    lines = [line.strip() for line in site_commands.reference().splitlines() if line.startswith("  pontoon ")]
    assert len(lines) > 90
    for line in lines:
        command = re.split(r" (?:&&|>|<|\||#) ?", line)[0]
        given = _spelled_out(shlex.split(command)[1:])
        try:
            parser(given[0]).parse_args(given)
        except SystemExit as ended:
            pytest.fail(f"{line}: exit {ended.code}")


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_rulebook_has_its_rules_and_its_edges(name):
    """The digest is that of the book, and the edges are those of the results."""
    rules, text = load(name), (site_pages.BOOKS / f"{name}.md").read_text(encoding="utf-8")
    assert f"Rules `{digest(rules)}`." in text
    results = (DOCS / "results.md").read_text(encoding="utf-8")
    for packs in rules.decks.allowed:
        [edge] = re.findall(rf"(?m)^\| {packs} \| ([\d.]+)% \|", text)
        row = re.search(rf"(?m)^\| {name} \| {packs} \| [\d.]+ \| ([\d.]+) \|", results)
        assert row is not None
        assert row[1] == edge


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_rulebook_is_made_again(name):
    assert site_pages.book_page(name) == (site_pages.BOOKS / f"{name}.md").read_text(encoding="utf-8")
