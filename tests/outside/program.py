"""A program that uses the public API, as a user would write it: mypy and pyright check it strictly, from outside."""

from pontoon import (
    Action,
    CallNoMoreBets,
    DealCard,
    Hit,
    PlaceWager,
    Played,
    Refusal,
    Round,
    Shoe,
    Situation,
    Solver,
    Stand,
    Strategy,
    cents,
    decide,
    dollars,
    evolve,
    load,
    must_play,
    narrate,
    options,
    play,
    read_cards,
    refusal,
    settle,
    simulate,
    why,
)
from pontoon.environment import PontoonEnv, Seen, evaluate
from pontoon.library import edge


class Careful(Strategy):
    """Stands whenever it may."""

    def choose(self, situation: Situation) -> Action:
        if "keep" in situation.may:
            return "keep"
        return "stand" if "stand" in situation.may else "hit"


def policy(seen: Seen) -> str:
    """The same as a policy."""
    return "keep" if "keep" in seen.names else seen.names[0]


def main() -> None:
    """Use most of the front door."""
    state = must_play(Round(load("star")), PlaceWager(1, "Ann", cents("10")), CallNoMoreBets())
    state = must_play(state, *map(DealCard, read_cards("Ks 7d 9h")))
    if refusal(state, Stand(1)) is None and Stand(1) in options(state).allowed:
        events = decide(state, Stand(1))
        if not isinstance(events, Refusal):
            for event in events:
                state = evolve(state, event)
    played = play(state, Hit(1))
    print(narrate(state, played.events) if isinstance(played, Played) else why(played))
    print(Shoe(packs=8, seed=4).deal(state))
    settled = settle("examples/super-bonus.prt")
    print({player: dollars(net) for player, net in settled.net.items()}, settled.house)
    for decision in Solver("star", packs=8, stake="10").action_values(("8s", "8h"), "7d"):
        print(decision.action, decision.value)
    result = simulate("star", Careful(), rounds=10_000, packs=8)
    print(result.ev, result.standard_error, edge("star").house_edge, result.rows()[0])
    observation, info = PontoonEnv("star").reset(seed=1)
    print(observation, info, evaluate(policy, "star").regret)


if __name__ == "__main__":
    main()
