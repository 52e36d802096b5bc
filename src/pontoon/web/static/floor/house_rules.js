// Rules the house plays differently at a new table: any rule of the rulebook, with the values it can have.
import { button, field, make } from "../parts.js";

export class HouseRules {
  /** @param {any} app @param {string} book */
  constructor(app, book) {
    this.app = app;
    this.book = book;
    /** The changed rules by key. @type {Map<string, {value: any, words: string}>} */
    this.changed = new Map();
    this.place = make("div", { class: "stack" });
    this.list = make("ul", { class: "house-rules", "aria-label": "Changed rules" });
    this.element = make(
      "details",
      { ontoggle: () => this.load() },
      make("summary", {}, "Other rules of the house"),
      this.place,
      this.list,
    );
  }

  /** The overrides of the new table. */
  values() {
    return Object.fromEntries([...this.changed].map(([key, one]) => [key, one.value]));
  }

  async load() {
    if (this.groups) return;
    const answer = await this.app.connection.get(`/api/lab/rules/${this.book}?warm=false`).catch((problem) => {
      this.place.replaceChildren(make("p", { class: "alarm" }, problem.words));
      return null;
    });
    if (!answer) return;
    this.groups = answer.groups.filter((group) => group.rules.some((one) => one.options.length));
    this.rule = make(
      "select",
      { onchange: () => this.draw() },
      ...this.groups.map((group) =>
        make(
          "optgroup",
          { label: group.title },
          ...group.rules
            .filter((one) => one.options.length)
            .map((one) => make("option", { value: one.key }, one.label)),
        ),
      ),
    );
    this.value = make("select", {});
    this.says = make("p", { class: "quiet" });
    this.place.replaceChildren(
      make("div", { class: "options" }, field("Rule", this.rule), field("Played here as", this.value)),
      this.says,
      button("Change this rule", () => this.change(), { class: "btn", id: "change-rule" }),
    );
    this.draw();
  }

  find() {
    return this.groups.flatMap((group) => group.rules).find((one) => one.key === this.rule.value);
  }

  draw() {
    const one = this.find();
    this.value.replaceChildren(
      ...one.options.map((option, place) => make("option", { value: String(place) }, option.words)),
    );
    const now = one.options.findIndex((option) => JSON.stringify(option.value) === JSON.stringify(one.value));
    this.value.value = String(Math.max(0, now));
    this.says.textContent = `The document: ${one.sentence}${one.clauses.length ? ` (${one.clauses.join(", ")})` : ""}`;
  }

  change() {
    const one = this.find();
    const option = one.options[Number(this.value.value)];
    if (JSON.stringify(option.value) === JSON.stringify(one.value)) this.changed.delete(one.key);
    else this.changed.set(one.key, { value: option.value, words: `${one.label}: ${option.words}` });
    this.list.replaceChildren(
      ...[...this.changed].map(([key, { words }]) =>
        make(
          "li",
          { class: "row" },
          words,
          button("As written", () => this.undo(key), {
            class: "btn small",
            "aria-label": `${words}, as written again`,
          }),
        ),
      ),
    );
  }

  undo(key) {
    this.changed.delete(key);
    const rule = this.groups.flatMap((group) => group.rules).find((one) => one.key === key);
    this.rule.value = key;
    this.draw();
    this.value.value = String(
      rule.options.findIndex((option) => JSON.stringify(option.value) === JSON.stringify(rule.value)),
    );
    this.change();
  }
}
