"""The contract of all stores, tested on each of them."""

import time
from random import Random
from threading import Barrier, Thread

import pytest

from pontoon.ledger import Posting
from pontoon.store import (
    NOTHING,
    Append,
    Appended,
    Conflict,
    Draft,
    Head,
    Lease,
    LeaseLost,
    NotEnough,
    Repeated,
)
from pontoon.store.batch import LARGEST
from pontoon.store.model import entries_of, root_hash
from tests.store.appends import append, bet, buy, furnish, kinds, move, put

# --- streams -------------------------------------------------------------------------------------------


def test_versions_are_gap_free_and_every_entry_is_hashed_upon_the_one_before(store):
    first = put(store, "table/1", Draft("Ann", b"1"), Draft("Ann", b"2"))
    second = put(store, "table/1", Draft("Bob", b"3", "key", (), ("round:1",)))
    assert [entry.version for entry in first + second] == [1, 2, 3]
    assert first == entries_of(append("table/1", 0, Draft("Ann", b"1"), Draft("Ann", b"2")), NOTHING)
    assert second == entries_of(append("table/1", 2, Draft("Bob", b"3", "key", (), ("round:1",))), first[-1].hash)
    assert store.read("table/1") == [*first, *second]
    assert store.head("table/1") == Head("table/1", 3, second[0].hash)


def test_what_is_read_is_what_was_written(store):
    postings = (Posting("house", -7), Posting("wallet/Ž", 3), Posting("wallet/Ž", 4), Posting("house", 0))
    draft = Draft('Ž"\\', bytes(range(256)), "a\nb", postings, ("z", "a", "m\t'"))
    (entry,) = put(store, "tåble", draft)
    assert store.read("tåble") == [entry]
    assert (entry.by, entry.body, entry.key, entry.postings, entry.marks) == (
        draft.by,
        draft.body,
        draft.key,
        draft.postings,
        draft.marks,
    )


def test_a_stream_is_read_from_a_version_on(store):
    for _ in range(5):
        put(store, "table/1")
    put(store, "table/10")
    assert [entry.version for entry in store.read("table/1", 2)] == [3, 4, 5]
    assert [entry.version for entry in store.read("table/1", 1, 2)] == [2, 3]
    assert store.read("table/1", 5) == store.read("table/2") == []


def test_the_news_of_several_streams_come_each_after_what_was_seen_of_it(store):
    for stream in ("table/b", "table/a", "table/Z", "table/a", "people"):
        put(store, stream)
    news = store.new_entries({"table/a": 1, "table/b": 0, "table/Z": 1, "table/none": 0})
    assert [(entry.stream, entry.version) for entry in news] == [("table/a", 2), ("table/b", 1)]
    assert news[:1] == store.read("table/a", 1)
    assert store.new_entries({}) == []


def test_of_many_news_the_first_thousand_come(store):
    for stream in ("table/1", "table/2"):
        put(store, stream, *(Draft("Ann", b"x") for _ in range(600)))
    news = store.new_entries({"table/2": 0, "table/1": 100})
    assert [entry.stream for entry in news] == ["table/1"] * 500 + ["table/2"] * 500
    assert [entry.version for entry in news] == [*range(101, 601), *range(1, 501)]


def test_accounts_are_asked_for_together(store):
    put(store, "people", buy("Ann", 500), buy("Bob", 700))
    assert store.balances_of(("wallet/Ann", "wallet/Nobody", "wallet/Bob")) == {
        "wallet/Ann": 500,
        "wallet/Nobody": 0,
        "wallet/Bob": 700,
    }
    assert store.balances_of(()) == {}


def test_a_stale_writer_gets_the_current_version(store):
    put(store, "table/1")
    for expected in (0, 2):
        assert store.write([append("table/1", expected)]) == [Conflict(1)]
    assert store.write([append("table/2", 1)]) == [Conflict(0)]
    assert store.head("table/1").version == 1
    assert store.heads() == [store.head("table/1")]


def test_time_never_goes_back_in_a_stream(store):
    put(store, "table/1", at=5000)
    (late,) = put(store, "table/1", at=4000)
    (other,) = put(store, "table/2", at=4000)
    assert (late.at, other.at) == (5000, 4000)
    outcomes = store.write([append("table/2", 1, at=6000), append("table/2", 2, at=5500)])
    assert [outcome.entries[0].at for outcome in outcomes] == [6000, 6000]


def test_a_repeated_key_has_no_second_effect(store):
    put(store, "people", buy("Ann", 100))
    (first,) = put(store, "table/1", bet("Ann", 10, "one"))
    again = store.write([append("table/1", 1, bet("Ann", 10, "one")), append("table/1", 0, bet("Ann", 99, "one"))])
    assert again == [Repeated(first), Repeated(first)]
    assert store.balance("wallet/Ann") == 90
    assert store.find("table/1", "Ann", "one") == first
    assert store.find("table/2", "Ann", "one") is None
    assert store.find("table/1", "Bob", "one") is None


def test_a_key_belongs_to_a_stream_and_an_account_and_may_be_empty(store):
    put(store, "table/1", Draft("Ann", b"", "one"))
    put(store, "table/1", Draft("Bob", b"", "one"))
    put(store, "table/2", Draft("Ann", b"", "one"))
    put(store, "table/1", Draft("Ann", b"", ""), Draft("Ann", b"", ""))
    assert store.find("table/1", "Ann", "") is None
    assert store.head("table/1").version == 4


def test_heads_are_by_name_and_by_prefix(store):
    for stream in ("table/2", "people", "table/10", "tablé", "table/1"):
        put(store, stream)
    assert [head.stream for head in store.heads()] == ["people", "table/1", "table/10", "table/2", "tablé"]
    assert [head.stream for head in store.heads("table/1")] == ["table/1", "table/10"]
    assert store.heads("none") == []
    assert store.head("none") == Head("none", 0, NOTHING)


# --- batches -------------------------------------------------------------------------------------------


def test_each_append_of_a_batch_stands_or_falls_alone(store):
    put(store, "people", buy("Ann", 100))
    outcomes = store.write(
        [
            append("table/1", 0, bet("Ann", 60, "a")),
            append("table/2", 0, bet("Ann", 60)),
            append("table/1", 1, bet("Ann", 40, "b")),
            append("table/1", 1, bet("Ann", 1)),
            append("table/1", 2, bet("Ann", 40, "b")),
            append("table/3", 0, epoch=7),
            append("table/3", 0),
        ]
    )
    assert kinds(outcomes) == ["Appended", "NotEnough", "Appended", "Conflict", "Repeated", "LeaseLost", "Appended"]
    assert outcomes[1] == NotEnough("wallet/Ann")
    assert outcomes[3] == Conflict(2)
    assert outcomes[4] == Repeated(outcomes[2].entries[0])
    assert store.balances() == {"bank": -100, "escrow/1/Ann": 100, "wallet/Ann": 0}
    assert [(head.stream, head.version) for head in store.heads()] == [("people", 1), ("table/1", 2), ("table/3", 1)]


def test_of_an_append_all_drafts_are_written_or_none(store):
    put(store, "people", buy("Ann", 100))
    assert store.write([append("table/1", 0, bet("Ann", 60), bet("Ann", 60))]) == [NotEnough("wallet/Ann")]
    assert store.read("table/1") == []
    assert store.balances() == {"bank": -100, "wallet/Ann": 100}


def test_nothing_to_write_is_no_trouble(store):
    assert store.write([]) == []


# --- money ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("account", ["wallet/Ann", "escrow/1/Ann", "pool/7"])
def test_a_floored_account_never_goes_below_zero(store, account):
    assert store.write([append("t", 0, Draft("x", b"", postings=move(account, "house", 1)))]) == [NotEnough(account)]
    put(store, "t", Draft("x", b"", postings=move("house", account, 5)))
    assert store.write([append("t", 1, Draft("x", b"", postings=move(account, "house", 6)))]) == [NotEnough(account)]
    put(store, "t", Draft("x", b"", postings=move(account, "house", 5)))
    assert store.balance(account) == 0


def test_the_house_and_the_bank_may_owe(store):
    put(store, "t", Draft("x", b"", postings=move("house", "bank", 5)))
    put(store, "t", Draft("x", b"", postings=move("bank", "receivable/Ann", 50)))
    assert store.balances() == {"bank": -45, "house": -5, "receivable/Ann": 50}
    assert store.balances("b") == {"bank": -45}
    assert store.balance("nobody") == 0


def test_the_postings_of_one_entry_are_netted_and_entries_come_in_order(store):
    won_and_bet = (*move("wallet/Ann", "escrow/1/Ann", 50), *move("house", "wallet/Ann", 50))
    put(store, "t", Draft("x", b"", postings=won_and_bet))
    put(store, "t", buy("Bob", 5), bet("Bob", 5))
    assert store.write([append("t", 3, bet("Cid", 5), buy("Cid", 5))]) == [NotEnough("wallet/Cid")]
    assert store.balances("wallet/") == {"wallet/Ann": 0, "wallet/Bob": 0}


@pytest.mark.parametrize(
    "bad",
    [
        append("t", 0, Draft("x", b"", postings=(Posting("house", 5),))),
        append("t", 0, Draft("x", b"", postings=move("a", "b", LARGEST + 1))),
        append("t", 0, Draft("x", b"", "k"), Draft("x", b"", "k")),
        append("t", 0, Draft("x", b"", marks=("m", "m"))),
        append("t", 0, Draft("x\0", b"")),
        append("t" * 1001, 0),
        append("", 0),
        Append("t", 0, 1, ()),
        append("t", 0, Draft("\ud800", b"")),
    ],
)
def test_what_no_writer_may_send_is_our_bug_and_writes_nothing(store, bad):
    with pytest.raises(ValueError, match=r".+"):
        store.write([append("good", 0), bad])
    assert store.heads() == []


# --- marks ---------------------------------------------------------------------------------------------


def test_marked_entries_come_newest_first_page_by_page(store):
    for number in range(12):
        put(store, f"table/{number % 3}", Draft("x", b"", marks=("a", f"n:{number}")), at=1000 + number // 4)
    found = store.marked("a")
    places = [(entry.at, entry.stream, entry.version) for entry in found]
    assert places == sorted(places, reverse=True)
    assert len(places) == 12
    pages, before = [], None
    while page := store.marked("a", before=before, limit=5):
        pages += page
        before = (page[-1].at, page[-1].stream, page[-1].version)
    assert pages == found
    assert store.marked("n:7") == [entry for entry in found if "n:7" in entry.marks]
    assert store.marked("b") == []


def test_what_moved_a_wallet_stream_by_stream_newest_first(store):
    for stream, amount in (("people", 900), ("table/2", -5), ("table/10", -7), ("table/2", 30)):
        put(store, stream, Draft("Ann", b"", postings=(Posting("wallet/Ann", amount), Posting("house", -amount))))
        put(store, stream, Draft("Bob", b"", postings=(Posting("wallet/Bob", 1), Posting("house", -1))))
    both = (Posting("wallet/Ann", 2), Posting("house", -5), Posting("wallet/Ann", 3))
    put(store, "table/2", Draft("Ann", b"", postings=both))
    assert store.wallet_streams("wallet/Ann") == ["people", "table/10", "table/2"]
    assert store.wallet_moves("wallet/Ann", "table/2", 99, 10) == [(5, 5), (3, 30), (1, -5)]
    assert store.wallet_moves("wallet/Ann", "table/2", 5, 1) == [(3, 30)]
    assert store.wallet_moves("wallet/Ann", "table/10", 1, 9) == store.wallet_moves("wallet/Zoe", "people", 9, 9) == []
    assert store.wallet_streams("wallet/Zoe") == []
    amounts = [
        amount
        for name in store.wallet_streams("wallet/Ann")
        for _, amount in store.wallet_moves("wallet/Ann", name, 99, 99)
    ]
    assert sum(amounts) == store.balance("wallet/Ann")


def test_marked_entries_of_a_stream_and_of_a_time(store):
    for number in range(12):
        put(store, f"table/{number % 3}", Draft("x", b"", marks=("a",)), at=1000 + number)
    assert [entry.at for entry in store.marked("a", stream="table/1")] == [1010, 1007, 1004, 1001]
    assert [entry.at for entry in store.marked("a", since=1003, until=1005)] == [1005, 1004, 1003]
    assert [entry.at for entry in store.marked("a", stream="table/1", until=1009, limit=2)] == [1007, 1004]
    assert [entry.at for entry in store.marked("a", before=(1004, "table/1", 2), since=1002)] == [1003, 1002]


# --- leases --------------------------------------------------------------------------------------------


def test_a_lease_is_ones_own_until_it_runs_out(store):
    assert store.lease("table/1") is None
    mine = store.take_lease("table/1", "A", "a:1", 60)
    assert mine == Lease("table/1", "A", "a:1", 1)
    assert store.take_lease("table/1", "A", "a:2", 60) == Lease("table/1", "A", "a:2", 1)
    assert store.take_lease("table/1", "B", "b:1", 60) is None
    assert store.lease("table/1") == Lease("table/1", "A", "a:2", 1)
    store.take_lease("table/2", "B", "b:1", 60)
    assert store.leased() == {"table/1": "a:2", "table/2": "b:1"}
    store.release_leases("A")
    assert store.leased() == {"table/2": "b:1"}


def test_a_lease_that_ran_out_is_taken_over_and_the_old_owner_cannot_write(store):
    store.take_lease("table/1", "A", "a:1", 0.01)
    assert kinds(store.write([append("table/1", 0, epoch=1)])) == ["Appended"]
    time.sleep(0.03)
    assert store.lease("table/1") is None
    assert kinds(store.write([append("table/1", 1, epoch=1)])) == ["Appended"]  # nobody took it yet
    assert store.take_lease("table/1", "B", "b:1", 60) == Lease("table/1", "B", "b:1", 2)
    assert store.renew_leases("A", 60) == set()
    outcomes = store.write([append("table/1", 2, epoch=1), append("table/1", 2), append("table/1", 2, epoch=2)])
    assert outcomes[:2] == [LeaseLost(2), LeaseLost(2)]
    assert isinstance(outcomes[2], Appended)


def test_one_lease_is_released_alone(store):
    for stream in ("table/1", "table/2"):
        store.take_lease(stream, "A", "a", 60)
    store.release_leases("B", "table/1")
    assert store.leased() == {"table/1": "a", "table/2": "a"}
    store.release_leases("A", "table/1")
    assert store.leased() == {"table/2": "a"}
    assert store.take_lease("table/1", "B", "b", 60) == Lease("table/1", "B", "b", 2)


def test_leases_are_renewed_and_released_together(store):
    for stream in ("table/1", "table/2"):
        store.take_lease(stream, "A", "a", 0.05)
    store.take_lease("table/3", "B", "b", 60)
    assert store.renew_leases("A", 60) == {"table/1", "table/2"}
    time.sleep(0.06)
    assert store.lease("table/1") is not None
    store.release_leases("A")
    assert store.lease("table/1") is None
    assert store.renew_leases("A", 60) == set()
    assert store.write([append("table/1", 0, epoch=1)]) == [LeaseLost(0)]
    assert kinds(store.write([append("table/1", 0)])) == ["Appended"]
    assert store.take_lease("table/1", "A", "a", 60) == Lease("table/1", "A", "a", 2)
    assert store.lease("table/3") == Lease("table/3", "B", "b", 1)


# --- roots ---------------------------------------------------------------------------------------------


def test_roots_are_chained_over_all_heads(store):
    assert store.seal(1) is None
    put(store, "table/2")
    put(store, "table/1")
    first = store.seal(5)
    assert first.heads == tuple(store.heads())
    assert (first.number, first.at, first.hash) == (1, 5, root_hash(NOTHING, 1, 5, first.heads))
    assert store.seal(6) is None
    put(store, "table/2")
    second = store.seal(4)  # the clock was set back
    assert (second.number, second.at, second.heads) == (2, 5, tuple(store.heads()))
    assert second.hash == root_hash(first.hash, 2, 5, second.heads)
    put(store, "table/0")
    third = store.seal(9)
    assert store.roots() == [first, second, third]
    assert store.roots(1) == [second, third]
    assert store.roots(1, 1) == [second]
    assert store.roots(3) == []


# --- threads -------------------------------------------------------------------------------------------


def test_of_64_all_in_on_one_wallet_exactly_one_is_accepted(store):
    put(store, "people", buy("Ann", 100))
    outcomes, start = [], Barrier(64)

    def all_in(number):
        start.wait()
        outcomes.extend(store.write([append(f"table/{number}", 0, bet("Ann", 100))]))

    together(64, all_in)
    assert sorted(kinds(outcomes)) == ["Appended"] + 63 * ["NotEnough"]
    assert store.balances("wallet/") == {"wallet/Ann": 0}


def test_readers_never_see_a_gap_while_writers_write(store):
    seen: list[int] = []

    def work(number):
        if number < 4:
            for _ in range(15):
                while not isinstance(store.write([append("t", store.head("t").version)])[0], Appended):
                    pass
        else:
            after = 0
            while after < 60:
                after += len(found := store.read("t", after))
                seen.extend(entry.version for entry in found)

    together(5, work)
    assert seen == list(range(1, 61))


def together(number, work):
    threads = [Thread(target=work, args=(index,)) for index in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_a_waiting_reader_is_notified(store):
    put(store, "table/1")
    put(store, "table/2")
    heard: dict[str, int] = {}
    while len(heard) < 2:
        heard |= (found := store.wait_for_writes(2))
        assert found
    assert heard == {"table/1": 1, "table/2": 1}
    assert store.wait_for_writes(0.01) == {}


def test_any_batches_leave_the_same_in_every_store(store):
    """The hash of the last root is over everything that was written."""
    furnish(store, Random(1))
    assert store.roots()[-1].hash == "09dbeb74612c928f1745e790f4c0f1858deacca229b70199b01946d4ebc979d4"
