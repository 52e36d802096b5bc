"""A whole table for PettingZoo (AEC): several boxes, each with a controller and co-bettors, against one dealer.

Every bettor is an agent, `box1_1` the controller of box 1, `box1_2` a co-bettor. A round begins with everybody's bet.
Then the controller decides on the hand in turn, co-bettors are asked whether they join a double or a split, and
everybody answers offers of insurance, surrender and forfeit for their own wager. Where a controller gives the hand up,
control passes on as the rulebook says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray

try:
    from pettingzoo import AECEnv
except ImportError:
    raise ImportError("pontoon.environment.table needs PettingZoo: pip install 'pontoon21[agents]'") from None

from pontoon.cards import aces_in, points
from pontoon.engine import (
    CallNoMoreBets,
    CloseOffer,
    Command,
    DealCard,
    DeclineInsurance,
    DeclineSurrender,
    Double,
    Forfeit,
    Hand,
    Insure,
    Keep,
    PlaceWager,
    Round,
    Split,
    Surrender,
    must_play,
    refusal,
)
from pontoon.engine.insurance import cap
from pontoon.engine.state import Box, find_box
from pontoon.environment.box import (
    ACTIONS,
    BET,
    DOUBLE,
    ENDED,
    FORFEIT,
    FORFEITING,
    IN_TURN,
    INSURANCE,
    INSURE,
    KEEP,
    PLAYING,
    RANKS,
    SPLIT,
    SURRENDER,
    SURRENDERING,
    Seen,
    aces_are_fixed,
    card_is_due,
    ranks_of,
    suits_of,
)
from pontoon.environment.observation import COLUMNS, flat, mask_of
from pontoon.environment.shoe import CARDS, RandomShoe
from pontoon.environment.single import FULLEST
from pontoon.money import as_cents
from pontoon.rulebook.resolve import RulebookLike, as_rulebook

MOST_BETTORS = 3
Choices = dict[int, Command | None]
"""The allowed actions, and the command of each; None: nothing needs to be said."""
_PHASES = {"insurance": INSURANCE, "surrender": SURRENDERING, "forfeit": FORFEITING, "wagers": BET, "ended": ENDED}


class PontoonTableEnv(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """A table of several boxes and bettors; an episode is a round.

    Observations are dictionaries: `observation`, the flat vector of the agent's hand (docs/environment.md) with the
    share of each rank that has left the shoe and whether the agent controls its box, and `action_mask`. Rewards are in
    stakes.

    >>> env = PontoonTableEnv("star", boxes=2, bettors=2)
    >>> env.reset(seed=3)
    >>> env.agents, env.agent_selection
    (['box1_1', 'box1_2', 'box2_1', 'box2_2'], 'box1_1')
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 as PettingZoo declares it
        "name": "pontoon21_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(  # noqa: PLR0913 the options of a table
        self,
        rulebook: RulebookLike = "star",
        boxes: int = 3,
        bettors: int = 2,
        *,
        packs: int = 0,
        penetration: float = 0.0,
        stake: int | str = 1000,
        bets: tuple[int, ...] = (1,),
        render_mode: str | None = None,
    ) -> None:
        """`bets`: sizes of bets in stakes, actions 8 and up; `bettors`: on each box, up to three."""
        super().__init__()
        self.rules = as_rulebook(rulebook).without_side_bets()
        _check(self.rules.boxes.count, boxes, bettors, penetration)
        self.packs, self.penetration = packs or self.rules.decks.default, penetration
        self.stake, self.bets, self.render_mode = as_cents(stake), tuple(bets), render_mode
        self.seats = {f"box{box}_{place}": box for box in range(1, boxes + 1) for place in range(1, bettors + 1)}
        self.possible_agents = list(self.seats)
        self.actions = len(ACTIONS) + len(self.bets)
        self.columns = len(COLUMNS) + RANKS + 1
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (self.columns,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(self.actions) for agent in self.possible_agents}
        self.shoe: RandomShoe | None = None
        self.state_of_round = Round(self.rules)
        self.choices: Choices = {}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions; which are allowed is in its `action_mask`."""
        return self.action_spaces[agent]

    # --- PettingZoo's methods ---------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a round: everybody is asked for a bet. With a seed, from a new shoe."""
        if self.shoe is None or seed is not None:
            self.shoe = RandomShoe(self.packs, seeding.np_random(seed)[0])
        elif self.shoe.dealt >= self.penetration * self.packs * CARDS:
            self.shoe.shuffle()
        self.shoe.round_began = self.shoe.dealt
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.state_of_round = Round(self.rules)
        self._moment: tuple[Any, ...] = ()
        self._asked: set[str] = set()
        self._select()

    def step(self, action: Any) -> None:  # noqa: ANN401 a number of any kind
        """Play an action for the selected agent; an illegal action is replaced by the first legal one."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent, chosen = self.agent_selection, int(action)
        if chosen not in self.choices:
            chosen = min(self.choices)
        self._cumulative_rewards[agent] = 0.0
        before = self._nets()
        self._asked.add(agent)
        command = self.choices[chosen]
        if command is not None:
            self.state_of_round = must_play(self.state_of_round, command)
        self._select()
        self.rewards = {name: (net - before[name]) / self.stake for name, net in self._nets().items()}
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; its mask is empty while another agent must act."""
        may = tuple(sorted(self.choices)) if agent == self.agent_selection else ()
        seen = flat(self._seen(agent))[: len(COLUMNS)]
        box = find_box(self.state_of_round, self.seats[agent])
        controls = np.array([box is not None and box.controller == agent], np.float32)
        return {
            "observation": np.concatenate([seen, self._gone(), controls]).astype(np.float32),
            "action_mask": mask_of(may, self.actions),
        }

    def render(self) -> str | None:
        """The cards on the table as a few lines of text."""
        if self.render_mode != "ansi":
            return None
        state = self.state_of_round
        rows = [f"box {box.number}: {' / '.join(' '.join(hand.cards) for hand in box.hands)}" for box in state.boxes]
        return "\n".join([f"dealer: {' '.join(state.dealer)}", *rows, f"to act: {self.agent_selection}"])

    def close(self) -> None:
        """Nothing is open."""

    # --- whose turn it is -------------------------------------------------------------------------------

    def _select(self) -> None:
        """Deal until an agent must act, or the round is over."""
        while True:
            state = self.state_of_round
            moment = (state.phase, state.turn, state.cards_used, len(state.settlements))
            if moment != self._moment:
                self._moment = moment
                self._asked = self._asked if state.phase == "wagers" else set()
            if state.phase == "ended":
                self.choices = {}
                self.terminations = dict.fromkeys(self.agents, True)
                self.agent_selection = self.agents[0]
                return
            for agent, choices in self._questions(state):
                if choices:
                    self.agent_selection, self.choices = agent, choices
                    return
            self.state_of_round = must_play(state, self._dealer(state))

    def _questions(self, state: Round) -> Iterator[tuple[str, Choices]]:
        """The agents who have a choice now and have not made it, in the order of the boxes."""
        for agent, number in self.seats.items():
            if state.phase == "wagers":
                if agent not in self._asked:
                    bets = enumerate(self.bets, len(ACTIONS))
                    yield agent, {action: PlaceWager(number, agent, size * self.stake) for action, size in bets}
            elif state.phase == "decision":
                box = find_box(state, number)
                if box is not None and state.turn[0] == number and box.controller == agent:
                    yield agent, _in_turn(state, number)
            elif agent not in self._asked:
                yield agent, _offers(state, number, agent)

    def _dealer(self, state: Round) -> Command:
        """What the dealer does when everybody has answered."""
        assert self.shoe is not None
        if state.phase == "wagers":
            return CallNoMoreBets()
        return DealCard(self.shoe.draw()) if card_is_due(state) else CloseOffer()

    def _nets(self) -> dict[str, int]:
        """Cents won or lost by each agent so far."""
        nets = dict.fromkeys(self.possible_agents, 0)
        for settlement in self.state_of_round.settlements:
            nets[settlement.player] += settlement.net
        return nets

    # --- what is seen -----------------------------------------------------------------------------------

    def _seen(self, agent: str) -> Seen:
        state = self.state_of_round
        phase, upcard = _PHASES.get(state.phase, PLAYING), points(state.dealer[0]) if state.dealer else 0
        box = find_box(state, self.seats[agent])
        if box is None or not box.hands or not box.hands[0].cards:
            return Seen(phase, upcard=upcard)
        hand = _hand(state, box)
        fixed = aces_are_fixed(self.rules, split=hand.split)
        return Seen(
            phase=phase,
            ranks=ranks_of(hand.cards),
            total=hand.total,
            soft=hand.soft,
            upcard=upcard,
            suits=suits_of(hand.cards),
            first_aces=aces_in(hand.cards[:2]) if fixed else 0,
            split=points(hand.cards[0]) if hand.split else 0,
        )

    def _gone(self) -> NDArray[np.float32]:
        """The share of each rank that has left the shoe."""
        assert self.shoe is not None
        each = np.full(RANKS, 4 * self.packs, np.float32)
        each[-1] *= 3
        gone: NDArray[np.float32] = np.minimum(np.array(self.shoe.ranks_dealt(), np.float32) / each, 1)
        return gone


def _hand(state: Round, box: Box) -> Hand:
    """The hand of a box that is being played; its first hand if it is not the box's turn."""
    number = state.turn[1] if state.turn[0] == box.number else 0
    return box.hands[max(number - 1, 0)]


def _in_turn(state: Round, number: int) -> Choices:
    """What the controller may do with the hand being played."""
    commands = ((action, command(number)) for action, command in IN_TURN.items())
    return {action: command for action, command in commands if refusal(state, command) is None}


def _offers(state: Round, number: int, agent: str) -> Choices:
    """What a bettor may answer to an offer, or add to the controller's double or split."""
    box = find_box(state, number)
    wager = next((wager for wager in box.bettors if wager.player == agent), None) if box else None
    if wager is None:
        return {}
    offers: dict[str, tuple[tuple[int, Command], ...]] = {
        "insurance": ((INSURE, Insure(number, agent, cap(state, wager.stake))),),
        "surrender": ((SURRENDER, Surrender(number, agent)),),
        "forfeit": ((FORFEIT, Forfeit(number, agent)),),
        "card": ((DOUBLE, Double(number, 0, agent)), (SPLIT, Split(number, agent))),
    }
    declines: dict[str, Command] = {
        "insurance": DeclineInsurance(number, agent),
        "surrender": DeclineSurrender(number, agent),
        "forfeit": Keep(number, agent),
    }
    found: Choices = {
        action: command for action, command in offers.get(state.phase, ()) if refusal(state, command) is None
    }
    if found:
        decline = declines.get(state.phase)
        found[KEEP] = decline if decline is not None and refusal(state, decline) is None else None
    return found


def _check(most: int, boxes: int, bettors: int, penetration: float) -> None:
    """Raise ValueError, in one line, for a table that cannot be played."""
    if not 1 <= boxes <= most:
        raise ValueError(f"{boxes} boxes; this rulebook's table has 1 to {most}")
    if not 1 <= bettors <= MOST_BETTORS:
        raise ValueError(f"{bettors} bettors on a box; 1 to {MOST_BETTORS} can bet")
    if not 0 <= penetration <= FULLEST:
        raise ValueError(f"penetration is {penetration}; it goes from 0 (a fresh shoe every round) to {FULLEST}")
