"""docs/protocol.md says all that the code says: messages, close codes, problems, routes, commands; its examples read.

The pages beside it name tests, metrics and files; those are there too.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from pontoon.server import metrics, run, sockets
from pontoon.server.api.limits import Limits
from pontoon.server.app import LARGEST_BODY, make_app
from pontoon.server.frames import Frame
from pontoon.server.house import House
from pontoon.server.lab.lanes import MOST_WAITING
from pontoon.server.live import MEMORY
from pontoon.server.permits import Permit, permits
from pontoon.server.problems import WORDS
from pontoon.server.tournaments import permits as tournament_permits
from pontoon.server.tournaments.log import COMMANDS as TOURNAMENT_WIRE
from pontoon.server.tournaments.log import read_asked
from pontoon.server.wire import ON_THE_WIRE, read_command, strict_json
from pontoon.store import MemoryStore
from pontoon.view.tournament_refusals import TOURNAMENT_REFUSALS
from pontoon.view.words import REFUSALS, TABLE_REFUSALS

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
    """What the document leaves out."""
    return sorted(set(wanted) - set(told))


def examples() -> list[str]:
    return re.findall(r"^```json\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)


def examples_of(kinds: dict[str, Any]) -> list[dict[str, Any]]:
    """The examples whose `type` is one of these."""
    read = (json.loads(text) for text in examples())
    return [one for one in read if isinstance(one, dict) and one.get("type") in kinds]


@cache
def described() -> dict[str, Any]:
    found: dict[str, Any] = make_app(House(MemoryStore())).openapi()["paths"]
    return found


# --- everything is there -------------------------------------------------------------------------------


@pytest.mark.parametrize(("chapter", "kinds"), [("From the client", MESSAGES), ("From the server", FRAMES)])
def test_every_message_is_introduced_and_has_an_example(chapter, kinds):
    text = DOCUMENT.split(f"### {chapter}\n")[1].split("\n### ")[0]
    assert set(re.findall(r"^`([a-z]+)`: ", text, re.MULTILINE)) == set(kinds)
    assert {one["type"] for one in examples_of(kinds)} == set(kinds)


def test_every_close_code_is_there():
    source = (SERVER / "sockets.py").read_text("utf-8")
    used = set(re.findall(r"\b(?:1\d{3}|4\d{3})\b", source))
    assert {str(code) for code in (sockets.RESYNC, sockets.SIGNED_OUT, sockets.TOO_FAST, sockets.GOING)} <= used
    too_large = "1009"  # said by the library
    assert set(rows(DOCUMENT.split("### Close codes\n")[1].split("\n## ")[0])) - {"code", "---"} == used | {too_large}


def own_codes() -> set[str]:
    """The codes of problems that are made where they are needed."""
    found: set[str] = set()
    for path in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Problem":
                found |= {str(one.value) for one in node.args[1:2] if isinstance(one, ast.Constant)}
    assert "store_away" in found
    return found


def test_every_problem_is_there_with_its_status():
    told = rows(section("Refusals"))
    assert missing(set(WORDS) | own_codes(), told) == []
    for code, (status, words) in WORDS.items():
        assert told[code][1:] == [str(status), words]


def test_every_refusal_of_the_rules_is_there():
    text = section("Refusals")
    of_the_round, of_the_table = text.split("Of the round:")[1].split("Of the table:")
    assert missing(REFUSALS, re.findall(r"`(\w+)`", of_the_round)) == []
    of_the_table, of_a_tournament = of_the_table.split("Of a tournament:")
    assert missing(TABLE_REFUSALS, re.findall(r"`(\w+)`", of_the_table)) == []
    assert missing(TOURNAMENT_REFUSALS, re.findall(r"`(\w+)`", of_a_tournament)) == []


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
        who = re.search(r"^Who may: (.*)$", part, re.MULTILINE)
        assert who is not None, head
        open_to_all = not operation.get("security") or {} in operation["security"]
        assert who.group(1).startswith("anybody") == open_to_all, head
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
        fields = ", ".join(f"`{one.encode_name}{'' if one.required else '?'}`" for one in kinds) or "–"
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
        fields = ", ".join(f"`{one.encode_name}{'' if one.required else '?'}`" for one in kinds) or "–"
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
    assert told["sums of the lab that wait"] == f"{MOST_WAITING} edges, {MOST_WAITING} others"
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
    given = [one["command"] for one in bodies if isinstance(one, dict) and isinstance(one.get("command"), dict)]
    assert given
    for command in given:
        (read_asked if command["type"] in TOURNAMENT_COMMANDS else read_command)(command)


@pytest.mark.parametrize("frame", examples_of(FRAMES), ids=lambda one: one["type"])
def test_a_frame_of_the_document_is_as_the_server_sends_it(frame):
    kind = FRAMES[frame["type"]]
    fields = {one.encode_name: one.required for one in msgspec.structs.fields(kind)}
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
        assert not anchor or anchor in {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}


def test_every_metric_is_in_the_operating_page():
    text = (ROOT / "docs" / "operating.md").read_text("utf-8")
    names = {f"{one.name}_total" if one.type == "counter" else one.name for one in metrics.REGISTRY.collect()}
    assert set(re.findall(r"^\| `(pontoon_\w+)` ", text, re.MULTILINE)) == names
