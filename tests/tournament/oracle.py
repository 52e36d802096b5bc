"""The same results worked out again from the events alone, in the plainest way: slow, and not the program's own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from pontoon.tournament import Tournament
from pontoon.tournament import conditions as k
from pontoon.tournament import events as e

Key = tuple[int, int, int]


class Watched:
    """What somebody at the rail would write down during one session."""

    def __init__(self, drawn: e.BallotDrawn) -> None:
        self.number = drawn.session
        self.table = {player: table for player, table, _ in drawn.seats}
        self.chips: dict[str, int] = {}
        self.out: dict[str, tuple[int, int]] = {}
        self.banned: set[str] = set()

    def sees(self, event: e.TournamentEvent) -> None:
        match event:
            case e.SeatOffered():
                self.table[event.player] = self.table[event.absent]
            case e.Substituted() if event.player in self.table:
                self.table[event.substitute] = self.table[event.player]
                if event.player in self.chips:
                    self.chips[event.substitute] = self.chips.pop(event.player)
            case e.SessionStarted() | e.ChipsCounted():
                self.chips |= dict(event.chips)
            case e.Eliminated(reason="ruling"):
                self.banned.add(event.player)
            case e.Eliminated(reason="minimum" | "absent"):
                self.out[event.player] = (event.round, event.before)
            case e.BoughtBack():
                self.out.pop(event.player, None)
                self.chips[event.player] = event.chips
            case _:
                pass

    def key(self, player: str, ties: k.Ties) -> Key:
        if player not in self.out:
            return (0, -self.chips[player], 0)
        round_, before = self.out[player]
        return (1, -round_, -before if ties.eliminated_together == "chips_before" else 0)

    def ended(self, conditions: k.Conditions, event: e.SessionEnded) -> None:
        """Every line of the result, the points and who goes on."""
        ties = conditions.ties
        names = [player for player in self.chips if player not in self.banned]
        assert sorted(one.player for one in event.standings) == sorted(names)
        keys = [self.key(one.player, ties) for one in event.standings]
        assert keys == sorted(keys)
        first = 0
        for _, equal in groupby(zip(keys, event.standings, strict=True), key=itemgetter(0)):
            places = [one.place for _, one in equal]
            assert places[0] == first + 1
            # All the same, unless they were parted; then each has a place of its own or shares a later one.
            assert all(place <= first + number for number, place in enumerate(places, 1))
            assert places == sorted(places)
            first += len(places)
        self.points(conditions, event)
        if event.session < len(conditions.sessions):
            self.goes_on(conditions.sessions[event.session - 1].advance, event, conditions)
        else:
            assert event.advanced == ()

    def points(self, conditions: k.Conditions, event: e.SessionEnded) -> None:
        """All points of a table are given, none twice."""
        given: dict[int, Fraction] = defaultdict(Fraction)
        players: dict[int, int] = defaultdict(int)
        for one in event.standings:
            given[self.table[one.player]] += Fraction(*one.points)
            players[self.table[one.player]] += 1
        points = conditions.sessions[event.session - 1].points
        assert all(given[table] == sum(points[: players[table]]) for table in players)

    def goes_on(self, advance: k.Advance | None, event: e.SessionEnded, conditions: k.Conditions) -> None:
        left = [player for player in self.chips if player not in self.banned | set(self.out)]
        on = set(event.advanced)
        assert on <= set(left)
        if advance is None:
            assert on == set(left)
            return
        by_table: dict[int, list[str]] = defaultdict(list)
        for player in left:
            by_table[self.table[player]].append(player)
        through = sum(min(advance.from_table, len(players)) for players in by_table.values())
        assert len(on) == through + min(advance.best_of_rest + advance.of_all, len(left) - through)
        if conditions.structure.format == "points" and advance.of_all:
            return
        for players in by_table.values():
            mine = [player for player in players if player in on]
            assert len(mine) >= min(advance.from_table, len(players))
            others = [self.chips[player] for player in players if player not in on]
            assert not mine or not others or min(self.chips[player] for player in mine) >= max(others)


def watch(events: Sequence[e.TournamentEvent], conditions: k.Conditions) -> None:
    """Go through a log and work out every session again."""
    session: Watched | None = None
    for event in events:
        if isinstance(event, e.BallotDrawn):
            session = Watched(event)
        elif isinstance(event, e.SessionEnded):
            assert session is not None
            assert session.number == event.session
            session.ended(conditions, event)
            session = None
        elif session is not None:
            session.sees(event)


def prizes(state: Tournament, pool: int) -> None:
    """Every payment against its exact share: nobody is more than the odd cents away from it."""
    conditions = state.conditions
    banned = {player.name for player in state.players if player.status == "disqualified"}
    lists = [(0, conditions.prizes.shares, list(state.standings))]
    for result in state.results:
        shares = conditions.sessions[result.session - 1].prizes
        lists.append((result.session, shares, [one for one in result.standings if one.player not in banned]))
    taken = sum((sum(shares[: len(lines)], Fraction(0)) for _, shares, lines in lists), Fraction(0))
    exact: dict[tuple[int, str], Fraction] = {}
    for session, shares, lines in lists:
        worth = [*shares, *([Fraction(0)] * len(lines))]
        for _, group in groupby(enumerate(lines), key=lambda pair: pair[1].place):
            equal = list(group)
            each = pool * sum((worth[place] for place, _ in equal), Fraction(0)) / len(equal) / taken
            exact |= {(session, one.player): each for _, one in equal}
    paid = {(one.session, one.player): one.amount for one in state.payments}
    assert len(paid) == len(state.payments)
    assert set(paid) <= set(exact)
    count = sum(len(shares) for _, shares, _ in lists)
    room = 2 if conditions.prizes.odd_cents == "one_each" else count + len(state.standings)
    assert all(abs(paid.get(key, 0) - amount) < room for key, amount in exact.items())
    assert sum(paid.values()) == pool
