"""The rules of a round, section by section in the order of play."""

from __future__ import annotations

from typing import Annotated, Literal

from pontoon.money import Cents, Odds
from pontoon.rulebook.section import Says, Section


class About(Section, frozen=True):
    """Which document this is."""

    name: str
    title: str
    place: str
    nature: str


class Decks(Section, frozen=True):
    """Packs of 48 cards in the shoe."""

    allowed: Annotated[tuple[int, ...], Says("The game may be dealt from {} packs of 48 cards.", example="[6, 8]")]
    default: Annotated[int, Says("Unless the operator says otherwise {} packs are used.", example="8")]


class Boxes(Section, frozen=True):
    """Places for wagers, and who may bet on them."""

    count: Annotated[int, Says("The table has {} boxes.", example="7", least=1, most=7)]
    bettors: Annotated[int, Says("Up to {} people may wager on one box.", example="3", least=1, most=7)]
    alone_most: Annotated[
        int,
        Says(
            "A person alone at the table may wager on no more boxes than {}.",
            no="A person alone at the table may wager on every box.",
            example="1",
            least=0,
            most=7,
        ),
    ]


class Wagers(Section, frozen=True):
    """Amounts that may be staked."""

    below_minimum: Annotated[
        Literal["plays", "refused"],
        Says(
            {
                "plays": "A wager below the minimum plays, with a warning.",
                "refused": "A wager below the minimum is refused.",
            }
        ),
    ]
    above_maximum: Annotated[
        Literal["capped", "refused"],
        Says(
            {
                "capped": "A wager above the maximum plays at the maximum.",
                "refused": "A wager above the maximum is refused.",
            }
        ),
    ]
    multiples_notice: Annotated[
        bool,
        Says(
            "A notice asks for wagers in multiples of the minimum.",
            no="No notice asks for wagers in multiples of the minimum.",
        ),
    ]
    increment: Annotated[
        Cents,
        Says(
            "The smallest additional wager for a double is ${}.",
            no="The smallest additional wager for a double is the smallest chip.",
            example='"5"',
        ),
    ]
    rounding: Annotated[
        Literal["exact", "payable"],
        Says(
            {
                "exact": "Payouts are exact to the cent.",
                "payable": "A payout that chips cannot make goes to the next higher payable amount, or, under a "
                "multiples notice, counts the wager at its next lower multiple.",
            }
        ),
    ]
    in_chips: Annotated[
        bool,
        Says(
            "Wagers are made in chips: what the smallest chip cannot make up is refused.",
            no="A wager may be of any amount, whatever the smallest chip.",
        ),
    ]


class Deal(Section, frozen=True):
    """What follows the initial deal, in this order."""

    then: Annotated[
        tuple[str, ...],
        Says(
            "After the initial deal come, in this order: {}.",
            example='["side_wagers", "pontoons", "insurance", "surrender"]',
        ),
    ]
    complete: Annotated[
        Literal["second_cards", "first_decision"],
        Says(
            {
                "second_cards": "The initial deal is complete with the second card of the last box.",
                "first_decision": "The initial deal is complete when a hand stands, gets a third card or a card to a "
                "split, or a pontoon is paid.",
            }
        ),
    ]


class PayoutRows(Section, frozen=True):
    """The payout table."""

    pontoon: Annotated[Odds, Says("Pontoon pays {}.", example='"3:2"')]
    five_cards: Annotated[Odds, Says("21 on five cards pays {}.", example='"3:2"')]
    six_cards: Annotated[Odds, Says("21 on six cards pays {}.", example='"2:1"')]
    seven_cards: Annotated[Odds, Says("21 on seven or more cards pays {}.", example='"3:1"')]
    six_seven_eight_mixed: Annotated[Odds, Says("6-7-8 in mixed suits pays {}.", example='"3:2"')]
    six_seven_eight_suited: Annotated[Odds, Says("6-7-8 in one suit, not spades, pays {}.", example='"2:1"')]
    six_seven_eight_spades: Annotated[Odds, Says("6-7-8 in spades pays {}.", example='"3:1"')]
    sevens_mixed: Annotated[Odds, Says("7-7-7 in mixed suits pays {}.", example='"3:2"')]
    sevens_suited: Annotated[Odds, Says("7-7-7 in one suit, not spades, pays {}.", example='"2:1"')]
    sevens_spades: Annotated[Odds, Says("7-7-7 in spades pays {}.", example='"3:1"')]
    other: Annotated[Odds, Says("Any other win pays {}.", example='"1:1"')]
    doubled: Annotated[
        Odds, Says("A doubled wager that wins is paid {} on both parts, never bonus odds.", example='"1:1"')
    ]
    count_requires_21: Annotated[
        bool,
        Says(
            "The rows for five, six and seven cards ask for a total of 21.",
            no="The rows for five, six and seven cards are paid on any winning total.",
        ),
    ]


class Insurance(Section, frozen=True):
    """The wager on a dealer's pontoon."""

    odds: Annotated[Odds, Says("Insurance pays {}.", example='"2:1"')]
    most_percent: Annotated[
        int, Says("Insurance may be up to {} per cent of the wager insured.", example="50", least=1, most=100)
    ]
    payable: Annotated[
        bool,
        Says(
            "Its amount must be such that a win can be paid in chips.",
            no="Its amount need not suit the smallest chip.",
        ),
    ]
    third_party: Annotated[
        bool,
        Says(
            "A wager its owner left uninsured may be insured by others.",
            no="Players may insure only their own wagers.",
        ),
    ]
    others_after: Annotated[
        Literal["declined", "any_time"],
        Says(
            {
                "declined": "Where others may insure a wager, its owner must have declined first.",
                "any_time": "Where others may insure a wager, they need not wait for its owner.",
            }
        ),
    ]
    winners_paid: Annotated[
        Literal["second_card", "after_settlement"],
        Says(
            {
                "second_card": "Winning insurance is paid when the dealer's second card is out.",
                "after_settlement": "Winning insurance is paid after the final settlement.",
            }
        ),
    ]


class SurrenderRules(Section, frozen=True):
    """Giving up half the wager."""

    first_cards: Annotated[
        tuple[str, ...],
        Says("Surrender is offered against a dealer's first card of {}.", example='["A", "K", "Q", "J"]'),
    ]
    mode: Annotated[
        Literal["controller_binds", "control_passes", "hand_frozen", "individual"],
        Says(
            {
                "controller_binds": "The controller's surrender binds everyone on the box.",
                "control_passes": "Each bettor surrenders alone; after the controller the next in line takes control.",
                "hand_frozen": "Each bettor surrenders alone; once the controller does, the hand takes no more cards.",
                "individual": "Each bettor surrenders alone; the controller goes on calling the hand for the others.",
            }
        ),
    ]
    co_bettor_alone: Annotated[
        bool,
        Says(
            "A co-bettor may surrender while the controller plays.",
            no="A co-bettor may not surrender while the controller plays.",
        ),
    ]
    timing: Annotated[
        Literal["offer", "turn", "both"],
        Says(
            {
                "offer": "Surrender is offered once, before the first decision.",
                "turn": "A player surrenders at their turn, on two untouched cards.",
                "both": "Surrender is offered before the first decision, and at each turn on two untouched cards.",
            }
        ),
    ]


class Draw(Section, frozen=True):
    """Drawing cards to a player's hand."""

    forced_below: Annotated[
        int,
        Says("A hand below {} must draw.", no="A player may stand on anything.", example="12", least=0, most=21),
    ]
    absent_below: Annotated[
        int,
        Says(
            "A hand nobody is there to play is dealt cards while it is below {}.",
            example="12",
            least=0,
            most=21,
        ),
    ]
    absent_by: Annotated[
        Literal["supervisor", "dealer"],
        Says(
            {
                "supervisor": "For an absent player the supervisor directs the cards.",
                "dealer": "For an absent player the dealer goes on unasked.",
            }
        ),
    ]
    absent_next: Annotated[
        Literal["passes", "box"],
        Says(
            {
                "passes": "When the controller is absent, the next bettor on the box who is there decides.",
                "box": "When the controller is absent nobody else on the box decides.",
            }
        ),
    ]


class Double(Section, frozen=True):
    """Doubling down and forfeiting a double."""

    two_cards_only: Annotated[
        bool,
        Says("Only a hand of two cards may be doubled.", no="A hand of any number of cards may be doubled."),
    ]
    lowest_total: Annotated[int, Says("The lowest total that may be doubled is {}.", example="9", least=2, most=20)]
    highest_total: Annotated[int, Says("The highest total that may be doubled is {}.", example="20", least=2, most=20)]
    hard_only: Annotated[bool, Says("Soft hands may not be doubled.", no="Soft hands may be doubled.")]
    soft_as_hard: Annotated[
        bool,
        Says(
            "A soft hand is tested for a double with its ace as 1.",
            no="A soft hand is tested for a double by its soft total.",
        ),
    ]
    for_less: Annotated[
        bool, Says("A double may be for less than the wager.", no="A double is always equal to the wager.")
    ]
    fixed_aces: Annotated[
        Literal["initial_deal", "first_two_of_hand", "all_held", "none"],
        Says(
            {
                "initial_deal": "On a doubled hand an ace of the initial deal counts 1.",
                "first_two_of_hand": "On a doubled hand an ace among the hand's first two cards counts 1.",
                "all_held": "On a doubled hand every ace held before the double counts 1.",
                "none": "A double fixes no ace.",
            }
        ),
    ]
    fixed_aces_for: Annotated[
        Literal["hand", "doublers"],
        Says(
            {
                "hand": "A fixed ace is fixed for everybody on the hand.",
                "doublers": "A fixed ace is fixed only for those who doubled.",
            }
        ),
    ]
    non_doubler_odds: Annotated[
        Literal["table", "even"],
        Says(
            {
                "table": "A co-bettor who did not double keeps the payout table.",
                "even": "A co-bettor who did not double is paid even money on the doubled hand.",
            }
        ),
    ]
    non_doubler_super_bonus: Annotated[
        bool,
        Says(
            "A co-bettor who did not double keeps the Super Bonus.",
            no="Nobody on a doubled hand can win the Super Bonus.",
        ),
    ]
    forfeit_highest: Annotated[
        int, Says("A double may be forfeited up to a total of {}.", example="20", least=0, most=21)
    ]


class SplitRules(Section, frozen=True):
    """Splitting pairs."""

    by: Annotated[
        Literal["value", "rank"],
        Says(
            {
                "value": "Two cards of one point value may be split, K-Q too.",
                "rank": "Two cards of one rank may be split.",
            }
        ),
    ]
    max_hands: Annotated[int, Says("At most {} hand(s) may be formed on a box.", example="3", least=1, most=4)]
    decline_locks: Annotated[
        bool,
        Says(
            "Declining to split a pair bars further splits on that box this round.",
            no="Declining to split a pair bars nothing.",
        ),
    ]
    co_bettor: Annotated[
        Literal["first_hand", "designate"],
        Says(
            {
                "first_hand": "A co-bettor who does not cover the split rides the first hand.",
                "designate": "A co-bettor who does not cover the split names the hand for the wager.",
            }
        ),
    ]


class DealerRules(Section, frozen=True):
    """The dealer's hand."""

    stands_hard: Annotated[int, Says("The dealer stands on hard {}.", example="17", least=12, most=21)]
    stands_soft: Annotated[int, Says("The dealer stands on soft {}.", example="18", least=12, most=21)]
    stops_without_effect: Annotated[
        bool,
        Says(
            "The dealer draws no card that cannot change a wager.",
            no="The dealer completes the hand whatever is left on the table.",
        ),
    ]
    pontoon_collects: Annotated[
        Literal["all", "busts_plus_one", "original_tracked"],
        Says(
            {
                "all": "A dealer's pontoon takes every undecided wager, doubles and splits too.",
                "busts_plus_one": "A dealer's pontoon takes one original amount from what is undecided on a box; "
                "busts and forfeits stay lost.",
                "original_tracked": "A dealer's pontoon takes the original wager only; if that won, its amount from an "
                "undecided hand; if it was already lost, nothing more.",
            }
        ),
    ]


class Settle(Section, frozen=True):
    """The final settlement."""

    order: Annotated[
        Literal["from_right", "from_left"],
        Says(
            {
                "from_right": "Boxes are settled from the dealer's right.",
                "from_left": "Boxes are settled from the dealer's left.",
            }
        ),
    ]


class SuperBonus(Section, frozen=True):
    """Three suited sevens against a dealer's seven."""

    offered: Annotated[
        bool,
        Says(
            "There is a Super Bonus for 7-7-7 in one suit against a dealer's 7.",
            no="There is no Super Bonus.",
        ),
    ]
    lower: Annotated[Cents, Says("A smaller wager wins ${}.", example='"1000"')]
    upper: Annotated[Cents, Says("A larger wager wins ${}.", example='"5000"')]
    upper_from: Annotated[Cents, Says("The larger prize begins at a wager of ${}.", example='"25"')]
    least_wager: Annotated[
        Cents, Says("The smallest wager that can win it is ${}.", no="A wager of any size can win it.", example='"0"')
    ]
    split_excludes: Annotated[
        Literal["any_split", "suited_sevens"],
        Says(
            {
                "any_split": "A split hand never wins it.",
                "suited_sevens": "A split hand may win it unless suited sevens were split.",
            }
        ),
    ]
    other_bonus: Annotated[Cents, Says("When it is won others on the round receive ${} each.", example='"50"')]
    other_unit: Annotated[
        Literal["per_wager", "per_original_wager", "per_player"],
        Says(
            {
                "per_wager": "That bonus is paid for every wager, additional ones too.",
                "per_original_wager": "That bonus is paid once for each bettor on each box.",
                "per_player": "That bonus is paid once to each other player.",
            }
        ),
    ]
    other_excluded: Annotated[
        Literal["paid", "unpaid"],
        Says(
            {
                "paid": "A doubled hand, or a box that split suited sevens, receives that bonus like any other.",
                "unpaid": "A doubled hand, or a box that split suited sevens, does not receive that bonus.",
            }
        ),
    ]
