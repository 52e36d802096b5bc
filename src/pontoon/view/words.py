"""Words for a refusal, a hand and a settlement: the facts are gathered here, the words are in the catalogue."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from pontoon.cards import LIMIT, is_pontoon
from pontoon.engine import Refusal, Reversed, Round, Settled
from pontoon.engine.odds import hand_row
from pontoon.engine.side_bets import paid_row
from pontoon.engine.state import Hand, find_box
from pontoon.money import dollars
from pontoon.quoting import quoted
from pontoon.rulebook import Rulebook
from pontoon.view.catalogue import ENGLISH, catalogue, entries, refusal_words, say
from pontoon.view.catalogue.formats import title


def why(refusal: Refusal, language: str = ENGLISH) -> str:
    """A refusal as one sentence, with its facts.

    >>> why(Refusal("forced_draw", ("14.1(d)",), {"total": 11, "soft": False, "least": 12}))
    'you hold 11; a hand below 12 must draw'
    """
    if not isinstance(refusal, Refusal):
        raise TypeError(f"{quoted(refusal)} is not a refusal; play and refusal return them")
    return refusal_words(refusal.code, refusal.facts, language)


@cache
def group(name: str, language: str = ENGLISH) -> dict[str, str]:
    """All entries of a group, by what they are for.

    >>> group("tie_break")
    {'extra_rounds': 'extra rounds', 'ballot': 'a ballot'}
    """
    rows = (key for key in entries(language) if key.startswith(f"{name}."))
    return {key.removeprefix(f"{name}."): say(key, {}, language) for key in rows}


ENDS = group("end")
"""How a wager can end, in words."""


# --- hands ---------------------------------------------------------------------------------------------


def total_facts(points: int, *, soft: bool) -> dict[str, Any]:
    """The facts that describe a total."""
    return {"total": points, "soft": soft, **({"bust": True} if points > LIMIT else {})}


def hand_facts(state: Round, hand: Hand) -> dict[str, Any]:
    """The facts that describe a hand: its total, its payout row, what was done with it; only those that apply."""
    facts = total_facts(hand.total, soft=hand.soft)
    if is_pontoon(hand.cards) and not hand.split and not hand.missed:
        return {**facts, "pontoon": True}
    row = hand_row(state.rules, hand, hand.total)
    marks: dict[str, Any] = {
        "row": row if f"row.{row}" in catalogue(ENGLISH) else "",
        "doubled": hand.doubled,
        "surrendered": all(wager.surrendered for wager in hand.wagers),
    }
    return facts | {key: value for key, value in marks.items() if value}


def dealer_facts(state: Round) -> dict[str, Any]:
    """The facts that describe the dealer's hand."""
    facts = {**total_facts(state.dealer_total, soft=state.dealer_soft), "cards": len(state.dealer)}
    marks = {"pontoon": state.dealer_pontoon, "ended": state.phase == "ended"}
    return facts | {key: value for key, value in marks.items() if value}


def total_words(points: int, *, soft: bool, language: str = ENGLISH) -> str:
    """Say a total.

    >>> total_words(17, soft=True), total_words(24, soft=False)
    ('soft 17', 'bust 24')
    """
    return say("part.total", total_facts(points, soft=soft), language)


@lru_cache(maxsize=4096)
def _said(key: str, facts: tuple[tuple[str, Any], ...], language: str) -> str:
    """Hands are described again in every frame, and there are few different ones."""
    return say(key, dict(facts), language)


def hand_words(state: Round, hand: Hand, language: str = ENGLISH) -> str:
    """Describe a hand: its total, and the payout row it makes."""
    return hand_and_row(state, hand, language)[0]


def hand_and_row(state: Round, hand: Hand, language: str = ENGLISH) -> tuple[str, str]:
    """A hand in words, and its payout row in words; the row is empty if it has none."""
    facts = hand_facts(state, hand)
    row = facts.get("row", "")
    return _said("part.hand", tuple(facts.items()), language), _said(f"row.{row}", (), language) if row else ""


def dealer_words(state: Round, language: str = ENGLISH) -> str:
    """Say what the dealer has."""
    return _said("part.dealer", tuple(dealer_facts(state).items()), language)


# --- money and settlements -----------------------------------------------------------------------------


def money_words(net: int) -> str:
    """A result with its sign, as the columns of `pontoon settle` have it.

    >>> money_words(2250), money_words(-1000), money_words(0)
    ('+22.50', '-10.00', '0.00')
    """
    return ("+" if net > 0 else "") + dollars(net)


def settlement_words(one: Settled | Reversed, language: str = ENGLISH) -> str:
    """Say how a wager came out: the result, and the odds if there are any."""
    return say("part.outcome", {"result": one.result, "odds": one.odds}, language)


def settled_words(one: Settled | Reversed) -> str:
    """The result of a wager, as in the column of `pontoon settle`."""
    return f"{say(f'settle.{one.result}', {})} {one.odds}".strip()


def kind_words(rules: Rulebook | None, kind: str, language: str = ENGLISH) -> str:
    """Say what a kind of wager is called: a side bet by its title, or by its name where the rulebook is not at hand.

    >>> kind_words(None, "insurance"), kind_words(None, "perfect_pairs")
    ('insurance', 'Perfect Pairs')
    """
    bet = rules.side_bet(kind) if rules is not None else None
    return say(f"kind.{kind}", {}, language) if kind in group("kind") else bet.title if bet else title(kind)


def wager_words(rules: Rulebook, one: Settled | Reversed) -> str:
    """Say which wager was settled: its kind, its stake and, for insurance on another's wager, whose."""
    whose = f" for {one.owner}" if one.owner else ""
    return f"{kind_words(rules, one.kind)} {dollars(one.stake)}{whose}"


def paid_title(state: Round, one: Settled | Reversed) -> str:
    """Which row of its pay table paid a side bet; empty for everything else."""
    side = next(
        (side for side in state.side if (side.box, side.player, side.kind) == (one.box, one.player, one.kind)), None
    )
    row = paid_row(state, side) if side is not None and one.result == "win" else None
    return row.title if row is not None else ""


def row_words(state: Round, one: Settled | Reversed) -> str:
    """The row that paid a side bet, to be put behind its result."""
    paid = paid_title(state, one)
    return f", {paid}" if paid else ""


def place_words(state: Round, box: int, hand: int) -> str:
    """Describe where a hand is; the hand number is included only if a box has several."""
    seat = find_box(state, box)
    several = seat is not None and len(seat.hands) > 1 and hand
    return f"box {box}.{hand}" if several else f"box {box}"
