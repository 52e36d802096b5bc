"""Limits: the sign, personal markers, side bets, and the table's check of a wager."""

from __future__ import annotations

from msgspec.structs import replace

from pontoon.engine import Limits, PlaceSideWager, PlaceWager
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.wagers import exclude_each_other, why_excluded
from pontoon.rulebook import Rulebook
from pontoon.table.commands import AllowPersonalLimit, AnnounceLimits, OfferSideBets, SetLimits
from pontoon.table.events import Announced, LimitsAnnounced, LimitsSet, PersonalLimitAllowed, SideBetsOffered
from pontoon.table.flow import Flow
from pontoon.table.people import boxes_of, held_back, most_boxes, one_player
from pontoon.table.state import Table, box_of, person


def refuse_limits(table: Table, command: SetLimits) -> Refusal | None:
    """Limits change between rounds, after notice to the players."""
    clauses = table.rules.table.limits_shown
    if _in_progress(table):
        return refuse("round_in_progress", clauses)
    announced = command.told or table.coming == (_completed(table, command), command.box_maximum)
    if table.seats and not announced:
        return refuse("players_not_told", clauses)
    return _refuse_amounts(table, command)


def _in_progress(table: Table) -> bool:
    return table.phase in ("round", "collect") or (table.round is not None and bool(table.round.boxes))


def _refuse_amounts(table: Table, command: SetLimits | AnnounceLimits) -> Refusal | None:
    """Whether the amounts of a sign make sense."""
    clauses = table.rules.table.limits_shown
    low, high = command.limits.minimum, command.limits.maximum
    if min(low, high, command.limits.smallest_chip, command.box_maximum) < 0 or (high and high < low) or high % 2:
        return refuse("limits_wrong", clauses, minimum=low, maximum=high)
    for side in command.limits.side:
        if min(side.minimum, side.maximum) < 0 or (side.maximum and side.maximum < side.minimum):
            return refuse("limits_wrong", clauses, minimum=side.minimum, maximum=side.maximum)
        if table.rules.side_bet(side.bet) is None:
            return refuse("side_wager_not_offered", table.rules.cites.side_bets, kind=side.bet)
    return None


def _completed(table: Table, command: SetLimits | AnnounceLimits) -> Limits:
    """The limits with those of the side bets as they are, where the command gives none."""
    limits = command.limits
    return limits if limits.side else replace(limits, side=table.limits.side)


def set_limits(flow: Flow, command: SetLimits) -> None:
    """Change the sign."""
    limits = _completed(flow.state, command)
    flow.put(LimitsSet(flow.state.rules.table.limits_shown, limits, command.box_maximum))


def refuse_announce(table: Table, command: AnnounceLimits) -> Refusal | None:
    """Whether there is a table to announce these limits at."""
    if table.phase == "closed":
        return refuse("table_is_closed", table.rules.table.limits_shown)
    return _refuse_amounts(table, command)


def announce_limits(flow: Flow, command: AnnounceLimits) -> None:
    """Announce a change to the players; the view shows the notice until the sign changes."""
    clauses = flow.state.rules.table.limits_shown
    flow.put(LimitsAnnounced(clauses, _completed(flow.state, command), command.box_maximum))
    flow.put(Announced(clauses, "The limits of this table are about to change"))


# --- side bets -----------------------------------------------------------------------------------------


def first_side_bets(rules: Rulebook) -> tuple[str, ...]:
    """The side bets a table offers if nobody chooses: of those that exclude each other the first.

    >>> from pontoon.rulebook import load
    >>> first_side_bets(load("canberra"))
    ('perfect_pairs',)
    """
    chosen: list[str] = []
    for bet in rules.side:
        if bet.offered and not any(exclude_each_other(rules, bet, other) for other in chosen):
            chosen.append(bet.name)
    return tuple(chosen)


def refuse_offer(table: Table, command: OfferSideBets) -> Refusal | None:
    """Whether the document has these side bets, lets them stand together, and no round is in progress."""
    rules = table.rules
    if _in_progress(table) or (table.round is not None and table.round.side):
        return refuse("round_in_progress", rules.cites.side_bets)
    for name in command.bets:
        bet = rules.side_bet(name)
        if bet is None or not bet.offered:
            return refuse("side_wager_not_offered", rules.cites.side_bets, kind=name)
        other = next((other for other in command.bets if exclude_each_other(rules, bet, other)), "")
        if other:
            return refuse("one_kind_of_side_wager", why_excluded(rules, bet, other), kind=name)
    return None


def offer_side_bets(flow: Flow, command: OfferSideBets) -> None:
    """Offer these side bets from the next wager on."""
    flow.put(SideBetsOffered(flow.state.rules.cites.side_bets, command.bets))


def refuse_side(table: Table, command: PlaceSideWager) -> Refusal | None:
    """Whether this table offers the bet, and has a number of packs with which the document offers it (adelaide 5)."""
    rules = table.rules
    bet = rules.side_bet(command.kind)
    if person(table, command.player).excluded:
        return refuse("player_excluded", rules.table.excluded, player=command.player)
    if bet is None or not bet.offered:
        return None  # the round says why
    if table.side_bets is not None and bet.name not in table.side_bets:
        return refuse("side_wager_not_offered", rules.cites.side_bets, kind=command.kind)
    if table.packs not in bet.decks:
        return refuse("packs_not_allowed", rules.clauses(f"side.{bet.name}.decks"), packs=table.packs)
    return None


# --- wagers --------------------------------------------------------------------------------------------


def refuse_personal(table: Table, command: AllowPersonalLimit) -> Refusal | None:
    """Whether the document provides for personal limit markers."""
    clauses = table.rules.clauses("people.personal_limit")
    if not table.rules.people.personal_limit:
        return refuse("document_silent", clauses, matter="personal_limits")
    if command.maximum <= table.limits.maximum:
        return refuse("no_higher_limit", clauses, maximum=command.maximum)
    return None


def allow_personal(flow: Flow, command: AllowPersonalLimit) -> None:
    """Put the marker by the box."""
    clauses = flow.state.rules.clauses("people.personal_limit")
    flow.put(PersonalLimitAllowed(clauses, command.player, command.box, command.maximum))


def maximum_for(table: Table, player: str, box: int) -> int:
    """The most a player may stake on a box: the sign's maximum, or a personal limit."""
    personal = [most for number, most in person(table, player).personal if number == box]
    return max([table.limits.maximum, *personal]) if table.limits.maximum else 0


def refuse_wager(table: Table, command: PlaceWager) -> Refusal | None:
    """Why the table refuses a wager before the engine decides, or None."""
    rules, limits = table.rules, table.limits
    one = person(table, command.player)
    if one.excluded:
        return refuse("player_excluded", rules.table.excluded, player=command.player)
    held = held_back(table, command.player)
    if held and command.stake > limits.minimum:
        return refuse("held_to_minimum", rules.clauses(held), player=command.player, minimum=limits.minimum)
    most = most_boxes(table, command.player, held=bool(held))
    if most and len(boxes_of(table, command.player)) >= most:
        clauses = rules.clauses(held) if held else rules.table.several_boxes
        return refuse("too_many_boxes", clauses, player=command.player, most=most)
    if command.stake < limits.minimum and (table.mode == "automatic" or one.warned):
        return refuse("below_minimum", rules.clauses("wagers.below_minimum"), minimum=limits.minimum)
    maximum = maximum_for(table, command.player, command.box)
    if maximum and command.stake > maximum and table.mode == "automatic":
        return refuse("above_maximum", rules.clauses("wagers.above_maximum"), maximum=maximum)
    return _refuse_box_total(table, command)


def _refuse_box_total(table: Table, command: PlaceWager) -> Refusal | None:
    """Whether all wagers on the box together keep to the sign."""
    rules, box = table.rules, box_of(table, command.box)
    stakes = {wager.player: wager.stake for wager in box.bettors} if box else {}
    partners = person(table, command.player).partners
    if any(player in partners for player in stakes):
        return refuse("partner_on_box", rules.clauses("people.partners"), player=command.player, box=command.box)
    total = command.stake + sum(stakes.values())
    markers = {other.player for other in table.people for number, _ in other.personal if number == command.box}
    if rules.people.maximum_for == "box":
        return _refuse_stated(table, command, total, alone=not stakes and command.player in markers)
    if table.box_maximum and total > table.box_maximum:
        return refuse("box_maximum", rules.table.limits_shown, box=command.box, maximum=table.box_maximum)
    beside = markers and command.player not in markers and table.limits.maximum
    if beside and total > table.limits.maximum:
        clauses = rules.clauses("people.personal_limit")
        return refuse("box_maximum", clauses, box=command.box, maximum=table.limits.maximum)
    return None


def _refuse_stated(table: Table, command: PlaceWager, total: int, *, alone: bool) -> Refusal | None:
    """The stated box maximum is for all wagers together; only the owner of a marker, alone on the box, exceeds it."""
    stated = table.box_maximum or table.limits.maximum
    floor = table.mode == "floor" and total == command.stake  # one wager above it counts to the maximum (canberra 3.5)
    if not stated or total <= stated or alone or (floor and not table.box_maximum):
        return None
    return refuse("box_maximum", table.rules.clauses("people.maximum_for"), box=command.box, maximum=stated)


def refuse_call(table: Table) -> Refusal | None:
    """Whether partners alone at the table stay within the boxes of one player (adelaide 12 with 19)."""
    rules, state = table.rules, table.round
    most = rules.boxes.alone_most
    if state is None or not most or len(state.boxes) <= most:
        return None
    players = [wager.player for box in state.boxes for wager in box.bettors] + [
        side_bet.player for side_bet in state.side
    ]
    together = one_player(table, players[0]) if players else ()
    if len(set(players)) > 1 and set(players) <= set(together):
        clauses = (*rules.clauses("boxes.alone_most"), *rules.clauses("people.partners"))
        return refuse("alone_on_boxes", tuple(dict.fromkeys(clauses)), boxes=len(state.boxes), most=most)
    return None
