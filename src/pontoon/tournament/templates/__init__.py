"""Conditions to begin with, as files: read by name, to be changed by the operator."""

from __future__ import annotations

from importlib.resources import files

NAMES = ("evening", "points", "sit-and-go", "buy-backs")
"""A club evening, a points tournament, a sit-and-go, a knock-out with a repechage and buy-backs."""


def template(name: str) -> str:
    """The text of a template."""
    return files(__name__).joinpath(f"{name}.toml").read_text("utf-8")
