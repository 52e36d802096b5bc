"""The shuffle, byte by byte; that it is uniform is shown in tests/properties/test_shuffle_uniform.py."""

from __future__ import annotations

import hashlib
import hmac
import inspect
import os
import subprocess
import sys
from collections import Counter
from itertools import islice, permutations, product

import pytest

from pontoon.cards import PACK
from pontoon.table import shuffle
from pontoon.table.shuffle import (
    new_seed,
    new_stack,
    permutation,
    player_seed,
    seal,
    seed_hash,
    shoe_key,
    shuffled,
    stream,
)

CARDS = 384

# --- the walk, exactly --------------------------------------------------------------------------


def test_every_choice_of_indices_gives_another_order(monkeypatch):
    """Fisher-Yates is a bijection: equally likely indices are equally likely orders."""
    orders = set()
    for choices in product(range(5), range(4), range(3), range(2)):
        monkeypatch.setattr(shuffle, "stream", lambda _, words=choices: iter(words))
        orders.add(tuple(permutation(b"", 5)))
    assert orders == set(permutations(range(5)))


def test_a_rejected_word_is_skipped(monkeypatch):
    monkeypatch.setattr(shuffle, "stream", lambda _: iter([65535, 65535, 2, 1]))
    assert permutation(b"", 3) == [0, 1, 2]


def test_the_bytes_of_the_stream():
    key = bytes(range(32))
    blocks = b"".join(hmac.new(key, b"shuffle" + bytes(7) + bytes([n]), hashlib.sha256).digest() for n in range(3))
    assert list(islice(stream(key), 48)) == [int.from_bytes(blocks[at : at + 2], "big") for at in range(0, 96, 2)]


def test_the_key_takes_in_everything():
    seeds = [("Ann", b"a"), ("Bob", b"b")]
    house = bytes(32)
    keys = [
        shoe_key(house, "shoe 1", 8, seeds),
        shoe_key(bytes(31) + b"\1", "shoe 1", 8, seeds),
        shoe_key(house, "shoe 2", 8, seeds),
        shoe_key(house, "shoe 1", 6, seeds),
        shoe_key(house, "shoe 1", 8, seeds[::-1]),
        shoe_key(house, "shoe 1", 8, seeds[:1]),
        shoe_key(house, "shoe 1", 8, [("Ann", b"a"), ("Bob", b"c")]),
        shoe_key(house, "shoe 1", 8, [("Ann", b"a"), ("Cat", b"b")]),
        shoe_key(house, "shoe 1", 8, ()),
    ]
    assert len(set(keys)) == len(keys)


def test_a_seal_is_not_what_goes_into_the_shuffle():
    assert seal("a") == seal(b"a") == hashlib.sha256(b"pontoon seal 1a").hexdigest()
    assert seal("a") != hashlib.sha256(b"a").hexdigest()


def test_the_seed_hash_is_plain_sha_256():
    assert seed_hash(bytes(32)) == hashlib.sha256(bytes(32)).hexdigest()


def test_what_cannot_be_shuffled():
    for wrong in ("", "x" * 65, "ü" * 33, b""):
        with pytest.raises(ValueError, match="1 to 64 bytes"):
            player_seed(wrong)
    with pytest.raises(ValueError, match="32 bytes, not 31"):
        shoe_key(bytes(31), "shoe", 1, ())
    for packs in (0, 9):
        with pytest.raises(ValueError, match="1 to 8 packs"):
            new_stack(packs)
    with pytest.raises(ValueError, match="cannot choose among 65537"):
        permutation(bytes(32), 65537)


def test_a_shuffled_stack_is_its_packs():
    for packs in (1, 8):
        assert Counter(shuffled(packs, bytes(32))) == dict.fromkeys(PACK, packs)


# --- seeds ------------------------------------------------------------------------------------------------------

FORKED = """
import multiprocessing
from pontoon.table.shuffle import new_seed

def work(queue):
    queue.put([new_seed().hex() for _ in range(50)])

if __name__ == "__main__":
    new_seed()
    fork = multiprocessing.get_context("fork")
    queue = fork.Queue()
    workers = [fork.Process(target=work, args=(queue,)) for _ in range(8)]
    for one in workers:
        one.start()
    seeds = [seed for _ in workers for seed in queue.get()] + [new_seed().hex() for _ in range(50)]
    for one in workers:
        one.join()
    print(len(seeds), len(set(seeds)))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_forked_workers_never_share_a_seed(tmp_path):
    script = tmp_path / "forked.py"
    script.write_text(FORKED, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert done.stdout.split() == ["450", "450"]


def test_a_new_seed_has_256_bits():
    seeds = {new_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {32}


def test_no_other_source_of_chance_is_imported():
    """Nothing on this path may load `random`, numpy or a clock by name."""
    source = inspect.getsource(shuffle)
    imported = {line.split()[1] for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert imported == {"__future__", "hashlib", "hmac", "secrets", "collections.abc", "struct", "pontoon.cards"}
