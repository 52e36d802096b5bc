"""Decide a tournament command: a draft entry for its stream, or a problem for the sender. Pure."""

from __future__ import annotations

import secrets
from typing import Any

from msgspec.structs import replace

from pontoon import rulebook
from pontoon.engine import Refusal
from pontoon.ledger import Posting, netted
from pontoon.server.problems import Problem, problem, refused
from pontoon.server.rooms.actors import Actor
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
    read_body,
    write_body,
)
from pontoon.server.tournaments.permits import Verdict, verdict
from pontoon.store.model import Draft, Entry
from pontoon.table.shuffle import seed_hash
from pontoon.tournament import commands as c
from pontoon.tournament import decide, options, postings, refusal
from pontoon.tournament.conditions.load import digest
from pontoon.tournament.conditions.round_rulebook import book_of
from pontoon.tournament.conditions.values import Conditions
from pontoon.tournament.events import TournamentEvent
from pontoon.tournament.state import Tournament

SEED = 32
WAITS = (c.Disqualify, c.Substitute, c.CorrectChips, c.Reinstate, c.Cancel)
"""Commands that move chips held at the tables: during a session they take effect only between rounds."""
OWN = (c.Enter, c.TakeSeat, c.BuyBack, c.Appeal)
"""Commands that players give for themselves."""
_TIMES = ("now", "until_start", "unannounced")
"""Fields of commands that the server sets."""


def new_seed() -> str:
    """A random seed for all ballots of a tournament."""
    return secrets.token_bytes(SEED).hex()


def make_draft(tournament: str, conditions: Conditions, text: str, actor: Actor, key: str) -> Draft:
    """The first entry of a tournament, including the generated ballot seed, which stays secret."""
    book = book_of(conditions.game)
    made = TournamentMade(
        tournament, text, digest(conditions), actor.name, rulebook.digest(book), rulebook.canonical(book)
    )
    events = (made, BallotSeedKept(new_seed()))
    return Draft(actor.name, write_body(Body(actor.role, MakeTournament(), events)), key)


def postings_of(tournament: str, events: tuple[Happening, ...]) -> tuple[Posting, ...]:
    """The postings of these events; counted chips were already moved by the tables' postings."""
    return netted(
        posting
        for event in events
        if isinstance(event, TournamentEvent)
        for posting in postings(tournament, event, counts=False)
    )


def _drafted(hosted: Hosted, actor: Actor, did: c.TournamentCommand, key: str, events: tuple[Happening, ...]) -> Draft:
    return Draft(actor.name, write_body(Body(actor.role, did, events)), key, postings_of(hosted.id, events))


# --- commands ------------------------------------------------------------------------------------------


def ask(
    hosted: Hosted, actor: Actor, command: c.TournamentCommand, key: str, seen: int | None = None
) -> Draft | Problem:
    """Check the sender's permission, then decide the command."""
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
    """Whether this user may give this command in this tournament."""
    about = getattr(command, "player", "") if isinstance(command, OWN) else ""
    return verdict(type(command).__name__, actor, hosted.state.director, about)


def decided_by(hosted: Hosted, actor: Actor, signed: c.TournamentCommand) -> tuple[Happening, ...] | Refusal:
    """The events of a command; a ruling about chips in play is deferred to the end of the round."""
    if waits(hosted.state, actor.name, signed):
        no = refusal(hosted.state, signed)
        return no if no is not None else (RulingWaits(hosted.ruled + 1, signed),)
    return decide(hosted.state, signed)


def waits(state: Tournament, by: str, command: c.TournamentCommand) -> bool:
    """Whether a command must wait until no round is in progress; the steward has already checked this."""
    return isinstance(command, WAITS) and state.phase == "session" and by != STEWARD


def _signed(hosted: Hosted, actor: Actor, command: c.TournamentCommand) -> c.TournamentCommand:
    """The command with the sender's name and the server's ballot seed; a seed from the client is ignored."""
    match command:
        case c.Enter():
            return replace(command, player=command.player or actor.name, eligible=True)
        case c.BuyBack():
            return replace(command, player=actor.name)
        case c.TakeSeat(player="") | c.Appeal(player=""):
            return replace(command, player=actor.name)
        case c.NominateDirector():
            return replace(command, by=actor.name)
        case c.CommitBallot():
            return replace(command, seed_hash=seed_hash(bytes.fromhex(hosted.seed)))
        case c.DrawBallot() | c.DrawLots() | c.RevealBallot() | c.EnterLate() | c.Reinstate():
            return replace(command, seed=hosted.seed)
        case _:
            return command


def same_command(hosted: Hosted, entry: Entry, actor: Actor, command: c.TournamentCommand) -> bool:
    """Whether an entry was written for this command of this actor; times are the server's own."""
    did, wanted = read_body(entry.body).did, _signed(hosted, actor, command)
    if type(did) is not type(wanted):
        return False
    times = {name: getattr(did, name) for name in _TIMES if hasattr(did, name)}
    return bool(did == replace(wanted, **times))


def taken(hosted: Hosted, waiting: Waiting) -> Draft:
    """Apply a deferred ruling, or drop it if it is no longer possible."""
    events = taken_events(hosted.state, waiting)
    return _drafted(hosted, Actor(STEWARD, "tournament_director"), waiting.command, f"ruling {waiting.number}", events)


def taken_events(state: Tournament, waiting: Waiting) -> tuple[Happening, ...]:
    """The events of a deferred ruling."""
    decided = decide(state, waiting.command)
    if isinstance(decided, Refusal):
        return (RulingDropped(waiting.number, decided.code),)
    return (RulingTaken(waiting.number), *decided)


# --- allowed commands ----------------------------------------------------------------------------------


def may(hosted: Hosted, actor: Actor) -> tuple[str, ...]:
    """The names of the commands this user may give now, as far as that is known without their values."""
    now = options(hosted.state)
    names = [*map(_named, now.allowed), *now.needs]
    own: dict[str, Any] = {
        type(command).__name__: command for command in now.allowed if getattr(command, "player", "") == actor.name
    }
    found: list[str] = []
    for name in dict.fromkeys(names):
        directs = name == "Enter" and actor == Actor(hosted.state.director, "tournament_director")
        who = f"not {actor.name}" if directs else actor.name
        if name == "Enter" and refusal(hosted.state, c.Enter(who, agreed=True)) is not None:
            continue
        if name == "Appeal" and not _may_appeal(hosted.state, actor):
            continue
        about = getattr(own.get(name), "player", "") if name in own else who if directs else _subject(name, actor)
        if verdict(name, actor, hosted.state.director, about) == "allowed":
            found.append(name)
    return tuple(found)


def _may_appeal(state: Tournament, actor: Actor) -> bool:
    """Whether the actor has entered, or records the appeals of those who have."""
    directs = actor == Actor(state.director, "tournament_director")
    return directs or refusal(state, c.Appeal(actor.name, "?")) is None


def _named(command: c.TournamentCommand) -> str:
    return type(command).__name__


def _subject(name: str, actor: Actor) -> str:
    """The player a sample command concerns: another player for seats and buy-backs, otherwise nobody."""
    return f"not {actor.name}" if name in ("TakeSeat", "BuyBack") else ""
