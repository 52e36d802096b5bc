"""Rules as data: one TOML file a document, every value with its clause; the register of every clause."""

from pontoon.rulebook.load import NAMES, RulebookError, digest, load, override, parse_setting, plain_value
from pontoon.rulebook.schema import Clauses, Override, Rulebook, Source

__all__ = [
    "NAMES",
    "Clauses",
    "Override",
    "Rulebook",
    "RulebookError",
    "Source",
    "digest",
    "load",
    "override",
    "parse_setting",
    "plain_value",
]
