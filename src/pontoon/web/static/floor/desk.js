// The supervisor's desk: what happened, the remedies the rules allow, their preview, then confirm.
// A second person sees the same preview before approving.
import { button, cents, dollars, field, make, spaced } from "../parts.js";
import { link } from "./app.js";
import { cite, form, rulesName } from "./common.js";
import { cardsInput } from "./cards_input.js";
import { preview, tablePicture } from "./preview.js";

/** @param {any} app @param {any} main @param {string} id */
export const open = (app, main, id) => new Desk(app, main, id);

const WAIT = 150;
const APPROVES = ["inspector", "casino_supervisor"];
const STEPS = ["What happened", "Remedy", "Preview and confirm"];
/** What may have happened, by what it is about. @type {[string, string[]][]} */
const GROUPS = [
  ["Cards", ["wrong_place", "drawn", "face_up", "too_far", "left_out", "extra_hand", "shoe"]],
  ["Money", ["wager", "payment"]],
  ["People and table", ["offer", "absent", "person", "table"]],
];

class Desk {
  constructor(app, main, id) {
    this.app = app;
    this.id = id;
    this.connection = app.connection;
    /** @type {any} */
    this.now = null;
    /** @type {any} */
    this.told = null;
    this.remedy = "";
    /** The ruling in the preview. @type {any} */
    this.chosen = null;
    /** Counts what the preview has shown: the answer to an earlier request is not shown. */
    this.turn = 0;
    this.giving = false;
    /** Whether this person may hold and resume play. */
    this.holds = false;
    /** What happened, and the box that is marked; 0 for none. */
    this.happened = "";
    this.box = 0;
    this.steps = make("ol", { class: "steps", "aria-label": "Steps" });
    this.list = make("nav", { class: "kinds", "aria-label": "What happened" });
    this.middle = make("section", { class: "stack", "aria-label": "Remedies" });
    this.side = make("section", { class: "desk-preview stack", "aria-label": "Preview", "aria-live": "polite" });
    main.replaceChildren(this.steps, make("div", { class: "desk" }, this.list, this.middle, this.side));
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    this.connection.watch(id);
  }

  close() {
    document.removeEventListener("keydown", this.onkey);
    this.connection.unwatch(this.id);
    clearTimeout(this.timer);
  }

  /** Ctrl Enter confirms, the digits choose a remedy. @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (document.querySelector("dialog[open]") || ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return;
    if (event.ctrlKey && event.key === "Enter") document.getElementById("confirm-ruling")?.click();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[1-9]$/.test(event.key)) this.middle.querySelectorAll(".remedy")[Number(event.key) - 1]?.click();
    if (event.key === "Escape") this.clear();
  }

  /** @param {any} frame */
  frame(frame) {
    if (frame.table !== this.id) return;
    const changed = this.now && this.chosen && this.now.version !== frame.version;
    this.now = frame;
    this.head();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), WAIT);
    if (this.answered(frame.events ?? []) || !changed) return;
    this.side.replaceChildren(make("p", { class: "alarm" }, "The table has changed: look at the preview again."));
    this.chosen = null;
  }

  /** Show what the second person decided. @param {any[]} events */
  answered(events) {
    const found = events.find((one) => ["RulingApproved", "RulingRejected"].includes(one.type));
    if (!found) return false;
    const kind = found.type === "RulingApproved" ? "good" : "alarm";
    this.turn += 1;
    this.side.replaceChildren(make("p", { class: kind, role: "status" }, `${found.words}.`));
    this.chosen = null;
    return true;
  }

  head() {
    const { view, room } = this.now;
    const held = room.paused ? [make("span", { class: "tag held" }, "Play held")] : [];
    const hold = room.held || room.paused ? "Resume" : "Pause";
    this.app.header(
      "Supervisor's desk",
      [room.name || this.id, rulesName(view.rulebook), `Round ${view.number ?? 0}`, ...held],
      [
        this.holds &&
          button(hold === "Resume" ? "Resume play" : "Hold play", () => this.give({ type: hold }), {
            class: "btn small",
            id: "hold",
          }),
        link("Console", `/floor/${this.id}`),
        link("Pit", "/pit"),
      ].filter(Boolean),
    );
  }

  async load() {
    const reply = await this.connection.get(`/api/tables/${this.id}/rulings`).catch((problem) => {
      this.app.notice(problem.words, "alarm");
      return null;
    });
    if (!reply || reply.version < (this.told?.version ?? 0)) return; // a slow answer about an earlier table
    this.told = reply;
    this.holds = reply.rulings.some((one) => one.lawful && ["Pause", "Resume"].includes(one.what));
    this.head();
    this.told.rulings = reply.rulings.filter((one) => one.lawful && !["Pause", "Resume"].includes(one.what));
    this.reported();
    this.draw();
    const [waiting] = this.now.room.proposals ?? [];
    if (!this.chosen && !this.giving && waiting) this.approval(waiting);
  }

  /** What the dealer reported is chosen already. */
  reported() {
    const said = this.now.room.paused ?? "";
    const found = this.told.happened.find((one) => said.startsWith(one.words));
    const open_ = (name) => this.told.rulings.some((one) => one.about === name);
    if (found && open_(found.name) && said !== this.said) this.happened = found.name;
    this.said = said;
    if (!open_(this.happened)) this.happened = this.told.happened.find((one) => open_(one.name))?.name ?? "";
  }

  // --- drawing ---

  draw() {
    const waiting = (this.now.room.proposals ?? []).map((one) => this.proposal(one));
    const kinds = this.approving()
      ? []
      : this.told.happened.filter((one) => this.told.rulings.some((row) => row.about === one.name));
    this.list.replaceChildren(
      ...waiting.flat(),
      ...GROUPS.flatMap(([title, names]) => this.group(title, kinds, names)),
    );
    this.remedies();
    this.progress();
  }

  group(title, kinds, names) {
    const found = kinds.filter((one) => names.includes(one.name));
    return found.length ? [make("h2", { class: "cap" }, title), ...found.map((one) => this.kind(one))] : [];
  }

  progress() {
    const at = this.chosen || this.approving() ? 2 : this.happened ? 1 : 0;
    this.steps.replaceChildren(
      ...STEPS.map((words, place) =>
        make(
          "li",
          { class: place < at ? "over" : "", "aria-current": place === at ? "step" : null },
          make("span", { class: "no" }, place < at ? "✓" : String(place + 1)),
          words,
        ),
      ),
      make("li", { class: "quiet space" }, "Nothing changes at the table until you confirm."),
    );
  }

  kind(one) {
    const pick = () => {
      this.happened = one.name;
      this.clear();
    };
    return button(one.words, pick, {
      class: "btn kind",
      "data-kind": one.name,
      "aria-pressed": String(this.happened === one.name),
    });
  }

  proposal(one) {
    return [
      make("h2", { class: "cap" }, "Waits for approval"),
      button(`Ruling ${one.number} by ${one.by}`, () => this.approval(one), {
        class: "btn wait",
        id: `proposal-${one.number}`,
      }),
    ];
  }

  /** The second person sees only the ruling. */
  approving() {
    return this.now.room.proposals?.length > 0 && APPROVES.includes(this.app.role());
  }

  remedies() {
    if (this.approving())
      return this.middle.replaceChildren(make("h2", {}, "The table now"), tablePicture(this.now.view));
    const about = this.told.happened.find((one) => one.name === this.happened);
    const rows = this.told.rulings.filter(
      (one) => one.about === this.happened && (!this.box || !one.command.box || one.command.box === this.box),
    );
    const mark = (box) => {
      this.box = this.box === box ? 0 : box;
      this.draw();
    };
    this.middle.replaceChildren(
      make("h2", {}, about?.words ?? "Nothing can be ruled now"),
      this.report(),
      tablePicture(this.now.view, { box: this.box, mark }),
      make("h3", {}, this.box ? `Remedies for box ${this.box}` : "Remedies the rules allow"),
      ...(rows.length ? rows.map((one, place) => this.row(one, place + 1)) : [make("p", {}, "None for this box.")]),
      ...this.told.errors.filter((one) => about?.errors.includes(one.kind)).map((one) => this.error(one)),
    );
  }

  /** What the dealer said when play was held. */
  report() {
    const { paused, proposals } = this.now.room;
    if (!paused || proposals?.length) return "";
    return make("p", { class: "reported" }, make("b", {}, "Reported "), paused);
  }

  row(one, place) {
    const made = button("", () => (one.needs?.length ? this.fill(one) : this.attempt(one.command, one.words)), {
      class: "btn remedy",
      "data-ruling": one.what,
      "data-box": one.command.box,
      "aria-label": one.words,
      "aria-pressed": String(Boolean(this.chosen) && this.remedy === one.words),
    });
    made.append(
      make("kbd", {}, String(place)),
      make("span", { class: "words" }, make("b", {}, one.words), one.means && make("small", {}, one.means)),
      make(
        "span",
        { class: "row" },
        one.command.by_house && make("span", { class: "tag" }, "house decides"),
        one.second && make("span", { class: "tag second" }, "two persons"),
      ),
      make("span", { class: "quiet" }, one.clauses?.[0] ?? ""),
    );
    return made;
  }

  error(one) {
    const words = one.silent ? `Nothing in the document on ${one.words}: the house decides.` : one.says;
    return make("p", { class: "says" }, words, " ", cite(this.app, this.id, one.clauses));
  }

  // --- a ruling ---

  /** @param {any} command @param {string} remedy its name in the list */
  attempt(command, remedy) {
    return this.look(command, remedy).catch((problem) => this.app.notice(problem.words, "alarm"));
  }

  /** What has still to be said. @param {any} one */
  fill(one) {
    const inputs = one.needs.map((name) => [name, this.input(name, one)]);
    form(
      one.words,
      inputs.flatMap(([, input]) => input.rows),
      "Preview",
      async () => {
        const said = Object.assign({}, ...inputs.map(([, input]) => input.read()));
        await this.look({ ...one.command, ...said }, one.words);
      },
    );
  }

  input(name, one) {
    const { command } = one;
    if (name === "limits") return limitsInput(this.now.view.limits, command.limits);
    if (name === "cards") return cardsInput(command, this.now.view.round);
    const start = command[name] === "-" || name === "card" ? "" : (command[name] ?? "");
    const input = make("input", {
      required: name !== "amount",
      maxlength: 300,
      value: shownValue(name, start),
    });
    const read = () => {
      if (name === "amount") return { amount: signed(input.value) };
      if (WHOLE.includes(name)) return { [name]: Number(input.value) };
      if (name === "maximum") return { maximum: cents(input.value) };
      if (name === "players") return { players: input.value.split(",").map((player) => player.trim()) };
      if (name === "card") return { card: plainCard(input.value) };
      if (name === "checked") return { checked: input.value.split(/[\s,]+/).filter(Boolean) };
      return { [name]: input.value.trim() };
    };
    return { rows: [field(LABELS[name] ?? spaced(name).replace(/^./, (first) => first.toUpperCase()), input)], read };
  }

  async look(command, remedy) {
    const turn = (this.turn += 1);
    const reply = await this.connection.post(`/api/tables/${this.id}/rulings/preview`, { command });
    if (turn !== this.turn) return;
    if (!reply.lawful) throw Object.assign(new Error(reply.why), { words: reply.why });
    this.chosen = command;
    this.remedy = remedy;
    const confirm = reply.second ? "Confirm and ask for approval" : "Confirm ruling";
    const send = button("", () => this.give(command), { class: "btn go", id: "confirm-ruling" });
    send.append(confirm, " ", make("kbd", {}, "Ctrl Enter"));
    this.show(reply, [
      reply.second &&
        make(
          "p",
          { class: "second" },
          make("span", { class: "tag" }, "Second person"),
          ` ${reply.approvers.map(spaced).join(" or ")}, who sees exactly this preview`,
        ),
      make("p", { class: "quiet" }, "Code of this ruling ", make("b", {}, reply.check)),
      make(
        "div",
        { class: "row" },
        send,
        button("Change", () => this.clear(), { class: "btn" }),
      ),
    ]);
    this.draw();
  }

  async approval(one) {
    const command = { type: "Approve", number: one.number };
    const mine = one.by === this.connection.me?.name;
    if (mine || !APPROVES.includes(this.app.role())) return this.waits(one);
    const turn = (this.turn += 1);
    try {
      const reply = await this.connection.post(`/api/tables/${this.id}/rulings/preview`, { command });
      if (turn !== this.turn) return;
      this.chosen = command;
      const reject = button("Send back, with a reason", () => this.reject(one), { class: "btn stop", id: "send-back" });
      const approve = button(`Approve ruling ${one.number}`, () => this.give(command), {
        class: "btn go",
        id: "approve",
      });
      const head = make("p", {}, `${one.by}, ${spaced(one.role)}, asks for approval of ruling ${one.number}.`);
      this.show(
        reply,
        [
          reply.lawful &&
            make(
              "p",
              { class: "same quiet" },
              `You see exactly what ${one.by} confirmed. The table has not changed since. Code of this ruling `,
              make("b", {}, reply.check),
              `, the same on the screen of ${one.by}.`,
            ),
          !reply.lawful && make("p", { class: "alarm" }, reply.why),
          make("div", { class: "row" }, reply.lawful && approve, reject),
        ],
        head,
      );
    } catch (problem) {
      this.app.notice(problem.words, "alarm");
    }
  }

  /** For who proposed a ruling, or may not approve it. */
  waits(one) {
    const words = one.by === this.connection.me?.name ? "Withdraw it" : "Send it back";
    const may = [...APPROVES, "game_supervisor"].includes(this.app.role());
    const back = may && button(words, () => this.reject(one), { class: "btn stop", id: "send-back" });
    this.side.replaceChildren(
      make("p", {}, `Ruling ${one.number} by ${one.by} waits for a second person, who sees the same preview.`),
      make("div", { class: "row" }, back),
    );
  }

  reject(one) {
    const reason = make("input", { required: true, maxlength: 200 });
    form("Send the ruling back", [field("Reason, which the proposer reads", reason)], "Send back", () =>
      this.give({ type: "Reject", number: one.number, reason: reason.value }),
    );
  }

  show(reply, actions, head = null) {
    this.side.replaceChildren(
      ...[
        make(
          "div",
          { class: head ? "deed-band" : "" },
          head,
          make("h2", { class: "deed" }, reply.words ?? "", " ", cite(this.app, this.id, reply.clauses)),
        ),
        ...preview(reply),
        ...actions,
      ].filter(Boolean),
    );
    this.side.querySelector("button.go")?.focus({ preventScroll: true });
  }

  clear() {
    this.turn += 1;
    this.chosen = null;
    this.side.replaceChildren();
    if (this.told) this.draw();
  }

  async give(command) {
    this.turn += 1;
    this.chosen = null;
    this.giving = true;
    try {
      await this.connection.do(this.id, command, { as: this.app.role() });
      this.side.replaceChildren(
        make("p", { class: "good", role: "status" }, DONE[command.type] ?? "Done. It is on record."),
      );
    } catch (problem) {
      this.app.notice(problem.words, "alarm");
    } finally {
      this.giving = false;
    }
  }
}

const WHOLE = ["number", "box", "boxes"];
const LABELS = {
  boxes: "Boxes for each player, 0 for any number",
  maximum: "Highest wager in dollars",
  players: "Players, with commas between",
  amount: "Amount to the player, − from the player",
  card: "Card, as in 7s",
  dealer: "The next dealer",
  matter: "What is disputed",
  checked: "Checked by",
};
const DONE = {
  Approve: "Approved. The ruling is made.",
  Reject: "Sent back to the proposer.",
  Pause: "Play is held.",
  Resume: "Play goes on.",
};

/** The initial value of a field. @param {string} name @param {any} start */
function shownValue(name, start) {
  if (name === "maximum") return String(start / 100);
  return Array.isArray(start) ? start.join(name === "players" ? ", " : " ") : start;
}

/** "7S", "7♠" and "7s" are "7s". @param {string} text */
function plainCard(text) {
  const [rank = "", suit = ""] = text.trim();
  return rank.toUpperCase() + ({ "♠": "s", "♥": "h", "♣": "c", "♦": "d" }[suit] ?? suit.toLowerCase());
}

/** "−12.50" in cents. @param {string} text */
function signed(text) {
  const plain = text.trim().replace("−", "-");
  if (!plain) return 0;
  const amount = cents(plain.replace("-", ""));
  if (!Number.isFinite(amount)) throw new Error("an amount such as 25 or −12.50 is needed");
  return plain.startsWith("-") ? -amount : amount;
}

function limitsInput(shown, limits) {
  const names = ["minimum", "maximum", "box_maximum"];
  const inputs = names.map((name) => make("input", { inputmode: "decimal", value: String((shown[name] ?? 0) / 100) }));
  const read = () => {
    const [minimum, maximum, most] = inputs.map((one) => cents(one.value));
    return { limits: { ...limits, minimum, maximum }, told: true, box_maximum: most };
  };
  return {
    rows: names.map((name, place) => field(`${spaced(name)} (${dollars(shown[name] ?? 0)} now)`, inputs[place])),
    read,
  };
}
