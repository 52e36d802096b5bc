"""The web client holds no rule of the game: every text, number and name of the game comes with the view."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pontoon.rulebook import NAMES, load
from pontoon.web import STATIC
from tools import view_types

SCRIPTS = sorted(STATIC.rglob("*.js"))
WIDTH = 120
ODDS = re.compile(r"\b\d+(?::| to )\d+\b")
"""`3:2`, `3 to 2`."""
TOTALS = re.compile(r"\b(?:hard|soft) \d|\b(?:stands?|draws?) (?:on|to) \d")
"""`hard 17`, `stand on 11`."""
COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.DOTALL)


def code(script: Path) -> str:
    """A script without its comments, which may show examples."""
    return COMMENT.sub("", script.read_text(encoding="utf-8"))


def found(pattern: str | re.Pattern[str]) -> list[str]:
    """Where the client's code has this."""
    return [f"{script.name}: {match[0]}" for script in SCRIPTS for match in re.finditer(pattern, code(script))]


def test_the_checks_below_find_what_they_look_for():
    assert SCRIPTS
    assert ODDS.search('"Pontoon pays 3 to 2"')
    assert ODDS.search('odds("payout.pontoon", "3:2")')
    assert TOTALS.search("Dealer draws to hard 16")
    assert TOTALS.search("stand on 17")
    assert COMMENT.sub("", 'a = 1; // "3:2"\nb = "http://x"; /* 3 to 2 */') == 'a = 1; \nb = "http://x"; '


def test_no_odds_and_no_totals_in_the_client():
    assert found(ODDS) == []
    assert found(TOTALS) == []


def test_no_rulebook_is_named_in_the_client():
    assert found(rf"\b(?:{'|'.join(map(re.escape, NAMES))})\b") == []


@pytest.mark.parametrize("name", NAMES)
def test_no_side_wager_is_named_in_the_client(name: str):
    for bet in load(name).side:
        assert found(rf"(?i)\b{bet.name}\b|\b{bet.title}\b") == []


def test_no_line_is_wider_than_120_columns():
    files = [*SCRIPTS, *STATIC.parent.rglob("*.d.ts")]
    lines = [
        (file, number, line) for file in files for number, line in enumerate(file.read_text("utf-8").split("\n"), 1)
    ]
    assert [f"{one.name}:{number}" for one, number, line in lines if len(line) > WIDTH] == []


def test_the_types_of_the_views_are_current():
    assert view_types.main(["--check"]) == 0


def test_the_types_follow_the_structures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A file that differs is out of date; the tool rewrites it."""
    monkeypatch.setattr(view_types, "ROOT", tmp_path)
    monkeypatch.setattr(view_types, "FILE", tmp_path / "view.d.ts")
    assert view_types.main(["--check"])
    assert view_types.main([]) == 0
    assert view_types.main(["--check"]) == 0
    text = view_types.FILE.read_text("utf-8")
    assert "interface ClothView {\n  title: string;\n  boxes: number;\n" in text
    assert "  dealer?: DealerView | null;\n" in text
    view_types.FILE.write_text(text.replace("boxes: number", "boxes: string"), encoding="utf-8")
    assert view_types.main(["--check"])
