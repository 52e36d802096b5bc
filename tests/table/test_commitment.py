"""The root commits to every card's position, a proof reveals one card only, and nothing else leads to the root."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pontoon.cards import PACK, Card
from pontoon.table.commitment import Commitment, Proof, check, commit, salt
from pontoon.table.shuffle import seed_hash, shuffled

SEED = bytes(range(32))


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def test_the_bytes_of_three_cards():
    """A leaf is 0x00, index, card, salt; a node 0x01, left, right; the odd one goes up as it is."""
    stack = [Card("7s"), Card("Ah"), Card("Kc")]
    first, second, third = (
        sha(b"\0", index.to_bytes(2, "big"), card.encode(), salt(SEED, index)) for index, card in enumerate(stack)
    )
    root = sha(b"\1", sha(b"\1", first, second), third).hex()
    tree = commit(stack, SEED)
    assert tree.commitment == Commitment(root, hashlib.sha256(SEED).hexdigest(), 3)
    assert tree.proof(0).path == (second.hex(), third.hex())
    assert tree.proof(2) == Proof(2, 3, Card("Kc"), salt(SEED, 2).hex(), (sha(b"\1", first, second).hex(),))


@pytest.mark.parametrize("size", [*range(1, 34), 48, 96, 144, 384])
def test_every_card_is_proved(size):
    stack = (PACK * 8)[:size]
    tree = commit(stack, SEED)
    for index, card in enumerate(stack):
        proof = tree.proof(index)
        assert (proof.index, proof.card, proof.size) == (index, card, size)
        assert check(tree.commitment.root, proof)


def test_salts_come_from_the_key_of_the_shoe():
    with_key, without = commit(PACK, SEED, b"k" * 32), commit(PACK, SEED)
    assert with_key.commitment.root != without.commitment.root
    assert with_key.commitment.seed_hash == without.commitment.seed_hash == seed_hash(SEED)
    assert with_key.proof(5).salt == salt(b"k" * 32, 5).hex()
    assert len({salt(SEED, index) for index in range(384)}) == 384


def test_the_secret_side_does_not_show_itself():
    tree = commit(PACK, SEED)
    assert repr(tree) == f"Tree({tree.commitment.root})"


def test_what_cannot_be_committed_or_proved():
    with pytest.raises(ValueError, match="no cards"):
        commit((), SEED)
    for index in (-1, 48):
        with pytest.raises(IndexError, match="no card"):
            commit(PACK, SEED).proof(index)


TREE = commit(shuffled(8, SEED), SEED)
ROOT = TREE.commitment.root


def other_digit(text: str, place: int) -> str:
    place %= len(text)
    return text[:place] + ("0" if text[place] != "0" else "f") + text[place + 1 :]


@given(st.integers(0, 383), st.integers(0, 63), st.data())
def test_a_proof_with_any_digit_changed_fails(index, place, data):
    proof = TREE.proof(index)
    step = data.draw(st.integers(0, len(proof.path) - 1))
    bent = (*proof.path[:step], other_digit(proof.path[step], place), *proof.path[step + 1 :])
    other = data.draw(st.sampled_from([card for card in PACK if card != proof.card]))
    elsewhere = data.draw(st.integers(0, 500).filter(lambda one: one != index))
    for wrong in (
        replace(proof, salt=other_digit(proof.salt, place)),
        replace(proof, path=bent),
        replace(proof, card=other),
        replace(proof, index=elsewhere),
        replace(proof, path=proof.path[:-1]),
        replace(proof, path=(*proof.path, proof.salt)),
        replace(proof, path=proof.path[::-1]),
    ):
        assert not check(ROOT, wrong)
    assert not check(other_digit(ROOT, place), proof)
    assert check(ROOT, proof)


def test_no_node_passes_for_a_leaf():
    """A second preimage would show an inner node as a card: same bytes, other first byte."""
    stack = [Card("7s"), Card("Ah"), Card("Kc"), Card("2d")]
    tree = commit(stack, SEED)
    left, right = (bytes.fromhex(tree.proof(2).path[1]), bytes.fromhex(tree.proof(0).path[1]))
    assert sha(b"\1", left, right).hex() == tree.commitment.root
    assert sha(b"\0", left, right).hex() != tree.commitment.root
    short = Proof(0, 2, Card("7s"), tree.proof(0).salt, (right.hex(),))
    assert not check(tree.commitment.root, short)


def test_a_proof_outside_its_stack_fails():
    assert not check(ROOT, replace(TREE.proof(0), size=0))
    assert not check(ROOT, replace(TREE.proof(383), size=383))
