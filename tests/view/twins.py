"""Two tables with the same past and another future: what is dealt is equal, what is not is mixed anew all the time."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from msgspec.structs import replace

from pontoon.cards import JOKER, Card
from pontoon.engine import (
    BurnCard,
    CallNoMoreBets,
    CloseOffer,
    Command,
    ExposeCard,
    Insure,
    Limits,
    NoticeNoFirstCard,
    NoticeSkip,
    OfferLate,
    PlaceSideWager,
    PlaceWager,
    Refusal,
    SkipDealer,
    SkipHand,
    Stand,
    VoidBox,
    VoidRound,
    options,
)
from pontoon.engine.dealing import next_place
from pontoon.engine.events import CardBurned
from pontoon.rulebook import load
from pontoon.table import Table, evolve, play, refusal
from pontoon.table import commands as c
from pontoon.table import events as t
from pontoon.table.cutting import cutting_card_range, seen_before_shoe
from pontoon.table.opening import checkers
from pontoon.table.shuffle import new_stack, seed_hash
from pontoon.table.state import for_device

PLAYERS = ("Ann", "Ben", "Cal", "Dee", "Eve", "Fay", "Gus")
SEED = bytes(32)
ROOT = "ab" * 32

Step = tuple[t.TableEvent, Table, Table]
"""An event, the table before and after it."""


def steps(table: Table, events: tuple[t.TableEvent, ...]) -> list[Step]:
    """Each event with the tables around it."""
    found = []
    for event in events:
        after = evolve(table, event)
        found.append((event, table, after))
        table = after
    return found


def _places(some: tuple[Card, ...], cards: tuple[Card, ...]) -> list[int]:
    """Where some of the cards are among them, each at a place of its own."""
    found: list[int] = []
    for card in some:
        found.append(next(place for place, other in enumerate(cards) if other == card and place not in found))
    return found


class Twins:
    """Whatever is done to the first is done to the second; `done` is what it led to at both."""

    def __init__(self, book: str, device: str, seed: int, **more: Any) -> None:
        rules = load(book)
        self.chance = Random(f"{book} {device} {seed}")
        limits = self.chance.choice((Limits(1000, 20000), Limits(1000, 5000, 250)))
        options_: dict[str, Any] = {"joker": rules.shoe.joker and self.chance.random() < 0.5} | more
        self.first = Table(rules, min(rules.decks.allowed), limits, "automatic", device, **options_)  # type: ignore[arg-type]
        self.second = self.first
        self.secret: list[int] = []
        """Places in the second one's rack of cards burned unseen: they may be any of those not seen yet."""
        self.done: list[tuple[Step, Step]] = []

    # --- the second table's future ---------------------------------------------------------------------

    def mix(self) -> None:
        """Every card of the second table that nobody saw becomes another; one seen in error stays the next."""
        shoe, state = self.second.shoe, self.second.round
        held = 1 if state is not None and state.exposed else 0
        pool = [*shoe.stack[held:], *(shoe.discards[place] for place in self.secret)]
        self.chance.shuffle(pool)
        self._put(shoe.stack[:held], pool)

    def _put(self, held: tuple[Card, ...], pool: list[Card]) -> None:
        shoe = self.second.shoe
        count = len(shoe.stack) - len(held)
        discards = list(shoe.discards)
        for place, card in zip(self.secret, pool[count:], strict=True):
            discards[place] = card
        burned = discards[self.secret[0]] if shoe.burned and self.secret else shoe.burned
        new = replace(
            shoe,
            stack=(*held, *pool[:count]),
            discards=tuple(discards),
            burned=burned,
            set_aside=tuple(discards[place] for place in _places(shoe.set_aside, shoe.discards)),
        )
        self.second = replace(self.second, shoe=new)

    def align(self) -> None:
        """The next card will be seen: it is the same at both tables."""
        if not self.first.shoe.stack:
            return
        shoe, card = self.second.shoe, self.first.shoe.stack[0]
        pool = [*shoe.stack, *(shoe.discards[place] for place in self.secret)]
        place = pool.index(card)
        pool[0], pool[place] = pool[place], pool[0]
        self._put((), pool)

    def _translated(self, command: c.TableCommand) -> c.TableCommand:
        """The same command at the second table, whose order is unknown too."""
        shoe = self.second.shoe
        match command:
            case c.Shuffle(order=order) if order:
                return c.Shuffle(self.mixed(order))
            case c.ShuffleDiscards(order=order) if order:
                return replace(command, order=self.mixed(shoe.discards))
            case c.ReturnDiscards(order=order) if order:
                return c.ReturnDiscards(self.mixed((*shoe.stack, *for_device(self.second)[0])))
            case c.ClearJam(order=order) | c.FailDevice(order=order) if order:
                return replace(command, order=self.mixed(shoe.stack))
            case c.RemoveExtraHand(cards=cards):
                return replace(command, cards=shoe.stack[: len(cards)])
            case c.Play(command=BurnCard(reason="in_error") as burn) if shoe.stack:
                return replace(command, command=replace(burn, card=shoe.stack[0]))
            case c.Deal() | c.Play(command=BurnCard() | ExposeCard()):
                self.align()
            case _:
                pass
        return command

    def mixed(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(self.chance.sample(cards, len(cards)))

    # --- doing -----------------------------------------------------------------------------------------

    def ask(self, command: c.TableCommand) -> bool:
        """Both do it, or both refuse for the same reason."""
        other = self._translated(command)
        one, two = play(self.first, command), play(self.second, other)
        if isinstance(one, Refusal) or isinstance(two, Refusal):
            assert isinstance(one, Refusal), (command, two)
            assert isinstance(two, Refusal), (command, one)
            assert (one.code, one.clauses) == (two.code, two.clauses)
            return False
        at_second = steps(self.second, two.events)
        self.done += zip(steps(self.first, one.events), at_second, strict=True)
        self.first, self.second = one.state, two.state
        for event, before, after in at_second:
            self._note_secret(event, before, after)
        seen = Counter(self.first.on_layout)
        assert seen == Counter(self.second.on_layout)
        return True

    def _note_secret(self, event: t.TableEvent, before: Table, after: Table) -> None:
        burned, rack = before.shoe.discards, after.shoe.discards
        unseen = isinstance(event, t.CardsBurned | t.ExtraHandRemoved) or (
            isinstance(event, t.InRound) and isinstance(event.event, CardBurned) and event.event.reason == "in_error"
        )
        if len(rack) < len(burned):
            self.secret = []
        if isinstance(event, t.CardsBurned):  # the last one burned face down is the one that is shown
            self.secret[:0] = range(len(burned), len(rack))
        elif unseen:
            self.secret += range(len(burned), len(rack))

    # --- an evening ------------------------------------------------------------------------------------

    def step(self, trouble: float) -> None:
        """The next thing; `done` are its events. Sometimes the shoe is suddenly nearly empty."""
        self.done = []
        if self.first.shoe.left > 60 and self.first.phase in ("ready", "round") and self.chance.random() < 0.012:
            self._hurry(self.chance.randint(3, 40))
        (self._trouble if self.first.phase != "closed" and self.chance.random() < trouble else self.go_on)()

    def _hurry(self, left: int) -> None:
        """Most of the shoe goes to the rack unseen."""
        shoe, other = self.first.shoe, self.second.shoe
        gone, held = len(shoe.stack) - left, 1 if self.first.round is not None and self.first.round.exposed else 0
        self.secret += range(len(other.discards), len(other.discards) + gone)

        def short(table: Table) -> Table:
            old = table.shoe
            stack = (*old.stack[:held], *old.stack[held + gone :])
            discards = (*old.discards, *old.stack[held : held + gone])
            return replace(table, shoe=replace(old, stack=stack, left=left, discards=discards))

        self.first, self.second = short(self.first), short(self.second)

    def go_on(self) -> None:
        """The next commands of the dealer and the players."""
        table, chance = self.first, self.chance
        match table.phase:
            case "closed":
                self.ask(c.Open())
            case _ if self._to_shuffle():
                self._prepare()
            case "shuffled":
                self._cut()
            case "cut":
                low, high = cutting_card_range(table)
                self.ask(c.PlaceCuttingCard(chance.randint(low, high)))
            case "ready":
                self._bet()
            case "round":
                self._play()
            case _:
                assert self.ask(c.Collect())

    def _to_shuffle(self) -> bool:
        table = self.first
        between = table.due and table.phase == "ready" and (table.round is None or not table.round.boxes)
        return bool(table.phase == "preparing" or table.due == "first" or seen_before_shoe(table) or between)

    def _prepare(self) -> None:
        """One step at a time: who sits down, who checks, the seed of the last shoe, the shuffle."""
        table, chance = self.first, self.chance
        free = [player for player in PLAYERS if player not in {seat.player for seat in table.seats}]
        if len(free) > 3:
            for player in free[: chance.randint(1, 6)]:
                self.ask(c.Sit(player, PLAYERS.index(player) + 1))
            return
        self.ask(c.RevealShoe(SEED.hex()))
        for role in checkers(table):
            self.ask(c.CheckCards(role))  # type: ignore[arg-type] # the rulebook names roles
        self.ask(c.ShowCards("Ann"))
        self.ask(c.Shuffle(self.mixed((*new_stack(table.packs), *((JOKER,) if table.joker else ())))))

    def _cut(self) -> None:
        table = self.first
        if not table.shoe.root and self.chance.random() < 0.8 and self.ask(c.CommitShoe(seed_hash(SEED), ROOT)):
            return
        by = table.offered[0] if table.offered else table.rules.cut.nobody
        decline = table.offered and self.chance.random() < 0.3
        self.ask(c.DeclineCut(by) if decline else c.Cut(by, table.shoe.left // 2))

    def _bet(self) -> None:
        chance, state, shoe = self.chance, self.first.round, self.first.shoe
        if state is None and self.ask(c.ReturnDiscards(self.mixed((*shoe.stack, *for_device(self.first)[0])))):
            return
        if chance.random() < 0.6 and state is not None and len(state.boxes) > 1:
            self.ask(c.Play(CallNoMoreBets()))
            return
        if not self.first.shoe_round and chance.random() < 0.3:
            self.ask(c.BurnFirst())
            return
        boxes = chance.randint(2, 7)
        for _ in range(chance.randint(1, 4)):
            player, stake = chance.choice(PLAYERS), chance.choice((1000, 1000, 2000, 4000))
            box = chance.randint(1, boxes)
            self.ask(c.Play(PlaceWager(box, player, stake)))
            if chance.random() < 0.1:
                self.ask(c.Play(PlaceSideWager(box, player, chance.choice(("perfect_pairs", "pairs_play")), 500)))

    def _play(self) -> None:
        state = self.first.round
        assert state is not None
        if next_place(state) is not None and (not options(state).allowed or self.chance.random() < 0.7):
            if self.first.shoe.left:
                assert self.ask(c.Deal()), refusal(self.first, c.Deal())
            elif not self.ask(c.ShuffleDiscards(self.mixed(self.first.shoe.discards), "dealer", approver="inspector")):
                self.ask(c.Play(VoidRound(), approver="inspector", reason="no cards are left"))
            return
        command: Command = self.chance.choice(options(state).allowed or (CloseOffer(),))
        if isinstance(command, Insure):
            command = replace(command, amount=500)
        if not self.ask(c.Play(command, approver="inspector")):
            self.ask(c.Play(Stand(state.turn[0]) if state.phase == "decision" else CloseOffer()))

    def _trouble(self) -> None:
        """An error or a request, mostly one that the document provides for; any other is refused."""
        table, chance = self.first, self.chance
        shoe, state = table.shoe, table.round
        box = state.turn[0] if state is not None else 1
        # With a card seen in error on top, an extra hand would take it: a known bug of the table.
        exposed = state is not None and state.exposed
        player = chance.choice(PLAYERS)
        mistakes: list[Command] = [SkipHand(box), NoticeSkip(box), SkipDealer(), NoticeNoFirstCard()]
        mistakes += [OfferLate("insurance"), OfferLate("surrender")]
        # If a box is void while others may join its double or split, they are left joining the next box: a known engine
        # bug.
        mistakes += [] if state is None or state.joining else [VoidBox(box)]
        mistakes += [VoidRound()] if chance.random() < 0.2 else []
        if shoe.stack:
            top = shoe.stack[0]
            mistakes += [BurnCard(top), BurnCard(top, "in_error"), BurnCard(top, "dealer_excess")]
            mistakes += [ExposeCard(top)] * 4
        wishes: list[c.TableCommand] = [
            *(c.Play(mistake, "dealer", "inspector", "a mistake") for mistake in mistakes),
            c.Reconstruct(self.mixed(table.on_layout), "dealt_again", "inspector", "casino_supervisor", "misplaced"),
            *(c.RemoveExtraHand(shoe.stack[:2], "inspector", "pit_boss") for _ in range(0 if exposed else 3)),
            c.ShowBurn(player),
            c.ShowBurn("Ann"),
            c.ClearJam(self.mixed(shoe.stack)),
            c.FailDevice(self.mixed(shoe.stack) if table.phase == "round" else ()),
            *(
                (c.OrderShuffle("casino_supervisor", "suspect", "a bent card"), c.ChangeCards("worn"))
                if chance.random() < 0.3
                else ()
            ),
            c.AskCards(player),
            c.Restrict(player, "pit_boss", consulted=True, reason="counts"),
            c.AllowPersonalLimit(player, PLAYERS.index(player) + 1, 30000),
            c.SetLimits(Limits(1000, 10000), told=True),
            c.DecideDispute(player, "a payment", "it stands", "operator"),
            c.Leave(player),
            c.VoidEarlier(table.number - 1, "operator", reason="misplaced"),
        ]
        lawful = [wish for wish in wishes if refusal(table, wish) is None]
        self.ask(chance.choice(lawful if lawful and chance.random() < 0.8 else wishes))
