"""The dealer program: its next step, who it waits for, and a shoe that runs out without a rule for it."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from msgspec.structs import replace

from pontoon.cards import JOKER, Card
from pontoon.engine import Absent, CallNoMoreBets, CloseOffer, Double, Hit, PlaceWager, Split, Stand
from pontoon.engine import commands as e
from pontoon.rulebook import NAMES, load
from pontoon.table import Table
from pontoon.table import commands as c
from pontoon.table.automatic import AutomaticTable
from pontoon.table.events import CardLeftShoe, CutOffered, DiscardsShuffled, Ruled, ShoeRevealed
from pontoon.table.fairness import verify
from pontoon.table.program import HOUSE, Moment, Program, moment
from pontoon.table.reconstruction import initial_deal_complete
from pontoon.table.shoe_keeper import ShoeKeeper
from tests.table.desk import LIMITS, Desk, name_of


def key(number: int) -> bytes:
    return hashlib.sha256(number.to_bytes(8, "big")).digest()


def automatic(book: str, **options: Any) -> AutomaticTable:
    rules = load(book)
    return AutomaticTable(Table(rules, min(rules.decks.allowed), LIMITS, **options), key)


def nobody(_: object) -> None:
    """No player answers anything."""


def wagers(*boxes: int) -> list[PlaceWager]:
    return [PlaceWager(box, f"P{box}", 1000) for box in boxes]


# --- whom the dealer waits for -------------------------------------------------------------------------

JOIN = "8c 7d 8s 9h"
"""Box 1 gets a pair of eights, the dealer a seven; a nine follows."""
FORFEIT = "5c 7d 6s 9h"
"""Box 1 gets eleven, the dealer a seven."""


def at_cut(book: str) -> Desk:
    return Desk(book).open("Ann 1", "Ben 2").shuffled()


def joined(book: str, first: str, command: e.Command, *behind: str) -> Desk:
    desk = Desk(book).ready("Ann 1", "Ben 2", cards=first)
    desk.bet("1 Ann 10", *behind).deal(3)
    desk.play(command)
    return desk


def after_decline(book: str) -> Desk:
    desk = at_cut(book)
    desk.do(c.DeclineCut("Ann"))
    return desk


def insured(book: str) -> Desk:
    """Ann has insured, Ben has not."""
    desk = Desk(book).ready("Ann 1", "Ben 2", cards="9c 8d Ah 7s 9h").bet("1 Ann 10", "2 Ben 10")
    desk.deal(5)
    return desk


def forfeit(book: str) -> Desk:
    desk = joined(book, FORFEIT, Double(1))
    desk.deal(1)
    return desk


def withdrawn(book: str) -> Desk:
    """The dealer's hand missed its first card, and it is noticed."""
    desk = Desk(book).ready("Ann 1", "Ben 2", cards="9c 8d 7s 9h").bet("1 Ann 10", "2 Ben 10")
    desk.do(c.Play(e.SkipDealer(), approver="inspector"))
    desk.deal(4)
    desk.no(c.Play(e.NoticeNoFirstCard(), approver="inspector"), "put_right", "105(a)", "47(d)")
    desk.play(Stand(1))
    desk.do(c.Play(e.NoticeNoFirstCard(), approver="inspector"))
    desk.deal(1)
    return desk


MOMENTS = {
    "adelaide closed: nobody": (lambda: Desk("adelaide"), Moment()),
    "adelaide preparing: nobody": (lambda: Desk("adelaide").open("Ann 1"), Moment()),
    "adelaide the cut: the first who is asked": (lambda: at_cut("adelaide"), Moment("cut", ("Ann",))),
    "adelaide the cut: then the next": (lambda: after_decline("adelaide"), Moment("cut", ("Ben",))),
    "adelaide the cut with nobody seated": (lambda: Desk("adelaide").open().shuffled(), Moment()),
    "division-15 a card was seen before the shoe: no cut": (
        lambda: seen_before("division-15"),
        Moment(),
    ),
    "star the cutting card": (lambda: cut_done("star"), Moment()),
    "star wagers: everybody seated": (lambda: Desk("star").ready("Ann 1", "Ben 2"), Moment("wagers", ("Ann", "Ben"))),
    "star wagers with nobody seated": (lambda: Desk("star").ready(), Moment("wagers")),
    "canberra a shuffle is due: no wagers": (lambda: due("canberra"), Moment()),
    "star the deal": (lambda: Desk("star").ready("Ann 1").bet("1 Ann 10"), Moment()),
    "adelaide insurance: players who may still insure": (lambda: insured("adelaide"), Moment("offer", ("Ann", "Ben"))),
    "star a decision: the controller of the box": (
        lambda: dealt("star", "9c 7d 8s", "1 Ann 10"),
        Moment("decision", ("Ann",)),
    ),
    "star a decision for a box with a co-bettor": (
        lambda: dealt("star", "9c 7d 8s", "1 Ann 10", "1 Ben 10"),
        Moment("decision", ("Ann",)),
    ),
    "star a double nobody can join": (lambda: joined("star", FORFEIT, Double(1)), Moment()),
    "star a double a co-bettor may join": (
        lambda: joined("star", FORFEIT, Double(1), "1 Ben 10", "1 Cal 10"),
        Moment("join", ("Ben", "Cal")),
    ),
    "star a split co-bettors may cover or ride": (
        lambda: joined("star", JOIN, Split(1), "1 Ben 10", "1 Cal 10"),
        Moment("join", ("Ben", "Cal")),
    ),
    "star a doubled hand that may be forfeit": (lambda: forfeit("star"), Moment("offer", ("Ann",))),
    "adelaide a first card that was missing: wagers may be withdrawn": (
        lambda: withdrawn("adelaide"),
        Moment("offer", ("Ann", "Ben")),
    ),
    "star settled": (lambda: dealt("star", "9c 7d 8s", "1 Ann 10").finish(collect=False), Moment()),
    "division-15 the cutting card came first: nobody before the shuffle": (lambda: first("division-15"), Moment()),
}


def seen_before(book: str) -> Desk:
    desk = Desk(book).open("Ann 1").shuffled()
    desk.do(c.OrderShuffle("game_supervisor", "exposed"))
    return desk


def cut_done(book: str) -> Desk:
    desk = at_cut(book)
    desk.do(c.Cut("Ann", desk.table.shoe.left // 2))
    return desk


def due(book: str) -> Desk:
    desk = Desk(book).ready("Ann 1")
    desk.do(c.OrderShuffle("operator", "suspect"))
    return desk


def dealt(book: str, cards: str, *bets: str) -> Desk:
    desk = Desk(book).ready("Ann 1", "Ben 2", cards=cards).bet(*bets)
    desk.deal(3)
    return desk


def first(book: str) -> Desk:
    desk = Desk(book).ready("Ann 1").move(left=60, behind=60).bet("1 Ann 10")
    desk.deal(1)
    assert desk.table.due == "first"
    return desk


@pytest.mark.parametrize("name", MOMENTS)
def test_whom_the_dealer_waits_for(name):
    make, expected = MOMENTS[name]
    assert moment(make().table) == expected


def test_a_player_who_insured_in_full_is_no_longer_waited_for():
    desk = insured("adelaide")
    desk.play(e.Insure(1, "Ann", 500))
    assert moment(desk.table) == Moment("offer", ("Ben",))
    desk.play(e.Insure(2, "Ben", 500))
    assert moment(desk.table).players == ()


def test_surrender_is_asked_of_everybody_who_has_not_surrendered():
    """The engine does not record who plays on: until the offer is closed, players may change their minds."""
    desk = Desk("star").ready("Ann 1", "Ben 2", cards="Kc 9c Ah 6s 9h").bet("1 Ann 10", "2 Ben 10")
    desk.deal(5)
    while desk.table.round is not None and desk.table.round.phase != "surrender":
        desk.play(CloseOffer())
    assert moment(desk.table) == Moment("offer", ("Ann", "Ben"))
    desk.play(e.DeclineSurrender(1, "Ann"))
    assert moment(desk.table) == Moment("offer", ("Ann", "Ben"))
    desk.play(e.Surrender(1, "Ann"))
    assert moment(desk.table) == Moment("offer", ("Ben",))


def test_a_co_bettor_who_is_bound_is_not_asked_to_surrender():
    desk = Desk("canberra").ready("Ann 1", cards="9s Kd 7h 9c").bet("1 Ann 10", "1 Ben 20")
    desk.deal(3)
    assert moment(desk.table) == Moment("offer", ("Ann",))


# --- what the program does next ------------------------------------------------------------------------


def program() -> Program:
    return Program(key)


def following(dealer: Program, desk: Desk) -> c.TableCommand:
    command = dealer.next_command(desk.table)
    assert command is not None
    return command


NEXT = {
    "closed": (lambda: Desk("star"), c.Open()),
    "a settled round": (lambda: dealt("star", "9c 7d 8s", "1 Ann 10").finish(collect=False), c.Collect()),
    "ready, nothing due": (lambda: Desk("star").ready("Ann 1"), None),
    "ready, a wager": (lambda: wagered("star"), c.Play(CallNoMoreBets())),
    "a card": (lambda: Desk("star").ready("Ann 1").bet("1 Ann 10"), c.Deal()),
    "nobody decides": (lambda: dealt("star", "9c 7d 8s", "1 Ann 10"), c.Play(Absent(1))),
    "nobody answers an offer": (lambda: insured("adelaide"), c.Play(CloseOffer())),
    "nobody forfeits": (lambda: forfeit("star"), c.Play(CloseOffer())),
    "a sealed pack": (lambda: opened("adelaide", sealed=True), c.BreakSeal(whole=True)),
    "cards nobody checked": (lambda: opened("adelaide"), c.CheckCards("dealer")),
    "cards nobody saw": (lambda: checked("adelaide"), c.ShowCards("", 60)),
    "cards the first player sees": (lambda: checked("adelaide", "Ann 1"), c.ShowCards("Ann", 60)),
    "a cut nobody is asked for": (lambda: Desk("adelaide").open().shuffled(), c.Cut("dealer", 72)),
    "a cut somebody did not make": (lambda: at_cut("adelaide"), c.Cut("Ann", 72)),
    "the cutting card": (lambda: cut_done("adelaide"), c.PlaceCuttingCard(48)),
}


def wagered(book: str) -> Desk:
    desk = Desk(book).ready("Ann 1")
    desk.play(PlaceWager(1, "Ann", 1000))
    return desk


def opened(book: str, **options: Any) -> Desk:
    desk = Desk(book, **options)
    desk.do(c.Open())
    return desk


def checked(book: str, *seats: str) -> Desk:
    desk = opened(book).sit(*seats)
    desk.do(c.CheckCards("dealer"))
    return desk


@pytest.mark.parametrize("name", NEXT)
def test_what_the_program_does_next(name):
    make, expected = NEXT[name]
    desk = make()
    command = program().next_command(desk.table)
    if isinstance(expected, c.PlaceCuttingCard | c.ShowCards):
        assert type(command) is type(expected)
    else:
        assert command == expected
    if command is not None:
        desk.do(command)


@pytest.mark.parametrize(
    "make",
    [lambda: Desk("star").open("Ann 1"), lambda: due("canberra"), lambda: first("division-15")],
    ids=["preparing", "between rounds", "the cutting card came first"],
)
def test_a_shuffle_that_is_due_is_made_and_committed_before_its_cut(make):
    desk, dealer = make(), program()
    shuffle = dealer.next_command(desk.table)
    assert isinstance(shuffle, c.Shuffle)
    desk.do(shuffle)
    commit = dealer.next_command(desk.table)
    assert isinstance(commit, c.CommitShoe)
    desk.do(commit)
    assert isinstance(dealer.next_command(desk.table), c.Cut)
    assert dealer.keeper.record is not None
    assert dealer.keeper.record.shoe == f"shoe {desk.table.shoe_number}"


@pytest.mark.parametrize("phase", ["shuffled", "cut"])
def test_a_stack_of_which_a_card_was_seen_is_shuffled_again(phase):
    desk, dealer = Desk("division-15").open("Ann 1"), program()
    desk.do(following(dealer, desk))
    before = dealer.keeper.seed
    if phase == "cut":
        desk.do(following(dealer, desk), c.Cut("Ann", 90))
    desk.do(c.OrderShuffle("game_supervisor", "exposed"))
    again = dealer.next_command(desk.table)
    assert isinstance(again, c.Shuffle)
    assert dealer.keeper.seed != before
    desk.do(again)


@pytest.mark.parametrize(("book", "device"), [("star", "continuous"), ("canberra", "shuffling_shoe")])
def test_a_device_gets_its_discards_back_when_about_a_pack_has_gathered(book, device):
    desk, dealer = Desk(book, device=device).ready("Ann 1"), program()
    assert dealer.next_command(desk.table) is None
    desk.move(left=desk.table.size - 48)
    back = dealer.next_command(desk.table)
    assert isinstance(back, c.ReturnDiscards)
    desk.then(back, "DiscardsReturned")
    assert dealer.keeper.record is None, "the proof does not cover a device"


def test_a_joker_is_shuffled_without_proof():
    desk, dealer = Desk("adelaide", joker=True).open("Ann 1"), program()
    shuffle = dealer.next_command(desk.table)
    assert isinstance(shuffle, c.Shuffle)
    assert JOKER in shuffle.order
    desk.do(shuffle)
    assert isinstance(dealer.next_command(desk.table), c.Cut), "nothing to commit"


def test_a_table_that_closes_reveals_its_last_shoe_and_opens_again():
    dealer = automatic("canberra")
    dealer.open([])
    dealer.must(c.Close())
    reveal = dealer.program.next_command(dealer.table)
    assert reveal == c.RevealShoe(dealer.seed.hex())
    dealer.must(reveal)
    assert [record.seed for record in dealer.records] == [dealer.seed.hex()]
    assert dealer.program.next_command(dealer.table) == c.Open()


@pytest.mark.parametrize("book", NAMES)
def test_nobody_is_there_and_the_evening_goes_on(book):
    dealer = automatic(book)
    dealer.open([("P1", 1)])
    for _ in range(3):
        assert dealer.play_round(wagers(1, 2), nobody) is not None


# --- a shoe that runs out in mid-round -----------------------------------------------------------------

SILENT = [("star", "manual"), ("federal", "manual"), ("canberra", "shuffling_shoe")]


def run_out(book: str, device: str) -> Desk:
    """Three cards on the layout, none in the shoe, the rest discarded."""
    desk = Desk(book, device=device).ready("Ann 1").move(left=3, behind=-1, came="1").bet("1 Ann 10")
    desk.deal(3)
    desk.play(Stand(1))
    assert desk.table.shoe.left == 0
    return desk


@pytest.mark.parametrize(("book", "device"), SILENT)
def test_where_the_document_is_silent_the_house_decides_to_go_on(book, device):
    desk = run_out(book, device)
    order = desk.table.shoe.discards
    for role in ("dealer", "casino_supervisor", "game_supervisor", "inspector", "Ann"):
        desk.no(c.ShuffleDiscards(order, role), "document_silent")
    command = program().next_command(desk.table)
    assert isinstance(command, c.ShuffleDiscards)
    assert command.by == HOUSE
    ruled, shuffled, offered = desk.then(command, "Ruled DiscardsShuffled CutOffered")
    assert isinstance(ruled, Ruled)
    assert isinstance(shuffled, DiscardsShuffled)
    assert (ruled.what, ruled.by) == ("ShuffleDiscards", "operator")
    assert "silent" in ruled.reason
    assert ruled.clauses == desk.table.rules.table.shuffled
    assert isinstance(offered, CutOffered)
    assert moment(desk.table) == Moment("cut", ("Ann",))
    assert sorted(shuffled.order) == sorted(order)
    while desk.table.phase in ("shuffled", "cut"):
        desk.do(following(program(), desk))
    desk.finish()
    assert desk.table.phase == "ready"


@pytest.mark.parametrize("book", ["star", "federal"])
def test_the_house_too_waits_until_the_shoe_is_empty(book):
    desk = Desk(book).ready("Ann 1").bet("1 Ann 10")
    desk.no(c.ShuffleDiscards((), HOUSE), "shoe_not_empty")


@pytest.mark.parametrize("book", ["adelaide", "canberra", "division-15"])
def test_where_the_document_goes_on_the_program_shuffles_the_discards_and_offers_the_cut(book):
    desk = run_out(book, "manual")
    command = program().next_command(desk.table)
    assert isinstance(command, c.ShuffleDiscards)
    assert command.by == "dealer"
    ruled = "Ruled " if book == "adelaide" else ""  # 112: nothing continues without approval
    clauses = (*desk.table.rules.clauses("irregular.too_few"), *desk.table.rules.clauses("cut.discards"))
    desk.then(command, f"{ruled}DiscardsShuffled CutOffered", *clauses)
    assert moment(desk.table) == Moment("cut", ("Ann",))


@pytest.mark.parametrize("book", ["star", "canberra", "division-15"])
def test_as_version_0_1_0_had_it_the_discards_are_cut_at_once(book):
    desk = Desk(book, overrides={"cut.discards": "at_once"}).ready("Ann 1").move(left=3, behind=-1, came="1")
    desk.bet("1 Ann 10").deal(3)
    desk.play(Stand(1))
    command = program().next_command(desk.table)
    assert isinstance(command, c.ShuffleDiscards)
    assert command.by == (HOUSE if book == "star" else desk.table.rules.cut.nobody)
    desk.no(replace(command, depth=999), "cut_depth")
    shuffled = desk.do(command)[-1]
    assert isinstance(shuffled, DiscardsShuffled)
    assert shuffled.order == (*command.order[command.depth :], *command.order[: command.depth])
    assert desk.table.phase == "round"
    desk.finish()


def test_a_shoe_whose_discards_were_shuffled_in_mid_round_is_revealed_once():
    """Its record ends with the last card of the committed stack; the seed is published with the next shuffle."""
    dealer = automatic("division-15")
    dealer.must(c.Open())
    dealer.must(c.Sit("P1", 1))
    while not isinstance(command := dealer.program.next_command(dealer.table), c.PlaceCuttingCard):
        dealer.must(command)
    dealer.must(c.PlaceCuttingCard(48))
    seed = dealer.seed
    # the cutting card comes, the round continues; so few cards are left only where more were burned than we can show
    dealer.play_round(wagers(1), nobody)
    short = dealer.table.shoe
    dealer.table = replace(
        dealer.table, shoe=replace(short, stack=short.stack[-2:], left=2, discards=(*short.discards, *short.stack[:-2]))
    )
    dealer.table = replace(dealer.table, shoe=replace(dealer.table.shoe, behind=-1, came="1"))
    dealer.play_round(wagers(1), nobody)
    shuffled = [event for event in dealer.events if isinstance(event, DiscardsShuffled)]
    assert len(shuffled) == 1
    assert [record.seed for record in dealer.records] == [seed.hex()]
    assert dealer.record is None
    assert dealer.tree is None
    assert dealer.table.shoe.root, "published, and not yet revealed at the table"
    dealer.must(c.OrderShuffle("casino_supervisor", "suspect", "a marked card"))
    dealer.prepare()
    revealed = [event for event in dealer.events if isinstance(event, ShoeRevealed)]
    assert [event.seed for event in revealed] == [seed.hex()]
    assert len(dealer.records) == 1, "revealed once"
    assert dealer.seed != seed


# --- the keeper ----------------------------------------------------------------------------------------


def test_the_keeper_proves_every_card_and_reveals_at_the_end():
    dealer = automatic("canberra")
    other = ShoeKeeper()
    dealer.open([("P1", 1)])
    other.begin("shoe 1", dealer.table.packs, dealer.seed)
    proofs = [proof for event in dealer.events for proof in other.apply(event)]
    assert proofs == []
    done = len(dealer.events)
    for _ in range(4):
        dealer.play_round(wagers(1, 2), nobody)
    left = [event for event in dealer.events[done:] if isinstance(event, CardLeftShoe)]
    proofs = [proof for event in dealer.events[done:] for proof in other.apply(event)]
    assert [proof.card for proof in proofs] == [event.card for event in left]
    assert other.record == dealer.record
    dealer.must(c.OrderShuffle("operator", "suspect"))
    dealer.prepare()
    assert [check.ok for check in verify(dealer.records[0])] == [True] * 6


def test_the_keeper_of_a_device_keeps_nothing():
    keeper = ShoeKeeper()
    desk = Desk("star", device="continuous").ready("Ann 1").bet("1 Ann 10")
    assert {keeper.apply(event) for event in desk.deal(3)} == {()}
    assert (keeper.record, keeper.records) == (None, [])


def test_cards_dealt_again_after_a_reconstruction_are_proved_once():
    dealer = automatic("canberra")
    dealer.open([("P1", 1)])
    dealer.do(c.Play(wagers(1)[0]))
    dealer.do(c.Play(CallNoMoreBets()))
    for _ in range(3):
        dealer.must(c.Deal())
    before = dealer.record
    assert before is not None
    cards = dealer.table.on_layout[::-1]
    dealer.must(c.Reconstruct(cards, "dealt_again", "game_supervisor"))
    assert dealer.record is not None
    assert dealer.record.dealt == before.dealt
    while dealer.table.phase == "round":
        dealer.must(dealer.program.next_command(dealer.table))
    assert len(dealer.record.dealt) > len(before.dealt)


def test_adelaide_109_a_hand_too_many_is_burned_in_the_record_and_no_card_of_it_shown():
    dealer = automatic("adelaide")
    dealer.open([("P1", 1)])
    dealer.do(c.Play(wagers(1)[0]))
    dealer.do(c.Play(CallNoMoreBets()))
    while dealer.table.round is not None and dealer.table.round.phase == "initial_deal":
        dealer.must(c.Deal())
    while dealer.table.round is not None and not initial_deal_complete(dealer.table.round):
        dealer.must(dealer.program.next_command(dealer.table))
    assert dealer.table.phase == "round"
    assert dealer.record is not None
    before = dealer.record
    dealer.must(c.RemoveExtraHand(dealer.table.shoe.stack[:2], "dealer", "inspector"))
    assert dealer.record is not None
    assert dealer.record.dealt == before.dealt
    assert dealer.record.burned == (before.drawn, before.drawn + 1)


@pytest.mark.parametrize(("book", "device"), [("division-15", "manual"), ("adelaide", "continuous")])
def test_the_cards_of_a_lesson_come_first_and_nothing_is_proved(book, device):
    lesson = (Card("7s"), Card("9d"), Card("7s"), Card("7h"))
    dealer = automatic(book, device=device)
    dealer.program.first = lesson
    dealer.open([("P1", 1)])
    assert dealer.table.shoe.stack[: len(lesson)] == lesson
    assert dealer.record is None
    assert not dealer.table.shoe.root


def test_a_burned_card_is_not_shown_by_its_record():
    desk, keeper = Desk("division-15").open("Ann 1"), ShoeKeeper()
    stack = keeper.begin("shoe", desk.table.packs, bytes(32)).stack
    for event in (*desk.do(c.Shuffle(stack)), *desk.do(c.Cut("Ann", 90), c.PlaceCuttingCard(60), c.BurnFirst())):
        assert keeper.apply(event) == ()
    assert keeper.record is not None
    assert (keeper.record.cut, keeper.record.cutting_card, keeper.record.burned) == (90, 60, (0,))


# --- the table that runs itself ------------------------------------------------------------------------


def test_the_table_shows_the_secret_side_of_its_shoe_to_the_house():
    dealer = automatic("star")
    assert (dealer.record, dealer.tree, dealer.seed) == (None, None, b"")
    dealer.open([])
    assert dealer.tree is not None
    assert dealer.record is not None
    assert dealer.tree.commitment.root == dealer.record.root == dealer.table.shoe.root


def test_an_answer_that_is_refused_lets_the_dealer_go_on():
    dealer = automatic("star")
    dealer.open([("P1", 1)])
    assert dealer.play_round(wagers(1), lambda _: Hit(7)) is not None


def test_in_a_phase_the_program_does_not_know_it_does_nothing():
    strange = replace(Table(load("star"), 6), phase="lunch")
    assert program().next_command(strange) is None


def test_names_of_events_are_those_of_the_round():
    assert name_of(Desk("star").ready("Ann 1").bet("1 Ann 10").deal(1)[1]) == "CardDealt"
