"""The law of reconstruction, for any round of any document: division-15 16.5, adelaide 1(i), canberra 15.4.

After a reconstruction every card sits where it would have gone without the error, decisions that the error did not
touch stand, nobody decides again in view of a card, and no chip is lost.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pontoon.cards import Card
from pontoon.engine import (
    CallNoMoreBets,
    Command,
    DealCard,
    ExposeCard,
    Hit,
    Limits,
    PlaceWager,
    Round,
    Stand,
    must_play,
    refusal,
)
from pontoon.engine.dealing import next_place
from pontoon.ledger import table_balances
from pontoon.rulebook import NAMES, load
from pontoon.table import Table
from pontoon.table import commands as c
from pontoon.table.automatic import AutomaticTable
from pontoon.table.bots import random_bot
from pontoon.table.events import CardLeftShoe, InRound, LeftOverRemoved, RoundReconstructed, TableEvent
from pontoon.table.evolve import act
from pontoon.table.opening import full_set
from pontoon.table.state import Act

WAGERS = [PlaceWager(1, "Ann", 1000), PlaceWager(1, "Ben", 600), PlaceWager(2, "Cal", 2000), PlaceWager(4, "Dee", 1400)]
LAW = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def a_round(book: str, seed: int) -> tuple[AutomaticTable, Random]:
    """A round at a random point."""
    chance = Random(seed)
    table = AutomaticTable(
        Table(load(book), packs=6, limits=Limits(500)),
        lambda number: hashlib.sha256(f"{seed} {number}".encode()).digest(),
    )
    table.open([("Ann", 1), ("Cal", 2), ("Dee", 4)])
    for wager in WAGERS:
        table.must(c.Play(wager))
    table.must(c.Play(CallNoMoreBets()))
    for _ in range(chance.randint(3, 30)):
        if table.table.phase == "round":
            table._step(lambda state: random_bot(state, chance))
    return table, chance


def with_error(table: AutomaticTable, chance: Random) -> tuple[Card, ...]:
    """The cards in the order they should have come: two of them were mixed up, or one was held back."""
    dealt = [event.card for event in table.events if isinstance(event, CardLeftShoe)]
    one, two = sorted(chance.sample(range(len(dealt)), 2))
    if chance.random() < 0.5:
        dealt[one], dealt[two] = dealt[two], dealt[one]
    else:
        dealt.insert(two, dealt.pop(one))
    if chance.random() < 0.3:  # a card lay on a box without a wager
        dealt.insert(one, table.table.shoe.stack[0])
    return tuple(dealt)


def course(events: list[TableEvent], start: Round) -> list[tuple[Round, Command | None]]:
    """Every decision after the reconstruction with the state it was made in; the engine takes all of them."""
    state = start
    made: list[tuple[Round, Command | None]] = []
    for event in events:
        if isinstance(event, CardLeftShoe):
            state = must_play(state, DealCard(event.card))
        elif isinstance(event, InRound) and event.command is not None:
            made.append((state, event.command))
            state = must_play(state, event.command)
    return [*made, (state, None)]


@LAW
@given(book=st.sampled_from(NAMES), seed=st.integers(0, 2**32 - 1))
def test_the_law_of_reconstruction(book, seed):
    table, chance = a_round(book, seed)
    before = table.table
    assert before.at_call is not None
    right = with_error(table, chance)
    refused = table.do(c.Reconstruct(right, "dealt_again", "operator", "casino_supervisor", "a card was misplaced"))
    if refused is not None:
        assert refused.code == "extra_hand_is_void", refused
        return
    events = table.events[[type(event) for event in table.events].index(RoundReconstructed) + 1 :]
    walk = course(events, before.at_call)
    end, new = walk[-1][0], table.table

    # every card sits where it would have gone: the engine, given the allowed order and what stands, agrees
    assert new.round is not None
    assert end == new.round
    placed = [event.card for event in events if isinstance(event, CardLeftShoe)]
    assert tuple(placed) == right[: len(placed)]
    rest = right[len(placed) :]
    removed = tuple(card for event in events if isinstance(event, LeftOverRemoved) for card in event.cards)
    assert removed in ((), rest)
    assert new.shoe.stack[: len(rest) - len(removed)] == new.ruled == rest[len(removed) :]
    assert Counter((*new.shoe.stack, *new.shoe.discards, *new.on_layout)) == full_set(new)
    if rest:
        assert next_place(end) is None, "no card is left while one is due"

    # decisions not touched by the error stand, and none stands that was made on other cards
    for state, command in walk[:-1]:
        assert command is not None
        forced = isinstance(command, Hit) and refusal(state, Stand(state.turn[0])) is not None
        assert act(state, command) in before.acts or forced or isinstance(command, ExposeCard)
    stood = Counter(map(repr, (one.command for one in new.acts)))
    for one in before.acts:
        if untouched_at(one, end) and not stood[repr(one.command)]:
            assert refusal(end, one.command) is not None

    # nobody decides again in view of a card
    decided = {(one.phase, one.turn, one.joining) for one in before.acts}
    left = [one for one in before.acts if one not in new.acts]
    again = any((one.phase, one.turn, one.joining) == (end.phase, end.turn, end.joining) for one in left)
    if again and (end.phase, end.turn, end.joining) in decided and not end.exposed:
        assert new.ruled == ()

    # no chip is lost, now and when the round is over
    conserved(table)
    while table.table.phase != "ready":
        if table.table.phase == "round":
            table._step(lambda state: random_bot(state, chance))
        else:
            table.must(table.program.next_command(table.table))
    conserved(table)
    totals = table_balances(table.events)
    assert not [name for name, amount in totals.items() if name.startswith("escrow/") and amount]
    net: Counter[str] = Counter()
    for settled in table.table.finished[-1].settlements:
        net[settled.player] += settled.net
    assert {name: totals[f"wallet/{name}"] for name in net} == dict(net)


def untouched_at(one: Act, state: Round) -> bool:
    """Whether a decision made before was made in just this moment, on just these cards."""
    return state.phase != "ended" and one == act(state, one.command)


def conserved(table: AutomaticTable) -> None:
    assert sum(table_balances(table.events).values()) == 0


@LAW
@given(seed=st.integers(0, 2**32 - 1))
def test_hands_laid_again_keep_their_number_of_cards_and_every_lawful_decision(seed):
    """Adelaide 1(i)(ii): what lies right already stays exactly as it is."""
    table, chance = a_round("adelaide", seed)
    before = table.table
    same = c.Reconstruct(before.of_round, "laid_again", "operator", "casino_supervisor")
    assert table.do(same) is None
    assert table.table.of_round == before.of_round
    assert table.table.acts == before.acts
    assert table.table.round == before.round
    mixed = list(before.of_round)
    chance.shuffle(mixed)
    assert table.do(c.Reconstruct(tuple(mixed), "laid_again", "operator", "casino_supervisor")) is None
    new = table.table
    assert Counter((*new.shoe.stack, *new.shoe.discards, *new.on_layout)) == full_set(new)
    assert new.ruled == ()
    conserved(table)
