"""A thousand rounds of each document with irregularities, with deliberate errors: all end in a valid state."""

from __future__ import annotations

import hashlib
from collections import Counter
from random import Random
from typing import Literal

import pytest

from pontoon.cards import Card
from pontoon.engine import (
    Absent,
    BurnCard,
    CallNoMoreBets,
    Command,
    Limits,
    MissCard,
    NoticeNoFirstCard,
    NoticeSkip,
    PlaceWager,
    PutRight,
    RefuseCard,
    Round,
    SkipDealer,
    VoidWager,
    refusal,
)
from pontoon.engine.dealing import next_place
from pontoon.engine.events import WagerWithdrawn
from pontoon.ledger import table_balances
from pontoon.rulebook import load
from pontoon.table import commands as c
from pontoon.table import evolve
from pontoon.table.automatic import AutomaticTable
from pontoon.table.bots import random_bot, trouble
from pontoon.table.events import InRound
from pontoon.table.opening import full_set
from pontoon.table.state import Table

WAGERS = [PlaceWager(1, "Ann", 1000), PlaceWager(2, "Ben", 2000), PlaceWager(2, "Cal", 500)]


ALWAYS = {
    "BurnCard face_up", "BurnCard dealer_excess", "ExposeCard", "VoidBox", "VoidHand", "VoidRound", "Reconstruct",
    "DecideDispute", "ReplaceCard", "Absent",
}  # fmt: skip
OWN = {
    "division-15": {"OfferLate", "RefuseCard", "PutRight", "Absent no cards"},
    "adelaide": {
        "RefuseCard", "SkipHand", "NoticeSkip", "MissCard", "SkipDealer", "NoticeNoFirstCard",
        "RemoveExtraHand", "BurnCard in_error",
    },
    "canberra": {"PutRight", "VoidWager", "VoidEarlier", "BurnCard in_error", "BurnCard dealer_early"},
}  # fmt: skip
"""The errors each document has a rule for; all of them happen in its thousand rounds."""


@pytest.mark.parametrize("name", ["division-15", "adelaide", "canberra"])
def test_rounds_with_planted_errors_end_in_a_lawful_state(name):
    chance = Random(name)
    start = Table(load(name), packs=8, limits=Limits(500))
    table = AutomaticTable(start, lambda number: hashlib.sha256(f"{name} {number}".encode()).digest())
    table.open([("Ann", 1), ("Ben", 2)])
    planted: Counter[str] = Counter()

    def answer(state):
        stack = table.table.shoe.stack
        if state.phase in ("decision", "card", "initial_deal") and stack and chance.random() < 0.2:
            more = chance.random() < 0.4
            command = more_trouble(state, stack[0], chance) if more else trouble(state, stack[0], chance)
            if command is not None:
                planted[kind_of(command)] += 1
                return command
        return random_bot(state, chance)

    for number in range(1, 1001):
        before = len(table.events)
        for wager in (*WAGERS, CallNoMoreBets()):
            table.do(c.Play(wager))
        while table.table.phase in ("round", "shuffled", "cut"):
            if table.table.phase == "round" and chance.random() < 0.05:
                planted.update(put_right(table, chance))
            else:
                table._step(answer)
        planted.update(found_late(table, chance))
        state = table.table.round
        while (command := table.program.next_command(table.table)) is not None:
            table.must(command)
        planted.update(found_late(table, chance))
        assert state is not None
        assert state.phase == "ended"
        shoe = table.table.shoe
        assert Counter(shoe.stack) + Counter(shoe.discards) == full_set(table.table)
        assert shoe.left == len(shoe.stack)
        totals = table_balances(table.events[before:])
        assert sum(totals.values()) == 0
        assert not [account for account, amount in totals.items() if account.startswith("escrow/") and amount]
        assert table.table.number == number
    again = start
    for event in table.events:
        again = evolve(again, event)
    assert again == table.table
    assert ALWAYS | OWN[name] <= set(planted), planted
    withdrawn = any(isinstance(event, InRound) and isinstance(event.event, WagerWithdrawn) for event in table.events)
    assert withdrawn == (name == "adelaide"), "105 to 108"


def kind_of(command: Command | c.TableCommand) -> str:
    """The error under which a command is counted."""
    what = "no cards" if isinstance(command, Absent) and not command.deal else getattr(command, "reason", "")
    return (
        f"{type(command).__name__} {what}".strip() if isinstance(command, BurnCard | Absent) else type(command).__name__
    )


def found_late(table: AutomaticTable, chance: Random) -> list[str]:
    """Errors found when the round has ended: a card too many, a damaged one, a wrong payment, an earlier round."""
    state, stack = table.table, table.table.shoe.stack
    if not stack or chance.random() < 0.8:
        return []
    inner: Command | c.TableCommand = chance.choice(
        (
            BurnCard(stack[0], "dealer_excess"),
            c.ReplaceCard(stack[-1], ("dealer", "casino_supervisor")),
            c.DecideDispute("Ann", "a payment", "it was short", "operator", chance.choice((500, -500))),
            c.VoidEarlier(state.number - 1, "operator", "casino_supervisor", "misplaced"),
        )
    )
    command = c.Play(inner, approver="pit_boss") if isinstance(inner, BurnCard) else inner
    assert isinstance(command, c.TableCommand)
    return [kind_of(inner)] if table.do(command) is None else []


def more_trouble(state: Round, card: Card, chance: Random) -> Command | None:
    """Errors that a bot of `pontoon deal` does not make: cards not dealt, found early or late, and cards refused."""
    where = chance.choice(state.boxes)
    hand = chance.randint(1, max(len(where.hands), 1))
    commands = (
        MissCard(*(next_place(state) or (0, 0))),
        PutRight(where.number, hand),
        NoticeSkip(where.number),
        SkipDealer(),
        RefuseCard(state.turn[0]),
        BurnCard(card, "in_error"),
        BurnCard(card, "dealer_early"),
        Absent(state.turn[0]),
        Absent(state.turn[0], deal=False),
        VoidWager(where.number, chance.choice(where.bettors).player),
        NoticeNoFirstCard(),
    )
    allowed = [command for command in commands if refusal(state, command) is None]
    rare = [command for command in allowed if isinstance(command, NoticeSkip | NoticeNoFirstCard | RefuseCard)]
    return chance.choice(rare or allowed) if allowed else None


def put_right(table: AutomaticTable, chance: Random) -> list[str]:
    """Cards lay in the wrong places or on a box without a wager: reconstruct the round, or burn the hand too many."""
    dealt, stack = table.table.of_round, table.table.shoe.stack
    order = tuple(chance.sample(dealt, len(dealt))) if chance.random() < 0.5 else dealt
    more = stack[: chance.randint(0, 1)]
    way: Literal["dealt_again", "laid_again"] = chance.choice(("dealt_again", "laid_again"))
    command = chance.choice(
        (
            c.Reconstruct((*order, *more), way, "operator", "casino_supervisor", "misplaced"),
            c.RemoveExtraHand(stack[:2], "dealer", "inspector"),
        )
    )
    return [type(command).__name__] if table.do(command) is None else []
