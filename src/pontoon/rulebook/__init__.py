"""Rules as data: one TOML file a document, every value with its clause; the register of every clause."""

from pontoon.rulebook.canonical import canonical, digest, pinned, play_digest
from pontoon.rulebook.faults import Fault, RulebookError
from pontoon.rulebook.library import NAMES, is_path, is_recorded, load, recorded
from pontoon.rulebook.overrides import override, parse_setting, plain_value
from pontoon.rulebook.reader import check, read
from pontoon.rulebook.schema import Clauses, Override, RemedyRow, Rulebook, SideBet, Source
from pontoon.rulebook.writer import to_toml

__all__ = [
    "NAMES",
    "Clauses",
    "Fault",
    "Override",
    "RemedyRow",
    "Rulebook",
    "RulebookError",
    "SideBet",
    "Source",
    "canonical",
    "check",
    "digest",
    "is_path",
    "is_recorded",
    "load",
    "override",
    "parse_setting",
    "pinned",
    "plain_value",
    "play_digest",
    "read",
    "recorded",
    "to_toml",
]
