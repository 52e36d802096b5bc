"""Spot the error: a round with a planted error; which line is wrong, and which clause says so."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from msgspec import Struct

from pontoon.engine import Round, Settled
from pontoon.rulebook import Clauses, Rulebook
from pontoon.rulebook.register import find
from pontoon.school.model import Question, among, hands_of
from pontoon.school.procedure import OFFERS, Step, steps
from pontoon.school.rounds import played_round
from pontoon.view.catalogue.formats import money
from pontoon.view.words import settlement_words

TRIES = 200
ODDS = ("payout.", "insurance.odds", "side.")
"""Keys of the rulebook that set what a win is paid."""
SHOWN = 8
"""Lines of a round to choose from."""


class Planted(Struct, frozen=True):
    """Lines of a round, which of them is wrong, what would be right, and by which clause."""

    question: str
    lines: tuple[str, ...]
    wrong: int
    why: str
    clauses: Clauses
    state: Round


def spot(rules: Rulebook, level: int, chance: Random) -> tuple[Question, ...]:
    """A wrong payment; from level 2 on also a card out of order and an offer left out."""
    makers = (_payment,) if level == 1 else (_payment, _card, _offer)
    for _ in range(TRIES):
        planted = chance.choice(makers)(rules, max(level, 2), chance)
        if planted is not None:
            return _where(planted), *_which_clause(rules, planted, chance)
    raise AssertionError("no round could be spoiled")


def _where(planted: Planted) -> Question:
    right = planted.lines[planted.wrong]
    hands = hands_of(planted.state)
    return Question(planted.question, hands, planted.lines, (right,), planted.why, planted.clauses, 20)


def _which_clause(rules: Rulebook, planted: Planted, chance: Random) -> tuple[Question, ...]:
    """The clause, with its text if it is registered; no question if the document has no clause."""
    if not planted.clauses:
        return ()
    cites = rules.cites
    known = (cites.deal_first, cites.deal_second, cites.insurance_offered, cites.won_higher, cites.bust, cites.split)
    others = [_clause(rules, clauses[0]) for clauses in known if clauses and clauses[0] not in planted.clauses]
    right = _clause(rules, planted.clauses[0])
    question = f"{planted.lines[planted.wrong]}. Which clause is broken?"
    choices = among((right,), others, chance)
    return (Question(question, hands_of(planted.state), choices, (right,), planted.why, planted.clauses, 20),)


def _clause(rules: Rulebook, number: str) -> str:
    found = find(rules.about.name, number)
    return f"{number}: {found.text}" if found is not None else number


# --- errors --------------------------------------------------------------------------------------------


def _payment(rules: Rulebook, level: int, chance: Random) -> Planted | None:
    """A settlement with one wrong payment."""
    state = played_round(rules, level, chance).end
    lines = [one for one in state.settlements if isinstance(one, Settled) and one.net][:SHOWN]
    if len(lines) <= 1:
        return None
    wrong = chance.randrange(len(lines))
    said = tuple(_paid(one, _mistaken(one) if place == wrong else one.net) for place, one in enumerate(lines))
    if len(set(said)) < len(said):
        return None  # two lines read alike
    due = lines[wrong]
    why = f"{due.player} on box {due.box}: {settlement_words(due)}, {money(due.net)}"
    return Planted("One payment of this round is wrong. Which?", said, wrong, why, _broken(rules, due), state)


def _broken(rules: Rulebook, due: Settled) -> Clauses:
    """The clauses of a settlement, first the one a wrong payment breaks: for a win that of its odds."""
    keys = [key for key in rules.sources if key.startswith(ODDS)]
    odds = {clause for key in keys for clause in rules.clauses(key)} if due.net > 0 else set()
    return tuple(sorted(due.clauses, key=lambda clause: clause not in odds))


def _paid(one: Settled, net: int) -> str:
    verb = "pays" if net > 0 else "takes"
    what = "" if one.kind == "main" else f" {one.kind.replace('_', ' ')}"
    return f"Box {one.box}, {one.player}, {money(one.stake)}{what}: the dealer {verb} {money(abs(net))}"


def _mistaken(one: Settled) -> int:
    """What a tired dealer might do: even money for odds, odds for even money, or paying a loser."""
    if one.net < 0:
        return one.stake
    return one.stake if one.net != one.stake else one.stake * 3 // 2


def _card(rules: Rulebook, level: int, chance: Random) -> Planted | None:
    """Two cards of the initial deal in the wrong order."""
    dealt = [step for step in steps(played_round(rules, level, chance)) if step.state.phase == "initial_deal"]
    places = [
        place
        for place, (one, two) in enumerate(pairwise(dealt))
        if one.act.startswith("Card to box") and two.act.startswith("Card to box") and one.act < two.act
    ]
    if not places:
        return None
    at = chance.choice(places)
    acts = [step.act for step in dealt]
    acts[at], acts[at + 1] = acts[at + 1], acts[at]
    why = f"Before that comes: {dealt[at].act[0].lower()}{dealt[at].act[1:]}"
    return _window(acts, at, why, dealt[at], chance)


def _offer(rules: Rulebook, level: int, chance: Random) -> Planted | None:
    """An offer is left out, and the dealer goes on."""
    done = list(steps(played_round(rules, level, chance)))
    places = [place for place, step in enumerate(done[:-1]) if step.act in OFFERS.values()]
    if not places:
        return None
    at = chance.choice(places)
    acts = [step.act for step in done]
    del acts[at]
    return _window(acts, at, f"Before that comes: {done[at].act[0].lower()}{done[at].act[1:]}", done[at], chance)


def _window(acts: list[str], at: int, why: str, step: Step, chance: Random) -> Planted:
    """A few lines around the wrong one, numbered so that each is different."""
    first = max(0, min(at - chance.randrange(SHOWN), len(acts) - SHOWN))
    lines = [f"Step {place}: {act[0].lower()}{act[1:]}" for place, act in enumerate(acts, 1)]
    question = "The dealer's steps in order. One comes too early. Which?"
    return Planted(question, tuple(lines[first : first + SHOWN]), at - first, why, step.clauses, step.state)
