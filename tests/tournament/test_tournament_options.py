"""`options` and `refusal` agree: everything offered is accepted, every other candidate is refused."""

from __future__ import annotations

from random import Random

import pytest

from pontoon.engine import Refusal
from pontoon.table.shuffle import seed_hash
from pontoon.tournament import commands as c
from pontoon.tournament import decide, evolve, options, play, refusal
from pontoon.tournament.decide import candidates
from tests.tournament.chance import Chance
from tests.tournament.desk import SEED, Desk


def agree(state):
    shown = options(state)
    refused = dict(shown.refused)
    for command in candidates(state):
        played = play(state, command)
        if command in shown.allowed:
            assert not isinstance(played, Refusal), command
            assert decide(state, command) == played.events
            after = state
            for event in played.events:
                after = evolve(after, event)
            assert after == played.state
            assert played.events
        else:
            assert played == refused[command] == refusal(state, command)
    return shown


class Asking(Chance):
    """A random tournament that asks for its options before every command."""

    def do(self, command: c.TournamentCommand) -> None:
        shown = agree(self.state)
        plain = c.EndTable(command.table) if isinstance(command, c.EndTable) else command
        offered = plain in shown.allowed or type(command).__name__ in shown.needs
        also = isinstance(command, c.OfferSeat | c.Substitute | c.Disqualify | c.Reinstate)
        assert offered or also, command
        super().do(command)


@pytest.mark.parametrize("seed", range(60))
def test_what_is_done_was_offered(seed):
    chance = Random(seed)
    Asking(chance, chance.randint(1, 9), 2).play().check()


def kinds(shown):
    return " ".join(dict.fromkeys(type(command).__name__ for command in shown.allowed)), " ".join(shown.needs)


def test_the_desk_of_a_small_tournament():
    """One tournament from its draft to its end, and what the director may do at each point."""
    desk = Desk()

    def shows(phase, complete, needs):
        shown = agree(desk.state)
        assert (shown.phase, *kinds(shown)) == (phase, complete, needs)

    always = (
        "NominateDirector",
        "MoveStart",
        "DrawBallot",
        "Substitute",
        "Disqualify",
        "EnterLate",
        "Appeal",
        "CallBreak",
    )
    words = "SetPace Direct Cancel"
    shows("draft", "PublishConditions", "NominateDirector CommitBallot Cancel")
    desk.do(c.PublishConditions("patrons"), c.PublishConditions("commission"))
    shows("draft", "", "NominateDirector CommitBallot Cancel")
    desk.do(c.NominateDirector("Manager", "Dora"), c.CommitBallot(seed_hash(bytes.fromhex(SEED))))
    shows("entries", "", f"NominateDirector Enter MoveStart {words}")
    desk.enter("Ann Ben Cas")
    shows("entries", "CloseEntries", f"NominateDirector Enter MoveStart Substitute Disqualify Appeal {words}")
    desk.do(c.CloseEntries())
    shows("closed", "", f"{' '.join(always)} {words}")
    desk.drawn()
    shows("balloted", "StartSession TakeSeat", f"{' '.join(name for name in always if name != 'DrawBallot')} {words}")
    desk.seated()
    playing = "NominateDirector Substitute Disqualify CorrectChips Appeal CallBreak SetPace Direct"
    shows("session", "", f"{playing} CountChips Cancel")
    desk.do(c.CallBreak(5))
    shows(
        "session",
        "EndBreak",
        "NominateDirector Substitute Disqualify CorrectChips Appeal SetPace Direct CountChips Cancel",
    )
    desk.do(c.EndBreak())
    desk.round(Ann=110000)
    desk.round(Ann=120000)
    shows("session", "EndTable", f"{playing} Cancel")
    desk.do(c.EndTable(1))
    shows("session", "EndSession", "NominateDirector Disqualify CorrectChips Appeal CallBreak SetPace Direct Cancel")
    desk.do(c.EndSession())
    shows("between", "AwardPlaces", "NominateDirector Disqualify Appeal CallBreak SetPace Direct Cancel")
    desk.do(c.AwardPlaces())
    shows("awarded", "PayPrize", "NominateDirector RevealBallot Cancel")
    desk.do(c.PayPrize(1))
    shows("awarded", "PayPrize", "NominateDirector RevealBallot")
    desk.do(*(c.PayPrize(payment.number) for payment in desk.state.payments[1:]))
    shows("over", "", "RevealBallot")
    desk.do(c.RevealBallot(SEED))
    shows("over", "", "")


def test_ties_and_time_are_offered():
    from pontoon.tournament.conditions import values as k

    timed = Desk(sessions=(k.Session(name="Final", minutes=5),), ties={"final": "extra_rounds"}).playing("Ann Ben")
    assert "EndTable" in agree(timed.state).needs
    timed.end()
    assert "CountExtra" in agree(timed.state).needs
    cut = (k.Session(name="Heats", rounds=1, advance=k.Advance(of_all=2)), k.Session(name="Final", rounds=1))
    drawn = Desk(sessions=cut, players={"least": 3}, ties={"session": "ballot"}).playing("Ann Ben Cas").end_tables()
    assert "DrawLots" in agree(drawn.state).needs
