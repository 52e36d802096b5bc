"""Rooms in every phase of a table, and all possible commands there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, cast

from msgspec.structs import replace

from pontoon.cards import Card
from pontoon.engine import CallNoMoreBets, CloseOffer, Double, Limits, PlaceWager, Split, Stand
from pontoon.engine import commands as e
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.decide import Decided, ask
from pontoon.server.rooms.log import BotSeated
from pontoon.server.rooms.permits import Mode
from pontoon.server.rooms.settings import Settings
from pontoon.server.rooms.state import RoomState, at_entry, evolve_room
from pontoon.server.wire import family
from pontoon.table import Table
from pontoon.table import commands as c
from pontoon.table.cutting import cutting_card_range
from pontoon.table.state import for_device
from tests.table.desk import Desk

MAKER = "Max"
OFFICIAL = "Olive"
PLAYERS = ("Ann", "Ben")
MODES: tuple[Mode, ...] = ("automatic", "floor")
BOOKS = ("adelaide", "canberra", "division-15", "federal", "star")
BOT = "bot T1 6"
KINDS: tuple[type[Asked], ...] = cast(
    "Any",
    (
        *family(e.Command),
        *(kind for kind in family(c.TableCommand) if kind is not c.Play),
        *family(r.RoomCommand),
    ),
)
STIFF = "9c 8d 7s 6h 9s"
"""Nines, eights and a seven for the dealer: no offer, no pair."""


def room(table: Table, *, held: str = "", bot: bool = False) -> RoomState:
    """A room around a table, four entries old."""
    settings = Settings(table.rules.about.name, mode=table.mode, name="a table")
    state = RoomState("T1", settings, "", MAKER, table, settings.clocks, held=held)
    if bot:
        state = evolve_room(state, BotSeated(BOT, 6, "chart", 1000, 1000), 4)
    return at_entry(state, 4)


# --- the way through a table's phases ------------------------------------------------------------------


def dealt(desk: Desk, cards: str, count: int) -> Desk:
    """This many cards; at a floor table with these faces."""
    for card in cards.split()[:count]:
        desk.deal(card if desk.table.mode == "floor" else 1)
    return desk


def walk(book: str, mode: str) -> Iterator[tuple[str, Table]]:
    """One table from its opening through two rounds to its closing."""
    desk = Desk(book, mode=mode)
    yield "new", desk.table
    desk.do(c.Open())
    yield "opened", desk.table
    desk.sit("Ann 1", "Ben 2").prepared()
    yield "prepared", desk.table
    desk.shuffled(STIFF)
    yield "shuffled", desk.table
    desk.do(c.Cut("Ann", desk.table.shoe.left // 2))
    yield "cut", desk.table
    desk.do(c.PlaceCuttingCard(sum(cutting_card_range(desk.table)) // 2))
    yield "ready", desk.table
    if desk.table.rules.shoe.burn_first:
        desk.do(c.BurnFirst())
        yield "burned", desk.table
    desk.play(PlaceWager(1, "Ann", 1000), PlaceWager(2, "Ben", 1000), PlaceWager(4, "Ann", 1000))
    yield "wagers", desk.table
    desk.play(CallNoMoreBets())
    yield "called", desk.table
    dealt(desk, "9c 8d 7s 6h 9s 8h 9d", 7)
    yield "dealt", desk.table
    desk.finish(collect=False)
    yield "settled", desk.table
    desk.do(c.Collect())
    yield "collected", desk.table
    desk.round("1 Ann 10")
    desk.play(PlaceWager(1, "Ann", 1000))
    yield "two rounds", desk.table
    desk.play(CallNoMoreBets())
    dealt(desk, "9c 8d 7s", 3)
    yield "third round", desk.table
    desk.finish().do(c.Leave("Ann"), c.Leave("Ben"))
    yield "vacant", desk.table
    desk.do(c.Close())
    yield "closed again", desk.table


def _decision(book: str, mode: str, cards: str, *bets: str, count: int = 3) -> Desk:
    desk = Desk(book, mode=mode).ready("Ann 1", "Ben 2", cards=cards if mode == "automatic" else "")
    return dealt(desk.bet(*bets), cards, count)


def split_to_join(mode: str) -> Desk:
    desk = _decision("star", mode, "8c 7d 8s 9h", "1 Ben 10", "1 Ann 10")
    desk.play(Split(1))
    return desk


def pair(mode: str) -> Desk:
    return _decision("star", mode, "8c 7d 8s 9h", "1 Ann 10")


def forfeit(mode: str) -> Desk:
    desk = _decision("star", mode, "5c 7d 6s 2h", "1 Ann 10")
    desk.play(Double(1))
    return dealt(desk, "2h", 1)


def insurance(mode: str) -> Desk:
    return _decision("adelaide", mode, "9c Ah 7s", "1 Ann 10")


def surrender(mode: str) -> Desk:
    desk = _decision("star", mode, "Kc Ah 6s", "1 Ann 10")
    while desk.table.round is not None and desk.table.round.phase == "insurance":
        desk.play(CloseOffer())
    return desk


def exposed(mode: str) -> Desk:
    desk = _decision("adelaide", mode, "9c 7d 3s 9h", "1 Ann 10")
    desk.do(c.Play(e.ExposeCard(Card("9h")), approver="inspector"))
    return desk


def passed_over(mode: str) -> Desk:
    desk = _decision("adelaide", mode, "9c 8d 7s 3h 9s", "1 Ann 10", "2 Ben 10", count=5)
    desk.do(c.Play(e.SkipHand(1), approver="inspector"))
    return desk


def noticed(mode: str) -> Desk:
    desk = passed_over(mode)
    desk.do(c.Play(e.NoticeSkip(1), approver="inspector"))
    desk.play(Stand(2))
    return desk


def dealer_skipped(mode: str) -> Desk:
    """Nobody has noticed before Ann stood, which completes the initial deal."""
    desk = Desk("adelaide", mode=mode).ready("Ann 1", "Ben 2", cards="9c 8c 7s 9s" if mode == "automatic" else "")
    desk.bet("1 Ann 10", "2 Ben 10").do(c.Play(e.SkipDealer(), approver="inspector"))
    dealt(desk, "9c 8c 7s 9s", 4)
    desk.play(Stand(1))
    return desk


def withdrawal(mode: str) -> Desk:
    desk = dealer_skipped(mode)
    desk.do(c.Play(e.NoticeNoFirstCard(), approver="inspector"))
    return dealt(desk, "8h" if mode == "floor" else "any", 1)


def came_first(mode: str) -> Desk:
    desk = Desk("division-15", mode=mode).ready("Ann 1").move(left=60, behind=60).bet("1 Ann 10")
    return dealt(desk, "9c", 1)


def run_out(book: str, mode: str) -> Desk:
    desk = Desk(book, mode=mode).ready("Ann 1").move(left=3, behind=-1, came="1").bet("1 Ann 10")
    dealt(desk, "9c 7d 8s", 3)
    desk.play(Stand(1))
    return desk


def device(mode: str, *, gathered: bool = False, bets: tuple[str, ...] = ()) -> Desk:
    desk = Desk("adelaide", mode=mode, device="continuous").ready("Ann 1", "Ben 2")
    if gathered:
        desk.move(left=60)
    return dealt(desk.bet(*bets), "9c 8d 7s", 3) if bets else desk


def failed_between(mode: str) -> Desk:
    """Wagers are on the boxes while new cards are prepared."""
    desk = Desk("canberra", mode=mode, device="shuffling_shoe").ready("Ann 1", "Ben 2")
    desk.play(PlaceWager(1, "Ann", 1000))
    desk.do(c.FailDevice())
    return desk


def failed_in_round(mode: str) -> Desk:
    desk = device(mode, gathered=True, bets=("1 Ann 10", "2 Ben 10"))
    desk.do(c.FailDevice(desk.table.shoe.stack))
    return desk


def cut_in_round(mode: str) -> Desk:
    desk = failed_in_round(mode)
    desk.do(c.Cut(desk.table.offered[0], desk.table.shoe.left // 2))
    return desk


def seen_before(mode: str, *, cut: bool) -> Desk:
    desk = Desk("division-15", mode=mode).open("Ann 1").shuffled()
    if cut:
        desk.do(c.Cut("Ann", 90))
    desk.do(c.OrderShuffle("game_supervisor", "exposed"))
    return desk


def due(mode: str) -> Desk:
    desk = Desk("canberra", mode=mode).ready("Ann 1")
    desk.do(c.OrderShuffle("operator", "suspect"))
    return desk


def idle(mode: str, stop: str = "ready") -> Desk:
    """A full table, and Ben has not bet for three rounds."""
    names = ("Ann", "Ben", "Cal", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida")
    count = Desk("canberra").table.rules.boxes.count
    desk = Desk("canberra", mode=mode).ready(*(f"{name} {box}" for box, name in enumerate(names[:count], 1)))
    for _ in range(3):
        desk.round("1 Ann 10")
    if stop in ("round", "collect"):
        desk.bet("1 Ann 10")
        return desk if stop == "round" else desk.finish(collect=False)
    if stop == "preparing":
        desk.do(c.ChangeCards("worn"))
    if stop in ("shuffled", "cut"):
        desk.do(c.OrderShuffle("operator", "suspect"))
        desk.shuffled()
    if stop == "cut":
        desk.do(c.Cut(desk.table.offered[0], desk.table.shoe.left // 2))
    return desk


def standing(mode: str, stop: str = "ready") -> Desk:
    """A full table, and Ben stands by it, held to the minimum, without a bet for two rounds."""
    desk = Desk("adelaide", mode=mode, hold_late=True)
    desk.ready("Ann 1", "Cal 2", "Dee 3", "Eve 4", "Fay 5", "Gus 6")
    for _ in range(2):
        desk.round("1 Ann 10", "2 Cal 10")
    if stop in ("round", "collect"):
        desk.bet("1 Ann 10", "2 Cal 10")
    if stop == "collect":
        desk.finish(collect=False)
    if stop == "preparing":
        desk.do(c.ChangeCards("worn"))
    return desk


def controlled(mode: str) -> Desk:
    """Ann bets behind a box nobody sits at, and calls its decisions."""
    desk = Desk("adelaide", mode=mode).ready("Ben 2")
    desk.play(PlaceWager(1, "Ann", 1000))
    return desk


def sealed(mode: str) -> Desk:
    desk = Desk("adelaide", mode=mode, sealed=True)
    desk.do(c.Open())
    return desk


def checked(mode: str) -> Desk:
    desk = Desk("adelaide", mode=mode, packs=8)
    desk.do(c.Open(), c.CheckCards("dealer"))
    return desk


def paid_at_once(mode: str) -> Desk:
    """Ann's pontoon is paid, and Ben decides."""
    return _decision("star", mode, "Ac 8d 7h Kc 9d", "1 Ann 10", "2 Ben 10", count=5)


def forgotten(mode: str) -> Desk:
    """The dealer has an ace, and the offers are over."""
    desk = _decision("division-15", mode, "9c Ah 7s", "1 Ann 10")
    while desk.table.round is not None and desk.table.round.phase in ("insurance", "surrender"):
        desk.play(CloseOffer())
    return desk


def second_set(mode: str, stop: str) -> Desk:
    """A batch shuffler's other set waits to be checked while the first is in play."""
    desk = Desk("division-15", mode=mode, device="batch").open("Ann 1").shuffled()
    if stop == "shuffled":
        return desk
    desk.do(c.Cut("Ann", desk.table.shoe.left // 2))
    if stop == "cut":
        return desk
    desk.do(c.PlaceCuttingCard(60))
    if stop == "ready":
        return desk
    desk.bet("1 Ann 10")
    return desk if stop == "round" else desk.finish(collect=False)


def waiting_for_the_first_player(mode: str) -> Desk:
    """New cards are ready for the first player, who has a wager down where the program deals."""
    desk = Desk("adelaide", mode=mode, packs=8)
    desk.do(c.Open(), c.CheckCards("dealer"))
    if mode == "automatic":
        desk.do(c.Play(PlaceWager(1, "Ann", 1000)))
    return desk


def prepared(mode: str, stop: str) -> Desk:
    """The cards were shuffled while the table was empty, and players have come."""
    desk = Desk("adelaide", mode=mode).ready("Ben 2")
    desk.do(c.Leave("Ben"), c.OrderShuffle("inspector", "vacant"))
    desk.shuffled().sit("Ann 1", "Ben 2", "Cal 3")
    if stop == "shuffled":
        return desk
    desk.do(c.Cut("dealer", desk.table.shoe.left // 2))
    if stop == "ready":
        desk.do(c.PlaceCuttingCard(60))
    return desk


def discards_shuffled(mode: str) -> Desk:
    """The shoe ran out, and the discards are to be cut."""
    desk = run_out("division-15", mode)
    desk.do(c.ShuffleDiscards(_order(desk.table, desk.table.shoe.discards), "dealer"))
    return desk


SPECIAL: dict[str, Callable[[str], Desk]] = {
    "sealed": sealed,
    "checked": checked,
    "seen before the cut": lambda mode: seen_before(mode, cut=False),
    "seen after the cut": lambda mode: seen_before(mode, cut=True),
    "due": due,
    "controlled": controlled,
    **{f"standing, {stop}": partial(standing, stop=stop) for stop in ("preparing", "ready", "round", "collect")},
    "full and idle": idle,
    "idle, preparing": lambda mode: idle(mode, "preparing"),
    "idle, shuffled": lambda mode: idle(mode, "shuffled"),
    "idle, cut": lambda mode: idle(mode, "cut"),
    "idle, round": lambda mode: idle(mode, "round"),
    "idle, collect": lambda mode: idle(mode, "collect"),
    "device": device,
    "device, discards": lambda mode: device(mode, gathered=True),
    "device, round": lambda mode: device(mode, bets=("1 Ann 10", "2 Ben 10")),
    "device failed between rounds": failed_between,
    "device failed in a round": failed_in_round,
    "cut in a round": cut_in_round,
    "pair": pair,
    "split to join": split_to_join,
    "forfeit": forfeit,
    "insurance": insurance,
    "surrender": surrender,
    "paid at once": paid_at_once,
    "offers closed": forgotten,
    "exposed": exposed,
    "passed over": passed_over,
    "passed over, noticed": noticed,
    "dealer skipped": dealer_skipped,
    "withdrawal": withdrawal,
    "cutting card first": came_first,
    "run out": lambda mode: run_out("division-15", mode),
    "run out, silent": lambda mode: run_out("star", mode),
    "discards to cut": discards_shuffled,
    "second set, shuffled": lambda mode: second_set(mode, "shuffled"),
    "second set, cut": lambda mode: second_set(mode, "cut"),
    "second set, ready": lambda mode: second_set(mode, "ready"),
    "second set, round": lambda mode: second_set(mode, "round"),
    "second set, collect": lambda mode: second_set(mode, "collect"),
    "waiting for the first player": waiting_for_the_first_player,
    "prepared, shuffled": lambda mode: prepared(mode, "shuffled"),
    "prepared, cut": lambda mode: prepared(mode, "cut"),
    "prepared, ready": lambda mode: prepared(mode, "ready"),
}


def entered(state: RoomState) -> dict[str, RoomState]:
    """A room of a round and of a settled one in which a dealer has just entered a card."""
    found: dict[str, RoomState] = {}
    for command in (e.Hit(1, "Ann"), c.Deal("2h"), e.Stand(1, "Ann"), c.Deal("Kd")):
        decided = ask(state, Actor("Dan", "dealer"), command, "", None)
        assert isinstance(decided, Decided), decided
        state = decided.state
        if isinstance(command, c.Deal):
            found[f"floor a card entered, {state.table.phase}"] = state
    return found


def proposed(state: RoomState) -> RoomState | None:
    """The same room with an open proposal, if a ruling can be proposed."""
    for ruling in (e.VoidRound(), e.VoidBox(1)):
        decided = ask(state, Actor("Rita", "game_supervisor"), ruling, "", None)
        if isinstance(decided, Decided) and decided.state.proposals:
            return decided.state
    return None


@cache
def rooms() -> dict[str, RoomState]:
    """Every room by a name; made once."""
    found: dict[str, RoomState] = {}
    for mode in MODES:
        for book in BOOKS:
            for name, table in walk(book, mode):
                found[f"{book} {mode} {name}"] = room(
                    table, held="a pause" if book == "star" else "", bot=book != "federal"
                )
        for name, make in SPECIAL.items():
            found[f"{mode} {name}"] = room(make(mode).table)
    waiting = {name: rules for name, state in found.items() if (rules := proposed(state)) is not None}
    found |= {f"{name}, a ruling waits": state for name, state in waiting.items()}
    found |= entered(found["floor pair"])
    open_ruling = waiting["adelaide floor dealt"]
    for name, table in walk("adelaide", "floor"):  # the human dealer continues while the ruling is still open
        carried = replace(room(table), proposals=open_ruling.proposals, ruled=open_ruling.ruled)
        found[f"adelaide floor {name}, a ruling is left open"] = carried
    return found


# --- what can be asked ---------------------------------------------------------------------------------


def _top(table: Table) -> Card:
    exposed = table.round.exposed if table.round is not None else ""
    return Card(exposed) if exposed else table.shoe.stack[0] if table.shoe.stack else Card("9h")


def _order(table: Table, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return cards if table.mode == "automatic" else ()


def _payments(table: Table) -> list[r.NotePayment]:
    settled = table.round.settlements if table.round is not None else ()
    return [
        r.NotePayment(settlement.box, settlement.player, settlement.net + 100, settlement.hand or 1)
        for settlement in settled[:1]
    ]


def asked(kind: type[Asked], table: Table, who: str) -> list[Asked]:
    """This command for this person, as close to allowed as possible here."""
    box = table.round.turn[0] if table.round is not None and table.round.turn[0] else 1
    shoe, number = table.shoe, max(table.number - 2, 1)
    whole = _order(table, Desk("star", packs=table.packs, joker=table.joker).stack())
    many: dict[type, list[Any]] = {
        e.PlaceWager: [e.PlaceWager(5, who, 1000)],
        e.PlaceSideWager: [e.PlaceSideWager(1, who, kind, 500) for kind in ("perfect_pairs", "pairs_play")],
        e.DealCard: [e.DealCard(_top(table))],
        e.Insure: [e.Insure(1, who, 500)],
        e.Double: [e.Double(box, 0, who)],
        e.Ride: [e.Ride(1, who, 1)],
        e.BurnCard: [e.BurnCard(_top(table))],
        e.ExposeCard: [e.ExposeCard(_top(table))],
        e.OfferLate: [e.OfferLate(offer, 1 if who else 0, who) for offer in ("insurance", "surrender")],
        e.NoticeSkip: [e.NoticeSkip(1)],
        c.CheckCards: [c.CheckCards("dealer")],
        c.ShowCards: [c.ShowCards(who, 60)],
        c.BreakSeal: [c.BreakSeal(whole=True)],
        c.Shuffle: [c.Shuffle(whole)],
        c.CommitShoe: [c.CommitShoe("00", "00")],
        c.RevealShoe: [c.RevealShoe("00")],
        c.Cut: [c.Cut(who, shoe.left // 2)],
        c.PlaceCuttingCard: [c.PlaceCuttingCard(sum(cutting_card_range(table)) // 2)],
        c.SetLimits: [c.SetLimits(Limits(500, 50_000), told=True)],
        c.AnnounceLimits: [c.AnnounceLimits(Limits(500, 50_000))],
        c.OfferSideBets: [c.OfferSideBets(())],
        c.HoldLate: [c.HoldLate(hold=True, by="dealer", player=who)],
        c.AllowBoxes: [c.AllowBoxes(2, "dealer", who)],
        c.TakeControl: [c.TakeControl(who, 7, "dealer")],
        c.SetHours: [c.SetHours(open=False)],
        c.AllowPersonalLimit: [c.AllowPersonalLimit(who, 1, 90_000)],
        c.Restrict: [c.Restrict(who, "dealer", consulted=True, reason="counts")],
        c.TakeSeat: [c.TakeSeat(who, "dealer")],
        c.Exclude: [c.Exclude(who, "dealer", "cheats")],
        c.CallOut: [c.CallOut(PlaceWager(5, who, 1000), chips=True)],
        c.DeclarePartners: [c.DeclarePartners(("Ann", "Ben"), "dealer")],
        c.Reconstruct: [c.Reconstruct(table.of_round, "dealt_again", "dealer")],
        c.RemoveExtraHand: [c.RemoveExtraHand((_top(table),), "dealer")],
        c.DecideDispute: [c.DecideDispute(who, "a double", "it stands", "dealer")],
        c.Deal: [c.Deal("" if table.mode == "automatic" else _top(table))],
        c.ShuffleDiscards: [c.ShuffleDiscards(_order(table, shoe.discards), "dealer")],
        c.ReturnDiscards: [c.ReturnDiscards(_order(table, (*shoe.stack, *for_device(table)[0])))],
        c.ChangeCards: [c.ChangeCards("worn")],
        c.ReplaceCard: [c.ReplaceCard(_top(table), ("dealer", "casino_supervisor"))],
        c.OrderShuffle: [
            c.OrderShuffle("dealer", reason, "a bent card") for reason in ("vacant", "suspect", "exposed", "discretion")
        ],
        c.ChangeDealer: [c.ChangeDealer("Dora", "taken ill")],
        c.ClearJam: [c.ClearJam(shoe.stack)],
        c.FailDevice: [c.FailDevice(shoe.stack if table.phase == "round" else ())],
        c.GiveNotice: [c.GiveNotice(kind) for kind in ("minutes", "rounds", "notice")],
        c.Close: [c.Close(60)],
        c.VoidEarlier: [c.VoidEarlier(number, "dealer", reason="a card was misplaced")],
        c.Sit: [c.Sit(who, 5)],
        c.DeclineControl: [c.DeclineControl(who, 1)],
        r.SetPace: [r.SetPace(100, 1000)],
        r.SeatBot: [r.SeatBot(7)],
        r.RemoveBot: [r.RemoveBot(BOT)],
        r.Approve: [r.Approve(1)],
        r.Reject: [r.Reject(1)],
        r.MoveChips: [r.MoveChips("opening", 100)],
        r.NotePayment: [r.NotePayment(box, who or "Ann", 7), *_payments(table)],
        r.OpenRound: [r.OpenRound(1, ((1, "Ann"),), 1, (("Ann", 100_000),))],
    }
    if kind in many:
        return many[kind]
    fields = kind.__struct_fields__
    facts: dict[str, Any] = {"box": box, "player": who, "hand": 1}
    return [kind(**{name: facts[name] for name in fields if name in facts})]


def names(kind: type[Asked]) -> tuple[str, ...]:
    """The people a command of this kind can be about: nobody given, and each player by name."""
    fields = kind.__struct_fields__
    about = kind in (c.Cut, c.CallOut) or ("player" in fields and not issubclass(kind, r.RoomCommand))
    return ("", *PLAYERS) if about else ("",)
