"""Reading one action line: `WHO VERB [ARGUMENT]`, actor first.

>>> line = read_line("b4/Bob double 5", {4: ("Ann", "Bob")})
>>> line.box, line.player, line.verb, line.amount
(4, 'Bob', 'double', 500)
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pontoon.cards import Card, UnknownCardError, read_card
from pontoon.money import MoneyError, cents
from pontoon.quoting import quoted
from pontoon.transcript.model import Line, TranscriptError

Seats = Mapping[int, tuple[str, ...]]
"""Who has bets on each box."""

_WHO = re.compile(r"b([0-9]{1,3})(?:/|\s+|$)")
HAND_VERBS = ("hit", "stand", "double", "split", "surrender", "absent", "forfeit", "keep", "refuse", "withdraw")
BETTOR_VERBS = (
    "insure",
    "double",
    "split",
    "ride",
    "forfeit",
    "keep",
    "surrender",
    "play",
    "hit",
    "stand",
    "absent",
    "refuse",
    "withdraw",
)
OFFICIALS = {
    "dealer": {
        "burn": "dealer burn 7d",
        "exposed": "dealer exposed",
        "omitted": "dealer omitted insurance or dealer omitted surrender",
        "skipped": "dealer skipped b1 or dealer skipped dealer",
        "noticed": "dealer noticed b1",
        "goes": "dealer goes on",
    },
    "supervisor": {"void": "supervisor void b3 or supervisor void round"},
}
"""What the dealer and a supervisor may write, each with an example."""

WHAT = {
    "exposed": ("",),
    "omitted": ("insurance", "surrender"),
    "skipped": ("dealer",),
    "noticed": (),
    "goes": ("on",),
    "void": ("round",),
}
ABOUT_A_BOX = ("skipped", "noticed", "void")
LONGEST_OFFICIAL = 3
MOST_CARDS = 385


def read_line(text: str, seats: Seats) -> Line:
    """Read one action line; the bettors of each box are known, so a name may have spaces."""
    place = f"action {quoted(text)}"
    words = text.split()
    if words and words[0] in OFFICIALS:
        return _official(text, words, seats, place)
    box, player, rest = _who(text.strip(), seats, place)
    verb, argument = (*rest.split(None, 1), "", "")[:2]
    known = BETTOR_VERBS if player else HAND_VERBS
    if verb not in known:
        reason = f"unknown verb {quoted(verb)}; here it may be {', '.join(known)}"
        raise TranscriptError(place, reason)
    return _with_argument(Line(text, box, player, verb), argument.strip(), seats, place)


def _official(text: str, words: list[str], seats: Seats, place: str) -> Line:
    """A line of the dealer or a supervisor: an irregularity or a ruling."""
    who, verb, what = (*words, "", "")[:3]
    known = OFFICIALS[who]
    if verb not in known or len(words) > LONGEST_OFFICIAL + (verb == "burn"):
        reason = f"unknown line; a {who} line is one of {', '.join(known.values())}"
        raise TranscriptError(place, reason)
    if verb == "burn":
        return Line(text, 0, who, verb, amount=_ordinal(words[3:], place), what=_card(what, place))
    if what in WHAT[verb]:
        return Line(text, 0, who, verb, what=what)
    match = _WHO.fullmatch(what) if verb in ABOUT_A_BOX else None
    if match is None or int(match[1]) not in seats:
        box = ", with a box that has a bet" if verb in ABOUT_A_BOX else ""
        raise TranscriptError(place, f"write it as in {known[verb]!r}{box}")
    return Line(text, 0, who, verb, for_box=int(match[1]))


def _ordinal(words: list[str], place: str) -> int:
    """Which card of the shoe is meant, where its face alone would not tell; 0 when nothing is said."""
    if words and not (words[0].isascii() and words[0].isdigit() and 0 < int(words[0]) <= MOST_CARDS):
        raise TranscriptError(place, "the number of the card in the shoe is not clear, as in 'dealer burn 7d 4'")
    return int(words[0]) if words else 0


def _card(text: str, place: str) -> Card:
    try:
        return read_card(text)
    except UnknownCardError as error:
        raise TranscriptError(place, str(error)) from None


def _who(text: str, seats: Seats, place: str) -> tuple[int, str, str]:
    """Box, player (empty for the controller) and what follows."""
    match = _WHO.match(text)
    if match is None:
        raise TranscriptError(place, "who acts is not clear; a line begins as in 'b4 hit' or 'b4/Bob forfeit'")
    box = int(match[1])
    if box not in seats:
        raise TranscriptError(place, f"nobody has a bet on box {box}")
    rest = text[match.end() :]
    if not match[0].endswith("/"):
        return box, "", rest.strip()
    for player in sorted(seats[box], key=len, reverse=True):
        if rest == player or rest.startswith(player + " "):
            return box, player, rest[len(player) :].strip()
    raise TranscriptError(place, f"no such bettor on box {box}; there are {', '.join(seats[box])}")


def _with_argument(line: Line, argument: str, seats: Seats, place: str) -> Line:
    match line.verb:
        case "insure":
            for_box, for_player, amount = line.box, line.player, argument
            if _WHO.match(argument) and "/" in argument:
                for_box, for_player, amount = _who(argument, seats, place)
            return Line(line.text, line.box, line.player, "insure", _amount(amount, place), for_box, for_player)
        case "double" if argument:
            return Line(line.text, line.box, line.player, "double", _amount(argument, place))
        case "ride":
            if argument not in ("1", "2"):
                raise TranscriptError(place, "ride names a hand of the split, 1 or 2")
            return Line(line.text, line.box, line.player, "ride", int(argument))
        case _:
            pass
    if argument:
        raise TranscriptError(place, f"{line.verb} takes no argument, not {quoted(argument)}")
    return line


def _amount(text: str, place: str) -> int:
    try:
        amount = cents(text)
    except MoneyError as error:
        raise TranscriptError(place, str(error)) from None
    if not amount:
        raise TranscriptError(place, "an amount must be more than nothing")
    return amount
