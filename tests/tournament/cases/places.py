"""Places, points and ties: 20.18 and 20.3(a)(viii), (ix), (xi)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pontoon.tournament import commands as c
from pontoon.tournament.conditions import values as k
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
    desk = at(sessions=(k.Session(name="Final", rounds=3),)).playing("Ann Ben Cas")
    desk.round(Ann=0)
    desk.round(Ben=500, Cas=0)
    desk.end()
    desk.paid()
    assert desk.places() == "1 Ben Cas, 3 Ann"


@case("20.18 20.14 after the last round nobody has to wager: places are by the chips held, however few")
def _(at):
    desk = at().playing("Ann Ben Cas")
    desk.round(Ben=50000, Cas=90000)
    desk.round(Ben=900, Cas=0)
    assert {known(desk.state, name).status for name in ("Ann", "Ben", "Cas")} == {"in"}
    desk.end()
    assert desk.paid() == {"Ann": 13500, "Ben": 8100, "Cas": 5400}
    assert [(standing.player, standing.chips) for standing in desk.state.standings] == [
        ("Ann", 100000),
        ("Ben", 900),
        ("Cas", 0),
    ]


@case("20.18 20.14 the same where time or shoes run out: who was out by the last round is put back")
def _(at):
    lengths: tuple[dict[str, Any], ...] = ({"minutes": 30}, {"shoes": 1})
    for length in lengths:
        desk = at(sessions=(k.Session(name="Final", **length),)).playing("Ann Ben Cas Dan")
        desk.round(Dan=0)
        desk.round(Ann=90000, Ben=120000, Cas=700)
        assert known(desk.state, "Cas").status == "eliminated"
        (ended,) = desk.then(c.EndTable(1, 30), "TableEnded", "20.3(a)(ii)(A)")
        assert ended.restored == (("Cas", 700),)
        assert (desk.chips("Cas"), desk.books["chips/spring/Cas"]) == (700, 700)
        assert known(desk.state, "Dan").status == "eliminated"
        desk.do(c.EndSession())
        desk.paid()
        assert desk.places() == "1 Ben, 2 Ann, 3 Cas, 4 Dan"


@case("20.18 20.14 but not where a table ends before its time, because one is left")
def _(at):
    rows: tuple[tuple[dict[str, Any], int, int], ...] = (
        ({"minutes": 30}, 29, 0),
        ({"minutes": 30}, 30, 2),
        ({"shoes": 1}, 0, 0),
    )
    for length, minutes, restored in rows:
        desk = at(sessions=(k.Session(name="Final", **length),)).playing("Ann Ben Cas")
        desk.round(Ben=900, Cas=0)
        (ended,) = desk.do(c.EndTable(1, minutes))
        assert len(ended.restored) == restored
        desk.do(c.EndSession())
        desk.paid()
        assert desk.places() == ("1 Ann, 2 Ben, 3 Cas" if restored else "1 Ann, 2 Ben Cas")


@case("20.18 out for no wager before a round is later than out in the round before, and earlier than in that round")
def _(at):
    desk = at(structure={"absent": "eliminated"}, sessions=(k.Session(name="Final", rounds=3),))
    desk.playing("Ann Ben Cas Dan")
    desk.round(Ann=60000, Ben=0)
    desk.do(c.Disqualify("Ann", "no wager in time", "20.14"))
    desk.round(Cas=0)
    desk.end()
    desk.paid()
    assert desk.places() == "1 Dan, 2 Cas, 3 Ann, 4 Ben"


@case("20.18 a player who lost in a repechage ranks above its session, and no higher")
def _(at):
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=3))
    semis = k.Session(name="Semis", rounds=1, advance=k.Advance(of_all=1))
    back = k.Session(name="Rep", kind="repechage", qualifies="Heats", rounds=1, advance=k.Advance(of_all=1))
    desk = at(sessions=(heats, semis, back, FINAL), players={"least": 5}).playing("Ann Ben Cas Dan Eve")
    desk.end(Dan=90000, Eve=80000).drawn().seated().end(Ann=130000, Ben=120000).drawn().seated()
    desk.end(Dan=120000).drawn().seated().end(Ann=120000)
    desk.paid()
    assert desk.places() == "1 Ann, 2 Dan, 3 Ben, 4 Cas, 5 Eve"


@case("20.18 a player who got further ranks above those who did not; ruled out or absent, there is no place")
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


@case("20.3(a)(viii)(B) equal chips where only one advances: extra rounds until the tie is broken")
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


@case("20.3(a)(viii)(B) a tie is over when a ruling leaves a place for everybody in it")
def _(at):
    desk = at(sessions=CUT, players={"least": 3}).playing("Ann Ben Cas").end_tables(Ann=130000)
    assert desk.state.ties[0].players == ("Ben", "Cas")
    *_, dropped = desk.do(c.Disqualify("Ann", "a brawl", "20.17"))
    assert (type(dropped).__name__, dropped.players) == ("TieDropped", ("Ben", "Cas"))
    assert desk.state.ties == ()
    ended, *_ = desk.do(c.EndSession())
    assert ended.advanced == ("Ben", "Cas")


@case(
    "20.3(a)(viii)(B) equal players who all go on, one from the table and one as best of the rest, play no extra rounds"
)
def _(at):
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(from_table=1, best_of_rest=1))
    desk = at(sessions=(heats, FINAL), players={"at_table": 2, "least": 4}).playing("Ann Ben Cas Dan")
    level, other = ([name for _, name in table.seated] for table in desk.state.tables)
    desk.end_tables(**{other[0]: 90000, other[1]: 80000})
    assert desk.state.ties == ()
    ended, *_ = desk.do(c.EndSession())
    assert set(ended.advanced) == {*level, other[0]}


@case("20.3(a)(viii)(B) no extra rounds are counted during a break")
def _(at):
    desk = at(ties={"final": "extra_rounds"}).playing("Ann Ben").end()
    extra = c.CountExtra(("Ann", "Ben"), (("Ann", 1), ("Ben", 2)))
    desk.do(c.CallBreak(10))
    desk.no(extra, "break_lasts", "20.16")
    desk.do(c.EndBreak(), extra)


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
    assert {standing.place for standing in ended.standings} == {1}


@case("20.3(a)(ix)(B) points by place at a table; equal players put theirs together and divide them")
def _(at):
    desk = at(structure={"format": "points"}, sessions=POINTS).playing("Ann Ben Cas Dan")
    desk.end(Ann=130000)
    ended = next(event for event in desk.events if type(event).__name__ == "SessionEnded")
    assert {standing.player: standing.points for standing in ended.standings} == {
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


def _cut_by_points(at, given=(5, 2, 1), **ties):
    one = k.Session(name="One", rounds=1, points=given, advance=k.Advance(of_all=2))
    two = k.Session(name="Two", rounds=1, points=(1, 0))
    players = {"least": 3, "at_table": 2 if len(given) == 2 else 7}
    return at(structure={"format": "points"}, sessions=(one, two), ties=ties, players=players)


@case("20.3(a)(ix)(B) points promised to be combined stay so when extra rounds decide who goes on")
def _(at):
    desk = _cut_by_points(at)
    desk.playing("Ann Ben Cas Dan").end_tables(Ann=110000, Ben=110000, Cas=110000, Dan=105000)
    (tie,) = desk.state.ties
    desk.do(c.CountExtra(tie.players, (("Ann", 3), ("Ben", 2), ("Cas", 1))))
    ended, *_ = desk.do(c.EndSession())
    assert ended.advanced == ("Ann", "Ben")
    assert {known(desk.state, name).points for name in ("Ann", "Ben", "Cas")} == {(8, 3)}
    desk.drawn().seated().end(Ben=120000)
    assert desk.paid() == {"Ben": 18000, "Ann": 9000, "Cas": 9000}


@case("20.3(a)(ix)(B) extra rounds for going on are over all tables: the best of them go on, and no points change")
def _(at):
    desk = _cut_by_points(at, (6, 4)).playing("Ann Ben Cas Dan").end_tables()
    (tie,) = desk.state.ties
    assert (tie.players, tie.clauses) == (("Ann", "Ben", "Cas", "Dan"), ("20.3(a)(viii)(B)",))
    first, second = ([name for _, name in table.seated] for table in desk.state.tables)
    best = [*first, *second]
    desk.then(c.CountExtra(tie.players, tuple((name, 9 - place) for place, name in enumerate(best))), "ExtraCounted")
    ended, *_ = desk.do(c.EndSession())
    assert set(ended.advanced) == set(first)
    assert {standing.points for standing in ended.standings} == {(5, 1)}


@case("20.3(a)(ix)(B) ties are broken for points first, as promised, and for advancing only if still tied")
def _(at):
    desk = _cut_by_points(at, (6, 4), points="ballot", session="extra_rounds").playing("Ann Ben Cas Dan").end_tables()
    assert {(tie.by, tie.clauses) for tie in desk.state.ties} == {("ballot", ("20.3(a)(ix)(B)",))}
    first, second = (tie.players for tie in desk.state.ties)
    desk.then(c.DrawLots(first, SEED), "LotsDrawn")
    desk.then(c.DrawLots(second, SEED), "LotsDrawn")
    ended, *_ = desk.do(c.EndSession())
    assert sorted(standing.points for standing in ended.standings if standing.player in ended.advanced) == [
        (6, 1),
        (6, 1),
    ]


@case("20.3(a)(ix)(B) an order played for points is none for going on by the points of all sessions")
def _(at):
    one, two = POINTS
    cut = k.Session(name="Three", rounds=1, points=(5, 2, 1), advance=k.Advance(of_all=2))
    ties, players = {"points": "extra_rounds", "session": "ballot"}, {"least": 3}
    desk = at(structure={"format": "points"}, sessions=(one, cut, two), ties=ties, players=players)
    desk.playing("Ann Ben Cas").end(Ann=140000, Ben=90000).drawn().seated().end_tables(Ann=140000)
    (tie,) = desk.state.ties
    assert (tie.players, tie.clauses) == (("Ben", "Cas"), ("20.3(a)(ix)(B)",))
    (_, found) = desk.then(c.CountExtra(tie.players, (("Ben", 2), ("Cas", 1))), "ExtraCounted TieFound")
    assert (found.players, found.by, found.clauses) == (("Ben", "Cas"), "ballot", ("20.3(a)(viii)(B)",))
    desk.do(c.DrawLots(found.players, SEED), c.EndSession())
    assert [known(desk.state, name).points for name in ("Ben", "Cas")] == [(3, 1), (3, 1)]


@case("20.3(a)(ii)(D) 20.3(a)(ix) points of other authorised games are recorded and decide with the others")
def _(at):
    desk = at(structure={"format": "points", "other_games": "Blackjack"}, sessions=POINTS[:1])
    desk.entered("Ann Ben Cas")
    game = c.RecordPoints("Blackjack", (("Ben", (7, 2)), ("Cas", (4, 1))))
    desk.drawn().no(game, "not_between_sessions", "20.3(a)(ii)(D)")
    desk.seated().end(Ann=130000, Ben=120000)
    desk.no(c.AwardPlaces(), "points_not_recorded", "20.3(a)(ii)(D)")
    for wrong in (c.RecordPoints(" ", ()), c.RecordPoints("Blackjack", (("Ann", (-1, 1)),))):
        desk.no(wrong, "points_unusable", "20.3(a)(ix)")
    for points in ((("Ann", (1, 0)),), (("Ann", (1, 1)), ("Ann", (2, 1)))):
        desk.no(c.RecordPoints("Blackjack", points), "points_unusable", "20.3(a)(ix)")
    desk.no(c.RecordPoints("Blackjack", (("Zoe", (1, 1)),)), "not_in", "20.3(a)(ix)")
    desk.then(game, "PointsRecorded", "20.3(a)(ii)(D)", "20.3(a)(ix)")
    desk.no(c.RecordPoints(" blackjack", ()), "recorded_already", "20.3(a)(ii)(D)")
    desk.do(c.RecordPoints("Roulette", (("Cas", (1, 2)),)))
    assert desk.paid() == {"Ben": 10800, "Cas": 10800, "Ann": 5400}
    assert desk.places() == "1 Ben Cas, 3 Ann"
    other = at().playing("Ann Ben").end(Ann=110000)
    other.no(c.RecordPoints("Blackjack", ()), "no_other_games", "20.3(a)(ii)(D)")


@case("20.3(a)(ii)(D) equal players are looked for again when other points come in")
def _(at):
    structure = {"format": "points", "other_games": "Blackjack"}
    desk = at(structure=structure, sessions=POINTS[:1], ties={"final": "extra_rounds"}).playing("Ann Ben Cas")
    desk.end(Cas=90000)
    assert desk.state.ties[0].players == ("Ann", "Ben")
    *_, found = desk.then(c.RecordPoints("Blackjack", (("Cas", (5, 2)),)), "PointsRecorded TieDropped TieFound")
    assert found.players == ("Ann", "Ben", "Cas")
    desk.do(c.RecordPoints("Roulette", (("Ben", (2, 1)), ("Cas", (1, 1)))))
    assert desk.state.ties == ()
    desk.paid()
    assert desk.places() == "1 Ben, 2 Cas, 3 Ann"
    again = at(structure=structure, sessions=POINTS[:1], ties={"final": "extra_rounds"}).playing("Ann Ben Cas")
    again.end(Cas=90000).do(c.CountExtra(("Ann", "Ben"), (("Ann", 1), ("Ben", 2))))
    again.then(c.RecordPoints("Blackjack", (("Ann", (1, 1)), ("Ben", (1, 1)))), "PointsRecorded")
    again.paid()
    assert again.places() == "1 Ben, 2 Ann, 3 Cas"


@case("20.3(a)(ix)(A) 20.3(a)(viii)(A) who meets the operator's own criterion is eliminated, with place and points")
def _(at):
    rule = {"elimination": "a player who leaves the table for three rounds is eliminated"}
    desk = at(structure={"format": "points", **rule}, sessions=POINTS).playing("Ann Ben Cas")
    desk.end(Ann=130000, Ben=120000).drawn().seated()
    (out, *_) = desk.do(c.Disqualify("Ann", "left for three rounds", "20.3(a)(ix)(A)"))
    assert (out.reason, known(desk.state, "Ann").status) == ("criterion", "eliminated")
    desk.no(c.Disqualify("Ann", "again", "20.3(a)(ix)(A)"), "not_in", "20.3(a)(ix)(A)")
    desk.end(Ben=90000)
    assert desk.paid() == {"Ann": 10800, "Cas": 10800, "Ben": 5400}
    assert known(desk.state, "Ann").points == (6, 1)
    at().playing("Ann Ben").no(c.Disqualify("Ann", "why", "20.3(a)(viii)(A)"), "no_such_criterion", "20.3(a)(viii)(A)")
    between = at(structure=rule, sessions=CUT, players={"least": 3}).playing("Ann Ben Cas")
    between.end(Ann=130000, Ben=120000)
    between.do(c.Disqualify("Ann", "left", "20.3(a)(viii)(A)"))
    between.paid()
    assert between.places() == "1 Ben, 2 Ann, 3 Cas"
    assert between.state.standings[1].chips == 130000


@case("20.3(a)(ix)(B) or ties are broken for their points")
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
    one = k.Session(name="One", rounds=2, points=(5, 2, 1))
    desk = at(structure={"format": "points"}, sessions=(one, POINTS[1])).playing("Ann Ben Cas")
    desk.round(Cas=0)
    desk.end(Ann=130000, Ben=120000).drawn()
    assert {seat.player for seat in desk.state.seats} == {"Ann", "Ben"}
    desk.seated(absent="Ann").end()
    assert desk.paid() == {"Ben": 16875, "Cas": 10125}


@case("20.3(a)(ix) 20.14 a player whom the last round leaves with nothing plays on where every session begins afresh")
def _(at):
    desk = at(structure={"format": "points"}, sessions=POINTS).playing("Ann Ben Cas")
    desk.end(Ann=120000, Cas=0).drawn().seated()
    assert {name: desk.chips(name) for name in ("Ann", "Ben", "Cas")} == dict.fromkeys(("Ann", "Ben", "Cas"), 100000)


@case("20.3(a)(ix) a lone survivor plays on for points")
def _(at):
    one = k.Session(name="One", rounds=2, points=(5, 2, 1))
    desk = at(structure={"format": "points"}, sessions=(one, POINTS[1])).playing("Ann Ben")
    desk.round(Ann=0)
    desk.end()
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


@case("20.3(a)(xi)(D) eliminated players play no additional rounds; their prizes are divided")
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


@case("20.3(a)(xi)(B) 20.3(a)(xi)(C) with the same points as somebody who is out there are no extra rounds: divided")
def _(at):
    two = k.Session(name="Two", rounds=2, points=(5, 2, 1))
    desk = at(structure={"format": "points"}, sessions=(POINTS[0], two), ties={"final": "extra_rounds"})
    desk.playing("Ann Ben").end(Ann=130000, Ben=120000).drawn().seated()
    desk.round(Ann=0)
    desk.end()
    assert desk.state.ties == ()
    assert desk.paid() == {"Ann": 9000, "Ben": 9000}
    assert desk.places() == "1 Ann Ben"


@case("20.3(a)(xi)(B) 20.3(a)(xi)(C) two who are out with the same points divide, whenever each went out")
def _(at):
    one = k.Session(name="One", rounds=3, points=(5, 2, 2))
    two = k.Session(name="Two", rounds=1, points=(5, 0))
    desk = at(structure={"format": "points"}, sessions=(one, two), ties={"final": "extra_rounds"})
    desk.playing("Ann Ben Cas")
    desk.round(Ben=0)
    desk.round(Cas=0)
    desk.end().drawn().seated().end()
    assert desk.paid() == {"Ann": 13500, "Ben": 6750, "Cas": 6750}
