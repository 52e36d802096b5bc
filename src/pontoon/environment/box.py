"""One box against the dealer, from decision to decision: what its player sees, and what an action does.

The engine holds the rules. This module asks it what is allowed, gives it commands, and provides what an agent sees: all
of `Seen` and nothing else. `Seen` is what the exact analysis distinguishes, so every policy that is a function of it
has
an exact value (evaluation.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from msgspec import Struct

from pontoon.cards import Card, aces_in, points
from pontoon.engine import (
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    Double,
    Forfeit,
    Hand,
    Hit,
    Insure,
    Keep,
    PlaceWager,
    Round,
    Split,
    Stand,
    Surrender,
    must_play,
    refusal,
)
from pontoon.engine.dealing import CARD_DUE
from pontoon.engine.insurance import cap
from pontoon.engine.state import hand_in_turn
from pontoon.rulebook import Rulebook
from pontoon.strategy.situation import ranks_key, suits_mark

Phase = Literal["bet", "insurance", "surrender", "resplit", "play", "forfeit", "paid", "over"]
PHASES: tuple[Phase, ...] = ("bet", "insurance", "surrender", "resplit", "play", "forfeit", "paid", "over")
"""What is being asked. `resplit`: whether to split a hand of a split again; `paid`: the deal settled the hand, and
"keep" takes the money; `over`: the episode has ended."""
BET, INSURANCE, SURRENDERING, RESPLITTING, PLAYING, FORFEITING, PAID, ENDED = range(len(PHASES))
ACTIONS = ("stand", "hit", "double", "split", "surrender", "forfeit", "keep", "insure")
"""The actions by number; "keep" declines an offer of insurance, surrender or forfeit. Bets, if any, follow them."""
STAND, HIT, DOUBLE, SPLIT, SURRENDER, FORFEIT, KEEP, INSURE = range(len(ACTIONS))
SUITED = frozenset({"67", "68", "77", "78"})
"""Two cards whose suits can decide a payout."""
RANKS = 10
PLAYER = "agent"
IN_TURN: dict[int, Callable[[int], Command]] = {
    STAND: Stand,
    HIT: Hit,
    DOUBLE: Double,
    SPLIT: Split,
    SURRENDER: Surrender,
}
"""The command of each action that the player of a box may take in its turn, by the number of the box."""


class Seen(Struct, frozen=True):
    """What the agent sees when a decision is due."""

    phase: int
    """Index in `PHASES`."""
    ranks: tuple[int, ...] = (0,) * RANKS
    """Number of cards in the hand by points: aces, twos, ..., nines, pictures."""
    total: int = 0
    soft: bool = False
    upcard: int = 0
    """Points of the dealer's upcard, 1 for an ace; 0 before it is dealt."""
    suits: int = 0
    """For 6-7, 6-8, 7-8 and 7-7 of two cards: 0 in mixed suits, 1 in one suit, 2 in spades. Otherwise 0."""
    first_aces: int = 0
    """Aces among the first two cards, where a double fixes those at 1. Otherwise 0."""
    split: int = 0
    """Points of the pair that was split; 0 for a hand that was not split."""
    first_hand: bool = False
    """Whether this hand of a split carries the original wager, where a dealer's pontoon takes only that."""
    may: tuple[int, ...] = ()
    """The numbers of the allowed actions, in order."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the allowed actions."""
        return tuple(ACTIONS[number] for number in self.may if number < len(ACTIONS))


OVER = Seen(ENDED)


def ranks_of(cards: Iterable[Card]) -> tuple[int, ...]:
    """Number of cards by points, aces first.

    >>> ranks_of(("As", "Kd", "Qh"))
    (1, 0, 0, 0, 0, 0, 0, 0, 0, 2)
    """
    counts = [0] * RANKS
    for card in cards:
        counts[points(card) - 1] += 1
    return tuple(counts)


def begin(rules: Rulebook, stake: int) -> Round:
    """A round of one box with this wager in cents, before the first card."""
    return must_play(Round(rules.without_side_bets()), PlaceWager(1, PLAYER, stake), CallNoMoreBets())


def net(state: Round) -> int:
    """Cents won or lost so far."""
    return sum(entry.net for entry in state.settlements)


def card_is_due(state: Round) -> bool:
    """Whether the round waits for a card."""
    return state.phase in CARD_DUE


def allowed(state: Round) -> tuple[int, ...]:
    """The numbers of the actions that the engine allows; none while no decision is due."""
    match state.phase:
        case "insurance":
            return (KEEP, INSURE) if refusal(state, _insure(state)) is None else ()
        case "surrender":
            return (SURRENDER, KEEP) if refusal(state, Surrender(1)) is None else ()
        case "forfeit":
            return (FORFEIT, KEEP)
        case "decision":
            late = state.rules.surrender.timing == "both"  # it was offered before, and declined
            asked = (number for number in IN_TURN if not (late and number == SURRENDER))
            return tuple(number for number in asked if refusal(state, IN_TURN[number](1)) is None)
        case _:
            return ()


def act(state: Round, action: int) -> Round:
    """Play an allowed action; an offer that was answered is closed."""
    state = must_play(state, *_commands(state, action))
    return must_play(state, CloseOffer()) if _is_answered(state) else state


def _commands(state: Round, action: int) -> tuple[Command, ...]:
    if action == INSURE:
        return (_insure(state),)
    if action == FORFEIT:
        return (Forfeit(1),)
    if action == KEEP:
        return (Keep(1),) if state.phase == "forfeit" else (CloseOffer(),)
    return (IN_TURN[action](1),)


def _insure(state: Round) -> Insure:
    wager = state.boxes[0].bettors[0]
    return Insure(1, wager.player, cap(state, wager.stake))


def _is_answered(state: Round) -> bool:
    """Whether an offer is open that the box has already answered."""
    return state.phase in ("insurance", "surrender") and not allowed(state)


def settle_offers(state: Round) -> Round:
    """Close offers that are not for this box."""
    while _is_answered(state):
        state = must_play(state, CloseOffer())
    return state


def deal(state: Round, draw: Callable[[], Card]) -> Round:
    """Deal until a decision is due or the round is over."""
    state = settle_offers(state)
    while card_is_due(state):
        state = settle_offers(must_play(state, DealCard(draw())))
    return state


_PHASES = {"insurance": INSURANCE, "surrender": SURRENDERING, "decision": PLAYING, "forfeit": FORFEITING}


def seen(state: Round, *, kept: bool = False) -> Seen:
    """What the agent sees of a round in which a decision is due; `kept`: it declined to split this hand again."""
    may = allowed(state)
    if not may:
        return OVER
    phase = _PHASES[state.phase]
    hand = hand_in_turn(state) if phase in (PLAYING, FORFEITING) else state.boxes[0].hands[0]
    upcard = points(state.dealer[0])
    split = points(hand.cards[0]) if hand.split else 0
    if split and SPLIT in may:
        phase, may = (PLAYING, tuple(n for n in may if n != SPLIT)) if kept else (RESPLITTING, (SPLIT, KEEP))
    plain = phase in (INSURANCE, RESPLITTING, FORFEITING)
    return Seen(
        phase=phase,
        ranks=ranks_of(hand.cards),
        total=hand.total,
        soft=hand.soft,
        upcard=upcard,
        suits=0 if plain or (split and upcard in (1, 10)) else suits_of(hand.cards),
        first_aces=0 if plain or not aces_are_fixed(state.rules, split=hand.split) else aces_in(hand.cards[:2]),
        split=split,
        first_hand=phase != RESPLITTING and _is_tracked(state.rules, hand, upcard),
        may=may,
    )


def paid(state: Round) -> Seen:
    """What the agent sees of a round that the deal has settled: its only action is to take the money."""
    hand = state.boxes[0].hands[0]
    return Seen(PAID, ranks_of(hand.cards), hand.total, hand.soft, points(state.dealer[0]), may=(KEEP,))


def suits_of(cards: tuple[Card, ...]) -> int:
    """Whether two cards on the way to a bonus share a suit: 0 no, 1 yes, 2 spades.

    >>> suits_of(("6s", "7s")), suits_of(("7d", "7d")), suits_of(("6s", "9s"))
    (2, 1, 0)
    """
    return ("", "+", "s").index(suits_mark(cards)) if len(cards) == 2 and ranks_key(cards) in SUITED else 0


def aces_are_fixed(rules: Rulebook, *, split: bool) -> bool:
    """Whether a double fixes the aces among the first two cards of a hand."""
    fixed = rules.double.fixed_aces
    return fixed == "first_two_of_hand" or (fixed == "initial_deal" and not split)


def _is_tracked(rules: Rulebook, hand: Hand, upcard: int) -> bool:
    """Whether it matters that a hand of a split carries the original wager."""
    tracked = rules.dealer.pontoon_collects == "original_tracked" and upcard in (1, 10)
    return tracked and hand.split and hand.wagers[0].original


class Play:
    """A round of one box that is played by actions; `draw` supplies the cards.

    >>> from pontoon.rulebook import load
    >>> cards = iter(("8s", "6d", "8h", "3c", "Kd", "2d", "Ks", "Kh", "5d"))
    >>> play = Play(load("star"), 1000, lambda: next(cards))
    >>> play.seen.ranks[7], [ACTIONS[number] for number in play.seen.may]
    (2, ['stand', 'hit', 'double', 'split'])
    >>> [play.act(ACTIONS.index(action)) for action in ("split", "hit", "stand")]
    [0, 1000, 1000]
    """

    def __init__(self, rules: Rulebook, stake: int, draw: Callable[[], Card]) -> None:
        """Make the wager and deal until the first decision."""
        self.draw = draw
        self.state = deal(begin(rules, stake), draw)
        self.seen = seen(self.state)
        self.paid = net(self.state)
        """Cents settled so far."""

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.state.phase == "ended"

    def act(self, action: int) -> int:
        """Play an action that is in `seen.may`, deal until the next decision, and return the cents settled."""
        kept = self.seen.phase == RESPLITTING and action == KEEP
        if not kept:
            self.state = deal(act(self.state, action), self.draw)
        self.seen = seen(self.state, kept=kept)
        before, self.paid = self.paid, net(self.state)
        return self.paid - before
