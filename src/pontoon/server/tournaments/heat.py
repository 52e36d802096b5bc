"""Tournament state of a room: seats, the starting marker, chips and the round in progress, folded from the log.

The rules are in `pontoon.tournament.session_table`; this module only calls them.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from pontoon.engine import PlaceSideWager, PlaceWager, Refusal
from pontoon.engine.refusals import refuse
from pontoon.ledger import Posting, wallet_of
from pontoon.server.rooms.log import HeatEnded, LogEvent, RoundKept, RoundOpened, WagerMissed
from pontoon.server.rooms.settings import Settings
from pontoon.table import Table
from pontoon.table import commands as c
from pontoon.table.program import Moment
from pontoon.tournament.marker import wager_order
from pontoon.tournament.money import issued, returned
from pontoon.tournament.session_table import Places, chip_postings, refuse_chips, refuse_command, wagered

STEWARD = "steward"
"""The actor that runs the tables of a tournament; a reserved name."""

NOT_HERE = (
    c.Open, c.GiveNotice, c.Close, c.Leave, c.TakeSeat, c.Exclude, c.Restrict, c.SetLimits, c.AllowPersonalLimit,
    c.AnnounceLimits, c.OfferSideBets, c.HoldLate, c.AllowBoxes, c.TakeControl, c.SetHours,
)  # fmt: skip
"""Commands not available at a tournament table: the ballot decides seats, the conditions limits, and the director
decides who plays (17.2(b) by `Disqualify`)."""


class Heat(Struct, frozen=True):
    """The tournament state of a room."""

    places: tuple[tuple[int, str], ...] = ()
    """Box and player of everyone playing this round, in box order."""
    marker: int = 0
    round: int = 0
    """The last round opened in the session."""
    played: int = 0
    """The last completed round; a void round is opened again."""
    opened: int = 0
    """Number of times a round was opened."""
    on: bool = False
    """Whether a round is in progress: from the opening of wagers until the cards are collected."""
    shoe: int = 0
    chips: tuple[tuple[str, int], ...] = ()
    """Chips in front of each player, without those on the boxes."""
    missed: tuple[str, ...] = ()
    """Players who made no wager in time this round, if that eliminates them."""
    ended: bool = False


# --- folding -------------------------------------------------------------------------------------------


def evolve(heat: Heat, event: LogEvent) -> Heat:
    """Apply one event of the room; chips moved by table events are applied by `moved`."""
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
            places = tuple(place for place in heat.places if place[1] != player)
            return replace(heat, places=places, missed=(*heat.missed, player), on=bool(places))
        case HeatEnded():
            return replace(heat, ended=True, on=False)
        case _:
            return heat


def moved(heat: Heat, postings: Iterable[Posting]) -> Heat:
    """Apply chip movements at the table."""
    changes = [
        (player, posting.amount) for posting in postings if posting.amount and (player := wallet_of(posting.account))
    ]
    if not changes:
        return heat
    held = dict(heat.chips)
    for player, amount in changes:
        held[player] = held.get(player, 0) + amount
    return replace(heat, chips=tuple(held.items()))


def postings_of(purse: str, events: Iterable[LogEvent], moved: Iterable[Posting]) -> tuple[Posting, ...]:
    """The postings of an entry at a tournament table, in tournament chips only.

    `moved` are the postings of the table's events.
    """
    return (*chip_postings(purse, moved), *(posting for event in events for posting in _handed(purse, event)))


def _handed(purse: str, event: LogEvent) -> tuple[Posting, ...]:
    match event:
        case RoundOpened(issued=True, chips=given):
            return issued(purse, given)
        case HeatEnded(returned=given):
            return returned(purse, given)
        case _:
            return ()


# --- queries -------------------------------------------------------------------------------------------


def order(heat: Heat, table: Table) -> tuple[int, ...]:
    """The boxes still to wager, starting with the one whose turn it is; none while wagers are closed."""
    if not heat.on or table.phase != "ready":
        return ()
    done = wagered(table)
    return tuple(box for box in wager_order([box for box, _ in heat.places], heat.marker) if box not in done)


def in_turn(heat: Heat, moment: Moment, table: Table) -> Moment:
    """Who the dealer is waiting for: in a tournament, only the player whose turn it is to wager."""
    if moment.kind != "wagers":
        return moment
    if not heat.on:
        return Moment()
    waiting = order(heat, table)[:1]
    return Moment("wagers", tuple(player for box, player in heat.places if box in waiting))


def refuse_at(heat: Heat, settings: Settings, table: Table, command: c.TableCommand) -> Refusal | None:
    """Why rule 20 refuses a command before the table decides, or None."""
    inner = command.wager if isinstance(command, c.CallOut) else getattr(command, "command", None)
    if isinstance(inner, PlaceWager | PlaceSideWager) and not heat.on:
        return refuse("wagers_not_open", ("20.7", "20.17"))
    if isinstance(command, c.VoidEarlier):
        return _refuse_void(heat, table, command)
    places = Places(heat.places, heat.marker, settings.minimum, settings.maximum)
    return refuse_command(places, table, dict(heat.chips), command)


def _refuse_void(heat: Heat, table: Table, command: c.VoidEarlier) -> Refusal | None:
    """A round can be voided only during the next one (15.5), and only if all its players are still playing."""
    if not heat.on:
        return refuse("next_round_not_begun", ("15.5", "20.1"), number=command.number)
    rounds = [finished for finished in table.finished if finished.number == command.number]
    gone = {settlement.player for done in rounds for settlement in done.settlements} - {
        player for _, player in heat.places
    }
    return refuse("plays_no_longer", ("15.5", "20.1"), player=min(gone)) if gone else None


def refuse_moved(heat: Heat, postings: list[Posting]) -> Refusal | None:
    """Refuse postings that would take more chips than a player has (20.13)."""
    return refuse_chips(dict(heat.chips), postings) if postings else None
