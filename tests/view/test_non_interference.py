"""Nothing that leaves depends on a card that is not dealt.

Two tables receive the same commands. What was seen is equal at both; every card that nobody saw (the stack, cards
burned face down, the order of every shuffle) is mixed anew at the second one, again and again. Whatever either gives
to any viewer must be the same bytes at both.

The commitment is the same made-up one at both tables: a root binds the undealt cards, so it must differ if they do;
that it reveals nothing about them is ensured by its salts (tests/table/test_commitment.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

import msgspec
import pytest

from pontoon.cards import PACK
from pontoon.engine.events import CardBurned, CardExposed
from pontoon.rulebook import NAMES, load
from pontoon.table import Table
from pontoon.table.events import BurnShown, InRound
from pontoon.view.table import encoded, view
from pontoon.view.table_events import event_view
from pontoon.view.table_parts import TableView
from pontoon.view.viewer import Viewer, viewer_class
from tests.table.desk import name_of
from tests.view.twins import Step, Twins

VIEWERS = (Viewer(), Viewer("Ann"), Viewer("Cal"), Viewer("Zoe"), Viewer(official=True))
TABLES: list[tuple[str, str, dict[str, bool]]] = [
    (name, device, {}) for name in NAMES for device in load(name).shoe.devices
]
TABLES.append(("adelaide", "manual", {"face_down": True}))
STEPS = 160
LARGEST = 16_000
FACE = re.compile(r"(?<![\w.(])[A2-9JQK][cdhs](?![\w)])")


def strings(value: object) -> Iterator[str]:
    """All the texts in a decoded view."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def told(data: bytes) -> tuple[Counter[str], set[str]]:
    """The cards in a view, and the faces named in its sentences and in the facts of its refusals."""
    read = msgspec.json.decode(data)
    texts = list(strings(read))
    rows = (read.get("round") or {}).get("choices", ()) if isinstance(read, dict) else ()
    again = Counter(text for row in rows for no in row.get("refused", ()) for text in strings(no.get("facts", {})))
    cards = Counter(text for text in texts if text in PACK)
    cards.subtract({text: count for text, count in again.items() if text in PACK})  # about a card on the layout
    return +cards, {face for text in texts for face in FACE.findall(text)}


def check_views(twins: Twins, look: Callable[[Table, Viewer], TableView] = view) -> bytes:
    """Equal bytes for every viewer, equal for equal classes, no card but those of the round, small, readable."""
    table = twins.first
    public = Counter(str(card) for card in table.of_round)
    if table.round is not None and table.round.exposed in PACK:  # the joker is not part of the pack and is not shown
        public[table.round.exposed] += 1
    by_class: dict[str, bytes] = {}
    data = b""
    for viewer in VIEWERS:
        data = encoded(look(table, viewer))
        assert data == encoded(look(twins.second, viewer))
        key = viewer_class(table, viewer)
        if key in by_class:
            assert by_class[key] == data
            continue
        by_class[key] = data
        cards, faces = told(data)
        assert cards == public if not table.face_down else cards <= public
        assert faces <= set(public)
        assert len(data) < LARGEST
        assert encoded(msgspec.json.decode(data, type=TableView)) == data
    return data


def check_events(one: Step, two: Step) -> None:
    """Equal bytes of what each viewer is told; a face only of a card that lies there or was seen as it went."""
    event, before, after = one
    by_class: dict[str, bytes] = {}
    inner = event.event if isinstance(event, InRound) else None
    seen = {str(inner.card)} if isinstance(inner, CardBurned | CardExposed) else set()
    public = {str(card) for card in after.on_layout} | seen
    for viewer in VIEWERS:
        told_first, told_second = event_view(event, before, after, viewer), event_view(*two, viewer)
        data = msgspec.json.encode(told_first)
        assert by_class.setdefault(viewer_class(after, viewer, (event,)), data) == data
        if isinstance(event, BurnShown) and event.player == viewer.player:
            assert told_first is not None
            assert told_first.facts["card"] == before.shoe.burned
            continue
        assert data == msgspec.json.encode(told_second)
        cards, faces = told(data)
        assert set(cards) | faces <= public, (event, viewer)


@pytest.mark.parametrize(("book", "device", "more"), TABLES)
def test_no_viewer_sees_a_card_that_is_not_dealt(book, device, more):
    sizes: list[int] = []
    names: Counter[str] = Counter()
    for seed in range(2):
        twins = Twins(book, device, seed, **more)
        for _ in range(STEPS):
            twins.step(trouble=0.12)
            for one, two in twins.done:
                names[name_of(one[0])] += 1
                check_events(one, two)
            sizes.append(len(check_views(twins)))
            twins.mix()
            check_views(twins)
    print(f"{book} {device}: {len(sizes)} views, largest {max(sizes)} bytes, mean {sum(sizes) // len(sizes)}")  # noqa: T201
    assert names["CardDealt"] > 50
    assert names["CardsCollected"]


@pytest.mark.parametrize("book", ["adelaide", "division-15", "canberra"])
def test_discards_shuffled_in_mid_round_are_nobodys_either(book):
    twins = Twins(book, "manual", 4)
    while not twins.first.on_layout:
        twins.go_on()
    twins._hurry(2)
    names: set[str] = set()
    for _ in range(60):
        twins.step(trouble=0)
        for one, two in twins.done:
            names.add(name_of(one[0]))
            check_events(one, two)
        twins.mix()
        check_views(twins)
    assert "DiscardsShuffled" in names


@pytest.mark.parametrize("book", NAMES)
def test_the_second_table_really_is_another(book):
    """The comparison would prove nothing if both were the same table."""
    twins = Twins(book, "manual", 3)
    differ = 0
    for _ in range(120):
        twins.go_on()
        twins.mix()
        differ += twins.first.shoe.stack != twins.second.shoe.stack
    assert differ > 60


def test_the_test_notices_a_leak():
    """The next card, leaked through a field that seems harmless."""
    twins = Twins("star", "manual", 1)
    while twins.first.phase != "round":
        twins.go_on()
    while twins.first.shoe.stack[0] == twins.second.shoe.stack[0]:
        twins.mix()
    check_views(twins)

    def leaky(table: Table, viewer: Viewer) -> TableView:
        return msgspec.structs.replace(view(table, viewer), due=str(table.shoe.stack[0]))

    with pytest.raises(AssertionError):
        check_views(twins, leaky)
