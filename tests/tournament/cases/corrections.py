"""Late entries, corrected chips, appeals and reinstatement (17.4, 20.6 to 20.18)."""

from __future__ import annotations

from fractions import Fraction

from pontoon.tournament import check_seat
from pontoon.tournament import commands as c
from pontoon.tournament.conditions import values as k
from pontoon.tournament.state import known
from tests.tournament.desk import SEED, case

TWO = (k.Session(name="Heats", rounds=2, advance=k.Advance(of_all=2)), k.Session(name="Final", rounds=2))
FIRST = {"shares": (Fraction(1),)}


def late(name: str, **other):
    return c.EnterLate(name, "held up on the road", agreed=True, **other)


def upheld(desk, name: str) -> None:
    """The player appeals, and the operator agrees."""
    desk.do(c.Appeal(name, "that was wrong"))
    desk.do(c.DecideAppeal(len(desk.state.appeals), upheld=True, decision="the recording shows it"))


# --- late entries -------------------------------------------------------------------------------------------------


@case("20.6 20.3(a)(i) a late entry before the ballot is an entry like any other, marked as the house's own decision")
def _(at):
    desk = at().open().enter("Ann Ben")
    desk.no(late("Cas"), "entries_open", "20.3(a)(i)")
    desk.do(c.CloseEntries())
    desk.no(c.EnterLate("Cas", " ", agreed=True), "reason_missing")
    desk.no(c.EnterLate("Cas", "late"), "agreement_missing", "20.5")
    desk.no(late("ann"), "entered_already", "20.6")
    allowed, entered = desk.then(late("Cas"), "LateEntryAllowed Entered", "20.6", "20.20")
    assert (allowed.house, allowed.reason, entered.fee) == (True, "held up on the road", 10000)
    assert desk.books["pool/spring"] == 27000
    desk.drawn().seated()
    desk.no(late("Dan"), "too_late_to_enter", "20.7")


@case("20.7 20.8 a late entry after the ballot draws one of the free seats from the committed seed")
def _(at):
    desk = at(players={"at_table": 3, "most": 6}).entered("Ann Ben Cas Dan Eve").drawn()
    desk.no(late("Fay", seed="00" * 32), "seed_differs", "20.7")
    desk.no(late("Fay", seed=SEED, until_start=-1), "seat_forfeited", "20.9")
    *_, drawn = desk.then(late("Fay", seed=SEED), "LateEntryAllowed Entered SeatDrawn", "20.7", "20.8")
    assert (drawn.table, drawn.box, drawn.free) == (2, 3, ((2, 3),))
    assert check_seat(SEED, desk.state.seed_hash, drawn)
    assert not check_seat("00" * 32, desk.state.seed_hash, drawn)
    desk.no(late("Gus", seed=SEED), "tournament_full", "20.3(a)(v)")
    desk.seated()
    assert known(desk.state, "Fay").chips == 100000


@case("20.8 no late entry without a free seat, and none in a sit-and-go")
def _(at):
    desk = at(players={"at_table": 2, "most": 6}).entered("Ann Ben Cas Dan").drawn()
    desk.no(late("Eve", seed=SEED), "no_free_seat", "20.8")
    sit = at(structure={"format": "knock_out", "sit_and_go": 2}, players={"most": 4}).open().enter("Ann Ben")
    assert sit.state.phase == "closed"
    sit.no(late("Cas"), "sit_and_go_full", "20.3(a)(ii)(B)")


@case("20.10 reserve players come before a late entry, and may be the late entry themselves")
def _(at):
    desk = at(players={"most": 2, "reserves": 2}, prizes=FIRST).open().enter("Ann Ben Cas Dan")
    desk.do(c.CloseEntries())
    desk.no(late("Cas"), "tournament_full", "20.3(a)(v)")
    desk.do(c.Disqualify("Ann", "asked for", "20.18"))
    desk.no(late("Eve"), "reserves_first", "20.10")
    desk.no(late("Dan"), "reserves_first", "20.10")
    desk.then(late("Cas"), "LateEntryAllowed Entered", "20.6")
    assert known(desk.state, "Cas").status == "in"
    assert known(desk.state, "Cas").paid == 10000


@case("20.3(a)(vi) a late entry keeps groups apart")
def _(at):
    players = {"least": 4, "at_table": 3, "most": 6, "groups": "clubs", "group_at_table": 1, "most_of_group": 2}
    desk = at(players=players).open()
    desk.do(c.Enter("Ann", "Lions", agreed=True))
    desk.enter("Ben Cas Dan").do(c.CloseEntries(), c.DrawBallot(SEED))
    *_, drawn = desk.do(late("Leo", group="lions", seed=SEED))
    assert drawn.table != known(desk.state, "Ann").table
    desk.no(late("Lou", group="LIONS", seed=SEED), "group_full", "20.3(a)(vi)")
    full = at(players=players).open()
    full.do(c.Enter("Cas", "Lions", agreed=True))
    full.enter("Ann Ben Dan Eve").do(c.CloseEntries(), c.DrawBallot(SEED))
    assert known(full.state, "Cas").table == 2  # where the only free seat is
    full.no(late("Leo", group="Lions", seed=SEED), "no_free_seat", "20.7")
    full.do(late("Leo", group="Tigers", seed=SEED))


# --- chips --------------------------------------------------------------------------------------------------------


@case("20.13 20.18 chips are corrected with a reason, and a player left with too few is out")
def _(at):
    desk = at().playing("Ann Ben Cas")
    desk.no(c.CorrectChips("Zoe", 1000, "?"), "not_in", "20.13")
    desk.no(c.CorrectChips("Ann", 100000, "paid twice"), "chips_unusable", "20.13")
    desk.no(c.CorrectChips("Ann", -1, "paid twice"), "chips_unusable")
    desk.no(c.CorrectChips("Ann", 90000, ""), "reason_missing")
    desk.round(Ann=120000)
    (fixed,) = desk.then(c.CorrectChips("Ann", 110000, "paid twice"), "ChipsCorrected", "20.13", "20.18")
    assert (fixed.change, fixed.chips, fixed.house) == (-10000, 110000, True)
    assert desk.books["chips/spring/Ann"] == 110000
    _, out, *_ = desk.do(c.CorrectChips("Ben", 500, "chips of Cas"))
    assert (type(out).__name__, out.reason, out.round, out.before) == ("Eliminated", "minimum", 1, 100000)
    desk.round(Ann=100000)
    desk.then(c.CorrectChips("Cas", 500, "counted wrongly"), "ChipsCorrected")  # no round follows: not out
    desk.end_tables().then(c.CorrectChips("Cas", 100000, "counted wrongly after all"), "ChipsCorrected")
    desk.do(c.EndSession())
    desk.no(c.CorrectChips("Ann", 1, "too late"), "holds_no_chips", "20.18")
    assert desk.paid()
    assert desk.places() == "1 Ann Cas, 3 Ben"


@case("20.13 chips that carry over are corrected between sessions, and chips of a finished session are not")
def _(at):
    desk = at(sessions=TWO, money={"fee": 10000, "commission": 1000, "chips": 100000, "carried": True})
    desk.entered("Ann Ben Cas")
    desk.no(c.CorrectChips("Ann", 5, "?"), "holds_no_chips")
    desk.drawn()
    desk.no(c.CorrectChips("Ann", 5, "?"), "holds_no_chips")
    desk.seated().end(Ann=110000, Ben=105000)
    desk.then(c.CorrectChips("Ann", 100000, "a bonus paid twice"), "ChipsCorrected")
    desk.drawn().then(c.CorrectChips("Ann", 500, "and once more"), "ChipsCorrected")
    desk.seated()
    assert known(desk.state, "Ann").status == "eliminated"


@case("20.3(a)(viii)(B) a tie opened or closed by a correction is looked at again")
def _(at):
    desk = at(sessions=TWO, ties={"session": "ballot"}).playing("Ann Ben Cas")
    desk.end_tables(Ann=110000)
    assert desk.state.ties
    desk.then(c.CorrectChips("Ben", 101000, "a chip under the rail"), "ChipsCorrected TieDropped")
    desk.then(c.CorrectChips("Ben", 100000, "it was not Ben's"), "ChipsCorrected TieFound")


# --- appeals ------------------------------------------------------------------------------------------------------


@case("20.1 20.18 a player appeals, the operator decides, and no place is awarded before")
def _(at):
    desk = at()
    desk.no(c.Appeal("Ann", "?"), "not_under_way", "17.4")
    desk.no(c.DecideAppeal(1, upheld=True, decision="?"), "not_under_way", "17.4")
    desk.playing("Ann Ben")
    desk.no(c.Appeal("Zoe", "?"), "not_in", "17.4")
    desk.no(c.Appeal("Ann", " "), "reason_missing", "17.4")
    (made,) = desk.then(c.Appeal("Ann", "my double was not paid"), "AppealMade", "17.4", "20.1")
    assert (made.number, desk.state.appeals[0].session) == (1, 1)
    desk.no(c.Appeal("Ann", "again"), "appeal_waits", "17.4")
    desk.end()
    desk.no(c.AwardPlaces(), "appeal_open", "17.4", "20.18")
    desk.no(c.DecideAppeal(2, upheld=True, decision="?"), "no_such_appeal", "17.4")
    desk.no(c.DecideAppeal(1, upheld=True, decision=""), "reason_missing", "17.4")
    (told,) = desk.then(c.DecideAppeal(1, upheld=False, decision="it was paid"), "AppealDecided", "17.4")
    assert (told.player, told.upheld, desk.state.appeals[0].outcome) == ("Ann", False, "dismissed")
    desk.no(c.DecideAppeal(1, upheld=True, decision="or not"), "appeal_decided", "17.4")
    desk.do(c.Appeal("Ann", "another matter"), c.DecideAppeal(2, upheld=True, decision="noted"))
    assert desk.paid()


# --- reinstatement ------------------------------------------------------------------------------------------------


@case("20.18 the director takes back a ruling: the player returns to the same place at the table")
def _(at):
    desk = at().playing("Ann Ben Cas")
    desk.round(Ann=120000)
    desk.no(c.Reinstate("Ann", "?"), "not_out", "20.18")
    seat = known(desk.state, "Ann")
    desk.do(c.Disqualify("Ann", "hid chips", "20.12"))
    desk.no(c.Reinstate("Ann", "the chips were in view"), "reinstatement_chips", "20.13")
    desk.no(c.Reinstate("Ann", " ", 120000), "reason_missing", "20.18")
    back, *_ = desk.do(c.Reinstate("Ann", "the chips were in view", 120000))
    assert (back.to, back.house, back.appeal) == ("table", True, 0)
    now = known(desk.state, "Ann")
    assert (now.status, now.chips, now.box, now.seat) == ("in", 120000, seat.box, seat.seat)
    assert desk.state.tables[0].reinstated == ("Ann",)
    desk.round(Ann=130000)
    assert desk.state.tables[0].reinstated == ()
    desk.do(c.Disqualify("Ben", "left", "20.18"))
    desk.no(c.Reinstate("Ben", "came back", 100000), "nothing_to_return_to", "20.18")
    desk.do(c.EndTable(1))
    desk.no(c.Reinstate("Ben", "came back", 100000), "nothing_to_return_to", "20.18")
    desk.do(c.EndSession())
    desk.no(c.Reinstate("Ben", "came back"), "nothing_to_return_to", "20.18")
    desk.do(c.Disqualify("Cas", "no fair play", "20.18"))
    back, *_ = desk.then(c.Reinstate("Cas", "it was Ben"), "Reinstated", "20.18")
    assert back.to == "status"
    assert desk.paid()
    assert desk.places() == "1 Ann, 2 Cas"
    desk.no(c.Reinstate("Ben", "?"), "not_under_way", "20.18")


@case("20.9 20.14 what the rule decided is taken back only on an upheld appeal")
def _(at):
    desk = at(sessions=TWO, players={"at_table": 4}).playing("Ann Ben Cas Dan", absent="Dan")
    desk.no(c.Reinstate("Dan", "was at the table", 100000), "appeal_needed", "17.4")
    upheld(desk, "Dan")
    back, *_ = desk.do(c.Reinstate("Dan", "was at the table", 100000))
    assert (back.to, back.appeal, back.house, back.clauses) == ("table", 1, False, ("17.4", "20.1"))
    assert known(desk.state, "Dan").session == 1
    desk.round(Ben=500)
    assert known(desk.state, "Ben").out_by == "minimum"
    upheld(desk, "Ben")
    desk.do(c.Reinstate("Ben", "a $25 chip lay on the floor", 2500))
    assert desk.chips("Ben") == 2500
    desk.end(Ann=110000, Ben=3000, Cas=105000, Dan=1000)
    assert known(desk.state, "Ben").out_by == "session"
    desk.no(c.Reinstate("Ben", "should advance"), "appeal_needed", "17.4")
    upheld(desk, "Ben")
    back, *_ = desk.then(c.Reinstate("Ben", "the count of table 1 was wrong"), "Reinstated")
    assert back.to == "ballot"
    desk.no(c.Reinstate("Dan", "me too"), "appeal_needed")  # the appeal was carried out once
    desk.drawn().seated()
    assert {seat.player for seat in desk.state.seats} == {"Ann", "Ben", "Cas"}
    upheld(desk, "Dan")
    desk.no(c.Reinstate("Dan", "me too", 100000), "session_is_on", "20.7")


@case("20.7 a player reinstated after the ballot has the old seat, or draws one that is free")
def _(at):
    desk = at(players={"at_table": 3, "most": 3, "reserves": 1}, prizes=FIRST).open().enter("Ann Ben Cas Rob")
    desk.do(c.CloseEntries(), c.DrawBallot(SEED), c.TakeSeat("Ann"))
    seat = known(desk.state, "Ann").seat
    desk.do(c.Disqualify("Ann", "asked a friend", "20.15"))
    back, *_ = desk.then(c.Reinstate("Ann", "it was a greeting"), "Reinstated")
    assert (back.to, known(desk.state, "Ann").seat) == ("seat", seat)
    desk.do(c.Disqualify("Ann", "asked again", "20.15"), c.OfferSeat("Ann", "Rob"))
    desk.no(c.Reinstate("Ann", "a mistake", seed=SEED), "no_free_seat", "20.8")
    other = at(players={"at_table": 3, "most": 6}).entered("Ann Ben Cas Dan Eve")
    other.do(c.Disqualify("Ann", "asked a friend", "20.15"), c.DrawBallot(SEED))
    other.no(c.Reinstate("Ann", "it was a greeting", seed=""), "seed_differs", "20.7")
    back, drawn = other.then(c.Reinstate("Ann", "a greeting", seed=SEED), "Reinstated SeatDrawn", "20.18", "20.7")
    assert (back.to, drawn.number, drawn.player) == ("seat", 1, "Ann")
    assert other.state.seats[known(other.state, "Ann").seat].player == "Ann"


@case("20.18 before the first session a player returns to the list of entries, a reserve to the reserves")
def _(at):
    desk = at(players={"most": 2, "reserves": 1}, prizes=FIRST).open().enter("Ann Ben Rob")
    desk.do(c.Disqualify("Rob", "rude", "20.18"))
    back, *_ = desk.then(c.Reinstate("Rob", "apologised"), "Reinstated")
    assert (back.to, known(desk.state, "Rob").status) == ("status", "reserve")
    desk.do(c.Disqualify("Ann", "rude", "20.18"), c.Enter("Rob", agreed=True))
    desk.no(c.Reinstate("Ann", "apologised"), "tournament_full", "20.3(a)(v)")
    desk.do(c.Disqualify("Ben", "rude", "20.18"))
    back, *_ = desk.then(c.Reinstate("Ben", "apologised"), "Reinstated")
    assert (back.to, known(desk.state, "Ben").status) == ("ballot", "in")


@case("20.13 with chips that carry over a reinstated player brings chips to the next session")
def _(at):
    desk = at(sessions=TWO, money={"fee": 10000, "commission": 1000, "chips": 100000, "carried": True})
    desk.playing("Ann Ben Cas").end(Ann=110000, Ben=105000)
    desk.do(c.Disqualify("Ann", "rude", "20.18"))
    desk.no(c.Reinstate("Ann", "apologised"), "reinstatement_chips", "20.13")
    desk.then(c.Reinstate("Ann", "apologised", 110000), "Reinstated")
    desk.drawn().seated()
    assert desk.chips("Ann") == 110000


@case("20.3(a)(ii)(E) beside a repechage a reinstated player waits for the next ballot")
def _(at):
    back = k.Session(name="Second chance", kind="repechage", qualifies="Heats", rounds=1, advance=k.Advance(of_all=1))
    desk = at(sessions=(TWO[0], back, TWO[1])).playing("Ann Ben Cas Dan").end(Ann=110000, Ben=105000)
    desk.do(c.Disqualify("Ann", "rude", "20.18"))
    desk.drawn()
    assert {seat.player for seat in desk.state.seats} == {"Cas", "Dan"}
    returned, *_ = desk.then(c.Reinstate("Ann", "apologised"), "Reinstated")
    assert returned.to == "ballot"
    desk.do(c.Disqualify("Cas", "rude", "20.18"))
    returned, *_ = desk.then(c.Reinstate("Cas", "apologised"), "Reinstated")
    assert (returned.to, known(desk.state, "Cas").status) == ("seat", "eliminated")
    desk.seated(absent="Dan")
    desk.do(c.Disqualify("Ann", "rude", "20.18"))
    returned, *_ = desk.then(c.Reinstate("Ann", "apologised"), "Reinstated")
    assert (desk.state.phase, returned.to) == ("session", "ballot")
    upheld(desk, "Dan")
    desk.then(c.Reinstate("Dan", "was in the queue"), "Reinstated")
    assert known(desk.state, "Dan").status == "eliminated"


@case("20.18 nobody returns to a table that has nobody left")
def _(at):
    desk = at(sessions=TWO, players={"at_table": 2}).playing("Ann Ben Cas Dan")
    for seat in [seat for seat in desk.state.seats if seat.table == 1]:
        desk.do(c.Disqualify(seat.player, "a fight", "20.18"))
    gone = desk.state.seats[0].player
    desk.no(c.Reinstate(gone, "only watched", 100000), "nothing_to_return_to", "20.18")


@case("20.18 a place that was taken away comes back after an elimination, too")
def _(at):
    desk = at().playing("Ann Ben Cas")
    desk.round(Ann=500)
    desk.do(c.Disqualify("Ann", "shouted", "20.18"))
    back, *_ = desk.then(c.Reinstate("Ann", "calmed down"), "Reinstated")
    assert (back.to, known(desk.state, "Ann").status) == ("status", "eliminated")
    desk.end(Ben=120000)
    assert desk.paid()
    assert desk.places() == "1 Ben, 2 Cas, 3 Ann"
