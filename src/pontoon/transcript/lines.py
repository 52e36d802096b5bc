"""Reading one action line: `WHO VERB [ARGUMENT]`, actor first.

>>> line = read_line("b4/Bob double 5", {4: ("Ann", "Bob")})
>>> line.box, line.player, line.verb, line.amount
(4, 'Bob', 'double', 500)
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from pontoon.cards import Card, UnknownCardError, read_card
from pontoon.money import MoneyError, cents
from pontoon.quoting import quoted
from pontoon.transcript.model import Line, TranscriptError

Seats = Mapping[int, tuple[str, ...]]
"""The bettors of each box."""

_WHO = re.compile(r"b([0-9]{1,3})(?:/|\s+|$)")
HAND_VERBS = ("hit", "stand", "double", "split", "surrender", "absent", "forfeit", "keep", "refuse", "withdraw")
BETTOR_VERBS = (
    "insure",
    "no",
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
_BURN = {"burn": "dealer burn 7d", "burned": "dealer burned 7d in error"}
_RULINGS = {
    "exposed": "dealer exposed",
    "omitted": "dealer omitted insurance or dealer omitted surrender b1/Ann",
    "skipped": "dealer skipped b1 or dealer skipped dealer",
    "missed": "dealer missed b1 or dealer missed b1.2",
    "put": "dealer put right b1",
}
_VOID = {"void": "supervisor void b3, supervisor void b3.2, supervisor void b3/Ann or supervisor void round"}
OFFICIALS = {
    "dealer": {**_BURN, **_RULINGS, "noticed": "dealer noticed b1", "goes": "dealer goes on"},
    "supervisor": _VOID,
    "house": {verb: f"house{text[text.index(' ') :]}" for verb, text in (_BURN | _RULINGS | _VOID).items()},
}
"""What the dealer, a supervisor and, if the document is silent, the house may write, each with an example."""

WHAT = {
    "exposed": ("",),
    "omitted": ("insurance", "surrender"),
    "skipped": ("dealer",),
    "goes": ("on",),
    "void": ("round",),
}
ABOUT_A_BOX = ("skipped", "noticed", "void", "missed", "put", "omitted")
ABOUT_A_HAND = ("void", "missed", "put")
ABOUT_A_BETTOR = ("void", "omitted")
TIMED = ("exposed", "missed", "noticed", "void")
"""Verbs that may be followed by `at 5`: when five cards had left the shoe."""
MOST_CARDS = 385
_PLACE = re.compile(r"b([0-9]{1,3})(?:\.([1-9]))?")
_AT = re.compile(r"(?:^|\s+)at ([0-9]{1,3})$")
_BURN_TAIL = {"burn": re.compile(r"(early|left over)?\s*(\S*)"), "burned": re.compile(r"in\s+error\s*(\S*)")}


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
    """A line of the dealer, a supervisor or the house: an irregularity or a ruling."""
    who, verb = (*words, "")[:2]
    known = OFFICIALS[who]
    if verb not in known:
        reason = f"unknown line; a {who} line is one of {', '.join(known.values())}"
        raise TranscriptError(place, reason)
    rest = " ".join(words[2:])
    if verb in _BURN:
        return _burn(Line(text, 0, who, verb), rest, place, known[verb])
    at = _AT.search(rest) if verb in TIMED else None
    line = Line(text, 0, who, verb, at=int(at[1]) if at else -1)
    what = rest[: at.start()] if at else rest
    if what in WHAT.get(verb, ()):
        return replace(line, what=what)
    found = _about(line, what.removeprefix("right ") if verb == "put" else what, seats, place)
    if found is None or (verb == "put" and not what.startswith("right ")):
        box = ", with a box that has a bet" if verb in ABOUT_A_BOX else ""
        raise TranscriptError(place, f"write it as in {known[verb]!r}{box}")
    return found


def _burn(line: Line, rest: str, place: str, example: str) -> Line:
    """A card burned, why, and which card of the shoe it is."""
    face, _, tail = rest.partition(" ")
    match = _BURN_TAIL[line.verb].fullmatch(tail)
    if match is None:
        raise TranscriptError(place, f"write it as in {example!r}")
    why, number = (match[1], match[2]) if line.verb == "burn" else (None, match[1])
    verb = {None: line.verb, "early": "burn_early", "left over": "burn_left_over"}[why]
    return replace(line, verb=verb, amount=_ordinal(number, place), what=_card(face, place))


def _about(line: Line, what: str, seats: Seats, place: str) -> Line | None:
    """The line with the box, hand or bettor it is about; None if it does not name what it should."""
    if line.verb == "omitted":
        offer, _, what = what.partition(" ")
        if offer not in WHAT["omitted"]:
            return None
        line = replace(line, what=offer)
    if "/" in what and line.verb in ABOUT_A_BETTOR:
        box, player, rest = _who(what, seats, place)
        return None if rest else replace(line, for_box=box, for_player=player)
    match = _PLACE.fullmatch(what) if line.verb in ABOUT_A_BOX and line.verb != "omitted" else None
    if match is None or int(match[1]) not in seats or (match[2] and line.verb not in ABOUT_A_HAND):
        return None
    return replace(line, for_box=int(match[1]), hand=int(match[2] or 0))


def _ordinal(word: str, place: str) -> int:
    """Which card of the shoe is meant if its face alone does not identify it; 0 if not stated."""
    if word and not (word.isascii() and word.isdigit() and len(word) < 4 and 0 < int(word) <= MOST_CARDS):
        raise TranscriptError(place, "the number of the card in the shoe is not clear, as in 'dealer burn 7d 4'")
    return int(word) if word else 0


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
    raise TranscriptError(place, f"no such bettor on box {box}; its bettors are {', '.join(seats[box])}")


def _with_argument(line: Line, argument: str, seats: Seats, place: str) -> Line:
    match line.verb:
        case "insure":
            for_box, for_player, amount = line.box, line.player, argument
            if _WHO.match(argument) and "/" in argument:
                for_box, for_player, amount = _who(argument, seats, place)
            return Line(line.text, line.box, line.player, "insure", _amount(amount, place), for_box, for_player)
        case "double" if argument:
            return Line(line.text, line.box, line.player, "double", _amount(argument, place))
        case "no" if argument == "insurance":
            return line
        case "no":
            raise TranscriptError(place, "write it as in 'b1/Ann no insurance'")
        case "absent" if argument == "no cards":
            return replace(line, what=argument)
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
