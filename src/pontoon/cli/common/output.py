"""Files that commands write: the format follows the extension, and `-` is standard output."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from pontoon.cli.common.analysis import AnalysisError, write_file

STANDARD_OUTPUT = "-"


def format_of(out: str | None, asked: str | None, formats: Sequence[str], default: str) -> str:
    """The format to write: as asked, or by the extension of the file; an error if the two differ.

    >>> format_of("chart.svg", None, ("text", "svg"), "text"), format_of(None, None, ("text", "svg"), "text")
    ('svg', 'text')
    """
    extension = "" if out in (None, STANDARD_OUTPUT) else Path(str(out)).suffix.lower().removeprefix(".")
    named = {"txt": "text", "htm": "html"}.get(extension, extension)
    if asked is not None:
        if named in formats and named != asked:
            raise AnalysisError(f"{out} has the extension of {named}, but --format is {asked}: leave one of them out")
        return asked
    if not named:
        return default
    if named not in formats:
        known = ", ".join("." + ("txt" if form == "text" else form) for form in formats)
        raise AnalysisError(f"cannot write {out}: this command writes {known}")
    return named


def deliver(out: str | None, content: bytes) -> None:
    """Write the content to a file and print its name, or write it to standard output."""
    if out in (None, STANDARD_OUTPUT):
        sys.stdout.flush()
        stream = getattr(sys.stdout, "buffer", None)
        if stream is None:
            print(content.decode(), end="")
        else:
            stream.write(content)
        return
    write_file(str(out), content)
    print(out)
