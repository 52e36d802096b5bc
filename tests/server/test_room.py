"""Rooms under all five rulebooks: creating a table, opening, waiting, continuing, pausing."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pontoon.engine import Double, Hit, Insure, PlaceWager, Refusal, Split, Stand
from pontoon.engine import commands as e
from pontoon.engine.events import PlayerWasAbsent
from pontoon.ledger import BANK, wallet
from pontoon.rulebook import NAMES, canonical, digest, load
from pontoon.server.problems import Problem
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.commands import MakeTable
from pontoon.server.rooms.decide import Decided
from pontoon.server.rooms.live import Live
from pontoon.server.rooms.log import TableMade, read_body
from pontoon.server.rooms.room import make_draft
from pontoon.server.rooms.settings import Clocks, Settings, rules_of, table_of
from pontoon.server.wire import MalformedError, read_as
from pontoon.store.model import Append, entries_of
from pontoon.table import commands as c
from pontoon.table.events import InRound
from tests.server.hall import CLOCKS, ID, MAKER, STIFF, Hall, kept, name_of

# --- a table is made -----------------------------------------------------------------------------------


@pytest.mark.parametrize("book", NAMES)
@pytest.mark.parametrize("known", [{}, {"split.max_hands": 2}], ids=["as it is", "overridden"])
def test_rulebook_overrides_and_digest_are_pinned_in_the_first_event(book, known):
    hall = Hall(book, overrides=known, name="Corner")
    (event,) = read_body(hall.entries[0].body).events
    assert isinstance(event, TableMade)
    assert (event.id, event.by, event.settings.rulebook, event.settings.overrides) == (ID, MAKER, book, known)
    assert event.digest == digest(load(book, known)) == hall.state.digest
    assert event.book == canonical(load(book, known)) == canonical(hall.table.rules)
    assert (event.digest == digest(load(book))) == (not known or load(book).split.max_hands == 2)
    assert hall.table.rules.overrides == load(book, known).overrides
    assert read_body(hall.entries[0].body).did == MakeTable()


BAD: dict[str, tuple[dict[str, Any], str, str]] = {
    "no such rulebook": ({"rulebook": "macau"}, "malformed", "no rulebook 'macau'"),
    "no such rule": ({"rulebook": "star", "overrides": {"split.hands": 4}}, "malformed", "split.hands"),
    "a rule of another kind": (
        {"rulebook": "star", "overrides": {"split.max_hands": "four"}},
        "malformed",
        "max_hands",
    ),
    "limits crossed": ({"rulebook": "star", "minimum": 900, "maximum": 800}, "malformed", "above the maximum"),
    "too few packs": ({"rulebook": "division-15", "packs": 3}, "packs_not_allowed", "3"),
    "a device": ({"rulebook": "federal", "device": "continuous"}, "device_not_allowed", "continuous"),
    "a joker": ({"rulebook": "star", "joker": True}, "no_joker", ""),
    "two cutting cards": ({"rulebook": "star", "cutting_cards": 2}, "too_many_cutting_cards", ""),
    "face down": ({"rulebook": "canberra", "face_down": True}, "no_face_down_cards", ""),
    "sealed": ({"rulebook": "canberra", "sealed": True}, "no_sealed_cards", ""),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_settings_give_one_clear_problem(name):
    facts, code, words = BAD[name]
    problem = make_draft(Settings(**facts), ID, MAKER, "player", "")
    assert isinstance(problem, Problem)
    rules = rules_of(Settings(**facts))
    assert (rules if isinstance(rules, Problem) else table_of(Settings(**facts), rules)) == problem
    assert problem.code == code
    assert words in problem.words
    assert "\n" not in problem.words


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"rulebook": "star", "packs": 9},
        {"rulebook": "star", "minimum": -1},
        {"rulebook": "star", "mode": "by hand"},
        {"rulebook": "star", "seats": 3},
        {"rulebook": "star", "clocks": {"card": 60_000}},
        {"rulebook": "star", "name": "x" * 61},
    ],
)
def test_settings_that_cannot_be_read_are_malformed(data):
    with pytest.raises(MalformedError):
        read_as(data, Settings)


# --- opening and closing -------------------------------------------------------------------------------


@pytest.mark.parametrize("book", NAMES)
def test_a_new_table_opens_by_itself_and_waits_for_wagers(book):
    hall = Hall(book)
    plans = [hall.step()[0]]
    if load(book).shoe.spread == "required":  # the cards are shown to the first player, who must arrive first
        hall.run(lambda hall: set(hall.table.rules.shoe.checked_by) <= set(hall.table.checked))
        plan = hall.room.plan()
        assert plan is not None
        refused = hall.room.decide(hall.state, plan)
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.clauses) == ("nobody_saw_the_cards", ("6.2", "6.4"))
        hall.do("Ann", c.Sit("", 1))
        hall.step()
        hall.do("Ann", c.Leave(""))
    while hall.state.moment.kind != "wagers":
        plans.append(hall.step()[0])
    assert isinstance(plans[0].command, c.Open)
    waits = 15 * 60_000 if book == "adelaide" else 0  # 32: for the first player, or a quarter of an hour
    assert {plan.delay for plan in plans if isinstance(plan.command, c.ShowCards)} <= {waits}
    assert {(plan.delay, plan.by) for plan in plans if not isinstance(plan.command, c.ShowCards)} == {(0, "dealer")}
    names = [type(plan.command).__name__ for plan in plans]
    assert names[-4:] == ["Shuffle", "CommitShoe", "Cut", "PlaceCuttingCard"]
    assert hall.room.plan() is None, "nobody bets, nobody deals"


def test_a_table_paused_before_it_opened_opens_when_it_goes_on():
    hall = Hall("star")
    hall.do(MAKER, r.Pause("not yet"), r.SetPace(0, 1000))
    assert hall.room.plan() is None
    hall.do(MAKER, r.Resume())
    plan = hall.room.plan()
    assert plan is not None
    assert plan.command == c.Open()


def test_a_closed_table_reveals_its_shoe_and_waits_for_somebody_to_open_it():
    hall = Hall("canberra").ready()
    seed = hall.room.program.keeper.seed.hex()
    hall.do(MAKER, c.Close())
    plan, events = hall.step()
    assert plan.command == c.RevealShoe(seed)
    assert [name_of(event) for event in events] == ["ShoeRevealed"]
    assert hall.room.plan() is None
    hall.no("Ann", c.Open(), "not_yours")
    hall.do(MAKER, c.Open())
    hall.to("wagers")
    assert hall.room.program.keeper.seed.hex() != seed


# --- whom the room waits for, and how long -------------------------------------------------------------


def test_a_cut_is_waited_for_and_each_player_has_the_whole_time():
    hall = Hall("star", clocks=CLOCKS)
    hall.step()
    hall.do("Ann", c.Sit("", 1))
    hall.do("Ben", c.Sit("", 2))
    hall.to("cut")
    commit = hall.room.plan()
    assert commit is not None
    assert isinstance(commit.command, c.CommitShoe)
    hall.step()
    plan = hall.room.plan()
    assert plan is not None
    assert (plan.delay, plan.by, plan.command) == (7_000, "clock", c.Cut("Ann", hall.table.shoe.left // 2))
    since = hall.state.since
    hall.then("Ann", r.Pass(), "CutDeclined")
    assert hall.state.moment.players == ("Ben",)
    assert hall.state.since > since, "a new moment begins"
    hall.no("Ben", c.Cut("", 100), "stale", seen=since)
    hall.do("Ben", c.Cut("", 100), seen=hall.room.version)
    plan = hall.room.plan()
    assert plan is not None
    assert (plan.delay, plan.by) == (0, "dealer")


def test_passing_the_cut_hands_it_to_the_dealer_at_once():
    hall = Hall("adelaide", clocks=CLOCKS)
    hall.step()
    hall.do("Ann", c.Sit("", 1))
    hall.to("cut").step()
    hall.do("Ann", r.Pass())
    plan, _ = hall.step()
    assert (plan.delay, plan.by) == (0, "dealer")
    assert isinstance(plan.command, c.Cut)
    assert plan.command.by == "dealer"


@pytest.mark.parametrize("book", NAMES)
def test_betting_runs_from_the_first_wager_and_ends_early_when_everybody_has_passed(book):
    hall = Hall(book, clocks=CLOCKS).ready("Ann 1", "Ben 2")
    assert hall.room.plan() is None
    hall.bet("1 Ann 10")
    plan = hall.room.plan()
    assert plan is not None
    assert (plan.delay, plan.by, plan.command) == (11_000, "clock", c.Play(e.CallNoMoreBets()))
    hall.then("Ann", r.Pass(), "Passed")
    hall.no("Ann", r.Pass(), "nothing_to_pass")
    assert hall.room.plan() == plan, "Ben may still bet"
    hall.do("Ben", r.Pass())
    plan, events = hall.step()
    assert (plan.delay, plan.by) == (300, "dealer")
    assert set(load(book).cites.no_more_bets) <= {clause for event in events for clause in event.clauses}  # type: ignore[union-attr]
    assert hall.state.passed == (), "the next moment asks anew"


def test_somebody_who_bets_without_a_seat_is_waited_for_too():
    hall = Hall("star", clocks=CLOCKS).ready("Ann 1").bet("1 Ann 10", "3 Eve 10")
    hall.do("Ann", r.Pass())
    plan = hall.room.plan()
    assert plan is not None
    assert plan.by == "clock"
    hall.do("Eve", r.Pass())
    plan = hall.room.plan()
    assert plan is not None
    assert plan.by == "dealer"


OFFERS = {
    "adelaide insurance": ("adelaide", "9c 9d Ah 7s 8s", None),
    "star surrender": ("star", "Kc Kd Kh 6s 6d", None),
    "star forfeit": ("star", "5c 9d 8h 6s 9h 2c", Double(1)),
}


@pytest.mark.parametrize("name", OFFERS)
def test_an_offer_is_waited_for_and_ends_early_when_everybody_has_passed(name):
    book, cards, command = OFFERS[name]
    hall = Hall(book, clocks=CLOCKS).ready("Ann 1", "Ben 2").dealt(cards, "1 Ann 10", "2 Ben 10")
    if command is not None:
        hall.to("decision").do("Ann", command)
    hall.run(lambda hall: hall.state.moment.kind == "offer")
    plan = hall.room.plan()
    assert plan is not None
    assert (plan.delay, plan.by, plan.command) == (7_000, "clock", c.Play(e.CloseOffer()))
    for player in hall.state.moment.players:
        hall.do(player, r.Pass())
    plan = hall.room.plan()
    assert plan is not None
    assert (plan.delay, plan.by, plan.command) == (300, "dealer", c.Play(e.CloseOffer()))


def test_insurance_in_full_is_an_answer():
    hall = Hall("adelaide", clocks=CLOCKS).ready("Ann 1").dealt("9c Ah 7s", "1 Ann 10")
    assert hall.state.moment.kind == "offer"
    hall.do("Ann", Insure(1, "", 500))
    plan = hall.room.plan()
    assert plan is not None
    assert plan.by == "dealer"


@pytest.mark.parametrize(("cards", "command"), [("8c 7d 8s", Split(1)), ("5c 7d 6s", Double(1))])
def test_joining_a_split_or_a_double_is_waited_for(cards, command):
    hall = Hall("star", clocks=CLOCKS).ready("Ann 1").dealt(cards, "1 Ann 10", "1 Ben 10", "1 Cal 10")
    hall.do("Ann", command)
    assert (hall.state.moment.kind, hall.state.moment.players) == ("join", ("Ben", "Cal"))
    plan = hall.room.plan()
    assert plan is not None
    assert (plan.delay, plan.by, plan.command) == (7_000, "clock", c.Deal())
    hall.no("Ann", r.Pass(), "nothing_to_pass")
    hall.do("Ben", r.Pass())
    hall.do("Cal", replace(command, player=""))
    plan = hall.room.plan()
    assert plan is not None
    assert (plan.delay, plan.by) == (300, "dealer")


@pytest.mark.parametrize("book", NAMES)
def test_a_player_who_does_not_decide_in_time_is_absent_under_the_documents_clause(book):
    hall = Hall(book, clocks=CLOCKS).ready("Ann 1").dealt("2c 7d 3s", "1 Ann 10")
    assert (hall.state.moment.kind, hall.state.moment.players) == ("decision", ("Ann",))
    hall.no("Ann", r.Pass(), "nothing_to_pass")
    plan, events = hall.step()
    assert (plan.delay, plan.by, plan.command) == (22_000, "clock", c.Play(e.Absent(1)))
    absent = [
        event.event for event in events if isinstance(event, InRound) and isinstance(event.event, PlayerWasAbsent)
    ]
    assert len(absent) == 1
    assert absent[0].clauses == load(book).clauses("draw.absent_below")
    assert hall.entries[-1].by == "clock"
    assert hall.phase("ready").state.version


def test_the_pace_is_changed_for_cards_and_decisions():
    hall = Hall("star", clocks=CLOCKS).ready("Ann 1")
    hall.no("Ann", r.SetPace(0, 1000), "not_yours")
    hall.then(MAKER, r.SetPace(50, 5_000), "PaceSet")
    hall.dealt(STIFF, "1 Ann 10")
    plan = hall.room.plan()
    assert plan is not None
    assert plan.delay == 5_000


def test_the_clock_starts_again_after_a_pause_and_at_the_first_wager():
    hall = Hall("star").ready("Ann 1")
    live = Live(hall.room, 0.0)

    def at(now: float, who: str, command: Any) -> float:
        decided = hall.ask(who, command)
        assert isinstance(decided, Decided)
        entry = entries_of(Append("table/T1", hall.room.version, 0, (decided.draft,)), "")
        live.apply(entry, now)
        return live.began

    assert at(10.0, "Ann", PlaceWager(1, "", 1000)) == 10.0
    assert at(11.0, "Ann", PlaceWager(2, "", 1000)) == 10.0
    assert at(12.0, MAKER, r.Pause()) == 10.0
    assert at(60.0, MAKER, r.Resume()) == 60.0
    assert at(61.0, "Ann", e.TakeBack(1, "")) == 60.0
    assert at(62.0, "Ann", e.TakeBack(2, "")) == 60.0
    assert at(90.0, "Ann", PlaceWager(3, "", 1000)) == 90.0, "the layout was empty"


# --- bots ----------------------------------------------------------------------------------------------


def test_bots_bet_with_people_decide_and_leave():
    hall = Hall("star", clocks=CLOCKS).ready("Ann 1")
    hall.no("Ann", r.SeatBot(2), "not_yours")
    hall.no(MAKER, r.SeatBot(2, "clever"), "malformed")
    hall.no(MAKER, r.SeatBot(2, stake=501), "malformed")
    hall.no(MAKER, r.SeatBot(2, stake=100), "malformed")
    hall.no(MAKER, r.SeatBot(2, stake=10**9), "malformed")
    hall.no(MAKER, r.SeatBot(9), "no_such_box")
    hall.no(MAKER, r.SeatBot(1), "seat_taken")
    hall.then(MAKER, r.SeatBot(2), "PlayerSat BotSeated")
    hall.then(MAKER, r.SeatBot(3, "absent", 1000), "PlayerSat BotSeated")
    moved = {posting.account: posting.amount for posting in hall.entries[-1].postings}
    assert moved == {BANK: -1_000_000, wallet("bot T1 3"): 1_000_000}
    assert hall.room.plan() is None, "no person bets"
    hall.bet("1 Ann 10")
    assert [hall.step()[0].by for _ in range(2)] == ["bot T1 2", "bot T1 3"]
    assert [(box.number, box.bettors[0].stake) for box in hall.table.round.boxes] == [(1, 1000), (2, 500), (3, 1000)]  # type: ignore[union-attr]
    hall.to("decision")
    while hall.table.phase == "round":
        plan, _ = hall.step()
        if plan.by.startswith("bot"):
            assert plan.delay == 300
    assert any(entry.by == "bot T1 2" for entry in hall.entries)
    hall.phase("ready").no(MAKER, r.RemoveBot("Ann"), "seat_of_a_bot")
    hall.then(MAKER, r.RemoveBot("bot T1 3"), "PlayerLeft BotLeft")
    assert [bot.player for bot in hall.state.bots] == ["bot T1 2"]
    assert len(kept(hall)) == 1


def test_a_bot_that_lost_its_seat_is_still_sent_away():
    hall = Hall("canberra").ready()
    hall.do(MAKER, r.SeatBot(1))
    hall.do("Olive, casino supervisor", c.Exclude("bot T1 1", "dealer", "a program that counts"))
    hall.then(MAKER, r.RemoveBot("bot T1 1"), "BotLeft")


def test_a_bot_that_may_not_bet_does_not_keep_the_others_from_it():
    hall = Hall("canberra", bots_alone=True).ready()
    hall.do(MAKER, r.SeatBot(1), r.SeatBot(2))
    hall.do("Olive, casino supervisor", c.Exclude("bot T1 1", "dealer", "a program that counts"))
    assert hall.step()[0].by == "bot T1 2"


@pytest.mark.parametrize("kind", ["chart", "random", "absent"])
def test_bots_alone_play_on_at_a_demonstration(kind):
    hall = Hall("division-15", bots_alone=True, clocks=Clocks(card=0))
    hall.step()
    hall.do(MAKER, r.SeatBot(1, kind), r.SeatBot(2, kind))
    hall.run(lambda hall: len(kept(hall)) == 3)
    assert all([player for player, _, _ in event.players] == ["bot T1 1", "bot T1 2"] for event in kept(hall))


# --- the game is held ----------------------------------------------------------------------------------


def test_pause_and_resume():
    hall = Hall("star").ready("Ann 1").dealt(STIFF, "1 Ann 10")
    hall.no("Ann", r.Pause(), "not_yours")
    hall.no("Olive, dealer", r.Pause(), "forbidden")
    hall.no(MAKER, r.Resume(), "not_paused")
    hall.then(MAKER, r.Pause("a phone call"), "PlayPaused")
    assert hall.room.plan() is None
    assert "a phone call" in hall.no("Ann", Stand(1), "paused").words
    hall.no("Ann", r.Pass(), "paused")
    hall.no(MAKER, r.Pause(), "paused")
    hall.do("Ben", c.Sit("", 2))
    hall.then("Olive, inspector", r.Resume(), "PlayResumed")
    hall.do("Ann", Stand(1))
    hall.do(MAKER, r.Pause())
    assert hall.state.paused == "paused"


def test_a_cut_is_held_too():
    hall = Hall("star")
    hall.step()
    hall.do("Ann", c.Sit("", 1))
    hall.to("cut").step()
    hall.do(MAKER, r.Pause())
    hall.no("Ann", c.Cut("", 100), "paused")
    hall.no("Ann", c.DeclineCut(""), "paused")


# --- versions and keys ---------------------------------------------------------------------------------


def test_an_answer_to_an_unseen_prompt_is_stale():
    hall = Hall("star").ready("Ann 1", "Ben 2")
    before = hall.room.version
    hall.bet("1 Ann 10")
    hall.do("Ben", PlaceWager(2, "", 1000), seen=before)
    hall.stacked("9c 8d 7s 9h 8s").to("decision")
    hall.no("Ann", Hit(1), "stale", seen=before)
    hall.no("Ann", Hit(1), "stale", seen=hall.room.version + 1)
    hall.no("Ann", r.Pass(), "stale", seen=before)
    hall.do("Cal", c.Sit("", 3), seen=before)
    hall.do("Ann", Stand(1), seen=hall.state.since)
    hall.no("Ben", Stand(2), "stale", seen=hall.state.since - 1)
    hall.do("Ben", Stand(2))
