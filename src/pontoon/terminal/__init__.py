"""Pontoon in lines of text: one person, play chips, an automatic dealer. Holds no rule; the engine knows them."""

from pontoon.terminal.console import Console
from pontoon.terminal.game import Game, Settings, choose_rulebook
from pontoon.terminal.shoe import PracticeShoe, Shoe, ShoeEmptyError

__all__ = ["Console", "Game", "PracticeShoe", "Settings", "Shoe", "ShoeEmptyError", "choose_rulebook"]
