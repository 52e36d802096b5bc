"""`pontoon rule`: every kind of error under every document, money worked out by hand, and bad input."""

import io
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from pontoon.cli import main
from pontoon.engine import Stand, refusal
from pontoon.money import dollars
from pontoon.rulebook import NAMES, load
from pontoon.rulebook.register import register
from pontoon.rulebook.remedies import KINDS, LINES, TOGETHER, standard_rows, values_of
from pontoon.transcript import read
from pontoon.transcript.house_errors import HOUSE_KINDS
from pontoon.transcript.lines import read_line
from pontoon.transcript.remedies import WRONG_PLACE, listing, rows_of
from pontoon.transcript.replay import play_on, rules_of
from pontoon.transcript.result import nets as nets_of
from pontoon.view.ruling import ERRORS

WIDEST = 110
TWO = ("1 Ann 10", "2 Ben 10")
EXPOSED = "9s 6s 9d 7h 4h Kc 8c"
SHORT = "5s Ks 6d 4h 9c"
FINISHED = ("b1 stand", "b2 hit", "b2 stand")
DOCUMENTS = ("division-15", "adelaide", "canberra")
LEAFLETS = ("star", "federal")


def written(rulebook, cards, actions=(), bets=TWO, extra=""):
    rows = [f'rulebook = "{rulebook}"', f'cards = "{cards}"', f"actions = {json.dumps(list(actions))}", extra]
    for bet in bets:
        box, player, stake, *side = bet.split()
        rows += ["[[bets]]", f"box = {box}", f'player = "{player}"', f'stake = "{stake}"']
        rows += [f'perfect_pairs = "{side[0]}"'] if side else []
    return "\n".join(rows)


@pytest.fixture
def pontoon(tmp_path, capsys):
    """Run `pontoon rule` on a transcript given as text: exit status, standard output, standard error."""

    def run(*arguments, text=None):
        file = []
        if text is not None:
            (tmp_path / "round.prt").write_text(text, "utf-8")
            file = [str(tmp_path / "round.prt")]
        with pytest.raises(SystemExit) as caught:
            main(["rule", *arguments, *file])
        printed = capsys.readouterr()
        return caught.value.code, printed.out, printed.err

    return run


@pytest.fixture
def ruled(pontoon):
    """The answer for programs, and the exit status; the answer for people must fit the page."""

    def run(*arguments, text):
        status, out, err = pontoon(*arguments, "--json", text=text)
        assert err == ""
        for_people = pontoon(*arguments, text=text)
        assert for_people[0] == status
        assert [line for line in for_people[1].splitlines() if len(line) > WIDEST or line != line.rstrip()] == []
        return status, json.loads(out)

    return run


@pytest.fixture
def refused(pontoon):
    """The one-line error message."""

    def run(*arguments, text=None):
        status, out, err = pontoon(*arguments, text=text)
        assert (status, out, err.count("\n")) == (2, "", 1)
        return err

    return run


def nets(data):
    """Everyone's final result: at the error, and after each remedy by name."""
    ends = {"": data["before"]["if_all_stand"]}
    ends |= {remedy["name"]: remedy["after"] and remedy["after"]["if_all_stand"] for remedy in data["remedies"]}
    return {name: end and {who: float(net) for who, net in end.items()} for name, end in ends.items()}


def remedies(data):
    return {remedy["name"]: remedy for remedy in data["remedies"]}


# --- worked by hand -------------------------------------------------------------------------------------


def test_m01_exposed_card_accepted_or_refused(ruled):
    """Ann 16, Ben 10, dealer 9. Accepted Ben has 20 v 9+8; refused the dealer has 9+K."""
    status, data = ruled(text=written("division-15", EXPOSED, ["b1 stand", "dealer exposed"]))
    assert status == 0
    assert data["error"] == {"kind": "exposed", "box": 2, "card": "Kc"}
    assert data["before"]["chips"] == {"Ann": "10.00", "Ben": "10.00"}
    assert nets(data) == {
        "": {"Ann": -10, "Ben": 10, "house": 0},
        "accept": {"Ann": -10, "Ben": 10, "house": 0},
        "refuse": {"Ann": -10, "Ben": -10, "house": 20},
    }
    accept, refuse = data["remedies"]
    assert (accept["clauses"], accept["approval"]) == (["16.4"], {"who": "nobody", "clauses": []})
    assert (accept["after"]["phase"], accept["after"]["turn"]) == ("decision", 2)
    assert accept["after"]["boxes"][1]["hands"] == [{"cards": ["6s", "4h", "Kc"], "total": 20}]
    assert (refuse["lines"], refuse["after"]["dealer"]) == (["dealer exposed", "b2 refuse"], ["9d", "Kc"])
    assert refuse["after"]["chips"] == {"Ann": "0.00", "Ben": "0.00"}


def test_m01_everybody_refuses(ruled):
    _, data = ruled(text=written("adelaide", EXPOSED, ["dealer exposed"]))
    assert [remedy["name"] for remedy in data["remedies"]] == ["accept", "refuse", "all refuse"]
    assert remedies(data)["all refuse"]["after"]["dealer"] == ["9d", "Kc"]
    assert nets(data)["all refuse"] == {"Ann": -10, "Ben": -10, "house": 20}
    assert nets(data)["accept"] is None, "Ann breaks with 26; Ben must draw 8c and the dealer has no card left"


def test_m02_no_refusal_in_canberra(ruled):
    """Ben must draw with 10 and gets the card: 20 v 17."""
    status, data = ruled(text=written("canberra", EXPOSED, ["b1 stand", "dealer exposed"]))
    assert (status, [remedy["name"] for remedy in data["remedies"]]) == (0, ["use it"])
    assert nets(data)["use it"] == {"Ann": -10, "Ben": 10, "house": 0}
    assert data["remedies"][0]["clauses"] == ["15.2"]


@pytest.mark.parametrize(
    ("cards", "expected", "clause"),
    [
        ("Kh 9d", {"pay": {"Ann": 10, "Ben": 10, "house": -20}}, "106(a)"),
        (
            "Kh 4s 2c Kd",
            {"draw": {"Ann": 10, "Ben": -10, "house": 0}, "withdraw": {"Ann": 0, "Ben": -10, "house": 10}},
            "106(b)",
        ),
    ],
)
def test_m04_a_short_hand_after_the_dealers(ruled, cards, expected, clause):
    text = written("adelaide", f"{SHORT} {cards}", ["dealer skipped b1", "b2 stand"])
    status, data = ruled("--error", "missing_card", "--box", "1", text=text)
    assert (status, data["before"]["chips"]) == (0, {"Ann": "10.00", "Ben": "10.00"})
    assert data["before"]["net"] == {"Ann": "0.00", "Ben": "0.00"}
    assert {name: end for name, end in nets(data).items() if name} == expected
    for remedy in data["remedies"]:
        assert clause in remedy["clauses"]
        assert remedy["approval"] == {"who": "inspector", "clauses": ["112"]}


def test_m04_a_short_hand_against_a_pontoon(ruled):
    text = written("adelaide", "5s Ks Kd 4h 9c Ah", ["dealer skipped b1", "b2 stand"])
    _, data = ruled("--error", "missing_card", "--box", "1", text=text)
    assert nets(data)["stand-off"] == {"Ann": 0, "Ben": -10, "house": 10}
    assert data["remedies"][0]["clauses"] == ["106", "106(c)"]
    assert data["before"]["dealer"] == ["Kd", "Ah"]


def test_m05_found_after_the_next_round_began(pontoon, ruled):
    """Ann lost 10, Ben won 15 with a pontoon and lost 5 on the side: all of it goes back."""
    text = written("canberra", "9s As 9d 7h Kh 8c", ["b1 stand"], ["1 Ann 10", "2 Ben 10 5"])
    status, data = ruled("--error", "found_late", text=text)
    assert (status, data["before"]["net"]) == (0, {"Ann": "-10.00", "Ben": "10.00"})
    (void,) = data["remedies"]
    assert (void["clauses"], void["lines"]) == (["15.5", 'A "Void"'], ["supervisor void round"])
    assert nets(data)["void round"] == {"Ann": 0, "Ben": 0, "house": 0}
    assert sorted((row["player"], row["kind"], row["net"]) for row in void["undone"]) == [
        ("Ann", "main", "10.00"),
        ("Ben", "main", "-15.00"),
        ("Ben", "perfect_pairs", "5.00"),
    ]
    printed = pontoon("--error", "found_late", text=text)[1]
    assert "In all Ann gets back 10.00." in printed
    assert "In all Ben returns 10.00." in printed


def test_m11_missed_insurance(ruled):
    """Ann has drawn, both may still insure: the dealer's ace and king cost 10 each and pay 10 each."""
    cards = "9s 8s Ad 3h 9h 2c Kc"
    text = written("division-15", cards, ["b1 hit", "dealer omitted insurance"])
    status, data = ruled(text=text)
    taken = remedies(data)["offered, taken"]
    assert (status, taken["clauses"]) == (0, ["16.11"])
    assert taken["lines"] == ["dealer omitted insurance", "b1/Ann insure 5.00", "b2/Ben insure 5.00"]
    assert taken["after"]["chips"] == {"Ann": "15.00", "Ben": "15.00"}
    assert nets(data) == {
        "": {"Ann": -10, "Ben": -10, "house": 20},
        "offered, taken": {"Ann": 0, "Ben": 0, "house": 0},
        "offered, declined": {"Ann": -10, "Ben": -10, "house": 20},
    }


def test_m11_missed_surrender(ruled):
    """Ann has a third card and may not; Ben may and loses half. Dealer K and 9."""
    text = written("division-15", "9s 8s Kd 3h 9h 2c 9c", ["b1 hit", "dealer omitted surrender"])
    _, data = ruled(text=text)
    taken = remedies(data)["offered, taken"]
    assert (taken["lines"], taken["clauses"]) == (["dealer omitted surrender", "b2/Ben surrender"], ["16.12"])
    assert nets(data) == {
        "": {"Ann": -10, "Ben": -10, "house": 20},
        "offered, taken": {"Ann": -10, "Ben": -5, "house": 15},
        "offered, declined": {"Ann": -10, "Ben": -10, "house": 20},
    }


def test_m16_burned_in_error(ruled):
    """Ben holds 10. The seven burned: king, 20 v 9+8. The seven used: 17 v 9+K."""
    for rulebook, name, expected in (
        ("canberra", "leave it", {"Ann": -10, "Ben": 10, "house": 0}),
        ("adelaide", "leave it", {"Ann": -10, "Ben": 10, "house": 0}),
        ("division-15", "use it", {"Ann": -10, "Ben": -10, "house": 20}),
    ):
        text = written(rulebook, "9s 6s 9d 7h 4h 7d Kc 8c", ["b1 stand", "dealer burn 7d"])
        status, data = ruled("--error", "burned", text=text)
        assert (status, data["error"]["card"]) == (0, "7d")
        assert nets(data)[""] == {"Ann": -10, "Ben": -10, "house": 20}
        assert nets(data)[name] == expected


# --- every kind under every document --------------------------------------------------------------------

PLAIN: dict[str, Any] = {"cards": EXPOSED, "actions": ["b1 stand"]}
ENDED = {"cards": f"{EXPOSED} 4c", "actions": FINISHED}
CASES: dict[str, dict[str, Any]] = {
    "face_up": PLAIN,
    "hidden": PLAIN,
    "exposed": PLAIN,
    "burned": PLAIN,
    "dealer_excess": ENDED,
    "misplaced": PLAIN | {"box": "2"},
    "found_late": ENDED,
    "missing_card": {"cards": EXPOSED, "actions": ["b2 hit", "b2 stand"], "box": "1"},
    "missing_first": {"cards": "9s 6s 7h 4h 9d Kc 8c", "actions": ["b1 stand"]},
    "superfluous": PLAIN | {"box": "7"},
    "too_few": PLAIN,
    "damaged": PLAIN,
    "missed_insurance": {"cards": "9s 6s Ad 7h 4h Kc 8c", "actions": ["b1 stand"]},
    "missed_surrender": {"cards": "9s 6s Ad 7h 4h Kc 8c", "actions": ["b1 stand"]},
    "absent": PLAIN | {"box": "2"},
    "cutting_card_missing": PLAIN,
    "cutting_card_passed": PLAIN,
}
PUT_RIGHT = (["put right", "void box {box}", "void round"], ["operator"])
IMPRACTICAL = (["put right", "void round"], ["nobody", "operator"])
EXPECTED: dict[str, list[Any]] = {
    "face_up": [(["burn it"], ["nobody"]), (["burn it"], ["inspector"]), (["burn it"], ["nobody"])],
    "hidden": [(["use it"], ["nobody"]), (["use it"], ["inspector"]), (["use it"], ["nobody"])],
    "exposed": [(["accept", "refuse"], ["nobody"]), (["accept", "refuse"], ["inspector"]), (["use it"], ["nobody"])],
    "burned": [(["use it"], ["nobody"]), (["leave it"], ["inspector"]), (["leave it"], ["nobody"])],
    "dealer_excess": [(["burn it"], ["nobody"]), (["burn it"], ["inspector"]), (["burn it"], ["nobody"])],
    "misplaced": [PUT_RIGHT, (["put right"], ["management"]), IMPRACTICAL],
    "found_late": [None, None, (["void round"], ["nobody"])],
    "missing_card": [PUT_RIGHT, (["draw", "withdraw"], ["inspector"]), IMPRACTICAL],
    "missing_first": [
        (["put right", "void round"], ["operator"]),
        (["play on", "withdraw"], ["inspector"]),
        IMPRACTICAL,
    ],
    "superfluous": [PUT_RIGHT, (["void hand"], ["inspector"]), IMPRACTICAL],
    "too_few": [(["use discards"], ["nobody"]), (["use discards"], ["inspector"]), (["use discards"], ["nobody"])],
    "damaged": [(["go on"], ["nobody"])] * 3,
    "missed_insurance": [(["offered, taken", "offered, declined"], ["nobody"]), None, None],
    "missed_surrender": [(["offered, taken", "offered, declined"], ["nobody"]), None, None],
    "absent": [(["deal to 12"], ["operator"]), (["deal to 12"], ["nobody"]), (["deal to 12"], ["nobody"])],
    "cutting_card_missing": [(["reshuffle"], ["nobody"]), (["deal on"], ["nobody"]), "reading"],
    "cutting_card_passed": [(["reshuffle"], ["nobody"]), "reading", (["let it stand"], ["nobody"])],
}


def asked(kind, rulebook):
    case = CASES[kind]
    arguments = ["--error", kind, *(["--box", case["box"]] if "box" in case else [])]
    return arguments, written(rulebook, case["cards"], case["actions"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_every_kind_under_every_document(ruled, kind, rulebook):
    arguments, text = asked(kind, rulebook)
    status, data = ruled(*arguments, text=text)
    expected = EXPECTED[kind][DOCUMENTS.index(rulebook)]
    assert (status, data["document"]["silent"]) == ((1, True) if expected in (None, "reading") else (0, False))
    assert (data["rulebook"], data["error"]["kind"]) == (rulebook, kind)
    names = [remedy["name"] for remedy in data["remedies"]]
    if expected is None:
        assert names == []
    elif expected == "reading":
        assert names == ["reshuffle"]
    else:
        box = CASES[kind].get("box")
        assert names == [name.format(box=box) for name in expected[0]]
        assert list(dict.fromkeys(remedy["approval"]["who"] for remedy in data["remedies"])) == expected[1]
        assert all(remedy["clauses"] for remedy in data["remedies"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rulebook", LEAFLETS)
def test_the_leaflets_have_no_rule(pontoon, kind, rulebook):
    arguments, text = asked(kind, rulebook)
    status, out, err = pontoon(*arguments, text=text)
    assert (status, err) == (1, "")
    assert f"NO RULE: {rulebook} says nothing about this. The house decides." in out
    assert ("[STAR-END-1]" if rulebook == "star" else "The document names nobody for disputes.") in out
    assert ("As this program plays it: " in out) is (kind in ("absent", "cutting_card_missing", "cutting_card_passed"))


@pytest.mark.parametrize(
    ("rulebook", "words"),
    [
        ("adelaide", "Disputes that the rules do not cover are decided by the house, with a review on request. [122]"),
        ("canberra", "The operator's word ends a dispute, unless the commission is asked to review it. [17.4]"),
        ("division-15", "left to the general rules (Division 1), which are not supplied"),
    ],
)
def test_who_decides_where_a_document_is_silent(pontoon, rulebook, words):
    kind = "found_late" if rulebook == "division-15" else "missed_insurance"
    arguments, text = asked(kind, rulebook)
    status, out, _ = pontoon(*arguments, text=text)
    assert status == 1
    assert words in out


# --- moments --------------------------------------------------------------------------------------------


def test_a_card_face_up_in_the_initial_deal(ruled):
    """The three of clubs never reaches Ann: 9 and 7 v 9 and 8."""
    status, data = ruled(text=written("division-15", "9s 3c 9d 7h 8c", ["dealer burn 3c"], ["1 Ann 10"]))
    assert (status, data["error"], data["before"]["phase"]) == (
        0,
        {"kind": "face_up", "box": None, "card": "3c"},
        "initial_deal",
    )
    assert nets(data)["burn it"] == {"Ann": -10, "house": 10}


def test_an_extra_card_is_classified_by_its_timing(ruled):
    """Ann 17 v 17; with the four counted the dealer would have 21."""
    text = written("canberra", "9s 9d 8h 8c 4c", ["b1 stand", "dealer burn 4c"], ["1 Ann 10"])
    _, data = ruled(text=text)
    assert data["error"] == {"kind": "dealer_excess", "box": None, "card": "4c"}
    assert (data["before"]["dealer"], data["before"]["chips"]) == (["9d", "8c"], {"Ann": "10.00"})
    assert nets(data)["burn it"] == {"Ann": 0, "house": 0}


def test_a_card_too_many_where_the_dealer_needed_none(ruled):
    """Ann broke with 26 and was collected at once; nothing was left to settle."""
    text = written("division-15", "9s 9d 7h Kc 8c", ["b1 hit", "dealer burn 8c"], ["1 Ann 10"])
    _, data = ruled(text=text)
    assert (data["error"]["kind"], data["before"]["chips"]) == ("dealer_excess", {"Ann": "0.00"})
    assert nets(data)["burn it"] == {"Ann": -10, "house": 10}


def test_the_first_card_of_the_round_is_face_up(ruled):
    _, data = ruled(text=written("adelaide", "3c 9s 9d 7h 8c", ["dealer burn 3c"], ["1 Ann 10"]))
    assert (data["before"]["cards_used"], data["before"]["chips"]) == (0, {"Ann": "10.00"})
    assert nets(data)["burn it"] == {"Ann": -10, "house": 10}


def test_an_unknown_card_is_only_talked_of(ruled):
    _, data = ruled("--error", "face_up", text=written("canberra", "9s 6s 9d 7h 4h", ["b1 stand"]))
    (burn,) = data["remedies"]
    assert (burn["lines"], data["error"]["card"], burn["words"][:8]) == ([], None, "the card")
    assert nets(data)["burn it"] is None


@pytest.mark.parametrize(
    ("kind", "rulebook", "name", "who"),
    [
        ("exposed", "division-15", "use it", "nobody"),
        ("exposed", "canberra", "use it", "nobody"),
        ("missing_card", "adelaide", "put right", "inspector"),
        ("missing_first", "adelaide", "put right", "inspector"),
        ("misplaced", "adelaide", "put right", "inspector"),
        ("superfluous", "adelaide", "put right", "inspector"),
    ],
)
def test_during_the_initial_deal(ruled, kind, rulebook, name, who):
    box = ["--box", "1"] if kind == "missing_card" else []
    status, data = ruled("--error", kind, *box, text=written(rulebook, "9s 6s"))
    assert (status, data["before"]["phase"]) == (0, "initial_deal")
    assert [(remedy["name"], remedy["approval"]["who"]) for remedy in data["remedies"]] == [(name, who)]


def test_a_hand_passed_over_found_before_the_dealers_second_card(ruled):
    """Ann 9: withdrawn 0; drawn, 2 and K make 21 v 6+4+J. Ben 19 v 20."""
    text = written("adelaide", f"{SHORT} 2c Kd 4d Jh", ["b2 stand", "dealer skipped b1"])
    _, data = ruled(text=text)
    assert [remedy["clauses"] for remedy in data["remedies"]] == [["105(c)", "108"], ["105(c)", "107"]]
    assert nets(data)["draw"] == {"Ann": 10, "Ben": -10, "house": 0}
    assert data["remedies"][1]["after"]["chips"]["Ann"] == "0.00"


def test_a_hand_passed_over_found_while_the_next_one_plays(ruled):
    """Noticed on box 2, which still decides: the short hand waits for its turn."""
    text = written("adelaide", f"{SHORT} 2c Kd 4d Jh", ["dealer skipped b1"])
    _, data = ruled(text=text)
    draw, withdraw = data["remedies"]
    assert (draw["lines"], draw["later"]) == (["dealer noticed b1"], [{"box": 1, "lines": ["b1 hit"]}])
    assert (draw["after"]["phase"], draw["after"]["turn"]) == ("decision", 2)
    assert withdraw["after"]["chips"] == {"Ann": "10.00", "Ben": "10.00"}
    assert nets(data)["draw"] == {"Ann": 10, "Ben": -10, "house": 0}
    assert nets(data)["withdraw"]["Ann"] == 0


def test_a_short_hand_not_yet_reached(ruled):
    """Ben's hand is short, Ann decides: in his turn he draws or takes his wager back (105(b))."""
    text = written("adelaide", "Ks 5s 6d 9c 4h 2c Kd 4d Jh")
    _, data = ruled("--error", "missing_card", "--box", "2", text=text)
    assert [remedy["clauses"] for remedy in data["remedies"]] == [["105(b)", "108"], ["105(b)", "107"]]
    assert nets(data)["draw"] == {"Ann": -10, "Ben": 10, "house": 0}
    assert nets(data)["withdraw"]["Ben"] == 0


def test_the_dealer_without_a_first_card(ruled):
    """Ann 9+7, Ben 6+4, dealer's late 9. Ben must draw the king, 20 v 9+8; a player who withdraws has 0."""
    text = written("adelaide", "9s 6s 7h 4h 9d Kc 8c", ["b1 stand", "dealer skipped dealer"])
    _, data = ruled(text=text)
    assert (data["before"]["dealer"], data["before"]["if_all_stand"]) == ([], None)
    assert nets(data)["play on"] == {"Ann": -10, "Ben": 10, "house": 0}
    assert nets(data)["withdraw"] == {"Ann": 0, "Ben": 0, "house": 0}
    assert remedies(data)["withdraw"]["lines"] == ["dealer skipped dealer", "b1/Ann withdraw", "b2/Ben withdraw"]


def test_a_misplaced_card_puts_the_round_back_to_the_hand_that_was_missed(ruled):
    text = written("canberra", EXPOSED, ["b2 hit", "b2 stand", "dealer skipped b1"])
    _, data = ruled(text=text)
    assert data["error"] == {"kind": "missing_card", "box": 1, "card": None}
    assert (data["before"]["turn"], data["before"]["cards_used"]) == (1, 5)


def test_a_void_hand_leaves_the_others_their_round(ruled):
    """Ben void: Ann 16 v 9+K."""
    text = written("division-15", EXPOSED, ["b1 stand"])
    _, data = ruled("--error", "misplaced", "--box", "2", text=text)
    assert nets(data)["void box 2"] == {"Ann": -10, "Ben": 0, "house": 10}
    assert nets(data)["void round"] == {"Ann": 0, "Ben": 0, "house": 0}
    assert remedies(data)["void box 2"]["approval"] == {"who": "operator", "clauses": ["16.5", "16.5(a)"]}


def test_without_a_box_no_hand_is_guessed(pontoon, ruled):
    text = written("division-15", EXPOSED, ["b1 stand"])
    data = ruled("--error", "misplaced", text=text)[1]
    assert [remedy["name"] for remedy in data["remedies"]] == ["put right", "void round"]
    assert "(--box N shows a hand void)" in pontoon("--error", "misplaced", text=text)[1]


def test_a_hand_too_many_with_chips_on_it(ruled):
    _, data = ruled("--error", "superfluous", "--box", "2", text=written("adelaide", EXPOSED, ["b1 stand"]))
    assert data["remedies"][0]["lines"] == ["supervisor void b2"]
    assert nets(data)["void hand"]["Ben"] == 0


def test_a_remedy_that_cannot_be_done_says_why(pontoon, ruled):
    text = written("canberra", "9s As 9d 7h Kh 8c", ["b1 stand", "supervisor void round"])
    status, data = ruled("--error", "found_late", text=text)
    (void,) = data["remedies"]
    assert (status, void["after"]) == (0, None)
    assert "the round is already void" in void["refused"]
    assert "NOT NOW: the round is already void" in pontoon("--error", "found_late", text=text)[1]


def test_offers_are_declined_on_the_way(ruled):
    """Nobody surrenders to the dealer's king; Ann 16 v 19, Ben 10 must draw the nine."""
    _, data = ruled("--error", "damaged", text=written("canberra", "9s 6s Kd 7h 4h 9c 9h"))
    assert data["before"]["phase"] == "surrender"
    assert nets(data)["go on"] == {"Ann": -10, "Ben": 0, "house": 10}


def test_chips_of_every_sort_are_counted(ruled):
    """Ann: wager 10, double 10, insurance 5."""
    text = written("canberra", "6s 9s Ad 5h 9h 9c", ["b1/Ann insure 5", "b1 double"], ["1 Ann 10 5", "2 Ben 20"])
    _, data = ruled("--error", "damaged", text=text)
    assert data["before"]["chips"] == {"Ann": "25.00", "Ben": "20.00"}
    assert data["before"]["net"] == {"Ann": "-5.00", "Ben": "0.00"}


def test_chips_on_the_side_before_two_cards(ruled):
    text = written("canberra", "6s 9s", [], ["1 Ann 10 5", "2 Ben 20"])
    _, data = ruled("--error", "damaged", text=text)
    assert data["before"]["chips"] == {"Ann": "15.00", "Ben": "20.00"}


def test_what_is_decided_is_shown_where_the_rest_is_open(pontoon):
    text = written("canberra", "As 6s 9d Kh 4h", [], ["1 Ann 10", "2 Ben 10"])
    status, out, _ = pontoon("--error", "damaged", text=text)
    assert status == 0
    assert "+15.00 so far" in out
    assert "open: the cards given do not reach to the end of the round" in out


def test_split_hands_have_a_row_each(pontoon):
    out = pontoon("--error", "damaged", text=written("canberra", "8s 9d 8h 3c", ["b1 split"], ["1 Ann 10"]))[1]
    assert "box 1.1" in out
    assert "box 1.2" in out


def test_different_approvals_stand_with_each_remedy(pontoon):
    out = pontoon("--error", "misplaced", text=written("canberra", EXPOSED, ["b1 stand"]))[1]
    assert out.count("    approves: ") == 2
    assert "APPROVES" not in out


def test_an_override_is_obeyed(ruled):
    text = written("canberra", EXPOSED, ["b1 stand", "dealer exposed"])
    _, data = ruled("--set", "irregular.exposed=refusable", text=text)
    assert [remedy["name"] for remedy in data["remedies"]] == ["accept", "refuse"]


def test_nothing_is_changed(pontoon, tmp_path):
    text = written("division-15", EXPOSED, ["b1 stand", "dealer exposed"])
    assert pontoon(text=text) == pontoon(text=text)
    assert (tmp_path / "round.prt").read_text("utf-8") == text


# --- the list -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", NAMES)
def test_the_list_has_every_kind(pontoon, rulebook):
    status, out, err = pontoon("--list", rulebook)
    assert (status, err) == (0, "")
    assert [line.partition(":")[0] for line in out.splitlines() if line and ": " in line and line[0] != " "][-20:] == [
        *KINDS,
        *HOUSE_KINDS,
    ]
    assert all(len(line) <= WIDEST for line in out.splitlines())
    rows = json.loads(pontoon("--list", rulebook, "--json")[1])
    assert [row["kind"] for row in rows] == [*KINDS, *HOUSE_KINDS]
    assert {tuple(row) for row in rows} == {("kind", "silent", "says", "clauses", "note", "approvals")}
    assert all(row["silent"] or (row["clauses"] and row["approvals"]) for row in rows)
    assert all(row["silent"] for row in rows if row["kind"] in KINDS) is (rulebook in LEAFLETS)
    assert [row["kind"] for row in rows if row["kind"] in HOUSE_KINDS and row["silent"]] == ["card_found"]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_of_a_document_is_in_use_and_cites_its_clauses(name):
    """A row for a value that the document does not have would be dead."""
    rules = load(name)
    used = [row for entry in listing(rules) for row in rows_of(rules, entry.kind)]
    assert set(rules.remedies) == set(used)
    numbers = {clause.number for clause in register(name)}
    assert {clause for row in rules.remedies for clause in row.clauses} <= numbers


def test_every_value_has_standard_remedies():
    wanted = {(kind, value) for kind in KINDS for value in values_of(kind)}
    wanted -= {(kind, "reconstruct") for kind in WRONG_PLACE}
    assert {(row.kind, row.value) for row in standard_rows()} == wanted
    assert not any(row.clauses for row in standard_rows())
    assert set(ERRORS) == set(KINDS)


def test_every_line_of_a_remedy_is_a_line_of_a_transcript():
    for line in LINES[:-3]:
        read_line(line.format(box=1, card="As"), {1: ("Ann",)})
    rows = [*standard_rows(), *(row for name in NAMES for row in load(name).remedies)]
    used = {line for row in rows for group in (*row.lines, *row.later) for line in group.split(TOGETHER)}
    assert set(LINES) - used == {"b{box} stand"}


def test_without_rows_of_its_own_a_book_has_the_standard_remedies(ruled, tmp_path):
    """The canberra rulebook without its rows: the same remedies, based on the clauses beside the value."""
    text = Path(str(files("pontoon.rulebook") / "books" / "canberra.toml")).read_text("utf-8")
    (tmp_path / "plain.toml").write_text(text.partition("[[remedy]]")[0], "utf-8")
    arguments, round_text = asked("misplaced", "canberra")
    _, own = ruled(*arguments, text=round_text)
    _, standard = ruled(*arguments, text=round_text.replace('"canberra"', json.dumps(str(tmp_path / "plain.toml"))))
    assert [remedy["name"] for remedy in standard["remedies"]] == [remedy["name"] for remedy in own["remedies"]]
    assert [remedy["clauses"] for remedy in own["remedies"]] == [["15.4"], ["17.3"]]
    assert [remedy["clauses"] for remedy in standard["remedies"]] == [["15.4"], ["15.4"]]


def test_nothing_is_void_where_the_house_may_not_void(pontoon):
    arguments, text = asked("misplaced", "canberra")
    out = pontoon(*arguments, "--set", "irregular.void_round=silent", "--json", text=text)[1]
    assert [remedy["name"] for remedy in json.loads(out)["remedies"]] == ["put right"]


# --- as version 0.1.0 ruled -----------------------------------------------------------------------------

RULED = json.loads((Path(__file__).parent / "rulings.json").read_text("utf-8"))
"""Made with version 0.1.0, before remedies were rows of the rulebook; a void in the deal now says when."""


def short(remedy):
    after = remedy["after"]
    told = {key: remedy[key] for key in ("name", "words", "clauses", "approval", "lines", "later")}
    ends = after and [after["phase"], after["net"], after["chips"], after["if_all_stand"]]
    return told | {"refused": remedy.get("refused"), "end": ends}


@pytest.mark.parametrize("name", NAMES)
def test_every_error_is_listed_as_before(pontoon, name):
    rows = json.loads(pontoon("--list", name, "--json")[1])
    assert [row for row in rows if row["kind"] in KINDS] == RULED["list"][name]


@pytest.mark.parametrize("kind", KINDS)
def test_every_ruling_is_as_before(pontoon, kind):
    rulings = [ruling for ruling in RULED["rulings"] if ruling["kind"] == kind]
    assert {ruling["book"] for ruling in rulings} == set(NAMES)
    for ruling in rulings:
        case = RULED["cases"][ruling["case"]]
        box = ["--box", case["box"]] if "box" in case else []
        text = written(ruling["book"], case["cards"], case["actions"])
        status, out, _ = pontoon("--error", kind, *box, "--json", text=text)
        data = json.loads(out)
        assert (status, data["document"]["silent"]) == (ruling["status"], ruling["silent"])
        assert [short(remedy) for remedy in data["remedies"]] == ruling["remedies"], ruling["case"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_remedy_can_be_entered_as_it_is_printed(pontoon, kind):
    """Remove and add the printed lines and let everyone stand: the round ends with the announced money."""
    entered = 0
    for one in (one for one in RULED["rulings"] if one["kind"] == kind):
        case = RULED["cases"][one["case"]]
        box = ["--box", case["box"]] if "box" in case else []
        cards = f"{case['cards']} 5h 6d 5d 6h 5c 6c 7c 8h 9c 8d 7d"
        text = written(one["book"], cards, case["actions"])
        for remedy in json.loads(pontoon("--error", kind, *box, "--json", text=text)[1])["remedies"]:
            if remedy["refused"]:
                continue
            kept = case["actions"][: len(case["actions"]) - len(remedy["strike"])]
            assert [*kept, *remedy["strike"]] == case["actions"]
            ends = standing(one["book"], cards, [*kept, *remedy["enter"]], remedy["later"])
            assert remedy["after"]["if_all_stand"].items() >= ends.items(), (one, remedy["name"])
            entered += 1
    assert entered


def standing(book, cards, actions, later):
    """The money of a round that is played on from these lines, everyone standing if that is allowed."""
    later = list(later)
    while True:
        paused = play_on(transcript := read(written(book, cards, actions)), rules_of(transcript))
        assert not paused.refused, paused.refused
        assert not paused.unread
        state = paused.state
        if state.phase == "ended":
            assert not later
            return {name: dollars(net) for name, net in nets_of(transcript.players, state.settlements).items()}
        if later and state.phase == "decision" and state.turn[0] == later[0]["box"]:
            actions += later.pop(0)["lines"]
        elif state.phase == "decision":
            turn = state.turn[0]
            actions.append(f"b{turn} hit" if refusal(state, Stand(turn)) else f"b{turn} stand")
        else:
            actions.append("dealer goes on")


def test_what_the_last_line_tells_is_not_entered_twice(pontoon):
    text = written("division-15", EXPOSED, ["b1 stand", "dealer exposed"])
    remedies = json.loads(pontoon("--json", text=text)[1])["remedies"]
    assert [(one["strike"], one["enter"]) for one in remedies] == [([], ["b2 hit"]), ([], ["b2 refuse"])]
    burned = written("division-15", EXPOSED, ["b1 stand", "dealer burn Kc"])
    out = pontoon("--error", "burned", text=burned)[1]
    assert "strike: dealer burn Kc" in out


def test_the_page_has_every_case():
    page = (Path(__file__).parents[1] / "docs" / "irregularities.md").read_text("utf-8")
    for kind in KINDS:
        row = next(line for line in page.splitlines() if line.startswith(f"| `{kind}`"))
        for name in DOCUMENTS:
            entry = next(remedy for remedy in listing(load(name)) if remedy.kind == kind)
            assert entry.silent or all(clause in row for clause in entry.says.clauses), (kind, name)
            assert not entry.silent or "no rule" in row, (kind, name)


# --- bad input ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "actions", "cards", "words"),
    [
        ([], ["b1 stand"], EXPOSED, "the last line does not say what went wrong"),
        ([], [], EXPOSED, "the last line does not say what went wrong"),
        ([], ["supervisor void b1"], EXPOSED, "the last line does not say what went wrong"),
        ([], ["b1 stand", "dealer exposed"], "9s 6s 9d 7h 4h", "there is no next card"),
        ([], ["b1 stand", "dealer burn 7d"], EXPOSED, "the next card is Kc"),
        ([], ["b1 stand", "dealer omitted insurance"], EXPOSED, "with 9d showing, insurance is not offered"),
        ([], ["b2 stand", "dealer exposed"], EXPOSED, "it is box 1's turn, not box 2's"),
        ([], [*FINISHED, "dealer exposed"], f"{EXPOSED} 4c", "no card is due after the round"),
        (["--error", "missed_insurance"], [], "9s 6s Ad", "too few: they end before 'dealer omitted insurance'"),
        (["--error", "exposed"], ["b1 hit"], "2s 6s 9d 3h 4h", "too few: they end before 'dealer exposed'"),
        (["--error", "hidden"], ["b2 stand"], EXPOSED, "it is box 1's turn, not box 2's"),
        (["--error", "hidden"], ["b1 hit", "b1 hit"], "2s 6s 9d 3h 4h", "too few: they end before 'b1 hit'"),
        (["--error", "dealer_excess"], ["b1 stand"], EXPOSED, "the dealer's hand is not complete yet"),
        (["--error", "found_late"], ["b1 stand"], EXPOSED, "the round is not complete yet"),
        (["--error", "misplaced", "--box", "5"], ["b1 stand"], EXPOSED, "box 5: nobody has a bet there"),
    ],
)
def test_input_that_does_not_fit(refused, arguments, actions, cards, words):
    assert words in refused(*arguments, text=written("division-15", cards, actions))


@pytest.mark.parametrize(
    ("arguments", "actions", "cards", "words"),
    [
        (["--box", "2"], FINISHED, f"{EXPOSED} 4c", "box 2: no hand there is short of cards"),
        ([], ["b1 stand"], EXPOSED, "box: no hand there is short of cards"),
        (["--box", "1"], ["dealer skipped b1", "b2 hit", "b2 stand", "b1 stand"], EXPOSED, "no hand there is short"),
    ],
)
def test_no_hand_is_short(refused, arguments, actions, cards, words):
    text = written("adelaide", cards, actions)
    assert words in refused("--error", "missing_card", *arguments, text=text)


def test_unreadable_files(refused, tmp_path, monkeypatch):
    assert "No such file" in refused(str(tmp_path / "none.prt"))
    assert "not TOML" in refused(text="rulebook = ")
    assert "Is a directory" in refused(str(tmp_path))
    assert "cannot be read" in refused("a\0b")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe")))
    assert "not UTF-8" in refused("-")
    text = written("division-15", EXPOSED, ["b1 stand", "dealer exposed"])
    assert "options" in refused("--set", "split.max_hands=99", text=text)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "give one transcript, or --list with a rulebook"),
        (["--list", "star", "round.prt"], "give one transcript, or --list with a rulebook"),
        (["--list", "monaco"], "no rulebook 'monaco'"),
        (["--list", "star", "--set", "no.such=1"], "no.such"),
        (["--error", "earthquake", "round.prt"], "invalid choice: 'earthquake'"),
        (["--error", "misplaced", "--box", "8", "round.prt"], "is not a box from 1 to 7"),
        (["--error", "misplaced", "--box", "٣", "round.prt"], "is not a box from 1 to 7"),
    ],
)
def test_bad_usage(refused, arguments, words):
    assert words in refused(*arguments)
