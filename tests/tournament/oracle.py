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

Key = tuple[int, ...]
GOING_ON = "20.3(a)(viii)(B)"


class Watched:
    """What somebody at the rail would write down during one session."""

    def __init__(self, drawn: e.BallotDrawn) -> None:
        self.number = drawn.session
        self.table = {player: table for player, table, _ in drawn.seats}
        self.chips: dict[str, int] = {}
        self.out: dict[str, tuple[int, int, int]] = {}
        """Round, whether it was after that round, chips before it."""
        self.banned: set[str] = set()
        self.parted: list[tuple[str, set[str]]] = []
        """Why some were parted, and who."""

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
            case e.Eliminated() if event.player in self.chips:
                self.leaves(event)
            case e.ExtraCounted(players=players) | e.LotsDrawn(order=players):
                self.parted.append((event.clauses[0], set(players)))
            case e.TableEnded():
                for player, _ in event.restored:
                    del self.out[player]
            case e.BoughtBack():
                self.out.pop(event.player, None)
                self.chips[event.player] = event.chips
            case _:
                pass

    def leaves(self, event: e.Eliminated) -> None:
        if event.reason == "ruling":
            self.banned.add(event.player)
        elif event.reason != "session":
            self.out[event.player] = (event.round, event.reason != "minimum", event.before)

    def key(self, player: str, ties: k.Ties) -> Key:
        if player not in self.out:
            return (0, -self.chips[player])
        round_, later, before = self.out[player]
        return (1, -round_, -later, -before if ties.eliminated_together == "chips_before" else 0)

    def ended(self, conditions: k.Conditions, event: e.SessionEnded, totals: dict[str, Fraction]) -> None:
        """Every line of the result, the points and who goes on."""
        ties = conditions.ties
        last = conditions.sessions[self.number - 1].rounds
        assert not last or all(later or round_ < last for round_, later, _ in self.out.values()), "no wager was due"
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
        for one in event.standings:
            totals[one.player] += Fraction(*one.points)
        if event.session < len(conditions.sessions):
            if conditions.structure.format == "points":
                self.by_points(conditions.sessions[event.session - 1].advance, event, totals)
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
        if conditions.ties.points != "combine":
            return
        for table in players:  # equal players have the same, whatever they were parted for
            lines = [one for one in event.standings if self.table[one.player] == table]
            keys = [self.key(one.player, conditions.ties) for one in lines]
            for one, key in zip(lines, keys, strict=True):
                first, number = sum(other < key for other in keys), keys.count(key)
                assert Fraction(*one.points) == Fraction(sum(points[first : first + number]), number), one

    def by_points(self, advance: k.Advance | None, event: e.SessionEnded, totals: dict[str, Fraction]) -> None:
        """Where the best of all go on, nobody with more points stays behind."""
        left = [player for player in self.chips if player not in self.banned | set(self.out)]
        on = [totals[player] for player in left if player in event.advanced]
        others = [totals[player] for player in left if player not in event.advanced]
        if advance and advance.of_all and on and others:
            assert min(on) >= max(others)
            equal = {player for player in left if totals[player] == min(on) == max(others)}
            self.was_parted(equal, event)

    def was_parted(self, equal: set[str], event: e.SessionEnded) -> None:
        """Of equal players some go on and some do not: just that was played or drawn for."""
        on = equal & set(event.advanced)
        for one in on if equal - on else ():
            for other in equal - on:
                assert any(reason == GOING_ON and {one, other} <= names for reason, names in self.parted), (one, other)

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
            for amount in set(others) if conditions.structure.format == "knock_out" else ():
                self.was_parted({player for player in players if self.chips[player] == amount}, event)


def watch(events: Sequence[e.TournamentEvent], conditions: k.Conditions) -> None:
    """Go through a log and work out every session again."""
    session: Watched | None = None
    totals: dict[str, Fraction] = defaultdict(Fraction)
    for event in events:
        if isinstance(event, e.Substituted):
            totals[event.substitute] = totals[event.player]
        if isinstance(event, e.PointsRecorded):
            for player, points in event.points:
                totals[player] += Fraction(*points)
        if isinstance(event, e.PlacesAwarded) and conditions.structure.format == "points":
            awarded(event, events, totals, conditions)
        if isinstance(event, e.BallotDrawn):
            session = Watched(event)
        elif isinstance(event, e.SessionEnded):
            assert session is not None
            assert session.number == event.session
            session.ended(conditions, event, totals)
            session = None
        elif session is not None:
            session.sees(event)


def awarded(
    event: e.PlacesAwarded, events: Sequence[e.TournamentEvent], totals: dict[str, Fraction], conditions: k.Conditions
) -> None:
    """By total of points; equal ones share a place, unless extra rounds for the prizes parted them."""
    keys = [-totals[one.player] for one in event.standings]
    assert keys == sorted(keys)
    last = max(place for place, one in enumerate(events) if isinstance(one, e.SessionEnded))
    played = [one.players for one in events[last:] if isinstance(one, e.ExtraCounted)]
    assert not played or conditions.ties.final == "extra_rounds"
    parted = {name for players in played for name in players}
    for one, key in zip(event.standings, keys, strict=True):
        first, equal = keys.index(key) + 1, keys.count(key)
        assert first <= one.place < first + equal
        assert one.player in parted or one.place == first, one


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
    if conditions.prizes.odd_cents != "one_each":  # cents that cannot be divided are the tournament's own list's
        for session, shares, lines in lists[1:]:
            held = sum(int(pool * share / taken) for share in shares[: len(lines)])
            assert sum(amount for (where, _), amount in paid.items() if where == session) == held
    assert sum(paid.values()) == pool
