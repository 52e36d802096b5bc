// Shared by all panels: their style sheet, requests that take a while, saving a file, citing a clause.
import { button, make } from "../parts.js";

const SHEET = "/static/panels/panels.css";
const OFTEN = 600; // milliseconds between two requests while the server prepares its answer
const TRIES = 100;

/** A panel beside the table: `build` makes it once, `update` is called with every new model. */
export class Panel extends HTMLElement {
  /** @type {any} */
  connection = null;
  /** @type {any} */
  model = null;

  build() {}

  connectedCallback() {
    this.classList.add("panel");
    if (!document.querySelector(`link[href="${SHEET}"]`))
      document.head.append(make("link", { rel: "stylesheet", href: SHEET }));
    if (!this.firstElementChild) this.build();
  }

  /**
   * The result of some work; where it fails the reason is shown, and there is no result.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T | undefined>}
   */
  async attempt(work) {
    try {
      return await work();
    } catch (problem) {
      const detail = { words: problem.words ?? String(problem), clauses: problem.clauses };
      if (this.isConnected) this.dispatchEvent(new CustomEvent("problem", { bubbles: true, detail }));
      return undefined;
    }
  }
}

/**
 * Repeat a request until the server has calculated the answer; null if it takes too long or is no longer wanted.
 * @param {import("../connection.js").Connection} connection
 * @param {string} path
 * @param {() => boolean} wanted
 */
export async function prepared(connection, path, wanted = () => true) {
  for (let tries = 0; tries < TRIES && wanted(); tries += 1) {
    const reply = await connection.get(path);
    if (reply.status !== "preparing") return reply;
    await new Promise((resolve) => {
      setTimeout(resolve, OFTEN);
    });
  }
  return null;
}

/**
 * Save a file that needs the token.
 * @param {import("../connection.js").Connection} connection
 * @param {string} path
 * @param {string} name
 */
export async function save(connection, path, name) {
  const reply = await connection.get(path);
  const text = typeof reply === "string" ? reply : JSON.stringify(reply, null, 1);
  const link = make("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * A small button that opens the clauses; null if there are none.
 * @param {string[]} [clauses]
 * @param {string} [words]
 * @param {string} [rulebook]
 */
export function cite(clauses, words, rulebook) {
  if (!clauses?.length) return null;
  const open = (event) =>
    event.currentTarget.dispatchEvent(new CustomEvent("why", { bubbles: true, detail: { clauses, words, rulebook } }));
  const short = clauses.length > 1 ? `${clauses[0]} +${clauses.length - 1}` : clauses[0];
  return button(short, open, { class: "cite", "aria-label": `Clause ${clauses.join(", ")}: ${words}` });
}

/**
 * A table with a caption; the first cell of each row is its heading.
 * @param {string} caption
 * @param {string[]} heading
 * @param {any[][]} rows
 */
export function grid(caption, heading, rows) {
  const head = make("tr", {}, ...heading.map((one) => make("th", { scope: "col" }, one)));
  const line = (/** @type {any[]} */ [first, ...rest]) =>
    make("tr", {}, make("th", { scope: "row" }, first), ...rest.map((one) => make("td", {}, one ?? "")));
  const table = make(
    "table",
    {},
    make("caption", {}, caption),
    make("thead", {}, head),
    make("tbody", {}, ...rows.map(line)),
  );
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, table);
}
