"""Who is waited for, and what everybody may do now: buttons, with the reason where one cannot be pressed.

The answers are the table's own (`refusal`); here is only which questions are worth asking at each moment, so
that a view stays small and quick to make. A test holds them against the engine's `options`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from pontoon.engine import Box, Refusal, Round
from pontoon.engine import commands as c
from pontoon.engine.dealing import next_place
from pontoon.engine.insurance import cap
from pontoon.engine.options import ACTORS, Actor
from pontoon.engine.state import Phase, box_in_turn, hand_in_turn
from pontoon.table import Table, refusal
from pontoon.table.commands import Play
from pontoon.table.state import TablePhase
from pontoon.view.eye import Eye, is_hidden
from pontoon.view.questions import question_for, unusual_plays
from pontoon.view.table_parts import ChoiceView, InsurableView, Pressed, RefusedView, WaitsView
from pontoon.view.words import why

TABLE_ACTORS: dict[TablePhase, Actor] = {
    "closed": "nobody",
    "preparing": "dealer",
    "shuffled": "players",
    "cut": "dealer",
    "ready": "players",
    "collect": "dealer",
}


def waits_for(table: Table, eye: Eye, choices: tuple[ChoiceView, ...]) -> WaitsView:
    """Of a box that lies face down all count as asked who have not answered: who may answer would tell the cards."""
    state = table.round
    if table.phase == "shuffled":
        return WaitsView("players", table.offered[:1]) if table.offered else WaitsView("dealer")
    if table.phase != "round" or state is None:
        return WaitsView(TABLE_ACTORS[table.phase])
    if table.due == "first" or not table.shoe.left:
        return WaitsView("dealer")
    actor = ACTORS[state.phase]
    players: tuple[str, ...] = ()
    if actor == "controller":
        players = (box_in_turn(state).controller,)
    elif actor == "bettors":
        asked = {one.player: None for one in choices if one.allowed}
        unseen = [box for box in state.boxes if _box_hidden(table, box, eye)]
        players = tuple(asked | {player: None for box in unseen for player in _unanswered(state, box)})
    return WaitsView(actor, players, next_place(state))


def _unanswered(state: Round, box: Box) -> Iterator[str]:
    insured = {one.player for one in state.insurance if one.owner_box == box.number}
    return (wager.player for hand in box.hands for wager in hand.wagers if wager.live and wager.player not in insured)


def _box_hidden(table: Table, box: Box, eye: Eye) -> bool:
    return table.face_down and any(hand.cards and is_hidden(table, box, hand, eye) for hand in box.hands)


Candidate: TypeAlias = tuple[Box, str, tuple[Pressed, ...], bool]
"""Box, bettor, commands, and whether to say why those that are refused are."""


def _offered_to_all(state: Round, *kinds: Callable[[int, str], Pressed]) -> Iterator[Candidate]:
    for box in state.boxes:
        for wager in box.bettors:
            yield box, wager.player, tuple(kind(box.number, wager.player) for kind in kinds), True


def _taken_back(state: Round) -> Iterator[Candidate]:
    return _offered_to_all(state, c.TakeBack)


def _insured(state: Round) -> Iterator[Candidate]:
    for box in state.boxes:
        for wager in box.bettors:
            own = c.Insure(box.number, wager.player, cap(state, wager.stake), box.number, wager.player)
            yield box, wager.player, (own,), True


def _surrendered(state: Round) -> Iterator[Candidate]:
    return _offered_to_all(state, c.Surrender, c.DeclineSurrender)


def _withdrawn(state: Round) -> Iterator[Candidate]:
    return _offered_to_all(state, c.Withdraw)


def _decided(state: Round) -> Iterator[Candidate]:
    """The controller hears why not; of co-bettors only what they may do is worth a word."""
    box = box_in_turn(state)
    number, controller = box.number, box.controller
    calls: list[Pressed] = [
        c.Hit(number),
        c.Stand(number),
        c.Double(number, 0, controller),
        c.Split(number, controller),
        c.Surrender(number, controller),
    ]
    if state.exposed:
        calls.append(c.RefuseCard(number))
    short = hand_in_turn(state).skipped
    if short:
        calls.append(c.Withdraw(number, controller))
    yield box, controller, tuple(calls), True
    for wager in box.bettors:
        if wager.player != controller:
            own: tuple[Pressed, ...] = (c.Surrender(number, wager.player),)
            yield box, wager.player, (*own, c.Withdraw(number, wager.player)) if short else own, False


def _joined(state: Round) -> Iterator[Candidate]:
    """Until the card comes co-bettors may join the double, or cover or ride the split."""
    if not state.joining:
        return
    box = box_in_turn(state)
    number = box.number
    for wager in box.bettors:
        player = wager.player
        if player == box.controller:
            continue
        if state.joining == "double":
            yield box, player, (c.Double(number, 0, player),), True
        else:
            yield box, player, (c.Split(number, player), c.Ride(number, player, 1), c.Ride(number, player, 2)), True


def _forfeited(state: Round) -> Iterator[Candidate]:
    box = box_in_turn(state)
    for wager in box.bettors:
        yield box, wager.player, (c.Forfeit(box.number, wager.player), c.Keep(box.number, wager.player)), True


def _nothing(_: Round) -> Iterator[Candidate]:
    return iter(())


CANDIDATES: dict[Phase, Callable[[Round], Iterator[Candidate]]] = {
    "wagers": _taken_back,
    "initial_deal": _nothing,
    "insurance": _insured,
    "surrender": _surrendered,
    "decision": _decided,
    "card": _joined,
    "forfeit": _forfeited,
    "first_card": _nothing,
    "withdraw": _withdrawn,
    "dealer": _nothing,
    "ended": _nothing,
}
"""What can be pressed at each moment: the engine's candidates without those that are refused to everybody then."""


def choices_of(table: Table, eye: Eye) -> tuple[ChoiceView, ...]:
    """Ask the table about each; nothing of a hand that lies face down, for what it may do tells what it is."""
    state = table.round
    if state is None or table.phase not in ("ready", "round"):
        return ()
    rows = []
    for box, player, commands, reasons in CANDIDATES[state.phase](state):
        if _box_hidden(table, box, eye):
            continue
        allowed: list[Pressed] = []
        refused: list[RefusedView] = []
        for command in commands:
            no = refusal(table, Play(command, player))
            if no is None:
                allowed.append(command)
            elif reasons:
                refused.append(_refused(command, no, eye.language))
        if allowed or refused:
            question = question_for(state, box, player, eye.language) if allowed else ""
            unusual = unusual_plays(state, allowed, eye.language)
            rows.append(ChoiceView(box.number, player, tuple(allowed), tuple(refused), question, unusual))
    return tuple(rows)


def _refused(command: Pressed, no: Refusal, language: str) -> RefusedView:
    return RefusedView(command, no.code, no.clauses, why(no, language), dict(no.facts))


def insurable(table: Table, eye: Eye) -> tuple[InsurableView, ...]:
    """Wagers that are still bare: another may insure what the owner could."""
    state = table.round
    if state is None or state.phase != "insurance" or not state.rules.insurance.third_party:
        return ()
    taken = {"insured_by_another"}
    rows = []
    for box, player, commands, _ in _insured(state):
        no = refusal(table, Play(commands[0], player))
        if (no is None or no.code in taken) and not _box_hidden(table, box, eye):
            most = cap(state, next(wager.stake for wager in box.bettors if wager.player == player))
            rows.append(InsurableView(box.number, player, most))
    return tuple(rows)
