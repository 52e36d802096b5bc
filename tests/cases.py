"""Clause cases: rounds as data, named by the clauses they show. See tests/clauses/README.md for the form."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from pontoon.rulebook import NAMES
from pontoon.transcript import RefusedLine, Replay, read, replay, result

CLAUSES = Path(__file__).parent / "clauses"
KEYS = {"name", "clauses", "shows", "cards", "bets", "actions", "options", "paid", "expect", "why"}
EXPECT = {"players", "dealer", "used", "refused", "action", "settlements", "hands", "events"}
SIDE = {"pp": "perfect_pairs", "play": "pairs_play"}


def transcript_of(rulebook: str, data: dict[str, Any]) -> str:
    """A round as data, written as a transcript file."""
    quoted = json.dumps
    rows = [f"rulebook = {quoted(rulebook)}", f"cards = {quoted(data['cards'])}"]
    rows.append(f"actions = {quoted(data.get('actions', []))}")
    rows.append("[options]")
    rows += [f"{quoted(key)} = {quoted(value)}" for key, value in data.get("options", {}).items()]
    rows.append("[paid]")
    rows += [f"{quoted(key)} = {quoted(value)}" for key, value in data.get("paid", {}).items()]
    for bet in data["bets"]:
        box, player, stake, *side = bet.split()
        rows += ["[[bets]]", f"box = {box}", f"player = {quoted(player)}", f"stake = {quoted(stake)}"]
        rows += [f"{SIDE[kind]} = {quoted(amount)}" for kind, amount in zip(side[::2], side[1::2], strict=True)]
    return "\n".join(rows)


class Case:
    """One round and its expected outcome."""

    def __init__(self, file: Path, data: dict[str, Any]) -> None:
        assert set(data) <= KEYS, f"{file}: unknown keys {set(data) - KEYS}"
        assert set(data["expect"]) <= EXPECT, f"{file}: unknown keys {set(data['expect']) - EXPECT}"
        self.rulebook = file.parent.name
        self.file = file
        self.data = data
        self.name: str = data["name"]
        self.cited: list[str] = data.get("clauses", [])
        self.shown: list[str] = data.get("shows", [])

    def __repr__(self) -> str:
        return f"{self.rulebook} {self.name}"

    @property
    def address(self) -> str:
        """How the register names this case."""
        return f"tests/clauses/{self.rulebook}/{self.file.name}: {self.name}"

    @property
    def overridden(self) -> bool:
        """Whether the case changes a value of the rulebook, so that it shows nothing of the document."""
        return any("." in key or key == "third_party_insurance" for key in self.data.get("options", {}))

    def transcript(self) -> str:
        """The case written as a transcript file."""
        return transcript_of(self.rulebook, self.data)

    def play(self) -> Replay | RefusedLine:
        """Settle the case."""
        return replay(read(self.transcript()))


def load_cases() -> list[Case]:
    """Every case of every rulebook."""
    cases = []
    for file in sorted(CLAUSES.glob("*/*.toml"), key=lambda file: (file.stem == "14-mutants", file)):
        data = tomllib.loads(file.read_text("utf-8"))
        assert set(data) == {"case"}, f"{file}: only [[case]] tables belong here"
        cases += [Case(file, case) for case in data["case"]]
    return cases


def citations(played: Replay | RefusedLine) -> set[str]:
    """Every clause the round cited: in events, settlements and the refusal."""
    cited = {clause for event in played.events for clause in getattr(event, "clauses", ())}
    if isinstance(played, RefusedLine):
        cited |= set(played.refusal.clauses)
    return cited


def outcome(played: Replay | RefusedLine, expect: dict[str, Any]) -> dict[str, Any]:
    """The outcome of a round in the form of the expectation, limited to the expected keys."""
    if isinstance(played, RefusedLine):
        found: dict[str, Any] = {"refused": played.refusal.code, "action": played.line.text}
    else:
        data: Any = result(played)
        found = {
            "players": data["players"],
            "dealer": " ".join(data["dealer"]["cards"]),
            "used": data["cards_used"],
            "settlements": [
                f"{settlement['player']} b{settlement['box']}"
                + (f".{settlement['hand']}" if settlement["hand"] else "")
                + f" {settlement['kind']}"
                f" {settlement['result']} {settlement['net']} {settlement['moment']}"
                + (f" {settlement['odds']}" if settlement["odds"] else "")
                for settlement in data["settlements"]
            ],
            "hands": [
                f"b{box['box']}.{hand['hand']} {' '.join(hand['cards'])} ="
                f" {'soft ' if hand['soft'] else ''}{hand['total']}"
                for box in data["boxes"]
                for hand in box["hands"]
            ],
        }
    found["events"] = [type(event).__name__ for event in played.events]
    return {key: found.get(key) for key in expect}


def load_shown() -> dict[str, dict[str, str]]:
    """For each rulebook: the case that shows a clause, played under the document's own values.

    A case in which the round cites the clause goes first, of those one that is named for it, its rule or its section,
    and last the odd ones that were written because a mutant survived.
    """
    shown: dict[str, dict[str, tuple[bool, int, int, str]]] = {name: {} for name in NAMES}
    for place, case in enumerate(case for case in load_cases() if not case.overridden):
        for clause in (*case.cited, *case.shown):
            found = (clause not in case.cited, _distance(case.name, clause), place, case.address)
            shown[case.rulebook][clause] = min(found, shown[case.rulebook].get(clause, found))
    return {name: {clause: found[-1] for clause, found in cases.items()} for name, cases in shown.items()}


def _distance(name: str, clause: str) -> int:
    """How far the name of a case is from a clause: named for it, for its rule, for its section, for something else."""
    number = name.split(maxsplit=1)[0]
    if name.startswith(f"{clause} "):
        return 0
    if number.partition("(")[0] == clause.partition("(")[0]:
        return 1
    return 2 if "." in clause and number.partition(".")[0] == clause.partition(".")[0] else 3
