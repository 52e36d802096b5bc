"""Play one round by hand: a wager, cards from a seeded shoe, decisions, and what happened in words.

python examples/python/play_a_round.py [SEED]
"""

import sys

from pontoon import (
    CallNoMoreBets,
    CloseOffer,
    Command,
    Hit,
    PlaceWager,
    Refusal,
    Round,
    Shoe,
    Stand,
    cents,
    dollars,
    load,
    narrate,
    options,
    play,
)


def decide(state: Round) -> Command:
    """Draw to 17; decline everything that is offered."""
    now = options(state)
    if now.waits_for != "decision":
        return CloseOffer()
    box = next(box for box in state.boxes if box.number == now.box)
    stands = now.may(Stand) and box.hands[now.hand - 1].total >= 17
    return Stand(now.box) if stands else Hit(now.box)


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    shoe = Shoe(packs=8, seed=seed)
    state = Round(load("star"))
    commands: list[Command] = [PlaceWager(1, "Ann", cents("10.00")), CallNoMoreBets()]
    while state.phase != "ended":
        command = commands.pop(0) if commands else shoe.next_command(state) or decide(state)
        played = play(state, command)
        if isinstance(played, Refusal):  # a value: a code, the clauses, the facts
            raise SystemExit(f"{command}: {played.code} {played.clauses}")
        for line in narrate(state, played.events):
            print(line)
        state = played.state
    print(f"Ann: {dollars(sum(payment.net for payment in state.settlements))}")


if __name__ == "__main__":
    main()
