"""The floor: floats, walk-ups, a mistyped card taken back, payments that differ, incidents."""

from __future__ import annotations

from collections import Counter

import pytest

from pontoon.engine import CallNoMoreBets, PlaceWager, Stand
from pontoon.engine import commands as e
from pontoon.engine.events import CardDealt
from pontoon.server.floor.console import console_of
from pontoon.server.floor.desk import HAPPENED, candidates
from pontoon.server.records.history import _in_round
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.log import read_body
from pontoon.table import commands as c
from tests.server.hall import ID, Hall
from tests.server.test_rulings import DON, floor

GRACE = "Grace, game_supervisor"


def balances(hall: Hall) -> Counter[str]:
    """Every account, from the postings of all entries."""
    totals: Counter[str] = Counter()
    for entry in hall.entries:
        assert sum(posting.amount for posting in entry.postings) == 0
        for posting in entry.postings:
            totals[posting.account] += posting.amount
    return totals


def begun(*cards: str) -> Hall:
    """A walk-up and Ann have bet ten dollars each, and these cards are dealt."""
    hall = floor("canberra")
    hall.do(DON, PlaceWager(1, "Ann", 1000), PlaceWager(3, "Seat 3", 1000), CallNoMoreBets())
    for card in cards:
        hall.do(DON, c.Deal(card))
    return hall


def test_a_walk_up_bets_without_an_account_and_the_tray_balances():
    hall = floor("canberra")
    hall.no(DON, r.MoveChips("fill", 5000), "no_float")
    hall.no(DON, r.MoveChips("opening", 50_000, chips=((2500, 19), (500, 4))), "float_differs")
    hall.do(DON, r.MoveChips("opening", 50_000, chips=((2500, 19), (500, 5))))
    hall.do(DON, r.MoveChips("buy_in", 20_000, "Seat 3"), r.MoveChips("fill", 10_000, slip="88214"))
    hall.no(DON, r.MoveChips("buy_in", 100, "Somebody"), "malformed")
    assert hall.state.floor.tray == 40_000
    hall.do(DON, PlaceWager(3, "Seat 3", 1000), CallNoMoreBets())
    for card in ("9c", "8d", "9h"):
        hall.do(DON, c.Deal(card))
    hall.do(DON, Stand(3, "Seat 3"), c.Deal("Kd"), c.Collect())  # 18 against 18
    assert hall.state.floor.tray == 40_000
    hall.do(DON, r.MoveChips("cash_out", 20_000, "Seat 3"), r.MoveChips("credit", 10_000))
    hall.do(DON, r.MoveChips("closing", chips=((2500, 12),)))
    assert (hall.state.floor.tray, hall.state.floor.off) == (30_000, 0)
    totals = balances(hall)
    assert totals[f"patron/{ID}/Seat 3"] == totals[f"difference/{ID}"] == 0
    assert (totals[f"drop/{ID}"], totals[f"float/{ID}"] + totals[f"house/{ID}"]) == (20_000, 30_000)


def test_a_closing_count_that_differs_is_on_record():
    hall = floor("canberra")
    hall.do(DON, r.MoveChips("opening", 50_000), r.MoveChips("closing", 47_500))
    assert hall.state.floor.off == -2500
    assert balances(hall)[f"difference/{ID}"] == 2500


def test_a_mistyped_card_is_taken_back_and_both_entries_stay():
    hall = begun("9c", "8d")
    before = hall.state
    hall.do(DON, c.Deal("Kd"), c.Deal("7s"))
    hall.then(DON, r.UndoCard(), "CardUndone")
    hall.then(DON, r.UndoCard(), "CardUndone")
    assert (hall.table, hall.state.moved) == (before.table, before.moved)
    hall.do(DON, c.Deal("Kh"))
    hall.then(DON, r.UndoCard(), "CardUndone")
    hall.do(DON, c.Deal("Ks"), c.Deal("7s"), c.Deal("9s"))
    bodies = [read_body(entry.body) for entry in hall.entries]
    dealt = [event.card for event in _in_round(bodies, 1) if isinstance(event, CardDealt)]
    assert " ".join(dealt) == "9c 8d Ks 7s 9s"


def test_what_a_mistyped_card_paid_goes_back():
    hall = begun("Ac", "8d", "9s", "Kd", "9s")
    assert balances(hall)["wallet/Ann"] == 1500 - 1000 + 1000
    hall.do(DON, r.UndoCard(), r.UndoCard())
    assert balances(hall)["wallet/Ann"] == -1000
    hall.do(DON, c.Deal("5d"))
    assert hall.table.round is not None
    assert hall.table.round.boxes[0].hands[0].cards == ("Ac", "5d")


def test_nothing_is_undone_once_somebody_has_acted():
    hall = begun("9c", "8d", "7s", "8h", "9d")
    hall.do("Ann", Stand(1))
    hall.no(DON, r.UndoCard(), "nothing_to_undo")
    hall.no("Ann", r.UndoCard(), "forbidden")


def test_another_payment_than_was_due_moves_money_and_opens_an_incident():
    hall = begun("Ac", "8d", "9s", "Kd", "9s")
    hall.no(DON, r.NotePayment(1, "Ann", 1500), "paid_as_due")
    hall.no(DON, r.NotePayment(2, "Ann", 1500), "nothing_settled")
    hall.do(DON, r.NotePayment(1, "Ann", 2000))
    assert hall.entries[-1].marks == ("incident", "incident:1")
    assert balances(hall)["wallet/Ann"] == 2000
    assert hall.state.floor.incident == 0, "nothing is held, so it is over"


HELD: tuple[r.Asked, ...] = (
    c.Deal("9d"), e.Hit(1), e.Stand(1), e.CloseOffer(), e.PlaceWager(2, "Ann", 1000), c.Collect(), c.Shuffle()
)  # fmt: skip


@pytest.mark.parametrize("command", HELD, ids=lambda command: type(command).__name__)
def test_a_dealer_deals_nothing_while_play_is_held(command):
    hall = begun("9c", "8d", "7s", "8h", "9d")
    hall.do(DON, r.CallSupervisor("a card was burned"))
    no = hall.no(DON, command, "paused")
    assert no.words == "play is held until a supervisor resumes it: a card was burned"


def test_a_dealer_waits_for_the_second_person_but_counts_chips_meanwhile():
    hall = floor("adelaide")
    hall.do(DON, r.MoveChips("opening", 500_000), PlaceWager(1, "Ann", 1000), CallNoMoreBets())
    hall.do(DON, *map(c.Deal, ("9c", "8d", "7s")))
    hall.do(GRACE, e.VoidRound())
    hall.no(DON, e.Stand(1), "paused")
    hall.do(DON, r.MoveChips("count", 500_000))


def test_an_incident_goes_from_the_call_to_the_ruling_and_ends_when_play_goes_on():
    hall = begun("9c", "8d", "7s", "8h", "9d")
    hall.do(DON, r.CallSupervisor("a card was burned"))
    hall.no(DON, r.CallSupervisor("again"), "paused")
    hall.do(GRACE, e.VoidBox(1))
    hall.do(GRACE, r.Resume())
    assert [entry.marks for entry in hall.entries[-3:]] == [
        ("incident", "incident:1"),
        ("incident:1",),
        ("incident:1",),
    ]
    hall.do(GRACE, e.VoidBox(3))
    assert hall.entries[-1].marks == ("incident", "incident:2")


@pytest.mark.parametrize("book", ["canberra", "adelaide", "division-15", "star", "federal"])
def test_the_console_leads_through_a_whole_round(book):
    """Every act with a command can be carried out as it is offered, from the closed table to the collected cards."""
    hall = Hall(book, mode="floor")
    cards = iter(["9c", "8d", "7s", "8h", "9d", "5h", "6c", "Kd", "4s", "3d", "9h", "8s", "7d"])
    acts: list[str] = []
    for _ in range(60):
        act = console_of(hall.state, {}).act
        acts.append(act.kind)
        if act.kind == "deal":
            hall.do(DON, c.Deal(next(cards)))
        elif act.kind == "ask" and hall.table.phase == "ready":
            hall.do(DON, PlaceWager(1, "Seat 1", 1000), PlaceWager(4, "Seat 4", 1000))
        elif act.kind == "ask":
            hall.do(DON, Stand(act.box, f"Seat {act.box}"))
        elif act.command is None or isinstance(act.command, c.ShowCards):
            hall.do(DON, c.ShowCards("Seat 1", 60))
        else:
            who = DON if act.by == "dealer" else f"Olga, {act.by}"
            hall.do(who, act.command)
        assert act.words
        assert act.clauses or book in ("star", "federal"), act
        if hall.table.finished:
            break
    assert hall.table.finished
    assert {"deal", "ask", "announce", "prepare"} <= set(acts)


def test_a_card_the_packs_cannot_hold_is_refused_and_the_console_shows_it():
    """The table has three packs, so the fourth 2c is an error."""
    hall = begun("2c", "2c", "2c")
    assert "2c" in console_of(hall.state, {}).none_left
    hall.no(DON, c.Deal("2c"), "no_such_card_left")
    hall.do(DON, c.Deal("2d"))


def test_without_a_float_nobody_knows_what_the_tray_holds():
    hall = floor("canberra")
    hall.do(DON, r.MoveChips("buy_in", 20_000, "Seat 3"))
    before = hall.state.floor
    hall.do(DON, r.MoveChips("opening", 50_000))
    after = hall.state.floor
    assert (before.tray, after.tray, after.off) == (None, 50_000, 0)


def test_a_dealer_takes_over_in_their_own_name():
    hall = floor("adelaide")
    hall.do("Dora, dealer", c.ChangeDealer("Somebody"))
    assert hall.table.dealer_name == console_of(hall.state, {}).dealer == "Dora"
    hall.do(GRACE, c.ChangeDealer("Don"))
    hall.do(DON, PlaceWager(1, "Seat 1", 1000), CallNoMoreBets())
    hall.no("Dora, dealer", c.ChangeDealer("Dora"), "dealer_finishes")
    hall.do("Dora, dealer", c.ChangeDealer("Dora", "Don is taken ill"))
    assert hall.table.dealer_name == "Dora"


def test_what_a_dealer_can_report_is_what_a_supervisor_can_choose():
    """Every ruling answers something that is listed, and everything listed has its words."""
    hall = begun("9c", "8d", "7s", "8h", "9d")
    about = {name for name, _, _ in candidates(hall.state)}
    assert about == set(HAPPENED)
    words = console_of(hall.state, {}).happened
    assert len(words) == len(HAPPENED) - 1
    assert "Card on the wrong box" in words


def opened(book: str, device: str = "manual") -> Hall:
    """A table with Ann at box 1 that waits for wagers."""
    hall = Hall(book, mode="floor", device=device)
    while (act := console_of(hall.state, {}).act).kind != "ask":
        who = DON if act.by == "dealer" else f"Olga, {act.by}"
        hall.do(who, c.ShowCards("Ann") if act.command is None else act.command)
        if hall.table.phase == "preparing" and not hall.table.seats:
            hall.do(DON, c.Sit("Ann", 1))
    return hall


@pytest.mark.parametrize(
    ("book", "device", "words"),
    [
        ("adelaide", "continuous", "The shuffler jammed: clear it"),
        ("canberra", "shuffling_shoe", "The shuffler failed: shuffle by hand"),
        ("adelaide", "manual", "Seat 3 declines control of box 3"),
        ("canberra", "manual", "Say how many packs, and how they are shuffled"),
        ("division-15", "manual", "Show Ann the burned card"),
    ],
)
def test_what_else_a_dealer_may_do_is_offered_and_can_be_done(book, device, words):
    """What the menu offers is accepted from the dealer as it is offered."""
    hall = opened(book, device)
    hall.do(DON, PlaceWager(3, "Seat 3", 1000))
    others = {one.words: one.command for one in console_of(hall.state, {}).others}
    assert words in others
    hall.do(DON, others[words])


def test_a_dealer_shuffles_when_everyone_has_left_and_when_a_card_was_seen():
    hall = opened("adelaide")
    hall.do(DON, c.Leave("Ann"))
    (vacant,) = (one.command for one in console_of(hall.state, {}).others if "Everyone has left" in one.words)
    hall.do(DON, vacant, c.Shuffle())
    (seen,) = (one.command for one in console_of(hall.state, {}).others if "was seen" in one.words)
    hall.do(DON, seen, c.Shuffle())
    assert hall.table.phase == "shuffled"


@pytest.mark.parametrize(("book", "device"), [("canberra", "manual"), ("division-15", "batch"), ("adelaide", "manual")])
def test_the_console_leads_through_new_cards_and_the_second_set(book, device):
    """The person who must check other cards before their first shuffle is asked to."""
    hall = opened(book, device)
    if device == "batch":
        hall.do(GRACE, c.OrderShuffle("game_supervisor", "suspect", "a bent card"))
    else:
        hall.do("Carl, casino_supervisor", c.ChangeCards("worn"))
    asked = []
    while (act := console_of(hall.state, {}).act).kind != "ask":
        asked.append(act.by)
        hall.do(DON if act.by == "dealer" else f"Olga, {act.by}", act.command or c.ShowCards("Ann"))
    assert {"dealer", *hall.table.rules.shoe.checked_by} <= set(asked)
    hall.do(DON, PlaceWager(1, "Ann", 1000))


def test_a_reconstruction_begins_with_the_cards_in_the_order_of_the_shoe():
    hall = begun("9c", "8d", "7s", "9h", "3d")
    hall.do(DON, e.Split(1), c.Deal("Ks"), Stand(1), c.Deal("5h"), Stand(1), e.Hit(3), c.Deal("4c"))
    offered = [
        one for _, one, _ in candidates(hall.state) if isinstance(one, c.Reconstruct) and one.way == "dealt_again"
    ]
    assert offered[0].cards == ("9c", "8d", "7s", "9h", "3d", "Ks", "5h", "4c")
    assert Counter(offered[0].cards) == Counter(hall.table.of_round)
