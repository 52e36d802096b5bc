"""Reading a transcript: TOML in, data out, one clear line for anything else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

from pontoon.cards import JOKER, Card, UnknownCardError, read_card
from pontoon.engine import Limits, SideLimits
from pontoon.money import MoneyError, cents
from pontoon.quoting import quoted
from pontoon.rulebook import NAMES, is_path
from pontoon.transcript.lines import read_line
from pontoon.transcript.model import Bet, Line, Transcript, TranscriptError

LARGEST = 100_000
"""Bytes: a round of seven boxes takes a few thousand."""
MOST_DOTS = 500
"""In one line: a key of thousands of dotted parts would keep the TOML reader busy for minutes."""
MOST_ENTRIES = 2000
MOST_BOX = 7
LONGEST_NAME = 64
MOST_DECKS = 8
_KEYS = {"rulebook", "digest", "book", "cards", "actions", "options", "bets", "paid"}
_BET_KEYS = ("box", "player", "stake")
_LIMITS = ("minimum", "maximum", "smallest_chip", "box_maximum", "player_maximum")
_RENAMED = {"third_party_insurance": "insurance.third_party"}
_SIDE_LIMIT = re.compile(r"([a-z][a-z0-9_]{0,31})_(minimum|maximum)")


def read_bytes(data: bytes, folder: str = "") -> Transcript:
    """Read a transcript from the bytes of a file; paths in it begin at `folder`."""
    if len(data) > LARGEST:
        raise TranscriptError("file", f"more than {LARGEST} bytes; no round is that long")
    try:
        return read(data.decode("utf-8-sig"), folder)
    except UnicodeDecodeError:
        raise TranscriptError("file", "not UTF-8 text") from None


def read(text: str, folder: str = "") -> Transcript:
    """Read a transcript from its text."""
    if any(line.count(".") > MOST_DOTS for line in text.splitlines() if not line.startswith(("#", "book = "))):
        raise TranscriptError("file", "not TOML: a line of more dots than any transcript has")
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of more digits than Python reads
        raise TranscriptError("file", f"not TOML: {str(error).splitlines()[0]}") from None
    _known(data, _KEYS, "file")
    if "rulebook" not in data:
        raise TranscriptError("rulebook", f"missing; it is one of {', '.join(NAMES)}")
    rulebook, book, digest = data["rulebook"], data.get("book", ""), data.get("digest", "")
    if not isinstance(book, str):
        raise TranscriptError("book", "the canonical text of a rulebook is needed")
    if not isinstance(digest, str):
        raise TranscriptError("digest", "the digest of the rules is a text")
    if not isinstance(rulebook, str) or not (book or rulebook in NAMES or is_path(rulebook)):
        raise TranscriptError("rulebook", f"{quoted(rulebook)} is not one of {', '.join(NAMES)}, nor a TOML file")
    bets = _bets(data.get("bets"))
    decks, limits, overrides = _options(data.get("options", {}))
    return Transcript(
        rulebook=rulebook,
        cards=_cards(data.get("cards")),
        bets=bets,
        lines=_lines(data.get("actions", []), bets),
        decks=decks,
        limits=limits,
        overrides=overrides,
        paid=_paid(data.get("paid", {}), bets),
        book=book,
        digest=digest,
        folder=folder,
    )


def _known(data: Mapping[str, object], known: set[str], place: str) -> None:
    for key in data:
        if key not in known:
            raise TranscriptError(place, f"unknown key {quoted(key)}; known are {', '.join(sorted(known))}")


def _money(value: object, place: str) -> int:
    try:
        return cents(value)
    except MoneyError:
        reason = f'{quoted(value)} is not money; write a decimal string in dollars, as in "7.50"'
        raise TranscriptError(place, reason) from None


def _cards(value: object) -> tuple[Card, ...]:
    if not isinstance(value, str):
        raise TranscriptError("cards", 'a string of cards is needed, as in "7s Ah 7d"')
    words = value.split()
    if len(words) > MOST_ENTRIES:
        raise TranscriptError("cards", f"{len(words)} cards are more than any shoe holds")
    try:
        return tuple(JOKER if word == JOKER else read_card(word) for word in words)
    except UnknownCardError as error:
        raise TranscriptError("cards", str(error)) from None


def _lines(value: object, bets: tuple[Bet, ...]) -> tuple[Line, ...]:
    if not isinstance(value, list) or not all(isinstance(line, str) for line in value):
        raise TranscriptError("actions", 'a list of lines is needed, as in ["b1 hit", "b1 stand"]')
    if len(value) > MOST_ENTRIES:
        raise TranscriptError("actions", f"{len(value)} lines are more than a round can have")
    seats: dict[int, tuple[str, ...]] = {}
    for bet in bets:
        seats[bet.box] = (*seats.get(bet.box, ()), bet.player)
    return tuple(read_line(line, seats) for line in value)


def _options(value: object) -> tuple[int, Limits, dict[str, object]]:
    if not isinstance(value, dict):
        raise TranscriptError("options", "a table is needed")
    amounts = {key: _money(raw, f"options.{key}") for key, raw in value.items() if key in _LIMITS}
    overrides = {_RENAMED.get(str(key), str(key)): raw for key, raw in value.items() if "." in key or key in _RENAMED}
    side: dict[str, dict[str, int]] = {}
    for key in value.keys() - amounts.keys() - overrides.keys() - _RENAMED.keys() - {"decks"}:
        place = f"options.{quoted(key)[1:-1]}"
        limit = _SIDE_LIMIT.fullmatch(key)
        if limit is None:
            hint = '; a key of the rulebook stands in quotes, as in "split.max_hands" = 4'
            known = ", ".join(("decks", *_LIMITS, "third_party_insurance", "perfect_pairs_minimum"))
            raise TranscriptError(place, f"unknown option; known are {known}{hint}")
        side.setdefault(limit[1], {})[limit[2]] = _money(value[key], place)
    limits = Limits(**amounts, side=tuple(SideLimits(bet, **side[bet]) for bet in sorted(side)))
    signs = [("", limits.minimum, limits.maximum)]
    signs += [(f"{sign.bet}_", sign.minimum, sign.maximum) for sign in limits.side]
    for name, minimum, maximum in signs:
        if maximum and minimum > maximum:
            raise TranscriptError(f"options.{name}minimum", "the minimum is above the maximum")
    if limits.maximum % 2:
        raise TranscriptError("options.maximum", "an odd number of cents cannot be halved")
    return _decks(value), limits, overrides


def _decks(options: dict[str, object]) -> int:
    raw = options.get("decks", 0)
    if "decks" in options and (type(raw) is not int or not 1 <= raw <= MOST_DECKS):
        raise TranscriptError("options.decks", f"{quoted(raw)} is not a number of packs from 1 to {MOST_DECKS}")
    return int(str(raw))


def _bets(value: object) -> tuple[Bet, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(bet, dict) for bet in value):
        raise TranscriptError("bets", "at least one [[bets]] table is needed")
    if len(value) > MOST_ENTRIES:
        raise TranscriptError("bets", f"{len(value)} bets are more than a table takes")
    return tuple(_bet(bet, f"bet {number}") for number, bet in enumerate(value, 1))


def _bet(data: dict[str, object], place: str) -> Bet:
    box, player = data.get("box"), data.get("player")
    if type(box) is not int or not 1 <= box <= MOST_BOX:
        raise TranscriptError(place, f"box {quoted(box)} is not a number from 1 to {MOST_BOX}")
    if not isinstance(player, str) or not player.strip() or not player.isprintable() or len(player) > LONGEST_NAME:
        reason = f"player {quoted(player)} is not a name of at most {LONGEST_NAME} printable characters"
        raise TranscriptError(place, reason)
    if "stake" not in data:
        raise TranscriptError(place, 'a stake is missing, as in stake = "25"')
    stake = _money(data["stake"], f"{place} stake")
    if stake % 2:
        raise TranscriptError(f"{place} stake", "an odd number of cents cannot be halved")
    unknown = next((key for key in data if key not in _BET_KEYS and not isinstance(data[key], str)), None)
    if unknown is not None:
        reason = f"unknown key {quoted(unknown)}; known are {', '.join(_BET_KEYS)} and the side bets of the rulebook"
        raise TranscriptError(place, reason)
    side = tuple((kind, _money(data[kind], f"{place} {quoted(kind)[1:-1]}")) for kind in data if kind not in _BET_KEYS)
    if any(not amount for _, amount in side) or (not stake and not side):
        raise TranscriptError(place, "nothing is staked")
    return Bet(box, player.strip(), stake, side)


def _paid(value: object, bets: tuple[Bet, ...]) -> dict[str, int]:
    if not isinstance(value, dict):
        raise TranscriptError("paid", 'a table of player = "amount" is needed')
    players = {bet.player for bet in bets}
    paid = {}
    for player, raw in value.items():
        if player not in players:
            raise TranscriptError("paid", f"{quoted(player)} has no bet in this round")
        negative = isinstance(raw, str) and raw.startswith("-")
        amount = _money(raw[1:] if isinstance(raw, str) and raw[:1] in "+-" else raw, f"paid.{player}")
        paid[player] = -amount if negative else amount
    return paid
