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
        settled = [one for one in state.settlements if isinstance(one, Settled)]
        won = [one for one in settled if one.net > 0]
        rich = [one for one in won if one.odds not in ("1:1", "")]
        if level == 1 and won and (rich or chance.random() < PLAIN):
            return (_payment(rules, state, chance.choice(rich or won)),)
        final = [one for one in settled if one.moment == "final" and one.net]
        if rich and len({one.box for one in final}) > 1:
            return _order(state, final, chance), *(_payment(rules, state, one) for one in won[:MOST_PAID])
    raise AssertionError("nobody ever wins")


def _payment(rules: Rulebook, state: Round, one: Settled) -> Question:
    box = find_box(state, one.box)
    hands = box.hands[one.hand - 1 : one.hand] if box is not None and one.hand else ()
    shown = [ExerciseHand(f"Box {one.box}", hand.cards, hand_words(state, hand)) for hand in hands]
    shown.append(ExerciseHand("Dealer", state.dealer, dealer_words(state)))
    what = "" if one.kind == "main" else f" {kind_words(rules, one.kind)}"
    return Question(
        f"{one.player}, box {one.box}: {money(one.stake)}{what}. What do you pay?",
        tuple(shown),
        (),
        (str(one.net),),
        f"{settlement_words(one).capitalize()}: {money(one.net)}",
        one.clauses,
        6,
        stake=one.stake,
    )


def _order(state: Round, final: list[Settled], chance: Random) -> Question:
    boxes = tuple(dict.fromkeys(one.box for one in final))
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
