// The director's desk: what is due next as one button, the rest in forms that are folded away until they are wanted.
import { button, dialog, dollars, field, make, refill } from "../parts.js";

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

/** Commands that need nothing more: what the button says, and what it leads to. */
const STEPS = [
  [
    "CommitBallot",
    "Fix the seed of the ballots",
    "The server makes it and publishes its hash.",
    () => ({ seed_hash: "" }),
  ],
  ["CloseEntries", "Close the entries", "No more entries; the ballot is next."],
  ["DrawBallot", "Draw the ballot", "Tables and seats of the next session.", () => ({ seed: "" })],
  ["StartSession", "Start the session", "Whoever is not seated has lost the seat."],
  ["EndSession", "End the session", "Places, points, and who goes on."],
  ["AwardPlaces", "Award the places", "The final places and every prize."],
  ["RevealBallot", "Publish the seed", "Anybody can then check every ballot.", () => ({ seed: "" })],
  ["EndBreak", "End the break", "Play goes on."],
];

/** Rulings that may have to wait for the end of a round. */
const TITLES = { Disqualify: "Ruling a player out", Substitute: "A substitute", Cancel: "Cancelling" };

class Director extends HTMLElement {
  /** @param {any} view @param {{may: string[], give: (command: any) => Promise<boolean>, me: any}} desk */
  update(view, desk) {
    Object.assign(this, { view, desk });
    const names = view.players.map((one) => [one.name, one.status, one.seated]);
    const now = JSON.stringify([
      desk.may,
      names,
      view.payments,
      view.ties,
      view.published,
      view.tables.map((one) => one.ended),
      view.pause,
      view.pace,
      view.waiting,
    ]);
    if (now === this.drawn) return;
    this.drawn = now;
    const typed = new Map(
      [...this.querySelectorAll("input, select, textarea")].map((one) => [
        one.id,
        one.type === "checkbox" ? one.checked : one.value,
      ]),
    );
    const open = new Set([...this.querySelectorAll("details[open]")].map((one) => one.id));
    const at = this.contains(document.activeElement) ? document.activeElement.id : "";
    refill(
      this,
      make("h2", {}, desk.runs ? "Director's desk" : "The house's desk"),
      this._missing(),
      this._payments(),
      this._steps(),
      this._forms(),
    );
    for (const one of this.querySelectorAll("input, select, textarea"))
      if (typed.has(one.id)) one[one.type === "checkbox" ? "checked" : "value"] = typed.get(one.id);
    for (const one of this.querySelectorAll("details")) one.open = open.has(one.id);
    if (at) this.querySelector(`#${CSS.escape(at)}`)?.focus({ preventScroll: true }); // it was folded when it came back
  }

  may(name) {
    return this.desk.may.includes(name);
  }

  give(type, facts = {}) {
    return this.desk.give({ type, ...facts });
  }

  // --- what is due ---

  /** Who is still missing, before the session starts. */
  _missing() {
    const { view } = this;
    const lines = [];
    if (view.phase === "balloted") {
      const late = this.late.map((one) => one.name);
      lines.push(late.length ? `Not seated yet: ${late.join(", ")}` : "Everybody is seated.");
    }
    if (view.phase === "session") {
      const playing = view.tables.filter((one) => !one.ended).map((one) => one.table);
      lines.push(playing.length ? `Playing: table ${playing.join(", ")}` : "All tables have ended.");
    }
    for (const one of view.waiting)
      lines.push(`${TITLES[one.what] ?? one.what} (${one.by}): takes effect when no round is on.`);
    return lines.length ? make("p", { role: "status" }, lines.join(" ")) : null;
  }

  _steps() {
    const step = (name, label, words, facts = {}, id = name) =>
      make(
        "div",
        { class: "step" },
        button(label, () => this._press(name, facts), { class: "button primary", id: `step-${id}` }),
        make("small", { class: "muted" }, words),
      );
    const steps = STEPS.filter(([name]) => this.may(name)).map(([name, label, words, facts]) =>
      step(name, label, words, facts?.()),
    );
    if (this.may("PublishConditions")) {
      const readers = [
        ["patrons", "For everybody who may want to enter."],
        ["commission", "The commission is notified and has its copy."],
      ];
      steps.unshift(
        ...readers
          .filter(([to]) => !this.view.published.includes(to))
          .map(([to, words]) => step("PublishConditions", `Give the conditions to the ${to}`, words, { to }, to)),
      );
    }
    if (this.may("DrawLots"))
      steps.push(
        ...this.view.ties
          .filter((one) => one.by === "ballot")
          .map((one, place) =>
            step(
              "DrawLots",
              `Draw lots: ${one.players.join(", ")}`,
              "They are equal, and the conditions say a ballot.",
              { players: one.players, seed: "" },
              `lots-${place}`,
            ),
          ),
      );
    return steps.length ? make("div", { class: "due" }, ...steps) : null;
  }

  /** Whoever is not there when the session starts loses the seat: the director is asked once more. */
  _press(name, facts) {
    const late = name === "StartSession" ? this.late.map((one) => one.name) : [];
    if (!late.length) return this.give(name, facts);
    const start = () => (box.close(), this.give(name, facts));
    const box = dialog(
      "Start without them?",
      make(
        "p",
        {},
        `Not seated yet: ${late.join(", ")}. By rule 20.9 they lose their seats, and their fees stay in the pool.`,
      ),
    );
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

  _payments() {
    const open = this.may("PayPrize") ? this.view.payments.filter((one) => !one.paid) : [];
    if (!open.length) return null;
    const pay = (one) =>
      make(
        "li",
        {},
        button(`Pay ${one.player} ${dollars(one.amount)}`, () => this.give("PayPrize", { place: one.number }), {
          id: `pay-${one.number}`,
          class: "button small",
        }),
      );
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
    const forms = [
      ["NominateDirector", "Name the director", () => this._nominate()],
      ["CallBreak", "Call a break", () => this._break()],
      ["SetPace", "Set the pace", () => this._pace()],
      ["Direct", "Say something to the players", () => this._direct()],
      ["TakeSeat", "Somebody is seated", () => this._seat()],
      ["OfferSeat", "A reserve for an empty seat", () => this._offer()],
      ["Substitute", "Let a substitute play on", () => this._substitute()],
      ["Disqualify", "Rule a player out", () => this._disqualify()],
      ["MoveStart", "Move the start", () => this._move()],
      ["RecordPoints", "Points of another game", () => this._points()],
      ["Cancel", "Cancel the tournament", () => this._cancel()],
    ];
    const shown = forms.filter(([name]) => this.may(name));
    const fold = ([name, title, fill]) =>
      make("details", { id: `fold-${name}`, name: "desk" }, make("summary", {}, title), fill());
    return shown.length ? make("div", { class: "folds" }, ...shown.map(fold)) : null;
  }

  /** A form that gives a command from its fields and folds itself away when it was taken. */
  _form(name, label, fields, facts, kind = "primary") {
    const onsubmit = async (event) => {
      event.preventDefault();
      const fold = form.parentElement;
      if (await this.give(name, facts())) {
        form.reset();
        const now = this.querySelector(`#${fold.id}`);
        if (now) now.open = false;
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

  _nominate() {
    const [name, shown] = this._text(
      "director",
      "Name of the director",
      { required: true, maxlength: 64, value: "" },
      "an account with the role of a tournament director",
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
    return this._form("CallBreak", "Call it", [shown], () => ({ minutes: Number(minutes.value) }));
  }

  _pace() {
    const [seconds, shown] = this._text(
      "seconds",
      "Seconds for a wager or a decision",
      { type: "number", min: 0, max: 600, value: this.view.pace, required: true },
      "0: no limit",
    );
    return this._form("SetPace", "Set it", [shown], () => ({ seconds: Number(seconds.value) }));
  }

  _direct() {
    const [words, said] = this._text("words", "Words", { required: true, size: 40 });
    const [to, shown] = this._people("to", "To", [{ name: "" }, ...this.in]);
    to.required = false;
    to.firstChild.textContent = "everybody";
    const [clause, cited, list] = this._clause("word-clause");
    return this._form("Direct", "Say it", [said, shown, cited, list], () => ({
      words: words.value.trim(),
      clause: clause.value.trim(),
      player: to.value,
    }));
  }

  _seat() {
    const [player, one] = this._people("seated", "Is in the seat", this.late);
    return this._form("TakeSeat", "Note it", [one], () => ({ player: player.value }));
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
    const [player, one] = this._people("leaves", "For", this.in);
    const [name, two] = this._text("substitute", "Plays on", { required: true, maxlength: 64 });
    const [reason, three] = this._text("substitute-why", "Reason", { required: true });
    const agreed = make("input", { type: "checkbox", id: "desk-substitute-agreed", required: this.view.agreement });
    return this._form(
      "Substitute",
      "Let them play",
      [one, two, three, field("Has agreed to rules and conditions", agreed)],
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
      "Rule out",
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
    return this._form("MoveStart", "Move it", [shown], facts);
  }

  _points() {
    const [game, one] = this._text("game", "Game", { required: true, maxlength: 64 });
    const [points, two] = this._text(
      "points",
      "Points",
      { size: 40, placeholder: "Ann 5, Ben 3.5" },
      "player and points, with commas between; who is not named has none",
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
      "all fees and commissions go back in full",
    );
    return this._form("Cancel", "Cancel the tournament", [shown], () => ({ reason: reason.value.trim() }), "danger");
  }
}
customElements.define("pontoon-director", Director);
