"""The exact value of policies: the engine deals every order of small shoes, and the value must be the same."""

from __future__ import annotations

import zlib
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from pontoon.analysis import Shoe, Solver
from pontoon.engine import DealCard, Round, must_play
from pontoon.environment import ACTIONS, PolicyError, Seen, evaluate
from pontoon.environment.box import KEEP, RESPLITTING, act, allowed, begin, card_is_due, net, seen, settle_offers
from pontoon.environment.policies import asked
from pontoon.rulebook import Rulebook, load
from pontoon.strategy.habits import ordinary_blackjack
from tests.analysis.referee import cards_of, dealt, key_of

EIGHTS = "Ac*2 7s 8s*2 8h 9c Kc*7"
SEVENS = "7s*3 7h 8s 6s Kc*7 Ac"
SOFT = "Ac*3 5c*2 9c*3 Kc*6"
ACES = "Ac*2 5c 9c*2 Kc*8"
FEW_SEVENS = "7s*2 7h 6s Kc*8 Ac"
AGAIN = "Ac 8s*3 8h*2 Kc*7"


def lots(seed: int) -> Any:
    """A stochastic policy: random but fixed chances, some of them zero, for everything the agent can see."""

    def policy(view: Seen) -> dict[int, Fraction]:
        words = repr((seed, view)).encode()
        parts = {action: zlib.crc32(words + bytes([action])) % 4 for action in view.may}
        total = sum(parts.values())
        return (
            {action: Fraction(part, total) for action, part in parts.items()} if total else {view.may[0]: Fraction(1)}
        )

    return policy


class Enumeration:
    """Every order of a shoe and every choice of a policy, through the engine alone; means are in cents."""

    def __init__(self, rules: Rulebook, shoe: str, policy: Any) -> None:
        self.rules, self.policy, self.shoe = rules, asked(policy), Counter(cards_of(shoe))
        self.known: dict[Any, Fraction] = {}

    def value(self) -> Fraction:
        return self.future(begin(self.rules, 1000)) / 1000

    def future(self, state: Round, *, kept: bool = False) -> Fraction:
        """The expected value of the rest of the round."""
        if state.phase == "ended":
            return Fraction(0)
        key = (key_of(state), kept)
        if key not in self.known:
            self.known[key] = self._mean(state, kept=kept)
        return self.known[key]

    def _mean(self, state: Round, *, kept: bool) -> Fraction:
        now, closed = net(state), settle_offers(state)
        if closed is not state:
            return net(closed) - now + self.future(closed)
        if card_is_due(state):
            left = self.shoe - dealt(state)
            after = [(count, must_play(state, DealCard(card))) for card, count in sorted(left.items())]
            return (
                sum((count * (net(one) - now + self.future(one)) for count, one in after), Fraction(0)) / left.total()
            )
        assert allowed(state)
        view, mean = seen(state, kept=kept), Fraction(0)
        for action, chance in self.policy(view).items():
            if view.phase == RESPLITTING and action == KEEP:
                mean += chance * self.future(state, kept=True)
            else:
                after_it = act(state, action)
                mean += chance * (net(after_it) - now + self.future(after_it))
        return mean


CASES = [
    ("star", {}, ACES),
    pytest.param("star", {}, SOFT, marks=pytest.mark.slow),
    pytest.param("star", {"surrender.timing": "turn"}, EIGHTS, marks=pytest.mark.slow),
    pytest.param("federal", {"split.max_hands": 2}, SEVENS, marks=pytest.mark.slow),
    ("federal", {"split.max_hands": 2, "surrender.timing": "turn"}, FEW_SEVENS),
    pytest.param("division-15", {"split.max_hands": 3}, AGAIN, marks=pytest.mark.slow),
    ("division-15", {"split.max_hands": 2}, ACES),
    pytest.param("canberra", {"split.max_hands": 3}, AGAIN, marks=pytest.mark.slow),
    ("adelaide", {"split.max_hands": 3}, AGAIN),
    pytest.param("adelaide", {"split.max_hands": 2}, SOFT, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("name", "overrides", "shoe"), CASES)
def test_a_stochastic_policy_is_worth_what_every_order_of_the_cards_gives(name, overrides, shoe):
    rules = load(name, overrides)
    found = evaluate(lots(5), rules, shoe=cards_of(shoe), exact=True)
    assert found.value == pytest.approx(float(Enumeration(rules, shoe, lots(5)).value()), abs=1e-12)
    assert sum(row.cost for row in found.situations) == pytest.approx(found.regret, abs=1e-12)


def test_a_small_shoe_is_computed_in_fractions_unless_the_caller_decides():
    shoe = cards_of(ACES)
    by_default, in_fractions, in_floats = (
        evaluate(lots(1), "star", shoe=shoe, exact=way) for way in (None, True, False)
    )
    assert by_default == in_fractions
    assert by_default.value != pytest.approx(in_floats.value, abs=1e-9)


def test_a_strategy_has_the_value_that_the_solver_gives_it():
    strategy, shoe = ordinary_blackjack("star", 4), cards_of(ACES)
    found = evaluate(strategy, "star", shoe=shoe, exact=False)
    solver = Solver("star", shoe=Shoe.of_cards(shoe), strategy=strategy)
    assert found.value == pytest.approx(solver.value(), abs=1e-13)
    assert found.optimum == pytest.approx(Solver("star", shoe=solver.shoe).value(), abs=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "packs"), [("canberra", 4), ("division-15", 8), ("adelaide", 6)])
def test_the_same_from_whole_shoes(name, packs):
    strategy = ordinary_blackjack(name, packs)
    found = evaluate(strategy, name, packs)
    assert found.value == pytest.approx(Solver(name, packs, strategy=strategy).value(), abs=1e-13)
    assert sum(row.cost for row in found.situations) == pytest.approx(found.regret, abs=1e-12)
    assert found.worst(1).splitlines()[1].split()[:2] == ["hard", "13"]


def test_a_mixture_of_two_actions_lies_between_them():
    """Insurance is a separate wager: taken half the time, it costs half."""

    def policy(share: float) -> Any:
        return lambda view: {"insure": share, "keep": 1 - share} if "insure" in view.names else view.may[0]

    shoe = cards_of(ACES)
    never, half, always = (evaluate(policy(share), "star", shoe=shoe).value for share in (0.0, 0.5, 1.0))
    assert never != always
    assert half == pytest.approx((never + always) / 2, abs=1e-12)


def test_what_a_function_is_given():
    """The same play as a function of what is seen, of the dictionary, of the vector, and as a table."""
    shoe = cards_of(SOFT)
    table: dict[Seen, int] = {}

    def by_seen(view: Seen) -> int:
        table[view] = view.may[-1 if view.total < 15 else 0]
        return table[view]

    def by_dict(observation: dict[str, Any]) -> int:
        return int(observation["action_mask"].nonzero()[0][-1 if observation["total"] < 15 else 0])

    def by_flat(vector: Any) -> int:
        return int(vector[-len(ACTIONS) :].nonzero()[0][-1 if round(float(vector[18]) * 31) < 15 else 0])

    value = evaluate(by_seen, "star", shoe=shoe).value
    assert evaluate(by_dict, "star", shoe=shoe, sees="dict").value == value
    assert evaluate(by_flat, "star", shoe=shoe, sees="flat").value == value
    single = {view: action for view, action in table.items() if len(view.may) > 1}
    assert evaluate(single, "star", shoe=shoe).value == value


@pytest.mark.parametrize(
    ("policy", "complaint"),
    [
        (lambda _: "insure", r"insure with .*; allowed: "),
        (lambda view: dict.fromkeys(view.may, 0.3), "must add up to 1"),
        (lambda _: "fold", "'fold' is no action"),
        ({}, "the table has no entry"),
    ],
)
def test_an_unlawful_answer_is_refused_in_one_line(policy, complaint):
    with pytest.raises(PolicyError, match=complaint) as refused:
        evaluate(policy, "star", 6)
    assert "\n" not in str(refused.value)
