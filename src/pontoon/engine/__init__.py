"""One round of Pontoon in the order it is played. Pure, frozen, deterministic.

>>> from pontoon.engine import *
>>> from pontoon.rulebook import load
>>> state = Round(load("division-15"))
>>> for command in (PlaceWager(1, "Ann", 1000), CallNoMoreBets(), *map(DealCard, ("As", "9d", "Kc"))):
...     state = play(state, command).state
>>> state.phase, state.settlements[0].net, state.settlements[0].clauses
('ended', 1500, ('5.1(c)', '9.1', '11.1'))
"""

from pontoon.decider import Played
from pontoon.engine.commands import (
    Absent,
    BurnCard,
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    DeclineInsurance,
    DeclineSurrender,
    Double,
    ExposeCard,
    Forfeit,
    Hit,
    Insure,
    Keep,
    MissCard,
    NoticeNoFirstCard,
    NoticeSkip,
    OfferLate,
    PlaceSideWager,
    PlaceWager,
    PutRight,
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
    VoidHand,
    VoidRound,
    VoidWager,
    Withdraw,
)
from pontoon.engine.decide import decide, evolve, play, refusal
from pontoon.engine.events import Event, Reversed, Settled
from pontoon.engine.options import Options, options
from pontoon.engine.refusals import Refusal
from pontoon.engine.state import Box, Hand, InsuranceWager, Limits, Round, SideLimits, SideWager, Wager

__all__ = [
    "Absent",
    "Box",
    "BurnCard",
    "CallNoMoreBets",
    "CloseOffer",
    "Command",
    "DealCard",
    "DeclineInsurance",
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
    "MissCard",
    "NoticeNoFirstCard",
    "NoticeSkip",
    "OfferLate",
    "Options",
    "PlaceSideWager",
    "PlaceWager",
    "Played",
    "PutRight",
    "Refusal",
    "RefuseCard",
    "Reversed",
    "Ride",
    "Round",
    "Settled",
    "SideKind",
    "SideLimits",
    "SideWager",
    "SkipDealer",
    "SkipHand",
    "Split",
    "Stand",
    "Surrender",
    "TakeBack",
    "VoidBox",
    "VoidHand",
    "VoidRound",
    "VoidWager",
    "Wager",
    "Withdraw",
    "decide",
    "evolve",
    "options",
    "play",
    "refusal",
]
