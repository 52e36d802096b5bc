"""A bot that makes a table on a server, plays some rounds of it and leaves.

pontoon serve                                            # in another terminal
python examples/python/server_bot.py [URL] [ROUNDS]
"""

import sys

from pontoon import Command, Hit, PlaceWager, Stand, cents, dollars
from pontoon.client import Client, LiveTable
from pontoon.table.commands import Leave, Sit

BOX, STAKE = 1, cents("10.00")
FAST = {"card": 1, "wagers": 60_000, "decision": 60_000, "offer": 60_000}


def decide(table: LiveTable) -> Command:
    """Draw to 17 with what the server says is allowed."""
    allowed = {type(command): command for command in table.allowed}
    state = table.view.round if table.view else None
    assert state is not None
    assert state.turn is not None
    box, hand = state.turn
    total = next(seat for seat in state.boxes if seat.number == box).hands[hand - 1].total
    return allowed[Stand] if total >= 17 and Stand in allowed else allowed[Hit]


def play_rounds(table: LiveTable, rounds: int) -> int:
    """Play this many rounds; returns the result in cents."""
    net = played = 0
    for frame in table:
        for event in frame.events:
            if event.type == "RoundKept":
                net += sum(won for player, _, won in event.facts["players"] if player == table.me)
                played += 1
                print(event.words)
        if table.asked == "wagers" and played >= rounds:
            return net
        match table.asked:
            case "":
                pass
            case "wagers":
                table.must(PlaceWager(BOX, "", STAKE))
                table.must("Pass")  # no more wagers from us: the dealer may begin
            case "decision":
                table.must(decide(table))
            case _:  # insurance, surrender, joining, the cut
                table.must("Pass")
    raise AssertionError


def main() -> None:
    client = Client(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8048")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    client.sign_in("Robot")
    with client.watch(client.make_table(rulebook="star", clocks=FAST)) as table:
        table.must(Sit("", BOX))
        net = play_rounds(table, rounds)
        table.must(Leave(""))
    print(f"{client.name}: {rounds} rounds, {dollars(net)}")


if __name__ == "__main__":
    main()
