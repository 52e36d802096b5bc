"""Permissions: permits.toml compared with every kind of command, and with real rooms in every phase.

`verdict` is checked for every combination of command, role, ownership, mode and phase, and `ask` in every room of
`tests.server.phases`: a table in each phase, dealt by a program and by a person, with everything that can block a
command.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from functools import cache
from importlib import resources
from itertools import product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from pontoon.cards import PACK, Card
from pontoon.engine import Command, Limits, PlaceWager
from pontoon.rulebook import Clauses
from pontoon.server.problems import STATUS, Problem
from pontoon.server.rooms import actors as capacity
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.actors import Actor, signed, subject, whose
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.decide import Decided, ask
from pontoon.server.rooms.log import RulingApproved, RulingProposed, RulingRejected, read_body
from pontoon.server.rooms.permits import OFFICIALS, PHASES, ROLES, Mode, Role, Verdict, Whose, permits, verdict
from pontoon.server.rooms.state import RoomState
from pontoon.table import commands as c
from pontoon.table.events import Ruled
from tests.server.phases import BOT, KINDS, MAKER, MODES, OFFICIAL, PLAYERS, asked, names, rooms

WHOSE: tuple[Whose, ...] = get_args(Whose)
FORBIDDEN = ("forbidden", "not_yours", "wrong_mode")
BY_MAKER = (r.RoomCommand, c.Open, c.GiveNotice, c.Close)
"""Commands that depend on who created the table."""
UNCITED = {
    ("canberra", "no_such_device"),
    ("division-15", "no_such_device"),
    ("division-15", "table_is_closed"),
    ("division-15", "round_in_progress"),
}
"""Refusals on matters these documents leave to general rules; star and federal are silent on most procedure."""
CITING = ("adelaide", "canberra", "division-15")


def actors(kind: type[Asked]) -> list[Actor]:
    """Two players, the table's creator, officials; the creator also as an official where that could matter."""
    people = [Actor(name) for name in (*PLAYERS, MAKER)] + [Actor(OFFICIAL, role) for role in OFFICIALS]
    return people + ([Actor(MAKER, role) for role in OFFICIALS] if issubclass(kind, BY_MAKER) else [])


# --- the table itself ----------------------------------------------------------------------------------


def test_every_command_stands_in_exactly_one_permit_and_nothing_else_does():
    text = (resources.files("pontoon.server.rooms") / "permits.toml").read_text("utf-8")
    written = Counter(name for row in tomllib.loads(text)["permit"] for name in row["commands"])
    assert written == Counter(kind.__name__ for kind in KINDS)
    assert len(KINDS) == len({kind.__name__ for kind in KINDS})
    assert "Play" not in permits()


def test_nobody_but_the_program_deals_from_nowhere_or_proves_a_shoe():
    for name, role, about, mode in product(("DealCard", "CommitShoe", "RevealShoe", "MakeTable"), ROLES, WHOSE, MODES):
        assert verdict(name, role, about, mode, "round") == "forbidden"


def expected(row: dict[str, Any], role: Role, about: Whose, mode: Mode, phase: str) -> Verdict:
    """The comment at the head of permits.toml, read literally."""
    own, anybody, floor = (role in row.get(key, []) for key in ("own", "any", "floor"))
    if anybody or (floor and mode == "floor") or (own and about == "own"):
        return "allowed" if phase in row["phases"] else "not_now"
    if own:
        return "not_yours"
    return "wrong_mode" if floor else "forbidden"


def test_the_verdict_on_the_whole_product_is_what_the_table_says():
    text = (resources.files("pontoon.server.rooms") / "permits.toml").read_text("utf-8")
    rows = {name: row for row in tomllib.loads(text)["permit"] for name in row["commands"]}
    count: Counter[str] = Counter()
    for kind, role, about, mode, phase in product(KINDS, ROLES, WHOSE, MODES, PHASES):
        name = kind.__name__
        given_verdict = verdict(name, role, about, mode, phase)
        assert given_verdict == expected(rows[name], role, about, mode, phase), (name, role, about, mode, phase)
        count[given_verdict] += 1
    assert count.total() == len(KINDS) * 7 * 3 * 2 * 7
    assert set(count) == set(get_args(Verdict))


# --- the table against real rooms ----------------------------------------------------------------------


class Swept(Struct):
    """The results of trying every command by everyone in every room."""

    asked: set[tuple[str, Role, Whose, Mode, str]]
    done: dict[str, set[str]]
    """For each command, the phases in which it succeeded."""
    faults: list[str]
    count: int


def fault(state: RoomState, name: str, given_verdict: Verdict, answer: Decided | Problem) -> str:
    """The fault of an answer; empty in most cases."""
    if isinstance(answer, Decided):
        return "" if given_verdict == "allowed" else "was done"
    if given_verdict in FORBIDDEN:
        return "" if (answer.code, answer.status, answer.clauses) == (given_verdict, 403, ()) else answer.code
    if answer.code in FORBIDDEN or not answer.words:
        return answer.code
    if given_verdict == "allowed" or answer.code in STATUS:
        return "a not_now that cannot be read" if given_verdict == "not_now" and answer.code == "malformed" else ""
    book = state.table.rules.about.name
    silent = answer.code == "document_silent" or (book, answer.code) in UNCITED or book not in CITING
    return "" if answer.clauses or silent else f"{answer.code} without its clause in {name}"


@cache
def swept() -> Swept:
    """Try every command by everyone in every room, once."""
    found = Swept(set(), defaultdict(set), [], 0)
    for room_name, state in rooms().items():
        table, before = state.table, repr(state)
        for kind in KINDS:
            name = kind.__name__
            commands = [command for who in names(kind) for command in asked(kind, table, who)]
            for command, actor in product(commands, actors(kind)):
                place = (name, actor.role, whose(command, actor, MAKER), table.mode, table.phase)
                given_verdict = verdict(*place)
                answer = ask(state, actor, command, "", None)
                found.count += 1
                found.asked.add(place)
                if isinstance(answer, Decided):
                    found.done[name].add(table.phase)
                wrong = fault(state, name, given_verdict, answer)
                if wrong:
                    found.faults.append(f"{room_name}: {actor.name} ({actor.role}) {command}: {given_verdict}, {wrong}")
        assert repr(state) == before, "asking changed the room"
    return found


def test_every_room_answers_as_the_table_says():
    assert swept().faults == []


def test_every_phase_is_there_in_both_modes():
    assert {(state.table.mode, state.table.phase) for state in rooms().values()} == set(product(MODES, PHASES))
    inside = {state.table.round.phase for state in rooms().values() if state.table.round is not None}
    assert inside >= {"wagers", "initial_deal", "insurance", "surrender", "decision", "card", "forfeit", "withdraw"}


def attainable(kind: type[Asked], role: Role) -> set[Whose]:
    """Whom this type of command can concern: the creator's table, a person, or nobody."""
    if kind is r.Pass:
        return {"own"}
    if issubclass(kind, BY_MAKER):
        return {"own", "other"}
    if len(names(kind)) == 1 or (role != "player" and kind in capacity._ABOUT_SOMEBODY):
        return {"table"}
    return {"own", "other"}


def test_the_whole_product_was_asked_of_real_rooms():
    wanted = {
        (kind.__name__, role, about, mode, phase)
        for kind, role, mode, phase in product(KINDS, ROLES, MODES, PHASES)
        for about in attainable(kind, role)
    }
    assert swept().asked == wanted
    assert swept().count > 300_000


@pytest.mark.parametrize("kind", [kind.__name__ for kind in KINDS])
def test_the_phases_are_just_those_in_which_somebody_can_succeed(kind):
    assert swept().done[kind] == set(permits()[kind].phases)


# --- nobody speaks for another player -------------------------------------------------------------------

NAMES = ("", *PLAYERS, MAKER, OFFICIAL, "dealer", "operator", "inspector", "pit_boss", "casino_supervisor", BOT)
EVERYBODY = [Actor(name, role) for name in (*PLAYERS, MAKER, OFFICIAL) for role in ROLES]
NUMBERS = st.integers(0, 7) | st.sampled_from((500, 1000, 2000, 48, 72, 60))
CARDS = st.sampled_from(PACK)


def field(name: str, hint: Any) -> st.SearchStrategy[Any]:
    """Any value possible in this field."""
    if name in ("by", "approver") and get_origin(hint) is not Literal:
        return st.sampled_from(NAMES)
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if name in ("decision", "pace") and hint is int:  # whatever comes from outside is within these
        return st.integers(100, 600_000)
    table: dict[Any, st.SearchStrategy[Any]] = {
        int: NUMBERS,
        bool: st.booleans(),
        str: st.sampled_from(NAMES),
        Card: CARDS,
        tuple[Card, ...]: st.lists(CARDS, max_size=3).map(tuple),
        tuple[tuple[int, str], ...]: st.lists(st.tuples(NUMBERS, st.sampled_from(NAMES)), max_size=3).map(tuple),
        tuple[tuple[str, int], ...]: st.lists(st.tuples(st.sampled_from(NAMES), NUMBERS), max_size=3).map(tuple),
        tuple[tuple[int, int], ...]: st.lists(st.tuples(NUMBERS, NUMBERS), max_size=3).map(tuple),
        tuple[str, ...]: st.lists(st.sampled_from(NAMES), max_size=3).map(tuple),
        Limits: st.just(Limits(500, 5000)),
        PlaceWager: st.builds(PlaceWager, NUMBERS, st.sampled_from(NAMES), NUMBERS),
    }
    return table[hint]


def commands_of(kind: type[Asked]) -> st.SearchStrategy[Asked]:
    return st.builds(kind, **{name: field(name, hint) for name, hint in get_type_hints(kind).items() if name[0] != "_"})


BUSY = ("dealt", "wagers", "shuffled", "ready", "settled")
SOME_ROOMS = st.sampled_from(
    [
        *(f"{book} {mode} {name}" for book in CITING for mode in MODES for name in BUSY),
        *(f"{mode} pair" for mode in MODES),
    ]
)
COMMANDS = st.sampled_from(KINDS).flatmap(commands_of)


def check_signature(command: Any, actor: Actor) -> None:
    """A recorded command has its sender's own name or role and no approval."""
    if actor.role == "player":
        assert subject(command) in (None, actor.name)
    assert getattr(command, "approver", "") == ""
    if isinstance(command, capacity._OF_THE_HOUSE):
        assert command.by == capacity.BY[actor.role]


@settings(max_examples=400)
@given(COMMANDS, st.sampled_from(EVERYBODY))
def test_a_command_is_recorded_under_its_sender_whatever_it_says(command, actor):
    check_signature(signed(command, actor), actor)


@settings(max_examples=400)
@given(SOME_ROOMS, COMMANDS, st.sampled_from(EVERYBODY))
def test_the_log_names_the_actor_in_their_own_role(name, command, actor):
    answer = ask(rooms()[name], actor, command, "key", None)
    if isinstance(answer, Decided):
        check_logged(answer, actor)


@pytest.mark.parametrize("actor", EVERYBODY, ids=lambda actor: f"{actor.name} as {actor.role}")
def test_every_lawful_command_is_logged_under_its_sender(actor):
    """The same for commands that would succeed, but with another person's name or role in them."""
    done = 0
    for state in (rooms()[name] for name in ("adelaide floor dealt", "automatic pair", "adelaide floor ready")):
        for kind in KINDS:
            for command in (command for who in names(kind) for command in asked(kind, state.table, who)):
                said = {name: "pit_boss" for name in ("approver",) if hasattr(command, name)}
                answer = ask(state, actor, msgspec.structs.replace(command, **said), "key", None)
                if isinstance(answer, Decided):
                    done += 1
                    check_logged(answer, actor)
    assert done


def check_logged(answer: Decided, actor: Actor) -> None:
    """Entry, body, command and rulings all name the actor."""
    body: Any = read_body(answer.draft.body)
    assert (answer.draft.by, answer.draft.key, body.role) == (actor.name, "key", actor.role)
    did = body.did
    if isinstance(did, c.Play):
        assert did.by == (actor.name if actor.role == "player" else capacity.BY[actor.role])
        assert did.approver == ""
        did = did.command
    check_signature(did, actor)
    for event in body.events:
        match event:
            case Ruled(by=by):
                assert by == capacity.BY[actor.role]
            case RulingProposed(by=by, role=role) | RulingApproved(by=by, role=role):
                assert (by, role) == (actor.name, actor.role)
            case RulingRejected(by=by):
                assert by == actor.name
            case _:
                pass


def test_an_approval_in_a_command_is_worth_nothing():
    """A supervisor of adelaide cannot write the second person into the command."""
    state = rooms()["adelaide automatic dealt"]
    supervisor = Actor(OFFICIAL, "game_supervisor")
    reconstruct = c.Reconstruct(state.table.on_layout, "laid_again", "operator", approver="inspector")
    answer = ask(state, supervisor, reconstruct, "", None)
    assert isinstance(answer, Decided)
    assert [type(event).__name__ for event in answer.events] == ["RulingProposed"]
    clauses: Clauses = answer.events[0].clauses  # type: ignore[union-attr] # a proposal cites
    assert clauses == ("112",)


def test_a_round_command_is_wrapped_with_its_sender():
    play = capacity.for_table(asked(KINDS[0], rooms()["star floor ready"].table, "Ann")[0], Actor(OFFICIAL, "dealer"))  # type: ignore[arg-type]
    assert isinstance(play, c.Play)
    assert isinstance(play.command, Command)
    assert play.by == "dealer"
