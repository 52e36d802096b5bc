"""Transcripts of rounds as files."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

UNFINISHED = "pontoon-unfinished.prt"


class Keep(Struct, frozen=True):
    """Where rounds are written: one file (with a number from the second round on), or a folder, or both."""

    file: Path | None = None
    folder: Path | None = None

    def places(self, played: int) -> list[Path]:
        """Where the transcript of a round goes; `played` is its number in the session.

        >>> [str(path) for path in Keep(file=Path("round.prt")).places(1)]
        ['round.prt']
        >>> [str(path) for path in Keep(file=Path("round.prt")).places(3)]
        ['round-3.prt']
        """
        found = []
        if self.file is not None:
            name = f"{self.file.stem}-{played}{self.file.suffix}" if played > 1 else self.file.name
            found.append(self.file.with_name(name))
        if self.folder is not None:
            found.append(_next_in(self.folder))
        return found

    def write(self, text: str, played: int, *, finished: bool = True) -> list[str]:
        """Write a round and return a message about it. An unfinished one is written even if none was requested."""
        said = []
        for path in self.places(played) or ([] if finished else [_unused(Path(UNFINISHED))]):
            try:
                path.write_text(text, "utf-8")
            except OSError as error:
                said.append(f"{path.name} could not be written: {error.strerror}")
            else:
                said += [] if finished else [f"The round as far as it went is saved in {path}"]
        return said


def _next_in(folder: Path) -> Path:
    """A transcript holds one round, so each has a file; those of earlier sessions stay."""
    numbers = [int(file.stem[6:]) for file in folder.glob("round-*.prt") if file.stem[6:].isdecimal()]
    return folder / f"round-{max(numbers, default=0) + 1:04d}.prt"


def _unused(path: Path) -> Path:
    """This name, with a number if it is taken."""
    number = 1
    found = path
    while found.exists():
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found
