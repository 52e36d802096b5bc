"""Ties that must be broken because advancing, points or a prize depends on them (20.3(a)(viii)(B), (ix), (xi)).

Eliminated players have vacated their seats and play no extra rounds: their points and prizes are combined and divided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal

from pontoon.engine import Refusal
from pontoon.engine.refusals import refuse
from pontoon.tournament import ballot
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament.flow import Flow
from pontoon.tournament.places import Group, all_go_on, cuts, final_groups, for_points
from pontoon.tournament.state import Tie, Tournament, is_last, settings

POINTS = ("20.3(a)(ix)(B)",)
SESSION = ("20.3(a)(viii)(B)",)
FINAL = ("20.3(a)(xi)", "20.3(a)(xi)(D)")
By = Literal["extra_rounds", "ballot"]
Found = tuple[tuple[str, ...], By, e.Purpose, tuple[str, ...]]
"""Players, method, purpose and clauses."""


def split_over_tables(players: tuple[str, ...], most: int) -> list[tuple[str, ...]]:
    """How tied players are divided over tables for extra rounds.

    >>> split_over_tables(("Ann", "Ben", "Cas"), 2)
    [('Ann', 'Ben'), ('Cas',)]
    """
    return [players[first : first + most] for first in range(0, len(players), most)]


def across(groups: Iterable[Group], places: int) -> Group | None:
    """The tied players on both sides of a cut after this many places.

    >>> from pontoon.tournament.state import Player
    >>> Ann, Ben, Cas = (Player(name) for name in ("Ann", "Ben", "Cas"))
    >>> [player.name for player in across([(Ann,), (Ben, Cas)], 2) or ()], across([(Ann,), (Ben, Cas)], 1)
    (['Ben', 'Cas'], None)
    """
    before = 0
    for group in groups:
        if before < places < before + len(group):
            return group
        before += len(group)
    return None


def contested(groups: Iterable[Group], worth: Sequence[int | Fraction]) -> Iterator[Group]:
    """Tied groups whose places have different prizes and whose players are all still in."""
    before = 0
    for group in groups:
        values = {worth[place] if place < len(worth) else 0 for place in range(before, before + len(group))}
        if len(values) > 1 and all(player.status == "in" for player in group):
            yield group
        before += len(group)


def _names(group: Group) -> tuple[str, ...]:
    return tuple(sorted(player.name for player in group))


def _in_session(state: Tournament) -> list[Found]:
    """Ties about points first, because advancing may depend on them."""
    ties, advance = state.conditions.ties, settings(state).advance
    found: list[Found] = []
    if ties.points != "combine":
        for groups in for_points(state):
            contests = contested(groups, settings(state).points)
            found += [(_names(group), ties.points, "points", POINTS) for group in contests]
    if found or is_last(state) or advance is None:
        return found
    made = cuts(state)
    tables = len(made) - bool(advance.best_of_rest) - bool(advance.of_all)
    for number, (groups, places) in enumerate(made):
        group = across(groups, places)
        if group is not None and not (number < tables and all_go_on(state, group)):
            found.append((_names(group), ties.session, "place", SESSION))
    return found


def _in_final(state: Tournament) -> Iterator[Found]:
    if is_last(state) and state.conditions.ties.final == "extra_rounds":
        for group in contested(final_groups(state), state.conditions.prizes.shares):
            if _names(group) not in state.left_equal:
                yield (_names(group), "extra_rounds", "place", FINAL)


def look(flow: Flow) -> None:
    """Drop ties that no longer matter and open those that do; of two that share a player, the first."""
    state = flow.state
    if state.phase == "between":
        found = list(_in_final(state))
    elif state.phase == "session" and all(table.ended for table in state.tables):
        found = _in_session(state)
    else:
        return
    wanted = {(players, purpose) for players, _, purpose, _ in found}
    for tie in state.ties:
        if (tie.players, tie.purpose) not in wanted:
            flow.put(e.TieDropped(tie.clauses, tie.players))
    taken = {name for tie in flow.state.ties for name in tie.players}
    for players, by, purpose, clauses in found:
        if taken.isdisjoint(players):
            taken.update(players)
            flow.put(e.TieFound(clauses, players, by, purpose))


def _open(state: Tournament, players: tuple[str, ...]) -> Tie | None:
    return next((tie for tie in state.ties if set(tie.players) == set(players)), None)


def _opened(state: Tournament, players: tuple[str, ...]) -> Tie:
    tie = _open(state, players)
    assert tie is not None, players
    return tie


# --- extra rounds -------------------------------------------------------------------------------------------------


def refuse_extra(state: Tournament, command: c.CountExtra) -> Refusal | None:
    """Allowed only for a tie broken by extra rounds, and with all of its players."""
    if state.pause:
        return refuse("break_lasts", ("20.16",), minutes=state.pause)
    tie = _open(state, command.players)
    if tie is None or tie.by != "extra_rounds" or len(command.players) != len(tie.players):
        return refuse("no_such_tie", FINAL, players=command.players)
    names = [name for name, _ in command.chips]
    if sorted(names) != sorted(tie.players):
        return refuse("players_differ", ("20.13",), players=tie.players, counted=tuple(names))
    if any(chips < 0 for _, chips in command.chips):
        return refuse("chips_below_zero", ("20.13",))
    return None


def count_extra(flow: Flow, command: c.CountExtra) -> None:
    """Record the order, best first; players still tied play again if it matters."""
    was = _opened(flow.state, command.players)
    chips = dict(command.chips)
    order = tuple(
        tuple(name for name in sorted(chips) if chips[name] == amount)
        for amount in sorted(set(chips.values()), reverse=True)
    )
    flow.put(e.ExtraCounted(was.clauses, command.players, command.chips, order, was.purpose))
    tie = _open(flow.state, command.players)
    if tie is not None and tie.lots >= flow.state.conditions.ties.most:
        _give_up(flow, tie)
    look(flow)


def _give_up(flow: Flow, tie: Tie) -> None:
    """After the maximum number of extra rounds, a ballot decides who advances, and prizes are divided."""
    if flow.state.phase == "between":
        flow.put(e.TieLeft(tie.clauses, tie.players))
    else:
        flow.put(e.TieFound(tie.clauses, tie.players, "ballot", tie.purpose))


# --- lots ---------------------------------------------------------------------------------------------------------


def refuse_lots(state: Tournament, command: c.DrawLots) -> Refusal | None:
    """Allowed only for a tie broken by ballot, and from the committed seed."""
    tie = _open(state, command.players)
    if tie is None or tie.by != "ballot" or len(command.players) != len(tie.players):
        return refuse("no_such_tie", SESSION, players=command.players)
    return ballot.refuse_seed(state, command.seed)


def draw_lots(flow: Flow, command: c.DrawLots) -> None:
    """Record the drawn order."""
    state = flow.state
    tie = _opened(state, command.players)
    number = 2 if tie.purpose == "points" else 1  # nothing else: the order must not depend on when it is drawn
    order = ballot.lots(bytes.fromhex(command.seed), state.session, number, command.players)
    flow.put(e.LotsDrawn(tie.clauses, order, state.session, number, tie.purpose))
    look(flow)
