// Chips and cash: the counts of the float, fills and credits, buy-ins and cash-outs.
import { button, dollars, make } from "../parts.js";
import { amountField, chip, choice, form } from "./common.js";

const WORTHS = [50_000, 10_000, 2_500, 500, 250, 100];
const KINDS = [
  ["buy_in", "Buy-in"],
  ["cash_out", "Cash-out"],
  ["fill", "Fill"],
  ["credit", "Credit"],
  ["count", "Count"],
  ["closing", "Closing count"],
];

/** @param {any} page */
export function cashier(page) {
  if (page.told.tray === null) return opening(page);
  const rows = make("div", { class: "stack" });
  /** @type {() => any} */
  let read = () => ({});
  const what = choice("What", KINDS, "buy_in", (kind) => {
    const [shown, value] = ["count", "closing"].includes(kind) ? counting(page.told.tray) : amount(page, kind);
    rows.replaceChildren(...shown);
    read = value;
  });
  return form("Chips and float", [what, rows], "Record it", async () => {
    const said = read();
    await seated(page, said.player);
    await page.give({ type: "MoveChips", kind: what.value, ...said });
  });
}

/** A player who buys chips at a free seat sits down there. */
async function seated(page, player) {
  const free = freeSeats(page).find((box) => `Seat ${box}` === player);
  if (free) await page.give({ type: "Sit", player, box: free }).catch(() => {});
}

/** Boxes at which nobody sits or bets. */
function freeSeats(page) {
  const taken = new Set(page.told.patrons.map((one) => one.box));
  return Array.from({ length: page.view.cloth.boxes }, (_, place) => place + 1).filter((box) => !taken.has(box));
}

/** @returns {[any[], () => any]} */
function amount(page, kind) {
  const money = amountField("Amount");
  const slip = make("input", { maxlength: 40 });
  if (!["buy_in", "cash_out"].includes(kind))
    return [
      [money.row, make("label", { class: "field" }, make("span", {}, "Slip number"), slip)],
      () => ({ amount: money.value(), slip: slip.value }),
    ];
  const people = page.told.patrons.map((one) => [one.player, `${one.player} (${dollars(one.chips)})`]);
  const newcomers = kind === "buy_in" ? freeSeats(page).map((box) => [`Seat ${box}`, `Seat ${box}`]) : [];
  const named = [...people, ...newcomers];
  if (!named.length)
    return [[make("p", {}, "Nobody is at the table.")], () => fail("Nobody is at the table to cash out.")];
  const who = choice("Who", named, named[0][0]);
  return [[who, money.row], () => ({ amount: money.value(), player: who.value })];
}

/** @returns {any} */
function fail(words) {
  throw new Error(words);
}

/**
 * Steppers for every chip; the sum and the difference are shown while counting.
 * @param {number | null} due
 * @returns {[any[], () => any]}
 */
function counting(due) {
  const counts = new Map(WORTHS.map((worth) => [worth, 0]));
  const sum = make("p", { class: "big-sum", role: "status" });
  const show = () => {
    const total = WORTHS.reduce((all, worth) => all + worth * (counts.get(worth) ?? 0), 0);
    const off = due === null ? 0 : total - due;
    const difference = off ? `, ${dollars(Math.abs(off))} ${off < 0 ? "short" : "over"}` : ", agrees";
    sum.textContent = `Counted ${dollars(total)}${due === null ? "" : difference}`;
    sum.dataset.off = String(Boolean(off));
  };
  const rows = WORTHS.map((worth) => {
    const input = make("input", {
      type: "number",
      min: 0,
      max: 10_000,
      value: 0,
      "aria-label": `${dollars(worth)} chips`,
    });
    const set = (value) => {
      input.value = String(Math.max(0, value));
      counts.set(worth, Number(input.value));
      show();
    };
    input.addEventListener("input", () => set(Number(input.value)));
    return make(
      "div",
      { class: "stepper" },
      chip(worth),
      button("−", () => set(Number(input.value) - 1), {
        class: "btn",
        "aria-label": `One ${dollars(worth)} chip less`,
      }),
      input,
      button("+", () => set(Number(input.value) + 1), {
        class: "btn",
        "aria-label": `One ${dollars(worth)} chip more`,
      }),
    );
  });
  show();
  return [[...rows, sum], () => ({ chips: [...counts].filter(([, count]) => count) })];
}

/** The first count of a table against its float slip. @param {any} page */
function opening(page) {
  const slip = make("input", { maxlength: 40, placeholder: "88213" });
  const money = amountField("The slip says");
  const [rows, read] = counting(null);
  form(
    "Opening count of the float",
    [make("label", { class: "field" }, make("span", {}, "Float slip"), slip), money.row, ...rows],
    "Count agrees, open the float",
    () => page.give({ type: "MoveChips", kind: "opening", amount: money.value(), slip: slip.value, ...read() }),
  );
}
