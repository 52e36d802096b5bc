"""Pontoon, by the book: a rules engine for the casino card game, under any rulebook.

>>> import pontoon
>>> pontoon.load("canberra").split.max_hands
4

Every name below is imported when it is first used, so that `import pontoon` costs next to nothing. Amounts of money are
whole cents: `cents("10.00")` reads dollars, `dollars(1000)` writes them. docs/library.md is the reference.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pontoon.version import __version__

if TYPE_CHECKING:
    from pontoon.analysis.solver import Solver
    from pontoon.cards import Card, read_cards
    from pontoon.engine import (
        Absent,
        Box,
        BurnCard,
        CallNoMoreBets,
        CloseOffer,
        Command,
        DealCard,
        DeclineSurrender,
        Double,
        Event,
        ExposeCard,
        Forfeit,
        Hand,
        Hit,
        InsuranceWager,
        Insure,
        Keep,
        Limits,
        NoticeNoFirstCard,
        NoticeSkip,
        OfferLate,
        PlaceSideWager,
        PlaceWager,
        Played,
        Refusal,
        RefuseCard,
        RefusedError,
        Ride,
        Round,
        SideKind,
        SideWager,
        SkipDealer,
        SkipHand,
        Split,
        Stand,
        Surrender,
        TakeBack,
        VoidBox,
        VoidRound,
        Wager,
        Withdraw,
    )
    from pontoon.engine.decide import decide, evolve, must_play, play, refusal
    from pontoon.engine.events import (
        BoxVoided,
        CardBurned,
        CardCalled,
        CardDealt,
        CardExposed,
        CardRefused,
        ControlPassed,
        DealerSkipped,
        DealerStopped,
        DealersTurnCame,
        Doubled,
        HandSkipped,
        InsuranceMade,
        InsuranceReduced,
        JokerDealt,
        Kept,
        NoFirstCardNoticed,
        NoMoreBetsCalled,
        OfferClosed,
        OfferOpened,
        PlayerWasAbsent,
        Reversed,
        RoundEnded,
        RoundVoided,
        Settled,
        SideWagerPlaced,
        SkipNoticed,
        SplitBarred,
        SplitCovered,
        SplitMade,
        Stood,
        SurrenderDeclined,
        Surrendered,
        TurnCame,
        WagerPlaced,
        WagerRode,
        WagerTakenBack,
        WagerWithdrawn,
    )
    from pontoon.engine.options import Options, options
    from pontoon.library import (
        Settlement,
        narrate,
        settle,
        simulate,
    )
    from pontoon.money import (
        cents,
        dollars,
    )
    from pontoon.rulebook import (
        Rulebook,
        RulebookError,
        load,
    )
    from pontoon.strategy import (
        Action,
        Situation,
        Strategy,
        answer,
    )
    from pontoon.table.shoe import Shoe
    from pontoon.transcript import TranscriptError
    from pontoon.view.words import why

__all__ = [
    "Absent",
    "Action",
    "Box",
    "BoxVoided",
    "BurnCard",
    "CallNoMoreBets",
    "Card",
    "CardBurned",
    "CardCalled",
    "CardDealt",
    "CardExposed",
    "CardRefused",
    "CloseOffer",
    "Command",
    "ControlPassed",
    "DealCard",
    "DealerSkipped",
    "DealerStopped",
    "DealersTurnCame",
    "DeclineSurrender",
    "Double",
    "Doubled",
    "Event",
    "ExposeCard",
    "Forfeit",
    "Hand",
    "HandSkipped",
    "Hit",
    "InsuranceMade",
    "InsuranceReduced",
    "InsuranceWager",
    "Insure",
    "JokerDealt",
    "Keep",
    "Kept",
    "Limits",
    "NoFirstCardNoticed",
    "NoMoreBetsCalled",
    "NoticeNoFirstCard",
    "NoticeSkip",
    "OfferClosed",
    "OfferLate",
    "OfferOpened",
    "Options",
    "PlaceSideWager",
    "PlaceWager",
    "Played",
    "PlayerWasAbsent",
    "Refusal",
    "RefuseCard",
    "RefusedError",
    "Reversed",
    "Ride",
    "Round",
    "RoundEnded",
    "RoundVoided",
    "Rulebook",
    "RulebookError",
    "Settled",
    "Settlement",
    "Shoe",
    "SideKind",
    "SideWager",
    "SideWagerPlaced",
    "Situation",
    "SkipDealer",
    "SkipHand",
    "SkipNoticed",
    "Solver",
    "Split",
    "SplitBarred",
    "SplitCovered",
    "SplitMade",
    "Stand",
    "Stood",
    "Strategy",
    "Surrender",
    "SurrenderDeclined",
    "Surrendered",
    "TakeBack",
    "TranscriptError",
    "TurnCame",
    "VoidBox",
    "VoidRound",
    "Wager",
    "WagerPlaced",
    "WagerRode",
    "WagerTakenBack",
    "WagerWithdrawn",
    "Withdraw",
    "__version__",
    "answer",
    "cents",
    "decide",
    "dollars",
    "evolve",
    "load",
    "must_play",
    "narrate",
    "options",
    "play",
    "read_cards",
    "refusal",
    "settle",
    "simulate",
    "why",
]

_ENGINE = ("pontoon.engine", "pontoon.engine.events")
"""Where commands, events and the functions of a round are."""
_ELSEWHERE = {
    "Solver": "pontoon.analysis.solver",
    "Card": "pontoon.cards",
    "read_cards": "pontoon.cards",
    "Settlement": "pontoon.library",
    "narrate": "pontoon.library",
    "settle": "pontoon.library",
    "simulate": "pontoon.library",
    "cents": "pontoon.money",
    "dollars": "pontoon.money",
    "Rulebook": "pontoon.rulebook",
    "RulebookError": "pontoon.rulebook",
    "load": "pontoon.rulebook",
    "Action": "pontoon.strategy",
    "Situation": "pontoon.strategy",
    "Strategy": "pontoon.strategy",
    "answer": "pontoon.strategy",
    "Shoe": "pontoon.table.shoe",
    "TranscriptError": "pontoon.transcript",
    "why": "pontoon.view.words",
}


if not TYPE_CHECKING:  # with a module's `__getattr__` a type checker would accept any name

    def __getattr__(name: str) -> object:
        if name in __all__:
            for place in (_ELSEWHERE[name],) if name in _ELSEWHERE else _ENGINE:
                found = getattr(import_module(place), name, None)
                if found is not None:
                    globals()[name] = found
                    return found
        raise AttributeError(f"module 'pontoon' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
