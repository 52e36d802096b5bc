"""Complete rounds a second through the public engine, compared with other engines on the same core in the same run.

    python bench/engine.py [--seconds 3] [--rulebook division-15] [--peers all|none|name,...] [--json]

One box, one fixed chart, a shoe of eight packs. Everything a caller of the library pays for is timed: drawing and
shuffling, the chart, every command from the wager to the end of the round, and recording every event. The rounds of the
first repetition are then played again, untimed, and audited. The exit status is 1 if the audit finds a fault.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import import_module, metadata
from typing import Any

from pontoon.cards import PACK
from pontoon.engine import (
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    Double,
    Event,
    Hit,
    PlaceWager,
    Played,
    Round,
    Split,
    Stand,
    Surrender,
    options,
    play,
)
from pontoon.engine.dealing import CARD_DUE
from pontoon.engine.events import RoundEnded
from pontoon.ledger import HOUSE, balances, wallet
from pontoon.rulebook import NAMES, Rulebook, load

PACKS = 8
USED = 0.75
"""The fraction of the shoe dealt before the next shuffle."""
SEED = 15
REPETITIONS = 3
BATCH = 50
"""Rounds between two clock readings."""
NOT_INSTALLED = "not installed (pip install pontoon21[bench])"

# --- the chart -----------------------------------------------------------------------------------------

PLAYER, STAKE = "Ann", 1000
WAGER, CALL, CLOSE = PlaceWager(1, PLAYER, STAKE), CallNoMoreBets(), CloseOffer()
HIT, STAND, DOUBLE, SPLIT, SURRENDER = Hit(1), Stand(1), Double(1), Split(1), Surrender(1)


def chart(state: Round) -> Command:
    """The fixed strategy: the bettor's next command."""
    box = state.boxes[0]
    if state.phase != "decision":
        hand = box.hands[0]
        gives_up = state.phase == "surrender" and state.dealer[0][0] == "A" and hand.total == 16 and not hand.soft
        return SURRENDER if gives_up and hand.wagers[0].live else CLOSE
    hand = box.hands[state.turn[1] - 1]
    if len(hand.cards) == 2:
        first, second = hand.cards
        if first[0] == second[0] and first[0] in "A8" and len(box.hands) < state.rules.split.max_hands:
            return SPLIT
        if 10 <= hand.total <= 11 and not hand.soft:
            return DOUBLE
    return HIT if hand.total < (18 if hand.soft else 17) else STAND


# --- our rounds ----------------------------------------------------------------------------------------


class Shoe:
    """Eight packs as ready-made deal commands, so that drawing costs a pop and a share of a shuffle."""

    def __init__(self, seed: int) -> None:
        self._shuffle = random.Random(seed).shuffle
        self._all = [DealCard(card) for card in PACK] * PACKS
        self._cutting_card = int(len(self._all) * (1 - USED))
        self._rest: list[DealCard] = []

    def open(self) -> Callable[[], DealCard]:
        """The draw function for the next round, after a shuffle if the cutting card is out."""
        if len(self._rest) <= self._cutting_card:
            self._rest = self._all.copy()
            self._shuffle(self._rest)
        return self._rest.pop


def play_round(state: Round, shoe: Shoe, choose: Callable[[Round], Command]) -> tuple[Round, list[Event]]:
    """Play one complete round and return its events; a refusal would be a fault of the chart."""
    draw = shoe.open()
    events: list[Event] = []
    command: Command = WAGER
    while True:
        played = play(state, command)
        assert type(played) is Played, (command, played)  # isinstance is slower for a struct
        state = played.state
        events += played.events
        phase = state.phase
        if phase in CARD_DUE:
            command = draw()
        elif phase == "ended":
            return state, events
        else:
            command = CALL if phase == "wagers" else choose(state)


class Ours:
    """Our engine at one box; with `asks`, `options` is called before every decision."""

    def __init__(self, rules: Rulebook, seed: int, *, asks: bool = False) -> None:
        self.rounds = self.players_net = self.checks = 0
        self._new = Round(rules)
        self._shoe = Shoe(seed)
        self._choose = self._ask if asks else chart

    def _ask(self, state: Round) -> Command:
        asked = options(state)
        self.checks += len(asked.allowed) + len(asked.refused)
        return chart(state)

    def play(self, count: int) -> None:
        for _ in range(count):
            state, _events = play_round(self._new, self._shoe, self._choose)
            for settled in state.settlements:
                self.players_net += settled.net
        self.rounds += count


@dataclass
class Audit:
    """Totals over every event of a timed repetition."""

    rounds: int
    events: int = 0
    events_without_clause: int = 0
    rounds_not_ended: int = 0
    chips_left_on_the_layout: int = 0
    players_net: int = 0
    house_net: int = 0
    timed_players_net: int = 0
    events_per_round: float = 0.0

    @property
    def faults(self) -> list[str]:
        """The faults found, in words; empty if there are none."""
        wrong = {
            f"{self.events_without_clause} events without a clause": self.events_without_clause,
            f"{self.rounds_not_ended} rounds did not end": self.rounds_not_ended,
            f"{self.chips_left_on_the_layout} cents left on the layout": self.chips_left_on_the_layout,
            f"players {self.players_net} and house {self.house_net} do not sum to zero": self.players_net
            + self.house_net,
            "the timed rounds had a different result": self.players_net - self.timed_players_net,
        }
        return [fault for fault, size in wrong.items() if size]


def audit(rules: Rulebook, seed: int, timed: Ours) -> Audit:
    """Play the rounds of a timed repetition again and check every event, and the money with the ledger."""
    found = Audit(timed.rounds, timed_players_net=timed.players_net)
    shoe, new = Shoe(seed), Round(rules)
    for _ in range(timed.rounds):
        state, events = play_round(new, shoe, chart)
        found.events += len(events)
        found.events_without_clause += sum(not getattr(event, "clauses", ()) for event in events)
        found.rounds_not_ended += state.phase != "ended" or not isinstance(events[-1], RoundEnded)
        accounts = balances(events)
        players, house = accounts.pop(wallet(PLAYER), 0), accounts.pop(HOUSE, 0)
        found.players_net += players
        found.house_net += house
        found.chips_left_on_the_layout += sum(map(abs, accounts.values()))
    found.events_per_round = round(found.events / found.rounds, 2)
    return found


# --- the peers -----------------------------------------------------------------------------------------

Play = Callable[[int], None]
"""Plays the given number of rounds."""


def _blackjack21_chart(table: Any, hand: Any) -> None:  # noqa: ANN401 the peer's own classes
    """Our chart as blackjack21 actions."""
    total = hand.total
    if len(hand) == 2:
        first, second = hand[0].rank, hand[1].rank
        if first == second and first in "A8" and len(table.players[0].hands) < 3:
            table.split()
            return
        if 10 <= total <= 11:
            table.double_down()
            return
        if total == 16 and table.dealer_visible_hand[0].rank == "A" and len(table.players[0].hands) == 1:
            table.surrender()
            return
    # 17 is soft when its aces counted 1 make 7
    if total < 17 or (total == 17 and sum(1 if card.rank == "A" else card.value for card in hand) == 7):
        table.hit()
    else:
        table.stand()


def blackjack21(seed: int, *, asks: bool = False) -> Play:
    """The same chart at its table with one player; the shoe is its own, eight packs, reset at three quarters."""
    package: Any = import_module("blackjack21")
    random.seed(seed)  # its deck shuffles with the global generator
    deck = package.Deck(package.DEFAULT_SUITS, count=PACKS)
    hook = package.shoe_reset_hook(deck, USED)
    table = package.Table([(PLAYER, 10)], deck, hit_soft_17=True, on_round_reset=hook)

    def rounds(count: int) -> None:
        for _ in range(count):
            table.start_game()
            while hand := table.current_hand:
                if asks:
                    table.available_actions()
                _blackjack21_chart(table, hand)
            assert all(hand.result for hand in table.players[0].hands)

    return rounds


def open_spiel(seed: int, *, documented: bool = False) -> Play:
    """Hit below 17. A card is drawn evenly from `legal_actions()`, or `documented` through `chance_outcomes()`."""
    game: Any = import_module("pyspiel").load_game("blackjack")
    source = random.Random(seed)
    chance, choices = source.random, source.choices

    def rounds(count: int) -> None:
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                if not state.is_chance_node():
                    state.apply_action(0 if state.get_best_player_total(0) < 17 else 1)
                elif documented:
                    cards, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(choices(cards, weights)[0])
                else:
                    cards = state.legal_actions()
                    state.apply_action(cards[int(chance() * len(cards))])
            state.returns()

    return rounds


def gymnasium(seed: int) -> Play:
    """Hit below hard 17 and soft 18, without the wrappers that `make` adds: the faster way to use it."""
    environment: Any = import_module("gymnasium").make("Blackjack-v1").unwrapped
    environment.reset(seed=seed)

    def rounds(count: int) -> None:
        for _ in range(count):
            (total, _, soft), _ = environment.reset()
            ended = False
            while not ended:
                (total, _, soft), _, ended, _, _ = environment.step(int(total < (18 if soft else 17)))

    return rounds


def pokerkit(seed: int) -> Play:
    """No-limit hold'em, two players who check to the showdown; everything else is automated."""
    package: Any = import_module("pokerkit")
    random.seed(seed)  # its deck shuffles with the global generator
    automations = tuple(package.Automation)
    create = package.NoLimitTexasHoldem.create_state

    def rounds(count: int) -> None:
        for _ in range(count):
            state = create(automations, True, 0, (1, 2), 2, 200, 2)  # noqa: FBT003 its own order of arguments
            while state.status:
                state.check_or_call()
            assert sum(state.stacks) == 400

    return rounds


# --- measuring -----------------------------------------------------------------------------------------


@dataclass
class Row:
    """One engine: its description, how to create it for a seed, and its measured speed."""

    name: str
    what: str
    make: Callable[[int], Play]
    version: str = ""
    rates: list[float] = field(default_factory=list)
    note: str = ""

    @property
    def rate(self) -> float:
        """Rounds a second: the median of the repetitions; 0 when it could not be measured."""
        return statistics.median(self.rates) if self.rates else 0.0


PEERS: dict[str, list[tuple[str, str, Callable[[int], Play]]]] = {
    "blackjack21": [
        ("blackjack21", "pure Python, full blackjack; same chart", blackjack21),
        ("blackjack21 + actions", "asks available_actions() at decisions", partial(blackjack21, asks=True)),
    ],
    "open_spiel": [
        ("open_spiel", "C++ called from Python, hit and stand, one pack; hit below 17", open_spiel),
        ("open_spiel + chance", "cards by chance_outcomes(), as documented", partial(open_spiel, documented=True)),
    ],
    "gymnasium": [("gymnasium", "Blackjack-v1, hit and stick, infinite deck; hit below 17/18", gymnasium)],
    "pokerkit": [("pokerkit", "audited poker; heads-up hold'em checked down", pokerkit)],
}
"""The rows of each package: name, description, and how to create it for a seed."""


@contextlib.contextmanager
def one_core() -> Iterator[int | None]:
    """Pin this process to one core and return its number; None if the system does not support it."""
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    before = os.sched_getaffinity(0)
    core = max(before)
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, before)


def measure(playing: Play, seconds: float) -> float:
    """Rounds per second of CPU time, after one batch to warm up."""
    playing(BATCH)
    rounds, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds or not rounds:
        playing(BATCH)
        rounds += BATCH
    return rounds / spent


def repeat(row: Row, seed: int, seconds: float) -> None:
    """Add one repetition to a row, or a note if its package is not installed."""
    if row.note:
        return
    try:
        playing = row.make(seed)
    except ImportError:
        row.note = NOT_INSTALLED
        return
    row.rates.append(measure(playing, seconds))


def version_of(package: str) -> str:
    """The installed version of a package; empty if it is not installed."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        return metadata.version(package)
    return ""


def run(rules: Rulebook, peers: Sequence[str], seconds: float) -> tuple[list[Row], Audit, int | None]:
    """Measure every row; repetitions alternate, so that other load slows all rows equally."""
    made: dict[str, list[Ours]] = {"pontoon21": [], "pontoon21 + options": []}

    def ours(name: str, seed: int) -> Play:
        made[name].append(Ours(rules, seed, asks=name != "pontoon21"))
        return made[name][-1].play

    plain = Row("pontoon21", "pure Python, audited, complete Pontoon", partial(ours, "pontoon21"))
    asking = Row("pontoon21 + options", "asks options() at decisions", partial(ours, "pontoon21 + options"))
    plain.version = asking.version = version_of("pontoon21")
    rows = [plain, asking]
    for name in peers:
        version = version_of(name)
        rows += [Row(*named, version) for named in PEERS[name]]
    with one_core() as core:
        for repetition in range(REPETITIONS):
            for row in rows:
                repeat(row, SEED + repetition, seconds)
    found = audit(rules, SEED, made["pontoon21"][0])
    asked = made["pontoon21 + options"][0]
    plain.note = f"{found.events_per_round} events a round, {found.events_without_clause} without a clause"
    asking.note = f"{asked.checks / asked.rounds:.1f} refusal checks a round"
    return rows, found, core


# --- telling -------------------------------------------------------------------------------------------


def as_json(rows: list[Row], found: Audit, setting: dict[str, object]) -> str:
    told = [
        {
            "name": row.name,
            "version": row.version,
            "what": row.what,
            "rounds_per_second": round(row.rate, 1) if row.rates else None,
            "repetitions": [round(rate, 1) for rate in row.rates],
            "ratio": round(row.rate / rows[0].rate, 4) if row.rates else None,
            "note": row.note,
        }
        for row in rows
    ]
    return json.dumps({**setting, "rows": told, "audit": asdict(found) | {"faults": found.faults}}, indent=2)


def as_table(rows: list[Row], found: Audit, setting: dict[str, object]) -> str:
    lines = [", ".join(f"{key} {value}" for key, value in setting.items()), ""]
    lines.append(f"{'':34}{'rounds/s':>10}{'ratio':>8}  what it is")
    for row in rows:
        speed = f"{row.rate:10,.0f}{row.rate / rows[0].rate:8.2f}" if row.rates else f"{'-':>10}{'-':>8}"
        what = f"{row.what}; {row.note}" if row.note else row.what
        lines.append(f"{f'{row.name} {row.version}':34}{speed}  {what}")
    counted = f"{found.rounds:,} rounds again, {found.events:,} events, {found.events_without_clause} without a clause"
    nets = f"players {found.players_net:+,} cents, house {found.house_net:+,}"
    lines += ["", f"audit: {counted}; {nets}", *(f"FAULT: {fault}" for fault in found.faults)]
    return "\n".join(lines)


def peers_asked_for(text: str) -> list[str]:
    if text in ("all", "none"):
        return list(PEERS) if text == "all" else []
    names = text.split(",")
    if unknown := [name for name in names if name not in PEERS]:
        raise argparse.ArgumentTypeError(f"no peer {unknown[0]!r}; choose from {', '.join(PEERS)}")
    return names


def seconds_asked_for(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 3600:
        raise argparse.ArgumentTypeError("a number of seconds above 0")
    return seconds


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Complete rounds a second, compared with other engines on the same core."
    )
    parser.add_argument("--seconds", type=seconds_asked_for, default=3.0, help="CPU time of each of 3 repetitions")
    parser.add_argument("--rulebook", choices=NAMES, default="division-15")
    parser.add_argument("--peers", type=peers_asked_for, default="all", help="all, none, or names: " + ", ".join(PEERS))
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    rows, found, core = run(load(asked.rulebook), asked.peers, asked.seconds)
    setting = {
        "rulebook": asked.rulebook,
        "seconds": asked.seconds,
        "repetitions": REPETITIONS,
        "seed": SEED,
        "core": core,
        "python": platform.python_version(),
    }
    print((as_json if asked.json else as_table)(rows, found, setting))
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
