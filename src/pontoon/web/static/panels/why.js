// Why: the clauses behind a message in our words, and the rules of the rulebook that cite them.
import { make } from "../parts.js";
import { Panel } from "./part.js";

const books = new Map();

class Why extends Panel {
  build() {
    this.body = make("div", { class: "stack" }, make("p", {}, "Press a question mark on the table to see the rule."));
    this.append(make("h2", { tabindex: -1 }, "Why?"), this.body);
  }

  update(model) {
    this.model = model;
  }

  /** @param {{clauses: string[], words?: string, rulebook?: string}} detail */
  async show({ clauses = [], words = "", rulebook = this.model?.view?.rulebook }) {
    if (!this.body) this.build();
    const asked = (this.asked = `${rulebook} ${clauses} ${words}`);
    const said = words && make("blockquote", {}, words);
    const heading = make("p", {}, clauses.length ? `Rulebook ${rulebook}:` : "No clause applies.");
    this.body.replaceChildren(...(said ? [said] : []), heading);
    this.querySelector("h2")?.focus({ preventScroll: true });
    const found = await Promise.all(clauses.map((clause) => this._clause(rulebook, clause)));
    const rules = clauses.length ? await this._rules(rulebook, clauses) : [];
    if (this.asked !== asked) return;
    this.body.append(
      make("dl", {}, ...found.flatMap(([clause, text]) => [make("dt", {}, `Clause ${clause}`), make("dd", {}, text)])),
    );
    if (!rules.length) return;
    const items = rules.map(({ text, key, clauses: cited }) => {
      const note = make("small", { class: "muted" }, `${key} · clause ${cited.join(", ")}`);
      return make("li", {}, text, " ", note);
    });
    this.body.append(make("h3", {}, "Rules that cite it"), make("ul", {}, ...items));
    const link = { href: this._place(rulebook), target: "_blank", rel: "noopener" };
    this.body.append(make("p", {}, make("a", link, `The whole rulebook ${rulebook}`)));
  }

  /** Where a rulebook is loaded from: the table's own from the table, which keeps the one it was made with. */
  _place(rulebook) {
    const { room, view } = this.model ?? {};
    const own = room && view?.rulebook === rulebook;
    return own ? `/api/tables/${room.id}/rules` : `/api/rulebooks/${encodeURIComponent(rulebook)}`;
  }

  async _clause(rulebook, clause) {
    try {
      const answer = await this.connection.get(`${this._place(rulebook)}/clauses/${encodeURIComponent(clause)}`);
      return [clause, answer.words];
    } catch (problem) {
      return [clause, problem.status === 404 ? "We have no summary of this clause." : problem.words];
    }
  }

  /** The sentences of the rulebook that cite one of these clauses; a rulebook is loaded once. */
  async _rules(rulebook, clauses) {
    try {
      const place = this._place(rulebook);
      if (!books.has(place)) books.set(place, await this.connection.get(place));
      const sentences = books.get(place).chapters.flatMap((chapter) => chapter.sentences);
      return sentences.filter((one) => one.clauses.some((clause) => clauses.includes(clause)));
    } catch {
      return [];
    }
  }
}
customElements.define("pontoon-why", Why);
