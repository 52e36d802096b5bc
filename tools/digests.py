"""Bring the digests that the documents show up to date: `NAME, 8 packs, rules DIGEST` of the rulebooks as they ship."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pontoon.rulebook import NAMES, digest, load

ROOT = Path(__file__).resolve().parent.parent
SHOWN = re.compile(rf"\b({'|'.join(NAMES)}), (\d packs), rules [0-9a-f]{{12}}")
"""As every command begins its answer; with overrides it says more, and is left alone."""


def pages() -> list[Path]:
    """The documents that show commands with their answers."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def current(text: str) -> str:
    """The text with the digests of today.

    >>> current("star, 8 packs, rules 000000000000") == f"star, 8 packs, rules {digest(load('star'))}"
    True
    """
    return SHOWN.sub(lambda match: f"{match[1]}, {match[2]}, rules {digest(load(match[1]))}", text)


def main() -> int:
    """Rewrite the documents, or with --check only say whether they are current."""
    old = [page for page in pages() if current(page.read_text("utf-8")) != page.read_text("utf-8")]
    if "--check" in sys.argv[1:]:
        print("\n".join(str(page.relative_to(ROOT)) for page in old))
        return 1 if old else 0
    for page in old:
        page.write_text(current(page.read_text("utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
