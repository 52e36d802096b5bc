"""The exact value of any policy, its regret against the optimum, and where the regret comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from pontoon.analysis.policies.mistakes import Mistake
from pontoon.analysis.policies.mixed_play import Holding, MixedSolver, regret_of
from pontoon.analysis.shoe import Shoe
from pontoon.analysis.solver import Solver
from pontoon.cards import Card
from pontoon.environment.box import (
    ACTIONS,
    FORFEIT,
    FORFEITING,
    INSURANCE,
    INSURE,
    PLAYING,
    RESPLITTING,
    SPLIT,
    SURRENDER,
    SURRENDERING,
    Seen,
)
from pontoon.environment.policies import Policy, Sees, asked
from pontoon.frames import Row, Tabular
from pontoon.library import named_strategy
from pontoon.money import as_cents
from pontoon.rulebook.resolve import RulebookLike, as_rulebook

FEW_CARDS = 20
"""Up to this many cards a value is computed in fractions unless the caller decides; it takes some ten seconds."""
_SUITS = {"": 0, "c": 1, "d": 1, "h": 1, "s": 2}


class Evaluation(Struct, Tabular, frozen=True):
    """A policy against the optimum, in stakes a round from a fresh shoe."""

    value: float
    optimum: float
    regret: float
    situations: tuple[Mistake, ...]
    """The parts that make up the regret, the largest first."""

    def rows(self) -> list[Row]:
        """One row for every situation that costs something, the largest first."""
        return [asdict(row) for row in self.situations]

    def worst(self, number: int = 10) -> str:
        """The situations that cost most, as a table."""
        rows = [f"{row.hand:24} {row.dealer:>2}  {row.plays:9} {row.best:9} {row.cost:9.6f}" for row in self.situations]
        return "\n".join([f"{'hand':24} vs  {'plays':9} {'best':9} {'regret':>9}", *rows[:number]])


def evaluate(  # noqa: PLR0913 a policy, a game, and how exactly
    policy: Policy,
    rulebook: RulebookLike = "star",
    decks: int = 0,
    *,
    stake: int | str = 1000,
    sees: Sees = "seen",
    shoe: Iterable[Card] | None = None,
    exact: bool | None = None,
) -> Evaluation:
    """The exact value of a policy, from every order of the cards; nothing is simulated.

    `decks` 0 is the rulebook's default; `shoe` gives the cards one by one instead. `sees` selects what a function is
    given. With `exact` everything is computed in fractions, by default if `shoe` has at most 20 cards.
    """
    rules, cents = as_rulebook(rulebook), as_cents(stake)
    packs = decks or rules.decks.default
    cards = None if shoe is None else Shoe.of_cards(shoe)
    if exact is None:
        exact = cards is not None and cards.cards <= FEW_CARDS
    best = Solver(rules, packs, stake=cents, shoe=cards, exact=exact)
    if isinstance(policy, str):
        policy = named_strategy(policy, rules, packs, cents)
    playing = MixedSolver(
        best.game,
        packs,
        _Player(asked(policy, sees)),
        shoe=cards,
        exact=exact,
        offered=rules.surrender.timing != "turn",
        locks=rules.split.decline_locks,
    )
    found = regret_of(best, playing)
    return Evaluation(found.ev, found.ev_optimal, found.cost, found.mistakes)


class _Player:
    """A policy as the analysis asks it."""

    def __init__(self, policy: Callable[[Seen], dict[int, Any]]) -> None:
        self.policy = policy

    def plays(self, held: Holding) -> dict[str, Any]:
        return {ACTIONS[action]: chance for action, chance in self.policy(_seen(held, PLAYING)).items()}

    def surrenders(self, held: Holding) -> Any:  # noqa: ANN401 a number
        return self.policy(_seen(held, SURRENDERING)).get(SURRENDER, 0)

    def forfeits(self, held: Holding) -> Any:  # noqa: ANN401 a number
        return self.policy(_seen(held, FORFEITING)).get(FORFEIT, 0)

    def insures(self, held: Holding) -> Any:  # noqa: ANN401 a number
        return self.policy(_seen(held, INSURANCE)).get(INSURE, 0)

    def splits_again(self, held: Holding) -> Any:  # noqa: ANN401 a number
        return self.policy(_seen(held, RESPLITTING)).get(SPLIT, 0)


def _seen(held: Holding, phase: int) -> Seen:
    """What the agent sees of a hand: the same as `box.seen` says of it in a round."""
    hidden = held.split >= 0 and held.first in (0, 9)
    return Seen(
        phase=phase,
        ranks=held.counts,
        total=held.total,
        soft=bool(held.soft),
        upcard=held.first + 1,
        suits=0 if hidden else _SUITS[held.suit],
        first_aces=held.first_aces,
        split=held.split + 1,
        first_hand=held.original,
        may=tuple(number for number, name in enumerate(ACTIONS) if name in held.may),
    )
