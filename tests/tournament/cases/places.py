"""Places, points and ties: 20.18 and 20.3(a)(viii), (ix), (xi)."""

from __future__ import annotations

from fractions import Fraction

from pontoon.tournament import commands as c
from pontoon.tournament import conditions as k
from pontoon.tournament.state import known
from tests.tournament.desk import FINAL, SEED, case

CUT = (k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=2)), FINAL)
POINTS = tuple(k.Session(name=name, rounds=1, points=(5, 2, 1)) for name in ("One", "Two"))
THIRDS = {"shares": (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))}
ONE = (k.Session(name="Final", rounds=2),)


@case("20.18 places by chips; who is out stands behind, by how long they lasted, then by chips before the round")
def _(at):
    desk = at(sessions=(k.Session(name="Final", rounds=3),)).playing("Ann Ben Cas Dan Eve Fay")
    desk.no(c.AwardPlaces(), "no_result", "20.18")
    desk.no(c.PayPrize(1), "places_not_awarded", "20.18")
    desk.round(Ann=0, Ben=90000, Cas=80000)
    desk.round(Ben=0, Cas=500)
    desk.round(Dan=101000, Eve=102000)
    desk.end()
    desk.paid()
    assert desk.places() == "1 Eve, 2 Dan, 3 Fay, 4 Ben, 5 Cas, 6 Ann"


@case("20.18 or equal, where the conditions say so for players eliminated in one round")
def _(at):
    desk = at(ties={"eliminated_together": "equal"}).playing("Ann Ben Cas")
    desk.round(Ben=90000)
    desk.round(Ben=0, Cas=0)
    desk.end()
    assert desk.paid() == {"Ann": 13500, "Ben": 6750, "Cas": 6750}
    assert desk.places() == "1 Ann, 2 Ben Cas"


@case("20.18 when nobody survives the final, places are by duration")
def _(at):
    desk = at().playing("Ann Ben Cas")
    desk.round(Ann=0)
    desk.round(Ben=500, Cas=0)
    desk.end()
    desk.paid()
    assert desk.places() == "1 Ben Cas, 3 Ann"


@case("20.18 whoever came further stands before those who did not; ruled out or absent, there is no place")
def _(at):
    desk = at(sessions=CUT, players={"least": 3}).playing("Ann Ben Cas Dan Eve", absent="Eve")
    desk.end(Ann=130000, Ben=120000, Cas=110000, Dan=109000)
    desk.no(c.AwardPlaces(), "sessions_to_come", "20.18")
    desk.do(c.Disqualify("Cas", "a brawl", "20.17"))
    desk.drawn().seated()
    desk.round(Ann=0)
    desk.end()
    desk.paid()
    assert desk.places() == "1 Ben, 2 Ann, 3 Dan"


@case("20.19 20.21 with nobody to place there is nobody to pay: the tournament can only be cancelled")
def _(at):
    desk = at().playing("Ann Ben", absent="Ann Ben")
    desk.end()
    desk.no(c.AwardPlaces(), "nobody_to_place", "20.19", "20.21")
    desk.do(c.Cancel("nobody came"))
    assert desk.money() == ""


@case("20.3(a)(viii)(B) equal chips where only one goes on: extra rounds, until they are parted")
def _(at):
    desk = at(sessions=CUT, players={"least": 3}).playing("Ann Ben Cas Dan")
    *_, found = desk.end_tables(Ann=130000, Dan=500).events
    assert (found.players, found.by, found.clauses) == (("Ben", "Cas"), "extra_rounds", ("20.3(a)(viii)(B)",))
    tie = found.players
    desk.no(c.DrawLots(tie, SEED), "no_such_tie", "20.3(a)(viii)(B)")
    desk.no(c.CountExtra(("Ann", "Ben"), ()), "no_such_tie")
    desk.no(c.CountExtra(tie, (("Ben", 1), ("Ann", 2))), "players_differ", "20.13")
    desk.no(c.CountExtra(tie, (("Ben", 1), ("Ben", 2))), "players_differ", "20.13")
    desk.no(c.CountExtra(tie, (("Ben", 1), ("Cas", -2))), "chips_below_zero", "20.13")
    desk.then(c.CountExtra(tie, (("Ben", 5), ("Cas", 5))), "ExtraCounted", "20.3(a)(viii)(B)")
    assert desk.state.ties[0].lots == 1
    desk.no(c.EndSession(), "tie_open", "20.3(a)(viii)(B)")
    desk.no(c.Substitute("Ann", "Zoe", "ill", agreed=True), "nothing_left_to_play", "20.11")
    (counted,) = desk.then(c.CountExtra(tie, (("Ben", 5), ("Cas", 6))), "ExtraCounted")
    assert counted.order == (("Cas",), ("Ben",))
    ended, *_ = desk.do(c.EndSession())
    assert ended.advanced == ("Ann", "Cas")


@case("20.3(a)(viii)(B) three equal players for one place: those still equal play on, in a tie of their own")
def _(at):
    desk = at(sessions=CUT, players={"least": 3}).playing("Ann Ben Cas Dan")
    desk.end_tables(Ann=130000)
    (_, found) = desk.then(
        c.CountExtra(("Ben", "Cas", "Dan"), (("Ben", 5), ("Cas", 3), ("Dan", 5))), "ExtraCounted TieFound"
    )
    assert found.players == ("Ben", "Dan")
    desk.do(c.CountExtra(("Ben", "Dan"), (("Ben", 0), ("Dan", 1))))
    ended, *_ = desk.do(c.EndSession())
    assert ended.advanced == ("Ann", "Dan")


@case("20.3(a)(viii)(B) three equal players for two places: the last one is found, the others need no parting")
def _(at):
    desk = at(sessions=CUT, players={"least": 3}).playing("Ben Cas Dan")
    desk.end_tables()
    desk.then(c.CountExtra(("Ben", "Cas", "Dan"), (("Ben", 5), ("Cas", 3), ("Dan", 5))), "ExtraCounted")
    ended, *_ = desk.do(c.EndSession())
    assert ended.advanced == ("Ben", "Dan")


@case("20.3(a)(viii)(B) a ballot after as many lots of extra rounds as the conditions allow")
def _(at):
    desk = at(sessions=CUT, ties={"most": 2}, players={"least": 3}).playing("Ann Ben Cas")
    desk.end_tables(Ann=130000)
    even = c.CountExtra(("Ben", "Cas"), (("Ben", 5), ("Cas", 5)))
    desk.do(even)
    (_, found) = desk.then(even, "ExtraCounted TieFound", "20.3(a)(viii)(B)")
    assert found.by == "ballot"
    desk.do(c.DrawLots(("Ben", "Cas"), SEED), c.EndSession())


@case("20.3(a)(viii)(B) a tie is over when a ruling takes one of two away")
def _(at):
    desk = at(sessions=CUT, players={"least": 3}).playing("Ann Ben Cas")
    desk.end_tables(Ann=130000)
    desk.then(c.Disqualify("Ben", "a brawl", "20.17"), "Eliminated")
    assert desk.state.ties == ()
    desk.do(c.EndSession())


@case("20.3(a)(viii)(B) an order counts only among those who played for it")
def _(at):
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(from_table=1, best_of_rest=1))
    players = {"at_table": 2, "least": 4}
    desk = at(sessions=(heats, FINAL), players=players).playing("Ann Ben Cas Dan")
    first, second = (tuple(sorted(name for _, name in table.seated)) for table in desk.state.tables)
    desk.end_tables()
    assert {tie.players for tie in desk.state.ties} == {first, second}
    desk.then(c.CountExtra(first, ((first[0], 2), (first[1], 1))), "ExtraCounted")
    events = desk.do(c.CountExtra(second, ((second[0], 2), (second[1], 1))))
    assert events[-1].players == tuple(sorted((first[1], second[1])))
    desk.do(c.CountExtra(events[-1].players, ((first[1], 2), (second[1], 1))))
    ended, *_ = desk.do(c.EndSession())
    assert set(ended.advanced) == {first[0], second[0], first[1]}
    assert {one.place for one in ended.standings} == {1}


@case("20.3(a)(ix)(B) points by place at a table; equal players put theirs together and divide them")
def _(at):
    desk = at(structure={"format": "points"}, sessions=POINTS).playing("Ann Ben Cas Dan")
    desk.end(Ann=130000)
    ended = next(event for event in desk.events if type(event).__name__ == "SessionEnded")
    assert {one.player: one.points for one in ended.standings} == {
        "Ann": (5, 1),
        "Ben": (1, 1),
        "Cas": (1, 1),
        "Dan": (1, 1),
    }
    assert set(ended.advanced) == {"Ann", "Ben", "Cas", "Dan"}
    desk.drawn().seated().end(Ben=120000, Cas=110000, Ann=110000)
    assert known(desk.state, "Ann").points == (13, 2)
    desk.paid()
    assert desk.places() == "1 Ann, 2 Ben, 3 Cas, 4 Dan"


@case("20.3(a)(ix)(B) or equal players are parted for their points")
def _(at):
    for by in ("extra_rounds", "ballot"):
        desk = at(structure={"format": "points"}, sessions=POINTS, ties={"points": by}).playing("Ann Ben Cas")
        *_, found = desk.end_tables(Cas=90000).events
        assert (found.players, found.by, found.clauses) == (("Ann", "Ben"), by, ("20.3(a)(ix)(B)",))
        if by == "ballot":
            desk.then(c.DrawLots(found.players, SEED), "LotsDrawn", "20.3(a)(ix)(B)")
        else:
            desk.then(c.CountExtra(found.players, (("Ann", 1), ("Ben", 2))), "ExtraCounted", "20.3(a)(ix)(B)")
        desk.do(c.EndSession())
        assert sorted(known(desk.state, name).points for name in ("Ann", "Ben")) == [(2, 1), (5, 1)]


@case("20.3(a)(ix)(A) points stay with an eliminated player, who plays no further session")
def _(at):
    desk = at(structure={"format": "points"}, sessions=POINTS).playing("Ann Ben Cas")
    desk.end(Ann=130000, Ben=120000, Cas=0).drawn()
    assert {seat.player for seat in desk.state.seats} == {"Ann", "Ben"}
    desk.seated(absent="Ann").end()
    assert desk.paid() == {"Ben": 16875, "Cas": 10125}


@case("20.3(a)(ix) a lone survivor plays on for points")
def _(at):
    desk = at(structure={"format": "points"}, sessions=POINTS).playing("Ann Ben")
    desk.end(Ann=0)
    desk.no(c.AwardPlaces(), "sessions_to_come", "20.18")
    desk.drawn().seated().end()
    assert known(desk.state, "Ben").points == (10, 1)


@case("20.3(a)(ii)(D) where points are played for, the best of all go on by their points so far")
def _(at):
    one, two = POINTS
    cut = k.Session(name="Three", rounds=1, points=(3, 2, 1), advance=k.Advance(of_all=2))
    desk = at(structure={"format": "points"}, sessions=(one, cut, two), players={"least": 3}).playing("Ann Ben Cas")
    desk.end(Ann=130000, Ben=120000).drawn().seated().end_tables(Ben=130000, Cas=120000)
    ended, *_ = desk.do(c.EndSession())
    assert ended.advanced == ("Ann", "Ben")


@case("20.3(a)(xi)(A) 20.3(a)(xi)(C) equal chips in the final: prizes combined and divided")
def _(at):
    desk = at().playing("Ann Ben Cas")
    desk.end(Cas=90000)
    assert desk.paid() == {"Ann": 10800, "Ben": 10800, "Cas": 5400}
    assert desk.places() == "1 Ann Ben, 3 Cas"


@case("20.3(a)(xi)(D) or additional rounds of play, where their prizes differ")
def _(at):
    desk = at(ties={"final": "extra_rounds"}, prizes=THIRDS).playing("Ann Ben Cas Dan")
    *_, first, last = desk.end(Cas=90000, Dan=90000).events
    assert (first.players, first.clauses) == (("Ann", "Ben"), ("20.3(a)(xi)", "20.3(a)(xi)(D)"))
    assert last.players == ("Cas", "Dan")
    desk.then(c.CountExtra(first.players, (("Ann", 1), ("Ben", 2))), "ExtraCounted", "20.3(a)(xi)(D)")
    desk.no(c.AwardPlaces(), "tie_open", "20.3(a)(xi)(D)")
    desk.do(c.CountExtra(last.players, (("Dan", 2), ("Cas", 0))))
    assert desk.paid() == {"Ben": 18000, "Ann": 9000, "Dan": 9000}
    assert desk.places() == "1 Ben, 2 Ann, 3 Dan, 4 Cas"


@case("20.3(a)(xi)(D) equal players whose prizes are the same stay equal")
def _(at):
    desk = at(ties={"final": "extra_rounds"}, prizes=THIRDS).playing("Ann Ben Cas")
    desk.end(Ann=130000)
    assert desk.state.ties == ()
    assert desk.paid() == {"Ann": 13500, "Ben": 6750, "Cas": 6750}


@case("20.3(a)(xi)(D) prizes are divided after as many lots of extra rounds as the conditions allow")
def _(at):
    desk = at(ties={"final": "extra_rounds", "most": 2}).playing("Ann Ben Cas")
    desk.end(Cas=90000)
    even = c.CountExtra(("Ann", "Ben"), (("Ann", 5), ("Ben", 5)))
    desk.do(even)
    desk.then(even, "ExtraCounted TieLeft", "20.3(a)(xi)(D)")
    assert desk.paid() == {"Ann": 10800, "Ben": 10800, "Cas": 5400}


@case("20.3(a)(xi)(D) whoever is out plays no additional rounds; their prizes are divided")
def _(at):
    desk = at(ties={"final": "extra_rounds", "eliminated_together": "equal"}).playing("Ann Ben Cas")
    desk.round(Ben=0, Cas=0)
    desk.end()
    assert desk.state.ties == ()
    assert desk.paid() == {"Ann": 13500, "Ben": 6750, "Cas": 6750}


@case("20.3(a)(xi)(B) the same points at the end: divided, or additional rounds among those still in")
def _(at):
    def level(final):
        desk = at(structure={"format": "points"}, sessions=POINTS, ties={"final": final}).playing("Ann Ben Cas")
        desk.end(Ann=130000, Ben=120000).drawn().seated().end(Ben=130000, Ann=120000)
        return desk

    assert level("divide").paid() == {"Ann": 10800, "Ben": 10800, "Cas": 5400}
    desk = level("extra_rounds")
    (tie,) = desk.state.ties
    assert tie.players == ("Ann", "Ben")
    desk.then(c.CountExtra(tie.players, (("Ann", 1), ("Ben", 2))), "ExtraCounted", "20.3(a)(xi)(D)")
    assert desk.paid() == {"Ben": 13500, "Ann": 8100, "Cas": 5400}


@case("20.3(a)(xi)(B) with the same points somebody still in goes before somebody who is out")
def _(at):
    desk = at(structure={"format": "points"}, sessions=POINTS, ties={"final": "extra_rounds"}).playing("Ann Ben")
    desk.end(Ann=130000, Ben=120000).drawn().seated()
    desk.end(Ann=0, Ben=110000)
    assert desk.state.ties == ()
    desk.paid()
    assert desk.places() == "1 Ben, 2 Ann"
