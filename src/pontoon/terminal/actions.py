"""What a person can type in a round: letters and words, and the commands they stand for."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import (
    CloseOffer,
    Command,
    Double,
    Forfeit,
    Hit,
    Insure,
    Keep,
    Options,
    Refusal,
    Round,
    Split,
    Stand,
    Surrender,
    play,
)
from pontoon.ledger import balances, wallet
from pontoon.money import MoneyError, cents
from pontoon.terminal.bets import PLAYER

QUIT = ("q", "quit", "exit", "leave")
HELP = ("?", "help")


class Action(Struct, frozen=True):
    """One thing to type: letter and word, the word with its letter marked, what it means, what it asks for."""

    letter: str
    word: str
    label: str
    meaning: str
    kind: type[Command]
    takes_amount: bool = False
    only_answers: bool = False
    """An answer to an offer and nothing else, so help is silent about it at other times."""


ACTIONS = (
    Action("h", "hit", "[h]it", "take a card", Hit),
    Action("s", "stand", "[s]tand", "take no more cards", Stand),
    Action("d", "double", "[d]ouble", "a second wager for one last card", Double, takes_amount=True),
    Action("p", "split", "s[p]lit", "make two hands of the pair for an equal wager", Split),
    Action("u", "surrender", "s[u]rrender", "give up half the wager", Surrender),
    Action("f", "forfeit", "[f]orfeit", "take the double back and lose the first wager", Forfeit),
    Action("k", "keep", "[k]eep", "let the doubled hand stand", Keep, only_answers=True),
    Action("i", "insure", "[i]nsure", "bet on a dealer's pontoon", Insure, takes_amount=True),
    Action("n", "no", "[n]o", "decline what is offered", CloseOffer, only_answers=True),
)
"""In the order they are offered."""

_BY_NAME = {name: action for action in ACTIONS for name in (action.letter, action.word)}


class TypedError(ValueError):
    """The text is no action; the message is one line for a person."""


def read_action(text: str) -> tuple[Action, int]:
    """Read an action and its amount in cents; 0 is the full amount.

    >>> action, amount = read_action("Double 7.50")
    >>> action.word, amount
    ('double', 750)
    """
    name, _, rest = text.lower().partition(" ")
    action = _BY_NAME.get(name)
    if action is None:
        raise TypedError(f"{text!r} is nothing you can do here; ? lists what is" if text else "? lists what you can do")
    rest = rest.strip().removeprefix("$")
    if not rest:
        return action, 0
    if not action.takes_amount:
        raise TypedError(f"{action.word} takes no amount")
    try:
        amount = cents(rest)
    except MoneyError:
        amount = cents("0")
    if not amount:
        raise TypedError(f"{rest!r} is not an amount, as in {action.letter} 7.50")
    return action, amount


def command_for(now: Options, action: Action, box: int, amount: int = 0) -> Command:
    """The engine's own candidate for this action on this box, allowed or not, with the amount that was typed."""
    if action.kind is CloseOffer and now.waits_for == "forfeit":
        return Keep(box, PLAYER)  # to decline the forfeit is to keep the double
    known = (*now.allowed, *(command for command, _ in now.refused))
    command = next(one for one in known if isinstance(one, action.kind) and concerns(one, box))
    return replace(command, amount=amount) if amount else command


def concerns(command: Command, box: int) -> bool:
    """Whether a command is about this box; a person alone insures each wager from its own box, never across."""
    if isinstance(command, Insure) and command.for_box != command.box:
        return False
    return getattr(command, "box", box) == box


def cost(state: Round, command: Command) -> int:
    """What the command takes from the wallet, as the ledger posts it; nothing for one that is refused."""
    played = play(state, command)
    return 0 if isinstance(played, Refusal) else max(-balances(played.events)[wallet(PLAYER)], 0)
