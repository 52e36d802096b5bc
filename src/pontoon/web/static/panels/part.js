// What all panels share: their style sheet, asking until an answer is ready, saving a file, citing a clause.
import { button, make } from "../parts.js";

const SHEET = "/static/panels/panels.css";
const OFTEN = 600,
  TRIES = 100; // milliseconds between two questions while the server prepares its answer

/** A panel beside the table; `draw` is called when what it is drawn from has changed. */
export class Panel extends HTMLElement {
  connection = null;
  model = null;

  connectedCallback() {
    this.classList.add("panel");
    if (!document.querySelector(`link[href="${SHEET}"]`))
      document.head.append(make("link", { rel: "stylesheet", href: SHEET }));
    if (!this.firstElementChild) this.build?.();
  }

  /** Do this, and say in the panel why not where it fails. @template T @param {() => Promise<T>} work */
  async attempt(work) {
    try {
      return await work();
    } catch (problem) {
      if (!this.isConnected) return undefined;
      this.dispatchEvent(
        new CustomEvent("problem", {
          bubbles: true,
          detail: { words: problem.words ?? String(problem), clauses: problem.clauses },
        }),
      );
      return undefined;
    }
  }
}

/** Ask until the server has done its sums; null where it takes too long or nobody waits any more. */
export async function prepared(connection, path, wanted = () => true) {
  for (let tries = 0; tries < TRIES && wanted(); tries += 1) {
    const told = await connection.get(path);
    if (told.status !== "preparing") return told;
    await new Promise((wait) => setTimeout(wait, OFTEN));
  }
  return null;
}

/** Save something the server gives only to whoever has a token. */
export async function save(connection, path, name) {
  const told = await connection.get(path);
  const text = typeof told === "string" ? told : JSON.stringify(told, null, 1);
  const link = make("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A small button that shows what stands behind something; nothing where no clause does. */
export function cite(clauses, words, rulebook) {
  if (!clauses?.length) return null;
  const tell = (event) =>
    event.currentTarget.dispatchEvent(new CustomEvent("why", { bubbles: true, detail: { clauses, words, rulebook } }));
  const short = clauses.length > 1 ? `${clauses[0]} +${clauses.length - 1}` : clauses[0];
  return button(short, tell, { class: "cite", "aria-label": `Clause ${clauses.join(", ")}: ${words}` });
}

/** A table with a caption; the first row is its heading, the first cell of each other row too. */
export function grid(caption, heading, rows) {
  const head = make("tr", {}, ...heading.map((one) => make("th", { scope: "col" }, one)));
  const line = ([first, ...rest]) =>
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
