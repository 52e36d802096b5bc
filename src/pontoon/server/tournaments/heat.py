"""What a tournament adds to a room: places, the starting marker, chips, and the round that is on. A fold like the rest.

The rules are in `pontoon.tournament.session_table`; here they are only asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import PlaceSideWager, PlaceWager, Refusal
from pontoon.engine.refusals import refuse
from pontoon.ledger import Posting, wallet_of
from pontoon.server.log import HeatEnded, LogEvent, RoundKept, RoundOpened, WagerMissed
from pontoon.server.settings import Settings
from pontoon.table import Table
from pontoon.table import commands as c
from pontoon.table.program import Moment
from pontoon.tournament.marker import wager_order
from pontoon.tournament.money import issued, returned
from pontoon.tournament.session_table import Places, chip_postings, refuse_chips, refuse_command, wagered

STEWARD = "steward"
"""Who runs the tables of a tournament; nobody can have this name."""

NOT_HERE = (
    c.Open, c.GiveNotice, c.Close, c.Leave, c.TakeSeat, c.Exclude, c.Restrict, c.SetLimits, c.AllowPersonalLimit,
    c.AnnounceLimits, c.OfferSideBets, c.HoldLate, c.AllowBoxes, c.TakeControl, c.SetHours,
)  # fmt: skip
"""What nobody asks of a tournament's table: seats and limits are the ballot's and the conditions', and who plays is the
director's word (17.2(b) by `Disqualify`)."""


class Heat(Struct, frozen=True):
    """The tournament's side of a room."""

    places: tuple[tuple[int, str], ...] = ()
    """Box and player of those who play this round, by box."""
    marker: int = 0
    round: int = 0
    """Of the session: the last one that was opened."""
    played: int = 0
    """The last round that was played to its end; one that was void is opened again."""
    opened: int = 0
    """How often a round was opened."""
    on: bool = False
    """From the opening of wagers until the cards are picked up."""
    shoe: int = 0
    chips: tuple[tuple[str, int], ...] = ()
    """In front of each player; what lies on the boxes is not in it."""
    missed: tuple[str, ...] = ()
    """Who made no wager in time this round, where that eliminates."""
    ended: bool = False


# --- following -----------------------------------------------------------------------------------------


def follow(heat: Heat, event: LogEvent) -> Heat:
    """The heat after one more event of its room; what the table's events move is for `moved`."""
    match event:
        case RoundOpened():
            return replace(
                heat,
                places=event.places,
                marker=event.marker,
                round=event.round,
                opened=heat.opened + 1,
                on=True,
                shoe=event.shoe,
                chips=event.chips,
                missed=(),
            )
        case RoundKept(void=void):
            return replace(heat, on=False, played=heat.played if void else heat.round)
        case WagerMissed(player=player):
            places = tuple(one for one in heat.places if one[1] != player)
            return replace(heat, places=places, missed=(*heat.missed, player), on=bool(places))
        case HeatEnded():
            return replace(heat, ended=True, on=False)
        case _:
            return heat


def moved(heat: Heat, postings: Iterable[Posting]) -> Heat:
    """The heat after chips moved at its table."""
    changes = [(player, one.amount) for one in postings if one.amount and (player := wallet_of(one.account))]
    if not changes:
        return heat
    held = dict(heat.chips)
    for player, amount in changes:
        held[player] = held.get(player, 0) + amount
    return replace(heat, chips=tuple(held.items()))


def postings_of(purse: str, events: Iterable[LogEvent], moved: Iterable[Posting]) -> tuple[Posting, ...]:
    """What an entry moves at a table of a tournament: tournament chips, and nothing else.

    `moved` is what the table's events move.
    """
    return (*chip_postings(purse, moved), *(one for event in events for one in _handed(purse, event)))


def _handed(purse: str, event: LogEvent) -> tuple[Posting, ...]:
    match event:
        case RoundOpened(issued=True, chips=given):
            return issued(purse, given)
        case HeatEnded(returned=given):
            return returned(purse, given)
        case _:
            return ()


# --- asking --------------------------------------------------------------------------------------------


def order(heat: Heat, table: Table) -> tuple[int, ...]:
    """The boxes still to wager, the one whose turn it is first; none while wagers are not open."""
    if not heat.on or table.phase != "ready":
        return ()
    done = wagered(table)
    return tuple(box for box in wager_order([box for box, _ in heat.places], heat.marker) if box not in done)


def in_turn(heat: Heat, moment: Moment, table: Table) -> Moment:
    """Whom the dealer waits for: of several who may wager elsewhere, here the one whose turn it is."""
    if moment.kind != "wagers":
        return moment
    if not heat.on:
        return Moment()
    waiting = order(heat, table)[:1]
    return Moment("wagers", tuple(player for box, player in heat.places if box in waiting))


def refuse_at(heat: Heat, settings: Settings, table: Table, command: c.TableCommand) -> Refusal | None:
    """What rule 20 has against a command before the table is asked."""
    inner = command.wager if isinstance(command, c.CallOut) else getattr(command, "command", None)
    if isinstance(inner, PlaceWager | PlaceSideWager) and not heat.on:
        return refuse("wagers_not_open", ("20.7", "20.17"))
    if isinstance(command, c.VoidEarlier):
        return _refuse_void(heat, table, command)
    places = Places(heat.places, heat.marker, settings.minimum, settings.maximum)
    return refuse_command(places, table, dict(heat.chips), command)


def _refuse_void(heat: Heat, table: Table, command: c.VoidEarlier) -> Refusal | None:
    """An earlier round is void while the next is on (15.5), which counts its chips; everybody must still play."""
    if not heat.on:
        return refuse("next_round_not_begun", ("15.5", "20.1"), number=command.number)
    rounds = [one for one in table.finished if one.number == command.number]
    gone = {one.player for done in rounds for one in done.settlements} - {player for _, player in heat.places}
    return refuse("plays_no_longer", ("15.5", "20.1"), player=min(gone)) if gone else None


def refuse_moved(heat: Heat, postings: list[Posting]) -> Refusal | None:
    """Whether these postings would take more chips than somebody has (20.13)."""
    return refuse_chips(dict(heat.chips), postings) if postings else None
