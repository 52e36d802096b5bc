"""The progress of a run as a file. It is written as a whole or not at all, and validated when it is read."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pontoon.quoting import quoted
from pontoon.rulebook import RulebookError, is_recorded, pinned, play_digest
from pontoon.simulation.kernel import BY_STREAM, Sums
from pontoon.simulation.plan import Plan, SimulationError
from pontoon.simulation.progress import Progress, no_progress
from pontoon.simulation.tables import Compiled

FORMAT = "pontoon-checkpoint-1"
SAVE_EVERY = 5.0
"""Seconds between two saves."""
WORDS = {
    "rulebook": "rulebook",
    "rules": "rules digest",
    "decks": "packs",
    "boxes": "boxes",
    "stake": "stake in cents",
    "cut": "number of cards before the cutting card",
    "seed": "seed",
    "strategy": "strategy",
    "kernel": "version of pontoon",
}
"""What two runs must have in common for one to continue the other, in the order in which differences are reported."""
KERNEL_0_1_0 = "2cd64787fcd49066"
"""Version 0.1.0 wrote a hash of the kernel's source in place of a number; its random numbers belong to streams."""

OF_THE_SHOE = ("shoe.burn_first",)
"""Rules that matter only if a shoe is dealt to a cutting card."""

OF_THE_SHOE = ("shoe.burn_first",)
"""Rules that matter only if a shoe is dealt to a cutting card."""

Identity = dict[str, str | int]


class CheckpointError(SimulationError):
    """A checkpoint that cannot be written, read or continued; the message is one line for a person."""


class Checkpoint:
    """The checkpoint file of one run: read once, saved every few seconds and at the end."""

    def __init__(
        self, file: str | os.PathLike[str], plan: Plan, report: Callable[[str], object] = warnings.warn
    ) -> None:
        """`report` receives the message when a save fails; a full disk does not stop a run."""
        self.file, self.plan = os.fspath(file), plan
        self.failed = False
        """The latest save failed."""
        self._report = report
        self._unsaved: Progress | None = None
        self._saved_at = time.monotonic()

    def load(self) -> Progress:
        """Read the progress; CheckpointError if the file is damaged or belongs to another run."""
        return load(self.file, self.plan)

    def save(self, progress: Progress) -> None:
        """Write the file now; CheckpointError if that fails."""
        save(self.file, progress)
        self.failed, self._unsaved, self._saved_at = False, None, time.monotonic()

    def update(self, progress: Progress) -> None:
        """Note the latest progress, and write it if the last save is a few seconds old."""
        if not progress.extra:
            self._unsaved = progress
            if time.monotonic() - self._saved_at > SAVE_EVERY:
                self.finish()

    def finish(self) -> None:
        """Write what has not been written yet; a failure is reported, not raised."""
        if self._unsaved is None:
            return
        self._saved_at = time.monotonic()
        try:
            self.save(self._unsaved)
        except CheckpointError as error:
            self.failed = True
            self._report(str(error))


def identity(plan: Plan) -> Identity:
    """Everything the counts of a run depend on, except the number of rounds."""
    return {
        "rulebook": plan.rulebook,
        "rules": plan.digest,
        "decks": plan.packs,
        "boxes": plan.boxes,
        "stake": plan.compiled.stake,
        "cut": plan.cut,
        "seed": plan.seed,
        "strategy": tables_digest(plan.compiled),
        "kernel": plan.kernel,
    }


def tables_digest(compiled: Compiled) -> str:
    """A digest of the compiled rules and strategy, whose numbering the counts use.

    The field names of `Numbers` and `Classes` are part of it: renaming one makes every older checkpoint unusable.
    """
    found = hashlib.sha256()
    arrays = (*compiled.tables, compiled.end_net, compiled.end_label, compiled.end_up, compiled.end_bonus)
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    found.update(repr((compiled.numbers, compiled.labels, compiled.classes)).encode())
    return found.hexdigest()[:16]


def save(file: str, progress: Progress) -> None:
    """Write the progress to a temporary file, then move it into place: there is never half a checkpoint."""
    assert not progress.extra, "an incomplete stream cannot be continued"
    body: dict[str, Any] = {
        "about": identity(progress.plan),
        "book": progress.plan.book,
        "rounds": progress.rounds,
        "done": progress.done,
        "goal": progress.goal,
        "seconds": progress.seconds,
        "sums": {name: _sparse(part) for name, part in progress.sums._asdict().items()},
    }
    text = json.dumps({"format": FORMAT, "check": _check(body), **body}, indent=1)
    target = Path(file)
    try:
        number, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(number, "w", encoding="utf-8") as stream:
                stream.write(text + "\n")
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
    except (OSError, ValueError) as error:
        raise CheckpointError(f"cannot write {quoted(file)}: {getattr(error, 'strerror', None) or error}") from None


def _sparse(part: np.ndarray) -> dict[str, int]:
    return {str(place): int(part[place]) for place in np.flatnonzero(part)}


def _check(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:16]


def load(file: str, plan: Plan) -> Progress:
    """Read the progress of a plan; CheckpointError if the file is damaged or belongs to another run."""
    try:
        read = json.loads(Path(file).read_bytes())
    except OSError as error:
        raise CheckpointError(f"cannot read {quoted(file)}: {error.strerror}") from None
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict) or read.pop("format", None) != FORMAT:
        raise CheckpointError(f"{quoted(file)} is not a checkpoint of a simulation")
    if read.pop("check", None) != _check(read):
        raise CheckpointError(f"{quoted(file)} is damaged: its checksum does not match")
    saved = _in_todays_terms(file, read, plan)
    if saved.get("kernel") == BY_STREAM:  # the rounds of version 0.1.0 continue as they began
        plan = plan._replace(kernel=BY_STREAM)
    _compare(file, saved, identity(plan))
    empty = no_progress(plan)
    sums = Sums(*(_dense(part, read["sums"][name]) for name, part in empty.sums._asdict().items()))
    done = tuple((first, end) for first, end in read["done"])
    progress = Progress(plan, done, sums, read["seconds"], read["goal"])
    if progress.rounds > plan.rounds:
        played, asked = f"{progress.rounds:,}", f"{plan.rounds:,}"
        raise CheckpointError(f"{quoted(file)} already has {played} rounds, more than the {asked} asked for")
    return progress


def _in_todays_terms(file: str, read: dict[str, Any], plan: Plan) -> Identity:
    """The identity of a checkpoint; rules that play like those of the plan are named as the plan names them.

    A checkpoint carries its rulebook, which must match the recorded digest. Version 0.1.0 wrote a digest
    alone, computed differently, and a hash of the kernel's source in place of its number.
    """
    saved: Identity = read["about"]
    rules, name, digest = pinned(plan.book), str(saved.get("rulebook")), str(saved.get("rules"))
    dealt = OF_THE_SHOE if plan.cut else ()
    try:
        if book := read.get("book"):
            alike = play_digest(pinned(book, digest), dealt) == play_digest(rules, dealt)
        else:
            alike = is_recorded(rules, name, digest, dealt)
    except RulebookError as error:
        raise CheckpointError(f"{quoted(file)}: {error}") from None
    if saved.get("kernel") == KERNEL_0_1_0:
        saved = {**saved, "kernel": BY_STREAM}
    return {**saved, "rulebook": plan.rulebook, "rules": plan.digest} if alike else saved


def _compare(file: str, saved: Identity, asked: Identity) -> None:
    """Raise CheckpointError with the first difference between two runs."""
    for name, words in WORDS.items():
        if saved.get(name) != asked[name]:
            if name in ("strategy", "kernel"):
                raise CheckpointError(f"{quoted(file)} is of another {words}; it cannot be continued with this one")
            raise CheckpointError(f"{quoted(file)} is of another run: {words} {saved.get(name)}, not {asked[name]}")


def _dense(part: np.ndarray, counts: dict[str, int]) -> np.ndarray:
    dense = part.copy()
    for place, count in counts.items():
        dense[int(place)] = count
    return dense
