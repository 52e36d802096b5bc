"""Devices, discards, new cards, ordered shuffles, a shoe that runs out, the joker."""

from __future__ import annotations

from pontoon.cards import JOKER, Card
from pontoon.engine import BurnCard, ExposeCard, Hit, Stand
from pontoon.table import commands as c
from pontoon.table.shuffle import seed_hash
from tests.table.desk import bet, case


@case("adelaide 41 42 a continuous shuffler: no cut, no cutting card, five cards burned after loading")
def _(at):
    desk = at(device="continuous")
    desk.do(c.Open(), c.CheckCards("dealer"))
    desk.no(c.Shuffle(desk.stack()), "nobody_saw_the_cards", "31")
    desk.do(c.ShowCards("Ann"))
    loaded, burned = desk.then(c.Shuffle(desk.stack()), "DeviceLoaded CardsBurned", "41", "32", "42", "43")
    assert (loaded.count, burned.count) == (144, 5)
    assert (desk.table.phase, desk.table.shoe.left, len(desk.table.shoe.discards)) == ("ready", 139, 5)
    desk.no(c.Cut("dealer", 72), "no_cut_offered", "36")


@case("adelaide 53(b) the cards of a round go into the shuffler at its end; 42 the five burned ones wait in the rack")
def _(at):
    desk = at(device="continuous").ready("Ann 1")
    desk.no(c.ReturnDiscards(()), "too_few_discards", "42")
    burned = desk.table.shoe.discards
    desk.round("1 Ann 10")
    order = (*desk.table.shoe.discards[5:], *desk.table.shoe.stack)
    desk.no(c.ReturnDiscards(order[1:]), "wrong_cards", "29")
    desk.then(c.ReturnDiscards(order), "DiscardsReturned", "42", "53(b)")
    assert (desk.table.shoe.left, desk.table.shoe.discards, desk.table.shoe.set_aside) == (139, burned, burned)
    desk.no(c.ReturnDiscards(order), "too_few_discards", "42")


@case("adelaide 53(b) on the floor the dealer collects into the shuffler")
def _(at):
    floor = at(device="continuous", mode="floor").ready("Ann 1")
    floor.bet("1 Ann 10").finish(collect=False)
    floor.then(c.Collect(), "CardsCollected DiscardsReturned", "53", "53(b)")
    assert (floor.table.shoe.left, floor.table.shoe.hidden_discards) == (139, 5)
    floor.move(left=90)
    floor.no(c.ReturnDiscards(floor.stack()), "order_unknown", "29")
    floor.then(c.ReturnDiscards(()), "DiscardsReturned", "42")
    assert floor.table.shoe.left == 144


@case("adelaide 42 about a pack of burned cards goes back as well")
def _(at):
    desk = at(device="continuous").ready("Ann 1")
    while len(desk.table.shoe.discards) < 48:
        desk.do(c.ClearJam(desk.table.shoe.stack))
    desk.then(c.ReturnDiscards(desk.stack()), "DiscardsReturned", "42")
    assert (desk.table.shoe.left, desk.table.shoe.discards, desk.table.shoe.set_aside) == (144, (), ())


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
    desk.finish().do(c.OrderShuffle("operator", "discretion", "a promotion ends"))
    desk.shuffled("**")
    at(mode="floor").ready("Ann 1").bet("1 Ann 10").no(c.Deal(JOKER), "wrong_cards", "50")


@case("division-15 16.7 7.3 7.4 7.5 7.6 the shoe runs out in mid-round: the discards are shuffled, cut and used")
def _(at):
    desk = at().ready("Ann 1", "Ben 4", behind=0).move(left=3, behind=2).bet("4 Ben 10")
    desk.no(c.ShuffleDiscards((), "dealer"), "shoe_not_empty", "16.7")
    desk.deal(3)
    assert desk.table.due == "during"
    desk.play(Stand(4))
    desk.no(c.Deal(), "shoe_is_empty", "16.7")
    order = desk.table.shoe.discards
    desk.no(c.ShuffleDiscards(order[1:], "dealer"), "wrong_cards", "16.7")
    desk.no(c.ShuffleDiscards(order, "dealer", 100), "cut_depth", "16.7", "7.5")
    desk.then(c.ShuffleDiscards(order, "dealer"), "DiscardsShuffled CutOffered", "16.7", "7.3", "7.4")
    assert (desk.table.shoe.left, desk.table.shoe.discards, desk.offered) == (len(order), (), "Ben Ann")
    desk.no(c.Deal(), "no_round", "8.4")
    desk.no(c.Play(Stand(4)), "not_cut_yet", "7.2")
    desk.no(c.Cut("dealer", 96), "not_the_cutter", "7.3")
    desk.no(c.Cut("Ben", 0), "cut_depth", "7.5")
    desk.then(c.DeclineCut("Ben"), "CutDeclined", "7.4")
    desk.then(c.Cut("Ann", 100), "CardsCut", "7.5")
    assert desk.table.shoe.stack[0] == order[100]
    desk.no(c.PlaceCuttingCard(len(order)), "cutting_card_depth", "7.6")
    desk.then(c.PlaceCuttingCard(60), "CuttingCardPlaced", "7.6")
    assert desk.table.phase == "round"
    desk.finish()
    assert desk.table.due == "", "the shuffled cards are used in later rounds"
    desk.round("1 Ann 10")


@case("division-15 16.7 9.2 14.2 a settled hand is in the rack and in the shuffle")
def _(at):
    desk = at().ready("Ann 1", "Bob 2", cards="7h 9c 6d 6s 3d 8c").bet("1 Ann 10", "2 Bob 10")
    desk.deal(5)
    desk.play(Hit(1))
    paid = desk.then(c.Deal(), "CardLeftShoe CardDealt Settled HandCollected TurnCame", "9.2", "14.2")
    assert paid[3].cards == ("7h", "6s", "8c")
    assert desk.table.on_layout == ("9c", "3d", "6d")
    desk.move(left=0)
    desk.play(Hit(2))
    desk.no(c.ShuffleDiscards(desk.table.shoe.discards[:-3], "dealer"), "wrong_cards", "16.7")
    desk.do(c.ShuffleDiscards(desk.table.shoe.discards[::-1], "dealer"))
    assert desk.table.shoe.left == 192 - 3
    desk.no(c.Reconstruct(desk.table.of_round, "dealt_again", "operator"), "no_round", "16.5")
    desk.cut()
    desk.no(c.Reconstruct(desk.table.of_round, "dealt_again", "operator"), "cannot_be_put_right", "16.5")
    desk.finish()


@case("division-15 9.1 14.2 pontoons and busts go to the rack at once; 9.2 a Super Bonus hand waits on the layout")
def _(at):
    desk = at().ready("Ann 1", "Bob 2", cards="As 9c 7d Ks 8h Kc").bet("1 Ann 10", "2 Bob 10")
    desk.deal(4)
    desk.then(c.Deal(), "CardLeftShoe CardDealt Settled HandCollected TurnCame Announced", "9.1")
    desk.play(Hit(2))
    desk.then(c.Deal(), "CardLeftShoe CardDealt Settled HandCollected DealerStopped RoundEnded", "14.2")
    collected = desk.then(c.Collect(), "CardsCollected", "8.6")
    assert collected[0].cards == ("7d",)
    assert desk.table.shoe.discards[-6:] == ("As", "Ks", "9c", "8h", "Kc", "7d")
    desk = at().ready("Ann 1", cards="7s 7d 7s 7s").bet("1 Ann 10")
    desk.deal(3)
    desk.play(Hit(1))
    desk.deal()
    assert desk.table.on_layout == ("7s", "7s", "7s", "7d")


@case("adelaide 110 54(b) the shoe runs out: the discards finish the round")
def _(at):
    desk = at(mode="floor").ready("Ann 1", behind=0).move(left=1).bet("1 Ann 10")
    desk.deal("9s")
    desk.no(c.Deal("9d"), "shoe_is_empty", "110", "54(b)")
    desk.no(c.Play(BurnCard(Card("9d")), approver="inspector"), "shoe_is_empty", "50")
    desk.no(c.ShuffleDiscards(desk.stack(), "dealer"), "order_unknown", "110")
    desk.no(c.ShuffleDiscards((), "dealer", 60, "inspector"), "cut_depth", "110", "37")
    desk.no(c.ShuffleDiscards((), "dealer"), "needs_second_person", "112")
    shuffle = c.ShuffleDiscards((), "dealer", approver="inspector")
    desk.then(shuffle, "Ruled DiscardsShuffled CutOffered", "110", "54(b)", "36", "39", "112")
    assert desk.table.shoe.left == 143
    desk.cut().finish()


@case("canberra 15.6 the shoe runs out: the discards finish the round")
def _(at):
    desk = at(mode="floor").ready("Ann 1").bet("1 Ann 10").move(left=0, discards=(), hidden_discards=0)
    desk.no(c.ShuffleDiscards((), "dealer", 0), "no_discards", "15.6")
    desk.move(left=0, hidden_discards=144)
    desk.then(c.ShuffleDiscards((), "dealer"), "DiscardsShuffled CutOffered", "15.6", "5.2", "5.3")
    desk.do(c.DeclineCut("Ann"))
    desk.no(c.Cut("dealer", 72), "not_the_cutter", "5.2")
    desk.do(c.Cut("casino_supervisor", 72))
    desk.no(c.PlaceCuttingCard(47), "cutting_card_depth", "5.3")
    desk.do(c.PlaceCuttingCard(48))
    desk.finish()
    assert desk.table.due == ""


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
    desk.do(c.CheckCards("dealer"))
    refused = desk.no(c.Shuffle(desk.stack()), "not_checked", "2.4")
    assert refused.facts["by"] == "casino_supervisor"
    desk.do(c.CheckCards("casino_supervisor"))
    desk.shuffled()


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
    canberra = at("canberra").ready("Ann 1")
    canberra.no(c.ReplaceCard(Card("9s"), ("dealer",)), "not_checked", "2.4")
    canberra.then(c.ReplaceCard(Card("9s"), ("dealer", "casino_supervisor")), "CardReplaced", "2.4")
    at("star").ready("Ann 1").no(c.ReplaceCard(Card("9s")), "document_silent")
    at("federal").ready("Ann 1").no(c.ReplaceCard(Card("9s")), "document_silent")


@case("division-15 7.1(d) the casino supervisor may order a shuffle after the table was vacant")
def _(at):
    desk = at().ready("Ann 1")
    desk.no(c.OrderShuffle("casino_supervisor", "vacant"), "table_not_vacant", "7.1(d)")
    desk.do(c.Leave("Ann"))
    desk.no(c.OrderShuffle("dealer", "vacant"), "not_a_supervisor", "7.1(d)")
    desk.no(c.OrderShuffle("game_supervisor", "vacant"), "not_theirs_to_order", "7.1(d)")
    desk.sit("Ben 3")  # someone has just sat down
    due = desk.then(c.OrderShuffle("casino_supervisor", "vacant"), "ShuffleFellDue", "7.1(d)")
    assert due[0].why == "ordered"
    desk.then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.1")


@case("division-15 7.1(e) a supervisor orders a shuffle when randomness is suspect, in mid-round after the round")
def _(at):
    desk = at()
    desk.no(c.OrderShuffle("game_supervisor", "suspect"), "no_shuffle_due", "7.1(e)")
    desk.ready("Ann 1").bet("1 Ann 10")
    desk.no(c.OrderShuffle("game_supervisor", "suspect"), "reason_needed", "7.1(e)")
    desk.no(c.OrderShuffle("inspector", "suspect", "a bent card"), "not_theirs_to_order", "7.1(e)")
    desk.no(c.OrderShuffle("casino_supervisor", "discretion", "bored"), "not_theirs_to_order", "7.1(e)")
    desk.then(c.OrderShuffle("game_supervisor", "suspect", "a bent card"), "ShuffleFellDue", "7.1(e)")
    desk.no(c.Shuffle(desk.stack()), "no_shuffle_due", "7.1")
    desk.finish().then(c.Shuffle(desk.stack()), "CardsShuffled CutOffered", "7.1")


@case("division-15 7.1(f) a card seen before the stack is in the shoe: shuffle again")
def _(at):
    desk = at().open("Ann 1").shuffled()
    desk.no(c.OrderShuffle("game_supervisor", "suspect"), "no_shuffle_due", "7.1(e)")
    desk.then(c.OrderShuffle("dealer", "exposed"), "ShuffleFellDue", "7.1(f)")  # nobody's order is needed
    desk.no(c.Cut("Ann", 96), "shuffle_first", "7.1(f)")
    desk.shuffled().do(c.Cut("Ann", 96), c.OrderShuffle("game_supervisor", "exposed"))
    desk.no(c.PlaceCuttingCard(48), "shuffle_first", "7.1(f)")
    desk.shuffled().cut()


@case("adelaide 35(d) when all players have left the cards are shuffled")
def _(at):
    desk = at().ready("Ann 1")
    desk.do(c.Leave("Ann"))
    desk.no(c.OrderShuffle("dealer", "discretion", "worn"), "not_a_supervisor", "35(c)")
    desk.then(c.OrderShuffle("dealer", "vacant"), "ShuffleFellDue Announced", "35(d)")
    desk.shuffled().then(c.Cut("dealer", 72), "CardsCut", "37", "38")
    desk.do(c.PlaceCuttingCard(60))
    desk.no(c.AskShuffle("Ben"), "not_seated", "35(d)")
    desk.sit("Ben 2").then(c.AskShuffle("Ben"), "ShuffleFellDue", "35(d)")
    desk.no(c.AskShuffle("Ben"), "shuffle_first", "35(d)")
    desk.shuffled().cut()
    desk.no(c.AskShuffle("Ben"), "not_prepared", "35(d)")
    at("division-15").ready("Ann 1").no(c.AskShuffle("Ann"), "document_silent", "7.1(d)")


@case("adelaide 35(c) the shift manager may order a shuffle at any time")
def _(at):
    desk = at().ready("Ann 1").bet("1 Ann 10")
    desk.no(c.OrderShuffle("operator", "discretion"), "reason_needed", "35(c)")
    desk.no(c.OrderShuffle("dealer", "discretion", "slow"), "not_a_supervisor", "35(c)")
    order = c.OrderShuffle("operator", "discretion", "a card on the floor")
    told = desk.then(order, "ShuffleFellDue AuthorityNotified", "35(c)")[1]
    assert (told.authority, told.reason) == ("Government Inspectorate", "a card on the floor")


@case("adelaide 46 a new dealer takes over after the round, during it only for causes beyond the house")
def _(at):
    desk = at().ready("Ann 1")
    desk.then(c.ChangeDealer("Dora"), "DealerChanged", "46")
    desk.bet("1 Ann 10").no(c.ChangeDealer("Dirk"), "dealer_finishes", "46")
    desk.then(c.ChangeDealer("Dirk", "Dora is taken ill"), "DealerChanged", "46")
    assert desk.table.dealer_name == "Dirk"


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
    desk.bet("1 Ann 10").do(c.OrderShuffle("game_supervisor", "suspect", "a marked card"))
    desk.no(c.RevealShoe(seed.hex()), "not_to_reveal", "7.1")
    desk.finish().no(c.RevealShoe("00"), "wrong_seed", "7.1")
    desk.then(c.RevealShoe(seed.hex()), "ShoeRevealed", "7.1")
