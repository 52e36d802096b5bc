// A bonus hand that has won: a banner, and for the Super Bonus the whole felt. Never for a round that lost money.
import { cardPicture, isStill } from "./card.js";
import { sumOf } from "./moment.js";
import { dollars, make, net } from "./parts.js";

const BANNER = 3200; // milliseconds
const SUPER = 8000;
const COUNT = 1200; // milliseconds in which the amount counts up
const PRIZES = ["super_bonus"];

/** The round that was celebrated last, so that a reload does not do it again. */
let done = "";

/**
 * @param {HTMLElement} page
 * @param {TableModel} model
 * @param {number} after milliseconds until the last card has landed
 */
export function celebrate(page, { id, view, me, settings }, after) {
  const name = me?.name;
  const key = `${id} ${view.number}`;
  const hands = (view.round?.boxes ?? []).flatMap((box) => box.hands ?? []);
  const own = hands.flatMap((hand) =>
    hand.wagers.filter((one) => one.player === name).map((wager) => ({ hand, wager })),
  );
  const won = own.find(({ hand, wager }) => hand.row && sumOf(wager.settled) > 0);
  if (!won || done === key) return;
  done = key;
  const { hand, wager } = won;
  const all = own.reduce((sum, one) => sum + sumOf(one.wager.settled), 0);
  if (all <= 0) return;
  const prize = wager.settled?.some((one) => PRIZES.includes(one.kind ?? ""));
  setTimeout(() => show(page, hand, wager, Boolean(prize), settings?.speed === "instant"), after);
}

function show(page, hand, wager, prize, quick) {
  const title = prize ? "Super Bonus" : hand.row;
  const amount = make("p", { class: "won" });
  const rows = (wager.settled ?? []).map((one) =>
    make("li", {}, make("b", {}, dollars(one.net)), ` ${one.kind === "super_bonus" ? "Super Bonus" : one.words}`),
  );
  const cards = make("div", { class: "fan", "aria-hidden": "true" }, ...hand.cards.map((card) => cardPicture(card)));
  const box = make(
    "div",
    { class: `celebration${prize ? " super" : ""}`, role: "status" },
    prize && !isStill() && !quick && confetti(),
    make("h2", {}, title),
    prize && cards,
    amount,
    rows.length > 1 && make("ul", { role: "list" }, ...rows),
  );
  page.append(box);
  const end = () => box.remove();
  const sum = sumOf(wager.settled);
  if (prize && !isStill() && !quick) countUp(amount, sum);
  else amount.textContent = net(sum);
  box.addEventListener("click", end);
  setTimeout(() => document.addEventListener("keydown", end, { once: true }), 300);
  setTimeout(end, quick ? 400 : prize ? SUPER : BANNER);
}

const COLOURS = ["#f2c864", "#6bdba4", "#ff9a8b", "#8cc1ff", "#f3f6f4"];
const PIECES = 36;

function confetti() {
  const pieces = Array.from({ length: PIECES }, (_, at) => {
    const piece = make("i");
    piece.style.setProperty("--x", `${Math.random() * 100}%`);
    piece.style.setProperty("--late", `${Math.random() * 1.6}s`);
    piece.style.setProperty("--drift", `${Math.random() * 120 - 60}px`);
    piece.style.setProperty("--colour", COLOURS[at % COLOURS.length]);
    return piece;
  });
  return make("div", { class: "confetti", "aria-hidden": "true" }, ...pieces);
}

function countUp(place, sum) {
  const began = performance.now();
  const step = () => {
    const part = Math.min(1, (performance.now() - began) / COUNT);
    place.textContent = net(Math.round((sum * part) / 100) * 100);
    if (part < 1) requestAnimationFrame(step);
    else place.textContent = net(sum);
  };
  step();
}
