// The director's desk: who must do what next, with its button; everything else in folded forms.
import { button, dialog, dollars, field, listed, make, refill } from "../parts.js";
import { dutyCards } from "./director_duties.js";
import { appeal, chipCorrection, decisions, lateEntry, reinstatement } from "./director_rulings.js";

/** Clauses that directors cite often. */
const OFTEN = [
  ["20.17", "speed of play"],
  ["20.15", "no advice"],
  ["20.12", "chips in view"],
  ["20.13", "chips"],
  ["20.7", "seats"],
  ["20.18", "places"],
  ["20.11", "substitutes"],
];
const MINUTE = 60_000;

/** Rulings that may have to wait for the end of a round. */
const TITLES = {
  Disqualify: "Disqualification",
  Substitute: "Substitution",
  CorrectChips: "Chip correction",
  Reinstate: "Reinstatement",
  Cancel: "Cancellation",
};

class Director extends HTMLElement {
  /** @type {TournamentView} */
  view = /** @type {any} */ (null);
  /**
   * What the user may do here.
   * @type {{may: string[], give: (command: Command) => Promise<boolean>, me: Me | null, runs: boolean}}
   */
  desk = { may: [], give: () => Promise.resolve(false), me: null, runs: false };
  drawn = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  opening = undefined;

  /** @param {TournamentView} view @param {Director["desk"]} desk */
  update(view, desk) {
    this.view = view;
    this.desk = desk;
    const names = view.players.map((one) => [one.name, one.status, one.seated]);
    const tables = view.tables.map((one) => one.ended);
    const rest = [
      view.duties,
      view.payments,
      view.ties,
      view.published,
      view.pause,
      view.pace,
      view.waiting,
      view.appeals,
    ];
    const now = JSON.stringify([desk.may, names, tables, view.start, this.early, ...rest]);
    if (now === this.drawn) return;
    this.drawn = now;
    const typed = new Map(this.fields.map((one) => [one.id, one.type === "checkbox" ? one.checked : one.value]));
    const open = new Set([...this.querySelectorAll("details[open]")].map((one) => one.id));
    const at = this.contains(document.activeElement) ? document.activeElement?.id : "";
    refill(
      this,
      make("h2", {}, desk.runs ? "Director's desk" : "House desk"),
      this._missing(),
      dutyCards(this),
      this._payments(),
      this._forms(),
    );
    for (const one of this.fields)
      if (typed.has(one.id)) one[one.type === "checkbox" ? "checked" : "value"] = typed.get(one.id);
    for (const one of this.querySelectorAll("details")) one.open = open.has(one.id);
    // Restored last, because a folded element cannot have the focus.
    const focused = at ? this.querySelector(`#${CSS.escape(at)}`) : null;
    if (focused) /** @type {HTMLElement} */ (focused).focus({ preventScroll: true });
  }

  /** Whether the announced start of the session is still to come. */
  get early() {
    return this.view.phase === "balloted" && this.view.start > Date.now();
  }

  /** Everything that can be typed into. @returns {any[]} */
  get fields() {
    return [...this.querySelectorAll("input, select, textarea")];
  }

  may(name) {
    return this.desk.may.includes(name);
  }

  /** Unfold a form and go to it. @param {string} name */
  unfold(name) {
    const fold = /** @type {HTMLDetailsElement | null} */ (this.querySelector(`#fold-${name}`));
    if (!fold) return;
    fold.open = true;
    fold.querySelector("summary")?.focus();
  }

  give(type, facts = {}) {
    return this.desk.give({ type, ...facts });
  }

  // --- the next steps ---

  /** What the director waits for: players before a session, tables during it. */
  _missing() {
    const { view } = this;
    const lines = [];
    if (view.phase === "balloted") {
      const late = this.late.map((one) => one.name);
      lines.push(late.length ? `Not seated yet: ${late.join(", ")}` : "All players are seated.");
    }
    if (view.phase === "session") {
      const playing = view.tables.filter((one) => !one.ended).map((one) => one.table);
      lines.push(playing.length ? `Playing: table ${playing.join(", ")}` : "All tables have finished.");
    }
    for (const one of view.waiting)
      lines.push(`${TITLES[one.what] ?? one.what} (${one.by}): takes effect after the round.`);
    return lines.length ? make("p", { role: "status" }, lines.join(" ")) : null;
  }

  /** Give a command; starting without all players is confirmed first. @param {string} name @param {object} [facts] */
  _press(name, facts) {
    const late = name === "StartSession" ? this.late.map((one) => one.name) : [];
    if (!late.length) return this.give(name, facts);
    if (!this.view.start) return this._unannounced(late);
    const start = () => {
      box.close();
      this.give(name, facts);
    };
    const words = `Not seated yet: ${listed(late)}. If you start now, they lose their seats (clause 20.9).`;
    const box = dialog("Start without them?", make("p", {}, words));
    box.append(
      make(
        "div",
        { class: "row" },
        button("Wait", () => box.close(), { class: "button primary" }),
        button("Start now", start, { class: "button danger", id: "start-now" }),
      ),
    );
    return box;
  }

  /** Without an announced starting time nobody forfeits. @param {string[]} late */
  _unannounced(late) {
    const rule = "No starting time was announced, and nobody loses a seat without notice (clauses 20.7, 20.9).";
    const box = dialog(
      "Not everyone is seated",
      make("p", {}, `Not seated yet: ${listed(late)}. ${rule}`),
      make("p", {}, "Wait for them, or announce a time under “Move the start”."),
    );
    box.append(button("Wait", () => box.close(), { class: "button primary" }));
    return box;
  }

  _payments() {
    const open = this.may("PayPrize") ? this.view.payments.filter((one) => !one.paid) : [];
    if (!open.length) return null;
    const pay = (one) => {
      const give = () => this.give("PayPrize", { place: one.number });
      const label = `Pay ${one.player} ${dollars(one.amount)}`;
      return make("li", {}, button(label, give, { id: `pay-${one.number}`, class: "button small" }));
    };
    const all = async () => {
      for (const one of open) if (!(await this.give("PayPrize", { place: one.number }))) return;
    };
    return make(
      "div",
      { class: "stack" },
      make("h3", {}, "Prizes to pay"),
      make("ul", { class: "row", role: "list" }, ...open.map(pay)),
      open.length > 1 && button(`Pay all ${open.length}`, all, { class: "button primary", id: "pay-all" }),
    );
  }

  // --- forms ---

  _forms() {
    /** @type {[string, string, () => HTMLElement][]} */
    const forms = [
      ["DecideAppeal", "Decide an appeal", () => decisions(this)],
      ["Enter", "Enter a player at the desk", () => this._enter()],
      ["EnterLate", "Late entry", () => lateEntry(this)],
      ["NominateDirector", "Nominate the director", () => this._nominate()],
      ["CallBreak", "Call a break", () => this._break()],
      ["SetPace", "Set the pace", () => this._pace()],
      ["Direct", "Message to players", () => this._direct()],
      ["TakeSeat", "Record a seated player", () => this._seat()],
      ["OfferSeat", "Give an empty seat to a reserve", () => this._offer()],
      ["Substitute", "Substitute a player", () => this._substitute()],
      ["Disqualify", "Disqualify a player", () => this._disqualify()],
      ["Reinstate", "Reinstate a player", () => reinstatement(this)],
      ["CorrectChips", "Correct chips", () => chipCorrection(this)],
      ["Appeal", "Record an appeal", () => appeal(this)],
      ["MoveStart", "Move the start", () => this._move()],
      ["RecordPoints", "Record points of another game", () => this._points()],
      ["Cancel", "Cancel the tournament", () => this._cancel()],
    ];
    const shown = forms.filter(([name]) => this.may(name));
    const fold = ([name, title, fill]) =>
      make("details", { id: `fold-${name}`, name: "desk" }, make("summary", {}, title), fill());
    if (!shown.length) return null;
    return make(
      "div",
      { class: "stack wide" },
      make("h3", {}, "Other things you can do"),
      make("div", { class: "folds" }, ...shown.map(fold)),
    );
  }

  /** A form that gives a command from its fields, and folds when the command was accepted. */
  _form(name, label, fields, facts, kind = "primary") {
    const onsubmit = async (event) => {
      event.preventDefault();
      const fold = form.parentElement;
      if (await this.give(name, facts())) {
        form.reset();
        this.querySelector(`#${fold.id}`)?.removeAttribute("open");
      }
    };
    const form = make(
      "form",
      { class: "row", onsubmit },
      ...fields,
      make("button", { class: `button ${kind}` }, label),
    );
    return form;
  }

  _text(id, label, attributes = {}, note) {
    const input = make("input", { id: `desk-${id}`, autocomplete: "off", maxlength: 200, ...attributes });
    return [input, field(label, input, note)];
  }

  _people(id, label, people) {
    const select = make(
      "select",
      { id: `desk-${id}`, required: true },
      ...people.map((one) => make("option", { value: one.name ?? one }, one.name ?? one)),
    );
    return [select, field(label, select)];
  }

  get late() {
    return this.in.filter((player) => player.table && !player.seated);
  }

  get in() {
    return this.view.players.filter((one) => one.status === "in");
  }

  _clause(id) {
    const list = make(
      "datalist",
      { id: `desk-${id}-list` },
      ...OFTEN.map(([clause, words]) => make("option", { value: clause }, words)),
    );
    const [input, labelled] = this._text(id, "Clause of rule 20", {
      required: true,
      size: 8,
      list: `desk-${id}-list`,
      value: "20.17",
    });
    return [input, labelled, list];
  }

  _enter() {
    const [name, one] = this._text(
      "entrant",
      "Player",
      { required: true, maxlength: 64 },
      "anyone with a name on this server; the fee leaves their wallet",
    );
    const [group, two] = this._text("entrant-group", "Group (optional)", { maxlength: 64 });
    const agreed = make("input", { type: "checkbox", id: "desk-entrant-agreed", required: this.view.agreement });
    const signed = field("Has agreed to the rules and the conditions", agreed);
    return this._form("Enter", "Enter", [one, this.view.groups && two, signed].filter(Boolean), () => ({
      player: name.value.trim(),
      group: group.value.trim(),
      agreed: agreed.checked,
    }));
  }

  _nominate() {
    const [name, shown] = this._text(
      "director",
      "Name of the director",
      { required: true, maxlength: 64, value: "" },
      "an account with the tournament director role",
    );
    return this._form("NominateDirector", "Nominate", [shown], () => ({
      by: this.desk.me?.name ?? "",
      director: name.value.trim(),
    }));
  }

  _break() {
    const [minutes, shown] = this._text("minutes", "Minutes", {
      type: "number",
      min: 1,
      max: 600,
      value: 10,
      required: true,
    });
    return this._form("CallBreak", "Call the break", [shown], () => ({ minutes: Number(minutes.value) }));
  }

  _pace() {
    const [seconds, shown] = this._text(
      "seconds",
      "Seconds for a wager or a decision",
      { type: "number", min: 0, max: 600, value: this.view.pace, required: true },
      "0 for no limit",
    );
    return this._form("SetPace", "Set the pace", [shown], () => ({ seconds: Number(seconds.value) }));
  }

  _direct() {
    const [words, said] = this._text("words", "Message", { required: true, size: 40 });
    const [to, shown] = this._people("to", "To", [{ name: "" }, ...this.in]);
    to.required = false;
    to.firstChild.textContent = "all players";
    const [clause, cited, list] = this._clause("word-clause");
    return this._form("Direct", "Send", [said, shown, cited, list], () => ({
      words: words.value.trim(),
      clause: clause.value.trim(),
      player: to.value,
    }));
  }

  _seat() {
    const [player, one] = this._people("seated", "Player", this.late);
    return this._form("TakeSeat", "Record", [one], () => ({ player: player.value }));
  }

  _offer() {
    const [absent, one] = this._people("absent", "Seat of", this.late);
    const [reserve, two] = this._people(
      "reserve",
      "Goes to",
      this.view.players.filter((player) => player.status === "reserve"),
    );
    return this._form("OfferSeat", "Offer the seat", [one, two], () => ({
      absent: absent.value,
      reserve: reserve.value,
    }));
  }

  _substitute() {
    const [player, one] = this._people("leaves", "Player", this.in);
    const [name, two] = this._text("substitute", "Substitute", { required: true, maxlength: 64 });
    const [reason, three] = this._text("substitute-why", "Reason", { required: true });
    const agreed = make("input", { type: "checkbox", id: "desk-substitute-agreed", required: this.view.agreement });
    return this._form(
      "Substitute",
      "Substitute",
      [one, two, three, field("Has agreed to the rules and the conditions", agreed)],
      () => ({
        player: player.value,
        substitute: name.value.trim(),
        reason: reason.value.trim(),
        agreed: agreed.checked,
      }),
    );
  }

  _disqualify() {
    const [player, one] = this._people(
      "out",
      "Player",
      this.view.players.filter((other) => ["in", "eliminated", "reserve"].includes(other.status)),
    );
    const [reason, two] = this._text("out-why", "Reason", { required: true, size: 30 });
    const [clause, three, list] = this._clause("out-clause");
    return this._form(
      "Disqualify",
      "Disqualify",
      [one, two, three, list],
      () => ({ player: player.value, reason: reason.value.trim(), clause: clause.value.trim() }),
      "danger",
    );
  }

  _move() {
    const [at, shown] = this._text("at", "New start", { type: "datetime-local", required: true });
    const facts = () => {
      const moment = new Date(at.value).getTime();
      return { at: moment, notice: Math.floor((moment - Date.now()) / MINUTE) };
    };
    return this._form("MoveStart", "Move the start", [shown], facts);
  }

  _points() {
    const [game, one] = this._text("game", "Game", { required: true, maxlength: 64 });
    const [points, two] = this._text(
      "points",
      "Points",
      { size: 40, placeholder: "Ann 5, Ben 3.5" },
      "player and points, separated by commas; players who are not listed get none",
    );
    const read = (line) => {
      const [, name, number] = line.match(/^\s*(.*\S)\s+([0-9.]+)\s*$/) ?? [null, line.trim(), "0"];
      return [name, [Math.round(Number(number) * 100), 100]];
    };
    return this._form("RecordPoints", "Record", [one, two], () => ({
      game: game.value.trim(),
      points: points.value
        .split(",")
        .filter((line) => line.trim())
        .map(read),
    }));
  }

  _cancel() {
    const [reason, shown] = this._text(
      "cancel-why",
      "Reason",
      { required: true, size: 30 },
      "all fees and commissions are refunded in full",
    );
    return this._form("Cancel", "Cancel the tournament", [shown], () => ({ reason: reason.value.trim() }), "danger");
  }
}
customElements.define("pontoon-director", Director);
