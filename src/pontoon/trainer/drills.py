"""Situations to decide on: drawn by area, weighted to weak squares, the same twenty for everyone on one day.

A drill is a position that the engine has really reached, with the actions it allows there; what each is worth is asked
of `values` when someone has chosen.

>>> from pontoon.rulebook import load
>>> drill = drills(load("canberra"), Wanted(area="pairs", seed=1), 1)[0]
>>> drill.area, drill.position
('pairs', 'canberra|8|Qs Qc|6c')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from random import Random
from typing import Literal, get_args

from msgspec import Struct

from pontoon.cards import LIMIT, Card, total
from pontoon.engine import Round, refusal
from pontoon.rulebook import Rulebook
from pontoon.strategy.situation import rank_class
from pontoon.trainer.position import Position
from pontoon.trainer.practice import ACTIONS, Deal, PracticeError, box_of, practise
from pontoon.trainer.values import COMMANDS, Kind, Question, game_of, solve

Area = Literal["hard", "soft", "pairs", "doubled", "split"]
AREAS: tuple[Area, ...] = get_args(Area)
TITLES: dict[str, str] = {
    "hard": "Hard totals",
    "soft": "Soft totals",
    "pairs": "Pairs",
    "doubled": "Doubled hands",
    "split": "After a split",
    "close": "Close calls",
}
RANKS = "A23456789JQK"
SUITS = "shdc"
DAILY = 20
STAKE = 2500
MOST_TRIES = 200
CLOSE = 0.08
"""A close call: the second best decision costs less than this, in first wagers."""
OFFERS = ("insurance", "surrender")
PAIR = 2
HIGHEST_DOUBLE = 11
"""The highest total that people usually double."""


class Drill(Struct, frozen=True):
    """A situation to decide on."""

    position: str
    area: str
    cell: str
    """The square of the chart: area, row and upcard, as in `hard 16 K`."""
    hand: tuple[Card, ...]
    dealer: Card
    may: tuple[str, ...]
    """What is allowed, in the order of the action bar."""


class Wanted(Struct, frozen=True):
    """Which drills someone wants."""

    area: str = ""
    """One of the areas, `close`, or empty for all."""
    weak: tuple[str, ...] = ()
    """Squares to come back to: every second drill is one of them."""
    seed: int = 0
    packs: int = 0


def daily(rules: Rulebook, day: date) -> tuple[Drill, ...]:
    """The twenty hands of a day, the same for everyone."""
    return drills(rules, Wanted(seed=day.toordinal()), DAILY)


def drills(rules: Rulebook, wanted: Wanted, count: int) -> tuple[Drill, ...]:
    """This many drills, no square twice while others are left."""
    dice = Random(f"{rules.about.name} {wanted.seed} {wanted.area}")  # noqa: S311 not a shuffle anyone bets on
    found: list[Drill] = []
    for tries in range(MOST_TRIES * count):
        if len(found) == count:
            break
        weak = wanted.weak[len(found) // 2 % len(wanted.weak)] if wanted.weak and len(found) % 2 else ""
        drill = _drawn(rules, wanted, weak, dice)
        fresh = tries > MOST_TRIES * len(found) or all(drill is None or drill.cell != other.cell for other in found)
        if drill is not None and fresh:
            found.append(drill)
    return tuple(found)


def _drawn(rules: Rulebook, wanted: Wanted, weak: str, dice: Random) -> Drill | None:
    area: str = wanted.area
    row = column = ""
    if weak:
        area, row, column = weak.split()
    if area not in AREAS:
        area = dice.choice(("hard", "hard", "hard", "hard", "soft", "soft", "pairs", "pairs", "doubled", "split"))
    hand = HANDS[area](dice, row)
    if hand is None:
        return None
    upcards = [rank for rank in RANKS if not column or rank_class(Card(rank + "s")) == column]
    dealer = Card(dice.choice(upcards) + dice.choice(SUITS))
    packs = wanted.packs or rules.decks.default
    position = Position(rules.about.name, packs, hand, dealer, area == "doubled", area == "split")
    drill = drill_of(rules, position)
    if drill is None or (wanted.area == "close" and not is_close(rules, position)):
        return None
    return drill


# --- hands ---------------------------------------------------------------------------------------------


def _card(rank: str, dice: Random) -> Card:
    return Card(rank + dice.choice(SUITS))


def _pair(dice: Random, row: str) -> tuple[Card, ...] | None:
    rank = row[:1] or dice.choice(RANKS)
    return _card(rank, dice), _card(rank, dice)


def _split(dice: Random, row: str) -> tuple[Card, ...] | None:
    first, other = _card(dice.choice("23456789"), dice), _card(dice.choice(RANKS), dice)
    return (first, other) if not row or str(total((first, other)).points) == row else None


def _soft(dice: Random, row: str) -> tuple[Card, ...] | None:
    points = int(row or dice.choice(range(13, 21)))
    rest = points - 11
    if dice.random() < 0.7 or rest < 4:
        return _card("A", dice), _card("A" if rest == 1 else str(rest), dice)
    low = dice.randint(2, rest - 2)
    return _card("A", dice), _card(str(low), dice), _card(str(rest - low), dice)


def _hard(dice: Random, row: str) -> tuple[Card, ...] | None:
    wanted = int(row or dice.choice((8, 9, 10, 11, *(2 * list(range(12, 18))), 18)))
    for _ in range(MOST_TRIES):
        hand = tuple(_card(dice.choice(RANKS[1:]), dice) for _ in range(dice.choice((2, 2, 2, 3, 4))))
        is_pair = len(hand) == PAIR and hand[0][0] == hand[1][0]
        if total(hand) == (wanted, False) and not is_pair:
            return hand
    return None


def _doubled(dice: Random, row: str) -> tuple[Card, ...] | None:
    wanted = int(row or dice.randint(12, 18))
    for _ in range(MOST_TRIES):
        first = tuple(_card(dice.choice("23456789"), dice) for _ in range(2))
        hand = (*first, _card(dice.choice(RANKS), dice))
        if total(first).points <= HIGHEST_DOUBLE and total(hand).points == wanted:
            return hand
    return None


HANDS: dict[str, Callable[[Random, str], tuple[Card, ...] | None]] = {
    "hard": _hard,
    "soft": _soft,
    "pairs": _pair,
    "doubled": _doubled,
    "split": _split,
}


# --- positions at the table ----------------------------------------------------------------------------


def deal_of(position: Position) -> tuple[Deal, tuple[str, ...]]:
    """The cards in the order they are dealt, and the actions that lead to a position where no offer comes first."""
    first, second, *more = position.hand
    actions = ("hit",) * len(more)
    if position.doubled:
        actions = (*actions[:-1], "double")
    if position.split:
        twin = Card(first[0] + SUITS[(SUITS.index(first[1]) + 1) % len(SUITS)])
        return Deal((first, position.dealer, twin, second, *more), packs=position.packs), ("split", *actions)
    return Deal((first, position.dealer, second, *more), packs=position.packs), actions


def reached(rules: Rulebook, position: Position) -> Round:
    """The round at the position; PracticeError where the rules never lead there."""
    deal, actions = deal_of(position)
    state = practise(rules, deal).state
    done: list[str] = []
    while state.phase in OFFERS:
        done.append("no")
        state = practise(rules, deal, done).state
    return practise(rules, deal, (*done, *actions)).state


def may(state: Round, box: int) -> tuple[str, ...]:
    """The actions allowed now, in the order of the action bar."""
    order = [name for name in ACTIONS if name in COMMANDS]
    return tuple(name for name in order if refusal(state, ACTIONS[name](state, box)) is None)


def drill_of(rules: Rulebook, position: Position) -> Drill | None:
    """A position as a drill; None if there is nothing to choose."""
    try:
        state = reached(rules, position)
    except PracticeError:
        return None
    allowed = may(state, box_of(rules))
    if state.phase not in ("decision", "forfeit") or len(allowed) < 2:
        return None
    area, row = area_of(position, allowed)
    cell = f"{area} {row} {rank_class(position.dealer)}"
    return Drill(str(position), area, cell, position.hand, position.dealer, allowed)


def area_of(position: Position, allowed: Iterable[str]) -> tuple[str, str]:
    """The area and the row of the chart that a position belongs to."""
    held = total(position.hand)
    if position.doubled:
        return "doubled", str(held.points)
    if position.split:
        return "split", str(held.points)
    if "split" in allowed:
        return "pairs", rank_class(position.hand[0]) * 2
    return ("soft" if held.soft else "hard"), str(held.points)


def question_of(rules: Rulebook, position: Position, allowed: Sequence[str] = (), stake: int = STAKE) -> Question:
    """A position as a question to `values`."""
    kind: Kind = "doubled" if position.doubled else "decision"
    allowed = allowed or may(reached(rules, position), box_of(rules))
    game = game_of(rules, position.packs, stake)
    return Question(
        game, kind, position.hand, position.dealer, (), position.seen, split=position.split, may=tuple(allowed)
    )


def is_close(rules: Rulebook, position: Position) -> bool:
    """Whether two decisions are worth nearly the same."""
    values = solve(question_of(rules, position)).values
    return len(values) > 1 and values[0].value - values[1].value < CLOSE


def words(drill: Drill) -> str:
    """A drill in words: "soft 17", "a pair of eights", "15, doubled"."""
    held = total(drill.hand)
    name = f"soft {held.points}" if held.soft and held.points <= LIMIT else str(held.points)
    if drill.area == "pairs":
        return f"two {_plural(drill.hand[0])}"
    return name + {"doubled": ", doubled", "split": " after a split"}.get(drill.area, "")


PLURALS = ["aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "jacks", "queens", "kings"]


def _plural(card: Card) -> str:
    return PLURALS[RANKS.index(card[0])]
