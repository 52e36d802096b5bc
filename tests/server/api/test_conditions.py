"""The form for the conditions of a tournament: its keys, its templates, and the check while it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pontoon.tournament.conditions.load import values_of
from tests.server.api.visitors import Server

pytestmark = pytest.mark.asyncio
MASTERS = Path(__file__).resolve().parents[3] / "examples" / "tournaments" / "canberra-masters.toml"


async def checked(server: Server, **body: Any) -> Any:
    ann = await server.guest("Ann")
    return (await ann.ask("POST", "/api/conditions", body)).json()


async def test_20_3_every_key_has_a_label_and_a_clause_and_templates_are_in_order(server: Server):
    form = await server.nobody.get("/api/conditions")
    keys = [field["key"] for part in form["parts"] for field in part["fields"]]
    assert {"name", "start.at", "money.fee", "session.advance.of_all", "prizes.shares"} <= set(keys)
    assert len(keys) == len(set(keys)) > 50
    assert all(
        field["label"] and field["clause"].startswith("20.") for part in form["parts"] for field in part["fields"]
    )
    assert "canberra" in form["rulebooks"]
    for template in form["templates"]:
        told = await checked(server, conditions=template["text"])
        assert (told["faults"], told["unreadable"], len(told["digest"])) == ([], "", 64), template["name"]
        assert told["sessions"]


async def test_values_and_text_are_checked_alike_with_all_faults_at_once(server: Server):
    values = values_of(MASTERS.read_text("utf-8"))
    values["session"][-1].pop("tables")
    values["buy_back"]["until"] = "Semi-finals"
    told = await checked(server, values=values)
    assert told["faults"] == []
    assert [row["clause"] for row in told["warnings"]] == ["20.3(a)(ii)(B)"]
    assert told["sessions"][-1] == {"name": "Final", "fewest": 7, "most": 98, "tables": 14}
    again = await checked(server, conditions=told["text"])
    assert again == told
    values["money"] |= {"chips": "1", "fee": "much"}
    faults = (await checked(server, values=values))["faults"]
    assert {"20.3(a)(iii)", "20.3(a)(iv)"} <= {row["clause"] for row in faults}


@pytest.mark.parametrize(
    "body",
    [
        {"conditions": "[[["},
        {"values": {"session": 7, "x y": [{"a": 1}], "start": {"at": 5}}},
        {"values": {"name": None}},
        {"values": {"game": {"rulebook": "../../secret", "book": 7}}},
        {},
    ],
)
async def test_nothing_that_is_written_breaks_the_check(server: Server, body: dict[str, Any]):
    told = await checked(server, **body)
    assert told["faults"] or told["unreadable"]
    assert told["digest"] == ""


async def test_only_signed_in_people_have_conditions_checked(server: Server):
    refused = await server.nobody.refused("POST", "/api/conditions", {"conditions": ""})
    assert refused[0] == 401
