// Cards and money before and after a ruling: the same for who proposes and for who approves.
import { dollars, make, net } from "../parts.js";
import { hand } from "./common.js";

const key = (one) => `${one.box}.${one.hand}`;

/** @param {any} answer a preview, or an incident */
export function preview(answer, players = answer.players ?? []) {
  const before = answer.before ?? [];
  const after = answer.after ?? [];
  const was = new Map(before.map((one) => [key(one), one]));
  const is = new Map(after.map((one) => [key(one), one]));
  const changed = (one) => JSON.stringify(was.get(key(one))) !== JSON.stringify(is.get(key(one)));
  const shown = (list, other) => {
    const rows = list.filter(changed);
    return rows.length
      ? rows.map((one) => row(one, movedCards(one, other.get(key(one)))))
      : [make("p", { class: "quiet" }, "The cards stay as they lie.")];
  };
  const gone = before.length && !after.length;
  return [
    make("h3", {}, "Cards"),
    make(
      "div",
      { class: "two-pictures" },
      make(
        "section",
        { class: "felt", "aria-label": "Now" },
        make("span", { class: "cap" }, "Before"),
        ...shown(before, is),
      ),
      make(
        "section",
        { class: "felt after", "aria-label": "After the ruling" },
        make("span", { class: "cap" }, "After"),
        ...(gone ? [make("p", {}, "The round is off the table.")] : shown(after, was)),
      ),
    ),
    make("h3", {}, "Money"),
    money(players),
  ];
}

/** The cards of a hand that are not in it on the other side. @param {any} one @param {any} [other] */
function movedCards(one, other) {
  const left = [...(other?.cards ?? [])];
  return one.cards.map((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** @param {any} one @param {boolean[]} marked the cards that move */
function row(one, marked) {
  return make(
    "div",
    { class: "picture-row" },
    make("span", { class: "no" }, one.box ? String(one.box) : "D"),
    make("span", {}, one.players.join(", "), one.stake ? ` ${dollars(one.stake)}` : ""),
    hand(one.cards, (_, place) => (marked[place] ? { class: "one moved" } : {})),
    make("b", {}, one.words, one.results?.length ? `, ${one.results.join(", ")}` : ""),
  );
}

/** @param {any[]} players */
export function money(players) {
  const moved = players.filter(
    (one) => one.layout_before !== one.layout_after || one.net_before !== one.net_after || one.wallet,
  );
  if (!moved.length) return make("p", { class: "quiet" }, "No money moves.");
  const arrow = (from, to, say) => (from === to ? say(from) : `${say(from)} → ${say(to)}`);
  const house = (field) => -players.reduce((sum, one) => sum + one[field], 0);
  const act = (amount) => (amount > 0 ? `Give ${dollars(amount)}` : amount < 0 ? `Take ${dollars(-amount)}` : "");
  const line = (name, ...cells) =>
    make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((one) => make("td", { class: "num" }, one)));
  return make(
    "table",
    {},
    make(
      "thead",
      {},
      make("tr", {}, ...["Who", "On the layout", "Result", "Dealer"].map((one) => make("th", { scope: "col" }, one))),
    ),
    make(
      "tbody",
      {},
      ...moved.map((one) =>
        line(
          one.player,
          arrow(one.layout_before, one.layout_after, dollars),
          arrow(one.net_before, one.net_after, net),
          act(one.wallet),
        ),
      ),
      line("House", "", arrow(house("net_before"), house("net_after"), net), ""),
    ),
  );
}

/**
 * The whole table as a picture, box by box; with `mark` a box can be marked.
 * @param {any} view
 * @param {{box: number, mark: (box: number) => void}} [marking]
 */
export function tablePicture(view, marking) {
  const boxes = (view.round?.boxes ?? []).filter((one) => one.hands?.length);
  const dealer = view.round?.dealer;
  return make(
    "section",
    { class: "felt desk-felt", "aria-label": "The table now" },
    make(
      "div",
      { class: "layout-boxes" },
      ...(boxes.length
        ? boxes.map((one) => layoutBox(one, marking))
        : [make("p", { class: "quiet" }, "No cards are on the table.")]),
    ),
    dealer &&
      make(
        "div",
        { class: "layout-dealer" },
        hand(dealer.cards),
        make("span", {}, "Dealer ", make("b", {}, String(dealer.total))),
      ),
  );
}

function layoutBox(box, marking) {
  const hands = box.hands.map((one) =>
    make("span", { class: "layout-hand" }, hand(one.cards), make("b", {}, one.total ? String(one.total) : "")),
  );
  const stakes = box.bettors.map((bet) => make("small", {}, `${bet.player} ${dollars(bet.stake)}`));
  const content = [make("span", { class: "no" }, String(box.number)), ...hands, ...stakes];
  if (!marking) return make("div", { class: "layout-box" }, ...content);
  const marked = marking.box === box.number;
  return make(
    "button",
    {
      type: "button",
      class: "layout-box",
      "aria-pressed": String(marked),
      "aria-label": `Mark box ${box.number}`,
      onclick: () => marking.mark(box.number),
    },
    ...content,
  );
}
