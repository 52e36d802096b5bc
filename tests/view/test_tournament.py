"""Tournaments in words and as one viewer sees them: every event and refusal, and no seed before its reveal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from pontoon.engine import Refusal
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament.conditions import values as k
from pontoon.tournament.conditions.load import digest
from pontoon.tournament.state import Phase
from pontoon.view.tournaments.events import SHORTER, tournament_words
from pontoon.view.tournaments.parts import Mine, SessionRow, TieRow, TournamentView, WaitingRow
from pontoon.view.tournaments.view import LINES, TOLD, Hosting, tournament_row, tournament_view
from pontoon.view.words import group, why
from tests.tournament.desk import HEATS, SEED, Desk

HERE = Hosting("spring", 7)


# --- refusals ------------------------------------------------------------------------------------------

SAID = [
    (
        Refusal("not_enough_chips", ("20.13",), {"player": "Ann", "chips": 40050, "needed": 50000}),
        "Ann has $400.50 in tournament chips, and this takes $500",
    ),
    (Refusal("wager_below_minimum", ("20.14",), {"minimum": 1000}), "everyone wagers at least $10 in every round"),
    (
        Refusal("wagers_missing", ("20.14",), {"players": ("Ann", "Ben", "Cas")}),
        "everyone wagers in every round; still missing: Ann, Ben and Cas",
    ),
    (
        Refusal("entries_closed", ("20.3(a)(i)",), {"phase": "balloted"}),
        "entries are not open; the tournament is taking seats",
    ),
    (
        Refusal("not_the_time", ("20.3(a)(ii)(F)",), {"when": "between_sessions"}),
        "buying back is offered between sessions, not now",
    ),
]


@pytest.mark.parametrize(("refusal", "words"), SAID, ids=lambda one: one.code if isinstance(one, Refusal) else "")
def test_facts_are_said_as_a_person_says_them(refusal: Refusal, words: str):
    assert why(refusal) == words


def test_every_phase_and_every_reason_has_words():
    assert set(group("tournament_phase")) == set(get_args(Phase))
    hints = {kind: get_type_hints(kind) for kind in (e.Eliminated, e.TieFound)}
    assert set(group("out")) == set(get_args(hints[e.Eliminated]["reason"]))
    assert set(group("tie_break")) == set(get_args(hints[e.TieFound]["by"]))


# --- events --------------------------------------------------------------------------------------------

ANN = e.Standing(1, "Ann", 150000)
CASES: list[tuple[e.TournamentEvent, str]] = [
    (e.ConditionsPublished((), "patrons", "d"), "The conditions are given to the patrons"),
    (e.DirectorNominated((), "Carl", "Dora"), "Carl nominates Dora as director"),
    (e.BallotCommitted((), "ab"), "The seed of the ballots is fixed; its hash is published"),
    (e.Entered((), "Ann", "", 11000, 1000), "Ann enters and pays $110"),
    (e.Entered((), "Ann", "", 0, 0), "Ann enters"),
    (e.Reserved((), "Rob", ""), "Rob is a reserve player"),
    (e.EntriesClosed((), 1, 0), "Entries are closed with 1 player"),
    (e.EntriesClosed((), 6, 50000), "Entries are closed with 6 players; the casino adds $500"),
    (e.StartMoved((), 1, 20), "The next session starts at another time, with 20 minutes' notice"),
    (
        e.BallotDrawn((), 1, 1, (("Ann", 1, 1),), (1,)),
        "The ballot of session 1 is drawn: 1 player at 1 table",
    ),
    (
        e.BallotDrawn((), 2, 3, (("Ann", 1, 1), ("Ben", 2, 1)), (1, 1)),
        "The ballot of session 2 is drawn: 2 players at 2 tables (draw 3, to keep groups apart)",
    ),
    (e.SeatTaken((), "Ann"), "Ann is seated"),
    (e.SeatOffered((), "Ann", "Rob", 11000, 1000), "Rob takes the seat of Ann and pays $110"),
    (e.Substituted((), "Ann", "Sue", "ill"), "Sue plays on for Ann: ill"),
    (e.PositionForfeited((), "Ann"), "Ann was not seated in time and has lost the seat"),
    (e.SessionStarted((), 1, (("Ann", 1), ("Ben", 1))), "Session 1 begins with 2 players"),
    (e.ChipsCounted((), 1, 2, 3, 1, (("Ann", 1000), ("Ben", 50))), "Table 2, round 3: Ann $10, Ben $0.50"),
    (e.MarkerMoved((), 2, 5), "Table 2: the starting marker is at box 5"),
    (e.Eliminated((), "Ann", 1, "minimum", 500), "Ann cannot make the minimum wager and is out"),
    (e.Eliminated((), "Ann", 1, "session", 500), "Ann does not advance"),
    (e.Eliminated((), "Ann", 1, "ruling", 500, "asked for advice"), "Ann is ruled out: asked for advice"),
    (e.Eliminated((), "Ann", 1, "absent", 500), "Ann made no wager in time and is out"),
    (e.Eliminated((), "Ann", 1, "criterion", 500, "left"), "Ann is out by the conditions: left"),
    (e.BoughtBack((), "Ann", 2000, 0, 8000), "Ann buys back and pays $20, with $80 in chips"),
    (
        e.LateEntryAllowed((), "Ann", "held up"),
        "Ann is admitted after entries closed, as the house's own decision: held up",
    ),
    (e.SeatDrawn((), 1, 1, "Ann", 2, 5, ((2, 5),)), "Ann draws table 2, box 5"),
    (
        e.ChipsCorrected((), "Ann", 1, 9000, -1000, "paid twice"),
        "The chips of Ann are corrected by \u2212$10 to $90, as the house's own decision: paid twice",
    ),
    (
        e.Reinstated((), "Ann", 1, "table", 9000, "a mistake", house=True),
        "Ann is reinstated with $90 in chips, as the house's own decision: a mistake",
    ),
    (e.Reinstated((), "Ann", 1, "ballot", 0, "upheld", appeal=2), "Ann is reinstated on appeal 2: upheld"),
    (e.AppealMade((), 2, "Ann", "not paid"), "Ann appeals (no. 2): not paid"),
    (e.AppealDecided((), 2, "Ann", True, "pay it"), "Appeal 2 of Ann is upheld: pay it"),
    (e.AppealDecided((), 2, "Ann", False, "it was paid"), "Appeal 2 of Ann is dismissed: it was paid"),
    (e.BreakCalled((), 1), "A break of 1 minute"),
    (e.BreakEnded(()), "The break is over"),
    (e.PaceSet((), 20), "From now on 20 seconds for a wager or a decision"),
    (e.PaceSet((), 0), "There is no time limit for wagers and decisions"),
    (e.Directed((), "play faster", ""), "The director to all: play faster"),
    (e.Directed((), "play faster", "Ann"), "The director to Ann: play faster"),
    (e.TableEnded((), 1, 2), "Table 2 has finished session 1"),
    (e.TieFound((), ("Ann", "Ben"), "extra_rounds"), "Ann and Ben are tied; extra rounds will break the tie"),
    (e.TieFound((), ("Ann", "Ben"), "ballot"), "Ann and Ben are tied; a ballot will break the tie"),
    (e.TieLeft((), ("Ann", "Ben")), "Ann and Ben stay tied"),
    (e.TieDropped((), ("Ann", "Ben")), "The tie between Ann and Ben no longer needs breaking"),
    (e.PointsRecorded((), "Blackjack", (("Ann", (7, 2)),)), "Points of another game are recorded: Blackjack"),
    (
        e.ExtraCounted((), ("Ann", "Ben", "Cas"), (), (("Cas",), ("Ann", "Ben"))),
        "Extra rounds: Cas, then Ann and Ben",
    ),
    (e.LotsDrawn((), ("Ben", "Ann")), "The ballot between tied players: Ben, then Ann"),
    (
        e.SessionEnded((), 1, (ANN,), ("Ann", "Ben")),
        "Session 1 is over; Ann leads with $1,500. Ann and Ben advance",
    ),
    (e.SessionEnded((), 2, (ANN,), ("Ann",)), "Session 2 is over; Ann leads with $1,500"),
    (
        e.SessionPrizesAwarded((), 1, (e.Payment(1, "Ann", 30000, 1, 1), e.Payment(2, "Ben", 10000, 2, 1))),
        "The prizes of session 1 are awarded: $400 to Ann and Ben",
    ),
    (
        e.PlacesAwarded((), (ANN, e.Standing(1, "Ben", 150000)), (), 50000),
        "The places are awarded; first place: Ann and Ben. The pool is $500",
    ),
    (e.PrizePaid((), e.Payment(1, "Ann", 30000, 1)), "Ann receives $300 for place 1"),
    (e.PrizePaid((), e.Payment(2, "Ann", 30000, 1, 2)), "Ann receives $300 for place 1 of session 2"),
    (e.BallotRevealed((), "5a"), "The seed of all ballots is published"),
    (
        e.Cancelled((), "the lights are out", (("Ann", 11000, 1000),), 0),
        "The tournament is cancelled: the lights are out. All fees are refunded, $110",
    ),
    (e.Completed(()), "Everything is paid: the tournament is over"),
]


@pytest.mark.parametrize(
    ("event", "words"), CASES, ids=lambda case: "" if isinstance(case, str) else type(case).__name__
)
def test_every_event_is_said_in_one_sentence(event: e.TournamentEvent, words: str):
    assert tournament_words(event) == words


def test_no_event_is_without_words_and_none_without_a_case():
    kinds = set(e.TournamentEvent.__subclasses__())
    assert set(SHORTER) <= kinds
    assert {type(event) for event, _ in CASES} == kinds


# --- the view ------------------------------------------------------------------------------------------

NAMES = "Ann Ben Cas Dan"
MONEY = {"fee": 11000, "commission": 1000, "chips": 100000}


ONE_EACH = (k.Session(name="Heats", rounds=2, advance=k.Advance(from_table=1)), HEATS[1])


def desk(**parts: Any) -> Desk:
    return Desk(**({"money": MONEY, "players": {"least": 2, "most": 4, "reserves": 1, "at_table": 4}} | parts))


def see(one: Desk, asker: str = "", hosting: Hosting = HERE) -> TournamentView:
    return tournament_view(one.state, hosting, asker)


def test_20_2_a_tournament_as_it_is_announced():
    one = desk()
    view = see(one)
    assert (view.phase, view.words, view.director) == ("draft", "being prepared", "")
    assert view.digest == digest(one.state.conditions)
    assert view.sessions == (SessionRow(1, "Final", "session", "2 rounds", "at the start"),)
    assert view.start == round(one.state.conditions.start.at.timestamp() * 1000)
    assert (view.fee, view.chips, view.least, view.most) == (11000, 100000, 2, 4)


def test_20_7_the_seed_of_the_ballots_leaves_when_it_is_revealed_and_not_before():
    one = desk(sessions=HEATS)
    steps: list[Callable[[], object]] = [
        one.open,
        lambda: one.enter(NAMES).do(c.CloseEntries()),
        one.drawn,
        one.seated,
        lambda: one.end(Ann=500000, Ben=400000),
        lambda: one.drawn().seated().end(Ann=500000),
        one.paid,
    ]
    for step in steps:
        step()
        everything = Hosting("spring", 9, happened=[(0, event) for event in one.events])
        for asker in ("", "Ann", "Director"):
            told = msgspec.json.encode(see(one, asker, everything)).decode()
            assert SEED not in told
            assert one.state.seed_hash in told
    one.do(c.RevealBallot(SEED))
    assert see(one).seed == SEED


def test_20_10_entries_reserves_and_what_is_mine():
    one = desk().open().enter(f"{NAMES} Rob")
    view = see(one, "Rob")
    assert view.mine == Mine("reserve", 0, 0, 0, seated=False, room="", bought_back=0)
    assert (view.reserves, view.pool, view.commission) == (1, 40000, 4000)
    assert see(one, "Zoe").mine is None
    row = tournament_row(one.state, "spring")
    assert (row.players, row.most, row.pool, row.words) == (4, 4, 40000, "open for entries")


def test_20_7_seats_rooms_and_who_sits():
    one = desk(sessions=ONE_EACH, players={"least": 4, "most": 4, "at_table": 2}).entered(NAMES).drawn()
    ann = one.state.players[0]
    hosting = Hosting("spring", 9, {(1, ann.table): "room7"})
    one.do(c.TakeSeat("Ann"))
    view = see(one, "Ann", hosting)
    assert view.words == "taking seats for Heats"
    assert view.mine == Mine("in", 0, ann.table, ann.box, seated=True, room="room7", bought_back=0)
    seats = {seat.player: seat.seated for table in view.tables for seat in table.seats}
    assert seats == {"Ann": True, "Ben": False, "Cas": False, "Dan": False}
    assert {table.table: table.room for table in view.tables} == {ann.table: "room7", 3 - ann.table: ""}
    one.seated(absent="Dan")
    view = see(one, "Ann", hosting)
    assert view.words == "playing Heats"
    assert view.mine is not None
    assert view.mine.chips == 100000
    dan = next(player for player in view.players if player.name == "Dan")
    assert (dan.status, dan.seated, dan.table) == ("forfeited", False, 0)
    assert {table.length for table in view.tables} == {2}


def test_20_18_standings_while_it_is_played_and_at_the_end():
    one = desk().playing(NAMES)
    one.round(Ann=150000, Ben=120000, Cas=120000, Dan=500)
    rows = [(row.place, row.player, row.chips) for row in see(one).standings]
    assert sorted(rows) == [(1, "Ann", 150000), (2, "Ben", 120000), (2, "Cas", 120000), (4, "Dan", 500)]
    one.end_tables(Ann=200000, Ben=120000, Cas=110000)
    assert see(one).words == "Final: all tables have finished"
    one.do(c.EndSession())
    assert see(one).words == "Final: finished"
    assert [row.player for row in see(one).results[0].standings][:3] == ["Ann", "Ben", "Cas"]
    one.do(c.AwardPlaces())
    view = see(one)
    assert [(row.place, row.player, row.prize) for row in view.standings][:2] == [(1, "Ann", 20000), (2, "Ben", 12000)]
    assert sum(row.amount for row in view.payments) == view.pool == 40000
    one.do(c.PayPrize(1))
    assert [row.paid for row in see(one).payments] == [True, False, False]


def test_20_3_a_ii_d_points_are_said_where_they_count():
    points = (k.Session(name="One", rounds=1, points=(7, 4)), k.Session(name="Two", rounds=1, points=(7, 4)))
    one = desk(sessions=points, structure={"format": "points"}).playing("Ann Ben Cas")
    one.end(Ann=300000, Ben=200000, Cas=200000)
    assert {row.player: row.points for row in see(one).standings} == {"Ann": "7", "Ben": "2", "Cas": "2"}
    assert {row.points for row in see(desk().playing(NAMES)).standings} == {""}


def test_20_3_a_ii_d_shared_points_are_written_as_decimals():
    points = (k.Session(name="One", rounds=1, points=(7, 4, 3)), k.Session(name="Two", rounds=1, points=(7, 4)))
    one = desk(sessions=points, structure={"format": "points"}).playing("Ann Ben Cas")
    one.end(Ann=300000, Ben=200000, Cas=200000)
    assert {row.player: row.points for row in see(one).standings} == {"Ann": "7", "Ben": "3.5", "Cas": "3.5"}


def test_20_16_a_break_has_an_end():
    one = desk().playing(NAMES)
    (called,) = one.do(c.CallBreak(10))
    view = see(one, hosting=Hosting("spring", 9, happened=[(1000, called)]))
    assert (view.pause, view.pause_ends, view.words) == (10, 601_000, "Final: break")
    one.do(c.EndBreak())
    assert see(one, hosting=Hosting("spring", 9, happened=[(1000, called)])).pause_ends == 0


def test_20_7_another_start_and_one_the_director_calls():
    one = desk(sessions=HEATS).open()
    one.do(c.MoveStart(1_900_000_000_000, 30))
    assert see(one).start == 1_900_000_000_000
    one.enter(NAMES).do(c.CloseEntries())
    one.drawn().seated()
    assert see(one).start == 0
    one.end(Ann=200000, Ben=150000)
    assert see(one).start == 0
    assert see(one).sessions[1].starts == "after Heats, when the director calls it"


def test_20_12_the_graph_has_the_leaders_and_the_asker():
    names = [f"P{number:02}" for number in range(40)]
    one = desk(players={"least": 2, "most": 40, "at_table": 7}, sessions=(k.Session(name="All", rounds=9),)).playing(
        " ".join(names)
    )
    one.round(P39=900000, P38=800000)
    history = {name: [(0, 100000), (1, 1)] for name in names}
    lines = see(one, "P30", Hosting("spring", 9, history=history)).history
    assert [line.player for line in lines][:2] == ["P39", "P38"]
    assert lines[-1].player == "P30"
    assert len(lines) == LINES + 1
    assert lines[0].points == ((0, 100000), (1, 1))


def test_20_3_a_xi_d_equal_players_find_the_table_of_their_extra_rounds():
    one = desk(sessions=HEATS, players={"least": 4, "most": 4, "at_table": 4}).playing(NAMES)
    one.end_tables(Ann=150000, Ben=120000, Cas=120000)
    hosting = Hosting("spring", 9, {(1, 1): "old"}, extra={"Ben": "new", "Cas": "new"})
    view = see(one, "Ben", hosting)
    assert view.words == "Heats: tie-break in progress"
    assert view.ties == (TieRow(("Ben", "Cas"), "extra_rounds", ("new",)),)
    assert [mine.room for who in ("Ben", "Ann") if (mine := see(one, who, hosting).mine)] == ["new", "old"]


def test_20_13_a_ruling_that_waits_is_shown_and_not_yet_made():
    one = desk().playing(NAMES)
    view = see(one, hosting=Hosting("spring", 9, waiting=[("Director", "Disqualify")]))
    assert view.waiting == (WaitingRow("Director", "Disqualify"),)
    assert {player.status for player in view.players} == {"in"}


def test_what_is_told_are_the_last_sentences_without_counts_and_markers():
    one = desk(sessions=(k.Session(name="Long", rounds=100),)).playing(NAMES)
    for number in range(60):
        one.do(c.Direct(f"word {number}", "20.17"))
        one.round(Ann=100000 + number)
    told = see(one, hosting=Hosting("spring", 9, happened=list(enumerate(one.events)))).told
    assert len(told) == TOLD
    assert told[-1].words == "The director to all: word 59"
    assert told[-1].clauses == ("20.17",)
    assert not [line for line in told if "marker" in line.words or "round" in line.words]


def test_20_3_a_ii_c_who_would_advance_is_marked_while_a_session_is_played():
    sessions = (
        k.Session(name="Heats", rounds=2, advance=k.Advance(from_table=2)),
        k.Session(name="Final", rounds=2),
    )
    one = desk(sessions=sessions).playing("Ann Ben Cas")
    assert len(see(one).leading) == 2
    assert see(desk().playing(NAMES)).leading == (), "nobody advances from the only session"
    assert see(desk()).leading == ()
