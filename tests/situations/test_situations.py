"""Irregular situations written from the documents alone, before anyone looked at the program. See docs/situations.md.

A situation is a round (`cards`, `bets`, `actions`) with its money, settlements and cards, or `steps` at a table, or
both. `refused` is a line that is tried after a number of actions; `asks` is who must approve; `ended` and `note` say
how a
disagreement was settled.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pontoon.cards import JOKER
from pontoon.engine import Command, DealCard, Limits, Refusal, Round, play
from pontoon.money import cents, dollars
from pontoon.rulebook import NAMES, load
from pontoon.rulebook.register import register
from pontoon.table import commands as c
from pontoon.tournament.session_table import Places, refuse_wager
from pontoon.transcript import RefusedLine, Replay, read, replay, result
from pontoon.transcript.remedies import approval, rows_of
from tests.cases import transcript_of
from tests.situations.steps import direct, money, take
from tests.table.desk import Desk, wager_of
from tests.tournament import desk as tournament

HERE = Path(__file__).parent
DOC = HERE.parents[1] / "docs" / "situations.md"
KEYS = {"name", "story", "cards", "bets", "actions", "options", "paid", "unpaid", "money", "settled", "hands", "rack"}
KEYS |= {"refused", "asks", "at", "steps", "tournament", "session", "note", "ended"}
ENDED = {"at once", "program", "expectation", "reading", "open"}
"""How the comparison ended: agreed, program or expectation corrected, one of two readings chosen, or still open."""

SIGN = {"minimum": "10", "maximum": "500", "smallest_chip": "0"}
"""What the sign at a table says where the situation does not."""

FILES = {file.stem: tomllib.loads(file.read_text("utf-8"))["situation"] for file in sorted(HERE.glob("*.toml"))}
SITUATIONS = {one["name"]: one for file in FILES.values() for one in file}
ROUNDS = [name for name, one in SITUATIONS.items() if "cards" in one]
TABLES = [name for name, one in SITUATIONS.items() if "steps" in one]
TOURNAMENTS = [name for name, one in SITUATIONS.items() if "tournament" in one]
ASKS = [name for name, one in SITUATIONS.items() if "asks" in one]


def rulebook_of(name: str) -> str:
    return name.split(maxsplit=1)[0]


def played(name: str, actions: list[str] | None = None) -> Replay | RefusedLine:
    data = SITUATIONS[name]
    return replay(read(transcript_of(rulebook_of(name), data if actions is None else {**data, "actions": actions})))


def settled(round_: Replay) -> list[str]:
    """Every wager with its result and net; a void is merged with what it undoes."""
    results: dict[str, str] = {}
    nets: Counter[str] = Counter()
    for row in round_.state.settlements:
        key = f"{row.player} b{row.box}{f'.{row.hand}' if row.hand else ''} {row.kind}"
        results[key] = f"{row.result} {row.odds}".strip()
        nets[key] += row.net
    return sorted(f"{key} {results[key]} {dollars(nets[key])}" for key in results)


def hands(found: Any) -> dict[str, str]:
    """The cards of every hand, and the dealer's."""
    cards = {f"{box['box']}.{hand['hand']}": hand["cards"] for box in found["boxes"] for hand in box["hands"]}
    return {place: " ".join(faces) for place, faces in {**cards, "dealer": found["dealer"]["cards"]}.items()}


@pytest.mark.parametrize("name", ROUNDS)
def test_round(name: str) -> None:
    data, round_ = SITUATIONS[name], played(name)
    assert isinstance(round_, Replay), round_
    found: Any = result(round_)
    assert found["players"] == data["money"]
    assert settled(round_) == sorted(data.get("settled", settled(round_)))
    assert {place: hands(found)[place] for place in data.get("hands", ())} == data.get("hands", {})
    due = {row["player"]: row["owed"] for row in found.get("paid_differences", ())}
    assert due == data.get("unpaid", {})


@pytest.mark.parametrize("name", [name for name in ROUNDS if "refused" in SITUATIONS[name]])
def test_refused(name: str) -> None:
    data = SITUATIONS[name]
    for tried in data["refused"]:
        lines = [*data["actions"][: tried["after"]], *tried.get("before", ()), tried["line"], *tried.get("then", ())]
        refused = played(name, lines)
        assert isinstance(refused, RefusedLine), tried
        assert (refused.line.text, refused.refusal.code) == (tried["line"], tried["code"])
        assert set(tried["clauses"]) <= set(refused.refusal.clauses), refused.refusal


@pytest.mark.parametrize("name", ASKS)
def test_who_must_approve(name: str) -> None:
    asks, rules = SITUATIONS[name]["asks"], load(rulebook_of(name))
    moment = asks.get("moment", "")
    rows = [row for row in rows_of(rules, asks["error"]) if not (moment and row.moments) or moment in row.moments]
    found = [approval(rules, asks["error"], row, moment) for row in rows]
    assert [one for one in found if one.who == asks["who"] and set(asks["clauses"]) <= set(one.clauses)], found


@pytest.mark.parametrize("name", [name for name in ROUNDS if "rack" in SITUATIONS[name]])
def test_the_same_round_at_a_table(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of the round is given at a table on the floor: the money is the same, and so is the rack."""
    data, commands = SITUATIONS[name], list[Command]()

    def noted(state: Round, command: Command) -> Any:
        step = play(state, command)
        commands.extend(() if isinstance(step, Refusal) else (command,))
        return step

    monkeypatch.setattr(import_module("pontoon.transcript.replay"), "play", noted)
    round_ = played(name)
    assert isinstance(round_, Replay)
    rules = round_.rules
    packs = round_.transcript.decks or rules.decks.default
    desk = Desk(rules.about.name, mode="floor", packs=packs, limits=Limits(), joker=JOKER in round_.transcript.cards)
    seats = {box: player for box, player, *_ in (bet.split() for bet in reversed(data["bets"]))}
    desk.ready(*(f"{player} {box}" for box, player in seats.items()))
    for command in commands:
        ruled = c.Play(command, by="operator", approver="inspector")
        desk.do(c.Deal(command.card) if isinstance(command, DealCard) else ruled)
    assert {player: money(desk).get(player, "0.00") for player in data["money"]} == data["money"]
    assert sorted(desk.table.shoe.discards) == sorted(data["rack"].split())


def desk_for(name: str, changes: str = "") -> Desk:
    """A table with the sign of the situation, in dollars; `changes` is another table, as in `mode=floor`."""
    words = dict(word.split("=") for word in changes.split())
    options = SITUATIONS[name].get("at", {}) | {key: {"true": True}.get(word, word) for key, word in words.items()}
    low, high, chip = (cents(options.pop(key, usual)) for key, usual in SIGN.items())
    if "box_maximum" in options:
        options["box_maximum"] = cents(options["box_maximum"])
    return Desk(rulebook_of(name), limits=Limits(low, high, chip), **options)


@pytest.mark.parametrize("name", TABLES)
def test_table(name: str) -> None:
    desk = desk_for(name)
    for step in SITUATIONS[name]["steps"]:
        verb, _, rest = step.partition(" ")
        if verb == "table":
            assert desk.replayed() == desk.table
            desk = desk_for(name, rest)
        else:
            take(desk, step)
    assert desk.replayed() == desk.table


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_tournament(name: str) -> None:
    desk = tournament.Desk(players={"most": 2, "reserves": 1}, prizes={"shares": (Fraction(1),)}).open()
    for step in SITUATIONS[name]["tournament"]:
        direct(desk, step)
    assert desk.replayed() == desk.state


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_wagers_in_a_session(name: str) -> None:
    """`3 Cat 80 of 80` is a wager of a player with these chips, at a table with a minimum of $100."""
    for row in SITUATIONS[name]["session"]:
        wanted, _, refused = row.partition(" ! ")
        wager, _, chips = wanted.partition(" of ")
        placed = wager_of(wager)
        places = Places(((2, "Ann"), (3, "Cat"), (4, "Dan")), marker=placed.box, minimum=10_000, maximum=500_000)
        found = refuse_wager(places, (), placed, cents(chips))
        assert (f"{found.code}: {', '.join(found.clauses)}" if found else "") == refused


def test_every_situation_has_its_clauses_and_something_to_check() -> None:
    for name, data in SITUATIONS.items():
        book, rest = name.split(" ", 1)
        assert book in NAMES
        assert any(rest.startswith(f"{clause.number} ") for clause in register(book)), name
        assert set(data) <= KEYS, set(data) - KEYS
        assert {"cards", "steps", "tournament"} & set(data), name
        assert data["ended"] in ENDED, name
        assert (data["ended"] == "at once") or data["note"], name


def test_the_page_has_the_figures() -> None:
    text = " ".join(DOC.read_text("utf-8").split())
    ended = Counter(data["ended"] for data in SITUATIONS.values())
    tried = sum(len(data.get("refused", ())) for data in SITUATIONS.values())
    for words in (
        f"{len(SITUATIONS)} situations",
        f"{ended['at once']} agreed at once",
        f"{ended['program']} changed the program",
        f"{ended['expectation']} corrected the expectation",
        f"{ended['reading']} chose a reading",
        f"{ended['open']} are still open",
        f"{tried} refused lines",
    ):
        assert re.search(rf"\b{words}\b", text), words
    for name, data in SITUATIONS.items():
        assert data["ended"] == "at once" or name.split(maxsplit=1)[1] in text, name
