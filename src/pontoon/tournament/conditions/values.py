"""The conditions of a tournament: everything rule 20.3 requires in writing, each value with its clause and sentence.

The operator writes them in a file (`load.read`); they are checked for contradictions (`check.faults`) and printed for
patrons and the commission (`document`). Nothing about a tournament is decided anywhere else.
"""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Struct

from pontoon.money import Cents
from pontoon.tournament.conditions.field_spec import FieldSpec, Part


class Start(Part, frozen=True, kw_only=True):
    """Start and entry."""

    at: Annotated[
        dt.datetime,
        FieldSpec("20.3(a)(i)", "The tournament starts on {}.", example="2026-12-05T19:00:00"),
    ]
    entry: Annotated[
        str, FieldSpec("20.3(a)(i)", "To enter: {}", example='"at the cashier until ten minutes before the start"')
    ]
    eligibility: Annotated[
        str, FieldSpec("20.3(a)(i)", "Who may enter: {}", example='"adults who are not excluded from the casino"')
    ]
    agreement: Annotated[
        bool,
        FieldSpec(
            "20.5",
            "Each player agrees in writing to the rules and to these conditions before entering.",
            "No written agreement is required.",
        ),
    ] = True


RULEBOOK = "canberra"
"""The only document with tournament rules, and the default rulebook for the rounds."""


class Game(Part, frozen=True, kw_only=True):
    """The game at the tables; everything else about a round is in the rulebook (20.1)."""

    rulebook: Annotated[str, FieldSpec("20.1", "Rounds are dealt by the rulebook {}.", example='"canberra"')] = RULEBOOK
    """A name, or in a file the path of a rulebook file; after reading, the name."""
    book: Annotated[str, FieldSpec("20.1", "Its canonical text: {}", example='"{...}"')] = ""
    """The rulebook itself, if it is not a shipped one."""
    packs: Annotated[int, FieldSpec("20.1", "Each shoe holds {} of 48 cards.", unit="pack/packs", least=1)] = 8
    minimum: Annotated[
        Cents, FieldSpec("20.3(a)(vii)", "The minimum wager is {} in tournament chips.", example='"10.00"')
    ]
    maximum: Annotated[
        Cents, FieldSpec("20.3(a)(vii)", "The maximum wager is {} in tournament chips.", example='"500.00"')
    ]
    super_bonus: Annotated[
        Literal["chips", "off"],
        FieldSpec(
            "20.1",
            "The Super Bonus {}.",
            words=(
                ("chips", "is paid in tournament chips, dollar for dollar"),
                ("off", "is not paid in this tournament"),
            ),
        ),
    ] = "chips"
    """Whether bonuses, which are amounts of money, are paid in tournament chips or not at all."""
    side_wagers: Annotated[bool, FieldSpec("20.1", "Side wagers may be made.", "There are no side wagers.")] = False


class Players(Part, frozen=True, kw_only=True):
    """Numbers of players and groups."""

    least: Annotated[int, FieldSpec("20.3(a)(v)", "It takes place with {} or more.", unit="player/players", least=1)]
    most: Annotated[int, FieldSpec("20.3(a)(v)", "At most {} admitted.", unit="player is/players are", least=1)]
    reserves: Annotated[
        int,
        FieldSpec(
            "20.10",
            "When all places are taken, {} may wait for a seat left empty at the start; the fee is due then.",
            "There are no reserve players.",
            unit="reserve player/reserve players",
        ),
    ] = 0
    at_table: Annotated[int, FieldSpec("20.8", "At most {} at one table.", unit="player sits/players sit", least=1)] = 7
    groups: Annotated[
        str,
        FieldSpec(
            "20.3(a)(vi)",
            "Restrictions on groups of players: {}",
            "There are no restrictions on groups of players.",
            '"players who live together are a group"',
        ),
    ] = ""
    """What a group is, in words; the two numbers below are its limits."""
    group_at_table: Annotated[
        int,
        FieldSpec(
            "20.3(a)(vi)",
            "At most {} of one group at any table, in every session with enough tables to separate them.",
            "Players of one group may be drawn to the same table.",
            unit="player/players",
        ),
    ] = 0
    """0: no restriction. The ballot is repeated until it is satisfied; the event records the number of the draw."""
    most_of_group: Annotated[
        int, FieldSpec("20.3(a)(vi)", "At most {} of one group may enter.", "A group may be of any size.")
    ] = 0


class Money(Part, frozen=True, kw_only=True):
    """Fees and chips."""

    fee: Annotated[Cents, FieldSpec("20.3(a)(iii)", "The entry fee is {}.", "Entry is free.", '"100.00"')]
    """What a player pays in total, including the commission."""
    commission: Annotated[
        Cents,
        FieldSpec(
            "20.3(a)(iii)",
            "This includes a tournament commission of {}.",
            "There is no tournament commission.",
            '"10.00"',
        ),
    ] = Cents(0)
    added: Annotated[
        Cents, FieldSpec("20.20", "The casino adds {} to the prize pool.", "Nothing is added to the prize pool.")
    ] = Cents(0)
    chips: Annotated[
        Cents,
        FieldSpec(
            "20.3(a)(iv)",
            "In return for the entry fee, each player receives {} in tournament chips at the start of a session.",
            example='"1000.00"',
        ),
    ]
    carried: Annotated[
        bool,
        FieldSpec(
            "20.3(a)(iv)",
            "This applies to a player's first session; chips held at its end are carried into the next.",
            "Every session starts with that amount; chips left from an earlier session do not count.",
        ),
    ] = False


_GO = "player advances/players advance"


class Advance(Part, frozen=True, kw_only=True):
    """Who advances from a session."""

    from_table: Annotated[int, FieldSpec("20.3(a)(ii)(C)", "From each table the best {}.", unit=_GO)] = 0
    best_of_rest: Annotated[int, FieldSpec("20.3(a)(ii)(C)", "Of all the others, the best {} too.", unit=_GO)] = 0
    of_all: Annotated[int, FieldSpec("20.3(a)(ii)(C)", "Of all tables together, the best {}.", unit=_GO)] = 0


Kind = Literal["session", "repechage"]
Length = Literal["rounds", "shoes", "minutes"]


class Session(Part, frozen=True, kw_only=True):
    """One session, measured in rounds, shoes or minutes.

    Sessions are played in file order. Players who advance play in the next ordinary session; a repechage is played in
    between, with new chips, and its winners join that session.
    """

    name: Annotated[str, FieldSpec("20.3(a)(ii)(A)", "Session {}", example='"Heats"')]
    kind: Annotated[
        Kind, FieldSpec("20.3(a)(ii)(E)", "It is a {}.", words=(("session", "session"), ("repechage", "repechage")))
    ] = "session"
    rounds: Annotated[int, FieldSpec("20.3(a)(ii)(A)", "It lasts {} at each table.", unit="round/rounds")] = 0
    shoes: Annotated[int, FieldSpec("20.3(a)(ii)(A)", "It lasts {} at each table.", unit="shoe/shoes")] = 0
    minutes: Annotated[
        int,
        FieldSpec("20.3(a)(ii)(A)", "It lasts {}; the round then in progress is finished.", unit="minute/minutes"),
    ] = 0
    after: Annotated[
        int,
        FieldSpec(
            "20.3(a)(ii)(A)",
            "It starts {} after the end of the previous session.",
            "It starts after the previous session, when the director calls it.",
            unit="minute/minutes",
        ),
    ] = 0
    tables: Annotated[
        int,
        FieldSpec(
            "20.3(a)(ii)(B)",
            "It is played at {}.",
            "As many tables are used as the players need, filled as evenly as possible.",
            unit="table/tables",
        ),
    ] = 0
    advance: Advance | None = None
    """None: everyone not eliminated advances (points), or this is the final."""
    qualifies: Annotated[str, FieldSpec("20.3(a)(ii)(E)", "It is open to players eliminated in session {}.")] = ""
    """For a repechage: the name of the session whose eliminated players it is for."""
    points: Annotated[
        tuple[int, ...],
        FieldSpec(
            "20.3(a)(ii)(D)", "Points for the places at each table, from first place down: {}.", "It awards no points."
        ),
    ] = ()
    prizes: Annotated[
        tuple[Fraction, ...],
        FieldSpec(
            "20.3(a)(ii)(D)",
            "Its prizes, as shares of the prize pool, from first place down: {}.",
            "It has no separate prizes.",
        ),
    ] = ()


class Structure(Part, frozen=True, kw_only=True):
    """The structure of the tournament."""

    format: Annotated[
        Literal["knock_out", "points"],
        FieldSpec(
            "20.3(a)(ii)(D)",
            "{}",
            words=(
                (
                    "knock_out",
                    "It is a knock-out: players compete against each other to advance from session to session.",
                ),
                (
                    "points",
                    "Players compete in several sessions and earn points for their places; the points are added up.",
                ),
            ),
        ),
    ]
    sit_and_go: Annotated[
        int,
        FieldSpec(
            "20.3(a)(ii)(B)",
            "Sit-and-go: the first session begins as soon as {} have entered, at or after the starting time; "
            "tables and seats are drawn then, and before each later session.",
            "It is not a sit-and-go tournament.",
            unit="player/players",
        ),
    ] = 0
    other_games: Annotated[
        str,
        FieldSpec("20.3(a)(ii)(D)", "There are sessions of other authorised games: {}", "All sessions are of Pontoon."),
    ] = ""
    elimination: Annotated[
        str,
        FieldSpec(
            "20.3(a)(viii)(A)",
            "In addition: {}",
            example='"a player who leaves the table for three rounds is eliminated"',
        ),
    ] = ""
    """Further criteria in words; the program itself applies 20.14 and the `advance` of each session."""
    absent: Annotated[
        Literal["minimum", "eliminated"],
        FieldSpec(
            "20.14",
            "A seated player who makes no wager in time {}.",
            words=(("minimum", "has the minimum wager placed from their chips"), ("eliminated", "is eliminated")),
        ),
    ] = "minimum"
    pace: Annotated[
        int,
        FieldSpec(
            "20.17",
            "A player has {} for a wager or a decision; the director may change this.",
            "The director sets the pace of play.",
            unit="second/seconds",
        ),
    ] = 30


class BuyBack(Part, frozen=True, kw_only=True):
    """Buy-backs of eliminated players."""

    times: Annotated[
        int,
        FieldSpec(
            "20.3(a)(ii)(F)",
            "An eliminated player may buy back into the tournament {}.",
            "An eliminated player cannot buy back into the tournament.",
            unit="time/times",
        ),
    ] = 0
    fee: Annotated[Cents, FieldSpec("20.3(a)(ii)(F)", "A buy-back costs {}.", "A buy-back is free.")] = Cents(0)
    commission: Annotated[
        Cents,
        FieldSpec("20.3(a)(ii)(F)", "This includes a tournament commission of {}.", "There is no commission on it."),
    ] = Cents(0)
    chips: Annotated[
        Cents, FieldSpec("20.3(a)(ii)(F)", "The player receives {} in tournament chips.", example='"1000.00"')
    ] = Cents(0)
    when: Annotated[
        Literal["at_once", "between_sessions"],
        FieldSpec(
            "20.3(a)(ii)(F)",
            "When: {}.",
            words=(
                ("at_once", "immediately after elimination, before the next round, in the same seat"),
                ("between_sessions", "after a session, before the ballot for the next one, which includes the player"),
            ),
        ),
    ] = "between_sessions"
    """At once: before the next round, in the same seat. Between sessions: in the next session's ballot."""
    until: Annotated[str, FieldSpec("20.3(a)(ii)(F)", "The last chance is session {}.", example='"Heats"')] = ""
    method: Annotated[str, FieldSpec("20.3(a)(ii)(F)", "How: {}", example='"at the director\'s desk"')] = ""


Equal = Literal["extra_rounds", "ballot"]


class Ties(Part, frozen=True, kw_only=True):
    """How ties are broken."""

    session: Annotated[
        Equal,
        FieldSpec(
            "20.3(a)(viii)(B)",
            "Players with equal chips at the end of a session who cannot all advance {}.",
            words=(("extra_rounds", "play extra rounds"), ("ballot", "have the tie broken by ballot")),
            must=True,
        ),
    ] = "extra_rounds"
    points: Annotated[
        Literal["combine", "extra_rounds", "ballot"],
        FieldSpec(
            "20.3(a)(ix)(B)",
            "Players with equal chips at the end of a session {}.",
            words=(
                ("combine", "share the points of their places equally"),
                ("extra_rounds", "play extra rounds for their places"),
                ("ballot", "have their places decided by ballot"),
            ),
            must=True,
        ),
    ] = "combine"
    final: Annotated[
        Literal["divide", "extra_rounds"],
        FieldSpec(
            "20.3(a)(xi)",
            "{}",
            words=(
                ("divide", "they share the prizes equally."),
                ("extra_rounds", "they play extra rounds for their places."),
            ),
            must=True,
        ),
    ] = "divide"
    """After the final session, or with equal points: 20.3(a)(xi)(A) to (D)."""
    rounds: Annotated[
        int,
        FieldSpec(
            "20.3(a)(xi)(D)", "Extra rounds: {} at a time, everyone with equal chips.", unit="round/rounds", least=1
        ),
    ] = 1
    most: Annotated[
        int,
        FieldSpec(
            "20.3(a)(xi)(D)",
            "If {} of extra rounds leave players tied, a ballot decides who advances, and prizes are divided.",
            unit="set/sets",
            least=1,
        ),
    ] = 10
    eliminated_together: Annotated[
        Literal["chips_before", "equal"],
        FieldSpec(
            "20.18",
            "Players eliminated in the same round {}.",
            words=(
                ("chips_before", "rank by the chips they held before it"),
                ("equal", "share a place"),
            ),
        ),
    ] = "chips_before"


class Prizes(Part, frozen=True, kw_only=True):
    """Distribution of the prize pool."""

    shares: Annotated[
        tuple[Fraction, ...],
        FieldSpec("20.3(a)(x)", "Shares of the pool, from first place down: {}.", example='["50%", "30%", "20%"]'),
    ]
    """Together with the session prizes they add up to one. Unclaimed shares go to the other places in proportion."""
    odd_cents: Annotated[
        Literal["first", "last", "one_each"],
        FieldSpec(
            "20.19",
            "Leftover cents go {}.",
            words=(
                ("first", "to the highest place"),
                ("last", "to the lowest place paid at the end of the tournament"),
                ("one_each", "one each to the places, from first place down"),
            ),
        ),
    ] = "first"
    """Who gets leftover cents: the best placed, the last of those who share, or one each from the best placed down."""
    sessions_paid: Annotated[
        Literal["tournament", "session"],
        FieldSpec(
            "20.3(a)(ii)(D)",
            "The prizes of a session are awarded {}.",
            words=(
                ("tournament", "with the places of the tournament"),
                ("session", "when it ends, as a share of the prize pool of that moment, and are not taken back"),
            ),
        ),
    ] = "tournament"
    """When session prizes are awarded and can be paid; what is added to the pool later goes to the later prizes."""


class Conditions(Struct, frozen=True, kw_only=True):
    """The conditions of one tournament."""

    name: Annotated[str, FieldSpec("20.2(a)", "{}", example='"Spring Pontoon"')]
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
        FieldSpec("20.3(b)", "{}", example='"standard"'),
    ]
    """`standard` for our wording, or the operator's own."""
