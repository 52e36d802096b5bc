"""A shared hand: a finished round without names and without its table, step by step.

Players are renamed in the events themselves, before anything is built from them, so that no view or sentence can
contain a name. The round is over, so every hand lies face up; a card that was burned unseen stays unseen
(view.table_events).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from pontoon.cards import LIMIT, Card
from pontoon.engine import Event, Round, evolve
from pontoon.engine import events as e
from pontoon.rulebook import NAMES, Rulebook, digest, load
from pontoon.server.coach.decisions import Decision, Sight, decisions_at
from pontoon.server.records.history import PastRound, renamed
from pontoon.server.sharing.links import Link
from pontoon.table import Table
from pontoon.table.commitment import Proof
from pontoon.table.events import InRound
from pontoon.table.fairness import ShoeRecord
from pontoon.trainer.position import Position
from pontoon.trainer.why import with_article
from pontoon.transcript import write
from pontoon.view.table import table_view
from pontoon.view.table_events import EventView, event_view
from pontoon.view.table_parts import RoundView, TableView
from pontoon.view.viewer import Viewer
from pontoon.view.words import hand_words


class SharedStep(Struct, frozen=True, omit_defaults=True):
    """One step of the replay."""

    label: str
    player: str
    """Who decided; empty for the dealer."""
    words: str
    events: tuple[EventView, ...]
    round: RoundView
    decision: int = -1
    """The number of the decision in the verdicts, from 0; -1 if the step is not a decision."""


class SharedHand(Struct, frozen=True, omit_defaults=True):
    """A finished round as anyone may see it."""

    title: str
    line: str
    """Rules, bet and packs in words."""
    rulebook: str
    published: bool
    """Whether these are the casino's rules, unchanged."""
    packs: int
    player: str
    """The sharer's name here."""
    net: int
    """The sharer's result in cents."""
    view: TableView
    """The table without a round."""
    steps: tuple[SharedStep, ...]
    cards: tuple[Card, ...]
    """The sharer's first hand at the end, and the dealer's."""
    dealer: tuple[Card, ...]


class Shared(Struct, frozen=True):
    """A shared hand with what its verdicts, its comparison and its proof are made of."""

    hand: SharedHand
    decisions: tuple[Decision, ...]
    positions: tuple[str, ...]
    """Each decision as a position to practise; empty if it cannot be one."""
    transcript: str
    drawn: tuple[Card, ...]
    """The cards of the round in the order they left the shoe."""


def shared(link: Link, past: PastRound, line: str) -> Shared:
    """The round of a link for everyone; `line` says rules, bet and packs."""
    names = new_names(link, past)
    me = names[link.by]
    events = tuple(renamed(event, names) for event in past.events)
    rules = past.table.rules
    table = Table(rules, past.table.packs, past.table.limits, joker=past.table.joker, number=1)
    sight = Sight(replace(table, round=Round(rules, table.limits)), Viewer())
    made = tuple(decisions_at(sight, events, names.values()))
    steps = tuple(_steps(table, events, made))
    final = steps[-1].round
    own = next(box for box in final.boxes if any(bettor.player == me for bettor in box.bettors))
    net = sum(event.net for event in events if isinstance(event, e.Settled | e.Reversed) and event.player == me)
    dealer = final.dealer.cards if final.dealer else ()
    hand = SharedHand(
        _title(_ended(table, events), own.number, net),
        line,
        rules.about.name,
        is_published(rules),
        table.packs,
        me,
        net,
        table_view(table, Viewer()),
        steps,
        tuple(own.hands[0].cards) if own.hands else (),
        tuple(dealer),
    )
    decisions = tuple(decision for _, decision in made)
    text = write(rules, events, decks=table.packs, limits=table.limits, pin=True)
    positions = tuple(position_of(rules, decision) for decision in decisions)
    drawn = tuple(event.card for event in events if isinstance(event, e.CardDealt))
    return Shared(hand, decisions, positions, text, drawn)


def is_published(rules: Rulebook) -> bool:
    """Whether a rulebook is one of the five, unchanged."""
    name = rules.about.name
    return name in NAMES and digest(load(name)) == digest(rules)


# --- names ---------------------------------------------------------------------------------------------


def new_names(link: Link, past: PastRound) -> dict[str, str]:
    """What everyone is called in a shared hand: the sharer is Player 1, or has their name if they chose so."""
    bettors = [event.player for event in past.events if isinstance(event, e.WagerPlaced | e.SideWagerPlaced)]
    others = [player for player in dict.fromkeys(bettors) if player != link.by]
    people = [player for player in others if player not in past.bots]
    bots = [player for player in others if player in past.bots]
    names = {link.by: link.by if link.named else "Player 1"}
    names |= {player: f"Player {number}" for number, player in enumerate(people, 2)}
    return names | {player: f"Bot {number}" for number, player in enumerate(bots, 1)}


# --- steps ---------------------------------------------------------------------------------------------


def _steps(table: Table, events: tuple[Event, ...], made: Iterable[tuple[int, Decision]]) -> list[SharedStep]:
    """A step for the deal, each decision, the dealer's cards and the result."""
    at: dict[int, int] = {}
    decisions: list[Decision] = []
    for number, (index, decision) in enumerate(made):
        at.setdefault(index, number)
        decisions.append(decision)
    found: list[SharedStep] = []
    views: list[EventView] = []
    label, player, number = "Deal", "", -1
    state = Round(table.rules, table.limits)

    def close() -> None:
        words = ". ".join(view.words for view in views if view.words)
        drawn = table_view(replace(table, round=state, phase="round"), Viewer()).round
        assert drawn is not None
        plain = replace(drawn, choices=(), insurable=())
        found.append(SharedStep(label, player, words, tuple(views), plain, number))

    result = _result_at(events)
    for index, event in enumerate(events):
        if index in at or index == result or isinstance(event, e.DealersTurnCame):
            close()
            views, number = [], at.get(index, -1)
            label = "Result" if index == result else "Dealer"
            label = decisions[number].chosen.capitalize() if index in at else label
            player = decisions[number].player if index in at else ""
        state = evolve(state, event)
        after = replace(table, round=state, phase="round")
        view = event_view(InRound((), event), table, after, Viewer())
        if view is not None:
            views.append(view)
    close()
    return found


def _result_at(events: tuple[Event, ...]) -> int:
    """The index of the first payment after the last card, with which the last step begins; -1 if there is none."""
    last = max((index for index, event in enumerate(events) if isinstance(event, e.CardDealt)), default=0)
    paid = (index for index, event in enumerate(events) if index > last and isinstance(event, e.Settled))
    return next(paid, -1)


def _ended(table: Table, events: Iterable[Event]) -> Round:
    state = Round(table.rules, table.limits)
    for event in events:
        state = evolve(state, event)
    return state


def _title(state: Round, number: int, net: int) -> str:
    box = next(box for box in state.boxes if box.number == number)
    if len(box.hands) == 1 and box.hands[0].total > LIMIT:
        return f"A bust on {box.hands[0].total} against {with_article(state.dealer[0])}"
    held = hand_words(state, box.hands[0]).split(", ")[0] if box.hands else ""
    upcard = f" against {with_article(state.dealer[0])}" if state.dealer else ""
    won = "A win" if net > 0 else "A loss" if net < 0 else "A tie"
    return f"{won} with {held}{upcard}" if held else won


def position_of(rules: Rulebook, decision: Decision) -> str:
    """A decision as a position for the trainer, where the rules are published and the kind is a position's."""
    asked = decision.question
    if asked.kind not in ("decision", "doubled") or not is_published(rules):
        return ""
    held = Position(
        rules.about.name, asked.game.packs, asked.hand, asked.dealer, doubled=asked.kind == "doubled", split=asked.split
    )
    return str(held)


# --- proof ---------------------------------------------------------------------------------------------


class SharedProof(Struct, frozen=True):
    """The cards of a hand with their places in the shuffle, provable against the root published before the deal."""

    root: str = ""
    """Empty where nothing can be proved: the shuffle was not sealed, or the cards did not come one after the other."""
    seed_hash: str = ""
    revealed: bool = False
    """Whether the shoe is over and its seed is public at its table."""
    cards: tuple[Proof, ...] = ()


def proof_of(record: ShoeRecord, drawn: tuple[Card, ...]) -> SharedProof:
    """The proofs of a round's cards and of no others."""
    if record.root is None or not drawn:
        return SharedProof()
    dealt = [proof.card for proof in record.dealt]
    places = range(len(dealt) - len(drawn), -1, -1)
    first = next((place for place in places if tuple(dealt[place : place + len(drawn)]) == drawn), None)
    if first is None:
        return SharedProof()
    cards = record.dealt[first : first + len(drawn)]
    return SharedProof(record.root, record.seed_hash, record.seed is not None, cards)
