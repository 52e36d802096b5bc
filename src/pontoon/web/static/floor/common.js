// Shared by the floor pages: cards and chips in a row, clauses, dialogs with fields.
import { cardName, cardPicture } from "../card.js";
import { button, cents, dialog, dollars, field, make, titled } from "../parts.js";

/** Suits in the order of the keypad, and their signs. */
export const SUITS = ["s", "h", "c", "d"];
export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "J", "Q", "K"];
const SIGNS = { s: "♠", h: "♥", c: "♣", d: "♦" };

/** "7s" is "7♠". @param {string} card */
export const face = (card) => (SIGNS[card[1]] ? card[0] + SIGNS[card[1]] + "\uFE0E" : card);

/** "division-15" is "Division 15". @param {string} name a rulebook */
export const rulesName = (name) => titled(name.replaceAll("-", " "));

/** Cards side by side. @param {readonly string[]} codes @param {(card: string, place: number) => any} [more] */
export function hand(codes, more = () => ({})) {
  const cards = codes.map((code, place) =>
    make("span", { class: "one", role: "img", "aria-label": cardName(code), ...more(code, place) }, cardPicture(code)),
  );
  return make("span", { class: "cards" }, ...cards);
}

const CHIPS = [500_000, 100_000, 50_000, 10_000, 2_500, 500, 250, 100, 50];

/** The chips the dealer cuts for an amount: "$25 × 2". @param {number} amount in cents */
export function cut(amount) {
  const found = [];
  let left = amount;
  for (const worth of CHIPS) {
    const count = Math.floor(left / worth);
    if (count) found.push([worth, count]);
    left -= count * worth;
  }
  return found;
}

/** A chip with its worth. @param {number} worth in cents */
export const chip = (worth) =>
  make("span", { class: "chip", "data-worth": worth, "aria-hidden": "true" }, dollars(worth).replace("$", ""));

/** The chips of an amount. @param {number} amount */
export const chips = (amount) =>
  make(
    "span",
    { class: "chips", role: "img", "aria-label": `chips for ${dollars(amount)}` },
    ...cut(amount).map(([worth, count]) => make("span", { class: "stack" }, chip(worth), `×${count}`)),
  );

/**
 * A button that shows clauses; null without any.
 * @param {any} app
 * @param {string} table
 * @param {readonly string[] | undefined} clauses
 */
export function cite(app, table, clauses) {
  if (!clauses?.length) return null;
  return button(clauses[0], () => showClauses(app, table, clauses), {
    class: "cite",
    "aria-label": `What clause ${clauses.join(", ")} says`,
  });
}

/** Paraphrases of clauses. @param {any} app @param {string} table @param {readonly string[]} clauses */
export async function showClauses(app, table, clauses) {
  const rows = await Promise.all(
    clauses.map(async (clause) => {
      const told = await app.connection
        .get(`/api/tables/${table}/rules/clauses/${encodeURIComponent(clause)}`)
        .catch(() => ({ words: "" }));
      return [make("dt", {}, clause), make("dd", {}, told.words || "The document has no more to say.")];
    }),
  );
  const box = dialog("The rules", make("dl", { class: "clauses" }, ...rows.flat()));
  box.append(button("Close", () => box.close(), { class: "btn" }));
}

/**
 * A dialog with fields; what `act` throws is shown in it.
 * @param {string} title
 * @param {any[]} rows
 * @param {string} confirm
 * @param {() => Promise<void>} act
 */
export function form(title, rows, confirm, act) {
  const wrong = make("p", { class: "alarm", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    try {
      await act();
      box.close();
    } catch (problem) {
      wrong.textContent = problem.words ?? problem.message ?? String(problem);
    }
  };
  const box = dialog(
    title,
    make(
      "form",
      { class: "stack", onsubmit: send },
      ...rows,
      wrong,
      make(
        "div",
        { class: "row" },
        button(confirm, () => {}, { type: "submit", class: "btn go" }),
        button("Cancel", () => box.close(), { class: "btn" }),
      ),
    ),
  );
  return box;
}

/** A field for an amount; its value in cents. @param {string} label @param {number} [start] */
export function amountField(label, start) {
  const input = make("input", {
    inputmode: "decimal",
    required: true,
    value: start === undefined ? "" : (start / 100).toFixed(start % 100 ? 2 : 0),
  });
  return {
    row: field(label, input),
    value() {
      const amount = cents(input.value);
      if (!Number.isFinite(amount)) throw new Error(`${label}: an amount such as 25 or 37.50 is needed`);
      return amount;
    },
  };
}

/** A button that names its key. @param {string} words @param {string} key @param {() => void} act @param {any} more */
export function keyed(words, key, act, more) {
  const made = button("", act, more);
  made.append(make("span", {}, words, " ", make("kbd", {}, key)));
  return made;
}

/** More options than this stand in columns. */
const MANY = 8;

/** Choices as buttons of which one is pressed. */
export function choice(label, options, start, act = (/** @type {any} */ _value) => {}) {
  const look = options.length > MANY ? "choice list" : "choice";
  const group = make("div", { class: look, role: "group", "aria-label": label });
  /** Press one without acting on it. */
  group.set = (value) => {
    group.value = value;
    for (const one of group.children) one.setAttribute("aria-pressed", String(one.dataset.value === String(value)));
  };
  const pick = (value) => {
    group.set(value);
    act(value);
  };
  group.append(
    ...options.map(([value, words]) =>
      button(words, () => pick(value), { class: "btn", "data-value": value, "aria-pressed": "false" }),
    ),
  );
  pick(start);
  return group;
}

/** The phases of a table, as the lists say them. */
export const PHASES = {
  closed: "closed",
  preparing: "preparing the cards",
  shuffled: "to be cut",
  cut: "cutting card",
  ready: "wagers open",
  round: "dealing",
  collect: "settling",
};
