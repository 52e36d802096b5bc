"""The exact value of every decision and of the whole game, drawing without replacement.

>>> from pontoon.rulebook import load
>>> solver = Solver(load("star"), 8)
>>> [decision.action for decision in solver.action_values(("8s", "8h"), "7d")]
['split', 'hit', 'stand', 'double']
>>> f"{-solver.value():.4%}"
'0.4220%'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pontoon.analysis import kernels, measures
from pontoon.analysis.answers import ActionValue, ShoeError
from pontoon.analysis.board import EVERY_ACTION, FLOATS, FRACTIONS, Board, table_of
from pontoon.analysis.decision_values import action_values
from pontoon.analysis.game import Game, game_of, is_natural
from pontoon.analysis.hands import ACE, PICTURE, SUITS, VALUES, Counts, points_of
from pontoon.analysis.measures import Measure, Number
from pontoon.analysis.policies.strategy_play import chosen, fill, splits_again
from pontoon.analysis.shoe import Shoe
from pontoon.analysis.splits.split import SplitBox, SplitTotal
from pontoon.analysis.splits.split_hand import Pair, Suits, extra
from pontoon.cards import LIMIT, Card, read_card
from pontoon.money import as_cents
from pontoon.quoting import quoted
from pontoon.rulebook import Rulebook, digest
from pontoon.rulebook.resolve import RulebookLike, as_rulebook
from pontoon.strategy import StrategyLike, as_strategy

STAKE = 1000
"""Cents: the first wager unless another is given."""
DEALER_MOST = 16
"""The dealer draws on this many points at most; a shoe with enough cards for it has enough for the dealer."""
SUITS_MOST = 0.01
"""An upper bound of what suits add to a split."""
BONUS_VALUES = (5, 6, 7)
"""6, 7 and 8: the values whose suits can decide a payout."""


@dataclass(frozen=True)
class Start:
    """The first two cards of a box against an upcard, in one pattern of suits, with the value of each decision."""

    first: int
    pair: Pair
    suit: str
    """The suit both cards share if that can matter, otherwise empty."""
    chance: Number
    values: dict[str, Number]
    of_pair: int = 0
    """Number of cards left that would make the same pair again."""
    first_suit: str = ""
    """The suit of the upcard if that can matter."""
    chosen: str = ""
    """The decision of the strategy that is followed, if any."""

    @property
    def best(self) -> str:
        """The decision taken: the best, or that of the strategy that is followed."""
        return self.chosen or max(self.values, key=lambda action: self.values[action])

    @property
    def value(self) -> Number:
        """The value of the decision taken."""
        return self.values[self.best]


class Solver:
    """Optimal play of one box with one wager under a rulebook, from a fresh shoe or any other."""

    def __init__(  # noqa: PLR0913 decks is another name for packs
        self,
        rules: RulebookLike | Game,
        packs: int = 0,
        *,
        stake: int | str = STAKE,
        shoe: Shoe | None = None,
        exact: bool = False,
        strategy: StrategyLike | None = None,
        decks: int = 0,
    ) -> None:
        """`rules` may be a name or a path, `stake` is cents or a string of dollars; 0 packs are the rulebook's default.

        The Super Bonus depends on the stake. `strategy` is followed instead of the best play. `decks` is the name that
        `packs` had before 0.2.
        """
        packs = packs or decks
        if isinstance(rules, Game):
            self.game = rules
        else:
            book = as_rulebook(rules)
            packs = packs or book.decks.default
            self.game = _game(book, as_cents(stake))
        if not isinstance(packs, int):
            raise TypeError(f"{quoted(packs)}: packs are a whole number, as in 8")
        if packs < 0:
            raise ShoeError(f"a shoe holds 1 pack or more, not {packs}")
        self.packs = packs
        self.arithmetic = FRACTIONS if exact else FLOATS
        self.strategy = None if strategy is None else as_strategy(strategy)
        self.shoe = shoe or Shoe.of_packs(packs)
        self.values = self.shoe.values
        self.spoilt = int(self.game.collects == "peek")
        self.table = table_of(self.game, self.values)
        self.money = measures.money(self.game).map(self.arithmetic.number)
        self.slack = 0.0
        """A split that is worse than the best decision by more than this may be left out."""
        self._check()
        self._boards: dict[int, Board] = {}
        self._splits: dict[tuple[int, int], SplitBox] = {}
        self._totals: dict[tuple[int, int, int], tuple[SplitTotal, Number, int]] = {}
        self._sums: dict[tuple[int, int, int], dict[int, SplitTotal]] = {}

    def _check(self) -> None:
        """A round must never run out of cards: count the maximum it could take, smallest cards first."""
        points = self.game.max_hands * (LIMIT - 1) + DEALER_MOST
        cards = self.game.max_hands + 1
        for value, count in enumerate(self.values):
            fit = min(count, points // points_of(value))
            points -= fit * points_of(value)
            cards += fit
            if fit < count:
                break
        if cards > self.shoe.cards:
            raise ShoeError(f"{self.shoe.cards} cards are left, but a round may need {cards}")

    def with_shoe(self, shoe: Shoe) -> Solver:
        """The same game from another shoe."""
        return Solver(self.game, self.packs, shoe=shoe, exact=self.arithmetic.exact, strategy=self.strategy)

    def action_values(
        self,
        hand: Sequence[str],
        dealer: str,
        *,
        out: Iterable[str] = (),
        after_split: bool = False,
        doubled: bool = False,
    ) -> tuple[ActionValue, ...]:
        """The value of each allowed decision on a hand, best first, in units of the first wager.

        `out` are other cards seen since the shuffle. With `after_split`, `hand` is one of the hands of a split and the
        value is that of its own wager; the other card of the pair is known to be gone. A doubled hand ends with the
        double's card.

        >>> from pontoon.rulebook import load
        >>> values = Solver(load("canberra"), 4).action_values(("7s", "7s"), "7d")
        >>> [(row.action, round(row.value, 4)) for row in values][:2]
        [('hit', 0.8268), ('split', -0.0461)]
        """
        seen, held, upcard = tuple(map(read_card, out)), tuple(map(read_card, hand)), read_card(dealer)
        solver = self.with_shoe(self.shoe.without(seen)) if seen else self
        solver.shoe.without((*held, upcard))  # raises ShoeError for a card that is not in the shoe
        return action_values(solver, held, upcard, after_split=after_split, doubled=doubled)

    # --- boards ----------------------------------------------------------------------------------------

    def board(self, first: int) -> Board:
        """Every hand against an upcard, with the decisions found or followed."""
        if first not in self._boards:
            board = Board(self.table, self.arithmetic, first, less(self.values, first))
            board.deal(board.picks)
            if self.strategy:
                fill(self.strategy, board)
                board.use[:] = EVERY_ACTION
            board.sweep(self.money, follow=self.strategy is not None, spoilt=self.spoilt)
            self._boards[first] = board
        return self._boards[first]

    def split_box(self, first: int, pair: int) -> SplitBox:
        """Splitting a pair against an upcard."""
        if (first, pair) not in self._splits:
            values = less(less(less(self.values, first), pair), pair)
            suits = self.suits_without(first, "")
            table = table_of(self.game, self.values, pair)
            self._splits[first, pair] = SplitBox(table, self.arithmetic, first, pair, values, suits, self.strategy)
        return self._splits[first, pair]

    def split_total(self, first: int, pair: int, of_pair: int) -> tuple[SplitTotal, Number, int]:
        """The sum over the hands of a split, what a dealer's pontoon takes as well, and the best number of hands."""
        key = (first, pair, of_pair)
        if key not in self._totals:
            box = self.split_box(first, pair)
            sums = self._split_sums(first, pair, of_pair)
            found = [(total, box.taken(of_pair, most), most) for most, total in sums.items()]
            # A Super Bonus that a split hand can still win is a reason not to split sevens again.
            suited = self.suits_without(first, "") if self.game.prize_split else {}
            self._totals[key] = max(found, key=lambda result: result[0].mean(suited) - result[1])
        return self._totals[key]

    def split_bound(self, first: int, pair: int, of_pair: int) -> Number:
        """An upper bound of the value of splitting, without what a dealer's pontoon takes from the hands together."""
        tops = [total.base for total in self._split_sums(first, pair, of_pair).values()]
        return max(tops) - self.split_box(first, pair).minimum_taken + SUITS_MOST

    def _split_sums(self, first: int, pair: int, of_pair: int) -> dict[int, SplitTotal]:
        """The sum over the hands of a split, by the maximum number of hands."""
        key = (first, pair, of_pair)
        if key not in self._sums:
            box = self.split_box(first, pair)
            measure = box.additive(self.money)
            self._sums[key] = {most: box.total(measure, of_pair, most) for most in self._hands_worth_forming(box)}
        return self._sums[key]

    def _hands_worth_forming(self, box: SplitBox) -> tuple[int, ...]:
        if self.strategy and box.most > 2:
            return (box.most,) if splits_again(self.strategy, box.first, box.pair) else (2,)
        return (2, box.most) if box.most > 2 else (2,)

    def suits_without(self, first: int, suit: str) -> Suits:
        """Number of cards by value and suit without the upcard; without its suit, a share of each is removed."""
        suits: Suits = {value: dict(row) for value, row in self.shoe.suits.items() if value in BONUS_VALUES}
        if first in suits:
            if suit:
                suits[first][suit] -= 1
            else:
                whole = self.arithmetic.number(self.values[first])
                suits[first] = {suit: count * (whole - 1) / whole for suit, count in suits[first].items()}
        return suits

    # --- the first two cards ---------------------------------------------------------------------------

    def start(
        self,
        first: int,
        pair: Pair,
        *,
        ranks: str = "",
        suits: tuple[str, str] = ("", ""),
        suit: str = "",
        quick: bool = False,
    ) -> Start:
        """The value of each decision on the two cards dealt.

        `ranks` and `suits` are those of the cards, `suit` is that of the upcard, each if it matters. With `quick`, a
        split that cannot be best is left out.
        """
        board, hand = self.board(first), self.table.hands.two(*pair)
        natural = board.chance_of_natural(hand)
        same = suits[0] if suits[0] == suits[1] and pair in self.table.bonuses else ""
        if is_natural(*pair):
            pays = self.arithmetic.number(self.money.rows["pontoon"])
            value = pays if self.game.twenty_one_wins else pays * (1 - natural)
            return Start(first, pair, "", 0, {"paid": value})
        values = self._plays(board, hand, pair, same, suit)
        if self.game.surrender & _ranks(first, ranks[2:]):
            give = self.money.surrender * (1 - natural) + self.money.surrender_pontoon * natural
            values["surrender"] = self.arithmetic.number(give)
        may_split, taken = self._may_split(pair, ranks), ""
        if self.strategy:
            actions = {*values, "split"} if may_split else set(values)
            taken = chosen(self.strategy, self._upcard(first, ranks, suit), pair, ranks, suits, actions)
        if may_split and taken in ("", "split") and not (quick and self._beaten(first, pair, ranks, values)):
            values["split"] = self._split(first, pair, ranks, suits, suit)
        if self.spoilt:
            values = {action: value - natural for action, value in values.items()}
        return Start(first, pair, same, 0, values, self._of_pair(first, pair, ranks), suit, taken)

    def _beaten(self, first: int, pair: Pair, ranks: str, values: dict[str, Number]) -> bool:
        """Whether another decision is certainly better than splitting."""
        if self.strategy or not self.split_box(first, pair[0]).relieved:
            return False
        bound = self.split_bound(first, pair[0], self._of_pair(first, pair, ranks))
        return bool(bound < max(values.values()) - self.slack)

    def _upcard(self, first: int, ranks: str, suit: str) -> Card:
        return Card((ranks[2:] or VALUES[first]) + (suit or "h"))

    def _plays(self, board: Board, hand: int, pair: Pair, same: str, suit: str) -> dict[str, Number]:
        """The values of stand, hit and double on the hand dealt, with suits where they matter."""
        aces, flags = board.aces(hand), int(board.flags[hand])
        quality = board.quality[hand, aces]
        values = {"stand": quality[kernels.STAND]} if flags & kernels.MAY_STAND else {}
        values["hit"] = quality[kernels.HIT]
        if same:
            values["hit"] = values["hit"] + self.suited_hit(board, pair, same, suit)
        if flags & kernels.MAY_DOUBLE:
            values["double"] = quality[kernels.DOUBLE]
        return values

    def suited_hit(self, board: Board, pair: Pair, same: str, suit: str, measure: Measure | None = None) -> Number:
        """What two cards of one suit add to a hit: a third of that suit pays more."""
        third, rows = self.table.bonuses[pair]
        left = self.suits_without(board.first, suit)[third][same] - pair.count(third)
        prize = board.first == third and pair == (third, third)
        more = extra(self.game, measure or self.money, pair, rows[same], same, prize=prize)
        natural = 1 - self.spoilt * board.chance_of_natural(self.table.hands.two(*pair))
        return self.arithmetic.number(left) / (board.cards - 2) * more * natural

    def _may_split(self, pair: Pair, ranks: str) -> bool:
        if pair[0] != pair[1] or self.game.max_hands < 2:
            return False
        own = ranks[:2] or VALUES[pair[0]] * 2
        return own in self.game.pairs or own[::-1] in self.game.pairs

    def _of_pair(self, first: int, pair: Pair, ranks: str) -> Any:  # noqa: ANN401 whole, or not
        """Number of cards left that would make the same pair again."""
        value = pair[0]
        if value != PICTURE or "KQ" in self.game.pairs:
            return self.values[value] - 2 - (first == value)
        own = ranks[:1] or "K"
        return self.shoe.pictures[own] - 2 - (ranks[2:3] == own)

    def _split(self, first: int, pair: Pair, ranks: str, suits: tuple[str, str], suit: str) -> Number:
        of_pair = self._of_pair(first, pair, ranks)
        total, taken, most = self.split_total(first, pair[0], of_pair)
        value = total.base
        if total.parts and suits[0]:
            left = self.suits_without(first, suit)
            left[pair[0]] = {s: count - suits.count(s) for s, count in left[pair[0]].items()}
            value = total.value(left, *suits, seen=suit)
            if (box := self.split_box(first, pair[0])).suits_decide:
                taken = box.taken(of_pair, most, (left, suits))
        return value - taken

    # --- the whole game --------------------------------------------------------------------------------

    def starts(self, first: int, rank: str = "") -> Iterator[Start]:
        """Every two cards dealt against an upcard (of one rank), with suits distinguished where they matter."""
        cards = less(self.values, first)
        whole = self.arithmetic.number(sum(cards)) * (sum(cards) - 1)
        for pair, ways in two_cards(cards):
            for suit, share in self._upcard_suits(first, pair):
                left = self.suits_without(first, suit)
                for ranks, suits, part in self._patterns(pair, left, rank, ways):
                    start = self.start(first, pair, ranks=ranks, suits=suits, suit=suit, quick=True)
                    yield replace(start, chance=share * part / whole)

    def _upcard_suits(self, first: int, pair: Pair) -> Iterator[tuple[str, Number]]:
        """The suits of the upcard and their probabilities, where they matter to the two cards."""
        matter = first in BONUS_VALUES and {*pair} <= {*BONUS_VALUES}
        for suit in SUITS if matter else "":
            if self.shoe.suits[first][suit]:
                yield suit, self.arithmetic.number(self.shoe.suits[first][suit]) / self.values[first]
        if not matter:
            yield "", self.arithmetic.number(1)

    def _patterns(self, pair: Pair, left: Suits, rank: str, ways: int) -> Iterator[tuple[str, tuple[str, str], int]]:
        """The ways to hold two values: ranks (with the upcard's), suits, and the number of ways."""
        low, high = pair
        if low == high == PICTURE and "KQ" not in self.game.pairs:
            yield from self._pictures(rank, ways)
        elif (pair in self.table.bonuses or low == high) and low in left and high in left:
            yield from self._suit_patterns(pair, left, rank)
        else:
            yield VALUES[low] + VALUES[high] + rank, ("", ""), ways

    def _pictures(self, rank: str, ways: int) -> Iterator[tuple[str, tuple[str, str], int]]:
        same = 0
        for own, count in self.shoe.pictures.items():
            there = count - (own == rank)
            same += there * (there - 1)
            yield own + own + rank, ("", ""), there * (there - 1)
        yield "KQ" + rank, ("", ""), ways - same

    def _suit_patterns(self, pair: Pair, left: Suits, rank: str) -> Iterator[tuple[str, tuple[str, str], int]]:
        """Suits of two cards among 6, 7 and 8; cards of different values and suits are equivalent."""
        low, high = pair
        mixed = 0
        for suit in SUITS:
            for two in SUITS:
                ways = left[low][suit] * (left[high][two] - (low == high and suit == two)) * (1 if low == high else 2)
                if low == high or suit == two:
                    if ways > 0:
                        yield VALUES[low] + VALUES[high] + rank, (suit, two), ways
                else:
                    mixed += ways
        if mixed:
            yield VALUES[low] + VALUES[high] + rank, ("", ""), mixed

    def value_against(self, first: int, rank: str = "") -> Number:
        """The value of the game given the upcard."""
        total = self.arithmetic.number(0)
        for start in self.starts(first, rank):
            total += start.chance * start.value
        return total + self.insurance_against(first)

    def insurance(self, first: int, pair: Pair) -> Number:
        """What the maximum insurance adds per unit staked; it can be negative."""
        board, hand = self.board(first), self.table.hands.two(*pair)
        pontoon = board.chance_of_natural(hand)
        odds, most = map(self.arithmetic.number, (self.game.insurance, self.game.insurance_most))
        return most * (odds * pontoon - (1 - pontoon))

    def insurance_against(self, first: int) -> Number:
        """What insurance adds to a round, taken hand by hand; 0 for optimal play from a fresh shoe."""
        total = self.arithmetic.number(0)
        if first != ACE or self.spoilt:
            return total
        cards = less(self.values, first)
        whole = self.arithmetic.number(sum(cards)) * (sum(cards) - 1)
        for pair, ways in two_cards(cards):
            if not is_natural(*pair) and self._insures(first, pair):
                total += ways / whole * self.insurance(first, pair)
        return total

    def _insures(self, first: int, pair: Pair) -> bool:
        """Whether the strategy that is followed insures; optimal play insures if it gains."""
        if self.strategy:
            cards = (Card(VALUES[pair[0]] + "c"), Card(VALUES[pair[1]] + "d"))
            return self.strategy.insures(cards, self._upcard(first, "", ""))
        return bool(self.insurance(first, pair) > 0)

    def value(self) -> Number:
        """The value of a round in units of the first wager."""
        total = self.arithmetic.number(0)
        for rank, first, count in self.upcards():
            total += self.arithmetic.number(count) / self.shoe.cards * self.value_against(first, rank)
        return total

    def upcards(self) -> Iterator[tuple[str, int, int]]:
        """The upcards that must be distinguished: rank, value, number of cards."""
        for value in range(PICTURE):
            if self.values[value]:
                yield VALUES[value], value, self.values[value]
        alike = "KQ" in self.game.pairs and len(self.game.surrender & set("JQK")) in (0, 3)
        if alike:
            if self.values[PICTURE]:
                yield "K", PICTURE, self.values[PICTURE]
        else:
            for rank, count in self.shoe.pictures.items():
                if count:
                    yield rank, PICTURE, count


def two_cards(cards: Counts) -> Iterator[tuple[Pair, int]]:
    """Every two values that these cards can deal, and the number of ways."""
    for low in range(10):
        for high in range(low, 10):
            ways = cards[low] * (cards[high] - (low == high)) * (1 if low == high else 2)
            if ways > 0:
                yield (low, high), ways


def _ranks(first: int, rank: str) -> set[str]:
    """The ranks an upcard can have."""
    return {rank} if rank else {VALUES[first]}


def less(values: Counts, value: int) -> Counts:
    """The cards without one of this value."""
    return (*values[:value], values[value] - 1, *values[value + 1 :])


_GAMES: dict[tuple[str, int], Game] = {}
"""Games by the digest of their rulebook and the stake."""
MAX_GAMES = 256


def _game(rules: Rulebook, stake: int) -> Game:
    """The game of a rulebook at a stake, from the cache if it was asked for before."""
    key = (digest(rules), stake)
    if key not in _GAMES:
        if len(_GAMES) >= MAX_GAMES:
            _GAMES.clear()
        _GAMES[key] = game_of(rules, stake)
    return _GAMES[key]
