"""Random tables: any rulebook, valid overrides, bettors, and decisions the engine allows."""

from __future__ import annotations

from random import Random
from typing import Literal, get_args, get_origin

from pontoon.cards import PACK, Card
from pontoon.engine import (
    Absent,
    BurnCard,
    CallNoMoreBets,
    DealCard,
    Event,
    ExposeCard,
    Insure,
    Limits,
    MissCard,
    NoticeNoFirstCard,
    NoticeSkip,
    OfferLate,
    PlaceSideWager,
    PlaceWager,
    PutRight,
    Refusal,
    Round,
    SkipDealer,
    SkipHand,
    VoidBox,
    VoidHand,
    VoidRound,
    VoidWager,
    options,
    play,
)
from pontoon.engine.commands import Command, Double
from pontoon.engine.dealing import next_place
from pontoon.engine.events import CardBurned
from pontoon.engine.options import Options
from pontoon.rulebook import NAMES, Rulebook, RulebookError, load
from pontoon.rulebook.schema import SECTIONS
from pontoon.rulebook.values import fields

PLAYERS = ("Ann", "Ben", "Cal", "Dee", "Eve")
FREE = {"decks", "payout", "super_bonus", "deal"}
"""Sections whose values are not changed: they are amounts and tables, not readings."""


def random_rules(chance: Random, *, overridden: bool) -> Rulebook:
    """A rulebook, sometimes with a few changed readings."""
    book = load(chance.choice(NAMES))
    if not overridden:
        return book
    overrides: dict[str, object] = {}
    for section, kind in SECTIONS.items():
        if section in FREE:
            continue
        for name, (_, wanted) in fields(kind).items():
            if chance.random() < 0.2:
                if wanted is bool:
                    overrides[f"{section}.{name}"] = chance.random() < 0.5
                elif get_origin(wanted) is Literal:
                    overrides[f"{section}.{name}"] = chance.choice(get_args(wanted))
    overrides["split.max_hands"] = chance.choice((1, 2, 3, 4))
    overrides["double.forfeit_highest"] = chance.choice((0, 20, 21))
    overrides["super_bonus.other_unit"] = chance.choice(("per_wager", "per_original_wager", "per_player"))
    try:
        return load(book.about.name, overrides)
    except RulebookError:
        return book


def random_cards(chance: Random) -> list[Card]:
    """Cards for one round, sometimes from a shoe poor in ranks, so that pairs, sevens and aces come often."""
    pack = list(PACK)
    if chance.random() < 0.5:
        wanted = chance.choice(("A8", "7", "A789", "AK8", "678", "234A", "AJQK"))
        pack = [card for card in pack if card[0] in wanted]
        if chance.random() < 0.3:
            pack = [card for card in pack if card[1] == "s"] + chance.sample(pack, 1)
    return [chance.choice(pack) for _ in range(300)]


def random_round(chance: Random, rules: Rulebook) -> tuple[Round, list[Event], list[Card]]:
    """Wagers of a random table, placed and called."""
    limits = Limits(*chance.choice(((0, 0, 0), (500, 5000, 0), (500, 10000, 250), (1000, 0, 500))))
    state = Round(rules, limits)
    events: list[Event] = []
    for _ in range(chance.randint(1, 9)):
        box, player = chance.randint(1, 7), chance.choice(PLAYERS)
        stake = chance.choice((200, 500, 1000, 1500, 2400, 2500, 3300, 12000))
        state = _try(state, PlaceWager(box, player, stake), events)
        if chance.random() < 0.4:
            kind: Literal["perfect_pairs", "pairs_play"] = chance.choice(("perfect_pairs", "pairs_play"))
            state = _try(state, PlaceSideWager(box, chance.choice(PLAYERS), kind, 500), events)
    return _try(state, CallNoMoreBets(), events), events, random_cards(chance)


def _try(state: Round, command: Command, events: list[Event]) -> Round:
    played = play(state, command)
    if isinstance(played, Refusal):
        return state
    events.extend(played.events)
    return played.state


def random_trouble(chance: Random, state: Round, cards: list[Card]) -> Command:
    """An error or a ruling; refused if the document does not provide for it."""
    where = chance.choice(state.boxes)
    box, player, hand = where.number, chance.choice(where.bettors).player, chance.randint(1, len(where.hands))
    house = chance.random() < 0.4
    if not state.cards_used and chance.random() < 0.5:
        return SkipDealer(by_house=house)
    due = next_place(state) or (box, hand)
    return chance.choice(
        (
            BurnCard(cards[-1], chance.choice(("face_up", "in_error", "dealer_early")), house),
            ExposeCard(cards[-1], house),
            OfferLate("insurance", by_house=house),
            OfferLate("surrender", by_house=house),
            OfferLate(chance.choice(("insurance", "surrender")), box, player, house),
            SkipHand(box, house),
            NoticeSkip(box),
            MissCard(*due, house),
            MissCard(*due, house),
            PutRight(box, hand, house),
            Absent(box, player),
            Absent(box, deal=False),
            SkipDealer(house),
            NoticeNoFirstCard(),
            VoidBox(box, house),
            VoidHand(box, hand, house),
            VoidHand(box, hand, house),
            VoidWager(box, player, house),
            VoidRound(house) if chance.random() < 0.3 else VoidHand(box, hand, house),
        )
    )


def random_command(chance: Random, moment: Options, cards: list[Card]) -> Command:
    """The card that is due, or a command some player may give."""
    if moment.card_to is not None and (not moment.allowed or chance.random() < 0.5):
        return DealCard(cards.pop())  # an exposed card is the last of these, too
    command = chance.choice(moment.allowed)
    if isinstance(command, Insure) and chance.random() < 0.5:
        return Insure(command.box, command.player, command.amount // 2, command.for_box, command.for_player)
    if isinstance(command, Double) and chance.random() < 0.3:
        return Double(command.box, 500, command.player)
    return command


def play_out(chance: Random, state: Round, events: list[Event], cards: list[Card], trouble: float = 0.0) -> Round:
    """Play a called round to its end with random allowed decisions and occasional irregularities."""
    while state.phase not in ("ended", "wagers"):
        before = len(events)
        if chance.random() < trouble:
            command = random_trouble(chance, state, cards)
        else:
            command = random_command(chance, options(state), cards)
        state = _try(state, command, events)
        for event in events[before:]:
            if isinstance(event, CardBurned):  # the next card left the shoe, by command or at the end
                cards.pop()
    return state
