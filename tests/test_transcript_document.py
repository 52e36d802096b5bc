"""docs/transcript.md: every line it shows can be read."""

from __future__ import annotations

import re
from pathlib import Path

from pontoon.transcript import Replay, read, replay, result
from pontoon.transcript.lines import HAND_VERBS, OFFICIALS, read_line

DOC = Path(__file__).parents[1] / "docs" / "transcript.md"
SEATS = {1: ("Ann", "Bob"), 2: ("Bob",), 3: ("Ann",), 4: ("Ann", "Bob")}


def lines() -> list[str]:
    """The lines in code style that begin as an action line does, with what is optional in them and without."""
    spans = re.findall(r"`((?:b[0-9]|dealer|supervisor|house) ?[^`]*|b[0-9]/[^`]*)`", DOC.read_text("utf-8"))
    shown = [span for span in spans if " " in span]
    without = [re.sub(r" \[[^]]*\]", "", span) for span in shown]
    return [*without, *(span.replace("[", "").replace("]", "") for span in shown if "[" in span)]


def test_every_line_of_the_document_can_be_read() -> None:
    found = [read_line(line, SEATS) for line in lines()]
    assert {line.verb for line in found} >= set(HAND_VERBS)
    assert {(line.player, line.text.split()[1]) for line in found if not line.box} >= {
        (who, verb) for who in ("dealer", "supervisor") for verb in OFFICIALS[who]
    }


def test_the_example_settles_as_it_says() -> None:
    example = re.search(r"```toml\n(.*?)```", DOC.read_text("utf-8"), re.DOTALL)
    assert example is not None
    round_ = replay(read(example[1]))
    assert isinstance(round_, Replay)
    assert result(round_)["paid_differences"] == []
