"""Who must act, and each player's possible actions as buttons, with the reason if one is disabled.

The answers come from the table (`refusal`); this module only decides which questions are worth asking at each moment,
so that a view stays small and quick to make. A test compares them with the engine's `options`.
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
from pontoon.view.questions import question_for, unusual_plays
from pontoon.view.table_parts import ChoiceView, InsurableView, Pressed, RefusedView, WaitsView
from pontoon.view.viewer import Viewer, is_hidden
from pontoon.view.words import why

TABLE_ACTORS: dict[TablePhase, Actor] = {
    "closed": "nobody",
    "preparing": "dealer",
    "shuffled": "players",
    "cut": "dealer",
    "ready": "players",
    "collect": "dealer",
}


def waits_for(table: Table, viewer: Viewer, choices: tuple[ChoiceView, ...]) -> WaitsView:
    """Who must act next.

    At a box dealt face down that is everyone who has not answered, so as not to reveal the cards.
    """
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
        asked = {choice.player: None for choice in choices if choice.allowed}
        unseen = [box for box in state.boxes if _box_hidden(table, box, viewer)]
        players = tuple(asked | {player: None for box in unseen for player in _unanswered(state, box)})
    return WaitsView(actor, players, next_place(state))


def _unanswered(state: Round, box: Box) -> Iterator[str]:
    insured = {insurance.player for insurance in state.insurance if insurance.owner_box == box.number}
    return (wager.player for hand in box.hands for wager in hand.wagers if wager.live and wager.player not in insured)


def _box_hidden(table: Table, box: Box, viewer: Viewer) -> bool:
    return table.face_down and any(hand.cards and is_hidden(table, box, hand, viewer) for hand in box.hands)


Candidate: TypeAlias = tuple[Box, str, tuple[Pressed, ...], bool]
"""Box, bettor, commands, and whether to include the reasons of refused ones."""


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
            yield box, wager.player, (own, c.DeclineInsurance(box.number, wager.player)), True


def _surrendered(state: Round) -> Iterator[Candidate]:
    return _offered_to_all(state, c.Surrender, c.DeclineSurrender)


def _withdrawn(state: Round) -> Iterator[Candidate]:
    return _offered_to_all(state, c.Withdraw)


def _decided(state: Round) -> Iterator[Candidate]:
    """The controller also gets the reasons of refused actions; co-bettors only get allowed actions."""
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
    short = hand_in_turn(state).short
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
"""The buttons of each phase: the engine's candidates without those refused to everyone."""


def choices_of(table: Table, viewer: Viewer) -> tuple[ChoiceView, ...]:
    """The commands the table allows; none for a hand that lies face down, because they would reveal its cards."""
    state = table.round
    if state is None or table.phase not in ("ready", "round"):
        return ()
    rows = []
    for box, player, commands, reasons in CANDIDATES[state.phase](state):
        if _box_hidden(table, box, viewer):
            continue
        allowed: list[Pressed] = []
        refused: list[RefusedView] = []
        for command in commands:
            no = refusal(table, Play(command, player))
            if no is None:
                allowed.append(command)
            elif reasons:
                refused.append(_refused(command, no, viewer.language))
        if allowed or refused:
            question = question_for(state, box, player, viewer.language) if allowed else ""
            unusual = unusual_plays(state, allowed, viewer.language)
            rows.append(ChoiceView(box.number, player, tuple(allowed), tuple(refused), question, unusual))
    return tuple(rows)


def _refused(command: Pressed, no: Refusal, language: str) -> RefusedView:
    return RefusedView(command, no.code, no.clauses, why(no, language), dict(no.facts))


BARE = ("insured_by_another", "insurance_declined")
"""Why an owner may not insure a wager that another still may."""


def insurable(table: Table, viewer: Viewer) -> tuple[InsurableView, ...]:
    """Uninsured wagers: another player may insure what the owner could insure or has declined."""
    state = table.round
    if state is None or state.phase != "insurance" or not state.rules.insurance.third_party:
        return ()
    waits = state.rules.insurance.others_after == "declined"
    rows = []
    for box, player, commands, _ in _insured(state):
        no = refusal(table, Play(commands[0], player))
        bare = (no is None and not waits) or (no is not None and no.code in BARE)
        if bare and not _box_hidden(table, box, viewer):
            most = cap(state, next(wager.stake for wager in box.bettors if wager.player == player))
            rows.append(InsurableView(box.number, player, most))
    return tuple(rows)
