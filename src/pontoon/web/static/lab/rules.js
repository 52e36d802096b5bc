// The list of rules: groups of rows, each with the values to choose from, and what a change is worth.
import { button, make } from "../parts.js";
import { same } from "./state.js";
import { worthWords } from "./words.js";

const MOST_SEGMENTS = 6;
const LONGEST = 32; // letters that fit beside a label, each value with its margin
const MARGIN = 3;

/** Whether values are shown side by side, or in a list to open. @param {Lab.Option[]} options */
const beside = (options) =>
  options.length <= MOST_SEGMENTS && options.reduce((sum, one) => sum + one.words.length + MARGIN, 0) <= LONGEST;

export class Rules {
  /** @param {(key: string, value: Lab.Value) => void} choose called with every choice */
  constructor(choose) {
    this.choose = choose;
    /** @type {Map<string, {rule: Lab.Rule, row: HTMLElement, note: HTMLElement, show: (value: Lab.Value) => void}>} */
    this.rows = new Map();
    this.body = make("div", { class: "lab-groups" });
    this.found = make("p", { class: "muted", role: "status" });
    this.search = make("input", { id: "lab-search", type: "search", autocomplete: "off", placeholder: "Find a rule" });
    this.search.setAttribute("aria-label", "Find a rule");
    this.search.addEventListener("input", () => this._find());
    this.more = button("All rules, with their clauses", () => this.showAll(this.element.dataset.all !== "true"), {
      id: "lab-all",
      class: "link",
      "aria-expanded": "false",
    });
    this.element = make(
      "section",
      { class: "lab-card lab-rules", "aria-labelledby": "lab-rules-title" },
      make("h2", { id: "lab-rules-title", class: "visually-hidden" }, "Rules"),
      this.search,
      this.found,
      this.body,
      this.more,
    );
    this.showAll(false);
  }

  /** @param {boolean} all */
  showAll(all) {
    this.element.dataset.all = String(all);
    this.more.setAttribute("aria-expanded", String(all));
    this.more.textContent = all ? "Main rules only" : "All rules, with their clauses";
    this.search.hidden = !all;
    this.search.value = "";
    this._find();
  }

  _find() {
    const wanted = this.search.value.trim().toLowerCase();
    let count = 0;
    for (const { rule, row } of this.rows.values()) {
      row.hidden = !`${rule.label} ${rule.sentence}`.toLowerCase().includes(wanted);
      count += Number(!row.hidden);
    }
    for (const group of this.body.children) group.hidden = !group.querySelector(".lab-rule:not([hidden])");
    this.found.textContent = wanted ? `${count} of ${this.rows.size} rules` : "";
  }

  /** Draw the rules of a rulebook. @param {Lab.RuleList} list */
  draw(list) {
    this.rows.clear();
    const group = ({ name, title, rules }) => {
      const rows = rules.map((rule) => this._row(rule));
      const main = rules.some((rule) => rule.main);
      const heading = make("h3", { id: `lab-group-${name}` }, title);
      return make(
        "section",
        { class: `lab-group ${main ? "" : "lab-more"}`, "aria-labelledby": heading.id },
        heading,
        ...rows,
      );
    };
    this.body.replaceChildren(...list.groups.map(group));
    this._find();
  }

  /** Show what is chosen, and what each change is worth. @param {Lab.State} state @param {Lab.Change[]} changes */
  update(state, changes) {
    const priced = new Map(changes.map((change) => [change.key, change]));
    for (const [key, { rule, row, note, show }] of this.rows) {
      const own = state.overrides[key] ?? rule.value;
      show(own);
      const changed = !same(own, rule.value);
      row.classList.toggle("changed", changed);
      const { words, kind } = worthWords(priced.get(key)?.worth ?? null);
      note.className = `lab-worth ${kind}`;
      note.textContent = changed ? words : "";
    }
  }

  /** @param {Lab.Rule} rule */
  _row(rule) {
    const id = `lab-rule-${rule.key.replaceAll(".", "-")}`;
    const note = make("span", { class: "lab-worth", id: `${id}-worth` });
    const pick = (/** @type {Lab.Value} */ value) => this.choose(rule.key, value);
    const { control, show } = beside(rule.options) ? segments(rule, id, pick) : menu(rule, id, pick);
    const clauses = rule.clauses.length ? make("span", { class: "lab-clause" }, `Rule ${rule.clauses[0]}`) : "";
    const said = make("p", { class: "lab-said" }, rule.sentence, " ", clauses);
    const label = make("div", { class: "lab-label" }, make("span", { id: `${id}-label` }, rule.label), note);
    const row = make("div", { class: `lab-rule ${rule.main ? "" : "lab-more"}`, id }, label, control, said);
    this.rows.set(rule.key, { rule, row, note, show });
    return row;
  }
}

/** Values side by side: radio buttons, so that arrow keys work. @param {Lab.Rule} rule @param {string} id */
function segments(rule, id, pick) {
  const radios = rule.options.map(({ value, words }, place) => {
    const input = make("input", { type: "radio", name: id, id: `${id}-${place}`, onchange: () => pick(value) });
    return { value, input, label: make("label", {}, input, make("span", {}, words)) };
  });
  const named = { role: "radiogroup", "aria-labelledby": `${id}-label`, "aria-describedby": `${id}-worth` };
  const control = make("div", { class: "lab-segments", ...named }, ...radios.map((one) => one.label));
  const show = (/** @type {Lab.Value} */ own) => radios.forEach((one) => (one.input.checked = same(one.value, own)));
  return { control, show };
}

/** Values in a list to open. @param {Lab.Rule} rule @param {string} id */
function menu(rule, id, pick) {
  const options = rule.options.map(({ words }, place) => make("option", { value: place }, words));
  const named = { "aria-labelledby": `${id}-label`, "aria-describedby": `${id}-worth` };
  const control = make("select", { class: "lab-select", id: `${id}-list`, ...named }, ...options);
  control.addEventListener("change", () => pick(rule.options[Number(control.value)].value));
  const show = (/** @type {Lab.Value} */ own) =>
    (control.value = String(rule.options.findIndex((option) => same(option.value, own))));
  return { control, show };
}
