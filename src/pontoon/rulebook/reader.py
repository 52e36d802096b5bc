"""Read a rulebook: check every key, type and contradiction, and report all faults together."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from pontoon.money import MoneyError, Odds
from pontoon.quoting import quoted
from pontoon.rulebook.contradictions import contradictions
from pontoon.rulebook.faults import Fault, RulebookError, fault, refuse, with_lines
from pontoon.rulebook.remedies import read_remedies
from pontoon.rulebook.schema import CITES, SECTIONS, About, Override, Rulebook, Section, Source
from pontoon.rulebook.section import Clauses
from pontoon.rulebook.side_bets import (
    CITE_FIELDS,
    KEPT_NAMES,
    LOOKS,
    OPTIONAL,
    VALUE_FIELDS,
    VOCABULARY,
    Condition,
    PayRow,
    SideBet,
    read_condition,
)
from pontoon.rulebook.upgrade import FORMAT, upgrade
from pontoon.rulebook.values import WrongValueError, field, fields, read_value

Data = Mapping[str, Any]

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
BET_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
MOST_BETS = 8
MOST_ROWS = 24
LONGEST_TEXT = 200


def read(text: str, file: str) -> Rulebook:
    """Read the text of a rulebook file; error messages name `file`."""
    return read_data(_toml(text, file), file)


def check(text: str, file: str) -> tuple[Fault, ...]:
    """All faults in the text of a rulebook file, with line numbers; empty if there are none."""
    try:
        read(text, file)
    except RulebookError as error:
        return with_lines(text, error.faults)
    return ()


def _toml(text: str, file: str) -> Data:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        words = str(error) or type(error).__name__
        raise refuse(file, [Fault("", f"not TOML: {words}", line=_line_of(words))]) from None


def _line_of(words: str) -> int:
    found = re.search(r"at line (\d+)", words)
    return int(found[1]) if found else 0


def read_data(data: Data, file: str, overrides: tuple[Override, ...] = ()) -> Rulebook:
    """The rulebook from the tables of a file, in this format or an older one."""
    number = data.get("format", 1)
    if type(number) is not int or number < 1:
        raise refuse(file, [fault("format", "a whole number is needed", value=number, example=str(FORMAT))])
    if number > FORMAT:
        newer = f"this program reads rulebooks up to format {FORMAT}; install a newer version"
        raise refuse(file, [Fault("format", newer, str(number))])
    reader = _Reader()
    book = reader.book(upgrade(data, number), overrides)
    bets_read = not any(found.key.startswith("side") for found in reader.faults)
    if book is not None and bets_read:  # without a bet that could not be read others would seem to contradict it
        reader.faults += contradicted(book)
    if book is None or reader.faults:
        raise refuse(file, reader.faults)
    return book


def contradicted(book: Rulebook) -> list[Fault]:
    """The contradictions in a rulebook as faults; each message starts with its key."""
    parts = (words.partition(" ") for words in contradictions(book))
    return [fault(key, reason) for key, _, reason in parts]


class _Reader:
    """Collects the values, their sources, and the faults."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.sources: dict[str, Source] = {}

    def book(self, data: Data, overrides: tuple[Override, ...]) -> Rulebook | None:
        """The rulebook; None if something is missing."""
        self._keys("", data, {"format", "about", *SECTIONS}, {"side", "remedy", *CITES})
        about = self._about(data["about"]) if "about" in data else None
        sections = {name: self._section(name, kind, data.get(name, {})) for name, kind in SECTIONS.items()}
        side = self._bets(data.get("side", []), sections)
        cites = {name: self._cites(name, kind, data.get(name, {})) for name, kind in CITES.items()}
        remedies, wrong = read_remedies(data.get("remedy", []))
        self.faults += wrong
        if about is None or None in sections.values():
            return None
        own = {"sources": self.sources, "overrides": overrides, "remedies": remedies}
        return Rulebook(about=about, side=side, **own, **cites, **sections)  # type: ignore[arg-type]

    # --- tables ------------------------------------------------------------------------------------------

    def _keys(self, place: str, data: object, wanted: set[str], may: set[str] = frozenset()) -> bool:  # type: ignore[assignment]
        """Whether this is a table; missing and unknown keys are added to the faults."""
        name = place.rstrip(".")
        if not isinstance(data, dict):
            self.faults.append(fault(name, "a table is needed", value=data, example=f"[{name}]"))
            return False
        known = ", ".join(sorted(wanted | may))
        for key, value in data.items():
            if key not in wanted | may:
                self.faults.append(
                    fault(f"{place}{quoted(key)[1:-1]}", f"unknown key; known here: {known}", value=value)
                )
        for key in sorted(wanted - set(data)):
            self.faults.append(fault(f"{place}{key}", "is missing; write it", example=_missing(place, key)))
        return wanted <= set(data)

    def _about(self, data: object) -> About | None:
        if not self._keys("about.", data, set(About.__struct_fields__)):
            return None
        assert isinstance(data, dict)
        texts = {key: self._text(f"about.{key}", data[key], "The Star") for key in About.__struct_fields__}
        if texts["name"] and not NAME.fullmatch(texts["name"]):
            wanted = "a short name in small letters, digits and hyphens is needed"
            self.faults.append(fault("about.name", wanted, value=data["name"], example='"my-casino"'))
        return About(**texts)

    def _text(self, key: str, value: object, example: str) -> str:
        if isinstance(value, str) and value and len(value) <= LONGEST_TEXT and value.isprintable():
            return value
        self.faults.append(fault(key, "a line of text is needed", value=value, example=f'"{example}"'))
        return ""

    def _section(self, name: str, kind: type[Section], data: object) -> Section | None:
        if not self._keys(f"{name}.", data, set(kind.__struct_fields__)):
            return None
        assert isinstance(data, dict)
        before = len(self.faults)
        values = {key: self._value(f"{name}.{key}", kind, key, data[key]) for key in kind.__struct_fields__}
        return kind(**values) if len(self.faults) == before else None

    def _value(self, key: str, kind: type[Section], name: str, entry: object) -> object:
        says, wanted = field(kind, name)
        raw, self.sources[key] = self._entry(key, entry)
        return self._read(key, raw, wanted, says)

    def _read(self, key: str, raw: object, wanted: object, says: Any) -> object:  # noqa: ANN401 a sentence, or odds
        try:
            return read_value(raw, wanted, says)
        except WrongValueError as error:
            self.faults.append(fault(key, f"{error.args[0]} is needed", value=raw, example=says.example))
            return None

    def _entry(self, key: str, entry: object) -> tuple[object, Source]:
        """Read a value, alone or in a table with its clauses, a note, and whether the document is silent."""
        if not isinstance(entry, dict):
            return entry, Source(())
        self._keys(f"{key}.", entry, {"value"}, {"clauses", "note", "silent"})
        return entry.get("value"), self._source(key, entry)

    def _source(self, key: str, entry: Data) -> Source:
        note, silent = entry.get("note", ""), entry.get("silent", False)
        if not isinstance(note, str):
            self.faults.append(fault(f"{key}.note", "a text is needed", value=note, example='"A29: one split only"'))
        if not isinstance(silent, bool):
            self.faults.append(fault(f"{key}.silent", "true or false is needed", value=silent))
        return Source(self._clauses(f"{key}.clauses", entry.get("clauses", [])), str(note), bool(silent))

    def _clauses(self, key: str, clauses: object) -> Clauses:
        if isinstance(clauses, list) and all(isinstance(clause, str) for clause in clauses):
            return tuple(clauses)
        self.faults.append(
            fault(key, "a list of clause numbers is needed", value=clauses, example='["13.4(a)"]'),
        )
        return ()

    def _cites(self, name: str, kind: type[Section], data: object) -> Section:
        """Read keys that hold clauses only; omitted keys have none."""
        self._keys(f"{name}.", data, set(), set(kind.__struct_fields__))
        table = data if isinstance(data, dict) else {}
        return kind(**{key: self._cite(f"{name}.{key}", table.get(key, {})) for key in kind.__struct_fields__})

    def _cite(self, key: str, entry: object) -> Clauses:
        if isinstance(entry, list):
            entry = {"clauses": entry}
        if self._keys(f"{key}.", entry, set(), {"clauses", "note", "silent"}):
            assert isinstance(entry, dict)
            self.sources[key] = self._source(key, entry)
            return self.sources[key].clauses
        self.sources[key] = Source(())
        return ()

    # --- side bets ---------------------------------------------------------------------------------------

    def _bets(self, data: object, sections: Mapping[str, Any]) -> tuple[SideBet, ...]:
        if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
            self.faults.append(fault("side", "side bets are a list of tables", value=data, example="[[side]]"))
            return ()
        if len(data) > MOST_BETS:
            self.faults.append(fault("side", f"at most {MOST_BETS} side bets are possible"))
            return ()
        packs = sections["decks"].allowed if sections["decks"] is not None else ()
        names = [one.get("name") for one in data]
        found = [
            self._bet(number, one, list(packs), twice=one.get("name") in names[: number - 1])
            for number, one in enumerate(data, 1)
        ]
        return tuple(result for result in found if result is not None)

    def _distinct(self, place: str, names: list[str]) -> None:
        for name in sorted({name for name in names if names.count(name) > 1}):
            self.faults.append(fault(f"{place}.{name}", "this name is used more than once"))

    def _bet_name(self, key: str, data: Data, *, twice: bool) -> str:
        name = data.get("name")
        if twice and name is not None:
            self.faults.append(fault(f"{key}.name", "this name is used more than once", value=name))
            return ""
        if isinstance(name, str) and BET_NAME.fullmatch(name) and name not in KEPT_NAMES:
            return name
        wanted = "a name in small letters is needed, and not one of " + ", ".join(sorted(KEPT_NAMES))
        self.faults.append(fault(f"{key}.name", wanted, value=name, example='"dealer_match"'))
        return ""

    def _bet(self, number: int, data: Data, packs: list[int], *, twice: bool) -> SideBet | None:
        name = self._bet_name(f"side.{number}", data, twice=twice)
        place = f"side.{name or number}"
        if not self._keys(f"{place}.", data, {"name", "title", "pays"}, {*VALUE_FIELDS, *CITE_FIELDS}):
            return None
        before = len(self.faults)
        defaults = OPTIONAL | {"decks": packs}
        values = {
            key: self._value(f"{place}.{key}", SideBet, key, data.get(key, defaults[key])) for key in VALUE_FIELDS
        }
        cites = {key: self._cite(f"{place}.{key}", data.get(key, {})) for key in CITE_FIELDS}
        title = self._text(f"{place}.title", data["title"], "Dealer Match")
        pays = self._pays(f"{place}.pays", data["pays"])
        if len(self.faults) > before or not name:
            return None
        return SideBet(name=name, title=title, pays=pays, **values, **cites)  # type: ignore[arg-type]

    def _pays(self, place: str, data: object) -> tuple[PayRow, ...]:
        if not isinstance(data, list) or not data or not all(isinstance(row, dict) for row in data):
            self.faults.append(fault(place, "a pay table is a list of rows", value=data, example=_ROW))
            return ()
        if len(data) > MOST_ROWS:
            self.faults.append(fault(place, f"at most {MOST_ROWS} rows are possible"))
            return ()
        rows = tuple(self._row(f"{place}.{one.get('name', number)}", one) for number, one in enumerate(data, 1))
        self._distinct(place, [row.name for row in rows if row.name])
        return rows

    def _row(self, place: str, data: Data) -> PayRow:
        self._keys(f"{place}.", data, {"name", "when", "odds"}, {"title", "cards"})
        name, cards = data.get("name", ""), data.get("cards", "hand")
        if not isinstance(name, str) or not BET_NAME.fullmatch(name):
            self.faults.append(
                fault(f"{place}.name", "a name in small letters is needed", value=name, example='"suited"')
            )
            name = ""
        if cards not in LOOKS:
            self.faults.append(fault(f"{place}.cards", f"one of {', '.join(LOOKS)} is needed", value=cards))
        title = self._text(f"{place}.title", data.get("title", name.replace("_", " ") or "row"), "suited match")
        when = self._conditions(f"{place}.when", data.get("when", []))
        return PayRow(name, title, cards, when, self._odds(place, data.get("odds", "1:1")))

    def _conditions(self, key: str, data: object) -> tuple[Condition, ...]:
        texts = [data] if isinstance(data, str) else data
        found = [read_condition(text) for text in texts] if isinstance(texts, list) else [None]
        if found and None not in found:
            return tuple(result for result in found if result is not None)
        wanted = f"a list of conditions is needed, from: {', '.join(VOCABULARY)}"
        self.faults.append(fault(key, wanted, value=data, example='["same rank", "same suit"]'))
        return ()

    def _odds(self, key: str, entry: object) -> Odds:
        raw, self.sources[key] = self._entry(key, entry)
        try:
            return Odds(raw)
        except MoneyError:
            self.faults.append(fault(key, "odds are needed", value=raw, example='"25:1"'))
            return Odds("1:1")


_ROW = '[[side.pays]] name = "suited", when = ["same rank", "same suit"], odds = "25:1"'


def _missing(place: str, key: str) -> str:
    """An example of a missing key."""
    if not place:
        return f"[{key}]" if key != "format" else f"format = {FORMAT}"
    section = place.rstrip(".")
    if section in SECTIONS:
        says, kind = fields(SECTIONS[section])[key]
        return f"{key} = {says.example or _EXAMPLES.get(kind, chr(34) + _first(says.text) + chr(34))}"
    return {"value": "value = 3", "pays": _ROW, "odds": 'odds = "25:1"', "when": 'when = ["same rank"]'}.get(
        key, f'{key} = "..."'
    )


_EXAMPLES: dict[object, str] = {bool: "true"}


def _first(choices: object) -> str:
    return next(iter(choices)) if isinstance(choices, Mapping) else ""
