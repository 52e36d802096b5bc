"""A document of numbered sections whose paragraphs end with their clauses, as text, Markdown or HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap

from msgspec import Struct

WIDTH = 100


class Paragraph(Struct, frozen=True):
    """A paragraph with the clause that requires it."""

    words: str
    clause: str


class Grid(Struct, frozen=True):
    """A table; the first row is the header, the first column has words."""

    rows: tuple[tuple[str, ...], ...]
    clause: str


class Section(Struct, frozen=True):
    """A section of a document."""

    title: str
    parts: tuple[Paragraph | Grid, ...]
    level: int = 1
    """Heading level; 2 for a subsection."""


class Paper(Struct, frozen=True):
    """The whole document."""

    title: str
    sections: tuple[Section, ...]
    foot: str


def numbered(paper: Paper) -> Iterator[tuple[str, Section]]:
    """Sections with their printed titles, such as `2. How it is built`; subsections have no number."""
    number = 0
    for section in paper.sections:
        number += section.level == 1
        yield (f"{number}. {section.title}" if section.level == 1 else section.title), section


def lines(paper: Paper, width: int = WIDTH) -> list[str]:
    """The document as lines of plain text.

    >>> found = (Section("Entry", (Paragraph("The entry fee is $10.00.", "20.3(a)(iii)"),)),)
    >>> lines(Paper("Spring", found, "Digest 12"))
    ['Spring', '======', '', '1. Entry', '', '   The entry fee is $10.00. [20.3(a)(iii)]', '', 'Digest 12']
    """
    found = [*wrap(paper.title, width), "=" * min(len(paper.title), width), ""]
    for title, section in numbered(paper):
        found += ["   " * (section.level - 1) + title, ""]
        indent = "   " * section.level
        for part in section.parts:
            if isinstance(part, Grid):
                found += [""] * (part is not section.parts[0]) + [indent + line for line in _columns(part)]
            else:
                found += wrap(f"{part.words} [{part.clause}]", width, initial_indent=indent, subsequent_indent=indent)
        found.append("")
    return found + wrap(paper.foot, width)


def _columns(grid: Grid) -> list[str]:
    widths = [max(len(row[column]) for row in grid.rows) for column in range(len(grid.rows[0]))]
    found = []
    for first, *others in grid.rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        found.append("  ".join((first.ljust(widths[0]), *cells)).rstrip())
    return [found[0], "-" * max(map(len, found)), *found[1:], f"[{grid.clause}]"]


def markdown(paper: Paper) -> str:
    """The document as Markdown."""
    found = [f"# {_marked(paper.title)}", ""]
    for title, section in numbered(paper):
        found += [f"{'#' * (section.level + 1)} {_marked(title)}", ""]
        for part in section.parts:
            if isinstance(part, Grid):
                head, *rows = (f"| {' | '.join(_marked(cell) for cell in row)} |" for row in part.rows)
                rule = f"| --- |{' ---: |' * (len(part.rows[0]) - 1)}"
                found += [head, rule, *rows, "", f"[{part.clause}]", ""]
            else:
                found += [f"{_marked(part.words)} [{part.clause}]", ""]
    return "\n".join([*found, f"_{paper.foot}_", ""])


def _marked(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\`*_<>|[]#" else sign for sign in text)


_STYLE = """
:root { font-family: Georgia, "Times New Roman", serif; color: #1d1d22; background: #f4f2ec; line-height: 1.45; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.9rem; margin: 0 0 1.2rem; } h2 { font-size: 1.2rem; margin: 1.6rem 0 .4rem; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem 1.2rem; }
p { margin: .3rem 0; } .inner p { margin-left: 1.2rem; }
cite { font-style: normal; font-size: .78rem; color: #5a5a64; white-space: nowrap; }
table { border-collapse: collapse; margin: .7rem 0; } caption { caption-side: bottom; text-align: left; }
th, td { padding: .2rem .8rem; border-bottom: 1px solid #c9c5ba; text-align: right; }
td { font-variant-numeric: tabular-nums; }
th:first-child { text-align: left; } tbody th { font-weight: 400; }
footer { margin-top: 2rem; font-size: .85rem; color: #5a5a64; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
@media print { :root { background: #fff; } body { margin: 0; max-width: none; } h2, h3 { break-after: avoid; } }
"""


def page(paper: Paper) -> str:
    """The document as one self-contained HTML page."""
    parts = []
    for title, section in numbered(paper):
        inner = section.level > 1
        parts.append(f"<section{' class=inner' if inner else ''}>")
        parts.append(f"<h{section.level + 1}>{escape(title)}</h{section.level + 1}>")
        parts += [_grid(part) if isinstance(part, Grid) else _paragraph(part) for part in section.parts]
        parts.append("</section>")
    body = "\n".join(parts)
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(paper.title)}</title>
<style>{_STYLE}</style>
<body>
<main>
<h1>{escape(paper.title)}</h1>
{body}
</main>
<footer>{escape(paper.foot)}</footer>
</body>
</html>
"""


def _paragraph(part: Paragraph) -> str:
    return f"<p>{escape(part.words)} <cite>[{escape(part.clause)}]</cite></p>"


def _grid(grid: Grid) -> str:
    head, *rows = grid.rows
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "\n".join(f'<tr><th scope="row">{escape(row[0])}</th>{_cells(row[1:])}</tr>' for row in rows)
    caption = f"<caption><cite>[{escape(grid.clause)}]</cite></caption>"
    return f'<div class="wide"><table>{caption}<thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>'


def _cells(cells: Sequence[str]) -> str:
    return "".join(f"<td>{escape(cell)}</td>" for cell in cells)
