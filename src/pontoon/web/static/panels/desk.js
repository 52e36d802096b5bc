// The desk of officials: pause the game, rule on irregularities, approve rulings, change the limits.
import { button, cents, field, pausedWords, make, spaced } from "../parts.js";
import { irregularities } from "./irregular.js";
import { Panel, cite, grid, save } from "./part.js";
import { about, fillIn, rulingWords, tryOut } from "./trial.js";

const QUIET = 400; // milliseconds without a card before the list of rulings is loaded
const HERE = ["Pause", "Resume", "SetLimits"]; // rulings with controls of their own

class Desk extends Panel {
  key = "";

  build() {
    this.hold = make("div", { class: "row" });
    this.waiting = make("div", { class: "stack" });
    this.trial = make("section", { class: "stack trial", "aria-label": "Preview of a ruling", role: "status" });
    this.lawful = make("div", { class: "stack" });
    this.errors = make("div", { class: "stack" });
    this.limits = make("div", { class: "stack" });
    const file = (kind) => {
      const act = () => save(this.connection, `/api/rounds.${kind}?table=${this.model.id}`, `${this.model.id}.${kind}`);
      return button(`Save rounds as ${kind.toUpperCase()}`, () => this.attempt(act), { class: "button small" });
    };
    const parts = [
      ["Awaiting approval", this.waiting],
      ["Rulings", this.lawful],
      ["Irregularities", this.errors],
      ["Limits", this.limits],
      ["Records", make("div", { class: "row" }, file("csv"), file("json"))],
    ];
    this.append(
      make("h2", {}, "Desk"),
      this.hold,
      this.trial,
      ...parts.flatMap(([name, part]) => [make("h3", {}, name), part]),
    );
  }

  get official() {
    return Boolean(this.model.me && this.model.me.role !== "player");
  }

  update(model) {
    this.model = model;
    const { view, room, me } = model;
    if (!view || !this.hold) return;
    const round = view.round;
    const table = [view.phase, view.number, view.seats, view.limits, view.closing];
    const key = JSON.stringify([me?.name, ...table, round?.stage, round?.turn, room.paused, room.proposals]);
    if (key === this.key) return;
    this.key = key;
    this._paused();
    this._proposals();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this._rulings(), QUIET);
  }

  /** Give a command in the user's role; the player who made the table acts as a player. @param {Command} command */
  async give(command, proposed = false) {
    const as = this.official ? this.model.me.role : "player";
    const done = await this.attempt(() => this.connection.do(this.model.id, command, { as }));
    const words = `${proposed ? "Proposed" : "Done"}: ${rulingWords(command.type)}.`;
    if (done) this.trial.replaceChildren(make("p", { class: "good" }, words));
  }

  _paused() {
    const { room, view } = this.model;
    const reason = make("input", { "aria-label": "Reason for the pause", placeholder: "reason", maxlength: 200 });
    // While a ruling waits for approval, the second person decides.
    const resume = !room.proposals?.length && button("Resume", () => this.give({ type: "Resume" }));
    const parts = room.paused
      ? [make("strong", {}, pausedWords(room)), ...(resume ? [resume] : [])]
      : [button("Pause the game", () => this.give({ type: "Pause", reason: reason.value })), reason];
    if (view.mode === "floor" && view.phase === "ready")
      parts.push(button("No more bets", () => this.give({ type: "CallNoMoreBets" })));
    this.hold.replaceChildren(...parts);
  }

  // --- rulings awaiting approval ---

  _proposals() {
    const rows = (this.model.room.proposals ?? []).map((one) => {
      const reason = make("input", { "aria-label": "Reason for rejecting", placeholder: "reason", maxlength: 200 });
      const approve = { type: "Approve", number: one.number };
      const buttons = [
        button("Preview", () => tryOut(this, approve)),
        button("Approve", () => this.give(approve)),
        button("Reject", () => this.give({ type: "Reject", number: one.number, reason: reason.value })),
        reason,
      ];
      return make(
        "div",
        { class: "proposal" },
        make("p", {}, `${one.number}. ${rulingWords(one.what)}, proposed by ${one.by} (${spaced(one.role)})`),
        make("div", { class: "row" }, ...buttons),
      );
    });
    this.waiting.replaceChildren(...(rows.length ? rows : [make("p", { class: "muted" }, "None.")]));
  }

  // --- rulings ---

  async _rulings() {
    if (!this.isConnected) return;
    if (!this.official) return this._own();
    const answer = await this.attempt(() => this.connection.get(`/api/tables/${this.model.id}/rulings`));
    if (!answer) return;
    const shown = answer.rulings.filter((one) => !HERE.includes(one.what));
    const line = (one) => {
      const words = rulingWords(one.what);
      const label = { class: "button small", "aria-label": `Preview: ${words} ${about(one)}` };
      const state = one.second ? "needs approval" : "allowed";
      return [
        words,
        about(one),
        one.lawful ? state : one.why,
        cite(one.clauses, one.why ?? words, this.model.view.rulebook),
        one.lawful ? button("Preview", () => fillIn(this, one), label) : "",
      ];
    };
    const [allowed, others] = [shown.filter((one) => one.lawful), shown.filter((one) => !one.lawful)];
    const heading = ["Ruling", "About", "Status", "Clause", "Action"];
    const folded = grid("Rulings not allowed now, and why", heading, others.map(line));
    this.lawful.replaceChildren(
      grid("Rulings allowed now", heading, allowed.map(line)),
      make("details", {}, make("summary", {}, `Not allowed now (${others.length})`), folded),
    );
    irregularities(this, this.errors, answer.errors);
    this._sign(answer.rulings.find((one) => one.what === "SetLimits"));
  }

  /** The player who made a table may close it. */
  _own() {
    const minutes = make("input", { type: "number", min: 0, value: 0, "aria-label": "Minutes since the notice" });
    const notices = ["minutes", "rounds", "notice"].map((kind) =>
      button(`Notice: ${kind}`, () => this.give({ type: "GiveNotice", kind })),
    );
    this.lawful.replaceChildren(
      make(
        "div",
        { class: "row" },
        ...notices,
        button("Close the table", () => this.give({ type: "Close", minutes: Number(minutes.value) })),
        minutes,
      ),
    );
  }

  // --- limits ---

  _sign(ruling) {
    if (!ruling?.lawful)
      return this.limits.replaceChildren(make("p", { class: "muted" }, ruling?.why ?? "Not available to your role."));
    const { minimum = 0, maximum = 0, smallest_chip: chip = 0, box_maximum: box = 0 } = this.model.view.limits;
    const inputs = [minimum, maximum, box].map((amount) =>
      make("input", { value: (amount / 100).toFixed(2), inputmode: "decimal" }),
    );
    const set = () => {
      const [low, high, most] = inputs.map((one) => cents(one.value));
      const limits = { minimum: low, maximum: high, smallest_chip: chip };
      tryOut(this, { type: "SetLimits", limits, told: true, box_maximum: most });
    };
    return this.limits.replaceChildren(
      make(
        "div",
        { class: "row" },
        field("Minimum", inputs[0]),
        field("Maximum (0 for none)", inputs[1]),
        field("Box maximum (0 for none)", inputs[2]),
        button("Preview", set),
      ),
      make("p", { class: "muted" }, "By confirming you state that the players have been answer."),
    );
  }
}
customElements.define("pontoon-desk", Desk);
