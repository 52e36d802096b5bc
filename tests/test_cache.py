"""The cache is writable only by its owner, and files are never half written."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from pontoon import cache


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PONTOON_CACHE", str(tmp_path / "named"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()


def test_a_folder_is_named_by_its_sources(tmp_path: Path):
    source = tmp_path / "one.py"
    source.write_text("a = 1")
    first = cache.folder("games", source)
    assert first.parent == tmp_path / "named" / "pontoon"
    assert cache.folder("games", tmp_path) == first  # a folder is hashed by its source files
    source.write_text("a = 2")
    assert cache.folder("games", source) != first
    assert first.stat().st_mode & 0o077 == 0


def test_a_place_that_others_can_write_is_not_trusted(tmp_path: Path):
    ours = cache.folder("games")
    ours.chmod(0o777)
    other = cache.folder("games")
    assert other.parent.parent == tmp_path / "temporary"
    other.chmod(0o777)
    assert cache.folder("games").name.startswith("pontoon-")


def test_a_home_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PONTOON_CACHE", str(tmp_path / "file"))
    assert (tmp_path / "temporary") in cache.folder("games").parents


def test_nobody_is_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("PONTOON_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)

    def lost() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", lost)
    assert (tmp_path / "temporary") in cache.folder("games").parents


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "named" / "file"
    cache.put(file, b"first")
    cache.put(file / "below", b"in no folder")

    def full(*_: object) -> None:
        raise OSError

    with monkeypatch.context() as broken:
        broken.setattr(os, "fdopen", full)
        cache.put(file, b"second")
    assert file.read_bytes() == b"first"
    assert list(file.parent.iterdir()) == [file]


def test_analysis_and_simulation_keep_their_code_apart():
    from pontoon.analysis import jit as analysis
    from pontoon.analysis import kernels
    from pontoon.simulation import jit as simulation
    from pontoon.simulation import kernel

    for module, folder in ((kernels, analysis.FOLDER), (kernel, simulation.FOLDER)):
        functions = [var for var in vars(module).values() if hasattr(var, "py_func")]
        assert functions
        for function in functions:
            assert Path(function._cache.cache_path).is_relative_to(folder)
