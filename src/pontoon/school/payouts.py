"""Payouts: the right amount, and from level 2 on the right order."""

from __future__ import annotations

from random import Random

from pontoon.engine import Round, Settled
from pontoon.engine.state import find_box
from pontoon.rulebook import Rulebook
from pontoon.school.model import ExerciseHand, Question, among, hands_of
from pontoon.school.rounds import played_round
from pontoon.view.catalogue.formats import money
from pontoon.view.words import dealer_words, hand_words, kind_words, settlement_words

TRIES = 300
"""Rounds to try until one makes a question."""
PLAIN = 0.4
"""How often even money is asked for at level 1."""
MOST_PAID = 4
"""Amounts asked for in one exercise."""


def payouts(rules: Rulebook, level: int, chance: Random) -> tuple[Question, ...]:
    """One wager that wins; from level 2 on a whole settlement: first its order, then each payment."""
    for _ in range(TRIES):
        state = played_round(rules, level, chance).end
        settled = [payment for payment in state.settlements if isinstance(payment, Settled)]
        won = [payment for payment in settled if payment.net > 0]
        rich = [payment for payment in won if payment.odds not in ("1:1", "")]
        if level == 1 and won and (rich or chance.random() < PLAIN):
            return (_payment(rules, state, chance.choice(rich or won)),)
        final = [payment for payment in settled if payment.moment == "final" and payment.net]
        if rich and len({payment.box for payment in final}) > 1:
            return _order(state, final, chance), *(_payment(rules, state, payment) for payment in won[:MOST_PAID])
    raise AssertionError("nobody ever wins")


def _payment(rules: Rulebook, state: Round, payment: Settled) -> Question:
    box = find_box(state, payment.box)
    hands = box.hands[payment.hand - 1 : payment.hand] if box is not None and payment.hand else ()
    shown = [ExerciseHand(f"Box {payment.box}", hand.cards, hand_words(state, hand)) for hand in hands]
    shown.append(ExerciseHand("Dealer", state.dealer, dealer_words(state)))
    what = "" if payment.kind == "main" else f" {kind_words(rules, payment.kind)}"
    return Question(
        f"{payment.player}, box {payment.box}: {money(payment.stake)}{what}. What do you pay?",
        tuple(shown),
        (),
        (str(payment.net),),
        f"{settlement_words(payment).capitalize()}: {money(payment.net)}",
        payment.clauses,
        6,
        stake=payment.stake,
    )


def _order(state: Round, final: list[Settled], chance: Random) -> Question:
    boxes = tuple(dict.fromkeys(payment.box for payment in final))
    right = _listed(boxes)
    others = [_listed(boxes[::-1]), *(_listed(tuple(chance.sample(boxes, len(boxes)))) for _ in range(8))]
    return Question(
        "All have played. In which order do you settle these boxes?",
        hands_of(state),
        among((right,), others, chance),
        (right,),
        f"You settle {right.lower()}",
        final[0].clauses,
        8,
    )


def _listed(boxes: tuple[int, ...]) -> str:
    return "Box " + ", then ".join(str(box) for box in boxes)
