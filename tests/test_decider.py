"""The shared decider: the same names in all three packages, and a row for every command and event."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import pytest

from pontoon import decider, engine, table, tournament
from pontoon.engine.commands import Command
from pontoon.engine.events import Event
from pontoon.table.commands import TableCommand
from pontoon.table.events import TableEvent
from pontoon.tournament.commands import TournamentCommand
from pontoon.tournament.events import TournamentEvent

DECIDERS = [
    (engine, Command, Event),
    (table, TableCommand, TableEvent),
    (tournament, TournamentCommand, TournamentEvent),
]
NAMES = ("Options", "Played", "decide", "evolve", "options", "play", "refusal")


@pytest.mark.parametrize("package", [row[0] for row in DECIDERS])
def test_engine_table_and_tournament_export_the_same_names(package: ModuleType) -> None:
    for module in iter_modules(package.__path__, f"{package.__name__}."):
        import_module(module.name)  # a module must not hide a function with the same name
    assert set(NAMES) <= set(package.__all__)
    assert all(callable(getattr(package, name)) for name in NAMES)
    assert package.Played is decider.Played


@pytest.mark.parametrize(("package", "command", "event"), DECIDERS)
def test_every_command_has_its_rule_and_every_event_its_step(package: ModuleType, command: type, event: type) -> None:
    rules = import_module(f"{package.__name__}.decide").RULES
    steps = import_module(f"{package.__name__}.evolve").STEPS
    assert set(rules) == set(command.__subclasses__())
    assert set(steps) == set(event.__subclasses__())


def test_a_flow_applies_each_event_at_once_and_keeps_them_in_order() -> None:
    flow = decider.Flow(1, {int: lambda state, event: state * event})
    flow.put(2)
    assert flow.state == 2
    flow.put(3)
    assert (flow.state, flow.events) == (6, [2, 3])


def test_a_trace_also_keeps_the_state_after_each_event() -> None:
    trace = decider.Trace(1, {int: lambda state, event: state * event})
    trace.put(2)
    trace.put(3)
    assert (trace.state, trace.events, trace.states) == (6, [2, 3], [2, 6])


def test_an_adopted_event_is_not_applied_again() -> None:
    trace = decider.Trace(1, {int: lambda state, event: state * event})
    flow = decider.Flow(1, trace.steps)
    for each in (flow, trace):
        each.put(2)
        each.adopt(3, 7)
        assert (each.state, each.events) == (7, [2, 3])
    assert trace.states == [2, 7]


def test_a_command_is_performed_without_being_checked_again() -> None:
    asked: list[str] = []

    def refuse(_: int, command: str) -> str | None:
        asked.append(command)
        return None

    def perform(flow: decider.Flow[int, int], command: str) -> None:
        flow.put(len(command))
        flow.put(1)

    one = decider.Decider[int, str, int, str](
        {str: (refuse, perform)},
        {int: lambda state, event: state + event},
    )
    flow = one.perform(10, "abc")
    assert (flow.events, flow.states, flow.state, asked) == ([3, 1], [13, 14], 14, [])
    assert one.play(10, "abc") == decider.Played((3, 1), 14)
    assert asked == ["abc"]


def test_a_refused_command_puts_nothing() -> None:
    never: list[object] = []
    one = decider.Decider[int, str, int, str](
        {str: (lambda state, command: f"{command} at {state}", lambda _, command: never.append(command))},
        {int: lambda state, event: state + event},
    )
    assert one.refusal(1, "no") == one.play(1, "no") == one.decide(1, "no") == "no at 1"
    assert one.sift(1, ["no"]) == ((), (("no", "no at 1"),))
    assert one.evolve(1, 2) == 3
    assert never == []
