// Incidents: a list that can be searched, saved and printed.
import { button, dateWords, dollars, field, make } from "../parts.js";
import { save } from "../panels/part.js";
import { link } from "./app.js";

/** @param {any} app @param {any} main */
export const open = (app, main) => new Incidents(app, main);

class Incidents {
  constructor(app, main) {
    this.app = app;
    this.words = make("input", { type: "search", placeholder: "person, clause, what happened" });
    this.table = make("input", { placeholder: "any" });
    this.rows = make("tbody", {});
    const search = (event) => {
      event.preventDefault();
      this.load();
    };
    app.header("Incidents", [], [link("Pit", "/pit"), link("History", "/search"), link("Tables", "/floor")]);
    const head = ["Number", "Time", "Table", "Round", "What happened", "People", "Clauses", "Moved", "State"];
    main.replaceChildren(
      make(
        "div",
        { class: "office" },
        make(
          "form",
          { class: "row search", role: "search", onsubmit: search },
          field("Words", this.words),
          field("Table", this.table),
          button("Search", () => {}, { type: "submit", class: "btn go" }),
          button("CSV", () => save(app.connection, "/api/incidents.csv", "incidents.csv"), { class: "btn" }),
          button("Print", () => print(), { class: "btn" }),
        ),
        make(
          "div",
          { class: "scroll", tabindex: 0, role: "region", "aria-label": "Incidents" },
          make(
            "table",
            {},
            make("thead", {}, make("tr", {}, ...head.map((one) => make("th", { scope: "col" }, one)))),
            this.rows,
          ),
        ),
      ),
    );
    this.load();
  }

  async load() {
    const query = new URLSearchParams();
    if (this.words.value) query.set("words", this.words.value);
    if (this.table.value) query.set("table", this.table.value);
    this.asked = query;
    const answer = await this.app.connection.get(`/api/incidents?${query}`).catch((problem) => {
      this.app.notice(problem.words, "alarm");
      return { incidents: [] };
    });
    if (this.asked !== query) return; // a later search is on its way, or was faster
    this.rows.replaceChildren(...answer.incidents.map(line));
    if (!answer.incidents.length) this.app.notice("No incident was found.");
  }
}

function line(one) {
  const name = `${one.table}-${one.number}`;
  const number = make("a", { href: `/incidents/${one.table}/${one.number}`, "data-route": true }, name);
  const cells = [dateWords(one.at), one.table, one.round, one.words, one.people.join(", "), one.clauses.join(", ")];
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, number),
    ...cells.map((cell) => make("td", {}, String(cell))),
    make("td", { class: "num" }, dollars(one.moved)),
    make("td", {}, make("span", { class: "tag" }, one.state)),
  );
}
