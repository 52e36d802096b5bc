// The lobby: a name is enough to play; tables to join or watch; making one; coming by a link.
import { button, dollars, field, make } from "./parts.js";

const EVERY = 5000; // milliseconds between looks at the list
const FEW = 1000; // cents below which chips are given out; the server decides
const PACE = [[0, "instant"], [250, "fast"], [600, "normal"], [Infinity, "slow"]];

/** Open the lobby in `main`. */
export function open(app, main) {
  return new Lobby(app, main);
}

class Lobby {
  constructor(app, main) {
    this.app = app;
    this.door = make("section", { class: "panel", id: "door", "aria-label": "Who you are" });
    this.list = make("ul", { id: "tables", class: "tables" });
    this.says = make("p", { class: "muted", role: "status" }, "Looking for tables…");
    const make_ = button("Make a table", () => this._makeTable(), { class: "button primary", id: "make-table" });
    const title = make("div", { class: "row" }, make("h2", { id: "tables-title" }, "Tables"), make_);
    const tables = make("section", { class: "panel", "aria-labelledby": "tables-title" }, title, this.says, this.list);
    main.replaceChildren(make("div", { id: "lobby" }, make("h1", {}, "Pontoon, by the book"), this.door, tables, this._link()));
    document.title = "Pontoon";
    this.update();
    this.look();
    this.timer = setInterval(() => document.hidden || this.look(), EVERY);
  }

  close() {
    clearInterval(this.timer);
    this.closed = true;
  }

  // --- who one is ---

  update() {
    const { me, signedIn } = this.app.connection;
    const now = me ? `${me.name} ${me.guest} ${me.wallet < FEW}` : String(signedIn);
    if (now === this.shown) return;
    this.shown = now;
    const here = this.door.contains(document.activeElement);
    this.door.replaceChildren(...(me ? this._here(me) : [this._guest(), this._account()]));
    if (here) document.getElementById(me ? "make-table" : "guest-name")?.focus();
  }

  _here(me) {
    const out = button("Sign out", () => this.app.connection.signOut(), { id: "sign-out" });
    const chips = button("New play chips", () => this.app.newChips(), { id: "chips" });
    const words = me.guest ? `You play as ${me.name}, a guest.` : `You play as ${me.name}.`;
    return [make("p", { class: "row" }, words, me.wallet < FEW && chips, out), me.guest && this._keepName()].filter(Boolean);
  }

  _guest() {
    const name = make("input", { id: "guest-name", required: true, maxlength: 24, autocomplete: "nickname" });
    return this._form("Play as guest", [field("Your name", name)], () => this.app.connection.guest(name.value.trim()));
  }

  _account() {
    const name = make("input", { id: "account-name", required: true, maxlength: 24, autocomplete: "username" });
    const password = make("input", { id: "password", type: "password", required: true, minlength: 8, maxlength: 128, autocomplete: "current-password" });
    const fields = [field("Name", name), field("Password", password, "at least 8 characters")];
    const { connection } = this.app;
    const anew = button("Open an account", () => name.form.reportValidity() && this._try(name.form, () => connection.signUp(name.value.trim(), password.value)));
    const form = this._form("Sign in", fields, () => connection.signIn(name.value.trim(), password.value), anew);
    return make("details", {}, make("summary", {}, "I have an account, or want one"), form);
  }

  /** A guest who sets a password has an account. */
  _keepName() {
    const password = make("input", { id: "new-password", type: "password", required: true, minlength: 8, maxlength: 128, autocomplete: "new-password" });
    const form = this._form("Keep this name", [field("Password", password, "at least 8 characters")], async () => {
      await this.app.connection.post("/api/me/password", { new: password.value });
      if (this.app.connection.me) this.app.connection.me.guest = false;
      this.update();
    });
    return make("details", {}, make("summary", {}, "Keep this name with a password"), form);
  }

  _form(label, fields, act, ...more) {
    const says = make("p", { role: "alert" });
    const onsubmit = (event) => {
      event.preventDefault();
      this._try(form, act);
    };
    const form = make("form", { class: "row", onsubmit }, ...fields, make("button", { class: "button primary" }, label), ...more, says);
    return form;
  }

  async _try(form, act) {
    const says = form.querySelector("[role=alert]");
    says.textContent = "";
    try {
      await act();
    } catch (problem) {
      says.textContent = problem.words ?? "it did not work";
    }
  }

  // --- tables ---

  async look() {
    try {
      const { tables } = await this.app.connection.get("/api/tables?limit=50");
      if (this.closed) return;
      this.says.textContent = tables.length ? "" : "No table is open. Make one, and others can join.";
      this._show(tables);
    } catch (problem) {
      this.says.textContent = problem.words;
    }
  }

  /** Redrawn only where something changed, so that nobody's focus is lost. */
  _show(tables) {
    const now = JSON.stringify(tables);
    if (now === this.tables) return;
    this.tables = now;
    const focused = document.activeElement?.id;
    this.list.replaceChildren(...tables.map((one) => this._table(one)));
    if (focused) this.list.querySelector(`#${CSS.escape(focused)}`)?.focus();
  }

  _table(one) {
    const name = one.name || `Table ${one.id}`;
    const limits = `${dollars(one.minimum)} to ${one.maximum ? dollars(one.maximum) : "no limit"}`;
    const pace = PACE.find(([most]) => one.card <= most)[1];
    const facts = [one.rulebook, `${one.packs} packs`, limits, `${one.seated} of ${one.boxes} seats`, `${pace} pace`];
    const marks = { practice: one.practice, held: one.paused, closing: one.closing, "a person deals": one.mode === "floor" };
    facts.push(...Object.keys(marks).filter((word) => marks[word]));
    const join = make("a", { href: `/t/${one.id}`, "data-route": true, id: `table-${one.id}`, class: "button", "aria-label": `Go to ${name}` }, "Go to table");
    return make("li", { class: "row" }, make("span", {}, make("b", {}, name), " ", make("span", { class: "muted" }, facts.join(" · "))), join);
  }

  async _makeTable() {
    if (!this.app.connection.me) {
      this.app.notice("Say who you are first: a name is enough.");
      return document.getElementById("guest-name")?.focus();
    }
    (await import("./make_table.js")).makeTable(this.app);
  }

  /** "https://…/t/abc", "/t/abc" or "abc". */
  _link() {
    const link = make("input", { id: "link", required: true, autocomplete: "off" });
    const act = async () => {
      const id = link.value.trim().split("/").at(-1);
      await this.app.connection.get(`/api/tables/${encodeURIComponent(id)}`);
      this.app.go(`/t/${encodeURIComponent(id)}`);
    };
    return make("section", { class: "panel", "aria-label": "Join by link" }, this._form("Join", [field("Link to a private table", link)], act));
  }
}
