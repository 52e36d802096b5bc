"""The table as text: cards, hands, wagers and results, fitted into the available space; no rules and no widgets."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from msgspec import Struct
from rich.text import Text

from pontoon.cards import Card
from pontoon.terminal.bets import Bets, Stake
from pontoon.terminal.console import SUITS, dressed
from pontoon.terminal.model import Model
from pontoon.terminal.table import Advice
from pontoon.view.catalogue.formats import money
from pontoon.view.catalogue.formats import net as net_words
from pontoon.view.table_parts import BoxView, HandView, SettlementView, WagerView
from pontoon.view.words import kind_words

PAPER = "#fffdf5"
INK = {"s": "#111111", "c": "#111111", "h": "#c4161c", "d": "#c4161c"}
FOUR = INK | {"c": "#0a6b2d", "d": "#1546b8"}
GOLD, GAIN, LOSS, FAINT = "#ffd75f", "#a8f0a0", "#ffb3a7", "#9fc7b3"
TALL = 3
"""Rows of a card that is drawn with its edges."""
ROOMY = 18
"""Columns a hand needs for its words."""
WIDEST = 34
LEAST_ROWS = 5
ENOUGH = 10
MOST_AIR = 4
"""Rows left free above the dealer and between the dealer and the boxes, if there is room."""
BOXES = {True: ("╭──", "╮", "│", "╰──", "╯"), False: (".--", ".", "|", "'--", "'")}


class Style(Struct, frozen=True):
    """How cards are shown."""

    unicode: bool = True
    four_colours: bool = False

    def words(self, text: str) -> str:
        """A sentence with its cards as they are shown."""
        return dressed(text) if self.unicode else text

    def ink(self, card: Card) -> str:
        suit = card[1:]
        return f"bold {(FOUR if self.four_colours else INK).get(suit, INK['s'])} on {PAPER}"

    def face(self, card: Card) -> str:
        return card[0] + SUITS.get(card[1], card[1]) if self.unicode else str(card)

    @property
    def mark(self) -> str:
        """Marker in front of the hand to act."""
        return "► " if self.unicode else "> "


def cards_tall(cards: Sequence[Card], style: Style) -> list[Text]:
    """Cards with edges, one over the other."""
    if not cards:
        return [Text(), Text(), Text()]
    top, top_end, edge, foot, foot_end = BOXES[style.unicode]
    paper = f"#8a8472 on {PAPER}"
    rows = [Text(top * len(cards) + top_end, paper), Text(), Text(foot * len(cards) + foot_end, paper)]
    for card in cards:
        rows[1].append(edge, paper).append(style.face(card), style.ink(card))
    rows[1].append(edge, paper)
    return rows


def cards_flat(cards: Sequence[Card], width: int, style: Style) -> list[Text]:
    """Cards side by side, as many rows as they need."""
    each = max(1, (width + 1) // 3)
    rows = []
    for first in range(0, len(cards), each):
        row = Text()
        for card in cards[first : first + each]:
            row.append(" " if row else "").append(style.face(card), style.ink(card))
        rows.append(row)
    return rows


def fitted(words: str, width: int, style: str = "", rows: int = 1) -> list[Text]:
    """Words wrapped to a width, in at most a number of rows."""
    found = textwrap.wrap(words, max(width, 4), break_on_hyphens=False) or [""]
    if len(found) > rows:
        found = [*found[: rows - 1], textwrap.shorten(" ".join(found[rows - 1 :]), max(width, 4), placeholder="…")]
    return [Text(result[:width], style) for result in found]


# --- one hand ------------------------------------------------------------------------------------------


class Cell(Struct, frozen=True):
    """The contents of one place on the layout: a hand, or a box without one."""

    title: str
    hand: HandView | None = None
    bettors: tuple[tuple[str, int], ...] = ()
    extra: tuple[str, ...] = ()
    """Side wagers and insurance, with their results."""
    turn: bool = False
    mine: bool = False
    next: str = ""
    """The planned wagers for the next round."""
    over: bool = False


def cell_rows(cell: Cell, width: int, height: int, style: Style) -> list[Text]:
    """A hand fitted to a size: title, cards, total, wagers, results."""
    mark = style.mark if cell.turn else ""
    heading = f"bold {GOLD}" if cell.turn else "bold" if cell.mine else FAINT
    rows = [Text(f"{mark}{cell.title}"[:width], heading)]
    below = [*_money(cell, width, roomy=height > LEAST_ROWS + 1)]
    if cell.hand is not None and cell.hand.cards:
        tall = 3 * len(cell.hand.cards) + 1 <= width and height >= 1 + TALL + 1 + len(below)
        rows += cards_tall(cell.hand.cards, style) if tall else cards_flat(cell.hand.cards, width, style)
        bold = "bold" if not cell.over else ""
        rows += fitted(f"= {cell.hand.words}" if cell.hand.words else "", width, bold)
    return [*rows, *below][:height]


def _money(cell: Cell, width: int, *, roomy: bool) -> Iterable[Text]:
    for name, stake in cell.bettors:
        yield from fitted(f"{name} {money(stake)}", width)
    wagers = cell.hand.wagers if cell.hand is not None else ()
    several = len(wagers) > 1
    for wager in wagers:
        yield from _wager(wager, width, several=several, roomy=roomy)
    for words in cell.extra:
        yield from fitted(words, width, rows=2 if roomy else 1)
    if cell.next:
        yield from fitted(cell.next, width, f"bold {GOLD}")


def _wager(wager: WagerView, width: int, *, several: bool, roomy: bool) -> Iterable[Text]:
    name = f"{wager.player} " if several else ""
    double = f" +{money(wager.double)}" if wager.double else ""
    if not wager.settled:
        yield from fitted(f"{name}{money(wager.stake)}{double}", width)
        return
    net = sum(settlement.net for settlement in wager.settled)
    tint = GAIN if net > 0 else LOSS if net < 0 else ""
    first = wager.settled[0]
    yield from fitted(f"{name}{money(wager.stake)}{double} {first.words}", width, tint)
    clauses = " ".join(dict.fromkeys(clause for settlement in wager.settled for clause in settlement.clauses))
    yield from fitted(f"{net_words(net)} [{clauses}]", width, f"bold {tint}", 2 if roomy else 1)


def _settled_words(settled: Sequence[SettlementView]) -> str:
    return "".join(
        f" {settlement.words} {net_words(settlement.net)} [{' '.join(settlement.clauses)}]" for settlement in settled
    )


# --- the layout ----------------------------------------------------------------------------------------


def cells(model: Model, meant: Bets, focus: int = 0) -> list[Cell]:
    """Every hand on the table, occupied boxes, and boxes with planned wagers."""
    view, state = model.view, model.shown
    if view is None:
        return []
    bots = {bot.player for bot in model.room.bots} if model.room is not None else set()
    seats = {seat.box: "bot" if seat.player in bots else seat.player for seat in view.seats}
    boxes = {box.number: box for box in state.boxes} if state is not None else {}
    found: list[Cell] = []
    for number in sorted({*boxes, *seats, *meant}):
        mean = meant.get(number)
        planned = f"next: {_stake_words(mean)}" if mean is not None and model.betting else ""
        mine = number in model.boxes
        if number not in boxes:
            title = f"Box {number} {seats.get(number, '')}".rstrip()
            found.append(Cell(title, mine=mine, next=planned, turn=focus == number))
            continue
        found += _hands(model, boxes[number], planned, focus, bots)
    return found


def _stake_words(stake: Stake) -> str:
    return money(stake.stake) + "".join(f" +{money(amount)} {kind_words(None, kind)}" for kind, amount in stake.side)


def _hands(model: Model, box: BoxView, planned: str, focus: int, bots: set[str]) -> list[Cell]:
    state = model.shown
    assert state is not None
    who = "bot" if box.controller in bots else box.controller
    title = f"Box {box.number} {who}"
    mine = any(bettor.player == model.me for bettor in box.bettors)
    if not box.hands:
        bettors = tuple(
            ("" if bettor.player == box.controller else bettor.player, bettor.stake) for bettor in box.bettors
        )
        extra = tuple(_extras(model, box.number))
        return [Cell(title, bettors=bettors, extra=extra, mine=mine, next=planned, turn=focus == box.number)]
    found = []
    for number, hand in enumerate(box.hands, 1):
        turn = state.turn == (box.number, number) or (state.turn is None and focus == box.number)
        name = f"Box {box.number}.{number} {who}" if len(box.hands) > 1 else title
        extra = tuple(_extras(model, box.number)) if number == 1 else ()
        last = planned if number == len(box.hands) else ""
        found.append(Cell(name, hand, (), extra, turn, mine, last, model.is_over))
    return found


def _extras(model: Model, box: int) -> Iterable[str]:
    state = model.shown
    assert state is not None
    for side in state.side:
        if side.box == box:
            yield f"{kind_words(None, side.kind)} {money(side.stake)}{_settled_words(side.settled)}"
    for insurance in state.insurance:
        if insurance.owner_box == box:
            yield f"insured {money(insurance.amount)}{_settled_words(insurance.settled)}"


def grid(count: int, width: int, height: int) -> tuple[int, int, int]:
    """Rows of hands, and how wide and high each is: the fewest rows in which every hand has room for its words.

    >>> grid(1, 80, 11), grid(7, 80, 11), grid(7, 120, 20)
    ((1, 34, 11), (2, 20, 5), (1, 17, 20))
    """
    for rows in range(1, max(2, height // LEAST_ROWS + 1)):
        wide = width // -(-count // rows)
        if wide >= ROOMY - 1:
            break
    return rows, min(wide, WIDEST), height // rows


FEWEST_ROWS, FEWEST_COLUMNS, SMALLEST = 3, 30, 18
"""Below this a hand would be cut off: the rows left for the boxes, the columns, and the rows of the window."""


def draw_table(model: Model, meant: Bets, width: int, height: int, style: Style, focus: int = 0) -> Text:
    """Dealer above, boxes below."""
    lines = _dealer(model, width, style)
    found = cells(model, meant, focus)
    if found and (height < len(lines) + FEWEST_ROWS or width < FEWEST_COLUMNS):
        return Text(f"Make the window larger: at least {FEWEST_COLUMNS} by {SMALLEST} for the hands to be seen.")
    if found:
        rows, wide, high = grid(len(found), width - 2, height - len(lines))
        air = [Text()] * min(max(0, (height - len(lines)) // rows - ENOUGH) // 4, MOST_AIR)
        lines = [*air, *lines, *air]
        high -= 2 * len(air) // rows
        each = -(-len(found) // rows)
        for first in range(0, len(found), each):
            part = [cell_rows(result, wide - 1, high, style) for result in found[first : first + each]]
            margin = (width - wide * len(part)) // 2
            for line in range(max(map(len, part))):
                row = Text(" " * max(margin, 0))
                for cell in part:
                    text = cell[line].copy() if line < len(cell) else Text()
                    text.truncate(wide - 1)
                    row.append_text(text).append(" " * (wide - text.cell_len))
                lines.append(row)
    return Text("\n").join(lines[:height])


def _dealer(model: Model, width: int, style: Style) -> list[Text]:
    state = model.shown
    dealer = state.dealer if state is not None else None
    if dealer is None:
        return [Text(), Text("Dealer".center(width), "bold"), Text()]
    rows = cards_tall(dealer.cards, style)
    words = f"  {dealer.words}"
    margin = " " * max(0, (width - rows[0].cell_len) // 2 - 8)
    drawn = [Text(margin + label).append_text(row) for label, row in zip(("        ", "Dealer  ", "        "), rows,
             strict=True)]  # fmt: skip
    drawn[1].append(words, "bold")
    for row in drawn:
        row.truncate(width)
    return drawn


def draw_top(model: Model, width: int) -> Text:
    """One line: rules, round, shoe, clock; wallet and session."""
    view = model.view
    if view is None:
        return Text(" Pontoon")
    clock = f" · {model.seconds_left} s" if model.seconds_left >= 0 else ""
    shoe = f"shoe {view.shoe.number}, {view.shoe.left} left"
    left = f" {view.rulebook} · {view.packs} packs · round {view.number} · {shoe}{clock}"
    right = f"wallet {money(model.wallet)} · session {net_words(model.net)} "
    if len(left) + len(right) >= width:
        left = f" {view.rulebook} · round {view.number} · {view.shoe.left} left{clock}"
    return Text(left.ljust(width - len(right)) + right)


def draw_log(model: Model, width: int, height: int, style: Style) -> Text:
    """The last log lines, newest at the bottom."""
    rows: list[Text] = []
    for said in reversed(model.log):
        found = [Text(line) for line in textwrap.wrap(style.words(said.text), max(width, 8), subsequent_indent="  ",
                 break_on_hyphens=False)]  # fmt: skip
        rows[:0] = found
        if len(rows) >= height:
            break
    return Text("\n").join(rows[-height:])


def draw_advice(advice: Advice | None, width: int, style: Style) -> Text:
    """The coach's advice."""
    if advice is None:
        return Text("Preparing… the values of this rulebook are computed once; later hands are quick.")
    if not advice.rows:
        return Text(advice.words)
    rows = [*fitted(style.words(advice.hand), width, "bold", 2)]
    for place, one in enumerate(advice.rows):
        mark = style.mark if not place else "  "
        chart = " chart" if one.chart else ""
        words = f"{mark}{one.action.ljust(10)} {one.value:+.4f}  {one.cents / 100:+9.2f}{chart}"
        rows.append(Text(words[:width], f"bold {GOLD}" if not place else ""))
    for words in (advice.chart, advice.counted):
        rows += fitted(words, width, "", 3) if words else []
    return Text("\n").join(rows)
