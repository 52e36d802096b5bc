// The desk of officials: hold the game, rule on irregularities with the money before and after, agree as second person.
import { button, cents, field, heldWords, make, spaced } from "../parts.js";
import { irregularities } from "./irregular.js";
import { Panel, cite, grid, save } from "./part.js";
import { WORDS, about, fillIn, tryOut } from "./trial.js";

const QUIET = 400; // milliseconds: while cards come the list of rulings waits
const HERE = ["Pause", "Resume", "SetLimits"]; // these have controls of their own

class Desk extends Panel {
  key = "";

  build() {
    this.hold = make("div", { class: "row" });
    this.waiting = make("div", { class: "stack" });
    this.trial = make("section", { class: "stack trial", "aria-label": "A ruling, before it is made", role: "status" });
    this.lawful = make("div", { class: "stack" });
    this.errors = make("div", { class: "stack" });
    this.limits = make("div", { class: "stack" });
    const file = (kind) =>
      button(
        `Save rounds as ${kind.toUpperCase()}`,
        () =>
          this.attempt(() =>
            save(this.connection, `/api/rounds.${kind}?table=${this.model.id}`, `${this.model.id}.${kind}`),
          ),
        { class: "button small" },
      );
    const parts = [
      ["Waiting for a second person", this.waiting],
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
    const key = JSON.stringify([
      me?.name,
      view.phase,
      view.number,
      round?.stage,
      round?.turn,
      room.paused,
      room.proposals,
      view.seats,
      view.limits,
      view.closing,
    ]);
    if (key === this.key) return;
    this.key = key;
    this._held();
    this._proposals();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this._rulings(), QUIET);
  }

  /** Give a command in the own capacity; whoever made the table acts as a player. */
  async give(command) {
    const as = this.official ? this.model.me.role : "player";
    const done = await this.attempt(() => this.connection.do(this.model.id, command, { as }));
    if (done)
      this.trial.replaceChildren(make("p", { class: "good" }, `Done: ${WORDS[command.type] ?? spaced(command.type)}.`));
  }

  _held() {
    const { room, view } = this.model;
    const reason = make("input", { "aria-label": "Why the game is held", placeholder: "why", maxlength: 200 });
    const goOn = !room.proposals?.length && button("Go on", () => this.give({ type: "Resume" })); // else the second person decides
    const parts = room.paused
      ? [make("strong", {}, heldWords(room)), ...(goOn ? [goOn] : [])]
      : [button("Hold the game", () => this.give({ type: "Pause", reason: reason.value })), reason];
    if (view.mode === "floor" && view.phase === "ready")
      parts.push(button("No more bets", () => this.give({ type: "CallNoMoreBets" })));
    this.hold.replaceChildren(...parts);
  }

  // --- two persons ---

  _proposals() {
    const rows = (this.model.room.proposals ?? []).map((one) => {
      const reason = make("input", { "aria-label": "Why it is not approved", placeholder: "why not", maxlength: 200 });
      const approve = { type: "Approve", number: one.number };
      const buttons = [
        button("What it would do", () => tryOut(this, approve)),
        button("Approve", () => this.give(approve)),
        button("Reject", () => this.give({ type: "Reject", number: one.number, reason: reason.value })),
        reason,
      ];
      return make(
        "div",
        { class: "proposal" },
        make("p", {}, `${one.number}. ${WORDS[one.what] ?? one.what}, proposed by ${one.by} (${spaced(one.role)})`),
        make("div", { class: "row" }, ...buttons),
      );
    });
    this.waiting.replaceChildren(...(rows.length ? rows : [make("p", { class: "muted" }, "Nothing.")]));
  }

  // --- rulings ---

  async _rulings() {
    if (!this.isConnected) return;
    if (!this.official) return this._own();
    const told = await this.attempt(() => this.connection.get(`/api/tables/${this.model.id}/rulings`));
    if (!told) return;
    const shown = told.rulings.filter((one) => !HERE.includes(one.what));
    const line = (one) => [
      `${WORDS[one.what] ?? one.what}`,
      about(one),
      one.lawful ? (one.second ? "with a second person" : "lawful") : one.why,
      cite(one.clauses, one.why ?? WORDS[one.what], this.model.view.rulebook),
      one.lawful
        ? button("Try", () => fillIn(this, one), {
            class: "button small",
            "aria-label": `Try: ${WORDS[one.what]} ${about(one)}`,
          })
        : "",
    ];
    const lawful = shown.filter((one) => one.lawful),
      not = shown.filter((one) => !one.lawful);
    const heading = ["Ruling", "About", "Now", "Clause", "Do"];
    this.lawful.replaceChildren(
      grid("What may be ruled now", heading, lawful.map(line)),
      make(
        "details",
        {},
        make("summary", {}, `Not now (${not.length})`),
        grid("What may not be ruled now, and why", heading, not.map(line)),
      ),
    );
    irregularities(this, this.errors, told.errors);
    this._sign(told.rulings.find((one) => one.what === "SetLimits"));
  }

  /** Whoever made a table may close it. */
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
        button("Close", () => this.give({ type: "Close", minutes: Number(minutes.value) })),
        minutes,
      ),
    );
  }

  // --- limits ---

  _sign(ruling) {
    if (!ruling?.lawful)
      return this.limits.replaceChildren(make("p", { class: "muted" }, ruling?.why ?? "Not for this role."));
    const { minimum = 0, maximum = 0, smallest_chip: chip = 0 } = this.model.view.limits;
    const inputs = [minimum, maximum].map((amount) =>
      make("input", { value: (amount / 100).toFixed(2), inputmode: "decimal" }),
    );
    const set = () => {
      const [low, high] = inputs.map((one) => cents(one.value));
      tryOut(this, { type: "SetLimits", limits: { minimum: low, maximum: high, smallest_chip: chip }, told: true });
    };
    return this.limits.replaceChildren(
      make(
        "div",
        { class: "row" },
        field("Minimum", inputs[0]),
        field("Maximum (0 is none)", inputs[1]),
        button("Try", set),
      ),
      make("p", { class: "muted" }, "The players have been told of the change."),
    );
  }
}
customElements.define("pontoon-desk", Desk);
