"""The player's actions in a round: letters and words, and the commands they give."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import Command, Double, Forfeit, Hit, Insure, Keep, Ride, Split, Stand, Surrender
from pontoon.engine.commands import Withdraw
from pontoon.money import MoneyError, cents
from pontoon.rulebook import Clauses
from pontoon.server.rooms.commands import Asked, Pass
from pontoon.terminal.model import Model
from pontoon.view.catalogue.formats import money
from pontoon.view.table_parts import ChoiceView

QUIT = ("q", "quit", "exit", "leave")
HELP = ("?", "help")
OFFERED = (Insure, Surrender)
"""Questions to several boxes at once."""


class Action(Struct, frozen=True):
    """One thing to type: letter and word, the word with its letter marked, what it means, what it asks for."""

    letter: str
    word: str
    label: str
    meaning: str
    kind: type[Command | Pass]
    takes_amount: bool = False
    only_answers: bool = False
    """Only an answer to an offer, so the help does not mention it at other times."""


ACTIONS = (
    Action("h", "hit", "[h]it", "take a card", Hit),
    Action("s", "stand", "[s]tand", "take no more cards", Stand),
    Action("d", "double", "[d]ouble", "a second wager for one last card", Double, takes_amount=True),
    Action("p", "split", "s[p]lit", "make two hands of the pair for an equal wager", Split),
    Action("u", "surrender", "s[u]rrender", "give up half the wager", Surrender),
    Action("f", "forfeit", "[f]orfeit", "take the double back and lose the first wager", Forfeit),
    Action("k", "keep", "[k]eep", "let the doubled hand stand", Keep, only_answers=True),
    Action("i", "insure", "[i]nsure", "bet on a dealer's pontoon", Insure, takes_amount=True),
    Action("n", "no", "[n]o", "decline what is offered", Pass, only_answers=True),
    Action("j", "ride", "[j] ride", "leave the wager on the first hand of the split", Ride, only_answers=True),
    Action("w", "withdraw", "[w]ithdraw", "take the wager back", Withdraw, only_answers=True),
)
"""Actions in the order shown."""
BAR = ACTIONS[:9]
"""Actions always shown; others only when possible."""
LETTERS = {action.letter: action for action in ACTIONS}
_BY_NAME = {name: action for action in ACTIONS for name in (action.letter, action.word)}


class TypedError(ValueError):
    """The text is not an action; the message is one line for the user."""


class Offered(Struct, frozen=True):
    """An action: the command that performs it now, or why it is not allowed."""

    command: Asked | None = None
    allowed: bool = False
    box: int = 0
    words: str = ""
    clauses: Clauses = ()
    refused: bool = False
    """Whether the table gave a reason, rather than saying that it is not offered now."""


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


def offered(model: Model, action: Action, box: int = 0, amount: int = 0) -> Offered:
    """What this action stands for now, on this box first; all of it comes with the view.

    If the view does not mention it, the command can still be sent: the table then says why it is refused.
    """
    if action.kind is Pass:
        return _no(model, box)
    rows = sorted(model.choices, key=lambda row: row.box != box) if box else model.choices
    for row in rows:
        found = next((command for command in row.allowed if isinstance(command, action.kind)), None)
        if found is not None:
            return Offered(_with_amount(found, amount), allowed=True, box=row.box)
    other = _insurance_for_another(model, action, box, amount)
    if other is not None:
        return other
    for row in rows:
        no = next((refusal for refusal in row.refused if isinstance(refusal.command, action.kind)), None)
        if no is not None and not amount:
            return Offered(None, box=row.box, words=no.words, clauses=no.clauses, refused=True)
        if no is not None:  # with another amount the answer may differ
            return Offered(_with_amount(no.command, amount), box=row.box)
    return Offered(_anyway(model, action, box, amount), box=box, words=f"not asked now. {model.moment()}")


def _with_amount(command: Command, amount: int) -> Command:
    return replace(command, amount=amount) if amount else command


def _no(model: Model, box: int) -> Offered:
    """To decline the forfeit is to keep the double; every other "no" is a pass."""
    state = model.view.round if model.view is not None else None
    if state is not None and state.offer == "forfeit":
        return offered(model, LETTERS["k"], box)
    if model.asked in ("offer", "join", "cut"):
        return Offered(Pass(), allowed=True)
    return Offered(None, words=f"nothing is offered now. {model.moment()}")


def _insurance_for_another(model: Model, action: Action, box: int, amount: int) -> Offered | None:
    """An uninsured wager on a selected box."""
    state = model.view.round if model.view is not None else None
    own = own_box(model)
    if state is None or not own or action.kind is not Insure:
        return None
    bare = next((wager for wager in state.insurable if wager.box == box and wager.player != model.me), None)
    if bare is None:
        return None
    return Offered(Insure(own, model.me, amount or bare.most, bare.box, bare.player), allowed=True, box=box)


def own_box(model: Model) -> int:
    """The first box of the round with a wager of the person; 0 without any."""
    state = model.view.round if model.view is not None else None
    boxes = state.boxes if state is not None else ()
    return next((box.number for box in boxes if any(bettor.player == model.me for bettor in box.bettors)), 0)


def _anyway(model: Model, action: Action, box: int, amount: int) -> Command | None:
    """The command anyway, because its refusal names the clause; it cannot take effect now."""
    number = box or own_box(model)
    if not number or not model.in_round:
        return None
    match action.kind:
        case kind if kind is Hit or kind is Stand:
            return Hit(number, model.me) if kind is Hit else Stand(number, model.me)
        case kind if kind is Double:
            return Double(number, amount, model.me)
        case kind if kind is Insure:
            return Insure(number, model.me, amount or 1)
        case kind if kind is Split:
            return Split(number, model.me)
        case kind if kind is Surrender:
            return Surrender(number, model.me)
        case kind if kind is Forfeit:
            return Forfeit(number, model.me)
        case kind if kind is Keep:
            return Keep(number, model.me)
        case _:
            return None


def label(model: Model, action: Action, command: Asked) -> str:
    """The action as a prompt offers it; with the most that may be put on insurance."""
    if isinstance(command, Insure):
        return f"{action.label} up to {money(min(command.amount, model.wallet))}"
    return action.label


def rows_with(model: Model, *kinds: type[Command]) -> list[ChoiceView]:
    """The player's boxes that may do one of these now, by number."""
    rows = [row for row in model.choices if any(isinstance(command, kinds) for command in row.allowed)]
    return sorted(rows, key=lambda row: row.box)
