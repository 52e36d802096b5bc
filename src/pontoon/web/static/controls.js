// The action bar: always the same buttons in the same order. What is allowed, and why not, comes with the view.
import { chipsOf, inTurn, isAsked, momentWords, ownChoices } from "./moment.js";
import { button, cents, dollars, field, make, renew } from "./parts.js";
import { keyOf } from "./settings.js";

/** What a button does now. @typedef {{name: string, command: Command | null, label: string, words: string,
 *   clauses: string[], unusual: string}} Offered */

/** The fixed order of the buttons, and the commands each stands for. @type {[string, string[]][]} */
export const ACTIONS = [
  ["Hit", ["Hit"]],
  ["Stand", ["Stand"]],
  ["Double", ["Double"]],
  ["Split", ["Split"]],
  ["Surrender", ["Surrender"]],
  ["Forfeit", ["Forfeit"]],
  ["Keep", ["Keep"]],
  ["Insure", ["Insure"]],
  ["No", ["Pass", "DeclineSurrender", "DeclineInsurance"]],
];
const PASSED = ["offer", "join", "cut"]; // moments where "No" passes
const OFFERED = ["Surrender", "Insure"]; // several boxes at once: the first has the button, others one beside
const FOR_LESS = { Double: "Double for less", Insure: "Insure for less" };
const AGAIN = 3000; // milliseconds for the second press

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
  if (kinds[0] === "Pass" && mayPass(model)) return { ...nothing, command: { type: "Pass" } };
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

/** @param {TableModel} model */
const mayPass = (model) => PASSED.includes(model.room.waits ?? "") && isAsked(model);

/** The user's stake on the box in turn. @param {TableModel} model */
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

/** Whether the user sits here or has chips on the layout; spectators need no buttons. @param {TableModel} model */
function plays({ view, me }) {
  if (!me) return false;
  const bets = (view.round?.boxes ?? []).some((box) => box.bettors.some((one) => one.player === me.name));
  return bets || (view.seats ?? []).some((one) => one.player === me.name);
}

// --- the element ---

export class Controls extends HTMLElement {
  busy = false;
  /** The action that waits for its second press. */
  armed = "";
  armedWords = "";
  moment = "";
  /** @type {TableModel | null} */
  model = null;

  connectedCallback() {
    this.bar = make("div", { class: "actions", role: "toolbar", "aria-label": "Actions" });
    this.more = make("div", { class: "row rare" });
    this.amount = make("input", { inputmode: "decimal", autocomplete: "off", size: 7, id: "less" });
    this.lessWords = make("span", {}, FOR_LESS.Double);
    this.less = make("label", { class: "row" }, this.lessWords, this.amount);
    this.reason = make("p", { class: "muted reason", id: "reason" });
    this.buttons = new Map(ACTIONS.map(([name]) => [name, this._button(name)]));
    this.bar.append(...this.buttons.values());
    this.append(this.more, this.bar, make("div", { class: "row under" }, this.reason, this.less));
  }

  _button(name) {
    const explain = () => this._explain(name);
    const hush = () => this.armed || (this.reason.textContent = "");
    const hears = { onfocus: explain, onblur: hush, onmouseenter: explain, onmouseleave: hush };
    return make(
      "button",
      {
        type: "button",
        class: "button action",
        id: `do-${name}`,
        "data-action": name,
        onclick: () => this.press(name),
        ...hears,
      },
      make("span", { class: "label" }, name),
      make("kbd", { "aria-hidden": "true" }),
    );
  }

  /** @param {TableModel} model */
  update(model) {
    this.model = model;
    this.inert = model.connection.status !== "open";
    let first = true;
    for (const [name, kinds] of ACTIONS) {
      const what = offered(model, name, kinds);
      this._show(name, what, first);
      if (what.command) first = false;
    }
    this._extras(model);
    this.hidden = model.room.waits === "wagers" || !plays(model);
    this._moment(model);
  }

  /** @param {string} name @param {Offered} what @param {boolean} first */
  _show(name, what, first) {
    const settings = this.model?.settings;
    const one = this.buttons?.get(name);
    const key = settings?.keysOn ? keyOf(settings, name) : "";
    one.setAttribute("aria-disabled", String(!what.command));
    one.classList.toggle("primary", Boolean(what.command) && first && this.armed !== name);
    one.classList.toggle("danger", this.armed === name);
    one.firstChild.textContent = this.armed === name ? this.armedWords : what.label;
    one.lastChild.textContent = key;
    one.title = what.command ? "" : said(what);
    if (key) one.setAttribute("aria-keyshortcuts", key);
    else one.removeAttribute("aria-keyshortcuts");
  }

  /** A new moment: what was armed or said for the last one is removed. */
  _moment(model) {
    const { room, view } = model;
    const now = JSON.stringify([room.waits, view.number, view.round?.turn, inTurn(model).hand?.cards]);
    if (now === this.moment) return;
    this.moment = now;
    this.armed = "";
    this.reason.replaceChildren();
    this.amount.value = "";
  }

  _extras(model) {
    const amounts = ownChoices(model).flatMap((row) => (row.allowed ?? []).filter((one) => FOR_LESS[one.type]));
    this.less.hidden = amounts.length === 0;
    this.lessWords.textContent = FOR_LESS[amounts[0]?.type] ?? "";
    this.amount.placeholder = dollars(amounts[0]?.amount || ownStake(model));
    const rare = rareCommands(model).map(({ label, command }, place) => {
      const data = { id: `rare-${place}`, "data-command": JSON.stringify(command) };
      return button(label, () => this._guarded(command.type, command), data);
    });
    renew(this.more, ...rare, this._cut(model));
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

  /** Press an action by its name, from a button, a key or the command line; explains it where it is not allowed. */
  press(name) {
    const { model } = this;
    if (!model) return;
    const what = offered(model, name, ACTIONS.find(([one]) => one === name)?.[1] ?? []);
    if (what.command) {
      this._guarded(name, what.command, what.unusual);
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

  /** Say under the bar why an action is not allowed. */
  _explain(name) {
    if (!this.model || this.armed) return;
    const what = offered(this.model, name, ACTIONS.find(([one]) => one === name)?.[1] ?? []);
    this.reason.textContent = what.command ? "" : said(what);
  }

  _say(words) {
    this.reason.textContent = words;
    this.dispatchEvent(new CustomEvent("told", { bubbles: true, detail: words }));
  }
}

/** A refusal as one sentence, with its clauses. @param {Offered} what */
export const said = ({ name, words, clauses }) =>
  `${name}: ${words}${clauses.length ? ` (clause ${clauses.join(", ")})` : ""}`;

customElements.define("pontoon-controls", Controls);
