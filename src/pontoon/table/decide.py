"""The rules of a table, and the decider's functions made from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from msgspec import Struct

from pontoon import engine
from pontoon.decider import Decider, Rules
from pontoon.engine import CallNoMoreBets, Refusal
from pontoon.table import (
    announcements,
    closing,
    control,
    cutting,
    equipment,
    limits,
    opening,
    people,
    proof,
    reconstruction,
    rounds,
)
from pontoon.table import commands as c
from pontoon.table.events import TableEvent
from pontoon.table.evolve import STEPS
from pontoon.table.state import Table, TablePhase

RULES: Rules[c.TableCommand, Table, Refusal] = {
    c.Open: (opening.refuse_open, opening.open_table),
    c.CheckCards: (opening.refuse_check, opening.check_cards),
    c.ShowCards: (opening.refuse_show, opening.show_cards),
    c.BreakSeal: (opening.refuse_seal, opening.break_seal),
    c.Shuffle: (opening.refuse_shuffle, opening.shuffle),
    c.CommitShoe: (proof.refuse_commit, proof.commit_shoe),
    c.RevealShoe: (proof.refuse_reveal, proof.reveal_shoe),
    c.Cut: (cutting.refuse_cut, cutting.cut),
    c.DeclineCut: (cutting.refuse_decline, cutting.decline_cut),
    c.PlaceCuttingCard: (cutting.refuse_cutting_card, cutting.place_cutting_card),
    c.BurnFirst: (cutting.refuse_burn_first, cutting.burn_first),
    c.ShowBurn: (cutting.refuse_show_burn, cutting.show_burn),
    c.Sit: (people.refuse_sit, people.sit),
    c.Leave: (people.refuse_leave, people.leave),
    c.SetLimits: (limits.refuse_limits, limits.set_limits),
    c.AnnounceLimits: (limits.refuse_announce, limits.announce_limits),
    c.OfferSideBets: (limits.refuse_offer, limits.offer_side_bets),
    c.HoldLate: (people.refuse_hold_late, people.hold_late),
    c.AllowBoxes: (people.refuse_boxes, people.allow_boxes),
    c.TakeControl: (control.refuse_take_control, control.take_control),
    c.SetHours: (closing.refuse_hours, closing.set_hours),
    c.AllowPersonalLimit: (limits.refuse_personal, limits.allow_personal),
    c.Restrict: (people.refuse_restrict, people.restrict),
    c.TakeSeat: (people.refuse_take_seat, people.take_seat),
    c.Exclude: (people.refuse_exclude, people.exclude),
    c.DeclineControl: (control.refuse_decline_control, control.decline_control),
    c.CallOut: (announcements.refuse_call_out, announcements.call_out),
    c.DeclarePartners: (people.refuse_partners, people.declare_partners),
    c.AskCards: (announcements.refuse_ask, announcements.ask_cards),
    c.Reconstruct: (reconstruction.refuse_reconstruct, reconstruction.reconstruct),
    c.RemoveExtraHand: (reconstruction.refuse_extra_hand, reconstruction.remove_extra_hand),
    c.DecideDispute: (announcements.refuse_dispute, announcements.decide_dispute),
    c.Play: (rounds.refuse_play, rounds.play_round),
    c.Deal: (rounds.refuse_deal, rounds.deal),
    c.ShuffleDiscards: (rounds.refuse_discards, rounds.shuffle_discards),
    c.Collect: (rounds.refuse_collect, rounds.collect),
    c.ReturnDiscards: (equipment.refuse_return, equipment.return_discards),
    c.ChangeCards: (equipment.refuse_change, equipment.change_cards),
    c.ReplaceCard: (equipment.refuse_replace, equipment.replace_card),
    c.OrderShuffle: (equipment.refuse_order_shuffle, equipment.order_shuffle),
    c.AskShuffle: (equipment.refuse_ask_shuffle, equipment.ask_shuffle),
    c.ChangeDealer: (equipment.refuse_change_dealer, equipment.change_dealer),
    c.ClearJam: (equipment.refuse_jam, equipment.clear_jam),
    c.FailDevice: (equipment.refuse_failure, equipment.fail_device),
    c.GiveNotice: (closing.refuse_notice, closing.give_notice),
    c.Close: (closing.refuse_close, closing.close),
    c.VoidEarlier: (closing.refuse_void_earlier, closing.void_earlier),
}
"""Each command with its check and its action."""

DECIDER = Decider[Table, c.TableCommand, TableEvent, Refusal](RULES, STEPS)
refusal = DECIDER.refusal
decide = DECIDER.decide
evolve = DECIDER.evolve
play = DECIDER.play
perform = DECIDER.perform


class Options(Struct, frozen=True):
    """The commands allowed at the table now, except those with free amounts or card orders."""

    phase: TablePhase
    allowed: tuple[c.TableCommand, ...]
    refused: tuple[tuple[c.TableCommand, Refusal], ...]


def options(table: Table) -> Options:
    """Ask `refusal` for every command without a free amount or order."""
    return Options(table.phase, *DECIDER.sift(table, candidates(table)))


def candidates(table: Table) -> Iterator[c.TableCommand]:
    """Every command a person could give now, except those with chance or free amounts."""
    yield from (c.Open(), c.Deal(), c.Collect(), c.Close(), c.BurnFirst(), c.Play(CallNoMoreBets()))
    yield from (c.CheckCards(role) for role in get_args(c.Role))
    yield from (c.GiveNotice("minutes"), c.GiveNotice("rounds"), c.GiveNotice("notice"))
    for seat in table.seats:
        yield from (c.Leave(seat.player), c.DeclineCut(seat.player), c.TakeSeat(seat.player, "operator"))
        yield from (c.ShowBurn(seat.player), c.AskShuffle(seat.player))
    if table.round is not None:
        yield from (c.Play(command) for command in engine.options(table.round).allowed)
