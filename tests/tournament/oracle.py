"""The same results computed again from the events alone, in the simplest way: slow, but independent of the program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from operator import itemgetter

from pontoon.tournament import Tournament
from pontoon.tournament import events as e
from pontoon.tournament.conditions import values as k

Key = tuple[int, ...]
GOING_ON = "20.3(a)(viii)(B)"


class Watched:
    """What a spectator would write down during one session."""

    def __init__(self, drawn: e.BallotDrawn) -> None:
        self.number = drawn.session
        self.table = {player: table for player, table, _ in drawn.seats}
        self.chips: dict[str, int] = {}
        self.out: dict[str, tuple[int, int, int]] = {}
        """Round, whether it was after that round, chips before it."""
        self.banned: set[str] = set()
        self.broken_ties: list[tuple[str, set[str]]] = []
        """The clause and the players of each broken tie."""

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
                self.broken_ties.append((event.clauses[0], set(players)))
            case e.TableEnded():
                for player, _ in event.restored:
                    del self.out[player]
            case e.BoughtBack():
                self.out.pop(event.player, None)
                self.chips[event.player] = event.chips
            case _:
                self.put_right(event)

    def put_right(self, event: e.TournamentEvent) -> None:
        match event:
            case e.SeatDrawn():
                self.table[event.player] = event.table
            case e.ChipsCorrected() if event.player in self.chips:
                self.chips[event.player] = event.chips
            case e.Reinstated():
                self.returns(event)
            case _:
                pass

    def leaves(self, event: e.Eliminated) -> None:
        if event.reason == "ruling":
            self.banned.add(event.player)
        elif event.reason != "session":
            self.out[event.player] = (event.round, event.reason != "minimum", event.before)

    def returns(self, event: e.Reinstated) -> None:
        self.banned.discard(event.player)
        if event.to == "table":
            self.out.pop(event.player, None)
            self.chips[event.player] = event.chips

    def key(self, player: str, ties: k.Ties) -> Key:
        if player not in self.out:
            return (0, -self.chips[player])
        round_, later, before = self.out[player]
        return (1, -round_, -later, -before if ties.eliminated_together == "chips_before" else 0)

    def ended(self, conditions: k.Conditions, event: e.SessionEnded, totals: dict[str, Fraction]) -> None:
        """Check every line of the result, the points and who advances."""
        ties = conditions.ties
        last = conditions.sessions[self.number - 1].rounds
        assert not last or all(later or round_ < last for round_, later, _ in self.out.values()), "no wager was due"
        names = [player for player in self.chips if player not in self.banned]
        assert sorted(standing.player for standing in event.standings) == sorted(names)
        keys = [self.key(standing.player, ties) for standing in event.standings]
        assert keys == sorted(keys)
        first = 0
        for _, equal in groupby(zip(keys, event.standings, strict=True), key=itemgetter(0)):
            places = [one.place for _, one in equal]
            assert places[0] == first + 1
            # All the same, unless the tie was broken; then each has a separate place or shares a later one.
            assert all(place <= first + number for number, place in enumerate(places, 1))
            assert places == sorted(places)
            first += len(places)
        self.points(conditions, event)
        for standing in event.standings:
            totals[standing.player] += Fraction(*standing.points)
        if event.session < len(conditions.sessions):
            if conditions.structure.format == "points":
                self.by_points(conditions.sessions[event.session - 1].advance, event, totals)
            self.goes_on(conditions.sessions[event.session - 1].advance, event, conditions)
        else:
            assert event.advanced == ()

    def points(self, conditions: k.Conditions, event: e.SessionEnded) -> None:
        """All points of a table are awarded, each once."""
        given: dict[int, Fraction] = defaultdict(Fraction)
        players: dict[int, int] = defaultdict(int)
        for standing in event.standings:
            given[self.table[standing.player]] += Fraction(*standing.points)
            players[self.table[standing.player]] += 1
        points = conditions.sessions[event.session - 1].points
        assert all(given[table] == sum(points[: players[table]]) for table in players)
        if conditions.ties.points != "combine":
            return
        for table in players:  # tied players have the same, whatever their tie was broken for
            lines = [standing for standing in event.standings if self.table[standing.player] == table]
            keys = [self.key(line.player, conditions.ties) for line in lines]
            for one, key in zip(lines, keys, strict=True):
                first, number = sum(other < key for other in keys), keys.count(key)
                assert Fraction(*one.points) == Fraction(sum(points[first : first + number]), number), one

    def by_points(self, advance: k.Advance | None, event: e.SessionEnded, totals: dict[str, Fraction]) -> None:
        """If the best over all tables advance, no one with more points is left out."""
        left = [player for player in self.chips if player not in self.banned | set(self.out)]
        on = [totals[player] for player in left if player in event.advanced]
        others = [totals[player] for player in left if player not in event.advanced]
        if advance and advance.of_all and on and others:
            assert min(on) >= max(others)
            equal = {player for player in left if totals[player] == min(on) == max(others)}
            self.check_tie_broken(equal, event)

    def check_tie_broken(self, equal: set[str], event: e.SessionEnded) -> None:
        """If some of the tied players advance and some do not, that tie was broken."""
        on = equal & set(event.advanced)
        for player in on if equal - on else ():
            for other in equal - on:
                assert any(reason == GOING_ON and {player, other} <= names for reason, names in self.broken_ties), (
                    player,
                    other,
                )

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
                self.check_tie_broken({player for player in players if self.chips[player] == amount}, event)


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
    """By total of points; equal ones share a place, unless extra rounds for the prizes broke the tie."""
    keys = [-totals[standing.player] for standing in event.standings]
    assert keys == sorted(keys)
    last = max(place for place, one in enumerate(events) if isinstance(one, e.SessionEnded))
    played = [counted.players for counted in events[last:] if isinstance(counted, e.ExtraCounted)]
    assert not played or conditions.ties.final == "extra_rounds"
    separated = {name for players in played for name in players}
    for one, key in zip(event.standings, keys, strict=True):
        first, equal = keys.index(key) + 1, keys.count(key)
        assert first <= one.place < first + equal
        assert one.player in separated or one.place == first, one


def early(conditions: k.Conditions) -> bool:
    """Whether session prizes are awarded when the session ends."""
    return conditions.prizes.sessions_paid == "session"


def session_prizes(events: Sequence[e.TournamentEvent], conditions: k.Conditions) -> int:
    """What was awarded at the ends of sessions (20.3(a)(ii)(D)): shares of the fees so far, equal places alike."""
    pool, awarded = 0, 0
    banned: set[str] = set()
    standings: tuple[e.Standing, ...] = ()
    for event in events:
        match event:
            case e.Entered() | e.SeatOffered() | e.BoughtBack():
                pool += event.fee - event.commission
            case e.EntriesClosed(added=added):
                pool += added
            case e.Eliminated(reason="ruling", player=player):
                banned.add(player)
            case e.Reinstated(player=player):
                banned.discard(player)
            case e.SessionEnded():
                standings = tuple(one for one in event.standings if one.player not in banned)
            case e.SessionPrizesAwarded(session=session, payments=payments):
                assert early(conditions)
                shares = conditions.sessions[session - 1].prizes[: len(standings)]
                assert sum(payment.amount for payment in payments) == sum(int(pool * share) for share in shares)
                places = {one.player: one.place for one in standings}
                for one, two in pairwise(payments):
                    assert places[one.player] <= places[two.player]
                    assert one.place != two.place or abs(one.amount - two.amount) <= len(payments)
                awarded += sum(payment.amount for payment in payments)
            case _:
                pass
    return awarded


def prizes(state: Tournament, pool: int) -> None:
    """Every payment against its exact share: nobody is more than the odd cents away from it."""
    conditions = state.conditions
    banned = {player.name for player in state.players if player.status == "disqualified"}
    lists = [(0, conditions.prizes.shares, list(state.standings))]
    for result in state.results if conditions.prizes.sessions_paid == "tournament" else ():
        shares = conditions.sessions[result.session - 1].prizes
        lists.append(
            (result.session, shares, [standing for standing in result.standings if standing.player not in banned])
        )
    taken = sum((sum(shares[: len(lines)], Fraction(0)) for _, shares, lines in lists), Fraction(0))
    exact: dict[tuple[int, str], Fraction] = {}
    for session, shares, lines in lists:
        worth = [*shares, *([Fraction(0)] * len(lines))]
        for _, group in groupby(enumerate(lines), key=lambda pair: pair[1].place):
            equal = list(group)
            each = pool * sum((worth[place] for place, _ in equal), Fraction(0)) / len(equal) / taken
            exact |= {(session, one.player): each for _, one in equal}
    at_end = [payment for payment in state.payments if not (early(conditions) and payment.session)]
    paid = {(payment.session, payment.player): payment.amount for payment in at_end}
    assert len(paid) == len(at_end)
    assert set(paid) <= set(exact)
    count = sum(len(shares) for _, shares, _ in lists)
    largest = max(len(lines) for _, _, lines in lists)  # odd cents of a tie go to one of those tied
    room = 2 if conditions.prizes.odd_cents == "one_each" else count + largest
    assert all(abs(paid.get(key, 0) - amount) < room for key, amount in exact.items())
    if conditions.prizes.odd_cents != "one_each":  # cents that cannot be divided belong to the tournament's own list
        for session, shares, lines in lists[1:]:
            held = sum(int(pool * share / taken) for share in shares[: len(lines)])
            assert sum(amount for (where, _), amount in paid.items() if where == session) == held
    assert sum(paid.values()) == pool
