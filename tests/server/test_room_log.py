"""What a room sends and stores: frames for every viewer, the log, rounds, marks and postings."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pontoon.cards import PACK, Card
from pontoon.engine import Command, Event, Hit, Limits, Stand, VoidRound
from pontoon.engine import commands as e
from pontoon.rulebook import NAMES
from pontoon.server.rooms import commands as r
from pontoon.server.rooms import frames, log
from pontoon.server.rooms.log import Body, RoundKept, SeedKept, read_body, write_body
from pontoon.server.rooms.room import Room
from pontoon.server.rooms.settings import Clocks, Settings
from pontoon.server.rooms.state import RoomState
from pontoon.server.wire import family
from pontoon.table import commands as c
from pontoon.table.events import InRound, ShoeRevealed, TableEvent
from pontoon.view.table_parts import RoundView
from pontoon.view.viewer import Viewer
from tests.server.hall import CLOCKS, ID, MAKER, STIFF, Hall, kept

# --- what leaves ---------------------------------------------------------------------------------------

VIEWERS = (Viewer("Ann"), Viewer("Ben"), Viewer(), Viewer("Olive", official=True))


def sent(hall: Hall, viewer: Viewer) -> list[str]:
    """Every frame of an evening for one viewer."""
    texts = []
    for state, happened in hall.told:
        texts.append(frames.encoded(frames.step(state, state.version, happened, viewer)))
        texts.append(frames.encoded(frames.snapshot(state, viewer)))
    return texts


def seen(state: RoomState, viewer: Viewer) -> RoundView:
    view = frames.snapshot(state, viewer).view.round
    assert view is not None
    return view


def test_every_event_of_a_room_has_its_row_and_only_these():
    assert set(frames.ROOM_FACTS) == set(family(log.RoomEvent))


@pytest.mark.parametrize("book", NAMES)
def test_the_seed_of_a_shoe_leaves_only_when_the_table_reveals_it(book):
    hall = Hall(book, clocks=Clocks(card=0)).ready("Ann 1")
    for number in (1, 2):
        hall.bet("1 Ann 10").run(lambda hall, number=number: len(kept(hall)) == number)  # type: ignore[misc]
    hall.do("Olive, game supervisor", c.OrderShuffle("dealer", "suspect", "a bent card"))
    hall.run(lambda hall: hall.table.shoe_number == 2)
    events = [step.event for _, happened in hall.told for step in happened]
    seeds = [event.seed for event in events if isinstance(event, SeedKept)]
    revealed = [event.seed for event in events if isinstance(event, ShoeRevealed)]
    assert len(seeds) == 2
    assert revealed == seeds[:1]
    for viewer in VIEWERS:
        texts = sent(hall, viewer)
        assert not any("SeedKept" in text or seeds[1] in text for text in texts)
        shown = [number // 2 for number, text in enumerate(texts) if seeds[0] in text]
        at = next(
            number
            for number, (_, many) in enumerate(hall.told)
            if any(isinstance(step.event, ShoeRevealed) for step in many)
        )
        assert min(shown) == at


def test_face_down_cards_are_seen_by_their_bettors_only():
    hall = Hall("adelaide", face_down=True).ready("Ann 1", "Ben 2")
    hall.dealt("9c 8d 7s 9h 8s", "1 Ann 10", "2 Ben 10")
    state, happened = hall.told[-1]
    cards = {viewer.player: [box.hands[0].cards for box in seen(state, viewer).boxes] for viewer in VIEWERS}
    assert cards["Ann"] == [("9c", "9h"), ("??", "??")]
    assert cards["Ben"] == [("??", "??"), ("8d", "8s")]
    assert cards[""] == cards["Olive"] == [("??", "??"), ("??", "??")]
    assert any(step.proofs for _, many in hall.told for step in many)
    assert all(frames.step(told, 1, many, Viewer("Ann")).proofs == () for told, many in hall.told), "a proof shows"
    assert happened


def test_a_private_table_and_what_the_room_shows_of_itself():
    hall = Hall("star", private=True, practice=True, name="Corner", overrides={"split.max_hands": 2}, clocks=CLOCKS)
    hall.ready("Ann 1").do(MAKER, r.SeatBot(2))
    hall.bet("1 Ann 10")
    view = frames.room_view(hall.state)
    assert (view.private, view.practice, view.name, view.made_by) == (True, True, "Corner", MAKER)
    assert (view.waits, view.players, view.clock, view.card) == ("wagers", ("Ann", "bot T1 2"), 0, 300)
    assert [(bot.player, bot.box, bot.kind) for bot in view.bots] == [("bot T1 2", 2, "chart")]
    assert view.overrides == {"split.max_hands": 2}
    hall.do("Ben", c.Sit("", 3))
    assert frames.room_view(hall.state).clock == 11_000, "nobody is timed alone in practice"
    waiting = Hall("adelaide").ready("Ann 1").dealt(STIFF, "1 Ann 10")
    waiting.do("Rita, game supervisor", VoidRound())
    (ruling,) = frames.room_view(waiting.state).proposals
    assert (ruling.number, ruling.by, ruling.role, ruling.what) == (1, "Rita", "game_supervisor", "VoidRound")


# --- what is kept --------------------------------------------------------------------------------------


def evening(book: str, rounds: int = 12) -> Hall:
    """Two players who always time out, a co-bettor, and three kinds of bots."""
    hall = Hall(book, clocks=Clocks(card=0)).ready("Ann 1", "Ben 2")
    hall.do(MAKER, r.SeatBot(3, "random"), r.SeatBot(4), r.SeatBot(5, "absent"))
    for number in range(rounds):
        hall.bet("1 Ann 10", "2 Ben 20", *(["1 Eve 10"] if number % 2 else []))
        if number % 3 == 0:
            hall.do("Ben", e.TakeBack(2, ""))
        hall.run(lambda hall: hall.table.phase != "ready").phase("ready")
        hall.to("wagers")
    return hall


@pytest.fixture(scope="module")
def evenings() -> dict[str, Hall]:
    return {book: evening(book) for book in NAMES}


@pytest.mark.parametrize("book", NAMES)
def test_a_round_kept_says_what_moved_in_the_wallets(evenings, book):
    hall = evenings[book]
    rounds = kept(hall)
    assert len(rounds) >= 12
    versions = {
        int(mark.split(":")[1]): entry.version
        for entry in hall.entries
        for mark in entry.marks
        if mark.startswith("round:")
    }
    for kept_round in rounds:
        inside = hall.entries[kept_round.first - 1 : versions[kept_round.number]]
        assert f"began:{kept_round.number}" in inside[0].marks
        moved = [part for entry in inside for part in entry.postings if part.account.startswith("wallet/")]
        net = Counter[str]()
        out = Counter[str]()
        for part in moved:
            player = part.account.removeprefix("wallet/")
            net[player] += part.amount
            out[player] -= min(part.amount, 0)
        assert {player: amount for player, _, amount in kept_round.players} == dict(net)
        for player, staked, amount in kept_round.players:
            assert staked >= out[player], "an entry nets what it moves"
            assert staked >= max(0, -amount)


@pytest.mark.parametrize("book", NAMES)
def test_marks_find_a_round_and_its_players(evenings, book):
    hall = evenings[book]
    for entry in hall.entries:
        events = read_body(entry.body).events
        ended = [event for event in events if isinstance(event, RoundKept)]
        assert ("round" in entry.marks) == bool(ended)
        for one in ended:
            assert {f"round:{one.number}", *(f"player:{player}" for player, _, _ in one.players)} <= set(entry.marks)
        assert len(entry.marks) == len(set(entry.marks))


@pytest.mark.parametrize("book", NAMES)
def test_postings_sum_to_zero_and_no_escrow_is_left(evenings, book):
    total: Counter[str] = Counter()
    for entry in evenings[book].entries:
        assert sum(posting.amount for posting in entry.postings) == 0
        for posting in entry.postings:
            total[posting.account] += posting.amount
    assert [account for account, amount in total.items() if account.startswith("escrow/") and amount] == []


@pytest.mark.parametrize("book", NAMES)
def test_a_room_made_again_from_its_log_is_the_same_room(evenings, book):
    hall = evenings[book]
    again = Room(ID, lambda _: b"\xff" * 32)
    proofs = [[step.proofs for step in again.apply(entry)] for entry in hall.entries]
    assert again.state == hall.state
    assert proofs == [[step.proofs for step in happened] for _, happened in hall.told]
    assert again.program.keeper.seed == hall.room.program.keeper.seed
    assert again.plan() == hall.room.plan()


@pytest.mark.parametrize("book", NAMES)
def test_the_log_reads_back_as_it_was_written(evenings, book):
    for (_, happened), entry in zip(evenings[book].told, evenings[book].entries, strict=True):
        body = read_body(entry.body)
        assert write_body(body) == entry.body
        assert body.events == tuple(step.event for step in happened)


def anything(hint: Any) -> st.SearchStrategy[Any]:
    """A value of this kind."""
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) is tuple:
        inner = [kind for kind in get_args(hint) if kind is not ...]
        if ... in get_args(hint):
            return st.lists(anything(inner[0]), max_size=3).map(tuple)
        return st.tuples(*(anything(kind) for kind in inner))
    if isinstance(hint, type) and issubclass(hint, Event) and hint is Event:
        return st.sampled_from(family(Event)).flatmap(anything)
    if hint == Command | None:
        return st.sampled_from((None, Hit(1), Stand(2, "Ann")))
    known: dict[Any, st.SearchStrategy[Any]] = {
        int: st.integers(-(2**40), 2**40),
        bool: st.booleans(),
        str: st.text(max_size=8),
        Card: st.sampled_from(PACK),
        Limits: st.builds(Limits, st.integers(0, 99), st.integers(0, 99)),
        Settings: st.builds(Settings, st.sampled_from(NAMES), mode=st.sampled_from(("automatic", "floor"))),
        msgspec.Raw: st.just(msgspec.Raw(b'{"type":"Open"}')),
    }
    if hint in known:
        return known[hint]
    fields = get_type_hints(hint)
    return st.builds(hint, **{name: anything(fields[name]) for name in hint.__struct_fields__})


KINDS = (*family(log.RoomEvent), *family(TableEvent))


@pytest.mark.parametrize("kind", [*KINDS, *family(Event)], ids=lambda kind: kind.__name__)
def test_every_kind_of_event_reads_back_as_it_was_written(kind):
    @settings(max_examples=10)
    @given(anything(kind))
    def check(event: Any) -> None:
        whole = InRound(("1",), event) if issubclass(kind, Event) else event
        body = Body("player", c.Play(Hit(1), "Ann"), (whole,))
        assert read_body(write_body(body)) == body

    check()


def test_the_seed_in_a_log_is_that_of_its_commitment(evenings):
    events = [step.event for _, happened in evenings["star"].told for step in happened]
    seed = next(event.seed for event in events if isinstance(event, SeedKept))
    commitment = next(event for event in events if type(event).__name__ == "ShoeCommitted")
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == commitment.seed_hash
