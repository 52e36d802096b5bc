"""`pontoon rules`: list, explain and compare rulebooks; the register of their clauses."""

from __future__ import annotations

from argparse import Namespace
from difflib import get_close_matches

import msgspec

from pontoon.cli import rules_file
from pontoon.cli.common.parser import Commands, Parser, add_formats, add_settings, fail, rulebook_name
from pontoon.cli.common.tables import TABLES, show_data, wants_data
from pontoon.cli.rules_file import LIKE, VERBS
from pontoon.rulebook import NAMES, Rulebook, RulebookError, digest, is_path, load
from pontoon.rulebook.diff import differences
from pontoon.rulebook.explain import citing, explain, summary
from pontoon.rulebook.register import STATUSES, coverage, find, register, total
from pontoon.view.rules import clause_lines, compared, coverage_lines, explained, listing, one_clause

Answer = tuple[str, object, list[str]]
"""The name of the answer's schema, the answer as JSON and as text."""


def add_to(commands: Commands[Parser]) -> None:
    """Add the command to the command line."""
    command = commands.add_parser(
        "rules", help="list, explain and compare rulebooks", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    command.add_argument(
        "rulebook",
        metavar="RULEBOOK",
        nargs="?",
        type=_book_or_verb,
        help=f"one of {', '.join(NAMES)} or a TOML file; if omitted, list them all",
    )
    command.add_argument(
        "file", metavar="FILE", nargs="?", help="with new: the file to write; with check: the file to read"
    )
    command.add_argument(
        "--like", metavar="RULEBOOK", type=rulebook_name, help=f"with new: the rulebook to start from ({LIKE})"
    )
    command.add_argument("--force", action="store_true", help="with new: overwrite an existing file")
    add_formats(command, "the same as JSON")
    add_settings(command)
    what = command.add_mutually_exclusive_group()
    what.add_argument("--diff", dest="other", metavar="OTHER", type=rulebook_name, help="compare with another rulebook")
    what.add_argument(
        "--clauses", action="store_true", help="the register: every clause of the document and the code for it"
    )
    what.add_argument("--clause", metavar="NUMBER", help="one clause, and the values that cite it")
    what.add_argument(
        "--coverage",
        action="store_true",
        help="how many clauses are implemented with a test that shows it, are equipment that is drawn, "
        "concern the conduct of people, or inform",
    )
    command.add_argument("--status", choices=STATUSES, help="with --clauses: only clauses of this status")
    command.set_defaults(run=_rules)


def _book_or_verb(text: str) -> str:
    return text if text in VERBS else rulebook_name(text)


_DESCRIPTION = """List the rulebooks; explain one in plain words, every value with its clauses; compare two;
look up the clauses of a document. `rules new FILE` writes a complete rulebook file to edit, `rules check FILE`
reports everything that is wrong with one."""

_EXAMPLES = """Examples:
  pontoon rules
  pontoon rules canberra
  pontoon rules canberra --set split.max_hands=2
  pontoon rules star --diff federal
  pontoon rules canberra --clauses --status conduct
  pontoon rules canberra --clause 7.2
  pontoon rules --coverage
  pontoon rules new my-casino.toml --like star --set split.max_hands=3
  pontoon rules check my-casino.toml
  pontoon rules my-casino.toml --diff star

Exit status: 0, or 2 if the command is wrong or a rulebook has faults."""


def _rules(args: Namespace) -> int:
    misused = _misused(args)
    if misused:
        return fail(f"{misused} (see pontoon rules --help)")
    if args.rulebook in VERBS:
        return rules_file.run(args)
    try:
        name, data, lines = _answer(args)
    except RulebookError as error:
        return fail(str(error))
    if not wants_data(args):
        print("\n".join(lines))
        return 0
    if not args.json and args.format != "json" and name not in TABLES:
        return fail(f"--format {args.format}: this answer is not a table; --json has all of it")
    return show_data(args, name, msgspec.to_builtins(data), unicode=True)


def _misused(args: Namespace) -> str:
    """Options that make no sense together, one row each."""
    register_asked = args.clauses or args.clause is not None or args.coverage
    needs_rulebook = args.other or args.clauses or args.clause is not None or args.settings
    verb = args.rulebook in VERBS
    rows = (
        (
            args.file and not verb,
            f"unexpected argument {args.file}; a file follows new or check, as in rules check mine.toml",
        ),
        ((args.like or args.force) and args.rulebook != "new", "--like and --force need rules new"),
        (
            verb and (args.other or register_asked),
            f"rules {args.rulebook} takes no --diff, --clauses, --clause or --coverage",
        ),
        (needs_rulebook and not args.rulebook, "name a rulebook, as in pontoon rules canberra"),
        (args.status and not args.clauses, "--status needs --clauses"),
        (args.settings and register_asked, "--set overrides values, but the clause register has none"),
    )
    return next((words for wrong, words in rows if wrong), "")


def _answer(args: Namespace) -> Answer:
    if args.rulebook and is_path(args.rulebook) and (args.clauses or args.clause is not None or args.coverage):
        return _no_register(load(args.rulebook), args.clause)
    if args.coverage:
        return _coverage((args.rulebook,) if args.rulebook else NAMES)
    if not args.rulebook:
        rows = [summary(load(name)) for name in NAMES]
        return "rules", rows, listing(rows)
    if args.clauses:
        return _clauses(args.rulebook, args.status)
    if args.clause is not None:
        return _clause(args.rulebook, args.clause)
    book = load(args.rulebook, dict(args.settings))
    return _compared(book, load(args.other)) if args.other else _explained(book)


def _no_register(book: Rulebook, number: str | None) -> Answer:
    """The answer for a rulebook file, which has no register but may cite clauses."""
    words = f"{book.about.name} has no clause register: only the five documents that come with the program have one."
    cited = citing(book, number) if number is not None else ()
    if number is not None:
        words += f" It cites {number} for {', '.join(entry.key for entry in cited) or 'no value'}."
    data = {"rulebook": book.about.name, "register": None, "cited_by": [entry.key for entry in cited]}
    return "rules-no-register", data, [words]


def _explained(book: Rulebook) -> Answer:
    data = {
        "about": book.about,
        "digest": digest(book),
        "overrides": book.overrides,
        "sections": explain(book),
    }
    return "rules-explain", data, explained(book)


def _compared(first: Rulebook, second: Rulebook) -> Answer:
    found = differences(first, second)
    data = {
        "first": {"name": first.about.name, "digest": digest(first), "overrides": first.overrides},
        "second": {"name": second.about.name, "digest": digest(second), "overrides": second.overrides},
        "differences": found,
    }
    return "rules-diff", data, compared(first, second, found)


def _clauses(name: str, status: str | None) -> Answer:
    everything = register(name)
    wanted = [clause for clause in everything if status in {None, clause.status}]
    return "rules-clauses", wanted, clause_lines(name, wanted, len(everything))


def _clause(name: str, number: str) -> Answer:
    clause = find(name, number)
    if clause is None:
        near = get_close_matches(number, [clause.number for clause in register(name)])
        hint = f"; similar: {', '.join(near)}" if near else f"; pontoon rules {name} --clauses lists them"
        message = f"{name} has no clause {number!r}{hint}"
        raise RulebookError(message)
    cited = citing(load(name), number)
    data = {**msgspec.to_builtins(clause), "cited_by": [sentence.key for sentence in cited]}
    return "rules-clause", data, one_clause(name, clause, cited)


def _coverage(names: tuple[str, ...]) -> Answer:
    counts = {name: coverage(name) for name in names}
    counts["total"] = total(counts.values())
    return "rules-coverage", counts, coverage_lines(counts)
