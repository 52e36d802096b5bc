"""The rules outside the rounds: shoe, cut, people, closing, and irregularities."""

from __future__ import annotations

from typing import Annotated, Literal

from pontoon.rulebook.section import Says, Section


class ShoeRules(Section, frozen=True):
    """The cards between rounds: the shoe or device, checks and shuffling."""

    devices: Annotated[
        tuple[str, ...],
        Says("Cards may be dealt from these devices: {}.", example='["manual", "continuous"]'),
    ]
    sets: Annotated[int, Says("The table has {} set(s) of cards.", example="2", least=1, most=2)]
    cutting_cards: Annotated[
        int, Says("Up to {} cutting card(s) may be used.", no="No cutting card is named.", example="2", least=0, most=2)
    ]
    burn_first: Annotated[
        bool,
        Says("The operator may burn the first card of a shoe.", no="No card is burned at the start of a shoe."),
    ]
    burn_after_loading: Annotated[
        int,
        Says(
            "After a shuffler is loaded or a jam cleared, {} cards are burned.",
            no="Loading a shuffler burns no card.",
            example="5",
            least=0,
            most=10,
        ),
    ]
    return_discards_at: Annotated[
        int,
        Says(
            "Discards go back into a continuous shuffler at about {} cards.",
            no="Nothing is said about returning discards to a shuffler.",
            example="48",
            least=0,
            most=384,
        ),
    ]
    checked_by: Annotated[
        tuple[str, ...],
        Says(
            "Before play the cards are checked by {}.", no="Nobody is named to check the cards.", example='["dealer"]'
        ),
    ]
    check_at_end: Annotated[
        bool, Says("The cards are checked again when gaming ends.", no="No check is asked for when gaming ends.")
    ]
    spread: Annotated[
        Literal["required", "offered", "none"],
        Says(
            {
                "required": "The cards are spread face up for the first player.",
                "offered": "The first player is offered a look at any pack, spread face up.",
                "none": "No display of the cards is asked for.",
            }
        ),
    ]
    spread_minutes: Annotated[
        int,
        Says(
            "Without a player the cards may be shuffled after {} minutes.",
            no="No waiting time is set before the first shuffle.",
            example="15",
            least=0,
            most=120,
        ),
    ]
    wash: Annotated[
        bool,
        Says(
            "New cards are washed (chemmy shuffle) before the ordinary shuffle.",
            no="No wash of new cards is asked for.",
        ),
    ]
    sealed: Annotated[
        bool,
        Says(
            "Sealed pre-shuffled cards may be used if the seal is whole.", no="Pre-shuffled cards are not provided for."
        ),
    ]
    joker: Annotated[
        bool,
        Says("A promotional joker may be in the shoe; the next card replaces it.", no="There is no joker in the shoe."),
    ]
    face_down: Annotated[
        bool,
        Says(
            "On request in designated rooms a player's first two cards may be dealt face down.",
            no="Cards are dealt face up.",
        ),
    ]
    vacant: Annotated[
        Literal["discretion", "prepared", "none"],
        Says(
            {
                "discretion": "After the table was vacant the supervisor may order a shuffle.",
                "prepared": "When all players leave the cards are shuffled; the next may ask for another shuffle.",
                "none": "Nothing is said about a vacant table.",
            }
        ),
    ]
    collected: Annotated[
        Literal["when_settled", "after_round"],
        Says(
            {
                "when_settled": "The cards of a hand go to the discard rack as soon as the hand is settled.",
                "after_round": "All cards stay on the layout until the round is over.",
            }
        ),
    ]
    round_returns: Annotated[
        bool,
        Says(
            "The cards of a round go back into a continuous shuffler at its end.",
            no="The cards of a round wait in the discard rack.",
        ),
    ]
    each_set: Annotated[
        bool,
        Says(
            "Each set of cards is checked and washed before its first use.",
            no="Only the first set of cards is checked and washed.",
        ),
    ]
    spread_again: Annotated[
        bool,
        Says(
            "New cards brought in later are spread for the players as well.",
            no="Only the cards at the opening are spread.",
        ),
    ]
    spread_for: Annotated[
        Literal["by_hand", "every_device"],
        Says(
            {
                "by_hand": "Where cards are to be spread, that holds for cards shuffled by hand.",
                "every_device": "Where cards are to be spread, that holds for a shuffler too.",
            }
        ),
    ]
    replacements_checked_by: Annotated[
        tuple[str, ...],
        Says(
            "Replacement cards are checked by {}.",
            no="Replacement cards are checked by those who check at the opening.",
            example='["dealer", "casino_supervisor"]',
        ),
    ]
    ordered: Annotated[
        Literal["suspicion", "shift_manager", "any"],
        Says(
            {
                "suspicion": "A supervisor orders a shuffle for a stated suspicion; after a vacancy only the casino "
                "supervisor.",
                "shift_manager": "The shift manager may order a shuffle at any point; the inspectorate is told why.",
                "any": "Any supervisor may order a shuffle.",
            }
        ),
    ]
    counted: Annotated[
        bool,
        Says(
            "A card entered on the floor that the packs cannot hold is refused.",
            no="Cards entered on the floor are not counted.",
        ),
    ]


class CutRules(Section, frozen=True):
    """Cutting the cards, and the cutting card."""

    first: Annotated[
        Literal["first_player", "farthest_left"],
        Says(
            {
                "first_player": "At the start of play the first player at the table cuts.",
                "farthest_left": "At the start of play the player farthest to the dealer's left cuts.",
            }
        ),
    ]
    new_cards: Annotated[
        Literal["first_player", "farthest_left", "as_before"],
        Says(
            {
                "first_player": "New cards are cut by the first player at the table.",
                "farthest_left": "New cards are cut by the player farthest to the dealer's left.",
                "as_before": "New cards are cut by the player who would cut otherwise.",
            }
        ),
    ]
    nobody: Annotated[
        Literal["casino_employee", "dealer", "casino_supervisor"],
        Says(
            {
                "casino_employee": "If no player cuts, a casino employee does.",
                "dealer": "If no player cuts, the dealer does.",
                "casino_supervisor": "If no player cuts, a casino supervisor does.",
            }
        ),
    ]
    margin: Annotated[int, Says("The cut lies at least {} pack(s) in from either end.", example="1", least=0, most=3)]
    card_least: Annotated[
        int,
        Says(
            "The cutting card goes at least {} pack(s) in from the back.",
            no="The cutting card may go to the very back.",
            example="1",
            least=0,
            most=3,
        ),
    ]
    card_most_percent: Annotated[
        int,
        Says(
            "The cutting card goes at most {} per cent of the stack in from the back.", example="50", least=1, most=100
        ),
    ]
    failure_least: Annotated[
        int,
        Says(
            "After a shuffler failed the cutting card goes at least {} pack(s) in from the back.",
            no="No place of its own is set for the cutting card after a shuffler failed.",
            example="1",
            least=0,
            most=3,
        ),
    ]
    failure_most: Annotated[
        int,
        Says(
            "After a shuffler failed the cutting card goes at most {} packs in from the back.",
            no="No further place is set for it either.",
            example="2",
            least=0,
            most=3,
        ),
    ]
    last_rounds: Annotated[
        int,
        Says(
            "In the last {} rounds before closing a cutting card need not end the shoe.",
            no="A cutting card ends the shoe in the last rounds too.",
            example="3",
            least=0,
            most=10,
        ),
    ]
    missing: Annotated[
        Literal["reshuffle_after_round", "deal_to_end"],
        Says(
            {
                "reshuffle_after_round": "If no cutting card was inserted, the cards are reshuffled after the round.",
                "deal_to_end": "If no cutting card was inserted, the shoe is dealt to its end.",
            }
        ),
    ]
    passed: Annotated[
        Literal["reshuffle_after_round", "rounds_stand"],
        Says(
            {
                "reshuffle_after_round": "After a cutting card passed over the cards are shuffled after the round.",
                "rounds_stand": "Rounds dealt past the cutting card stand.",
            }
        ),
    ]
    box: Annotated[
        Literal["player", "seat"],
        Says(
            {
                "player": "The player whose box the cutting card came to cuts next, wherever seated.",
                "seat": "The player seated at the box the cutting card came to cuts next.",
            }
        ),
    ]
    discards: Annotated[
        Literal["offered", "at_once"],
        Says(
            {
                "offered": "When the shoe has run out the cut of the discards is offered like any other, and a cutting "
                "card goes in.",
                "at_once": "When the shoe has run out the discards are cut as the dealer shuffles them.",
            }
        ),
    ]


class People(Section, frozen=True):
    """Who may bet where, and who may be restricted."""

    control: Annotated[
        Literal["nearest", "seated_nearest", "highest_nearest"],
        Says(
            {
                "nearest": "The seated bettor controls a box, else the wager nearest the dealer.",
                "seated_nearest": "The bettor seated at a box controls it, else the seated bettor nearest the dealer, "
                "else the wager nearest the dealer.",
                "highest_nearest": "The seated bettor controls a box, else the highest wager, else the nearest.",
            }
        ),
    ]
    control_declined: Annotated[
        Literal["in_order", "void", "nearest"],
        Says(
            {
                "in_order": "Control that is declined is offered in order from the dealer; if nobody takes it the "
                "wagers of the box are void.",
                "void": "If nobody takes control of a box its wagers are void.",
                "nearest": "Control cannot be declined by all.",
            }
        ),
    ]
    full_table: Annotated[
        Literal["own_seat", "gives_up", "free"],
        Says(
            {
                "own_seat": "At full patronage a player decides only at their own seat.",
                "gives_up": "When boxes run short a player gives up control of further boxes.",
                "free": "Nothing is said about full patronage.",
            }
        ),
    ]
    full_table_alone: Annotated[
        Literal["bettor", "returned"],
        Says(
            {
                "bettor": "At full patronage a box whose bettors all sit elsewhere is still decided by them.",
                "returned": "At full patronage the wagers on a box whose bettors all sit elsewhere go back.",
            }
        ),
    ]
    in_front: Annotated[
        bool,
        Says(
            "The wager of the player in control lies nearest the dealer.",
            no="Wagers on a box lie in the order in which they were placed.",
        ),
    ]
    late: Annotated[
        Literal["first_round", "first_two_rounds", "free"],
        Says(
            {
                "first_round": "A player who misses the first round of a shoe or sits one out may be held to the "
                "minimum.",
                "first_two_rounds": "A player who misses the first two rounds of a shoe or sits out from the third may "
                "be held to the minimum.",
                "free": "A player may come and go during a shoe.",
            }
        ),
    ]
    late_boxes: Annotated[
        int,
        Says(
            "A player held back may wager on at most {} boxes.",
            no="No number of boxes is set for a player held back.",
            example="2",
            least=0,
            most=7,
        ),
    ]
    restricted_boxes: Annotated[
        int,
        Says(
            "The operator may hold a player to {} box at the minimum.",
            no="Nothing is said about restricting single players.",
            example="1",
            least=0,
            most=7,
        ),
    ]
    restricted_cover: Annotated[
        bool,
        Says(
            "A restricted co-bettor may be made to cover every hand of a split.",
            no="Nobody is made to cover a split.",
        ),
    ]
    restricted_silent: Annotated[
        bool,
        Says(
            "A restricted co-bettor who says nothing to a split covers every hand of it.",
            no="A restricted co-bettor who says nothing to a split is treated like any other.",
        ),
    ]
    held_idle_rounds: Annotated[
        int,
        Says(
            "A player held back who sits out {} rounds may lose the seat at a full table.",
            no="Nothing is said about a player held back who sits out.",
            example="2",
            least=0,
            most=10,
        ),
    ]
    partners: Annotated[
        Literal["one_player", "as_one", "silent"],
        Says(
            {
                "one_player": "Players who act together are one player: one wager on a box, and alone at the table the "
                "boxes of one player.",
                "as_one": "Players who act together count as one: one wager on a box, within one maximum.",
                "silent": "Nothing is said about players who act together.",
            }
        ),
    ]
    oral: Annotated[
        Literal["with_chips", "refused", "silent"],
        Says(
            {
                "with_chips": "A wager called out counts if chips come with it before the call.",
                "refused": "A wager called out is not accepted.",
                "silent": "Nothing is said about a wager called out.",
            }
        ),
    ]
    personal_limit: Annotated[
        bool,
        Says(
            "A personal limit marker may raise a player's maximum.",
            no="There are no personal limit markers.",
        ),
    ]
    maximum_for: Annotated[
        Literal["bettor", "box"],
        Says(
            {
                "bettor": "The maximum on the sign is for each bettor on a box.",
                "box": "The maximum on the sign is for all wagers on a box together; a personal limit marker exceeds "
                "it for its owner alone.",
            }
        ),
    ]
    idle_rounds: Annotated[
        int,
        Says(
            "With all seats in use a seat may be taken after {} rounds without a wager.",
            no="Nothing is said about idle seats.",
            example="3",
            least=0,
            most=10,
        ),
    ]
    idle_consecutive: Annotated[
        bool,
        Says(
            "Only consecutive rounds with all seats in use count against an idle seat.",
            no="Rounds without a wager are counted together, whatever lies between them.",
        ),
    ]
    exclusion: Annotated[
        Literal["excluded", "refused", "none"],
        Says(
            {
                "excluded": "A player who breaks the rules may be excluded and the wager declared void.",
                "refused": "A player who keeps touching wagers may have later wagers refused.",
                "none": "Nothing is said about excluding players.",
            }
        ),
    ]


class Closing(Section, frozen=True):
    """Closing the table."""

    minutes: Annotated[
        int,
        Says(
            "A table closes after {} minutes' notice.",
            no="No length of notice is set.",
            example="15",
            least=0,
            most=120,
        ),
    ]
    rounds: Annotated[
        int,
        Says(
            "A table may also close after {} last rounds have been declared.",
            no="No number of last rounds is set.",
            example="3",
            least=0,
            most=10,
        ),
    ]
    notice: Annotated[
        bool, Says("The players are told before a table closes.", no="Nothing is said about closing a table.")
    ]


class Irregular(Section, frozen=True):
    """Irregularities and their consequences."""

    face_up: Annotated[
        Literal["burned", "silent"],
        Says(
            {
                "burned": "A card found face up in the shoe is burned.",
                "silent": "Nothing is said about a card face up in the shoe.",
            }
        ),
    ]
    hidden: Annotated[
        Literal["next_card", "silent"],
        Says(
            {
                "next_card": "A card drawn in error and not seen is the next card.",
                "silent": "Nothing is said about a card drawn in error.",
            }
        ),
    ]
    exposed: Annotated[
        Literal["refusable", "next_card", "silent"],
        Says(
            {
                "refusable": "A card drawn in error and seen is the next card; a player who refuses it draws no more.",
                "next_card": "A card drawn in error and seen is the next card, and nobody may refuse it.",
                "silent": "Nothing is said about a card drawn in error and seen.",
            }
        ),
    ]
    burned: Annotated[
        Literal["stays_burned", "next_card", "silent"],
        Says(
            {
                "stays_burned": "A card burned in error stays burned.",
                "next_card": "A card burned in error unseen is the next card.",
                "silent": "Nothing is said about a card burned in error.",
            }
        ),
    ]
    dealer_excess: Annotated[
        Literal["burned", "silent"],
        Says(
            {
                "burned": "A card too many to the dealer's hand is burned.",
                "silent": "Nothing is said about a card too many to the dealer.",
            }
        ),
    ]
    dealer_early: Annotated[
        Literal["burned", "next_card", "silent"],
        Says(
            {
                "burned": "A card drawn to the dealer's hand before its turn is burned.",
                "next_card": "A card drawn to the dealer's hand before its turn is the next card.",
                "silent": "Nothing is said about a card drawn to the dealer's hand before its turn.",
            }
        ),
    ]
    misplaced: Annotated[
        Literal["reconstruct_or_void", "reconstruct", "silent"],
        Says(
            {
                "reconstruct_or_void": "Misplaced cards are put right, else the hands concerned are void.",
                "reconstruct": "Misplaced cards are put right.",
                "silent": "Nothing is said about misplaced cards.",
            }
        ),
    ]
    reconstruction: Annotated[
        Literal["sequence", "sequence_or_hands", "from_call"],
        Says(
            {
                "sequence": "A reconstruction puts every card where the order of dealing would have brought it; "
                "decisions made on the same cards stand.",
                "sequence_or_hands": "A reconstruction deals the cards again in order, where decisions made on the "
                "same cards stand, or lays complete hands again.",
                "from_call": "A reconstruction deals the round again from the call; every decision is made anew.",
            }
        ),
    ]
    left_over: Annotated[
        Literal["burned", "next_card"],
        Says(
            {
                "burned": "A card left exposed after a reconstruction is removed from play.",
                "next_card": "A card left exposed after a reconstruction is the next card, unless a player has to "
                "decide again.",
            }
        ),
    ]
    found_late: Annotated[
        Literal["round_void", "silent"],
        Says(
            {
                "round_void": "A misplacement found after the next round began makes its round void; later ones stand.",
                "silent": "Nothing is said about errors found after the next round began.",
            }
        ),
    ]
    missing_card: Annotated[
        Literal["withdraw_or_draw", "reconstruct", "silent"],
        Says(
            {
                "withdraw_or_draw": "A hand passed over may be withdrawn or may draw, by the moment it is noticed.",
                "reconstruct": "A hand passed over is put right with the round.",
                "silent": "Nothing is said about a hand passed over.",
            }
        ),
    ]
    short_others: Annotated[
        Literal["on_decision", "any_time"],
        Says(
            {
                "on_decision": "On a hand passed over the others may withdraw once its controller has decided, "
                "before the card.",
                "any_time": "On a hand passed over the others may withdraw during its turn.",
            }
        ),
    ]
    missing_first: Annotated[
        Literal["next_card", "reconstruct", "silent"],
        Says(
            {
                "next_card": "A dealer without a first card takes the next; all may withdraw, ace-ten is only 21.",
                "reconstruct": "A dealer without a first card is put right with the round.",
                "silent": "Nothing is said about a dealer without a first card.",
            }
        ),
    ]
    superfluous: Annotated[
        Literal["void", "reconstruct", "silent"],
        Says(
            {
                "void": "A hand too many is put right in the initial deal, later it is void and burned.",
                "reconstruct": "A hand too many is put right with the round.",
                "silent": "Nothing is said about a hand too many.",
            }
        ),
    ]
    too_few: Annotated[
        Literal["discards", "silent"],
        Says(
            {
                "discards": "If the shoe runs out the discards are shuffled and cut and the round goes on.",
                "silent": "Nothing is said about a shoe that runs out.",
            }
        ),
    ]
    damaged: Annotated[
        Literal["after_round", "silent"],
        Says(
            {
                "after_round": "A damaged card is replaced after the round.",
                "silent": "Nothing is said about damaged cards.",
            }
        ),
    ]
    missed_offer: Annotated[
        Literal["still_open", "silent"],
        Says(
            {
                "still_open": "An offer the dealer forgot is still open until the cards that end it.",
                "silent": "Nothing is said about a forgotten offer.",
            }
        ),
    ]
    void_hand: Annotated[
        Literal["allowed", "silent"],
        Says({"allowed": "A hand or wager may be declared void.", "silent": "Nothing is said about voiding a hand."}),
    ]
    void_wager: Annotated[
        Literal["allowed", "silent"],
        Says(
            {
                "allowed": "One player's wagers on a box may be declared void; the others on it stand.",
                "silent": "Nothing is said about voiding one player's wagers alone.",
            }
        ),
    ]
    void_cards: Annotated[
        Literal["none", "initial_deal"],
        Says(
            {
                "none": "A void hand gets no more cards, and with every hand void there is no dealer's hand.",
                "initial_deal": "A box made void in the initial deal still gets its cards of that deal.",
            }
        ),
    ]
    void_round: Annotated[
        Literal["allowed", "silent"],
        Says({"allowed": "A round may be declared void.", "silent": "Nothing is said about voiding a round."}),
    ]
    approval: Annotated[
        Literal["operator", "inspector", "none"],
        Says(
            {
                "operator": "The operator rules on an irregularity.",
                "inspector": "An inspector or pit boss is told of every irregularity and play waits for the approval.",
                "none": "Nobody's approval is asked for.",
            }
        ),
    ]
