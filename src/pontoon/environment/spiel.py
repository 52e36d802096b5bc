"""One box against the dealer as an OpenSpiel game: every card is a chance node, every decision a node of one player.

>>> import pyspiel
>>> game = pyspiel.load_game("pontoon21(rulebook=star,packs=8)")
>>> state = game.new_initial_state()
>>> len(state.chance_outcomes())
48

Importing this module registers the game. `shoe` gives the cards instead of packs, as in "Ac 9c*2 Kc*8": with a small
shoe OpenSpiel's algorithms can walk the whole tree.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError:
    raise ImportError("pontoon.environment.spiel needs OpenSpiel: pip install 'pontoon21[agents]'") from None

from pontoon.cards import PACK, Card, read_cards
from pontoon.engine import DealCard, Round, must_play
from pontoon.environment.box import ACTIONS, KEEP, RESPLITTING, Seen, act, begin, card_is_due, net, seen, settle_offers
from pontoon.environment.observation import COLUMNS, flat
from pontoon.money import as_cents
from pontoon.rulebook.resolve import as_rulebook

NAME = "pontoon21"
MOST_LOST = 16.0
MOST_WON = 2000.0
"""Bounds of a result in stakes: eight doubled hands lost; four hands doubled with the largest Super Bonus."""
LONGEST = 200
_NUMBER = {card: number for number, card in enumerate(PACK)}

GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Casino Pontoon, one box against the dealer",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=1,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rulebook": "star", "packs": 0, "stake": 1000, "shoe": ""},
)
GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=len(ACTIONS),
    max_chance_outcomes=len(PACK),
    num_players=1,
    min_utility=-MOST_LOST,
    max_utility=MOST_WON,
    max_game_length=LONGEST,
)


class PontoonGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """The game with its parameters: rulebook, packs, stake in cents, shoe."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {"rulebook": "star", "packs": 0, "stake": 1000, "shoe": "", **(params or {})}
        super().__init__(GAME_TYPE, GAME_INFO, given)
        self.rules = as_rulebook(given["rulebook"])
        self.stake = as_cents(given["stake"])
        packs = given["packs"] or self.rules.decks.default
        self.cards = shoe_of(given["shoe"]) if given["shoe"] else Counter({Card(card): packs for card in PACK})

    def new_initial_state(self) -> PontoonState:
        """A round before the first card."""
        return PontoonState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> PontoonObserver:  # noqa: ANN401 pyspiel's
        """What the player sees, as numbers or text."""
        return PontoonObserver(iig_obs_type, params)


def shoe_of(text: str) -> Counter[Card]:
    """The cards of a shoe written as "Ac 9c*2 Kc*8".

    >>> shoe_of("Ac 9c*2").total()
    3
    """
    found: Counter[Card] = Counter()
    for part in text.split():
        card, _, number = part.partition("*")
        found[read_cards(card)[0]] += int(number or 1)
    return found


class _Frozen:
    """A round that copies of a game state share: rounds never change."""

    __slots__ = ("state",)

    def __init__(self, state: Round) -> None:
        self.state = state

    def __deepcopy__(self, memo: object) -> _Frozen:
        return self


class PontoonState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """A round, between two cards or decisions."""

    def __init__(self, game: PontoonGame) -> None:
        super().__init__(game)
        self.stake = game.stake
        self.left = Counter(game.cards)
        self.kept = False
        self.round = _Frozen(begin(game.rules, game.stake))

    @property
    def seen(self) -> Seen:
        """What the player sees."""
        return seen(self.round.state, kept=self.kept)

    # --- OpenSpiel's methods ----------------------------------------------------------------------------

    def current_player(self) -> Any:  # noqa: ANN401 pyspiel's own type
        state = self.round.state
        if state.phase == "ended":
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if card_is_due(state) else 0

    def _legal_actions(self, player: int) -> list[int]:
        assert player == 0
        return sorted(self.seen.may)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each card that is left, with its probability."""
        total = self.left.total()
        return sorted((_NUMBER[card], count / total) for card, count in self.left.items() if count)

    def _apply_action(self, action: int) -> None:
        state = self.round.state
        if card_is_due(state):
            card = Card(PACK[action])
            self.left = self.left - Counter({card: 1})
            state = must_play(state, DealCard(card))
            self.kept = False
        elif self.seen.phase == RESPLITTING and action == KEEP:
            self.kept = True
        else:
            state = act(state, action)
            self.kept = False
        self.round = _Frozen(settle_offers(state))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(PACK[action]) if player == pyspiel.PlayerId.CHANCE else ACTIONS[action]

    def is_terminal(self) -> bool:
        """Whether the round has ended."""
        return self.round.state.phase == "ended"

    def returns(self) -> list[float]:
        """The net result in stakes; 0 before the end."""
        return [net(self.round.state) / self.stake if self.is_terminal() else 0.0]

    def __str__(self) -> str:
        return " ".join(map(str, self.history())) + ("|" if self.kept else "")


class PontoonObserver:
    """What the player sees: the flat vector of docs/environment.md, or the cards on the table as text."""

    def __init__(self, iig_obs_type: Any, params: Any) -> None:  # noqa: ANN401 pyspiel's own types
        if params:
            raise ValueError(f"pontoon21 has no observation parameters; {params} were given")
        self.recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        self.tensor = np.zeros(len(COLUMNS), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: PontoonState, player: int) -> None:  # noqa: ARG002 there is one player
        """Fill `tensor` with what is seen in a state."""
        self.tensor[:] = flat(state.seen)[: len(COLUMNS)]

    def string_from(self, state: PontoonState, player: int) -> str:  # noqa: ARG002 there is one player
        """The cards on the table; with perfect recall everything that has happened."""
        if self.recalls:
            return str(state)
        lying = state.round.state
        hands = " / ".join(" ".join(hand.cards) for hand in lying.boxes[0].hands)
        return f"{hands} against {' '.join(lying.dealer)}, {ACTIONS[KEEP] if state.kept else lying.phase}"


pyspiel.register_game(GAME_TYPE, PontoonGame)
