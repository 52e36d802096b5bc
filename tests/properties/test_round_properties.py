"""Invariants of every round of every rulebook, whatever the decisions."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pontoon.cards import PACK
from pontoon.engine import (
    CallNoMoreBets,
    Command,
    DealCard,
    Refusal,
    Round,
    TakeBack,
    decide,
    evolve,
    must_play,
    options,
    play,
    refusal,
)
from pontoon.engine.commands import (
    ExposeCard,
    MissCard,
    NoticeNoFirstCard,
    NoticeSkip,
    OfferLate,
    SkipDealer,
    SkipHand,
    VoidBox,
)
from pontoon.engine.events import CardBurned, CardDealt, RoundEnded, Settled, clauses_of
from pontoon.engine.options import candidates
from pontoon.ledger import balances, postings
from pontoon.rulebook.register import register
from pontoon.transcript import RefusedLine, read, replay, write
from tests.tables import play_out, random_command, random_round, random_rules

seeds = st.integers(0, 2**32)


@given(seeds, st.booleans())
def test_a_round_ends_with_every_chip_and_card_accounted_for(seed, overridden):
    chance = Random(seed)
    rules = random_rules(chance, overridden=overridden)
    state, events, cards = random_round(chance, rules)
    start = len(cards)
    state = play_out(chance, state, events, cards)
    if state.phase == "wagers":
        return  # nobody could be dealt to
    dealt = [event.card for event in events if isinstance(event, CardDealt)]
    on_table = [card for box in state.boxes for hand in box.hands for card in hand.cards]
    assert len(dealt) == state.cards_used == start - len(cards) == len(on_table) + len(state.dealer)
    assert sorted(dealt) == sorted([*on_table, *state.dealer])
    assert all(sum(posting.amount for posting in postings(event)) == 0 for event in events)
    totals = balances(events)
    assert sum(totals.values()) == 0
    assert all(amount == 0 for account, amount in totals.items() if account.startswith("escrow/"))
    assert isinstance(events[-1], RoundEnded)
    assert all(wager.result for box in state.boxes for hand in box.hands for wager in hand.wagers)


@given(seeds, st.booleans())
def test_replay_of_the_events_equals_the_live_state(seed, overridden):
    chance = Random(seed)
    rules = random_rules(chance, overridden=overridden)
    state, events, cards = random_round(chance, rules)
    state = play_out(chance, state, events, cards)
    again = Round(rules, state.limits)
    for event in events:
        again = evolve(again, event)
    assert again == state


@given(seeds, st.booleans())
def test_options_and_refusal_agree_and_a_refusal_changes_nothing(seed, overridden):
    chance = Random(seed)
    rules = random_rules(chance, overridden=overridden)
    state, _, cards = random_round(chance, rules)
    for _ in range(60):
        moment = options(state)
        assert len(moment.allowed) + len(moment.refused) == len(list(candidates(state)))
        for command in moment.allowed:
            assert refusal(state, command) is None
            assert not isinstance(decide(state, command), Refusal)
        for command, refused in moment.refused:
            assert decide(state, command) == refused
            assert refused.clauses or rules.about.name
        assert (refusal(state, DealCard(PACK[0])) is None) == (moment.card_to is not None)
        if state.phase in ("ended", "wagers"):
            assert all(isinstance(command, CallNoMoreBets | TakeBack) for command in moment.allowed)
            break
        assert moment.allowed or moment.card_to is not None
        played = play(state, random_command(chance, moment, cards))
        state = state if isinstance(played, Refusal) else played.state


def irregular_command(chance: Random, state: Round) -> Command:
    """A dealer's error or its remedy, on a box and hand chosen at random."""
    box, by_house = chance.randint(1, 3), chance.random() < 0.5
    return chance.choice(
        (
            ExposeCard(chance.choice(PACK), by_house),
            OfferLate(chance.choice(("insurance", "surrender")), by_house=by_house),
            SkipHand(state.turn[0] or box, by_house),
            MissCard(*(state.turn if state.turn[0] else (box, 1)), by_house, chance.random() < 0.5),
            NoticeSkip(box),
            SkipDealer(by_house),
            NoticeNoFirstCard(),
            VoidBox(box, by_house),
        )
    )


@given(seeds)
def test_options_and_refusal_agree_after_errors_of_the_dealer(seed):
    chance = Random(seed)
    state, _, cards = random_round(chance, random_rules(chance, overridden=True))
    for _ in range(60):
        moment = options(state)
        assert all(refusal(state, command) is None for command in moment.allowed)
        assert all(refusal(state, command) == refused for command, refused in moment.refused)
        if state.phase in ("ended", "wagers"):
            break
        irregular = chance.random() < 0.3
        command = irregular_command(chance, state) if irregular else random_command(chance, moment, cards)
        if refusal(state, command) is None:
            state = must_play(state, command)


@given(seeds)
def test_every_event_and_refusal_cites_clauses_of_its_own_document(seed):
    chance = Random(seed)
    rules = random_rules(chance, overridden=False)
    known = {clause.number for clause in register(rules.about.name)}
    state, events, cards = random_round(chance, rules)
    while state.phase not in ("ended", "wagers"):
        moment = options(state)
        for _, refused in moment.refused:
            assert refused.clauses or refused.code == "document_silent"
            assert set(refused.clauses) <= known
        played = play(state, random_command(chance, moment, cards))
        if not isinstance(played, Refusal):
            state = played.state
            events.extend(played.events)
    for event in events:
        assert clauses_of(event), event
        assert set(clauses_of(event)) <= known, event


@given(seeds, st.booleans())
def test_engine_to_transcript_to_engine_is_lossless(seed, overridden):
    chance = Random(seed)
    rules = random_rules(chance, overridden=overridden)
    state, events, cards = random_round(chance, rules)
    state = play_out(chance, state, events, cards)
    if state.phase == "wagers":
        return
    text = write(rules, events, limits=state.limits)
    dealt = [event.card for event in events if isinstance(event, CardDealt)]
    if any(dealt.count(card) > rules.decks.default for card in set(dealt)):
        return  # cards no shoe could hold
    again = replay(read(text))
    assert not isinstance(again, RefusedLine), again
    assert again.events == tuple(events)
    assert again.state == state


@given(seeds, st.booleans())
def test_with_trouble_at_the_table_every_chip_and_card_is_still_accounted_for(seed, overridden):
    chance = Random(seed)
    rules = random_rules(chance, overridden=overridden)
    state, events, cards = random_round(chance, rules)
    start = len(cards)
    state = play_out(chance, state, events, cards, trouble=0.15)
    if state.phase == "wagers":
        return
    used = [event.card for event in events if isinstance(event, CardDealt | CardBurned)]
    assert len(used) == state.cards_used == start - len(cards)
    totals = balances(events)
    assert sum(totals.values()) == 0
    assert all(amount == 0 for account, amount in totals.items() if account.startswith("escrow/"))
    again = Round(rules, state.limits)
    for event in events:
        again = evolve(again, event)
    assert again == state
    assert all(wager.result for box in state.boxes for hand in box.hands for wager in hand.wagers)
    if any(used.count(card) > rules.decks.default for card in set(used)):
        return  # cards no shoe could hold
    replayed = replay(read(write(rules, events, limits=state.limits)))
    assert not isinstance(replayed, RefusedLine), (replayed.line, replayed.refusal)
    assert replayed.state == state


@given(seeds)
def test_no_main_wager_is_settled_twice_and_none_is_forgotten(seed):
    chance = Random(seed)
    state, events, cards = random_round(chance, random_rules(chance, overridden=True))
    state = play_out(chance, state, events, cards)
    settled = [
        (event.box, event.hand, event.player, event.kind)
        for event in events
        if isinstance(event, Settled) and event.kind in ("main", "double")
    ]
    assert len(settled) == len(set(settled))
    if state.phase == "ended":
        wagers = [
            (box.number, number, wager.player, kind)
            for box in state.boxes
            for number, hand in enumerate(box.hands, 1)
            for wager in hand.wagers
            for kind in (("main", "double") if wager.double else ("main",))
        ]
        assert sorted(settled) == sorted(wagers)
