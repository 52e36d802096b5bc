// Why: what was said, the clauses behind it in our words, and the rules of this rulebook that rest on them.
import { make } from "../parts.js";
import { Panel } from "./part.js";

const books = new Map();

class Why extends Panel {
  build() {
    this.append(
      make("h2", { tabindex: -1 }, "Why?"),
      (this.body = make(
        "div",
        { class: "stack" },
        make("p", {}, "Press a question mark on the table to read what stands behind it."),
      )),
    );
  }

  update(model) {
    this.model = model;
  }

  /** @param {{clauses: string[], words?: string, rulebook?: string}} detail */
  async show({ clauses = [], words = "", rulebook = this.model?.view?.rulebook }) {
    if (!this.body) this.build();
    const asked = (this.asked = `${rulebook} ${clauses} ${words}`);
    const said = words && make("blockquote", {}, words);
    this.body.replaceChildren(
      ...[said, make("p", {}, clauses.length ? `Rulebook ${rulebook}:` : "No clause stands behind this.")].filter(
        Boolean,
      ),
    );
    this.querySelector("h2").focus({ preventScroll: true });
    const found = await Promise.all(clauses.map((clause) => this._clause(rulebook, clause)));
    const rules = clauses.length ? await this._rules(rulebook, clauses) : [];
    if (this.asked !== asked) return;
    this.body.append(
      make("dl", {}, ...found.flatMap(([clause, text]) => [make("dt", {}, `Clause ${clause}`), make("dd", {}, text)])),
    );
    if (!rules.length) return;
    const items = rules.map((rule) =>
      make(
        "li",
        {},
        rule.text,
        " ",
        make("small", { class: "muted" }, `${rule.key} · clause ${rule.clauses.join(", ")}`),
      ),
    );
    this.body.append(make("h3", {}, "The rules that rest on it"), make("ul", {}, ...items));
    this.body.append(
      make(
        "p",
        {},
        make(
          "a",
          { href: `/api/rulebooks/${encodeURIComponent(rulebook)}`, target: "_blank", rel: "noopener" },
          `The whole rulebook ${rulebook}, as the server reads it`,
        ),
      ),
    );
  }

  async _clause(rulebook, clause) {
    try {
      const told = await this.connection.get(
        `/api/rulebooks/${encodeURIComponent(rulebook)}/clauses/${encodeURIComponent(clause)}`,
      );
      return [clause, told.words];
    } catch (problem) {
      return [clause, problem.status === 404 ? "We have no words of our own for this clause." : problem.words];
    }
  }

  /** The sentences of the rulebook that cite one of these clauses; a rulebook is read once. */
  async _rules(rulebook, clauses) {
    try {
      if (!books.has(rulebook))
        books.set(rulebook, await this.connection.get(`/api/rulebooks/${encodeURIComponent(rulebook)}`));
      const sentences = books.get(rulebook).chapters.flatMap((chapter) => chapter.sentences);
      return sentences.filter((one) => one.clauses.some((clause) => clauses.includes(clause)));
    } catch {
      return [];
    }
  }
}
customElements.define("pontoon-why", Why);
