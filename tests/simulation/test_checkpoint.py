"""Runs that are stopped and continued: the same counts as a run that never was, and nothing that does not belong."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pontoon.rulebook import load
from pontoon.simulation import Plan, SimulationError, checkpoint, compile_game, make_plan, result, run
from pontoon.simulation.campaign import MOST_ROUNDS, Known, figures, nothing, play_on
from pontoon.simulation.checkpoint import CheckpointError, identity, save
from pontoon.simulation.device import Cpu, Gpu, Range, choose, gpu_present
from pontoon.simulation.kernel import STREAM_ROUNDS, Sums
from tests.simulation.strategies import Mimic, Wild

RULES = load("canberra")
ROUNDS = 40 * STREAM_ROUNDS + 100


@cache
def plan(seed: int = 3, boxes: int = 1, penetration: float = 0.0, rounds: int = ROUNDS, wild: int = 1) -> Plan:
    compiled = compile_game(RULES, Wild(wild, calm=3), 1000)
    return make_plan(compiled, RULES, 6, rounds=rounds, seed=seed, boxes=boxes, penetration=penetration)


class Backwards(Cpu):
    """Plays the last streams first, a few at a time, and stops after so many pieces."""

    def __init__(self, pieces: int = 10**9) -> None:
        super().__init__(1)
        self.pieces = pieces

    def play(self, plan: Plan, ranges: Iterable[Range]) -> Iterator[tuple[Range, Sums]]:
        ranges = list(ranges)
        singles = [(stream, stream + 3) for first, end in ranges for stream in range(first, end - 2, 3)]
        singles += [(end - (end - first) % 3, end) for first, end in ranges if (end - first) % 3]
        for one in reversed(singles):
            if self.pieces == 0:
                raise KeyboardInterrupt
            self.pieces -= 1
            yield from super().play(plan, [one])


def last(pieces: Iterator[Known], known: Known) -> Known:
    """What is known when a run ends, whether by itself or not."""
    with suppress(KeyboardInterrupt):
        while (following := next(pieces, None)) is not None:
            known = following
    return known


def same(first: Known, second: Known) -> bool:
    return first.rounds == second.rounds and all(map(np.array_equal, first.sums, second.sums))


@pytest.mark.parametrize(("boxes", "penetration"), [(1, 0.0), (3, 0.75)])
def test_a_run_in_pieces_is_the_run_in_one(boxes: int, penetration: float, tmp_path: Path):
    asked = plan(boxes=boxes, penetration=penetration, rounds=ROUNDS if boxes == 1 else ROUNDS // 4)
    file, about = str(tmp_path / "run.json"), identity(asked, RULES)
    known = last(play_on(asked, Backwards(3), nothing(asked)), nothing(asked))
    assert 0 < known.rounds < asked.rounds
    save(file, about, known)
    for pieces in (2, 10**9):
        known = last(play_on(asked, Backwards(pieces), read := checkpoint.load(file, about, asked)), read)
        if not known.extra:
            save(file, about, known)
    assert same(known, last(play_on(asked, Cpu(2), nothing(asked)), nothing(asked)))
    plain = run(asked, 1)
    assert figures(asked, known).distribution == plain.distribution
    assert figures(asked, known).standard_error == plain.standard_error


def test_a_longer_run_goes_on_from_a_shorter_one(tmp_path: Path):
    file, about = str(tmp_path / "run.json"), identity(plan(), RULES)
    short = plan()._replace(rounds=5 * STREAM_ROUNDS + 7)
    pieces = list(play_on(short, Cpu(1), nothing(short)))
    assert pieces[-1].rounds == short.rounds
    save(file, about, pieces[-2])
    read = checkpoint.load(file, about, plan())
    assert read.rounds == 5 * STREAM_ROUNDS
    assert same(last(play_on(plan(), Cpu(2), read), read), last(play_on(plan(), Cpu(1), nothing(plan())), read))
    with pytest.raises(CheckpointError, match="already has 40,960 rounds, more than the 8,192 asked for"):
        checkpoint.load(file, about, plan()._replace(rounds=STREAM_ROUNDS))
    with pytest.raises(SimulationError, match="40960 rounds were played already"):
        next(play_on(plan()._replace(rounds=STREAM_ROUNDS), Cpu(1), read))


def test_until_an_error_every_machine_stops_after_the_same_round(tmp_path: Path):
    asked = plan(rounds=MOST_ROUNDS)
    error = 4.5e-4
    whole = last(play_on(asked, Cpu(2), nothing(asked), error), nothing(asked))
    assert figures(asked, whole).standard_error <= error
    assert figures(asked, whole).standard_error > 0.99 * error
    assert same(whole, last(play_on(asked, Backwards(), nothing(asked), error), nothing(asked)))
    file, about = str(tmp_path / "run.json"), identity(asked, RULES)
    begun = last(play_on(asked, Backwards(100), nothing(asked), error), nothing(asked))
    assert begun.goal
    save(file, about, begun)
    read = checkpoint.load(file, about, asked)
    assert same(whole, last(play_on(asked, Cpu(1), read, error), read))
    capped = asked._replace(rounds=ROUNDS)
    assert last(play_on(capped, Cpu(2), nothing(capped), error), nothing(capped)).rounds == ROUNDS


def test_squares_may_need_more_than_64_bits():
    known = nothing(plan(boxes=2))
    huge = known._replace(sums=known.sums._replace(totals=known.sums.totals + (1 << 62)))
    total = last(play_on(plan(boxes=2)._replace(rounds=STREAM_ROUNDS), Cpu(1), huge), huge)
    assert total.sums.totals[2] > 1 << 62
    twice = Sums(*(one + other for one, other in zip(total.sums, total.sums, strict=True)))
    assert twice.totals[2] > 1 << 63


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (lambda: plan(seed=4), "seed 3, not 4"),
        (lambda: plan(boxes=2), "boxes 1, not 2"),
        (lambda: plan(penetration=0.5), "cutting card after so many cards 0, not 144"),
        (lambda: plan(wild=2), "of another strategy; it cannot be continued"),
    ],
)
def test_another_run_is_refused(other, words: str, tmp_path: Path):
    file = str(tmp_path / "run.json")
    save(file, identity(plan(), RULES), nothing(plan()))
    with pytest.raises(CheckpointError, match=words):
        checkpoint.load(file, identity(other(), RULES), other())


def test_another_rulebook_or_version_is_refused(tmp_path: Path):
    file, about = str(tmp_path / "run.json"), identity(plan(), RULES)
    save(file, about, nothing(plan()))
    for key, words in (("rulebook", "rulebook canberra, not star"), ("kernel", "another version of pontoon")):
        with pytest.raises(CheckpointError, match=words):
            checkpoint.load(file, {**about, key: "star"}, plan())


def test_what_is_no_checkpoint_or_damaged_is_refused(tmp_path: Path):
    file, about = tmp_path / "run.json", identity(plan(), RULES)
    with pytest.raises(CheckpointError, match="cannot read"):
        checkpoint.load(str(file), about, plan())
    for text in ("", "[]", "{}", "\0", "[" * 100_000):
        file.write_text(text)
        with pytest.raises(CheckpointError, match="is not a checkpoint"):
            checkpoint.load(str(file), about, plan())
    save(str(file), about, nothing(plan()))
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, "done": [[0, 1]]}))
    with pytest.raises(CheckpointError, match="is damaged"):
        checkpoint.load(str(file), about, plan())


def test_a_failed_write_leaves_the_old_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file, about = tmp_path / "run.json", identity(plan(), RULES)
    save(str(file), about, nothing(plan()))
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CheckpointError, match=r"cannot write .*: No space left"):
        save(str(file), about, nothing(plan())._replace(seconds=1.0))
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_which_machine_is_chosen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NUMBA_ENABLE_CUDASIM", raising=False)
    assert choose("cpu", 3).threads == 3
    if not gpu_present():
        assert choose().name == "cpu"
        with pytest.raises(SimulationError, match="no GPU: --device gpu needs"):
            choose("gpu")
    monkeypatch.setattr("pontoon.simulation.device.gpu_present", lambda: True)
    assert isinstance(choose(), Gpu)
    assert isinstance(choose(threads=1), Cpu)


def test_figures_of_a_campaign_are_those_of_a_run():
    compiled = compile_game(load("star"), Mimic(), 1000)
    asked = make_plan(compiled, load("star"), 6, rounds=100_000, seed=5)
    known = last(play_on(asked, Cpu(2), nothing(asked)), nothing(asked))
    assert known.seconds > 0
    assert result(asked, known.sums, 100_000, 1.0, 1).ev == run(asked, 1).ev
