"""A session as it is played: 20.1, 20.9, 20.12 to 20.17, buy-backs, repechage, the marker."""

from __future__ import annotations

from typing import Any

from pontoon.money import Cents
from pontoon.tournament import commands as c
from pontoon.tournament import wager_order
from pontoon.tournament.conditions import values as k
from pontoon.tournament.state import known
from tests.tournament.desk import FINAL, HEATS, SEED, case

AT_ONCE = {"times": 1, "fee": Cents(5000), "commission": Cents(500), "chips": Cents(80000), "when": "at_once"}
AT_ONCE |= {"method": "at the desk", "until": "Final"}
BETWEEN = {**AT_ONCE, "when": "between_sessions", "until": "Heats"}
SIX = "Ann Ben Cas Dan Eve Fay"
ONE_TABLE = (k.Session(name="Heats", rounds=2, advance=k.Advance(of_all=2)), FINAL)


def boxes(desk, table=1):
    """Names by box."""
    return dict(desk.state.tables[table - 1].seated)


@case('A "Session" is so many rounds')
def _(at):
    desk = at().playing("Ann Ben")
    desk.no(c.EndTable(2), "no_such_table", "20.3(a)(ii)(B)")
    refused = desk.no(c.EndTable(1), "session_lasts", "20.3(a)(ii)(A)")
    assert refused.facts == {"unit": "rounds", "wanted": 2, "had": 0}
    desk.round(Ann=101000)
    desk.round(Ann=102000)
    desk.no(desk.count(1), "rounds_played", "20.3(a)(ii)(A)")
    desk.no(c.EndSession(), "table_plays", "20.3(a)(ii)(A)")
    desk.then(c.EndTable(1), "TableEnded", "20.3(a)(ii)(A)")
    desk.no(c.EndTable(1), "table_ended", "20.3(a)(ii)(A)")
    desk.no(desk.count(1), "table_ended", "20.3(a)(ii)(A)")
    desk.do(c.EndSession())
    desk.no(c.EndTable(1), "no_session", "20.3(a)(ii)(A)")
    desk.no(c.EndSession(), "no_session", "20.18")


@case('A "Session" is so many shoes, or by 20.3(a)(ii)(A) a time')
def _(at):
    desk = at(sessions=(k.Session(name="Final", shoes=2),)).playing("Ann Ben")
    desk.do(desk.count(1))
    assert desk.no(c.EndTable(1), "session_lasts").facts == {"unit": "shoes", "wanted": 2, "had": 0}
    held = desk.count(1).chips
    desk.do(c.CountChips(1, 2, held, 2))
    desk.no(c.CountChips(1, 3, held, 1), "shoe_out_of_order", "20.3(a)(ii)(A)")
    desk.no(c.CountChips(1, 3, held, 3), "shoe_out_of_order", "20.3(a)(ii)(A)")
    desk.do(c.CountChips(1, 3, held, 2), c.EndTable(1))
    one = at(sessions=(k.Session(name="Final", shoes=1),)).playing("Ann Ben")
    one.no(c.EndTable(1), "session_lasts")
    timed = at(sessions=(k.Session(name="Final", minutes=30),)).playing("Ann Ben")
    timed.do(timed.count(1))
    assert timed.no(c.EndTable(1, 29), "session_lasts").facts["had"] == 29
    timed.do(c.EndTable(1, 30))


@case('A "Session" ends early at a table with one player left or none')
def _(at):
    desk = at().playing("Ann Ben Cas")
    desk.round(Ann=0, Ben=0)
    desk.do(c.EndTable(1))
    alone = at().playing("Ann")
    alone.do(c.EndTable(1), c.EndSession())
    assert alone.paid() == {"Ann": 9000}


@case('A "Session" goes on for somebody alone at one of several tables, who may still lose the lead')
def _(at):
    desk = at(players={"at_table": 2, "least": 4}).playing("Ann Ben Cas Dan")
    first, second = boxes(desk).values()
    desk.do(desk.count(1, **{first: 0, second: 200000}))
    desk.no(c.EndTable(1), "session_lasts", "20.3(a)(ii)(A)")
    desk.do(desk.count(1, **{second: 150000}), c.EndTable(1))
    assert desk.chips(second) == 150000
    desk.do(desk.count(2, **dict.fromkeys(boxes(desk, 2).values(), 0)))
    desk.then(c.EndTable(2), "TableEnded")


@case('A "Starting Marker" moves clockwise to the next player and past vacated seats')
def _(at):
    desk = at(sessions=(k.Session(name="Final", rounds=9),)).playing("Ann Ben Cas Dan")
    first = desk.state.tables[0].marker
    assert wager_order(boxes(desk), first)[0] == first
    *_, moved = desk.then(desk.count(1), "ChipsCounted MarkerMoved", 'A "Starting Marker"')
    assert moved.box == first % 4 + 1
    following = moved.box % 4 + 1
    *_, moved = desk.do(desk.count(1, **{boxes(desk)[following]: 0}))
    assert moved.box == following % 4 + 1
    gone = boxes(desk)[moved.box]
    _, moved = desk.then(c.Disqualify(gone, "shouted", "20.15"), "Eliminated MarkerMoved", "20.15")
    assert moved.box == min((box for box in boxes(desk) if box > out_box(desk, gone)), default=min(boxes(desk)))
    other = next(name for box, name in boxes(desk).items() if box != moved.box)
    desk.then(c.Disqualify(other, "shouted", "20.15"), "Eliminated")


def out_box(desk, name):
    return known(desk.state, name).box


@case('A "Starting Marker" balloted to somebody who does not come begins with the next player')
def _(at):
    desk = at().entered("Ann Ben Cas Dan").drawn()
    marker = desk.state.tables[0].marker
    absent = next(seat.player for seat in desk.state.seats if seat.box == marker)
    desk.seated(absent)
    assert desk.state.tables[0].marker == marker % 4 + 1


@case('A "Tournament Chips" are issued for the fee, and are no money')
def _(at):
    desk = at().playing("Ann Ben")
    assert (desk.books["chips/spring/Ann"], desk.books["chip_bank/spring"]) == (100000, -200000)
    money = desk.money()
    desk.round(Ann=140000, Ben=70000)
    assert (desk.books["chips/spring/Ann"], desk.books["chip_bank/spring"]) == (140000, -210000)
    assert desk.money() == money


@case('A "Tournament Chips" are handed back at the end of a session, or carried to the next')
def _(at):
    def third(carried):
        desk = at(sessions=ONE_TABLE, money={"carried": carried}, players={"least": 3}).playing("Ann Ben Cas")
        desk.end(Ann=130000, Ben=120000).drawn().seated()
        return desk.chips("Ann"), desk.chips("Ben"), desk.books["chip_bank/spring"]

    assert third(carried=False) == (100000, 100000, -200000)
    assert third(carried=True) == (130000, 120000, -250000)


@case("20.1 a director's word rests on rule 20, which goes before the ordinary rules")
def _(at):
    desk = at().playing("Ann Ben")
    desk.no(c.Direct("stand up", "14.1"), "no_such_clause", "20.1")
    desk.no(c.Disqualify("Ann", "rude", "4.3"), "no_such_clause", "20.1")
    # Rule 4 lets a seated player sit out a round; by 20.14 everyone at the table is in every count.
    ann = next(pair for pair in desk.count(1).chips if pair[0] == "Ann")
    desk.no(c.CountChips(1, 1, (ann,)), "players_differ", "20.13")


@case("20.9 who is not seated in time forfeits, and the fee stays in the pool")
def _(at):
    desk = at().entered("Ann Ben Cas").drawn()
    desk.do(c.TakeSeat("Ann"), c.TakeSeat("Cas"))
    gone, *_ = desk.do(c.StartSession())
    assert (gone.player, gone.clauses) == ("Ben", ("20.9",))
    assert desk.money() == "commission 3000, pool 27000, Ann -10000, Ben -10000, Cas -10000"
    assert sorted(boxes(desk).values()) == ["Ann", "Cas"]
    desk.end(Ann=101000)
    assert desk.paid() == {"Ann": 16875, "Cas": 10125}


@case("20.9 also in a later session, whatever was carried into it")
def _(at):
    desk = at(sessions=ONE_TABLE, money={"carried": True}, players={"least": 3}).playing("Ann Ben Cas")
    desk.end(Ann=130000, Ben=120000).drawn().seated(absent="Ann")
    assert (known(desk.state, "Ann").status, desk.books["chips/spring/Ann"]) == ("forfeited", 0)
    desk.end()
    assert desk.paid() == {"Ben": 16875, "Cas": 10125}
    assert desk.places() == "1 Ben, 2 Cas"


@case("20.12 chips out of view: the director says so, or rules a player out")
def _(at):
    desk = at().playing("Ann Ben Cas")
    (said,) = desk.then(c.Direct("chips on the table, please", "20.12", "Ann"), "Directed", "20.12")
    assert (said.words, said.player) == ("chips on the table, please", "Ann")
    desk.no(c.Direct("  ", "20.12"), "words_missing", "20.12")
    desk.no(c.Direct("you there", "20.12", "Zoe"), "not_in", "20.12")
    (out, *_) = desk.do(c.Disqualify("Ann", "chips in a pocket", "20.12"))
    assert (out.reason, out.chips, out.words) == ("ruling", 100000, "chips in a pocket")
    assert desk.books["chips/spring/Ann"] == 0
    desk.no(c.Disqualify("Ann", "again", "20.12"), "not_in", "20.18")
    desk.no(c.Disqualify("Zoe", "who", "20.12"), "not_in", "20.18")
    desk.end(Ben=90000)
    assert desk.paid() == {"Cas": 16875, "Ben": 10125}
    desk.no(c.Disqualify("Cas", "late", "20.12"), "not_under_way", "20.18")
    desk.no(c.Direct("bye", "20.12"), "not_under_way", "20.17")


@case("20.13 chips change by play alone: every count is the next round of just those players")
def _(at):
    desk = at().entered("Ann Ben")
    desk.no(c.CountChips(1, 1, ()), "no_session", "20.3(a)(ii)(A)")
    desk.drawn().seated()
    held = desk.count(1).chips
    desk.no(c.CountChips(2, 1, held), "no_such_table")
    desk.no(c.CountChips(1, 2, held), "round_out_of_order")
    desk.no(c.CountChips(1, 0, held), "round_out_of_order")
    desk.no(c.CountChips(1, 1, held[:1]), "players_differ", "20.13")
    desk.no(c.CountChips(1, 1, (*held, ("Zoe", 5000))), "players_differ", "20.13")
    desk.no(c.CountChips(1, 1, ((held[0][0], -1000), held[1])), "chips_below_zero", "20.13")
    (counted, _) = desk.then(desk.count(1, Ann=97000, Ben=104500), "ChipsCounted MarkerMoved", "20.13")
    assert dict(counted.changes) == {"Ann": -3000, "Ben": 4500}
    desk.no(c.CountChips(1, 1, held), "round_out_of_order")


@case("20.14 a player who cannot make the minimum wager is out before the next round and leaves the seat")
def _(at):
    desk = at().playing("Ann Ben Cas")
    events = desk.do(desk.count(1, Ann=999, Ben=1000))
    assert [type(event).__name__ for event in events] == ["ChipsCounted", "Eliminated", "MarkerMoved"]
    out = events[1]
    assert (out.player, out.reason, out.chips, out.clauses) == ("Ann", "minimum", 999, ("20.14",))
    assert sorted(boxes(desk).values()) == ["Ben", "Cas"]
    assert desk.books["chips/spring/Ann"] == 0
    assert "Ann" not in [name for name, _ in desk.count(1).chips]


@case("20.14 who carries too little into a session is out before its first round")
def _(at):
    desk = at(sessions=ONE_TABLE, money={"carried": True}, players={"least": 3}).playing("Ann Ben Cas")
    desk.round(Ben=90000)
    desk.end(Ann=130000, Ben=900, Cas=0)
    assert known(desk.state, "Ben").status == "in"
    desk.drawn()
    for name in ("Ann", "Ben"):
        desk.do(c.TakeSeat(name))
    _, out, *_ = desk.do(c.StartSession())
    assert (out.player, out.reason, out.chips, out.round, out.clauses) == ("Ben", "minimum", 900, 0, ("20.14",))
    assert list(boxes(desk).values()) == ["Ann"]
    desk.end()
    desk.paid()
    assert desk.places() == "1 Ann, 2 Ben, 3 Cas"


@case("20.14 after the last round no wager is due, so nobody is out for making none")
def _(at):
    desk = at(structure={"absent": "eliminated"}).playing("Ann Ben Cas")
    desk.round(Ann=100000)
    desk.round(Ann=150000)
    desk.no(c.Disqualify("Ann", "no wager in time", "20.14"), "not_for_absence", "20.14")


@case("20.14 who makes no wager in time is out, where the conditions say so")
def _(at):
    desk = at(structure={"absent": "eliminated"}).playing("Ann Ben Cas")
    desk.round(Ann=120000)
    (out, *_) = desk.do(c.Disqualify("Ann", "no wager in time", "20.14"))
    assert (out.reason, out.chips, out.round) == ("absent", 120000, 1)
    assert known(desk.state, "Ann").status == "eliminated"
    desk.no(c.Disqualify("Ann", "no wager in time", "20.14"), "not_for_absence", "20.14")
    desk.end(Ben=90000)
    assert desk.paid() == {"Cas": 13500, "Ben": 8100, "Ann": 5400}
    kind = at().playing("Ann Ben")
    kind.no(c.Disqualify("Ann", "no wager in time", "20.14"), "not_for_absence", "20.14")


@case("20.15 advice: a warning, then a ruling; a reserve or somebody already out can be ruled out too")
def _(at):
    desk = at(players={"most": 3, "reserves": 1}).playing("Ann Ben Cas Dan")
    desk.then(c.Direct("no advice from the rail", "20.15"), "Directed", "20.15")
    desk.round(Ann=0)
    desk.then(c.Disqualify("Ann", "told Ben what to do", "20.15"), "Eliminated", "20.15")
    desk.do(c.Disqualify("Dan", "told Ben what to do", "20.15"))
    desk.end(Ben=90000)
    assert desk.paid() == {"Cas": 16875, "Ben": 10125}


@case("20.16 a break of a stated length: the round in progress is finished, and no other begins")
def _(at):
    desk = at(players={"at_table": 2}).open()
    desk.no(c.CallBreak(10), "not_under_way", "20.16")
    desk.enter("Ann Ben Cas Dan").do(c.CloseEntries())
    desk.drawn().seated()
    desk.no(c.EndBreak(), "no_break", "20.16")
    desk.no(c.CallBreak(0), "minutes_missing", "20.16")
    (called,) = desk.then(c.CallBreak(10), "BreakCalled", "20.16")
    assert called.minutes == 10
    desk.no(c.CallBreak(5), "break_lasts", "20.16")
    desk.do(desk.count(1))
    desk.no(desk.count(1), "break_lasts", "20.16")
    desk.do(desk.count(2))
    desk.no(desk.count(2), "break_lasts", "20.16")
    desk.then(c.EndBreak(), "BreakEnded", "20.16")
    desk.do(c.CallBreak(5), desk.count(1), c.EndBreak(), desk.count(2))


@case("20.16 no session starts during a break")
def _(at):
    desk = at().entered("Ann Ben").drawn()
    desk.do(c.CallBreak(10))
    desk.no(c.StartSession(), "break_lasts", "20.16")
    desk.do(c.EndBreak(), c.StartSession())


@case("20.17 the director sets the pace")
def _(at):
    desk = at().playing("Ann Ben")
    assert desk.state.pace == 30
    desk.then(c.SetPace(15), "PaceSet", "20.17")
    assert desk.state.pace == 15
    desk.no(c.SetPace(-1), "seconds_below_zero", "20.17")
    desk.then(c.Direct("a little faster", "20.17"), "Directed", "20.17")
    at().no(c.SetPace(15), "not_under_way", "20.17")


# --- buy-backs and the repechage ------------------------------------------------------------------------------


@case("20.3(a)(ii)(F) 20.6 buying back at once, into the same seat, before the next round")
def _(at):
    desk = at(buy_back=AT_ONCE, sessions=(k.Session(name="Final", rounds=4),)).playing("Ann Ben Cas")
    desk.no(c.BuyBack("Ann"), "not_eliminated", "20.3(a)(ii)(F)")
    desk.no(c.BuyBack("Zoe"), "not_eliminated", "20.3(a)(ii)(F)")
    box = known(desk.state, "Ann").box
    desk.round(Ann=500)
    (back, *_) = desk.do(c.BuyBack("Ann"))
    assert back.clauses == ("20.3(a)(ii)(F)", "20.6")
    assert (boxes(desk)[box], desk.chips("Ann"), desk.books["chips/spring/Ann"]) == ("Ann", 80000, 80000)
    assert desk.money() == "commission 3500, pool 31500, Ann -15000, Ben -10000, Cas -10000"
    desk.round(Ann=0, Ben=0)
    desk.no(c.BuyBack("Ann"), "no_buy_back_left", "20.3(a)(ii)(F)")
    desk.round(Cas=90000)
    desk.no(c.BuyBack("Ben"), "not_the_time", "20.3(a)(ii)(F)")


@case("20.3(a)(ii)(F) at once, but not when no round is left")
def _(at):
    desk = at(buy_back=AT_ONCE, structure={"elimination": "who leaves is out"}).playing("Ann Ben Cas")
    desk.round(Ann=100000)
    desk.round(Ann=0)
    desk.no(c.BuyBack("Ann"), "not_eliminated", "20.3(a)(ii)(F)")
    desk.do(c.Disqualify("Ann", "left", "20.3(a)(viii)(A)"))
    desk.no(c.BuyBack("Ann"), "not_the_time", "20.3(a)(ii)(F)")
    desk.do(c.EndTable(1))
    desk.no(c.BuyBack("Ann"), "not_the_time", "20.3(a)(ii)(F)")


@case("20.3(a)(ii)(F) after buying back at once one plays at least a round: nobody wins with bought chips alone")
def _(at):
    lengths: tuple[dict[str, Any], ...] = ({"minutes": 30}, {"shoes": 1})
    for length in lengths:
        desk = at(buy_back=AT_ONCE, sessions=(k.Session(name="Final", **length),)).playing("Ann Ben Cas")
        desk.round(Ann=60000, Ben=70000, Cas=0)
        desk.do(c.BuyBack("Cas"))
        desk.no(c.EndTable(1, 30), "round_owed", "20.3(a)(ii)(F)")
        desk.round(Cas=50000)
        desk.do(c.EndTable(1, 30), c.EndSession())
        desk.paid()
        assert desk.places() == "1 Ben, 2 Ann, 3 Cas"


@case("20.3(a)(ii)(F) after buying back at once the marker and the seat are as if nobody had been away")
def _(at):
    desk = at(buy_back=AT_ONCE, sessions=(k.Session(name="Final", rounds=9),)).playing("Ann Ben Cas Dan")
    turn = desk.state.tables[0].marker % 4 + 1
    who = boxes(desk)[turn]
    desk.do(desk.count(1, **{who: 0}))
    assert desk.state.tables[0].marker == turn % 4 + 1
    *_, moved = desk.then(c.BuyBack(who), "BoughtBack MarkerMoved", 'A "Starting Marker"')
    assert moved.box == turn
    desk.do(c.Substitute(who, "Zoe", "ill", agreed=True))
    assert (boxes(desk)[turn], desk.state.seats[known(desk.state, "Zoe").seat].player) == ("Zoe", "Zoe")
    other = boxes(desk)[turn % 4 + 1]
    desk.do(desk.count(1))
    desk.do(desk.count(1, **{other: 0}))
    desk.then(c.BuyBack(other), "BoughtBack")


@case("20.3(a)(ii)(F) at once, and the marker finds the only player")
def _(at):
    desk = at(buy_back=AT_ONCE).playing("Ann Ben")
    desk.round(Ann=0, Ben=0)
    desk.do(c.BuyBack("Ann"))
    assert desk.state.tables[0].marker == known(desk.state, "Ann").box


@case("20.3(a)(ii)(F) buying back between sessions, into the next ballot, until the conditions say")
def _(at):
    for carried in (False, True):
        desk = at(buy_back=BETWEEN, sessions=ONE_TABLE, money={"carried": carried}, players={"least": 3})
        desk.playing("Ann Ben Cas Dan")
        desk.round(Dan=0)
        desk.no(c.BuyBack("Dan"), "not_the_time", "20.3(a)(ii)(F)")
        desk.end(Ann=130000, Ben=120000)
        desk.then(c.BuyBack("Cas"), "BoughtBack", "20.3(a)(ii)(F)")
        desk.do(c.BuyBack("Dan"))
        desk.drawn().seated()
        assert sorted(boxes(desk).values()) == ["Ann", "Ben", "Cas", "Dan"]
        assert (desk.chips("Cas"), desk.chips("Dan")) == (80000, 80000)
        assert desk.chips("Ann") == (130000 if carried else 100000)
        desk.end(Ann=0)
        desk.no(c.BuyBack("Ann"), "buy_backs_over", "20.3(a)(ii)(F)")


@case("20.3(a)(ii)(E) a repechage for those a session eliminated; its best join the next one")
def _(at):
    back = k.Session(name="Repechage", kind="repechage", qualifies="Heats", rounds=1, advance=k.Advance(of_all=1))
    desk = at(sessions=(ONE_TABLE[0], back, FINAL), players={"least": 4}).playing("Ann Ben Cas Dan Eve")
    desk.round(Eve=0)
    desk.end(Ann=130000, Ben=120000).drawn()
    assert (desk.state.session, sorted(seat.player for seat in desk.state.seats)) == (2, ["Cas", "Dan", "Eve"])
    desk.seated(absent="Cas").end(Eve=105000)
    assert known(desk.state, "Dan").status == "eliminated"
    desk.drawn().seated()
    assert sorted(boxes(desk).values()) == ["Ann", "Ben", "Eve"]
    desk.end(Eve=105000, Ann=104000)
    desk.paid()
    assert desk.places() == "1 Eve, 2 Ann, 3 Ben, 4 Dan"


@case("20.3(a)(ii)(E) a repechage is for the losers of one session, not of another")
def _(at):
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=4))
    semis = k.Session(name="Semis", rounds=1, advance=k.Advance(of_all=2))
    back = k.Session(name="Repechage", kind="repechage", qualifies="Semis", rounds=1, advance=k.Advance(of_all=1))
    desk = at(sessions=(heats, semis, back, FINAL), players={"least": 5}).playing("Ann Ben Cas Dan Eve")
    desk.end(Eve=90000).drawn().seated().end(Ann=130000, Ben=120000).drawn()
    assert sorted(seat.player for seat in desk.state.seats) == ["Cas", "Dan"]


@case("20.3(a)(ii)(E) a second repechage for a session is for those the first one did not bring back")
def _(at):
    def back(name):
        return k.Session(name=name, kind="repechage", qualifies="Heats", rounds=1, advance=k.Advance(of_all=1))

    desk = at(sessions=(ONE_TABLE[0], back("First"), back("Second"), FINAL), players={"least": 6}).playing(SIX)
    desk.end(Ann=130000, Ben=120000).drawn().seated().end(Cas=120000).drawn()
    assert (desk.state.session, sorted(seat.player for seat in desk.state.seats)) == (3, ["Dan", "Eve", "Fay"])
    desk.seated().end(Dan=120000).drawn()
    assert sorted(seat.player for seat in desk.state.seats) == ["Ann", "Ben", "Cas", "Dan"]


@case("20.3(a)(ii)(F) 20.14 who was out for making no wager may buy back at once too")
def _(at):
    desk = at(structure={"absent": "eliminated"}, buy_back=AT_ONCE).playing("Ann Ben Cas")
    desk.do(c.Disqualify("Ann", "no wager in time", "20.14"), c.BuyBack("Ann"))
    desk.do(c.Disqualify("Ben", "no wager in time", "20.14"))
    desk.do(desk.count(1))
    desk.no(c.BuyBack("Ben"), "not_the_time", "20.3(a)(ii)(F)")


@case("20.3(a)(ii)(E) a repechage nobody qualifies for is left out")
def _(at):
    back = k.Session(name="Repechage", kind="repechage", qualifies="Heats", rounds=1, advance=k.Advance(of_all=1))
    sessions = (ONE_TABLE[0], back, FINAL)
    desk = at(sessions=sessions, players={"least": 4}).playing("Ann Ben Cas Dan", absent="Cas Dan")
    desk.end().drawn()
    assert desk.state.session == 3


@case("20.3(a)(ii)(C) who goes on: the best of each table, then the best of the rest")
def _(at):
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(from_table=1, best_of_rest=1))
    desk = at(sessions=(heats, FINAL), players={"at_table": 3, "least": 6}).entered(SIX).drawn()
    desk.seated()
    first, second = list(boxes(desk, 1).values()), list(boxes(desk, 2).values())
    chips = dict(zip([*first, *second], (150000, 140000, 130000, 120000, 110000, 500), strict=True))
    desk.end_tables(**chips)
    ended, *out = desk.do(c.EndSession())
    assert set(ended.advanced) == {first[0], second[0], first[1]}
    assert [event.reason for event in out] == ["session"] * 3
    assert known(desk.state, second[2]).status == "eliminated"


@case("20.3(a)(ii)(C) 20.14 nobody who is out goes on, even if fewer do")
def _(at):
    desk = at(sessions=ONE_TABLE, players={"least": 3}).playing("Ann Ben Cas")
    desk.round(Ben=0, Cas=500)
    desk.do(c.EndTable(1))
    ended, *_ = desk.do(c.EndSession())
    assert ended.advanced == ("Ann",)
    desk.no(c.DrawBallot(SEED), "no_session_left", "20.3(a)(ii)(A)")
    desk.no(c.Substitute("Ann", "Zoe", "ill", agreed=True), "nothing_left_to_play", "20.11")
    desk.paid()
    assert desk.places() == "1 Ann, 2 Ben Cas"


@case("20.3(a)(ii)(C) the final is balloted among those who went on")
def _(at):
    desk = at(sessions=HEATS, players={"at_table": 3, "least": 6}).playing(SIX)
    names = [seat.player for seat in desk.state.seats]
    chips = dict(zip(names, (101000, 102000, 103000) * 2, strict=True))
    desk.end(**chips).drawn()
    assert {seat.player for seat in desk.state.seats} == {name for name in names if chips[name] > 101000}
