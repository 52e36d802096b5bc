"""The rules of a round, and the decider's functions made from them."""

from __future__ import annotations

from pontoon.decider import Decider, Rules
from pontoon.engine import commands as c
from pontoon.engine.dealing import close_offer, deal_card, miss_card, refuse_card, refuse_close, refuse_miss
from pontoon.engine.decisions import absent, hit, refuse_absent, refuse_hit, refuse_stand, stand
from pontoon.engine.doubling import double, forfeit, keep, refuse_double, refuse_forfeit
from pontoon.engine.events import Event
from pontoon.engine.evolve import STEPS
from pontoon.engine.insurance import decline_insurance, insure, refuse_declining, refuse_insurance
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
    put_right,
    refuse_notice,
    refuse_notice_first,
    refuse_put_right,
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
from pontoon.engine.voids import (
    refuse_void_box,
    refuse_void_hand,
    refuse_void_round,
    refuse_void_wager,
    void_box,
    void_hand,
    void_round,
    void_wager,
)
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

RULES: Rules[c.Command, Round, Refusal] = {
    c.PlaceWager: (refuse_wager, place_wager),
    c.PlaceSideWager: (refuse_side_wager, place_side_wager),
    c.TakeBack: (refuse_take_back, take_back),
    c.CallNoMoreBets: (refuse_call, call_no_more_bets),
    c.DealCard: (refuse_card, deal_card),
    c.Insure: (refuse_insurance, insure),
    c.DeclineInsurance: (refuse_declining, decline_insurance),
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
    c.MissCard: (refuse_miss, miss_card),
    c.PutRight: (refuse_put_right, put_right),
    c.NoticeSkip: (refuse_notice, notice_skip),
    c.SkipDealer: (refuse_skip_dealer, skip_dealer),
    c.NoticeNoFirstCard: (refuse_notice_first, notice_no_first_card),
    c.Withdraw: (refuse_withdraw, withdraw),
    c.VoidBox: (refuse_void_box, void_box),
    c.VoidHand: (refuse_void_hand, void_hand),
    c.VoidWager: (refuse_void_wager, void_wager),
    c.VoidRound: (refuse_void_round, void_round),
}
"""Each command with its check and its action, in order of play, then irregularities."""

DECIDER = Decider[Round, c.Command, Event, Refusal](RULES, STEPS, c.check_types)
refusal = DECIDER.refusal
decide = DECIDER.decide
evolve = DECIDER.evolve
play = DECIDER.play
must_play = DECIDER.must_play
perform = DECIDER.perform
