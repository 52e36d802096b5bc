"""Random tables: all rulebooks, modes and devices; allowed and refused commands in any order.

After each command: no card is lost or added, a refused command changes nothing, options and refusals agree, the table
made again from its events is the live one, and the chips of the round are all in some account.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Literal, get_args

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from pontoon.cards import JOKER, PACK, Card
from pontoon.engine import (
    BurnCard,
    CallNoMoreBets,
    CloseOffer,
    ExposeCard,
    Insure,
    Limits,
    OfferLate,
    PlaceSideWager,
    PlaceWager,
    Refusal,
    SkipDealer,
    SkipHand,
    Stand,
    VoidBox,
    VoidRound,
)
from pontoon.engine.commands import Double, TakeBack
from pontoon.engine.dealing import next_place
from pontoon.engine.options import options as round_options
from pontoon.ledger import table_balances
from pontoon.rulebook import NAMES, load
from pontoon.table import Table, decide, evolve, options, play, refusal
from pontoon.table import commands as c
from pontoon.table.cutting import cutting_card_range, seen_before_shoe
from pontoon.table.events import RoundBegan, TableEvent
from pontoon.table.opening import checkers, full_set
from pontoon.table.shuffle import new_stack
from pontoon.table.state import PACK_SIZE, for_device, possible
from pontoon.view.words import why

PLAYERS = ("Ann", "Ben", "Cal", "Dee", "Eve", "Fay", "Gus", "Hal")
ROLES = get_args(c.Role)
SEEDS = st.integers(0, 2**32 - 1)
QUICK = st.sampled_from((1, 2, 3, 5, 8, 20, 60, 300))
TABLES = st.sampled_from([(name, device) for name in NAMES for device in load(name).shoe.devices])


def mixed(chance: Random, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(chance.sample(cards, len(cards)))


class Floor(RuleBasedStateMachine):
    """A table and all possible commands."""

    table: Table
    chance: Random

    @initialize(seed=SEEDS, book=TABLES, mode=st.sampled_from(("automatic", "floor")))
    def bring_a_table(self, seed, book, mode):
        self.chance = chance = Random(seed)
        rules, device = load(book[0]), book[1]
        self.table = Table(
            rules,
            min(rules.decks.allowed),
            chance.choice((Limits(), Limits(1000, 5000), Limits(1000, 20000, 250))),
            mode,
            device,
            hold_late=chance.random() < 0.5,
            boxes_each=chance.choice((0, 0, 1, 2)),
            joker=rules.shoe.joker and chance.random() < 0.5,
            sealed=rules.shoe.sealed and chance.random() < 0.3,
        )
        self.first = self.again = self.table
        self.events: list[TableEvent] = []
        self.money: list[TableEvent] = []

    # --- doing ---------------------------------------------------------------------------------------

    def ask(self, command: c.TableCommand) -> bool:
        before = self.table
        refused = refusal(before, command)
        played = play(before, command)
        if isinstance(played, Refusal):
            assert played == refused == decide(before, command)
            assert why(played)
            assert self.table == before
            return False
        assert refused is None
        self.table = played.state
        for event in played.events:
            self.again = evolve(self.again, event)
            if isinstance(event, RoundBegan):
                self.money = []
            self.money.append(event)
            self.check_clauses(event)
        self.events += played.events
        assert self.again == self.table
        return True

    def check_clauses(self, event: TableEvent) -> None:
        """An event may lack a clause only if the document is silent."""
        if self.table.rules.about.name in ("adelaide", "canberra", "division-15"):
            silent = {
                "ShuffleFellDue",
                "CuttingCardPlaced",
                "Ruled",
                "DeviceJammed",
                "DiscardsReturned",
                "ClosingNoticed",
            }
            silent |= {"Announced", "TableClosed", "CardsChanged", "DealerChanged"}
            assert event.clauses or type(event).__name__ in silent, event

    def order(self) -> tuple[Card, ...]:
        cards = (*new_stack(self.table.packs), *((JOKER,) if self.table.joker else ()))
        return mixed(self.chance, cards) if self.table.mode == "automatic" else ()

    def card(self) -> str:
        """A face the packs can still hold, or the one that is known to come; the joker if it alone is left."""
        if self.table.mode != "floor":
            return ""
        if self.table.ruled:
            return str(self.table.ruled[0])
        return str(self.chance.choice([card for card in PACK if possible(self.table, card)] or [JOKER]))

    def top(self) -> Card:
        """The card that a mistake would expose."""
        if self.table.round is not None and self.table.round.exposed:
            return Card(self.table.round.exposed)
        return self.table.shoe.stack[0] if self.table.shoe.stack else Card(self.card() or "9s")

    # --- allowed steps --------------------------------------------------------------------------------

    @rule(steps=QUICK)
    def go_on(self, steps):
        """The dealer's next steps, many times over."""
        for _ in range(steps):
            self.next_step()

    def next_step(self) -> None:
        table, chance = self.table, self.chance
        phase = table.phase
        if phase == "closed":
            self.ask(c.Open())
            for box, player in enumerate(PLAYERS[: chance.randint(1, 7)], 1):
                self.ask(c.Sit(player, box))
        elif self.shuffle_next():
            self.prepare()
        elif phase == "shuffled":
            by = table.offered[0] if table.offered else table.rules.cut.nobody
            decline = table.offered and chance.random() < 0.3
            self.ask(c.DeclineCut(by) if decline else c.Cut(by, table.shoe.left // 2))
        elif phase == "cut":
            low, high = cutting_card_range(table)
            forgotten = table.mode == "floor" and chance.random() < 0.2
            assert self.ask(c.PlaceCuttingCard(-1 if forgotten else chance.randint((low + high) // 2, high)))
        elif phase == "ready":
            self.bet()
        elif phase == "round":
            self.in_round()
        else:
            assert self.ask(c.Collect())

    def shuffle_next(self) -> bool:
        """A shuffle is due; at a floor table it is sometimes forgotten."""
        table = self.table
        between = table.due and table.phase == "ready" and not self.boxes() and self.chance.random() < 0.8
        return bool(table.phase == "preparing" or table.due == "first" or seen_before_shoe(table) or between)

    def boxes(self) -> bool:
        return self.table.round is not None and bool(self.table.round.boxes)

    def prepare(self) -> None:
        if self.table.sealed:
            self.ask(c.BreakSeal(whole=self.chance.random() < 0.8))
        for role in checkers(self.table):
            self.ask(c.CheckCards(role))  # type: ignore[arg-type] # the rulebook names roles
        self.ask(c.ShowCards("Ann"))
        shuffled = self.ask(c.Shuffle(self.order()))
        assert shuffled or self.table.seal_broken, refusal(self.table, c.Shuffle(self.order()))

    def bet(self) -> None:
        chance = self.chance
        for _ in range(chance.randint(1, 6)):
            stake = chance.choice((500, 1000, 1000, 2000, 4000, 12000))
            box = chance.randint(1, 7)
            self.ask(c.Play(PlaceWager(box, chance.choice(PLAYERS), stake)))
            if chance.random() < 0.2:
                self.ask(c.Play(PlaceSideWager(box, chance.choice(PLAYERS), "perfect_pairs", 500)))
        self.ask(c.Play(CallNoMoreBets()))

    def in_round(self) -> None:
        state = self.table.round
        assert state is not None
        if next_place(state) is not None:
            if not self.table.shoe.left:
                self.run_out()
                return
            face = (state.exposed or self.card()) if self.table.mode == "floor" else ""
            assert self.ask(c.Deal(face)), refusal(self.table, c.Deal(face))
            return
        allowed = [
            command
            for command in round_options(state).allowed
            if not isinstance(command, VoidRound | VoidBox | SkipDealer)
        ]
        command = self.chance.choice(allowed)
        if isinstance(command, Insure):
            command = replace(command, amount=500)
        elif isinstance(command, Double):
            command = replace(command, amount=0)
        if not self.ask(c.Play(command, approver="inspector")):
            self.ask(c.Play(Stand(state.turn[0]) if state.phase == "decision" else CloseOffer()))

    def run_out(self) -> None:
        discards = self.table.shoe.discards
        order = mixed(self.chance, discards) if self.table.mode == "automatic" else ()
        if not self.ask(c.ShuffleDiscards(order, "dealer", approver="inspector")):
            self.ask(c.ShuffleDiscards(order, "operator"))

    # --- anything else -------------------------------------------------------------------------------

    @rule(player=st.sampled_from(PLAYERS), box=st.integers(0, 8), which=st.integers(0, 6))
    def people(self, player, box, which):
        commands: tuple[c.TableCommand, ...] = (
            c.Sit(player, box),
            c.Leave(player),
            c.DeclineCut(player),
            c.DeclineControl(player, box),
            c.ShowBurn(player),
            c.AllowPersonalLimit(player, box, 30000),
            c.Play(TakeBack(box, player)),
        )
        self.ask(commands[which])

    @rule(player=st.sampled_from(PLAYERS), by=st.sampled_from(ROLES), which=st.integers(0, 4), yes=st.booleans())
    def staff(self, player, by, which, yes):
        commands: tuple[c.TableCommand, ...] = (
            c.Restrict(player, by, consulted=yes, reason="counts"),
            c.TakeSeat(player, by),
            c.Exclude(player, by, "cheats" if yes and player > "Fay" else ""),
            c.SetLimits(Limits(1000, 10000), told=yes, box_maximum=0),
            c.CheckCards(by),
        )
        self.ask(commands[which])

    @rule(by=st.sampled_from(ROLES), reason=st.sampled_from(("vacant", "suspect", "exposed", "discretion")))
    def order_a_shuffle(self, by, reason):
        self.ask(c.OrderShuffle(by, reason, "a doubt"))

    @rule(which=st.integers(0, 6), seed=SEEDS)
    def care(self, which, seed):
        self.chance.seed(seed)
        shoe = self.table.shoe
        known = self.table.mode == "automatic"
        commands: tuple[c.TableCommand, ...] = (
            c.ChangeCards("worn"),
            c.ReplaceCard(self.chance.choice(PACK), ("dealer", "casino_supervisor")),
            c.ReturnDiscards(mixed(self.chance, (*shoe.stack, *for_device(self.table)[0])) if known else ()),
            c.ClearJam(mixed(self.chance, shoe.stack)),
            c.FailDevice(mixed(self.chance, shoe.stack) if self.table.phase == "round" else ()),
            c.BurnFirst(self.card() if self.chance.random() < 0.5 else ""),
            c.Shuffle(self.order()),
        )
        self.ask(commands[which])

    @rule(which=st.integers(0, 6), reason=st.sampled_from(("face_up", "in_error", "dealer_excess")))
    def mistakes(self, which, reason):
        box = self.table.round.turn[0] if self.table.round is not None else 1
        commands = (
            BurnCard(self.top(), reason),
            ExposeCard(self.top()),
            SkipHand(box),
            SkipDealer(),
            OfferLate("insurance"),
            VoidBox(box),
            VoidRound(),
        )
        self.ask(c.Play(commands[which], "dealer", "inspector", "a mistake"))

    @rule(seed=SEEDS, laid=st.booleans(), extra=st.booleans())
    def reconstruct(self, seed, laid, extra):
        """The round is reconstructed with its cards in any order, sometimes with an extra hand."""
        chance, table = Random(seed), self.table
        more = table.shoe.stack[:1] if extra else ()
        dealt = table.of_round if chance.random() < 0.3 else mixed(chance, (*table.of_round, *more))
        way: Literal["laid_again", "dealt_again"] = "laid_again" if laid else "dealt_again"
        self.ask(c.Reconstruct(dealt, way, "operator", "casino_supervisor", "misplaced"))

    @rule(player=st.sampled_from(PLAYERS))
    def ask_for_a_shuffle(self, player):
        self.ask(c.AskShuffle(player))

    @rule(reason=st.sampled_from(("", "taken ill")))
    def change_dealer(self, reason):
        self.ask(c.ChangeDealer("Dora", reason))

    @rule(depth=st.integers(-2, 400), which=st.integers(0, 3))
    def depths(self, depth, which):
        by = self.table.offered[0] if self.table.offered else "dealer"
        commands: tuple[c.TableCommand, ...] = (
            c.Cut(by, depth),
            c.PlaceCuttingCard(depth),
            c.ShuffleDiscards(self.table.shoe.discards, by, depth),
            c.Deal("Zz"),
        )
        self.ask(commands[which])

    @rule(number=st.integers(0, 5))
    def void_earlier(self, number):
        self.ask(c.VoidEarlier(self.table.number - number, "casino_supervisor", reason="misplaced"))

    @precondition(lambda self: self.table.number > 2)
    @rule(kind=st.sampled_from(("minutes", "rounds", "notice")), close=st.booleans())
    def closing(self, kind, close):
        self.ask(c.Close(minutes=15) if close else c.GiveNotice(kind))

    # --- what is always so ---------------------------------------------------------------------------

    @invariant()
    def no_card_is_lost(self):
        table = self.table
        shoe = table.shoe
        if not shoe.left and not shoe.discards and not shoe.hidden_discards:
            return  # new cards not yet shuffled
        count = shoe.left + len(shoe.discards) + shoe.hidden_discards + len(table.on_layout)
        assert count == table.size
        assert shoe.left >= 0
        if table.mode == "automatic":
            assert len(shoe.stack) == shoe.left
            assert Counter((*shoe.stack, *shoe.discards, *table.on_layout)) == full_set(table)
        else:
            assert shoe.stack == ()
        assert table.size - table.packs * PACK_SIZE == int(table.joker)

    @invariant()
    def options_and_refusals_agree(self):
        told = options(self.table)
        assert told.phase == self.table.phase
        assert all(refusal(self.table, command) is None for command in told.allowed)
        assert all(refusal(self.table, command) == no for command, no in told.refused)

    @invariant()
    def chips_are_in_some_account(self):
        accounts = table_balances(self.money)
        assert sum(accounts.values()) == 0
        if self.table.phase == "collect":
            assert [name for name, amount in accounts.items() if name.startswith("escrow") and amount] == []

    @invariant()
    def a_table_stands_in_one_phase(self):
        table = self.table
        playing = table.round is not None and table.round.phase not in ("wagers", "ended")
        assert (table.phase == "round") <= playing
        assert playing <= (table.phase in ("round", "shuffled", "cut"))
        assert set(table.offered) <= {seat.player for seat in table.seats}

    def teardown(self):
        if hasattr(self, "table"):
            table = self.first
            for event in self.events:
                table = evolve(table, event)
            assert table == self.table


TestFloor = Floor.TestCase
TestFloor.settings = settings(
    max_examples=120, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
