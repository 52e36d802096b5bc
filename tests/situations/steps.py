"""Steps at a table as words: commands, and what must be refused or cited.

`Sit Ann 2` is a command of the table or of the round with its fields in order, or named (`by=operator`). After `!`
stand the code of a refusal and its clauses, after `>` clauses that the events must cite. Words in small letters are
short commands (`SHORT`), shortcuts of the desk (`DO`) and questions (`IS`).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from pontoon import engine
from pontoon.cards import Card
from pontoon.engine import CallNoMoreBets, Limits, PlaceSideWager
from pontoon.engine import commands as round_commands
from pontoon.money import cents, dollars
from pontoon.table import commands as c
from pontoon.tournament import commands as t
from tests.table.desk import Desk, wager_of
from tests.tournament.desk import Desk as Tournament

OF_PLAY = ("by", "approver", "reason")
"""What a ruling in a round says in addition to the command itself."""


def take(desk: Desk, step: str) -> None:
    """Take one step; it must be allowed and cite what it says, or be refused as it says."""
    wanted, _, refused = step.partition(" ! ")
    wanted, _, cited = wanted.partition(" > ")
    verb, _, rest = wanted.strip().partition(" ")
    if verb in IS:
        assert IS[verb](desk, rest), (step, desk.table.round, desk.table.phase, desk.offered)
        return
    if verb in DO:
        assert step == wanted, f"{step}: nothing of {verb} is checked"
        DO[verb](desk, rest)
        return
    command = _command(desk, verb, rest)
    if refused:
        code, _, clauses = refused.partition(": ")
        desk.no(command, code, *clauses.split(", ") if clauses else ())
        return
    found = {clause for event in desk.do(command) for clause in event.clauses}
    assert {clause for clause in cited.split(", ") if clause} <= found, (step, found)


def direct(desk: Tournament, step: str) -> None:
    """Take one step of a tournament."""
    wanted, _, refused = step.partition(" ! ")
    wanted, _, cited = wanted.partition(" > ")
    verb, _, rest = wanted.partition(" ")
    if verb == "enter":
        desk.enter(rest)
        return
    if verb == "drawn":
        desk.drawn()
        return
    command = _made(getattr(t, verb), rest.split())
    if refused:
        code, _, clauses = refused.partition(": ")
        desk.no(command, code, *clauses.split(", "))
        return
    found = {clause for event in desk.do(command) for clause in event.clauses}
    assert {clause for clause in cited.split(", ") if clause} <= found, (step, found)


def _command(desk: Desk, verb: str, rest: str) -> Any:
    if verb in SHORT:
        return SHORT[verb](desk, rest)
    kind = getattr(c, verb, None)
    if kind is not None and issubclass(kind, c.TableCommand):
        return _made(kind, rest.split())
    kind = getattr(engine, verb, None) or getattr(round_commands, verb)
    words = rest.split()
    beside = dict(word.split("=") for word in words if word.partition("=")[0] in OF_PLAY and kind is not c.Play)
    own = [word for word in words if word.partition("=")[0] not in beside]
    return c.Play(_made(kind, own), **beside)


def _made(kind: type[msgspec.Struct], words: list[str]) -> Any:
    """A command from its fields as words: a list is joined with commas, a sentence with `~`."""
    names = iter(kind.__struct_fields__)
    fields: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        key, value = (name, value) if equals else (next(names), word)
        fields[key] = value.split(",") if "tuple" in str(kind.__annotations__[key]) else value.replace("~", " ")
    return msgspec.convert({"type": kind.__name__, **fields}, kind, strict=False)


def _order(desk: Desk, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """On the floor nobody knows the order."""
    return () if desk.table.mode == "floor" else cards


def _side(rest: str) -> PlaceSideWager:
    box, player, kind, stake = rest.split()
    return PlaceSideWager(int(box), player, kind, cents(stake))


def _limits(rest: str) -> Limits:
    low, high = (cents(word) for word in rest.split()[:2])
    return Limits(low, high)


SHORT: dict[str, Any] = {
    "bet": lambda _, rest: c.Play(wager_of(rest)),
    "side": lambda _, rest: c.Play(_side(rest)),
    "call": lambda *_: c.Play(CallNoMoreBets()),
    "callout": lambda _, rest: c.CallOut(wager_of(rest.removesuffix(" chips")), rest.endswith("chips")),
    "limits": lambda _, rest: c.SetLimits(_limits(rest), told=rest.endswith("told")),
    "announce": lambda _, rest: c.AnnounceLimits(_limits(rest)),
    "reshuffle": lambda desk, rest: c.ShuffleDiscards(_order(desk, desk.table.shoe.discards), "dealer", approver=rest),
    "shuffle": lambda desk, _: c.Shuffle(_order(desk, desk.stack())),
    "jam": lambda desk, _: c.ClearJam(_order(desk, desk.table.shoe.stack)),
    "fail": lambda desk, _: c.FailDevice(_order(desk, desk.table.shoe.stack)),
}
"""Commands in fewer words, with money in dollars."""


def _each(rest: str) -> list[str]:
    return [part.strip() for part in rest.split(",")] if rest else []


def _allowed(desk: Desk, rest: str) -> None:
    """Check that a command would be allowed now, without giving it."""
    verb, _, words = rest.partition(" ")
    before, events, seen = desk.table, list(desk.events), set(desk.seen)
    desk.do(_command(desk, verb, words))
    desk.table, desk.events, desk.seen = before, events, seen


DO: dict[str, Any] = {
    "open": lambda desk, rest: desk.open(*_each(rest)),
    "ready": lambda desk, rest: desk.ready(*_each(rest.partition(";")[0]), cards=rest.partition(";")[2]),
    "shuffled": lambda desk, _: desk.shuffled(),
    "cut": lambda desk, rest: desk.cut(int(rest) if rest else None),
    "prepared": lambda desk, _: desk.prepared(),
    "round": lambda desk, rest: desk.round(*_each(rest)),
    "deal": lambda desk, rest: desk.deal(int(rest) if rest.isdigit() else rest),
    "finish": lambda desk, _: desk.finish(),
    "settle": lambda desk, _: desk.finish(collect=False),
    "move": lambda desk, rest: desk.move(**dict(zip(("left", "behind"), map(int, rest.split()), strict=False))),
    "allowed": _allowed,
}


def money(desk: Desk) -> dict[str, str]:
    """Everyone's win or loss in the round on the layout."""
    net: Counter[str] = Counter()
    for row in desk.table.round.settlements if desk.table.round else ():
        net[row.player] += row.net
    return {player: dollars(amount) for player, amount in net.items()}


def _is_money(desk: Desk, rest: str) -> bool:
    found = money(desk)
    return all(found.get(name, "0.00") == amount for name, amount in (part.split() for part in _each(rest)))


def _controls(desk: Desk, rest: str) -> bool:
    number, player = rest.split()
    boxes = desk.table.round.boxes if desk.table.round else ()
    return any(box.number == int(number) and box.controller == player for box in boxes)


IS: dict[str, Any] = {
    "money": _is_money,
    "controls": _controls,
    "offered": lambda desk, rest: desk.offered == rest,
    "phase": lambda desk, rest: desk.table.phase == rest,
    "due": lambda desk, rest: desk.table.due == rest,
    "rack": lambda desk, rest: sorted(desk.table.shoe.discards) == sorted(rest.split()),
    "left": lambda desk, rest: desk.table.shoe.left == int(rest),
    "empty": lambda desk, rest: all(box.number != int(rest) for box in desk.table.round.boxes),
}
