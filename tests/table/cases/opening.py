"""Opening: check, show, seal, wash and shuffle."""

from __future__ import annotations

from pontoon.engine import CallNoMoreBets, PlaceWager
from pontoon.table import commands as c
from pontoon.table import options
from pontoon.table.events import CardsShuffled
from pontoon.table.opening import MINUTE
from tests.table.desk import case

HOUR = 60 * MINUTE


@case("division-15 6.1 dealer and game supervisor each check the cards before the shuffle")
def _(at):
    desk = at()
    desk.then(c.Open(), "TableOpened", "6.1", "3.1", "3.3(c)")
    desk.sit("Ann 1")
    desk.no(c.Open(), "table_is_open", "6.1")
    desk.no(c.ShowCards("Ann"), "not_preparing", "6.2")
    desk.then(c.CheckCards("dealer"), "CardsChecked", "6.1")
    desk.no(c.CheckCards("dealer"), "checked_already", "6.1")
    refused = desk.no(c.Shuffle(desk.stack()), "not_checked", "6.1")
    assert refused.facts["by"] == "game_supervisor"
    assert c.CheckCards("game_supervisor") in options(desk.table).allowed
    desk.then(c.CheckCards("game_supervisor"), "CardsChecked", "6.1")


@case("division-15 6.2 the cards are spread for the first player, who has to be there")
def _(at):
    desk = at()
    desk.do(c.Open(), c.CheckCards("dealer"), c.CheckCards("game_supervisor"))
    desk.no(c.Shuffle(desk.stack()), "nobody_saw_the_cards", "6.2")
    desk.no(c.ShowCards(minutes=60), "nobody_saw_the_cards", "6.2")
    desk.then(c.ShowCards("Ann"), "CardsShown", "6.2")
    assert desk.table.first_player == "Ann"
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "6.3(c)", "7.2")


@case("division-15 6.3(a) new cards are washed, the same cards later are not")
def _(at):
    desk = at().open("Ann 1")
    shuffled, _ = desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "6.3", "6.3(a)", "6.3(b)", "7.1(a)")
    assert isinstance(shuffled, CardsShuffled)
    assert shuffled.washed
    desk.cut().do(c.OrderShuffle("game_supervisor", "suspect", "a marked card"))
    shuffled, _ = desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.1")
    assert isinstance(shuffled, CardsShuffled)
    assert not shuffled.washed
    assert "6.3(a)" not in shuffled.clauses


@case("division-15 6.4 cards for the batch shuffler need no look by players, and are cut all the same")
def _(at):
    desk = at(device="batch")
    desk.do(c.Open(), c.CheckCards("dealer"), c.CheckCards("game_supervisor"))
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "6.4(a)", "6.4(b)", "6.4(c)", "7.2")
    desk.then(c.Cut("casino_employee", 96), "CardsCut", "7.4", "7.5")
    desk.no(c.FailDevice(), "no_such_device")


@case("division-15 3.3(a) 3.3(b) 3.3(e) four to eight packs, by hand or from a batch shuffler")
def _(at):
    at(packs=3).no(c.Open(), "packs_not_allowed", "3.3(a)")
    at(cutting_cards=3).no(c.Open(), "too_many_cutting_cards", "3.3(b)")
    at(device="continuous").no(c.Open(), "device_not_allowed", "3.3(c)", "3.3(e)")
    at(joker=True).no(c.Open(), "no_joker", "3.3(a)")
    at(sealed=True).no(c.Open(), "no_sealed_cards")
    at(face_down=True).no(c.Open(), "no_face_down_cards", "8.2(a)")
    at(device="batch", packs=8).then(c.Open(), "TableOpened", "3.3(e)", "3.4")


@case("division-15 6.1 the shuffle is of just the cards of the table")
def _(at):
    desk = at().open("Ann 1")
    stack = desk.stack()
    desk.no(c.Shuffle(stack[1:]), "wrong_cards", "6.1")
    desk.no(c.Shuffle((stack[-1], *stack[1:])), "wrong_cards", "6.1")
    desk.shuffled()
    desk.no(c.Shuffle(stack), "no_shuffle_due", "7.1")
    desk.no(c.CheckCards("dealer"), "not_preparing", "6.1")


@case("division-15 7.1 on the floor nobody knows the order")
def _(at):
    desk = at(mode="floor").open("Ann 1")
    desk.no(c.Shuffle(desk.stack()), "order_unknown", "7.1")
    desk.then(c.Shuffle(), "CardsShuffled CutOffered", "7.1(a)")
    assert (desk.table.shoe.stack, desk.table.shoe.left) == ((), 192)


@case("adelaide 31 the first player is offered a look at the packs")
def _(at):
    desk = at()
    desk.then(c.Open(), "TableOpened", "29", "2", "3", "44")
    desk.no(c.ShowCards("Ann"), "not_preparing", "31")
    desk.then(c.CheckCards("dealer"), "CardsChecked", "29", "30")
    desk.then(c.CheckCards("inspector"), "CardsChecked", "30")
    desk.no(c.Shuffle(desk.stack()), "nobody_saw_the_cards", "31")
    desk.then(c.ShowCards("Ann"), "CardsShown", "31")
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "32", "35(a)", "36")


@case("adelaide 32 without a player the cards are shuffled after fifteen minutes")
def _(at):
    desk = at()
    desk.do(c.Open(), c.CheckCards("dealer"))
    desk.no(c.ShowCards(minutes=14), "nobody_saw_the_cards", "32")
    desk.then(c.ShowCards(minutes=15), "CardsShown", "31")
    assert desk.table.first_player == ""
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "32")


@case("adelaide 33 34 sealed cards are not checked, shown or washed; with a broken seal they are not used")
def _(at):
    desk = at(sealed=True)
    desk.do(c.Open())
    desk.no(c.Shuffle(desk.stack()), "not_checked", "29")
    desk.then(c.BreakSeal(whole=False), "SealBroken", "33")
    desk.no(c.CheckCards("dealer"), "seal_broken", "33")
    desk.no(c.Shuffle(desk.stack()), "seal_broken", "33")
    desk.then(c.BreakSeal(whole=True), "SealBroken", "33", "34")
    desk.no(c.BreakSeal(whole=True), "not_preparing", "33")
    shuffled, _ = desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "35")
    assert isinstance(shuffled, CardsShuffled)
    assert not shuffled.washed
    at().open().no(c.BreakSeal(whole=True), "not_preparing", "34")


@case("adelaide 5 three to eight packs, jokers only as a promotion")
def _(at):
    at(packs=2).no(c.Open(), "packs_not_allowed", "5")
    at(device="batch").no(c.Open(), "device_not_allowed", "44", "41")
    at(joker=True, packs=3).then(c.Open(), "TableOpened", "29")


@case("adelaide 48 in designated rooms the first two cards may be dealt face down")
def _(at):
    at(face_down=True).then(c.Open(), "TableOpened", "29", "48")
    at("canberra", face_down=True).no(c.Open(), "no_face_down_cards", "6.1")


@case("canberra 2.2 the dealer checks the cards before gaming and again when it ends")
def _(at):
    desk = at()
    desk.no(c.CheckCards("dealer"), "not_preparing", "2.2")
    desk.then(
        c.Open(), "TableOpened", "2.2", "1.1", 'A "Shoe"', 'A "Float"', 'A "Insurance line"', 'A "Surrender Button"'
    )
    desk.no(c.ShowCards("Ann"), "document_silent")
    desk.no(c.Shuffle(desk.stack()), "not_checked", "2.2")
    desk.do(c.CheckCards("dealer"))
    desk.shuffled().cut().round("1 Ann 10")
    desk.do(c.GiveNotice("notice"), c.Close())
    desk.then(c.CheckCards("dealer"), "CardsChecked", "2.2")


@case("canberra 5.1 the approved shuffle makes a new shoe")
def _(at):
    desk = at().open("Ann 1")
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "5.1", "2.3(b)", 'A "New shoe"', "5.2")
    assert desk.table.shoe_number == 1


@case("canberra 2.1 three to eight packs without a joker, by hand or from a shuffling shoe")
def _(at):
    at(packs=9).no(c.Open(), "packs_not_allowed", "2.1")
    at(joker=True).no(c.Open(), "no_joker", "2.1")
    at(sealed=True).no(c.Open(), "no_sealed_cards")
    at(device="continuous").no(c.Open(), "device_not_allowed", "6.1", "19.1", 'A "Shoe"')
    at(device="shuffling_shoe").do(c.Open())


@case("star STAR-INTRO-4 a shoe or a shuffling machine, nobody named to check or to see the cards")
def _(at):
    at(device="batch").no(c.Open(), "device_not_allowed", "STAR-INTRO-4")
    desk = at(device="continuous")
    desk.then(c.Open(), "TableOpened", "STAR-INTRO-4")
    desk.no(c.ShowCards("Ann"), "document_silent")
    desk.then(c.Shuffle(desk.stack()), "DeviceLoaded")
    assert desk.table.phase == "ready"


@case("federal FED-INTRO-3 only an ordinary shoe")
def _(at):
    at(device="continuous").no(c.Open(), "device_not_allowed", "FED-INTRO-3")
    desk = at()
    desk.then(c.Open(), "TableOpened", "FED-INTRO-5")
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered")


@case("division-15 6.4 6.1 each set of a batch shuffler is checked and washed before its first use")
def _(at):
    desk = at(device="batch").open("Ann 1").shuffled().cut()
    desk.round("1 Ann 10").do(c.OrderShuffle("game_supervisor", "suspect", "a bent card"))
    refused = desk.no(c.Shuffle(desk.stack()), "not_checked", "6.1", "6.4")
    assert refused.facts["by"] == "dealer"
    desk.then(c.CheckCards("dealer"), "CardsChecked", "6.1")
    desk.do(c.CheckCards("game_supervisor"))
    shuffled, _ = desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "6.4(a)", "6.4(b)", "6.4(c)")
    assert isinstance(shuffled, CardsShuffled)
    assert (shuffled.washed, desk.table.set_in_use) == (True, 2)
    desk.do(c.OrderShuffle("dealer", "exposed"))
    desk.shuffled().cut()
    assert desk.table.set_in_use == 2, "the same stack, shuffled again"
    desk.round("1 Ann 10").do(c.OrderShuffle("game_supervisor", "suspect", "another"))
    shuffled, _ = desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.1")
    assert isinstance(shuffled, CardsShuffled)
    assert (shuffled.washed, desk.table.set_in_use) == (False, 1)
    lax = at(device="batch", overrides={"shoe.each_set": False}).open("Ann 1").shuffled().cut()
    lax.do(c.OrderShuffle("game_supervisor", "suspect", "a bent card"))
    lax.shuffled()


@case("division-15 7.1(f) the first set seen before the shoe is shuffled again without the second being checked")
def _(at):
    desk = at(device="batch").open("Ann 1").shuffled()
    desk.do(c.OrderShuffle("dealer", "exposed"))
    shuffled, _ = desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.1")
    assert isinstance(shuffled, CardsShuffled)
    assert (shuffled.washed, desk.table.set_in_use) == (False, 1)


@case("adelaide 32 the fifteen minutes are those of the clock, whatever anybody says")
def _(at):
    desk = at()
    desk.do(c.Open(at=HOUR), c.CheckCards("dealer"))
    desk.no(c.ShowCards(minutes=15, at=HOUR + 10 * MINUTE), "nobody_saw_the_cards", "32")
    desk.then(c.ShowCards(at=HOUR + 15 * MINUTE), "CardsShown", "31")


@case("adelaide 31 32 a player who bets while the cards wait to be seen is the first player")
def _(at):
    desk = at()
    desk.do(c.Open())
    desk.no(c.Play(PlaceWager(1, "Ann", 1000)), "not_betting", "15")
    desk.do(c.CheckCards("dealer"), c.Play(PlaceWager(1, "Ann", 1000)))
    desk.no(c.Play(CallNoMoreBets()), "not_betting", "15")
    desk.then(c.ShowCards(desk.table.first_player), "CardsShown", "31")
    assert desk.table.first_player == "Ann"
    desk.shuffled().cut()
    desk.then(c.Play(CallNoMoreBets()), "Announced NoMoreBetsCalled", "15")


@case("adelaide 121 the notice runs by the clock, whatever anybody says")
def _(at):
    desk = at().ready("Ann 1")
    desk.then(c.GiveNotice("minutes", HOUR), "Announced ClosingNoticed", "121")
    refused = desk.no(c.Close(15, HOUR + 14 * MINUTE), "notice_runs", "121")
    assert refused.facts["left"] == 1
    desk.then(c.Close(at=HOUR + 15 * MINUTE), "TableClosed", "121")


@case("adelaide 33 40 after a broken seal other cards may be brought")
def _(at):
    desk = at(sealed=True)
    desk.do(c.Open(), c.BreakSeal(whole=False))
    desk.no(c.ShowCards("Ann"), "not_preparing", "31")
    desk.then(c.BreakSeal(whole=True), "SealBroken", "33", "34")
    desk.shuffled()
