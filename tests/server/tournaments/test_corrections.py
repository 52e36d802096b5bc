"""Late entries, appeals, reinstatement and chip corrections on the server: permits, waiting, replay, restarts."""

from __future__ import annotations

from pontoon.server.api.tournaments import hosting
from pontoon.server.rooms.actors import Actor
from pontoon.server.tournaments.log import RulingWaits, read_body, stream_of
from pontoon.store.model import entries_after
from pontoon.tournament import commands as c
from pontoon.tournament.state import known
from pontoon.view.tournaments.view import tournament_view
from tests.server.tournaments.cup import BUY_BACK, DORA, RUTH, SIX, Cup, conditions, played

LATER = conditions(length="rounds = 2").replace('name = "Final"', 'name = "Final"\nafter = 30')


def waited(cup: Cup) -> list[str]:
    """The commands that were deferred to the end of a round."""
    events = (event for entry in entries_after(cup.store, stream_of(cup.id)) for event in read_body(entry.body).events)
    return [type(event.command).__name__ for event in events if isinstance(event, RulingWaits)]


def test_20_6_a_late_entry_pays_draws_a_seat_and_plays():
    async def work() -> None:
        cup = await (await Cup().opened(*SIX)).made(conditions())
        await cup.balloted(*SIX[:5])
        late = c.EnterLate("fay", "held up", agreed=True)
        await cup.no("Fay", late, "forbidden")
        await cup.no(DORA, c.EnterLate("Dora", "held up", agreed=True), "own_tournament")
        await cup.no(DORA, c.EnterLate("Zoe", "held up", agreed=True), "no_such_person")
        assert "EnterLate" in cup.house.tournaments.may(DORA, cup.id)
        await cup.do(DORA, late)
        assert cup.wallet("Fay") == 100_000 - 3333
        assert known(cup.state, "Fay").seat >= 0
        await cup.started()
        await cup.no(DORA, c.EnterLate("Dora", "x"), "own_tournament")
        await cup.session()
        cup.books()

    played(work)


def test_20_7_no_session_starts_before_its_time_and_nobody_forfeits_without_notice():
    async def work() -> None:
        cup = await (await Cup().opened(*SIX)).made(LATER)
        await cup.balloted(*SIX)
        for name in SIX:
            await cup.do(name, c.TakeSeat(""))
        await cup.no(DORA, c.StartSession(), "before_start", "20.7", "20.9")  # everyone sits, and the time is to come
        await cup.started()
        await cup.session()
        await cup.do(DORA, c.DrawBallot(""))
        await cup.no(DORA, c.StartSession(), "before_start", "20.7")  # 30 minutes after the heats
        view = tournament_view(cup.state, hosting(cup.hosted))
        assert view.start == cup.hosted.ended_at + 30 * 60_000
        assert [duty.at for duty in view.duties if duty.what == "StartSession"] == [view.start]
        await cup.restart()
        await cup.no(DORA, c.StartSession(), "before_start", "20.7")
        await cup.started()
        await cup.session()
        cup.books()
        other = await (await Cup().opened(*SIX)).made(conditions(length="rounds = 1"))
        await other.balloted(*SIX)
        await other.started()
        await other.session()
        await other.do(DORA, c.DrawBallot(""))
        await other.no(DORA, c.StartSession(), "start_not_announced", "20.7", "20.9")
        at = other.clock.wall() + 20 * 60_000
        await other.do(DORA, c.MoveStart(at, 20))
        await other.no(DORA, c.StartSession(), "before_start", "20.7")
        other.at_the_start()
        await other.do(DORA, c.StartSession())
        assert {player.status for player in other.state.players} >= {"forfeited"}
        other.books()

    played(work)


def test_17_4_an_appeal_from_the_player_to_the_operator_and_back_to_the_table():
    async def work() -> None:
        cup = await (await Cup().opened(*SIX)).made(conditions())
        await cup.balloted(*SIX)
        await cup.started()
        await cup.opens(1)
        player = cup.heat().places[0][1]
        await cup.do(DORA, c.Disqualify(player, "hid chips", "20.12"))
        await cup.run(lambda: known(cup.state, player).status == "disqualified")
        assert "Appeal" in cup.house.tournaments.may(Actor(player), cup.id)
        assert "Appeal" not in cup.house.tournaments.may(RUTH, cup.id)
        await cup.do(player, c.Appeal("", "they were in full view"))
        await cup.no(player, c.Appeal("", "again"), "appeal_waits", "17.4")
        other = next(name for name in SIX if name != player)
        await cup.no(other, c.Appeal(player, "for a friend"), "not_yours")
        await cup.no(DORA, c.DecideAppeal(1, upheld=True, decision="so be it"), "forbidden")
        assert tournament_view(cup.state, hosting(cup.hosted)).duties[0].role == "operator"
        await cup.do(RUTH, c.DecideAppeal(1, upheld=True, decision="the camera shows them"))
        duty = tournament_view(cup.state, hosting(cup.hosted)).duties[0]
        assert (duty.role, duty.what) == ("director", "Reinstate")
        await cup.opens(cup.state.tables[0].rounds + 1)  # a round is on: the ruling waits for its end
        await cup.do(DORA, c.Reinstate(player, "appeal upheld", 5000))
        await cup.restart()
        await cup.run(lambda: known(cup.state, player).status == "in")
        assert known(cup.state, player).chips == 5000
        await cup.session()
        assert waited(cup) == ["Disqualify", "Reinstate"]
        assert cup.state.appeals[0].carried_out
        cup.books()

    played(work)


def test_20_14_a_player_who_made_no_wager_in_time_is_reinstated_and_plays_on():
    async def work() -> None:
        cup = await (await Cup().opened(*SIX)).made(conditions(absent="eliminated"))
        await cup.balloted(*SIX)
        await cup.started()
        await cup.opens(1)
        player = next(name for box, name in cup.heat().places if box == cup.heat().marker)
        await cup.until(lambda: known(cup.state, player).status == "eliminated")
        await cup.no(DORA, c.Reinstate(player, "the line was down", 5000), "appeal_needed", "17.4")
        await cup.do(player, c.Appeal("", "the line was down"))
        await cup.do(RUTH, c.DecideAppeal(1, upheld=True, decision="it was"))
        await cup.do(DORA, c.Reinstate(player, "the line was down", 5000))
        await cup.run(lambda: known(cup.state, player).status == "in")
        table = known(cup.state, player).table
        await cup.run(lambda: player in dict(cup.heat(table).chips) and cup.state.tables[table - 1].rounds >= 2)
        await cup.session()
        cup.books()

    played(work)


def test_20_13_chips_are_corrected_between_rounds_and_the_ledger_agrees():
    async def work() -> None:
        cup = await (await Cup().opened(*SIX)).made(conditions(buy_back=BUY_BACK))
        await cup.balloted(*SIX)
        await cup.started()
        await cup.opens(1)
        player = cup.heat().places[0][1]
        await cup.do(DORA, c.CorrectChips(player, 7500, "paid twice"))
        assert known(cup.state, player).chips == 10000  # the round goes on
        await cup.run(lambda: known(cup.state, player).chips == 7500)
        await cup.opens(2)
        assert dict(cup.heat().chips)[player] == 7500
        assert 7500 in [chips for _, chips in cup.hosted.history[player]]
        await cup.session()
        assert waited(cup) == ["CorrectChips"]
        cup.books()

    played(work)
