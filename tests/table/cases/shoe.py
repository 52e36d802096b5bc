"""Devices, discards, new cards, ordered shuffles, a shoe that runs out, the joker."""

from __future__ import annotations

from pontoon.cards import JOKER, Card
from pontoon.engine import BurnCard, ExposeCard, Stand
from pontoon.table import commands as c
from pontoon.table.shuffle import seed_hash
from tests.table.desk import bet, case


@case("adelaide 41 42 a continuous shuffler: no cut, no cutting card, five cards burned after loading")
def _(at):
    desk = at(device="continuous")
    desk.do(c.Open(), c.CheckCards("dealer"))
    loaded, burned = desk.then(c.Shuffle(desk.stack()), "DeviceLoaded CardsBurned", "41", "32", "42", "43")
    assert (loaded.count, burned.count) == (144, 5)
    assert (desk.table.phase, desk.table.shoe.left, len(desk.table.shoe.discards)) == ("ready", 139, 5)
    desk.no(c.Cut("dealer", 72), "no_cut_offered", "36")


@case("adelaide 42 53(b) discards go back into the shuffler when about a pack has gathered")
def _(at):
    desk = at(device="continuous").ready("Ann 1").round("1 Ann 10")
    order = desk.stack()
    refused = desk.no(c.ReturnDiscards(order), "too_few_discards", "42")
    assert refused.facts["wanted"] == 48
    desk.move(left=90)
    desk.no(c.ReturnDiscards(order[1:]), "wrong_cards", "29")
    desk.then(c.ReturnDiscards(order), "DiscardsReturned", "42", "53(b)")
    assert (desk.table.shoe.left, desk.table.shoe.discards) == (144, ())
    floor = at(device="continuous", mode="floor").ready("Ann 1").move(left=90)
    floor.no(c.ReturnDiscards(order), "order_unknown", "29")
    floor.then(c.ReturnDiscards(()), "DiscardsReturned", "42")
    assert floor.table.shoe.left == 144


@case("adelaide 43 after a jam the cards are riffled and five burned again")
def _(at):
    desk = at(device="continuous").ready("Ann 1")
    desk.no(c.ClearJam(desk.table.shoe.stack[1:]), "wrong_cards", "29")
    desk.then(c.ClearJam(desk.table.shoe.stack[::-1]), "DeviceJammed CardsBurned", "43")
    assert desk.table.shoe.left == 134
    at().ready("Ann 1").no(c.ClearJam(), "no_such_device", "43")
    short = at(device="continuous", mode="floor").ready("Ann 1").move(left=3)
    short.do(c.ClearJam())
    assert short.table.shoe.left == 0
    at(device="continuous", mode="floor").ready("Ann 1").no(c.ClearJam(desk.stack()), "order_unknown", "29")


@case("adelaide 103 43 a card everybody saw is dealt before a jam is cleared or the device given up")
def _(at):
    desk = at(device="continuous").ready("Ann 1", cards="2c 2d 2h 2s 3c 9s 9d 8h")
    desk.bet("1 Ann 10").deal(3)
    seen = desk.table.shoe.stack[0]
    desk.do(c.Play(ExposeCard(seen), approver="pit_boss"))
    desk.no(c.ClearJam(desk.table.shoe.stack), "exposed_card_is_next", "103")
    desk.no(c.FailDevice(desk.table.shoe.stack), "exposed_card_is_next", "103")


@case("adelaide 38(b) a failed shuffler: by hand, the cutting card one to two packs from the back, then new packs")
def _(at):
    desk = at(device="continuous").ready("Ann 1", "Ben 5").round("1 Ann 10")
    desk.no(c.FailDevice(desk.stack()), "order_unknown", "38(b)")
    desk.then(c.FailDevice(), "DeviceFailed", "38(b)")
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "35")
    desk.do(c.Cut("Ann", 72))
    desk.no(c.PlaceCuttingCard(47), "cutting_card_depth", "38(a)")
    desk.no(c.PlaceCuttingCard(97), "cutting_card_depth", "38(a)")
    desk.do(c.PlaceCuttingCard(96))
    desk.no(c.FailDevice(), "no_such_device", "38(b)")
    desk.round("1 Ann 10")
    assert (desk.table.failed, desk.table.by_hand) == (True, True)
    desk.do(c.ChangeCards("the shuffler stays broken"))
    assert (desk.table.failed, desk.table.device) == (False, "manual")


@case("adelaide 38(b) a shuffler fails in mid-round: the rest is shuffled, cut and dealt by hand")
def _(at):
    desk = at(device="continuous").ready("Ann 1", "Ben 5").bet("1 Ann 10").move(left=50)
    desk.deal(3)
    rest = desk.table.shoe.stack
    desk.no(c.FailDevice(rest[1:]), "wrong_cards", "29")
    desk.then(c.FailDevice(rest[::-1]), "DeviceFailed CutOffered", "38(b)", "36")
    desk.no(c.Play(Stand(1)), "not_cut_yet", "36")
    desk.no(c.Cut("Ben", 0), "cut_depth", "37")
    desk.cut()
    assert desk.table.phase == "round"
    assert desk.finish().table.failed


@case("canberra 19.1 19.2 a shuffling shoe: cards are loaded, rule 5, 4.7, 15.6 and 15.8 are off")
def _(at):
    desk = at(device="shuffling_shoe", hold_late=True)
    desk.do(c.Open(), c.CheckCards("dealer"))
    desk.then(c.Shuffle(desk.stack()), "DeviceLoaded", "19.1", "19.2")
    desk.no(c.Cut("casino_supervisor", 72), "no_cut_offered", "5.2")
    desk.sit("Ann 1", "Dee 2").round("1 Ann 10")
    desk.do(bet("2 Dee 50"))
    desk.no(c.ShuffleDiscards((), "casino_supervisor", 0), "document_silent", "15.6", "19.1")
    desk.no(c.OrderShuffle("dealer", "suspect"), "not_a_supervisor")


@case(
    "canberra 19.3(a) M08 a shuffling shoe fails in mid-round: farthest right cuts, the round goes on, then new cards"
)
def _(at):
    desk = at(device="shuffling_shoe", hold_late=True).ready("Ann 1", "Ben 2", "Cal 6", cards="9s 8h 9d 9c 9h")
    desk.bet("1 Ann 10", "2 Ben 10").deal(5)
    desk.play(Stand(1))
    rest = desk.table.shoe.stack
    failed = desk.then(
        c.FailDevice(rest[::-1]),
        "DeviceFailed CutOffered",
        *("19.3", "19.3(a)", "19.3(a)(i)", "19.3(a)(ii)", "19.3(a)(iii)", "19.3(b)"),
    )
    assert failed[1].to == ("Cal", "Ann", "Ben")
    desk.then(c.DeclineCut("Cal"), "CutDeclined", "5.2(d)")
    desk.no(c.Cut("Ann", 47), "cut_depth", "5.3")
    desk.do(c.Cut("Ann", 60))
    desk.then(c.PlaceCuttingCard(48), "CuttingCardPlaced", "5.3")
    assert desk.table.round is not None
    assert desk.table.round.boxes[0].hands[0].cards == ("9s", "9c")
    desk.finish(collect=False)
    desk.then(c.Collect(), "CardsCollected CardsChanged", "19.3(b)", "2.4")
    assert (desk.table.device, desk.table.failed) == ("manual", False)
    desk.prepared().then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "5.1", "5.2(a)")
    assert desk.offered == "Ann Ben Cal"
    desk.cut().round("1 Ann 10")
    desk.do(bet("1 Ann 50"))
    desk.no(bet("6 Cal 50"), "held_to_minimum", "4.7(a)")


@case("canberra 19.3(a)(i) a shuffle ordered before the shoe failed waits for the end of the round")
def _(at):
    desk = at(device="shuffling_shoe").ready("Ann 1").bet("1 Ann 10")
    desk.deal(3)
    desk.do(c.OrderShuffle("operator", "suspect"), c.FailDevice(desk.table.shoe.stack[::-1]))
    desk.no(c.Shuffle(desk.stack()), "no_shuffle_due", "5.1")
    desk.cut().finish()
    assert desk.table.due == "changed"


@case("canberra 19.3(b) a shuffling shoe fails between rounds: new cards, wagers stay")
def _(at):
    desk = at(device="shuffling_shoe").ready("Ann 1")
    desk.do(bet("1 Ann 10"))
    desk.then(c.FailDevice(), "DeviceFailed CardsChanged", "19.3(b)", "2.4")
    desk.prepared().shuffled().cut()
    assert desk.table.round is not None
    assert desk.table.round.boxes[0].bettors[0].player == "Ann"


@case("canberra 19.1 a shuffling shoe takes its discards back, silent at how many")
def _(at):
    desk = at(device="shuffling_shoe").ready("Ann 1")
    desk.no(c.ReturnDiscards(desk.stack()), "too_few_discards")
    desk.round("1 Ann 10").then(c.ReturnDiscards(desk.stack()), "DiscardsReturned")
    at().ready("Ann 1").no(c.ReturnDiscards(()), "no_such_device")


@case("star STAR-INTRO-4 a shuffling machine fails: silent, new cards by hand")
def _(at):
    desk = at(device="continuous").ready("Ann 1")
    desk.then(c.ClearJam(desk.table.shoe.stack), "DeviceJammed")
    desk.then(c.FailDevice(), "DeviceFailed CardsChanged")


@case("adelaide 6 a promotional joker: the next card takes its place")
def _(at):
    desk = at(joker=True).ready("Ann 1", cards="9s ** 9d 8h")
    assert desk.table.shoe.left == 145
    desk.bet("1 Ann 10").deal(1)
    desk.then(c.Deal(), "CardLeftShoe JokerDealt", "6")
    assert desk.table.shoe.discards == (JOKER,)
    desk.finish().then(c.OrderShuffle("operator", "discretion"), "ShuffleFellDue", "35(c)")
    desk.shuffled("**")
    at(mode="floor").ready("Ann 1").bet("1 Ann 10").no(c.Deal(JOKER), "wrong_cards", "50")


@case("division-15 16.7 the shoe runs out in mid-round: the discards are shuffled, cut and used")
def _(at):
    desk = at().ready("Ann 1", behind=0).move(left=3, behind=0).bet("1 Ann 10")
    desk.no(c.ShuffleDiscards((), "dealer", 0), "shoe_not_empty", "16.7")
    desk.deal(3)
    desk.play(Stand(1))
    desk.no(c.Deal(), "shoe_is_empty", "16.7")
    order = desk.table.shoe.discards
    desk.no(c.ShuffleDiscards(order[1:], "dealer", 0), "wrong_cards", "16.7")
    desk.no(c.ShuffleDiscards(order, "dealer", 999), "cut_depth", "16.7")
    desk.then(c.ShuffleDiscards(order, "casino_employee", 100), "DiscardsShuffled", "16.7")
    assert (desk.table.shoe.left, desk.table.shoe.discards) == (len(order), ())
    assert desk.table.shoe.stack[0] == order[100]
    desk.finish().round("1 Ann 10")


@case("adelaide 110 54(b) the shoe runs out: the discards finish the round")
def _(at):
    desk = at(mode="floor").ready("Ann 1", behind=0).move(left=1).bet("1 Ann 10")
    desk.deal("9s")
    desk.no(c.Deal("9d"), "shoe_is_empty", "110", "54(b)")
    desk.no(c.Play(BurnCard(Card("9d")), approver="inspector"), "shoe_is_empty", "50")
    desk.no(c.ShuffleDiscards(desk.stack(), "dealer", 0), "order_unknown", "110")
    desk.no(c.ShuffleDiscards((), "dealer", 144), "cut_depth", "110")
    desk.then(c.ShuffleDiscards((), "dealer", 60), "DiscardsShuffled", "110", "54(b)")
    assert desk.table.shoe.left == 143
    desk.finish()


@case("canberra 15.6 the shoe runs out: the discards finish the round")
def _(at):
    desk = at(mode="floor").ready("Ann 1").bet("1 Ann 10").move(left=0, discards=(), hidden_discards=0)
    desk.no(c.ShuffleDiscards((), "dealer", 0), "no_discards", "15.6")
    desk.move(left=0, hidden_discards=144).then(c.ShuffleDiscards((), "dealer", 0), "DiscardsShuffled", "15.6")


@case("federal FED-INTRO-3 a shoe that runs out: silent")
def _(at):
    at().ready("Ann 1").no(c.ShuffleDiscards((), "dealer", 0), "document_silent")


@case("division-15 7.7 cards are replaced after a round, for a reason")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(c.ChangeCards(""), "reason_needed", "7.7")
    desk.bet("1 Ann 10").no(c.ChangeCards("worn"), "round_in_progress", "7.7")
    desk.finish().then(c.ChangeCards("worn"), "CardsChanged", "7.7", "16.8")


@case("adelaide 40 35(e) unfit cards are changed after a round; sealed ones are opened as before")
def _(at):
    desk = at(sealed=True)
    desk.do(c.Open(), c.BreakSeal(whole=True))
    desk.shuffled().cut().then(c.ChangeCards("marked"), "CardsChanged", "40", "35(e)")
    desk.then(c.BreakSeal(whole=True), "SealBroken", "34")
    desk.shuffled()


@case("canberra 2.4 cards may be changed after any round, each new one checked")
def _(at):
    desk = at().ready("Ann 1")
    desk.then(c.ChangeCards("worn"), "CardsChanged", "2.4")
    desk.no(c.Shuffle(desk.stack()), "not_checked", "2.2")


@case("division-15 16.8 a damaged card is replaced after the round")
def _(at):
    desk = at().ready("Ann 1").bet("1 Ann 10")
    desk.no(c.ReplaceCard(Card("9s")), "round_in_progress", "16.8")
    desk.finish().no(c.ReplaceCard(JOKER), "wrong_cards", "16.8")
    desk.then(c.ReplaceCard(Card("9s")), "CardReplaced", "16.8")
    at(mode="floor").ready("Ann 1").then(c.ReplaceCard(Card("9s")), "CardReplaced", "16.8")


@case("adelaide 40 a damaged card may be replaced; canberra 2.4 alike, star and federal are silent")
def _(at):
    at().ready("Ann 1").then(c.ReplaceCard(Card("9s")), "CardReplaced", "40")
    at("canberra").ready("Ann 1").then(c.ReplaceCard(Card("9s")), "CardReplaced", "2.4")
    at("star").ready("Ann 1").no(c.ReplaceCard(Card("9s")), "document_silent")
    at("federal").ready("Ann 1").no(c.ReplaceCard(Card("9s")), "document_silent")


@case("division-15 7.1(d) a supervisor may order a shuffle after the table was vacant")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(c.OrderShuffle("casino_supervisor", "vacant"), "table_not_vacant", "7.1(d)")
    desk.do(c.Leave("Ann"))
    desk.no(c.OrderShuffle("dealer", "vacant"), "not_a_supervisor", "7.1(d)")
    due = desk.then(c.OrderShuffle("casino_supervisor", "vacant"), "ShuffleFellDue", "7.1(d)")
    assert due[0].why == "ordered"
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.1")


@case("division-15 7.1(e) a supervisor orders a shuffle when randomness is suspect, in mid-round after the round")
def _(at):
    desk = at()
    desk.no(c.OrderShuffle("game_supervisor", "suspect"), "no_shuffle_due", "7.1(e)")
    desk.ready("Ann 1").bet("1 Ann 10")
    desk.then(c.OrderShuffle("game_supervisor", "suspect"), "ShuffleFellDue", "7.1(e)")
    desk.no(c.Shuffle(desk.stack()), "no_shuffle_due", "7.1")
    desk.finish().then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.1")


@case("division-15 7.1(f) a card seen before the stack is in the shoe: shuffle again")
def _(at):
    desk = at().open("Ann 1").shuffled()
    desk.no(c.OrderShuffle("game_supervisor", "suspect"), "no_shuffle_due", "7.1(e)")
    desk.then(c.OrderShuffle("game_supervisor", "exposed"), "ShuffleFellDue", "7.1(f)")
    desk.no(c.Cut("Ann", 96), "shuffle_first", "7.1(f)")
    desk.shuffled().do(c.Cut("Ann", 96), c.OrderShuffle("game_supervisor", "exposed"))
    desk.no(c.PlaceCuttingCard(48), "shuffle_first", "7.1(f)")
    desk.shuffled().cut()


@case("adelaide 35(d) when all players have left the cards are shuffled")
def _(at):
    desk = at().ready("Ann 1")
    desk.do(c.Leave("Ann"))
    desk.then(c.OrderShuffle("inspector", "vacant"), "ShuffleFellDue Announced", "35(d)")
    desk.shuffled().then(c.Cut("dealer", 72), "CardsCut", "37", "38")


@case("adelaide 35(c) the shift manager may order a shuffle at any time")
def _(at):
    desk = at().ready("Ann 1").bet("1 Ann 10")
    desk.then(c.OrderShuffle("operator", "discretion"), "ShuffleFellDue", "35(c)")


@case("canberra 5.1 a vacant table and ordered shuffles: silent")
def _(at):
    desk = at().ready()
    desk.no(c.OrderShuffle("operator", "vacant"), "table_not_vacant")
    desk.then(c.OrderShuffle("operator", "exposed"), "ShuffleFellDue")
    desk.no(c.OrderShuffle("operator", "suspect"), "shuffle_first", "5.1")


@case(
    "division-15 7.1 a shoe is committed between shuffle and cut, and revealed when none of its cards is dealt any more"
)
def _(at):
    desk = at().open("Ann 1")
    seed = bytes(32)
    desk.no(c.CommitShoe(seed_hash(seed), "root"), "not_to_commit", "7.1")
    desk.shuffled().then(c.CommitShoe(seed_hash(seed), "root"), "ShoeCommitted", "7.1")
    desk.no(c.CommitShoe(seed_hash(seed), "root"), "not_to_commit", "7.1")
    desk.cut().no(c.RevealShoe(seed.hex()), "not_to_reveal", "7.1")
    desk.bet("1 Ann 10").do(c.OrderShuffle("game_supervisor", "suspect"))
    desk.no(c.RevealShoe(seed.hex()), "not_to_reveal", "7.1")
    desk.finish().no(c.RevealShoe("00"), "wrong_seed", "7.1")
    desk.then(c.RevealShoe(seed.hex()), "ShoeRevealed", "7.1")
