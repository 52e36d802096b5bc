"""The parts a report's page is made of: bars, tables, lines of edges. Plain HTML and SVG, nothing fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from math import ceil, floor, log10

from msgspec import Struct

INK, QUIET, PAPER, GRID = "#18181e", "#55555f", "#fbfaf6", "#d9d5c9"
GAIN, LOSS, PLAIN = "#23794c", "#b23a2e", "#2f6690"
"""Better for the bettor, worse for the bettor, neither."""
LINES = ("#1f5fa8", "#b23a2e", "#23794c", "#7b3f98", "#a8650a")
"""One for each rulebook; told apart by lightness too, and each line is labelled at its end."""


Place = Callable[[float], tuple[float, float]]
"""The start and length of a bar."""


class Bar(Struct, frozen=True):
    """One row of a bar chart."""

    label: str
    value: float
    shown: str
    """The label beside the bar."""
    note: str = ""
    colour: str = PLAIN


def signed(label: str, value: float, note: str = "", digits: int = 4) -> Bar:
    """A bar for something that a bettor gains or loses.

    >>> signed("split to 4 hands", -0.0002).shown
    '-0.0200%'
    """
    return Bar(label, value, f"{value:+.{digits}%}", note, GAIN if value > 0 else LOSS)


# --- bars ----------------------------------------------------------------------------------------------


def bars(rows: Sequence[Bar]) -> str:
    """Bars on both sides of zero.

    >>> bars(()), bars([signed("rule", 0.5)]).count("<b class=bar ")
    ('', 1)
    """
    low = min((0.0, *(row.value for row in rows)))
    high = max((0.0, *(row.value for row in rows)))
    whole = (high - low) or 1.0
    return _rows(rows, lambda value: (min(value, 0.0) - low, abs(value)), whole, -low / whole)


def log_bars(rows: Sequence[Bar]) -> str:
    """Bars of probabilities on a logarithmic scale up to 1; zero has no bar."""
    least = floor(min((log10(row.value) for row in rows if row.value > 0), default=-1.0))
    lines = _rows(rows, lambda value: (0.0, log10(value) - least if value > 0 else 0.0), float(-least), 0.0)
    return lines.replace("<ul class=bars>", f'<ul class="bars scale" style="--step:{100 / -least:.4f}%">')


def _rows(rows: Sequence[Bar], place: Place, whole: float, zero: float) -> str:
    lines = []
    for row in rows:
        start, length = place(row.value)
        style = f"left:{100 * start / whole:.2f}%;width:{100 * length / whole:.2f}%;background:{row.colour}"
        bar = f'<b class=bar style="{style}"></b>' if length else ""
        note = f"<small>{escape(row.note)}</small>" if row.note else ""
        mark = f'<i style="left:{100 * zero:.2f}%"></i>' if 0 < zero < 1 else ""
        lines.append(
            f"<li><span class=label>{escape(row.label)}{note}</span>"
            f"<span class=track>{mark}{bar}</span>"
            f"<span class=value>{escape(row.shown)}</span></li>"
        )
    return "<ul class=bars>\n" + "\n".join(lines) + "\n</ul>" if lines else ""


# --- tables --------------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """A table with text in the first columns and numbers in the others."""
    kinds = ["" if index < left else " class=number" for index in range(len(head))]
    top = "".join(f"<th scope=col{kind}>{escape(one)}</th>" for one, kind in zip(head, kinds, strict=True))
    body = "\n".join(
        "<tr>" + "".join(f"<td{kind}>{escape(one)}</td>" for one, kind in zip(row, kinds, strict=True)) + "</tr>"
        for row in rows
    )
    return f"<div class=wide><table class=plain><thead><tr>{top}</tr></thead><tbody>\n{body}\n</tbody></table></div>"


def tiles(rows: Iterable[tuple[str, str]]) -> str:
    """Key figures: a number and its label."""
    parts = "".join(f"<div><dt>{escape(words)}</dt><dd>{escape(number)}</dd></div>" for number, words in rows)
    return f"<dl class=tiles>{parts}</dl>"


# --- lines ---------------------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 460, 300, 46, 92, 14, 40
APART = 15.0
"""Least distance of two labels at the ends of lines."""


def steps(low: float, high: float) -> list[float]:
    """Round numbers around a range, for an axis.

    >>> [f"{one:.1%}" for one in steps(0.0023, 0.0062)]
    ['0.2%', '0.3%', '0.4%', '0.5%', '0.6%', '0.7%']
    """
    size = 10.0 ** floor(log10(max(high - low, 1e-5)))
    step = next(part * size for part in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0) if (high - low) / (part * size) <= 5)
    return [step * index for index in range(floor(low / step), ceil(high / step) + 1)]


def spread(places: Sequence[float], apart: float = APART) -> list[float]:
    """Move labels so that none covers another, moving each as little as possible.

    >>> spread([10.0, 12.0, 40.0], apart=10.0)
    [6.0, 16.0, 40.0]
    """
    order = sorted(range(len(places)), key=lambda index: places[index])
    groups: list[tuple[float, int]] = []  # the middle of a group of touching labels, and how many they are
    for index in order:
        middle, count = places[index], 1
        while groups and middle - (count - 1) * apart / 2 - (groups[-1][0] + (groups[-1][1] - 1) * apart / 2) < apart:
            before, many = groups.pop()
            middle, count = (before * many + middle * count) / (many + count), many + count
        groups.append((middle, count))
    moved = [middle + (number - (count - 1) / 2) * apart for middle, count in groups for number in range(count)]
    found = [0.0] * len(places)
    for index, place in zip(order, moved, strict=True):
        found[index] = place
    return found


def edge_lines(series: Mapping[str, Mapping[int, float]]) -> str:
    """House edges by packs, one line per rulebook, as inline SVG."""
    edges = [edge for line in series.values() for edge in line.values()]
    packs = sorted({pack for line in series.values() for pack in line})
    ticks = steps(min(edges), max(edges))
    down, up = ticks[0], ticks[-1]
    first, last = packs[0], packs[-1]

    def across(pack: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ((pack - first) / (last - first) if last > first else 0.5)

    def level(edge: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (edge - down) / (up - down)

    ends = spread([level(line[max(line)]) for line in series.values()])
    parts = [*_axes([(across(pack), str(pack)) for pack in packs], [(level(tick), f"{tick:.2%}") for tick in ticks])]
    for index, ((name, line), end) in enumerate(zip(series.items(), ends, strict=True)):
        points = [(across(pack), level(edge)) for pack, edge in sorted(line.items())]
        parts += _line(name, points, end, LINES[index % len(LINES)])
    words = escape("House edge by number of packs: " + ", ".join(series))
    inner = "\n".join(parts)
    return (
        f'<svg class=lines viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{words}" '
        f'xmlns="http://www.w3.org/2000/svg">\n{inner}\n</svg>'
    )


def _axes(packs: Iterable[tuple[float, str]], edges: Iterable[tuple[float, str]]) -> Iterator[str]:
    for level, words in edges:
        yield f'<path d="M{LEFT} {level:.1f}H{WIDTH - RIGHT}" stroke="{GRID}"/>'
        yield f'<text x="{LEFT - 6}" y="{level + 4:.1f}" text-anchor="end" fill="{QUIET}">{words}</text>'
    for across, words in packs:
        yield (f'<text x="{across:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="{QUIET}">{words}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 5}" text-anchor="middle" fill="{QUIET}">packs in the shoe</text>'


def _line(name: str, points: Sequence[tuple[float, float]], end: float, colour: str) -> Iterator[str]:
    path = "L".join(f"{across:.1f} {level:.1f}" for across, level in points)
    yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for across, level in points:
        yield f'<circle cx="{across:.1f}" cy="{level:.1f}" r="3.2" fill="{colour}"/>'
    across, level = points[-1]
    beside = WIDTH - RIGHT + 16
    yield f'<path d="M{across + 5:.1f} {level:.1f}L{beside - 3} {end:.1f}" stroke="{colour}" stroke-width=".8"/>'
    yield f'<text x="{beside}" y="{end + 4:.1f}" fill="{colour}" font-weight="600">{escape(name)}</text>'
