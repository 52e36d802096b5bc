"""The seeded shoe of the front door."""

from collections import Counter

import pytest

from pontoon.cards import PACK
from pontoon.engine import CallNoMoreBets, CloseOffer, ExposeCard, Hit, PlaceWager, Round, must_play
from pontoon.rulebook import load
from pontoon.table.shoe import Shoe


def begun(rulebook: str = "star") -> Round:
    return must_play(Round(load(rulebook)), PlaceWager(1, "Ann", 1000), CallNoMoreBets())


def test_the_same_packs_and_seed_give_the_same_cards():
    first, second = Shoe(packs=6, seed=5), Shoe(packs=6, seed=(5).to_bytes(32, "big"))
    drawn = [first.draw() for _ in range(len(first))]
    assert drawn == [second.draw() for _ in range(len(second))]
    assert Counter(drawn) == dict.fromkeys(PACK, 6)
    assert first.dealt == tuple(drawn)
    other = Shoe(6, 6)
    assert drawn != [other.draw() for _ in range(len(other))]
    assert Shoe().seed != Shoe().seed


def test_every_shuffle_has_its_own_order():
    shoe = Shoe(packs=1, seed=0)
    orders = []
    for _ in range(3):
        orders.append(tuple(shoe.draw() for _ in range(48)))
        assert len(shoe) == 0
        with pytest.raises(ValueError, match="the shoe is empty"):
            shoe.draw()
        shoe.shuffle()
    assert len(set(orders)) == 3
    assert (shoe.shuffles, len(shoe), shoe.dealt) == (4, 48, ())


def test_a_round_is_dealt_until_somebody_must_decide():
    shoe = Shoe(packs=8, seed=4)
    state = shoe.deal(begun())
    assert state.phase == "surrender"
    assert shoe.next_command(state) is None
    assert shoe.dealt == (*state.boxes[0].hands[0].cards[:1], *state.dealer, *state.boxes[0].hands[0].cards[1:])
    assert shoe.deal(state) is state
    assert shoe.deal(must_play(state, CloseOffer(), Hit(1))).cards_used == len(shoe.dealt) == 4


def test_an_exposed_card_is_the_next_one():
    shoe = Shoe(packs=8, seed=2)
    state = shoe.deal(begun("adelaide"))
    exposed = shoe.draw()
    state = must_play(state, ExposeCard(exposed), Hit(1))
    command = shoe.next_command(state)
    assert command is not None
    assert command.card == exposed == shoe.dealt[-1]


@pytest.mark.parametrize("seed", [-1, 1 << 256, b"short", "1", 1.0, True])
def test_an_impossible_seed_is_refused(seed):
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Shoe(8, seed)


@pytest.mark.parametrize("packs", [0, 9])
def test_an_impossible_shoe_is_refused(packs):
    with pytest.raises(ValueError, match="a shoe holds 1 to 8 packs"):
        Shoe(packs)
