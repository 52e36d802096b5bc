"""The law of reconstruction, shown by twins: division-15 16.5, adelaide 1(i) and 112, canberra 15.4.

Two rounds with the same wagers and the same people, who decide by what they see and nothing else. In one of them an
error happens and is corrected later; the other is dealt without the error. After the reconstruction the first
round is in exactly the state that the second one was in when the same decisions had been made; nobody decides twice
with a card in view; and no chip is lost. Each document has its own values.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from pontoon.cards import Card
from pontoon.engine import (
    Absent,
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    DeclineSurrender,
    Hit,
    Limits,
    PlaceWager,
    RefuseCard,
    Round,
    Stand,
    TakeBack,
    must_play,
    options,
    refusal,
)
from pontoon.engine.dealing import next_place
from pontoon.ledger import table_balances
from pontoon.rulebook import NAMES, load
from pontoon.table import Table
from pontoon.table import commands as c
from pontoon.table.automatic import AutomaticTable
from pontoon.table.events import CardLeftShoe
from pontoon.table.evolve import act
from pontoon.table.opening import full_set
from pontoon.table.reconstruction import of_this_moment
from pontoon.table.state import Act

ROUNDS, MANY = 80, 2000
SEATS = [("Ann", 1), ("Cal", 2), ("Dee", 4), ("Eve", 6)]
STAKES = (1000, 600, 2000, 1400)
OFFERS = ("insurance", "surrender", "forfeit", "withdraw")
NEVER = (Absent, TakeBack, RefuseCard, DeclineSurrender)
"""Not done here; who does not surrender says nothing."""


# --- people who decide by what they see ------------------------------------------------------------------


def chance_of(seed: int, seen: Act) -> float:
    """A number between 0 and 1 that depends on the decision and on the cards it is made on alone."""
    digest = hashlib.sha256(f"{seed} {seen}".encode()).digest()
    return int.from_bytes(digest[:4], "big") / 2**32


def answer(state: Round, seed: int) -> Command | None:
    """What the people at the table do now; None leaves it to the dealer."""
    lawful = [command for command in options(state).allowed if not isinstance(command, NEVER)]
    if state.phase == "decision":
        return max(lawful, key=lambda command: chance_of(seed, act(state, command)))
    offered = [command for command in lawful if not isinstance(command, CloseOffer | CallNoMoreBets)]
    return next((command for command in offered if chance_of(seed, act(state, command)) < 0.3), None)


def without_error(start: Round, order: tuple[Card, ...], asked: list[Act], seed: int) -> Iterator[Round]:
    """Every state of the round dealt in this order, until the round ends or the cards run out.

    A hand that must draw, and whose player was `asked` nothing in the round with the error, gets a card and no choice.
    """
    state, cards = start, list(order)
    yield state
    while state.phase != "ended":
        command = Hit(state.turn[0]) if must_draw(state, asked) and cards else answer(state, seed)
        if command is None and next_place(state) is None:
            command = CloseOffer()
        if command is None:
            if not cards:
                return
            command = DealCard(cards.pop(0))
        elif (decided := act(state, command)) in asked:
            asked.remove(decided)
        state = must_play(state, command)
        yield state


def must_draw(state: Round, asked: list[Act]) -> bool:
    if state.phase != "decision" or any(of_this_moment(one, state) for one in asked):
        return False
    refused = refusal(state, Stand(state.turn[0]))
    return refused is not None and refused.code == "forced_draw"


# --- the round with an error -----------------------------------------------------------------------------


def with_error(book: str, seed: int, chance: Random) -> AutomaticTable:
    """A round at a random point."""
    rules = load(book)
    table = AutomaticTable(
        Table(rules, packs=chance.choice(rules.decks.allowed), limits=Limits(500)),
        lambda number: hashlib.sha256(f"{book} {seed} {number}".encode()).digest(),
    )
    table.open(SEATS)
    boxes = sorted(chance.sample(SEATS, chance.randint(1, 4)), key=lambda seat: seat[1])
    for player, box in boxes:
        table.must(c.Play(PlaceWager(box, player, chance.choice(STAKES))))
    if chance.random() < 0.5:
        table.must(c.Play(PlaceWager(boxes[0][1], "Ben", 600)))
    table.must(c.Play(CallNoMoreBets()))
    for _ in range(chance.randint(3, 40)):
        if table.table.phase == "round":
            table._step(lambda state: answer(state, seed))
    return table


def as_it_should_have_been(table: AutomaticTable, chance: Random) -> tuple[Card, ...]:
    """The cards in their order without the error: two swapped, one dealt too late, or one on an empty box."""
    dealt = [event.card for event in table.events if isinstance(event, CardLeftShoe)]
    last = min(len(dealt), chance.choice((3, 5, 40)))  # the fewer cards came after the error, the more decisions stand
    first, second = sorted(chance.sample(range(len(dealt) - last, len(dealt)), 2))
    kind = chance.choice(("swapped", "late", "empty box"))
    if kind == "swapped":
        dealt[first], dealt[second] = dealt[second], dealt[first]
    elif kind == "late":
        dealt.insert(first, dealt.pop(second))
    else:
        dealt.insert(first, table.table.shoe.stack[0])
    return tuple(dealt)


def layout(state: Round) -> tuple[object, ...]:
    """Where every card lies, and the state of the round."""
    hands = tuple(hand.cards for box in state.boxes for hand in box.hands)
    return hands, state.dealer, state.phase, state.turn, state.joining


# --- the law ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [ROUNDS, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("book", NAMES)
def test_16_5_1_i_15_4_a_round_put_right_is_the_round_without_the_error(book, rounds):
    seen: Counter[str] = Counter()
    for seed in range(rounds):
        seen.update(one_round(book, seed))
    wanted = {"put right", "stands", "open again", "new turn", "left over burned"}
    if load(book).irregular.left_over == "next_card":
        wanted |= {"left over next"}
    assert wanted <= set(seen), seen


def one_round(book: str, seed: int) -> set[str]:
    """Check the law on one round; what happened in it, so that no case is missing from all of them."""
    chance = Random(f"{book} {seed}")
    table = with_error(book, seed, chance)
    before = table.table
    assert before.at_call is not None
    order = as_it_should_have_been(table, chance)
    refused = table.do(c.Reconstruct(order, "dealt_again", "operator", "casino_supervisor", "misplaced"))
    if refused is not None:
        assert refused.code == "extra_hand_is_void", refused
        return {"void"}
    state = table.table.round
    assert state is not None
    course = list(without_error(before.at_call, order, list(before.acts), seed))

    # Every card lies where it would have gone without the error, and so does every chip.
    place = [layout(one) for one in course].index(layout(state))
    if state.phase not in OFFERS:
        assert replace(state, exposed="") in course[place:]

    # What people decided there and the error did not touch stands: the next decision of the course is a new one.
    if state.phase != "ended" and (next_place(state) is None or order_left(table, order)):
        following = answer(state, seed) or CloseOffer()
        assert act(state, following) not in before.acts or act(state, following) in table.table.acts
    kinds = {"put right"}
    abandoned = [one for one in before.acts if one not in table.table.acts]
    kinds |= {"stands"} if table.table.acts else set()
    kinds |= {"open again"} if abandoned else {"new turn"}
    kinds |= {"left over next"} if table.table.ruled else set()
    kinds |= {"left over burned"} if order_left(table, order) and not table.table.ruled else set()
    nobody_decides_twice_in_view_of_a_card(table, abandoned, seed)
    chips_and_cards_are_all_there(table)
    return kinds


def order_left(table: AutomaticTable, order: tuple[Card, ...]) -> int:
    state = table.table.round
    assert state is not None
    return len(order) - state.cards_used


def nobody_decides_twice_in_view_of_a_card(table: AutomaticTable, abandoned: list[Act], seed: int) -> None:
    """Play on to the end: a box whose decision was set aside decides again only if no coming card is known."""
    again = {one.turn[0] for one in abandoned if one.phase == "decision"}
    offers = {one.phase for one in abandoned if one.phase in OFFERS}
    while table.table.phase != "ready":
        state = table.table.round
        if table.table.phase != "round":
            table.must(table.program.next_command(table.table))
            continue
        assert state is not None
        if table.table.ruled or state.exposed:
            assert state.phase not in offers, (state.phase, table.table.ruled)
            assert state.phase != "decision" or state.turn[0] not in again, (state.turn, table.table.ruled)
        table._step(lambda state: answer(state, seed))


def chips_and_cards_are_all_there(table: AutomaticTable) -> None:
    shoe = table.table.shoe
    assert Counter((*shoe.stack, *shoe.discards, *table.table.on_layout)) == full_set(table.table)
    totals = table_balances(table.events)
    assert sum(totals.values()) == 0
    assert not [name for name, amount in totals.items() if name.startswith("escrow/") and amount]
    net: Counter[str] = Counter()
    for settled in table.table.finished[-1].settlements:
        net[settled.player] += settled.net
    assert {name: totals[f"wallet/{name}"] for name in net} == dict(net)
