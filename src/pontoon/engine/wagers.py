"""Wagers before the deal: limits, places, side wagers, and the call that freezes them."""

from __future__ import annotations

from pontoon.engine.commands import CallNoMoreBets, PlaceSideWager, PlaceWager, TakeBack
from pontoon.engine.events import NoMoreBetsCalled, Settled, SideWagerPlaced, WagerPlaced, WagerTakenBack
from pontoon.engine.flow import Flow, cite
from pontoon.engine.refusals import Refusal, refuse
from pontoon.engine.state import Limits, Round, SideLimits, SideWager, check_round, find_box
from pontoon.rulebook import Clauses, Rulebook, SideBet


def refuse_wager(state: Round, command: PlaceWager) -> Refusal | None:
    """Whether a wager may be placed here and now."""
    check_round(state)
    rules, limits = state.rules, state.limits
    if state.phase != "wagers":
        return refuse("wagers_closed", rules.cites.wager_frozen)
    if not 1 <= command.box <= rules.boxes.count:
        return refuse("no_such_box", rules.clauses("boxes.count"), box=command.box, count=rules.boxes.count)
    if command.stake <= 0 or command.stake % 2:
        return refuse("stake_not_even", rules.cites.wager_placed, stake=command.stake)
    refused = refuse_chips(state, command.stake) or _refuse_maximum(state, command)
    if refused:
        return refused
    box = find_box(state, command.box)
    if box is not None:
        if any(wager.player == command.player for wager in box.bettors):
            return refuse("one_wager_per_box", rules.cites.wager_once, player=command.player, box=command.box)
        if len(box.bettors) >= rules.boxes.bettors:
            return refuse("box_full", rules.clauses("boxes.bettors"), box=command.box, most=rules.boxes.bettors)
    if command.stake < limits.minimum and rules.wagers.below_minimum == "refused":
        return refuse("below_minimum", rules.clauses("wagers.below_minimum"), minimum=limits.minimum)
    if limits.maximum and command.stake > limits.maximum and rules.wagers.above_maximum == "refused":
        return refuse("above_maximum", rules.clauses("wagers.above_maximum"), maximum=limits.maximum)
    return None


def refuse_chips(state: Round, stake: int) -> Refusal | None:
    """Whether the chips of the table can make up this wager."""
    rules, chip = state.rules, state.limits.smallest_chip
    if rules.wagers.in_chips and chip and stake % chip:
        return refuse("not_in_chips", rules.clauses("wagers.in_chips"), stake=stake, chip=chip)
    return None


def _refuse_maximum(state: Round, command: PlaceWager) -> Refusal | None:
    """Refuse a wager above the sign's maximum for a player or for the box."""
    limits, clauses = state.limits, state.rules.table.limits_shown
    if limits.player_maximum and command.stake > limits.player_maximum:
        return refuse("player_maximum", clauses, player=command.player, maximum=limits.player_maximum)
    if not limits.box_maximum:
        return None
    box = find_box(state, command.box)
    counts = min(command.stake, limits.maximum) if limits.maximum else command.stake
    total = counts + sum(wager.stake for wager in (box.bettors if box else ()))
    if total > limits.box_maximum:
        return refuse("box_maximum", clauses, box=command.box, maximum=limits.box_maximum)
    return None


def place_wager(flow: Flow, command: PlaceWager) -> None:
    """Put the wager down; above the maximum it counts to the maximum, below the minimum it is warned."""
    rules, limits = flow.state.rules, flow.state.limits
    placed = rules.cites.wager_placed
    if limits.maximum and command.stake > limits.maximum:
        clauses = cite(placed, rules.clauses("wagers.above_maximum"))
        capped = limits.maximum - limits.maximum % 2
        flow.put(WagerPlaced(command.box, command.player, capped, clauses, command.stake, "above_maximum"))
    elif command.stake < limits.minimum:
        clauses = cite(placed, rules.clauses("wagers.below_minimum"), rules.cites.box_minimum)
        flow.put(WagerPlaced(command.box, command.player, command.stake, clauses, command.stake, "below_minimum"))
    else:
        flow.put(WagerPlaced(command.box, command.player, command.stake, placed, command.stake))


def refuse_side_wager(state: Round, command: PlaceSideWager) -> Refusal | None:
    """Refuse a side wager that does not exist, conflicts with another, or has a wrong amount."""
    rules = state.rules
    if state.phase != "wagers":
        return refuse("wagers_closed", rules.cites.wager_frozen)
    bet = rules.side_bet(command.kind)
    if bet is None or not bet.offered:
        return refuse("side_wager_not_offered", _why_not_offered(rules, command.kind), kind=command.kind)
    if not 1 <= command.box <= rules.boxes.count:
        return refuse("no_such_box", rules.clauses("boxes.count"), box=command.box, count=rules.boxes.count)
    if command.stake <= 0:
        return refuse("side_stake_not_positive", bet.placed, stake=command.stake)
    refused = refuse_chips(state, command.stake)
    if refused:
        return refused
    other = next((side_bet.kind for side_bet in state.side if exclude_each_other(rules, bet, side_bet.kind)), "")
    if other:
        return refuse("one_kind_of_side_wager", why_excluded(rules, bet, other), kind=command.kind)
    if any(
        (side_bet.box, side_bet.player, side_bet.kind) == (command.box, command.player, command.kind)
        for side_bet in state.side
    ):
        return refuse("one_side_wager_each", bet.once, player=command.player, box=command.box, kind=command.kind)
    return _refuse_amount(state, bet, command.stake)


def _why_not_offered(rules: Rulebook, kind: str) -> Clauses:
    key = f"side.{kind}.offered"
    return rules.clauses(key) if key in rules.sources else rules.cites.side_bets


def exclude_each_other(rules: Rulebook, bet: SideBet, other: str) -> bool:
    """Whether a table takes only one of these two side bets."""
    placed = rules.side_bet(other)
    return other in bet.instead_of or (placed is not None and bet.name in placed.instead_of)


def why_excluded(rules: Rulebook, bet: SideBet, other: str) -> Clauses:
    """The clauses by which two side bets exclude each other."""
    return rules.clauses(f"side.{bet.name if other in bet.instead_of else other}.instead_of")


def _refuse_amount(state: Round, bet: SideBet, stake: int) -> Refusal | None:
    """Refuse a side bet outside the limits of the sign or the rulebook."""
    minimum, maximum = side_limits(state.limits, bet)
    key = f"side.{bet.name}"
    if stake < minimum:
        return refuse("side_below_minimum", state.rules.clauses(f"{key}.minimum"), kind=bet.name, minimum=minimum)
    if maximum and stake > maximum:
        return refuse("side_above_maximum", state.rules.clauses(f"{key}.maximum"), kind=bet.name, maximum=maximum)
    if bet.multiple and stake % bet.multiple:
        return refuse("side_not_multiple", state.rules.clauses(f"{key}.multiple"), kind=bet.name, multiple=bet.multiple)
    return None


def side_limits(limits: Limits, bet: SideBet) -> tuple[int, int]:
    """The minimum and maximum of a side bet at this table; 0 is none."""
    sign = next((side_bet for side_bet in limits.side if side_bet.bet == bet.name), SideLimits(bet.name))
    return sign.minimum or bet.minimum, sign.maximum or bet.maximum


def place_side_wager(flow: Flow, command: PlaceSideWager) -> None:
    """Put the side wager down; its place is decided at the call."""
    bet = flow.state.rules.side_bet(command.kind)
    assert bet is not None
    clauses = bet.placed
    flow.put(SideWagerPlaced(command.box, command.player, command.kind, command.stake, clauses))


def refuse_take_back(state: Round, command: TakeBack) -> Refusal | None:
    """Whether there is a wager, and wagers are still open."""
    rules = state.rules
    if state.phase != "wagers":
        return refuse("wagers_closed", rules.cites.wager_frozen)
    if not any(_staked(state, command)):
        return refuse("no_wager_there", rules.cites.wager_placed, player=command.player, box=command.box)
    return None


def _staked(state: Round, command: TakeBack) -> tuple[int, int]:
    """A player's wager and side wagers on a box."""
    box = find_box(state, command.box)
    main = sum(wager.stake for wager in box.bettors if wager.player == command.player) if box else 0
    side = sum(
        side_bet.stake for side_bet in state.side if (side_bet.box, side_bet.player) == (command.box, command.player)
    )
    return main, side


def take_back(flow: Flow, command: TakeBack) -> None:
    """Return the player's wagers on the box."""
    main, side = _staked(flow.state, command)
    clauses = flow.state.rules.cites.wager_placed
    flow.put(WagerTakenBack(command.box, command.player, main, side, clauses))


def refuse_call(state: Round, _: CallNoMoreBets) -> Refusal | None:
    """Whether the deal may begin on these wagers."""
    rules = state.rules
    if state.phase != "wagers":
        return refuse("wagers_closed", rules.cites.wager_frozen)
    if not state.boxes:
        return refuse("no_wager", rules.cites.wager_placed)
    most = rules.boxes.alone_most
    if most and len(state.boxes) > most and len(_players(state)) == 1:
        return refuse("alone_on_boxes", rules.clauses("boxes.alone_most"), boxes=len(state.boxes), most=most)
    for bet in rules.side:
        if not (bet.compulsory and bet.offered):
            continue
        have = {(side_bet.box, side_bet.player) for side_bet in state.side if side_bet.kind == bet.name}
        for box in state.boxes:
            for wager in box.bettors:
                if (box.number, wager.player) not in have:
                    clauses = rules.clauses(f"side.{bet.name}.compulsory")
                    facts = {"player": wager.player, "box": box.number, "kind": bet.name}
                    return refuse("side_wager_compulsory", clauses, **facts)
    return None


def _players(state: Round) -> set[str]:
    """Everyone with a wager or a side wager."""
    bettors = {wager.player for box in state.boxes for wager in box.bettors}
    return bettors | {side_bet.player for side_bet in state.side}


def call_no_more_bets(flow: Flow, _: CallNoMoreBets) -> None:
    """Freeze the wagers and assign places to side wagers; one without a place is void."""
    flow.put(NoMoreBetsCalled(flow.state.rules.cites.no_more_bets))
    if not flow.state.side:
        return
    placed = _placed(flow.state)
    for side_bet in flow.state.side:
        if side_bet not in placed:
            clauses = _why_void(flow.state, side_bet)
            flow.put(
                Settled(
                    side_bet.player, side_bet.box, 0, side_bet.kind, side_bet.stake, "void", "", 0, "interim", clauses
                )
            )


def _placed(state: Round) -> set[SideWager]:
    """Which side wagers have a place: own bettors on the box first, then in the order they were put down."""
    bettors = {box.number: {wager.player for wager in box.bettors} for box in state.boxes}
    placed: set[SideWager] = set()
    for bet in state.rules.side:
        for number, players in bettors.items():
            asked = [side_bet for side_bet in state.side if side_bet.box == number and side_bet.kind == bet.name]
            own = [side_bet for side_bet in asked if side_bet.player in players]
            guests = [side_bet for side_bet in asked if side_bet.player not in players] if bet.who == "anyone" else []
            placed.update((own + guests)[: bet.most_per_box])
    return placed


def _why_void(state: Round, one: SideWager) -> Clauses:
    """Why a side wager is void: no place left on the box, or no Pontoon wager to go with it."""
    box, bet = find_box(state, one.box), state.rules.side_bet(one.kind)
    assert bet is not None
    own = box is not None and any(wager.player == one.player for wager in box.bettors)
    crowded = own or (box is not None and bet.who == "anyone")
    return bet.places if crowded else bet.void
