"""The log of a simulated evening, read entry by entry and compared with the house that wrote it."""

from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from pontoon.ledger import BANK, Posting, at_table, in_practice_chips, netted, table_postings, wallet
from pontoon.server.rooms import commands as r
from pontoon.server.rooms.log import BotSeated, CardUndone, ChipsMoved, PaymentNoted, RoundKept
from pontoon.server.rooms.room import Happened, Room
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
    """The command of an entry."""
    return kept(_DID.decode(entry.body).did)


def name_of(command: object) -> str:
    """The name under which a command is counted; commands of the round by their inner name."""
    return type(command.command if isinstance(command, c.Play) else command).__name__


class Auditor:
    """Folds the log of one room from its first entry and checks each event."""

    def __init__(self, room: str) -> None:
        self.room = Room(room)
        self.began: dict[int, int] = {}
        """Rounds in progress, with their versions."""
        self.kept: set[int] = set()
        self.committed = False
        self.lost = ""
        """The known bug that left chips in escrow."""
        self.dealt: list[tuple[Posting, ...]] = []
        """What each card dealt by a person moved, while it can be taken back."""
        self.tray: int | None = None
        """What the tray of a floor table holds, once a float was counted in."""

    def apply(self, entry: Entry) -> None:
        """Check the next entry."""
        moved: list[Posting] = []
        for happened in self.room.apply(entry):
            part = self._moved(happened)
            assert sum(posting.amount for posting in part) == 0, happened.event
            moved += part
            self._look(happened)
        if self.room.state.settings.own_chips:
            moved = in_practice_chips(moved)
        if moved or entry.postings:
            assert _by_owner(netted(moved)) == _by_owner(entry.postings), entry
        self._count(entry)
        assert _conserved(self.room.state.table), entry

    def _moved(self, one: Happened) -> tuple[Posting, ...]:
        if isinstance(one.event, BotSeated):
            return Posting(BANK, -one.event.chips), Posting(wallet(one.event.player), one.event.chips)
        if isinstance(one.event, CardUndone):
            return tuple(Posting(posting.account, -posting.amount) for posting in self.dealt.pop())
        if isinstance(one.event, ChipsMoved | PaymentNoted):
            return self._chips(one.event)
        return at_table(self.room.id, table_postings(one.event)) if isinstance(one.event, TableEvent) else ()

    def _chips(self, event: ChipsMoved | PaymentNoted) -> tuple[Posting, ...]:
        """The accounts between which chips and cash move."""
        tray, house = f"float/{self.room.id}", f"house/{self.room.id}"
        player, over = wallet(event.player), f"difference/{self.room.id}"
        if isinstance(event, PaymentNoted):
            return _pairs((house, player, event.paid - event.due))
        ways = {
            "opening": (("cage", tray, event.amount),),
            "fill": (("cage", tray, event.amount),),
            "credit": ((tray, "cage", event.amount),),
            "buy_in": ((tray, player, event.amount), ("cash", f"drop/{self.room.id}", event.amount)),
            "cash_out": ((player, "cage", event.amount),),
        }
        return _pairs(*ways.get(event.kind, ((over, tray, event.amount - event.due),)))

    def _count(self, entry: Entry) -> None:
        """The tray holds what was brought and what the house has won since it was counted."""
        did, tray = did_in(entry), self.room.state.floor.tray
        mine = {f"{kind}/{self.room.id}" for kind in ("float", "house", "practice_house")}
        if isinstance(did, r.MoveChips) and did.kind == "opening" and self.tray is None:
            self.tray = 0
        if self.tray is not None:
            self.tray += sum(posting.amount for posting in entry.postings if posting.account in mine)
        assert tray == self.tray, entry
        if isinstance(did, c.Deal):
            self.dealt.append(entry.postings)

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


def _pairs(*ways: tuple[str, str, int]) -> tuple[Posting, ...]:
    """Two postings for each transfer from one account to another."""
    return tuple(
        posting for here, there, amount in ways for posting in (Posting(here, -amount), Posting(there, amount))
    )


def _by_owner(postings: Sequence[Posting]) -> Counter[str]:
    """Debts offset balances: both belong to the player."""
    sums: Counter[str] = Counter()
    for posting in postings:
        account = posting.account.replace("receivable/", "wallet/").replace("practice_bank/", "practice/")
        sums[account] += posting.amount
    return Counter({account: amount for account, amount in sums.items() if amount})


def _conserved(table: Table) -> bool:
    """No card is lost or added."""
    shoe = table.shoe
    if not shoe.left and not shoe.discards and not shoe.hidden_discards:
        return True  # new cards not yet shuffled
    count = shoe.left + len(shoe.discards) + shoe.hidden_discards + len(table.on_layout)
    return count == table.size
