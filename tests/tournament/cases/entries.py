"""Conditions, director, entries, reserves, substitutes: 20.2, 20.4 to 20.6, 20.10, 20.11."""

from __future__ import annotations

from fractions import Fraction

from pontoon.engine import Refusal
from pontoon.money import Cents
from pontoon.table.shuffle import seed_hash
from pontoon.tournament import commands as c
from pontoon.tournament import options, play
from pontoon.tournament.conditions import values as k
from pontoon.tournament.state import entrants, known
from tests.tournament.desk import HEATS, SEED, case

COMMITTED = seed_hash(bytes.fromhex(SEED))


@case("20.2 20.2(b) 20.2(c) no entry before patrons and the commission have the conditions")
def _(at):
    desk = at()
    desk.no(c.Enter("Ann", agreed=True), "conditions_not_published", "20.2", "20.2(b)")
    desk.no(c.CloseEntries(), "conditions_not_published", "20.2")
    desk.then(c.PublishConditions("patrons"), "ConditionsPublished", "20.2(a)", "20.2(b)")
    desk.no(c.Enter("Ann", agreed=True), "conditions_not_published", "20.2(c)")
    desk.no(c.PublishConditions("patrons"), "already_published", "20.2(b)")
    desk.no(c.PublishConditions("the press"), "no_such_reader", "20.2")
    (sent,) = desk.then(c.PublishConditions("commission"), "ConditionsPublished", "20.2(c)")
    assert len(sent.digest) == 64
    assert at(money={"fee": Cents(20000)}).do(c.PublishConditions("patrons"))[0].digest != sent.digest


@case("20.2(a) 20.3 conditions that contradict themselves are not published")
def _(at):
    desk = at(money={"commission": Cents(10001)})
    refused = desk.no(c.PublishConditions("patrons"), "conditions_incomplete", "20.2(a)", "20.3(a)(iii)")
    assert "commission" in str(refused.facts["words"])


@case("20.4 the shift manager nominates a director, and another one later")
def _(at):
    desk = at()
    desk.do(c.PublishConditions("patrons"), c.PublishConditions("commission"))
    desk.no(c.Enter("Ann", agreed=True), "no_director", "20.4")
    desk.no(c.NominateDirector("Manager", " "), "name_missing", "20.4")
    desk.no(c.NominateDirector("", "Dora"), "name_missing", "20.4")
    desk.then(c.NominateDirector("Manager", "Dora"), "DirectorNominated", "20.4")
    desk.no(c.Enter("Ann", agreed=True), "ballot_not_committed", "20.7")
    desk.do(c.CommitBallot(COMMITTED), c.Enter("Ann", agreed=True), c.NominateDirector("Manager", "Dave"))
    assert desk.state.director == "Dave"
    desk.do(c.Cancel("storm"))
    desk.no(c.NominateDirector("Manager", "Dora"), "tournament_over", "20.4")


@case('A "Tournament Director/Assistant" is responsible: every act of the tournament waits for one')
def _(at):
    desk = at()
    desk.do(c.PublishConditions("patrons"), c.PublishConditions("commission"), c.CommitBallot(COMMITTED))
    assert desk.state.phase == "draft"
    desk.no(c.CloseEntries(), "no_director", "20.4")
    desk.do(c.NominateDirector("Manager", "Dora"))
    assert (desk.state.phase, desk.state.director) == ("entries", "Dora")


@case("20.5 without the written agreement there is no entry, unless the conditions ask for none")
def _(at):
    at().open().no(c.Enter("Ann"), "agreement_missing", "20.5")
    at(start={"agreement": False}).open().then(c.Enter("Ann"), "Entered", "20.6")


@case("20.6 one entry each, however the name is spelt")
def _(at):
    desk = at().open().enter("Ann")
    for name in ("Ann", "ann", " ANN "):
        desk.no(c.Enter(name, agreed=True), "entered_already", "20.6")
    for name in ("", "  ", "a/b", "A\nB", "x" * 65):
        desk.no(c.Enter(name, agreed=True), "name_unusable", "20.6")
    desk.enter("Anna Jos\u00e9")
    for name in ("Jose\u0301", "Jos\u00e9\u034f", "\uff2a\uff4f\uff53\u00e9", "JOS\u00c9"):
        desk.no(c.Enter(name, agreed=True), "entered_already", "20.6")
    for name in (
        "Zoe ",
        " Zoe",
        "Zoe  Lee",
        "Zoe\u0301",
        "Z\u034foe",
    ):  # a single spelling, or the ballot could be manipulated
        desk.no(c.Enter(name, agreed=True), "name_unusable", "20.6")
    desk.do(c.Disqualify("Jos\u00e9", "false papers", "20.3(a)(i)"))
    assert [player.name for player in desk.state.players] == ["Ann", "Anna", "Jos\u00e9"]


@case("20.6 not even somebody who was ruled out enters again")
def _(at):
    desk = at().open().enter("Ann Ben")
    desk.do(c.Disqualify("Ann", "false papers", "20.3(a)(i)"))
    desk.no(c.Enter("Ann", agreed=True), "entered_already", "20.6")


@case("20.3(a)(i) who is not eligible does not enter, and nobody after the close")
def _(at):
    desk = at().open()
    desk.no(c.Enter("Ann", agreed=True, eligible=False), "not_eligible", "20.3(a)(i)")
    desk.enter("Ann Ben").do(c.CloseEntries())
    desk.no(c.Enter("Cas", agreed=True), "entries_closed", "20.3(a)(i)")
    desk.no(c.CloseEntries(), "entries_closed", "20.3(a)(i)")


@case("20.3(a)(iii) 20.20 the fee goes to the pool, less the commission")
def _(at):
    desk = at().open()
    desk.then(c.Enter("Ann", agreed=True), "Entered", "20.3(a)(iii)", "20.20")
    assert desk.money() == "commission 1000, pool 9000, Ann -10000"


@case("20.3(a)(v) too few players do not begin, too many are not admitted")
def _(at):
    desk = at(players={"least": 2, "most": 3}).open().enter("Ann")
    refused = desk.no(c.CloseEntries(), "too_few_players", "20.3(a)(v)")
    assert refused.facts == {"least": 2, "entered": 1}
    desk.enter("Ben Cas").no(c.Enter("Dan", agreed=True), "tournament_full", "20.3(a)(v)")
    (closed,) = desk.then(c.CloseEntries(), "EntriesClosed", "20.3(a)(v)")
    assert (closed.players, closed.added) == (3, 0)


@case("20.3(a)(vi) no more of a group than the conditions allow")
def _(at):
    players = {"most_of_group": 2, "groups": "clubs", "least": 2}
    desk = at(players=players).open()
    desk.do(*(c.Enter(name, "Lions", agreed=True) for name in ("Ann", "Ben")))
    for spelling in ("Lions", "lions", " LIONS "):
        desk.no(c.Enter("Cas", spelling, agreed=True), "group_full", "20.3(a)(vi)")
    desk.do(c.Enter("Cas", "Bears", agreed=True), c.Enter("Dan", agreed=True), c.Enter("Eve", agreed=True))
    desk.do(c.CloseEntries())
    desk.no(c.Substitute("Cas", "Fay", "ill", "Lions", agreed=True), "group_full", "20.3(a)(vi)")
    desk.do(c.Substitute("Ann", "Fay", "ill", "Lions", agreed=True))


@case("20.3(a)(ii)(B) sit-and-go: entries close by themselves")
def _(at):
    desk = at(structure={"sit_and_go": 3}, money={"added": Cents(500)}).open().enter("Ann Ben")
    closed = desk.then(c.Enter("Cas", agreed=True), "Entered EntriesClosed", "20.3(a)(ii)(B)", "20.20")[-1]
    assert (closed.players, closed.added, desk.state.phase) == (3, 500, "closed")
    few = at(structure={"sit_and_go": 3}, players={"least": 2}).open().enter("Ann Ben")
    assert few.no(c.CloseEntries(), "too_few_players", "20.3(a)(v)").facts == {"least": 3, "entered": 2}


@case("20.10 a reserve pays only when offered a seat nobody took, before the first session")
def _(at):
    desk = at(players={"most": 2, "reserves": 1}, prizes={"shares": (Fraction(1),)}).open().enter("Ann Ben")
    desk.then(c.Enter("Cas", agreed=True), "Reserved", "20.10")
    desk.no(c.Enter("Dan", agreed=True), "tournament_full", "20.3(a)(v)")
    assert "Cas" not in desk.money()
    desk.do(c.CloseEntries())
    desk.no(c.OfferSeat("Ann", "Cas"), "first_session_begun", "20.10")
    desk.drawn().do(c.TakeSeat("Ben"))
    desk.no(c.OfferSeat("Ben", "Cas"), "sits_already", "20.10")
    desk.no(c.OfferSeat("Zoe", "Cas"), "no_seat", "20.10")
    desk.no(c.OfferSeat("Ann", "Ben"), "not_a_reserve", "20.10")
    desk.no(c.OfferSeat("Ann", "Zoe"), "not_a_reserve", "20.10")
    was = known(desk.state, "Ann")
    desk.then(c.OfferSeat("Ann", "Cas"), "SeatOffered", "20.9", "20.10")
    now = known(desk.state, "Cas")
    assert (now.table, now.box, now.paid, now.status) == (was.table, was.box, 10000, "in")
    assert known(desk.state, "Ann").status == "forfeited"
    assert desk.money() == "commission 3000, pool 27000, Ann -10000, Ben -10000, Cas -10000"
    desk.no(c.TakeSeat("Ann"), "no_seat", "20.7")
    desk.no(c.TakeSeat("Cas"), "sits_already", "20.7")
    desk.do(c.StartSession())
    assert desk.books["chips/spring/Cas"] == 100000


@case("20.10 a place that becomes free before entries close is the first reserve's, then of those who come later")
def _(at):
    desk = at(players={"most": 2, "reserves": 2}, prizes={"shares": (Fraction(1),)}).open().enter("Ann Ben Cas Dan")
    desk.no(c.Enter("Cas", agreed=True), "entered_already", "20.6")
    desk.do(c.Disqualify("Ann", "false papers", "20.3(a)(i)"))
    desk.no(c.Enter("Eve", agreed=True), "tournament_full", "20.3(a)(v)")
    desk.no(c.Enter("Dan", agreed=True), "entered_already", "20.6")
    desk.no(c.Enter("Cas"), "agreement_missing", "20.5")
    desk.then(c.Enter("Cas", agreed=True), "Entered", "20.20")
    assert (known(desk.state, "Cas").status, entrants(desk.state)) == ("in", 3)
    assert desk.money() == "commission 3000, pool 27000, Ann -10000, Ben -10000, Cas -10000"
    desk.then(c.Enter("Eve", agreed=True), "Reserved", "20.10")
    assert [player.name for player in desk.state.players if player.status == "reserve"] == ["Dan", "Eve"]
    desk.do(c.Disqualify("Dan", "shouted", "20.15"))
    assert entrants(desk.state) == 3


@case("20.10 the seat of somebody ruled out before the first session can be offered, taken or not")
def _(at):
    desk = at(players={"most": 2, "reserves": 2}, prizes={"shares": (Fraction(1),)}).entered("Ann Ben Cas Dan").drawn()
    desk.do(
        c.TakeSeat("Ben"), c.Disqualify("Ann", "false papers", "20.3(a)(i)"), c.Disqualify("Ben", "a brawl", "20.17")
    )
    assert {command for command in options(desk.state).allowed if isinstance(command, c.OfferSeat)} == {
        c.OfferSeat("Ann", "Cas"),
        c.OfferSeat("Ben", "Cas"),
    }
    desk.do(c.OfferSeat("Ann", "Cas"), c.OfferSeat("Ben", "Dan"), c.StartSession())
    assert [known(desk.state, name).status for name in ("Ann", "Ben", "Cas", "Dan")] == [
        "disqualified",
        "disqualified",
        "in",
        "in",
    ]
    desk.no(c.OfferSeat("Ann", "Cas"), "first_session_begun", "20.10")


@case("20.10 in a later session no reserve is seated")
def _(at):
    desk = at(players={"most": 3, "least": 3, "reserves": 1}, sessions=HEATS).playing("Ann Ben Cas Dan")
    desk.end(Ann=130000, Ben=120000).drawn()
    desk.no(c.OfferSeat("Ann", "Dan"), "first_session_begun", "20.10")


@case("20.10 a reserve is not put to a table that has enough of the group")
def _(at):
    players = {"most": 4, "reserves": 2, "at_table": 2, "group_at_table": 1, "most_of_group": 2, "groups": "clubs"}
    desk = at(players={**players, "least": 3}).open()
    desk.do(*(c.Enter(name, "Lions" if name == "Ann" else "", agreed=True) for name in ("Ann", "Ben", "Cas", "Dan")))
    desk.do(c.Enter("Eve", "Lions", agreed=True), c.CloseEntries())
    desk.drawn()
    table = known(desk.state, "Ann").table
    beside = next(seat.player for seat in desk.state.seats if seat.table == table and seat.player != "Ann")
    desk.no(c.OfferSeat(beside, "Eve"), "groups_meet", "20.3(a)(vi)")
    gone = desk.state
    desk.do(c.OfferSeat("Ann", "Eve"))
    ruled = play(gone, c.Disqualify("Ann", "a brawl", "20.17"))
    assert not isinstance(ruled, Refusal)
    assert not isinstance(play(ruled.state, c.OfferSeat(beside, "Eve")), Refusal)


@case("20.11 20.3(a)(vi) in a final at one table a group that cannot be separated may have a substitute")
def _(at):
    players = {"at_table": 2, "group_at_table": 1, "most_of_group": 2, "groups": "clubs", "least": 3, "most": 6}
    heats = k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=2))
    desk = at(players=players, sessions=(heats, k.Session(name="Final", rounds=1))).open()
    lions = {"Ann": "Lions", "Ben": "Lions"}
    desk.do(*(c.Enter(name, lions.get(name, ""), agreed=True) for name in ("Ann", "Ben", "Cas", "Dan")))
    desk.do(c.CloseEntries())
    desk.drawn().seated().end(Ann=150000, Ben=140000).drawn()
    assert len(desk.state.tables) == 1
    desk.do(c.Substitute("Ann", "Zoe", "ill", "lions", agreed=True), c.Substitute("Zoe", "Eve", "ill", agreed=True))
    desk.do(c.Substitute("Eve", "Fay", "ill", "Lions", agreed=True))


@case("20.11 a substitute at the director's discretion takes over chips and seat; the prize is the substitute's")
def _(at):
    desk = at().playing("Ann Ben")
    desk.round(Ann=150000, Ben=50000)
    before = known(desk.state, "Ann")
    (said,) = desk.then(c.Substitute("Ann", "Cas", "ill", agreed=True), "Substituted", "20.11")
    assert (said.chips, said.reason) == (150000, "ill")
    now = known(desk.state, "Cas")
    assert (now.chips, now.table, now.box, now.paid) == (150000, before.table, before.box, 0)
    assert (desk.books["chips/spring/Ann"], desk.books["chips/spring/Cas"]) == (0, 150000)
    assert desk.state.seats[now.seat].player == "Cas"
    desk.end()
    assert desk.paid() == {"Cas": 11250, "Ben": 6750}


@case("20.11 nobody plays twice, nobody comes in for somebody who is out, and there must be something to play")
def _(at):
    desk = at(players={"most": 3, "reserves": 1}).playing("Ann Ben Cas Dan")
    desk.round(Ann=0)
    desk.no(c.Substitute("Ben", "Cas", "ill", agreed=True), "entered_already", "20.6")
    desk.no(c.Substitute("Ben", "Dan", "ill", agreed=True), "entered_already", "20.6")
    desk.no(c.Substitute("Ben", "a/b", "ill", agreed=True), "name_unusable", "20.6")
    desk.no(c.Substitute("Ben", "Eve", "ill"), "agreement_missing", "20.5")
    for name in ("Ann", "Dan", "Zoe"):
        desk.no(c.Substitute(name, "Eve", "ill", agreed=True), "not_in", "20.11")
    desk.end_tables()
    two = at(players={"at_table": 2, "least": 4}).playing("Ann Ben Cas Dan")
    (first, _), (other, _) = ([name for _, name in table.seated] for table in two.state.tables)
    two.do(two.count(1, **{first: 300000}))
    two.do(two.count(1), c.EndTable(1))
    two.no(c.Substitute(first, "Zoe", "sold the place", agreed=True), "nothing_left_to_play", "20.11")
    two.do(c.Substitute(other, "Zoe", "ill", agreed=True))
    desk.no(c.Substitute("Ben", "Eve", "ill", agreed=True), "nothing_left_to_play", "20.11")
    desk.do(c.EndSession())
    desk.no(c.Substitute("Ben", "Eve", "ill", agreed=True), "nothing_left_to_play", "20.11")


@case("20.11 20.21 the fee is refunded to its payer after a substitution")
def _(at):
    desk = at().entered("Ann Ben")
    desk.do(c.Substitute("Ann", "Cas", "late", agreed=True), c.Cancel("storm"))
    assert desk.money() == ""
    assert not isinstance(play(desk.first, c.Cancel("nothing yet")), Refusal)
