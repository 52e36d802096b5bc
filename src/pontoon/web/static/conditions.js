// The conditions of a tournament in a form: templates, a check while you type, import and export of the file.
import { newKey } from "./connection.js";
import { button, field, make, renew } from "./parts.js";

const STYLES = ["/static/tournament.css", "/static/conditions.css"];
const PAUSE = 350; // milliseconds without typing before the server checks
const WEEK = 7 * 86_400_000;
/** Parts that are open at first; the others are folded, with their defaults. */
const OPEN = ["", "start", "players", "money", "session", "prizes"];

/** @param {App} app @param {HTMLElement} main */
export function open(app, main) {
  return new Form(app, main);
}

/** "2026-12-05T19:00", a week from now. */
function nextWeek() {
  const at = new Date(Date.now() + WEEK);
  at.setHours(19, 0, 0, 0);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

class Form {
  /** What is written, as in a file: tables with their keys. @type {Record<string, any>} */
  values = {};
  /** @type {any} */
  spec = null;
  /** @type {any} */
  checked = null;
  asked = 0;
  key = newKey();

  /** @param {App} app @param {HTMLElement} main */
  constructor(app, main) {
    this.app = app;
    this.sheets = STYLES.filter((href) => !document.querySelector(`link[href="${href}"]`)).map((href) =>
      make("link", { rel: "stylesheet", href }),
    );
    document.head.append(...this.sheets);
    document.title = "New tournament · Pontoon";
    this.parts = make("div", { class: "conditions-parts" });
    this.says = make("div", { class: "conditions-says", role: "status" });
    this.text = make("textarea", { id: "conditions", rows: 22, spellcheck: "false", maxlength: 48_000 });
    this.text.addEventListener("input", () => this._later(() => this._check({ conditions: this.text.value }, true)));
    this.create = button("Make the tournament", () => this._make(), { class: "button primary", id: "make" });
    main.replaceChildren(make("p", { class: "muted" }, "Loading the form…"));
    this._load(main);
  }

  close() {
    clearTimeout(this.timer);
    document.title = "Pontoon";
  }

  update() {}

  async _load(main) {
    try {
      this.spec = await this.app.connection.get("/api/conditions");
    } catch (problem) {
      main.replaceChildren(make("p", { role: "alert" }, problem.words ?? String(problem)));
      return;
    }
    const file = make("input", { type: "file", id: "conditions-file", accept: ".toml,text/plain" });
    file.addEventListener("change", async () => file.files[0] && this._read(await file.files[0].text()));
    const templates = make(
      "select",
      { id: "template" },
      ...this.spec.templates.map((one) => make("option", { value: one.name }, one.title)),
    );
    templates.addEventListener("change", () => this._template(templates.value));
    const raw = make("details", { class: "sheet", id: "conditions-raw" }, make("summary", {}, "As a file"), this.text);
    main.replaceChildren(
      make(
        "div",
        { id: "conditions-page" },
        make("h1", {}, "New tournament"),
        make("p", { class: "muted" }, "The written conditions of rule 20.3. Nothing is published yet."),
        make("div", { class: "row conditions-tools" }, field("Begin with", templates), field("Import a file", file)),
        make(
          "div",
          { class: "conditions-columns" },
          make("div", { class: "column" }, this.parts, raw),
          make(
            "aside",
            { class: "sheet conditions-side" },
            this.says,
            make("div", { class: "row" }, this.create, this._saving()),
          ),
        ),
      ),
    );
    this._template(this.spec.templates[0].name);
  }

  _saving() {
    const save = () => {
      const url = URL.createObjectURL(new Blob([this.text.value], { type: "application/toml" }));
      const name = String(this.values.name ?? "conditions")
        .replaceAll(/[^\w-]+/g, "-")
        .toLowerCase();
      make("a", { href: url, download: `${name}.toml` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    };
    return button("Export the file", save, { class: "button", id: "export" });
  }

  /** @param {string} name */
  async _template(name) {
    const { text } = this.spec.templates.find((one) => one.name === name);
    await this._read(text.replace(/^at = .*$/m, `at = ${nextWeek()}:00`));
  }

  /** Take over a file. @param {string} text */
  async _read(text) {
    this.text.value = text;
    await this._check({ conditions: text }, true);
  }

  // --- the check ---

  _later(act) {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, PAUSE);
  }

  /** Ask the server what is wrong; `redraw` fills the form from the file. */
  async _check(body, redraw = false) {
    const asked = ++this.asked;
    try {
      const answer = await this.app.connection.post("/api/conditions", body);
      if (asked !== this.asked) return;
      this.checked = answer;
      if (!redraw) this.text.value = answer.text;
      else if (!answer.unreadable) {
        this.values = answer.values;
        this._draw();
      }
    } catch (problem) {
      if (asked !== this.asked) return;
      this.checked = { unreadable: problem.words ?? String(problem), faults: [], warnings: [], sessions: [] };
    }
    this._report();
  }

  _report() {
    const { unreadable, faults, warnings, sessions, digest } = this.checked;
    const good = !unreadable && !faults.length;
    const line = (one) =>
      make(
        "li",
        {},
        button(one.clause, () => this._show(one.clause), { class: "button small to-clause" }),
        make("span", {}, one.words),
      );
    const count = faults.length === 1 ? "One thing must be corrected" : `${faults.length} things must be corrected`;
    renew(
      this.says,
      make("h2", { class: good ? "good" : "bad" }, good ? "In order" : unreadable ? "Not readable" : count),
      unreadable && make("p", {}, unreadable),
      faults.length ? make("ul", { class: "faults" }, ...faults.map(line)) : null,
      warnings.length ? make("h3", {}, "Please note") : null,
      warnings.length ? make("ul", { class: "warnings" }, ...warnings.map(line)) : null,
      sessions.length ? this._numbers(sessions) : null,
      digest && make("p", { class: "muted digest" }, `Digest ${digest}`),
    );
    this.create.disabled = !good;
    const clauses = new Set(faults.map((one) => one.clause));
    for (const one of this.parts.querySelectorAll("[data-clause]"))
      one.classList.toggle("faulty", clauses.has(one.dataset.clause));
  }

  /** How many play in each session. */
  _numbers(sessions) {
    const row = (one) => {
      const players = one.fewest === one.most ? String(one.most) : `${one.fewest} to ${one.most}`;
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, one.name),
        make("td", {}, players),
        make("td", {}, String(one.tables)),
      );
    };
    const head = ["Session", "Players", "Tables at most"].map((name) => make("th", { scope: "col" }, name));
    return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...sessions.map(row)));
  }

  /** Go to the first field of a clause. @param {string} clause */
  _show(clause) {
    const found = this.parts.querySelector(`[data-clause="${CSS.escape(clause)}"]`);
    const fold = found?.closest("details");
    if (fold) fold.open = true;
    found?.querySelector("input, select, textarea")?.focus();
  }

  // --- the form ---

  _draw() {
    const unfolded = new Set([...this.parts.querySelectorAll("details[open]")].map((one) => one.dataset.part));
    const first = !this.parts.firstChild;
    const parts = this.spec.parts.map((part) => {
      const inside = part.many ? this._sessions(part) : this._fields(part, this._table(part.name));
      const shown = first ? OPEN.includes(part.name) : unfolded.has(part.name);
      const attributes = { class: "sheet", "data-part": part.name, open: shown };
      return make("details", attributes, make("summary", {}, part.title), inside);
    });
    this.parts.replaceChildren(...parts);
  }

  /** The table of values that a part writes to. @param {string} name */
  _table(name) {
    if (!name) return this.values;
    if (typeof this.values[name] !== "object" || this.values[name] === null) this.values[name] = {};
    return this.values[name];
  }

  _changed() {
    this._later(() => this._check({ values: this.values }));
  }

  _sessions(part) {
    if (!Array.isArray(this.values.session)) this.values.session = [];
    const { session } = this.values;
    const again = () => {
      this._draw();
      this._changed();
    };
    const row = (one, number) => {
      const remove = () => {
        session.splice(number, 1);
        again();
      };
      const up = () => {
        session.splice(number - 1, 0, ...session.splice(number, 1));
        again();
      };
      const title = `Session ${number + 1}`;
      return make(
        "fieldset",
        { class: "session" },
        make("legend", {}, title),
        this._fields(part, one, `${number}-`),
        make(
          "div",
          { class: "row" },
          number > 0 && button("Earlier", up, { class: "button small", "aria-label": `${title} earlier` }),
          button("Remove", remove, { class: "button small danger", "aria-label": `Remove ${title}` }),
        ),
      );
    };
    const add = () => {
      session.push({ name: `Session ${session.length + 1}`, rounds: 10 });
      again();
    };
    return make("div", {}, ...session.map(row), button("Add a session", add, { class: "button", id: "add-session" }));
  }

  /** The fields of a part, written to `table`. */
  _fields(part, table, number = "") {
    const own = part.many ? `${part.name}.` : part.name ? `${part.name}.` : "";
    return make("div", { class: "fields" }, ...part.fields.map((one) => this._field(one, table, own, number)));
  }

  _field(one, table, own, number) {
    const path = one.key.slice(own.length).split(".");
    const last = path.at(-1) ?? "";
    const within = () => path.slice(0, -1).reduce((here, name) => here?.[name], table);
    const write = (value) => {
      let here = table;
      for (const name of path.slice(0, -1)) here = here[name] ??= {};
      if (value === undefined) delete here[last];
      else here[last] = value;
      if (path.length > 1 && !Object.keys(here).length) delete table[path[0]];
      this._changed();
    };
    const id = `form-${number}${one.key.replaceAll(".", "-")}`;
    const input = control(one, within()?.[last], write, id, this.spec.rulebooks);
    const shown = field(one.label, input);
    shown.dataset.clause = one.clause;
    shown.classList.add(`kind-${one.kind}`);
    return shown;
  }

  // --- making it ---

  async _make() {
    try {
      const made = await this.app.connection.post("/api/tournaments", { conditions: this.text.value, key: this.key });
      this.app.go(made.link);
    } catch (problem) {
      this.app.notice(problem.words ?? String(problem), problem.clauses);
    }
  }
}

/** The control of a key; `write` is called with its value, undefined for none. */
function control(one, value, write, id, rulebooks) {
  const text = (shown, read, attributes = {}) => {
    const input = make("input", { id, autocomplete: "off", placeholder: one.default || one.example, ...attributes });
    input.value = shown;
    input.addEventListener("input", () => write(input.value.trim() === "" ? undefined : read(input.value.trim())));
    return input;
  };
  const list = (split) => (Array.isArray(value) ? value.join(", ") : split(value ?? ""));
  const parted = (read) => (typed) => typed.split(",").map((part) => read(part.trim()));
  const whole = (typed) => (/^-?\d+$/.test(typed) ? Number(typed) : typed);
  switch (one.kind) {
    case "yes_no": {
      const input = make("input", { type: "checkbox", id });
      input.checked = value === undefined ? one.default === "true" : value === true;
      input.addEventListener("change", () => write(input.checked));
      return input;
    }
    case "choice":
      return chosen(id, value ?? (one.required ? "" : one.default), one.choices, write);
    case "number":
      return text(value ?? "", whole, { inputmode: "numeric" });
    case "money":
      return text(value ?? "", (typed) => typed.replaceAll(/[$,]/g, ""), { inputmode: "decimal" });
    case "numbers":
      return text(list(String), parted(whole), { placeholder: "10, 7, 5" });
    case "shares":
      return text(list(String), parted(String), { placeholder: "50%, 30%, 20%" });
    case "time":
      return text(String(value ?? "").slice(0, 16), (typed) => typed, { type: "datetime-local" });
    default:
      if (one.key === "game.rulebook") {
        const books = rulebooks.map((name) => ({ value: name, words: name }));
        return chosen(id, value ?? one.default, books, write);
      }
      return text(value ?? "", (typed) => typed);
  }
}

/** A select of these choices. */
function chosen(id, value, choices, write) {
  const input = make(
    "select",
    { id },
    !value && make("option", { value: "" }, "–"),
    ...choices.map((choice) => make("option", { value: choice.value }, choice.words)),
  );
  input.value = value;
  input.addEventListener("change", () => write(input.value || undefined));
  return input;
}
