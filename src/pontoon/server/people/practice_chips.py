"""Practice chips: what is played for at lesson and practice tables, separate from the wallet and refilled freely."""

from __future__ import annotations

from pontoon.engine import PlaceWager
from pontoon.ledger import practice
from pontoon.server.house import House
from pontoon.server.operation.policy_checks import command_refused
from pontoon.server.people.people import FIRST_CHIPS, LEAST_CHIPS, Account, ChipsGiven
from pontoon.server.problems import Problem, problem
from pontoon.server.rooms.actors import Actor
from pontoon.server.rooms.commands import Asked
from pontoon.server.rooms.settings import Settings


async def command(house: House, actor: Actor, room: str, asked: Asked, key: str, seen: int | None) -> int | Problem:
    """Give a room a command that the house policy allows; a player short of practice chips gets new ones first."""
    live = await house.live(room)
    settings = live.room.state.settings if live is not None else None
    if settings is not None and isinstance(asked, PlaceWager) and plays_for_wallets(settings):
        return problem("old_practice_table")
    no = command_refused(house.people, actor, settings, asked, house.clock.wall()) if settings is not None else None
    answer = no or await house.command(actor, room, asked, key, seen)
    short = isinstance(answer, Problem) and answer.code == "not_enough_chips"
    if not short or settings is None or not settings.own_chips or not await refill(house, actor.name):
        return answer
    return await house.command(actor, room, asked, key, seen)


def plays_for_wallets(settings: Settings) -> bool:
    """Whether this is a practice table of version 0.1.0: it is still shown, but takes no more wagers."""
    return settings.practice and not settings.own_chips


async def refill(house: House, name: str, below: int = FIRST_CHIPS) -> bool:
    """Bring a person's practice chips up to the first amount; False if they have `below` or more."""
    account: Account | None = house.people.find(name)
    has = await house.read(lambda: house.store.balance(practice(name)))
    if account is None or has >= below:
        return False
    entry = await house.say_of(account.name, ChipsGiven(account.name, FIRST_CHIPS - has, practice=True))
    return not isinstance(entry, Problem)


async def arrived(house: House, name: str, room: str) -> None:
    """Give a person who comes to a practice table chips to begin with."""
    live = house.lives.get(room)
    if live is not None and live.room.state.settings.own_chips:
        await refill(house, name, LEAST_CHIPS)
