"""The decider shared by engine, table and tournament, which differ only in their rules.

A package supplies two tables and gets these functions. `RULES` pairs every command with a check (its refusal, or None)
and an action (which puts events); `STEPS` maps every event to the change it makes.

refusal  why a command is refused; None if it is allowed
options  the commands allowed now (each package lists its own candidates; `Decider.sift` sorts them)
decide   the events of a command, or its refusal
evolve   the state after one event
play     decide and evolve in one step
perform  the second half of play: for a command that was already checked

`must_play` plays commands that cannot be refused.

>>> odd = lambda state, command: "odd" if command % 2 else None
>>> rules = {int: (odd, lambda flow, command: flow.put("+" * command))}
>>> steps = {str: lambda state, event: state + len(event)}
>>> counter = Decider[int, int, str, str](rules, steps)
>>> counter.play(10, 2), counter.play(10, 3)
(Played(events=('++',), state=12), 'odd')
>>> counter.sift(10, (2, 3, 4))
((2, 4), ((3, 'odd'),))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NoReturn, TypeVar

from msgspec import Struct

State = TypeVar("State")
Command = TypeVar("Command")
Event = TypeVar("Event")
Refusal = TypeVar("Refusal")

Rules = Mapping[type[Command], tuple[Callable[[State, Any], Refusal | None], Callable[[Any, Any], None]]]
"""Each type of command with its check and its action."""
Steps = Mapping[type[Event], Callable[[State, Any], State]]
"""Each type of event with the change it makes."""


class Played(Struct, Generic[State, Event], frozen=True, gc=False):
    """The result of a command: its events, and the state after them."""

    events: tuple[Event, ...]
    state: State


class Flow(Struct, Generic[State, Event], gc=False):
    """A state, and the events that led to it. The only mutable object of a decision."""

    state: State
    steps: Steps[Event, State]
    events: list[Event] = []

    def put(self, event: Event) -> None:
        """Append an event and apply it immediately, so that the next rule reads the current state."""
        self.events.append(event)
        self.state = self.steps[type(event)](self.state, event)  # `evolve` inlined: nothing runs more often

    def adopt(self, event: Event, state: State) -> None:
        """Append an event that was applied already, with the state after it."""
        self.events.append(event)
        self.state = state


class Trace(Flow[State, Event], gc=False):
    """A flow that also keeps the state after each event."""

    states: list[State] = []

    def put(self, event: Event) -> None:
        """Append an event, apply it, and keep the state."""
        self.events.append(event)
        self.state = state = self.steps[type(event)](self.state, event)
        self.states.append(state)

    def adopt(self, event: Event, state: State) -> None:
        """Append an event that was applied already, and keep the state after it."""
        self.events.append(event)
        self.state = state
        self.states.append(state)


class RefusedError(ValueError):
    """A command that had to be allowed was refused."""

    def __init__(self, command: object, refusal: object) -> None:
        super().__init__(f"{command} is refused: {refusal}")
        self.command, self.refusal = command, refusal


class _Known(dict[Any, Any]):
    """Rules by the type of a command; raises TypeError for anything else, at no cost for real commands."""

    def __missing__(self, kind: type) -> NoReturn:
        raise TypeError(f"a value of type {kind.__name__} is not a command here; a command is a value such as Stand(1)")


class Decider(Generic[State, Command, Event, Refusal]):
    """The functions of one set of rules."""

    __slots__ = ("_check", "_rules", "_steps")

    def __init__(
        self,
        rules: Rules[Command, State, Refusal],
        steps: Steps[Event, State],
        check: Callable[[Command], None] | None = None,
    ) -> None:
        """Take the rules of commands and the changes of events.

        `check` raises TypeError for a command with wrong types. It runs only if a command is refused, so that box "1"
        is never reported as refused when box 1 would be allowed.
        """
        self._rules: Rules[Command, State, Refusal] = _Known(rules)
        self._steps = steps
        self._check = check

    def refusal(self, state: State, command: Command) -> Refusal | None:
        """Return why the command is refused, with its clause; None if it is allowed."""
        return self._rules[type(command)][0](state, command)

    def sift(
        self, state: State, commands: Iterable[Command]
    ) -> tuple[tuple[Command, ...], tuple[tuple[Command, Refusal], ...]]:
        """Split commands into the allowed ones and the refused ones with their refusals."""
        rules = self._rules
        checked = [(command, rules[type(command)][0](state, command)) for command in commands]
        allowed = tuple([command for command, no in checked if no is None])
        return allowed, tuple([(command, no) for command, no in checked if no is not None])

    def play(self, state: State, command: Command) -> Played[State, Event] | Refusal:
        """Decide and evolve in one step."""
        refuse, perform = self._rules[type(command)]
        refused = refuse(state, command)
        if refused is None:
            flow = Flow(state, self._steps)
            perform(flow, command)
            return Played(tuple(flow.events), flow.state)
        if self._check is not None:
            self._check(command)
        return refused

    def must_play(self, state: State, *commands: Command) -> State:
        """Play commands that must be allowed and return the final state; raises RefusedError otherwise."""
        for command in commands:
            played = self.play(state, command)
            if not isinstance(played, Played):
                raise RefusedError(command, played)
            state = played.state
        return state

    def perform(self, state: State, command: Command) -> Trace[State, Event]:
        """Carry out a command that was checked and not refused; the trace has the state after each event."""
        flow = Trace(state, self._steps)
        self._rules[type(command)][1](flow, command)
        return flow

    def decide(self, state: State, command: Command) -> tuple[Event, ...] | Refusal:
        """Return the events of the command, or its refusal."""
        played = self.play(state, command)
        return played.events if isinstance(played, Played) else played

    def evolve(self, state: State, event: Event) -> State:
        """Apply one event to a state; needs no rules and no randomness."""
        return self._steps[type(event)](state, event)
