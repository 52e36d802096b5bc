// Figures as the lab writes them.
import { dollars } from "../parts.js";

const MINUS = "\u2212";

/** 0.0036 is "0.36%". @param {number} part */
export function percent(part) {
  const shown = (Math.abs(part) * 100).toFixed(2);
  return part < 0 && Number(shown) !== 0 ? `${MINUS}${shown}%` : `${shown}%`;
}

/** The same with more digits. @param {number} part */
export const exact = (part) => `${part < 0 ? MINUS : ""}${(Math.abs(part) * 100).toFixed(6)}%`;

/** Cents as dollars with two decimals. @param {number} cents */
export function money(cents) {
  const rounded = Math.round(cents);
  return dollars(Math.abs(rounded) % 100 && Math.abs(rounded) < 100_000 ? rounded : Math.round(rounded / 100) * 100);
}

/**
 * What a change is worth; NaN where it cannot be taken back alone.
 * @param {number | null} worth
 * @returns {{words: string, kind: string}}
 */
export function worthWords(worth) {
  if (worth === null) return { words: "Calculating…", kind: "" };
  if (Number.isNaN(worth)) return { words: "Needs the other changes", kind: "" };
  const shown = percent(Math.abs(worth));
  if (shown === "0.00%")
    return { words: Math.abs(worth) < 1e-9 ? "No effect on the edge" : "Less than 0.01%", kind: "" };
  return worth > 0
    ? { words: `${shown} better for you`, kind: "good" }
    : { words: `${shown} worse for you`, kind: "bad" };
}

const NUMBERS = [
  "no",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

/** "two rules". @param {number} count @param {string} word */
export const counted = (count, word) => `${NUMBERS[count] ?? count} ${word}${count === 1 ? "" : "s"}`;

/** "division-15" is "Division 15". @param {string} name */
export const casino = (name) => name.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase());
