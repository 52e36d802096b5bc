"""Random tournaments, played through the four functions only: random conditions, players and chips."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

from msgspec.structs import replace

from pontoon.engine import Refusal
from pontoon.ledger import wallet
from pontoon.money import Cents
from pontoon.table.shuffle import seed_hash
from pontoon.tournament import Tournament, begin, check_ballot, check_lots, check_seat, play, postings, refusal
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from pontoon.tournament.ballot import restriction
from pontoon.tournament.conditions import values as k
from pontoon.tournament.conditions.check import faults
from tests.tournament import oracle
from tests.tournament.desk import CHIPS, conditions

ID = "chance"
WHEN = ("at_once", "between_sessions")
SHARES = ("1", "1/2 1/2", "1/2 3/10 1/5", "1/3 1/3 1/3", "2/7 2/7 1/7 1/7 1/7", "1/4 1/4 1/8 1/8 1/8 1/8")


def shares(chance: Random) -> tuple[Fraction, ...]:
    return tuple(Fraction(part) for part in chance.choice(SHARES).split())


def length(chance: Random, rounds: int) -> dict[str, Any]:
    kind = chance.choice(("rounds", "rounds", "rounds", "shoes", "minutes"))
    return {kind: chance.randint(1, rounds if kind == "rounds" else 2)}


def sessions(chance: Random, *, points: bool, players: int, rounds: int) -> tuple[k.Session, ...]:
    """One to four sessions, perhaps with a repechage; the rest of the conditions must fit them."""
    given: dict[str, Any] = {"points": chance.choice(((7, 5, 3, 1), (3, 3, 1), (1,)))} if points else {}
    final = k.Session(name="Final", **length(chance, rounds), **given)
    before: list[k.Session] = []
    for number in range(chance.choice((0, 1, 1, 2) if players > 1 else (0,))):
        advance: k.Advance | None = chance.choice(
            (
                k.Advance(from_table=chance.randint(1, 3), best_of_rest=chance.randint(0, 2)),
                k.Advance(of_all=chance.randint(2, max(players // (number + 1), 2))),
            )
        )
        if points and chance.random() < 0.7:
            advance = None
        before.append(k.Session(name=f"Session {number}", **length(chance, rounds), advance=advance, **given))
        if not points and advance is not None and chance.random() < 0.3:
            back = k.Advance(of_all=chance.randint(1, 3))
            name = f"Repechage {number}"
            before.append(
                k.Session(
                    name=name, kind="repechage", qualifies=f"Session {number}", **length(chance, rounds), advance=back
                )
            )
    return (*before, final)


def draft(chance: Random, players: int, rounds: int) -> k.Conditions:
    """Conditions for this many players; they may contradict themselves."""
    points = chance.random() < 0.35
    fee = chance.choice((0, 1, 99, 5000, 10001))
    grouped = chance.random() < 0.15
    played = sessions(chance, points=points, players=players, rounds=rounds)
    buying: dict[str, Any] = {}
    if chance.random() < 0.5:
        until = chance.choice([session.name for session in played if session.kind == "session"])
        fees = {"fee": Cents(fee // 2 + 1), "commission": Cents(chance.randint(0, fee // 2))}
        buying = {"times": chance.randint(1, 2), "chips": Cents(2000), "when": chance.choice(WHEN), "until": until}
        buying |= {"method": "at the desk", **fees}
    prizes = shares(chance)
    if chance.random() < 0.3:  # session prizes: some shares of the pool go to the first session
        cut = Fraction(chance.randint(1, 3), 10)
        played = (replace(played[0], prizes=tuple(share * cut for share in shares(chance))), *played[1:])
        prizes = tuple(share * (1 - cut) for share in prizes)
    return conditions(
        sessions=played,
        players={
            "least": 1,
            "most": max(players, 1),
            "reserves": chance.choice((0, 0, 3)),
            "at_table": chance.randint(2, 7),
            "groups": "clubs" if grouped else "",
            "group_at_table": 1 if grouped else 0,
            "most_of_group": 1 if grouped else 0,
        },
        money={
            "fee": Cents(fee),
            "commission": Cents(chance.randint(0, fee)),
            "added": Cents(chance.choice((0, 0, 7, 100000))),
            "chips": Cents(3000),
            "carried": chance.random() < 0.4,
        },
        structure={
            "format": "points" if points else "knock_out",
            "absent": chance.choice(("minimum", "eliminated")),
            "sit_and_go": players if chance.random() < 0.1 else 0,
            "other_games": "Blackjack" if points and chance.random() < 0.3 else "",
            "elimination": "who leaves the room is out" if chance.random() < 0.5 else "",
        },
        buy_back=buying,
        ties={
            "session": chance.choice(("extra_rounds", "ballot")),
            "points": chance.choice(("combine", "extra_rounds", "ballot")),
            "final": chance.choice(("divide", "extra_rounds")),
            "most": chance.randint(1, 3),
            "eliminated_together": chance.choice(("chips_before", "equal")),
        },
        prizes={
            "shares": prizes,
            "odd_cents": chance.choice(("first", "last", "one_each")),
            "sessions_paid": chance.choice(("tournament", "session")),
        },
    )


def playable(chance: Random, players: int, rounds: int) -> k.Conditions:
    """Conditions that pass the check."""
    while True:
        made = draft(chance, players, rounds)
        if not faults(made):
            return made


class Chance:
    """One random tournament with its books; `play` takes it to its end."""

    def __init__(self, chance: Random, players: int, rounds: int = 3) -> None:
        self.chance = chance
        self.state: Tournament = begin(playable(chance, players, rounds))
        self.first = self.state
        self.entrants = players
        self.rounds = rounds
        self.seed = chance.randbytes(32).hex()
        self.events: list[e.TournamentEvent] = []
        self.books: Counter[str] = Counter()
        self.said: Counter[str] = Counter()
        self.cancels = chance.random() < 0.08

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def do(self, command: c.TournamentCommand) -> None:
        played = play(self.state, command)
        assert not isinstance(played, Refusal), (command, played)
        self.state = played.state
        self.said[type(command).__name__] += 1
        for event in played.events:
            self.book(event)
        self.events += played.events

    def may(self, command: c.TournamentCommand) -> bool:
        """Give the command if it is allowed."""
        if refusal(self.state, command) is not None:
            return False
        self.do(command)
        return True

    def book(self, event: e.TournamentEvent) -> None:
        """After every event: sums are zero, and no account is below zero that must not be."""
        total = chips = 0
        bank = f"chip_bank/{ID}"
        for posting in postings(ID, event):
            total += posting.amount
            in_chips = posting.account.startswith("chip")
            chips += posting.amount if in_chips else 0
            self.books[posting.account] += posting.amount
            if in_chips or posting.account == f"pool/{ID}":
                assert self.books[posting.account] >= 0 or posting.account == bank, (event, posting)
        assert total == chips == 0, event
        assert self.books[f"pool/{ID}"] >= 0, event

    # --- people ----------------------------------------------------------------------------------------

    def play(self) -> Chance:
        self.enter()
        while self.state.phase not in ("awarded", "over", "cancelled"):
            if self.cancels and self.often(0.05):
                self.do(c.Cancel("a power cut"))
                break
            self.step()
        self.pay()
        return self

    def enter(self) -> None:
        for command in (
            c.PublishConditions("commission"),
            c.PublishConditions("patrons"),
            c.NominateDirector("Manager", "Director"),
            c.CommitBallot(seed_hash(bytes.fromhex(self.seed))),
        ):
            self.do(command)
        most = self.state.conditions.players
        for number in range(most.most + most.reserves):
            group = f"club {number}" if most.group_at_table else ""
            if not self.may(c.Enter(f"P{number}", group, agreed=True)):
                break
        self.may(c.CloseEntries())

    def step(self) -> None:
        match self.state.phase:
            case "closed" | "between":
                self.between()
            case "balloted":
                self.sit()
            case _:
                self.session()

    def between(self) -> None:
        self.odd_things()
        self.pay_some(0.3)
        for tie in self.state.ties:
            self.part(tie.players)
            return
        for player in self.state.players:
            if player.status == "eliminated" and self.often(0.3):
                self.may(c.BuyBack(player.name))
        if self.often(0.2):
            self.record()
        if any(self.may(c.DrawBallot(self.seed, number)) for number in (self.chance.choice((0, 0, 2)), 0)):
            return
        for appeal in self.state.appeals:
            self.may(c.DecideAppeal(appeal.number, False, "nothing to put right"))
        if self.state.conditions.structure.other_games and not self.state.recorded:
            self.record()
        elif not self.may(c.AwardPlaces()):
            self.do(c.Cancel("nobody holds a place"))

    def record(self) -> None:
        """Points of another game for some of the players."""
        names = [player.name for player in self.state.players if player.status in {"in", "eliminated"}]
        points = tuple((name, (self.chance.randint(0, 4), self.chance.randint(1, 2))) for name in names[::2])
        self.may(c.RecordPoints(f"Game {len(self.state.recorded)}", points))

    def sit(self) -> None:
        absence = self.chance.choice((0, 0, 0, 0.1, 0.5, 1.0))
        for seat in self.state.seats:
            if not self.often(absence):
                self.do(c.TakeSeat(seat.player))
        reserves = [player.name for player in self.state.players if player.status == "reserve"]
        for seat in self.state.seats:
            if reserves and not seat.taken and self.may(c.OfferSeat(seat.player, reserves[-1])):
                reserves.pop()
        self.odd_things()
        self.do(c.StartSession())

    def odd_things(self) -> None:
        """A ruling, a substitute, and the director's other announcements and decisions."""
        names = [player.name for player in self.state.players if player.status == "in"]
        if names and self.often(0.04):
            self.may(c.Disqualify(self.chance.choice(names), "chips under the table", "20.12"))
        if names and self.often(0.08):
            self.may(c.Disqualify(self.chance.choice(names), "left the room", "20.3(a)(viii)(A)"))
        if names and self.often(0.08):
            self.may(c.Substitute(self.chance.choice(names), f"S{len(self.state.players)}", "ill", agreed=True))
        if self.often(0.1):
            self.directs()
        if self.often(0.1):
            self.puts_right()

    def puts_right(self) -> None:
        """A late entry, chips corrected, an appeal and its decision, a player reinstated."""
        chance, state = self.chance, self.state
        self.may(c.EnterLate(f"L{len(state.players)}", "held up", f"club {len(state.players)}", True, self.seed))
        names = [player.name for player in state.players]
        if names and self.often(0.5):
            self.may(c.CorrectChips(chance.choice(names), chance.choice((0, 500, 1000, 4000)), "paid wrongly"))
        if names and self.often(0.5):
            self.may(c.Appeal(chance.choice(names), "that was not fair"))
        for appeal in self.state.appeals:
            self.may(c.DecideAppeal(appeal.number, self.often(0.7), "heard both sides"))
        for player in self.state.players if self.often(0.8) else ():
            if any(self.may(c.Reinstate(player.name, "back in", chips, self.seed)) for chips in (0, 3000)):
                break

    def directs(self) -> None:
        """A break, a pace, a direction, a new starting time."""
        match self.chance.randrange(4):
            case 0:
                if self.may(c.CallBreak(self.chance.randint(1, 30))):
                    self.do(c.EndBreak())
            case 1:
                self.may(c.SetPace(self.chance.choice((0, 20))))
            case 2:
                self.may(c.Direct("Chips stay in full view.", "20.12"))
            case _:
                self.may(c.MoveStart(1_900_000_000_000, 30))

    def session(self) -> None:
        for table in self.state.tables:
            if not table.ended:
                self.table(table.table)
        while self.state.ties:
            if self.often(0.2):
                self.odd_things()
            else:
                self.part(self.state.ties[0].players)
        if self.often(0.02):
            self.odd_things()
        self.may(c.EndSession())

    def table(self, number: int) -> None:
        """Rounds until the table may end."""
        while not self.may(c.EndTable(number, self.chance.choice((0, 5)))):
            at = self.state.tables[number - 1]
            held = tuple((name, self.after_round(name)) for _, name in at.seated)
            last = self.state.conditions.sessions[self.state.session - 1].shoes
            shoe = min(at.shoe + self.often(0.6), last) if last else at.shoe
            self.do(c.CountChips(number, at.rounds + 1, held, shoe))
            out = [name for name, chips in held if chips < 1000]
            for name in out:
                if self.often(0.5):
                    self.may(c.BuyBack(name))
            if self.often(0.05):
                self.odd_things()
            elif held and self.often(0.1):
                self.may(c.Disqualify(held[0][0], "no wager in time", "20.14"))

    def after_round(self, name: str) -> int:
        """Few different amounts, so that players are often equal; often too little to continue."""
        chips = self.state.players[self.state.index[name.casefold()]].chips
        return max(0, chips + self.chance.choice((-2000, -1500, -1000, 0, 1000, 1000, 2000)))

    def part(self, players: tuple[str, ...]) -> None:
        if self.state.ties[0].by == "ballot":
            self.do(c.DrawLots(players, self.seed))
        else:
            self.do(c.CountExtra(players, tuple((name, self.chance.randint(0, 2)) for name in players)))

    def pay(self) -> None:
        self.pay_some(1)
        self.do(c.RevealBallot(self.seed))

    def pay_some(self, share: float) -> None:
        """Pay this share of the prizes that are due, in any order."""
        due = [payment.number for payment in self.state.payments if payment.number not in self.state.paid]
        self.chance.shuffle(due)
        for number in due if self.state.phase != "cancelled" else ():
            if self.chance.random() < share:
                self.do(c.PayPrize(number))

    # --- what must hold in the end -----------------------------------------------------------------------

    def check(self) -> None:
        state = self.state
        assert state.phase in ("over", "cancelled")
        oracle.watch(self.events, state.conditions)
        assert self.books[f"pool/{ID}"] == 0 == state.pool
        assert not any(amount for account, amount in self.books.items() if account.startswith(CHIPS))
        assert not any(player.chips for player in state.players)
        fees = [
            (event.fee, event.commission)
            for event in self.events
            if isinstance(event, e.Entered | e.SeatOffered | e.BoughtBack)
        ]
        if state.phase == "cancelled":
            won: Counter[str] = Counter()
            for event in self.events:
                if isinstance(event, e.PrizePaid):
                    won[wallet(event.payment.player)] += event.payment.amount
            assert +self.books == won, "every fee is refunded, and session prizes stay paid"
            assert self.books["house"] == -won.total()
            return
        net = sum(fee - commission for fee, commission in fees) + state.conditions.money.added
        assert sum(payment.amount for payment in state.payments) == net
        assert self.books[f"commission/{ID}"] == sum(commission for _, commission in fees)
        assert sorted(state.paid) == list(range(1, len(state.payments) + 1))
        paid = [event.payment for event in self.events if isinstance(event, e.PrizePaid)]
        assert sorted(payment.number for payment in paid) == sorted(state.paid)
        oracle.prizes(state, net - oracle.session_prizes(self.events, state.conditions))
        groups, most = restriction(state)
        for event in self.events:
            if isinstance(event, e.BallotDrawn):
                assert check_ballot(self.seed, state.seed_hash, event, groups, most)
            if isinstance(event, e.LotsDrawn):
                assert check_lots(self.seed, state.seed_hash, event)
            if isinstance(event, e.SeatDrawn):
                assert check_seat(self.seed, state.seed_hash, event)
