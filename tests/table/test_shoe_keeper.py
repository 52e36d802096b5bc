"""The record of a shoe goes on after it was stored."""

from __future__ import annotations

from pontoon.table.shoe_keeper import ShoeKeeper

SEED = bytes(range(32))


def test_a_stored_record_is_continued_with_the_same_tree():
    first, again, none = ShoeKeeper(), ShoeKeeper(), ShoeKeeper()
    tree = first.begin("table x, shoe 1", 3, SEED)
    again.resume(first.record, SEED, (70, 2))
    assert again.record == first.record
    assert again.tree is not None
    assert again.tree.commitment == tree.commitment
    assert again.position == (70, 2)
    none.resume(None, SEED, (0, 0))
    assert (none.record, none.tree) == (None, None)
