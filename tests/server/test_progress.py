"""Progress of accounts, profiles that are private until their owners show them, and the leaderboard."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from pontoon.server.coach import worker as coach
from pontoon.server.house import House
from pontoon.server.people import progress
from pontoon.server.people.progress import DrillAnswered, Kept, KeptAnswer, ProgressDeleted, by_area
from tests.server.api.visitors import Server, Visitor, running

POSITION = "canberra|8|Ks 6h|6d"


@pytest.fixture(scope="module", autouse=True)
def _worker():
    yield
    coach.close()


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with running() as one:
        yield one


async def chose(visitor: Visitor, chosen: str) -> None:
    until = time.monotonic() + 180
    while time.monotonic() < until:
        answer = await visitor.ask("POST", "/api/progress", {"position": POSITION, "chosen": chosen})
        if answer.status_code == 204:
            return
        assert answer.status_code == 202, answer.text
    raise AssertionError("never ready")


def slip(cost: float, area: str = "hard") -> DrillAnswered:
    return DrillAnswered("canberra", area, "hard 16 6", POSITION, "hit", "stand", cost)


@pytest.mark.asyncio
async def test_the_server_judges_the_answer_and_its_owner_deletes_it(server: Server):
    ann, guest = await server.account("Ann"), await server.guest("Gus")
    assert await guest.refused("POST", "/api/progress", {"position": POSITION, "chosen": "hit"}) == (
        403,
        "accounts_only",
    )
    assert await ann.refused("POST", "/api/progress", {"position": POSITION, "chosen": "fly"}) == (400, "malformed")
    assert await ann.refused("POST", "/api/progress", {"position": "oops", "chosen": "hit"}) == (400, "malformed")
    await chose(ann, "hit")
    await chose(ann, "stand")
    wrong, right = (await ann.get("/api/progress"))["answers"]
    assert (wrong["chosen"], wrong["best"], wrong["cell"], wrong["area"]) == ("hit", "stand", "hard 16 6", "hard")
    assert wrong["cost"] > 100
    assert right["cost"] == 0
    assert (await ann.ask("DELETE", "/api/progress")).status_code == 204
    assert await ann.get("/api/progress") == {"answers": [], "public": False}


@pytest.mark.asyncio
async def test_a_profile_is_private_until_its_owner_shows_it(server: Server):
    ann = await server.account("Ann")
    assert await progress.write(server.house, "Ann", slip(200)) is None
    mine = await ann.get("/api/profiles/Ann")
    assert mine["total"] == {"area": "", "decisions": 1, "right": 0, "cost": 20_000}
    for name in ("Ann", "Nobody"):
        assert await server.nobody.refused("GET", f"/api/profiles/{name}") == (404, "no_profile")
    assert (await ann.ask("POST", "/api/me/profile", {"public": True})).status_code == 204
    assert await server.nobody.get("/api/profiles/ann") == mine | {"public": True}
    assert (await ann.ask("POST", "/api/me/profile", {"public": False})).status_code == 204
    assert await server.nobody.refused("GET", "/api/profiles/Ann") == (404, "no_profile")


@pytest.mark.asyncio
@pytest.mark.parametrize("public", [True, False])
async def test_what_the_owner_chose_outlasts_the_answers_that_are_read(
    server: Server, monkeypatch: pytest.MonkeyPatch, public: bool
):
    monkeypatch.setattr(progress, "MOST", 8)
    monkeypatch.setattr(progress, "REPEATED", 4)
    ann = await server.account("Ann")
    for shown in (not public, public):
        await ann.ask("POST", "/api/me/profile", {"public": shown})
        for _ in range(20):
            assert await progress.write(server.house, "Ann", slip(0)) is None
    assert (await progress.kept_of(server.house, "Ann")).public is public


@pytest.mark.asyncio
async def test_the_leaderboard_counts_the_cost_of_mistakes_of_those_who_show_it(
    server: Server, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(progress, "FEWEST", 2)
    costs = {"Ann": (100, 0), "Ben": (0, 10), "Cat": (0, 0), "Dan": (0,)}
    for name, answers in costs.items():
        visitor = await server.account(name)
        for cost in answers:
            assert await progress.write(server.house, name, slip(cost)) is None
        if name != "Cat":  # who shows nothing
            await visitor.ask("POST", "/api/me/profile", {"public": True})
    told = await server.nobody.get("/api/leaderboard")
    assert [(place["name"], place["cost"]) for place in told["places"]] == [("Ben", 500), ("Ann", 5000)]


@pytest.mark.asyncio
async def test_the_leaderboard_reads_only_what_has_changed(server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(progress, "FEWEST", 1)
    read: list[str] = []
    whole = progress.read_stream

    def noted(house: House, stream: str) -> tuple[int, Kept]:
        read.append(stream)
        return whole(house, stream)

    monkeypatch.setattr(progress, "read_stream", noted)
    for name in ("Ann", "Ben", "Cat"):
        visitor = await server.account(name)
        assert await progress.write(server.house, name, slip(10)) is None
        await visitor.ask("POST", "/api/me/profile", {"public": True})
    names = [place["name"] for place in (await server.nobody.get("/api/leaderboard"))["places"]]
    assert (names, len(read)) == (["Ann", "Ben", "Cat"], 3)
    assert await progress.write(server.house, "Ben", slip(0)) is None
    names = [place["name"] for place in (await server.nobody.get("/api/leaderboard"))["places"]]
    assert (names, read[3:]) == (["Ben", "Ann", "Cat"], [progress.stream_of("Ben")])
    assert await progress.write(server.house, "Ann", ProgressDeleted()) is None
    names = [place["name"] for place in (await server.nobody.get("/api/leaderboard"))["places"]]
    assert (names, read[4:]) == (["Ben", "Cat"], [progress.stream_of("Ann")])
    await server.nobody.get("/api/leaderboard")
    assert len(read) == 5


def test_areas_are_listed_costliest_first():
    answers = [
        KeptAnswer(0, "star", area, "", "", "", "", cost) for area, cost in (("hard", 0), ("soft", 5), ("hard", 2))
    ]
    assert [(row.area, row.decisions, row.right, row.cost) for row in by_area(answers)] == [
        ("soft", 1, 0, 500),
        ("hard", 2, 1, 100),
    ]
