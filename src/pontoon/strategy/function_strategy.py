"""A plain function as a strategy, and the check of a strategy argument."""

from __future__ import annotations

from collections.abc import Callable

from pontoon.strategy.situation import Action, Situation, Strategy, StrategyLike


class FunctionStrategy(Strategy):
    """A strategy that calls a function for every decision and never insures."""

    def __init__(self, function: Callable[[Situation], Action]) -> None:
        self.function = function

    def choose(self, situation: Situation) -> Action:
        return self.function(situation)


def as_strategy(strategy: StrategyLike) -> Strategy:
    """The strategy itself, or a function from `Situation` to `Action` as a strategy; TypeError for anything else.

    >>> as_strategy(lambda situation: "stand").choose(Situation(("Ks", "9d"), "6h"))
    'stand'
    >>> as_strategy("optimal")
    Traceback (most recent call last):
    TypeError: a strategy is a Strategy or a function from Situation to Action, not str
    """
    if isinstance(strategy, type):
        raise TypeError(f"a strategy is an object, not a class: {strategy.__name__}(...)")
    if hasattr(strategy, "choose"):
        return strategy if hasattr(strategy, "insures") else FunctionStrategy(strategy.choose)
    if callable(strategy):
        return FunctionStrategy(strategy)
    raise TypeError(f"a strategy is a Strategy or a function from Situation to Action, not {type(strategy).__name__}")
