"""The simulated players, who read the rooms and send possible commands."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, cast

from msgspec.structs import replace

from pontoon.cards import JOKER, PACK, Card
from pontoon.engine import Box, Limits, Round, refusal
from pontoon.engine import commands as e
from pontoon.engine.dealing import next_place
from pontoon.engine.options import options
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.permits import Role
from pontoon.server.rooms.state import RoomState
from pontoon.server.wire import LONGEST
from pontoon.table import commands as c
from pontoon.table import refusal as at_table
from pontoon.table.bots import BOTS, chart_bot, random_bot
from pontoon.table.cutting import cutting_card_range, seen_before_shoe
from pontoon.table.opening import checkers
from pontoon.table.program import ANSWERS, JOINS
from pontoon.table.state import Table, possible, seat_of, seated_at

COMMANDS = 1000

PLAYERS = ("Ann", "Ben", "Cal", "Dee", "Eve")
STAFF: dict[Role, str] = {
    "game_supervisor": "Sue",
    "casino_supervisor": "Max",
    "inspector": "Ivy",
    "dealer": "Dan",
    "administrator": "Ada",
    "tournament_director": "Tom",
}
LONG = "x" * LONGEST
"""The maximum length of a text from a client."""

DECLINES = (e.DeclineInsurance, e.DeclineSurrender, e.Withdraw)
Wanted = tuple[Actor, Asked]


class Crowd:
    """Commands for a room: mostly what it asks for, occasionally a ruling or nonsense."""

    def __init__(self, chance: Random, players: Sequence[str], balance: Callable[[str], int]) -> None:
        self.chance = chance
        self.players = players
        self.lazy = players[-1] if chance.random() < 0.3 else ""
        """A player who sits but does not bet."""
        self.fills = chance.random() < 0.1
        """Bots take every free seat, so that idle seats and control are taken from people."""
        self.deals_out = False
        """The dealer deals every shoe to its end: without a cutting card, or with one as far back as allowed."""
        self.balance = balance

    def wants(self, state: RoomState) -> Wanted | None:
        chance, dice = self.chance, self.chance.random()
        if dice < 0.06:
            return self.nonsense(state)
        if state.proposals and chance.random() < 0.4:
            return self.second_person(state)
        if state.paused and not state.proposals and chance.random() < 0.4:
            return self.official("inspector"), r.Resume()
        if self.fills and chance.random() < 0.15:
            filled = self._fills(state)
            if filled is not None:
                return filled
        if dice < 0.14:
            return self.ruling(state)
        if state.table.mode == "floor" and chance.random() < 0.7:
            return self.dealer(state)
        return self.player(state)

    def _fills(self, state: RoomState) -> Wanted | None:
        """A bot for the next free seat; at a full table a seat or a box is taken from somebody idle."""
        table = state.table
        free = [number for number in range(1, table.rules.boxes.count + 1) if not seated_at(table, number)]
        if len(free) > (1 if self.lazy else 0):
            return Actor(state.made_by), r.SeatBot(free[0], "chart", 0)
        takes: list[c.TableCommand] = [c.TakeSeat(seat.player, "operator") for seat in table.seats]
        takes += [c.TakeControl(player, number, "operator") for player in self.players for number in (*free, 1)[:1]]
        lawful = [command for command in takes if at_table(table, command) is None]
        if not lawful and not table.hold_late:  # only a player held to the minimum loses control of a box
            lawful = [command for command in [c.HoldLate(hold=True, by="operator")] if at_table(table, command) is None]
        return (self.supervisor(), self.chance.choice(lawful)) if lawful else None

    @staticmethod
    def official(role: Role) -> Actor:
        return Actor(STAFF[role], role)

    def supervisor(self) -> Actor:
        return self.official(self.chance.choice(("game_supervisor", "casino_supervisor")))

    def box(self, table: Table) -> int:
        return self.chance.randint(1, table.rules.boxes.count)

    def stake(self, table: Table, player: str) -> int:
        chance, limits = self.chance, table.limits
        low, dice = limits.minimum or 200, chance.random()
        if dice < 0.75:
            wanted = low * chance.choice((1, 1, 2, 3))
        elif dice < 0.85:
            wanted = limits.maximum or low * 50
        else:
            wanted = min(self.balance(player), limits.maximum or 2**52)
        return max(wanted - wanted % 2, 2)

    # --- players ---

    def player(self, state: RoomState) -> Wanted | None:
        """What a player does now; None lets time pass."""
        table, now, chance = state.table, state.moment, self.chance
        mine = [player for player in now.players if player in self.players]
        if table.phase == "closed":
            return self.opens(state)
        if table.closing and chance.random() < 0.25:
            return self.closes(state)
        if now.kind == "cut" and mine and chance.random() < 0.6:
            return self.cuts(table, mine[0])
        if now.kind == "decision" and mine and chance.random() < 0.9:
            return self.decides(table, mine[0])
        if now.kind in ("offer", "join") and mine and chance.random() < 0.9:
            return self.answers(state, chance.choice(mine))
        player = chance.choice(self.players)
        if table.vacant and chance.random() < 0.3:
            return Actor(player), c.AskShuffle(player)
        if table.phase == "ready" and not table.due and chance.random() < 0.95:
            return self.bets(state, player)
        return self.beside(table, player) if chance.random() < 0.3 else None

    def opens(self, state: RoomState) -> Wanted:
        officials = [self.official(role) for role in ("game_supervisor", "administrator", "tournament_director")]
        by = self.chance.choice([*officials, Actor(state.made_by)])
        if state.table.rules.shoe.check_at_end and self.chance.random() < 0.3:
            return self.official("dealer"), c.CheckCards("dealer")
        return by, c.Open()

    def closes(self, state: RoomState) -> Wanted:
        return self.chance.choice((self.supervisor(), Actor(state.made_by))), c.Close(self.chance.choice((0, 15)))

    def cuts(self, table: Table, player: str) -> Wanted:
        dice = self.chance.random()
        if dice < 0.25:
            return Actor(player), c.DeclineCut(player)
        if dice < 0.4:
            return Actor(player), r.Pass()
        return Actor(player), c.Cut("", self.chance.randint(0, table.shoe.left))

    def decides(self, table: Table, player: str) -> Wanted:
        state = table.round
        assert state is not None
        if state.exposed and self.chance.random() < 0.5:
            return Actor(player), e.RefuseCard(state.turn[0])
        split = e.Split(state.turn[0])
        if self.chance.random() < 0.5 and refusal(state, split) is None:
            return Actor(player), split
        bot = random_bot if self.chance.random() < 0.2 else chart_bot
        return Actor(player), bot(state, self.chance) or e.Stand(state.turn[0])

    def answers(self, state: RoomState, player: str) -> Wanted:
        chance = self.chance
        assert state.table.round is not None
        wanted: tuple[type[e.Command], ...] = (*ANSWERS.get(state.table.round.phase, ()), *JOINS, *DECLINES)
        able: list[Any] = [command for command in options(state.table.round).allowed if isinstance(command, wanted)]
        able = [command for command in able if command.player == player]
        if not able or chance.random() < 0.25:
            return Actor(player), r.Pass()
        command = chance.choice(able)
        if isinstance(command, e.Insure) and chance.random() < 0.5:
            command = replace(command, amount=max(command.amount // chance.choice((1, 2, 4)), 1))
        if isinstance(command, e.Double) and chance.random() < 0.3:
            command = replace(command, amount=self.stake(state.table, player))
        return Actor(player), command

    def bets(self, state: RoomState, player: str) -> Wanted:
        chance, table, box = self.chance, state.table, self.box(state.table)
        seat, dice = seat_of(table, player), chance.random()
        free = [number for number in range(1, table.rules.boxes.count + 1) if not seated_at(table, number)]
        if dice < (0.15 if seat is None else 0.01) and free:
            return Actor(player), c.Sit(player, chance.choice(free))
        if player == self.lazy and seat is not None:
            return Actor(player), r.Pass()
        mine = [box.number for box in self.boxes(table) if any(wager.player == player for wager in box.bettors)]
        if mine and dice > (0.4 if player not in state.passed else 0.9):
            return Actor(player), e.TakeBack(mine[0], player) if dice > 0.97 else r.Pass()
        box = seat.box if seat is not None and chance.random() < 0.5 else chance.choice((1, 1, box))
        if dice > 0.9 and any(bet.offered for bet in table.rules.side):
            kind: e.SideKind = chance.choice(("perfect_pairs", "perfect_pairs", "pairs_play"))
            return Actor(player), e.PlaceSideWager(box, player, kind, chance.choice((100, 500, 2500)))
        return Actor(player), e.PlaceWager(box, player, self.stake(table, player))

    @staticmethod
    def boxes(table: Table) -> tuple[Box, ...]:
        return table.round.boxes if table.round is not None else ()

    def beside(self, table: Table, player: str) -> Wanted:
        box, rules, chance = self.box(table), table.rules, self.chance
        wager = e.PlaceWager(box, player, self.stake(table, player))
        seated = seat_of(table, player) is not None
        asked = next((box.number for box in self.boxes(table) if box.controller == player), box)
        commands: list[Asked] = [c.Leave(player) if seated else c.Sit(player, box), c.AskCards(player)]
        if table.vacant or chance.random() < 0.1:
            commands.append(c.AskShuffle(player))
        if rules.shoe.burn_first or chance.random() < 0.1:
            commands.append(c.ShowBurn(player))
        if rules.people.oral == "with_chips" or chance.random() < 0.1:
            commands.append(c.CallOut(wager, chips=chance.random() < 0.8))
        if rules.people.control_declined == "void" or chance.random() < 0.1:
            commands.append(c.DeclineControl(player, asked))
        return Actor(player), chance.choice(commands)

    # --- a person who deals ---

    def dealer(self, state: RoomState) -> Wanted:
        """The dealer's next step under the rules, and sometimes an error."""
        table, chance, dan = state.table, self.chance, self.official("dealer")
        if state.proposals and chance.random() < 0.8:
            return self.second_person(state)
        if chance.random() < 0.04:
            return dan, r.CallSupervisor("a chip fell")
        if chance.random() < 0.08:
            return dan, self._chips(state)
        if state.floor.undo_at == state.version and chance.random() < 0.1:
            return dan, r.UndoCard()
        if table.phase == "closed":
            return self.opens(state)
        if self._shuffle_next(table):
            return self._prepares(table)
        if table.phase == "shuffled":
            by = table.offered[0] if table.offered else table.rules.cut.nobody
            return dan, c.DeclineCut(by) if chance.random() < 0.1 else c.Cut(by, table.shoe.left // 2)
        if table.phase == "cut":
            return dan, self._cutting_card(table)
        if table.phase == "collect":
            return dan, e.BurnCard(chance.choice(PACK), "dealer_excess") if chance.random() < 0.05 else c.Collect()
        return dan, self._deals(table) if table.phase == "round" else self._waits(table)

    def _cutting_card(self, table: Table) -> Asked:
        low, high = cutting_card_range(table)
        if self.deals_out:
            return c.PlaceCuttingCard(-1 if table.rules.cut.missing == "deal_to_end" else low)
        return c.PlaceCuttingCard(-1 if self.chance.random() < 0.25 else self.chance.randint(low, high))

    def _chips(self, state: RoomState) -> Asked:
        """A payment that differs if one was made, else chips that are moved or counted."""
        chance, table, tray = self.chance, state.table, state.floor.tray
        settled = table.round.settlements if table.round is not None else ()
        if settled and chance.random() < 0.5:
            one = chance.choice(settled)
            return r.NotePayment(one.box, one.player, one.net + chance.choice((-500, 0, 100)), one.hand or 1)
        kinds: tuple[r.ChipMove, ...] = ("fill", "credit", "buy_in", "cash_out", "count", "closing", "opening")
        kind = chance.choice(kinds)
        if kind in ("buy_in", "cash_out"):
            return r.MoveChips(kind, chance.choice((0, 500, 10_000)), chance.choice(self.players))
        if kind in ("fill", "credit"):
            return r.MoveChips(kind, chance.choice((0, 500, 10_000)), slip="88214")
        if tray is None:
            return r.MoveChips(kind, 500_000, chips=((10_000, chance.choice((49, 50, 50, 50))),))
        return r.MoveChips(kind, max(0, tray + chance.choice((0, 0, -500, 250))))

    def _shuffle_next(self, table: Table) -> bool:
        boxes = table.round is not None and bool(table.round.boxes)
        between = bool(table.due) and table.phase == "ready" and not boxes and self.chance.random() < 0.8
        return table.phase == "preparing" or table.due == "first" or seen_before_shoe(table) or between

    def _prepares(self, table: Table) -> Wanted:
        dan = self.official("dealer")
        if table.sealed and "seal" not in table.checked and self.chance.random() < 0.7:
            return dan, c.BreakSeal(whole=self.chance.random() < 0.8)
        for role in checkers(table):
            if table.new_cards and role not in table.checked and "seal" not in table.checked:
                return self.official(cast("Role", role)), c.CheckCards("dealer")
        if table.rules.shoe.spread != "none" and not table.shown:
            return dan, c.ShowCards(self.chance.choice(self.players), self.chance.choice((0, 15)))
        return dan, c.Shuffle()

    def _waits(self, table: Table) -> Asked:
        chance, dice = self.chance, self.chance.random()
        player = chance.choice(self.players)
        if dice < (0.1 if table.rules.shoe.burn_first and not table.shoe_round else 0.01):
            return c.BurnFirst(chance.choice(("", str(chance.choice(PACK)))))
        if dice < 0.1 and not table.by_hand:
            return c.ReturnDiscards(())
        if dice < 0.12:
            return chance.choice((c.ClearJam(), c.FailDevice()))
        if dice < 0.5 or not (table.round and table.round.boxes):
            return e.PlaceWager(self.box(table), player, self.stake(table, player))
        return e.CallNoMoreBets()

    def _deals(self, table: Table) -> Asked:
        state, chance = table.round, self.chance
        assert state is not None
        noticed = self._notices(state)
        if noticed is not None and chance.random() < 0.4:
            return noticed
        if chance.random() < 0.14:
            return self._goes_wrong(table)
        if next_place(state) is not None:
            if not table.shoe.left:
                return c.ShuffleDiscards((), "dealer")
            if self.deals_out and not state.exposed:  # few cards are left that can still come
                return c.Deal(chance.choice([card for card in PACK if possible(table, card)] or PACK))
            alike = next((card for box in state.boxes for hand in box.hands for card in hand.cards), "As")
            return c.Deal(state.exposed or (alike if chance.random() < 0.25 else chance.choice(PACK)))
        if state.phase != "decision":
            return e.CloseOffer()
        return e.Absent(state.turn[0]) if chance.random() < 0.2 else chart_bot(state, chance) or e.CloseOffer()

    @staticmethod
    def _notices(state: Round) -> Asked | None:
        """An error made before that can be noticed now."""
        if state.phase == "decision" and not state.dealer:
            return e.NoticeNoFirstCard()
        skipped = [box.number for box in state.boxes for hand in box.hands if hand.skipped and not hand.noticed]
        return e.NoticeSkip(skipped[0]) if skipped and len(state.dealer) < 2 else None

    def _goes_wrong(self, table: Table) -> Asked:
        state, chance = table.round, self.chance
        assert state is not None
        card = Card(state.exposed) if state.exposed else chance.choice(PACK)
        box, turn = chance.choice(state.boxes).number, state.turn[0]
        if not state.cards_used:
            return e.SkipDealer()
        commands: tuple[Asked, ...] = (
            e.BurnCard(card, chance.choice(("face_up", "in_error"))),
            e.ExposeCard(card),
            e.RefuseCard(turn),
            e.OfferLate(chance.choice(("insurance", "surrender"))),
            e.OfferLate(chance.choice(("insurance", "surrender")), box, chance.choice(self.players)),
            e.SkipHand(turn),
            e.SkipHand(turn),
            e.MissCard(*(next_place(state) or (turn, 1))),
            e.PutRight(box),
            e.NoticeSkip(box),
            e.BurnCard(card, "dealer_early"),
            e.BurnCard(card, "left_over"),
            e.Withdraw(box, chance.choice(self.players)),
            c.ClearJam(),
            c.FailDevice(),
        )
        lawful = [one for one in commands if isinstance(one, e.Command) and refusal(state, one) is None]
        return chance.choice(lawful) if lawful and chance.random() < 0.6 else chance.choice(commands)

    # --- rulings ---

    def second_person(self, state: RoomState) -> Wanted:
        number = self.chance.choice(state.proposals).number
        by = self.official(self.chance.choice(("inspector", "casino_supervisor", "game_supervisor")))
        return by, r.Approve(number) if self.chance.random() < 0.7 else r.Reject(number, "no")

    def ruling(self, state: RoomState) -> Wanted:
        dice, by = self.chance.random(), self.supervisor()
        second = state.table.rules.irregular.approval != "none"  # a proposal, which another player decides
        if dice < (0.4 if second else 0.25):
            return by, self._in_round(state)
        if dice < 0.5:
            return by, self._of_people(state)
        if dice < 0.68:
            return by, self._of_cards(state)
        officials: tuple[Role, ...] = ("game_supervisor", "casino_supervisor", "tournament_director", "administrator")
        by = self.chance.choice((Actor(state.made_by), self.official(self.chance.choice(officials))))
        return by, self._of_room(state)

    def _in_round(self, state: RoomState) -> Asked:
        table, chance = state.table, self.chance
        laid = list(table.of_round)
        box = chance.choice(self.boxes(table)) if self.boxes(table) else None
        number, bettor = (box.number, box.bettors[-1].player) if box is not None and box.bettors else (1, "Ann")
        if laid and chance.random() < 0.5:
            chance.shuffle(laid)
        commands: tuple[Asked, ...] = (
            e.VoidBox(number),
            e.VoidHand(number, max(len(box.hands), 1) if box is not None else 1),
            e.VoidWager(number, bettor),
            e.VoidRound(),
            c.Reconstruct(tuple(laid), chance.choice(("dealt_again", "laid_again")), "dealer", reason="misdealt"),
            c.RemoveExtraHand(table.shoe.stack[:2] or tuple(chance.sample(PACK, 2)), "dealer"),
            c.VoidEarlier(table.number - chance.randint(1, 3), "dealer", reason="misplaced"),
            c.VoidEarlier(table.number - 1, "dealer", reason="misplaced"),
        )
        return chance.choice(commands)

    def _of_people(self, state: RoomState) -> Asked:
        table, chance = state.table, self.chance
        player = chance.choice(self.players)
        idle = [seat.player for seat in table.seats if seat.idle > 1] or [player]
        if table.full and len(idle) < len(table.seats) and chance.random() < 0.5:
            return c.TakeSeat(idle[0], "dealer")
        commands: tuple[Asked, ...] = (
            c.Restrict(self.players[0], "dealer", consulted=chance.random() < 0.7, reason="counts"),
            c.Exclude(chance.choice((LONG, self.players[-1], "Zed")), "dealer", "cheats"),
            c.TakeSeat(chance.choice(idle), "dealer"),
            c.DeclarePartners((self.players[0], self.players[1]), "dealer"),
            c.AllowPersonalLimit(player, self.box(table), chance.choice((0, 60_000, 200_000))),
            c.DecideDispute(player, "the total", "it stands", "dealer", chance.choice((0, 0, 500, -500))),
            c.HoldLate(hold=chance.random() < 0.5, by="dealer", player=chance.choice(("", player))),
            c.AllowBoxes(chance.choice((0, 1, 3, 8)), "dealer", chance.choice(("", player))),
            c.TakeControl(player, self.box(table), "dealer"),
        )
        return chance.choice(commands)

    def _of_cards(self, state: RoomState) -> Asked:
        table, chance = state.table, self.chance
        low = chance.choice((200, 500, 1000))
        box_maximum = chance.choice((0, 0, 30_000))
        told = chance.random() < 0.8
        order = c.OrderShuffle("dealer", chance.choice(("vacant", "suspect", "exposed", "discretion")), "a bent card")
        commands: tuple[Asked, ...] = (
            order,
            c.ChangeCards(chance.choice(("worn", "worn", ""))),
            c.ReplaceCard(chance.choice(table.shoe.stack or PACK), ("dealer", "casino_supervisor")),
            c.ChangeDealer("Dora", chance.choice(("", "Dan is taken ill"))),
            c.SetLimits(Limits(low, chance.choice((0, low * 20, 50_000))), told=told, box_maximum=box_maximum),
            c.AnnounceLimits(Limits(low, 50_000), box_maximum),
            c.OfferSideBets(chance.choice(((), ("perfect_pairs",), ("pairs_play",), ("perfect_pairs", "pairs_play")))),
            c.SetHours(open=chance.random() < 0.95),
        )
        return chance.choice(commands)

    def _of_room(self, state: RoomState) -> Asked:
        chance = self.chance
        alone = state.settings.bots_alone
        pace = state.clocks.card if alone or not state.clocks.card else chance.choice((100, 1000))
        bots = [bot.player for bot in state.bots] or ["nobody"]
        commands: tuple[Asked, ...] = (
            r.Pause("a word"),
            r.SetPace(pace, chance.choice((100, 5000))),
            r.SeatBot(self.box(state.table), chance.choice(tuple(BOTS)), chance.choice((0, 1000, 2000))),
            r.RemoveBot(chance.choice(bots)),
            c.GiveNotice(chance.choice(("minutes", "rounds", "notice"))),
            c.Close(15),
        )
        return chance.choice(commands)

    # --- nonsense ---

    def nonsense(self, state: RoomState) -> Wanted:
        chance, table = self.chance, state.table
        number = chance.choice((-1, 0, 3, 8, 99, 2**53))
        one, other = chance.choice(self.players), chance.choice((*self.players, "nobody", LONG, "\u202e", ""))
        commands: tuple[Asked, ...] = (
            e.PlaceWager(number, one, chance.choice((-500, 0, 501, 2**53))),
            e.PlaceWager(1, other, 2**53),
            e.PlaceSideWager(1, other, "pairs_play", -1),
            e.TakeBack(number, other),
            e.Hit(number, other),
            e.Double(number, -100, other),
            e.Double(table.round.turn[0] if table.round else 1, number),
            e.Ride(number, other, number),
            e.Insure(1, other, number, number, "nobody"),
            e.DealCard(Card("As")),
            e.BurnCard(JOKER),
            e.CallNoMoreBets(),
            e.VoidBox(number),
            c.Shuffle((Card("As"),)),
            c.Sit(other, number),
            c.Cut(other, number),
            c.Deal("Zz"),
            c.CommitShoe("", ""),
            c.RevealShoe("not hex"),
            c.Reconstruct((), "dealt_again", "operator", "operator"),
            c.VoidEarlier(number, "operator", "inspector", "because"),
            c.SetLimits(Limits(-5, -10), told=True),
            c.AllowPersonalLimit(other, number, number),
            c.DeclarePartners((other,), "operator"),
            c.CallOut(e.PlaceWager(number, other, number), chips=True),
            r.MakeTable(),
            r.Approve(number),
            r.Reject(number),
            r.SeatBot(number, "genius"),
            r.SeatBot(chance.randint(1, 7), "chart", 2**52),
            r.RemoveBot(other),
            r.Pass(),
            r.Resume(),
        )
        who = chance.choice((Actor(one), *(self.official(role) for role in STAFF)))
        return who, chance.choice(commands)
