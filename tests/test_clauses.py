"""Every clause case: the outcome, and that the round really cites the clauses the case is named for."""

from __future__ import annotations

import pytest

from pontoon.transcript import Replay, read, replay, write
from tests.cases import Case, citations, load_cases, outcome

CASES = load_cases()


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_clause(case: Case) -> None:
    played = case.play()
    assert outcome(played, case.data["expect"]) == case.data["expect"]
    assert set(case.cited) <= citations(played), f"cited only {sorted(citations(played))}"


@pytest.mark.parametrize("case", [case for case in CASES if "refused" not in case.data["expect"]], ids=repr)
def test_a_settled_case_written_and_read_again_is_the_same_round(case: Case) -> None:
    played = case.play()
    assert isinstance(played, Replay)
    text = write(played.rules, played.events, decks=played.transcript.decks, limits=played.transcript.limits)
    again = replay(read(text))
    assert isinstance(again, Replay)
    assert again.state == played.state


def test_names_are_unique() -> None:
    names = [repr(case) for case in CASES]
    assert len(names) == len(set(names))


def test_every_case_is_named_by_a_clause_it_shows() -> None:
    for case in CASES:
        assert any(case.name.startswith(clause) for clause in (*case.cited, *case.shown)), case
