"""Every promise in docs/security.md and docs/operating.md names a test that exists."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMED = re.compile(r"`(test_\w+|bench/\w+\.py)`")
PROOF = ("shown by", "test")
"""The headings of a column that names tests."""
UNPROVED = ("–", "from the code, untested")
"""What such a column says where there is no test."""


@cache
def known_tests() -> frozenset[str]:
    """The names of all test functions."""
    texts = (file.read_text("utf-8") for file in (ROOT / "tests").rglob("*.py"))
    return frozenset(name for text in texts for name in re.findall(r"def (test_\w+)", text))


def promises(document: str) -> list[tuple[str, str]]:
    """The rows of the tables that have a column of tests: the first cell, and that column."""
    found, open_table = [], False
    for line in (ROOT / "docs" / document).read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            open_table = False
        elif cells[-1] in PROOF:
            open_table = True
        elif open_table and not cells[-1].startswith("---"):
            found.append((cells[0], cells[-1]))
    return found


@pytest.mark.parametrize("document", ["security.md", "operating.md"])
def test_every_promise_names_a_test_that_exists(document):
    rows = promises(document)
    assert len(rows) > 30
    for promise, proof in rows:
        names = NAMED.findall(proof)
        assert names or proof in UNPROVED, f"{promise}: {proof!r} names no test"
        missing = [name for name in names if name not in known_tests() and not (ROOT / name).is_file()]
        assert not missing, f"{promise}: {missing}"


@pytest.mark.parametrize("document", ["security.md", "operating.md"])
def test_names_of_tests_outside_tables_exist_too(document):
    named = NAMED.findall((ROOT / "docs" / document).read_text("utf-8"))
    assert [name for name in named if name not in known_tests() and not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("number", ["h1", "h2", "h3", "h4", "h5", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"])
def test_every_known_weakness_has_a_test(number):
    assert any(name.startswith(f"test_{number}_") for name in known_tests())
