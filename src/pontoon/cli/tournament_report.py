"""The reports of a tournament run: standings, payout sheet, one page, and a picture of the chip counts."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from msgspec import Struct

from pontoon.money import dollars
from pontoon.tournament import events as e
from pontoon.tournament.conditions.values import Conditions
from pontoon.tournament.state import Tournament, entrants, points_of
from pontoon.view.catalogue.formats import decimal
from pontoon.view.reports.parts import GRID, INK, LINES, PAPER, PLAIN, QUIET, spread, steps, table, tiles
from pontoon.view.reports.style import STYLE

LEADERS = len(LINES)
"""Number of top players with their own line; the others are shown as bands."""
FIRST_LINES = 20
"""Lines of a long table shown before the fold."""
LEGEND = (
    "Lines: the best of the tournament. Bands: all players still in, the middle 80 % and the middle half; "
    "dashed: the median."
)
Points = list[tuple[int, int]]


class Course(Struct, frozen=True):
    """Chip counts over time: rounds from left to right, one session after another."""

    sessions: tuple[tuple[str, int, int], ...]
    """Session name, first and last position."""
    rounds: tuple[int, ...]
    """Positions at which chip counts are known."""
    field: tuple[tuple[int, ...], ...]
    """At each position: the quantiles `PARTS` of the chips of the remaining players."""
    leaders: tuple[tuple[str, tuple[Points, ...]], ...]
    """For each top player: place and name, and the chip counts session by session."""


PARTS = (0, 10, 25, 50, 75, 90, 100)
"""Quantiles in percent of the players."""
BANDS = ((0, 6, 0.10), (1, 5, 0.16), (2, 4, 0.22))
"""The quantiles that bound each band, and its opacity."""
MIDDLE, MOST = 3, 6


def course_of(conditions: Conditions, events: Iterable[e.TournamentEvent], leaders: Sequence[e.Standing]) -> Course:
    """The chip counts of a whole tournament."""
    counts: dict[int, dict[str, dict[int, int]]] = {}
    for event in events:
        if isinstance(event, e.SessionStarted):
            counts[event.session] = {player: {0: chips} for player, chips in event.chips}
        elif isinstance(event, e.ChipsCounted):
            for player, chips in event.chips:
                counts[event.session].setdefault(player, {})[event.round] = chips
    sessions: list[tuple[str, int, int]] = []
    at: dict[int, list[int]] = {}
    lines: dict[str, list[Points]] = {leader.player: [] for leader in leaders}
    first = 0
    for number, session in counts.items():
        last = first
        for player, way in session.items():
            points = sorted((first + place, chips) for place, chips in way.items())
            for place, chips in points:
                at.setdefault(place, []).append(chips)
            last = max(last, points[-1][0])
            if player in lines:
                lines[player].append(points)
        sessions.append((conditions.sessions[number - 1].name, first, last))
        first = last + 1
    order = sorted(at)
    field = tuple(_parts(sorted(at[place])) for place in order)
    drawn = tuple(
        (f"{leader.place}. {leader.player}", tuple(lines[leader.player])) for leader in leaders if lines[leader.player]
    )
    return Course(tuple(sessions), tuple(order), field, drawn)


def _parts(chips: Sequence[int]) -> tuple[int, ...]:
    """The quantiles of a sorted sequence.

    >>> _parts(range(41))
    (0, 4, 10, 20, 30, 36, 40)
    """
    return tuple(chips[round((len(chips) - 1) * part / 100)] for part in PARTS)


# --- sheets --------------------------------------------------------------------------------------------


def standing_rows(state: Tournament) -> list[dict[str, object]]:
    """The final standings."""
    prizes: dict[str, int] = {}
    for payment in state.payments:
        prizes[payment.player] = prizes.get(payment.player, 0) + payment.amount
    known = {player.name: player for player in state.players}
    return [
        {
            "place": standing.place,
            "player": standing.player,
            "chips": dollars(standing.chips),
            "points": decimal(points_of(standing.points)),
            "session": known[standing.player].session,
            "prize": dollars(prizes.get(standing.player, 0)),
        }
        for standing in state.standings
    ]


def payout_rows(state: Tournament) -> list[dict[str, object]]:
    """The payout sheet: one line per payment."""
    names = [session.name for session in state.conditions.sessions]
    return [
        {
            "number": payment.number,
            "player": payment.player,
            "for": names[payment.session - 1] if payment.session else "tournament",
            "place": payment.place,
            "amount": dollars(payment.amount),
            "paid": "yes" if payment.number in state.paid else "no",
        }
        for payment in state.payments
    ]


def as_csv(rows: Sequence[dict[str, object]]) -> bytes:
    """Rows as CSV with a header."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else ["place"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_json(data: object) -> bytes:
    """Rows as JSON."""
    return json.dumps(data, indent=2, ensure_ascii=False).encode() + b"\n"


# --- the page ------------------------------------------------------------------------------------------


class PageData(Struct, frozen=True):
    """Contents of the page other than standings and payments."""

    state: Tournament
    course: Course
    rounds: int
    command: str
    seed: str
    head: str
    """The hash of the last entry of the log."""


def page(data: PageData) -> str:
    """One self-contained page: no scripts, no fonts, no external resources."""
    state, conditions = data.state, data.state.conditions
    name = escape(conditions.name)
    ended = " It was cancelled, and all entry fees and commissions were refunded." if state.phase == "cancelled" else ""
    figures = [
        (f"{entrants(state):,}", "entries"),
        (f"{len(state.results)}", "sessions"),
        (f"{data.rounds:,}", "rounds of play"),
        (f"${dollars(sum(payment.amount for payment in state.payments))}", "paid in prizes"),
        (f"${dollars(state.commission)}", "commission"),
    ]
    parts = [
        "<!doctype html><html lang=en><head><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width, initial-scale=1'>",
        f"<title>{name}</title><style>{STYLE}{_MORE}</style></head><body>",
        f"<h1>{name}</h1><p class=about>Under rule 20 of canberra, with bots, from the seed",
        f"<code>{escape(data.seed)}</code>.{ended}</p>{tiles(figures)}",
        f"<article><h2>Chip counts</h2><div class=wide>{drawing(data.course)}</div>{_key()}</article>",
        f"<article><h2>Payout sheet</h2>{_long(payout_rows(state), 2)}</article>",
        f"<article><h2>Standings</h2>{_long(standing_rows(state), 2)}</article>",
        f"<article><h2>Sessions</h2>{''.join(_sessions(state))}</article>",
        f"<article><h2>The ballot</h2>{_ballot(state)}</article>",
        f"<footer class=about><p>Made by <code>{escape(data.command)}</code>; the last entry of the log is",
        f"<code>{data.head}</code>.</p></footer></body></html>\n",
    ]
    return "\n".join(parts)


_MORE = """
.tiles { margin-bottom: 1.2rem; }
svg.chips { width: 100%; min-width: 34rem; height: auto; font-size: 12px; font-family: inherit; }
summary { cursor: pointer; padding: .5rem 0; color: #1a4a80; font-weight: 600; }
"""


def _long(rows: Sequence[dict[str, object]], left: int) -> str:
    """A table; the end of a long one is collapsed."""
    if not rows:
        return "<p>None.</p>"
    head = list(rows[0])
    lines = [[str(value) for value in row.values()] for row in rows]
    shown = table(head, lines[:FIRST_LINES], left=left)
    if len(lines) <= FIRST_LINES:
        return shown
    rest = table(head, lines[FIRST_LINES:], left=left)
    return f"{shown}<details><summary>{len(lines) - FIRST_LINES} more</summary>{rest}</details>"


def _sessions(state: Tournament) -> Iterator[str]:
    for result in state.results:
        session = state.conditions.sessions[result.session - 1]
        best = ", ".join(f"{standing.player} ({dollars(standing.chips)})" for standing in result.standings[:3])
        players, on = len(result.standings), len(result.advanced)
        further = f"; {on} advanced" if result.session < len(state.conditions.sessions) else ""
        yield f"<section><h3>{escape(session.name)}</h3><p>{players} players{further}. Most chips: {escape(best)}.</p>"
        yield "</section>"


def _ballot(state: Tournament) -> str:
    """The seed, and how to check it."""
    return (
        f"<p>Tables and seats of every session were drawn from one seed. Its hash was published before the first "
        f"entry:</p><p><code>{state.seed_hash}</code></p><p>and this is the seed:</p><p><code>{state.seed}</code></p>"
        f"<p>To check: <code>python3 -c \"import hashlib; print(hashlib.sha256(bytes.fromhex('{state.seed}'))"
        f'.hexdigest())"</code> prints the hash.</p>'
    )


def _key() -> str:
    return f"<p class=about>{LEGEND}</p>"


# --- drawn as SVG --------------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 420, 64, 180, 20, 36


class _Scale:
    """The scale from rounds and chips to coordinates."""

    def __init__(self, course: Course) -> None:
        self.top = max((held[MOST] for held in course.field), default=100) * 1.04
        self.ticks = [step for step in steps(0.0, self.top / 100) if step * 100 <= self.top]
        self.last = max((last for _, _, last in course.sessions), default=1) or 1

    def across(self, place: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * place / self.last

    def level(self, chips: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * chips / self.top

    def path(self, points: Iterable[tuple[int, int]]) -> str:
        return "L".join(f"{self.across(place):.1f} {self.level(chips):.1f}" for place, chips in points)


def drawing(course: Course) -> str:
    """The chip counts as inline SVG."""
    scale = _Scale(course)
    parts = [*_grid(course, scale)]
    for low, high, opacity in BANDS:
        for row in _by_session(course):
            upper = [(place, held[high]) for place, held in row]
            lower = [(place, held[low]) for place, held in reversed(row)]
            parts.append(f'<path d="M{scale.path(upper + lower)}Z" fill="{PLAIN}" opacity="{opacity}"/>')
    for row in _by_session(course):
        middle = scale.path((place, held[MIDDLE]) for place, held in row)
        parts.append(f'<path d="M{middle}" fill="none" stroke="{PLAIN}" stroke-width="1.4" stroke-dasharray="5 4"/>')
    ends = spread([scale.level(line[-1][-1][1]) for _, line in course.leaders])
    for index, ((name, line), end) in enumerate(zip(course.leaders, ends, strict=True)):
        colour = LINES[index]
        stroke = f'fill="none" stroke="{colour}" stroke-width="2"'
        parts += [f'<path d="M{scale.path(points)}" {stroke}/>' for points in line]
        place, chips = line[-1][-1]
        start, beside = scale.across(place), WIDTH - RIGHT + 14
        parts.append(
            f'<path d="M{start + 2:.1f} {scale.level(chips):.1f}L{beside - 3} {end:.1f}" stroke="{colour}" '
            f'stroke-width=".7"/><text x="{beside}" y="{end + 4:.1f}" fill="{colour}" font-weight="600">'
            f"{escape(name)}  {chips / 100:,.0f}</text>"
        )
    words = escape("Chip counts by round; the best: " + ", ".join(name for name, _ in course.leaders))
    inner = "\n".join(parts)
    return f'<svg class=chips viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{words}">\n{inner}\n</svg>'


def _by_session(course: Course) -> Iterator[list[tuple[int, tuple[int, ...]]]]:
    """The bands, drawn separately for each session."""
    rows = list(zip(course.rounds, course.field, strict=True))
    for _, first, last in course.sessions:
        yield [(place, held) for place, held in rows if first <= place <= last]


def _grid(course: Course, scale: _Scale) -> Iterator[str]:
    for tick in scale.ticks:
        level = scale.level(tick * 100)
        yield f'<path d="M{LEFT} {level:.1f}H{WIDTH - RIGHT}" stroke="{GRID}"/>'
        yield f'<text x="{LEFT - 6}" y="{level + 4:.1f}" text-anchor="end" fill="{QUIET}">{tick:,.0f}</text>'
    for name, first, last in course.sessions:
        start, middle = scale.across(first), scale.across((first + last) / 2)
        if first:
            yield f'<path d="M{start:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="{QUIET}" stroke-width=".8"/>'
        label = escape(f"{name}, {last - first} rounds")
        yield f'<text x="{middle:.1f}" y="{HEIGHT - 12}" text-anchor="middle" fill="{INK}">{label}</text>'


# --- drawn as PNG --------------------------------------------------------------------------------------


def picture(course: Course, title: str, about: str) -> bytes:
    """The chip counts as PNG; matplotlib is imported when it is drawn."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 6.0), dpi=160, facecolor=PAPER)
    axes: Any = figure.add_axes((0.07, 0.075, 0.73, 0.79), facecolor=PAPER)
    figure.text(0.025, 0.955, title, size=15, weight="bold", color=INK, va="center")
    figure.text(0.025, 0.91, about, size=9, color=QUIET, va="center")
    scale = _Scale(course)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0, labelcolor=INK, labelsize=9)
    axes.set_xlim(0, scale.last)
    axes.set_ylim(0, scale.top / 100)
    axes.set_yticks(scale.ticks, [f"{tick:,.0f}" for tick in scale.ticks])
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_xticks(
        [(first + last) / 2 for _, first, last in course.sessions],
        [f"{name}, {last - first} rounds" for name, first, last in course.sessions],
    )
    for _, first, _ in course.sessions[1:]:
        axes.axvline(first - 0.5, color=QUIET, linewidth=0.8)
    _draw_field(axes, course)
    _draw_leaders(axes, course, scale)
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _draw_field(axes: Any, course: Course) -> None:  # noqa: ANN401 matplotlib is typed when it is there
    for row in _by_session(course):
        places = [place for place, _ in row]
        part = [[held[index] / 100 for _, held in row] for index in range(len(PARTS))]
        for low, high, opacity in BANDS:
            axes.fill_between(places, part[low], part[high], color=PLAIN, alpha=opacity, linewidth=0)
        axes.plot(places, part[MIDDLE], color=PLAIN, linewidth=1.3, linestyle=(0, (4, 3)))


def _draw_leaders(axes: Any, course: Course, scale: _Scale) -> None:  # noqa: ANN401 the same
    apart = scale.top / 100 * 0.045
    ends = spread([line[-1][-1][1] / 100 for _, line in course.leaders], apart)
    for index, ((name, line), end) in enumerate(zip(course.leaders, ends, strict=True)):
        for points in line:
            axes.plot(
                [place for place, _ in points], [chips / 100 for _, chips in points], color=LINES[index], linewidth=1.9
            )
        place, chips = line[-1][-1]
        axes.annotate(
            f"{name}  {chips / 100:,.0f}",
            xy=(place, chips / 100),
            xytext=(scale.last * 1.025, end),
            color=LINES[index],
            weight="bold",
            size=9,
            va="center_baseline",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": LINES[index],
                "linewidth": 0.7,
                "relpos": (0, 0.5),
                "shrinkA": 1,
                "shrinkB": 3,
            },
        )
