"""All sentences: what a refusal, a settlement and an event say to a person. The engine has no words."""

from __future__ import annotations

from pontoon.cards import LIMIT, is_pontoon
from pontoon.engine import Refusal, Reversed, Round, Settled
from pontoon.engine.odds import hand_row
from pontoon.engine.side_bets import paid_row
from pontoon.engine.state import Hand, find_box
from pontoon.money import dollars
from pontoon.rulebook import Rulebook
from pontoon.view.tournament_refusals import PHASES, TOURNAMENT_REFUSALS

REFUSALS = {
    "wagers_closed": "no more bets: wagers are closed until the round is settled",
    "no_such_box": "there is no box {box}; boxes count 1 to {count}",
    "stake_not_even": "a stake of ${stake} cannot be halved; it must be an even number of cents above nothing",
    "one_wager_per_box": "{player} already has a wager on box {box}",
    "box_full": "box {box} already has {most} wagers",
    "below_minimum": "the stake is below the minimum of ${minimum}",
    "above_maximum": "the stake is above the maximum of ${maximum}",
    "box_maximum": "the wagers on box {box} would pass the box maximum of ${maximum}",
    "player_maximum": "{player} may wager at most ${maximum} on a box",
    "side_wager_not_offered": "{kind} is not offered here",
    "side_stake_not_positive": "a side wager must be more than nothing",
    "one_kind_of_side_wager": "this table already takes the other side wager; it cannot take {kind} too",
    "one_side_wager_each": "{player} already has a {kind} wager on box {box}",
    "side_below_minimum": "{kind} is below its minimum of ${minimum}",
    "side_above_maximum": "{kind} is above its maximum of ${maximum}",
    "side_not_multiple": "{kind} is wagered in multiples of ${multiple}",
    "no_wager": "there is no Pontoon wager to deal to",
    "alone_on_boxes": "a person alone at the table may have {most} box, not {boxes}",
    "side_wager_compulsory": "{player} on box {box} needs a {kind} wager at this table",
    "insurance_not_open": "insurance is not open now; it is made against an ace, after the deal, before further cards",
    "no_wager_there": "there is no wager of {player} on box {box} that this could touch",
    "pontoon_not_insured": "{player} holds pontoon, which cannot be insured",
    "insurance_amount": "${amount} is not a lawful insurance; the most is ${most}",
    "insurance_not_payable": "a win on ${amount} could not be paid with a smallest chip of ${chip}",
    "insured_by_another": "{player} has insured this wager already",
    "already_insured": "{player} has insured this wager already",
    "own_wager_only": "only one's own wager may be insured here",
    "owner_insured": "{player} has insured this wager; nobody else may",
    "insurance_taken": "of this wager only ${left} is left to insure, not ${amount}",
    "already_settled": "the wager on box {box} is already settled",
    "surrender_not_open": "surrender is not open now; the dealer's first card is {first}",
    "already_surrendered": "{player} has surrendered already",
    "co_bettor_bound": "{player} follows the controller of the box and cannot surrender alone",
    "too_early": "decisions begin after the deal and the offers; the round is at: {phase}",
    "hand_finished": "box {box} has no hand left to decide",
    "out_of_turn": "box {turn} is in turn, not box {box}",
    "card_due": "box {box} is waiting for a card",
    "not_controller": "{controller} calls the decisions on this box, not {player}",
    "forced_draw": "you hold {hand}; a hand below {least} must draw",
    "double_takes_one_card": "a doubled hand takes one card and no further decision",
    "co_bettor_may_not_double": "{player} may double only together with the controller",
    "double_two_cards_only": "only a hand of two cards may be doubled; this one has {count}",
    "double_hard_only": "you hold {hand}; only a hard hand may be doubled",
    "double_total": "you hold {total}; a double needs a total from {low} to {high}",
    "double_for_less": "a double must equal the wager of ${stake}; ${amount} is less",
    "double_too_much": "a double may not be more than the wager of ${stake}; ${amount} is",
    "double_too_small": "a double of ${amount} is below the smallest increment of ${least}",
    "already_doubled": "{player} has doubled already",
    "forfeit_not_open": "forfeit is for a doubled hand of {highest} or less, before the next card",
    "nothing_to_forfeit": "{player} did not double and must play the hand",
    "already_kept": "{player} has kept the double already",
    "co_bettor_may_not_split": "{player} may split only together with the controller",
    "not_a_pair": "{cards} is not a pair that may be split",
    "aces_split_once": "aces are split only once",
    "hand_limit": "no more than {most} hands may be formed on a box",
    "split_declined_before": "a pair on box {box} was left unsplit; no further split this round",
    "no_split_to_ride": "there is no split on box {box} to ride now",
    "ride_one_or_two": "a split has hands 1 and 2, not {on}",
    "rides_first_hand": "{player} covers both hands or rides the first",
    "already_answered": "{player} has already answered this split",
    "exposed_card_is_next": "{card} was seen and is the next card",
    "no_joker": "there is no joker in this game",
    "document_silent": "this document has no rule for {matter}; the house decides",
    "is_the_next_card": "{card} was not seen and is used as the next card",
    "nothing_to_refuse": "there is no exposed card that box {box} could refuse",
    "offer_not_due": "the dealer's first card {first} calls for no {offer}",
    "put_right": "this document puts such an error right ({remedy}); write the cards as they should have been dealt",
    "nothing_passed_over": "no hand on box {box} was passed over, or the dealer has the second card",
    "draw_or_withdraw": "after the dealer's hand a hand passed over may only draw, stand or be withdrawn",
    "may_not_withdraw": "{player} has no right to withdraw a wager now",
    "already_void": "{what} is void already; a void is not voided again",
    "no_card_due": "no card is due now; the round is at: {phase}",
    "no_offer_open": "no offer is open now; the round is at: {phase}",
}
"""One sentence a refusal code of the engine; facts that are money are named in `_MONEY`."""

TABLE_REFUSALS = {
    "table_is_open": "the table is open already",
    "table_is_closed": "the table is closed",
    "packs_not_allowed": "{packs} packs are not allowed",
    "device_not_allowed": "a {device} device is not provided for",
    "too_many_cutting_cards": "no more than {most} cutting card(s) are used here",
    "no_face_down_cards": "cards are dealt face up here",
    "no_sealed_cards": "pre-shuffled sealed cards are not provided for",
    "not_preparing": "the cards are not being prepared; the table is at: {phase}",
    "checked_already": "the {by} has checked the cards already",
    "not_checked": "the {by} has not checked the cards yet",
    "nobody_saw_the_cards": "the first player has not seen the cards yet",
    "no_shuffle_due": "no shuffle is due; the table is at: {phase}",
    "order_unknown": "the order of the cards is not to be entered here",
    "wrong_cards": "{count} card(s) given are not the cards that belong there ({size})",
    "no_oral_wagers": "a wager called out is not accepted; place the chips",
    "chips_needed": "a wager called out needs its chips in time",
    "partners_needed": "two or more players are needed",
    "partner_on_box": "a partner of {player} already has a wager on box {box}",
    "must_cover": "{player} must cover each hand of the split",
    "not_to_commit": "a shoe is committed once, between shuffle and cut; the table is at: {phase}",
    "not_to_reveal": "there is no ended shoe to reveal; the table is at: {phase}",
    "wrong_seed": "this is not the seed that was committed",
    "no_cut_offered": "no cut is offered; the table is at: {phase}",
    "not_the_cutter": "the cut is not offered to {by}",
    "cut_depth": "a cut of {depth} is not between {low} and {high}",
    "not_cut_yet": "the cards are not cut yet; the table is at: {phase}",
    "cutting_card_depth": "{behind} cards behind the cutting card is not between {low} and {high}",
    "no_burn_here": "this document burns no first card",
    "not_a_fresh_shoe": "only the first card of a fresh shoe is burned",
    "nothing_burned": "no burned card is there to be seen",
    "seat_taken": "box {box} is taken, or {player} has a seat",
    "player_excluded": "{player} is excluded from the game",
    "not_seated": "{player} has no seat here",
    "round_in_progress": "a round is in progress",
    "limits_wrong": "${minimum} to ${maximum} are no limits: a maximum is even and not below the minimum",
    "players_not_told": "the players must be told first",
    "no_higher_limit": "${maximum} is not above the table's maximum",
    "consult_first": "the inspectorate must be consulted before {player} is held back",
    "player_is_seated": "{player} has a seat; take the seat instead",
    "hours_over": "the hours of gaming are over; wagers open again when gaming opens",
    "hours_unchanged": "the hours of gaming do not change with this",
    "seat_not_idle": "{player} sat out {idle} of {wanted} rounds, or a seat is free",
    "reason_needed": "a reason is needed",
    "held_to_minimum": "{player} is held to the minimum of ${minimum}",
    "too_many_boxes": "{player} may have {most} box(es)",
    "not_asked_to_control": "{player} is not asked to control that box",
    "deal_from_the_shoe": "cards come from the shoe: use Deal",
    "not_betting": "wagers are not open; the table is at: {phase}",
    "shuffle_first": "the cards must be shuffled first ({why})",
    "last_round_played": "the last round has been played",
    "no_round": "no round is in progress",
    "needs_second_person": "{by} alone cannot rule on this: an inspector or pit boss must approve",
    "face_needed": "on the floor the face of the card is entered",
    "shoe_is_empty": "the shoe is empty",
    "shoe_not_empty": "{left} cards are left in the shoe",
    "no_discards": "there are no discards to shuffle",
    "nothing_to_collect": "there is nothing to collect; the table is at: {phase}",
    "not_a_supervisor": "the {by} cannot order that",
    "table_not_vacant": "the table is not vacant, or the document says nothing of it",
    "no_such_device": "there is no device in use to do that with (dealt from: {device})",
    "too_few_discards": "{gathered} discards have gathered, {wanted} are wanted",
    "notice_given": "notice was given already, or the table is closed",
    "no_such_notice": "this document knows no notice by {kind}",
    "notice_first": "the players must have notice first",
    "notice_runs": "the notice runs on: {left} to go",
    "next_round_not_begun": "round {number} is not over, or no later round has begun",
}
"""One sentence a refusal code of the table."""

_SENTENCES = REFUSALS | TABLE_REFUSALS | TOURNAMENT_REFUSALS
_MONEY = frozenset({"stake", "minimum", "maximum", "amount", "most_amount", "left", "chip"})
_MONEY_IN = {
    "insurance_amount": {"most"},
    "double_too_small": {"least"},
    "not_enough_chips": {"chips", "needed"},
}
_PLAIN_IN = {"notice_runs": {"left"}, "shoe_not_empty": {"left"}}


_ABOUT_BETS = frozenset(code for code, words in REFUSALS.items() if "{kind}" in words)
"""Refusals whose `kind` is a side bet."""


def why(refusal: Refusal) -> str:
    """Say a refusal in one sentence, with its facts.

    >>> why(Refusal("forced_draw", ("14.1(d)",), {"total": 11, "soft": False, "least": 12}))
    'you hold hard 11; a hand below 12 must draw'
    """
    money = (_MONEY | _MONEY_IN.get(refusal.code, set())) - _PLAIN_IN.get(refusal.code, set())
    facts = {
        key: dollars(value) if key in money and isinstance(value, int) else value
        for key, value in refusal.facts.items()
    }
    if refusal.code in _ABOUT_BETS:
        facts["kind"] = kind_words(None, str(facts.get("kind", "")))
    if "soft" in facts:
        facts["hand"] = f"{'soft' if facts['soft'] else 'hard'} {facts['total']}"
    if refusal.code in TOURNAMENT_REFUSALS:
        facts |= {"phase": PHASES.get(str(facts.get("phase")), ""), "players": named(facts.get("players", ()))}
        facts["when"] = str(facts.get("when", "")).replace("_", " ")
    return _SENTENCES[refusal.code].format(**facts)


def named(names: object) -> str:
    """Say several names.

    >>> named(("Ann", "Ben", "Cas")), named(["Ann"])
    ('Ann, Ben and Cas', 'Ann')
    """
    *others, last = map(str, names) if isinstance(names, list | tuple) and names else ("",)
    return f"{', '.join(others)} and {last}" if others else last


ROWS = {
    "five_cards": "5-card 21",
    "six_cards": "6-card 21",
    "seven_cards": "7-card 21",
    "six_seven_eight_mixed": "6-7-8 mixed suits",
    "six_seven_eight_suited": "6-7-8 suited",
    "six_seven_eight_spades": "6-7-8 spades",
    "sevens_mixed": "7-7-7 mixed suits",
    "sevens_suited": "7-7-7 suited",
    "sevens_spades": "7-7-7 spades",
}
ENDS = {
    "other": "any other win",
    "doubled": "doubled and won",
    "pontoon": "pontoon",
    **ROWS,
    "seven_cards": "21 of 7 or more cards",
    "stand_off": "stand-off",
    "lose": "lost",
    "doubled_lose": "doubled and lost",
    "forfeit": "forfeited after doubling",
    "surrender": "surrendered",
    "super_bonus": "Super Bonus",
}
"""How a wager can end, in words."""
KINDS = {
    "main": "wager",
    "double": "double",
    "insurance": "insurance",
    "super_bonus": "Super Bonus",
    "envy_bonus": "bonus for others",
}
"""What the wagers of every rulebook are called; side bets have their title in theirs."""
RESULTS = {
    "win": "wins",
    "lose": "loses",
    "stand_off": "stands off",
    "surrender": "surrendered",
    "forfeit": "forfeited",
    "void": "returned",
}


def total_words(points: int, *, soft: bool) -> str:
    """Say a total.

    >>> total_words(17, soft=True), total_words(24, soft=False)
    ('soft 17', 'bust 24')
    """
    if points > LIMIT:
        return f"bust {points}"
    return f"soft {points}" if soft else str(points)


def hand_words(state: Round, hand: Hand) -> str:
    """Say what a hand is: its total, and the payout row it makes."""
    if is_pontoon(hand.cards) and not hand.split:
        return "pontoon"
    words = total_words(hand.total, soft=hand.soft)
    row = bonus_row(state, hand)
    marks = [row] if row else []
    if hand.doubled:
        marks.append("doubled")
    if all(wager.surrendered for wager in hand.wagers):
        marks.append("surrendered")
    return ", ".join((words, *marks))


def bonus_row(state: Round, hand: Hand) -> str:
    """Say which row of the payout table a hand makes; empty where it makes none."""
    if is_pontoon(hand.cards) and not hand.split:
        return ""
    return ROWS.get(hand_row(state.rules, hand, hand.total), "")


def dealer_words(state: Round) -> str:
    """Say what the dealer has."""
    if state.dealer_pontoon:
        return "pontoon"
    if not state.dealer:
        return "no card"
    if len(state.dealer) == 1:
        return "draws no more" if state.phase == "ended" else "first card"
    return total_words(state.dealer_total, soft=state.dealer_soft)


def sum_words(amount: int) -> str:
    """Say an amount of chips.

    >>> sum_words(200_000), sum_words(750)
    ('$2,000', '$7.50')
    """
    whole, part = divmod(amount, 100)
    return f"${whole:,}.{part:02d}" if part else f"${whole:,}"


def money_words(net: int) -> str:
    """Say a result with its sign.

    >>> money_words(2250), money_words(-1000), money_words(0)
    ('+22.50', '-10.00', '0.00')
    """
    return ("+" if net > 0 else "") + dollars(net)


def settlement_words(one: Settled | Reversed) -> str:
    """Say how a wager came out: the result, and the odds where there are any."""
    return f"{RESULTS[one.result]} {one.odds}".strip()


def kind_words(rules: Rulebook | None, kind: str) -> str:
    """Say what a kind of wager is called: a side bet by its title, or by its name where the rulebook is not at hand.

    >>> kind_words(None, "insurance"), kind_words(None, "perfect_pairs")
    ('insurance', 'Perfect Pairs')
    """
    bet = rules.side_bet(kind) if rules is not None else None
    return KINDS.get(kind) or (bet.title if bet else kind.replace("_", " ").title())


def wager_words(rules: Rulebook, one: Settled | Reversed) -> str:
    """Say which wager was settled: its kind, its stake and, for insurance on another's wager, whose."""
    whose = f" for {one.owner}" if one.owner else ""
    return f"{kind_words(rules, one.kind)} {dollars(one.stake)}{whose}"


def row_words(state: Round, one: Settled | Reversed) -> str:
    """Say which row of its pay table paid a side bet; empty for everything else."""
    side = next(
        (side for side in state.side if (side.box, side.player, side.kind) == (one.box, one.player, one.kind)), None
    )
    row = paid_row(state, side) if side is not None and one.result == "win" else None
    return f", {row.title}" if row is not None else ""


def place_words(state: Round, box: int, hand: int) -> str:
    """Say where a hand lies; the number of the hand only where a box has several."""
    seat = find_box(state, box)
    several = seat is not None and len(seat.hands) > 1 and hand
    return f"box {box}.{hand}" if several else f"box {box}"
