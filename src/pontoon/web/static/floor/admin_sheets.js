// The building blocks of the administration page.
import { make } from "../parts.js";

/** A part of the page with its heading and tools. @param {string} title @param {any[]} tools @param {...any} content */
export function sheet(title, tools, ...content) {
  const head = make("div", { class: "row" }, make("h2", {}, title), make("span", { class: "space" }), ...tools);
  return make("section", { class: "sheet", "data-sheet": title }, head, ...content);
}

/**
 * A table that scrolls sideways where there is no room.
 * @param {string} label
 * @param {string[]} head
 * @param {HTMLElement} rows
 * @param {number[]} [numbers] columns with numbers
 */
export function table(label, head, rows, numbers = []) {
  const columns = head.map((one, place) => make("th", { scope: "col", class: numbers.includes(place) && "num" }, one));
  const made = make("table", {}, make("thead", {}, make("tr", {}, ...columns)), rows);
  // On a phone the name of a column stands before each value.
  for (const [place, one] of head.entries()) made.style.setProperty(`--column-${place + 1}`, JSON.stringify(one));
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, made);
}
