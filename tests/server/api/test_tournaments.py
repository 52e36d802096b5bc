"""Tournaments over REST: creating, viewing, entering, the director's commands, and the secrecy of the seed."""

from __future__ import annotations

import asyncio
import csv
import io
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from pontoon.server.api.tournaments import hosting
from pontoon.server.tournaments import registry
from pontoon.server.tournaments.hosted import Hosted, extra_room
from pontoon.server.tournaments.registry import timed
from pontoon.tournament.conditions.load import digest, read
from tests.server.api.visitors import Server, Visitor
from tests.tournament.desk import HEATS, Desk

pytestmark = pytest.mark.asyncio

FOLDER = Path(__file__).parents[3] / "examples" / "tournaments"
EXAMPLES = {file.stem: file.read_text("utf-8") for file in sorted(FOLDER.glob("*.toml")) if file.stem != "bots"}
assert EXAMPLES

SMALL = """
name = "Lake Cup"
statement = "standard"

[start]
at = 2027-01-02T10:00:00
entry = "on the page"
eligibility = "everybody"

[game]
packs = 4
minimum = "10.00"
maximum = "300.00"

[players]
least = 2
most = 3
reserves = 1
at_table = 3

[money]
fee = "100.00"
commission = "10.00"
added = "50.00"
chips = "500.00"

[structure]
format = "knock_out"
pace = 20

[[session]]
name = "Final"
rounds = 2

[ties]
final = "divide"

[prizes]
shares = ["60%", "40%"]
"""


class Cup:
    """A tournament, and the people around it."""

    def __init__(self, server: Server, director: Visitor, operator: Visitor, name: str) -> None:
        self.server = server
        self.director = director
        self.operator = operator
        self.name = name
        self.path = f"/api/tournaments/{name}"
        self.told: list[str] = []
        """All answers so far."""

    async def ask(self, who: Visitor, kind: str, role: str = "", key: str = "", **facts: Any) -> tuple[int, Any]:
        """Give a command; the status and the answer."""
        body = {"key": key or f"{who.name} {len(self.told)}", "command": {"type": kind, **facts}, "as": role}
        answer = await who.ask("POST", f"{self.path}/commands", body)
        self.told.append(answer.text)
        return answer.status_code, answer.json()

    async def do(self, who: Visitor, kind: str, **facts: Any) -> int:
        status, told = await self.ask(who, kind, **facts)
        assert status == 200, told
        version: int = told["version"]
        return version

    async def no(self, who: Visitor, kind: str, **facts: Any) -> tuple[int, str, list[str]]:
        status, told = await self.ask(who, kind, **facts)
        assert status >= 400, told
        assert told["detail"]
        return status, told["code"], told["clauses"]

    async def see(self, who: Visitor | None = None) -> Any:
        answer = await (who or self.server.nobody).ask("GET", self.path)
        assert answer.status_code == 200, answer.text
        self.told.append(answer.text)
        return answer.json()

    async def open(self) -> Cup:
        """Everything entries need (20.2, 20.4, 20.7)."""
        for to in ("patrons", "commission"):
            await self.do(self.operator, "PublishConditions", to=to)
        await self.do(self.operator, "NominateDirector", by="", director=self.director.name)
        await self.do(self.operator, "CommitBallot", seed_hash="")
        return self


async def made(director: Visitor, conditions: str = SMALL, key: str = "") -> Any:
    return await director.ask("POST", "/api/tournaments", {"conditions": conditions, "key": key})


@pytest_asyncio.fixture
async def cup(server: Server) -> Cup:
    director = await server.account("Dora", "tournament_director")
    operator = await server.account("Ruth", "administrator")
    answer = await made(director)
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert told["link"] == f"/tournament/{told['id']}"
    assert answer.headers["location"] == f"/api/tournaments/{told['id']}"
    return Cup(server, director, operator, told["id"])


# --- making --------------------------------------------------------------------------------------------


async def test_20_2_a_player_makes_no_tournament(server: Server):
    ann = await server.guest("Ann")
    assert await ann.refused("POST", "/api/tournaments", {"conditions": SMALL}) == (403, "forbidden")
    assert await server.nobody.refused("POST", "/api/tournaments", {"conditions": SMALL}) == (401, "unknown_token")
    assert (await server.nobody.get("/api/tournaments"))["tournaments"] == []


async def test_20_3_every_fault_of_the_conditions_comes_back_with_its_clause(server: Server):
    director = await server.account("Dora", "tournament_director")
    wrong = SMALL.replace("packs = 4", "packs = 2").replace('"60%"', '"50%"')
    answer = await server.client.post(
        "/api/tournaments", json={"conditions": wrong}, headers={"Authorization": f"Bearer {director.token}"}
    )
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["code"] == "conditions_incomplete"
    assert [fault["clause"] for fault in told["faults"]] == ["20.1", "20.19"]
    assert told["faults"][0]["words"] == "2 packs are not allowed by rule 2.1, only 3 to 8"
    assert (await server.nobody.get("/api/tournaments"))["tournaments"] == []


@pytest.mark.parametrize(
    "body",
    [
        {"conditions": ""},
        {"conditions": 7},
        {"conditions": "x" * 48_001},
        {"conditions": SMALL.replace("Lake", "La\x00ke")},
        {"conditions": SMALL.replace("Lake", "La\u202eke")},
        {"conditions": SMALL, "key": "\n"},
        {"conditions": SMALL, "colour": "red"},
        {},
    ],
    ids=["empty", "number", "long", "nul", "turned", "key", "unknown", "nothing"],
)
async def test_what_cannot_be_read_is_malformed(server: Server, body: object):
    director = await server.account("Dora", "tournament_director")
    assert await director.refused("POST", "/api/tournaments", body) == (400, "malformed")


async def test_the_same_key_gives_the_same_tournament(server: Server):
    director = await server.account("Dora", "tournament_director")
    first, again, other = [(await made(director, key=key)).json()["id"] for key in ("a", "a", "b")]
    assert first == again != other


async def test_a_long_list_has_pages(server: Server):
    director = await server.account("Dora", "tournament_director")
    ids = {(await made(director, key=str(number))).json()["id"] for number in range(5)}
    seen: list[str] = []
    cursor = ""
    while True:
        told = await server.nobody.get(f"/api/tournaments?limit=2{cursor}")
        seen += [tournament["id"] for tournament in told["tournaments"]]
        if told["next"] is None:
            break
        cursor = f"&cursor={told['next']}"
    assert len(seen) == 5
    assert set(seen) == ids


# --- looking -------------------------------------------------------------------------------------------


async def test_20_2_everybody_may_look_and_read_the_paper(cup: Cup):
    view = await cup.see()
    assert (view["name"], view["phase"], view["may"], view["mine"]) == ("Lake Cup", "draft", [], None)
    assert view["digest"] == digest(read(SMALL, "small"))
    nobody = cup.server.nobody
    (row,) = (await nobody.get("/api/tournaments"))["tournaments"]
    assert (row["id"], row["name"], row["fee"], row["most"], row["sessions"]) == (cup.name, "Lake Cup", 10000, 3, 1)
    paper = await nobody.get(f"{cup.path}/conditions")
    clauses = {part["clause"] for section in paper["sections"] for part in section["parts"]}
    assert {"20.3(a)(iii)", "20.3(a)(x)", "20.3(b)"} <= clauses
    assert any(part["rows"] for section in paper["sections"] for part in section["parts"])
    page = await nobody.ask("GET", f"{cup.path}/conditions?as=html")
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "Lake Cup" in page.text


async def test_nothing_new_is_answered_with_nothing(cup: Cup):
    nobody = cup.server.nobody
    version = (await cup.see())["version"]
    assert (await nobody.ask("GET", f"{cup.path}?after={version}")).status_code == 204
    await cup.do(cup.operator, "PublishConditions", to="patrons")
    answer = await nobody.ask("GET", f"{cup.path}?after={version}")
    assert answer.status_code == 200
    assert answer.json()["version"] > version


async def test_a_tournament_nobody_made_is_not_there(server: Server):
    ann = await server.guest("Ann")
    for path in ("/api/tournaments/zzzz", "/api/tournaments/zzzz/conditions"):
        assert await ann.refused("GET", path) == (404, "no_such_tournament")
    body = {"key": "k", "command": {"type": "Enter", "player": ""}}
    assert await ann.refused("POST", "/api/tournaments/zzzz/commands", body) == (404, "no_such_tournament")


# --- asking --------------------------------------------------------------------------------------------


async def test_20_5_20_6_entering_pays_the_fee_once_and_needs_the_agreement(cup: Cup):
    ann = await cup.server.guest("Ann")
    assert (await cup.no(ann, "Enter", player="", agreed=True))[:2] == (409, "conditions_not_published")
    await cup.open()
    assert "Enter" in (await cup.see(ann))["may"]
    assert await cup.no(ann, "Enter", player="") == (409, "agreement_missing", ["20.5"])
    version = await cup.do(ann, "Enter", player="", agreed=True, key="once")
    assert await cup.do(ann, "Enter", player="", agreed=True, key="once") == version
    assert (await ann.get("/api/me"))["wallet"] == 90_000
    view = await cup.see(ann)
    assert (view["mine"]["status"], view["pool"], view["commission"]) == ("in", 9000 + 5000, 1000)
    nobody = await cup.see()  # Ann's own details are not shown to the next viewer
    assert (nobody["version"], nobody["mine"], nobody["may"]) == (view["version"], None, [])
    assert await cup.no(ann, "Enter", player="", agreed=True) == (409, "entered_already", ["20.6"])


async def test_20_3_who_cannot_pay_is_not_in(cup: Cup):
    await cup.open()
    dear = (await made(cup.director, SMALL.replace('fee = "100.00"', 'fee = "1000.00"'))).json()["id"]
    other = await Cup(cup.server, cup.director, cup.operator, dear).open()
    ben = await cup.server.guest("Ben")
    await other.do(ben, "Enter", player="", agreed=True)
    assert (await ben.get("/api/me"))["wallet"] == 0
    assert (await cup.no(ben, "Enter", player="", agreed=True))[:2] == (409, "not_enough_chips")
    assert (await cup.see(ben))["mine"] is None


async def test_20_4_only_the_nominated_director_runs_it(cup: Cup):
    await cup.open()
    other = await cup.server.account("Olaf", "tournament_director")
    ann = await cup.server.guest("Ann")
    assert (await cup.no(other, "CloseEntries"))[:2] == (403, "not_the_director")
    assert (await cup.no(ann, "CloseEntries"))[:2] == (403, "forbidden")
    assert (await cup.no(cup.director, "CloseEntries"))[:2] == (409, "too_few_players")
    assert (await cup.no(cup.director, "CountChips", table=1, round=1, chips=[]))[:2] == (403, "forbidden")
    assert (await cup.no(ann, "Enter", role="administrator", player=""))[:2] == (403, "forbidden")
    assert {"SetPace", "Direct"} <= set((await cup.see(cup.director))["may"])
    assert not {"SetPace", "Direct"} & set((await cup.see(other))["may"])


async def test_a_command_that_cannot_be_read_is_malformed(cup: Cup):
    for command in ({"type": "Dance"}, {"type": "Enter"}, {"type": "SetPace", "seconds": "7"}, 7):
        body = {"key": "k", "command": command}
        assert await cup.director.refused("POST", f"{cup.path}/commands", body) == (400, "malformed")


# --- a whole tournament --------------------------------------------------------------------------------


async def step(cup: Cup, who: Visitor, room: str) -> bool:
    """Answer for this player at a table: minimum wager, stand, decline."""
    told = await who.get(f"/api/tables/{room}")
    around, view = told["room"], told["view"]
    if who.name not in around.get("players", []):
        return False
    if around["waits"] == "wagers":
        command: dict[str, Any] = {"type": "PlaceWager", "box": around["heat"]["order"][0], "player": "", "stake": 1000}
    elif around["waits"] == "decision":
        own = [choice for choice in view["round"]["choices"] if choice["player"] == who.name]
        allowed = {command["type"]: command for row in own for command in row.get("allowed", [])}
        command = allowed.get("Stand") or allowed["Hit"]
    else:
        command = {"type": "Pass"}
    cup.told.append(str(told))
    return (await who.do(room, command.pop("type"), **command)).status_code == 200


async def play(cup: Cup, people: list[Visitor]) -> None:
    """Until the session is over."""
    for _ in range(3000):
        view = await cup.see(people[0])
        if view["phase"] != "session":
            return
        rooms = {table["room"] for table in view["tables"]}
        acted = [await step(cup, who, room) for room in rooms for who in people]
        if not any(acted):
            await asyncio.sleep(0.02)
    raise AssertionError("the session never ends")


async def test_20_7_20_18_20_19_a_whole_tournament_and_the_seed_is_secret_until_it_is_published(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
):
    await cup.open()
    people = [await cup.server.guest(name) for name in ("Ann", "Ben", "Cas", "Rob")]
    for who in people:
        await cup.do(who, "Enter", player="", agreed=True)
    assert (await cup.see(people[3]))["mine"]["status"] == "reserve"
    await cup.do(cup.director, "CloseEntries")
    await cup.do(cup.director, "DrawBallot", seed="")
    for who in people[:2]:
        assert "TakeSeat" in (await cup.see(who))["may"]
        await cup.do(who, "TakeSeat", player="")
    far = 4_000_000_000_000  # the specified time has come
    monkeypatch.setattr(registry, "timed", lambda state, command, *_: timed(state, command, far))
    await cup.do(cup.director, "OfferSeat", absent="Cas", reserve="Rob")
    await cup.do(cup.director, "StartSession")
    playing = [people[0], people[1], people[3]]
    await play(cup, playing)
    assert (await cup.server.nobody.get("/api/tables"))["tables"] == []
    view = await cup.see(people[0])
    assert [line["player"] for line in view["history"]]
    assert all(line["points"][0] == [0, 50000] for line in view["history"])
    await cup.do(cup.director, "AwardPlaces")
    payments = (await cup.see())["payments"]
    assert sum(payment["amount"] for payment in payments) == 4 * 9000 + 5000
    for payment in payments:
        await cup.do(cup.director, "PayPrize", place=payment["number"])
    assert (await cup.see())["phase"] == "over"
    seed = cup.server.house.tournaments.get(cup.name).seed  # type: ignore[union-attr]
    assert len(seed) == 64
    assert not [text for text in cup.told if seed in text]
    await cup.do(cup.director, "RevealBallot", seed="")
    assert (await cup.see())["seed"] == seed
    won = {
        name: sum(payment["amount"] for payment in payments if payment["player"] == name)
        for name in ("Ann", "Ben", "Rob")
    }
    for who in playing:
        assert (await who.get("/api/me"))["wallet"] == 90_000 + won[who.name]
    store = cup.server.house.store
    assert sum(store.balances().values()) == 0


async def test_20_3_a_xi_d_the_rooms_of_extra_rounds_are_those_the_steward_opens():
    desk = Desk(sessions=HEATS, players={"least": 4, "most": 4, "at_table": 4}).playing("Ann Ben Cas Dan")
    desk.end_tables(Ann=150000, Ben=120000, Cas=120000)
    assert desk.state.ties[0].players == ("Ben", "Cas")
    hosted = Hosted("cup")
    hosted._state = desk.state
    room = extra_room("cup", 1, 1, ("Ben", "Cas"))
    assert hosting(hosted).extra == {"Ben": room, "Cas": room}
    hosted.extras = 1
    assert hosting(hosted).extra["Ben"] == extra_room("cup", 1, 2, ("Ben", "Cas"))


@pytest.mark.parametrize("name", EXAMPLES)
async def test_every_example_can_be_made(server: Server, name: str):
    director = await server.account("Dora", "tournament_director")
    answer = await made(director, EXAMPLES[name])
    assert answer.status_code == 201, answer.text


async def test_who_has_to_do_what_next(cup: Cup):
    due = [(row["role"], row["what"]) for row in (await cup.see())["duties"]]
    assert due == [
        ("operator", "publish_patrons"),
        ("operator", "publish_commission"),
        ("operator", "CommitBallot"),
        ("shift_manager", "NominateDirector"),
    ]
    await cup.open()
    players = [await cup.server.guest(name) for name in ("Ann", "Ben")]
    for player in players:
        await cup.do(player, "Enter", player="", agreed=True)
    assert [row["what"] for row in (await cup.see())["duties"]] == ["Enter", "CloseEntries"]
    await cup.do(cup.director, "CloseEntries")
    assert [row["words"] for row in (await cup.see())["duties"]] == ["Draw the ballot for Final"]
    await cup.do(cup.director, "DrawBallot", seed="")
    await cup.do(players[0], "TakeSeat", player="")
    late = (await cup.see())["duties"][0]
    assert (late["role"], late["words"], late["clause"]) == ("director", "Call Ben to the table", "20.9")


async def test_20_4_the_director_enters_players_at_the_desk_and_does_not_play(cup: Cup):
    await cup.open()
    view = await cup.see(cup.director)
    assert "Enter" in view["may"]
    assert (await cup.no(cup.director, "Enter", player="", agreed=True))[:2] == (403, "own_tournament")
    assert (await cup.no(cup.director, "Enter", player="Nobody", agreed=True))[:2] == (404, "no_such_person")
    walter, olga = await cup.server.guest("Walter"), await cup.server.guest("Olga")
    before = (await walter.get("/api/me"))["wallet"]
    await cup.do(cup.director, "Enter", player="walter", agreed=True)
    assert (await walter.get("/api/me"))["wallet"] == before - view["fee"]
    assert (await cup.no(olga, "Enter", player="Walter", agreed=True))[:2] == (403, "not_yours")
    other = await cup.server.account("Olaf", "tournament_director")
    await cup.do(other, "Enter", player="", agreed=True)
    nominated = await cup.no(cup.operator, "NominateDirector", by="", director="Olaf")
    assert nominated[:2] == (403, "own_tournament")


async def test_sheets_are_printed_and_saved_by_the_server(cup: Cup):
    await cup.open()
    for name in ("Ann", "Ben"):
        await cup.do(await cup.server.guest(name), "Enter", player="", agreed=True)
    await cup.do(cup.director, "CloseEntries")
    await cup.do(cup.director, "DrawBallot", seed="")
    for sheet in ("seating", "standings", "payouts", "agreements", "record"):
        page = await cup.server.nobody.ask("GET", f"{cup.path}/sheets/{sheet}")
        assert page.headers["content-type"].startswith("text/html")
        assert "Lake Cup" in page.text
        saved = await cup.server.nobody.ask("GET", f"{cup.path}/sheets/{sheet}?as=csv")
        assert saved.headers["content-disposition"].endswith(f'-{sheet}.csv"')
        rows = list(csv.reader(io.StringIO(saved.text)))  # the last ones are those of the record
        assert len({len(row) for row in rows}) == 1
        if sheet in ("seating", "agreements"):
            assert {"Ann", "Ben"} <= {cell for row in rows for cell in row}
    record = [row[2] for row in rows]
    assert any("Ann" in words for words in record)
    assert await cup.server.nobody.refused("GET", f"{cup.path}/sheets/menu") == (400, "malformed")
