"""What is known of a run as a file, so that it can be continued: written whole or not at all, read with suspicion."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from pontoon.rulebook import Rulebook, digest
from pontoon.shown import shown
from pontoon.simulation import kernel
from pontoon.simulation.campaign import Known, nothing
from pontoon.simulation.compile import Compiled
from pontoon.simulation.kernel import Sums
from pontoon.simulation.local import Plan, SimulationError

FORMAT = "pontoon-checkpoint-1"
WORDS = {
    "rulebook": "rulebook",
    "rules": "rules digest",
    "decks": "packs",
    "boxes": "boxes",
    "stake": "stake in cents",
    "cut": "cutting card after so many cards",
    "seed": "seed",
    "strategy": "strategy",
    "kernel": "version of pontoon",
}
"""What makes a run another run, in the order in which to say so."""
KERNEL = hashlib.sha256(Path(kernel.__file__).read_bytes()).hexdigest()[:16]
"""A name for the source of the kernel: what a seed means stands there."""


class CheckpointError(SimulationError):
    """A checkpoint that cannot be written, read or continued; the message is one line for a person."""


def identity(plan: Plan, rules: Rulebook) -> dict[str, str | int]:
    """All that the counts of a run depend on, the number of its rounds apart."""
    return {
        "rulebook": rules.about.name,
        "rules": digest(rules),
        "decks": plan.decks,
        "boxes": plan.boxes,
        "stake": plan.compiled.stake,
        "cut": plan.cut,
        "seed": plan.seed,
        "strategy": tables_digest(plan.compiled),
        "kernel": KERNEL,
    }


def tables_digest(compiled: Compiled) -> str:
    """A name for rules and strategy as they were compiled: what the counts are numbered by."""
    found = hashlib.sha256()
    arrays = (*compiled.tables, compiled.end_net, compiled.end_label, compiled.end_up, compiled.end_bonus)
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    found.update(repr((compiled.numbers, compiled.labels, compiled.classes)).encode())
    return found.hexdigest()[:16]


def save(file: str, about: dict[str, str | int], known: Known) -> None:
    """Write what is known beside the file, then put it in its place: there is never half a checkpoint."""
    assert not known.extra, "a stream that was not played to its end cannot be continued"
    body: dict[str, Any] = {
        "about": about,
        "rounds": known.rounds,
        "done": known.done,
        "goal": known.goal,
        "seconds": known.seconds,
        "sums": {name: _sparse(part) for name, part in known.sums._asdict().items()},
    }
    text = json.dumps({"format": FORMAT, "check": _check(body), **body}, indent=1)
    target = Path(file)
    try:
        number, beside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(number, "w", encoding="utf-8") as stream:
                stream.write(text + "\n")
                stream.flush()
                os.fsync(stream.fileno())
            Path(beside).replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(beside).unlink()
            raise
    except (OSError, ValueError) as error:
        raise CheckpointError(f"cannot write {shown(file)}: {getattr(error, 'strerror', None) or error}") from None


def _sparse(part: np.ndarray) -> dict[str, int]:
    return {str(place): int(part[place]) for place in np.flatnonzero(part)}


def _check(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:16]


def load(file: str, about: dict[str, str | int], plan: Plan) -> Known:
    """Read what is known; refuse a file that is damaged, or of a run that is not the one asked for."""
    try:
        read = json.loads(Path(file).read_bytes())
    except OSError as error:
        raise CheckpointError(f"cannot read {shown(file)}: {error.strerror}") from None
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict) or read.pop("format", None) != FORMAT:
        raise CheckpointError(f"{shown(file)} is not a checkpoint of a simulation")
    if read.pop("check", None) != _check(read):
        raise CheckpointError(f"{shown(file)} is damaged: its sum does not fit")
    _compare(file, read["about"], about)
    empty = nothing(plan)
    sums = Sums(*(_dense(part, read["sums"][name]) for name, part in empty.sums._asdict().items()))
    done = tuple((first, end) for first, end in read["done"])
    known = Known(done, sums, read["seconds"], read["goal"])
    if known.rounds > plan.rounds:
        played, asked = f"{known.rounds:,}", f"{plan.rounds:,}"
        raise CheckpointError(f"{shown(file)} already has {played} rounds, more than the {asked} asked for")
    return known


def _compare(file: str, read: dict[str, str | int], about: dict[str, str | int]) -> None:
    for name, words in WORDS.items():
        if read.get(name) != about[name]:
            if name in ("strategy", "kernel"):
                raise CheckpointError(f"{shown(file)} is of another {words}; it cannot be continued with this one")
            raise CheckpointError(f"{shown(file)} is of another run: {words} {read.get(name)}, not {about[name]}")


def _dense(part: np.ndarray, counts: dict[str, int]) -> np.ndarray:
    dense = part.copy()
    for place, count in counts.items():
        dense[int(place)] = count
    return dense
