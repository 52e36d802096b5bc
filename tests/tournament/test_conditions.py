"""The conditions of a tournament, clause by clause: required values, contradictions, what the printed paper says."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from pontoon.rulebook.register import find
from pontoon.tournament import templates
from pontoon.tournament.conditions import check, document, load
from pontoon.tournament.conditions.numbers import goes_on, numbers
from pontoon.tournament.conditions.paper import Grid, Paragraph, markdown, page
from pontoon.tournament.conditions.sentences import say, when
from pontoon.tournament.conditions.values import BuyBack, Conditions

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "tournaments"
KNOCK_OUT, POINTS, SIT_AND_GO, MASTERS = "spring-knock-out", "winter-points", "friday-sit-and-go", "canberra-masters"
TEXTS = {name: (EXAMPLES / f"{name}.toml").read_text("utf-8") for name in (KNOCK_OUT, POINTS, SIT_AND_GO, MASTERS)}


def changed(name: str, *changes: tuple[str, str]) -> str:
    """An example with some of its text replaced; a replacement that changes nothing is an error in the test."""
    text = TEXTS[name]
    for old, new in changes:
        assert text.count(old) == 1, (name, old, text.count(old))
        text = text.replace(old, new)
    return text


def complaints(text: str) -> list[tuple[str, str]]:
    return [(fault.clause, fault.words) for fault in load.examine(text, "x.toml")[1]]


def example(name: str) -> Conditions:
    return load.read(TEXTS[name], f"{name}.toml")


# --- the examples ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TEXTS)
def test_an_example_is_in_order_and_reads_back(name):
    conditions = example(name)
    assert check.faults(conditions) == ()
    assert load.read(load.write(conditions), "again.toml") == conditions
    assert tomllib.loads(load.write(conditions))["start"]["at"] == conditions.start.at


def test_four_kinds_of_tournament_are_shown():
    four = [example(name) for name in TEXTS]
    assert [conditions.structure.format for conditions in four] == ["knock_out", "points", "knock_out", "knock_out"]
    assert [conditions.structure.sit_and_go for conditions in four] == [0, 0, 7, 0]
    assert [conditions.buy_back.times for conditions in four] == [0, 0, 0, 1]
    assert [sum(session.kind == "repechage" for session in conditions.sessions) for conditions in four] == [0, 0, 0, 1]


def test_the_digest_names_the_values_and_not_the_writing():
    conditions = example(KNOCK_OUT)
    again = load.read("# another word\n" + changed(KNOCK_OUT, ('"50%"', '"1/2"')), "x.toml")
    other = load.read(changed(KNOCK_OUT, ('chips = "1000.00"', 'chips = "1000.50"')), "x.toml")
    assert load.digest(again) == load.digest(conditions) != load.digest(other)
    assert re.fullmatch(r"[0-9a-f]{64}", load.digest(conditions))


def test_money_and_shares_are_exact():
    conditions = example(SIT_AND_GO)
    assert (conditions.money.fee, conditions.money.chips) == (3300, 30000)
    assert conditions.prizes.shares == (Fraction(2, 3), Fraction(1, 3))
    assert example(KNOCK_OUT).prizes.shares[1] == Fraction(1, 4)
    assert example(KNOCK_OUT).start.at == dt.datetime(2026, 12, 5, 19, 0)  # noqa: DTZ001 as in the file


# --- incomplete or contradictory, each with its clause ---------------------------------------------------

ADVANCE = "advance = { from_table = 1, best_of_rest = 1 }\n"
ONLY_SESSION = '[[session]]\nname = "The table"\nrounds = 25\ntables = 1\n'
FAULTS = (
    ("20.1 two packs", KNOCK_OUT, (("packs = 8", "packs = 2"),), "2 packs are not allowed by rule 2.1"),
    ("20.2(a) no name", KNOCK_OUT, (('name = "Spring Knock-out"', ""),), "name is missing"),
    ("20.3(a)(i) no date", KNOCK_OUT, (("at = 2026-12-05T19:00:00", ""),), "start.at is missing"),
    ("20.3(a)(i) no time", KNOCK_OUT, (("05T19:00:00", "05"),), "a date with a time is needed"),
    ("20.3(a)(i) no way in", KNOCK_OUT, (("entry = ", "# "),), "start.entry is missing"),
    ("20.3(a)(i) empty way in", SIT_AND_GO, (("entry = ", 'entry = " " # '),), "that is not empty"),
    ("20.3(a)(i) no eligibility", KNOCK_OUT, (("eligibility = ", "# "),), "start.eligibility is missing"),
    ("20.3(a)(ii)(A) no session", SIT_AND_GO, (("[[session]]", "[other]"),), "session is missing"),
    (
        "20.3(a)(ii)(A) empty list",
        SIT_AND_GO,
        ((ONLY_SESSION, ""), ("statement", "session = []\nstatement")),
        "there is no session",
    ),
    ("20.3(a)(ii)(A) no length", KNOCK_OUT, (("rounds = 30", ""),), "Heats has no length"),
    ("20.3(a)(ii)(A) two lengths", KNOCK_OUT, (("rounds = 30", "rounds = 30\nshoes = 2"),), "two lengths"),
    ("20.3(a)(ii)(A) one name for two", KNOCK_OUT, (('"Final"', '"Heats"'),), "two sessions are called Heats"),
    ("20.3(a)(ii)(A) first after none", KNOCK_OUT, (("rounds = 30", "rounds = 30\nafter = 5"),), "comes first"),
    ("20.3(a)(ii)(B) too few tables", KNOCK_OUT, (("rounds = 30", "rounds = 30\ntables = 5"),), "have only 35 seats"),
    ("20.3(a)(ii)(B) too many tables", KNOCK_OUT, (("tables = 1", "tables = 4"),), "only 3 players for its 4 tables"),
    (
        "20.3(a)(ii)(B) buying back without a seat",
        MASTERS,
        (("shoes = 3", "shoes = 3\ntables = 6"),),
        "have 98 players",
    ),
    ("20.3(a)(ii)(B) sit-and-go of too many", SIT_AND_GO, (("sit_and_go = 7", "sit_and_go = 8"),), "from 7 to 7"),
    (
        "20.3(a)(ii)(B) sit-and-go with reserves",
        SIT_AND_GO,
        (("most = 7", "most = 7\nreserves = 2"),),
        "2 reserve players could never enter",
    ),
    ("20.3(a)(ii)(B) sit-and-go of too few", SIT_AND_GO, (("sit_and_go = 7", "sit_and_go = 6"),), "from 7 to 7"),
    ("20.3(a)(ii)(C) not said who advances", KNOCK_OUT, ((ADVANCE, ""),), "does not say who advances"),
    ("20.3(a)(ii)(C) on from the last", KNOCK_OUT, (("tables = 1", "advance = { of_all = 1 }"),), "is the last"),
    ("20.3(a)(ii)(C) counted twice", KNOCK_OUT, (("from_table = 1", "of_all = 7"),), "says twice who advances"),
    ("20.3(a)(ii)(C) only the rest", KNOCK_OUT, (("from_table = 1, ", ""),), "nobody advances"),
    ("20.3(a)(ii)(C) a final of one", KNOCK_OUT, (("least = 14", "least = 7"), (", best_of_rest = 1", "")), "too few"),
    ("20.3(a)(ii)(D) no format", KNOCK_OUT, (('format = "knock_out"', ""),), "structure.format is missing"),
    ("20.3(a)(ii)(D) points nowhere", KNOCK_OUT, (('"knock_out"', '"points"'),), "no session awards any"),
    (
        "20.3(a)(ii)(D) one session without",
        POINTS,
        (('points = [15, 10, 7, 4, 2, 1]\nprizes = ["5%"]', ""),),
        "neither",
    ),
    ("20.3(a)(ii)(D) knock-out by points", POINTS, (('format = "points"', 'format = "knock_out"'),), "awards points"),
    (
        "20.3(a)(ii)(D) other games in a knock-out",
        KNOCK_OUT,
        (('"knock_out"', '"knock_out"\nother_games = "Roulette"'),),
        "sessions of other games",
    ),
    ("20.3(a)(ii)(D) points that rise", POINTS, (("[15, 10,", "[15, 20,"),), "a lower place gets more points"),
    ("20.3(a)(ii)(D) points for nobody", POINTS, (("[15, 10, 7, 4,", "[15, 10, 7, 7, 4,"),), "7 places"),
    ("20.3(a)(ii)(E) nobody qualifies", MASTERS, (('qualifies = "Heats"', ""),), "does not say who qualifies"),
    (
        "20.3(a)(ii)(E) an unknown session",
        MASTERS,
        (('qualifies = "Heats"', 'qualifies = "Head"'),),
        "not an earlier session",
    ),
    (
        "20.3(a)(ii)(E) a later session",
        MASTERS,
        (('qualifies = "Heats"', 'qualifies = "Final"'),),
        "not an earlier session",
    ),
    ("20.3(a)(ii)(E) nobody returns", MASTERS, (("advance = { of_all = 4 }", ""),), "does not say who returns"),
    (
        "20.3(a)(ii)(E) nothing to join",
        KNOCK_OUT,
        (("after = 30", 'kind = "repechage"\nqualifies = "Heats"'),),
        "for its winners to join",
    ),
    ("20.3(a)(ii)(E) no repechage", KNOCK_OUT, (("after = 30", 'qualifies = "Heats"'),), "which is only for kind"),
    ("20.3(a)(ii)(F) how, but never", MASTERS, (("times = 1", "times = 0"),), "times is 0"),
    ("20.3(a)(ii)(F) no method", MASTERS, (("method = ", "# "),), "does not say how it is done"),
    ("20.3(a)(ii)(F) no timing", MASTERS, (('until = "Heats"', ""),), "does not say until when"),
    (
        "20.3(a)(ii)(F) an unknown session",
        MASTERS,
        (('until = "Heats"', 'until = "Monday"'),),
        "which is not an ordinary session",
    ),
    ("20.3(a)(ii)(F) after the last", MASTERS, (('until = "Heats"', 'until = "Final"'),), "none left to return to"),
    ("20.3(a)(ii)(F) no fee", MASTERS, (('fee = "165.00"', ""),), "buy_back has no fee"),
    ("20.3(a)(ii)(F) commission over the fee", MASTERS, (('"15.00"', '"165.01"'),), "is more than the buy-back"),
    (
        "20.3(a)(ii)(F) too few chips",
        MASTERS,
        (('chips = "5000.00"\nwhen', "when"),),
        "less than one wager",
    ),
    ("20.3(a)(iii) no fee", KNOCK_OUT, (('fee = "110.00"', ""),), "money.fee is missing"),
    (
        "20.3(a)(iii) commission over the fee",
        KNOCK_OUT,
        (('"10.00"\nchips', '"110.02"\nchips'),),
        "is more than the entry",
    ),
    ("20.3(a)(iv) no chips", KNOCK_OUT, (('chips = "1000.00"', ""),), "money.chips is missing"),
    ("20.3(a)(iv) less than one wager", KNOCK_OUT, (('"1000.00"', '"9.98"'),), "less than one wager of $10.00"),
    ("20.3(a)(v) no least", KNOCK_OUT, (("least = 14", ""),), "players.least is missing"),
    ("20.3(a)(v) no most", KNOCK_OUT, (("most = 42", ""),), "players.most is missing"),
    ("20.3(a)(v) nobody", KNOCK_OUT, (("least = 14", "least = 0"),), "from 1 to 10000"),
    ("20.3(a)(v) least over most", SIT_AND_GO, (("least = 7", "least = 8"),), "at least 8 players are required"),
    ("20.3(a)(vi) only words", POINTS, (("group_at_table = 1\nmost_of_group = 2", ""),), "in words only"),
    ("20.3(a)(vi) only numbers", POINTS, (("groups = ", "# "),), "nothing says what a group is"),
    ("20.3(a)(vi) nobody restricted", POINTS, (("group_at_table = 1", "group_at_table = 6"),), "restricts nobody"),
    ("20.3(a)(vi) groups of any size", POINTS, (("most_of_group = 2", ""),), "needs most_of_group too"),
    ("20.3(a)(vi) groups too large to separate", POINTS, (("most_of_group = 2", "most_of_group = 3"),), "a group of 3"),
    ("20.3(a)(vii) no minimum", KNOCK_OUT, (('minimum = "10.00"', ""),), "game.minimum is missing"),
    ("20.3(a)(vii) no maximum", KNOCK_OUT, (('maximum = "500.00"', ""),), "game.maximum is missing"),
    ("20.3(a)(vii) nothing risked", KNOCK_OUT, (('minimum = "10.00"', 'minimum = "0"'),), "the minimum wager is zero"),
    ("20.3(a)(vii) minimum over maximum", KNOCK_OUT, (('"500.00"', '"9.98"'),), "is above the maximum of $9.98"),
    ("20.3(a)(vii) odd cents", KNOCK_OUT, (('minimum = "10.00"', 'minimum = "10.01"'),), "cannot be halved"),
    (
        "20.3(a)(viii)(A) all of a table",
        KNOCK_OUT,
        (("from_table = 1, best_of_rest = 1", "from_table = 7"), ("tables = 1", "")),
        "nobody could be eliminated",
    ),
    (
        "20.3(a)(viii)(A) all of all",
        MASTERS,
        (("of_all = 7", "of_all = 98"), ("tables = 1", "")),
        "could be eliminated",
    ),
    ("20.3(a)(viii)(B) equal chips", KNOCK_OUT, (('session = "extra_rounds"', ""),), "ties.session is missing"),
    ("20.3(a)(viii)(B) an unknown way", KNOCK_OUT, (('"extra_rounds"', '"coin"'),), "one of extra_rounds, ballot"),
    ("20.3(a)(ix)(B) equal chips", POINTS, (('points = "combine"', ""),), "ties.points is missing"),
    ("20.3(a)(x) no prizes", KNOCK_OUT, (("shares = ", "# "),), "prizes.shares is missing"),
    ("20.3(a)(x) no places", SIT_AND_GO, (('["2/3", "1/3"]', "[]"),), "prizes.shares is empty"),
    ("20.3(a)(x) no pool", KNOCK_OUT, (('"10.00"\nchips', '"110.00"\nchips'),), "leave nothing for prizes"),
    ("20.3(a)(x) rising", KNOCK_OUT, (('"15%", "10%"', '"10%", "15%"'),), "a lower place is paid more"),
    ("20.3(a)(x) a share of nothing", KNOCK_OUT, (('"10%"]', '"10%", "0%"]'),), "zero or negative"),
    (
        "20.3(a)(x) more prizes than players",
        KNOCK_OUT,
        (("most = 42", "most = 3"), ("least = 14", "least = 3")),
        "4 prizes",
    ),
    ("20.3(a)(x) more prizes in a session", POINTS, (('["5%"]', str(["5/3700"] * 37).replace("'", '"')),), "37 prizes"),
    ("20.3(a)(xi) no ties at all", KNOCK_OUT, (('final = "divide"', ""),), "ties.final is missing"),
    ("20.3(a)(xi) an unknown way", KNOCK_OUT, (('"divide"', '"coin"'),), "one of divide, extra_rounds"),
    ("20.3(a)(xi)(D) no extra rounds", POINTS, (("rounds = 3", "rounds = 0"),), "ties.rounds is 0"),
    ("20.3(b) no statement", KNOCK_OUT, (('statement = "standard"', ""),), "statement is missing"),
    ("20.3(b) an empty statement", KNOCK_OUT, (('"standard"', '""'),), "the statement is empty"),
    ("20.3(b) half a statement", MASTERS, (("the rules prevail", "who knows"),), "mention: prevail"),
    ("20.8 more seats than boxes", KNOCK_OUT, (("reserves = 6", "at_table = 8"),), "with 7 boxes"),
    ("20.19 a part of the pool", KNOCK_OUT, (('"10%"]', '"9.99%"]'),), "add up to 9999/10000"),
    ("20.19 more than the pool", POINTS, (('["5%"]', '["6%"]'),), "add up to 101/100"),
)


@pytest.mark.parametrize(("name", "base", "changes", "words"), FAULTS, ids=[row[0] for row in FAULTS])
def test_fault(name, base, changes, words):
    found = complaints(changed(base, *changes))
    assert [row for row in found if row[0] == name.split()[0] and words in row[1]], found
    with pytest.raises(load.ConditionsError) as caught:
        load.read(changed(base, *changes), "x.toml")
    assert str(caught.value) == f"x.toml: {found[0][1]} [{found[0][0]}]"
    assert "\n" not in str(caught.value)


def test_every_check_has_a_case_that_only_it_finds():
    for clause, one in check.ALWAYS + check.WITH_SESSIONS:
        shown = False
        for name, base, changes, _ in FAULTS:
            conditions, found = load.examine(changed(base, *changes), "x.toml")
            if conditions is not None and name.startswith(f"{clause} "):
                rest = [fault.words for fault in found if fault.words not in set(one(conditions))]
                shown |= len(rest) < len(found)
        assert shown, one.__name__


def test_all_faults_are_listed_in_the_order_of_the_rule():
    text = changed(
        KNOCK_OUT, ("packs = 8", "packs = 9"), ('"10%"]', '"9%"]'), ("rounds = 30", ""), ('"standard"', '""')
    )
    assert [clause for clause, _ in complaints(text)] == ["20.1", "20.3(a)(ii)(A)", "20.19", "20.3(b)"]


def test_all_missing_keys_are_listed():
    found = [words.split(";")[0] for _, words in complaints('name = "Nothing yet"')]
    assert {"start.at is missing", "money.fee is missing", "session is missing", "ties.final is missing"} <= set(found)


# --- never a traceback, always one line -----------------------------------------------------------------

BAD_VALUES = (
    ("least = 14", "least = 99999999999999999999"),
    ("least = 14", "least = nan"),
    ("least = 14", "least = 14.0"),
    ("least = 14", "least = true"),
    ("least = 14", "least = -1"),
    ("least = 14", 'least = "14"'),
    ("least = 14", f"least = 1{'0' * 5000}"),
    ("least = 14", f"least = {'[' * 5000}{']' * 5000}"),
    ('fee = "110.00"', "fee = 110"),
    ('fee = "110.00"', "fee = inf"),
    ('fee = "110.00"', 'fee = "-1.00"'),
    ('fee = "110.00"', 'fee = "1e9"'),
    ('fee = "110.00"', 'fee = "110.001"'),
    ('fee = "110.00"', 'fee = "99999999999.00"'),
    ('name = "Spring Knock-out"', f'name = "{"x" * 10_000}"'),
    ('name = "Spring Knock-out"', 'name = "a\\u001b[31mred"'),
    ('name = "Spring Knock-out"', 'name = "\\u202Efdp"'),
    ('name = "Spring Knock-out"', 'name = ["x"]'),
    ('name = "Spring Knock-out"', "name = 1979-05-27"),
    ('statement = "standard"', f'statement = "director conditions rules prevail {"x" * 10_000}"'),
    ("at = 2026-12-05T19:00:00", "at = 2026-13-45T19:00:00"),
    ("at = 2026-12-05T19:00:00", 'at = "tomorrow"'),
    ("at = 2026-12-05T19:00:00", "at = 19:00:00"),
    ('"50%", "25%", "15%", "10%"', "0.5, 0.5"),
    ('"50%", "25%", "15%", "10%"', '"1/0"'),
    ('"50%", "25%", "15%", "10%"', '"nan%"'),
    ('"50%", "25%", "15%", "10%"', '"\u0665\u0660%", "\u0665\u0660%"'),
    ('["50%", "25%", "15%", "10%"]', '"100%"'),
    ('["50%", "25%", "15%", "10%"]', str(["1/2000"] * 2000).replace("'", '"')),
    ("[structure]", "[structures]"),
    ("[players]", "players = 7\n[other]"),
    ("advance = { from_table = 1, best_of_rest = 1 }", "advance = 2"),
    ("advance = { from_table = 1, best_of_rest = 1 }", "advance = { table = 1 }"),
    ("reserves = 6", "reserve = 6"),
    ("reserves = 6", f'"{"k" * 10_000}" = 6'),
    ("reserves = 6", '"a\\u0007" = 6'),
    ("reserves = 6", "\x00"),
)


@pytest.mark.parametrize(
    ("old", "new"), BAD_VALUES, ids=[f"{number} {row[1][:30]!r}" for number, row in enumerate(BAD_VALUES)]
)
def test_bad_input_is_one_clean_line(old, new):
    with pytest.raises(load.ConditionsError) as caught:
        load.read(changed(KNOCK_OUT, (old, new)), "x.toml")
    message = str(caught.value)
    assert message.startswith("x.toml: ")
    assert message.isprintable()
    assert len(message) < 300, message


@pytest.mark.parametrize("text", ["", "\ufeff", "name", "= 1", "[" * 10_000, "x" * (load.LARGEST + 1), "a = '\ud800'"])
def test_what_is_no_file_of_conditions_is_one_clean_line(text):
    with pytest.raises(load.ConditionsError, match=r"^x.toml: ") as caught:
        load.read(text, "x.toml")
    assert str(caught.value).isprintable()


def test_a_misspelt_key_names_the_right_one():
    assert complaints(changed(KNOCK_OUT, ("reserves = 6", "reserve = 6"))) == [
        ("20.3(a)(v)", "there is no key 'players.reserve'; did you mean reserves?")
    ]


def test_a_session_that_is_no_table():
    text = changed(SIT_AND_GO, (ONLY_SESSION, ""), ("statement", "session = [7]\nstatement"))
    assert complaints(text) == [("20.3(a)(ii)(A)", "session[1] is 7; a table is needed, as in [[session]]")]


def test_sessions_that_are_no_list():
    text = changed(SIT_AND_GO, (ONLY_SESSION, ""), ("statement", "session = 7\nstatement"))
    assert complaints(text) == [("20.3(a)(ii)(A)", "session is 7; sessions are needed, each as in [[session]]")]


def test_a_strange_file_name_is_quoted():
    with pytest.raises(load.ConditionsError) as caught:
        load.read("", "a\x1b[31m.toml")
    assert str(caught.value).isprintable()


# --- the paper ------------------------------------------------------------------------------------------

SAID = (
    ("20.1", KNOCK_OUT, "The Super Bonus is paid in tournament chips"),
    ("20.1", POINTS, "The Super Bonus is not paid"),
    ("20.1", KNOCK_OUT, "There are no side wagers."),
    ("20.1", KNOCK_OUT, "The rules of Pontoon apply"),
    ("20.2(a)", KNOCK_OUT, "in writing before any entry is accepted"),
    ("20.2(b)", KNOCK_OUT, "This document is available to patrons"),
    ("20.2(c)", KNOCK_OUT, "ACT Gambling and Racing Commission is notified and receives a copy"),
    ("20.3(a)(i)", KNOCK_OUT, "starts on Saturday 5 December 2026 at 7:00 pm."),
    ("20.3(a)(i)", MASTERS, "Saturday 20 March 2027 at 12 noon (UTC+11:00)."),
    ("20.3(a)(i)", KNOCK_OUT, "To enter: at the cashier's desk"),
    ("20.3(a)(i)", KNOCK_OUT, "Who may enter: adults"),
    ("20.3(a)(ii)(A)", KNOCK_OUT, "The tournament has 2 sessions."),
    ("20.3(a)(ii)(A)", KNOCK_OUT, "It lasts 30 rounds at each table."),
    ("20.3(a)(ii)(A)", POINTS, "It lasts 2 shoes at each table."),
    ("20.3(a)(ii)(A)", POINTS, "It lasts 60 minutes; the round then in progress is finished."),
    ("20.3(a)(ii)(A)", KNOCK_OUT, "It starts 30 minutes after"),
    ("20.3(a)(ii)(B)", KNOCK_OUT, "As many tables are used as the players need"),
    ("20.3(a)(ii)(B)", KNOCK_OUT, "It is played at 1 table."),
    ("20.3(a)(ii)(B)", SIT_AND_GO, "as soon as 7 players have entered"),
    ("20.3(a)(ii)(B)", SIT_AND_GO, "tables and seats are drawn then"),
    ("20.3(a)(ii)(B)", KNOCK_OUT, "It is not a sit-and-go tournament."),
    ("20.3(a)(ii)(C)", KNOCK_OUT, "From each table the best player advances."),
    ("20.3(a)(ii)(C)", KNOCK_OUT, "Of all the others, the best player advances too."),
    ("20.3(a)(ii)(C)", MASTERS, "Of all tables together, the best 7 players advance."),
    ("20.3(a)(ii)(C)", KNOCK_OUT, "They play next in: Final."),
    ("20.3(a)(ii)(C)", POINTS, "All players not eliminated play next in: Second session."),
    ("20.3(a)(ii)(C)", KNOCK_OUT, "It is the last session."),
    ("20.3(a)(ii)(D)", KNOCK_OUT, "It is a knock-out"),
    ("20.3(a)(ii)(D)", KNOCK_OUT, "All sessions are of Pontoon."),
    ("20.3(a)(ii)(D)", KNOCK_OUT, "not for individual sessions"),
    ("20.3(a)(ii)(D)", POINTS, "Points for the places at each table, from first place down: 1st 15, 2nd 10"),
    ("20.3(a)(ii)(D)", POINTS, "Its prizes, as shares of the prize pool, from first place down: 1st 5%."),
    ("20.3(a)(ii)(E)", KNOCK_OUT, "There is no repechage"),
    ("20.3(a)(ii)(E)", MASTERS, "open to players eliminated in session Heats."),
    ("20.3(a)(ii)(E)", MASTERS, "Second chance is a repechage, open without another fee"),
    ("20.3(a)(ii)(F)", KNOCK_OUT, "cannot buy back"),
    ("20.3(a)(ii)(F)", MASTERS, "may buy back into the tournament once."),
    ("20.3(a)(ii)(F)", MASTERS, "When: after a session, before the ballot for the next one"),
    ("20.3(a)(ii)(F)", MASTERS, "The last chance is after session Heats."),
    ("20.3(a)(ii)(F)", MASTERS, "How: at the director's desk"),
    ("20.3(a)(ii)(F)", MASTERS, "A buy-back costs $165.00."),
    ("20.3(a)(ii)(F)", MASTERS, "The player receives $5,000.00 in tournament chips."),
    ("20.3(a)(iii)", KNOCK_OUT, "The entry fee is $110.00."),
    ("20.3(a)(iii)", KNOCK_OUT, "This includes a tournament commission of $10.00."),
    ("20.3(a)(iv)", KNOCK_OUT, "receives $1,000.00 in tournament chips"),
    ("20.3(a)(iv)", KNOCK_OUT, "Every session starts with that amount"),
    ("20.3(a)(v)", KNOCK_OUT, "It takes place with 14 players or more."),
    ("20.3(a)(v)", KNOCK_OUT, "At most 42 players are admitted."),
    ("20.3(a)(vi)", KNOCK_OUT, "There are no restrictions on groups"),
    ("20.3(a)(vi)", POINTS, "Restrictions on groups of players: players who share a household"),
    ("20.3(a)(vi)", POINTS, "At most 1 player of one group at any table"),
    ("20.3(a)(vi)", MASTERS, "At most 2 players of one group at any table"),
    ("20.3(a)(vi)", POINTS, "At most 2 of one group may enter."),
    ("20.3(a)(vii)", KNOCK_OUT, "The minimum wager is $10.00"),
    ("20.3(a)(vii)", KNOCK_OUT, "The maximum wager is $500.00"),
    ("20.3(a)(viii)(A)", KNOCK_OUT, "cannot make the minimum wager before a round is eliminated"),
    ("20.3(a)(viii)(A)", KNOCK_OUT, "does not advance from a session is eliminated"),
    ("20.3(a)(viii)(A)", MASTERS, "In addition: a player who leaves the table"),
    ("20.3(a)(viii)(B)", KNOCK_OUT, "equal chips at the end of a session who cannot all advance play extra rounds"),
    ("20.3(a)(viii)(B)", SIT_AND_GO, "For equal chips at its end"),
    ("20.3(a)(ix)(A)", POINTS, "cannot make the minimum wager before a round is eliminated"),
    ("20.3(a)(ix)(B)", POINTS, "share the points of their places equally"),
    ("20.3(a)(x)", KNOCK_OUT, "The prize pool is $100.00 of each entry fee"),
    ("20.3(a)(x)", KNOCK_OUT, "1st 50%, 2nd 25%, 3rd 15%, 4th 10%"),
    ("20.3(a)(x)", SIT_AND_GO, "1st 2/3, 2nd 1/3"),
    ("20.3(a)(x)", MASTERS, "$150.00 of each buy-back also goes into the prize pool"),
    ("20.3(a)(x)", POINTS, "Session Third session receives, from first place down: 1st 5%."),
    ("20.3(a)(xi)", KNOCK_OUT, "Places are decided by the chips held at the end of the last session"),
    ("20.3(a)(xi)", POINTS, "Places are decided by the total points of all sessions"),
    ("20.3(a)(xi)(A)", KNOCK_OUT, "If players with equal chips at its end contest the same prizes"),
    ("20.3(a)(xi)(B)", POINTS, "If players with equal total points contest the same prizes"),
    ("20.3(a)(xi)(C)", KNOCK_OUT, "they share the prizes equally."),
    ("20.3(a)(xi)(D)", POINTS, "they play extra rounds for their places."),
    ("20.3(a)(xi)(D)", POINTS, "Extra rounds: 3 rounds at a time"),
    ("20.3(b)", KNOCK_OUT, document.STANDARD),
    ("20.3(b)", MASTERS, "wherever the two differ, the rules prevail."),
    ("20.3(a)(ii)(A)", KNOCK_OUT, "It starts as stated above."),
    ("20.3(a)(ii)(A)", KNOCK_OUT, "When only one player is left"),
    ("20.3(a)(ii)(C)", KNOCK_OUT, "The best are those with the most tournament chips at its end."),
    ("20.3(a)(ii)(D)", POINTS, "Players compete in several sessions"),
    ("20.3(a)(ii)(D)", POINTS, "It has no separate prizes."),
    ("20.3(a)(ii)(D)", SIT_AND_GO, "Players compete against each other in this one session."),
    ("20.3(a)(ii)(E)", MASTERS, "It is a repechage."),
    ("20.3(a)(ii)(F)", MASTERS, "This includes a tournament commission of $15.00."),
    ("20.3(a)(x)", KNOCK_OUT, "The share of a place that nobody holds goes to the other places"),
    ("20.3(a)(xi)(C)", POINTS, "Eliminated players play no extra rounds"),
    ("20.3(a)(xi)(D)", MASTERS, "If 5 sets of extra rounds leave players tied"),
    ("20.1", POINTS, "Each shoe holds 6 packs of 48 cards."),
    ("20.4", KNOCK_OUT, "The Gaming Shift Manager nominates"),
    ("20.6", KNOCK_OUT, "A player may enter once."),
    ("20.7", KNOCK_OUT, "a table and a seat by ballot"),
    ("20.7", KNOCK_OUT, "reasonable notice"),
    ("20.8", POINTS, "At most 6 players sit at one table."),
    ("20.8", KNOCK_OUT, "The director decides how many players"),
    ("20.9", KNOCK_OUT, "not seated when the session starts"),
    ("20.10", SIT_AND_GO, "There are no reserve players."),
    ("20.11", KNOCK_OUT, "A substitute may continue"),
    ("20.12", KNOCK_OUT, "in full view"),
    ("20.13", KNOCK_OUT, "may be removed, added, exchanged or reduced only"),
    ("20.14", KNOCK_OUT, "has the minimum wager placed from their chips"),
    ("20.14", KNOCK_OUT, "In every round each player wagers at least"),
    ("20.15", KNOCK_OUT, "for advice"),
    ("20.16", KNOCK_OUT, "may call a break"),
    ("20.18", KNOCK_OUT, "rank by the chips they held before it"),
    ("20.18", KNOCK_OUT, "determines and awards the places"),
    ("20.18", SIT_AND_GO, "ranks above those eliminated in the earlier round"),
    ("20.3(a)(ii)(A)", KNOCK_OUT, "A table with no players left"),
    ("20.3(a)(ii)(A)", MASTERS, "not played, except for a repechage that comes next."),
    ("20.3(a)(viii)(A)", KNOCK_OUT, "is ranked by the chips held."),
    ("20.3(a)(viii)(A)", MASTERS, "A player eliminated in this way keeps place and points"),
    ("20.3(a)(ii)(D)", POINTS, "share a place in a session divide its prizes equally"),
    ("20.3(a)(ii)(D)", POINTS, "The prizes of a session are awarded when it ends"),
    ("20.3(a)(xi)", MASTERS, "ranks just above elimination in the session"),
    ("20.18", KNOCK_OUT, "holds no place"),
    ("20.19", KNOCK_OUT, "Leftover cents go to the highest place."),
    ("20.20", KNOCK_OUT, "Nothing is added"),
    ("20.21", KNOCK_OUT, "are not refunded to a player who withdraws"),
    ("20.21", KNOCK_OUT, "refunds all fees and commissions in full"),
    ("20.5", KNOCK_OUT, "Each player agrees in writing"),
    ("20.5", SIT_AND_GO, "No written agreement"),
    ("20.10", KNOCK_OUT, "6 reserve players may wait"),
    ("20.14", SIT_AND_GO, "makes no wager in time is eliminated."),
    ("20.17", SIT_AND_GO, "A player has 15 seconds"),
    ("20.19", KNOCK_OUT, "The whole prize pool is paid to the players"),
    ("20.19", POINTS, "Leftover cents go one each"),
    ("20.20", POINTS, "The casino adds $500.00"),
)


def paragraphs(name: str) -> list[Paragraph]:
    sections = document.document(example(name)).sections
    return [part for section in sections for part in section.parts if isinstance(part, Paragraph)]


@pytest.mark.parametrize(("clause", "name", "words"), SAID, ids=[f"{row[0]} {row[2][:40]}" for row in SAID])
def test_the_paper_says(clause, name, words):
    assert clause in {cited for part in paragraphs(name) if words in part.words for cited in clauses(part)}


def test_the_paper_says_what_only_other_conditions_need():
    def words(**parts: object) -> str:
        made = replace(example(POINTS), **parts)
        return " ".join(
            part.words
            for section in document.document(made).sections
            for part in section.parts
            if isinstance(part, Paragraph)
        )

    plain = words()
    points = example(POINTS)
    for said, parts in (
        ("plays at least one more round", {"buy_back": BuyBack(times=1, when="at_once", until="Final")}),
        ("is eliminated when the next session starts", {"money": replace(points.money, carried=True)}),
        ("Points of the other games are added", {"structure": replace(points.structure, other_games="Blackjack")}),
        ("paid at the end of the tournament", {"prizes": replace(points.prizes, odd_cents="last")}),
        ("with the places of the tournament", {"prizes": replace(points.prizes, sessions_paid="tournament")}),
    ):
        assert said not in plain
        assert said in words(**parts)


def clauses(part: Paragraph | Grid) -> list[str]:
    """The clauses of a paragraph: `20.3(a)(xi)(A), (C)` are two."""
    first, *others = part.clause.split(", ")
    return [first, *(first.rpartition("(")[0] + other for other in others)]


@pytest.mark.parametrize("name", TEXTS)
def test_every_sentence_of_every_paper_has_a_case(name):
    """Of another tournament's paper where only a number, a name or a date differs."""

    def plain(words: str) -> str:
        return re.sub(r"[\d$.,%/]+|: .*", "", words)[:24]

    said = [words for _, _, words in SAID]
    known = {
        plain(part.words) for other in TEXTS for part in paragraphs(other) if any(words in part.words for words in said)
    }
    assert [part.words for part in paragraphs(name) if plain(part.words) not in known] == []


@pytest.mark.parametrize("name", TEXTS)
def test_every_clause_of_the_paper_is_in_the_register(name):
    parts = [part for section in document.document(example(name)).sections for part in section.parts]
    for clause in {clause for part in parts for clause in clauses(part)}:
        assert find("canberra", clause), clause


@pytest.mark.parametrize("name", TEXTS)
def test_every_demand_of_20_3_is_answered_in_every_paper(name):
    cited = {part.clause for part in paragraphs(name)}
    wanted = {"20.3(a)(i)", *(f"20.3(a)(ii)({letter})" for letter in "ABCDEF"), "20.3(b)"}
    wanted |= {f"20.3(a)({number})" for number in ("iii", "iv", "v", "vi", "vii", "x", "xi")}
    kind = "ix" if example(name).structure.format == "points" else "viii"
    wanted |= {f"20.3(a)({kind})(A)", f"20.3(a)({kind})(B)"}
    assert wanted <= cited, wanted - cited


@pytest.mark.parametrize("name", TEXTS)
def test_every_sentence_is_whole(name):
    for part in paragraphs(name):
        assert part.words.endswith("."), part
        assert "{" not in part.words, part
        assert "None" not in part.words, part


def grids(name: str) -> list[Grid]:
    sections = document.document(example(name)).sections
    return [part for section in sections for part in section.parts if isinstance(part, Grid)]


def test_20_3_a_xi_prizes_for_the_least_a_middle_and_the_most_players():
    assert grids(KNOCK_OUT)[1].rows == (
        ("Example", "14 players", "28 players", "42 players"),
        ("Prize pool", "$1,400.00", "$2,800.00", "$4,200.00"),
        ("1st place", "$700.00", "$1,400.00", "$2,100.00"),
        ("2nd place", "$350.00", "$700.00", "$1,050.00"),
        ("3rd place", "$210.00", "$420.00", "$630.00"),
        ("4th place", "$140.00", "$280.00", "$420.00"),
    )


def cents_of(words: str) -> int:
    return 0 if words == "-" else int(re.sub(r"\D", "", words))


@pytest.mark.parametrize("name", TEXTS)
def test_20_19_the_prizes_of_every_example_are_the_pool_to_the_cent(name):
    _, pool, *prizes = grids(name)[1].rows
    for column in range(1, len(pool)):
        assert sum(cents_of(row[column]) for row in prizes) == cents_of(pool[column])


def test_20_19_a_place_nobody_takes_has_a_dash_and_the_others_have_its_share():
    conditions = load.read(changed(KNOCK_OUT, ("least = 14", "least = 2"), ("tables = 1", "")), "x.toml")
    (grid,) = [
        part for section in document.document(conditions).sections for part in section.parts
        if isinstance(part, Grid) and part.rows[0][0] == "Example"
    ]  # fmt: skip
    assert [row[1] for row in grid.rows[1:]] == ["$200.00", "$133.34", "$66.66", "-", "-"]


def test_20_3_a_ii_b_how_many_play_at_how_many_tables():
    assert grids(KNOCK_OUT)[0].rows[1:] == (
        ("Heats", "14 at 2 tables", "28 at 4 tables", "42 at 6 tables"),
        ("Final", "3 at 1 table", "5 at 1 table", "7 at 1 table"),
    )


def test_players_of_a_repechage_and_buyers_back_are_counted():
    masters = example(MASTERS)
    assert numbers(masters, 98) == (98, 70, 32, 7)
    assert numbers(masters, 98, all_buy_back=True) == (98, 70, 98, 7)
    assert goes_on(masters.sessions[0], 15, 7) == 6
    assert goes_on(masters.sessions[0], 0, 7) == 0


def test_the_paper_as_lines_is_narrow_and_clean():
    for name in TEXTS:
        lines = document.lines(example(name))
        assert [line for line in lines if len(line) > 100 or line != line.rstrip()] == []
        assert lines[-1] == f"Digest of these conditions: {load.digest(example(name))}"


def test_the_paper_in_the_order_of_the_rule():
    titles = [section.title for section in document.document(example(KNOCK_OUT)).sections if section.level == 1]
    assert titles[1:12] == [
        "Start and entry",
        "Structure of the tournament",
        "Entry fee and commission",
        "Tournament chips",
        "Number of players",
        "Groups of players",
        "Table limits and cards",
        "Elimination and ties",
        "The prize pool",
        "Distribution of the prize pool",
        "Conduct of the tournament",
    ]


def test_a_page_and_markdown_cannot_be_broken_by_a_name():
    conditions = replace(example(KNOCK_OUT), name="<script>alert(1)</script> | *x*")
    paper = document.document(conditions)
    assert "<script>" not in page(paper)
    assert "&lt;script&gt;" in page(paper)
    assert r"\<script\>alert(1)\</script\> \| \*x\*" in markdown(paper)


def test_the_page_fetches_nothing_and_says_all():
    text = document.page(example(MASTERS))
    assert not re.search(r"https?:|src=|href=|@import|url\(", text)
    for part in paragraphs(MASTERS):
        assert f"[{part.clause}]" in text
    assert text.count("<table>") == 2


def test_points_and_of_all_says_what_best_means():
    conditions = load.read(
        changed(
            POINTS,
            ("shoes = 2\nafter = 20", "shoes = 2\nafter = 20\nadvance = { of_all = 6 }"),
            ("[ties]", '[ties]\nsession = "ballot"'),
        ),
        "x.toml",
    )
    words = [part.words for section in document.document(conditions).sections for part in section.parts if isinstance(part, Paragraph)]  # fmt: skip # noqa: E501
    assert "The best are those with the most points so far." in words
    assert any("cannot all advance have the tie broken by ballot." in word for word in words)


def test_20_3_a_ii_f_a_buy_back_at_once_has_its_last_chance_during_a_session():
    conditions = load.read(changed(MASTERS, ('when = "between_sessions"', 'when = "at_once"')), "x.toml")
    lines = document.lines(conditions)
    assert "      The last chance is during session Heats. [20.3(a)(ii)(F)]" in lines
    assert any("immediately after elimination, before the next round, in the same seat" in line for line in lines)


def test_midnight_and_noon_have_names():
    assert when(dt.datetime(2026, 1, 1, 0, 0)).endswith("at midnight")  # noqa: DTZ001 the local time of a casino
    assert when(dt.datetime(2026, 1, 1, 12, 30)).endswith("at 12:30 pm")  # noqa: DTZ001 the same


def test_what_is_free_or_left_out_is_said():
    conditions = example(KNOCK_OUT)
    free = replace(conditions.money, fee=0, commission=0)
    assert say(free, "fee").words == "Entry is free."
    assert say(free, "commission").words == "There is no tournament commission."
    assert say(conditions.money, "added").words == "Nothing is added to the prize pool."


# --- while they are written -------------------------------------------------------------------------------


def test_every_fault_is_found_at_once_whatever_cannot_be_read():
    text = changed(KNOCK_OUT, ('format = "knock_out"', 'format = "race"'), ("packs = 8", "packs = 2"))
    text = text.replace("commission = ", "comission = ").replace("least = ", "least = -")
    found = complaints(text)
    words = " ".join(words for _, words in found)
    assert "did you mean commission?" in words
    assert "structure.format is" in words
    assert "2 packs are not allowed" in words  # a contradiction beside values that cannot be read
    assert len(found) >= 4


def test_a_missing_table_and_missing_sessions_leave_the_other_checks():
    text = 'name = "Cup"\nstatement = ""\n[prizes]\nshares = ["0%", "10%"]\n'
    clauses = [clause for clause, _ in complaints(text)]
    assert {"20.3(a)(i)", "20.3(a)(ii)(A)", "20.3(b)"} <= set(clauses)
    games = ("game = 7", "game = { book = 7 }", 'game = { rulebook = "none" }')
    for wrong in ("session = 7", "session = [7]\ngame = { rulebook = 7 }", *games):
        assert complaints(f"{wrong}\n")


def test_11_a_final_that_may_need_more_tables_is_a_warning():
    masters = example(MASTERS)
    assert check.warnings(masters) == ()
    open_final = replace(masters, sessions=(*masters.sessions[:-1], replace(masters.sessions[-1], tables=0)))
    assert check.warnings(open_final) == ()
    buying = replace(open_final, buy_back=replace(masters.buy_back, until="Semi-finals"))
    assert check.faults(buying) == ()
    (warning,) = check.warnings(buying)
    assert warning.clause == "20.3(a)(ii)(B)"
    assert "may have 98 players if everyone who may buy back does and is then played at 14 tables" in warning.words
    wide = replace(open_final, sessions=open_final.sessions[:1], buy_back=BuyBack())
    (plain,) = check.warnings(wide)
    assert "98 players and is then played" in plain.words
    assert check.warnings(example(POINTS)) == ()
    assert check.warnings(replace(masters, sessions=())) == ()


def test_values_are_written_as_a_file_and_read_again_right_or_wrong():
    for name, text in TEXTS.items():
        values = load.values_of(text)
        assert load.examine(load.text_of(values), name) == load.examine(text, name)
    odd = {"start": {"at": "soon"}, "a b": 1, "session": 7, "game": {"packs": "x", "[": {"x": True}}}
    again = load.values_of(load.text_of(odd))
    assert again == odd
    timed = load.values_of("day = 2026-12-05\nhour = 19:00:00\nlist = [2026-12-05T19:00:00]")
    assert timed == {"day": "2026-12-05", "hour": "19:00:00", "list": ["2026-12-05T19:00:00"]}


@pytest.mark.parametrize("name", templates.NAMES)
def test_a_template_is_in_order(name):
    assert load.examine(templates.template(name), name)[1] == ()
