// The rules lab: change any rule of a casino and see immediately what the game is worth.
import { make } from "../parts.js";
import { Actions } from "./actions.js";
import { Asking } from "./ask.js";
import { Chart } from "./chart.js";
import { Compare } from "./compare.js";
import { Figures } from "./figures.js";
import { Rules } from "./rules.js";
import { addressOf, overridesOf, questionOf, same, stateOf } from "./state.js";
import { casino, counted } from "./words.js";

const SHEET = "/static/lab/lab.css";

/** Open the lab in `main`. */
export function open(app, main) {
  return new Lab(app, main);
}

class Lab {
  constructor(app, main) {
    this.app = app;
    /** @type {Lab.State } */
    this.state = stateOf(location.search);
    /** The state the last answer is about: what a refused change goes back to. @type {Lab.State} */
    this.good = this.state;
    /** Why the last change was taken back, until the next one. */
    this.refusal = "";
    /** @type {Map<string, Lab.Rule>} */
    this.known = new Map();
    /** @type {Lab.EdgePart | null} */
    this.edge = null;
    this.rules = new Rules((key, value) => this._choose(key, value));
    this.figures = new Figures((changed) => this._set(changed));
    this.compare = new Compare();
    this.chart = new Chart();
    this.actions = new Actions(
      app,
      () => this.state,
      () => this._back(),
    );
    this.asking = new Asking(
      (part) => this._part(part),
      (problem) => this._refused(problem),
    );
    this._draw(main);
    this._begin();
  }

  update() {}

  close() {
    this.asking.stop();
    document.body.classList.remove("in-lab");
  }

  _draw(main) {
    document.title = "Rules lab – Pontoon";
    document.body.classList.add("in-lab");
    if (!document.querySelector(`link[href="${SHEET}"]`))
      document.head.append(make("link", { rel: "stylesheet", href: SHEET }));
    this.about = make("p", { class: "muted", id: "lab-about", role: "status" });
    this.book = make("select", { id: "lab-book", onchange: () => this._open(this.book.value) });
    this.other = make("select", { id: "lab-against", onchange: () => this._set({ against: this.other.value }) });
    const picks = make(
      "div",
      { class: "lab-picks" },
      make("label", {}, make("span", {}, "Start from"), this.book),
      make("label", {}, make("span", {}, "Compare with"), this.other),
    );
    const title = make("div", {}, make("h1", {}, "Rules lab"), this.about);
    const head = make("header", { class: "lab-head" }, title, ...this.actions.elements);
    const found = make("div", { class: "lab-found" }, this.figures.element, this.compare.element, this.chart.element);
    const left = make("div", { class: "lab-left" }, picks, this.rules.element);
    main.replaceChildren(make("div", { id: "lab" }, head, make("div", { class: "lab-columns" }, left, found)));
  }

  async _begin() {
    try {
      const { rulebooks } = await this.app.connection.rulebooks();
      const option = ({ name, place }) => make("option", { value: name, title: place }, casino(name));
      this.book.replaceChildren(...rulebooks.map(option));
      this.other.replaceChildren(make("option", { value: "" }, "the rules as written"), ...rulebooks.map(option));
      const names = rulebooks.map(({ name }) => name);
      if (!names.includes(this.state.rulebook)) this.state.rulebook = names[0];
      if (!names.includes(this.state.against)) this.state.against = "";
      await this._read();
      const { overrides, unknown } = overridesOf(this.state.rest ?? [], this.known);
      this.state.overrides = overrides;
      if (unknown.length) this.app.notice(`This link has rules the lab does not know: ${unknown.join(", ")}`);
      this._changed();
    } catch (problem) {
      this.figures.say(problem.words ?? "The lab could not be opened.");
    }
  }

  /** The rules of the casino that is chosen. */
  async _read() {
    /** @type {Lab.RuleList} */
    const list = await this.app.connection.get(`/api/lab/rules/${this.state.rulebook}`);
    this.known = new Map(list.groups.flatMap(({ rules }) => rules).map((rule) => [rule.key, rule]));
    this.rules.draw(list);
  }

  // --- choosing ---

  /** @param {string} key @param {Lab.Value} value */
  _choose(key, value) {
    const written = this.known.get(key)?.value ?? value;
    const overrides = { ...this.state.overrides };
    delete overrides[key];
    if (!same(value, written)) overrides[key] = value;
    this._set({ overrides });
  }

  /** @param {Partial<Lab.State>} changed */
  _set(changed) {
    this.state = { ...this.state, ...changed };
    this._changed();
  }

  /** Another casino, as it is written. @param {string} rulebook */
  async _open(rulebook) {
    this.state = { ...this.state, rulebook, overrides: {} };
    this.edge = null;
    await this._read();
    this._changed();
  }

  _back() {
    this._set({ overrides: {} });
  }

  _changed(refusal = "") {
    const { state } = this;
    this.refusal = refusal;
    this.book.value = state.rulebook;
    this.other.value = state.against;
    history.replaceState(null, "", addressOf(state));
    const count = Object.keys(state.overrides).length;
    this.about.textContent = `Starting from ${casino(state.rulebook)} rules, ${counted(count, "rule")} changed`;
    this.actions.show(state, count);
    this.figures.chosen(state);
    this.figures.say(refusal);
    this.figures.busy(true);
    this.chart.busy(true);
    this.rules.update(state, []);
    if (!state.against) this.compare.show(null, state);
    this.asking.ask(questionOf(state));
  }

  // --- answers ---

  _part(part) {
    switch (part.part) {
      case "edge":
        this.good = this.state;
        this.edge = part;
        this.figures.say(this.refusal);
        this.figures.busy(false);
        this.figures.show(part, this.state);
        this.compare.show(part, this.state);
        this.rules.update(this.state, part.changes);
        break;
      case "worth":
        this._priced(part);
        break;
      case "chart":
        this.chart.show(part, this.state.against && casino(this.state.against));
        break;
      case "deviation":
        this.figures.deviation(part.now, this.state);
        break;
      default:
        this.figures.say(part.words); // busy; it is asked again
    }
  }

  /** What a change is worth. @param {{key: string, worth: number | null}} part */
  _priced({ key, worth }) {
    const changes = this.edge?.changes ?? [];
    for (const change of changes) if (change.key === key) change.worth = worth ?? NaN;
    this.rules.update(this.state, changes);
  }

  /** A change that does not fit the others is taken back, with the reason. */
  _refused(problem) {
    this.figures.say(problem.words);
    if (problem.status !== 400 || this.good === this.state) return;
    this.state = { ...this.good };
    this._changed(problem.words);
  }
}
