"""What a client knows: the last view, the wallet, the log; updated by frames, read by everything that is shown."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pontoon.rulebook import Clauses
from pontoon.server.rooms.frames import (
    Frame,
    NoticeFrame,
    RoomView,
    SnapshotFrame,
    StepFrame,
    WalletFrame,
    WelcomeFrame,
)
from pontoon.terminal.bets import MOST_BOXES
from pontoon.view.catalogue.formats import money
from pontoon.view.events import cited
from pontoon.view.sign import sign_words
from pontoon.view.table_parts import BoxView, ChoiceView, HandView, LimitsView, RoundView, TableView

REMEMBERED = 500


class Said(Struct, frozen=True):
    """Something that happened, in words and with its clauses."""

    words: str
    clauses: Clauses = ()
    kind: str = ""
    facts: dict[str, Any] = {}

    @property
    def text(self) -> str:
        return cited(self.words, self.clauses)


class Model:
    """The table as one player sees it."""

    def __init__(self, me: str, boxes: Sequence[int] = (), *, local: bool = True) -> None:
        """`boxes` are those the person plays; without any it is the box of the seat."""
        self.me = me
        self.local = local
        self.room: RoomView | None = None
        self.view: TableView | None = None
        self.version = 0
        self._chips = (0, 0)
        self.net = 0
        """Result of this session."""
        self.rounds = 0
        self.log: deque[Said] = deque(maxlen=REMEMBERED)
        self.last: RoundView | None = None
        """The last settled round, shown until the next begins."""
        self.stuck: Said | None = None
        """Why the dealer cannot continue."""
        self._boxes = tuple(boxes)
        self._moment: object = None
        self._since = 0.0

    # --- taking frames ---

    def take(self, frame: Frame) -> list[Said]:
        """Apply one frame; returns the lines to print."""
        match frame:
            case SnapshotFrame():
                self._see(frame.room, frame.view, frame.version)
                if frame.left:
                    self._since = time.monotonic() - (frame.room.clock - frame.left) / 1000
            case StepFrame():
                self._see(frame.room, frame.view, frame.version)
                said = [Said(event.words, event.clauses, event.type, event.facts) for event in frame.events]
                for line in said:
                    self._count(line)
                self.log.extend(line for line in said if line.words)
                return said
            case WalletFrame() | WelcomeFrame():
                self._chips = (frame.wallet, frame.practice)
            case NoticeFrame(words=words, clauses=clauses):
                notice = Said(words, clauses, "Notice")
                self.log.append(notice)
                self.stuck = notice if self.room is not None and self.room.waits == "wagers" else None
                return [notice]
            case _:
                pass
        return []

    def _see(self, room: RoomView, view: TableView, version: int) -> None:
        self.room, self.view, self.version, self.stuck = room, view, version, None
        if view.round is not None and view.round.stage == "ended":
            self.last = view.round
        moment = (room.waits, room.players, view.number, view.round.turn if view.round else None, bool(self.betting))
        if moment != self._moment:
            self._moment, self._since = moment, time.monotonic()

    def _count(self, said: Said) -> None:
        if said.kind == "RoundKept":
            for player, _, net in said.facts["players"]:
                if player == self.me:
                    self.net += net
                    self.rounds += 1

    @property
    def wallet(self) -> int:
        """The chips to play with: at a practice table the practice chips."""
        own, practice = self._chips
        return practice if self.room is not None and self.room.own_chips else own

    # --- the moment ---

    @property
    def asked(self) -> str:
        """What the table is waiting for from the player: wagers, cut, decision, offer, join; empty for nothing."""
        room = self.room
        if room is None or room.paused or self.me in room.passed:
            return ""
        return room.waits if room.waits == "wagers" or self.me in room.players else ""

    @property
    def betting(self) -> bool:
        """Wagers are open."""
        return self.room is not None and self.room.waits == "wagers" and not self.room.paused

    @property
    def choices(self) -> list[ChoiceView]:
        """The player's allowed and refused actions by box, the current box first."""
        state = self.view.round if self.view is not None else None
        if state is None:
            return []
        mine = [choice for choice in state.choices if choice.player == self.me]
        return sorted(mine, key=lambda held: state.turn is None or held.box != state.turn[0])

    @property
    def shown(self) -> RoundView | None:
        """The round to show: the one in progress, or the last settled one."""
        now = self.view.round if self.view is not None else None
        return now if now is not None and now.boxes else self.last

    @property
    def is_over(self) -> bool:
        """Whether the round shown is settled."""
        return self.shown is not None and self.shown.stage == "ended"

    @property
    def in_round(self) -> bool:
        """Cards are out, and the person has chips on them."""
        state = self.view.round if self.view is not None else None
        if self.view is None or state is None or self.view.phase not in ("round", "collect"):
            return False
        return any(bettor.player == self.me for box in state.boxes for bettor in box.bettors)

    @property
    def boxes(self) -> tuple[int, ...]:
        """The boxes the person plays."""
        return self._boxes or ((self.seat,) if self.seat else self.free[:1])

    @property
    def seat(self) -> int:
        """The box the person sits at; 0 without a seat."""
        seats = self.view.seats if self.view is not None else ()
        return next((seat.box for seat in seats if seat.player == self.me), 0)

    @property
    def free(self) -> tuple[int, ...]:
        """Free boxes."""
        taken = {seat.box for seat in self.view.seats} if self.view is not None else set()
        return tuple(box for box in range(1, MOST_BOXES + 1) if box not in taken)

    @property
    def staked(self) -> int:
        """Cents on the table in an unfinished round; they are returned if the round does not count."""
        state = self.view.round if self.view is not None else None
        if state is None or state.stage == "ended":
            return 0
        main = 0
        for box in state.boxes:
            if not box.hands:
                main += sum(bettor.stake for bettor in box.bettors if bettor.player == self.me)
            wagers = [wager for hand in box.hands for wager in hand.wagers if wager.player == self.me]
            main += sum(wager.stake + wager.double for wager in wagers if not wager.settled)
        return main + sum(
            side_bet.stake for side_bet in state.side if side_bet.player == self.me and not side_bet.settled
        )

    @property
    def seconds_left(self) -> int:
        """Time until the program moves on without the players it waits for; -1 without a clock."""
        if self.room is None or not self.room.clock or self.local:
            return -1
        return max(0, int(self.room.clock / 1000 - (time.monotonic() - self._since) + 0.999))

    def in_turn(self) -> tuple[BoxView, HandView] | None:
        """Box and hand in play."""
        state = self.view.round if self.view is not None else None
        if state is None or state.turn is None:
            return None
        box = next((box for box in state.boxes if box.number == state.turn[0]), None)
        return (box, box.hands[state.turn[1] - 1]) if box is not None and box.hands else None

    def place(self) -> str:
        """Where the hand in play lies; the number of the hand only where the box has several."""
        now = self.in_turn()
        if now is None or self.view is None or self.view.round is None or self.view.round.turn is None:
            return ""
        number, hand = self.view.round.turn
        return f"box {number}.{hand}" if len(now[0].hands) > 1 else f"box {number}"

    def moment(self) -> str:
        """The current situation in words."""
        room, view = self.room, self.view
        if room is None or view is None:
            return "One moment…"
        if room.paused:
            return f"The game is held: {room.paused}"
        mine = bool(self.asked)
        others = ", ".join(player for player in room.players if player != self.me)
        state, now = view.round, self.in_turn()
        match room.waits:
            case "wagers":
                return f"Wagers are open, {limits_words(view)}" if mine else "No more wagers from you"
            case "decision":
                hand = now[1].words if now is not None else ""
                return f"Your decision: {self.place()}, {hand}" if mine else f"{others} decides, {self.place()}"
            case "offer":
                offer = state.offer if state is not None else "an offer"
                return f"You are asked: {offer}" if mine else f"{others} is asked: {offer}"
            case "join":
                joining = state.joining if state is not None else ""
                who = "You" if mine else others
                return f"{who} may join the {joining}, {self.place()}"
            case "cut":
                return "You may cut the cards" if mine else f"{others} may cut the cards"
            case _:
                return "The table is closed" if view.phase == "closed" else "The dealer deals"


def limits_words(view: TableView) -> str:
    """The text of the sign."""
    return sign_words(view.limits, money)


def side_words(view: TableView) -> str:
    """The side bets with their limits, as the sign shows them; empty if there are none."""
    offers = (
        f"{offer.title} {sign_words(LimitsView(offer.minimum, offer.maximum), money)}"
        if offer.minimum or offer.maximum
        else offer.title
        for offer in view.cloth.side
    )
    return "; ".join(offers)
