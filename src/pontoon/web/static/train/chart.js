// The strategy chart as a grid; the current square can be marked, and the whole can be printed.
import { make } from "../parts.js";

/**
 * A square: its block, the heading of its row, the dealer's card.
 * @typedef {{block: string, row: string, column: string}} Mark
 */

const TITLES = { hard: "Hard totals", soft: "Soft totals", pairs: "Pairs", forfeit: "Doubled hands" };

/**
 * The blocks of a chart, or the rows of one of them around a square.
 * @param {Lab.ChartPart} chart
 * @param {Mark | null} [mark] the square to mark
 * @param {boolean} [whole] all blocks, not only the rows around the marked square
 */
export function chartGrid({ upcards, blocks, legend }, mark = null, whole = !mark) {
  const shown = whole ? blocks : blocks.filter((one) => one.name === mark?.block);
  const here = (block) => (block.name === mark?.block ? mark : null);
  const tables = shown.map((block) => table(block, upcards, here(block), whole));
  const signs = legend.map(({ sign, words }) => make("span", {}, make("b", {}, sign), ` ${words}`));
  const reach = { tabindex: 0, role: "region", "aria-label": "Strategy chart" }; // keys scroll it where it is wider
  return make("div", { class: "chart-grid", ...reach }, ...tables, make("p", { class: "legend" }, ...signs));
}

/** @param {any} block @param {string[]} upcards @param {Mark | null} mark @param {boolean} whole */
function table(block, upcards, mark, whole) {
  const { row, column } = mark ?? {};
  const head = make("tr", {}, make("td"), ...upcards.map((card) => make("th", { scope: "col" }, card)));
  const up = column === "K" ? "JQK" : column;
  const line = (one) => {
    const cell = ({ code, words }, at) => {
      const marked = one.hand === row && upcards[at] === up;
      const attributes = {
        class: `code-${code[0]}${marked ? " marked" : ""}`,
        title: words,
        "aria-current": marked ? "true" : null,
      };
      return make(
        "td",
        attributes,
        make("span", { "aria-hidden": "true" }, code),
        make("span", { class: "visually-hidden" }, words),
      );
    };
    return make("tr", {}, make("th", { scope: "row" }, one.hand), ...one.cells.map(cell));
  };
  const rows = whole ? block.rows : around(block.rows, row);
  return make(
    "table",
    {},
    make("caption", {}, TITLES[block.name] ?? block.title),
    make("thead", {}, head),
    make("tbody", {}, ...rows.map(line)),
  );
}

/** The marked row and its neighbours. */
function around(rows, row) {
  const at = rows.findIndex((one) => one.hand === row);
  return at < 0 ? rows : rows.slice(Math.max(0, at - 3), at + 4);
}

/**
 * A square as the server names it, as the chart's rows are headed.
 * @param {{block: string, row: string, column: string}} square
 */
export function markOf({ block, row, column }) {
  const names = {
    soft: (total) => `A-${total === "12" ? "A" : Number(total) - 11}`,
    pairs: (pair) => (pair[0] === "K" ? "JQK" : pair.split("").join("-")),
  };
  return { block, row: names[block]?.(row) ?? row, column };
}
