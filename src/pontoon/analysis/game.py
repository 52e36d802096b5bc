"""What the analysis needs to know about a rulebook, found by asking the engine.

No rule is decided here: `engine.refusal` says what a hand may do, `engine.odds` what it pays, `engine.doubling` which
aces a double fixes, and a round played to its end what the Super Bonus adds. Only numbers that the documents give as
numbers are read from the rulebook itself.

>>> from pontoon.rulebook import load
>>> game = game_of(load("star"), 1000)
>>> game.max_hands, game.collects, game.odds["seven_cards"], game.prize["s"]
(2, 'busts_plus_one', Fraction(3, 1), Fraction(100, 1))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, repeat
from typing import Literal

import numpy as np

from pontoon.analysis import kernels as k
from pontoon.analysis.hands import ACE, PICTURE, SUITS, VALUES, Hands, Integers
from pontoon.cards import LIMIT, RANKS, Card, aces_in, is_pontoon, total
from pontoon.engine import (
    Box,
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    Double,
    Hand,
    Hit,
    PlaceWager,
    Round,
    Settled,
    Split,
    Stand,
    Surrender,
    Wager,
    must_play,
    refusal,
)
from pontoon.engine.dealing import next_place
from pontoon.engine.doubling import fixed_aces
from pontoon.engine.odds import row
from pontoon.engine.surrender import surrender_is_offered
from pontoon.money import cents
from pontoon.rulebook import Rulebook

PLAYER = "player"
Bonuses = dict[tuple[int, int], tuple[int, dict[str, str]]]
ROWS = (
    "pontoon",
    "five_cards",
    "six_cards",
    "seven_cards",
    "six_seven_eight_mixed",
    "six_seven_eight_suited",
    "six_seven_eight_spades",
    "sevens_mixed",
    "sevens_suited",
    "sevens_spades",
    "other",
)
"""The rows of the payout table that an undoubled wager can win."""

Collects = Literal["all", "busts_plus_one", "original_tracked", "peek"]


@dataclass(frozen=True, eq=False)
class Game:
    """The rules of a game in the form the analysis computes with.

    The last group of fields is the same in all five documents. They are fields because the analysis is also tested on
    published figures of other games.
    """

    name: str
    stake: Fraction
    """Stake in dollars; only the Super Bonus depends on it."""
    odds: dict[str, Fraction]
    """What a winning wager is paid, by row of the payout table."""
    doubled: Fraction
    stands_hard: int
    stands_soft: int
    collects: Collects
    """What a dealer's pontoon takes; `peek`: the dealer checks for it first, which no document has."""
    forfeit_highest: int
    max_hands: int
    surrender: frozenset[str]
    """Ranks of the upcards against which the player may surrender half the wager."""
    insurance: Fraction
    """What insurance pays per unit."""
    insurance_most: Fraction
    """Maximum insurance per unit of the wager."""
    prize: dict[str, Fraction]
    """The Super Bonus per unit staked, by the suit of the sevens; 0 if there is none."""
    prize_split: Fraction
    """The same on a hand of split sevens of different suits."""
    fixed: int
    fixed_split: int
    """Which aces a double fixes at 1, on the hand dealt and on a hand of a split."""
    pairs: frozenset[str]
    """Which pairs may be split, two ranks each: `88`, `KQ`."""
    allowed: dict[tuple[int, int, bool, bool], int] = field(repr=False)
    """What a hand may do, by cards, total, soft, split."""
    count_requires_21: bool = True
    twenty_one_wins: bool = True
    """A player's 21 is paid immediately, whatever the dealer will have."""
    split_aces_one_card: bool = True
    split_aces_again: bool = False


def representative(counts: Iterable[int], *, suit: str = "") -> tuple[Card, ...]:
    """Cards of these values, in suits that form no suited bonus or all of one suit.

    >>> representative((0, 0, 0, 0, 0, 1, 1, 1, 0, 0)), representative((0, 0, 0, 0, 0, 0, 3, 0, 0, 0), suit="s")
    (('6c', '7d', '8c'), ('7s', '7s', '7s'))
    """
    letters = [letter for letter, count in zip(VALUES, counts, strict=True) for _ in range(count)]
    return tuple(Card(letter + (suit or "cd"[place % 2])) for place, letter in enumerate(letters))


def game_of(rules: Rulebook, stake: int) -> Game:
    """The game of a rulebook at a stake in cents: the Pontoon wager alone, without side bets."""
    rules = rules.without_side_bets()
    unit = Fraction(stake, cents("1"))
    return Game(
        name=rules.about.name,
        stake=unit,
        odds={name: Fraction(getattr(rules.payout, name)) for name in ROWS},
        doubled=Fraction(rules.payout.doubled),
        stands_hard=rules.dealer.stands_hard,
        stands_soft=rules.dealer.stands_soft,
        collects=rules.dealer.pontoon_collects,
        forfeit_highest=rules.double.forfeit_highest,
        max_hands=rules.split.max_hands,
        surrender=frozenset(rank for rank in RANKS if _may_surrender(rules, Card(f"{rank}s"))),
        insurance=Fraction(rules.insurance.odds),
        insurance_most=Fraction(rules.insurance.most_percent, 100),
        prize={suit: Fraction(super_bonus(rules, stake, suit), stake) for suit in SUITS},
        prize_split=Fraction(_split_super_bonus(rules, stake), stake) if rules.split.max_hands > 1 else Fraction(0),
        fixed=_fixed(rules, split=False),
        fixed_split=_fixed(rules, split=True),
        pairs=frozenset(pair for pair in _PAIRS if _may(rules, _cards(pair), Split(1))),
        allowed=_allowed(rules),
        count_requires_21=rules.payout.count_requires_21,
    )


_PAIRS = (*(rank + rank for rank in RANKS), "KQ", "KJ", "QJ")


def _cards(ranks: str) -> tuple[Card, ...]:
    return tuple(Card(rank + suit) for rank, suit in zip(ranks, "cd", strict=True))


def _moment(rules: Rulebook, cards: tuple[Card, ...], *, split: bool, dealer: str = "9h") -> Round:
    """A round in which a decision on this hand is due."""
    points = total(cards)
    wager = Wager(PLAYER, cents("10"))
    hand = Hand(cards, (wager,), points.points, points.soft, split=split)
    box = Box(1, (wager,), (hand,), controller=PLAYER)
    return Round(rules, phase="decision", boxes=(box,), dealer=(Card(dealer),), turn=(1, 1))


def _may(rules: Rulebook, cards: tuple[Card, ...], command: Command, *, split: bool = False) -> bool:
    return refusal(_moment(rules, cards, split=split), command) is None


def _may_surrender(rules: Rulebook, dealer: Card) -> bool:
    moment = _moment(rules, (Card("9c"), Card("7d")), split=False, dealer=dealer)
    return surrender_is_offered(moment) or refusal(moment, Surrender(1)) is None


def _fixed(rules: Rulebook, *, split: bool) -> int:
    """Which aces a double fixes, from two hands: an ace among the first two cards, and one that came third."""
    first, third = (Card("Ac"), Card("2d"), Card("3c")), (Card("2d"), Card("3c"), Card("Ac"))
    asked = []
    for cards in (first, third):
        moment = _moment(rules, cards, split=split)
        asked.append(fixed_aces(moment, moment.boxes[0].hands[0]))
    return {(0, 0): k.FIXED_NONE, (1, 0): k.FIXED_FIRST_TWO, (1, 1): k.FIXED_ALL}[asked[0], asked[1]]


def _allowed(rules: Rulebook) -> dict[tuple[int, int, bool, bool], int]:
    """What a hand may do by cards, total, soft and split: standing and doubling depend on nothing else."""
    answers: dict[tuple[int, int, bool, bool], int] = {}
    for cards in _samples():
        points = total(cards)
        for split in (False, True):
            stand = _may(rules, cards, Stand(1), split=split)
            double = _may(rules, cards, Double(1), split=split)
            answers[len(cards), points.points, points.soft, split] = k.MAY_STAND * stand | k.MAY_DOUBLE * double
    return answers


def _samples() -> list[tuple[Card, ...]]:
    """One hand for every number of cards and every total, hard or soft."""
    found: dict[tuple[int, int, bool], tuple[Card, ...]] = {}
    growing: list[tuple[Card, ...]] = [()]
    for _ in range(LIMIT):
        longer: dict[tuple[int, bool], tuple[Card, ...]] = {}
        for cards in growing:
            for letter in VALUES:
                grown = (*cards, Card(letter + "cd"[len(cards) % 2]))
                if total(grown).points < LIMIT:
                    hard = total(grown, fixed_aces=len(grown)).points
                    longer.setdefault((hard, aces_in(grown) > 0), grown)
        growing = list(longer.values())
        for cards in growing:
            points = total(cards)
            found.setdefault((len(cards), points.points, points.soft), cards)
    return [cards for cards in found.values() if len(cards) > 1]


def super_bonus(rules: Rulebook, stake: int, suit: str) -> int:
    """The Super Bonus for three sevens of a suit against a seven."""
    seven = Card(f"7{suit}")
    return _bonus(rules, stake, [[seven, seven, seven]], [Hit(1)])


def _split_super_bonus(rules: Rulebook, stake: int) -> int:
    """Split sevens of different suits: three suited sevens on the first hand, a picture on the second."""
    hands = [[Card("7s"), Card("7s"), Card("7s")], [Card("7h"), Card("Kh")]]
    return _bonus(rules, stake, hands, [Split(1), Hit(1), Stand(1)])


def _bonus(rules: Rulebook, stake: int, hands: list[list[Card]], calls: Sequence[Command]) -> int:
    """The Super Bonus of a round played against a dealer's seven."""
    settlements = play_out(rules, stake, hands, [Card("7d"), Card("Kd")], calls)
    return sum(entry.net for entry in settlements if isinstance(entry, Settled) and entry.kind == "super_bonus")


def play_out(
    rules: Rulebook, stake: int, hands: list[list[Card]], dealer: list[Card], calls: Sequence[Command]
) -> tuple[object, ...]:
    """Play one box through the engine with the given cards and decisions; return the settlements.

    Further cards are kings. A hand without further decisions stands, or draws if it must.
    """
    state = Round(rules)
    split = len(hands) > 1
    first = hands[0][:1] + hands[1][:1] + hands[0][1:] if split else hands[0]
    deal = {0: chain(dealer, _KINGS), 1: chain(first, _KINGS), 2: chain(hands[-1][1:], _KINGS)}
    decisions = chain(calls, repeat(Stand(1)))
    state = must_play(state, PlaceWager(1, PLAYER, stake), CallNoMoreBets())
    while state.phase != "ended":
        place = next_place(state)
        if place is not None:
            box, hand = place
            state = must_play(state, DealCard(next(deal[hand if box else 0])))
        elif state.phase == "decision":
            call = next(decisions)
            state = must_play(state, Hit(1) if refusal(state, call) else call)  # a rulebook may force a card
        else:
            state = must_play(state, CloseOffer())
    return state.settlements


_KINGS = repeat(Card("Kc"))


# --- tables indexed by hand ------------------------------------------------------------------------------------


def rows_of(game: Game, hands: Hands) -> Integers:
    """The payout row of every hand in the list, in mixed suits, as an index in `ROWS`."""
    return _rows(hands, count_requires_21=game.count_requires_21)


@lru_cache(maxsize=64)
def _rows(hands: Hands, *, count_requires_21: bool) -> Integers:
    """Cached: games that differ only in other rules share the rows."""
    found = []
    for counts in hands.counts.tolist():
        cards = representative(counts)
        found.append(ROWS.index(row(cards, total(cards).points, count_requires_21=count_requires_21)))
    return np.array(found, dtype=np.int64)


def flags_of(game: Game, hands: Hands, *, split: bool) -> Integers:
    """What every hand in the list may do, and whether it is paid immediately."""
    flags = np.zeros(len(hands.hard), dtype=np.int64)
    for place, (size, best, hard) in enumerate(
        zip(hands.size.tolist(), hands.best.tolist(), hands.hard.tolist(), strict=True)
    ):
        if best == LIMIT:
            flags[place] = k.PAID if game.twenty_one_wins else k.MAY_STAND
        elif size > 1:
            # A hand that can arise only by drawing to a soft 21 has no entry: it is never held.
            flags[place] = game.allowed.get((size, best, best != hard, split), 0)
    return flags


def bonuses_of(game: Game) -> Bonuses:
    """Two values whose suits decide what a third pays: the third value, and the row by suit if all three match."""
    return _bonuses(count_requires_21=game.count_requires_21)


@cache
def _bonuses(*, count_requires_21: bool) -> Bonuses:
    found = {}
    for first in range(10):
        for second in range(first, 10):
            for third in range(10):
                counts = [(first, second, third).count(value) for value in range(10)]
                if total(representative(counts)).points != LIMIT:
                    continue
                mixed, *same = (
                    row(representative(counts, suit=suit), LIMIT, count_requires_21=count_requires_21)
                    for suit in ("", *SUITS)
                )
                if any(name != mixed for name in same):
                    found[first, second] = (third, dict(zip(SUITS, same, strict=True)))
    return found


def is_natural(first: int, second: int) -> bool:
    """Whether two values are a pontoon."""
    return is_pontoon((Card(VALUES[first] + "c"), Card(VALUES[second] + "d")))


def natural_value(first: int) -> int:
    """The value that makes a pontoon with the upcard; -1 if there is none."""
    return {ACE: PICTURE, PICTURE: ACE}.get(first, -1)
