"""One plain sentence for the best decision on a hand, made from the values and from what the next card can do.

>>> from pontoon.rulebook import load
>>> from pontoon.trainer.values import Question, game_of
>>> game = game_of(load("canberra"), 8, 2500)
>>> why(Question(game, "decision", ("Ks", "6h"), "6d", (), (), may=("hit", "stand")))
"A card busts 16 in 58 of 100 deals, and the dealer's 6 busts in 40: let the dealer take the risk."
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from pontoon.cards import LIMIT, PACK, Card, total
from pontoon.money import Odds
from pontoon.rulebook import Rulebook
from pontoon.trainer.values import DECLINE, INSURE, PLAY_ON, Question, Worth, rules_of, solve, solver_of

NAMES = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
VOWELS = ("A", "8")
GOOD = 17
"""A total the dealer does not draw to."""
SAFE = 11
"""The highest hard total that no card can bust."""
FOUR = 4
RUN = frozenset("678")
MINUS = "\N{MINUS SIGN}"
PICTURE_RANKS = "JQK"


class Facts(Struct, frozen=True):
    """What a sentence is made of; chances in hundredths, rounded."""

    rules: Rulebook
    hand: tuple[Card, ...]
    points: int
    soft: bool
    up: str
    """The upcard with its article: "a 6", "an ace"."""
    card: str
    """The upcard without it."""
    bust: int
    """Next cards that bust the hand, in percent."""
    good: int
    """Next cards that bring it to 17 or more without a bust, in percent."""
    twenty_one: int
    dealer_bust: int
    behind: int
    """Dealer's results that beat this total."""
    values: dict[str, float]
    best: str
    second: str

    @property
    def name(self) -> str:
        """The total in words: "16", "soft 17"."""
        return f"soft {self.points}" if self.soft else str(self.points)


def card_name(card: Card) -> str:
    """The rank of a card in words.

    >>> card_name("Kd"), card_name("6h")
    ('king', '6')
    """
    return NAMES.get(card[0], card[0])


def with_article(card: Card) -> str:
    """The rank of a card with its article: "a king", "an 8"."""
    return f"{'an' if card[0] in VOWELS else 'a'} {card_name(card)}"


def per_dollar(value: float) -> str:
    """A value for each dollar bet: "+$0.21"; a loss has a true minus."""
    sign = "+" if value > 0 else MINUS if value < 0 else ""
    return f"{sign}${abs(value):.2f}"


@lru_cache(maxsize=4096)
def why(question: Question) -> str:
    """Why the best decision on a hand is best, in one sentence; empty if there is nothing to decide."""
    values = solve(question).values
    if not values:
        return ""
    if question.kind == "insurance":
        return _insurance(question, values[0].action)
    if question.kind == "surrender":
        return _surrender(values)
    facts = _facts(question, values)
    return SENTENCES[facts.best](facts)


# --- facts ---------------------------------------------------------------------------------------------


def _facts(question: Question, values: tuple[Worth, ...]) -> Facts:
    hand = question.hand
    held = total(hand, question.fixed_aces)
    left = _left(question)
    whole = sum(left.values())
    after = {card: total((*hand, card), question.fixed_aces).points for card in left}

    def share(keep: Callable[[int], bool]) -> int:
        return round(100 * sum(count for card, count in left.items() if keep(after[card])) / whole)

    results = _dealer(question)
    names = [value.action for value in values]
    return Facts(
        rules=rules_of(question.game),
        hand=hand,
        points=held.points,
        soft=held.soft,
        up=with_article(question.dealer),
        card=card_name(question.dealer),
        bust=share(lambda points: points > LIMIT),
        good=share(lambda points: GOOD <= points <= LIMIT),
        twenty_one=share(lambda points: points == LIMIT),
        dealer_bust=round(100 * results[0]),
        behind=round(100 * sum(results[1:2] + results[2:][max(0, held.points - 11) :])),
        values={value.action: value.value for value in values},
        best=values[0].action,
        second=names[1] if len(names) > 1 else "",
    )


def _left(question: Question) -> dict[Card, int]:
    left = dict.fromkeys(PACK, question.game.packs)
    for card in (*question.hand, question.dealer, *question.layout):
        left[card] = max(0, left[card] - 1)
    return {card: count for card, count in left.items() if count}


def _dealer(question: Question) -> list[float]:
    """How often the dealer busts, makes a pontoon, and each total from 12 on."""
    from pontoon.analysis.hands import value_of  # noqa: PLC0415 numpy is loaded only when something is asked

    board = solver_of(question.game).board(value_of(question.dealer))
    hands = board.table.hands
    counts = tuple(sum(value_of(card) == value for card in question.hand) for value in range(10))
    place = hands.index_of(counts) if counts in hands.number else 0
    found = [float(chance) for chance in board.results[place]]
    if sum(found) < 0.5:
        rows = (row for row in board.results if sum(row) > 0.5)
        found = [float(chance) for chance in next(rows)]
    return found


def _third(facts: Facts) -> tuple[str, str]:
    """The rank that makes a bonus of two cards, and the hand it makes; empty if there is none."""
    ranks = [card[0] for card in facts.hand]
    if ranks == ["7", "7"]:
        return "7", "7-7-7"
    missing = RUN - set(ranks)
    if len(ranks) == 2 and set(ranks) < RUN and len(missing) == 1:
        return next(iter(missing)), "6-7-8"
    return "", ""


# --- sentences -----------------------------------------------------------------------------------------


def _hit(facts: Facts) -> str:
    third, bonus = _third(facts)
    busts = f"the dealer's {facts.card} busts, {facts.dealer_bust} of 100 times"
    stands = f"standing on {facts.name} wins only when {busts}"
    if third and facts.points > SAFE:
        odds = facts.rules.payout.sevens_mixed if bonus == "7-7-7" else facts.rules.payout.six_seven_eight_mixed
        return f"{_upper(with_article(Card(third + 's')))} makes {bonus} and pays {_to(odds)} at once; {stands}."
    if facts.best == "hit" and not facts.soft and facts.points <= SAFE:
        tail = "; a double would stop you after one card" if "double" in facts.values else ""
        return f"No card can bust {facts.points}, so take one{tail}."
    if len(facts.hand) >= FOUR:
        row = facts.rules.payout.five_cards if len(facts.hand) == FOUR else facts.rules.payout.six_cards
        pays = f"21 with {'five' if len(facts.hand) == FOUR else 'six or more'} cards pays {_to(row)}"
        return f"{pays}, and {facts.twenty_one} of 100 cards make it; {stands}."
    if facts.soft and facts.points < GOOD + 1:
        return f"One card cannot bust {facts.name}, and {stands}."
    if facts.points >= GOOD:
        return f"{_upper(facts.name)} loses to {facts.up} in {facts.behind} of 100 deals; a card is the smaller evil."
    return f"A card busts {facts.name} in {facts.bust} of 100 deals, but {stands}."


def _stand(facts: Facts) -> str:
    if facts.soft:
        beats = f"The dealer's {facts.card} beats {facts.name} in {facts.behind} of 100 deals"
        return f"{beats}; a card would make it worse on average."
    if facts.points >= GOOD:
        only = "only " if facts.behind < facts.bust else ""
        return f"A card busts {facts.points} in {facts.bust} of 100 deals; the dealer beats it in {only}{facts.behind}."
    if facts.bust > facts.dealer_bust:
        risk = f"A card busts {facts.points} in {facts.bust} of 100 deals"
        return f"{risk}, and the dealer's {facts.card} busts in {facts.dealer_bust}: let the dealer take the risk."
    busts = f"The dealer's {facts.card} busts in {facts.dealer_bust} of 100 deals"
    return f"{busts}; a card on {facts.points} helps less often."


def _double(facts: Facts) -> str:
    back = ", and a bad card can be taken back" if facts.rules.double.forfeit_highest else ""
    gain = facts.values["double"] - facts.values.get(facts.second, 0)
    return (
        f"{_upper(facts.good)} of 100 cards bring {facts.name} to 17 or more{back}: "
        f"twice the bet earns ${gain:.2f} more for each $1."
    )


def _split(facts: Facts) -> str:
    rank = NAMES.get(facts.hand[0][0], facts.hand[0][0])
    other = facts.values.get(facts.second, 0)
    together = f"Two hands that start with {'an' if rank in ('ace', '8') else 'a'} {rank} average"
    worth = f"{together} {per_dollar(facts.values['split'])} for each $1 bet"
    return f"{worth}; one {facts.name} averages {per_dollar(other)}."


def _forfeit(facts: Facts) -> str:
    kept = per_dollar(facts.values.get("keep", 0))
    return (
        f"Played on, the doubled {facts.name} against {facts.up} averages {kept} for each $1 bet; a forfeit costs $1."
    )


def _keep(facts: Facts) -> str:
    kept = per_dollar(facts.values["keep"])
    return f"Played on, the doubled {facts.name} averages {kept} for each $1 bet, better than the $1 a forfeit costs."


def _give_up(facts: Facts) -> str:
    played = per_dollar(facts.values.get(facts.second, -1))
    return f"Played on, {facts.name} averages {played} for each $1 bet; a surrender costs half."


SENTENCES: dict[str, Callable[[Facts], str]] = {
    "hit": _hit,
    "stand": _stand,
    "double": _double,
    "split": _split,
    "forfeit": _forfeit,
    "keep": _keep,
    "surrender": _give_up,
}


def _insurance(question: Question, best: str) -> str:
    left = _left(question)
    pictures = sum(count for card, count in left.items() if card[0] in PICTURE_RANKS)
    chance = round(100 * pictures / sum(left.values()))
    tail = {INSURE: "more than the 33 it needs", DECLINE: "fewer than the 34 it needs to pay for itself"}[best]
    return f"The dealer makes a pontoon in {chance} of 100 deals; insurance pays 2 to 1, and that is {tail}."


def _surrender(values: tuple[Worth, ...]) -> str:
    played = per_dollar(next(value.value for value in values if value.action == PLAY_ON))
    if values[0].action == PLAY_ON:
        return f"Played on, this hand averages {played} for each $1 bet, better than the half that a surrender costs."
    return f"Played on, this hand averages {played} for each $1 bet; a surrender costs only half."


def _to(odds: Odds) -> str:
    return f"{odds.numerator} to {odds.denominator}"


def _upper(words: object) -> str:
    text = str(words)
    return text[:1].upper() + text[1:]
