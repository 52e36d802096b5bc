"""The log of a simulated evening, read entry by entry and compared with the house that wrote it."""

from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from pontoon.ledger import BANK, Posting, at_table, netted, table_postings, wallet
from pontoon.server import commands as r
from pontoon.server.log import BotSeated, RoundKept
from pontoon.server.room import Happened, Room
from pontoon.server.wire import KEPT, kept
from pontoon.store import Entry
from pontoon.table import commands as c
from pontoon.table.events import (
    CardsChanged,
    RoundBegan,
    RoundReconstructed,
    ShoeCommitted,
    ShoeRevealed,
    TableClosed,
    TableEvent,
    TableOpened,
)
from pontoon.table.state import Table
from tests.server.crowd import Crowd

COMMANDS = 1000


class _Did(Struct):
    role: str
    did: KEPT


_DID = msgspec.json.Decoder(_Did)


def did_in(entry: Entry) -> c.TableCommand | r.RoomCommand:
    """The command an entry stands for."""
    return kept(_DID.decode(entry.body).did)


def name_of(command: object) -> str:
    """A command as it is counted: what is inside a round by its own name."""
    return type(command.command if isinstance(command, c.Play) else command).__name__


class Auditor:
    """Folds the log of one room from its first entry and checks each event."""

    def __init__(self, room: str) -> None:
        self.room = Room(room)
        self.began: dict[int, int] = {}
        """The rounds that have begun and are not over, with their versions."""
        self.kept: set[int] = set()
        self.committed = False
        self.lost = ""
        """The known bug that left chips in escrow."""

    def follow(self, entry: Entry) -> None:
        """Check one more entry."""
        moved: list[Posting] = []
        for one in self.room.follow(entry):
            part = self._moved(one)
            assert sum(posting.amount for posting in part) == 0, one.event
            moved += part
            self._look(one)
        if moved or entry.postings:
            assert _by_owner(netted(moved)) == _by_owner(entry.postings), entry
        assert _conserved(self.room.state.table), entry

    def _moved(self, one: Happened) -> tuple[Posting, ...]:
        if isinstance(one.event, BotSeated):
            return Posting(BANK, -one.event.chips), Posting(wallet(one.event.player), one.event.chips)
        return at_table(self.room.id, table_postings(one.event)) if isinstance(one.event, TableEvent) else ()

    def _look(self, one: Happened) -> None:
        match one.event:
            case RoundBegan(number=number):
                assert not self.began, one.event
                self.began[number] = 1
            case RoundKept(number=number, players=players):
                del self.began[number]
                assert number not in self.kept
                self.kept.add(number)
                assert players or one.event.void, one.event
            case TableClosed():
                self.began.clear()
                if one.before.round is not None and one.before.round.side:
                    self.lost = "closed_over_side"
            case RoundReconstructed(returns=returns):
                boxes = {box.number for box in Crowd.boxes(one.before)}
                if any(box not in boxes for _, box, _, _ in returns):
                    self.lost = "void_side_again"
            case ShoeCommitted():
                assert not self.committed, "the shoe before this one was never revealed"
                self.committed = True
            case ShoeRevealed() | CardsChanged() | TableOpened():
                self.committed = False
            case _:
                pass

    def end(self) -> None:
        """Final checks after the last entry."""
        table = self.room.state.table
        assert list(self.began) == ([] if table.round is None else [table.number]), (self.began, table.number)


def _by_owner(postings: Sequence[Posting]) -> Counter[str]:
    """Debts offset balances: both belong to the player."""
    sums: Counter[str] = Counter()
    for one in postings:
        sums[one.account.replace("receivable/", "wallet/")] += one.amount
    return Counter({account: amount for account, amount in sums.items() if amount})


def _conserved(table: Table) -> bool:
    """No card is lost or added."""
    shoe = table.shoe
    if not shoe.left and not shoe.discards and not shoe.hidden_discards:
        return True  # new cards that were not shuffled yet
    count = shoe.left + len(shoe.discards) + shoe.hidden_discards + len(table.on_layout)
    return count == table.size
