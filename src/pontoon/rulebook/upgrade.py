"""Upgrade older formats of a rulebook file to the current one.

A file gives its format in its first key. Files of version 0.1.0 have none and are format 1. A key that a later format
adds has a default here for files of an older one, so that a file written today loads forever.

| format | since | what changed |
| --- | --- | --- |
| 1 | 0.1.0 | side bets as keys of `[side]`, two kinds known to the program |
| 2 | 0.2.0 | `format`; side bets as `[[side]]` with a pay table; `silent` beside a value; clauses are optional |
| 2 | 0.2.0 | remedies as `[[remedy]]`; a file of format 1 has the standard ones |
| 2 | 0.2.0 | the keys of `SINCE_2`, which development versions of 0.2.0 did not have: optional, with these defaults |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FORMAT = 2
"""The format this program writes."""

Data = Mapping[str, Any]
Defaults = Mapping[str, Mapping[str, object]]


def upgrade(data: Data, number: int) -> dict[str, Any]:
    """Convert the tables of a file to format 2."""
    new = _from_1(dict(data)) if number == 1 else _with_defaults(data, SINCE_2)
    new["format"] = FORMAT
    return new


def _with_defaults(data: Data, since: Defaults) -> dict[str, Any]:
    """The tables with these keys, where they are missing."""
    added = {name: {**keys, **_table(data, name)} for name, keys in since.items() if isinstance(data.get(name), dict)}
    return {**data, **added}


# --- format 1 --------------------------------------------------------------------------------------------

PERFECT_ROWS = (
    ("perfect", "perfect pair", ["same rank", "same suit"]),
    ("coloured", "coloured pair", ["same rank", "same colour"]),
    ("mixed", "mixed pair", ["same rank"]),
)
SINCE_2: Defaults = {
    "deal": {"complete": "second_cards"},
    "shoe": {
        "collected": "after_round",
        "round_returns": False,
        "each_set": False,
        "spread_again": False,
        "spread_for": "by_hand",
        "replacements_checked_by": [],
        "ordered": "any",
        "counted": False,
    },
    "cut": {"box": "seat", "discards": "at_once"},
    "irregular": {"reconstruction": "from_call", "left_over": "next_card"},
}
"""Keys that the first files of format 2 do not have, with the values those versions played by."""

SINCE_1: Defaults = {
    "wagers": {"in_chips": False},
    "insurance": {"others_after": "any_time"},
    "draw": {"absent_next": "box"},
    "people": {
        "full_table_alone": "bettor",
        "in_front": False,
        "restricted_silent": False,
        "maximum_for": "bettor",
        "idle_consecutive": False,
    },
    "super_bonus": {"other_excluded": "paid"},
    **SINCE_2,
    "irregular": {
        **SINCE_2["irregular"],
        "dealer_early": "silent",
        "short_others": "any_time",
        "void_wager": "silent",
        "void_cards": "initial_deal",
    },
}
"""Keys that format 1 does not have, with the values version 0.1.0 played by: its logs replay to the same events."""
SILENT_1 = ("restricted_told", "restricted_reported", "dispute_unresolved", "hours")
"""What no table of version 0.1.0 did: citations of `[table]` that format 1 does not have."""
_BET_CITES = ("void", "places", "won", "lost")


def _from_1(data: dict[str, Any]) -> dict[str, Any]:
    side, cites, decks = (_table(data, name) for name in ("side", "cites", "decks"))
    with_pairs = decks.pop("with_perfect_pairs", {"value": []})
    bets = []
    if _offered(side, "perfect_pairs"):
        rows = [_row(name, title, when, side.get(f"perfect_pairs_{name}")) for name, title, when in PERFECT_ROWS]
        own = {"decks": with_pairs, "compulsory": side.get("compulsory"), "pays": rows}
        bets.append(_bet("perfect_pairs", "Perfect Pairs", side, cites) | own)
    if _offered(side, "pairs_play"):
        rows = [_row("pair", "pair", ["same rank"], side.get("pairs_play_any"))]
        bets.append(_bet("pairs_play", "Pairs Play", side, cites) | {"pays": rows})
        if len(bets) > 1:
            clauses = _clauses(side["pairs_play"])
            bets[1]["instead_of"] = {"value": ["perfect_pairs"], "clauses": clauses}
    for name in ("side_wager_placed", "side_wager_once", *_pair_cites()):
        cites.pop(name, None)
    cites["side_bets"] = {"clauses": _clauses(side.get("pairs_play"))}
    new = {
        **_with_defaults(data, SINCE_1),
        "side": [_with_silent("side", bet) for bet in bets],
        "cites": cites,
        "decks": decks,
    }
    if isinstance(new.get("table"), dict):
        new["table"] = {**{key: {"clauses": [], "silent": True} for key in SILENT_1}, **new["table"]}
    return {name: _with_silent(name, table) for name, table in new.items()}


def _table(data: Data, name: str) -> dict[str, Any]:
    found = data.get(name, {})
    return dict(found) if isinstance(found, dict) else {}


def _offered(side: Data, name: str) -> bool:
    entry = side.get(name)
    return isinstance(entry, dict) and entry.get("value") is True


def _clauses(entry: object) -> list[str]:
    return entry.get("clauses", []) if isinstance(entry, dict) else []


def _bet(name: str, title: str, side: Data, cites: Data) -> dict[str, Any]:
    who = side.get("own_wager_needed", {})
    bet = {
        "name": name,
        "title": title,
        "offered": side[name],
        "who": {**who, "value": "bettor" if who.get("value") else "anyone"} if isinstance(who, dict) else who,
        "most_per_box": side.get("most_per_box"),
        "placed": cites.get("side_wager_placed", {}),
        "once": cites.get("side_wager_once", {}),
    }
    return bet | {key: cites.get(f"{name}_{key}", {}) for key in _BET_CITES}


def _row(name: str, title: str, when: list[str], odds: object) -> dict[str, Any]:
    return {"name": name, "title": title, "when": when, "odds": odds}


def _pair_cites() -> tuple[str, ...]:
    return tuple(f"{name}_{key}" for name in ("perfect_pairs", "pairs_play") for key in _BET_CITES)


_NOTED = {"draw": ("absent_by",), "cut": ("missing", "passed")}
"""Keys whose note says that the document is silent."""
_UNCITED = {"table": ("decks_told", "dispute")}
"""Procedures that are not carried out if the document has no clause for them."""


def _with_silent(name: str, table: object) -> object:
    """Add `silent`, which format 1 expressed by a note or by the lack of a clause."""
    if not isinstance(table, dict):
        return table
    return {key: {**entry, "silent": True} if _is_silent(name, key, entry) else entry for key, entry in table.items()}


def _is_silent(name: str, key: str, entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    noted = key in _NOTED.get(name, ()) and "silent" in str(entry.get("note", "")).lower()
    return noted or (entry.get("clauses") == [] and ("value" in entry or key in _UNCITED.get(name, ())))


# --- override keys of format 1 ---------------------------------------------------------------------------


def renamed(key: str, value: object, bets: tuple[str, ...]) -> dict[str, object] | None:
    """An override of version 0.1.0 as current keys and values; None if the key has not changed.

    >>> renamed("side.perfect_pairs", False, ("perfect_pairs",)), renamed("split.max_hands", 4, ())
    ({'side.perfect_pairs.offered': False}, None)
    """
    if key in {"side.perfect_pairs", "side.pairs_play"}:
        name = key.partition(".")[2]
        missing = name not in bets and value is False  # there is nothing to remove
        return {} if missing else {f"{key}.offered": value}
    if key.startswith("side.perfect_pairs_"):
        return {f"side.perfect_pairs.pays.{key.removeprefix('side.perfect_pairs_')}": value}
    if key == "side.own_wager_needed":
        who = "bettor" if value is True else "anyone" if value is False else value
        return {f"side.{name}.who": who for name in bets}
    if key == "side.most_per_box":
        return {f"side.{name}.most_per_box": value for name in bets}
    return {_RENAMED[key]: value} if key in _RENAMED else None


_RENAMED = {
    "side.pairs_play_any": "side.pairs_play.pays.pair",
    "side.compulsory": "side.perfect_pairs.compulsory",
    "decks.with_perfect_pairs": "side.perfect_pairs.decks",
}
_FORMER = {new: old for old, new in _RENAMED.items()}


def former(key: str, value: object) -> tuple[str, object]:
    """The key and value of version 0.1.0 for a current one: the inverse of `renamed`.

    >>> former("side.perfect_pairs.offered", False), former("side.perfect_pairs.pays.mixed", "6:1")
    (('side.perfect_pairs', False), ('side.perfect_pairs_mixed', '6:1'))
    """
    if not key.startswith("side.") or key in _FORMER:
        return _FORMER.get(key, key), value
    bet, _, rest = key.removeprefix("side.").partition(".")
    match rest:
        case "offered":
            return f"side.{bet}", value
        case "who":
            return "side.own_wager_needed", value == "bettor"
        case "most_per_box":
            return "side.most_per_box", value
        case _:
            return f"side.{bet}_{rest.removeprefix('pays.')}", value
