"""The table as text and as a picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pontoon.cards import Card
from pontoon.engine import Hand, Round
from pontoon.money import dollars
from pontoon.rulebook import Rulebook

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
WIDTH, HEIGHT = 640, 400
CLOTH, BORDER, WORDS, QUIET = (20, 92, 60), (12, 60, 40), (240, 236, 220), (170, 200, 182)
PAPER, EDGE, RED, BLACK, GOLD = (252, 250, 244), (60, 60, 60), (196, 30, 44), (24, 24, 28), (232, 190, 90)
CARD_WIDTH, CARD_HEIGHT, OVERLAP = 58, 82, 26


def text(state: Round | None, rules: Rulebook) -> str:
    """The table in a few lines.

    >>> from pontoon.environment.box import Play
    >>> from pontoon.rulebook import load
    >>> cards = iter(("8s", "6d", "8h"))
    >>> print(text(Play(load("star"), 1000, lambda: next(cards)).state, load("star")))
    star
    dealer  6♦  6
    hand 1  8♠ 8♥  16  $10.00  <
    """
    if state is None:
        return f"{rules.about.name}\nwaiting for a bet"
    dealer = " ".join(map(_symbols, state.dealer))
    lines = [rules.about.name, f"dealer  {dealer}  {state.dealer_total}"]
    for number, hand in enumerate(state.boxes[0].hands, start=1):
        mark = "  <" if state.turn == (1, number) and state.phase in ("decision", "forfeit") else ""
        lines.append(f"hand {number}  {' '.join(map(_symbols, hand.cards))}  {_words(hand)}{mark}")
    if state.phase == "ended":
        lines.append(f"net     {_net(state)}")
    return "\n".join(lines)


def _symbols(card: Card) -> str:
    return card[0] + SYMBOLS[card[1]]


def _words(hand: Hand) -> str:
    """The total of a hand, its wager and its result."""
    wager = hand.wagers[0]
    total = f"soft {hand.total}" if hand.soft else str(hand.total)
    parts = [total, f"${dollars(wager.stake + wager.double)}"]
    parts += ["doubled"] * hand.doubled + ["surrendered"] * wager.surrendered + [wager.result.replace("_", "-")]
    return "  ".join(part for part in parts if part)


def _net(state: Round) -> str:
    cents = sum(entry.net for entry in state.settlements)
    sign = "+" if cents > 0 else "−" if cents < 0 else ""
    return f"{sign}${dollars(abs(cents))}"


# --- the picture ----------------------------------------------------------------------------------------


def picture(state: Round | None, rules: Rulebook) -> NDArray[np.uint8]:
    """The cloth with the cards on it: height, width, three colours."""
    try:
        from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 only for pictures
    except ImportError:
        raise ImportError("render_mode rgb_array needs Pillow: pip install 'pontoon21[rl]'") from None
    image = Image.new("RGB", (WIDTH, HEIGHT), BORDER)
    draw = ImageDraw.Draw(image)
    fonts = {size: ImageFont.load_default(size) for size in (13, 16, 24)}
    draw.rounded_rectangle((8, 8, WIDTH - 9, HEIGHT - 9), 26, fill=CLOTH, outline=GOLD, width=2)
    draw.text((24, 20), f"PONTOON  ·  {rules.about.name}", QUIET, fonts[13])
    if state is None:
        draw.text((WIDTH / 2, HEIGHT / 2), "waiting for a bet", WORDS, fonts[24], anchor="mm")
    else:
        _draw_table(draw, state, fonts)
    return np.asarray(image, np.uint8).copy()


def _draw_table(draw: ImageDraw, state: Round, fonts: dict[int, Any]) -> None:
    _draw_cards(draw, state.dealer, WIDTH / 2, 48, fonts)
    draw.text((WIDTH / 2, 144), f"dealer {state.dealer_total}", WORDS, fonts[16], anchor="mm")
    hands = state.boxes[0].hands
    for number, hand in enumerate(hands, start=1):
        middle = WIDTH * (2 * number - 1) / (2 * len(hands))
        acting = state.turn == (1, number) and state.phase in ("decision", "forfeit")
        _draw_cards(draw, hand.cards, middle, 206, fonts)
        first, *rest = _words(hand).split("  ")
        draw.text((middle, 304), first, GOLD if acting else WORDS, fonts[24], anchor="mm")
        draw.text((middle, 330), "  ".join(rest), WORDS, fonts[13], anchor="mm")
        if acting:
            draw.polygon(((middle - 8, 354), (middle + 8, 354), (middle, 344)), fill=GOLD)
    if state.phase == "ended":
        draw.text((WIDTH / 2, 372), _net(state).replace("−", "-"), GOLD, fonts[24], anchor="mm")


def _draw_cards(draw: ImageDraw, cards: tuple[Card, ...], middle: float, top: int, fonts: dict[int, Any]) -> None:
    left = middle - (CARD_WIDTH + OVERLAP * (len(cards) - 1)) / 2
    for place, card in enumerate(cards):
        x = left + place * OVERLAP
        draw.rounded_rectangle((x, top, x + CARD_WIDTH, top + CARD_HEIGHT), 7, fill=PAPER, outline=EDGE)
        colour = RED if card[1] in "dh" else BLACK
        draw.text((x + 13, top + 15), card[0], colour, fonts[24], anchor="mm")
        _draw_suit(draw, card[1], (x + 13, top + 38), 7, colour)
        _draw_suit(draw, card[1], (x + CARD_WIDTH - 20, top + CARD_HEIGHT - 24), 13, colour)


def _draw_suit(draw: ImageDraw, suit: str, at: tuple[float, float], size: float, colour: tuple[int, int, int]) -> None:
    """A suit as a shape, since not every font has the symbols."""
    x, y = at
    if suit == "d":
        draw.polygon(((x, y - size), (x + 0.75 * size, y), (x, y + size), (x - 0.75 * size, y)), fill=colour)
        return
    if suit == "c":
        for dx, dy in ((0, -0.5), (-0.5, 0.25), (0.5, 0.25)):
            _disc(draw, x + dx * size, y + dy * size, 0.45 * size, colour)
    else:
        turn = 1 if suit == "h" else -1
        for dx in (-0.43, 0.43):
            _disc(draw, x + dx * size, y - 0.3 * turn * size, 0.5 * size, colour)
        edge = 0.43 + 0.5 * math.cos(math.radians(25))
        low = -0.3 + 0.5 * math.sin(math.radians(40))
        draw.polygon(
            ((x - edge * size, y + low * turn * size), (x + edge * size, y + low * turn * size), (x, y + turn * size)),
            fill=colour,
        )
    if suit != "h":
        draw.polygon(((x, y), (x + 0.35 * size, y + size), (x - 0.35 * size, y + size)), fill=colour)


def _disc(draw: ImageDraw, x: float, y: float, radius: float, colour: tuple[int, int, int]) -> None:
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
