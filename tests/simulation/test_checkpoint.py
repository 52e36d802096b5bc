"""Runs that are stopped and resumed give the same counts as uninterrupted ones; foreign files are refused."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pontoon.rulebook import canonical, load, override, pinned, to_toml
from pontoon.rulebook import digest as digest_of
from pontoon.simulation import (
    Plan,
    Progress,
    Settings,
    SimulationError,
    advance,
    checkpoint,
    compile_game,
    make_plan,
    no_progress,
    run,
    simulate,
)
from pontoon.simulation.checkpoint import Checkpoint, CheckpointError, save
from pontoon.simulation.device import Cpu, Gpu, Range, choose, gpu_present
from pontoon.simulation.kernel import BY_ROUND, BY_STREAM, STREAM_ROUNDS, Sums
from pontoon.simulation.plan import MAX_ROUNDS
from tests.simulation.games import wild_game
from tests.simulation.strategies import Mimic, Wild

RULES = load("canberra")
ROUNDS = 40 * STREAM_ROUNDS + 100
WRITTEN_BY_0_1_0 = str(Path(__file__).with_name("checkpoint-0.1.0.json"))
"""Two streams of `plan()`."""


@cache
def plan(seed: int = 3, boxes: int = 1, penetration: float = 0.0, rounds: int = ROUNDS, wild: int = 1) -> Plan:
    compiled = wild_game("canberra", wild, 3)
    settings = Settings(packs=6, rounds=rounds, seed=seed, boxes=boxes, penetration=penetration)
    return make_plan(compiled, RULES, settings)


class Backwards(Cpu):
    """Plays the last streams first, a few at a time, and stops after a number of pieces."""

    def __init__(self, pieces: int = 10**9) -> None:
        super().__init__(1)
        self.pieces = pieces

    def play(self, plan: Plan, ranges: Iterable[Range]) -> Iterator[tuple[Range, Sums]]:
        ranges = list(ranges)
        singles = [(stream, stream + 3) for first, end in ranges for stream in range(first, end - 2, 3)]
        singles += [(end - (end - first) % 3, end) for first, end in ranges if (end - first) % 3]
        for single in reversed(singles):
            if self.pieces == 0:
                raise KeyboardInterrupt
            self.pieces -= 1
            yield from super().play(plan, [single])


def last(pieces: Iterator[Progress], known: Progress) -> Progress:
    """The progress when a run ends, by itself or by Ctrl-C."""
    with suppress(KeyboardInterrupt):
        while (following := next(pieces, None)) is not None:
            known = following
    return known


def same(first: Progress, second: Progress) -> bool:
    return first.rounds == second.rounds and all(map(np.array_equal, first.sums, second.sums))


@pytest.mark.parametrize(("boxes", "penetration"), [(1, 0.0), (3, 0.75)])
def test_a_run_in_pieces_is_the_run_in_one(boxes: int, penetration: float, tmp_path: Path):
    asked = plan(boxes=boxes, penetration=penetration, rounds=ROUNDS if boxes == 1 else ROUNDS // 4)
    file = str(tmp_path / "run.json")
    known = last(advance(no_progress(asked), Backwards(3)), no_progress(asked))
    assert 0 < known.rounds < asked.rounds
    save(file, known)
    for pieces in (2, 10**9):
        known = last(advance(read := checkpoint.load(file, asked), Backwards(pieces)), read)
        if not known.extra:
            save(file, known)
    assert same(known, last(advance(no_progress(asked), Cpu(2)), no_progress(asked)))
    plain = run(asked, Cpu(1))
    assert known.result().distribution == plain.distribution
    assert known.result().standard_error == plain.standard_error


def test_a_longer_run_goes_on_from_a_shorter_one(tmp_path: Path):
    file = str(tmp_path / "run.json")
    short = plan()._replace(rounds=5 * STREAM_ROUNDS + 7)
    pieces = list(advance(no_progress(short), Cpu(1)))
    assert pieces[-1].rounds == short.rounds
    save(file, pieces[-2])
    read = checkpoint.load(file, plan())
    assert read.rounds == 5 * STREAM_ROUNDS
    assert same(last(advance(read, Cpu(2)), read), last(advance(no_progress(plan()), Cpu(1)), read))
    with pytest.raises(CheckpointError, match="already has 40,960 rounds, more than the 8,192 asked for"):
        checkpoint.load(file, plan()._replace(rounds=STREAM_ROUNDS))
    with pytest.raises(SimulationError, match="40960 rounds were played already"):
        next(advance(read._replace(plan=plan()._replace(rounds=STREAM_ROUNDS)), Cpu(1)))


def test_until_an_error_every_machine_stops_after_the_same_round(tmp_path: Path):
    asked = plan(rounds=MAX_ROUNDS)
    error = 4.5e-4
    whole = last(advance(no_progress(asked), Cpu(2), error), no_progress(asked))
    assert whole.result().standard_error <= error
    assert whole.result().standard_error > 0.99 * error
    assert same(whole, last(advance(no_progress(asked), Backwards(), error), no_progress(asked)))
    file = str(tmp_path / "run.json")
    begun = last(advance(no_progress(asked), Backwards(100), error), no_progress(asked))
    assert begun.goal
    save(file, begun)
    read = checkpoint.load(file, asked)
    assert same(whole, last(advance(read, Cpu(1), error), read))
    capped = asked._replace(rounds=ROUNDS)
    assert last(advance(no_progress(capped), Cpu(2), error), no_progress(capped)).rounds == ROUNDS


def test_squares_may_need_more_than_64_bits():
    known = no_progress(plan(boxes=2))
    huge = known._replace(sums=known.sums._replace(totals=known.sums.totals + (1 << 62)))
    total = last(advance(huge._replace(plan=plan(boxes=2)._replace(rounds=STREAM_ROUNDS)), Cpu(1)), huge)
    assert total.sums.totals[2] > 1 << 62
    twice = Sums(*(one + other for one, other in zip(total.sums, total.sums, strict=True)))
    assert twice.totals[2] > 1 << 63


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (lambda: plan(seed=4), "seed 3, not 4"),
        (lambda: plan(boxes=2), "boxes 1, not 2"),
        (lambda: plan(penetration=0.5), "number of cards before the cutting card 0, not 144"),
        (lambda: plan(wild=2), "of another strategy; it cannot be continued"),
    ],
)
def test_another_run_is_refused(other, words: str, tmp_path: Path):
    file = str(tmp_path / "run.json")
    save(file, no_progress(plan()))
    with pytest.raises(CheckpointError, match=words):
        checkpoint.load(file, other())


def test_another_rulebook_or_version_is_refused(tmp_path: Path):
    file = str(tmp_path / "run.json")
    save(file, no_progress(plan()))
    star = load("star")
    with pytest.raises(CheckpointError, match="rulebook canberra, not star"):
        checkpoint.load(file, plan()._replace(rulebook="star", digest=digest_of(star), book=canonical(star)))
    alike = load(text=to_toml(pinned(plan().book), name="my-casino", clauses=False))
    named = plan()._replace(rulebook="my-casino", digest=digest_of(alike), book=canonical(alike))
    assert checkpoint.load(file, named).rounds == 0  # it plays alike, whatever it is called
    with pytest.raises(CheckpointError, match="another version of pontoon"):
        checkpoint.load(file, plan()._replace(kernel=3))


def test_a_checkpoint_carries_its_rulebook_and_one_that_was_changed_is_refused(tmp_path: Path):
    file = tmp_path / "run.json"
    save(str(file), no_progress(plan()))
    data = json.loads(file.read_text())
    assert data["book"] == plan().book
    data["book"] = canonical(override(pinned(plan().book), {"payout.pontoon": "6:5"}))
    body = {key: value for key, value in data.items() if key not in ("format", "check")}
    file.write_text(json.dumps({**data, "check": checkpoint._check(body)}))
    with pytest.raises(CheckpointError, match="was recorded"):
        checkpoint.load(str(file), plan())


def test_burning_a_card_matters_to_a_run_with_a_cutting_card_alone(tmp_path: Path):
    file = str(tmp_path / "run.json")
    rules = pinned(plan().book)
    burned = override(rules, {"shoe.burn_first": not rules.shoe.burn_first})

    def under_other_rules(asked: Plan) -> Plan:
        return asked._replace(digest=digest_of(burned), book=canonical(burned))

    save(file, no_progress(plan()))
    assert checkpoint.load(file, under_other_rules(plan())).rounds == 0
    save(file, no_progress(plan(penetration=0.75)))
    with pytest.raises(CheckpointError, match="rules digest"):
        checkpoint.load(file, under_other_rules(plan(penetration=0.75)))


def test_a_checkpoint_of_version_0_1_0_is_continued(tmp_path: Path):
    read = checkpoint.load(WRITTEN_BY_0_1_0, plan())
    assert read.rounds == 2 * STREAM_ROUNDS
    assert (plan().kernel, read.plan.kernel) == (BY_ROUND, BY_STREAM)
    whole = last(advance(no_progress(plan()._replace(kernel=BY_STREAM)), Cpu(1)), read)
    assert same(last(advance(read, Cpu(1)), read), whole)
    file = str(tmp_path / "run.json")
    save(file, read)
    assert checkpoint.load(file, plan()).plan.kernel == BY_STREAM


def test_a_checkpoint_of_version_0_1_0_with_a_cutting_card(tmp_path: Path):
    file, asked = tmp_path / "run.json", plan(penetration=0.75)
    save(str(file), no_progress(asked))
    data = json.loads(file.read_text())
    digest = json.loads(Path(WRITTEN_BY_0_1_0).read_text())["about"]["rules"]

    def rewrite(rules: str) -> None:
        about = {**data["about"], "rules": rules, "kernel": checkpoint.KERNEL_0_1_0}
        body = {**data, "about": about}
        for key in ("format", "check", "book"):
            del body[key]
        file.write_text(json.dumps({"format": data["format"], "check": checkpoint._check(body), **body}))

    rewrite(digest)
    assert checkpoint.load(str(file), asked).rounds == 0
    rules = pinned(asked.book)
    burned = override(rules, {"shoe.burn_first": not rules.shoe.burn_first})
    with pytest.raises(CheckpointError, match="rules digest"):
        checkpoint.load(str(file), asked._replace(digest=digest_of(burned), book=canonical(burned)))
    rewrite("0123456789ab")
    with pytest.raises(CheckpointError, match="rules digest 0123456789ab"):
        checkpoint.load(str(file), asked)


def test_what_is_no_checkpoint_or_damaged_is_refused(tmp_path: Path):
    file = tmp_path / "run.json"
    with pytest.raises(CheckpointError, match="cannot read"):
        checkpoint.load(str(file), plan())
    for text in ("", "[]", "{}", "\0", "[" * 100_000):
        file.write_text(text)
        with pytest.raises(CheckpointError, match="is not a checkpoint"):
            checkpoint.load(str(file), plan())
    save(str(file), no_progress(plan()))
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, "done": [[0, 1]]}))
    with pytest.raises(CheckpointError, match="is damaged"):
        checkpoint.load(str(file), plan())


def test_a_failed_write_leaves_the_old_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "run.json"
    save(str(file), no_progress(plan()))
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CheckpointError, match=r"cannot write .*: No space left"):
        save(str(file), no_progress(plan())._replace(seconds=1.0))
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


def test_the_library_continues_from_its_checkpoint(tmp_path: Path):
    file = tmp_path / "run.json"
    seen: list[int] = []

    def stop(progress: Progress) -> None:
        seen.append(progress.rounds)
        raise KeyboardInterrupt

    def ask(**more):
        return simulate(RULES, Wild(1, calm=3), packs=6, rounds=200 * STREAM_ROUNDS + 1, seed=3, threads=1, **more)

    with pytest.raises(KeyboardInterrupt):
        ask(checkpoint=file, on_progress=stop)
    assert checkpoint.load(str(file), plan(rounds=200 * STREAM_ROUNDS + 1)).rounds == seen[0] > 0
    continued, whole = ask(checkpoint=file), ask()
    assert continued.distribution == whole.distribution
    assert continued.standard_error == whole.standard_error
    with pytest.raises(CheckpointError, match="seed 3, not 4"):
        simulate(RULES, Wild(1, calm=3), packs=6, seed=4, checkpoint=file)


def test_a_save_that_fails_is_reported_and_the_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    reported: list[str] = []
    saved = Checkpoint(tmp_path / "run.json", plan(), report=reported.append)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(CheckpointError, match="cannot write"):
        run(plan(), Cpu(1), checkpoint=Checkpoint(tmp_path / "no" / "run.json", plan()))
    saved.save(no_progress(plan()))
    monkeypatch.setattr("os.fsync", full)
    monkeypatch.setattr(saved, "save", lambda progress: save(saved.file, progress) if progress.rounds else None)
    monkeypatch.setattr(checkpoint, "SAVE_EVERY", 0.0)
    assert run(plan(), Cpu(1), checkpoint=saved).rounds == ROUNDS
    assert saved.failed
    assert "No space left on device" in reported[0]
    assert checkpoint.load(saved.file, plan()).rounds == 0
    silent = Checkpoint(tmp_path / "run.json", plan())
    with pytest.warns(UserWarning, match="No space left"):
        silent.update(next(advance(no_progress(plan()), Cpu(1))))


def test_figures_of_pieces_are_those_of_a_run():
    compiled = compile_game(load("star"), Mimic(), 1000)
    asked = make_plan(compiled, load("star"), Settings(packs=6, rounds=100_000, seed=5))
    known = last(advance(no_progress(asked), Cpu(2)), no_progress(asked))
    assert known.seconds > 0
    assert known.result().ev == run(asked, Cpu(1)).ev
