"""A reference player: the engine deals every order of a tiny shoe, and a given function decides.

Nothing here knows a rule. The engine says what may be done and what a round pays; this file only deals, weighs the
cards that can come next, and adds up. Rounds that stand alike are played once: which cards each hand holds (its first
two apart from the rest, and in their order where they were or may yet be split), what the engine wrote on hands and
wagers, and whose turn it is.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, cast

from pontoon.analysis import Shoe, Solver
from pontoon.analysis import kernels as k
from pontoon.analysis.hands import VALUES, value_of
from pontoon.cards import Card, aces_in, total
from pontoon.engine import (
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    Double,
    Forfeit,
    Hit,
    Insure,
    Keep,
    PlaceWager,
    Round,
    Settled,
    Split,
    Stand,
    Surrender,
    must_play,
    refusal,
)
from pontoon.engine.dealing import next_place
from pontoon.engine.insurance import cap
from pontoon.engine.state import hand_in_turn
from pontoon.money import cents
from pontoon.rulebook import Rulebook
from pontoon.strategy import Action, Situation, Strategy, answer, rank_class
from pontoon.strategy.situation import ranks_key, suits_mark

PLAYER = "player"
Decide = Callable[[Round], Command]


def cards_of(text: str) -> tuple[Card, ...]:
    """Cards in notation, with multiplicities: `Kc*5 7s 7h*2`."""
    found: list[Card] = []
    for word in text.split():
        card, _, count = word.partition("*")
        found += [Card(card)] * int(count or 1)
    return tuple(found)


def net(state: Round) -> int:
    """Cents won so far."""
    return sum(settlement.net for settlement in state.settlements if isinstance(settlement, Settled))


def dealt(state: Round) -> Counter[Card]:
    """Every card on the table."""
    return Counter([*state.dealer, *(card for box in state.boxes for hand in box.hands for card in hand.cards)])


def key_of(state: Round) -> Any:
    """Everything the rest of a round can depend on."""
    hands = tuple(
        (
            hand.cards[:2] if len(hand.cards) == 2 or hand.split else tuple(sorted(hand.cards[:2])),
            tuple(sorted(hand.cards[2:])),
            hand.wagers,
            hand.total,
            hand.stood,
            hand.doubled,
            hand.fixed_aces,
            hand.split,
        )
        for box in state.boxes
        for hand in box.hands
    )
    boxes = tuple((box.split_barred, box.suited_sevens_split, box.bettors) for box in state.boxes)
    return (
        state.phase,
        state.turn,
        state.joining,
        state.insurance,
        boxes,
        state.dealer[:1],
        tuple(sorted(state.dealer[1:])),
        hands,
    )


class Referee:
    """Every order of a shoe, the decisions made by `decide`; means are in cents."""

    def __init__(
        self, rules: Rulebook, cards: Iterable[Card], decide: Decide, *, stake: str = "10", alike: bool = True
    ) -> None:
        self.rules, self.decide, self.alike = rules, decide, alike
        self.shoe = Counter(cards)
        self.stake = cents(stake)
        self.known: dict[Any, Fraction] = {}

    def draws(self, state: Round) -> Iterator[tuple[Fraction, Round]]:
        """Every possible next card with its probability."""
        left = self.shoe - dealt(state)
        whole = sum(left.values())
        assert whole, "the shoe ran out of cards"
        for card, count in sorted(left.items()):
            yield Fraction(count, whole), must_play(state, DealCard(card))

    def future(self, state: Round) -> Fraction:
        """The mean of future wins and losses."""
        if state.phase == "ended":
            return Fraction(0)
        key = key_of(state) if self.alike else None
        if self.alike and key in self.known:
            return self.known[key]
        now = net(state)
        if next_place(state) is not None:
            mean = sum(
                (chance * (net(after) - now + self.future(after)) for chance, after in self.draws(state)), Fraction(0)
            )
        else:
            after = must_play(state, self.decide(state))
            mean = net(after) - now + self.future(after)
        if self.alike:
            self.known[key] = mean
        return mean

    def begin(self) -> Round:
        """The wager is made."""
        return must_play(Round(self.rules), PlaceWager(1, PLAYER, self.stake), CallNoMoreBets())

    def rounds(self) -> Iterator[tuple[Fraction, Round]]:
        """The round after the three cards of the deal."""
        for one, first in self.draws(self.begin()):
            for two, second in self.draws(first):
                for three, third in self.draws(second):
                    yield one * two * three, third

    def by_first_card(self) -> dict[Card, Fraction]:
        """For each upcard, its probability times the mean of a round, in units of the wager."""
        found: dict[Card, Fraction] = {}
        for chance, state in self.rounds():
            card = state.dealer[0]
            found[card] = found.get(card, Fraction(0)) + chance * (net(state) + self.future(state)) / self.stake
        return found


class Played(Strategy):
    """A solver's own play, read from its tables; every set of allowed decisions is compared with the engine's."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.starts: dict[Any, dict[str, Any]] = {}

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:
        return bool(self.solver.insurance(value_of(dealer), pair_of(cards)) > 0)

    def start(self, cards: tuple[Card, ...], dealer: Card) -> dict[str, Any]:
        one, two = sorted(cards, key=lambda card: (value_of(card), card))
        if (one, two, dealer) not in self.starts:
            start = self.solver.start(
                value_of(dealer),
                pair_of(cards),
                ranks=one[0] + two[0] + dealer[0],
                suits=(one[1], two[1]),
                suit=dealer[1],
            )
            self.starts[one, two, dealer] = start.values
        return self.starts[one, two, dealer]

    def choose(self, situation: Situation) -> Action:
        cards, first = situation.cards, value_of(situation.dealer)
        if situation.split:
            return self.choose_split(situation)
        board = self.solver.board(first)
        if situation.doubled:
            return _forfeit(board, board.drop, situation)
        if len(cards) == 2:
            values = self.start(cards, situation.dealer)
            if "hit" not in situation.may:
                return "surrender" if max(values, key=lambda value: values[value]) == "surrender" else "keep"
            playing = {one: value for one, value in values.items() if one != "surrender"}
            assert {*playing} == {*situation.may} - {"surrender"}, situation
            return cast("Action", max(playing, key=lambda one: playing[one]))
        return _act(board, board.act, situation)

    def choose_split(self, situation: Situation) -> Action:
        cards, dealer = situation.cards, situation.dealer
        pair = value_of(cards[0])
        box = self.solver.split_box(value_of(dealer), pair)
        hand = box.original if situation.original else box.additional
        if situation.doubled:
            return _forfeit(hand.boards[0], hand.drop, situation)
        if "split" in situation.may:
            of_pair = self.solver._of_pair(value_of(dealer), (pair, pair), cards[0][0] * 2 + dealer[0])
            if self.solver.split_total(value_of(dealer), pair, of_pair)[2] > 2:
                return "split"
        suited = (pair_of(cards), cards[0][1])
        if len(cards) == 2 and cards[0][1] == cards[1][1] and suited in hand.suited_act:
            return _ACTS[hand.suited_act[suited]]
        return _act(hand.boards[0], hand.act, situation)


_ACTS: tuple[Action, ...] = ("stand", "hit", "double")


def pair_of(cards: tuple[Card, ...]) -> tuple[int, int]:
    low, high = sorted(value_of(card) for card in cards[:2])
    return low, high


def place_of(board: Any, cards: tuple[Card, ...]) -> int:
    values = [value_of(card) for card in cards]
    return int(board.table.hands.index_of(tuple(values.count(number) for number in range(len(VALUES)))))


def aces_of(board: Any, cards: tuple[Card, ...]) -> int:
    return aces_in(cards[:2]) if board.switches[k.FIXED] == k.FIXED_FIRST_TWO else 0


def _act(board: Any, act: Any, situation: Situation) -> Action:
    place = place_of(board, situation.cards)
    flags = int(board.flags[place])
    lawful = {"hit"} | ({"stand"} if flags & k.MAY_STAND else set()) | ({"double"} if flags & k.MAY_DOUBLE else set())
    assert lawful == {*situation.may} - {"split"}, situation
    return _ACTS[int(act[place, aces_of(board, situation.cards)])]


def _forfeit(board: Any, drop: Any, situation: Situation) -> Action:
    soft = int(total(situation.cards, situation.fixed_aces).soft)
    return "forfeit" if drop[place_of(board, situation.cards), soft] else "keep"


def deciding(strategy: Strategy) -> Decide:
    """Decide by a strategy."""

    def decide(state: Round) -> Command:
        command = answer(state, strategy)
        assert command is not None
        return command

    return decide


def solver_of(rules: Rulebook, cards: Iterable[Card], *, stake: str = "10", exact: bool = True, **more: Any) -> Solver:
    return Solver(rules, shoe=Shoe.of_cards(cards), stake=stake, exact=exact, **more)


def by_first_value(found: dict[Card, Fraction], solver: Solver) -> dict[str, Fraction]:
    """The reference means for the upcards that the solver distinguishes."""
    apart = [rank for rank, _, _ in solver.upcards()]
    means: dict[str, Fraction] = {}
    for card, mean in found.items():
        name = (
            card[0] if card[0] in apart and (card[0] != "K" or "Q" in apart or "J" in apart) else VALUES[value_of(card)]
        )
        means[name] = means.get(name, Fraction(0)) + mean
    return means


def solver_by_first(solver: Solver) -> dict[str, Fraction]:
    return {
        rank: Fraction(count, solver.shoe.cards) * solver.value_against(first, rank)
        for rank, first, count in solver.upcards()
    }


class Wild(Strategy):
    """Random but fixed play: a random decision for every situation that a strategy may distinguish.

    Pairs are split and split again whenever that is allowed, or never.
    """

    def __init__(self, rules: Rulebook, seed: int, *, split: bool = True) -> None:
        self.rules, self.seed, self.split = rules, seed, split
        self.tracked = rules.dealer.pontoon_collects == "original_tracked"

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:  # noqa: ARG002 never
        return False

    def choose(self, situation: Situation) -> Action:
        may = situation.may
        if "split" in may and self.split:
            return "split"
        cards = situation.cards
        seen: tuple[object, ...] = (ranks_key(cards), rank_class(situation.dealer), situation.split)
        if self.tracked and rank_class(situation.dealer) in "AK":
            seen += (situation.original,)
        if situation.doubled:
            seen += (total(cards, situation.fixed_aces).points,)
        elif ranks_key(cards) in ("67", "68", "77", "78"):
            seen += (suits_mark(cards),)
        elif self.rules.double.fixed_aces == "first_two_of_hand" or (
            self.rules.double.fixed_aces == "initial_deal" and not situation.split
        ):
            seen += (aces_in(cards[:2]),)
        give = self.lot(("surrender", "keep"), seen) if "surrender" in may else "keep"
        if ("hit" not in may and not situation.doubled) or give == "surrender":
            return give  # offered once and again at its turn: the same answer
        return self.lot(tuple(sorted(may - {"split", "surrender"})), seen)

    def lot(self, lawful: tuple[Action, ...], seen: tuple[object, ...]) -> Action:
        return lawful[zlib.crc32(repr((self.seed, seen)).encode()) % len(lawful)]


# --- the best of every allowed decision --------------------------------------------------------------------


class Expectimax(Referee):
    """The best play that the engine allows without a split, found by trying everything."""

    def __init__(self, rules: Rulebook, cards: Iterable[Card], *, stake: str = "10") -> None:
        super().__init__(rules, cards, self.best, stake=stake)
        self.found: dict[Any, tuple[Round, dict[str, Fraction]]] = {}

    def candidates(self, state: Round) -> dict[str, Command]:
        """The allowed actions, by name."""
        if state.phase == "insurance":
            every: dict[str, Command] = {"insure": Insure(1, PLAYER, cap(state, self.stake)), "keep": CloseOffer()}
        elif state.phase == "surrender":
            every = {"surrender": Surrender(1), "keep": CloseOffer()}
        elif state.phase == "forfeit":
            every = {"forfeit": Forfeit(1), "keep": Keep(1)}
        else:
            every = {"stand": Stand(1), "hit": Hit(1), "double": Double(1), "surrender": Surrender(1)}
        return {name: command for name, command in every.items() if refusal(state, command) is None}

    def values(self, state: Round) -> dict[str, Fraction]:
        """The mean of every allowed decision, in cents still to come."""
        key = key_of(state)
        if key not in self.found:
            now = net(state)
            values = {}
            for name, command in self.candidates(state).items():
                after = must_play(state, command)
                values[name] = net(after) - now + self.future(after)
            self.found[key] = (state, values)
        return self.found[key][1]

    def best(self, state: Round) -> Command:
        values = self.values(state)
        return self.candidates(state)[max(values, key=lambda name: values[name])]


def may_split(state: Round) -> bool:
    return refusal(state, Split(1)) is None and not hand_in_turn(state).split
