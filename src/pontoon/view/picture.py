"""A settled round as a picture: the layout from the dealer's side, cards, totals and what each bettor won.

Plain SVG without external fonts or files, so that it can be opened, printed or embedded directly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from pontoon.cards import Card
from pontoon.engine import Box, Hand, Round
from pontoon.view.words import dealer_words, hand_words, money_words

CARD_WIDTH, CARD_HEIGHT, OVERLAP = 44, 62, 26
COLUMN, MARGIN, TOP = 190, 24, 64
LINE = 18
SUITS = {"c": "\u2663", "d": "\u2666", "h": "\u2665", "s": "\u2660"}
INK = {"c": "#1d1d1d", "d": "#c4161c", "h": "#c4161c", "s": "#1d1d1d"}
FELT, LINES, LIGHT, GAIN, LOSS = "#0d5b3a", "#e7d9a8", "#f6f3e4", "#bff0b0", "#ffc9bd"


def picture(state: Round, players: Mapping[str, int], title: str) -> str:
    """Draw a settled round.

    >>> from pontoon.rulebook import load
    >>> picture(Round(load("star")), {}, "empty table").startswith("<svg")
    True
    """
    columns = max(len(state.boxes), 2)
    width = MARGIN * 2 + COLUMN * columns
    hands = max((len(box.hands) for box in state.boxes), default=1)
    bettors = max((len(box.bettors) for box in state.boxes), default=1)
    row = TOP + 150
    height = row + hands * (CARD_HEIGHT + 34) + bettors * LINE + 74
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="{escape(title)}" font-family="Georgia, serif">'
        ),
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="18" fill="{FELT}"/>',
        _text(width // 2, 34, title, size=17, color=LINES),
        *_cards(state.dealer, width // 2 - _span(state.dealer) // 2, TOP),
        _text(width // 2, TOP + CARD_HEIGHT + 20, f"dealer: {dealer_words(state)}" if state.dealer else "dealer"),
        _text(width // 2, row - 26, "Pontoon pays 3 to 2   \u00b7   Insurance pays 2 to 1", size=12, color=LINES),
    ]
    # The dealer's left is box 1: seen from the players it lies on the right, seen from the dealer on the left.
    for index, box in enumerate(state.boxes):
        parts += _box(state, box, MARGIN + COLUMN * index, row, hands)
    net = "   ".join(f"{player} {money_words(amount)}" for player, amount in players.items())
    house = money_words(-sum(players.values()))
    parts.append(_text(width // 2, height - 22, f"{net}   house {house}", size=14))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _span(cards: tuple[Card, ...]) -> int:
    return CARD_WIDTH + OVERLAP * (len(cards) - 1) if cards else 0


def _text(x: int, y: int, words: str, *, size: int = 13, color: str = LIGHT) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}" text-anchor="middle">{escape(words)}</text>'


def _cards(cards: tuple[Card, ...], x: int, y: int, *, sideways: bool = False) -> Iterator[str]:
    """Overlapping cards; the last card of a double is turned sideways."""
    for index, card in enumerate(cards):
        left = x + OVERLAP * index
        turn = ""
        if sideways and index == len(cards) - 1:
            turn = f' transform="rotate(90 {left + CARD_WIDTH // 2} {y + CARD_HEIGHT // 2})"'
        yield (
            f'<g{turn}><rect x="{left}" y="{y}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5" fill="#fffdf5" '
            f'stroke="#8a8472"/><text x="{left + 5}" y="{y + 18}" font-size="17" fill="{INK[card[1]]}">{card[0]}</text>'
            f'<text x="{left + 5}" y="{y + 35}" font-size="15" fill="{INK[card[1]]}">{SUITS[card[1]]}</text></g>'
        )


def _box(state: Round, box: Box, x: int, y: int, hands: int) -> Iterator[str]:
    middle = x + COLUMN // 2
    tall = hands * (CARD_HEIGHT + 34) + len(box.bettors) * LINE + 14
    yield (
        f'<rect x="{x + 6}" y="{y - 12}" width="{COLUMN - 12}" height="{tall}" rx="10" fill="none" stroke="{LINES}" '
        'stroke-opacity="0.7"/>'
    )
    yield _text(x + 22, y + 4, str(box.number), size=12, color=LINES)
    for number, hand in enumerate(box.hands):
        top = y + number * (CARD_HEIGHT + 34)
        yield from _hand(state, hand, middle, top)
    for index, bettor in enumerate(box.bettors):
        net = sum(
            settlement.net
            for settlement in state.settlements
            if settlement.box == box.number and settlement.player == bettor.player
        )
        color = GAIN if net > 0 else LOSS if net < 0 else LIGHT
        below = y + hands * (CARD_HEIGHT + 34) + 12 + index * LINE - 16
        yield _text(middle, below, f"{bettor.player} {money_words(net)}", color=color)


def _hand(state: Round, hand: Hand, middle: int, top: int) -> Iterator[str]:
    yield from _cards(hand.cards, middle - _span(hand.cards) // 2, top, sideways=hand.doubled)
    yield _text(middle, top + CARD_HEIGHT + 16, hand_words(state, hand), size=12)
