// The action bar: what is allowed now and nothing else, every action always in its own place.
// What is allowed, and why not, comes with the view; what it is worth comes from the coach.
import { chipsOf, inTurn, isAsked, momentWords, ownChoices, plays } from "./moment.js";
import { button, cents, dollars, field, make, renew } from "./parts.js";
import { keyOf } from "./settings.js";

/** What a button does now. @typedef {{name: string, command: Command | null, label: string, words: string,
 *   clauses: string[], unusual: string}} Offered */

/** The order of the buttons, and the commands each stands for. @type {[string, string[]][]} */
export const ACTIONS = [
  ["Hit", ["Hit"]],
  ["Stand", ["Stand"]],
  ["Double", ["Double"]],
  ["Split", ["Split"]],
  ["No", ["Pass", "DeclineSurrender", "DeclineInsurance"]],
  ["Keep", ["Keep"]],
  ["Surrender", ["Surrender"]],
  ["Forfeit", ["Forfeit"]],
  ["Insure", ["Insure"]],
];
const PLAYS = ["Hit", "Stand", "Double", "Split"]; // these keep their places, allowed or not
const SIGNS = { Hit: "+", Stand: "−", Double: "×", Split: "Y" };
const PASSED = ["offer", "join", "cut"]; // moments where "No" passes
const DECLINED = { surrender: "Play on", insurance: "No insurance" }; // what "No" means to an offer
const OFFERED = ["Surrender", "Insure"]; // several boxes at once: the first has the button, others one beside
const FOR_LESS = { Double: "Double for less", Insure: "Insure for less" };
const NOTHING = { action: "", hand: "", box: 0, done: "" }; // nothing is decided ahead
const AGAIN = 3000; // milliseconds for the second press
const SETTLE = 250; // milliseconds after a change of choices in which a press was meant for the old ones

// --- reading the view ---

/**
 * What one button does now.
 * @param {TableModel} model
 * @param {string} name
 * @param {string[]} kinds
 * @returns {Offered}
 */
export function offered(model, name, kinds) {
  const nothing = { name, command: null, label: name, words: "", clauses: [], unusual: "" };
  const turn = inTurn(model).box?.number;
  const rows = ownChoices(model).toSorted((a, b) => Number(b.box === turn) - Number(a.box === turn));
  // A pass is "no" for all boxes and ends the wait; a single declined surrender leaves the offer open.
  if (kinds[0] === "Pass" && mayPass(model))
    return { ...nothing, command: { type: "Pass" }, label: DECLINED[model.view.round?.offer ?? ""] ?? name };
  for (const row of rows) {
    const command = row.allowed?.find((one) => kinds.includes(one.type));
    if (!command) continue;
    const unusual = row.unusual?.[command.type] ?? betsAll(model, command);
    return { ...nothing, command, label: labelled(model, name, row, command), unusual };
  }
  for (const row of rows) {
    const no = row.refused?.find((one) => kinds.includes(one.command.type));
    if (no) return { ...nothing, words: no.words, clauses: no.clauses };
  }
  return { ...nothing, words: `not available now. ${momentWords(model)}` };
}

/** A forfeit is declined with Keep, so there is no second No. @param {TableModel} model */
const mayPass = (model) =>
  PASSED.includes(model.room.waits ?? "") && isAsked(model) && model.view.round?.offer !== "forfeit";

/** The user's stake on the current box. @param {TableModel} model */
const ownStake = (model) => inTurn(model).box?.bettors.find((one) => one.player === model.me?.name)?.stake ?? 0;

/** A double with the last chips is asked twice too. @param {TableModel} model @param {Command} command */
function betsAll(model, command) {
  const stake = command.amount || ownStake(model);
  return command.type === "Double" && stake >= chipsOf(model) ? "double with all your chips" : "";
}

/** A co-bettor covers a split and joins a double; where several boxes are asked the label names the box. */
function labelled(model, name, row, command) {
  const joining = model.view.round?.joining;
  const word = joining && command.type === "Split" ? "Cover" : joining ? "Join double" : name;
  const asked = ownChoices(model).filter((one) => one.allowed?.some((other) => other.type === command.type));
  return asked.length > 1 ? `${word}, box ${row.box}` : word;
}

/** What pressing it does: "$25 for one card". @param {TableModel} model @param {Offered} what */
function consequence(model, { name, command }) {
  const { hand } = inTurn(model);
  const total = hand?.words?.split(", ")[0] ?? "";
  const wager = hand?.wagers.find((one) => one.player === model.me?.name);
  const stake = dollars(command?.amount || wager?.stake || ownStake(model));
  const all = dollars((wager?.stake ?? 0) + (wager?.double ?? 0));
  const says = {
    Hit: "One more card",
    Stand: `Keep ${total}`,
    Double: `${stake} for one card`,
    Split: `${stake}, two hands`,
    Surrender: "Half your bet back",
    Forfeit: `Lose ${stake} now`,
    Keep: `Play ${total} for ${all}`,
    Insure: `For ${stake}`,
    No: model.room.waits === "offer" ? "Costs nothing" : "",
  };
  return says[name] ?? "";
}

const RARE = {
  Ride: (one) => `Ride on hand ${one.on}`,
  RefuseCard: () => "Refuse the card",
  Withdraw: (one) => `Withdraw the wager, box ${one.box}`,
};

/** Commands that are offered rarely, as buttons beside the bar. @param {TableModel} model */
export function rareCommands(model) {
  /** @type {{label: string, command: Command}[]} */
  const found = [];
  const asked = new Set();
  for (const row of ownChoices(model))
    for (const one of row.allowed ?? []) {
      if (RARE[one.type]) found.push({ label: RARE[one.type](one), command: one });
      else if (OFFERED.includes(one.type) && asked.has(one.type))
        found.push({ label: `${one.type}, box ${row.box}`, command: one });
      asked.add(one.type);
    }
  return [...found, ...insuranceOfOthers(model)];
}

/** Wagers of others that the user may insure. @param {TableModel} model */
function insuranceOfOthers({ view, me }) {
  const own = view.round?.boxes?.find((box) => box.bettors.some((one) => one.player === me?.name));
  if (!own || !me) return [];
  const bare = (view.round?.insurable ?? []).filter((one) => one.player !== me.name);
  return bare.map(({ box, player, most }) => ({
    label: `Insure ${player}'s wager, box ${box}`,
    command: { type: "Insure", box: own.number, player: me.name, amount: most, for_box: box, for_player: player },
  }));
}

/** The user's hand that comes later in this round, while another player decides. @param {TableModel} model */
function waitingHand(model) {
  const { view, me, room } = model;
  if (!me || room.waits !== "decision" || isAsked(model)) return null;
  const [turn = 0] = view.round?.turn ?? [];
  const box = view.round?.boxes?.find((one) => one.controller === me.name && one.number > turn);
  const hand = box?.hands?.[0];
  return hand && hand.cards.length > 1 && !hand.stood && hand.words ? { box: box.number, hand } : null;
}

// --- the element ---

export class Controls extends HTMLElement {
  busy = false;
  /** The action that waits for its second press. */
  armed = "";
  armedWords = "";
  moment = "";
  changed = 0;
  /** Whether the field for a smaller amount is open. */
  wantsLess = false;
  /** What is decided before it is asked: the action, and the hand it was decided for. */
  ahead = NOTHING;
  /** @type {any} */
  model = null;

  connectedCallback() {
    if (this.bar) return;
    this.bar = make("div", { class: "actions", role: "toolbar", "aria-label": "Actions" });
    this.more = make("div", { class: "row rare" });
    this.early = make("div", { class: "row early", role: "group", "aria-label": "Decide ahead" });
    this.amount = make("input", { inputmode: "decimal", autocomplete: "off", size: 7, id: "less" });
    this.from = make("input", {
      inputmode: "numeric",
      size: 3,
      id: "ahead-from",
      "aria-label": "Stand from this total",
    });
    this.lessWords = make("span", {}, FOR_LESS.Double);
    this.less = make("label", { class: "row less" }, this.lessWords, this.amount);
    this.toLess = button("", () => this._askLess(true), { id: "for-less", class: "button small" });
    this.reason = make("p", { class: "reason", id: "reason", role: "status" });
    this.buttons = new Map(ACTIONS.map(([name]) => [name, this._button(name)]));
    this.bar.append(...this.buttons.values());
    this.append(
      this.reason,
      this.bar,
      this.early,
      make("div", { class: "beside-actions" }, this.toLess, this.less, this.more),
    );
  }

  _button(name) {
    const sign = SIGNS[name] && make("i", { class: "icon", "aria-hidden": "true" }, SIGNS[name]);
    const label = make("span", { class: "label" }, name);
    const says = make("small", { class: "says" });
    const attributes = { type: "button", class: "action", id: `do-${name}`, "data-action": name };
    const key = make("kbd", { "aria-hidden": "true" });
    const one = make(
      "button",
      { ...attributes, onclick: () => this.press(name, true) },
      sign,
      make("span", { class: "texts" }, label, says),
      key,
      make("b", { class: "worth", "aria-hidden": "true" }),
    );
    return Object.assign(one, { label, says, key });
  }

  /** @param {TableModel} model */
  update(model) {
    this.model = model;
    this.inert = model.connection.status !== "open";
    this._moment(model);
    const all = ACTIONS.map(([name, kinds]) => offered(model, name, kinds));
    const playing = all.some((one) => one.command && PLAYS.includes(one.name));
    for (const what of all) this._show(what, playing);
    this.bar.dataset.kind = playing ? "play" : "question";
    this.bar.hidden = !all.some((one) => one.command);
    this._extras(model);
    this._early(model);
    this.hidden = model.room.waits === "wagers" || !plays(model);
    if (!this.armed && !this.explained) this.reason.replaceChildren(this._why(all, playing));
  }

  /** @param {Offered} what @param {boolean} playing whether a hand is to be played, so that places are kept */
  _show(what, playing) {
    const { name } = what;
    const { settings, advice } = this.model;
    const one = this.buttons?.get(name);
    const key = settings?.keysOn ? keyOf(settings, name) : "";
    const armed = this.armed === name;
    const worth = what.command && advice?.actions.find((row) => row.action === adviceName(name, advice));
    one.setAttribute("aria-disabled", String(!what.command));
    one.classList.toggle("gone", !what.command && !(playing && PLAYS.includes(name)));
    one.classList.toggle("danger", armed);
    one.classList.toggle("best", Boolean(worth?.best));
    one.classList.toggle("costly", Boolean(worth && !worth.best));
    one.style.setProperty("--cost", String(worth ? costOf(worth, advice) : 0));
    one.label.textContent = armed ? this.armedWords : what.label;
    one.says.textContent = worth ? worthWords(worth, advice) : what.command ? consequence(this.model, what) : "";
    one.key.textContent = key;
    if (key) one.setAttribute("aria-keyshortcuts", key);
    else one.removeAttribute("aria-keyshortcuts");
  }

  /** Why a play is not there, where a rule of this casino forbids it; the coach's reason where it speaks. */
  _why(all, playing) {
    const { advice } = this.model;
    if (advice?.why) return make("span", {}, advice.why);
    const no =
      playing && all.find((one) => !one.command && one.clauses.length && ["Stand", "Double"].includes(one.name));
    if (!no) return "";
    const words = `${no.words[0].toUpperCase()}${no.words.slice(1)}. `;
    return make("span", {}, words, this._cite(no));
  }

  _cite({ clauses, words }) {
    const detail = { clauses, words, rulebook: this.model.view.rulebook };
    const open = () => this.dispatchEvent(new CustomEvent("why", { bubbles: true, detail }));
    return button(`Rule ${clauses[0]}`, open, { class: "cite" });
  }

  /** A new moment: what was armed or said for the last one is removed. */
  _moment(model) {
    const { room, view } = model;
    const now = JSON.stringify([
      room.waits,
      view.number,
      view.round?.turn,
      view.round?.offer,
      inTurn(model).hand?.cards,
    ]);
    if (now === this.moment) return;
    this.moment = now;
    this.changed = performance.now();
    this.armed = "";
    this.explained = false;
    this.reason.replaceChildren();
    this._askLess(false);
  }

  /** Show the field for a smaller amount, which few want. @param {boolean} wanted */
  _askLess(wanted) {
    this.wantsLess = wanted;
    this.amount.value = "";
    if (!this.model) return;
    this._extras(this.model);
    if (wanted) this.amount.focus();
  }

  _extras(model) {
    const whole = (one) => one.type === "Double" && model.view.cloth.full_double;
    const all = ownChoices(model).flatMap((row) => row.allowed ?? []);
    const found = all.find((one) => FOR_LESS[one.type] && !whole(one));
    const words = FOR_LESS[found?.type ?? ""] ?? "";
    this.toLess.hidden = !words || this.wantsLess;
    this.less.hidden = !words || !this.wantsLess;
    this.toLess.textContent = this.lessWords.textContent = words;
    this.amount.placeholder = dollars(found?.amount || ownStake(model));
    const rare = rareCommands(model).map(({ label, command }, place) => {
      const data = { id: `rare-${place}`, "data-command": JSON.stringify(command) };
      return button(label, () => this._guarded(command.type, command), data);
    });
    renew(this.more, ...rare, this._cut(model));
  }

  /** Choices that are made before the turn comes; a play counts only if the hand has not changed. */
  _early(model) {
    const waiting = waitingHand(model);
    const action = this._planned(model);
    if (action) queueMicrotask(() => this.press(action));
    else if (!waiting && !this._drawing(model)) this.ahead = NOTHING;
    this.early.hidden = !waiting;
    if (!waiting) return;
    const key = `${waiting.box} ${waiting.hand.cards.join(" ")}`;
    const total = waiting.hand.words?.split(", ")[0] ?? "";
    const choice = (name, words) => {
      const on = this.ahead.action === name && this.ahead.hand === key;
      const toggle = () => {
        this.ahead = on ? NOTHING : { action: name, hand: key, box: waiting.box, done: "" };
        this._early(this.model);
      };
      return button(words, toggle, { id: `ahead-${name}`, class: "button ahead", "aria-pressed": String(on) });
    };
    this.from.placeholder = String(waiting.hand.total ?? "");
    renew(
      this.early,
      make("span", { class: "muted" }, "Decide ahead:"),
      choice("Stand", `Stand on ${total}`),
      choice("Hit", "Hit once"),
      make("span", { class: "row until" }, choice("Until", "Hit, then stand from"), this.from),
    );
  }

  /** Whether the hand in turn is drawn to as decided ahead. @param {TableModel} model */
  _drawing(model) {
    const { action, box } = this.ahead;
    return action === "Until" && model.room.waits !== "wagers" && (model.view.round?.turn?.[0] ?? box) === box;
  }

  /** What was decided ahead, when its turn has come; once for each card. @param {TableModel} model */
  _planned(model) {
    const { box, hand } = inTurn(model);
    const { action, hand: decided, box: where, done } = this.ahead;
    if (!hand || !isAsked(model) || model.room.waits !== "decision" || done === this.moment) return "";
    if (action === "Until" && box?.number === where) {
      this.ahead = { ...this.ahead, done: this.moment };
      const from = Number(this.from.value || this.from.placeholder);
      return (hand.total ?? 0) >= from ? "Stand" : "Hit";
    }
    if (!action || decided !== `${box?.number} ${hand.cards.join(" ")}`) return "";
    this.ahead = NOTHING;
    return action;
  }

  _cut({ view, me }) {
    const { cut } = view;
    if (!cut || cut.by !== me?.name) return null;
    const middle = Math.round((cut.least + cut.most) / 2);
    const depth = make("input", { type: "range", id: "depth", min: cut.least, max: cut.most, value: middle });
    const send = () => this._send({ type: "Cut", by: cut.by, depth: Number(depth.value) });
    const label = `Cut, ${cut.least} to ${cut.most} cards deep`;
    return make(
      "span",
      { class: "row" },
      field(label, depth),
      button("Cut", send, { id: "cut", class: "button primary" }),
    );
  }

  /**
   * Press an action by its name, from a button, a key or the command line; explains it if it is not allowed.
   * @param {string} name
   * @param {boolean} [pointed] by a finger or the mouse, which may have aimed at what was there before
   * @param {number} [amount] in cents, for less than the full double or insurance
   */
  press(name, pointed = false, amount = 0) {
    const { model } = this;
    if (!model) return;
    const fresh = performance.now() - this.changed < SETTLE;
    if (pointed && fresh && model.settings.speed !== "instant" && !this.armed) return;
    const what = offered(model, name, ACTIONS.find(([one]) => one === name)?.[1] ?? []);
    if (what.command) {
      this._guarded(name, amount ? { ...what.command, amount } : what.command, what.unusual);
      return;
    }
    this._explain(name);
    this.dispatchEvent(new CustomEvent("told", { bubbles: true, detail: said(what) }));
    const detail = { clauses: what.clauses, words: what.words, rulebook: model.view.rulebook };
    if (what.clauses.length) this.dispatchEvent(new CustomEvent("why", { bubbles: true, detail }));
  }

  /** @param {string} name @param {Command} wanted @param {string} [unusual] */
  _guarded(name, wanted, unusual = "") {
    const command = this._withAmount(wanted);
    if (!command || (this.model?.settings.guard && !this._confirmed(name, unusual))) return;
    this._send(command);
  }

  /** @param {Command} command */
  _withAmount(command) {
    if (!FOR_LESS[command.type] || !this.amount.value.trim()) return command;
    const amount = cents(this.amount.value);
    if (amount > 0) return { ...command, amount };
    this._say("Enter an amount such as 12.50");
    return null;
  }

  /** Whether a play is not unusual, or was pressed again in time. */
  _confirmed(name, words) {
    if (!words || this.armed === name) {
      this.armed = "";
      return true;
    }
    this.armed = name;
    this.armedWords = `Really ${words}?`;
    this._say(`Press ${name} again within ${AGAIN / 1000} seconds to ${words}`);
    clearTimeout(this.arming);
    this.arming = setTimeout(() => this._disarm(), AGAIN);
    if (this.model) this.update(this.model);
    return false;
  }

  _disarm() {
    this.armed = "";
    this.reason.textContent = "";
    if (this.model) this.update(this.model);
  }

  /** @param {Command} command */
  async _send(command) {
    if (this.busy || !this.model) return;
    this.busy = true;
    this.bar.setAttribute("aria-busy", "true");
    try {
      await this.model.connection.do(this.model.id, command);
    } catch (problem) {
      this.dispatchEvent(new CustomEvent("problem", { bubbles: true, detail: problem }));
    } finally {
      this.busy = false;
      this.bar.removeAttribute("aria-busy");
    }
  }

  /** Say in the message line why an action is not allowed. */
  _explain(name) {
    if (!this.model || this.armed) return;
    const what = offered(this.model, name, ACTIONS.find(([one]) => one === name)?.[1] ?? []);
    this.explained = !what.command;
    this.reason.textContent = what.command ? "" : said(what);
  }

  _say(words) {
    this.reason.textContent = words;
    this.dispatchEvent(new CustomEvent("told", { bubbles: true, detail: words }));
  }
}

/** The coach's word for a button. @param {string} name @param {CoachAnswer} advice */
function adviceName(name, advice) {
  const has = (word) => advice.actions.some((row) => row.action === word);
  if (name === "No") return has("play on") ? "play on" : "decline";
  return name.toLowerCase();
}

/** "Best", "costs $2.05". @param {ActionRow} worth @param {CoachAnswer} advice */
function worthWords(worth, advice) {
  if (worth.best) return "Best";
  const lost = Math.round(advice.actions[0].cents - worth.cents);
  return lost ? `costs ${dollars(lost)}` : "as good";
}

/** The cost as a part of the worst choice's, for the bar. @param {ActionRow} worth @param {CoachAnswer} advice */
function costOf(worth, advice) {
  const most = advice.actions[0].cents - Math.min(...advice.actions.map((one) => one.cents));
  return worth.best ? 1 : most ? (advice.actions[0].cents - worth.cents) / most : 0;
}

/** A refusal as one sentence, with its clauses. @param {Offered} what */
export const said = ({ name, words, clauses }) =>
  `${name}: ${words}${clauses.length ? ` (clause ${clauses.join(", ")})` : ""}`;

customElements.define("pontoon-controls", Controls);
