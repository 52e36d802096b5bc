"""What a command leads to in a tournament: a draft for its stream, or a problem for the sender. Pure."""

from __future__ import annotations

import secrets
from typing import Any

from msgspec.structs import replace

from pontoon import rulebook
from pontoon.engine import Refusal
from pontoon.ledger import Posting, netted
from pontoon.server.capacity import Actor
from pontoon.server.problems import Problem, problem, refused
from pontoon.server.tournaments.heat import STEWARD
from pontoon.server.tournaments.hosted import Hosted, Waiting
from pontoon.server.tournaments.log import (
    BallotSeedKept,
    Body,
    Happening,
    MakeTournament,
    RulingDropped,
    RulingTaken,
    RulingWaits,
    TournamentMade,
    write_body,
)
from pontoon.server.tournaments.permits import Verdict, verdict
from pontoon.store.model import Draft
from pontoon.table.shuffle import seed_hash
from pontoon.tournament import commands as c
from pontoon.tournament import decide, options, postings, refusal
from pontoon.tournament.conditions import Conditions
from pontoon.tournament.dealt_by import book_of
from pontoon.tournament.events import TournamentEvent
from pontoon.tournament.load import digest
from pontoon.tournament.state import Tournament

SEED = 32
WAITS = (c.Disqualify, c.Substitute, c.Cancel)
"""They move chips the tables have: while a session runs they take effect when no round is on."""


def new_seed() -> str:
    """A seed for all ballots of a tournament, from the operating system."""
    return secrets.token_bytes(SEED).hex()


def make_draft(tournament: str, conditions: Conditions, text: str, actor: Actor, key: str) -> Draft:
    """The first entry of a tournament; the seed of its ballots is made here and stays here."""
    book = book_of(conditions.game)
    made = TournamentMade(
        tournament, text, digest(conditions), actor.name, rulebook.digest(book), rulebook.canonical(book)
    )
    events = (made, BallotSeedKept(new_seed()))
    return Draft(actor.name, write_body(Body(actor.role, MakeTournament(), events)), key)


def postings_of(tournament: str, events: tuple[Happening, ...]) -> tuple[Posting, ...]:
    """What all these events move; the tables' own postings have moved what is counted."""
    return netted(
        one
        for event in events
        if isinstance(event, TournamentEvent)
        for one in postings(tournament, event, counts=False)
    )


def _drafted(hosted: Hosted, actor: Actor, did: c.TournamentCommand, key: str, events: tuple[Happening, ...]) -> Draft:
    return Draft(actor.name, write_body(Body(actor.role, did, events)), key, postings_of(hosted.id, events))


# --- asking --------------------------------------------------------------------------------------------


def ask(
    hosted: Hosted, actor: Actor, command: c.TournamentCommand, key: str, seen: int | None = None
) -> Draft | Problem:
    """A command from somebody: may they, and what the tournament says."""
    given = permitted(hosted, actor, command)
    if given != "allowed":
        name = type(command).__name__
        return problem(given, role=actor.role, command=name)
    if seen is not None and seen > hosted.version:
        return problem("stale", version=seen, current=hosted.version)
    signed = _signed(hosted, actor, command)
    decided = decided_by(hosted, actor, signed)
    return refused(decided) if isinstance(decided, Refusal) else _drafted(hosted, actor, signed, key, decided)


def permitted(hosted: Hosted, actor: Actor, command: c.TournamentCommand) -> Verdict:
    """Whether this person may give this command in this tournament."""
    about = getattr(command, "player", "") if isinstance(command, c.Enter | c.TakeSeat | c.BuyBack) else ""
    return verdict(type(command).__name__, actor, hosted.state.director, about)


def decided_by(hosted: Hosted, actor: Actor, signed: c.TournamentCommand) -> tuple[Happening, ...] | Refusal:
    """The events of a command; a ruling about chips in play waits for the end of the round."""
    if waits(hosted.state, actor.name, signed):
        no = refusal(hosted.state, signed)
        return no if no is not None else (RulingWaits(hosted.ruled + 1, signed),)
    return decide(hosted.state, signed)


def waits(state: Tournament, by: str, command: c.TournamentCommand) -> bool:
    """Whether a command takes effect only when no round is on; the steward knows that none is."""
    return isinstance(command, WAITS) and state.phase == "session" and by != STEWARD


def _signed(hosted: Hosted, actor: Actor, command: c.TournamentCommand) -> c.TournamentCommand:
    """The command with its giver's name; the seed of the ballots is ours to add, whatever it said."""
    match command:
        case c.Enter():
            return replace(command, player=actor.name, eligible=True)
        case c.BuyBack():
            return replace(command, player=actor.name)
        case c.TakeSeat(player=""):
            return replace(command, player=actor.name)
        case c.NominateDirector():
            return replace(command, by=actor.name)
        case c.CommitBallot():
            return replace(command, seed_hash=seed_hash(bytes.fromhex(hosted.seed)))
        case c.DrawBallot() | c.DrawLots() | c.RevealBallot():
            return replace(command, seed=hosted.seed)
        case _:
            return command


def taken(hosted: Hosted, waiting: Waiting) -> Draft:
    """A ruling that waited takes effect, or cannot be made any more."""
    events = taken_events(hosted.state, waiting)
    return _drafted(hosted, Actor(STEWARD, "tournament_director"), waiting.command, f"ruling {waiting.number}", events)


def taken_events(state: Tournament, waiting: Waiting) -> tuple[Happening, ...]:
    """What becomes of a ruling that waited."""
    decided = decide(state, waiting.command)
    if isinstance(decided, Refusal):
        return (RulingDropped(waiting.number, decided.code),)
    return (RulingTaken(waiting.number), *decided)


# --- what may be done now ------------------------------------------------------------------------------


def may(hosted: Hosted, actor: Actor) -> tuple[str, ...]:
    """The names of the commands this person may give now, as far as that can be told without their values."""
    now = options(hosted.state)
    names = [*map(_named, now.allowed), *now.needs]
    own: dict[str, Any] = {type(one).__name__: one for one in now.allowed if getattr(one, "player", "") == actor.name}
    found: list[str] = []
    for name in dict.fromkeys(names):
        if name == "Enter" and refusal(hosted.state, c.Enter(actor.name, agreed=True)) is not None:
            continue
        about = getattr(own.get(name), "player", "") if name in own else _somebody(name, actor)
        if verdict(name, actor, hosted.state.director, about) == "allowed":
            found.append(name)
    return tuple(found)


def _named(command: c.TournamentCommand) -> str:
    return type(command).__name__


def _somebody(name: str, actor: Actor) -> str:
    """A seat or a buy-back that is somebody else's; everything else is about nobody."""
    return f"not {actor.name}" if name in ("TakeSeat", "BuyBack") else ""
