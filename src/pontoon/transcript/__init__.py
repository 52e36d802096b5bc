"""A round as a file that a pit desk can type and a program can check: read it, replay it, write it."""

from pontoon.transcript.model import Bet, Line, Transcript, TranscriptError
from pontoon.transcript.read import read, read_bytes
from pontoon.transcript.replay import RefusedLine, Replay, replay, rules_of
from pontoon.transcript.result import differences, nets, result
from pontoon.transcript.write import write

__all__ = [
    "Bet",
    "Line",
    "RefusedLine",
    "Replay",
    "Transcript",
    "TranscriptError",
    "differences",
    "nets",
    "read",
    "read_bytes",
    "replay",
    "result",
    "rules_of",
    "write",
]
