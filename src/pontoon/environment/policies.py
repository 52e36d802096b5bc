"""Policies: what an agent does when it sees something, as chances of actions.

A policy is a function, a table (a mapping from `Seen`), a strategy of this project, or the name of one ("optimal",
"chart"). It gives an action by number or name, or chances: a mapping from actions, or one number for each of the eight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from pontoon.analysis.hands import VALUES
from pontoon.analysis.policies.strategy_play import cards_of, dealer_card
from pontoon.environment.box import (
    ACTIONS,
    FORFEITING,
    INSURANCE,
    INSURE,
    KEEP,
    RESPLITTING,
    SPLIT,
    Seen,
)
from pontoon.environment.observation import dictionary, flat
from pontoon.quoting import quoted
from pontoon.strategy import Situation, Strategy, StrategyError, StrategyLike, as_strategy

Answer: TypeAlias = Any
"""An action by number or name; a mapping from actions to chances; or the chances of all actions in their order."""
Policy: TypeAlias = Callable[[Any], Answer] | Mapping[Seen, Answer] | StrategyLike | str
Sees = Literal["seen", "dict", "flat", "situation"]
"""What a function is given: a `Seen`, the dictionary, the flat vector, or a `pontoon.Situation`."""
NONE = np.zeros(0, np.float32)
ENOUGH = 1e-9


class PolicyError(ValueError):
    """A policy gave no valid answer; the message is one line."""


def chances(answer: Answer, seen: Seen) -> dict[int, Any]:
    """An answer as the chances of the allowed actions; PolicyError if it is not lawful.

    >>> seen = Seen(4, (0, 0, 0, 0, 0, 0, 0, 1, 0, 1), 18, upcard=7, may=(0, 1))
    >>> chances("stand", seen), chances(1, seen), chances({"stand": 0.25, "hit": 0.75}, seen)
    ({0: 1}, {1: 1}, {0: 0.25, 1: 0.75})
    >>> chances("split", seen)
    Traceback (most recent call last):
    pontoon.environment.policies.PolicyError: split with 18 against 7; allowed: stand, hit
    """
    found = {_number(action): chance for action, chance in _pairs(answer) if chance}
    for action in found:
        if action not in seen.may:
            allowed = ", ".join(ACTIONS[number] for number in seen.may)
            name = ACTIONS[action] if 0 <= action < len(ACTIONS) else str(action)
            raise PolicyError(f"{name} with {_words(seen)}; allowed: {allowed}")
    total = sum(found.values())
    if min(found.values(), default=-1) < 0 or abs(total - 1) > ENOUGH:
        raise PolicyError(f"chances that add up to {float(total):.6g} with {_words(seen)}; they must add up to 1")
    return found if total == 1 else {action: chance / total for action, chance in found.items()}


def _pairs(answer: Answer) -> list[tuple[Any, Any]]:
    if isinstance(answer, Mapping):
        return list(answer.items())
    if (isinstance(answer, np.ndarray) and answer.ndim) or isinstance(answer, list | tuple):
        return list(enumerate(np.asarray(answer, object).tolist()))
    return [(answer, 1)]


def _number(action: Any) -> int:  # noqa: ANN401 a name or a number of any kind
    if isinstance(action, str):
        if action not in ACTIONS:
            raise PolicyError(f"{quoted(action)} is no action; choose from {', '.join(ACTIONS)}")
        return ACTIONS.index(action)
    return int(action)


def _words(seen: Seen) -> str:
    return f"{'soft ' if seen.soft else ''}{seen.total} against {VALUES[seen.upcard - 1]}"


def asked(policy: Policy, sees: Sees = "seen") -> Callable[[Seen], dict[int, Any]]:
    """The policy as a function from what is seen to the chances of actions; each situation is asked once."""
    give = _asking(policy, sees)
    known: dict[Seen, dict[int, Any]] = {}

    def found(seen: Seen) -> dict[int, Any]:
        if seen not in known:
            known[seen] = chances(give(seen), seen) if len(seen.may) > 1 else {seen.may[0]: 1}
        return known[seen]

    return found


def _asking(policy: Policy, sees: Sees) -> Callable[[Seen], Answer]:
    if isinstance(policy, Mapping):
        return lambda seen: _looked_up(policy, seen)
    if hasattr(policy, "choose") or sees == "situation":
        strategy = as_strategy(policy)  # type: ignore[arg-type]
        return lambda seen: strategy_action(strategy, seen)
    if not callable(policy):
        raise TypeError(f"a policy is a function, a table or a strategy, not {type(policy).__name__}")
    function: Callable[[Any], Answer] = policy
    if sees == "dict":
        return lambda seen: function(dictionary(seen, len(ACTIONS), NONE))
    return function if sees == "seen" else lambda seen: function(flat(seen))


def _looked_up(table: Mapping[Seen, Answer], seen: Seen) -> Answer:
    if seen not in table:
        raise PolicyError(f"the table has no entry for {_words(seen)} ({seen})")
    return table[seen]


# --- strategies of this project -------------------------------------------------------------------------


def situation_of(seen: Seen) -> Situation:
    """A situation that looks like this to a strategy."""
    suit = ("", "d", "s")[seen.suits]
    cards = cards_of(seen.ranks, _first_aces(seen), suit)
    aces, doubled = seen.ranks[0], seen.phase == FORFEITING
    hard = sum(rank * (place + 1) for place, rank in enumerate(seen.ranks))
    may = {"split", "hit", "stand", "double"} if seen.phase == RESPLITTING else {ACTIONS[n] for n in seen.may}
    return Situation(
        cards,
        dealer_card(seen.upcard - 1),
        VALUES[seen.split - 1] if seen.split else "",
        original=not seen.split or seen.first_hand,
        doubled=doubled,
        fixed_aces=aces if doubled and not seen.soft and hard <= 11 else 0,
        may=frozenset(may),  # type: ignore[arg-type]
    )


def _first_aces(seen: Seen) -> int:
    """Aces to put among the first two cards: as many as are seen there, or as there must be."""
    aces, size = seen.ranks[0], sum(seen.ranks)
    return max(seen.first_aces, min(aces, 2) - min(2, size - aces) if size > 2 else aces)


def strategy_action(strategy: Strategy, seen: Seen) -> int:
    """What a strategy does when it sees this."""
    situation = situation_of(seen)
    if seen.phase == INSURANCE:
        return INSURE if strategy.insures(situation.cards, situation.dealer) else KEEP
    try:
        action = ACTIONS.index(strategy.choose(situation))
    except StrategyError:  # a file need not cover hands that its own play never holds
        return KEEP if KEEP in seen.may else seen.may[0]
    return KEEP if seen.phase == RESPLITTING and action != SPLIT else action


def as_sequence(found: Mapping[int, float]) -> Sequence[float]:
    """Chances of all eight actions in their order."""
    return [float(found.get(number, 0)) for number in range(len(ACTIONS))]
