"""docs/protocol.md covers all messages, close codes, problems, routes and commands, and its examples are valid.

The tests, metrics and files named in the other pages exist too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from pontoon.server import run, sockets
from pontoon.server.api.limits import Limits
from pontoon.server.app import LARGEST_BODY, make_app
from pontoon.server.house import House
from pontoon.server.lab.lanes import MOST_WAITING
from pontoon.server.operation import metrics
from pontoon.server.problems import STATUS
from pontoon.server.rooms.frames import Frame
from pontoon.server.rooms.live import MEMORY
from pontoon.server.rooms.permits import Permit, permits
from pontoon.server.tournaments import permits as tournament_permits
from pontoon.server.tournaments.log import COMMANDS as TOURNAMENT_WIRE
from pontoon.server.tournaments.log import read_asked
from pontoon.server.wire import ON_THE_WIRE, read_command, strict_json
from pontoon.store import MemoryStore
from pontoon.view.catalogue import entries
from tests.refusals import made_in

ROOT = Path(__file__).resolve().parent.parent.parent
SERVER = ROOT / "src" / "pontoon" / "server"
DOCUMENT = (ROOT / "docs" / "protocol.md").read_text("utf-8")
PAGES = ("operating", "protocol", "security", "server")
LEFT_OUT = "…"

MESSAGES: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in get_args(sockets.Message)}
FRAMES: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in get_args(Frame)}
TOURNAMENT_COMMANDS: dict[str, Any] = {kind.__name__: kind for kind in get_args(TOURNAMENT_WIRE)}
COMMANDS: dict[str, Any] = {kind.__name__: kind for kind in get_args(ON_THE_WIRE)}


def section(title: str) -> str:
    """A chapter of the document."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", DOCUMENT, re.DOTALL | re.MULTILINE)
    assert found is not None, title
    return found.group(1)


def rows(text: str) -> dict[str, list[str]]:
    """The rows of the tables in a chapter, by their first cell."""
    lines = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| "))
    return {cells[0].strip("`"): cells for cells in lines}


def missing(wanted: Iterable[str], told: Iterable[str]) -> list[str]:
    """What is missing in the document."""
    return sorted(set(wanted) - set(told))


def examples() -> list[str]:
    return re.findall(r"^```json\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)


def examples_of(kinds: dict[str, Any]) -> list[dict[str, Any]]:
    """The examples whose `type` is one of these."""
    read = (json.loads(text) for text in examples())
    return [value for value in read if isinstance(value, dict) and value.get("type") in kinds]


@cache
def described() -> dict[str, Any]:
    found: dict[str, Any] = make_app(House(MemoryStore())).openapi()["paths"]
    return found


# --- completeness -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chapter", "kinds"), [("From the client", MESSAGES), ("From the server", FRAMES)])
def test_every_message_is_introduced_and_has_an_example(chapter, kinds):
    text = DOCUMENT.split(f"### {chapter}\n")[1].split("\n### ")[0]
    assert set(re.findall(r"^`([a-z]+)`: ", text, re.MULTILINE)) == set(kinds)
    assert {example["type"] for example in examples_of(kinds)} == set(kinds)


def test_every_close_code_is_there():
    source = (SERVER / "sockets.py").read_text("utf-8")
    used = set(re.findall(r"\b(?:1\d{3}|4\d{3})\b", source))
    assert {str(code) for code in (sockets.RESYNC, sockets.SIGNED_OUT, sockets.TOO_FAST, sockets.GOING)} <= used
    too_large = "1009"  # sent by the library
    assert set(rows(DOCUMENT.split("### Close codes\n")[1].split("\n## ")[0])) - {"code", "---"} == used | {too_large}


def test_every_problem_is_there_with_its_status():
    told, words = rows(section("Refusals")), entries("en")
    assert missing(STATUS, told) == []
    for code, status in STATUS.items():
        statuses = f"{status}, 503" if code == "no_coach" else str(status)
        assert told[code][1:] == [statuses, words[f"refusal.{code}"]]


def test_every_refusal_of_the_rules_is_there():
    codes = {name: {code for code, _ in made_in(name)} for name in ("engine", "table", "tournament")}
    text = section("Refusals")
    of_the_round, of_the_table = text.split("Of the round:")[1].split("Of the table:")
    assert missing(codes["engine"], re.findall(r"`(\w+)`", of_the_round)) == []
    of_the_table, of_a_tournament = of_the_table.split("Of a tournament:")
    assert missing(codes["table"] - codes["engine"], re.findall(r"`(\w+)`", of_the_table)) == []
    assert missing(codes["tournament"] - codes["engine"], re.findall(r"`(\w+)`", of_a_tournament)) == []


def test_every_route_is_there():
    told = re.findall(r"^#### `([A-Z]+ \S+)`$", section("REST"), re.MULTILINE)
    assert (
        missing((f"{method.upper()} {path}" for path, methods in described().items() for method in methods), told) == []
    )


def test_every_route_says_who_may_and_what_is_answered():
    for part in re.split(r"^#### ", section("REST"), flags=re.MULTILINE)[1:]:
        head = part.splitlines()[0].strip("`")
        method, path = head.split(" ")
        operation = described()[path][method.lower()]
        found = re.search(r"^Answer (\d+)", part, re.MULTILINE)
        assert found is not None, head
        assert found.group(1) in operation["responses"], head
        who = re.search(r"^Access: (.*)$", part, re.MULTILINE)
        assert who is not None, head
        open_to_all = not operation.get("security") or {} in operation["security"]
        assert who.group(1).startswith("anyone") == open_to_all, head
        assert part.count("```json") + part.count("```text") >= ("requestBody" in operation), head


def who_may(row: Permit) -> str:
    lists = {"own": row.own, "any": row.any, "floor": row.floor}
    said = [f"{name}: {', '.join(roles).replace('_', ' ')}" for name, roles in lists.items() if roles]
    return "; ".join(said) or "the program alone"


def test_every_command_is_there_with_its_fields_and_who_may_give_it():
    told = rows(section("Commands"))
    assert set(permits()) == set(COMMANDS)
    assert missing(permits(), told) == []
    for name, row in permits().items():
        kinds = msgspec.structs.fields(COMMANDS[name])
        fields = ", ".join(f"`{kind.encode_name}{'' if kind.required else '?'}`" for kind in kinds) or "–"
        assert told[name][1:3] == [fields, who_may(row)], name


def who_may_at_a_tournament(row: tournament_permits.Permit) -> str:
    said = [name for name, may in (("the player", row.own), ("the director", row.director)) if may]
    said += [role.replace("_", " ") for role in row.any]
    return ", ".join([*said, *(["the program"] if row.steward else [])])


def test_every_command_of_a_tournament_is_there_with_its_fields_and_who_may_give_it():
    told = rows(section("REST").split("/api/tournaments/{tournament}/commands`")[1].split("\n### ")[0])
    assert set(tournament_permits.permits()) == set(TOURNAMENT_COMMANDS)
    for name, row in tournament_permits.permits().items():
        kinds = msgspec.structs.fields(TOURNAMENT_COMMANDS[name])
        fields = ", ".join(f"`{kind.encode_name}{'' if kind.required else '?'}`" for kind in kinds) or "–"
        assert told[name][1:3] == [fields, who_may_at_a_tournament(row)], name


def test_the_limits_are_those_of_the_code():
    told = {name: cells[1] for name, cells in rows(section("Limits")).items()}
    limits = Limits()
    by_address = "{0.burst} at once, then one every {0.seconds} s, by address"
    assert told["a message on the socket"] == f"{run.LARGEST_MESSAGE // 1024} kB"
    assert told["a body over REST"] == f"{LARGEST_BODY // 1024} kB"
    assert told["messages a second"] == f"{sockets.RATE:.0f}, and {sockets.BURST:.0f} at once"
    assert told["frames that wait for a client"] == str(sockets.OUTBOX)
    assert told["tables a socket watches"] == str(sockets.MOST_WATCHED)
    assert told["steps sent again"] == str(MEMORY)
    assert told["sign-ins, sign-ups, passwords"] == by_address.format(limits.signing)
    assert told["guests"] == by_address.format(limits.guests)
    assert told["new tables"] == by_address.format(limits.tables)
    assert told["chips"] == by_address.format(limits.chips)
    assert told["evaluations in the lab"] == by_address.format(limits.lab)
    assert told["lessons and drills"] == by_address.format(limits.practice)
    session, address = limits.requests, limits.from_address
    assert told["requests over REST"] == (
        f"{1 / session.seconds:.0f} a second of a session, {1 / address.seconds:.0f} of an address; "
        f"{session.burst:.0f} and {address.burst:.0f} at once"
    )
    assert told["queued calculations of the lab"] == f"{MOST_WAITING} edges, {MOST_WAITING} others"
    assert f"every {run.HEARTBEAT:.0f} seconds" in " ".join(section("The WebSocket").split())


# --- the examples read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("text", examples())
def test_an_example_is_json(text):
    strict_json(text)


@pytest.mark.parametrize("message", examples_of(MESSAGES), ids=str)
def test_a_client_may_send_what_the_document_shows(message):
    read = sockets._MESSAGES.decode(json.dumps(message))
    if isinstance(read, sockets.Do):
        read_command(read.command)


@pytest.mark.parametrize("command", examples_of(COMMANDS), ids=str)
def test_a_command_of_the_document_is_one(command):
    assert type(read_command(command)).__name__ == command["type"]


def test_a_command_over_rest_is_one_too():
    bodies = (json.loads(text) for text in examples())
    given = [body["command"] for body in bodies if isinstance(body, dict) and isinstance(body.get("command"), dict)]
    assert given
    for command in given:
        (read_asked if command["type"] in TOURNAMENT_COMMANDS else read_command)(command)


@pytest.mark.parametrize("frame", examples_of(FRAMES), ids=lambda example: example["type"])
def test_a_frame_of_the_document_is_as_the_server_sends_it(frame):
    kind = FRAMES[frame["type"]]
    fields = {field.encode_name: field.required for field in msgspec.structs.fields(kind)}
    assert set(frame) - {"type"} <= set(fields)
    assert {name for name, required in fields.items() if required} <= set(frame)
    if LEFT_OUT not in json.dumps(frame, ensure_ascii=False):
        assert json.loads(msgspec.json.encode(msgspec.convert(frame, kind))) == frame


# --- the pages beside it -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_names_is_there(name):
    text = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    known = set(re.findall(r"def (test_\w+)\(", sources)) | {path.stem for path in (ROOT / "tests").rglob("test_*.py")}
    assert set(re.findall(r"\btest_\w+", text)) <= known
    for path in re.findall(r"`((?:src|tests|bench|docs)/[\w./]+)`", text):
        assert (ROOT / path).exists(), path
    for path, anchor in re.findall(r"\]\(([\w./-]+)(?:#([\w-]+))?\)", text):
        linked = ROOT / "docs" / path
        assert linked.exists(), path
        headings = re.findall(r"^#+ (.*)$", linked.read_text("utf-8"), re.MULTILINE) if anchor else []
        assert not anchor or anchor in {
            re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings
        }


def test_every_metric_is_in_the_operating_page():
    text = (ROOT / "docs" / "operating.md").read_text("utf-8")
    names = {
        f"{metric.name}_total" if metric.type == "counter" else metric.name for metric in metrics.REGISTRY.collect()
    }
    assert set(re.findall(r"^\| `(pontoon_\w+)` ", text, re.MULTILINE)) == names
