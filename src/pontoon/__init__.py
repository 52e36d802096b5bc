"""Pontoon, by the book: a rules engine for the casino card game in five jurisdictions.

>>> import pontoon
>>> pontoon.load("canberra").split.max_hands
4
"""

from pontoon.rulebook import load

__all__ = ["__version__", "load"]
__version__ = "0.1.0"
