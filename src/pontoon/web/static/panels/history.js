// History: rounds that are over, played again step by step on a small table, and saved as files.
import { button, make, net } from "../parts.js";
import { Panel, save } from "./part.js";
import "../table.js";

const PAGE = 20,
  STEPS = 200;

class History extends Panel {
  /** Whose rounds: mine everywhere, or all of this table. */
  mine = true;
  steps = [];
  at = 0;

  build() {
    this.list = make("div", { class: "stack" });
    this.player = make("section", { class: "stack", hidden: true, "aria-label": "A round, step by step" });
    const own = button("My rounds", () => this._choose(true), { "aria-pressed": "true" });
    const all = button("All of this table", () => this._choose(false), { "aria-pressed": "false" });
    this.which = [own, all];
    this.append(make("h2", {}, "History"), make("div", { class: "row" }, own, all), this.player, this.list);
    this.addEventListener("keydown", (event) => this._key(event));
    for (const name of ["box-tap", "bettor-tap"])
      this.player.addEventListener(name, (event) => event.stopPropagation()); // nothing is bet here
  }

  update(model) {
    const before = this.model && this.done;
    this.model = model;
    this.done = model.view?.phase === "round" ? this.done : model.view?.number;
    if (this.list && before !== this.done && this.player.hidden) this._page();
  }

  _choose(mine) {
    this.mine = mine;
    this.which[0].setAttribute("aria-pressed", String(mine));
    this.which[1].setAttribute("aria-pressed", String(!mine));
    this._page();
  }

  // --- the list ---

  get _base() {
    return this.mine && this.connection.me
      ? `player=${encodeURIComponent(this.connection.me.name)}`
      : `table=${this.model.id}`;
  }

  async _page(cursor = "") {
    if (!this.connection.me) return this.list.replaceChildren(make("p", {}, "Sign in to see rounds."));
    const more = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const told = await this.attempt(() => this.connection.get(`/api/rounds?${this._base}&limit=${PAGE}${more}`));
    if (!told) return undefined;
    const rows = told.rounds.map((one) => this._row(one));
    const table = make(
      "table",
      {},
      make("caption", {}, this.mine ? "My rounds, newest first" : "Rounds of this table, newest first"),
      make(
        "thead",
        {},
        make("tr", {}, ...["Round", "When", "Result", "Steps"].map((one) => make("th", { scope: "col" }, one))),
      ),
      make("tbody", {}, ...rows),
    );
    const older = told.next && button("Older rounds", () => this._page(told.next), { class: "button small" });
    const files = ["csv", "json"].map((kind) =>
      button(
        `Save as ${kind.toUpperCase()}`,
        () => this.attempt(() => save(this.connection, `/api/rounds.${kind}?${this._base}`, `rounds.${kind}`)),
        { class: "button small" },
      ),
    );
    this.list.replaceChildren(
      rows.length
        ? make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Rounds" }, table)
        : make("p", {}, "No rounds yet."),
      make("div", { class: "row" }, ...[older, ...(rows.length ? files : [])].filter(Boolean)),
    );
    return undefined;
  }

  _row(round) {
    const me = this.connection.me?.name;
    const lines = round.players.filter((one) => !this.mine || one.player === me);
    const result = lines.map((one) => (this.mine ? net(one.net) : `${one.player} ${net(one.net)}`)).join(", ");
    const open = button(`Watch round ${round.number}`, () => this._open(round), { class: "button small" });
    const when = new Date(round.at).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" });
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, `${round.number}, ${round.rulebook}`),
      make("td", {}, when),
      make("td", {}, round.void ? `${result} (void)` : result),
      make("td", {}, open),
    );
  }

  // --- one round ---

  async _open(round) {
    const path = `/api/rounds/${round.table}/${round.number}`;
    const told = await this.attempt(() => this.connection.get(`${path}/steps?limit=${STEPS}`));
    if (!told?.steps.length) return;
    this.round = round;
    this.steps = told.steps;
    this.words = make("p", { role: "status" });
    this.place = make("input", {
      type: "range",
      min: 0,
      max: this.steps.length - 1,
      "aria-label": "Step of the round",
      oninput: () => this._to(Number(this.place.value)),
    });
    this.table = make("pontoon-table", { class: "small", "data-label": "Table of that round" });
    const elsewhere = make("div");
    const save_ = () =>
      this.attempt(() => save(this.connection, `${path}/transcript`, `${round.table}-${round.number}.prt`));
    const bar = make(
      "div",
      { class: "row" },
      button("← Back", () => this._to(this.at - 1)),
      button("Forward →", () => this._to(this.at + 1)),
      this.place,
    );
    const tools = make(
      "div",
      { class: "row" },
      button("Save transcript", save_, { class: "button small" }),
      button("Under other rulebooks", () => this._elsewhere(elsewhere), { class: "button small" }),
      button("Back to the list", () => this._shut(), { class: "button small" }),
    );
    this.player.replaceChildren(
      make("h3", { tabindex: -1 }, `Round ${round.number}, ${round.rulebook}`),
      bar,
      this.words,
      this.table,
      make("p", { class: "muted" }, "The arrow keys go back and forth."),
      tools,
      elsewhere,
    );
    this.player.hidden = false;
    this.list.hidden = true;
    this._to(0);
    this.player.querySelector("h3").focus();
  }

  _to(at) {
    this.at = Math.max(0, Math.min(at, this.steps.length - 1));
    const step = this.steps[this.at];
    this.place.value = String(this.at);
    const said = step.events
      .map((one) => one.words)
      .filter(Boolean)
      .join(". ");
    this.words.textContent = `${this.at + 1} of ${this.steps.length}: ${said || "…"}`;
    const { me, settings } = this.model;
    // The last step collects the cards: the results are what one wants to see then.
    const settled = this.steps.slice(0, this.at + 1).findLast((one) => one.view.round?.stage === "ended");
    const view = settled ? { ...step.view, round: settled.view.round } : step.view;
    this.table.update({
      id: this.round.table,
      version: step.version,
      room: step.room,
      view,
      events: step.events,
      proofs: [],
      log: [],
      me,
      settings,
      pending: {},
    });
  }

  _key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || this.player.hidden || event.target === this.place) return;
    event.preventDefault();
    event.stopPropagation();
    this._to(this.at + by);
  }

  async _elsewhere(place) {
    await import("./asif.js");
    const panel = make("pontoon-asif");
    panel.connection = this.connection;
    place.replaceChildren(panel);
    panel.show({ table: this.round.table, number: this.round.number });
  }

  _shut() {
    this.player.hidden = true;
    this.list.hidden = false;
    this._page();
    this.which[this.mine ? 0 : 1].focus();
  }
}
customElements.define("pontoon-history", History);
