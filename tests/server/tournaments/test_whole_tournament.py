"""A tournament on the server, from its conditions to its last prize: exact to the cent, despite crashes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pontoon.cli import main
from pontoon.server.tournaments.log import read_body
from pontoon.store.model import entries_after
from pontoon.store.sqlite import SqliteStore
from pontoon.tournament import check_ballot
from pontoon.tournament import commands as c
from pontoon.tournament import events as e
from tests.server.tournaments.cup import DORA, SIX, WALLET, Cup, conditions, played

FEE, COMMISSION, ADDED = 3333, 300, 701
POOL = 6 * (FEE - COMMISSION) + ADDED


async def whole(cup: Cup, players: tuple[str, ...] = SIX) -> dict[str, int]:
    """One of the players does not come; the books at the end."""
    await (await (await cup.made(conditions())).balloted(*players)).started("Eve")
    await cup.session()
    await cup.do(DORA, c.DrawBallot(""))
    await cup.started()
    await cup.session()
    await cup.finished()
    await cup.run(lambda: all(live.room.state.table.phase == "closed" for live in cup.heats()))
    return cup.books()


def drawn(cup: Cup) -> list[e.BallotDrawn]:
    """Every ballot, from the stream."""
    bodies = [read_body(entry.body) for entry in entries_after(cup.store, f"tournament/{cup.id}")]
    return [event for body in bodies for event in body.events if isinstance(event, e.BallotDrawn)]


def test_20_2_to_20_20_six_players_from_the_conditions_to_the_last_prize():
    async def work() -> None:
        cup = await Cup().opened(*SIX)
        books = await whole(cup)
        state = cup.state
        assert (state.phase, state.pool, len(state.results)) == ("over", 0, 2)
        assert {player.name for player in state.players if player.status == "forfeited"} == {"Eve"}  # 20.9
        prizes = {name: sum(payment.amount for payment in state.payments if payment.player == name) for name in SIX}
        assert sum(prizes.values()) == POOL  # 20.19: all of it
        assert {name: cup.wallet(name) for name in SIX} == {name: WALLET - FEE + prizes[name] for name in SIX}
        assert books[f"commission/{cup.id}"] == 6 * COMMISSION
        assert books["house"] == -ADDED
        assert not [name for name in books if name.startswith(("pool/", "chips/", "chips_on/", "chip_bank/"))]
        ballots = drawn(cup)
        assert len(ballots) == 2
        assert all(check_ballot(state.seed, state.seed_hash, ballot) for ballot in ballots)  # 20.7
        wagers = [entry for live in cup.heats() for entry in entries_after(cup.store, f"table/{live.room.id}")]
        assert {wager.by for wager in wagers if b"WagerPlaced" in wager.body} <= {*SIX} - {"Eve"}
        assert set(cup.hosted.history) == {*SIX} - {"Eve"}
        winner = state.standings[0].player
        rounds = [number for number, _ in cup.hosted.history[winner]]
        assert rounds == [0, 1, 2, 3, 4, 4, 5, 6, 7]  # 4 rounds, final chips, new chips, then 3 rounds

    played(work)


def test_20_8_twelve_players_at_four_tables_at_once():
    twelve = (*SIX, "Gil", "Hal", "Ida", "Jon", "Kim", "Lou")

    async def work() -> None:
        cup = await Cup().opened(*twelve)
        books = await whole(cup, twelve)
        assert {table for session, table in cup.hosted.rooms if session == 1} == {1, 2, 3, 4}
        assert sum(cup.wallet(name) for name in twelve) == 12 * (WALLET - COMMISSION) + ADDED
        assert not [name for name in books if name.startswith(("pool/", "chips/", "chips_on/", "chip_bank/"))]

    played(work)


def test_a_database_with_a_tournament_is_verified_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "pontoon.db"

    async def work() -> None:
        store = SqliteStore(file)
        cup = await Cup(store).opened(*SIX)
        await whole(cup)
        await cup.house.close()
        store.close()

    played(work)
    with pytest.raises(SystemExit) as ended:
        main(["verify", "log", "--file", str(file), "--replay"])
    assert ended.value.code == 0
    assert "as written" in capsys.readouterr().out


@pytest.mark.parametrize("every", [3, 7, 20])
def test_killed_again_and_again_it_goes_on_to_the_same_books(every: int, ballots: Callable[[int], None]):
    ballots(5)

    async def calm() -> dict[str, int]:
        return await whole(await Cup().opened(*SIX))

    async def killed() -> tuple[dict[str, int], int]:
        cup = Killed(every)
        await cup.opened(*SIX)
        return await whole(cup), cup.deaths

    books, deaths = played(killed)
    assert books == played(calm)
    assert deaths > 3


class Killed(Cup):
    """The process is killed after every few entries, at any point."""

    def __init__(self, every: int) -> None:
        super().__init__()
        self.every, self.deaths, self.last = every, 0, 0

    async def play(self) -> bool:
        entries = sum(head.version for head in self.store.heads())
        if entries >= self.last + self.every:
            self.last = entries
            self.deaths += 1
            await self.restart()
        return await super().play()
