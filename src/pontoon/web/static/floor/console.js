// The dealer's console: the next act, the boxes from the dealer's side, cards by one tap, payments in order.
// It holds no rule: the next act, what is due and what is possible come from the server, ready to send.
import { withSuits } from "../card.js";
import { button, counted, dollars, hourWords, make, renew } from "../parts.js";
import { boxStrip, dealerRule, sentence } from "./boxes.js";
import { choice, cite, face, form, hand, keyed, rulesName, showClauses } from "./common.js";
import { openMenu } from "./menu.js";
import { preparation } from "./preparation.js";
import { relief } from "./relief.js";
import { Keypad } from "./keypad.js";
import { Settlement } from "./settlement.js";
import { Wagers } from "./wagers.js";

/** @param {any} app @param {any} main @param {string} id */
export const open = (app, main, id) => new Console(app, main, id);

/** @type {[string, string][]} */
const DECISIONS = [
  ["Stand", "S"],
  ["Double", "D"],
  ["Split", "P"],
  ["Absent", "B"],
];
const MORE = { Surrender: "Surrender", RefuseCard: "Refuse the card", Withdraw: "Withdraw" };
/** Events that only say whose turn it is or where cards go. */
const ASIDE = ["TurnCame", "DealersTurnCame", "HandCollected"];
const VERBS = { deal: "Deal", ask: "Ask", announce: "Announce", prepare: "Prepare", wait: "Wait" };

class Console {
  /** @param {any} app @param {any} main @param {string} id */
  constructor(app, main, id) {
    this.app = app;
    this.id = id;
    /** @type {import("../connection.js").Connection} */
    this.connection = app.connection;
    /** @type {any} */
    this.told = null;
    /** @type {any} */
    this.frameNow = null;
    /** @type {any} */
    this.alarm = null;
    this.half = "";
    this.last = "";
    /** The card of what happened last. */
    this.lastCard = "";
    this.waiting = [];
    /** Counts refusals: what was entered before one was seen is dropped. */
    this.refusals = 0;
    this.tail = Promise.resolve();
    this.parts = Object.fromEntries(
      ["band", "boxes", "work", "foot"].map((name) => [name, make("section", { class: name })]),
    );
    this.parts.band.setAttribute("aria-live", "assertive");
    this.parts.band.setAttribute("aria-label", "Next step");
    this.parts.boxes.setAttribute("aria-label", "Boxes");
    this.parts.work.setAttribute("aria-label", "Entry");
    this.parts.foot.setAttribute("aria-label", "Last act and help");
    this.element = make("div", { class: "console" }, ...Object.values(this.parts));
    this.busy(0);
    main.replaceChildren(this.element);
    this.keypad = new Keypad((card) => this.card(card));
    this.wagers = new Wagers(this);
    this.settlement = new Settlement(this);
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    this.connection.watch(id);
  }

  close() {
    document.removeEventListener("keydown", this.onkey);
    this.connection.unwatch(this.id);
  }

  get view() {
    return this.frameNow.view;
  }

  get round() {
    return this.view.round;
  }

  // --- what the server says ---

  /** @param {any} frame */
  async frame(frame) {
    if (frame.table !== this.id) return;
    this.frameNow = frame;
    const told = (frame.events ?? []).filter((one) => one.words);
    const main = told.filter((one) => !ASIDE.includes(one.type)); // what follows by itself is on the band
    const said = (main.length ? main : told).map((one) => one.words);
    if (said.length) this.last = said.slice(-2).join(". ");
    const dealt = (frame.events ?? []).findLast((one) => one.facts?.card);
    if (dealt) this.lastCard = dealt.facts.card;
    else if (said.length) this.lastCard = "";
    await this.refresh(frame.version);
  }

  /** @param {number} version */
  async refresh(version) {
    const told = await this.connection.get(`/api/tables/${this.id}/console`).catch((problem) => {
      this.app.notice(problem.words, "alarm");
      return null;
    });
    if (!told || told.version < version || this.frameNow.version > told.version) return;
    this.told = told;
    this.draw();
    this.waiting = this.waiting.filter(([wanted, resolve]) => {
      if (wanted > told.version) return true;
      resolve();
      return false;
    });
  }

  /** The line was lost or is back; what the console missed meanwhile is asked for again. @param {string} status */
  line(status) {
    if (this.told) this.draw();
    if (status === "open" && this.frameNow) this.refresh(this.frameNow.version);
  }

  // --- what the dealer does ---

  /** Give a command and wait until the table is drawn after it. @param {any} command */
  async give(command) {
    const { version } = await this.connection.do(this.id, command, { as: this.app.role() });
    if (this.told && this.told.version >= version) return;
    await new Promise((resolve) => {
      this.waiting.push([version, () => resolve(undefined)]);
    });
  }

  /** One act after the other, in the order they were pressed; none that was meant to follow a refused one.
   * @param {() => any} act */
  queue(act) {
    const { refusals } = this;
    this.busy(1);
    this.tail = this.tail
      .then(() => (refusals === this.refusals ? act() : this.drop()))
      .catch((problem) => this.refused(problem))
      .finally(() => this.busy(-1));
    return this.tail;
  }

  /** How many acts are on their way. @param {number} change */
  busy(change) {
    this.element.dataset.busy = String(Number(this.element.dataset.busy ?? 0) + change);
  }

  /** Whether acts are on their way, so that the screen is behind the dealer. */
  get behind() {
    return this.element.dataset.busy !== "0";
  }

  drop() {
    if (!this.alarm) return;
    this.alarm.more = true;
    this.draw();
  }

  refused(problem, card = "") {
    this.refusals += 1;
    this.alarm = { words: problem.words ?? String(problem), clauses: problem.clauses ?? [], code: problem.code, card };
    this.keypad.refused(card);
    this.draw();
  }

  clearAlarm() {
    this.alarm = null;
    this.half = "";
    this.keypad.refused("");
    this.draw();
  }

  /** A card was dealt; while a player may draw it is also the decision. @param {string} card */
  card(card) {
    this.half = "";
    this.alarm = null;
    this.keypad.refused("");
    return this.queue(async () => {
      if (this.told.none_left.includes(card))
        return this.refused({ code: "no_such_card_left", words: `There is no ${face(card)} left in this shoe` }, card);
      this.settlement.tickAll(true);
      if (!this.view.waits.card_to) {
        const hit = this.allowed("Hit");
        if (!hit) return this.refused({ words: "No card is due now" }, card);
        await this.give(hit);
      }
      try {
        await this.give({ type: "Deal", card });
      } catch (problem) {
        this.refused(problem, card);
      }
    });
  }

  /** A command that is allowed in this turn, as the server sent it. @param {string} type */
  allowed(type) {
    for (const row of this.round?.choices ?? []) {
      const found = (row.allowed ?? []).find((one) => one.type === type);
      if (found) return found;
    }
    return null;
  }

  /** @param {string} type */
  decide(type) {
    this.queue(() => {
      const asked = this.round?.stage === "decision";
      const command = type === "Absent" ? asked && { type, box: this.round.turn?.[0] } : this.allowed(type);
      return command ? this.give(command) : this.refused({ words: `${MORE[type] ?? type}: not possible now` });
    });
  }

  undo() {
    if (this.told?.undo) this.queue(() => this.give({ type: "UndoCard" }));
    else if (this.round) this.app.go(`/desk/${this.id}`);
  }

  /** Carry out the act on the band. */
  confirm() {
    const { act } = this.told;
    if (this.alarm) return this.clearAlarm();
    if (this.settlement.open().length) return this.settlement.tick();
    if (this.wagers.pending.size) return this.queue(() => this.wagers.place());
    if (act.command && this.may(act)) this.queue(() => this.give(this.withNumber(act)));
  }

  may(act) {
    const role = this.app.role();
    if (act.by === "dealer") return role === "dealer" || act.command?.type === "Shuffle";
    return act.by === role || (act.command?.type === "Open" && role !== "dealer" && role !== "inspector");
  }

  withNumber(act) {
    const input = /** @type {any} */ (document.getElementById("act-number"));
    return act.field && input ? { ...act.command, [act.field]: Number(input.value) } : act.command;
  }

  report() {
    const what = choice(
      "What happened",
      [...this.told.happened, "Something else"].map((one) => [one, one]),
      this.told.happened[0],
    );
    const more = make("input", { maxlength: 150, placeholder: "box, card, amount" });
    form(
      "Report an error",
      [what, make("label", { class: "field" }, make("span", {}, "Details"), more)],
      "Report",
      () => this.give({ type: "CallSupervisor", reason: [what.value, more.value].filter(Boolean).join(": ") }),
    );
  }

  call(reason = "The dealer calls a supervisor") {
    this.queue(() => this.give({ type: "CallSupervisor", reason }));
  }

  // --- keys ---

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!this.told || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName)) return;
    const handled = this.press(event.key, event.shiftKey);
    if (handled) event.preventDefault();
  }

  press(key, shift) {
    const letter = key.length === 1 ? key.toUpperCase() : key;
    const act = {
      " ": () => (shift ? this.settlement.tickAll(false) : this.confirm()),
      Backspace: () => this.undo(),
      F8: () => this.report(),
      F9: () => this.call(),
      Escape: () => this.clearAlarm(),
      "?": () => showClauses(this.app, this.id, this.told.act.clauses ?? []),
    }[letter];
    if (act) return (act(), true);
    if (this.half && "SHCD".includes(letter)) {
      this.card(this.half + letter.toLowerCase());
      return true;
    }
    if ("A23456789JQK".includes(letter) && letter.length === 1 && this.dealing()) {
      this.half = letter;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => ((this.half = ""), this.draw()), 2000);
      this.draw();
      return true;
    }
    if (letter === "E" && this.settlement.shown()) return (this.settlement.other(), true);
    if (letter === "U" && this.allowed("Surrender")) return (this.decide("Surrender"), true);
    const found = DECISIONS.find(([, one]) => one === letter);
    if (found && (this.round?.stage === "decision" || (this.behind && this.dealing())))
      return (this.decide(found[0]), true);
    return false;
  }

  /** Whether a round is dealt, or the call for it is on its way. */
  dealing() {
    return this.view.phase === "round" || (this.behind && this.view.phase === "ready");
  }

  // --- drawing ---

  draw() {
    const { view, told } = this;
    this.head();
    renew(this.parts.band, ...this.band());
    this.parts.band.dataset.kind = this.kind();
    const count = view.cloth.boxes;
    this.parts.boxes.style.setProperty("--boxes", count);
    renew(this.parts.boxes, ...Array.from({ length: count }, (_, place) => boxStrip(this, place + 1)));
    renew(this.parts.work, ...this.work(told));
    this.parts.work.dataset.mode = this.element.dataset.mode = this.mode();
    this.parts.work.querySelector(".now")?.scrollIntoView({ block: "nearest" });
    renew(this.parts.foot, ...this.foot());
  }

  head() {
    const { view, frameNow, told } = this;
    const { minimum = 0, maximum = 0 } = view.limits;
    const limits = maximum ? `${dollars(minimum)} to ${dollars(maximum)}` : `from ${dollars(minimum)}`;
    const shoe = view.shoe?.number ? `Shoe ${view.shoe.number}: ${view.shoe.left ?? 0} left` : "No shoe yet";
    const tray = told.tray === null ? "No float" : `Tray ${dollars(told.tray)}`;
    const deals = told.dealer ? [`Dealer ${told.dealer}`] : [];
    this.app.header(
      frameNow.room.name || `Table ${this.id}`,
      [rulesName(view.rulebook), limits, `Round ${view.number ?? 0}`, shoe, ...deals],
      [
        make("span", { class: "who" }, tray),
        make("span", { class: "who clock-now" }, hourWords(Date.now())),
        relief(this),
        button("Menu", () => openMenu(this), { class: "btn small" }),
      ].filter(Boolean),
    );
  }

  kind() {
    if (this.alarm || this.connection.status === "lost") return "stop";
    if (this.frameNow.room.paused) return "held";
    const due = this.settlement.open()[0];
    return due ? (due.net > 0 ? "pay" : "take") : this.told.act.kind;
  }

  mode() {
    const { phase } = this.view;
    if (phase === "collect") return "settle";
    if (phase === "round" && (this.round?.stage ?? "") !== "") return "cards";
    return phase === "ready" && this.told.act.kind !== "prepare" ? "wagers" : "prepare";
  }

  band() {
    const { told, alarm, frameNow } = this;
    const words = (verb, big, sub) => [
      make("div", { class: "verb" }, verb),
      make("p", { class: "big" }, big),
      make("div", { class: "sub" }, sub),
    ];
    if (this.connection.status === "lost")
      return [
        make("div", {}, ...words("Not connected", "Go on dealing", "Entries are sent when you are back online.")),
      ];
    if (alarm) {
      const card = alarm.card ? "The card was not recorded. Look at it again." : "Nothing was recorded.";
      const more = alarm.more ? " What you entered after it was not recorded either." : "";
      return [
        make("span", { class: "sign", "aria-hidden": "true" }, "!"),
        make("div", {}, ...words("Stop", sentence(alarm.words), card + more)),
        cite(this.app, this.id, alarm.clauses),
        keyed("Clear", "Esc", () => this.clearAlarm(), { class: "btn", id: "clear-alarm" }),
      ];
    }
    if (frameNow.room.paused) {
      const resume = ["dealer", "player"].includes(this.app.role())
        ? link(this)
        : button("Resume play", () => this.queue(() => this.give({ type: "Resume" })), { class: "btn" });
      return [make("div", {}, ...words("Held", "Wait for the supervisor", frameNow.room.paused)), resume];
    }
    const due = this.settlement.open()[0];
    if (due) return this.settlement.band(due, words);
    const { act } = told;
    const pending = this.wagers.pending.size;
    const shown = pending ? ["Announce", "Call no more bets", `${counted(pending, "wager")} to place.`] : null;
    const then = act.then?.length
      ? make(
          "div",
          { class: "then" },
          make("span", { class: "cap" }, "Then"),
          ...act.then.map((one) => make("div", {}, one)),
        )
      : null;
    return [
      make("div", {}, ...words(...(shown ?? [VERBS[act.kind], act.words, act.detail]))),
      then,
      this.confirmButton(act, Boolean(pending)),
      cite(this.app, this.id, act.clauses),
    ];
  }

  /** The button for an action that needs only a word. */
  confirmButton(act, pending) {
    const WORDS = { CallNoMoreBets: "No more bets", CloseOffer: "Go on", Collect: "Cleared" };
    if (!pending && (!act.command || !this.may(act))) return null;
    const words = pending ? "No more bets" : (WORDS[act.command.type] ?? "Done");
    return keyed(words, "Space", () => this.confirm(), { class: "btn confirm", id: "confirm" });
  }

  work(told) {
    const mode = this.mode();
    if (mode === "settle") return this.settlement.list();
    if (mode === "wagers") return this.wagers.panel();
    if (mode === "prepare") return [preparation(this, told.act)];
    this.keypad.left(told.none_left);
    return [this.dealer(), this.keypad.element, this.alarm?.card ? this.whatNow() : this.decisions()];
  }

  dealer() {
    const { dealer } = this.round;
    const total = dealer
      ? [make("span", { class: "total" }, String(dealer.total), make("small", {}, dealer.words))]
      : [];
    return make(
      "section",
      { class: "dealer", "aria-label": "Dealer's hand" },
      make("span", { class: "cap" }, "Dealer"),
      make(
        "div",
        { class: "row" },
        dealer ? hand(dealer.cards) : make("span", { class: "quiet" }, "No card yet"),
        ...total,
      ),
      make("p", { class: "quiet rule" }, dealerRule(this.view)),
    );
  }

  decisions() {
    const asked = this.round?.stage === "decision";
    const row = ([type, key]) => {
      const able = asked && (type === "Absent" || this.allowed(type));
      return keyed(type, key, () => this.decide(type), {
        class: "btn",
        id: `decide-${type}`,
        disabled: !able,
        "aria-label": able ? `${type}, key ${key}` : `${type}, not now`,
      });
    };
    const more = Object.entries(MORE)
      .filter(([type]) => asked && this.allowed(type))
      .map(([type, words]) => button(words, () => this.decide(type), { class: "btn", id: `decide-${type}` }));
    return make(
      "section",
      { class: "decisions", "aria-label": "Decisions" },
      make("span", { class: "cap" }, asked ? "Or" : "After this card"),
      ...DECISIONS.map(row),
      ...more,
    );
  }

  whatNow() {
    const { card } = this.alarm;
    return make(
      "section",
      { class: "decisions", "aria-label": "What now" },
      make("span", { class: "cap" }, "What now"),
      button("Mistyped, enter it again", () => this.clearAlarm(), { class: "btn go tall", id: "again" }),
      button(`It is ${face(card)}, call supervisor`, () => this.call(`${face(card)} came, and none is left`), {
        class: "btn stop tall",
        id: "call-card",
      }),
    );
  }

  foot() {
    const { told } = this;
    const betting = this.mode() === "wagers";
    const none = betting ? "Nothing to undo" : "Correct with a supervisor";
    const words = told.undo ? `Undo ${face(told.undo.card)}` : none;
    const undo = keyed(words, "⌫", () => this.undo(), {
      class: "btn",
      id: "undo",
      disabled: !told.undo && (betting || !this.round),
    });
    const last = this.half
      ? make("strong", {}, `${this.half}… and the suit`)
      : make("span", { class: "words" }, withSuits(this.last) || "Nothing has been entered yet.");
    const card = this.lastCard && !this.half ? hand([this.lastCard]) : null;
    const errors = keyed("Report an error", "F8", () => this.report(), { class: "btn", id: "report" });
    const call = keyed("Call supervisor", "F9", () => this.call(), { class: "btn stop", id: "call" });
    const due = this.mode() === "settle" ? this.settlement.buttons() : [];
    return [
      undo,
      make("div", { class: "last", role: "status" }, card, last),
      ...due,
      ...(due.length ? [] : [errors]),
      call,
    ];
  }
}

const link = (page) => make("a", { class: "btn", href: `/desk/${page.id}`, "data-route": true }, "Supervisor's desk");
