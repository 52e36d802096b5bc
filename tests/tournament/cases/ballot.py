"""The provable ballot: 20.7, 20.8, and restrictions on groups."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from msgspec.structs import replace

from pontoon.table.shuffle import seed_hash
from pontoon.tournament import check_ballot, check_lots
from pontoon.tournament import commands as c
from pontoon.tournament.ballot import PLAIN_DRAWS, lots, restriction
from pontoon.tournament.conditions import values as k
from pontoon.tournament.events import BallotDrawn, LotsDrawn
from tests.tournament.desk import HEATS, SEED, case

OTHER = "5b" * 32
SIXTEEN = " ".join(f"P{number}" for number in range(16))
CLUBS = {"group_at_table": 1, "most_of_group": 2, "groups": "clubs", "at_table": 3, "least": 6, "most": 300}


@case("20.7 the house is bound to a seed before the first entry, once")
def _(at):
    desk = at()
    desk.no(c.CommitBallot("a secret"), "not_a_hash", "20.7")
    desk.then(c.CommitBallot(seed_hash(bytes.fromhex(SEED))), "BallotCommitted", "20.7")
    desk.no(c.CommitBallot("0" * 64), "ballot_committed", "20.7")


@case("20.7 table and seat by ballot before each session, and anybody can draw it again")
def _(at):
    desk = at(sessions=HEATS)
    desk.open().enter("Ann Ben Cas").no(c.DrawBallot(SEED), "no_ballot_due", "20.7")
    desk.do(c.CloseEntries())
    desk.no(c.DrawBallot(OTHER), "seed_differs", "20.7")
    desk.no(c.DrawBallot("5A" * 32), "seed_differs", "20.7")
    (drawn,) = desk.then(c.DrawBallot(SEED), "BallotDrawn", "20.7", "20.8")
    assert isinstance(drawn, BallotDrawn)
    assert sorted(drawn.seats) == sorted({(name, 1, box) for name, _, box in drawn.seats})
    assert {box for _, _, box in drawn.seats} == {1, 2, 3}
    assert drawn.markers[0] in {1, 2, 3}
    published = desk.state.seed_hash
    assert check_ballot(SEED, published, drawn)
    for seed in (OTHER, "zz", "", "5A" * 32, f" {SEED}"):
        assert not check_ballot(seed, published, drawn)
    assert not check_ballot(OTHER, seed_hash(bytes.fromhex(OTHER)), drawn)
    (name, table, box), *rest = drawn.seats
    assert not check_ballot(SEED, published, replace(drawn, seats=((name, table, box + 1), *rest)))
    assert not check_ballot(SEED, published, replace(drawn, draw=2))
    assert not check_ballot(SEED, published, replace(drawn, session=2))
    assert not check_ballot(SEED, published, replace(drawn, markers=(drawn.markers[0] % 3 + 1,)))
    desk.no(c.DrawBallot(SEED), "no_ballot_due", "20.7")


@case("20.7 the seed is published when nothing is drawn from it any more")
def _(at):
    desk = at().playing("Ann Ben")
    desk.no(c.RevealBallot(SEED), "ballots_to_come", "20.7")
    desk.end(Ann=110000).paid()
    desk.no(c.RevealBallot(OTHER), "seed_differs", "20.7")
    desk.then(c.RevealBallot(SEED), "BallotRevealed", "20.7")
    desk.no(c.RevealBallot(SEED), "ballot_revealed", "20.7")
    drawn = [event for event in desk.events if isinstance(event, BallotDrawn)]
    assert [check_ballot(desk.state.seed, desk.state.seed_hash, event) for event in drawn] == [True]


@case("20.7 a player sits in the assigned place only, for the whole session")
def _(at):
    desk = at().entered("Ann Ben")
    desk.no(c.TakeSeat("Ann"), "no_seats_given", "20.7")
    desk.no(c.StartSession(), "no_seats_given", "20.7")
    desk.drawn().no(c.TakeSeat("Zoe"), "no_seat", "20.7")
    desk.then(c.TakeSeat("Ann"), "SeatTaken", "20.7", "20.9")
    desk.no(c.TakeSeat("Ann"), "sits_already", "20.7")
    desk.do(c.TakeSeat("Ben"), c.StartSession())
    first, second = (name for _, name in desk.state.tables[0].seated)
    swapped = c.CountChips(1, 1, ((second, 100000), (first, 100000)))
    desk.no(swapped, "players_differ", "20.7")
    desk.no(c.TakeSeat("Ann"), "no_seats_given", "20.7")


@case("20.7 another starting time with a quarter of an hour's notice")
def _(at):
    desk = at()
    desk.no(c.MoveStart(1, 60), "no_session_to_move", "20.7")
    desk.open().no(c.MoveStart(1, 14), "notice_too_short", "20.7")
    desk.no(c.MoveStart(0, 15), "no_such_time", "20.7")
    short = desk.no(c.MoveStart(1_000_000, 15, now=400_000), "notice_too_short", "20.7")
    assert short.facts == {"least": 15, "notice": 10}
    desk.then(c.MoveStart(1_796_500_000_000, 15), "StartMoved", "20.7")
    assert desk.state.start == 1_796_500_000_000
    desk.enter("Ann Ben").do(c.CloseEntries())
    desk.drawn().do(c.MoveStart(1_796_500_900_000, 15))
    desk.seated().no(c.MoveStart(1_796_500_000_000, 15), "no_session_to_move", "20.7")
    assert desk.state.start == 0
    desk.end().no(c.MoveStart(1_796_500_000_000, 15), "no_session_to_move", "20.7")
    next_one = at(sessions=HEATS, players={"least": 3}).playing("Ann Ben Cas").end(Ann=110000, Ben=120000)
    next_one.no(c.MoveStart(1_796_500_000_000, 15, 1_796_499_100_001), "notice_too_short", "20.7")
    next_one.do(c.MoveStart(1_796_500_000_000, 15, 1_796_499_100_000))
    next_one.do(c.MoveStart(1_796_500_000_000, 15))


@case("20.8 tables are filled evenly, and the director may want fewer at each")
def _(at):
    desk = at(players={"most": 16}).entered(SIXTEEN)
    desk.no(c.DrawBallot(SEED, 8), "table_size", "20.8")
    desk.no(c.DrawBallot(SEED, -1), "table_size", "20.8")
    desk.drawn()
    assert Counter(seat.table for seat in desk.state.seats) == {1: 6, 2: 5, 3: 5}
    few = at(players={"most": 16}).entered(SIXTEEN)
    few.do(c.DrawBallot(SEED, 4))
    assert Counter(seat.table for seat in few.state.seats) == {1: 4, 2: 4, 3: 4, 4: 4}


@case("20.8 20.3(a)(ii)(C) but not so few at each that all of a table would go on")
def _(at):
    desk = at(players={"most": 16, "least": 3}, sessions=HEATS).entered(SIXTEEN)
    desk.no(c.DrawBallot(SEED, 2), "tables_too_small", "20.3(a)(ii)(C)", "20.8")
    desk.no(c.DrawBallot(SEED, 3), "tables_too_small", "20.3(a)(ii)(C)", "20.8")
    desk.do(c.DrawBallot(SEED, 4))


@case("20.8 20.3(a)(ii)(B) as many tables as the conditions say")
def _(at):
    session = k.Session(name="Final", rounds=1, tables=4)
    desk = at(players={"most": 16, "least": 4}, sessions=(session,)).entered(SIXTEEN)
    desk.no(c.DrawBallot(SEED, 2), "tables_stated", "20.3(a)(ii)(B)", "20.8")
    desk.drawn()
    assert Counter(seat.table for seat in desk.state.seats) == {1: 4, 2: 4, 3: 4, 4: 4}


def _clubs(desk, pairs, singles=0):
    desk.open()
    for number in range(pairs):
        desk.do(*(c.Enter(f"P{number}{side}", f"club {number}", agreed=True) for side in "ab"))
    desk.do(*(c.Enter(f"S{number}", agreed=True) for number in range(singles)))
    desk.do(c.CloseEntries())
    return desk


def _kept_apart(desk):
    groups, most = restriction(desk.state)
    met = Counter((seat.table, groups[seat.player]) for seat in desk.state.seats if groups[seat.player])
    return max(met.values()) <= most


@case("20.3(a)(vi) 20.7 the ballot is drawn again until a group is kept apart, and the draw says how often")
def _(at):
    desk = _clubs(at(players=CLUBS), 4, 1)
    (drawn,) = desk.do(c.DrawBallot(SEED))
    assert isinstance(drawn, BallotDrawn)
    assert _kept_apart(desk)
    assert drawn.draw > 1
    groups, most = restriction(desk.state)
    assert check_ballot(SEED, desk.state.seed_hash, drawn, groups, most)
    assert not check_ballot(SEED, desk.state.seed_hash, drawn)


@case("20.3(a)(vi) 20.7 in a large field of groups the last draw is dealt out, group by group")
def _(at):
    players = {**CLUBS, "most_of_group": 4, "at_table": 7, "least": 28}
    desk = at(players=players).open()
    for number in range(60):
        desk.do(*(c.Enter(f"P{number}{side}", f"club {number}", agreed=True) for side in "abcd"))
    desk.do(c.CloseEntries())
    (drawn,) = desk.do(c.DrawBallot(SEED))
    assert isinstance(drawn, BallotDrawn)
    assert _kept_apart(desk)
    assert drawn.draw == PLAIN_DRAWS + 1
    groups, most = restriction(desk.state)
    assert check_ballot(SEED, desk.state.seed_hash, drawn, groups, most)
    sizes = Counter(seat.table for seat in desk.state.seats)
    assert max(sizes.values()) - min(sizes.values()) <= 1


@case("20.3(a)(vi) where the tables are too few to part a group it is spread over them, as in a final at one table")
def _(at):
    desk = _clubs(at(players={**CLUBS, "at_table": 2, "least": 3}), 1, 1)
    desk.do(c.Disqualify("S0", "left", "20.9"))
    (drawn,) = desk.do(c.DrawBallot(SEED))
    assert isinstance(drawn, BallotDrawn)
    groups, most = restriction(desk.state)
    assert most == 1
    assert {table for _, table, _ in drawn.seats} == {1}
    assert {groups[name] for name, _, _ in drawn.seats} == {"club 0"}
    assert check_ballot(SEED, desk.state.seed_hash, drawn, groups, most)


@case("20.3(a)(vi) a group too large to part does not put members of another together")
def _(at):
    players = {**CLUBS, "most_of_group": 3, "at_table": 4, "least": 12, "most": 12}
    semis = k.Session(name="Semis", rounds=1, advance=k.Advance(of_all=4))
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=8))
    clubs = {"L1": "Lions", "L2": "Lions", "L3": "Lions", "B1": "Bears", "B2": "bears"}
    names = [*clubs, *(f"S{number}" for number in range(7))]
    for number in range(8):
        seed = f"{number:02x}" * 32
        desk = at(players=players, sessions=(heats, semis, HEATS[-1]))
        desk.do(c.PublishConditions("patrons"), c.PublishConditions("commission"))
        desk.do(c.NominateDirector("Manager", "Director"), c.CommitBallot(seed_hash(bytes.fromhex(seed))))
        desk.do(*(c.Enter(name, clubs.get(name, ""), agreed=True) for name in names), c.CloseEntries())
        desk.do(c.DrawBallot(seed))
        desk.seated().end(**dict.fromkeys(names[8:], 90000))
        desk.do(c.DrawBallot(seed))
        table = {seat.player: seat.table for seat in desk.state.seats}
        assert set(table.values()) == {1, 2}
        assert table["B1"] != table["B2"]
        assert {table[name] for name in ("L1", "L2", "L3")} == {1, 2}


@case("20.3(a)(viii)(B) lots do not hang on the order in which they are drawn, and can be checked")
def _(at):
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(from_table=1))
    players, ties = {"at_table": 2, "least": 4}, {"session": "ballot"}
    went_on = set()
    for first in (0, 1):
        desk = at(sessions=(heats, HEATS[-1]), ties=ties, players=players).playing("Ann Ben Cas Dan").end_tables()
        pairs = [tie.players for tie in desk.state.ties]
        (drawn,) = desk.do(c.DrawLots(pairs[first], SEED))
        assert isinstance(drawn, LotsDrawn)
        assert check_lots(SEED, desk.state.seed_hash, drawn)
        assert not check_lots(OTHER, desk.state.seed_hash, drawn)
        assert not check_lots(SEED, desk.state.seed_hash, replace(drawn, order=drawn.order[::-1]))
        desk.do(c.DrawLots(pairs[1 - first], SEED))
        ended, *_ = desk.do(c.EndSession())
        went_on.add((drawn.number, ended.advanced))
    assert len(went_on) == 1
    assert went_on.pop()[0] == 1


@case("20.3(a)(viii)(B) lots can be drawn again from the seed")
def _(at):
    session = k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=2))
    desk = at(sessions=(session, HEATS[-1]), ties={"session": "ballot"}, players={"least": 3}).playing("Ann Ben Cas")
    desk.end_tables(Ann=130000)
    (tie,) = desk.state.ties
    assert (tie.players, tie.by) == (("Ben", "Cas"), "ballot")
    desk.no(c.DrawLots(("Ben", "Cas"), OTHER), "seed_differs", "20.7")
    desk.no(c.DrawLots(("Ann", "Cas"), SEED), "no_such_tie", "20.3(a)(viii)(B)")
    desk.no(c.DrawLots(("Ben", "Cas", "Cas"), SEED), "no_such_tie", "20.3(a)(viii)(B)")
    desk.no(c.CountExtra(tie.players, (("Ben", 1), ("Cas", 0))), "no_such_tie", "20.3(a)(xi)(D)")
    desk.no(c.EndSession(), "tie_open", "20.3(a)(viii)(B)")
    (drawn,) = desk.then(c.DrawLots(("Cas", "Ben"), SEED), "LotsDrawn", "20.3(a)(viii)(B)")
    assert drawn.order == lots(bytes.fromhex(SEED), drawn.session, drawn.number, ("Ben", "Cas"))
    (ended, out) = desk.then(c.EndSession(), "SessionEnded Eliminated", "20.18")
    assert ended.advanced == tuple(name for name in ("Ann", "Ben", "Cas") if name != out.player)
    assert out.player == drawn.order[1]


@case("20.9 a seat is forfeited at the specified time by the clock, not by the order of commands")
def _(at):
    desk = at().entered("Ann Ben").drawn()
    desk.do(c.TakeSeat("Ann", until_start=60_000))
    refused = desk.no(c.StartSession(until_start=90_000), "before_start", "20.9")
    assert refused.facts["minutes"] == 2
    desk.no(c.TakeSeat("Ben", until_start=-1), "seat_forfeited", "20.9")
    desk.do(c.TakeSeat("Ben", until_start=1))
    desk.no(c.StartSession(until_start=30_000), "before_start", "20.7", "20.9")  # also with everyone seated
    desk.then(c.StartSession(until_start=-1), "SessionStarted", "20.3(a)(iv)")
    late = at().entered("Ann Ben").drawn()
    late.do(c.TakeSeat("Ann"))
    late.do(c.StartSession(until_start=-1))
    assert "PositionForfeited" in {type(event).__name__ for event in late.events}


@case("20.7 20.9 without an announced time nobody forfeits, and a session starts when everyone is seated")
def _(at):
    desk = at().entered("Ann Ben").drawn()
    desk.do(c.TakeSeat("Ann"))
    desk.no(c.StartSession(unannounced=True), "start_not_announced", "20.7", "20.9")
    desk.do(c.TakeSeat("Ben"))
    desk.then(c.StartSession(unannounced=True), "SessionStarted", "20.3(a)(iv)")


@case("20.10 a seat is offered to a reserve at the starting time, not before")
def _(at):
    desk = at(players={"most": 2, "reserves": 1}, prizes={"shares": (Fraction(1),)}).open().enter("Ann Ben Cas")
    desk.do(c.CloseEntries())
    desk.drawn().do(c.TakeSeat("Ben"))
    desk.no(c.OfferSeat("Ann", "Cas", until_start=60_000), "may_still_come", "20.9", "20.10")
    desk.then(c.OfferSeat("Ann", "Cas", until_start=-1), "SeatOffered", "20.9", "20.10")


@case("20.1 the ordinary rules stay: a player is excluded under 17.2(b)")
def _(at):
    desk = at().playing("Ann Ben Cas")
    desk.do(c.Disqualify("Ann", "marked cards", "17.2(b)"))
    out = next(event for event in desk.events if type(event).__name__ == "Eliminated")
    assert out.clauses == ("17.2(b)",)
