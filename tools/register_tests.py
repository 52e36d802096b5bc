"""Write the test that covers each implemented clause into the register: `python tools/register_tests.py [--check]`.

The test of a clause is the first case under tests/clauses that lists it; a clause about the table or the tournament
keeps the case under tests/table or tests/tournament that was entered by hand. With --check nothing is written; the
exit status is 1 if the register is out of date or an implemented clause has no test.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from pontoon.rulebook import NAMES  # noqa: E402 the path is set above
from tests.cases import load_shown  # noqa: E402

ENTRY = re.compile(r"(?ms)^\[\[clause\]\]\n.*?(?=^\[\[clause\]\]|\Z)")


def field(entry: str, name: str) -> str:
    """The value of one field of an entry."""
    match = re.search(rf"(?m)^{name} = (?:\"(.*)\"|'(.*)')$", entry)
    assert match, entry
    return match[1] if match[1] is not None else match[2]


def filled(text: str, shown: dict[str, str]) -> str:
    """The register with its `test` lines updated."""

    def one(match: re.Match[str]) -> str:
        entry = match[0]
        if field(entry, "status") == "equipment":
            return entry
        known = field(entry, "test") if field(entry, "status") == "implemented" else ""
        table_case = known if known.startswith(("tests/table/", "tests/tournament/", "tests/view/")) else ""
        test = shown.get(field(entry, "number"), table_case) if field(entry, "status") == "implemented" else ""
        return re.sub(
            r"(?m)^test = .*$", lambda _: "test = '" + test + "'" if '"' in test else f'test = "{test}"', entry
        )

    return ENTRY.sub(one, text)


def main() -> int:
    """Fill the five registers, or check that they are filled."""
    check = "--check" in sys.argv
    shown, stale = load_shown(), 0
    for name in NAMES:
        file = ROOT / "src/pontoon/rulebook/clauses" / f"{name}.toml"
        old = file.read_text("utf-8")
        new = filled(old, shown[name])
        if new != old:
            stale += 1
            if not check:
                file.write_text(new, "utf-8")
        done = [match[0] for match in ENTRY.finditer(new) if field(match[0], "status") == "implemented"]
        bare = [field(entry, "number") for entry in done if not field(entry, "test")]
        stale += len(bare)
        print(f"{name}: {len(bare)} implemented clauses without a test{': ' + ', '.join(bare) if bare else ''}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
