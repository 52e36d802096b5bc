"""`pontoon rule` for a wrong payment, a late wager and a card that is found: money by hand, and bad input."""

import json

import pytest

from pontoon.cli import main
from pontoon.money import dollars
from pontoon.rulebook import NAMES
from pontoon.transcript import read
from pontoon.transcript.house_errors import HOUSE_KINDS
from pontoon.transcript.replay import play_on, rules_of
from pontoon.transcript.result import nets
from pontoon.view.ruling import HOUSE_ERRORS
from tests.test_rule_command import written

PONTOON, BETS = "As 9s 9d Kh 7h 9c", ("1 Ann 25", "2 Ben 10", "2 Cal 10")
"""Ann has a pontoon (3:2), Ben and Cal share 16 against the dealer's 18."""
STOOD = ["b2 stand"]


@pytest.fixture
def ruled(tmp_path, capsys):
    """Exit status, standard output and standard error of `pontoon rule` on a transcript."""

    def run(kind, *arguments, book="canberra", actions=STOOD):
        (tmp_path / "round.prt").write_text(written(book, PONTOON, actions, BETS), "utf-8")
        with pytest.raises(SystemExit) as caught:
            main(["rule", "--error", kind, *arguments, str(tmp_path / "round.prt")])
        told = capsys.readouterr()
        return caught.value.code, told.out, told.err

    return run


@pytest.mark.parametrize(
    ("arguments", "name", "words"),
    [
        (("--box", "1", "--paid", "50"), "take back", "Ann returns 12.50."),
        (("--box", "1", "--paid", "$25"), "pay the rest", "Ann gets 12.50 more."),
        (("--box", "2", "--player", "Ben", "--paid=-25"), "pay the rest", "Ben gets 15.00 more."),
        (("--box", "2", "--paid", "0"), "take back", "Cal returns 10.00."),
    ],
)
def test_canberra_14_1_what_was_paid_is_compared_with_what_was_due(ruled, arguments, name, words):
    status, out, err = ruled("wrong_pay", *arguments, "--json")
    assert (status, err) == (0, "")
    (remedy,) = json.loads(out)["remedies"]
    assert (remedy["name"], remedy["words"].startswith(words)) == (name, True)
    assert remedy["clauses"]
    assert remedy["after"]["net"] == {"Ann": "37.50", "Ben": "-10.00", "Cal": "-10.00"}
    assert "the amount paid was not the amount due" in ruled("wrong_pay", *arguments)[1]


@pytest.mark.parametrize(
    ("book", "line"),
    [("canberra", "supervisor void b2/Cal"), ("adelaide", "house void b2/Cal"), ("star", "house void b2/Cal")],
)
def test_a_late_wager_goes_back_and_the_remedy_can_be_entered_as_printed(ruled, book, line):
    status, out, _ = ruled("late_bet", "--box", "2", "--json", book=book, actions=[])
    (remedy,) = json.loads(out)["remedies"]
    assert (status, remedy["enter"], remedy["refused"]) == (0, [line], None)
    transcript = read(written(book, PONTOON, [*remedy["enter"], *STOOD], BETS))
    state = play_on(transcript, rules_of(transcript)).state
    money = {name: dollars(net) for name, net in nets(transcript.players, state.settlements).items()}
    assert money == {"Ann": "37.50", "Ben": "-10.00", "Cal": "0.00"}
    assert remedy["after"]["if_all_stand"].items() >= money.items()
    approver = {"canberra": "operator", "adelaide": "inspector", "star": "operator"}[book]
    assert remedy["approval"]["who"] == approver


def test_a_late_wager_of_the_only_player_takes_its_cards_along(ruled):
    out = ruled("late_bet", "--box", "1")[1]
    assert "Ann's chips on box 1 go back, and its cards with them." in out
    assert "[4.3]" in out


@pytest.mark.parametrize("book", NAMES)
def test_no_document_speaks_of_a_card_that_is_found(ruled, book):
    status, out, _ = ruled("card_found", "--card", "7S", "--json", book=book)
    data = json.loads(out)
    assert (status, data["document"]["silent"], data["error"]["card"]) == (1, True, "7s")
    stands, void = data["remedies"]
    assert (stands["enter"], stands["after"]["net"]["Ann"]) == ([], "37.50")
    assert void["refused"] is None
    assert void["after"]["net"] == {"Ann": "0.00", "Ben": "0.00", "Cal": "0.00"}
    assert void["enter"] == [f"{'house' if book in ('star', 'federal') else 'supervisor'} void round"]
    assert "The card is kept out" in ruled("card_found", book=book)[1]


@pytest.mark.parametrize(
    ("kind", "arguments", "words"),
    [
        ("wrong_pay", ("--box", "1"), "what was paid is needed"),
        ("wrong_pay", ("--box", "1", "--paid", "37.50"), "pay 37.50 is what Ann was due"),
        ("wrong_pay", ("--box", "2", "--paid=-10"), "take 10.00 is what Cal was due"),
        ("wrong_pay", ("--paid", "5"), "the box is needed"),
        ("wrong_pay", ("--box", "1", "--paid", "x"), "'x' is not an amount such as 37.50 or -25"),
        ("late_bet", ("--box", "5"), "nobody has a bet there"),
        ("late_bet", ("--box", "1", "--player", "Ben"), "Ben has no bet there; Ann has"),
        ("card_found", ("--card", "Ts"), "'Ts' is not a card such as 7s or Kd"),
        ("exposed", ("--paid", "5"), "--paid: belongs to --error wrong_pay"),
    ],
)
def test_bad_input_gets_one_line(ruled, kind, arguments, words):
    status, out, err = ruled(kind, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_nothing_is_paid_wrongly_before_it_is_paid(ruled):
    status, _, err = ruled("wrong_pay", "--box", "2", "--paid", "10", actions=[])
    assert (status, "nothing is paid to Cal there yet" in err) == (2, True)


def test_every_kind_has_its_words():
    assert set(HOUSE_ERRORS) == set(HOUSE_KINDS)
