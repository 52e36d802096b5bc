"""Any command at any moment: a refusal or events, never an error, and the accounts balance after each."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pontoon.engine import Refusal
from pontoon.table.shuffle import seed_hash
from pontoon.tournament import commands as c
from pontoon.tournament import evolve, options, play
from tests.tournament.chance import ID, Chance


class Wild(Chance):
    """A tournament with random commands from anyone, and a director who makes progress occasionally."""

    def name(self) -> str:
        players = [player.name for player in self.state.players]
        return self.chance.choice([*players, *players, "Zoe", "", "a/b", " p1 "])

    def number(self) -> int:
        return self.chance.choice((-1, 0, 1, 1, 1, 2, 2, 3, 9))

    def names(self) -> tuple[str, ...]:
        if self.state.ties and self.often(0.7):
            return self.chance.choice(self.state.ties).players
        return tuple(self.name() for _ in range(self.chance.randint(0, 3)))

    def counted(self) -> c.CountChips:
        if not self.state.tables or self.often(0.2):
            return c.CountChips(self.number(), self.number(), ((self.name(), self.number() * 1000),), self.number())
        at = self.chance.choice(self.state.tables)
        held = tuple((name, self.after_round(name)) for _, name in at.seated)
        shoe = at.shoe + self.often(0.4)
        return c.CountChips(at.table, at.rounds + 1, held, shoe)

    def anything(self) -> c.TournamentCommand:
        if self.often(0.2):  # make progress
            offered = [command for command in options(self.state).allowed if not isinstance(command, c.StartSession)]
            if offered:
                return self.chance.choice(offered)
        name, number, names = self.name(), self.number(), self.names()
        seed = self.chance.choice((self.seed, self.seed, self.seed, "00" * 32, "?"))
        clause = self.chance.choice(("20.12", "20.14", "20.17", "20.3(a)(viii)(A)", "1.1"))
        one: c.TournamentCommand = self.chance.choice(
            (
                c.PublishConditions(self.chance.choice(("patrons", "commission", "nobody"))),
                c.NominateDirector("Manager", name) if self.often(0.1) else self.counted(),
                c.CommitBallot(self.chance.choice((seed_hash(bytes.fromhex(self.seed)), "?"))),
                c.Enter(f"P{number}", agreed=self.often(0.9), eligible=self.often(0.9)),
                c.CloseEntries() if self.often(0.1) else c.Enter(f"P{number}", agreed=True),
                c.MoveStart(number, number * 10),
                c.DrawBallot(seed, max(0, number - 1)),
                c.TakeSeat(name),
                c.TakeSeat(name),
                c.OfferSeat(name, self.name()),
                c.Substitute(name, f"S{number}", "ill", agreed=self.often(0.9)),
                c.StartSession() if self.often(0.1) else c.TakeSeat(name),
                self.counted(),
                self.counted(),
                c.BuyBack(name),
                c.Disqualify(name, "why", clause) if self.often(0.05) else c.BuyBack(name),
                c.CallBreak(number) if self.often(0.3) else c.EndBreak(),
                c.EndBreak(),
                c.EnterLate(f"P{number}", "held up", agreed=self.often(0.9), seed=seed),
                c.CorrectChips(name, number * 1000, "miscounted") if self.often(0.3) else c.Appeal(name, "unfair"),
                c.DecideAppeal(number, upheld=self.often(0.8), decision="heard"),
                c.Reinstate(name, "back in", self.chance.choice((0, 2000)), seed),
                c.SetPace(number) if self.often(0.1) else self.counted(),
                c.Direct("words", clause, self.chance.choice(("", name))),
                c.EndTable(number, number * 5),
                c.CountExtra(names, tuple((name, self.chance.randint(-1, 3)) for name in names)),
                c.CountExtra(names, tuple((name, self.chance.randint(0, 3)) for name in names)),
                c.DrawLots(names, seed),
                c.EndSession(),
                c.AwardPlaces(),
                c.RecordPoints(self.chance.choice(("Blackjack", "Roulette")), ((name, (number, 1)),)),
                c.PayPrize(number),
                c.RevealBallot(seed),
                c.Cancel("why") if self.often(0.01) else c.EndSession(),
            )
        )
        return one


@pytest.mark.parametrize("lot", [0, *(pytest.param(lot, marks=pytest.mark.slow) for lot in range(1, 5))])
def test_a_refusal_or_events(lot):
    done: Counter[str] = Counter()
    for seed in range(lot * 100, lot * 100 + (100 if lot else 50)):
        one = Wild(Random(seed), 6, 2)
        if seed % 3:
            one.enter()
        for _ in range(500):
            command = one.anything()
            played = play(one.state, command)
            if isinstance(played, Refusal):
                assert played.clauses, played
            else:
                one.do(command)
                held = {f"chips/{ID}/{player.name}": player.chips for player in one.state.players}
                assert {name: one.books[name] for name in held} == held
                assert one.books[f"pool/{ID}"] == one.state.pool
                assert one.books[f"commission/{ID}"] == one.state.commission
        state = one.first
        for event in one.events:
            state = evolve(state, event)
        assert state == one.state
        if state.phase in ("over", "cancelled"):
            assert one.books[f"pool/{ID}"] == 0
        done += one.said
    wanted = {"CountChips", "EndTable", "EndSession", "CountExtra", "AwardPlaces", "PayPrize", "Cancel"}
    assert not wanted - set(done), "a walk that leads nowhere shows nothing"
