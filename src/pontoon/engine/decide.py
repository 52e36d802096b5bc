"""What a command leads to: refused, or done. `play` is `decide` and `evolve` in one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec import Struct

from pontoon.engine import commands as c
from pontoon.engine.dealing import close_offer, deal_card, refuse_card, refuse_close
from pontoon.engine.decisions import absent, hit, refuse_absent, refuse_hit, refuse_stand, stand
from pontoon.engine.doubling import double, forfeit, keep, refuse_double, refuse_forfeit
from pontoon.engine.events import Event
from pontoon.engine.flow import Flow
from pontoon.engine.insurance import insure, refuse_insurance
from pontoon.engine.irregularities import (
    burn_card,
    expose_card,
    offer_late,
    refuse_burn,
    refuse_exposed_card,
    refuse_exposure,
    refuse_late_offer,
    refuse_refusal,
)
from pontoon.engine.refusals import Refusal
from pontoon.engine.short_hands import (
    notice_no_first_card,
    notice_skip,
    refuse_notice,
    refuse_notice_first,
    refuse_skip,
    refuse_skip_dealer,
    refuse_withdraw,
    skip_dealer,
    skip_hand,
    withdraw,
)
from pontoon.engine.splitting import refuse_ride, refuse_split, ride, split
from pontoon.engine.state import Round
from pontoon.engine.surrender import decline_surrender, refuse_surrender, surrender
from pontoon.engine.voids import refuse_void_box, refuse_void_round, void_box, void_round
from pontoon.engine.wagers import (
    call_no_more_bets,
    place_side_wager,
    place_wager,
    refuse_call,
    refuse_side_wager,
    refuse_take_back,
    refuse_wager,
    take_back,
)

_RULES = cast(
    "dict[type[c.Command], tuple[Callable[[Round, Any], Refusal | None], Callable[[Flow, Any], None]]]",
    {
        c.PlaceWager: (refuse_wager, place_wager),
        c.PlaceSideWager: (refuse_side_wager, place_side_wager),
        c.TakeBack: (refuse_take_back, take_back),
        c.CallNoMoreBets: (refuse_call, call_no_more_bets),
        c.DealCard: (refuse_card, deal_card),
        c.Insure: (refuse_insurance, insure),
        c.Surrender: (refuse_surrender, surrender),
        c.DeclineSurrender: (refuse_surrender, decline_surrender),
        c.CloseOffer: (refuse_close, close_offer),
        c.Hit: (refuse_hit, hit),
        c.Stand: (refuse_stand, stand),
        c.Double: (refuse_double, double),
        c.Split: (refuse_split, split),
        c.Ride: (refuse_ride, ride),
        c.Forfeit: (refuse_forfeit, forfeit),
        c.Keep: (refuse_forfeit, keep),
        c.Absent: (refuse_absent, absent),
        c.BurnCard: (refuse_burn, burn_card),
        c.ExposeCard: (refuse_exposure, expose_card),
        c.RefuseCard: (refuse_refusal, refuse_exposed_card),
        c.OfferLate: (refuse_late_offer, offer_late),
        c.SkipHand: (refuse_skip, skip_hand),
        c.NoticeSkip: (refuse_notice, notice_skip),
        c.SkipDealer: (refuse_skip_dealer, skip_dealer),
        c.NoticeNoFirstCard: (refuse_notice_first, notice_no_first_card),
        c.Withdraw: (refuse_withdraw, withdraw),
        c.VoidBox: (refuse_void_box, void_box),
        c.VoidRound: (refuse_void_round, void_round),
    },
)
"""Each command with the question whether it may be done and the doing: the order of play, then what can go wrong."""


class Played(Struct, frozen=True, gc=False):
    """What a command led to: the events, and the state after them."""

    events: tuple[Event, ...]
    state: Round


def refusal(state: Round, command: c.Command) -> Refusal | None:
    """Why not, with its clause; None when the command may be done."""
    return _RULES[type(command)][0](state, command)


def play(state: Round, command: c.Command) -> Played | Refusal:
    """Decide and evolve in one step."""
    refuse, do = _RULES[type(command)]
    refused = refuse(state, command)
    if refused is not None:
        return refused
    flow = Flow(state)
    do(flow, command)
    return Played(tuple(flow.events), flow.state)


def decide(state: Round, command: c.Command) -> tuple[Event, ...] | Refusal:
    """What happens when this is asked: events, or a refusal that changes nothing."""
    played = play(state, command)
    return played if isinstance(played, Refusal) else played.events
