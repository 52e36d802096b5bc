"""Every refusal that the sources make, read from the sources: its code and the names of its facts."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pontoon
from pontoon.server.rooms.permits import Verdict
from pontoon.server.tournaments.permits import Verdict as TournamentVerdict

SOURCES = Path(pontoon.__file__).parent
MAKERS = ("refuse", "problem", "Problem", "Refusal", "ConditionsProblem")


def constants(node: ast.AST) -> set[str]:
    """The possible codes of an argument."""
    branches = [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]
    return {branch.value for branch in branches if isinstance(branch, ast.Constant) and isinstance(branch.value, str)}


def keys_of(value: ast.AST) -> set[str]:
    return {str(key.value) for key in getattr(value, "keys", ()) if isinstance(key, ast.Constant)}


def calls(tree: ast.AST) -> Iterator[tuple[str, set[str]]]:
    """Every refusal created in a file, with its code and facts."""
    named: dict[str, list[ast.AST]] = defaultdict(list)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named[node.targets[0].id].append(node.value)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in MAKERS:
            continue
        place = 1 if "Problem" in getattr(node.func, "id", "") else 0
        if len(node.args) <= place:
            continue
        code = node.args[place]
        found = constants(code)
        for value in named.get(code.id, ()) if isinstance(code, ast.Name) else ():
            found |= constants(value)
        facts = {str(keyword.arg) for keyword in node.keywords if keyword.arg}
        for keyword in node.keywords:
            if keyword.arg is None and isinstance(keyword.value, ast.Name):
                facts |= {key for value in named[keyword.value.id] for key in keys_of(value)}
        for extra in node.args[place + 1 :]:
            facts |= keys_of(extra)
        yield from ((code, facts) for code in sorted(found))


def made_in(package: str) -> set[tuple[str, frozenset[str]]]:
    """Every refusal that a package makes."""
    found: set[tuple[str, frozenset[str]]] = set()
    for path in (SOURCES / package).rglob("*.py"):
        found |= {(code, frozenset(facts)) for code, facts in calls(ast.parse(path.read_text("utf-8")))}
    return found


@cache
def made() -> tuple[tuple[str, frozenset[str]], ...]:
    """Every refusal there is."""
    found = set().union(*map(made_in, ("engine", "table", "tournament", "server")))
    asked = frozenset({"role", "command", "dealt"})  # `problem(given, ...)`: what permits say
    verdicts = {*get_args(Verdict), *get_args(TournamentVerdict)} - {"allowed", "not_now"}
    found |= {(str(verdict), asked) for verdict in verdicts}
    return tuple(sorted(found, key=lambda row: (row[0], sorted(row[1]))))
