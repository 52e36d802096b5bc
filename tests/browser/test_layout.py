"""Nothing on the table covers anything else: every seat, any company, all sizes of screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.hall import Hall, People

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES = [(1920, 1080), (1280, 800), (1100, 760), (1024, 768), (820, 1180), (390, 844), (360, 640), (844, 390)]
BOXES = list(range(1, 8))

DRAW = """
(told) => {
  const cloth = document.querySelector("pontoon-table");
  const names = ["", "Kit", "Benedict", "Cal", "Dee", "Eleanor", "Fay", "Gus"];
  const cards = ["8s", "Kc", "5h", "2d", "3c"];
  const me = cloth.model.me.name;
  const who = (box) => (box === told.mine ? me : names[box]);
  const settled = [{ result: "win", net: 3750, words: "wins 3:2", clauses: ["1.1"], odds: "3:2" }];
  const hand = (player) => {
    const wagers = [{ player, stake: 10000, ...(told.ended ? { settled } : {}) }];
    return { cards: cards.slice(0, told.cards ?? 2), total: 18, words: told.words ?? "18", wagers };
  };
  const dealt = (box) => (box === told.mine ? (told.hands ?? 1) : told.splits ? (box % 4) + 1 : 1);
  const hands = (box) => (told.betting ? 0 : dealt(box));
  const boxes = told.players.map((box) => ({
    number: box,
    controller: who(box),
    bettors: [{ player: who(box), stake: 2500 }],
    hands: Array.from({ length: hands(box) }, () => hand(who(box))),
  }));
  const dealer = told.betting ? null : { cards: cards.slice(0, told.ended ? 5 : 1), total: 6, words: "6" };
  const turn = told.betting || told.ended ? null : [told.mine || told.players[0], 1];
  const stage = told.ended ? "ended" : told.betting ? "wagers" : "decision";
  const seats = told.players.map((box) => ({ box, player: who(box) }));
  const round = { stage, boxes, turn, dealer, choices: [] };
  const view = { ...cloth.model.view, phase: told.betting ? "ready" : "round", due: undefined, round, seats };
  const log = [{ type: "CardDealt", words: "Box 1, hand 1: 8s Kc = 18", clauses: ["1"] }];
  cloth.settled = null;
  cloth.update({ ...cloth.model, view, events: [], pending: {}, log });
}
"""
"""Draw a round as the server would describe it."""

OVERLAPS = """
() => {
  const cloth = document.querySelector("pontoon-table");
  const cut = (one) => getComputedStyle(one).clipPath !== "none";
  const clipped = (one) => one && one !== cloth && (cut(one) || clipped(one.parentElement));
  const found = [];
  const add = (group, items) => {
    for (const item of items) {
      if (!item.checkVisibility({ visibilityProperty: true }) || clipped(item)) continue;
      const at = item.getBoundingClientRect();
      if (at.width > 1) found.push({ group, name: `${group} ${item.className || item.localName}`, at });
    }
  };
  const all = (selector, from = cloth) => from.querySelectorAll(selector);
  for (const part of ["bonus", "sign", "shoe", "dealer", "call"])
    add(part, all(`.${part} :is(dt, dd, h2, h3, p:not(.said), .said > *, .card, .total b)`));
  add("log", document.querySelectorAll("#words > summary"));
  add("bar", document.querySelectorAll("#rail"));
  for (const box of all(".box")) {
    const spot = box.matches(".empty, .betting") ? [".spot"] : box.matches(".stage") ? [".hand"] : [];
    add(`box ${box.dataset.box}`, all([".card", ".total b", ".result", ".wager", "h3 > *", ...spot].join(), box));
  }
  const told = new Set();
  const felt = cloth.getBoundingClientRect();
  found.forEach(({ group, name, at }, place) => {
    const across = at.left >= felt.left - 1 && at.right <= felt.right + 1;
    const along = at.top >= felt.top - 1 && at.bottom <= felt.bottom + 1;
    if (!(across && along) && !["log", "bar"].includes(group)) told.add(`${name} is cut`);
    for (const other of found.slice(place + 1)) {
      const wide = Math.min(at.right, other.at.right) - Math.max(at.left, other.at.left);
      const high = Math.min(at.bottom, other.at.bottom) - Math.max(at.top, other.at.top);
      if (group !== other.group && wide > 1 && high > 1) told.add(`${name} covers ${other.name}`);
    }
  });
  return [...told];
}
"""


def rounds(mine: int) -> Iterator[dict[str, Any]]:
    """Situations in which the user sits at this box."""
    few = sorted({mine, mine % 7 + 1, (mine + 2) % 7 + 1})
    yield from ({"betting": True, "players": players} for players in (BOXES, few))
    yield from ({"hands": hands, "players": BOXES} for hands in (1, 2, 3, 4))
    yield {"players": BOXES, "cards": 5, "words": "soft 18"}
    yield {"players": BOXES, "splits": 1, "cards": 3}
    yield from ({"players": BOXES, "ended": True, "hands": hands} for hands in (1, 2))
    yield from ({"players": players, "cards": 5} for players in (few, [mine]))


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_nothing_on_the_table_covers_anything_else(house: Hall, people: People, width: int, height: int):
    ann = await people.come("Ann", settings={"log": False})
    await ann.page.set_viewport_size({"width": width, "height": height})
    await ann.at(await house.table("canberra", "8s 9h", name="Under the lake lights"))
    situations = [{"mine": box, **one} for box in BOXES for one in rounds(box)]
    watched = [{"mine": 0, "players": BOXES}, {"mine": 0, "players": BOXES, "betting": True}]
    for situation in situations + watched:
        await ann.page.evaluate(DRAW, situation)
        assert await ann.page.evaluate(OVERLAPS) == [], situation
