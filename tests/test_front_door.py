"""`import pontoon`: its names, the checks at the boundary, and their messages."""

from __future__ import annotations

import ast
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import pontoon
from pontoon import engine
from pontoon.engine import events
from pontoon.engine.commands import (
    BurnCard,
    Command,
    ExposeCard,
    check_types,
)
from pontoon.rulebook.resolve import as_rulebook
from pontoon.strategy import Action, Situation, Strategy, as_strategy
from pontoon.view.words import why

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
WAGER, CALL = pontoon.PlaceWager(1, "Ann", 1000), pontoon.CallNoMoreBets()


def begun(cards: str, rulebook: str = "star") -> pontoon.Round:
    deal = map(pontoon.DealCard, pontoon.read_cards(cards))
    return pontoon.must_play(pontoon.Round(pontoon.load(rulebook)), WAGER, CALL, *deal)


def like_the_dealer(situation: Situation) -> Action:
    if "keep" in situation.may:
        return "keep"
    return "stand" if situation.points >= 17 and "stand" in situation.may else "hit"


# --- the names -----------------------------------------------------------------------------------------


def test_every_name_is_there_and_listed():
    assert all(getattr(pontoon, name) is not None for name in pontoon.__all__)
    assert set(pontoon.__all__) <= set(dir(pontoon))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        pontoon.nonsense  # type: ignore[attr-defined] # noqa: B018 that it fails is the point


def test_all_commands_and_events_of_a_round_are_names():
    kinds = {kind.__name__ for base in (Command, events.Event) for kind in base.__subclasses__()}
    assert kinds <= set(pontoon.__all__)
    assert set(engine.__all__) <= set(pontoon.__all__)


def test_what_mypy_sees_is_what_there_is():
    tree = ast.parse(Path(pontoon.__file__).read_text(encoding="utf-8"))
    typed = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {name.name: node.module for node in typed.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert set(seen) | {"__version__"} == set(pontoon.__all__)
    for name, module in seen.items():
        assert getattr(import_module(module or ""), name) is getattr(pontoon, name), name


def test_a_name_is_imported_when_it_is_used():
    code = "import sys, pontoon; print('pontoon.engine' in sys.modules); pontoon.Round; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


# --- the boundary --------------------------------------------------------------------------------------


wrong: Any = pontoon
"""The same names, without their types."""
FIVE: Any = 5


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: wrong.PlaceWager(1, "Ann", 10.0), "PlaceWager.stake is 10.0; whole cents are needed"),
        (lambda: wrong.PlaceWager(1, "Ann", True), "PlaceWager.stake is True"),
        (lambda: wrong.PlaceWager("1", "Ann", 1000), "PlaceWager.box is '1'; a whole number is needed"),
        (lambda: wrong.PlaceWager(1, None, 1000), "PlaceWager.player is None; a name is needed"),
        (lambda: wrong.PlaceSideWager(1, "Ann", 5, 500), "PlaceSideWager.kind is 5; the name of a side wager"),
        (lambda: wrong.PlaceSideWager(1, "Ann", "perfect_pairs", "5"), "PlaceSideWager.stake is '5'"),
        (lambda: wrong.DealCard(7), 'DealCard.card is 7; a card is needed, as in "7s"'),
        (lambda: wrong.ExposeCard(None), "ExposeCard.card is None"),
        (lambda: wrong.BurnCard(7), "BurnCard.card is 7"),
        (lambda: check_types(wrong.OfferLate(5)), "OfferLate.offer is 5; a word is needed"),
        (lambda: wrong.play(begun("8s 7d 8h"), wrong.Hit("1")), "Hit.box is '1'"),
        (lambda: wrong.play(begun("8s 7d 8h"), wrong.Absent(1, 5)), "Absent.player is 5"),
        (lambda: wrong.play(begun("8s 7d 3h"), wrong.Double(1, 1000.0)), "Double.amount is 1000.0; whole cents"),
        (lambda: wrong.play(begun("8s Ad 3h"), wrong.Insure(1, "Ann", 500.0)), "Insure.amount is 500.0; whole cents"),
        (lambda: wrong.play(begun("8s 7d 8h"), wrong.Ride(1, "Ann", "2")), "Ride.on is '2'"),
        (lambda: wrong.play(begun("8s 7d 8h"), "hit"), "a value of type str is not a command here"),
        (lambda: wrong.refusal(begun("8s 7d 8h"), None), "a value of type NoneType is not a command here"),
        (lambda: wrong.play(wrong.Round("star"), WAGER), "'star' is not a rulebook; a round begins as"),
        (lambda: wrong.options(wrong.Round("star")), "'star' is not a rulebook; a round begins as"),
        (lambda: wrong.options(5), "5 is not a round; a round begins as"),
        (lambda: wrong.narrate(5, ()), "5 is not a round; a round begins as"),
        (lambda: wrong.why(5), "5 is not a refusal"),
        (lambda: wrong.load(5), "5 is not a rulebook; give its name or the path of its file"),
        (lambda: wrong.settle(5), "5 is not a transcript; give its text or the path of its file"),
        (lambda: wrong.read_cards(5), "5: cards are written as in"),
        (lambda: wrong.Solver("star").action_values((5, 5), "7d"), "5: a card is written as in"),
        (lambda: wrong.dollars(10.5), "10.5: an amount is whole cents"),
        (lambda: wrong.dollars("10"), "'10': an amount is whole cents"),
        (lambda: wrong.Shoe("8"), "'8': packs are a whole number"),
        (lambda: wrong.Solver("star", packs="8"), "'8': packs are a whole number"),
        (lambda: as_rulebook(FIVE), "5 is not a rulebook"),
        (lambda: as_strategy(FIVE), "a strategy is a Strategy or a function"),
        (lambda: as_strategy(wrong.Strategy), "a strategy is an object, not a class"),
        (lambda: wrong.Solver("star", stake=10.0), "10.0: an amount is whole cents"),
        (lambda: wrong.simulate("star", stake=10.0), "10.0: an amount is whole cents"),
        (lambda: wrong.simulate(15), "15 is not a rulebook"),
        (
            lambda: wrong.simulate("star", 15),
            "a strategy is a Strategy or a function",
        ),
    ],
)
def test_a_wrong_type_is_refused_in_one_line(make, words):
    with pytest.raises(TypeError) as refused:
        make()
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("kind", [pontoon.DealCard, ExposeCard, BurnCard])
@pytest.mark.parametrize("card", ["10s", "Ts", "7", "7x", ""])
def test_an_impossible_card_is_refused_in_one_line(kind, card):
    with pytest.raises(ValueError, match=f"^'{card}': ") as refused:
        kind(card)
    assert not isinstance(refused.value, KeyError)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pontoon.Shoe(9), "a shoe holds 1 to 8 packs, not 9"),
        (lambda: pontoon.Solver("star", packs=-1), "a shoe holds 1 pack or more, not -1"),
        (lambda: pontoon.Solver("star").action_values(("10s", "8h"), "7d"), "a pontoon pack has no tens"),
        (lambda: pontoon.Solver("nowhere"), "no rulebook 'nowhere'"),
        (lambda: pontoon.simulate("star", "nowhere.json"), "no strategy 'nowhere.json'"),
        (lambda: pontoon.simulate("star", like_the_dealer, packs=5), "star is dealt from 6, 8 packs, not 5"),
        (lambda: pontoon.must_play(begun("8s 7d 8h"), pontoon.CallNoMoreBets()), "CallNoMoreBets.. is refused: "),
    ],
)
def test_other_impossible_values_are_refused_in_one_line(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_what_is_refused_for_good_reasons_is_still_a_value():
    state = begun("8s 7d 9h")
    refused = pontoon.play(state, pontoon.Split(1))
    assert isinstance(refused, pontoon.Refusal)
    assert why(refused) == pontoon.why(refused)
    with pytest.raises(pontoon.RefusedError) as error:
        pontoon.must_play(state, pontoon.Split(1))
    assert error.value.refusal == refused
    assert error.value.command == pontoon.Split(1)


# --- one line ------------------------------------------------------------------------------------------


def test_a_round_and_a_rulebook_print_in_one_line():
    state = pontoon.Round(pontoon.load("star"))
    assert repr(state) == "<Round star: wagers>"
    assert repr(wrong.Round("star")) == "<Round 'star': wagers>"
    assert repr(begun("8s 7d 8h")) == "<Round star: decision, dealer 7d, box 1 Ann 10.00 (8s 8h)>"
    split = pontoon.must_play(begun("8s 7d 8h"), pontoon.Split(1))
    assert repr(split) == "<Round star: card, dealer 7d, box 1 Ann 10.00 (8s) (8h)>"
    for book in (pontoon.load("canberra"), pontoon.load("canberra", {"split.max_hands": 2})):
        assert len(repr(book)) < 120
        assert "\n" not in repr(book)


# --- money and packs -----------------------------------------------------------------------------------


def test_a_stake_is_cents_or_a_string_of_dollars():
    by_cents = pontoon.Solver("star", 8, stake=2500)
    assert by_cents.game is pontoon.Solver("star", packs=8, stake="25").game
    assert by_cents.game.stake == Fraction(25)
    assert pontoon.Solver("star", decks=6).packs == 6
    assert pontoon.Solver(pontoon.load("star")).packs == 8


def test_a_rulebook_is_a_name_a_path_or_itself():
    own = as_rulebook(EXAMPLES / "python" / "my-casino.toml")
    assert own.about.name == "my-casino"
    assert as_rulebook(str(EXAMPLES / "python" / "my-casino.toml")).split.max_hands == 3
    assert pontoon.Solver(EXAMPLES / "python" / "my-casino.toml").game.max_hands == 3


# --- strategies ----------------------------------------------------------------------------------------


class Chooses:
    """Has `choose` and nothing else."""

    def choose(self, situation: Situation) -> Action:
        return like_the_dealer(situation)


class Derived(Strategy):
    def choose(self, situation: Situation) -> Action:
        return like_the_dealer(situation)


class Insuring(Derived):
    def insures(self, cards: tuple[pontoon.Card, ...], dealer: pontoon.Card) -> bool:
        return bool(cards and dealer)


@pytest.mark.parametrize("strategy", [like_the_dealer, Chooses(), Derived()], ids=["function", "choose", "derived"])
def test_a_strategy_in_every_form_gives_the_same_answers(strategy):
    assert pontoon.answer(begun("8s Ad 9h"), strategy) == pontoon.CloseOffer()
    assert pontoon.answer(begun("8s 7d 9h"), strategy) == pontoon.Stand(1)
    assert pontoon.answer(begun("8s 7d 8h"), strategy) == pontoon.Hit(1)
    assert pontoon.answer(begun("8s"), strategy) is None
    assert pontoon.Solver("star", strategy=strategy).strategy is not None


def test_a_strategy_of_ones_own_may_insure():
    assert pontoon.answer(begun("8s Ad 9h"), Insuring()) == pontoon.Insure(1, "Ann", 500)
    with pytest.raises(TypeError, match="abstract"):
        Strategy()  # type: ignore[misc]


def test_a_situation_knows_its_total():
    situation = Situation(pontoon.read_cards("As 7h"), pontoon.Card("6d"))
    assert (situation.points, situation.soft) == (18, True)
    fixed = Situation(pontoon.read_cards("As 7h"), pontoon.Card("6d"), fixed_aces=1)
    assert (fixed.points, fixed.soft) == (8, False)


# --- words and transcripts -----------------------------------------------------------------------------

REFUSED = """
rulebook = "star"
cards = "8s 7d 9h"
actions = ["b1 split"]
bets = [{ box = 1, player = "Ann", stake = "10" }]
"""


def test_events_are_narrated_from_the_state_before_them():
    state = begun("Ks 7d 9h")
    stood = pontoon.play(state, pontoon.Stand(1))
    assert isinstance(stood, pontoon.Played)
    assert pontoon.narrate(state, stood.events) == ["You stand on 19  [STAR-PLAY-8 STAR-PLAY-10]"]


def test_a_transcript_is_settled_by_its_text_or_its_path():
    file = EXAMPLES / "super-bonus.prt"
    text = file.read_text(encoding="utf-8")
    by_path = pontoon.settle(file)
    assert by_path.net == {"Ann": 507500, "Bob": 4000, "Cat": 4000}
    assert by_path.house == -515500
    assert by_path.owed == {}
    assert by_path.payments == by_path.state.settlements
    for given in (str(file), text, text.encode()):
        assert pontoon.settle(given) == by_path


def test_what_was_paid_wrongly_is_owed():
    text = (EXAMPLES / "super-bonus.prt").read_text(encoding="utf-8")
    settled = pontoon.settle(text + '\n[paid]\nAnn = "5000.00"\nBob = "40.00"\nCat = "50.00"\n')
    assert settled.owed == {"Ann": 7500, "Cat": -1000}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("nowhere.prt", "nowhere.prt: No such file or directory"),
        ("a\0b", "cannot be read"),
        ("not = toml =\n", "file: not TOML"),
        (REFUSED, "b1 split: 8s 9h is not a pair that may be split [STAR-SPLIT-1]"),
    ],
)
def test_a_transcript_that_cannot_be_settled_says_why(given, words):
    with pytest.raises(pontoon.TranscriptError) as error:
        pontoon.settle(given)
    assert words in str(error.value)
    assert isinstance(error.value, ValueError)
