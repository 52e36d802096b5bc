"""One round of Pontoon in the order it is played. Pure, frozen, deterministic.

>>> from pontoon.engine import *
>>> from pontoon.rulebook import load
>>> wager, call = PlaceWager(1, "Ann", 1000), CallNoMoreBets()
>>> state = must_play(Round(load("division-15")), wager, call, *map(DealCard, ("As", "9d", "Kc")))
>>> state.phase, state.settlements[0].net, state.settlements[0].clauses
('ended', 1500, ('5.1(c)', '9.1', '11.1'))
"""

from pontoon.decider import Played, RefusedError
from pontoon.engine.commands import (
    Absent,
    BurnCard,
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    DeclineSurrender,
    Double,
    ExposeCard,
    Forfeit,
    Hit,
    Insure,
    Keep,
    NoticeNoFirstCard,
    NoticeSkip,
    OfferLate,
    PlaceSideWager,
    PlaceWager,
    RefuseCard,
    Ride,
    SideKind,
    SkipDealer,
    SkipHand,
    Split,
    Stand,
    Surrender,
    TakeBack,
    VoidBox,
    VoidRound,
    Withdraw,
)
from pontoon.engine.decide import decide, evolve, must_play, play, refusal
from pontoon.engine.events import Event, Reversed, Settled
from pontoon.engine.options import Options, options
from pontoon.engine.refusals import Refusal
from pontoon.engine.state import Box, Hand, InsuranceWager, Limits, Round, SideWager, Wager

__all__ = [
    "Absent",
    "Box",
    "BurnCard",
    "CallNoMoreBets",
    "CloseOffer",
    "Command",
    "DealCard",
    "DeclineSurrender",
    "Double",
    "Event",
    "ExposeCard",
    "Forfeit",
    "Hand",
    "Hit",
    "InsuranceWager",
    "Insure",
    "Keep",
    "Limits",
    "NoticeNoFirstCard",
    "NoticeSkip",
    "OfferLate",
    "Options",
    "PlaceSideWager",
    "PlaceWager",
    "Played",
    "Refusal",
    "RefuseCard",
    "RefusedError",
    "Reversed",
    "Ride",
    "Round",
    "Settled",
    "SideKind",
    "SideWager",
    "SkipDealer",
    "SkipHand",
    "Split",
    "Stand",
    "Surrender",
    "TakeBack",
    "VoidBox",
    "VoidRound",
    "Wager",
    "Withdraw",
    "decide",
    "evolve",
    "must_play",
    "options",
    "play",
    "refusal",
]
