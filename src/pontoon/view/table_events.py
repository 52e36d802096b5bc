"""An event as one viewer sees it: the facts that are sent, and one sentence for a person.

A row for each kind of event names the facts that are sent; any other fact stays on the server. So orders of cards,
seeds before their reveal and faces in the rack are never sent, only their numbers where that helps. A burned card is
sent only if it was seen as it was burned; one burned unseen is shown to the player who asks for it (division-15 8.1),
and nobody else. Why someone was restricted or excluded stays in the record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec import Struct

from pontoon.engine import Event
from pontoon.engine import events as e
from pontoon.engine.state import find_box
from pontoon.rulebook import Clauses
from pontoon.table import Table
from pontoon.table import events as t
from pontoon.table.state import seat_of
from pontoon.view.catalogue import event_words
from pontoon.view.events import Facts, hand_of, round_facts
from pontoon.view.viewer import Viewer, is_hidden, seen_cards

UNSEEN = "in_error"
"""The reason for burning a card that nobody saw."""


class EventView(Struct, frozen=True, omit_defaults=True):
    """One event as a viewer receives it."""

    type: str
    facts: dict[str, Any] = {}
    clauses: Clauses = ()
    words: str = ""
    """Built from type and facts in the viewer's language; empty if neighbouring events already say it."""


def event_view(event: t.TableEvent, before: Table, after: Table, viewer: Viewer) -> EventView | None:
    """The event between two states of a table as this viewer sees it; None if the viewer is sent nothing.

    >>> from pontoon.rulebook import load
    >>> table = Table(load("star"), 8)
    >>> event_view(t.PlayerSat(("1.1",), "Ann", 3), table, table, Viewer()).words
    'Ann sits down at box 3'
    """
    if isinstance(event, t.InRound):
        return _in_round(event.event, after, viewer)
    if isinstance(event, t.CardLeftShoe):  # the next event says where it went, and that may be face down
        return None
    if isinstance(event, t.Reported) or (isinstance(event, t.Announced) and event.to not in ("", viewer.player)):
        return None  # for the authority, or for one player alone
    name = type(event)
    facts = {key: getattr(event, key) for key in TABLE_FACTS[name]}
    more = MORE_FACTS.get(name)
    if more is not None:
        facts |= more(event, before, after)
    if isinstance(event, t.BurnShown) and viewer.player == event.player and before.shoe.burned:
        facts["card"] = before.shoe.burned
    return EventView(name.__name__, facts, event.clauses, event_words(name.__name__, facts, viewer.language))


# --- around the rounds ---------------------------------------------------------------------------------

TABLE_FACTS: dict[type[t.TableEvent], tuple[str, ...]] = {
    t.TableOpened: (),
    t.CardsChecked: ("by",),
    t.CardsShown: ("player",),
    t.SealBroken: ("whole",),
    t.CardsShuffled: ("count", "washed"),
    t.ShoeCommitted: ("seed_hash", "root"),
    t.ShoeRevealed: ("seed",),
    t.CutOffered: ("to",),
    t.CutDeclined: ("player",),
    t.CardsCut: ("by", "depth"),
    t.CuttingCardPlaced: ("behind",),
    t.DeviceLoaded: ("count",),
    t.CardsBurned: ("count",),
    t.BurnShown: ("player",),
    t.PlayerSat: ("player", "box"),
    t.PlayerLeft: ("player",),
    t.LimitsSet: ("box_maximum",),
    t.LimitsAnnounced: ("box_maximum",),
    t.SideBetsOffered: ("bets",),
    t.LateEntryHeld: ("hold", "player", "by"),
    t.BoxesAllowed: ("boxes", "player", "by"),
    t.ControlTaken: ("box", "player", "by"),
    t.HoursSet: ("open",),
    t.PersonalLimitAllowed: ("player", "box", "maximum"),
    t.PlayerRestricted: ("player", "by"),
    t.PlayerExcluded: ("player", "by"),
    t.RoundBegan: ("number",),
    t.ControlDeclined: ("box", "player"),
    t.Announced: ("words",),
    t.Ruled: ("what", "by", "approver", "reason"),
    t.PartnersDeclared: ("players", "by"),
    t.RoundReconstructed: ("way", "returns"),
    t.LeftOverRemoved: (),
    t.ExtraHandRemoved: (),
    t.DisputeDecided: ("player", "matter", "decision", "by", "amount", "house"),
    t.CuttingCardCame: ("place", "player"),
    t.ShuffleFellDue: ("why",),
    t.DiscardsShuffled: (),
    t.HandCollected: ("box", "hand"),
    t.AuthorityNotified: ("authority", "matter"),
    t.DealerChanged: ("dealer", "reason"),
    t.CardsCollected: (),
    t.DiscardsReturned: (),
    t.CardsChanged: ("reason",),
    t.CardReplaced: (),
    t.DeviceJammed: (),
    t.DeviceFailed: (),
    t.ClosingNoticed: ("kind", "rounds"),
    t.TableClosed: (),
    t.EarlierRoundVoided: ("number", "returns"),
    t.AmountOwed: ("player", "amount"),
}
"""The fields of each event that are sent. Nothing of `CardLeftShoe` and `Reported` is sent."""


def _discards(_: t.TableEvent, before: Table, __: Table) -> dict[str, int]:
    return {"count": len(before.shoe.discards) + before.shoe.hidden_discards}


def _left(_: t.TableEvent, __: Table, after: Table) -> dict[str, int]:
    return {"count": after.shoe.left}


def _cards(event: Any, _: Table, __: Table) -> dict[str, int]:  # noqa: ANN401 several events have cards
    return {"count": len(event.cards)}


def _limits(event: t.LimitsSet | t.LimitsAnnounced, _: Table, __: Table) -> dict[str, int]:
    limits = event.limits
    return {"minimum": limits.minimum, "maximum": limits.maximum, "smallest_chip": limits.smallest_chip}


def _first(event: t.CutOffered, _: Table, __: Table) -> dict[str, str]:
    return {"first": event.to[0]} if event.to else {}


def _titles(event: t.SideBetsOffered, _: Table, after: Table) -> Facts:
    titles = {bet.name: bet.title for bet in after.rules.side}
    return {"titles": tuple(titles.get(name, name) for name in event.bets)}


def _paid(event: t.DisputeDecided, _: Table, __: Table) -> Facts:
    return {"receives": max(event.amount, 0), "pays": max(-event.amount, 0)}


def _seat(event: t.PlayerLeft, before: Table, _: Table) -> dict[str, int]:
    seat = seat_of(before, event.player)
    return {"box": seat.box} if seat else {}


MORE_FACTS = cast(
    "dict[type[t.TableEvent], Callable[[Any, Table, Table], Facts]]",
    {
        t.CutOffered: _first,
        t.PlayerLeft: _seat,
        t.LimitsSet: _limits,
        t.LimitsAnnounced: _limits,
        t.SideBetsOffered: _titles,
        t.DisputeDecided: _paid,
        t.RoundReconstructed: _cards,
        t.ExtraHandRemoved: _cards,
        t.LeftOverRemoved: _cards,
        t.HandCollected: _cards,
        t.DiscardsShuffled: _discards,
        t.CardsCollected: _cards,
        t.DiscardsReturned: _discards,
        t.DeviceJammed: _left,
        t.DeviceFailed: _left,
    },
)
"""Numbers that stand for cards, and facts from around the event."""

# --- in the round --------------------------------------------------------------------------------------

SHOWN_BY_CARDS = frozenset(
    {"total", "soft", "bust", "pontoon", "row", "doubled", "surrendered", "counted"},
)
"""Facts that would show a hand that lies face down."""


def _in_round(event: Event, table: Table, viewer: Viewer) -> EventView | None:
    """An event of the round, `table` being the one after it; of a hand that lies face down without what shows it."""
    assert table.round is not None
    facts = round_facts(table.round, event)
    if _is_of_hidden_hand(facts, table, viewer):
        if isinstance(event, e.SplitBarred):  # only its bettors may know that it was a pair
            return None
        facts = {key: value for key, value in facts.items() if key not in SHOWN_BY_CARDS}
        if isinstance(event, e.CardDealt):
            cards = seen_cards(hand_of(table.round, event.box, event.hand), hidden=True)
            facts |= {"card": cards[-1], "cards": cards, "total": 0, "soft": False}
    if isinstance(event, e.CardBurned) and event.reason == UNSEEN:
        del facts["card"]
    name = type(event).__name__
    return EventView(name, facts, e.clauses_of(event), event_words(name, facts, viewer.language))


def _is_of_hidden_hand(facts: Facts, table: Table, viewer: Viewer) -> bool:
    if not table.face_down or table.round is None or not facts.get("box"):
        return False
    box = find_box(table.round, facts["box"])
    return (
        box is not None and bool(box.hands) and is_hidden(table, box, box.hands[(facts.get("hand") or 1) - 1], viewer)
    )
