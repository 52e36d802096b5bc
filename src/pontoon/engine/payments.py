"""Paying, collecting and returning a wager on a hand: the main wager, then its double."""

from __future__ import annotations

from pontoon.cards import Card
from pontoon.engine.events import CardBurned, Moment, Result, Settled
from pontoon.engine.flow import Flow, cite
from pontoon.engine.odds import odds_of, payout
from pontoon.engine.state import Hand, Wager
from pontoon.rulebook import Clauses

Place = tuple[int, int]
"""Box number and hand number."""


def pay(flow: Flow, place: Place, hand: Hand, wager: Wager, moment: Moment, why: Clauses) -> None:
    """Pay a winning wager, and its double at the same odds."""
    rules, limits = flow.state.rules, flow.state.limits
    odds, clauses = odds_of(rules, hand, wager)
    both, rounded = payout(rules, limits, wager.stake + wager.double, odds, multiples=True)
    cited = cite(why, clauses, rounded)
    double = odds.pays(wager.double) if wager.double else 0
    flow.put(Settled(wager.player, *place, "main", wager.stake, "win", str(odds), both - double, moment, cited))
    if wager.double:
        flow.put(Settled(wager.player, *place, "double", wager.double, "win", str(odds), double, moment, cited))


def collect(flow: Flow, place: Place, wager: Wager, moment: Moment, why: Clauses) -> None:
    """Collect a losing wager with its double."""
    flow.put(Settled(wager.player, *place, "main", wager.stake, "lose", "", -wager.stake, moment, why))
    if wager.double:
        flow.put(Settled(wager.player, *place, "double", wager.double, "lose", "", -wager.double, moment, why))


def give_back(flow: Flow, place: Place, wager: Wager, result: Result, why: Clauses) -> None:
    """Return a wager with its double."""
    flow.put(Settled(wager.player, *place, "main", wager.stake, result, "", 0, "final", why))
    give_back_double(flow, place, wager, result, "final", why)


def burn_exposed(flow: Flow) -> None:
    """Discard a card seen in error that no hand took, at the end of the round."""
    card = Card(flow.state.exposed)
    flow.put(CardBurned(card, "exposed", flow.state.rules.clauses("irregular.exposed")))


def return_void(flow: Flow, place: Place, wager: Wager, why: Clauses) -> None:
    """Return a wager as void, with its double."""
    flow.put(Settled(wager.player, *place, "main", wager.stake, "void", "", 0, "interim", why))
    give_back_double(flow, place, wager, "void", "interim", why)


def give_back_double(flow: Flow, place: Place, wager: Wager, result: Result, moment: Moment, why: Clauses) -> None:
    """Return the double alone, if there is one."""
    if wager.double:
        flow.put(Settled(wager.player, *place, "double", wager.double, result, "", 0, moment, why))
