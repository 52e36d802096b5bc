"""A hand as a picture for previews of links: shapes as data, written as SVG or drawn as PNG.

>>> picture = hand_picture(Shown("A win with 21", "Canberra", "Won $25", ("7s", "7h", "7d"), ("Kd", "9c")))
>>> as_svg(picture)[:30]
'<svg xmlns="http://www.w3.org/'
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from html import escape

from msgspec import Struct

from pontoon.cards import Card

WIDTH, HEIGHT = 1200, 630
"""The size expected for link previews."""
FELT, DEEP, PAPER, INK, GOLD, ON_GOLD = "#1b5e44", "#154e37", "#fffdf6", "#ffffff", "#f2c864", "#241a04"
RED, BLACK, QUIET = "#c2122b", "#14181b", "#e3f1ea"
SHARPNESS = 2
"""A PNG is drawn this many times larger and scaled down, for smooth edges."""
MOST_CARDS = 7
"""More do not fit beside each other; the last ones are shown."""


class Shown(Struct, frozen=True):
    """What a picture shows."""

    title: str
    line: str
    result: str
    hand: tuple[Card, ...]
    dealer: tuple[Card, ...]


class Box(Struct, frozen=True):
    """A rectangle with round corners."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    fill: str


class Disc(Struct, frozen=True):
    """A circle."""

    x: float
    y: float
    radius: float
    fill: str


class Shape(Struct, frozen=True):
    """A polygon."""

    points: tuple[tuple[float, float], ...]
    fill: str


class Words(Struct, frozen=True):
    """A line of text, its baseline at y."""

    x: float
    y: float
    size: float
    fill: str
    words: str
    middle: bool = False


Part = Box | Disc | Shape | Words
Picture = tuple[Part, ...]


# --- what it shows -------------------------------------------------------------------------------------


def hand_picture(shown: Shown) -> Picture:
    """The dealer's cards at the left, the player's larger at the right, title and result around them."""
    return (
        Box(0, 0, WIDTH, HEIGHT, 0, FELT),
        Box(0, 480, WIDTH, 150, 0, DEEP),
        Words(60, 92, 52, INK, shown.title),
        Words(60, 138, 28, QUIET, shown.line),
        Words(230, 196, 24, QUIET, "Dealer", middle=True),
        *_fan(shown.dealer, 230, 216, 120),
        Words(780, 196, 24, QUIET, "Player", middle=True),
        *_fan(shown.hand, 780, 216, 168),
        Box(60, 524, 40 + 21 * len(shown.result), 68, 34, GOLD),
        Words(80, 571, 40, ON_GOLD, shown.result),
        Words(1140 - 150, 571, 36, INK, "Pontoon"),
        *_suit("s", 940, 540, 40, GOLD),
    )


def _fan(cards: tuple[Card, ...], middle: float, top: float, width: float) -> Iterator[Part]:
    cards = cards[-MOST_CARDS:]
    step = min(width * 0.62, (520 if width > 150 else 300) / max(len(cards), 1))
    left = middle - (step * (len(cards) - 1) + width) / 2
    for place, card in enumerate(cards):
        yield from _card(card, left + step * place, top, width)


def _card(card: Card, x: float, y: float, width: float) -> Iterator[Part]:
    colour = RED if card[-1] in "hd" else BLACK
    unit = width / 100
    yield Box(x - 2 * unit, y - 2 * unit, width + 4 * unit, 144 * unit, 11 * unit, "#0c3325")
    yield Box(x, y, width, 140 * unit, 10 * unit, PAPER)
    yield Words(x + 24 * unit, y + 47 * unit, 46 * unit, colour, card[0], middle=True)
    yield from _suit(card[-1], x + 10 * unit, y + 56 * unit, 28 * unit, colour)
    yield from _suit(card[-1], x + 44 * unit, y + 80 * unit, 48 * unit, colour)


def _suit(suit: str, x: float, y: float, size: float, fill: str) -> Iterator[Part]:
    """A suit in a square; rows of circles and polygons in hundredths of it."""
    unit = size / 100
    for part in SUITS.get(suit, ()):
        if isinstance(part, Disc):
            yield Disc(x + part.x * unit, y + part.y * unit, part.radius * unit, fill)
        else:
            yield Shape(tuple((x + across * unit, y + down * unit) for across, down in part.points), fill)


_STEM = Shape(((46, 60), (54, 60), (56, 80), (68, 98), (32, 98), (44, 80)), "")
SUITS: dict[str, tuple[Disc | Shape, ...]] = {
    "h": (Disc(29, 31, 24, ""), Disc(71, 31, 24, ""), Shape(((9, 44), (50, 22), (91, 44), (50, 94)), "")),
    "d": (Shape(((50, 2), (86, 50), (50, 98), (14, 50)), ""),),
    "s": (Disc(29, 62, 22, ""), Disc(71, 62, 22, ""), Shape(((10, 51), (50, 3), (90, 51), (50, 74)), ""), _STEM),
    "c": (Disc(50, 26, 22, ""), Disc(27, 61, 22, ""), Disc(73, 61, 22, ""), Disc(50, 52, 12, ""), _STEM),
}


# --- how it is written ---------------------------------------------------------------------------------


def as_svg(picture: Picture) -> str:
    """The picture as SVG."""
    parts = "".join(map(_element, picture))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return f"{head}{parts}</svg>"


def _element(part: Part) -> str:
    match part:
        case Box(x=x, y=y, width=width, height=height, radius=radius, fill=fill):
            return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{fill}"/>'
        case Disc(x=x, y=y, radius=radius, fill=fill):
            return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"/>'
        case Shape(points=points, fill=fill):
            corners = " ".join(f"{x:g},{y:g}" for x, y in points)
            return f'<polygon points="{corners}" fill="{fill}"/>'
        case Words(x=x, y=y, size=size, fill=fill, words=words, middle=middle):
            anchor = ' text-anchor="middle"' if middle else ""
            return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}"{anchor}>{escape(words)}</text>'


def as_png(picture: Picture) -> bytes:
    """The picture as PNG, drawn by Pillow."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 only pictures need it

    scale = SHARPNESS
    image = Image.new("RGB", (WIDTH * scale, HEIGHT * scale), FELT)
    pen = ImageDraw.Draw(image)
    for part in picture:
        match part:
            case Box(x=x, y=y, width=width, height=height, radius=radius, fill=fill):
                corners = [x * scale, y * scale, (x + width) * scale, (y + height) * scale]
                pen.rounded_rectangle(corners, radius * scale, fill)
            case Disc(x=x, y=y, radius=radius, fill=fill):
                pen.circle((x * scale, y * scale), radius * scale, fill)
            case Shape(points=points, fill=fill):
                pen.polygon([(x * scale, y * scale) for x, y in points], fill)
            case Words(x=x, y=y, size=size, fill=fill, words=words, middle=middle):
                font = ImageFont.load_default(size * scale)
                pen.text((x * scale, y * scale), words, fill, font, anchor="ms" if middle else "ls")
    small = image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    small.save(file, "PNG")
    return file.getvalue()
