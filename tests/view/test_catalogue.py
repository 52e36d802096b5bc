"""The catalogue says everything there is to say, once: no code without a sentence, no sentence without a use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest
from msgspec.structs import fields

from pontoon.engine import Event, Refusal
from pontoon.engine.events import Offer, Result
from pontoon.engine.state import Phase
from pontoon.server.problems import STATUS
from pontoon.server.rooms.frames import ROOM_FACTS
from pontoon.server.rooms.permits import Role as ServerRole
from pontoon.table import events as t
from pontoon.table.commands import Reconstruct
from pontoon.table.commands import Role as TableRole
from pontoon.table.state import Device, TablePhase
from pontoon.tournament import events as te
from pontoon.view.catalogue import base_of, best_language, condition, entries, languages, say
from pontoon.view.catalogue.formats import FORMATS
from pontoon.view.catalogue.template import TemplateError, placeholders, template
from pontoon.view.events import ROUND_FACTS
from pontoon.view.questions import QUESTIONS, UNUSUAL
from pontoon.view.table_events import TABLE_FACTS
from pontoon.view.words import group, why
from tests.refusals import SOURCES, made

ENTRIES = entries("en")


def bases(name: str) -> set[str]:
    """The entries of a group, without variants."""
    return {base_of(key).removeprefix(f"{name}.") for key in ENTRIES if key.startswith(f"{name}.")}


# --- refusals ------------------------------------------------------------------------------------------


def test_every_refusal_has_its_sentence_and_every_sentence_a_refusal():
    codes = {code for code, _ in made()}
    assert len(codes) > 200
    assert sorted(codes - bases("refusal")) == []
    assert sorted(bases("refusal") - codes) == []
    assert set(STATUS) <= codes


def needed(text: str) -> set[str]:
    """The facts a sentence cannot do without, parts included."""
    found = list(placeholders(text))
    spared = {name for name, mark in found if mark}
    wanted = {name for name, _ in found} - spared
    return {name for name in wanted if not name.startswith("@")}.union(
        *(needed(ENTRIES[f"part.{name[1:]}"]) for name in wanted if name.startswith("@"))
    )


@pytest.mark.parametrize(("code", "facts"), made(), ids=lambda one: one if isinstance(one, str) else "")
def test_a_refusal_is_given_what_its_sentence_is_made_of(code: str, facts: frozenset[str]):
    rows = {key: text for key, text in ENTRIES.items() if base_of(key) == f"refusal.{code}"}
    variants = {key: text for key, text in rows.items() if condition(key)}
    held = {key: text for key, text in variants.items() if {fact for fact, _ in condition(key)} <= facts}
    for text in held.values() or [rows[f"refusal.{code}"]]:
        assert needed(text) <= facts


def test_a_refusal_is_said_with_its_facts():
    assert why(Refusal("out_of_turn", (), {"box": 2, "turn": 3})) == "it is box 3's turn, not box 2's"
    assert why(Refusal("too_early", (), {"phase": "initial_deal"})) == (
        "not during the initial deal: decisions begin after the deal and the offers"
    )
    assert why(Refusal("notice_runs", (), {"left": 3})) == "the notice is still running: 3 to go"
    assert why(Refusal("shoe_not_empty", (), {"left": 1})) == "1 card is left in the shoe"
    assert why(Refusal("insurance_taken", (), {"left": 250, "amount": 200_000})) == (
        "only $2.50 of this wager is left to insure, not $2,000"
    )
    assert why(Refusal("side_not_multiple", (), {"kind": "perfect_pairs", "multiple": 100})) == (
        "Perfect Pairs must be a multiple of $1"
    )


# --- events --------------------------------------------------------------------------------------------

PLACED = {"hands", "shared", "you"}
HAND = {"cards", "counted", "bust", "pontoon", "row", "doubled", "surrendered"}
MORE: dict[str, set[str]] = {
    "WagerPlaced": {"minimum"},
    "SideWagerPlaced": {"title"},
    "WagerTakenBack": {"amount"},
    "CardDealt": HAND,
    "OfferOpened": {"odds"},
    "InsuranceMade": {"other"},
    "TurnCame": {"player"},
    "Stood": {"total", "soft", "bust", "doubled"},
    "Settled": {"title", "paid"},
    "Reversed": {"title"},
    "CutOffered": {"first"},
    "LimitsAnnounced": {"minimum", "maximum"},
    "SideBetsOffered": {"titles"},
    "DisputeDecided": {"receives", "pays"},
    "LimitsSet": {"minimum", "maximum", "smallest_chip"},
    "BurnShown": {"card"},
    "RoundReconstructed": {"count"},
    "ExtraHandRemoved": {"count"},
    "LeftOverRemoved": {"count"},
    "DiscardsShuffled": {"count"},
    "CardsCollected": {"count"},
    "DiscardsReturned": {"count"},
    "TableMade": {"rulebook"},
    "ChipsMoved": {"difference"},
    "BallotDrawn": {"players", "tables", "again"},
    "SessionStarted": {"players"},
    "SessionEnded": {"best", "chips"},
    "SessionPrizesAwarded": {"winners", "amount"},
    "PlacesAwarded": {"first"},
    "PrizePaid": {"player", "amount", "place", "session"},
    "Cancelled": {"refunded"},
}
"""Facts that are no fields of their event."""


def facts_of(kind: type[Any]) -> set[str]:
    """Every fact that the sentence of an event may use."""
    names = ROUND_FACTS.get(kind) or TABLE_FACTS.get(kind) or [field.name for field in fields(kind)]
    return {*names, *MORE.get(kind.__name__, ()), *(PLACED if kind in ROUND_FACTS else ())}


def mentioned(text: str) -> set[str]:
    """Every fact a sentence names, parts included."""
    names = {name for name, _ in placeholders(text)}
    parts = (key for key in ENTRIES for name in names if name[0] == "@" and base_of(key) == f"part.{name[1:]}")
    return {name for name in names if name[0] != "@"}.union(
        *(mentioned(ENTRIES[key]) | {fact for fact, _ in condition(key)} for key in parts)
    )


AT_TABLES = {*ROUND_FACTS, *TABLE_FACTS, *(kind for kind, facts in ROOM_FACTS.items() if facts is not None)}


@pytest.mark.parametrize(
    ("name", "kinds"), [("event", AT_TABLES), ("tournament", set(te.TournamentEvent.__subclasses__()))]
)
def test_every_event_has_its_sentence_and_every_sentence_an_event(name: str, kinds: set[type[Any]]):
    assert bases(name) == {kind.__name__ for kind in kinds}
    for kind in kinds:
        for key, text in ENTRIES.items():
            if base_of(key) == f"{name}.{kind.__name__}":
                assert mentioned(text) | {fact for fact, _ in condition(key)} <= facts_of(kind), key


def test_every_kind_of_event_is_known_here():
    assert set(ROUND_FACTS) == set(Event.__subclasses__())
    assert set(TABLE_FACTS) == set(t.TableEvent.__subclasses__()) - {t.InRound, t.CardLeftShoe, t.Reported}


# --- groups --------------------------------------------------------------------------------------------

PYTHON = {
    "console",
    "command",
    "means",
    "happened",
    "alert",
    "format",
    "part",
    "event",
    "tournament",
    "refusal",
    "stands",
    "duty",
    "session",
    "question",
    "unusual",
    "end",
    "settle",
    "conditions",
    "template",
    "row",
}
"""Groups that the code asks for by name; the others are formats of placeholders."""
PARTS = {"outcome", "hand", "dealer", "total"}


def test_every_group_and_every_part_is_used():
    used = {found for text in ENTRIES.values() for found in formats(text)}
    groups = {key.split(".")[0] for key in ENTRIES}
    assert groups - used == PYTHON - {"row"}
    assert used <= groups | set(FORMATS)
    assert set(FORMATS) <= used
    included = {name[1:] for text in ENTRIES.values() for name, _ in placeholders(text) if name[0] == "@"}
    assert bases("part") == included | PARTS


def formats(text: str) -> Iterator[str]:
    for part in text.split(":")[1:]:
        name = part.split("}")[0].rstrip("^")
        if name.isidentifier() and "}" in part:
            yield name


def test_every_value_of_a_fact_has_its_words():
    assert set(group("phase")) == set(get_args(Phase))
    assert set(group("table_phase")) == set(get_args(TablePhase))
    assert set(group("offer")) == set(get_args(Offer))
    assert set(group("settle")) == set(get_args(Result))
    assert set(group("device")) == set(get_args(Device))
    assert set(group("role")) == {*get_args(TableRole), "supervisor"}
    assert set(group("a_role")) == set(get_args(ServerRole))
    assert bases("question") == set(QUESTIONS)
    assert bases("unusual") == set(UNUSUAL)
    assert set(group("way")) == set(get_args(get_type_hints(Reconstruct)["way"]))


def test_every_matter_a_document_may_be_silent_about_has_its_words():
    texts = [path.read_text("utf-8") for package in ("engine", "table") for path in (SOURCES / package).glob("*.py")]
    named = {one for text in texts for one in re.findall(r'"([a-z_]+)"', text)}
    silent = re.compile(r'(?:matter=|refuse_(?:silence|missing)\([^"]*?)"(\w+)"\)')
    assert {one for text in texts for one in silent.findall(text)} <= set(group("matter"))
    assert set(group("matter")) <= named | {f"late_{offer}" for offer in ("insurance", "surrender")}


# --- sentences -----------------------------------------------------------------------------------------


class Plain:
    """A language without words."""

    def written(self, value: object, how: str) -> str:
        return f"{value}{how}"

    def say(self, key: str, _: object) -> str:
        return key


@pytest.mark.parametrize(
    ("text", "facts", "said"),
    [
        ("{a} and {b:x}", {"a": 1, "b": 2}, "1 and 2x"),
        ("{n|one|{} many}", {"n": 1}, "one"),
        ("{n|one|{} many}", {"n": 0}, "0 many"),
        ("{n|{} is|{} are}", {"n": ["Ann"]}, "['Ann'] is"),
        ("x{a? {:y}, {b}|none}", {"a": 7, "b": 8}, "x 7y, 8"),
        ("x{a? {}|none}", {}, "xnone"),
        ("{a?{|one|two}}", {"a": 2}, "two"),
        ("{@place}: a | b?", {}, "part.place: a | b?"),
        ("{a:x^}", {"a": "ann lee"}, "Ann leex"),
    ],
)
def test_a_sentence_is_made(text: str, facts: dict[str, object], said: str):
    assert template(text)(facts, Plain()) == said


@pytest.mark.parametrize("text", ["{", "{}", "{a", "{a?b", "{a:}", "{a|b|c", "{a:x?b}", "{ }"])
def test_a_sentence_that_cannot_be_read_is_refused(text: str):
    with pytest.raises(TemplateError):
        template(text)


def test_a_fact_that_is_missing_is_our_bug():
    with pytest.raises(KeyError):
        say("refusal.out_of_turn", {"box": 1})
    with pytest.raises(KeyError):
        say("refusal.no_such_code", {})


def test_a_language_that_is_not_there_is_english():
    assert languages() == ("en",)
    assert say("refusal.no_round", {}, "xx") == say("refusal.no_round", {}, "en") == "no round is in progress"
    assert best_language("de;q=0.9, en;q=nonsense") == "en"
