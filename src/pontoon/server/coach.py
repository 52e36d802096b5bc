"""The coach of practice tables: what each decision is worth, exactly, from the cards everybody has seen.

Nothing here looks at a card that is not dealt: a question is made of hands as an eye sees them and of cards that have
been dealt and proved. The sums are done by a process of their own, so that no table ever waits for them.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from pontoon.cards import JOKER, Card, total
from pontoon.engine import (
    Box,
    Command,
    Double,
    Event,
    Forfeit,
    Hand,
    Hit,
    Keep,
    Round,
    Split,
    Stand,
    Surrender,
    evolve,
    refusal,
)
from pontoon.engine import events as e
from pontoon.engine.state import box_in_turn, find_box, wager_of
from pontoon.money import dollars
from pontoon.rulebook import load
from pontoon.server.log import LogEvent
from pontoon.server.problems import BUSY, Problem, ProblemError, problem
from pontoon.server.settings import Settings
from pontoon.strategy import ChartStrategy
from pontoon.strategy.situation import Action, Situation, rank_class, ranks_key
from pontoon.table import Table
from pontoon.table.events import InRound, RoundBegan, RoundReconstructed
from pontoon.table.keeper import ShoeKeeper
from pontoon.view.eye import FACE_DOWN, Eye, is_hidden, seen_cards

if TYPE_CHECKING:
    from pontoon.analysis import Solver
    from pontoon.analysis.chart import Chart

Kind = Literal["decision", "doubled", "surrender", "insurance"]
Cards = tuple[Card, ...]
T = TypeVar("T")

TWO = 2
COMMANDS: dict[str, Callable[[int], Command]] = {
    "stand": Stand,
    "hit": Hit,
    "double": Double,
    "split": Split,
    "surrender": Surrender,
    "keep": Keep,
    "forfeit": Forfeit,
}
NAP = 0.01
PLAY_ON = "play on"
INSURE, DECLINE = "insure", "decline"


# --- questions and answers: plain values, for they go to another process -------------------------------


class Game(Struct, frozen=True):
    """Rules, packs and first wager: what a solver is made for."""

    rulebook: str
    overrides: tuple[tuple[str, str | int | bool], ...]
    packs: int
    stake: str
    """In dollars: the Super Bonus depends on it."""


class Question(Struct, frozen=True):
    """One hand to decide on, and every other card that was seen."""

    game: Game
    kind: Kind
    hand: Cards
    dealer: Card
    layout: Cards
    """Other cards of this round."""
    earlier: Cards
    """Cards of earlier rounds from this shoe; empty where they are not known for sure."""
    split: bool = False
    original: bool = True
    fixed_aces: int = 0
    may: tuple[str, ...] = ()
    """Empty where it is not known yet what will be allowed."""


class Worth(Struct, frozen=True):
    """A decision and its value, a unit of the first wager."""

    action: str
    value: float


class Square(Struct, frozen=True):
    """What the best chart a person can carry says of this hand."""

    block: str
    row: str
    column: str
    code: str
    action: str


class Solved(Struct, frozen=True):
    """The answer, best decision first; no values where nothing is to be decided."""

    values: tuple[Worth, ...] = ()
    square: Square | None = None
    basis: Literal["shoe", "round"] = "round"
    """Whether the cards of earlier rounds were counted."""


class Figures(Struct, frozen=True):
    """What a round is worth from a fresh shoe under best play, a unit of the first wager."""

    house_edge: float
    deviation: float


def game_of(settings: Settings, packs: int, stake: int) -> Game:
    """The game of a table at a stake in cents."""
    overrides = tuple(sorted(settings.overrides.items(), key=lambda one: one[0]))
    return Game(settings.rulebook, overrides, packs, dollars(stake))


# --- in the other process ------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _solver(game: Game) -> Solver:
    from pontoon.analysis import Solver  # noqa: PLC0415 numba is only for this process

    return Solver(load(game.rulebook, dict(game.overrides)), game.packs, stake=game.stake)


@lru_cache(maxsize=32)
def _chart(game: Game) -> Chart:
    from pontoon.analysis.chart import chart_of  # noqa: PLC0415

    return chart_of(_solver(game), load(game.rulebook, dict(game.overrides)))


@lru_cache(maxsize=32)
def _strategy(game: Game) -> ChartStrategy:
    return _chart(game).strategy()


@lru_cache(maxsize=256)
def figures(game: Game) -> Figures:
    """The exact edge of a game."""
    from pontoon.analysis import edge_of  # noqa: PLC0415

    edge = edge_of(_solver(game))
    return Figures(edge.house_edge, edge.sd)


def solve_all(questions: tuple[Question, ...]) -> tuple[Solved, ...]:
    """The answers to several questions."""
    return tuple(solve(one) for one in questions)


@lru_cache(maxsize=4096)
def solve(question: Question) -> Solved:
    """What each decision is worth, with as many of the cards seen as a shoe can spare.

    >>> game = Game("star", (), 8, "10.00")
    >>> solved = solve(Question(game, "decision", ("8s", "8h"), "7d", (), (), may=("hit", "stand", "split")))
    >>> solved.values[0].action, solved.square.code, solved.square.action
    ('split', 'P', 'split')
    """
    from pontoon.analysis import ShoeError  # noqa: PLC0415
    from pontoon.analysis.values import HandError  # noqa: PLC0415

    for basis, out in (("shoe", (*question.earlier, *question.layout)), ("round", question.layout), ("round", ())):
        if basis == "shoe" and not question.earlier:
            continue
        try:
            values = _values(question, out)
        except HandError:
            return Solved()
        except ShoeError:  # too few cards are left for the sums of a whole round
            continue
        return Solved(values, _square(question), cast("Literal['shoe', 'round']", basis))
    return Solved()


def _values(question: Question, out: Cards) -> tuple[Worth, ...]:
    solver, hand, dealer = _solver(question.game), question.hand, question.dealer
    if question.kind == "insurance":
        return _insurance(solver.with_shoe(solver.shoe.without(out)) if out else solver, hand, dealer)
    found = solver.action_values(hand, dealer, out=out, after_split=question.split, doubled=question.kind == "doubled")
    values = {one.action: one.value for one in found}
    if question.kind == "surrender":
        others = [value for action, value in values.items() if action != "surrender"]
        values = {"surrender": values["surrender"], PLAY_ON: max(others)} if "surrender" in values else {}
    elif question.may:
        values = {action: value for action, value in values.items() if action in question.may}
    return tuple(Worth(action, values[action]) for action in sorted(values, key=lambda one: -values[one]))


def _insurance(solver: Solver, hand: Cards, dealer: Card) -> tuple[Worth, ...]:
    """What the most insurance adds to a unit of the wager."""
    from pontoon.analysis.hands import value_of  # noqa: PLC0415

    low, high = sorted(value_of(card) for card in hand)
    adds = float(solver.insurance(value_of(dealer), (low, high)))
    rows = (Worth(INSURE, adds), Worth(DECLINE, 0.0))
    return rows if adds > 0 else rows[::-1]


def _square(question: Question) -> Square | None:
    if question.kind == "insurance":
        return None
    chart, column = _chart(question.game), rank_class(question.dealer)
    counted = total(question.hand, question.fixed_aces)
    block, row = "soft" if counted.soft else "hard", str(counted.points)
    ranks = ranks_key(question.hand)
    if question.kind == "doubled":
        block = "forfeit"
    elif len(question.hand) == TWO and ranks in chart.pairs:
        block, row = "pairs", ranks
    square = chart.blocks()[block].get(row, {}).get(column)
    if square is None:
        return None
    return Square(block, row, column, square.code, _by_chart(question))


def _by_chart(question: Question) -> str:
    may = question.may or tuple(COMMANDS)
    if question.kind == "surrender":
        may = ("surrender", "keep")
    split = rank_class(question.hand[0]) if question.split else ""
    situation = Situation(
        question.hand, question.dealer, split, question.original, question.kind == "doubled", question.fixed_aces,
        cast("frozenset[Action]", frozenset(may)),
    )  # fmt: skip
    action: str = _strategy(question.game).choose(situation)
    return PLAY_ON if question.kind == "surrender" and action == "keep" else action


# --- the process ---------------------------------------------------------------------------------------


def _serve() -> None:
    """Ctrl-C is for the server; with the server this process ends, however that was ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    os._exit(0)


class Worker:
    """One process for all sums; what was asked before is answered at once."""

    MOST_KEPT = 512
    MOST_WAITING = 16

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._answers: OrderedDict[Hashable, Future[Any]] = OrderedDict()

    async def ask(self, work: Callable[[Any], T], about: Hashable, patience: float = 0.3) -> T | None:
        """The answer; None while it is being prepared, which takes some seconds the first time."""
        key = (work.__name__, about)
        found = self._answers.get(key)
        if found is None or (found.done() and (found.cancelled() or found.exception() is not None)):
            found = self._submit(work, about)
            self._answers[key] = found
            if len(self._answers) > self.MOST_KEPT:
                self._answers.popitem(last=False)
        self._answers.move_to_end(key)
        for _ in range(int(patience / NAP)):
            if found.done():
                break
            await asyncio.sleep(NAP)
        return cast("T | None", self._result(found)) if found.done() else None

    def _result(self, found: Future[Any]) -> object:
        try:
            return found.result()
        except BrokenProcessPool:  # it was killed; the next one begins anew
            self._pool = None
            return None
        except ImportError:
            raise ProblemError(Problem(BUSY, "no_coach", "the coach needs numpy and numba on this server")) from None

    def _submit(self, work: Callable[[Any], T], about: Hashable) -> Future[T]:
        if sum(not one.done() for one in self._answers.values()) >= self.MOST_WAITING:
            raise ProblemError(problem("too_many"))
        try:
            return self._started().submit(work, about)
        except BrokenProcessPool:
            self._pool = None
            return self._started().submit(work, about)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # A fresh interpreter: forking would copy the server's threads, locks and connections.
            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _serve)
        return self._pool

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = None
        self._answers.clear()


# --- what is seen at a table ---------------------------------------------------------------------------


class Sight(Struct, frozen=True):
    """What somebody at a table has seen."""

    settings: Settings
    table: Table
    eye: Eye
    earlier: Cards = ()

    def question(self, state: Round, kind: Kind, box: Box, number: int, stake: int) -> Question | None:
        """One hand of a round as a question; None where this eye does not see it."""
        hand = box.hands[number - 1]
        table = replace(self.table, round=state)
        if is_hidden(table, box, hand, self.eye) or not hand.cards or not state.dealer:
            return None
        in_turn = kind in ("decision", "doubled") and state.turn == (box.number, number)
        may = tuple(name for name, make in COMMANDS.items() if in_turn and refusal(state, make(box.number)) is None)
        wager = wager_of(hand, box.controller)
        return Question(
            game_of(self.settings, self.table.packs, stake),
            kind,
            hand.cards,
            state.dealer[0],
            self._layout(table, state, box, hand),
            self.earlier,
            hand.split,
            wager is None or wager.original,
            hand.fixed_aces,
            may,
        )

    def _layout(self, table: Table, state: Round, own: Box, hand: Hand) -> Cards:
        """All other cards on the layout; of a split the solver takes away the other card of the pair by itself."""
        seen: Counter[Card] = Counter(state.dealer[1:])
        for box in state.boxes:
            for one in box.hands:
                if one is not hand:
                    seen.update(seen_cards(one, hidden=is_hidden(table, box, one, self.eye)))
        if hand.split:
            others = (one.cards[0] for one in own.hands if one is not hand and one.cards)
            pair = next((card for card in others if rank_class(card) == rank_class(hand.cards[0])), None)
            seen.subtract([pair] if pair else [])
        return tuple(sorted(card for card in seen.elements() if card not in (FACE_DOWN, JOKER)))


def seen_before(keeper: ShoeKeeper, cards: Iterable[Card], used: int, since: int | None = None) -> Cards:
    """The cards of earlier rounds from this shoe, all of them dealt and proved; empty where the record tells nothing.

    `cards` are those of the round in question and `used` their number; `since` is how many were dealt after it, where
    it is over: its shoe may be over too.
    """
    record = keeper.record
    dealt = [one.card for one in record.dealt] if record is not None else []
    dealt = dealt[: len(dealt) - (since or 0)]
    if since is not None and not dealt and keeper.records:
        dealt = [one.card for one in keeper.records[-1].dealt]
    place = len(dealt) - used
    fits = place >= 0 and not Counter(cards) - Counter(dealt[place:])
    return tuple(sorted(dealt[:place])) if fits else ()


# --- what was decided ----------------------------------------------------------------------------------


class Decision(Struct, frozen=True):
    """Something a player decided, and the question it answered."""

    player: str
    box: int
    hand: int
    stake: int
    chosen: str
    question: Question


def round_events(events: Iterable[LogEvent], number: int) -> list[Event]:
    """The events of a round; what was taken back or a reconstruction undid does not count."""
    found: list[Event] = []
    began = False
    for event in events:
        match event:
            case RoundBegan():
                began = event.number == number
            case RoundReconstructed() if began:
                call = next(place for place, one in enumerate(found) if isinstance(one, e.NoMoreBetsCalled))
                del found[call + 1 :]
            case InRound(event=e.WagerTakenBack(box=box, player=player)) if began:
                found = [one for one in found if getattr(one, "box", 0) != box or getattr(one, "player", "") != player]
            case InRound(event=inner) if began:
                found.append(inner)
            case _:
                pass
    return found


def decisions(sight: Sight, events: Iterable[Event], player: str) -> list[Decision]:
    """What a player decided in a round, in order."""
    state, found = Round(sight.table.rules, sight.table.limits), []
    absent: set[tuple[int, int]] = set()
    for event in events:
        if isinstance(event, e.PlayerWasAbsent):
            absent.add((event.box, event.hand))
        for kind, box, number, chosen in _decided(state, event, player):
            stake = _stake(box, number, player)
            question = sight.question(state, kind, box, number, _first_stake(box, player))
            if question is not None and stake and (box.number, number) not in absent:
                found.append(Decision(player, box.number, number, stake, chosen, question))
        state = evolve(state, event)
    return found


def _decided(state: Round, event: Event, player: str) -> Iterator[tuple[Kind, Box, int, str]]:
    """What this event says of the player's decisions: kind of question, box, hand, and what was chosen."""
    match event:
        case e.CardCalled() | e.Stood(by="player") | e.SplitMade() | e.Doubled(joined=False) if (
            state.phase == "decision" and box_in_turn(state).controller == player
        ):
            yield "decision", box_in_turn(state), event.hand, _CHOSEN[type(event)]
        case e.Surrendered(player=who, box=number) if who == player:
            box = find_box(state, number)
            assert box is not None
            yield "surrender" if state.phase == "surrender" else "decision", box, 1, "surrender"
        case e.Kept(player=who, hand=hand) if who == player:
            yield "doubled", box_in_turn(state), hand, "keep"
        case e.Settled(player=who, kind="main", result="forfeit", hand=hand) if who == player:
            yield "doubled", box_in_turn(state), hand, "forfeit"
        case e.OfferClosed(offer="insurance" | "surrender" as offer):
            yield from _answered(state, offer, player)
        case _:
            pass


_CHOSEN: dict[type[Event], str] = {
    e.CardCalled: "hit",
    e.Stood: "stand",
    e.SplitMade: "split",
    e.Doubled: "double",
}


def _answered(
    state: Round, offer: Literal["insurance", "surrender"], player: str
) -> Iterator[tuple[Kind, Box, int, str]]:
    """Whoever let an offer pass has decided too, where it was made to them."""
    for box in state.boxes:
        if not box.hands or not _stake(box, 1, player):
            continue
        if offer == "insurance":
            insured = any(one.player == player and one.owner_box == box.number for one in state.insurance)
            yield "insurance", box, 1, INSURE if insured else DECLINE
        elif refusal(state, Surrender(box.number, player)) is None:
            yield "surrender", box, 1, PLAY_ON


def _stake(box: Box, number: int, player: str) -> int:
    wager = wager_of(box.hands[number - 1], player) if number <= len(box.hands) else None
    return wager.stake if wager is not None and not wager.result else 0


def _first_stake(box: Box, player: str) -> int:
    return next((one.stake for one in box.bettors if one.player == player), 0)


def stake_on(box: Box, player: str) -> int:
    """What a player, or else the controller, has on a box."""
    return _first_stake(box, player) or _first_stake(box, box.controller)


OPEN: dict[str, Kind] = {
    "decision": "decision",
    "forfeit": "doubled",
    "surrender": "surrender",
    "insurance": "insurance",
}
"""What is asked in each phase of a round."""


def now_asked(sight: Sight, player: str, number: int) -> Decision | None:
    """What is asked on a box now (0 is the box in turn, or the player's first); `chosen` is empty yet."""
    state = sight.table.round
    if state is None or state.phase not in OPEN or sight.table.phase != "round":
        return None
    kind = OPEN[state.phase]
    own = [box.number for box in state.boxes if _first_stake(box, player)]
    turn = state.turn[0] if kind in ("decision", "doubled") else 0
    wanted = number or (turn if turn in own else next(iter(own), turn))
    box = find_box(state, wanted)
    if box is None:
        return None
    place = state.turn[1] if turn == wanted else _first_open(box)
    kind = kind if turn in (0, wanted) else "decision"
    if not place or (stake := stake_on(box, player)) == 0:
        return None
    question = sight.question(state, kind, box, place, stake)
    return Decision(player, box.number, place, stake, "", question) if question is not None else None


def _first_open(box: Box) -> int:
    """The first hand that is still to be played; 0 where there is none."""
    return next((place for place, hand in enumerate(box.hands, 1) if hand.live and not hand.stood), 0)
