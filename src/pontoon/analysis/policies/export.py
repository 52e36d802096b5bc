"""A solver's play as a strategy file, which can be played without the analysis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pontoon.analysis import kernels
from pontoon.analysis.board import Board
from pontoon.analysis.hands import ACE, PICTURE, VALUES
from pontoon.analysis.solver import Solver, Start
from pontoon.analysis.splits.split import SplitBox
from pontoon.analysis.splits.split_hand import SplitHand
from pontoon.money import cents, dollars
from pontoon.rulebook import Rulebook, canonical, digest
from pontoon.strategy.composition import Composition, SplitTable

LETTERS = {"stand": "S", "hit": "H", "double": "D", "split": "P"}
ACTS = "SHD"
UNUSED = "."
Rows = dict[str, list[str]]


def strategy_of(solver: Solver, rules: Rulebook) -> Composition:
    """The solver's optimal play, decision by decision."""
    first: Rows = {}
    surrender: Rows = {}
    doubled: Rows = {}
    splits: dict[str, SplitTable] = {}
    split_rows: dict[int, dict[str, Rows]] = {}
    for value in (number for number in range(10) if solver.values[number]):
        starts = [start for start in solver.starts(value, "K" if value == PICTURE else "") if start.chance]
        _write_starts(first, surrender, value, starts)
        _write_board(first, doubled, value, solver.board(value), starts)
        for pair in sorted({start.pair[0] for start in starts if start.best == "split"}):
            of_pair = next(start.of_pair for start in starts if start.pair == (pair, pair))
            most = solver.split_total(value, pair, of_pair)[2]
            _write_split(split_rows.setdefault(pair, _no_rows()), value, solver.split_box(value, pair), most)
    for pair, rows in sorted(split_rows.items()):
        texts = {name: _texts(part) for name, part in rows.items() if name != "resplit"}
        if texts["doubled_original"] == texts["doubled"]:
            texts["doubled_original"] = {}
        splits[VALUES[pair]] = SplitTable(resplit="".join(rows["resplit"][""]), **texts)
    return Composition(
        rulebook=rules.about.name,
        digest=digest(rules),
        book=canonical(rules),
        overrides={changed.key: changed.value for changed in rules.overrides},
        decks=solver.packs,
        stake=dollars(int(solver.game.stake * cents("1"))),
        insurance="never",
        first=_texts(first),
        surrender=_texts(surrender),
        doubled=_texts(doubled),
        splits=splits,
    )


def _no_rows() -> dict[str, Rows]:
    return {"resplit": {"": ["N"] * 10}, "original": {}, "additional": {}, "doubled": {}, "doubled_original": {}}


def _texts(rows: Rows) -> dict[str, str]:
    return {key: "".join(row) for key, row in sorted(rows.items(), key=lambda item: (len(item[0]), item[0]))}


def _put(rows: Rows, key: str, first: int, letter: str) -> None:
    rows.setdefault(key, [UNUSED] * 10)[first] = letter


def _write_starts(rows: Rows, surrender: Rows, first: int, starts: list[Start]) -> None:
    """The two cards dealt; a suited pattern only where it is played differently."""
    plain: dict[str, str] = {}
    for start in starts:
        if start.best == "paid":
            continue
        key = VALUES[start.pair[0]] + VALUES[start.pair[1]]
        playing = {action: value for action, value in start.values.items() if action != "surrender"}
        letter = LETTERS[max(playing, key=lambda action: playing[action])]
        mark = "" if not start.suit else "s" if start.suit == "s" else "+"
        if start.best == "surrender":
            _put(surrender, key, first, "Y")
        if not mark:
            plain[key] = letter
        _put(rows, key + mark, first, letter)


def _write_board(rows: Rows, doubled: Rows, first: int, board: Board, starts: list[Start]) -> None:
    """Hands that the two cards dealt can become under this play."""
    hands = board.table.hands
    use = np.zeros_like(board.act)
    for start in starts:
        if start.best in ("hit", "double", "stand", "surrender"):
            hand = hands.two(*start.pair)
            playing = {action: value for action, value in start.values.items() if action not in ("surrender", "split")}
            act = {"stand": 0, "hit": 1, "double": 2}[max(playing, key=lambda action: playing[action])]
            use[hand, board.aces(hand)] |= 1 << act
    _write_reached(rows, doubled, first, board, use)


def _write_reached(rows: Rows, doubled: Rows, first: int, board: Board, use: np.ndarray) -> None:
    hands = board.table.hands
    need = np.zeros(len(hands.hard), dtype=np.int64)
    kernels.mark(board.table.columns, board.flags, board.picks, board.act, use, need)
    for hand, aces in zip(*np.nonzero(use), strict=True):
        key = hands.letters(int(hand))
        if len(key) > 2:  # two cards are written with their suits
            mark = f"/{aces}" if aces else ""
            _put(rows, key + mark, first, ACTS[int(board.act[hand, aces])])
        if int(use[hand, aces]) & 1 << kernels.DOUBLE:
            for key, letter in _forfeits(board, int(hand), int(aces)):
                _put(doubled, key, first, letter)


def _forfeits(board: Board, hand: int, aces: int) -> Iterator[tuple[str, str]]:
    """Every total a double can end on: kept or forfeited."""
    hands, switches = board.table.hands, board.switches
    fixed = kernels.fixed_aces(switches, hands.counts[hand, ACE], aces)
    for value in range(10):
        grown = int(hands.more[hand, value])
        if grown < 0:
            continue
        soft = kernels.soft_when_doubled(switches, hands.counts[grown, ACE], fixed, hands.hard[grown])
        total = int(hands.hard[grown] + soft * switches[kernels.SOFT])
        if total < switches[kernels.LIMIT]:
            yield f"{hands.letters(grown)}:{total}", "F" if board.drop[grown, soft] else "K"


def _write_split(rows: dict[str, Rows], first: int, box: SplitBox, most: int) -> None:
    rows["resplit"][""][first] = "Y" if most > 2 else "N"  # one split makes two hands
    _write_split_hand(rows["original"], rows["doubled_original"], first, box.original)
    _write_split_hand(rows["additional"], rows["doubled"], first, box.additional)


def _write_split_hand(rows: Rows, doubled: Rows, first: int, hand: SplitHand) -> None:
    board, hands = hand.board(0), hand.table.hands
    use = hand.use.copy()
    for value in range(10):
        two = int(hands.more[hand.single, value])
        if two < 0 or board.flags[two] & kernels.PAID:
            continue
        pair = (min(hand.pair, value), max(hand.pair, value))
        key = VALUES[pair[0]] + VALUES[pair[1]]
        _put(rows, key, first, ACTS[int(hand.act[two, board.aces(two)])])
        for suit, mark in (("c", "+"), ("s", "s")):
            if (pair, suit) in hand.suited_act:
                _put(rows, key + mark, first, ACTS[hand.suited_act[pair, suit]])
    if not hand.one_card:
        _write_reached(rows, doubled, first, board, use)
