"""Docstrings on the documentation site: examples become code blocks (mkdocs.yml)."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"((?:^[ ]*(?:>>>|\.\.\.).*\n?(?:^(?![ ]*$).*\n?)*)+)", re.MULTILINE)


class Fences(griffe.Extension):
    """Put the examples of every docstring between fences."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401 griffe's own arguments
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    r"""A docstring with its examples as code blocks.

    >>> fenced("One.\n\n>>> 1 + 1\n2\n\nTwo.")
    'One.\n\n```python\n>>> 1 + 1\n2\n```\n\nTwo.'
    """
    return EXAMPLE.sub(lambda found: f"```python\n{found[1].rstrip()}\n```\n", text)
