"""The rules lab: its figures equal the solver's, and its work is bounded."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Mapping
from functools import cache
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from pontoon.analysis import Solver, edge_of, side_values
from pontoon.analysis.charts.chart import chart_of
from pontoon.rulebook import NAMES, Rulebook, canonical, digest, load, pinned, play_digest, to_toml
from pontoon.server.api.limits import Limits
from pontoon.server.lab.chart_rows import code_words
from pontoon.server.lab.evaluation import MOST_CHANGES, Asked, first_part
from pontoon.server.lab.lanes import MOST_WAITING, Cache, Lane
from pontoon.server.lab.rule_list import rule_list
from pontoon.server.lab.sums import Game
from pontoon.server.problems import ProblemError
from tests.server.api.visitors import Server, running

TWO = {"dealer.stands_soft": 17, "double.two_cards_only": True}
pytestmark = pytest.mark.asyncio(loop_scope="module")


def own() -> Rulebook:
    """A casino's own rulebook."""
    return load(text=to_toml(load("canberra"), name="resort", clauses=False))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[Server]:
    async with running(rulebooks={"resort": own()}) as one:
        yield one


async def parts(server: Server, **asked: Any) -> list[dict[str, Any]]:
    """Every part of an answer."""
    body = {"rulebook": "canberra", **asked}
    answer = await server.client.post("/api/lab/evaluation", json=body, timeout=240)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


async def first(server: Server, **asked: Any) -> dict[str, Any]:
    """The first part alone: the others take much longer."""
    question = msgspec.convert({"rulebook": "canberra", **asked}, Asked)
    found: dict[str, Any] = json.loads(msgspec.json.encode(await first_part(server.app.state.lab, question)))
    return found


async def refused(server: Server, **asked: Any) -> str:
    answer = await server.client.post("/api/lab/evaluation", json={"rulebook": "canberra", **asked})
    assert answer.status_code == 400, answer.text
    detail: str = answer.json()["detail"]
    assert "\n" not in detail
    return detail


def by_kind(found: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {part["part"]: part for part in found}


def edge(overrides: Mapping[str, object], packs: int = 8, book: str = "canberra", stake: str = "10") -> float:
    return _edge(canonical(load(book, overrides)), packs, stake)


@cache
def _edge(book: str, packs: int, stake: str) -> float:
    return -float(Solver(pinned(book), packs, stake=stake).value())


# --- what may be changed -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
async def test_the_rules_of_a_book_are_listed_with_the_packs_first(name: str):
    rules = [rule for group in rule_list(load(name)).groups for rule in group.rules]
    packs = [option.value for option in rules[0].options]
    assert (rules[0].key, packs) == ("decks.default", list(load(name).decks.allowed))
    assert all(rule.value in [option.value for option in rule.options] for rule in rules)
    assert all(rule.sentence for rule in rules)


async def test_a_book_that_is_not_there(server: Server):
    assert await server.nobody.refused("GET", "/api/lab/rules/crown") == (404, "not_found")


async def test_the_servers_own_rulebooks_are_in_the_lab(server: Server):
    told = (await server.client.get("/api/lab/rules/resort")).json()
    assert told == json.loads(msgspec.json.encode(rule_list(own())))
    found = await first(server, rulebook="resort", overrides=TWO)
    assert found["now"]["house_edge"] == edge(TWO)
    assert found["now"]["rulebook"] == "resort"


# --- figures -------------------------------------------------------------------------------------------


async def test_the_edge_comes_first_and_is_the_solvers_own(server: Server):
    found = await parts(server, overrides=TWO)
    assert [part["part"] for part in found] == ["edge", "worth", "worth", "chart", "deviation"]
    first = found[0]
    both, none = edge(TWO), edge({})
    assert first["now"]["house_edge"] == both
    assert first["was"]["house_edge"] == none
    assert first["now"]["digest"] == digest(load("canberra", TWO))
    assert [(change["key"], change["words"], change["was"]) for change in first["changes"]] == [
        ("dealer.stands_soft", "17", "18"),
        ("double.two_cards_only", "two cards", "any number"),
    ]
    worth = {part["key"]: part["worth"] for part in found if part["part"] == "worth"}
    assert worth["dealer.stands_soft"] == edge({"double.two_cards_only": True}) - both
    assert worth["double.two_cards_only"] == edge({"dealer.stands_soft": 17}) - both
    solver = Solver(load("canberra", TWO), 8, stake="10")
    assert found[-1]["now"] == edge_of(solver).sd


async def test_a_single_change_is_priced_with_the_edge(server: Server):
    found = await first(server, overrides={"payout.pontoon": "2:1"})
    assert found["changes"][0]["worth"] == edge({}) - edge({"payout.pontoon": "2:1"})


async def test_the_squares_that_change_are_those_of_the_two_charts(server: Server):
    found = by_kind(await parts(server, overrides=TWO))["chart"]
    new, old = (
        chart_of(Solver(load("canberra", overrides), 8, stake="10"), load("canberra", overrides))
        for overrides in (TWO, {})
    )
    changed = {
        (block, hand, upcard, square.code, old.blocks()[block][hand][upcard].code)
        for block, rows in new.blocks().items()
        for hand, row in rows.items()
        for upcard, square in row.items()
        if square.code != old.blocks()[block][hand][upcard].code and (block != "forfeit" or square.chance)
    }
    assert found["changed"] == len(changed) == 23
    shown = [
        (block["name"], cell["code"], cell["was"])
        for block in found["blocks"]
        for row in block["rows"]
        for cell in row["cells"]
        if "was" in cell
    ]
    assert sorted(shown) == sorted((block, code, was) for block, _, _, code, was in changed)
    hard = next(block for block in found["blocks"] if block["name"] == "hard")
    eleven = next(row for row in hard["rows"] if row["hand"] == "11")
    assert eleven["cells"][0]["words"] == "Hard 11 against 2: double (was: double; hit with 4 cards or more)"


async def test_packs_and_stake_count(server: Server):
    found = await first(server, overrides={"decks.default": 4}, stake=2500)
    assert found["now"]["house_edge"] == edge({}, 4, stake="25")
    assert found["was"]["house_edge"] == edge({}, 8, stake="25")
    assert [(change["key"], change["words"], change["was"]) for change in found["changes"]] == [
        ("decks.default", "4", "8")
    ]


async def test_a_change_that_needs_another_one_has_no_worth_alone(server: Server):
    few = {"decks.allowed": [1], "decks.default": 1, "side.perfect_pairs.decks": [1], "side.pairs_play.decks": [1]}
    found = await parts(server, overrides=few)
    assert found[0]["now"]["house_edge"] == edge(few, 1)
    assert [part["worth"] for part in found if part["part"] == "worth"] == [None] * 4


async def test_a_side_bet_that_everybody_must_make_leaves_the_edge_as_it_is(server: Server):
    found = await first(server, overrides={"side.perfect_pairs.compulsory": True})
    assert found["now"]["house_edge"] == edge({})


async def test_side_bets_are_exact(server: Server):
    changed = {"side.perfect_pairs.pays.perfect": "30:1"}
    found = await first(server, overrides=changed)
    values = {value.name: value.value for value in side_values(load("canberra", changed), 8)}
    assert {bet["name"]: bet["fraction"] for bet in found["now"]["side_bets"]} == {
        name: str(-values[name]) for name in ("Perfect Pairs", "Pairs Play")
    }
    assert found["now"]["house_edge"] == found["was"]["house_edge"]


async def test_two_casinos_side_by_side(server: Server):
    found = by_kind(await parts(server, against={"rulebook": "adelaide"}))
    first = found["edge"]
    assert first["now"]["house_edge"] == edge({})
    assert first["was"]["house_edge"] == edge({}, book="adelaide")
    rows = {row["key"]: (row["first"], row["second"]) for row in first["differences"]}
    assert rows["split.max_hands"] == ("4", "3")
    assert rows["dealer.pontoon_collects"] == ("busts and one bet", "everything")
    assert first["changes"] == []
    assert found["chart"]["changed"] > 0


async def test_a_change_that_changes_nothing_is_none(server: Server):
    found = await first(server, overrides={"dealer.stands_soft": 18})
    assert found["changes"] == []
    assert found["now"] == found["was"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("S", "stand"),
        ("R", "surrender, else hit"),
        ("RP", "surrender, else split"),
        ("D4", "double; hit with 4 cards or more"),
        ("P$", "split; hit 7-7 of one suit against a 7"),
        ("K", "keep the double"),
    ],
)
async def test_codes_in_words(code: str, words: str):
    assert code_words(code) == words


# --- the book as a file --------------------------------------------------------------------------------


async def test_the_file_reads_back_and_plays_alike(server: Server):
    changed = {**TWO, "decks.default": 6, "surrender.first_cards": []}
    asked = {"rulebook": "canberra", "overrides": changed}
    answer = await server.client.post("/api/lab/book", json=asked)
    assert answer.headers["content-disposition"] == 'attachment; filename="canberra-changed.toml"'
    book = load(text=answer.text)
    assert book.about.name == "canberra-changed"
    assert play_digest(book) == play_digest(load("canberra", changed))
    assert -float(Solver(book, stake="10").value()) == edge(changed, 6)
    assert (await server.nobody.refused("POST", "/api/lab/book", {"rulebook": "crown"})) == (400, "malformed")


# --- what is refused -----------------------------------------------------------------------------------


async def test_bad_questions_get_one_clear_line(server: Server):
    assert await refused(server, rulebook="crown") == "there is no rulebook 'crown'"
    assert "section.key" in await refused(server, overrides={"nothing": 1})
    low = await refused(server, overrides={"dealer.stands_soft": 12})
    assert low == "\u201cDealer stands on soft\u201d is below \u201cDealer stands on hard\u201d"
    assert "from 1 to 4" in await refused(server, overrides={"split.max_hands": 9})
    assert "does not name" in await refused(server, overrides={"decks.default": 2})
    assert await refused(server, rulebook="../canberra.toml") == "there is no rulebook '../canberra.toml'"
    assert "against" in await refused(server, against={"rulebook": "star", "stake": 1})
    assert "length" in await refused(server, overrides={f"a.{number}": 1 for number in range(MOST_CHANGES + 1)})
    assert "stake" in await refused(server, stake=0)
    assert "stake" in await refused(server, stake=1001)


async def test_a_client_that_asks_too_often_must_wait(server: Server):
    before = server.app.state.limits
    server.app.state.limits = limits = Limits()
    limits.lab.burst = 1
    try:
        body = {"rulebook": "crown"}
        answers = [await server.client.post("/api/lab/evaluation", json=body) for _ in range(2)]
    finally:
        server.app.state.limits = before
    assert [answer.status_code for answer in answers] == [400, 429]
    assert answers[1].headers["retry-after"] == "1"


# --- lanes ---------------------------------------------------------------------------------------------


def _game(number: int) -> Game:
    return Game(canonical(load("star")), number, 1000)


async def test_a_full_lane_says_so_and_what_nobody_waits_for_is_dropped():
    lane = Lane(Cache(), 1, 0, most=4)
    try:
        waiting = [asyncio.ensure_future(lane.do(slow, _game(number))) for number in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(ProblemError) as full:
            await lane.do(slow, _game(9))
        assert (full.value.problem.status, full.value.problem.code) == (503, "lab_busy")
        same = asyncio.ensure_future(lane.do(slow, _game(3)))  # the same calculation needs no further slot
        await asyncio.sleep(0)
        waiting[3].cancel()
        assert await asyncio.wait_for(same, 60) == 3
        late = [asyncio.ensure_future(lane.do(slow, _game(number))) for number in range(10, 14)]
        await asyncio.sleep(0)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        assert len(lane._jobs) <= 3, "one is being worked on, two lie ready; the others are gone"
        assert await asyncio.wait_for(lane.do(slow, _game(20)), 60) == 20
    finally:
        lane.close()


async def test_a_lane_whose_process_was_killed_starts_another():
    lane = Lane(Cache(), 1, 0)
    try:
        with pytest.raises(ProblemError):
            await lane.do(die, _game(1))
        assert await asyncio.wait_for(lane.do(slow, _game(2)), 60) == 2
    finally:
        lane.close()


async def test_the_cache_forgets_what_was_not_asked_for():
    cache = Cache(most=2)
    for number in range(3):
        cache.put(("slow", _game(number)), number)
        cache.get(slow, _game(0))
    assert [cache.get(slow, _game(number)) for number in range(3)] == [0, None, 2]


async def test_the_bound_is_twenty_people_and_some():
    assert MOST_WAITING >= 20


def slow(game: Game) -> int:
    """A computation that takes a moment."""
    time.sleep(0.1)
    return game.packs


def die(_: Game) -> int:
    """A computation that ends its process."""
    os._exit(1)
