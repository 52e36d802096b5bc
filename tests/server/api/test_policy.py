"""The house policy: every key refuses what it should, at once, and is on record."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pontoon.server.house import House, Options
from pontoon.server.operation.operator_access import access_in, grant_access, secret_of
from pontoon.server.operation.policy import SAYS, Policy, PolicyError, changes, policy_text, read_policy
from pontoon.server.people.offline_accounts import OfflineAccounts
from pontoon.server.people.people import People, PolicySet
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.live import Live
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.store import MemoryStore
from pontoon.table.commands import Sit
from pontoon.view.viewer import Viewer
from tests.server.api.visitors import Server, Visitor
from tests.server.virtual_time import VirtualClock, run_virtually


async def put(server: Server, **values: Any) -> Visitor:
    """An administrator who has put these values in force."""
    boss = await server.account("Boss", "administrator")
    told = await boss.ask("PUT", "/api/admin/policy", {"values": values})
    assert told.status_code == 200, told.text
    return boss


async def rule(visitor: Visitor, *asked: Any) -> str:
    """The rule of the policy that refuses a request; empty if none does."""
    answer = await visitor.ask(*asked)
    said = answer.json()
    return said["facts"]["rule"] if said.get("code") == "policy" else ""


def table(**settings: Any) -> tuple[str, str, dict[str, Any]]:
    return "POST", "/api/tables", {"rulebook": "star", **settings}


# --- the file ------------------------------------------------------------------------------------------


def test_a_policy_reads_back_from_its_file_with_every_key_explained():
    policy = Policy(("dealer",), 500, 200_000, ("star",), bots=False, guests="watch", opens="12:00", closes="04:00")
    text = policy_text(policy)
    assert read_policy(text) == policy
    assert set(SAYS) == set(Policy.__struct_fields__)
    assert changes(Policy(), policy) == (
        "makers",
        "minimum",
        "maximum",
        "rulebooks",
        "bots",
        "guests",
        "opens",
        "closes",
    )
    assert max(map(len, text.splitlines())) <= 150


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("minimum = 5", ['minimum: 5: money is a decimal string in dollars, as in "7.50"']),
        ('guests = "no"\nspectator_delay = -1', ["guests: ", "spectator_delay: "]),
        ('minimum = "9.00"\nmaximum = "8.00"\nopens = "12:00"', ["minimum: it is above", "opens, closes: give both"]),
        ('rulebooks = ["nowhere"]\nhats = true', ["hats: there is no such key", "rulebooks: there is no 'nowhere'"]),
        ("minimum", ["not TOML: "]),
    ],
)
def test_all_faults_of_a_policy_are_named_at_once(text: str, faults: list[str]):
    with pytest.raises(PolicyError) as caught:
        read_policy(text, ("star",))
    assert len(caught.value.faults) == len(faults)
    assert all(said.startswith(begins) for said, begins in zip(caught.value.faults, faults, strict=True))


def test_a_file_of_the_server_is_put_in_force_when_it_changes_and_not_at_every_start():
    store = MemoryStore()
    assert OfflineAccounts(store).set_policy(Policy(minimum=500), file=True) == ("minimum",)
    assert OfflineAccounts(store).set_policy(Policy(bots=False)) == ("minimum", "bots")
    assert OfflineAccounts(store).set_policy(Policy(minimum=500), file=True) == ()
    assert OfflineAccounts(store).people.policy == Policy(bots=False), "an administrator changed it since"
    assert OfflineAccounts(store).set_policy(Policy(minimum=600), file=True) == ("minimum", "bots")
    assert OfflineAccounts(store).people.record.by == "operator"


# --- what it refuses -----------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_only_an_administrator_changes_the_policy_and_it_is_on_record(server: Server):
    boss, ann = await put(server, minimum=500), await server.account("Ann", "inspector")
    assert await ann.refused("PUT", "/api/admin/policy", {"values": {}}) == (403, "forbidden")
    assert await boss.refused("PUT", "/api/admin/policy", {"values": {"hats": 1}}) == (400, "policy_faults")
    assert await boss.refused("PUT", "/api/admin/policy", {"text": "minimum = 5"}) == (400, "policy_faults")
    told = await boss.ask("PUT", "/api/admin/policy", {"text": 'minimum = "7.50"\nbots = false'})
    assert (told.json()["policy"]["minimum"], told.json()["by"]) == (750, "Boss")
    assert (await server.nobody.get("/api/policy"))["policy"]["bots"] is False
    trail = (await boss.get("/api/admin/audit?what=PolicySet&name=boss"))["events"]
    assert [(row["by"], row["detail"]) for row in trail] == [("Boss", "minimum, bots"), ("Boss", "minimum")]
    before = server.house.people.version
    await boss.ask("PUT", "/api/admin/policy", {"values": {"bots": False}})
    assert server.house.people.version == before, "nothing new is not recorded"


@pytest.mark.asyncio
async def test_who_may_make_tables_with_which_limits_and_rulebooks(server: Server):
    boss = await put(server, makers=["dealer"], minimum=500, maximum=200_000, rulebooks=["star"], bots=False)
    gus, ann = await server.guest("Gus"), await server.account("Ann")
    dora = await server.account("Dora", "dealer")
    assert [await rule(who, *table()) for who in (gus, ann, dora, boss)] == ["makers", "makers", "", ""]
    assert await rule(gus, *table(practice=True, minimum=100)) == "", "practice is outside the policy"
    wrong: dict[str, dict[str, Any]] = {
        "minimum": {"minimum": 400},
        "maximum": {"maximum": 0},
        "rulebooks": {"rulebook": "canberra"},
    }
    wrong |= {"bots": {"bots_alone": True}}
    assert {name: await rule(boss, *table(**settings)) for name, settings in wrong.items()} == {
        name: name for name in wrong
    }
    assert await rule(boss, *table(maximum=200_100)) == "maximum"


@pytest.mark.asyncio
async def test_limits_and_bots_at_a_table_that_stands(server: Server):
    boss = await server.account("Boss", "administrator")
    open_table = await boss.make_table()
    await boss.ask("PUT", "/api/admin/policy", {"values": {"minimum": 500, "bots": False}})
    low = {"minimum": 100, "maximum": 1000, "smallest_chip": 50}
    for command in ({"type": "SeatBot", "box": 3}, {"type": "AnnounceLimits", "limits": low}):
        said = await boss.ask(
            "POST", f"/api/tables/{open_table}/commands", {"key": str(command)[:60], "command": command}
        )
        assert said.json()["code"] == "policy"


@pytest.mark.asyncio
async def test_guests_may_watch_or_not_come_at_all(server: Server):
    gus, ann = await server.guest("Gus"), await server.account("Ann")
    made, lesson = await ann.make_table(), await gus.make_table(practice=True)
    boss = await put(server, guests="watch")
    wager = {"key": "1", "command": {"type": "PlaceWager", "box": 1, "player": "", "stake": 1000}}
    assert await rule(gus, "POST", f"/api/tables/{made}/commands", wager) == "guests"
    await gus.play(lesson)
    assert (await gus.ask("POST", "/api/me/password", {"new": "a long walk by the river"})).status_code == 204
    await gus.play(made)
    await boss.ask("PUT", "/api/admin/policy", {"values": {"guests": "closed"}})
    assert await rule(server.nobody, "POST", "/api/guests", {"name": "Eve"}) == "no_guests"


@pytest.mark.asyncio
async def test_first_chips_and_top_ups(server: Server):
    boss = await put(server, first_chips=5000, top_ups=False)
    ann = await server.account("Ann")
    assert (await ann.get("/api/me"))["wallet"] == 5000
    open_table = await ann.make_table(maximum=0)
    account = server.house.people.find("Ann")
    assert account is not None
    while (await ann.get("/api/me"))["wallet"] >= 1000:
        await ann.play(open_table, stake=(await ann.get("/api/me"))["wallet"] // 500 * 500)
    assert await rule(ann, "POST", "/api/me/chips") == "top_ups"
    await boss.ask("PUT", "/api/admin/policy", {"values": {"top_ups": True, "top_up_hours": 24}})
    assert (await ann.ask("POST", "/api/me/chips")).json()["wallet"] == 5000
    account.topped_up -= 23 * 3_600_000
    while (await ann.get("/api/me"))["wallet"] >= 1000:
        await ann.play(open_table, stake=(await ann.get("/api/me"))["wallet"] // 500 * 500)
    assert await rule(ann, "POST", "/api/me/chips") == "top_up_hours"
    assert (await boss.ask("POST", "/api/admin/wallets/Ann/chips", {"amount": 100})).status_code == 200
    account.topped_up -= 3_600_000
    assert (await ann.ask("POST", "/api/me/chips")).json()["wallet"] == 5000


@pytest.mark.asyncio
async def test_strangers_may_not_watch_where_people_must_sign_in(server: Server):
    ann = await server.account("Ann")
    made, lesson = await ann.make_table(), await ann.make_table(practice=True)
    await put(server, spectators="people")
    assert await rule(server.nobody, "GET", f"/api/tables/{made}") == "spectators"
    assert await rule(server.nobody, "GET", f"/api/tables/{lesson}") == ""
    assert await rule(ann, "GET", f"/api/tables/{made}") == ""


@pytest.mark.asyncio
async def test_outside_the_hours_no_wager_is_taken(server: Server):
    ann = await server.account("Ann")
    made = await ann.make_table()
    hour = server.house.clock.wall() // 3_600_000 % 24
    boss = await put(server, opens=f"{(hour + 2) % 24:02}:00", closes=f"{(hour + 3) % 24:02}:00")
    wager = {"key": "1", "command": {"type": "PlaceWager", "box": 1, "player": "", "stake": 1000}}
    assert await rule(ann, "POST", f"/api/tables/{made}/commands", wager) == "hours"
    await boss.ask("PUT", "/api/admin/policy", {"values": {"opens": "", "closes": ""}})
    await ann.play(made)


@pytest.mark.asyncio
async def test_old_backups_are_deleted_as_the_policy_says_and_the_newest_stays(server: Server, tmp_path: Path):
    boss = await put(server, backup_days=7)
    old = tmp_path / "backups" / "pontoon-old.db"
    old.parent.mkdir()
    old.write_bytes(b"old")
    os.utime(old, (1, 1))
    made = (await boss.ask("POST", "/api/admin/backup")).json()["file"]
    assert [row["file"] for row in (await boss.get("/api/admin/backups"))["backups"]] == [made]
    verified = await boss.ask("POST", f"/api/admin/backups/{made}/verification")
    assert verified.json()["whole"] is True
    assert await boss.refused("POST", "/api/admin/backups/other.db/verification") == (404, "no_such_backup")


# --- spectators who see the table later ----------------------------------------------------------------


class Screen:
    """A watcher that notes what it was sent, and when."""

    def __init__(self, clock: VirtualClock, viewer: Viewer) -> None:
        self.clock, self.viewer = clock, viewer
        self.sent: list[tuple[int, str]] = []

    def send(self, content: str) -> None:
        self.sent.append((round(self.clock.steady()), content))

    def show(self, make: Any) -> None:
        self.send(make(self.viewer))


def test_a_spectator_is_behind_until_they_play():
    async def evening() -> None:
        clock = VirtualClock(asyncio.get_running_loop())
        house = House(MemoryStore(), Options(inline=True, proving=True), clock)
        await house.start()
        for name in ("Ann", "Ben", "Dan"):
            await house.write_people(partial(People.opened, given=name))
        await house.say_of("Boss", PolicySet(Policy(spectator_delay=30)))
        room = await house.make_table(Actor("Ann"), Settings("star", clocks=Clocks(0, 0, 0, 0)), "")
        assert isinstance(room, str)
        live = await house.live(room)
        assert isinstance(live, Live)
        assert live.delay == 30
        await asyncio.sleep(60)
        ben, iris = Screen(clock, Viewer("Ben")), Screen(clock, Viewer("Iris", official=True))
        for screen in (ben, iris):
            live.catch_up(screen, None, clock.steady())
            live.join(screen)
        began = round(clock.steady())
        assert isinstance(await house.command(Actor("Ann"), room, Sit("Ann", 1), "", None), int)
        after = live.room.version
        assert live.seen_by(Viewer(), clock.steady()).version < after
        assert live.seen_by(Viewer("Ann"), clock.steady()).version == after
        await asyncio.sleep(40)
        assert [at - began for at, _ in iris.sent] == [0, 0]
        assert [at - began for at, _ in ben.sent] == [0, 30]
        assert live.seen_by(Viewer(), clock.steady()).version == after
        late = Screen(clock, Viewer("Cat"))
        assert isinstance(await house.command(Actor("Dan"), room, Sit("Dan", 2), "", None), int)
        live.catch_up(late, None, clock.steady())
        live.join(late)
        assert f'"version":{after}' in late.sent[0][1], "the state of half a minute ago"
        assert isinstance(await house.command(Actor("Ben"), room, Sit("Ben", 5), "", None), int)
        assert '"type":"snapshot"' in ben.sent[-1][1], "who plays sees everything at once"
        await asyncio.sleep(40)
        assert len(late.sent) == 3
        live.leave(late, clock.steady())
        await house.close()

    run_virtually(evening())


# --- the operator on the server's machine --------------------------------------------------------------


def test_the_operators_secret_is_readable_by_its_user_alone_and_made_anew(tmp_path: Path):
    path = grant_access(tmp_path, "http://0.0.0.0:8048")
    access = access_in(tmp_path)
    assert access is not None
    assert (access.url, path.stat().st_mode & 0o777) == ("http://127.0.0.1:8048", 0o600)
    assert secret_of(tmp_path) != ""
    grant_access(tmp_path, "http://0.0.0.0:8048")
    assert access_in(tmp_path) != access
    path.write_text("{")
    assert (access_in(tmp_path), secret_of(tmp_path)) == (None, "")
