"""Change the code of the rules, one small change at a time, and see whether a test notices: `python tools/mutation.py`.

Each change (a mutant) is put into one function of the modules that the clauses name, in a child process that then runs
the tests that reach this line, until one fails. `--each N` takes at most N mutants of a module and `--tests N` at most
N tests for a mutant, always the same ones.
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import gc
import importlib
import os
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

import coverage  # noqa: E402 the path is set above
import pytest  # noqa: E402 the path is set above

from pontoon.rulebook import NAMES, load  # noqa: E402
from pontoon.rulebook.register import register  # noqa: E402

SOURCE = ROOT / "src" / "pontoon"
PACKAGES = ("engine", "table", "tournament")
TESTS = (
    "tests/test_clauses.py",
    "tests/test_rounds.py",
    "tests/test_engine.py",
    "tests/test_engine_details.py",
    "tests/situations",
    "tests/table/test_table_cases.py",
    "tests/table/test_reconstruction.py",
    "tests/tournament/test_conditions.py",
    "tests/tournament/test_rule_20.py",
    "tests/tournament/test_session_table.py",
    "tests/tournament/test_tournament_options.py",
)
KILLED, SURVIVED = 1, 0
SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
}  # fmt: skip
Def = ast.FunctionDef


# --- mutants ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """One change in one function."""

    module: str
    function: str
    line: int
    what: str
    code: CodeType = field(repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function}: {self.what}"


def functions(tree: ast.Module) -> Iterator[tuple[str, Def]]:
    """The functions of a module and the methods of its classes, by qualified name."""
    for node in tree.body:
        if isinstance(node, Def):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{inner.name}", inner) for inner in node.body if isinstance(inner, Def))


def changes(node: ast.AST, owner: Def) -> Iterator[tuple[str, ast.AST]]:  # noqa: C901 one case a kind of node
    """What can take the place of a node, in words and as a node."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPS:
            yield swapped(op), ast.Compare(node.left, [SWAPS[type(op)]()], node.comparators)
        case ast.BoolOp():
            yield swapped(node.op), ast.BoolOp(SWAPS[type(node.op)](), node.values)
        case ast.BinOp() if type(node.op) in SWAPS:
            yield swapped(node.op), ast.BinOp(node.left, SWAPS[type(node.op)](), node.right)
        case ast.UnaryOp(op=ast.Not()):
            yield "without not", node.operand
        case ast.If():
            yield from ((f"if {now}", ast.If(ast.Constant(now), node.body, node.orelse)) for now in (True, False))
        case ast.IfExp():
            yield from ((f"if {now}", ast.IfExp(ast.Constant(now), node.body, node.orelse)) for now in (True, False))
        case ast.Expr(value=ast.Call()):
            yield "call removed", ast.Pass()
        case ast.Return(value=ast.AST()) if owner.returns is not None and "None" in ast.unparse(owner.returns):
            if not (isinstance(node.value, ast.Constant) and node.value.value is None):
                yield "returns None", ast.Return(ast.Constant(None))
        case ast.Constant(value=bool() as value):
            yield f"{not value}", ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield f"{value} + 1", ast.Constant(value + 1)
        case _:
            return


def swapped(op: ast.AST) -> str:
    """What an operator is replaced with, in words."""
    return f"{type(op).__name__} becomes {SWAPS[type(op)].__name__}"


def places(function: Def) -> Iterator[tuple[ast.AST, str, int | None]]:
    """All places of a function's body where a node stands: the parent, the field, and the index in a list."""
    for parent in ast.walk(ast.Module(function.body, [])):
        if isinstance(parent, ast.JoinedStr | ast.Assert):
            continue
        for name, value in ast.iter_fields(parent):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            if isinstance(value, list):
                yield from ((parent, name, index) for index, node in enumerate(value) if isinstance(node, ast.AST))
            elif isinstance(value, ast.AST):
                yield parent, name, None


def mutants(module: str) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    path = SOURCE / module
    tree = ast.parse(path.read_text("utf-8"))
    for name, function in functions(tree):
        for parent, attribute, index in list(places(function)):
            node = getattr(parent, attribute) if index is None else getattr(parent, attribute)[index]
            for what, new in list(changes(node, function)):
                put(parent, attribute, index, ast.copy_location(copy.copy(new), node))
                code = compile(ast.fix_missing_locations(tree), str(path), "exec")
                put(parent, attribute, index, node)
                yield Mutant(module, name, getattr(node, "lineno", 0), what, found(code, name))


def put(parent: ast.AST, attribute: str, index: int | None, node: ast.AST) -> None:
    """Put a node into a place."""
    if index is None:
        setattr(parent, attribute, node)
    else:
        getattr(parent, attribute)[index] = node


def found(code: CodeType, name: str) -> CodeType:
    """The code of a function in the code of its module."""
    for const in code.co_consts:
        if isinstance(const, CodeType):
            if const.co_qualname == name:
                return const
            if name.startswith(f"{const.co_qualname}."):
                return found(const, name)
    raise LookupError(name)


def sampled(module: str, each: int) -> list[Mutant]:
    """At most this many mutants of a module, chosen the same way every time."""
    every = list(mutants(module))
    chosen = Random(module).sample(every, min(each, len(every)))  # noqa: S311 the same every time
    return sorted(chosen, key=lambda mutant: mutant.line)


# --- running ---------------------------------------------------------------------------------------------


def live(mutant: Mutant) -> FunctionType:
    """The function in the running program that a mutant replaces."""
    thing: Any = importlib.import_module("pontoon." + mutant.module.removesuffix(".py").replace("/", "."))
    for part in mutant.function.split("."):
        thing = vars(thing)[part]
    while not isinstance(thing, FunctionType):
        thing = getattr(thing, "fget", None) or getattr(thing, "__func__", None) or thing.__wrapped__
    return thing


def caches() -> list[Any]:
    """The caches of the program, which may hold what the unchanged code said."""
    every = [thing for thing in gc.get_objects() if isinstance(thing, functools._lru_cache_wrapper)]  # noqa: SLF001
    return [thing for thing in every if thing.__module__.startswith(OWN)]


OWN = tuple(f"pontoon.{package}" for package in PACKAGES)


class Campaign:
    """A pytest plugin that replaces the run of the tests by a run of the mutants."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Start without a result."""
        self.options = options
        self.calls: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
        """Which tests run a line, the fastest first."""
        self.seconds: dict[str, float] = {}
        self.results: dict[str, list[tuple[Mutant, int]]] = {}
        self.notices: Counter[tuple[str, str]] = Counter()
        self.caches: list[Any] = []
        self.tell = 0
        """Where a child process reports which test failed."""

    def pytest_sessionstart(self) -> None:
        """Make hypothesis try the same examples every time and store none."""
        from hypothesis import settings  # noqa: PLC0415 pytest wants to import it first

        settings.register_profile("mutation", database=None, derandomize=True)
        settings.load_profile("mutation")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Report a failure of a child immediately."""
        if report.failed and self.tell:
            os.write(self.tell, report.nodeid.encode())
            os._exit(KILLED)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run all tests once to see what they call; then the mutants."""
        self._baseline(session.items)
        if session.testsfailed:
            return True
        self.caches = caches()
        gc.freeze()
        self._modules()
        return True

    def _baseline(self, items: list[pytest.Item]) -> None:
        """Note which tests run a line of the modules, and how long they take."""
        watch = coverage.Coverage(
            data_file=None, config_file=False, include=[str(SOURCE / module) for module in self.options.modules]
        )
        watch.start()
        for item in items:
            watch.switch_context(item.nodeid)
            start = time.process_time()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            self.seconds[item.nodeid] = time.process_time() - start
        watch.stop()
        by_name = {item.nodeid: item for item in items}
        for file in watch.get_data().measured_files():
            module = file.removeprefix(f"{SOURCE}/")
            for line, users in watch.get_data().contexts_by_lineno(file).items():
                named = sorted((name for name in users if name), key=self.seconds.__getitem__)
                self.calls[module, line] = [by_name[name] for name in named]

    def _modules(self) -> None:
        for module in self.options.modules:
            chosen = sampled(module, self.options.each)
            self.results[module] = [(one, self.survives(one, self._few(module, one.line))) for one in chosen]
            left = [str(one) for one, status in self.results[module] if status == SURVIVED]
            say(f"\n{module}: {len(chosen)} mutants, {len(left)} survive", *left)

    def _few(self, module: str, line: int) -> list[pytest.Item]:
        """Some of the tests that run a line, the same every time."""
        users = self.calls[module, line]
        return Random(line).sample(users, min(self.options.tests, len(users)))  # noqa: S311 the same every time

    def survives(self, mutant: Mutant, items: list[pytest.Item]) -> int:
        """Whether a mutant survives these tests; tests that detected other mutants of its function come first."""
        ready, told = os.pipe()
        order = sorted(items, key=lambda item: -self.notices[mutant.function, item.nodeid])
        child = os.fork()
        if child:
            os.close(told)
            with os.fdopen(ready) as pipe:
                noticed = pipe.read()
            _, status = os.waitpid(child, 0)
            self.notices[mutant.function, noticed] += 1
            return SURVIVED if status == 0 else KILLED
        self.tell = told
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        limit = int(5 + 3 * sum(self.seconds[item.nodeid] for item in items))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))  # a mutant that never ends counts as detected, too
        live(mutant).__code__ = mutant.code
        for cached in self.caches:
            cached.cache_clear()
        for item in order:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        os._exit(SURVIVED)


def say(*lines: str) -> None:
    """Report on standard error, which the run of a child does not touch."""
    print(*lines, sep="\n", file=sys.__stderr__, flush=True)


# --- the report ------------------------------------------------------------------------------------------


def table(results: dict[str, list[tuple[Mutant, int]]]) -> str:
    """The figures by module."""
    rows = ["| module | mutants | killed | survive |", "| --- | ---: | ---: | ---: |"]
    counts = {module: Counter(status for _, status in rows) for module, rows in results.items()}
    for module, count in counts.items():
        rows.append(f"| {module} | {count.total()} | {count[KILLED]} | {count[SURVIVED]} |")
    whole = sum(counts.values(), Counter[int]())
    rows.append(f"| all | {whole.total()} | {whole[KILLED]} | {whole[SURVIVED]} |")
    return "\n".join(rows)


def arguments() -> argparse.Namespace:
    """The modules and how many mutants."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("modules", nargs="*", help="such as engine/voids.py; all that the clauses name unless given")
    parser.add_argument("--each", type=int, default=40, help="the most mutants of a module")
    parser.add_argument("--tests", type=int, default=200, help="the most tests for a mutant, of those that reach it")
    options = parser.parse_args()
    named = {clause.where for name in NAMES for clause in register(name)}
    options.modules = options.modules or sorted(where for where in named if where.partition("/")[0] in PACKAGES)
    return options


def main() -> int:
    """Run the campaign."""
    options = arguments()
    for name in NAMES:
        load(name)
    campaign = Campaign(options)
    flags = ["-q", "-n", "0", "-p", "no:cacheprovider", "-p", "no:randomly"]
    status = pytest.main([*flags, *TESTS], plugins=[campaign])
    say(table(campaign.results))
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
