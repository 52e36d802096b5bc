"""The conditions of a tournament: everything rule 20.3 wants written down, each value with its clause and sentence.

They are a file of the operator's (`load.read`), checked against each other (`check.faults`), and printed for patrons
and the commission (`document`). Nothing about a tournament is decided anywhere else.
"""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Struct

from pontoon.money import Cents
from pontoon.tournament.asks import Asks, Part


class Start(Part, frozen=True, kw_only=True):
    """When it begins, and how one gets in."""

    at: Annotated[
        dt.datetime,
        Asks("20.3(a)(i)", "The tournament starts on {}.", example="2026-12-05T19:00:00"),
    ]
    entry: Annotated[
        str, Asks("20.3(a)(i)", "To enter: {}", example='"at the cashier until ten minutes before the start"')
    ]
    eligibility: Annotated[
        str, Asks("20.3(a)(i)", "Who may enter: {}", example='"adults who are not excluded from the casino"')
    ]
    agreement: Annotated[
        bool,
        Asks(
            "20.5",
            "Each player agrees in writing to the rules and to these conditions before the entry is taken.",
            "No written agreement is asked for.",
        ),
    ] = True


RULEBOOK = "canberra"
"""The only document with rules for tournaments, and the one that is dealt by where the conditions name no other."""


class Game(Part, frozen=True, kw_only=True):
    """How the cards are dealt; everything else about a round is the rulebook's (20.1)."""

    rulebook: Annotated[str, Asks("20.1", "Rounds are dealt by the rulebook {}.", example='"canberra"')] = RULEBOOK
    """A name, or in a file the path to a rulebook file; read, it is the name."""
    book: Annotated[str, Asks("20.1", "Its canonical text: {}", example='"{...}"')] = ""
    """The rulebook itself, where it is not one of those that are shipped."""
    packs: Annotated[int, Asks("20.1", "Each shoe holds {} of 48 cards.", unit="pack/packs", least=1)] = 8
    minimum: Annotated[Cents, Asks("20.3(a)(vii)", "The least wager is {} in tournament chips.", example='"10.00"')]
    maximum: Annotated[Cents, Asks("20.3(a)(vii)", "The greatest wager is {} in tournament chips.", example='"500.00"')]
    super_bonus: Annotated[
        Literal["chips", "off"],
        Asks(
            "20.1",
            "The Super Bonus {}.",
            words=(
                ("chips", "is paid in tournament chips, a dollar for a dollar"),
                ("off", "is not paid in this tournament"),
            ),
        ),
    ] = "chips"
    """Bonuses are sums of money and tournament chips are none: paid in tournament chips, or not at all."""
    side_wagers: Annotated[bool, Asks("20.1", "Side wagers may be made.", "There are no side wagers.")] = False


class Players(Part, frozen=True, kw_only=True):
    """How many, and who with whom."""

    least: Annotated[int, Asks("20.3(a)(v)", "It takes place with {} or more.", unit="player/players", least=1)]
    most: Annotated[int, Asks("20.3(a)(v)", "At most {} admitted.", unit="player is/players are", least=1)]
    reserves: Annotated[
        int,
        Asks(
            "20.10",
            "When all places are taken, {} may wait for a seat that is not taken at the start; the fee is due then.",
            "There are no reserve players.",
            unit="reserve player/reserve players",
        ),
    ] = 0
    at_table: Annotated[int, Asks("20.8", "At most {} at one table.", unit="player sits/players sit", least=1)] = 7
    groups: Annotated[
        str,
        Asks(
            "20.3(a)(vi)",
            "Restrictions on groups of players: {}",
            "There are no restrictions on groups of players.",
            '"players who live together are a group"',
        ),
    ] = ""
    """What a group is; the two numbers below say what it may not do."""
    group_at_table: Annotated[
        int,
        Asks(
            "20.3(a)(vi)",
            "At most {} of one group at one table, in every session with tables enough to part them.",
            "Players of one group may be balloted to the same table.",
            unit="player/players",
        ),
    ] = 0
    """0: no restriction. The ballot is drawn again until it holds; the draw says how often."""
    most_of_group: Annotated[
        int, Asks("20.3(a)(vi)", "Of one group at most {} may enter.", "A group may be of any size.")
    ] = 0


class Money(Part, frozen=True, kw_only=True):
    """What it costs and what one gets for it."""

    fee: Annotated[Cents, Asks("20.3(a)(iii)", "The entry fee is {}.", "Entry is free.", '"100.00"')]
    """All that a player pays, commission included."""
    commission: Annotated[
        Cents,
        Asks("20.3(a)(iii)", "Of it {} is tournament commission.", "There is no tournament commission.", '"10.00"'),
    ] = Cents(0)
    added: Annotated[
        Cents, Asks("20.20", "The casino adds {} to the prize pool.", "Nothing is added to the prize pool.")
    ] = Cents(0)
    chips: Annotated[
        Cents,
        Asks(
            "20.3(a)(iv)",
            "For the entry fee each player receives {} in tournament chips at the start of a session.",
            example='"1000.00"',
        ),
    ]
    carried: Annotated[
        bool,
        Asks(
            "20.3(a)(iv)",
            "That is for the first session a player sits in; the chips held at its end are carried into the next.",
            "Every session begins with that amount afresh; chips left from an earlier session do not count.",
        ),
    ] = False


_GO = "player goes/players go"


class Advance(Part, frozen=True, kw_only=True):
    """Who goes on from a session."""

    from_table: Annotated[int, Asks("20.3(a)(ii)(C)", "From each table the best {} on.", unit=_GO)] = 0
    best_of_rest: Annotated[int, Asks("20.3(a)(ii)(C)", "Of all the others the best {} on too.", unit=_GO)] = 0
    of_all: Annotated[int, Asks("20.3(a)(ii)(C)", "Of all tables together the best {} on.", unit=_GO)] = 0


Kind = Literal["session", "repechage"]
Length = Literal["rounds", "shoes", "minutes"]


class Session(Part, frozen=True, kw_only=True):
    """One session. A session is so many rounds, or shoes, or minutes.

    Sessions follow each other as they stand in the file. Who goes on from one plays in the next ordinary session; a
    repechage stands between the two, and its winners join there. It begins with fresh chips.
    """

    name: Annotated[str, Asks("20.3(a)(ii)(A)", "Session {}", example='"Heats"')]
    kind: Annotated[
        Kind, Asks("20.3(a)(ii)(E)", "It is a {}.", words=(("session", "session"), ("repechage", "repechage")))
    ] = "session"
    rounds: Annotated[int, Asks("20.3(a)(ii)(A)", "It lasts {} at each table.", unit="round/rounds")] = 0
    shoes: Annotated[int, Asks("20.3(a)(ii)(A)", "It lasts {} at each table.", unit="shoe/shoes")] = 0
    minutes: Annotated[
        int,
        Asks("20.3(a)(ii)(A)", "It lasts {}; the round then in progress is finished.", unit="minute/minutes"),
    ] = 0
    after: Annotated[
        int,
        Asks(
            "20.3(a)(ii)(A)",
            "It starts {} after the end of the session before it.",
            "It starts when the director calls it, after the session before it.",
            unit="minute/minutes",
        ),
    ] = 0
    tables: Annotated[
        int,
        Asks(
            "20.3(a)(ii)(B)",
            "It is played at {}.",
            "As many tables are active as its players need, filled as evenly as can be.",
            unit="table/tables",
        ),
    ] = 0
    advance: Advance | None = None
    """None: everybody who is not eliminated goes on (points), or this is the final."""
    qualifies: Annotated[str, Asks("20.3(a)(ii)(E)", "It is open to those who were eliminated in the session {}.")] = ""
    """For a repechage: the name of the session whose losers it is for."""
    points: Annotated[
        tuple[int, ...],
        Asks("20.3(a)(ii)(D)", "Points for the places at each table, from the first: {}.", "It gives no points."),
    ] = ()
    prizes: Annotated[
        tuple[Fraction, ...],
        Asks(
            "20.3(a)(ii)(D)",
            "Its own prizes, as shares of the prize pool, from the first place: {}.",
            "It has no prizes of its own.",
        ),
    ] = ()


class Structure(Part, frozen=True, kw_only=True):
    """How it is built."""

    format: Annotated[
        Literal["knock_out", "points"],
        Asks(
            "20.3(a)(ii)(D)",
            "{}",
            words=(
                (
                    "knock_out",
                    "It is a knock-out: players compete against each other to go on from session to session.",
                ),
                ("points", "Players compete in a number of sessions; the places in them give points, which are added."),
            ),
        ),
    ]
    sit_and_go: Annotated[
        int,
        Asks(
            "20.3(a)(ii)(B)",
            "Sit-and-go: the first session begins as soon as {} have entered, at or after the starting time; "
            "tables and seats are balloted then, and before each later session.",
            "It is not a sit-and-go tournament.",
            unit="player/players",
        ),
    ] = 0
    other_games: Annotated[
        str,
        Asks("20.3(a)(ii)(D)", "There are sessions of other authorised games: {}", "All sessions are of Pontoon."),
    ] = ""
    elimination: Annotated[
        str,
        Asks("20.3(a)(viii)(A)", "Besides: {}", example='"a player who leaves the table for three rounds is out"'),
    ] = ""
    """In words; what the program does is 20.14 and the `advance` of each session."""
    absent: Annotated[
        Literal["minimum", "eliminated"],
        Asks(
            "20.14",
            "A seated player who makes no wager in time {}.",
            words=(("minimum", "has the least wager placed from the player's chips"), ("eliminated", "is eliminated")),
        ),
    ] = "minimum"
    pace: Annotated[
        int,
        Asks(
            "20.17",
            "A player has {} for a wager or a decision; the director may set another pace.",
            "The director sets the pace of play.",
            unit="second/seconds",
        ),
    ] = 30


class BuyBack(Part, frozen=True, kw_only=True):
    """How an eliminated player gets back in."""

    times: Annotated[
        int,
        Asks(
            "20.3(a)(ii)(F)",
            "An eliminated player may buy back into the tournament {}.",
            "An eliminated player cannot buy back into the tournament.",
            unit="time/times",
        ),
    ] = 0
    fee: Annotated[Cents, Asks("20.3(a)(ii)(F)", "A buy-back costs {}.", "A buy-back is free.")] = Cents(0)
    commission: Annotated[
        Cents, Asks("20.3(a)(ii)(F)", "Of it {} is tournament commission.", "There is no commission on it.")
    ] = Cents(0)
    chips: Annotated[Cents, Asks("20.3(a)(ii)(F)", "It gives {} in tournament chips.", example='"1000.00"')] = Cents(0)
    when: Annotated[
        Literal["at_once", "between_sessions"],
        Asks(
            "20.3(a)(ii)(F)",
            "When: {}.",
            words=(
                ("at_once", "at once after the elimination, before the next round, into the same seat"),
                ("between_sessions", "after a session, before the ballot of the next, into that ballot"),
            ),
        ),
    ] = "between_sessions"
    """At once: before the next round at the table, into the same seat. Between sessions: into the next one's ballot."""
    until: Annotated[str, Asks("20.3(a)(ii)(F)", "The last chance is with the session {}.", example='"Heats"')] = ""
    method: Annotated[str, Asks("20.3(a)(ii)(F)", "How: {}", example='"at the director\'s desk"')] = ""


Equal = Literal["extra_rounds", "ballot"]


class Ties(Part, frozen=True, kw_only=True):
    """Equal chips, equal points."""

    session: Annotated[
        Equal,
        Asks(
            "20.3(a)(viii)(B)",
            "Players who hold equal chips at the end of a session, and cannot all go on, {}.",
            words=(("extra_rounds", "play extra rounds to decide it"), ("ballot", "are parted by ballot")),
            must=True,
        ),
    ] = "extra_rounds"
    points: Annotated[
        Literal["combine", "extra_rounds", "ballot"],
        Asks(
            "20.3(a)(ix)(B)",
            "Players who hold equal chips at the end of a session {}.",
            words=(
                ("combine", "have the points of their places combined and divided equally"),
                ("extra_rounds", "play extra rounds for their places"),
                ("ballot", "have their places decided by ballot"),
            ),
            must=True,
        ),
    ] = "combine"
    final: Annotated[
        Literal["divide", "extra_rounds"],
        Asks(
            "20.3(a)(xi)",
            "{}",
            words=(
                ("divide", "the prizes are combined and divided equally between them."),
                ("extra_rounds", "they play extra rounds to decide their places."),
            ),
            must=True,
        ),
    ] = "divide"
    """After the final session, or with equal points: 20.3(a)(xi)(A) to (D)."""
    rounds: Annotated[
        int, Asks("20.3(a)(xi)(D)", "Extra rounds: {} at a time, all with equal chips.", unit="round/rounds", least=1)
    ] = 1
    most: Annotated[
        int,
        Asks(
            "20.3(a)(xi)(D)",
            "If {} of extra rounds leave players equal, a ballot decides who goes on, and prizes are divided.",
            unit="lot/lots",
            least=1,
        ),
    ] = 10
    eliminated_together: Annotated[
        Literal["chips_before", "equal"],
        Asks(
            "20.18",
            "Players eliminated in the same round {}.",
            words=(
                ("chips_before", "are placed by the chips they held before it"),
                ("equal", "have equal places"),
            ),
        ),
    ] = "chips_before"


class Prizes(Part, frozen=True, kw_only=True):
    """What becomes of the pool."""

    shares: Annotated[
        tuple[Fraction, ...],
        Asks("20.3(a)(x)", "Of the pool the places receive, from the first: {}.", example='["50%", "30%", "20%"]'),
    ]
    """With the shares of session prizes they make one. What nobody took goes to the other places in proportion."""
    odd_cents: Annotated[
        Literal["first", "last", "one_each"],
        Asks(
            "20.19",
            "Cents that cannot be divided go {}.",
            words=(
                ("first", "to the best placed"),
                ("last", "to the last placed of those who are paid at the end of the tournament"),
                ("one_each", "one each to the places from the first on"),
            ),
        ),
    ] = "first"
    """To the best placed; to the last of those who share; or one each from the best placed on."""


class Conditions(Struct, frozen=True, kw_only=True):
    """The conditions of one tournament."""

    name: Annotated[str, Asks("20.2(a)", "{}", example='"Spring Pontoon"')]
    start: Start
    game: Game
    players: Players
    money: Money
    structure: Structure
    sessions: tuple[Session, ...]
    buy_back: BuyBack = BuyBack()
    ties: Ties = Ties()
    prizes: Prizes
    statement: Annotated[
        str,
        Asks("20.3(b)", "{}", example='"standard"'),
    ]
    """`standard` for our words, or the operator's own."""
