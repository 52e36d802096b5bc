"""The Gymnasium environment: gymnasium's own checks, and the same results as the engine for the same cards."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from pontoon.cards import PACK, Card
from pontoon.engine import CallNoMoreBets, DealCard, PlaceWager, Round, must_play
from pontoon.environment import ACTIONS, COLUMNS, IDS, PHASES, PontoonEnv, flat, legal
from pontoon.environment.box import INSURANCE, INSURE, KEEP, PAID, RESPLITTING, SPLIT, Play, allowed
from pontoon.rulebook import NAMES, Rulebook, load
from pontoon.strategy import Action, Situation, Strategy, answer
from pontoon.strategy.situation import ranks_key

OPTIONS: list[dict[str, Any]] = [
    {},
    {"observation": "flat", "discards": "ranks", "penetration": 0.75},
    {"bets": (1, 2, 4), "penetration": 0.5, "discards": "number", "packs": 4},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", IDS)
def test_gymnasium_finds_no_fault(name, options):
    env = gymnasium.make(f"pontoon.environment:{name}", render_mode="rgb_array", **options)
    check_env(env.unwrapped)


class Lots(Strategy):
    """A random but fixed decision for everything a strategy may distinguish."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, situation: Situation) -> Action:
        kind = (self.seed, ranks_key(situation.cards), situation.dealer[0], situation.split, situation.doubled)
        return random.Random(repr(kind)).choice(sorted(situation.may - {"surrender"} or {"keep"}))

    def insures(self, cards: tuple[Card, ...], dealer: Card) -> bool:  # noqa: ARG002
        return random.Random(repr((self.seed, ranks_key(cards)))).random() < 0.5


def engine_round(rules: Rulebook, strategy: Strategy, cards: list[Card]) -> tuple[int, int]:
    """Cards used and cents won when a strategy answers the engine itself."""
    state = must_play(Round(rules), PlaceWager(1, "Ann", 1000), CallNoMoreBets())
    while state.phase != "ended":
        state = must_play(state, answer(state, strategy) or DealCard(cards[state.cards_used]))
    return state.cards_used, sum(entry.net for entry in state.settlements)


def chosen(play: Play, strategy: Strategy) -> int:
    """The strategy's action in the environment's own numbers."""
    state, number = play.state, play.state.turn[1] or 1
    hand = state.boxes[0].hands[number - 1]
    if play.seen.phase == INSURANCE:
        return INSURE if strategy.insures(hand.cards, state.dealer[0]) else KEEP
    may = frozenset(ACTIONS[number] for number in allowed(state))
    split = "K" if hand.split and hand.cards[0][0] in "JQK" else hand.cards[0][0] if hand.split else ""
    situation = Situation(hand.cards, state.dealer[0], split, doubled=hand.doubled, may=may)  # type: ignore[arg-type]
    action = ACTIONS.index(strategy.choose(situation))
    return KEEP if play.seen.phase == RESPLITTING and action != SPLIT else action


@pytest.mark.parametrize("name", NAMES)
def test_the_same_cards_and_decisions_give_the_engines_result(name):
    rules, strategy, generator = load(name), Lots(3), random.Random(name)
    few = [card for card in PACK if card[0] in "A78K"]
    for number in range(150):
        cards = generator.choices(few if number % 2 else list(PACK), k=100)
        left = iter(cards)
        play = Play(rules, 1000, lambda: next(left))  # noqa: B023 used up within the loop
        while not play.over:
            play.act(chosen(play, strategy))
        assert (play.state.cards_used, play.paid) == engine_round(rules, strategy, cards)


def test_the_rewards_of_an_episode_are_its_net():
    env = PontoonEnv("canberra", observation="flat")
    nets, phases = [], set()
    for seed in range(300):
        observation, info = env.reset(seed=seed)
        total, done = 0.0, False
        while not done:
            phases.add(PHASES[int(observation[: len(PHASES)].argmax())])
            assert observation[-8:].tolist() == info["action_mask"].tolist()
            allowed = legal(info["action_mask"])
            observation, reward, done, _, info = env.step(allowed[seed % len(allowed)])
            total += float(reward)
        assert total == pytest.approx(info["net"])
        nets.append(total)
    assert {"play", "surrender", "insurance", "forfeit", "paid"} <= phases
    assert {-1.0, 1.0, 1.5} <= set(nets)


def test_a_round_settled_by_the_deal_is_an_episode_of_one_step():
    env = PontoonEnv("star")
    seeds = (seed for seed in range(1000) if env.reset(seed=seed)[0]["phase"] == PAID)
    observation, info = env.reset(seed=next(seeds))
    assert legal(observation) == [KEEP] == legal(info["action_mask"])
    _, reward, done, _, info = env.step(KEEP)
    assert (reward, done, info["net"]) == (1.5, True, 1.5)


def test_bets_are_sized_over_a_whole_shoe():
    env = PontoonEnv("star", bets=(1, 10), penetration=0.6, packs=6, discards="number")
    observation, _ = env.reset(seed=2)
    total, rounds, done = 0.0, 0, False
    while not done:
        allowed = legal(observation)
        rounds += observation["phase"] == 0
        observation, reward, done, _, _ = env.step(allowed[-1] if observation["phase"] == 0 else allowed[0])
        total += reward
    assert rounds > 20
    assert observation["discards"][0] >= 0.6
    assert total == round(total)  # ten stakes a bet, and nothing pays less than a tenth


def test_the_same_seed_gives_the_same_episodes():
    def rounds() -> list[Any]:
        env = PontoonEnv("adelaide", observation="flat", penetration=0.5)
        found = []
        for number in range(30):
            observation, info = env.reset(seed=9 if not number else None)
            done = False
            while not done:
                observation, reward, done, _, info = env.step(legal(info["action_mask"])[0])
                found.append((observation.tolist(), reward))
        return found

    assert rounds() == rounds()


def test_an_illegal_action_is_replaced_or_refused():
    env = PontoonEnv("star")
    seed = next(seed for seed in range(100) if env.reset(seed=seed)[0]["phase"] == PHASES.index("play"))
    env.reset(seed=seed)
    assert env.step(ACTIONS.index("insure"))[-1]["illegal"]
    strict = PontoonEnv("star", illegal="raise")
    strict.reset(seed=seed)
    with pytest.raises(ValueError, match=r"insure is not allowed now; allowed: stand, hit"):
        strict.step(ACTIONS.index("insure"))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"bets": (1, 2)}, "needs a penetration"),
        ({"penetration": 1.0}, "it goes from 0"),
        ({"bets": (0,), "penetration": 0.5}, "whole numbers of stakes"),
        ({"discards": "all"}, "choose from none, number, ranks"),
        ({"bets": (1,), "episode": "round"}, "leave out episode"),
        ({"packs": -1}, "one or more"),
    ],
)
def test_options_that_cannot_be_played_are_refused_in_one_line(options, complaint):
    with pytest.raises(ValueError, match=complaint) as refused:
        PontoonEnv("star", **options)
    assert "\n" not in str(refused.value)


def test_what_is_seen_has_no_more_columns_than_are_documented():
    env = PontoonEnv("star", observation="flat")
    observation, _ = env.reset(seed=1)
    assert len(observation) == len(COLUMNS) + len(ACTIONS)
    assert flat(env.seen).tolist() == observation.tolist()


def test_a_rulebook_file_is_played(tmp_path):
    from pontoon.cli import main

    with pytest.raises(SystemExit):
        main(["rules", "new", str(tmp_path / "mine.toml"), "--like", "federal"])
    env = gymnasium.make("pontoon.environment:pontoon21/Pontoon-v0", rulebook=str(tmp_path / "mine.toml"))
    env.reset(seed=1)


def test_the_table_as_text_and_as_a_picture():
    env = PontoonEnv("star", render_mode="ansi")
    env.reset(seed=3)
    assert env.render().startswith("star\ndealer  ")
    picture = PontoonEnv("star", render_mode="rgb_array", bets=(1, 2), penetration=0.5)
    picture.reset(seed=3)
    empty = picture.render()
    picture.step(len(ACTIONS))
    dealt = picture.render()
    assert empty.shape == dealt.shape == (400, 640, 3)
    assert np.mean(empty != dealt) > 0.02  # cards lie on the cloth


def test_without_gymnasium_one_line_says_what_to_install():
    code = "import sys; sys.modules['gymnasium'] = None\nimport pontoon.environment"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: pontoon.environment needs gymnasium: pip install 'pontoon21[rl]'"
    )
