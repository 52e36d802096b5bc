// Words and signs of the trainer: actions, days, amounts.
import { dollars, make } from "../parts.js";

export const SIGNS = { hit: "+", stand: "−", double: "×", split: "Y", forfeit: "↩", keep: "✓", surrender: "½" };
export const SAYS = {
  hit: "One more card",
  stand: "No more cards",
  double: "One card, bet ×2",
  split: "Two hands, two bets",
  surrender: "Half the bet back",
  forfeit: "Lose the first bet only",
  keep: "Play for both bets",
};

/** @param {import("./progress.js").Answer[]} answers */
export const costliest = (answers) =>
  answers
    .filter((one) => one.cost)
    .toSorted((a, b) => b.cost - a.cost)
    .slice(0, 10);

/** The heading of a column; amounts are flush right. @param {string} words */
export const heading = (words) => make("th", { scope: "col", class: words.startsWith("Cost") ? "money" : null }, words);

/** "16 Nov". @param {string} day as in 2026-11-16 */
export const dayWords = (day) =>
  new Date(`${day}T12:00`).toLocaleDateString("en-AU", { day: "numeric", month: "short" });

/** "division-15" is "Division 15". @param {string} name */
export const titled = (name) => word(name.replaceAll("-", " "));

export const word = (action) => action.replace(/^./, (letter) => letter.toUpperCase());

/** "$0.61", from cents with fractions. @param {number} amount */
export const cents = (amount) => dollars(Math.round(amount));

/** "+$13.80", "−$6.43". @param {number} amount */
export const signed = (amount) => (amount > 0 ? "+" : "") + dollars(Math.round(amount));
